//! Games and their seats.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::db::{Db, Row, params};
use super::part::part;
use super::seat::{SeatRow, seat};
use super::words::sql::*;
use super::{Result, Status, Step, Tx, canonical, json, ms, step, to_json};
use base::chain::Chain;
use base::schedule::Rule;
use base::terms::Terms;
use engine::{Seat, Setup, Turn, Until};

/// A game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Code of the game, such as `W7`.
    pub code: String,
    /// Id of the engine that runs it.
    pub engine: String,
    /// Version of the engine's rules that it is played by.
    pub rules_version: u32,
    /// The setup without its data files; `Games::setup` has them.
    pub setup: Setup,
    /// The state that it is in.
    pub status: Status,
    /// Why it is suspended, as text; may be empty.
    pub suspended_why: String,
    /// When its turns are due.
    pub rule: Rule,
    /// The open turn; 0 before the start.
    pub turn: Turn,
    /// The open step; its number is the turn.
    pub step: Step,
    /// When the open step is due, as in `step`.
    pub deadline: Option<Timestamp>,
    /// Seed of the open turn, in a game without chains; secret until the turn has run.
    pub seed: u64,
    /// The chains of its seeds, secret until the game is over; empty for a game that began before
    /// chains existed.
    pub chains: Vec<Chain>,
    /// Credits that a printout costs; 0: nothing.
    pub fee: i64,
    /// Turns in a row without orders after which a computer plays on; 0: never.
    pub takeover: u32,
    /// What its players and the game master agreed on.
    pub terms: Terms,
    /// How often a turn was taken back. It gives mails that are written again new ids.
    pub revision: u32,
}

impl Game {
    /// Whether READY ends the wait of the open step. That is so where the game allows early runs,
    /// and in steps with their own clocks, where players do not wait for a calendar.
    pub fn runs_early(&self) -> bool {
        self.terms.early || matches!(self.step.until, Until::Clock { .. })
    }
}

/// All columns of a game except its data files, which may be large.
const COLUMNS: &str = "code, engine, rules_version, setup, status, suspended_why, rule, turn,
    seed, chains, fee, takeover, terms, revision";

/// All games, with their open steps.
pub(super) fn select() -> String {
    format!("SELECT {COLUMNS}, {} FROM {}", step::COLUMNS, step::GAMES)
}

pub(super) fn game(row: &Row) -> Result<Game> {
    let step = step::step(row)?;
    Ok(Game {
        code: row.get("code")?,
        engine: row.get("engine")?,
        rules_version: row.get("rules_version")?,
        setup: json(&row.get::<_, String>("setup")?)?,
        status: row.get("status")?,
        suspended_why: row.get("suspended_why")?,
        rule: json(&row.get::<_, String>("rule")?)?,
        turn: row.get("turn")?,
        deadline: step.due_at,
        step,
        seed: row.get::<_, i64>("seed")?.cast_unsigned(),
        chains: json(&row.get::<_, String>("chains")?)?,
        fee: row.get("fee")?,
        takeover: row.get("takeover")?,
        terms: json(&row.get::<_, String>("terms")?)?,
        revision: row.get("revision")?,
    })
}

fn suspend(tx: &Db, code: &str, why: &str) -> Result<bool> {
    let sql = &format!(
        "UPDATE game SET status = '{SUSPENDED}', suspended_why = $2
         WHERE code = $1 AND status = '{RUNNING}'"
    );
    Ok(tx.exec(sql, params![code, why])? > 0)
}

part!(
    /// Games and their seats.
    Games = Reader.games
);

