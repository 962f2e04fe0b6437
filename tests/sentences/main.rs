//! Every sentence of the source and of the data files is in every file of messages, with its
//! slots; and what a player reads is said through the macros.
//!
//! `UPDATE_EXPECT=1` writes the files anew: in the order of the source, what is gone left out,
//! what is new with an empty text, which the test refuses. A new language begins as an empty
//! file.

mod data;
mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use source::Message;
use tongue::{Catalogue, Template};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All messages by the part that says them, in the order of the source; each once.
fn messages() -> Vec<(String, Vec<Message>)> {
    let mut parts: Vec<(String, Vec<Message>)> = Vec::new();
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

/// The texts of a file by their keys.
fn texts(file: &str) -> BTreeMap<String, toml::Value> {
    let parts: BTreeMap<String, toml::Table> = toml::from_str(file).expect("messages are TOML");
    parts.into_values().flatten().collect()
}

/// All forms of a text.
fn forms(text: &toml::Value) -> Vec<(&str, &str)> {
    match text {
        toml::Value::Table(forms) => {
            forms.iter().map(|(name, t)| (name.as_str(), t.as_str().unwrap_or_default())).collect()
        }
        text => vec![("", text.as_str().unwrap_or_default())],
    }
}

/// A text as a value of TOML, on one line.
fn quoted(text: &str) -> String {
    if text.contains('"') && text.contains('\'') {
        // TOML would write it over many lines, which no key may have.
        let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        return format!("\"{escaped}\"");
    }
    toml::Value::String(text.replace('\n', "\u{0}")).to_string().replace("\\u0000", "\\n")
}

/// A file of messages, in the order of the source, with the texts that are known.
fn written(known: &BTreeMap<String, toml::Value>) -> String {
    let mut file =
        "# Sentences by the English ones; the docs of the crate `tongue` say how.\n".to_owned();
    for (part, messages) in messages() {
        file += &format!("\n[{part}]\n");
        for message in messages {
            let text = match known.get(&message.key) {
                Some(toml::Value::Table(forms)) => {
                    let forms = forms.iter();
                    let form = |(name, text): (&String, &toml::Value)| {
                        format!("{name} = {}", quoted(text.as_str().unwrap_or_default()))
                    };
                    format!("{{ {} }}", forms.map(form).collect::<Vec<_>>().join(", "))
                }
                Some(text) => quoted(text.as_str().unwrap_or_default()),
                None if message.one.is_some() => "{ one = \"\", other = \"\" }".to_owned(),
                None => "\"\"".to_owned(),
            };
            file += &format!("{} = {text}\n", quoted(&message.key));
        }
    }
    file
}

#[test]
fn every_language_has_every_sentence_with_its_slots_and_no_other() {
    let all: Vec<Message> = messages().into_iter().flat_map(|(_, messages)| messages).collect();
    for (code, path) in files() {
        let file = fs::read_to_string(&path).expect("messages can be read");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, written(&texts(&file))).expect("messages can be written");
            continue;
        }
        let code: &'static str = code.leak();
        Catalogue::read(code, &file).unwrap_or_else(|e| panic!("{e}"));
        let texts = texts(&file);
        let mut faults = Vec::new();
        for message in &all {
            let Some(text) = texts.get(&message.key) else {
                faults.push(format!("missing: {:?}", message.key));
                continue;
            };
            if text.is_table() != message.one.is_some() {
                faults.push(format!("forms of a number, or none: {:?}", message.key));
            }
            for (form, text) in forms(text) {
                let slots = |text: &str| -> BTreeSet<String> {
                    let template = Template::read(text);
                    template.iter().flat_map(Template::slots).map(str::to_owned).collect()
                };
                // A form of one or two may leave its number out.
                let (given, wanted) = (slots(text), slots(&message.key));
                let left: BTreeSet<&String> = wanted.difference(&given).collect();
                let may_leave = !["", "other"].contains(&form) && left.len() <= 1;
                if text.is_empty() {
                    faults.push(format!("without a text: {:?}", message.key));
                } else if !given.is_subset(&wanted) || (!left.is_empty() && !may_leave) {
                    faults.push(format!("other slots: {:?}: {text:?}", message.key));
                }
            }
        }
        let keys: BTreeSet<&String> = all.iter().map(|m| &m.key).collect();
        let gone = texts.keys().filter(|key| !keys.contains(key));
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
