//! Lines of a card in words: orders replace them before the card is filed, and its echo shows both.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use engine::press::Addressee;
use engine::{Above, CardText, Judgement, Mark, OnFile, Origin, Reader, Reading, press, wording};

use tongue::{say, word};

use super::choices::{Choice, Choices, shown};
use super::letter_words::{
    WORDS_SHOWN, addressed, is_letter, letter_in, letter_lines, no_letter, tells, writes_a_letter,
};
use super::taken_back::{Filed, asked, is_change};

use crate::card::aside::{A_QUESTION, Why};
use crate::text::{is_question, printed};

/// A note on an order in words that does not name the place of its forces.
fn no_place() -> String {
    say!(
        "it does not say where: name the place, as in \"build 5 army in Turkey\", or write it \
         below its section, such as @ Turkey"
    )
}

/// The note on a line that is not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doubt {
    /// It is a question, not an order.
    Asks,
    /// What it says needs no order.
    Idle,
    /// It is an order in words, with this note. The game's own note is dropped, because the game
    /// knows only its own forms.
    Words(String),
    /// This note follows the game's own note.
    More(String),
}

/// The notes on lines, keyed by line number.
pub type Unclear = BTreeMap<u32, Doubt>;

/// The numbers of the lines of a card as it came that can be carried out, and of those that are
/// wrong.
#[derive(Debug, Default)]
pub struct Marks {
    /// Lines of which a part can be carried out.
    pub right: BTreeSet<u32>,
    /// Lines of which a part is wrong.
    pub wrong: BTreeSet<u32>,
}

impl Marks {
    /// The marks of a judgement.
    pub fn of(judged: &Judgement) -> Self {
        let mut marks = Self::default();
        for line in &judged.lines {
            match line.mark {
                Mark::Ok | Mark::Warning => marks.right.insert(line.line),
                Mark::Error => marks.wrong.insert(line.line),
                Mark::Remark => false,
            };
        }
        marks
    }
}

/// The tests for whether lines are orders.
pub struct Lexicon<'l> {
    /// Whether the reader may understand a line.
    pub may_be_words: &'l dyn Fn(&str) -> bool,
    /// Whether a line begins as an order of the game does, in the form of a card.
    pub starts_order: &'l dyn Fn(&str) -> bool,
    /// Whether a line that is not an order speaks of the game, and so may have been meant as one.
    pub knows: &'l dyn Fn(&str) -> bool,
    /// The reader of lines in words, made only where a line may need it.
    pub reader: &'l dyn Fn() -> Option<&'l Reader>,
    /// Whether words that are no order stand right below a line.
    pub goes_on: &'l dyn Fn(&str) -> bool,
    /// Whether orders can be carried out if they are all that is sent.
    pub fits: &'l dyn Fn(&[String]) -> bool,
}

/// Places among which a player is asked to choose, at most.
const PLACES_ASKED: usize = 4;
/// Places that are tried for the orders of one mail that name none, at most.
const PLACES_TRIED: u32 = 48;

/// Lines that can't be carried out as they came, grouped by what they seem to be.
#[derive(Default)]
struct Suspects {
    /// Lines that the reader may understand.
    wrong: BTreeSet<u32>,
    /// Questions.
    asked: BTreeSet<u32>,
    /// Letters to players in one line, `Tell Italy: hello`, each with its lines in a card.
    letters: BTreeMap<u32, Vec<String>>,
    /// Letters to players without the right first line, each with how to write it.
    meant: BTreeMap<u32, String>,
    /// Lines that are not orders but speak of the game.
    tried: BTreeSet<u32>,
}

