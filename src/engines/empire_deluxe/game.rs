//! A game and its steps (§4, §13, §17): sittings of one player after the other, or turns of all
//! in impulses.

use engine::geometry::{PathFinder, Place};
use engine::press::{self, Letter};
use engine::{BySeat, CardText, Dice, Input, Seat, Setup, Sits, Stepped, graph};
use serde::{Deserialize, Serialize};

use super::check::Check;
use super::computer;
use super::event::{Event, What};
use super::field::{Field, bit};
use super::judge;
use super::orders::{self, Order, Pick, Task, Where};
use super::production;
use super::queue::{Done, ROUNDS};
use super::state::{UnitId, World};
use super::tables;
use super::view::{self, View};

/// What the open step is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    /// One player's sitting.
    Sitting {
        /// Whose.
        seat: Seat,
        /// The part of it, from 1.
        part: u8,
    },
    /// Turns of everybody.
    All,
    /// The game is over: who is left, if anybody is.
    Over(Option<Seat>),
}

/// A game.
///
/// Fields are saved by their names; a later one needs a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The world.
    pub world: World,
    /// What the open step is.
    pub stage: Stage,
    /// The first turn of the sittings that are played.
    pub first: u32,
    /// Turns of a sitting.
    pub sitting: u32,
    /// Whether a person has played: when none is left, the game stops (§20, G20).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub peopled: bool,
    /// Cities and units of each seat after each round of sittings, for the course of the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub course: Vec<Vec<(u32, u32)>>,
    /// What happened since the last card of each seat that is told of it, where one moves after
    /// the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub news: Vec<Event>,
}

impl State {
    /// Makes a game; the first player's first turn has begun.
    ///
    /// # Errors
    /// One sentence for each fault of options and data files.
    pub fn new(setup: &Setup, dice: &mut Dice) -> Result<(Self, Vec<Event>), Vec<String>> {
        let mut field = Field::new(World::new(setup, dice)?);
        field.look_around();
        let sitting = sitting(&field.world);
        let stage = match field.world.options.order {
            tables::Order::Sequential => Stage::Sitting { seat: Seat(1), part: 1 },
            tables::Order::Simultaneous => Stage::All,
        };
        Ok((Self::of(field.world, stage, sitting), field.events))
    }

    /// A game that stands so, with sittings that begin in the turn of the world.
    pub fn of(world: World, stage: Stage, sitting: u32) -> Self {
        let first = world.turn;
        let course = vec![Vec::new(); world.sides.len()];
        Self { world, stage, first, sitting, peopled: false, course, news: Vec::new() }
    }

    /// Whether a seat is still in the game.
    pub fn plays(&self, seat: Seat) -> bool {
        self.world.side(seat).is_some_and(|s| s.out.is_none())
    }

    /// Seats that are still in the game.
    pub fn playing(&self) -> Vec<Seat> {
        self.world.seats().filter(|s| self.plays(*s)).collect()
    }

    /// Seats that act in the open step.
    pub fn acting(&self) -> Vec<Seat> {
        match &self.stage {
            Stage::Sitting { seat, .. } => vec![*seat],
            Stage::All => self.playing(),
            Stage::Over(_) => Vec::new(),
        }
    }

    /// Whether a computer plays on for a player that has left.
    pub fn is_handed_over(&self, seat: Seat) -> bool {
        self.world.side(seat).is_some_and(|s| s.computer)
    }

    /// Seats whose cards hold the open step up.
    pub fn awaited(&self) -> Vec<Seat> {
        self.acting().into_iter().filter(|s| !self.is_handed_over(*s)).collect()
    }
}

