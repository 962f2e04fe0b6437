//! Maps as SVG pictures: drawn once, for screens and for paper.
//!
//! Terrain, symbols and what is pale come from the map itself. Own land is light and
//! foreign land dark; what is not known lies under fog. A large grid or graph is cut into
//! sheets, with an index map before them.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::grid::{self, Board};
use super::signs::rimmed;
use super::tiles::Part;
use super::tints::{self, PAPER, hex};
use super::{geography, graph, land, look, regions};
use engine::report::{Earth, Graph, GridMap, GridStyle, MapKind, MapPicture, Piece, Shape, Side};
use tongue::say;

/// A drawn map or a part of it.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// Its name among the sheets of its map, such as `B2`; empty for the only one.
    pub name: String,
    /// What it shows, for those who can't see it.
    pub alt: String,
    /// The drawing, an SVG document.
    pub svg: String,
    /// Width and height in units.
    pub size: (u32, u32),
}

/// Squares of a sheet, at most.
const SHEET_SQUARES: (usize, usize) = (36, 28);
/// Nodes of a sheet of a graph, at most.
const SHEET_NODES: (usize, usize) = (18, 20);
/// The limit of a map that is not cut.
const UNCUT: (usize, usize) = (usize::MAX, usize::MAX);

/// Columns and rows of a map, and the most that one of its sheets may have; `None` when there is
/// nothing to draw.
fn extent(map: &MapPicture) -> Option<(Part, (usize, usize))> {
    let (cols, rows, most) = match &map.kind {
        MapKind::Grid(grid) => {
            let (cols, rows) = (grid.columns.len(), grid.rows.len());
            let most = match grid.style {
                GridStyle::Strategic => SHEET_SQUARES,
                GridStyle::Tactical | GridStyle::World | GridStyle::Board => UNCUT,
            };
            (cols, if grid.cells.len() < cols * rows { 0 } else { rows }, most)
        }
        // Regions have no columns and rows.
        MapKind::Regions(map) => (usize::from(!map.regions.is_empty()), 1, UNCUT),
        MapKind::Graph(graph) => (graph.size.0.into(), graph.size.1.into(), SHEET_NODES),
    };
    (cols * rows > 0).then_some((Part { cols: (0, cols), rows: (0, rows) }, most))
}

/// The graph of a map on the earth.
fn earth(map: &MapPicture) -> Option<(&Graph, &Earth)> {
    match &map.kind {
        MapKind::Graph(graph) => graph.earth.as_ref().map(|earth| (graph, earth)),
        MapKind::Grid(_) | MapKind::Regions(_) => None,
    }
}

/// Draws a map: one sheet, or an index and several.
pub fn sheets(map: &MapPicture) -> Vec<Sheet> {
    if let Some((graph, earth)) = earth(map) {
        return geography::sheets(map, graph, earth)
            .into_iter()
            .map(|d| on_earth(map, d))
            .collect();
    }
    let Some((whole, most)) = extent(map) else { return Vec::new() };
    let (cols, rows) = (whole.wide(), whole.high());
    let (across, down) = (cols.div_ceil(most.0), rows.div_ceil(most.1));
    let near = near_sheet(map).into_iter();
    if across * down == 1 {
        return near.chain([sheet(map, whole, String::new())]).collect();
    }
    // Sheets of one map are of about one size.
    let cut = |n: usize, parts: usize, i: usize| (n * i / parts, n * (i + 1) / parts);
    let letter = |y: usize| char::from(b'A' + (y % 26) as u8);
    let parts = (0..down).flat_map(|y| (0..across).map(move |x| (x, y)));
    let parts: Vec<(String, Part)> = parts
        .map(|(x, y)| {
            let part = Part { cols: cut(cols, across, x), rows: cut(rows, down, y) };
            (format!("{}{}", letter(y), x + 1), part)
        })
        // A sheet of nothing but fog shows nothing.
        .filter(|(_, part)| !is_empty(map, *part))
        .collect();
    let mut sheets: Vec<Sheet> = near.chain([index(map, whole, &parts)]).collect();
    sheets.extend(parts.into_iter().map(|(name, part)| sheet(map, part, name)));
    sheets
}

