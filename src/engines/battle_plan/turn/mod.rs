//! One turn, as a list of phases that can be compared with the rulebook (§9).

pub mod aftermath;
pub mod economy;
pub mod land;
pub mod moves;
pub mod politics;
pub mod sea;
pub mod spying;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use moves::put_to_sea;

use super::desk::{self, Facts, Paper, Position};
use super::diary::{Cause, Entry};
use super::event::{Clash, Count, Counter, Event, Flow, Ledger, SeaClash, Side};
use super::map::SpaceId;
use super::state::{Country, Forces, NOBODY, State};
use super::tables::Tables;
use super::verbs::Arm;
use engine::press::Addressee;
use engine::{CardText, Dice, Input, Seat, Sits};

/// One phase of a turn.
pub type Phase = fn(&mut Field);

/// The phases of a turn in order; numbers are the steps of §9.
pub const PHASES: &[(&str, Phase)] = &[
    ("cards are judged", read_cards),
    ("0a: declarations, permits, shares, options, defaults, standing orders", declare),
    ("0b: gifts, research, training, propaganda; spies go out", economy::spend),
    ("1: moves, gifts of forces", moves::moves),
    ("2: builds", economy::build),
    ("3: forces leave for battle", moves::depart),
    ("3a: battles at the border", land::borders),
    ("3b-3k: land combat", land::battles),
    ("4: sea combat", sea::battles),
    ("5: survivors go home", aftermath::return_home),
    ("6: counter-attacks", aftermath::counter_attacks),
    ("6a: popularity", politics::popularity),
    ("6b: revolutions", politics::revolutions),
    ("6c: control, standing orders of lost countries", politics::control),
    ("7: evacuation", aftermath::evacuate),
    ("7a: recovery, suppression, blockade", economy::suppress),
    ("8: interest, income, built Dollars, gifts", economy::income),
    ("9: research and training", economy::learn),
    ("10: spies are checked; who sees what", spying::check),
    ("11: messages", post),
    ("11: the end, ratings", politics::ending),
];

/// Forces on their way to a battle on land or back from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Where they came from.
    pub from: SpaceId,
    /// The seat that gave their orders.
    pub owner: u8,
    /// Armies that stay if they win.
    pub conquer: i64,
    /// Armies that come back.
    pub bombard: i64,
    /// Navy.
    pub navy: i64,
    /// Air force against army, navy, airbase, industry.
    pub air: [i64; 4],
    /// Missiles against army, airbase, industry.
    pub missiles: [i64; 3],
    /// Missiles that were stopped.
    pub stopped: i64,
    /// The forces that set out: army, navy, air force, missiles.
    pub sent: [i64; 4],
}

impl Group {
    fn new(from: SpaceId, owner: u8) -> Self {
        Self {
            from,
            owner,
            conquer: 0,
            bombard: 0,
            navy: 0,
            air: [0; 4],
            missiles: [0; 3],
            stopped: 0,
            sent: [0; 4],
        }
    }

    /// All its armies.
    pub fn army(&self) -> i64 {
        self.conquer + self.bombard
    }

    /// All its air force.
    pub fn planes(&self) -> i64 {
        self.air.iter().sum()
    }
}

/// Forces that help a space for a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Support {
    /// Where they came from.
    pub from: SpaceId,
    /// The seat that gave their orders.
    pub owner: u8,
    /// The forces that are left.
    pub forces: Forces,
    /// The forces that set out.
    pub sent: Forces,
}

/// A country that was captured in this turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// The country as it was, without its army.
    pub old: Country,
    /// The seat that took it.
    pub by: u8,
    /// The home spaces of the armies that took it, with their numbers.
    pub conquerors: Vec<(SpaceId, i64)>,
    /// Missile hits and air force beyond the defending army, for step 6.
    pub saved_hits: i64,
    /// Air force beyond the defending army, for step 6.
    pub spare_air: i64,
    /// Armies that come home to it.
    pub returning: i64,
    /// Navy and air force of the old owner that must leave.
    pub fleeing: (i64, i64),
    /// Whether armies that came home took it back.
    pub recaptured: bool,
}