/// Runs the open step.
pub fn step(state: State, input: &Input, dice: &mut Dice) -> Stepped<State, Event> {
    // Who has left to a computer has its card from there.
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
    let paths = PathFinder::default();
    let mut run = Run { field, stage, first, sitting, dice, paths, persons, peopled };
    run.leave(input);
    run.letters(&cards);
    let mut carried = BySeat::new();
    match run.stage.clone() {
        Stage::Sitting { seat, part } => {
            // Whatever it was told is old now.
            news.iter_mut().for_each(|e| e.to.0 &= !bit(seat));
            news.retain(|e| e.to.0 != 0);
            carried = run.carried(seat, &cards);
            run.sit(seat, part, cards.get(&seat));
        }
        Stage::All => run.all(&cards),
        Stage::Over(_) => {}
    }
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
            // A map has a few hundred cities, and a player a few thousand units.
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
    paths: PathFinder,
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

    /// Seats that nobody plays any more are given up (§13).
    fn leave(&mut self, input: &Input) {
        for seat in self.playing() {
            if input.sits(seat) == Sits::Left {
                self.resign(seat);
            }
        }
        self.check_end();
    }

    /// Letters of all cards go out: they need no turn of one's own.
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
                self.field.tell(to, What::Letter(letter));
            }
        }
    }

    /// Cards of who is not to move wait for their turn, without their letters.
    fn carried(&self, mover: Seat, cards: &BySeat<CardText>) -> BySeat<Vec<String>> {
        let waiting = cards.iter().filter(|(seat, _)| **seat != mover && self.plays(**seat));
        let lines = |card: &CardText| -> Vec<String> {
            press::split(card).1.lines.into_iter().map(|(_, text)| text).collect()
        };
        let all = waiting.map(|(seat, card)| (*seat, lines(card)));
        all.filter(|(_, lines)| !lines.is_empty()).collect()
    }

    /// All units of a seat are gone, and its cities are nobody's.
    fn resign(&mut self, seat: Seat) {
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
        self.field.tell(self.everybody(), What::Resigned(seat));
        self.out(seat);
    }

    /// A computer plays on for a seat from here on (§13).
    fn hand_to_computer(&mut self, seat: Seat) {
        if let Some(side) = self.field.world.side_mut(seat) {
            side.computer = true;
        }
        self.persons.retain(|s| *s != seat);
        self.field.tell(self.everybody(), What::Abdicated(seat));
    }

    fn everybody(&self) -> u8 {
        self.field.world.seats().map(bit).fold(0, |all, one| all | one)
    }

    fn out(&mut self, seat: Seat) {
        let turn = self.field.world.turn;
        if let Some(side) = self.field.world.side_mut(seat) {
            side.out.get_or_insert(turn);
        }
    }

    /// Who is left alone has won.
    fn check_end(&mut self) {
        if matches!(self.stage, Stage::Over(_)) {
            return;
        }
        let playing = self.playing();
        match playing.as_slice() {
            [] => self.stage = Stage::Over(None),
            [one] => self.stage = Stage::Over(Some(*one)),
            // Nobody would read of it (§20, G20).
            _ if self.peopled && !playing.iter().any(|s| self.persons.contains(s)) => {
                self.stage = Stage::Over(None);
            }
            _ => {}
        }
    }

    fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Over(_))
    }

    /// The orders of a card go to units and cities; gives the units that it names, in its order,
    /// and whether it ends with MORE.
    fn take(&mut self, seat: Seat, card: &CardText) -> (Vec<u16>, bool) {
        let world = &self.field.world;
        let entries = orders::read(&world.ground, &world.options, card);
        let (mut named, mut more) = (Vec::new(), false);
        // What is wrong is asked of what the player knows, as its echo did.
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
                    paper.assign(seat, &meant.able, &tasks);
                    self.field.assign(seat, &meant.able, &tasks);
                    named.extend(meant.able);
                }
                order => {
                    if check.other(&order).is_ok() {
                        self.field.command(seat, &order);
                    }
                }
            }
        }
        (judge::named(&named), more)
    }

    /// One player's sitting, or a part of it.
    fn sit(&mut self, seat: Seat, part: u8, card: Option<&CardText>) {
        let (named, more) = card.map(|card| self.take(seat, card)).unwrap_or_default();
        if self.plays(seat) {
            self.field.moves_of(seat, &named, &mut self.paths, self.dice);
            if more && part < self.field.world.options.parts {
                self.stage = Stage::Sitting { seat, part: part + 1 };
                return;
            }
            self.end_turn(seat);
            for _ in 1..self.sitting {
                if !self.plays(seat) || self.is_over() {
                    break;
                }
                self.field.world.turn += 1;
                self.begin_turn(seat);
                self.field.moves_of(seat, &[], &mut self.paths, self.dice);
                self.end_turn(seat);
            }
        }
        self.check_end();
        if !self.is_over() {
            self.hand_over(seat);
        }
    }

    /// The next player's turn begins.
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
        self.field.wake(seat);
        // Nothing is finished in the first turn: production was not ordered before.
        if self.field.world.turn > 1 {
            self.field.produce(seat);
        }
    }

    fn end_turn(&mut self, seat: Seat) {
        self.field.rest(seat);
        let side = self.field.world.side(seat);
        let bare = side.is_some_and(|s| s.units.is_empty());
        if bare && self.field.world.cities_of(seat).next().is_none() && self.plays(seat) {
            self.field.tell(self.everybody(), What::KnockedOut(seat));
            self.out(seat);
        }
    }

    /// Turns of everybody (§17).
    fn all(&mut self, cards: &BySeat<CardText>) {
        let mut named: BySeat<Vec<u16>> = BySeat::new();
        for seat in self.playing() {
            if let Some(card) = cards.get(&seat) {
                let (units, _) = self.take(seat, card);
                named.insert(seat, units);
            }
        }
        for _ in 0..self.sitting.max(1) {
            let before = self.contacts();
            let playing = self.playing();
            self.field.impulses(&playing, &named, &mut self.paths, self.dice);
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
            if self.contacts() > before {
                break;
            }
        }
        self.first = self.field.world.turn;
        self.sitting = sitting(&self.field.world);
    }

    /// Enemies that anybody sees.
    fn contacts(&self) -> usize {
        let seen = |seat: Seat| {
            let side = self.field.world.side(seat);
            side.map_or(0, |s| s.known.marks.values().filter(|m| m.here).count())
        };
        self.field.world.seats().map(seen).sum()
    }
}

