//! Turns documents into what players read: one document, five renderings.
//!
//! A printout is a [`Document`]: the engine's sections with addresses filled in, and the robot's
//! words before them. Its rendering by [`text`] is complete, [`html`] says the same with pictures,
//! [`pdf`] on paper, [`data`] for programs, and [`desk`] is a page on which orders are chosen.
//! [`picture`] and [`chart`] draw each map and chart once, as SVG, which [`raster`] turns into PNG.
//! The end of the document says in words what the maps show.
//!
//! Colours are multiples of 17 in each channel, so that a picture needs few of them and its PNG a
//! palette of one byte a pixel. They can be told apart by readers who can't tell red from green,
//! and none of them is the only sign of anything.

mod arrow;
pub mod chart;
pub mod course;
pub mod data;
pub mod desk;
mod drawing;
mod geography;
mod graph;
mod grid;
pub mod html;
pub mod ics;
mod land;
mod legend;
mod letters;
mod look;
mod paint;
pub mod pdf;
pub mod picture;
mod place;
pub mod raster;
mod regions;
mod shapes;
mod sign;
mod signs;
pub mod text;
mod tiles;
mod tints;
mod units;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use engine::press::steers;
use engine::report::{Battle, Block, Chart, Line, MapPicture, Section, Span, Table, Who};
use engine::{Orders, Seat, Turn, Turns};
use tongue::{mark, word};

/// What a printout is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// Code of the game.
    pub game: String,
    /// Name of its rules.
    pub engine: String,
    /// Number of the step whose orders are collected.
    pub turn: Turn,
    /// The turns that this step is part of or plays, as players count them.
    #[serde(default)]
    pub turns: Turns,
    /// Whose printout it is.
    pub seat: Seat,
    /// The name of the player; empty without one.
    pub name: String,
    /// The name of the seat in the game.
    pub title: String,
    /// When orders are due; `None` without a deadline.
    pub deadline: Option<Timestamp>,
    /// The deadline as the player reads it, with the time that is left; empty without a deadline.
    pub due: String,
    /// What players call the open step, such as `turn 14, Red to move`.
    #[serde(default)]
    pub label: String,
    /// The turn that ran, and its seed.
    pub seed_before: Option<(Turn, u64)>,
    /// SHA-256 of the seed of the open turn.
    pub seed_digest: Option<String>,
    /// The ends of the chains of seeds: each a step and the SHA-256 of its seed.
    #[serde(default)]
    pub seed_chain: Vec<(Turn, String)>,
    /// Credits left, in a game that has them.
    pub credit: Option<i64>,
    /// The game is over.
    pub over: bool,
}

impl Head {
    /// The name of its files, without an ending: game, step and seat, such as `w7-turn-12-seat-34`
    /// or `i1-turn-2-segment-1-seat-2`.
    pub fn file_name(&self) -> String {
        let letters = |c: char| if c.is_alphanumeric() { c } else { ' ' };
        let words: String = self.label.to_lowercase().chars().map(letters).collect();
        let step = words.split_whitespace().collect::<Vec<_>>().join("-");
        format!("{}-{step}-seat-{}", self.game.to_lowercase(), self.seat)
    }
}

/// Lines by which the robot finds what a player wrote; the mail crate knows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// First line of every mail.
    pub marker: String,
    /// Before and after the blank card.
    pub card_frame: [String; 2],
}

/// A complete printout that is not rendered yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// What it is about.
    pub head: Head,
    /// Lines by which an answer to it is read.
    pub marks: Marks,
    /// What comes before the first section: the headline, a list, then what needs orders.
    pub opening: Vec<Block>,
    /// Headed parts, the engine's and the robot's, in order.
    pub sections: Vec<Section>,
    /// The orders that may be given; `None` if the player's format shows none or the game is over.
    #[serde(default)]
    pub orders: Option<Orders>,
}

/// Heading of the section that has the maps in words.
const IN_WORDS: &str = mark!("The maps in words");

/// Whether a heading is that one, in the reader's language.
fn is_in_words(heading: &str) -> bool {
    heading == word(IN_WORDS)
}

