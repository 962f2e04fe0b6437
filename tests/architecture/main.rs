//! The layering of the house, read from the `use` lines.

mod coverage;
mod rows;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What each part may name of the crate; `*` is everything but single engines.
const MAY_USE: &[(&str, &[&str])] = &[
    ("engine", &["engine"]),
    ("engines", &["engine"]),
    ("registry", &["engine", "engines"]),
    ("render", &["engine", "render"]),
    ("clock", &["engine"]),
    ("schedule", &[]),
    ("secrets", &["engine"]),
    ("stop", &[]),
    ("tls", &[]),
    ("config", &["mail"]),
    ("observe", &["config"]),
    ("mail", &["mail", "config", "secrets", "stop", "tls"]),
    ("terms", &[]),
    ("card", &["card", "engine", "mail", "render", "terms"]),
    ("store", &["store", "engine", "mail", "schedule", "secrets", "clock", "terms"]),
    ("robot", &["*"]),
    ("sim", &["render", "clock", "engine"]),
    ("ops", &["*"]),
    ("render_files", &["engine", "render", "robot"]),
    ("demo", &["*"]),
    ("cli", &["*"]),
    ("lib", &["*"]),
    ("main", &["*"]),
];

/// Crates that engines may name besides the standard library.
const ENGINE_CRATES: &[&str] = &[
    "std",
    "crate",
    "super",
    "self",
    "serde",
    "toml",
    "rand_chacha",
    "rmp_serde",
    "serde_bytes",
    "textwrap",
    "strsim",
    "thiserror",
];

fn sources() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = BTreeMap::new();
    let mut todo = vec![root.clone()];
    while let Some(dir) = todo.pop() {
        for entry in fs::read_dir(&dir).expect("src can be listed") {
            let path = entry.expect("src can be listed").path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source is text");
                found.insert(path.strip_prefix(&root).expect("below src").to_owned(), text);
            }
        }
    }
    found
}

/// The top-level part that a file belongs to.
fn part(path: &Path) -> String {
    let first = path.components().next().expect("a path has a part");
    first.as_os_str().to_string_lossy().trim_end_matches(".rs").to_owned()
}

/// Code without its tests, comments and strings of documentation.
fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().map(|l| l.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Names of the crate's parts that a file uses.
fn uses(text: &str) -> Vec<String> {
    let code = code(text);
    let starts = code.match_indices("crate::").map(|(i, m)| i + m.len());
    let name = |i: usize| {
        let rest = &code[i..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest[..end].to_owned()
    };
    let grouped = |i: usize| -> Vec<String> {
        let Some(group) = code[i..].strip_prefix('{') else { return vec![name(i)] };
        let group = group.split(';').next().unwrap_or_default();
        group
            .split(',')
            .map(|g| g.trim().split("::").next().unwrap_or_default().to_owned())
            .collect()
    };
    starts.flat_map(grouped).filter(|n| !n.is_empty() && n != "}").collect()
}

#[test]
fn every_part_uses_only_what_the_map_allows() {
    let mut wrong = Vec::new();
    for (path, text) in sources() {
        let part = part(&path);
        let rule = MAY_USE.iter().find(|(p, _)| *p == part);
        let Some((_, allowed)) = rule else {
            wrong.push(format!("{}: not in the map; add it to MAY_USE", path.display()));
            continue;
        };
        for used in uses(&text) {
            let everything = allowed.contains(&"*") && used != "engines";
            if !everything && !allowed.contains(&used.as_str()) {
                wrong.push(format!("{} uses {used}, which {part} must not know", path.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn engines_name_no_other_engine_and_no_crate_beyond_the_list() {
    for (path, text) in sources() {
        if !["engine", "engines"].contains(&part(&path).as_str()) {
            continue;
        }
        for line in code(&text).lines().filter_map(|l| l.trim().strip_prefix("use ")) {
            let first = line.split("::").next().unwrap_or_default().trim_end_matches(';');
            let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("src")
                .join(path.parent().expect("a folder"));
            let file = fs::exists(folder.join(format!("{first}.rs")));
            let own = file.unwrap_or(false) || folder.join(first).is_dir();
            let known = ENGINE_CRATES.contains(&first) || own;
            let known = known || first == "movement";
            assert!(known, "{}: {first} is no crate for an engine", path.display());
        }
        let mut names = path.components().skip(1).map(|c| c.as_os_str().to_string_lossy());
        let own = names.next().unwrap_or_default().into_owned();
        for other in ["warlord", "battle_plan", "empire_deluxe", "classic_warlord", "imperium"] {
            let named = code(&text).contains(&format!("engines::{other}"));
            assert!(!named || own == other, "{} names {other}", path.display());
        }
    }
}

#[test]
fn engines_use_no_float() {
    for (path, text) in sources() {
        if ["engine", "engines"].contains(&part(&path).as_str()) {
            for word in [" f32", " f64", "as f32", "as f64", "<f64>", "<f32>"] {
                assert!(!code(&text).contains(word), "{} uses{word}", path.display());
            }
        }
    }
}

#[test]
fn every_file_begins_with_what_it_is() {
    for (path, text) in sources() {
        assert!(text.starts_with("//! "), "{} has no head comment", path.display());
        assert!(text.len() < 60_000, "{} has outgrown one purpose", path.display());
    }
}

#[test]
fn the_table_of_uses_names_only_parts_that_exist() {
    let parts: Vec<String> = sources().keys().map(|p| part(p)).collect();
    for (name, _) in MAY_USE {
        assert!(parts.iter().any(|p| p == name), "{name} is gone; drop it from MAY_USE");
    }
}

#[test]
fn every_picture_of_the_readme_is_there_and_they_are_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let named = readme.split("](").skip(1).filter_map(|p| p.split(')').next());
    let pictures: Vec<&str> = named.filter(|p| p.ends_with(".png")).collect();
    assert!(!pictures.is_empty());
    let size = |p: &&str| fs::metadata(root.join(p)).unwrap_or_else(|_| panic!("{p}")).len();
    assert!(pictures.iter().map(size).sum::<u64>() < 300_000);
}
