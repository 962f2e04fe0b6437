//! Words that people chose, made safe for any mail.

use mail::normal::undirected;

/// Characters of a seat's name.
const NAME_MAX: usize = 30;
/// Characters of a line of somebody else's that a mail of ours shows.
const CHARS_SHOWN: usize = 500;

/// A name that is safe in any mail: no control, no direction, no address.
pub fn plain_name(name: &str) -> String {
    let plain = |c: &char| !c.is_control() && !"<>@\"".contains(*c);
    undirected(name).chars().filter(plain).take(NAME_MAX).collect::<String>().trim().to_owned()
}

/// Foreign words as one line of a mail of ours shows them.
pub fn printed(text: &str) -> String {
    undirected(text).chars().filter(|c| !c.is_control()).take(CHARS_SHOWN).collect()
}
