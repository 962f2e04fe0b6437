//! What a map is made of: terrains and symbols with their looks.

use serde::{Deserialize, Serialize};

/// A colour of three channels from 0 to 15. A picture multiplies each by 17: with so few
/// colours, every one has its place in the palette of a PNG.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Tint([u8; 3]);

impl Tint {
    /// A colour of red, green and blue, 0 to 15 each; more counts as 15.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        const fn most(channel: u8) -> u8 {
            if channel > 15 { 15 } else { channel }
        }
        Self([most(red), most(green), most(blue)])
    }

    /// Red, green and blue, 0 to 15 each.
    pub fn channels(self) -> [u8; 3] {
        // A stored colour may come from another program.
        self.0.map(|c| c.min(15))
    }
}

/// Colours of players: the first few differ most, for every eye. They are told apart from
/// paper, grass, sand and sea.
const PLAYERS: [Tint; 24] = [
    Tint::new(4, 0, 14),
    Tint::new(14, 12, 2),
    Tint::new(5, 13, 15),
    Tint::new(10, 4, 0),
    Tint::new(0, 7, 6),
    Tint::new(14, 6, 10),
    Tint::new(9, 10, 8),
    Tint::new(4, 8, 15),
    Tint::new(5, 5, 7),
    Tint::new(10, 8, 5),
    Tint::new(9, 13, 8),
    Tint::new(15, 4, 0),
    Tint::new(3, 9, 9),
    Tint::new(6, 6, 12),
    Tint::new(11, 9, 12),
    Tint::new(14, 10, 11),
    Tint::new(8, 3, 4),
    Tint::new(8, 1, 9),
    Tint::new(8, 6, 9),
    Tint::new(6, 7, 4),
    Tint::new(9, 1, 1),
    Tint::new(10, 6, 7),
    Tint::new(9, 10, 15),
    Tint::new(14, 9, 5),
];

impl Tint {
    /// The colour of a seat in maps, charts and pages, where the game gives it none.
    pub fn of_seat(seat: crate::Seat) -> Self {
        PLAYERS[usize::from(seat.0).saturating_sub(1) % PLAYERS.len()]
    }
}

/// A small drawing by which a kind of terrain is known without its colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relief {
    /// The colour alone.
    #[default]
    None,
    /// A high angle.
    Peak,
    /// A low arc.
    Hill,
    /// A tall tree.
    Tree,
    /// A low tree.
    Bush,
    /// Short level strokes under each other.
    Reeds,
    /// Scattered short strokes.
    Dots,
}

/// How the side of a holder changes the colour of a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shades {
    /// Lighter where it is the reader's, darker where it is foreign; paler where the
    /// place is pale.
    #[default]
    Mixed,
    /// The holder does not show, as on open water.
    Same,
    /// Colours of its own, in the order nobody, own, ally, foreign.
    Given {
        /// Of usual places.
        plain: [Tint; 4],
        /// Of pale places.
        pale: [Tint; 4],
    },
}

/// What the ground of a place may be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terrain {
    /// A word for programs, in lower case; the same every turn.
    pub id: String,
    /// What readers call it.
    pub name: String,
    /// Its colour where nobody holds it.
    pub tint: Tint,
    /// Its small drawing.
    pub relief: Relief,
    /// How the side of a holder changes its colour.
    pub shades: Shades,
    /// Whether the legend of a picture tells of it; the usual ground needs no words.
    pub in_legend: bool,
    /// Whether it is water: nobody's, with a coast.
    #[serde(default)]
    pub water: bool,
}

impl Terrain {
    /// A terrain that the legend tells of, without relief, in mixed shades.
    pub fn new(id: &str, name: &str, tint: Tint) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            tint,
            relief: Relief::None,
            shades: Shades::Mixed,
            in_legend: true,
            water: false,
        }
    }
}

