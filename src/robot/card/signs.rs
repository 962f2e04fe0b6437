//! What people and their mail programs put around an order: signs of lists, check marks and
//! emphasis, arrows, remarks after it. An order is read without them.

use std::borrow::Cow;

/// What the game says about the lines of a mail.
pub struct Game<'g> {
    /// Whether a line begins as an order does, in the form of a card.
    pub starts_as_written: &'g dyn Fn(&str) -> bool,
    /// Whether a line begins as an order does, in the form of a card or in words.
    pub starts_order: &'g dyn Fn(&str) -> bool,
    /// Whether an order takes free text, such as a name: every sign in it counts.
    pub takes_text: &'g dyn Fn(&str) -> bool,
    /// Whether a line that is not an order speaks of the game: it has the verb of an order, or the
    /// name of something that the seat knows.
    pub knows: &'g dyn Fn(&str) -> bool,
}

impl<'g> Game<'g> {
    /// A game of which only the test for orders is known.
    pub fn of(starts_order: &'g dyn Fn(&str) -> bool) -> Self {
        let (takes_text, knows) = (&|_: &str| false, &|_: &str| false);
        Self { starts_as_written: starts_order, starts_order, takes_text, knows }
    }
}

/// Signs before one order, at most.
const SIGNS_MAX: usize = 5;
/// Bytes of a line that is cleaned of signs, at most: no order is longer.
const LINE_BYTES_MAX: usize = 400;

/// Arrows between the fields of an order.
const ARROWS: [&str; 9] =
    ["-->", "->", "==>", "=>", "\u{2192}", "\u{27a1}", "\u{21d2}", "\u{2794}", "\u{279c}"];

/// Words that number an order, as in `Order 1: M 3 13`.
const NUMBERED: [&str; 13] = [
    "ORDER", "ORDERS", "LINE", "MOVE", "NO", "NR", "ITEM", "STEP", "#", "BEFEHL", "BEFEHLE",
    "ZEILE", "ZUG",
];

/// Marks that cross out a line.
const CROSSES: [char; 6] =
    ['\u{2717}', '\u{2718}', '\u{274c}', '\u{274e}', '\u{2716}', '\u{1f5d9}'];

/// Whether a line begins with a mark that crosses it out, after the sign of a list or not.
pub fn is_crossed(line: &str) -> bool {
    line.trim_start_matches(|c: char| "-*+\u{2022}".contains(c) || c.is_whitespace())
        .starts_with(CROSSES)
}

/// The order in a line, without the sign of a list before it, emphasis around it, arrows in it, an
/// emoji or a remark after it. A remark is removed only from an order.
pub fn order<'l>(line: &'l str, game: &Game) -> Cow<'l, str> {
    let whole = line.trim();
    if whole.len() > LINE_BYTES_MAX || (game.takes_text)(whole) && is_plain(whole) {
        return Cow::Borrowed(whole);
    }
    let starts = game.starts_as_written;
    // `W: S15 4` is an order of the letter W. Only a bracket, as in `a) ...`, or a number, as in
    // `1. ...`, makes a line an item of a list.
    let first = whole.split_whitespace().next().unwrap_or_default();
    let number = first.strip_suffix('.').is_some_and(|n| n.parse::<u16>().is_ok());
    let items = !is_plain(whole) || !starts(whole) || first.ends_with(')') || number;
    let bare = bare(whole, items, game);
    // A line that begins an order as written is that order, unless another order follows the sign.
    let begins = |text: &str| {
        let opens = text.starts_with(|c: char| c.is_alphabetic() || c == '@');
        opens && (starts(text) || number && (game.starts_order)(text))
    };
    let bare = match () {
        () if bare == whole => Cow::Borrowed(whole),
        () if starts(whole) && !begins(&bare) => Cow::Borrowed(whole),
        () if !bare.contains(char::is_alphanumeric) => Cow::Borrowed(whole),
        () => bare,
    };
    if (game.takes_text)(&bare) {
        return bare;
    }
    // Some games see no order in a line that ends in unknown words: a short remark is removed there
    // too.
    let words = |text: &str| text.split_whitespace().count();
    let short = |text: &String| words(&bare) <= words(text) + SHORT_REMARK;
    let plain = without_remarks(&bare, starts).filter(|text| starts(text));
    let bare = match plain.filter(|text| starts(&bare) || short(text)) {
        Some(text) => Cow::Owned(text),
        None => bare,
    };
    let bare = match without_courtesy(&bare).filter(|text| starts(text)) {
        Some(text) => Cow::Owned(text.to_owned()),
        None => bare,
    };
    let ended = end_of(&bare);
    if ended == bare.len() || !starts(&bare[..ended]) {
        return bare;
    }
    match bare {
        Cow::Borrowed(text) => Cow::Borrowed(&text[..ended]),
        Cow::Owned(mut text) => {
            text.truncate(ended);
            Cow::Owned(text)
        }
    }
}

