//! A document on paper: A4 or Letter, maps as vector graphics, a turn card to fill in by
//! hand as the last page. What maps show is not said in words again.
//!
//! Pages are laid out first, as words and lines at their places, and written then, so that each can
//! say how many there are. Each piece belongs to a part of the document; tags name that part to
//! programs that read the file aloud.

mod layout;
mod paper;
mod write;

pub use layout::Paper;

use super::raster::PictureError;
use super::text::{flat, safe};
use super::{Document, Picture};
use engine::report::{Block, Section};
use layout::{BODY, FIRST, Face, Fonts, HEADING, Item, Layout, MARGIN, Role, SECTION, TITLE};
use tongue::say;
use write::write;

/// Lines of the card that is filled in by hand, in each of two columns.
const CARD_LINES: u32 = 27;
/// Points of a heading and of the caption below it.
const HEADED: f32 = 60.0;

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
    // Those who can't see read the mail itself, so the words for maps are left out.
    lay_out(&document.clone().without_words(), pictures, &mut layout);
    let head = &document.head;
    let (engine, game, step, seat) = (&head.engine, &head.game, &head.label, head.seat);
    let name = say!("{engine} {game}, {step}, seat {seat}");
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
    // The first layout finds the pages; the contents take as much room whatever they say.
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
    let (step, seat) = (&head.label, head.seat);
    let title = say!("Seat {seat}, {step}: {who}", who = format!("{}{who}", head.title));
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
    // A heading stays with its map.
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
                // Words that lead to a picture stay with it.
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

/// Two small maps in a row; a single one in its own size.
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
    let (game, seat, step, due) = (&head.game, head.seat, &head.label, &head.due);
    layout.heading(&say!("Orders for {step}, to fill in by hand"));
    let words = say!(
        "Game {game}, seat {seat}, {step}. {due} Mail what you write here, one order a line, \
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
