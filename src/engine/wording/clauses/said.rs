//! What the lines above and the clauses before have said: what `them`, `there` and `the rest` stand
//! for.

use std::collections::{BTreeMap, BTreeSet};

use super::Cover;
use crate::wording::frames::{Fill, Frame, Frames, Role, Takes};
use crate::wording::names::Names;
use crate::wording::unwritten::unwritten;

/// Stands for what was named last.
pub(super) const ITS: &str = "\u{1}it";
/// Stands for the place that was named last.
pub(super) const PLACE: &str = "\u{1}there";
/// Stands for all of an amount at the place that an order names.
pub(super) const EVERY: &str = "\u{1}all";
/// Stands for a part of an amount, half of it where 2 is behind it.
pub(super) const PART: &str = "\u{1}part";
/// Stands for all of an amount but the number behind it.
pub(super) const BUT: &str = "\u{1}but";
/// Stands before a set of which the nearest is meant.
pub(super) const NEAR: &str = "\u{1}near";
/// Stands before a set of which those that have orders are none.
pub(super) const LEFT: &str = "\u{1}rest";
/// Tokens that a reading leaves out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Left {
    /// How much it is.
    pub weight: u32,
    /// The token behind the last one.
    pub end: usize,
    /// One bit for each token.
    tokens: u64,
}

impl Left {
    /// What two readings of parts leave out together.
    pub fn and(self, other: Self) -> Self {
        Self {
            weight: self.weight + other.weight,
            end: self.end.max(other.end),
            tokens: self.tokens | other.tokens,
        }
    }

    /// The same, without more tokens.
    pub(super) fn more(self, from: usize, end: usize, weight: u32) -> Self {
        let tokens = (from..end).fold(self.tokens, |all, n| all | 1 << n);
        Self { weight: self.weight + weight, end, tokens }
    }

    pub(super) fn has(self, n: usize) -> bool {
        self.tokens & 1 << n != 0
    }
}

/// What was said so far: above a line, or in the clauses before one.
#[derive(Debug, Clone, Default)]
pub struct Above {
    /// By sort, what was named last.
    pub(super) last: BTreeMap<&'static str, Vec<String>>,
    /// The place that was named last.
    pub(super) place: Option<String>,
    /// By sort, everything that has got an order.
    pub(super) used: BTreeMap<&'static str, BTreeSet<String>>,
    /// The row of the last clause, what it has said by role, and the orders of its line: a line may
    /// go on with them.
    pub(in crate::wording) frame: Option<usize>,
    pub(super) said: BTreeMap<(&'static str, &'static str), Vec<String>>,
    pub(in crate::wording) orders: Vec<String>,
    /// How many orders at the end of those that it has written its last clause says, where that can
    /// be told.
    pub(in crate::wording) clause: Option<usize>,
    /// How many lines with orders there were.
    pub(in crate::wording) lines: usize,
    /// How many orders at the end of the line above the last line has taken back.
    pub(in crate::wording) taken_back: usize,
    /// How many new things of each sort come of the orders.
    pub(super) new: BTreeMap<&'static str, usize>,
    /// The block of the card that is open.
    pub(in crate::wording) block: Option<String>,
    /// Whether the lines above are those of an earlier mail.
    pub(in crate::wording) earlier: bool,
}

/// What the clauses of a line have said so far.
#[derive(Debug, Clone, Default)]
pub(super) struct SoFar {
    pub(super) odd: u32,
    /// The tokens that were left out.
    pub(super) left: Left,
    /// Whether the clause before said what is not to be done: the next one has to say what is.
    pub(super) negated: bool,
    /// Whether it was said that what follows is meant from now on.
    pub(super) lasts: bool,
    pub(super) orders: Vec<String>,
    /// The row of the clause before, and the token of its verb.
    pub(super) frame: Option<usize>,
    pub(super) verb: Option<usize>,
    /// How many orders it has written.
    pub(super) last: usize,
    /// Whether the next clause takes its place: `no wait, to Kiel`.
    pub(super) fixed: bool,
    /// What it takes the place of, where that is of the same line.
    pub(super) taken_back: Vec<String>,
    /// By role, what was said last.
    pub(super) said: BTreeMap<(&'static str, &'static str), Vec<String>>,
    /// By amount and place, what the clauses before have used.
    pub(super) spent: BTreeMap<(&'static str, String), u32>,
    pub(super) above: Above,
}

/// What the amounts of an order may lie at: a place of the seat, or what a part is taken of.
pub(super) fn holders(frame: &Frame, bound: &[Option<Vec<String>>]) -> Vec<String> {
    let holds = |role: &Role| role.name == "from" || role.parted;
    let roles = frame.roles.iter().zip(bound).filter(|(role, _)| holds(role));
    roles.filter_map(|(_, codes)| codes.clone()).flatten().collect()
}

/// The roles of a row with what fills them: where something comes from first, for `there` is where it
/// goes.
pub(super) fn origins_first<'b>(
    frame: &'b Frame,
    bound: &'b [Option<Vec<String>>],
) -> Vec<(&'b Role, &'b Option<Vec<String>>)> {
    let mut roles: Vec<_> = frame.roles.iter().zip(bound).collect();
    roles.sort_by_key(|(role, _)| role.name != "from");
    roles
}