/// How something that stands on a map is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Shape {
    /// Crossed blades: something was fought over here.
    Battle,
    /// A plate with the piece's size in it and its name beside it.
    City,
    /// The piece's code; where there is room, its name, or the symbol's without one.
    Ruin,
    /// A counter with code and size: a box with both diagonals where it has no code.
    Army,
    /// A counter with code and size: a hull.
    Ship,
    /// A counter with code and size: a box with a point on each side.
    Plane,
    /// A star.
    Star,
    /// A burst.
    Bomb,
    /// A disc with the code in it.
    Circle,
    /// A square with the code in it.
    Square,
    /// A triangle with the code in it.
    Triangle,
    /// A diamond with the code in it.
    Diamond,
    /// A flag: something changed hands here.
    Flag,
    /// A counter of foot: both diagonals.
    Infantry,
    /// A counter of tanks: a track.
    Armour,
    /// A counter of foot on tracks: both.
    Mechanised,
    /// A counter of guns: a disc.
    Artillery,
    /// A counter of guns against aircraft: a dome.
    Flak,
    /// A counter of engineers: a bridge.
    Engineers,
    /// A counter of trucks: wheels below a bar.
    Trucks,
    /// A counter of foot that drops from the air: both diagonals below a gull.
    Paratroops,
    /// A counter of missiles: one that stands upright.
    Missile,
    /// A counter of submarines: a hull that lies low.
    Submarine,
    /// A counter of ships that carry: a high flat hull.
    Transport,
}

impl Shape {
    /// All shapes.
    pub const ALL: [Self; 24] = [
        Self::Battle,
        Self::City,
        Self::Ruin,
        Self::Army,
        Self::Ship,
        Self::Plane,
        Self::Star,
        Self::Bomb,
        Self::Circle,
        Self::Square,
        Self::Triangle,
        Self::Diamond,
        Self::Flag,
        Self::Infantry,
        Self::Armour,
        Self::Mechanised,
        Self::Artillery,
        Self::Flak,
        Self::Engineers,
        Self::Trucks,
        Self::Paratroops,
        Self::Missile,
        Self::Submarine,
        Self::Transport,
    ];

    /// Whether it is a counter, of which several may stand in a place.
    pub fn is_counter(self) -> bool {
        use Shape::*;
        match self {
            Army | Ship | Plane | Infantry | Armour | Mechanised | Artillery | Flak | Engineers
            | Trucks | Paratroops | Missile | Submarine | Transport => true,
            Battle | City | Ruin | Star | Bomb | Circle | Square | Triangle | Diamond | Flag => {
                false
            }
        }
    }

    /// Its word for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Battle => "battle",
            Self::City => "city",
            Self::Ruin => "ruin",
            Self::Army => "army",
            Self::Ship => "ship",
            Self::Plane => "plane",
            Self::Star => "star",
            Self::Bomb => "bomb",
            Self::Circle => "circle",
            Self::Square => "square",
            Self::Triangle => "triangle",
            Self::Diamond => "diamond",
            Self::Flag => "flag",
            Self::Infantry => "infantry",
            Self::Armour => "armour",
            Self::Mechanised => "mechanised",
            Self::Artillery => "artillery",
            Self::Flak => "flak",
            Self::Engineers => "engineers",
            Self::Trucks => "trucks",
            Self::Paratroops => "paratroops",
            Self::Missile => "missile",
            Self::Submarine => "submarine",
            Self::Transport => "transport",
        }
    }
}

/// What may stand on a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// A word for programs, in lower case; the same every turn.
    pub id: String,
    /// What readers call it.
    pub name: String,
    /// What its letters and figures mean, such as `type, size`; empty when it has none or
    /// they need no words.
    pub figures: String,
    /// How it is drawn.
    pub shape: Shape,
}

impl Symbol {
    /// A symbol whose figures need no words.
    pub fn new(id: &str, name: &str, shape: Shape) -> Self {
        Self { id: id.to_owned(), name: name.to_owned(), figures: String::new(), shape }
    }

    /// The same with the meaning of its letters and figures.
    pub fn with_figures(self, figures: &str) -> Self {
        Self { figures: figures.to_owned(), ..self }
    }
}
