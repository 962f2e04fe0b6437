//! Hostile words: whatever names players choose or texts they write to each other, no format of a
//! printout gets markup, a header or an order from them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use engine::press::steers;
use engine::report::{
    Align, Battle, Block, Chart, Force, GridStyle, Line, MapKind, MapPicture, Section, Series,
    Span, Table, Who,
};
use engine::{CardText, Seat};
use jiff::{SignedDuration, Timestamp};
use mail::RawMessage;
use mail::compose::{Attachment, AutoSubmitted, Draft, Page, Sender, compose};
use mail::mime::{self, ParsedMail};
use mail_parser::{Message, MessageParser, MimeHeaders, PartType};
use proptest::prelude::*;
use proptest::sample::select;
use render::pdf::{self, Paper};
use render::{Document, Head, data, filled, pictures, raster, text};
use textwrap::core::display_width;

use super::mail_html;
use super::maps as made;
use super::stage::{Shown, all, played};

/// The places of words of a player, or of a game's data, in a document.
const PLACES: &str = "name title heading opening paragraph item column cell quote card map-title \
                      map-words map-text chart place ground who forces odds result notation";

/// Texts that an attacker may try.
static HOSTILE: LazyLock<Vec<String>> = LazyLock::new(|| {
    let short = "<script>alert(1)</script>~\"><img src=x onerror=alert(1)>~' onload='alert(1)~\
        </title></style><b>~</text></svg><script>~</td></tr></table></pre>~<!--~-->~]]>~\
        <![CDATA[~<?xml?>~&lt; &#60; &amp;amp; &entity; &~<a href=\"http://x\">~\
        {{template}} ${x} %s %n~=0D=0A=3D~From nobody~.~--boundary~--fieldpost-a-0--~\
        Content-Type: text/html~~  ~\0~\u{1b}[2J\u{1b}]0;x\u{7}~\u{8}\u{7f}\u{9b}~\
        \u{202e}txet\u{2066}\u{2067}\u{202a}\u{61c}~one\u{2028}two\u{2029}three\u{85}four~\
        \u{200b}\u{200d}\u{feff}\u{2060}\u{ad}~\u{fffd}\u{d7ff}\u{e000}~\
        \u{fffe}\u{ffff}\u{10ffff}~🏳️‍🌈👩‍👩‍👧‍👦~戦争と平和~السلام عليكم~\ta\tb\u{b}c\u{c}d~\
        one\r\ntwo\rthree\nfour~\r\n.\r\n~x\r\nBcc: all@players.example\r\n\r\nbody";
    let long = ["x", "<", "&", "戦", "\u{202e}"].map(|c| c.repeat(5000));
    let accents = format!("e{}", "\u{301}".repeat(200));
    short.split('~').map(str::to_owned).chain(long).chain([accents]).collect()
});

/// Lines that some game reads as orders, if nothing comes before them.
const ORDERS: [&str; 6] = ["A 12 2", "N 1 5 Rome", "C 23 1", "TS1", "@FR BA5", "A 12 2; x"];

/// A fight with somebody's words in each place.
fn battle(put: &impl Fn(&str) -> String) -> Battle {
    let side = |numbers| Force {
        who: put("who"),
        seat: Some(Seat(2)),
        tint: None,
        numbers,
        forces: put("forces"),
        odds: put("odds"),
    };
    Battle {
        place: put("place"),
        ground: put("ground"),
        sides: vec![side(Some((9, 4))), side(None)],
        result: put("result"),
        notation: put("notation"),
    }
}

/// A document with somebody's words in each place; head and frame are real ones.
fn document(put: impl Fn(&str) -> String) -> Document {
    let Document { head, marks, .. } = all()[0].document.clone();
    let engine = "Any game".to_owned();
    let head = Head { engine, name: put("name"), title: put("title"), ..head };
    let heading = |text: &str| (Cow::Owned(text.to_owned()), Align::Left);
    let columns = [heading("Line"), heading("Order"), heading(&put("column"))];
    let rows = vec![vec!["1".into(), put("cell"), put("cell")]];
    let series = vec![Series { who: Who::Seat(Seat(2)), tint: None, values: vec![1, 5, 2] }];
    let mut blocks = vec![
        Block::Para(put("paragraph").into()),
        Block::List(vec![put("item").into(), put("item").into()]),
        Block::Table(Table::new(columns, rows)),
        Block::Quote(vec!["A letter".into(), put("quote"), put("quote")]),
        Block::Charts(vec![Chart { title: put("chart").into(), series }]),
        Block::Battles(vec![battle(&put)]),
    ];
    blocks.extend(maps(&put).map(Block::from));
    let card = Block::Card(vec!["A hint".into(), put("card")]);
    let sections = vec![
        Section { heading: put("heading"), blocks },
        Section { heading: "Card".into(), blocks: vec![card] },
    ];
    Document::new(head, marks, vec![Block::Para(put("opening").into())], sections)
}

