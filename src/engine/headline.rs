//! The beginning of a printout: a few sentences, the most important first, and what needs orders.
//!
//! An engine puts the events into a [`Draft`], as sentences with their [`Weight`]. The draft sorts
//! them and fills up with sentences about the current position, so that there are always three to
//! seven. A sentence has actor, verb, object, place with name and code, and number. Similar ones
//! are joined ([`some`]), and dice are never mentioned. It begins with a word in upper case, never
//! with the form of an order, and no part of it can begin a wrapped line that reads as an order
//! ([`crate::report::bound`]).

use tongue::{say, word};

use crate::report::{Gap, Line, Span, bound};

/// The fewest sentences of a headline.
pub const FEWEST: usize = 3;
/// The most sentences of a headline.
pub const MOST: usize = 7;
/// The most lines about what needs orders.
pub const NEEDS_MOST: usize = 3;

/// How much a sentence matters to its reader, the most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// The game is over, or the reader is out of it.
    End,
    /// A city, country, board or planet of the reader's is lost.
    OwnLoss,
    /// Forces of the reader's are destroyed.
    OwnForces,
    /// Something is gained.
    OwnGain,
    /// A battle is won, or an attack beaten off.
    Won,
    /// Another player is met, or asks something of the reader.
    Contact,
    /// An ally or a rival has fallen, or is about to win.
    Others,
    /// Research, money, ruins.
    Progress,
}

/// The first words of a seat's printout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Headline {
    /// Three to seven sentences; none if the engine has no headlines.
    pub sentences: Vec<Line>,
    /// How many of them, from the first, say what happened; the others describe the current
    /// position.
    pub told: usize,
    /// What needs orders now; empty when nothing does.
    pub needs: Vec<Line>,
}

impl Headline {
    /// The first sentences that say what happened, for a diary.
    pub fn news(&self, most: usize) -> &[Line] {
        &self.sentences[..self.told.min(most).min(self.sentences.len())]
    }
}

/// Sentences in the order in which they were added, with their weights.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    told: Vec<(Weight, Line)>,
}

impl Draft {
    /// Adds a sentence.
    pub fn add(&mut self, weight: Weight, sentence: impl Into<Line>) {
        self.told.push((weight, sentence.into()));
    }

    /// The sentences without their weights, the weightiest first; sentences of one weight keep
    /// their order.
    pub fn sentences(mut self) -> Vec<Line> {
        self.told.sort_by_key(|(weight, _)| *weight);
        let mut sentences: Vec<Line> = self.told.into_iter().map(|(_, line)| line).collect();
        sentences.iter_mut().for_each(bind);
        sentences
    }

    /// The headline: what happened, then as many of `standing` as complete it. The first of
    /// `standing`, which says how the reader stands, is left out only where there is no room.
    pub fn finish(self, standing: Vec<Line>, mut needs: Vec<Line>) -> Headline {
        let mut sentences = self.sentences();
        sentences.truncate(MOST);
        let told = sentences.len();
        let fill = FEWEST.saturating_sub(told).max(1).min(MOST - told);
        sentences.extend(standing.into_iter().take(fill));
        needs.truncate(NEEDS_MOST);
        sentences.iter_mut().chain(&mut needs).for_each(bind);
        Headline { sentences, told, needs }
    }
}

fn bind(line: &mut Line) {
    for span in &mut line.0 {
        if let Span::Plain(text) = span {
            *text = bound(text);
        }
    }
}

/// Names for a sentence, of many only the first two: `Ambry`, `Ambry and Bell`, `Ambry, Bell and 2
/// more cities`. `more` is the plural of the things named, a word of the translated files.
pub fn some(names: &[String], more: &str) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [one, two] => say!("{one} and {two}"),
        [one, two, three] => say!("{one}, {two} and {three}"),
        [one, two, rest @ ..] => {
            say!("{one}, {two} and {n} more {more}", n = rest.len(), more = word(more))
        }
    }
}

