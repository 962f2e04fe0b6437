//! The modules of a crate: its files and folders in an order in which calls only go down.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A crate with its modules, the highest first.
struct Order {
    /// The folder of its sources below `src`; empty: the root crate.
    folder: &'static str,
    /// Files and folders beside each other may not use each other; a module uses those of
    /// later rows.
    rows: &'static [&'static [&'static str]],
    /// Exceptions that go up, with the reason: each must occur, or be removed.
    but: &'static [(&'static str, &'static str, &'static str)],
}

const ORDERS: &[Order] = &[
    // As in the chapter "Modules" of `src/robot/lib.rs`.
    Order {
        folder: "robot",
        rows: &[
            &["runner"],
            &["host"],
            &["receive", "run", "explain", "moving", "origins", "outbox", "keys"],
            &["practice"],
            &["reports"],
            &["lib"],
            &["gm_commands"],
            &["quarantine"],
            &["intake"],
            &["commands"],
            &["verdict"],
            &["gm"],
            &["calendar"],
            &["silence", "persons", "sending"],
            &["turns", "replay", "suspend"],
            &["steps"],
            &["printouts"],
            &["game_file"],
            &["drawing", "diary", "book", "unread"],
            &["which_step"],
            &["mailer"],
            &["games"],
            &["personal", "security", "seeds"],
            &["context"],
            &["limits", "lookup", "manual", "card", "at_work"],
            &["text"],
            &["languages"],
        ],
        but: &[],
    },
    Order {
        folder: "",
        rows: &[
            &["main"],
            &["cli"],
            &["serve"],
            &["play"],
            &["demo"],
            &["ops"],
            &["bell", "pulse"],
            &["sim", "render_files", "notify"],
            &["host"],
            &["observe"],
            &["config"],
            &["lib"],
        ],
        but: &[],
    },
];

/// Whether a file or folder of `src` is a module of the root crate.
pub fn is_root_module(name: &str) -> bool {
    let root = ORDERS.iter().find(|h| h.folder.is_empty()).expect("the root crate");
    root.rows.iter().any(|row| row.contains(&name))
}

/// The modules of a crate with the modules that each uses and the files that do so.
fn uses(folder: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let sources: Vec<(String, usize, String, String)> = super::sources()
        .into_iter()
        .filter_map(|(path, text)| {
            let inside = match folder {
                "" => path.clone(),
                _ => path.strip_prefix(folder).ok()?.to_owned(),
            };
            let inside = if inside == Path::new("mod.rs") { "lib.rs".into() } else { inside };
            let module = super::part(&inside);
            let own = !folder.is_empty() || is_module_of_root(&path);
            let depth = depth(&inside);
            own.then(|| (module, depth, path.display().to_string(), super::code(&text)))
        })
        .collect();
    let modules: BTreeSet<&str> = sources.iter().map(|s| s.0.as_str()).collect();
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (module, depth, path, code) in &sources {
        let mut names = paths(code, &prefix(folder));
        // In a file beside `lib.rs`, `super` is the crate; deeper, it takes more of them.
        if *depth > 0 {
            names.extend(paths(code, &"super::".repeat(*depth)));
        }
        if module == "lib" {
            names.extend(modules.iter().filter(|r| begins_path(code, r)).map(|r| (*r).to_owned()));
        }
        // A name that is not a module is defined in `lib.rs`, or re-exported there.
        let used =
            names.iter().map(|n| if modules.contains(n.as_str()) { n.as_str() } else { "lib" });
        let row = found.entry(module.clone()).or_default();
        row.extend(used.filter(|u| u != module).map(|u| (u.to_owned(), path.clone())));
    }
    found
}

/// How many modules a file is below the folder.
fn depth(inside: &Path) -> usize {
    match inside.file_name().and_then(|name| name.to_str()) {
        Some("lib.rs" | "main.rs" | "mod.rs") => inside.components().count() - 1,
        _ => inside.components().count(),
    }
}

/// The beginning of paths to the modules of a folder; folders within a crate have longer ones.
fn prefix(folder: &str) -> String {
    let within = |at: &&Path| super::root().join("src").join(at).join("Cargo.toml").exists();
    let root = Path::new(folder).ancestors().find(within).unwrap_or(Path::new(""));
    let inside = Path::new(folder).strip_prefix(root).expect("an ancestor");
    inside
        .iter()
        .fold("crate::".to_owned(), |path, part| format!("{path}{}::", part.to_string_lossy()))
}

