//! Lines of which only a part is understood: what is left out is told, and the rest is asked about.

use super::said::{Above, Left, SoFar};
use super::spotted::{changes, tells};
use super::{Clause, Cover, Parser};
use crate::wording::frames::{Frame, Role, Takes};
use crate::wording::names::bare;
use crate::wording::speech::{
    ALL, AND, BOTH, EXCEPT, FIX, HALF, IDLE, IF, LEAD, NOT, PREPOSITIONS, REST, SOME, SPEECH, THEN,
    folded,
};
use crate::wording::tokens::{Kind, Token};
use crate::wording::{Reader, Reading, SEVERAL_MAX};

/// How much odder a reading is for each weight that it leaves out.
pub(super) const LEFT_OUT: u32 = 20;
/// The most that is left out of a line.
const SPARE_MAX: u32 = 3;

/// Tokens of a line in which things are spotted, at most.
const SPOTTED_TOKENS_MAX: usize = 32;
/// Readings of it that are told, at most.
const SPOTTED_TOLD: usize = 3;
/// The most where what is named is spotted, whatever the order of the words.
const SPOTTED_MAX: u32 = 5;

/// Persons of whom a part of a letter speaks.
const PERSONS: [&str; 20] = [
    "IT IS", "THEY ARE", "I", "IM", "ID", "IVE", "WE", "YOU", "YOUR", "MY", "THATS", "THIS IS",
    "ICH", "WIR", "DU", "SIE", "IHNEN", "DAS", "ES", "MEIN",
];

/// A part of a line that is understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partly {
    /// The orders that it may mean.
    pub orders: Vec<Vec<String>>,
    /// What of the line is not understood, in the words of its player.
    pub left: Vec<String>,
}

impl Parser<'_> {
    /// The readings of as much of the line as is understood; where `spots`, things may be spotted
    /// wherever they stand.
    pub fn partly(&mut self, spots: bool) -> Option<(Vec<Cover>, Vec<String>)> {
        if self.is_too_long() || self.asks() {
            return None;
        }
        let ways = (1..=SPARE_MAX).map(|spare| (spare, false));
        for (spare, spots) in ways.chain(spots.then_some((SPOTTED_MAX, true))) {
            if spots && self.tokens.len() > SPOTTED_TOKENS_MAX {
                break;
            }
            (self.spare, self.spots) = (spare, spots);
            self.clauses.borrow_mut().clear();
            let mut best = Vec::new();
            self.cover(0, &self.begun(), &mut best);
            best.truncate(SEVERAL_MAX);
            if spots && best.len() > SPOTTED_TOLD {
                break;
            }
            let says = |n: &usize| {
                let token = &self.tokens[*n];
                token.kind == Kind::Word && !token.is(IDLE | AND | THEN)
            };
            // What is hardly understood is not understood.
            best.retain(|cover: &Cover| {
                let words = (0..self.tokens.len()).filter(says);
                let (left, read): (Vec<_>, Vec<_>) = words.partition(|n| cover.left.has(*n));
                left.len() < read.len() * if spots { 2 } else { 1 }
            });
            if let Some(first) = best.first() {
                let left = left_words(self, first.left);
                return Some((best, left));
            }
            if self.is_spent() {
                break;
            }
        }
        None
    }

    /// What is left out where a part of a clause begins at a token: one word with the small ones
    /// before it, or a condition.
    pub(super) fn left_out(&self, at: usize, so_far: Left) -> Option<Left> {
        let room = self.spare.checked_sub(so_far.weight).filter(|room| *room > 0)?;
        let ends = |n: usize| self.tokens.get(n).is_none_or(|t| t.kind != Kind::Word);
        if self.tokens.get(at)?.is(IF) {
            let end = (at..).find(|n| ends(*n) || self.tokens[*n].is(THEN))?;
            return Some(so_far.more(at, end, 1));
        }
        let mut last = at;
        while self.tokens.get(last)?.is(PREPOSITIONS | IDLE) {
            last += 1;
        }
        let token = self.tokens.get(last).filter(|t| t.kind == Kind::Word)?;
        // How many are meant matters.
        let counts = token.number.is_some() || token.is(ALL | BOTH | HALF | REST | SOME);
        if counts || token.is(NOT | EXCEPT | FIX | IF) || changes(token) {
            return None;
        }
        let weight = match () {
            () if token.meaning.classes != 0 => 2,
            () if self.is_verb(last) || self.names.is_word(&token.text) => 2,
            () => 1,
        };
        (weight <= room).then(|| so_far.more(at, last + 1, weight))
    }

    /// Reads on behind a part of a sentence that is left out as a whole.
    pub(super) fn cover_partly(&self, at: usize, so_far: &SoFar, best: &mut Vec<Cover>) {
        const WHOLE: u32 = 2;
        let mut go_on = |left: Left| {
            let odd = so_far.odd + LEFT_OUT * (left.weight - so_far.left.weight);
            let next = SoFar { odd, left, ..so_far.clone() };
            self.cover(left.end, &next, best);
        };
        // What is spotted says all of what is named.
        let says_little = |left: &Left| {
            let mut tokens = (at..left.end).filter(|n| !self.tokens[at].is(IF) && left.has(*n));
            !self.spots || !tokens.any(|n| tells(self, n) || self.is_verb(n))
        };
        if let Some(left) = self.left_out(at, so_far.left).filter(says_little) {
            go_on(left);
        }
        let end = (at..self.tokens.len()).find(|n| self.tokens[*n].kind != Kind::Word);
        let end = end.unwrap_or(self.tokens.len());
        let fits = so_far.left.weight + WHOLE <= self.spare && end > at;
        if fits && !self.tokens[at..end].iter().any(|t| t.is(EXCEPT | FIX)) {
            let left = so_far.left.more(at, end, WHOLE);
            if says_little(&left) {
                go_on(left);
            }
        }
    }
}

