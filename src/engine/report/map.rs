//! A map as data: a grid of squares or hexagons, regions with outlines, or a graph.
//!
//! The map itself contains the names and looks of its places and symbols, so that no renderer needs
//! to know the terrain or the units of a game. Places are numbered from 0: the squares of a grid
//! row by row, regions and nodes in the order of their lists.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Line;
use crate::Seat;

mod around;
mod outlines;
mod table;
mod words;

pub use outlines::{BEYOND, Border, Bridge, NO_AREA, NO_SEA, Outlines, Spot};
pub use table::{Drawn, Relief, Shades, Shape, Symbol, Terrain, Tint, Weave};

/// How the holder of something on a map is related to the reader.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// It is nobody's, or nobody is known to hold it.
    #[default]
    Nobody,
    /// It is the reader's.
    Own,
    /// It is an ally's.
    Ally,
    /// It belongs to a player who is not an ally.
    Foreign,
}

/// What a map shows of one place, whatever the kind of the map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// What the text map shows, one string for each text row of the place.
    pub text: Vec<String>,
    /// Number of its terrain in the map's table; `None`: nothing is known of it.
    pub terrain: Option<u8>,
    /// Who holds it, as far as the seat knows.
    pub holder: Option<Seat>,
    /// How the holder is related to the reader.
    pub side: Side,
    /// Drawn paler; the map's legend explains it.
    pub pale: bool,
    /// Not in sight now: it shows what was seen last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub veiled: bool,
}

/// A point of a drawing, in drawing units east and south of the north-western corner.
pub type Point = (i32, i32);

/// How the squares of a grid are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GridStyle {
    /// Many small squares with all that is known of them.
    Strategic,
    /// A few large squares with every force in them.
    Tactical,
    /// The whole world in the smallest squares.
    World,
    /// A board: one piece to a square, in the middle of it.
    Board,
}

/// Which rows of hexagons are shifted half a hexagon to the east.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum HexRows {
    /// The second row and every other row after it.
    Odd,
    /// The first row and every other row after it, as in a part cut out of a map from an odd row
    /// on.
    Even,
}

/// Squares or hexagons in rows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridMap {
    /// How the squares are drawn.
    pub style: GridStyle,
    /// Whether the last column borders on the first.
    pub wrap: bool,
    /// Hexagons with a corner in the north, and which rows are offset; `None`: squares.
    pub hexes: Option<HexRows>,
    /// Labels of the columns, west to east.
    pub columns: Vec<String>,
    /// Labels of the rows, north to south.
    pub rows: Vec<String>,
    /// Squares row by row.
    pub cells: Vec<Cell>,
    /// Lines from square to square.
    pub routes: Vec<Route>,
}

/// The route of a force on its way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// Column and row of the square that it leaves, from 0.
    pub from: Point,
    /// Column and row of its goal, which may lie beyond the map.
    pub to: Point,
    /// The squares on the way without the goal; empty: a straight line to the goal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<Point>,
}

/// An area with an outline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// A word for programs, the same every turn.
    pub id: String,
    /// The name that readers see.
    pub name: String,
    /// Polygons in drawing units, each closed by itself: one, or several islands.
    pub outlines: Vec<Vec<Point>>,
    /// The place of its pieces: the middle of the first polygon.
    pub anchor: Point,
    /// Lines that are written on it; may be empty.
    pub label: Vec<String>,
    /// The middle of these lines.
    pub label_at: Point,
    /// A colour of its own; `None`: the colour of the holder, else of the terrain.
    pub fill: Option<Tint>,
    /// Drawn with hatching; the legend explains it.
    pub hatch: bool,
    /// What is known of it.
    pub cell: Cell,
}

/// Areas with outlines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regions {
    /// Width and height in drawing units: a character of a label is about 6 units wide.
    pub size: (u16, u16),
    /// The areas; later ones are drawn over earlier ones.
    pub regions: Vec<Region>,
    /// What hatching means, for the legend; empty when nothing is hatched.
    pub hatch: String,
    /// Arrows from one area to another, by their numbers, such as attacks of the last move.
    pub arrows: Vec<(usize, usize)>,
    /// What an arrow means, for the legend.
    pub arrow: String,
}

/// The shape of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum NodeForm {
    /// A box.
    Box,
    /// A box with round ends.
    Rounded,
}

/// A place of a graph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// A word for programs, the same every turn.
    pub id: String,
    /// The name that readers see.
    pub name: String,
    /// The column and row of the node, from 0; no two nodes share them.
    pub at: (u16, u16),
    /// Its shape.
    pub form: NodeForm,
    /// What is known of it; the node shows the first two lines of its text.
    pub cell: Cell,
}

