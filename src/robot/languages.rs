//! The languages in which players are written to.

use std::sync::LazyLock;

use tongue::{Catalogue, say};

/// The language of the source, which needs no file.
pub const ENGLISH: &str = "en";

/// The languages, each by its code.
pub const CODES: [&str; 2] = [ENGLISH, "de"];

/// Whether a code is that of a language.
pub fn is_known(code: &str) -> bool {
    CODES.contains(&code)
}

/// The codes as a sentence names them.
pub fn listed() -> String {
    CODES.join(", ")
}

/// What a language is called by those who speak it.
pub fn name(code: &str) -> &str {
    match code {
        ENGLISH => "English",
        "de" => "Deutsch",
        code => code,
    }
}

/// Reads a file of messages. It is a part of the program, and a test reads it too.
fn read(code: &'static str, file: &str) -> Option<Catalogue> {
    Catalogue::read(code, file).inspect_err(|e| tracing::error!(error = %e, "no language")).ok()
}

static GERMAN: LazyLock<Option<Catalogue>> =
    LazyLock::new(|| read("de", include_str!("../../config/languages/de.toml")));

/// The sentences of a language; `None` is English, which a code that nobody knows is too.
pub fn catalogue(code: &str) -> Option<&'static Catalogue> {
    match code {
        "de" => GERMAN.as_ref(),
        _ => None,
    }
}

/// The code of the language that holds now, for the head of a mail; English goes without.
pub(crate) fn said() -> String {
    tongue::now().map_or("", Catalogue::code).to_owned()
}

/// The line that opens every mail, in the reader's language; [`mail::marker::is_marker`] knows it
/// in any.
pub(crate) fn marker() -> String {
    say!("=== Write your orders above this line; nothing below it is read. ===")
}
