//! RESEND: a printout again, under a new id, to the registered address.

use engine::Turn;
use mail::mime;
use render::text;
use store::{Judged, MailKind, QueuedMail, Reason, Verdict};
use tongue::{mark, say};

use crate::context::Result;
use crate::drawing::Job;
use crate::languages;
use crate::mailer::SeatMail;
use crate::printouts::Printer;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};

/// The command.
pub(super) const ROW: Row = Row {
    word: "RESEND",
    form: mark!("RESEND [turn]"),
    help: mark!("sends a printout again"),
    read: |line| {
        line.with_at_most_one(|turn| match turn {
            None => Some(Command::query(Resend(None))),
            Some(turn) => turn.parse().ok().map(|t| Command::query(Resend(Some(t)))),
        })
    },
};

/// The printout of a turn, or the newest.
#[derive(Debug)]
struct Resend(Option<Turn>);

impl PlayerCommand for Resend {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Query for Resend {
    /// The newest comes in all forms that its player wants now, an older one as text.
    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        let answers = Answers::new(tools);
        let (code, seat) = (claim.game.code.clone(), claim.seat.seat);
        let newest = tools.store.newest_printout(&code, seat, claim.game.turn)?;
        let turn = self.0.or(newest).unwrap_or(claim.game.turn);
        // A turn that was taken back has none, whatever was mailed.
        let sent = tools.store.printout(&code, seat, turn)?;
        let Some(bytes) = sent.filter(|_| turn <= claim.game.turn) else {
            let text = say!("There is no printout of turn {turn} for your seat.");
            let (reason, subject) = (Reason::NoPrintout, say!("no such printout"));
            return answers.tell(case, claim, Verdict::Rejected, reason, &subject, text);
        };
        let subject = say!("your printout of turn {turn}, sent again");
        let job = tools.store.drawing(&code, seat, turn)?.and_then(|what| Job::of(&what).ok());
        let mails = match job {
            Some(job) => drawn_again(tools, case, claim, &subject, job)?.into_iter().collect(),
            None => {
                let text = mime::parse(&bytes).ok().map(|m| {
                    let line = |(d, l): (usize, String)| format!("{}{l}\n", ">".repeat(d));
                    m.lines.0.into_iter().map(line).collect::<String>()
                });
                answers.mails_to_registered(case, claim, &subject, text.unwrap_or_default())
            }
        };
        let mut judged = case.judged(Verdict::Accepted, Reason::Resent, "printout sent again");
        judged.seat = Some((code, seat));
        answers.reply(case, &mut judged, mails)?;
        Ok(judged)
    }
}

/// The newest printout in the forms that its player wants now.
fn drawn_again(
    tools: Tools,
    case: &Case,
    claim: &Claim,
    subject: &str,
    job: Job,
) -> Result<Option<QueuedMail>> {
    let (row, mailer) = (&claim.seat, tools.mailer());
    let printer = Printer::new(tools.cx, tools.store);
    // Who chose another language since has it in that.
    let document = match job.draft.language == languages::said() {
        true => job.document,
        false => printer.document_of(&row.game, row.seat, job.document.head.turn)?,
    };
    let mut document = match row.format.words {
        true => document,
        false => document.without_words(),
    };
    let (again, shows) = printer.readdressed(&claim.game, row.seat, document)?;
    document = again;
    // The deadline may have moved, and is nearer by now.
    if !document.head.over {
        document.head.deadline = claim.game.deadline;
        document.head.due = mailer.due_line(&claim.game, Some(row.seat), &row.zone, case.now);
    }
    let letter = SeatMail {
        kind: MailKind::Echo,
        to: &row.address,
        turn: claim.game.turn,
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
    let (format, at) = (row.format, case.now);
    let mut drawing =
        Job { draft, document, format, at, small: false, map: None, book: None }.drawing();
    if tools.store.is_drawing(&row.game, claim.game.turn).unwrap_or(false) {
        // Nobody has a printout before the others by asking for it again.
        drawing.waits = true;
    }
    // It goes with its turn: who takes the turn back takes this back, too.
    Ok(Some(QueuedMail { kind: MailKind::Part, drawing, shows, ..queued }))
}
