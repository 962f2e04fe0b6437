//! The page of rules and their tests: every paragraph has a test, every test has
//! a paragraph, every acceptance case is covered, and the page is up to date.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    paragraph: Vec<Paragraph>,
}

/// One paragraph of the rules, in short words.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paragraph {
    id: String,
    rule: String,
    spec: String,
    #[serde(default)]
    cases: Vec<u8>,
    tests: Vec<String>,
    gap: Option<String>,
}

/// A game's rules: the place of its list, and the cases that it must cover.
struct Game {
    title: &'static str,
    folder: &'static str,
    /// Sources with tests beside the code, by the name of their module.
    sources: &'static [(&'static str, &'static str)],
    /// Section of the specification with the acceptance cases, and their number.
    cases: (&'static str, u8),
    chapters: &'static [&'static str],
}

const GAMES: [Game; 5] = [
    Game {
        title: "Warlord",
        folder: "tests/rules/warlord",
        sources: &[],
        cases: ("§13", 40),
        chapters: &[
            "The game and its turns",
            "World and control",
            "Production",
            "Land forces",
            "Sea forces",
            "Air force",
            "Movement",
            "Combat",
            "Generals",
            "Aircraft sorties",
            "Sea combat and bombardment",
            "Spying",
            "Technology and ruins",
            "Alliances, coalitions, victory",
            "Link, split, name",
            "Messages",
            "Ratings",
            "Processing sequence and limits of orders",
            "The printout",
        ],
    },
    Game {
        title: "Battle Plan",
        folder: "tests/rules/battle_plan",
        sources: &[("press", "src/engine/press.rs")],
        cases: ("§22", 20),
        chapters: &[
            "The game, players and allies",
            "Spaces, ownership, minors, seas",
            "Popularity",
            "Industry and builds",
            "Army",
            "Navy",
            "Air force",
            "Missiles and antimissiles",
            "Finances, research, suppression, blockade",
            "Spies, counterspies, sharing",
            "Strait and canals",
            "Orders, card, limits",
            "Sequence of events",
            "Land and sea combat, capture, counter-attack, evacuation",
            "Printout",
            "Messages and newspaper",
            "End of the game and ratings",
            "World Wide: common rules",
            "Equal forces and anonymous",
            "Real forces",
            "1939",
            "South America",
        ],
    },
    Game {
        title: "Classic Warlord",
        folder: "tests/rules/classic_warlord",
        sources: &[],
        cases: ("§15", 20),
        chapters: &[
            "The game",
            "The map",
            "The start",
            "Bombs",
            "Extra armies",
            "Moves and attacks",
            "By mail",
            "Orders and echo",
            "The printout",
            "The end",
            "Steps and computers",
        ],
    },
    Game {
        title: "Empire Deluxe",
        folder: "tests/rules/empire_deluxe",
        sources: &[],
        cases: ("§19.2", 20),
        chapters: &[
            "The game",
            "The map",
            "Production",
            "Turns",
            "Movement",
            "Carrying",
            "Sighting",
            "Combat",
            "Cities",
            "Damage and repair",
            "Airbases",
            "Leaving and the end",
            "Orders and echo",
            "Computers",
        ],
    },
    Game {
        title: "Imperium",
        folder: "tests/rules/imperium",
        sources: &[],
        cases: ("§19", 20),
        chapters: &[
            "The game",
            "The map",
            "Administration",
            "Action segments",
            "Space battles",
            "Planetary battles",
            "Close-Out",
            "Glory, wars and peace",
            "By mail",
            "Orders and echo",
            "Secrecy and printout",
            "Computers",
        ],
    },
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn paragraphs(game: &Game) -> Vec<Paragraph> {
    let path = root().join(game.folder).join("paragraphs.toml");
    let text = fs::read_to_string(path).expect("the list");
    toml::from_str::<File>(&text).expect("the list is well formed").paragraph
}

/// Names of the test functions of a source file.
fn tests_in(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).expect("a source");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let named = |i: usize| {
        let line = lines[i..].iter().find(|l| l.starts_with("fn "))?;
        line.strip_prefix("fn ")?.split('(').next().map(str::to_owned)
    };
    (0..lines.len()).filter(|&i| lines[i] == "#[test]").filter_map(named).collect()
}

