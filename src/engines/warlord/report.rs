//! The printout of a seat, section by section (§10), made only from its view.

use std::borrow::Cow;

use super::events::Event;
use super::happened::{happened, is_the_end, news};
use super::ledger::{city_row, economy};
use super::names::general_name;
use super::orders::sector_no;
use super::phrases::{force, pp, ranges, rank_name};
use super::standing::Final;
use super::state::{Billet, NOBODY, Target, Unit};
use super::view::{Spotted, View};
use super::words::Words;
use super::{maps, sheets};
use crate::state::State;
use crate::{Warlord, tables};
use engine::geometry::Place;
use engine::report::{
    Align, Block, Chart, Gap, Line, Section, Series, Span, Table, Who, bind, course_turns,
};
use engine::{Mark, Printouts, Report, Seat};
use tongue::{count, say};

impl Printouts for Warlord {
    fn report(view: &View, language: &str) -> Option<Report> {
        report(view, language)
    }

    fn languages(_: Option<&State>) -> &'static [&'static str] {
        tables::LANGUAGES
    }
}

/// Makes the printout; `None` for a seat that has fallen and got its last printout.
pub fn report(view: &View, language: &str) -> Option<Report> {
    let gone = |turn: u32| turn + 1 < view.turn && view.over.is_none();
    if view.power.fell.is_some_and(gone) {
        return None;
    }
    let words = Words { tables: &view.tables, grid: view.grid, seat: view.seat, language };
    let mut sections = ending(view, &words);
    sections.extend(absence(view));
    sections.extend(super::summary::summary(view, &words));
    // A seat that fell earlier sees only the news of the world.
    let fell_before = view.power.fell.is_some_and(|turn| turn + 1 < view.turn);
    if view.turn > 1 && !fell_before {
        sections.push(orders(view));
        sections.extend(happened(view, &words));
    } else if view.turn > 1 {
        sections.push(news(view, &words));
    }
    // Before the first turn nobody could write or meet anybody.
    let mail = messages(view, &words);
    if view.turn > 1 && !fell_before {
        sections.extend([mail, addresses(view)]);
    } else if mail.blocks.iter().any(|b| matches!(b, Block::List(_))) {
        sections.push(mail);
    }
    sections.extend(maps::world(view));
    sections.push(maps::strategic(view));
    if !fell_before {
        sections.push(generals(view));
    }
    sections.push(forces(view));
    sections.push(spotted(view));
    sections.push(works(view));
    sections.extend(maps::tactical(view));
    sections.extend(maps::pictures(view));
    if !fell_before {
        sections.push(economy(view, &words));
    }
    sections.push(ratings(view));
    if !fell_before {
        sections.push(alliances(view));
    }
    sections.extend(sheets::spy_reports(view, &words));
    sections.extend(sheets::coalition_sheet(view));
    sections.extend(sheets::tech_sheet(view));
    if view.over.is_none() && view.power.fell.is_none() {
        sections.push(card(view));
    }
    sections.retain(|s| !s.blocks.is_empty());
    sections.iter_mut().for_each(|s| bind(&mut s.blocks));
    Some(Report { title: say!("Empire {seat}", seat = view.seat), sections })
}

/// The end of the game, or of this empire, which comes before all else.
fn ending(view: &View, words: &Words) -> Vec<Section> {
    let ends = view.events.iter().filter(|e| is_the_end(view, e));
    let mut lines: Vec<Line> = ends.map(|e| words.described(e).into()).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    lines.push(match view.whole {
        true => say!("The whole map is open to you below, with every city and its holder.").into(),
        false => say!("Below is what you knew. The whole map comes when the game is over.").into(),
    });
    let mut section = Section::list(&say!("The end"), lines, "");
    section.blocks.extend(last_standing(view));
    vec![section]
}

/// The holdings of all seats at the end of the game, the best first; the host adds names and
/// points.
fn last_standing(view: &View) -> Option<Block> {
    let mut finals = view.finals.clone();
    finals.sort_by_key(|f| (f.rank, f.seat));
    let row = |f: &Final| {
        let who = match f.seat == view.seat {
            true => say!("{seat} (you)", seat = f.seat),
            false => f.seat.to_string(),
        };
        let fell = f.fell.map_or(String::new(), |turn| say!("fell in turn {turn}"));
        vec![f.rank.to_string(), who, f.cities.to_string(), fell]
    };
    let columns = vec![
        (say!("Rank"), Align::Right),
        (say!("Player"), Align::Left),
        (say!("Cities"), Align::Right),
        (String::new(), Align::Left),
    ];
    let rows: Vec<Vec<String>> = finals.iter().map(row).collect();
    (!rows.is_empty()).then(|| Block::Table(Table::new(columns, rows)))
}

