//! The echo's promises come true: cards of all kinds of orders, in right and slightly wrong forms,
//! of a seat that has a world of islands almost to itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::geometry::Place;
use engine::report::{Block, Span};
use engine::{BySeat, CardText, Cards, Dice, JudgedLine, Judgement, Mark, Rules, Seat};
use warlord::Warlord;
use warlord::bases::BaseNo;
use warlord::events::{Event, Happening};
use warlord::orders::sector_no;
use warlord::state::{BOMBER, FIGHTER, JET, MISSILE, State, Unit, WARHEAD, is_land};
use warlord::works::{Site, Works};

use super::board::{Board, ENGINEER, TRANSPORT, input};
use super::chance::Chance;

/// Items that a city can build, walls and halts too.
const ITEMS: [u8; 21] =
    [1, 2, 3, 4, 5, 9, 10, 13, 15, 18, 19, 20, 21, 22, 23, 24, 25, 26, 31, 34, 36];
/// Kinds of divisions and flotillas.
const KINDS: [u8; 20] = [1, 1, 2, 2, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 13, 13, 13, 15, 15, 17];
/// Signs of grounds.
const LAND: [char; 12] = ['.', '.', '.', ',', ':', 'm', 'n', '_', 'f', 's', '^', '.'];

/// A small world of islands that one seat has almost to itself.
fn world(chance: &mut Chance, dark: bool) -> State {
    const COLS: usize = 24;
    const ROWS: usize = 10;
    let sea: Vec<bool> = (0..COLS * ROWS / 4).map(|_| chance.below(10) < 4).collect();
    let mut drawing = String::new();
    let mut spots = ('A'..='J').peekable();
    for row in 0..ROWS {
        for col in 0..COLS {
            let land = *chance.of(&LAND);
            let sign = if sea[row / 2 * COLS / 2 + col / 2] { '~' } else { land };
            let spot = chance.one_in(18).then(|| spots.next()).flatten();
            drawing.push(spot.unwrap_or(sign));
        }
        drawing.push('\n');
    }
    let mut board = Board::new(2, &drawing);
    let last = *spots.peek().unwrap_or(&'K');
    for (number, spot) in (1..).zip('A'..last) {
        let holder = if number % 3 == 0 { 2 } else { 1 };
        board = board.city(number, holder, spot).level(number, chance.below(5) as u8).planes(
            number,
            chance.below(6) as u16,
            chance.below(9) as u16,
        );
    }
    let mut state = board.state;
    let places: Vec<Place> = state.grid().places().collect();
    for _ in 0..3 {
        let at = *chance.of(&places);
        let taken = state.world.cities.contains(&at) || state.world.ruins.contains(&at);
        if !state.world.is_sea(at) && !taken {
            Arc::make_mut(&mut state.world).ruins.push(at);
            state.ruin_finds.push(0);
        }
    }
    people(&mut state, chance);
    let grid = state.grid();
    let power = &mut state.powers[1];
    power.stock = chance.below(9000) as i64;
    power.tech = 1 + chance.below(10) as u8;
    for city in power.cities.values_mut() {
        city.hangar.planes.jets = chance.below(4) as u16;
        city.hangar.missiles = chance.below(6) as u16;
        city.hangar.warheads = chance.below(3) as u16;
    }
    if dark {
        power.explored.iter_mut().for_each(|b| *b = 0);
        let units = power.units.values().map(|u| u.at);
        let seen: Vec<Place> = units.chain(power.cities.values().map(|c| c.at)).collect();
        seen.iter().flat_map(|at| grid.within(*at, 2)).for_each(|p| {
            power.explore(p);
        });
    }
    state
}

/// Gives the first seat units of all kinds, ships at the coast, some of them side by side.
fn people(state: &mut State, chance: &mut Chance) {
    let (grid, tables) = (state.grid(), Arc::clone(&state.tables));
    let cities = state.world.cities.clone();
    let all: Vec<Place> = grid.places().filter(|p| !cities.contains(p)).collect();
    let quay = |p: &Place| {
        state.world.is_sea(*p) && grid.neighbours(*p).any(|(_, q)| !state.world.is_sea(q))
    };
    let quays: Vec<Place> = all.iter().copied().filter(quay).collect();
    for no in 1..=22 {
        let kind = *chance.of(&KINDS);
        let class = tables.row(kind).class;
        let places = if is_land(class) { &all } else { &quays };
        if places.is_empty() {
            continue;
        }
        let at = *chance.of(places);
        let at = match (chance.one_in(3), state.powers[1].units.values().last()) {
            (true, Some(last)) => last.at,
            _ => at,
        };
        let stands = match is_land(class) {
            true => state.tables.land_cost(class, state.world.ground(at)).is_some(),
            false => state.world.is_sea(at),
        };
        if stands {
            let size = 1 + chance.below(6) as u16;
            let unit = Unit { kind, at, size, rank: 0, aboard: None, goal: None };
            state.powers[1].units.insert(no, unit);
            state.powers[1].deck(&tables, no);
        }
    }
}

