//! A document on paper: A4 or Letter, maps as vector graphics, a turn card to fill in by
//! hand as the last page. What maps show is not said in words again.
//!
//! Pages are laid out first, as words and lines at their places, and written then, so
//! that each can say how many there are. Each piece belongs to a part of the document, of
//! which the tags tell programs that read the file aloud.

use std::num::NonZeroU16;

use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect, Size, Transform};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::tagging::{
    Artifact, ArtifactType, ContentTag, ListNumbering, Node, TableHeaderScope, Tag, TagGroup,
    TagKind, TagTree,
};
use krilla::text::{Font, TextDirection};
use krilla_svg::{SurfaceExt, SvgSettings};
use serde::{Deserialize, Serialize};

use super::letters;
use super::raster::{PictureError, tree};
use super::text::{flat, safe};
use super::{Document, Picture};
use engine::report::{Align, Battle, Block, Force, Section, Table};
use tongue::{Catalogue, now, say};

/// What it is printed on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Paper {
    /// 210 by 297 millimetres.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// Width and height in points.
    fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.0, 842.0),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// Points around what is printed.
const MARGIN: f32 = 42.0;
/// Sizes of letters in points.
const BODY: f32 = 9.0;
const TABLE: f32 = 7.5;
const TABLE_MIN: f32 = 5.0;
const MONO: f32 = 7.0;
const HEADING: f32 = 13.0;
const TITLE: f32 = 22.0;
/// Points of a map's unit on paper, at most.
const UNIT: f32 = 0.75;
/// Lines of the card that is filled in by hand, in each of two columns.
const CARD_LINES: u32 = 27;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Face {
    Plain,
    Bold,
    Mono,
}

/// What a part of a document is to programs that read it aloud.
#[derive(Clone)]
enum Role {
    /// A heading of a level.
    Heading(NonZeroU16, String),
    Para,
    Quote,
    List,
    Item,
    Table,
    Row,
    /// A cell at the head of a column or of a row.
    Head(TableHeaderScope),
    Cell,
    /// A picture, with what it shows.
    Figure(String),
}

impl Role {
    fn tag(&self) -> TagKind {
        match self {
            Self::Heading(level, title) => Tag::Hn(*level, Some(title.clone())).into(),
            Self::Para => Tag::P.into(),
            Self::Quote => Tag::BlockQuote.into(),
            Self::List => Tag::L(ListNumbering::Disc).into(),
            Self::Item => Tag::LI.into(),
            Self::Table => Tag::Table.into(),
            Self::Row => Tag::TR.into(),
            Self::Head(scope) => Tag::TH(*scope).into(),
            Self::Cell => Tag::TD.into(),
            Self::Figure(alt) => Tag::Figure(Some(alt.clone())).into(),
        }
    }
}

/// Something at its place on a page.
enum Item {
    Text {
        x: f32,
        y: f32,
        face: Face,
        size: f32,
        grey: u8,
        text: String,
    },
    Rule {
        x: f32,
        y: f32,
        width: f32,
        grey: u8,
    },
    /// A bar of two parts: what is left, filled, and what was lost, empty.
    Bar {
        x: f32,
        y: f32,
        parts: (f32, f32),
        colour: [u8; 3],
    },
    /// A picture by its number, with width and height.
    Picture {
        x: f32,
        y: f32,
        number: usize,
        size: (f32, f32),
    },
}

/// The fonts, to draw with and to measure by.
struct Fonts {
    drawn: [Font; 3],
    measured: [ttf_parser::Face<'static>; 3],
}

impl Fonts {
    fn load() -> Result<Self, PictureError> {
        let files = [dejavu::sans::regular(), dejavu::sans::bold(), dejavu::sans_mono::regular()];
        let bad = |what: &str| PictureError(format!("a font of the program is broken: {what}"));
        let drawn = |f: &'static [u8]| {
            Font::new(f.to_vec().into(), 0).ok_or_else(|| bad("it can't be embedded"))
        };
        let measured =
            |f: &'static [u8]| ttf_parser::Face::parse(f, 0).map_err(|e| bad(&e.to_string()));
        Ok(Self {
            drawn: [drawn(files[0])?, drawn(files[1])?, drawn(files[2])?],
            measured: [measured(files[0])?, measured(files[1])?, measured(files[2])?],
        })
    }

    fn width(&self, face: Face, size: f32, text: &str) -> f32 {
        let font = &self.measured[face as usize];
        let em = f32::from(font.units_per_em());
        letters::advance(font, text) as f32 / em * size
    }

    /// Text in lines of at most this width; a word that is wider is cut.
    fn wrap(&self, face: Face, size: f32, text: &str, width: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        let mut used = 0.0;
        let blank = self.width(face, size, " ");
        for word in text.split_whitespace() {
            let wide = self.width(face, size, word);
            if used > 0.0 && used + blank + wide > width {
                lines.push(String::new());
                used = 0.0;
            }
            let line = lines.len() - 1;
            if used > 0.0 {
                lines[line].push(' ');
                used += blank;
            }
            if wide <= width {
                lines[line].push_str(word);
                used += wide;
                continue;
            }
            for c in word.chars() {
                let one = self.width(face, size, c.encode_utf8(&mut [0; 4]));
                if used + one > width && used > 0.0 {
                    lines.push(String::new());
                    used = 0.0;
                }
                let line = lines.len() - 1;
                lines[line].push(c);
                used += one;
            }
        }
        lines
    }
}

