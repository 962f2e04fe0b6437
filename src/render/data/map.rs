//! Maps as data for programs, a part of `turn.json`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tints::hex;
use engine::report::{self, Cell, GridMap, GridStyle, HexRows, MapKind, MapPicture, Side, Tint};

/// A map. Places are the squares of a grid, regions or nodes, as its kind says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Map {
    /// Such as `strategic`, `general-2`, `map`; the same every turn.
    pub id: String,
    /// `grid`, `regions` or `graph`.
    pub kind: String,
    /// What readers call it.
    pub title: String,
    /// On a grid: its squares or hexagons in rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Grid>,
    /// On a map of regions: its areas.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub regions: Vec<Region>,
    /// On a graph: its places.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Node>,
    /// On a graph: the places that border each other, by their ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<(String, String)>,
    /// What the ground may be.
    pub terrains: Vec<Terrain>,
    /// What may stand on it.
    pub symbols: Vec<Symbol>,
    /// What it means that a place is pale; absent where it has no meaning.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pale: String,
    /// What it means that a region is hatched; absent where it has no meaning.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hatch: String,
    /// Colours that seats have in the game.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub colours: Vec<Colour>,
    /// What stands on it.
    pub pieces: Vec<Piece>,
    /// What the last move touched; absent when nothing is marked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_move: Option<LastMove>,
}

/// Squares or hexagons in rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Grid {
    /// How the printout draws it: `strategic`, `tactical`, `world` or `board`.
    pub style: String,
    /// Whether the last column borders on the first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub wrap: bool,
    /// Of hexagons, which rows stand half a hexagon farther east: `odd` or `even`, counted
    /// from 0; absent when they are squares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hexes: Option<String>,
    /// Labels of the columns, west to east.
    pub columns: Vec<String>,
    /// Labels of the rows, north to south.
    pub rows: Vec<String>,
    /// Squares row by row, each row from west to east.
    pub squares: Vec<Vec<Place>>,
    /// Where forces are under way to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub routes: Vec<Route>,
}

/// What is known of a square, a region or a node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// Id of its terrain; `unknown` under fog.
    pub terrain: String,
    /// Seat that holds it, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<u8>,
    /// `own`, `ally` or `foreign`; absent where nobody is known to hold it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// As the map's `pale` says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pale: bool,
    /// Not in sight now: the rest is as it was seen last.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub veiled: bool,
    /// What the text map shows in a node or a region, line by line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub text: Vec<String>,
}

/// An area with an outline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Region {
    /// The same every turn.
    pub id: String,
    /// What readers call it.
    pub name: String,
    /// Polygons: points from west and north, in units of the drawing.
    pub outlines: Vec<Vec<(i32, i32)>>,
    /// Where pieces stand.
    pub anchor: (i32, i32),
    /// What is written on it; absent when nothing is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The middle of the label.
    pub label_at: (i32, i32),
    /// A colour of its own, such as `#ddcc88`; absent when it has its holder's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// As the map's `hatch` says.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub hatched: bool,
    /// What is known of it.
    pub known: Place,
}

/// A place of a graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Node {
    /// The same every turn.
    pub id: String,
    /// What readers call it.
    pub name: String,
    /// Column and row where it is drawn, from 0.
    pub at: (u16, u16),
    /// What is known of it.
    pub known: Place,
}

/// What the ground of a place may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Terrain {
    /// The same every turn.
    pub id: String,
    /// What readers call it.
    pub name: String,
    /// Its colour where nobody holds it, such as `#ddcc88`.
    pub colour: String,
}

/// What may stand on a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Symbol {
    /// The same every turn.
    pub id: String,
    /// What readers call it.
    pub name: String,
    /// What its letters and figures mean; absent when they need no words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub figures: String,
    /// How the printout draws it: `battle`, `flag`, `city`, `ruin`, `star`, `bomb`, `circle`,
    /// `square`, `triangle`, `diamond`, or a counter: `army`, `ship`, `plane`, `infantry`,
    /// `armour`, `mechanised`, `artillery`, `flak`, `engineers`, `trucks`, `paratroops`,
    /// `missile`, `submarine`, `transport`.
    pub shape: String,
}

/// A colour that a seat has in the game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Colour {
    /// Whose it is.
    pub seat: u8,
    /// What the legend calls its owner.
    pub name: String,
    /// Such as `#cc2222`.
    pub colour: String,
}

