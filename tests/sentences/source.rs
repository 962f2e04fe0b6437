//! The sentences of the source: those in `say!`, `count!` and `mark!`, and those outside of them
//! that should be inside.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::LitStr;

/// A sentence for a file of messages.
#[derive(Debug, Clone)]
pub struct Said {
    /// Its key.
    pub key: String,
    /// The English sentence for one, where it depends on a number.
    pub one: Option<String>,
}

/// The sentences and other texts of a source.
#[derive(Default)]
struct Found {
    said: Vec<Said>,
    /// Other texts with their lines.
    other: Vec<(usize, String)>,
}

/// Sources without sentences for players: texts for game masters, operators and programmers, and
/// texts that players write.
const NOT_PLAYERS: &[&str] = &[
    "src/engine/data.rs",
    "src/engine/options.rs",
    "src/engine/trial.rs",
    "src/robot/gm/",
    "src/robot/gm_commands.rs",
    "src/robot/quarantine.rs",
    "src/robot/replay.rs",
    "/audit.rs",
    "/computer",
    "/explain.rs",
    "/game_master.rs",
    "/options.rs",
    "/rulebook.rs",
    "/tables.rs",
    // What players write, not what they read.
    "/wording.rs",
    "/battle_plan/names.rs",
];

/// Parts of the source with texts for players; all other parts are for operators.
const PLAYERS: &[&str] = &["src/base/", "src/engine/", "src/engines/", "src/render/", "src/robot/"];

/// Sentences in English that no player reads, or that must be as they are.
const AS_THEY_ARE: &str = include_str!("as-they-are.txt");

/// The sentences, by the part of the source.
pub fn messages(root: &Path) -> Vec<(String, Said)> {
    let mut all = Vec::new();
    for (path, found) in sources(root) {
        all.extend(found.said.into_iter().map(|message| (part(&path), message)));
    }
    all
}

/// Texts outside the macros that look like sentences for a player, with their places; and lines of
/// [`AS_THEY_ARE`] that no longer match any text.
pub fn unsaid(root: &Path) -> (Vec<(String, String)>, Vec<&'static str>) {
    let (mut all, mut used) = (Vec::new(), BTreeSet::new());
    for (path, found) in sources(root) {
        let is_read = PLAYERS.iter().any(|p| path.starts_with(p))
            && !NOT_PLAYERS.iter().any(|p| path.contains(p));
        let sentences = found.other.into_iter().filter(|(_, text)| is_read && is_sentence(text));
        for (line, text) in sentences {
            let text = text.escape_debug().to_string();
            match AS_THEY_ARE.lines().find(|l| l.split_once(": ") == Some((&path, &text))) {
                Some(known) => drop(used.insert(known)),
                None => all.push((format!("{path}:{line}"), text)),
            }
        }
    }
    (all, AS_THEY_ARE.lines().filter(|l| !used.contains(l)).collect())
}

/// The name of a part in a file of messages.
fn part(path: &str) -> String {
    let mut parts = path.trim_start_matches("src/").split('/');
    let first = parts.next().unwrap_or_default();
    let name = if first == "engines" { parts.next().unwrap_or_default() } else { first };
    name.trim_end_matches(".rs").replace('_', "-")
}

