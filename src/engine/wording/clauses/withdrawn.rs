//! Lines about orders that are on file: `forget the attack on Kiel` takes one back, `unit 5 stays
//! instead` puts another one in its place.
//!
//! Each order on file is read back into the rows that write it. A word of the line is accounted for
//! where it names what fills a role of such a row, or is a verb of it; orders are only taken back
//! where every word that says something is accounted for, else it is asked.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Deref;

use super::nouns::Nouns;
use super::{Above, Parser};
use crate::wording::frames::{Fill, Frame, Takes};
use crate::wording::speech::{
    ALL, AND, BACK, BOTH, FIX, IDLE, INSTEAD, LEAD, NOT, OWNS, PREPOSITIONS, SPEECH, THEN, folded,
};
use crate::wording::tokens::{Kind, Token};
use crate::wording::unwritten::{Bound, unwritten};
use crate::wording::{ABOVE, Reader, Reading, WITHIN};

/// Orders on file that a line is compared with, at most.
const ON_FILE_MAX: usize = 200;
/// Signs between the parts of a line at which it is taken apart, at most.
const PARTS_MAX: usize = 6;
/// Sets of orders among which is asked, at most.
const ASKED_MAX: usize = 4;

/// What a line takes back of the orders on file, each by its place among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Withdrawn {
    /// These.
    Orders {
        /// What is taken back.
        taken: Vec<usize>,
        /// What the rest of the line says that is to be done: orders, or its words where their place
        /// is not said.
        rest: Vec<String>,
    },
    /// One of several sets.
    Several {
        /// What may be taken back.
        sets: Vec<Vec<usize>>,
        /// Words of the line that are not accounted for.
        left: Vec<String>,
    },
    /// None of them fits.
    Nothing,
}

/// The rows that write an order, each with what fills its roles.
type Rows = Vec<(usize, Bound)>;

/// Tokens of a line, one bit for each.
type Mask = u64;

/// An order on file, as far as a line speaks of it.
#[derive(Debug, Clone, Copy)]
struct Spoken {
    /// Its place among the orders on file.
    at: usize,
    /// The tokens that it accounts for.
    mask: Mask,
    /// Whether they say which one it is: its unit or a place, not only its kind.
    sure: bool,
    /// The roles of its row that they name, one bit for each.
    roles: u32,
}

/// Whether a line may be about orders on file: it has a word that takes something back, or puts
/// something in the place of another.
pub fn may_change(line: &str) -> bool {
    const WORDS_MAX: usize = 4;
    let parts = |c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '\u{2019}');
    let words = line.split(parts).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(folded).collect();
    let back = |w: &String| SPEECH.back.iter().any(|(verb, _)| verb == w);
    let small = |phrase: &[String]| {
        SPEECH.of(&phrase.join(" ")).is_some_and(|m| m.is(BACK | INSTEAD | NOT | FIX))
    };
    words.iter().any(back) || (1..=WORDS_MAX).any(|n| words.windows(n).any(small))
}

impl Reader {
    /// Whether a line takes back what was ordered before, in words for that.
    pub fn takes_back(&self, line: &str) -> bool {
        let above = Above::default();
        may_change(line) && {
            let parser = self.parser(line, &above, false, false);
            !self.frames.is_empty() && back(&parser, (0, parser.tokens.len())) != 0
        }
    }
}

/// The orders of a seat that are on file, each with the section that it stands in: `@TU AC5BU`.
#[derive(Debug)]
pub struct OnFile<'r> {
    reader: &'r Reader,
    orders: &'r [String],
    /// Each as the rows that write it; made for the first line that is compared with them.
    rows: OnceCell<Vec<Rows>>,
}

impl Deref for OnFile<'_> {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        self.reader
    }
}

impl<'r> OnFile<'r> {
    /// Orders with the reader of lines about them.
    pub fn new(reader: &'r Reader, orders: &'r [String]) -> Self {
        Self { reader, orders, rows: OnceCell::new() }
    }

    /// Whether a line says that its orders take the place of others: `unit 5 stays instead`. The
    /// first line of a mail may also correct what an earlier mail has said: `no wait, unit 5 stays`.
    pub fn puts_instead(&self, line: &str, first: bool) -> bool {
        if self.frames.is_empty() || !may_change(line) {
            return false;
        }
        let above = Above::default();
        let parser = self.parser(line, &above, false, false);
        let says = |t: &Token| t.is(INSTEAD) || is_instead_of(t);
        parser.tokens.iter().any(says) || first && parser.takes_back()
    }

