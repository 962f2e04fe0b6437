//! The ground: squares, their terrain, and what may enter them (§2.1).

use std::borrow::Cow;

use engine::geometry::{Grid, Place};
use serde::{Deserialize, Serialize};
use tongue::mark;

use super::kinds::{Class, Kind};

/// The terrain of a square.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Terrain {
    /// Clear land.
    Clear,
    /// Rough land.
    Rough,
    /// A river; it is land.
    River,
    /// Forest.
    Forest,
    /// Mountains.
    Mountain,
    /// Water.
    Water,
    /// A city of any owner.
    City,
}

impl Terrain {
    /// Every terrain with its sign on maps and in map files, and its name.
    pub const ALL: [(Self, char, &'static str); 7] = [
        (Self::Clear, '-', mark!("clear land")),
        (Self::Rough, '%', mark!("rough land")),
        (Self::River, '=', mark!("river")),
        (Self::Forest, '"', mark!("forest")),
        (Self::Mountain, '^', mark!("mountains")),
        (Self::Water, '.', mark!("water")),
        (Self::City, '*', mark!("city")),
    ];

    /// Its sign.
    pub fn sign(self) -> char {
        Self::ALL.into_iter().find(|t| t.0 == self).map_or('-', |t| t.1)
    }

    /// Its name in English.
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|t| t.0 == self).map_or("", |t| t.2)
    }

    /// Its name for readers.
    pub fn localized(self) -> Cow<'static, str> {
        tongue::word(self.name())
    }

    /// The terrain with a sign.
    pub fn of(sign: char) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.1 == sign).map(|t| t.0)
    }

    /// Whether it is not water.
    pub fn is_land(self) -> bool {
        self != Self::Water
    }

    /// Whether armor comes to a stop in it.
    pub fn stops_armor(self) -> bool {
        matches!(self, Self::Rough | Self::River | Self::Forest)
    }

    /// Whether a kind can ever enter it, apart from cities, which depend on their owners.
    pub fn takes(self, kind: Kind) -> bool {
        match (kind.class(), self) {
            (_, Self::City) | (Class::Air, _) => true,
            (Class::Land, Self::Mountain) => kind != Kind::Am,
            (Class::Land, _) => self.is_land(),
            (Class::Sea, _) => self == Self::Water,
            (Class::Base, _) => false,
        }
    }
}

/// All squares of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Rows", into = "Rows")]
pub struct Ground {
    /// The size and shape.
    pub grid: Grid,
    squares: Vec<Terrain>,
    /// The cities, in the order of their squares.
    cities: Vec<Place>,
}

/// The ground as it is saved and as map files have it: a line of signs for each row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Rows {
    wrap: bool,
    rows: String,
}

impl Ground {
    /// The ground of these squares, row by row.
    pub fn new(grid: Grid, squares: Vec<Terrain>) -> Self {
        let cities = grid.places().zip(&squares).filter(|(_, t)| **t == Terrain::City);
        let cities = cities.map(|(place, _)| place).collect();
        Self { grid, squares, cities }
    }

    /// Reads a map: lines of signs, all of one length.
    ///
    /// # Errors
    /// A sentence about the line that is wrong.
    pub fn read(text: &str, wrap: bool) -> Result<Self, String> {
        let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
        let wide = lines.first().map_or(0, |l| l.chars().count());
        let sides = (u16::try_from(wide).ok(), u16::try_from(lines.len()).ok());
        let (Some(cols @ 1..=254), Some(rows @ 1..=254)) = sides else {
            return Err("a map has 1 to 254 columns and rows".to_owned());
        };
        let mut squares = Vec::new();
        for (n, line) in (1..).zip(&lines) {
            if line.chars().count() != wide {
                return Err(format!("line {n} of the map is not as long as the first"));
            }
            for sign in line.chars() {
                let terrain = Terrain::of(sign)
                    .ok_or_else(|| format!("line {n} of the map has {sign:?}, which is no sign"))?;
                squares.push(terrain);
            }
        }
        let grid = if wrap { Grid::globe(cols, rows) } else { Grid::flat(cols, rows) };
        Ok(Self::new(grid, squares))
    }

    /// The map as lines of signs.
    pub fn text(&self) -> String {
        let wide = usize::from(self.grid.cols).max(1);
        let row = |row: &[Terrain]| row.iter().map(|t| t.sign()).collect::<String>() + "\n";
        self.squares.chunks(wide).map(row).collect()
    }

    /// The terrain of a square.
    pub fn at(&self, place: Place) -> Terrain {
        self.squares.get(usize::from(place.0)).copied().unwrap_or(Terrain::Water)
    }

    /// The cities, in the order of their squares.
    pub fn cities(&self) -> &[Place] {
        &self.cities
    }

    /// The index of the city on a square, from 0 in the order of squares; players use other
    /// numbers.
    pub fn city(&self, place: Place) -> Option<usize> {
        self.cities.binary_search(&place).ok()
    }

    /// Whether a square has water next to it.
    pub fn is_coast(&self, place: Place) -> bool {
        self.grid.near(place).any(|p| self.at(p) == Terrain::Water)
    }

    /// How players write a square: column and row from 1.
    pub fn called(&self, place: Place) -> String {
        format!("{},{}", self.grid.col(place) + 1, self.grid.row(place) + 1)
    }
}

impl TryFrom<Rows> for Ground {
    type Error = String;

    fn try_from(rows: Rows) -> Result<Self, String> {
        Self::read(&rows.rows, rows.wrap)
    }
}

impl From<Ground> for Rows {
    fn from(ground: Ground) -> Self {
        Self { wrap: ground.grid.wrap, rows: ground.text() }
    }
}
