//! The allowed dependencies between the crates of the project, and those of engines, read from the
//! Cargo.toml files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use toml::Table;

/// The word for every engine in the table.
const ENGINES: &str = "each engine";

/// Own crates below `src`, and what each depends on: no more, and no less.
const MAY_DEPEND: &[(&str, &[&str])] = &[
    ("codec", &[]),
    ("domains", &[]),
    ("tongue", &[]),
    ("engine", &["codec", "tongue"]),
    ("base", &["engine", "tongue"]),
    (ENGINES, &["engine", "tongue"]),
    ("render", &["engine", "tongue"]),
    ("mail", &["base", "codec", "domains", "tongue"]),
    ("store", &["base", "engine", "mail"]),
    ("robot", &["base", "codec", "engine", "mail", "render", "store", "tongue"]),
    ("registry", &["engine", ENGINES]),
    ("root", &["base", "engine", "mail", "registry", "render", "robot", "store"]),
];

/// External crates that the engines and their base may use: plain data and arithmetic. None of them
/// reads a clock, a file or the network for an engine.
const ENGINE_CRATES: &[&str] = &[
    "intl_pluralrules",
    "minijinja",
    "polib",
    "pulldown-cmark",
    "rand_chacha",
    "rmp",
    "serde",
    "serde_bytes",
    "sha2",
    "strsim",
    "textwrap",
    "thiserror",
    "toml",
    "unic-langid",
];

/// Names that the code of an engine may not have: clocks, files, the outside, chance, hash order.
const NEVER: &[&str] = &[
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "std::time",
    "HashMap",
    "HashSet",
    "static mut",
];

/// A crate, from its Cargo.toml.
struct Krate {
    /// The word of the table: the folder below `src`, or `root`.
    name: String,
    /// Whether it is an engine.
    is_engine: bool,
    /// The package and the library.
    package: String,
    library: String,
    manifest: Table,
}

impl Krate {
    fn read(folder: &Path, is_engine: bool) -> Self {
        let text = fs::read_to_string(folder.join("Cargo.toml")).expect("a Cargo.toml");
        let manifest: Table = text.parse().expect("a Cargo.toml is TOML");
        let word = |table: &str, key: &str| {
            manifest.get(table).and_then(|t| t.get(key)).and_then(|v| v.as_str()).map(str::to_owned)
        };
        let package = word("package", "name").expect("a package has a name");
        let library = word("lib", "name").unwrap_or_else(|| package.replace('-', "_"));
        let name = match folder == super::root() {
            true => "root".to_owned(),
            false => folder.file_name().expect("a name").to_string_lossy().into_owned(),
        };
        Self { name, is_engine, package, library, manifest }
    }

    /// The row of the table for it.
    fn row(&self) -> &str {
        if self.is_engine { ENGINES } else { &self.name }
    }

    /// Packages that it is built with; those of its tests may be any.
    fn dependencies(&self) -> BTreeSet<String> {
        let tables = ["dependencies", "build-dependencies"];
        let tables = tables.iter().filter_map(|t| self.manifest.get(*t)?.as_table());
        tables.flat_map(Table::keys).cloned().collect()
    }
}

fn folders(below: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(below).expect("a folder");
    let paths = entries.map(|e| e.expect("an entry").path());
    let mut found: Vec<PathBuf> = paths.filter(|p| p.join("Cargo.toml").is_file()).collect();
    found.sort();
    found
}

/// The root crate and all below `src`; engines are found by their folder.
fn crates() -> Vec<Krate> {
    let src = super::root().join("src");
    let mut all = vec![Krate::read(&super::root(), false)];
    all.extend(folders(&src).iter().map(|f| Krate::read(f, false)));
    all.extend(folders(&src.join("engines")).iter().map(|f| Krate::read(f, true)));
    all
}

/// Faults in the dependencies of these crates by a table.
fn faults(crates: &[Krate], table: &[(&str, &[&str])]) -> Vec<String> {
    let rows: BTreeMap<&str, &str> = crates.iter().map(|k| (k.package.as_str(), k.row())).collect();
    let mut wrong = Vec::new();
    for (row, _) in table.iter().filter(|(row, _)| !crates.iter().any(|k| k.row() == *row)) {
        wrong.push(format!("{row} is gone; drop it from MAY_DEPEND"));
    }
    for krate in crates {
        let Some((_, allowed)) = table.iter().find(|(row, _)| *row == krate.row()) else {
            wrong.push(format!("{} has no row; add it to MAY_DEPEND", krate.name));
            continue;
        };
        let used: BTreeSet<&str> =
            krate.dependencies().iter().filter_map(|d| rows.get(d.as_str()).copied()).collect();
        for other in used.iter().filter(|u| !allowed.contains(u)) {
            wrong.push(format!("{} depends on {other}, which it must not know", krate.name));
        }
        for other in allowed.iter().filter(|a| !used.contains(*a)) {
            wrong.push(format!("{} does not need {other} any longer", krate.name));
        }
    }
    wrong
}

#[test]
fn every_crate_depends_only_on_what_the_table_allows() {
    assert_eq!(faults(&crates(), MAY_DEPEND), Vec::<String>::new());
}

