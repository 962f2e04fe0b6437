//! Limits on answers: to an address, to a domain, by the host, and to mails in which nothing is
//! right.

use jiff::{SignedDuration, Timestamp};

use super::case::{Case, Tools};
use super::machines;
use crate::card::aside::Why;
use crate::context::Result;
use mail::mime::same_address;
use store::{Effect, Judged, MailKind, QueuedMail, Reason, Standing};
use tongue::say;

/// Name of the note on when the game master was notified that replies stopped.
const BREAKER: &str = "breaker";
/// The same for replies to mails in the name of a seat without proof.
const UNPROVEN_BREAKER: &str = "breaker unproven";
/// The same for replies to mails of strangers.
const STRANGER_BREAKER: &str = "breaker strangers";
/// Replies to one domain within an hour, to mails without proof; the same number to strangers.
const DOMAIN_AN_HOUR: u32 = 60;
/// Mails without an order or a command that are answered until the same sender sends a right one:
/// of a proven player, and of others.
const NOTHING_ANSWERED: [u32; 2] = [4, 2];
/// Mails of a proven player with questions in sentences that are answered within a day.
const QUESTIONS_ANSWERED: u32 = 12;
/// Cards without a right line that are answered until the same sender sends a right mail: of a
/// proven player, and of others.
const WRONG_ANSWERED: [u32; 2] = [10, 5];
/// Days for which such answers count if the sender is not proven; for a proven player they count
/// for a day.
const VAIN_DAYS: i64 = 90;

/// Whether a mail in which nothing is right gets an answer.
pub enum Vain {
    /// It does, with this text at its end, which is empty or begins with a blank.
    Answered(String),
    /// It does not: its sender has had enough such answers.
    Enough,
}

/// A note that an answer is the last one, for a proven sender or another.
fn last(standing: Standing) -> String {
    match standing {
        Standing::Proven => say!(
            "This is the last answer of this kind for a day, unless a mail of yours has an order \
             or a command that is right; HELP as the only word of a mail is one."
        ),
        _ => say!(
            "This is the last answer of this kind until a mail of yours has an order or a command \
             that is right; HELP as the only word of a mail is one."
        ),
    }
}

/// A note in the answer to a mail that came at once, on what happens to the next such mail.
fn at_once() -> String {
    say!(
        "Your mails come within minutes of ours and have nothing right in them, as those of a \
         program. The next such one gets no answer today, unless one before it has an order or a \
         command that is right; HELP as the only word of a mail is one."
    )
}

/// Whether a line of a mail may have been meant as an order.
fn speaks_of_the_game(case: &Case) -> bool {
    let request = &case.request;
    !request.card.lines.is_empty() || request.asides.iter().any(|a| a.why == Why::Tried)
}

/// The replies that an address, a domain and the host have left.
#[derive(Clone, Copy)]
pub struct Budget<'a> {
    tools: Tools<'a>,
}

impl<'a> Budget<'a> {
    /// The budget of a store.
    pub fn new(tools: Tools<'a>) -> Self {
        Self { tools }
    }