/// Pages as they are laid out.
struct Layout<'a> {
    fonts: &'a Fonts,
    page: (f32, f32),
    /// What stands on each page, and the part to which it belongs.
    pages: Vec<Vec<(Item, Option<usize>)>>,
    /// The parts of the document in order, each with the one around it.
    parts: Vec<(Role, Option<usize>)>,
    /// The part that is laid out.
    part: Option<usize>,
    /// Where the next line begins, from the top.
    y: f32,
    /// Headings with their pages, for the outline.
    headings: Vec<(String, usize, f32)>,
}

impl<'a> Layout<'a> {
    fn new(fonts: &'a Fonts, paper: Paper) -> Self {
        Self {
            fonts,
            page: paper.size(),
            pages: vec![Vec::new()],
            parts: Vec::new(),
            part: None,
            y: MARGIN,
            headings: Vec::new(),
        }
    }

    fn width(&self) -> f32 {
        self.page.0 - 2.0 * MARGIN
    }

    fn bottom(&self) -> f32 {
        self.page.1 - MARGIN
    }

    fn put(&mut self, item: Item) {
        // Rules and bars say nothing that words do not.
        let part = self.part.filter(|_| !matches!(item, Item::Rule { .. } | Item::Bar { .. }));
        if let Some(page) = self.pages.last_mut() {
            page.push((item, part));
        }
    }

    /// Lays out a part of the document, within the one that is laid out.
    fn part<T>(&mut self, role: Role, lay_out: impl FnOnce(&mut Self) -> T) -> T {
        let around = self.part;
        self.parts.push((role, around));
        self.part = Some(self.parts.len() - 1);
        let done = lay_out(self);
        self.part = around;
        done
    }

    fn turn_over(&mut self) {
        self.pages.push(Vec::new());
        self.y = MARGIN + 14.0;
    }

    /// Begins a page when so much does not fit on this one.
    fn need(&mut self, height: f32) {
        if self.y + height > self.bottom() {
            self.turn_over();
        }
    }

    /// A line of text at the next place.
    fn line(&mut self, face: Face, size: f32, indent: f32, text: &str) {
        let step = size * 1.35;
        self.need(step);
        let (x, y) = (MARGIN + indent, self.y + size);
        self.put(Item::Text { x, y, face, size, grey: 0, text: text.to_owned() });
        self.y += step;
    }

    fn para(&mut self, text: &str) {
        self.part(Role::Para, |layout| {
            let lines = layout.fonts.wrap(Face::Plain, BODY, text, layout.width());
            lines.iter().for_each(|line| layout.line(Face::Plain, BODY, 0.0, line));
            layout.y += 2.0;
        });
    }

    /// Points that running text takes.
    fn high(&self, text: &str) -> f32 {
        self.fonts.wrap(Face::Plain, BODY, text, self.width()).len() as f32 * BODY * 1.35 + 2.0
    }

    /// Items under each other; short ones in two columns.
    fn list(&mut self, lines: &[String]) {
        let column = (self.width() - 2.0 * GAP) / 2.0;
        let short = |l: &String| self.fonts.width(Face::Plain, BODY, l) <= column - DOT;
        let step = BODY * 1.35;
        let rows = lines.len().div_ceil(2);
        let fits = rows as f32 * step <= self.bottom() - MARGIN - 20.0;
        if lines.len() >= 6 && fits && lines.iter().all(short) {
            self.need(rows as f32 * step);
            let top = self.y;
            self.part(Role::List, |layout| {
                for (i, line) in lines.iter().enumerate() {
                    let (row, side) = (i % rows, i / rows);
                    layout.y = top + row as f32 * step;
                    layout.item(side as f32 * (column + 2.0 * GAP), std::slice::from_ref(line));
                }
            });
            self.y = top + rows as f32 * step + 2.0;
            return;
        }
        self.part(Role::List, |layout| {
            for line in lines {
                let wrapped = layout.fonts.wrap(Face::Plain, BODY, line, layout.width() - DOT);
                layout.item(0.0, &wrapped);
                layout.y += 1.0;
            }
        });
        self.y += 2.0;
    }

    /// An item of a list, its lines behind a dot.
    fn item(&mut self, indent: f32, lines: &[String]) {
        self.need(BODY * 1.35);
        self.part(Role::Item, |layout| {
            let (x, y) = (MARGIN + indent, layout.y + BODY);
            let text = "•".to_owned();
            layout.put(Item::Text { x, y, face: Face::Plain, size: BODY, grey: 0, text });
            lines.iter().for_each(|l| layout.line(Face::Plain, BODY, indent + DOT, l));
        });
    }

