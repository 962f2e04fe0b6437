//! Works of engineers in a sector (§11): roads, forts, airbases; also radiation.

use serde::{Deserialize, Serialize};

use super::tables::{Class, Gates, Tables, Terrain};
use tongue::{count, mark, say, word};

/// The tasks of a K order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Task {
    /// Search ruins (§6).
    Search,
    /// Build a road.
    Road,
    /// Build a fort.
    Fort,
    /// Build an airbase.
    Airbase,
    /// Pull down the sector's works.
    PullDown,
}

impl Task {
    /// All tasks in the order of their numbers, from 1.
    pub const ALL: [Self; 5] =
        [Self::Search, Self::Road, Self::Fort, Self::Airbase, Self::PullDown];

    /// The task with this number.
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number).checked_sub(1)?).copied()
    }

    /// The tech level that allows the task.
    pub fn gate(self, gates: &Gates) -> u8 {
        match self {
            Self::Search => 1,
            Self::Road | Self::PullDown => gates.road,
            Self::Fort => gates.fort,
            Self::Airbase => gates.airbase,
        }
    }

    /// The name of its work, in English.
    pub fn name(self) -> &'static str {
        match self {
            Self::Search => mark!("search of ruins"),
            Self::Road => mark!("road"),
            Self::Fort => mark!("fort"),
            Self::Airbase => mark!("airbase"),
            Self::PullDown => mark!("pulling down"),
        }
    }
}

/// The works in a sector. Points stay, whoever added them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Works {
    /// Whether there is a road.
    pub road: bool,
    /// Whether there is a fort.
    pub fort: bool,
    /// Points of a road in work.
    pub road_points: u16,
    /// Points of a fort in work.
    pub fort_points: u16,
    /// Points of an airbase in work.
    pub base_points: u16,
    /// Whether the airbase in work is paid for.
    pub base_paid: bool,
}

impl Works {
    /// The points of a task so far.
    pub fn points(&self, task: Task) -> u16 {
        match task {
            Task::Road => self.road_points,
            Task::Fort => self.fort_points,
            Task::Airbase => self.base_points,
            Task::Search | Task::PullDown => 0,
        }
    }

    /// Adds points to a task in work.
    pub fn add(&mut self, task: Task, points: u16) {
        let sum = match task {
            Task::Road => &mut self.road_points,
            Task::Fort => &mut self.fort_points,
            Task::Airbase => &mut self.base_points,
            Task::Search | Task::PullDown => return,
        };
        *sum += points;
    }
}

/// What can be seen in a sector besides ground, units and cities.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// Works, done or begun.
    pub works: Works,
    /// Number and holder of an airbase that does not belong to a city.
    pub base: Option<(u16, u8)>,
    /// The last turn of radiation; 0 if there is none.
    pub hot_until: u32,
}

impl Site {
    /// Whether there is radiation in a turn.
    pub fn is_hot(&self, turn: u32) -> bool {
        self.hot_until >= turn
    }

    /// Cost of entering this sector over land, with its ground and the turn; `None` when closed to
    /// the class.
    pub fn cost(&self, tables: &Tables, class: Class, ground: Terrain, turn: u32) -> Option<u32> {
        if self.is_hot(turn) || ground == Terrain::Sea {
            return None;
        }
        match (self.works.road, class) {
            (true, Class::Inf | Class::Arm) => Some(1),
            _ => tables.land_cost(class, ground),
        }
    }
}

impl Site {
    /// The works, base and radiation in words: `road`, `fort (3 of 6)`, `airbase 31 of 4`,
    /// `radiation to turn 30`. The work points of a road depend on the ground.
    pub fn named(
        &self,
        tables: &Tables,
        ground: Option<Terrain>,
        seat: u8,
        turn: u32,
    ) -> Vec<String> {
        let mut parts = Vec::new();
        for (task, done) in [(Task::Road, self.works.road), (Task::Fort, self.works.fort)] {
            if done {
                parts.push(word(task.name()).into_owned());
            }
        }
        if let Some((number, holder)) = self.base {
            parts.push(match holder {
                h if h == seat => say!("your airbase {number}"),
                holder => say!("airbase of {holder}: {number}"),
            });
        }
        for task in [Task::Road, Task::Fort, Task::Airbase] {
            let needed = ground.map_or(0, |g| tables.work_points(task, g));
            let work = word(task.name());
            match self.works.points(task) {
                0 => {}
                n if needed == 0 => {
                    parts.push(count!(n, "{work} begun, {n} point", "{work} begun, {n} points"));
                }
                n => parts.push(say!("{work} begun, {n} of {needed} points")),
            }
        }
        if self.is_hot(turn) {
            parts.push(say!("radiation to turn {turn}", turn = self.hot_until));
        }
        parts
    }
}

impl Tables {
    /// Work points that a task needs on this ground.
    pub fn work_points(&self, task: Task, ground: Terrain) -> u16 {
        match task {
            Task::Road => self.ground(ground).road,
            Task::Fort => self.rules.works.fort_points,
            Task::Airbase => self.rules.works.base_points,
            Task::Search | Task::PullDown => 1,
        }
    }
}
