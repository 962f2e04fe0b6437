//! The error for an unknown word, shared by all `FromStr` of fixed words.

/// A word that names no value of a type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is no {kind}; write one of {known}")]
pub struct UnknownWord {
    /// The kind of word that was expected, such as `contact setting`.
    pub kind: &'static str,
    /// The word as it was written.
    pub word: String,
    /// The known words, for people.
    pub known: &'static str,
}
