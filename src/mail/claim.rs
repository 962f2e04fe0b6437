//! The mark by which a store claims a mailbox, so that no other store takes mail out of it.
//!
//! A mark is an empty folder beside the folders of the verdicts. It needs no clock and no upkeep,
//! every mail program shows it, and any of them can delete it.

/// The start of every mark's name.
const PREFIX: &str = "Fieldpost-";

/// The pattern for listing marks on an IMAP server (RFC 9051 §6.3.9).
pub(crate) const PATTERN: &str = "Fieldpost-%";

/// The name of a store's mark; `id` is the store's own.
pub fn mark(id: &str) -> String {
    format!("{PREFIX}{id}")
}

/// Whether a folder of this name is a mark.
pub(crate) fn is_mark(folder: &str) -> bool {
    folder.starts_with(PREFIX)
}

/// The action of a store in a mailbox with these marks.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The mailbox is its own.
    Held,
    /// The mailbox is free: the store makes its mark, and looks again.
    Free,
    /// The mailbox belongs to another store, whose mark this is; a mark of our own is deleted.
    Taken(String),
}

/// Judges the marks of a mailbox. If two stores marked it at the same instant, the one whose mark
/// sorts first has it, and both see that.
pub(crate) fn judge(own: &str, marks: &[String]) -> Claim {
    let other = marks.iter().filter(|m| *m != own).min();
    let held = marks.iter().any(|m| m == own);
    match other {
        Some(other) if !held || other.as_str() < own => Claim::Taken(other.clone()),
        _ if held => Claim::Held,
        _ => Claim::Free,
    }
}

/// Advice about the mark of another store.
pub fn advice(other: &str) -> String {
    format!(
        "the folder {other} in it says that another store reads this mailbox, and two would take \
         each other's mail; stop the other one, or delete that folder when it is gone for good"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mailbox_has_one_store_also_when_two_begin_at_once() {
        let marks = |names: &[&str]| names.iter().map(|n| mark(n)).collect::<Vec<_>>();
        let (a, b) = (mark("a"), mark("b"));
        assert_eq!(judge(&a, &[]), Claim::Free);
        assert_eq!(judge(&a, &marks(&["a"])), Claim::Held);
        assert_eq!(judge(&a, &marks(&["b"])), Claim::Taken(b.clone()), "who comes later waits");
        assert_eq!(judge(&b, &marks(&["a"])), Claim::Taken(a.clone()));
        assert_eq!(judge(&a, &marks(&["b", "a"])), Claim::Held);
        assert_eq!(judge(&b, &marks(&["b", "a"])), Claim::Taken(a));
    }
}
