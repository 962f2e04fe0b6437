//! A document for programs: `turn.json`, with a schema of its own.
//!
//! It says what the printout says and nothing else. Ids of sections, columns and maps stay the same
//! from turn to turn; a change that breaks programs that read it raises [`SCHEMA`].

pub mod map;
mod orders;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::orders::Orders;
use super::text::flat;
use super::{Document, column_ids, slug};
use engine::report::{self, Align, Block, Table, Who};

/// Name and version of the schema.
pub const SCHEMA: &str = "fieldpost/turn/2";

/// A printout as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TurnFile {
    /// Name and version of this form: `fieldpost/turn/2`.
    pub schema: String,
    /// Code of the game, such as `W7`.
    pub game: String,
    /// Name of the rules.
    pub rules: String,
    /// The turn whose orders are collected, as players count turns.
    pub turn: u32,
    /// The last such turn, where the orders are for several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_turn: Option<u32>,
    /// Number of the step whose orders are collected: each printout of a game has another.
    #[serde(default)]
    pub step: u32,
    /// What the step is called, such as `turn 14, Red to move`.
    #[serde(default)]
    pub label: String,
    /// Whose printout it is.
    pub seat: u8,
    /// What the seat is called in the game.
    pub title: String,
    /// What its player is called; empty without a name.
    pub player: String,
    /// When orders are due, as an instant of RFC 3339; absent when there is no deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<String>,
    /// The seed of the turn that ran.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_opened: Option<Seed>,
    /// SHA-256 of the seed of the open turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed_digest: Option<String>,
    /// The ends of the chains of seeds, where a game has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seed_chain: Vec<ChainEnd>,
    /// Credits that are left, in a game that has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit: Option<i64>,
    /// The game is over.
    pub over: bool,
    /// The sentences that the printout begins with, the most important first.
    #[serde(default)]
    pub headline: Vec<String>,
    /// What stands between them and the first section: what needs orders.
    pub opening: Vec<Part>,
    /// Headed parts in order.
    pub sections: Vec<Chapter>,
    /// The orders that may be given, as far as they have a form with fields; absent in a game
    /// that is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orders: Option<Orders>,
}

/// A seed that is no secret any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Seed {
    /// The step whose dice it decided.
    pub turn: u32,
    /// Sixteen hexadecimal digits.
    pub seed: String,
}

/// Where a chain of seeds ends.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChainEnd {
    /// The first step that it is for.
    pub turn: u32,
    /// SHA-256 of that step's seed, in hexadecimal.
    pub digest: String,
}

/// A headed part of the printout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chapter {
    /// The heading without numbers, in lower case: the same every turn.
    pub id: String,
    /// The heading as readers see it.
    pub heading: String,
    /// What stands below it, in order.
    pub parts: Vec<Part>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Part {
    /// Running text.
    Text {
        /// One paragraph.
        text: String,
    },
    /// Items under each other.
    List {
        /// One text an item.
        items: Vec<String>,
    },
    /// Rows under headed columns.
    Table {
        /// Left to right.
        columns: Vec<Column>,
        /// Values by the ids of their columns; empty ones are left out.
        rows: Vec<BTreeMap<String, Value>>,
    },
    /// A map.
    Map(Box<map::Map>),
    /// Charts beside each other.
    Charts {
        /// Left to right.
        charts: Vec<Chart>,
    },
    /// Fights.
    Battles {
        /// In the order in which they were fought, where that is known.
        battles: Vec<Battle>,
    },
    /// Somebody's words, line by line.
    Quote {
        /// As they were written.
        lines: Vec<String>,
    },
    /// Hints of the blank card, line by line.
    Card {
        /// As the printout has them.
        lines: Vec<String>,
    },
}

/// A fight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Battle {
    /// Where and when.
    pub place: String,
    /// The ground; absent where it does not matter.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ground: String,
    /// Who fought, attackers first.
    pub sides: Vec<Force>,
    /// How it ended.
    pub result: String,
    /// The same in the notation of the rules; absent where there is none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notation: String,
}

/// One side of a fight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Force {
    /// Who, and in which part.
    pub who: String,
    /// The seat; absent where it is nobody's or not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// How many there were; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<u32>,
    /// How many were left; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u32>,
    /// The forces by name; absent where they are not known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub forces: String,
    /// Strength, generals, dice; absent where there is nothing to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub odds: String,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    /// The heading in lower case with hyphens; the same every turn.
    pub id: String,
    /// The heading as readers see it.
    pub heading: String,
}

/// A cell: a number where the whole of it is one in a column of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Number(i64),
    /// Anything else.
    Text(String),
}

/// Figures over the turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chart {
    /// What the values are.
    pub title: String,
    /// Its lines.
    pub series: Vec<Series>,
}

