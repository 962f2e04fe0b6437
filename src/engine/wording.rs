//! Orders as people write them: verbs for letters, names for numbers, lists, typing slips.
//!
//! A game says how its orders are put into words ([`Form`]) and what things are called in a
//! seat's view ([`Names`]); both together are a [`Reader`]. It gives the orders that a line in
//! words stands for, each as a card writes it ([`Reading::Orders`]), and only where one reading
//! is possible: what may mean two things is given back as both ([`Reading::Several`]).
//!
//! A game with sentences ([`Frames`]) reads more than forms: [`frame`] says how a row of the table is
//! written. A line is split into tokens, whose small words are data of `config/speech`; nouns
//! are read as typed sets of what the seat knows; clauses fill the roles of rows, in any order, and
//! take over what the ones before have said ([`Above`]). Only a reading in which every word has
//! its role counts. Of several the least odd is taken; if two of them lead to different orders,
//! both are given back. Forms then only read lines that begin with the letters of a card. All of
//! it is bounded by steps of work, not by time, so that it is the same on every machine.
//!
//! Of a line that is not read, [`Reader::partly`] tells what it means without the words that are not
//! understood, the fewest that have to be left out: that is asked about and never carried out by
//! itself. Quantities and negations are never left out. Where no verb is known, the rows are guessed
//! from the things that the line names. A line that goes on with the one above (`and unit 4 too`,
//! `no, make it 45`) takes over its verb and roles; an order in the form of a card is read back into
//! the row that writes it ([`Reader::sentences`] says it in words). What is not to be done is read
//! only where what is to be done with the same things stands behind it. A place may be told by where
//! it lies, as far as a game tells the [`Ground`].
//!
//! A line that is right as it stands is never asked about, so no rulebook's form can change its
//! meaning here. Of a line in another form at least one word must be a name, or its verb the
//! order's own: digits alone behind a verb of daily life (`March 12 2026`) are no order. One thing
//! that is all that the order takes (`hold 2`, `stay 2 and 3`) is.

mod amounts;
mod by_forms;
mod clauses;
mod forms;
mod frames;
mod ground;
mod lines;
mod names;
mod orders;
mod speech;
mod tally;
mod tokens;
mod unwritten;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use crate::syntax::without_comment;

pub use amounts::Amounts;
pub use clauses::{Above, OnFile, Partly, Replaced, Withdrawn, may_change};
pub use forms::{ABOVE, Form, Forms, WITHIN, below, form, section};
pub use frames::{Blocks, Frame, Frames, frame};
pub use ground::Ground;
pub use names::Names;
pub use orders::{Choice, Many, OrderForm, Orders, Place, Slot};
pub use tally::{Held, Tally};

use self::by_forms::Line;
use self::clauses::Parser;
use self::lines::{heads, slots_shown, verb_of, words_of};
use names::{bare, is_filler, singular};

/// What a line in words stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// Nothing that is found.
    No,
    /// These orders.
    Orders(Vec<String>),
    /// What needs no order: `the rest stay where they are`.
    Idle,
    /// One of these sets of orders; which one can't be told.
    Several(Vec<Vec<String>>),
}

/// Reads lines in words as one seat's game understands them.
#[derive(Debug, Clone)]
pub struct Reader {
    forms: &'static Forms,
    frames: &'static Frames,
    /// Every word that a mistyped one may be.
    vocabulary: OnceCell<BTreeSet<String>>,
    known: Arc<Known>,
    /// Lines whose slips may still be looked for: that takes time, and a mail may have many.
    patience: Cell<u32>,
    /// Steps that sentences may still take.
    fuel: Cell<u32>,
    /// The line that was asked about last: of one that is not read more is asked.
    last: RefCell<Option<(String, Arc<Phrase>)>>,
    /// What lines were read as: several ask about each of a mail.
    readings: RefCell<BTreeMap<String, Reading>>,
}

/// A line as words, and the forms that these may be of.
#[derive(Debug, Default)]
struct Phrase {
    /// Empty where the line has no words, or too many to be an order.
    words: Vec<String>,
    heads: Vec<Head>,
}