/// A map as one drawing, however large it is.
pub fn whole(map: &MapPicture) -> Option<Sheet> {
    if let Some((graph, earth)) = earth(map) {
        let (size, body) = geography::whole(map, graph, earth);
        return Some(Sheet {
            name: String::new(),
            alt: map.title.clone(),
            svg: frame(size, &body),
            size,
        });
    }
    extent(map).map(|(whole, _)| sheet(map, whole, String::new()))
}

/// A drawn part of the earth, with a description for readers who can't see it.
fn on_earth(map: &MapPicture, drawn: geography::Drawn) -> Sheet {
    let title = map.title.trim_end_matches('.');
    let counted = counted(map, map.pieces.iter().filter(|p| drawn.places.contains(&p.at)));
    let shown = match drawn.shows.as_str() {
        "" => say!("Map: {title}"),
        shows => say!("Map: {title}, {shows}"),
    };
    let alt = format!("{shown}{counted}.");
    Sheet { name: drawn.name, alt, svg: frame(drawn.size, &drawn.body), size: drawn.size }
}

fn is_empty(map: &MapPicture, part: Part) -> bool {
    match &map.kind {
        MapKind::Grid(grid) => part.squares().all(|(x, y)| {
            let cell = &grid.cells[y * grid.columns.len() + x];
            cell.terrain.is_none() && cell.side == Side::Nobody
        }),
        MapKind::Regions(_) => false,
        MapKind::Graph(graph) => {
            !graph.nodes.iter().any(|n| part.has((n.at.0.into(), n.at.1.into())))
        }
    }
}

fn sheet(map: &MapPicture, part: Part, name: String) -> Sheet {
    let (size, body) = match &map.kind {
        MapKind::Grid(squares) => grid::draw(map, squares, part),
        MapKind::Regions(areas) => regions::draw(map, areas, None),
        MapKind::Graph(nodes) => graph::draw(map, nodes, part),
    };
    let alt = alt_of(map, &name, part);
    Sheet { name, alt, svg: frame(size, &body), size }
}

/// What a sheet shows, for those who can't see it: its kind, where it lies, the pieces on it.
fn alt_of(map: &MapPicture, name: &str, part: Part) -> String {
    let span = |labels: &[String], (from, to): (usize, usize)| match labels.get(from) {
        Some(first) if !first.is_empty() => say!("{first} to {last}", last = labels[to - 1]),
        _ => String::new(),
    };
    let kind = match &map.kind {
        MapKind::Grid(grid) => match grid.style {
            GridStyle::Strategic => say!("Strategic map"),
            GridStyle::Tactical => say!("Tactical map"),
            GridStyle::World => say!("Map of the world"),
            GridStyle::Board => say!("Board"),
        },
        MapKind::Regions(_) => say!("Map of regions"),
        MapKind::Graph(graph) if graph.earth.is_some() => say!("Map"),
        MapKind::Graph(_) => say!("Schematic map"),
    };
    let map_of = match name {
        "" => kind,
        "near" => say!("{kind} around you"),
        name => say!("{kind}, sheet {name}"),
    };
    let columns = map.grid().map_or(String::new(), |grid| span(&grid.columns, part.cols));
    let lies = match map.grid().filter(|_| !columns.is_empty()) {
        None => map_of,
        Some(grid) => {
            let rows = span(&grid.rows, part.rows);
            say!("{map_of}, columns {columns}, rows {rows}")
        }
    };
    let wide = map.grid().map_or(0, |grid| grid.columns.len());
    let on = |p: &&Piece| match &map.kind {
        MapKind::Graph(graph) => {
            graph.nodes.get(p.at).is_some_and(|n| part.has((n.at.0.into(), n.at.1.into())))
        }
        _ => wide == 0 || part.has((p.at % wide, p.at / wide)),
    };
    let title = map.title.trim_end_matches('.');
    let title = if title.is_empty() { String::new() } else { format!(". {title}") };
    format!("{lies}{}{title}.", counted(map, map.pieces.iter().filter(on)))
}

