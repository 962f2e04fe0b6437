//! Sides, types of units and their names (§2).

use std::fmt;

use engine::Seat;
use serde::{Deserialize, Serialize};
use tongue::{mark, say};

/// One of the two sides. In tables by side, the Terran side comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Side {
    /// Seat 1.
    Terran,
    /// Seat 2.
    Imperial,
}

impl Side {
    /// Both sides, the Terran side first.
    pub const BOTH: [Self; 2] = [Self::Terran, Self::Imperial];

    /// The side of a seat; every seat but the first counts as the Imperial one.
    pub fn of(seat: Seat) -> Self {
        if seat.0 == 1 { Self::Terran } else { Self::Imperial }
    }

    /// Its seat.
    pub fn seat(self) -> Seat {
        Seat(self as u8 + 1)
    }

    /// Its index in a table by side.
    pub fn i(self) -> usize {
        self as usize
    }

    /// The other side.
    pub fn other(self) -> Self {
        match self {
            Self::Terran => Self::Imperial,
            Self::Imperial => Self::Terran,
        }
    }

    /// Its name in events and in English texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Terran => mark!("Terran"),
            Self::Imperial => mark!("Imperial"),
        }
    }

    /// Its name on its own, such as before a colon.
    pub fn localized(self) -> String {
        tongue::word(self.name()).into_owned()
    }

    /// Its name as the subject of a sentence.
    pub fn who(self) -> String {
        match self {
            Self::Terran => say!(who: "Terran"),
            Self::Imperial => say!(who: "Imperial"),
        }
    }

    /// Its name as an owner.
    pub fn whose(self) -> String {
        match self {
            Self::Terran => say!(whose: "Terran"),
            Self::Imperial => say!(whose: "Imperial"),
        }
    }

    /// Its name with the article, at the start of a sentence.
    pub fn the_side(self) -> String {
        match self {
            Self::Terran => say!("The Terran side"),
            Self::Imperial => say!("The Imperial side"),
        }
    }
}

/// The class of a type of unit (§2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// Warships that take two or three turns to build.
    Capital,
    /// Other warships.
    Light,
    /// Ships that are not warships.
    Auxiliary,
    /// Ships that never leave their planetary box.
    Monitor,
    /// Small craft.
    Fighter,
    /// Troops and planetary defence.
    Ground,
    /// An Outpost that is carried.
    Marker,
}

impl Class {
    /// Whether it is a ship: not a ground unit or a marker.
    pub fn is_ship(self) -> bool {
        !matches!(self, Self::Ground | Self::Marker)
    }

    /// Whether it moves in fleets.
    pub fn sails(self) -> bool {
        matches!(self, Self::Capital | Self::Light | Self::Auxiliary)
    }
}

/// The types of units, in the order of the unit list (§2.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Kind {
    BB,
    B,
    B2,
    B1,
    CV,
    CA,
    CS,
    CR,
    CL,
    DD,
    TB,
    SC,
    AR,
    AT,
    TR,
    M,
    F,
    PD,
    RT,
    JT,
    OP,
}

impl Kind {
    /// All types, in order.
    pub const ALL: [Self; 21] = [
        Self::BB,
        Self::B,
        Self::B2,
        Self::B1,
        Self::CV,
        Self::CA,
        Self::CS,
        Self::CR,
        Self::CL,
        Self::DD,
        Self::TB,
        Self::SC,
        Self::AR,
        Self::AT,
        Self::TR,
        Self::M,
        Self::F,
        Self::PD,
        Self::RT,
        Self::JT,
        Self::OP,
    ];

    /// The code that players write.
    pub fn code(self) -> &'static str {
        match self {
            Self::BB => "BB",
            Self::B => "B",
            Self::B2 => "B2",
            Self::B1 => "B1",
            Self::CV => "CV",
            Self::CA => "CA",
            Self::CS => "CS",
            Self::CR => "CR",
            Self::CL => "CL",
            Self::DD => "DD",
            Self::TB => "TB",
            Self::SC => "SC",
            Self::AR => "AR",
            Self::AT => "AT",
            Self::TR => "TR",
            Self::M => "M",
            Self::F => "F",
            Self::PD => "PD",
            Self::RT => "RT",
            Self::JT => "JT",
            Self::OP => "OP",
        }
    }

    /// The type that a word names; `LC` also means a light cruiser.
    pub fn read(word: &str) -> Option<Self> {
        let word = word.to_uppercase();
        if word == "LC" {
            return Some(Self::CL);
        }
        Self::ALL.into_iter().find(|kind| kind.code() == word)
    }

    /// Whether it is a type of troops.
    pub fn is_troops(self) -> bool {
        matches!(self, Self::RT | Self::JT)
    }

    /// Whether it is placed on planets or aboard carriers when it arrives.
    pub fn is_cargo(self) -> bool {
        matches!(self, Self::RT | Self::JT | Self::PD | Self::F | Self::OP)
    }
}