/// The consequences if further cards are missed (§8).
fn absence(view: &View) -> Option<Section> {
    let (rules, missed) = (&view.tables.rules.absence, view.power.missed);
    let playing = view.power.fell.is_none() && view.over.is_none();
    if missed == 0 || rules.turns == 0 || !playing {
        return None;
    }
    let percent = rules.rebel_percent;
    let now = count!(
        n = missed,
        "No card of yours came in for the last turn.",
        "No card of yours came in for the last {n} turns."
    );
    let left = rules.turns.saturating_sub(missed);
    let then = match left {
        0 => say!(
            "Your empire counts as given up. Unless somebody else takes it over, each of your \
             cities rises against you with a chance of {percent} in a hundred in every further \
             turn without a card."
        ),
        n => count!(
            n,
            "If {n} more turn passes without a card, your empire counts as given up. Unless \
             somebody else then takes it over, each of your cities rises against you with a \
             chance of {percent} in a hundred in every further turn without a card.",
            "If {n} more turns pass without a card, your empire counts as given up. Unless \
             somebody else then takes it over, each of your cities rises against you with a \
             chance of {percent} in a hundred in every further turn without a card."
        ),
    };
    let lines = vec![now.into(), then.into(), say!("Any card with an order ends this.").into()];
    Some(Section::list(&say!("Missed cards"), lines, ""))
}

/// The printed word for a mark.
pub fn mark_word(mark: Mark) -> String {
    match mark {
        Mark::Ok => say!("ok"),
        Mark::Warning => say!("ok, but"),
        Mark::Remark => "--".to_owned(),
        Mark::Error => say!("error"),
    }
}

fn orders(view: &View) -> Section {
    let row = |event: &Event| match event {
        Event::Line { line, text, mark, note } => {
            let (mark, note) = (mark_word(Mark::of(*mark)), note.localized().into_owned());
            Some(vec![line.to_string(), text.clone(), mark, note])
        }
        _ => None,
    };
    let rows: Vec<Vec<String>> = view.events.iter().filter_map(row).collect();
    let heading = say!("Orders of turn {turn}", turn = view.turn - 1);
    if rows.is_empty() {
        let text =
            say!("No orders came in; advances, production and other standing orders went on.");
        return Section::list(&heading, Vec::new(), &text);
    }
    let columns = vec![
        (say!("Line"), Align::Right),
        (say!("Order"), Align::Left),
        (say!("Mark"), Align::Left),
        (say!("Result"), Align::Left),
    ];
    Section { heading, blocks: vec![Block::Table(Table::new(columns, rows))] }
}

fn messages(view: &View, words: &Words) -> Section {
    let (mut lines, mut sent) = (Vec::new(), Vec::new());
    for event in &view.events {
        match event {
            Event::Message { from, broadcast, sentences } => {
                let lead = match broadcast {
                    true => say!("Broadcast sent from player {from} follows...."),
                    false => say!("Message from player {from} follows...."),
                };
                let mut spans = vec![Span::Plain(format!("{lead} "))];
                for told in sentences {
                    let text = words.sentence(told);
                    let mut parts = text.split('@');
                    spans.extend(parts.next().map(|p| Span::Plain(p.to_owned())));
                    for part in parts {
                        spans.push(Span::Address(Seat(*from)));
                        spans.push(Span::Plain(part.to_owned()));
                    }
                    spans.push(Span::Plain(" ".to_owned()));
                }
                lines.push(Line(spans));
            }
            Event::MessageSent { .. } => sent.push(words.described(event).into()),
            _ => {}
        }
    }
    lines.append(&mut sent);
    Section::list(&say!("Messages"), lines, &say!("No message came in."))
}

