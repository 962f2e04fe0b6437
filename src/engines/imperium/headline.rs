//! The headline of a printout (§15), and the public report of a step once the game is over.

use crate::Imperium;
use engine::headline::{Draft, Weight};
use engine::report::{Gap, Line, Span};
use engine::{Headline, Headlines};
use tongue::{count, say};

use super::board::{Board, Marker, Spot};
use super::event::{Event, Part, What};
use super::galaxy::Planet;
use super::kinds::Side;
use super::state::{End, Pause, Stage, State, Why};
use super::view::{Scene, View};
use super::{ground, space};

impl Headlines for Imperium {
    fn headline(view: &View) -> Headline {
        headline(view)
    }

    fn chronicle(state: &State, events: &[Event]) -> Vec<Line> {
        chronicle(state, events)
    }
}

/// The headline of a seat.
pub fn headline(view: &View) -> Headline {
    let teller = Teller { board: &view.board, reader: Some(view.side) };
    let mut draft = Draft::default();
    if let Scene::Over(end) = &view.scene {
        teller.ending(&mut draft, end);
    }
    teller.turn(&mut draft, &view.events);
    draft.finish(standing(view), needs(view))
}

/// The public report of a step.
pub fn chronicle(state: &State, events: &[Event]) -> Vec<Line> {
    let teller = Teller { board: &state.board, reader: None };
    let mut draft = Draft::default();
    if let Stage::Over(end) = &state.stage {
        teller.ending(&mut draft, end);
    }
    teller.turn(&mut draft, events);
    draft.sentences()
}

struct Teller<'a> {
    board: &'a Board,
    /// The side that reads; `None`: everybody, so texts are in the third person.
    reader: Option<Side>,
}

