//! How the orders of a game are said as sentences: a verb with roles, in any order of the words.
//!
//! A row is a line of a table: its verbs, its roles, and the order that it writes.
//!
//! - `@go` is a class of verbs of `config/speech/verbs.toml`, `-RUN` leaves one of a class out.
//! - A verb is a stem in capitals; `GREIF+AN` is one with a particle behind it or before it,
//!   `DECLARE_WAR` two words. The endings of both languages are known.
//! - A role is `prepositions:name=sort` with signs behind it: `units*`, `to|at:goal`,
//!   `from:from=place`. The sort is one of [`Names`]; without `=` it is the name.
//!   `*` takes several, one order for each; `+` several, joined by blanks; `&` steps of a way,
//!   joined without; `#` a count of things; `$` one order for each kind, its count in `{n}`; `%` an
//!   amount whose noun alone means all of it; `?` may be missing; `.` may be missing where the seat has
//!   only one; `~` an amount whose noun must be said; `!` has its preposition always; `^` something
//!   new comes of the thing, and `it` means that from then on.
//! - A word in quotes stands for itself: `'research|forschung'`; with `?` it may be missing.
//! - What is written may be several orders, parted by `;`, and `{new}` is the thing that comes of a
//!   role with `^`.
//! - The role `pair` takes two things. The role `times` repeats the order. A row that writes nothing is read and changes nothing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::names::Names;
use super::speech::{AGAINST, AT, Classes, FOR, FROM, IDLE, Meaning, OF, SPEECH, TO, WITH, folded};
use super::tokens::Token;
use crate::data::from_toml;

/// Verbs that mean the same in every game, by class.
static VERBS: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
    let text = include_str!("../../../config/speech/verbs.toml");
    let file: BTreeMap<String, String> = from_toml(text).expect("the embedded file is sound");
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
    file.into_iter().map(|(class, text)| (class, words(text))).collect()
});

/// A name that an example of an order gives.
pub(super) const NAME: &str = "Victory";

/// How several things in a role become orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fill {
    /// One thing.
    One,
    /// One order for each.
    Each,
    /// All in one order, with blanks between them.
    Words,
    /// Steps of a way, without blanks.
    Steps,
    /// One order for each kind, with its number in `{n}`.
    Tally,
}

/// What a role takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Takes {
    /// Things of a sort.
    Things(&'static str),
    /// One of these words.
    Literal(Vec<String>),
    /// The rest of the line.
    Text,
}

/// What a verb acts on, or how.
#[derive(Debug, Clone)]
pub(super) struct Role {
    pub name: &'static str,
    pub takes: Takes,
    /// Prepositions that may stand before it.
    pub before: Classes,
    pub fill: Fill,
    /// A number before a thing repeats it.
    pub counted: bool,
    /// The noun of an amount alone means all of it.
    pub whole: bool,
    pub optional: bool,
    /// The only thing of its sort need not be named.
    pub sole: bool,
    /// The noun of an amount must be said.
    pub noun: bool,
    /// It never stands without a preposition.
    pub strict: bool,
    /// Something new comes of it, and is what the next words mean.
    pub parted: bool,
}

/// A verb: its stem, word by word, and a particle that parts from it.
#[derive(Debug, Clone)]
struct Verb {
    words: Vec<String>,
    particle: Option<String>,
}

/// One way to say an order.
#[derive(Debug, Clone)]
pub struct Frame {
    verbs: Vec<Verb>,
    pub(super) roles: Vec<Role>,
    /// The order as a card writes it, with roles in braces.
    pub(super) writes: &'static str,
    /// Whether it may be said without a verb.
    pub(super) verbless: bool,
    /// Whether the order counts for one turn, so that it can't be meant `from now on`.
    pub(super) once: bool,
}

/// A row of a table of sentences; see the top of this file.
///
/// # Panics
/// A preposition or a class of verbs that is none.
pub fn frame(
    verbs: &str,
    roles: impl Into<Cow<'static, str>>,
    writes: impl Into<Cow<'static, str>>,
) -> Frame {
    // A table lives as long as the program.
    let kept = |text: Cow<'static, str>| match text {
        Cow::Borrowed(text) => text,
        Cow::Owned(text) => &*text.leak(),
    };
    let (roles, writes) = (kept(roles.into()), kept(writes.into()));
    let verb = |word: &str| {
        let (stem, particle) = match word.split_once('+') {
            Some((stem, particle)) => (stem, Some(folded(particle))),
            None => (word, None),
        };
        Verb { words: stem.split('_').map(folded).collect(), particle }
    };
    let own = verbs.split_whitespace().filter(|word| !word.starts_with(['@', '-']));
    let not: Vec<&str> = verbs.split_whitespace().filter_map(|w| w.strip_prefix('-')).collect();
    let classes = verbs.split_whitespace().filter_map(|word| word.strip_prefix('@'));
    let shared = classes.flat_map(|class| {
        let all = VERBS.get(class).unwrap_or_else(|| panic!("{class} is no class of verbs"));
        all.iter().map(String::as_str)
    });
    let mut seen = BTreeSet::new();
    let shared = shared.filter(|word| !not.contains(word));
    let all = own.chain(shared).filter(|word| seen.insert((*word).to_owned()));
    Frame {
        verbs: all.map(verb).collect(),
        roles: roles.split_whitespace().map(role).collect(),
        writes,
        verbless: false,
        once: false,
    }
}

