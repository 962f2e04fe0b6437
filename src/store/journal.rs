//! The journal: what each turn was made from, and its result.

use std::collections::BTreeSet;

use jiff::Timestamp;

use super::credit::{Entry, enter};
use super::db::{Db, Row, params};
use super::outbox::{QueuedMail, enqueue};
use super::part::part;
use super::words::TURN_TAKEN_BACK;
use super::words::sql::*;
use super::{Result, Status, Step, StoreError, Tx, ms, pack, time, to_json, unpack};
use base::chain::Chain;
use base::secrets::sha256_hex;
use engine::dice::Roll;
use engine::{BySeat, CardText, Saved, Seat, Sits, Turn};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// One turn that ran.
#[derive(Debug, Clone)]
pub struct TurnRecord {
    /// 0 is the making of the game.
    pub turn: Turn,
    /// Version of the engine's rules that ran it.
    pub rules_version: u32,
    /// Seed of its dice.
    pub seed: u64,
    /// The cards that it was made from, by seat.
    pub cards: BySeat<CardText>,
    /// The state of each seat; empty in games that ran before this was kept.
    pub seats: BySeat<Sits>,
    /// Notes of computer players for their next turn.
    pub notes: BySeat<String>,
    /// The seals that the turn opened.
    pub seals: Vec<OpenedSeal>,
    /// What the engine saved after it.
    pub saved: Saved,
    /// SHA-256 of state, events and dice, in hexadecimal.
    pub hash: String,
    /// Digests of the reports that seats got about it; empty in games that ran before this was
    /// kept.
    pub told: Told,
}

/// The reports of a step that seats got, as digests.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// Version of the program that wrote the reports.
    pub program: String,
    /// SHA-256 of each report in English, in hexadecimal.
    pub reports: Vec<(Seat, String)>,
}

/// A seal that was opened: anybody may check it against the digest that was shown earlier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedSeal {
    /// The seat that it belongs to.
    pub seat: Seat,
    /// Its name.
    pub key: String,
    /// 128 random bits in hexadecimal.
    pub nonce: String,
    /// The text that was sealed.
    pub text: String,
}

impl OpenedSeal {
    /// The digest that was shown earlier: SHA-256 of nonce, a blank and the text.
    pub fn digest(&self) -> String {
        sha256_hex(format!("{} {}", self.nonce, self.text).as_bytes())
    }
}

/// What opens with the next turn.
#[derive(Debug, Clone)]
pub struct NextTurn {
    /// The step that opens; it awaits nobody when the game is over.
    pub step: Step,
    /// Seed of the turn that opens, in a game without chains.
    pub seed: u64,
    /// The chains of seeds, including any that was drawn for steps to come.
    pub chains: Vec<Chain>,
    /// Status of the game from then on.
    pub status: Status,
    /// Lines that are carried over and on file again.
    pub carried: BySeat<Vec<String>>,
    /// Cards that were sent in advance for the step, and whether each card says, now that the step
    /// opens, that its sender is done.
    pub in_advance: BySeat<(CardText, bool)>,
    /// Seals of the cards that computers wrote for the step that ran.
    pub sealed: Vec<OpenedSeal>,
    /// Fees for printouts.
    pub fees: Vec<(Seat, Entry)>,
    /// The cards that were on file when the turn began to run.
    pub on_file: BySeat<CardText>,
    /// Seats that were awaited, had the step's whole clock, and sent nothing.
    pub missed: Vec<Seat>,
    /// Seats whose players sent a card, or said that they are ready.
    pub present: Vec<Seat>,
}

/// What is known about a seat's card without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ordered {
    /// Whether the card says that its sender is done.
    pub done: bool,
}

/// Hash of a turn's result: state, events, and every roll that led there.
pub fn turn_hash(saved: &Saved, dice: &[Roll]) -> String {
    let mut bytes = (saved.state.len() as u64).to_be_bytes().to_vec();
    bytes.extend(&saved.state);
    bytes.extend(&saved.events);
    bytes.extend(to_json(&dice).as_bytes());
    sha256_hex(&bytes)
}

/// Digest of what a turn is made from. Not every turn rolls dice, so a changed seed would not
/// always show in the result.
fn made_from(turn: Turn, seed: i64, cards: &str, seats: &str) -> String {
    sha256_hex(format!("{turn}\n{seed}\n{cards}\n{seats}").as_bytes())
}