    fn heading(&mut self, text: &str) {
        // A heading stands with some lines of its section.
        self.need(60.0);
        self.y += 8.0;
        self.headings.push((text.to_owned(), self.pages.len() - 1, self.y));
        self.title(SECTION, Face::Bold, HEADING, text);
        let rule = Item::Rule { x: MARGIN, y: self.y, width: self.width(), grey: 120 };
        self.put(rule);
        self.y += 5.0;
    }

    /// An entry of the contents: what it is called, and its page at the right.
    fn entry(&mut self, heading: &str, page: usize) {
        let step = BODY * 1.35;
        self.need(step);
        let (left, y) = (MARGIN, self.y + BODY);
        let page = page.to_string();
        let right = self.page.0 - MARGIN - self.fonts.width(Face::Plain, BODY, &page);
        let dots = self.fonts.width(Face::Plain, BODY, ".") * 1.5;
        let mut from = left + self.fonts.width(Face::Plain, BODY, heading) + dots;
        let (face, size) = (Face::Plain, BODY);
        self.part(Role::Para, |layout| {
            let text = heading.to_owned();
            layout.put(Item::Text { x: left, y, face, size, grey: 0, text });
            layout.put(Item::Text { x: right, y, face, size, grey: 0, text: page });
        });
        let part = self.part.take();
        while from + dots < right {
            let rule = Item::Rule { x: from, y: y - 0.5, width: 1.0, grey: 150 };
            self.put(rule);
            from += dots * 2.0;
        }
        self.part = part;
        self.y += step;
    }

    /// The pages on which a term stands as a word of its own, from 1; the contents do not count.
    fn pages_of(&self, term: &str) -> Vec<usize> {
        let term = term.to_lowercase();
        let first = self.headings.first().map_or(0, |h| h.1);
        let has = |text: &str| {
            let text = text.to_lowercase();
            let edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
            text.match_indices(&term).any(|(at, found)| {
                let after = text[at + found.len()..].trim_start_matches('s').chars().next();
                edge(text[..at].chars().next_back()) && edge(after)
            })
        };
        let on = |items: &[(Item, Option<usize>)]| {
            items.iter().any(|(item, _)| matches!(item, Item::Text { text, .. } if has(text)))
        };
        let pages = (1..).zip(&self.pages).skip(first);
        pages.filter(|(_, items)| on(items)).map(|(n, _)| n).take(TERM_PAGES_MAX).collect()
    }

    /// A line that is a heading of a level.
    fn title(&mut self, level: NonZeroU16, face: Face, size: f32, text: &str) {
        self.part(Role::Heading(level, text.to_owned()), |layout| {
            layout.line(face, size, 0.0, text);
        });
    }

    fn table(&mut self, table: &Table) {
        self.part(Role::Table, |layout| layout.rows(table));
    }

    fn rows(&mut self, table: &Table) {
        let (widths, size) = self.columns(table);
        let head: Vec<String> = table.columns.iter().map(|c| c.0.trim().to_owned()).collect();
        let mut first = true;
        self.need(size * 4.0);
        for row in std::iter::once(&head).chain(&table.rows) {
            let face = if first { Face::Bold } else { Face::Plain };
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(&widths)
                .map(|(cell, w)| self.fonts.wrap(face, size, cell, *w))
                .collect();
            let high = cells.iter().map(Vec::len).max().unwrap_or(1) as f32 * size * 1.3;
            self.need(high + 2.0);
            self.part(Role::Row, |layout| {
                let mut x = MARGIN;
                for (c, (lines, width)) in cells.iter().zip(&widths).enumerate() {
                    let role = match (first, c) {
                        (true, _) => Role::Head(TableHeaderScope::Column),
                        (_, 0) => Role::Head(TableHeaderScope::Row),
                        _ => Role::Cell,
                    };
                    let align = table.columns[c].1;
                    layout
                        .part(role, |layout| layout.cell((x, *width), (face, size), align, lines));
                    x += width + GAP;
                }
            });
            self.y += high;
            let rule = Item::Rule {
                x: MARGIN,
                y: self.y + 0.5,
                width: self.width(),
                grey: if first { 90 } else { 220 },
            };
            self.put(rule);
            self.y += 1.5;
            first = false;
        }
        self.y += 4.0;
    }

    /// A cell, its lines under each other; an empty one is a part of the row too.
    fn cell(
        &mut self,
        (x, width): (f32, f32),
        (face, size): (Face, f32),
        align: Align,
        lines: &[String],
    ) {
        for (i, line) in lines.iter().enumerate() {
            let right = match align {
                Align::Left => 0.0,
                Align::Right => (width - self.fonts.width(face, size, line)).max(0.0),
            };
            let y = self.y + size + i as f32 * size * 1.3;
            let text = if line.is_empty() { " ".to_owned() } else { line.clone() };
            self.put(Item::Text { x: x + right, y, face, size, grey: 0, text });
        }
    }

