//! The grounds of a printout's maps with their colours, and the symbols.

use crate::tables::{Tables, Terrain as Ground};
use engine::report::{Relief, Shades, Shape, Symbol, Terrain, Tint};
use tongue::{mark, say};

/// Row numbers of [`symbols`].
pub const CITY: u8 = 0;
pub const RUINS: u8 = 1;
pub const FORCE: u8 = 2;
pub const SHIPS: u8 = 3;
pub const GENERAL: u8 = 4;
pub const BATTLE: u8 = 5;
pub const AIRBASE: u8 = 6;
pub const FORT: u8 = 7;
pub const ROAD: u8 = 8;
pub const RADIATION: u8 = 9;

/// The row of a type of unit, by its letter; ships that look alike share one.
pub fn unit(code: &str, ships: bool) -> u8 {
    match code {
        "I" => 10,
        "E" => 11,
        "T" | "H" => 12,
        "K" => 13,
        "A" => 14,
        "G" => 15,
        "X" => 16,
        "L" => 17,
        "P" => 18,
        "S" | "N" => 19,
        "Q" => 20,
        _ if ships => SHIPS,
        _ => FORCE,
    }
}

/// The symbols that may appear on a map.
pub fn symbols() -> Vec<Symbol> {
    vec![
        Symbol::new("city", &say!("city"), Shape::City).with_figures(&say!("level")),
        Symbol::new("ruins", &say!("ruins"), Shape::Ruin),
        Symbol::new("land", &say!("force"), Shape::Army).with_figures(&say!("size")),
        Symbol::new("ships", &say!("ships"), Shape::Ship),
        Symbol::new("general", &say!("general"), Shape::Star),
        Symbol::new("battle", &say!("battle"), Shape::Battle),
        Symbol::new("airbase", &say!("airbase"), Shape::Square),
        Symbol::new("fort", &say!("fort"), Shape::Diamond),
        Symbol::new("road", &say!("road"), Shape::Circle),
        Symbol::new("radiation", &say!("radiation"), Shape::Bomb),
        Symbol::new("infantry", &say!("infantry"), Shape::Infantry),
        Symbol::new("engineers", &say!("engineers"), Shape::Engineers),
        Symbol::new("tanks", &say!("tanks"), Shape::Armour),
        Symbol::new("trucks", &say!("trucks"), Shape::Trucks),
        Symbol::new("artillery", &say!("artillery"), Shape::Artillery),
        Symbol::new("aa-batteries", &say!("AA batteries"), Shape::Flak),
        Symbol::new("mechanised", &say!("mechanised"), Shape::Mechanised),
        Symbol::new("paratroops", &say!("paratroops"), Shape::Paratroops),
        Symbol::new("transports", &say!("transports"), Shape::Transport),
        Symbol::new("submarines", &say!("submarines"), Shape::Submarine),
        Symbol::new("carriers", &say!("carriers"), Shape::Transport),
    ]
}

/// The name of own land without supply in the legend.
pub const PALE: &str = mark!("without supply");

/// Grounds in the order of the legend; open ground is the usual one and comes first.
const GROUNDS: [(Ground, &str, Tint, Relief); 10] = [
    (Ground::Open, "open", Tint::new(13, 14, 12), Relief::None),
    (Ground::Mountains, "mountains", Tint::new(12, 11, 10), Relief::Peak),
    (Ground::Hills, "hills", Tint::new(13, 13, 10), Relief::Hill),
    (Ground::Forest, "forest", Tint::new(10, 12, 9), Relief::Tree),
    (Ground::Woods, "woods", Tint::new(12, 13, 10), Relief::Bush),
    (Ground::Swamp, "swamp", Tint::new(11, 12, 10), Relief::Reeds),
    (Ground::Marsh, "marsh", Tint::new(12, 13, 12), Relief::Reeds),
    (Ground::Desert, "desert", Tint::new(15, 14, 12), Relief::Dots),
    (Ground::Barren, "barren", Tint::new(14, 13, 12), Relief::None),
    (Ground::Sea, "sea", Tint::new(12, 13, 14), Relief::None),
];

/// The row of the ice beyond the poles.
pub const ICE: u8 = GROUNDS.len() as u8;

/// The row of a ground in [`terrains`].
pub fn row_of(ground: Ground) -> u8 {
    // There are ten rows, one for each ground.
    GROUNDS.iter().position(|row| row.0 == ground).unwrap_or(0) as u8
}

/// The grounds of sectors, with the names of this game, and ice at the end.
pub fn terrains(tables: &Tables) -> Vec<Terrain> {
    let row = |&(ground, id, tint, relief): &(Ground, &str, Tint, Relief)| Terrain {
        relief,
        shades: shades(ground),
        in_legend: ground != Ground::Open,
        water: ground == Ground::Sea,
        ..Terrain::new(id, &tongue::word(&tables.ground(ground).name), tint)
    };
    let white = Tint::new(15, 15, 15);
    let ice = Terrain { in_legend: false, ..Terrain::new("ice", &say!("ice"), white) };
    GROUNDS.iter().map(row).chain([ice]).collect()
}

/// The shades of a ground; nobody holds the sea, so it keeps its colour.
fn shades(ground: Ground) -> Shades {
    if ground == Ground::Sea { Shades::Same } else { Shades::Mixed }
}

/// Row numbers of [`coasts`].
pub const LAND: u8 = 0;
pub const SEA: u8 = 1;

/// Land and sea, the only grounds of the world map.
pub fn coasts() -> Vec<Terrain> {
    let coast = |id, name: &str, tint, ground| Terrain {
        shades: shades(ground),
        in_legend: false,
        water: ground == Ground::Sea,
        ..Terrain::new(id, name, tint)
    };
    vec![
        coast("land", &say!("land"), Tint::new(13, 14, 12), Ground::Open),
        coast("sea", &say!("sea"), Tint::new(12, 13, 14), Ground::Sea),
    ]
}