part!(
    /// Turns that ran, and what is on file for the open ones.
    Journal = Reader.journal
);

impl Journal<'_> {
    /// Whether seed, cards and seats of a turn are still those that it was made from.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it.
    pub fn is_as_made(&self, code: &str, turn: Turn) -> Result<bool> {
        let sql = "SELECT seed, cards, seats, made FROM turn WHERE game = $1 AND turn = $2";
        let row = |r: &Row| {
            let (cards, seats): (String, String) = (r.get(1)?, r.get(2)?);
            let (made, kept) = (made_from(turn, r.get(0)?, &cards, &seats), r.get::<_, String>(3)?);
            Ok(kept.is_empty() || made == kept)
        };
        self.db.one(sql, params![code, turn], row)
    }

    /// The game as the turn left it.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; so for every method here.
    pub fn saved(&self, code: &str, turn: Turn) -> Result<Option<Saved>> {
        let sql = "SELECT state_z, events_z FROM turn WHERE game = $1 AND turn = $2";
        let row = |r: &Row| Ok((r.get::<_, Vec<u8>>(0)?, r.get::<_, Vec<u8>>(1)?));
        let found = self.db.first(sql, params![code, turn], row)?;
        let Some((state, events)) = found else { return Ok(None) };
        Ok(Some(Saved { state: unpack(&state)?, events: unpack(&events)? }))
    }

    /// Every turn of a game in order.
    pub fn turns(&self, code: &str) -> Result<Vec<TurnRecord>> {
        let sql = "SELECT turn, rules_version, seed, cards, state_z, events_z, hash, seats, notes,
                   seals, told FROM turn WHERE game = $1 ORDER BY turn";
        self.db.all(sql, params![code], |row| {
            let cards: String = row.get(3)?;
            let seed: i64 = row.get(2)?;
            let saved = Saved {
                state: unpack(&row.get::<_, Vec<u8>>(4)?)?,
                events: unpack(&row.get::<_, Vec<u8>>(5)?)?,
            };
            Ok(TurnRecord {
                turn: row.get(0)?,
                rules_version: row.get(1)?,
                seed: seed.cast_unsigned(),
                cards: pairs(&cards)?,
                seats: pairs(&row.get::<_, String>(7)?)?,
                notes: pairs(&row.get::<_, String>(8)?)?,
                seals: parsed(&row.get::<_, String>(9)?)?,
                saved,
                hash: row.get(6)?,
                told: parsed_told(&row.get::<_, String>(10)?)?,
            })
        })
    }

    /// The seed of a turn that has run.
    pub fn seed_of(&self, code: &str, turn: Turn) -> Result<Option<u64>> {
        let sql = "SELECT seed FROM turn WHERE game = $1 AND turn = $2";
        let found: Option<i64> = self.db.first(sql, params![code, turn], |r| r.get(0))?;
        Ok(found.map(i64::cast_unsigned))
    }

    /// The digests of the reports that seats got about a turn that has run.
    pub fn reported(&self, code: &str, turn: Turn) -> Result<Told> {
        let sql = "SELECT told FROM turn WHERE game = $1 AND turn = $2";
        let found: Option<String> = self.db.first(sql, params![code, turn], |r| r.get(0))?;
        parsed_told(&found.unwrap_or_default())
    }

    /// When each player's last card for each turn came.
    pub fn receipts(&self, code: &str) -> Result<Vec<(Turn, Seat, Timestamp)>> {
        let sql = "SELECT turn, seat, received_at FROM orders WHERE game = $1 AND mail IS NOT NULL
                   ORDER BY turn, seat";
        let row = |r: &Row| Ok((r.get(0)?, Seat(r.get(1)?), time(r.get(2)?)));
        self.db.all(sql, params![code], row)
    }

    /// The seeds of all turns that ran, by turn; 0 is the making of the game.
    pub fn seeds(&self, code: &str) -> Result<Vec<(Turn, u64)>> {
        let sql = "SELECT turn, seed FROM turn WHERE game = $1 ORDER BY turn";
        let row = |r: &Row| Ok((r.get(0)?, r.get::<_, i64>(1)?.cast_unsigned()));
        self.db.all(sql, params![code], row)
    }

    /// All cards on file for a turn.
    pub fn cards(&self, code: &str, turn: Turn) -> Result<BySeat<CardText>> {
        cards_on_file(&self.db, code, turn)
    }

    /// The notes that computer players made when a turn ran.
    pub fn notes(&self, code: &str, turn: Turn) -> Result<BySeat<String>> {
        let sql = "SELECT notes FROM turn WHERE game = $1 AND turn = $2";
        let found: Option<String> = self.db.first(sql, params![code, turn], |r| r.get(0))?;
        found.map_or(Ok(BySeat::new()), |text| pairs(&text))
    }

    /// A seat's newest closed seal of a name that was filed for a step up to `turn`.
    pub fn seal(
        &self,
        code: &str,
        turn: Turn,
        seat: Seat,
        key: &str,
    ) -> Result<Option<OpenedSeal>> {
        let sql = "SELECT seat, key, nonce, text FROM seal WHERE game = $1 AND turn <= $2
                   AND seat = $3 AND key = $4 AND opened IS NULL ORDER BY turn DESC LIMIT 1";
        self.db.first(sql, params![code, turn, seat.0, key], seal)
    }

    /// A seat's seal as it was filed for a step, for a card that is filed again.
    pub fn filed_seal(
        &self,
        code: &str,
        turn: Turn,
        seat: Seat,
        key: &str,
    ) -> Result<Option<OpenedSeal>> {
        let sql = "SELECT seat, key, nonce, text FROM seal
                   WHERE game = $1 AND turn = $2 AND seat = $3 AND key = $4";
        self.db.first(sql, params![code, turn, seat.0, key], seal)
    }

    /// All closed seals of a game, in the order of their steps.
    pub fn closed_seals(&self, code: &str) -> Result<Vec<OpenedSeal>> {
        let sql = "SELECT seat, key, nonce, text FROM seal WHERE game = $1 AND opened IS NULL
                   ORDER BY turn, seat, key";
        self.db.all(sql, params![code], seal)
    }

    /// Seats whose card for a turn came by mail. Lines that were carried over from an earlier step
    /// are not a card, nor is an empty card.
    pub fn ordered(&self, code: &str, turn: Turn) -> Result<BySeat<Ordered>> {
        let sql = "SELECT seat, done FROM orders WHERE game = $1 AND turn = $2
                   AND mail IS NOT NULL AND card NOT LIKE '%\"lines\":[]%'";
        let row = |r: &Row| Ok((Seat(r.get(0)?), Ordered { done: r.get(1)? }));
        self.db.all(sql, params![code, turn], row)
    }

    /// Seats that mailed a card for a turn, even one that withdraws everything.
    pub fn mailed_cards(&self, code: &str, turn: Turn) -> Result<BTreeSet<Seat>> {
        let sql = "SELECT seat FROM orders WHERE game = $1 AND turn = $2 AND mail IS NOT NULL";
        self.db.all(sql, params![code, turn], |r| Ok(Seat(r.get(0)?)))
    }

    /// Seats whose players sent a card for a turn or for a later one.
    pub fn mailed_from(&self, code: &str, turn: Turn) -> Result<BTreeSet<Seat>> {
        let sql = "SELECT DISTINCT seat FROM orders
                   WHERE game = $1 AND turn >= $2 AND mail IS NOT NULL";
        self.db.all(sql, params![code, turn], |r| Ok(Seat(r.get(0)?)))
    }

    /// Hash of a turn, which shows whether a game in memory is the newest.
    pub fn hash_of(&self, code: &str, turn: Turn) -> Result<Option<String>> {
        // The index avoids reading through megabytes of state, which come first in the row.
        let sql = "SELECT hash FROM turn INDEXED BY turn_hash WHERE game = $1 AND turn = $2";
        let read = || self.db.first(sql, params![code, turn], |r| r.get(0));
        self.memo.get(|| format!("hash {code} {turn}"), read)
    }
}

