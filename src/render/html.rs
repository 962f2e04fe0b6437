//! A document as HTML that mail programs keep: tables, inline styles, no script, nothing
//! remote. What a program drops (the style block, rounded corners, the width of a phone)
//! takes no content with it.
//!
//! Every row of a table and every item of a list opens with a sign of its own, as the
//! lines of the text do: a program that makes plain text of a quoted mail makes lines of
//! them that can't be read as orders.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::text::flat;
use super::{Document, Picture, text};
use engine::report::{Align, Block, Section, Table};

/// Bytes of a mail's HTML, at most: beyond, some programs cut it off.
pub const SIZE_MAX: usize = 99_000;

/// Tables of more columns are set tighter on a phone.
const WIDE: usize = 7;

/// The widest that a picture stands in the text, in units.
const PICTURE_MAX: u32 = 720;

const BODY: &str = "margin:0;padding:0;background-color:#eeeae2;color:#222222;\
                    font-family:Helvetica,Arial,sans-serif;font-size:15px;line-height:1.4";
const PAGE: &str = "background-color:#ffffff;border:1px solid #d8d2c4";
const H1: &str = "margin:0;font-size:22px;line-height:1.2;color:#ffffff";
const H2: &str = "margin:26px 0 8px 0;font-size:17px;line-height:1.3;color:#003366;\
                  border-bottom:2px solid #003366";
const FINE: &str = "margin:0;font-size:12px;color:#666666";
const PARA: &str = "margin:6px 0;word-break:break-word";
const ITEM: &str = "margin:3px 0 3px 14px;word-break:break-word";
const TABLE: &str = "border-collapse:collapse;font-size:13px;margin:6px 0";
const MONO: &str = "margin:8px 0;padding:8px;background-color:#f5f2ea;border:1px solid #d8d2c4;\
                   font-family:Menlo,Consolas,monospace;font-size:12px;line-height:1.35;\
                   word-break:break-word";
/// A share of the column, so that no phone has to scroll; programs that know no widest
/// width take the attribute.
const IMG: &str = "display:block;width:100%;height:auto;border:1px solid #d8d2c4";

