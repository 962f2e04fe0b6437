//! WHAT: the headline of the open turn, the deadline and what needs orders.

use engine::report::Block;
use engine::{Mark, Section};
use render::text::{self, para};
use store::{Judged, Reason, Verdict};
use tongue::{count, mark, say, word};

use crate::card::command::Read;
use crate::context::Result;
use crate::languages::marker;
use crate::printouts::NEEDS;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Query, Row, Tools};

/// The command.
pub(super) const ROW: Row = Row {
    word: "WHAT",
    form: "WHAT",
    help: mark!("what happened, and what needs orders"),
    // A sentence that begins with this word is not a command, even in capitals.
    read: |line| match line.rest() {
        [] => Read::Command(Command::query(What)),
        // "What is a transport?" asks for help on it.
        [is, words @ .., last]
            if ["is", "are"].contains(is)
                && words.len() <= 2
                && last.ends_with('?')
                && !super::ask::is_pronoun(last)
                && words.iter().all(|w| ["a", "an", "the"].contains(w)) =>
        {
            Read::Command(super::help::about(&[words, &[last]].concat()))
        }
        _ => Read::No,
    },
};

#[derive(Debug)]
struct What;

impl PlayerCommand for What {
    fn word(&self) -> &'static str {
        ROW.word
    }
}

impl Query for What {
    fn beside(&self, tools: Tools, claim: &Claim) -> Result<Option<Vec<Section>>> {
        let open = tools.games().open(&claim.game)?;
        let headline = tools.printer().headline(&claim.game, open.as_ref(), &claim.seat)?;
        // The list of what needs orders is left out: the orders of the same mail change it.
        let blocks = vec![Block::List(headline.sentences)];
        Ok(Some(vec![Section { heading: ROW.word.to_owned(), blocks }]))
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        let answers = Answers::new(tools);
        let (game, seat) = (&claim.game, &claim.seat);
        let open = tools.games().open(game)?;
        let headline = tools.printer().headline(game, open.as_ref(), seat)?;
        let about = text::about(&game.code, &game.step.label, seat.seat, &seat.name);
        let mut body = format!("{marker}\n\n{about}\n", marker = marker());
        if !headline.sentences.is_empty() {
            body += &format!("{}\n", text::items(&headline.sentences));
        }
        body += &para(&tools.mailer().due_line(game, Some(seat.seat), &seat.zone, case.now));
        // The orders on file may already do what the headline asks for.
        let on_file = tools.store.mails().orders(&game.code, seat.seat, game.turn)?;
        let on_file = on_file.filter(|o| !o.card.lines.is_empty());
        if let Some(orders) = &on_file {
            let judge = || open.judge(seat.seat, &orders.card, 0);
            let judged = tools.games().shielded(&game.code, judge)?;
            let right = judged.count(Mark::Ok) + judged.count(Mark::Warning);
            body += &para(&count!(
                n = right,
                "Your card on file has {n} order; with it:",
                "Your card on file has {n} orders; with it:"
            ));
            body += &text::sections(&judged.forecast);
        } else if !headline.needs.is_empty() {
            body += &format!("{}{}", para(&word(NEEDS)), text::items(&headline.needs));
        }
        body += &format!(
            "\n{}",
            para(&say!(
                "RESEND brings the whole printout, STATUS the orders that you have on file."
            ))
        );
        let mut judged = case.judged(Verdict::Accepted, Reason::Status, "headline sent");
        judged.seat = Some((game.code.clone(), seat.seat));
        // It shows a position, so it goes only to the registered address.
        let mails = answers.mails_to_registered(case, claim, &say!("what happened"), body);
        answers.reply(case, &mut judged, mails)?;
        Ok(judged)
    }
}
