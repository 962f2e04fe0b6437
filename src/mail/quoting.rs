//! How mail programs quote and what they append: the words of many languages (`quoting.toml`), and
//! the shapes.
//!
//! This is the last of several safeguards: our own mails open with a marker line, none of our lines
//! reads as an order, and the address that a card comes to shows whether its turn has passed.

use super::marker::is_marker;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use serde::Deserialize;

use super::normal::undirected;

/// The layout of `quoting.toml`.
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
    #[cfg_attr(not(test), expect(dead_code, reason = "names the row for its readers"))]
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
    undelivered: Vec<String>,
    disclaimer: Vec<String>,
    greeting: Vec<String>,
}

/// A field of a header block as mail programs quote it; Cc counts as To.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    From,
    Sent,
    To,
    Subject,
}

/// Starts of lines, keyed by their first character.
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

    /// The value of the start that a line, given in lower case, has.
    fn find(&self, line: &str) -> Option<T> {
        let words = self.0.get(&line.chars().next()?)?;
        words.iter().find(|(w, _)| line.starts_with(w.as_str())).map(|(_, what)| *what)
    }
}

/// The words of all languages together, in lower case.
struct Words {
    /// Phrases of gateways' warnings.
    banners: AhoCorasick,
    /// Phrases in the subjects of spam filters that ask for a confirmation.
    challenge: AhoCorasick,
    /// Verbs of attributions.
    wrote: Vec<String>,
    /// The last letters of those verbs.
    ends: BTreeSet<char>,
    /// Starts of attributions.
    on: Starts<()>,
    /// Names of quoted header fields.
    labels: Starts<Label>,
    /// Text of bars above an original.
    bars: BTreeSet<String>,
    /// Starts of the lines that phones and web mailers append.
    phones: Starts<()>,
    /// Phrases in the subjects of vacation replies.
    away: AhoCorasick,
    /// Phrases of mail systems about a mail that they could not deliver.
    undelivered: AhoCorasick,
    /// Starts of footers of lists and scanners, and of legal text.
    footers: Starts<()>,
    /// Starts of greetings.
    greetings: Starts<()>,
}

/// The table, read once. The tests read it too, so it is known to parse.
static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("quoting.toml")).expect("quoting.toml is good");
    let mut words = Words {
        banners: any_of(&file.banners),
        challenge: any_of(&file.challenge),
        wrote: Vec::new(),
        ends: BTreeSet::new(),
        on: Starts(BTreeMap::new()),
        labels: Starts(BTreeMap::new()),
        bars: BTreeSet::new(),
        phones: Starts(BTreeMap::new()),
        away: any_of(file.language.iter().flat_map(|l| &l.away)),
        undelivered: any_of(file.language.iter().flat_map(|l| &l.undelivered)),
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
        words.footers.add(&l.disclaimer, ());
        words.greetings.add(&l.greeting, ());
    }
    let verbs = words.wrote.iter().map(|w| w.trim_end_matches([':', ' ']));
    words.ends = verbs.filter_map(|w| w.chars().next_back()).collect();
    words
});

/// A searcher for any of some phrases in a text; its speed does not depend on their number.
pub(crate) fn any_of<P: AsRef<[u8]>>(phrases: impl IntoIterator<Item = P>) -> AhoCorasick {
    AhoCorasick::new(phrases).expect("a table of phrases is small")
}

/// A line in lower case, without the marks of emphasis that some programs leave.
fn bare(line: &str) -> String {
    // Mail programs for right-to-left languages frame lines with direction characters.
    undirected(line).trim().trim_matches('*').trim().to_lowercase()
}

/// Whether a line is one that phones and web mailers append: `Sent from my iPhone`.
pub fn is_phone(line: &str) -> bool {
    WORDS.phones.find(&bare(line)).is_some()
}

/// Whether a line begins a text that lists, virus scanners and companies append.
pub fn is_footer(line: &str) -> bool {
    let line = bare(line);
    let line = line.trim_start_matches(['-', '_', '*', '[', '(', ' ']);
    WORDS.footers.find(line).is_some()
}

