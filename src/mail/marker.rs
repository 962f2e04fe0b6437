//! The marker line of our mails and the frame of a blank card. They show where to split a reply.

/// The line that opens each of our mails. Reading stops at it.
pub const MARKER: &str = "=== Write your orders above this line; nothing below it is read. ===";
/// The part of the marker by which we find it, however it is quoted.
const MARKER_CORE: &str = "write your orders above this line";
/// Part of the first line of the blank card in a printout; the card's name follows.
pub const CARD_BEGIN: &str = "turn card";
/// Part of the last line of the blank card.
pub const CARD_END: &str = "end of card";

/// The signs at both ends of the marker, which stay when a program translates its words.
const FRAME: &str = "===";
/// The sign between its two sentences, in the scripts of many languages.
const BETWEEN: [char; 4] = [';', '\u{ff1b}', '\u{61b}', '\u{37e}'];
/// The least number of words in a translated marker, or of characters in scripts without blanks
/// between words.
const WORDS_MIN: usize = 5;
const CHARS_MIN: usize = 12;
/// The number of lines over which a program may have broken it.
const LINES_MAX: usize = 4;

/// Whether line `i` begins with the marker, however it is quoted, broken or translated.
pub fn is_marker(lines: &[(usize, String)], i: usize) -> bool {
    // The first test is cheap, and most lines fail it.
    if !lines[i].1.contains(FRAME) {
        return false;
    }
    let mut text = String::new();
    for (_, line) in lines[i..].iter().take(LINES_MAX) {
        let line = line.trim_start_matches(['>', '|', ' ']).trim_end();
        if line.is_empty() {
            break;
        }
        text += if text.is_empty() { "" } else { " " };
        text += line;
        if text.to_lowercase().contains(MARKER_CORE) || is_translated(&text) {
            return true;
        }
    }
    false
}

/// Whether a text has the shape of the marker: its frame with two sentences inside.
fn is_translated(text: &str) -> bool {
    let framed = text.strip_prefix(FRAME).and_then(|t| t.strip_suffix(FRAME));
    let Some(inside) = framed.map(str::trim).filter(|t| t.contains(BETWEEN)) else {
        return false;
    };
    let letters = inside.chars().filter(|c| c.is_alphabetic()).count();
    inside.split_whitespace().count() >= WORDS_MIN || !inside.is_ascii() && letters >= CHARS_MIN
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(text: &str) -> bool {
        is_marker(&super::super::body::plain_lines(text).0, 0)
    }

    #[test]
    fn the_marker_is_known_quoted_broken_and_translated() {
        for text in [
            MARKER,
            "> === Write your orders above this line; nothing below it is read. ===",
            ">> | === WRITE YOUR ORDERS ABOVE THIS LINE; NOTHING BELOW IT IS READ. ===",
            "=== Write your orders above this line; nothing\nbelow it is read. ===",
            "> === Write your orders\n> above this line; nothing\n> below it is read. ===",
            "*=== Write your orders above this line; nothing below it is read. ===*",
            "=== Schreiben Sie Ihre Befehle über diese Zeile; darunter wird nichts gelesen. ===",
            "> === Écrivez vos ordres au-dessus de cette ligne ; rien en dessous n'est lu. ===",
            "=== Escriba sus órdenes encima de esta línea; nada debajo\nse lee. ===",
            "=== この行の上に注文を書いてください；この下は読まれません。 ===",
            "=== Пишите приказы над этой строкой; всё, что ниже, не читается. ===",
        ] {
            assert!(marks(text), "{text}");
        }
        for text in [
            "=== my orders ===",
            "=== first; second ===",
            "A 1 2",
            "=====",
            "write your orders above this line",
            "=== These are my orders, all of them for this turn. ===",
            "=== reconnaissance; counterintelligence; ===",
            "=== é; b ===",
        ] {
            assert!(!marks(text), "{text}");
        }
    }
}
