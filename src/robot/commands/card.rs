//! CARD: a blank card of the open turn.

use render::text::para;
use store::{Judged, Reason, Verdict};
use tongue::{mark, say};

use crate::context::Result;
use crate::languages::marker;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};

/// The command.
pub(super) const ROW: Row = Row {
    word: "CARD",
    form: "CARD",
    help: mark!("a blank turn card"),
    read: |line| line.alone(|| Command::query(Card)),
};

#[derive(Debug)]
struct Card;

impl PlayerCommand for Card {
    fn word(&self) -> &'static str {
        ROW.word
    }
}

impl Query for Card {
    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        let answers = Answers::new(tools);
        let open = tools.games().open(&claim.game)?;
        let (seat, language) = (claim.seat.seat, tools.cx.language_of(&claim.seat.language));
        let report = tools.games().shielded(&claim.game.code, || open.report(seat, language))?;
        let sections = report.map(|r| r.sections).unwrap_or_default();
        let text = tools.printer().blank_card_text(&claim.game, seat, &sections);
        if text.is_empty() {
            let (subject, text) = (say!("no card"), say!("There is no card for your seat now."));
            return answers.short_answer(
                case,
                claim,
                Verdict::Rejected,
                Reason::NoCard,
                &subject,
                text,
            );
        }
        let mut body = format!("{marker}\n\n", marker = marker());
        let zone = &claim.seat.zone;
        body += &para(&tools.mailer().due_line(&claim.game, Some(seat), zone, case.now));
        body += &format!("\n{text}");
        let mut judged = case.judged(Verdict::Accepted, Reason::Card, "a blank card");
        judged.seat = Some((claim.game.code.clone(), seat));
        // It shows the position, so it goes only to the registered address.
        let mails = answers.mails_to_registered(case, claim, &say!("your blank card"), body);
        answers.reply(case, &mut judged, mails)?;
        Ok(judged)
    }
}