#[test]
fn the_table_finds_what_is_missing_and_what_is_too_much() {
    let less: Vec<(&str, &[&str])> = MAY_DEPEND.iter().filter(|r| r.0 != "mail").copied().collect();
    assert!(faults(&crates(), &less).concat().contains("mail has no row"));
    let engines = faults(&crates(), &[(ENGINES, &[])]).join("\n");
    assert!(engines.contains("warlord depends on engine"), "{engines}");
    let more = [("moon", &[][..]), ("engine", &["mail"])];
    let more = faults(&crates(), &more).join("\n");
    assert!(more.contains("moon is gone") && more.contains("engine does not need mail"), "{more}");
}

#[test]
fn engines_use_no_crate_beyond_the_list() {
    let stands_on = |k: &Krate| ["codec", "engine", "tongue"].contains(&k.name.as_str());
    let engines = crates().into_iter().filter(|k| k.is_engine || stands_on(k));
    for krate in engines {
        for name in krate.dependencies() {
            let own = ["codec", "engine", "tongue", "tongue-macros"];
            let own = own.iter().any(|o| name == format!("fieldpost-{o}"));
            let known = ENGINE_CRATES.contains(&name.as_str()) || own;
            assert!(known, "{}: {name} is no crate for an engine", krate.name);
        }
    }
}

#[test]
fn every_crate_of_the_list_is_used_by_an_engine() {
    let stands_on = |k: &Krate| ["codec", "engine", "tongue"].contains(&k.name.as_str());
    let engines = crates().into_iter().filter(|k| k.is_engine || stands_on(k));
    let used: BTreeSet<String> = engines.flat_map(|k| k.dependencies()).collect();
    for name in ENGINE_CRATES {
        assert!(used.contains(*name), "{name} is used by no engine; drop it from ENGINE_CRATES");
    }
}

#[test]
fn nobody_but_the_registry_names_an_engine() {
    let all = crates();
    let libraries: Vec<&str> =
        all.iter().filter(|k| k.is_engine).map(|k| k.library.as_str()).collect();
    let mut wrong = Vec::new();
    let mut registered = BTreeSet::new();
    for (path, text) in super::sources() {
        let mut parts = path.components().map(|c| c.as_os_str().to_string_lossy());
        let (module, folder) = (parts.next().expect("a part"), parts.next().unwrap_or_default());
        for library in libraries.iter().filter(|l| names(&super::code(&text), l)) {
            match (module.as_ref(), folder.as_ref()) {
                ("registry", _) => _ = registered.insert(*library),
                // An engine may have a module with its own name.
                ("engines", own) if own == *library => {}
                _ => wrong.push(format!("{} names {library}", path.display())),
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    let depends = all.iter().find(|k| k.name == "registry").expect("the registry").dependencies();
    let wanted = all.iter().filter(|k| k.is_engine && depends.contains(&k.package));
    let wanted: BTreeSet<&str> = wanted.map(|k| k.library.as_str()).collect();
    assert_eq!(registered, wanted, "the registry lists what it depends on");
}

/// Whether code has a path that begins with a library.
fn names(code: &str, library: &str) -> bool {
    code.match_indices(&format!("{library}::")).any(|(at, _)| {
        let before = code[..at].trim_end_matches(' ').chars().next_back();
        let joined = code[..at].chars().next_back();
        let longer = joined.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':');
        // `::hex::` is the crate as well; `crate::hex::` is a module.
        !longer || code[..at].ends_with(" ::") || before.is_none()
    })
}

#[test]
fn a_library_is_found_by_the_beginning_of_a_path() {
    for code in ["use hex::Hex;", "(hex::f())", "use ::hex::Hex;", "hex::f()"] {
        assert!(names(code, "hex"), "{code}");
    }
    for code in ["use crate::hex::Hex;", "tints::ahex::f()", "hex(tint)", "sha256_hex::f()"] {
        assert!(!names(code, "hex"), "{code}");
    }
}

#[test]
fn engines_name_no_clock_no_file_and_no_hash_order() {
    for (path, text) in super::sources() {
        if ["engine", "engines"].contains(&super::part(&path).as_str()) {
            let code = super::code(&text);
            for word in NEVER {
                assert!(!code.contains(word), "{} names {word}", path.display());
            }
        }
    }
}

#[test]
fn every_folder_of_sources_is_a_crate_or_a_part_of_the_root() {
    let known: BTreeSet<String> = crates().into_iter().map(|k| k.name).collect();
    for (path, _) in super::sources() {
        let part = super::part(&path);
        let own = known.contains(&part) || super::modules::is_root_module(&part);
        assert!(own || part == "engines", "{}: {part} has no row", path.display());
    }
}

#[test]
fn the_log_lets_through_each_crate_that_writes_to_it() {
    let filter = fs::read_to_string(super::root().join("src/observe.rs")).expect("the log");
    let list = filter.lines().find(|l| l.starts_with("const CRATES")).expect("its list");
    let listed: BTreeSet<&str> = list.split('"').skip(1).step_by(2).collect();
    let all = crates();
    let writes = |k: &&Krate| k.dependencies().contains("tracing");
    let writing: BTreeSet<&str> = all.iter().filter(writes).map(|k| k.library.as_str()).collect();
    assert_eq!(listed, writing);
}
