//! The legend of a sheet, from the tables of its map: what occurs on the sheet and nothing else.

use std::collections::BTreeSet;

use maud::{Markup, html};

use super::arrow;
use super::letters;
use super::look::{veil, weave};
use super::sign::Sign;
use super::signs::{chip, chip_wide, speck};
use super::tints::{self, FOG, INK, MOVED, hex, side};
use engine::Seat;
use engine::report::{
    Cell, Earth, Graph, GridStyle, MapKind, MapPicture, Outcome, Piece, Shape, Side, Symbol,
    Terrain, Tint, Weave,
};
use tongue::{count, say};

/// Holders of regions whose colours are named, at most.
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

impl Item {
    /// Cuts its words at the last blank before which they fit; gives what follows.
    fn broken(&mut self, fits: impl Fn(&Item) -> bool) -> Option<String> {
        let blanks = self.name.rmatch_indices(' ').map(|(at, _)| at);
        let first =
            |at: usize| Item { drawing: html! {}, gap: self.gap, name: self.name[..at].to_owned() };
        let at = { blanks }.find(|at| fits(&first(*at)))?;
        let rest = self.name[at + 1..].to_owned();
        self.name.truncate(at);
        Some(rest)
    }
}

fn swatch(tint: Tint, name: &str) -> Item {
    let drawing = html! { rect width="12" height="12" fill=(hex(tint)) stroke="#888" {} };
    Item { drawing, gap: 16, name: name.to_owned() }
}

/// Light hatching and what it means.
fn hatched(name: &str) -> Item {
    let drawing = html! {
        rect width="12" height="12" fill="#ddd" stroke="#888" {}
        path d="M0 6L6 0M0 12L12 0M6 12L12 6" stroke=(INK) stroke-opacity="0.5" {}
    };
    Item { drawing, gap: 16, name: name.to_owned() }
}

/// What a sheet shows of a map.
struct Shown<'a> {
    map: &'a MapPicture,
    /// Whether a place is on the sheet.
    on: &'a dyn Fn(usize) -> bool,
    cells: Vec<&'a Cell>,
    pieces: Vec<&'a Piece>,
}

impl<'a> Shown<'a> {
    fn of(map: &'a MapPicture, on: &'a dyn Fn(usize) -> bool) -> Self {
        let cells = map.cells().enumerate().filter(|(place, _)| on(*place)).map(|(_, cell)| cell);
        let pieces = map.pieces.iter().filter(|p| on(p.at));
        Self { map, on, cells: cells.collect(), pieces: pieces.collect() }
    }

    fn has(&self, is: impl Fn(&Cell) -> bool) -> bool {
        self.cells.iter().any(|c| is(c))
    }

    /// The terrain on which sides are shown.
    fn usual(&self) -> Option<&Terrain> {
        self.map.terrains.first()
    }

    /// The colours of owners: those of seats in the game, else those of sides.
    fn sides(&self) -> Vec<Item> {
        let seen = |seat: Seat| {
            self.has(|c| c.holder == Some(seat))
                || self.pieces.iter().any(|p| p.holder == Some(seat))
        };
        if !self.map.colours.is_empty() {
            let colours = self.map.colours.iter().filter(|c| seen(c.seat));
            return colours.map(|c| swatch(self.colour(c.seat), &c.name)).collect();
        }
        self.holders()
    }

    /// The colour of a seat as it is drawn: areas with outlines are filled with a lighter one.
    fn colour(&self, seat: Seat) -> Tint {
        let areas = match &self.map.kind {
            MapKind::Grid(_) => false,
            MapKind::Regions(_) => true,
            MapKind::Graph(_) => self.earth().is_some(),
        };
        if areas { tints::land(self.map, seat) } else { tints::seat(self.map, seat) }
    }

    /// Holders by their numbers, the reader first, then allies.
    fn holders(&self) -> Vec<Item> {
        let cells = self.cells.iter().filter_map(|c| Some((c.side, c.holder?)));
        let pieces = self.pieces.iter().filter_map(|p| Some((p.side, p.holder?)));
        let all: BTreeSet<(Side, Seat)> = cells.chain(pieces).collect();
        let name = |(side, seat): (Side, Seat)| match side {
            Side::Own => say!("{seat}, yours"),
            Side::Ally => say!("{seat}, an ally"),
            Side::Foreign | Side::Nobody => say!("player {seat}"),
        };
        let more = all.len().saturating_sub(HOLDERS);
        let rest = (more > 0).then(|| Item {
            drawing: html! {},
            gap: 0,
            name: count!(more, both: "and {more} more, by their numbers on the map"),
        });
        let shown = all.iter().take(HOLDERS);
        let band = |seat| weave(Weave::of_seat(seat)).filter(|_| self.is_land());
        let item = |one: &(Side, Seat)| Item {
            drawing: html! {
                rect width="12" height="12" fill=(hex(self.colour(one.1))) stroke="#888" {}
                @if let Some(dashes) = band(one.1) {
                    path d="M1 6h11" stroke="#fff" stroke-width="2" stroke-dasharray=(dashes)
                        stroke-linecap="round" {}
                }
            },
            gap: 16,
            name: name(*one),
        };
        shown.map(item).chain(rest).collect()
    }