impl Document {
    /// A document of these sections, with what the maps show in words at the end.
    /// Control characters are taken out: nothing that a player wrote moves a cursor or
    /// breaks a picture. Addresses must be filled in before.
    pub fn new(head: Head, marks: Marks, opening: Vec<Block>, sections: Vec<Section>) -> Self {
        let mut document = Self { head, marks, opening, sections, orders: None };
        let mut words = Vec::new();
        for section in &document.sections {
            for map in maps(&section.blocks).filter(|m| !m.words.is_empty()) {
                words.push(Block::Para(Line::from(in_words_of(section, map))));
                words.push(Block::List(map.words.clone()));
            }
        }
        if !words.is_empty() {
            document.sections.push(Section { heading: word(IN_WORDS).into_owned(), blocks: words });
        }
        let head = &mut document.head;
        let texts =
            [&mut head.game, &mut head.engine, &mut head.name, &mut head.title, &mut head.due];
        texts.into_iter().for_each(clean_text);
        document.opening.iter_mut().for_each(clean);
        document.sections.iter_mut().for_each(clean_section);
        document
    }

    /// Puts one more section before that of a number, or at the end.
    pub fn insert(&mut self, at: usize, mut section: Section) {
        clean_section(&mut section);
        self.sections.insert(at.min(self.sections.len()), section);
    }

    /// The document without the section that has the maps in words.
    pub fn without_words(mut self) -> Self {
        self.sections.retain(|s| !is_in_words(&s.heading));
        self
    }

    /// The sentences that the printout begins with: the list that its opening begins with.
    pub fn headline(&self) -> &[Line] {
        match self.opening.first() {
            Some(Block::List(sentences)) => sentences,
            _ => &[],
        }
    }

    /// The opening without the headline.
    pub fn after_headline(&self) -> &[Block] {
        &self.opening[usize::from(!self.headline().is_empty())..]
    }

    /// All blocks in order.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.opening.iter().chain(self.sections.iter().flat_map(|s| &s.blocks))
    }
}

fn maps(blocks: &[Block]) -> impl Iterator<Item = &MapPicture> {
    blocks.iter().filter_map(|b| match b {
        Block::Map(map) => Some(&**map),
        _ => None,
    })
}

/// The words before a map's words: its section, and its own title if a section has several maps.
fn in_words_of(section: &Section, map: &MapPicture) -> String {
    match maps(&section.blocks).filter(|m| !m.words.is_empty()).count() {
        1 => format!("{}:", section.heading),
        _ => format!("{}: {}", section.heading, map.title.trim_end_matches('.')),
    }
}

/// Text without characters that end lines, change their direction or are not allowed in XML.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    clean_text(&mut text);
    text
}

/// Cleans a text in its place.
fn clean_text(text: &mut String) {
    let none = |c: char| u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}');
    // Most texts have only printable ASCII.
    if text.bytes().any(|b| !matches!(b, b' '..=b'~')) {
        text.retain(|c| !steers(c) && !none(c));
    }
}

fn clean_section(section: &mut Section) {
    clean_text(&mut section.heading);
    section.blocks.iter_mut().for_each(clean);
}

fn clean_line(line: &mut Line) {
    for span in &mut line.0 {
        if let Span::Plain(text) | Span::Chosen(text) = span {
            clean_text(text);
        }
    }
}

fn clean(block: &mut Block) {
    match block {
        Block::Para(line) => clean_line(line),
        Block::List(lines) => lines.iter_mut().for_each(clean_line),
        Block::Table(table) => {
            table.columns.iter_mut().for_each(|(heading, _)| *heading = plain(heading).into());
            table.rows.iter_mut().flatten().for_each(clean_text);
        }
        Block::Map(map) => {
            map.change_texts(plain);
            map.words.iter_mut().for_each(clean_line);
        }
        Block::Charts(charts) => {
            charts.iter_mut().for_each(|c| c.title = plain(&c.title).into());
        }
        Block::Battles(battles) => {
            battles.iter_mut().flat_map(Battle::texts).for_each(clean_text);
        }
        Block::Quote(lines) | Block::Card(lines) => {
            lines.iter_mut().for_each(clean_text);
        }
    }
}

