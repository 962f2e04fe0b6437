//! The printout of a seat, section by section (§16), from its view alone.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::desk::{Holding, defaults_line, hundredths, multipliers_line, text_of};
use super::judge::written;
use super::map::SpaceId;
use super::maps;
use super::points;
use super::state::{Country, Forces, NOBODY, Share, Stance};
use super::tables::{Ending, Messages, Start};
use super::turn::{Count, Event};
use super::verbs::{Arm, UnitOrder};
use super::view::{Known, SeenClash, SeenSide, View, code, player};
use super::worth::Item;
use engine::report::{Align, Block, Chart, Line, Section, Series, Span, Table, Who, course_turns};
use engine::{Mark, Report, Seat};

/// Makes the printout; `None` for a seat that is out of the game and has had its
/// last one.
pub fn report(view: &View) -> Option<Report> {
    let just_out =
        view.events.iter().any(|e| matches!(e, Event::Out { seat } if *seat == view.seat));
    if view.is_out() && !just_out && view.over.is_none() {
        return None;
    }
    let mut sections = vec![ending(view)];
    sections.push(treasury(view));
    sections.push(settings(view));
    if view.tables.variant.opinion {
        sections.push(opinion(view));
    }
    sections.push(forces(view));
    sections.push(owners(view));
    sections.extend(spaces(view));
    sections.push(visible(view));
    if view.turn > 1 {
        sections.push(land_combat(view));
        sections.push(caught(view));
        sections.push(sea_combat(view));
        sections.push(aftermath(view));
        sections.push(passages(view));
        sections.push(gifts(view));
    }
    sections.push(messages(view));
    sections.push(newspaper(view));
    if view.turn > 1 {
        sections.push(echo(view));
    }
    sections.push(standing(view));
    if view.turn == 1 || view.over.is_some() {
        sections.push(addresses(view));
    }
    sections.push(victory(view));
    sections.push(course(view));
    sections.push(maps::map(view));
    if view.over.is_none() && !view.is_out() {
        sections.push(card(view));
    }
    sections.retain(|s| !s.blocks.is_empty());
    Some(Report { title: player(view, view.seat), sections })
}

fn section(heading: &str, blocks: Vec<Block>) -> Section {
    Section { heading: heading.to_owned(), blocks }
}

fn left_out(heading: &str) -> Section {
    section(heading, Vec::new())
}

fn numbers(seats: &[u8]) -> String {
    match seats {
        [] => "none".to_owned(),
        list => list.iter().map(|s| format!("[{s}]")).collect::<Vec<_>>().join(" "),
    }
}

/// A number, or a dash for none.
fn dash(n: i64) -> String {
    if n == 0 { "-".to_owned() } else { n.to_string() }
}

/// `9<1>`: usable and suppressed.
fn with_suppressed(up: i64, down: i64) -> String {
    if down == 0 { up.to_string() } else { format!("{up}<{down}>") }
}

fn ending(view: &View) -> Section {
    let mut lines: Vec<Line> = Vec::new();
    if let Some(over) = &view.over {
        let (points, rank) = over.scores[usize::from(view.seat) - 1];
        let text = match view.tables.variant.ending {
            Ending::Last => format!("your rating is {points}"),
            Ending::Points => format!("you have {points} victory points"),
            Ending::Allies => match points {
                0 => "you are neither winner nor survivor".to_owned(),
                p if p == view.tables.figures.real.winner_points => "you are a winner".to_owned(),
                _ => "you are a survivor".to_owned(),
            },
        };
        lines.push(
            format!("The game is over after turn {}: rank {rank}, {text}.", over.turn).into(),
        );
    } else if view.is_out() {
        lines.push("You hold no space any more: the game is over for you.".into());
    }
    if lines.is_empty() {
        return left_out("The end");
    }
    section("The end", vec![Block::List(lines)])
}

fn treasury(view: &View) -> Section {
    let own = &view.position.player;
    let mut lines: Vec<Line> = vec![
        format!(
            "Spies={} CounterSpies={} Dollars={}",
            hundredths(own.spies),
            hundredths(own.counterspies),
            hundredths(own.cents)
        )
        .into(),
    ];
    if let Some(l) = &view.ledger {
        lines.push(
            format!(
                "Dollars of the turn: {} - {} spent + {} interest + {} income + {} built + {} \
                 given = {}",
                hundredths(l.opening),
                hundredths(l.spent),
                hundredths(l.interest),
                hundredths(l.income),
                hundredths(l.built),
                hundredths(l.received),
                hundredths(l.closing)
            )
            .into(),
        );
    }
    section("Treasury", vec![Block::List(lines)])
}