impl Tx<'_> {
    /// Commits a turn: journal, next step, missed counts and all its mails.
    ///
    /// Nothing is kept when the game has changed since the turn began to run: another process ran
    /// it, a card came, or it was suspended. The answer says whether the turn was kept.
    pub fn run_turn(
        &self,
        code: &str,
        record: &TurnRecord,
        dice: &[Roll],
        next: &NextTurn,
        mails: &[QueuedMail],
        now: Timestamp,
    ) -> Result<bool> {
        let tx = &self.db;
        self.lock_game(code)?;
        let open: Turn =
            tx.one("SELECT turn FROM game WHERE code = $1", params![code], |r| r.get(0))?;
        let suspended =
            &format!("SELECT count(*) FROM game WHERE code = $1 AND status = '{SUSPENDED}'");
        let suspended: u32 = tx.one(suspended, params![code], |r| r.get(0))?;
        let advance: BySeat<CardText> =
            next.in_advance.iter().map(|(seat, (card, _))| (*seat, card.clone())).collect();
        let changed = record.turn > 0
            && (cards_on_file(tx, code, record.turn)? != next.on_file
                || cards_on_file(tx, code, next.step.number)? != advance);
        if open != record.turn || suspended > 0 || changed {
            return Ok(false);
        }
        keep(tx, code, record, dice, now)?;
        let sql = "UPDATE game SET turn = $2, seed = $3, status = $4, chains = $5 WHERE code = $1";
        let seed = next.seed.cast_signed();
        let chains = to_json(&next.chains);
        tx.exec(sql, params![code, next.step.number, seed, next.status, chains])?;
        super::step::open(tx, code, &next.step)?;
        carry(tx, code, next, now)?;
        for (seat, (_, done)) in &next.in_advance {
            let sql = "UPDATE orders SET done = $4 WHERE game = $1 AND seat = $2 AND turn = $3";
            tx.exec(sql, params![code, seat.0, next.step.number, done])?;
        }
        for sealed in &next.sealed {
            // A step that is run again after it was taken back has new nonces.
            let sql = "INSERT INTO seal (game, turn, seat, key, nonce, text)
                       VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (game, turn, seat, key)
                       DO UPDATE SET nonce = excluded.nonce, text = excluded.text, opened = NULL";
            let OpenedSeal { seat, key, nonce, text } = sealed;
            tx.exec(sql, params![code, record.turn, seat.0, key, nonce, text])?;
        }
        if record.turn > 0 {
            count_missed(tx, code, next)?;
        }
        for opened in &record.seals {
            let sql = "UPDATE seal SET opened = $2
                       WHERE game = $1 AND seat = $3 AND key = $4 AND nonce = $5";
            let seat = opened.seat.0;
            tx.exec(sql, params![code, record.turn, seat, opened.key, opened.nonce])?;
        }
        next.fees.iter().try_for_each(|(seat, entry)| enter(tx, code, *seat, entry))?;
        mails.iter().try_for_each(|m| enqueue(tx, m, None, now))?;
        Ok(true)
    }

    /// Withdraws all cards for a turn and for later ones: what they answered is void.
    pub fn withdraw_orders(&self, code: &str, turn: Turn) -> Result<()> {
        let tx = &self.db;
        let sql = "DELETE FROM seal WHERE game = $1 AND turn >= $2";
        tx.exec(sql, params![code, turn])?;
        tx.exec("DELETE FROM orders WHERE game = $1 AND turn >= $2", params![code, turn])?;
        Ok(())
    }

    /// Takes the last turn back: its record is deleted, the game is suspended in the state before
    /// it, and mails about it that have not left are not sent. The answer is the turn that is open
    /// again; `None` when somebody has already answered the newer turn, or there is no turn to take
    /// back.
    pub fn undo_turn(&self, code: &str) -> Result<Option<Turn>> {
        self.lock_game(code)?;
        let tx = &self.db;
        let sql = &format!(
            "SELECT turn FROM game WHERE code = $1 AND status
             IN ('{RUNNING}', '{SUSPENDED}', '{OVER}')"
        );
        let open: Option<Turn> = tx.first(sql, params![code], |r| r.get(0))?;
        let Some(open) = open.filter(|t| *t > 1) else { return Ok(None) };
        let last = open - 1;
        let answered = "SELECT 1 FROM orders o JOIN mail m ON m.id = o.mail JOIN turn t
                        ON t.game = o.game AND t.turn = $3
                        WHERE o.game = $1 AND o.turn = $2 AND m.received_at >= t.ran_at";
        if tx.exists(answered, params![code, open, last])? {
            return Ok(None);
        }
        let sql = "SELECT seed, missed FROM turn WHERE game = $1 AND turn = $2";
        let row = |r: &Row| Ok((r.get::<_, i64>(0)?, r.get::<_, String>(1)?));
        let (seed, missed) = tx.one(sql, params![code, last], row)?;
        let missed: Vec<(u8, u32)> =
            serde_json::from_str(&missed).map_err(|e| StoreError::Corrupt(e.to_string()))?;
        for (seat, count) in missed {
            let sql = "UPDATE seat SET missed = $3 WHERE game = $1 AND seat = $2";
            tx.exec(sql, params![code, seat, count])?;
        }
        for sql in [
            "DELETE FROM turn WHERE game = $1 AND turn = $2 - 1",
            "DELETE FROM orders WHERE game = $1 AND turn = $2 AND mail IS NULL",
            "DELETE FROM step WHERE game = $1 AND number = $2",
            "UPDATE seal SET opened = NULL WHERE game = $1 AND opened = $2 - 1",
            // The seals of computers, whose cards are written again.
            "DELETE FROM seal WHERE game = $1 AND turn = $2 - 1 AND seat NOT IN
             (SELECT seat FROM orders o WHERE o.game = $1 AND o.turn = $2 - 1
              AND o.mail IS NOT NULL)",
            "DELETE FROM credit WHERE game = $1 AND turn = $2",
            "DELETE FROM reminded WHERE game = $1 AND turn >= $2 - 1",
        ] {
            tx.exec(sql, params![code, open])?;
        }
        let sql = &format!(
            "UPDATE outbox SET state = '{FAILED}', last_error = '{TURN_TAKEN_BACK}'
             WHERE game = $1 AND turn = $2
             AND (cause IS NULL OR kind IN ('{PRINTOUT}', '{PART}'))
             AND state IN ('{WAITING}', '{DRAWING}', '{SUPPRESSED}')"
        );
        // The echo of a card stays: the card is still on file, and its player waits for it.
        tx.exec(sql, params![code, open])?;
        drop_carried(tx, code, open)?;
        // Nobody is ready for a turn whose end they have seen.
        tx.exec("UPDATE seat SET ready = 0 WHERE game = $1", params![code])?;
        let sql = &format!(
            "UPDATE game SET turn = $2, status = '{SUSPENDED}',
             seed = CASE WHEN chains = '[]' THEN CAST($3 AS BIGINT) ELSE 0 END,
             suspended_why = 'its last turn was taken back', revision = revision + 1
             WHERE code = $1"
        );
        tx.exec(sql, params![code, last, seed])?;
        self.set_deadline(code, None)?;
        Ok(Some(last))
    }
}

