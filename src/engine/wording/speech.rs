//! The small words of a language: articles, prepositions, quantities, politeness. They are data of
//! `config/speech/LANGUAGE.toml`; all languages are known at once, for people mix them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use crate::data::from_toml;

/// Classes of words, as bits.
pub(super) type Classes = u32;

/// It changes nothing.
pub(super) const IDLE: Classes = 1;
/// Thanks and farewells: behind them stands a name at most.
pub(super) const THANKS: Classes = 1 << 1;
/// Before the goal.
pub(super) const TO: Classes = 1 << 2;
/// Before the place that something comes from.
pub(super) const FROM: Classes = 1 << 3;
/// Before the means.
pub(super) const WITH: Classes = 1 << 4;
/// Before a place.
pub(super) const AT: Classes = 1 << 5;
/// Before a purpose or a price.
pub(super) const FOR: Classes = 1 << 6;
/// Before an owner or a whole.
pub(super) const OF: Classes = 1 << 7;
/// Before a foe.
pub(super) const AGAINST: Classes = 1 << 8;
/// Between the parts of a list, or two clauses.
pub(super) const AND: Classes = 1 << 9;
/// Between two clauses.
pub(super) const THEN: Classes = 1 << 10;
/// All of a set.
pub(super) const ALL: Classes = 1 << 11;
/// All of a set of two.
pub(super) const BOTH: Classes = 1 << 12;
/// Half of a set or an amount, a third of it.
pub(super) const HALF: Classes = 1 << 13;
/// What nothing was said of so far.
pub(super) const REST: Classes = 1 << 14;
/// Some of a set, nobody knows which.
pub(super) const SOME: Classes = 1 << 15;
/// Takes something out of a set.
pub(super) const EXCEPT: Classes = 1 << 16;
/// Negation.
pub(super) const NOT: Classes = 1 << 17;
/// Conditions and times, which no order has.
pub(super) const IF: Classes = 1 << 18;
/// What was named last.
pub(super) const THEM: Classes = 1 << 19;
/// The place that was named last.
pub(super) const THERE: Classes = 1 << 20;
/// A verb before another one: `send them to attack`.
pub(super) const LEAD: Classes = 1 << 25;
/// Beside a place: on the map, next to it.
pub(super) const NEXT: Classes = 1 << 26;
/// Takes back what was said before it.
pub(super) const FIX: Classes = 1 << 24;
/// `'s` behind an owner.
pub(super) const OWNS: Classes = 1 << 27;
/// A step on the map.
pub(super) const STEP: Classes = 1 << 21;
/// Begins a question.
pub(super) const ASKS: Classes = 1 << 22;
/// Asks the robot to do something, in the form of a question.
pub(super) const BEGS: Classes = 1 << 23;

/// Begins a reason, which orders nothing.
pub(super) const WHY: Classes = 1 << 28;

/// Politeness that an `if` may follow.
pub(super) const POLITE: Classes = 1 << 29;

/// Takes back an order on file.
pub(super) const BACK: Classes = 1 << 30;

/// What a line says takes the place of an order on file.
pub(super) const INSTEAD: Classes = 1 << 31;

/// Any preposition.
pub(super) const PREPOSITIONS: Classes = TO | FROM | WITH | AT | FOR | OF | AGAINST;

/// What a small word is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Meaning {
    pub classes: Classes,
    /// The value of a number word.
    pub number: Option<u32>,
    /// The place in a row of an ordinal.
    pub ordinal: Option<u32>,
    /// A direction of the compass, such as `NE`.
    pub way: Option<&'static str>,
    /// The how manieth part of something it is: 2 for half.
    pub part: Option<u32>,
    /// The word that rows of sentences have for a phrase.
    pub stands_for: Option<&'static str>,
}

impl Meaning {
    pub fn is(self, classes: Classes) -> bool {
        self.classes & classes != 0
    }
}

/// The file of a language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    idle: Vec<String>,
    thanks: Vec<String>,
    to: Vec<String>,
    from: Vec<String>,
    with: Vec<String>,
    at: Vec<String>,
    #[serde(rename = "for")]
    purpose: Vec<String>,
    of: Vec<String>,
    against: Vec<String>,
    and: Vec<String>,
    then: Vec<String>,
    all: Vec<String>,
    both: Vec<String>,
    rest: Vec<String>,
    some: Vec<String>,
    except: Vec<String>,
    not: Vec<String>,
    #[serde(rename = "if")]
    condition: Vec<String>,
    them: Vec<String>,
    there: Vec<String>,
    step: Vec<String>,
    fix: Vec<String>,
    back: Vec<String>,
    /// Nouns for what is done.
    deeds: Vec<String>,
    instead: Vec<String>,
    lead: Vec<String>,
    next: Vec<String>,
    why: Vec<String>,
    polite: Vec<String>,
    asks: Vec<String>,
    begs: Vec<String>,
    /// Phrases that are no small words.
    said: Vec<String>,
    /// Phrases that mean the same, by the word that rows of sentences have for them.
    alike: BTreeMap<String, Vec<String>>,
    endings: Vec<String>,
    parts: BTreeMap<String, u32>,
    numbers: BTreeMap<String, u32>,
    ordinals: BTreeMap<String, u32>,
    ways: BTreeMap<String, String>,
}

