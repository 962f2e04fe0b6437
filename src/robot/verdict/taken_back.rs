//! Lines that take back orders on file: `CANCEL 3`, `CANCEL A 8 04826`, `forget the attack on Kiel`.

use engine::{CardText, OnFile, Reader, Reading, Withdrawn, press, wording};

use crate::text::is_question;

/// The word of a line in the form of a card that takes back an order: `CANCEL 3`, with its number
/// in the echo, or `CANCEL A 8 04826`.
const CANCEL: &str = "CANCEL";

/// The line that takes back an order.
pub(super) fn cancels(order: &str) -> String {
    format!("{CANCEL} {order}")
}

/// What stands behind CANCEL in a line that begins with it.
fn cancelled(line: &str) -> Option<&str> {
    let (first, rest) = line.trim().split_once(char::is_whitespace)?;
    (first.eq_ignore_ascii_case(CANCEL) && !rest.trim().is_empty()).then(|| rest.trim())
}

/// The numbers of lines that a line takes back by them: `CANCEL 3`, `forget lines 3 and 5`.
fn numbers(line: &str) -> Option<Vec<u32>> {
    const LINES: [&str; 4] = ["line", "lines", "zeile", "zeilen"];
    const SAID: [&str; 10] =
        ["order", "orders", "number", "no", "nr", "the", "and", "please", "und", "bitte"];
    let words = line.split(|c: char| c.is_whitespace() || ",.!".contains(c));
    let words: Vec<String> = words.filter(|w| !w.is_empty()).map(str::to_lowercase).collect();
    let named = words.iter().any(|w| LINES.contains(&w.as_str()));
    let said = |w: &str| LINES.contains(&w) || SAID.contains(&w);
    let numbers: Vec<u32> = words.iter().filter_map(|w| w.parse().ok()).collect();
    let mut others = words.iter().filter(|w| !said(w) && w.parse::<u32>().is_err());
    // `forget 3` alone may be of anything.
    let back = |word: &String| named && wording::may_change(word) || word == "cancel";
    let found = others.next().is_some_and(back) && others.next().is_none() && !numbers.is_empty();
    found.then_some(numbers)
}

/// Whether a line may change orders on file: a quick test before the reader's.
pub(super) fn may_change(line: &str) -> bool {
    cancelled(line).is_some() || numbers(line).is_some() || wording::may_change(line)
}

/// Whether a line takes back an order on file, so that it is a line of a card.
pub(super) fn is_change<'r>(line: &str, reader: &dyn Fn() -> Option<&'r Reader>) -> bool {
    if is_question(line) {
        return false;
    }
    let figure = || line.contains(|c: char| c.is_ascii_digit());
    let names = |r: &Reader| r.speaks(line) || r.is_tried(line) || figure();
    let said = |r: &Reader| r.takes_back(line) && names(r);
    cancelled(line).is_some_and(|rest| rest.contains(|c: char| c.is_ascii_digit()))
        || numbers(line).is_some()
        || wording::may_change(line) && reader().is_some_and(said)
}

/// The orders on file, with the section that each stands in.
pub(super) struct Filed {
    /// The numbers by which the echo lists them.
    shown: Vec<u32>,
    /// As they stand in the card.
    lines: Vec<String>,
    /// With their section.
    orders: Vec<String>,
}

impl Filed {
    /// The orders of a card, without its letters.
    pub fn of(card: &CardText) -> Self {
        let (_, outside) = press::split(card);
        let mut section = "@".to_owned();
        let mut on_file = Self { shown: Vec::new(), lines: Vec::new(), orders: Vec::new() };
        for (n, line) in outside.lines {
            let opens = wording::section(&line);
            let own = line.trim_start().starts_with('@') || section == "@";
            let order = line.trim_end_matches(" @");
            on_file.orders.push(match own {
                true => order.to_owned(),
                false => format!("{section} {order}"),
            });
            on_file.shown.push(card.origins.get(&n).map_or(n, |origin| origin.line));
            on_file.lines.push(line);
            section = opens.unwrap_or(section);
        }
        on_file
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The lines that an order in the form of a card names.
    fn written(&self, order: &str) -> Vec<usize> {
        let plain =
            |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
        let same = |n: &usize| {
            plain(&self.lines[*n]) == plain(order) || plain(&self.orders[*n]) == plain(order)
        };
        (0..self.lines.len()).find(same).into_iter().collect()
    }

    fn numbered(&self, numbers: &[u32]) -> Vec<usize> {
        (0..self.lines.len()).filter(|n| numbers.contains(&self.shown[*n])).collect()
    }

    /// They, as a reader compares lines with them.
    pub fn read_by<'r>(&'r self, reader: &'r Reader) -> OnFile<'r> {
        OnFile::new(reader, &self.orders)
    }

    /// The lines of some of them.
    pub fn named(&self, taken: &[usize]) -> Vec<String> {
        taken.iter().map(|n| self.lines[*n].clone()).collect()
    }
}

/// What a line takes back of the orders on file.
#[derive(Default)]
pub(super) struct Taken {
    /// Their places among those on file.
    pub taken: Vec<usize>,
    /// Orders, or words, for what the line says that is to be done.
    pub rest: Vec<String>,
}

/// What a line takes back, where that can be told.
pub(super) fn withdrawn(text: &str, on_file: &OnFile, filed: &Filed) -> Option<Taken> {
    let whole =
        |taken: Vec<usize>| (!taken.is_empty()).then(|| Taken { taken, ..Taken::default() });
    if let Some(numbers) = numbers(text) {
        return whole(filed.numbered(&numbers));
    }
    if let Some(taken) = cancelled(text).and_then(|order| whole(filed.written(order))) {
        return Some(taken);
    }
    match on_file.withdrawn(text)? {
        // It may be an order by itself, which is asked.
        Withdrawn::Orders { rest, .. }
            if rest.is_empty() && matches!(on_file.read(text), Reading::Orders(_)) =>
        {
            None
        }
        Withdrawn::Orders { taken, rest } => Some(Taken { taken, rest }),
        Withdrawn::Several { .. } | Withdrawn::Nothing => None,
    }
}

/// What may be taken back by a line that does not say it clearly, each as the lines of a card, and
/// the words of it that say nothing of an order on file; `None` where no order on file fits.
pub(super) fn asked(
    text: &str,
    on_file: &OnFile,
    filed: &Filed,
) -> Option<(Vec<Vec<String>>, Vec<String>)> {
    let (sets, left) = match on_file.withdrawn(text)? {
        Withdrawn::Several { sets, left } => (sets, left),
        Withdrawn::Orders { taken, .. } => (vec![taken], Vec::new()),
        Withdrawn::Nothing => return None,
    };
    let lines = |set: &Vec<usize>| filed.named(set).iter().map(|order| cancels(order)).collect();
    Some((sets.iter().map(lines).collect(), left))
}
