//! The printout as a document: headings, tables, maps, messages; no layout.

use std::borrow::Cow;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::Seat;

mod battle;
mod bound;
mod map;

pub use battle::{Battle, Force};
pub use bound::{bind, bound, capital};
pub use map::{
    BEYOND, Border, Bridge, Cell, Drawn, Earth, Graph, GridMap, GridStyle, HexRows, LastMove, Link,
    MapKind, MapPicture, Move, NO_AREA, NO_SEA, Node, NodeForm, Outcome, Outlines, Piece, Point,
    Region, Regions, Relief, Route, SeatColour, Shades, Shape, Side, Spot, Symbol, Terrain, Tint,
    Weave,
};

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
    /// The name of a seat's player, filled in by the robot; `seat 3` where there is none.
    Player(Seat),
    /// The digest of a seat's seal by its name, filled in by the robot: with it the reader can
    /// check the text when the seal is opened.
    Seal(Seat, String),
}

/// A line of running text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line(pub Vec<Span>);

/// A placeholder in a sentence for the span of this number, from 0: see [`Line::filled`].
#[derive(Debug, Clone, Copy)]
pub struct Gap(pub u8);

/// The first of 32 characters that never occur in a text (Unicode 23.7): each is a gap.
const FIRST_GAP: u32 = 0xFDD0;

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let gap = char::from_u32(FIRST_GAP + u32::from(self.0 % 32)).unwrap_or_default();
        f.write_char(gap)
    }
}

impl Line {
    /// A sentence whose gaps are filled with spans, wherever a translation puts them:
    /// `Line::filled(&say!("{who} has left.", who = Gap(0)), [Span::Player(seat)])`.
    pub fn filled(text: &str, spans: impl IntoIterator<Item = Span>) -> Self {
        Self::filled_with(text, spans.into_iter().map(|span| vec![span]))
    }

    /// Like [`Line::filled`], with several spans for each gap, such as a colour and a name.
    pub fn filled_with(text: &str, parts: impl IntoIterator<Item = Vec<Span>>) -> Self {
        let parts: Vec<Vec<Span>> = parts.into_iter().collect();
        let (mut line, mut plain) = (Vec::new(), String::new());
        for letter in text.chars() {
            let gap = u32::from(letter).checked_sub(FIRST_GAP).filter(|gap| *gap < 32);
            match gap.and_then(|gap| parts.get(usize::try_from(gap).ok()?)) {
                Some(part) => {
                    if !plain.is_empty() {
                        line.push(Span::Plain(std::mem::take(&mut plain)));
                    }
                    line.extend(part.iter().cloned());
                }
                None => plain.push(letter),
            }
        }
        if !plain.is_empty() || line.is_empty() {
            line.push(Span::Plain(plain));
        }
        Self(line)
    }
}

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

/// The alignment of a table's column.
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
    /// A table of these columns, each with a heading and an alignment.
    pub fn new<T: Into<Cow<'static, str>>>(
        columns: impl IntoIterator<Item = (T, Align)>,
        rows: Vec<Vec<String>>,
    ) -> Self {
        let columns = columns.into_iter().map(|(heading, align)| (heading.into(), align));
        Self { columns: columns.collect(), rows }
    }
}

/// Characters of a line that is short enough not to be wrapped in print.
const UNWRAPPED: usize = 74;

/// A list of items after their heading `lead`, in as many lines as hold them without a wrap: a
/// wrapped line might begin with anything.
pub fn listed(lead: &str, items: &[String]) -> Vec<Line> {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        match lines.last_mut() {
            Some(line) if line.chars().count() + item.chars().count() + 2 <= UNWRAPPED => {
                *line += &format!(", {item}");
            }
            _ => {
                // An item after a long lead never moves to a line of its own.
                let wraps = lead.chars().count() + item.chars().count() + 2 > UNWRAPPED;
                let blank = if wraps { '\u{a0}' } else { ' ' };
                lines.push(format!("{lead}:{blank}{item}"));
            }
        }
    }
    lines.into_iter().map(Line::from).collect()
}

