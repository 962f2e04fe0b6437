//! The languages in which players are written to.

use std::sync::LazyLock;

use tongue::{Catalogue, say};

/// The language of the source, which needs no file.
pub const ENGLISH: &str = "en";

/// A language that is not English: its code, its name in that language, and its sentences, which
/// are read when they are first needed.
struct Language {
    code: &'static str,
    name: &'static str,
    catalogue: LazyLock<Option<Catalogue>>,
}

macro_rules! languages {
    ($($code:literal $name:literal),*) => {
        /// The codes of all languages.
        pub const CODES: &[&str] = &[ENGLISH, $($code),*];

        static TRANSLATED: [Language; CODES.len() - 1] = [$(Language {
            code: $code,
            name: $name,
            catalogue: LazyLock::new(|| {
                read($code, include_str!(concat!("../../config/languages/", $code, ".po")))
            }),
        }),*];
    };
}

// A new language needs its file, and its code and name here.
languages!("de" "Deutsch");

/// Whether a code is that of a language.
pub fn is_known(code: &str) -> bool {
    CODES.contains(&code)
}

/// The codes as a list for a sentence.
pub fn listed() -> String {
    CODES.join(", ")
}

fn translated(code: &str) -> Option<&'static Language> {
    TRANSLATED.iter().find(|l| l.code == code)
}

/// The name of a language in that language.
pub fn name(code: &str) -> &str {
    match code {
        ENGLISH => "English",
        code => translated(code).map_or(code, |l| l.name),
    }
}

/// Reads a file of messages. It is a part of the program, and a test reads it too.
fn read(code: &'static str, file: &str) -> Option<Catalogue> {
    Catalogue::read(code, file).inspect_err(|e| tracing::error!(error = %e, "no language")).ok()
}

/// The sentences of a language; `None` for English, and for an unknown code, which counts as
/// English.
pub fn catalogue(code: &str) -> Option<&'static Catalogue> {
    translated(code)?.catalogue.as_ref()
}

/// The code of the current language, for the head of a mail; empty for English.
pub(crate) fn code_now() -> String {
    tongue::now().map_or("", Catalogue::code).to_owned()
}

/// The line that opens every mail, in the recipient's language; [`mail::marker::is_marker`] knows
/// it in every language.
pub(crate) fn marker() -> String {
    say!("=== Write your orders above this line; nothing below it is read. ===")
}
