//! The single changes that verdicts, calendars and the game master make, and how each is written.

use jiff::Timestamp;

use super::db::{Db, params};
use super::outbox::{QueuedMail, enqueue};
use super::people::{JoinRequest, Question};
use super::seat::SeatChange;
use super::unit::set_note;
use super::words::sql::{BOUNCED, FAILED};
use super::{Result, SeatRow, Tx, canonical, ms, pack, people, seat, step, to_json};
use engine::{CardText, Seal, Seat, Turn};

/// Orders of a card that are put on file.
#[derive(Debug, Clone)]
pub struct NewOrders {
    /// Code of the game.
    pub game: String,
    /// The seat that gives them.
    pub seat: Seat,
    /// The turn that they are for.
    pub turn: Turn,
    /// The card with the orders.
    pub card: CardText,
    /// Number of the mail that it came by.
    pub mail: i64,
    /// When the mail was received.
    pub received_at: Timestamp,
    /// Whether the card says that its sender is done.
    pub done: bool,
    /// The seals with their nonces; the seals of a card that it replaces are dropped.
    pub seals: Vec<(Seal, String)>,
    /// Whether a card that it replaces may have seals.
    pub had_seals: bool,
}

/// One thing that a verdict changes, in the same commit.
#[derive(Debug, Clone)]
pub enum Effect {
    /// Orders that are now on file; an empty card withdraws them.
    Orders(NewOrders),
    /// A pending mail that this one confirmed.
    Confirmed(i64),
    /// A seat changes: the game's code, the seat and the change.
    Seat(String, Seat, SeatChange),
    /// A vote for an extension.
    Vote {
        /// Code of the game.
        game: String,
        /// The turn to be extended.
        turn: Turn,
        /// The seat that votes.
        seat: Seat,
        /// Length of the extension in days.
        days: u32,
        /// The voter's reason, as text.
        reason: String,
    },
    /// The open turn's deadline moves, and its votes are used up.
    Deadline {
        /// Code of the game.
        game: String,
        /// The open turn.
        turn: Turn,
        /// The new deadline.
        at: Timestamp,
    },
    /// The open step's deadline moves; nothing else does.
    Due {
        /// Code of the game.
        game: String,
        /// The open turn.
        turn: Turn,
        /// The new deadline.
        at: Timestamp,
    },
    /// Somebody is asked a question.
    Ask(Question),
    /// Somebody on a game's waiting list was offered a seat: the game's code and their address.
    Offered(String, String),
    /// A question that was answered.
    Answered(i64),
    /// A player takes a seat.
    Take(Box<SeatRow>),
    /// Somebody joins a waiting list: the game's code, their address and their request.
    Wait(String, String, JoinRequest),
    /// One of our mails came back.
    Bounced {
        /// Number of the mail in the outbox.
        mail: i64,
        /// Address that the mail did not reach.
        address: String,
        /// Status code of the report.
        status: String,
        /// Whether it failed for good.
        hard: bool,
        /// Number of bounces that an address may have.
        limit: u32,
    },
    /// Mail reaches an address.
    Reachable(String),
    /// An address was asked not to write through a list.
    ListTold(String),
    /// The person with this address is erased.
    Erase(String),
    /// A text that the host keeps: its name and the text.
    Note(String, String),
    /// Signatures that vouched for a mail, and its number.
    Signed(i64, Vec<String>),
    /// The raw bytes of a mail are no longer worth their room.
    EraseRaw(i64),
    /// A mail holds a password or is from somebody who is to be forgotten: neither the store nor
    /// the mailbox keeps it.
    Remove(i64),
    /// A mail holds a password: the store keeps these bytes instead, and the mailbox keeps nothing.
    Shred(i64, Vec<u8>),
}

/// Something that happens by itself, such as a reminder: it is done once, and whole or not at all.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// The game, the step and a name, for a change that is done only once; `None`: it is done each
    /// time.
    pub once: Option<(String, Turn, String)>,
    /// What changes.
    pub effects: Vec<Effect>,
    /// Mails that announce it.
    pub mails: Vec<QueuedMail>,
}

impl Tx<'_> {
    /// Makes a change. The result says whether it was still to be done.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it.
    pub fn apply(&self, change: &Change, now: Timestamp) -> Result<bool> {
        if let Some((game, number, name)) = &change.once {
            let sql = "INSERT INTO reminded VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
            let key = params![game, number, name];
            if self.db.exec(sql, key)? == 0 {
                return Ok(false);
            }
        }
        change.effects.iter().try_for_each(|e| effect(&self.db, e, now))?;
        change.mails.iter().try_for_each(|m| enqueue(&self.db, m, None, now))?;
        Ok(true)
    }
}