impl Suspects {
    /// The suspects among lines outside letters.
    fn of(lines: &CardText, right: &BTreeSet<u32>, words: &Lexicon) -> Self {
        let mut found = Self::default();
        let takes_letters = OnceCell::new();
        let takes_letters = || *takes_letters.get_or_init(|| (words.starts_order)("PRESS 1"));
        for (n, text) in lines.lines.iter().filter(|(n, _)| !right.contains(n)) {
            if (words.may_be_words)(text) || tells(text) || is_change(text, words.reader) {
                found.wrong.insert(*n);
            }
            // A wrong order is reported as an order, even if it ends with a question mark.
            let is_order = (words.starts_order)(text);
            let writes = writes_a_letter(text);
            let reader = || (words.reader)().filter(|_| writes);
            let letter = reader().is_some_and(|reader| is_letter(text, reader));
            if letter && takes_letters() {
                found.wrong.remove(n);
            }
            let letter_of = reader().filter(|_| letter).and_then(|r| letter_lines(text, r));
            // Its text may go on in the next line.
            let next = lines.lines.iter().find(|(next, _)| *next == n + 1);
            let ends = next.is_none_or(|(next, text)| {
                right.contains(next) || (words.starts_order)(text) || (words.may_be_words)(text)
            });
            let ends = || ends && !(words.goes_on)(text);
            if let Some(lines) = letter_of.filter(|_| takes_letters() && ends()) {
                found.letters.insert(*n, lines);
            } else if !is_order && is_question(text) && !letter {
                found.asked.insert(*n);
            } else if letter || writes && takes_letters() {
                found.meant.insert(*n, no_letter(text, reader(), takes_letters()));
            } else if !is_order && (words.knows)(text) {
                found.tried.insert(*n);
            }
        }
        found
    }

    /// Whether no line needs the reader.
    fn are_none(&self) -> bool {
        self.wrong.is_empty() && self.letters.is_empty()
    }

    /// The note on a line for which the reader finds nothing.
    fn doubt(&self, line: u32) -> Option<Doubt> {
        match () {
            () if self.meant.contains_key(&line) => {
                self.meant.get(&line).cloned().map(Doubt::Words)
            }
            () if self.asked.contains(&line) => Some(Doubt::Asks),
            () if self.tried.contains(&line) => Some(Doubt::Words(Why::Tried.to_string())),
            () => None,
        }
    }

    /// The notes on all lines.
    fn doubts(&self) -> Unclear {
        let lines = self.asked.iter().chain(self.meant.keys()).chain(&self.tried);
        lines.filter_map(|n| Some((*n, self.doubt(*n)?))).collect()
    }
}

/// Replaces lines in words by their orders, from number `from` on: lines before it are on file and
/// stay as they are. `right` are the lines that can be carried out as they came: they stay too.
/// `open` is what could be chosen before: what is still open keeps its number.
pub(super) fn read(
    card: CardText,
    right: &BTreeSet<u32>,
    (from, open): (u32, Choices),
    words: &Lexicon,
) -> (CardText, Unclear, Choices) {
    let (mut letters, rest) = press::split(&card);
    letters.retain(|b| matches!(b.opening.to, Addressee::Named(_)));
    let letters: BTreeMap<u32, press::Block> = letters.into_iter().map(|b| (b.line, b)).collect();
    let suspects = Suspects::of(&rest, right, words);
    let asks_nothing = suspects.are_none() && letters.is_empty();
    let reader = if asks_nothing { None } else { (words.reader)() };
    let Some(reader) = reader else { return (card, suspects.doubts(), closed(open)) };
    let filed = Filed::of(&card.lines.iter().filter(|(n, _)| *n < from).cloned().collect());
    let mut sentences = Sentences {
        words,
        reader,
        filed: &filed,
        on_file: filed.read_by(reader),
        said: Above::default(),
        choices: open,
        asked: BTreeSet::new(),
        places: PLACES_TRIED,
    };
    let mut unclear = Unclear::new();
    let mut read = CardText::default();
    let mut above = "@".to_owned();
    // Where the orders of the last line that has some begin, and the line.
    let mut last_line: Option<(usize, String)> = None;
    for (line, text) in card.lines {
        // A line with several orders makes a card longer, so later lines get higher numbers.
        let next = read.lines.last().map_or(line, |(n, _)| line.max(n + 1));
        sentences.begin((line, from), &read.lines);
        let lines_before = sentences.said.lines();
        let asked_before = sentences.asked.len();
        let addressed = letters.get(&line).and_then(|b| addressed(&b.opening, reader));
        let addressed = addressed.filter(|o| (words.starts_order)(o)).map(|o| vec![o]);
        let (orders, doubt) = match addressed.or_else(|| suspects.letters.get(&line).cloned()) {
            Some(letter) => (letter, None),
            None if suspects.wrong.contains(&line) && !letters.contains_key(&line) => {
                sentences.orders_of(&text, &above, suspects.asked.contains(&line))
            }
            None => {
                reader.passes(&text, &mut sentences.said);
                (Vec::new(), None)
            }
        };
        let doubt = doubt.or_else(|| suspects.doubt(line).filter(|_| orders.is_empty()));
        // What was not read in an earlier mail, and is not asked any more, has had its answer.
        let told = matches!(&doubt, Some(Doubt::Words(_))) && !(words.starts_order)(&text);
        if line < from && told && sentences.asked.len() == asked_before {
            continue;
        }
        unclear.extend(doubt.map(|doubt| (next, doubt)));
        // A line on file that can be read now is read only when it is sent again.
        let orders = if line < from { Vec::new() } else { orders };
        let last = orders.last().unwrap_or(&text);
        above = wording::section(last).unwrap_or(above);
        // `no wait, to Kiel`: the words of both lines stand beside the order that counts.
        let back = sentences.said.taken_back();
        let before = last_line.clone().filter(|_| !orders.is_empty() && back > 0);
        let words = match before.and_then(|before| take_back(&mut read, before, (back, from))) {
            Some(before) => format!("{before} ... {text}", text = text.trim()),
            None => text.trim().to_owned(),
        };
        if sentences.said.lines() > lines_before {
            last_line = Some((read.lines.len(), words.clone()));
        }
        let next = read.lines.last().map_or(line, |(n, _)| line.max(n + 1));
        if orders.is_empty() {
            keep(&mut read, (next, line), text, card.origins.get(&line));
            continue;
        }
        for (number, order) in (next..).zip(orders) {
            read.origins.insert(number, Origin { line, words: Some(words.clone()) });
            read.lines.push((number, order));
        }
    }
    (read, unclear, closed(sentences.choices))
}

