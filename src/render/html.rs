//! A document as HTML that mail programs keep: tables, inline styles, no script, nothing
//! remote. What a program drops (the style block, rounded corners, the width of a phone)
//! takes no content with it.
//!
//! Every row of a table, every item of a list and every line of a box opens with a muted dot that
//! no screen reader speaks: a program that makes plain text of a quoted mail makes lines of them,
//! and no line that begins with the dot can be read as an order.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::text::{self, SAFE, flat};
use super::{Document, Picture, is_in_words};
use engine::report::{Align, Battle, Block, Force, Line, Section, Table};
use tongue::{Catalogue, count, mark, now, say, word};

/// Bytes of a mail's HTML, at most: beyond, some programs cut it off.
pub const SIZE_MAX: usize = 99_000;

/// The sign at the beginning of what may come back as a line, as in our texts. The parser of cards
/// leaves out lines that begin with it.
pub const GUARD: &str = "|";

/// The style of a guard, which is for programs that make text of the page: people do not see it. A
/// style that hides it, or gives it no size at all, would take it out of that text as well.
const UNSEEN: &str = "font-size:1px;line-height:0;color:#fefdfa";

/// Tables of more columns scroll by themselves where the screen is narrow.
const WIDE: usize = 5;

/// The greatest width of a picture in the text, in units.
const PICTURE_MAX: u32 = 740;

/// Screens up to this width are phones.
const PHONE: &str = "@media (max-width:600px)";

const SANS: &str = "font-family:Helvetica,Arial,sans-serif";
const SERIF: &str = "font-family:Georgia,Times,serif";
const BODY: &str = "margin:0;padding:0;background-color:#eeeae2;color:#222222;font-size:15px;\
                    line-height:1.5";
/// Fixed, so that what scrolls by itself does not widen the page.
const LAYOUT: &str = "table-layout:fixed";
const PAGE: &str = "max-width:784px;background-color:#fefdfa;border:1px solid #d8d2c4";
const H1: &str = "margin:0;font-size:28px;line-height:1.2;font-weight:bold;color:#1d2b3a";
const H2: &str = "margin:30px 0 8px 0;padding:12px 0 0 0;font-size:20px;line-height:1.25;\
                  font-weight:bold;color:#1d2b3a;border-top:1px solid #d8d2c4";
const H3: &str = "margin:16px 0 4px 0;font-size:16px;line-height:1.3;font-weight:bold;\
                  color:#1d2b3a";
const FINE: &str = "margin:0;font-size:12px;color:#666666";
const PARA: &str = "margin:8px 0;word-break:break-word";
const LIST: &str = "margin:8px 0;padding:0 0 0 20px;list-style-type:disc";
const ITEM: &str = "margin:4px 0;word-break:break-word";
const TABLE: &str = "border-collapse:collapse;font-size:14px;line-height:1.35;margin:8px 0 14px 0";
const CAPTION: &str = "text-align:left;padding:0 0 4px 0";
const BOX: &str = "margin:10px 0;padding:10px 14px;background-color:#f5f2ea;\
                   border:1px solid #d8d2c4;overflow-x:auto";
const BATTLE: &str = "margin:10px 0;padding:8px 14px;background-color:#f5f2ea;\
                      border:1px solid #d8d2c4";
const LETTER: &str = "margin:10px 0;padding:2px 0 2px 14px;border-left:3px solid #b8ae98;\
                      word-break:break-word";
const MONO: &str = "margin:0;font-family:Menlo,Consolas,monospace;font-size:12px;line-height:1.45";
const FRAME: &str = "margin:8px 0;overflow-x:auto";
/// The style of a picture: a share of the column, so that no phone has to scroll; programs that do
/// not know such a style use the attribute.
const IMG: &str = "display:block;width:100%;height:auto";
/// The style of two pictures beside each other.
const HALF: &str = "display:inline-block;width:49%;height:auto;margin:0 0 8px 0";

