//! EXPORT: everything that is stored about a person, to the address that it is stored under.

use jiff::SignedDuration;

use mail::compose::Attachment;
use store::{Judged, Reader, Reason, Verdict};

use crate::context::Result;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};

/// The command.
pub(super) const ROW: Row = Row {
    word: "EXPORT",
    form: "EXPORT",
    help: "everything that is stored about you, as a file",
    read: |line| line.alone(|| Command::query(Export)),
};

#[derive(Debug)]
struct Export;

impl Export {
    fn answer(&self, tools: Tools, case: &Case) -> Result<Judged> {
        let address = case.from.clone();
        let data = data_of(tools.store, &address)?;
        let day = case.now - SignedDuration::from_hours(24);
        if tools.store.mails_with(&address, Reason::Exported, day)? > 0 {
            let why = "the data of this address was sent today already";
            return Ok(case.judged(Verdict::Ignored, Reason::Exported, why));
        }
        let text = "The attached file holds what is stored about you: your seats, your mails and \
                    what became of them, the mails to you. The mails themselves are kept for a \
                    limited time; the game master can send you copies.";
        let file = Attachment {
            name: "fieldpost-data.json".to_owned(),
            media: "application/json".into(),
            bytes: data.into_bytes(),
        };
        let mut judged = case.judged(Verdict::Accepted, Reason::Exported, "data sent");
        let id_key = case.stored.id.to_string();
        let subject = "what is stored about you";
        let mail = tools.mailer().file_mail(&address, subject, text, file, &id_key, case.now);
        Answers::new(tools).reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }
}

impl PlayerCommand for Export {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn for_anybody(&self, tools: Tools, case: &Case) -> Result<Option<Judged>> {
        self.answer(tools, case).map(Some)
    }
}

impl Query for Export {
    fn act(&self, tools: Tools, case: &Case, _: &Claim) -> Result<Judged> {
        self.answer(tools, case)
    }
}

/// What is stored about a person, as JSON.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn data_of(store: &Reader, address: &str) -> Result<String> {
    let seats: Vec<serde_json::Value> = store
        .all_seats_of(address)?
        .iter()
        .map(|s| {
            serde_json::json!({
                "game": s.game, "seat": s.seat.0, "name": s.name, "address": s.address,
                "zone": s.zone, "contact": s.contact.as_str(), "language": s.language,
                "format": s.format.describe(), "reminders": s.reminders, "left": s.resigned,
                "away": s.away.map(|(f, u)| [f.to_string(), u.to_string()]),
            })
        })
        .collect();
    let received: Vec<serde_json::Value> = store
        .mails_of(address)?
        .iter()
        .map(|m| {
            let raw = store.raw(m.id).ok().flatten();
            serde_json::json!({
                "received": m.received_at.to_string(), "size": m.size,
                "verdict": m.verdict.map(|v| v.as_str()), "reason": m.reason.as_str(),
                "game": m.game, "seat": m.seat, "turn": m.turn,
                "mail": raw.map(|r| String::from_utf8_lossy(&r).into_owned()),
            })
        })
        .collect();
    let sent: Vec<serde_json::Value> = store
        .mails_to(address)?
        .iter()
        .map(|(kind, at, state)| serde_json::json!({"kind": kind.as_str(), "written": at.to_string(), "state": state.as_str()}))
        .collect();
    let all = serde_json::json!({
        "address": address, "seats": seats, "mails_from_you": received, "mails_to_you": sent,
    });
    Ok(serde_json::to_string_pretty(&all).unwrap_or_default())
}
