//! The contents of the map: armies, bombs, splats; empires and explosions (§2, §5.3, §5.4).

use std::collections::{BTreeSet, VecDeque};

use engine::Seat;
use engine::graph::{self, Areas, Node};
use serde::{Deserialize, Serialize};
use tongue::mark;

use super::map::{Category, Ground, Map, Place};

/// The two kinds of bombs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// A red one: one splat, one boundary of devastation.
    A,
    /// A white one: splats around, two boundaries of devastation.
    H,
}

impl Kind {
    /// Its name in English.
    pub fn name(self) -> &'static str {
        match self {
            Self::A => mark!("A-bomb"),
            Self::H => mark!("H-bomb"),
        }
    }
}

/// A bomb on its site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bomb {
    /// Its kind.
    pub kind: Kind,
    /// Its units: the boundaries that it may cross.
    pub units: u32,
}

/// The contents of a region.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Land {
    /// Its holder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<Seat>,
    /// Armies in it; 0 exactly if nobody holds it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub armies: u32,
    /// The bomb that is sited there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bomb: Option<Bomb>,
    /// Whether it is radioactive.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub splat: bool,
}

// serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// The effect of an explosion, including chains (§5.3).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blast {
    /// Regions that are radioactive from now on.
    pub splats: BTreeSet<Place>,
    /// Regions without armies and bombs after it.
    pub devastated: BTreeSet<Place>,
    /// Bombs that its chain sets off on their sites, in order.
    pub chain: Vec<(Place, Kind)>,
}

/// The map and its contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// The map.
    pub ground: Ground,
    /// Each region, by its place.
    pub lands: Vec<Land>,
}

impl Board {
    /// An empty board.
    pub fn new(ground: Ground) -> Self {
        let lands = vec![Land::default(); ground.len()];
        Self { ground, lands }
    }

    /// The map.
    pub fn map(&self) -> &Map {
        &self.ground
    }

    /// The contents of a region.
    pub fn land(&self, at: Place) -> &Land {
        &self.lands[at.index()]
    }

    fn land_mut(&mut self, at: Place) -> &mut Land {
        &mut self.lands[at.index()]
    }

    /// The holder of a region.
    pub fn owner(&self, at: Place) -> Option<Seat> {
        self.land(at).owner
    }

    /// Armies on a region.
    pub fn armies(&self, at: Place) -> u32 {
        self.land(at).armies
    }

    /// The bomb on a region.
    pub fn bomb(&self, at: Place) -> Option<Bomb> {
        self.land(at).bomb
    }

    /// Whether a seat holds a region.
    pub fn holds(&self, seat: Seat, at: Place) -> bool {
        self.owner(at) == Some(seat)
    }

    /// The regions of a seat, ascending.
    pub fn held(&self, seat: Seat) -> impl Iterator<Item = Place> + use<'_> {
        self.ground.places().filter(move |p| self.holds(seat, *p))
    }

    /// All armies of a seat.
    pub fn total(&self, seat: Seat) -> u32 {
        self.held(seat).map(|p| self.armies(p)).sum()
    }

    /// Whether a seat has an army.
    pub fn lives(&self, seat: Seat) -> bool {
        self.held(seat).next().is_some()
    }

    /// Sets the armies of a seat on a region; with 0 armies nobody holds the region.
    pub fn set(&mut self, at: Place, seat: Seat, armies: u32) {
        let land = self.land_mut(at);
        land.owner = (armies > 0).then_some(seat);
        land.armies = armies;
    }

    /// Adds armies to a region that a seat holds or takes.
    pub fn add(&mut self, at: Place, seat: Seat, armies: u32) {
        self.set(at, seat, self.armies(at).saturating_add(armies));
    }

    /// Takes armies from a held region; after the last one nobody holds it.
    pub fn remove(&mut self, at: Place, armies: u32) {
        if let Some(seat) = self.owner(at) {
            self.set(at, seat, self.armies(at).saturating_sub(armies));
        }
    }

    /// Puts a bomb on a site, or removes it.
    pub fn site(&mut self, at: Place, bomb: Option<Bomb>) {
        self.land_mut(at).bomb = bomb;
    }

    /// Adds a unit to the bomb on a site; the site has no bomb yet, or one of this kind.
    pub fn add_unit(&mut self, at: Place, kind: Kind) {
        let units = self.bomb(at).map_or(0, |b| b.units);
        self.site(at, Some(Bomb { kind, units: units.saturating_add(1) }));
    }

    /// The empire that a held region belongs to, ascending (§2); empty if nobody holds the region.
    pub fn empire(&self, at: Place) -> Vec<Place> {
        let Some(owner) = self.owner(at) else { return Vec::new() };
        let inside = graph::reached(
            self.lands.len(),
            [at],
            |p| self.ground.near(p),
            |_, p| self.holds(owner, p),
        );
        self.ground.places().filter(|p| inside[p.index()]).collect()
    }

    /// All empires of a seat, in the order of their lowest regions.
    pub fn empires(&self, seat: Seat) -> Vec<Vec<Place>> {
        let areas = Areas::of(
            self.lands.len(),
            self.ground.places(),
            |p| self.ground.near(p),
            |p| self.holds(seat, p),
        );
        let mut empires = vec![Vec::new(); areas.count()];
        for place in self.ground.places() {
            if let Some(area) = areas.at(place) {
                empires[area as usize].push(place);
            }
        }
        empires
    }

    /// Extra armies that an empire claims (§5.4).
    pub fn extra(&self, empire: &[Place]) -> u32 {
        let count = |category| {
            // An empire has at most all regions of the map.
            empire.iter().filter(|p| self.ground.category(**p) == category).count() as u32
        };
        1 + count(Category::MegaCity) + count(Category::Key) / 2 + count(Category::Rural) / 3
    }

    /// The effect of a bomb that goes off (§5.3). `left` is the region that the fired bomb comes
    /// from: it counts as a site without a bomb.
    pub fn blast(&self, site: Place, kind: Kind, left: Place) -> Blast {
        let mut blast = Blast::default();
        let mut gone = BTreeSet::from([left]);
        let mut queue = VecDeque::from([(site, kind)]);
        while let Some((at, kind)) = queue.pop_front() {
            let near: BTreeSet<Place> = self.ground.near(at).chain([at]).collect();
            blast.splats.insert(at);
            let mut area = near.clone();
            if kind == Kind::H {
                blast.splats.extend(&near);
                area.extend(near.iter().flat_map(|p| self.ground.near(*p)));
            }
            for place in area {
                blast.devastated.insert(place);
                if let Some(bomb) = self.bomb(place)
                    && gone.insert(place)
                {
                    blast.chain.push((place, bomb.kind));
                    queue.push_back((place, bomb.kind));
                }
            }
        }
        blast
    }

    /// Carries out an explosion. Returns the lost armies with their regions and seats.
    pub fn explode(&mut self, blast: &Blast) -> Vec<(Place, Seat, u32)> {
        let mut fallen = Vec::new();
        for place in &blast.devastated {
            let land = self.land_mut(*place);
            if let Some(owner) = land.owner {
                fallen.push((*place, owner, land.armies));
            }
            *land = Land { splat: land.splat || blast.splats.contains(place), ..Land::default() };
        }
        fallen
    }
}