/// Writes a card of all kinds of orders; many of them compete.
struct Writer<'a> {
    state: &'a State,
    chance: &'a mut Chance,
    lines: Vec<String>,
}

impl Writer<'_> {
    fn near(&mut self, at: Place, reach: u64) -> String {
        let grid = self.state.grid();
        let mut aside = || self.chance.below(2 * reach + 1) as i32 - reach as i32;
        let (dx, dy) = (aside(), aside());
        sector_no(grid, grid.at(grid.col(at) + dx, grid.row(at) + dy).unwrap_or(at))
    }

    fn unit(&mut self, no: u16, unit: &Unit) {
        let grid = self.state.grid();
        let power = &self.state.powers[1];
        let goal = self.near(unit.at, 6);
        let here = sector_no(grid, unit.at);
        let chance = &mut *self.chance;
        let steps = 1 + chance.below(7);
        let digits: String = (0..steps).map(|_| chance.below(9).to_string()).collect();
        let is_ship = |at: Place| power.units.values().any(|u| u.at == at && u.kind == TRANSPORT);
        let ship = grid.neighbours(unit.at).find(|(_, p)| is_ship(*p));
        self.lines.push(match (chance.below(16), ship) {
            (0..=2, _) => format!("M {no} {digits}"),
            (3..=5, _) => format!("A {no} {goal}"),
            (6, Some((way, _))) => format!("M {no} {}{}", way.code(), chance.below(9)),
            (7, Some((_, at))) => format!("A {no} {}", sector_no(grid, at)),
            (6 | 7, None) => format!("A {no} {}", 1 + chance.below(8)),
            (8, _) => format!("M {here} {digits}"),
            (9, _) => format!("A {here} {goal}"),
            (10, _) => format!("L {no} {}", chance.below(2) * chance.below(22)),
            (11, _) => format!("S {no} {}", 1 + chance.below(3)),
            (12 | 13, _) => format!("K {no} {}", 1 + chance.below(6)),
            _ => return,
        });
        if unit.kind == ENGINEER && chance.one_in(2) {
            self.lines.push(format!("K {no} {}", 2 + chance.below(4)));
        }
    }

    fn city(&mut self, number: u16, at: Place) {
        let power = &self.state.powers[1];
        let goal = self.near(at, 6);
        let chance = &mut *self.chance;
        let (n, other) = (chance.below(4), 1 + chance.below(8));
        let ship = power.decks.keys().nth(chance.below(3) as usize).copied().unwrap_or(1);
        let flyer = power.units.iter().find(|(_, u)| u.at == at).map_or(3, |(no, _)| *no);
        self.lines.push(match chance.below(12) {
            0 => format!("B {n} {goal}"),
            1 => format!("O {} {goal}", 1 + n),
            2 => format!("W {number} {n}"),
            3 => format!("E {n}"),
            4 => format!("I {} {n}", 1 + chance.below(2)),
            5 => format!("R {} {goal}", 1 + n),
            6 => format!("V {flyer} {other}"),
            7 => format!("F {number} {other} {n}1"),
            8 => format!("F {number} S{ship} {}{n}", 2 * n),
            9 => format!("F {number} S{ship} M{}", 1 + 2 * n),
            10 => format!("F S{ship} {number} 11"),
            _ => format!("P {} {flyer}", 1 + n),
        });
        for _ in 0..chance.below(3) {
            self.lines.push(format!("C {number} {}", chance.of(&ITEMS)));
        }
    }

    fn card(mut self) -> String {
        let power = &self.state.powers[1];
        power.units.iter().for_each(|(no, unit)| self.unit(*no, unit));
        power.cities.iter().for_each(|(number, city)| self.city(*number, city.at));
        // Some cards are short.
        let most = if self.chance.one_in(2) { 4 } else { 40 };
        while self.lines.len() > most {
            let n = self.chance.below(self.lines.len() as u64) as usize;
            self.lines.remove(n);
        }
        self.lines.join("\n")
    }
}