impl Field {
    /// A turn of these seats in impulses (§17).
    pub fn impulses(
        &mut self,
        playing: &[Seat],
        named: &BySeat<Vec<u16>>,
        paths: &mut PathFinder,
        dice: &mut Dice,
    ) {
        let figures = self.world.options.kinds.values();
        let most = figures.map(|f| u32::from(f.moves)).max().unwrap_or(1).max(1);
        let turn = self.world.turn;
        let none = Vec::new();
        for impulse in 1..=most {
            let mut seats = playing.to_vec();
            dice.at([turn, impulse]).shuffle("impulse", &mut seats);
            for seat in seats {
                let order = self.order_of(seat, named.get(&seat).unwrap_or(&none));
                let mut blocked = Vec::new();
                for number in order {
                    let id = UnitId { seat, number };
                    if self.acts_in(id, impulse, most)
                        && self.impulse(id, paths, dice) == Done::Blocked
                    {
                        blocked.push(id);
                    }
                }
                for id in blocked {
                    if self.impulse(id, paths, dice) == Done::Blocked && impulse == most {
                        self.note_blocked(id);
                    }
                }
            }
        }
    }

    /// One step of a unit, with the ends of tasks before it.
    fn impulse(&mut self, id: UnitId, paths: &mut PathFinder, dice: &mut Dice) -> Done {
        let made = |field: &Self| field.unit(id).map_or(u8::MAX, |u| u.made);
        let before = made(self);
        for _ in 0..ROUNDS {
            let done = self.once(id, paths, dice);
            if done != Done::Acted || made(self) != before {
                return done;
            }
        }
        Done::Waits
    }

    /// The units of a seat in the order in which they act: those that its card names, then the
    /// others by number.
    fn order_of(&self, seat: Seat, named: &[u16]) -> Vec<u16> {
        let Some(side) = self.world.side(seat) else { return Vec::new() };
        let others = side.units.keys().filter(|n| !named.contains(n));
        named.iter().chain(others).copied().collect()
    }

    /// Whether a unit has a step in an impulse (§17.2).
    fn acts_in(&self, id: UnitId, impulse: u32, most: u32) -> bool {
        let Some(unit) = self.unit(id).filter(|u| u.left > 0) else { return false };
        let moves = u32::from(unit.left) + u32::from(unit.made);
        impulse * moves / most > (impulse - 1) * moves / most
    }

    /// All units of a seat act; who is blocked tries once more at the end.
    pub fn moves_of(&mut self, seat: Seat, named: &[u16], paths: &mut PathFinder, dice: &mut Dice) {
        let mut blocked = Vec::new();
        for number in self.order_of(seat, named) {
            let id = UnitId { seat, number };
            if self.act(id, paths, dice) == Done::Blocked {
                blocked.push(id);
            }
        }
        for id in blocked {
            if self.act(id, paths, dice) == Done::Blocked {
                self.note_blocked(id);
            }
        }
    }

    /// The numbers of the units that an order is for.
    pub fn picked(&self, seat: Seat, pick: &Pick) -> Vec<u16> {
        let Some(side) = self.world.side(seat) else { return Vec::new() };
        match pick {
            Pick::Numbers(spans) => {
                let all = spans.iter().flat_map(|(from, to)| side.units.range(*from..=*to));
                all.map(|(number, _)| *number).collect()
            }
            Pick::All(kind, place) => {
                let at = place.map(|p| self.square_of(seat, p));
                let grid = self.world.ground.grid;
                let fits = |(_, unit): &(&u16, &super::state::Unit)| {
                    let near = match at {
                        None => true,
                        Some(None) => false,
                        Some(Some(at)) => grid.distance(unit.at, at) == 0,
                    };
                    near && kind.is_none_or(|k| k == unit.kind)
                };
                side.units.iter().filter(fits).map(|(number, _)| *number).collect()
            }
        }
    }

