//! How orders are said in words: verbs for letters, names of regions (§8).

use std::sync::LazyLock;

use super::view::View;
use engine::wording::form;
use engine::{Form, Names};

/// Every order that can be said; what is not here is written as its form says.
pub static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    vec![
        form("S START CHOOSE PREFER", "region+", "S {region}"),
        form("H", "from:region to:region", "H {from} {to}"),
        form("A", "from:region to:region site:region+", "A {from} {to} {site}"),
        form(
            "P PLACE PUT REINFORCE",
            "region amount / amount ARMY|ARMIES region / amount region",
            "P {region} {amount}",
        ),
        form(
            "M MOVE MARCH SEND",
            "from:region to:region amount / amount ARMY|ARMIES from:region to:region / \
             amount from:region to:region",
            "M {from} {to} {amount}",
        ),
        form(
            "K ATTACK STRIKE",
            "to:region FROM from:region secret+ / FROM from:region to:region secret+ / \
             from:region to:region secret+",
            "K {from} {to} {secret}",
        ),
        form("Q GUESS", "n", "Q {n}"),
        form("V VOTE", "vote", "V {vote}"),
    ]
});

fn digits(word: &str) -> bool {
    !word.is_empty() && word.len() < 4 && word.bytes().all(|b| b.is_ascii_digit())
}

/// What things are called that orders name.
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
        names.add("region", &region.name, number.clone());
        names.add("region", &number.clone(), number);
    }
    names
}
