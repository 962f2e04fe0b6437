//! The step: what the open step of a game waits for. The commit that opens a step writes it.

use engine::{Seat, Turn, Turns, Until, Wait};
use jiff::Timestamp;

use super::db::{Db, Row, params};
use super::part::part;
use super::{Result, StoreError, Tx, json, ms, time, to_json};

/// Stored words for waits that have no hours; a clock is stored by its own name and its hours.
const CALENDAR: &str = "calendar";
const NOW: &str = "now";

/// A step of a game, and what it waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its number, from 1.
    pub number: Turn,
    /// The turns that it is part of or plays, as players count them.
    pub turns: Turns,
    /// What players call it, such as `turn 14, Red to move`.
    pub label: String,
    /// Seats whose cards the step waits for.
    pub awaited: Vec<Seat>,
    /// What ends the wait.
    pub until: Until,
    /// When it opened.
    pub opened_at: Timestamp,
    /// When it is due; `None`: it has no deadline.
    pub due_at: Option<Timestamp>,
    /// The deadline that it had when it opened: before that no player has had the whole time.
    /// `None`: not known, for steps that opened before this was kept.
    pub whole_at: Option<Timestamp>,
}

impl Step {
    /// The step that an engine waits for.
    pub fn open(number: Turn, wait: Wait, opened_at: Timestamp, due_at: Option<Timestamp>) -> Self {
        let Wait { seats: awaited, until, label, turns } = wait;
        Self { number, turns, label, awaited, until, opened_at, due_at, whole_at: due_at }
    }

    /// The state of a game that has not begun: nothing is awaited.
    pub fn none() -> Self {
        let wait = Wait { label: "no turn".to_owned(), ..Wait::turn(0, Vec::new()) };
        Self::open(0, wait, Timestamp::default(), None)
    }

    /// Whether the step waits for this seat's card.
    pub fn awaits(&self, seat: Seat) -> bool {
        self.awaited.contains(&seat)
    }
}

/// The columns of a game's open step, for [`step`].
pub(super) const COLUMNS: &str = "s.number AS s_number, s.label AS s_label,
    s.awaited AS s_awaited, s.clock AS s_clock, s.hours AS s_hours, s.opened_at AS s_opened_at,
    s.due_at AS s_due_at, s.whole_at AS s_whole_at, s.first_turn AS s_first_turn,
    s.last_turn AS s_last_turn";

/// Games with their open steps.
pub(super) const GAMES: &str =
    "game LEFT JOIN step s ON s.game = game.code AND s.number = game.turn";

/// Reads [`COLUMNS`]; all of them may be NULL.
pub(super) fn step(row: &Row) -> Result<Step> {
    let name = |column: &str| format!("s_{column}");
    let Some(number) = row.get::<_, Option<Turn>>(name("number").as_str())? else {
        return Ok(Step::none());
    };
    let clock: String = row.get(name("clock").as_str())?;
    let hours: Option<u32> = row.get(name("hours").as_str())?;
    let until = match (clock.as_str(), hours) {
        (NOW, None) => Until::Now,
        (CALENDAR, None) => Until::Calendar,
        (_, hours) => Until::Clock { name: clock, hours: hours.unwrap_or_default() },
    };
    let awaited: Vec<u8> = json(&row.get::<_, String>(name("awaited").as_str())?)?;
    let at = |column: &str| row.get::<_, Option<i64>>(name(column).as_str());
    let turn = |column: &str| row.get::<_, Option<u32>>(name(column).as_str());
    Ok(Step {
        number,
        // For a step that opened before turns were kept, its own number.
        turns: match (turn("first_turn")?, turn("last_turn")?) {
            (Some(first), Some(last)) => Turns { first, last },
            _ => Turns::one(number),
        },
        label: row.get(name("label").as_str())?,
        awaited: awaited.into_iter().map(Seat).collect(),
        until,
        opened_at: time(row.get(name("opened_at").as_str())?),
        due_at: at("due_at")?.map(time),
        whole_at: at("whole_at")?.map(time),
    })
}

/// Writes a step that opens.
pub(super) fn open(tx: &Db, game: &str, step: &Step) -> Result<()> {
    let sql = "INSERT INTO step VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
               ON CONFLICT (game, number) DO UPDATE SET label = excluded.label,
               awaited = excluded.awaited, clock = excluded.clock, hours = excluded.hours,
               opened_at = excluded.opened_at, due_at = excluded.due_at,
               whole_at = excluded.whole_at, first_turn = excluded.first_turn,
               last_turn = excluded.last_turn";
    let (clock, hours) = match &step.until {
        Until::Calendar => (CALENDAR, None),
        Until::Now => (NOW, None),
        Until::Clock { name, hours } => (name.as_str(), Some(*hours)),
    };
    let awaited: Vec<u8> = step.awaited.iter().map(|s| s.0).collect();
    tx.exec(
        sql,
        params![
            game,
            step.number,
            step.label,
            to_json(&awaited),
            clock,
            hours,
            ms(step.opened_at),
            step.due_at.map(ms),
            step.whole_at.map(ms),
            step.turns.first,
            step.turns.last
        ],
    )?;
    Ok(())
}