    /// The square of what a player calls a place.
    pub fn square_of(&self, seat: Seat, place: Where) -> Option<Place> {
        match place {
            Where::Square(at) => Some(at),
            Where::City(number) => self.world.side(seat)?.known.city(number),
        }
    }

    /// A city of a seat by what it calls it.
    fn own_city(&mut self, seat: Seat, place: Where) -> Option<&mut super::state::City> {
        let at = self.square_of(seat, place)?;
        self.world.city_mut(at).filter(|c| c.owner == Some(seat))
    }

    /// Units have these orders from now on.
    pub fn assign(&mut self, seat: Seat, numbers: &[u16], tasks: &[Task]) {
        for number in numbers {
            let id = UnitId { seat, number: *number };
            if let Some(unit) = self.world.unit_mut(id) {
                unit.orders = tasks.to_vec();
                unit.blocked = 0;
            }
            self.ways.remove(&id);
        }
    }

    /// An order that is for no units takes effect.
    pub fn command(&mut self, seat: Seat, order: &Order) {
        match order.clone() {
            Order::Build(place, list) => {
                if let Some(city) = self.own_city(seat, place) {
                    production::order(city, list);
                }
            }
            Order::Default(kind) => {
                if let Some(side) = self.world.side_mut(seat) {
                    side.default = kind;
                }
            }
            Order::Rally(place, tasks) => {
                if let Some(city) = self.own_city(seat, place) {
                    city.rally = tasks;
                }
            }
            Order::Quota(number, places) => {
                if let Some(unit) = self.world.unit_mut(UnitId { seat, number }) {
                    unit.quota = Some(places);
                }
            }
            Order::NameUnit(number, name) => {
                if let Some(unit) = self.world.unit_mut(UnitId { seat, number }) {
                    unit.name = name;
                }
            }
            Order::NameCity(place, name) => {
                if let Some(at) = self.square_of(seat, place)
                    && let Some(side) = self.world.side_mut(seat)
                {
                    side.known.names.insert(at, name);
                }
            }
            Order::Units(..)
            | Order::Press(_)
            | Order::Leave { .. }
            | Order::More
            | Order::Close => {}
        }
    }
}

/// Turns of a sitting (§4): as many as no two players can meet in.
pub fn sitting(world: &World) -> u32 {
    let options = &world.options;
    if !options.sitting {
        return 1;
    }
    let playing: Vec<Seat> =
        world.seats().filter(|s| world.side(*s).is_some_and(|s| s.out.is_none())).collect();
    let sight = if options.advanced() { 2 } else { 1 };
    let mut least = options.turn.sitting;
    let grid = world.ground.grid;
    let places = |seat: Seat| -> Vec<Place> {
        let units = world.side(seat).map(|s| s.units.values().map(|u| u.at).collect::<Vec<_>>());
        world.cities_of(seat).chain(units.unwrap_or_default()).collect()
    };
    for (n, a) in playing.iter().enumerate() {
        let far = graph::distances(grid.len(), places(*a), |p| grid.near(p), |_, _| true);
        for b in &playing[n + 1..] {
            let apart = places(*b).into_iter().filter_map(|p| far[usize::from(p.0)]).min();
            let Some(apart) = apart else { continue };
            let speed = (fastest(world, *a) + fastest(world, *b)).max(1);
            least = least.min(apart.saturating_sub(sight + 1) / speed);
        }
    }
    least.clamp(1, options.turn.sitting)
}

/// The fastest that a seat has, or will have soon.
fn fastest(world: &World, seat: Seat) -> u32 {
    let options = &world.options;
    let moves = |kind| options.figure(kind).map_or(0, |f| u32::from(f.moves));
    let units = world.side(seat).map(|s| s.units.values().map(|u| moves(u.kind)).max());
    let base = production::base(world, seat);
    let soon = world.cities_of(seat).filter_map(|at| {
        let city = world.city(at)?;
        let kind = *city.list.first()?;
        let left = production::time(world, city, kind, base).saturating_sub(city.done);
        (left <= options.turn.within).then(|| moves(kind))
    });
    let foot = moves(options.edition.foot());
    soon.chain(units.flatten()).max().unwrap_or(0).max(foot)
}