/// A card, its echo, and its result.
struct Trial<'a> {
    before: &'a State,
    card: &'a str,
    judged: &'a Judgement,
    after: &'a State,
    events: &'a [Happening],
}

/// How often each kind of promise was checked.
#[derive(Debug, Default)]
struct Count {
    errors: u32,
    lines: u32,
    works: u32,
    marches: u32,
    idle: u32,
    bases: u32,
    arrivals: u32,
    deliveries: u32,
}

/// A turn for which only the first seat has sent a card.
fn step(state: &State, card: &str, seed: u64) -> (State, Vec<Happening>) {
    let cards: BySeat<CardText> = [(Seat(1), CardText::new(card))].into();
    let done = Warlord::step(state.clone(), &input(&cards), &mut Dice::new(seed));
    (State { over: None, ..done.state }, done.events)
}

fn heard(events: &[Happening]) -> impl Iterator<Item = &Event> {
    events.iter().filter(|h| h.to.contains(&1)).map(|h| &h.event)
}

/// Whether somebody was met.
fn met(events: &[Happening]) -> bool {
    heard(events).any(|e| {
        matches!(
            e,
            Event::Battle { .. }
                | Event::CityAssault { .. }
                | Event::CityTaken { .. }
                | Event::Retreated { .. }
                | Event::Lost { .. }
        )
    })
}

/// The units that a part of a note names, and the text about them.
fn named(part: &str) -> Option<(Vec<u16>, &str)> {
    let rest = part.strip_prefix("unit ").or_else(|| part.strip_prefix("units "))?;
    let (who, what) = rest.split_once(": ")?;
    // After the number of a single unit comes its kind.
    let range = |word: &str| {
        let (a, b) = word.split_once('-').unwrap_or((word, word));
        Some(a.parse::<u16>().ok()?..=b.parse::<u16>().ok()?)
    };
    Some((who.split(", ").map_while(range).flatten().collect(), what))
}

