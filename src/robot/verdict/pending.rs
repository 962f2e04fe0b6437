//! Cards pending confirmation: a card without proof has no effect until its player says YES.

use jiff::SignedDuration;

use base::schedule;
use base::secrets::same;
use mail::mime::ParsedMail;
use render::text::{SAFE, para};
use store::{Judged, MailKind, QuestionKind, Reason, Verdict};
use tongue::{mark, say, word};

use super::answers::Answers;
use super::case::{Case, Claim, Proof, Tools};
use super::questions::QUESTION_DAYS;
use super::senders::Senders;
use crate::card::Mode;
use crate::context::Result;
use crate::languages::marker;
use crate::mailer::SeatMail;
use crate::text::printed;

/// Unproven cards within an hour that a player is asked about, at most.
const QUESTIONS_AN_HOUR: u32 = 5;

/// Asks about cards without proof, and finds them again when they are confirmed.
#[derive(Clone, Copy)]
pub struct Pending<'a> {
    tools: Tools<'a>,
}

/// The subject of a question, in a few words.
fn about(kind: QuestionKind) -> String {
    match kind {
        QuestionKind::Join => say!("whether you want a seat"),
        QuestionKind::Standby => say!("whether you take a seat that was left"),
        QuestionKind::OldAddress | QuestionKind::NewAddress => say!("whether a seat moves"),
        QuestionKind::Resign => say!("whether you leave your seat"),
        QuestionKind::Forget => say!("whether your data is erased"),
        QuestionKind::Export => say!("whether your data is sent"),
        QuestionKind::Practice => say!("whether you want to practise"),
        QuestionKind::Unknown => say!("a question"),
    }
}

/// The subject of the question about a card that waits for this reason.
fn asks(reason: Reason) -> String {
    match reason {
        Reason::Doubtful => say!("is this a card?"),
        _ => say!("is this card yours?"),
    }
}

/// The result of looking for the card that a YES confirms.
pub enum Found {
    /// A pending card: the number of its mail, and the mail.
    Card(i64, Box<ParsedMail>),
    /// No clear card; this is the verdict.
    Answered(Judged),
}

impl<'a> Pending<'a> {
    /// The pending cards of a store.
    pub fn new(tools: Tools<'a>) -> Self {
        Self { tools }
    }