/// Writes down what a turn was made from, and its result.
fn keep(tx: &Db, code: &str, record: &TurnRecord, dice: &[Roll], now: Timestamp) -> Result<()> {
    let sql = "INSERT INTO turn (game, turn, rules_version, seed, cards, state_z, events_z,
                   dice_z, hash, ran_at, missed, seats, notes, seals, made, card_count, told)
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)";
    let missed = to_json(&missed_counts(tx, code)?);
    let (seed, cards, seats) =
        (record.seed.cast_signed(), in_pairs(&record.cards), in_pairs(&record.seats));
    let made = made_from(record.turn, seed, &cards, &seats);
    tx.exec(
        sql,
        params![
            code,
            record.turn,
            record.rules_version,
            seed,
            cards,
            pack(&record.saved.state),
            pack(&record.saved.events),
            pack(to_json(&dice).as_bytes()),
            record.hash,
            ms(now),
            missed,
            seats,
            in_pairs(&record.notes),
            to_json(&record.seals),
            made,
            record.cards.len() as i64,
            to_json(&record.told)
        ],
    )?;
    Ok(())
}

fn missed_counts(tx: &Db, code: &str) -> Result<Vec<(u8, u32)>> {
    tx.all("SELECT seat, missed FROM seat WHERE game = $1 ORDER BY seat", params![code], |r| {
        Ok((r.get(0)?, r.get(1)?))
    })
}

