//! The layering: of the crates, read from their Cargo.toml files, and of the modules of a crate,
//! read from its paths; and rules for every source file.

mod coverage;
mod crates;
mod modules;
mod notice;
mod rows;
mod sizes;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// All sources by their paths below `src`.
fn sources() -> BTreeMap<PathBuf, String> {
    let root = root().join("src");
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
fn nobody_but_tests_asks_the_store_for_its_connection() {
    for (path, text) in sources() {
        let own = path.starts_with("store");
        assert!(own || !code(&text).contains(".connection()"), "{}: write by a Tx", path.display());
    }
}

#[test]
fn every_picture_of_the_readme_is_there_and_they_are_small() {
    let root = root();
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let named = readme.split("](").skip(1).filter_map(|p| p.split(')').next());
    let pictures: Vec<&str> = named.filter(|p| p.ends_with(".png")).collect();
    assert!(!pictures.is_empty());
    let size = |p: &&str| fs::metadata(root.join(p)).unwrap_or_else(|_| panic!("{p}")).len();
    assert!(pictures.iter().map(size).sum::<u64>() < 300_000);
}

/// Pages for people, whose links lead into the sources.
const PAGES: [&str; 6] = [
    "README.md",
    "config/manual/player.md",
    "deploy/GUIDE.md",
    "deploy/MANUAL.md",
    "tests/README.md",
    "tests/bench/README.md",
];

#[test]
fn the_readme_is_read_in_two_minutes_and_links_of_pages_lead_somewhere() {
    let text = |page: &str| fs::read_to_string(root().join(page)).expect("a page");
    assert!(text("README.md").len() <= 8_000, "what is longer stands in a page of its own");
    for page in PAGES {
        let here = root().join(page).parent().expect("a folder").to_owned();
        for link in text(page).split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(here.join(link).exists(), "{page} links to {link}");
        }
    }
}