/// A role of a row.
fn role(text: &'static str) -> Role {
    let (before, rest) = match text.split_once(':') {
        Some((before, rest)) => (before, rest),
        None => ("", text),
    };
    let class = |word: &str| match word {
        "to" => TO,
        "from" => FROM,
        "with" | "as" => WITH,
        "at" => AT,
        "for" => FOR,
        "of" => OF,
        "against" => AGAINST,
        "" => 0,
        word => panic!("{word} is no preposition"),
    };
    let before = before.split('|').map(class).fold(0, |all, class| all | class);
    let bare = rest.trim_end_matches(['*', '+', '&', '#', '?', '.', '~', '!', '^', '$', '%']);
    let signs = &rest[bare.len()..];
    let (name, takes) = match bare.strip_prefix('\'') {
        Some(words) => {
            let words = words.trim_end_matches('\'').split('|').map(folded);
            ("", Takes::Literal(words.collect()))
        }
        None if bare == "text" => (bare, Takes::Text),
        None => {
            let (name, sort) = bare.split_once('=').unwrap_or((bare, bare));
            (name, Takes::Things(sort))
        }
    };
    let fill = match () {
        () if signs.contains('*') => Fill::Each,
        () if signs.contains('+') => Fill::Words,
        () if signs.contains('&') => Fill::Steps,
        () if signs.contains('$') => Fill::Tally,
        () => Fill::One,
    };
    Role {
        name,
        takes,
        before,
        fill,
        counted: signs.contains(['#', '$']),
        whole: signs.contains('%'),
        optional: signs.contains('?'),
        parted: signs.contains('^'),
        sole: signs.contains('.'),
        noun: signs.contains('~'),
        strict: signs.contains('!'),
    }
}

impl Frame {
    /// The same row, which may be said without its verb.
    #[must_use]
    pub fn verbless(self) -> Self {
        Self { verbless: true, ..self }
    }

    /// The order as a card writes it, with roles in braces.
    pub fn writes(&self) -> &str {
        self.writes
    }

    /// The same row, whose order counts for one turn alone.
    #[must_use]
    pub fn once(self) -> Self {
        Self { once: true, ..self }
    }

    /// Its verbs in small letters, each with the particle that parts from it.
    pub(super) fn said_verbs(&self) -> impl Iterator<Item = (String, String)> {
        self.verbs.iter().map(|verb| {
            let particle = verb.particle.as_deref().unwrap_or_default();
            (verb.words.join(" ").to_lowercase(), particle.to_lowercase())
        })
    }

    /// Every word that its verbs have, in capitals.
    fn words(&self) -> impl Iterator<Item = &str> {
        self.verbs.iter().flat_map(|v| v.words.iter().chain(&v.particle)).map(String::as_str)
    }

    /// Every word that stands for itself.
    fn literals(&self) -> impl Iterator<Item = &str> {
        let words = self.roles.iter().filter_map(|role| match &role.takes {
            Takes::Literal(words) => Some(words),
            _ => None,
        });
        words.flatten().map(String::as_str)
    }
}

/// A verb in a line.
#[derive(Debug, Clone)]
pub(super) struct Hit {
    pub frame: usize,
    /// Tokens that it takes.
    pub len: usize,
    /// The particle that still has to come.
    pub needs: Option<String>,
}

/// What a game does with the orders of sentences where they stand in blocks, such as those of an
/// activated system.
#[derive(Debug, Clone, Copy)]
pub struct Blocks {
    /// The block that a line of a card opens.
    pub opens: fn(&str) -> Option<String>,
    /// Orders with the lines that open their blocks; the second is the block that is open above,
    /// and below afterwards.
    pub within: fn(&Names, Vec<String>, &mut Option<String>) -> Vec<String>,
}

/// Makes one of orders that go together: the first are those of the line above.
pub type Joins = fn(&[String], Vec<String>) -> Vec<String>;

/// The table of a game.
#[derive(Debug, Default)]
pub struct Frames {
    pub(super) all: Vec<Frame>,
    pub(super) blocks: Option<Blocks>,
    /// Makes one of orders that go together: those of the line above, if the line goes on with it,
    /// and those of the line.
    pub(super) joins: Option<Joins>,
    /// Words that are meant of all of their sentence, wherever they stand.
    pub(super) overall: &'static [&'static str],
    /// By the first word of a verb, its row and its place among the row's verbs.
    by_word: BTreeMap<String, Vec<(usize, usize)>>,
    /// Particles of all verbs.
    particles: Vec<String>,
}