impl Teller<'_> {
    /// `Sol (8)`, `Sol (8/2)`.
    fn planet(&self, planet: Planet) -> String {
        format!("{} ({planet})", self.board.galaxy.name(planet.system))
    }

    fn spot(&self, spot: Spot) -> String {
        match spot {
            Spot::System(system) => {
                say!("at {name} ({system})", name = self.board.galaxy.name(system))
            }
            Spot::Lane { .. } => say!("in open space"),
        }
    }

    fn own(&self, side: Side) -> bool {
        self.reader == Some(side)
    }

    /// The winner and how it won.
    fn ending(&self, draft: &mut Draft, end: &End) {
        let Some(winner) = end.winner else {
            draft.add(Weight::End, say!("The war ends as a truce: nobody has won."));
            return;
        };
        let (side, player) = (winner.the_side(), Gap(0));
        let text = match end.why {
            Why::Glory => say!("{side} ({player}) has won, by Glory."),
            Why::Homes => say!("{side} ({player}) has won, for the enemy's homes are taken."),
            Why::Left => say!("{side} ({player}) has won, for the other has given up."),
            Why::Turns | Why::Truce => {
                say!("{side} ({player}) has won, at the end of the last turn.")
            }
        };
        draft.add(Weight::End, Line::filled(&text, [Span::Player(winner.seat())]));
        if let Some(reader) = self.reader {
            draft.add(
                Weight::End,
                match reader == winner {
                    true => say!("You have won this game."),
                    false => say!("You have lost this game."),
                },
            );
        }
    }

    fn turn(&self, draft: &mut Draft, events: &[Event]) {
        let (mut letters, mut moved) = (false, Vec::new());
        let (mut before, mut after): (Option<i32>, i32) = (None, 0);
        let mut captured: [Vec<String>; 2] = Default::default();
        for event in events {
            match &event.what {
                What::Battle(story) => self.battle(draft, story),
                What::Ground(story) => match story.captured {
                    // The owner of the marker may be the side that invaded last.
                    Some((owner, _)) => {
                        let planet = self.planet(story.planet);
                        captured[owner.other().i()].push(planet);
                    }
                    None => self.ground(draft, story),
                },
                What::Glory(_, change, now) => {
                    before = before.or(Some(now - change));
                    after = *now;
                }
                What::Moved { side, path, .. } if self.reader.is_some_and(|r| r != *side) => {
                    if let Some(at) = path.last() {
                        let name = format!("{} ({at})", self.board.galaxy.name(*at));
                        if !moved.contains(&name) {
                            moved.push(name);
                        }
                    }
                }
                What::Letter(_) if self.reader.is_some() => letters = true,
                What::Said(text) if event.part == Part::War => {
                    draft.add(Weight::Others, text.localized().into_owned());
                }
                _ => {}
            }
        }
        for (side, planets) in Side::BOTH.into_iter().zip(captured) {
            if planets.is_empty() {
                continue;
            }
            let planets = some(&planets, |first, second, n| {
                count!(
                    n,
                    "{first}, {second} and {n} more planet",
                    "{first}, {second} and {n} more planets"
                )
            });
            let lost = self.own(side.other());
            let text = match (lost, self.own(side), side) {
                (true, _, Side::Terran) => say!("You lost {planets} to the Terran side."),
                (true, _, Side::Imperial) => say!("You lost {planets} to the Imperial side."),
                (_, true, Side::Terran) => say!("You took {planets} from the Imperial side."),
                (_, true, Side::Imperial) => say!("You took {planets} from the Terran side."),
                (_, _, Side::Terran) => {
                    say!("The Terran side took {planets} from the Imperial side.")
                }
                (_, _, Side::Imperial) => {
                    say!("The Imperial side took {planets} from the Terran side.")
                }
            };
            draft.add(if lost { Weight::OwnLoss } else { Weight::OwnGain }, text);
        }
        if letters {
            draft.add(Weight::Contact, say!("The enemy wrote to you."));
        }
        if !moved.is_empty() {
            let systems = some(&moved, |first, second, n| {
                count!(
                    n,
                    "{first}, {second} and {n} more system",
                    "{first}, {second} and {n} more systems"
                )
            });
            draft.add(Weight::Contact, say!("The enemy moved to {systems}."));
        }
        if let Some(before) = before.filter(|b| *b != after) {
            draft.add(Weight::Progress, say!("Glory went from {before} to {after}."));
        }
    }

    fn battle(&self, draft: &mut Draft, story: &space::Story) {
        let place = self.spot(story.spot);
        let Some(loser) = story.loser else {
            draft.add(Weight::Contact, say!("The battle {place} goes on."));
            return;
        };
        let winner = loser.other();
        let lost = |side: Side| {
            let n = story.lost[side.i()];
            count!(n, "{n} Resource", "{n} Resources")
        };
        let (theirs, ours) = (lost(loser), story.lost[winner.i()]);
        let (weight, text) = match () {
            () if self.own(loser) => (
                Weight::OwnForces,
                say!(
                    "You lost the battle {place}: you lost {own}, they lost {other}.",
                    own = theirs,
                    other = ours
                ),
            ),
            () if self.own(winner) => (
                Weight::Won,
                say!("You won the battle {place}: they lost {theirs}, you lost {ours}."),
            ),
            () => (
                Weight::Won,
                say!(
                    "{side} won the battle {place}, for {own} against {theirs}.",
                    side = winner.the_side(),
                    own = lost(winner)
                ),
            ),
        };
        draft.add(weight, text);
    }

    /// A planetary battle without a capture.
    fn ground(&self, draft: &mut Draft, story: &ground::Story) {
        let planet = self.planet(story.planet);
        let (own, side) = (self.own(story.invader), story.invader.the_side());
        // Units that were shot down on the way have attacked, too.
        let landed =
            [story.landed.len(), story.fights.len(), story.fire.len()].iter().any(|n| *n > 0);
        let left = |side: Side| story.left().any(|id| id.side == side);
        match () {
            () if !story.evacuated.is_empty() => {
                let weight = if own { Weight::OwnForces } else { Weight::Won };
                draft.add(
                    weight,
                    match own {
                        true => say!("You left {planet}."),
                        false => say!("{side} left {planet}."),
                    },
                );
            }
            () if story.disputed => {
                draft.add(Weight::Contact, say!("The fight for {planet} goes on."));
            }
            () if landed && left(story.invader) && !left(story.invader.other()) => {
                self.won_ground(draft, story);
            }
            () if landed && own => {
                draft.add(Weight::OwnForces, say!("You attacked {planet} in vain."));
            }
            () if landed => {
                let holder = story.invader.other();
                draft.add(
                    Weight::Won,
                    match self.own(holder) {
                        true => say!("You held {planet} against an attack."),
                        false => {
                            let side = holder.the_side();
                            say!("{side} held {planet} against an attack.")
                        }
                    },
                );
            }
            () if story.bombardment.is_some() => {
                let hurt = story.all_losses().any(|l| l.id.side == story.invader.other());
                let weight = match own {
                    true => Weight::Won,
                    false if hurt && self.reader.is_some() => Weight::OwnForces,
                    false => Weight::Contact,
                };
                draft.add(
                    weight,
                    match own {
                        true => say!("You bombarded {planet}."),
                        false => say!("{side} bombarded {planet}."),
                    },
                );
            }
            () => {}
        }
    }

    /// A fight that the invader won on a planet without a marker.
    fn won_ground(&self, draft: &mut Draft, story: &ground::Story) {
        let planet = self.planet(story.planet);
        let (own, side) = (self.own(story.invader), story.invader.the_side());
        let (weight, text) = match (own, self.reader.is_some()) {
            (true, _) => (Weight::Won, say!("You won the fight for {planet}.")),
            (_, true) => (Weight::OwnForces, say!("You lost the fight for {planet}.")),
            (_, false) => (Weight::Won, say!("{side} won the fight for {planet}.")),
        };
        draft.add(weight, text);
    }
}

