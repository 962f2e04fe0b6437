//! How the words of one clause fill the roles of a row, in any order.

use std::collections::BTreeSet;

use super::nouns::{Noun, Nouns};
use super::partly::LEFT_OUT;
use super::said::{ITS, Left};
use super::{CLAUSES_MAX, Clause, NAME_WITH_AND, Parser, is_lasting};
use crate::wording::frames::{Fill, Frame, Role, Takes};
use crate::wording::speech::{
    ALL, AND, AT, BOTH, EXCEPT, FIX, FROM, IDLE, IF, LEAD, NOT, OF, OWNS, PREPOSITIONS, THEM, THEN,
    TO, WHY, WITH,
};
use crate::wording::tokens::{Kind, Token};

impl Parser<'_> {
    /// Fills the roles of a clause from a token on.
    pub(super) fn fit(&self, state: &mut State, so: So, bound: &[Option<Vec<String>>]) {
        self.burn(1);
        if self.is_spent() || state.found.len() >= CLAUSES_MAX {
            return;
        }
        let end = self.idle(so.at);
        let so = So { lasts: so.lasts || self.tokens[so.at..end].iter().any(is_lasting), ..so };
        let said = so.verb.is_some() || bound.iter().any(Option::is_some);
        self.end(state, so, bound);
        let Some(token) = self.tokens.get(so.at) else { return };
        let next = So { at: so.at + 1, ..so };
        match token.kind {
            Kind::Stop => return,
            Kind::Comma => {
                if said {
                    self.fit(state, So { odd: so.odd + 3, ..next }, bound);
                }
                return;
            }
            Kind::Word => {}
        }
        if so.needs.is_some_and(|particle| particle == token.key) {
            self.fit(state, So { needs: None, ..next }, bound);
        }
        let row = state.n;
        let hits = || self.hits[so.at].iter().filter(|h| h.frame == row);
        if so.verb.is_none() {
            // `go for` is an attack, and no way for somebody.
            let goes_for = self.tokens.get(so.at + 1).is_some_and(|t| t.key == "FOR")
                && self.hits[so.at].iter().any(|hit| hit.len > 1);
            for hit in hits() {
                let (at, needs) = (so.at + hit.len, hit.needs.as_deref());
                let odd = so.odd + u32::from(goes_for && hit.len == 1);
                self.fit(state, So { at, odd, verb: Some(so.at), needs, ..so }, bound);
            }
        }
        // `I want to send`.
        let ahead = self.hits.get(self.idle(so.at + 1));
        let infinitive = token.is(TO)
            && so.verb.is_none()
            && ahead.is_some_and(|h| h.iter().any(|h| h.frame == row));
        if token.is(IDLE) || infinitive {
            let lasts = so.lasts || is_lasting(token);
            self.fit(state, So { lasts, ..next }, bound);
        }
        // `send half of my army to conquer Finland`.
        let later = || self.hits[so.at + 1..].iter().flatten().any(|hit| hit.frame == row);
        if token.is(LEAD) && so.verb.is_none() && later() {
            self.fit(state, So { odd: so.odd + 1, ..next }, bound);
        }
        // `unit 9 should not go on to Kiel, it stays here`: what is to be done comes behind it.
        if token.is(NOT) && !so.negated && self.is_corrected(so.at) {
            self.fit(state, So { negated: true, odd: so.odd + 1, ..next }, bound);
        }
        if token.is(EXCEPT) {
            for (end, bound) in self.excepted(state.frame, so.at, bound) {
                self.fit(state, So { at: end, odd: so.odd + 1, ..so }, &bound);
            }
        }
        if let Some(odd) = self.passed_over(so.at, said) {
            self.fit(state, So { odd: so.odd + odd, ..next }, bound);
        }
        self.roles(state, so, bound);
        // What is spotted is left out there.
        if let Some(left) = self.left_out(so.at, so.left).filter(|_| !self.spots) {
            let odd = so.odd + LEFT_OUT * (left.weight - so.left.weight);
            self.fit(state, So { at: left.end, odd, left, ..so }, bound);
        }
    }

    /// Notes a clause that may end before a token.
    fn end(&self, state: &mut State, so: So, bound: &[Option<Vec<String>>]) {
        let end = self.idle(so.at);
        let ends = self
            .tokens
            .get(end)
            .is_none_or(|t| t.kind != Kind::Word || t.is(AND | THEN | FIX | WHY));
        let filled = || {
            let mut roles = state.frame.roles.iter().zip(bound);
            roles.all(|(role, bound)| bound.is_some() || role.optional || role.sole)
        };
        // Dictation has no commas: a thing without a preposition begins the next clause.
        let parted = || {
            let next = &self.tokens[end];
            let verb = !self.hits[end].is_empty();
            // `Scout SC2 goes to fleet 4` builds no scout.
            let said = so.verb.is_some() || bound.iter().flatten().count() > 1;
            self.loose
                && said
                && filled()
                && !verb
                && !next.is(PREPOSITIONS)
                && next.number.is_none()
        };
        // `and 2 spies sneak into Cyprus`: what stands before a verb without one of its own does that.
        let begins = || {
            let verb = self.hits.get(end).is_some_and(|hits| !hits.is_empty());
            verb && so.verb.is_some() || parted()
        };
        let said = so.verb.is_some() || bound.iter().any(Option::is_some);
        // What is not to be done goes on to the comma.
        let told = !so.negated
            || so.verb.is_some()
                && self.tokens.get(end).is_some_and(|t| t.kind == Kind::Comma || t.is(WHY));
        if said && told && so.needs.is_none() && (ends || begins()) {
            let more = if ends { 0 } else { 1 + u32::from(self.hits[end].is_empty()) * 2 };
            let So { verb, bare, odd, left, lasts, negated, .. } = so;
            let clause = Clause {
                end,
                bound: bound.to_vec(),
                verb,
                bare,
                odd: odd + more,
                left,
                lasts,
                negated,
            };
            state.found.insert(clause);
        }
    }

    /// Whether a part of the line behind a comma says what is to be done instead with what the part
    /// at a token is about.
    fn is_corrected(&self, at: usize) -> bool {
        const BEGIN: usize = 3;
        let comma = (at..self.tokens.len()).find(|n| self.tokens[*n].kind != Kind::Word);
        let Some(comma) = comma else { return false };
        let behind = self.tokens.iter().skip(comma + 1).take(BEGIN);
        behind.into_iter().any(|t| t.is(THEM)) && comma + 2 < self.tokens.len()
    }

    /// What is taken out of a set that was named before: `everybody attacks Kiel except unit 3`.
    fn excepted(
        &self,
        frame: &Frame,
        at: usize,
        bound: &[Option<Vec<String>>],
    ) -> Vec<(usize, Vec<Option<Vec<String>>>)> {
        let mut found = Vec::new();
        for (r, role) in frame.roles.iter().enumerate().filter(|(_, r)| r.fill == Fill::Each) {
            let Some(codes) = bound[r].as_ref().filter(|codes| codes.len() > 1) else { continue };
            for noun in Nouns(self).of(role, self.idle(at + 1)).iter() {
                let left: Vec<String> =
                    codes.iter().filter(|code| !noun.codes.contains(code)).cloned().collect();
                if left.len() < codes.len() && !left.is_empty() {
                    let mut bound = bound.to_vec();
                    bound[r] = Some(left);
                    found.push((noun.end, bound));
                }
            }
        }
        found
    }

    /// How odd it is to pass over a token behind something that was said: `both` of `units 1 and 2
    /// should both go`, `dann` of `greif dann mit Einheit 1 an`.
    fn passed_over(&self, at: usize, said: bool) -> Option<u32> {
        let token = self.tokens.get(at).filter(|_| said)?;
        let next = self.idle(at + 1);
        let goes_on =
            || self.is_verb(next) || self.tokens.get(next).is_some_and(|t| t.is(PREPOSITIONS));
        // `two sectors north to the ruins` may be two ways to say it, `north into Greece` is one.
        let to = |n: usize| self.tokens.get(n).is_some_and(|t| t.is(TO | AT));
        match () {
            () if token.meaning.way.is_some() && to(at + 1) => Some(2),
            () if token.is(ALL | BOTH) && goes_on() => Some(1),
            () if token.is(THEN) && !token.is(IDLE) => Some(3),
            () => None,
        }
    }

    /// Fills one role with what begins at a token.
    fn roles(&self, state: &mut State, so: So, bound: &[Option<Vec<String>>]) {
        let before = self.prepositions(so.at);
        for (r, role) in state.frame.roles.iter().enumerate().filter(|(r, _)| bound[*r].is_none()) {
            let filled = |codes: Vec<String>| {
                let mut bound = bound.to_vec();
                bound[r] = Some(codes);
                bound
            };
            let owned = role.before & (OF | FROM) != 0;
            for (from, classes) in &before {
                if *classes == 0 && role.strict && !owned
                    || *classes != 0 && classes & role.before == 0
                {
                    continue;
                }
                match &role.takes {
                    Takes::Literal(_) | Takes::Text if *classes == 0 && role.strict => {}
                    Takes::Literal(words) => {
                        let from = self.idle(*from);
                        // `the rest` is one token.
                        let last = |t: &Token| {
                            words.contains(&t.key.rsplit(' ').next().unwrap_or("").to_owned())
                        };
                        let found = self.tokens.get(from).is_some_and(last);
                        if found {
                            self.fit(state, So { at: from + 1, ..so }, &filled(Vec::new()));
                        }
                    }
                    Takes::Text => {
                        for (text, so) in self.texts(*from, so, role) {
                            self.fit(state, so, &filled(vec![text]));
                        }
                    }
                    Takes::Things(_) => {
                        for noun in Nouns(self).of(role, *from).iter() {
                            if is_misplaced(role, *classes, noun) {
                                continue;
                            }
                            // `Turkey's army`.
                            let owns = self.tokens.get(noun.end).is_some_and(|t| t.is(OWNS));
                            let owns = owned && *classes == 0 && owns;
                            if *classes == 0 && !owns && (noun.coerced || role.strict) {
                                continue;
                            }
                            // Digits in another order than the card's are not turned round.
                            let bare = !noun.said && *classes == 0;
                            let filled = |(n, role): (usize, &Role)| {
                                bound[n].is_some() && matches!(role.takes, Takes::Things(_))
                            };
                            if bare && state.frame.roles.iter().enumerate().skip(r).any(filled) {
                                continue;
                            }
                            // `fleet 5 joins fleet 3`: the first thing fills the first role.
                            let like = |(n, role): (usize, &Role)| {
                                bound[n].is_some() && role.takes == state.frame.roles[r].takes
                            };
                            let later = state.frame.roles.iter().enumerate().skip(r + 1).any(like);
                            let turned = later && *classes == 0;
                            let odd = so.odd
                                + u32::from(turned)
                                + u32::from(bare && r > 0)
                                + 3 * u32::from(noun.crowded);
                            let bare = so.bare || role.noun && !noun.said;
                            let mut at = noun.end + usize::from(owns);
                            // `von Kiel aus`.
                            let off = |t: &Token| t.key == "AUS";
                            if *classes & FROM != 0 && self.tokens.get(at).is_some_and(off) {
                                at += 1;
                            }
                            let so = So { at, bare, odd, ..so };
                            let mut bound = bound.to_vec();
                            bound[r] = Some(noun.codes.clone());
                            self.fit(state, so, &bound);
                        }
                    }
                }
            }
        }
    }

    /// The words from a token on as a name that a player gives: what is quoted, the rest of the
    /// line, or the words up to where another clause may begin. The particle of the verb may stand
    /// behind it.
    fn texts<'n>(&self, from: usize, so: So<'n>, role: &Role) -> Vec<(String, So<'n>)> {
        const QUOTES: [char; 5] = ['"', '\'', '\u{201c}', '\u{201d}', '\u{201e}'];
        let Some(token) = self.tokens.get(from).filter(|t| t.kind == Kind::Word) else {
            return Vec::new();
        };
        if token.key.contains(' ') || token.is(role.before) {
            return Vec::new();
        }
        // No name holds a condition, and one before its verb is a few words.
        let unlike = |to: usize| {
            let within = self.tokens[from..].iter().take_while(|t| t.span.0 < to);
            let mut within =
                within.filter(|t| t.is(IF | NOT) || so.verb.is_none() && t.kind != Kind::Word);
            within.next().is_some()
        };
        // The more is skipped before it, the less it is the name that is meant.
        let skipped = self.tokens[..so.at].iter().rev().take_while(|t| t.is(IDLE)).count() as u32;
        let name = |to: usize| {
            let text = self.line.get(token.span.0..to).filter(|_| !unlike(to))?;
            let text = text.trim_matches(|c: char| QUOTES.contains(&c) || ".,! ".contains(c));
            (!text.is_empty()).then(|| text.to_owned())
        };
        let before = self.line.get(..token.span.0).unwrap_or_default();
        if before.ends_with(QUOTES)
            && let Some(end) = self.line.get(token.span.0..).and_then(|rest| rest.find(QUOTES))
        {
            let to = token.span.0 + end;
            let at = (from..self.tokens.len()).find(|n| self.tokens[*n].span.0 >= to);
            let at = at.unwrap_or(self.tokens.len());
            let found = name(to).map(|text| (text, So { at, odd: so.odd + skipped, ..so }));
            return found.into_iter().collect();
        }
        let last = self.tokens.iter().rposition(|t| t.kind == Kind::Word);
        let parted = last.filter(|n| so.needs == Some(self.tokens[*n].key.as_str()));
        let to = parted.map_or(self.line.len(), |n| self.tokens[n].span.0);
        let needs = so.needs.filter(|_| parted.is_none());
        let parts = |n: &usize| {
            let token = &self.tokens[*n];
            token.kind == Kind::Comma || token.is(AND) || is_lasting(token)
        };
        let cuts: Vec<usize> = (from + 1..self.tokens.len()).filter(parts).collect();
        // A name with `and` in it is rarer than two orders.
        let odd = so.odd + skipped + if cuts.is_empty() { 0 } else { NAME_WITH_AND };
        let whole = name(to).map(|text| (text, So { at: self.tokens.len(), needs, odd, ..so }));
        let cut = |at: usize| {
            let text = name(self.tokens[at].span.0)?;
            Some((text, So { at, odd: so.odd + skipped, ..so }))
        };
        whole.into_iter().chain(cuts.into_iter().filter_map(cut)).collect()
    }

    /// What stands before a noun from a token on: where the noun begins, and the classes of its
    /// preposition.
    fn prepositions(&self, at: usize) -> Vec<(usize, u32)> {
        let mut all = vec![(at, 0)];
        let Some(token) = self.tokens.get(at) else { return all };
        let classes = token.meaning.classes & PREPOSITIONS;
        if classes != 0 {
            all.push((at + 1, classes));
            // `over to`, `von Kiel aus`.
            if let Some(next) = self.tokens.get(at + 1) {
                let more = next.meaning.classes & PREPOSITIONS;
                // `against an alliance`: there it is the article.
                if more != 0 && (next.key != "AN" || token.key == "BIS") {
                    all.push((at + 2, more | classes));
                }
            }
        }
        all
    }
}

/// Whether a noun is not what a role takes: who goes `with them` goes to no place `it`, and what
/// `it` is supported with comes from no place `it`.
fn is_misplaced(role: &Role, classes: u32, noun: &Noun) -> bool {
    let its = noun.codes.first().is_some_and(|code| code == ITS);
    let along = classes & WITH != 0 && Takes::Things("place") == role.takes;
    its && (along || classes == 0 && role.name == "from")
}

/// How far the reading of a clause has come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct So<'s> {
    pub(super) at: usize,
    pub(super) verb: Option<usize>,
    /// The particle of the verb that has to come.
    pub(super) needs: Option<&'s str>,
    pub(super) bare: bool,
    pub(super) odd: u32,
    pub(super) left: Left,
    /// Whether it is meant from now on.
    pub(super) lasts: bool,
    /// Whether it says what is not to be done.
    pub(super) negated: bool,
}

/// The search for the readings of one clause.
pub(super) struct State<'s> {
    pub(super) frame: &'s Frame,
    pub(super) n: usize,
    pub(super) found: &'s mut BTreeSet<Clause>,
}