/// How many pieces of each symbol and side there are.
fn counted<'a>(map: &'a MapPicture, pieces: impl Iterator<Item = &'a Piece>) -> String {
    let mut counts: BTreeMap<(Side, u8), usize> = BTreeMap::new();
    pieces.for_each(|p| *counts.entry((p.side, p.symbol)).or_default() += 1);
    let mut parts = Vec::new();
    for side in [Side::Own, Side::Ally, Side::Foreign, Side::Nobody] {
        let here = counts.iter().filter(|((s, _), _)| *s == side);
        let named = here.filter_map(|((_, symbol), count)| {
            let symbol = map.symbols.get(usize::from(*symbol))?;
            Some(format!("{} {count}", symbol.name))
        });
        let named: Vec<String> = named.collect();
        if named.is_empty() {
            continue;
        }
        let pieces = named.join(", ");
        parts.push(match side {
            Side::Own => say!("yours {pieces}"),
            Side::Ally => say!("of allies {pieces}"),
            Side::Foreign => say!("of others {pieces}"),
            Side::Nobody => say!("besides {pieces}"),
        });
    }
    if parts.is_empty() { String::new() } else { format!(": {}", parts.join("; ")) }
}

/// An SVG of a size around its contents.
pub(super) fn frame((wide, high): (u32, u32), body: &Markup) -> String {
    let view = format!("0 0 {wide} {high}");
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(wide) height=(high) viewBox=(view)
            font-family="DejaVu Sans" font-size="9" {
            rect width=(wide) height=(high) fill=(PAPER) {}
            (body)
        }
    };
    picture.into_string()
}

/// Where the sheets of a map lie.
fn index(map: &MapPicture, whole: Part, parts: &[(String, Part)]) -> Sheet {
    let tile = (360 / whole.wide().max(1)).clamp(3, 14) as u32;
    let size = (whole.wide() as u32 * tile + 12, whole.high() as u32 * tile + 12);
    let body = html! {
        g transform="translate(6 6)" {
            @match &map.kind {
                MapKind::Grid(grid) => (index_grid(map, grid, whole, tile)),
                MapKind::Regions(_) => {}
                MapKind::Graph(graph) => (index_nodes(map, graph, tile)),
            }
            @for (name, part) in parts {
                @let (x, y) = (part.cols.0 as u32 * tile, part.rows.0 as u32 * tile);
                @let (w, h) = (part.wide() as u32 * tile, part.high() as u32 * tile);
                rect x=(x) y=(y) width=(w) height=(h) fill="none" stroke="#000" {}
                (rimmed(x + 4, y + 16, 14, name))
            }
        }
    };
    let names: Vec<&str> = parts.iter().map(|p| p.0.as_str()).collect();
    let alt = say!("Index of the sheets {names}", names = names.join(", "));
    Sheet { name: "index".to_owned(), alt, svg: frame(size, &body), size }
}

/// A grid of small squares, also for hexagons; this is enough to show which sheet has what.
fn index_grid(map: &MapPicture, grid: &GridMap, whole: Part, tile: u32) -> Markup {
    let squares = GridMap { hexes: None, style: GridStyle::World, ..grid.clone() };
    match grid.hexes {
        None => land::overview(map, &squares, whole, tile),
        Some(_) => Board::new(map, &squares, whole, tile).grounds(),
    }
}

/// Squares of the part around the reader, for a phone.
const NEAR_SQUARES: (usize, usize) = (14, 18);

/// The part of a large grid around what concerns the reader most: where there was fighting beside
/// own forces, else where most of them are.
fn near(grid: &GridMap, map: &MapPicture) -> Option<Part> {
    let (cols, rows) = (grid.columns.len(), grid.rows.len());
    if grid.style != GridStyle::Strategic || grid.hexes.is_some() || cols <= NEAR_SQUARES.0 {
        return None;
    }
    let at = |place: usize| (place % cols, place / cols);
    let of = |is: &dyn Fn(&Piece) -> bool| -> Vec<(usize, usize)> {
        map.pieces.iter().filter(|p| is(p)).map(|p| at(p.at)).collect()
    };
    let own = of(&|p| p.side == Side::Own);
    let shape = |p: &Piece| map.symbol(p).map(|s| s.shape);
    let fought = of(&|p| matches!(shape(p), Some(Shape::Battle | Shape::Flag)));
    let close = |a: (usize, usize), b: (usize, usize)| a.0.abs_diff(b.0).max(a.1.abs_diff(b.1));
    // The weight of what lies in a window around a square.
    let weight = |c: (usize, usize)| -> usize {
        let count = |all: &[(usize, usize)]| all.iter().filter(|p| close(c, **p) <= 8).count();
        count(&own) + 5 * count(&fought).min(4)
    };
    let centre = own.iter().copied().max_by_key(|c| (weight(*c), std::cmp::Reverse(*c)))?;
    let span = |middle: usize, many: usize, all: usize| {
        let from = middle.saturating_sub(many / 2).min(all.saturating_sub(many));
        (from, (from + many).min(all))
    };
    let part = Part {
        cols: span(centre.0, NEAR_SQUARES.0, cols),
        rows: span(centre.1, NEAR_SQUARES.1, rows),
    };
    Some(part)
}

