//! The map as a picture (§10): regions in the colours of their holders, armies and bombs on them,
//! radioactive ones hatched; the same in words; and the reach of each explosion.

use std::borrow::Cow;

use engine::report::{
    Cell, LastMove, Line, MapKind, MapPicture, Piece, Region, Regions, Relief, SeatColour, Shades,
    Shape, Side, Symbol, Terrain, Tint, listed,
};
use engine::{Maps, Seat};
use tongue::{mark, say, word};

use super::board::{Board, Kind};
use super::map::{Category, Map, Place};
use super::outlines::{self, Outline};
use super::state::{Event, State};
use super::turn::Shot;
use super::view::View;
use crate::ClassicWarlord;

impl Maps for ClassicWarlord {
    fn atlas(state: &State) -> Option<MapPicture> {
        atlas(state)
    }
}

/// Drawing units for a cell of the grid: the fewest and the most.
const SCALES: [i32; 2] = [5, 10];
/// The width or height of a drawing in units, if the cells allow it.
const SIZE: i32 = 1440;
/// Cells around the reader's regions on the map of their surroundings.
const AROUND: i32 = 14;
/// The most cells of width or height of that map; for a player with regions everywhere it is left
/// out.
const WIDEST: i32 = 170;
/// The most regions on that map, in tenths of all regions: a larger map would only repeat the
/// whole.
const MOST_OF_TEN: usize = 7;
/// Cells around the reach of an explosion.
const AROUND_SHOT: i32 = 8;
/// The most explosions of a turn that are drawn; the text describes all.
const SHOTS: usize = 4;
/// Drawing units around the middle of a region for number, name and armies above each other.
const TWO_LINES: i32 = 19;
/// Drawing units for a character of a label.
const LETTER: i32 = 7;

/// Symbols.
const ARMY: u8 = 0;
const A_BOMB: u8 = 1;
const H_BOMB: u8 = 2;

/// The names of the seats' colours, by seat number less one (§2).
const COLOURS: [&str; 7] = [
    mark!("Red"),
    mark!("Blue"),
    mark!("Green"),
    mark!("Yellow"),
    mark!("White"),
    mark!("Black"),
    mark!("Purple"),
];

/// The name of a seat, which is its colour.
pub fn colour(seat: Seat) -> Cow<'static, str> {
    let named = COLOURS.get(usize::from(seat.0).wrapping_sub(1)).copied();
    word(named.unwrap_or(mark!("Grey")))
}

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

/// The colour of a seat's pack.
pub fn tint(seat: Seat) -> Tint {
    PACKS[usize::from(seat.0.max(1) - 1) % PACKS.len()]
}

fn terrains() -> Vec<Terrain> {
    let ground = |category: Category, tint, relief| {
        let id = category.name().replace(' ', "-");
        Terrain { relief, shades: Shades::Same, ..Terrain::new(&id, &word(category.name()), tint) }
    };
    vec![
        ground(Category::MegaCity, Tint::new(15, 13, 7), Relief::None),
        ground(Category::Key, Tint::new(15, 11, 10), Relief::None),
        ground(Category::Rural, Tint::new(11, 14, 9), Relief::None),
        ground(Category::Mountains, Tint::new(12, 10, 8), Relief::Peak),
        ground(Category::Sea, Tint::new(10, 13, 15), Relief::None),
        ground(Category::Light, Tint::new(14, 14, 13), Relief::None),
        Terrain::new("exploded", &say!("a bomb went off"), Tint::new(15, 7, 0)),
        Terrain::new("devastated", &say!("devastated"), Tint::new(9, 6, 4)),
    ]
}

fn terrain_of(category: Category) -> Option<u8> {
    // There are six categories.
    Category::ALL.iter().position(|c| *c == category).map(|n| n as u8)
}

/// Terrains after those of the categories.
const EXPLODED: u8 = 6;
const DEVASTATED: u8 = 7;

/// The data of a drawing.
struct Drawing<'a> {
    board: &'a Board,
    reader: Option<Seat>,
    /// Regions where bombs went off.
    touched: Vec<Place>,
    /// Attacks, each with its region and its target.
    attacks: Vec<(Place, Place)>,
    /// The explosion that the drawing shows, if it shows one.
    shot: Option<&'a Shot>,
}

/// The visible contents of a region.
struct Shown {
    pieces: Vec<Piece>,
    hatch: bool,
    cell: Cell,
}

/// The name of a picture.
struct Name<'a> {
    id: &'a str,
    title: &'a str,
}

