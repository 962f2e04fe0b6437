//! The seat's own affairs: treasury, settings, forces, standing orders, course, victory.

use super::super::desk::{Holding, defaults_line, hundredths, multipliers_line};
use super::super::judge::written;
use super::super::map::SpaceId;
use super::super::maps::tint;
use super::super::points;
use super::super::state::{Country, Mark, NOBODY, Share, Stance};
use super::super::verbs::{Arm, UnitOrder};
use super::super::view::{View, code, player};
use super::super::worth::Item;
use super::{dash, left_out, numbers};
use engine::Seat;
use engine::report::{Align, Block, Chart, Line, Section, Series, Table, Who, course_turns};
use tongue::{mark, say, word};

pub fn treasury(view: &View) -> Section {
    let own = &view.position.player;
    let mut lines: Vec<Line> = vec![
        say!(
            "Spies={spies} CounterSpies={counterspies} Dollars={dollars}",
            spies = hundredths(own.spies),
            counterspies = hundredths(own.counterspies),
            dollars = hundredths(own.cents)
        )
        .into(),
    ];
    if let Some(l) = &view.ledger {
        lines.push(
            say!(
                "Dollars of the turn: {had} - {spent} spent + {interest} interest + {income} \
                 income + {built} built + {given} given = {sum}",
                had = hundredths(l.opening),
                spent = hundredths(l.spent),
                interest = hundredths(l.interest),
                income = hundredths(l.income),
                built = hundredths(l.built),
                given = hundredths(l.received),
                sum = hundredths(l.closing)
            )
            .into(),
        );
    }
    Section::new(say!("Treasury"), vec![Block::List(lines)])
}

pub fn settings(view: &View) -> Section {
    let own = &view.position.player;
    let shares = |wanted: Share| -> Vec<u8> {
        own.shares.iter().filter(|(_, s)| **s == wanted).map(|(p, _)| *p).collect()
    };
    let shared = |wanted: Share| -> Vec<u8> {
        view.shared_by.iter().filter(|(_, s)| *s == wanted).map(|(p, _)| *p).collect()
    };
    let mut lines: Vec<Line> = Vec::new();
    let mut tell = |text: String| lines.push(text.into());
    let defaults = defaults_line(&own.defaults);
    if !defaults.is_empty() {
        tell(say!("Defaults=({defaults})"));
    }
    tell(say!("Multipliers=({list})", list = multipliers_line(&own.multipliers)));
    tell(say!("Allies={list}", list = numbers(&own.declared(Stance::Ally))));
    tell(say!("Enemies={list}", list = numbers(&own.declared(Stance::Enemy))));
    tell(say!("Players who call you ally={list}", list = numbers(&view.allied_by)));
    for other in view.players.iter().filter(|p| p.seat != view.seat && !p.enemies.is_empty()) {
        let (who, list) = (player(view, other.seat), numbers(&other.enemies));
        tell(say!("Enemies of {who}={list}"));
    }
    let permits: Vec<u8> = own.permits.iter().copied().collect();
    tell(say!("Permits={list}", list = numbers(&permits)));
    let both = |full: Vec<u8>, partial: Vec<u8>| {
        let all = (numbers(&full), numbers(&partial));
        match (full.is_empty(), partial.is_empty()) {
            (true, true) => say!(list: "none"),
            (false, true) => say!("full {full}", full = all.0),
            (true, false) => say!("partial {partial}", partial = all.1),
            (false, false) => say!("full {full}, partial {partial}", full = all.0, partial = all.1),
        }
    };
    let (given, got) = (
        both(shares(Share::Full), shares(Share::Partial)),
        both(shared(Share::Full), shared(Share::Partial)),
    );
    tell(say!("You share with: {list}", list = given));
    tell(say!("Shared with you by: {list}", list = got));
    Section::new(say!("Settings"), vec![Block::List(lines)])
}

