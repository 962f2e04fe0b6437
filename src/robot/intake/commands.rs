//! Answers to commands: STATUS, RULES, LANG, RESEND, HELP.

use super::super::{Result, Robot};
use super::{Case, Claim, Proof};
use crate::card::COMMANDS;
use crate::engine::{Seat, Section, Topic, Turn};
use crate::mail::mime::{self};
use crate::render::text::{SAFE, para, sections};
use crate::store::{Judged, Verdict};

impl Robot {
    pub(super) fn status(&mut self, case: &Case, claim: &Claim) -> Result<Judged> {
        let judgement = self.on_file(claim)?;
        let body =
            self.echo(case, claim, "This is where you stand.", "Orders on file", &judgement, &[]);
        let mut judged = self.judged(case, Verdict::Accepted, "status", "status sent");
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        // A status shows orders, so it goes to the registered address alone.
        let mails = self.to_registered(case, claim, "status", body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// The rulebook: its contents, or a chapter by number or by a word of its title.
    pub(super) fn rules(
        &mut self,
        case: &Case,
        claim: &Claim,
        chapter: Option<&str>,
    ) -> Result<Judged> {
        let open = self.open(&claim.game)?;
        let book = self.shielded(&claim.game.code, || open.rulebook())?;
        let nobody = |_: Seat| String::new();
        let (chosen, found) = match chapter {
            None => (Vec::new(), true),
            Some("ALL") => (book.clone(), true),
            Some(word) => {
                let number = format!("{}.", word.trim_end_matches('.'));
                let fits = |s: &&Section| {
                    let title = s.heading.to_uppercase();
                    title.starts_with(&format!("{number} "))
                        || title.split(|c: char| !c.is_alphanumeric()).any(|w| w == word)
                };
                let found: Vec<Section> = book.iter().filter(fits).cloned().collect();
                let any = !found.is_empty();
                (found, any)
            }
        };
        let mut text = match (book.is_empty(), found) {
            (true, _) => "This game has no rulebook by mail.\n".to_owned(),
            (_, false) => "There is no such chapter.\n".to_owned(),
            (_, true) => sections(&chosen, &nobody),
        };
        if chosen.is_empty() && !book.is_empty() {
            text += "The chapters of the rulebook; RULES with a number or a word sends one, \
                     RULES ALL sends all.\n\n";
            book.iter().for_each(|s| text += &format!("{SAFE}{}\n", s.heading));
        }
        self.tell(case, claim, Verdict::Accepted, "rules", "the rules", text)
    }

    /// Sets the language of messages, or says which there are.
    pub(super) fn choose_language(
        &mut self,
        case: &Case,
        claim: &Claim,
        code: Option<&str>,
    ) -> Result<Judged> {
        let known = self.engine(&claim.game.engine)?.languages();
        let list = known.join(", ");
        let Some(code) = code.filter(|c| known.contains(c)) else {
            let now = match claim.seat.language.as_str() {
                "" => known.first().copied().unwrap_or("en"),
                code => code,
            };
            let text = format!(
                "Messages of other players come to you in {now}. There are: {list}. LANG with one \
                 of these codes chooses it."
            );
            return self.tell(case, claim, Verdict::Accepted, "language", "languages", text);
        };
        if claim.proof != Proof::Proven {
            let text = "That needs the secret: answer a printout or an echo with it.".to_owned();
            return self.tell(case, claim, Verdict::Rejected, "language", "languages", text);
        }
        let text = format!("From the next printout on messages come to you in {code}.");
        let mut judged =
            self.tell(case, claim, Verdict::Accepted, "language", "language changed", text)?;
        judged.language = Some(code.to_owned());
        Ok(judged)
    }

    /// Sends a printout again: the same text under a new id, to the registered
    /// address.
    pub(super) fn resend(
        &mut self,
        case: &Case,
        claim: &Claim,
        turn: Option<Turn>,
    ) -> Result<Judged> {
        let (code, seat) = (claim.game.code.clone(), claim.seat.seat);
        let turn = turn.unwrap_or(claim.game.turn);
        let Some(bytes) = self.store.printout(&code, seat, turn)? else {
            let text = format!("There is no printout of turn {turn} for your seat.");
            return self.tell(
                case,
                claim,
                Verdict::Rejected,
                "no-printout",
                "no such printout",
                text,
            );
        };
        let text = mime::parse(&bytes).ok().map(|m| {
            m.lines
                .0
                .into_iter()
                .map(|(d, l)| format!("{}{l}\n", ">".repeat(d)))
                .collect::<String>()
        });
        let subject = format!("your printout of turn {turn}, sent again");
        let mails = self.to_registered(case, claim, &subject, text.unwrap_or_default());
        let mut judged = self.judged(case, Verdict::Accepted, "resent", "printout sent again");
        judged.seat = Some((code, seat));
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    pub(super) fn help_text(&self, topic: Option<&str>, topics: &[Topic]) -> String {
        let mut out = String::new();
        if let Some(found) = topic.and_then(|t| topics.iter().find(|x| x.word == t)) {
            out += &format!("{}\n\n{}\n", found.title, para(&found.text));
            found.examples.iter().for_each(|e| out += &format!("{SAFE}{e}\n"));
            return out;
        }
        out += "How to play by mail\n\n";
        out += &para(
            "Answer a printout or an echo with your orders, one a line, above the marker line. \
             Within seconds an echo returns every line with its judgement and shows all orders \
             on file. Until the deadline you may send as many cards as you like; the last one \
             counts. After the deadline the printout of the turn comes by mail.",
        );
        out += "\nCommands, as the first line of a mail:\n";
        COMMANDS.iter().for_each(|(_, form, what)| out += &format!("{SAFE}{form:<16} {what}\n"));
        if !topics.is_empty() {
            out += "\nOrders of this game:\n";
            topics.iter().for_each(|t| out += &format!("{SAFE}{}\n", t.title));
        }
        out
    }
}
