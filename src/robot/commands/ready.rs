//! READY and NOTREADY: whether a player is done with the open turn.

use store::{Reason, SeatChange, Status};
use tongue::{mark, say};

use crate::context::Result;
use crate::mailer::step_name;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Read, Row, Setting, Tools,
};

/// READY.
pub(super) const ROW: Row = Row {
    word: "READY",
    form: "READY",
    help: mark!("you are done; the turn runs when all are, if the game allows"),
    read: |line| line.alone(|| Command::setting(Ready(true))),
};

/// NOTREADY.
pub(super) const NOT_READY: Row = Row {
    word: "NOTREADY",
    form: "NOTREADY",
    help: mark!("takes READY back"),
    read: |line| line.alone(|| Command::setting(Ready(false))),
};

/// NOTREADY written as two words.
pub(super) const NOT: Row = Row {
    word: "NOT",
    form: NOT_READY.form,
    help: "",
    read: |line| match line.rest() {
        [word] if word.eq_ignore_ascii_case(ROW.word) => {
            Read::Command(Command::setting(Ready(false)))
        }
        _ => Read::No,
    },
};

/// Whether the player is done with the open turn.
#[derive(Debug)]
struct Ready(bool);

impl PlayerCommand for Ready {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Ready {
    fn reason(&self) -> (Reason, &'static str) {
        match self.0 {
            true => (Reason::Ready, mark!("you are ready")),
            false => (Reason::NotReady, mark!("you are not ready")),
        }
    }

    fn act(&self, _: Tools, _: &Case, claim: &Claim) -> Result<Changed> {
        let game = &claim.game;
        let label = step_name(&game.step.label);
        if game.status != Status::Running {
            return Ok(Err(say!("There is no open turn that you could be ready for.")));
        }
        if !game.step.awaits(claim.seat.seat) {
            return Ok(Ok(Change::none(say!(
                "Nothing of yours is awaited in {label}, so nobody waits for you to be ready."
            ))));
        }
        let turn = if self.0 { game.turn } else { 0 };
        let note = match (self.0, game.runs_early()) {
            (false, _) => say!("You are not ready any more."),
            (true, true) => say!(
                "You are ready for {label}. The game goes on as soon as all players it waits for \
                 are ready; a new card does not change that, but NOTREADY does."
            ),
            (true, false) => say!(
                "You are ready for {label}, and get no reminder. This game waits for its deadline."
            ),
        };
        Ok(Ok(Change::of_seat(claim, note, SeatChange::Ready(turn))))
    }
}
