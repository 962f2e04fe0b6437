//! Invented maps of every kind, with features that no game uses.

use engine::Seat;
use engine::geometry::Grid;
use engine::report::{
    Cell, Graph, GridMap, GridStyle, HexRows, LastMove, Link, MapKind, MapPicture, Node, NodeForm,
    Piece, Point, Region, Regions, Relief, Route, SeatColour, Section, Shape, Side, Symbol,
    Terrain, Tint,
};
use render::picture::{Sheet, sheets};
use render::{Document, data, raster, text};
use serde_json::{Value, json};

use super::stage::all;

/// A colour for each of two players.
fn two_colours() -> Vec<SeatColour> {
    let colour = |seat, name: &str, tint| SeatColour { seat: Seat(seat), name: name.into(), tint };
    vec![
        colour(1, "Red", Tint::new(13, 2, 2)),
        colour(2, "Blue", Tint::new(2, 4, 13)),
        colour(3, "Green", Tint::new(2, 10, 2)),
    ]
}

/// One symbol of each shape, with the shape as its name.
fn symbols() -> Vec<Symbol> {
    let symbol = |shape: &Shape| Symbol::new(shape.as_str(), shape.as_str(), *shape);
    Shape::ALL.iter().map(symbol).collect()
}

/// A small grid with a piece of each shape, a sketch of each relief and a place of each
/// side.
pub fn grid(style: GridStyle, hexes: Option<HexRows>) -> MapPicture {
    use Relief::{Bush, Dots, Hill, Peak, Reeds, Tree};
    let (wide, sides) = (4, [Side::Own, Side::Nobody, Side::Foreign, Side::Ally]);
    let reliefs = [Relief::None, Peak, Hill, Tree, Bush, Reeds, Dots];
    let terrains = (1..).zip(reliefs).map(|(n, relief)| {
        let name = format!("{relief:?}").to_lowercase();
        Terrain { relief, ..Terrain::new(&name, &name, Tint::new(14 - n, 8 + n, 7)) }
    });
    let cell = |n: usize| Cell {
        text: vec![format!("{n:02}")],
        terrain: (n > 0).then_some((n % 7) as u8),
        holder: [Some(Seat(1)), None, Some(Seat(2)), Some(Seat(3))][n / wide],
        side: sides[n / wide],
        pale: n % wide == 3,
        veiled: n % wide == 4,
    };
    let pieces = (0..).zip(sides.iter().cycle()).take(Shape::ALL.len()).map(|(n, side)| Piece {
        side: *side,
        holder: (*side != Side::Nobody).then_some(Seat(1)),
        code: "K".into(),
        name: format!("Piece{n}"),
        size: n as u32,
        ..Piece::new(n % 16, n as u8)
    });
    let map = GridMap {
        style,
        wrap: false,
        hexes,
        columns: (1..=wide).map(|c| format!("{c:03}")).collect(),
        rows: (1..=4).map(|r| format!("{r:02}")).collect(),
        cells: (0..16).map(cell).collect(),
        routes: vec![Route { from: (0, 0), to: (9, 1), way: Vec::new() }],
    };
    let id = format!("{style:?}").to_lowercase();
    MapPicture {
        terrains: terrains.collect(),
        symbols: symbols(),
        pale: "faint".into(),
        pieces: pieces.collect(),
        square_width: 3,
        legend: vec![("#".into(), "hills".into())],
        ..MapPicture::new(&id, "A grid", MapKind::Grid(map))
    }
}