/// Every test by the name that the list uses.
fn known(game: &Game) -> BTreeMap<String, PathBuf> {
    let mut known = BTreeMap::new();
    for (folder, prefix) in [(game.folder, ""), ("tests/robot", "robot ")] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|e| e == "rs") {
                let module = path.file_stem().and_then(|s| s.to_str()).expect("a name").to_owned();
                for test in tests_in(&path) {
                    known.insert(format!("{prefix}{module}::{test}"), path.clone());
                }
            }
        }
    }
    for (module, source) in game.sources {
        let path = root().join(source);
        for test in tests_in(&path) {
            known.insert(format!("src {module}::tests::{test}"), path.clone());
        }
    }
    known
}

#[test]
fn every_rule_has_a_test_and_every_test_a_rule() {
    let faults: Vec<String> = GAMES.iter().flat_map(faults).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn faults(game: &Game) -> Vec<String> {
    let (paragraphs, known) = (paragraphs(game), known(game));
    let mut faults = Vec::new();
    let mut used = BTreeSet::new();
    let mut ids = BTreeSet::new();
    for p in &paragraphs {
        if !ids.insert(p.id.clone()) {
            faults.push(format!("paragraph {} stands twice", p.id));
        }
        if p.tests.is_empty() {
            faults.push(format!("paragraph {} has no test: {}", p.id, p.rule));
        }
        for test in &p.tests {
            used.insert(test.clone());
            if !known.contains_key(test) {
                faults.push(format!("paragraph {}: there is no test {test}", p.id));
            }
        }
    }
    let own = known.keys().filter(|t| !t.contains(' '));
    for test in own.filter(|t| !used.contains(*t)) {
        faults.push(format!("no paragraph names {test}"));
    }
    let cases: BTreeSet<u8> = paragraphs.iter().flat_map(|p| p.cases.iter().copied()).collect();
    for case in (1..=game.cases.1).filter(|c| !cases.contains(c)) {
        faults.push(format!("acceptance case {case} is covered by no paragraph"));
    }
    faults.into_iter().map(|f| format!("{}: {f}", game.title)).collect()
}

#[test]
fn the_page_of_rules_is_up_to_date() {
    for game in &GAMES {
        let path = root().join(game.folder).join("COVERAGE.md");
        let page = page(game, &paragraphs(game));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &page).expect("written");
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(found == page, "{} is old; UPDATE_EXPECT=1 rewrites it", path.display());
    }
}

fn page(game: &Game, paragraphs: &[Paragraph]) -> String {
    let mut out = format!(
        "# {}: rules and their tests\n\n\
         Made from `paragraphs.toml` by the tests; numbers in brackets are acceptance cases of \
         the\nspecification's {}. A gap is what the rulebook leaves open, and how we closed it.\n",
        game.title, game.cases.0
    );
    let gaps = paragraphs.iter().filter(|p| p.gap.is_some()).count();
    let tests: usize = paragraphs.iter().map(|p| p.tests.len()).sum();
    let count = paragraphs.len();
    let _ = writeln!(out, "\n{count} paragraphs, {tests} references to tests, {gaps} gaps closed.");
    for (number, title) in (1..).zip(game.chapters) {
        let prefix = format!("{number}.");
        let _ = writeln!(out, "\n## {number}. {title}\n");
        for p in paragraphs.iter().filter(|p| p.id.starts_with(&prefix)) {
            let cases: Vec<String> = p.cases.iter().map(u8::to_string).collect();
            let cases =
                if cases.is_empty() { String::new() } else { format!(" [{}]", cases.join(", ")) };
            let _ = writeln!(out, "* **{}** {} ({}){cases}", p.id, p.rule, p.spec);
            if let Some(gap) = &p.gap {
                let _ = writeln!(out, "  * Gap: {gap}");
            }
            for test in &p.tests {
                let _ = writeln!(out, "  * `{test}`");
            }
        }
    }
    out
}