    /// Whether a line that puts orders in the place of others says so in words that mean nothing
    /// else: `only` and `rather` may.
    pub fn is_plain(&self, line: &str, first: bool) -> bool {
        const WEAK: [&str; 8] =
            ["ONLY", "RATHER", "NUR", "DOCH", "LIEBER", "NUR NOCH", "DOCH LIEBER", "CORRECTION"];
        let above = Above::default();
        let parser = self.parser(line, &above, false, false);
        let strong =
            |t: &Token| is_instead_of(t) || t.is(INSTEAD) && !WEAK.contains(&t.key.as_str());
        parser.tokens.iter().any(strong) || first && parser.takes_back()
    }

    /// What a line takes back of the orders on file; `None` where it takes nothing back.
    pub fn withdrawn(&self, line: &str) -> Option<Withdrawn> {
        if self.frames.is_empty() || !may_change(line) || self.fuel.get() == 0 {
            return None;
        }
        let above = Above::default();
        let parser = self.parser(line, &above, true, false);
        if parser.is_too_long() || parser.asks() {
            return None;
        }
        let whole = (0, parser.tokens.len());
        let negated = parser.tokens.iter().any(|t| t.is(NOT));
        let says = back(&parser, whole) != 0;
        // `unit 5 stays after all` is an order.
        let reads = !says && matches!(self.read(line), Reading::Orders(_) | Reading::Several(_));
        if !says && (parser.tokens.iter().any(is_instead_of) || !negated && reads) {
            return None;
        }
        let found = self.withdrawn_by(&parser);
        self.fuel.set(self.fuel.get().saturating_sub(parser.used()));
        // `unit 5 does not go to Kiel, it stays` is one too, and takes one back.
        let does =
            |found: &Withdrawn| matches!(found, Withdrawn::Orders { rest, .. } if !rest.is_empty());
        found.filter(|found| !reads || does(found))
    }

    /// The orders that a line puts in the place of others, and its words without those behind
    /// `instead of`, which say of which. `None` where it is not read.
    pub fn put_instead(&self, line: &str) -> Option<(Vec<String>, String)> {
        if let Reading::Orders(orders) = self.read(line) {
            return Some((orders, line.to_owned()));
        }
        let above = Above::default();
        let parser = self.parser(line, &above, false, false);
        let at = parser.tokens.iter().position(is_instead_of)?;
        let end = (at..parser.tokens.len()).find(|n| parser.tokens[*n].kind != Kind::Word);
        let text = |from: usize, end: usize| {
            let (from, end) = (parser.tokens.get(from)?.span.0, parser.tokens.get(end)?.span.1);
            parser.line.get(from..end)
        };
        let before = at.checked_sub(1).and_then(|last| text(0, last));
        let behind = end.and_then(|end| text(end + 1, parser.tokens.len() - 1));
        let rest = [before, behind].into_iter().flatten().collect::<Vec<_>>().join(", ");
        match self.read(&rest) {
            Reading::Orders(orders) => Some((orders, rest)),
            _ => None,
        }
    }

    fn withdrawn_by(&self, parser: &Parser<'_>) -> Option<Withdrawn> {
        let on_file = self.orders;
        let rows = self.rows();
        let all = parser.tokens.len();
        let parts = |t: &Token| t.kind != Kind::Word || t.is(AND | THEN);
        let signs = (1..all.saturating_sub(1)).filter(|n| parts(&parser.tokens[*n]));
        let signs: Vec<usize> = signs.take(PARTS_MAX).collect();
        if let Some(taken) = parts_of(parser, &signs, rows) {
            return Some(Withdrawn::Orders { taken, rest: Vec::new() });
        }
        // `forget the attack on Kiel, unit 5 stays`.
        for at in signs {
            let (first, second) = ((0, at), (at + 1, all));
            for (back, rest) in [(first, second), (second, first)] {
                let Some(Found::Sure(taken)) = spoken_in(parser, back, rows) else { continue };
                let (from, end) = (parser.tokens[rest.0].span.0, parser.tokens[rest.1 - 1].span.1);
                let rest = parser.line.get(from..end).unwrap_or_default().trim();
                // `unit 5 no longer goes to Kiel, it stays`.
                let mut above = Above::default();
                for order in taken.iter().map(|at| &on_file[*at]) {
                    above.hear((self.frames, self.names()), order);
                }
                if let Reading::Orders(orders) = self.read_below(rest, &mut above) {
                    let placed = orders.iter().all(|order| !order.contains('{'));
                    let rest = if placed { orders } else { vec![rest.to_owned()] };
                    return Some(Withdrawn::Orders { taken, rest });
                }
            }
        }
        match spoken_in(parser, (0, all), rows)? {
            Found::Sure(taken) => Some(Withdrawn::Orders { taken, rest: Vec::new() }),
            Found::Asked(sets, left) => {
                let words = (0..all).filter(|n| left & 1 << n != 0);
                let word = |n: usize| {
                    let (from, end) = parser.tokens[n].span;
                    parser.line.get(from..end).map(str::to_owned)
                };
                Some(Withdrawn::Several { sets, left: words.filter_map(word).collect() })
            }
            Found::Nothing => Some(Withdrawn::Nothing),
        }
    }