/// Keeps a line as it is, under its number in the card; `line` is the one that it had.
fn keep(read: &mut CardText, (next, line): (u32, u32), text: String, origin: Option<&Origin>) {
    let moved = || (next != line).then_some(Origin { line, words: None });
    let origin = origin.cloned().or_else(moved);
    read.origins.extend(origin.map(|origin| (next, origin)));
    read.lines.push((next, text));
}

/// Choices of which none is left where all are settled.
fn closed(choices: Choices) -> Choices {
    let open = choices.iter().any(|choice| !choice.orders.is_empty());
    if open { choices } else { Choices::new() }
}

/// Takes back orders at the end of a card that belong to the last line: the words of that line, if
/// nothing is left of it. Lines on file, which stand before number `from`, stay.
fn take_back(
    read: &mut CardText,
    (begin, words): (usize, String),
    (back, from): (usize, u32),
) -> Option<String> {
    let own = read.lines.len().checked_sub(back).filter(|at| *at >= begin)?;
    if read.lines[own].0 < from {
        return None;
    }
    for (number, _) in read.lines.split_off(own) {
        read.origins.remove(&number);
    }
    (own == begin).then_some(words)
}

/// The lines of a mail that are read as words, one after the other.
struct Sentences<'s, 'l> {
    words: &'s Lexicon<'l>,
    reader: &'s Reader,
    /// The orders on file, and what compares lines with them.
    filed: &'s Filed,
    on_file: OnFile<'s>,
    /// What the lines above have named.
    said: Above,
    /// What unclear lines may mean, by number.
    choices: Choices,
    /// Those of them that are asked now, each by its place.
    asked: BTreeSet<usize>,
    /// Places that may still be tried.
    places: u32,
}

impl Sentences<'_, '_> {
    /// Notes where the lines of the mail begin behind those on file, which stand before number `from`.
    fn begin(&mut self, (line, from): (u32, u32), before: &[(u32, String)]) {
        if line >= from && before.last().is_none_or(|(n, _)| *n < from) {
            self.said.begin_mail();
        }
    }

