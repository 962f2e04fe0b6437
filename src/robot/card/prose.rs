//! Classifies lines of words: greeting, title, farewell with a name, sentence, talk.

use engine::{CardText, press};
use mail::{normal, quoting};

use super::signs::Game;
use crate::text::is_question;

/// The words by which titles name the orders below them.
pub(super) const ORDERS: [&str; 6] = ["order", "orders", "card", "moves", "befehle", "karte"];

/// Whether a line among orders is talk: a sentence that names nothing of the game and asks nothing.
pub(super) fn is_talk(text: &str, game: &Game) -> bool {
    // "AC40RO and the rest" begins as an order that fails.
    let first = text.split_whitespace().next().unwrap_or_default();
    let coded = first.contains(|c: char| c.is_ascii_digit()) && (game.starts_order)(first);
    !coded
        && is_sentence(text)
        && !is_question(text)
        && !(game.knows)(text)
        && normal::doubt(text).is_none()
}

/// Whether a line is words before the orders, such as `Hello,` or `here are my orders:`. It has no
/// sign that begins an order, a section or a message.
pub(super) fn is_words(text: &str) -> bool {
    if press::opens(text).is_some() {
        return false;
    }
    let words = text.split_whitespace().count();
    if quoting::is_greeting(text) && words <= 4 && !text.contains(|c: char| c.is_ascii_digit()) {
        return true;
    }
    let short_head = text.split_whitespace().next().is_some_and(|w| w.len() <= 2);
    // "Hi Ben," greets, "MX north" may have been meant as an order.
    let greets = || text.trim_end().ends_with([',', '!']);
    !text.contains(|c: char| c.is_ascii_digit() || "@#;/".contains(c))
        && (!short_head || words > 3 || greets())
}

/// Words of a greeting or of a line above orders, at most.
pub(super) const GREETING_WORDS: usize = 8;

/// Whether words greet, lead to the orders or take leave. Any mail of orders and commands may have
/// such words.
pub(super) fn is_greeting(text: &str) -> bool {
    greets(text) || text.split_whitespace().count() == 1
}

/// Whether a line greets: by its words, or because it ends like a greeting.
pub(super) fn greets(text: &str) -> bool {
    let ends = text.trim_end().ends_with([',', ':', '!']) && !hedges(text);
    text.split_whitespace().count() <= GREETING_WORDS && (quoting::is_greeting(text) || ends)
}

/// Whether a line is several words that neither greet nor take leave.
pub fn is_more_than_a_greeting(text: &str) -> bool {
    let word = |w: &&str| w.chars().filter(|c| c.is_alphabetic()).count() > 1;
    text.split_whitespace().filter(word).count() > 1 && !is_greeting(text)
}

/// Whether a line is a heading such as `My moves:`: it has a word for orders, or names nothing of
/// the game.
pub(super) fn is_title(text: &str, game: &Game) -> bool {
    let mut words = text.split_whitespace().map(|w| w.trim_end_matches(':').to_lowercase());
    text.trim_end().ends_with(':')
        && greets(text)
        && !text.contains(|c: char| c.is_ascii_digit() || "@#;/".contains(c))
        && text.chars().filter(|c| c.is_alphabetic()).count() > 3
        && (words.any(|w| ORDERS.contains(&w.as_str())) || !(game.knows)(text))
}

/// Whether a line is words in brackets that change nothing of the lines above it.
pub(super) fn is_bracketed(text: &str, game: &Game) -> bool {
    let inside = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
    let plain = |t: &str| t.chars().all(|c| c.is_alphabetic() || " ,.;'!-".contains(c));
    inside.is_some_and(|t| t.contains(' ') && plain(t) && !hedges(t) && !(game.starts_order)(t))
}

/// Whether a line may say that the lines below it are not meant as written.
pub(super) fn hedges(text: &str) -> bool {
    const WORDS: [&str; 24] = [
        "not",
        "don't",
        "dont",
        "never",
        "no",
        "if",
        "unless",
        "ignore",
        "cancel",
        "delete",
        "old",
        "instead",
        "maybe",
        "perhaps",
        "last",
        "only",
        "nicht",
        "kein",
        "keine",
        "wenn",
        "falls",
        "statt",
        "vielleicht",
        "alte",
    ];
    let words = text.split(|c: char| !c.is_alphabetic() && c != '\'').map(str::to_lowercase);
    words.into_iter().any(|w| WORDS.contains(&w.as_str()))
}

