//! A line that is read by a form: its words fill slots one after the other.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::forms::{Form, below, is_literal};
use super::names::is_filler;
use super::{Bound, Found, LIST_MAX, RUN_MAX, Reader, SEVERAL_MAX, WHERE};
use crate::effort;

/// The words of a line beside its verb, and what parts of them are, each found out once.
pub(super) struct Line<'l> {
    pub reader: &'l Reader,
    pub words: &'l [&'l str],
    pub slips: bool,
    pub slots: RefCell<BTreeMap<Part, Rc<[Value]>>>,
}

/// A part of a line as something of a sort: the sort, its first word, and the one behind its last.
type Part = (&'static str, usize, usize);

/// What words are as something of a sort: the codes, and whether they were named.
pub(super) type Value = (Vec<String>, bool);

impl Line<'_> {
    /// The readings by the first pattern of a form that has any.
    pub fn by_form(&self, form: &Form) -> Vec<Found> {
        for (i, slots) in form.takes.iter().enumerate() {
            let mut found = Vec::new();
            self.fit(slots, 0, &mut Vec::new(), &mut found);
            // Digits in another order than the card's are not turned round.
            let said = slots.iter().any(|s| is_literal(s));
            found.retain(|bound| i == 0 || said || bound.is_empty() || is_told(bound));
            let found: Vec<Found> = found.iter().filter_map(|b| written(form, b, said)).collect();
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    /// All ways in which the words from one on fill slots.
    fn fit(
        &self,
        slots: &[&'static str],
        from: usize,
        bound: &mut Vec<Bound>,
        found: &mut Vec<Vec<Bound>>,
    ) {
        let words = &self.words[from..];
        let Some((slot, more)) = slots.split_first() else {
            if words.iter().all(|w| is_filler(w)) {
                found.push(bound.clone());
            }
            return;
        };
        if is_literal(slot) {
            let at = words.iter().position(|w| !is_filler(w) || slot.split('|').any(|s| s == *w));
            let Some(at) = at.filter(|at| slot.split('|').any(|s| s == words[*at])) else { return };
            return self.fit(more, from + at + 1, bound, found);
        }
        let (name, sort) = slot.split_once(':').unwrap_or((slot, slot));
        let name = name.trim_end_matches(['*', '+', '&']);
        // `from` and `to` before a place say which one it is.
        let skipped = |word: &&&str| match **word {
            "FROM" => name == "from",
            "TO" | "INTO" | "ONTO" => name != "from",
            word => is_filler(word),
        };
        let start = words.iter().take_while(skipped).count();
        for begin in 0..=start {
            for end in begin + 1..=words.len() {
                let part = &words[begin..end];
                if is_filler(part[part.len() - 1]) && part.len() > 1 {
                    continue;
                }
                if let Some(stands) = self.numbered_thing(sort, &words[..begin], part) {
                    let Some(values) = stands.map(|place| vec![place]) else { continue };
                    bound.push(Bound { slot: name, values, named: true });
                    self.fit(more, from + end, bound, found);
                    bound.pop();
                    continue;
                }
                for (values, named) in self.slot(sort, from + begin, from + end).iter() {
                    bound.push(Bound { slot: name, values: values.clone(), named: *named });
                    self.fit(more, from + end, bound, found);
                    bound.pop();
                }
            }
        }
    }

    /// Where the thing stands whose number a part is, as `3` of `city 3`, for a slot that takes a
    /// place or a way and no such number; none where it is not known. `None`: it is no such part.
    fn numbered_thing(
        &self,
        sort: &'static str,
        skipped: &[&str],
        part: &[&str],
    ) -> Option<Option<String>> {
        let thing = match *skipped.last()? {
            "CITY" => "city",
            "FLEET" => "fleet",
            _ => return None,
        };
        let bare = sort.trim_end_matches(['*', '+', '&']);
        let is_number = |w: &str| w.bytes().all(|b| b.is_ascii_digit());
        if !WHERE.contains(&bare) || !is_number(part[0]) {
            return None;
        }
        let names = self.reader.names();
        let number = || part[0].trim_start_matches('0').to_owned();
        let place = names.stands.get(&(thing, number())).filter(|_| part.len() == 1).cloned();
        let fits = |place: &String| names.is_code(bare, place) || names.squares.contains(&bare);
        Some(place.filter(|place| bare != "pad" && fits(place)))
    }

    /// What the words from one to another are as something of a sort.
    fn slot(&self, sort: &'static str, begin: usize, end: usize) -> Rc<[Value]> {
        let key = (sort, begin, end);
        if let Some(known) = self.slots.borrow().get(&key) {
            return Rc::clone(known);
        }
        let found: Rc<[Value]> = self.reader.slot(sort, &self.words[begin..end], self.slips).into();
        self.slots.borrow_mut().insert(key, Rc::clone(&found));
        found
    }
}

/// Whether a name is among what fills slots.
fn is_told(bound: &[Bound]) -> bool {
    bound.iter().any(|b| b.named)
}

/// The orders of a form whose slots are filled; `said`: with words of its own beside the verb.
fn written(form: &Form, bound: &[Bound], said: bool) -> Option<Found> {
    let many = bound.iter().map(|b| b.values.len()).max().unwrap_or(1);
    let order = |i: usize| {
        let fill = |text: String, b: &Bound| {
            let value = b.values.get(i).or(b.values.first()).map_or("", String::as_str);
            text.replace(&format!("{{{}}}", b.slot), value)
        };
        bound.iter().fold(form.writes.to_owned(), fill)
    };
    let orders: Vec<String> = (0..many).map(order).collect();
    let whole = orders.iter().all(|o| !below(o, "@TU").is_none_or(|o| o.contains('{')));
    let clear = said || is_told(bound) || bound.len() == 1;
    whole.then_some(Found { orders, clear })
}

impl Reader {
    /// What words are as something of a sort.
    pub(super) fn slot(&self, sort: &'static str, words: &[&str], slips: bool) -> Vec<Value> {
        effort::count(1);
        let bare = sort.trim_end_matches(['*', '+', '&']);
        match sort.chars().last() {
            Some('*') => match words {
                [word] if let Some(list) = self.list(bare, word) => vec![list],
                _ => {
                    let one = self.one(bare, words, slips);
                    match one.is_empty() {
                        true => self.named_list(bare, words, slips).into_iter().collect(),
                        false => one.into_iter().map(|(c, n)| (vec![c], n)).collect(),
                    }
                }
            },
            Some('+') => self.run(bare, words, slips, " "),
            Some('&') => self.run(bare, words, slips, ""),
            _ => self.one(bare, words, slips).into_iter().map(|(c, n)| (vec![c], n)).collect(),
        }
    }

    fn one(&self, sort: &str, words: &[&str], slips: bool) -> Vec<(String, bool)> {
        if sort == "n" {
            let number = matches!(words, [w] if w.chars().all(|c| c.is_ascii_digit()));
            return if number { vec![(words[0].to_owned(), false)] } else { Vec::new() };
        }
        match words {
            [word] if self.names().is_code(sort, word) => vec![((*word).to_owned(), false)],
            _ => {
                let codes = self.names().named_so(sort, words, slips);
                codes.into_iter().map(|code| (code, true)).collect()
            }
        }
    }

    /// A list such as `1-4,7`: one order for each; a single one is none.
    fn list(&self, sort: &str, word: &str) -> Option<(Vec<String>, bool)> {
        if self.names().is_code(sort, word) {
            return Some((vec![word.to_owned()], false));
        }
        let mut all: Vec<u32> = Vec::new();
        for part in word.split(',') {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
            if first > last || (last - first) as usize >= LIST_MAX {
                return None;
            }
            all.extend(first..=last);
        }
        let codes: Vec<String> = all.iter().map(u32::to_string).collect();
        let fits = codes.len() <= LIST_MAX && codes.iter().all(|c| self.names().is_code(sort, c));
        fits.then_some((codes, true))
    }

    /// A list with the names of what it counts, such as `the tanks, infantry 1-3`: each part has a
    /// name of its own, for bare numbers with blanks between them are none.
    fn named_list(&self, sort: &str, words: &[&str], slips: bool) -> Option<(Vec<String>, bool)> {
        let words: Vec<&str> = words.iter().copied().filter(|w| !is_filler(w)).collect();
        let mut all: Vec<String> = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let counted = words.get(at + 1).and_then(|list| self.list(sort, list));
            let known = || !self.names().named_so(sort, &words[at..=at], slips).is_empty();
            if let Some((codes, _)) = counted.filter(|_| known()) {
                all.extend(codes);
                at += 2;
                continue;
            }
            let longest = (at + 1..=words.len()).rev();
            let named =
                longest.map(|end| (end, self.names().named_so(sort, &words[at..end], slips)));
            let (end, codes) = named.into_iter().find(|(_, codes)| codes.len() == 1)?;
            all.extend(codes);
            at = end;
        }
        (!all.is_empty() && all.len() <= LIST_MAX).then_some((all, true))
    }

    /// Several of a sort, one after the other; `2 armies` are two.
    fn run(&self, sort: &str, words: &[&str], slips: bool, join: &str) -> Vec<(Vec<String>, bool)> {
        let mut runs: Vec<(String, bool)> = vec![(String::new(), false)];
        let mut at = 0;
        let mut named_run = false;
        while at < words.len() {
            // The longest name counts.
            let longest = |at: usize| {
                let ends = (at + 1..=words.len()).rev();
                let part = ends.map(|end| (end, self.one(sort, &words[at..end], slips)));
                part.into_iter().find(|(_, all)| !all.is_empty())
            };
            let times = words[at].parse::<usize>().ok().filter(|n| (2..=RUN_MAX).contains(n));
            let counted = times.and_then(|n| Some((n, longest(at + 1)?)));
            let (times, (end, all)) = match (counted, longest(at)) {
                (Some((n, (end, all))), _) if all.iter().any(|(_, named)| *named) => {
                    (n, (end, all))
                }
                (_, Some(found)) => (1, found),
                (_, None) => return Vec::new(),
            };
            named_run |= times > 1;
            runs = runs
                .iter()
                .flat_map(|(run, named)| {
                    all.iter().map(move |(code, n)| {
                        let between = if run.is_empty() { "" } else { join };
                        let code = vec![code.as_str(); times].join(join);
                        (format!("{run}{between}{code}"), named | n)
                    })
                })
                .take(SEVERAL_MAX)
                .collect();
            at = end;
        }
        // `NW 3` may be three steps, or a step that way and one by its figure.
        if let Some((last, way)) = words.split_last()
            && join.is_empty()
            && last.bytes().all(|b| b.is_ascii_digit())
            && self.one(sort, way, slips).iter().any(|(_, named)| *named)
        {
            return Vec::new();
        }
        runs.into_iter().map(|(run, named)| (vec![run], named || named_run)).collect()
    }
}
