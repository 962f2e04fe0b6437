//! How a game's orders are said: a table of forms, and the sections of a card that they stand in.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::LazyLock;

use super::names::slips_of;
use crate::effort;

/// How an order is said.
#[derive(Debug, Clone)]
pub struct Form {
    /// Words that begin it, in capitals: the order's own first word, its name, then others.
    pub verbs: Vec<&'static str>,
    /// What follows, slot by slot, in the orders in which it is said; the first is that of the
    /// card. A slot is a sort of [`Names`](crate::Names), or `name:sort`. `*` behind it takes a list,
    /// one order for each; `+` takes several, joined by blanks; `&` takes several, joined without. A
    /// word in capitals stands for itself, `ARMY|ARMIES` for either. `n` is a number.
    pub takes: Vec<Vec<&'static str>>,
    /// The order, with slots in braces: `A {units} {goal}`. [`ABOVE`] is the section that the
    /// lines above have opened; with [`WITHIN`] the order means something in such a section alone.
    pub writes: &'static str,
    /// What a list of orders calls it; empty: its first verb of several letters.
    pub named: &'static str,
}

/// Stands in what a form writes for the section that is open above the line, such as `@TU`: an
/// order that needs another one goes back to it. Whoever reads the whole card fills it in.
pub const ABOVE: &str = "{above}";

/// Stands in what a form writes for nothing, where a section with a name is open above: elsewhere
/// the order would mean something else, and is not read.
pub const WITHIN: &str = "{within}";

/// An order as it stands below a section such as `@TU`, or `@` where none is open; `None` where it
/// needs one.
pub fn below(order: &str, section: &str) -> Option<String> {
    let unnamed = section.trim_start_matches('@').is_empty();
    let order = match (order.strip_prefix(WITHIN), unnamed) {
        (Some(_), true) => return None,
        (Some(order), false) => order,
        (None, _) => order,
    };
    Some(order.replace(ABOVE, section).trim().to_owned())
}

/// The section that is open below a line, where the line opens one: its last word that begins
/// with `@`, with a code that stands apart.
pub fn section(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let at = words.iter().rposition(|w| w.starts_with('@'))?;
    let code = words
        .get(at + 1)
        .filter(|w| words[at] == "@" && w.len() <= 3 && w.chars().all(|c| c.is_ascii_alphabetic()));
    Some(format!("{}{}", words[at], code.unwrap_or(&"")).to_uppercase())
}

/// A form from its verbs, parted by blanks, and its patterns, parted by slashes: a line of a table.
pub fn form(verbs: &'static str, takes: &'static str, writes: &'static str) -> Form {
    let takes = takes.split('/').map(|pattern| pattern.split_whitespace().collect()).collect();
    Form { verbs: verbs.split(' ').collect(), takes, writes, named: "" }
}

impl Form {
    /// The words that stand for themselves in what follows.
    pub(super) fn literals(&self) -> impl Iterator<Item = &'static str> {
        let words = self.takes.iter().flatten().flat_map(|slot| slot.split('|'));
        words.filter(|word| is_literal(word))
    }

    /// The same form with a name of its own in a list of orders.
    pub fn called(self, named: &'static str) -> Self {
        Self { named, ..self }
    }
}

/// The forms of a game, with what finds them by a word of a line: a mail may have thousands of
/// words, and none of them is compared with every verb.
#[derive(Debug, Default)]
pub struct Forms {
    all: Vec<Form>,
    /// By verb, the forms that it begins and its place among their verbs.
    by_verb: BTreeMap<&'static str, Vec<(usize, usize)>>,
    /// Verbs in which a slip is forgiven, by their number of letters.
    long: BTreeMap<usize, BTreeSet<&'static str>>,
    /// Every verb, and every word that stands for itself.
    own: BTreeSet<&'static str>,
}

impl Forms {
    /// A table of forms, in the order in which they are tried.
    pub fn new(all: Vec<Form>) -> Self {
        let mut forms = Self::default();
        for (n, form) in all.iter().enumerate() {
            for (place, verb) in form.verbs.iter().enumerate() {
                forms.by_verb.entry(verb).or_default().push((n, place));
                if slips_of(verb) > 0 {
                    forms.long.entry(verb.chars().count()).or_default().insert(verb);
                }
            }
            forms.own.extend(form.verbs.iter().copied().chain(form.literals()));
        }
        Self { all, ..forms }
    }

    /// The table of a game that has none.
    pub fn none() -> &'static Self {
        static NONE: LazyLock<Forms> = LazyLock::new(Forms::default);
        &NONE
    }

    /// Whether a word in capitals is a verb, or stands for itself.
    pub(super) fn has(&self, word: &str) -> bool {
        self.own.contains(word)
    }

    /// The forms that a word begins, each with the place of the verb among its verbs: as it
    /// stands, in the third person, or with a slip of typing.
    pub(super) fn of(&self, word: &str, slips: bool) -> Vec<(&Form, usize)> {
        effort::count(1);
        let mut found: BTreeMap<usize, usize> = BTreeMap::new();
        let mut add = |verb: &str| {
            for (form, place) in self.by_verb.get(verb).into_iter().flatten() {
                let first = found.entry(*form).or_insert(*place);
                *first = (*first).min(*place);
            }
        };
        if slips {
            let letters = word.chars().count();
            let near = self.long.range(letters.saturating_sub(1)..=letters + 1);
            let near: Vec<&&str> = near.flat_map(|(_, verbs)| verbs).collect();
            effort::count(near.len());
            near.into_iter().filter(|v| is_one_slip(v, word)).for_each(|v| add(v));
        } else {
            add(word);
            // `goes`, `advances`.
            let third = ["S", "ES"].into_iter().filter_map(|end| word.strip_suffix(end));
            third.filter(|verb| verb.len() > 1).for_each(add);
        }
        found.into_iter().map(|(form, place)| (&self.all[form], place)).collect()
    }
}

impl Deref for Forms {
    type Target = [Form];

    fn deref(&self) -> &[Form] {
        &self.all
    }
}

/// Whether two words are the same but for one letter that is missing, too many, another one, or
/// has changed places with its neighbour.
pub(super) fn is_one_slip(one: &str, other: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let begins = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[begins..], &b[begins..]);
    let ends = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    match (&a[..a.len() - ends], &b[..b.len() - ends]) {
        ([] | [_], [] | [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

/// Whether a slot is a word that stands for itself.
pub(super) fn is_literal(slot: &str) -> bool {
    slot.starts_with(|c: char| c.is_ascii_uppercase())
}