fn number(text: &str, before: &str) -> Option<u32> {
    let rest = text.split_once(before)?.1;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// Whether the words make a promise depend on something else.
fn hangs(what: &str) -> bool {
    ["unless ", "only if ", "if a ship", "if the unexplored", "at the earliest", "lands from there"]
        .iter()
        .any(|word| what.contains(word))
}

#[test]
fn what_the_echo_says_of_generated_cards_comes_true() {
    let mut count = Count::default();
    for game in 1..=60 {
        let mut chance = Chance(game);
        let mut state = world(&mut chance, game % 3 == 0);
        let mut events = Vec::new();
        for turn in 0..4 {
            let card = Writer { state: &state, chance: &mut chance, lines: Vec::new() }.card();
            let view = Warlord::view(&state, &events, Seat(1));
            let judged = Warlord::judge(&view, &CardText::new(&card), 0);
            let seed = 10 * game + turn;
            let (after, told) = step(&state, &card, seed);
            let trial = Trial {
                before: &state,
                card: &card,
                judged: &judged,
                after: &after,
                events: &told,
            };
            trial.errors_do_nothing(&mut count, seed);
            trial.the_desk_says_the_same(&mut count);
            trial.works_are_as_told(&mut count);
            trial.the_stock_is_as_told();
            trial.planes_are_where_they_are_told_to_be(&mut count);
            trial.marches_end_as_told(&mut count);
            trial.what_takes_turns_comes_in_time(&mut count, seed);
            (state, events) = (after, told);
            state.powers[1].stock += chance.below(3000) as i64;
        }
    }
    let enough = count.errors > 100
        && count.lines > 1500
        && count.works > 10
        && count.marches > 150
        && count.idle > 1000
        && count.bases > 300
        && count.arrivals > 150
        && count.deliveries > 200;
    assert!(enough, "{count:?}");
}

impl Trial<'_> {
    /// The text of a message of failure.
    fn shown(&self) -> String {
        let line = |l: &JudgedLine| format!("  {} {} {:?}: {}\n", l.line, l.text, l.mark, l.note);
        let lines: String = self.judged.lines.iter().map(line).collect();
        let items: String = self.items().iter().map(|i| format!("  * {i}\n")).collect();
        let events = heard(self.events).map(|e| format!("  > {e:?}\n"));
        let units = self.before.powers[1].units.iter().map(|u| format!("  {u:?}\n"));
        format!("{lines}{items}{}{}", events.collect::<String>(), units.collect::<String>())
    }

    /// The lines of the forecast.
    fn items(&self) -> Vec<String> {
        let blocks = self.judged.forecast.iter().flat_map(|s| &s.blocks);
        let lines = blocks.filter_map(|b| match b {
            Block::List(lines) => Some(lines),
            _ => None,
        });
        let text = |s: &Span| match s {
            Span::Plain(text) => text.clone(),
            other => format!("{other:?}"),
        };
        lines.flatten().map(|l| l.0.iter().map(text).collect()).collect()
    }

    fn right(&self, letter: &str) -> impl Iterator<Item = &JudgedLine> {
        let letter = format!("{letter} ");
        self.judged.lines.iter().filter(move |l| l.mark == Mark::Ok && l.text.starts_with(&letter))
    }

    /// Without its lines in error a card does the same.
    fn errors_do_nothing(&self, count: &mut Count, seed: u64) {
        let wrong = |n: u32| self.judged.lines.iter().any(|l| l.line == n && l.mark == Mark::Error);
        let lines = (1..).zip(self.card.lines());
        let right: Vec<&str> = lines.map(|(n, l)| if wrong(n) { "#" } else { l }).collect();
        let (other, _) = step(self.before, &right.join("\n"), seed);
        assert!(other.powers[1] == self.after.powers[1], "{}", self.shown());
        count.errors += self.judged.count(Mark::Error) as u32;
    }

    /// Every order other than movement has the same answer in the turn; only the echo shows the
    /// effects of lines on each other, and the joint result of engineers.
    fn the_desk_says_the_same(&self, count: &mut Count) {
        for event in heard(self.events) {
            let Event::Line { line, text, mark, note } = event else { continue };
            let told = self.judged.lines.iter().find(|l| l.line == *line).expect("its echo");
            // The turn adds the present places of units, the echo the later ones.
            if !text.starts_with(['A', 'M', 'O']) {
                let is = (Mark::of(*mark), note);
                let warns = told.mark == Mark::Warning && is.0 == Mark::Ok;
                let works = text.starts_with('K') && told.mark == is.0;
                let same = is.0 == told.mark && told.note.starts_with(&*note.localized());
                assert!(same || warns || works, "{is:?}\n{}", self.shown());
                count.lines += 1;
            }
        }
    }

    fn works_are_as_told(&self, count: &mut Count) {
        for told in self.right("K") {
            let Some(promised) = number(&told.note, "move: ") else { continue };
            let unit = number(&told.text, "K ").expect("a unit") as u16;
            let worked = |e: &Event| matches!(e, Event::Worked { unit: u, .. } if *u == unit);
            assert!(met(self.events) || heard(self.events).any(worked), "{}", self.shown());
            let Some(now) = self.after.powers[1].units.get(&unit) else { continue };
            let works = self.after.works.get(&now.at).copied().unwrap_or_default();
            let site = self.after.site(now.at);
            let (done, points) = match told.note.split(' ').nth(3) {
                Some("road") => (works.road, works.road_points),
                Some("fort") => (works.fort, works.fort_points),
                _ => (site.base.is_some(), works.base_points),
            };
            let whole = told.note.contains(&format!("{promised} of {promised} points"));
            let is = if done { whole } else { u32::from(points) == promised };
            assert!(met(self.events) || is, "unit {unit}\n{}", self.shown());
            count.works += 1;
        }
    }

    fn the_stock_is_as_told(&self) {
        let told = self.items().into_iter().find_map(|l| {
            let stock = l.strip_prefix("Stock after this card: ")?.strip_suffix(" PP")?.to_owned();
            let (whole, part) = stock.split_once('.').unwrap_or((&stock, "00"));
            Some(whole.parse::<i64>().ok()? * 100 + part.parse::<i64>().ok()?)
        });
        let income = heard(self.events).find_map(|e| match e {
            Event::Income { cities, sectors } => Some(cities + sectors),
            _ => None,
        });
        let left = heard(self.events).find_map(|e| match e {
            Event::Ledger { found, closing, .. } => Some(closing - found - income.unwrap_or(0)),
            _ => None,
        });
        assert_eq!(told, left, "{}", self.shown());
    }

    /// A base has the planes that it keeps and those that come to it, if none flies missions from
    /// which it comes back.
    fn planes_are_where_they_are_told_to_be(&self, count: &mut Count) {
        let flies = |l: &str| l.starts_with(['B', 'O', 'V']);
        let items = self.items();
        let crowded = |i: &String| i.contains("that find no place");
        if met(self.events) || self.card.lines().any(flies) || items.iter().any(crowded) {
            return;
        }
        for (base, _, hangar) in self.after.powers[1].bases() {
            let kept = items.iter().find_map(|l| {
                l.strip_prefix(&format!("airbase {base} keeps ")).map(|k| k.replace(" and ", ", "))
            });
            let kept = kept.unwrap_or_default();
            let told = |word: &str| {
                let mut parts = kept.split(", ").filter(|p| !p.ends_with("on watch"));
                let n = parts.find_map(|p| p.trim_end_matches('s').strip_suffix(word));
                n.and_then(|n| n.trim().parse::<u16>().ok()).unwrap_or(0)
            };
            let mut sum = ["fighter", "jet", "bomber", "missile", "warhead"].map(told);
            for (n, more) in sum.iter_mut().zip(self.come(base)) {
                *n += more;
            }
            let planes = hangar.planes;
            let planes = [planes.fighters, planes.jets, planes.bombers];
            let is = [planes[0], planes[1], planes[2], hangar.missiles, hangar.warheads];
            // Missiles without a free tube stay.
            let tubes = |l: &JudgedLine| l.note.contains("tubes free");
            if !self.judged.lines.iter().any(tubes) {
                assert_eq!(sum, is, "airbase {base}\n{}", self.shown());
                count.bases += 1;
            }
        }
    }

    /// Planes and missiles that come to a base in the turn.
    fn come(&self, base: BaseNo) -> [u16; 5] {
        let mut come = [0; 5];
        for event in heard(self.events) {
            match event {
                Event::Ferried { to, planes, missiles, .. } if *to == base => {
                    let planes = [planes.fighters, planes.jets, planes.bombers];
                    let all = [planes[0], planes[1], planes[2], missiles.0, missiles.1];
                    come.iter_mut().zip(all).for_each(|(n, more)| *n += more);
                }
                Event::PlaneBuilt { city, kind } | Event::ArmsBuilt { city, kind }
                    if BaseNo::Land(*city) == base =>
                {
                    let kinds = [FIGHTER, JET, BOMBER, MISSILE, WARHEAD];
                    if let Some(n) = kinds.iter().position(|k| k == kind) {
                        come[n] += 1;
                    }
                }
                _ => {}
            }
        }
        come
    }

    /// A unit before and after the turn.
    fn both(&self, no: u16) -> Option<(&Unit, &Unit)> {
        let of = |s: &'_ State| s.powers[1].units.contains_key(&no);
        (of(self.before) && of(self.after))
            .then(|| (&self.before.powers[1].units[&no], &self.after.powers[1].units[&no]))
    }

    fn marches_end_as_told(&self, count: &mut Count) {
        if met(self.events) {
            return;
        }
        let grid = self.before.grid();
        let lines = self.judged.lines.iter().filter(|l| l.text.starts_with("M "));
        for (units, what) in lines.flat_map(|l| l.note.split("; ")).filter_map(named) {
            for no in units.into_iter().filter(|_| !hangs(what)) {
                let Some((was, is)) = self.both(no) else { continue };
                let end = match what.split_once("ends at ") {
                    Some((_, end)) => end.chars().take(5).collect(),
                    None => sector_no(grid, was.at),
                };
                assert_eq!(sector_no(grid, is.at), end, "unit {no}\n{}", self.shown());
                let aboard = number(what, "aboard unit ").map(|n| n as u16);
                let in_port = self.after.powers[1].city_at(is.at).is_some();
                let right = in_port || aboard.is_none_or(|ship| is.aboard == Some(ship));
                assert!(right && !(what.contains("ashore") && is.aboard.is_some()), "unit {no}");
                count.marches += 1;
            }
        }
        let items = self.items();
        let idle = items.iter().find_map(|l| l.strip_prefix("units without orders: "));
        let idle = idle.map(|l| format!("units {l}: idle")).unwrap_or_default();
        for no in named(&idle).map(|n| n.0).unwrap_or_default() {
            let Some((was, is)) = self.both(no) else { continue };
            // A new unit may have taken the number of one that was linked.
            if was.kind == is.kind && was.aboard.is_none() && !self.card.contains("S ") {
                assert_eq!(was.at, is.at, "unit {no}\n{}", self.shown());
                count.idle += 1;
            }
        }
    }

    /// The goals of advances and the turns of arrival.
    fn advances(&self) -> Vec<(u16, String, u32)> {
        let lines = self.judged.lines.iter().filter(|l| l.text.starts_with("A "));
        let notes = lines.map(|l| l.note.clone()).chain(self.items());
        let mut promises = Vec::new();
        for note in notes.filter(|n| !n.starts_with("units without")) {
            for (units, what) in note.split("; ").filter_map(named) {
                let to = what.split_once("reaches ").or_else(|| what.split_once("goes to "));
                let turn = number(what, "in turn ").filter(|_| !hangs(what));
                if let (Some((_, to)), Some(turn)) = (to, turn) {
                    let to: String = to.chars().take(5).collect();
                    promises.extend(units.iter().map(|no| (*no, to.clone(), turn)));
                }
            }
        }
        promises
    }

    /// Without further cards units arrive, and cities deliver, in the turn of the forecast.
    fn what_takes_turns_comes_in_time(&self, count: &mut Count, seed: u64) {
        let grid = self.before.grid();
        let mut advances = self.advances();
        let ready = self.right("C").filter_map(|l| {
            Some((number(&l.text, "C ")? as u16, number(&l.note, "end of turn ")?))
        });
        let ready: BTreeSet<(u16, u32)> = ready.collect();
        let (mut now, mut events) = (self.after.clone(), self.events.to_vec());
        for ahead in 0..4 {
            if met(&events) {
                return;
            }
            let turn = self.before.turn + ahead;
            advances.retain(|(no, to, when)| {
                let Some(unit) = now.powers[1].units.get(no) else { return false };
                let there = sector_no(grid, unit.at) == *to;
                let shown = || format!("unit {no} in turn {turn}\n{}", self.shown());
                assert!(there == (turn == *when) || turn > *when, "{}", shown());
                count.arrivals += u32::from(there);
                !there
            });
            for (number, _) in ready.iter().filter(|(_, when)| *when == turn) {
                let delivers = |e: &Event| match e {
                    Event::Built { city, .. }
                    | Event::PlaneBuilt { city, .. }
                    | Event::ArmsBuilt { city, .. }
                    | Event::LevelsBuilt { city, .. } => city == number,
                    _ => false,
                };
                let shown = || format!("city {number} in turn {turn}\n{}", self.shown());
                assert!(heard(&events).any(delivers), "{}", shown());
                count.deliveries += 1;
            }
            (now, events) = step(&now, "", seed + 1000 + u64::from(ahead));
        }
    }
}

