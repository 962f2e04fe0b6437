//! Reply mails as real mail programs write them: programs, languages, encodings, parents.
//!
//! The strings are separate from the robot's tables of words, so that the robot is not tested
//! against itself.

mod bodies;
mod clients;
mod languages;
mod mime;

use bodies::*;
use clients::*;
use languages::*;
use mime::*;

/// A generated reply.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Program, language, encoding, parent and, unless above the quote, the place.
    pub name: String,
    pub raw: Vec<u8>,
    pub placed: Placed,
}

/// The place of the new lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placed {
    Above,
    Below,
    /// Between the quoted lines of the blank card.
    Between,
}

/// The mail that is answered.
#[derive(Debug, Clone, Copy)]
pub struct Parent<'a> {
    pub name: &'a str,
    pub from_name: &'a str,
    pub from: &'a str,
    pub subject: &'a str,
    pub message_id: &'a str,
    pub text: &'a str,
}

/// Every program's reply to every parent in every language of the program.
///
/// `lines` are the new orders, `to` the reply address, `from` the player's. The encodings take
/// turns; a few programs use every encoding for the first parent.
pub fn replies(from: &str, to: &str, lines: &[&str], parents: &[Parent]) -> Vec<Reply> {
    let (clients, langs) = (clients(), languages());
    let mut all = Vec::new();
    for (p, parent) in parents.iter().enumerate() {
        for (c, client) in clients.iter().enumerate() {
            for (l, lang) in langs.iter().enumerate().filter(|(_, lang)| client.speaks(lang)) {
                for &placed in client.places {
                    if placed == Placed::Between && card(parent.text).is_none() {
                        continue;
                    }
                    let own = parent.from.eq_ignore_ascii_case(from);
                    let parent_to = if own { to } else { from };
                    let letter = Letter { client, lang, parent, parent_to, lines, placed };
                    let turn = c + l + p;
                    let every = client.every && p == 0 && placed == Placed::Above;
                    let count = if every { ENCODINGS.len() } else { 1 };
                    for n in 0..count {
                        let encoding = ENCODINGS[(turn + n) % ENCODINGS.len()];
                        let bare = client.bare && (l / 4 + p + n).is_multiple_of(2);
                        all.extend(letter.write(from, to, encoding, bare, every));
                    }
                }
            }
        }
    }
    all
}
