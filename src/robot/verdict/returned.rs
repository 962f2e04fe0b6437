//! Mails about the robot's own mails: bounces and delays, known by the secret return path or by the
//! Message-ID that they quote. Also mails through a list.

use jiff::SignedDuration;

use super::answers::Answers;
use super::case::{Case, Tools, verdict_alone};
use super::senders::Senders;
use crate::context::Result;
use mail::dsn::{self, Action};
use mail::hygiene::Automatic;
use mail::mime::{Author, ParsedMail, same_address};
use store::{Effect, Judged, Reason, StoredMail, Verdict};
use tongue::say;

/// Days until somebody who writes through a list gets the next notice.
const LIST_DAYS: i64 = 90;

/// Judges mails that came back, or came through a list.
#[derive(Clone, Copy)]
pub struct Returned<'a> {
    tools: Tools<'a>,
}

impl<'a> Returned<'a> {
    /// A judge of returned mails.
    pub fn new(tools: Tools<'a>) -> Self {
        Self { tools }
    }

    /// The verdict about a report. `None`: the mail is not a report to the robot.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn report(&self, parsed: &ParsedMail, digest: &str) -> Result<Option<Judged>> {
        let Some(report) = dsn::read(parsed) else { return Ok(None) };
        let mut about = None;
        for detail in Senders::new(self.tools).details(&parsed.recipients) {
            if let [word, token] = detail.as_slice()
                && word.eq_ignore_ascii_case("b")
            {
                about = self.tools.store.people().sent_with(&token.to_lowercase())?;
            }
        }
        if let (None, Some(id)) = (&about, &report.about) {
            about = self.tools.store.outbox().sent_under(id)?;
        }
        if about.is_none() && parsed.report.is_empty() {
            // Not a report, only a mail without a sender.
            return Ok(None);
        }
        let Some((mail, address)) = about else {
            // Somebody else's mail, or a made-up report: nobody is blamed for it.
            let why = "a report about no mail of ours";
            return Ok(Some(Judged {
                digest: digest.into(),
                ..verdict_alone(Verdict::Ignored, Automatic::Report.into(), why, "")
            }));
        };
        let (reason, why) = match report.action {
            Action::Failed => (Reason::Bounce, format!("mail {mail} came back: {}", report.status)),
            Action::Delayed => {
                (Reason::Delayed, format!("mail {mail} is on its way: {}", report.status))
            }
            Action::Delivered => (Reason::Delivered, format!("mail {mail} arrived")),
        };
        let mut judged = verdict_alone(Verdict::Ignored, reason, &why, "");
        judged.digest = digest.to_owned();
        match report.action {
            // A mail that was too large does not mean that the address is bad.
            Action::Failed if dsn::is_about_size(&report.status) => {}
            Action::Failed => judged.effects.push(Effect::Bounced {
                mail,
                address,
                hard: !report.may_pass(),
                status: report.status,
                limit: self.tools.cx.limits.bounce_limit,
            }),
            Action::Delivered => judged.effects.push(Effect::Reachable(address)),
            Action::Delayed => {}
        }
        Ok(Some(judged))
    }

    /// Asks a player who writes through a mailing list, once, to write directly.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn through_a_list(
        &self,
        mail: &StoredMail,
        parsed: &ParsedMail,
        digest: String,
    ) -> Result<Judged> {
        let why = "mail of a list is never answered";
        let ignored = |digest| Judged {
            digest,
            ..verdict_alone(Verdict::Ignored, Automatic::MailingList.into(), why, "")
        };
        let Author::One(from) = &parsed.author else { return Ok(ignored(digest)) };
        let since = self.tools.cx.now() - SignedDuration::from_hours(24 * LIST_DAYS);
        let told = self.tools.store.people().list_told(from)?.is_some_and(|at| at > since);
        // Only for a subject of the robot: everything else may be a newsletter.
        let named = |r: &String| {
            same_address(r, &self.tools.cx.identity.address)
                || Senders::new(self.tools).is_detailed(r)
        };
        let ours = crate::card::subject_tag(&parsed.subject).is_some()
            && parsed.addressees.iter().any(named);
        if told || !ours || self.tools.store.games().seats_of(from)?.is_empty() {
            return Ok(ignored(digest));
        }
        let from = from.clone();
        let case = Case { digest, ..Case::new(mail, parsed, from, self.tools.cx.now()) };
        let text = say!(
            "Your mail came through a mailing list, and such mails are not read. Write to the \
             robot directly."
        );
        let mut judged = Answers::new(self.tools).answer(
            &case,
            Verdict::Ignored,
            Automatic::MailingList.into(),
            &text,
        )?;
        if !judged.mails.is_empty() {
            judged.effects.push(Effect::ListTold(case.from));
        }
        Ok(judged)
    }
}