fn settings(view: &View) -> Section {
    let own = &view.position.player;
    let shares = |wanted: Share| -> Vec<u8> {
        own.shares.iter().filter(|(_, s)| **s == wanted).map(|(p, _)| *p).collect()
    };
    let shared = |wanted: Share| -> Vec<u8> {
        view.shared_by.iter().filter(|(_, s)| *s == wanted).map(|(p, _)| *p).collect()
    };
    let mut lines: Vec<Line> = Vec::new();
    let mut say = |text: String| lines.push(text.into());
    let defaults = defaults_line(&own.defaults);
    if !defaults.is_empty() {
        say(format!("Defaults=({defaults})"));
    }
    say(format!("Multipliers=({})", multipliers_line(&own.multipliers)));
    say(format!("Allies={}", numbers(&own.declared(Stance::Ally))));
    say(format!("Enemies={}", numbers(&own.declared(Stance::Enemy))));
    say(format!("Players who call you ally={}", numbers(&view.allied_by)));
    for other in view.players.iter().filter(|p| p.seat != view.seat && !p.enemies.is_empty()) {
        say(format!("Enemies of {}={}", player(view, other.seat), numbers(&other.enemies)));
    }
    let permits: Vec<u8> = own.permits.iter().copied().collect();
    say(format!("Permits={}", numbers(&permits)));
    let both = |full: Vec<u8>, partial: Vec<u8>| match (full.is_empty(), partial.is_empty()) {
        (true, true) => "none".to_owned(),
        (false, true) => format!("full {}", numbers(&full)),
        (true, false) => format!("partial {}", numbers(&partial)),
        (false, false) => format!("full {}, partial {}", numbers(&full), numbers(&partial)),
    };
    say(format!("You share with: {}", both(shares(Share::Full), shares(Share::Partial))));
    say(format!("Shared with you by: {}", both(shared(Share::Full), shared(Share::Partial))));
    section("Settings", vec![Block::List(lines)])
}