/// Something on a map.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Piece {
    /// Of a grid, column and row of its square, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<(usize, usize)>,
    /// Otherwise the id of its region or node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Id of its symbol.
    pub symbol: String,
    /// `own`, `ally` or `foreign`; absent where nobody is known to own it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<String>,
    /// Seat whose it is, as far as it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder: Option<u8>,
    /// Letter of a type, number of a city; absent without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub code: String,
    /// A name of its own; absent without one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// How many or how strong, as the symbol's figures say; absent when not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<u32>,
    /// Units that it stands for, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub units: Option<u16>,
}

/// Where a force is under way to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Route {
    /// Column and row, from 0.
    pub from: (i32, i32),
    /// Column and row; may lie beyond the map.
    pub to: (i32, i32),
    /// Columns and rows on the way, where it is known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<(i32, i32)>,
}

/// What the last move touched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LastMove {
    /// Of a grid, columns and rows of squares, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<(usize, usize)>,
    /// Otherwise ids of regions or nodes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// Links and arrows of a graph, or arrows from one region to another, by the ids of
    /// their ends.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<(String, String)>,
}

/// A map as data.
pub(super) fn of(map: &MapPicture) -> Map {
    let (kind, grid, hatch) = match &map.kind {
        MapKind::Grid(grid) => ("grid", Some(grid_of(map, grid)), ""),
        MapKind::Regions(regions) => ("regions", None, regions.hatch.as_str()),
        MapKind::Graph(_) => ("graph", None, ""),
    };
    let mut made = Map {
        id: map.id.clone(),
        kind: kind.to_owned(),
        title: map.title.clone(),
        grid,
        regions: Vec::new(),
        nodes: Vec::new(),
        links: Vec::new(),
        terrains: map.terrains.iter().map(terrain).collect(),
        symbols: map.symbols.iter().map(symbol).collect(),
        pale: map.pale.clone(),
        hatch: hatch.to_owned(),
        colours: map.colours.iter().map(colour).collect(),
        pieces: map.pieces.iter().map(|p| piece(map, p)).collect(),
        last_move: last_move(map),
    };
    match &map.kind {
        MapKind::Grid(_) => {}
        MapKind::Regions(regions) => {
            made.regions = regions.regions.iter().map(|r| region(map, r)).collect();
        }
        MapKind::Graph(graph) => {
            made.nodes = graph.nodes.iter().map(|n| node(map, n)).collect();
            made.links = graph.links.iter().map(|l| ends(map, l)).collect();
        }
    }
    made
}

/// Six digits, as most programs know colours.
fn rgb(tint: Tint) -> String {
    hex(tint).chars().flat_map(|c| if c == '#' { vec![c] } else { vec![c, c] }).collect()
}

fn terrain(terrain: &report::Terrain) -> Terrain {
    let (id, name) = (terrain.id.clone(), terrain.name.clone());
    Terrain { id, name, colour: rgb(terrain.tint) }
}

fn symbol(symbol: &report::Symbol) -> Symbol {
    Symbol {
        id: symbol.id.clone(),
        name: symbol.name.clone(),
        figures: symbol.figures.clone(),
        shape: symbol.shape.as_str().to_owned(),
    }
}

fn colour(colour: &report::SeatColour) -> Colour {
    Colour { seat: colour.seat.0, name: colour.name.clone(), colour: rgb(colour.tint) }
}

fn grid_of(map: &MapPicture, grid: &GridMap) -> Grid {
    let style = match grid.style {
        GridStyle::Strategic => "strategic",
        GridStyle::Tactical => "tactical",
        GridStyle::World => "world",
        GridStyle::Board => "board",
    };
    let hexes = grid.hexes.map(|rows| match rows {
        HexRows::Odd => "odd".to_owned(),
        HexRows::Even => "even".to_owned(),
    });
    // Terrain, holder and pieces say the same as the text's signs.
    let square = |cell: &Cell| Place { text: Vec::new(), ..place(map, cell) };
    let rows = grid.cells.chunks(grid.columns.len().max(1));
    let route = |r: &report::Route| Route { from: r.from, to: r.to, way: r.way.clone() };
    Grid {
        style: style.to_owned(),
        wrap: grid.wrap,
        hexes,
        columns: grid.columns.clone(),
        rows: grid.rows.clone(),
        squares: rows.map(|row| row.iter().map(square).collect()).collect(),
        routes: grid.routes.iter().map(route).collect(),
    }
}