    /// Adds the replies to a verdict, within the budget of the address and of the host.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn reply(&self, case: &Case, judged: &mut Judged, mails: Vec<QueuedMail>) -> Result<()> {
        let hour = case.now - SignedDuration::from_hours(1);
        let day = case.now - SignedDuration::from_hours(24);
        let standing = case.standing.get();
        judged.standing = standing;
        let limits = &self.tools.cx.limits;
        let (an_hour, a_day) = match standing {
            Standing::Proven => (limits.replies_per_hour, limits.replies_per_day),
            _ => (limits.unproven_replies_per_hour, limits.unproven_replies_per_day),
        };
        for mail in mails {
            if self.breaker_is_open(case.now, judged)? {
                judged.why += " (not answered: the host sends no replies now)";
                continue;
            }
            let to = &mail.mail.to;
            // Answers to this mail count together with earlier ones.
            let now = judged.mails.iter().filter(|m| same_address(&m.mail.to, to)).count() as u32;
            let since = (hour, day);
            let (within_hour, within_day) = match mail.kind {
                MailKind::Receipt => self.tools.store.outbox().receipts_since(to, since)?,
                _ => self.tools.store.outbox().replies_since(
                    to,
                    standing,
                    since,
                    an_hour.max(a_day),
                )?,
            };
            let domain = to.rsplit('@').next().unwrap_or_default();
            let within = within_hour + now < an_hour
                && within_day + now < a_day
                && (standing == Standing::Proven
                    || self.tools.store.outbox().domain_replies_since(domain, standing, hour)?
                        + now
                        < DOMAIN_AN_HOUR);
            if within {
                judged.mails.push(mail);
            } else {
                judged.why += " (not answered: over the budget of the address)";
            }
        }
        Ok(())
    }

    /// Whether so many replies left within the hour that something must be wrong. The verdict then
    /// notifies the game master, once an hour. Cards still count, turns still run.
    fn breaker_is_open(&self, now: Timestamp, judged: &mut Judged) -> Result<bool> {
        let hour = SignedDuration::from_hours(1);
        let limits = &self.tools.cx.limits;
        let (key, limit, most, whose) = match judged.standing {
            Standing::Proven => {
                (BREAKER, "replies_per_hour_total", limits.replies_per_hour_total, "")
            }
            Standing::Unproven => (
                UNPROVEN_BREAKER,
                "unproven_replies_per_hour_total",
                limits.unproven_replies_per_hour_total,
                " to mails that nothing proves",
            ),
            Standing::Stranger => (
                STRANGER_BREAKER,
                "stranger_replies_per_hour_total",
                limits.stranger_replies_per_hour_total,
                " to strangers",
            ),
        };
        let written = self.tools.store.people().all_replies_since(judged.standing, now - hour)?;
        if written + (judged.mails.len() as u32) < most {
            return Ok(false);
        }
        let told = self.tools.store.note(key)?.and_then(|t| t.parse::<Timestamp>().ok());
        let noted = |e: &Effect| matches!(e, Effect::Note(noted, _) if noted == key);
        if told.is_none_or(|at| at + hour <= now) && !judged.effects.iter().any(noted) {
            tracing::error!(most, "replies stopped: the hourly limit of the host is reached");
            let text = format!(
                "More than {most} replies{whose} were written within an hour, so no more of these \
                 are for now. Mails are still read and cards still count. \"fieldpost mail list\" \
                 shows who writes; limits.{limit} in the config is the limit."
            );
            judged.effects.push(Effect::Note(key.to_owned(), now.to_string()));
            let mail = self.tools.mailer().gm_mail("replies stopped", &text, &[key], now);
            judged.alarms.extend(mail);
        }
        Ok(true)
    }

    /// Whether a mail in which nothing is right is answered once more. A program whose words change
    /// looks like a person who errs, so such answers end after a while; the last one says so.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn in_vain(&self, case: &Case, reason: Reason) -> Result<Vain> {
        let standing = case.standing.get();
        let other = usize::from(standing != Standing::Proven);
        let most = match reason {
            Reason::Question => QUESTIONS_ANSWERED,
            // A mail about the game counts like a wrong card.
            Reason::NoOrders if !speaks_of_the_game(case) => NOTHING_ANSWERED[other],
            _ => WRONG_ANSWERED[other],
        };
        // An autoresponder writes only in reply, so a day without an answer stops it too.
        let days = if standing == Standing::Proven { 1 } else { VAIN_DAYS };
        let since = case.now - SignedDuration::from_hours(24 * days);
        let told = self.tools.store.people().told_in_vain(&case.from, standing, reason, since)?;
        Ok(match told + 1 {
            n if n > most => Vain::Enough,
            n if n == most => Vain::Answered(format!(" {}", last(standing))),
            _ if machines::is_last_quick(self.tools, case)? => {
                Vain::Answered(format!(" {}", at_once()))
            }
            _ => Vain::Answered(String::new()),
        })
    }
}
