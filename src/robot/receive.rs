//! Mails to verdicts: stored first, taken apart before the commit, judged, and each verdict
//! committed with everything that it causes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use mail::RawMessage;
use mail::mime::{Author, same_address};
use mail::reader::ReaderError;
use store::{Judged, StoreError, StoredMail, Tx, Verdict};

use crate::Robot;
use crate::commands::ROWS;
use crate::context::{Context, Result, RobotError};
use crate::gm::Gm;
use crate::gm_commands;
use crate::intake::{Intake, Taken};
use crate::mailer::Mailer;
use crate::suspend::suspend;
use crate::verdict::case::Tools;
use crate::verdict::senders::Senders;
use crate::{persons, silence};

/// Verdicts of one commit at most; waiting for the disk is what a commit costs.
const COMMIT_MAX: usize = 32;
/// After so many attempts a mail goes into quarantine.
const ATTEMPTS_MAX: u32 = 3;

/// A mail that is to be judged, and what its reader made of it; `None`: reading it failed too
/// often.
type Read = (StoredMail, Option<Taken>);

impl Robot {
    /// Stores messages and judges every mail that has no verdict. A mail that
    /// can't be judged now stays for the next call.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails; nothing is lost then.
    pub fn receive(&mut self, messages: &[RawMessage]) -> Result<Vec<i64>> {
        self.receive_from(messages, None)
    }

    /// The same; of mails that were stored before, those of one inbox alone. Where several workers
    /// share a store, who has an inbox judges its mails, in their order.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails; nothing is lost then.
    pub fn receive_from(
        &mut self,
        messages: &[RawMessage],
        source: Option<&str>,
    ) -> Result<Vec<i64>> {
        if !messages.is_empty() {
            self.store.write(|tx| tx.store_raw(messages))?;
        }
        let (fresh, tried): (Vec<_>, Vec<_>) =
            self.store.unjudged_of(source)?.into_iter().partition(|(_, attempts)| *attempts == 0);
        let mut judged = Vec::new();
        // A mail that was tried before may be what stopped the process then: it
        // goes alone, so that no other mail is blamed for it.
        for (id, _) in tried {
            if !self.spared.remove(&id) {
                self.store.write(|tx| tx.next_attempt(id))?;
            }
            judged.extend(self.judge_counted(&[id])?);
        }
        if !fresh.is_empty() {
            self.store.write(|tx| tx.first_attempts(source))?;
        }
        let fresh: Vec<i64> = fresh.into_iter().map(|(id, _)| id).collect();
        judged.extend(self.judge_counted(&fresh)?);
        Ok(judged)
    }

    /// Judges mails of which an attempt was counted. What fails for the store's sake costs none
    /// of them an attempt, nor those that were not reached.
    fn judge_counted(&mut self, ids: &[i64]) -> Result<Vec<i64>> {
        let mut judged = Vec::new();
        for (n, batch) in ids.chunks(COMMIT_MAX).enumerate() {
            match self.judge_together(batch) {
                Ok(done) => judged.extend(done),
                Err(e) => {
                    self.spare(&ids[n * COMMIT_MAX..]);
                    return Err(e);
                }
            }
        }
        Ok(judged)
    }

    /// Takes attempts back. A full disk may refuse that too; then they count as the next ones, as
    /// long as this process lives.
    fn spare(&mut self, ids: &[i64]) {
        let back = self.store.write(|tx| ids.iter().try_for_each(|id| tx.take_back_attempt(*id)));
        back.unwrap_or_else(|e: StoreError| {
            tracing::warn!(error = %e, "attempts at mails can't be taken back yet");
            self.spared.extend(ids);
        });
    }

    /// Whether a mail that is not stored yet bears the secret of a seat, or comes in a player's name
    /// or the game master's and has a size that an order card may have. What can't be read may be
    /// anything.
    pub fn is_of_player(&mut self, mail: &RawMessage) -> bool {
        let Ok(Ok(taken)) = self.reader.read(&mail.bytes) else { return true };
        let tools = Tools { cx: &self.cx, store: &self.store, rows: ROWS };
        if Senders::new(tools).bear_secret(&taken).unwrap_or(true) {
            return true;
        }
        let Author::One(from) = &taken.author else { return false };
        let plays = self.store.seats_of(from).map_or(true, |seats| !seats.is_empty());
        let small = mail.size <= self.cx.limits.unproven_bytes_max;
        small && (plays || same_address(from, &self.cx.gm))
    }