/// Nodes of the part around the reader, for a phone.
const NEAR_NODES: (usize, usize) = (3, 6);

/// The part of a graph with most of what is the reader's, and with fighting.
fn near_nodes(graph: &Graph, map: &MapPicture) -> Option<Part> {
    let (cols, rows) = (usize::from(graph.size.0), usize::from(graph.size.1));
    let (wide, high) = (NEAR_NODES.0.min(cols), NEAR_NODES.1.min(rows));
    if cols <= NEAR_NODES.0 + 1 {
        return None;
    }
    let at = |n: usize| graph.nodes.get(n).map(|n| (n.at.0.into(), n.at.1.into()));
    let fought = |p: &&Piece| map.symbol(p).is_some_and(|s| s.shape == Shape::Battle);
    let own = graph.nodes.iter().enumerate().filter(|(_, n)| n.cell.side == Side::Own);
    // What moves is what a reader looks for.
    let moves = graph.arrows.iter().flat_map(|(a, b)| [*a, *b, *a, *b]);
    let own: Vec<(usize, usize)> = own
        .map(|(n, _)| n)
        .chain(moves)
        .chain(map.pieces.iter().filter(|p| p.side == Side::Own || fought(p)).map(|p| p.at))
        .filter_map(at)
        .collect();
    let parts = (0..=rows - high).flat_map(|y| (0..=cols - wide).map(move |x| (x, y)));
    let part = |(x, y): (usize, usize)| Part { cols: (x, x + wide), rows: (y, y + high) };
    let weight = |part: &Part| own.iter().filter(|at| part.has(**at)).count();
    // Among equals, the first.
    let best = parts.map(part).rev().max_by_key(weight)?;
    (weight(&best) > 0).then_some(best)
}

/// A part of a large map around the reader.
fn near_sheet(map: &MapPicture) -> Option<Sheet> {
    let (alt, (size, body)) = match &map.kind {
        MapKind::Grid(squares) => {
            let part = near(squares, map)?;
            (alt_of(map, "near", part), grid::draw_in(map, squares, part, look::NEAR))
        }
        MapKind::Graph(graph) => {
            let part = near_nodes(graph, map)?;
            (alt_of(map, "near", part), graph::draw(map, graph, part))
        }
        MapKind::Regions(areas) => {
            let part = regions::near(map, areas)?;
            let here = regions::places(areas, &part);
            let counted = counted(map, map.pieces.iter().filter(|p| here(p.at)));
            let title = map.title.trim_end_matches('.');
            let kind = say!("Map of regions");
            let alt = format!("{}{counted}. {title}.", say!("{kind} around you"));
            (alt, regions::draw(map, areas, Some(part)))
        }
    };
    Some(Sheet { name: "near".to_owned(), alt, svg: frame(size, &body), size })
}

