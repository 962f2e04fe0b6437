//! Letters between players through the robot. Neither player learns the other's address, and
//! nothing of the original header is forwarded.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};

use base::schedule;
use base::secrets::{same, sha256_hex};
use base::terms::Contact;
use engine::{CardText, Seat};
use mail::auth::Authenticity;
use mail::body::NewText;
use mail::mime::{self, same_address};
use mail::parts::LeftOut;
use render::text::{SAFE, para};
use store::{Game, Judged, MailKind, QueuedMail, Reason, SeatRow, Standing, Verdict};
use tongue::{count, say};

use super::answers::Answers;
use super::case::{Case, Tools};
use super::scrub::Scrub;
use crate::context::Result;
use crate::languages::marker;
use crate::mailer::SeatMail;

/// Lines of a letter, and characters of a line, at most.
const LINES_MAX: usize = 300;
const LINE_MAX: usize = 1000;
/// Lines that are quoted of the letter that is answered, at most.
const QUOTED_MAX: usize = 12;
/// Letters of one seat within an hour, at most: by its mails and its cards together.
const LETTERS_AN_HOUR: u32 = 30;
/// Letters to one address within an hour, at most, from all senders.
const RECEIVED_AN_HOUR: u32 = 60;

/// The parts of a robot address by which one seat writes to another, as written.
#[derive(Debug, Clone, Copy)]
pub struct Alias<'a> {
    /// Code of the game.
    pub game: &'a str,
    /// Number of the seat that gets the letter.
    pub to: &'a str,
    /// Number of the seat that may use the address.
    pub from: &'a str,
    /// The secret that only this seat knows.
    pub secret: &'a str,
}

/// Forwards letters.
#[derive(Clone, Copy)]
pub struct Letters<'a> {
    tools: Tools<'a>,
}

impl<'a> Letters<'a> {
    /// Forwards letters between the seats of a store.
    pub fn new(tools: Tools<'a>) -> Self {
        Self { tools }
    }

