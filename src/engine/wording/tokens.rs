//! A line as tokens: words with what they may be, numbers, commas and ends of sentences.

use std::collections::BTreeSet;

use super::names::slips_of;
use super::speech::{AND, FIX, Meaning, OWNS, SPEECH, THANKS, TO, folded};

/// What a token is beside its word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word, a phrase, or a code.
    Word,
    /// A comma: a part of a list or a clause ends.
    Comma,
    /// The end of a sentence.
    Stop,
}

/// A word of a line, or a phrase of small words.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// In capitals, as names are looked up.
    pub text: String,
    /// In capitals, as small words and verbs are looked up.
    pub key: String,
    pub kind: Kind,
    pub meaning: Meaning,
    /// Its value as a number, in digits or words.
    pub number: Option<u32>,
    /// Where it stands in the line, in bytes.
    pub span: (usize, usize),
}

impl Token {
    pub fn is(&self, classes: u32) -> bool {
        self.meaning.is(classes)
    }

    fn new(text: &str, span: (usize, usize)) -> Self {
        let text: String = text.chars().flat_map(char::to_uppercase).collect();
        let text = text.replace(['\'', '\u{2019}'], "");
        let key = folded(&text);
        let meaning = SPEECH.of(&key).unwrap_or_default();
        // `04516` is the number of a sector, not a count.
        let digits = text == "0"
            || (1..6).contains(&text.len())
                && text.bytes().all(|b| b.is_ascii_digit())
                && !text.starts_with('0');
        let number = if digits { text.parse().ok() } else { meaning.number };
        Self { text, key, kind: Kind::Word, meaning, number, span }
    }

    /// A word that stands alone.
    pub fn word(text: &str) -> Self {
        Self::new(text, (0, text.len()))
    }

    /// `'s`.
    fn owns(span: (usize, usize)) -> Self {
        let mut token = Self::new("'S", span);
        token.meaning.classes = OWNS;
        token
    }

    fn sign(kind: Kind, span: (usize, usize)) -> Self {
        Self { kind, ..Self::new("", span) }
    }
}

/// Signs that stand around words and say nothing.
const AROUND: &[char] =
    &['"', '\'', '(', ')', '[', ']', '\u{201c}', '\u{201d}', '\u{201e}', '*', '#'];

/// A line as tokens.
pub(super) fn tokens(
    line: &str,
    is_code: &dyn Fn(&str) -> bool,
    is_known: &dyn Fn(&str) -> bool,
) -> Vec<Token> {
    let mut raw: Vec<Token> = Vec::new();
    let base = line.as_ptr() as usize;
    let mut words = line.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let at = word.as_ptr() as usize - base;
        // `1.`, `2)` and `c)` number the parts of a list.
        let number = word.trim_end_matches(['.', ')']);
        let letter = number.len() == 1 && word.ends_with(')');
        if words.peek().is_some()
            && number.len() + 1 == word.len()
            && (letter || number.parse::<u8>().is_ok())
        {
            raw.push(Token::sign(Kind::Comma, (at, at + word.len())));
            continue;
        }
        word_of(word, at, is_code, &mut raw);
    }
    corrected(phrased(joined_numbers(times(raw), is_known)))
}

/// `10 x army` and `army x10` as `10 army`.
fn times(raw: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(raw.len());
    let mut all = raw.into_iter().peekable();
    let word = |t: Option<&Token>| t.is_some_and(|t| t.kind == Kind::Word && t.number.is_none());
    let digits = |t: Option<&Token>| t.is_some_and(|t| t.number.is_some());
    while let Some(token) = all.next() {
        let sign = token.text == "X" || token.text == "\u{d7}";
        // It stands between the number and its noun, or before the number behind a noun.
        if sign && digits(out.last()) && word(all.peek()) {
            continue;
        }
        match all.next_if(|t| sign && word(out.last()) && digits(Some(t))) {
            Some(number) => out.insert(out.len() - 1, number),
            None => out.push(token),
        }
    }
    out
}

/// A number that the next words take back, in the middle of a sentence: `eight points no sorry make it
/// ten points`.
fn corrected(mut tokens: Vec<Token>) -> Vec<Token> {
    const BETWEEN: usize = 2;
    let number = |t: Option<&Token>| t.is_some_and(|t| t.number.is_some());
    let Some(fix) = tokens.iter().position(|t| t.is(FIX)) else { return tokens };
    // `no sorry, make it`.
    let last = (fix..tokens.len()).take_while(|n| tokens[*n].is(FIX)).last().unwrap_or(fix);
    let from = (fix.saturating_sub(BETWEEN + 1)..fix).rev().find(|n| number(tokens.get(*n)));
    let Some(from) = from.filter(|_| number(tokens.get(last + 1))) else { return tokens };
    let words = tokens[from..fix].iter().all(|t| t.kind == Kind::Word);
    // The noun stands behind the right number again, or behind neither.
    let noun = tokens.get(from + 1).filter(|_| from + 1 < fix).map(|t| t.key.clone());
    let again = noun.is_none_or(|noun| tokens[last + 1..].iter().any(|t| t.key == noun));
    if words && again && last + 2 < tokens.len() {
        tokens.drain(from..=last);
    }
    tokens
}

