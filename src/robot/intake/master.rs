//! A mail of the game master: whether it is theirs, and what it commands.

use base::secrets::same;
use jiff::SignedDuration;
use mail::auth::Authenticity;
use mail::mime::same_address;
use store::Verdict;

use super::{Case, Decision, Intake};
use crate::card::Command;
use crate::context::Result;
use crate::mailer::weeks;

/// Weeks for which the secret of the game master's mails is good.
const GOOD_WEEKS: i64 = 5;

impl Intake<'_> {
    /// Commands of the game master. Without the secret he is sent one: the answer to
    /// any mail of the robot to him carries it.
    pub(super) fn by_game_master(&self, case: &Case, secret: Option<&str>) -> Result<Decision> {
        let this = weeks(case.now);
        let right = secret.is_some_and(|s| {
            let s = s.to_lowercase();
            (this - GOOD_WEEKS..=this).any(|w| same(&self.store.key().game_master(w), &s))
        });
        if !same_address(&case.from, &self.cx.gm) || case.authentic == Authenticity::Fail {
            return self.refused(case, "not-game-master").map(Decision::from);
        }
        if !right {
            let text = "A command came in your name without the secret of your mails. If it was \
                        yours, send it again as an answer to this mail; if not, somebody tries.";
            let cause = case.stored.id.to_string();
            let mail = self.mailer().gm_mail("prove yourself", text, &["prove", &cause], case.now);
            let mut judged =
                self.judged(case, Verdict::Held, "gm-unproven", "asked for the secret");
            self.reply(case, &mut judged, mail.into_iter().collect())?;
            return Ok(judged.into());
        }
        let said = match case.request.commands.first() {
            Some(Command::Gm(said)) => said.clone(),
            Some(Command::Help(_)) => "HELP".to_owned(),
            Some(Command::Status) => "STATUS".to_owned(),
            _ => String::new(),
        };
        let day = case.now - SignedDuration::from_hours(24);
        if said.is_empty() && self.store.mails_with(&case.from, "no-gm-command", day)? > 0 {
            let why = "no command of the game master; told so within the day";
            return Ok(self.judged(case, Verdict::Ignored, "no-gm-command", why).into());
        }
        let reason = if said.is_empty() { "no-gm-command" } else { "game-master" };
        let word = said.split_whitespace().next().unwrap_or("?").to_uppercase();
        let why = format!("GM {}", word.chars().take(20).collect::<String>());
        let judged = self.judged(case, Verdict::Accepted, reason, &why);
        Ok(Decision { judged, command: Some(said) })
    }
}
