//! A map as data: a grid of squares or hexagons, regions with outlines, or a graph.
//!
//! The map brings what its places and symbols are called and how they look, so that no
//! renderer knows the terrain or the units of a game. Places are numbered from 0: the
//! squares of a grid row by row, regions and nodes in the order of their lists.

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

/// How the reader stands to something on a map.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Side {
    /// It is nobody's, or nobody is known to hold it.
    #[default]
    Nobody,
    /// It is the reader's.
    Own,
    /// It is an ally's.
    Ally,
    /// Another player who is no ally.
    Foreign,
}

/// What a map shows of one place, whatever form the place has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// What the text map shows, one string for each text row of the place.
    pub text: Vec<String>,
    /// Number of its terrain in the map's table; `None`: nothing is known of it.
    pub terrain: Option<u8>,
    /// Who holds it, as far as the seat knows.
    pub holder: Option<Seat>,
    /// How the reader stands to the holder.
    pub side: Side,
    /// Drawn paler; the map says what that means.
    pub pale: bool,
    /// Not in sight now: what it shows is as it was seen last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub veiled: bool,
}

/// A point of a drawing, in its units: east and south of the north-western corner.
pub type Point = (i32, i32);

/// How the squares of a grid are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GridStyle {
    /// Many small squares with all that is known.
    Strategic,
    /// A few large squares with every force.
    Tactical,
    /// The whole world in the smallest squares.
    World,
    /// A board: one piece to a square, in the middle of it.
    Board,
}

/// Which rows of hexagons stand half a hexagon farther east.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum HexRows {
    /// The second row and every other from there.
    Odd,
    /// The first row and every other from there, as in a part cut out of a map at an odd
    /// row.
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

/// Where a force is under way to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// Column and row of the square that it leaves, from 0.
    pub from: Point,
    /// Column and row of its goal, which may lie beyond the map.
    pub to: Point,
    /// The squares on the way, the goal left out; empty: it leads straight there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<Point>,
}

/// An area with an outline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// A word for programs; the same every turn.
    pub id: String,
    /// What readers call it.
    pub name: String,
    /// Polygons in units of the drawing, each closed by itself: one, or several islands.
    pub outlines: Vec<Vec<Point>>,
    /// Where pieces stand: the middle of the first.
    pub anchor: Point,
    /// Lines that are written on it; may be empty.
    pub label: Vec<String>,
    /// The middle of these lines.
    pub label_at: Point,
    /// A colour of its own; `None`: that of the holder, else that of the terrain.
    pub fill: Option<Tint>,
    /// Drawn with hatching; the map says what that means.
    pub hatch: bool,
    /// What is known of it.
    pub cell: Cell,
}

/// Areas with outlines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regions {
    /// Width and height in units: a letter of a label is about 6 units wide.
    pub size: (u16, u16),
    /// The areas; later ones are drawn over earlier ones.
    pub regions: Vec<Region>,
    /// What hatching means, for the legend; empty when nothing is hatched.
    pub hatch: String,
    /// Arrows from areas to others, by their numbers, such as attacks of the last move.
    pub arrows: Vec<(usize, usize)>,
    /// What an arrow means, for the legend.
    pub arrow: String,
}

/// How a node is drawn.
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
    /// A word for programs; the same every turn.
    pub id: String,
    /// What readers call it.
    pub name: String,
    /// Column and row in which it stands, from 0; one node to each.
    pub at: (u16, u16),
    /// How it is drawn.
    pub form: NodeForm,
    /// What is known of it; the first two lines of its text stand in the node.
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