    /// Widths of a table's columns, and the size of letters with which they fit: the
    /// widest column of words gives way first.
    fn columns(&self, table: &Table) -> (Vec<f32>, f32) {
        let count = table.columns.len().max(1);
        let mut size = TABLE;
        loop {
            let natural = |i: usize| {
                let head = self.fonts.width(Face::Bold, size, table.columns[i].0.trim());
                let cells = table.rows.iter().filter_map(|r| r.get(i));
                let cells = cells.map(|c| self.fonts.width(Face::Plain, size, c.trim()));
                cells.fold(head, f32::max) + 0.5
            };
            let mut widths: Vec<f32> = (0..count).map(natural).collect();
            let room = self.width() - GAP * (count - 1) as f32;
            let over = widths.iter().sum::<f32>() - room;
            if over <= 0.0 {
                return (widths, size);
            }
            let widest = (0..count)
                .filter(|&i| table.columns[i].1 == Align::Left)
                .max_by(|&a, &b| widths[a].total_cmp(&widths[b]));
            if let Some(i) = widest.filter(|&i| widths[i] - over >= 90.0 || size <= TABLE_MIN) {
                widths[i] = (widths[i] - over).max(30.0);
                return (widths, size);
            }
            if size <= TABLE_MIN {
                return (widths, size);
            }
            size -= 0.5;
        }
    }

    /// The height of a card whose right column has a width; a page at most.
    fn battle_high(&self, battle: &Battle, rest: f32) -> f32 {
        let lines = |face, size, text: &str, width| {
            self.fonts.wrap(face, size, text, width).len() as f32 * size * 1.35
        };
        let side = |side: &Force| {
            let bar = if side.is_counted() { 8.5 + TABLE * 1.35 } else { 0.0 };
            let right = [&side.forces, &side.odds].map(|t| lines(Face::Plain, TABLE, t, rest));
            (lines(Face::Bold, TABLE, &side.who, SIDE) + bar).max(right[0] + right[1]) + 2.0
        };
        let whole = [(Face::Bold, &battle.title()), (Face::Plain, &battle.result)];
        let whole = whole.map(|(face, text)| lines(face, BODY, text, self.width()));
        let notation = lines(Face::Plain, TABLE, &battle.notation, self.width());
        let sides: f32 = battle.sides.iter().map(side).sum();
        (whole[0] + sides + whole[1] + notation + 6.0).min(self.bottom() - MARGIN)
    }

    /// A fight as a card, whole on one page where it fits.
    fn battle(&mut self, battle: &Battle) {
        let most = battle.most();
        let rest = self.width() - SIDE - GAP;
        self.need(self.battle_high(battle, rest));
        self.part(Role::Para, |layout| layout.wrapped(Face::Bold, BODY, 0.0, &battle.title()));
        for side in &battle.sides {
            let top = self.y;
            self.part(Role::Para, |layout| {
                let who = layout.fonts.wrap(Face::Bold, TABLE, &side.who, SIDE);
                who.iter().for_each(|l| layout.line(Face::Bold, TABLE, 0.0, l));
                if side.is_counted() {
                    let (left, lost) = side.bar(most, BAR);
                    let colour = side.colour().channels().map(|c| c * 17);
                    let (x, y) = (MARGIN, layout.y + 1.5);
                    layout.put(Item::Bar { x, y, parts: (left as f32, lost as f32), colour });
                    layout.y += 8.5;
                    layout.line(Face::Plain, TABLE, 0.0, &side.counted());
                }
                let low = std::mem::replace(&mut layout.y, top);
                for text in [&side.forces, &side.odds] {
                    for line in layout.fonts.wrap(Face::Plain, TABLE, text, rest) {
                        if !line.is_empty() {
                            layout.line(Face::Plain, TABLE, SIDE + GAP, &line);
                        }
                    }
                }
                layout.y = layout.y.max(low) + 2.0;
            });
        }
        for (text, size) in [(&battle.result, BODY), (&battle.notation, TABLE)] {
            if !text.is_empty() {
                self.part(Role::Para, |layout| layout.wrapped(Face::Plain, size, 0.0, text));
            }
        }
        self.put(Item::Rule { x: MARGIN, y: self.y + 1.0, width: self.width(), grey: 220 });
        self.y += 6.0;
    }

    fn wrapped(&mut self, face: Face, size: f32, indent: f32, text: &str) {
        let lines = self.fonts.wrap(face, size, text, self.width() - indent);
        lines.iter().for_each(|line| self.line(face, size, indent, line));
    }

    fn lines_in_mono(&mut self, lines: &[String]) {
        for line in lines {
            // Lines have at most 78 letters as a rule; a longer one is cut in two.
            let chars: Vec<char> = line.chars().collect();
            for part in chars.chunks(110).map(|p| p.iter().collect::<String>()) {
                self.line(Face::Mono, MONO, 4.0, &part);
            }
            if chars.is_empty() {
                self.y += MONO;
            }
        }
        self.y += 3.0;
    }

    /// Width and height of a picture on paper, so wide at most.
    fn fitted(&self, picture: &Picture, width: f32) -> (f32, f32) {
        // Sizes of pictures are some hundred units.
        let (w, h) = (picture.size.0 as f32, picture.size.1 as f32);
        let most_high = self.bottom() - MARGIN - 60.0;
        let scale = UNIT.min(width / w).min(most_high / h);
        (w * scale, h * scale)
    }