/// A form that a line may be of, with the words beside its verb, and whether the verb is the
/// order's own word or name.
type Head = (&'static Form, Vec<String>, bool);

/// The names that a seat knows, with what is made of them once.
#[derive(Debug)]
pub struct Known {
    names: Names,
    /// Every word of every name; made when it is asked for.
    parts: OnceLock<BTreeSet<String>>,
    /// Those that speak of the game whatever they stand beside; the same.
    things: OnceLock<BTreeSet<String>>,
}

/// Words of names that are words of daily life as well.
const DAILY: [&str; 26] = [
    "MOVING", "ORDERS", "WAITING", "WAY", "WITHOUT", "ALL", "AND", "BAY", "BIG", "CALL", "FREE",
    "GOOD", "GREAT", "HOME", "NEW", "NONE", "OLD", "ONE", "OUT", "SAN", "SEA", "THE", "TURN",
    "TWO", "WITH", "YES",
];

impl Known {
    /// Every name with its sort, but what is said of anything: `that have nothing to do`.
    fn told(&self) -> impl Iterator<Item = (&'static str, &String)> {
        let small = |w: &str| speech::SPEECH.of(w).is_some_and(|m| m.classes != 0);
        let phrase = move |sort: &'static str, name: &String| {
            self.names.second.contains(&(sort, name.clone())) && name.split(' ').any(small)
        };
        let all = self.names.named.iter();
        let all = all.flat_map(|(sort, names)| names.keys().map(|name| (*sort, name)));
        all.filter(move |(sort, name)| !phrase(sort, name))
    }

    fn things(&self) -> &BTreeSet<String> {
        self.things.get_or_init(|| {
            // Who signs a mail with the name of a player gives no order.
            let names = self.told().filter(|(sort, _)| *sort != "player");
            let words = names.flat_map(|(_, name)| name.split(' '));
            let telling = words.filter(|w| w.chars().count() > 2 && !DAILY.contains(w));
            telling.map(str::to_owned).collect()
        })
    }
}

impl From<Names> for Arc<Known> {
    fn from(names: Names) -> Self {
        Self::new(Known { names, parts: OnceLock::new(), things: OnceLock::new() })
    }
}

/// Lines in which a reader looks for slips and for names that are nearly meant, at most.
const PATIENCE: u32 = 60;

/// How often a number before a name repeats it, at most.
const RUN_MAX: usize = 9;
/// Orders that a list in one line may stand for, at most.
const LIST_MAX: usize = 20;
/// Orders that a line of sentences may stand for, at most.
const LINE_ORDERS_MAX: usize = 60;
/// Words of a line that is looked at, at most.
const WORDS_MAX: usize = 14;
/// Words of a part of a line that is looked at as one order in the form of a card, at most.
const CODED_WORDS_MAX: usize = 8;
/// Steps of work for the sentences of one mail, at most: a mail costs what it is worth.
const FUEL: u32 = 30_000;
/// Steps that each line counts as, at least: what it says has to be judged as well.
const LINE_FUEL_MIN: u32 = 300;
/// Letters of a line that is looked at, at most.
const LETTERS_MAX: usize = 160;
/// Other readings that are told, at most.
const SEVERAL_MAX: usize = 4;

/// Sorts of a place and of a way: the number of a thing is none.
const WHERE: [&str; 2] = ["place", "pad"];

/// Those of them that name what a number counts.
const NOUNS: [&str; 8] = ["UNIT", "UNITS", "CITY", "SECTOR", "PLAYER", "FLEET", "SYSTEM", "REGION"];

/// The best ways to read a line, and the steps that it took.
fn covers_of(
    reader: &Reader,
    parser: &Parser<'_>,
    (line, above): (&str, &Above),
    (slips, loose): (bool, bool),
) -> (Vec<clauses::Cover>, u32) {
    let (mut covers, mut used) = (parser.covers(), parser.used());
    // `build 10 army`: ten of them, or what ten of industry make.
    if covers.len() == 1 && parser.converts.get() {
        let mut other = reader.parser(line, above, slips, loose);
        other.as_said = true;
        covers.extend(other.covers());
        used += other.used();
    }
    (covers, used)
}

/// Whether a line begins with a verb of these forms, or with its subject and then one: whether
/// it is worth a [`Reader`].
pub fn may_be_words(forms: &Forms, frames: &Frames, line: &str) -> bool {
    if !frames.is_empty() && clauses::may_be_sentence(frames, line) {
        return true;
    }
    let Some(words) = words_of(line) else { return false };
    if verb_of(forms, &words).is_some() {
        return true;
    }
    // `Please let my city build ...`: what says nothing does not keep the verb from beginning.
    let telling: Vec<String> = words.iter().filter(|w| !is_filler(w)).cloned().collect();
    telling.len() < words.len() && verb_of(forms, &telling).is_some()
}

/// One way to read a line: its orders, and whether it can be meant as nothing else: names or other
/// words are in it, or all that the order takes is one thing.
#[derive(Debug, Clone)]
struct Found {
    orders: Vec<String>,
    clear: bool,
}

/// What a slot was read as.
#[derive(Debug, Clone)]
struct Bound {
    slot: &'static str,
    values: Vec<String>,
    named: bool,
}