/// `1 city`, `3 cities`.
pub fn counted(n: impl Into<i64>, one: &str, many: &str) -> String {
    match n.into() {
        1 => format!("1 {one}"),
        n => format!("{n} {many}"),
    }
}

/// The list of [`some`] for names with spans of their own, such as a name that a player chose.
pub fn some_spans(names: Vec<Vec<Span>>, more: &str) -> Vec<Span> {
    let gaps: Vec<String> = (0..names.len().min(4)).map(|n| Gap(n as u8).to_string()).collect();
    let text = match gaps.len() {
        0..=3 => some(&gaps, more),
        _ => {
            let (one, two, n) = (Gap(0), Gap(1), names.len() - 2);
            say!("{one}, {two} and {n} more {more}", more = word(more))
        }
    };
    if names.is_empty() { Vec::new() } else { Line::filled_with(&text, names).0 }
}

/// Words of the engine.
pub fn words(text: impl Into<String>) -> Span {
    Span::Plain(text.into())
}

/// A sentence of several parts, such as words and names.
pub fn sentence(parts: impl IntoIterator<Item = Vec<Span>>) -> Line {
    Line(parts.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[Line]) -> Vec<String> {
        let text = |l: &Line| match &l.0[..] {
            [Span::Plain(text)] => text.clone(),
            other => format!("{other:?}"),
        };
        lines.iter().map(text).collect()
    }

    fn standing() -> Vec<Line> {
        ["You hold 3 cities.", "Your rank is 2 of 8.", "Nothing else is new."]
            .map(Line::from)
            .to_vec()
    }

    #[test]
    fn the_own_loss_comes_first_whatever_was_said_first() {
        let mut draft = Draft::default();
        draft.add(Weight::Progress, "Your tech level is 4.");
        draft.add(Weight::Won, "You won at Bell.");
        draft.add(Weight::OwnLoss, "You lost Ambry.");
        let headline = draft.finish(standing(), Vec::new());
        let want = [
            "You lost Ambry.",
            "You won at Bell.",
            "Your tech level\u{a0}is\u{a0}4.",
            "You hold 3 cities.",
        ];
        assert_eq!(texts(&headline.sentences), want);
        assert_eq!(texts(headline.news(2)), want[..2]);
    }

    #[test]
    fn three_sentences_at_least_and_seven_at_most() {
        let quiet = Draft::default().finish(standing(), Vec::new());
        assert_eq!((quiet.sentences.len(), quiet.told), (3, 0));
        assert!(quiet.news(2).is_empty());
        let mut wild = Draft::default();
        (0..20).for_each(|n| wild.add(Weight::Won, format!("Battle {n} is won.")));
        let needs = (0..9).map(|n| Line::from(format!("Need {n}."))).collect();
        let wild = wild.finish(standing(), needs);
        assert_eq!((wild.sentences.len(), wild.told, wild.needs.len()), (7, 7, 3));
        assert_eq!(texts(&wild.sentences)[0], "Battle 0 is won.");
    }

    #[test]
    fn many_names_are_counted() {
        let names: Vec<String> = ["Ambry", "Bell", "Corn", "Dell"].map(str::to_owned).to_vec();
        assert_eq!(some(&names[..1], "cities"), "Ambry");
        assert_eq!(some(&names[..2], "cities"), "Ambry and Bell");
        assert_eq!(some(&names[..3], "cities"), "Ambry, Bell and Corn");
        assert_eq!(some(&names, "cities"), "Ambry, Bell and 2 more cities");
        assert_eq!(counted(1, "city", "cities"), "1 city");
        for n in 1..=4 {
            let spans = names[..n].iter().map(|name| vec![words(name.clone())]).collect();
            let line = sentence([some_spans(spans, "cities")]);
            let text: String = line
                .0
                .iter()
                .map(|s| match s {
                    Span::Plain(text) => text.as_str(),
                    _ => "",
                })
                .collect();
            assert_eq!(text, some(&names[..n], "cities"));
        }
    }
}
