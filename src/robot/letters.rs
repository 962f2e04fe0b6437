//! Mails of the robot: who gets them, under which name, with which proof.

use jiff::Timestamp;

use super::Robot;
use crate::engine::{Seat, Turn};
use crate::mail::compose::{Attachment, Cause, Draft, compose};
use crate::schedule;
use crate::store::{Game, QueuedMail, SeatRow};

/// What a mail to a seat says.
pub struct Letter<'a> {
    pub kind: &'static str,
    pub to: &'a str,
    /// Turn whose secret the reply address carries.
    pub turn: Turn,
    pub subject: String,
    pub text: String,
    pub attachments: Vec<Attachment>,
    /// Id of the mail that is answered.
    pub answers: Option<&'a str>,
    /// Makes the Message-ID: the same cause gives the same id.
    pub cause: String,
    /// Detail of the reply address instead of the seat's.
    pub reply: Option<String>,
}

impl Robot {
    /// A mail to a seat's player; `None` when the address can't be written to.
    pub fn seat_mail(&self, seat: &SeatRow, letter: Letter, now: Timestamp) -> Option<QueuedMail> {
        let (game, turn) = (&seat.game, letter.turn);
        let key = self.store.key();
        let reply = letter.reply.unwrap_or_else(|| {
            format!("{game}.{}.{}", seat.seat, key.reply(game, seat.seat, turn))
        });
        let draft = Draft {
            to: letter.to.to_owned(),
            subject: format!("[{game} T{turn} S{}] {}", seat.seat, letter.subject),
            text: letter.text,
            attachments: letter.attachments,
            reply_detail: Some(reply),
            message_id: self.message_id(game, seat.seat, turn, letter.kind, &letter.cause),
            in_reply_to: letter.answers.map(str::to_owned),
            references: self.thread(game, seat.seat, turn, letter.answers),
            cause: if letter.answers.is_some() { Cause::Reply } else { Cause::Generated },
        };
        self.queue(letter.kind, Some((game.clone(), seat.seat)), Some(turn), &draft, now)
    }

    /// An answer to somebody who has no seat, or none that was recognised.
    pub fn stranger_mail(
        &self,
        to: &str,
        answers: Option<&str>,
        text: &str,
        cause: &str,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let secret = self.store.key().message(&["answer", cause]);
        let draft = Draft {
            to: to.to_owned(),
            subject: "about your mail".to_owned(),
            text: text.to_owned(),
            attachments: Vec::new(),
            reply_detail: None,
            message_id: format!("answer.{secret}@{}", self.identity.domain()),
            in_reply_to: answers.map(str::to_owned),
            references: answers.map(str::to_owned).into_iter().collect(),
            cause: Cause::Reply,
        };
        self.queue("answer", None, None, &draft, now)
    }

    /// A mail to the game master.
    pub fn gm_mail(
        &self,
        subject: &str,
        text: &str,
        cause: &[&str],
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let at = now.to_string();
        let parts: Vec<&str> = cause.iter().copied().chain([at.as_str()]).collect();
        let secret = self.store.key().message(&parts);
        let draft = Draft {
            to: self.gm.clone(),
            subject: format!("[Fieldpost] {subject}"),
            text: text.to_owned(),
            attachments: Vec::new(),
            reply_detail: None,
            message_id: format!("gm.{secret}@{}", self.identity.domain()),
            in_reply_to: None,
            references: Vec::new(),
            cause: Cause::Generated,
        };
        self.queue("gm", None, None, &draft, now)
    }

    fn queue(
        &self,
        kind: &'static str,
        seat: Option<(String, Seat)>,
        turn: Option<Turn>,
        draft: &Draft,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        match compose(&self.identity, draft, now) {
            Ok(mail) => Some(QueuedMail { kind, seat, turn, mail }),
            Err(e) => {
                tracing::warn!(kind, error = %e, "a mail could not be written");
                None
            }
        }
    }

    /// The id of a mail to a seat: deterministic, with an unguessable part.
    pub fn message_id(
        &self,
        game: &str,
        seat: Seat,
        turn: Turn,
        kind: &str,
        cause: &str,
    ) -> String {
        let (turn_text, seat_text) = (turn.to_string(), seat.to_string());
        let secret = self.store.key().message(&[game, &turn_text, &seat_text, kind, cause]);
        let letter = &kind[..1];
        let game = game.to_lowercase();
        format!("{game}.{turn}.{seat}.{letter}.{secret}@{}", self.identity.domain())
    }

    /// Ids that keep a seat's mails in one thread: its first printout, this
    /// turn's, and the mail that is answered.
    fn thread(&self, game: &str, seat: Seat, turn: Turn, answers: Option<&str>) -> Vec<String> {
        let printout = |turn| self.message_id(game, seat, turn, "printout", "");
        let mut ids = vec![printout(1)];
        if turn > 1 {
            ids.push(printout(turn));
        }
        ids.extend(answers.map(str::to_owned));
        ids
    }

    /// When the open turn is due, as a player reads it.
    pub fn due_line(&self, game: &Game, zone: &str, now: Timestamp) -> String {
        match game.deadline {
            Some(at) if at > now => format!(
                "Orders for turn {} are due {}, in {}.",
                game.turn,
                schedule::local(at, zone),
                schedule::left(now, at)
            ),
            Some(_) => format!("Turn {} is being run.", game.turn),
            None => format!("No deadline is set for turn {} yet.", game.turn),
        }
    }
}
