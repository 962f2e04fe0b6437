//! The order table and the parser of cards (§4 to §6).
//!
//! A card is read order by order, not line by line: a line may hold any number of orders, and
//! blanks may separate the parts of one order (`AC 20 UK`).

mod help;
mod rows;
mod starts;

pub use help::help;
pub use rows::{ROWS, Reads, Row, row_of};
pub use starts::starts_order;

use std::fmt;

use rows::{Code, Given, Number, behind_player, find};

use super::state::{ITEMS, Share, Stance};
use super::verbs::{Arm, UnitOrder};
use engine::press::{self, Block};
use engine::{CardText, syntax};
use tongue::{mark, say};

/// The largest number in an order.
pub const QUANTITY_MAX: i64 = 99_999;
/// The most digits of a standing order's slot, right or wrong.
pub(super) const SLOT_MAX: usize = 2;
/// The most letters of a space's code.
pub(super) const CODE_MAX: usize = 3;
/// The most characters of a wrong order that an answer repeats.
const SHOWN_MAX: usize = 24;

/// An order of the player (§5). Players are numbers, with 0 for minors or everybody; countries are
/// codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlayerOrder {
    /// `pA`, `pN`, `pE`.
    Stance(u8, Stance),
    /// `pDn`: whole Dollars.
    Gift(u8, i64),
    /// `pK`, `pX`.
    Permit(u8, bool),
    /// `pF`, `pH`, `pZ`.
    Share(u8, Share),
    /// `pSn`.
    SpreadSpies(u8, i64),
    /// `pCn`.
    SpreadCounterspies(u8, i64),
    /// `pPn`: whole Dollars.
    SpreadPropaganda(u8, i64),
    /// `SnCCC`.
    Spies(i64, String),
    /// `CnCCC`.
    Counterspies(i64, String),
    /// `PnCCC`: whole Dollars.
    Propaganda(i64, String),
    /// `TSn`: whole Dollars.
    TrainSpies(i64),
    /// `TCn`: whole Dollars.
    TrainCounterspies(i64),
    /// The index of the item in [`ITEMS`], and whole Dollars.
    Research(usize, i64),
    /// The number of the option: 1 or 2.
    Option(u8),
    /// The index among the default builds, and the proportion.
    Default(usize, u8),
    /// A player, whether it is the good list, and the place.
    Opinion(u8, bool, u8),
    /// `pWk`, `pWkXXX`: player, text from 1, space.
    Wire(u8, i64, Option<String>),
}

impl PlayerOrder {
    /// The same order with another number, if it has a number that a stock limits.
    #[must_use]
    pub fn of(self, number: i64) -> Self {
        match self {
            Self::Gift(p, _) => Self::Gift(p, number),
            Self::SpreadSpies(p, _) => Self::SpreadSpies(p, number),
            Self::SpreadCounterspies(p, _) => Self::SpreadCounterspies(p, number),
            Self::SpreadPropaganda(p, _) => Self::SpreadPropaganda(p, number),
            Self::Spies(_, code) => Self::Spies(number, code),
            Self::Counterspies(_, code) => Self::Counterspies(number, code),
            Self::Propaganda(_, code) => Self::Propaganda(number, code),
            Self::TrainSpies(_) => Self::TrainSpies(number),
            Self::TrainCounterspies(_) => Self::TrainCounterspies(number),
            Self::Research(item, _) => Self::Research(item, number),
            other => other,
        }
    }
}

impl fmt::Display for PlayerOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stance(p, Stance::Ally) => write!(f, "{p}A"),
            Self::Stance(p, Stance::Neutral) => write!(f, "{p}N"),
            Self::Stance(p, Stance::Enemy) => write!(f, "{p}E"),
            Self::Gift(p, n) => write!(f, "{p}D{n}"),
            Self::Permit(p, true) => write!(f, "{p}K"),
            Self::Permit(p, false) => write!(f, "{p}X"),
            Self::Share(p, Share::Full) => write!(f, "{p}F"),
            Self::Share(p, Share::Partial) => write!(f, "{p}H"),
            Self::Share(p, Share::Nothing) => write!(f, "{p}Z"),
            Self::SpreadSpies(p, n) => write!(f, "{p}S{n}"),
            Self::SpreadCounterspies(p, n) => write!(f, "{p}C{n}"),
            Self::SpreadPropaganda(p, n) => write!(f, "{p}P{n}"),
            Self::Spies(n, c) => write!(f, "S{n}{c}"),
            Self::Counterspies(n, c) => write!(f, "C{n}{c}"),
            Self::Propaganda(n, c) => write!(f, "P{n}{c}"),
            Self::TrainSpies(n) => write!(f, "TS{n}"),
            Self::TrainCounterspies(n) => write!(f, "TC{n}"),
            Self::Research(item, n) => write!(f, "R{}{n}", ITEMS[*item]),
            Self::Option(n) => write!(f, "U{n}"),
            Self::Default(item, n) => write!(f, "B{}{n}", default_letter(*item)),
            Self::Opinion(p, true, place) => write!(f, "{p}G{place}"),
            Self::Opinion(p, false, place) => write!(f, "{p}B{place}"),
            Self::Wire(p, n, code) => write!(f, "{p}W{n}{}", code.as_deref().unwrap_or_default()),
        }
    }
}