/// A map of each kind, and a grid in each style, with somebody's words in each text.
fn maps(put: &impl Fn(&str) -> String) -> [MapPicture; 7] {
    let styles = [GridStyle::Strategic, GridStyle::Tactical, GridStyle::World, GridStyle::Board];
    let grids = styles.map(|style| made::grid(style, None));
    let [a, b, c, d] = grids;
    let maps = [a, b, c, d, made::hexes(), made::regions(), made::graph()];
    maps.map(|mut map| {
        // Only engines write labels and signs.
        let labels = |map: &MapPicture| map.grid().map(|g| (g.columns.clone(), g.rows.clone()));
        let (legend, labels) = (map.legend.clone(), labels(&map));
        map.change_texts(|text| match text {
            "" => String::new(),
            _ => put("map-text"),
        });
        if let (MapKind::Grid(grid), Some((columns, rows))) = (&mut map.kind, labels) {
            (grid.columns, grid.rows) = (columns, rows);
        }
        let (title, words) = (put("map-title"), vec![put("map-words").into()]);
        MapPicture { legend, title, words, ..map }
    })
}

/// A document with words in some places and harmless ones in the others.
fn only(places: &[&str], words: &str) -> Document {
    document(|place| if places.contains(&place) { words } else { "plain" }.to_owned())
}

fn shown(document: &Document) -> Shown {
    let drawn = pictures(document);
    Shown { name: String::new(), document: document.clone(), drawn }
}

/// Names of all tags.
fn tags(markup: &str) -> BTreeSet<String> {
    let name = |t: &str| t.split([' ', '>', '\n']).next().unwrap_or_default().to_owned();
    markup.split('<').skip(1).map(name).collect()
}

/// Tags of a page and of pictures with harmless words.
static TAGS: LazyLock<[BTreeSet<String>; 2]> = LazyLock::new(|| {
    let plain = shown(&only(&[], ""));
    let drawn: String = plain.drawn.iter().flatten().map(|p| p.svg.as_str()).collect();
    [tags(&plain.html()), tags(&drawn)]
});

/// Only letters and signs, because invisible characters may be dropped, and lines broken anywhere.
fn seen(text: &str) -> String {
    let is_seen = |c: char| c.is_alphanumeric() || c.is_ascii_graphic() || c.len_utf8() == 4;
    text.chars().filter(|c| is_seen(*c) && u32::from(*c) & 0xfffe != 0xfffe).collect()
}

/// All texts of a JSON value.
fn said(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => seen(text),
        serde_json::Value::Array(values) => values.iter().map(said).collect(),
        serde_json::Value::Object(fields) => fields.values().map(said).collect(),
        other => other.to_string(),
    }
}

/// A sentence for each way in which words left their place in some format.
fn faults(document: &Document, words: &[String]) -> Vec<String> {
    let shown = shown(document);
    let html = shown.html();
    let mut found = mail_html::faults(&html);
    // No program loads the description of a picture.
    found.retain(|f| !f.contains("in the attribute alt"));
    found.extend(tags(&html).difference(&TAGS[0]).map(|t| format!("HTML has <{t}>.")));
    let printed = text::document(document);
    for (form, text) in [("HTML", &html), ("text", &printed)] {
        // Mail programs, and ours, end a line at each of the last two.
        let odd = |c: &char| c.is_control() && *c != '\n' || ['\u{2028}', '\u{2029}'].contains(c);
        found.extend(text.chars().find(odd).map(|c| format!("The {form} has {c:?}.")));
    }
    let short = words.iter().all(|w| display_width(w) <= 30);
    let wide = printed.lines().find(|l| short && display_width(l) > text::WIDTH);
    found.extend(wide.map(|l| format!("Too wide: {l}")));
    for picture in shown.drawn.iter().flatten() {
        let name = &picture.name;
        found.extend(raster::tree(&picture.svg).err().map(|e| format!("{name}: {e}")));
        found.extend(tags(&picture.svg).difference(&TAGS[1]).map(|t| format!("{name} has <{t}>.")));
    }
    let json: serde_json::Value =
        serde_json::from_slice(&data::document(document)).expect("turn.json is JSON");
    let told = said(&json);
    let untold = words.iter().filter(|w| !told.contains(&seen(w)));
    found.extend(untold.map(|w| format!("JSON doesn't say {w:?}.")));
    let paper = pdf::document(document, &shown.drawn, Paper::A4);
    found.extend(paper.err().map(|e| format!("PDF: {e}")));
    found
}