/// Two nodes that border each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Number of a node.
    pub from: usize,
    /// Number of the other one.
    pub to: usize,
}

/// Nodes at roughly their places on a map, with their links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph {
    /// Columns and rows of the drawing.
    pub size: (u16, u16),
    /// The places.
    pub nodes: Vec<Node>,
    /// What borders what.
    pub links: Vec<Link>,
    /// The most columns or rows that a drawn link may span, because a longer one would hide more
    /// than it shows; `None`: all links are drawn.
    pub reach: Option<u16>,
    /// Arrows from one node to another, by their numbers, such as moves of the last step.
    pub arrows: Vec<(usize, usize)>,
    /// What an arrow means, for the legend. If it is not empty, nodes stand farther apart even in a
    /// turn without arrows, so that the graph looks the same every turn.
    pub arrow: String,
    /// Where its nodes lie on the earth; a picture shows this map instead of boxes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earth: Option<Earth>,
}

/// The result of a move on a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Outcome {
    /// It reached its goal.
    Done,
    /// It was beaten back.
    Failed,
}

/// A move of the last step, from a node to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Number of the node that it left.
    pub from: usize,
    /// Number of the node to which it went.
    pub to: usize,
    /// Its result.
    pub outcome: Outcome,
    /// Whose it was, as far as the seat knows.
    pub holder: Option<Seat>,
}

/// Where the nodes of a graph lie on the earth, and what is drawn between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earth {
    /// Outlines of areas, which have the ids of nodes as labels.
    pub outlines: Arc<Outlines>,
    /// Nodes that can reach each other only by air.
    pub air: Vec<Link>,
    /// What happened in the last step.
    pub moves: Vec<Move>,
    /// Numbers of the nodes whose surroundings the reader wants to see in more detail.
    pub close: Vec<usize>,
}

/// The kind of a map and its places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum MapKind {
    /// Squares or hexagons in rows.
    Grid(GridMap),
    /// Areas with outlines.
    Regions(Regions),
    /// Nodes with links.
    Graph(Graph),
}

/// Something on a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Number of the place where it stands.
    pub at: usize,
    /// Number of its symbol in the map's table.
    pub symbol: u8,
    /// How its holder is related to the reader.
    pub side: Side,
    /// Whose it is, as far as the seat knows.
    pub holder: Option<Seat>,
    /// The letter of a type or the number of a city; empty: none.
    pub code: String,
    /// Its own name; empty: none.
    pub name: String,
    /// How many or how strong, as the symbol's `figures` explain; 0: not known.
    pub size: u32,
    /// The number of units that a counter represents, where there are several; else 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stack: u16,
}

fn is_zero(n: &u16) -> bool {
    *n == 0
}

impl Piece {
    /// A piece of nobody, without code, name or size.
    pub fn new(at: usize, symbol: u8) -> Self {
        Self {
            at,
            symbol,
            side: Side::Nobody,
            holder: None,
            code: String::new(),
            name: String::new(),
            size: 0,
            stack: 0,
        }
    }
}

/// A colour that a seat has in the game, such as red in a game of red and blue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatColour {
    /// The seat.
    pub seat: Seat,
    /// The name of the colour's owner in the legend.
    pub name: String,
    /// The colour.
    pub tint: Tint,
}

/// What the last move touched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastMove {
    /// Numbers of places.
    pub places: Vec<usize>,
    /// Numbers of links of a graph, which are drawn thick; arrows show the direction.
    pub links: Vec<usize>,
}

/// A map as data; the text rendering splits it into panels, the picture into sheets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapPicture {
    /// A word for programs, the same every turn, such as `strategic`.
    pub id: String,
    /// Title of the map.
    pub title: String,
    /// Its places.
    pub kind: MapKind,
    /// The kinds of ground. The first is the usual one, on which the legend shows sides.
    pub terrains: Vec<Terrain>,
    /// The kinds of things that may be on it.
    pub symbols: Vec<Symbol>,
    /// What a pale place means, for the legend; empty: the legend leaves it out.
    pub pale: String,
    /// Colours of seats in this game; a seat without one gets the colour of its number.
    pub colours: Vec<SeatColour>,
    /// The things on it.
    pub pieces: Vec<Piece>,
    /// What the last move touched.
    pub last_move: LastMove,
    /// Characters that a square or a node is wide in the text map; 0: the map itself appears only
    /// as a picture, and the text has its title and words. Regions have no text map.
    pub square_width: usize,
    /// Sign and meaning in the text map.
    pub legend: Vec<(String, String)>,
    /// The map in words, for those who can't see it.
    pub words: Vec<Line>,
}

