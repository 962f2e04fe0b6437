//! A document on paper: A4 or Letter, maps as vector graphics, a turn card to fill in by
//! hand as the last page.
//!
//! Pages are laid out first, as words and lines at their places, and written then, so
//! that each can say how many there are.

use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point, Rect, Size, Transform};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::text::{Font, TextDirection};
use krilla_svg::{SurfaceExt, SvgSettings};
use serde::{Deserialize, Serialize};

use super::letters;
use super::raster::{PictureError, tree};
use super::text::{flat, safe};
use super::{Document, Picture};
use engine::report::{Align, Block, Section, Table};

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
const MARGIN: f32 = 48.0;
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
    pages: Vec<Vec<Item>>,
    /// Where the next line begins, from the top.
    y: f32,
    /// Headings with their pages, for the outline.
    headings: Vec<(String, usize, f32)>,
}

impl Layout<'_> {
    fn width(&self) -> f32 {
        self.page.0 - 2.0 * MARGIN
    }

    fn bottom(&self) -> f32 {
        self.page.1 - MARGIN
    }

    fn put(&mut self, item: Item) {
        if let Some(page) = self.pages.last_mut() {
            page.push(item);
        }
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

    fn para(&mut self, text: &str, first: &str) {
        let indent = if first.is_empty() { 0.0 } else { 10.0 };
        let lines = self.fonts.wrap(Face::Plain, BODY, text, self.width() - indent);
        for (i, line) in lines.iter().enumerate() {
            if i == 0 && !first.is_empty() {
                self.need(BODY * 1.35);
                let (x, y) = (MARGIN, self.y + BODY);
                let text = first.to_owned();
                self.put(Item::Text { x, y, face: Face::Plain, size: BODY, grey: 0, text });
            }
            self.line(Face::Plain, BODY, indent, line);
        }
        self.y += 2.0;
    }

    fn heading(&mut self, text: &str) {
        // A heading stands with some lines of its section.
        self.need(60.0);
        self.y += 8.0;
        self.headings.push((text.to_owned(), self.pages.len() - 1, self.y));
        self.line(Face::Bold, HEADING, 0.0, text);
        let rule = Item::Rule { x: MARGIN, y: self.y, width: self.width(), grey: 120 };
        self.put(rule);
        self.y += 5.0;
    }

    fn table(&mut self, table: &Table) {
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
            let mut x = MARGIN;
            for ((lines, width), (_, align)) in cells.iter().zip(&widths).zip(&table.columns) {
                for (i, line) in lines.iter().enumerate().filter(|(_, l)| !l.is_empty()) {
                    let right = match align {
                        Align::Left => 0.0,
                        Align::Right => (width - self.fonts.width(face, size, line)).max(0.0),
                    };
                    let y = self.y + size + i as f32 * size * 1.3;
                    let text = line.clone();
                    self.put(Item::Text { x: x + right, y, face, size, grey: 0, text });
                }
                x += width + GAP;
            }
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

    fn picture(&mut self, number: usize, picture: &Picture) {
        let size = self.fitted(picture, self.width());
        self.need(size.1 + 6.0);
        self.put(Item::Picture { x: MARGIN, y: self.y, number, size });
        self.y += size.1 + 6.0;
    }

    /// Charts beside each other.
    fn row(&mut self, first: usize, row: &[Picture]) {
        let count = row.len().max(1) as f32;
        let width = (self.width() - GAP * (count - 1.0)) / count;
        let high = row.iter().map(|p| self.fitted(p, width).1).fold(0.0, f32::max);
        self.need(high + 6.0);
        for (i, picture) in row.iter().enumerate() {
            let size = self.fitted(picture, width);
            let x = MARGIN + i as f32 * (width + GAP);
            self.put(Item::Picture { x, y: self.y, number: first + i, size });
        }
        self.y += high + 6.0;
    }
}

/// Points between the columns of a table.
const GAP: f32 = 7.0;

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
    let mut layout = Layout {
        fonts: &fonts,
        page: paper.size(),
        pages: vec![Vec::new()],
        y: MARGIN,
        headings: Vec::new(),
    };
    lay_out(document, pictures, &mut layout);
    write(document, pictures, &layout)
}

