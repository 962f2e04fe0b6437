//! What things are called in a seat's view, and how a word finds them: names, codes, slips of typing.

use std::collections::{BTreeMap, BTreeSet};

use super::amounts::Amounts;
use super::ground::Ground;
use super::speech::folded;
use crate::effort;

/// Words that say nothing between the fields.
const FILLERS: [&str; 26] = [
    "TO", "INTO", "ONTO", "IN", "AT", "THE", "A", "AN", "UNIT", "UNITS", "CITY", "SECTOR", "FROM",
    "WITH", "OF", "BY", "ON", "FOR", "GENERAL", "PLAYER", "TOWARDS", "UP", "FLEET", "SYSTEM",
    "REGION", "PLEASE",
];

pub(super) fn is_filler(word: &str) -> bool {
    FILLERS.contains(&word)
}

/// What things are called: names and codes by sort.
#[derive(Debug, Clone, Default)]
pub struct Names {
    pub(super) named: BTreeMap<&'static str, BTreeMap<String, BTreeSet<String>>>,
    codes: BTreeMap<&'static str, fn(&str) -> bool>,
    pub(super) stands: BTreeMap<(&'static str, String), String>,
    pub(super) square: &'static str,
    pub(super) squares: &'static [&'static str],
    homes: Vec<String>,
    /// Letters of the longest name of each sort.
    longest: BTreeMap<&'static str, usize>,
    /// What the things of a sort are called as such: `UNIT`, `UNITS`.
    pub(super) nouns: BTreeMap<&'static str, BTreeSet<String>>,
    /// Names that are read and not shown.
    pub(super) second: BTreeSet<(&'static str, String)>,
    /// What is counted, not named.
    pub amounts: Amounts,
    /// Sorts of places that may be told by what stands there.
    places: &'static [&'static str],
    /// Where places lie.
    pub ground: Ground,
    /// Sorts of things that belong to others: as what, and the sort of these.
    groups: Vec<(&'static str, &'static str, &'static str)>,
    /// The codes that the next new things of a sort get.
    fresh: BTreeMap<&'static str, Vec<String>>,
}

impl Names {
    /// A section of a place that the seat has forces in, such as `@TU`.
    pub fn lives_in(&mut self, section: String) {
        self.homes.push(section);
    }

    /// The sections of the places that the seat has forces in.
    pub fn homes(&self) -> &[String] {
        &self.homes
    }

    /// Something of a sort that has a name, and its code on a card.
    pub fn add(&mut self, sort: &'static str, name: &str, code: impl Into<String>) {
        let key = key(&name.split_whitespace().map(bare).collect::<Vec<_>>());
        if !key.is_empty() {
            let longest = self.longest.entry(sort).or_default();
            *longest = (*longest).max(key.chars().count());
            self.named.entry(sort).or_default().entry(key).or_default().insert(code.into());
        }
    }

    /// What the things of a sort are called as such, in any language: `unit units Einheit`, with `_` within one
    /// of two words.
    pub fn nouns(&mut self, sort: &'static str, words: &str) {
        let words = words.split_whitespace().map(|word| folded(&word.replace('_', " ")));
        self.nouns.entry(sort).or_default().extend(words);
    }

    /// A sort that is an amount, such as money, with its nouns and how much the seat has of it.
    pub fn amount(&mut self, sort: &'static str, nouns: &str, pool: Option<u32>) {
        self.amounts.pools.insert(sort, pool);
        self.nouns(sort, nouns);
    }

    /// Sorts of places that may be told by what stands there: `to unit 3`.
    pub fn places(&mut self, sorts: &'static [&'static str]) {
        self.places = sorts;
    }

    /// Things of a sort belong to those of another, as the places of a third sort of names tell:
    /// units are the crew of fleets.
    pub fn belongs(&mut self, sort: &'static str, crew: &'static str, whole: &'static str) {
        self.groups.push((sort, crew, whole));
    }

    /// What things of a sort may belong to: the sort that tells it, and the sort of the whole.
    pub(super) fn wholes_of(
        &self,
        sort: &str,
    ) -> impl Iterator<Item = (&'static str, &'static str)> {
        let sort = sort.to_owned();
        let own = self.groups.iter().filter(move |(of, ..)| *of == sort);
        own.map(|(_, crew, whole)| (*crew, *whole))
    }