/// Whether the card reader passes a line on to the game.
pub fn is_left(line: &str) -> bool {
    let lines = ["first".to_owned(), line.to_owned()];
    let game = robot::card::signs::Game::of(&|l| l == "first");
    robot::card::Request::<()>::read(&lines, 1_000, &[], &game).card.lines.len() > 1
}

/// Whether a line is an order, of any game when the document is of none.
fn is_order(engine: &str, line: &str) -> bool {
    let card = CardText::new(if is_left(line) { line } else { "" });
    engine != "Battle Plan" && !warlord::orders::parse(&card).0.is_empty()
        || engine != "Warlord" && battle_plan::orders::read(&card).0.iter().any(|e| e.order.is_ok())
}

/// A mail of one part as another program writes it.
pub fn mail(media: &str, body: &str) -> ParsedMail {
    let head = "From: <p@players.example>\r\nTo: <robot@fieldpost.example>\r\nSubject: Re\r\n\
                MIME-Version: 1.0\r\nContent-Transfer-Encoding: 8bit\r\n";
    let raw = format!("{head}Content-Type: {media}; charset=utf-8\r\n\r\n{body}\r\n");
    mime::parse(raw.as_bytes()).expect("a mail")
}

/// Lines of the text and of the HTML of a document, as the robot reads them, that are
/// orders.
fn orders(document: &Document) -> Vec<String> {
    let page = render::html::document(document, &[], &|_| None);
    let forms = [("text/plain", text::document(document)), ("text/html", page)];
    let read = forms.iter().flat_map(|(media, body)| mail(media, body).lines.0);
    let lines: Vec<String> = read.map(|(_, line)| line.trim_end().to_owned()).collect();
    assert!(lines.len() > 40, "only {} lines", lines.len());
    lines.into_iter().filter(|l| is_order(&document.head.engine, l)).collect()
}

