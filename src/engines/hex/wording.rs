//! Orders in words.

use std::sync::LazyLock;

use super::board::Spot;
use crate::Hex;
use crate::view::View;
use engine::wording::form;
use engine::{Forms, Names, Words};

impl Words for Hex {
    fn wording() -> &'static Forms {
        &FORMS
    }

    fn names(_: &View) -> Names {
        names()
    }
}

/// Every order that can be said in words.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    Forms::new(vec![
        form("PLAY STONE PLACE PUT", "STONE spot / spot", "PLAY {spot}"),
        form("SWAP", "SIDES|COLOURS|STONES", "SWAP"),
    ])
});

/// The code of every place of the board is also its name.
pub fn names() -> Names {
    let mut names = Names::default();
    names.codes("spot", |word| Spot::read(word).is_some());
    names
}
