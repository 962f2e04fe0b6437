//! UNDO: takes back the last turns of a game, or an act by its number in the record.

use base::schedule;
use base::text::capital;
use engine::{Seat, Turn};
use jiff::Timestamp;
use store::{ActRow, Game, SeatChange, SeatRow, Status, Verdict};
use tongue::say;

use super::back::Back;
use super::withdraw::Withdraw;
use super::{Done, Gm, GmAction, Row};
use crate::context::{Result, RobotError, refuse};

/// The command by mail: `UNDO W7` takes back the last turn of a game, `UNDO ACT 17` an act by its
/// number.
pub(crate) const ROW: Row = Row {
    word: "UNDO",
    form: "GM UNDO W7 [TO 12]",
    help: "takes the last turn back, before anyone has answered it, or all from a turn on",
    read: |words| match words.rest() {
        [what, id] if what.eq_ignore_ascii_case("act") => match id.parse() {
            Ok(act) => words.action(Undo { act }),
            Err(_) => words.wrong(),
        },
        [game] => words.action(Withdraw { game: game.to_string(), to: None }),
        [game, to, turn] if to.eq_ignore_ascii_case("to") => match turn.parse() {
            Ok(turn) => words.action(Withdraw { game: game.to_string(), to: Some(turn) }),
            Err(_) => words.wrong(),
        },
        _ => words.wrong(),
    },
};

/// Undoes an earlier action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undo {
    /// The number of the act in the record.
    pub act: i64,
}

impl GmAction for Undo {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let id = self.act;
        let Some(row) = gm.tx.act(id)? else {
            return refuse("there is no such act; \"fieldpost act list\" or GM ACTS shows them");
        };
        if let Some(by) = row.undone_by {
            return refuse(format!("act {id} was undone already, by act {by}"));
        }
        if row.back.is_empty() {
            return refuse(format!("act {id} ({}) can't be undone: {}", row.kind, row.what));
        }
        let later = gm.tx.acts(row.game.as_deref(), 1000)?.into_iter().find(|later| {
            later.id > id
                && later.kind == row.kind
                && later.can_be_undone()
                && overlaps(&row, later)
        });
        if let Some(later) = later {
            return refuse(format!(
                "act {} ({}) came after it; undo that first",
                later.id, later.what
            ));
        }
        let back: Back = serde_json::from_str(&row.back)
            .map_err(|e| store::StoreError::Corrupt(e.to_string()))?;
        // If a turn was run or taken back, undoing that can be undone as well.
        let (said, back) = match (&row.game, back) {
            (Some(code), back) => {
                let game = gm.games().game(code)?;
                match back {
                    Back::Withdraw { turn } if turn + 1 == game.turn => {
                        let done = Withdraw { game: code.clone(), to: None }.apply(gm)?;
                        (done.said, done.back)
                    }
                    Back::RunAgain { turn, deadline } if turn == game.turn => {
                        (gm.run_again(&game, deadline)?, Some(Back::Withdraw { turn }))
                    }
                    back => (gm.take_back(&game, back, &row)?, None),
                }
            }
            (None, back) => (gm.take_back_of_host(back)?, None),
        };
        let what = format!("act {id} undone: {}", row.what);
        Ok(Done { game: row.game, kind: "undo", what, back, said })
    }

    fn undoes(&self) -> Option<i64> {
        Some(self.act)
    }
}

