//! ADDRESS: moves a seat to another mail address, when the old one and the new one agree.

use mail::mime::{canonical, same_address};

use crate::context::Result;
use crate::persons::other_seat;
use crate::verdict::case::{
    Case, Change, Changed, Claim, Command, PlayerCommand, Row, Setting, Tools,
};
use crate::verdict::questions::{Questions, two_seats};
use store::{QuestionKind, Reason};
use tongue::{mark, say};

/// The command.
pub(super) const ROW: Row = Row {
    word: "ADDRESS",
    form: "ADDRESS you@example.org",
    help: mark!("moves your seat to another mail address"),
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
        (Reason::AddressAsked, mark!("a new address"))
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Changed> {
        let (game, seat) = (&claim.game, &claim.seat);
        let questions = Questions::new(tools);
        let Some(new) = canonical(&self.0).filter(|a| a.parse::<lettre::Address>().is_ok()) else {
            return Ok(Err(say!(
                "{address:?} is no mail address; yours was not changed.",
                address = self.0.chars().take(60).collect::<String>()
            )));
        };
        if same_address(&new, &seat.address) || same_address(&new, &tools.cx.identity.address) {
            return Ok(Err(say!("That is no new address; yours was not changed.")));
        }
        let seats = tools.store.games().seats(&game.code)?;
        if game.terms.one_seat && other_seat(&seats, Some(seat.seat), &new).is_some() {
            return Ok(Err(two_seats(game)));
        }
        if questions.asked_enough(QuestionKind::OldAddress, &seat.address, case)?
            || questions.asked_enough(QuestionKind::NewAddress, &new, case)?
        {
            return Ok(Err(say!("That was asked often enough today; try again tomorrow.")));
        }
        let value = format!("{} {} {new}", game.code, seat.seat);
        let mut change = Change::none(say!(
            "Both addresses, the old one and the new one, are asked now; when both have answered \
             YES the seat moves."
        ));
        let (number, code) = (seat.seat, &game.code);
        let leaves = say!("Seat {number} of game {code} is to move to another mail address.");
        let comes = say!("Seat {number} of game {code} is to move to this mail address.");
        let both = [
            (QuestionKind::OldAddress, &seat.address, leaves),
            (QuestionKind::NewAddress, &new, comes),
        ];
        let answer = say!(
            "If you want that, answer with the one word YES; if not, do nothing. Nothing changes \
             until both addresses have answered."
        );
        for (kind, address, what) in both {
            let text = format!("{what} {answer}");
            let q = questions.new_question(kind, Some(claim), address, &value, case.now);
            let asked = questions.ask(q, &say!("is this address yours?"), &text, case.now);
            change.mails.extend(asked.mails);
            change.effects.extend(asked.effects);
        }
        Ok(Ok(change))
    }
}
