//! STATUS: the orders on file and the deadline.

use engine::Section;
use engine::report::Block;
use store::{Judged, Reason, Verdict};
use tongue::{mark, say};

use crate::context::Result;
use crate::text::printed;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};
use crate::verdict::filing::Filing;

/// The command.
pub(super) const ROW: Row = Row {
    word: "STATUS",
    form: "STATUS",
    help: mark!("your orders on file and the deadline"),
    read: |line| line.alone(|| Command::query(Status)),
};

#[derive(Debug)]
struct Status;

impl PlayerCommand for Status {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn for_game_master(&self) -> Option<String> {
        Some(ROW.word.to_owned())
    }
}

impl Query for Status {
    fn beside(&self, tools: Tools, claim: &Claim) -> Result<Option<Vec<Section>>> {
        let filed =
            tools.store.mails().orders(&claim.game.code, claim.seat.seat, claim.game.turn)?;
        let lines = filed.map(|f| f.card.lines).unwrap_or_default();
        // Some games keep plans from earlier cards: the forecast shows them.
        let forecast = Filing::new(tools, claim).on_file(claim)?.judgement.forecast;
        let blocks = match lines.is_empty() {
            true => vec![Block::Para(say!("No orders of yours are on file.").into())],
            false => vec![Block::Quote(lines.iter().map(|(_, l)| printed(l)).collect())],
        };
        let orders = Section { heading: ROW.word.to_owned(), blocks };
        Ok(Some([vec![orders], forecast].concat()))
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        let answers = Answers::new(tools);
        let shown = Filing::new(tools, claim).on_file(claim)?;
        let (outcome, title) = (say!("This is where you stand."), say!("Orders on file"));
        let body = answers.echo(case, claim, &outcome, &title, &shown, (&[], &[]))?;
        let mut judged = case.judged(Verdict::Accepted, Reason::Status, "status sent");
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        // A status shows orders, so it goes only to the registered address.
        let mails = answers.mails_to_registered(case, claim, &say!("status"), body);
        answers.reply(case, &mut judged, mails)?;
        Ok(judged)
    }
}