/// For programs that keep it: darkness, phones, lines between rows.
const STYLE: &str = "
.t td,.t th{border-bottom:1px solid #e4dfd3}
@media (prefers-color-scheme:dark){
.b{background-color:#15171a !important;color:#dddddd !important}
.p{background-color:#1e2125 !important;border-color:#3a3f45 !important}
.h{color:#9cc7ff !important;border-color:#4a6a8f !important}
.f{color:#a0a0a0 !important}
.q{background-color:#15171a !important;border-color:#3a3f45 !important;color:#dddddd !important}
.t td,.t th{border-bottom-color:#3a3f45 !important}
}
@media (max-width:600px){
.c{padding:8px !important}
.t{font-size:11px !important}
.t td,.t th{padding:2px !important}
.w{font-size:10px !important}
.w td,.w th{padding:1px !important;word-break:break-word !important}
.q{font-size:10px !important;padding:4px !important}
}
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
    /// So many sections; the text of the mail has the others.
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
    let title = format!("{} turn {}, seat {}", head.game, head.turn, head.seat);
    let mut pictures = pictures.iter();
    let most = match room {
        Room::Cut(n) => n,
        _ => document.sections.len(),
    };
    let all = match room {
        Room::Full | Room::Tight => document.clone(),
        _ => document.clone().without_words(),
    };
    let (shown, left) = all.sections.split_at(most.min(all.sections.len()));
    let opening: Vec<Markup> =
        document.opening.iter().map(|b| block(b, &mut pictures, source, room)).collect();
    let sections: Vec<Markup> =
        shown.iter().map(|s| section(document, s, &mut pictures, source, room)).collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body class="b" style=(BODY) {
                table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" {
                    tr { td align="center" {
                        table role="presentation" class="p" width="100%" cellpadding="0"
                            cellspacing="0" border="0" style=(format!("max-width:780px;{PAGE}")) {
                            tr { td class="c" align="left" style="padding:6px 20px" {
                                p class="f" style=(FINE) { (document.marks.marker) }
                            } }
                            (banner(document))
                            tr { td class="c" align="left" style="padding:10px 20px 24px 20px" {
                                @for part in &opening { (part) }
                                @for part in &sections { (part) }
                                (rest(left, room))
                            } }
                        }
                    } }
                }
            }
        }
    };
    page.into_string()
}

/// Game, turn, seat and deadline on a dark ground.
fn banner(document: &Document) -> Markup {
    let head = &document.head;
    let who = match head.name.as_str() {
        "" => head.title.clone(),
        name => format!("{} ({name})", head.title),
    };
    html! {
        tr { td class="c" align="left" bgcolor="#003366"
            style="padding:14px 20px;background-color:#003366;color:#ffffff" {
            h1 style=(H1) { (head.engine) " " (head.game) ", turn " (head.turn) }
            p style="margin:4px 0 0 0;color:#ffffff;font-size:14px" {
                "Seat " (head.seat) ", " (who)
            }
            @if !head.due.is_empty() {
                p style="margin:8px 0 0 0;color:#ffffff;font-size:16px;font-weight:bold" {
                    (head.due)
                }
            }
        } }
    }
}

/// What stands in the text of the mail alone.
fn rest(left: &[Section], room: Room) -> Markup {
    let names: Vec<&str> = left.iter().map(|s| s.heading.as_str()).collect();
    html! {
        @if !names.is_empty() {
            p style=(PARA) {
                "Too long for this form, so in the text form of this mail alone: "
                (names.join(", ")) "."
            }
        }
        @if room > Room::Tight {
            p class="f" style=(FINE) { "The maps in words stand in the text form of this mail." }
        }
    }
}

type Drawn<'a> = std::slice::Iter<'a, Vec<Picture>>;

fn section(
    document: &Document,
    section: &Section,
    pictures: &mut Drawn,
    source: Source,
    room: Room,
) -> Markup {
    let is_card = section.blocks.iter().any(|b| matches!(b, Block::Card(_)));
    let blocks: Vec<Markup> = match is_card {
        true => vec![card(document, section)],
        false => section.blocks.iter().map(|b| block(b, pictures, source, room)).collect(),
    };
    html! {
        h2 class="h" style=(H2) { (section.heading) }
        @for part in blocks { (part) }
    }
}

fn card(document: &Document, section: &Section) -> Markup {
    let text = text::card(section, &document.marks);
    mono(text.trim_end())
}

fn block(block: &Block, pictures: &mut Drawn, source: Source, room: Room) -> Markup {
    match block {
        Block::Para(line) => html! { p style=(PARA) { (flat(line)) } },
        // Spelt out, for the margins of lists differ from program to program.
        Block::List(lines) => html! {
            @for line in lines { p style=(ITEM) { "* " (flat(line)) } }
        },
        Block::Table(t) if room >= Room::Tight => mono(text::table(t).trim_end()),
        Block::Table(t) => table(t),
        Block::Map(map) => html! {
            @if !map.title.is_empty() { p style=(PARA) { (map.title) } }
            @for picture in pictures.next().into_iter().flatten() { (image(picture, source)) }
        },
        Block::Charts(_) => html! {
            @for picture in pictures.next().into_iter().flatten() { (image(picture, source)) }
        },
        Block::Quote(lines) | Block::Card(lines) => {
            let lines: Vec<String> = lines.iter().map(|l| text::safe(l)).collect();
            mono(&lines.join("\n"))
        }
    }
}

/// Lines in letters of one width. Blanks that stand together are kept by hard ones, not by
/// a style: some programs drop it, and then no line would wrap on a phone.
fn mono(text: &str) -> Markup {
    let kept = |line: &str| -> String {
        let mut next = line.chars().skip(1);
        let hard = |(i, c): (usize, char)| {
            let more = next.next() == Some(' ');
            if c == ' ' && (more || i == 0) { '\u{a0}' } else { c }
        };
        line.chars().enumerate().map(hard).collect()
    };
    html! {
        p class="q" style=(MONO) {
            @for (i, line) in text.lines().enumerate() {
                @if i > 0 { br; }
                (kept(line))
            }
        }
    }
}

fn image(picture: &Picture, source: Source) -> Markup {
    let width = picture.size.0.min(PICTURE_MAX);
    html! {
        @match source(picture) {
            Some(source) => {
                p style=(PARA) {
                    img src=(source) alt=(picture.alt) width=(width)
                        style=(format!("{IMG};max-width:{width}px"));
                }
            },
            None => { p class="f" style=(FINE) { "[" (picture.alt) "]" } }
        }
    }
}

fn table(table: &Table) -> Markup {
    let side = |align: Align| match align {
        Align::Left => None,
        Align::Right => Some("right"),
    };
    html! {
        table class=(if table.columns.len() > WIDE { "t w" } else { "t" }) cellpadding="3" cellspacing="0" border="0" style=(TABLE) {
            tr {
                th scope="col" align="left" { "|" }
                @for (heading, align) in &table.columns {
                    th scope="col" align=(side(*align).unwrap_or("left")) { (heading.trim()) }
                }
            }
            @for row in &table.rows {
                tr {
                    td valign="top" class="f" style="color:#888888" { "|" }
                    @for (cell, (_, align)) in row.iter().zip(&table.columns) {
                        td valign="top" align=[side(*align)] { (cell.trim_end()) }
                    }
                }
            }
        }
    }
}
