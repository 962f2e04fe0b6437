//! PRESS: a message to other players. It is a block among the orders and not read as a command; the
//! row is for HELP.

use tongue::mark;

use crate::verdict::case::{Read, Row};

/// The row in HELP.
pub(super) const ROW: Row = Row {
    word: "PRESS",
    form: "PRESS 3,4 [ANON]",
    help: mark!("a message, its text, then END, among the orders; or PRESS ALL"),
    read: |_| Read::No,
};
