//! The journal: what each turn was made from, and what came of it.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::credit::{Entry, enter};
use super::games::to_json;
use super::outbox::{QueuedMail, enqueue};
use super::{Result, Status, Store, StoreError, ms, pack, unpack};
use base::secrets::sha256_hex;
use engine::dice::Roll;
use engine::{BySeat, CardText, Saved, Seat, Turn};

/// One turn that ran.
#[derive(Debug, Clone)]
pub struct TurnRecord {
    /// 0 is the making of the game.
    pub turn: Turn,
    pub rules_version: u32,
    pub seed: u64,
    pub cards: BySeat<CardText>,
    pub saved: Saved,
    pub hash: String,
}

/// What opens with the next turn.
#[derive(Debug, Clone)]
pub struct NextTurn {
    pub turn: Turn,
    pub seed: u64,
    pub status: Status,
    pub deadline: Option<Timestamp>,
    /// Lines that are on file again.
    pub carried: BySeat<Vec<String>>,
    /// Fees for printouts.
    pub fees: Vec<(Seat, Entry)>,
    /// The cards that were on file when the turn began to run.
    pub on_file: BySeat<CardText>,
}

/// Hash of what came of a turn: state, events, and every roll that led there.
pub fn turn_hash(saved: &Saved, dice: &[Roll]) -> String {
    let mut bytes = (saved.state.len() as u64).to_be_bytes().to_vec();
    bytes.extend(&saved.state);
    bytes.extend(&saved.events);
    bytes.extend(to_json(&dice).as_bytes());
    sha256_hex(&bytes)
}

impl Store {
    /// The game after the last turn that ran.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; so for every method here.
    pub fn saved(&self, code: &str, turn: Turn) -> Result<Option<Saved>> {
        let sql = "SELECT state_z, events_z FROM turn WHERE game = ?1 AND turn = ?2";
        let row = |r: &Row| Ok((r.get::<_, Vec<u8>>(0)?, r.get::<_, Vec<u8>>(1)?));
        let found =
            self.conn.prepare_cached(sql)?.query_row(params![code, turn], row).optional()?;
        let Some((state, events)) = found else { return Ok(None) };
        Ok(Some(Saved { state: unpack(&state)?, events: unpack(&events)? }))
    }

