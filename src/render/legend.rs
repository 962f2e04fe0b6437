//! The legend of a sheet, from the tables of its map: what occurs on the sheet, nothing
//! else.

use maud::{Markup, html};

use super::arrow;
use super::signs::{Sign, chip, chip_wide, speck};
use super::tints::{self, BORDER_OWN, FOG, INK, MOVED, hex, side};
use engine::Seat;
use engine::report::{
    Cell, GridStyle, MapKind, MapPicture, Piece, Shape, Side, Symbol, Terrain, Tint,
};

/// Holders of regions whose colours are named.
const HOLDERS: usize = 12;

/// Height of a line.
const LINE: u32 = 18;

const WHITE: Tint = Tint::new(15, 15, 15);

/// A drawing and what it means.
struct Item {
    drawing: Markup,
    /// Units from the drawing's left to the words.
    gap: u32,
    name: String,
}

fn swatch(tint: Tint, name: &str) -> Item {
    let drawing = html! { rect width="12" height="12" fill=(hex(tint)) stroke="#888" {} };
    Item { drawing, gap: 16, name: name.to_owned() }
}

/// What a sheet shows of a map.
struct Shown<'a> {
    map: &'a MapPicture,
    cells: Vec<&'a Cell>,
    pieces: Vec<&'a Piece>,
}