/// An order without "please" or "thanks!" after it. `None`: it has neither.
fn without_courtesy(text: &str) -> Option<&str> {
    let (order, word) = text.rsplit_once(char::is_whitespace)?;
    super::command::is_courtesy(word).then(|| order.trim_end_matches([',', ' ']))
}

/// The end of an order without the punctuation of a sentence, or of a section without the colon of
/// a title. After a number, `!` is a part of some orders; after a single word it is not.
fn end_of(text: &str) -> usize {
    let signs: &[char] = match text.contains(char::is_whitespace) {
        _ if text.starts_with('@') => &[':'],
        true => &['.', ','],
        false => &['.', ',', '!'],
    };
    text.trim_end_matches(signs).trim_end().len()
}

/// Whether a line begins with a letter or a digit.
fn is_plain(line: &str) -> bool {
    line.starts_with(char::is_alphanumeric)
}

/// A line without signs of lists before it, emphasis around it, arrows in it and signs after it.
/// Without `items` it keeps the signs of lists.
fn bare<'l>(line: &'l str, items: bool, game: &Game) -> Cow<'l, str> {
    if line.contains("**") || line.contains('`') {
        let plain = line.replace("**", "").replace('`', "");
        return Cow::Owned(bare(plain.trim(), items, game).into_owned());
    }
    let mut text = line;
    for _ in 0..if items { SIGNS_MAX } else { 0 } {
        let inside = emphasised(text, game);
        let Some(rest) = without_sign(inside, game) else {
            text = inside;
            break;
        };
        text = rest;
    }
    let text = emphasised(text, game);
    // An emoji after an order, or a backslash at the end of a line.
    let sign = |c: char| !c.is_ascii() && !c.is_alphanumeric() && !is_mark(c);
    let text = text.trim_end_matches(|c: char| sign(c) || c.is_whitespace() || c == '\\');
    if !ARROWS.iter().any(|arrow| text.contains(arrow)) {
        return Cow::Borrowed(text);
    }
    // The longer ones first: `->` is a part of `-->`.
    let plain = ARROWS.iter().fold(text.to_owned(), |text, arrow| text.replace(arrow, " "));
    let order = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    // In a sentence an arrow leads to a place.
    if (game.starts_as_written)(&order) { Cow::Owned(order) } else { Cow::Borrowed(text) }
}

/// Whether a character is a mark on the letter before it, such as an accent or a strike.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{fffd}') || base::text::steers(c)
}

/// Pairs of signs around a text. Brackets may be a part of the text, so they count only around an
/// order.
const AROUND: [(&str, &str); 8] = [
    ("__", "__"),
    ("==", "=="),
    ("*", "*"),
    ("_", "_"),
    ("\"", "\""),
    ("'", "'"),
    ("(", ")"),
    ("[", "]"),
];