    fn rows(&self) -> &[Rows] {
        let rows = |order: &String| unwritten(self.frames, self.names(), order);
        self.rows.get_or_init(|| self.orders.iter().take(ON_FILE_MAX).map(rows).collect())
    }

    /// The orders on file whose place new ones take: `alike` says something else of the same thing
    /// in the same way; `others` say anything of it.
    pub fn replaced(&self, new: &[String]) -> Replaced {
        let on_file = self.orders;
        let old = self.rows();
        let mut found = Replaced::default();
        let bare = |order: &String| order.trim_end_matches(ABOVE).trim().to_owned();
        let new: Vec<String> = new.iter().map(bare).collect();
        for order in new.iter().filter(|order| !on_file.contains(order)) {
            // Where its place is not said, it is that of the order on file.
            let (anywhere, order) = match order.strip_prefix(WITHIN) {
                Some(order) => (true, order.trim().to_owned()),
                None => (false, order.clone()),
            };
            let own = unwritten(self.frames, self.names(), &order);
            let scores = old.iter().enumerate().filter(|(at, _)| !new.contains(&on_file[*at]));
            let scores = scores.filter(|(at, _)| anywhere || home(&on_file[*at]) == home(&order));
            let mut alike: Vec<(usize, usize)> = Vec::new();
            for (at, rows) in scores {
                let pairs = own.iter().flat_map(|a| rows.iter().map(move |b| (a, b)));
                let same = pairs.clone().filter(|(a, b)| {
                    letters(&self.frames.all[a.0]) == letters(&self.frames.all[b.0])
                });
                let score = same.filter_map(|(a, b)| self.likeness(a, b)).max();
                if let Some(score) = score.filter(|_| !found.alike.contains(&at)) {
                    alike.push((score, at));
                } else if pairs.into_iter().any(|(a, b)| self.is_of_the_same(a, b)) {
                    found.others.push(at);
                }
            }
            let best = alike.iter().map(|(score, _)| *score).max();
            let best = alike.iter().filter(|(score, _)| Some(*score) == best).map(|(_, at)| *at);
            let best: Vec<usize> = best.collect();
            let texts: BTreeSet<&String> = best.iter().map(|at| &on_file[*at]).collect();
            // Which of several different ones is meant can't be told.
            match texts.len() {
                1 => found.alike.extend(best.first()),
                n if n > 1 && n <= new.len() => found.alike.extend(best),
                _ => {}
            }
        }
        found.others.sort_unstable();
        found.others.dedup();
        found
    }

    /// In how many roles two orders of the same letters are alike; `None` where they are of
    /// different things.
    fn likeness(&self, (a, bound): &(usize, Bound), (b, other): &(usize, Bound)) -> Option<usize> {
        let of = |frame: &Frame, bound: &Bound| subjects(frame, bound, self.reader);
        let (frame, old) = (&self.frames.all[*a], &self.frames.all[*b]);
        let (mine, theirs) = (of(frame, bound), of(old, other));
        if mine.is_disjoint(&theirs) && !(mine.is_empty() && theirs.is_empty()) {
            return None;
        }
        let roles = frame.roles.iter().zip(bound);
        let same = roles.filter(|(role, codes)| {
            let at = old.roles.iter().position(|r| r.name == role.name);
            codes.is_some() && at.is_some_and(|at| other[at] == **codes)
        });
        Some(same.count())
    }

    fn is_of_the_same(&self, (a, bound): &(usize, Bound), (b, other): &(usize, Bound)) -> bool {
        let mine = subjects(&self.frames.all[*a], bound, self.reader);
        !mine.is_disjoint(&subjects(&self.frames.all[*b], other, self.reader))
    }
}

/// The orders on file whose place others take; see [`OnFile::replaced`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replaced {
    /// Orders of the same kind about the same thing.
    pub alike: Vec<usize>,
    /// Other orders about it.
    pub others: Vec<usize>,
}