#[test]
fn no_words_leave_their_place_in_any_form() {
    let mut wrong = Vec::new();
    for words in HOSTILE.iter() {
        // These are never cut off, and never that long.
        let kept = if words.len() < 5000 { "" } else { "name title heading" };
        let places: Vec<&str> = PLACES.split(' ').filter(|p| !kept.contains(p)).collect();
        let found = faults(&only(&places, words), std::slice::from_ref(words));
        let start: String = words.chars().take(30).collect();
        wrong.extend(found.into_iter().map(|f| format!("{start:?}: {f}")));
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_word_of_5000_letters_is_cut_at_78_columns() {
    let mut wrong = Vec::new();
    // Headings come from the program, and lines of a letter or a hint stay as they are, because an
    // engine has cut them.
    let stays = ["heading", "quote", "card"];
    for place in PLACES.split(' ').filter(|p| !stays.contains(p)) {
        for letter in ["x", "戦", "e\u{301}"] {
            let text = text::document(&only(&[place], &letter.repeat(5000)));
            let wide = text.lines().any(|l| display_width(l) > text::WIDTH);
            wrong.extend(wide.then(|| format!("{letter} in the {place}")));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn orders_in_the_words_of_a_player_are_no_orders_when_they_come_back() {
    let mut wrong = Vec::new();
    let before = ["", " ", "\t", "> ", "x\u{2028}", "x\u{85}", "x\r\n", "\u{feff}", "<br>"];
    for order in ORDERS {
        assert!(is_order("", order), "{order}");
        for before in before {
            let words = format!("{before}{order}");
            let found = orders(&only(&["name", "cell", "quote", "card", "map-text"], &words));
            wrong.extend(found.iter().map(|f| format!("{words:?}: {f}")));
        }
        // In lines of the greatest length on a card, wherever they are broken.
        let lines = (1..490).step_by(5).map(|n| format!("{} {order}", "x".repeat(n)));
        let lines: Vec<String> = lines.collect();
        let rows = lines.iter().map(|l| vec![l.clone(), l.clone()]).collect();
        let table = Table::new([("Order", Align::Left), ("Result", Align::Left)], rows);
        for block in [Block::Quote(lines), Block::Table(table)] {
            let mut document = only(&[], "");
            document.sections.push(Section { heading: "Words".into(), blocks: vec![block] });
            wrong.extend(orders(&document));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_name_in_a_sentence_begins_no_line_that_is_an_order() {
    let mut wrong = Vec::new();
    for name in ["A 12 2;", "N 1 5", "TS1"] {
        let address = |span: &Span| match span {
            Span::Address(_) => Some(Span::Chosen(format!(
                "{name} <robot+to.W7.2.4.abcdefghijkl@fieldpost.example>"
            ))),
            _ => None,
        };
        let line = |n| Line(vec![Span::Plain("x".repeat(n) + " "), Span::Address(Seat(4))]);
        let blocks = vec![Block::List((0..80).map(line).collect())];
        let section = Section { heading: "Messages".into(), blocks };
        let mut document = only(&[], "");
        document.sections.extend(filled(&[section], &address));
        wrong.extend(orders(&document));
    }
    assert_eq!(wrong, [""; 0]);
}

/// The faults of the next printout of a seat after seat 1 of a demo sent a card.
fn after(game: &str, card: &str, seat: u8, says: &str) -> Vec<String> {
    let (_dir, mut stage) = played(game);
    let code = stage.script.game.clone();
    let turn = stage.robot.game(&code).expect("the game").turn;
    let secret = stage.robot.store.key().reply(&code, Seat(1), 0, turn);
    let from = &stage.script.player[0].address;
    let bytes = format!(
        "From: <{from}>\r\nTo: <robot+{code}.1.{secret}@fieldpost.example>\r\nSubject: x\r\n\
         Message-ID: <1@x>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{card}\r\n"
    );
    let (source, key) = ("test".to_owned(), "1".to_owned());
    let (received_at, size) = (stage.robot.now(), bytes.len() as u64);
    let (bytes, authenticity) = (bytes.into_bytes(), Default::default());
    let checked_from = String::new();
    let mail = RawMessage { source, key, received_at, bytes, size, authenticity, checked_from };
    stage.robot.receive(&[mail]).expect("received");
    let due = stage.robot.game(&code).expect("the game").deadline.expect("a deadline");
    stage.run_due(due + SignedDuration::from_secs(1)).expect("runs");
    let document =
        stage.robot.reports().document_of(&code, Seat(seat), turn + 1).expect("a printout");
    let printed = text::document(&document);
    assert!(printed.contains(says), "{says} is not in {printed}");
    let drawn = shown(&document).drawn;
    let wrong = drawn.iter().flatten().filter_map(|p| raster::tree(&p.svg).err());
    orders(&document).into_iter().chain(wrong.map(|e| e.to_string())).collect()
}

#[test]
fn what_a_player_sends_breaks_no_printout() {
    let card = r#"{"schema": "fieldpost/card/1", "orders": ["PRESS 2", "to\u2028TS1", "END"]}"#;
    let letter = after("battle-plan", card, 2, "| to");
    let city = after("warlord", "N 1 1 <b>\u{ffff}\u{fffe}", 1, "<b>");
    let name = after("warlord", "NAME A 12 2;\r\nY 2 152 157", 2, "may we win this together");
    assert_eq!([letter, city, name].concat(), [""; 0]);
}

/// Words as players write them, and random ones.
fn any_words() -> impl Strategy<Value = String> {
    let tried = HOSTILE.iter().filter(|w| w.len() < 500).cloned();
    let tried: Vec<String> = tried.chain(ORDERS.map(str::to_owned)).collect();
    let piece = prop_oneof![select(tried), any::<String>(), "[ -~]{0,60}"];
    prop::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 48, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn whatever_is_written_stays_in_its_place(words in prop::collection::vec(any_words(), 21)) {
        let at = |place: &str| PLACES.split(' ').position(|p| p == place).expect("a place");
        let document = document(|place| words[at(place)].clone());
        prop_assert_eq!(faults(&document, &words), [""; 0]);
    }
}

fn file(name: &str, media: &'static str, bytes: &[u8]) -> Attachment {
    Attachment { name: name.into(), media: Cow::Borrowed(media), bytes: bytes.to_vec() }
}

/// The bytes of a mail with everything that a printout may have.
fn sent(subject: &str, text: &str, page: Page, files: &[Attachment]) -> Vec<u8> {
    let robot =
        Sender { name: "Fieldpost".into(), address: "robot@fieldpost.example".into(), from: None };
    let draft = Draft {
        text: text.to_owned(),
        page: Some(page),
        attachments: files.to_vec(),
        message_id: "w7.3.2.p.abc@fieldpost.example".into(),
        in_reply_to: Some("x\r\nBcc: all@players.example".into()),
        references: vec!["<a>\r\n\r\nbody".into(), "b@players.example".into()],
        list: Some("W7".into()),
        ..Draft::new("p@players.example", subject, AutoSubmitted::Generated)
    };
    compose(&robot, &draft, Timestamp::UNIX_EPOCH).expect("composes").bytes
}

/// Media types of a part and of those within it.
fn structure(message: &Message, part: u32) -> String {
    let part = message.part(part).expect("a part");
    let kind = part.content_type().expect("a type");
    let kind = format!("{}/{}", kind.ctype(), kind.subtype().unwrap_or_default());
    let PartType::Multipart(parts) = &part.body else { return kind };
    let inner: Vec<String> = parts.iter().map(|p| structure(message, *p)).collect();
    format!("{kind}({})", inner.join(" "))
}

/// Whether a mail has these files, byte by byte.
fn has<'a>(message: &Message, files: impl Iterator<Item = &'a Attachment>) -> bool {
    let named = message.parts.iter().filter_map(|p| Some((p.attachment_name()?, p.contents())));
    named.eq(files.map(|f| (f.name.as_str(), &f.bytes[..])))
}

/// Faults in the bytes of a mail, whatever its text.
fn mail_faults(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let (head, _) = text.split_once("\r\n\r\n").expect("a header and a body");
    let fields = head.split("\r\n").filter(|l| !l.starts_with([' ', '\t']));
    let mut names: Vec<&str> = fields.map(|l| l.split(':').next().unwrap_or_default()).collect();
    names.sort_unstable();
    let mut found = Vec::new();
    let expected = "Auto-Submitted Content-Type Date From List-Id MIME-Version Message-ID \
                    References Reply-To Subject To X-Auto-Response-Suppress X-Fieldpost";
    if names.join(" ") != expected {
        found.push(format!("header fields: {names:?}"));
    }
    if !text.is_ascii() || head.chars().any(|c| c.is_control() && !"\r\n\t".contains(c)) {
        found.push("a character that is no plain ASCII, or of no header".to_owned());
    }
    let bad = |line: &&str| line.len() > 998 || line.contains(['\r', '\n', '\0']);
    found.extend(text.split("\r\n").filter(bad).map(|l| format!("a bad line: {l:.60?}")));
    found
}

#[test]
fn no_words_make_a_header_a_part_or_a_line_of_their_own() {
    let every: Vec<u8> = (0..=255).collect();
    let mut wrong = Vec::new();
    for words in HOSTILE.iter() {
        let start: String = words.chars().take(30).collect();
        let shown = shown(&only(&["name", "quote", "cell", "item"], words));
        let html = shown.html();
        let ids = shown.drawn.iter().flatten().map(|p| format!("{}@fieldpost", p.name));
        // A page that had to be cut names fewer pictures.
        let ids = ids.filter(|id| html.contains(&format!("src=\"cid:{id}\"")));
        let inline: Vec<(String, Attachment)> =
            ids.map(|id| (id, file("x.png", "image/png", &every))).collect();
        let text = format!("{words}\nFrom nobody\n.\n--fieldpost-m-\n=41\n{words}\n");
        let files = [
            file("x.pdf", "application/pdf", &every.repeat(20)),
            file("turn.json", "application/json", &data::document(&shown.document)),
            file("deadline.ics", "text/calendar", b"BEGIN:X\r\n--x\r\n.\r\nEND:X\r\n"),
            file("none.bin", "application/octet-stream", b""),
        ];
        let page = Page { html: html.clone(), inline: inline.clone() };
        // No subject of the robot is so long that it has to be folded within a word.
        let subject = format!("[W7 T3 S2] {}", if words.len() < 900 { words } else { "x" });
        let bytes = sent(&subject, &text, page, &files);
        wrong.extend(mail_faults(&bytes).into_iter().map(|f| format!("{start:?}: {f}")));
        let message = MessageParser::default().parse(&bytes).expect("a mail");
        assert_eq!(message.subject().map(seen), Some(seen(&subject)));
        let images = " image/png".repeat(inline.len());
        let shape = format!(
            "multipart/mixed(multipart/alternative(text/plain multipart/related(text/html\
             {images})) application/pdf application/json text/calendar application/octet-stream)"
        );
        assert_eq!(structure(&message, 0), shape, "{start:?}");
        let tame = |text: &str| text.replace(|c| steers(c) && c != '\n' && c != '\t', "");
        let lines = |text: &str| tame(text).lines().flat_map(|l| [l, "\r\n"]).collect::<String>();
        assert_eq!(message.body_text(0), Some(lines(&text).into()), "{start:?}");
        assert_eq!(message.body_html(0), Some(lines(&html).into()), "{start:?}");
        let all = inline.iter().map(|i| &i.1).chain(&files);
        assert!(has(&message, all), "files with {start:?}");
        let ids: Vec<&str> = message.parts.iter().filter_map(|p| p.content_id()).collect();
        assert_eq!(ids, inline.iter().map(|i| i.0.as_str()).collect::<Vec<_>>());
        assert_eq!(html.matches("src=\"cid:").count(), ids.len(), "{start:?}");
        for part in &message.parts {
            let PartType::Multipart(parts) = &part.body else { continue };
            let boundary = part.content_type().and_then(|t| t.attribute("boundary"));
            let mark = format!("--{}", boundary.expect("a boundary"));
            let count = String::from_utf8_lossy(&bytes).matches(&mark).count();
            assert_eq!(count, parts.len() + 1, "{mark} with {start:?}");
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn files_of_text_keep_their_bytes_without_line_ends_that_no_mail_has() {
    let mut wrong = Vec::new();
    let json = "{\n  \"a\": 1\n}\n".to_owned();
    for text in [json, "a\rb\r\n\n.\n".into(), "é\n".repeat(50), "x\n".repeat(9) + &"x".repeat(999)]
    {
        let file = file("fieldpost-data.json", "application/json", text.as_bytes());
        let page = Page { html: "<p>x</p>".into(), inline: Vec::new() };
        let bytes = sent("your data", "x\n", page, std::slice::from_ref(&file));
        wrong.extend(mail_faults(&bytes));
        let message = MessageParser::default().parse(&bytes).expect("a mail");
        let same = has(&message, [&file].into_iter());
        wrong.extend((!same).then(|| format!("{text:.60?} has changed")));
    }
    assert_eq!(wrong, [""; 0]);
}

/// A printout's HTML as it is mailed, and the lines that the robot reads of it.
fn mailed(shown: &Shown) -> (String, Vec<String>) {
    let page = Page { html: shown.html(), inline: Vec::new() };
    let bytes = sent("printout", &text::document(&shown.document), page, &[]);
    let message = MessageParser::default().parse(&bytes).expect("a mail");
    let html = message.body_html(0).expect("a page").into_owned();
    let lines = mail("text/html", &html).lines.0;
    (html, lines.into_iter().map(|(_, line)| line).collect())
}

/// All that is read of an answer to a printout, without blank lines.
fn read(shown: &Shown, media: &str, body: &str) -> Vec<String> {
    let head = &shown.document.head;
    let card = format!("{} T{} S{}", head.game, head.turn, head.seat);
    let new = mail(media, body).lines.new_text(&card);
    let lines = new.above.into_iter().chain(new.in_card).chain(new.below);
    lines.filter(|l| !l.trim().is_empty()).collect()
}

#[test]
fn no_line_of_a_printout_can_be_read_as_an_order() {
    for shown in all() {
        let lines = mailed(shown).1;
        assert!(lines.len() > 50, "{} lines of {}", lines.len(), shown.name);
        let of_game = |line: &&String| is_order(&shown.document.head.engine, line);
        assert_eq!(lines.iter().filter(of_game).collect::<Vec<_>>(), [""; 0], "{}", shown.name);
    }
}

#[test]
fn of_a_printout_that_comes_back_without_quote_marks_nothing_is_read() {
    for shown in all() {
        let (html, lines) = mailed(shown);
        let order = if shown.document.head.engine == "Warlord" { "A 3 2" } else { "TS1" };
        assert!(is_order(&shown.document.head.engine, order));
        let body = html.split_once("<body").and_then(|b| b.1.split_once('>')).expect("a body").1;
        for page in [html.as_str(), body] {
            let answer = format!("<div>{order}</div><br>{page}");
            assert_eq!(read(shown, "text/html", &answer), [order], "{}", shown.name);
            assert_eq!(read(shown, "text/html", page), [""; 0], "{} forwarded", shown.name);
        }
        let words = lines.join("\r\n");
        let answer = format!("{order}\r\n\r\n{words}");
        assert_eq!(read(shown, "text/plain", &answer), [order], "{}", shown.name);
        assert_eq!(read(shown, "text/plain", &words), [""; 0], "{} forwarded", shown.name);
    }
}
