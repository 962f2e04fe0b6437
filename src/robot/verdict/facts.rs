//! Looks up what a question asks for among sentences: those of the player's printout, or of the
//! rulebook. A line of a list, a row of a table and a line of a card are a fact each.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use bm25::{EmbedderBuilder, Scorer, Tokenizer};
use engine::report::{Block, Section};
use serde::Deserialize;

use crate::lookup::{plain, rows_in_words};

/// Words of a question that are looked up, at most.
const WORDS_MAX: usize = 24;
/// Facts of a book or a printout that are looked through, at most.
const FACTS_MAX: usize = 4_000;

/// Words from the begin of a sentence in which its subject stands, at most.
const SUBJECT_WORDS: usize = 8;

/// The words of `config/speech/concepts.toml`.
#[derive(Deserialize)]
struct Concepts {
    rows: Vec<Vec<String>>,
    idle: Vec<String>,
}

/// By word, the name of its concept; and words that say nothing.
struct Words {
    concepts: BTreeMap<String, Vec<String>>,
    idle: BTreeSet<String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let text = include_str!("../../../config/speech/concepts.toml");
    let file: Concepts = engine::data::from_toml(text).expect("the embedded file is sound");
    let mut concepts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for row in file.rows {
        let name = format!("={}", row[0]);
        for word in row {
            concepts.entry(word).or_default().push(name.clone());
        }
    }
    Words { concepts, idle: file.idle.into_iter().collect() }
});

/// Words as they are compared: without plurals, with what they are other words for, and `unit 3`
/// as one word too.
#[derive(Default)]
struct Terms;

impl Tokenizer for Terms {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let words: Vec<String> = text
            .split(|c: char| !c.is_alphanumeric() && c != '.')
            .map(|w| w.trim_matches('.').to_lowercase())
            .filter(|w| !w.is_empty())
            .collect();
        let mut terms = Vec::new();
        for (at, word) in words.iter().enumerate() {
            let number = word.starts_with(|c: char| c.is_ascii_digit());
            if let Some(noun) = at.checked_sub(1).and_then(|at| words.get(at))
                && number
            {
                let nouns = WORDS.concepts.get(noun).cloned().unwrap_or_default();
                terms.extend(nouns.iter().map(|noun| format!("{noun} {word}")));
            }
            if WORDS.idle.contains(word) {
                continue;
            }
            terms.extend(WORDS.concepts.get(word).into_iter().flatten().cloned());
            terms.push(word.strip_suffix('s').filter(|w| w.len() > 2).unwrap_or(word).to_owned());
        }
        terms
    }
}

/// A sentence that may answer, with the heading above it.
struct Fact {
    heading: String,
    text: String,
}

/// The facts of sections, each with its heading.
pub(super) fn all<'s>(sections: impl IntoIterator<Item = &'s Section>) -> Vec<(String, String)> {
    facts(sections).into_iter().map(|fact| (fact.heading, fact.text)).collect()
}

/// Whether a text has a word, such as the code of a place.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | ','));
    words.map(|w| w.trim_matches(['.', ','])).any(|w| w.eq_ignore_ascii_case(word))
}

/// The facts of sections.
fn facts<'s>(sections: impl IntoIterator<Item = &'s Section>) -> Vec<Fact> {
    let mut all = Vec::new();
    for section in sections {
        let mut add = |text: String| {
            all.push(Fact { heading: section.heading.clone(), text });
        };
        for block in &section.blocks {
            match block {
                Block::Para(line) => add(plain(line)),
                Block::List(lines) => lines.iter().map(plain).for_each(&mut add),
                Block::Table(table) => rows_in_words(table).for_each(&mut add),
                Block::Card(lines) => lines.iter().cloned().for_each(&mut add),
                _ => {}
            }
        }
    }
    all.truncate(FACTS_MAX);
    all
}

/// The sentences of sections that tell of something best, with their headings: those that begin with
/// one of these words first, then those that have one.
pub(super) fn about(sections: &[Section], words: &[String], most: usize) -> Vec<(String, String)> {
    let mut found: Vec<(usize, usize, Fact)> = Vec::new();
    for fact in facts(sections) {
        let text = fact.text.to_lowercase();
        let parts = || text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | ',' | '-'));
        let parts = || parts().map(|w| w.trim_matches(['.', ',', '-'])).filter(|w| !w.is_empty());
        let at = words.iter().filter_map(|word| {
            let wanted: Vec<&str> = word.split_whitespace().collect();
            let all: Vec<&str> = parts().collect();
            all.windows(wanted.len().max(1)).position(|w| w == wanted)
        });
        if let Some(at) = at.min() {
            // What is told at the begin is what the sentence is about.
            found.push((at.min(SUBJECT_WORDS), found.len(), fact));
        }
    }
    found.sort_by_key(|(at, n, _)| (*at, *n));
    // What only mentions it tells little beside what is about it.
    if found.first().is_some_and(|(at, ..)| *at < SUBJECT_WORDS) {
        found.retain(|(at, ..)| *at < SUBJECT_WORDS);
    }
    found.into_iter().take(most).map(|(_, _, fact)| (fact.heading, fact.text)).collect()
}

/// The sentences of sections that answer a question best, with their headings, the best first.
pub(super) fn best(sections: &[Section], question: &str, most: usize) -> Vec<(String, String)> {
    let facts = facts(sections);
    let question: Vec<&str> = question.split_whitespace().take(WORDS_MAX).collect();
    let asked = Terms.tokenize(&question.join(" "));
    if asked.is_empty() || facts.is_empty() {
        return Vec::new();
    }
    let texts: Vec<String> = facts.iter().map(|f| format!("{} {}", f.heading, f.text)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let embedder = EmbedderBuilder::<u32, Terms>::with_tokenizer_and_fit_to_corpus(Terms, &texts);
    let embedder = embedder.build();
    let mut scorer = Scorer::<usize, u32>::new();
    for (n, text) in texts.iter().enumerate() {
        scorer.upsert(&n, embedder.embed(text));
    }
    let found = scorer.matches(&embedder.embed(&question.join(" ")));
    let told = found.into_iter().take(most).filter_map(|scored| facts.get(scored.id));
    told.map(|fact| (fact.heading.clone(), fact.text.clone())).collect()
}