/// Whether a line begins a warning that a gateway puts above the text of a mail.
pub fn is_banner(line: &str) -> bool {
    let line = bare(line);
    line.len() > 6 && WORDS.banners.is_match(&line)
}

/// Whether a line is a greeting at the start or the end of a letter.
pub fn is_greeting(line: &str) -> bool {
    // Some greetings are whole words.
    let line = format!("{} ", bare(line));
    let long = line.split_whitespace().next().is_some_and(|w| w.chars().count() > 2);
    // Two letters and a digit are an order.
    (long || !line.contains(|c: char| c.is_ascii_digit())) && WORDS.greetings.find(&line).is_some()
}

/// Whether a subject is that of a vacation reply. This is extra evidence, never the only
/// one.
pub fn is_away(subject: &str) -> bool {
    WORDS.away.is_match(&subject.to_lowercase())
}

/// Whether a text, in lower case, says that a mail was not delivered. People say so too, so this
/// alone is not a sign of a machine.
pub fn is_undelivered(text: &str) -> bool {
    WORDS.undelivered.is_match(text)
}

/// Whether a subject comes from a spam filter that asks the sender for a confirmation.
pub fn is_challenge(subject: &str) -> bool {
    WORDS.challenge.is_match(&subject.to_lowercase())
}

/// The header field that a quoted line begins with.
fn label(line: &str) -> Option<Label> {
    // The name of a field is short, so a colon must follow soon.
    let near = line.trim_start().char_indices().take(28).any(|(_, c)| c == ':');
    if !near {
        return None;
    }
    WORDS.labels.find(bare(line).trim_start_matches(['>', '|', ' ']))
}

/// Whether line `i` begins a quoted header: `From:`, and soon below it `Sent:` or `To:`. Outlook
/// and others quote like this, without marks; some begin with the date.
pub fn is_header_block(lines: &[(usize, String)], i: usize) -> bool {
    let first = label(&lines[i].1);
    // For delegates, Outlook quotes only one field.
    let lower = || bare(&lines[i].1);
    if first == Some(Label::From) && lower().contains("on behalf of") && lower().contains('@') {
        return true;
    }
    if is_raw_field(&lines[i].1) {
        let near = lines[i + 1..].iter().filter(|l| !l.1.trim().is_empty()).take(4);
        return near.into_iter().any(|l| is_raw_field(&l.1) || label(&l.1).is_some());
    }
    if !matches!(first, Some(Label::From | Label::Sent)) {
        return is_block_by_shape(lines, i);
    }
    let near = lines[i + 1..].iter().filter(|l| !l.1.trim().is_empty()).take(4);
    near.filter_map(|l| label(&l.1)).any(|l| Some(l) != first) || is_block_by_shape(lines, i)
}

/// The largest number of lines in a header block.
const BLOCK_LINES: usize = 8;
/// The largest number of characters in each of them.
const FIELD_CHARS: usize = 300;

/// Whether line `i` begins a quoted header of one of our mails in any language, with colons or
/// without: successive lines of which one holds an address, one a date, and one the tag of our
/// subjects. A single line with both an address and the tag is such a header too.
fn is_block_by_shape(lines: &[(usize, String)], i: usize) -> bool {
    let (mut address, mut date, mut tag) = (false, false, false);
    for (_, line) in lines[i..].iter().take(BLOCK_LINES) {
        let line = line.trim_start_matches(['>', '|', ' ', '*']).trim_end();
        let holds = [has_address(line), times(line) && digits(line) >= 5, is_tagged(line)];
        let field = is_field(line);
        if line.is_empty() || line.len() > FIELD_CHARS || !field && holds == [false; 3] {
            return false;
        }
        if holds[0] && holds[2] && !looks_like_order(line) {
            return true;
        }
        address |= holds[0];
        date |= holds[1] || field && digits(line) >= 6;
        tag |= holds[2];
        if address && date && tag {
            return true;
        }
    }
    false
}