    /// Forwards a letter. The alias proves which seat may use it; the letter must come from that
    /// seat's own address.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn forward(&self, case: &Case, alias: Alias) -> Result<Judged> {
        let Some(sender) = self.sender(case, alias)? else {
            return Answers::new(self.tools).refused(case, Reason::WrongSecret);
        };
        case.standing.set(Standing::Proven);
        let (code, from) = (&sender.game, sender.seat);
        let to = seat(alias.to);
        let target = self.tools.store.games().seat(code, to)?.filter(SeatRow::has_player);
        let Some(target) = target.filter(|t| t.contact != Contact::Hide) else {
            let text = say!("Seat {to} takes no letters; yours was not forwarded.");
            return self.notify_sender(case, &sender, Verdict::Rejected, Reason::NoLetters, &text);
        };
        if self.left(&sender, &target, case.now)? == 0 {
            let text =
                say!("You sent very many letters within an hour; this one was not forwarded.");
            return self.notify_sender(
                case,
                &sender,
                Verdict::Rejected,
                Reason::TooManyLetters,
                &text,
            );
        }
        let mut written = case.text.clone();
        Scrub::new(self.tools, &sender)?.take_out(&mut written)?;
        let text = text_of(&written);
        if text.trim().is_empty() {
            let text = say!("Your letter has no text of its own; nothing was forwarded.");
            return self.notify_sender(
                case,
                &sender,
                Verdict::Rejected,
                Reason::EmptyLetter,
                &text,
            );
        }
        // Two programs that answer automatically would write to each other forever.
        let digest = format!("letter {}", &sha256_hex(text.trim().as_bytes())[..16]);
        let week = case.now - SignedDuration::from_hours(24 * 7);
        if self.tools.store.mails().relayed(code, from, &digest, week)? {
            let why = "the same letter went on within the week";
            let mut judged = case.judged(Verdict::Ignored, Reason::RepeatedLetter, why);
            judged.seat = Some((code.clone(), from));
            return Ok(judged);
        }
        let game = self.tools.games().game(code)?;
        let letter = Written {
            text: &text,
            anonymous: false,
            answers: self.answered(case, &sender, &target)?,
            id_key: case.stored.id.to_string(),
        };
        let mail = self.letter(&game, (&sender, &target), &letter, case.now);
        let mut receipt = say!("Your letter was forwarded to seat {to} of game {code}.");
        if written.had_secrets {
            receipt.push(' ');
            receipt += &say!(
                "A secret address or the number of a mail of yours stood in it and was taken out: \
                 whoever has one can write in your name."
            );
        }
        let file = case.parsed.attached.as_ref().map(|_| say!("an attached text"));
        for part in case.parsed.left_out.iter().map(LeftOut::to_string).chain(file) {
            // The reason after the comma is left out.
            let what = part.split(", ").next().unwrap_or(&part);
            receipt.push(' ');
            receipt += &say!("It had {what}; letters go on as text alone.");
        }
        let mut judged =
            self.notify_sender(case, &sender, Verdict::Accepted, Reason::Relayed, &receipt)?;
        judged.why = digest;
        // The letter is not a reply: the sender must not use up the receiver's budget.
        judged.mails.extend(mail);
        Ok(judged)
    }

    /// The seat that the alias was given to, if the mail is from its player.
    fn sender(&self, case: &Case, alias: Alias) -> Result<Option<SeatRow>> {
        let (to, from) = (seat(alias.to), seat(alias.from));
        let code = self.tools.store.games().game(alias.game)?.map(|g| g.code).unwrap_or_default();
        let sender = self.tools.store.games().seat(&code, from)?.filter(SeatRow::has_player);
        let key = self.tools.store.key();
        Ok(sender.filter(|s| {
            let right = key.alias(&code, to, from, s.epoch);
            same(&right, &alias.secret.to_lowercase())
                && same_address(&s.address, &case.from)
                && case.authentic != Authenticity::Fail
        }))
    }

    /// Answers the sender with the result of their letter.
    fn notify_sender(
        &self,
        case: &Case,
        sender: &SeatRow,
        verdict: Verdict,
        reason: Reason,
        text: &str,
    ) -> Result<Judged> {
        let mut judged = Answers::new(self.tools).answer(case, verdict, reason, text)?;
        judged.seat = Some((sender.game.clone(), sender.seat));
        Ok(judged)
    }

    /// The letter that a letter answers: the time when the robot forwarded it, and its lines as
    /// forwarded. The sender's own quote is not used, because it may say anything.
    fn answered(
        &self,
        case: &Case,
        sender: &SeatRow,
        target: &SeatRow,
    ) -> Result<Option<(Timestamp, Vec<String>)>> {
        let back = format!("to.{}.{}.{}.", sender.game, target.seat, sender.seat).to_lowercase();
        for id in case.parsed.answers.iter().rev() {
            let found = self.tools.store.outbox().letter(id, &sender.game, sender.seat)?;
            let Some((at, bytes)) = found else { continue };
            let Ok(parsed) = mime::parse(&bytes) else { continue };
            // A letter from another seat must not be quoted.
            let reply = parsed.header("Reply-To").unwrap_or_default().to_lowercase();
            if !reply.contains(&back) {
                continue;
            }
            let lines = parsed.lines.0.iter().filter_map(|(_, line)| line.strip_prefix(SAFE));
            // Older quotes are left out.
            let own = lines.filter(|line| !line.starts_with('>') && !line.trim().is_empty());
            return Ok(Some((at, own.take(QUOTED_MAX).map(str::to_owned).collect())));
        }
        Ok(None)
    }

    /// Letters that a seat may still send to another one within the hour.
    fn left(&self, sender: &SeatRow, target: &SeatRow, now: Timestamp) -> Result<u32> {
        let (store, hour) = (self.tools.store, now - SignedDuration::from_hours(1));
        let sent = store.mails().letters_of_since(&sender.game, sender.seat, hour)?;
        let got = store.mails().letters_to_since(&target.address, hour)?;
        Ok(LETTERS_AN_HOUR.saturating_sub(sent).min(RECEIVED_AN_HOUR.saturating_sub(got)))
    }

    /// The letters of a card that are forwarded at once, as mails. Letters that were already
    /// forwarded are left out, because a card is often sent again. Also returns sentences about
    /// letters that are not forwarded.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn of_card(
        &self,
        game: &Game,
        sender: &SeatRow,
        card: &CardText,
        now: Timestamp,
    ) -> Result<(Vec<QueuedMail>, Vec<String>)> {
        let (code, from) = (&game.code, sender.seat);
        let open = self.tools.games().open(game)?;
        let letters = self.tools.games().shielded(code, || open.letters(from, card))?;
        let mut mails: Vec<QueuedMail> = Vec::new();
        let (mut hidden, mut too_many) = (BTreeSet::new(), BTreeSet::new());
        for letter in letters {
            let text = letter.text.join("\n");
            let digest = &sha256_hex(text.trim().as_bytes())[..16];
            // The same words may be sent once with a name and once without. A letter with the id of
            // an earlier one is not queued again.
            let named = if letter.from.is_some() { "named" } else { "anonymous" };
            let written = Written {
                text: &text,
                anonymous: letter.from.is_none(),
                answers: None,
                id_key: format!("card {from} {named} {digest}"),
            };
            for to in letter.to.into_iter().filter(|to| *to != from) {
                let Some(target) =
                    self.tools.store.games().seat(code, to)?.filter(SeatRow::has_player)
                else {
                    continue;
                };
                let Some(mail) = self.letter(game, (sender, &target), &written, now) else {
                    continue;
                };
                if self.tools.store.outbox().is_ours(&mail.mail.message_id)? {
                    continue;
                }
                if target.contact == Contact::Hide {
                    hidden.insert(to);
                } else if mails.len() as u32 >= self.left(sender, &target, now)? {
                    too_many.insert(to);
                } else {
                    mails.push(mail);
                }
            }
        }
        let listed = |seats: &BTreeSet<Seat>| -> String {
            seats.iter().map(Seat::to_string).collect::<Vec<_>>().join(", ")
        };
        let mut notes = Vec::new();
        if !hidden.is_empty() {
            notes.push(count!(
                n = hidden.len(),
                "Seat {seats} takes no letters; yours did not go on.",
                "Seats {seats} take no letters; yours to them did not go on.",
                seats = listed(&hidden)
            ));
        }
        if !too_many.is_empty() {
            notes.push(count!(
                n = too_many.len(),
                "So many letters went within an hour that yours to seat {seats} did not go on; \
                 send the card again in an hour.",
                "So many letters went within an hour that yours to seats {seats} did not go on; \
                 send the card again in an hour.",
                seats = listed(&too_many)
            ));
        }
        Ok((mails, notes))
    }

    /// A letter as forwarded, in the language of its receiver.
    fn letter(
        &self,
        game: &Game,
        (sender, target): (&SeatRow, &SeatRow),
        written: &Written,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let letter = || self.forwarded(game, (sender, target), written, now);
        self.tools.cx.in_language(&target.language, letter)
    }

    fn forwarded(
        &self,
        game: &Game,
        (sender, target): (&SeatRow, &SeatRow),
        written: &Written,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let (code, from, to) = (&sender.game, sender.seat, target.seat);
        let mut body = format!("{marker}\n\n", marker = marker());
        let answer = match sender.contact {
            Contact::Hide => say!("They accept no replies by mail."),
            _ => say!(
                "Reply to this mail to answer; the robot forwards your text, not your address."
            ),
        };
        let name = &sender.name;
        let lead = match (written.anonymous, name.is_empty()) {
            (true, _) => {
                say!("A letter without a name, from a player of game {code}. It can't be answered.")
            }
            (false, true) => say!("A letter from seat {from} in game {code}."),
            (false, false) => say!("A letter from seat {from} ({name}) in game {code}."),
        };
        let answer = if written.anonymous { String::new() } else { format!(" {answer}") };
        body += &para(&format!("{lead}{answer}"));
        body.push('\n');
        for line in written.text.trim_end().lines() {
            let options = textwrap::Options::new(render::text::WIDTH)
                .initial_indent(SAFE)
                .subsequent_indent(SAFE);
            body += &format!("{}\n", textwrap::fill(line, options).trim_end());
        }
        if let Some((at, lines)) = written.answers.as_ref().filter(|(_, lines)| !lines.is_empty()) {
            let at = schedule::local(*at, &target.zone);
            let wrote = say!("You wrote {at}:");
            body += &format!("{SAFE}\n{SAFE}> {wrote}\n");
            lines.iter().for_each(|line| body += &format!("{SAFE}> {line}\n"));
        }
        let back = self.tools.store.key().alias(code, from, to, target.epoch);
        // In the thread of its writer, an anonymous letter would reveal them.
        let thread = (!written.anonymous).then(|| self.tools.mailer().letters_of(code, from, to));
        let letter = SeatMail {
            kind: MailKind::Relay,
            to: &target.address,
            turn: game.turn,
            turns: game.step.turns,
            subject: match written.anonymous {
                true => say!("a letter without a name"),
                false => say!("a letter from seat {from}"),
            },
            text: body,
            attachments: Vec::new(),
            answers: thread.as_deref(),
            id_key: written.id_key.clone(),
            reply: (!written.anonymous).then(|| format!("to.{code}.{from}.{to}.{back}")),
        };
        self.tools.mailer().seat_mail(target, letter, now)
    }
}

/// A letter as its sender wrote it.
struct Written<'a> {
    text: &'a str,
    /// Whether the sender is not named.
    anonymous: bool,
    /// The letter that it answers: the time when it was forwarded, and its lines.
    answers: Option<(Timestamp, Vec<String>)>,
    /// The key for its Message-ID.
    id_key: String,
}

/// Reads a seat's number. The result is 0, which no seat has, if the text is not a number.
fn seat(text: &str) -> Seat {
    Seat(text.parse().unwrap_or(0))
}

/// The lines of a letter: those above the original, else those below.
fn text_of(text: &NewText) -> String {
    let lines = if text.above.is_empty() { &text.below } else { &text.above };
    let plain =
        |l: &String| -> String { l.chars().filter(|c| !c.is_control()).take(LINE_MAX).collect() };
    lines.iter().map(plain).take(LINES_MAX).collect::<Vec<_>>().join("\n")
}