    /// Whether it is drawn as land: a grid of squares that is not a board.
    fn is_land(&self) -> bool {
        self.map.grid().is_some_and(|g| g.hexes.is_none() && g.style != GridStyle::Board)
    }

    /// What paleness and fog mean.
    fn knowledge(&self) -> Vec<Item> {
        let mut items = Vec::new();
        let pale: Vec<Side> = self.cells.iter().filter(|c| c.pale).map(|c| c.side).collect();
        let usual = |side: &Side| *side == Side::Nobody;
        if let Some(side) = pale.iter().find(|s| usual(s)).or(pale.first())
            && !self.map.pale.is_empty()
        {
            match self.is_land() {
                true => items.push(hatched(&self.map.pale)),
                false => {
                    items.push(swatch(tints::shade(self.usual(), *side, true), &self.map.pale))
                }
            }
        }
        if self.is_land() && self.has(|c| c.veiled && c.terrain.is_some()) {
            let veil = html! {
                rect width="12" height="12" fill=(hex(self.usual().map_or(FOG, |t| t.tint))) {}
                (veil("M0 0h12v12h-12z"))
            };
            items.push(Item { drawing: veil, gap: 16, name: say!("out of sight, as last seen") });
        }
        if self.has(|c| c.terrain.is_none()) {
            let fog = if self.is_land() { tints::UNKNOWN } else { FOG };
            items.push(swatch(fog, &say!("not known")));
        }
        items
    }

    /// Shapes of pieces, on a map on which seats have colours of their own.
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

    /// Symbols, each as the first piece that has it; counters once for each side.
    fn symbols(&self) -> Vec<Item> {
        (0..).zip(&self.map.symbols).flat_map(|(n, symbol)| self.symbol(n, symbol)).collect()
    }

    fn symbol(&self, number: u8, symbol: &Symbol) -> Vec<Item> {
        let mut pieces: Vec<&Piece> =
            self.pieces.iter().filter(|p| p.symbol == number).copied().collect();
        // The reader's own pieces come first, and among them those with a number.
        pieces.sort_by_key(|p| (p.side != Side::Own, p.size == 0));
        let Some(first) = pieces.first() else { return Vec::new() };
        let name = match symbol.figures.as_str() {
            "" => symbol.name.clone(),
            figures => format!("{}: {figures}", symbol.name),
        };
        let mut items: Vec<Item> = self.sample(first, name).into_iter().collect();
        if symbol.shape.is_counter() && self.map.colours.is_empty() {
            for (side, name) in [(Side::Foreign, say!("foreign")), (Side::Ally, say!("an ally's"))]
            {
                let other = pieces.iter().filter(|p| p.side != first.side);
                let other = other.filter(|p| p.side == side).take(1);
                items.extend(other.filter_map(|p| self.sample(p, name.clone())));
            }
        }
        items
    }

