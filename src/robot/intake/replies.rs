//! What is written back, to seats and to strangers, within their budgets.

use jiff::{SignedDuration, Timestamp};

use super::super::letters::Letter;
use super::super::{Result, Robot};
use super::{Case, Claim, Proof, silent};
use crate::card::echo::Echo;
use crate::card::{COMMANDS, Command, Request};
use crate::engine::Judgement;
use crate::mail::body::{MARKER, NewText};
use crate::mail::mime::{ParsedMail, same_address};
use crate::render::text::para;
use crate::schedule;
use crate::store::{Judged, QueuedMail, Status, StoredMail, Verdict};

impl Robot {
    /// The same words whether the game, the seat or the secret is wrong.
    pub(super) fn refused(&mut self, case: &Case, reason: &'static str) -> Result<Judged> {
        let text = "This mail was not accepted: the game, seat and secret or password that it \
                    came with do not fit together. Answer the newest mail of your game without \
                    changing the address that your mail program fills in, or begin with the \
                    line \"GAME code SEAT number PASSWORD password\".";
        let known = !self.store.seats_of(&case.from)?.is_empty();
        match known {
            true => self.answer(case, Verdict::Rejected, reason, text),
            false => self.once_a_day(case, reason, text),
        }
    }

    pub(super) fn stranger(&mut self, case: &Case) -> Result<Judged> {
        let help = matches!(case.request.command, Some(Command::Help(_)));
        let text = match help {
            true => self.help_text(None, &[]),
            false => "This is a robot that runs games by mail, and it knows no player at your \
                      address. If you have a seat, write from the address that it was given \
                      to. HELP as the only word of a mail tells more."
                .to_owned(),
        };
        let verdict = if help { Verdict::Accepted } else { Verdict::Rejected };
        let judged = self.once_a_day(case, "unknown-sender", &text)?;
        // Over the budget nothing is answered, and the verdict says so.
        let answered = !judged.mails.is_empty();
        Ok(Judged { verdict: if answered { verdict } else { judged.verdict }, ..judged })
    }

    /// An answer to an unknown address, as far as its budget goes.
    pub(super) fn once_a_day(
        &mut self,
        case: &Case,
        reason: &'static str,
        text: &str,
    ) -> Result<Judged> {
        let day = case.now - SignedDuration::from_hours(24);
        let sent = self.store.replies_since(&case.from, day)?;
        if sent >= self.limits.stranger_replies_per_day {
            let why = "an unknown address that was answered today already";
            return Ok(self.judged(case, Verdict::Ignored, reason, why));
        }
        self.answer(case, Verdict::Rejected, reason, text)
    }

