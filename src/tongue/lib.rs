//! The sentences of the program in the reader's language.
//!
//! A sentence is in the source in English, so the code shows what a player will read. [`say!`]
//! looks it up in the [`Catalogue`] of the reader's language, and so does [`count!`] for a sentence
//! that depends on a number. English needs no file; every other language is one file of
//! `config/languages`, a PO file of GNU gettext, which translators' programs read and write. A
//! sentence without a translation, or with a fuzzy one, stays English, so a language can grow. A
//! test compares every sentence of the source with every file, including the slots.
//!
//! **The language** is set once, around everything that is written for one reader: [`within`]. The
//! other way would be a parameter through every function down to the name of an army, in about two
//! thousand signatures, `Display` among them, always with the same value. The language holds for a
//! thread and ends with the call, even when it panics. Only the code that writes a sentence asks
//! for it, and no rule of a game can see it ([`now`] is for headers of mails and pages). The host
//! runs a step outside of any language, and a test plays steps within one and compares bytes.
//!
//! Texts that a step keeps are translated later: within a step sentences are data ([`as_data`],
//! [`Note`]). [`label`] translates the names of steps, and [`retold`](fn@retold) texts that an
//! older program kept in English. [`english`] keeps names English that programs use.
//!
//! ```text
//! #: warlord
//! msgid "{unit} goes to {place}"
//! msgstr "{unit} zieht nach {place}"
//!
//! msgid "{n} ship is lost"
//! msgid_plural "{n} ships are lost"
//! msgstr[0] "{n} Schiff ist verloren"
//! msgstr[1] "{n} Schiffe sind verloren"
//!
//! msgctxt "month"
//! msgid "March"
//! msgstr "März"
//! ```
//!
//! The line `#:` shows people which part of the program uses a sentence. The forms of a number are
//! the plural categories of Unicode (CLDR) that whole numbers have in the language, in the order
//! zero, one, two, few, many, other, which is gettext's order too.

// The macros name this crate in the same way as other crates do.
#[cfg(test)]
extern crate self as tongue;

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use intl_pluralrules::{PluralCategory, PluralRuleType, PluralRules};
use polib::catalog::Catalog;
use polib::message::MessageView;
use polib::po_file::{self, POParseError};
use unic_langid::LanguageIdentifier;

pub use tongue_macros::{count, say};

mod note;
mod retold;
mod template;

pub use note::{Note, as_data};
pub use retold::retold;
pub use template::Template;

thread_local! {
    /// The catalogue for sentences on this thread; `None` is English.
    static CURRENT: Cell<Option<&'static Catalogue>> = const { Cell::new(None) };
}

/// The sentences of a language, keyed by the English ones.
pub struct Catalogue {
    code: &'static str,
    said: BTreeMap<String, Entry>,
    /// English words, keyed by their translations; those with slots are left out.
    english: BTreeMap<String, String>,
    /// Keys with slots, for stored sentences.
    tales: Vec<retold::Tale>,
    plural: PluralRules,
}

/// The translation of a sentence.
enum Entry {
    One(Template),
    /// Forms with their places in [`CATEGORIES`]; the last one is for numbers without their own
    /// form.
    Counted(Vec<(usize, Template)>),
}

impl Entry {
    /// The form for a number; the last one without a number.
    fn of(&self, number: Option<i64>, plural: &PluralRules) -> Option<&Template> {
        match self {
            Self::One(template) => Some(template),
            Self::Counted(forms) => {
                let category = number.map(|n| category(plural, n));
                let own = forms.iter().find(|(form, _)| Some(*form) == category);
                own.or(forms.last()).map(|(_, template)| template)
            }
        }
    }
}

/// A fault in a file of messages.
#[derive(Debug, thiserror::Error)]
#[error("messages of language {code}: {what}")]
pub struct BadCatalogue {
    code: &'static str,
    what: String,
}

/// The categories of numbers, in the order of the forms in a file.
const CATEGORIES: [PluralCategory; 6] = [
    PluralCategory::ZERO,
    PluralCategory::ONE,
    PluralCategory::TWO,
    PluralCategory::FEW,
    PluralCategory::MANY,
    PluralCategory::OTHER,
];

/// Whole numbers up to here cover every category that whole numbers have in any language.
const NUMBERS: i64 = 200;

/// Reads the messages of a file.
///
/// # Errors
/// The fault, if it is not a valid PO file.
pub fn messages(file: &str) -> Result<Catalog, POParseError> {
    // The parser panics at an empty comment at the beginning, which some translators' programs
    // write.
    let lines: Vec<&str> = file.lines().filter(|line| line.trim_end() != "#").collect();
    po_file::parse_from_reader((lines.join("\n") + "\n").as_bytes())
}

/// The key of a message: its English sentence (the plural one if it depends on a number), after its
/// sort if it has one, such as `month: March`.
pub fn key(message: &dyn MessageView) -> String {
    let text = message.msgid_plural().unwrap_or(message.msgid());
    match message.msgctxt() {
        Some(sort) => format!("{sort}: {text}"),
        None => text.to_owned(),
    }
}

