//! Every sentence of the source and of the data files is in every file of messages, with its slots;
//! and all sentences for players go through the macros.
//!
//! `UPDATE_EXPECT=1` rewrites the files: in the order of the source, without old sentences, and
//! with an empty text for each new one, which the test refuses. A new language begins as an empty
//! file, and its translator corrects its `Plural-Forms`.

mod data;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use polib::catalog::Catalog;
use polib::message::{Message, MessageView};
use polib::metadata::CatalogMetadata;
use polib::po_file;
use sha2::{Digest, Sha256};
use source::Said;
use tongue::{Catalogue, Template};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All messages by their part, in the order of the source; each once.
fn messages() -> Vec<(String, Vec<Said>)> {
    let mut parts: Vec<(String, Vec<Said>)> = Vec::new();
    let mut seen = BTreeMap::new();
    let found = source::messages(&root()).into_iter().chain(data::messages(&root()));
    for (part, message) in found {
        let counts = message.one.is_some();
        if let Some(before) = seen.insert(message.key.clone(), counts) {
            assert_eq!(before, counts, "{:?} is counted here and not there", message.key);
            continue;
        }
        match parts.iter_mut().find(|(name, _)| *name == part) {
            Some((_, messages)) => messages.push(message),
            None => parts.push((part, vec![message])),
        }
    }
    parts
}

/// The files of messages by the codes of their languages.
fn files() -> BTreeMap<String, PathBuf> {
    let folder = fs::read_dir(root().join("config/languages")).expect("the folder can be listed");
    let paths = folder.map(|e| e.expect("the folder can be listed").path());
    let code = |p: &PathBuf| p.file_stem().expect("a name").to_string_lossy().into_owned();
    paths.map(|p| (code(&p), p)).collect()
}

/// The texts of a message: one, or one for each form of a number.
fn texts(message: &dyn MessageView) -> Vec<&str> {
    match (message.msgstr(), message.msgstr_plural()) {
        (Ok(text), _) => vec![text],
        (_, Ok(texts)) => texts.iter().map(String::as_str).collect(),
        _ => Vec::new(),
    }
}

/// A file of messages in the order of the source, with the known texts; new messages have an empty
/// one. An empty file becomes a new language.
fn anew(code: &str, known: &str) -> Catalog {
    let known = match known.trim().is_empty() {
        true => {
            let head = format!(
                "Project-Id-Version: fieldpost\nLanguage: {code}\nMIME-Version: 1.0\n\
                 Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\
                 Plural-Forms: nplurals=2; plural=(n != 1);\n"
            );
            Catalog::new(CatalogMetadata::parse(&head).expect("a head"))
        }
        false => tongue::messages(known).expect("messages are PO"),
    };
    let before: BTreeMap<String, &dyn MessageView> =
        known.messages().map(|m| (tongue::key(m), m)).collect();
    let mut file = Catalog::new(known.metadata.clone());
    for (part, messages) in messages() {
        for message in messages {
            let (sort, text) = tongue::sort_of(&message.key);
            let mut new = match &message.one {
                None => Message::build_singular(),
                Some(_) => Message::build_plural(),
            };
            new.with_source(part.clone()).with_msgctxt(sort.unwrap_or_default().to_owned());
            let there = before.get(&message.key).map_or(Vec::new(), |m| texts(*m));
            match &message.one {
                None => {
                    let there = there.first().copied().unwrap_or_default();
                    new.with_msgid(text.to_owned()).with_msgstr(there.to_owned());
                }
                Some(one) => {
                    let mut forms: Vec<String> = there.into_iter().map(str::to_owned).collect();
                    forms.resize(known.metadata.plural_rules.nplurals, String::new());
                    new.with_msgid(one.clone()).with_msgid_plural(text.to_owned());
                    new.with_msgstr_plural(forms);
                }
            }
            if let Some(before) = before.get(&message.key) {
                new.with_translator_comments(before.translator_comments().to_owned());
                new.with_flags(before.flags().clone());
            }
            file.append_or_update(new.done());
        }
    }
    file
}

