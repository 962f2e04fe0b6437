//! How mail programs quote: the words of many languages, and the shapes.
//!
//! This is the last of several nets: our own mails open with a marker line, no line
//! of ours can be read as an order, and a card of a passed turn is known by the
//! address that it comes to.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::normal::undirected;

/// Columns of a `quoting.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    banners: Vec<String>,
    footers: Vec<String>,
    challenge: Vec<String>,
    language: Vec<Language>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Language {
    #[expect(dead_code, reason = "names the row for its readers")]
    code: String,
    wrote: Vec<String>,
    on: Vec<String>,
    from: Vec<String>,
    sent: Vec<String>,
    to: Vec<String>,
    cc: Vec<String>,
    subject: Vec<String>,
    original: Vec<String>,
    forwarded: Vec<String>,
    phone: Vec<String>,
    away: Vec<String>,
    disclaimer: Vec<String>,
    greeting: Vec<String>,
}

/// Fields of a header block as mail programs quote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    From,
    Sent,
    To,
    Subject,
}

/// Starts of lines, found by their first character.
#[derive(Debug, Default)]
struct Starts<T>(BTreeMap<char, Vec<(String, T)>>);

impl<T: Copy> Starts<T> {
    fn add(&mut self, words: &[String], what: T) {
        for word in words {
            if let Some(first) = word.chars().next() {
                self.0.entry(first).or_default().push((word.clone(), what));
            }
        }
    }

    /// What a line starts with, in lower case.
    fn of(&self, line: &str) -> Option<T> {
        let words = self.0.get(&line.chars().next()?)?;
        words.iter().find(|(w, _)| line.starts_with(w.as_str())).map(|(_, what)| *what)
    }
}

struct Words {
    banners: Vec<String>,
    challenge: Vec<String>,
    wrote: Vec<String>,
    on: Starts<()>,
    labels: Starts<Label>,
    /// Text of bars above an original.
    bars: Vec<String>,
    phones: Starts<()>,
    away: Vec<String>,
    /// Footers of lists and scanners, and legal text.
    footers: Starts<()>,
    greetings: Starts<()>,
}

/// The table; a test reads it, so that it is always there.
static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("quoting.toml")).expect("quoting.toml is good");
    let mut words = Words {
        banners: file.banners,
        challenge: file.challenge,
        wrote: Vec::new(),
        on: Starts(BTreeMap::new()),
        labels: Starts(BTreeMap::new()),
        bars: Vec::new(),
        phones: Starts(BTreeMap::new()),
        away: Vec::new(),
        footers: Starts(BTreeMap::new()),
        greetings: Starts(BTreeMap::new()),
    };
    words.footers.add(&file.footers, ());
    for l in file.language {
        words.wrote.extend(l.wrote);
        words.on.add(&l.on, ());
        words.labels.add(&l.from, Label::From);
        words.labels.add(&l.sent, Label::Sent);
        words.labels.add(&l.to, Label::To);
        words.labels.add(&l.cc, Label::To);
        words.labels.add(&l.subject, Label::Subject);
        words.bars.extend(l.original);
        words.bars.extend(l.forwarded);
        words.phones.add(&l.phone, ());
        words.away.extend(l.away);
        words.footers.add(&l.disclaimer, ());
        words.greetings.add(&l.greeting, ());
    }
    words
});

/// A line without the marks of emphasis that some programs leave.
fn bare(line: &str) -> String {
    // Right-to-left mail programs frame their lines with signs of direction.
    undirected(line).trim().trim_matches('*').trim().to_lowercase()
}

/// What phones and web mailers append.
pub fn is_phone(line: &str) -> bool {
    WORDS.phones.of(&bare(line)).is_some()
}

/// What lists, virus scanners and lawyers append.
pub fn is_footer(line: &str) -> bool {
    let line = bare(line);
    let line = line.trim_start_matches(['-', '_', '*', '[', '(', ' ']);
    WORDS.footers.of(line).is_some()
}