impl<T: fmt::Display> fmt::Display for UnitOrder<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", row_of(self.verb).word, self.n)?;
        self.target.iter().try_for_each(|t| write!(f, "{t}"))
    }
}

/// The letter of a default build.
pub fn default_letter(item: usize) -> char {
    Arm::ALL.get(item).map_or('D', |a| a.letter())
}

/// An item of a card.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// `@` and `@XXX`.
    Section(Option<String>),
    /// An order of the player.
    Player(PlayerOrder),
    /// An order to the forces of the section's space.
    Space(UnitOrder<String>),
    /// `/k/`; `None` cancels the standing order.
    Standing(i64, Option<UnitOrder<String>>),
    /// A message or a piece of news.
    Press(Block),
}

/// An order and its place in the card, or the error in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Line of the card.
    pub line: u32,
    /// The order as written, its parts joined.
    pub text: String,
    /// The order, or the code and text of the error.
    pub order: Result<Order, Wrong>,
}

/// A line that is not an order: its number, its text, and a note on it in English.
pub type Remark = (u32, String, &'static str);

/// Reads a card: its orders in card order, and the lines that are not orders.
pub fn read(card: &CardText) -> (Vec<Entry>, Vec<Remark>) {
    read_as(card, true)
}

/// Reads a card by the revised rules or by the old ones. Under the old ones a comment vanishes, and
/// `@` and `/1/` take the next word.
pub fn read_as(card: &CardText, revised: bool) -> (Vec<Entry>, Vec<Remark>) {
    let (blocks, rest) = press::split(card);
    let mut entries = Vec::new();
    let mut remarks = Vec::new();
    let mut in_space = false;
    for (line, text) in &rest.lines {
        let (words, comments) = parts(text);
        let aside = comments.iter().filter(|_| revised).filter_map(|c| c.remark(*line));
        let mut aside: Vec<Remark> = aside.collect();
        if words.is_empty() && !aside.is_empty() {
            remarks.append(&mut aside);
            continue;
        }
        if words.is_empty() || is_printed(text) || is_prose(&words) {
            // A player who writes an order into a sentence learns that it does not count.
            let note = match words.is_empty() || is_printed(text) {
                true => "",
                false if text.contains(|c: char| c.is_ascii_digit()) => {
                    mark!("read as text; orders stand alone")
                }
                false => mark!("no order, left alone"),
            };
            remarks.push((*line, text.trim().to_owned(), note));
            continue;
        }
        let mut words = words.as_slice();
        while !words.is_empty() {
            let (used, order) = next(words, in_space, revised);
            if let Ok(Order::Section(code)) = &order {
                in_space = code.is_some();
            }
            let used = used.clamp(1, words.len());
            let text = words[..used].concat();
            entries.push(Entry { line: *line, text: shown(&text), order });
            words = &words[used..];
        }
        remarks.append(&mut aside);
    }
    for block in blocks {
        let seats = |list: &[u32]| {
            let words: Vec<String> = list.iter().map(u32::to_string).collect();
            format!("PRESS {}", words.join(","))
        };
        let mut text = match &block.opening.to {
            press::Addressee::Seats(list) => seats(list),
            press::Addressee::All => "PRESS ALL".to_owned(),
            press::Addressee::Named(name) => format!("PRESS {name}"),
            press::Addressee::News => "NEWS".to_owned(),
        };
        if block.opening.anonymous {
            text += " ANON";
        }
        let lines = block.text.iter().filter(|l| !l.1.is_empty());
        remarks.extend(lines.map(|(n, l)| (*n, l.trim().to_owned(), "")));
        remarks.extend(block.end.map(|n| (n, "END".to_owned(), "")));
        entries.push(Entry { line: block.line, text, order: Ok(Order::Press(block)) });
    }
    entries.sort_by_key(|e| e.line);
    remarks.sort();
    (entries, remarks)
}

/// A comment in a line.
struct Comment {
    /// `;`, `#` or `(`.
    sign: char,
    text: String,
}

impl Comment {
    /// The remark on a comment. Text after `;` always gets one, as it may be meant as the next
    /// order; other comments only if they look like an order.
    fn remark(&self, line: u32) -> Option<Remark> {
        let text = self.text.trim();
        let order = text.split(';').any(|part| starts_order(&part.to_uppercase()));
        let note = match (order, self.sign) {
            (true, '(') => mark!("not read: what stands in brackets is a comment"),
            (true, '#') => {
                mark!("not read: # begins a comment; orders stand apart by blanks or lines")
            }
            (true, _) => {
                mark!("not read: ; begins a comment; orders stand apart by blanks or lines")
            }
            (false, ';') => mark!("a comment, as it stands behind ;"),
            _ => return None,
        };
        (!text.is_empty()).then(|| (line, text.to_owned(), note))
    }
}

/// The words of a line in capitals, without comments: text after `#` or `;`, and in brackets.
pub(super) fn tokens(line: &str) -> Vec<String> {
    parts(line).0
}

/// The words of a line in capitals, and its comments.
fn parts(line: &str) -> (Vec<String>, Vec<Comment>) {
    let mut comments = Vec::new();
    let orders = syntax::without_comment(line);
    if let Some(at) = line.find(['#', ';']) {
        let sign = line[at..].chars().next().unwrap_or('#');
        comments.push(Comment { sign, text: line[at + 1..].to_owned() });
    }
    let mut depth = 0;
    let (mut kept, mut aside) = (String::new(), String::new());
    for c in orders.chars() {
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => {
                depth -= 1;
                kept.push(' ');
                aside.push(' ');
            }
            _ if depth == 0 => kept.extend(c.to_uppercase()),
            _ => aside.push(c),
        }
    }
    comments.push(Comment { sign: '(', text: aside });
    let words = kept.split(|c: char| c.is_whitespace() || c == ',');
    let trimmed = words.map(|w| w.trim_matches(['.', ':', '[', ']']));
    (trimmed.filter(|w| !w.is_empty()).map(str::to_owned).collect(), comments)
}

