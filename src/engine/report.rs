//! The printout as a document: headings, tables, maps, messages; no layout.

use std::borrow::Cow;

use crate::engine::Seat;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Span {
    /// Words of the engine.
    Plain(String),
    /// Name and address of a seat's player, filled in by the robot as far as
    /// that player consents; an engine never sees an address.
    Address(Seat),
}

/// A line of running text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line(pub Vec<Span>);

impl From<String> for Line {
    fn from(text: String) -> Self {
        Self(vec![Span::Plain(text)])
    }
}

impl From<&str> for Line {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

/// How a table's column stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows under headed columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Heading and alignment of each column.
    pub columns: Vec<(Cow<'static, str>, Align)>,
    /// Cells; each row has as many as there are columns.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of these columns, a heading and an alignment each.
    pub fn new<T: Into<Cow<'static, str>>>(
        columns: impl IntoIterator<Item = (T, Align)>,
        rows: Vec<Vec<String>>,
    ) -> Self {
        let columns = columns.into_iter().map(|(heading, align)| (heading.into(), align));
        Self { columns: columns.collect(), rows }
    }
}

/// One square of a map.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// What the text map shows, one string for each text row of the square.
    pub text: Vec<String>,
    /// Name of the ground, for pictures; empty: unknown.
    pub ground: &'static str,
    /// Who holds it, as far as the seat knows.
    pub holder: Option<Seat>,
}

/// A map as data; the text rendering splits it into panels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapPicture {
    /// Title of the map.
    pub title: String,
    /// Labels of the columns, west to east.
    pub columns: Vec<String>,
    /// Labels of the rows, north to south.
    pub rows: Vec<String>,
    /// Characters that a square is wide in the text map.
    pub square_width: usize,
    /// Squares row by row.
    pub cells: Vec<Cell>,
    /// Sign and meaning.
    pub legend: Vec<(String, String)>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Running text, wrapped by the renderer.
    Para(Line),
    /// Items under each other.
    List(Vec<Line>),
    /// A table.
    Table(Table),
    /// A map.
    Map(MapPicture),
    /// Lines that stay as they are, such as another player's words; prefixed so
    /// that they can't be read as orders.
    Quote(Vec<String>),
    /// The blank card: hints, prefixed in the same way, within a frame by which the
    /// robot finds typed-in orders again.
    Card(Vec<String>),
}

/// A headed part of a printout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Heading.
    pub heading: String,
    /// Contents in order.
    pub blocks: Vec<Block>,
}

impl Section {
    /// A section of one list, or of one sentence when the list is empty.
    pub fn list(heading: &str, items: Vec<Line>, when_empty: &str) -> Self {
        let block = match items.is_empty() {
            true => Block::Para(when_empty.into()),
            false => Block::List(items),
        };
        Self { heading: heading.to_owned(), blocks: vec![block] }
    }
}

/// A seat's printout of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// What the seat is called in the game.
    pub title: String,
    /// Sections in the game's order.
    pub sections: Vec<Section>,
}

impl Report {
    /// About how many lines the printout has: paragraphs, items, rows and maps.
    pub fn rows(&self) -> usize {
        let block = |b: &Block| match b {
            Block::Para(_) => 1,
            Block::List(items) => items.len(),
            Block::Table(t) => t.rows.len() + 1,
            Block::Map(m) => m.rows.len() * m.cells.first().map_or(1, |c| c.text.len().max(1)),
            Block::Quote(lines) | Block::Card(lines) => lines.len(),
        };
        self.sections.iter().map(|s| 2 + s.blocks.iter().map(block).sum::<usize>()).sum()
    }
}