impl Games<'_> {
    /// The game with this code, in upper or lower case.
    ///
    /// # Errors
    /// [`StoreError`] as the store gives it; so for every method here.
    pub fn game(&self, code: &str) -> Result<Option<Game>> {
        let sql = format!("{} WHERE code = $1", select());
        let code = code.to_uppercase();
        // While a commit decides about a game, nobody else changes it.
        self.lock_game(&code)?;
        self.memo.get(|| format!("game {code}"), || self.db.first(&sql, params![code], game))
    }

    /// The setup of a game, with its data files.
    pub fn setup(&self, code: &str) -> Result<Option<Setup>> {
        let sql = "SELECT setup, data FROM game WHERE code = $1";
        let row = |r: &Row| {
            let setup: Setup = json(&r.get::<_, String>(0)?)?;
            Ok(Setup { data: json(&r.get::<_, String>(1)?)?, ..setup })
        };
        self.db.first(sql, params![code], row)
    }

    /// All games, by code.
    pub fn all(&self) -> Result<Vec<Game>> {
        let sql = format!("{} ORDER BY code", select());
        self.db.all(&sql, params![], game)
    }

    /// Seats of a game, by number.
    pub fn seats(&self, code: &str) -> Result<Vec<SeatRow>> {
        Ok(self.seats_kept(code)?.to_vec())
    }

    fn seats_kept(&self, code: &str) -> Result<Arc<[SeatRow]>> {
        let sql = "SELECT * FROM seat WHERE game = $1 ORDER BY seat";
        let read = || {
            let all: Vec<SeatRow> = self.db.all(sql, params![code], seat)?;
            Ok(Arc::from(all))
        };
        self.memo.get(|| format!("seats {code}"), read)
    }

    /// The names under which a seat was last shown the players that it knows: their seats, and the
    /// words.
    pub fn shown(&self, code: &str, reader: Seat) -> Result<Vec<(Seat, String)>> {
        let sql = "SELECT reader, seat, words FROM shown WHERE game = $1 ORDER BY reader, seat";
        let read = || {
            let mut all: BTreeMap<Seat, Vec<(Seat, String)>> = BTreeMap::new();
            self.db.each(sql, params![code], |r| {
                all.entry(Seat(r.get(0)?)).or_default().push((Seat(r.get(1)?), r.get(2)?));
                Ok(())
            })?;
            Ok(Arc::new(all))
        };
        let all = self.memo.get(|| format!("shown {code}"), read)?;
        Ok(all.get(&reader).cloned().unwrap_or_default())
    }

    /// One seat.
    pub fn seat(&self, code: &str, number: Seat) -> Result<Option<SeatRow>> {
        // While the memo keeps what is read, other seats are soon asked for too.
        if self.memo.keeps() {
            let seats = self.seats_kept(code)?;
            return Ok(seats.iter().find(|row| row.seat == number).cloned());
        }
        let sql = "SELECT * FROM seat WHERE game = $1 AND seat = $2";
        self.db.first(sql, params![code, number.0], seat)
    }

    /// Whether a game is suspended for this reason, or somebody in it has missed a turn.
    pub fn waits_or_missed(&self, code: &str, why: &str) -> Result<bool> {
        let sql = "SELECT 1 FROM game WHERE code = $1 AND (suspended_why = $2 OR EXISTS
                   (SELECT 1 FROM seat WHERE seat.game = $1 AND missed > 0))";
        self.memo.get(|| format!("missed {code}"), || self.db.exists(sql, params![code, why]))
    }

    /// Seats in games that are not over whose player has this address.
    pub fn seats_of(&self, address: &str) -> Result<Vec<SeatRow>> {
        let sql = &format!(
            "SELECT seat.* FROM seat JOIN game ON game.code = seat.game
             WHERE canon = $1 AND computer = 0 AND resigned = 0
             AND status <> '{OVER}' ORDER BY game, seat"
        );
        let address = canonical(address);
        self.memo.get(|| format!("of {address}"), || self.db.all(sql, params![address], seat))
    }

    /// The language that an address chose in one of its seats. Without a seat it is the one that
    /// they wished for when they last joined a game or practised; empty: none.
    pub fn language_of(&self, address: &str) -> Result<String> {
        let seats = self.seats_of(address)?;
        if !seats.is_empty() {
            let mut chosen = seats.into_iter().map(|s| s.language);
            return Ok(chosen.find(|l| !l.is_empty()).unwrap_or_default());
        }
        let mut wished =
            self.people().questions_answered(address)?.into_iter().map(|q| q.language());
        Ok(wished.rfind(|l| !l.is_empty()).unwrap_or_default())
    }

    /// Every seat of a person, including those in games that are over.
    pub fn all_seats_of(&self, address: &str) -> Result<Vec<SeatRow>> {
        let sql = "SELECT * FROM seat WHERE canon = $1 AND computer = 0
                   ORDER BY game, seat";
        self.db.all(sql, params![canonical(address)], seat)
    }
}