/// Notes of the lines of a card.
fn notes(board: &Board, card: &str) -> Vec<String> {
    board.judge(1, card).lines.into_iter().map(|l| l.note).collect()
}

#[test]
fn who_goes_aboard_is_told_what_it_hangs_on() {
    let board = Board::new(1, "AB~~\nCD~~\n~~~~\n")
        .unit(1, 1, (5, 1), 'B')
        .unit(1, 2, (6, 3), 'D')
        .unit(1, 3, (1, TRANSPORT), 'A');
    let mut board = board;
    let at = board.state.grid().at(2, 0).expect("the sea");
    board.state.powers[1].units.get_mut(&3).expect("the ship").at = at;
    // Nobody else comes, and the ship stays.
    assert!(notes(&board, "M 1 3")[0].ends_with("ends at 00301 (sea) aboard unit 3"));
    assert!(notes(&board, "A 1 00301")[0].ends_with("in turn 1 and goes aboard there"));
    // Five regiments and six regiments of tanks are too many for one transport.
    let both = notes(&board, "M 1 3\nM 2 2");
    let hangs = "from step 1 only if a ship of yours with room is at 00301 (sea) by then";
    assert!(both.iter().all(|n| n.ends_with(hangs)), "{both:?}");
    // A unit that steps over from a ship beside it counts as well.
    let mut beside = board.clone().unit(1, 4, (1, TRANSPORT), 'A').unit(1, 5, (6, 3), 'B');
    let east = beside.state.grid().at(3, 0).expect("the sea");
    let units = &mut beside.state.powers[1].units;
    units.get_mut(&4).expect("the ship").at = east;
    let aboard = units.get_mut(&5).expect("the tanks");
    (aboard.at, aboard.aboard) = (east, Some(4));
    let over = notes(&beside, "M 1 3\nM 5 7");
    assert!(over.iter().all(|n| n.ends_with(hangs)), "{over:?}");
    // It may have sailed.
    let gone = notes(&board, "A 1 00301\nM 3 3");
    assert!(gone[0].ends_with("if a ship of yours with room is there then"), "{gone:?}");
    // The transport could never hold so many.
    board.state.powers[1].units.get_mut(&2).expect("the tanks").size = 9;
    let full = notes(&board, "M 2 2");
    assert!(full[0].contains("no ship of yours at 00301 (sea) has room for it"), "{full:?}");
}