/// One word between blanks, without the signs around it.
fn word_of(word: &str, at: usize, is_code: &dyn Fn(&str) -> bool, out: &mut Vec<Token>) {
    let arrow = [
        "->", "-->", "=>", "==>", ">", ">>", "\u{2192}", "\u{27a1}", "\u{21d2}", "\u{2794}",
        "\u{279c}", "--", "\u{2013}",
    ];
    if arrow.contains(&word) {
        let mut token = Token::new("", (at, at + word.len()));
        token.meaning.classes = TO;
        return out.push(token);
    }
    if matches!(word, "=" | "-" | ":" | "/" | "|" | "comma" | "Komma" | "komma") {
        return out.push(Token::sign(Kind::Comma, (at, at + 1)));
    }
    if word == "+" || word == "&" {
        let mut token = Token::new("", (at, at + 1));
        token.meaning.classes = AND;
        return out.push(token);
    }
    if word == "*" {
        return out.push(Token::new(word, (at, at + 1)));
    }
    let inner = word.trim_matches(AROUND);
    let begin = at + (word.len() - word.trim_start_matches(AROUND).len());
    let bare = inner.trim_end_matches([',', '.', ';', '!', '?', ':']);
    let bare = bare.trim_end_matches(AROUND);
    let ends = &inner[bare.len()..];
    // `->` may stand without blanks.
    if let Some((left, right)) = bare.split_once("->").or_else(|| bare.split_once("=>")) {
        for (part, from) in [(left, 0), ("->", left.len()), (right, left.len() + 2)] {
            if !part.is_empty() {
                word_of(part, begin + from, is_code, out);
            }
        }
    } else if !bare.is_empty() {
        bare_word(bare, begin, is_code, out);
    }
    let end = begin + inner.len();
    match () {
        () if ends.contains(['.', ';', '?']) && SPEECH.of(&folded(inner)).is_none() => {
            out.push(Token::sign(Kind::Stop, (end, end)));
        }
        // What is cried out may go on.
        () if ends.contains(':') => {
            out.push(Token { key: ":".to_owned(), ..Token::sign(Kind::Comma, (end, end)) });
        }
        () if ends.contains([',', '!']) => out.push(Token::sign(Kind::Comma, (end, end))),
        () => {}
    }
}

/// What a word is the genitive of: `Turkey` for `Turkey's`, but not for `Barnard's Star`.
fn owner<'w>(word: &'w str, is_code: &dyn Fn(&str) -> bool) -> Option<&'w str> {
    let owner = ["'s", "\u{2019}s", "'S"].iter().find_map(|end| word.strip_suffix(end))?;
    let whole: String = word.to_uppercase().replace(['\'', '\u{2019}'], "");
    (!owner.is_empty() && !is_code(&whole) && SPEECH.of(&folded(word)).is_none()).then_some(owner)
}

/// A word without signs around it: a code, or what its signs part.
fn bare_word(word: &str, at: usize, is_code: &dyn Fn(&str) -> bool, out: &mut Vec<Token>) {
    if let Some(owner) = owner(word, is_code) {
        bare_word(owner, at, is_code, out);
        return out.push(Token::owns((at + owner.len(), at + word.len())));
    }
    let upper = word.to_uppercase();
    let whole = |out: &mut Vec<Token>| out.push(Token::new(word, (at, at + word.len())));
    if is_code(&upper) || SPEECH.of(&folded(word)).is_some() {
        return whole(out);
    }
    // `10pp`, `30A`.
    let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
    let rest = &word[digits..];
    if digits > 0 && rest.chars().count() > 1 && rest.chars().all(char::is_alphabetic) {
        out.push(Token::new(&word[..digits], (at, at + digits)));
        return out.push(Token::new(rest, (at + digits, at + word.len())));
    }
    // `3x`, `60%`.
    if digits > 0 && matches!(rest, "x" | "X" | "%") {
        out.push(Token::new(&word[..digits], (at, at + digits)));
        if rest == "%" {
            out.push(Token::new("percent", (at + digits, at + word.len())));
        }
        return;
    }
    // `u4`, `inf1`: a letter and a number.
    let letters = word.find(|c: char| !c.is_alphabetic()).unwrap_or(word.len());
    let number = &word[letters..];
    if letters > 0 && !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) {
        out.push(Token::new(&word[..letters], (at, at + letters)));
        return out.push(Token::new(number, (at + letters, at + word.len())));
    }
    // `forty-nine`.
    let spoken = |part: &str| SPEECH.of(&folded(part)).is_some_and(|m| m.number.is_some());
    if let Some((tens, ones)) = word.split_once('-').filter(|(a, b)| spoken(a) && spoken(b)) {
        out.push(Token::new(tens, (at, at + tens.len())));
        return out.push(Token::new(ones, (at + tens.len() + 1, at + word.len())));
    }
    // A list of numbers stays one word; `tanks,trucks` and `and/or` are several.
    let listed = word.chars().all(|c| c.is_ascii_digit() || c == ',' || c == '-');
    let cut = if listed { None } else { word.find([',', '/', ':']) };
    match cut {
        Some(cut) if cut > 0 && cut + 1 < word.len() => {
            bare_word(&word[..cut], at, is_code, out);
            out.push(Token::sign(Kind::Comma, (at + cut, at + cut + 1)));
            bare_word(&word[cut + 1..], at + cut + 1, is_code, out);
        }
        _ => whole(out),
    }
}