fn index_nodes(map: &MapPicture, graph: &Graph, tile: u32) -> Markup {
    html! {
        @for node in &graph.nodes {
            @let (x, y) = (u32::from(node.at.0) * tile, u32::from(node.at.1) * tile);
            @let tint = tints::shade(map.terrain(&node.cell), node.cell.side, false);
            rect x=(x) y=(y) width=(tile - 1) height=(tile - 1) fill=(hex(tint)) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Seat;
    use engine::report::{Cell, Piece, Relief, Shape, Symbol, Terrain, Tint};

    fn map(style: GridStyle, cols: usize, rows: usize) -> MapPicture {
        let cell = Cell { terrain: Some(0), side: Side::Own, ..Cell::default() };
        let grid = GridMap {
            style,
            wrap: false,
            hexes: None,
            columns: (0..cols).map(|c| format!("{c:03}")).collect(),
            rows: (0..rows).map(|r| format!("{r:02}")).collect(),
            cells: vec![cell; cols * rows],
            routes: Vec::new(),
        };
        let hills =
            Terrain { relief: Relief::Hill, ..Terrain::new("h", "h", Tint::new(13, 12, 8)) };
        MapPicture {
            terrains: vec![hills],
            symbols: vec![Symbol::new("city", "city", Shape::City)],
            ..MapPicture::new("x", "t", MapKind::Grid(grid))
        }
    }

    #[test]
    fn a_large_map_is_cut_into_sheets_with_an_index() {
        assert_eq!(sheets(&map(GridStyle::Strategic, 36, 28)).len(), 1);
        let names: Vec<String> =
            sheets(&map(GridStyle::Strategic, 73, 29)).into_iter().map(|s| s.name).collect();
        assert_eq!(names, ["index", "A1", "A2", "A3", "B1", "B2", "B3"]);
    }

    #[test]
    fn a_phone_gets_the_squares_around_the_readers_forces() {
        let mut map = map(GridStyle::Strategic, 60, 20);
        assert!(near_sheet(&map).is_none(), "nothing of the reader's is there");
        map.pieces.push(Piece { side: Side::Own, ..Piece::new(5 * 60 + 50, 0) });
        let near = near_sheet(&map).expect("drawn");
        assert!(near.size.0 <= 390, "{:?}", near.size);
        let part = near_part(&map);
        assert!(part.has((50, 5)) && part.wide() == 14, "{part:?}");
    }

    fn near_part(map: &MapPicture) -> Part {
        near(map.grid().expect("a grid"), map).expect("a part")
    }

    #[test]
    fn land_is_told_apart_by_weave_too_and_what_is_out_of_sight_lies_under_a_veil() {
        let mut map = map(GridStyle::Strategic, 4, 3);
        let MapKind::Grid(grid) = &mut map.kind else { unreachable!("it is one") };
        let of = |seat: u8| Cell {
            terrain: Some(0),
            side: Side::Foreign,
            holder: Some(Seat(seat)),
            ..Cell::default()
        };
        // Seats of the first, second and third eight, and one square that is no longer seen.
        grid.cells = [1, 9, 17].iter().flat_map(|seat| vec![of(*seat); 4]).collect();
        let clear = sheets(&map).remove(0).svg;
        assert!(clear.contains("stroke-dasharray=\"6 5\""), "dashes of seat 9");
        assert!(clear.contains("stroke-dasharray=\"0.1 5\""), "dots of seat 17");
        assert!(!clear.contains("out of sight"), "the key tells of what is there alone");
        let MapKind::Grid(grid) = &mut map.kind else { unreachable!("it is one") };
        grid.cells[5].veiled = true;
        let veiled = sheets(&map).remove(0).svg;
        assert!(veiled.contains(">out of sight"));
        let veil = "fill=\"#445\" fill-opacity=\"0.16\"";
        assert_eq!(veiled.matches(veil).count(), 2, "on the map and in the key");
        // With the first eight seats only, no band is woven.
        let MapKind::Grid(grid) = &mut map.kind else { unreachable!("it is one") };
        grid.cells = vec![of(8); 12];
        let plain = sheets(&map).remove(0).svg;
        assert!(!plain.contains("stroke-dasharray=\"6 5\""));
    }

    #[test]
    fn every_colour_has_three_digits_so_that_a_palette_holds_it() {
        let drawn = sheets(&map(GridStyle::Tactical, 3, 3));
        for part in drawn[0].svg.split('#').skip(1).filter(|p| !p.starts_with("map")) {
            let digits = part.chars().take_while(char::is_ascii_hexdigit).count();
            assert_eq!(digits, 3, "{}", &part[..8.min(part.len())]);
        }
    }

    #[test]
    fn names_can_not_leave_their_text() {
        let mut map = map(GridStyle::Strategic, 30, 9);
        let name = "</text><script>\"&".to_owned();
        map.pieces.push(Piece { side: Side::Own, name, ..Piece::new(130, 0) });
        let svg = &whole(&map).expect("drawn").svg;
        assert!(svg.contains("&lt;/text&gt;&lt;script&gt;") && !svg.contains("<script"), "{svg}");
        assert!(super::super::raster::tree(svg).is_ok());
    }
}
