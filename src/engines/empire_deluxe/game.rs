//! Steps of a game (§4, §13, §17): sittings of the players in turn, or turns of all in impulses.

use std::collections::BTreeSet;

use engine::geometry::Place;
use engine::press::{self, Letter};
use engine::{BySeat, CardText, Dice, Input, Seat, Sits, Stepped};

use super::check::Check;
use super::computer;
use super::event::{Event, What};
use super::field::{Field, bit};
use super::orders::{self, Order};
use super::route::Router;
use super::sitting::sitting;
use super::stage::{Stage, State};
use super::state::UnitId;
use super::view::{self, View};
use crate::commands;
use crate::moves;
use crate::queue;

/// Runs the open step.
pub fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Event> {
    // A seat that is handed over to a computer gets its card from the computer.
    let mut cards = input.cards.clone();
    for seat in state.acting().into_iter().filter(|s| state.is_handed_over(*s)) {
        let view = View::of(&state, &[], seat);
        let dice = dice.at([state.world.turn, seat.0.into()]);
        cards.insert(seat, computer::play(&view, dice));
    }
    let State { world, stage, first, sitting, peopled, mut course, mut news } = state;
    let round = first;
    let field = Field::new(world);
    let persons = field.world.seats().filter(|s| {
        let handed = field.world.side(*s).is_some_and(|s| s.computer);
        input.sits(*s) == Sits::Player && !handed
    });
    let persons: Vec<Seat> = persons.collect();
    let peopled = peopled || !persons.is_empty();
    let paths = Router::default();
    let mut run = Run { field, stage, first, sitting, dice, paths, persons, peopled };
    run.leave(input);
    run.letters(&cards);
    let mut carried = BySeat::new();
    match run.stage.clone() {
        Stage::Sitting { seat, part } => {
            // The seat has seen these events before its card, so they are no longer news for it.
            news.iter_mut().for_each(|e| e.to.0 &= !bit(seat));
            news.retain(|e| e.to.0 != 0);
            carried = run.carried(seat, &cards);
            run.sit(seat, part, cards.get(&seat));
        }
        Stage::All => run.all(&cards),
        Stage::Over(_) => {}
    }
    run.field.watch_cities();
    let Run { field, stage, first, sitting, peopled, .. } = run;
    let Field { world, events, .. } = field;
    match stage {
        Stage::Sitting { .. } => news.extend(events.iter().cloned()),
        _ => {
            news.clear();
            carried.clear();
        }
    }
    if first != round || matches!(stage, Stage::Over(_)) {
        for (seat, course) in world.seats().zip(&mut course) {
            // There are a few hundred cities, and a few thousand units of a player.
            let units = world.side(seat).map_or(0, |s| s.units.len() as u32);
            course.push((world.cities_of(seat).count() as u32, units));
        }
    }
    let state = State { world, stage, first, sitting, peopled, course, news };
    Stepped { carried, ..Stepped::new(state, events) }
}

struct Run<'a> {
    field: Field,
    stage: Stage,
    first: u32,
    sitting: u32,
    dice: &'a mut Dice,
    paths: Router,
    /// Seats that persons play.
    persons: Vec<Seat>,
    peopled: bool,
}

