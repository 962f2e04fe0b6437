//! The map as a picture (§10): regions in the colours of their holders, armies and bombs on
//! them, radioactive ones hatched; and the same in words.

use engine::Seat;
use engine::report::{
    Cell, LastMove, Line, MapKind, MapPicture, Piece, Region, Regions, Relief, SeatColour, Shades,
    Shape, Side, Symbol, Terrain, Tint, listed,
};

use super::board::{Board, Kind};
use super::map::{Category, Place};
use super::outlines::{self, Outline};
use super::report::colour;
use super::state::{Event, State};
use super::view::View;

/// Units of the drawing for a cell of the grid: at least and at most.
const SCALES: [i32; 2] = [4, 10];
/// Units that a drawing is wide or high, if the cells allow it.
const SIZE: i32 = 1440;
/// Cells around the reader's regions that a part shows.
const AROUND: i32 = 14;
/// Cells that a part is wide or high at most; whoever sits everywhere needs none.
const WIDEST: i32 = 170;
/// Units that a letter of a label takes.
const LETTER: i32 = 6;

/// The id of the map of a part.
const PART: &str = "part";

/// Symbols.
const ARMY: u8 = 0;
const A_BOMB: u8 = 1;
const H_BOMB: u8 = 2;

/// The colours of the packs (§2).
const PACKS: [Tint; 7] = [
    Tint::new(14, 4, 4),
    Tint::new(5, 8, 14),
    Tint::new(5, 12, 6),
    Tint::new(15, 13, 3),
    Tint::new(15, 15, 15),
    Tint::new(6, 6, 6),
    Tint::new(11, 6, 13),
];

fn terrains() -> Vec<Terrain> {
    let ground = |category: Category, tint, relief| {
        let id = category.name().replace(' ', "-");
        Terrain { relief, shades: Shades::Same, ..Terrain::new(&id, category.name(), tint) }
    };
    vec![
        ground(Category::MegaCity, Tint::new(15, 13, 7), Relief::None),
        ground(Category::Key, Tint::new(15, 11, 10), Relief::None),
        ground(Category::Rural, Tint::new(11, 14, 9), Relief::None),
        ground(Category::Mountains, Tint::new(12, 10, 8), Relief::Peak),
        ground(Category::Sea, Tint::new(10, 13, 15), Relief::None),
        ground(Category::Light, Tint::new(14, 14, 13), Relief::None),
    ]
}

fn terrain_of(category: Category) -> Option<u8> {
    // There are six.
    Category::ALL.iter().position(|c| *c == category).map(|n| n as u8)
}

/// What a map is drawn from.
struct Drawing<'a> {
    board: &'a Board,
    reader: Option<Seat>,
    /// Where bombs went off.
    touched: Vec<Place>,
    /// From where which regions were attacked.
    attacks: Vec<(Place, Place)>,
}

/// The whole playing area, as a seat sees it; `None` for a map without outlines.
pub fn whole(view: &View) -> Option<MapPicture> {
    let places: Vec<Place> = view.board.map().places().collect();
    drawing(view).picture("board", "The board", &places)
}

/// The part of it around a seat's own regions.
pub fn part(view: &View) -> Option<MapPicture> {
    let map = view.board.map();
    let outline = |p: Place| outlines::of(map.region(p).number);
    let own: Vec<(i32, i32)> =
        view.board.held(view.seat).filter_map(outline).map(|o| o.middle).collect();
    let span = |of: fn(&(i32, i32)) -> i32| -> Option<(i32, i32)> {
        Some((own.iter().map(of).min()? - AROUND, own.iter().map(of).max()? + AROUND))
    };
    let ((west, east), (north, south)) = (span(|p| p.0)?, span(|p| p.1)?);
    if (east - west).max(south - north) > WIDEST {
        return None;
    }
    let near = |p: &Place| {
        outline(*p).is_some_and(|o| {
            (west..=east).contains(&o.middle.0) && (north..=south).contains(&o.middle.1)
        })
    };
    let places: Vec<Place> = map.places().filter(near).collect();
    drawing(view).picture(PART, "Around your regions", &places)
}

/// The whole map for the game master.
pub fn atlas(state: &State) -> Option<MapPicture> {
    let places: Vec<Place> = state.board.map().places().collect();
    let drawing =
        Drawing { board: &state.board, reader: None, touched: Vec::new(), attacks: Vec::new() };
    drawing.picture("atlas", "The board", &places)
}

fn drawing(view: &View) -> Drawing<'_> {
    let touched = |e: &Event| if let Event::Shot(_, shot) = e { Some(shot.to) } else { None };
    let touched = view.events.iter().filter_map(touched).collect();
    let attack = |e: &Event| match e {
        Event::Struck(_, strike) => Some((strike.target.from, strike.target.to)),
        _ => None,
    };
    let mut attacks: Vec<(Place, Place)> = view.events.iter().filter_map(attack).collect();
    attacks.sort_unstable();
    attacks.dedup();
    Drawing { board: &view.board, reader: Some(view.seat), touched, attacks }
}

