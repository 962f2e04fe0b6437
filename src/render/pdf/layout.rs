//! Pages of paper as they are laid out: words, lines and pictures at their places, each with the
//! part of the document that it belongs to.

use std::num::NonZeroU16;

use krilla::tagging::{ListNumbering, TableHeaderScope, Tag, TagKind};
use krilla::text::Font;
use serde::{Deserialize, Serialize};

use crate::Picture;
use crate::letters;
use crate::raster::PictureError;
use engine::report::{Align, Battle, Force, Table};

/// The size of the paper.
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
    pub(super) fn size(self) -> (f32, f32) {
        match self {
            Self::A4 => (595.0, 842.0),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// The margin around what is printed, in points.
pub(super) const MARGIN: f32 = 42.0;
/// Sizes of letters in points.
pub(super) const BODY: f32 = 9.0;
const TABLE: f32 = 7.5;
const TABLE_MIN: f32 = 5.0;
const MONO: f32 = 7.0;
pub(super) const HEADING: f32 = 13.0;
pub(super) const TITLE: f32 = 22.0;
/// Points of a map's unit on paper, at most.
const UNIT: f32 = 0.75;

/// Pages that the index names of a term, at most.
const TERM_PAGES_MAX: usize = 8;
/// Points of the left column of a card, and of its longest bar.
const SIDE: f32 = 150.0;
const BAR: u32 = 130;
/// Points between the columns of a table.
const GAP: f32 = 7.0;
/// Points from the dot of a list to its items.
const DOT: f32 = 10.0;
/// The smallest scale of a picture that is made smaller to fit on its page.
const SHRUNK: f32 = 0.7;
/// Levels of the title and of the headings of sections.
pub(super) const FIRST: NonZeroU16 = NonZeroU16::MIN;
pub(super) const SECTION: NonZeroU16 = FIRST.saturating_add(1);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Face {
    Plain,
    Bold,
    Mono,
}

/// The role of a part of a document, for programs that read it aloud.
#[derive(Clone)]
pub(super) enum Role {
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
    pub(super) fn tag(&self) -> TagKind {
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
pub(super) enum Item {
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
pub(super) struct Fonts {
    pub(super) drawn: [Font; 3],
    pub(super) measured: [ttf_parser::Face<'static>; 3],
}

impl Fonts {
    pub(super) fn load() -> Result<Self, PictureError> {
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

    pub(super) fn width(&self, face: Face, size: f32, text: &str) -> f32 {
        let font = &self.measured[face as usize];
        let em = f32::from(font.units_per_em());
        letters::advance(font, text) as f32 / em * size
    }

    /// Text in lines of at most this width; a word that is wider is cut.
    pub(super) fn wrap(&self, face: Face, size: f32, text: &str, width: f32) -> Vec<String> {
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
pub(super) struct Layout<'a> {
    pub(super) fonts: &'a Fonts,
    pub(super) page: (f32, f32),
    /// The items of each page, each with the part to which it belongs.
    pub(super) pages: Vec<Vec<(Item, Option<usize>)>>,
    /// The parts of the document in order, each with the one around it.
    pub(super) parts: Vec<(Role, Option<usize>)>,
    /// The part that is being laid out.
    pub(super) part: Option<usize>,
    /// Where the next line begins, from the top.
    pub(super) y: f32,
    /// Headings with their pages, for the outline.
    pub(super) headings: Vec<(String, usize, f32)>,
}

impl<'a> Layout<'a> {
    pub(super) fn new(fonts: &'a Fonts, paper: Paper) -> Self {
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

    pub(super) fn width(&self) -> f32 {
        self.page.0 - 2.0 * MARGIN
    }

    pub(super) fn bottom(&self) -> f32 {
        self.page.1 - MARGIN
    }

    pub(super) fn put(&mut self, item: Item) {
        // Rules and bars say nothing that words do not.
        let part = self.part.filter(|_| !matches!(item, Item::Rule { .. } | Item::Bar { .. }));
        if let Some(page) = self.pages.last_mut() {
            page.push((item, part));
        }
    }

    /// Lays out a part of the document, within the one that is being laid out.
    pub(super) fn part<T>(&mut self, role: Role, lay_out: impl FnOnce(&mut Self) -> T) -> T {
        let around = self.part;
        self.parts.push((role, around));
        self.part = Some(self.parts.len() - 1);
        let done = lay_out(self);
        self.part = around;
        done
    }

    pub(super) fn turn_over(&mut self) {
        self.pages.push(Vec::new());
        self.y = MARGIN + 14.0;
    }

    /// Begins a page if `height` does not fit on this one.
    pub(super) fn need(&mut self, height: f32) {
        if self.y + height > self.bottom() {
            self.turn_over();
        }
    }

    /// A line of text at the next place.
    pub(super) fn line(&mut self, face: Face, size: f32, indent: f32, text: &str) {
        let step = size * 1.35;
        self.need(step);
        let (x, y) = (MARGIN + indent, self.y + size);
        self.put(Item::Text { x, y, face, size, grey: 0, text: text.to_owned() });
        self.y += step;
    }

    pub(super) fn para(&mut self, text: &str) {
        self.part(Role::Para, |layout| {
            let lines = layout.fonts.wrap(Face::Plain, BODY, text, layout.width());
            lines.iter().for_each(|line| layout.line(Face::Plain, BODY, 0.0, line));
            layout.y += 2.0;
        });
    }

    /// The height of running text, in points.
    pub(super) fn high(&self, text: &str) -> f32 {
        self.fonts.wrap(Face::Plain, BODY, text, self.width()).len() as f32 * BODY * 1.35 + 2.0
    }

    /// Items under each other; short ones in two columns.
    pub(super) fn list(&mut self, lines: &[String]) {
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

    /// An item of a list, its lines after a dot.
    pub(super) fn item(&mut self, indent: f32, lines: &[String]) {
        self.need(BODY * 1.35);
        self.part(Role::Item, |layout| {
            let (x, y) = (MARGIN + indent, layout.y + BODY);
            let text = "•".to_owned();
            layout.put(Item::Text { x, y, face: Face::Plain, size: BODY, grey: 0, text });
            lines.iter().for_each(|l| layout.line(Face::Plain, BODY, indent + DOT, l));
        });
    }

    pub(super) fn heading(&mut self, text: &str) {
        // A heading stays with some lines of its section.
        self.need(60.0);
        self.y += 8.0;
        self.headings.push((text.to_owned(), self.pages.len() - 1, self.y));
        self.title(SECTION, Face::Bold, HEADING, text);
        let rule = Item::Rule { x: MARGIN, y: self.y, width: self.width(), grey: 120 };
        self.put(rule);
        self.y += 5.0;
    }

    /// An entry of the contents: the heading, and its page at the right.
    pub(super) fn entry(&mut self, heading: &str, page: usize) {
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
    pub(super) fn pages_of(&self, term: &str) -> Vec<usize> {
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
    pub(super) fn title(&mut self, level: NonZeroU16, face: Face, size: f32, text: &str) {
        self.part(Role::Heading(level, text.to_owned()), |layout| {
            layout.line(face, size, 0.0, text);
        });
    }

    pub(super) fn table(&mut self, table: &Table) {
        self.part(Role::Table, |layout| layout.rows(table));
    }

    pub(super) fn rows(&mut self, table: &Table) {
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
    pub(super) fn cell(
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

    /// Widths of a table's columns, and the size of letters with which they fit: the widest column
    /// of words becomes narrower first.
    pub(super) fn columns(&self, table: &Table) -> (Vec<f32>, f32) {
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
    pub(super) fn battle_high(&self, battle: &Battle, rest: f32) -> f32 {
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
    pub(super) fn battle(&mut self, battle: &Battle) {
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

    pub(super) fn wrapped(&mut self, face: Face, size: f32, indent: f32, text: &str) {
        let lines = self.fonts.wrap(face, size, text, self.width() - indent);
        lines.iter().for_each(|line| self.line(face, size, indent, line));
    }

    pub(super) fn lines_in_mono(&mut self, lines: &[String]) {
        for line in lines {
            // Lines usually have at most 78 characters; a longer one is cut in two.
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

    /// Width and height of a picture on paper, at most `width` wide.
    pub(super) fn fitted(&self, picture: &Picture, width: f32) -> (f32, f32) {
        // Pictures measure a few hundred units.
        let (w, h) = (picture.size.0 as f32, picture.size.1 as f32);
        let most_high = self.bottom() - MARGIN - 60.0;
        let scale = UNIT.min(width / w).min(most_high / h);
        (w * scale, h * scale)
    }

    /// The size of a picture with `above` points before it on this page: smaller, so that it fits
    /// on the page, if it stays large enough to be read.
    pub(super) fn fitted_here(&self, picture: &Picture, above: f32) -> (f32, f32) {
        let (w, h) = self.fitted(picture, self.width());
        let room = self.bottom() - self.y - above - 6.0;
        let scale = if h * SHRUNK <= room { (room / h).min(1.0) } else { 1.0 };
        (w * scale, h * scale)
    }

    /// A picture below its caption, both on one page.
    pub(super) fn picture(&mut self, (number, picture): (usize, &Picture), caption: &str) {
        let above = if caption.is_empty() { 0.0 } else { self.high(caption) };
        let size = self.fitted_here(picture, above);
        self.place((number, picture), caption, (above, size));
    }

    /// One of several sheets of a map: two go on a page, if they stay large enough.
    pub(super) fn sheet(&mut self, (number, picture): (usize, &Picture), caption: &str) {
        let above = if caption.is_empty() { 0.0 } else { self.high(caption) };
        let (w, h) = self.fitted(picture, self.width());
        let half = (self.bottom() - MARGIN - 14.0) / 2.0 - 6.0;
        let scale = if h > half && half / h >= SHRUNK { half / h } else { 1.0 };
        self.place((number, picture), caption, (above, (w * scale, h * scale)));
    }

    pub(super) fn place(
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

    pub(super) fn figure(
        &mut self,
        (number, picture): (usize, &Picture),
        x: f32,
        size: (f32, f32),
    ) {
        let y = self.y;
        self.part(Role::Figure(picture.alt.clone()), |layout| {
            layout.put(Item::Picture { x, y, number, size });
        });
    }

    /// Pictures beside each other, two or more in a row, each below its caption.
    pub(super) fn row(&mut self, row: &[(usize, &Picture, &str)], columns: usize) {
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