/// A text without the signs of emphasis around it.
fn emphasised<'l>(text: &'l str, game: &Game) -> &'l str {
    let text = text.trim();
    let inside = |(open, close): &(&str, &str)| -> Option<&'l str> {
        let inside = text.strip_prefix(open)?.strip_suffix(close)?;
        let near =
            !inside.starts_with(char::is_whitespace) && !inside.ends_with(char::is_whitespace);
        let whole = near && !inside.is_empty() && !inside.contains(open) && !inside.contains(close);
        let fits = whole && (open == close || (game.starts_as_written)(inside));
        fits.then_some(inside)
    };
    AROUND.iter().find_map(inside).unwrap_or(text)
}

/// The text after one sign of a list, check mark, box, number or emoji. `None`: there is no sign.
fn without_sign<'l>(text: &'l str, game: &Game) -> Option<&'l str> {
    let first = text.chars().next()?;
    let rest = &text[first.len_utf8()..];
    let blank = |t: &str| t.starts_with(char::is_whitespace);
    if let Some(rest) = ARROWS.iter().find_map(|arrow| text.strip_prefix(arrow)) {
        return Some(rest.trim_start());
    }
    match first {
        '-' | '*' | '+' => {
            let rest = rest.trim_start_matches(first);
            let order = || (game.starts_as_written)(rest) && rest.starts_with(char::is_alphabetic);
            let sign = blank(rest) || rest.starts_with(['[', '|']) || order();
            return sign.then(|| rest.trim_start());
        }
        '[' => {
            let (inside, rest) = rest.split_once(']')?;
            let ticked = inside.trim().chars().count() <= 1 && !inside.contains(char::is_numeric);
            return ticked.then(|| rest.trim_start());
        }
        // Outlook writes the circle of a list as a letter.
        'o' if blank(rest) => {
            let order = rest.trim_start();
            let begins = order.starts_with(char::is_alphabetic) && (game.starts_as_written)(order);
            return (begins || order.starts_with('|')).then_some(order);
        }
        c if !c.is_ascii() && !c.is_alphabetic() && !is_mark(c) => {
            return Some(rest.trim_start());
        }
        _ => {}
    }
    numbered(text, game).or_else(|| labelled(text, game))
}

/// The text after the number or the letter of an item: `1. `, `(2) `, `a) `, `iv) `, `3 - `.
fn numbered<'l>(text: &'l str, game: &Game) -> Option<&'l str> {
    let inside = text.strip_prefix('(').unwrap_or(text);
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric())?;
    let (number, behind) = inside.split_at(end);
    let digits = number.len() <= 3 && number.bytes().all(|b| b.is_ascii_digit());
    let letter = number.len() == 1 || number.chars().all(|c| "ivxIVX".contains(c));
    let closes: &[char] = if text.starts_with('(') { &[')'] } else { &[')', '.', ':', ']', '/'] };
    let rest = behind.trim_start_matches(closes);
    let order =
        |rest: &str| rest.starts_with(char::is_alphabetic) && (game.starts_as_written)(rest);
    let closed = rest.len() < behind.len()
        && (rest.starts_with(char::is_whitespace) || digits && order(rest));
    let dashed =
        || behind.trim_start().strip_prefix('-').filter(|rest| digits && order(rest.trim()));
    let rest = if closed { rest } else { dashed()? };
    (!number.is_empty() && (digits || letter && number.len() <= 4)).then(|| rest.trim_start())
}

/// The text after a word that numbers an order: `Order 1: `, `#3 `.
fn labelled<'l>(text: &'l str, game: &Game) -> Option<&'l str> {
    let end = text.find(|c: char| c.is_ascii_digit() || ".:)".contains(c))?;
    let word = text[..end].trim().to_uppercase();
    if !NUMBERED.contains(&word.as_str()) {
        return None;
    }
    // "Nr. 1" too.
    let number = text[end..].trim_start_matches(['.', ' ']);
    let number = match number.starts_with(|c: char| c.is_ascii_digit()) {
        true => number.trim_start_matches(|c: char| c.is_ascii_digit()),
        false => &text[end..],
    };
    let rest = number.trim_start_matches(['.', ':', ')', '-', ' ']);
    (rest.len() < number.len() && (game.starts_as_written)(rest)).then_some(rest)
}