    /// The orders that a line below a section stands for, or a note on it.
    fn orders_of(&mut self, text: &str, above: &str, asks: bool) -> (Vec<String>, Option<Doubt>) {
        let starts_order = self.words.starts_order;
        let reading = self.reader.read_below(text, &mut self.said);
        // `forget the fighter` may wake it up, or take back that one is built.
        if let Reading::Orders(orders) = &reading
            && is_change(text, &|| Some(self.reader))
            && let Some((mut all, left)) = asked(text, &self.on_file, self.filed)
            && left.is_empty()
        {
            all.push(orders.clone());
            return (Vec::new(), Some(self.several(text, all)));
        }
        // `Tell Green I won't attack him`: whether it is one is asked.
        let indirect = reading == Reading::No && tells(text) && !text.contains(':');
        let indirect = indirect && starts_order("PRESS 1");
        let letter = Some(text).filter(|_| indirect);
        if let Some(lines) = letter.and_then(|text| letter_lines(text, self.reader)) {
            return (Vec::new(), Some(self.several(text, vec![lines])));
        }
        match reading {
            Reading::Orders(orders) => {
                let mut placed = self.placed(&orders, above);
                match placed.len() {
                    0 => (Vec::new(), Some(Doubt::Words(no_place()))),
                    1 => {
                        let orders = placed.swap_remove(0);
                        let begin = orders.iter().all(|order| starts_order(order));
                        (if begin { orders } else { Vec::new() }, None)
                    }
                    _ => (Vec::new(), Some(self.several(text, placed))),
                }
            }
            Reading::Several(all) => {
                let all =
                    all.iter().filter_map(|orders| self.placed(orders, above).into_iter().next());
                let all = all.collect();
                (Vec::new(), Some(self.several(text, all)))
            }
            Reading::Idle => (Vec::new(), Some(Doubt::Idle)),
            Reading::No if is_change(text, &|| Some(self.reader)) => {
                (Vec::new(), Some(self.takes_back(text)))
            }
            Reading::No if asks => (Vec::new(), self.partly(text, above)),
            Reading::No if self.reader.is_tired() => {
                let said = say!("your mail has too much in words; send this line in another one");
                (Vec::new(), Some(Doubt::Words(said)))
            }
            Reading::No if starts_order(text) => {
                (Vec::new(), not_read(self.reader, text, starts_order))
            }
            Reading::No => {
                let doubt = self.partly(text, above);
                (Vec::new(), doubt.or_else(|| not_read(self.reader, text, starts_order)))
            }
        }
    }

    /// A note on a line that takes back something, which it does not say clearly.
    fn takes_back(&mut self, text: &str) -> Doubt {
        Doubt::Words(match asked(text, &self.on_file, self.filed) {
            Some((all, left)) if left.is_empty() => return self.several(text, all),
            Some((all, left)) => {
                let left: Vec<String> = left.iter().map(|left| quoted(left)).collect();
                let (left, choices) = (left.join(", "), self.numbered(text, all));
                say!(
                    "no order on file is about {left}; without it this means {choices}. Answer \
                     with the number if that is right"
                )
            }
            None if self.filed.is_empty() => {
                say!("no orders of yours are on file that it could take back")
            }
            None => say!(
                "no order on file fits these words: CANCEL and the number of a line takes that \
                 line back, as in \"CANCEL 3\""
            ),
        })
    }

    /// A note on a line of which only a part is understood: it says what that may mean.
    fn partly(&mut self, text: &str, above: &str) -> Option<Doubt> {
        let reader = self.reader;
        if !reader.speaks(text) && !reader.is_tried(text) && !reader.may_be_meant(text) {
            return None;
        }
        let found = reader.partly(text, &mut self.said)?;
        let mut all: Vec<Vec<String>> = Vec::new();
        for orders in &found.orders {
            for placed in self.placed(orders, above) {
                if !all.contains(&placed) {
                    all.push(placed);
                }
            }
        }
        all.truncate(PLACES_ASKED);
        if all.is_empty() {
            return None;
        }
        // All of its words are understood, but no verb.
        if found.left.is_empty() {
            return Some(self.several(text, all));
        }
        // `I would be glad if` is no condition.
        let condition = found.left.iter().any(|left| reader.has_condition(left));
        let left: Vec<String> = found.left.iter().map(|left| quoted(left)).collect();
        let (left, choices) = (left.join(", "), self.numbered(text, all));
        Some(Doubt::Words(match condition {
            true => say!(
                "orders have no conditions such as \"if\": without {left} this means {choices}. \
                 Answer with the number if that is right, or write the orders"
            ),
            false => say!(
                "{left} is not understood; without it this means {choices}. Answer with the \
                 number if that is right, or write the orders"
            ),
        }))
    }

    /// Asks which of several sets of orders is meant.
    fn several(&mut self, text: &str, all: Vec<Vec<String>>) -> Doubt {
        let choices = self.numbered(text, all);
        let said = say!("this may mean {choices}. Answer with the number, or write the orders");
        Doubt::Words(said)
    }

