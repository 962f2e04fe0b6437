//! The printout as a document: headings, tables, maps, messages; no layout.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::Seat;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Span {
    /// Words of the engine.
    Plain(String),
    /// Name and address of a seat's player, filled in by the robot as far as
    /// that player consents; an engine never sees an address.
    Address(Seat),
    /// Words that a player chose, such as a name: no line of print may begin with them.
    Chosen(String),
}

/// A line of running text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Rows under headed columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// What the ground of a square is, for pictures and programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ground {
    /// Nothing is known of it.
    #[default]
    Unknown,
    /// Land of which no more is known, or that is of one kind in this game.
    Land,
    Open,
    Woods,
    Barren,
    Marsh,
    Hills,
    Desert,
    Forest,
    Swamp,
    Mountains,
    Sea,
    /// Beyond the edge of the world.
    Ice,
}

impl Ground {
    /// Its name in lower case.
    pub fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Land => "land",
            Self::Open => "open",
            Self::Woods => "woods",
            Self::Barren => "barren",
            Self::Marsh => "marsh",
            Self::Hills => "hills",
            Self::Desert => "desert",
            Self::Forest => "forest",
            Self::Swamp => "swamp",
            Self::Mountains => "mountains",
            Self::Sea => "sea",
            Self::Ice => "ice",
        }
    }
}

/// How the reader stands to something on a map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// It is nobody's, or nobody is known to hold it.
    #[default]
    Nobody,
    Own,
    Ally,
    /// Another player who is no ally.
    Foreign,
}

/// One square of a map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// What the text map shows, one string for each text row of the square.
    pub text: Vec<String>,
    pub ground: Ground,
    /// Who holds it, as far as the seat knows.
    pub holder: Option<Seat>,
    pub side: Side,
    /// Own land without supply, or seen long ago: drawn paler.
    pub pale: bool,
}

/// What a map is of; its picture is drawn accordingly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum MapKind {
    /// Many small squares with all that is known.
    Strategic,
    /// A few large squares with every force.
    Tactical,
    /// The whole world in the smallest squares.
    World,
    /// Spaces in boxes that stand roughly where they lie, with their connections.
    Schematic,
}

/// What stands on a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Sign {
    Battle,
    City,
    Ruins,
    /// A force on land.
    Land,
    /// A force at sea.
    Ships,
    General,
}

/// Something on a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Column and row of the map's squares, from 0.
    pub at: (u16, u16),
    pub sign: Sign,
    pub side: Side,
    pub holder: Option<Seat>,
    /// The letter of a unit's type, the number of a city or a general.
    pub code: String,
    /// Name of a city.
    pub name: String,
    /// Regiments or ships, the defence level of a city; 0: not known.
    pub size: u32,
}

/// What a line on a map means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Track {
    /// Where a force is under way to.
    Advance,
    /// Two spaces border each other.
    Border,
}

/// A line from square to square; its end may lie beyond the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    pub track: Track,
    pub from: (i32, i32),
    pub to: (i32, i32),
}

/// A map as data; the text rendering splits it into panels, the picture into sheets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapPicture {
    /// Stays the same from turn to turn, such as `strategic`.
    pub id: String,
    pub kind: MapKind,
    /// Title of the map.
    pub title: String,
    /// Labels of the columns, west to east.
    pub columns: Vec<String>,
    /// Labels of the rows, north to south.
    pub rows: Vec<String>,
    /// Characters that a square is wide in the text map; 0: the text has the title and
    /// the words, and only the picture is drawn.
    pub square_width: usize,
    /// Squares row by row.
    pub cells: Vec<Cell>,
    pub pieces: Vec<Piece>,
    pub routes: Vec<Route>,
    /// Sign and meaning in the text map.
    pub legend: Vec<(String, String)>,
    /// The same in words, for who can't see a map.
    pub words: Vec<Line>,
}

impl MapPicture {
    /// A line for each row: runs of squares that are called the same; those without a
    /// word are left out.
    pub fn rows_in_words(&self, word: impl Fn(&Cell) -> String) -> Vec<Line> {
        let mut lines = Vec::new();
        for (row, label) in self.cells.chunks(self.columns.len().max(1)).zip(&self.rows) {
            let named: Vec<(usize, String)> = row.iter().map(&word).enumerate().collect();
            let runs = named.chunk_by(|a, b| a.1 == b.1).filter(|run| !run[0].1.is_empty());
            let run = |run: &[(usize, String)]| {
                let (first, last) = (&self.columns[run[0].0], &self.columns[run[run.len() - 1].0]);
                let to = if run.len() == 1 { String::new() } else { format!("-{last}") };
                format!("{first}{to} {}", run[0].1)
            };
            let told: Vec<String> = runs.map(run).collect();
            lines.extend(listed(&format!("Row {label}"), &told));
        }
        lines
    }
}

/// Letters of a line that is not wrapped in print.
const UNWRAPPED: usize = 74;

/// Items behind what they are of, in as many lines as hold them without a wrap: a
/// wrapped line might begin with anything.
pub fn listed(lead: &str, items: &[String]) -> Vec<Line> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.chars().count() + item.chars().count() + 2 <= UNWRAPPED => {
                *line += &format!(", {item}");
            }
            _ => lines.push(format!("{lead}: {item}")),
        }
    }
    lines.into_iter().map(Line::from).collect()
}

/// Whose figures a line of a chart shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Who {
    Seat(Seat),
    /// The best of all seats in each turn.
    Best,
    /// The one in the middle.
    Median,
}

/// One line of a chart: a figure over the steps, from the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    pub who: Who,
    pub values: Vec<i64>,
}

/// A chart as data. What it shows stands in a table as well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chart {
    /// What the values are, such as `Rating`.
    pub title: Cow<'static, str>,
    pub series: Vec<Series>,
}

/// Turns whose figures are listed one by one, and the step of those before.
const COURSE_TURNS: usize = 8;
const COURSE_STEP: usize = 5;

/// The turns of which a table of a game's course tells: the last ones, and those before in
/// steps. `last` is the number of turns that ran.
pub fn course_turns(last: usize) -> impl Iterator<Item = usize> {
    (1..=last).filter(move |turn| turn + COURSE_TURNS > last || turn.is_multiple_of(COURSE_STEP))
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Block {
    /// Running text, wrapped by the renderer.
    Para(Line),
    /// Items under each other.
    List(Vec<Line>),
    /// A table.
    Table(Table),
    /// A map.
    Map(MapPicture),
    /// Charts beside each other; the text has none.
    Charts(Vec<Chart>),
    /// Lines that stay as they are, such as another player's words; prefixed so
    /// that they can't be read as orders.
    Quote(Vec<String>),
    /// The blank card: hints, prefixed in the same way, within a frame by which the
    /// robot finds typed-in orders again.
    Card(Vec<String>),
}

/// A headed part of a printout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
            Block::Map(m) => {
                m.words.len() + m.rows.len() * m.cells.first().map_or(1, |c| c.text.len().max(1))
            }
            Block::Charts(_) => 0,
            Block::Quote(lines) | Block::Card(lines) => lines.len(),
        };
        self.sections.iter().map(|s| 2 + s.blocks.iter().map(block).sum::<usize>()).sum()
    }
}
