//! A line as clauses: each a verb with its roles, in any order; the next one may take over what the
//! one before has said. Only readings in which every word has its role count.

mod amounts;
mod bearing;
mod fit;
mod nouns;
mod numbers;
mod partly;
mod places;
mod said;
mod sets;
mod spotted;
mod taken;
mod whose;
mod withdrawn;
mod written;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub use self::partly::Partly;
pub(super) use self::partly::partly;
pub use self::said::Above;
pub use self::withdrawn::{OnFile, Replaced, Withdrawn, may_change};

pub(super) use self::places::places;

use self::fit::{So, State};
use self::nouns::{Noun, Nouns};
use self::partly::{behind_chatter, lacks_verb};
use self::said::{Left, SoFar};
use self::spotted::Spots;
use self::written::written;
use super::frames::{Fill, Frames, Hit, Takes};
use super::names::{Names, singular};
use super::speech::{
    ALL, AND, ASKS, BEGS, BOTH, FIX, IDLE, IF, LEAD, NOT, POLITE, PREPOSITIONS, REST, SPEECH, THEM,
    THEN, THERE, WHY,
};
use super::tokens::{Kind, Token, mended, tokens};
use super::{LINE_ORDERS_MAX, Reader, SEVERAL_MAX};
use crate::effort;

/// Steps of work for one line, at most.
const FUEL: u32 = 12_000;
/// Tokens of a line that is looked at, at most.
const TOKENS_MAX: usize = 48;
/// How much odder than two clauses one name with an `and` in it is.
const NAME_WITH_AND: u32 = 14;
/// Parts of a line that are tried as one order in the form of a card, at most.
const CODED_MAX: usize = 8;
/// How odd it is to pass over a part of a line that says nothing.
const CHATTER: u32 = 6;
/// Readings of one clause, at most.
const CLAUSES_MAX: usize = 64;
/// A clause as it was said.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Clause {
    end: usize,
    /// By role, the codes that fill it.
    bound: Vec<Option<Vec<String>>>,
    /// The token of its verb, where it was said.
    verb: Option<usize>,
    /// Whether an amount lacks the noun that it needs.
    bare: bool,
    /// How far it is from how people usually say it.
    odd: u32,
    /// The tokens that it leaves out.
    left: Left,
    /// Whether it is meant from now on.
    lasts: bool,
    /// Whether it says what is not to be done.
    negated: bool,
}

/// Whether a word begins a clause where a list may go on at a token: `thirty army and let the planes
/// go`.
fn begins(parser: &Parser<'_>, listed: usize, token: &Token) -> bool {
    let listed = listed.checked_sub(1).is_some_and(|n| parser.tokens[n].is(AND));
    listed && matches!(token.key.as_str(), "LET" | "LASS" | "LASST")
}

/// Words by which something is meant for more than a turn.
pub(super) const LASTING: [&str; 12] = [
    "FROM NOW ON",
    "FROM TODAY",
    "FROM TODAY ON",
    "HENCEFORTH",
    "IN FUTURE",
    "UNTIL I SAY OTHERWISE",
    "UNTIL FURTHER NOTICE",
    "AB JETZT",
    "AB SOFORT",
    "VON JETZT AN",
    "KUENFTIG",
    "BIS AUF WEITERES",
];

/// Whether a token says that something is meant for more than a turn.
fn is_lasting(token: &Token) -> bool {
    LASTING.contains(&token.key.as_str())
}

/// Words by which a part of a line does what the one before does.
pub(super) const TOO: [&str; 21] = [
    "THE SAME",
    "SAME",
    "GLEICHFALLS",
    "TOO",
    "AS WELL",
    "ALSO",
    "AUCH",
    "EBENFALLS",
    "INSTEAD",
    "LIKEWISE",
    "DOES THE SAME",
    "DO THE SAME",
    "SAME FOR",
    "THE SAME FOR",
    "SAME GOES FOR",
    "THE SAME GOES FOR",
    "EBENSO",
    "GENAUSO",
    "DASSELBE",
    "MACHT DASSELBE",
    "DAS GLEICHE",
];

