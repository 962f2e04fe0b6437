//! Numbers and names for sentences, and foreign text that is safe to show.

pub use engine::press::steers;

/// A number of things, such as `1 game` and `5 turns`.
pub fn count(n: impl TryInto<u64>, thing: &str) -> String {
    match n.try_into().unwrap_or(u64::MAX) {
        1 => format!("1 {thing}"),
        n => format!("{n} {thing}s"),
    }
}

/// A number of bytes as a person reads it.
pub fn size(bytes: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit / (unit / 10));
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1000)),
        1_000_000..1_000_000_000 => format!("{} MB", tenths(1_000_000)),
        _ => format!("{} GB", tenths(1_000_000_000)),
    }
}

/// A text as the beginning of a sentence.
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |l| l.to_uppercase().chain(letters).collect())
}

/// Whether a character takes no column: a control character or direction mark, a filler, or one
/// that joins or splits others.
pub fn is_unseen(c: char) -> bool {
    steers(c)
        || matches!(c,
            '\u{ad}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// A text of several lines in which U+FFFD replaces each control character and direction mark.
/// Lines may end with CR LF.
pub fn tame(text: &str) -> String {
    let mut tame = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends = c == '\r' && chars.peek() == Some(&'\n');
        let steers = steers(c) && c != '\n' && c != '\t' && !ends;
        tame.push(if steers { '\u{fffd}' } else { c });
    }
    tame
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_in_a_tame_text() {
        let text = "a\tb\r\nc\r\u{1b}[2J\u{9b}31m \u{202e}x\u{2066}\u{200f}\u{2028}y\u{7f}";
        let mark = '\u{fffd}';
        let told = format!("a\tb\r\nc{mark}{mark}[2J{mark}31m {mark}x{mark}{mark}{mark}y{mark}");
        assert_eq!(tame(text), told);
        assert_eq!(tame("שלום, Ærø, 漢字 – ok"), "שלום, Ærø, 漢字 – ok");
    }

    #[test]
    fn figures_have_their_units() {
        assert_eq!([count(0_u8, "turn"), count(1_u8, "turn")], ["0 turns", "1 turn"]);
        assert_eq!([size(0), size(1), size(999_999)], ["0 kB", "1 kB", "1000 kB"]);
        assert_eq!([size(1_000_000), size(2_590_000_000)], ["1.0 MB", "2.5 GB"]);
        assert_eq!([capital("turn 3"), capital("")], ["Turn 3", ""]);
    }
}