/// Whether a line comes from a printout.
pub(super) fn is_printed(text: &str) -> bool {
    text.trim_start().starts_with(['|', '*', '>'])
}

/// The number of plain words, letters only and longer than any code, that make a line a sentence.
const PLAIN_WORDS: usize = 3;

/// Whether words are text around the orders: a whole sentence, or words without any sign of an
/// order.
pub(super) fn is_prose(words: &[String]) -> bool {
    let plain = |w: &&String| w.len() > 3 && w.chars().all(char::is_alphabetic);
    if words.iter().filter(plain).count() >= PLAIN_WORDS {
        return true;
    }
    let sign = |w: &String| w.contains(|c: char| c.is_ascii_digit()) || w.starts_with(['@', '/']);
    let head = |w: &String| find(w, true).is_some() || find(w, false).is_some();
    // `BA` on its own is an order that lacks its number.
    let unfinished = words.len() <= 3 && words[0].len() <= 2 && head(&words[0]);
    !unfinished && !words.iter().any(sign)
}

/// Whether a text may be the code of a space.
pub(super) fn is_code(text: &str) -> bool {
    text.len() <= CODE_MAX && text.chars().all(|c| c.is_ascii_alphabetic())
}

fn shown(text: &str) -> String {
    let clean = text.chars().map(|c| if c.is_control() { '?' } else { c });
    clean.take(SHOWN_MAX).collect()
}

/// The code and text of an error in an order.
type Wrong = (&'static str, String);

type Read = Result<Order, Wrong>;

/// Reads one order from the start of the words: the number of words used, and the order.
fn next(words: &[String], in_space: bool, revised: bool) -> (usize, Read) {
    let word = words[0].as_str();
    if let Some(code) = word.strip_prefix('@') {
        return section(words, code, revised);
    }
    if word.starts_with('/') {
        return standing(words, revised);
    }
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return to_player(words, in_space);
    }
    match plain(words, in_space) {
        Some((used, read)) => (used, read),
        None => (1, Err(unknown(words, in_space))),
    }
}

/// Reads `@` and `@TU`; also `@ TU` if it can't mean anything else: `@ BA 50` begins player orders.
fn section(words: &[String], code: &str, revised: bool) -> (usize, Read) {
    if !code.is_empty() {
        // `@TUBA5` for `@TU BA5` looks like a wrong code.
        return (1, Ok(Order::Section(Some(code.to_owned()))));
    }
    let number = words.get(2).is_some_and(|w| w.starts_with(|c: char| c.is_ascii_digit()));
    let order = |w: &String| revised && number && find(w, false).is_some();
    match words.get(1) {
        Some(w) if w.len() >= 2 && is_code(w) && !order(w) => {
            (2, Ok(Order::Section(Some(w.clone()))))
        }
        _ => (1, Ok(Order::Section(None))),
    }
}

