//! REMINDERS: whether a player is reminded before deadlines. The player sets it by command, or
//! through the address that a mail program writes to when its user unsubscribes.

use base::secrets::same;
use engine::Seat;
use store::{Effect, Judged, Reason, SeatChange, Verdict};
use tongue::{mark, say};

use crate::context::Result;
use crate::verdict::answers::Answers;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Read, Row, Setting, Tools,
};

/// The command.
pub(super) const ROW: Row = Row {
    word: "REMINDERS",
    form: "REMINDERS off",
    help: mark!("or on: mails before a deadline"),
    read: |line| match line.rest() {
        [w] if w.eq_ignore_ascii_case("on") => Read::Command(Command::setting(Reminders(true))),
        [w] if w.eq_ignore_ascii_case("off") => Read::Command(Command::setting(Reminders(false))),
        _ => line.wrong(),
    },
};

/// Whether reminders are sent.
#[derive(Debug)]
struct Reminders(bool);

impl PlayerCommand for Reminders {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Reminders {
    fn act(&self, _: Tools, _: &Case, claim: &Claim) -> Result<Changed> {
        let note = match self.0 {
            true => say!("You are reminded before deadlines."),
            false => say!("You get no more reminders."),
        };
        Ok(Ok(Change::of_choices(claim, note, |all| all.reminders = self.0)))
    }
}

/// Handles a mail to the address that ends reminders: one click in a mail program.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn stop(tools: Tools, case: &Case, game: &str, seat: &str, secret: &str) -> Result<Judged> {
    let seat = Seat(seat.parse().unwrap_or(0));
    let game = tools.store.games().game(game)?.map(|g| g.code).unwrap_or_default();
    let row = tools.store.games().seat(&game, seat)?.unwrap_or_default();
    if !same(&tools.store.key().stop(&game, seat, row.epoch), &secret.to_lowercase()) {
        return Answers::new(tools).refused(case, Reason::WrongSecret);
    }
    let why = "reminders of this seat ended";
    let mut judged = case.judged(Verdict::Accepted, Reason::NoReminders, why);
    let quiet = SeatChange::choices(&row, |all| all.reminders = false);
    judged.effects.push(Effect::Seat(game.clone(), seat, quiet));
    judged.seat = Some((game, seat));
    Ok(judged)
}
