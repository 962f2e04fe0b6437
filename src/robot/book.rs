//! The rulebook of a game on paper: its chapters, a picture of how a game looks, an index.

use std::collections::BTreeSet;

use engine::report::{Block, Section};
use engine::{Dice, Engine, Match, Seat, Setup, Turns};
use render::pdf::Paper;
use render::raster::PictureError;
use render::{Document, Head, Marks, pdf, pictures};
use tongue::say;

/// A rulebook that is to be printed.
#[derive(Debug, Clone)]
pub struct Book {
    /// Its chapters.
    pub document: Document,
    /// What the index lists.
    pub terms: Vec<String>,
}

/// The fewest letters that a word of a chapter's title needs to be in the index.
const TITLE_WORD: usize = 5;
/// The fewest and the most characters of a term in the index.
const TERM: std::ops::RangeInclusive<usize> = 3..=30;

impl Book {
    /// The rulebook of an engine, with the chapters that a reader may read. Its picture shows the
    /// start of another game of the same rules, so that it reveals nothing of this game.
    pub fn new(
        engine: &dyn Engine,
        game: &str,
        mut chapters: Vec<Section>,
        open: &dyn Match,
    ) -> Self {
        let terms = terms(&chapters, open);
        chapters.extend(example(engine));
        let head = Head {
            game: game.to_owned(),
            engine: engine.title().to_owned(),
            turn: 0,
            turns: Turns::default(),
            label: say!("The rules of game {game}, with its figures"),
            seat: Seat(0),
            name: String::new(),
            title: String::new(),
            deadline: None,
            due: String::new(),
            seed_before: None,
            seed_digest: None,
            seed_chain: Vec::new(),
            credit: None,
            over: false,
        };
        let marks = Marks { marker: String::new(), card_frame: [String::new(), String::new()] };
        let document = Document::new(head, marks, Vec::new(), chapters).without_words();
        Self { document, terms }
    }

    /// The book as a PDF.
    ///
    /// # Errors
    /// [`PictureError`] when a picture or the file can't be made.
    pub fn pdf(&self, paper: Paper) -> Result<Vec<u8>, PictureError> {
        pdf::book(&self.document, &self.terms, &pictures(&self.document), paper)
    }
}

/// The terms of the index: the topics of HELP, the words of titles, and the first two columns of
/// tables.
fn terms(chapters: &[Section], open: &dyn Match) -> Vec<String> {
    let tables = chapters.iter().flat_map(|s| &s.blocks).filter_map(|b| match b {
        Block::Table(table) => Some(table),
        _ => None,
    });
    let named = tables.flat_map(|t| t.rows.iter().flat_map(|row| row.iter().take(2).cloned()));
    // A topic of HELP is the letter of an order, or a word.
    let asked = open.help(Seat(1)).into_iter().map(|topic| topic.word.to_lowercase());
    // Chapters are found by the words of their titles.
    let titles = chapters.iter().flat_map(|s| s.heading.split(|c: char| !c.is_alphabetic()));
    let titles = titles.filter(|w| w.chars().count() >= TITLE_WORD).map(str::to_lowercase);
    let good = |term: &String| {
        TERM.contains(&term.chars().count())
            && term.chars().all(|c| c.is_alphabetic() || c == ' ' || c == '-')
    };
    let all: BTreeSet<(String, String)> = named
        .chain(asked)
        .chain(titles)
        .map(|term| term.trim().to_owned())
        .filter(good)
        .map(|term| (term.to_lowercase(), term))
        .collect();
    let mut all: Vec<(String, String)> = all.into_iter().collect();
    all.dedup_by(|a, b| a.0 == b.0);
    all.into_iter().map(|(_, term)| term).collect()
}

/// The maps of a first printout of another game of the same rules.
fn example(engine: &dyn Engine) -> Option<Section> {
    let practice = engine.practice();
    let data = engine.data().iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let setup = Setup { seats: practice.seats, options: practice.options, data: data.collect() };
    let saved = engine.new_game(&setup, &mut Dice::new(EXAMPLE_SEED)).ok()?;
    let report = engine.open(&saved).ok()?.report(Seat(1), "en")?;
    let maps = report.sections.into_iter().flat_map(|s| s.blocks);
    let maps = maps.filter(|b| matches!(b, Block::Map(_))).take(EXAMPLE_MAPS);
    let mut blocks: Vec<Block> = maps.collect();
    if blocks.is_empty() {
        return None;
    }
    let words = say!(
        "What seat 1 sees in the first printout of another game of these rules, with what the \
         signs mean."
    );
    blocks.insert(0, Block::Para(words.into()));
    Some(Section { heading: say!("How a game looks"), blocks })
}

/// The seed of the example.
const EXAMPLE_SEED: u64 = 1;
/// Maps of the example, at most.
const EXAMPLE_MAPS: usize = 2;