/// Whether a text has two words of a language in a row.
fn is_sentence(text: &str) -> bool {
    let is_word = |w: &str| {
        let w = w.trim_matches(|c: char| !c.is_alphanumeric() && c != '{' && c != '}');
        w.chars().count() >= 2 && w.chars().all(|c| c.is_alphabetic() || c == '\'' || c == '-')
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let lower = |w: &str| w.chars().any(char::is_lowercase);
    words.windows(2).any(|w| is_word(w[0]) && is_word(w[1]) && (lower(w[0]) || lower(w[1])))
}

/// All sources by their paths, the smallest first.
fn sources(root: &Path) -> Vec<(String, Found)> {
    let mut paths = Vec::new();
    let mut todo = vec![root.join("src")];
    while let Some(dir) = todo.pop() {
        for entry in fs::read_dir(&dir).expect("src can be listed") {
            let path = entry.expect("src can be listed").path();
            if path.is_dir() {
                todo.push(path);
            } else if path.extension().is_some_and(|e| e == "rs")
                && !path.ends_with("tests.rs")
                && !path.starts_with(root.join("src/tongue"))
            {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let read = |path: &std::path::PathBuf| {
        let text = fs::read_to_string(path).expect("a source is text");
        let name = path.strip_prefix(root).expect("below the root").to_string_lossy().into_owned();
        let tokens: TokenStream = text.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut found = Found::default();
        walk(tokens, &mut found);
        (name, found)
    };
    paths.iter().map(read).collect()
}

/// Macros whose texts are for programmers and logs; those of the method `expect` are too.
const FOR_PROGRAMMERS: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "debug",
    "debug_assert",
    "debug_assert_eq",
    "error",
    "info",
    "panic",
    "trace",
    "unreachable",
    "warn",
];

fn walk(tokens: TokenStream, found: &mut Found) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |at: usize, mark: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == mark);
    let mut at = 0;
    while at < tokens.len() {
        match &tokens[at] {
            // An attribute; with its item, if that is a test.
            TokenTree::Punct(p) if p.as_char() == '#' => {
                let group = if is(at + 1, '!') { at + 2 } else { at + 1 };
                let Some(TokenTree::Group(attribute)) = tokens.get(group) else {
                    at += 1;
                    continue;
                };
                at = group + 1;
                let text = attribute.stream().to_string();
                if text.contains("cfg") && text.contains("test") {
                    let braced = |t: &TokenTree| {
                        matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
                            || matches!(t, TokenTree::Punct(p) if p.as_char() == ';')
                    };
                    at += tokens[at..].iter().position(braced).map_or(0, |p| p + 1);
                }
            }
            TokenTree::Ident(name) if is(at + 1, '!') => {
                let name = name.to_string();
                let Some(TokenTree::Group(inner)) = tokens.get(at + 2) else {
                    at += 1;
                    continue;
                };
                match name.as_str() {
                    "say" | "mark" => said(inner.stream(), false, found),
                    "count" => said(inner.stream(), true, found),
                    name if FOR_PROGRAMMERS.contains(&name) => {}
                    _ => walk(inner.stream(), found),
                }
                at += 3;
            }
            // `Told::error` is for players.
            TokenTree::Ident(name) if *name == "expect" => {
                at += if matches!(tokens.get(at + 1), Some(TokenTree::Group(_))) { 2 } else { 1 };
            }
            TokenTree::Group(group) => {
                walk(group.stream(), found);
                at += 1;
            }
            TokenTree::Literal(literal) => {
                if let Some(text) = text(&tokens[at]) {
                    found.other.push((literal.span().start().line, text));
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// The text of a literal.
fn text(token: &TokenTree) -> Option<String> {
    let literal: LitStr = syn::parse2(TokenStream::from(token.clone())).ok()?;
    Some(literal.value())
}

/// The sentence of one call of a macro; its arguments may contain more.
fn said(inner: TokenStream, counted: bool, found: &mut Found) {
    let tokens: Vec<TokenTree> = inner.into_iter().collect();
    let is = |at: usize, mark: char| matches!(tokens.get(at), Some(TokenTree::Punct(p)) if p.as_char() == mark);
    let texts: Vec<(usize, String)> =
        (0..tokens.len()).filter_map(|at| Some((at, text(&tokens[at])?))).collect();
    // For a call that counts, the key is the plural sentence, which may also be the singular one.
    let follows = |pair: &[(usize, String)]| pair[1].0 == pair[0].0 + 2 && is(pair[0].0 + 1, ',');
    let two = counted && texts.windows(2).next().is_some_and(follows);
    let Some((at, sentence)) = texts.get(usize::from(two)) else { return };
    let sort = match &tokens[..*at] {
        [TokenTree::Ident(sort), TokenTree::Punct(p)] if p.as_char() == ':' => format!("{sort}: "),
        _ => String::new(),
    };
    let one = texts.first().filter(|_| counted).map(|(_, one)| one.clone());
    found.said.push(Said { key: sort + &key(sentence), one });
    let mut rest = at + 1;
    while rest < tokens.len() {
        // The arguments follow, each with its own sentences.
        if is(rest, ',') {
            walk(tokens[rest + 1..].iter().cloned().collect(), found);
            break;
        }
        rest += 1;
    }
}

/// A sentence without the formats of its slots, the nameless ones numbered: the key that the
/// macros look for.
fn key(text: &str) -> String {
    let (mut key, mut unnamed) = (String::new(), 0);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '{' && letters.peek() != Some(&'{') {
            let inner: String = letters.by_ref().take_while(|c| *c != '}').collect();
            let name = inner.split(':').next().unwrap_or_default().trim();
            if name.is_empty() {
                key += &format!("{{{unnamed}}}");
                unnamed += 1;
            } else {
                key += &format!("{{{name}}}");
            }
        } else {
            key.push(letter);
            if letter == '{' || letter == '}' {
                key.extend(letters.next());
            }
        }
    }
    key
}