    /// The same where it begins so far down this page: smaller, so that it fits on it, if it
    /// stays large enough to be read.
    fn fitted_here(&self, picture: &Picture, above: f32) -> (f32, f32) {
        let (w, h) = self.fitted(picture, self.width());
        let room = self.bottom() - self.y - above - 6.0;
        let scale = if h * SHRUNK <= room { (room / h).min(1.0) } else { 1.0 };
        (w * scale, h * scale)
    }

    /// A picture below its caption, both on one page.
    fn picture(&mut self, (number, picture): (usize, &Picture), caption: &str) {
        let above = if caption.is_empty() { 0.0 } else { self.high(caption) };
        let size = self.fitted_here(picture, above);
        self.place((number, picture), caption, (above, size));
    }

    /// One of several sheets of a map: two stand on a page, if they stay large enough.
    fn sheet(&mut self, (number, picture): (usize, &Picture), caption: &str) {
        let above = if caption.is_empty() { 0.0 } else { self.high(caption) };
        let (w, h) = self.fitted(picture, self.width());
        let half = (self.bottom() - MARGIN - 14.0) / 2.0 - 6.0;
        let scale = if h > half && half / h >= SHRUNK { half / h } else { 1.0 };
        self.place((number, picture), caption, (above, (w * scale, h * scale)));
    }

    fn place(
        &mut self,
        (number, picture): (usize, &Picture),
        caption: &str,
        (above, size): (f32, (f32, f32)),
    ) {
        self.need(above + size.1 + 6.0);
        if !caption.is_empty() {
            self.para(caption);
        }
        self.figure((number, picture), MARGIN, size);
        self.y += size.1 + 6.0;
    }

    fn figure(&mut self, (number, picture): (usize, &Picture), x: f32, size: (f32, f32)) {
        let y = self.y;
        self.part(Role::Figure(picture.alt.clone()), |layout| {
            layout.put(Item::Picture { x, y, number, size });
        });
    }

    /// Pictures beside each other, two or more in a row, each below its caption.
    fn row(&mut self, row: &[(usize, &Picture, &str)], columns: usize) {
        let count = columns.max(1) as f32;
        let width = (self.width() - 2.0 * GAP * (count - 1.0)) / count;
        let wrap = |caption: &str| match caption {
            "" => Vec::new(),
            text => self.fonts.wrap(Face::Plain, BODY, text, width),
        };
        let captions: Vec<Vec<String>> = row.iter().map(|p| wrap(p.2)).collect();
        let lines = captions.iter().map(Vec::len).max().unwrap_or(0);
        let above = lines as f32 * BODY * 1.35 + if lines > 0 { 2.0 } else { 0.0 };
        let high = row.iter().map(|p| self.fitted(p.1, width).1).fold(0.0, f32::max);
        self.need(above + high + 8.0);
        let top = self.y;
        for (i, ((number, picture, _), caption)) in row.iter().zip(&captions).enumerate() {
            let indent = i as f32 * (width + 2.0 * GAP);
            self.y = top;
            if !caption.is_empty() {
                self.part(Role::Para, |layout| {
                    caption.iter().for_each(|l| layout.line(Face::Plain, BODY, indent, l));
                });
            }
            self.y = top + above;
            let size = self.fitted(picture, width);
            self.figure((*number, picture), MARGIN + indent, size);
        }
        self.y = top + above + high + 8.0;
    }
}

/// Pages that the index names of a term, at most.
const TERM_PAGES_MAX: usize = 8;
/// Points of the left column of a card, and of its longest bar.
const SIDE: f32 = 150.0;
const BAR: u32 = 130;
/// Points between the columns of a table.
const GAP: f32 = 7.0;
/// Points from the dot of a list to its items.
const DOT: f32 = 10.0;
/// A picture is made so much smaller at most, that it fits on its page.
const SHRUNK: f32 = 0.7;
/// Points of a heading and of the caption below it.
const HEADED: f32 = 60.0;
/// Levels of the title and of the headings of sections.
const FIRST: NonZeroU16 = NonZeroU16::MIN;
const SECTION: NonZeroU16 = FIRST.saturating_add(1);

/// The whole printout as a PDF. `pictures` are those of [`super::pictures`].
///
/// # Errors
/// [`PictureError`] when a picture or the file can't be made.
pub fn document(
    document: &Document,
    pictures: &[Vec<Picture>],
    paper: Paper,
) -> Result<Vec<u8>, PictureError> {
    let fonts = Fonts::load()?;
    let mut layout = Layout::new(&fonts, paper);
    // Who has no sight reads the mail itself.
    lay_out(&document.clone().without_words(), pictures, &mut layout);
    let head = &document.head;
    let (engine, game, turn, seat) = (&head.engine, &head.game, head.turn, head.seat);
    let name = say!("{engine} {game}, turn {turn}, seat {seat}");
    write(&name, pictures, &layout)
}

