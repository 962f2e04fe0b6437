//! Units: kinds, classes, editions (§1, §3).

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tongue::{mark, say};

/// The edition: which of the three games is played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Edition {
    /// A small map that everybody sees.
    Basic,
    /// Exploration and sighting.
    Standard,
    /// Terrain, bombers, airbases, efficiency.
    Advanced,
}

impl Edition {
    /// Its letter in data files.
    pub fn letter(self) -> char {
        match self {
            Self::Basic => 'B',
            Self::Standard => 'S',
            Self::Advanced => 'A',
        }
    }

    /// Its word in options.
    pub fn word(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Standard => "standard",
            Self::Advanced => "advanced",
        }
    }

    /// Its name for readers.
    pub fn localized(self) -> String {
        match self {
            Self::Basic => say!(edition: "basic"),
            Self::Standard => say!(edition: "standard"),
            Self::Advanced => say!(edition: "advanced"),
        }
    }

    /// The kind of unit that takes cities, and that is built when a player names no kind.
    pub fn foot(self) -> Kind {
        if self == Self::Advanced { Kind::In } else { Kind::Ar }
    }
}

/// What a unit moves on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Land.
    Land,
    /// Air.
    Air,
    /// Sea.
    Sea,
    /// It does not move.
    Base,
}

/// A kind of unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Kind {
    /// Army.
    Ar,
    /// Infantry.
    In,
    /// Armor.
    Am,
    /// Fighter.
    Fi,
    /// Bomber.
    Bo,
    /// Transport.
    Tr,
    /// Destroyer.
    De,
    /// Submarine.
    Su,
    /// Cruiser.
    Cr,
    /// Battleship.
    Ba,
    /// Carrier.
    Ca,
    /// Airbase.
    Ab,
}

impl Kind {
    /// Every kind, in the order of the table.
    pub const ALL: [Self; 12] = [
        Self::Ar,
        Self::In,
        Self::Am,
        Self::Fi,
        Self::Bo,
        Self::Tr,
        Self::De,
        Self::Su,
        Self::Cr,
        Self::Ba,
        Self::Ca,
        Self::Ab,
    ];

    /// Its code in orders and data files.
    pub fn code(self) -> &'static str {
        match self {
            Self::Ar => "AR",
            Self::In => "IN",
            Self::Am => "AM",
            Self::Fi => "FI",
            Self::Bo => "BO",
            Self::Tr => "TR",
            Self::De => "DE",
            Self::Su => "SU",
            Self::Cr => "CR",
            Self::Ba => "BA",
            Self::Ca => "CA",
            Self::Ab => "AB",
        }
    }

    /// The kind with this code, in upper or lower case.
    pub fn of(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.code().eq_ignore_ascii_case(code))
    }

    /// Its English name, in orders and in the rulebook.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ar => mark!("Army"),
            Self::In => mark!("Infantry"),
            Self::Am => mark!("Armor"),
            Self::Fi => mark!("Fighter"),
            Self::Bo => mark!("Bomber"),
            Self::Tr => mark!("Transport"),
            Self::De => mark!("Destroyer"),
            Self::Su => mark!("Submarine"),
            Self::Cr => mark!("Cruiser"),
            Self::Ba => mark!("Battleship"),
            Self::Ca => mark!("Carrier"),
            Self::Ab => mark!("Airbase"),
        }
    }

    /// Its name for readers.
    pub fn localized(self) -> Cow<'static, str> {
        tongue::word(self.name())
    }

    /// Its sign on the text map: a capital for the reader's units, a small letter for others
    /// (§18.2).
    pub fn sign(self, laden: bool) -> char {
        match (self, laden) {
            (Self::Ar | Self::In, _) => 'A',
            (Self::Am, _) => 'M',
            (Self::Fi, _) => 'F',
            (Self::Bo, _) => 'B',
            (Self::Tr, false) => 'T',
            (Self::Tr, true) => 'P',
            (Self::De, _) => 'D',
            (Self::Su, _) => 'S',
            (Self::Cr, _) => 'C',
            (Self::Ba, _) => 'H',
            (Self::Ca, false) => 'V',
            (Self::Ca, true) => 'Q',
            (Self::Ab, false) => 'R',
            (Self::Ab, true) => 'L',
        }
    }

    /// What it moves on.
    pub fn class(self) -> Class {
        match self {
            Self::Ar | Self::In | Self::Am => Class::Land,
            Self::Fi | Self::Bo => Class::Air,
            Self::Tr | Self::De | Self::Su | Self::Cr | Self::Ba | Self::Ca => Class::Sea,
            Self::Ab => Class::Base,
        }
    }

    /// Whether it moves over land, or is an airbase there.
    pub fn is_of_land(self) -> bool {
        matches!(self.class(), Class::Land | Class::Base)
    }

    /// Whether it bombards land from the sea (§8.3).
    pub fn bombards(self) -> bool {
        matches!(self, Self::Cr | Self::Ba)
    }

    /// Whether it can see submarines (§7).
    pub fn finds_submarines(self) -> bool {
        matches!(self, Self::De | Self::Su | Self::Cr)
    }

    /// Whether it can take other units aboard (§6).
    pub fn carries(self) -> bool {
        matches!(self, Self::Tr | Self::Ca | Self::Ab)
    }

    /// The places that one unit of `cargo` takes aboard this kind; `None`: it can't board (§6).
    pub fn places_of(self, cargo: Self) -> Option<u32> {
        match (self, cargo) {
            (Self::Tr, Self::Ar | Self::In) => Some(1),
            (Self::Tr, Self::Am) => Some(2),
            (Self::Ca, Self::Fi) | (Self::Ab, Self::Fi | Self::Bo) => Some(1),
            _ => None,
        }
    }
}