/// The maps of a printout: the whole playing area, the part around the seat's own regions, and the
/// reach of each explosion. A map without outlines has none.
pub fn maps(view: &View) -> Vec<MapPicture> {
    let shots = view.events.iter().filter_map(|e| match e {
        Event::Shot(_, shot) => Some(shot),
        _ => None,
    });
    let shots = (1..).zip(shots.take(SHOTS));
    let explosions = shots.filter_map(|(nth, shot)| explosion(view, nth, shot));
    whole(view).into_iter().chain(part(view)).chain(explosions).collect()
}

/// The whole playing area for a seat.
pub fn whole(view: &View) -> Option<MapPicture> {
    let places: Vec<Place> = view.board.map().places().collect();
    let drawing = drawing(view);
    let name = Name { id: "board", title: &say!("The board") };
    Some(MapPicture { words: drawing.words(&places), ..drawing.picture(name, &places)? })
}

/// The part around a seat's own regions. It has no description in words, because that of the whole
/// map contains it.
pub fn part(view: &View) -> Option<MapPicture> {
    let held: Vec<Place> = view.board.held(view.seat).collect();
    let (places, wide) = around(view.board.map(), &held, AROUND)?;
    let most = view.board.map().len() * MOST_OF_TEN / 10;
    if wide > WIDEST || places.len() > most {
        return None;
    }
    drawing(view).picture(Name { id: "part", title: &say!("Around your regions") }, &places)
}

/// The moves of a card as arrows, with the regions around; `None` if nothing moves.
pub fn sketch(view: &View, marches: &[(Place, Place)]) -> Option<MapPicture> {
    let ends: Vec<Place> = marches.iter().flat_map(|(from, to)| [*from, *to]).collect();
    let (places, _) = around(view.board.map(), &ends, AROUND_SHOT)?;
    let drawing = Drawing { touched: Vec::new(), attacks: marches.to_vec(), ..drawing(view) };
    let mut map =
        drawing.picture(Name { id: "orders", title: &say!("What your card orders") }, &places)?;
    if let MapKind::Regions(regions) = &mut map.kind {
        regions.arrow = say!(arrow: "ordered");
    }
    Some(map)
}

/// The reach of an explosion, with the armies that were there before.
fn explosion(view: &View, nth: usize, shot: &Shot) -> Option<MapPicture> {
    let map = view.board.map();
    let reached: Vec<Place> = shot.devastated.iter().copied().chain([shot.from]).collect();
    let (places, _) = around(map, &reached, AROUND_SHOT)?;
    let (kind, place) = (word(shot.kind.name()), map.called(shot.to));
    let title = say!("The {kind} on {place}");
    let drawing = Drawing {
        touched: Vec::new(),
        attacks: Vec::from_iter((shot.from != shot.to).then_some((shot.from, shot.to))),
        shot: Some(shot),
        ..drawing(view)
    };
    drawing.picture(Name { id: &format!("explosion-{nth}"), title: &title }, &places)
}

/// The regions in the rectangle around `of` with a margin of `cells`, and its width or height,
/// whichever is larger. `None` if `of` is empty.
fn around(map: &Map, of: &[Place], cells: i32) -> Option<(Vec<Place>, i32)> {
    let middle = |p: Place| outlines::of(map.region(p).number).map(|o| o.middle);
    let of: Vec<(i32, i32)> = of.iter().copied().filter_map(middle).collect();
    let span = |side: fn(&(i32, i32)) -> i32| -> Option<(i32, i32)> {
        Some((of.iter().map(side).min()? - cells, of.iter().map(side).max()? + cells))
    };
    let ((west, east), (north, south)) = (span(|p| p.0)?, span(|p| p.1)?);
    let within = |p: &Place| {
        middle(*p).is_some_and(|(x, y)| (west..=east).contains(&x) && (north..=south).contains(&y))
    };
    Some((map.places().filter(within).collect(), (east - west).max(south - north)))
}

/// The whole map for the game master.
pub fn atlas(state: &State) -> Option<MapPicture> {
    let places: Vec<Place> = state.board.map().places().collect();
    let drawing = Drawing {
        board: &state.board,
        reader: None,
        touched: Vec::new(),
        attacks: Vec::new(),
        shot: None,
    };
    drawing.picture(Name { id: "atlas", title: &say!("The board") }, &places)
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
    Drawing { board: &view.board, reader: Some(view.seat), touched, attacks, shot: None }
}

