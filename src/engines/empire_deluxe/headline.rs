//! The first sentences of a printout (§18), and those for everybody when the game is over.

use std::collections::{BTreeMap, BTreeSet};

use engine::geometry::Place;
use engine::headline::{Draft, Weight, some, some_spans};
use engine::report::{Gap, Line, Span};
use engine::{Headline, Headlines, Seat};
use tongue::{count, say};

use super::event::{Against, Event, What};
use super::ground::Ground;
use super::kinds::Kind;
use super::report::in_sight;
use super::stage::{Stage, State};
use super::view::View;
use super::words::kinds;
use crate::EmpireDeluxe;

impl Headlines for EmpireDeluxe {
    fn headline(view: &View) -> Headline {
        headline(view)
    }

    fn chronicle(state: &State, events: &[Event]) -> Vec<Line> {
        chronicle(state, events)
    }
}

/// A reader without a seat, who gets everything in the third person.
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
        // These are events between the player's own turns; a diary reports them in the steps of
        // others.
        headline.told = 0;
    }
    headline
}

/// The sentences about a step for everybody.
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
    /// The view with the reader's numbers and names of cities; `None` for everybody.
    view: Option<&'a View>,
    reader: Seat,
}

/// The units that one side lost to another, and where.
#[derive(Default)]
struct Losses {
    kinds: Vec<Kind>,
    places: BTreeSet<Place>,
}

/// Losses of the reader without another player.
#[derive(Default)]
struct Own {
    built: Vec<Kind>,
    /// Lost against a city that nobody holds.
    stormed: Vec<Kind>,
    /// Lost because their carrier no longer had room.
    overboard: Vec<Kind>,
    crashed: Vec<Kind>,
}