/// Reads `/1/BA999`, and `/1/` on its own, whatever follows after a blank.
fn standing(words: &[String], revised: bool) -> (usize, Read) {
    let word = &words[0];
    let Some((slot, rest)) = word[1..].split_once('/') else {
        let text = say!("a standing order is written /1/ to /5/ before an order");
        return (1, Err(("E26", text)));
    };
    let Some(slot) = slot.parse::<i64>().ok().filter(|_| slot.len() <= SLOT_MAX) else {
        return (1, Err(("E26", say!("slots are 1 to 5, not {slot:?}", slot = shown(slot)))));
    };
    let mut inner: Vec<String> = words[1..].to_vec();
    let glued = !rest.is_empty();
    if glued {
        inner.insert(0, rest.to_owned());
    } else if revised {
        return (1, Ok(Order::Standing(slot, None)));
    }
    let parts = if glued { 0 } else { 1 };
    let order = inner.first().and_then(|_| plain(&inner, true));
    match order {
        Some((used, Ok(Order::Space(order)))) => {
            (used + parts, Ok(Order::Standing(slot, Some(order))))
        }
        Some((used, Err(e))) if glued => (used + parts, Err(e)),
        _ if glued => (1, Err(unknown(&inner, true))),
        _ => (1, Ok(Order::Standing(slot, None))),
    }
}

/// Reads an order that begins with a player's number.
fn to_player(words: &[String], in_space: bool) -> (usize, Read) {
    let word = &words[0];
    let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    let (mut used, mut letters) = (1, word[digits..].to_owned());
    let number = &word[..digits];
    if letters.is_empty() {
        let Some(next) = words.get(1).filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic()))
        else {
            return (1, Err(("E01", say!("{word} alone is no order", word = shown(word)))));
        };
        (used, letters) = (2, next.clone());
    }
    let letter = letters.chars().next().unwrap_or(' ');
    let mut tail = letters[letter.len_utf8()..].to_owned();
    let head = letter.to_string();
    let found = behind_player(&head);
    let numbered = found.filter(|(_, l)| l.number != Number::None);
    if numbered.is_some()
        && tail.is_empty()
        && let Some(next) = words.get(used).filter(|w| w.chars().all(|c| c.is_ascii_digit()))
    {
        tail.clone_from(next);
        used += 1;
    }
    if in_space {
        let order = format!("{number}{}", shown(&letters));
        return (used, Err(("E07", say!("{order} is a player order; it belongs below @"))));
    }
    let Ok(player) = number.parse::<u8>() else {
        return (used, Err(("E09", say!("there is no player {number}", number = shown(number)))));
    };
    let order = format!("{player}{letter}");
    // A step keeps these sentences, so they are as they always were.
    if numbered.is_none() && !tail.is_empty() {
        let text = say!("{letter} takes no more than a player's number; write {order}");
        return (used, Err(("E01", text)));
    }
    let Some((row, of)) = found else {
        let order = format!("{player}{}", shown(&letters));
        let text = say!(
            "unknown order {order}; a player's number is followed by A N E D K X F H Z S C P G B \
             or W"
        );
        return (used, Err(("E01", text)));
    };
    if of.number == Number::None {
        return (used, made(row, Given { head: &head, player, n: 0, code: String::new() }));
    }
    let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
    let (digits, mut code) = (tail[..end].to_owned(), tail[end..].to_owned());
    let n = match quantity(&order, &digits, &code, of.number) {
        Ok(n) => n,
        Err(e) => return (used, Err(e)),
    };
    if of.code == Code::May && code.is_empty() {
        // One letter is not a code, but belongs to the next order.
        if let Some(next) = words.get(used).filter(|w| w.len() > 1 && is_code(w)) {
            code.clone_from(next);
            used += 1;
        }
    }
    if !code.is_empty() && (of.code == Code::None || !is_code(&code)) {
        return (used, Err(("E01", too_much(&code, &format!("{order}{digits}")))));
    }
    (used, made(row, Given { head: &head, player, n, code }))
}

