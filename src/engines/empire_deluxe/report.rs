//! The printout (§18): what happened, what needs orders, maps, units by place, cities.

use std::collections::{BTreeMap, BTreeSet};

use engine::geometry::Place;
use engine::report::{Align, Block, Gap, Line, Section, Span, Table};
use engine::{Notice, Printouts, Report, Seat};
use tongue::{count, say};

use super::battles;
use super::event::{Against, Event, What};
use super::field::Field;
use super::ground::Terrain;
use super::groups::{self, Group};
use super::kinds::{Class, Kind};
use super::picture;
use super::production;
use super::stage::Stage;
use super::state::{Unit, UnitId};
use super::view::View;
use super::words;
use crate::EmpireDeluxe;

impl Printouts for EmpireDeluxe {
    fn notice(view: &View) -> Notice {
        match view.stage {
            Stage::Over(_) => Notice::Full,
            _ if view.moves() => Notice::Full,
            _ if view.events.is_empty() => Notice::None,
            _ => Notice::Brief,
        }
    }

    fn brief(view: &View, _: &str) -> Vec<Block> {
        brief(view)
    }

    fn report(view: &View, _: &str) -> Option<Report> {
        Some(report(view))
    }
}

/// The printout of a seat.
pub fn report(view: &View) -> Report {
    let field = Field::new(view.world.clone());
    let mut sections = vec![section(heading(view), vec![Block::List(state(view))])];
    let happened = happened(view);
    if !happened.is_empty() {
        sections.push(section(say!("What happened"), happened));
    }
    if view.has_letters() {
        sections.push(section(say!("Messages"), messages(view)));
    }
    if view.plays(view.seat) {
        let idle = idle(view, &field, &[]);
        sections.push(Section::list(&say!("Needs orders"), idle, &say!("Everything has orders.")));
    }
    let maps = picture::maps(view, &field).into_iter().map(Block::from).collect();
    sections.push(section(say!("Maps"), maps));
    if view.plays(view.seat) {
        let work = picture::work(view, &field).map(Block::from);
        let cities = Block::Table(cities(view, &field));
        sections.push(section(say!("Cities"), work.into_iter().chain([cities]).collect()));
        let units = units(view, &field);
        if !units.rows.is_empty() {
            sections.push(section(say!("Units"), vec![Block::Table(units)]));
        }
    }
    let foreign = foreign(view);
    if !foreign.is_empty() {
        sections.push(section(say!("Known of others"), vec![Block::List(foreign)]));
    }
    if view.moves() {
        sections.push(card(view));
    }
    let (seat, edition) = (view.seat, view.world.options.edition.localized());
    let title = say!("Player {seat} in Empire Deluxe, {edition} edition");
    Report { title, sections }
}

/// The short mail to a player who waits.
pub fn brief(view: &View) -> Vec<Block> {
    let mut blocks = vec![Block::List(state(view))];
    blocks.extend(happened(view));
    blocks.extend(messages(view));
    blocks
}

/// Letters of other players.
fn messages(view: &View) -> Vec<Block> {
    let mut blocks = Vec::new();
    for event in &view.events {
        let What::Letter(letter) = &event.what else { continue };
        let from = match letter.from {
            Some(seat) => {
                let text = say!("From player {seat} ({name}):", name = Gap(0));
                Line::filled(&text, [Span::Player(seat)])
            }
            None => say!("From somebody who is not named:").into(),
        };
        blocks.push(Block::Para(from));
        blocks.push(Block::Quote(letter.text.clone()));
    }
    blocks
}

fn section(heading: String, blocks: Vec<Block>) -> Section {
    Section { heading, blocks }
}

fn heading(view: &View) -> String {
    match view.stage {
        Stage::Over(_) => say!("The end"),
        _ if !view.plays(view.seat) => say!("You are out"),
        _ if view.moves() => say!("Your turn"),
        _ => say!("Another's turn"),
    }
}