impl MapPicture {
    /// A map of these places and nothing else.
    pub fn new(id: &str, title: &str, kind: MapKind) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            kind,
            terrains: Vec::new(),
            symbols: Vec::new(),
            pale: String::new(),
            colours: Vec::new(),
            pieces: Vec::new(),
            last_move: LastMove::default(),
            square_width: 0,
            legend: Vec::new(),
            words: Vec::new(),
        }
    }

    /// Its grid, if it has one.
    pub fn grid(&self) -> Option<&GridMap> {
        match &self.kind {
            MapKind::Grid(grid) => Some(grid),
            MapKind::Regions(_) | MapKind::Graph(_) => None,
        }
    }

    /// What is known of each place, in the order of their numbers.
    pub fn cells(&self) -> Box<dyn Iterator<Item = &Cell> + '_> {
        match &self.kind {
            MapKind::Grid(grid) => Box::new(grid.cells.iter()),
            MapKind::Regions(map) => Box::new(map.regions.iter().map(|r| &r.cell)),
            MapKind::Graph(graph) => Box::new(graph.nodes.iter().map(|n| &n.cell)),
        }
    }

    /// The terrain of a place; `None` where nothing is known of it.
    pub fn terrain(&self, cell: &Cell) -> Option<&Terrain> {
        self.terrains.get(usize::from(cell.terrain?))
    }

    /// The symbol of a piece; `None` when the table has no such number.
    pub fn symbol(&self, piece: &Piece) -> Option<&Symbol> {
        self.symbols.get(usize::from(piece.symbol))
    }

    /// Changes every text except `words`, which are lines with spans.
    pub fn change_texts(&mut self, change: impl Fn(&str) -> String) {
        let mut texts = vec![&mut self.title, &mut self.pale];
        match &mut self.kind {
            MapKind::Grid(grid) => {
                texts.extend(grid.columns.iter_mut().chain(&mut grid.rows));
                texts.extend(grid.cells.iter_mut().flat_map(|c| &mut c.text));
            }
            MapKind::Regions(map) => {
                texts.extend([&mut map.hatch, &mut map.arrow]);
                for region in &mut map.regions {
                    texts.extend([&mut region.id, &mut region.name]);
                    texts.extend(&mut region.label);
                    texts.extend(&mut region.cell.text);
                }
            }
            MapKind::Graph(graph) => {
                texts.push(&mut graph.arrow);
                for node in &mut graph.nodes {
                    texts.extend([&mut node.id, &mut node.name]);
                    texts.extend(&mut node.cell.text);
                }
            }
        }
        texts.extend(self.terrains.iter_mut().flat_map(|t| [&mut t.id, &mut t.name]));
        for symbol in &mut self.symbols {
            texts.extend([&mut symbol.id, &mut symbol.name, &mut symbol.figures]);
        }
        texts.extend(self.colours.iter_mut().map(|c| &mut c.name));
        texts.extend(self.pieces.iter_mut().flat_map(|p| [&mut p.code, &mut p.name]));
        texts.extend(self.legend.iter_mut().flat_map(|(sign, means)| [sign, means]));
        texts.into_iter().for_each(|text| *text = change(text));
    }

    /// The number of lines that the text map takes.
    pub fn text_rows(&self) -> usize {
        let high = |cell: Option<&Cell>| cell.map_or(1, |c| c.text.len().max(1));
        match &self.kind {
            MapKind::Grid(grid) => grid.rows.len() * high(grid.cells.first()),
            MapKind::Regions(_) => 0,
            MapKind::Graph(graph) => {
                usize::from(graph.size.1) * high(graph.nodes.first().map(|n| &n.cell))
            }
        }
    }

    /// The name of a place for readers: column and row of a square, or the name of a region or
    /// node.
    pub fn place_name(&self, place: usize) -> String {
        match &self.kind {
            MapKind::Grid(grid) => {
                let (wide, none) = (grid.columns.len().max(1), String::new());
                let column = grid.columns.get(place % wide).unwrap_or(&none);
                format!("{column}{}", grid.rows.get(place / wide).unwrap_or(&none))
            }
            MapKind::Regions(map) => map.regions.get(place).map_or("", |r| &r.name).to_owned(),
            MapKind::Graph(graph) => graph.nodes.get(place).map_or("", |n| &n.name).to_owned(),
        }
    }
}