impl Drawing<'_> {
    fn side(&self, owner: Option<Seat>) -> Side {
        match (owner, self.reader) {
            (None, _) => Side::Nobody,
            (Some(owner), Some(reader)) if owner == reader => Side::Own,
            (Some(_), _) => Side::Foreign,
        }
    }

    fn picture(&self, id: &str, title: &str, places: &[Place]) -> Option<MapPicture> {
        let map = self.board.map();
        let outlines: Option<Vec<(Place, &Outline)>> =
            places.iter().map(|p| Some((*p, outlines::of(map.region(*p).number)?))).collect();
        let outlines = outlines?;
        let points = || outlines.iter().flat_map(|(_, o)| o.polygons.iter().flatten());
        let (west, north) = (points().map(|p| p.0).min()?, points().map(|p| p.1).min()?);
        let (east, south) = (points().map(|p| p.0).max()?, points().map(|p| p.1).max()?);
        let scale = SIZE / (east - west).max(south - north).max(1);
        let scale = scale.clamp(SCALES[0], SCALES[1]);
        let to = |(x, y): (i32, i32)| ((x - west) * scale, (y - north) * scale);
        let size = |cells: i32| u16::try_from(cells * scale).unwrap_or(u16::MAX);
        let mut pieces = Vec::new();
        let mut regions = Vec::new();
        for (n, (place, outline)) in outlines.iter().enumerate() {
            let land = self.board.land(*place);
            let (x, y) = to(outline.middle);
            let side = self.side(land.owner);
            let stands = land.armies > 0 || land.bomb.is_some();
            pieces.extend(self.pieces(*place, n, side));
            regions.push(Region {
                id: map.region(*place).number.to_string(),
                name: map.called(*place),
                outlines: outline
                    .polygons
                    .iter()
                    .map(|p| p.iter().copied().map(to).collect())
                    .collect(),
                anchor: (x, y + if stands { 3 } else { 0 }),
                label: self.label(*place, outline, scale),
                label_at: (x, y - if stands { scale * 2 } else { 0 }),
                fill: None,
                hatch: land.splat,
                cell: Cell {
                    terrain: terrain_of(map.category(*place)),
                    holder: land.owner,
                    side,
                    ..Cell::default()
                },
            });
        }
        let moved = |place: &Place| places.iter().position(|p| p == place);
        let kind = MapKind::Regions(Regions {
            size: (size(east - west), size(south - north)),
            regions,
            hatch: "radioactive".to_owned(),
            arrows: self.attacks.iter().filter_map(|(a, b)| Some((moved(a)?, moved(b)?))).collect(),
            arrow: "attack".to_owned(),
        });
        let seats = self.board.lands.iter().filter_map(|l| l.owner);
        let mut seats: Vec<Seat> = seats.collect();
        seats.sort_unstable();
        seats.dedup();
        let pack = |seat: Seat| SeatColour {
            seat,
            name: colour(seat).to_owned(),
            tint: PACKS[usize::from(seat.0.max(1) - 1) % PACKS.len()],
        };
        Some(MapPicture {
            terrains: terrains(),
            symbols: vec![
                Symbol::new("army", "armies", Shape::Circle),
                Symbol::new("a-bomb", "A-bomb and its units", Shape::Triangle),
                Symbol::new("h-bomb", "H-bomb and its units", Shape::Diamond),
            ],
            colours: seats.into_iter().map(pack).collect(),
            pieces,
            last_move: LastMove {
                places: self.touched.iter().filter_map(moved).collect(),
                links: Vec::new(),
            },
            // A part says nothing that the whole does not.
            words: if id == PART { Vec::new() } else { self.words(places) },
            ..MapPicture::new(id, title, kind)
        })
    }

    /// Armies and bomb of a region.
    fn pieces(&self, place: Place, at: usize, side: Side) -> Vec<Piece> {
        let land = self.board.land(place);
        let piece =
            |symbol, n: u32| Piece { side, holder: land.owner, size: n, ..Piece::new(at, symbol) };
        let armies = (land.armies > 0).then(|| piece(ARMY, land.armies));
        let bomb = land.bomb.map(|b| match b.kind {
            Kind::A => piece(A_BOMB, b.units),
            Kind::H => piece(H_BOMB, b.units),
        });
        armies.into_iter().chain(bomb).collect()
    }

    /// Number and category of a region, and its name where it fits.
    fn label(&self, place: Place, outline: &Outline, scale: i32) -> String {
        let region = self.board.map().region(place);
        let fits = |text: &str| {
            let letters = i32::try_from(text.chars().count()).unwrap_or(i32::MAX);
            letters * LETTER <= 2 * outline.room * scale
        };
        let short = format!("{}{}", region.number, region.category.letter());
        let long = format!("{short} {}", region.name);
        if fits(&long) { long } else { short }
    }

    /// Each region with what stands there and its neighbours, for who can't see a map.
    fn words(&self, places: &[Place]) -> Vec<Line> {
        let map = self.board.map();
        let mut lines: Vec<Line> = Vec::new();
        for place in places.iter().filter(|p| self.board.owner(**p) == self.reader) {
            if self.board.owner(*place).is_none() {
                continue;
            }
            let near: Vec<String> = map.near(*place).map(|n| self.neighbour(n)).collect();
            let lead = format!("{} {}", map.called(*place), self.board.armies(*place));
            lines.extend(listed(&lead, &near));
        }
        lines
    }

    fn neighbour(&self, at: Place) -> String {
        let region = self.board.map().region(at);
        let number = format!("{}{}", region.number, region.category.letter());
        match self.board.owner(at) {
            _ if self.board.land(at).splat => format!("{number} radioactive"),
            Some(seat) => format!("{number} {} {}", colour(seat), self.board.armies(at)),
            None => number,
        }
    }
}