impl Shown<'_> {
    fn has(&self, is: impl Fn(&Cell) -> bool) -> bool {
        self.cells.iter().any(|c| is(c))
    }

    /// The terrain on which sides are shown.
    fn usual(&self) -> Option<&Terrain> {
        self.map.terrains.first()
    }

    /// Whose is what: the colours of seats in the game, else those of sides.
    fn sides(&self) -> Vec<Item> {
        let seen = |seat: Seat| {
            self.has(|c| c.holder == Some(seat))
                || self.pieces.iter().any(|p| p.holder == Some(seat))
        };
        if !self.map.colours.is_empty() {
            let colours = self.map.colours.iter().filter(|c| seen(c.seat));
            return colours.map(|c| swatch(c.tint, &c.name)).collect();
        }
        if let MapKind::Regions(_) = self.map.kind {
            return self.holders();
        }
        let sides = [(Side::Own, "yours"), (Side::Ally, "an ally's"), (Side::Foreign, "foreign")];
        let sides = sides.iter().filter(|(side, _)| self.has(|c| c.side == *side));
        sides.map(|&(side, name)| swatch(tints::shade(self.usual(), side, false), name)).collect()
    }

    /// Regions have their holders' colours, and the reader's have a thick outline.
    fn holders(&self) -> Vec<Item> {
        let mut seats: Vec<Seat> = self.cells.iter().filter_map(|c| c.holder).collect();
        seats.sort_unstable();
        seats.dedup();
        let own = self.has(|c| c.side == Side::Own).then(|| {
            let drawing = html! {
                rect x="1" y="1" width="10" height="10" fill="none" stroke=(BORDER_OWN)
                    stroke-width="2" {}
            };
            Item { drawing, gap: 16, name: "yours".to_owned() }
        });
        let player = |seat: Seat| swatch(tints::land(self.map, seat), &format!("player {seat}"));
        own.into_iter().chain(seats.into_iter().take(HOLDERS).map(player)).collect()
    }

    /// What paleness and fog mean.
    fn knowledge(&self) -> Vec<Item> {
        let mut items = Vec::new();
        let pale: Vec<Side> = self.cells.iter().filter(|c| c.pale).map(|c| c.side).collect();
        let usual = |side: &Side| *side == Side::Nobody;
        if let Some(side) = pale.iter().find(|s| usual(s)).or(pale.first())
            && !self.map.pale.is_empty()
        {
            items.push(swatch(tints::shade(self.usual(), *side, true), &self.map.pale));
        }
        if self.has(|c| c.terrain.is_none()) {
            items.push(swatch(FOG, "not known"));
        }
        items
    }

    /// Forms of pieces on a map of the world, where their colours are told.
    fn specks(&self) -> Vec<Item> {
        let here = |n: u8| self.pieces.iter().any(|p| p.symbol == n);
        let all = (0..).zip(&self.map.symbols).filter(|(n, _)| here(*n));
        // A ring has no filling.
        let fill = |shape| if shape == Shape::Circle { side(Side::Nobody) } else { WHITE };
        let item = |symbol: &Symbol| Item {
            drawing: speck(symbol.shape, fill(symbol.shape), 12),
            gap: 16,
            name: symbol.name.clone(),
        };
        match self.map.colours.is_empty() {
            true => Vec::new(),
            false => all.map(|(_, symbol)| item(symbol)).collect(),
        }
    }

    /// Symbols by the first piece that has them. Of counters, those of each side.
    fn symbols(&self) -> Vec<Item> {
        (0..).zip(&self.map.symbols).flat_map(|(n, symbol)| self.symbol(n, symbol)).collect()
    }

    fn symbol(&self, number: u8, symbol: &Symbol) -> Vec<Item> {
        let mut pieces: Vec<&Piece> =
            self.pieces.iter().filter(|p| p.symbol == number).copied().collect();
        // The reader's own come first, of those the ones with figures.
        pieces.sort_by_key(|p| (p.side != Side::Own, p.size == 0));
        let Some(first) = pieces.first() else { return Vec::new() };
        let name = match symbol.figures.as_str() {
            "" => symbol.name.clone(),
            figures => format!("{}: {figures}", symbol.name),
        };
        let mut items: Vec<Item> = self.sample(first, name).into_iter().collect();
        if symbol.shape == Shape::Army && self.map.colours.is_empty() {
            for (side, name) in [(Side::Foreign, "foreign"), (Side::Ally, "an ally's")] {
                let other = pieces.iter().filter(|p| p.side != first.side);
                let other = other.filter(|p| p.side == side).take(1);
                items.extend(other.filter_map(|p| self.sample(p, name.to_owned())));
            }
        }
        items
    }

    /// A piece with so few letters and figures that they fit.
    fn sample(&self, piece: &Piece, name: String) -> Option<Item> {
        let end = piece.code.char_indices().nth(1).map_or(piece.code.len(), |(end, _)| end);
        let sign = Sign::of(self.map, piece)?;
        let sign = Sign { code: &piece.code[..end], size: piece.size.min(99), ..sign };
        Some(Item { drawing: chip(&sign), gap: chip_wide(&sign) + 4, name })
    }

    /// What arrows mean, where there are any.
    fn arrow(&self) -> Option<&str> {
        let (arrows, means) = match &self.map.kind {
            MapKind::Grid(_) => return None,
            MapKind::Regions(regions) => (&regions.arrows, &regions.arrow),
            MapKind::Graph(graph) => (&graph.arrows, &graph.arrow),
        };
        (!arrows.is_empty()).then_some(means)
    }

    /// Lines and outlines.
    fn marks(&self) -> Vec<Item> {
        let line = |drawing: Markup, name: &str| Item { drawing, gap: 16, name: name.to_owned() };
        let mut items = Vec::new();
        if self.map.grid().is_some_and(|g| !g.routes.is_empty()) {
            let dash = html! {
                path d="M0 6h14" stroke="#05a" stroke-width="1.5" stroke-dasharray="4 3" {}
            };
            items.push(line(dash, "advance"));
        }
        if let MapKind::Regions(regions) = &self.map.kind
            && regions.regions.iter().any(|r| r.hatch)
            && !regions.hatch.is_empty()
        {
            let hatch = html! {
                rect width="12" height="12" fill="#fff" stroke="#888" {}
                path d="M0 6L6 0M0 12L12 0M6 12L12 6" stroke=(INK) stroke-width="0.8" {}
            };
            items.push(line(hatch, &regions.hatch));
        }
        items.extend(self.arrow().map(|means| line(arrow::sample(), means)));
        let last = &self.map.last_move;
        if !last.places.is_empty() || !last.links.is_empty() {
            let ring = html! {
                rect x="1" y="1" width="10" height="10" fill="none" stroke=(MOVED)
                    stroke-width="2" {}
            };
            items.push(line(ring, "last move"));
        }
        items
    }

    fn terrains(&self) -> Vec<Item> {
        let numbered = (0..).zip(&self.map.terrains).filter(|(_, t)| t.in_legend);
        let here = numbered.filter(|(n, _)| self.has(|c| c.terrain == Some(*n)));
        here.map(|(_, terrain)| swatch(terrain.tint, &terrain.name)).collect()
    }

    fn items(&self) -> Vec<Item> {
        let join = |parts: Vec<Vec<Item>>| parts.into_iter().flatten().collect();
        match &self.map.kind {
            MapKind::Grid(grid) if grid.style == GridStyle::World => {
                // Among many holders each has a colour of its own.
                match self.map.colours.is_empty() && self.has(|c| c.holder.is_some()) {
                    true => Vec::new(),
                    false => join(vec![
                        self.sides(),
                        self.knowledge(),
                        self.specks(),
                        self.marks(),
                        self.terrains(),
                    ]),
                }
            }
            // The signs of the text map stand in the nodes and say the rest.
            MapKind::Graph(_) if !self.map.legend.is_empty() => {
                join(vec![self.symbols(), self.marks()])
            }
            // Who has no side, such as the game master, needs no words for sides.
            MapKind::Graph(_) if !self.has(|c| matches!(c.side, Side::Own | Side::Ally)) => {
                let parts = [self.knowledge(), self.symbols(), self.marks(), self.terrains()];
                let colours = if self.map.colours.is_empty() { Vec::new() } else { self.sides() };
                colours.into_iter().chain(parts.into_iter().flatten()).collect()
            }
            _ => join(vec![
                self.sides(),
                self.knowledge(),
                self.symbols(),
                self.marks(),
                self.terrains(),
            ]),
        }
    }
}

/// What a sheet shows, in words, within a width: the height and the drawing. `on` says
/// whether a place of the map is on the sheet.
pub(super) fn legend(map: &MapPicture, on: &dyn Fn(usize) -> bool, wide: u32) -> (u32, Markup) {
    let cells = map.cells().enumerate().filter(|(place, _)| on(*place)).map(|(_, cell)| cell);
    let pieces = map.pieces.iter().filter(|p| on(p.at));
    let shown = Shown { map, cells: cells.collect(), pieces: pieces.collect() };
    // As many in a line as fit, by a generous width of a letter.
    let (mut x, mut line) = (4, 0);
    let mut placed = Vec::new();
    for item in shown.items() {
        let width = item.gap + item.name.chars().count() as u32 * 6 + 10;
        if x + width > wide && x > 4 {
            (x, line) = (4, line + 1);
        }
        placed.push((x, line * LINE, item));
        x += width;
    }
    let high = if placed.is_empty() { 0 } else { (line + 1) * LINE + 4 };
    let drawn = html! {
        @for (x, y, item) in placed {
            g transform=(format!("translate({x} {y})")) {
                (item.drawing)
                text x=(item.gap) y="10" font-size="9" fill=(INK) { (item.name) }
            }
        }
    };
    (high, drawn)
}
