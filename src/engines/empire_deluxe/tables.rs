//! Numbers and options of a game: read once, typed, kept in the State (§3, §15).

use std::collections::BTreeMap;

use engine::geometry::Grid;
use engine::options::{self, Chosen};
use engine::{Seat, Setup, Strength, data};
use serde::{Deserialize, Serialize, Serializer};

use super::kinds::{Edition, Kind};
use super::options::{MAP_FILE, ROWS};

/// The embedded files by name.
pub const DEFAULTS: [(&str, &str); 2] = [
    ("units.toml", include_str!("../../../config/empire-deluxe/units.toml")),
    ("rules.toml", include_str!("../../../config/empire-deluxe/rules.toml")),
];

/// The titles of players by the number of victories (§13).
pub const RANKS: [(u32, &str); 7] = [
    (0, tongue::mark!("Recruit")),
    (1, tongue::mark!("Sergeant")),
    (3, tongue::mark!("Lieutenant")),
    (6, tongue::mark!("Captain")),
    (10, tongue::mark!("Colonel")),
    (15, tongue::mark!("General")),
    (25, tongue::mark!("Emperor")),
];

/// The numbers of a kind of unit in an edition; the keys are explained in `units.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figure {
    /// Steps in a turn.
    pub moves: u8,
    /// Steps with a full tank; 0: it needs no fuel.
    pub range: u8,
    /// Hits that destroy it.
    pub damage: u8,
    /// Chance of a hit when it attacks, against the defense of the other.
    pub attack: u8,
    /// Chance of a hit when it is attacked.
    pub defense: u8,
    /// Damage of a hit.
    pub shot: u8,
    /// Turns to build the first; 0: no city builds it.
    pub turns: u32,
    /// Squares that it sees around itself.
    pub sight: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    kind: Kind,
    editions: String,
    moves: u8,
    range: u8,
    damage: u8,
    attack: u8,
    defense: u8,
    shot: u8,
    turns: u32,
    sight: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rows {
    unit: Vec<Row>,
}

/// A number for each edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByEdition {
    basic: u8,
    standard: u8,
    advanced: u8,
}

impl ByEdition {
    fn of(self, edition: Edition) -> u8 {
        match edition {
            Edition::Basic => self.basic,
            Edition::Standard => self.standard,
            Edition::Advanced => self.advanced,
        }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct CityRow {
    damage: u8,
    defense: u8,
    shot: u8,
    sight: ByEdition,
    sees_submarines: ByEdition,
}

/// The numbers of a city in a fight, and its sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CityFigure {
    /// Hits that take it.
    pub damage: u8,
    /// Its chance of a hit.
    pub defense: u8,
    /// Damage of a hit.
    pub shot: u8,
    /// Squares that it sees around itself.
    pub sight: u8,
    /// Squares in which it sees submarines.
    pub sees_submarines: u8,
}

/// Places of a carrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Places {
    /// Places of an undamaged carrier.
    pub places: u32,
    /// Places that each point of damage takes away.
    pub lost: u32,
}

/// Places of the two kinds of carriers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cargo {
    /// Of a transport.
    pub transport: Places,
    /// Of a carrier.
    pub carrier: Places,
}

/// Numbers of turns; the keys are explained in `rules.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnFigures {
    /// The most turns in one sitting.
    pub sitting: u32,
    /// Units that a city finishes within this many turns count as present.
    pub within: u32,
    /// How many turns the mark of an enemy stays after it was last seen.
    pub marks: u32,
    /// Turns that a unit waits before it gives up.
    pub blocked: u8,
}

/// How the efficiency of cities is drawn at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throws {
    /// The least.
    pub base: u32,
    /// How many throws are added.
    pub throws: u32,
    /// The most of each throw; the least is 0.
    pub faces: u32,
}

/// Numbers of efficiency, in percent; the keys are explained in `rules.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Efficiency {
    /// The least efficiency.
    pub least: u32,
    /// The most efficiency.
    pub most: u32,
    /// The efficiency that a city can reach by building nothing.
    pub improved: u32,
    /// The efficiency that a bomber leaves.
    pub bombed: u32,
    /// How efficiency is drawn at the start.
    pub start: Throws,
    /// One city in this many is specialised.
    pub specialised: u32,
    /// The time for the speciality of a city.
    pub fast: u64,
    /// The time for everything else in such a city.
    pub slow: u64,
    /// Units for each city that do not reduce production.
    pub crowded: u64,
    /// The least production of a crowded player, as a part of the handicap.
    pub floor: u64,
}

