//! The rules in words, with the figures of the game.

use crate::view::View;
use crate::{Hex, primer};
use engine::report::Block;
use engine::{Books, Primer, Section};

use super::board::letter;
use super::orders;
use super::state::{MISSES_ALLOWED, State};

impl Books for Hex {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        rulebook(state)
    }
}

/// The rulebook of a game.
pub fn rulebook(state: &State) -> Vec<Section> {
    let (size, last) = (state.size, letter(state.size - 1));
    let swap = match state.swap {
        true => {
            "To begin is an advantage. So Blue may answer Red's first stone with SWAP: the stone \
             becomes Blue's and lies mirrored then, as it would for Blue's edges. C4 becomes D3."
        }
        false => "In this game the first stone can't be swapped.",
    };
    let chapters = [
        (
            "1. The board",
            vec![format!(
                "The board has {size} columns, A to {last}, and {size} rows, 1 to {size}, of \
                 hexagons. Each row stands half a hexagon farther right than the one above it, so \
                 columns slant. A place borders on up to six others: F6 on F5, G5, G6, F7, E7 and \
                 E6."
            )],
        ),
        (
            "2. The aim",
            vec![
                "Red joins the top of the board to the bottom by an unbroken chain of stones, Blue \
                 the left to the right. Who does so first has won. A corner belongs to both edges \
                 that meet in it."
                    .to_owned(),
                "There are no draws: when the board is full, one of the two has a chain."
                    .to_owned(),
            ],
        ),
        (
            "3. Moves",
            vec![
                "Red begins; then the two put a stone each in turn, on any free place. Stones are \
                 never moved or taken away."
                    .to_owned(),
                swap.to_owned(),
            ],
        ),
        (
            "4. By mail",
            vec![
                format!(
                    "A move is due {} hours after it is asked for. Who lets that time run out has \
                     no stone in that turn; who does so more than {MISSES_ALLOWED} time in a row \
                     has lost. A seat that nobody plays any longer has lost.",
                    state.turn_hours
                ),
                "A line IF prepares an answer, which is played at once. Nobody sees the other \
                 one's lines."
                    .to_owned(),
            ],
        ),
    ];
    let para = |text: String| Block::Para(text.into());
    let chapter = |(heading, texts): (&str, Vec<String>)| Section {
        heading: heading.to_owned(),
        blocks: texts.into_iter().map(para).collect(),
    };
    let mut book: Vec<Section> = chapters.into_iter().map(chapter).collect();
    let topics = orders::help(Some(state)).into_iter();
    let orders = topics.map(|t| para(format!("{}: {}", t.title, t.text)));
    book.push(Section { heading: "5. Orders".to_owned(), blocks: orders.collect() });
    book
}
