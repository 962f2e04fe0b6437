//! What is written back, to seats and to strangers, within their budgets.

use jiff::{SignedDuration, Timestamp};

use super::Intake;
use super::settings::QUESTIONS_A_DAY;
use super::{Case, Claim, Proof, silent};
use crate::card::echo::Echo;
use crate::card::{COMMANDS, Command};
use crate::context::Result;
use crate::mailer::Letter;
use base::schedule;
use engine::Judgement;
use mail::body::MARKER;
use mail::mime::same_address;
use render::text::{para, wrapped};
use store::{Effect, Judged, QueuedMail, Status, Verdict};

/// Name of the note of when the game master was told that replies stopped.
const BREAKER: &str = "breaker";
/// Wrong secrets from one address within a day that are answered.
const GUESSES_A_DAY: u32 = 10;

impl Intake<'_> {
    /// The same words whether the game, the seat or the secret is wrong. Who guesses
    /// is not answered for long; the player whose seat it is notices nothing of it.
    pub(super) fn refused(&self, case: &Case, reason: &'static str) -> Result<Judged> {
        let day = case.now - SignedDuration::from_hours(24);
        if self.store.failures_of(&case.from, day)? >= GUESSES_A_DAY {
            let why = "too many wrong secrets from this address today";
            return Ok(self.judged(case, Verdict::Ignored, reason, why));
        }
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

    pub(super) fn stranger(&self, case: &Case) -> Result<Judged> {
        if let Some(judged) = self.for_anybody(case)? {
            return Ok(judged);
        }
        let stored = !self.store.all_seats_of(&case.from)?.is_empty()
            || self.store.is_waiting(&case.from)?;
        if case.request.commands.first() == Some(&Command::Forget) && stored {
            let (verdict, text, effects, mails) = match self.ask_forget(case, &case.from)? {
                Ok((note, effects, mails)) => (Verdict::Accepted, note, effects, mails),
                Err(note) => (Verdict::Rejected, note, Vec::new(), Vec::new()),
            };
            let day = case.now - SignedDuration::from_hours(24);
            if self.store.questions_since(&case.from, day)? >= QUESTIONS_A_DAY {
                let why = "an address that was asked often enough today";
                return Ok(self.judged(case, Verdict::Ignored, "forget-asked", why));
            }
            let mut judged = self.answer(case, verdict, "forget-asked", &text)?;
            judged.effects.extend(effects);
            self.reply(case, &mut judged, mails)?;
            return Ok(judged);
        }
        let help = matches!(case.request.commands.first(), Some(Command::Help(_)));
        let text = match help {
            true => self.help_text(None, &[], true),
            false => "This is a robot that runs games by mail, and it knows no player at your \
                      address. If you have a seat, write from the address that it was given \
                      to. HELP as the only word of a mail tells more, GAMES lists the games, \
                      and JOIN with the code of a game asks for a seat."
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
        &self,
        case: &Case,
        reason: &'static str,
        text: &str,
    ) -> Result<Judged> {
        let day = case.now - SignedDuration::from_hours(24);
        let sent = self.store.replies_since(&case.from, day)?;
        let known = !self.store.seats_of(&case.from)?.is_empty();
        if !known && sent >= self.cx.limits.stranger_replies_per_day {
            let why = "an unknown address that was answered today already";
            return Ok(self.judged(case, Verdict::Ignored, reason, why));
        }
        self.answer(case, Verdict::Rejected, reason, text)
    }

    pub(super) fn answer(
        &self,
        case: &Case,
        verdict: Verdict,
        reason: &'static str,
        text: &str,
    ) -> Result<Judged> {
        let cause = case.stored.id.to_string();
        let id = case.parsed.message_id.as_deref();
        let subject = match reason {
            "joined" => "you have a seat",
            "waiting" => "you are on the waiting list",
            "games" => "the games of this host",
            "resigned" => "you have left your seat",
            "relayed" => "your letter went on",
            _ => "about your mail",
        };
        let mail =
            self.mailer().answer_mail("answer", (&case.from, subject), id, text, &cause, case.now);
        let mut judged = self.judged(case, verdict, reason, text);
        self.reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    pub(super) fn too_large(&self, case: &Case) -> Result<Judged> {
        let text = format!(
            "Your mail of {} kB was not read; the limit is {} kB. Send the orders alone, as \
             plain text, without attachments.",
            case.stored.size / 1000,
            self.cx.limits.mail_bytes_max / 1000
        );
        match self.store.seats_of(&case.from)?.is_empty() {
            true => self.once_a_day(case, "too-large", &text),
            false => self.answer(case, Verdict::Rejected, "too-large", &text),
        }
    }

    pub(super) fn echo(
        &self,
        case: &Case,
        claim: &Claim,
        outcome: &str,
        title: &str,
        judgement: &Judgement,
        more: (&[String], &[String]),
    ) -> String {
        let (seals, notes) = more;
        let (game, seat) = (&claim.game, &claim.seat);
        let mut facts = vec![
            format!("Game {}, turn {}, seat {}.", game.code, game.turn, seat.seat),
            format!("Received {}.", schedule::local(case.stored.received_at, &seat.zone)),
            self.mailer().due_line(game, Some(seat.seat), &seat.zone, case.now),
        ];
        if game.status == Status::Held {
            facts.push("The game is held by the game master; its turn does not run now.".into());
        }
        facts.extend(notes.iter().cloned());
        for part in &case.parsed.left_out {
            facts.push(format!("Your mail had {part}."));
        }
        if case.text.orders_signed {
            facts.push(
                "What stands below your signature looks like orders and was not read.".into(),
            );
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
    pub(super) fn mails_to_player(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        body: String,
    ) -> Vec<QueuedMail> {
        let other = claim.proof == Proof::Proven && !same_address(&case.from, &claim.seat.address);
        let mut mails = self.mails_to_registered(case, claim, subject, body.clone());
        if other {
            mails.extend(self.letter(case, claim, subject, body, &case.from));
        }
        mails
    }

    pub(super) fn mails_to_registered(
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
        self.mailer().seat_mail(&claim.seat, letter, case.now)
    }

    /// A short answer to a seat's player.
    pub(super) fn tell(
        &self,
        case: &Case,
        claim: &Claim,
        verdict: Verdict,
        reason: &'static str,
        subject: &str,
        text: String,
    ) -> Result<Judged> {
        let mut body = format!("{MARKER}\n\n{}\n", wrapped(&text));
        body += &para(&self.mailer().due_line(
            &claim.game,
            Some(claim.seat.seat),
            &claim.seat.zone,
            case.now,
        ));
        let mut judged = self.judged(case, verdict, reason, &text);
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        judged.turn = Some(claim.game.turn);
        let mails = self.mails_to_player(case, claim, subject, body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// Adds the replies to a verdict, within the budget of the address and of the host.
    pub(super) fn reply(
        &self,
        case: &Case,
        judged: &mut Judged,
        mails: Vec<QueuedMail>,
    ) -> Result<()> {
        let hour = case.now - SignedDuration::from_hours(1);
        let day = case.now - SignedDuration::from_hours(24);
        for mail in mails {
            if self.breaker_is_open(case.now, judged)? {
                judged.why += " (not answered: the host sends no replies now)";
                continue;
            }
            let to = &mail.mail.to;
            let within = self.store.replies_since(to, hour)? < self.cx.limits.replies_per_hour
                && self.store.replies_since(to, day)? < self.cx.limits.replies_per_day;
            if within {
                judged.mails.push(mail);
            } else {
                judged.why += " (not answered: over the budget of the address)";
            }
        }
        Ok(())
    }

    /// Whether so many replies left within the hour that something must be wrong; the
    /// game master is told once an hour, with the verdict. Cards still count, turns still run.
    fn breaker_is_open(&self, now: Timestamp, judged: &mut Judged) -> Result<bool> {
        let hour = SignedDuration::from_hours(1);
        let most = self.cx.limits.replies_per_hour_total;
        if self.store.all_replies_since(now - hour)? + (judged.mails.len() as u32) < most {
            return Ok(false);
        }
        let told = self.store.note(BREAKER)?.and_then(|t| t.parse::<Timestamp>().ok());
        let noted = |e: &Effect| matches!(e, Effect::Note(key, _) if key == BREAKER);
        if told.is_none_or(|at| at + hour <= now) && !judged.effects.iter().any(noted) {
            tracing::error!(most, "replies stopped: the hourly limit of the host is reached");
            let text = format!(
                "More than {most} replies were written within an hour, so no more are for now. \
                 Mails are still read and cards still count. \"fieldpost mail list\" shows who \
                 writes; limits.replies_per_hour_total in the config is the limit."
            );
            judged.effects.push(Effect::Note(BREAKER.to_owned(), now.to_string()));
            let mail = self.mailer().gm_mail("replies stopped", &text, &[BREAKER], now);
            judged.alarms.extend(mail);
        }
        Ok(true)
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

pub(super) fn forms() -> String {
    let words: Vec<&str> = COMMANDS.iter().map(|c| c.0).collect();
    format!("Commands are {}; HELP explains them.", words.join(", "))
}
