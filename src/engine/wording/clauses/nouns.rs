//! What a part of a line names: one thing of a sort, a set, an amount, a way on the map.
//!
//! A number before a noun counts (`two tanks`), one behind it names (`unit 2`); a bare one is the
//! number that a card has. A name that several things have is all of its readings: each alone, and
//! all together; the reader asks where these lead to different orders.

use std::ops::Deref;
use std::rc::Rc;

use super::said::{ITS, PLACE};
use super::{Parser, TOO, begins};
use crate::wording::frames::{Fill, Role, Takes};
use crate::wording::names::is_filler;
use crate::wording::speech::{
    ALL, AND, AT, BOTH, EXCEPT, HALF, IDLE, OF, PREPOSITIONS, REST, SOME, THEM, THEN, THERE,
};
use crate::wording::tokens::{Kind, Token};

/// Things named alike that are told one by one, at most.
pub(super) const EACH_MAX: usize = 12;
/// Words of a name, at most.
const NAME_WORDS: usize = 4;
/// How often a thing is repeated, at most.
pub(super) const TIMES_MAX: usize = 20;

/// A reading of a part of a line: the token behind it, and the codes that it names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Noun {
    pub end: usize,
    pub codes: Vec<String>,
    /// Whether its noun was said, or a name: not a bare number.
    pub said: bool,
    /// Several things have this name, and it was not said how many of them are meant.
    pub open: bool,
    /// How many of the codes are meant, where that is not settled yet.
    pub how: Option<Many>,
    /// A bare number, right before a noun that it may count.
    pub crowded: bool,
    /// It is the place of something that was named, which needs a preposition: `to unit 3`.
    pub coerced: bool,
}

impl Noun {
    pub(super) fn said(end: usize, codes: Vec<String>) -> Self {
        Self { end, codes, said: true, open: false, how: None, crowded: false, coerced: false }
    }
}

/// How many of a set are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Many {
    /// It was not said.
    Open,
    /// Nobody knows.
    Some,
    All,
    /// All of two.
    Both,
    /// A part: 2 for half.
    Part(u32),
    Rest,
    Count(u32),
    Nth(u32),
}

/// Reads the nouns of a line.
#[derive(Clone, Copy)]
pub(super) struct Nouns<'p, 'r>(pub &'p Parser<'r>);

impl<'r> Deref for Nouns<'_, 'r> {
    type Target = Parser<'r>;

    fn deref(&self) -> &Parser<'r> {
        self.0
    }
}

impl Nouns<'_, '_> {
    /// What begins at a token, as something that a role takes.
    pub(super) fn of(self, role: &Role, at: usize) -> Rc<[Noun]> {
        let Takes::Things(sort) = role.takes else { return Rc::new([]) };
        let key = (sort, at, role.fill, (role.counted, role.whole));
        if let Some(known) = self.nouns.borrow().get(&key) {
            return Rc::clone(known);
        }
        self.burn(4);
        let found = match () {
            () if self.names.amounts.pool(sort).is_some() => self.amounts(sort, at, role),
            () if self.names.amounts.parts(sort).is_some() => self.mixed(sort, at, role),
            () if role.fill == Fill::Steps => self.ways(sort, at),
            () => self.listed(
                sort,
                at,
                (role.fill != Fill::One, role.fill == Fill::Words),
                role.counted,
            ),
        };
        let mut found: Vec<Noun> = found.into_iter().flat_map(|n| n.told(role)).collect();
        found.sort();
        found.dedup();
        let found: Rc<[Noun]> = found.into();
        self.nouns.borrow_mut().insert(key, Rc::clone(&found));
        found
    }

