//! Games and their seats.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};

use super::{Result, Store, StoreError, ms, time};
use crate::engine::{Seat, Setup, Turn};
use crate::schedule::Rule;

/// Where a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Takes seats.
    Open,
    Running,
    /// Stopped by a fault or the game master.
    Held,
    Over,
}

impl Status {
    /// Word in the store and in listings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Running => "running",
            Self::Held => "held",
            Self::Over => "over",
        }
    }

    fn of(word: &str) -> Self {
        match word {
            "open" => Self::Open,
            "running" => Self::Running,
            "over" => Self::Over,
            _ => Self::Held,
        }
    }
}

/// A game.
#[derive(Debug, Clone)]
pub struct Game {
    pub code: String,
    pub engine: String,
    pub rules_version: u32,
    pub setup: Setup,
    pub status: Status,
    pub held_why: String,
    pub rule: Rule,
    pub turn: Turn,
    pub deadline: Option<Timestamp>,
    /// Of the open turn; secret until it has run.
    pub seed: u64,
    /// Credits that a printout costs; 0: nothing.
    pub fee: i64,
    /// Turns in a row without orders after which a computer plays on; 0: never.
    pub takeover: u32,
}

/// A seat and its player.
#[derive(Debug, Clone)]
pub struct SeatRow {
    pub game: String,
    pub seat: Seat,
    /// The name that the seat goes by in the game.
    pub name: String,
    pub address: String,
    pub zone: String,
    pub password_digest: String,
    /// Others who meet this seat may learn its address.
    pub disclose: bool,
    /// With the right secret a card may come from any address.
    pub any_address: bool,
    /// Turns in a row without orders.
    pub missed: u32,
    /// A computer plays this seat; nobody gets its mails.
    pub computer: bool,
    /// Language of messages; empty: the engine's first.
    pub language: String,
}

fn json<T: for<'de> serde::Deserialize<'de>>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|e| {
        rusqlite::Error::FromSqlConversionFailure(0, rusqlite::types::Type::Text, Box::new(e))
    })
}

fn game(row: &Row) -> rusqlite::Result<Game> {
    Ok(Game {
        code: row.get("code")?,
        engine: row.get("engine")?,
        rules_version: row.get("rules_version")?,
        setup: json(&row.get::<_, String>("setup")?)?,
        status: Status::of(&row.get::<_, String>("status")?),
        held_why: row.get("held_why")?,
        rule: json(&row.get::<_, String>("rule")?)?,
        turn: row.get("turn")?,
        deadline: row.get::<_, Option<i64>>("deadline")?.map(time),
        seed: row.get::<_, i64>("seed")?.cast_unsigned(),
        fee: row.get("fee")?,
        takeover: row.get("takeover")?,
    })
}

fn seat(row: &Row) -> rusqlite::Result<SeatRow> {
    Ok(SeatRow {
        game: row.get("game")?,
        seat: Seat(row.get("seat")?),
        name: row.get("name")?,
        address: row.get("address")?,
        zone: row.get("zone")?,
        password_digest: row.get("password_digest")?,
        disclose: row.get("disclose")?,
        any_address: row.get("any_address")?,
        missed: row.get("missed")?,
        computer: row.get("computer")?,
        language: row.get("language")?,
    })
}

pub(super) fn to_json<T: serde::Serialize>(value: &T) -> String {
    // Plain data with text keys.
    serde_json::to_string(value).expect("plain data encodes")
}

impl Store {
    /// The game with this code, in any case of letters.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; so for every method here.
    pub fn game(&self, code: &str) -> Result<Option<Game>> {
        let sql = "SELECT * FROM game WHERE code = ?1 COLLATE NOCASE";
        Ok(self.conn.prepare_cached(sql)?.query_row([code], game).optional()?)
    }