    /// Every turn of a game in order.
    pub fn turns(&self, code: &str) -> Result<Vec<TurnRecord>> {
        let sql = "SELECT turn, rules_version, seed, cards, state_z, events_z, hash FROM turn
                   WHERE game = ?1 ORDER BY turn";
        let mut query = self.conn.prepare_cached(sql)?;
        let mut rows = query.query([code])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let cards: String = row.get(3)?;
            let seed: i64 = row.get(2)?;
            let saved = Saved {
                state: unpack(&row.get::<_, Vec<u8>>(4)?)?,
                events: unpack(&row.get::<_, Vec<u8>>(5)?)?,
            };
            found.push(TurnRecord {
                turn: row.get(0)?,
                rules_version: row.get(1)?,
                seed: seed.cast_unsigned(),
                cards: cards_of(&cards)?,
                saved,
                hash: row.get(6)?,
            });
        }
        Ok(found)
    }

    /// The seed of a turn that has run.
    pub fn seed_of(&self, code: &str, turn: Turn) -> Result<Option<u64>> {
        let sql = "SELECT seed FROM turn WHERE game = ?1 AND turn = ?2";
        let found: Option<i64> = self
            .conn
            .prepare_cached(sql)?
            .query_row(params![code, turn], |r| r.get(0))
            .optional()?;
        Ok(found.map(i64::cast_unsigned))
    }

    /// The seeds of all turns that ran, by turn; 0 is the making of the game.
    pub fn seeds(&self, code: &str) -> Result<Vec<(Turn, u64)>> {
        let sql = "SELECT turn, seed FROM turn WHERE game = ?1 ORDER BY turn";
        let mut query = self.conn.prepare_cached(sql)?;
        let row = |r: &Row| Ok((r.get(0)?, r.get::<_, i64>(1)?.cast_unsigned()));
        Ok(query.query_map([code], row)?.collect::<rusqlite::Result<_>>()?)
    }

    /// All cards on file for a turn.
    pub fn cards(&self, code: &str, turn: Turn) -> Result<BySeat<CardText>> {
        cards_on_file(&self.conn, code, turn)
    }

    /// Seals of a turn that are to be opened: nonce and text.
    pub fn seal(
        &self,
        code: &str,
        turn: Turn,
        seat: Seat,
        key: &str,
    ) -> Result<Option<(String, String)>> {
        let sql = "SELECT nonce, text FROM seal
                   WHERE game = ?1 AND turn = ?2 AND seat = ?3 AND key = ?4";
        let row = |r: &Row| Ok((r.get(0)?, r.get(1)?));
        let found = self.conn.prepare_cached(sql)?.query_row(params![code, turn, seat.0, key], row);
        Ok(found.optional()?)
    }

    /// Commits a turn: journal, next turn, missed counts and all its mails.
    ///
    /// Nothing is kept when the game is not as it was when the turn began to run:
    /// another process ran it, a card came, it was held. The answer says whether
    /// the turn was kept.
    pub fn run_turn(
        &mut self,
        code: &str,
        record: &TurnRecord,
        dice: &[Roll],
        next: &NextTurn,
        mails: &[QueuedMail],
        now: Timestamp,
    ) -> Result<bool> {
        self.write(|tx| {
            let open: Turn =
                tx.query_row("SELECT turn FROM game WHERE code = ?1", [code], |r| r.get(0))?;
            let held = "SELECT count(*) FROM game WHERE code = ?1 AND status = 'held'";
            let held: u32 = tx.query_row(held, [code], |r| r.get(0))?;
            let changed = record.turn > 0 && cards_on_file(tx, code, record.turn)? != next.on_file;
            if open != record.turn || held > 0 || changed {
                return Ok(false);
            }
            let sql = "INSERT INTO turn VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
            let missed = to_json(&missed_counts(tx, code)?);
            // JSON has text keys, so cards are kept as pairs.
            let cards: Vec<(&Seat, &CardText)> = record.cards.iter().collect();
            tx.execute(
                sql,
                params![
                    code,
                    record.turn,
                    record.rules_version,
                    record.seed.cast_signed(),
                    to_json(&cards),
                    pack(&record.saved.state),
                    pack(&record.saved.events),
                    pack(to_json(&dice).as_bytes()),
                    record.hash,
                    ms(now),
                    missed
                ],
            )?;
            let sql =
                "UPDATE game SET turn = ?2, seed = ?3, status = ?4, deadline = ?5 WHERE code = ?1";
            let deadline = next.deadline.map(ms);
            let seed = next.seed.cast_signed();
            tx.execute(sql, params![code, next.turn, seed, next.status.word(), deadline])?;
            carry(tx, code, next, now)?;
            if record.turn > 0 {
                count_missed(tx, code, record.turn, now)?;
            }
            next.fees.iter().try_for_each(|(seat, entry)| enter(tx, code, *seat, entry))?;
            mails.iter().try_for_each(|m| enqueue(tx, m, None, now))?;
            Ok(true)
        })
    }

    /// Takes the last turn back: its record goes, the game is held as it was before,
    /// and mails of it that have not left stay here. The answer is the turn that is
    /// open again; `None` when somebody has answered it, or there is none.
    pub fn undo_turn(&mut self, code: &str) -> Result<Option<Turn>> {
        self.write(|tx| {
            let sql =
                "SELECT turn FROM game WHERE code = ?1 AND status IN ('running', 'held', 'over')";
            let open: Option<Turn> = tx.query_row(sql, [code], |r| r.get(0)).optional()?;
            let Some(open) = open.filter(|t| *t > 1) else { return Ok(None) };
            let last = open - 1;
            let answered = "SELECT 1 FROM orders o JOIN mail m ON m.id = o.mail JOIN turn t
                            ON t.game = o.game AND t.turn = ?3
                            WHERE o.game = ?1 AND o.turn = ?2 AND m.received_at >= t.ran_at";
            if tx.prepare(answered)?.exists(params![code, open, last])? {
                return Ok(None);
            }
            let sql = "SELECT seed, missed FROM turn WHERE game = ?1 AND turn = ?2";
            let row = |r: &Row| Ok((r.get::<_, i64>(0)?, r.get::<_, String>(1)?));
            let (seed, missed) = tx.query_row(sql, params![code, last], row)?;
            let missed: Vec<(u8, u32)> =
                serde_json::from_str(&missed).map_err(|e| StoreError::Corrupt(e.to_string()))?;
            for (seat, count) in missed {
                let sql = "UPDATE seat SET missed = ?3 WHERE game = ?1 AND seat = ?2";
                tx.execute(sql, params![code, seat, count])?;
            }
            for sql in [
                "DELETE FROM turn WHERE game = ?1 AND turn = ?2 - 1",
                "DELETE FROM orders WHERE game = ?1 AND turn = ?2 AND mail IS NULL",
                "DELETE FROM credit WHERE game = ?1 AND turn = ?2",
                "DELETE FROM reminded WHERE game = ?1 AND turn >= ?2 - 1",
                "UPDATE outbox SET state = 'failed', last_error = 'the turn was taken back'
                 WHERE game = ?1 AND turn = ?2 AND state IN ('waiting', 'drawing', 'suppressed')",
            ] {
                tx.execute(sql, params![code, open])?;
            }
            // Nobody is ready for a turn that he has seen the end of.
            tx.execute("UPDATE seat SET ready = 0 WHERE game = ?1", [code])?;
            let sql = "UPDATE game SET turn = ?2, seed = ?3, status = 'held', deadline = NULL, waited = 0,
                       held_why = 'its last turn was taken back', revision = revision + 1
                       WHERE code = ?1";
            tx.execute(sql, params![code, last, seed])?;
            Ok(Some(last))
        })
    }

    /// Hash of a turn, by which a game in memory is known to be the newest.
    pub fn hash_of(&self, code: &str, turn: Turn) -> Result<Option<String>> {
        let sql = "SELECT hash FROM turn WHERE game = ?1 AND turn = ?2";
        let found = self.conn.prepare_cached(sql)?.query_row(params![code, turn], |r| r.get(0));
        Ok(found.optional()?)
    }
}