impl Run<'_> {
    fn plays(&self, seat: Seat) -> bool {
        self.field.world.side(seat).is_some_and(|s| s.out.is_none())
    }

    fn playing(&self) -> Vec<Seat> {
        self.field.world.seats().filter(|s| self.plays(*s)).collect()
    }

    /// Seats that nobody plays any longer are given up (§13).
    fn leave(&mut self, input: &Input) {
        for seat in self.playing() {
            if input.sits(seat) == Sits::Left {
                self.resign(seat);
            }
        }
        self.check_end();
    }

    /// Sends the letters of all cards: they may be sent in every turn.
    fn letters(&mut self, cards: &BySeat<CardText>) {
        for (seat, card) in cards {
            let world = &self.field.world;
            if !world.options.press || !self.plays(*seat) {
                continue;
            }
            let fits = world.options.limits.letter();
            let entries = orders::read(&world.ground, &world.options, card);
            let letters: Vec<Letter> = entries
                .into_iter()
                .filter_map(|e| match e.read {
                    Ok(Order::Press(block)) => {
                        press::letter(&block, *seat, world.seats(), fits).ok()
                    }
                    _ => None,
                })
                .map(|(letter, _)| letter)
                .collect();
            for letter in letters {
                let to = letter.to.iter().copied().map(bit).fold(0, |all, one| all | one);
                self.field.record(to, What::Letter(letter));
            }
        }
    }

    /// Cards of players who do not move now wait for their turn, without their letters.
    fn carried(&self, mover: Seat, cards: &BySeat<CardText>) -> BySeat<Vec<String>> {
        let waiting = cards.iter().filter(|(seat, _)| **seat != mover && self.plays(**seat));
        let lines = |card: &CardText| -> Vec<String> {
            press::split(card).1.lines.into_iter().map(|(_, text)| text).collect()
        };
        let all = waiting.map(|(seat, card)| (*seat, lines(card)));
        all.filter(|(_, lines)| !lines.is_empty()).collect()
    }

    /// All units of a seat are gone, and its cities belong to nobody.
    fn resign(&mut self, seat: Seat) {
        let worth = self.worth(seat);
        let side = self.field.world.side(seat);
        let units: Vec<u16> = side.map(|s| s.units.keys().copied().collect()).unwrap_or_default();
        for number in units {
            self.field.destroy(UnitId { seat, number });
        }
        let cities: Vec<Place> = self.field.world.cities_of(seat).collect();
        for at in cities {
            self.field.give(at, None);
            if let Some(city) = self.field.world.city_mut(at) {
                city.list.clear();
                (city.done, city.last) = (0, None);
                city.rally.clear();
            }
        }
        self.field.record(self.everybody(), What::Resigned(seat));
        self.out(seat, worth);
    }

    /// Lets a computer play for a seat from now on (§13).
    fn hand_to_computer(&mut self, seat: Seat) {
        if let Some(side) = self.field.world.side_mut(seat) {
            side.computer = true;
        }
        self.persons.retain(|s| *s != seat);
        self.field.record(self.everybody(), What::Abdicated(seat));
    }

    fn everybody(&self) -> u8 {
        self.field.world.seats().map(bit).fold(0, |all, one| all | one)
    }

    /// Cities and units of a seat.
    fn worth(&self, seat: Seat) -> (u32, u32) {
        let units = self.field.world.side(seat).map_or(0, |s| s.units.len());
        // There are a few hundred cities, and a few thousand units of a player.
        (self.field.world.cities_of(seat).count() as u32, units as u32)
    }

    fn out(&mut self, seat: Seat, worth: (u32, u32)) {
        let turn = self.field.world.turn;
        if let Some(side) = self.field.world.side_mut(seat)
            && side.out.is_none()
        {
            (side.out, side.worth) = (Some(turn), worth);
        }
    }

    /// The last player who is left has won.
    fn check_end(&mut self) {
        if matches!(self.stage, Stage::Over(_)) {
            return;
        }
        let playing = self.playing();
        match playing.as_slice() {
            [] => self.stage = Stage::Over(None),
            [one] => self.stage = Stage::Over(Some(*one)),
            // No person is left who would read about it (§20, G20).
            _ if self.peopled && !playing.iter().any(|s| self.persons.contains(s)) => {
                self.stage = Stage::Over(None);
            }
            _ => {}
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// Gives the orders of a card to units and cities. Returns the units that it names, in its
    /// order, and whether it ends with MORE.
    fn take(&mut self, seat: Seat, card: &CardText) -> (Vec<u16>, bool) {
        let world = &self.field.world;
        let entries = orders::read(&world.ground, &world.options, card);
        let (mut named, mut more) = (Vec::new(), false);
        // Orders are checked against the player's knowledge, as for the echo.
        let mut paper = Field::new(view::paper(world, seat));
        for order in entries.into_iter().filter_map(|e| e.read.ok()) {
            let check = Check { field: &paper, seat };
            match order {
                Order::More => more = true,
                Order::Close => more = false,
                Order::Leave { computer: false } => {
                    self.resign(seat);
                    return (Vec::new(), false);
                }
                Order::Leave { computer: true } => {
                    self.hand_to_computer(seat);
                    return (Vec::new(), false);
                }
                Order::Units(pick, tasks) => {
                    let Ok(meant) = check.units(&pick, &tasks) else { continue };
                    commands::assign(&mut paper, seat, &meant.able, &tasks);
                    commands::assign(&mut self.field, seat, &meant.able, &tasks);
                    named.extend(meant.able);
                }
                order => {
                    if check.other(&order).is_ok() {
                        commands::command(&mut self.field, seat, &order);
                    }
                }
            }
        }
        (orders::named(&named), more)
    }

    /// Plays one player's sitting, or a part of it.
    fn sit(&mut self, seat: Seat, part: u8, card: Option<&CardText>) {
        let (named, more) = card.map(|card| self.take(seat, card)).unwrap_or_default();
        if self.plays(seat) {
            let blocked =
                queue::moves_of(&mut self.field, seat, &named, &mut self.paths, self.dice);
            if more && part < self.field.world.options.parts {
                self.stage = Stage::Sitting { seat, part: part + 1 };
                return;
            }
            queue::give_up(&mut self.field, &blocked);
            self.end_turn(seat);
            for _ in 1..self.sitting {
                if !self.plays(seat) || self.is_over() {
                    break;
                }
                self.field.world.turn += 1;
                self.begin_turn(seat);
                let blocked =
                    queue::moves_of(&mut self.field, seat, &[], &mut self.paths, self.dice);
                queue::give_up(&mut self.field, &blocked);
                self.end_turn(seat);
            }
        }
        self.check_end();
        if !self.is_over() {
            self.hand_over(seat);
        }
    }

    /// Begins the next player's turn.
    fn hand_over(&mut self, seat: Seat) {
        let playing = self.playing();
        let next = playing.iter().copied().find(|s| *s > seat);
        let next = match next {
            Some(next) => {
                self.field.world.turn = self.first;
                next
            }
            None => {
                self.first += self.sitting;
                self.field.world.turn = self.first;
                self.sitting = sitting(&self.field.world);
                playing.first().copied().unwrap_or(seat)
            }
        };
        self.begin_turn(next);
        self.stage = Stage::Sitting { seat: next, part: 1 };
    }

    fn begin_turn(&mut self, seat: Seat) {
        moves::wake(&mut self.field, seat);
        // Nothing is finished in the first turn, because nothing was ordered before.
        if self.field.world.turn > 1 {
            moves::produce(&mut self.field, seat);
        }
    }

    fn end_turn(&mut self, seat: Seat) {
        moves::rest(&mut self.field, seat);
        let side = self.field.world.side(seat);
        let bare = side.is_some_and(|s| s.units.is_empty());
        if bare && self.field.world.cities_of(seat).next().is_none() && self.plays(seat) {
            self.field.record(self.everybody(), What::KnockedOut(seat));
            self.out(seat, (0, 0));
        }
    }

    /// Plays turns of everybody (§17).
    fn all(&mut self, cards: &BySeat<CardText>) {
        let mut named: BySeat<Vec<u16>> = BySeat::new();
        for seat in self.playing() {
            if let Some(card) = cards.get(&seat) {
                let (units, _) = self.take(seat, card);
                named.insert(seat, units);
            }
        }
        for _ in 0..self.sitting.max(1) {
            let (before, told) = (self.contacts(), self.field.events.len());
            let playing = self.playing();
            queue::impulses(&mut self.field, &playing, &named, &mut self.paths, self.dice);
            named.clear();
            for seat in self.playing() {
                self.end_turn(seat);
            }
            self.check_end();
            if self.is_over() {
                return;
            }
            self.field.world.turn += 1;
            for seat in self.playing() {
                self.begin_turn(seat);
            }
            let met = self.field.events[told..].iter().any(|e| match e.what {
                What::Sighted { owner, .. } => {
                    let seats = self.field.world.seats();
                    seats.filter(|s| e.to.0 & bit(*s) != 0).any(|s| !before.contains(&(s, owner)))
                }
                _ => false,
            });
            // Where everybody sees everything, there are no new sightings.
            if met && !self.field.open_to_all() {
                break;
            }
        }
        self.first = self.field.world.turn;
        self.sitting = sitting(&self.field.world);
    }

    /// The pairs of players of whom the first sees something of the second.
    fn contacts(&self) -> BTreeSet<(Seat, Seat)> {
        let seen = |seat: Seat| {
            let side = self.field.world.side(seat);
            let marks = side.into_iter().flat_map(|s| s.known.marks.values());
            marks.filter(|m| m.here).map(move |m| (seat, m.owner))
        };
        self.field.world.seats().flat_map(seen).collect()
    }
}