/// The state of a turn in progress.
pub struct Field<'a> {
    /// The tables of the game.
    pub tables: Arc<Tables>,
    /// The game as it is now.
    pub state: State,
    /// The cards, and the status of the seats.
    pub input: Input<'a>,
    /// The dice of the turn.
    pub dice: &'a mut Dice,
    /// The events so far.
    pub events: Vec<Event>,
    /// Results of the cards, by seat minus 1.
    pub papers: Vec<Paper>,
    /// Ledgers, by seat minus 1.
    pub ledgers: Vec<Ledger>,
    /// Owners at the start of the turn, by country.
    pub owners: Vec<u8>,
    /// Holders, who gave the orders of each country, at the start of the turn.
    pub holders: Vec<u8>,
    /// Suppressed tax, industry and air force at the start of the turn, by country.
    pub down: Vec<(i64, i64, i64)>,
    /// Industry and air force suppressed in this turn, by country.
    pub hit: Vec<(i64, i64)>,
    /// Recovering air force that was lost, by country.
    pub recovering_lost: Vec<i64>,
    /// Attacking groups, by target.
    pub groups: BTreeMap<SpaceId, Vec<Group>>,
    /// Support by the space that is helped.
    pub supports: BTreeMap<SpaceId, Vec<Support>>,
    /// Forces on their way home to countries.
    pub homeward: Vec<Support>,
    /// Countries that were captured in this turn.
    pub captures: BTreeMap<SpaceId, Capture>,
    /// Changes of home popularity, by country and cause.
    pub esteem: BTreeMap<(SpaceId, Cause), i64>,
    /// Changes of a player's popularity in a minor, by minor, player and cause.
    pub favour: BTreeMap<(SpaceId, u8, Cause), i64>,
    /// Air force that moved into a country in this turn.
    pub flown_in: BTreeMap<SpaceId, i64>,
    /// Minors attacked by army or air force of a player.
    pub attacked: BTreeSet<(SpaceId, u8)>,
    /// Dollars of propaganda by country and player.
    pub propaganda: BTreeMap<(SpaceId, u8), i64>,
    /// Counterspies by country and player.
    pub counterspies: BTreeMap<(SpaceId, u8), i64>,
    /// Industry built in this turn.
    pub new_industry: Vec<(SpaceId, i64)>,
    /// Cents built, by seat minus 1.
    pub built: Vec<i64>,
    /// Cents given by others, by seat minus 1.
    pub received: Vec<i64>,
    /// Spaces that each seat sees besides those that it holds afterwards.
    pub sights: BTreeMap<u8, BTreeSet<SpaceId>>,
    /// Units of each arm that were built and lost.
    pub flows: BTreeMap<Arm, Flow>,
    /// What happened to each seat's forces and popularity.
    pub diary: BTreeMap<u8, Vec<Entry>>,
}

impl<'a> Field<'a> {
    /// Prepares a turn.
    pub fn new(state: State, input: Input<'a>, dice: &'a mut Dice) -> Self {
        let (lands, seats) = (state.countries.len(), state.players.len());
        let down = state.countries.iter().map(|c| (c.tax_down, c.industry_down, c.air_down));
        Self {
            tables: Arc::clone(&state.tables),
            owners: state.countries.iter().map(|c| c.owner).collect(),
            holders: state.countries.iter().map(Country::holder).collect(),
            down: down.collect(),
            hit: vec![(0, 0); lands],
            recovering_lost: vec![0; lands],
            input,
            dice,
            events: Vec::new(),
            papers: Vec::new(),
            ledgers: vec![Ledger::default(); seats],
            groups: BTreeMap::new(),
            supports: BTreeMap::new(),
            homeward: Vec::new(),
            captures: BTreeMap::new(),
            esteem: BTreeMap::new(),
            favour: BTreeMap::new(),
            flown_in: BTreeMap::new(),
            attacked: BTreeSet::new(),
            propaganda: BTreeMap::new(),
            counterspies: BTreeMap::new(),
            new_industry: Vec::new(),
            built: vec![0; seats],
            received: vec![0; seats],
            sights: BTreeMap::new(),
            flows: BTreeMap::new(),
            diary: BTreeMap::new(),
            state,
        }
    }

    /// Runs all phases; returns the new state and the events.
    pub fn run(mut self) -> (State, Vec<Event>) {
        for (_, phase) in PHASES {
            phase(&mut self);
        }
        for (arm, flow) in &self.flows {
            self.events.push(Event::Flow { arm: *arm, flow: *flow });
        }
        // In games under the old rules, printouts report only battles.
        if self.state.revised {
            let diary = std::mem::take(&mut self.diary).into_iter();
            self.events.extend(diary.map(|(seat, entries)| Event::Diary { seat, entries }));
        }
        self.state.turn += 1;
        (self.state, self.events)
    }

    /// Seats in order.
    pub fn seats(&self) -> std::ops::RangeInclusive<u8> {
        // A game has at most 79 seats.
        1..=self.state.players.len() as u8
    }

    /// Counts units that were lost.
    pub fn lose(&mut self, arm: Arm, n: i64) {
        self.flows.entry(arm).or_default().lost += n;
    }

    /// Records that losses away from home cost popularity in the country that they came from (§12).
    pub fn mourn(&mut self, from: SpaceId, owner: u8, lost: i64) {
        if lost <= 0 || self.tables.map.is_sea(from) {
            return;
        }
        match self.owners[usize::from(from.0)] {
            NOBODY => *self.favour.entry((from, owner, Cause::Losses)).or_default() -= lost,
            _ => self.please(from, Cause::Losses, -lost),
        }
    }

    /// Changes the home popularity of an occupied country.
    pub fn please(&mut self, space: SpaceId, cause: Cause, by: i64) {
        *self.esteem.entry((space, cause)).or_default() += by;
    }