/// A code that is spelt from a token on, such as `zero four point one` or `D D one`, with the
/// tokens that it takes.
fn spelt(raw: &[Token], at: usize, is_known: &dyn Fn(&str) -> bool) -> Option<(usize, String)> {
    const LONGEST: usize = 8;
    let mut text = String::new();
    let mut found = None;
    for (n, token) in raw[at..].iter().take(LONGEST).enumerate() {
        match token.number {
            Some(number) if number < 10 => text += &number.to_string(),
            _ if token.text.chars().count() == 1 && token.kind == Kind::Word => text += &token.text,
            _ if n > 0 && matches!(token.key.as_str(), "POINT" | "PUNKT" | "DOT") => text.push('.'),
            _ => break,
        }
        // `B 1` may be a letter of a name and a number.
        let letters = text.chars().filter(|c| c.is_alphabetic()).count();
        let told = letters > 1 || text.contains('.');
        if n > 0 && told && text.contains(|c: char| c.is_ascii_digit()) && is_known(&text) {
            found = Some((n + 1, text.clone()));
        }
    }
    // Digits alone are told below.
    found.filter(|(_, text)| text.contains(|c: char| !c.is_ascii_digit()))
}

/// `twenty one` as one number, `zero four eight one one` as digits.
fn joined_numbers(mut raw: Vec<Token>, is_known: &dyn Fn(&str) -> bool) -> Vec<Token> {
    const DICTATED: usize = 4;
    const SHORT: usize = 3;
    // `oh four eight`.
    for at in 1..raw.len() {
        let digit = raw.get(at).is_some_and(|t| t.meaning.number.is_some_and(|n| n < 10));
        if digit && matches!(raw[at - 1].key.as_str(), "OH" | "O") {
            let span = raw[at - 1].span;
            raw[at - 1] = Token { span, ..Token::word("zero") };
        }
    }
    // `five one two oh`.
    for at in SHORT..raw.len() {
        let digit = |t: &Token| t.meaning.number.is_some_and(|n| n < 10);
        if raw[at].key == "OH" && raw[at - SHORT..at].iter().all(digit) {
            let span = raw[at].span;
            raw[at] = Token { span, ..Token::word("zero") };
        }
    }
    let mut out: Vec<Token> = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        if let Some((n, text)) = spelt(&raw, at, is_known) {
            out.push(Token::new(&text, (raw[at].span.0, raw[at + n - 1].span.1)));
            at += n;
            continue;
        }
        let spoken = |n: usize| raw.get(n).filter(|t| t.meaning.number.is_some());
        let digits =
            (at..raw.len()).take_while(|n| spoken(*n).is_some_and(|t| t.number < Some(10))).count();
        let text: String =
            raw[at..at + digits].iter().filter_map(|t| Some(t.number?.to_string())).collect();
        // `one two six` may be the number of something that is known.
        if digits >= DICTATED || digits == SHORT && is_known(&text) {
            out.push(Token::new(&text, (raw[at].span.0, raw[at + digits - 1].span.1)));
            at += digits;
            continue;
        }
        let tens = spoken(at).and_then(|t| t.number).filter(|n| (20..=90).contains(n));
        let ones = spoken(at + 1).and_then(|t| t.number).filter(|n| (1..10).contains(n));
        let hundred = spoken(at + 1).is_some_and(|t| t.number == Some(100));
        let few = spoken(at).and_then(|t| t.number).filter(|n| (1..10).contains(n));
        let value = match (tens, ones, few, hundred) {
            (Some(tens), Some(ones), ..) => Some(tens + ones),
            (_, _, Some(few), true) => Some(few * 100),
            _ => None,
        };
        match value {
            Some(value) => {
                out.push(Token::new(&value.to_string(), (raw[at].span.0, raw[at + 1].span.1)));
                at += 2;
            }
            None => {
                out.push(raw[at].clone());
                at += 1;
            }
        }
    }
    out
}

