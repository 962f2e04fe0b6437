//! STATUS and ACTS: the state of the host and its games, and the record of acts.

use base::schedule;
use render::text::{SAFE, fill};
use store::{Game, Status as GameStatus};

use super::{Gm, GmQuery, NO_ACTS, Row, acts};
use crate::calendar::Calendar;
use crate::context::Result;

/// The command by mail.
pub(crate) const ROW: Row = Row {
    word: "STATUS",
    form: "GM STATUS [game]",
    help: "games, deadlines, who has ordered, outbox",
    read: |words| match words.rest() {
        [] => words.query(Status { game: None }),
        [game] => words.query(Status { game: Some(game.to_string()) }),
        _ => words.wrong(),
    },
};

/// The command that lists the record by mail.
pub(crate) const ACTS: Row = Row {
    word: "ACTS",
    form: "GM ACTS [game]",
    help: "what was done; GM UNDO ACT 17 undoes one of them",
    read: |words| match words.rest() {
        [] => words.query(Acts { game: None }),
        [game] => words.query(Acts { game: Some(game.to_string()) }),
        _ => words.wrong(),
    },
};

/// Asks for the state of a game or of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The game's code; `None`: the host.
    pub game: Option<String>,
}

/// Asks for the acts in the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acts {
    /// The game's code; `None`: all.
    pub game: Option<String>,
}

impl GmQuery for Status {
    fn answer(&self, gm: &Gm) -> Result<String> {
        match &self.game {
            None => gm.host_status(),
            Some(game) => gm.game_status(game),
        }
    }
}

impl GmQuery for Acts {
    fn answer(&self, gm: &Gm) -> Result<String> {
        let acts = acts(gm.games(), gm.tx, self.game.as_deref())?;
        if acts.is_empty() {
            return Ok(NO_ACTS.to_owned());
        }
        // No line of an act can be read as a command.
        let line = |(id, act): &(i64, String)| {
            fill(act, &format!("{SAFE}{id:>5}  "), &format!("{SAFE}{:7}", ""))
        };
        Ok(acts.iter().map(line).collect())
    }
}

impl Gm<'_> {
    fn host_status(&self) -> Result<String> {
        let mut out = "The games of this host:\n\n".to_owned();
        for game in self.tx.games().all()? {
            out += &format!("{}\n", self.game_line(&game)?);
        }
        let counts = self.tx.outbox().outbox_counts()?;
        let quarantined = self.tx.mails().quarantined(1000)?.len();
        out += &format!(
            "\nOutbox: {} waiting, {} sent, {} failed. In quarantine: {quarantined}.\n",
            counts.waiting, counts.sent, counts.failed
        );
        Ok(out)
    }

    fn game_line(&self, game: &Game) -> Result<String> {
        let due =
            game.deadline.map_or("no deadline".to_owned(), |d| schedule::local(d, &game.rule.zone));
        let seats = self.tx.games().seats(&game.code)?;
        let ordered = self.tx.journal().ordered(&game.code, game.turn)?;
        let awaited = || seats.iter().filter(|s| s.has_player() && game.step.awaits(s.seat));
        let cards = awaited().filter(|s| ordered.contains_key(&s.seat)).count();
        let status = game.status.as_str();
        let why = if game.status == GameStatus::Suspended {
            format!(" ({})", game.suspended_why)
        } else {
            String::new()
        };
        let now = self.cx.now();
        let waits = match game.status {
            GameStatus::Running => Calendar::new(self.cx, self.tx).waits_for(game, now)?,
            _ => None,
        };
        let waits = waits.map(|what| format!("; it waits for {what}")).unwrap_or_default();
        Ok(format!(
            "{}: {status}{why}, {}, due {due}, {cards} of {} cards in{waits}",
            game.code,
            game.step.label,
            awaited().count()
        ))
    }

    fn game_status(&self, code: &str) -> Result<String> {
        let game = self.games().game(code)?;
        let mut out = format!("{}\n\n", self.game_line(&game)?);
        let cards = self.tx.journal().ordered(&game.code, game.turn)?;
        let now = self.cx.now();
        for seat in self.tx.games().seats(&game.code)? {
            let state = match () {
                () if seat.computer => "a computer",
                () if seat.resigned => "nobody",
                () if cards.contains_key(&seat.seat) => "has orders on file",
                () if !game.step.awaits(seat.seat) => "not awaited",
                () if seat.is_away(now) => "on vacation",
                () => "no orders yet",
            };
            let ready = if seat.ready == game.turn && game.turn > 0 { ", ready" } else { "" };
            let lost = if seat.unreachable { ", mails come back" } else { "" };
            let missed =
                if seat.missed > 0 { format!(", missed {}", seat.missed) } else { String::new() };
            out += &format!(
                "| seat {:>3}  {:<30} {state}{ready}{missed}{lost}\n",
                seat.seat, seat.name
            );
        }
        let waiting = self.tx.people().waiting(&game.code)?.len();
        out +=
            &format!("\n{waiting} on the waiting list. Terms:\n\n{}", self.terms_text(&game.code)?);
        Ok(out)
    }
}
