//! Mails of the robot: who gets them, under which name, with which proof.

use jiff::{SignedDuration, Timestamp};

use base::schedule;
use base::secrets::HostKey;
use base::text::capital;
use engine::{Seat, Turn, Turns};
use mail::OutgoingMail;
use mail::compose::{Attachment, AutoSubmitted, Draft, Sender, compose};
use render::ics::Event;
use render::text::{para, wrapped};
use store::{Drawing, Game, MailKind, Question, QueuedMail, Reader, SeatRow, Status};
use tongue::say;

use crate::context::{Context, Result};
use crate::languages::{self, marker};

/// What a mail to a seat says.
pub struct SeatMail<'a> {
    /// Its kind.
    pub kind: MailKind,
    /// Address of the recipient.
    pub to: &'a str,
    /// Step whose secret the reply address carries.
    pub turn: Turn,
    /// The turns that the subject names.
    pub turns: Turns,
    /// Subject, without the game, turn and seat that go before it.
    pub subject: String,
    /// Body as plain text.
    pub text: String,
    /// Files that go with it.
    pub attachments: Vec<Attachment>,
    /// Id of the mail that is answered.
    pub answers: Option<&'a str>,
    /// What the Message-ID is made from: the same key gives the same id.
    pub id_key: String,
    /// Detail of the reply address instead of the seat's.
    pub reply: Option<String>,
}

/// Makes the subject and text of a mail; called once for each recipient, in their language.
pub type Words<'a> = &'a dyn Fn() -> (String, String);

/// Writes mails, but queues none.
#[derive(Clone, Copy)]
pub struct Mailer<'a> {
    cx: &'a Context,
    store: &'a Reader,
}

impl<'a> Mailer<'a> {
    /// A writer of mails over what is known of games and seats.
    pub fn new(cx: &'a Context, store: &'a Reader) -> Self {
        Self { cx, store }
    }

    /// A mail to a seat's player; `None` when the address can't be written to.
    pub fn seat_mail(
        &self,
        seat: &SeatRow,
        letter: SeatMail,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let (kind, turn) = (letter.kind, letter.turn);
        let draft = self.draft(seat, letter);
        self.queue(kind, Some((seat.game.clone(), seat.seat)), Some(turn), &draft, now)
    }

    /// The draft of a mail to a seat's player.
    pub fn draft(&self, seat: &SeatRow, letter: SeatMail) -> Draft {
        let (game, turn) = (&seat.game, letter.turn);
        let key = self.store.key();
        let reply = letter.reply.unwrap_or_else(|| {
            format!("{game}.{}.{}", seat.seat, key.reply(game, seat.seat, seat.epoch, turn))
        });
        // A letter between players is not a reply of this robot, whatever its thread.
        let is_letter = letter.kind == MailKind::Relay;
        let replies = !is_letter && (letter.answers.is_some() || letter.kind == MailKind::Echo);
        let stop = format!("stop.{game}.{}.{}", seat.seat, key.stop(game, seat.seat, seat.epoch));
        Draft {
            text: letter.text,
            attachments: letter.attachments,
            reply_detail: Some(reply),
            message_id: self.message_id(game, seat.seat, turn, letter.kind, &letter.id_key),
            in_reply_to: letter.answers.filter(|_| !is_letter).map(str::to_owned),
            references: self.thread(seat, turn, letter.kind, letter.answers),
            list: Some(game.clone()),
            unsubscribe: (letter.kind == MailKind::Reminder).then_some(stop),
            ..begun(
                letter.to,
                &format!("[{game} T{} S{}] {}", letter.turns, seat.seat, letter.subject),
                if replies { AutoSubmitted::Reply } else { AutoSubmitted::Generated },
            )
        }
    }

    /// An answer to somebody who has no seat, or none that was recognised.
    pub fn answer_mail(
        &self,
        kind: MailKind,
        (to, subject): (&str, &str),
        answers: Option<&str>,
        text: &str,
        id_key: &str,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let secret = self.store.key().message(&[kind.as_str(), id_key, to]);
        let draft = Draft {
            text: format!("{marker}\n\n{}", wrapped(text), marker = marker()),
            message_id: format!("answer.{secret}@{}", self.cx.identity.domain()),
            in_reply_to: answers.map(str::to_owned),
            references: answers.map(str::to_owned).into_iter().collect(),
            ..begun(to, subject, AutoSubmitted::Reply)
        };
        self.queue(kind, None, None, &draft, now)
    }