/// Names in a sentence. If there are more than three, `more` makes the text from the first two and
/// the number of the others.
fn some(names: &[String], more: impl Fn(&str, &str, usize) -> String) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => say!("{one} and {two}"),
        [one, two, three] => say!("{one}, {two} and {three}"),
        [one, two, rest @ ..] => more(one, two, rest.len()),
    }
}

/// The position in numbers.
fn standing(view: &View) -> Vec<Line> {
    let (board, side) = (&view.board, view.side);
    let held = |side: Side| {
        let n = board.held(side, Marker::World).len();
        let worlds = count!(n, "{n} World", "{n} Worlds");
        let n = board.held(side, Marker::Outpost).len();
        let outposts = count!(n, "{n} Outpost", "{n} Outposts");
        say!("{worlds} and {outposts}")
    };
    let n = board.fleets.keys().filter(|(of, _)| *of == side).count();
    let (held, theirs) = (held(side), held(side.other()));
    let fleets = count!(n, "{n} fleet", "{n} fleets");
    let glory = match (&view.scene, view.glory) {
        (Scene::Setup, n) => say!("Glory begins at {n}; first place your forces."),
        (_, n) => say!("Glory is {n}."),
    };
    let own = match side {
        Side::Terran => say!("You are the Terran side and hold {held}, with {fleets}."),
        Side::Imperial => say!("You are the Imperial side and hold {held}, with {fleets}."),
    };
    let other = side.other().the_side();
    vec![own.into(), say!("{other} holds {theirs}.").into(), glory.into()]
}

/// What needs orders.
fn needs(view: &View) -> Vec<Line> {
    if !view.awaited() {
        return Vec::new();
    }
    let need = match &view.scene {
        Scene::Over(_) => return Vec::new(),
        Scene::Setup => say!("Your forces are to be placed, or stay as they are."),
        Scene::Administration => {
            say!("Arrivals, building and plans of this turn are awaited.")
        }
        Scene::Action(open) => match open.pause {
            Pause::None => {
                let segment = open.segment;
                say!("Your plan of segment {segment} is awaited.")
            }
            Pause::Halt(_) => say!("The rest of the segment may be planned anew."),
            Pause::Round => say!("A battle goes on: your ships may do otherwise."),
            Pause::Turn => say!("Your next activation is awaited."),
        },
    };
    vec![need.into()]
}
