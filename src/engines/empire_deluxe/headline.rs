//! What a printout says first (§18), and the same for everybody when the game is over.

use std::collections::{BTreeMap, BTreeSet};

use engine::geometry::Place;
use engine::headline::{Draft, Weight, counted, sentence, some, some_spans, words};
use engine::report::{Line, Span};
use engine::{Headline, Seat};

use super::event::{Event, What};
use super::ground::Ground;
use super::kinds::Kind;
use super::stage::{Stage, State};
use super::view::View;
use super::words::kinds;

/// A reader who is nobody's seat: everything is told in the third person.
const EVERYBODY: Seat = Seat(u8::MAX);

/// The headline of a seat.
pub fn headline(view: &View) -> Headline {
    let teller = Teller { ground: &view.world.ground, view: Some(view), reader: view.seat };
    let mut draft = Draft::default();
    if let Stage::Over(winner) = &view.stage {
        let left = view.seats().any(|s| view.plays(s));
        teller.ending(&mut draft, *winner, left);
    }
    teller.turn(&mut draft, &view.events);
    let mut headline = draft.finish(standing(view, &teller), needs(view));
    if matches!(view.stage, Stage::Sitting { seat, .. } if seat != view.seat) {
        // What others did meanwhile is told in diaries when the reader is to move again.
        headline.told = 0;
    }
    headline
}

/// A step as everybody may read it.
pub fn chronicle(state: &State, events: &[Event]) -> Vec<Line> {
    let teller = Teller { ground: &state.world.ground, view: None, reader: EVERYBODY };
    let mut draft = Draft::default();
    if let Stage::Over(winner) = &state.stage {
        let left = state.world.sides.iter().any(|s| s.out.is_none());
        teller.ending(&mut draft, *winner, left);
    }
    teller.turn(&mut draft, events);
    draft.sentences()
}

struct Teller<'a> {
    ground: &'a Ground,
    /// Of whom the numbers and names of cities are; everybody has none.
    view: Option<&'a View>,
    reader: Seat,
}

/// What one side lost to another: units, and where.
#[derive(Default)]
struct Losses {
    kinds: Vec<Kind>,
    places: BTreeSet<Place>,
}