/// A ratio.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// The number of things.
    pub count: u32,
    /// The amount for which there are `count` things.
    pub per: u32,
}

/// Numbers of the world; the keys are explained in `rules.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WorldFigures {
    /// Cities in proportion to the sum of width and height.
    pub cities: Share,
    /// Percent of water.
    pub water: u32,
    /// Passes of averaging.
    pub smooth: u32,
    /// Percent of land that is mountain.
    pub mountain: u32,
    /// Percent of land that is rough.
    pub rough: u32,
    /// Percent of the rest that is forest.
    pub forest: u32,
    /// Cities for each river.
    pub city_rivers: u32,
    /// The cities of the worst start, as a percentage of the median start's cities.
    pub fair: u32,
}

/// Limits of cards and players; the keys are explained in `rules.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Orders on a card.
    pub orders: usize,
    /// Steps of a queue.
    pub queue: usize,
    /// Characters of a name.
    pub name: usize,
    /// Units of a production list.
    pub list: usize,
    /// Letters on a card.
    pub letters: usize,
    /// Lines of a letter.
    pub letter_lines: usize,
    /// Characters in a line of it.
    pub letter_columns: usize,
}

impl Limits {
    /// Lines and columns of a letter.
    pub fn letter(&self) -> (usize, usize) {
        (self.letter_lines, self.letter_columns)
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Size {
    width: u16,
    height: u16,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
struct Usual {
    sequential_hours: u32,
    turn_hours: u32,
    basic: Size,
    other: Size,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figures {
    city: CityRow,
    cargo: Cargo,
    turn: TurnFigures,
    efficiency: Efficiency,
    world: WorldFigures,
    limits: Limits,
    usual: Usual,
}

/// How turns follow each other (§4, §17).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// One player after the other.
    Sequential,
    /// All at once, in impulses.
    Simultaneous,
}

/// The options and numbers of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The edition.
    pub edition: Edition,
    /// How turns follow each other.
    pub order: Order,
    /// Whether several turns are played at a sitting while players are far apart.
    pub sitting: bool,
    /// The most parts in which a sequential turn may be sent.
    pub parts: u8,
    /// Columns and rows of the map.
    pub size: (u16, u16),
    /// Whether the first column borders on the last.
    pub wrap: bool,
    /// Production of each seat, in percent.
    pub handicaps: Vec<u32>,
    /// Whether players may write to each other.
    pub press: bool,
    /// Hours for a card.
    pub turn_hours: u32,
    /// How well computers play: one for all, or one a seat.
    #[serde(serialize_with = "saved_strengths")]
    pub computers: Vec<Strength>,
    /// The numbers of each kind of unit in this edition.
    pub kinds: BTreeMap<Kind, Figure>,
    /// The numbers of a city.
    pub city: CityFigure,
    /// Places of carriers.
    pub cargo: Cargo,
    /// Numbers of turns.
    pub turn: TurnFigures,
    /// Numbers of efficiency.
    pub efficiency: Efficiency,
    /// Numbers of the world.
    pub world: WorldFigures,
    /// Limits of cards and players.
    pub limits: Limits,
}

fn saved_strengths<S: Serializer>(all: &[Strength], to: S) -> Result<S::Ok, S::Error> {
    options::saved_as(all, ["novice", "normal", "expert"], to)
}

impl Options {
    /// How many cities are drawn on a map of this size (§2.2).
    pub fn cities_on(&self, grid: Grid) -> usize {
        let sum = u32::from(grid.cols) + u32::from(grid.rows);
        let share = self.world.cities;
        // There are at most a few hundred.
        ((share.count * sum + share.per / 2) / share.per.max(1)) as usize
    }

    /// The numbers of a kind; `None` where the edition does not have it.
    pub fn figure(&self, kind: Kind) -> Option<&Figure> {
        self.kinds.get(&kind)
    }

    /// Whether a city can build a kind at all.
    pub fn builds(&self, kind: Kind) -> bool {
        self.figure(kind).is_some_and(|f| f.turns > 0)
    }

    /// Whether the rules of the advanced edition hold.
    pub fn advanced(&self) -> bool {
        self.edition == Edition::Advanced
    }

    /// How well the computer of a seat plays.
    pub fn strength(&self, seat: Seat) -> Strength {
        Strength::of(&self.computers, seat, Strength::Hard)
    }

    /// Production of a seat, in percent.
    pub fn handicap(&self, seat: Seat) -> u32 {
        let own = self.handicaps.get(usize::from(seat.0).saturating_sub(1));
        own.or(self.handicaps.first()).copied().unwrap_or(100)
    }
}

/// Reads the options of a game.
///
/// # Errors
/// One sentence for each wrong option or data file.
pub fn read(setup: &Setup) -> Result<Options, Vec<String>> {
    let mut chosen = Chosen::new(ROWS, setup);
    let known = DEFAULTS.iter().copied().chain([(MAP_FILE, "")]).collect::<Vec<_>>();
    chosen.faults.extend(data::unknown(setup, &known, "Empire Deluxe"));
    let rows: Option<Rows> = data::file(setup, &DEFAULTS, "units.toml", &mut chosen.faults);
    let figures: Option<Figures> = data::file(setup, &DEFAULTS, "rules.toml", &mut chosen.faults);
    let (Some(rows), Some(figures)) = (rows, figures) else { return Err(chosen.faults) };
    let edition = chosen.word("edition", [Edition::Basic, Edition::Standard, Edition::Advanced]);
    let orders = [Order::Sequential, Order::Simultaneous];
    let order = chosen.word_or("order", orders, orders[usize::from(setup.seats > 2)]);
    let hours = match order {
        Order::Sequential => figures.usual.sequential_hours,
        Order::Simultaneous => figures.usual.turn_hours,
    };
    let usual_size = match edition {
        Edition::Basic => figures.usual.basic,
        Edition::Standard | Edition::Advanced => figures.usual.other,
    };
    let wrap = chosen.switch("wrap");
    if edition == Edition::Basic && wrap {
        chosen.faults.push("wrap: the map of the basic edition has edges".to_owned());
    }
    let world = WorldFigures {
        water: chosen.number_or("water", figures.world.water),
        smooth: chosen.number_or("smooth", figures.world.smooth),
        ..figures.world
    };
    let options = Options {
        edition,
        order,
        sitting: chosen.word("sitting", [true, false]),
        // At most 4, by the row of the option.
        parts: chosen.number("parts") as u8,
        size: size(&mut chosen, usual_size),
        wrap,
        handicaps: Some(chosen.numbers("handicap")).filter(|h| !h.is_empty()).unwrap_or(vec![100]),
        press: chosen.switch("press"),
        turn_hours: chosen.number_or("turn_hours", hours),
        computers: chosen.strengths(),
        kinds: kinds(&rows, edition, &mut chosen.faults),
        city: CityFigure {
            damage: figures.city.damage,
            defense: figures.city.defense,
            shot: figures.city.shot,
            sight: figures.city.sight.of(edition),
            sees_submarines: figures.city.sees_submarines.of(edition),
        },
        cargo: figures.cargo,
        turn: figures.turn,
        efficiency: figures.efficiency,
        world,
        limits: figures.limits,
    };
    match chosen.faults.is_empty() {
        true => Ok(options),
        false => Err(chosen.faults),
    }
}

fn kinds(rows: &Rows, edition: Edition, faults: &mut Vec<String>) -> BTreeMap<Kind, Figure> {
    let mut kinds = BTreeMap::new();
    for row in rows.unit.iter().filter(|r| r.editions.contains(edition.letter())) {
        let Row { kind, moves, range, damage, attack, defense, shot, turns, sight, .. } = *row;
        let figure = Figure { moves, range, damage, attack, defense, shot, turns, sight };
        if damage == 0 || shot == 0 || defense == 0 {
            faults.push(format!("units.toml: {} needs damage, defense and shot", kind.code()));
        }
        if kinds.insert(kind, figure).is_some() {
            faults.push(format!("units.toml: {} is there twice in an edition", kind.code()));
        }
    }
    if !kinds.contains_key(&edition.foot()) {
        let (foot, word) = (edition.foot().code(), edition.word());
        faults.push(format!("units.toml: the {word} edition needs {foot}"));
    }
    kinds
}

/// Columns and rows, as in `100x60`.
fn size(chosen: &mut Chosen, usual: Size) -> (u16, u16) {
    let Some(text) = chosen.text("size") else { return (usual.width, usual.height) };
    let lower = text.to_ascii_lowercase();
    let sides = lower.split_once('x').and_then(|(w, h)| {
        let side = |text: &str| text.trim().parse().ok().filter(|n| (20..=254).contains(n));
        Some((side(w)?, side(h)?))
    });
    sides.unwrap_or_else(|| {
        chosen.refuse("size");
        (usual.width, usual.height)
    })
}
