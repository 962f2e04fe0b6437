//! ADDRESS: moves a seat to another mail address, when the old one and the new one agree.

use mail::mime::{canonical, same_address};

use crate::context::Result;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools,
};
use crate::verdict::questions::Questions;
use store::{QuestionKind, Reason};

/// The command.
pub(super) const ROW: Row = Row {
    word: "ADDRESS",
    form: "ADDRESS you@example.org",
    help: "moves your seat to another mail address",
    read: |line| line.with_one(|to| Command::setting(Address(to.to_owned()))),
};

/// The new address as written.
#[derive(Debug)]
struct Address(String);

impl PlayerCommand for Address {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn needs_proof(&self) -> bool {
        true
    }
}

impl Setting for Address {
    fn reason(&self) -> (Reason, &'static str) {
        (Reason::AddressAsked, "a new address")
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Changed> {
        let (game, seat) = (&claim.game, &claim.seat);
        let questions = Questions::new(tools);
        let Some(new) = canonical(&self.0).filter(|a| a.parse::<lettre::Address>().is_ok()) else {
            return Ok(Err(format!(
                "{:?} is no mail address; nothing was changed.",
                self.0.chars().take(60).collect::<String>()
            )));
        };
        if same_address(&new, &seat.address) || same_address(&new, &tools.cx.identity.address) {
            return Ok(Err("That is no new address; nothing was changed.".to_owned()));
        }
        if questions.asked_enough(QuestionKind::OldAddress, &seat.address, case)?
            || questions.asked_enough(QuestionKind::NewAddress, &new, case)?
        {
            return Ok(Err("That was asked often enough today; try again tomorrow.".to_owned()));
        }
        let value = format!("{} {} {new}", game.code, seat.seat);
        let about = format!("Seat {} of game {}", seat.seat, game.code);
        let mut change = Change::none(
            "Both addresses, the old one and the new one, are asked now; when both have answered \
             YES the seat moves.",
        );
        let both = [
            (QuestionKind::OldAddress, &seat.address, "is to move to another mail address"),
            (QuestionKind::NewAddress, &new, "is to move to this mail address"),
        ];
        for (kind, address, what) in both {
            let text = format!(
                "{about} {what}. If you want that, answer with the one word YES; if not, do \
                 nothing. Nothing changes until both addresses have answered."
            );
            let q = questions.new_question(kind, Some(claim), address, &value, case.now);
            let asked = questions.ask(q, "is this address yours?", &text, case.now);
            change.mails.extend(asked.mails);
            change.effects.extend(asked.effects);
        }
        Ok(Ok(change))
    }
}
