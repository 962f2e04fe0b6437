//! FORGET: erases a person who has left all seats, after the person confirms.

use store::{Judged, QuestionKind, Reason, Verdict};
use tongue::{mark, say};

use crate::context::Result;
use crate::personal;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools};
use crate::verdict::questions::Questions;

/// The command.
pub(super) const ROW: Row = Row {
    word: "FORGET",
    form: "FORGET",
    help: mark!("erases your data after you have left; you are asked once more"),
    read: |line| line.alone(|| Command::setting(Forget)),
};

#[derive(Debug)]
struct Forget;

/// Reason of the verdict.
const REASON: Reason = Reason::ForgetAsked;

impl PlayerCommand for Forget {
    fn word(&self) -> &'static str {
        ROW.word
    }

    /// A player who has left all seats is a stranger, but something is still stored about them.
    fn for_stranger(&self, tools: Tools, case: &Case) -> Result<Option<Judged>> {
        let answers = Answers::new(tools);
        if !personal::is_known(tools.store, &case.from)? {
            return Ok(None);
        }
        let asked = ask(tools, case, &case.from)?;
        if Questions::new(tools).asked_enough(QuestionKind::Forget, &case.from, case)? {
            let why = "an address that was asked often enough today";
            return Ok(Some(case.judged(Verdict::Ignored, REASON, why)));
        }
        match asked {
            Ok(change) => {
                let mut judged = answers.answer(case, Verdict::Accepted, REASON, &change.note)?;
                judged.effects.extend(change.effects);
                answers.reply(case, &mut judged, change.mails)?;
                Ok(Some(judged))
            }
            Err(note) => answers.answer(case, Verdict::Rejected, REASON, &note).map(Some),
        }
    }
}

impl Setting for Forget {
    fn reason(&self) -> (Reason, &'static str) {
        (REASON, mark!("erasing your data"))
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Changed> {
        ask(tools, case, &claim.seat.address)
    }
}

/// The question to a person before the robot erases them.
fn ask(tools: Tools, case: &Case, address: &str) -> Result<Changed> {
    let questions = Questions::new(tools);
    if let Some(still) = questions.still_plays(address)? {
        return Ok(Err(say!(
            "You still have {still}; leave it with RESIGN, then send FORGET again."
        )));
    }
    let q = questions.new_question(QuestionKind::Forget, None, address, "", case.now);
    let text = say!(
        "Do you want everything that is stored about you erased: your address, your name, your \
         mails, the mails to you? What you did in the games stays, without a name. Answer with the \
         single word YES; to keep it all, do nothing."
    );
    Ok(Ok(questions.ask(q, &say!("erase everything about you?"), &text, case.now)))
}