fn side(side: Side) -> Option<String> {
    match side {
        Side::Nobody => None,
        Side::Own => Some("own".to_owned()),
        Side::Ally => Some("ally".to_owned()),
        Side::Foreign => Some("foreign".to_owned()),
    }
}

fn place(map: &MapPicture, cell: &Cell) -> Place {
    Place {
        terrain: map.terrain(cell).map_or("unknown", |t| &t.id).to_owned(),
        holder: cell.holder.map(|s| s.0),
        side: side(cell.side),
        pale: cell.pale,
        veiled: cell.veiled,
        text: cell.text.iter().filter(|t| !t.is_empty()).cloned().collect(),
    }
}

fn region(map: &MapPicture, region: &report::Region) -> Region {
    Region {
        id: region.id.clone(),
        name: region.name.clone(),
        outlines: region.outlines.clone(),
        anchor: region.anchor,
        label: region.label.join(" "),
        label_at: region.label_at,
        colour: region.fill.map(rgb),
        hatched: region.hatch,
        known: place(map, &region.cell),
    }
}

fn node(map: &MapPicture, node: &report::Node) -> Node {
    let (id, name) = (node.id.clone(), node.name.clone());
    Node { id, name, at: node.at, known: place(map, &node.cell) }
}

/// How programs name a place.
enum Spot {
    /// Column and row.
    Square((usize, usize)),
    /// The id of a region or a node.
    Id(String),
}

impl Spot {
    fn of(map: &MapPicture, number: usize) -> Self {
        let id = match &map.kind {
            MapKind::Grid(grid) => {
                let wide = grid.columns.len().max(1);
                return Self::Square((number % wide, number / wide));
            }
            MapKind::Regions(regions) => regions.regions.get(number).map(|r| &r.id),
            MapKind::Graph(graph) => graph.nodes.get(number).map(|n| &n.id),
        };
        Self::Id(id.cloned().unwrap_or_default())
    }

    fn square(&self) -> Option<(usize, usize)> {
        if let Self::Square(at) = self { Some(*at) } else { None }
    }

    fn id(&self) -> Option<String> {
        if let Self::Id(id) = self { Some(id.clone()) } else { None }
    }
}

fn ends(map: &MapPicture, link: &report::Link) -> (String, String) {
    let id = |number| Spot::of(map, number).id().unwrap_or_default();
    (id(link.from), id(link.to))
}

fn piece(map: &MapPicture, piece: &report::Piece) -> Piece {
    let at = Spot::of(map, piece.at);
    Piece {
        at: at.square(),
        place: at.id(),
        symbol: map.symbol(piece).map_or(String::new(), |s| s.id.clone()),
        side: side(piece.side),
        holder: piece.holder.map(|s| s.0),
        code: piece.code.clone(),
        name: piece.name.clone(),
        size: (piece.size > 0).then_some(piece.size),
        units: (piece.stack > 0).then_some(piece.stack),
    }
}

fn last_move(map: &MapPicture) -> Option<LastMove> {
    let last = &map.last_move;
    let places: Vec<Spot> = last.places.iter().map(|n| Spot::of(map, *n)).collect();
    let id = |n: usize| Spot::of(map, n).id().unwrap_or_default();
    let links: Vec<(String, String)> = match &map.kind {
        MapKind::Graph(graph) => {
            let links = last.links.iter().filter_map(|n| graph.links.get(*n));
            let arrows = graph.arrows.iter().map(|a| (id(a.0), id(a.1)));
            let moves = graph.earth.iter().flat_map(|e| &e.moves).map(|m| (id(m.from), id(m.to)));
            links.map(|link| ends(map, link)).chain(arrows).chain(moves).collect()
        }
        MapKind::Regions(regions) => regions.arrows.iter().map(|a| (id(a.0), id(a.1))).collect(),
        MapKind::Grid(_) => Vec::new(),
    };
    (!places.is_empty() || !links.is_empty()).then(|| LastMove {
        squares: places.iter().filter_map(Spot::square).collect(),
        places: places.iter().filter_map(Spot::id).collect(),
        links,
    })
}
