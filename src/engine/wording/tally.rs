//! How many of something a seat has, and where: what questions such as `how many tanks do I have`
//! ask for.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use super::names::Names;
use super::speech::folded;
use crate::report::capital;

/// Words of a name, at most.
const NAME_WORDS: usize = 3;
/// Words of a question that are looked at, at most.
const WORDS_MAX: usize = 24;

/// Something that a seat has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// As the question calls it, in capitals.
    pub called: String,
    /// How many they are; the amount, where it is one.
    pub number: u32,
    /// Their codes, each with its place if that is known; none of an amount that lies nowhere.
    pub parts: Vec<(String, Option<String>)>,
    /// Whether the parts are places with an amount in each, not things.
    pub amounts: bool,
    /// Whether they stand somewhere, and may have a size.
    pub stands: bool,
}

impl Held {
    /// Keeps the parts that fit, by their code and place, and counts them anew.
    pub fn keep(&mut self, fits: impl Fn(&String, Option<&String>) -> bool) {
        self.parts.retain(|(code, at)| fits(code, at.as_ref().filter(|_| !self.amounts)));
        self.number = match self.amounts {
            true => self.parts.iter().filter_map(|(_, n)| n.as_ref()?.parse::<u32>().ok()).sum(),
            false => u32::try_from(self.parts.len()).unwrap_or(u32::MAX),
        };
    }
}

/// Counts what a seat has, by the names that it knows.
#[derive(Clone, Copy)]
pub struct Tally<'n>(pub &'n Names);

impl Deref for Tally<'_> {
    type Target = Names;

    fn deref(&self) -> &Names {
        self.0
    }
}