/// The current position.
fn state(view: &View) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    match &view.stage {
        Stage::Over(Some(winner)) if *winner == view.seat => {
            lines.push(say!("You have won: nobody else is left.").into());
        }
        Stage::Over(Some(winner)) => {
            let text =
                say!("player {winner} ({name}) has won: nobody else is left.", name = Gap(0));
            lines.push(Line::filled(&text, [Span::Player(*winner)]));
        }
        Stage::Over(None) if view.seats().any(|s| view.plays(s)) => {
            let text = say!("Only computers are left, so the game ends here, and nobody has won.");
            lines.push(text.into());
        }
        Stage::Over(None) => lines.push(say!("Nobody is left.").into()),
        Stage::Sitting { seat, .. } if *seat != view.seat => {
            let text = say!("player {seat} ({name}) is to move.", name = Gap(0));
            lines.push(Line::filled(&text, [Span::Player(*seat)]));
        }
        Stage::All if !view.plays(view.seat) => {}
        Stage::Sitting { .. } | Stage::All => {
            let turn = view.world.turn;
            let turns = match view.sitting {
                0 | 1 => say!("Turn {turn}: your card is for this turn."),
                turns => say!(
                    "Turn {turn}: nobody can meet for a while, so your card is for {turns} turns. \
                     Orders begin in the first; queues go on."
                ),
            };
            lines.push(turns.into());
        }
    }
    let Some(side) = view.world.side(view.seat) else { return lines };
    let cities = view.world.cities_of(view.seat).count();
    let explored = side.known.explored() * 100 / (view.world.ground.grid.len().max(1) as u32);
    let units = side.units.len();
    lines.push(say!("Cities {cities}, units {units}, explored {explored} % of the world.").into());
    let base = production::base(&view.world, view.seat);
    if base != 100 {
        lines.push(say!("Production runs at {base} %.").into());
    }
    let left = view.world.seats().filter(|s| view.plays(*s)).count();
    lines.push(say!("Players still in: {left}.").into());
    lines
}

/// What happened: several fights over a square as panels, then lines.
fn happened(view: &View) -> Vec<Block> {
    let (cards, lines) = (battles::cards(view), lines(view));
    let cards = (!cards.is_empty()).then_some(Block::Battles(cards));
    cards.into_iter().chain((!lines.is_empty()).then_some(Block::List(lines))).collect()
}

/// The events that no panel reports, the most important first.
fn lines(view: &View) -> Vec<Line> {
    let told = |e: &&Event| match &e.what {
        What::Letter(_) | What::Sighted { .. } => false,
        _ if battles::is_told(view, e) => false,
        // The capture of a city already says that the fight was won.
        What::Fought { by, at, against: Against::City(_), won: true, kind, .. } => {
            let taken = |c: &What| matches!(c, What::Captured { by: s, at: a, .. } if (s, a) == (&by.seat, at));
            kind.class() != Class::Land
                || !view.events.iter().any(|c| c.turn == e.turn && taken(&c.what))
        }
        // These events no longer matter for units that are gone.
        What::Woken(id) | What::Stopped(id) | What::Explored(id) | What::Repaired(id) => {
            view.world.unit(*id).is_some()
        }
        _ => true,
    };
    let mut events: Vec<_> = view.events.iter().filter(told).collect();
    events.sort_by_key(|e| (words::weight(&e.what), e.turn));
    let dated = battles::is_dated(view);
    let line = |e: &&Event| match dated {
        true => {
            say!("Turn {turn}: {event}", turn = e.turn, event = words::event(view, &e.what)).into()
        }
        false => words::event(view, &e.what).into(),
    };
    // Contacts come after fights, before discoveries and finished units.
    let fights = events.iter().filter(|e| words::weight(&e.what) <= words::FIGHTS).count();
    let mut lines: Vec<Line> = events.iter().map(line).collect();
    lines.splice(fights..fights, contacts(view));
    lines
}