impl Frames {
    /// A table of rows.
    pub fn new(all: Vec<Frame>) -> Self {
        let mut frames = Self::default();
        for (n, frame) in all.iter().enumerate() {
            for (place, verb) in frame.verbs.iter().enumerate() {
                frames.by_word.entry(verb.words[0].clone()).or_default().push((n, place));
                frames.particles.extend(verb.particle.clone());
            }
        }
        frames.particles.sort();
        frames.particles.dedup();
        Self { all, ..frames }
    }

    /// The same table, whose orders stand in blocks.
    #[must_use]
    pub fn in_blocks(self, blocks: Blocks) -> Self {
        Self { blocks: Some(blocks), ..self }
    }

    /// The same table, whose orders may be joined.
    #[must_use]
    pub fn joined(self, joins: Joins) -> Self {
        Self { joins: Some(joins), ..self }
    }

    /// The same table with words that are meant of all of their sentence, wherever they stand.
    #[must_use]
    pub fn overall(self, words: &'static [&'static str]) -> Self {
        Self { overall: words, ..self }
    }

    /// The table of a game that has none.
    pub fn none() -> &'static Self {
        static NONE: LazyLock<Frames> = LazyLock::new(Frames::default);
        &NONE
    }

    /// Whether a game has none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether some order may be said without a verb.
    pub(super) fn has_silent(&self) -> bool {
        self.all.iter().any(|frame| frame.verbless)
    }

    /// Every word of a verb and every word that stands for itself.
    pub(super) fn vocabulary(&self) -> impl Iterator<Item = &str> {
        self.all.iter().flat_map(|f| f.words().chain(f.literals()))
    }

    /// Whether a word, in capitals, is a verb.
    pub(super) fn is_verb(&self, word: &str) -> bool {
        let tokens = [Token::word(word)];
        !self.verbs_at(&tokens, 0).is_empty()
    }

    /// The verbs that begin at a token.
    pub(super) fn verbs_at(&self, tokens: &[Token], at: usize) -> Vec<Hit> {
        let key = &tokens[at].key;
        let mut hits = Vec::new();
        // `closest` is no form of `close`.
        if SPEECH.of(key).is_some_and(|m| m == Meaning::default()) {
            return hits;
        }
        for stem in stems(key) {
            for (frame, place) in self.by_word.get(&stem).into_iter().flatten() {
                let verb = &self.all[*frame].verbs[*place];
                // `take a look` is `TAKE_LOOK`.
                let mut end = at + 1;
                let more = verb.words[1..].iter().all(|word| {
                    let is = |token: &Token| stems(&token.key).contains(word);
                    while tokens.get(end).is_some_and(|t| !is(t) && t.is(IDLE)) {
                        end += 1;
                    }
                    end += 1;
                    tokens.get(end - 1).is_some_and(is)
                });
                if more {
                    let (len, needs) = (end - at, verb.particle.clone());
                    hits.push(Hit { frame: *frame, len, needs });
                }
            }
        }
        // `angreifen`, `anzugreifen`.
        for particle in &self.particles {
            let Some(rest) = key.strip_prefix(particle.as_str()).filter(|r| r.len() > 2) else {
                continue;
            };
            for stem in stems(rest).into_iter().chain(stems(rest.trim_start_matches("ZU"))) {
                for (frame, place) in self.by_word.get(&stem).into_iter().flatten() {
                    if self.all[*frame].verbs[*place].particle.as_ref() == Some(particle) {
                        hits.push(Hit { frame: *frame, len: 1, needs: None });
                    }
                }
            }
        }
        hits.sort_by(|a, b| (a.frame, &a.needs).cmp(&(b.frame, &b.needs)));
        hits.dedup_by(|a, b| (a.frame, a.len, &a.needs) == (b.frame, b.len, &b.needs));
        hits
    }
}

/// What a word may be the form of: itself, and itself without an ending.
fn stems(key: &str) -> Vec<String> {
    const LETTERS_MIN: usize = 2;
    let mut all = vec![key.to_owned()];
    // `flies`, `carried`.
    let stem = key.strip_suffix("IES").or_else(|| key.strip_suffix("IED"));
    all.extend(stem.map(|stem| format!("{stem}Y")));
    for end in &SPEECH.endings {
        let Some(stem) = key.strip_suffix(end.as_str()).filter(|s| s.len() >= LETTERS_MIN) else {
            continue;
        };
        all.push(stem.to_owned());
        if matches!(end.as_str(), "ING" | "ED") {
            all.push(format!("{stem}E"));
            // `stopping`.
            let letters: Vec<char> = stem.chars().collect();
            if let [.., a, b] = letters[..]
                && a == b
            {
                all.push(letters[..letters.len() - 1].iter().collect());
            }
        }
    }
    // `geschickt`, and with a particle before it `angegriffen`.
    if let Some(stem) = key.strip_prefix("GE").and_then(|k| k.strip_suffix('T'))
        && stem.len() > LETTERS_MIN
    {
        all.push(stem.to_owned());
    }
    all
}

/// Whether a role may be filled by the only thing of its sort.
pub(super) fn usual(role: &Role, names: &Names) -> Option<String> {
    match &role.takes {
        Takes::Things(sort) if role.sole => names.sole(sort),
        _ => None,
    }
}