/// For programs that keep it: lines between rows, dark mode, phones.
const STYLE: &str = "
.g{color:#b8ae98}
.t th,.t td{padding:4px 12px 4px 0;border-bottom:1px solid #e4dfd3;text-align:left}
.t .n,.t .n th{text-align:right}
.r{font-weight:normal}
.e th{font-size:12px;color:#5c564a;border-bottom:1px solid #8a8371;vertical-align:bottom}
@media (prefers-color-scheme:dark){
.b{background-color:#15171a !important;color:#dddddd !important}
.p{background-color:#1e2125 !important;border-color:#3a3f45 !important}
.h{color:#f0ece2 !important;border-color:#3a3f45 !important}
.f{color:#a8a8a8 !important}
.g{color:#666b72 !important}
.u{color:#1e2125 !important}
.q{background-color:#15171a !important;border-color:#3a3f45 !important}
.t th,.t td{border-bottom-color:#3a3f45 !important}
.e th{color:#a8a8a8 !important;border-bottom-color:#6a7078 !important}
}
";

/// The style for phones.
const STYLE_PHONE: &str = "
.p{border-width:0 !important}
.c{padding:8px !important}
.t th,.t td{padding:4px 8px 4px 0 !important}
.d{width:100% !important}
";

/// How much room a document takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Room {
    /// Everything in its own form.
    Full,
    /// Tables as lines of text.
    Tight,
    /// Without the maps in words, which the text of the mail has.
    Tighter,
    /// This many sections; the text of the mail has the others.
    Cut(usize),
}

/// Where a picture is found: a content id in a mail, a file beside a page; `None` when
/// it does not go with the document.
pub type Source<'a> = &'a dyn Fn(&Picture) -> Option<String>;

/// The whole printout, smaller than [`SIZE_MAX`]. `pictures` are those of
/// [`super::pictures`].
pub fn document(document: &Document, pictures: &[Vec<Picture>], source: Source) -> String {
    let sections = document.sections.len();
    let rooms = [Room::Full, Room::Tight, Room::Tighter].into_iter();
    for room in rooms.chain((0..sections).rev().map(Room::Cut)) {
        let page = page(document, pictures, source, room);
        if page.len() < SIZE_MAX {
            return page;
        }
    }
    page(document, &[], source, Room::Cut(0))
}

fn page(document: &Document, pictures: &[Vec<Picture>], source: Source, room: Room) -> String {
    let head = &document.head;
    let (game, step, seat) = (&head.game, &head.label, head.seat);
    let title = say!("{game} {step}, seat {seat}");
    let most = match room {
        Room::Cut(n) => n,
        _ => document.sections.len(),
    };
    let all = match room {
        Room::Full | Room::Tight => document.clone(),
        _ => document.clone().without_words(),
    };
    let (shown, left) = all.sections.split_at(most.min(all.sections.len()));
    let style = style(pictures);
    let mut pictures = pictures.iter();
    let opening = parts(&document.opening, None, &mut pictures, source, room);
    let sections: Vec<Markup> =
        shown.iter().map(|s| section(document, s, &mut pictures, source, room)).collect();
    let page = html! {
        (DOCTYPE)
        html lang=(now().map_or("en", Catalogue::code)) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body class="b" style=(format!("{BODY};{SANS}")) {
                div role="main" {
                table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"
                    style=(LAYOUT) {
                    tr { td align="center" {
                        table role="presentation" class="p" width="100%" cellpadding="0"
                            cellspacing="0" border="0" style=(format!("{LAYOUT};{PAGE}")) {
                            tr { td class="c" align="left" style="padding:8px 20px" {
                                (marker(&document.marks.marker))
                            } }
                            tr { td class="c" align="left" style="padding:8px 20px 0 20px" {
                                (masthead(document))
                            } }
                            tr { td class="c" align="left" style="padding:10px 20px 28px 20px" {
                                (opening)
                                @for part in &sections { (part) }
                                (rest(left, room))
                            } }
                        }
                    } }
                }
                }
            }
        }
    };
    page.into_string()
}

/// The style block: with the drawn widths of the pictures that keep them on a phone.
fn style(pictures: &[Vec<Picture>]) -> String {
    let mut widths: Vec<u32> =
        pictures.iter().flatten().filter(|p| p.wide).map(|p| p.size.0).collect();
    widths.sort_unstable();
    widths.dedup();
    let widths: String =
        widths.iter().map(|w| format!(".x{w}{{min-width:{w}px !important}}\n")).collect();
    format!("{STYLE}{PHONE}{{{STYLE_PHONE}{widths}}}\n")
}

/// The guard before what may come back as a line.
fn guard() -> Markup {
    html! { span class="u" style=(UNSEEN) aria-hidden="true" { (GUARD) "\u{a0}" } }
}

/// The first line of the mail, at which the parser of answers stops: its sentences as text, the
/// signs of its frame muted.
fn marker(marker: &str) -> Markup {
    let words = marker.trim_matches(['=', ' ']);
    let (before, after) = marker.split_once(words).unwrap_or_default();
    html! {
        p class="f" style=(FINE) {
            span class="g" aria-hidden="true" { (before) }
            (words)
            span class="g" aria-hidden="true" { (after) }
        }
    }
}

/// Game, turn, seat and deadline.
fn masthead(document: &Document) -> Markup {
    let head = &document.head;
    let who = match head.name.as_str() {
        "" => head.title.clone(),
        name => format!("{} ({name})", head.title),
    };
    let (engine, game, step, seat) = (&head.engine, &head.game, &head.label, head.seat);
    html! {
        h1 class="h" style=(format!("{H1};{SERIF}")) { (say!("{engine} {game}, {step}")) }
        p class="f" style="margin:4px 0 0 0;color:#666666" { (say!("Seat {seat}, {who}")) }
        @if !head.due.is_empty() {
            p style="margin:6px 0 0 0;font-size:16px;font-weight:bold" { (head.due) }
        }
    }
}

/// A list of what only the text of the mail has.
fn rest(left: &[Section], room: Room) -> Markup {
    let names: Vec<&str> = left.iter().map(|s| s.heading.as_str()).collect();
    html! {
        @if !names.is_empty() {
            p style=(PARA) {
                (say!(
                    "Too long to show here, so only in the text version of this mail: {names}.",
                    names = names.join(", ")
                ))
            }
        }
        @if room > Room::Tight {
            p class="f" style=(FINE) {
                (say!("The maps in words stand in the text form of this mail."))
            }
        }
    }
}

type Drawn<'a> = std::slice::Iter<'a, Vec<Picture>>;

fn heading(text: &str) -> Markup {
    html! { h2 class="h" style=(format!("{H2};{SERIF}")) { (text) } }
}

fn section(
    document: &Document,
    section: &Section,
    pictures: &mut Drawn,
    source: Source,
    room: Room,
) -> Markup {
    if section.blocks.iter().any(|b| matches!(b, Block::Card(_))) {
        return html! { (heading(&section.heading)) (card(document, section)) };
    }
    parts(&section.blocks, Some(&section.heading), pictures, source, room)
}

/// Blocks below their heading. A paragraph that leads to a table is the table's caption, and so is
/// the heading itself if the table comes first.
fn parts(
    blocks: &[Block],
    head: Option<&str>,
    pictures: &mut Drawn,
    source: Source,
    room: Room,
) -> Markup {
    let is_table = |b: &Block| matches!(b, Block::Table(_)) && room < Room::Tight;
    let in_caption = blocks.first().is_some_and(is_table);
    let mut parts: Vec<Markup> = Vec::new();
    parts.extend(head.filter(|_| !in_caption).map(heading));
    for (i, block) in blocks.iter().enumerate() {
        parts.push(match block {
            Block::Para(_) if blocks.get(i + 1).is_some_and(is_table) => continue,
            Block::Para(line) if head.is_some_and(is_in_words) => html! {
                h3 class="h" style=(format!("{H3};{SERIF}")) { (flat(line).trim_end_matches(':')) }
            },
            Block::Para(line) => html! { p style=(PARA) { (flat(line)) } },
            Block::List(lines) => list(lines),
            Block::Table(t) if room >= Room::Tight => {
                let lines = text::table(t);
                mono(&say!("Table"), lines.lines().map(|l| l.strip_prefix(SAFE).unwrap_or(l)))
            }
            Block::Table(t) => {
                let before = i.checked_sub(1).and_then(|before| blocks.get(before));
                let caption = match (before, head) {
                    (Some(Block::Para(line)), _) => html! { (flat(line)) },
                    (None, Some(head)) if in_caption => heading(head),
                    (_, head) => {
                        let rows = count!(n = t.rows.len(), "{n} row", "{n} rows");
                        let of = head.map(|h| format!("{h}: ")).unwrap_or_default();
                        html! { span class="f" style=(FINE) { (of) (rows) } }
                    }
                };
                table(t, &caption)
            }
            Block::Map(map) => html! {
                @if !map.title.is_empty() { p style=(PARA) { (map.title) } }
                @for picture in pictures.next().into_iter().flatten() { (image(picture, source)) }
            },
            Block::Charts(_) => charts(pictures.next().map_or(&[], Vec::as_slice), source),
            Block::Battles(cards) => battles(cards),
            // Lines with columns keep them; other lines are as long as the screen.
            Block::Quote(lines) | Block::Card(lines) => match lines.iter().any(|l| aligned(l)) {
                true => mono(&say!("Lines"), lines.iter().map(String::as_str)),
                false => letter(lines),
            },
        });
    }
    html! { @for part in parts { (part) } }
}

/// Whether a line has columns.
fn aligned(line: &str) -> bool {
    line.trim().contains("  ")
}

fn list(lines: &[Line]) -> Markup {
    html! {
        ul style=(LIST) {
            @for line in lines { li style=(ITEM) { (guard()) (flat(line)) } }
        }
    }
}

/// The blank card as a box, with the first and last line by which it is found again in an answer.
fn card(document: &Document, section: &Section) -> Markup {
    let whole = text::card(section, &document.marks);
    let bare = whole.lines().map(|l| l.strip_prefix(SAFE).or(l.strip_prefix('|')).unwrap_or(l));
    let lines: Vec<&str> = bare.collect();
    let framed = |line: &str| line.trim_matches(['-', ' ']).to_owned();
    let [first, between @ .., last] = lines.as_slice() else { return html! {} };
    html! {
        div class="q" role="group" tabindex="0" aria-label=(say!("Turn card")) style=(BOX) {
            p style="margin:0 0 6px 0;font-weight:bold" { (guard()) (framed(first)) }
            pre style=(MONO) { (guarded(between.iter().copied())) }
            p class="f" style=(format!("{FINE};padding:6px 0 0 0")) { (guard()) (framed(last)) }
        }
    }
}

/// Lines in letters of one width, in a box that scrolls by itself.
fn mono<'a>(name: &str, lines: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        div class="q" role="group" tabindex="0" aria-label=(name) style=(BOX) {
            pre style=(MONO) { (guarded(lines)) }
        }
    }
}

fn guarded<'a>(lines: impl Iterator<Item = &'a str>) -> Markup {
    html! {
        @for (i, line) in lines.enumerate() {
            @if i > 0 { "\n" }
            (guard()) (line)
        }
    }
}

/// Somebody's words.
fn letter(lines: &[String]) -> Markup {
    html! {
        div class="h" style=(LETTER) {
            @for (i, line) in lines.iter().enumerate() {
                @if i > 0 { br; }
                (guard()) (line)
            }
        }
    }
}

/// Characters of a bar.
const BAR: u32 = 18;

/// Fights as cards: a table each, whose bars say what was there and what is left of it.
fn battles(cards: &[Battle]) -> Markup {
    html! {
        @for card in cards {
            @let most = card.most();
            div class="q" style=(BATTLE) {
                table class="t" width="100%" cellpadding="3" cellspacing="0" border="0"
                    style=(TABLE) {
                    caption style=(format!("{CAPTION};font-weight:bold")) { (guard()) (card.title()) }
                    @for side in &card.sides {
                        tr valign="top" {
                            th scope="row" class="r" align="left" {
                                (guard()) span style="font-weight:bold" { (side.who) }
                                @if side.is_counted() {
                                    (bar(side, most)) (side.counted())
                                }
                            }
                            td {
                                @if !side.forces.is_empty() { (guard()) (side.forces) }
                                @if !side.odds.is_empty() {
                                    @if !side.forces.is_empty() { br; }
                                    span class="f" style=(FINE) { (guard()) (side.odds) }
                                }
                            }
                        }
                    }
                }
                @if !card.result.is_empty() { p style="margin:0" { (guard()) (card.result) } }
                @if !card.notation.is_empty() {
                    p class="f" style=(FINE) { (guard()) (card.notation) }
                }
            }
        }
    }
}

/// A bar: what is left in the colour of the side, then what was lost in shades. It is made of
/// characters, which every program shows.
fn bar(side: &Force, most: u32) -> Markup {
    let (left, lost) = side.bar(most, BAR);
    let [r, g, b] = side.colour().channels().map(|c| c * 17);
    let letters = |sign: &str, n: u32| sign.repeat(n as usize);
    html! {
        br;
        span aria-hidden="true"
            style=(format!("font-family:monospace;color:#{r:02x}{g:02x}{b:02x}")) {
            (letters("\u{2588}", left))
        }
        span class="g" aria-hidden="true" style="font-family:monospace" {
            (letters("\u{2591}", lost))
        }
        br;
        (guard())
    }
}

fn image(picture: &Picture, source: Source) -> Markup {
    let width = picture.size.0.min(PICTURE_MAX);
    let class = picture.wide.then(|| format!("x{}", picture.size.0));
    let shown = |source: String| {
        html! {
            img class=[class] src=(source) alt=(picture.alt) width=(width)
                style=(format!("{IMG};max-width:{width}px"));
        }
    };
    html! {
        @match source(picture) {
            Some(source) if picture.wide => {
                div role="group" tabindex="0" aria-label=(say!("Picture, scrolls sideways"))
                    style=(FRAME) { (shown(source)) }
            },
            Some(source) => { div style=(FRAME) { (shown(source)) } },
            None => { (unseen(picture)) }
        }
    }
}

/// The words for a picture that does not go with the page.
fn unseen(picture: &Picture) -> Markup {
    html! { p class="f" style=(FINE) { "[" (picture.alt) "]" } }
}

/// Charts two in a row, one below the other on a phone.
fn charts(row: &[Picture], source: Source) -> Markup {
    html! {
        @if !row.is_empty() {
            p style=(PARA) {
                @for picture in row {
                    @if let Some(source) = source(picture) {
                        img class="d" src=(source) alt=(picture.alt) width=(PICTURE_MAX / 2 - 8)
                            style=(format!("{HALF};max-width:{}px", PICTURE_MAX));
                        " "
                    }
                }
            }
            @for picture in row.iter().filter(|p| source(p).is_none()) { (unseen(picture)) }
        }
    }
}

/// A table with its caption and headings.
fn table(table: &Table, caption: &Markup) -> Markup {
    let right = |align: Align| align == Align::Right;
    let side = |align: Align| if right(align) { "right" } else { "left" };
    let guards: Vec<bool> = (0..table.columns.len()).map(|i| is_guarded(table, i)).collect();
    let heading = |i: usize| &table.columns[i];
    let set = html! {
        table class="t" width="100%" cellpadding="3" cellspacing="0" border="0" style=(TABLE) {
            caption style=(CAPTION) { (caption) }
            tr class="e" valign="bottom" {
                @for (i, guarded) in guards.iter().enumerate() {
                    @let (words, align) = heading(i);
                    th scope="col" class=[right(*align).then_some("n")] align=(side(*align)) {
                        @if *guarded { (guard()) }
                        (words.trim())
                    }
                }
            }
            @for row in &table.rows {
                tr valign="top" {
                    @for (i, (cell, guarded)) in row.iter().zip(&guards).enumerate() {
                        @let (_, align) = heading(i);
                        @let shown = i == 0 || *guarded && !cell.trim().is_empty();
                        @let words = html! { @if shown { (guard()) } (cell.trim_end()) };
                        @if i == 0 {
                            th scope="row" class=(if right(*align) { "r n" } else { "r" })
                                align=(side(*align)) { (words) }
                        } @else if right(*align) {
                            td class="n" align="right" { (words) }
                        } @else {
                            td { (words) }
                        }
                    }
                }
            }
        }
    };
    match table.columns.len() > WIDE {
        true => html! {
            div role="group" tabindex="0" aria-label=(say!("Table")) style=(FRAME) { (set) }
        },
        false => set,
    }
}

/// Whether the cells of a column begin with a dot. Those of the first column do, because a row may
/// become a line. If one cell of a column may be an order, all do, because a cell may become a line
/// too.
fn is_guarded(table: &Table, column: usize) -> bool {
    let cells = || table.rows.iter().filter_map(|r| r.get(column));
    column == 0
        || table.columns[column].0.to_lowercase().contains(&*word(mark!("order")))
        || cells().any(|c| resembles_order(c))
}

/// Whether words may be an order of some game if they are a line by themselves: a letter or a word,
/// then a number, or a sign that no sentence begins with.
fn resembles_order(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let (first, second) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let digit = |c: char| c.is_ascii_digit();
    match first.chars().next() {
        Some('@' | '/' | '-') => first.len() > 1,
        Some(c) if c.is_alphabetic() => {
            first.contains(digit) || second.starts_with(|c| digit(c) || "*!-@".contains(c))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_resembles_an_order_is_a_word_and_a_number_or_a_sign() {
        for order in ["M 3 122", "Move 3 122", "BA15", "@FR BA5", "/1/AC5", "-- 5 6", "G * E"] {
            assert!(resembles_order(order), "{order}");
        }
        for words in ["", "-", "12", "5 Infantry", "Infantry", "HPI", "[1] Albania"] {
            assert!(!resembles_order(words), "{words}");
        }
    }
}
