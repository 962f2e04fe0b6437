//! A translated sentence with its slots.

use std::collections::BTreeSet;
use std::fmt::{Display, Write};

/// A sentence with slots in brackets: `{name}`; `{{` is a bracket.
#[derive(Debug, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

/// A part of a sentence; plain parts and slots alternate.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Plain(String),
    Slot(String),
}

impl Template {
    /// Parses a sentence; `None`: a bracket has no match.
    pub fn read(text: &str) -> Option<Self> {
        let (mut pieces, mut plain) = (Vec::new(), String::new());
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '{' | '}' if letters.peek() == Some(&letter) => {
                    letters.next();
                    plain.push(letter);
                }
                '{' => {
                    let mut name = String::new();
                    loop {
                        match letters.next()? {
                            '}' => break,
                            letter => name.push(letter),
                        }
                    }
                    pieces.push(Piece::Plain(std::mem::take(&mut plain)));
                    pieces.push(Piece::Slot(name));
                }
                '}' => return None,
                letter => plain.push(letter),
            }
        }
        pieces.push(Piece::Plain(plain));
        Some(Self { pieces })
    }

    /// Its parts: a plain one first, last, and between any two slots.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Its text; `None`: it has slots.
    pub fn plain(&self) -> Option<&str> {
        match self.pieces.as_slice() {
            [Piece::Plain(text)] => Some(text),
            _ => None,
        }
    }

    /// The names of its slots.
    pub fn slots(&self) -> BTreeSet<&str> {
        let mut slots = BTreeSet::new();
        for piece in &self.pieces {
            if let Piece::Slot(name) = piece {
                slots.insert(name.as_str());
            }
        }
        slots
    }

    /// The sentence with its slots filled. A slot without a value stays, for a later call to fill.
    pub fn fill<T: Display>(&self, given: &[(&str, T)]) -> String {
        let mut said = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Plain(text) => said += text,
                Piece::Slot(name) => match given.iter().find(|(given, _)| given == name) {
                    // Writing into a text can't fail.
                    Some((_, text)) => {
                        let _ = write!(said, "{text}");
                    }
                    None => said.extend(["{", name, "}"]),
                },
            }
        }
        said
    }
}
