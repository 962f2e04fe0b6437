//! Every row of the behaviours of mail (A1 to G7) has its tests, or a reason why it does
//! not apply. The tests are found by their names, the fixtures by the row that they
//! name; `ROWS.md` lists them (`UPDATE_EXPECT=1` rewrites it).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// A row of `rows.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    /// The required behaviour, in a few words.
    what: String,
    /// Tests whose names do not begin with the row's.
    #[serde(default)]
    tests: Vec<String>,
    /// The reason why it does not apply, or only in part.
    #[serde(default)]
    but: String,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// Names of all functions in the tests and sources of mail; the games have their own cases.
fn functions() -> BTreeSet<String> {
    let folders = [
        "tests/robot",
        "tests/servers",
        "tests/printouts",
        "src/mail",
        "src/robot",
        "src/base",
        "tests/ops",
        "tests/architecture",
        "tests/rules",
        "src/store",
    ];
    let mut todo: Vec<PathBuf> = folders.iter().map(|f| root().join(f)).collect();
    let mut found = BTreeSet::new();
    while let Some(dir) = todo.pop() {
        for entry in fs::read_dir(dir).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source is text");
                let names = text.lines().filter_map(|l| {
                    let rest = l.trim().strip_prefix("fn ")?;
                    Some(rest.split('(').next()?.to_owned())
                });
                found.extend(names);
            }
        }
    }
    found
}

/// Fixtures of each row.
fn fixtures() -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for folder in ["clients", "automatic", "malformed", "hostile"] {
        let path = root().join("mailbox-fixtures").join(folder).join("expected.toml");
        let text = fs::read_to_string(path).expect("expected.toml");
        for row in text.lines().filter_map(|l| l.strip_prefix("row = ")) {
            *found.entry(row.trim_matches('"').to_owned()).or_insert(0) += 1;
        }
    }
    found
}

#[test]
fn every_row_has_its_tests_or_a_reason() {
    let text = fs::read_to_string(root().join("tests/robot/rows.toml")).expect("rows.toml");
    let rows: BTreeMap<String, Row> = toml::from_str(&text).expect("a table");
    let (functions, fixtures) = (functions(), fixtures());
    let groups =
        [('A', 14), ('B', 10), ('C', 8), ('D', 10), ('E', 15), ('F', 8), ('G', 7), ('H', 18)];
    let all: Vec<String> =
        groups.iter().flat_map(|(g, n)| (1..=*n).map(move |i| format!("{g}{i}"))).collect();
    let mut page = "# Rows of the behaviours of mail, and their tests\n\n\
                    | row | what | tests |\n|---|---|---|\n"
        .to_owned();
    for name in &all {
        let row = rows.get(name).unwrap_or_else(|| panic!("{name} is missing in rows.toml"));
        let start = format!("{}_", name.to_lowercase());
        let mut tests: Vec<&str> =
            functions.iter().filter(|f| f.starts_with(&start)).map(String::as_str).collect();
        for test in &row.tests {
            assert!(functions.contains(test), "{name} names {test}, which is no function");
            tests.push(test);
        }
        let mails = fixtures.get(name).copied().unwrap_or_default();
        assert!(mails > 0 || !tests.is_empty() || !row.but.is_empty(), "{name} has no test");
        let mut told: Vec<String> = tests.iter().map(|t| format!("`{t}`")).collect();
        if mails > 0 {
            told.push(format!("{mails} fixtures"));
        }
        if !row.but.is_empty() {
            told.push(row.but.clone());
        }
        page += &format!("| {name} | {} | {} |\n", row.what, told.join(", "));
    }
    assert_eq!(rows.len(), all.len(), "rows.toml has a row too many");
    let path = root().join("tests/robot/ROWS.md");
    if std::env::vars().any(|(k, _)| k == "UPDATE_EXPECT") {
        fs::write(&path, &page).expect("written");
    }
    let same = fs::read_to_string(&path).unwrap_or_default() == page;
    assert!(same, "ROWS.md is old; UPDATE_EXPECT=1 rewrites it");
}