/// The name of a unit within a side, such as `DD7`; with the number 0 it is any of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Name {
    /// Its type.
    pub kind: Kind,
    /// Its number, from 1.
    pub n: u8,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.kind.code();
        if self.n == 0 {
            return f.write_str(code);
        }
        let dash = if code.ends_with(|c: char| c.is_ascii_digit()) { "-" } else { "" };
        write!(f, "{code}{dash}{}", self.n)
    }
}

impl Name {
    /// The unit that a word in a card of `side` names (§2.1): `DD7`, `B1-3`; a dash is always
    /// accepted. `B1` is the first Battleship of the Terran side, and not a unit of the other side.
    pub fn read(word: &str, side: Side) -> Option<Self> {
        let word = word.to_uppercase();
        let number = |kind: &Kind, code: &str| {
            let digits = word.strip_prefix(code)?;
            let digits = digits.strip_prefix('-').unwrap_or(digits);
            let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
            let n = plain.then(|| digits.parse().ok()).flatten()?;
            Some(Self { kind: *kind, n })
        };
        let mut kinds: Vec<Kind> = Kind::ALL.into_iter().filter(|k| k.built_by(side)).collect();
        kinds.sort_by_key(|k| std::cmp::Reverse(k.code().len()));
        let named = kinds.iter().find_map(|kind| number(kind, kind.code()));
        named.or_else(|| number(&Kind::CL, "LC"))
    }
}

impl Kind {
    /// Whether a side has units of this type at all (§2.1).
    pub fn built_by(self, side: Side) -> bool {
        match self {
            Self::B | Self::TB => side == Side::Terran,
            Self::B1 | Self::B2 | Self::CR => side == Side::Imperial,
            _ => true,
        }
    }
}

/// A unit of either side, by side and name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UnitId {
    /// Its side.
    pub side: Side,
    /// Its name.
    pub name: Name,
}

impl UnitId {
    /// The unit of a side by type and number.
    pub fn new(side: Side, kind: Kind, n: u8) -> Self {
        Self { side, name: Name { kind, n } }
    }

    /// Its type.
    pub fn kind(self) -> Kind {
        self.name.kind
    }
}

/// A group of types in standing orders (§7.3), or one type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Group {
    /// Capital ships, `K`.
    Capital,
    /// Light ships, `L`.
    Light,
    /// Auxiliary ships, `X`.
    Auxiliary,
    /// Monitors, `N`.
    Monitor,
    /// A single type; `F` is the fighters.
    Type(Kind),
}

impl Group {
    /// The group that a word names.
    pub fn read(word: &str) -> Option<Self> {
        match word.to_uppercase().as_str() {
            "K" => Some(Self::Capital),
            "L" => Some(Self::Light),
            "X" => Some(Self::Auxiliary),
            "N" => Some(Self::Monitor),
            other => Kind::read(other).map(Self::Type),
        }
    }

    /// Whether a type belongs to it.
    pub fn has(self, kind: Kind, class: Class) -> bool {
        match self {
            Self::Capital => class == Class::Capital,
            Self::Light => class == Class::Light,
            Self::Auxiliary => class == Class::Auxiliary,
            Self::Monitor => class == Class::Monitor,
            Self::Type(own) => own == kind,
        }
    }

    /// Its code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Capital => "K",
            Self::Light => "L",
            Self::Auxiliary => "X",
            Self::Monitor => "N",
            Self::Type(kind) => kind.code(),
        }
    }

    /// Its name in words.
    pub fn words(self) -> String {
        match self {
            Self::Capital => say!("capital ships"),
            Self::Light => say!("light ships"),
            Self::Auxiliary => say!("auxiliaries"),
            Self::Monitor => say!("monitors"),
            Self::Type(kind) => kind.code().to_owned(),
        }
    }
}