/// World opinion (§20.3): own lists, and what all lists together do.
fn opinion(view: &View) -> Section {
    let own = &view.position.player;
    let list = |places: &[u8; 3]| {
        let parts = places.iter().enumerate().rev().map(|(i, p)| match *p {
            NOBODY => format!("{} nobody", i + 1),
            p => format!("{} [{p}]", i + 1),
        });
        parts.collect::<Vec<_>>().join(", ")
    };
    let columns = vec![
        ("Player", Align::Left),
        ("Good", Align::Right),
        ("Bad", Align::Right),
        ("HPI a turn", Align::Right),
    ];
    let rows = view.players.iter().filter(|p| p.opinion != (0, 0, 0)).map(|p| {
        let (good, bad, net) = p.opinion;
        vec![player(view, p.seat), good.to_string(), bad.to_string(), format!("{net:+}")]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let mut blocks = vec![Block::List(vec![
        format!("Your good list: {}", list(&own.good)).into(),
        format!("Your bad list: {}", list(&own.bad)).into(),
    ])];
    if !rows.is_empty() {
        blocks.push(Block::Table(Table::new(columns, rows)));
    }
    section("World opinion", blocks)
}

const FORCE_COLUMNS: [(&str, Align); 8] = [
    ("Space", Align::Left),
    ("A", Align::Right),
    ("N", Align::Right),
    ("F", Align::Right),
    ("M", Align::Right),
    ("X", Align::Right),
    ("I", Align::Right),
    ("HPI", Align::Right),
];

/// What can be ordered next turn; `+`: a standing order covers units of that kind.
fn forces(view: &View) -> Section {
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
        return left_out("Forces under your control");
    }
    let mut total = vec!["total".to_owned()];
    total.extend(totals.iter().map(i64::to_string));
    total.push(String::new());
    rows.push(total);
    let table = Table::new(FORCE_COLUMNS, rows);
    let says = "* is a minor: it can't move or conquer. + marks a standing order on file.";
    section("Forces under your control", vec![Block::Table(table), Block::Para(says.into())])
}

fn owners(view: &View) -> Section {
    let mut players: Vec<_> = view.players.iter().collect();
    players.sort_by_key(|p| (std::cmp::Reverse(p.countries), p.seat));
    let columns = vec![
        ("Player", Align::Left),
        ("Occupied countries", Align::Right),
        ("Remark", Align::Left),
    ];
    let row = |p: &&super::view::Public| {
        let remark = match (p.out, p.dropped) {
            (true, _) => "out of the game",
            (false, true) => "sends no orders",
            _ => "",
        };
        vec![player(view, p.seat), p.countries.to_string(), remark.to_owned()]
    };
    let rows = players.iter().map(row).collect();
    section("Players", vec![Block::Table(Table::new(columns, rows))])
}

/// Popularity of all players in a minor, own first.
fn popularity(country: &Country) -> String {
    let shown = country.popularity.iter().filter(|(_, v)| **v != 0);
    shown.map(|(p, v)| format!("[{p}]={v}")).collect::<Vec<_>>().join(" ")
}

fn seen_row(view: &View, space: SpaceId, c: &Country) -> Vec<String> {
    let held = if c.is_minor() { "*".to_owned() } else { format!("[{}]", c.owner) };
    let coast = view.tables.map.has_coast(space);
    let spies = c.spies.get(&view.seat).copied().unwrap_or(0);
    vec![
        code(view, space).to_owned(),
        held,
        with_suppressed(c.tax, c.tax_down),
        with_suppressed(c.industry, c.industry_down),
        c.army.to_string(),
        if coast { c.navy.to_string() } else { String::new() },
        with_suppressed(c.air, c.air_down),
        dash(c.missiles),
        dash(c.antimissiles),
        if spies > 0 { spies.to_string() } else { String::new() },
        if c.is_minor() { popularity(c) } else { format!("HPI {}", c.hpi) },
    ]
}

const SPACE_COLUMNS: [(&str, Align); 11] = [
    ("Space", Align::Left),
    ("Held", Align::Left),
    ("Tax", Align::Right),
    ("Ind", Align::Right),
    ("Army", Align::Right),
    ("Navy", Align::Right),
    ("AirF", Align::Right),
    ("M", Align::Right),
    ("X", Align::Right),
    ("Spies", Align::Right),
    ("Popularity", Align::Left),
];

/// `AL [1]`, `AU *`, `GR * 10` with own popularity.
fn unseen(view: &View, space: SpaceId) -> String {
    match view.owners[usize::from(space.0)] {
        NOBODY => match view.favour.get(&space).copied().unwrap_or(0) {
            0 => format!("{} *", code(view, space)),
            own => format!("{} *={own}", code(view, space)),
        },
        owner => format!("{} [{owner}]", code(view, space)),
    }
}

fn sea_line(view: &View, space: SpaceId, forces: &BTreeMap<u8, Forces>) -> String {
    let side = |(seat, f): (&u8, &Forces)| {
        let parts = [("Army", f.army), ("Navy", f.navy), ("AirF", f.air)];
        let there: Vec<String> =
            parts.iter().filter(|p| p.1 > 0).map(|(k, n)| format!("{k}={n}")).collect();
        format!("{} ({})", player(view, *seat), there.join(","))
    };
    let sides: Vec<String> = forces.iter().map(side).collect();
    let sides = if sides.is_empty() { "empty".to_owned() } else { sides.join(" ") };
    format!("{} {sides}", code(view, space))
}

/// Countries that are seen, those that are not, seas; with `U2` one list.
fn spaces(view: &View) -> Vec<Section> {
    let map = &view.tables.map;
    let seas: Vec<Line> =
        view.seas.iter().map(|(s, forces)| sea_line(view, *s, forces).into()).collect();
    let says = "<n> is suppressed. Held: * a minor, [n] occupied by player n.";
    if view.position.player.single_list {
        let row = |space: SpaceId| match view.seen.get(&space) {
            Some(country) => seen_row(view, space, country),
            None => {
                let text = unseen(view, space);
                let (code, held) = text.split_once(' ').unwrap_or((&text, ""));
                let (held, own) = held.split_once('=').unwrap_or((held, ""));
                let mut row = vec![code.to_owned(), held.to_owned()];
                row.resize(10, String::new());
                row.push(if own.is_empty() {
                    String::new()
                } else {
                    format!("[{}]={own}", view.seat)
                });
                row
            }
        };
        let rows = map.countries().map(row).collect();
        let table = Table::new(SPACE_COLUMNS, rows);
        let mut blocks = vec![Block::Table(table), Block::Para(says.into())];
        if !seas.is_empty() {
            blocks.push(Block::List(seas));
        }
        return vec![section("Spaces", blocks)];
    }
    let rows = view.seen.iter().map(|(s, c)| seen_row(view, *s, c)).collect();
    let table = Table::new(SPACE_COLUMNS, rows);
    let mut sections = vec![section(
        "Countries that you see",
        vec![Block::Table(table), Block::Para(says.into())],
    )];
    let hidden: Vec<String> = map
        .countries()
        .filter(|s| !view.seen.contains_key(s))
        .map(|s| format!("{:<11}", unseen(view, s)))
        .collect();
    if !hidden.is_empty() {
        let lines = hidden.chunks(6).map(|c| c.concat()).collect();
        sections.push(section("Countries that you do not see", vec![Block::Quote(lines)]));
    }
    if !seas.is_empty() {
        sections.push(section("Seas", vec![Block::List(seas)]));
    }
    sections
}

/// Sums of what is seen, by player.
fn visible(view: &View) -> Section {
    let mut sums: BTreeMap<u8, [i64; 6]> = BTreeMap::new();
    for country in view.seen.values() {
        let sum = sums.entry(country.owner).or_default();
        let arms = [Arm::Industry, Arm::Army, Arm::Navy, Arm::Air, Arm::Missile, Arm::Antimissile];
        for (s, arm) in sum.iter_mut().zip(arms) {
            *s += country.stock(arm);
        }
    }
    for (seat, f) in view.seas.values().flatten() {
        let sum = sums.entry(*seat).or_default();
        sum[1] += f.army;
        sum[2] += f.navy;
        sum[3] += f.air;
    }
    let columns = vec![
        ("Player", Align::Left),
        ("I", Align::Right),
        ("A", Align::Right),
        ("N", Align::Right),
        ("F", Align::Right),
        ("M", Align::Right),
        ("X", Align::Right),
    ];
    let row = |(seat, sum): (&u8, &[i64; 6])| {
        let name = if *seat == NOBODY { "[minor]".to_owned() } else { player(view, *seat) };
        let mut row = vec![name];
        row.extend(sum.iter().map(|n| dash(*n)));
        row
    };
    let rows = sums.iter().map(row).collect();
    section("Visible forces of all players", vec![Block::Table(Table::new(columns, rows))])
}

fn count(name: &str, known: Known) -> Option<String> {
    match known {
        Known::Nothing => None,
        Known::There => Some(name.to_owned()),
        Known::Counted(Count { sent, lost: 0 }) => Some(format!("{name}={sent}")),
        Known::Counted(Count { sent, lost }) => Some(format!("{name}={sent}-{lost}")),
    }
}

/// `FI(Army=40-1,AirF=20-3,Missiles=3-2)`.
fn side(view: &View, side: &SeenSide) -> String {
    let names = ["Army", "Navy", "AirF", "Missiles"];
    let parts: Vec<String> =
        names.iter().zip(side.kinds).filter_map(|(n, k)| count(n, k)).collect();
    let from = match view.tables.map.is_sea(side.from) && side.owner != NOBODY {
        true => format!("{}[{}]", code(view, side.from), side.owner),
        false => code(view, side.from).to_owned(),
    };
    format!("{from}({})", parts.join(","))
}

fn clash_line(view: &View, clash: &SeenClash) -> Line {
    let mut parts = vec![format!("{}:", code(view, clash.at)), side(view, &clash.home)];
    parts.extend(clash.attackers.iter().map(|s| side(view, s)));
    parts.extend(clash.captured.map(|by| format!("Captured by {}", player(view, by))));
    parts.join(" ").into()
}

fn land_combat(view: &View) -> Section {
    let lines = view.clashes.iter().map(|c| clash_line(view, c)).collect();
    Section::list("Land combat", lines, "Nowhere.")
}

fn caught(view: &View) -> Section {
    let line = |e: &Event| match e {
        Event::Caught { player: p, at, spies } => {
            Some(format!("{}: {spies} in {}", player(view, *p), code(view, *at)).into())
        }
        _ => None,
    };
    let lines: Vec<Line> = view.events.iter().filter_map(line).collect();
    Section::list("Spies caught", lines, "None.")
}

fn sea_combat(view: &View) -> Section {
    let line = |clash: &super::turn::SeaClash| -> Line {
        let side = |(seat, counts): &(u8, [Count; 3])| {
            let names = ["Army", "Navy", "AirF"];
            let known = counts.iter().map(|c| match c.sent {
                0 => Known::Nothing,
                _ => Known::Counted(*c),
            });
            let parts: Vec<String> =
                names.iter().zip(known).filter_map(|(n, k)| count(n, k)).collect();
            format!("{}({})", player(view, *seat), parts.join(","))
        };
        let sides: Vec<String> = clash.sides.iter().map(side).collect();
        format!("{}: {}", code(view, clash.at), sides.join(" ")).into()
    };
    Section::list("Sea combat", view.sea_clashes.iter().map(line).collect(), "None that you saw.")
}

/// Counter-attacks and revolutions.
fn aftermath(view: &View) -> Section {
    let mut lines: Vec<Line> = Vec::new();
    for (counter, whole) in &view.counters {
        let shown = |c: Count| match whole {
            true => count("Army", Known::Counted(c)).unwrap_or_default(),
            false => "Army".to_owned(),
        };
        let owner =
            if counter.owner == NOBODY { String::new() } else { player(view, counter.owner) };
        let end = if counter.recaptured { " Recaptured" } else { "" };
        lines.push(
            format!(
                "{}: {}({}) {owner}({}){end}",
                code(view, counter.at),
                player(view, counter.conqueror),
                shown(counter.defending),
                shown(counter.returning)
            )
            .into(),
        );
    }
    for event in &view.events {
        match event {
            Event::Revolution { at, was } => lines.push(
                format!("Revolution in {}: {} is driven out", code(view, *at), player(view, *was))
                    .into(),
            ),
            Event::Out { seat } => {
                lines.push(format!("{} has lost the last space", player(view, *seat)).into());
            }
            _ => {}
        }
    }
    Section::list("Counter-attacks and revolutions", lines, "None.")
}

fn passages(view: &View) -> Section {
    let line = |e: &Event| match e {
        Event::Passage { player: p, by, from, to, arm, n, .. } => Some(format!(
            "{} went through {} from {} to {}: {}={n}",
            player(view, *p),
            code(view, *by),
            code(view, *from),
            code(view, *to),
            arm.name()
        )),
        Event::Closed { by, from, to, arm, n, .. } => Some(format!(
            "{} was closed to you: {}={n} stayed in {} and did not go to {}",
            code(view, *by),
            arm.name(),
            code(view, *from),
            code(view, *to)
        )),
        _ => None,
    };
    let lines: Vec<Line> = view.events.iter().filter_map(line).map(Line::from).collect();
    if lines.is_empty() {
        return left_out("Straits and canals");
    }
    section("Straits and canals", vec![Block::List(lines)])
}

fn gifts(view: &View) -> Section {
    let line = |e: &Event| match e {
        Event::GiftOfDollars { from, to, dollars } if *to == view.seat => {
            Some(format!("{} gave you {dollars} Dollars", player(view, *from)))
        }
        Event::GiftOfDollars { to, dollars, .. } => {
            Some(format!("You gave {dollars} Dollars to {}", player(view, *to)))
        }
        Event::GiftOfForces { from, to, at, arm, n } => {
            let (name, place) = (arm.name(), code(view, *at));
            Some(match *to == view.seat {
                true => format!("{} gave you {name}={n} in {place}", player(view, *from)),
                false => format!("You gave {name}={n} in {place} to {}", player(view, *to)),
            })
        }
        _ => None,
    };
    let lines: Vec<Line> = view.events.iter().filter_map(line).map(Line::from).collect();
    if lines.is_empty() {
        return left_out("Gifts");
    }
    section("Gifts", vec![Block::List(lines)])
}

/// Messages of other players; their lines stand as quotes, so that none of them can
/// be taken for an order.
fn messages(view: &View) -> Section {
    let mut blocks = Vec::new();
    for event in &view.events {
        match event {
            Event::Letter { from, text, .. } => {
                let who = from.map_or_else(|| "Anonymous".to_owned(), |p| player(view, p));
                blocks.push(Block::Para(format!("From {who}:").into()));
                blocks.push(Block::Quote(text.clone()));
            }
            Event::Wire { from, text, space, .. } => {
                let said = text_of(&view.tables, usize::from(*text), *space);
                blocks.push(Block::Para(format!("From {}: {said}.", player(view, *from)).into()));
            }
            _ => {}
        }
    }
    section("Messages", blocks)
}

fn newspaper(view: &View) -> Section {
    let mut blocks = Vec::new();
    for event in &view.events {
        if let Event::News { from, text } = event {
            let who = from.map_or_else(|| "Anonymous".to_owned(), |p| player(view, p));
            blocks.push(Block::Para(format!("By {who}:").into()));
            blocks.push(Block::Quote(text.clone()));
        }
    }
    section("World newspaper", blocks)
}

/// The orders of the last turn as they came out.
fn echo(view: &View) -> Section {
    let mut rows = Vec::new();
    let mut accepted = 0;
    for event in &view.events {
        let Event::Line { line, text, mark, note, .. } = event else { continue };
        let mark = Mark::of(*mark);
        let letter = text.starts_with("PRESS") || text.starts_with("NEWS");
        let is_order = !letter && !matches!(mark, Mark::Remark | Mark::Error);
        accepted += usize::from(is_order);
        let says = match mark {
            Mark::Ok => "ok",
            Mark::Warning => "ok, but",
            Mark::Remark => "",
            Mark::Error => "error",
        };
        let result = match (says, note.as_str()) {
            (says, "") => says.to_owned(),
            ("", note) => note.to_owned(),
            (says, note) => format!("{says}: {note}"),
        };
        rows.push(vec![line.to_string(), text.clone(), result]);
    }
    let heading = format!("Your orders of turn {}", view.turn - 1);
    if rows.is_empty() {
        let says = "No card came: standing orders and default builds were used.";
        return section(&heading, vec![Block::Para(says.into())]);
    }
    let columns = vec![("Line", Align::Right), ("Order", Align::Left), ("Result", Align::Left)];
    let says = format!("Order-count: {accepted}");
    let table = Block::Table(Table::new(columns, rows));
    section(&heading, vec![Block::Para(says.into()), table])
}

/// Standing orders on file.
fn standing(view: &View) -> Section {
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
                let text = format!("/{slot}/{} (rests: nobody controls it)", written(view, order));
                rows.push(vec![format!("@{}", code(view, *space)), text]);
            }
        }
    }
    if rows.is_empty() {
        return left_out("Standing orders");
    }
    let columns = vec![("Space", Align::Left), ("Order", Align::Left)];
    section("Standing orders", vec![Block::Table(Table::new(columns, rows))])
}

