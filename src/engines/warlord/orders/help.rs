//! The topics of HELP that a tech level knows.

use super::{ROWS, Row};
use crate::tables::{LevelRow, Tables};
use engine::Topic;

/// One help topic for each order that a tech level knows, and one for the message codes.
pub fn help(tables: &Tables, tech: u8) -> Vec<Topic> {
    let topic = |row: &Row| Topic {
        word: row.letter.to_owned(),
        title: format!("{}: {}", row.name, row.forms(tables, tech).join(" or ")),
        text: row.explained(tables, tech),
        examples: row.shown(tables, tech),
    };
    let known = ROWS.iter().filter(|row| row.is_known(tables, tech));
    let mut topics: Vec<Topic> = known.map(topic).collect();
    topics.extend(level_topics(tables, tech));
    let codes = &tables.messages;
    topics.push(Topic {
        word: "CODES".to_owned(),
        title: "Message codes".to_owned(),
        text: "Codes for Y and --, with the kinds of their numbers: X number, S sector.".to_owned(),
        examples: codes.iter().map(|m| format!("{} {} {}", m.code, m.takes, m.says)).collect(),
    });
    topics
}

/// A topic for each tech level that has been reached.
fn level_topics(tables: &Tables, tech: u8) -> Vec<Topic> {
    let topic = |level: &LevelRow| Topic {
        word: format!("LEVEL{}", level.tech),
        title: format!("Tech level {}", level.tech),
        text: level.teaches.join(" "),
        examples: level.orders.clone(),
    };
    tables.tech.level.iter().filter(|level| level.tech <= tech).map(topic).collect()
}
