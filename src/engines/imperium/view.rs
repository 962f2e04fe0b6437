//! What a seat may know (§15): its own units, public facts, and what it saw. There is no field for
//! the enemy's plans, standing orders and conditions. The board holds no enemy units except those
//! that are open on the turn track.

use std::collections::{BTreeMap, BTreeSet};

use engine::Seat;

use super::board::Board;
use super::event::{Event, What};
use super::galaxy::Planet;
use super::kinds::{Side, UnitId};
use super::standing::Filed;
use super::state::{End, Pause, Peace, Sighting, Spotted, Stage, State, War};
use super::tables::Options;
use super::{ground, space};

/// The open step as everybody may know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scene {
    /// Both sides set up.
    Setup,
    /// Reinforcements and construction, and what follows them.
    Administration,
    /// A segment.
    Action(Open),
    /// The game is over.
    Over(End),
}

/// An open segment as everybody may know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// Its number.
    pub segment: u8,
    /// Whether the dice of initiative were rolled.
    pub rolled: bool,
    /// Activations left by side.
    pub left: [u8; 2],
    /// Activations done by side.
    pub done: [u8; 2],
    /// The side that acts next.
    pub to_act: Side,
    /// The reason why the step ended within it.
    pub pause: Pause,
    /// The battle in progress.
    pub battle: Option<space::Story>,
}

/// The knowledge of a seat after the last step.
#[derive(Debug, Clone)]
pub struct View {
    /// Its seat.
    pub seat: Seat,
    /// Its side.
    pub side: Side,
    /// The options.
    pub options: Options,
    /// The name of the first war.
    pub title: String,
    /// The present year.
    pub year: u32,
    /// The board with the seat's own units.
    pub board: Board,
    /// The seat's orders on file.
    pub filed: Filed,
    /// Its sightings of the enemy.
    pub known: BTreeMap<Spotted, Sighting>,
    /// The number of the open step.
    pub step: u32,
    /// The number of the war.
    pub war: u32,
    /// The turn of the war.
    pub turn: u32,
    /// The turn of the game.
    pub clock: u32,
    /// The peace, if there is one.
    pub peace: Option<Peace>,
    /// Glory.
    pub glory: i32,
    /// The kind of the open step.
    pub scene: Scene,
    /// Wars that are over.
    pub wars: Vec<War>,
    /// Glory and planets of both sides by turn.
    pub course: Vec<(i32, [u32; 2])>,
    /// Events of the last step that it knows.
    pub events: Vec<Event>,
}

impl View {
    /// The view of a seat.
    pub fn of(state: &State, events: &[Event], seat: Seat) -> Self {
        let side = Side::of(seat);
        let scene = match &state.stage {
            Stage::Setup => Scene::Setup,
            Stage::Administration => Scene::Administration,
            Stage::Action(a) => Scene::Action(Open {
                segment: a.segment,
                rolled: a.rolled,
                left: a.left,
                done: a.done,
                to_act: a.to_act,
                pause: a.pause,
                battle: a.battle.as_ref().map(|b| masked_battle(&b.story, side)),
            }),
            Stage::Over(end) => Scene::Over(*end),
        };
        let heard = |e: &Event| match e.to {
            Some(to) if to != side => None,
            _ => Some(Event { what: masked(&e.what, side), ..e.clone() }),
        };
        Self {
            seat,
            side,
            options: state.options.clone(),
            title: state.title.clone(),
            year: state.year_now(),
            board: state.board.seen_by(side, state.options.open_tracks),
            filed: state.filed[side.i()].clone(),
            known: state.known[side.i()].clone(),
            step: state.step,
            war: state.war,
            turn: state.turn,
            clock: state.clock,
            peace: state.peace,
            glory: state.glory,
            scene,
            wars: state.wars.clone(),
            course: state.course.iter().map(|m| (m.glory, m.planets)).collect(),
            events: events.iter().filter_map(heard).collect(),
        }
    }

    /// Whether the open step waits for the seat's card.
    pub fn awaited(&self) -> bool {
        match &self.scene {
            Scene::Over(_) => false,
            Scene::Action(open) if open.pause == Pause::Turn => open.to_act == self.side,
            _ => true,
        }
    }

    /// The segment of lines without `SEG`.
    pub fn segment(&self) -> u8 {
        match &self.scene {
            Scene::Action(open) => open.segment,
            _ => 1,
        }
    }

    /// Activations left by side.
    pub fn left(&self) -> [u8; 2] {
        match &self.scene {
            Scene::Action(open) => open.left,
            _ => [0, 0],
        }
    }

    /// Planets on which enemy units were seen.
    pub fn seen_planets(&self) -> BTreeSet<Planet> {
        let units = |(what, sighting): (&Spotted, &Sighting)| match what {
            Spotted::Planet(p) if !sighting.units.is_empty() => Some(*p),
            _ => None,
        };
        self.known.iter().filter_map(units).collect()
    }
}

/// An event as a side may know it, without the cargo of enemy ships and without the strength of
/// troops that did not fight.
fn masked(what: &What, viewer: Side) -> What {
    match what {
        What::Battle(story) => What::Battle(Box::new(masked_battle(story, viewer))),
        What::Ground(story) => What::Ground(Box::new(masked_ground(story, viewer))),
        other => other.clone(),
    }
}

fn masked_battle(story: &space::Story, viewer: Side) -> space::Story {
    let mut story = story.clone();
    for round in &mut story.rounds {
        for loss in round.beam_losses.iter_mut().chain(&mut round.torpedo_losses) {
            loss.cargo.retain(|id| id.side == viewer);
        }
    }
    story
}

fn masked_ground(story: &ground::Story, viewer: Side) -> ground::Story {
    let mut story = story.clone();
    let fought: BTreeSet<UnitId> =
        story.fights.iter().flat_map(|f| f.shots.iter().flat_map(|s| [s.by, s.at])).collect();
    let hide = |id: &mut UnitId| {
        if id.side != viewer && id.kind().is_troops() && !fought.contains(id) {
            id.name.n = 0;
        }
    };
    story.defenders.iter_mut().for_each(|(id, _)| hide(id));
    story.landed.iter_mut().for_each(|(id, _, _)| hide(id));
    story.moves.iter_mut().for_each(|(id, _, _)| hide(id));
    story.evacuated.iter_mut().for_each(hide);
    let bombed = story.bombardment.iter_mut().flat_map(|b| b.losses.iter_mut().chain(&mut b.hits));
    for loss in bombed.chain(&mut story.losses) {
        loss.cargo.retain(|id| id.side == viewer);
    }
    story
}
