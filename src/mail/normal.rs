//! Replaces typographic characters of mail programs by plain ones, and finds characters
//! that make a line doubtful.

use base::text::steers;

/// The line with ASCII blanks, dashes, quotes and digits instead of typographic ones.
/// Invisible characters are dropped; control characters become blanks.
pub fn normalise(line: &str) -> String {
    if line.is_ascii() && !line.bytes().any(|b| b.is_ascii_control()) {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{200b}'..='\u{200d}' | '\u{feff}' | '\u{ad}' | '\u{2060}' => {}
            '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}' => out.push(' '),
            // Control sequences must reach no terminal or printer; a tab is a blank.
            c if c.is_control() => out.push(' '),
            '\u{2010}'..='\u{2012}' | '\u{2212}' | '\u{fe63}' => out.push('-'),
            // A dash that stands alone at the start of a line was typed as two hyphens:
            // autocorrection joined them.
            '\u{2013}'..='\u{2015}' => {
                let begins = out.trim_start().is_empty();
                let alone = rest.peek().is_none_or(|c| c.is_whitespace());
                out.push_str(if begins && alone { "--" } else { "-" });
            }
            '\u{2018}'..='\u{201b}' | '\u{2032}' => out.push('\''),
            '\u{201c}'..='\u{201f}' | '\u{2033}' => out.push('"'),
            '\u{2026}' => out.push_str("..."),
            '\u{ff01}'..='\u{ff5e}' => out.extend(char::from_u32(c as u32 - 0xfee0)),
            '\u{660}'..='\u{669}' => out.extend(char::from_u32(c as u32 - 0x660 + 0x30)),
            '\u{6f0}'..='\u{6f9}' => out.extend(char::from_u32(c as u32 - 0x6f0 + 0x30)),
            c => out.push(c),
        }
    }
    out
}

/// Why a line is not read as an order, whatever it seems to say. `Display` gives a
/// sentence for the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doubt {
    /// A character got lost on the way; U+FFFD is in its place.
    Lost,
    /// The line has a control character that turns the direction of writing.
    Direction,
    /// A letter of another alphabet, and the Latin letter or digit that it looks like.
    LooksLike(char, char),
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

/// Why a line may not be read as an order; `None` when it may. A name in another alphabet
/// is no reason. A word of one or two letters is, and so is one that mixes alphabets.
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