/// What may be asked about again: sort, token, and how the role takes it.
type NounKey = (&'static str, usize, Fill, (bool, bool));

/// By row and token, the readings of a clause.
type Clauses = BTreeMap<(usize, usize), Rc<[Clause]>>;

/// Reads one line.
pub(super) struct Parser<'r> {
    pub names: &'r Names,
    frames: &'r Frames,
    above: &'r Above,
    pub tokens: Vec<Token>,
    line: &'r str,
    hits: Vec<Vec<Hit>>,
    fuel: Cell<u32>,
    /// Whether a clause may end wherever all of its roles are filled.
    loose: bool,
    /// How much of the line may be left out.
    spare: u32,
    /// Whether the order of the words does not matter.
    spots: bool,
    /// Whether a reading of the whole line says what needs no order.
    pub idle: Cell<bool>,
    /// Whether a number of things is what an order counts, and not what makes so many.
    pub as_said: bool,
    /// Whether the two are not the same somewhere.
    pub converts: Cell<bool>,
    reader: &'r Reader,
    nouns: RefCell<BTreeMap<NounKey, Rc<[Noun]>>>,
    clauses: RefCell<Clauses>,
}

/// A way to read a whole line.
#[derive(Debug, Clone)]
pub(super) struct Cover {
    /// How far it is from how people usually say it.
    odd: u32,
    /// The tokens that were left out.
    left: Left,
    /// The orders of its last clause, before they are joined with others.
    pub written: Vec<String>,
    pub orders: Vec<String>,
    /// What the lines below may refer to.
    pub above: Above,
}

impl<'r> Parser<'r> {
    /// A parser of a line, whose mistyped words are words of the vocabulary.
    pub fn new(
        reader: &'r Reader,
        line: &'r str,
        above: &'r Above,
        (vocabulary, loose): (Option<&BTreeSet<String>>, bool),
    ) -> Self {
        let (names, frames) = (reader.names(), reader.frames);
        let known = |code: &str| names.is_known(code);
        let coded = |word: &str| names.is_any_code(word) || reader.is_part_of_name(word);
        let mut tokens = tokens(line, &coded, &known);
        tokens.truncate(TOKENS_MAX + 1);
        unconditioned(&mut tokens);
        overall_first(&mut tokens, frames.overall);
        // `IT` may be a code, where not all is in capitals.
        if line.contains(char::is_lowercase) {
            for token in &mut tokens {
                let written = line.get(token.span.0..token.span.1).unwrap_or_default();
                let short = (2..=3).contains(&written.len());
                let code = short && written.chars().all(char::is_uppercase);
                if code && token.meaning.classes != 0 && names.is_known(written) {
                    token.meaning = super::speech::Meaning::default();
                }
            }
        }
        if let Some(vocabulary) = vocabulary {
            mend(&mut tokens, vocabulary, (frames, names));
        }
        effort::count(tokens.len());
        let mut parser = Self {
            names,
            frames,
            above,
            tokens,
            line,
            hits: Vec::new(),
            fuel: Cell::new(FUEL),
            loose,
            spare: 0,
            spots: false,
            idle: Cell::new(false),
            as_said: false,
            converts: Cell::new(false),
            reader,
            nouns: RefCell::default(),
            clauses: RefCell::default(),
        };
        // `the cities that build destroyers` orders nothing.
        let told = |tokens: &[Token], at: usize| {
            let [.., noun, that] = &tokens[..at] else { return false };
            matches!(that.key.as_str(), "THAT" | "WHICH" | "WHO")
                && noun.kind == Kind::Word
                && noun.meaning.classes == 0
                && frames.verbs_at(tokens, at - 2).is_empty()
        };
        // `die Städte, die Zerstörer bauen`.
        let told = |tokens: &[Token], at: usize| {
            let [.., noun, that, what] = &tokens[..at] else { return told(tokens, at) };
            let german = matches!(that.key.as_str(), "DIE" | "DER" | "DAS" | "WELCHE")
                && noun.kind == Kind::Word
                && noun.meaning.classes == 0
                && what.meaning.classes == 0
                && frames.verbs_at(tokens, at - 3).is_empty();
            german && tokens.len() > at + 1 || told(tokens, at)
        };
        for at in 0..parser.tokens.len() {
            if told(&parser.tokens, at) {
                parser.tokens[at].meaning.classes &= !LEAD;
            }
        }
        parser.hits = (0..parser.tokens.len())
            .map(|at| match parser.tokens[at].kind {
                Kind::Word if told(&parser.tokens, at) => Vec::new(),
                Kind::Word => frames.verbs_at(&parser.tokens, at),
                _ => Vec::new(),
            })
            .collect();
        parser
    }

