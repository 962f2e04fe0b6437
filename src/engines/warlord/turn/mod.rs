//! One turn, as a list of phases in the order of the rulebook (§9, processing sequence).

pub mod air;
pub mod combat;
pub mod contact;
pub mod economy;
pub mod hangars;
pub mod intelligence;
pub mod knowledge;
pub mod missiles;
pub mod movement;
pub mod politics;
pub mod works;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::desk::{Desk, Facts, Letter, Paper, Plan, values};
use super::events::{Event, Happening, News, Told as Said};
use super::orders::{self, Order};
use super::state::{Centre, NOBODY, Power, State};
use super::tables::Class;
use crate::desk::letters;
use crate::desk::planes;
use crate::desk::spending;
use engine::geometry::{PathFinder, Place};
use engine::{CardText, Dice, Fault, Input, Mark, Seat, Sits, Told};
use movement::Mover;
use tongue::say;

/// One phase of a turn.
pub type Phase = fn(&mut Field);

/// The phases of a turn in order; numbers are the steps of the rulebook's sequence.
pub const PHASES: &[(&str, Phase)] = &[
    ("cards are read", read_cards),
    ("1: P, W, D, L, S, N and J at once, in card order", at_once),
    ("1: coalitions form and part", politics::coalitions),
    ("2: aircraft are assigned to O, B, V and F", assign_planes),
    ("3: production stops", halts),
    ("4: PP are deducted for C, I and E, then for restarts", spend),
    ("5: R", missiles::salvos),
    ("5: B, V and F", air::missions),
    ("6: A, M and K are issued", issue),
    ("7: A and M in six phases, with combat", movement::march),
    ("7: K", intelligence::dig),
    ("8: C delivers", economy::deliver),
    ("9: E", intelligence::research),
    ("generals of a new tech level", intelligence::new_generals),
    ("10: O", air::observe),
    ("11: Y", messages),
    ("12: I", intelligence::spy),
    ("cargo ashore in own ports", movement::unload_in_port),
    ("income", economy::income),
    ("control by neighbours", economy::claim_surrounded),
    ("rebels", politics::rebels),
    ("fallen empires", politics::fallen),
    ("ratings", economy::ratings),
    ("victory", politics::victory),
    ("results of orders", file_lines),
    ("sight", look_around),
];

/// The data that a turn works on.
pub struct Field<'a> {
    /// The game as it stands.
    pub state: State,
    /// Cards, and the status of seats.
    pub input: Input<'a>,
    /// The dice of the turn.
    pub dice: &'a mut Dice,
    /// What has happened so far.
    pub events: Vec<Happening>,
    /// Units with something to do, by power and number.
    pub movers: Vec<BTreeMap<u16, Mover>>,
    /// City number in each sector, 0 for none.
    pub sites: Vec<u16>,
    /// Holder of each city, by number minus 1.
    pub owners: Vec<u8>,
    /// Number and holder of each airbase that does not belong to a city, by sector.
    pub airfields: BTreeMap<Place, (u16, u8)>,
    /// Paratroops that landed this turn, until they have fought.
    pub dropped: BTreeSet<(u8, u16)>,
    /// Where each unit that entered a sector in this phase came from.
    pub came_from: BTreeMap<(u8, u16), Place>,
    /// Powers with units in each sector when the fights of the phase began, and powers that
    /// retreated there since.
    pub stands: BTreeMap<Place, Vec<u8>>,
    /// Units that retreated and do not move again this turn.
    pub stopped: BTreeSet<(u8, u16)>,
    /// Finds ways over the map.
    pub paths: PathFinder,
    /// The desk notes of each power.
    pub papers: Vec<Paper>,
    /// Hundredths of PP that each power had when the turn began.
    pub opening: Vec<i64>,
    /// Hundredths of PP found in ruins, by power.
    pub found: Vec<i64>,
    /// Tech level of each power when the turn began.
    pub techs: Vec<u8>,
    orders: Vec<Vec<(u32, Order)>>,
    faults: Vec<Vec<Fault>>,
}

impl<'a> Field<'a> {
    /// Prepares a turn.
    pub fn new(state: State, input: Input<'a>, dice: &'a mut Dice) -> Self {
        let mut sites = vec![0; state.grid().len()];
        for (number, place) in (1u16..).zip(&state.world.cities) {
            if state.razed.contains(&number) {
                continue;
            }
            sites[usize::from(place.0)] = number;
        }
        let powers = state.powers.len();
        let techs = state.powers.iter().map(|p| p.tech).collect();
        Self {
            owners: state.city_owners(),
            airfields: state
                .powers
                .iter()
                .flat_map(|p| p.airbases.iter().map(|(no, a)| (a.at, (*no, p.seat))))
                .collect(),
            dropped: BTreeSet::new(),
            state,
            input,
            dice,
            events: Vec::new(),
            movers: vec![BTreeMap::new(); powers],
            sites,
            came_from: BTreeMap::new(),
            stands: BTreeMap::new(),
            stopped: BTreeSet::new(),
            paths: PathFinder::default(),
            papers: vec![Paper::default(); powers],
            opening: Vec::new(),
            found: vec![0; powers],
            techs,
            orders: vec![Vec::new(); powers],
            faults: vec![Vec::new(); powers],
        }
    }