    /// Judges some mails and commits their verdicts together; each verdict is
    /// still there whole or not at all.
    fn judge_together(&mut self, ids: &[i64]) -> Result<Vec<i64>> {
        // A slow mail holds nobody up but those behind it: nothing is locked yet.
        let mut mails = Vec::new();
        for id in ids {
            mails.extend(self.take_apart(*id)?);
        }
        if mails.is_empty() {
            return Ok(Vec::new());
        }
        let cx = &self.cx;
        // A disk may turn out to be full only when all is to be kept.
        let done = self.store.write(|tx| judge_each(cx, tx, &mails))?;
        done.iter().for_each(|(id, judged)| log_verdict(*id, judged));
        Ok(done.into_iter().map(|(id, _)| id).collect())
    }

    /// Takes a mail apart; `None`: it has its verdict already, or can't be read now.
    fn take_apart(&mut self, id: i64) -> Result<Option<Read>> {
        if self.store.has_verdict(id)? {
            // Another process was faster.
            return Ok(None);
        }
        let mail = self.store.stored(id)?;
        if mail.attempts > ATTEMPTS_MAX {
            return Ok(Some((mail, None)));
        }
        let reader = &mut self.reader;
        let read = catch_unwind(AssertUnwindSafe(|| reader.read(&mail.bytes)));
        match read {
            Ok(Ok(taken)) => Ok(Some((mail, Some(taken)))),
            Ok(Err(e)) => {
                if matches!(e, ReaderError::NotStarted(_)) {
                    // The machine's fault, not the mail's.
                    self.store.write(|tx| tx.take_back_attempt(id))?;
                }
                tracing::error!(mail = id, error = %e, "mail not judged");
                Ok(None)
            }
            Err(_) => {
                tracing::error!(mail = id, "mail not judged: reading it failed");
                Ok(None)
            }
        }
    }
}

fn judge_each(cx: &Context, tx: &Tx, mails: &[Read]) -> Result<Vec<(i64, Judged)>> {
    let mut done = Vec::new();
    for (mail, taken) in mails {
        if tx.has_verdict(mail.id)? {
            // Another process was faster.
            continue;
        }
        match tx.savepoint(|tx| judge(cx, tx, mail, taken.as_ref())) {
            Ok(judged) => done.push((mail.id, judged)),
            Err(RobotError::Store(e)) if !e.is_about_data() => return Err(e.into()),
            Err(e) => {
                // What it has done up to there went with it; it has its next attempt.
                if let RobotError::Engine(game, why) = &e {
                    suspend(cx, tx, game, why)?;
                    tx.is_for(mail.id, game)?;
                }
                tracing::error!(mail = mail.id, error = %e, "mail not judged");
            }
        }
    }
    Ok(done)
}

/// Judges one mail, carries out what its verdict says, and writes it down.
fn judge(cx: &Context, tx: &Tx, mail: &StoredMail, taken: Option<&Taken>) -> Result<Judged> {
    let decision = Intake::new(cx, tx).judge(mail, taken)?;
    let mut judged = decision.judged;
    if let Some(said) = decision.command {
        command(cx, tx, mail, &said, &mut judged)?;
    }
    tx.judge(mail, &judged, cx.now())?;
    silence::heard(cx, tx, &judged)?;
    persons::signed(cx, tx, mail.id, &judged)?;
    Ok(judged)
}

/// Carries a command of the game master out; what a refused one has done up to there is
/// taken back.
fn command(
    cx: &Context,
    tx: &Tx,
    mail: &StoredMail,
    said: &str,
    judged: &mut Judged,
) -> Result<()> {
    let done = tx.savepoint(|tx| gm_commands::carry_out(&Gm::new(cx, tx), said));
    let text = match done {
        Ok(text) => text,
        Err(RobotError::Store(e)) => return Err(e.into()),
        Err(e) => {
            if let RobotError::Engine(game, why) = &e {
                suspend(cx, tx, game, why)?;
            }
            judged.verdict = Verdict::Rejected;
            let why = e.to_string();
            let end = if why.ends_with(['.', '?']) { "" } else { "." };
            format!("Nothing was done: {why}{end}")
        }
    };
    let (id_key, now) = (mail.id.to_string(), cx.now());
    let subject = judged.why.to_lowercase();
    let answer = Mailer::new(cx, tx).gm_mail(&subject, &text, &["answer", &id_key], now);
    judged.mails.extend(answer);
    tracing::info!(mail = mail.id, command = judged.why, "game master by mail");
    Ok(())
}

fn log_verdict(mail: i64, judged: &Judged) {
    let (game, seat) = match &judged.seat {
        Some((game, seat)) => (game.as_str(), seat.0),
        None => ("", 0),
    };
    let (verdict, reason) = (judged.verdict.as_str(), judged.reason.as_str());
    let turn = judged.turn.unwrap_or(0);
    tracing::info!(
        mail,
        game,
        seat,
        turn,
        verdict,
        reason,
        replies = judged.mails.len(),
        "verdict"
    );
}
