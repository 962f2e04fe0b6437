//! EXPORT: sends what is stored about a person to that person's address.

use jiff::SignedDuration;

use mail::compose::Attachment;
use mail::mime::same_address;
use store::{Judged, QuestionKind, Reason, Verdict};
use tongue::{mark, say};

use crate::context::Result;
use crate::personal;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};
use crate::verdict::questions::Questions;

/// The command.
pub(super) const ROW: Row = Row {
    word: "EXPORT",
    form: mark!("EXPORT [receipt]"),
    help: mark!("what is stored about you, as a file; or one mail of yours"),
    read: |line| {
        line.with_at_most_one(|receipt| match receipt {
            None => Some(Command::query(Export(None))),
            Some(receipt) => receipt.parse().ok().map(|n| Command::query(Export(Some(n)))),
        })
    },
};

/// The receipt of one mail to send. `None`: all data, without the texts of mails.
#[derive(Debug)]
struct Export(Option<i64>);

impl PlayerCommand for Export {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }

    /// Somebody who has left gets a question first, because nothing proves that the mail is theirs.
    fn for_stranger(&self, tools: Tools, case: &Case) -> Result<Option<Judged>> {
        if !personal::is_known(tools.store, &case.from)? {
            return Ok(None);
        }
        let questions = Questions::new(tools);
        if questions.asked_enough(QuestionKind::Export, &case.from, case)? {
            let why = "an address that was asked often enough today";
            return Ok(Some(case.judged(Verdict::Ignored, Reason::ExportAsked, why)));
        }
        let q = questions.new_question(QuestionKind::Export, None, &case.from, "", case.now);
        let text = say!(
            "Do you want what is stored about you sent to this address? Answer with the single \
             word YES; otherwise do nothing."
        );
        let change = questions.ask(q, &say!("send your data?"), &text, case.now);
        let mut judged = case.judged(Verdict::Accepted, Reason::ExportAsked, "asked");
        judged.effects.extend(change.effects);
        Answers::new(tools).reply(case, &mut judged, change.mails)?;
        Ok(Some(judged))
    }
}

impl Query for Export {
    fn needs_start(&self) -> bool {
        false
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        match self.0 {
            None => Answers::new(tools).personal_data(case, &claim.seat.address),
            Some(receipt) => one_mail(tools, case, claim, receipt),
        }
    }
}

/// Sends one mail of a person, as it came.
fn one_mail(tools: Tools, case: &Case, claim: &Claim, receipt: i64) -> Result<Judged> {
    let answers = Answers::new(tools);
    let address = &claim.seat.address;
    let own = tools.store.mails().mail(receipt)?.filter(|m| same_address(&m.sender, address));
    let (raw, size) = match own {
        Some(row) => (tools.store.mails().raw(receipt)?, row.size),
        None => (None, 0),
    };
    let most = tools.store.sent_bytes_max(tools.cx.limits.sent_bytes_max, case.now)? / 2;
    let Some(bytes) = raw.filter(|raw| raw.len() <= most) else {
        let text = say!(
            "There is no mail of yours with the receipt {receipt}, it is no longer kept, or it is \
             too large to be sent; the game master has what is kept."
        );
        let subject = say!("no such mail");
        return answers.short_answer(
            case,
            claim,
            Verdict::Rejected,
            Reason::NoSuchMail,
            &subject,
            text,
        );
    };
    let day = case.now - SignedDuration::from_hours(24);
    if tools.store.mails().mails_with(&case.from, Reason::Exported, day)? >= MAILS_A_DAY {
        let why = "enough data of this address was sent today";
        return Ok(case.judged(Verdict::Ignored, Reason::Exported, why));
    }
    let text = match (bytes.len() as u64) < size {
        true => say!("The attached file is the start of your mail; no more of it was kept."),
        false => say!("The attached file is your mail as it came."),
    };
    let file = Attachment {
        name: format!("mail-{receipt}.txt"),
        media: "application/octet-stream".into(),
        bytes,
    };
    let mut judged = case.judged(Verdict::Accepted, Reason::Exported, "a mail sent");
    let (id_key, subject) = (case.stored.id.to_string(), say!("your mail {receipt}"));
    let mail = tools.mailer().file_mail(address, &subject, &text, file, &id_key, case.now);
    answers.reply(case, &mut judged, mail.into_iter().collect())?;
    Ok(judged)
}

/// Files with stored data that an address gets within a day, at most.
const MAILS_A_DAY: u32 = 20;