/// A rulebook as a PDF: a title, the contents with their pages, the chapters, and an index of
/// `terms`. `pictures` are those of [`super::pictures`].
///
/// # Errors
/// [`PictureError`] when a picture or the file can't be made.
pub fn book(
    document: &Document,
    terms: &[String],
    pictures: &[Vec<Picture>],
    paper: Paper,
) -> Result<Vec<u8>, PictureError> {
    let fonts = Fonts::load()?;
    let layout = |contents: &[(String, usize)]| {
        let mut layout = Layout::new(&fonts, paper);
        lay_out_book(document, contents, terms, pictures, &mut layout);
        layout
    };
    // Laid out once to know the pages; the contents take as much room whatever they say.
    let unknown: Vec<(String, usize)> =
        document.sections.iter().map(|s| (s.heading.clone(), 0)).collect();
    let first = layout(&unknown);
    let known: Vec<(String, usize)> =
        first.headings.iter().map(|(heading, page, _)| (heading.clone(), page + 1)).collect();
    let name = say!("The rules of {engine}", engine = document.head.engine);
    write(&name, pictures, &layout(&known))
}

fn lay_out_book(
    document: &Document,
    contents: &[(String, usize)],
    terms: &[String],
    pictures: &[Vec<Picture>],
    layout: &mut Layout,
) {
    let head = &document.head;
    layout.title(FIRST, Face::Bold, TITLE, &head.engine);
    layout.para(&head.label);
    layout.y += 8.0;
    layout.title(SECTION, Face::Bold, HEADING, &say!("Contents"));
    for (heading, page) in contents {
        layout.entry(heading, *page);
    }
    layout.turn_over();
    let drawn = numbered(pictures);
    let mut drawn = drawn.as_slice();
    for section in &document.sections {
        lay_out_section(section, &mut drawn, layout);
    }
    let found: Vec<String> = terms
        .iter()
        .filter_map(|term| {
            let pages = layout.pages_of(term);
            let pages: Vec<String> = pages.iter().map(usize::to_string).collect();
            (!pages.is_empty()).then(|| format!("{term}: {}", pages.join(", ")))
        })
        .collect();
    if !found.is_empty() {
        layout.heading(&say!("Index"));
        layout.list(&found);
    }
}

fn lay_out(document: &Document, pictures: &[Vec<Picture>], layout: &mut Layout) {
    let head = &document.head;
    layout.title(FIRST, Face::Bold, TITLE, &format!("{} {}", head.engine, head.game));
    let who = if head.name.is_empty() { String::new() } else { format!(" ({})", head.name) };
    let (turn, seat) = (head.turn, head.seat);
    let title = say!("Turn {turn}, seat {seat}: {who}", who = format!("{}{who}", head.title));
    for (face, size, text) in [(Face::Plain, HEADING, &title), (Face::Bold, 11.0, &head.due)] {
        layout.part(Role::Para, |layout| {
            for line in layout.fonts.wrap(face, size, text, layout.width()) {
                layout.line(face, size, 0.0, &line);
            }
        });
    }
    layout.y += 8.0;
    let drawn = numbered(pictures);
    let mut drawn = drawn.as_slice();
    lay_out_blocks(&document.opening, &mut drawn, layout);
    let is_card = |s: &&Section| s.blocks.iter().any(|b| matches!(b, Block::Card(_)));
    // A card has no picture, so its place among the sections does not matter to theirs.
    let cards: Vec<&Section> = document.sections.iter().filter(is_card).collect();
    for section in document.sections.iter().filter(|s| !is_card(s)).chain(cards.iter().copied()) {
        lay_out_section(section, &mut drawn, layout);
    }
    if !cards.is_empty() {
        card_by_hand(document, layout);
    }
}

fn lay_out_section(section: &Section, drawn: &mut &[Row], layout: &mut Layout) {
    // A heading stands with the map that it is of.
    let lead = match section.blocks.as_slice() {
        [Block::Map(_), ..] => Some(0.0),
        [Block::Para(line), Block::Map(_), ..] => Some(layout.high(&flat(line))),
        _ => None,
    };
    let first = drawn.first().and_then(|row| row.first());
    if let (Some(lead), Some((_, picture))) = (lead, first) {
        let above = lead + HEADED;
        let high = layout.fitted_here(picture, above).1;
        layout.need(high + above);
    }
    layout.heading(&section.heading);
    lay_out_blocks(&section.blocks, drawn, layout);
}

/// The pictures of a block with their numbers.
type Row<'a> = Vec<(usize, &'a Picture)>;

/// The pictures of all blocks, numbered through.
fn numbered(pictures: &[Vec<Picture>]) -> Vec<Row<'_>> {
    let mut next = 0;
    let numbered = pictures.iter().map(|row| {
        let first = next;
        next += row.len();
        (first..).zip(row).collect()
    });
    numbered.collect()
}

