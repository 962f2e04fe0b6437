//! The orders that a seat may give as data for programs, a part of `turn.json`.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use engine::wording::{self, Many, Place};

/// The orders that a seat may give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Orders {
    /// How an order names a square of a grid, from the labels of its column and row, such as
    /// `{column},{row}`; absent where a place's id is its code.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub square: String,
    /// Sorts that any square of a grid belongs to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub squares: Vec<String>,
    /// The forms.
    pub forms: Vec<Form>,
    /// What may fill a slot, by its sort; a sort that is missing takes what is typed.
    pub names: BTreeMap<String, Vec<Choice>>,
}

/// An order with slots to fill.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Form {
    /// What players call it.
    pub name: String,
    /// In the order in which a card has them.
    pub slots: Vec<Slot>,
    /// The line of a card, with the slots' names in braces.
    pub writes: String,
    /// `place`: the line stands below one with `@` and the place that gives the order; `player`:
    /// below one with `@` alone; absent where it stands anywhere.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub section: String,
}

/// A part of an order that is chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slot {
    /// As the form's line calls it.
    pub name: String,
    /// What may fill it; `n` is a number.
    pub sort: String,
    /// `words`: several values, parted by blanks; `joined`: several without anything between
    /// them; absent where it takes one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub many: String,
}

/// Something that may fill a slot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// As a card writes it.
    pub code: String,
    /// What it is called, in capitals.
    pub name: String,
    /// The place where it stands, as a card writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// Orders as data.
pub(super) fn of(orders: &wording::Orders) -> Orders {
    let slot = |slot: &wording::Slot| Slot {
        name: slot.name.clone(),
        sort: slot.sort.clone(),
        many: match slot.many {
            Many::One => String::new(),
            Many::Words => "words".to_owned(),
            Many::Joined => "joined".to_owned(),
        },
    };
    let form = |form: &wording::OrderForm| Form {
        name: form.name.clone(),
        slots: form.slots.iter().map(slot).collect(),
        writes: form.writes.clone(),
        section: match form.section {
            Place::Anywhere => String::new(),
            Place::Place => "place".to_owned(),
            Place::Player => "player".to_owned(),
        },
    };
    let choice = |choice: &wording::Choice| Choice {
        code: choice.code.clone(),
        name: choice.name.clone(),
        at: choice.at.clone(),
    };
    let named = |(sort, choices): (&String, &Vec<wording::Choice>)| {
        (sort.clone(), choices.iter().map(choice).collect())
    };
    Orders {
        square: orders.square.clone(),
        squares: orders.squares.clone(),
        forms: orders.forms.iter().map(form).collect(),
        names: orders.names.iter().map(named).collect(),
    }
}