    /// Things, and lists of them.
    fn listed(
        &self,
        sort: &'static str,
        at: usize,
        (many, ordered): (bool, bool),
        counted: bool,
    ) -> Vec<Noun> {
        let mut all: Vec<Noun> = self.both(sort, at, (many, counted));
        let mut open = self.single(sort, at, many, counted);
        // Each round adds one more part of a list.
        for _ in 0..TIMES_MAX {
            let mut next = Vec::new();
            let mut narrowed = Vec::new();
            for noun in &open {
                all.push(noun.clone());
                // `a fighter first and armies after that`.
                let last = self.idle(noun.end);
                let ends = |t: Option<&Token>| t.is_none_or(|t| t.kind != Kind::Word || t.is(AND));
                if counted
                    && self.tokens.get(last).is_some_and(|t| t.is(THEN))
                    && ends(self.tokens.get(last + 1))
                {
                    all.push(Noun { end: last + 1, ..noun.clone() });
                }
                if !many {
                    continue;
                }
                if let Some(told) = self.relative(sort, noun) {
                    all.push(told.clone());
                    narrowed.push(told);
                    continue;
                }
                let next_to = || self.beside_in_list(sort, noun.end, counted);
                let from = self.listed_on(noun.end, counted || ordered).or_else(next_to);
                // `with Turkey and with Italy`.
                let skips = |from: &usize| {
                    let again = self.tokens.get(*from).is_some_and(|t| t.is(PREPOSITIONS));
                    again.then_some(from + 1)
                };
                for from in from.iter().copied().chain(from.iter().filter_map(skips)) {
                    for more in self.single(sort, from, many, counted) {
                        let mut codes = noun.codes.clone();
                        // `the engineers, number five`.
                        let within = more.codes.iter().all(|code| codes.contains(code));
                        let kind = self.tokens[at..noun.end].iter().all(|t| t.number.is_none());
                        if within && kind && !counted && codes.len() > more.codes.len() {
                            codes.clear();
                        }
                        for code in &more.codes {
                            if counted || !codes.contains(code) {
                                codes.push(code.clone());
                            }
                        }
                        let said = noun.said || more.said;
                        next.push(Noun { said, ..Noun::said(more.end, codes) });
                    }
                }
            }
            next.extend(narrowed);
            if next.is_empty() {
                break;
            }
            next.truncate(EACH_MAX);
            open = next;
        }
        let excepted: Vec<Noun> = all.iter().flat_map(|n| self.without(sort, n, many)).collect();
        all.extend(excepted);
        all
    }

    /// `both Kiel and Bonn`.
    fn both(&self, sort: &'static str, at: usize, (many, counted): (bool, bool)) -> Vec<Noun> {
        let at = self.idle(at);
        if !many || !self.tokens.get(at).is_some_and(|t| t.is(BOTH)) {
            return Vec::new();
        }
        let one = |at: usize| {
            let found = self.single(sort, self.idle(at), false, counted).into_iter();
            found.filter(|noun| noun.codes.len() == 1)
        };
        let mut found = Vec::new();
        for first in one(at + 1) {
            let Some(next) = self.listed_on(first.end, false) else { continue };
            for second in one(next) {
                let codes = [first.codes.clone(), second.codes.clone()].concat();
                found.push(Noun::said(second.end, codes));
            }
        }
        found
    }

    /// A set with what is told of it behind a comma: `everything, that is on the march`.
    fn relative(&self, sort: &'static str, noun: &Noun) -> Option<Noun> {
        const THAT: [&str; 5] = ["THAT", "WHICH", "WHO", "WHAT", "WAS"];
        let comma = self.tokens.get(noun.end).is_some_and(|t| t.kind == Kind::Comma);
        let that = noun.end + usize::from(comma);
        // `all units, that have nothing to do`.
        if let Some(word) = self.tokens.get(that).filter(|t| t.key.contains(' ')) {
            let told: Vec<&str> = word.text.split(' ').collect();
            let told = self.names.named_so(sort, &told, false);
            let codes: Vec<String> =
                noun.codes.iter().filter(|code| told.contains(code)).cloned().collect();
            if !codes.is_empty() {
                let comma = self.tokens.get(that + 1).is_some_and(|t| t.kind == Kind::Comma);
                return Some(Noun::said(that + 1 + usize::from(comma), codes));
            }
        }
        let that = that..self.idle(that);
        if !self.tokens[that.clone()].iter().any(|t| THAT.contains(&t.key.as_str())) {
            return None;
        }
        let mut found = Vec::new();
        self.named(sort, that.end, Many::Open, (true, false), &mut found);
        let told = found.into_iter().max_by_key(|told| told.end)?;
        let codes: Vec<String> =
            noun.codes.iter().filter(|code| told.codes.contains(code)).cloned().collect();
        (!codes.is_empty()).then(|| Noun::said(self.idle(told.end), codes))
    }

