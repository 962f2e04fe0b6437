//! Which step people mean: they know a turn by its number, and a step by its name.

use engine::{Turn, Turns};
use store::{Game, Reader, Step};
use tongue::say;

use crate::context::Result;
use crate::mailer::step_name;

/// The steps of a game that `words` name, the newest first: the number of a turn, such as `7`, a
/// range as in subjects, `7-9` or `7 to 9`, or the name of a step, such as `turn 2, segment 1`.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn steps_called(store: &Reader, game: &Game, words: &str) -> Result<Vec<Turn>> {
    let words = words.trim();
    let is_meant: Box<dyn Fn(&Step) -> bool> = match turns(words) {
        Some(turns) => Box::new(move |s| (turns.first..=turns.last).any(|n| s.turns.contains(n))),
        None => {
            let wanted = plain(words);
            Box::new(move |s| {
                [s.label.as_str(), &step_name(&s.label)].iter().any(|l| plain(l) == wanted)
            })
        }
    };
    let steps = store.steps().of(&game.code)?;
    Ok(steps.iter().filter(|s| is_meant(s)).map(|s| s.number).collect())
}

/// Reads the number of a turn, or a range of two numbers, with or without a word before it, as in
/// `T7` of a subject or in `turn 7`.
fn turns(words: &str) -> Option<Turns> {
    let number = words.trim_start_matches(|c: char| !c.is_ascii_digit());
    let before = words[..words.len() - number.len()].trim().to_lowercase();
    // The word for a turn in the current language, too.
    let turn = say!("turn {}", number);
    let said = turn.strip_suffix(number).unwrap_or_default().trim();
    if !["", "t", "turn", "turns", said].contains(&before.as_str()) {
        return None;
    }
    let words = number;
    let between = ["-", "\u{2013}", " to ", " bis "];
    let pair = between.iter().find_map(|sign| words.split_once(sign));
    let (first, last) = pair.unwrap_or((words, words));
    let turns = Turns { first: first.trim().parse().ok()?, last: last.trim().parse().ok()? };
    // A range this long is a mistake.
    (turns.first <= turns.last && turns.last - turns.first < 100).then_some(turns)
}

/// Words without what people leave out when they type: capitals, commas, repeated blanks.
fn plain(words: &str) -> String {
    let words = words.replace(',', " ").to_lowercase();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