impl Teller<'_> {
    /// `Ravenna (city 3 at 12,5)`, as its reader calls it.
    fn city(&self, at: Place) -> Vec<Span> {
        let square = self.ground.called(at);
        let known = self.view.and_then(View::known);
        let number = known.and_then(|k| k.cities.get(&at)).map(|c| c.number);
        let name = known.and_then(|k| k.names.get(&at));
        match (number, name) {
            (Some(n), Some(name)) => {
                vec![Span::Chosen(name.clone()), words(format!(" (city {n} at {square})"))]
            }
            (Some(n), None) => vec![words(format!("city {n} at {square}"))],
            (None, _) => vec![words(format!("the city at {square}"))],
        }
    }

    fn actor(&self, seat: Seat) -> String {
        if seat == self.reader { "You".to_owned() } else { format!("Player {seat}") }
    }

    fn who(&self, seat: Seat) -> String {
        if seat == self.reader { "you".to_owned() } else { format!("player {seat}") }
    }

    /// Who has won and how.
    fn ending(&self, draft: &mut Draft, winner: Option<Seat>, left: bool) {
        match winner {
            Some(winner) => {
                let who = vec![words(format!("Player {winner} (")), Span::Player(winner)];
                let how = vec![words(") has won: nobody else is left.")];
                draft.say(Weight::End, sentence([who, how]));
            }
            None if left => {
                draft.say(
                    Weight::End,
                    "The game ends, for only computers are left; nobody has won.",
                );
            }
            None => draft.say(Weight::End, "The game ends, for nobody is left."),
        }
        if self.reader != EVERYBODY {
            let how = match winner == Some(self.reader) {
                true => "You have won this game.",
                false => "You have not won this game.",
            };
            draft.say(Weight::End, how);
        }
    }

    /// What happened, equal things joined.
    fn turn(&self, draft: &mut Draft, events: &[Event]) {
        let mut taken: BTreeMap<(Seat, Option<Seat>), BTreeMap<Place, Vec<Span>>> = BTreeMap::new();
        let mut losses: BTreeMap<(Seat, Seat), Losses> = BTreeMap::new();
        let mut sighted: BTreeMap<Seat, BTreeSet<Place>> = BTreeMap::new();
        let mut found: BTreeMap<Place, Vec<Span>> = BTreeMap::new();
        let (mut built, mut gone): (Vec<Kind>, Vec<Kind>) = Default::default();
        let mut writers: BTreeSet<String> = BTreeSet::new();
        for event in events {
            match &event.what {
                What::Captured { by, at, from, lost, .. } => {
                    taken.entry((*by, *from)).or_default().insert(*at, self.city(*at));
                    self.count(&mut losses, *at, *by, lost);
                }
                What::Fought { by, at, against, lost, .. } => {
                    let other = match against {
                        super::event::Against::Unit { owner, .. } => Some(*owner),
                        super::event::Against::City(owner) => *owner,
                    };
                    for (seat, kind) in lost {
                        // Whose unit ended ended by the other's.
                        let killer = if *seat == by.seat { other } else { Some(by.seat) };
                        if let Some(killer) = killer {
                            self.count(&mut losses, *at, killer, &[(*seat, *kind)]);
                        } else if *seat == self.reader {
                            gone.push(*kind);
                        }
                    }
                }
                What::Bombed { by, at, lost } => {
                    self.count(&mut losses, *at, *by, lost);
                    if lost.is_empty() {
                        let own = *by == self.reader;
                        let weight = if own { Weight::Won } else { Weight::OwnForces };
                        let who = vec![words(format!("{} bombed ", self.actor(*by)))];
                        let parts =
                            [who, self.city(*at), vec![words(" and what it was building.")]];
                        draft.say(weight, sentence(parts));
                    }
                }
                What::Sighted { at, owner, .. } => {
                    sighted.entry(*owner).or_default().insert(*at);
                }
                What::Found(at) => {
                    found.insert(*at, self.city(*at));
                }
                What::Built(_, kind, _) => built.push(*kind),
                What::Crashed(_, kind, _) => gone.push(*kind),
                What::Overboard(_, lost) => gone.extend(lost),
                What::KnockedOut(seat) | What::Resigned(seat) if *seat == self.reader => {
                    draft.say(Weight::End, "You have nothing left and are out of the game.");
                }
                What::KnockedOut(seat) => draft.say(
                    Weight::Others,
                    format!("Player {seat} has lost everything and is out of the game."),
                ),
                What::Resigned(seat) => draft.say(
                    Weight::Others,
                    format!("Player {seat} has left; the cities are nobody's."),
                ),
                What::Abdicated(seat) => draft
                    .say(Weight::Others, format!("Player {seat} has left; a computer plays on.")),
                What::Letter(letter) if self.reader != EVERYBODY => {
                    writers.insert(match letter.from {
                        Some(seat) => format!("Player {seat}"),
                        None => "Somebody without a name".to_owned(),
                    });
                }
                _ => {}
            }
        }
        self.hands(draft, taken);
        for ((by, of), lost) in losses {
            self.lost(draft, (by, of), &lost);
        }
        if self.reader == EVERYBODY {
            return;
        }
        if !gone.is_empty() {
            let what = kinds(gone.into_iter());
            draft.say(Weight::OwnForces, format!("You lost {what} without a fight."));
        }
        for (seat, places) in sighted {
            let (n, first) = (places.len(), places.first().map(|p| self.ground.called(*p)));
            let squares = counted(n as i64, "square", "squares");
            let first = first.unwrap_or_default();
            draft.say(
                Weight::Contact,
                format!("Player {seat} came into sight on {squares}, first at {first}."),
            );
        }
        if !writers.is_empty() {
            let writers: Vec<String> = writers.into_iter().collect();
            draft.say(Weight::Contact, format!("{} wrote to you.", some(&writers, "players")));
        }
        if !found.is_empty() {
            let names = some_spans(found.into_values().collect(), "cities");
            draft.say(
                Weight::Progress,
                sentence([vec![words("You found ")], names, vec![words(".")]]),
            );
        }
        if !built.is_empty() {
            let what = kinds(built.into_iter());
            draft.say(Weight::Progress, format!("Your cities finished {what}."));
        }
    }

    /// Notes units that ended by somebody.
    fn count(
        &self,
        losses: &mut BTreeMap<(Seat, Seat), Losses>,
        at: Place,
        by: Seat,
        lost: &[(Seat, Kind)],
    ) {
        for (of, kind) in lost.iter().filter(|(of, _)| *of != by) {
            let all = losses.entry((by, *of)).or_default();
            all.kinds.push(*kind);
            all.places.insert(at);
        }
    }

    fn lost(&self, draft: &mut Draft, (by, of): (Seat, Seat), lost: &Losses) {
        let places: Vec<String> = lost.places.iter().map(|p| self.ground.called(*p)).collect();
        let places = some(&places, "places");
        let what = kinds(lost.kinds.iter().copied());
        match () {
            () if of == self.reader => draft.say(
                Weight::OwnForces,
                format!("You lost {what} to {} at {places}.", self.who(by)),
            ),
            () => {
                let weight = if by == self.reader { Weight::Won } else { Weight::Others };
                let (by, of) = (self.actor(by), self.who(of));
                draft.say(weight, format!("{by} destroyed {what} of {of} at {places}."));
            }
        }
    }

    fn hands(
        &self,
        draft: &mut Draft,
        taken: BTreeMap<(Seat, Option<Seat>), BTreeMap<Place, Vec<Span>>>,
    ) {
        for ((by, from), cities) in taken {
            let names = some_spans(cities.into_values().collect(), "cities");
            if from == Some(self.reader) {
                let to = vec![words(format!(" to {}.", self.who(by)))];
                draft.say(Weight::OwnLoss, sentence([vec![words("You lost ")], names, to]));
                continue;
            }
            let own = by == self.reader || self.reader == EVERYBODY;
            let weight = if own { Weight::OwnGain } else { Weight::Others };
            let from = match from {
                Some(seat) => format!(" from {}.", self.who(seat)),
                None => ".".to_owned(),
            };
            let lead = vec![words(format!("{} took ", self.actor(by)))];
            draft.say(weight, sentence([lead, names, vec![words(from)]]));
        }
    }
}