    /// Where a list goes on behind one of its parts; one that is in order has `then` too.
    pub(super) fn listed_on(&self, end: usize, ordered: bool) -> Option<usize> {
        // `Kiel first, then Bonn`.
        let behind = self.idle(end);
        let parts = |t: &Token| t.kind == Kind::Comma && t.key != ":";
        let goes_on = self.tokens.get(behind).is_some_and(parts);
        // `unit 11 as well, and 14`: that was all of it.
        if self.tokens[end.min(behind)..behind].iter().any(|t| TOO.contains(&t.key.as_str())) {
            return None;
        }
        let end = if goes_on { behind } else { end };
        let mut at = end;
        while self.tokens.get(at).is_some_and(|t| parts(t) || t.is(AND) || ordered && t.is(THEN)) {
            at += 1;
        }
        (at > end).then_some(at)
    }

    /// Where a list goes on without a sign between its parts: `DD3 DD4`, `army army fighter`.
    fn beside_in_list(&self, sort: &'static str, end: usize, counted: bool) -> Option<usize> {
        let token = self.tokens.get(end).filter(|t| t.kind == Kind::Word)?;
        let before = self.tokens.get(end.checked_sub(1)?)?;
        // `2 destroyers 1 scout`.
        let number = |t: &Token| t.number.is_some();
        if counted && number(token) && !number(before) && self.tokens.get(end + 1).is_some() {
            return Some(end);
        }
        let lettered =
            |t: &Token| t.text.contains(char::is_alphabetic) && t.meaning.number.is_none();
        let coded = |t: &Token| lettered(t) && self.names.is_code(sort, &t.text);
        let named = || {
            let words = |n| self.tokens.get(end..end + n).unwrap_or_default().iter();
            let name = |n| words(n).map(|t| t.text.as_str()).collect::<Vec<_>>();
            counted
                && (1..=NAME_WORDS).any(|n| self.names.named_so(sort, &name(n), false).len() == 1)
        };
        let long = |t: &Token| t.text.len() > 2 && t.number.is_some();
        let numbers = counted && long(token) && long(before);
        (numbers || coded(token) && coded(before) || lettered(token) && lettered(before) && named())
            .then_some(end)
    }

    /// A set without what is excepted behind it.
    fn without(&self, sort: &'static str, noun: &Noun, many: bool) -> Vec<Noun> {
        let mut at = self.idle(noun.end);
        while self.tokens.get(at).is_some_and(|t| t.kind == Kind::Comma) {
            at += 1;
        }
        if !many || !self.tokens.get(at).is_some_and(|t| t.is(EXCEPT)) {
            return Vec::new();
        }
        let mut taken = self.listed(sort, self.idle(at + 1), (true, false), false);
        // `every infantry unit except the fourth`.
        let nth = self.idle_to_ordinal(at + 1);
        if let Some((end, code)) = nth.and_then(|n| {
            let place = self.tokens[n].meaning.ordinal? as usize;
            Some((n + 1, noun.codes.get(place.checked_sub(1)?)?))
        }) {
            taken.push(Noun::said(end, vec![code.clone()]));
        }
        let left = taken.into_iter().filter_map(|taken| {
            let codes: Vec<String> =
                noun.codes.iter().filter(|c| !taken.codes.contains(c)).cloned().collect();
            (!codes.is_empty()).then_some(Noun::said(taken.end, codes))
        });
        left.collect()
    }

    /// The token of an ordinal without a noun behind it, from a token on.
    fn idle_to_ordinal(&self, mut at: usize) -> Option<usize> {
        loop {
            let token = self.tokens.get(at)?;
            match token.meaning.ordinal {
                Some(_) if self.is_alone(at + 1) => return Some(at),
                None if token.is(IDLE) => at += 1,
                _ => return None,
            }
        }
    }

