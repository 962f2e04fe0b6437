//! The orders that a seat may give, for a program in which a player chooses them: the desk.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::forms::{ABOVE, Form, WITHIN, is_literal};
use super::names::Names;
use crate::report::capital;

/// The orders that a seat may give, for a program in which a player chooses them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orders {
    /// How a square of a map is written, from the labels of its column and row; empty in a game
    /// whose places have ids.
    pub square: String,
    /// Sorts that any square belongs to.
    pub squares: Vec<String>,
    /// The forms, each once.
    pub forms: Vec<OrderForm>,
    /// What may fill a slot, by its sort; a sort that is missing takes what is typed.
    pub names: BTreeMap<String, Vec<Choice>>,
}

/// An order with slots to fill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderForm {
    /// What players call it.
    pub name: String,
    /// In the order in which a card has them.
    pub slots: Vec<Slot>,
    /// The line of a card, with the slots' names in braces.
    pub writes: String,
    /// Where the line stands in a card.
    pub section: Place,
}

/// Where a line stands in a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Place {
    /// Anywhere.
    Anywhere,
    /// Below the line of the place that gives the order.
    Place,
    /// Below the line of the player.
    Player,
}

/// A part of an order that is chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// As the form's line calls it.
    pub name: String,
    /// What may fill it; `n` is a number.
    pub sort: String,
    /// How many values it takes.
    pub many: Many,
}

/// How many values a slot takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Many {
    /// One.
    One,
    /// Several, parted by blanks.
    Words,
    /// Several without anything between them.
    Joined,
}

/// Something that may fill a slot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// As a card writes it.
    pub code: String,
    /// What it is called, in capitals.
    pub name: String,
    /// The code of the place where it stands.
    pub at: Option<String>,
}

/// A form as a program shows it; `None` for what a section says as well.
fn shown(form: &Form) -> Option<OrderForm> {
    let (section, line) = match form.writes.strip_prefix(WITHIN) {
        Some(line) => (Place::Place, line),
        None => match form.writes.strip_prefix("@ ") {
            Some(line) => (Place::Player, line.trim_end_matches(ABOVE)),
            None if form.writes.starts_with('@') => return None,
            None => (Place::Anywhere, form.writes),
        },
    };
    let (literals, slots): (Vec<&str>, Vec<&str>) =
        form.takes.first()?.iter().partition(|s| is_literal(s));
    let name = match form.named {
        "" => {
            // The first word of several letters is the order's name.
            let verb = form.verbs.iter().find(|v| v.len() > 3).or(form.verbs.first())?;
            let last = |l: &&str| l.split('|').next_back().unwrap_or(l).to_lowercase();
            let words = literals.iter().map(last).filter(|l| *l != verb.to_lowercase());
            let words: Vec<String> = std::iter::once(verb.to_lowercase()).chain(words).collect();
            capital(&words.join(" "))
        }
        name => name.to_owned(),
    };
    let slot = |slot: &&str| {
        let (called, sort) = slot.split_once(':').unwrap_or((slot, slot));
        let many = match sort.chars().last() {
            Some('+') => Many::Words,
            Some('&') => Many::Joined,
            _ => Many::One,
        };
        let bare = |s: &str| s.trim_end_matches(['*', '+', '&']).to_owned();
        Slot { name: bare(called), sort: bare(sort), many }
    };
    let slots = slots.iter().map(slot).collect();
    Some(OrderForm { name, slots, writes: line.trim().to_owned(), section })
}

/// The letters by which a card knows an order.
fn head(writes: &str) -> &str {
    let writes = writes.trim_start_matches(WITHIN).trim();
    let end = writes.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(writes.len());
    &writes[..end]
}

/// The orders of forms, for a program in which a player chooses them. What two verbs say
/// is shown once, as the first says it.
pub(super) fn orders(forms: &[Form], names: &Names) -> Orders {
    // `made` and `work` are shorter ways to say what the order's own form has slots for.
    let own = |form: &Form| form.verbs.first().is_some_and(|v| *v == head(form.writes));
    let owned: BTreeSet<&str> = forms.iter().filter(|f| own(f)).map(|f| head(f.writes)).collect();
    let spoken = |form: &&Form| {
        let rest = form.writes.trim_start_matches(head(form.writes));
        let bare = rest.split_whitespace().all(|w| w.starts_with('{'));
        own(form) || form.writes.starts_with(WITHIN) || !bare || !owned.contains(head(form.writes))
    };
    let mut shown_forms: Vec<OrderForm> = Vec::new();
    for form in forms.iter().filter(spoken).filter_map(shown) {
        if shown_forms.iter().all(|f| f.writes != form.writes || f.section != form.section) {
            shown_forms.push(form);
        }
    }
    let sorts: BTreeSet<&'static str> = names.named.keys().copied().collect();
    let asked = |sort: &&'static str| {
        shown_forms.iter().flat_map(|f| &f.slots).any(|slot| slot.sort == **sort)
    };
    let named = sorts.into_iter().filter(asked).map(|s| (s.to_owned(), choices(names, s)));
    Orders {
        square: names.square.to_owned(),
        squares: names.squares.iter().map(|s| (*s).to_owned()).collect(),
        names: named.collect(),
        forms: shown_forms,
    }
}

/// The things of a sort by code, each with the longest name that means it alone.
fn choices(names: &Names, sort: &'static str) -> Vec<Choice> {
    let mut longest: BTreeMap<&String, &String> = BTreeMap::new();
    let shown = |name: &&String| !names.second.contains(&(sort, (*name).clone()));
    let all = names.named.get(sort).into_iter().flatten();
    for (name, codes) in all.filter(|(name, _)| shown(name)) {
        let alone = codes.len() == 1;
        for code in codes {
            let known = longest.entry(code).or_insert(name);
            if alone && (known.len() < name.len() || names.named[sort][*known].len() > 1) {
                *known = name;
            }
        }
    }
    let mut choices: Vec<Choice> = longest
        .into_iter()
        .map(|(code, name)| Choice {
            code: code.clone(),
            name: name.clone(),
            at: names.stands.get(&(sort, code.clone())).cloned(),
        })
        .collect();
    // Numbers in their order, words in theirs.
    choices.sort_by_key(|c| (c.code.parse::<u64>().unwrap_or(u64::MAX), c.code.clone()));
    choices
}