/// Lines of a farewell, at most: "Thanks,", a name or two, a person's title, a telephone number.
const FAREWELL_LINES: usize = 6;
/// Words of a line below a farewell or a name, at most.
const NAME_WORDS: usize = 4;
/// Bytes of a name right below an order, at least: a shorter line may be an order.
const NAME_BYTES_MIN: usize = 4;

/// Splits the farewell off a card: the words below its last order such as `Thanks,`, a name, and
/// the lines below the name. `is_none` says which lines are not commands.
pub(super) fn without_farewell(
    mut card: CardText,
    game: &Game,
    is_none: &dyn Fn(&str) -> bool,
) -> (CardText, Vec<(u32, String)>) {
    let (_, outside) = press::split(&card);
    if outside.lines.len() < card.lines.len() {
        return (card, Vec::new());
    }
    let last = card.lines.iter().rposition(|l| (game.starts_order)(&l.1));
    let plain = |text: &str| !text.contains(|c: char| c.is_ascii_digit() || "@#;/".contains(c));
    let words = |text: &str| text.split_whitespace().count();
    let parts = |text: &str| {
        let ends = text.ends_with([',', '!', '.']);
        let most = if ends { GREETING_WORDS } else { NAME_WORDS };
        quoting::is_greeting(text) && words(text) <= most && plain(text) && !(game.knows)(text)
    };
    let no_order = |text: &str| {
        !(game.knows)(text) && is_none(text) && !is_loud(text) && !quoting::looks_like_order(text)
    };
    // A name, a person's title or a telephone number.
    let signs = |text: &str| {
        let calls = text.contains(['@', '+']) || is_number_to_call(text);
        words(text) <= NAME_WORDS + 2 * usize::from(calls)
            && (plain(text) || calls || is_mostly_words(text))
            && !text.ends_with(['!', '?'])
            && no_order(text)
    };
    let from = last.map_or(0, |at| at + 1).max(card.lines.len().saturating_sub(FAREWELL_LINES));
    let text = |at: usize| card.lines[at].1.trim();
    // A name below a blank line, or on the last line.
    let named = |at: &usize| {
        let above = at.checked_sub(1).map(|at| card.lines[at].0);
        let apart = above.is_some_and(|above| card.lines[*at].0 - above > 1);
        let alone =
            above.is_some() && at + 1 == card.lines.len() && text(*at).len() >= NAME_BYTES_MIN;
        (apart || alone) && is_name(text(*at)) && plain(text(*at)) && signs(text(*at))
    };
    let begins = (from..card.lines.len()).find(|at| parts(text(*at)) || named(at));
    let begins = begins.filter(|at| (at + 1..card.lines.len()).all(|at| signs(text(at))));
    let farewell = begins.map_or(Vec::new(), |at| card.lines.split_off(at));
    (card, farewell)
}

/// Whether a line has far more letters than digits, as in `2nd Army`.
fn is_mostly_words(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    text.chars().filter(|c| c.is_alphabetic()).count() > 3 * digits
        && !text.contains(['@', '#', ';'])
}

/// Whether a line has a telephone number: many digits, and few letters.
fn is_number_to_call(text: &str) -> bool {
    const DIGITS: usize = 6;
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    digits >= DIGITS && letters <= DIGITS
}

/// Whether a line is written like the name of a person: each word begins with a capital letter, and
/// the line has small letters too.
fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_alphabetic() || "-'.".contains(c);
    text.chars().all(|c| letter(c) || c == ' ')
        && text.split(' ').all(|w| w.starts_with(char::is_uppercase))
        && text.contains(char::is_lowercase)
}

/// Whether a line that is not an order is a sentence or a part of one: four words or more that do
/// not greet and do not follow the sign of a remark or a list.
pub fn is_sentence(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let long = |w: &&&str| w.chars().filter(|c| c.is_alphabetic()).count() >= 3;
    let sign = text.trim_start().starts_with([';', '#', '@', '/', '*', '-']);
    // A field of a mail header, such as `Subject:`.
    let field = words.first().is_some_and(|w| w.ends_with(':'));
    words.len() >= 4
        && words.iter().filter(long).count() >= 2
        && !sign
        && !field
        && !quoting::looks_like_order(text)
        && !is_greeting(text)
}

/// Whether the first word of a line is in capitals, as commands are written.
pub(super) fn is_loud(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    word.len() > 2 && word.chars().all(char::is_uppercase)
}