#[test]
fn engineers_in_one_sector_are_counted_together() {
    let board = Board::new(1, "AB").unit(1, 1, (4, ENGINEER), 'A').unit(1, 2, (1, ENGINEER), 'A');
    let board = board.unit(1, 3, (3, ENGINEER), 'A').tech(1, 10).stock(1, 50);
    let five = "works on a fort and does not move: 5 of 6 points after this turn";
    assert_eq!(notes(&board, "K 2 3\nK 1 3"), [five, five]);
    let done = notes(&board, "K 1 2\nK 2 2");
    let road = "works on a road and does not move: 2 of 2 points after this turn";
    assert_eq!(done, [road, "nothing is left for unit 2 to do there in this turn"]);
    let mut board = board;
    let site = Site { works: Works { road: true, ..Works::default() }, ..Site::default() };
    let at = board.spot('A');
    board.state.powers[1].sites.insert(at, site);
    let gone = notes(&board, "K 1 3\nK 2 5\nK 3 5");
    assert!(
        gone[0].contains("0 of 6 points") && gone[2].starts_with("nothing is left"),
        "{gone:?}"
    );
}

#[test]
fn a_construction_that_a_line_below_drops_is_told_so() {
    let board = Board::new(1, "A").city(1, 1, 'A').stock(1, 50);
    let judged = board.judge(1, "C 1 1\nC 1 1\nC 1 3\nC 1 4");
    let dropped = &judged.lines[2];
    assert!(dropped.mark == Mark::Warning && dropped.note.ends_with("line 4 drops Tanks"));
    assert!(judged.lines[3].note.ends_with("this drops Tanks of line 3, 5 PP lost"));
}

