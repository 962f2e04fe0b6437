//! The step: how one opens, when its wait ends, and whether anybody may still answer.

use base::schedule;
use engine::{Turn, Until, Wait};
use jiff::{SignedDuration, Timestamp};
use store::{Game, Reader, Status, Step};

use crate::context::{Result, refuse};

/// The step that opens now. `wanted` is a deadline that replaces the calendar's own.
///
/// # Errors
/// [`crate::context::RobotError::Refused`] when the calendar has no day left.
pub fn opened(
    store: &Reader,
    game: &Game,
    number: Turn,
    wait: Wait,
    wanted: Option<Timestamp>,
    now: Timestamp,
) -> Result<Step> {
    let due = match (&wait.until, wanted) {
        (Until::Calendar, Some(at)) => at,
        (until, _) => ends_wait(store, game, until, now)?,
    };
    Ok(Step::open(number, wait, now, Some(due)))
}

/// The new due time of an open step that has lost its deadline, or whose deadline passed while
/// nobody could answer it. Its wait begins again.
///
/// # Errors
/// [`crate::context::RobotError::Refused`] when the calendar has no day left.
pub fn due_again(store: &Reader, game: &Game, now: Timestamp) -> Result<Timestamp> {
    let game = Game { deadline: None, ..game.clone() };
    ends_wait(store, &game, &game.step.until, now)
}

/// The time at which a wait that begins now ends. For a step of the calendar: after a step that ran
/// in time, the calendar's next deadline; after one that ran early, or after steps with their own
/// clocks, a whole interval from now, at the usual time of day.
fn ends_wait(store: &Reader, game: &Game, until: &Until, now: Timestamp) -> Result<Timestamp> {
    let rule = &game.rule;
    let due = match (until, &game.step.until, game.deadline) {
        (Until::Now, ..) => Ok(now),
        (Until::Clock { hours, .. }, ..) => {
            schedule::after_hours(now, *hours, &game.terms.quiet, &rule.zone)
        }
        (Until::Calendar, Until::Calendar, Some(due)) if due <= now => rule.next(due, now),
        (Until::Calendar, Until::Calendar, Some(due)) => rule.early(due, now),
        (Until::Calendar, ..) => match store.steps().calendar_due(&game.code)? {
            Some(due) => rule.early(due, now),
            None => rule.first(now),
        },
    };
    due.or_else(|e| refuse(e.to_string()))
}

/// When the open step takes no more cards: its deadline and, for a step of the calendar, the time
/// of grace.
pub fn ends(game: &Game) -> Option<Timestamp> {
    let grace = match game.step.until {
        Until::Calendar => SignedDuration::from_mins(game.terms.grace_minutes.into()),
        Until::Clock { .. } | Until::Now => SignedDuration::ZERO,
    };
    game.deadline.map(|d| schedule::later(d, grace))
}

/// Whether a step may run before its time is up: no awaited person may still answer. A player who
/// is away does not hold the step up if others have answered. A game that no person plays keeps its
/// calendar, and so does a step of the calendar that awaits no person: people who are silent, or
/// out of the game, see its turns at the times that were announced.
///
/// # Errors
/// [`crate::context::RobotError::Store`] when the store fails.
pub fn is_settled(store: &Reader, game: &Game, now: Timestamp) -> Result<bool> {
    if game.status != Status::Running || game.step.until == Until::Now {
        return Ok(game.status == Status::Running);
    }
    let seats = store.games().seats(&game.code)?;
    if game.step.awaited.is_empty() || !seats.iter().any(store::SeatRow::has_player) {
        return Ok(false);
    }
    let awaited = |r: &store::SeatRow| r.has_player() && game.step.awaits(r.seat);
    if game.step.until == Until::Calendar && !seats.iter().any(awaited) {
        return Ok(false);
    }
    let ordered = store.journal().ordered(&game.code, game.turn)?;
    let mut here = 0;
    let mut away = 0;
    for row in seats.iter().filter(|r| awaited(r)) {
        let said = game.runs_early() && row.ready == game.turn;
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
