//! Changes of mails.

use super::{
    IN_QUARANTINE, IN_RING, Judged, MailsTx, PENDING_MAX, QUARANTINE_MAX, RING_MAX, RING_OF_ONE,
    START_MAX, STRANGER_MAX, StoredMail,
};
use crate::db::{Args, Db, params};
use crate::effects::effect;
use crate::outbox::enqueue;
use crate::words::sql::*;
use crate::{Result, Standing, Verdict, canonical, ms, pack};
use jiff::Timestamp;
use mail::{Folder, RawMessage};

impl MailsTx<'_> {
    /// Stores messages that are not stored yet: from here on they can't be lost.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; so for every method here.
    pub fn store_raw(&self, messages: &[RawMessage]) -> Result<()> {
        if messages.is_empty() {
            return Ok(());
        }
        let tx = &self.db;
        for m in messages {
            let sql = "INSERT INTO mail (source, key, received_at, size, raw_z, auth, checked_from)
                       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
            let (at, size, raw) = (ms(m.received_at), m.size.cast_signed(), pack(&m.bytes));
            let auth = m.authenticity.as_str();
            let row = params![m.source, m.key, at, size, raw, auth, canonical(&m.checked_from)];
            tx.exec(sql, row)?;
        }
        Ok(())
    }

    /// Takes back an attempt that failed because of the store, not the mail.
    pub fn take_back_attempt(&self, id: i64) -> Result<()> {
        let sql = "UPDATE mail SET attempts = CASE WHEN attempts > 0 THEN attempts - 1 ELSE 0 END
                   WHERE id = $1 AND verdict IS NULL";
        self.db.exec(sql, params![id])?;
        Ok(())
    }

    /// Counts the first attempt for all mails of an inbox, or of all inboxes, that had none. It is
    /// one commit, before any of them is read.
    pub fn first_attempts(&self, source: Option<&str>) -> Result<()> {
        let sql = "UPDATE mail SET attempts = 1 WHERE verdict IS NULL AND attempts = 0
                   AND (CAST($1 AS TEXT) IS NULL OR source = $1)";
        self.db.exec(sql, params![source])?;
        Ok(())
    }

    /// Notes the game of a mail that could not be judged, so that other games need not wait for it.
    pub fn is_for(&self, id: i64, game: &str) -> Result<()> {
        let sql = "UPDATE mail SET game = $2 WHERE id = $1 AND verdict IS NULL";
        self.db.exec(sql, params![id, game])?;
        Ok(())
    }

    /// Counts one more attempt at a mail, in its own commit.
    pub fn next_attempt(&self, id: i64) -> Result<()> {
        self.db.exec("UPDATE mail SET attempts = attempts + 1 WHERE id = $1", params![id])?;
        Ok(())
    }

    /// Makes a content count as new, in a commit that is later taken back.
    pub fn forget_digest(&self, digest: &str) -> Result<bool> {
        let sql = "UPDATE mail SET digest = '' WHERE digest = $1 AND digest <> ''";
        Ok(self.db.exec(sql, params![digest])? > 0)
    }

    /// Writes a verdict down with all its effects.
    pub fn judge(&self, mail: &StoredMail, judged: &Judged, now: Timestamp) -> Result<()> {
        let tx = &self.db;
        let (game, seat) = match &judged.seat {
            Some((game, seat)) => (Some(game), Some(seat.0)),
            None => (None, None),
        };
        let sql = "UPDATE mail SET verdict = $2, reason = $3, why = $4, game = $5, seat = $6,
                   turn = $7, sender = $8, digest = $9, judged_at = $10, words = $11, quick = $12,
                   standing = $13
                   WHERE id = $1 AND verdict IS NULL";
        let changed = tx.exec(
            sql,
            params![
                mail.id,
                judged.verdict,
                judged.reason,
                judged.why,
                game,
                seat,
                judged.turn,
                canonical(&judged.sender),
                judged.digest,
                ms(now),
                judged.words,
                judged.quick,
                judged.standing
            ],
        )?;
        if changed == 0 {
            // Another process was faster; its verdict holds, with its effects.
            return Ok(());
        }
        self.keep_in_ring(mail, judged)?;
        effects(tx, mail, judged, now)
    }

    /// Keeps unproven mails in a ring, and only the start of each, so that a flood takes limited
    /// room: the newest mails in all and for each address. Pending mails are kept whole, and mails
    /// in quarantine have their own ring.
    fn keep_in_ring(&self, mail: &StoredMail, judged: &Judged) -> Result<()> {
        let tx = &self.db;
        let trim = |index: &str, ring: &str, most: u32, values: Args| -> Result<()> {
            let sql = format!(
                "UPDATE mail INDEXED BY {index} SET raw_z = NULL WHERE {ring} AND id <=
                 (SELECT id FROM mail INDEXED BY {index} WHERE {ring}
                  ORDER BY id DESC LIMIT 1 OFFSET {most})"
            );
            tx.exec(&sql, values)?;
            Ok(())
        };
        match (judged.verdict, judged.standing) {
            (Verdict::Pending, _) => {
                let Some((game, seat)) = &judged.seat else { return Ok(()) };
                let sql = "UPDATE mail SET raw_z = NULL WHERE raw_z IS NOT NULL AND id IN
                           (SELECT mail FROM pending WHERE game = $1 AND seat = $2 AND used = 0
                            ORDER BY mail DESC LIMIT 1000000000 OFFSET $3)";
                tx.exec(sql, params![game, seat.0, PENDING_MAX])?;
                return Ok(());
            }
            (Verdict::Quarantined, _) => {
                return trim("mail_ring_quarantine", IN_QUARANTINE, QUARANTINE_MAX, &[]);
            }
            (_, Standing::Proven) => return Ok(()),
            _ => {}
        }
        let start_max =
            if judged.standing == Standing::Stranger { STRANGER_MAX } else { START_MAX };
        if let Some(start) = mail.bytes.get(..start_max) {
            let sql = "UPDATE mail SET raw_z = $2 WHERE id = $1";
            tx.exec(sql, params![mail.id, pack(start)])?;
        }
        trim("mail_ring", IN_RING, RING_MAX, &[])?;
        let of_sender = format!("sender = $1 AND {IN_RING}");
        trim("mail_ring_sender", &of_sender, RING_OF_ONE, params![canonical(&judged.sender)])
    }

    /// Applies the effects of another mail, which this one sets free.
    pub fn apply_effects(&self, mail: &StoredMail, judged: &Judged, now: Timestamp) -> Result<()> {
        let tx = &self.db;
        effects(tx, mail, judged, now)
    }

    /// Keeps other bytes in place of a mail that holds a password.
    pub fn shred(&self, id: i64, kept: &[u8]) -> Result<()> {
        crate::effects::shred(&self.db, id, kept)
    }

    /// Notes that moves are done.
    pub fn moved(&self, source: &str, keys: &[(String, Folder)]) -> Result<()> {
        let tx = &self.db;
        for (key, _) in keys {
            let sql = "UPDATE mail SET moved = 1 WHERE source = $1 AND key = $2";
            tx.exec(sql, params![source, key.as_str()])?;
        }
        Ok(())
    }

    /// Sets the attempts at a mail so high that it is no longer judged, but set aside next.
    pub fn give_up(&self, id: i64) -> Result<()> {
        let sql = "UPDATE mail SET attempts = 1000 WHERE id = $1 AND verdict IS NULL";
        self.db.exec(sql, params![id])?;
        Ok(())
    }

    /// Has a mail in quarantine judged again.
    pub fn judge_again(&self, id: i64) -> Result<bool> {
        let sql = &format!(
            "UPDATE mail SET verdict = NULL, attempts = 0, digest = '', moved = 0
             WHERE id = $1 AND verdict = '{QUARANTINED}' AND raw_z IS NOT NULL"
        );
        Ok(self.db.exec(sql, params![id])? > 0)
    }

    /// Discards a mail in quarantine or a pending one.
    pub fn discard(&self, id: i64) -> Result<bool> {
        let tx = &self.db;
        tx.exec("UPDATE pending SET used = 1 WHERE mail = $1", params![id])?;
        let sql = &format!(
            "UPDATE mail SET verdict = '{IGNORED}', reason = '{DISCARDED}'
             WHERE id = $1 AND verdict IN ('{QUARANTINED}', '{PENDING}')"
        );
        Ok(tx.exec(sql, params![id])? > 0)
    }

    /// Forgets what is older than `before` and no longer needed: raw mails, addresses of senders
    /// without a seat, questions, and the text of our mails. Printouts stay as long as their game
    /// runs, so that they can be sent again. It forgets at most `most` of each kind, so that nobody
    /// waits for long. Gives the number of raw mails, and whether there may be more of any kind.
    pub fn forget_raw(&self, before: Timestamp, most: u32) -> Result<(usize, bool)> {
        let (tx, nothing) = (&self.db, pack(b""));
        let ended = |game: &str| {
            format!("EXISTS (SELECT 1 FROM game WHERE code = {game} AND status = '{OVER}')")
        };
        let senders = "UPDATE mail SET sender = '', checked_from = '' WHERE id IN
                         (SELECT id FROM mail WHERE received_at < $1 AND game IS NULL
                          AND sender <> '' AND verdict IS NOT NULL ORDER BY id LIMIT $2)";
        let senders = tx.exec(senders, params![ms(before), most])?;
        tx.exec("DELETE FROM question WHERE asked_at < $1", params![ms(before)])?;
        tx.exec("DELETE FROM signature WHERE seen_at < $1", params![ms(before)])?;
        let drawings = &format!(
            "DELETE FROM drawing WHERE outbox IN
             (SELECT o.id FROM drawing d JOIN outbox o ON o.id = d.outbox
              WHERE o.created_at < $1 AND o.state NOT IN ('{WAITING}', '{DRAWING}')
              AND (o.kind <> '{PRINTOUT}' OR {}) ORDER BY o.id LIMIT $2)",
            ended("o.game")
        );
        let drawings = tx.exec(drawings, params![ms(before), most])?;
        let texts = &format!(
            "UPDATE outbox SET mime_z = $3, drawn_z = NULL WHERE id IN
             (SELECT id FROM outbox o WHERE created_at < $1
              AND state NOT IN ('{WAITING}', '{DRAWING}', '{SUPPRESSED}') AND mime_z <> $3
              AND (kind <> '{PRINTOUT}' OR {}) ORDER BY id LIMIT $2)",
            ended("o.game")
        );
        let texts = tx.exec(texts, params![ms(before), most, nothing])?;
        let raw = "UPDATE mail SET raw_z = NULL WHERE id IN
                     (SELECT id FROM mail WHERE received_at < $1 AND raw_z IS NOT NULL
                      AND verdict IS NOT NULL ORDER BY received_at, id LIMIT $2)";
        let raw = tx.exec(raw, params![ms(before), most])?;
        let more = [senders, drawings, texts, raw].iter().any(|n| *n >= most as usize);
        Ok((raw, more))
    }
}

pub(super) fn effects(tx: &Db, mail: &StoredMail, judged: &Judged, now: Timestamp) -> Result<()> {
    if let (Verdict::Pending, Some((game, seat))) = (judged.verdict, &judged.seat) {
        let sql = "INSERT INTO pending (mail, game, seat) VALUES ($1, $2, $3)";
        tx.exec(sql, params![mail.id, game, seat.0])?;
    }
    judged.effects.iter().try_for_each(|e| effect(tx, e, now))?;
    for queued in &judged.mails {
        enqueue(tx, queued, Some(mail.id), now)?;
    }
    judged.alarms.iter().try_for_each(|m| enqueue(tx, m, None, now))
}