/// The name of an amount of a mixed sort, as the names have it.
pub(super) fn part_of(names: &Names, sort: &str, part: &str) -> &'static str {
    let parts = names.amounts.parts(sort).unwrap_or_default();
    parts.iter().map(|(known, _)| *known).find(|known| *known == part).unwrap_or_default()
}

impl Above {
    /// Notes a line that has one reading, and how many orders of the line above it has taken back; the
    /// orders of the line.
    pub(in crate::wording) fn follow(
        &mut self,
        (frames, names): (&Frames, &Names),
        cover: Cover,
        back: bool,
    ) -> Vec<String> {
        let taken_back = if back { self.clause.unwrap_or_default() } else { 0 };
        let lines = self.lines + 1;
        *self = cover.above;
        (self.taken_back, self.lines) = (taken_back, lines);
        self.orders.clone_from(&cover.orders);
        let orders = match frames.blocks {
            Some(blocks) => (blocks.within)(names, cover.orders, &mut self.block),
            None => cover.orders,
        };
        // Orders that were joined can't be taken apart again.
        self.clause = orders.ends_with(&cover.written).then_some(cover.written.len());
        orders
    }

    /// Notes what a line may mean that is asked about: the rest is without what it names.
    pub(in crate::wording) fn ask_about<'a>(&mut self, all: impl Iterator<Item = &'a Self>) {
        for other in all {
            for (sort, codes) in &other.used {
                self.used.entry(sort).or_default().extend(codes.iter().cloned());
            }
        }
    }

    /// A new mail begins: what it corrects is no line right above.
    pub fn begin_mail(&mut self) {
        self.earlier = true;
    }

    /// Forgets the line of an earlier mail that the first line of a new one seems to correct.
    pub(in crate::wording) fn part_from_earlier(&mut self, corrects: bool) {
        if std::mem::take(&mut self.earlier) && corrects {
            self.frame = None;
            self.said.clear();
        }
    }

    /// How many lines with orders there were.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// How many orders at the end of the last line with orders the line below it has taken back; it
    /// is told once.
    pub fn taken_back(&mut self) -> usize {
        std::mem::take(&mut self.taken_back)
    }

    /// Codes with what `them`, `there` and `the rest` stand for; `None` where that is nothing.
    pub(super) fn meant(
        &self,
        names: &Names,
        sort: &'static str,
        (codes, role): (Vec<String>, &Role),
    ) -> Option<Vec<String>> {
        let meant = match codes.first().map(String::as_str) {
            Some(ITS) => match self.last.get(sort) {
                Some(last) => last.clone(),
                // `fly to Kiel and conquer it`.
                None if names.is_place(sort) => vec![self.place.clone()?],
                None => return None,
            },
            Some(PLACE) => vec![self.place.clone()?],
            Some(LEFT) => {
                let used = self.used.get(sort)?;
                codes[1..].iter().filter(|code| !used.contains(*code)).cloned().collect()
            }
            // Who is meant in a list can't be told.
            _ => return (!codes.iter().any(|code| code == ITS || code == PLACE)).then_some(codes),
        };
        let fits = !meant.is_empty() && (role.fill != Fill::One || meant.len() == 1);
        fits.then_some(meant)
    }

    /// Notes an order that stands above as a card writes it: a line may go on with it.
    pub(in crate::wording) fn hear(&mut self, (frames, names): (&Frames, &Names), order: &str) {
        // What stands behind it, such as `THEN S` or `!`, may have no words.
        let order = order.trim();
        let first = order.split(" THEN ").next().unwrap_or(order);
        let bare = first.trim_end_matches(['!', '*', ' ']);
        let parts = [order, first, bare].into_iter();
        let found = parts.map(|part| unwritten(frames, names, part).into_iter().next());
        let Some((n, bound)) = found.flatten().next() else { return };
        let frame = &frames.all[n];
        self.earlier = false;
        (self.frame, self.orders) = (Some(n), vec![order.to_owned()]);
        (self.clause, self.lines) = (Some(1), self.lines + 1);
        self.said.clear();
        for (role, codes) in origins_first(frame, &bound) {
            let (Takes::Things(sort), Some(codes)) = (&role.takes, codes) else { continue };
            self.note(names, sort, codes, role);
            self.said.insert((role.name, sort), codes.clone());
        }
    }

    pub(super) fn note(
        &mut self,
        names: &Names,
        sort: &'static str,
        codes: &[String],
        role: &Role,
    ) {
        self.last.insert(sort, codes.to_vec());
        if role.parted {
            let after = self.new.entry(sort).or_default();
            let new = names.new_one(sort, *after);
            *after += 1;
            // What is not known can't be meant.
            self.last.insert(sort, new.cloned().into_iter().collect());
        }
        if role.fill == Fill::Each {
            self.used.entry(sort).or_default().extend(codes.iter().cloned());
        }
        if names.is_place(sort)
            && let [place] = codes
        {
            self.place = Some(place.clone());
        }
    }
}
