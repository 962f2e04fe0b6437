//! An order as a card writes it, as the row that writes it: lines below may go on with it.

use std::collections::BTreeSet;

use super::frames::{Fill, Frame, Frames, Role, Takes};
use super::names::Names;
use super::speech::{AGAINST, AT, Classes, FOR, FROM, OF, TO, WITH};
use super::{ABOVE, WITHIN};
use crate::effort;

/// The codes of each role of a row; none where the order does not have it.
pub(super) type Bound = Vec<Option<Vec<String>>>;

/// Words of an order that is looked at, at most.
const WORDS_MAX: usize = 24;
/// Things of a kind in one order, at most.
const TALLY_MAX: usize = 20;
/// Letters of an order that are compared in one step of work.
const LETTERS: usize = 8;

/// The rows that write an order, each with what fills its roles.
pub(super) fn unwritten(frames: &Frames, names: &Names, order: &str) -> Vec<(usize, Bound)> {
    let order = order.trim().to_uppercase();
    // `@TU AC5BU` stands in its section.
    let (home, rest) = match order.split_once(' ') {
        Some((home, rest)) if home.starts_with('@') => (home, rest),
        _ => ("@", order.as_str()),
    };
    let rows = frames.all.iter().enumerate().filter(|(_, frame)| !frame.writes.is_empty());
    let found = rows.filter_map(|(n, frame)| {
        let writes = frame.writes.trim_end_matches(ABOVE).trim();
        let (pattern, order) = match writes.strip_prefix(WITHIN) {
            Some(pattern) => (pattern.trim(), rest.to_owned()),
            None if writes.starts_with('@') => (writes, format!("{home} {rest}")),
            None => (writes, order.clone()),
        };
        // Most rows write other letters.
        let letters = |text: &str| text.split('{').next().unwrap_or_default().trim().to_owned();
        if !order.starts_with(&letters(pattern)) {
            return None;
        }
        effort::count(1 + order.len() / LETTERS);
        if pattern.contains(';') || frame.roles.iter().any(|role| role.name == "times") {
            return None;
        }
        let pattern: Vec<&str> = pattern.split_whitespace().collect();
        let words: Vec<&str> = order.split_whitespace().take(WORDS_MAX + 1).collect();
        if words.len() > WORDS_MAX {
            return None;
        }
        let row = Row { frame, names };
        let mut bound = vec![None; frame.roles.len()];
        let fits = row.words(&pattern, &words, &mut bound);
        fits.then_some((n, bound))
    });
    found.collect()
}

/// A row that an order is compared with.
#[derive(Clone, Copy)]
struct Row<'f> {
    frame: &'f Frame,
    names: &'f Names,
}

impl Row<'_> {
    /// Compares the words of a pattern with those of an order.
    fn words(self, pattern: &[&str], words: &[&str], bound: &mut Bound) -> bool {
        let Some((first, pattern)) = pattern.split_first() else { return words.is_empty() };
        let slot = first.strip_prefix('{').and_then(|slot| slot.strip_suffix('}'));
        let role = slot.and_then(|slot| self.role(slot));
        if let Some((n, role)) = role {
            let most = if role.fill == Fill::Words { words.len() } else { 1 };
            for taken in (1..=most.min(words.len())).rev() {
                let codes: Vec<String> = words[..taken].iter().map(|w| (*w).to_owned()).collect();
                if codes.iter().all(|code| self.takes(role, code)) {
                    let before = bound[n].replace(codes);
                    if self.words(pattern, &words[taken..], bound) {
                        return true;
                    }
                    bound[n] = before;
                }
            }
            return role.optional && self.words(pattern, words, bound);
        }
        let Some((word, words)) = words.split_first() else { return false };
        if slot == Some("n") {
            return self.count(word, bound) && self.words(pattern, words, bound);
        }
        self.letters(first, word, bound) && self.words(pattern, words, bound)
    }

    /// Takes the number of things of a kind: as many of them are in its role.
    fn count(self, word: &str, bound: &mut Bound) -> bool {
        let mut roles = self.frame.roles.iter().zip(bound);
        let Some((_, Some(kinds))) = roles.find(|(role, _)| role.fill == Fill::Tally) else {
            return false;
        };
        let number = word.parse::<usize>().ok().filter(|n| (1..=TALLY_MAX).contains(n));
        let (Some(number), [kind]) = (number, &kinds[..]) else { return false };
        *kinds = vec![kind.clone(); number];
        true
    }

    /// Compares one word with a pattern such as `AC{men}{goal}`.
    fn letters(self, pattern: &str, word: &str, bound: &mut Bound) -> bool {
        let Some((literal, rest)) = pattern.split_once('{') else { return pattern == word };
        let Some(word) = word.strip_prefix(literal) else { return false };
        let Some((slot, rest)) = rest.split_once('}') else { return false };
        let Some((n, role)) = self.role(slot) else { return false };
        let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
        for end in ends {
            if self.takes(role, &word[..end]) {
                let before = bound[n].replace(vec![word[..end].to_owned()]);
                if self.letters(rest, &word[end..], bound) {
                    return true;
                }
                bound[n] = before;
            }
        }
        false
    }

    /// The role of a slot, and its place in the row.
    fn role(&self, slot: &str) -> Option<(usize, &Role)> {
        self.frame.roles.iter().enumerate().find(|(_, role)| role.name == slot)
    }

    /// Whether a role may be filled by a code.
    fn takes(self, role: &Role, code: &str) -> bool {
        let Takes::Things(sort) = role.takes else { return false };
        let digits = |code: &str| !code.is_empty() && code.bytes().all(|b| b.is_ascii_digit());
        if let Some(parts) = self.names.amounts.parts(sort) {
            let mut rests = parts.iter().filter_map(|(_, prefix)| code.strip_prefix(prefix));
            return rests.any(digits);
        }
        if self.names.amounts.pool(sort).is_some() {
            return digits(code);
        }
        self.names.is_code(sort, code) || self.names.is_one(sort, code)
    }
}

