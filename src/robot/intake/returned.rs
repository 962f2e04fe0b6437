//! Mails about our own mails: bounces and delays, known by the secret return path or
//! by the Message-ID that they quote.

use jiff::SignedDuration;

use super::Intake;
use super::{Case, silent};
use crate::card::Request;
use crate::context::Result;
use mail::body::NewText;
use mail::dsn::{self, Action};
use mail::mime::{Author, ParsedMail, same_address};
use store::{Effect, Judged, StoredMail, Verdict};

/// Days until somebody who writes through a list is told again.
const LIST_DAYS: i64 = 90;

impl Intake<'_> {
    /// The verdict about a report; `None` when the mail is none about us.
    pub(super) fn returned(&self, parsed: &ParsedMail, digest: &str) -> Result<Option<Judged>> {
        let Some(report) = dsn::read(parsed) else { return Ok(None) };
        let mut about = None;
        for detail in self.details(parsed) {
            if let [word, token] = detail.as_slice()
                && word.eq_ignore_ascii_case("b")
            {
                about = self.store.sent_with(&token.to_lowercase())?;
            }
        }
        if let (None, Some(id)) = (&about, &report.about) {
            about = self.store.sent_under(id)?;
        }
        if about.is_none() && parsed.report.is_empty() {
            // No report at all, only a mail from nobody.
            return Ok(None);
        }
        let Some((mail, address)) = about else {
            // Somebody else's mail, or a made-up report: nobody is blamed for it.
            let why = "a report about no mail of ours";
            return Ok(Some(Judged {
                digest: digest.into(),
                ..silent(Verdict::Ignored, "report", why, "")
            }));
        };
        let (reason, why) = match report.action {
            Action::Failed => ("bounce", format!("mail {mail} came back: {}", report.status)),
            Action::Delayed => ("delayed", format!("mail {mail} is on its way: {}", report.status)),
            Action::Delivered => ("delivered", format!("mail {mail} arrived")),
        };
        let mut judged = silent(Verdict::Ignored, reason, &why, "");
        judged.digest = digest.to_owned();
        match report.action {
            Action::Failed => judged.effects.push(Effect::Bounced {
                mail,
                address,
                hard: !report.may_pass(),
                status: report.status,
                limit: self.cx.limits.bounce_limit,
            }),
            Action::Delivered => judged.effects.push(Effect::Reachable(address)),
            Action::Delayed => {}
        }
        Ok(Some(judged))
    }

    /// A player behind a mailing list is told once to write directly.
    pub(super) fn through_a_list(
        &self,
        mail: &StoredMail,
        parsed: &ParsedMail,
        digest: String,
    ) -> Result<Judged> {
        let why = "mail of a list is never answered";
        let silent =
            |digest| Judged { digest, ..silent(Verdict::Ignored, "mailing-list", why, "") };
        let Author::One(from) = &parsed.author else { return Ok(silent(digest)) };
        let since = self.cx.now() - SignedDuration::from_hours(24 * LIST_DAYS);
        let told = self.store.list_told(from)?.is_some_and(|at| at > since);
        // Only for a subject of ours: everything else may be anybody's newsletter.
        let named = |r: &String| same_address(r, &self.cx.identity.address) || self.is_detailed(r);
        let ours = crate::card::subject_tag(&parsed.subject).is_some()
            && parsed.addressees.iter().any(named);
        if told || !ours || self.store.seats_of(from)?.is_empty() {
            return Ok(silent(digest));
        }
        let case = Case {
            stored: mail,
            parsed,
            from: from.clone(),
            request: Request::default(),
            text: NewText::default(),
            now: self.cx.now(),
            confirms: None,
            digest,
            authentic: Default::default(),
        };
        let text = "Your mail came through a mailing list, and such mails are not read. Write to \
                    the robot directly.";
        let mut judged = self.answer(&case, Verdict::Ignored, "mailing-list", text)?;
        if !judged.mails.is_empty() {
            judged.effects.push(Effect::ListTold(from.clone()));
        }
        Ok(judged)
    }
}