/// Players whose forces were met this turn, with the turn in which they were first met.
fn addresses(view: &View) -> Section {
    let this_turn = view.power.met.iter().filter(|(_, m)| m.last == view.turn - 1);
    let line = |(other, meeting): (&u8, &super::state::Meeting)| {
        let address = Gap(0);
        let met = match meeting.first {
            0 => say!("Player {other}, met at the start: {address}"),
            turn => say!("Player {other}, first met in turn {turn}: {address}"),
        };
        Line::filled(&met, [Span::Address(Seat(*other))])
    };
    let none = say!("No forces of another player were met.");
    Section::list(&say!("Addresses"), this_turn.map(line).collect(), &none)
}

fn generals(view: &View) -> Section {
    let line = |(number, general): (u16, &super::state::General)| {
        let at = sector_no(view.grid, view.power.general_at(general)?);
        let (name, skill) = (general_name(&general.name), general.skill);
        let told = match general.billet {
            Some(Billet::Unit(unit)) => say!("{number}) {at} ({skill}){name}, with unit {unit}"),
            Some(Billet::City(city)) => say!("{number}) {at} ({skill}){name}, in city {city}"),
            None => format!("{number}) {at} ({skill}){name}"),
        };
        Some(told.into())
    };
    let numbered = || (1..).zip(&view.power.generals);
    let mut lines: Vec<Line> = numbered().filter_map(line).collect();
    let lost = numbered().filter(|(_, g)| view.power.general_at(g).is_none()).map(|(n, _)| n);
    let lost: Vec<u16> = lost.collect();
    if !lost.is_empty() {
        let told = count!(
            n = lost.len(),
            "General {numbers}: lost.",
            "Generals {numbers}: lost.",
            numbers = ranges(lost)
        );
        lines.push(told.into());
    }
    Section::list(&say!("Generals"), lines, &say!("You have no general."))
}

/// A row of the table of forces, with its sort key: sector, cities first, number.
type ForceRow = (Place, u8, u16, Vec<String>);

/// Rows of known cities of others.
fn foreign_cities(view: &View) -> Vec<ForceRow> {
    let mut rows = Vec::new();
    for city in &view.cities {
        let comment = match city.seen.owner {
            None => say!("Reported"),
            Some(NOBODY) if city.seen.rebel => say!("Rebels"),
            Some(NOBODY) => say!("Uncontrolled"),
            Some(seat) if view.power.allies.contains(&seat) => say!("Ally {seat}"),
            Some(seat) => say!("Enemy {seat}"),
        };
        let level = city.seen.owner.map_or("?".to_owned(), |_| city.seen.level.to_string());
        // The age of the report: 0 is the start of the game, and a report of the last turn needs no
        // note.
        let age = match city.seen.turn {
            0 => String::new(),
            turn if turn + 1 >= view.turn => String::new(),
            turn => say!("as of turn {turn}"),
        };
        let comment = joined([comment, age]);
        let name = city.seen.name.clone();
        let sector = format!("  {}", sector_no(view.grid, city.at));
        let cells = [sector, city.number.to_string(), String::new(), name, level, comment];
        rows.push((city.at, 0, city.number, cells.into()));
    }
    rows
}

/// Own forces and all known cities by sector.
fn forces(view: &View) -> Section {
    let led = |billet: Billet| {
        let numbers = (1u16..).zip(&view.power.generals);
        let here = numbers.filter(|(_, g)| g.billet == Some(billet)).map(|(n, _)| n);
        here.collect::<Vec<u16>>()
    };
    let with = |generals: &[u16]| match generals {
        [] => String::new(),
        all => count!(
            n = all.len(),
            "general {numbers}",
            "generals {numbers}",
            numbers = ranges(all.iter().copied())
        ),
    };
    let star = |here: bool| if here { "* " } else { "  " };
    let sector = |at: Place, here| format!("{}{}", star(here), sector_no(view.grid, at));
    let mut rows: Vec<ForceRow> = Vec::new();
    for (number, city) in &view.power.cities {
        let generals = led(Billet::City(*number));
        let at = sector(city.at, !generals.is_empty());
        let cells = [at, number.to_string(), String::new(), city.name.clone()];
        let shield = if city.shield { say!("missile defence") } else { String::new() };
        let comment = joined([say!("Your city"), shield, with(&generals)]);
        let cells = cells.into_iter().chain([city.level.to_string(), comment]);
        rows.push((city.at, 0, *number, cells.collect()));
    }
    rows.extend(foreign_cities(view));
    for (number, unit) in &view.power.units {
        let row = view.tables.row(unit.kind);
        let rank = rank_name(unit.rank).chars().take(1).collect();
        let generals = led(Billet::Unit(*number));
        let cells = [
            sector(unit.at, !generals.is_empty()),
            number.to_string(),
            rank,
            tongue::word(&row.name).into_owned(),
            unit.size.to_string(),
            joined([comment(view, unit), with(&generals)]),
        ];
        rows.push((unit.at, 1, *number, cells.into()));
    }
    rows.sort_by_key(|r| (r.0, r.1, r.2));
    let columns = vec![
        (format!("  {}", say!("Sector")), Align::Left),
        (say!("Number"), Align::Right),
        (say!("Rank"), Align::Left),
        (say!("Name"), Align::Left),
        (say!("Size"), Align::Right),
        (say!("Comment"), Align::Left),
    ];
    let rows = rows.into_iter().map(|r| r.3).collect();
    let blocks = vec![
        Block::Table(Table::new(columns, rows)),
        Block::Para(
            say!(
                "The size of a city is its defence level; * marks the division or city with a \
                 general. \"As of turn\" is when an older report of a city was made."
            )
            .into(),
        ),
    ];
    Section { heading: say!("Forces and cities"), blocks }
}