fn lay_out_blocks(blocks: &[Block], drawn: &mut &[Row], layout: &mut Layout) {
    let mut rest = blocks;
    while let Some((block, below)) = rest.split_first() {
        let from = rest;
        rest = below;
        match block {
            Block::Para(line) => {
                let text = flat(line);
                // Words that lead to a picture stand with it.
                if matches!(below.first(), Some(Block::Map(_) | Block::Charts(_)))
                    && let Some((_, first)) = drawn.first().and_then(|row| row.first())
                {
                    let above = layout.high(&text) + 2.0 * BODY * 1.35;
                    let high = layout.fitted_here(first, above).1;
                    layout.need(above + high + 6.0);
                }
                layout.para(&text);
            }
            Block::List(lines) => layout.list(&lines.iter().map(flat).collect::<Vec<_>>()),
            Block::Table(t) => layout.table(t),
            Block::Map(_) => rest = lay_out_maps(from, drawn, layout),
            Block::Charts(_) => {
                let Some((row, left)) = drawn.split_first() else { continue };
                *drawn = left;
                let row: Vec<(usize, &Picture, &str)> =
                    row.iter().map(|(n, p)| (*n, *p, "")).collect();
                for part in row.chunks(CHARTS) {
                    layout.row(part, part.len().max(2));
                }
            }
            Block::Battles(cards) => cards.iter().for_each(|card| layout.battle(card)),
            Block::Quote(lines) => {
                let lines: Vec<String> = lines.iter().map(|l| safe(l)).collect();
                layout.part(Role::Quote, |layout| layout.lines_in_mono(&lines));
            }
            Block::Card(lines) => layout.part(Role::Quote, |layout| layout.lines_in_mono(lines)),
        }
    }
}

/// Charts in a row at most.
const CHARTS: usize = 3;

/// The maps with which the blocks begin: those for narrow screens two in a row. Gives the
/// other blocks.
fn lay_out_maps<'a>(blocks: &'a [Block], drawn: &mut &[Row], layout: &mut Layout) -> &'a [Block] {
    let maps = blocks.iter().take_while(|b| matches!(b, Block::Map(_))).count();
    let (maps, rest) = blocks.split_at(maps);
    let mut small: Vec<(usize, &Picture, &str)> = Vec::new();
    for block in maps {
        let Block::Map(map) = block else { continue };
        let Some((row, left)) = drawn.split_first() else { break };
        *drawn = left;
        if row.iter().all(|(_, p)| !p.wide) {
            for (i, (number, picture)) in row.iter().enumerate() {
                small.push((*number, picture, if i == 0 { &map.title } else { "" }));
            }
            continue;
        }
        lay_out_small(&mut small, layout);
        for (i, (number, picture)) in row.iter().enumerate() {
            let caption = if i == 0 { map.title.as_str() } else { "" };
            match row.len() {
                1 => layout.picture((*number, picture), caption),
                _ => layout.sheet((*number, picture), caption),
            }
        }
    }
    lay_out_small(&mut small, layout);
    rest
}

/// Two small maps in a row; one alone as large as it is.
fn lay_out_small(small: &mut Vec<(usize, &Picture, &str)>, layout: &mut Layout) {
    match small.as_slice() {
        [(number, picture, caption)] => layout.picture((*number, picture), caption),
        many => many.chunks(2).for_each(|pair| layout.row(pair, 2)),
    }
    small.clear();
}

/// The last page: numbered lines for those who write their orders by hand.
fn card_by_hand(document: &Document, layout: &mut Layout) {
    let head = &document.head;
    layout.turn_over();
    let (game, seat, turn, due) = (&head.game, head.seat, head.turn, &head.due);
    layout.heading(&say!("Orders for turn {turn}, to fill in by hand"));
    let words = say!(
        "Game {game}, seat {seat}, turn {turn}. {due} Mail what you write here, one order a line, \
         as an answer to the printout."
    );
    layout.para(&words);
    layout.y += 10.0;
    let column = (layout.width() - 24.0) / 2.0;
    let step = ((layout.bottom() - layout.y) / CARD_LINES as f32).floor();
    for n in 0..CARD_LINES * 2 {
        let x = MARGIN + if n < CARD_LINES { 0.0 } else { column + 24.0 };
        let y = layout.y + (n % CARD_LINES + 1) as f32 * step - 4.0;
        let text = (n + 1).to_string();
        layout.put(Item::Text { x, y: y - 1.0, face: Face::Plain, size: 6.0, grey: 130, text });
        layout.put(Item::Rule { x: x + 12.0, y, width: column - 12.0, grey: 130 });
    }
}