pub(super) fn effect(tx: &Db, effect: &Effect, now: Timestamp) -> Result<()> {
    match effect {
        Effect::Orders(new) => file_orders(tx, new),
        Effect::Confirmed(pending) => {
            tx.exec("UPDATE pending SET used = 1 WHERE mail = $1", params![pending])?;
            Ok(())
        }
        Effect::Seat(game, seat, change) => seat::change(tx, game, *seat, change),
        Effect::Vote { game, turn, seat, days, reason } => {
            let sql = "INSERT INTO vote VALUES ($1, $2, $3, $4, $5) ON CONFLICT (game, turn, seat)
                       DO UPDATE SET days = excluded.days, reason = excluded.reason";
            tx.exec(sql, params![game, turn, seat.0, days, reason])?;
            Ok(())
        }
        Effect::Deadline { game, turn, at } => {
            step::set_due(tx, game, Some(*turn), Some(*at))?;
            for sql in [
                "DELETE FROM vote WHERE game = $1 AND turn = $2",
                "INSERT INTO reminded VALUES ($1, $2, 'extended') ON CONFLICT DO NOTHING",
            ] {
                tx.exec(sql, params![game, turn])?;
            }
            Ok(())
        }
        Effect::Due { game, turn, at } => {
            step::set_due(tx, game, Some(*turn), Some(*at))?;
            Ok(())
        }
        Effect::Offered(game, address) => {
            let sql = "UPDATE waiting SET offered_at = $3
                       WHERE game = $1 AND canon = $2";
            tx.exec(sql, params![game, canonical(address), ms(now)])?;
            Ok(())
        }
        Effect::Ask(question) => people::ask(tx, question),
        Effect::Answered(id) => {
            tx.exec("UPDATE question SET done = 1 WHERE id = $1", params![id])?;
            Ok(())
        }
        Effect::Take(row) => {
            seat::take(tx, row)?;
            let sql = "DELETE FROM waiting WHERE game = $1 AND canon = $2";
            tx.exec(sql, params![row.game, canonical(&row.address)])?;
            Ok(())
        }
        Effect::Wait(game, address, request) => people::wait(tx, game, address, request, now),
        Effect::Bounced { mail, address, status, hard, limit } => {
            match bounced(tx, *mail, status)? {
                true => people::bounce(tx, address, *hard, *limit, now),
                false => Ok(()),
            }
        }
        Effect::Reachable(address) => people::recover(tx, address, now),
        Effect::ListTold(address) => {
            let sql = "INSERT INTO address (address, list_told_at) VALUES ($1, $2)
                       ON CONFLICT (address) DO UPDATE SET list_told_at = $2";
            tx.exec(sql, params![canonical(address), ms(now)])?;
            Ok(())
        }
        Effect::Erase(address) => people::erase(tx, address),
        Effect::Note(key, value) => set_note(tx, key, value),
        Effect::Signed(mail, ids) => {
            let sql = "INSERT INTO signature VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
            ids.iter().try_for_each(|id| tx.exec(sql, params![id, mail, ms(now)]).map(drop))
        }
        Effect::EraseRaw(id) => {
            tx.exec("UPDATE mail SET raw_z = NULL WHERE id = $1", params![id])?;
            Ok(())
        }
        Effect::Remove(id) => {
            let sql = "UPDATE mail SET raw_z = NULL, moved = 2 WHERE id = $1";
            tx.exec(sql, params![id])?;
            Ok(())
        }
        Effect::Shred(id, kept) => shred(tx, *id, kept),
    }
}

/// Notes that a mail came back. False: that was known, and a second report about the same mail does
/// not count as a second bounce.
fn bounced(tx: &Db, mail: i64, status: &str) -> Result<bool> {
    let sql = &format!(
        "UPDATE outbox SET state = '{BOUNCED}', last_error = $2
         WHERE id = $1 AND state NOT IN ('{BOUNCED}', '{FAILED}')"
    );
    Ok(tx.exec(sql, params![mail, status])? > 0)
}

/// Keeps other bytes in place of a mail's own, if those are still kept, and removes it from its
/// mailbox.
pub(super) fn shred(tx: &Db, id: i64, kept: &[u8]) -> Result<()> {
    tx.exec("UPDATE mail SET moved = 2 WHERE id = $1 AND moved <> 1", params![id])?;
    let sql = "UPDATE mail SET raw_z = $2 WHERE id = $1 AND raw_z IS NOT NULL";
    tx.exec(sql, params![id, pack(kept)])?;
    Ok(())
}

/// Puts a card on file with its seals; the seals of a card that it replaces are deleted.
fn file_orders(tx: &Db, new: &NewOrders) -> Result<()> {
    let NewOrders { game, seat, turn, card, mail, received_at, done, seals, had_seals } = new;
    let sql = "INSERT INTO orders (game, seat, turn, card, mail, received_at, done, carried)
               VALUES ($1, $2, $3, $4, $5, $6, $7, 0)
               ON CONFLICT (game, seat, turn) DO UPDATE SET card = excluded.card,
               mail = excluded.mail, received_at = excluded.received_at, done = excluded.done,
               carried = 0";
    let at = ms(*received_at);
    let row = params![game, seat.0, turn, to_json(card), mail, at, done];
    tx.exec(sql, row)?;
    if *had_seals {
        let sql = "DELETE FROM seal
                   WHERE game = $1 AND turn = $2 AND seat = $3 AND opened IS NULL";
        tx.exec(sql, params![game, turn, seat.0])?;
    }
    for (seal, nonce) in seals {
        let sql = "INSERT INTO seal (game, turn, seat, key, nonce, text)
                   VALUES ($1, $2, $3, $4, $5, $6)";
        tx.exec(sql, params![game, turn, seat.0, seal.key, nonce, seal.text])?;
    }
    Ok(())
}
