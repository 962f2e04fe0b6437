//! RESIGN: leaves a seat, after the player confirms.

use crate::context::Result;
use crate::verdict::case::{Case, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools};
use crate::verdict::questions::Questions;
use store::{QuestionKind, Reason};
use tongue::{mark, say};

/// The command.
pub(super) const ROW: Row = Row {
    word: "RESIGN",
    form: "RESIGN",
    help: mark!("leaves your seat; you are asked once more"),
    read: |line| line.alone(|| Command::setting(Resign)),
};

#[derive(Debug)]
struct Resign;

impl PlayerCommand for Resign {
    fn word(&self) -> &'static str {
        ROW.word
    }
}

impl Setting for Resign {
    fn reason(&self) -> (Reason, &'static str) {
        (Reason::ResignAsked, mark!("leaving"))
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Changed> {
        let questions = Questions::new(tools);
        let address = &claim.seat.address;
        if questions.asked_enough(QuestionKind::Resign, address, case)? {
            return Ok(Err(say!(
                "You were asked often enough today whether you leave; answer the newest of these \
                 questions with YES."
            )));
        }
        let q = questions.new_question(QuestionKind::Resign, Some(claim), address, "", case.now);
        let text = say!(
            "Do you really want to leave your seat? Your position goes to a computer or to \
             somebody from the waiting list, and there is no way back. Answer with the one word \
             YES; to stay, do nothing."
        );
        Ok(Ok(questions.ask(q, &say!("are you sure?"), &text, case.now)))
    }
}