impl Tx<'_> {
    /// Makes a game that is open for players.
    pub fn add_game(&self, game: &Game, now: Timestamp) -> Result<()> {
        let sql = &format!(
            "INSERT INTO game (code, engine, rules_version, setup, status, rule, turn, seed,
             created_at, fee, takeover, terms, data, chains)
             VALUES ($1, $2, $3, $4, '{OPEN}', $5, 0, $6, $7, $8, $9, $10, $11, $12)"
        );
        let bare = Setup { data: Default::default(), ..game.setup.clone() };
        let (setup, data) = (to_json(&bare), to_json(&game.setup.data));
        let rule = to_json(&game.rule);
        let terms = to_json(&game.terms);
        let seed = game.seed.cast_signed();
        self.db.exec(
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
                game.takeover,
                terms,
                data,
                to_json(&game.chains)
            ],
        )?;
        Ok(())
    }

    /// Removes a game that has not started, and in which nobody has a seat or waits for one; false
    /// when it stays.
    pub fn unmake_game(&self, code: &str) -> Result<bool> {
        let sql = &format!(
            "DELETE FROM game WHERE code = $1 AND status = '{OPEN}'
             AND NOT EXISTS (SELECT 1 FROM seat WHERE game = $1)
             AND NOT EXISTS (SELECT 1 FROM waiting WHERE game = $1)"
        );
        Ok(self.db.exec(sql, params![code])? == 1)
    }

    /// Stops a running game with a reason; false when it was not running.
    pub fn suspend(&self, code: &str, why: &str) -> Result<bool> {
        suspend(&self.db, code, why)
    }

    /// Notes which game was made for a wish to practise; an empty code: none could be made.
    pub fn practice_began(&self, question: i64, code: &str) -> Result<()> {
        let sql = "UPDATE question SET game = $2 WHERE id = $1";
        self.db.exec(sql, params![question, code])?;
        Ok(())
    }

    /// Ends a running or suspended game without a result. The answer says whether it was either.
    pub fn end_game(&self, code: &str) -> Result<bool> {
        let sql = &format!(
            "UPDATE game SET status = '{OVER}', suspended_why = ''
             WHERE code = $1 AND status IN ('{RUNNING}', '{SUSPENDED}')"
        );
        if self.db.exec(sql, params![code])? == 0 {
            return Ok(false);
        }
        let sql = "UPDATE step SET due_at = NULL WHERE game = $1
                   AND number = (SELECT turn FROM game WHERE code = $1)";
        self.db.exec(sql, params![code])?;
        Ok(true)
    }

    /// Replaces the reason why a game is suspended.
    pub fn suspended_because(&self, code: &str, why: &str) -> Result<()> {
        let sql = &format!(
            "UPDATE game SET suspended_why = $2 WHERE code = $1 AND status = '{SUSPENDED}'"
        );
        self.db.exec(sql, params![code, why])?;
        Ok(())
    }

    /// Counts missed turns from 0 again, for one seat or for all seats of a game.
    pub fn count_anew(&self, code: &str, seat: Option<Seat>) -> Result<()> {
        let sql = "UPDATE seat SET missed = 0 WHERE game = $1 AND missed > 0
                   AND (CAST($2 AS BIGINT) IS NULL OR seat = $2)";
        self.db.exec(sql, params![code, seat.map(|s| s.0)])?;
        Ok(())
    }

    /// Lets a suspended game go on.
    pub fn release(&self, code: &str) -> Result<bool> {
        let sql = &format!(
            "UPDATE game SET status = '{RUNNING}', suspended_why = ''
             WHERE code = $1 AND status = '{SUSPENDED}'"
        );
        Ok(self.db.exec(sql, params![code])? > 0)
    }

    /// Changes terms and calendar of a game.
    pub fn set_terms(&self, code: &str, terms: &Terms, rule: &Rule) -> Result<()> {
        let sql = "UPDATE game SET terms = $2, rule = $3 WHERE code = $1";
        self.db.exec(sql, params![code, to_json(terms), to_json(rule)])?;
        Ok(())
    }
}