    /// Whether a line is too long to be an order.
    pub fn is_too_long(&self) -> bool {
        self.tokens.len() > TOKENS_MAX
    }

    /// An order like the one that the line seems to be meant as, with what of it is understood and
    /// else with things of the seat.
    pub fn example(&self) -> Option<String> {
        let rows: BTreeSet<usize> = self.hits.iter().flatten().map(|hit| hit.frame).collect();
        let filled = |n: &usize| {
            let frame = &self.frames.all[*n];
            let mut found = 0;
            let mut taken = 0;
            let bound: Option<Vec<Option<Vec<String>>>> = (frame.roles.iter())
                .map(|role| {
                    let Takes::Things(sort) = role.takes else {
                        return Some(Some(vec![crate::wording::frames::NAME.to_owned()]));
                    };
                    let said = (taken..self.tokens.len()).find_map(|at| {
                        let nouns = Nouns(self).of(role, at);
                        let noun =
                            nouns.iter().find(|n| n.said && !n.codes[0].starts_with('\u{1}'))?;
                        Some((noun.end, noun.codes.clone()))
                    });
                    if let Some((end, codes)) = said {
                        (found, taken) = (found + 1, end);
                        return Some(Some(codes));
                    }
                    if role.optional {
                        return Some(None);
                    }
                    let usual = match self.names.amounts.pool(sort) {
                        Some(_) => Some("1".to_owned()),
                        None => self.names.all_of(sort).into_iter().next(),
                    };
                    Some(Some(vec![usual?]))
                })
                .collect();
            let orders = written(frame, &bound?, None)?;
            Some((found, orders.into_iter().next()?))
        };
        let best = rows.iter().filter_map(filled).rev().max_by_key(|(found, _)| *found);
        let (_, order) = best?;
        Some(order.replace(super::WITHIN, "").replace(super::ABOVE, "").trim().to_owned())
    }

    /// Whether a line asks about the game: a question that does not ask the robot to do something.
    fn asks(&self) -> bool {
        // `have my army take Ukraine` asks nothing.
        const ORDERS_TOO: [&str; 3] = ["HAVE", "HAS", "DO"];
        const PERSONS: [&str; 7] = ["I", "WE", "YOU", "THEY", "HE", "SHE", "ANYBODY"];
        let Some(first) = self.tokens.first() else { return false };
        // `we're neutral` asks nothing.
        let contracted = ["we'", "we\u{2019}"].iter().any(|we| {
            let start = self.line.trim_start().get(..we.len()).unwrap_or_default();
            start.eq_ignore_ascii_case(we)
        });
        let orders = ORDERS_TOO.contains(&first.key.as_str())
            && !self.tokens.get(1).is_some_and(|t| PERSONS.contains(&t.key.as_str()));
        let marked =
            self.line.trim_end().ends_with('?') || first.is(ASKS) && !orders && !contracted;
        marked && !self.tokens.iter().any(|t| t.is(BEGS))
    }

    /// Whether a token takes back what stands before it: `no wait`, or `no` between commas.
    fn is_fix(&self, at: usize) -> bool {
        let no = |t: &Token| matches!(t.key.as_str(), "NO" | "NEIN");
        let wait = |t: &Token| matches!(t.key.as_str(), "WAIT" | "WARTE");
        let comma = |at: usize| self.tokens.get(at).is_some_and(|t| t.kind == Kind::Comma);
        // `no, wait, to Kiel`.
        let behind = at.checked_sub(1).is_none_or(comma);
        let comma = comma(at + 1);
        self.tokens.get(at).is_some_and(|t| t.is(FIX) || comma && (no(t) || behind && wait(t)))
    }