/// A board of eleven by eleven hexagons on which two players have placed stones in turn.
pub fn hexes() -> MapPicture {
    let grid = Grid::hexes(11, 11);
    let stones = [(5, 5), (6, 5), (5, 6), (4, 6), (4, 5), (6, 4), (3, 5), (7, 4), (6, 6)];
    let place = |(x, y): (i32, i32)| usize::from(grid.at(x, y).expect("on the board").0);
    let piece = |(n, at): (usize, &(i32, i32))| {
        let (symbol, code, seat, side) = match n % 2 {
            0 => (0, "R", 1, Side::Own),
            _ => (1, "B", 2, Side::Foreign),
        };
        let code = code.to_owned();
        Piece { side, holder: Some(Seat(seat)), code, ..Piece::new(place(*at), symbol) }
    };
    let pieces: Vec<Piece> = stones.iter().enumerate().map(piece).collect();
    let sign = |n: usize| {
        let stone = pieces.iter().find(|p| p.at == n);
        stone.map_or(".", |p| p.code.as_str()).to_owned()
    };
    let cell = |n| Cell { text: vec![sign(n)], terrain: Some(0), ..Cell::default() };
    let map = GridMap {
        style: GridStyle::Board,
        wrap: false,
        hexes: Some(HexRows::Odd),
        columns: ('a'..='k').map(String::from).collect(),
        rows: (1..=11).map(|r: u8| r.to_string()).collect(),
        cells: (0..121).map(cell).collect(),
        routes: Vec::new(),
    };
    let last = place(stones[stones.len() - 1]);
    let field =
        Terrain { in_legend: false, ..Terrain::new("field", "field", Tint::new(14, 13, 11)) };
    let mut map = MapPicture {
        terrains: vec![field],
        symbols: vec![
            Symbol::new("red", "stone of Red", Shape::Circle),
            Symbol::new("blue", "stone of Blue", Shape::Diamond),
        ],
        colours: two_colours(),
        pieces,
        last_move: LastMove { places: vec![last], links: Vec::new() },
        square_width: 2,
        legend: vec![("R".into(), "Red".into()), ("B".into(), "Blue".into())],
        ..MapPicture::new("hexes", "The board", MapKind::Grid(map))
    };
    map.words = map.pieces_in_words(|p| map.symbol(p).map_or(String::new(), |s| s.name.clone()));
    map.words.push(format!("Last move: {}", map.place_name(last)).into());
    map
}