    /// The codes that the next new things of a sort will have.
    pub fn fresh(&mut self, sort: &'static str, codes: Vec<String>) {
        self.fresh.insert(sort, codes);
    }

    /// The code of the new thing of a sort that comes after so many others.
    pub(super) fn new_one(&self, sort: &str, after: usize) -> Option<&String> {
        self.fresh.get(sort)?.get(after)
    }

    /// Whether a word in capitals calls the things of a sort.
    pub(super) fn is_noun(&self, sort: &str, word: &str) -> bool {
        self.nouns.get(sort).is_some_and(|nouns| nouns.contains(word))
    }

    /// The first part of a word that a noun of a sort ends, as in `Infanterieeinheit`.
    pub(super) fn without_noun<'w>(&self, sort: &str, word: &'w str) -> Option<&'w str> {
        const LETTERS_MIN: usize = 5;
        let nouns = self.nouns.get(sort)?.iter().filter(|noun| noun.len() >= LETTERS_MIN);
        nouns.into_iter().find_map(|noun| word.strip_suffix(noun.as_str())).filter(|w| w.len() > 2)
    }

    /// Whether a code is that of something known.
    pub(super) fn is_known(&self, code: &str) -> bool {
        self.named.values().flat_map(BTreeMap::values).any(|codes| codes.contains(code))
    }

    /// How orders write the square of a column and a row.
    pub(super) fn square_of(&self, column: u32, row: u32) -> String {
        let square = self.square.replace("{column}", &column.to_string());
        square.replace("{row}", &row.to_string())
    }

    /// The codes of the one name that begins with a word: `Luyten` for `Luyten 726-8`; or of all of
    /// them.
    pub(super) fn begun(&self, sort: &str, word: &str, all: bool) -> Vec<String> {
        const LETTERS_MIN: usize = 4;
        let Some(names) = self.named.get(sort).filter(|_| word.len() >= LETTERS_MIN) else {
            return Vec::new();
        };
        let begun = |word: &str| -> BTreeSet<&String> {
            let begins = format!("{word} ");
            let longer = names.range(begins.clone()..);
            let longer = longer.take_while(|(name, _)| name.starts_with(&begins));
            // `the Atlas mountains`: all whose last word it is.
            let ends = format!(" {word}");
            let ending = names.iter().filter(|(name, _)| all && name.ends_with(&ends));
            longer.chain(ending).flat_map(|(_, codes)| codes).collect()
        };
        let mut codes = begun(word);
        if let Some(one) = singular(word) {
            codes.extend(begun(&one));
        }
        if codes.len() == 1 || all { codes.into_iter().cloned().collect() } else { Vec::new() }
    }

    /// Whether a word in capitals is a name of anything, with or without its plural.
    pub(super) fn is_word(&self, word: &str) -> bool {
        let one = singular(word);
        self.named.values().any(|names| {
            names.contains_key(word) || one.as_ref().is_some_and(|one| names.contains_key(one))
        })
    }

    /// Every noun of every sort.
    pub(super) fn all_nouns(&self) -> impl Iterator<Item = &String> {
        self.nouns.values().flatten()
    }

    /// Whether a sort is a place that may be told by what stands there.
    pub(super) fn is_place(&self, sort: &str) -> bool {
        self.places.contains(&sort)
    }

    /// The sorts of places that may be told by what stands there.
    pub(super) fn place_sorts(&self) -> &'static [&'static str] {
        self.places
    }

    /// Whether something of a sort has a code.
    pub(super) fn is_one(&self, sort: &str, code: &str) -> bool {
        self.named.get(sort).into_iter().flat_map(BTreeMap::values).any(|all| all.contains(code))
    }

    /// The codes of everything of a sort, numbers in their order.
    pub(super) fn all_of(&self, sort: &str) -> Vec<String> {
        let names = self.named.get(sort).into_iter().flat_map(BTreeMap::values).flatten();
        let mut all: Vec<String> = names.cloned().collect::<BTreeSet<_>>().into_iter().collect();
        all.sort_by_key(|code| (code.parse::<u64>().unwrap_or(u64::MAX), code.clone()));
        all
    }

    /// The code of the only thing of a sort.
    pub(super) fn sole(&self, sort: &str) -> Option<String> {
        match &self.all_of(sort)[..] {
            [one] => Some(one.clone()),
            _ => None,
        }
    }

    /// Where something stands, by its sort and code.
    pub fn place_of(&self, sort: &'static str, code: &str) -> Option<&String> {
        self.stands.get(&(sort, code.to_owned()))
    }

    /// The sorts of things that stand somewhere.
    pub(super) fn standing_sorts(&self) -> BTreeSet<&'static str> {
        self.stands.keys().map(|(sort, _)| *sort).collect()
    }

    /// Whether a word is a code of any sort.
    pub(super) fn is_any_code(&self, word: &str) -> bool {
        self.codes.values().any(|is| is(word))
    }

    /// Another name of something: it is read, and shown nowhere.
    pub fn also(&mut self, sort: &'static str, name: &str, code: impl Into<String>) {
        let key = key(&name.split_whitespace().map(bare).collect::<Vec<_>>());
        if !self.named.get(sort).is_some_and(|names| names.contains_key(&key)) {
            self.second.insert((sort, key));
        }
        self.add(sort, name, code);
    }

    /// Words that are codes of a sort as they stand.
    pub fn codes(&mut self, sort: &'static str, is_code: fn(&str) -> bool) {
        self.codes.insert(sort, is_code);
    }

    /// Where something of a sort stands, by its code and that of the place.
    pub fn stands(
        &mut self,
        sort: &'static str,
        code: impl Into<String>,
        place: impl Into<String>,
    ) {
        self.stands.insert((sort, code.into()), place.into());
    }

    /// Where something that has a place stands, by its name or number: `army 2`, `fleet 4`.
    pub fn standing(&self, words: &str) -> Vec<String> {
        let mut sorts: BTreeSet<&'static str> = self.stands.keys().map(|(sort, _)| *sort).collect();
        // `fleet 4` is no city of that number.
        let said = |noun: &str| words.split_whitespace().any(|w| w.eq_ignore_ascii_case(noun));
        if let Some(noun) = ["fleet", "city", "unit"].into_iter().find(|noun| said(noun)) {
            sorts.retain(|sort| sort.trim_end_matches('s') == noun);
        }
        let mut places = BTreeSet::new();
        for sort in sorts {
            let codes = self.exact(sort, words);
            let place = |code: &String| self.stands.get(&(sort, code.clone())).cloned();
            places.extend(codes.iter().filter_map(place));
        }
        places.into_iter().collect()
    }

    /// How orders write a square of a map, from the labels of its column and row, such as
    /// `{column},{row}`, and the sorts that any square belongs to.
    pub fn squares(&mut self, square: &'static str, sorts: &'static [&'static str]) {
        (self.square, self.squares) = (square, sorts);
    }

    /// The codes of whatever of a sort is called so, or nearly so where nothing is exactly.
    pub fn find(&self, sort: &str, words: &str) -> Vec<String> {
        let words: Vec<String> = words.split_whitespace().map(bare).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|w| !is_filler(w)).collect();
        let exact = self.named_so(sort, &words, false);
        let found = if exact.is_empty() { self.named_so(sort, &words, true) } else { exact };
        let code = match words[..] {
            [word] if self.is_code(sort, word) => Some(word.to_owned()),
            _ => None,
        };
        code.into_iter().chain(found).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The codes of whatever of a sort is called exactly so.
    pub fn exact(&self, sort: &str, words: &str) -> Vec<String> {
        let words: Vec<String> = words.split_whitespace().map(bare).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|w| !is_filler(w)).collect();
        if words.is_empty() { Vec::new() } else { self.named_so(sort, &words, false) }
    }

    /// The names, of a sort or of all, that are most like a word, each with its code.
    pub fn near(&self, sort: Option<&str>, words: &str) -> Vec<(String, String)> {
        let words: Vec<String> = words.split_whitespace().map(bare).collect();
        let word = key(&words);
        let letters = word.chars().count();
        let mut near: BTreeMap<&String, (usize, &String)> = BTreeMap::new();
        effort::count(self.named.values().map(BTreeMap::len).sum());
        let sorts = self.named.iter().filter(|(of, _)| sort.is_none_or(|sort| sort == **of));
        for (name, codes) in sorts.flat_map(|(_, names)| names) {
            let (a, b) = (name.chars().count(), letters);
            let alike = |slips: usize| slips * 5 <= a.max(b) * 2;
            // Each letter more is a slip.
            let Some(code) = codes.first().filter(|_| alike(a.abs_diff(b))) else { continue };
            let slips = strsim::osa_distance(name, &word);
            if alike(slips) {
                near.insert(name, (slips, code));
            }
        }
        let mut near: Vec<(usize, &String, &String)> =
            near.into_iter().map(|(name, (slips, code))| (slips, name, code)).collect();
        near.sort();
        near.into_iter().take(3).map(|(_, name, code)| (name.clone(), code.clone())).collect()
    }

    pub(super) fn is_code(&self, sort: &str, word: &str) -> bool {
        self.codes.get(sort).is_some_and(|is| is(word))
    }

    /// The codes of a name, or of the nearest ones where a slip is forgiven.
    pub(super) fn named_so(&self, sort: &str, words: &[&str], slips: bool) -> Vec<String> {
        let Some(names) = self.named.get(sort) else { return Vec::new() };
        let wanted = key(words);
        // A plural and slips make it longer by no more.
        if wanted.chars().count() > self.longest.get(sort).copied().unwrap_or_default() + 3 {
            return Vec::new();
        }
        let many = || match wanted.strip_suffix('Y') {
            Some(stem) => names.get(&format!("{stem}IES")),
            None => names.get(&format!("{wanted}S")),
        };
        let one = || names.get(&singular(&wanted)?);
        let exact = names.get(&wanted).or_else(one).or_else(many);
        if let Some(codes) = exact {
            return codes.iter().cloned().collect();
        }
        if !slips {
            return Vec::new();
        }
        // The first word of a name that no other begins with: `Luyten` for `Luyten 726-8`.
        let begins = format!("{wanted} ");
        let longer =
            names.range(begins.clone()..).take_while(|(name, _)| name.starts_with(&begins));
        let longer = longer.filter(|_| wanted.chars().count() > 3);
        let begun: BTreeSet<&String> = longer.flat_map(|(_, codes)| codes).collect();
        if begun.len() == 1 {
            return begun.into_iter().cloned().collect();
        }
        let most = slips_of(&wanted);
        if most == 0 {
            return Vec::new();
        }
        effort::count(names.len());
        let near = |name: &String| {
            let (a, b) = (name.len(), wanted.len());
            // Hardly anybody errs in the first letter, and most names are told by it; a figure is
            // no slip.
            let figures = |s: &str| s.chars().filter(char::is_ascii_digit).collect::<String>();
            let far = a.abs_diff(b) > most
                || name.chars().next() != wanted.chars().next()
                || figures(name) != figures(&wanted);
            let slips = if far { most + 1 } else { strsim::osa_distance(name, &wanted) };
            (slips <= most).then_some(slips)
        };
        let near: Vec<(usize, &BTreeSet<String>)> =
            names.iter().filter_map(|(name, codes)| Some((near(name)?, codes))).collect();
        let best = near.iter().map(|n| n.0).min();
        let codes = near.iter().filter(|n| Some(n.0) == best).flat_map(|n| n.1.iter().cloned());
        codes.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// A word in capitals, without signs around it and without apostrophes.
pub(super) fn bare(word: &str) -> String {
    let trimmed = word.trim_matches(|c: char| "\"'.:;!?()[]\u{201c}\u{201d}\u{2019}".contains(c));
    let apostrophe = ['\'', '\u{2019}'];
    match trimmed.contains(apostrophe) {
        true => trimmed.replace(apostrophe, "").to_uppercase(),
        false => trimmed.to_uppercase(),
    }
}

/// Words as a name is looked up by: without fillers, unless nothing else is there.
pub(super) fn key<S: AsRef<str>>(words: &[S]) -> String {
    let words = || words.iter().map(AsRef::as_ref);
    let telling: Vec<&str> = words().filter(|w| !is_filler(w)).collect();
    match telling.is_empty() {
        true => words().collect::<Vec<_>>().join(" "),
        false => telling.join(" "),
    }
}

/// A name whose last word loses its plural.
pub(super) fn singular(name: &str) -> Option<String> {
    let one = name.strip_suffix("IES").map(|n| format!("{n}Y"));
    one.or_else(|| name.strip_suffix('S').map(str::to_owned)).filter(|n| n.len() > 2)
}

/// Slips of typing that a word of so many letters may have.
pub(super) fn slips_of(word: &str) -> usize {
    match word.chars().count() {
        0..=4 => 0,
        5..=8 => 1,
        _ => 2,
    }
}
