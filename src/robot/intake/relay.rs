//! Letters between players through the robot: neither learns the other's address,
//! and nothing of the original's header goes on.

use jiff::SignedDuration;

use super::Case;
use super::Intake;
use crate::context::Result;
use crate::mailer::Letter;
use base::secrets::same;
use base::terms::Contact;
use engine::Seat;
use mail::auth::Authenticity;
use mail::body::MARKER;
use mail::mime::same_address;
use render::text::{SAFE, para};
use store::{Judged, SeatRow, Verdict};

/// Lines of a letter, and characters of a line.
const LINES_MAX: usize = 300;
const LINE_MAX: usize = 1000;
/// Letters of one seat within an hour.
const LETTERS_AN_HOUR: u32 = 30;

impl Intake<'_> {
    /// Forwards a letter. The address proves which seat may use it; it must come from
    /// that seat's own address.
    pub(super) fn relay(
        &self,
        case: &Case,
        (game, to, from): (String, String, String),
        secret: &str,
    ) -> Result<Judged> {
        let seat = |text: &str| Seat(text.parse().unwrap_or(0));
        let (to, from) = (seat(&to), seat(&from));
        let code = self.store.game(&game)?.map(|g| g.code).unwrap_or_default();
        let right = same(&self.store.key().alias(&code, to, from), &secret.to_lowercase());
        let sender = self.store.seat(&code, from)?.filter(SeatRow::has_player);
        let Some(sender) = sender.filter(|s| {
            right && same_address(&s.address, &case.from) && case.authentic != Authenticity::Fail
        }) else {
            return self.refused(case, "wrong-secret");
        };
        let note = |robot: &Self, verdict, reason, text: &str| {
            let mut judged = robot.answer(case, verdict, reason, text)?;
            judged.seat = Some((code.clone(), from));
            Ok(judged)
        };
        let target = self.store.seat(&code, to)?.filter(SeatRow::has_player);
        let Some(target) = target.filter(|t| t.contact != Contact::Hide) else {
            let text = format!("Seat {to} takes no letters; yours was not forwarded.");
            return note(self, Verdict::Rejected, "no-letters", &text);
        };
        let hour = case.now - SignedDuration::from_hours(1);
        if self.store.seat_mails_since(&code, from, "relayed", hour)? >= LETTERS_AN_HOUR {
            let text = "You sent very many letters within an hour; this one was not forwarded.";
            return note(self, Verdict::Rejected, "too-many-letters", text);
        }
        let lines: Vec<String> = case
            .text
            .above
            .iter()
            .chain(case.text.above.is_empty().then_some(&case.text.below).into_iter().flatten())
            .map(|l| l.chars().filter(|c| !c.is_control()).take(LINE_MAX).collect())
            .take(LINES_MAX)
            .collect();
        let text = lines.join("\n");
        if text.trim().is_empty() {
            let text = "Your letter has no text of its own; nothing was forwarded.";
            return note(self, Verdict::Rejected, "empty-letter", text);
        }
        // Two programs that answer by themselves would write to each other for ever.
        let digest = format!("letter {}", &base::secrets::sha256_hex(text.trim().as_bytes())[..16]);
        let week = case.now - SignedDuration::from_hours(24 * 7);
        if self.store.relayed(&code, from, &digest, week)? {
            let why = "the same letter went on within the week";
            let mut judged = self.judged(case, Verdict::Ignored, "repeated-letter", why);
            judged.seat = Some((code.clone(), from));
            return Ok(judged);
        }
        let mut body = format!("{MARKER}\n\n");
        let answer = match sender.contact {
            Contact::Hide => "He takes no answer by mail.",
            _ => "Answer this mail to answer; the robot forwards your text and not your address.",
        };
        let name =
            if sender.name.is_empty() { String::new() } else { format!(" ({})", sender.name) };
        body += &para(&format!("A letter of seat {from}{name} in game {code}. {answer}"));
        body.push('\n');
        for line in text.trim_end().lines() {
            let options = textwrap::Options::new(render::text::WIDTH)
                .initial_indent(SAFE)
                .subsequent_indent(SAFE);
            body += &format!("{}\n", textwrap::fill(line, options).trim_end());
        }
        let game = self.games().game(&code)?;
        let back = self.store.key().alias(&code, from, to);
        let letter = Letter {
            kind: "relay",
            to: &target.address,
            turn: game.turn,
            subject: format!("a letter of seat {from}"),
            text: body,
            attachments: Vec::new(),
            answers: None,
            cause: case.stored.id.to_string(),
            reply: Some(format!("to.{code}.{from}.{to}.{back}")),
        };
        let mail = self.mailer().seat_mail(&target, letter, case.now);
        let receipt = format!("Your letter went on to seat {to} of game {code}.");
        let mut judged = note(self, Verdict::Accepted, "relayed", &receipt)?;
        judged.why = digest;
        // Not a reply: the budget of the one who gets it is not the sender's to use up.
        judged.mails.extend(mail);
        Ok(judged)
    }
}
