//! FORMAT: the formats in which a player gets printouts.

use base::terms;
use tongue::{mark, say};

use crate::context::Result;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Read, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "FORMAT",
    form: "FORMAT both pdf",
    help: mark!("or text; desk nodesk, pdf a4 letter nopdf, json nojson, ics noics, words nowords"),
    read: |line| {
        let plain = |w: &&str| w.trim_end_matches(',').to_owned();
        let words: Vec<String> = line.rest().iter().map(plain).collect();
        match (words.is_empty(), terms::Format::default().with(&words)) {
            (false, Ok(_)) => Read::Command(Command::setting(Format(words))),
            _ => line.wrong(),
        }
    },
};

/// The words that choose the formats.
#[derive(Debug)]
struct Format(Vec<String>);

impl PlayerCommand for Format {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Format {
    fn act(&self, _: Tools, _: &Case, claim: &Claim) -> Result<Changed> {
        Ok(match claim.seat.choices.format.with(&self.0) {
            Ok(format) => {
                let forms = format.describe();
                let note = say!("Printouts come as {forms} from the next one on.");
                Ok(Change::of_choices(claim, note, |all| all.format = format))
            }
            Err(word) => {
                Err(say!("FORMAT knows no {word:?}; the form of your printouts was not changed."))
            }
        })
    }
}
