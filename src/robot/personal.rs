//! What is stored about a person, as that person may have it.

use engine::Turn;
use serde::Serialize;
use serde_json::Value;
use store::{MailRow, Reader};

use crate::context::Result;

/// What is stored about a person, without the texts of their mails.
#[derive(Debug, Serialize)]
struct Personal {
    address: String,
    seats: Vec<Value>,
    mails_from_you: Vec<FromYou>,
    mails_to_you: Vec<ToYou>,
    /// The number of older mails for which there was no room.
    left_out: usize,
}

/// A mail from a person, and its result. With its receipt the person can ask for its text.
#[derive(Debug, Serialize)]
struct FromYou {
    receipt: i64,
    received: String,
    size: u64,
    verdict: Option<&'static str>,
    reason: String,
    game: Option<String>,
    seat: Option<u8>,
    turn: Option<Turn>,
}

/// A mail to a person.
#[derive(Debug, Serialize)]
struct ToYou {
    kind: &'static str,
    written: String,
    state: &'static str,
}

/// The fields of a seat that its player does not get: proofs, what they follow from, and fields
/// that have another name there.
const NOT_TOLD: [&str; 6] =
    ["password_digest", "computer", "since", "epoch", "epoch_mail", "resigned"];

/// Octets of a row as JSON, estimated a little too high.
const ROW_BYTES: usize = 320;

/// What is stored about a person, as JSON of about `bytes_max` octets at most: the oldest
/// mails are left out then, and counted.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn data_of(store: &Reader, address: &str, bytes_max: usize) -> Result<String> {
    let seat = |row: &store::SeatRow| {
        // All fields, so that a new column or choice is included as well.
        let mut all = serde_json::to_value(row).unwrap_or_default();
        if let Some(fields) = all.as_object_mut() {
            NOT_TOLD.iter().for_each(|name| drop(fields.remove(*name)));
            // These are as answers write them.
            fields.insert("left".to_owned(), row.resigned.into());
            fields.insert("contact".to_owned(), row.contact.as_str().into());
            fields.insert("format".to_owned(), row.choices.format.describe().into());
        }
        all
    };
    let from = |m: MailRow| FromYou {
        receipt: m.id,
        received: m.received_at.to_string(),
        size: m.size,
        verdict: m.verdict.map(|v| v.as_str()),
        reason: m.reason.to_string(),
        game: m.game,
        seat: m.seat,
        turn: m.turn,
    };
    let room = u32::try_from(bytes_max / ROW_BYTES / 2).unwrap_or(u32::MAX);
    let (mails, sent) =
        (store.mails().mails_of(address, room)?, store.people().mails_to(address, room)?);
    let told = mails.len() + sent.len();
    let all = Personal {
        address: address.to_owned(),
        seats: store.games().all_seats_of(address)?.iter().map(seat).collect(),
        mails_from_you: mails.into_iter().map(from).collect(),
        mails_to_you: sent
            .into_iter()
            .map(|(kind, at, state)| ToYou {
                kind: kind.as_str(),
                written: at.to_string(),
                state: state.as_str(),
            })
            .collect(),
        left_out: (store.mails().mails_with_person(address)? as usize).saturating_sub(told),
    };
    // Plain data with text keys.
    Ok(serde_json::to_string_pretty(&all).expect("plain data is JSON"))
}

/// Whether anything is stored about an address.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn is_known(store: &Reader, address: &str) -> Result<bool> {
    Ok(!store.games().all_seats_of(address)?.is_empty() || store.people().is_waiting(address)?)
}
