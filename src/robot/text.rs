//! Words that people chose, made safe for any mail.

use unicode_security::skeleton;

use base::text::{is_unseen, steers};
use engine::Seat;
use store::SeatRow;
use tongue::say;

/// Characters of a seat's name.
pub const NAME_MAX: usize = 30;
/// The most characters that a mail of ours shows of a line that somebody else wrote.
const CHARS_SHOWN: usize = 500;

/// Words that no player's name may contain, judged by how they look.
const OURS_WITHIN: [&str; 5] =
    ["game master", "spielleiter", "fieldpost", "administrator", "postmaster"];
/// Words that may not be a player's whole name.
const OURS_ALONE: [&str; 16] = [
    "gm",
    "the gm",
    "robot",
    "the robot",
    "roboter",
    "der roboter",
    "host",
    "the host",
    "spielserver",
    "der spielserver",
    "moderator",
    "admin",
    "computer",
    "der computer",
    "nobody",
    "niemand",
];

/// Words with which questions begin.
const ASKING: [&str; 26] = [
    "what", "until", "bis", "how", "who", "whose", "where", "why", "when", "which", "can", "could",
    "should", "may", "do", "does", "is", "are", "will", "am", "was", "wie", "welche", "kann",
    "ist", "sind",
];
/// Words with which hardly anything but a question begins.
const ASKS_ALWAYS: [&str; 20] = [
    "how", "who", "whose", "where", "when", "which", "wheres", "whats", "what's", "where's",
    "whos", "who's", "wo", "wer", "wann", "wem", "wessen", "wohin", "wieviel", "warum",
];

/// Whether a line is a question of its own: it ends with a question mark, or begins with a question
/// word and has some more words.
pub fn is_question(line: &str) -> bool {
    let line = line.trim();
    let words: Vec<&str> = line.split_whitespace().collect();
    let begins =
        |with: &[&str]| words.first().is_some_and(|w| with.contains(&w.to_lowercase().as_str()));
    line.ends_with('?') && words.len() > 1
        || begins(&ASKS_ALWAYS) && words.len() > 2
        || begins(&ASKING) && words.len() > 3
}

/// A name that is safe in any mail: nothing unseen, no direction, no address.
pub fn plain_name(name: &str) -> String {
    let plain = |c: &char| !is_unseen(*c) && !"<>@\"".contains(*c);
    name.chars().filter(plain).take(NAME_MAX).collect::<String>().trim().to_owned()
}

/// Why the seat `own` may not have a name in a game with these seats; `None` when it may. People
/// would believe a name that looks like that of the game master, the robot or another player, or
/// like the number of another seat.
pub fn name_fault(name: &str, own: Option<Seat>, seats: &[SeatRow]) -> Option<String> {
    let forms = seen(name);
    let is = |word: &str| seen(word).iter().any(|f| !f.is_empty() && forms.contains(f));
    let within = |word: &str| forms.iter().any(|f| f.contains(&seen(word)[0]));
    if OURS_WITHIN.iter().any(|w| within(w)) || OURS_ALONE.iter().any(|w| is(w)) {
        return Some(say!("That name would be taken for the game master or the robot."));
    }
    let numbered =
        |w: &str, n: u8| [format!("{w} {n}"), format!("{w} {n:02}"), format!("{w} {n:03}")];
    let numbers = |n: u8| {
        let words = ["seat", "player", "platz", "sitz", "spieler"].into_iter();
        words.flat_map(|w| numbered(w, n)).any(|w| is(&w))
    };
    let number = (1..=u8::MAX).find(|n| numbers(*n));
    if number.is_some_and(|n| own != Some(Seat(n))) {
        return Some(say!("That name would be taken for another player's number."));
    }
    let other = |s: &&SeatRow| own != Some(s.seat) && !s.name.is_empty() && is(&s.name);
    seats
        .iter()
        .find(other)
        .map(|s| say!("Seat {seat} goes by a name that looks like that one.", seat = s.seat))
}

/// A name by its look: letters that look alike become one (Unicode Technical Standard #39), and
/// case, blanks and signs are dropped. A capital may look like another letter than its small form
/// does, so there are two results.
fn seen(name: &str) -> [String; 2] {
    let small = |name: &str| -> String {
        skeleton(&name.to_lowercase()).filter(|c| c.is_alphanumeric()).collect()
    };
    let alike: String = skeleton(name).collect();
    [small(name), small(&alike)]
}

/// Text of others, as a mail of ours shows it in one line.
pub fn printed(text: &str) -> String {
    text.chars().filter(|c| !steers(*c)).take(CHARS_SHOWN).collect()
}