/// Words of a short remark and the sign before it, at most.
const SHORT_REMARK: usize = 4;
/// Letters of a word of a remark, at least: two or fewer are codes and directions.
const REMARK_LETTERS: usize = 3;

/// Words of conditions and of sequence: a text with one of them is not a remark.
const CONDITIONS: [&str; 10] =
    ["IF", "NOT", "THEN", "ELSE", "UNLESS", "ONLY", "WHEN", "UNTIL", "WENN", "FALLS"];

/// Whether a text has a number, or begins with a code or a word in capitals. Plain words that only
/// begin with the letter of an order are not coded.
fn is_coded(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    let short = first.chars().filter(|c| c.is_alphabetic()).count() < REMARK_LETTERS;
    text.contains(|c: char| c.is_ascii_digit()) || short || !first.contains(char::is_lowercase)
}

/// An order without remarks: words in brackets, after `//`, or after a dash between blanks. `None`:
/// it has none. Words that may be a condition, a field or another order are not a remark.
fn without_remarks(text: &str, starts: &dyn Fn(&str) -> bool) -> Option<String> {
    let is_word = |w: &str| {
        w.chars().filter(|c| c.is_alphabetic()).count() >= REMARK_LETTERS
            && !w.contains(|c: char| c.is_ascii_digit())
    };
    let remark = |t: &str| {
        let t = t.trim();
        let conditional = |w: &str| {
            let word = w.trim_matches(|c: char| !c.is_alphanumeric()).to_uppercase();
            CONDITIONS.contains(&word.as_str())
        };
        // A field of an order is one word in capitals.
        let field = !t.contains(char::is_whitespace) && !t.contains(char::is_lowercase);
        let order = starts(t) && is_coded(t);
        t.split_whitespace().any(is_word)
            && !field
            && !t.split_whitespace().any(conditional)
            && !order
    };
    let mut out = match text.split_once("//") {
        Some((order, said)) if remark(said) => order.trim_end().to_owned(),
        _ => text.to_owned(),
    };
    for dash in [" - ", " -- "] {
        if let Some((order, said)) = out.split_once(dash)
            && said.split_whitespace().next().is_some_and(is_word)
            && remark(said)
        {
            out = order.trim_end().to_owned();
        }
    }
    let mut from = 0;
    while let Some(begin) = out[from..].find(['(', '[']).map(|at| from + at) {
        let close = if out[begin..].starts_with('(') { ')' } else { ']' };
        let Some(end) = out[begin..].find(close).map(|at| begin + at) else { break };
        if remark(&out[begin + 1..end]) {
            out.replace_range(begin..=end, " ");
            from = begin;
        } else {
            from = end;
        }
    }
    (out != text).then(|| out.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An order is a letter and a number; `N` takes a text, and `- 12 2` is an order too.
    fn starts(line: &str) -> bool {
        if ["CLOSE", "@TU"].contains(&line) {
            return true;
        }
        let mut words = line.split_whitespace();
        let head = words.next().unwrap_or_default().trim_end_matches([')', '.', ':']);
        let next = words.next().unwrap_or_default();
        // `W` and `Q` take letters as well.
        head.len() == 1
            && (next.starts_with(|c: char| c.is_ascii_digit())
                || "WQ".contains(head) && !next.is_empty())
    }

    fn read(line: &str) -> String {
        let game = Game {
            starts_as_written: &starts,
            starts_order: &starts,
            takes_text: &|line| line.starts_with("N "),
            knows: &|_| false,
        };
        order(&mail::normal::normalise(line), &game).into_owned()
    }

    #[test]
    fn an_order_has_no_end_of_a_sentence() {
        let polite = ["A 12 2 please", "A 12 2, thanks!"];
        for line in ["A 12 2.", "- A 12 2,", "A 12 2 (north)."].iter().chain(&polite) {
            assert_eq!(read(line), "A 12 2", "{line}");
        }
        for (line, order) in [("CLOSE!", "CLOSE"), ("@TU:", "@TU"), ("Hello!", "Hello!")] {
            assert_eq!(read(line), order);
        }
        assert_eq!(read("N 3 Who dares wins!"), "N 3 Who dares wins!");
        assert_eq!(read("Hello there."), "Hello there.");
    }

    #[test]
    fn signs_of_lists_marks_and_emphasis_are_no_part_of_an_order() {
        for line in [
            "- M 3 13",
            "* M 3 13",
            "+ M 3 13",
            "-M 3 13",
            "\u{2022} M 3 13",
            "\u{2022}\tM 3 13",
            "\u{25e6} M 3 13",
            "\u{2013} M 3 13",
            "\u{2014} M 3 13",
            "\u{f0b7}   M 3 13",
            "\u{b7}   M 3 13",
            "o   M 3 13",
            "- [ ] M 3 13",
            "- [x] M 3 13",
            "[X] M 3 13",
            "\u{2705} M 3 13",
            "\u{2714}\u{fe0f} M 3 13",
            "\u{2713} M 3 13",
            "\u{1f449} M 3 13",
            "\u{1f449}\u{1f3fd} M 3 13",
            "1\u{fe0f}\u{20e3} M 3 13",
            "\u{2460} M 3 13",
            "1. M 3 13",
            "(1) M 3 13",
            "1) M 3 13",
            "1: M 3 13",
            "a) M 3 13",
            "(b) M 3 13",
            "iv) M 3 13",
            "1.M 3 13",
            "1.) M 3 13",
            "1/ M 3 13",
            "1 - M 3 13",
            "Move 1: M 3 13",
            "Nr. 1: M 3 13",
            "-> M 3 13",
            "=> M 3 13",
            "\u{2192} M 3 13",
            "(M 3 13)",
            "[M 3 13]",
            "'M 3 13'",
            "==M 3 13==",
            "***M 3 13***",
            "Order 1: M 3 13",
            "Befehl 2: M 3 13",
            "#1 M 3 13",
            "#1: M 3 13",
            "**M 3 13**",
            "*M 3 13*",
            "__M 3 13__",
            "`M 3 13`",
            "- **M 3 13**",
            "**1.** M 3 13",
            "**M** 3 13",
            "\"M 3 13\"",
            "M 3 13 \u{1f680}",
            "M 3 13 \u{2705}\u{fe0f}",
            "M 3 \u{2192} 13",
            "M 3 -> 13",
            "M 3 => 13",
            "M 3 13\\",
        ] {
            assert_eq!(read(line), "M 3 13", "{line:?}");
        }
    }

    #[test]
    fn a_remark_is_no_part_of_an_order() {
        for line in [
            "M 3 13 (north)",
            "M 3 13 (see map)",
            "M 3 13 [to the pass, as agreed]",
            "M 3 (infantry) 13",
            "M 3 13 // two steps",
            "M 3 13 //north",
            "M 3 13 - towards the pass",
            "M 3 13 \u{2013} north",
        ] {
            assert_eq!(read(line), "M 3 13", "{line:?}");
        }
    }

    #[test]
    fn what_may_be_a_part_of_an_order_stays() {
        for line in [
            "M 3 (13)",
            "M 3 (NE)",
            "A) 12 3",
            "- 12 2",
            "M 3 13 - 2",
            "P 546 *",
            "G * 1",
            "N 3 Foo (the Great)",
            "N 3 Alpha - Beta",
            "M 3 13!",
            "W: S15 4",
            "Q: B BB",
            "M 3 (if not E33)",
            "M 3 [NTH]",
            "M 3 (DRAW)",
            "M 3 13 - then S",
            "M 3 13 // M 4 12",
        ] {
            assert_eq!(read(line), line);
        }
        for (line, plain) in
            [("- tanks to Fenoham", "tanks to Fenoham"), ("\u{2022} and so on", "and so on")]
        {
            assert_eq!(read(line), plain);
        }
        for line in ["---", "***", "*", "\u{2022}", "see below (north)"] {
            assert_eq!(read(line), line);
        }
    }
}
