//! A clause whose words stand as no row has them: what it names is spotted, wherever it stands, and
//! fills the roles of a row. What comes of it is only ever asked about.
//!
//! Everything that is named, counted, negated or excepted has to fill a role; only words that name
//! nothing are left out.

use std::ops::Deref;

use super::nouns::{Noun, Nouns};
use super::said::Left;
use super::{Clause, Parser};
use crate::wording::frames::{Role, Takes};
use crate::wording::speech::{
    AGAINST, ALL, AND, BACK, BOTH, EXCEPT, FIX, FROM, HALF, IDLE, IF, NOT, OF, PREPOSITIONS, REST,
    SOME, THEM, THEN, THERE,
};
use crate::wording::tokens::{Kind, Token};

/// Ends that are tried for a clause, at most.
const ENDS_MAX: usize = 4;
/// Readings of a clause that are gone on with, at most.
const FOUND_MAX: usize = 4;
/// Things that may fill a role, at most.
const THINGS_MAX: usize = 8;
/// How odd it is that a thing stands without a preposition of its role, and behind another one.
const BARE: u32 = 2;
const OTHER: u32 = 5;
/// How odd it is that the verb is not known.
const NO_VERB: u32 = 8;

/// Words without which an order would say something else.
const CHANGES: [&str; 16] = [
    "STOP", "DROP", "SCRAP", "ONLY", "WAR", "PEACE", "REFUSE", "REJECT", "DECLINE", "AVOID",
    "ZURUECK", "NUR", "KRIEG", "FRIEDEN", "ABLEHNEN", "VERMEIDE",
];
/// A thing that may fill a role: where it begins, what it is, and how odd that is.
struct Spot {
    from: usize,
    noun: Noun,
    odd: u32,
}

/// What has been spotted so far: the roles, their tokens, and how odd that is.
#[derive(Clone)]
struct Spotted {
    bound: Vec<Option<Vec<String>>>,
    taken: u64,
    odd: u32,
}

/// Spots the clauses of a line.
#[derive(Clone, Copy)]
pub(super) struct Spots<'p, 'r>(pub &'p Parser<'r>);

impl<'r> Deref for Spots<'_, 'r> {
    type Target = Parser<'r>;

    fn deref(&self) -> &Parser<'r> {
        self.0
    }
}

impl Spots<'_, '_> {
    /// The clauses of a row that may begin at a token, whatever the order of their words.
    pub(super) fn clauses(self, n: usize, from: usize) -> Vec<Clause> {
        let last = self.tokens.len();
        let parts = |n: &usize| {
            let token = &self.tokens[*n];
            token.kind != Kind::Word || token.is(AND | THEN | IF)
        };
        let ends = (from + 1..last).filter(parts).chain([last]).take(ENDS_MAX);
        let stop = (from..last).find(|n| self.tokens[*n].kind == Kind::Stop).unwrap_or(last);
        ends.filter(|end| *end <= stop).flat_map(|end| self.spotted_in(n, (from, end))).collect()
    }

    /// The best clauses of a row that a span of tokens may be.
    fn spotted_in(self, n: usize, (from, end): (usize, usize)) -> Vec<Clause> {
        self.burn(2);
        let frame = &self.frames.all[n];
        let Some((verb, mut taken)) = self.verb_within(n, (from, end)) else { return Vec::new() };
        let mut odd = if verb.is_none() { NO_VERB } else { 0 };
        let text = frame.roles.iter().any(|role| role.takes == Takes::Text);
        if text || self.tokens[from..end].iter().any(|t| t.is(NOT | EXCEPT | FIX | IF)) {
            return Vec::new();
        }
        let mut bound = vec![None; frame.roles.len()];
        for (role, filled) in frame.roles.iter().zip(&mut bound) {
            let Takes::Literal(words) = &role.takes else { continue };
            // `against an alliance` is none.
            let against = |n: &usize| {
                let before = (from..*n).rev().find(|n| !self.tokens[*n].is(IDLE));
                role.before & AGAINST == 0 && before.is_some_and(|n| self.tokens[n].is(AGAINST))
            };
            let said = |n: &usize| words.contains(&self.tokens[*n].key) && !against(n);
            match (from..end).find(said) {
                Some(at) => {
                    taken |= 1 << at;
                    *filled = Some(Vec::new());
                }
                None if role.optional => odd += 1,
                None => return Vec::new(),
            }
        }
        let mut all = vec![Spotted { bound, taken, odd }];
        for (r, role) in frame.roles.iter().enumerate() {
            if self.is_spent() || !matches!(role.takes, Takes::Things(_)) {
                continue;
            }
            let spots = self.spots(role, (from, end));
            let mut next = all.clone();
            for so_far in &all {
                for spot in &spots {
                    let tokens = (spot.from..spot.noun.end).fold(0, |all, n| all | 1 << n);
                    if so_far.taken & tokens == 0 {
                        let mut one = so_far.clone();
                        one.bound[r] = Some(spot.noun.codes.clone());
                        (one.taken, one.odd) = (one.taken | tokens, one.odd + spot.odd);
                        next.push(one);
                    }
                }
            }
            self.burn(next.len() as u32);
            // What names the most and is the least odd.
            next.sort_by_key(|s| (std::cmp::Reverse(s.taken.count_ones()), s.odd));
            next.truncate(FOUND_MAX * THINGS_MAX);
            all = next;
        }
        all.retain(|one| {
            let things = |(role, codes): (&Role, &Option<Vec<String>>)| {
                codes.is_some() && matches!(role.takes, Takes::Things(_))
            };
            let named = frame.roles.iter().zip(&one.bound).any(things);
            named && self.is_told((from, end), one.taken)
        });
        let most = all.iter().map(|one| one.taken.count_ones()).max();
        let least = all.iter().filter(|s| Some(s.taken.count_ones()) == most);
        let Some(least) = least.map(|s| s.odd).min() else { return Vec::new() };
        let best = all.into_iter().filter(|s| s.odd == least && Some(s.taken.count_ones()) == most);
        best.take(FOUND_MAX).map(|one| self.clause_of(one, verb, (from, end))).collect()
    }