/// What an order is about: things of which a row makes one order for each, but places.
fn subjects(frame: &Frame, bound: &Bound, reader: &Reader) -> BTreeSet<(&'static str, String)> {
    let roles = frame.roles.iter().zip(bound);
    let found = roles.filter_map(|(role, codes)| match (&role.takes, codes) {
        (Takes::Things(sort), Some(codes))
            if role.fill == Fill::Each && reader.names().amounts.parts(sort).is_none() =>
        {
            Some(codes.iter().map(move |code| (*sort, code.clone())))
        }
        _ => None,
    });
    found.flatten().collect()
}

/// Whether a token stands before what something takes the place of.
fn is_instead_of(token: &Token) -> bool {
    const OF: [&str; 6] =
        ["INSTEAD OF", "RATHER THAN", "STATT", "ANSTATT", "ANSTELLE", "IN PLACE OF"];
    OF.contains(&token.key.as_str())
}

/// The section that an order on file stands in.
fn home(order: &str) -> &str {
    order.split(' ').next().filter(|word| word.starts_with('@')).unwrap_or("@")
}

/// The letters that the orders of a row begin with.
fn letters(frame: &Frame) -> &str {
    let writes = frame.writes.trim_start_matches(WITHIN).trim_end_matches(ABOVE).trim();
    writes.split('{').next().unwrap_or_default().trim()
}

/// What a part of a line takes back.
enum Found {
    Sure(Vec<usize>),
    Asked(Vec<Vec<usize>>, Mask),
    Nothing,
}

/// The tokens of a part of a line that say that something is taken back.
fn back(parser: &Parser<'_>, (from, end): (usize, usize)) -> Mask {
    let tokens = &parser.tokens[from..end];
    let mut mask = 0;
    for (n, token) in tokens.iter().enumerate() {
        if token.is(BACK) {
            mask |= 1 << (from + n);
        }
        let apart = SPEECH.back.iter().filter(|(verb, _)| *verb == token.key);
        for (_, particle) in apart {
            if let Some(more) = tokens[n + 1..].iter().position(|t| t.key == *particle) {
                mask |= 1 << (from + n) | 1 << (from + n + 1 + more);
            }
        }
    }
    mask
}

/// The tokens that say that something stays as it is, where that needs no order, in a part of a line
/// that says that it takes the place of something: `fleet 2 stays after all`.
fn idles(parser: &Parser<'_>, (from, end): (usize, usize)) -> Mask {
    if !parser.tokens[from..end].iter().any(|t| t.is(INSTEAD)) {
        return 0;
    }
    let nothing = |n: &usize| {
        let hits = &parser.hits[*n];
        hits.iter().any(|hit| parser.frames.all[hit.frame].writes.is_empty())
    };
    (from..end).filter(nothing).fold(0, |mask, n| mask | 1 << n)
}

/// What a part of a line takes back of the orders on file; `None` where it takes nothing back.
fn spoken_in(parser: &Parser<'_>, (from, end): (usize, usize), on_file: &[Rows]) -> Option<Found> {
    let said = back(parser, (from, end)) | idles(parser, (from, end));
    let tokens = &parser.tokens[from..end];
    if said == 0 && !tokens.iter().any(|t| t.is(NOT)) {
        return None;
    }
    const SMALL: u32 = IDLE | PREPOSITIONS | AND | THEN | BACK | INSTEAD | NOT | LEAD | OWNS | FIX;
    let tells = |n: &usize| {
        let token = &parser.tokens[*n];
        token.kind == Kind::Word && !token.is(SMALL | ALL | BOTH) && said & 1 << n == 0
    };
    let all: Mask = (from..end).filter(tells).fold(0, |all, n| all | 1 << n);
    let found: Vec<Spoken> = (on_file.iter().enumerate())
        .filter_map(|(at, rows)| spoken(parser, (from, end), (at, rows)))
        .collect();
    if parser.is_spent() {
        return (said != 0).then_some(Found::Nothing);
    }
    let every = tokens.iter().any(|t| t.is(ALL | BOTH));
    // Two clauses say two things.
    let verbs = (from..end).filter(|n| parser.is_verb(*n) && !parser.tokens[*n].is(BACK)).count();
    if verbs > 1 && tokens.iter().any(|t| t.kind != Kind::Word) {
        return (said != 0).then_some(Found::Nothing);
    }
    let whole: Vec<&Spoken> = found.iter().filter(|f| f.mask & all == all).collect();
    // Those that the line says the most of.
    let most: Vec<&Spoken> = match whole.is_empty() {
        true => {
            let less =
                |f: &Spoken| found.iter().any(|g| f.mask & g.mask == f.mask && f.mask != g.mask);
            found.iter().filter(|f| !less(f)).collect()
        }
        false => whole,
    };
    // What is done is called by many nouns.
    let deed = |n: &usize| SPEECH.deeds.contains(&parser.tokens[*n].key);
    let deeds = (from..end).filter(deed).fold(0, |mask, n| mask | 1 << n);
    let all = if most.iter().any(|f| f.sure) { all & !deeds } else { all };
    let union = most.iter().fold(0, |mask, f| mask | f.mask) & all;
    let taken: Vec<usize> = most.iter().map(|f| f.at).collect();
    // What is not to be done says nothing of orders that nobody gave.
    if taken.is_empty() || all == 0 {
        return (said != 0).then_some(Found::Nothing);
    }
    let sure = taken.len() == 1 || every || most.iter().all(|f| f.sure);
    // `units 1 and 2` are of two orders; `unit 1` and `Kiel` of two orders are of none.
    let listed = most.iter().all(|f| f.mask & all == all || f.roles == most[0].roles);
    if union == all && sure && listed {
        return Some(Found::Sure(taken));
    }
    if said == 0 {
        return None;
    }
    if taken.len() >= ASKED_MAX {
        return Some(Found::Nothing);
    }
    let mut sets: Vec<Vec<usize>> = if listed { vec![taken.clone()] } else { Vec::new() };
    if taken.len() > 1 {
        sets.extend(taken.iter().map(|at| vec![*at]));
    }
    Some(Found::Asked(sets, all & !union))
}

