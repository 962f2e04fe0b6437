//! ZONE: the time zone in which a player reads dates.

use base::schedule;
use store::SeatChange;
use tongue::{mark, say};

use crate::context::Result;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "ZONE",
    form: "ZONE Europe/London",
    help: mark!("the time zone of your dates"),
    read: |line| line.with_one(|name| Command::setting(Zone(name.to_owned()))),
};

/// The name of the zone, as written.
#[derive(Debug)]
struct Zone(String);

impl PlayerCommand for Zone {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Zone {
    fn act(&self, _: Tools, case: &Case, claim: &Claim) -> Result<Changed> {
        let name = &self.0;
        if let Err(e) = schedule::zone(name) {
            return Ok(Err(say!("{e}. Your zone was not changed.")));
        }
        let now = schedule::local(case.now, name);
        let note = say!("Your dates are shown in {name} from now on; it is {now} there.");
        Ok(Ok(Change::of_seat(claim, note, SeatChange::Zone(name.clone()))))
    }
}
