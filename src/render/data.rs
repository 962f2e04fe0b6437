//! A document for programs: `turn.json`, with a schema of its own.
//!
//! It says what the printout says and nothing else. Ids of sections, columns and maps
//! stay the same from turn to turn; a change that breaks a reader raises [`SCHEMA`].

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::text::flat;
use super::{Document, column_ids, slug};
use engine::report::{self, Align, Block, MapKind, MapPicture, Side, Sign, Table, Track, Who};

/// Name and version of the schema.
pub const SCHEMA: &str = "fieldpost/turn/1";

/// A printout as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TurnFile {
    /// Name and version of this form: `fieldpost/turn/1`.
    pub schema: String,
    /// Code of the game, such as `W7`.
    pub game: String,
    /// Name of the rules.
    pub rules: String,
    /// The turn whose orders are collected.
    pub turn: u32,
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
    /// Credits that are left, in a game that has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credit: Option<i64>,
    /// The game is over.
    pub over: bool,
    /// The robot's words before the first section.
    pub opening: Vec<Part>,
    pub sections: Vec<Chapter>,
}

/// A seed that is no secret any more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Seed {
    pub turn: u32,
    /// Sixteen hexadecimal digits.
    pub seed: String,
}

/// A headed part of the printout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chapter {
    /// The heading without numbers, in lower case: the same every turn.
    pub id: String,
    pub heading: String,
    pub parts: Vec<Part>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Part {
    /// Running text.
    Text {
        text: String,
    },
    /// Items under each other.
    List {
        items: Vec<String>,
    },
    /// Rows under headed columns.
    Table {
        columns: Vec<Column>,
        /// Values by the ids of their columns; empty ones are left out.
        rows: Vec<BTreeMap<String, Value>>,
    },
    Map(Map),
    Charts {
        charts: Vec<Chart>,
    },
    /// Somebody's words, line by line.
    Quote {
        lines: Vec<String>,
    },
    /// Hints of the blank card, line by line.
    Card {
        lines: Vec<String>,
    },
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Column {
    pub id: String,
    pub heading: String,
}

/// A cell: a number where the whole of it is one in a column of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Value {
    Number(i64),
    Text(String),
}

/// A map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Map {
    /// Such as `strategic`, `general-2`, `map`.
    pub id: String,
    /// `strategic`, `tactical`, `world` or `schematic`.
    pub kind: String,
    pub title: String,
    /// Labels of the columns, west to east.
    pub columns: Vec<String>,
    /// Labels of the rows, north to south.
    pub rows: Vec<String>,
    /// Squares row by row, each row from west to east.
    pub squares: Vec<Vec<Square>>,
    /// What stands on it.
    pub pieces: Vec<Piece>,
    /// Advances of forces, borders of spaces.
    pub routes: Vec<Route>,
}

/// A square of a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Square {
    /// Such as `hills` or `sea`; `unknown` under fog.
    pub ground: String,
    /// Seat that holds it, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<u8>,
    /// `own`, `ally` or `foreign`; absent where nobody is known to hold it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Without supply, not explored, or known by report only, as the map says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pale: bool,
    /// What the text map shows in it, line by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
}

/// Something on a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Piece {
    /// Column and row of its square, from 0.
    pub at: (u16, u16),
    /// `city`, `ruins`, `land`, `ships`, `general` or `battle`.
    pub sign: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<u8>,
    /// Letter of a unit's type, number of a city or general.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Regiments or ships, defence level of a city; absent when not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
}

/// A line on a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Route {
    /// `advance` or `border`.
    pub kind: String,
    /// Column and row, from 0.
    pub from: (i32, i32),
    /// Column and row; may lie beyond the map.
    pub to: (i32, i32),
}

/// Figures over the turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Chart {
    pub title: String,
    pub series: Vec<Series>,
}

/// A line of a chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Series {
    /// `seat`, `best` or `median`.
    pub of: String,
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
        let chapter = |s: &report::Section| Chapter {
            id: slug(&s.heading),
            heading: s.heading.clone(),
            parts: s.blocks.iter().map(part).collect(),
        };
        Self {
            schema: SCHEMA.to_owned(),
            game: head.game.clone(),
            rules: head.engine.clone(),
            turn: head.turn,
            seat: head.seat.0,
            title: head.title.clone(),
            player: head.name.clone(),
            deadline: head.deadline.map(|at| at.to_string()),
            seed_opened: head.seed_before.map(seed),
            seed_digest: head.seed_digest.clone(),
            credit: head.credit,
            over: head.over,
            opening: document.opening.iter().map(part).collect(),
            sections: document.sections.iter().map(chapter).collect(),
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
    // As above.
    serde_json::to_string_pretty(&schema).expect("plain data is JSON") + "\n"
}

fn part(block: &Block) -> Part {
    match block {
        Block::Para(line) => Part::Text { text: flat(line) },
        Block::List(lines) => Part::List { items: lines.iter().map(flat).collect() },
        Block::Table(t) => table(t),
        Block::Map(map) => Part::Map(map_of(map)),
        Block::Charts(charts) => Part::Charts { charts: charts.iter().map(chart).collect() },
        Block::Quote(lines) => Part::Quote { lines: lines.clone() },
        Block::Card(lines) => Part::Card { lines: lines.clone() },
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

fn side(side: Side) -> Option<String> {
    match side {
        Side::Nobody => None,
        Side::Own => Some("own".to_owned()),
        Side::Ally => Some("ally".to_owned()),
        Side::Foreign => Some("foreign".to_owned()),
    }
}

fn map_of(map: &MapPicture) -> Map {
    let kind = match map.kind {
        MapKind::Strategic => "strategic",
        MapKind::Tactical => "tactical",
        MapKind::World => "world",
        MapKind::Schematic => "schematic",
    };
    // Elsewhere ground, holder and pieces say the same as the text's signs.
    let with_text = map.kind == MapKind::Schematic;
    let square = |cell: &report::Cell| Square {
        ground: cell.ground.word().to_owned(),
        holder: cell.holder.map(|s| s.0),
        side: side(cell.side),
        pale: cell.pale,
        text: match with_text {
            true => cell.text.iter().filter(|t| !t.is_empty()).cloned().collect(),
            false => Vec::new(),
        },
    };
    let piece = |p: &report::Piece| Piece {
        at: p.at,
        sign: match p.sign {
            Sign::City => "city",
            Sign::Ruins => "ruins",
            Sign::Land => "land",
            Sign::Ships => "ships",
            Sign::General => "general",
            Sign::Battle => "battle",
        }
        .to_owned(),
        side: side(p.side),
        holder: p.holder.map(|s| s.0),
        code: p.code.clone(),
        name: p.name.clone(),
        size: (p.size > 0).then_some(p.size),
    };
    let route = |r: &report::Route| Route {
        kind: match r.track {
            Track::Advance => "advance",
            Track::Border => "border",
        }
        .to_owned(),
        from: r.from,
        to: r.to,
    };
    let rows = map.cells.chunks(map.columns.len().max(1));
    Map {
        id: map.id.clone(),
        kind: kind.to_owned(),
        title: map.title.clone(),
        columns: map.columns.clone(),
        rows: map.rows.clone(),
        squares: rows.map(|row| row.iter().map(square).collect()).collect(),
        pieces: map.pieces.iter().map(piece).collect(),
        routes: map.routes.iter().map(route).collect(),
    }
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
