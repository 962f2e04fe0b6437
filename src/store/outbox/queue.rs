//! How mails get into the outbox, and what happens to them after an attempt.

use super::{OutboxRow, QueuedMail};
use crate::db::{Db, Row, params};
use crate::refusals::{Run, retry_at};
use crate::words::sql::*;
use crate::{MailKind, MailState, Result, canonical, ms, pack};
use engine::Turn;
use jiff::Timestamp;
use mail::SendResult;

pub(in super::super) fn enqueue(
    tx: &Db,
    queued: &QueuedMail,
    cause: Option<i64>,
    now: Timestamp,
) -> Result<()> {
    let sql = &format!(
        "INSERT INTO outbox (recipient, kind, game, seat, turn, message_id, envelope_from,
         mime_z, created_at, next_at, cause, bounce, expires_at, canon, standing, state)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $10, $11, $12, $14,
         coalesce((SELECT standing FROM mail WHERE id = $10), ''),
         CASE WHEN EXISTS (SELECT 1 FROM address WHERE address = $14
           AND suppressed_at IS NOT NULL) THEN '{SUPPRESSED}' ELSE $13 END)
         ON CONFLICT DO NOTHING RETURNING id"
    );
    let state = match queued.drawing.to_do || queued.drawing.waits {
        true => MailState::Drawing,
        false => MailState::Waiting,
    };
    let (game, seat) = match &queued.seat {
        Some((game, seat)) => (Some(game), Some(seat.0)),
        None => (None, None),
    };
    let mail = &queued.mail;
    let row = params![
        mail.to,
        queued.kind,
        game,
        seat,
        queued.turn,
        mail.message_id,
        mail.envelope_from,
        pack(&mail.bytes),
        ms(now),
        cause,
        mail.bounce,
        queued.expires_at.map(ms),
        state,
        canonical(&mail.to)
    ];
    let Some(id) = tx.first(sql, row, |r| r.get::<_, i64>(0))? else { return Ok(()) };
    if let Some(what) = &queued.drawing.what {
        if queued.kind == MailKind::Printout {
            // Through the seat's mails, which only an index lists: there is a drawing for each seat
            // of the host, and a mail's state comes after all its bytes in the row.
            let sql = &format!(
                "WITH own AS MATERIALIZED (SELECT id FROM outbox WHERE game = $1 AND seat = $2)
                 DELETE FROM drawing WHERE outbox IN (SELECT id FROM own)
                 AND (done = 1 OR EXISTS (SELECT 1 FROM outbox o
                   WHERE o.id = drawing.outbox AND o.state = '{SUPPRESSED}'))"
            );
            tx.exec(sql, params![game, seat])?;
        }
        let sql = "INSERT INTO drawing (outbox, what_z, done) VALUES ($1, $2, $3)";
        tx.exec(sql, params![id, pack(what), !queued.drawing.to_do])?;
    }
    for (of, words) in &queued.shows {
        let sql = "INSERT INTO shown VALUES ($1, $2, $3, $4)
                   ON CONFLICT (game, reader, seat) DO UPDATE SET words = excluded.words";
        tx.exec(sql, params![game, seat, of.0, words])?;
    }
    Ok(())
}