impl Reader {
    /// A reader of a game's forms with the names that a seat knows.
    pub fn new(
        (forms, frames): (&'static Forms, &'static Frames),
        known: impl Into<Arc<Known>>,
    ) -> Self {
        Self {
            forms,
            frames,
            vocabulary: OnceCell::new(),
            known: known.into(),
            patience: Cell::new(PATIENCE),
            fuel: Cell::new(FUEL),
            last: RefCell::default(),
            readings: RefCell::default(),
        }
    }

    /// A line split into words, once however much is asked about it.
    fn phrase(&self, line: &str) -> Arc<Phrase> {
        if let Some((_, phrase)) = self.last.borrow().as_ref().filter(|(last, _)| last == line) {
            return Arc::clone(phrase);
        }
        let words = words_of(line).unwrap_or_default();
        let phrase = Arc::new(Phrase { heads: heads(self.forms, &words), words });
        *self.last.borrow_mut() = Some((line.to_owned(), Arc::clone(&phrase)));
        phrase
    }

    /// What things are called.
    pub fn names(&self) -> &Names {
        &self.known.names
    }

    /// The orders of its forms, for a program in which a player chooses them.
    pub fn orders(&self) -> Orders {
        orders::orders(self.forms, self.names())
    }

    /// What a line stands for, whatever stands above it.
    pub fn read(&self, line: &str) -> Reading {
        if let Some(reading) = self.readings.borrow().get(line) {
            return reading.clone();
        }
        let reading = self.read_below(line, &mut Above::default());
        self.readings.borrow_mut().insert(line.to_owned(), reading.clone());
        reading
    }

    /// What a line stands for below others, whose things it may call `them` and `there`; notes what
    /// it names itself.
    pub fn read_below(&self, line: &str, above: &mut Above) -> Reading {
        let by_forms = self.read_by_forms(line, true);
        if by_forms != Reading::No || self.frames.is_empty() || self.is_as_written(line) {
            match &by_forms {
                Reading::Orders(orders) => {
                    orders.iter().for_each(|order| above.hear((self.frames, self.names()), order));
                }
                // It stands as a card has it, whether it can be carried out or not.
                Reading::No => self.passes(line, above),
                Reading::Several(_) | Reading::Idle => {}
            }
            return by_forms;
        }
        if above.earlier {
            let corrects = self.parser(line, above, false, false).takes_back();
            above.part_from_earlier(corrects);
        }
        // What stands behind `;` goes on; behind `#` it goes on, or is a comment.
        let bare = without_comment(line);
        if bare.is_empty() {
            return Reading::No;
        }
        let ways = [(false, false), (true, false), (true, true)].map(|(s, l)| (line, s, l));
        let commented = line.split_once('#').map(|(head, _)| (head, true, false));
        let without = commented.filter(|(head, ..)| !head.contains(';'));
        let mut idle = false;
        for (line, slips, loose) in ways.into_iter().chain(without) {
            if slips && !self.has_patience() {
                break;
            }
            if self.fuel.get() == 0 {
                break;
            }
            let parser = self.parser(line, above, slips, loose);
            let (mut covers, used) = covers_of(self, &parser, (line, above), (slips, loose));
            idle |= !slips && parser.idle.get();
            let back = parser.takes_back() && above.frame.is_some();
            // What is taken back has to be known.
            if back && above.clause.is_none() {
                return Reading::No;
            }
            let adds = parser.goes_on() && !back;
            let before = if adds { above.orders.clone() } else { Vec::new() };
            for cover in &mut covers {
                cover.orders = self.joined(&before, std::mem::take(&mut cover.orders));
            }
            // What is written alike only seems to be several.
            let mut seen: Vec<Vec<String>> = Vec::new();
            covers.retain(|cover| {
                let orders = self.in_block(cover.orders.clone(), above);
                let new = !seen.contains(&orders);
                seen.push(orders);
                new
            });
            let used = used.max(if slips { 0 } else { LINE_FUEL_MIN });
            self.fuel.set(self.fuel.get().saturating_sub(used));
            match covers.len() {
                0 => {}
                1 => {
                    let orders =
                        above.follow((self.frames, self.names()), covers.swap_remove(0), back);
                    // A line in the form of a card already means that and nothing else.
                    return match is_written(&orders, line) {
                        true => Reading::No,
                        false => Reading::Orders(orders),
                    };
                }
                _ => {
                    above.ask_about(covers.iter().map(|cover| &cover.above));
                    let all = covers.into_iter().map(|cover| self.in_block(cover.orders, &*above));
                    let all = all.take(SEVERAL_MAX).collect();
                    above.clause = None;
                    return Reading::Several(all);
                }
            }
        }
        // A correction is of the line right above it, and that one is not read.
        above.clause = None;
        if idle { Reading::Idle } else { Reading::No }
    }

