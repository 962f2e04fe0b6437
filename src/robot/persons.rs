//! One person with two seats of a game: found by addresses that lead to one mailbox, or by one
//! signed mail that spoke for two seats. The game master is notified; where the terms of the game
//! say so, nobody gets a second seat.

use std::collections::BTreeMap;

use engine::Seat;
use jiff::Timestamp;
use mail::mime::one_mailbox;
use store::{Change, Effect, Game, Judged, QueuedMail, Reader, SeatRow, Standing, Tx};

use crate::context::{Context, Result};
use crate::mailer::Mailer;

/// Another seat of a game that the person with this address has.
pub fn other_seat(seats: &[SeatRow], seat: Option<Seat>, address: &str) -> Option<Seat> {
    let mailbox = one_mailbox(address);
    let theirs =
        |s: &&SeatRow| s.has_player() && Some(s.seat) != seat && one_mailbox(&s.address) == mailbox;
    seats.iter().find(theirs).map(|s| s.seat)
}

/// The reports to the game master of seats of a game that one person has: one for each pair.
///
/// # Errors
/// [`crate::context::RobotError::Store`] when the store fails.
pub fn doubles(cx: &Context, store: &Reader, game: &Game, now: Timestamp) -> Result<Vec<Change>> {
    let mut last: BTreeMap<String, Seat> = BTreeMap::new();
    let mut changes = Vec::new();
    let seats = store.games().seats(&game.code)?;
    for row in seats.iter().filter(|s| s.has_player() && !s.address.is_empty()) {
        let Some(first) = last.insert(one_mailbox(&row.address), row.seat) else { continue };
        let what = pair(first, row.seat);
        if store.people().is_reminded(&game.code, 0, &what)? {
            continue;
        }
        let why = "their addresses lead to one mailbox";
        let mails = notification(cx, store, game, (first, row.seat), why, now);
        tracing::warn!(
            game = game.code,
            first = first.0,
            seat = row.seat.0,
            "one person, it seems"
        );
        changes.push(Change {
            once: Some((game.code.clone(), 0, what)),
            mails: mails.into_iter().collect(),
            ..Change::default()
        });
    }
    Ok(changes)
}

/// Notifies the game master if a judged mail carries a signature that another seat of the same game
/// has used: a mail is signed once, by its writer.
///
/// # Errors
/// [`crate::context::RobotError::Store`] when the store fails.
pub fn signed(cx: &Context, tx: &Tx, mail: i64, judged: &Judged) -> Result<()> {
    let Some((code, seat)) = &judged.seat else { return Ok(()) };
    if judged.standing != Standing::Proven {
        return Ok(());
    }
    for effect in &judged.effects {
        let Effect::Signed(_, ids) = effect else { continue };
        for id in ids {
            let Some(first) = tx.mails().signed_for(id, code, *seat, mail)? else { continue };
            let Some(game) = tx.games().game(code)? else { continue };
            let pair_of = if first < *seat { (first, *seat) } else { (*seat, first) };
            let now = cx.now();
            let why = "one signed mail spoke for both";
            let change = Change {
                once: Some((code.clone(), 0, pair(pair_of.0, pair_of.1))),
                mails: notification(cx, tx, &game, pair_of, why, now).into_iter().collect(),
                ..Change::default()
            };
            tx.apply(&change, now)?;
        }
    }
    Ok(())
}

/// The name under which a pair is noted.
fn pair(first: Seat, second: Seat) -> String {
    format!("one person: seats {first} and {second}")
}

fn notification(
    cx: &Context,
    store: &Reader,
    game: &Game,
    (first, second): (Seat, Seat),
    why: &str,
    now: Timestamp,
) -> Option<QueuedMail> {
    let code = &game.code;
    let text = format!(
        "Seats {first} and {second} of game {code} seem to be one person: {why}. You hear that once. \
         GM SEAT {code} {second} with another address gives one of them to somebody else; \
         \"fieldpost game set {code} one_seat=true\" refuses second seats from now on."
    );
    let subject = format!("game {code}: seats {first} and {second} seem to be one person");
    let key = pair(first, second);
    Mailer::new(cx, store).gm_mail(&subject, &text, &[code, &key], now)
}
