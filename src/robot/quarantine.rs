//! Mails in quarantine: listed, released to be judged, or discarded, by the game master.

use base::schedule;
use store::{Reader, Verdict};

use crate::context::{Result, refuse};
use crate::gm::back::Back;
use crate::gm::{Done, Gm, GmAction, GmQuery, Row};
use crate::intake::Intake;
use crate::verdict::case::{Case, Claim, Proof};

/// Mails that a list shows.
const SHOWN: u32 = 20;

/// The command by mail.
pub(crate) const ROW: Row = Row {
    word: "QUARANTINE",
    form: "GM QUARANTINE list",
    help: "or release 17, or drop 17: mails that wait for you",
    read: |words| match words.rest() {
        [] => words.query(Listed),
        [what] if what.eq_ignore_ascii_case("list") => words.query(Listed),
        [what, id] => match (what.to_lowercase().as_str(), id.parse()) {
            ("release", Ok(mail)) => words.action(ReleaseMail { mail }),
            ("drop", Ok(mail)) => words.action(DiscardMail { mail }),
            _ => words.wrong(),
        },
        _ => words.wrong(),
    },
};

/// Asks which mails are in quarantine.
#[derive(Debug)]
struct Listed;

impl GmQuery for Listed {
    fn answer(&self, gm: &Gm) -> Result<String> {
        quarantine_text(gm.tx)
    }
}

/// The mails in quarantine as a list, newest first.
///
/// # Errors
/// [`crate::context::RobotError::Store`] when the store fails.
pub fn quarantine_text(store: &Reader) -> Result<String> {
    let mails = store.mails().quarantined(SHOWN)?;
    if mails.is_empty() {
        return Ok("No mail is in quarantine.\n".to_owned());
    }
    let mut out = "Mails in quarantine, newest first:\n\n".to_owned();
    for mail in mails {
        let verdict = mail.verdict.map_or("", |v| v.as_str());
        let seat = match (&mail.game, mail.seat) {
            (Some(game), Some(seat)) => format!("{game} seat {seat}"),
            _ => String::new(),
        };
        let at = schedule::local(mail.received_at, "UTC");
        out += &format!("| {:>6}  {at}  {verdict} ({}) {seat}\n", mail.id, mail.reason);
    }
    Ok(out)
}

/// Releases a mail from quarantine: a card that waits for its confirmation counts as if its player
/// had said YES; a mail that could not be read is judged again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReleaseMail {
    /// Its number.
    pub mail: i64,
}

impl GmAction for ReleaseMail {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let said = release(gm, self.mail)?;
        let what = format!("mail {} was judged anew", self.mail);
        Ok(Done::of_host("mail-release", what, None, said))
    }
}

fn release(gm: &Gm, id: i64) -> Result<String> {
    let (tx, now) = (gm.tx, gm.cx.now());
    let Some((code, seat)) = tx.mails().pending(id)? else {
        return match tx.mails().judge_again(id)? {
            true => Ok(format!("Mail {id} is judged anew with the next mails.")),
            false => refuse(not_there(gm, id)?),
        };
    };
    let (Some(raw), Some(row)) = (tx.mails().raw(id)?, tx.games().seat(&code, seat)?) else {
        return refuse(format!("mail {id} is not kept any more"));
    };
    let Some(parsed) = gm.cx.take_apart(&raw)? else {
        return refuse(format!("mail {id} can't be taken apart"));
    };
    let stored = tx.mails().stored(id)?;
    let claim = Claim {
        game: gm.games().game(&code)?,
        seat: row,
        turn: None,
        named: false,
        proof: Proof::Proven,
        secret: false,
        old_secret: false,
    };
    let pending = Case::new(&stored, &parsed, claim.seat.address.clone(), now);
    let judged = Intake::new(gm.cx, tx).confirm_pending(&pending, &claim, id, &parsed)?;
    tx.mails().apply_effects(&stored, &judged, now)?;
    Ok(format!("Mail {id}: {} ({}).", judged.verdict.as_str(), judged.reason))
}

/// Why a mail can't be released or discarded, and what to do.
fn not_there(gm: &Gm, id: i64) -> Result<String> {
    let what = match gm.tx.mails().mail(id)? {
        None => format!("there is no mail {id}"),
        Some(row) => match row.verdict {
            None => format!("mail {id} has no verdict yet"),
            Some(verdict) => format!("mail {id} was judged ({})", verdict.as_str()),
        },
    };
    Ok(format!(
        "no mail {id} is in quarantine: {what}; \"fieldpost mail quarantine\" or GM QUARANTINE \
         list shows those that are"
    ))
}

/// Discards a mail that is in quarantine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiscardMail {
    /// Its number.
    pub mail: i64,
}

impl GmAction for DiscardMail {
    fn apply(&self, gm: &Gm) -> Result<Done> {
        let mail = self.mail;
        let row = gm.tx.mails().mail(mail)?;
        if !gm.tx.mails().discard(mail)? {
            return refuse(not_there(gm, mail)?);
        }
        let back = row.and_then(|row| {
            let pending = row.verdict? == Verdict::Pending;
            Some(Back::Discarded { mail, pending, reason: row.reason.to_string() })
        });
        let said = format!("Mail {mail} is discarded.");
        Ok(Done::of_host("mail-drop", format!("mail {mail} was discarded"), back, said))
    }
}