    /// One part of a list: a thing or a set.
    pub(super) fn single(
        &self,
        sort: &'static str,
        at: usize,
        many: bool,
        counted: bool,
    ) -> Vec<Noun> {
        self.burn(1);
        let mut found = Vec::new();
        for (head, how) in self.quantities(at) {
            self.heads(sort, head, how, (many, counted), &mut found);
            // `everything`, `the rest`; but not `all fleets` of another sort.
            let alone = head > at && many && self.is_alone(head) && !self.names_something(head);
            let stands = || {
                self.names.is_place(sort)
                    || self.names.standing_sorts().contains(sort)
                    || self.names.wholes_of(sort).next().is_some()
            };
            if alone && matches!(how, Many::All | Many::Rest) && stands() {
                let set = Noun::said(head, self.names.all_of(sort));
                found.push(Noun { how: Some(how), ..set });
            }
        }
        self.owned(sort, at, (many, counted), &mut found);
        if self.names.is_place(sort) {
            self.by_what_stands_there(at, &mut found);
            found.extend(self.beside(sort, at));
            found.extend(self.on_a_side(sort, at));
            found.extend(self.nearest(sort, at));
        }
        let told: Vec<Noun> = found
            .iter()
            .flat_map(|n| {
                let towards = if self.names.is_place(sort) { self.towards(n) } else { Vec::new() };
                self.standing(sort, n).into_iter().chain(self.bordering(n)).chain(towards)
            })
            .collect();
        // `sea` alone names no place.
        let noun = |n: &Noun| n.end > at && self.noun_at(sort, n.end - 1) == Some(1);
        let vague = |n: &Noun| n.how == Some(Many::Open) && n.codes.len() > 1 && noun(n);
        if self.names.is_place(sort) {
            found.retain(|n| !vague(n));
        }
        found.extend(told);
        let settled = found.into_iter().flat_map(|n| self.settled(n, (many, counted)));
        settled.collect()
    }

    /// What something is half of: the token behind `of my`.
    pub(super) fn whole(&self, mut at: usize) -> usize {
        while self.tokens.get(at).is_some_and(|t| t.kind == Kind::Word && t.is(IDLE | OF)) {
            at += 1;
        }
        at
    }

    /// Whether no noun begins at a token: what stands before it stands alone.
    pub(super) fn is_alone(&self, at: usize) -> bool {
        self.tokens
            .get(at)
            .is_none_or(|t| t.kind != Kind::Word || t.meaning.classes != 0 || self.is_verb(at))
    }

    /// A set of which it is told how many are meant, as the sets of codes that this may be.
    pub(super) fn settled(&self, noun: Noun, as_many: (bool, bool)) -> Vec<Noun> {
        let Some(how) = noun.how else { return vec![noun] };
        // `the 28 infantry` are the unit of that size.
        if let Many::Count(size) = how {
            let of_size = |code: &&String| self.names.amounts.is_size(code, size);
            let alike: Vec<String> = noun.codes.iter().filter(of_size).cloned().collect();
            if alike.len() == 1 && size > 1 {
                return vec![Noun { codes: alike, open: false, how: None, ..noun }];
            }
        }
        let sets = self.chosen(&noun.codes, how, as_many).into_iter();
        sets.map(|(codes, open)| Noun { codes, open, how: None, ..noun }).collect()
    }