impl Catalogue {
    /// Reads a file of messages; the code is that of the language, such as `de`.
    ///
    /// # Errors
    /// The fault: invalid PO, a language without known plural forms, an unmatched bracket, or
    /// another number of forms than the language has.
    pub fn read(code: &'static str, file: &str) -> Result<Self, BadCatalogue> {
        let wrong = |what: String| BadCatalogue { code, what };
        let messages = messages(file).map_err(|e| wrong(e.to_string()))?;
        let language: LanguageIdentifier =
            code.parse().map_err(|_| wrong("it is no code of a language".to_owned()))?;
        let plural = PluralRules::create(language, PluralRuleType::CARDINAL)
            .map_err(|e| wrong(e.to_owned()))?;
        let template = |text: &str| {
            Template::read(text).ok_or_else(|| wrong(format!("a bracket of {text:?}")))
        };
        let forms: BTreeSet<usize> = (0..=NUMBERS).map(|n| category(&plural, n)).collect();
        let mut said = BTreeMap::new();
        for message in messages.messages().filter(|m| m.is_translated() && !m.is_fuzzy()) {
            let key = key(message);
            let entry = match (message.msgstr(), message.msgstr_plural()) {
                (Ok(text), _) => Entry::One(template(text)?),
                (_, Ok(texts)) if texts.len() == forms.len() => {
                    let texts = texts.iter().map(|text| template(text));
                    let texts = texts.collect::<Result<Vec<Template>, BadCatalogue>>()?;
                    Entry::Counted(forms.iter().copied().zip(texts).collect())
                }
                _ => {
                    let wanted = forms.len();
                    return Err(wrong(format!(
                        "{key:?} does not have the {wanted} forms of {code}"
                    )));
                }
            };
            if said.insert(key.clone(), entry).is_some() {
                return Err(wrong(format!("{key:?} stands there twice")));
            }
        }
        let mut english = BTreeMap::new();
        for (key, entry) in &said {
            if let Entry::One(template) = entry
                && let Some(said) = template.plain()
            {
                // If two have the same translation, the alphabetically first one counts.
                english.entry(said.to_owned()).or_insert_with(|| sort_of(key).1.to_owned());
            }
        }
        let mut english_of: Vec<(String, String, bool)> =
            said.keys().map(|key| (sort_of(key).1.to_owned(), key.clone(), false)).collect();
        // If one and many have the same wording, the number in the sentence distinguishes them.
        let counted =
            messages.messages().filter(|m| m.msgid_plural().is_ok_and(|p| p != m.msgid()));
        english_of.extend(counted.map(|m| (m.msgid().to_owned(), key(m), true)));
        english_of.retain(|(_, key, _)| said.contains_key(key));
        let tales = retold::tales(english_of);
        Ok(Self { code, said, english, tales, plural })
    }

    /// The code of the language.
    pub fn code(&self) -> &'static str {
        self.code
    }
}

/// The place of a number's category in [`CATEGORIES`].
fn category(plural: &PluralRules, number: i64) -> usize {
    let category = plural.select(number.unsigned_abs()).unwrap_or(PluralCategory::OTHER);
    CATEGORIES.iter().position(|c| *c == category).unwrap_or(CATEGORIES.len() - 1)
}

/// Runs `act` with sentences in this language; `None` is English.
pub fn within<T>(catalogue: Option<&'static Catalogue>, act: impl FnOnce() -> T) -> T {
    /// Restores the previous language, even when `act` panics.
    struct Before(Option<&'static Catalogue>);
    impl Drop for Before {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _before = Before(CURRENT.replace(catalogue));
    act()
}

/// The current catalogue, for work on another thread that continues the same text.
pub fn now() -> Option<&'static Catalogue> {
    CURRENT.get()
}

/// A sentence in the reader's language, from its key, its English form and its finished pieces.
/// [`say!`] expands to this one call, so that thousands of sentences make little code.
#[doc(hidden)]
pub fn said(key: &str, english: fmt::Arguments, pieces: &[(&str, fmt::Arguments)]) -> String {
    match template(key) {
        None if note::is_data() => note::marked(key, "", None, pieces),
        None => fmt::format(english),
        Some(template) => template.fill(pieces),
    }
}

/// Like [`said`], for a sentence with a sort: its key, and its text as written.
#[doc(hidden)]
pub fn said_of_sort(
    [key, stands]: [&str; 2],
    english: fmt::Arguments,
    pieces: &[(&str, fmt::Arguments)],
) -> String {
    match note::is_data() && template(key).is_none() {
        true => note::marked(key, stands, None, pieces),
        false => said(key, english, pieces),
    }
}

/// Like [`said`], for a sentence that depends on a number: its English forms for one and for
/// others, the first also as written. [`count!`] expands to this.
#[doc(hidden)]
pub fn said_of(
    [one_stands, key]: [&str; 2],
    number: i64,
    [one, other]: [fmt::Arguments; 2],
    pieces: &[(&str, fmt::Arguments)],
) -> String {
    match counted(key, number) {
        None if note::is_data() => {
            note::marked(key, if number == 1 { one_stands } else { "" }, Some(number), pieces)
        }
        None if number == 1 => fmt::format(one),
        None => fmt::format(other),
        Some(template) => template.fill(pieces),
    }
}

/// The translation of a sentence.
#[doc(hidden)]
pub fn template(key: &str) -> Option<&'static Template> {
    let catalogue = CURRENT.get()?;
    catalogue.said.get(key)?.of(None, &catalogue.plural)
}