/// What gateways put above the text of mails from outside.
pub fn is_banner(line: &str) -> bool {
    let line = bare(line);
    line.len() > 6 && WORDS.banners.iter().any(|b| line.contains(b.as_str()))
}

/// A word with which letters begin and end.
pub fn is_greeting(line: &str) -> bool {
    let line = bare(line);
    let long = line.split_whitespace().next().is_some_and(|w| w.chars().count() > 2);
    long && WORDS.greetings.of(&line).is_some()
}

/// Subjects of vacation replies; extra evidence, never the only one.
pub fn is_away(subject: &str) -> bool {
    let subject = subject.to_lowercase();
    WORDS.away.iter().any(|w| subject.contains(w.as_str()))
}

/// Subjects by which spam filters ask senders to confirm.
pub fn is_challenge(subject: &str) -> bool {
    let subject = subject.to_lowercase();
    WORDS.challenge.iter().any(|w| subject.contains(w.as_str()))
}

fn label(line: &str) -> Option<Label> {
    // A label stands at the start, so a colon must follow soon.
    let near = line.trim_start().char_indices().take(28).any(|(_, c)| c == ':');
    if !near {
        return None;
    }
    WORDS.labels.of(bare(line).trim_start_matches(['>', '|', ' ']))
}

/// `From:` with `Sent:` or `To:` near below, as Outlook and others quote without
/// marks; some begin with the date.
pub fn is_header_block(lines: &[(usize, String)], i: usize) -> bool {
    let first = label(&lines[i].1);
    if !matches!(first, Some(Label::From | Label::Sent)) {
        return false;
    }
    let near = lines[i + 1..].iter().filter(|l| !l.1.trim().is_empty()).take(4);
    near.filter_map(|l| label(&l.1)).any(|l| Some(l) != first)
}

/// `-----Original Message-----` in any language, and the lines of underscores that
/// Outlook and list programs put before what is not new.
pub fn is_bar(lines: &[(usize, String)], i: usize) -> bool {
    let line = lines[i].1.trim();
    let next = || (i + 1..lines.len()).find(|n| !lines[*n].1.trim().is_empty());
    let leads = || next().is_some_and(|n| is_header_block(lines, n) || is_footer(&lines[n].1));
    let of = |sign: &[char]| line.chars().count() >= 20 && line.chars().all(|c| sign.contains(&c));
    if of(&['_']) || of(&['-', '=']) && leads() {
        return true;
    }
    if !(line.starts_with("--") && line.ends_with("--") && line.len() > 8) {
        return false;
    }
    let inside = line.trim_matches(['-', ' ']).to_lowercase();
    let known = WORDS.bars.iter().any(|w| inside.starts_with(w.as_str()));
    let attribution = || inside.contains('@') && WORDS.wrote.iter().any(|w| inside.contains(w));
    known || attribution() || (!inside.is_empty() && leads())
}

/// `On … NAME wrote:` in many languages, on one line or wrapped over three. A
/// player's own sentence that ends so is none: it has no date, no address, and
/// nothing quoted below it.
pub fn is_attribution(lines: &[(usize, String)], i: usize) -> bool {
    let mut text = String::new();
    for n in i..lines.len().min(i + 3) {
        let line = undirected(&lines[n].1);
        let line = line.trim();
        if line.is_empty() || text.len() + line.len() > 400 {
            return false;
        }
        if n > i {
            text.push(' ');
        }
        text.push_str(line);
        if line.ends_with([':', '-']) {
            return closes(&text, n == i) && (proven(&text) || quoted_below(lines, n));
        }
        // Only a line that begins like one can go on.
        if n == i && !begins(line) {
            return false;
        }
    }
    false
}

/// Whether a line can be the first of a wrapped attribution: it begins like one, or
/// with a date. An order does neither.
fn begins(line: &str) -> bool {
    let clock = times(line);
    if super::body::looks_like_order(line) && !clock && digits(line) < 6 {
        return false;
    }
    let dated = || digits(line) >= 4 && (clock || line.contains('@'));
    WORDS.on.of(&line.to_lowercase()).is_some() || dated()
}

