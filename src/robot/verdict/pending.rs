//! Cards pending confirmation: one that nothing proves has no effect until its player says YES.

use jiff::SignedDuration;

use base::secrets::same;
use mail::marker::MARKER;
use mail::mime::{self, ParsedMail};
use render::text::{SAFE, para};
use store::{Judged, MailKind, Reason, Verdict};

use super::answers::Answers;
use super::case::{Case, Claim, Command, Proof, Tools};
use super::senders::Senders;
use crate::context::Result;
use crate::mailer::SeatMail;

/// Unproven cards within an hour about which a player is asked.
const QUESTIONS_AN_HOUR: u32 = 5;
/// Lines of an unproven card that the question shows.
const LINES_SHOWN: usize = 60;

/// Asks about cards that nothing proves, and finds them again when they are confirmed.
#[derive(Clone, Copy)]
pub struct Pending<'a> {
    tools: Tools<'a>,
}

/// What a YES is about.
pub enum Found {
    /// A pending card: the number of its mail, and the mail.
    Card(i64, Box<ParsedMail>),
    /// None that is clear; this is the verdict.
    Answered(Judged),
}

impl<'a> Pending<'a> {
    /// The pending cards of a store.
    pub fn new(tools: Tools<'a>) -> Self {
        Self { tools }
    }

    /// A card that nothing proves: the registered address is asked, and nothing else happens.
    ///
    /// # Errors
    /// [`crate::RobotError`]; the mail has its next attempt then.
    pub fn ask(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let (reason, what) = match claim.proof {
            Proof::OtherAddress => (Reason::OtherAddress, "from an address that is not registered"),
            Proof::NotVouched => (Reason::NotVouched, "that its mail server does not vouch for"),
            _ => (Reason::Unproven, "without the secret of your seat"),
        };
        let hour = case.now - SignedDuration::from_hours(1);
        if self.tools.store.pending_since(&game.code, seat.seat, hour)? >= QUESTIONS_AN_HOUR {
            // Somebody else's flood is no reason to flood the player.
            let why = "an unproven card, over the hourly number of questions to the player";
            return Ok(case.judged(Verdict::Ignored, reason, why));
        }
        let secret = self.tools.store.key().confirm(&game.code, seat.seat, case.stored.id);
        let mut body = format!("{MARKER}\n\n");
        body += &para(&format!(
            "A card for your seat came {what}. It waits and has no effect. If it is yours, \
             answer this mail with the one word YES; if not, do nothing."
        ));
        body.push('\n');
        for setting in case.request.commands.iter().filter_map(Command::as_setting) {
            // Its words are shown as far as they are no secret.
            let shown = setting.shown();
            let shown: String = shown.chars().filter(|c| !c.is_control()).take(120).collect();
            body += &format!("{SAFE}command: {shown}\n");
        }
        for (line, text) in case.request.card.lines.iter().take(LINES_SHOWN) {
            let text: String = text.chars().filter(|c| !c.is_control()).take(120).collect();
            body += &format!("{SAFE}{line:>3}  {text}\n");
        }
        body.push('\n');
        body += &para(&self.tools.mailer().due_line(game, Some(seat.seat), &seat.zone, case.now));
        let letter = SeatMail {
            kind: MailKind::Confirm,
            to: &seat.address,
            turn: game.turn,
            subject: "is this card yours?".to_owned(),
            text: body,
            attachments: Vec::new(),
            answers: None,
            id_key: case.stored.id.to_string(),
            reply: Some(format!("confirm.{}.{}.{secret}", game.code, seat.seat)),
        };
        let mail = self.tools.mailer().seat_mail(seat, letter, case.now);
        let mut judged = case.judged(Verdict::Pending, reason, what);
        (judged.seat, judged.turn) = (Some((game.code.clone(), seat.seat)), Some(game.turn));
        Answers::new(self.tools).reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    /// The card that a YES confirms, with its number; or what the player is told when there is
    /// none, or when several are pending and nothing says which is meant.
    ///
    /// # Errors
    /// [`crate::RobotError`]; the mail has its next attempt then.
    pub fn find(&self, case: &Case, claim: &Claim) -> Result<Found> {
        let answers = Answers::new(self.tools);
        let secrets: Vec<String> = Senders::new(self.tools)
            .details(case.parsed)
            .into_iter()
            .filter_map(|d| d.get(3).cloned())
            .collect();
        let pending = self.tools.store.pending_of(&claim.game.code, claim.seat.seat)?;
        let fits = |id: &&i64| {
            let right = self.tools.store.key().confirm(&claim.game.code, claim.seat.seat, **id);
            secrets.is_empty() || secrets.iter().any(|s| same(&s.to_lowercase(), &right))
        };
        if secrets.is_empty() && pending.len() > 1 {
            let text = "Several cards wait for a confirmation. Answer the mail that shows the \
                        right one with YES."
                .to_owned();
            return answers
                .tell(case, claim, Verdict::Rejected, Reason::SeveralPending, "which card?", text)
                .map(Found::Answered);
        }
        let raw = match pending.iter().find(fits) {
            Some(id) => self.tools.store.raw(*id)?.map(|raw| (*id, raw)),
            None => None,
        };
        let Some((id, raw)) = raw else {
            let text = "No card of yours waits for a confirmation.".to_owned();
            return answers
                .tell(
                    case,
                    claim,
                    Verdict::Rejected,
                    Reason::NothingPending,
                    "nothing to confirm",
                    text,
                )
                .map(Found::Answered);
        };
        let Ok(parsed) = mime::parse(&raw) else {
            let judged = case.judged(Verdict::Quarantined, Reason::Unreadable, "the pending mail");
            return Ok(Found::Answered(judged));
        };
        Ok(Found::Card(id, Box::new(parsed)))
    }
}
