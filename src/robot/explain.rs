//! What the robot would do with a mail, step by step, and why; nothing is kept.

use mail::{RawMessage, mime};
use store::{Effect, Tx};

use crate::Robot;
use crate::commands::ROWS;
use crate::context::{Context, Result, RobotError};
use crate::intake::{Intake, content_digest, explain};
use crate::verdict::case::Tools;

impl Robot {
    /// The steps as text for the game master.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn explain(&mut self, bytes: &[u8]) -> Result<String> {
        let mut out = String::new();
        // Text in memory takes every line.
        let tools = Tools { cx: &self.cx, store: &self.store, rows: ROWS };
        let _ = explain::reading(tools, bytes, &mut out);
        let cx = &self.cx;
        out += &self.store.rehearse(|tx| verdict(cx, tx, bytes))?;
        Ok(out)
    }
}

/// What the verdict would be, with everything that it causes.
fn verdict(cx: &Context, tx: &Tx, bytes: &[u8]) -> Result<String> {
    let mut out = String::new();
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
    tx.store_raw(std::slice::from_ref(&message))?;
    let Some((id, _)) = tx.unjudged()?.into_iter().max_by_key(|(id, _)| *id) else {
        return Ok(out);
    };
    let mail = tx.stored(id)?;
    let taken = match cx.reader.read(&mail.bytes) {
        Ok(taken) => taken,
        Err(e) => return Ok(format!("8. It could not be taken apart: {e}.\n")),
    };
    if let Ok(parsed) = &taken
        && tx.forget_digest(&content_digest(parsed, &mail.bytes))?
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
                format!("{} lines go on file for turn {}", new.card.lines.len(), new.turn)
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