fn lay_out(document: &Document, pictures: &[Vec<Picture>], layout: &mut Layout) {
    let head = &document.head;
    layout.line(Face::Bold, TITLE, 0.0, &format!("{} {}", head.engine, head.game));
    let who = if head.name.is_empty() { String::new() } else { format!(" ({})", head.name) };
    let title = format!("Turn {}, seat {}: {}{who}", head.turn, head.seat, head.title);
    for (face, size, text) in [(Face::Plain, HEADING, &title), (Face::Bold, 11.0, &head.due)] {
        for line in layout.fonts.wrap(face, size, text, layout.width()) {
            layout.line(face, size, 0.0, &line);
        }
    }
    layout.y += 8.0;
    let numbered = pictures.iter().scan(0, |next, row| {
        let first = *next;
        *next += row.len();
        Some((first, row))
    });
    let mut drawn = numbered.peekable();
    for block in &document.opening {
        lay_out_block(block, &mut drawn, layout);
    }
    let is_card = |s: &&Section| s.blocks.iter().any(|b| matches!(b, Block::Card(_)));
    // A card has no picture, so its place among the sections does not matter to theirs.
    let cards: Vec<&Section> = document.sections.iter().filter(is_card).collect();
    for section in document.sections.iter().filter(|s| !is_card(s)).chain(cards.iter().copied()) {
        // A heading stands with the map that it is of.
        let map = section.blocks.first().is_some_and(|b| matches!(b, Block::Map(_)));
        let first = drawn.peek().filter(|_| map).and_then(|(_, row)| row.first());
        if let Some(first) = first {
            let high = layout.fitted(first, layout.width()).1;
            layout.need(high + 60.0);
        }
        layout.heading(&section.heading);
        for block in &section.blocks {
            lay_out_block(block, &mut drawn, layout);
        }
    }
    if !cards.is_empty() {
        card_by_hand(document, layout);
    }
}

fn lay_out_block<'a>(
    block: &Block,
    drawn: &mut impl Iterator<Item = (usize, &'a Vec<Picture>)>,
    layout: &mut Layout,
) {
    match block {
        Block::Para(line) => layout.para(&flat(line), ""),
        Block::List(lines) => lines.iter().for_each(|l| layout.para(&flat(l), "•")),
        Block::Table(t) => layout.table(t),
        Block::Map(map) => {
            if !map.title.is_empty() {
                layout.para(&map.title, "");
            }
            if let Some((first, row)) = drawn.next() {
                (first..).zip(row).for_each(|(n, p)| layout.picture(n, p));
            }
        }
        Block::Charts(_) => {
            if let Some((first, row)) = drawn.next() {
                layout.row(first, row);
            }
        }
        Block::Quote(lines) => {
            let lines: Vec<String> = lines.iter().map(|l| safe(l)).collect();
            layout.lines_in_mono(&lines);
        }
        Block::Card(lines) => layout.lines_in_mono(lines),
    }
}

/// The last page: numbered lines for those who write their orders by hand.
fn card_by_hand(document: &Document, layout: &mut Layout) {
    let head = &document.head;
    layout.turn_over();
    layout.heading(&format!("Orders for turn {}, to fill in by hand", head.turn));
    let words = format!(
        "Game {}, seat {}, turn {}. {} Mail what you write here, one order a line, as an answer \
         to the printout.",
        head.game, head.seat, head.turn, head.due
    );
    layout.para(&words, "");
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

fn write(
    document: &Document,
    pictures: &[Vec<Picture>],
    layout: &Layout,
) -> Result<Vec<u8>, PictureError> {
    let all: Vec<&Picture> = pictures.iter().flatten().collect();
    let head = &document.head;
    let name = format!("{} {}, turn {}, seat {}", head.engine, head.game, head.turn, head.seat);
    let mut pdf = krilla::Document::new();
    let count = layout.pages.len();
    for (number, items) in (1..).zip(&layout.pages) {
        let (wide, high) = layout.page;
        let settings = PageSettings::from_wh(wide, high)
            .ok_or_else(|| PictureError("paper has a size".to_owned()))?;
        let mut page = pdf.start_page_with(settings);
        let mut surface = page.surface();
        for item in items {
            match item {
                Item::Text { x, y, face, size, grey, text } => {
                    surface.set_fill(Some(fill(*grey)));
                    let font = layout.fonts.drawn[*face as usize].clone();
                    let at = Point::from_xy(*x, *y);
                    surface.draw_text(at, font, *size, text, false, TextDirection::LeftToRight);
                }
                Item::Rule { x, y, width, grey } => rule(&mut surface, (*x, *y), *width, *grey),
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
        }
        let font = &layout.fonts.drawn[Face::Plain as usize];
        let foot = format!("page {number} of {count}");
        let right = wide - MARGIN - layout.fonts.width(Face::Plain, 8.0, &foot);
        surface.set_fill(Some(fill(90)));
        let dir = TextDirection::LeftToRight;
        // The first page has a title of its own.
        if number > 1 {
            let top = Point::from_xy(MARGIN, MARGIN - 12.0);
            surface.draw_text(top, font.clone(), 8.0, &name, false, dir);
        }
        let at = Point::from_xy(right, high - MARGIN + 18.0);
        surface.draw_text(at, font.clone(), 8.0, &foot, false, dir);
        surface.finish();
        page.finish();
    }
    let mut outline = Outline::new();
    for (heading, page, y) in &layout.headings {
        let at = XyzDestination::new(*page, Point::from_xy(0.0, *y));
        outline.push_child(OutlineNode::new(heading.clone(), at));
    }
    pdf.set_outline(outline);
    pdf.set_metadata(Metadata::new().title(name).language("en".to_owned()));
    pdf.finish().map_err(|e| PictureError(format!("{e:?}")))
}

fn fill(grey: u8) -> Fill {
    Fill { paint: rgb::Color::new(grey, grey, grey).into(), ..Fill::default() }
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
