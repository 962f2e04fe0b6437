//! Orders in words: verbs for letters, names of regions (§8).

use std::sync::LazyLock;

use super::picture::colour;
use super::view::View;
use crate::ClassicWarlord;
use engine::wording::form;
use engine::{Forms, Names, Words};

impl Words for ClassicWarlord {
    fn wording() -> &'static Forms {
        &FORMS
    }

    fn names(view: &View) -> Names {
        names(view)
    }
}

/// Every order that can be said in words; others are written in their own form.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    Forms::new(vec![
        form("S START CHOOSE PREFER", "place+", "S {place}"),
        form("H", "from:place to:place", "H {from} {to}").called("H-bomb"),
        form("A", "from:place to:place site:place+", "A {from} {to} {site}").called("A-bomb"),
        form(
            "P PLACE PUT REINFORCE",
            "place amount / amount ARMY|ARMIES place / amount place",
            "P {place} {amount}",
        ),
        form(
            "M MOVE MARCH SEND",
            "from:place to:place amount / amount ARMY|ARMIES from:place to:place / \
             amount from:place to:place",
            "M {from} {to} {amount}",
        ),
        form(
            "K ATTACK STRIKE",
            "to:place FROM from:place secret+ / FROM from:place to:place secret+ / \
             from:place to:place secret+",
            "K {from} {to} {secret}",
        ),
        form("Q GUESS", "n", "Q {n}"),
        form("V VOTE", "vote", "V {vote}"),
    ])
});

fn digits(word: &str) -> bool {
    !word.is_empty() && word.len() < 4 && word.bytes().all(|b| b.is_ascii_digit())
}

/// The names of the things in orders.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    names.codes("amount", |w| digits(w) || w == "*");
    names.add("amount", "all", "*");
    names.codes("secret", |w| matches!(w.as_bytes(), [b'1'..=b'6' | b'U' | b'E']));
    names.add("vote", "draw", "DRAW");
    names.add("vote", "no draw", "NODRAW");
    let map = view.board.map();
    for place in map.places() {
        let region = map.region(place);
        let number = region.number.to_string();
        names.add("place", &region.name, number.clone());
        names.add("place", &number.clone(), number);
    }
    // Orders never name a player, but letters do.
    for seat in view.seats() {
        names.add("player", &colour(seat), seat.to_string());
    }
    names
}