impl Gm<'_> {
    fn take_back(&self, game: &Game, back: Back, act: &ActRow) -> Result<String> {
        let (code, id) = (game.code.clone(), act.id);
        match back {
            Back::Go { why, turn } => {
                let same =
                    game.suspended_why == why && game.turn == turn && game.deadline.is_some();
                if !same || !self.tx.release(&code)? {
                    return refuse(format!(
                        "game {code} is not suspended for that any more; see \"game show {code}\""
                    ));
                }
                Ok(format!("Game {code} goes on as if it had not been suspended."))
            }
            Back::Hold { why, turn, had_deadline } => {
                if game.turn != turn || !self.tx.suspend(&code, &why)? {
                    return refuse(format!("game {code} has gone on since; hold it anew"));
                }
                if !had_deadline {
                    self.tx.set_deadline(&code, None)?;
                }
                self.tell_of_undo(game, id)?;
                Ok(format!("Game {code} is suspended again; all players are told."))
            }
            Back::Deadline { turn, set, at } if game.deadline == Some(set) || game.turn != turn => {
                self.deadline_back(game, turn, at)
            }
            Back::Deadline { .. } => refuse("the deadline was moved again since"),
            Back::Withdraw { turn } | Back::RunAgain { turn, .. } => refuse(format!(
                "game {code} ran more since {}; it is at {}",
                self.tx.steps().step_label(&code, turn)?,
                game.step.label
            )),
            Back::Made => match self.tx.unmake_game(&code)? {
                true => Ok(format!("Game {code} is gone; it had no seats.")),
                false => refuse(format!(
                    "game {code} has seats, or somebody waits for one, or it has started; it stays"
                )),
            },
            Back::Seat { seat, before: Some(before), .. }
                if (before.game.as_str(), before.seat) != (&*code, seat) =>
            {
                refuse("what was kept of the seat is not whole; give it anew")
            }
            Back::Seat { seat, before, now } => self.seat_back(game, seat, before, &now, act),
            Back::Told { ids } => match self.tx.withdraw(&ids)? {
                0 => refuse("the mails are on their way already; tell the players otherwise"),
                n if n == ids.len() => Ok("The mails had not left yet; they are withdrawn.".into()),
                n => {
                    Ok(format!("{n} of {} mails had not left yet; those are withdrawn.", ids.len()))
                }
            },
            Back::Set { name, value } => {
                // Older versions stored texts with their quotation marks.
                let value = value.trim_matches('"');
                self.set_term(&code, &name, value)?;
                Ok(format!("{name}={value} again in game {code}."))
            }
            Back::Credit { seat, amount } => {
                let why = format!("act {id} undone");
                let left = self.add_credit(&code, seat, -amount, &why)?;
                Ok(format!("Seat {seat} of game {code} has {left} credits."))
            }
            Back::Discarded { .. } => self.take_back_of_host(back),
        }
    }

    fn deadline_back(&self, game: &Game, turn: Turn, at: Timestamp) -> Result<String> {
        if game.turn != turn {
            let label = self.tx.steps().step_label(&game.code, turn)?;
            return refuse(format!("game {} ran {label} meanwhile", game.code));
        }
        let now = self.cx.now();
        let local = schedule::local(at, &game.rule.zone);
        if at <= now {
            return refuse(format!("the deadline before, {local}, has passed; set another"));
        }
        let why = || say!("The game master moved the deadline back.");
        self.deadline_to(game, at, &why, now)?;
        Ok(format!("The deadline is {local} again; all players are told."))
    }

    /// Runs again a turn that was taken back. The next deadline stays the same if it has not
    /// passed.
    fn run_again(&self, game: &Game, deadline: Option<Timestamp>) -> Result<String> {
        if game.status == Status::Suspended && !self.tx.release(&game.code)? {
            return refuse(format!("game {} is not suspended any more", game.code));
        }
        let now = self.cx.now();
        self.run_turn(&game.code, deadline.filter(|at| *at > now))?;
        if self.games().game(&game.code)?.turn == game.turn {
            let why = self.games().game(&game.code)?.suspended_why;
            return Err(RobotError::Engine(game.code.clone(), why));
        }
        let label = capital(&self.tx.steps().step_label(&game.code, game.turn)?);
        Ok(format!(
            "{label} of game {} ran again, with the cards on file and the same dice; the new \
             printouts say that they replace the old ones.",
            game.code
        ))
    }

    fn seat_back(
        &self,
        game: &Game,
        seat: Seat,
        before: Option<Box<SeatRow>>,
        now: &str,
        act: &ActRow,
    ) -> Result<String> {
        let row = self.tx.games().seat(&game.code, seat)?;
        let Some(row) = row.filter(|r| r.has_player() && r.address == now) else {
            return refuse(format!("seat {seat} of game {} has changed hands since", game.code));
        };
        let at = self.cx.now();
        let id_key = format!("undo {}", act.id);
        let words = || {
            let text = say!(
                "The game master gave you this seat and has taken it back. If that was not agreed, \
                 write to them."
            );
            (say!("the seat is not yours any more"), text)
        };
        let mail = self.mailer().notice(game, &row, &words, &id_key, at);
        self.tx.outbox().post(mail.as_slice(), at)?;
        // Orders that the other player sent meanwhile are not the seat's.
        self.tx.forget_orders((&game.code, seat, game.turn), act.at)?;
        match before {
            None if self.tx.ledger(&game.code, seat)?.is_empty() => {
                self.tx.empty_seat(&game.code, seat)?;
            }
            // The payments stay with the seat.
            None => self.tx.change_seat(&game.code, seat, &SeatChange::Resigned)?,
            Some(before) => {
                self.tx.restore_seat(&before)?;
                if before.has_player() {
                    self.newcomer_printout(game, seat, &id_key)?;
                }
            }
        }
        Ok(format!(
            "Seat {seat} of game {} is as it was before; who had it is told. Orders that came \
             meanwhile are withdrawn.",
            game.code
        ))
    }

    fn tell_of_undo(&self, game: &Game, id: i64) -> Result<()> {
        let now = self.cx.now();
        let id_key = format!("undo {id}");
        let words = || {
            let text = say!(
                "The game master has suspended the game again; you will hear when it goes on."
            );
            (say!("the game is suspended"), text)
        };
        let mails = self.mailer().tell_all(game, None, &words, &id_key, now)?;
        Ok(self.tx.outbox().post(&mails, now)?)
    }

    fn take_back_of_host(&self, back: Back) -> Result<String> {
        let Back::Discarded { mail, pending, reason } = back else {
            return refuse("this act belongs to no game any more");
        };
        let verdict = if pending { Verdict::Pending } else { Verdict::Quarantined };
        match self.tx.quarantine_again(mail, verdict, reason.parse().unwrap_or_default())? {
            true => Ok(format!("Mail {mail} is in quarantine again.")),
            false => refuse(format!("mail {mail} was judged otherwise meanwhile")),
        }
    }
}

/// Whether the later of two acts of one kind changed what the earlier one did.
fn overlaps(earlier: &ActRow, later: &ActRow) -> bool {
    let back = |row: &ActRow| serde_json::from_str::<Back>(&row.back).ok();
    let (Some(earlier), Some(later)) = (back(earlier), back(later)) else { return false };
    match (earlier, later) {
        (Back::Seat { seat, .. }, Back::Seat { seat: other, .. }) => seat == other,
        (Back::Set { name, .. }, Back::Set { name: other, .. }) => name == other,
        (Back::Deadline { .. }, Back::Deadline { .. }) => true,
        (Back::Seat { .. } | Back::Set { .. } | Back::Deadline { .. }, _) => false,
        // Undoing one of these checks the present state itself.
        (Back::Go { .. } | Back::Hold { .. } | Back::Withdraw { .. }, _) => false,
        (Back::RunAgain { .. } | Back::Made | Back::Told { .. }, _) => false,
        (Back::Credit { .. } | Back::Discarded { .. }, _) => false,
    }
}