/// Phrases of small words as one token each, the longest first.
fn phrased(raw: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::with_capacity(raw.len());
    let mut at = 0;
    while at < raw.len() {
        let words = (at..raw.len()).take_while(|n| raw[*n].kind == Kind::Word).count();
        let longest = (2..=words.min(SPEECH.longest(&raw[at].key))).rev().find_map(|n| {
            let keys: Vec<&str> = raw[at..at + n].iter().map(|t| t.key.as_str()).collect();
            Some((n, SPEECH.of(&keys.join(" "))?))
        });
        let Some((n, meaning)) = longest else {
            out.push(raw[at].clone());
            at += 1;
            continue;
        };
        let mut token = raw[at].clone();
        for word in &raw[at + 1..at + n] {
            token.text = format!("{} {}", token.text, word.text);
            token.key = format!("{} {}", token.key, word.key);
        }
        if let Some(word) = meaning.stands_for {
            word.clone_into(&mut token.key);
        }
        (token.meaning, token.number) = (meaning, meaning.number);
        token.span.1 = raw[at + n - 1].span.1;
        out.push(token);
        at += n;
    }
    without_farewell(out)
}

/// Words behind thanks, when they are no more than a name.
fn without_farewell(mut tokens: Vec<Token>) -> Vec<Token> {
    const NAME_WORDS: usize = 6;
    let thanks = tokens.iter().rposition(|t| t.is(THANKS));
    if let Some(at) = thanks.filter(|at| *at > 0 && tokens.len() - at <= NAME_WORDS + 2) {
        tokens.truncate(at);
    }
    tokens
}

/// What is asked of a word.
type Is<'i> = dyn Fn(&str) -> bool + 'i;

/// How far two words are apart that differ in one letter, at most.
const ONE_LETTER: usize = 3;

/// How far two words are apart: letters that changed places count least, other ones most.
fn distance(a: &str, b: &str) -> usize {
    let (long, short) = (a.chars().count(), b.chars().count());
    match strsim::osa_distance(a, b) {
        1 if long == short && strsim::levenshtein(a, b) == 2 => 1,
        1 if long != short => 2,
        1 => 3,
        2 => 5,
        _ => usize::MAX,
    }
}

/// The word of a vocabulary that a mistyped word is, if it is one alone; words of `first` come
/// before others that are as near. Of two names that are one letter away, either may be meant.
pub(super) fn mended<'v>(
    word: &str,
    vocabulary: &'v BTreeSet<String>,
    (first, named): (&Is<'_>, &Is<'_>),
) -> Option<&'v str> {
    let letters = word.chars().count();
    let most = match letters {
        0..=2 => return None,
        3..=4 => 2,
        5..=8 => 3,
        _ => 5,
    };
    if !word.chars().all(char::is_alphabetic) {
        return None;
    }
    let mut best: (usize, Vec<&str>) = (usize::MAX, Vec::new());
    let mut near: Vec<&str> = Vec::new();
    let begin: Vec<char> = word.chars().take(2).collect();
    for known in vocabulary {
        let mut known_begin = known.chars();
        let (a, b) = (known_begin.next(), known_begin.next());
        // Hardly anybody errs in the first letter, but it may come second.
        let begins = a == Some(begin[0]) || a == Some(begin[1]) && b == Some(begin[0]);
        let length = known.chars().count();
        if !begins || length.abs_diff(letters) > slips_of(word).max(1) || length < 2 {
            continue;
        }
        let far = distance(known, word);
        // Another letter makes another word: `dance` is no `danke`, which would say nothing.
        let most = if first(known) { most } else { most.min(2) };
        if far > most {
            continue;
        }
        if (2..=ONE_LETTER).contains(&far) && named(known) {
            near.push(known);
        }
        match far.cmp(&best.0) {
            std::cmp::Ordering::Less => best = (far, vec![known]),
            std::cmp::Ordering::Equal => best.1.push(known),
            std::cmp::Ordering::Greater => {}
        }
    }
    let names = |far: usize| (2..=ONE_LETTER).contains(&far);
    let is_name = best.1.iter().all(|known| named(known));
    if names(best.0) && is_name && near.iter().any(|known| !best.1.contains(known)) {
        return None;
    }
    let told: Vec<&str> = best.1.iter().copied().filter(|word| first(word)).collect();
    match (&best.1[..], &told[..]) {
        ([one], _) | (_, [one]) => Some(one),
        _ => None,
    }
}
