//! The rules in words, `rulebook.md`, with the numbers of the game.

use crate::view::View;
use crate::{Hex, primer};
use engine::book::{Book, Figures};
use engine::{Books, Primer, Section};

use super::board::letter;
use super::orders;
use super::state::{MISSES_ALLOWED, State};

const BOOK: Book = Book::new(include_str!("rulebook.md"));

impl Books for Hex {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        BOOK.chapters(|| figures(state))
    }
}

fn figures(state: &State) -> Figures {
    let topics = orders::help(Some(state)).into_iter();
    let orders: Vec<String> = topics.map(|t| format!("{}: {}", t.title, t.text)).collect();
    Figures::default()
        .with("size", state.size)
        .with("last", letter(state.size - 1))
        .with("swap", state.swap)
        .with("turn_hours", state.turn_hours)
        .with("misses", MISSES_ALLOWED)
        .with("orders", orders)
}