/// A line of a chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// `seat`, `best` or `median`.
    pub of: String,
    /// The seat, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
    /// From turn 1.
    pub values: Vec<i64>,
}

impl TurnFile {
    /// The document as data.
    pub fn of(document: &Document) -> Self {
        let head = &document.head;
        let seed = |(turn, seed): (u32, u64)| Seed { turn, seed: format!("{seed:016x}") };
        let end = |(turn, digest): &(u32, String)| ChainEnd { turn: *turn, digest: digest.clone() };
        let chapter = |s: &report::Section| Chapter {
            id: slug(&s.heading),
            heading: s.heading.clone(),
            parts: s.blocks.iter().map(part).collect(),
        };
        Self {
            schema: SCHEMA.to_owned(),
            game: head.game.clone(),
            rules: head.engine.clone(),
            turn: head.turns.first,
            last_turn: Some(head.turns.last).filter(|last| *last != head.turns.first),
            step: head.turn,
            label: head.label.clone(),
            seat: head.seat.0,
            title: head.title.clone(),
            player: head.name.clone(),
            deadline: head.deadline.map(|at| at.to_string()),
            seed_opened: head.seed_before.map(seed),
            seed_digest: head.seed_digest.clone(),
            seed_chain: head.seed_chain.iter().map(end).collect(),
            credit: head.credit,
            over: head.over,
            headline: document.headline().iter().map(flat).collect(),
            opening: document.after_headline().iter().map(part).collect(),
            sections: document.sections.iter().map(chapter).collect(),
            orders: document.orders.as_ref().map(orders::of),
        }
    }
}

/// The document as the bytes of `turn.json`.
pub fn document(document: &Document) -> Vec<u8> {
    // Writing plain data types into memory has no way to fail.
    serde_json::to_vec(&TurnFile::of(document)).expect("plain data is JSON")
}

/// The schema of `turn.json`, indented.
pub fn schema() -> String {
    let schema = schemars::schema_for!(TurnFile);
    // As above, this can't fail.
    serde_json::to_string_pretty(&schema).expect("plain data is JSON") + "\n"
}

fn part(block: &Block) -> Part {
    match block {
        Block::Para(line) => Part::Text { text: flat(line) },
        Block::List(lines) => Part::List { items: lines.iter().map(flat).collect() },
        Block::Table(t) => table(t),
        Block::Map(map) => Part::Map(Box::new(map::of(map))),
        Block::Charts(charts) => Part::Charts { charts: charts.iter().map(chart).collect() },
        Block::Battles(battles) => Part::Battles { battles: battles.iter().map(battle).collect() },
        Block::Quote(lines) => Part::Quote { lines: lines.clone() },
        Block::Card(lines) => Part::Card { lines: lines.clone() },
    }
}

fn battle(battle: &report::Battle) -> Battle {
    let side = |s: &report::Force| Force {
        who: s.who.clone(),
        seat: s.seat.map(|seat| seat.0),
        before: s.numbers.map(|n| n.0),
        after: s.numbers.map(|n| n.1),
        forces: s.forces.clone(),
        odds: s.odds.clone(),
    };
    Battle {
        place: battle.place.clone(),
        ground: battle.ground.clone(),
        sides: battle.sides.iter().map(side).collect(),
        result: battle.result.clone(),
        notation: battle.notation.clone(),
    }
}

fn table(table: &Table) -> Part {
    let ids = column_ids(table);
    let headings = table.columns.iter().map(|(heading, _)| heading.trim().to_owned());
    let columns = ids.iter().cloned().zip(headings).map(|(id, heading)| Column { id, heading });
    let value = |cell: &str, align: Align| match (align, cell.trim().parse()) {
        (Align::Right, Ok(number)) => Value::Number(number),
        _ => Value::Text(cell.trim().to_owned()),
    };
    let row = |cells: &Vec<String>| {
        let cells = ids.iter().zip(cells).zip(&table.columns);
        let cells = cells.filter(|((_, cell), _)| !cell.trim().is_empty());
        cells.map(|((id, cell), (_, align))| (id.clone(), value(cell, *align))).collect()
    };
    Part::Table { columns: columns.collect(), rows: table.rows.iter().map(row).collect() }
}

fn chart(chart: &report::Chart) -> Chart {
    let series = |s: &report::Series| {
        let (of, seat) = match s.who {
            Who::Seat(seat) => ("seat", Some(seat.0)),
            Who::Best => ("best", None),
            Who::Median => ("median", None),
        };
        Series { of: of.to_owned(), seat, values: s.values.clone() }
    };
    Chart { title: chart.title.to_string(), series: chart.series.iter().map(series).collect() }
}