    /// The clause that something spotted is.
    fn clause_of(self, one: Spotted, verb: Option<usize>, (from, end): (usize, usize)) -> Clause {
        let says = |n: &usize| {
            let token = &self.tokens[*n];
            let small = token.is(IDLE | PREPOSITIONS | AND | THEN);
            token.kind == Kind::Word && !small && one.taken & 1 << n == 0
        };
        let mut left = Left::default().more(end, end, 1);
        for n in (from..end).filter(says) {
            left = left.more(n, n + 1, 0);
        }
        let Spotted { bound, odd, .. } = one;
        Clause { end, bound, verb, bare: false, odd, left, lasts: false, negated: false }
    }

    /// The verb of a row within a span, with its tokens; none where no verb of any row stands there,
    /// so that it may be a verb that nobody knows. `None` where the verb is another one.
    fn verb_within(self, n: usize, (from, end): (usize, usize)) -> Option<(Option<usize>, u64)> {
        for at in from..end {
            let hit = self.hits[at].iter().find(|hit| {
                let needs =
                    |particle: &str| (at + hit.len..end).find(|n| self.tokens[*n].key == particle);
                hit.frame == n && hit.needs.as_deref().is_none_or(|p| needs(p).is_some())
            });
            let Some(hit) = hit else { continue };
            let mut taken = (at..at + hit.len).fold(0, |all, n| all | 1 << n);
            if let Some(particle) = &hit.needs {
                let at = (at + hit.len..end).find(|n| &self.tokens[*n].key == particle);
                taken |= at.map_or(0, |at| 1 << at);
            }
            return Some((Some(at), taken));
        }
        let other = (from..end).any(|at| self.is_verb(at));
        (!other).then_some((None, 0))
    }

    /// The things within a span that may fill a role.
    fn spots(self, role: &Role, (from, end): (usize, usize)) -> Vec<Spot> {
        // A bare number counts something; what it names can't be told.
        let counts = matches!(role.takes, Takes::Things(sort)
            if self.names.amounts.pool(sort).is_some() || self.names.amounts.parts(sort).is_some());
        let mut all = Vec::new();
        let mut at = from;
        while at < end && all.len() < THINGS_MAX {
            let nouns = Nouns(self.0).of(role, at);
            let whole = |noun: &&Noun| noun.end <= end && noun.end > at && (noun.said || counts);
            let longest = nouns.iter().filter(whole).map(|noun| noun.end).max();
            let classes = match at.checked_sub(1) {
                Some(before) if before >= from => {
                    self.tokens[before].meaning.classes & PREPOSITIONS
                }
                _ => 0,
            };
            let fits = classes & role.before != 0;
            // Where something comes from is always said, and is never where it goes; nobody is an
            // ally against whom something is.
            let odd = match () {
                () if fits => 0,
                () if role.before == FROM
                    || classes & (FROM | OF) != 0
                    || classes & AGAINST != 0 && role.takes == Takes::Things("player") =>
                {
                    at += 1;
                    continue;
                }
                () if classes == 0 && !role.strict => BARE * u32::from(role.before != 0),
                () => OTHER,
            };
            for noun in nouns.iter().filter(|noun| Some(noun.end) == longest) {
                let placed = !noun.coerced || fits;
                if placed && all.len() < THINGS_MAX {
                    let odd = odd + u32::from(!noun.said) * BARE;
                    all.push(Spot { from: at, noun: noun.clone(), odd });
                }
            }
            at = longest.unwrap_or(at + 1).max(at + 1);
        }
        all
    }

    /// Whether nothing of a span that names, counts or excepts something is left out.
    fn is_told(self, (from, end): (usize, usize), taken: u64) -> bool {
        let others = (from..end).filter(|n| taken & 1 << n == 0);
        let mut others = others.filter(|n| self.tokens[*n].kind == Kind::Word);
        !others.any(|n| tells(self.0, n))
    }
}

/// Whether a token names, counts, excepts or takes back something.
pub(super) fn tells(parser: &Parser<'_>, at: usize) -> bool {
    let token = &parser.tokens[at];
    let text = parser.line.get(token.span.0..token.span.1).unwrap_or_default();
    token.number.is_some()
        || changes(token)
        || token.is(ALL | BOTH | HALF | REST | SOME | THEM | THERE | EXCEPT | NOT | FIX)
        || token.meaning.way.is_some()
        || parser.names.is_word(&token.text)
        || text.contains(|c: char| c.is_ascii_digit())
}

/// Whether without a word an order would say something else, or its opposite.
pub(super) fn changes(token: &Token) -> bool {
    token.is(BACK) || CHANGES.contains(&token.key.as_str())
}