fn cards_on_file(conn: &Db, code: &str, turn: Turn) -> Result<BySeat<CardText>> {
    let sql = "SELECT seat, card FROM orders WHERE game = $1 AND turn = $2";
    let row = |r: &Row| Ok((Seat(r.get(0)?), r.get::<_, String>(1)?));
    let rows: Vec<(Seat, String)> = conn.all(sql, params![code, turn], row)?;
    let card =
        |text: &str| serde_json::from_str(text).map_err(|e| StoreError::Corrupt(e.to_string()));
    rows.into_iter().map(|(s, text)| Ok((s, card(&text)?))).collect()
}

/// Maps by seat as pairs, because keys in JSON are texts.
fn in_pairs<T: Serialize>(map: &BySeat<T>) -> String {
    to_json(&map.iter().collect::<Vec<_>>())
}

fn pairs<T: DeserializeOwned>(text: &str) -> Result<BySeat<T>> {
    Ok(parsed::<Vec<(Seat, T)>>(text)?.into_iter().collect())
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T> {
    serde_json::from_str(text).map_err(|e| StoreError::Corrupt(e.to_string()))
}

fn parsed_told(text: &str) -> Result<Told> {
    if text.is_empty() { Ok(Told::default()) } else { parsed(text) }
}

fn seal(row: &Row) -> Result<OpenedSeal> {
    let seat = Seat(row.get("seat")?);
    Ok(OpenedSeal { seat, key: row.get("key")?, nonce: row.get("nonce")?, text: row.get("text")? })
}

/// Puts carried lines on file for the step that opens, above lines that were sent in advance.
fn carry(tx: &Db, code: &str, next: &NextTurn, now: Timestamp) -> Result<()> {
    for (seat, lines) in &next.carried {
        let sql = "SELECT card FROM orders WHERE game = $1 AND seat = $2 AND turn = $3";
        let turn = next.step.number;
        let found: Option<String> = tx.first(sql, params![code, seat.0, turn], |r| r.get(0))?;
        let card = CardText::of(lines);
        let (count, Some(sent)) = (card.lines.len() as i64, &found) else {
            let sql = "INSERT INTO orders (game, seat, turn, card, mail, received_at, carried)
                       VALUES ($1, $2, $3, $4, NULL, $5, $6)";
            let (at, count) = (ms(now), card.lines.len() as i64);
            tx.exec(sql, params![code, seat.0, turn, to_json(&card), at, count])?;
            continue;
        };
        let sent: CardText = parsed(sent)?;
        let sql = "UPDATE orders SET card = $4, carried = $5
                   WHERE game = $1 AND seat = $2 AND turn = $3";
        let card = to_json(&card.followed_by(&sent));
        tx.exec(sql, params![code, seat.0, turn, card, count])?;
    }
    Ok(())
}

/// Takes carried lines out of the cards of a step that did not open after all.
fn drop_carried(tx: &Db, code: &str, turn: Turn) -> Result<()> {
    let sql =
        "SELECT seat, card, carried FROM orders WHERE game = $1 AND turn = $2 AND carried > 0";
    let row = |r: &Row| Ok((r.get::<_, u8>(0)?, r.get::<_, String>(1)?, r.get::<_, u32>(2)?));
    let rows: Vec<_> = tx.all(sql, params![code, turn], row)?;
    for (seat, card, carried) in rows {
        let mut card: CardText = parsed(&card)?;
        card.lines.drain(..(carried as usize).min(card.lines.len()));
        let sql = "UPDATE orders SET card = $4, carried = 0
                   WHERE game = $1 AND seat = $2 AND turn = $3";
        tx.exec(sql, params![code, seat, turn, to_json(&card)])?;
    }
    Ok(())
}

/// Sets the count of missed turns to 0 for seats that are present, and adds one for seats that
/// missed the step. A card that a computer wrote, or that was carried over, does not count as the
/// player's.
fn count_missed(tx: &Db, code: &str, next: &NextTurn) -> Result<()> {
    let back = "UPDATE seat SET missed = 0 WHERE game = $1 AND seat = $2 AND missed > 0";
    for seat in &next.present {
        tx.exec(back, params![code, seat.0])?;
    }
    let away = "UPDATE seat SET missed = missed + 1 WHERE game = $1 AND seat = $2";
    for seat in &next.missed {
        tx.exec(away, params![code, seat.0])?;
    }
    Ok(())
}
