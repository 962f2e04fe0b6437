//! Replaces typographic characters of mail programs with plain ones, and finds characters that make
//! a line doubtful.

use base::text::steers;

/// The zeros of scripts whose keyboards type their own ten digits: Arabic, Persian, N'Ko, those of
/// India, Thai, Lao, Tibetan, Burmese, Khmer, Mongolian.
const ZEROS: [u32; 17] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50,
    0xed0, 0xf20, 0x1040, 0x17e0,
];

/// The plain digit for a digit of another script.
fn digit(c: char) -> Option<char> {
    let code = u32::from(c);
    let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&code))?;
    char::from_digit(code - zero, 10)
}

/// Whether a character marks a direction of writing, but changes nothing at the end of a line of
/// Latin letters and digits (Unicode Standard Annex #9, marks and isolates).
fn only_marks(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character is invisible and has no meaning. The left-to-right mark changes nothing
/// among Latin letters; selectors choose how a sign is drawn.
fn is_dropped(c: char) -> bool {
    matches!(
        c,
        '\u{200b}'..='\u{200e}' | '\u{feff}' | '\u{ad}' | '\u{2060}'..='\u{2064}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}'
    )
}

/// The text between the marks of direction at the ends of a line; `None`: there are no marks.
fn without_marks(line: &str) -> Option<&str> {
    let unseen = |c: char| only_marks(c) || is_dropped(c) || c.is_whitespace() || c.is_control();
    let inside = line.trim_start_matches(unseen);
    let (before, inside) = (&line[..line.len() - inside.len()], inside.trim_end_matches(unseen));
    let behind = &line[before.len() + inside.len()..];
    (before.contains(only_marks) || behind.contains(only_marks)).then_some(inside)
}

/// The line with ASCII blanks, dashes, quotes and digits instead of typographic ones.
/// Invisible characters are dropped; control characters become blanks.
pub fn normalise(line: &str) -> String {
    if line.is_ascii() && !line.bytes().any(|b| b.is_ascii_control()) {
        return line.to_owned();
    }
    // Other blanks at its start stay, because they may show that a line is quoted.
    let line = without_marks(line).unwrap_or(line);
    let mut out = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            c if is_dropped(c) => {}
            // A keycap is drawn around its digit.
            '\u{20e3}' => out.push(')'),
            '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}' => out.push(' '),
            // Control sequences must not reach a terminal or printer; a tab becomes a blank.
            c if c.is_control() => out.push(' '),
            '\u{2010}'..='\u{2012}' | '\u{2212}' | '\u{fe63}' => out.push('-'),
            // A single dash at the start of a line was typed as two hyphens, which autocorrection
            // joined.
            '\u{2013}'..='\u{2015}' => {
                let begins = out.trim_start().is_empty();
                let alone = rest.peek().is_none_or(|c| c.is_whitespace());
                out.push_str(if begins && alone { "--" } else { "-" });
            }
            '\u{2018}'..='\u{201b}' | '\u{2032}' => out.push('\''),
            '\u{201c}'..='\u{201f}' | '\u{2033}' => out.push('"'),
            '\u{2026}' => out.push_str("..."),
            '\u{ff01}'..='\u{ff5e}' => out.extend(char::from_u32(c as u32 - 0xfee0)),
            c => out.push(digit(c).unwrap_or(c)),
        }
    }
    out
}

/// Why a line is not read as an order, whatever it seems to say. `Display` gives a sentence for the
/// player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// A character got lost on the way; U+FFFD is in its place.
    Lost,
    /// The line has a control character that turns the direction of writing.
    Direction,
    /// A part of it is struck out.
    Struck,
    /// A letter of another alphabet, and the Latin letter or digit that it looks like.
    LooksLike(char, char),
}

/// The sign after each struck out letter of a plain text.
const STRUCK: [char; 4] = ['\u{335}', '\u{336}', '\u{337}', '\u{338}'];

/// Whether all of a line is struck out.
pub fn is_struck(line: &str) -> bool {
    if line.is_ascii() || !line.contains(STRUCK) {
        return false;
    }
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        let mut struck = false;
        // Two elements may have struck it out.
        while letters.next_if(|c| STRUCK.contains(c)).is_some() {
            struck = true;
        }
        if !struck && !c.is_whitespace() {
            return false;
        }
    }
    true
}

/// A line as it was before it was struck out.
pub fn unstruck(line: &str) -> String {
    if line.is_ascii() { line.to_owned() } else { line.replace(STRUCK, "") }
}