    /// Whether a verb begins at a token.
    pub(super) fn is_verb(&self, at: usize) -> bool {
        self.hits.get(at).is_some_and(|hits| !hits.is_empty())
    }

    pub(super) fn burn(&self, steps: u32) {
        effort::count(steps as usize);
        self.fuel.set(self.fuel.get().saturating_sub(steps));
    }

    /// Steps of work that the line took.
    pub fn used(&self) -> u32 {
        FUEL - self.fuel.get()
    }

    fn is_spent(&self) -> bool {
        self.fuel.get() == 0
    }

    /// The token behind a reason that begins at a token: a reason goes on to the next comma. What has
    /// a verb of an order and names something may be an order, and is not passed over.
    pub(super) fn behind_reason(&self, at: usize) -> Option<usize> {
        self.tokens.get(at).filter(|t| t.is(WHY))?;
        let end = (at..self.tokens.len()).find(|n| self.tokens[*n].kind != Kind::Word);
        let end = end.unwrap_or(self.tokens.len());
        let named = |t: &Token| t.number.is_some() || self.names.is_word(&t.text);
        let orders = (at..end).any(|n| self.is_verb(n)) && self.tokens[at..end].iter().any(named);
        // `und zu damit` gives none.
        (end > at + 1 && !orders).then_some(end)
    }

    /// The next token that says something.
    pub(super) fn idle(&self, mut at: usize) -> usize {
        let first = at;
        let idle = |t: &Token| t.kind == Kind::Word && t.is(IDLE) && !begins(self, first, t);
        while self.tokens.get(at).is_some_and(idle) {
            at += 1;
        }
        at
    }

    /// The best ways to read the line; none where it is not read.
    pub fn covers(&self) -> Vec<Cover> {
        if self.is_too_long() || self.asks() {
            return Vec::new();
        }
        let mut best = Vec::new();
        self.cover(0, &self.begun(), &mut best);
        if self.is_spent() {
            return Vec::new();
        }
        best
    }

    /// Whether the line goes on with the one above: `and unit 4 too`, `no, make it 45`.
    pub fn goes_on(&self) -> bool {
        let first = self.tokens.iter().position(|t| t.kind == Kind::Word);
        let begins = |at: usize| self.tokens[at].is(AND | THEN) || self.is_fix(at);
        let refers = |t: &Token| t.is(THEM | THERE) || TOO.contains(&t.key.as_str());
        first.is_some_and(begins) || self.tokens.iter().any(refers)
    }

    /// Whether the line takes back what stands above it.
    pub fn takes_back(&self) -> bool {
        const INSTEAD: [&str; 2] = ["INSTEAD", "STATTDESSEN"];
        let first = self.tokens.iter().position(|t| t.kind == Kind::Word);
        let instead = |t: &Token| INSTEAD.contains(&t.key.as_str());
        // `unit 5 stays instead` takes nothing back from unit 4.
        first.is_some_and(|at| self.is_fix(at))
            || self.tokens.iter().any(instead) && self.tokens.iter().any(|t| t.is(THEM))
    }

    /// What was said before the line.
    fn begun(&self) -> SoFar {
        let mut begun = SoFar { above: self.above.clone(), ..SoFar::default() };
        if self.goes_on() {
            begun.frame = self.above.frame;
            begun.said = self.above.said.clone();
            begun.fixed = self.takes_back();
        }
        begun
    }