    /// A piece with its text cut so that it fits.
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
        arrows.iter().any(|(a, b)| (self.on)(*a) || (self.on)(*b)).then_some(means)
    }

    fn earth(&self) -> Option<&Earth> {
        match &self.map.kind {
            MapKind::Graph(graph) => graph.earth.as_ref(),
            MapKind::Grid(_) | MapKind::Regions(_) => None,
        }
    }

    /// Arrows on a map of the earth.
    fn moves(&self) -> Vec<Item> {
        let Some(earth) = self.earth() else { return Vec::new() };
        let line = |drawing: Markup, name: String| Item { drawing, gap: 20, name };
        let mut items = Vec::new();
        let here = |a: usize, b: usize| (self.on)(a) || (self.on)(b);
        let moves = || earth.moves.iter().filter(|m| here(m.from, m.to));
        let has = |outcome| moves().any(|m| m.outcome == outcome);
        if has(Outcome::Done) {
            items.push(line(arrow::done(), say!("carried out")));
        }
        if has(Outcome::Failed) {
            items.push(line(arrow::failed(), say!("beaten back")));
        }
        items
    }

    /// What else is drawn between the areas of a map of the earth, and what hatching means.
    fn between(&self) -> Vec<Item> {
        let Some(earth) = self.earth() else { return Vec::new() };
        let line = |drawing: Markup, name: &str| Item { drawing, gap: 20, name: name.to_owned() };
        let here = |a: usize, b: usize| (self.on)(a) || (self.on)(b);
        let mut items = Vec::new();
        if self.cells.iter().any(|c| c.pale && c.holder.is_some()) && !self.map.pale.is_empty() {
            let hatch = html! {
                rect width="12" height="12" fill="#888" stroke="#888" {}
                path d="M0 6L6 0M0 12L12 0M6 12L12 6" stroke="#fff" stroke-width="1.5" {}
            };
            items.push(line(hatch, &self.map.pale));
        }
        if earth.air.iter().any(|link| here(link.from, link.to)) {
            let dots = html! {
                path d="M0 6h15" stroke="#315" stroke-width="1.8" stroke-linecap="round"
                    stroke-dasharray="0.1 5" {}
            };
            items.push(line(dots, &say!("in reach by air")));
        }
        items
    }

    /// Lines and outlines.
    fn marks(&self) -> Vec<Item> {
        let line = |drawing: Markup, name: &str| Item { drawing, gap: 16, name: name.to_owned() };
        let mut items = Vec::new();
        if self.map.grid().is_some_and(|g| !g.routes.is_empty()) {
            let dash = html! {
                path d="M0 6h14" stroke="#124" stroke-width="2" stroke-dasharray="5 3" {}
            };
            items.push(line(dash, &say!("under way")));
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
        items.extend(self.moves());
        items.extend(self.between());
        let last = &self.map.last_move;
        if !last.places.is_empty() || !last.links.is_empty() {
            let ring = html! {
                rect x="1" y="1" width="10" height="10" fill="none" stroke=(MOVED)
                    stroke-width="2" {}
            };
            items.push(line(ring, &say!("last move")));
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
            MapKind::Graph(Graph { earth: Some(_), .. }) => {
                join(vec![self.sides(), self.symbols(), self.marks()])
            }
            // The nodes show the signs of the text map, which say the rest.
            MapKind::Graph(_) if !self.map.legend.is_empty() => {
                join(vec![self.symbols(), self.marks()])
            }
            // A reader who has no side, such as the game master, needs no words for sides.
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

/// What a sheet shows, in words, within a width and with letters of a size: the height and the
/// drawing. `on` says whether a place of the map is on the sheet.
pub(super) fn legend(
    map: &MapPicture,
    on: &dyn Fn(usize) -> bool,
    size: (u32, u32),
) -> (u32, Markup) {
    placed(Shown::of(map, on).items(), size)
}

/// The legend of a sheet that shows only holders and arrows.
pub(super) fn holders(
    map: &MapPicture,
    on: &dyn Fn(usize) -> bool,
    size: (u32, u32),
) -> (u32, Markup) {
    let shown = Shown::of(map, on);
    placed(shown.sides().into_iter().chain(shown.moves()).collect(), size)
}

/// A legend of words only, such as signs with what they mean, in the same lines.
pub(super) fn words(words: Vec<String>, size: (u32, u32)) -> (u32, Markup) {
    let item = |name: String| Item { drawing: html! {}, gap: 0, name };
    placed(words.into_iter().map(item).collect(), size)
}

/// Items in lines.
fn placed(items: Vec<Item>, (wide, font): (u32, u32)) -> (u32, Markup) {
    // As many in a line as fit, by a generous width of a letter. Drawings are made for letters of
    // ten units.
    let (mut x, mut line) = (4, 0);
    let mut placed = Vec::new();
    let larger = |units: u32| units * font.max(10) / 10;
    let line_high = larger(LINE);
    let scale = (font > 10).then(|| format!("scale({}.{})", font / 10, font % 10));
    let width = |item: &Item| larger(item.gap) + letters::bold(&item.name, font) * 9 / 10 + 14;
    for mut item in items {
        if x + width(&item) > wide && x > 4 {
            (x, line) = (4, line + 1);
        }
        // A text that is too long for a line goes on below, under its first word.
        while x + width(&item) > wide
            && let Some(rest) = item.broken(|item| x + width(item) <= wide)
        {
            let more = Item { drawing: html! {}, gap: item.gap, name: rest };
            placed.push((x, line * line_high, std::mem::replace(&mut item, more)));
            line += 1;
        }
        x += width(&item);
        placed.push((x - width(&item), line * line_high, item));
    }
    let high = if placed.is_empty() { 0 } else { (line + 1) * line_high + 4 };
    let drawn = html! {
        @for (x, y, item) in placed {
            g transform=(format!("translate({x} {y})")) {
                @if let Some(scale) = &scale { g transform=(scale) { (item.drawing) } }
                @else { (item.drawing) }
                text x=(larger(item.gap)) y=(font) font-size=(font) fill=(INK) { (item.name) }
            }
        }
    };
    (high, drawn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_for_a_line_goes_on_below_it() {
        let of = |wide| words(vec!["one two three four five six seven".to_owned()], (wide, 10));
        let (one, two) = (of(400), of(120));
        assert_eq!((one.1.into_string().matches("<text").count(), one.0), (1, LINE + 4));
        let drawn = two.1.into_string();
        assert!(drawn.matches("<text").count() > 1 && two.0 > LINE + 4, "{drawn}");
        assert!(drawn.contains(">one two"), "{drawn}");
        // A word that nothing can break stays as it is.
        assert_eq!(words(vec!["Donaudampfschiff".to_owned()], (30, 10)).0, LINE + 4);
    }
}
