//! Orders that were not read because of a mark that servers or programs set on the mail. Their
//! writer learns of it in the next printout, because such a mail is never answered (RFC 3834 §2).

use std::collections::BTreeMap;

use base::schedule;
use engine::{Seat, Turn};
use jiff::Timestamp;
use mail::hygiene::Automatic;
use store::{Effect, Reader};
use tongue::say;

use crate::context::Result;

/// The name of a game's note, which has a line for each seat: the turn, the seat, and when its mail
/// came.
fn key(game: &str) -> String {
    format!("unread {game}")
}

/// Whether a mail with this mark may still be a player's own.
pub(crate) fn may_hold_orders(mark: Automatic) -> bool {
    matches!(mark, Automatic::MailingList | Automatic::Bulk | Automatic::Calendar)
}

/// The lines of a game's note that are about a turn.
fn lines(store: &Reader, game: &str, turn: Turn) -> Result<Vec<(Seat, Timestamp)>> {
    let note = store.note(&key(game))?.unwrap_or_default();
    let read = |line: &str| {
        let [of, seat, at] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
        let seat = seat.parse().ok().map(Seat)?;
        (of.parse() == Ok(turn)).then(|| Some((seat, at.parse().ok()?)))?
    };
    Ok(note.lines().filter_map(read).collect())
}

/// Notes that a mail with orders of a seat came and was not read.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub(crate) fn noted(
    store: &Reader,
    game: &str,
    (turn, seat, at): (Turn, Seat, Timestamp),
) -> Result<Effect> {
    let mut all: BTreeMap<Seat, Timestamp> = lines(store, game, turn)?.into_iter().collect();
    all.insert(seat, at);
    let all: Vec<String> = all.iter().map(|(seat, at)| format!("{turn} {seat} {at}")).collect();
    Ok(Effect::Note(key(game), all.join("\n")))
}

/// For each seat, when a mail that was not read came with its orders for a turn.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub(crate) fn of_turn(store: &Reader, game: &str, turn: Turn) -> Result<BTreeMap<Seat, Timestamp>> {
    Ok(lines(store, game, turn)?.into_iter().collect())
}

/// What a printout says of such a mail.
pub(crate) fn notice(at: Timestamp, zone: &str) -> String {
    say!(
        "A mail of yours with orders, received {at}, was not read: it was marked as one of a list, \
         as bulk mail, or as the answer to an invitation. Send orders in a mail without such marks; \
         the echo shows that they were read.",
        at = schedule::local(at, zone)
    )
}
