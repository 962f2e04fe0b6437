//! The words and sentences of data files that players read.

use std::fs;
use std::path::Path;

use toml::Value;

use super::source::Said;

/// The lessons of a game, and the key of their sentences.
const LESSONS: (&str, &[&str]) = ("lessons.toml", &["points"]);

/// Other files below `config`, and the keys of their sentences.
const SAID: &[(&str, &[&str])] = &[
    ("battle-plan/variants.toml", &["texts"]),
    ("imperium/units.toml", &["name"]),
    ("warlord/tech.toml", &["teaches"]),
    ("warlord/terrain.toml", &["name"]),
    ("warlord/units.toml", &["name"]),
];

/// The sentences, by the folder of their file.
pub fn messages(root: &Path) -> Vec<(String, Said)> {
    let games = fs::read_dir(root.join("config")).expect("the folder can be listed");
    let lessons = games.map(|e| e.expect("an entry").path().join(LESSONS.0));
    let mut files: Vec<(String, &[&str])> = lessons
        .filter(|path| path.exists())
        .map(|path| path.strip_prefix(root.join("config")).expect("below it").to_owned())
        .map(|path| (path.to_string_lossy().into_owned(), LESSONS.1))
        .collect();
    assert!(files.len() > 4, "every game has lessons: {files:?}");
    files.extend(SAID.iter().map(|(path, keys)| ((*path).to_owned(), *keys)));
    files.sort();
    let mut all = Vec::new();
    for (path, keys) in files {
        let file = fs::read_to_string(root.join("config").join(&path)).expect("the file is there");
        let file: Value = toml::from_str(&file).expect("a data file is TOML");
        let mut texts = Vec::new();
        collect(&file, keys, false, &mut texts);
        assert!(!texts.is_empty(), "{path} says nothing");
        let game = path.split('/').next().unwrap_or_default();
        all.extend(texts.into_iter().map(|key| (game.to_owned(), Said { key, one: None })));
    }
    all
}

fn collect(value: &Value, keys: &[&str], is_said: bool, texts: &mut Vec<String>) {
    match value {
        Value::String(text) if is_said => texts.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|v| collect(v, keys, is_said, texts)),
        Value::Table(table) => {
            table.iter().for_each(|(k, v)| collect(v, keys, keys.contains(&k.as_str()), texts));
        }
        _ => {}
    }
}
