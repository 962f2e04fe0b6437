//! Figures and names as sentences take them.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_their_units() {
        assert_eq!([count(0_u8, "turn"), count(1_u8, "turn")], ["0 turns", "1 turn"]);
        assert_eq!([size(0), size(1), size(999_999)], ["0 kB", "1 kB", "1000 kB"]);
        assert_eq!([size(1_000_000), size(2_590_000_000)], ["1.0 MB", "2.5 GB"]);
        assert_eq!([capital("turn 3"), capital("")], ["Turn 3", ""]);
    }
}