/// Moves the deadline of a game's open step; does nothing for another step.
pub(super) fn set_due(
    tx: &Db,
    game: &str,
    number: Option<Turn>,
    at: Option<Timestamp>,
) -> Result<bool> {
    let sql = "UPDATE step SET due_at = $3 WHERE game = $1
               AND number = (SELECT turn FROM game WHERE code = $1)
               AND (CAST($2 AS BIGINT) IS NULL OR number = $2)";
    Ok(tx.exec(sql, params![game, number, at.map(ms)])? > 0)
}

part!(
    /// Steps of games: their labels, and what they wait for.
    Steps = Reader.steps
);

impl Steps<'_> {
    /// A step of a game, open or over; `None`: not known, for example in games that ran before
    /// steps were kept.
    ///
    /// # Errors
    /// [`super::StoreError`] as the store gives it; so for every method here.
    pub fn step(&self, game: &str, number: Turn) -> Result<Option<Step>> {
        let sql = format!("SELECT {COLUMNS} FROM step s WHERE game = $1 AND number = $2");
        let read = || self.db.first(&sql, params![game, number], step);
        self.memo.get(|| format!("step {game} {number}"), read)
    }

    /// The newest step of a game that plays a turn, or a part of it, as players count turns.
    pub fn step_in(&self, game: &str, turn: u32) -> Result<Option<Step>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM step s WHERE game = $1
             AND coalesce(first_turn, number) <= $2 AND coalesce(last_turn, number) >= $2
             ORDER BY number DESC LIMIT 1"
        );
        self.db.first(&sql, params![game, turn], step)
    }

    /// The steps of a game that have opened, newest first.
    pub fn of(&self, game: &str) -> Result<Vec<Step>> {
        let sql = format!(
            "SELECT {COLUMNS} FROM step s WHERE game = $1
             AND number <= (SELECT turn FROM game WHERE code = $1) ORDER BY number DESC"
        );
        self.db.all(&sql, params![game], step)
    }

    /// The name that players give a step of a game.
    pub fn step_label(&self, game: &str, number: Turn) -> Result<String> {
        let step = self.step(game, number)?;
        Ok(step.map_or_else(|| Wait::turn(number, Vec::new()).label, |s| s.label))
    }

    /// When the game's last step of the calendar was due. Its time of day is the one that players
    /// are used to.
    pub fn calendar_due(&self, game: &str) -> Result<Option<Timestamp>> {
        let sql = "SELECT due_at FROM step WHERE game = $1 AND clock = $2 AND due_at IS NOT NULL
                   ORDER BY number DESC LIMIT 1";
        Ok(self.db.first(sql, params![game, CALENDAR], |r| r.get(0))?.map(time))
    }

    /// The steps of a seat's newest mails, newest first: the seat may answer these.
    pub fn mailed_steps(&self, game: &str, seat: Seat, limit: u32) -> Result<Vec<Turn>> {
        // One step after the other, each by the index, because one turn may have thousands of
        // mails.
        let sql = "WITH RECURSIVE mailed(step) AS (
                     SELECT (SELECT max(turn) FROM outbox WHERE game = $1 AND seat = $2
                             AND game IS NOT NULL)
                     UNION ALL
                     SELECT (SELECT max(turn) FROM outbox WHERE game = $1 AND seat = $2
                             AND game IS NOT NULL AND turn < mailed.step)
                     FROM mailed WHERE step IS NOT NULL)
                   SELECT step FROM mailed WHERE step IS NOT NULL LIMIT $3";
        let read = || self.db.all(sql, params![game, seat.0, limit], |r| r.get(0));
        self.memo.get(|| format!("mailed {game} {seat} {limit}"), read)
    }
}

impl Tx<'_> {
    /// Sets or removes the open step's deadline.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the game has no open step; others as the store gives them.
    pub fn set_deadline(&self, code: &str, at: impl Into<Option<Timestamp>>) -> Result<()> {
        match set_due(&self.db, code, None, at.into())? {
            true => Ok(()),
            false => Err(StoreError::Corrupt(format!("game {code} has no open step"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SCHEMAS;
    use crate::db::Lite;

    #[test]
    fn a_step_is_read_as_it_was_written_whatever_its_clock_is_called() {
        let conn = rusqlite::Connection::open_in_memory().expect("memory");
        SCHEMAS.iter().for_each(|sql| conn.execute_batch(sql).expect("a schema"));
        conn.pragma_update(None, "foreign_keys", false).expect("steps alone");
        let db = Db::new(Lite::over(conn));
        let clock = |name: &str| Until::Clock { name: name.to_owned(), hours: 4 };
        let all = [Until::Calendar, Until::Now, clock("turn"), clock("now"), clock("calendar")];
        for (number, until) in (1..).zip(all) {
            let wait = Wait {
                until,
                label: format!("step {number}"),
                turns: Turns { first: 2 * number - 1, last: 2 * number },
                ..Wait::turn(number, vec![Seat(2)])
            };
            let written = Step::open(number, wait, Timestamp::default(), None);
            open(&db, "W7", &written).expect("written");
            let sql = format!("SELECT {COLUMNS} FROM step s WHERE number = $1");
            assert_eq!(db.one(&sql, params![number], step).expect("read"), written);
        }
    }
}