    /// Records something for a seat's printout.
    pub fn note(&mut self, seat: u8, entry: Entry) {
        if seat != NOBODY {
            self.diary.entry(seat).or_default().push(entry);
        }
    }

    /// Records what a fight did to forces of a seat.
    pub fn note_fight(&mut self, seat: u8, (from, at): (SpaceId, SpaceId), arms: &[(Arm, Count)]) {
        for (arm, count) in arms.iter().filter(|(_, c)| c.sent > 0) {
            let Count { sent, lost } = *count;
            self.note(seat, Entry::Fought { from, at, arm: *arm, sent, lost, stay: 0 });
        }
    }

    /// Lets a seat see a space that it may not hold.
    pub fn see(&mut self, seat: u8, space: SpaceId) {
        self.sights.entry(seat).or_default().insert(space);
    }
}

/// Judges every card; a seat without a card has an empty one.
fn read_cards(field: &mut Field) {
    let players = field.state.players.len() as u8;
    for seat in field.seats() {
        let none = CardText::default();
        let card = field.input.cards.get(&Seat(seat));
        let position = Position::of(&field.state, seat);
        let facts = Facts {
            tables: &field.tables,
            turn: field.state.turn,
            players,
            owners: &field.owners,
            revised: field.state.revised,
        };
        let paper = desk::work(facts, &position, card.unwrap_or(&none));
        for (line, text, told) in &paper.told {
            field.events.push(Event::Line {
                seat,
                line: *line,
                text: text.clone(),
                mark: told.mark.code(),
                note: told.note.as_str().into(),
            });
        }
        let (sees, most) = (seas_of(&field.state, seat), field.tables.figures.play.missed_turns);
        for sea in sees {
            field.see(seat, sea);
        }
        let player = field.state.player_mut(seat);
        player.missed = match field.input.sits(Seat(seat)) {
            // G33 counts missed turns of players who may come back; one who has left is dropped at
            // once.
            Sits::Left => player.missed.saturating_add(1).max(most),
            _ => {
                let missed = field.input.missed(Seat(seat), player.missed.into());
                missed.try_into().unwrap_or(u8::MAX)
            }
        };
        player.dropped = player.missed >= most;
        field.ledgers[usize::from(seat) - 1].opening = player.cents;
        field.papers.push(paper);
    }
    for (i, holder) in field.holders.clone().into_iter().enumerate() {
        if holder != NOBODY {
            // Countries come before seas in the numbers.
            field.see(holder, SpaceId(i as u16));
        }
    }
}

/// Seas where a seat has forces.
fn seas_of(state: &State, seat: u8) -> Vec<SpaceId> {
    let there = |s: &SpaceId| state.sea(*s).get(&seat).is_some_and(|f| !f.is_empty());
    state.tables.map.seas().filter(there).collect()
}

/// Step 0a: declarations and settings.
fn declare(field: &mut Field) {
    let revised = field.state.revised;
    for (i, paper) in field.papers.iter().enumerate() {
        let old = &field.state.players[i];
        let mut new = paper.player.clone();
        (new.missed, new.dropped) = (old.missed, old.dropped);
        if new.dropped {
            (new.good, new.bad) = ([NOBODY; 3], [NOBODY; 3]);
        }
        let seat = new.seat;
        field.state.players[i] = new;
        for (space, slots) in &paper.standing {
            let country = field.state.country_mut(*space);
            country.standing.clone_from(slots);
            if revised {
                let any = slots.iter().any(Option::is_some);
                country.standing_by = if any { seat } else { NOBODY };
            }
        }
    }
}

/// A space as a place of dice: numbered from 1, as 0 means none.
pub fn key(space: SpaceId) -> u32 {
    u32::from(space.0) + 1
}

/// Step 11: messages between players.
fn post(field: &mut Field) {
    for seat in field.seats() {
        let i = usize::from(seat) - 1;
        let others: Vec<u8> = field.seats().filter(|s| *s != seat).collect();
        let paper = &field.papers[i];
        let at_once = field.tables.letters_at_once;
        for letter in &paper.letters {
            if at_once && matches!(letter.to, Addressee::Seats(_)) {
                continue;
            }
            let to = match &letter.to {
                Addressee::Seats(seats) => {
                    seats.iter().filter_map(|s| u8::try_from(*s).ok()).collect()
                }
                _ => others.clone(),
            };
            field.events.push(Event::Letter {
                from: (!letter.anonymous).then_some(seat),
                sender: seat,
                to,
                text: letter.text.clone(),
            });
        }
        if let Some(news) = &paper.news {
            let from = (!news.anonymous).then_some(seat);
            field.events.push(Event::News { from, text: news.text.clone() });
        }
        for wire in &paper.wires {
            let to = if wire.to == NOBODY { others.clone() } else { vec![wire.to] };
            // There are 20 texts.
            let text = wire.text as u16;
            field.events.push(Event::Wire { from: seat, to, text, space: wire.space });
        }
    }
}
