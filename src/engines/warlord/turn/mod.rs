//! One turn, as a list of phases that can be laid beside the rulebook (§9,
//! processing sequence).

pub mod combat;
pub mod economy;
pub mod movement;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::desk::{Desk, Letter, Plan, Sentence, Told};
use super::events::{Event, Happening, Told as Said, mark_code};
use super::orders;
use super::state::{Centre, NOBODY, Power, State};
use super::tables::Class;
use crate::engine::geometry::{PathFinder, Place};
use crate::engine::{BySeat, CardText, Dice, Mark};
use movement::Mover;

/// One phase of a turn.
pub type Phase = fn(&mut Field);

/// The turn in its order. Steps of the sequence that are not in force yet are
/// named in the [`super::desk`], which answers their orders.
pub const PHASES: &[(&str, Phase)] = &[
    ("1, 3, 4, 6: orders at once, production stops, PP deducted, movement issued", desk_work),
    ("7: A and M in six phases, with combat", movement::march),
    ("8: C delivers", economy::deliver),
    ("11: Y", messages),
    ("cargo ashore in own ports", movement::unload_in_port),
    ("income", economy::income),
    ("control by neighbours", economy::claim_surrounded),
    ("ratings", economy::ratings),
    ("results of orders", file_lines),
    ("sight", look_around),
];

/// Everything that a turn works on.
pub struct Field<'a> {
    pub state: State,
    pub cards: &'a BySeat<CardText>,
    pub dice: &'a mut Dice,
    pub events: Vec<Happening>,
    /// Units with something to do, by power and number.
    pub movers: Vec<BTreeMap<u16, Mover>>,
    /// City number in each sector, 0 for none.
    pub sites: Vec<u16>,
    /// Holder of each city, by number minus 1.
    pub owners: Vec<u8>,
    /// Where each unit that entered a sector in this phase came from.
    pub came_from: BTreeMap<(u8, u16), Place>,
    /// Units that retreated and move no more this turn.
    pub stopped: BTreeSet<(u8, u16)>,
    pub paths: PathFinder,
    letters: Vec<(u8, Letter)>,
    lines: Vec<BTreeMap<u32, (String, Told)>>,
}

impl<'a> Field<'a> {
    /// Lays a turn out.
    pub fn new(state: State, cards: &'a BySeat<CardText>, dice: &'a mut Dice) -> Self {
        let mut sites = vec![0; state.grid().len()];
        for (number, place) in (1u16..).zip(&state.world.cities) {
            sites[usize::from(place.0)] = number;
        }
        let powers = state.powers.len();
        Self {
            owners: state.city_owners(),
            state,
            cards,
            dice,
            events: Vec::new(),
            movers: vec![BTreeMap::new(); powers],
            sites,
            came_from: BTreeMap::new(),
            stopped: BTreeSet::new(),
            paths: PathFinder::default(),
            letters: Vec::new(),
            lines: vec![BTreeMap::new(); powers],
        }
    }

    /// Runs all phases and gives the state and the events after.
    pub fn run(mut self) -> (State, Vec<Happening>) {
        for power in &mut self.state.powers {
            power.generals.iter_mut().for_each(|g| g.gained = 0);
        }
        for (_, phase) in PHASES {
            phase(&mut self);
        }
        (self.state, self.events)
    }

    /// Tells seats of an event; the nameless power is told nothing.
    pub fn tell(&mut self, to: &[u8], event: Event) {
        let mut to: Vec<u8> = to.iter().copied().filter(|&s| s != NOBODY).collect();
        to.sort_unstable();
        to.dedup();
        if !to.is_empty() {
            self.events.push(Happening { to, event });
        }
    }

    /// The city in a sector and its holder.
    pub fn city_in(&self, place: Place) -> Option<(u16, u8)> {
        let number = self.sites[usize::from(place.0)];
        (number > 0).then(|| (number, self.owners[usize::from(number) - 1]))
    }

    /// The class that a unit moves as.
    pub fn class(&self, power: u8, unit: u16) -> Class {
        let kind = self.state.powers[usize::from(power)].units.get(&unit).map(|u| u.kind);
        kind.map_or(Class::Inf, |k| self.state.tables.row(k).class)
    }
}

