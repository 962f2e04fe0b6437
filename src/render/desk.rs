//! The order desk: one page that opens in a browser without a network, on which a player chooses
//! orders on the map and in lists, and gets a card to copy or to mail.
//!
//! It is made only from [`data`](super::data), so it knows what the printout says and nothing else.
//! It holds the address that an answer goes to, which is a key to the seat. Its policy lets nothing
//! run but its own script, and nothing load. Its words are data too, in the reader's language
//! (`words`): the script is the same in all of them.

use std::collections::BTreeMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use sha2::{Digest, Sha256};

use tongue::{Catalogue, now, say};

use self::words::Words;
use super::Document;
use super::data::TurnFile;
use engine::report::Shape;

mod words;

const PAGE: &str = include_str!("desk/page.html");
const STYLE: &str = include_str!("desk/desk.css");
const SCRIPT: &str = include_str!("desk/desk.js");

/// Where the card goes.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Answer {
    /// The address; empty where it is not known.
    pub to: String,
    /// The subject of the mail.
    pub subject: String,
    /// When orders are due, as the player reads it.
    pub deadline: String,
}

impl Answer {
    /// The answer to a document that was mailed with the address `to` and this subject.
    pub fn of(document: &Document, to: &str, subject: &str) -> Self {
        Self {
            to: to.to_owned(),
            subject: format!("Re: {subject}"),
            deadline: document.head.due.clone(),
        }
    }
}

#[derive(Serialize)]
struct Data<'a> {
    turn: TurnFile,
    answer: &'a Answer,
    words: &'a BTreeMap<&'static str, Words>,
    samples: [i64; words::SAMPLES.len()],
    terms: BTreeMap<&'static str, String>,
    /// Words of shapes that are counters.
    counters: Vec<&'static str>,
    /// Signs of the other shapes, by their words.
    glyphs: BTreeMap<&'static str, &'static str>,
}

/// The page of a document's orders.
pub fn document(document: &Document, answer: &Answer) -> String {
    let words = words::all();
    let shapes = || Shape::ALL.iter().copied();
    let signs = shapes().filter(|s| !s.glyph().is_empty());
    let data = Data {
        turn: TurnFile::of(document),
        answer,
        words: &words,
        samples: words::SAMPLES,
        terms: words::terms(),
        counters: shapes().filter(|s| s.is_counter()).map(Shape::as_str).collect(),
        glyphs: signs.map(|s| (s.as_str(), s.glyph())).collect(),
    };
    // Writing plain data types into memory has no way to fail.
    let data = serde_json::to_string(&data).expect("plain data is JSON");
    // Inside a script element only `<` can end the data.
    let data = data.replace('<', "\\u003c");
    let digest = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text.as_bytes()));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}'; style-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'",
        digest(SCRIPT),
        digest(STYLE)
    );
    let head = &document.head;
    let (game, step, seat) = (&head.game, &head.label, head.seat);
    let title = say!("Order desk: game {game}, {step}, seat {seat}");
    // Each part is put in once, so that nothing in it is taken for a placeholder.
    let mut page = String::with_capacity(PAGE.len() + STYLE.len() + SCRIPT.len() + data.len());
    let mut rest = PAGE;
    while let Some((before, after)) = rest.split_once("{{") {
        page += before;
        let Some((mark, after)) = after.split_once("}}") else { break };
        match mark {
            "title" => page += &maud::html! { (title) }.0,
            "policy" => {
                let meta =
                    maud::html! { meta http-equiv="Content-Security-Policy" content=(policy); };
                page += &meta.0;
            }
            "style" => page += STYLE,
            "script" => page += SCRIPT,
            "data" => page += &data,
            "lang" => page += now().map_or("en", Catalogue::code),
            name => {
                if let Some(Words::One(text)) = words.get(name) {
                    page += &maud::html! { (text) }.0;
                }
            }
        }
        rest = after;
    }
    page + rest
}
