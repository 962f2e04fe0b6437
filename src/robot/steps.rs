//! The step: how one opens, when its wait ends, and whether anybody may still answer.

use base::schedule;
use engine::{Turn, Until, Wait};
use jiff::{SignedDuration, Timestamp};
use store::{Game, Reader, Status, Step};

use crate::context::{Result, refuse};

/// The step that opens now. `wanted` is the deadline of the calendar where it is not the
/// calendar's own.
///
/// # Errors
/// [`crate::context::RobotError::Refused`] when the calendar has no day left.
pub fn opened(
    game: &Game,
    number: Turn,
    wait: Wait,
    wanted: Option<Timestamp>,
    now: Timestamp,
) -> Result<Step> {
    let due = match &wait.until {
        Until::Now => now,
        Until::Clock { hours, .. } => {
            let (quiet, zone) = (&game.terms.quiet, &game.rule.zone);
            schedule::after_hours(now, *hours, quiet, zone).or_else(|e| refuse(e.to_string()))?
        }
        Until::Calendar => match wanted {
            Some(at) => at,
            None => following(game, now)?,
        },
    };
    Ok(Step::open(number, wait, now, Some(due)))
}

/// The calendar's next deadline: after a step that ran in time the next of the calendar, after
/// one that ran early a whole interval from now, at the usual time of day.
fn following(game: &Game, now: Timestamp) -> Result<Timestamp> {
    let next = match (&game.step.until, game.deadline) {
        (Until::Calendar, Some(due)) if due <= now => game.rule.next(due, now),
        _ => game.rule.first(now),
    };
    next.or_else(|e| refuse(e.to_string()))
}

/// When cards for the open step end: its deadline, and in the calendar's games the time of
/// grace.
pub fn ends(game: &Game) -> Option<Timestamp> {
    let grace = match game.step.until {
        Until::Calendar => SignedDuration::from_mins(game.terms.grace_minutes.into()),
        Until::Clock { .. } | Until::Now => SignedDuration::ZERO,
    };
    game.deadline.map(|d| d + grace)
}

/// Whether a step may run before its time is up: nobody who is awaited is a person who may
/// still answer. Somebody who is away holds nobody up as long as others decide; a game that no
/// person plays keeps its calendar.
///
/// # Errors
/// [`crate::context::RobotError::Store`] when the store fails.
pub fn is_settled(store: &Reader, game: &Game, now: Timestamp) -> Result<bool> {
    if game.status != Status::Running || game.step.until == Until::Now {
        return Ok(game.status == Status::Running);
    }
    let seats = store.seats(&game.code)?;
    if game.step.awaited.is_empty() || !seats.iter().any(store::SeatRow::has_player) {
        return Ok(false);
    }
    let ordered = store.ordered(&game.code, game.turn)?;
    let mut here = 0;
    let mut away = 0;
    for row in seats.iter().filter(|r| r.has_player() && game.step.awaits(r.seat)) {
        let said = game.terms.early && row.ready == game.turn;
        if said || ordered.get(&row.seat).is_some_and(|o| o.done) {
            here += 1;
        } else if row.is_away(now) {
            away += 1;
        } else {
            return Ok(false);
        }
    }
    Ok(here > 0 || away == 0)
}