    /// A question whose answer is YES, to an address that may have no seat.
    pub fn question_mail(
        &self,
        q: &Question,
        subject: &str,
        text: &str,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let (id, key) = (q.id.to_string(), self.store.key());
        let tag = match (&q.game, q.seat) {
            (Some(game), Some(seat)) => format!("[{game} S{seat}] "),
            (Some(game), None) => format!("[{game}] "),
            _ => String::new(),
        };
        let draft = Draft {
            text: format!("{marker}\n\n{}", wrapped(text), marker = marker()),
            reply_detail: Some(format!("yes.{id}.{}", key.question(q.id))),
            message_id: format!("ask.{}@{}", key.message(&["ask", &id]), self.cx.identity.domain()),
            ..begun(&q.address, &format!("{tag}{subject}"), AutoSubmitted::Generated)
        };
        self.queue(MailKind::Confirm, None, None, &draft, now)
    }

    /// A file to an address.
    pub fn file_mail(
        &self,
        to: &str,
        subject: &str,
        text: &str,
        file: Attachment,
        id_key: &str,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let secret = self.store.key().message(&["file", id_key, to]);
        let draft = Draft {
            text: format!("{marker}\n\n{}", wrapped(text), marker = marker()),
            attachments: vec![file],
            message_id: format!("file.{secret}@{}", self.cx.identity.domain()),
            ..begun(to, subject, AutoSubmitted::Reply)
        };
        self.queue(MailKind::Answer, None, None, &draft, now)
    }

    /// A mail to the game master.
    pub fn gm_mail(
        &self,
        subject: &str,
        text: &str,
        id_key: &[&str],
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let at = now.to_string();
        let parts: Vec<&str> = id_key.iter().copied().chain([at.as_str()]).collect();
        let secret = self.store.key().message(&parts);
        let week = weeks(now);
        let draft = Draft {
            text: format!("{marker}\n\n{}", wrapped(text), marker = marker()),
            reply_detail: Some(format!("gm.{}", self.store.key().game_master(week))),
            message_id: format!("gm.{secret}@{}", self.cx.identity.domain()),
            // Whoever caused the mail, the game master reads English.
            ..Draft::new(&self.cx.gm, &format!("[Fieldpost] {subject}"), AutoSubmitted::Generated)
        };
        self.queue(MailKind::Gm, None, None, &draft, now)
    }

    pub(crate) fn queue(
        &self,
        kind: MailKind,
        seat: Option<(String, Seat)>,
        turn: Option<Turn>,
        draft: &Draft,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        match compose(&self.cx.identity, draft, now) {
            Ok(mail) => {
                let mail = with_return_path(mail, &self.cx.identity, self.store.key());
                let expires_at = self.use_ends(kind, seat.as_ref(), now);
                let drawing = Drawing::default();
                Some(QueuedMail { kind, seat, turn, expires_at, mail, drawing, shows: Vec::new() })
            }
            Err(e) => {
                tracing::warn!(%kind, error = %e, "a mail could not be written");
                None
            }
        }
    }

    /// When a mail of a kind becomes useless: a reminder at the deadline; an echo, an answer or a
    /// question after two days. `None` for other mails, which are useful however late they leave.
    fn use_ends(
        &self,
        kind: MailKind,
        seat: Option<&(String, Seat)>,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let days = |n: i64| now + SignedDuration::from_hours(24 * n);
        let due = || {
            let (code, _) = seat?;
            self.store.games().game(code).ok().flatten()?.deadline
        };
        match kind {
            kind if kind.is_answer() => Some(days(2)),
            MailKind::Reminder => due(),
            _ => None,
        }
    }

    /// The id of a mail to a seat: deterministic, with an unguessable part.
    pub fn message_id(
        &self,
        game: &str,
        seat: Seat,
        turn: Turn,
        kind: MailKind,
        id_key: &str,
    ) -> String {
        let (turn_text, seat_text) = (turn.to_string(), seat.to_string());
        let secret =
            self.store.key().message(&[game, &turn_text, &seat_text, kind.as_str(), id_key]);
        let letter = &kind.as_str()[..1];
        let game = game.to_lowercase();
        format!("{game}.{turn}.{seat}.{letter}.{secret}@{}", self.cx.identity.domain())
    }

    /// The id that makes one thread of the letters between two seats.
    pub fn letters_of(&self, game: &str, one: Seat, other: Seat) -> String {
        let [low, high] = [one.min(other), one.max(other)].map(|s| s.to_string());
        let secret = self.store.key().message(&["letters", game, &low, &high]);
        format!("letters.{secret}@{}", self.cx.identity.domain())
    }

    /// Ids that keep a seat's mails in one thread: its first printout, this turn's, and
    /// the mail that is answered. No mail names itself.
    fn thread(
        &self,
        seat: &SeatRow,
        turn: Turn,
        kind: MailKind,
        answers: Option<&str>,
    ) -> Vec<String> {
        if let (MailKind::Relay, Some(letters)) = (kind, answers) {
            return vec![letters.to_owned()];
        }
        let printout = |t| self.message_id(&seat.game, seat.seat, t, MailKind::Printout, "");
        let mut ids = Vec::new();
        if turn > 1 || kind != MailKind::Printout {
            ids.push(printout(1));
        }
        if turn > 1 && kind != MailKind::Printout {
            ids.push(printout(turn));
        }
        ids.extend(answers.map(str::to_owned));
        ids
    }