    /// What is said of how many, before a head: the token of the head, and the quantity. All
    /// readings.
    pub(super) fn quantities(&self, at: usize) -> Vec<(usize, Many)> {
        let mut found = vec![(at, Many::Open)];
        let mut how = Many::Open;
        let first = at;
        let mut at = at;
        while let Some(token) = self.tokens.get(at) {
            let number = token.number.filter(|n| *n > 0 && *n < 1000);
            how = match () {
                // `2 each`.
                () if token.is(ALL) && matches!(how, Many::Count(_)) => how,
                () if token.is(ALL) => Many::All,
                () if token.is(BOTH) => Many::Both,
                () if token.is(HALF) => Many::Part(token.meaning.part.unwrap_or(2)),
                // `the two others`.
                () if token.is(REST) => match how {
                    Many::Count(_) => how,
                    _ => Many::Rest,
                },
                () if token.is(SOME) => Many::Some,
                () if token.meaning.ordinal.is_some() => {
                    Many::Nth(token.meaning.ordinal.unwrap_or_default())
                }
                // `all three`, `the two`.
                () if number.is_some() && how == Many::All => Many::All,
                () if number.is_some() && matches!(how, Many::Open | Many::Rest) => {
                    Many::Count(number.unwrap_or(1))
                }
                // `10 of my 20 points`.
                () if number.is_some()
                    && matches!(how, Many::Count(_))
                    && self.tokens[first..at].iter().any(|t| t.is(OF)) =>
                {
                    how
                }
                () if begins(self.0, first, token) => break,
                () if token.is(IDLE) || token.is(OF) && how != Many::Open => how,
                () => break,
            };
            at += 1;
            found.push((at, how));
        }
        found
    }

    /// Readings whose head begins at a token.
    pub(super) fn heads(
        &self,
        sort: &'static str,
        at: usize,
        how: Many,
        (many, counted): (bool, bool),
        out: &mut Vec<Noun>,
    ) {
        let Some(token) = self.tokens.get(at).filter(|t| t.kind == Kind::Word) else { return };
        // `help them` names no place.
        const PERSONS: [&str; 9] =
            ["THEM", "THEY", "HE", "SHE", "HIM", "IHNEN", "ER", "IHN", "IHM"];
        let person = self.names.is_place(sort) && PERSONS.contains(&token.key.as_str());
        if token.is(THEM) && !person && !counted && matches!(how, Many::Open | Many::All) {
            out.push(Noun::said(at + 1, vec![ITS.to_owned()]));
        }
        if token.is(THERE) && how == Many::Open {
            let what = if self.names.is_place(sort) { PLACE } else { ITS };
            out.push(Noun::said(at + 1, vec![what.to_owned()]));
        }
        // `sixty two comma ten`.
        if how == Many::Open
            && self.names.is_place(sort)
            && let Some(square) = self.square(sort, at)
        {
            out.push(square);
        }
        if how == Many::Open {
            self.coded(sort, at, (many, counted), out);
        }
        // `unit 3`, `units 1, 2 and 4`, `the units`.
        if let Some(n) = self.noun_at(sort, at) {
            let behind = self.idle(at + n);
            // `the city at 56,2`.
            if self.names.is_place(sort) && self.tokens.get(behind).is_some_and(|t| t.is(AT)) {
                self.heads(sort, self.idle(behind + 1), how, (many, counted), out);
            }
            if how == Many::Open {
                out.extend(self.ids(sort, behind, many, None));
            }
            // `city Peladale`, `general Varga`.
            let before = out.len();
            self.named(sort, behind, how, (many, counted), out);
            if out.len() == before && !self.is_number(sort, behind) {
                let set = Noun::said(at + n, self.names.all_of(sort));
                out.push(Noun { how: Some(how), ..set });
            }
            // `units that have nothing to do`.
            if let Some(word) = self.tokens.get(at + n).filter(|t| t.key.contains(' ')) {
                let told: Vec<&str> = word.text.split(' ').collect();
                let told = sorted(self.names.named_so(sort, &told, false));
                if !told.is_empty() {
                    out.push(Noun { how: Some(how), ..Noun::said(at + n + 1, told) });
                }
            }
        }
        self.named(sort, at, how, (many, counted), out);
    }