    /// Every game by code.
    pub fn games(&self) -> Result<Vec<Game>> {
        let mut query = self.conn.prepare_cached("SELECT * FROM game ORDER BY code")?;
        let rows = query.query_map([], game)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Makes a game that takes seats.
    pub fn add_game(&mut self, game: &Game, now: Timestamp) -> Result<()> {
        let sql = "INSERT INTO game (code, engine, rules_version, setup, status, rule, turn, seed,
                   created_at, fee, takeover)
                   VALUES (?1, ?2, ?3, ?4, 'open', ?5, 0, ?6, ?7, ?8, ?9)";
        let (setup, rule) = (to_json(&game.setup), to_json(&game.rule));
        let seed = game.seed.cast_signed();
        self.conn.execute(
            sql,
            params![
                game.code,
                game.engine,
                game.rules_version,
                setup,
                rule,
                seed,
                ms(now),
                game.fee,
                game.takeover
            ],
        )?;
        Ok(())
    }

    /// Stops a running game with a reason; false when it was not running.
    pub fn hold(&mut self, code: &str, why: &str) -> Result<bool> {
        let sql = "UPDATE game SET status = 'held', held_why = ?2
                   WHERE code = ?1 AND status = 'running'";
        Ok(self.conn.execute(sql, [code, why])? > 0)
    }

    /// Lets a held game go on.
    pub fn release(&mut self, code: &str) -> Result<bool> {
        let sql = "UPDATE game SET status = 'running', held_why = '' \
                   WHERE code = ?1 AND status = 'held'";
        Ok(self.conn.execute(sql, [code])? > 0)
    }

    /// Moves the open turn's deadline.
    pub fn set_deadline(&mut self, code: &str, at: Timestamp) -> Result<()> {
        self.conn
            .execute("UPDATE game SET deadline = ?2 WHERE code = ?1", params![code, ms(at)])?;
        Ok(())
    }

    /// Seats of a game by number.
    pub fn seats(&self, code: &str) -> Result<Vec<SeatRow>> {
        let sql = "SELECT * FROM seat WHERE game = ?1 ORDER BY seat";
        let mut query = self.conn.prepare_cached(sql)?;
        let rows = query.query_map([code], seat)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// One seat.
    pub fn seat(&self, code: &str, number: Seat) -> Result<Option<SeatRow>> {
        let sql = "SELECT * FROM seat WHERE game = ?1 AND seat = ?2";
        Ok(self.conn.prepare_cached(sql)?.query_row(params![code, number.0], seat).optional()?)
    }

    /// Seats in games that are not over whose player has this address.
    pub fn seats_of(&self, address: &str) -> Result<Vec<SeatRow>> {
        let sql = "SELECT seat.* FROM seat JOIN game ON game.code = seat.game
                   WHERE address = ?1 COLLATE NOCASE AND NOT computer AND status <> 'over' ORDER BY game, seat";
        let mut query = self.conn.prepare_cached(sql)?;
        let rows = query.query_map([address], seat)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Gives a seat to a player, or to a computer; a player may follow a computer.
    ///
    /// # Errors
    /// [`StoreError`]; a seat that a player has is refused by the store.
    pub fn add_seat(&mut self, row: &SeatRow) -> Result<()> {
        let sql = "INSERT INTO seat (game, seat, name, address, zone, password_digest, disclose,
                   any_address, computer) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                   ON CONFLICT (game, seat) DO UPDATE SET name = ?3, address = ?4, zone = ?5,
                   password_digest = ?6, disclose = ?7, any_address = ?8, computer = ?9, missed = 0
                   WHERE computer";
        let (digest, disclose, any) = (&row.password_digest, row.disclose, row.any_address);
        let changed = self.conn.execute(
            sql,
            params![
                row.game,
                row.seat.0,
                row.name,
                row.address,
                row.zone,
                digest,
                disclose,
                any,
                row.computer
            ],
        )?;
        if changed == 0 { Err(StoreError::Taken) } else { Ok(()) }
    }
}
