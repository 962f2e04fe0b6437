//! NAME: the name of a seat.

use store::SeatChange;
use tongue::{mark, say};

use crate::context::Result;
use crate::text::{NAME_MAX, name_fault, plain_name};
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Read, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "NAME",
    form: mark!("NAME text"),
    help: mark!("the name that your seat goes by"),
    read: |line| match line.rest().len() {
        0 => Read::Wrong,
        // A name of many words is a sentence, unless the command is in capitals.
        1 | 2 => Read::Command(Command::setting(Name(line.tail().to_owned()))),
        _ if line.in_capitals() => Read::Command(Command::setting(Name(line.tail().to_owned()))),
        _ => Read::No,
    },
};

/// The name as written.
#[derive(Debug)]
struct Name(String);

impl PlayerCommand for Name {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Name {
    fn act(&self, tools: Tools, _: &Case, claim: &Claim) -> Result<Changed> {
        let name = plain_name(&self.0);
        let seats = tools.store.games().seats(&claim.game.code)?;
        if let Some(fault) = name_fault(&name, Some(claim.seat.seat), &seats) {
            return Ok(Err(say!("{fault} Choose another one: NAME text. Yours was not changed.")));
        }
        let mut note = say!("Your seat goes by the name {name:?} now.");
        if name != self.0.trim() {
            let short = say!(
                "A name has {most} characters at most, and no quotation marks, angle brackets or @.",
                most = NAME_MAX
            );
            note = format!("{note} {short}");
        }
        Ok(Ok(Change::of_seat(claim, note, SeatChange::Name(name))))
    }
}