    /// What of a line that is not read is understood, below others: it has to be asked about.
    pub fn partly(&self, line: &str, above: &mut Above) -> Option<Partly> {
        clauses::partly(self, line, above)
    }

    /// The places that a line names, in its order: by their names, by what stands there, or by where
    /// they lie.
    pub fn places(&self, line: &str) -> Vec<String> {
        if self.frames.is_empty() || self.fuel.get() == 0 {
            return Vec::new();
        }
        let above = Above::default();
        let parser = self.parser(line, &above, false, false);
        let places = clauses::places(&parser);
        self.fuel.set(self.fuel.get().saturating_sub(parser.used()));
        places
    }

    /// Sentences that say an order which a card writes so, in plain words: one for each row of the
    /// table and each of its first verbs. None for orders that have no words.
    pub fn sentences(&self, order: &str) -> Vec<String> {
        unwritten::sentences(self.frames, self.names(), order)
    }

    /// Whether a word in capitals is a part of a name.
    fn is_part_of_name(&self, word: &str) -> bool {
        self.named_words().contains(word)
    }

    /// Orders of which those that go together are one.
    fn joined(&self, before: &[String], orders: Vec<String>) -> Vec<String> {
        match self.frames.joins {
            Some(joins) => joins(before, orders),
            None => orders,
        }
    }

    /// Orders with the lines that open their blocks, below others.
    fn in_block(&self, orders: Vec<String>, above: &Above) -> Vec<String> {
        match self.frames.blocks {
            Some(blocks) => (blocks.within)(self.names(), orders, &mut above.block.clone()),
            None => orders,
        }
    }

