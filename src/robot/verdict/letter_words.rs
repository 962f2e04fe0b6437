//! Letters to players that stand in a sentence: `Tell Italy: shall we share Bulgaria?`.

use engine::Reader;
use engine::press::{self, Addressee};
use tongue::say;

use crate::text::printed;

/// Characters of a player's words that an echo repeats, at most.
pub(super) const WORDS_SHOWN: usize = 60;

/// Words with which people begin a letter in the wrong form.
const LETTERS: [&str; 14] = [
    "letter",
    "message",
    "mail",
    "write",
    "tell",
    "ask",
    "say",
    "dear",
    "brief",
    "nachricht",
    "schreib",
    "sag",
    "frag",
    "lieber",
];
/// Words between such a word and the player.
const LETTERS_TO: [&str; 14] = [
    "to", "the", "my", "player", "ally", "friend", "empire", "an", "den", "dem", "spieler", "zu",
    "von", "der",
];
/// Words behind the player.
const LETTERS_SMALL: [&str; 12] = [
    "bescheid",
    "this",
    "the",
    "following",
    "that",
    "from",
    "me",
    "please",
    "folgendes",
    "von",
    "mir",
    "bitte",
];
/// Words for everybody.
const EVERYBODY: [&str; 6] = ["everybody", "everyone", "all", "alle", "allen", "jeden"];

/// Whether a line was meant to begin a letter, as in `Letter to Finland:`.
pub fn writes_a_letter(line: &str) -> bool {
    const BEFORE: [&str; 8] = ["please", "bitte", "send", "schick", "a", "the", "eine", "einen"];
    let words = line.split_whitespace().map(str::to_lowercase);
    let mut words = words.skip_while(|word| BEFORE.contains(&word.as_str()));
    let first = words.next().unwrap_or_default();
    let to = words.next().unwrap_or_default();
    LETTERS.contains(&first.as_str())
        && (["to", "an", "player", "spieler"].contains(&to.as_str()) || line.contains(':'))
}

/// Whether a line may say what a player is to be told: `Tell Green I won't attack him`.
pub fn tells(line: &str) -> bool {
    const VERBS: [&str; 4] = ["tell", "inform", "sag", "sage"];
    let words = line.split_whitespace().map(str::to_lowercase);
    let mut words = words.skip_while(|word| ["please", "bitte"].contains(&word.as_str()));
    words.next().is_some_and(|first| VERBS.contains(&first.as_str()))
}

/// Whether a line is a letter to a player in one sentence: `Tell Italy: shall we share France?`.
pub fn is_letter(line: &str, reader: &Reader) -> bool {
    writes_a_letter(line) && line.contains(':') && letter_in(line, reader).is_some()
}

/// Whom a sentence is a letter to, and what it says: `Write to Turkey: shall we share Bulgaria?`.
pub(super) fn letter_in(line: &str, reader: &Reader) -> Option<(String, String)> {
    const NAME_WORDS: usize = 4;
    let (head, text) = line.split_once(':').unwrap_or((line, ""));
    let letter = |word: &&str| !LETTERS.contains(&word.to_lowercase().as_str());
    let words: Vec<&str> = head.split_whitespace().skip_while(letter).skip(1).collect();
    let small = |w: &&str| LETTERS_TO.contains(&w.to_lowercase().as_str());
    let from = words.iter().take_while(|w| small(w)).count();
    let to = words.get(from)?;
    // `to player 2`.
    let numbered = |from: usize| {
        let number = words.get(from)?.trim_end_matches([',', '.']);
        let digits = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| (number.to_owned(), from + 1))
    };
    let named = |from: usize| {
        let mut lengths = (1..=NAME_WORDS.min(words.len().saturating_sub(from))).rev();
        let names = lengths.find_map(|n| {
            let name = words[from..from + n].join(" ");
            let name = name.trim_end_matches([',', '.']);
            match &reader.names().find("player", name)[..] {
                [seat] => Some((seat.clone(), from + n)),
                _ => None,
            }
        });
        names.or_else(|| numbered(from))
    };
    let (mut seat, mut end) = match EVERYBODY.contains(&to.to_lowercase().as_str()) {
        true => ("ALL".to_owned(), from + 1),
        false => named(from)?,
    };
    // `Tell Turkey and Italy`.
    let listed = |end: usize| match words.get(end).map(|w| w.to_lowercase()).as_deref() {
        Some("and" | "und" | "&") => named(end + 1),
        _ if words[end - 1].ends_with(',') => named(end),
        _ => None,
    };
    while let Some((more, behind)) = listed(end) {
        (seat, end) = (format!("{seat},{more}"), behind);
    }
    let rest = &words[end..];
    if text.trim().is_empty() {
        return Some((seat, rest.join(" ")));
    }
    // Who else is meant has to be known.
    let small = |w: &&str| LETTERS_SMALL.contains(&w.to_lowercase().trim_end_matches(','));
    rest.iter().all(small).then(|| (seat, text.trim().to_owned()))
}

/// Whether a line is such a letter, or says what a player is to be told.
pub fn is_told(line: &str, reader: &Reader) -> bool {
    is_letter(line, reader) || tells(line) && letter_in(line, reader).is_some()
}

/// The lines in a card of a letter to a player; `None` where its text stands elsewhere.
pub(super) fn letter_lines(line: &str, reader: &Reader) -> Option<Vec<String>> {
    let (seat, said) = letter_in(line, reader).filter(|(_, said)| !said.is_empty())?;
    Some(vec![format!("PRESS {seat}"), said, "END".to_owned()])
}

/// A note on letters in a game that takes none.
pub(super) fn no_press() -> String {
    say!(
        "this game takes no PRESS; send messages with an order of the game, or to the addresses in \
         your printout"
    )
}

/// A note on how letters are written, where the game takes any.
pub(super) fn no_letter(line: &str, reader: Option<&Reader>, takes_letters: bool) -> String {
    if !takes_letters {
        return no_press();
    }
    match reader.and_then(|reader| letter_in(line, reader)) {
        Some((seat, text)) => {
            let text: String = printed(&text).chars().take(WORDS_SHOWN).collect();
            say!(
                "no letter: write these three lines, \"PRESS {seat}\", then \"{text}\", then \"END\""
            )
        }
        None => say!(
            "no letter: one begins with a line such as \"PRESS 3\" or \"PRESS Finland\", and ends \
             with the line END"
        ),
    }
}

/// The opening of a letter to a name, with the seat in place of the name, if exactly one player has
/// it.
pub(super) fn addressed(opening: &press::Opening, reader: &Reader) -> Option<String> {
    let Addressee::Named(name) = &opening.to else { return None };
    let [seat] = &reader.names().find("player", name)[..] else { return None };
    Some(format!("PRESS {seat}{}", if opening.anonymous { " ANON" } else { "" }))
}