#[test]
fn what_finds_no_place_on_a_ship_is_told_so() {
    let board = Board::new(1, "A~").city(1, 1, 'A').tech(1, 10);
    let planes = warlord::bases::Planes { fighters: 9, bombers: 6, jets: 0 };
    let mut board = board.arsenal(1, planes, 9, 0);
    let sea = board.state.grid().at(1, 0).expect("the sea");
    for (no, kind) in [(1, 15), (2, 17)] {
        board = board.unit(1, no, (1, kind), 'A');
        board.state.powers[1].units.get_mut(&no).expect("the ship").at = sea;
    }
    let fits = board.judge(1, "F 1 S1 94");
    assert_eq!(fits.lines[0].mark, Mark::Ok, "{fits:?}");
    let crowded = board.judge(1, "F 1 S1 96");
    let told = "now 9 fighters and 6 bombers, as far as there are places: the others come back";
    assert!(crowded.lines[0].note.ends_with(told), "{crowded:?}");
    assert!(format!("{crowded:?}").contains("that find no place at airbase S1 come back"));
    let tubes = notes(&board, "F 1 S2 M5");
    assert!(tubes[0].ends_with("as far as it has tubes free; the others stay"), "{tubes:?}");
    // Observers of a ship that sails fly from where it is then.
    let mut board = board.deck(1, 1, warlord::bases::Planes { fighters: 2, ..planes }, 0);
    board.city_mut(1).hangar = warlord::bases::Hangar::default();
    let watch = notes(&board, "M 1 0\nO 1 00101");
    assert!(watch[1].ends_with("only if unit 1, which moves first, is near enough then"));
}