/// Parts of a line that are read each by itself, at most.
const PARTS_MAX: usize = 8;

/// The parts of a line, each with the sign behind it.
fn parts(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let part = rest.trim_start();
        let signs =
            part.char_indices().filter(|(_, c)| ",.;!?\u{2013}\u{2014}\u{2026}".contains(*c));
        let mut ends = signs.map(|(at, sign)| at + sign.len_utf8());
        // `73,2` and `04.1` are no two parts.
        let end = ends.find(|end| part[*end..].chars().next().is_none_or(char::is_whitespace));
        let (part, behind) = part.split_at(end.unwrap_or(part.len()));
        rest = behind;
        (!part.is_empty()).then_some(part)
    })
}

/// Orders without those that a later one only goes on with: `P 1 FI`, `P 1 FI AR`.
fn longest(orders: Vec<String>) -> Vec<String> {
    let goes_on = |(n, order): (usize, &String)| {
        orders[n + 1..].iter().any(|later| later.starts_with(&format!("{order} ")))
    };
    let kept = orders.iter().enumerate().filter(|at| !goes_on(*at));
    kept.map(|(_, order)| order.clone()).collect()
}

/// What of a line that is not read is understood, below others: all but a few words of it, or some
/// of its parts.
pub(in crate::wording) fn partly(reader: &Reader, line: &str, above: &mut Above) -> Option<Partly> {
    whole(reader, line, above, true).or_else(|| by_parts(reader, line, above))
}

/// What of a line is understood where what is left out of it are a few words.
fn whole(reader: &Reader, line: &str, above: &mut Above, spots: bool) -> Option<Partly> {
    if reader.frames.is_empty() || reader.fuel.get() == 0 || !reader.has_patience() {
        return None;
    }
    let mut parser = reader.parser(line, above, true, false);
    if parser.takes_back() && above.clause.is_none() {
        return None;
    }
    let found = parser.partly(spots);
    reader.fuel.set(reader.fuel.get().saturating_sub(parser.used()));
    let (covers, left) = found?;
    drop(parser);
    above.ask_about(covers.iter().map(|cover| &cover.above));
    let orders = covers.into_iter().map(|cover| reader.joined(&[], cover.orders));
    let orders = orders.map(|orders| reader.in_block(orders, above)).collect();
    Some(Partly { orders, left })
}

/// What some parts of a line mean where the line as a whole means nothing: what stands between
/// its signs is read by itself, and what of it says nothing is left out.
fn by_parts(reader: &Reader, line: &str, above: &mut Above) -> Option<Partly> {
    let all: Vec<&str> = parts(line).collect();
    let line_of = reader.parser(line, above, false, false);
    if !(2..=PARTS_MAX).contains(&all.len()) || line_of.asks() || line_of.takes_back() {
        return None;
    }
    drop(line_of);
    let mut now = above.clone();
    let mut found = Partly { orders: vec![Vec::new()], left: Vec::new() };
    for part in all {
        let ways = match reader.read_below(part, &mut now) {
            Reading::Orders(orders) => vec![orders],
            Reading::Several(all) => all,
            Reading::Idle | Reading::No => match whole(reader, part, &mut now, false) {
                Some(partly) => {
                    found.left.extend(partly.left);
                    partly.orders
                }
                None if may_be_left_out(reader, part, &now) => {
                    let part = part.trim_end_matches(|c: char| c.is_ascii_punctuation());
                    found.left.push(part.to_owned());
                    continue;
                }
                None => return None,
            },
        };
        let back = now.taken_back();
        let before = std::mem::take(&mut found.orders);
        let with = |before: &Vec<String>, way: &Vec<String>| {
            let kept = before.len().saturating_sub(back);
            before[..kept].iter().chain(way).cloned().collect()
        };
        let both = before.iter().flat_map(|b| ways.iter().map(move |way| with(b, way)));
        found.orders = both.map(longest).take(SEVERAL_MAX + 1).collect();
    }
    let some = found.orders.iter().all(|orders| !orders.is_empty());
    let clear = some && found.orders.len() <= SEVERAL_MAX;
    clear.then(|| {
        above.ask_about(std::iter::once(&now));
        found
    })
}