    /// A short mail to every player of a game, with this deadline or else the game's own.
    pub fn tell_all(
        &self,
        game: &Game,
        deadline: Option<Timestamp>,
        words: Words,
        id_key: &str,
        now: Timestamp,
    ) -> Result<Vec<QueuedMail>> {
        let told = Game { deadline: deadline.or(game.deadline), ..game.clone() };
        let seats = self.store.games().seats(&game.code)?;
        let mail = |row: &SeatRow| self.notice(&told, row, words, id_key, now);
        Ok(seats.iter().filter(|s| s.has_player()).filter_map(mail).collect())
    }

    /// A short mail to one player.
    pub fn notice(
        &self,
        game: &Game,
        row: &SeatRow,
        words: Words,
        id_key: &str,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let noticed = || self.noticed(game, row, words(), id_key, now);
        self.cx.in_language(&row.language, noticed)
    }

    fn noticed(
        &self,
        game: &Game,
        row: &SeatRow,
        (subject, text): (String, String),
        id_key: &str,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let mut body = format!("{marker}\n\n{}", wrapped(&text), marker = marker());
        if matches!(game.status, Status::Running | Status::Suspended) && game.turn > 0 {
            body.push('\n');
            body += &para(&self.due_line(game, Some(row.seat), &row.zone, now));
        }
        let letter = SeatMail {
            kind: MailKind::Notice,
            to: &row.address,
            turn: game.turn,
            turns: game.step.turns,
            subject,
            text: body,
            attachments: Vec::new(),
            answers: None,
            id_key: id_key.to_owned(),
            reply: None,
        };
        self.seat_mail(row, letter, now)
    }

    /// The address by which the player of `from` reaches the player of `to`.
    pub fn alias(&self, game: &str, to: Seat, from: Seat) -> String {
        let row = self.store.games().seat(game, from).ok().flatten();
        let secret = self.store.key().alias(game, to, from, row.map_or(0, |r| r.epoch));
        self.cx.identity.detailed(&format!("to.{game}.{to}.{from}.{secret}"))
    }

    /// When the open step is due, worded for the recipient: the player of a seat, awaited or not,
    /// or the game master.
    pub fn due_line(&self, game: &Game, seat: Option<Seat>, zone: &str, now: Timestamp) -> String {
        let step = step_name(&game.step.label);
        let others = seat.is_some_and(|s| !game.step.awaits(s));
        match game.deadline {
            Some(at) if at > now => {
                let (local, left) = (schedule::local(at, zone), schedule::left(now, at));
                match others {
                    true => say!(
                        "{step}: you owe no orders; the others have until {local} ({left} left).",
                        step = capital(&step)
                    ),
                    false => say!("Orders for {step} are due {local} (in {left})."),
                }
            }
            Some(_) => say!("The robot is running {step}."),
            None => say!("No deadline is set for {step} yet."),
        }
    }

    /// The deadline of the open step as a calendar file, for a seat that is awaited.
    pub fn calendar_file(&self, game: &Game, row: &SeatRow, now: Timestamp) -> Option<Attachment> {
        let due = game.deadline.filter(|_| row.choices.format.ics && game.step.awaits(row.seat))?;
        let identity = &self.cx.identity;
        let domain = identity.domain();
        let event = Event {
            uid: format!("{}.{}@{domain}", game.code.to_lowercase(), row.seat),
            stamp: now,
            at: due,
            organizer: (identity.name.clone(), identity.address.to_string()),
            summary: say!(
                "{game} {step}: orders due",
                game = game.code,
                step = step_name(&game.step.label)
            ),
            alarm: say!("Orders for {game} are due", game = game.code),
        };
        Some(Attachment {
            name: "deadline.ics".to_owned(),
            media: "text/calendar; method=PUBLISH; charset=utf-8".into(),
            bytes: event.bytes(),
        })
    }
}

/// A draft in the current language.
fn begun(to: &str, subject: &str, auto_submitted: AutoSubmitted) -> Draft {
    Draft { language: languages::code_now(), ..Draft::new(to, subject, auto_submitted) }
}

/// The name of a step in the current language; its stored name is English.
pub(crate) fn step_name(label: &str) -> String {
    tongue::label(label).into_owned()
}

/// A mail with the address to which its bounces go.
pub fn with_return_path(mail: OutgoingMail, identity: &Sender, key: &HostKey) -> OutgoingMail {
    let bounce = key.bounce(&mail.message_id);
    let envelope_from = identity.detailed(&format!("b.{bounce}"));
    OutgoingMail { envelope_from, bounce, ..mail }
}

/// Weeks since 1970; the game master's secret changes with them.
pub fn weeks(now: Timestamp) -> i64 {
    now.as_second().div_euclid(7 * 86_400)
}