/// The owner of the values in a line of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Who {
    /// Those of one seat.
    Seat(Seat),
    /// The best of all seats in each turn.
    Best,
    /// The median of all seats in each turn.
    Median,
}

/// One line of a chart: a value for each step, from the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// Whose values these are.
    pub who: Who,
    /// Its colour, where the game gives colours to seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tint: Option<Tint>,
    /// The value of each step, the first step first.
    pub values: Vec<i64>,
}

/// A chart as data. A table shows its values as well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chart {
    /// What the values are, such as `Rating`.
    pub title: Cow<'static, str>,
    /// Its lines.
    pub series: Vec<Series>,
}

/// The number of last turns that are listed one by one, and the interval between those before.
const COURSE_TURNS: usize = 8;
const COURSE_STEP: usize = 5;

/// The turns in a table of a game's course: each of the last ones, and earlier ones at intervals.
/// `last` is the number of turns that ran.
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
    Map(Box<MapPicture>),
    /// Charts beside each other; the text leaves them out.
    Charts(Vec<Chart>),
    /// Fights, each as a small panel.
    Battles(Vec<Battle>),
    /// Lines that stay as they are, such as another player's words; they get a prefix so that they
    /// can't be read as orders.
    Quote(Vec<String>),
    /// The blank card: hints with the same prefix, within a frame by which the robot finds the
    /// orders that a player typed in.
    Card(Vec<String>),
}

impl From<MapPicture> for Block {
    fn from(map: MapPicture) -> Self {
        Self::Map(Box::new(map))
    }
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
    /// A section of some blocks.
    pub fn new(heading: impl Into<String>, blocks: Vec<Block>) -> Self {
        Self { heading: heading.into(), blocks }
    }

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
    /// The name of the seat in the game.
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
            Block::Map(m) => m.words.len() + m.text_rows(),
            Block::Charts(_) => 0,
            Block::Battles(battles) => battles.iter().map(|b| 2 + 2 * b.sides.len()).sum(),
            Block::Quote(lines) | Block::Card(lines) => lines.len(),
        };
        self.sections.iter().map(|s| 2 + s.blocks.iter().map(block).sum::<usize>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Span {
        Span::Plain(text.to_owned())
    }

    #[test]
    fn a_sentence_has_its_spans_where_its_gaps_are() {
        let (one, two) = (Span::Player(Seat(1)), Span::Chosen("Ada".to_owned()));
        let spans = || [one.clone(), two.clone()];
        let said = |text: &str| Line::filled(text, spans()).0;
        let (a, b) = (Gap(0), Gap(1));
        assert_eq!(
            said(&format!("{a} met {b}.")),
            [&one, &plain(" met "), &two, &plain(".")].map(Span::clone)
        );
        let turned = [plain("By "), two.clone(), plain(" was "), one.clone(), plain(" met")];
        assert_eq!(said(&format!("By {b} was {a} met")), turned, "another language, another order");
        assert_eq!(said(&format!("{b}{b}")), [two.clone(), two.clone()]);
        assert_eq!(said("Nobody came."), [plain("Nobody came.")], "no gap");
        assert_eq!(said(""), [plain("")]);
        let strange = format!("A {} B", Gap(7));
        assert_eq!(said(&strange), [plain(&strange)], "a gap without a span stays as it is");
    }

    #[test]
    fn a_gap_may_take_several_spans_or_none() {
        let who = vec![plain("Red ("), Span::Player(Seat(1)), plain(")")];
        let line = Line::filled_with(
            &format!("{} has left{}.", Gap(0), Gap(1)),
            [who.clone(), Vec::new()],
        );
        assert_eq!(line.0, [who, vec![plain(" has left"), plain(".")]].concat());
    }
}