/// Sentences that say an order, one for each row that writes it and each of its first verbs.
pub(super) fn sentences(frames: &Frames, names: &Names, order: &str) -> Vec<String> {
    const VERBS_MAX: usize = 3;
    let mut all = Vec::new();
    for (n, bound) in unwritten(frames, names, order) {
        let frame = &frames.all[n];
        let roles = frame.roles.iter().zip(&bound).enumerate();
        let Some(roles) = roles
            .filter(|(_, (role, codes))| codes.is_some() || !role.optional && !role.sole)
            .map(|(n, (role, codes))| said(role, n > 0, codes.as_deref(), names))
            .collect::<Option<Vec<String>>>()
        else {
            continue;
        };
        let rest = roles.join(" ");
        let verbs = frame.said_verbs().take(VERBS_MAX);
        all.extend(verbs.map(|(verb, particle)| format!("{verb} {rest} {particle}")));
        all.extend(frame.verbless.then(|| rest.clone()));
    }
    all.iter().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// A role with what fills it, in words.
fn said(role: &Role, later: bool, codes: Option<&[String]>, names: &Names) -> Option<String> {
    const WORDS: [(Classes, &str); 7] = [
        (TO, "to"),
        (FROM, "from"),
        (AGAINST, "against"),
        (AT, "at"),
        (FOR, "for"),
        (OF, "of"),
        (WITH, "with"),
    ];
    // `to watch at Kiel`.
    let at = matches!(role.takes, Takes::Things(sort) if !names.is_place(sort));
    let both = role.before & TO != 0 && role.before & AT != 0 && at;
    let words = WORDS.iter().filter(|(class, _)| !both || *class != TO);
    let before =
        words.into_iter().find(|(class, _)| role.before & class != 0).map(|(_, word)| *word);
    let before = before.filter(|_| later || role.strict).unwrap_or_default();
    let things = match &role.takes {
        Takes::Literal(words) => words.first()?.to_lowercase(),
        Takes::Text => return None,
        Takes::Things(_) if role.fill == Fill::Steps || role.fill == Fill::Tally => return None,
        // How much is made of so much is told by the game.
        Takes::Things(sort) if role.counted && names.amounts.parts(sort).is_some() => return None,
        Takes::Things(sort) => {
            let things = codes?.iter().map(|code| names.said(sort, code));
            things.collect::<Option<Vec<String>>>()?.join(", ")
        }
    };
    Some(format!("{before} {things}"))
}

impl Names {
    /// A thing or an amount of a sort, in words.
    fn said(&self, sort: &'static str, code: &str) -> Option<String> {
        let noun = |sort: &str| self.nouns.get(sort)?.iter().next().map(|noun| noun.to_lowercase());
        if let Some(parts) = self.amounts.parts(sort) {
            let (part, prefix) = parts.iter().find(|(_, prefix)| code.starts_with(prefix))?;
            return Some(format!("{} {}", &code[prefix.len()..], noun(part)?));
        }
        if self.amounts.pool(sort).is_some() {
            return Some(format!("{code} {}", noun(sort)?));
        }
        let shown = |name: &&String| !self.second.contains(&(sort, (*name).clone()));
        let alone = |codes: &BTreeSet<String>| codes.len() == 1 && codes.contains(code);
        let all = self.named.get(sort).into_iter().flatten();
        let named = all.filter(|(name, codes)| shown(name) && alone(codes)).map(|(name, _)| name);
        let letters = |name: &&String| name.chars().filter(|c| c.is_alphabetic()).count() > 2;
        match (named.filter(letters).max_by_key(|name| name.len()), noun(sort)) {
            (Some(name), _) => Some(name.to_lowercase()),
            (None, Some(noun)) if code.bytes().all(|b| b.is_ascii_digit()) => {
                Some(format!("{noun} {code}"))
            }
            // `04!` would be cried out.
            (None, _) => (!code.contains('!')).then(|| code.to_owned()),
        }
    }
}