#[test]
fn every_language_has_every_sentence_with_its_slots_and_no_other() {
    let all: Vec<Said> = messages().into_iter().flat_map(|(_, messages)| messages).collect();
    for (code, path) in files() {
        let file = fs::read_to_string(&path).expect("messages can be read");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            po_file::write_to_file(&anew(&code, &file), &path).expect("messages can be written");
            continue;
        }
        let code: &'static str = code.leak();
        Catalogue::read(code, &file).unwrap_or_else(|e| panic!("{e}"));
        let catalog = tongue::messages(&file).expect("messages are PO");
        let there: BTreeMap<String, &dyn MessageView> =
            catalog.messages().map(|m| (tongue::key(m), m)).collect();
        let mut faults = Vec::new();
        for message in &all {
            let Some(found) = there.get(&message.key) else {
                faults.push(format!("missing: {:?}", message.key));
                continue;
            };
            if found.is_plural() != message.one.is_some() {
                faults.push(format!("forms of a number, or none: {:?}", message.key));
            }
            if found.is_fuzzy() {
                faults.push(format!("fuzzy: {:?}", message.key));
            }
            if message.one.as_ref().is_some_and(|one| one != found.msgid()) {
                faults.push(format!("another English form for one: {:?}", message.key));
            }
            let texts = texts(*found);
            for (form, text) in texts.iter().enumerate() {
                let slots = |text: &str| -> BTreeSet<String> {
                    let template = Template::read(text);
                    template.iter().flat_map(Template::slots).map(str::to_owned).collect()
                };
                // A form other than the last, such as the singular, may leave out its number.
                let (given, wanted) = (slots(text), slots(&message.key));
                let left: BTreeSet<&String> = wanted.difference(&given).collect();
                let may_leave = form + 1 < texts.len() && left.len() <= 1;
                if text.is_empty() {
                    faults.push(format!("without a text: {:?}", message.key));
                } else if !given.is_subset(&wanted) || (!left.is_empty() && !may_leave) {
                    faults.push(format!("other slots: {:?}: {text:?}", message.key));
                }
            }
        }
        let keys: BTreeSet<&String> = all.iter().map(|m| &m.key).collect();
        let gone = there.keys().filter(|key| !keys.contains(key));
        faults.extend(gone.map(|key| format!("nobody says: {key:?}")));
        assert!(
            faults.is_empty(),
            "{}: {} faults; UPDATE_EXPECT=1 writes the file anew\n{}",
            path.display(),
            faults.len(),
            faults.join("\n")
        );
    }
}

#[test]
fn a_sentence_has_one_entry_for_the_tools_of_translators() {
    let mut seen = BTreeSet::new();
    for message in messages().into_iter().flat_map(|(_, messages)| messages) {
        let (sort, text) = tongue::sort_of(&message.key);
        let id = (sort.map(str::to_owned), message.one.as_deref().unwrap_or(text).to_owned());
        assert!(seen.insert(id), "{:?}: GNU gettext tells messages by their first form", message);
    }
}

#[test]
fn what_a_player_reads_is_said_through_the_macros() {
    let (unsaid, gone) = source::unsaid(&root());
    let shown: Vec<String> = unsaid.iter().map(|(at, line)| format!("{at}: {line}")).collect();
    assert!(
        shown.is_empty(),
        "{} sentences in English alone; what no player reads goes into as-they-are.txt, behind \
         its file\n{}",
        shown.len(),
        shown.join("\n")
    );
    assert!(gone.is_empty(), "as-they-are.txt has what no source has\n{}", gone.join("\n"));
}

/// Values, conditions and headings of a book, which its translation must have too.
fn skeleton(book: &str) -> Vec<String> {
    let tags = book.match_indices('{').filter_map(|(at, _)| {
        let tag = &book[at..];
        let end =
            ["{{", "{%"].iter().any(|open| tag.starts_with(open)).then(|| tag.find('}'))??;
        Some(tag[..end].trim_matches(|c: char| !c.is_alphanumeric()).to_owned())
    });
    let headings = book.lines().filter(|line| line.starts_with('#'));
    let numbers = headings.map(|line| line.split(['.', ' ']).nth(1).unwrap_or_default().to_owned());
    let mut all: Vec<String> = tags.chain(numbers).collect();
    all.sort_unstable();
    all
}

#[test]
fn a_translated_book_is_of_the_text_that_stands_beside_it() {
    let mut translated = 0;
    for folder in fs::read_dir(root().join("config")).expect("the folder can be listed") {
        let folder = folder.expect("the folder can be listed").path();
        let Ok(english) = fs::read_to_string(folder.join("rulebook.md")) else { continue };
        let digest = Sha256::digest(&english);
        let digest: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        for code in files().keys() {
            let path = folder.join(format!("rulebook.{code}.md"));
            let Ok(book) = fs::read_to_string(&path) else { continue };
            translated += 1;
            let path = path.display();
            assert_eq!(skeleton(&book), skeleton(&english), "{path}: other figures or chapters");
            let first = book.lines().next().unwrap_or_default();
            assert_eq!(
                first,
                format!("<!-- Of rulebook.md, SHA-256 {digest}. -->"),
                "{path}: the English text is another now. Translate what changed, then write this \
                 first line"
            );
        }
    }
    assert!(translated > 0);
}