/// Reads an order that begins with letters: letters, a number, perhaps a space code.
pub(super) fn plain(words: &[String], in_space: bool) -> Option<(usize, Read)> {
    let word = words[0].as_str();
    let letters = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
    let mut head = word[..letters].to_owned();
    let mut tail = word[letters..].to_owned();
    let mut found = find(&head, in_space);
    if found.is_none() {
        // A letter O or I typed for a digit follows a known head.
        let known = (1..=2.min(head.len())).rev().find_map(|n| {
            let behind = &head[n..];
            let digits = behind.starts_with(['O', 'I']) && (n > 1 || tail.is_empty());
            let found = find(&head[..n], in_space).filter(|_| digits && !behind.is_empty())?;
            Some((n, found))
        });
        if let Some((n, of)) = known {
            tail = format!("{}{tail}", &head[n..]);
            head.truncate(n);
            found = Some(of);
        }
    }
    let (row, of) = found?;
    let to_space = of.code != Code::None;
    let mut used = 1;
    if tail.is_empty() {
        let digit = |w: &&String| w.starts_with(|c: char| c.is_ascii_digit());
        if let Some(next) = words.get(1).filter(digit) {
            tail.clone_from(next);
            used = 2;
        }
    }
    let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len());
    let (digits, mut code) = (tail[..end].to_owned(), tail[end..].to_owned());
    if to_space && code.is_empty() && !digits.is_empty() {
        let letters =
            |w: &&String| (2..=12).contains(&w.len()) && w.chars().all(|c| c.is_ascii_alphabetic());
        if let Some(next) = words.get(used).filter(letters) {
            code.clone_from(next);
            used += 1;
        }
    }
    let n = match quantity(&head, &digits, &code, of.number) {
        Ok(n) => n,
        Err(e) => return Some((used, Err(e))),
    };
    if to_space && code.is_empty() {
        let example = if in_space { "AC5UK" } else { "S1GB" };
        let order = format!("{head}{n}");
        let text = say!("{order} needs a space code behind it, as in {example}");
        return Some((used, Err(("E01", text))));
    }
    if !to_space && !code.is_empty() {
        let text = match code.starts_with(['O', 'I']) {
            true => return Some((used, Err(letter_o(&head, &format!("{digits}{code}"))))),
            false => too_much(&code, &format!("{head}{digits}")),
        };
        return Some((used, Err(("E01", text))));
    }
    if in_space && !row.read.in_space() {
        let text = say!("industry builds Dollars by default only; set it with BD below @");
        return Some((used, Err(("E20", text))));
    }
    Some((used, made(row, Given { head: &head, player: 0, n, code })))
}

/// Makes the order of a row from the parts that were written.
fn made(row: &Row, given: Given) -> Read {
    match row.read {
        Reads::Player(read) => read(given).map(Order::Player),
        Reads::Space(verb) => {
            let target = (!verb.builds()).then_some(given.code);
            Ok(Order::Space(UnitOrder { verb, n: given.n, target }))
        }
    }
}

fn too_much(behind: &str, order: &str) -> String {
    say!("{text} behind {order} is too much", text = shown(behind))
}

fn letter_o(head: &str, found: &str) -> (&'static str, String) {
    let text = say!(
        "a number is expected behind {head}, but there is {found:?} (a letter O or I for a digit?)",
        found = shown(found)
    );
    ("E02", text)
}

/// Reads the number of an order.
fn quantity(head: &str, digits: &str, code: &str, number: Number) -> Result<i64, Wrong> {
    let mixed = code.starts_with(['O', 'I'])
        && (code.len() == 1 || code[1..].starts_with(|c: char| c.is_ascii_digit()));
    if mixed || (digits.is_empty() && code.starts_with(['O', 'I'])) {
        return Err(letter_o(head, &format!("{digits}{code}")));
    }
    if digits.is_empty() {
        return Err(("E03", say!("{head} needs a number of 1 or more behind it")));
    }
    match digits.parse::<i64>() {
        Ok(0) if number != Number::Proportion => Err(("E03", say!("the number must be 1 or more"))),
        Ok(n) if n <= QUANTITY_MAX => Ok(n),
        _ => Err(("E04", say!("the number must be at most {most}", most = QUANTITY_MAX))),
    }
}

/// The reason why a word is not an order.
fn unknown(words: &[String], in_space: bool) -> (&'static str, String) {
    if let Some((_, Ok(_))) = plain(words, !in_space) {
        return match in_space {
            true => {
                let text = say!("this is a player order inside a space section; put it below @");
                ("E07", text)
            }
            false => {
                let text = say!(
                    "this is a space order outside a space section; put it below @ and the code \
                     of the space, as in @TU"
                );
                ("E07", text)
            }
        };
    }
    let order = shown(&words[0]);
    let text = match in_space {
        true => say!("unknown order {order}; HELP CARD lists the space orders"),
        false => say!("unknown order {order}; HELP CARD lists the player orders"),
    };
    ("E01", text)
}