/// The small words of all languages.
#[derive(Debug, Default)]
pub(super) struct Speech {
    words: BTreeMap<String, Meaning>,
    /// Words of the longest phrase that begins with a word.
    longest: BTreeMap<String, usize>,
    /// What verbs end in.
    pub endings: Vec<String>,
    /// Verbs that take back an order on file, of which the second part stands apart.
    pub back: Vec<(String, String)>,
    /// Nouns for what an order does: `the attack`.
    pub deeds: BTreeSet<String>,
}

pub(super) static SPEECH: LazyLock<Speech> = LazyLock::new(|| {
    let mut speech = Speech::default();
    for text in [
        include_str!("../../../config/speech/en.toml"),
        include_str!("../../../config/speech/de.toml"),
    ] {
        speech.add(from_toml(text).expect("the embedded file is sound"));
    }
    speech
});

impl Speech {
    fn add(&mut self, file: File) {
        for (class, words) in [
            (IDLE, file.idle),
            (IDLE | THANKS, file.thanks),
            (TO, file.to),
            (FROM, file.from),
            (WITH, file.with),
            (AT, file.at),
            (FOR, file.purpose),
            (OF, file.of),
            (AGAINST, file.against),
            (AND, file.and),
            (THEN, file.then),
            (ALL, file.all),
            (BOTH, file.both),
            (REST, file.rest),
            (SOME, file.some),
            (EXCEPT, file.except),
            (NOT, file.not),
            (IF, file.condition),
            (THEM, file.them),
            (THERE, file.there),
            (STEP, file.step),
            (FIX, file.fix),
            (BACK, file.back),
            (INSTEAD, file.instead),
            (LEAD, file.lead),
            (NEXT, file.next),
            (WHY, file.why),
            (POLITE | IDLE, file.polite),
            (ASKS, file.asks),
            (BEGS | IDLE, file.begs),
        ] {
            for word in words.iter().flat_map(|words| either(words)) {
                match word.split_once(" + ") {
                    Some((verb, apart)) => self.back.push((folded(verb), folded(apart))),
                    None => self.word(&word).classes |= class,
                }
            }
        }
        for phrase in file.said.iter().flat_map(|phrase| either(phrase)) {
            self.word(&phrase);
        }
        for (word, phrases) in file.alike {
            // The table lives as long as the program.
            let word: &'static str = folded(&word).leak();
            for phrase in phrases.iter().flat_map(|phrase| either(phrase)) {
                self.word(&phrase).stands_for = Some(word);
            }
        }
        for (word, part) in file.parts {
            let meaning = self.word(&word);
            meaning.classes |= HALF;
            meaning.part = Some(part);
        }
        for (word, number) in file.numbers {
            self.word(&word).number = Some(number);
        }
        for (word, nth) in file.ordinals {
            self.word(&word).ordinal = Some(nth);
        }
        for (word, way) in file.ways {
            let ways = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];
            self.word(&word).way = ways.into_iter().find(|w| *w == way);
        }
        self.deeds.extend(file.deeds.iter().map(|word| folded(word)));
        self.endings.extend(file.endings.iter().map(|end| folded(end)));
    }

    fn word(&mut self, phrase: &str) -> &mut Meaning {
        let key = folded(phrase);
        let first = key.split(' ').next().unwrap_or_default().to_owned();
        let longest = self.longest.entry(first).or_default();
        *longest = key.split(' ').count().max(*longest);
        self.words.entry(key).or_default()
    }

    /// Words of the longest phrase that begins with a word, in capitals.
    pub fn longest(&self, first: &str) -> usize {
        self.longest.get(first).copied().unwrap_or_default()
    }

    /// What a word or a phrase is; `None`: it is no small word.
    pub fn of(&self, phrase: &str) -> Option<Meaning> {
        self.words.get(phrase).copied().or_else(|| self.compound(phrase))
    }

    /// A number in one German word, such as `NEUNUNDVIERZIG`.
    fn compound(&self, word: &str) -> Option<Meaning> {
        let (ones, tens) = word.split_once("UND")?;
        let number = |part: &str| self.words.get(part).and_then(|meaning| meaning.number);
        let ones = if ones == "EIN" { Some(1) } else { number(ones) };
        let ones = ones.filter(|n| (1..10).contains(n))?;
        let tens = number(tens).filter(|n| (20..=90).contains(n))?;
        Some(Meaning { number: Some(tens + ones), ..Meaning::default() })
    }

    /// The words that stand alone, for slips of typing.
    pub fn single(&self) -> impl Iterator<Item = &str> {
        self.words.keys().map(String::as_str).filter(|w| !w.contains(' '))
    }
}

/// The phrases that one with choices in brackets stands for: `id be (very|most|) glad`.
fn either(phrase: &str) -> Vec<String> {
    let parts = phrase.split_once('(').and_then(|(before, rest)| {
        let (choices, behind) = rest.split_once(')')?;
        Some((before, choices, behind))
    });
    let Some((before, choices, behind)) = parts else {
        return vec![phrase.split_whitespace().collect::<Vec<_>>().join(" ")];
    };
    choices.split('|').flat_map(|choice| either(&format!("{before}{choice}{behind}"))).collect()
}

/// A word as it is looked up: in capitals, without apostrophes, umlauts as two letters.
pub(super) fn folded(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    for c in word.chars() {
        match c {
            'ä' | 'Ä' => out.push_str("AE"),
            'ö' | 'Ö' => out.push_str("OE"),
            'ü' | 'Ü' => out.push_str("UE"),
            'ß' => out.push_str("SS"),
            '\'' | '\u{2019}' => {}
            c => out.extend(c.to_uppercase()),
        }
    }
    out
}