/// Every folder of modules within a folder, as its path below `src`.
fn folders_within(folder: &str) -> Vec<String> {
    let sources = super::sources();
    let parents = sources.keys().filter_map(|p| p.parent()).filter(|p| p.starts_with(folder));
    let within: BTreeSet<&Path> = parents.filter(|p| *p != Path::new(folder)).collect();
    within.into_iter().map(|p| p.to_string_lossy().into_owned()).collect()
}

/// Other crates have their own folders, with a Cargo.toml.
fn is_module_of_root(path: &Path) -> bool {
    let first = path.components().next().expect("a part");
    let folder = super::root().join("src").join(first);
    !folder.join("Cargo.toml").exists() && first.as_os_str() != "engines"
}

/// First names of the paths after a prefix, also of `{a, b::c}`.
fn paths(code: &str, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices(prefix) {
        let longer = code[..at].chars().next_back();
        if longer.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(group) => found.extend(grouped(group)),
            None => found.push(word(rest)),
        }
    }
    found.retain(|n| !n.is_empty() && n != "super");
    found
}

/// First names within braces, whatever braces are within them.
fn grouped(group: &str) -> Vec<String> {
    let (mut depth, mut names, mut fresh) = (0, Vec::new(), true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => fresh = true,
            c if c.is_whitespace() => {}
            _ if fresh => {
                names.push(word(&group[at..]));
                fresh = false;
            }
            _ => {}
        }
    }
    names
}

/// The name at the beginning; `*` counts as a name, but not as a module.
fn word(text: &str) -> String {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    if text.starts_with('*') { "*".to_owned() } else { text[..end].to_owned() }
}

/// Whether a path begins with a name, as one to a module of this file does.
fn begins_path(code: &str, name: &str) -> bool {
    code.match_indices(&format!("{name}::")).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
    })
}

/// Faults of the modules of a crate.
fn faults(order: &Order, uses: &BTreeMap<String, BTreeMap<String, String>>) -> Vec<String> {
    let level = |name: &str| order.rows.iter().position(|row| row.contains(&name));
    let mut wrong = Vec::new();
    for name in order.rows.iter().copied().flatten().filter(|n| !uses.contains_key(**n)) {
        wrong.push(format!("{}: {name} is gone; drop it from its row", order.folder));
    }
    let rows: Vec<&str> = order.rows.iter().copied().flatten().copied().collect();
    let twice = (0..rows.len()).filter(|n| rows[..*n].contains(&rows[*n]));
    wrong.extend(twice.map(|n| format!("{}: {} has two rows", order.folder, rows[n])));
    for (name, used) in uses {
        let Some(own) = level(name) else {
            wrong.push(format!("{}: {name} has no row; add it", order.folder));
            continue;
        };
        for (other, path) in used {
            let known = order.but.iter().any(|(a, b, _)| a == name && b == other);
            if !known && level(other).is_some_and(|l| l <= own) {
                wrong.push(format!("{path} uses {other}, which does not stand below {name}"));
            }
        }
    }
    for (name, other, why) in order.but {
        let real = uses.get(*name).is_some_and(|used| used.contains_key(*other));
        let down = level(other) > level(name);
        if !real || down {
            wrong.push(format!("{name} and {other}: {why}: this holds no longer, drop it"));
        }
    }
    wrong
}

