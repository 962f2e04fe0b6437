//! The map: systems, routes, planets (§3).

use engine::graph;
use serde::{Deserialize, Serialize};

/// The embedded map.
pub const EMBEDDED: &str = include_str!("../../../config/imperium/map.toml");

/// A system by its number, from 1; written with two digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct System(pub u8);

impl std::fmt::Display for System {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:02}", self.0)
    }
}

impl graph::Node for System {
    fn index(self) -> usize {
        usize::from(self.0.saturating_sub(1))
    }
}

/// A planet: its system and its number there, from 1; written `01.2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Planet {
    /// Its system.
    pub system: System,
    /// Its number.
    pub n: u8,
}

impl std::fmt::Display for Planet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.system, self.n)
    }
}

impl Planet {
    /// Reads `01.2`.
    pub fn read(word: &str) -> Option<Self> {
        let (system, n) = word.split_once('.')?;
        Some(Self { system: System(number(system)?), n: number(n)? })
    }
}

/// Parses a number that consists only of digits.
pub fn number(word: &str) -> Option<u8> {
    let plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| word.parse().ok()).flatten()
}

/// The type of a planet (§3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Ground {
    A1,
    A2,
    A3,
    N1,
    N2,
    N3,
    N4,
    X1,
}

impl Ground {
    /// Its code.
    pub fn code(self) -> &'static str {
        match self {
            Self::A1 => "A1",
            Self::A2 => "A2",
            Self::A3 => "A3",
            Self::N1 => "N1",
            Self::N2 => "N2",
            Self::N3 => "N3",
            Self::N4 => "N4",
            Self::X1 => "X1",
        }
    }

    /// Whether a World may be on it.
    pub fn is_a(self) -> bool {
        matches!(self, Self::A1 | Self::A2 | Self::A3)
    }

    /// Its type after terraforming, if that is possible (§11.3).
    pub fn terraformed(self) -> Option<Self> {
        match self {
            Self::N1 => Some(Self::A2),
            Self::N2 => Some(Self::A3),
            _ => None,
        }
    }
}

/// A row of the map file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its number.
    pub id: u8,
    /// Its name.
    pub name: String,
    /// The name of the real star.
    pub star: String,
    /// Its position in tenths of light years.
    pub pos: [i32; 3],
    /// Its planets; the first has number 1.
    pub planets: Vec<Ground>,
    /// Systems that routes lead to.
    pub routes: Vec<u8>,
    /// Column and row on the chart.
    pub at: [u16; 2],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    system: Vec<Row>,
}

/// The map of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Galaxy {
    /// The systems, indexed by their number minus 1.
    pub systems: Vec<Row>,
}

/// The Terran home world.
pub const SOL: Planet = Planet { system: System(1), n: 1 };
/// The Imperial home worlds: Dingir, Ishkur, Gashidda.
pub const HOMES: [Planet; 3] = [
    Planet { system: System(33), n: 1 },
    Planet { system: System(35), n: 1 },
    Planet { system: System(38), n: 1 },
];
/// The planets that the Imperial side must hold to win a campaign (§11.1).
pub const TERRAN_CORE: [Planet; 4] = [
    SOL,
    Planet { system: System(1), n: 2 },
    Planet { system: System(2), n: 1 },
    Planet { system: System(3), n: 1 },
];

impl Galaxy {
    /// Reads the map from the text of a file.
    ///
    /// # Errors
    /// One sentence for each fault.
    pub fn read(text: &str) -> Result<Self, Vec<String>> {
        let file: File =
            engine::data::from_toml(text).map_err(|e| vec![format!("map.toml: {e}")])?;
        let systems = file.system;
        let mut faults = Vec::new();
        for (n, row) in (1..).zip(&systems) {
            let id = row.id;
            if usize::from(id) != n {
                faults.push(format!("map.toml: system {n} of the list has the id {id}"));
            }
            if !(1..=9).contains(&row.planets.len()) {
                faults.push(format!("map.toml: system {id} has one to nine planets"));
            }
            for to in &row.routes {
                let back = systems.get(usize::from(*to).wrapping_sub(1));
                if *to == id || !back.is_some_and(|r| r.routes.contains(&id)) {
                    faults.push(format!("map.toml: no route leads back from {to} to {id}"));
                }
            }
        }
        let galaxy = Self { systems };
        for planet in HOMES.iter().chain(&TERRAN_CORE) {
            if galaxy.ground(*planet).is_none() {
                faults.push(format!("map.toml: there is no planet {planet}"));
            }
        }
        if galaxy.systems.len() > 99 {
            faults.push("map.toml: there are at most 99 systems".to_owned());
        }
        if faults.is_empty() { Ok(galaxy) } else { Err(faults) }
    }