/// A name and polygons.
type Area = (&'static str, &'static [&'static [Point]]);

/// Names and outlines of areas: four provinces and a pair of islands.
const AREAS: [Area; 5] = [
    ("Arden", &[&[(0, 0), (180, 0), (150, 90), (90, 120), (0, 100)]]),
    ("Bohem", &[&[(180, 0), (380, 10), (360, 110), (240, 130), (150, 90)]]),
    ("Cambra", &[&[(0, 100), (90, 120), (150, 90), (240, 130), (200, 250), (0, 230)]]),
    ("Duras", &[&[(240, 130), (360, 110), (390, 240), (200, 250)]]),
    (
        "Elba",
        &[&[(60, 270), (120, 262), (130, 300), (70, 306)], &[(150, 280), (180, 284), (160, 304)]],
    ),
];

/// Four provinces and an island, with three holders, one free, and one with its own colour.
pub fn regions() -> MapPicture {
    let region = |(n, (name, outlines)): (usize, &Area)| {
        let middle = |i: fn(&Point) -> i32| {
            let first = outlines[0];
            first.iter().map(i).sum::<i32>() / first.len() as i32
        };
        let (x, y) = (middle(|p| p.0), middle(|p| p.1));
        Region {
            id: name.to_lowercase(),
            name: (*name).to_owned(),
            outlines: outlines.iter().map(|o| o.to_vec()).collect(),
            anchor: (x, y + 10),
            label: vec![(*name).to_owned()],
            label_at: (x, y - 12),
            fill: (n == 4).then_some(Tint::new(14, 13, 6)),
            hatch: n == 2,
            cell: Cell {
                text: vec![format!("text of {name}")],
                terrain: Some(0),
                holder: [Some(Seat(1)), Some(Seat(2)), Some(Seat(1)), None, None][n],
                side: [Side::Own, Side::Foreign, Side::Own, Side::Nobody, Side::Nobody][n],
                pale: n == 3,
                ..Cell::default()
            },
        }
    };
    let map = Regions {
        size: (400, 320),
        regions: AREAS.iter().enumerate().map(region).collect(),
        hatch: "devastated".into(),
        arrows: vec![(1, 0)],
        arrow: "attack".into(),
    };
    let piece = |at, symbol: Shape, side, size| {
        let holder = (side != Side::Nobody).then(|| Seat(if side == Side::Own { 1 } else { 2 }));
        let number = Shape::ALL.iter().position(|s| *s == symbol).expect("a shape") as u8;
        let code = if size > 0 { "A" } else { "" }.to_owned();
        Piece { side, holder, code, size, ..Piece::new(at, number) }
    };
    let mut map = MapPicture {
        terrains: vec![Terrain::new("plain", "plain", Tint::new(13, 14, 11))],
        symbols: symbols(),
        pale: "not visited".into(),
        pieces: vec![
            piece(0, Shape::Army, Side::Own, 4),
            piece(0, Shape::Plane, Side::Own, 2),
            piece(0, Shape::Ship, Side::Own, 1),
            piece(0, Shape::Army, Side::Foreign, 7),
            piece(1, Shape::Bomb, Side::Nobody, 0),
            piece(2, Shape::Battle, Side::Nobody, 0),
            piece(2, Shape::Army, Side::Foreign, 3),
            piece(3, Shape::City, Side::Nobody, 3),
            piece(4, Shape::Star, Side::Nobody, 0),
        ],
        last_move: LastMove { places: vec![1], links: Vec::new() },
        ..MapPicture::new("regions", "The provinces", MapKind::Regions(map))
    };
    let holder = |c: &Cell| c.holder.map_or("Nobody".to_owned(), |s| format!("Player {s}"));
    map.words = map.places_in_words(holder);
    map.words.extend(map.pieces_in_words(|p| {
        let name = map.symbol(p).map_or("", |s| &s.name);
        if p.size > 0 { format!("{} {name}", p.size) } else { name.to_owned() }
    }));
    map
}

/// Six stars with fleets, without a battle.
pub fn graph() -> MapPicture {
    let stars = [
        ("Altair", (0, 0)),
        ("Bellatrix", (2, 0)),
        ("Castor", (4, 1)),
        ("Deneb", (1, 2)),
        ("Electra", (3, 3)),
        ("Fomalhaut", (5, 3)),
    ];
    let forms = [NodeForm::Box, NodeForm::Rounded];
    let node = |(n, (name, at)): (usize, &(&str, (u16, u16)))| Node {
        id: name.to_lowercase(),
        name: (*name).to_owned(),
        at: *at,
        form: forms[n % forms.len()],
        cell: Cell {
            text: vec![name[..4].to_owned(), format!("{n}")],
            terrain: Some((n % 2) as u8),
            holder: [Some(Seat(1)), Some(Seat(2)), None][n % 3],
            side: [Side::Own, Side::Foreign, Side::Nobody][n % 3],
            ..Cell::default()
        },
    };
    let links = [(0, 1), (1, 2), (0, 3), (1, 3), (3, 4), (2, 4), (4, 5), (2, 5)];
    let graph = Graph {
        size: (6, 4),
        nodes: stars.iter().enumerate().map(node).collect(),
        links: links.map(|(from, to)| Link { from, to }).to_vec(),
        reach: None,
        arrows: Vec::new(),
        arrow: String::new(),
        earth: None,
    };
    let fleet = |at, symbol, side, size| {
        let seat = if side == Side::Own { 1 } else { 2 };
        let code = "F".to_owned();
        Piece { side, holder: Some(Seat(seat)), code, size, ..Piece::new(at, symbol) }
    };
    let mut map = MapPicture {
        terrains: vec![
            Terrain::new("rich", "rich world", Tint::new(11, 14, 9)),
            Terrain::new("poor", "poor world", Tint::new(14, 12, 10)),
        ],
        symbols: vec![
            Symbol::new("fleet", "fleet", Shape::Ship).with_figures("ships"),
            Symbol::new("troops", "troops", Shape::Army),
        ],
        pieces: vec![
            fleet(0, 0, Side::Own, 12),
            fleet(0, 1, Side::Own, 3),
            fleet(3, 0, Side::Foreign, 8),
            fleet(4, 0, Side::Own, 1),
            fleet(4, 0, Side::Own, 2),
            fleet(4, 1, Side::Foreign, 3),
            fleet(4, 1, Side::Foreign, 4),
        ],
        last_move: LastMove { places: vec![3], links: vec![2] },
        square_width: 6,
        ..MapPicture::new("graph", "The stars", MapKind::Graph(graph))
    };
    map.words = map.links_in_words();
    map.words.extend(
        map.pieces_in_words(|p| format!("{} {}", p.size, map.symbol(p).map_or("", |s| &s.name))),
    );
    map
}

/// The whole sheet of a map, which must be well-formed; at most one for a phone comes before it.
fn sheet(map: &MapPicture) -> Sheet {
    let mut drawn = sheets(map);
    let sheet = drawn.pop().expect("a sheet");
    assert!(drawn.iter().all(|near| near.name == "near") && drawn.len() < 2);
    let svg = &sheet.svg;
    // A symbol is called "infantry".
    let bare = svg.replace("infantry", "");
    for wrong in ["NaN", "inf", "#map"] {
        assert!(!bare.contains(wrong), "{wrong} in {svg}");
    }
    // No coordinate has more than three decimals.
    for part in svg.split('.').skip(1) {
        let decimals = part.chars().take_while(char::is_ascii_digit).count();
        assert!(decimals <= 3, "{}", &part[..decimals]);
    }
    // With three digits each, all colours have a place in a palette.
    for part in svg.split("=\"#").skip(1) {
        assert_eq!(part.find('"'), Some(3), "{}", &part[..9]);
    }
    let png = raster::png(svg).expect("drawn");
    assert!(png.len() < 60_000, "{} bytes", png.len());
    sheet
}

fn count(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

/// All words of a legend and of labels.
fn texts(svg: &str) -> Vec<&str> {
    let parts = svg.split("<text").skip(1).filter_map(|t| t.split('>').nth(1));
    parts.filter_map(|t| t.split('<').next()).collect()
}

/// A map in its document: text and JSON.
fn printed(map: &MapPicture) -> (String, Value) {
    let Document { head, marks, .. } = all()[0].document.clone();
    let section = Section { heading: "Map".into(), blocks: vec![map.clone().into()] };
    let document = Document::new(head, marks, Vec::new(), vec![section]);
    let json: Value = serde_json::from_slice(&data::document(&document)).expect("JSON");
    (text::document(&document), json["sections"][0]["parts"][0].clone())
}

#[test]
fn a_board_of_hexagons_has_stones_of_two_colours_and_the_last_move() {
    let map = hexes();
    let Sheet { svg, alt, .. } = sheet(&map);
    let lattice = svg.split("stroke-opacity=\"0.3\"").next().and_then(|s| s.rsplit("d=\"").next());
    assert_eq!(lattice.map(|path| count(path, "M")), Some(121), "every hexagon has an outline");
    // One of each is in the legend.
    assert_eq!(count(&svg, "<circle"), 6);
    assert_eq!(count(&svg, "l9 9") + count(&svg, "l10 10"), 5 - 1, "four diamonds on the board");
    assert_eq!((count(&svg, "fill=\"#d22\""), count(&svg, "fill=\"#24d\"")), (7, 6));
    assert_eq!(count(&svg, "stroke=\"#c0c\""), 2, "one hexagon, and the legend");
    let words = texts(&svg);
    for word in ["Red", "Blue", "stone of Red", "stone of Blue", "last move"] {
        assert!(words.contains(&word), "{word} is missing in {words:?}");
    }
    for none in ["Green", "field", "yours", "not known"] {
        assert!(!words.contains(&none), "{none} does not occur");
    }
    assert_eq!(
        alt,
        "Board, columns a to k, rows 1 to 11: yours stone of Red 5; of others stone of Blue 4. The \
         board."
    );
    let (text, json) = printed(&map);
    assert!(text.contains("\n| 7  . . . . B R R . . . .  7\n"), "{text}");
    assert!(text.contains("\n| 6   . . . R R R B . . . .  6\n"), "odd rows stand aside: {text}");
    for words in ["* g7: stone of Red\n", "* Last move: g7\n"] {
        assert!(text.contains(words), "{words}");
    }
    assert_eq!((&json["kind"], &json["grid"]["hexes"]), (&json!("grid"), &json!("odd")));
    assert_eq!(json["last_move"], json!({"squares": [[6, 6]]}));
    assert_eq!(json["pieces"][1]["at"], json!([6, 5]));
    assert_eq!(json["colours"][1], json!({"seat": 2, "name": "Blue", "colour": "#2244dd"}));
}

#[test]
fn a_part_cut_out_at_an_odd_row_keeps_its_neighbours() {
    let path = |hexes| {
        let svg = sheet(&grid(GridStyle::Board, Some(hexes))).svg;
        let lattice = svg.split("stroke-opacity=\"0.3\"").next().and_then(|s| s.rsplit('"').nth(3));
        lattice.expect("an outline").split('M').nth(1).expect("a hexagon").to_owned()
    };
    assert!(path(HexRows::Odd).starts_with("16 0"), "{}", path(HexRows::Odd));
    assert!(path(HexRows::Even).starts_with("32 0"), "{}", path(HexRows::Even));
}

#[test]
fn every_shape_is_drawn_in_every_style_and_named_in_the_legend() {
    use GridStyle::{Board, Strategic, Tactical};
    for style in [Strategic, Tactical, Board] {
        for hexes in [None, Some(HexRows::Odd)] {
            let svg = sheet(&grid(style, hexes)).svg;
            let words = texts(&svg);
            for word in Shape::ALL.iter().map(|s| s.as_str()).chain(["faint", "not known", "tree"])
            {
                assert!(words.contains(&word), "{word} is missing in {style:?}: {words:?}");
            }
            let mut less = grid(style, hexes);
            less.pieces.retain(|p| p.at < 6);
            let words = sheet(&less).svg;
            assert!(!texts(&words).contains(&"bomb"), "what does not occur has no legend");
        }
    }
}

#[test]
fn regions_have_outlines_hatching_labels_and_what_stands_on_them() {
    let map = regions();
    let Sheet { svg, alt, size, .. } = sheet(&map);
    assert_eq!(count(&svg, "fill-rule=\"evenodd\""), 5, "five areas");
    assert!(
        svg.contains("M60 270L120 262L130 300L70 306zM150 280L180 284L160 304z"),
        "two islands"
    );
    assert_eq!(count(&svg, "fill=\"#dc6\""), 0);
    assert_eq!(count(&svg, "fill=\"#ed6\""), 1, "one has its own colour");
    assert!(svg.contains("stroke-width=\"0.8\" fill=\"none\""), "one is hatched");
    assert_eq!(count(&svg, "stroke=\"#c0c\""), 4, "one was moved to, one attacked, and the legend");
    let words = texts(&svg);
    for word in [
        "Arden",
        "Elba",
        "A4",
        "A7",
        "army",
        "bomb",
        "battle",
        "devastated",
        "not visited",
        "1, yours",
        "player 2",
    ] {
        assert!(words.contains(&word), "{word} is missing in {words:?}");
    }
    assert_eq!(
        alt,
        "Map of regions: yours army 1, ship 1, plane 1; of others army 2; besides battle 1, city 1, \
         star 1, bomb 1. The provinces."
    );
    assert_eq!(size.0, 416);
    let (text, json) = printed(&map);
    for words in ["* Player 1: Arden, Cambra\n", "* Nobody: Duras, Elba\n", "* Bohem: bomb\n"] {
        assert!(text.contains(words), "{words} is missing in {text}");
    }
    assert_eq!(json["kind"], "regions");
    assert_eq!(json["regions"][4]["outlines"][1], json!([[150, 280], [180, 284], [160, 304]]));
    assert_eq!(json["regions"][2]["hatched"], true);
    assert_eq!(json["last_move"], json!({"links": [["bohem", "arden"]], "places": ["bohem"]}));
    assert_eq!(
        (&json["pieces"][4]["place"], &json["hatch"]),
        (&json!("bohem"), &json!("devastated"))
    );
}

#[test]
fn a_drawing_of_regions_that_is_too_large_is_made_smaller() {
    let mut map = regions();
    let MapKind::Regions(regions) = &mut map.kind else { panic!("regions") };
    regions.size = (u16::MAX, 40);
    for region in &mut regions.regions {
        region.outlines.push(vec![(i32::MIN, i32::MAX), (i32::MAX, i32::MIN), (0, 0)]);
        (region.anchor, region.label_at) = ((-5, -5), (i32::MAX, i32::MAX));
    }
    let sheet = sheet(&map);
    assert!(sheet.size.0 < 2100 && sheet.svg.contains("viewBox=\"0 0 65535 40\""));
}

#[test]
fn a_graph_has_pieces_that_are_no_battles() {
    let map = graph();
    let Sheet { svg, alt, .. } = sheet(&map);
    let clash = "stroke=\"#b00\"";
    assert_eq!(count(&svg, clash), 0, "nothing was fought over");
    assert_eq!(count(&svg, "stroke=\"#888\" stroke-width=\"1\""), 1);
    let words = texts(&svg);
    for word in [
        "F12",
        "F8",
        "fleet: ships",
        "troops",
        "last move",
        "rich world",
        "1, yours",
        "+2",
        "stripe: the player's colour",
    ] {
        assert!(words.contains(&word), "{word} is missing in {words:?}");
    }
    assert_eq!(
        alt,
        "Schematic map: yours fleet 3, troops 1; of others fleet 1, troops 2. The stars."
    );
    let (text, json) = printed(&map);
    assert!(text.contains("\n|  Alta        Bell\n"), "{text}");
    for words in ["* Altair borders on: Bellatrix, Deneb\n", "* Altair: 12 fleet, 3 troops\n"] {
        assert!(text.contains(words), "{words} is missing in {text}");
    }
    assert_eq!(json["kind"], "graph");
    assert_eq!(json["links"].as_array().map(Vec::len), Some(8));
    assert_eq!(json["last_move"], json!({"places": ["deneb"], "links": [["altair", "deneb"]]}));
    assert_eq!(json["nodes"][2]["known"]["terrain"], "rich");
    let mut fought = graph();
    fought.symbols.push(Symbol::new("battle", "battle", Shape::Battle));
    fought.pieces.push(Piece::new(1, 2));
    // One at the node, one in the legend.
    assert_eq!(count(&sheet(&fought).svg, clash), 2);
    let MapKind::Graph(links) = &mut fought.kind else { panic!("a graph") };
    let before = sheet(&graph()).svg;
    links.reach = Some(1);
    let lines = |svg: &str| {
        let path = svg.split("stroke=\"#888\"").next().and_then(|s| s.rsplit('"').nth(1));
        path.map_or(0, |p| count(p, "M"))
    };
    assert_eq!((lines(&before), lines(&sheet(&fought).svg)), (7, 0), "far links are left out");
}
