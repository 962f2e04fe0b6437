//! The board: a rhombus of hexagons, its places, their neighbours, and who has joined two
//! edges.
//!
//! A place has a column and a row, both from 0. Each row is shifted half a hexagon to the east of
//! the row above. So a place has two neighbours beside it, two above and two below.

use std::borrow::Cow;
use std::fmt;

use engine::Seat;
use engine::graph;
use serde::{Deserialize, Serialize};
use tongue::{mark, word};

/// The seat that joins top and bottom, and begins.
pub const RED: Seat = Seat(1);
/// The seat that joins left and right.
pub const BLUE: Seat = Seat(2);

/// The fewest and the most columns and rows of a board.
pub const SIZES: (u32, u32) = (5, 19);

/// The name of a seat's colour for readers.
pub fn colour(seat: Seat) -> Cow<'static, str> {
    word(if seat == RED { mark!("Red") } else { mark!("Blue") })
}

/// The other seat.
pub fn other(seat: Seat) -> Seat {
    if seat == RED { BLUE } else { RED }
}

/// A place of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Spot {
    /// From 0, west to east; readers see a letter.
    pub col: u8,
    /// From 0, north to south; readers see numbers from 1.
    pub row: u8,
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", letter(self.col), self.row + 1)
    }
}

/// The letter of a column.
pub fn letter(col: u8) -> char {
    // A board has at most 19 columns.
    char::from(b'A' + col.min(25))
}

impl Spot {
    /// Reads what a player wrote, such as `C4` or `c4`, whatever the size of the board.
    pub fn read(word: &str) -> Option<Self> {
        let first = word.chars().next().filter(char::is_ascii_alphabetic)?;
        let digits = &word[1..];
        let right = (1..=2).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        let row: u8 = digits.parse().ok().filter(|row| right && *row > 0)?;
        let col = first.to_ascii_uppercase() as u8 - b'A';
        Some(Self { col, row: row - 1 })
    }

    /// The place mirrored at the long diagonal, which exchanges the edges of the two seats.
    pub fn mirrored(self) -> Self {
        Self { col: self.row, row: self.col }
    }
}

/// The stones on a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// Columns and rows.
    pub size: u8,
    /// The stones by place, row by row.
    stones: Vec<Option<Seat>>,
}

impl Board {
    /// An empty board.
    pub fn new(size: u8) -> Self {
        Self { size, stones: vec![None; usize::from(size) * usize::from(size)] }
    }

    /// The index of a place.
    pub fn index(&self, spot: Spot) -> usize {
        usize::from(spot.row) * usize::from(self.size) + usize::from(spot.col)
    }

    /// The place with an index.
    pub fn spot(&self, index: usize) -> Spot {
        let size = usize::from(self.size);
        // Both are below the size, which is a `u8`.
        Spot { col: (index % size) as u8, row: (index / size) as u8 }
    }

    /// Whether a place is on the board.
    pub fn has(&self, spot: Spot) -> bool {
        spot.col < self.size && spot.row < self.size
    }

    /// Every place, row by row.
    pub fn spots(&self) -> impl Iterator<Item = Spot> + '_ {
        (0..self.stones.len()).map(|index| self.spot(index))
    }

    /// The owner of the stone on a place.
    pub fn at(&self, spot: Spot) -> Option<Seat> {
        self.stones.get(self.index(spot)).copied().flatten().filter(|_| self.has(spot))
    }

    /// Whether a stone may be put on a place.
    pub fn is_free(&self, spot: Spot) -> bool {
        self.has(spot) && self.at(spot).is_none()
    }

    /// Puts a stone on a place, or takes one away.
    pub fn put(&mut self, spot: Spot, stone: Option<Seat>) {
        let index = self.index(spot);
        if let Some(place) = self.stones.get_mut(index) {
            *place = stone;
        }
    }

    /// How many stones a seat has.
    pub fn count(&self, seat: Seat) -> usize {
        self.stones.iter().filter(|s| **s == Some(seat)).count()
    }

    /// Whether no place is free.
    pub fn is_full(&self) -> bool {
        self.stones.iter().all(Option::is_some)
    }

    /// The neighbours of a place, at most six, always in the same order.
    pub fn near(&self, spot: Spot) -> impl Iterator<Item = Spot> + use<> {
        let size = i16::from(self.size);
        let (col, row) = (i16::from(spot.col), i16::from(spot.row));
        let steps = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];
        steps.into_iter().filter_map(move |(x, y)| {
            let (col, row) = (col + x, row + y);
            let inside = (0..size).contains(&col) && (0..size).contains(&row);
            // Both are within the board.
            inside.then_some(Spot { col: col as u8, row: row as u8 })
        })
    }

    /// The places on a seat's first edge: the top for red, the left for blue.
    pub fn first_edge(&self, seat: Seat) -> impl Iterator<Item = Spot> + use<> {
        let red = seat == RED;
        (0..self.size).map(move |n| Spot { col: n, row: 0 }).map(move |s| match red {
            true => s,
            false => s.mirrored(),
        })
    }

    /// Whether a place lies on a seat's second edge: the bottom for red, the right for blue.
    pub fn on_last_edge(&self, seat: Seat, spot: Spot) -> bool {
        let far = if seat == RED { spot.row } else { spot.col };
        far + 1 == self.size
    }

    /// Whether a seat's stones join its two edges.
    pub fn joins(&self, seat: Seat) -> bool {
        let own = |spot: Spot| self.at(spot) == Some(seat);
        let starts = self.first_edge(seat).filter(|s| own(*s)).map(|s| self.index(s));
        let near = |index: usize| {
            let near = self.near(self.spot(index)).map(|s| self.index(s));
            near.collect::<Vec<_>>()
        };
        let enter = |_, to: usize| self.stones[to] == Some(seat);
        let seen = graph::reached(self.stones.len(), starts, near, enter);
        self.spots().any(|s| self.on_last_edge(seat, s) && seen[self.index(s)])
    }
}