impl Teller<'_> {
    /// A city for its reader, such as `Ravenna (city 3 at 12,5)`.
    fn city(&self, at: Place) -> Vec<Span> {
        let square = self.ground.called(at);
        let known = self.view.and_then(View::known);
        let number = known.and_then(|k| k.cities.get(&at)).map(|c| c.number);
        let name = known.and_then(|k| k.names.get(&at));
        match (number, name) {
            (Some(n), Some(name)) => {
                let text = say!("{name} (city {n} at {square})", name = Gap(0));
                Line::filled(&text, [Span::Chosen(name.clone())]).0
            }
            (Some(n), None) => vec![Span::Plain(say!("city {n} at {square}"))],
            (None, _) => vec![Span::Plain(say!("the city at {square}"))],
        }
    }

    /// Says who has won and how.
    fn ending(&self, draft: &mut Draft, winner: Option<Seat>, left: bool) {
        match winner {
            Some(winner) => {
                let text =
                    say!("Player {winner} ({name}) has won: nobody else is left.", name = Gap(0));
                draft.add(Weight::End, Line::filled(&text, [Span::Player(winner)]));
            }
            None if left => {
                let text = say!("The game ends, for only computers are left; nobody has won.");
                draft.add(Weight::End, text);
            }
            None => draft.add(Weight::End, say!("The game ends, for nobody is left.")),
        }
        if self.reader != EVERYBODY {
            let how = match winner == Some(self.reader) {
                true => say!("You have won this game."),
                false => say!("You have not won this game."),
            };
            draft.add(Weight::End, how);
        }
    }

    /// Reports the events, with similar ones joined.
    fn turn(&self, draft: &mut Draft, events: &[Event]) {
        let mut taken: BTreeMap<(Seat, Option<Seat>), BTreeMap<Place, Vec<Span>>> = BTreeMap::new();
        let mut losses: BTreeMap<(Seat, Seat), Losses> = BTreeMap::new();
        let mut found: BTreeMap<Place, Vec<Span>> = BTreeMap::new();
        let mut own = Own::default();
        let mut attacked: BTreeMap<Place, Option<Seat>> = BTreeMap::new();
        let mut writers: BTreeSet<Option<Seat>> = BTreeSet::new();
        for event in events {
            match &event.what {
                What::Captured { by, at, from, lost, .. } => {
                    taken.entry((*by, *from)).or_default().insert(*at, self.city(*at));
                    self.count(&mut losses, *at, *by, lost);
                }
                What::Fought { by, at, against, lost, .. } => {
                    let other = match against {
                        Against::Unit { owner, .. } => Some(*owner),
                        Against::City(owner) => {
                            attacked.insert(*at, *owner);
                            *owner
                        }
                    };
                    for (seat, kind) in lost {
                        // The owner of a destroyed unit lost it to the other side of the fight.
                        let killer = if *seat == by.seat { other } else { Some(by.seat) };
                        if let Some(killer) = killer {
                            self.count(&mut losses, *at, killer, &[(*seat, *kind)]);
                        } else if *seat == self.reader {
                            // A city that nobody holds has no player to name.
                            own.stormed.push(*kind);
                        }
                    }
                }
                What::Bombed { by, at, lost } => {
                    self.count(&mut losses, *at, *by, lost);
                    if lost.is_empty() {
                        let of = attacked.get(at).copied().flatten();
                        self.bombed(draft, *at, *by, of);
                    }
                }
                What::Found(at) => {
                    found.insert(*at, self.city(*at));
                }
                What::Built(_, kind, _) => own.built.push(*kind),
                What::Crashed(_, kind, _) => own.crashed.push(*kind),
                What::Overboard(_, lost) => own.overboard.extend(lost),
                What::KnockedOut(_) | What::Resigned(_) | What::Abdicated(_) => {
                    self.left(draft, &event.what);
                }
                What::Letter(letter) => {
                    writers.insert(letter.from);
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
        self.alone(draft, &own);
        self.contacts(draft, writers);
        if !found.is_empty() {
            let cities = some_spans(found.into_values().collect(), &say!("cities"));
            draft.add(Weight::Progress, with(cities, |cities| say!("You found {cities}.")));
        }
        if !own.built.is_empty() {
            let what = kinds(own.built.into_iter());
            draft.add(Weight::Progress, say!("Your cities finished {what}."));
        }
    }

    /// Reports a city that was bombed without the loss of a unit; `of` held the city.
    fn bombed(&self, draft: &mut Draft, at: Place, by: Seat, of: Option<Seat>) {
        let weight = match self.reader {
            reader if by == reader => Weight::Won,
            reader if of == Some(reader) => Weight::OwnForces,
            _ => Weight::Others,
        };
        let line = with(self.city(at), |city| match by == self.reader {
            true => say!("You bombed {city} and what it was building."),
            false => say!("Player {by} bombed {city} and what it was building."),
        });
        draft.add(weight, line);
    }

    /// Reports players who are out or have left.
    fn left(&self, draft: &mut Draft, what: &What) {
        let (weight, text) = match what {
            What::KnockedOut(seat) if *seat == self.reader => {
                (Weight::End, say!("You have nothing left and are out of the game."))
            }
            What::Resigned(seat) if *seat == self.reader => {
                (Weight::End, say!("You have left; your cities are nobody's."))
            }
            What::Abdicated(seat) if *seat == self.reader => {
                (Weight::End, say!("You have left; a computer plays on for you."))
            }
            What::KnockedOut(seat) => {
                let text = say!("Player {seat} has lost everything and is out of the game.");
                (Weight::Others, text)
            }
            What::Resigned(seat) => {
                (Weight::Others, say!("Player {seat} has left; the cities are nobody's."))
            }
            What::Abdicated(seat) => {
                (Weight::Others, say!("Player {seat} has left; a computer plays on."))
            }
            _ => return,
        };
        draft.add(weight, text);
    }

    /// Reports the reader's losses that no other player caused, by cause.
    fn alone(&self, draft: &mut Draft, own: &Own) {
        let what = |lost: &[Kind]| kinds(lost.iter().copied());
        if !own.stormed.is_empty() {
            let what = what(&own.stormed);
            draft.add(Weight::OwnForces, say!("You lost {what} against cities that nobody holds."));
        }
        if !own.overboard.is_empty() {
            let what = what(&own.overboard);
            draft.add(Weight::OwnForces, say!("You lost {what} for want of room aboard."));
        }
        if !own.crashed.is_empty() {
            let what = what(&own.crashed);
            draft.add(Weight::OwnForces, say!("You lost {what} for want of fuel."));
        }
    }

    /// Reports players who came into sight with their present squares, and players who wrote.
    fn contacts(&self, draft: &mut Draft, writers: BTreeSet<Option<Seat>>) {
        let mut sighted: BTreeMap<Seat, BTreeSet<Place>> = BTreeMap::new();
        for ((seat, _), places) in self.view.map(in_sight).unwrap_or_default() {
            sighted.entry(seat).or_default().extend(places);
        }
        for (seat, places) in sighted {
            let places: Vec<String> = places.iter().map(|p| self.ground.called(*p)).collect();
            let places = some(&places, &say!("places"));
            draft.add(Weight::Contact, say!("Player {seat} came into sight at {places}."));
        }
        let unnamed = writers.contains(&None);
        let mut writers: Vec<String> =
            writers.into_iter().flatten().map(|seat| say!("Player {seat}")).collect();
        if unnamed && writers.is_empty() {
            draft.add(Weight::Contact, say!("Somebody without a name wrote to you."));
            return;
        }
        if unnamed {
            writers.push(say!("somebody without a name"));
        }
        if !writers.is_empty() {
            let who = some(&writers, &say!("players"));
            draft.add(Weight::Contact, say!("{who} wrote to you."));
        }
    }

    /// Counts the units that were lost to a player.
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
        let places = some(&places, &say!("places"));
        let what = kinds(lost.kinds.iter().copied());
        let (weight, text) = match self.reader {
            own if own == of => {
                (Weight::OwnForces, say!("You lost {what} to player {by} at {places}."))
            }
            own if own == by => {
                (Weight::Won, say!("You destroyed {what} of player {of} at {places}."))
            }
            _ => (Weight::Others, say!("Player {by} destroyed {what} of player {of} at {places}.")),
        };
        draft.add(weight, text);
    }

    fn hands(
        &self,
        draft: &mut Draft,
        taken: BTreeMap<(Seat, Option<Seat>), BTreeMap<Place, Vec<Span>>>,
    ) {
        for ((by, from), cities) in taken {
            let own = by == self.reader;
            let weight = match from {
                Some(from) if from == self.reader => Weight::OwnLoss,
                _ if own || self.reader == EVERYBODY => Weight::OwnGain,
                _ => Weight::Others,
            };
            let cities = some_spans(cities.into_values().collect(), &say!("cities"));
            let line = with(cities, |cities| match (own, from) {
                (_, Some(from)) if from == self.reader => say!("You lost {cities} to player {by}."),
                (true, None) => say!("You took {cities}."),
                (true, Some(from)) => say!("You took {cities} from player {from}."),
                (false, None) => say!("Player {by} took {cities}."),
                (false, Some(from)) => say!("Player {by} took {cities} from player {from}."),
            });
            draft.add(weight, line);
        }
    }
}

/// Sentences about the current position.
fn standing(view: &View, teller: &Teller) -> Vec<Line> {
    let Some(side) = view.world.side(view.seat) else { return Vec::new() };
    let cities: Vec<Place> = view.world.cities_of(view.seat).collect();
    let (left, all) = (view.seats().filter(|s| view.plays(*s)).count(), view.seats().count());
    let percent = side.known.explored() * 100 / (view.world.ground.grid.len().max(1) as u32);
    let first = match (view.world.turn, cities.first()) {
        (..=1, Some(home)) => {
            let seat = view.seat;
            with(teller.city(*home), |city| {
                say!("You are player {seat} of {all} and begin in {city}.")
            })
        }
        _ => {
            let cities = count!(n = cities.len(), "{n} city", "{n} cities");
            let units = count!(n = side.units.len(), "{n} unit", "{n} units");
            say!("You hold {cities} and have {units}.").into()
        }
    };
    let third = match view.world.turn {
        ..=1 => say!("First choose what your city builds, and explore."),
        _ => say!("Players still in the game: {left} of {all}."),
    };
    vec![first, say!("You have explored {percent} % of the world.").into(), third.into()]
}

/// What needs orders: idle units, and cities that build nothing.
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
        let text = count!(
            n = idle.len(),
            "City {numbers} builds nothing.",
            "Cities {numbers} build nothing.",
            numbers = first_of(&numbers)
        );
        needs.push(text.into());
    }
    let waits: Vec<u16> = side
        .units
        .iter()
        .filter(|(_, u)| u.orders.is_empty() && u.aboard.is_none() && u.kind != Kind::Ab)
        .map(|(n, _)| *n)
        .collect();
    if !waits.is_empty() {
        let text = count!(
            n = waits.len(),
            "Orders are missing: {n} unit has none ({numbers}).",
            "Orders are missing: {n} units have none ({numbers}).",
            numbers = first_of(&waits)
        );
        needs.push(text.into());
    }
    needs
}

/// A sentence with spans in it, such as the name that a player gave a city.
fn with(spans: Vec<Span>, sentence: impl FnOnce(&str) -> String) -> Line {
    // There are only a few.
    let gaps: String = (0..spans.len()).map(|n| Gap(n as u8).to_string()).collect();
    Line::filled(&sentence(&gaps), spans)
}

/// Numbers in a list that is cut when it is long.
fn first_of(numbers: &[u16]) -> String {
    const LISTED: usize = 10;
    let shown = super::words::spans(&numbers[..numbers.len().min(LISTED)]);
    match numbers.len().saturating_sub(LISTED) {
        0 => shown,
        more => say!("{shown} and {more} more"),
    }
}