fn desk_work(field: &mut Field) {
    let tables = Arc::clone(&field.state.tables);
    let world = Arc::clone(&field.state.world);
    let (seats, turn) = (field.state.seats(), field.state.turn);
    let coastal = |place: Place| world.is_coastal(place);
    for seat in 1..=seats {
        let mut power = std::mem::take(&mut field.state.powers[usize::from(seat)]);
        let empty = CardText::default();
        let card = field.cards.get(&super::state::seat(seat)).unwrap_or(&empty);
        let (orders, faults) = orders::parse(card);
        let mut desk = Desk::new(&tables, world.grid, seats, turn, &mut power, &coastal);
        desk.carry_out(&orders);
        let Desk { told, plans, letters, paid, .. } = desk;
        field.letters.extend(letters.into_iter().map(|l| (seat, l)));
        field.lines[usize::from(seat)] = results(card, told, faults);
        let movers = plans.into_iter().filter_map(|(no, plan)| mover(&tables, &power, no, plan));
        field.movers[usize::from(seat)] = movers.collect();
        economy_notes(field, seat, &power, paid);
        field.state.powers[usize::from(seat)] = power;
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

/// Each line of the card with its mark and note.
fn results(
    card: &CardText,
    mut told: BTreeMap<u32, Told>,
    faults: Vec<crate::engine::Fault>,
) -> BTreeMap<u32, (String, Told)> {
    for fault in faults {
        let wrong = Told { mark: Mark::Error, code: fault.code, note: fault.text };
        told.insert(fault.line, wrong);
    }
    let remark = Told { mark: Mark::Remark, code: "remark", note: String::new() };
    let line = |(n, text): &(u32, String)| {
        (*n, (text.clone(), told.remove(n).unwrap_or_else(|| remark.clone())))
    };
    card.lines.iter().map(line).collect()
}

/// What the desk left behind that the card did not order: waiting centres and
/// what was paid for counter-spying.
fn economy_notes(field: &mut Field, seat: u8, power: &Power, paid: i64) {
    for (number, city) in &power.cities {
        for (centre, state) in (1u8..).zip(&city.centres) {
            if matches!(state, Centre::Ready(_)) {
                field.tell(&[seat], Event::Waits { city: *number, centre });
            }
        }
    }
    if paid > 0 {
        field.tell(&[seat], Event::CounterSpying { paid });
    }
}

/// Adds where each ordered unit ended to its line and files the lines.
fn file_lines(field: &mut Field) {
    for seat in 1..field.state.powers.len() {
        let power = &field.state.powers[seat];
        for (no, mover) in &field.movers[seat] {
            let Some(line) = mover.line else { continue };
            let Some((_, told)) = field.lines[seat].get_mut(&line) else { continue };
            let grid = field.state.world.grid;
            let place = power.units.get(no).map(|u| orders::sector_no(grid, u.at));
            let end = match place {
                Some(at) => format!("unit {no} is at {at}"),
                None => format!("unit {no} is no more"),
            };
            told.note = match told.note.is_empty() {
                true => end,
                false => format!("{}; {end}", told.note),
            };
        }
        for (line, (text, told)) in std::mem::take(&mut field.lines[seat]) {
            let mark = mark_code(told.mark);
            // Seats are numbered by u8.
            let event = Event::Line { line, text, mark, note: told.note };
            field.tell(&[seat as u8], event);
        }
    }
}

/// Delivers the messages, with the values that stand at this moment.
fn messages(field: &mut Field) {
    for (from, letter) in std::mem::take(&mut field.letters) {
        let sentences: Vec<Said> = letter
            .sentences
            .into_iter()
            .map(|sentence| Said { values: values(field, from, &sentence), sentence })
            .collect();
        let broadcast = letter.to.is_none();
        let to: Vec<u8> = match letter.to {
            Some(to) => vec![to],
            None => (1..=field.state.seats()).filter(|s| *s != from).collect(),
        };
        field.tell(&to, Event::Message { from, broadcast, sentences });
        field.tell(&[from], Event::MessageSent { to: letter.to });
    }
}

/// The values that the game puts into a sentence, in the order of its brackets.
fn values(field: &Field, from: u8, sentence: &Sentence) -> Vec<String> {
    let tables = &field.state.tables;
    let power = &field.state.powers[usize::from(from)];
    let says = tables.message(sentence.code).map_or("", |m| m.says.as_str());
    let count = |ships: bool| {
        let of_sort =
            power.units.values().filter(|u| (tables.row(u.kind).class == Class::Ship) == ships);
        of_sort.map(|u| if ships { usize::from(u.size) } else { 1 }).sum::<usize>()
    };
    let planes = |bombers: bool| {
        let at = power.cities.values().map(|c| if bombers { c.bombers } else { c.fighters });
        at.map(usize::from).sum::<usize>()
    };
    let keys = says.split('[').skip(1).filter_map(|part| part.chars().next());
    keys.map(|key| match key {
        'C' | 'A' => power.cities.len().to_string(),
        'D' => count(false).to_string(),
        'S' => count(true).to_string(),
        'F' => planes(false).to_string(),
        'B' => planes(true).to_string(),
        'L' => power.tech.to_string(),
        'P' => (power.stock / 100).to_string(),
        _ if power.allies.is_empty() => "nobody".to_owned(),
        _ => super::desk::ranges(power.allies.iter().map(|&a| a.into())),
    })
    .collect()
}

fn look_around(field: &mut Field) {
    field.state.turn += 1;
    field.state.look_around();
}