    /// What a line may mean, with the numbers by which it is chosen.
    fn numbered(&mut self, text: &str, all: Vec<Vec<String>>) -> String {
        let mut told = Vec::new();
        for orders in all {
            let shown = shown(&orders);
            let choice = Choice { line: text.to_owned(), orders };
            let known = self.choices.iter().position(|known| *known == choice);
            let at = known.filter(|at| !self.asked.contains(at)).unwrap_or(self.choices.len());
            if at == self.choices.len() {
                self.choices.push(choice);
            }
            self.asked.insert(at);
            told.push(format!("{}: {shown}", at + 1));
        }
        told.join("; ")
    }

    /// Orders with the place of their forces: that of the section above, or the only one where they
    /// can be carried out. Several where there are several; none where there is none.
    fn placed(&mut self, orders: &[String], above: &str) -> Vec<Vec<String>> {
        let below = |home: Option<&String>| -> Option<Vec<String>> {
            let order = |order: &String| match (wording::below(order, above), home) {
                (Some(order), _) => Some(order),
                (None, None) => None,
                (None, Some(home)) => {
                    Some(format!("{home} {} {above}", wording::below(order, home)?))
                }
            };
            orders.iter().map(order).collect()
        };
        if let Some(orders) = below(None) {
            return vec![orders];
        }
        let homes = self.reader.names().homes();
        if let [home] = homes {
            return below(Some(home)).into_iter().collect();
        }
        let mut fitting = Vec::new();
        for home in homes {
            let Some(left) = self.places.checked_sub(1) else { return Vec::new() };
            self.places = left;
            let orders = below(Some(home));
            fitting.extend(orders.filter(|orders| (self.words.fits)(orders)));
        }
        // Where hardly any place can be meant, it has to be named.
        if fitting.len() > PLACES_ASKED {
            fitting.clear();
        }
        fitting
    }
}

/// Words of a player as they are repeated.
fn quoted(words: &str) -> String {
    let words: String = printed(words).chars().take(WORDS_SHOWN).collect();
    format!("\"{words}\"")
}

/// A judgement with the line numbers of the player's mail, the words that orders were read from,
/// and the notes on unclear lines.
pub fn as_written(mut judgement: Judgement, card: &CardText, unclear: &Unclear) -> Judgement {
    // A game may judge each word of a line that is not an order; the line is listed once, as
    // written.
    let whole =
        |n: u32| matches!(unclear.get(&n), Some(Doubt::Words(_) | Doubt::Asks | Doubt::Idle));
    let mut told = BTreeSet::new();
    judgement.lines.retain(|l| !whole(l.line) || told.insert(l.line));
    let written: BTreeMap<u32, &String> = card.lines.iter().map(|(n, text)| (*n, text)).collect();
    for judged in judgement.lines.iter_mut().filter(|l| whole(l.line)) {
        if let Some(text) = written.get(&judged.line) {
            judged.text = text.trim().to_owned();
        }
    }
    let mut last = None;
    for judged in &mut judgement.lines {
        match unclear.get(&judged.line) {
            // A list of orders would not answer a question.
            Some(Doubt::Asks) => {
                (judged.mark, judged.note) = (Mark::Remark, word(A_QUESTION).into_owned());
            }
            Some(Doubt::Idle) => {
                (judged.mark, judged.note) = (Mark::Remark, say!("that needs no order"));
            }
            // It was meant as an order, even if the game takes words for a remark.
            Some(Doubt::Words(said)) => (judged.mark, judged.note) = (Mark::Error, said.clone()),
            Some(Doubt::More(said)) => add(&mut judged.note, said),
            None => {}
        }
        judged.note = renumbered(&judged.note, card);
        let Some(origin) = card.origins.get(&judged.line) else { continue };
        judged.line = origin.line;
        // It is said once for a line with several orders.
        let told = last.replace(origin.line) == Some(origin.line);
        if let Some(words) = origin.words.as_ref().filter(|_| !told) {
            let words: String = printed(words).chars().take(WORDS_SHOWN).collect();
            add(&mut judged.note, &say!("you wrote: {words}"));
        }
    }
    judgement
}

/// The note on a line that the reader does not understand: a word in it that is not a known name,
/// and the form of such an order.
fn not_read(reader: &Reader, text: &str, starts_order: &dyn Fn(&str) -> bool) -> Option<Doubt> {
    match starts_order(text) {
        // A name that a player gives is no name of anything yet.
        true if !reader.is_coded(text) => None,
        true => reader.unknown(text).map(|(word, near)| Doubt::More(not_known(&word, &near))),
        false => hint(reader, text, starts_order("PRESS 1")).map(Doubt::Words),
    }
}