    /// Readings of a name that begins at a token, with numbers behind it that tell which.
    fn named(
        &self,
        sort: &'static str,
        at: usize,
        how: Many,
        (many, counted): (bool, bool),
        out: &mut Vec<Noun>,
    ) {
        for len in (1..=NAME_WORDS).rev() {
            let Some(words) = self.tokens.get(at..at + len) else { continue };
            // A small word or a number is no name, nor does a name begin or end with one, but
            // `Nusku 2` does.
            let small = |t: &Token| t.meaning.classes != 0 || len > 1 && is_filler(&t.text);
            let idle = |t: &Token| len > 1 && t.meaning.classes == IDLE && !is_filler(&t.text);
            // `Sol in fleet 2` is not `Sol 2`.
            let apart = |t: &Token| is_filler(&t.text) && !self.names.is_noun(sort, &t.key);
            if len > 2 && words[len - 1].number.is_some() && words[1..len - 1].iter().any(apart) {
                continue;
            }
            if words.iter().any(|t| t.kind != Kind::Word)
                || small(&words[0]) && !idle(&words[0])
                || small(&words[len - 1])
                // `61 Cygni`, but no number alone.
                || words[0].number.is_some() && len == 1
            {
                continue;
            }
            let texts: Vec<&str> = match words {
                [word] if let Some(way) = word.meaning.way => vec![way],
                _ => words.iter().flat_map(|t| t.text.split(' ')).collect(),
            };
            let mut set = self.names.named_so(sort, &texts, false);
            if set.is_empty() && len == 1 {
                // `Infanterieeinheit`.
                let first = self.names.without_noun(sort, &words[0].key);
                set = first.map_or_else(Vec::new, |f| self.names.named_so(sort, &[f], false));
                if set.is_empty() {
                    set = self.names.begun(sort, &words[0].text, how != Many::Open);
                }
            }
            if set.is_empty() {
                continue;
            }
            let set = sorted(set);
            // `infantry 1 to 3`, where one of them is called `infantry 1`.
            if len > 1 && !counted && words[len - 1].number.is_some() {
                let kind = self.names.named_so(sort, &texts[..texts.len() - 1], false);
                out.extend(self.ids(sort, at + len - 1, many, Some(&kind)));
            }
            let mut end = at + len;
            // `infantry units`.
            while self.tokens.get(end).is_some_and(|t| self.names.is_noun(sort, &t.key)) {
                end += 1;
            }
            // `idle infantry`.
            let more = self.tokens.get(end).filter(|t| t.kind == Kind::Word && t.number.is_none());
            if let Some(word) = more.filter(|t| t.meaning.classes == 0) {
                let other = self.names.named_so(sort, &[&word.text], false);
                let both: Vec<String> =
                    set.iter().filter(|code| other.contains(code)).cloned().collect();
                if !both.is_empty() && (!counted || set.len() == 1 && other.len() > 1) {
                    out.push(Noun { how: Some(how), ..Noun::said(end + 1, both) });
                }
            }
            let behind = self.idle(end);
            if how == Many::Open && (!counted || set.len() > 1) {
                out.extend(self.ids(sort, behind, many, Some(&set)));
                // `infantry 5`, where 5 is something else.
                if set.len() > 1 && self.is_number(sort, behind) {
                    return;
                }
            }
            out.push(Noun { how: Some(how), ..Noun::said(end, set) });
            return;
        }
    }

    /// Whether something that may be counted has its name at a token.
    pub(super) fn names_something(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| {
            t.kind == Kind::Word
                && t.meaning.classes == 0
                && t.number.is_none()
                && (self.names.is_word(&t.text) || self.names.all_nouns().any(|n| *n == t.key))
        })
    }

    /// How many tokens from one on call the things of a sort as such.
    pub(super) fn noun_at(&self, sort: &str, at: usize) -> Option<usize> {
        (1..=2).rev().find(|n| {
            let words = self.tokens.get(at..at + n).unwrap_or_default();
            let words: Vec<&str> = words.iter().map(|t| t.key.as_str()).collect();
            !words.is_empty() && self.names.is_noun(sort, &words.join(" "))
        })
    }

    /// Whether a number, or a code with one, begins at a token.
    fn is_number(&self, sort: &str, at: usize) -> bool {
        let digit = |c: char| c.is_ascii_digit();
        self.tokens.get(at).is_some_and(|t| {
            t.text.starts_with(digit) || t.text.contains(digit) && self.names.is_code(sort, &t.text)
        })
    }
}

/// Codes with numbers in their order.
fn sorted(mut codes: Vec<String>) -> Vec<String> {
    codes.sort_by_key(|code| (code.parse::<u64>().unwrap_or(u64::MAX), code.clone()));
    codes
}