impl<'n> Tally<'n> {
    /// What of its own a line names: kinds of things, amounts, and all of a sort.
    pub fn of(&self, line: &str) -> Vec<Held> {
        let words = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '-' | '\''));
        let words: Vec<String> =
            words.filter(|w| !w.is_empty()).take(WORDS_MAX).map(folded).collect();
        let mut found: Vec<Held> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let longest = (1..=NAME_WORDS.min(words.len() - at)).rev();
            let held =
                longest.filter_map(|n| Some((n, self.held(&words[at..at + n].join(" "))?))).next();
            match held {
                Some((n, held)) => {
                    if found.iter().all(|known| known.parts != held.parts || held.amounts) {
                        found.push(held);
                    }
                    at += n;
                }
                None => at += 1,
            }
        }
        found
    }

    /// Everything that a seat has, by sort.
    pub fn everything(&self) -> Vec<Held> {
        let mut found: Vec<Held> = Vec::new();
        for (sort, nouns) in &self.nouns {
            let Some(noun) = nouns.iter().max_by_key(|noun| noun.ends_with('S')) else { continue };
            let held = match self.amounts.pool(sort) {
                Some(_) => self.amount_of(sort, noun),
                None if *sort == "home" => self.held(noun),
                None if self.standing_sorts().contains(sort) => {
                    self.things(noun, self.all_of(sort))
                }
                None => None,
            };
            let held = held.filter(|held| held.number > 0);
            found.extend(held.filter(|h| found.iter().all(|known| known.parts != h.parts)));
        }
        found
    }

    fn held(&self, word: &str) -> Option<Held> {
        if word.chars().count() < 2 {
            return None;
        }
        let amount = self.amounts.pools.keys().find(|sort| self.is_noun(sort, word));
        if let Some(held) = amount.and_then(|sort| self.amount_of(sort, word)) {
            return Some(held);
        }
        // Things that stand nowhere are told by their names.
        let mut others = ["home", "general"].into_iter();
        let sort = others.find(|sort| self.is_noun(sort, word));
        if let Some(sort) = sort {
            let name = |code: &str| self.named_in(sort, code).filter(|_| sort != "home");
            let named = |code: String| (code.clone(), name(&code));
            let parts: Vec<_> = self.all_of(sort).into_iter().map(named).collect();
            let number = u32::try_from(parts.len()).unwrap_or(u32::MAX);
            return Some(Held {
                called: word.to_owned(),
                number,
                parts,
                amounts: false,
                stands: false,
            });
        }
        for sort in self.standing_sorts() {
            let codes = match self.is_noun(sort, word) {
                true => self.all_of(sort),
                false => self.named_so(sort, &[word], false),
            };
            let stands = |code: &String| self.place_of(sort, code).is_some();
            let held = self.things(word, codes.into_iter().filter(stands).collect());
            if held.is_some() {
                return held;
            }
        }
        // Several places of one name, such as ruins.
        let codes = self.named_so("place", &[word], false);
        let parts: Vec<_> = codes.into_iter().map(|code| (code, None)).collect();
        let number = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        (number > 1).then(|| Held {
            called: word.to_owned(),
            number,
            parts,
            amounts: false,
            stands: false,
        })
    }

    /// The longest name of something of a sort.
    fn named_in(&self, sort: &str, code: &str) -> Option<String> {
        let names = self.named.get(sort)?.iter().filter(|(_, codes)| codes.contains(code));
        let longest = names.map(|(name, _)| name).max_by_key(|name| name.len())?;
        Some(capital(&longest.to_lowercase()))
    }

    /// An amount: how much the seat has, or how much at each place.
    fn amount_of(&self, sort: &str, called: &str) -> Option<Held> {
        let called = called.to_owned();
        if let Some(number) = self.amounts.pool(sort).flatten() {
            return Some(Held { called, number, parts: Vec::new(), amounts: true, stands: false });
        }
        // What lies at things, such as the men of a unit, is told with these.
        let place = |code: &String| self.all_of("home").contains(code);
        let lies = self.amounts.lies(sort).filter(|(at, _)| place(at));
        let lies: BTreeMap<&String, u32> = lies.collect();
        let parts = lies.iter().filter(|(_, n)| **n > 0);
        let parts: Vec<_> =
            parts.map(|(place, n)| ((*place).clone(), Some(n.to_string()))).collect();
        let number = lies.values().sum();
        (!lies.is_empty()).then_some(Held { called, number, parts, amounts: true, stands: false })
    }

    fn things(&self, called: &str, codes: Vec<String>) -> Option<Held> {
        let codes: BTreeSet<String> = codes.into_iter().collect();
        let mut codes: Vec<String> = codes.into_iter().collect();
        codes.sort_by_key(|code| (code.parse::<u64>().unwrap_or(u64::MAX), code.clone()));
        let place = |code: &String| {
            let mut places = self.standing_sorts().into_iter();
            places.find_map(|sort| self.place_of(sort, code)).cloned()
        };
        let parts: Vec<_> = codes.iter().map(|code| (code.clone(), place(code))).collect();
        let number = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        (number > 0).then(|| Held {
            called: called.to_owned(),
            number,
            parts,
            amounts: false,
            stands: true,
        })
    }

    /// How large a thing is, such as the men of a unit.
    pub fn size_of(&self, code: &str) -> Option<u32> {
        let place = self.all_of("home").iter().any(|home| home == code);
        if place { None } else { self.amounts.size_of(code) }
    }

    /// The places around those of the seat.
    pub fn around_homes(&self) -> Vec<String> {
        let homes = self.all_of("home");
        let around = homes.iter().flat_map(|home| self.ground.places_around(home));
        let around: BTreeSet<String> = around.filter(|place| !homes.contains(place)).collect();
        around.into_iter().collect()
    }

    /// The longest name of a place by its code, of those that are shown.
    pub fn called(&self, code: &str) -> Option<&'n String> {
        let names = self.0.named.get("place")?.iter();
        let shown = |name: &String| !self.0.second.contains(&("place", name.clone()));
        let names =
            names.filter(|(name, codes)| codes.len() == 1 && codes.contains(code) && shown(name));
        let letters = |name: &&String| name.chars().any(char::is_alphabetic);
        names.map(|(name, _)| name).filter(letters).max_by_key(|name| name.len())
    }

    /// The kinds of things that can be built: each code, with what it is called.
    pub fn kinds(&self) -> Vec<(&'n String, &'n String)> {
        const KINDS: [&str; 3] = ["kind", "type", "item"];
        let sorts = KINDS.into_iter().filter(|sort| self.0.named.contains_key(sort));
        let Some(sort) = sorts.into_iter().next() else { return Vec::new() };
        let codes: BTreeSet<&String> = self.0.named[sort].values().flatten().collect();
        codes.into_iter().filter_map(|code| Some((code, self.stands_for(code)?))).collect()
    }

    /// What a code stands for, such as `ARMY` for `AR`.
    pub fn stands_for(&self, code: &str) -> Option<&'n String> {
        const KINDS: [&str; 5] = ["kind", "type", "item", "group", "place"];
        let sorts = KINDS.into_iter().filter_map(|sort| Some((sort, self.0.named.get(sort)?)));
        let names = sorts.flat_map(|(sort, names)| {
            let shown =
                names.iter().filter(move |(n, _)| !self.0.second.contains(&(sort, (*n).clone())));
            shown.filter(|(name, codes)| codes.contains(code) && *name != code)
        });
        names.map(|(name, _)| name).max_by_key(|name| name.len())
    }
}