/// A hint on how to make an order of a line: a word in it that is not a known name, and the form of
/// such an order. `None`: the line does not seem to be an order.
pub fn hint(reader: &Reader, text: &str, takes_letters: bool) -> Option<String> {
    let told = writes_a_letter(text) || tells(text);
    if told && letter_in(text, reader).is_some() {
        return Some(no_letter(text, Some(reader), takes_letters));
    }
    if reader.has_condition(text) && reader.speaks(text) {
        return Some(say!(
            "orders have no conditions such as \"if\": write what is to be done in any case"
        ));
    }
    let stranger = reader.unknown(text).map(|(word, near)| not_known(&word, &near));
    let form = reader.form_of(text).filter(|_| reader.is_tried(text));
    let form = form.map(|form| say!("such an order is written {form:?}"));
    match (stranger, form) {
        (Some(stranger), Some(form)) => Some(format!("{stranger}; {form}")),
        (Some(said), None) => Some(said),
        (None, Some(form)) => Some(format!("{}; {form}", say!("not understood"))),
        (None, None) => None,
    }
}

/// A note that a word is not a known name, with names like it.
fn not_known(name: &str, near: &[(String, String)]) -> String {
    let name: String = name.chars().take(WORDS_SHOWN).collect();
    let near: Vec<String> = near.iter().map(|(name, code)| format!("{name} ({code})")).collect();
    match near.is_empty() {
        true => say!("nothing that you know is called {name}"),
        false => say!(
            "nothing that you know is called {name}; do you mean {near}?",
            near = listed(&near)
        ),
    }
}

/// `a or b`, `a, b or c`.
fn listed(all: &[String]) -> String {
    match all {
        [first @ .., last] if !first.is_empty() => {
            say!("{first} or {last}", first = first.join(", "))
        }
        all => all.concat(),
    }
}

fn add(note: &mut String, text: &str) {
    if !note.is_empty() {
        *note += "; ";
    }
    *note += text;
}

/// A note with the line numbers of the player's mail.
fn renumbered(note: &str, card: &CardText) -> String {
    let sign = say!("line {n}", n = "");
    if card.origins.is_empty() || sign.is_empty() {
        return note.to_owned();
    }
    let mut parts = note.split(sign.as_str());
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        let (number, after) = part.split_at(end);
        let line = number.parse().ok().and_then(|n: u32| card.origins.get(&n)).map(|o| o.line);
        text += &sign;
        text += &line.map_or_else(|| number.to_owned(), |n| n.to_string());
        text += after;
    }
    text
}

#[cfg(test)]
mod tests {
    use engine::JudgedLine;
    use tongue::within;

    use super::*;

    #[test]
    fn notes_name_lines_as_their_player_numbered_them() {
        let mut card = CardText::default();
        for (n, line) in [(3, 3), (4, 3), (5, 4)] {
            card.lines.push((n, "A 1 2".to_owned()));
            let words = (line == 3).then(|| "A 1-2 \u{7}north".to_owned());
            card.origins.insert(n, Origin { line, words });
        }
        let line = |line: u32, note: &str| JudgedLine {
            line,
            text: "A 1 2".to_owned(),
            mark: Mark::Ok,
            note: note.to_owned(),
        };
        let lines = vec![line(4, ""), line(5, "its order is in line 4, not line 17")];
        let judged = Judgement { lines, ..Judgement::default() };
        let unclear = Unclear::from([(5, Doubt::More("this may mean more".to_owned()))]);
        let got = as_written(judged, &card, &unclear);
        let said: Vec<(u32, &str)> = got.lines.iter().map(|l| (l.line, l.note.as_str())).collect();
        let want = "its order is in line 3, not line 17; this may mean more";
        assert_eq!(said[1], (4, want));
        assert!(said[0].0 == 3 && !said[0].1.contains('\u{7}'), "{said:?}");
        let said = within(crate::languages::catalogue("de"), || {
            renumbered("siehe Zeile 5, nicht Zeile 17", &card)
        });
        assert_eq!(said, "siehe Zeile 4, nicht Zeile 17");
    }
}