/// Who the players are, as far as they disclose it; never in the anonymous game.
fn addresses(view: &View) -> Section {
    if view.tables.variant.messages == Messages::Canned {
        return left_out("Addresses");
    }
    let others = view.players.iter().filter(|p| p.seat != view.seat);
    let line = |p: &super::view::Public| {
        Line(vec![Span::Plain(format!("{}: ", player(view, p.seat))), Span::Address(Seat(p.seat))])
    };
    section("Addresses", vec![Block::List(others.map(line).collect())])
}

/// Own figures over the turns, as a table and as charts.
fn course(view: &View) -> Section {
    let last = view.history.len();
    if last == 0 {
        return left_out("Your course");
    }
    let columns = [
        ("Turn", Align::Right),
        ("Countries", Align::Right),
        ("Industry", Align::Right),
        ("Dollars", Align::Right),
    ];
    let row = |turn: usize| {
        let m = &view.history[turn - 1];
        let countries = m.countries.to_string();
        vec![turn.to_string(), countries, m.industry.to_string(), hundredths(m.cents)]
    };
    let rows = course_turns(last).map(row).collect();
    let chart = |title, value: fn(&super::state::Mark) -> i64| {
        let values = view.history.iter().map(value).collect();
        let series = vec![Series { who: Who::Seat(Seat(view.seat)), values }];
        Chart { title: Cow::Borrowed(title), series }
    };
    let charts = vec![
        chart("Countries", |m| i64::from(m.countries)),
        chart("Industry", |m| m.industry),
        chart("Dollars", |m| m.cents / 100),
    ];
    section("Your course", vec![Block::Table(Table::new(columns, rows)), Block::Charts(charts)])
}

