//! How a game's orders are said: a table of forms, and the sections of a card that they stand in.

/// How an order is said.
#[derive(Debug, Clone)]
pub struct Form {
    /// Words that begin it, in capitals: the order's own first word, its name, then others.
    pub verbs: Vec<&'static str>,
    /// What follows, in the orders in which it is said; the first is that of the card. A slot is
    /// a sort of [`Names`], or `name:sort`. `*` behind it takes a list, one order for each; `+`
    /// takes several, joined by blanks; `&` takes several, joined without. A word in capitals
    /// stands for itself, `ARMY|ARMIES` for either. `n` is a number.
    pub takes: Vec<&'static str>,
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
    let takes = takes.split('/').map(str::trim).collect();
    Form { verbs: verbs.split(' ').collect(), takes, writes, named: "" }
}

impl Form {
    /// The same form with a name of its own in a list of orders.
    pub fn called(self, named: &'static str) -> Self {
        Self { named, ..self }
    }
}

/// Whether a slot is a word that stands for itself.
pub(super) fn is_literal(slot: &str) -> bool {
    slot.starts_with(|c: char| c.is_ascii_uppercase())
}