/// Whether a part of a line may be left out: it takes back nothing, and is no condition on what
/// is in the game.
fn may_be_left_out(reader: &Reader, part: &str, above: &Above) -> bool {
    let parser = reader.parser(part, above, false, false);
    let mut all = 0..parser.tokens.len();
    let condition = parser.tokens.iter().any(|t| t.is(IF)) && all.any(|n| tells(&parser, n));
    !(condition || parser.takes_back() || parser.tokens.iter().any(changes))
}

impl Reader {
    /// Whether a line has a word of a condition, such as `if`, which no order has.
    pub fn has_condition(&self, line: &str) -> bool {
        // These are of time, or of a choice.
        const OTHERS: [&str; 8] =
            ["AFTER", "BEFORE", "ELSE", "OR", "EITHER", "ODER", "ENTWEDER", "BIS"];
        let words = line.split_whitespace().map(bare);
        let condition = |w: String| {
            let key = folded(&w);
            let is_if = SPEECH.of(&key).is_some_and(|m| m.is(IF));
            is_if && !OTHERS.contains(&key.as_str())
        };
        !self.frames.is_empty() && words.into_iter().any(condition)
    }
}

/// Whether the clause that begins at a token has no verb that is known, where a part of the line may
/// be left out: what it means is guessed from the things that it names.
pub(super) fn lacks_verb(parser: &Parser<'_>, at: usize) -> bool {
    let ends = |t: &Token| t.kind != Kind::Word || t.is(THEN);
    let end = (at..parser.tokens.len()).find(|n| ends(&parser.tokens[*n]));
    let end = end.unwrap_or(parser.tokens.len());
    parser.spare > 0 && (at..end).all(|n| !parser.is_verb(n))
}

/// Whether a clause without its verb says enough to be guessed: all that the order takes, at least
/// two things.
pub(super) fn may_be_guessed(parser: &Parser<'_>, frame: &Frame, clause: &Clause) -> bool {
    let mut roles = frame.roles.iter().zip(&clause.bound);
    let is_not = |word: &String| SPEECH.of(word).is_some_and(|m| m.is(NOT));
    // A word such as `no` says nothing by itself.
    let says = |(role, bound): &(&Role, &Option<Vec<String>>)| match &role.takes {
        Takes::Literal(words) => bound.is_some() && !words.iter().any(is_not),
        _ => bound.is_some(),
    };
    parser.spare > 0
        && !clause.bare
        && frame.roles.iter().all(|role| role.takes != Takes::Text)
        && frame.roles.iter().zip(&clause.bound).filter(says).count() > 1
        && roles.all(|(role, bound)| bound.is_some() || role.optional || role.sole)
}

/// The token behind a part of a line that speaks of persons, and names nothing of the game: `I hope
/// you are well`. It begins a sentence, and is told like all that is left out.
pub(super) fn behind_chatter(parser: &Parser<'_>, at: usize) -> Option<usize> {
    let begins = at.checked_sub(1).is_none_or(|n| parser.tokens[n].kind != Kind::Word);
    let begins = begins && parser.spare > 0;
    let end = (at..parser.tokens.len()).find(|n| parser.tokens[*n].kind != Kind::Word);
    let end = end.unwrap_or(parser.tokens.len());
    let person = |n: usize| PERSONS.contains(&parser.tokens[n].key.as_str());
    let said = |n: usize| {
        let token = &parser.tokens[n];
        tells(parser, n) || parser.is_verb(n) || token.is(IF | LEAD | AND | THEN)
    };
    let chatter = begins && (at..end).any(person) && !(at..end).any(said);
    chatter.then_some(end)
}

/// What is left out, each part as it was written.
fn left_words(parser: &Parser<'_>, left: Left) -> Vec<String> {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for n in (0..parser.tokens.len()).filter(|n| left.has(*n)) {
        let (from, to) = parser.tokens[n].span;
        match parts.last_mut() {
            Some((_, end)) if n > 0 && left.has(n - 1) => *end = to,
            _ => parts.push((from, to)),
        }
    }
    parts.iter().filter_map(|(from, to)| Some(parser.line.get(*from..*to)?.to_owned())).collect()
}