/// Nodes that stand roughly where they lie, with their links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Graph {
    /// Columns and rows of the drawing.
    pub size: (u16, u16),
    /// The places.
    pub nodes: Vec<Node>,
    /// What borders what.
    pub links: Vec<Link>,
    /// Links over more columns or rows are not drawn, for they would hide more than they
    /// tell; `None`: all are.
    pub reach: Option<u16>,
    /// Arrows from nodes to others, by their numbers, such as moves of the last step.
    pub arrows: Vec<(usize, usize)>,
    /// What an arrow means, for the legend. Nodes of a graph that has a word for arrows
    /// stand farther apart, with arrows or without, so that it looks the same every turn.
    pub arrow: String,
    /// Where its nodes lie on the earth; a picture shows this instead of boxes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earth: Option<Earth>,
}

/// What became of a move on a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Outcome {
    /// It got where it went.
    Done,
    /// It was beaten back.
    Failed,
}

/// A move of the last step, from a node to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Number of the node that was left.
    pub from: usize,
    /// Number of the node where it went.
    pub to: usize,
    /// What became of it.
    pub outcome: Outcome,
    /// Whose it was, as far as the seat knows.
    pub holder: Option<Seat>,
}

/// Where the nodes of a graph lie on the earth, and what is drawn between them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earth {
    /// Outlines of areas, whose labels are the ids of nodes.
    pub outlines: Arc<Outlines>,
    /// Nodes in reach of each other by air alone.
    pub air: Vec<Link>,
    /// What happened in the last step.
    pub moves: Vec<Move>,
    /// Numbers of the nodes around which the reader wants to see more.
    pub close: Vec<usize>,
}

/// What form the places of a map have.
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
    /// How the reader stands to its holder.
    pub side: Side,
    /// Whose it is, as far as the seat knows.
    pub holder: Option<Seat>,
    /// The letter of a type or the number of a city; empty: none.
    pub code: String,
    /// A name of its own; empty: none.
    pub name: String,
    /// How many or how strong, as the symbol's figures say; 0: not known.
    pub size: u32,
    /// Units that a counter stands for, where there are several; else 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stack: u16,
}

fn is_zero(n: &u16) -> bool {
    *n == 0
}

impl Piece {
    /// A piece of nobody without code, name or size.
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
    /// What the legend calls the colour's owner.
    pub name: String,
    /// The colour.
    pub tint: Tint,
}

/// What the last move touched.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastMove {
    /// Numbers of places.
    pub places: Vec<usize>,
    /// Numbers of links of a graph, which are drawn thick; arrows say where to.
    pub links: Vec<usize>,
}

/// A map as data; the text rendering splits it into panels, the picture into sheets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MapPicture {
    /// Stays the same from turn to turn, such as `strategic`.
    pub id: String,
    /// Title of the map.
    pub title: String,
    /// Its places.
    pub kind: MapKind,
    /// What the ground may be. The first is the usual one, on which the legend shows sides.
    pub terrains: Vec<Terrain>,
    /// What may stand on it.
    pub symbols: Vec<Symbol>,
    /// What a pale place means, for the legend; empty: the legend does not say.
    pub pale: String,
    /// Colours that seats have in this game; seats without one get some colour.
    pub colours: Vec<SeatColour>,
    /// What stands on it.
    pub pieces: Vec<Piece>,
    /// What the last move touched.
    pub last_move: LastMove,
    /// Characters that a square or a node is wide in the text map; 0: the text has the
    /// title and the words, and only the picture is drawn. Regions have no text map.
    pub square_width: usize,
    /// Sign and meaning in the text map.
    pub legend: Vec<(String, String)>,
    /// The same in words, for who can't see a map.
    pub words: Vec<Line>,
}

impl MapPicture {
    /// A map of these places, with nothing else on it.
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

    /// Its grid, if it is one.
    pub fn grid(&self) -> Option<&GridMap> {
        match &self.kind {
            MapKind::Grid(grid) => Some(grid),
            MapKind::Regions(_) | MapKind::Graph(_) => None,
        }
    }

    /// What is known of each place, by its number.
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

    /// Changes every text but the words, which are lines with spans of their own.
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

    /// Lines that the text map takes.
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

    /// What readers call a place: column and row of a square, the name of a region or a
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
