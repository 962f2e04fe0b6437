//! CHECK, ADD, CANCEL: what becomes of the orders of a mail.

use tongue::mark;

use crate::card::Mode;
use crate::verdict::case::Row;

/// CHECK.
pub(super) const CHECK: Row = Row {
    word: "CHECK",
    form: "CHECK",
    help: mark!("judges the orders below and files nothing"),
    read: |line| line.mode(Mode::Check),
};

/// ADD.
pub(super) const ADD: Row = Row {
    word: "ADD",
    form: "ADD",
    help: mark!("appends the orders below to those on file"),
    read: |line| line.mode(Mode::Add),
};

/// CANCEL.
pub(super) const CANCEL: Row = Row {
    word: "CANCEL",
    form: "CANCEL",
    help: mark!("withdraws your orders on file; CANCEL 3 only line 3 of them"),
    read: |line| line.mode(Mode::Cancel),
};
