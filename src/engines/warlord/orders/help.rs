//! The topics of HELP that a tech level knows.

use super::{ROWS, Row};
use crate::tables::{LevelRow, MessageRow, Tables};
use engine::Topic;
use tongue::{say, word};

/// One help topic for each order that a tech level knows, and one for the message codes.
pub fn help(tables: &Tables, tech: u8) -> Vec<Topic> {
    let topic = |row: &Row| {
        let forms = row.forms(tables, tech).into_iter().map(|form| word(form).into_owned());
        let forms = forms.reduce(|first, form| say!("{first} or {form}")).unwrap_or_default();
        Topic {
            word: row.order.word.to_owned(),
            title: format!("{}: {forms}", word(row.name)),
            text: sentences(row.sentences(tables, tech)),
            examples: row.shown(tables, tech),
        }
    };
    let known = ROWS.iter().filter(|row| row.is_known(tables, tech));
    let mut topics: Vec<Topic> = known.map(topic).collect();
    topics.extend(level_topics(tables, tech));
    let (codes, language) = (&tables.messages, messages_language());
    let code =
        |m: &MessageRow| format!("{} {} {}", m.code, m.takes, tables.sentence(m.code, &language));
    topics.push(Topic {
        word: "CODES".to_owned(),
        title: say!("Message codes"),
        text: say!("Codes for Y and --, with the kinds of their numbers: X number, S sector."),
        examples: codes.iter().map(code).collect(),
    });
    topics
}

/// One topic for each tech level that has been reached.
fn level_topics(tables: &Tables, tech: u8) -> Vec<Topic> {
    let topic = |level: &LevelRow| Topic {
        word: format!("LEVEL{}", level.tech),
        title: say!("Tech level {tech}", tech = level.tech),
        text: sentences(level.teaches.iter().map(String::as_str)),
        examples: level.orders.clone(),
    };
    tables.tech.level.iter().filter(|level| level.tech <= tech).map(topic).collect()
}

/// The language in which the senders of coded sentences read them: a code of
/// [`LANGUAGES`](crate::tables::LANGUAGES).
pub fn messages_language() -> String {
    say!(messages: "en")
}

/// Sentences in the reader's language, one after the other.
fn sentences<'a>(sentences: impl IntoIterator<Item = &'a str>) -> String {
    sentences.into_iter().map(word).collect::<Vec<_>>().join(" ")
}
