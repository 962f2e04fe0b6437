//! Whether a headline agrees with the body of its printout.
//!
//! A game lists every kind of sentence that its headlines have, each with the words of the body
//! that say the same. Every sentence of every printout that is checked here must fit a kind, and
//! its body must have those words; in the end every kind must have been seen.
//!
//! In a pattern `{name}` is any text, the same in headline and body; `{names*}` is a list such
//! as "Ambry, Bell and 2 more cities", of which the body has to tell each; `*` is any text. Of a
//! name such as "Norway (NO)" in a list the body has the code.

use std::collections::{BTreeMap, BTreeSet};

use engine::Report;
use engine::report::{Block, Force, Line, Span};

/// A kind of sentence, and words of the body that say the same; the body must have one of them.
pub struct Kind(pub &'static str, pub &'static [&'static str]);

/// Texts by the names of their gaps.
type Texts = BTreeMap<String, String>;

/// The checks so far.
pub struct Court {
    kinds: &'static [Kind],
    seen: BTreeSet<&'static str>,
    /// The first disagreement of each kind.
    faults: BTreeMap<String, String>,
}

impl Court {
    pub fn new(kinds: &'static [Kind]) -> Self {
        Self { kinds, seen: BTreeSet::new(), faults: BTreeMap::new() }
    }

    /// Compares a headline with its body; `whose` is named where they disagree.
    pub fn hold(&mut self, headline: &[Line], body: &[String], whose: &str) {
        for sentence in headline.iter().map(flat) {
            let fits = |kind: &Kind| fit(kind.0, &sentence).map(|texts| (kind.0, kind.1, texts));
            let Some((head, wanted, texts)) = self.kinds.iter().find_map(fits) else {
                self.faults
                    .insert(sentence.clone(), format!("{whose}: no kind of sentence: {sentence}"));
                continue;
            };
            self.seen.insert(head);
            if let Err(fault) = told(wanted, &texts, body) {
                let fault = format!("{whose}: {sentence}\n  {fault}, by\n  {}", body.join("\n  "));
                self.faults.entry(head.to_owned()).or_insert(fault);
            }
        }
    }

    /// Asserts that every kind of sentence was seen, and agreed with its body.
    pub fn close(&self) {
        let faults: Vec<&str> = self.faults.values().map(String::as_str).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        let unseen = self.kinds.iter().map(|k| k.0).filter(|head| !self.seen.contains(head));
        assert_eq!(unseen.collect::<Vec<_>>(), Vec::<&str>::new(), "never said");
    }
}

/// Whether a body has a sentence.
fn told(wanted: &[&str], texts: &Texts, body: &[String]) -> Result<(), String> {
    if wanted.is_empty() {
        return Ok(());
    }
    let is_told = |texts: &Texts| {
        let wanted: Vec<String> = wanted.iter().map(|p| filled(p, texts)).collect();
        let found: BTreeSet<&String> =
            body.iter().filter(|line| wanted.iter().any(|w| has(w, line))).collect();
        // One line may name several things, as the headline does.
        let several = |line: &&String| 1 + line.matches([',', ';']).count();
        (found.iter().map(several).sum::<usize>(), wanted)
    };
    let Some((list, names)) = texts.iter().find(|(name, _)| name.ends_with('*')) else {
        let (n, wanted) = is_told(texts);
        return if n > 0 { Ok(()) } else { Err(format!("nowhere {wanted:?}")) };
    };
    let (names, more) = listed(names);
    for name in &names {
        let mut texts = texts.clone();
        texts.insert(list.clone(), name.clone());
        let (n, wanted) = is_told(&texts);
        if n == 0 {
            return Err(format!("nowhere {wanted:?}"));
        }
    }
    let mut texts = texts.clone();
    texts.insert(list.clone(), "*".to_owned());
    let (n, _) = is_told(&texts);
    match more {
        0 => Ok(()),
        more if n >= names.len() + more => Ok(()),
        more => Err(format!("{n} instead of {} and {more} more", names.len())),
    }
}

/// Whether a line fits a pattern without gaps, in which `*` is any text.
fn has(pattern: &str, line: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return pattern == line };
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// A pattern with its gaps filled.
fn filled(pattern: &str, texts: &Texts) -> String {
    let mut all = pattern.to_owned();
    for (name, text) in texts {
        all = all.replace(&format!("{{{name}}}"), text);
    }
    all
}

/// "Ambry, Bell and 2 more cities" as its names, or their codes, and how many more there are.
fn listed(text: &str) -> (Vec<String>, usize) {
    let (first, last) = text.rsplit_once(" and ").unwrap_or(("", text));
    let more = last.split_once(" more ").and_then(|(n, _)| n.parse().ok());
    let codes: Vec<String> = text.split('(').skip(1).filter_map(code).collect();
    if !codes.is_empty() {
        return (codes, more.unwrap_or(0));
    }
    let names = first.split(", ").filter(|n| !n.is_empty());
    let last = more.is_none().then_some(last);
    (names.chain(last).map(str::to_owned).collect(), more.unwrap_or(0))
}

/// The code before the next bracket, if it is a code and not a name.
fn code(text: &str) -> Option<String> {
    let (code, _) = text.split_once(')')?;
    let fits = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || ".-".contains(c);
    code.chars().all(fits).then(|| code.to_owned())
}

/// The texts of the gaps of a pattern, if a text fits it.
pub fn fit(pattern: &str, text: &str) -> Option<Texts> {
    let Some(start) = pattern.find(['{', '*']) else {
        return (pattern == text).then(Texts::new);
    };
    let rest = text.strip_prefix(&pattern[..start])?;
    let gap = &pattern[start..];
    let (name, after) = match gap.strip_prefix('{').and_then(|g| g.split_once('}')) {
        Some((name, after)) => (name, after),
        None => ("", &gap[1..]),
    };
    let ends = rest.char_indices().map(|(n, _)| n).chain([rest.len()]);
    ends.into_iter().find_map(|end| {
        let mut texts = fit(after, &rest[end..])?;
        let told = rest[..end].to_owned();
        match texts.get(name) {
            Some(other) if !name.is_empty() && *other != told => None,
            _ => {
                texts.insert(name.to_owned(), told);
                Some(texts)
            }
        }
    })
}

/// The lines of a printout: a battle is one, and so is the row of a table.
pub fn lines(report: &Report) -> Vec<String> {
    let blocks = report.sections.iter().flat_map(|s| &s.blocks);
    blocks.flat_map(block).map(|line| line.replace('\u{a0}', " ")).collect()
}

fn block(block: &Block) -> Vec<String> {
    let force = |f: &Force| {
        let numbers =
            f.numbers.map_or(String::new(), |(before, after)| format!(" {before} -> {after}"));
        format!("{}:{numbers} {} {}", f.who, f.forces, f.odds)
    };
    match block {
        Block::Para(line) => vec![flat(line)],
        Block::List(lines) => lines.iter().map(flat).collect(),
        Block::Table(table) => table.rows.iter().map(|row| row.join(" | ")).collect(),
        Block::Battles(battles) => {
            let sides = |b: &engine::report::Battle| b.sides.iter().map(force).collect::<Vec<_>>();
            let line = |b: &engine::report::Battle| {
                format!("{} || {} || {}", b.title(), sides(b).join(" || "), b.result)
            };
            battles.iter().map(line).collect()
        }
        _ => Vec::new(),
    }
}

/// A line as plain text.
pub fn flat(line: &Line) -> String {
    let span = |s: &Span| match s {
        Span::Plain(text) | Span::Chosen(text) => text.clone(),
        Span::Player(seat) => format!("seat {seat}"),
        other => format!("{other:?}"),
    };
    line.0.iter().map(span).collect::<String>().replace('\u{a0}', " ")
}
