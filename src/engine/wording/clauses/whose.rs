//! Things that are told by where they stand, or by whose they are.

use super::nouns::{Many, Noun, Nouns};
use crate::wording::speech::{AT, FROM, OF, OWNS};
use crate::wording::tokens::Kind;

impl Nouns<'_, '_> {
    /// Things of a sort that are told by whose they are: `Kiel's infantry`, `fleet 1's scouts`.
    pub(super) fn owned(
        &self,
        sort: &'static str,
        at: usize,
        (many, counted): (bool, bool),
        out: &mut Vec<Noun>,
    ) {
        let at = self.idle(at);
        let owns = |end: usize| self.tokens.get(end).is_some_and(|t| t.is(OWNS));
        if !(at + 1..self.tokens.len()).any(owns) {
            return;
        }
        let mut narrow = |owner: &Noun, is_of: &dyn Fn(&String) -> bool| {
            for (head, how) in self.quantities(owner.end + 1) {
                let mut found = Vec::new();
                self.heads(sort, head, how, (many, counted), &mut found);
                for noun in found {
                    let codes: Vec<String> =
                        noun.codes.iter().filter(|code| is_of(code)).cloned().collect();
                    if !codes.is_empty() {
                        out.push(Noun { how: noun.how, ..Noun::said(noun.end, codes) });
                    }
                }
            }
        };
        if self.names.standing_sorts().contains(sort) {
            for place_sort in self.names.place_sorts() {
                let mut places = Vec::new();
                self.heads(place_sort, at, Many::Open, (false, false), &mut places);
                for place in places.iter().filter(|p| owns(p.end)) {
                    let at = place.codes.first();
                    narrow(place, &|code| at.is_some() && self.names.place_of(sort, code) == at);
                }
            }
        }
        for (crew, whole) in self.names.wholes_of(sort) {
            let mut wholes = Vec::new();
            self.heads(whole, at, Many::Open, (false, false), &mut wholes);
            for noun in wholes.iter().filter(|w| owns(w.end)) {
                let whole = noun.codes.first();
                narrow(noun, &|code| whole.is_some() && self.names.place_of(crew, code) == whole);
            }
        }
    }

    /// A set of things, narrowed by the place behind it where they stand.
    pub(super) fn standing(&self, sort: &'static str, noun: &Noun) -> Vec<Noun> {
        // `everything, which stands in Kiel, goes to ...`.
        let comma = |at: usize| self.tokens.get(at).is_some_and(|t| t.kind == Kind::Comma);
        let apart = comma(noun.end);
        let at = self.idle(noun.end + usize::from(apart));
        let told = self.tokens.get(at).is_some_and(|t| t.is(AT | FROM | OF));
        if !told || apart && at == noun.end + 1 {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut narrow = |key: &'static str, whole: &Noun| {
            let whole_code = whole.codes.first();
            let is_of = |code: &&String| {
                whole_code.is_some() && self.names.place_of(key, code) == whole_code
            };
            let codes: Vec<String> = noun.codes.iter().filter(is_of).cloned().collect();
            if !codes.is_empty() {
                let behind = self.idle(whole.end);
                let end = if apart && comma(behind) { behind + 1 } else { whole.end };
                found.push(Noun { how: noun.how, ..Noun::said(end, codes) });
            }
        };
        if self.names.standing_sorts().contains(sort) {
            for place_sort in self.names.place_sorts() {
                for place in self.single(place_sort, self.idle(at + 1), false, false) {
                    // `from fleet 2` is told below, and `Sol in fleet 1` is Sol.
                    let crew = self.names.wholes_of(sort).next().is_some();
                    if place.coerced && (crew || noun.codes.len() == 1) {
                        continue;
                    }
                    narrow(sort, &place);
                }
            }
        }
        for (crew, whole_sort) in self.names.wholes_of(sort) {
            for whole in self.single(whole_sort, self.idle(at + 1), false, false) {
                narrow(crew, &whole);
            }
        }
        found
    }

    /// Places that are told by what stands there: `city 7`, `unit 3`.
    pub(super) fn by_what_stands_there(&self, at: usize, out: &mut Vec<Noun>) {
        for thing in self.names.standing_sorts() {
            let mut things = Vec::new();
            for (head, how) in self.quantities(at) {
                if matches!(how, Many::Open | Many::Nth(_)) {
                    self.heads(thing, head, how, (false, false), &mut things);
                }
            }
            let things = things.into_iter().flat_map(|n| self.settled(n, (false, false)));
            for found in things.filter(|f| f.said && f.codes.len() == 1) {
                if let Some(place) = self.names.place_of(thing, &found.codes[0]) {
                    let coerced = thing != "city";
                    out.push(Noun { codes: vec![place.clone()], coerced, ..found });
                }
            }
        }
        // A city that is not one's own has a number as well.
        let at = self.idle(at);
        let is_city = |n: usize| {
            self.tokens.get(n).is_some_and(|t| {
                self.names.is_noun("city", &t.key) || self.names.is_noun("numbered", &t.key)
            })
        };
        if is_city(at)
            && let Some(number) = self.tokens.get(self.idle(at + 1)).and_then(|t| t.number)
        {
            let places = self.names.named_so("numbered", &[&number.to_string()], false);
            let end = self.idle(at + 1) + 1;
            out.extend(places.into_iter().map(|code| Noun::said(end, vec![code])));
        }
    }
}
