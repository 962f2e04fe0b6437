//! The error of a word that stands for nothing, shared by all `FromStr` of fixed words.

/// A word that names no value of a type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{word:?} is no {kind}; write one of {known}")]
pub struct UnknownWord {
    /// What was looked for, such as `contact setting`.
    pub kind: &'static str,
    /// The word as it was written.
    pub word: String,
    /// The words that are known, for people.
    pub known: &'static str,
}