/// The translation of a sentence that depends on a number.
#[doc(hidden)]
pub fn counted(key: &str, number: i64) -> Option<&'static Template> {
    let catalogue = CURRENT.get()?;
    catalogue.said.get(key)?.of(Some(number), &catalogue.plural)
}

/// A word or sentence of a data file or a table, such as the name of a kind of army, in the
/// reader's language. The test of the files knows words in data files by their keys; words in the
/// source are marked with [`mark!`].
pub fn word(english: &str) -> Cow<'_, str> {
    match template(english) {
        Some(template) => Cow::Owned(template.fill::<&str>(&[])),
        None if note::is_data() => Cow::Owned(note::marked(english, "", None, &[])),
        None => Cow::Borrowed(english),
    }
}

/// A sentence of a data file with its gap filled in, translated like [`word`]. The name of the gap
/// is in capitals, such as `XXX`.
pub fn gapped(english: &str, gap: &str, value: &str) -> String {
    match note::is_data() {
        true => note::marked(english, "", None, &[(gap, format_args!("{value}"))]),
        false => word(english).replace(gap, value),
    }
}

/// The sort of a key that begins with one, such as `month: March`, and the rest of the key.
pub fn sort_of(key: &str) -> (Option<&str>, &str) {
    let sort = |(sort, _): &(&str, &str)| sort.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    key.split_once(": ").filter(sort).map_or((None, key), |(sort, text)| (Some(sort), text))
}

/// The English of a translated heading, for names that programs use; the heading itself if it has
/// slots or is unknown.
pub fn english(said: &str) -> Cow<'_, str> {
    let known = CURRENT.get().and_then(|catalogue| catalogue.english.get(said));
    known.map_or(Cow::Borrowed(said), |english| Cow::Owned(english.clone()))
}

/// A label whose parts are separated by commas and have numbers, such as `turn 14, segment 2`. Each
/// part is looked up with `{0}`, `{1}` for its numbers; if that fails, also for its capitalised
/// words, as in `Red to move`. It is for stored labels, which have no language; their parts are
/// marked with [`mark!`].
pub fn label(english: &str) -> Cow<'_, str> {
    if CURRENT.get().is_none() {
        return Cow::Borrowed(english);
    }
    let said = |part: &str| slotted(part, false).or_else(|| slotted(part, true));
    let said = |part: &str| said(part).unwrap_or_else(|| part.to_owned());
    Cow::Owned(english.split(", ").map(said).collect::<Vec<_>>().join(", "))
}

/// The translation of a part of a label with slots for its numbers, and with `names` for its names
/// too.
fn slotted(part: &str, names: bool) -> Option<String> {
    let (mut key, mut given) = (String::new(), Vec::<String>::new());
    for (nth, name) in part.split(' ').enumerate() {
        key += if nth > 0 { " " } else { "" };
        if names && name.starts_with(char::is_uppercase) {
            key += &format!("{{{}}}", given.len());
            given.push(word(name).into_owned());
            continue;
        }
        let mut within = false;
        for letter in name.chars() {
            match (letter.is_ascii_digit(), within) {
                (true, false) => {
                    key += &format!("{{{}}}", given.len());
                    given.push(letter.to_string());
                }
                (true, true) => given.iter_mut().last().into_iter().for_each(|n| n.push(letter)),
                (false, _) => key.push(letter),
            }
            within = letter.is_ascii_digit();
        }
    }
    let numbers: Vec<String> = (0..given.len()).map(|n| n.to_string()).collect();
    let given: Vec<(&str, String)> = numbers.iter().map(String::as_str).zip(given).collect();
    Some(template(&key)?.fill(&given))
}

/// Marks a sentence for the files of messages and leaves it unchanged, for a table of constants;
/// [`word`] translates it.
#[macro_export]
macro_rules! mark {
    ($text:literal) => {
        $text
    };
}

/// A type that can be counted.
pub trait Count {
    /// The number; a number too large for `i64` becomes the largest one.
    fn count(&self) -> i64;
}

macro_rules! counts {
    ($($int:ty)*) => {
        $(impl Count for $int {
            fn count(&self) -> i64 {
                i64::try_from(*self).unwrap_or(i64::MAX)
            }
        })*
    };
}

counts!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl<T: Count + ?Sized> Count for &T {
    fn count(&self) -> i64 {
        (**self).count()
    }
}

#[cfg(test)]
mod tests;