#[test]
fn calls_go_down_the_rooms_only() {
    let wrong: Vec<String> = ORDERS.iter().flat_map(|h| faults(h, &uses(h.folder))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A way from a module back to itself, if there is one; `lib.rs`, which names all others, does not
/// count.
fn circle(uses: &BTreeMap<String, BTreeMap<String, String>>) -> Option<Vec<&str>> {
    let mut open: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, used) in uses.iter().filter(|(name, _)| *name != "lib") {
        let used = used.keys().map(String::as_str).filter(|u| *u != "lib");
        open.insert(name, used.collect());
    }
    // Modules that use none of the remaining ones are below them.
    while let Some(low) = open.iter().find(|(_, used)| !used.iter().any(|u| open.contains_key(u))) {
        let low = *low.0;
        open.remove(low);
    }
    (!open.is_empty()).then(|| open.into_keys().collect())
}

#[test]
fn no_module_of_any_crate_uses_one_that_uses_it() {
    let crates = ["base", "engine", "mail", "render", "robot", "store"].map(str::to_owned);
    let engines = std::fs::read_dir(super::root().join("src/engines")).expect("engines");
    let name = |e: std::fs::DirEntry| format!("engines/{}", e.file_name().to_string_lossy());
    for folder in crates.into_iter().chain(engines.map(|e| name(e.expect("an engine")))) {
        let uses = uses(&folder);
        assert!(uses.len() > 3, "{folder} is read");
        assert_eq!(circle(&uses), None, "{folder}");
        for within in folders_within(&folder) {
            assert_eq!(circle(&self::uses(&within)), None, "{within}");
        }
    }
    for within in ["cli", "ops"].into_iter().flat_map(folders_within) {
        assert_eq!(circle(&uses(&within)), None, "{within}");
    }
    let row = |name: &str, used: &str| {
        (name.to_owned(), BTreeMap::from([(used.to_owned(), String::new())]))
    };
    let round = [row("a", "b"), row("b", "c"), row("c", "b"), row("d", "lib")];
    assert_eq!(circle(&BTreeMap::from(round)), Some(vec!["a", "b", "c"]));
}

#[test]
fn the_rooms_are_read_from_the_sources() {
    let verdict = uses("robot/verdict");
    assert!(verdict["filing"].contains_key("pending"), "{:?}", verdict["filing"]);
    assert!(verdict["filing"].contains_key("answers"), "a way through crate:: or super::");
    let robot = uses("robot");
    assert!(robot["turns"].contains_key("printouts") && robot["receive"].contains_key("lib"));
    assert!(robot["lib"].contains_key("limits"), "a path to a module of lib.rs");
    let warlord = uses("engines/warlord");
    assert!(warlord["turn"].contains_key("state"), "a way through super::super::");
    let root = uses("");
    assert!(root["serve"].contains_key("ops") && !root.contains_key("robot"));
    assert!(!root["ops"].contains_key("serve") && !root["ops"].contains_key("cli"));
}

#[test]
fn modules_out_of_order_are_found() {
    let made = |pairs: &[(&str, &[&str])]| {
        let row = |(name, used): &(&str, &[&str])| {
            let used = used.iter().map(|u| ((*u).to_owned(), format!("{name}.rs"))).collect();
            ((*name).to_owned(), used)
        };
        pairs.iter().map(row).collect::<BTreeMap<_, BTreeMap<_, _>>>()
    };
    let order = Order { folder: "x", rows: &[&["a"], &["b", "c"]], but: &[] };
    let told = |pairs: &[(&str, &[&str])]| faults(&order, &made(pairs)).join("; ");
    assert_eq!(told(&[("a", &["b"]), ("b", &[]), ("c", &[])]), "");
    assert!(told(&[("a", &[]), ("b", &["a"]), ("c", &[])]).contains("b.rs uses a"));
    assert!(told(&[("a", &[]), ("b", &["c"]), ("c", &[])]).contains("b.rs uses c"));
    assert!(told(&[("a", &[]), ("b", &[])]).contains("c is gone"));
    assert!(told(&[("a", &[]), ("b", &[]), ("c", &[]), ("d", &[])]).contains("d has no row"));
    let but = Order { but: &[("b", "a", "for now")], ..order };
    let fine = made(&[("a", &[]), ("b", &["a"]), ("c", &[])]);
    assert_eq!(faults(&but, &fine), Vec::<String>::new());
    let old = made(&[("a", &[]), ("b", &[]), ("c", &[])]);
    assert!(faults(&but, &old).concat().contains("for now: this holds no longer"));
    let twice = Order { folder: "x", rows: &[&["a"], &["b", "c", "a"]], but: &[] };
    assert!(faults(&twice, &old).concat().contains("a has two rows"));
}

#[test]
fn paths_are_read_in_every_form() {
    let code = "use crate::a::{b, c};\nuse crate::{\n    d::{e, f},\n    g,\n};\ncrate::h::i(); \
                pub(in crate::j) mycrate::k $crate::l";
    assert_eq!(paths(code, "crate::"), ["a", "d", "g", "h", "j", "l"]);
    assert_eq!(paths("use super::Robot; super::super::x", "super::"), ["Robot"]);
    assert!(begins_path("(gm::acts())", "gm") && !begins_path("crate::gm::acts()", "gm"));
}