/// Enemies that have come into sight, by kind, at the squares where they were seen last.
pub fn in_sight(view: &View) -> BTreeMap<(Seat, Kind), BTreeSet<Place>> {
    let mut seen: BTreeMap<(Seat, Kind), BTreeSet<Place>> = BTreeMap::new();
    for event in &view.events {
        let What::Sighted { at, kind, owner } = event.what else { continue };
        // An enemy that has moved on is listed only where it is now.
        let mark = view.known().and_then(|k| k.marks.get(&at));
        if mark.is_some_and(|m| (m.kind, m.owner) == (kind, owner)) {
            seen.entry((owner, kind)).or_default().insert(at);
        }
    }
    seen
}

/// The same enemies, each kind in one line.
fn contacts(view: &View) -> Vec<Line> {
    let line = |((owner, kind), places): ((Seat, Kind), BTreeSet<Place>)| {
        let places: Vec<Place> = places.into_iter().collect();
        words::sighted(view, owner, kind, &places).into()
    };
    in_sight(view).into_iter().map(line).collect()
}

/// Units without orders and cities that build nothing, by place; without the units in `named` and
/// the cities that build something in `field`.
pub fn idle(view: &View, field: &Field, named: &[u16]) -> Vec<Line> {
    let mut places: BTreeMap<Place, Vec<String>> = BTreeMap::new();
    for (number, unit) in own(view).filter(|(n, _)| !named.contains(n)) {
        // Cargo moves with its carrier, and airbases stay.
        if unit.orders.is_empty() && unit.aboard.is_none() && unit.kind != Kind::Ab {
            let flies = view.world.ground.at(unit.at) != Terrain::City && unit.fuel > 0;
            let (what, fuel) = (format!("{} {number}", unit.kind.code()), unit.fuel);
            let what = if flies { say!("{what} (fuel {fuel})") } else { what };
            places.entry(unit.at).or_default().push(what);
        }
    }
    for at in view.world.cities_of(view.seat) {
        let before = view.world.city(at).is_some_and(|c| c.list.is_empty());
        if before && field.world.city(at).is_some_and(|c| c.list.is_empty()) {
            places.entry(at).or_default().push(say!("builds nothing"));
        }
    }
    let line = |(at, what): (Place, Vec<String>)| {
        format!("{}: {}", words::place(view, at), what.join(", ")).into()
    };
    places.into_iter().map(line).collect()
}

fn own(view: &View) -> impl Iterator<Item = (u16, &Unit)> {
    let side = view.world.side(view.seat);
    side.into_iter().flat_map(|s| s.units.iter()).map(|(n, u)| (*n, u))
}

fn cities(view: &View, field: &Field) -> Table {
    let base = production::base(&view.world, view.seat);
    let advanced = view.world.options.advanced();
    let row = |at: Place| {
        let city = view.world.city(at)?;
        let builds = match city.list.first() {
            None => say!("nothing"),
            Some(kind) => {
                let time = production::time(&view.world, city, *kind, base);
                format!("{} {}/{time}", kind.code(), city.done)
            }
        };
        let end = city.ends.then_some("NO");
        let after: Vec<&str> = city.list.iter().skip(1).map(|k| k.code()).chain(end).collect();
        let mut cells = vec![
            view.known()?.cities.get(&at)?.number.to_string(),
            view.world.ground.called(at),
            view.known()?.names.get(&at).cloned().unwrap_or_default(),
            builds,
            after.join(" "),
            field.inside(at).len().to_string(),
            words::queue(&view.world.ground, &city.rally),
        ];
        if advanced {
            cells.push(format!("{} %", city.efficiency));
            cells.push(city.speciality.map(|k| k.code().to_owned()).unwrap_or_default());
        }
        Some(cells)
    };
    let mut columns = vec![
        (say!("City"), Align::Right),
        (say!(square: "At"), Align::Left),
        (say!("Name"), Align::Left),
        (say!("Builds"), Align::Left),
        (say!(column: "Then"), Align::Left),
        (say!("Units"), Align::Right),
        (say!("New units"), Align::Left),
    ];
    if advanced {
        columns.extend([(say!("Efficiency"), Align::Right), (say!("Best at"), Align::Left)]);
    }
    slim(columns, view.world.cities_of(view.seat).filter_map(row).collect())
}