/// Whether a line is one or a few words, a colon, and more text.
fn is_field(line: &str) -> bool {
    let Some((name, value)) = line.split_once([':', '\u{ff1a}']) else { return false };
    let name = name.trim_matches(['*', ' ']);
    let letters = name.chars().all(|c| !c.is_ascii_punctuation() && !c.is_ascii_digit());
    letters && (1..=28).contains(&name.chars().count()) && !value.trim().is_empty()
}

/// Whether a text contains an e-mail address.
pub fn has_address(text: &str) -> bool {
    let mut parts = text.split('@');
    let mut before = parts.next().unwrap_or_default();
    parts.any(|after| {
        let local = before.ends_with(|c: char| c.is_ascii_alphanumeric());
        before = after;
        let sign = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
        let domain = after.split(|c| !sign(c)).next().unwrap_or_default();
        local && domain.trim_end_matches('.').contains('.')
    })
}

/// Whether a text has the tag of our subjects, such as `[W7 T12 S34]`.
fn is_tagged(text: &str) -> bool {
    let numbered = |word: Option<&str>, letter: char| {
        let digits = word.and_then(|w| w.strip_prefix(letter));
        digits.is_some_and(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    };
    text.split('[').skip(1).filter_map(|part| part.split(']').next()).any(|inside| {
        let mut words = inside.split_whitespace();
        words.next().is_some() && numbered(words.next(), 'T') && numbered(words.next(), 'S')
    })
}

/// Header fields that no person types, in lower case: a whole mail is below them, such as one that
/// a server returns.
const RAW_FIELDS: [&str; 16] = [
    "received:",
    "return-path:",
    "delivered-to:",
    "envelope-to:",
    "message-id:",
    "in-reply-to:",
    "references:",
    "mime-version:",
    "content-type:",
    "content-transfer-encoding:",
    "dkim-signature:",
    "authentication-results:",
    "auto-submitted:",
    "list-id:",
    "x-fieldpost:",
    "x-original-to:",
];

fn is_raw_field(line: &str) -> bool {
    let line = line.trim_start_matches(['>', '|', ' ']).to_lowercase();
    RAW_FIELDS.iter().any(|f| line.starts_with(f))
}

/// Whether line `i` is a line of signs without an original below it: people draw such lines too.
pub fn is_rule(lines: &[(usize, String)], i: usize) -> bool {
    let line = lines[i].1.trim();
    let leads = |n: usize| is_header_block(lines, n) || is_attribution(lines, n) || lines[n].0 > 0;
    let next = || (i + 1..lines.len()).find(|n| !lines[*n].1.trim().is_empty());
    line.chars().all(|c| "_-=*~#".contains(c)) && !next().is_some_and(leads)
}

/// Whether line `i` is a bar above an original: `-----Original Message-----` in any
/// language, or the line of underscores of Outlook and list programs.
pub fn is_bar(lines: &[(usize, String)], i: usize) -> bool {
    let line = lines[i].1.trim();
    let next = || (i + 1..lines.len()).find(|n| !lines[*n].1.trim().is_empty());
    let leads = || next().is_some_and(|n| is_header_block(lines, n) || is_footer(&lines[n].1));
    let of = |sign: &[char]| line.chars().count() >= 20 && line.chars().all(|c| sign.contains(&c));
    if of(&['_']) || of(&['-', '=']) && leads() {
        return true;
    }
    const SIGNS: [char; 6] = ['-', '*', '=', '_', '~', '#'];
    let framed = match line.as_bytes() {
        [first, second, .., third, last] => {
            let one = [second, third, last].iter().all(|sign| *sign == first);
            line.len() > 8 && one && SIGNS.contains(&char::from(*first))
        }
        _ => false,
    };
    let inside = line.trim_matches(|c| SIGNS.contains(&c) || c == ' ').to_lowercase();
    if !framed {
        // The frame of signs may be lost, or be a single sign as for bold text.
        let alone = WORDS.bars.contains(inside.trim_end_matches(':'));
        return alone && (inside.ends_with(':') || line.starts_with('*') || leads());
    }
    let known = WORDS.bars.iter().any(|w| inside.starts_with(w.as_str()));
    if !line.starts_with("--") {
        return known;
    }
    let attribution = || inside.contains('@') && WORDS.wrote.iter().any(|w| inside.contains(w));
    known || attribution() || (!inside.is_empty() && leads())
}

/// Whether line `i` begins an attribution, `On … NAME wrote:`, in any language and on up to
/// [`ATTRIBUTION_LINES`]. A player's own sentence with such an end is not one: it has no date, no
/// address, and nothing quoted below it.
pub fn is_attribution(lines: &[(usize, String)], i: usize) -> bool {
    let mut text = String::new();
    if names_and_dates(&lines[i].1) {
        return true;
    }
    for n in i..lines.len().min(i + ATTRIBUTION_LINES) {
        let line = undirected(&lines[n].1);
        let line = line.trim();
        if line.is_empty() || text.len() + line.len() > 500 {
            return false;
        }
        if n > i {
            text.push(' ');
        }
        text.push_str(line);
        if line.ends_with([':', '-']) {
            return closes(&text, n == i) && (proven(&text) || quoted_below(lines, n));
        }
        if proven(&text) && (ends_with_verb(&text) || ends_with_author(&text)) {
            return true;
        }
        // Only a line that begins like an attribution can continue on the next line.
        if n == i && !begins(line) {
            return false;
        }
    }
    false
}

/// Whether a line is only a name in quotes, an address and a time: some programs write nothing else
/// above an original.
fn names_and_dates(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('"')
        && line.len() <= FIELD_CHARS
        && times(line)
        && digits(line) >= 6
        && has_address(line)
}

/// The largest number of lines in an attribution.
pub const ATTRIBUTION_LINES: usize = 5;

/// Whether a text ends with the verb of an attribution, or with an address after the verb: the
/// colon was lost.
fn ends_with_verb(text: &str) -> bool {
    let end = text.trim_end_matches(['*', '_', ' ']).chars().next_back();
    // Most lines do not end with a letter of a verb.
    if !end.is_some_and(|c| c == '>' || c.to_lowercase().any(|c| WORDS.ends.contains(&c))) {
        return false;
    }
    let lower = text.to_lowercase();
    let lower = lower.trim_end_matches(['*', '_', ' ']);
    let verb = |w: &String| {
        let w = w.trim_end_matches([':', ' ']);
        lower.ends_with(w) || lower.ends_with('>') && lower.contains(w)
    };
    begins(text) && WORDS.wrote.iter().any(verb)
}

/// Whether a text is a date and a name, as some programs write it without any verb:
/// `2016-03-03 17:21 GMT+01:00 Some One`, `2013/7/20 Sam via List <list@host.example>`.
fn ends_with_author(text: &str) -> bool {
    if !text.starts_with(|c: char| c.is_ascii_digit()) && !text.ends_with('>') {
        return false;
    }
    let mut words = text.split_whitespace();
    let date = words.next().unwrap_or_default().trim_end_matches(',');
    let parts: Vec<&str> = date.split(['-', '/', '.']).collect();
    let numbers = parts.len() == 3 && parts.iter().all(|p| p.parse::<u32>().is_ok());
    let year = parts.iter().any(|p| p.len() == 4);
    let named = words.clone().any(|w| w.chars().filter(|c| c.is_alphabetic()).count() > 1);
    let link = text.contains('<') && text.contains('@') && text.trim_end().ends_with('>');
    let mailto = link && text.to_lowercase().contains("mailto:") && begins(text);
    mailto || numbers && year && named && (times(text) || link)
}

/// Whether a line can be the first of a wrapped attribution: it begins like one, or it has
/// a date. An order has neither.
fn begins(line: &str) -> bool {
    let clock = times(line);
    if looks_like_order(line) && !clock && digits(line) < 6 {
        return false;
    }
    let dated = || digits(line) >= 4 && (clock || line.contains('@'));
    WORDS.on.find(&line.to_lowercase()).is_some() || dated()
}

/// Whether a text has a time of day.
fn times(text: &str) -> bool {
    let digit = |b: u8| b.is_ascii_digit();
    text.as_bytes().windows(3).any(|w| digit(w[0]) && w[1] == b':' && digit(w[2]))
}

/// Whether an attribution may end with this text.
fn closes(text: &str, one_line: bool) -> bool {
    let lower = text.to_lowercase();
    let lower = lower.trim_end_matches(['-', ' ']);
    let verb = || WORDS.wrote.iter().any(|w| lower.contains(w.as_str()));
    // Some programs write no verb, or one that the table lacks.
    let dated = || {
        let address = lower.ends_with(">:") && lower.contains('@') && digits(lower) >= 3;
        address || lower.ends_with(':') && times(lower) && digits(lower) >= 8
    };
    (lower.chars().count() > 8 || !one_line) && (dated() || verb())
}

/// Whether a text has a date or an address, which programs write and people hardly do.
fn proven(text: &str) -> bool {
    let address = text.contains('@') && text.contains(['<', '(', '[']);
    address || times(text) && digits(text) >= 5 || digits(text) >= 6
}

fn digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

/// Whether the next line that is not blank is quoted.
fn quoted_below(lines: &[(usize, String)], i: usize) -> bool {
    let next = lines[i + 1..].iter().find(|(d, l)| *d > 0 || !l.trim().is_empty());
    let below = (i + 1..lines.len()).find(|n| !lines[*n].1.trim().is_empty());
    next.is_some_and(|(depth, _)| *depth > 0) || below.is_some_and(|n| is_marker(lines, n))
}

/// Whether a line looks like an order of any game: one or two letters, then a number.
pub fn looks_like_order(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (head, next) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let letters = head.len() <= 2 && head.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    letters && !head.is_empty() && next.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_looks_like_one_or_two_letters_and_a_number() {
        for order in ["A 12 2", "BA 15", "M 3 122", "- 12 2"] {
            assert!(looks_like_order(order), "{order}");
        }
        for words in ["Monday 12 May", "12 May", "", "A few words", "é1 12"] {
            assert!(!looks_like_order(words), "{words}");
        }
    }

    /// The columns of a language.
    fn columns(l: &Language) -> [&[String]; 14] {
        [
            &l.wrote,
            &l.on,
            &l.from,
            &l.sent,
            &l.to,
            &l.cc,
            &l.subject,
            &l.original,
            &l.forwarded,
            &l.phone,
            &l.away,
            &l.undelivered,
            &l.disclaimer,
            &l.greeting,
        ]
    }

    #[test]
    fn the_table_is_the_one_that_was_reviewed() {
        let file: File = toml::from_str(include_str!("quoting.toml")).expect("a table");
        let mut rows = Vec::new();
        for (name, words) in
            [("banners", &file.banners), ("footers", &file.footers), ("challenge", &file.challenge)]
        {
            rows.extend(words.iter().map(|w| (name.to_owned(), w)));
        }
        for language in &file.language {
            for (n, words) in columns(language).into_iter().enumerate() {
                assert!(!words.is_empty(), "column {n} of {} is empty", language.code);
                rows.extend(words.iter().map(|w| (format!("{} {n}", language.code), w)));
            }
        }
        for (place, word) in &rows {
            assert!(!word.trim().is_empty(), "{place}: an empty row is in every line");
            assert_eq!(**word, word.to_lowercase(), "{place}: lines are compared in lower case");
        }
        // Thousands of rows in 27 languages have no test mail. Their digest shows a misspelt or
        // lost row; an intended change needs a new digest.
        let all: Vec<String> =
            rows.iter().map(|(place, word)| format!("{place}\t{word}")).collect();
        let digest = base::secrets::sha256_hex(all.join("\n").as_bytes());
        let reviewed = "91c4b0e41ddb97826908e21defdd005fd1bc30a2b34a1c6d4eea139de4322564";
        assert_eq!(
            digest, reviewed,
            "quoting.toml has changed: check each changed row against a real mail, then put the new digest here"
        );
    }

    #[test]
    fn subjects_of_filters_and_of_vacations_are_found_in_every_language() {
        for subject in [
            "Please confirm your message to anna@example.org",
            "[verify#4711] orders",
            "Sender verification required",
            "Re: orders (Boxbe)",
            "SpamArrest: one click",
            "Bitte bestätigen Sie Ihre Nachricht",
        ] {
            assert!(is_challenge(subject), "{subject}");
        }
        for subject in ["My orders for turn 3", "I confirm our treaty"] {
            assert!(!is_challenge(subject), "{subject}");
        }
        for subject in ["Automatic reply: orders", "Abwesenheitsnotiz: Zug 3", "自动回复: orders"]
        {
            assert!(is_away(subject), "{subject}");
        }
    }

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
            "\"Fieldpost\" robot@fieldpost.example \u{2013} November 21, 2026 1:36 AM",
            "Robot writes:\n> x",
            "Robot writes:\n\n> x",
            // A whole date proves it, or a time of day with fewer digits, or only an address.
            "Am 21.11.26 schrieb Robot:\nx",
            "Am 21. um 1:36 schrieb Robot:\nx",
            "Am Samstag schrieb Robot <robot@fieldpost.example>:\nx",
            // Without a colon, broken across lines, with a link, with only a date and a name.
            "On Wed, 14 Nov 2018 08:14:43 -0200 John Doe <john@doe.example> wrote",
            "On Wed, 14 Nov 2018 08:14:43 -0200\nJohn Doe\n<john@doe.example>\nwrote",
            "Am 14.11.2018 um 08:14 schrieb John Doe <john@doe.example>",
            "Le 14/11/2018 08:14, John Doe <john@doe.example> a écrit",
            "2016-03-03 17:21 GMT+01:00 Some One",
            "2016-03-03 17:21 GMT+01:00 Some One <some@one.example>",
            "2013/7/20 sam via War Games <war@games.example>",
            "3.3.2016, 17:21 Some One",
            "On 14 Nov 2018, at 8:14, John Doe <john@doe.example\n< mailto:john@doe.example >",
            "On 14 Nov 2018, at 8:14, John Doe\n< mailto:john@doe.example >> wrote:",
            // Without a verb, an address and the day prove it; broken across lines within the words
            // of a verb.
            "14 Nov 18, John Doe <john@doe.example>:",
            "Le jeudi 3 mars, John Doe <john@doe.example> nous a\nécrit avec plaisir :",
        ] {
            assert!(is_attribution(&lines(text), 0), "{text}");
        }
        // An order that begins like an attribution stays separate from the attribution below it.
        let reply = lines("AM 3 2\nRobot wrote:\n> x");
        assert!(!is_attribution(&reply, 0) && is_attribution(&reply, 1));
        for text in [
            "PRESS 3\n",
            "as Anna wrote:\nwe shall meet",
            "as Anna wrote:\n\nwe shall meet",
            "Am 1.11.26 schrieb Robot:\nx",
            "Am 2. um 1:36 schrieb Robot:\nx",
            "A 12 2\nM 3 122:",
            "Orders:\nA 1 2",
            "On the first of May I wrote",
            "12-5-3 7",
            "3/4/2016",
            "2016 17:21 A 1 2",
            "A 1 2\nB 3 4\nC 5 6\nD 7 8",
            // Players' numbers: no year, no time of day or address, no colon.
            "1-2-3 everybody at 15:30",
            "2016-03-03 there were units < 5",
            "2016 Anna at 17:21",
            "On 1234 and 5678 they hold -",
            "On 1234 and 5678 they hold:",
        ] {
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
        for text in [
            "From: Anna Smith On Behalf Of Robot [mailto:robot@fieldpost.example]\nA 1 2",
            "From: war-bounces@games.example [mailto:war@games.example] On Behalf Of Anna",
            "Return-Path: <robot@fieldpost.example>\nReceived: from a by b",
            "MIME-Version: 1.0\nSubject: your printout",
            // Croatian, Vietnamese, Thai, Hindi, Persian; without colons; as a table; in one line.
            "\u{160}alje: Fieldpost <robot@fieldpost.example>\nPoslano: 21. studenoga 2026. 1:36\nPrima: Anna\nPredmet: [W7 T12 S3] your printout",
            "T\u{1eeb}: Fieldpost <robot@fieldpost.example>\n\u{110}\u{e3} g\u{1eed}i: 21 Th\u{e1}ng M\u{1b0}\u{1edd}i M\u{1ed9}t 2026 1:36 SA\nCh\u{1ee7} \u{111}\u{1ec1}: Re: [W7 T12 S3] your orders",
            "\u{e08}\u{e32}\u{e01}: Fieldpost <robot@fieldpost.example>\n\u{e2a}\u{e48}\u{e07}: 21 2569 1:36\n\u{e40}\u{e23}\u{e37}\u{e48}\u{e2d}\u{e07}: [W7 T12 S3] x",
            "*Kas:* Fieldpost <robot@fieldpost.example>\n*Kada:* 2026 m. lapkri\u{10d}io 21 d. 01:36\n*Kam:* Anna\n*Tema:* [W7 T12 S3] x",
            "From \"Fieldpost\" <robot@fieldpost.example>\nTo \"Anna\" <anna@example.org>\nDate 21/11/2026 01:36:00\nSubject Re: [W7 T12 S3] x",
            "| From | Fieldpost<robot@fieldpost.example> |\n| Date | 11/21/2026 01:36 |\n| To | <anna@example.org> |\n| Subject | [W7 T12 S3] x |",
            "\u{41a}\u{43e}\u{43c}\u{443}: anna@example.org; \u{422}\u{435}\u{43c}\u{430}: [W7 T12 S3] x;",
            "Fieldpost <robot@fieldpost.example>\nNov 21, 2026, 1:36 AM\n[W7 T12 S3] your printout",
        ] {
            assert!(is_header_block(&lines(text), 0), "{text}");
        }
        // A person's own lines lack our tag, an address or a date.
        for text in [
            "Meeting: 2026-12-01 17:00\nPlace: Rome\nContact: anna@example.org",
            "See: [W7 T12 S3]\nTime: 17:00\nPlace: Rome",
            "Contact: anna@example.org\nM 3 13\nSubject: [W7 T12 S3]",
        ] {
            assert!(!is_header_block(&lines(text), 0), "{text}");
        }
        assert!(!is_header_block(&lines("From: here on\nA 12 2\nM 3 1"), 0));
        assert!(!is_header_block(&lines("References: none\nA 12 2\nM 3 1"), 0));
        assert!(!is_header_block(&lines("From: Anna, on behalf of all\nA 1 2"), 0));
    }

    #[test]
    fn one_field_of_a_header_is_a_players_own_word() {
        let block = |text: &str| is_header_block(&lines(text), 0);
        assert!(!block("Received: your letter, thanks\nM 1 3\nM 2 3"));
        assert!(block("Received: from a.example\nReceived: from b.example"));
        assert!(block("Received: from a.example\n\nSubject: orders"));
    }

    #[test]
    fn a_line_of_dashes_of_a_players_own_is_no_bar() {
        assert!(is_bar(&lines("-----Original Message-----"), 0));
        assert!(is_bar(&lines("________________________________\nFrom: R\nTo: me"), 0));
        assert!(!is_bar(&lines("---- my plan ----\nA 12 2"), 0));
        // A bar has dashes at both ends.
        assert!(is_bar(&lines("--Original Message--\nA 12 2"), 0));
        assert!(!is_bar(&lines("--Original Message\nA 12 2"), 0));
        assert!(!is_bar(&lines("Original Message --\nA 12 2"), 0));
        for bar in [
            "***** Original Message *****",
            "**Original Message**",
            "==== Original Message ====",
            "*-----Original Message-----*",
            "*Original Message*",
            "Original Message:",
            "Original Message\nFrom: R\nTo: me",
        ] {
            assert!(is_bar(&lines(bar), 0), "{bar}");
        }
        for own in ["**** my plan ****\nA 1 2", "== original ==\nA 1 2", "Original Message\nA 1 2"]
        {
            assert!(!is_bar(&lines(own), 0), "{own}");
        }
        assert!(!is_bar(&lines("--------------------\nA 12 2"), 0));
    }
}
