//! The game master's commands: their list, reading them and carrying them out. In a mail they
//! follow `GM`, in a shell `fieldpost gm`; on the dashboard they go into the field under Acts. A
//! new command works in all three places.

use crate::card::command::command_list;
use crate::context::{Result, RobotError, refuse};
use crate::gm::{self, Asked, By, Gm, GmQuery, Row, Words};
use crate::quarantine;

/// The commands, each written after `GM`. A new one needs its file and its line here.
pub const ROWS: &[Row] = &[
    HELP,
    gm::status::ROW,
    gm::deadline::ROW,
    gm::hold::ROW,
    gm::release::ROW,
    gm::run::ROW,
    gm::undo::ROW,
    gm::status::ACTS,
    gm::seat::ROW,
    gm::tell::ROW,
    gm::credit::ROW,
    gm::set::ROW,
    quarantine::ROW,
];

const HELP: Row =
    Row { word: "HELP", form: "GM HELP", help: "this list", read: |words| words.query(Help) };

/// Asks for the list.
#[derive(Debug)]
struct Help;

impl GmQuery for Help {
    fn answer(&self, _: &Gm) -> Result<String> {
        let rows = ROWS.iter().map(|r| (r.word, r.form, r.help));
        Ok(format!(
            "Commands of the game master: by mail as the first line of an answer to a mail of the \
             robot, in a shell behind \"fieldpost\", on the dashboard under Acts:\n\n{}",
            command_list(rows)
        ))
    }
}

/// Carries out what follows `GM` in a mail, and returns the answer.
///
/// # Errors
/// [`RobotError::Refused`] says what is wrong and shows the right form; the caller takes back what
/// was done before it.
pub fn carry_out(gm: &Gm, said: &str) -> Result<String> {
    match read(said)? {
        (_, Asked::Action(action, then)) => {
            let said = gm.act(By::Mail, action.as_ref())?;
            match then {
                Some(query) => Ok(format!("{said} {}", query.answer(gm)?)),
                None => Ok(said),
            }
        }
        (_, Asked::Query(query)) => query.answer(gm),
        (row, Asked::Wrong) => wrong(row),
    }
}

/// Refuses words that do not have the form of their command.
///
/// # Errors
/// Always [`RobotError::Refused`], which shows the form.
pub fn wrong<T>(row: &Row) -> Result<T> {
    Err(RobotError::Refused(format!("the form is {}", row.form)))
}

/// Reads what follows `GM`: the command, and what it asks for.
///
/// # Errors
/// [`RobotError::Refused`] when there is no such command; it shows the nearest.
pub fn read(said: &str) -> Result<(&'static Row, Asked)> {
    let line = said.lines().next().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().collect();
    let more: Vec<&str> = said.lines().skip(1).collect();
    let word = words.first().map(|w| w.to_uppercase()).unwrap_or_default();
    let row = match word.as_str() {
        "" => &HELP,
        word => row(word)?,
    };
    let words = Words::new(words.get(1..).unwrap_or_default(), more.join("\n"));
    Ok((row, (row.read)(&words)?))
}

/// The row of a word.
fn row(word: &str) -> Result<&'static Row> {
    if let Some(row) = ROWS.iter().find(|r| r.word == word) {
        return Ok(row);
    }
    let near = ROWS.iter().min_by_key(|r| strsim::osa_distance(r.word, word));
    let near = near.map_or("GM HELP", |r| r.form);
    refuse(format!("there is no command GM {word}; did you mean {near}?"))
}
