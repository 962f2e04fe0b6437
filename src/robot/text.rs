//! Words that people chose, made safe for any mail.

use mail::normal::undirected;

/// Characters of a seat's name.
const NAME_MAX: usize = 30;

/// A name that is safe in any mail: no control, no direction, no address.
pub fn plain_name(name: &str) -> String {
    let plain = |c: &char| !c.is_control() && !"<>@\"".contains(*c);
    undirected(name).chars().filter(plain).take(NAME_MAX).collect::<String>().trim().to_owned()
}