/// What the parts of a line take back together, each by itself: `forget the general, and unit 1 does
/// not go to Kiel`. `None` where one of them takes back nothing.
fn parts_of(parser: &Parser<'_>, signs: &[usize], on_file: &[Rows]) -> Option<Vec<usize>> {
    if signs.is_empty() {
        return None;
    }
    let mut taken = BTreeSet::new();
    let mut from = 0;
    for end in signs.iter().copied().chain([parser.tokens.len()]) {
        // `, and`.
        if end > from {
            let Some(Found::Sure(more)) = spoken_in(parser, (from, end), on_file) else {
                return None;
            };
            taken.extend(more);
        }
        from = end + 1;
    }
    (!taken.is_empty()).then(|| taken.into_iter().collect())
}

/// How far a part of a line speaks of an order on file.
fn spoken(
    parser: &Parser<'_>,
    (from, end): (usize, usize),
    (at, rows): (usize, &Rows),
) -> Option<Spoken> {
    if parser.is_spent() {
        return None;
    }
    parser.burn(1 + (rows.len() * (end - from)) as u32);
    let mut best = Spoken { at, mask: 0, sure: false, roles: 0 };
    for (n, bound) in rows {
        let (n, frame) = (*n, &parser.frames.all[*n]);
        let mut one = Spoken { at, mask: 0, sure: false, roles: 0 };
        for token in from..end {
            let alike =
                |frame: usize| letters(&parser.frames.all[frame]) == letters(&parser.frames.all[n]);
            let hits = parser.hits[token].iter().filter(|hit| hit.frame == n || alike(hit.frame));
            for hit in hits {
                one.mask |= (token..token + hit.len).fold(0, |all, n| all | 1 << n);
                let particle = hit
                    .needs
                    .as_ref()
                    .and_then(|particle| (token..end).find(|n| parser.tokens[*n].key == *particle));
                one.mask |= particle.map_or(0, |n| 1 << n);
            }
            for (place, (role, codes)) in frame.roles.iter().zip(bound).enumerate() {
                match (&role.takes, codes) {
                    (Takes::Literal(words), _) if words.contains(&parser.tokens[token].key) => {
                        one.mask |= 1 << token;
                    }
                    (Takes::Things(sort), Some(codes)) => {
                        let nouns = Nouns(parser).of(role, token);
                        let names = nouns.iter().filter(|noun| {
                            noun.end <= end && noun.codes.iter().any(|code| codes.contains(code))
                        });
                        let Some(noun) = names.max_by_key(|noun| noun.end) else { continue };
                        one.mask |= (token..noun.end).fold(0, |all, n| all | 1 << n);
                        one.sure |= role.fill == Fill::Each || parser.names.is_place(sort);
                        one.roles |= 1 << place.min(31);
                    }
                    _ => {}
                }
            }
        }
        if one.mask.count_ones() > best.mask.count_ones() {
            best = one;
        }
    }
    (best.mask != 0).then_some(best)
}