    pub(super) fn answer(
        &mut self,
        case: &Case,
        verdict: Verdict,
        reason: &'static str,
        text: &str,
    ) -> Result<Judged> {
        let body = format!("{MARKER}\n\n{}", wrapped(text));
        let cause = case.stored.id.to_string();
        let id = case.parsed.message_id.as_deref();
        let mail = self.stranger_mail(&case.from, id, &body, &cause, case.now);
        let mut judged = self.judged(case, verdict, reason, text);
        self.reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    pub(super) fn too_large(
        &mut self,
        mail: &StoredMail,
        parsed: &ParsedMail,
        from: &str,
        digest: &str,
        now: Timestamp,
    ) -> Result<Judged> {
        let (request, text) = (Request::default(), NewText::default());
        let case = Case {
            stored: mail,
            parsed,
            from: from.to_owned(),
            request,
            text,
            now,
            confirms: None,
            digest: digest.to_owned(),
        };
        let text = format!(
            "Your mail of {} kB was not read; the limit is {} kB. Send the orders alone, as \
             plain text, without attachments.",
            mail.size / 1000,
            self.limits.mail_bytes_max / 1000
        );
        match self.store.seats_of(from)?.is_empty() {
            true => self.once_a_day(&case, "too-large", &text),
            false => self.answer(&case, Verdict::Rejected, "too-large", &text),
        }
    }

    pub(super) fn echo(
        &self,
        case: &Case,
        claim: &Claim,
        outcome: &str,
        title: &str,
        judgement: &Judgement,
        seals: &[String],
    ) -> String {
        let (game, seat) = (&claim.game, &claim.seat);
        let mut facts = vec![
            format!("Game {}, turn {}, seat {}.", game.code, game.turn, seat.seat),
            format!("Received {}.", schedule::local(case.stored.received_at, &seat.zone)),
            self.due_line(game, &seat.zone, case.now),
        ];
        if game.status == Status::Held {
            facts.push("The game is held by the game master; its turn does not run now.".into());
        }
        for part in &case.parsed.left_out {
            facts.push(format!("Your mail had {part}."));
        }
        let hints = vec![
            "A new card in answer to this mail replaces all orders on file; ADD as its first \
             line appends, CANCEL withdraws, CHECK judges without filing."
                .to_owned(),
        ];
        Echo { outcome: outcome.to_owned(), facts, title, judgement, seals: seals.to_vec(), hints }
            .text()
    }

    /// To the sender, and to the registered address when that is another.
    pub(super) fn to_player(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        body: String,
    ) -> Vec<QueuedMail> {
        let other = claim.proof == Proof::Proven && !same_address(&case.from, &claim.seat.address);
        let mut mails = self.to_registered(case, claim, subject, body.clone());
        if other {
            mails.extend(self.letter(case, claim, subject, body, &case.from));
        }
        mails
    }

    pub(super) fn to_registered(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        body: String,
    ) -> Vec<QueuedMail> {
        let address = claim.seat.address.clone();
        self.letter(case, claim, subject, body, &address).into_iter().collect()
    }

    pub(super) fn letter(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        text: String,
        to: &str,
    ) -> Option<QueuedMail> {
        let letter = Letter {
            kind: "echo",
            to,
            turn: claim.game.turn,
            subject: subject.to_owned(),
            text,
            attachments: Vec::new(),
            answers: case.parsed.message_id.as_deref(),
            cause: format!("{} {to}", case.stored.id),
            reply: None,
        };
        self.seat_mail(&claim.seat, letter, case.now)
    }

    /// A short answer to a seat's player.
    pub(super) fn tell(
        &mut self,
        case: &Case,
        claim: &Claim,
        verdict: Verdict,
        reason: &'static str,
        subject: &str,
        text: String,
    ) -> Result<Judged> {
        let mut body = format!("{MARKER}\n\n{}\n", wrapped(&text));
        body += &para(&self.due_line(&claim.game, &claim.seat.zone, case.now));
        let mut judged = self.judged(case, verdict, reason, &text);
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        judged.turn = Some(claim.game.turn);
        let mails = self.to_player(case, claim, subject, body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// Adds the replies to a verdict, within the budget of the address.
    pub(super) fn reply(
        &mut self,
        case: &Case,
        judged: &mut Judged,
        mails: Vec<QueuedMail>,
    ) -> Result<()> {
        let hour = case.now - SignedDuration::from_hours(1);
        for mail in mails {
            if self.store.replies_since(&mail.mail.to, hour)? < self.limits.replies_per_hour {
                judged.mails.push(mail);
            } else {
                judged.why += " (not answered: over the hourly budget of the address)";
            }
        }
        Ok(())
    }

    pub(super) fn judged(
        &self,
        case: &Case,
        verdict: Verdict,
        reason: &'static str,
        why: &str,
    ) -> Judged {
        Judged { digest: case.digest.clone(), ..silent(verdict, reason, why, &case.from) }
    }
}

/// Paragraphs that are wrapped already stay; others are wrapped.
pub(super) fn wrapped(text: &str) -> String {
    if text.contains('\n') { text.to_owned() } else { para(text) }
}

pub(super) fn forms() -> String {
    let words: Vec<&str> = COMMANDS.iter().map(|c| c.0).collect();
    format!("Commands are {}.", words.join(", "))
}