/// A table without its empty columns.
fn slim(columns: Vec<(String, Align)>, rows: Vec<Vec<String>>) -> Table {
    if rows.is_empty() {
        return Table::new(columns, rows);
    }
    let used = |n: &usize| rows.iter().any(|row| row.get(*n).is_some_and(|cell| !cell.is_empty()));
    let kept: Vec<usize> = (0..columns.len()).filter(used).collect();
    let rows = rows.iter().map(|row| kept.iter().map(|n| row[*n].clone()).collect()).collect();
    Table::new(kept.iter().map(|n| columns[*n].clone()), rows)
}

/// The cells of a unit in the table of units, after its number.
fn unit_cells(view: &View, field: &Field, number: u16, unit: &Unit) -> Vec<String> {
    let id = UnitId { seat: view.seat, number };
    let figure = view.world.options.figure(unit.kind);
    let load = match (field.places(id), unit.quota) {
        (Some(places), None) => format!("{}/{places}", field.taken(id)),
        (Some(places), Some(most)) => {
            say!("{taken}/{places}, takes {most}", taken = field.taken(id))
        }
        (None, _) if unit.kind.carries() => field.cargo(id).len().to_string(),
        (None, _) => unit.aboard.map(|n| say!(carrier: "in {n}")).unwrap_or_default(),
    };
    let most = figure.map_or(0, |f| f.damage);
    vec![
        unit.kind.code().to_owned(),
        unit.name.clone(),
        view.world.ground.called(unit.at),
        match unit.damage {
            0 => String::new(),
            hits => say!("{hits} of {most}"),
        },
        unit.left.to_string(),
        if figure.is_some_and(|f| f.range > 0) { unit.fuel.to_string() } else { String::new() },
        load,
        match unit.orders.is_empty() {
            true if unit.aboard.is_none() && unit.kind != Kind::Ab => say!("needs orders"),
            _ => words::queue(&view.world.ground, &unit.orders),
        },
    ]
}

/// Units by group: those at a front, those in a city, the others; units aboard follow their
/// carrier.
fn units(view: &View, field: &Field) -> Table {
    let ground = &view.world.ground;
    let middles = view.known().map(|k| groups::middles(k, ground.grid)).unwrap_or_default();
    let group = |unit: &Unit| groups::of(unit, &middles, ground);
    let called = |group: Group| match group {
        Group::Front(front) => say!("front {front}"),
        Group::City(at) => {
            let number = view.known().and_then(|k| Some(k.cities.get(&at)?.number));
            number.map_or_else(String::new, |n| say!("city {n}"))
        }
        Group::Land => say!("on land"),
        Group::Sea => say!("at sea"),
        Group::Air => say!("in the air"),
    };
    let mut all: Vec<(u16, &Unit)> = own(view).filter(|(_, u)| u.aboard.is_none()).collect();
    all.sort_by_key(|(number, unit)| (group(unit), *number));
    // Units with equal cells share a row, except carriers, because their cargo follows them.
    let mut rows: Vec<(Group, Vec<u16>, Vec<String>)> = Vec::new();
    for (number, unit) in all {
        let group = group(unit);
        let cargo = field.cargo(UnitId { seat: view.seat, number });
        let cargo = cargo.iter().filter_map(|n| {
            field.unit(UnitId { seat: view.seat, number: *n }).map(|unit| (*n, unit))
        });
        for (number, unit) in [(number, unit)].into_iter().chain(cargo) {
            let cells = unit_cells(view, field, number, unit);
            let same = rows.iter_mut().rev().take_while(|row| row.0 == group);
            match same.into_iter().find(|row| !unit.kind.carries() && row.2 == cells) {
                Some(row) => row.1.push(number),
                None => rows.push((group, vec![number], cells)),
            }
        }
    }
    let mut last = None;
    let row = |(group, numbers, cells): (Group, Vec<u16>, Vec<String>)| {
        // The name of a group appears once.
        let head = if last == Some(group) { String::new() } else { called(group) };
        last = Some(group);
        [vec![head, words::spans(&numbers)], cells].concat()
    };
    let rows: Vec<Vec<String>> = rows.into_iter().map(row).collect();
    let right = |name: String| (name, Align::Right);
    let left = |name: String| (name, Align::Left);
    let columns = vec![
        left(say!("Where")),
        right(say!("Unit")),
        left(say!("Kind")),
        left(say!("Name")),
        left(say!(square: "At")),
        right(say!("Damage")),
        right(say!(units: "Steps")),
        right(say!("Fuel")),
        right(say!("Load")),
        left(say!("Orders")),
    ];
    slim(columns, rows)
}