/// Cyrillic and Greek letters, and the Latin letters and digits that they look like.
const LOOK_ALIKES: &[(char, char)] = &[
    ('А', 'A'),
    ('В', 'B'),
    ('Е', 'E'),
    ('К', 'K'),
    ('М', 'M'),
    ('Н', 'H'),
    ('О', 'O'),
    ('Р', 'P'),
    ('С', 'C'),
    ('Т', 'T'),
    ('У', 'Y'),
    ('Х', 'X'),
    ('Ѕ', 'S'),
    ('І', 'I'),
    ('Ј', 'J'),
    ('а', 'a'),
    ('е', 'e'),
    ('о', 'o'),
    ('р', 'p'),
    ('с', 'c'),
    ('у', 'y'),
    ('х', 'x'),
    ('ѕ', 's'),
    ('і', 'i'),
    ('ј', 'j'),
    ('З', '3'),
    ('Α', 'A'),
    ('Β', 'B'),
    ('Ε', 'E'),
    ('Ζ', 'Z'),
    ('Η', 'H'),
    ('Ι', 'I'),
    ('Κ', 'K'),
    ('Μ', 'M'),
    ('Ν', 'N'),
    ('Ο', 'O'),
    ('Ρ', 'P'),
    ('Τ', 'T'),
    ('Υ', 'Y'),
    ('Χ', 'X'),
    ('ο', 'o'),
    ('ν', 'v'),
];

/// Whether a character turns the direction of writing.
fn turns(c: char) -> bool {
    steers(c) && !c.is_control()
}

/// The line without characters that turn the direction of writing.
pub fn undirected(line: &str) -> String {
    if line.is_ascii() { line.to_owned() } else { line.replace(turns, "") }
}

/// Why a line may not be read as an order; `None`: it may. Names in another alphabet are allowed;
/// words of one or two letters, and words that mix alphabets, are not.
pub fn doubt(line: &str) -> Option<Doubt> {
    if line.is_ascii() {
        return None;
    }
    if line.contains('\u{fffd}') {
        return Some(Doubt::Lost);
    }
    if line.contains(turns) {
        return Some(Doubt::Direction);
    }
    if line.contains(STRUCK) {
        return Some(Doubt::Struck);
    }
    let like = |c: char| LOOK_ALIKES.iter().find(|(other, _)| *other == c);
    line.split_whitespace().find_map(|word| {
        let found = word.chars().find_map(like)?;
        let mixed = word.chars().any(|c| c.is_ascii_alphanumeric());
        (mixed || word.chars().count() <= 2).then_some(Doubt::LooksLike(found.0, found.1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dash_alone_at_the_start_of_a_line_was_two_hyphens() {
        for (line, normal) in [
            ("\u{2013} ", "-- "),
            ("\u{2014}", "--"),
            ("\u{2013}5", "-5"),
            ("a \u{2013} b", "a - b"),
        ] {
            assert_eq!(normalise(line), normal, "{line}");
        }
    }

    #[test]
    fn typographic_characters_become_plain_ones() {
        assert_eq!(normalise("A\u{a0}12\u{2009}\u{ff11}\u{ff12}387\u{200b}"), "A 12 12387");
        assert_eq!(normalise("\u{2014} 20 123"), "-- 20 123");
        assert_eq!(normalise("M 3 1\u{2013}2\u{2026}"), "M 3 1-2...");
        assert_eq!(normalise("N 1 1 \u{201e}x\u{201c} \u{2019}"), "N 1 1 \"x\" '");
        assert_eq!(normalise("C \u{661}\u{662} \u{6f3}"), "C 12 3");
        assert_eq!(normalise("M \u{96f} \u{9e7}\u{e53}"), "M 9 13");
    }

    #[test]
    fn marks_that_turn_nothing_are_dropped() {
        for line in [
            "\u{200f}M 3 13\u{200f}",
            "\u{2068}M 3 13\u{2069}",
            "M\u{200e} 3 13\u{200e}",
            "M 3 13\u{fe0f}",
            "M 3\u{2063} 13",
        ] {
            assert_eq!(normalise(line), "M 3 13", "{line:?}");
            assert_eq!(doubt(&normalise(line)), None);
        }
        assert_eq!(normalise("1\u{fe0f}\u{20e3} M 3 13"), "1) M 3 13");
        // Within a line they may change its direction.
        for line in ["M 3 \u{200f}13", "M \u{202e}3 13", "\u{202d}M 3 13"] {
            assert_eq!(doubt(&normalise(line)), Some(Doubt::Direction), "{line:?}");
        }
    }

    #[test]
    fn a_crossed_out_line_is_known() {
        assert!(is_struck("M\u{336} \u{336}3\u{336}"));
        assert!(is_struck("M\u{336} 3\u{336}") && is_struck("M\u{336}\u{336} 3\u{336}\u{335}"));
        assert!(!is_struck("M 3") && !is_struck("M 3\u{336}") && !is_struck("Zürich"));
        assert_eq!(unstruck("M\u{336} 3\u{336}"), "M 3");
        assert_eq!(doubt("M 3 1\u{336}"), Some(Doubt::Struck));
    }

    #[test]
    fn a_line_that_only_looks_like_an_order_is_doubted() {
        assert_eq!(doubt("А 12 2"), Some(Doubt::LooksLike('А', 'A')));
        assert_eq!(doubt("A 1О 2"), Some(Doubt::LooksLike('О', 'O')));
        assert_eq!(doubt("A 12 \u{fffd}2"), Some(Doubt::Lost));
        assert_eq!(doubt("A 12 \u{202e}2"), Some(Doubt::Direction));
        assert_eq!(doubt("N 1 1 Москва"), None);
        assert_eq!(doubt("N 1 1 Zürich"), None);
    }
}