    fn parser<'p>(
        &'p self,
        line: &'p str,
        above: &'p Above,
        slips: bool,
        loose: bool,
    ) -> Parser<'p> {
        let vocabulary = slips.then(|| self.vocabulary());
        Parser::new(self, line, above, (vocabulary, loose))
    }

    /// The orders of a part of a line in the form of a card, such as `C 1 3`.
    fn coded(&self, text: &str) -> Option<Vec<String>> {
        let text = text.trim_end_matches(',');
        let words: Vec<&str> = text.split_whitespace().skip(1).collect();
        let figure = |w: &&str| w.contains(|c: char| c.is_ascii_digit());
        match words.len() {
            0 | CODED_WORDS_MAX.. => None,
            _ if !self.is_coded(text) => None,
            _ if words.iter().all(figure) => Some(vec![text.to_owned()]),
            _ => match self.read_by_forms(text, false) {
                Reading::Orders(orders) => Some(orders),
                Reading::Several(_) | Reading::Idle | Reading::No => None,
            },
        }
    }

    /// Notes a line that stands as a card has it: it may open a block for the lines below, and they
    /// may go on with its order.
    pub fn passes(&self, line: &str, above: &mut Above) {
        if let Some(block) = self.frames.blocks.and_then(|blocks| (blocks.opens)(line)) {
            above.block = Some(block);
        }
        above.hear((self.frames, self.names()), without_comment(line));
    }

    /// Whether so much was read in words that the lines that are left are not.
    pub fn is_tired(&self) -> bool {
        self.fuel.get() == 0
    }

    /// Every word that a mistyped one may be.
    fn vocabulary(&self) -> &BTreeSet<String> {
        self.vocabulary.get_or_init(|| {
            let small = speech::SPEECH.single().chain(self.frames.vocabulary());
            let mut all: BTreeSet<String> = small.map(str::to_owned).collect();
            // Kinds are spoken of in the plural, places are not.
            let kinds = ["kind", "type", "item", "group"].into_iter();
            let kinds = kinds.filter_map(|sort| self.names().named.get(sort));
            let words = kinds.flat_map(BTreeMap::keys).flat_map(|name| name.split(' '));
            let plural = |w: &&str| w.chars().count() > 3 && !w.ends_with('S');
            all.extend(words.filter(plural).map(|w| format!("{w}S")));
            all.extend(self.named_words().iter().cloned());
            all.extend(self.names().all_nouns().cloned());
            all
        })
    }

    /// Whether a line is in the form of a card: it begins with a few capitals, and has no small
    /// letter.
    fn is_as_written(&self, line: &str) -> bool {
        const LETTERS_MAX: usize = 3;
        let line = without_comment(line);
        let letters = line.split_whitespace().next().unwrap_or_default();
        let short = letters.len() <= LETTERS_MAX && letters.bytes().all(|b| b.is_ascii_uppercase());
        short && line.contains(char::is_whitespace) && !line.contains(char::is_lowercase)
    }

    /// What a line stands for by the forms of orders: in a game with sentences, those that begin
    /// with the letters of a card.
    fn read_by_forms(&self, line: &str, slips: bool) -> Reading {
        let phrase = self.phrase(line);
        let Phrase { words, heads } = &*phrase;
        let mut all: Vec<Vec<String>> = Vec::new();
        for slips in [false, true].into_iter().take(1 + usize::from(slips)) {
            if slips && (heads.is_empty() || !self.has_patience()) {
                break;
            }
            // All of them have the same words beside the verb.
            let rest = heads.first().map_or(&[][..], |(_, rest, _)| rest);
            let spoken = rest.iter().any(|w| NOUNS.contains(&w.as_str()));
            let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
            let line = Line { reader: self, words: &rest, slips, slots: RefCell::default() };
            for (form, _, own) in heads {
                let coded = || words.first().is_some_and(|first| is_letters_of(form, first));
                if !self.frames.is_empty() && !coded() {
                    continue;
                }
                let found = line.by_form(form).into_iter();
                let found = found.filter(|f| f.clear || *own || spoken);
                all.extend(found.map(|f| f.orders));
            }
            if !all.is_empty() {
                break;
            }
        }
        all.sort();
        all.dedup();
        // A line that is in the form of a card already means that and nothing else.
        let same = |orders: &Vec<String>| matches!(&orders[..], [one] if words_of(one).as_ref() == Some(words));
        if all.iter().any(same) {
            return Reading::No;
        }
        match all.len() {
            0 => Reading::No,
            1 => Reading::Orders(all.swap_remove(0)),
            _ => Reading::Several(all.into_iter().take(SEVERAL_MAX).collect()),
        }
    }

    /// Whether a line was meant as an order although it can't be read: it has a verb, is short, and
    /// has the name of something, or hardly more than numbers; with a figure it may be longer. Without
    /// a verb it names two things, and is shorter.
    pub fn is_tried(&self, line: &str) -> bool {
        const SHORT: usize = 9;
        const LONGER: usize = 12;
        const NO_VERB: usize = 6;
        let figure = |w: &String| w.bytes().all(|b| b.is_ascii_digit());
        let short = |w: &Vec<String>| w.len() <= if w.iter().any(figure) { LONGER } else { SHORT };
        let telling = self.telling(line);
        if !short(&telling) {
            return false;
        }
        // "Link 1, 2 and 3", but no date.
        let counted = |rest: &[String]| {
            let figures = rest.iter().filter(|w| figure(w)).count();
            figures > 1 && figures * 2 >= rest.len()
        };
        let named = |w: &String| is_named(w, self.named_words());
        if let Some(rest) = self.beside_verb(&telling) {
            return rest.iter().any(named) || counted(&rest);
        }
        // `unit 3 gallops to Kiel`: what is named may tell what an unknown verb means.
        let things = telling.iter().filter(|w| is_named(w, self.known.things())).count();
        let figures = telling.iter().filter(|w| figure(w)).count();
        !self.frames.is_empty() && telling.len() <= NO_VERB && things > 0 && things + figures > 1
    }

    /// Whether a part of a line that can't be read may be an order: it speaks of the game, was meant as
    /// an order, or is short, is written in words and names something.
    pub fn may_be_meant(&self, line: &str) -> bool {
        const WORDS_MAX: usize = 12;
        const LETTERS_MIN: usize = 3;
        let word = |w: &&str| w.chars().filter(|c| c.is_lowercase()).count() >= LETTERS_MIN;
        let in_words = line.split_whitespace().filter(word).count() > 1;
        let named = |w: &String| {
            is_named(w, self.named_words()) || self.names().all_nouns().any(|noun| noun == w)
        };
        let short = || {
            let telling = self.telling(line);
            telling.len() <= WORDS_MAX && telling.iter().any(named)
        };
        in_words && (self.speaks(line) || self.is_tried(line) || short())
    }

    /// The words of a line that say something.
    fn telling(&self, line: &str) -> Vec<String> {
        let small = |w: &str| {
            let idle = |m: speech::Meaning| m.is(speech::IDLE | speech::PREPOSITIONS | speech::AND);
            !self.frames.is_empty() && speech::SPEECH.of(&speech::folded(w)).is_some_and(idle)
        };
        let words = &self.phrase(line).words;
        words.iter().filter(|w| !is_filler(w) && !small(w)).cloned().collect()
    }

    /// The words beside the verb of a line.
    fn beside_verb(&self, words: &[String]) -> Option<Vec<String>> {
        let at = match self.frames.is_empty() {
            true => verb_of(self.forms, words).map(|(at, _)| at),
            false => words.iter().position(|w| {
                let coded = self.forms.of(w, false).iter().any(|(form, _)| is_letters_of(form, w));
                coded && w == &words[0] || w.len() > 1 && self.frames.is_verb(&speech::folded(w))
            }),
        };
        let at = at?;
        Some(words[..at].iter().chain(&words[at + 1..]).cloned().collect())
    }

    /// Whether a line that is no order speaks of the game: it has the name of something that is no
    /// player, or a verb of an order, which in a long sentence is its first word.
    pub fn speaks(&self, line: &str) -> bool {
        const SHORT: usize = 6;
        if line.len() > 2 * LETTERS_MAX {
            return false;
        }
        let words = without_comment(line).split_whitespace().map(bare);
        let telling: Vec<String> = words.filter(|w| !w.is_empty() && !is_filler(w)).collect();
        // The letter of an order is a word of daily life: `I`, `A`.
        let begins = |word: &&String| {
            word.chars().count() > 2
                && (!self.forms.of(word, false).is_empty()
                    || self.frames.is_verb(&speech::folded(word)))
        };
        let verbs = if telling.len() <= SHORT { SHORT } else { 1 };
        telling.iter().any(|word| is_named(word, self.known.things()))
            || telling.len() > 1 && telling.iter().take(verbs).any(|word| begins(&word))
    }

    /// How a card writes the order that a line begins as, such as `A units goal`, or with things of
    /// the player in it, such as `A 7 04826`.
    pub fn form_of(&self, line: &str) -> Option<String> {
        if !self.frames.is_empty() && self.fuel.get() > 0 {
            let above = Above::default();
            let parser = self.parser(line, &above, true, false);
            let example = parser.example();
            self.fuel.set(self.fuel.get().saturating_sub(parser.used()));
            if example.is_some() {
                return example;
            }
        }
        let phrase = self.phrase(line);
        let words = &phrase.words;
        // Of those that begin so, the one whose own words the line has most of.
        let said = |form: &Form| {
            let literals: BTreeSet<&str> = form.literals().collect();
            let has = |w: &&String| literals.contains(w.as_str());
            let first = words.iter().position(|w| has(&w)).unwrap_or(words.len());
            (words.iter().filter(has).count(), std::cmp::Reverse(first))
        };
        let forms = phrase.heads.iter().map(|(form, ..)| *form);
        let form = forms.rev().max_by_key(|form| said(form))?;
        let writes = form.writes.replace(WITHIN, "").replace(ABOVE, "");
        let words: Vec<String> = writes.split_whitespace().map(slots_shown).collect();
        Some(words.join(" "))
    }

    /// Whether a line begins with the letters of a form.
    pub fn is_coded(&self, line: &str) -> bool {
        let phrase = self.phrase(line);
        let first = phrase.words.first();
        first.is_some_and(|first| self.forms.iter().any(|form| is_letters_of(form, first)))
    }

    /// Every word of every name.
    fn named_words(&self) -> &BTreeSet<String> {
        self.known.parts.get_or_init(|| {
            let names = self.known.told();
            names.flat_map(|(_, name)| name.split(' ')).map(str::to_owned).collect()
        })
    }

    /// Whether one more line may take time; counts it.
    fn has_patience(&self) -> bool {
        let left = self.patience.get();
        self.patience.set(left.saturating_sub(1));
        left > 0
    }

    /// A word of a line that begins as an order does and is no name, with the names that come
    /// nearest, each with its code.
    pub fn unknown(&self, line: &str) -> Option<(String, Vec<(String, String)>)> {
        let rest = self.beside_verb(&self.phrase(line).words)?;
        let known = |word: &str| {
            let key = speech::folded(word);
            is_filler(word)
                || is_named(word, self.named_words())
                || self.forms.has(word)
                || !self.frames.is_empty()
                    && (speech::SPEECH.of(&key).is_some()
                        || self.frames.is_verb(&key)
                        || self.vocabulary().contains(&key))
        };
        let letters = |w: &&String| w.chars().count() > 3 && w.chars().all(char::is_alphabetic);
        let word = rest.iter().filter(letters).find(|w| !known(w))?.clone();
        let near = match self.has_patience() {
            true => self.names().near(None, &word),
            false => Vec::new(),
        };
        Some((word, near))
    }
}

