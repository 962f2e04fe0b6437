//! A line that is read by a form: its words fill slots one after the other.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::forms::{Form, below, is_literal};
use super::names::is_filler;
use super::{Bound, Found, Reader, WHERE};

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