/// Victory points of 1939, or what makes a winner of Real Forces.
fn victory(view: &View) -> Section {
    if let Some(class) = view.position.player.class {
        let needed = points::winning_industry(&view.tables, class);
        let own: i64 = view
            .seen
            .values()
            .filter(|c| c.holder() == view.seat)
            .map(Country::counted_industry)
            .sum();
        let text = format!(
            "When all players left call each other ally, you are a winner with an industry of \
             {needed}, else a survivor. You have {own}."
        );
        return section("Victory", vec![Block::Para(text.into())]);
    }
    let Some(power) = view.tables.powers.get(usize::from(view.seat) - 1) else {
        return left_out("Victory");
    };
    let got = view.over.as_ref().map(|o| &o.items[usize::from(view.seat) - 1]);
    if view.turn > 1 && got.is_none() {
        return left_out("Victory");
    }
    let mut columns = vec![("Points", Align::Right)];
    if got.is_some() {
        columns.push(("Got", Align::Right));
    }
    columns.push(("For", Align::Left));
    let row = |(i, item): (usize, &Item)| {
        let worth = if item.worth == 0 { String::new() } else { item.worth.to_string() };
        let mut row = vec![worth];
        row.extend(got.map(|g| g[i].to_string()));
        row.push(item.says(|p| view.tables.power_name(p)));
        row
    };
    let rows = power.points.iter().enumerate().map(row).collect();
    section("Victory points", vec![Block::Table(Table::new(columns, rows))])
}