/// Writes what was laid out; `name` is the title of the file and stands at the head of its pages.
fn write(name: &str, pictures: &[Vec<Picture>], layout: &Layout) -> Result<Vec<u8>, PictureError> {
    let all: Vec<&Picture> = pictures.iter().flatten().collect();
    let mut pdf = krilla::Document::new();
    let count = layout.pages.len();
    let mut pieces: Vec<Vec<Node>> = layout.parts.iter().map(|_| Vec::new()).collect();
    let nothing = || ContentTag::Artifact(Artifact::with_kind(ArtifactType::PaginationOther));
    for (number, items) in (1..).zip(&layout.pages) {
        let (wide, high) = layout.page;
        let settings = PageSettings::from_wh(wide, high)
            .ok_or_else(|| PictureError("paper has a size".to_owned()))?;
        let mut page = pdf.start_page_with(settings);
        let mut surface = page.surface();
        for (item, part) in items {
            let tag = part.map_or_else(nothing, |_| ContentTag::Other);
            let piece = surface.start_tagged(tag);
            if let Some(part) = part {
                pieces[*part].push(piece.into());
            }
            match item {
                Item::Text { x, y, face, size, grey, text } => {
                    surface.set_fill(Some(fill(*grey)));
                    let font = layout.fonts.drawn[*face as usize].clone();
                    let at = Point::from_xy(*x, *y);
                    surface.draw_text(at, font, *size, text, false, TextDirection::LeftToRight);
                }
                Item::Rule { x, y, width, grey } => rule(&mut surface, (*x, *y), *width, *grey),
                Item::Bar { x, y, parts, colour } => {
                    bar(&mut surface, (*x, *y), *parts, *colour);
                }
                Item::Picture { x, y, number, size } => {
                    let tree = tree(&all[*number].svg)?;
                    surface.push_transform(&Transform::from_translate(*x, *y));
                    if let Some(size) = Size::from_wh(size.0, size.1) {
                        let none = || PictureError("a map can't be drawn on paper".to_owned());
                        surface.draw_svg(&tree, size, SvgSettings::default()).ok_or_else(none)?;
                    }
                    surface.pop();
                }
            }
            surface.end_tagged();
        }
        let font = &layout.fonts.drawn[Face::Plain as usize];
        let foot = say!("page {number} of {count}");
        let right = wide - MARGIN - layout.fonts.width(Face::Plain, 8.0, &foot);
        surface.set_fill(Some(fill(90)));
        surface.start_tagged(nothing());
        let dir = TextDirection::LeftToRight;
        // The first page has a title of its own.
        if number > 1 {
            let top = Point::from_xy(MARGIN, MARGIN - 12.0);
            surface.draw_text(top, font.clone(), 8.0, name, false, dir);
        }
        let at = Point::from_xy(right, high - MARGIN + 18.0);
        surface.draw_text(at, font.clone(), 8.0, &foot, false, dir);
        surface.end_tagged();
        surface.finish();
        page.finish();
    }
    let mut outline = Outline::new();
    for (heading, page, y) in &layout.headings {
        let at = XyzDestination::new(*page, Point::from_xy(0.0, *y));
        outline.push_child(OutlineNode::new(heading.clone(), at));
    }
    pdf.set_outline(outline);
    pdf.set_tag_tree(tree_of(&layout.parts, pieces));
    pdf.set_metadata(Metadata::new().title(name.to_owned()).language(language()));
    pdf.finish().map_err(|e| PictureError(format!("{e:?}")))
}

/// The code of the language that is spoken.
fn language() -> String {
    now().map_or("en", Catalogue::code).to_owned()
}

/// The parts of a document with the pieces on its pages, each within the part around it.
fn tree_of(parts: &[(Role, Option<usize>)], pieces: Vec<Vec<Node>>) -> TagTree {
    let mut tree = TagTree::new().with_lang(Some(language()));
    let mut groups: Vec<TagGroup> =
        parts.iter().map(|(role, _)| TagGroup::new(role.tag())).collect();
    let mut top = Vec::new();
    // A part comes before those within it, so that the last is complete first.
    for ((_, around), own) in parts.iter().zip(pieces).rev() {
        let Some(mut group) = groups.pop() else { break };
        // Those within it came backwards.
        group.children.reverse();
        let inner = std::mem::replace(&mut group.children, own);
        group.children.extend(inner);
        match around.and_then(|n| groups.get_mut(n)) {
            Some(outer) => outer.push(group),
            None => top.push(group),
        }
    }
    top.into_iter().rev().for_each(|group| tree.push(group));
    tree
}

fn fill(grey: u8) -> Fill {
    Fill { paint: rgb::Color::new(grey, grey, grey).into(), ..Fill::default() }
}

fn bar(
    surface: &mut krilla::surface::Surface,
    (x, y): (f32, f32),
    (left, lost): (f32, f32),
    [r, g, b]: [u8; 3],
) {
    let colour = rgb::Color::new(r, g, b);
    let stroke = Stroke { paint: colour.into(), width: 0.5, ..Stroke::default() };
    for (from, wide, filled) in [(0.0, left, true), (left, lost, false)] {
        let mut path = PathBuilder::new();
        if let Some(part) = Rect::from_xywh(x + from, y, wide, 5.5) {
            path.push_rect(part);
        }
        surface.set_stroke(Some(stroke.clone()));
        surface.set_fill(filled.then(|| Fill { paint: colour.into(), ..Fill::default() }));
        if let Some(path) = path.finish() {
            surface.draw_path(&path);
        }
    }
    // Letters that follow have no rim.
    surface.set_stroke(None::<Stroke>);
}

fn rule(surface: &mut krilla::surface::Surface, (x, y): (f32, f32), width: f32, grey: u8) {
    let mut path = PathBuilder::new();
    if let Some(line) = Rect::from_xywh(x, y, width.max(1.0), 0.5) {
        path.push_rect(line);
    }
    surface.set_stroke(None::<Stroke>);
    surface.set_fill(Some(fill(grey)));
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}