/// Whether a time of day stands in a text.
fn times(text: &str) -> bool {
    let digit = |b: u8| b.is_ascii_digit();
    text.as_bytes().windows(3).any(|w| digit(w[0]) && w[1] == b':' && digit(w[2]))
}

/// Whether an attribution may end here.
fn closes(text: &str, one_line: bool) -> bool {
    let lower = text.to_lowercase();
    let lower = lower.trim_end_matches(['-', ' ']);
    let verb = || WORDS.wrote.iter().any(|w| lower.contains(w.as_str()));
    // Some programs write no verb, or one that is not in the table.
    let dated = || {
        let address = lower.ends_with(">:") && lower.contains('@') && digits(lower) >= 3;
        address || lower.ends_with(':') && times(lower) && digits(lower) >= 8
    };
    (lower.chars().count() > 8 || !one_line) && (dated() || verb())
}

/// A date or an address: what a program writes and a person hardly does.
fn proven(text: &str) -> bool {
    let address = text.contains('@') && text.contains(['<', '(', '[']);
    address || times(text) && digits(text) >= 5 || digits(text) >= 6
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

fn quoted_below(lines: &[(usize, String)], i: usize) -> bool {
    let next = lines[i + 1..].iter().find(|(d, l)| *d > 0 || !l.trim().is_empty());
    next.is_some_and(|(depth, line)| *depth > 0 || super::body::is_marker(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(usize, String)> {
        super::super::body::plain_lines(text).0
    }

    #[test]
    fn attributions_of_many_languages_are_found() {
        for text in [
            "On Sat, Nov 21, 2026 at 01:36:00AM -0000, Robot wrote:",
            "On Saturday the 21st of November Fieldpost the robot\n<robot@fieldpost.example> wrote:",
            "Am 21.11.26 um 01:36 schrieb Robot:",
            "Le sam. 21 nov. 2026 à 01:36, Robot <robot@fieldpost.example> a écrit :",
            "El sáb, 21 nov 2026 a las 1:36, Robot (<robot@fieldpost.example>) escribió:",
            "2026年11月21日(土) 1:36 Robot <robot@fieldpost.example>:",
            "于2026年11月21日周六 01:36写道：",
            "Суббота, 21 ноября 2026, 1:36 +03:00 от Robot <robot@fieldpost.example>:",
            "sob., 21 lis 2026 o 01:36 Robot <robot@fieldpost.example> napisał(a):",
            " ---- On Sat, 21 Nov 2026 01:36:00 +0000 Robot <robot@fieldpost.example> wrote ----",
            "Robot writes:\n> x",
        ] {
            assert!(is_attribution(&lines(text), 0), "{text}");
        }
        for text in
            ["PRESS 3\n", "as Anna wrote:\nwe shall meet", "A 12 2\nM 3 122:", "Orders:\nA 1 2"]
        {
            assert!(!is_attribution(&lines(text), 0), "{text}");
        }
    }

    #[test]
    fn header_blocks_of_many_languages_are_found() {
        for text in [
            "From: Robot\nSent: Saturday\nTo: me",
            "De: Robot\nEnviado el: sábado\nPara: yo",
            "De : Robot\nEnvoyé : samedi\nÀ : moi",
            "*Von:* Robot\n*Gesendet:* Samstag",
            "Gesendet: Samstag, 21. November 2026\nVon: Robot",
            "发件人：Robot\n发送时间：2026",
        ] {
            assert!(is_header_block(&lines(text), 0), "{text}");
        }
        assert!(!is_header_block(&lines("From: here on\nA 12 2\nM 3 1"), 0));
    }

    #[test]
    fn a_line_of_dashes_of_a_players_own_is_no_bar() {
        assert!(is_bar(&lines("-----Original Message-----"), 0));
        assert!(is_bar(&lines("________________________________\nFrom: R\nTo: me"), 0));
        assert!(!is_bar(&lines("---- my plan ----\nA 12 2"), 0));
        assert!(!is_bar(&lines("--------------------\nA 12 2"), 0));
    }
}
