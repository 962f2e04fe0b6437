//! A mail of the game master: whether it is theirs, and what it commands.

use base::secrets::same;
use jiff::SignedDuration;
use mail::auth::Authenticity;
use mail::mime::same_address;
use store::{Reason, Standing, Verdict};

use crate::context::Result;
use crate::mailer::weeks;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Decision, Tools};

/// Weeks for which the secret of the game master's mails is good.
const GOOD_WEEKS: i64 = 5;

/// Judges mails of the game master.
#[derive(Clone, Copy)]
pub(super) struct GameMaster<'a> {
    tools: Tools<'a>,
}

impl<'a> GameMaster<'a> {
    /// A judge over a store.
    pub(super) fn new(tools: Tools<'a>) -> Self {
        Self { tools }
    }

    /// Judges commands of the game master. Without the secret, the game master is sent a mail,
    /// because an answer to any mail from the robot to the game master carries the secret.
    pub(super) fn judge(&self, case: &Case, secret: Option<&str>) -> Result<Decision> {
        let this = weeks(case.now);
        let right = secret.is_some_and(|s| {
            let s = s.to_lowercase();
            (this - GOOD_WEEKS..=this).any(|w| same(&self.tools.store.key().game_master(w), &s))
        });
        if !same_address(&case.from, &self.tools.cx.gm) || case.authentic == Authenticity::Fail {
            return Answers::new(self.tools)
                .refused(case, Reason::NotGameMaster)
                .map(Decision::from);
        }
        case.standing.set(if right { Standing::Proven } else { Standing::Unproven });
        if !right {
            let text = "A command came in your name without the secret of your mails. If it was \
                        yours, send it again as an answer to this mail; if not, somebody is \
                        trying to give commands in your name.";
            let id_key = case.stored.id.to_string();
            let mail =
                self.tools.mailer().gm_mail("prove yourself", text, &["prove", &id_key], case.now);
            // The command is not held; the game master sends it again, with the secret.
            let mut judged =
                case.judged(Verdict::Rejected, Reason::GmUnproven, "asked for the secret");
            Answers::new(self.tools).reply(case, &mut judged, mail.into_iter().collect())?;
            return Ok(judged.into());
        }
        let first = case.request.commands.first();
        let said = first.and_then(|c| c.for_game_master()).unwrap_or_default();
        let day = case.now - SignedDuration::from_hours(24);
        if said.is_empty()
            && self.tools.store.mails().mails_with(&case.from, Reason::NoGmCommand, day)? > 0
        {
            let why = "no command of the game master; told so within the day";
            return Ok(case.judged(Verdict::Ignored, Reason::NoGmCommand, why).into());
        }
        let reason = if said.is_empty() { Reason::NoGmCommand } else { Reason::GameMaster };
        let word = said.split_whitespace().next().unwrap_or("?").to_uppercase();
        let why = format!("GM {}", word.chars().take(20).collect::<String>());
        let judged = case.judged(Verdict::Accepted, reason, &why);
        Ok(Decision { judged, basis: None, command: Some(said) })
    }
}