/// Sections with what only the robot knows filled in: addresses, names, digests. What `fill`
/// gives nothing for stays as it is.
pub fn filled(sections: &[Section], fill: &dyn Fn(&Span) -> Option<Span>) -> Vec<Section> {
    let line = |line: &Line| {
        let span = |s: &Span| fill(s).unwrap_or_else(|| s.clone());
        Line(line.0.iter().map(span).collect())
    };
    let block = |block: &Block| match block {
        Block::Para(text) => Block::Para(line(text)),
        Block::List(lines) => Block::List(lines.iter().map(line).collect()),
        other => other.clone(),
    };
    let section = |s: &Section| Section {
        heading: s.heading.clone(),
        blocks: s.blocks.iter().map(block).collect(),
    };
    sections.iter().map(section).collect()
}

/// Ids of a table's columns for programs: the headings in lower case, with hyphens.
pub fn column_ids(table: &Table) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for (heading, _) in &table.columns {
        let id = slug(heading);
        // Two columns of one name are told apart by their place.
        let id = if ids.contains(&id) { format!("{id}-{}", ids.len() + 1) } else { id };
        ids.push(id);
    }
    ids
}

/// A heading as an id: words in lower case with hyphens, nothing from a colon on, no
/// numbers, so that it stays the same from turn to turn.
pub fn slug(heading: &str) -> String {
    // Programs rely on the id, so it is the same in every language.
    let heading = tongue::english(heading);
    let words = heading.split(':').next().unwrap_or_default();
    let words = words.split(|c: char| !c.is_ascii_alphanumeric());
    let lasting = |w: &&str| !w.is_empty() && !w.chars().all(|c| c.is_ascii_digit());
    words.filter(lasting).map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// A drawn map, a sheet of one, or a chart.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Name of its file, without an ending.
    pub name: String,
    /// What it shows, for those who can't see it.
    pub alt: String,
    /// The drawing, an SVG document.
    pub svg: String,
    /// Width and height in units.
    pub size: (u32, u32),
    /// Drawn for a wide screen: a narrow one shows it in its own size, a part at a time;
    /// others grow and shrink with the column.
    pub wide: bool,
}

/// Pictures that are wider, in units, are drawn for a wide screen.
const NARROW_MAX: u32 = 400;

/// Size of a chart in units: two stand side by side, or one on a phone.
const CHART_SIZE: (u32, u32) = (360, 200);

/// The pictures of a document: for each block that is a map or charts, in order, its drawings.
pub fn pictures(document: &Document) -> Vec<Vec<Picture>> {
    let mut drawn = Vec::new();
    for block in document.blocks() {
        match block {
            Block::Map(map) => drawn.push(map_pictures(map)),
            Block::Charts(charts) => {
                // A line needs two points.
                let long = |c: &&Chart| c.series.iter().any(|s| s.values.len() > 1);
                let own = Who::Seat(document.head.seat);
                drawn.push(charts.iter().filter(long).map(|c| chart_picture(c, own)).collect());
            }
            _ => {}
        }
    }
    let mut names: Vec<String> = Vec::new();
    for picture in drawn.iter_mut().flatten() {
        // Two of one name, such as the reader's chart and everybody's, are told apart.
        let same = names.iter().filter(|n| **n == picture.name).count();
        names.push(picture.name.clone());
        if same > 0 {
            picture.name = format!("{}-{}", picture.name, same + 1);
        }
    }
    drawn
}

fn chart_picture(chart: &Chart, own: Who) -> Picture {
    Picture {
        name: format!("chart-{}", slug(&chart.title)),
        alt: chart::described(chart, own),
        svg: chart::svg(chart, &[own], CHART_SIZE),
        size: CHART_SIZE,
        wide: false,
    }
}

/// The sheets of a map as pictures.
pub fn map_pictures(map: &MapPicture) -> Vec<Picture> {
    let picture = |sheet: picture::Sheet| Picture {
        name: match sheet.name.as_str() {
            "" => map.id.clone(),
            name => format!("{}-{}", map.id, name.to_lowercase()),
        },
        alt: sheet.alt,
        svg: sheet.svg,
        size: sheet.size,
        wide: sheet.size.0 > NARROW_MAX,
    };
    picture::sheets(map).into_iter().map(picture).collect()
}
