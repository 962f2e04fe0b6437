//! The rules in words, `config/classic-warlord/rulebook.md`, with the numbers of the game.

use crate::view::View;
use crate::{ClassicWarlord, primer};
use engine::book::{Book, Figures};
use engine::{Books, Primer, Section};
use tongue::word;

use super::map::Category;
use super::orders::ROWS;
use super::state::State;
use super::tables::{Advance, Draft, Terrain};

const BOOK: Book = Book::new(include_str!("../../../config/classic-warlord/rulebook.md"))
    .translated(&[("de", include_str!("../../../config/classic-warlord/rulebook.de.md"))]);

impl Books for ClassicWarlord {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        BOOK.chapters(|| figures(state))
    }
}

/// The numbers by their names in the book.
fn figures(state: &State) -> Figures {
    let map = state.board.map();
    let options = &state.options;
    let count = |c: Category| map.regions.iter().filter(|r| r.category == c).count();
    let mix: Vec<String> = Category::ALL
        .iter()
        .map(|c| format!("{} {} ({})", count(*c), word(c.name()), c.letter()))
        .collect();
    let orders = ROWS.iter().map(|r| {
        let example = r.examples.first().copied().unwrap_or_default();
        vec![word(r.form).into_owned(), word(example).into_owned()]
    });
    let regions = map.regions.iter().map(|r| {
        let near: Vec<String> = r.near.iter().map(|p| map.region(*p).number.to_string()).collect();
        vec![r.number.to_string(), r.category.letter().to_string(), r.name.clone(), near.join(" ")]
    });
    Figures::default()
        .with("seats", state.sides.len())
        .with("regions_count", map.len())
        .with("mix", mix.join(", "))
        .with("draft", if options.draft == Draft::List { "list" } else { "live" })
        .with("bombs", options.bombs)
        .with("army_cap", options.army_cap)
        .with("advance", if options.advance == Advance::Exact { "exact" } else { "leave-one" })
        .with("classic_terrain", options.terrain == Terrain::Classic)
        .with("turn_hours", options.turn_hours)
        .with("live_hours", options.live_hours)
        .with("parts", options.instalments_max)
        .with("rounds_max", options.rounds_max)
        .with("orders", orders.collect::<Vec<_>>())
        .with("regions", regions.collect::<Vec<_>>())
}
