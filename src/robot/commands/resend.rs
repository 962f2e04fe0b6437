//! RESEND: sends a printout again, under a new id, to the registered address.

use engine::{Turn, Turns};
use mail::mime;
use render::text::{self, para};
use store::{Judged, MailKind, QueuedMail, Reason, Verdict};
use tongue::{mark, say};

use crate::card::command::Read;
use crate::context::Result;
use crate::drawing::Job;
use crate::languages::{self, marker};
use crate::mailer::{SeatMail, step_name};
use crate::printouts::Printer;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};
use crate::which_step::steps_called;

/// The command.
pub(super) const ROW: Row = Row {
    word: "RESEND",
    form: mark!("RESEND [turn]"),
    help: mark!("sends a printout again"),
    read: |line| {
        let named = line.tail();
        let names = line.in_capitals() || named.contains(|c: char| c.is_ascii_digit());
        match line.rest().len() {
            0 => Read::Command(Command::query(Resend(None))),
            _ if names && named.chars().count() <= NAME_MAX => {
                Read::Command(Command::query(Resend(Some(named.to_owned()))))
            }
            _ => line.wrong(),
        }
    },
};

/// The turn or step whose printout is wanted, as written. `None`: the newest printout.
#[derive(Debug)]
struct Resend(Option<String>);

/// Characters of the name of a step, at most.
const NAME_MAX: usize = 60;

impl Resend {
    /// The step whose printout is meant, and the printout as it was mailed. In a turn with several
    /// steps it is the newest one. A step that was taken back has no printout, even if one was
    /// mailed.
    fn find(&self, tools: Tools, claim: &Claim) -> Result<Option<(Turn, Vec<u8>)>> {
        let (game, seat) = (&claim.game, claim.seat.seat);
        let steps = match &self.0 {
            Some(named) => steps_called(tools.store, game, named)?,
            None => {
                Vec::from_iter(tools.store.outbox().newest_printout(&game.code, seat, game.turn)?)
            }
        };
        for step in steps {
            if let Some(bytes) = tools.store.outbox().printout(&game.code, seat, step)? {
                return Ok(Some((step, bytes)));
            }
        }
        Ok(None)
    }
}

impl PlayerCommand for Resend {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Query for Resend {
    /// Sends the newest printout in all formats that the player wants now, an older one as text.
    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        let answers = Answers::new(tools);
        let (code, seat) = (claim.game.code.clone(), claim.seat.seat);
        let found = self.find(tools, claim)?;
        let Some((turn, bytes)) = found else {
            let text = match &self.0 {
                Some(named) => say!(
                    "There is no printout of {named:?} for your seat. RESEND takes the number of \
                     a turn, or what a subject or a first line calls it; RESEND alone sends the \
                     newest."
                ),
                None => say!("There is no printout for your seat yet."),
            };
            let (reason, subject) = (Reason::NoPrintout, say!("no such printout"));
            return answers.short_answer(case, claim, Verdict::Rejected, reason, &subject, text);
        };
        let step = step_name(&tools.store.steps().step_label(&code, turn)?);
        let subject = say!("your printout of {step}, sent again");
        // The deadline in an older printout has passed.
        let note = (turn < claim.game.turn).then(|| {
            let row = &claim.seat;
            let due = tools.mailer().due_line(&claim.game, Some(seat), &row.zone, case.now);
            format!("{} {due}", say!("This is your printout of {step}, as it was sent."))
        });
        let job =
            tools.store.outbox().drawing(&code, seat, turn)?.and_then(|what| Job::of(&what).ok());
        let mails = match job {
            Some(job) => {
                drawn_again(tools, case, claim, &subject, (job, note))?.into_iter().collect()
            }
            None => {
                let text = mime::parse(&bytes).ok().map(|m| {
                    let line = |(d, l): (usize, String)| format!("{}{l}\n", ">".repeat(d));
                    let text = m.lines.0.into_iter().map(line).collect::<String>();
                    // The note in front of it has the marker already.
                    match &note {
                        Some(_) => text.trim_start_matches(&marker()).trim_start().to_owned(),
                        None => text,
                    }
                });
                let note = note.map(|note| format!("{}\n\n{}\n", marker(), para(&note)));
                let text = [note, text].into_iter().flatten().collect::<String>();
                answers.mails_to_registered(case, claim, &subject, text)
            }
        };
        let mut judged = case.judged(Verdict::Accepted, Reason::Resent, "printout sent again");
        judged.seat = Some((code, seat));
        answers.reply(case, &mut judged, mails)?;
        Ok(judged)
    }
}

/// The newest printout in the formats that the player wants now.
fn drawn_again(
    tools: Tools,
    case: &Case,
    claim: &Claim,
    subject: &str,
    (job, note): (Job, Option<String>),
) -> Result<Option<QueuedMail>> {
    let (row, mailer) = (&claim.seat, tools.mailer());
    let printer = Printer::new(tools.cx, tools.store);
    // If the player has changed language since then, it is drawn again in the new language.
    let document = match job.draft.language == languages::code_now() {
        true => job.document,
        false => printer.document_of(&row.game, row.seat, job.document.head.turn)?,
    };
    let mut document = match row.choices.format.words {
        true => document,
        false => document.without_words(),
    };
    // A document from before turns were kept has no turns.
    if document.head.turns == Turns::default() {
        let step = tools.store.steps().step(&row.game, document.head.turn)?;
        document.head.turns = step.map_or(Turns::one(document.head.turn), |step| step.turns);
    }
    let (again, shows) = printer.readdressed(&claim.game, row.seat, document)?;
    document = again;
    // The deadline may have moved, and the time left is shorter.
    if !document.head.over {
        document.head.deadline = claim.game.deadline;
        document.head.due = note
            .unwrap_or_else(|| mailer.due_line(&claim.game, Some(row.seat), &row.zone, case.now));
    }
    let letter = SeatMail {
        kind: MailKind::Echo,
        to: &row.address,
        turn: claim.game.turn,
        turns: claim.game.step.turns,
        subject: subject.to_owned(),
        text: text::document(&document),
        attachments: mailer.calendar_file(&claim.game, row, case.now).into_iter().collect(),
        answers: case.parsed.message_id.as_deref(),
        id_key: format!("{} again", case.stored.id),
        reply: None,
    };
    let draft = mailer.draft(row, letter);
    let seat = Some((row.game.clone(), row.seat));
    let queued = mailer.queue(MailKind::Echo, seat, Some(claim.game.turn), &draft, case.now);
    let Some(queued) = queued else { return Ok(None) };
    let (format, at) = (row.choices.format, case.now);
    let mut drawing =
        Job { draft, document, format, at, small: false, map: None, book: None }.drawing();
    if tools.store.outbox().is_drawing(&row.game, claim.game.turn).unwrap_or(false) {
        // No player gets a printout before the others by asking for it again.
        drawing.waits = true;
    }
    // It belongs to its turn: whoever takes the turn back takes this back, too.
    Ok(Some(QueuedMail { kind: MailKind::Part, drawing, shows, ..queued }))
}
