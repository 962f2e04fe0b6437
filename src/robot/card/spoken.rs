//! Commands of the robot in sentences: `I want to stop playing` is RESIGN. The rows are data of
//! `config/speech/commands.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// Words of a line that may be a command, at most.
const WORDS_MAX: usize = 24;

#[derive(Deserialize)]
struct File {
    command: Vec<Row>,
    months: BTreeMap<String, u8>,
}

#[derive(Deserialize)]
struct Row {
    line: String,
    says: Vec<String>,
}

static FILE: LazyLock<File> = LazyLock::new(|| {
    let text = include_str!("../../../config/speech/commands.toml");
    engine::data::from_toml(text).expect("the embedded file is sound")
});

/// The words of a line in small letters.
pub(crate) fn words(text: &str) -> Vec<String> {
    let plain: String = text.chars().filter(|c| !matches!(c, '\'' | '\u{2019}')).collect();
    let words = plain.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    words.map(str::to_lowercase).collect()
}

/// Whether phrases are among words, one behind the other.
pub(crate) fn says(words: &[String], row: &str) -> bool {
    let mut from = 0;
    row.split('+').all(|phrase| {
        let phrase: Vec<&str> = phrase.split_whitespace().collect();
        let found = words[from..].windows(phrase.len()).position(|w| w == phrase);
        if let Some(at) = found {
            from += at + phrase.len();
        }
        found.is_some()
    })
}

/// The line of a command that a sentence means; a vacation has its dates, without the year.
pub(super) fn command(text: &str) -> Option<String> {
    let words = words(text);
    if words.len() > WORDS_MAX {
        return None;
    }
    let row = FILE.command.iter().find(|row| row.says.iter().any(|say| says(&words, say)))?;
    if row.line != "VACATION" {
        return Some(row.line.clone());
    }
    let [from, to] = dates(&words)?;
    Some(format!("VACATION {from} {to}"))
}

/// The first two days of a line: `10 to 20 June` as `--06-10` and `--06-20` (ISO 8601 without the
/// year).
fn dates(words: &[String]) -> Option<[String; 2]> {
    let day = |word: &String| -> Option<u8> {
        let digits = word.trim_end_matches(|c: char| c.is_alphabetic());
        digits.parse().ok().filter(|day| (1..=31).contains(day))
    };
    let month = |word: &String| FILE.months.get(word.as_str()).copied();
    // A month stands behind its day, or before it; one that stands once is that of both.
    let mut days: Vec<(u8, Option<u8>)> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if let Some(day) = day(word) {
            let behind = words.get(at + 1).and_then(month);
            let before = at.checked_sub(1).and_then(|at| words.get(at)).and_then(month);
            days.push((day, behind.or(before)));
        }
    }
    let [(from, first), (to, second), ..] = days[..] else { return None };
    let any = first.or(second)?;
    let written = |day: u8, month: Option<u8>| format!("--{:02}-{day:02}", month.unwrap_or(any));
    Some([written(from, first), written(to, second)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_mean_commands_and_others_mean_none() {
        for (text, line) in [
            ("I want to stop playing, somebody else can have my empire", Some("RESIGN")),
            ("Ich will nicht mehr mitspielen!", Some("RESIGN")),
            ("no wait, cancel everything I have ordered so far", Some("CANCEL")),
            ("Please show me the rules.", Some("RULES")),
            ("I am on holiday from 10 to 20 June", Some("VACATION --06-10 --06-20")),
            ("Ich bin vom 28. Mai bis 3. Juni im Urlaub", Some("VACATION --05-28 --06-03")),
            ("I am on holiday", None),
            ("send the tanks to Kiel", None),
            ("do not stop the tanks", None),
        ] {
            assert_eq!(command(text).as_deref(), line, "{text}");
        }
    }
}
