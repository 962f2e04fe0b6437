//! What the robot would do with a mail, step by step, and why; nothing is kept.

use engine::Seat;
use mail::{RawMessage, mime};
use store::{Effect, Game, SeatRow, Tx};

use crate::Robot;
use crate::commands::ROWS;
use crate::context::{Context, Result, RobotError};
use crate::intake::{Intake, content_digest, explain};
use crate::verdict::case::{Claim, Proof, Tools};

impl Robot {
    /// Explains, as text for the game master, each step that the robot takes with a mail.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn explain(&mut self, bytes: &[u8]) -> Result<String> {
        let mut out = String::new();
        // Writing to a string can't fail.
        let tools = Tools { cx: &self.cx, store: &self.store, rows: ROWS };
        let _ = explain::reading(tools, bytes, &mut out);
        let cx = &self.cx;
        out += &self.store.rehearse(|tx| verdict(cx, tx, bytes))?;
        Ok(out)
    }
}

impl Robot {
    /// The answer to a card of a seat, as if its player had mailed it with CHECK. The card takes
    /// the same path as a mail, and nothing of it is kept.
    ///
    /// # Errors
    /// [`RobotError`] when the seat can't be judged.
    pub fn check(&mut self, game: &Game, seat: Seat, text: &str) -> Result<String> {
        let cx = &self.cx;
        let (code, zone) = (&game.code, &game.rule.zone);
        self.store.rehearse(|tx| {
            let row = tx.games().seat(code, seat)?;
            let mut row = row.unwrap_or_else(|| SeatRow::empty(code, seat, zone));
            if row.address.is_empty() {
                row.address = NOBODY.to_owned();
            }
            let raw = format!(
                "From: {}\nTo: {}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
                 Content-Transfer-Encoding: 8bit\n\n{text}",
                row.address, cx.identity.address
            );
            let (id, parsed) = match stored(cx, tx, raw.as_bytes())? {
                (Some(id), Ok(Ok(parsed))) => (id, parsed),
                (_, Ok(Err(e))) => return Err(RobotError::Refused(e.to_string())),
                (_, Err(e)) => return Err(RobotError::Refused(e)),
                (None, _) => return Ok(String::new()),
            };
            let claim = Claim {
                game: game.clone(),
                seat: row,
                turn: None,
                named: false,
                proof: Proof::Proven,
                secret: true,
                old_secret: false,
            };
            let judged = Intake::new(cx, tx).check(&tx.mails().stored(id)?, &parsed, claim)?;
            let mut out = String::new();
            for mail in &judged.mails {
                let Ok(answer) = mime::parse(&mail.mail.bytes) else { continue };
                out += &format!("{}\n", answer.subject);
                // Leaves out the marker line, which is only for mails.
                let lines = answer.lines.0.iter().skip_while(|(_, line)| !line.trim().is_empty());
                lines.for_each(|(_, line)| out += &format!("{line}\n"));
            }
            Ok(if out.is_empty() { format!("{}\n", judged.why) } else { out })
        })
    }
}

/// The address of a seat that has none.
const NOBODY: &str = "nobody@check.invalid";

/// The result of reading a mail; the outer error is a failure that is not the mail's fault.
type Taken = std::result::Result<crate::intake::Taken, String>;

/// Puts a mail into the store and takes it apart.
fn stored(cx: &Context, tx: &Tx, bytes: &[u8]) -> Result<(Option<i64>, Taken)> {
    let limit = usize::try_from(cx.limits.mail_bytes_max).unwrap_or(usize::MAX);
    let message = RawMessage {
        source: "explained".to_owned(),
        key: format!("{:016x}", cx.word()),
        received_at: cx.now(),
        bytes: bytes[..bytes.len().min(limit)].to_vec(),
        size: bytes.len() as u64,
        authenticity: Default::default(),
        checked_from: String::new(),
    };
    tx.mails().store_raw(std::slice::from_ref(&message))?;
    let id = tx.mails().unjudged()?.into_iter().map(|(id, _)| id).max();
    let taken = cx.reader.read(&message.bytes).map_err(|e| e.to_string());
    Ok((id, taken))
}

/// What the verdict would be, with everything that it causes.
fn verdict(cx: &Context, tx: &Tx, bytes: &[u8]) -> Result<String> {
    let mut out = String::new();
    let (id, taken) = match stored(cx, tx, bytes)? {
        (Some(id), Ok(taken)) => (id, taken),
        (_, Err(e)) => return Ok(format!("8. It could not be taken apart: {e}.\n")),
        (None, _) => return Ok(out),
    };
    let mail = tx.mails().stored(id)?;
    if let Ok(parsed) = &taken
        && tx.mails().forget_digest(&content_digest(parsed, &mail.bytes))?
    {
        out += "   It was judged before; this is what would become of it if it came now.\n";
    }
    let judged = match Intake::new(cx, tx).judge(&mail, &taken) {
        Ok(decision) => decision.judged,
        Err(RobotError::Store(e)) => return Err(e.into()),
        Err(e) => {
            out += &format!("8. It could not be judged: {e}.\n");
            return Ok(out);
        }
    };
    let (verdict, reason) = (judged.verdict.as_str(), judged.reason);
    out += &format!("8. Verdict: {verdict} ({reason}): {}\n", judged.why);
    if let Some((game, seat)) = &judged.seat {
        out += &format!("   For game {game}, seat {seat}.\n");
    }
    for effect in &judged.effects {
        let what = match effect {
            Effect::Orders(new) => {
                format!("{} lines go on file for step {}", new.card.lines.len(), new.turn)
            }
            Effect::Bounced { .. } => "the bounce is counted".to_owned(),
            Effect::Reachable(_) => "the address counts as reachable".to_owned(),
            Effect::Ask(q) => format!("a question is asked ({})", q.kind),
            other => {
                format!("{other:?}").split(['(', ' ', '{']).next().unwrap_or_default().to_owned()
            }
        };
        out += &format!("   Effect: {what}.\n");
    }
    out += &format!("9. Mails that it causes: {}.\n", judged.mails.len());
    for mail in &judged.mails {
        let Ok(parsed) = mime::parse(&mail.mail.bytes) else { continue };
        out += &format!("\n   {} to {}: {}\n", mail.kind, mail.mail.to, parsed.subject);
        for (_, line) in parsed.lines.0.iter().take(40) {
            out += &format!("   : {line}\n");
        }
    }
    Ok(out)
}