/// World opinion (§20.3): the seat's own lists, and the effect of all lists together.
pub fn opinion(view: &View) -> Section {
    let own = &view.position.player;
    let list = |places: &[u8; 3]| {
        let parts = places.iter().enumerate().rev().map(|(i, p)| match *p {
            NOBODY => say!("{place} nobody", place = i + 1),
            p => format!("{} [{p}]", i + 1),
        });
        parts.collect::<Vec<_>>().join(", ")
    };
    let columns = vec![
        (say!("Player"), Align::Left),
        (say!("Good"), Align::Right),
        (say!("Bad"), Align::Right),
        (say!("HPI a turn"), Align::Right),
    ];
    let rows = view.players.iter().filter(|p| p.opinion != (0, 0, 0)).map(|p| {
        let (good, bad, net) = p.opinion;
        vec![player(view, p.seat), good.to_string(), bad.to_string(), format!("{net:+}")]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut blocks = vec![Block::List(vec![
        say!("Your good list: {list}", list = list(&own.good)).into(),
        say!("Your bad list: {list}", list = list(&own.bad)).into(),
    ])];
    if !rows.is_empty() {
        blocks.push(Block::Table(Table::new(columns, rows)));
    }
    Section::new(say!("World opinion"), blocks)
}

const FORCE_COLUMNS: [(&str, Align); 8] = [
    (mark!("Space"), Align::Left),
    ("A", Align::Right),
    ("N", Align::Right),
    ("F", Align::Right),
    ("M", Align::Right),
    ("X", Align::Right),
    ("I", Align::Right),
    ("HPI", Align::Right),
];

/// Forces that can be ordered next turn; `+`: a standing order covers units of that kind.
pub fn forces(view: &View) -> Section {
    let mut rows = Vec::new();
    let mut totals = [0i64; 6];
    for (space, holding) in &view.position.holdings {
        let name = code(view, *space);
        match holding {
            Holding::Land(c) => {
                let star = if c.is_minor() { " *" } else { "" };
                let mut row = vec![format!("{name}{star}")];
                let arms = [Arm::Army, Arm::Navy, Arm::Air, Arm::Missile, Arm::Antimissile];
                for (i, arm) in arms.into_iter().chain([Arm::Industry]).enumerate() {
                    totals[i] += c.stock(arm);
                    let covers = |d: &UnitOrder<SpaceId>| d.verb.arm() == arm;
                    let plus = c.standing.iter().flatten().any(covers);
                    row.push(format!("{}{}", dash(c.stock(arm)), if plus { "+" } else { "" }));
                }
                row.push(if c.is_minor() { String::new() } else { c.hpi.to_string() });
                rows.push(row);
            }
            Holding::Sea(f) => {
                for (total, n) in totals.iter_mut().zip([f.army, f.navy, f.air]) {
                    *total += n;
                }
                let mut row = vec![name.to_owned(), dash(f.army), dash(f.navy), dash(f.air)];
                row.resize(8, String::new());
                rows.push(row);
            }
        }
    }
    if rows.is_empty() {
        return left_out();
    }
    let mut total = vec![say!("total")];
    total.extend(totals.iter().map(i64::to_string));
    total.push(String::new());
    rows.push(total);
    let columns = FORCE_COLUMNS.map(|(heading, align)| (word(heading), align));
    let table = Table::new(columns, rows);
    let says = say!("* is a minor: it can't move or conquer. + marks a standing order on file.");
    Section::new(
        say!("Forces under your control"),
        vec![Block::Table(table), Block::Para(says.into())],
    )
}

/// Standing orders on file.
pub fn standing(view: &View) -> Section {
    let mut rows = Vec::new();
    for (space, holding) in &view.position.holdings {
        let Holding::Land(country) = holding else { continue };
        for (slot, order) in (1..).zip(&country.standing) {
            if let Some(order) = order {
                let text = format!("/{slot}/{}", written(view, order));
                rows.push(vec![format!("@{}", code(view, *space)), text]);
            }
        }
    }
    for (space, slots) in &view.resting {
        for (slot, order) in (1..).zip(slots) {
            if let Some(order) = order {
                let order = format!("/{slot}/{}", written(view, order));
                let text = say!("{order} (rests: nobody controls it)");
                rows.push(vec![format!("@{}", code(view, *space)), text]);
            }
        }
    }
    if rows.is_empty() {
        return left_out();
    }
    let columns = [(say!("Space"), Align::Left), (say!("Order"), Align::Left)];
    Section::new(say!("Standing orders"), vec![Block::Table(Table::new(columns, rows))])
}

/// The seat's numbers over the turns, as a table and as charts.
pub fn course(view: &View) -> Section {
    let last = view.history.len();
    if last == 0 {
        return left_out();
    }
    let columns = [
        (say!("Turn"), Align::Right),
        (say!("Countries"), Align::Right),
        (say!("Industry"), Align::Right),
        (say!("Dollars"), Align::Right),
    ];
    let row = |turn: usize| {
        let m = &view.history[turn - 1];
        let countries = m.countries.to_string();
        vec![turn.to_string(), countries, m.industry.to_string(), hundredths(m.cents)]
    };
    let rows = course_turns(last).map(row).collect();
    let chart = |title: String, value: fn(&Mark) -> i64| {
        let values = view.history.iter().map(value).collect();
        let series = vec![Series {
            who: Who::Seat(Seat(view.seat)),
            tint: Some(tint(&view.tables, view.seat)),
            values,
        }];
        Chart { title: title.into(), series }
    };
    let charts = vec![
        chart(say!("Countries"), |m| i64::from(m.countries)),
        chart(say!("Industry"), |m| m.industry),
        chart(say!("Dollars"), |m| m.cents / 100),
    ];
    Section::new(
        say!("Your course"),
        vec![Block::Table(Table::new(columns, rows)), Block::Charts(charts)],
    )
}

/// Victory points of 1939, or what wins Real Forces.
pub fn victory(view: &View) -> Section {
    if let Some(class) = view.position.player.class {
        let needed = points::winning_industry(&view.tables, class);
        let own: i64 = view
            .seen
            .values()
            .filter(|c| c.holder() == view.seat)
            .map(Country::counted_industry)
            .sum();
        let text = say!(
            "When all players left call each other ally, you are a winner with an industry of \
             {needed}, else a survivor. You have {own}."
        );
        return Section::new(say!("Victory"), vec![Block::Para(text.into())]);
    }
    let Some(power) = view.tables.powers.get(usize::from(view.seat) - 1) else {
        return left_out();
    };
    let (heading, got): (_, Vec<Option<i64>>) = match &view.over {
        Some(over) => (
            say!("Got"),
            over.items[usize::from(view.seat) - 1].iter().copied().map(Some).collect(),
        ),
        None => (say!("Now"), points::points_so_far(view)),
    };
    let columns =
        [(say!("Points"), Align::Right), (heading, Align::Right), (say!("For"), Align::Left)];
    let row = |(item, got): (&Item, &Option<i64>)| {
        let worth = if item.worth == 0 { String::new() } else { item.worth.to_string() };
        let got = got.map_or_else(|| "?".to_owned(), |n| n.to_string());
        vec![worth, got, item.in_words(|p| view.tables.power_name(p))]
    };
    let mut rows: Vec<Vec<String>> = power.points.iter().zip(&got).map(row).collect();
    let sum: i64 = got.iter().flatten().sum();
    let least = if got.contains(&None) { say!("at least") } else { say!("in all") };
    rows.push(vec![String::new(), sum.to_string(), least]);
    let mut blocks = vec![Block::Table(Table::new(columns, rows))];
    if view.over.is_none() {
        let says = say!(
            "What you would get if the game were over now, as far as you know: ? goes by what you \
             do not see, and a minor that you do not see counts as nobody's."
        );
        blocks.push(Block::Para(says.into()));
    }
    Section::new(say!("Victory points"), blocks)
}