/// Joins the parts of a comment that are not empty.
fn joined<const N: usize>(parts: [String; N]) -> String {
    let said: Vec<String> = parts.into_iter().filter(|p| !p.is_empty()).collect();
    said.join(", ")
}

fn comment(view: &View, unit: &Unit) -> String {
    let goal = unit.goal.map(|g| match g.target {
        Target::Sector(to) => format!("A {}", sector_no(view.grid, to)),
        Target::Heading(d) => format!("A {}", d.code()),
    });
    let transit = unit.aboard.map(|_| say!("In Transit"));
    transit.into_iter().chain(goal).collect::<Vec<_>>().join(", ")
}

fn spotted(view: &View) -> Section {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let alike = |a: &&[Spotted]| (a[0].at, a[0].owner, a[0].ships);
    let mut sorted: Vec<Spotted> = view.spotted.clone();
    sorted.sort_by_key(|s| (s.at, s.owner, s.ships));
    let key = |s: &Spotted| (s.at, s.owner, s.ships);
    for group in sorted.chunk_by(|a, b| key(a) == key(b)) {
        let (at, owner, ships) = alike(&group);
        let size: u32 = group.iter().map(|s| u32::from(s.size)).sum();
        let owner = match owner {
            NOBODY if view.is_garrison(at) => say!("garrison"),
            NOBODY => say!("rebels"),
            seat if view.power.allies.contains(&seat) => say!("{seat} (ally)"),
            seat => seat.to_string(),
        };
        let what = match ships {
            true => count!(n = size, "{n} ship", "{n} ships"),
            false => count!(n = size, "{n} regiment", "{n} regiments"),
        };
        rows.push(vec![sector_no(view.grid, at), owner, what]);
    }
    let heading = say!("Spotted forces");
    if rows.is_empty() {
        return Section::list(&heading, Vec::new(), &say!("No foreign force is in sight."));
    }
    let columns = [say!("Sector"), say!("Owner"), say!("Force")].map(|name| (name, Align::Left));
    Section { heading, blocks: vec![Block::Table(Table::new(columns, rows))] }
}

/// Roads, forts, airbases and radiation that are known.
fn works(view: &View) -> Section {
    let mut alike: Vec<(String, Vec<String>)> = Vec::new();
    for place in view.sites.keys() {
        let what = maps::site_in_words(view, *place).join("; ");
        let sector = sector_no(view.grid, *place);
        match alike.iter_mut().find(|(other, _)| *other == what) {
            _ if what.is_empty() => {}
            Some((_, sectors)) => sectors.push(sector),
            None => alike.push((what, vec![sector])),
        }
    }
    let rows: Vec<Vec<String>> =
        alike.into_iter().map(|(what, sectors)| vec![what, sectors.join(", ")]).collect();
    let columns = [say!("What is there"), say!("Sectors")].map(|name| (name, Align::Left));
    let table = (!rows.is_empty()).then(|| Block::Table(Table::new(columns, rows)));
    Section { heading: say!("Works and radiation"), blocks: table.into_iter().collect() }
}