    /// Runs all phases; returns the state and the events.
    pub fn run(mut self) -> (State, Vec<Happening>) {
        for (_, phase) in PHASES {
            phase(&mut self);
        }
        (self.state, self.events)
    }

    /// Records an event for seats; the nameless power receives none.
    pub fn record(&mut self, to: &[u8], event: Event) {
        self.tell_at(self.events.len(), to, event);
    }

    /// Records an event before the events from number `at` on, which are its results.
    pub fn tell_at(&mut self, at: usize, to: &[u8], event: Event) {
        let mut to: Vec<u8> = to.iter().copied().filter(|&s| s != NOBODY).collect();
        to.sort_unstable();
        to.dedup();
        if !to.is_empty() {
            self.events.insert(at, Happening { to, event });
        }
    }

    /// Records news for everybody.
    pub fn news(&mut self, news: News) {
        let everybody: Vec<u8> = (1..=self.state.seats()).collect();
        self.record(&everybody, Event::News(news));
    }

    /// The city in a sector and its holder.
    pub fn city_in(&self, place: Place) -> Option<(u16, u8)> {
        let number = self.sites[usize::from(place.0)];
        (number > 0).then(|| (number, self.owners[usize::from(number) - 1]))
    }

    /// Whether a sector holds a city of nobody; a city of rebels is not one.
    pub fn is_free_city(&self, place: Place) -> bool {
        let number = self.sites[usize::from(place.0)];
        self.state.powers[usize::from(NOBODY)].cities.get(&number).is_some_and(|c| !c.rebel)
    }

    /// The airbase in a sector that does not belong to a city, and its holder.
    pub fn airbase_in(&self, place: Place) -> Option<(u16, u8)> {
        self.airfields.get(&place).copied()
    }

    /// The class that a unit moves as.
    pub fn class(&self, power: u8, unit: u16) -> Class {
        let kind = self.state.powers[usize::from(power)].units.get(&unit).map(|u| u.kind);
        kind.map_or(Class::Inf, |k| self.state.tables.row(k).class)
    }
}

/// Runs a part of the desk's work for a power, including the nameless one.
fn at_desk(field: &mut Field, seat: u8, work: impl FnOnce(&mut Desk, &[(u32, Order)])) {
    let i = usize::from(seat);
    let tables = Arc::clone(&field.state.tables);
    let world = Arc::clone(&field.state.world);
    let coalition = field.state.coalition_of(seat).cloned().unwrap_or_default();
    let sites = &field.sites;
    let mut power = std::mem::take(&mut field.state.powers[i]);
    let facts = Facts {
        tables: &tables,
        grid: world.grid,
        seats: field.state.seats(),
        turn: field.state.turn,
        sea: &|place| world.is_sea(place),
        ruined: &|place| world.ruins.contains(&place),
        city: &|place| sites[usize::from(place.0)] > 0,
        ground: &|place| Some(world.ground(place)),
        coalition: &coalition,
        before: false,
    };
    let paper = std::mem::take(&mut field.papers[i]);
    let mut desk = Desk { facts, power: &mut power, paper };
    work(&mut desk, &field.orders[i]);
    field.papers[i] = desk.paper;
    field.state.powers[i] = power;
}

fn everybody(field: &mut Field, work: impl Fn(&mut Desk, &[(u32, Order)])) {
    for seat in NOBODY..=field.state.seats() {
        at_desk(field, seat, &work);
    }
}

fn read_cards(field: &mut Field) {
    field.opening = field.state.powers.iter().map(|p| p.stock).collect();
    for seat in 1..=field.state.seats() {
        let power = &mut field.state.powers[usize::from(seat)];
        power.generals.iter_mut().for_each(|g| g.gained = 0);
        let limit = field.state.tables.rules.absence.turns;
        let card = field.input.cards.get(&Seat(seat));
        power.missed = match field.input.sits(Seat(seat)) {
            // §8: the cities of a seat whose player resigned rebel without a wait.
            Sits::Left => power.missed.max(limit).saturating_add(1),
            _ => field.input.missed(Seat(seat), power.missed),
        };
        let Some(card) = card else { continue };
        let (orders, faults) = match power.fell {
            None => orders::parse(card),
            Some(_) => (Vec::new(), super::desk::fallen(card)),
        };
        field.orders[usize::from(seat)] = orders;
        field.faults[usize::from(seat)] = faults;
    }
}

fn at_once(field: &mut Field) {
    everybody(field, |desk, orders| desk.at_once(orders));
}

fn assign_planes(field: &mut Field) {
    everybody(field, planes::assign_planes);
}

fn halts(field: &mut Field) {
    everybody(field, spending::halts);
}