    /// Asks the registered address about a card without proof; nothing else happens.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn ask(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let (reason, what) = match claim.proof {
            Proof::OtherAddress => {
                (Reason::OtherAddress, mark!("from an address that is not registered"))
            }
            Proof::NotVouched => {
                (Reason::NotVouched, mark!("that its mail server does not vouch for"))
            }
            _ if claim.old_secret => {
                (Reason::Unproven, mark!("in answer to a mail that is too old by now"))
            }
            _ => (Reason::Unproven, mark!("without the secret of your seat")),
        };
        // The journal has the untranslated words.
        let why = what;
        let what = word(what);
        let most = self.tools.cx.limits.unproven_bytes_max;
        if case.stored.size > most {
            // The whole mail would be stored until its player says YES.
            let text = say!(
                "A card for your seat came {what}, in a mail of {size} kB. Without a proof a mail \
                 has {most} kB at most: if it was yours, send the orders alone, as plain text, or \
                 answer the newest mail of your game with them.",
                size = case.stored.size / 1000,
                most = most / 1000
            );
            let (reason, subject) = (Reason::TooLarge, say!("a card was not taken"));
            let answers = Answers::new(self.tools);
            return answers.short_answer(case, claim, Verdict::Rejected, reason, &subject, text);
        }
        let hour = case.now - SignedDuration::from_hours(1);
        if self.tools.store.mails().pending_since(&game.code, seat.seat, hour)? >= QUESTIONS_AN_HOUR
        {
            // A flood of cards must not flood the player, but one of them may be theirs.
            let told =
                self.tools.store.people().told_since(&case.from, Reason::TooManyQuestions, hour)?;
            if told > 0 {
                let why = "an unproven card, over the hourly number of questions to the player";
                return Ok(case.judged(Verdict::Ignored, reason, why));
            }
            let text = say!(
                "More cards came for your seat without a proof than you are asked about within an \
                 hour. If one of the last was yours, answer the newest mail of your game with it: \
                 such a card needs no question."
            );
            let (reason, subject) = (Reason::TooManyQuestions, say!("a card was not taken"));
            let answers = Answers::new(self.tools);
            return answers.short_answer(case, claim, Verdict::Rejected, reason, &subject, text);
        }
        let mut body = format!("{marker}\n\n", marker = marker());
        let came = schedule::local(case.stored.received_at, &seat.zone);
        body += &para(&say!(
            "A card for your seat came {what}, {came}, from {sender}. It waits and has no effect. \
             If it is yours, answer this mail with the one word YES; if not, do nothing.",
            sender = printed(&case.from)
        ));
        body.push('\n');
        body += &self.wants(case);
        body.push('\n');
        body += &para(&self.tools.mailer().due_line(game, Some(seat.seat), &seat.zone, case.now));
        let asked = self.question(case, claim, (reason, why), body)?;
        if !case.causes_too_much(&asked) {
            return Ok(asked);
        }
        let text = say!(
            "A card for your seat came {what}, with so many short lines that you can't be asked \
             about them. If it was yours, answer the newest mail of your game with it: such a \
             card needs no question."
        );
        let (reason, subject) = (Reason::TooLarge, say!("a card was not taken"));
        Answers::new(self.tools).short_answer(
            case,
            claim,
            Verdict::Rejected,
            reason,
            &subject,
            text,
        )
    }

    /// Asks the player about a mail with so few right lines that it may not be a card; nothing else
    /// happens. `body` is its echo.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn doubt(&self, case: &Case, claim: &Claim, why: &str, body: String) -> Result<Judged> {
        self.question(case, claim, (Reason::Doubtful, why), body)
    }

    /// The verdict on a mail that waits, with the question to the registered address.
    fn question(
        &self,
        case: &Case,
        claim: &Claim,
        (reason, why): (Reason, &str),
        body: String,
    ) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let secret =
            self.tools.store.key().confirm(&game.code, seat.seat, seat.epoch, case.stored.id);
        let letter = SeatMail {
            kind: MailKind::Confirm,
            to: &seat.address,
            turn: game.turn,
            turns: game.step.turns,
            subject: asks(reason),
            text: body,
            attachments: Vec::new(),
            answers: None,
            id_key: case.stored.id.to_string(),
            reply: Some(format!("confirm.{}.{}.{secret}", game.code, seat.seat)),
        };
        let mail = self.tools.mailer().seat_mail(seat, letter, case.now);
        let mut judged = case.judged(Verdict::Pending, reason, why);
        (judged.seat, judged.turn) = (Some((game.code.clone(), seat.seat)), Some(game.turn));
        Answers::new(self.tools).reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    /// All that an unproven mail asks for, line by line.
    fn wants(&self, case: &Case) -> String {
        let request = &case.request;
        let mut out = String::new();
        for line in request.commands.iter().zip(&request.command_lines).map(|c| c.1) {
            out += &format!("{SAFE}{}\n", say!("command: {line}", line = printed(line)));
        }
        if request.has_orders() {
            let becomes = match request.mode {
                Mode::File => say!("it replaces your card on file:"),
                Mode::Add => say!("it adds to your card on file:"),
                Mode::Cancel => say!("it withdraws all your orders on file"),
                Mode::Check => say!("it is only checked, not filed:"),
            };
            out += &format!("{SAFE}{becomes}\n");
        }
        let taken_back = request.changes.iter().filter(|change| change.by.is_empty());
        for change in taken_back {
            out += &format!("{SAFE}{:>3}  {}\n", change.line, printed(&change.text));
        }
        for (line, text) in &request.card.lines {
            out += &format!("{SAFE}{line:>3}  {}\n", printed(text));
        }
        out
    }

    /// The pending mail that a YES confirms, known by the secret of its question, or because the
    /// YES answers that question. Nothing else identifies it, even if only one mail is pending.
    fn asked_about(&self, case: &Case, claim: &Claim, pending: &[i64]) -> Result<Option<i64>> {
        let (code, seat) = (&claim.game.code, claim.seat.seat);
        for detail in Senders::new(self.tools).details(&case.parsed.recipients) {
            let Some(secret) = detail.get(3) else { continue };
            let (key, epoch) = (self.tools.store.key(), claim.seat.epoch);
            let right =
                |id: &&i64| same(&key.confirm(code, seat, epoch, **id), &secret.to_lowercase());
            if let Some(id) = pending.iter().find(right) {
                return Ok(Some(*id));
            }
        }
        for answered in &case.parsed.answers {
            let asked = self.tools.store.outbox().asked_by(answered, code, seat)?;
            if let Some(id) = asked.filter(|id| pending.contains(id)) {
                return Ok(Some(id));
            }
        }
        Ok(None)
    }

    /// The card that a YES confirms, with its number. Or the answer to the player, if no card is
    /// pending or it is unclear which one is meant.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn find(&self, case: &Case, claim: &Claim) -> Result<Found> {
        let answers = Answers::new(self.tools);
        let pending = self.tools.store.mails().pending_of(&claim.game.code, claim.seat.seat)?;
        let asked = self.asked_about(case, claim, &pending)?;
        if asked.is_none() && !pending.is_empty() {
            let mut text = say!(
                "Your YES does not say what it confirms, so nothing was done. Answer the mail that \
                 asks about the card which you mean. These wait:"
            );
            for id in &pending {
                let Some(mail) = self.tools.store.mails().mail(*id)? else { continue };
                let came = schedule::local(mail.received_at, &claim.seat.zone);
                let sender = printed(&mail.sender);
                let asked = asks(mail.reason);
                text += &format!("\n\n| {}", say!("came {came}, from {sender}: {asked:?}"));
            }
            let (reason, subject) = (Reason::SeveralPending, say!("which card?"));
            return answers
                .short_answer(case, claim, Verdict::Rejected, reason, &subject, text)
                .map(Found::Answered);
        }
        let raw = match asked {
            Some(id) => self.tools.store.mails().raw(id)?.map(|raw| (id, raw)),
            None => None,
        };
        let Some((id, raw)) = raw else {
            let mut text = say!("No card of yours waits for a confirmation.");
            let fresh = case.now - SignedDuration::from_hours(24 * QUESTION_DAYS);
            let open = self.tools.store.people().open_questions(&claim.seat.address, fresh)?;
            if !open.is_empty() {
                text.push(' ');
                text += &say!("Answer the question itself that you mean; these are open:");
            }
            for q in &open {
                let asked = schedule::local(q.asked_at, &claim.seat.zone);
                let what = about(q.kind);
                let told = match &q.game {
                    Some(game) => say!("game {game}, {what}, asked {asked}"),
                    None => say!("{what}, asked {asked}"),
                };
                text += &format!("\n\n| {told}");
            }
            let (reason, subject) = (Reason::NothingPending, say!("nothing to confirm"));
            return answers
                .short_answer(case, claim, Verdict::Rejected, reason, &subject, text)
                .map(Found::Answered);
        };
        let Some(parsed) = self.tools.cx.take_apart(&raw)? else {
            let judged = case.judged(Verdict::Quarantined, Reason::Unreadable, "the pending mail");
            return Ok(Found::Answered(judged));
        };
        Ok(Found::Card(id, Box::new(parsed)))
    }
}