/// Cities and units of others.
fn foreign(view: &View) -> Vec<Line> {
    let Some(known) = view.known() else { return Vec::new() };
    let turn = view.world.turn;
    let mut lines: Vec<Line> = Vec::new();
    for (at, city) in known.cities.iter().filter(|(_, c)| c.owner != Some(view.seat)) {
        let (at, turn) = (words::place(view, *at), city.turn);
        let told = match (city.owner, city.manned) {
            (Some(owner), false) => say!("{at}: player {owner}'s, seen in turn {turn}."),
            (Some(owner), true) => {
                say!("{at}: player {owner}'s, units inside, seen in turn {turn}.")
            }
            (None, false) => say!("{at}: nobody's, seen in turn {turn}."),
            (None, true) => say!("{at}: nobody's, units inside, seen in turn {turn}."),
        };
        lines.push(told.into());
    }
    for (at, mark) in &known.marks {
        let (kind, owner, at) = (mark.kind.localized(), mark.owner, view.world.ground.called(*at));
        let seen = match turn.saturating_sub(mark.turn) {
            _ if mark.here => say!("in sight"),
            0 => say!("seen this turn"),
            n => count!(n, "seen {n} turn ago", "seen {n} turns ago"),
        };
        let told = match mark.laden {
            true => say!("{kind} of player {owner} at {at}, laden: {seen}."),
            false => say!("{kind} of player {owner} at {at}: {seen}."),
        };
        lines.push(told.into());
    }
    lines
}

/// The blank card, with orders that this seat could send.
fn card(view: &View) -> Section {
    let mut hints = vec![say!("you are player {seat}", seat = view.seat)];
    let mut hint = |form: String, example: String| {
        hints.push(say!("{form:<34} such as  {example}"));
    };
    let foot = view.world.options.edition.foot().code();
    if let Some(at) = view.world.cities_of(view.seat).next()
        && let Some(number) = view.known().and_then(|k| Some(k.cities.get(&at)?.number))
    {
        hint(say!("P city kind ..."), format!("P {number} {foot}"));
        hint(say!("Z city order THEN order ..."), format!("Z {number} E"));
    }
    if let Some((number, unit)) = own(view).next() {
        let grid = view.world.ground.grid;
        let to = grid.near(unit.at).find(|p| view.world.ground.at(*p).takes(unit.kind));
        let to = view.world.ground.called(to.unwrap_or(unit.at));
        hint(say!("M units x,y"), format!("M {number} {to}"));
        hint(say!("A units x,y"), format!("A {number} {to}"));
        hint(say!("E units"), format!("E {number}"));
        hint(say!("S units"), format!("S {number}"));
    }
    let parts = match &view.stage {
        Stage::Sitting { part, .. } => *part < view.world.options.parts,
        _ => false,
    };
    if parts {
        hint("MORE".to_owned(), "MORE".to_owned());
    }
    hint("CLOSE".to_owned(), "CLOSE".to_owned());
    section(say!("Your card"), vec![Block::Card(hints)])
}