fn missed_counts(tx: &Connection, code: &str) -> Result<Vec<(u8, u32)>> {
    let mut query = tx.prepare_cached("SELECT seat, missed FROM seat WHERE game = ?1")?;
    let rows = query.query_map([code], |r| Ok((r.get(0)?, r.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn cards_on_file(conn: &Connection, code: &str, turn: Turn) -> Result<BySeat<CardText>> {
    let sql = "SELECT seat, card FROM orders WHERE game = ?1 AND turn = ?2";
    let mut query = conn.prepare_cached(sql)?;
    let row = |r: &Row| Ok((Seat(r.get(0)?), r.get::<_, String>(1)?));
    let rows: Vec<(Seat, String)> =
        query.query_map(params![code, turn], row)?.collect::<rusqlite::Result<_>>()?;
    let card =
        |text: &str| serde_json::from_str(text).map_err(|e| StoreError::Corrupt(e.to_string()));
    rows.into_iter().map(|(s, text)| Ok((s, card(&text)?))).collect()
}

fn cards_of(text: &str) -> Result<BySeat<CardText>> {
    let pairs: Vec<(Seat, CardText)> =
        serde_json::from_str(text).map_err(|e| StoreError::Corrupt(e.to_string()))?;
    Ok(pairs.into_iter().collect())
}

fn carry(tx: &Connection, code: &str, next: &NextTurn, now: Timestamp) -> Result<()> {
    for (seat, lines) in &next.carried {
        let card = CardText::numbered(1, lines.iter().map(String::as_str));
        let sql = "INSERT OR IGNORE INTO orders VALUES (?1, ?2, ?3, ?4, NULL, ?5)";
        tx.execute(sql, params![code, seat.0, next.turn, to_json(&card), ms(now)])?;
    }
    Ok(())
}

/// A card that a computer wrote is no card of the player's; a vacation is no absence.
fn count_missed(tx: &Connection, code: &str, turn: Turn, now: Timestamp) -> Result<()> {
    let sql = "UPDATE seat SET missed = CASE WHEN EXISTS
               (SELECT 1 FROM orders o WHERE o.game = seat.game AND o.seat = seat.seat
                AND o.turn = ?2) THEN 0 ELSE missed + 1 END
               WHERE game = ?1 AND (away_from IS NULL OR ?3 < away_from OR ?3 >= away_until)";
    tx.execute(sql, params![code, turn, ms(now)])?;
    Ok(())
}
