//! Sizes: a function, a type and a file are small enough to understand as a whole. The code is
//! formatted, so its lines show where each begins and ends.

use std::collections::BTreeMap;

use super::{part, sources};

/// Lines of a function, at most.
const FUNCTION_LINES: usize = 80;
/// Methods of a type in its crate, at most.
const TYPE_METHODS: usize = 40;
/// Lines of a file without its tests, at most.
const FILE_LINES: usize = 700;

/// A source without its tests.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default()
}

/// How far a line is indented.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The name of the function that begins in a line.
fn function(line: &str) -> Option<&str> {
    let mut words = line.trim_start().split(' ');
    let before = |w: &&str| w.starts_with("pub") || ["const", "async", "in"].contains(w);
    let first = words.find(|w| !before(w) && !w.ends_with(')'))?;
    let name = words.next().filter(|_| first == "fn")?;
    name.split(['(', '<']).next()
}

/// The name of the type whose methods begin in a line.
fn methods_of(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("impl")?.strip_suffix(" {")?;
    if rest.contains(" for ") {
        return None;
    }
    let rest = match rest.strip_prefix('<') {
        Some(generic) => generic.split_once("> ")?.1,
        None => rest.trim_start(),
    };
    rest.split(['<', ' ']).next().and_then(|name| name.rsplit("::").next())
}

#[test]
fn no_function_is_longer_than_a_screen_or_two() {
    for (path, text) in sources() {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(name) = function(line).filter(|_| !line.ends_with(';')) else { continue };
            let ends = |l: &&str| indent(l) == indent(line) && l.trim_start().starts_with('}');
            let long = lines[at..].iter().position(ends).map_or(0, |n| n + 1);
            let place = format!("{}:{}", path.display(), at + 1);
            assert!(long <= FUNCTION_LINES, "{place}: {name} has {long} lines");
        }
    }
}

#[test]
fn no_type_has_more_methods_than_a_reader_looks_through() {
    let mut types: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (path, text) in sources() {
        let krate = match part(&path).as_str() {
            "engines" => {
                path.components().take(2).map(|c| c.as_os_str().to_string_lossy()).collect()
            }
            other => other.to_owned(),
        };
        let mut of = None;
        for line in without_tests(&text).lines() {
            match line {
                "}" => of = None,
                line if line.starts_with("impl") => of = methods_of(line).map(str::to_owned),
                line if indent(line) == 4 && function(line).is_some() => {
                    let name = of.clone().map(|name| (krate.clone(), name));
                    name.into_iter().for_each(|key| *types.entry(key).or_default() += 1);
                }
                _ => {}
            }
        }
    }
    assert!(types.len() > 400, "types are found: {}", types.len());
    let many: Vec<_> = types.into_iter().filter(|(_, n)| *n > TYPE_METHODS).collect();
    assert!(many.is_empty(), "too many methods: {many:?}");
}

#[test]
fn no_file_is_longer_than_what_is_read_at_a_sitting() {
    // The chapter on writing an engine is one text.
    let files: Vec<_> = sources().into_iter().filter(|f| !f.0.ends_with("guide.rs")).collect();
    assert!(files.len() > 400, "files are found: {}", files.len());
    for (path, text) in files {
        let lines = without_tests(&text).lines().count();
        assert!(lines <= FILE_LINES, "{} has {lines} lines", path.display());
    }
}
