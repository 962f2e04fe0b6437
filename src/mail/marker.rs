//! The marker line of our mails and the frame of a blank card, by which replies are taken apart.

/// The line that opens every mail of ours. Reading stops at it.
pub const MARKER: &str = "=== Write your orders above this line; nothing below it is read. ===";
/// The part of the marker by which we find it, however it is quoted.
const MARKER_CORE: &str = "write your orders above this line";
/// What the first line of the blank card in a printout contains; the card's name follows.
pub const CARD_BEGIN: &str = "turn card";
/// What the last line of the blank card contains.
pub const CARD_END: &str = "end of card";

/// Whether a line is the marker, however it is quoted.
pub fn is_marker(line: &str) -> bool {
    // The first test is cheap, and most lines fail it.
    line.contains("===") && line.to_lowercase().contains(MARKER_CORE)
}