    /// Reads on from a token; what is worse than the best so far is dropped.
    fn cover(&self, from: usize, so_far: &SoFar, best: &mut Vec<Cover>) {
        self.burn(1);
        let known = best.first().map_or(u32::MAX, |b| b.odd);
        if self.is_spent() || so_far.odd > known || so_far.orders.len() > LINE_ORDERS_MAX {
            return;
        }
        let mut at = from;
        let between = |at: usize| {
            let token = &self.tokens[at];
            let small = token.is(IDLE | AND | THEN) && !self.is_fix(at) && self.hits[at].is_empty();
            token.kind != Kind::Word || small
        };
        let mut coded = None;
        while at < self.tokens.len() {
            coded = self.coded_clause(at);
            if coded.is_some() || !between(at) {
                break;
            }
            at += 1;
        }
        let lasts = so_far.lasts || self.tokens[from..at].iter().any(is_lasting);
        let so_far = &SoFar { lasts, ..so_far.clone() };
        if let Some(end) = self.behind_reason(at) {
            return self.cover(end, so_far, best);
        }
        if let Some(end) = behind_chatter(self, at) {
            let (odd, left) = (so_far.odd + CHATTER, so_far.left.more(at, end, 0));
            self.cover(end, &SoFar { odd, left, ..so_far.clone() }, best);
        }
        // `to Greece, no sorry, to Yugoslavia`: what follows takes the place of the clause before.
        if self.is_fix(at) && (so_far.frame.is_some() || so_far.orders.is_empty()) {
            let mut next = so_far.clone();
            next.taken_back = next.orders.split_off(so_far.orders.len() - so_far.last);
            (next.last, next.fixed) = (0, true);
            return self.cover(at + 1, &next, best);
        }
        if at == self.tokens.len() {
            if so_far.orders.is_empty() || so_far.negated {
                let read = so_far.frame.is_some() && so_far.left == Left::default();
                self.idle.set(self.idle.get() || read && !so_far.negated);
                return;
            }
            if so_far.odd < known {
                best.clear();
            }
            if best.iter().all(|b| b.orders != so_far.orders) && best.len() <= SEVERAL_MAX {
                let SoFar { odd, left, last, orders, above, .. } = so_far.clone();
                let written = orders[orders.len() - last..].to_vec();
                best.push(Cover { odd, left, written, orders, above });
            }
            return;
        }
        if let Some((end, orders)) = coded {
            let mut next = SoFar { odd: so_far.odd + 10, frame: None, ..so_far.clone() };
            next.orders.extend(orders);
            return self.cover(end, &next, best);
        }
        for n in self.worth(at, so_far) {
            for clause in self.clause(n, at).iter() {
                if let Some(next) = self.taken(n, clause, so_far) {
                    self.cover(clause.end, &next, best);
                }
            }
            if !self.spots {
                continue;
            }
            for clause in Spots(self).clauses(n, at) {
                if let Some(next) = self.taken(n, &clause, so_far) {
                    self.cover(clause.end, &next, best);
                }
            }
        }
        self.cover_partly(at, so_far, best);
    }

    /// A clause in the form of a card, such as `C 1 3` in `C 1 3 and E 5`: where it ends, and its
    /// orders.
    fn coded_clause(&self, at: usize) -> Option<(usize, Vec<String>)> {
        let first = &self.tokens[at];
        // `IF J1` goes on with what stands before it.
        if first.is(IF | NOT) {
            return None;
        }
        let written = self.line.get(first.span.0..first.span.1)?;
        // `B: DD 1`.
        if self.tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Comma) {
            return None;
        }
        if first.kind != Kind::Word || written.len() > 3 || !written.chars().all(char::is_uppercase)
        {
            return None;
        }
        let ends = |t: &Token| t.kind != Kind::Word || t.is(AND | THEN);
        let ends = (at + 1..self.tokens.len()).filter(|n| ends(&self.tokens[*n]));
        let mut ends: Vec<usize> = ends.chain([self.tokens.len()]).take(CODED_MAX).collect();
        // `P 1 AR, AR, TR`: the longest that is an order.
        ends.reverse();
        ends.into_iter().find_map(|end| {
            let text = self.line.get(first.span.0..self.tokens[end - 1].span.1)?;
            Some((end, self.reader.coded(text)?))
        })
    }

    /// The rows that may begin at a token: those with a verb from there on, the one before, and
    /// those that need no verb.
    fn worth(&self, at: usize, so_far: &SoFar) -> BTreeSet<usize> {
        let mut all: BTreeSet<usize> = self.hits[at..].iter().flatten().map(|h| h.frame).collect();
        all.extend(so_far.frame);
        // Another way to say the same order.
        if let Some(before) = so_far.frame.map(|n| self.frames.all[n].writes) {
            let rows = self.frames.all.iter().enumerate();
            all.extend(rows.filter(|(_, f)| f.writes == before).map(|(n, _)| n));
        }
        all.extend(so_far.verb.iter().flat_map(|at| &self.hits[*at]).map(|hit| hit.frame));
        let guessed = lacks_verb(self, at);
        let silent = self.frames.all.iter().enumerate().filter(|(_, f)| f.verbless || guessed);
        all.extend(silent.map(|(n, _)| n));
        all
    }

    /// The readings of one clause of a row that begins at a token.
    fn clause(&self, n: usize, from: usize) -> Rc<[Clause]> {
        if let Some(known) = self.clauses.borrow().get(&(n, from)) {
            return Rc::clone(known);
        }
        let frame = &self.frames.all[n];
        let mut found = BTreeSet::new();
        let bound = vec![None; frame.roles.len()];
        let mut state = State { frame, n, found: &mut found };
        let begin = So { at: from, ..So::default() };
        self.fit(&mut state, begin, &bound);
        let found: Rc<[Clause]> = found.into_iter().collect();
        self.clauses.borrow_mut().insert((n, from), Rc::clone(&found));
        found
    }
}

