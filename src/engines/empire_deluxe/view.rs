//! What a player may know (§7): their own units and cities, what they have explored, enemies in
//! sight and where others were seen last.
//!
//! A view contains its own [`World`], the trial world, which has only what the player knows. So
//! orders can be tried on it by the code that runs them, and nothing can leak.

use engine::Seat;
use engine::geometry::Place;
use engine::press::Letter;

use super::event::{Event, Told, What};
use super::field::bit;
use super::ground::{Ground, Terrain};
use super::sight::Known;
use super::stage::{Stage, State};
use super::state::{City, Side, Unit, World};

/// What everybody may know of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicSide {
    /// The turn in which it left or was knocked out.
    pub out: Option<u32>,
}

/// What a player knows after the last step.
#[derive(Debug, Clone)]
pub struct View {
    /// The player.
    pub seat: Seat,
    /// The trial world.
    pub world: World,
    /// The open step.
    pub stage: Stage,
    /// Turns of a sitting.
    pub sitting: u32,
    /// Every player.
    pub sides: Vec<PublicSide>,
    /// The events of the last step that this player learns of.
    pub events: Vec<Event>,
}

impl View {
    /// The view of a seat.
    pub fn of(state: &State, events: &[Event], seat: Seat) -> Self {
        // A player who moves now gets everything since their last card.
        let moves = matches!(state.stage, Stage::Sitting { seat: mover, .. } if mover == seat);
        let events = if moves && !state.news.is_empty() { &state.news } else { events };
        let told = events.iter().filter(|e| e.to.0 & bit(seat) != 0).cloned().map(|mut event| {
            if let What::Letter(letter) = event.what {
                event.what = What::Letter(Letter { to: vec![seat], ..letter });
            }
            // Who else learns of it stays secret.
            Event { to: Told(bit(seat)), ..event }
        });
        let over = matches!(state.stage, Stage::Over(_));
        Self {
            seat,
            // When the game is over, everybody sees everything (§13).
            world: if over { state.world.clone() } else { paper(&state.world, seat) },
            stage: state.stage.clone(),
            sitting: state.sitting,
            sides: state.world.sides.iter().map(|s| PublicSide { out: s.out }).collect(),
            events: told.collect(),
        }
    }

    /// What the player knows.
    pub fn known(&self) -> Option<&Known> {
        self.world.side(self.seat).map(|s| &s.known)
    }

    /// Every seat.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        self.world.seats()
    }

    /// Whether there is a letter among the events.
    pub fn has_letters(&self) -> bool {
        self.events.iter().any(|e| matches!(e.what, What::Letter(_)))
    }

    /// Whether a seat is still in the game.
    pub fn plays(&self, seat: Seat) -> bool {
        let side = usize::from(seat.0).checked_sub(1).and_then(|n| self.sides.get(n));
        side.is_some_and(|s| s.out.is_none())
    }

    /// Whether this player's card is awaited.
    pub fn moves(&self) -> bool {
        match &self.stage {
            Stage::Sitting { seat, .. } => *seat == self.seat,
            Stage::All => self.plays(self.seat),
            Stage::Over(_) => false,
        }
    }
}

/// The world as a seat knows it. Squares that it has not seen are clear land there, which means
/// nothing.
pub fn paper(world: &World, seat: Seat) -> World {
    let Some(own) = world.side(seat) else { return world.clone() };
    let known = &own.known;
    let grid = world.ground.grid;
    let terrain = |at: Place| match known.has_seen(at) {
        true => world.ground.at(at),
        false => Terrain::Clear,
    };
    let ground = Ground::new(grid, grid.places().map(terrain).collect());
    let city = |at: &Place| {
        let seen = known.cities.get(at);
        match world.city(*at).filter(|c| c.owner == Some(seat)) {
            Some(own) => own.clone(),
            None => City { owner: seen.and_then(|c| c.owner), ..City::free() },
        }
    };
    let cities = ground.cities().iter().map(city).collect();
    let foot = world.options.edition.foot();
    let empty = || Side::new(grid.len(), foot);
    let mut sides: Vec<Side> = world
        .seats()
        .map(|s| if s == seat { own.clone() } else { Side { out: side_out(world, s), ..empty() } })
        .collect();
    for (at, mark) in known.marks.iter().filter(|(_, m)| m.here) {
        let Some(side) = sides.get_mut(usize::from(mark.owner.0).saturating_sub(1)) else {
            continue;
        };
        let Some(figure) = world.options.figure(mark.kind) else { continue };
        side.numbered += 1;
        let unit = Unit { left: 0, ..Unit::new(mark.kind, *at, figure) };
        side.units.insert(side.numbered, unit);
    }
    // The number of boardings by others is secret.
    let boarded = own.units.values().map(|u| u.boarded).max().unwrap_or(0);
    World { ground, cities, sides, boarded, options: world.options.clone(), ..*world }
}

fn side_out(world: &World, seat: Seat) -> Option<u32> {
    world.side(seat).and_then(|s| s.out)
}