/// The blank card.
fn card(view: &View) -> Section {
    let mut lines = vec![
        "Type your orders below these lines; HELP CARD explains how.".to_owned(),
        format!("@       you: Dollars {}", hundredths(view.position.player.cents)),
    ];
    for (space, holding) in &view.position.holdings {
        let hint = match holding {
            Holding::Land(c) => {
                let star = if c.is_minor() { " * minor" } else { "" };
                format!(
                    "@{:<6} I{} A{} N{} F{} M{} X{}{star}",
                    code(view, *space),
                    c.industry,
                    c.army,
                    c.navy,
                    c.air,
                    c.missiles,
                    c.antimissiles
                )
            }
            Holding::Sea(f) => {
                format!("@{:<6} A{} N{} F{}", code(view, *space), f.army, f.navy, f.air)
            }
        };
        lines.push(hint);
    }
    lines.extend(quick_reference(view));
    Section {
        heading: format!("Turn card for turn {}", view.turn),
        blocks: vec![Block::Card(lines)],
    }
}

/// The orders in a few lines.
fn quick_reference(view: &View) -> Vec<String> {
    let variant = &view.tables.variant;
    let mut lines = vec![
        "Player: pA pN pE ally, neutral, enemy; pDn give; pK pX strait;".to_owned(),
        "  pF pH pZ share; SnCCC spies; CnCCC counterspies; TSn TCn train;".to_owned(),
        "  RIn..RCn research; PnCCC propaganda; pSn pCn pPn spread;".to_owned(),
        "  BAn.. default builds; U1 U2 options".to_owned(),
        "Space: BIn..BXn build; ATn NTn FTn MTn XTn move; ACn conquer;".to_owned(),
        "  ABn attack; ASn NSn FSn support; NNn at navy; FAn FNn FFn FIn by air;".to_owned(),
        "  MAn MFn MIn missiles; /1/ORDER standing".to_owned(),
    ];
    if variant.opinion {
        lines.push("World opinion: pG3 pG2 pG1 good list, pB3 pB2 pB1 bad list".to_owned());
    }
    lines.push(match (variant.messages, variant.news) {
        (Messages::Canned, _) => "Messages: pWk, pWkXXX (HELP WIRE)".to_owned(),
        (_, true) => "PRESS p ... END message; NEWS ... END newspaper".to_owned(),
        (_, false) => "PRESS p ... END message".to_owned(),
    });
    if variant.start != Start::Even && view.turn == 1 && variant.peaceful_start {
        lines.push("No attacks on turn 1.".to_owned());
    }
    lines
}
