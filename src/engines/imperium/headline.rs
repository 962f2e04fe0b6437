//! What a printout says first (§15), and the same for everybody when the game is over.

use engine::Headline;
use engine::headline::{Draft, Weight, counted, sentence, some, words};
use engine::report::{Line, Span};

use super::board::{Board, Marker, Spot};
use super::event::{Event, Part, What};
use super::galaxy::Planet;
use super::kinds::Side;
use super::state::{End, Pause, Stage, State, Why};
use super::view::{Scene, View};
use super::{ground, space};

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

/// A step as everybody may read it.
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
    /// `None`: everybody, in the third person.
    reader: Option<Side>,
}

impl Teller<'_> {
    /// `Sol (8)`, `Sol (8/2)`.
    fn planet(&self, planet: Planet) -> String {
        format!("{} ({planet})", self.board.galaxy.name(planet.system))
    }

    fn spot(&self, spot: Spot) -> String {
        match spot {
            Spot::System(at) => format!("at {} ({at})", self.board.galaxy.name(at)),
            Spot::Lane { .. } => "in open space".to_owned(),
        }
    }

    fn own(&self, side: Side) -> bool {
        self.reader == Some(side)
    }

    /// `You`, `The Imperial side`.
    fn actor(&self, side: Side) -> String {
        if self.own(side) { "You".to_owned() } else { format!("The {} side", side.name()) }
    }

    fn who(&self, side: Side) -> String {
        if self.own(side) { "you".to_owned() } else { format!("the {} side", side.name()) }
    }

    /// Who has won and how.
    fn ending(&self, draft: &mut Draft, end: &End) {
        let Some(winner) = end.winner else {
            draft.say(Weight::End, "The war ends as a truce: nobody has won.");
            return;
        };
        let why = match end.why {
            Why::Glory => "by Glory",
            Why::Homes => "for the enemy's homes are taken",
            Why::Left => "for the other has given up",
            Why::Turns | Why::Truce => "at the end of the last turn",
        };
        let who = vec![
            words(format!("The {} side (", winner.name())),
            Span::Player(winner.seat()),
            words(format!(") has won, {why}.")),
        ];
        draft.say(Weight::End, sentence([who]));
        if let Some(reader) = self.reader {
            let how = if reader == winner { "won" } else { "lost" };
            draft.say(Weight::End, format!("You have {how} this game."));
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
                    Some(_) => {
                        let planet = self.planet(story.planet);
                        captured[story.invader.i()].push(planet);
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
                    draft.say(Weight::Others, text.clone());
                }
                _ => {}
            }
        }
        for (side, planets) in Side::BOTH.into_iter().zip(captured) {
            if planets.is_empty() {
                continue;
            }
            let planets = some(&planets, "planets");
            match self.own(side.other()) {
                true => {
                    let to = self.who(side);
                    draft.say(Weight::OwnLoss, format!("You lost {planets} to {to}."));
                }
                false => {
                    let (by, from) = (self.actor(side), self.who(side.other()));
                    draft.say(Weight::OwnGain, format!("{by} took {planets} from {from}."));
                }
            }
        }
        if letters {
            draft.say(Weight::Contact, "The enemy wrote to you.");
        }
        if !moved.is_empty() {
            let to = some(&moved, "systems");
            draft.say(Weight::Contact, format!("The enemy moved to {to}."));
        }
        if let Some(before) = before.filter(|b| *b != after) {
            draft.say(Weight::Progress, format!("Glory went from {before} to {after}."));
        }
    }

    fn battle(&self, draft: &mut Draft, story: &space::Story) {
        let at = self.spot(story.spot);
        let Some(loser) = story.loser else {
            draft.say(Weight::Contact, format!("The battle {at} goes on."));
            return;
        };
        let winner = loser.other();
        let lost = |side: Side| counted(story.lost[side.i()], "Resource", "Resources");
        let (weight, text) = match () {
            () if self.own(loser) => (
                Weight::OwnForces,
                format!(
                    "You lost the battle {at}: {} of yours, {} of theirs.",
                    lost(loser),
                    story.lost[winner.i()]
                ),
            ),
            () if self.own(winner) => (
                Weight::Won,
                format!(
                    "You won the battle {at}: {} of theirs, {} of yours.",
                    lost(loser),
                    story.lost[winner.i()]
                ),
            ),
            () => (
                Weight::Won,
                format!(
                    "The {} side won the battle {at}, for {} against {}.",
                    winner.name(),
                    lost(winner),
                    lost(loser)
                ),
            ),
        };
        draft.say(weight, text);
    }

    /// A planetary battle that took nothing.
    fn ground(&self, draft: &mut Draft, story: &ground::Story) {
        let planet = self.planet(story.planet);
        let invader = self.actor(story.invader);
        let landed = !story.landed.is_empty() || !story.fights.is_empty();
        match () {
            () if !story.evacuated.is_empty() => {
                let weight = if self.own(story.invader) { Weight::OwnForces } else { Weight::Won };
                draft.say(weight, format!("{invader} left {planet}."));
            }
            () if story.disputed => {
                draft.say(Weight::Contact, format!("The fight for {planet} goes on."));
            }
            () if landed && self.own(story.invader) => {
                draft.say(Weight::OwnForces, format!("You attacked {planet} in vain."));
            }
            () if landed => {
                let held = self.actor(story.invader.other());
                draft.say(Weight::Won, format!("{held} held {planet} against an attack."));
            }
            () if story.bombardment.is_some() => {
                let weight = if self.own(story.invader) { Weight::Won } else { Weight::Contact };
                draft.say(weight, format!("{invader} bombarded {planet}."));
            }
            () => {}
        }
    }
}

/// How things stand.
fn standing(view: &View) -> Vec<Line> {
    let (board, side) = (&view.board, view.side);
    let held = |side: Side| {
        let worlds = board.held(side, Marker::World).len() as i64;
        let outposts = board.held(side, Marker::Outpost).len() as i64;
        let worlds = counted(worlds, "World", "Worlds");
        format!("{worlds} and {}", counted(outposts, "Outpost", "Outposts"))
    };
    let fleets = board.fleets.keys().filter(|(of, _)| *of == side).count();
    let fleets = counted(fleets as i64, "fleet", "fleets");
    let glory = match (&view.scene, view.glory) {
        (Scene::Setup, n) => format!("Glory begins at {n}; first place your forces."),
        (_, n) => format!("Glory is {n}."),
    };
    vec![
        format!("You are the {} side and hold {}, with {fleets}.", side.name(), held(side)).into(),
        format!("The {} side holds {}.", side.other().name(), held(side.other())).into(),
        glory.into(),
    ]
}

/// What needs orders.
fn needs(view: &View) -> Vec<Line> {
    if !view.awaited() {
        return Vec::new();
    }
    let need = match &view.scene {
        Scene::Over(_) => return Vec::new(),
        Scene::Setup => "Your forces are to be placed, or stay as they are.".to_owned(),
        Scene::Administration => {
            "Arrivals, building and plans of this turn are awaited.".to_owned()
        }
        Scene::Action(open) => match open.pause {
            Pause::None => format!("Your plan of segment {} is awaited.", open.segment),
            Pause::Halt(_) => "The rest of the segment may be planned anew.".to_owned(),
            Pause::Round => "A battle goes on: your ships may do otherwise.".to_owned(),
            Pause::Turn => "Your next activation is awaited.".to_owned(),
        },
    };
    vec![need.into()]
}