fn ratings(view: &View) -> Section {
    let s = &view.standing;
    let r = &s.own;
    let lines = vec![
        say!(
            "Your rating is {rating}, rank {rank} of {seats}.",
            rating = r.total(),
            rank = s.rank,
            seats = view.seats
        )
        .into(),
        say!(
            "Its parts: tech {tech}, forces {forces}, cities {cities}, defence levels {levels}, \
             income {income}.",
            tech = r.tech,
            forces = r.forces,
            cities = r.cities,
            levels = r.levels,
            income = r.income
        )
        .into(),
        say!(
            "In the game: best {best}, median {median}, worst {worst}.",
            best = s.best,
            median = s.median,
            worst = s.worst
        )
        .into(),
    ];
    let mut section = Section::list(&say!("Ratings"), lines, "");
    section.blocks.extend(course(view));
    section
}

/// Rating, cities and income over the turns, as charts and as a table.
fn course(view: &View) -> Vec<Block> {
    let history = &view.power.history;
    if history.is_empty() {
        return Vec::new();
    }
    let own = |of: fn(&(u16, i64, i64)) -> i64| Series {
        who: Who::Seat(Seat(view.seat)),
        tint: None,
        values: history.iter().map(of).collect(),
    };
    let chart = |title: String, series| Chart { title: Cow::Owned(title), series };
    let (best, median) = view.course.iter().copied().unzip();
    let rating = vec![
        own(|h| h.1),
        Series { who: Who::Best, tint: None, values: best },
        Series { who: Who::Median, tint: None, values: median },
    ];
    let columns = [
        say!("Turn"),
        say!("Rating"),
        say!("Best"),
        say!("Median"),
        say!("Cities"),
        say!("Income"),
    ]
    .map(|name| (name, Align::Right));
    let row = |turn: usize| {
        let (cities, rating, income) = history[turn - 1];
        let (best, median) = view.course.get(turn - 1).copied().unwrap_or_default();
        let figures = [rating, best, median, i64::from(cities)].map(|n| n.to_string());
        let turn = std::iter::once(turn.to_string());
        turn.chain(figures).chain([pp(income)]).collect::<Vec<_>>()
    };
    let rows = course_turns(history.len()).map(row).collect();
    let charts = vec![
        chart(say!("Rating"), rating),
        chart(say!("Cities"), vec![own(|h| i64::from(h.0))]),
        chart(say!("Income in PP"), vec![own(|h| h.2 / 100)]),
    ];
    vec![
        Block::Para(say!("Rating, cities and income at the end of each turn:").into()),
        Block::Table(Table::new(columns, rows)),
        Block::Charts(charts),
    ]
}

fn alliances(view: &View) -> Section {
    let allies = view.power.allies.iter().map(|&a| u16::from(a));
    let lines = match view.power.allies.is_empty() {
        true => Vec::new(),
        false => vec![say!("Your allies: {allies}.", allies = ranges(allies)).into()],
    };
    let mut lines: Vec<Line> = lines;
    if !view.coalition.is_empty() {
        let members = ranges(view.coalition.iter().map(|&m| m.into()));
        lines.push(say!("Your coalition: players {members}.").into());
    }
    let offers: Vec<u16> =
        view.power.pledges.difference(&view.coalition).map(|&p| p.into()).collect();
    if !offers.is_empty() {
        lines.push(say!("You offer a coalition to: {players}.", players = ranges(offers)).into());
    }
    Section::list(&say!("Alliances"), lines, &say!("You have declared no ally."))
}

/// The blank card: units, cities and stock, with the quick reference.
fn card(view: &View) -> Section {
    let mut lines = Vec::new();
    for (number, unit) in &view.power.units {
        let who = force(unit.size, &view.tables.row(unit.kind).name);
        let at = sector_no(view.grid, unit.at);
        lines.push(match comment(view, unit) {
            none if none.is_empty() => say!("unit {number}: {who} at {at}"),
            comment => say!("unit {number}: {who} at {at} ({comment})"),
        });
    }
    for (number, city) in &view.power.cities {
        let row = city_row(view, *number, city);
        lines.push(say!(
            "city {number} {name}: {first}, {second}, {third}",
            name = city.name,
            first = row[3],
            second = row[4],
            third = row[5]
        ));
    }
    lines.push(say!("stock: {stock} PP", stock = pp(view.power.stock)));
    lines.extend(sheets::quick_reference(&view.tables, view.power.tech));
    Section {
        heading: say!("Turn card for turn {turn}", turn = view.turn),
        blocks: vec![Block::Card(lines)],
    }
}