/// Step 4, and the centres that wait for PP.
fn spend(field: &mut Field) {
    everybody(field, spending::spend);
    for seat in 1..=field.state.seats() {
        let mut waiting = Vec::new();
        for (number, city) in &field.state.powers[usize::from(seat)].cities {
            for (centre, state) in (1u8..).zip(&city.centres) {
                if matches!(state, Centre::Ready(_)) {
                    waiting.push(Event::Waits { city: *number, centre });
                }
            }
        }
        waiting.into_iter().for_each(|event| field.record(&[seat], event));
        let paid = field.papers[usize::from(seat)].bill.counter_spying;
        if paid > 0 {
            field.record(&[seat], Event::CounterSpying { paid });
        }
    }
}

/// Step 6. It also puts messages together, which step 11 delivers.
fn issue(field: &mut Field) {
    everybody(field, |desk, orders| {
        desk.issue(orders);
        letters::write_letters(desk, orders);
        desk.forgive_repeats(orders);
    });
    for i in 0..field.papers.len() {
        let plans = std::mem::take(&mut field.papers[i].plans);
        let (tables, power) = (&field.state.tables, &field.state.powers[i]);
        let movers = plans.into_iter().filter_map(|(no, plan)| mover(tables, power, no, plan));
        field.movers[i] = movers.collect();
    }
}

fn mover(
    tables: &super::tables::Tables,
    power: &Power,
    no: u16,
    plan: Plan,
) -> Option<(u16, Mover)> {
    power.units.get(&no).map(|unit| (no, Mover::new(tables, unit, plan)))
}

/// Each line of a card with its mark and note.
fn results(
    card: &CardText,
    mut told: BTreeMap<u32, Told>,
    faults: Vec<Fault>,
) -> BTreeMap<u32, (String, Told)> {
    for fault in faults {
        let wrong = Told { mark: Mark::Error, code: fault.code, note: fault.text };
        told.insert(fault.line, wrong);
    }
    let remark =
        |text: &str| Told { mark: Mark::Remark, code: "remark", note: orders::left_alone(text) };
    let line = |(n, text): &(u32, String)| {
        (*n, (text.clone(), told.remove(n).unwrap_or_else(|| remark(text))))
    };
    card.lines.iter().map(line).collect()
}

/// Adds to each line where its units ended, and records the lines.
fn file_lines(field: &mut Field) {
    for seat in 1..field.state.powers.len() {
        // Seats are numbered by u8.
        let Some(card) = field.input.cards.get(&Seat(seat as u8)) else { continue };
        let told = std::mem::take(&mut field.papers[seat].told);
        let mut lines = results(card, told, std::mem::take(&mut field.faults[seat]));
        for (no, mover) in &field.movers[seat] {
            let Some(line) = mover.line else { continue };
            let Some((_, told)) = lines.get_mut(&line) else { continue };
            let grid = field.state.world.grid;
            let end = match mover.end.map(|at| orders::sector_no(grid, at)) {
                Some(at) if mover.is_there() => say!("unit {no} is at {at}, its goal"),
                Some(at) if mover.barred => {
                    say!("unit {no} is at {at}, its way was barred")
                }
                Some(at) => say!("unit {no} is at {at}"),
                None => say!("unit {no} is no more"),
            };
            if mover.barred && told.mark == Mark::Ok {
                (told.mark, told.code) = (Mark::Warning, "closed");
            }
            told.note = match told.note.is_empty() {
                true => end,
                false => format!("{}; {end}", told.note),
            };
        }
        for (line, (text, told)) in lines {
            let mark = told.mark.code();
            let event = Event::Line { line, text, mark, note: told.note.into() };
            field.record(&[seat as u8], event);
        }
    }
}

/// Delivers the messages, with the values of this moment filled in.
fn messages(field: &mut Field) {
    let mut letters: Vec<(u8, Letter)> = Vec::new();
    for seat in 1..=field.state.seats() {
        let written = std::mem::take(&mut field.papers[usize::from(seat)].letters);
        letters.extend(written.into_iter().map(|l| (seat, l)));
    }
    for (from, letter) in letters {
        let sentences: Vec<Said> = letter
            .sentences
            .into_iter()
            .map(|sentence| Said {
                values: values(
                    &field.state.tables,
                    &field.state.powers[usize::from(from)],
                    &sentence,
                ),
                sentence,
            })
            .collect();
        let broadcast = letter.to.is_none();
        let to: Vec<u8> = match letter.to {
            Some(to) => vec![to],
            None => (1..=field.state.seats()).filter(|s| *s != from).collect(),
        };
        field.record(&to, Event::Message { from, broadcast, sentences: sentences.clone() });
        field.record(&[from], Event::MessageSent { to: letter.to, sentences });
    }
}

fn look_around(field: &mut Field) {
    field.state.turn += 1;
    let turn = field.state.turn;
    field.state.fallout.retain(|_, until| *until >= turn);
    field.state.look_around();
}