/// Whether a line may be a sentence of a game: a quick test without the names of a seat. It has a
/// verb of the game, or something that stands where a thing or a place may.
pub(super) fn may_be_sentence(frames: &Frames, line: &str) -> bool {
    let tokens = tokens(line, &|_| false, &|_| false);
    effort::count(tokens.len());
    let silent = frames.has_silent();
    (1..=TOKENS_MAX).contains(&tokens.len())
        && (0..tokens.len()).any(|at| {
            let token = &tokens[at];
            // A word that is not known here may be a name.
            token.kind == Kind::Word
                && (silent && token.meaning.classes == 0
                    || token.number.is_some()
                    || token.is(PREPOSITIONS | ALL | BOTH | REST)
                    || !frames.verbs_at(&tokens, at).is_empty())
        })
}

/// Lets a word that is meant of all of its sentence begin it: `in the first segment`.
fn overall_first(tokens: &mut Vec<Token>, words: &[&str]) {
    let meant = |t: &Token| words.contains(&t.key.as_str());
    let Some(at) = tokens.iter().position(meant) else { return };
    let from = tokens[..at].iter().rposition(|t| t.kind == Kind::Stop).map_or(0, |n| n + 1);
    // Two are of two sentences.
    if at == from || tokens[at + 1..].iter().any(meant) {
        return;
    }
    let word = tokens.remove(at);
    let comma = Token { kind: Kind::Comma, ..word.clone() };
    tokens.splice(from..from, [word, comma]);
}

/// Makes nothing of the `if` behind politeness: `I would be grateful, if ...`.
fn unconditioned(tokens: &mut [Token]) {
    let mut begs = false;
    for token in tokens {
        match () {
            () if token.is(POLITE) => begs = true,
            () if begs && token.is(IF) => {
                token.meaning.classes = IDLE;
                begs = false;
            }
            () if token.kind == Kind::Comma || token.is(IDLE) => {}
            () => begs = false,
        }
    }
}

/// Mends mistyped words: those that nothing knows.
fn mend(tokens: &mut [Token], vocabulary: &BTreeSet<String>, (frames, names): (&Frames, &Names)) {
    for token in tokens.iter_mut().filter(|t| t.kind == Kind::Word) {
        let known = token.meaning != super::speech::Meaning::default()
            || vocabulary.contains(&token.text)
            || vocabulary.contains(&token.key)
            || singular(&token.text).is_some_and(|one| vocabulary.contains(&one))
            || token.text.len() < 3;
        if known || frames.is_verb(&token.key) {
            continue;
        }
        let told = |word: &str| SPEECH.of(word).is_none() || frames.is_verb(word);
        let named = |word: &str| names.is_word(word);
        if let Some(word) = mended(&token.text, vocabulary, (&told, &named)) {
            let span = token.span;
            *token = Token { span, ..Token::word(word) };
        }
    }
}