/// Lets the printouts of a game's turn leave when none of them is still to be drawn, and each other
/// mail when it is drawn itself. `drawn` is the mail that may have held others back; `None`: look
/// at all.
pub(super) fn leave_together(tx: &Db, drawn: Option<i64>) -> Result<()> {
    // An index finds each of them, however many are being drawn.
    let undrawn = |which: &str| {
        format!(
            "UPDATE outbox SET state = '{WAITING}' WHERE state = '{DRAWING}' AND {which}
             AND NOT EXISTS (SELECT 1 FROM drawing d WHERE d.outbox = outbox.id AND d.done = 0)
             AND (kind NOT IN ('{PRINTOUT}', '{PART}') OR NOT EXISTS
               (SELECT 1 FROM outbox o JOIN drawing d ON d.outbox = o.id AND d.done = 0
                WHERE o.state = '{DRAWING}' AND o.kind IN ('{PRINTOUT}', '{PART}')
                AND o.game = outbox.game AND o.turn = outbox.turn))"
        )
    };
    let Some(id) = drawn else {
        tx.exec(&undrawn("1 = 1"), params![])?;
        return Ok(());
    };
    tx.exec(&undrawn("id = $1"), params![id])?;
    let whose = "SELECT game, turn FROM outbox WHERE id = $1";
    let row = |r: &Row| Ok((r.get::<_, Option<String>>(0)?, r.get::<_, Option<Turn>>(1)?));
    if let Some((Some(game), Some(turn))) = tx.first(whose, params![id], row)? {
        tx.exec(&undrawn("game = $1 AND turn = $2"), params![game, turn])?;
    }
    Ok(())
}

/// Writes down the result of an attempt.
pub(super) fn note(
    tx: &Db,
    run: &mut Run,
    (row, result): (&OutboxRow, &SendResult),
    now: Timestamp,
    give_up_s: i64,
    bounce_limit: u32,
) -> Result<()> {
    let old = now.as_second() - row.created_at.as_second() > give_up_s;
    let (state, error) = match result {
        SendResult::Sent => (MailState::Sent, ""),
        SendResult::Later(e) if !old => (MailState::Waiting, e.as_str()),
        SendResult::Never(e) if run.is_of_server() && !old => (MailState::Waiting, e.as_str()),
        SendResult::Later(e) | SendResult::Never(e) | SendResult::Unable(e) => {
            (MailState::Failed, e.as_str())
        }
        SendResult::TooLarge { most, why } => (too_large(tx, row, *most, now)?, why.as_str()),
    };
    let next = match result {
        SendResult::TooLarge { .. } => ms(now),
        _ => retry_at(row.id, row.attempts, now),
    };
    // A claim that ran out and was taken again is not this attempt's to end.
    let sql = &format!(
        "UPDATE outbox SET state = $2, last_error = $3, next_at = $4
         WHERE id = $1 AND state = '{WAITING}' AND attempts = $5"
    );
    let values = params![row.id, state, error, next, row.attempts];
    if tx.exec(sql, values)? == 0 {
        return Ok(());
    }
    if *result == SendResult::Sent {
        // Pictures can be drawn again; the text stays.
        let sql = "UPDATE outbox SET drawn_z = NULL WHERE id = $1 AND drawn_z IS NOT NULL";
        tx.exec(sql, params![row.id])?;
    }
    if row.kind == MailKind::Farewell && state != MailState::Waiting {
        // The last trace of an erased person, whatever the result was.
        let sql =
            "UPDATE outbox SET recipient = 'erased', canon = 'erased', mime_z = $2, last_error = ''
                   WHERE id = $1";
        tx.exec(sql, params![row.id, pack(b"")])?;
        return Ok(());
    }
    match result {
        SendResult::Sent => run.taken(),
        SendResult::Later(_) => run.unknown(now),
        SendResult::Never(why) if !mail::dsn::is_about_size(why) => {
            if !run.is_of_server() {
                crate::people::bounce(tx, &row.mail.to, true, bounce_limit, now)?;
            }
            run.refused(row, bounce_limit, now)?;
        }
        // These say nothing about the recipient, nor about what else the server takes.
        SendResult::Never(_) | SendResult::TooLarge { .. } | SendResult::Unable(_) => {}
    }
    Ok(())
}

/// The next state of a mail that is larger than the server takes.
fn too_large(tx: &Db, row: &OutboxRow, most: Option<usize>, now: Timestamp) -> Result<MailState> {
    let small = crate::refusals::shrink(tx, row, most, now)?;
    let sql = "SELECT 1 FROM drawing WHERE outbox = $1 AND done = 0";
    Ok(match small {
        true if tx.exists(sql, params![row.id])? => MailState::Drawing,
        true => MailState::Waiting,
        false => MailState::Failed,
    })
}
