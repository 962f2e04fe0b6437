//! Standing orders and plans on file (§7.3, §12).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::board::Board;
use super::galaxy::{HOMES, Planet, System};
use super::kinds::{Class, Group, Kind, Name, UnitId};
use super::orders::{Act, Aims, Appeal, Cond, Fix, Piece, Stance, Stand};

/// Orders that stay until they are replaced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Resources of the stockpile for maintenance; `None`: all.
    pub stock: Option<u32>,
    /// Types that are maintained first.
    pub priority: Vec<Kind>,
    /// Units that are not maintained.
    pub skip: Vec<Name>,
    /// Stances that differ from the usual ones.
    pub stances: BTreeMap<Group, Stance>,
    /// Lists of targets that differ from the usual ones.
    pub targets: BTreeMap<Aims, Vec<Group>>,
    /// Systems to which a fleet retreats; `None` is for any fleet.
    pub retreats: BTreeMap<Option<u8>, Vec<System>>,
    /// Hexes of defenders on planets.
    pub posts: BTreeMap<(Planet, Name), u8>,
    /// Home worlds for arrivals.
    pub homes: Vec<System>,
    /// Units that a crisis takes and reinforcements bring, in order.
    pub removal: Vec<Piece>,
    /// Whether it moves first in a round in which it has the initiative.
    pub first: bool,
    /// Whether fighters on planets join space battles.
    pub fighters_join: bool,
    /// The number of destroyers that are revealed to scouts.
    pub scouts: u8,
    /// Whether it offers a truce.
    pub truce: bool,
}

impl Default for Standing {
    fn default() -> Self {
        Self {
            stock: None,
            priority: Vec::new(),
            skip: Vec::new(),
            stances: BTreeMap::new(),
            targets: BTreeMap::new(),
            retreats: BTreeMap::new(),
            posts: BTreeMap::new(),
            homes: Vec::new(),
            removal: Vec::new(),
            first: false,
            fighters_join: true,
            scouts: u8::MAX,
            truce: false,
        }
    }
}

/// Targets of beams and torpedoes, unless the orders change them.
const SPACE_TARGETS: [Group; 5] =
    [Group::Capital, Group::Light, Group::Monitor, Group::Auxiliary, Group::Type(Kind::F)];
/// Targets of surface combat, unless the orders change them.
const SURFACE_TARGETS: [Group; 4] =
    [Group::Type(Kind::JT), Group::Type(Kind::RT), Group::Type(Kind::PD), Group::Type(Kind::F)];

impl Standing {
    /// Whether there is room for an order: a planet has at most `most_posts` posts.
    pub fn has_room(&self, stand: &Stand, most_posts: usize) -> bool {
        let Stand::Post(planet, name, _) = stand else { return true };
        let there = self.posts.keys().filter(|p| p.0 == *planet).count();
        there < most_posts || self.posts.contains_key(&(*planet, *name))
    }

    /// Stores an order if there is room for it.
    pub fn set(&mut self, stand: &Stand, most_posts: usize) {
        if !self.has_room(stand, most_posts) {
            return;
        }
        match stand {
            Stand::Stock(n) => self.stock = *n,
            Stand::Priority(kinds) => self.priority = kinds.clone(),
            Stand::Skip(names) => self.skip = names.clone(),
            Stand::Stance(group, stance) => {
                self.stances.insert(*group, *stance);
            }
            Stand::Targets(aims, groups) => {
                self.targets.insert(*aims, groups.clone());
            }
            Stand::Retreat(fleet, systems) => {
                self.retreats.insert(*fleet, systems.clone());
            }
            Stand::Post(planet, name, hex) => {
                self.posts.insert((*planet, *name), *hex);
            }
            Stand::Homes(systems) => self.homes = systems.clone(),
            Stand::Removal(pieces) => self.removal = pieces.clone(),
            Stand::First(first) => self.first = *first,
            Stand::FightersJoin(join) => self.fighters_join = *join,
            Stand::Scouts(n) => self.scouts = *n,
            Stand::Truce(truce) => self.truce = *truce,
        }
    }

    /// The stance of a type in space battles: its own one, that of its group, or the usual one.
    pub fn stance(&self, kind: Kind, class: Class) -> Stance {
        let usual = match class {
            Class::Capital => Stance::Range(1),
            Class::Auxiliary => Stance::Away,
            _ => Stance::Range(0),
        };
        let group = match class {
            Class::Capital => Group::Capital,
            Class::Light => Group::Light,
            Class::Auxiliary => Group::Auxiliary,
            Class::Monitor => Group::Monitor,
            _ => Group::Type(Kind::F),
        };
        let own = self.stances.get(&Group::Type(kind)).or_else(|| self.stances.get(&group));
        own.copied().unwrap_or(usual)
    }

    /// The rank of a unit in a list of targets, the lowest first.
    pub fn rank(&self, aims: Aims, board: &Board, id: UnitId) -> usize {
        let (kind, class) = (id.kind(), board.class(id));
        let usual: &[Group] = match aims {
            Aims::Beams | Aims::Torpedoes => &SPACE_TARGETS,
            Aims::Surface => &SURFACE_TARGETS,
            Aims::Defence => &[],
        };
        let list = self.targets.get(&aims).map_or(usual, Vec::as_slice);
        list.iter().position(|g| g.has(kind, class)).unwrap_or(list.len())
    }

    /// Home worlds for arrivals, the best first (§5.1).
    pub fn home_worlds(&self) -> Vec<System> {
        let usual = [HOMES[0], HOMES[2], HOMES[1]].map(|p| p.system);
        let mut all = self.homes.clone();
        all.extend(usual);
        let mut seen = BTreeSet::new();
        all.retain(|s| usual.contains(s) && seen.insert(*s));
        all
    }
}

/// The action of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum What {
    /// Activates a system and carries out its orders, each with its line in the card.
    Activate(System, Vec<(u32, Act)>),
    /// Passes once.
    Wait,
    /// Stops the segment.
    Halt,
}

/// A block of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its line in the card.
    pub line: u32,
    /// The condition for it.
    pub cond: Cond,
    /// Its action.
    pub what: What,
    /// Whether it was done.
    pub used: bool,
}

/// What a seat has on file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filed {
    /// Orders that stay.
    pub standing: Standing,
    /// Plans of the segments 1 to 4.
    pub plans: [Vec<Block>; 4],
    /// Appeals for the next turn.
    pub appeals: Vec<(Appeal, Cond)>,
    /// Repairs of the next Close-Out.
    pub fixes: Vec<Fix>,
    /// Units to be scrapped then.
    pub scraps: Vec<Name>,
}