/// How things stand.
fn standing(view: &View, teller: &Teller) -> Vec<Line> {
    let Some(side) = view.world.side(view.seat) else { return Vec::new() };
    let cities: Vec<Place> = view.world.cities_of(view.seat).collect();
    let (left, all) = (view.seats().filter(|s| view.plays(*s)).count(), view.seats().count());
    let percent = side.known.explored() * 100 / (view.world.ground.grid.len().max(1) as u32);
    let first = match (view.world.turn, cities.first()) {
        (..=1, Some(home)) => sentence([
            vec![words(format!("You are player {} of {all} and begin in ", view.seat))],
            teller.city(*home),
            vec![words(".")],
        ]),
        _ => format!(
            "You hold {} and have {}.",
            counted(cities.len() as i64, "city", "cities"),
            counted(side.units.len() as i64, "unit", "units")
        )
        .into(),
    };
    let third = match view.world.turn {
        ..=1 => "First choose what your city builds, and explore.".to_owned(),
        _ => format!("Players still in the game: {left} of {all}."),
    };
    vec![first, format!("You have explored {percent} % of the world.").into(), third.into()]
}

/// What needs orders: units that stand, cities that build nothing.
fn needs(view: &View) -> Vec<Line> {
    let Some(side) = view.world.side(view.seat).filter(|_| view.moves()) else {
        return Vec::new();
    };
    let mut needs: Vec<Line> = Vec::new();
    let builds_nothing = |at: &Place| view.world.city(*at).is_some_and(|c| c.list.is_empty());
    let idle: Vec<Place> = view.world.cities_of(view.seat).filter(builds_nothing).collect();
    if !idle.is_empty() {
        let numbers = |at: &Place| view.known().and_then(|k| k.cities.get(at)).map(|c| c.number);
        let numbers: Vec<u16> = idle.iter().filter_map(numbers).collect();
        let what = if idle.len() == 1 { "City" } else { "Cities" };
        let builds = if idle.len() == 1 { "builds" } else { "build" };
        needs.push(format!("{what} {} {builds} nothing.", first_of(&numbers)).into());
    }
    let waits: Vec<u16> = side
        .units
        .iter()
        .filter(|(_, u)| u.orders.is_empty() && u.aboard.is_none() && u.kind != Kind::Ab)
        .map(|(n, _)| *n)
        .collect();
    if !waits.is_empty() {
        let what = counted(waits.len() as i64, "unit has", "units have");
        needs.push(format!("Orders are missing: {what} none ({}).", first_of(&waits)).into());
    }
    needs
}

/// Numbers, the first of many.
fn first_of(numbers: &[u16]) -> String {
    const LISTED: usize = 10;
    let shown = super::words::spans(&numbers[..numbers.len().min(LISTED)]);
    match numbers.len().saturating_sub(LISTED) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