/// Whether a word is one of these, with or without its plural.
fn is_named(word: &str, names: &BTreeSet<String>) -> bool {
    let one = || singular(word).is_some_and(|one| names.contains(&one));
    word.chars().count() > 2
        && (names.contains(word) || one() || names.contains(&format!("{word}S")))
}

/// Whether orders are a line as a card has it.
fn is_written(orders: &[String], line: &str) -> bool {
    matches!(orders, [one] if words_of(one) == words_of(line))
}

/// Whether a word is the letters by which a card knows the order of a form.
fn is_letters_of(form: &Form, word: &str) -> bool {
    let letters = form.writes.trim_start_matches(WITHIN).trim_start();
    let end = letters.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(letters.len());
    form.verbs.first() == Some(&word) && (letters[..end] == *word || word.chars().count() <= 2)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    static FORMS: LazyLock<Forms> = LazyLock::new(|| {
        Forms::new(vec![
            form("A ADVANCE ATTACK SEND", "units* place / place units*", "A {units} {place}"),
            form("M MOVE WALK", "units* steps&", "M {units} {steps}"),
            form("MOVE", "units* place", "A {units} {place}"),
            form("C CONSTRUCT BUILD", "city item / item city", "C {city} {item}"),
            form("K STRIKE", "to FROM from:place / from:place to:place", "K {from} {to}"),
            form("DECLARE", "WAR|WARS n", "{n}E"),
            form("P", "city item+", "P {city} {item}"),
            form("Z", "n", "Z {n}"),
            form("Z", "n", "Z {n} AGAIN"),
            form("STOP HALT HOLD WAIT", "units*", "M {units} 0"),
        ])
    });

    fn reader() -> Reader {
        let mut names = Names::default();
        names.codes("units", |w| w.len() < 4 && w.chars().all(|c| c.is_ascii_digit()));
        names.codes("city", |w| w.len() < 4 && w.chars().all(|c| c.is_ascii_digit()));
        names.codes("item", |w| w.len() < 3 && w.chars().all(|c| c.is_ascii_digit()));
        names.codes("place", |w| w.len() == 5 && w.chars().all(|c| c.is_ascii_digit()));
        for (name, code) in [("Pelamere", "07017"), ("Port of Tyre", "00101"), ("Twin", "1")] {
            names.add("place", name, code);
            names.add("to", name, code);
        }
        names.add("place", "Twin", "2");
        names.add("city", "Pelamere", "3");
        for (name, code) in [("Old Guard", "9"), ("Rider", "1"), ("Rider", "3")] {
            names.add("units", name, code);
        }
        names.add("item", "Infantry", "1");
        names.add("item", "Light Tank", "2");
        names.add("steps", "NW", "8");
        names.add("steps", "NORTH", "1");
        Reader::new((&FORMS, Frames::none()), names)
    }

    fn orders(line: &str) -> Vec<String> {
        match reader().read(line) {
            Reading::Orders(orders) => orders,
            Reading::Idle | Reading::No => Vec::new(),
            Reading::Several(all) => [vec!["?".to_owned()], all.concat()].concat(),
        }
    }

    #[test]
    fn names_verbs_lists_and_slips_are_read() {
        for (line, want) in [
            ("A 1 PELAMERE", "A 1 07017"),
            ("advance 1 to Pelamere.", "A 1 07017"),
            ("Unit 1 advances to pelamere", "A 1 07017"),
            ("attack Pelamere with unit 1", "A 1 07017"),
            ("send 1 to the Port of Tyre!", "A 1 00101"),
            ("advance 1 to Pelamree", "A 1 07017"),
            ("advence 1 Pelamere", "A 1 07017"),
            ("attack Pelamere with the Old Guard", "A 9 07017"),
            ("M 4 NW", "M 4 8"),
            ("move 4 nw, north", "M 4 81"),
            ("move 4 to Pelamere", "A 4 07017"),
            ("C 3 light tanks", "C 3 2"),
            ("build Infantry in Pelamere", "C 3 1"),
            ("strike Pelamere from 12345", "K 12345 07017"),
            ("strike 12345 pelamere", "K 12345 07017"),
            ("declare war on player 3", "3E"),
            ("stop 2", "M 2 0"),
            ("hold 2", "M 2 0"),
            ("please wait, 5", "M 5 0"),
            ("P 3 infantry, light tank, infantry", "P 3 1 2 1"),
            ("P Pelamere 2 infantry and a light tank", "P 3 1 1 2"),
        ] {
            assert_eq!(orders(line), [want], "{line}");
        }
        let mixed =
            ["send the Old Guard and riders 1 and 3 to Pelamere", "A old guard, rider 1,3 07017"];
        for list in mixed {
            assert_eq!(orders(list), [9, 1, 3].map(|n| format!("A {n} 07017")), "{list}");
        }
        for list in [
            "A 1-3,7 07017",
            "a 1 - 3, 7 pelamere",
            "advance 1-3 and 7 to Pelamere",
            "advance units 1-3 and unit 7 to Pelamere",
        ] {
            assert_eq!(orders(list), [1, 2, 3, 7].map(|n| format!("A {n} 07017")), "{list}");
        }
        for list in ["hold 2, 3", "wait 2 and 3", "stop 2-3"] {
            assert_eq!(orders(list), ["M 2 0", "M 3 0"], "{list}");
        }
    }

    #[test]
    fn what_is_right_or_no_order_or_may_be_two_things_is_not_read() {
        for line in [
            "A 1 07017",
            "a1 07017",
            "send 12 20260",
            "wait 5 12",
            "wait 5 minutes",
            "hold 12345",
            "attack is the best defence",
            "we attack Pelamere with unit 1 tomorrow, I think",
            "attack Pelamere",
            "A 1 Nowhere",
            "A 1-300 Pelamere",
            "C 1 3",
            "C 1 123",
            "Z 5",
            "",
            "; A 1 Pelamere",
        ] {
            assert_eq!(reader().read(line), Reading::No, "{line}");
        }
        assert_eq!(orders("A 1 Twin"), ["?", "A 1 1", "A 1 2"]);
        assert!(may_be_words(&FORMS, Frames::none(), "Unit 3 advances"));
        assert!(may_be_words(&FORMS, Frames::none(), "Please let the city of mine build infantry"));
        assert!(!may_be_words(&FORMS, Frames::none(), "Hello robot"));
    }

    #[test]
    fn an_order_that_needs_a_section_is_none_without_one() {
        assert_eq!(below("{within} BA5", "@TU").as_deref(), Some("BA5"));
        assert_eq!(below("{within} BA5", "@"), None);
        assert_eq!(below("@ RA5 {above}", "@TU").as_deref(), Some("@ RA5 @TU"));
        assert_eq!(below("A 1 2", "@").as_deref(), Some("A 1 2"));
    }

    #[test]
    fn the_section_of_a_line_is_its_last() {
        for (line, want) in [
            ("@TU BA5", Some("@TU")),
            ("@tu BA5 @ RA40", Some("@")),
            ("@ gr", Some("@GR")),
            ("@ S3RU", Some("@")),
            ("BA5", None),
        ] {
            assert_eq!(section(line).as_deref(), want, "{line}");
        }
    }

    #[test]
    fn a_word_that_is_no_name_is_told_with_the_nearest_ones() {
        let told = |line: &str| reader().unknown(line);
        let near = vec![("PELAMERE".to_owned(), "07017".to_owned())];
        assert_eq!(told("A 1 Pelaport"), Some(("PELAPORT".to_owned(), near)));
        assert_eq!(told("advance 1 to Zzyzx"), Some(("ZZYZX".to_owned(), Vec::new())));
        for line in ["A 1 Pelamere", "Hello Pelaport", "A 1 99"] {
            assert_eq!(told(line), None, "{line}");
        }
    }

    #[test]
    fn slips_are_looked_for_in_so_many_lines_and_exact_words_in_all() {
        let reader = reader();
        let slip = |n: u32| reader.read(&format!("A {n} Pelamree"));
        for n in 1..=PATIENCE {
            assert_ne!(slip(n), Reading::No, "{n}");
        }
        assert_eq!(slip(PATIENCE + 1), Reading::No);
        // A line that was read before takes no time.
        assert_ne!(slip(1), Reading::No);
        assert_ne!(reader.read("A 1 Pelamere"), Reading::No);
    }

    #[test]
    fn a_slip_is_one_letter() {
        for (one, other, is) in [
            ("ADVANCE", "ADVENCE", true),
            ("ADVANCE", "ADVNCE", true),
            ("ADVANCE", "ADVVANCE", true),
            ("ADVANCE", "ADAVNCE", true),
            ("ADVANCE", "ADVANCED", true),
            ("ADVANCE", "DAVANCED", false),
            ("ADVANCE", "AVDNACE", false),
            ("ADVANCE", "ADVANCING", false),
            ("R\u{dc}CKT", "RUCKT", true),
        ] {
            assert_eq!(forms::is_one_slip(one, other), is, "{one} {other}");
            assert_eq!(strsim::osa_distance(one, other) <= 1, is, "{one} {other}");
        }
    }

    #[test]
    fn names_are_found_with_a_slip_and_as_codes() {
        let names = reader().names().clone();
        assert_eq!(names.find("place", "port tyre"), ["00101"]);
        assert_eq!(names.find("place", "Pelamer"), ["07017"]);
        assert_eq!(names.find("place", "12345"), ["12345"]);
        assert_eq!(names.find("place", "twin"), ["1", "2"]);
        assert!(names.find("place", "").is_empty());
    }
}