    /// Every system.
    pub fn all(&self) -> impl Iterator<Item = System> + use<> {
        // There are at most 99.
        (1..=self.systems.len() as u8).map(System)
    }

    /// The row of a system.
    pub fn row(&self, at: System) -> Option<&Row> {
        self.systems.get(usize::from(at.0).checked_sub(1)?)
    }

    /// Its name.
    pub fn name(&self, at: System) -> &str {
        self.row(at).map_or("?", |r| r.name.as_str())
    }

    /// Its number and name.
    pub fn called(&self, at: System) -> String {
        format!("{at} {}", self.name(at))
    }

    /// Systems at the other ends of its routes, ascending.
    pub fn near(&self, at: System) -> impl Iterator<Item = System> + '_ {
        let routes = self.row(at).map(|r| r.routes.as_slice()).unwrap_or_default();
        routes.iter().map(|n| System(*n))
    }

    /// Whether a route joins two systems.
    pub fn joined(&self, a: System, b: System) -> bool {
        self.near(a).any(|n| n == b)
    }

    /// The printed type of a planet; `None`: there is none.
    pub fn ground(&self, planet: Planet) -> Option<Ground> {
        let n = usize::from(planet.n).checked_sub(1)?;
        self.row(planet.system)?.planets.get(n).copied()
    }

    /// The planets of a system.
    pub fn planets(&self, system: System) -> impl Iterator<Item = Planet> + use<> {
        // A system has at most nine planets.
        let count = self.row(system).map_or(0, |r| r.planets.len()) as u8;
        (1..=count).map(move |n| Planet { system, n })
    }

    /// Jumps from the nearest of some systems to each system, indexed by number minus 1, through
    /// systems that may be entered.
    pub fn jumps(
        &self,
        from: impl IntoIterator<Item = System>,
        enter: impl Fn(System) -> bool,
    ) -> Vec<Option<u32>> {
        graph::distances(self.systems.len(), from, |at| self.near(at), |_, to| enter(to))
    }

    /// The shortest path without its start; of equal paths, the one with the lowest numbers.
    pub fn path(&self, from: System, to: System) -> Option<Vec<System>> {
        let mut search = graph::Search::default();
        let len = self.systems.len();
        search.route(len, (from, to), |at| self.near(at), |_, _| Some(1), |_| 0)
    }

    /// Hexes of the lane between two systems: the least n with (163 n)² ≥ 100 d² (§6.3).
    pub fn lane(&self, a: System, b: System) -> Option<u32> {
        let (a, b) = (self.row(a)?.pos, self.row(b)?.pos);
        let square: i64 = a.iter().zip(b).map(|(a, b)| i64::from(a - b).pow(2)).sum();
        (1u32..).find(|n| (163 * i64::from(*n)).pow(2) >= 100 * square)
    }
}

/// Axial coordinates of the hexes 1 to 19 of a planet, a spiral (§3.1).
const SPIRAL: [(i8, i8); 19] = [
    (0, 0),
    (0, -1),
    (1, -1),
    (1, 0),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (0, -2),
    (1, -2),
    (2, -2),
    (2, -1),
    (2, 0),
    (1, 1),
    (0, 2),
    (-1, 2),
    (-2, 2),
    (-2, 1),
    (-2, 0),
    (-1, -1),
];

/// Whether two hexes of a planet, numbered from 1, touch.
pub fn hexes_touch(a: u8, b: u8) -> bool {
    let at = |n: u8| SPIRAL.get(usize::from(n).wrapping_sub(1));
    let (Some(a), Some(b)) = (at(a), at(b)) else { return false };
    let step = (b.0 - a.0, b.1 - a.1);
    [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)].contains(&step)
}