impl Drawing<'_> {
    fn side(&self, owner: Option<Seat>) -> Side {
        match (owner, self.reader) {
            (None, _) => Side::Nobody,
            (Some(owner), Some(reader)) if owner == reader => Side::Own,
            (Some(_), _) => Side::Foreign,
        }
    }

    fn picture(&self, name: Name<'_>, places: &[Place]) -> Option<MapPicture> {
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
            let (x, y) = to(outline.middle);
            let shown = self.shown(*place, n);
            let stands = !shown.pieces.is_empty();
            let label = self.label(*place, outline.room * scale);
            // There are at most two lines.
            let lines = label.len() as i32;
            pieces.extend(shown.pieces);
            regions.push(Region {
                id: map.region(*place).number.to_string(),
                name: map.called(*place),
                outlines: outline
                    .polygons
                    .iter()
                    .map(|p| p.iter().copied().map(to).collect())
                    .collect(),
                anchor: (x, y + if stands { 6 * lines } else { 0 }),
                label,
                label_at: (x, y - if stands { 9 } else { 0 }),
                fill: None,
                hatch: shown.hatch,
                cell: shown.cell,
            });
        }
        let moved = |place: &Place| places.iter().position(|p| p == place);
        let kind = MapKind::Regions(Regions {
            size: (size(east - west), size(south - north)),
            regions,
            hatch: say!("radioactive"),
            arrows: self.attacks.iter().filter_map(|(a, b)| Some((moved(a)?, moved(b)?))).collect(),
            arrow: if self.shot.is_some() { say!(arrow: "bomb") } else { say!(arrow: "attack") },
        });
        let fallen = self.shot.iter().flat_map(|s| s.fallen.iter().map(|f| f.1));
        let mut seats: Vec<Seat> =
            self.board.lands.iter().filter_map(|l| l.owner).chain(fallen).collect();
        seats.sort_unstable();
        seats.dedup();
        let pack =
            |seat: Seat| SeatColour { seat, name: colour(seat).into_owned(), tint: tint(seat) };
        Some(MapPicture {
            terrains: terrains(),
            symbols: vec![
                Symbol::new("army", &say!("armies"), Shape::Circle),
                Symbol::new("a-bomb", &say!("A-bomb and its units"), Shape::Triangle),
                Symbol::new("h-bomb", &say!("H-bomb and its units"), Shape::Diamond),
            ],
            colours: seats.into_iter().map(pack).collect(),
            pieces,
            last_move: LastMove {
                places: self.touched.iter().filter_map(moved).collect(),
                links: Vec::new(),
            },
            ..MapPicture::new(name.id, name.title, kind)
        })
    }

    /// The visible contents of a region: armies and bomb, or the effect of an explosion there.
    fn shown(&self, place: Place, at: usize) -> Shown {
        let land = self.board.land(place);
        let piece = |owner: Option<Seat>, symbol, n: u32| Piece {
            side: self.side(owner),
            holder: owner,
            size: n,
            ..Piece::new(at, symbol)
        };
        let cell =
            |terrain, holder| Cell { terrain, holder, side: self.side(holder), ..Cell::default() };
        if let Some(shot) = self.shot.filter(|s| s.devastated.contains(&place)) {
            let exploded = place == shot.to || shot.chain.iter().any(|(p, _)| *p == place);
            let terrain = if exploded { EXPLODED } else { DEVASTATED };
            let fallen = shot.fallen.iter().filter(|f| f.0 == place);
            return Shown {
                pieces: fallen.map(|(_, seat, n)| piece(Some(*seat), ARMY, *n)).collect(),
                hatch: land.splat,
                cell: cell(Some(terrain), None),
            };
        }
        let armies = (land.armies > 0).then(|| piece(land.owner, ARMY, land.armies));
        let bomb = land.bomb.map(|b| match b.kind {
            Kind::A => piece(land.owner, A_BOMB, b.units),
            Kind::H => piece(land.owner, H_BOMB, b.units),
        });
        Shown {
            pieces: armies.into_iter().chain(bomb).collect(),
            hatch: land.splat,
            cell: cell(terrain_of(self.board.map().category(place)), land.owner),
        }
    }

    /// Number and category of a region, and below its name where there is room for it: `room`
    /// drawing units around the middle. Mega cities have their names in capitals.
    fn label(&self, place: Place, room: i32) -> Vec<String> {
        let region = self.board.map().region(place);
        let name = match region.category {
            Category::MegaCity => region.name.to_uppercase(),
            _ => region.name.clone(),
        };
        let letters = i32::try_from(name.chars().count()).unwrap_or(i32::MAX);
        let fits = room >= TWO_LINES && letters.saturating_mul(LETTER) <= 2 * room;
        let number = format!("{}{}", region.number, region.category.letter());
        [number].into_iter().chain(fits.then_some(name)).collect()
    }

    /// Each region with its contents and its neighbours, for those who can't see a map.
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
            _ if self.board.land(at).splat => say!("{region} radioactive", region = number),
            Some(seat) => format!("{number} {} {}", colour(seat), self.board.armies(at)),
            None => number,
        }
    }
}
