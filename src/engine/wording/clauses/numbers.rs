//! Numbers that tell which things are meant: `3`, `1, 2 and 4`, `1-4`, `513 to 521`.

use super::nouns::{Noun, Nouns, TIMES_MAX};
use crate::wording::speech::STEP;
use crate::wording::tokens::{Kind, Token};

impl Nouns<'_, '_> {
    /// Numbers behind a noun: `3`, `1, 2 and 4`, `1-4`; those of a set alone.
    pub(super) fn ids(
        &self,
        sort: &str,
        at: usize,
        many: bool,
        set: Option<&[String]>,
    ) -> Vec<Noun> {
        let fits = |code: &String| set.is_none_or(|set| set.contains(code));
        let one = |at: usize| -> Option<Vec<String>> {
            let token = self.tokens.get(at).filter(|t| t.kind == Kind::Word)?;
            if counts_steps(self, sort, at) {
                return None;
            }
            let text = match token.number {
                Some(n) => n.to_string(),
                None => token.text.clone(),
            };
            let known = || !self.names.named_so(sort, &[&text], false).is_empty();
            if text.contains(|c: char| c.is_ascii_digit())
                && (self.names.is_code(sort, &text) || known())
            {
                return Some(vec![text]).filter(|all| all.iter().all(fits));
            }
            numbers(self, sort, &text).filter(|all| all.iter().all(fits))
        };
        let mut found = Vec::new();
        let Some(mut codes) = one(at) else { return found };
        let mut end = at + 1;
        // `units 1 to 3`, `1 through 3`, `1 bis 3`.
        let number = |at: usize| self.tokens.get(at).and_then(|t| t.number);
        if many
            && goes_through(self, at, set.is_some())
            && let (Some(first), Some(last)) = (number(at), number(at + 2))
            && let Some(all) = numbers(self, sort, &format!("{first}-{last}"))
        {
            let all: Vec<String> = all.into_iter().filter(fits).collect();
            if !all.is_empty() {
                found.push(Noun::said(at + 3, all));
            }
        }
        loop {
            if many || codes.len() == 1 {
                found.push(Noun::said(end, codes.clone()));
            }
            let Some(next) = self.listed_on(end, false).filter(|_| many) else { return found };
            let Some(more) = one(self.idle(next)) else { return found };
            codes.extend(more.into_iter().filter(|c| !codes.contains(c)).collect::<Vec<_>>());
            end = self.idle(next) + 1;
        }
    }

    /// A code as a card has it, and lists such as `1-4,7`.
    pub(super) fn coded(
        &self,
        sort: &'static str,
        at: usize,
        (many, counted): (bool, bool),
        out: &mut Vec<Noun>,
    ) {
        let Some(token) = self.tokens.get(at) else { return };
        let text = token.number.map_or_else(
            || token.text.clone(),
            |n| match token.meaning.number {
                Some(_) => n.to_string(),
                None => token.text.clone(),
            },
        );
        let known = || {
            text.bytes().all(|b| b.is_ascii_digit())
                && !self.names.named_so(sort, &[&text], false).is_empty()
        };
        // `513 to 521`, `F1 to F3`.
        let lettered = text.starts_with(char::is_alphabetic);
        if (counted || many && lettered)
            && goes_through(self, at, true)
            && let Some(last) = self.tokens.get(at + 2)
            && let Some(codes) = numbers(self, sort, &format!("{text}-{last}", last = last.text))
        {
            out.push(Noun::said(at + 3, codes));
        }
        if !counts_steps(self, sort, at) && (self.names.is_code(sort, &text) || known()) {
            let crowded = token.number.is_some() && self.names_something(at + 1);
            let code = Noun::said(at + 1, vec![text]);
            out.push(Noun { said: false, crowded, ..code });
        } else if many
            // `56,2` is a square.
            && !self.names.place_sorts().iter().any(|place| self.names.is_code(place, &text))
            && let Some(codes) = numbers(self, sort, &text)
        {
            out.push(Noun { said: false, ..Noun::said(at + 1, codes) });
        }
    }
}

/// Whether numbers go on behind the one at a token up to another: `units 1 to 3`, `1 through 3`, `1
/// bis 3`. `unit 1 to 3` goes there; of a kind, all with such numbers are meant.
fn goes_through(nouns: &Nouns<'_, '_>, at: usize, kind: bool) -> bool {
    const THROUGH: [&str; 5] = ["THROUGH", "THRU", "BIS", "UP TO", "THROUGH TO"];
    let plural = |t: &Token| t.key.ends_with('S') || t.key.ends_with("EN");
    let many = || kind || at.checked_sub(1).is_some_and(|n| plural(&nouns.tokens[n]));
    let through = |t: &Token| THROUGH.contains(&t.key.as_str()) || t.key == "TO" && many();
    nouns.tokens.get(at + 1).is_some_and(through)
}

/// A list in one word such as `1-4,7`, or `F1-F3`.
fn numbers(nouns: &Nouns<'_, '_>, sort: &str, word: &str) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for part in word.split(',').filter(|p| !p.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let letters = first.trim_end_matches(|c: char| c.is_ascii_digit());
        let number = |code: &str| code.strip_prefix(letters).unwrap_or(code).parse::<u32>().ok();
        let (first, last) = (number(first)?, number(last)?);
        if first > last || (last - first) as usize >= TIMES_MAX {
            return None;
        }
        all.extend((first..=last).map(|n| format!("{letters}{n}")));
    }
    let fits = |code: &String| nouns.names.is_code(sort, code);
    (all.len() > 1 && all.len() <= TIMES_MAX && all.iter().all(fits)).then_some(all)
}

/// Whether a number at a token counts steps: `one jump` is no place, and `two sectors south` no
/// unit.
fn counts_steps(nouns: &Nouns<'_, '_>, sort: &str, at: usize) -> bool {
    let token = |n: usize| nouns.tokens.get(n).filter(|t| t.kind == Kind::Word);
    let way = || token(nouns.idle(at + 2)).is_some_and(|t| t.meaning.way.is_some());
    token(at + 1).is_some_and(|t| t.is(STEP)) && (nouns.names.is_place(sort) || way())
}
