//! Answers to commands that change nothing: STATUS, RULES, RESEND, CARD, HELP.

use super::Intake;
use super::{Case, Claim};
use crate::card::{COMMANDS, Command};
use crate::context::Result;
use crate::drawing::Job;
use crate::mailer::Letter;
use engine::{Section, Topic, Turn};
use mail::body::MARKER;
use mail::mime;
use render::text::{self, SAFE, fill, para, sections};
use store::{Game, Judged, QueuedMail, Status, Verdict};

impl Intake<'_> {
    pub(super) fn status(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        let judgement = self.on_file(claim)?;
        let body = self.echo(
            case,
            claim,
            "This is where you stand.",
            "Orders on file",
            &judgement,
            (&[], &[]),
        );
        let mut judged = self.judged(case, Verdict::Accepted, "status", "status sent");
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        // A status shows orders, so it goes to the registered address alone.
        let mails = self.mails_to_registered(case, claim, "status", body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// The rulebook: its contents, or a chapter by number or by a word of its title.
    pub(super) fn rules(
        &self,
        case: &Case,
        claim: &Claim,
        chapter: Option<&str>,
    ) -> Result<Judged> {
        let open = self.games().open(&claim.game)?;
        let book = self.games().shielded(&claim.game.code, || open.rulebook())?;
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
            (_, true) => sections(&chosen),
        };
        if chosen.is_empty() && !book.is_empty() {
            text += "The chapters of the rulebook; RULES with a number or a word sends one, \
                     RULES ALL sends all.\n\n";
            book.iter().for_each(|s| text += &format!("{SAFE}{}\n", s.heading));
        }
        self.tell(case, claim, Verdict::Accepted, "rules", "the rules", text)
    }

    /// A blank card of the open turn.
    pub(super) fn blank_card(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        let open = self.games().open(&claim.game)?;
        let (seat, language) = (claim.seat.seat, claim.seat.language.clone());
        let report = self.games().shielded(&claim.game.code, || open.report(seat, &language))?;
        let sections = report.map(|r| r.sections).unwrap_or_default();
        let text = self.printer().blank_card_text(&claim.game, seat, &sections);
        if text.is_empty() {
            let text = "There is no card for your seat now.".to_owned();
            return self.tell(case, claim, Verdict::Rejected, "no-card", "no card", text);
        }
        let mut body = format!("{MARKER}\n\n");
        body += &para(&self.mailer().due_line(
            &claim.game,
            Some(claim.seat.seat),
            &claim.seat.zone,
            case.now,
        ));
        body += &format!("\n{text}");
        let mut judged = self.judged(case, Verdict::Accepted, "card", "a blank card");
        judged.seat = Some((claim.game.code.clone(), seat));
        // It shows the position, so it goes to the registered address alone.
        let mails = self.mails_to_registered(case, claim, "your blank card", body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// Help of a game, as it stands.
    fn topics(&self, game: &Game) -> Result<Vec<Topic>> {
        match game.status {
            Status::Open => Ok(self.games().engine(&game.engine)?.help()),
            _ => {
                let open = self.games().open(game)?;
                self.games().shielded(&game.code, || open.help())
            }
        }
    }

    /// Whether cards of a game may hold letters, as it stands.
    fn has_press(&self, game: &Game) -> Result<bool> {
        match game.status {
            Status::Open => Ok(self.games().engine(&game.engine)?.press()),
            _ => {
                let open = self.games().open(game)?;
                self.games().shielded(&game.code, || open.press())
            }
        }
    }

    /// Answers a command that changes nothing.
    pub(super) fn told(&self, case: &Case, claim: &Claim, command: &Command) -> Result<Judged> {
        if let Command::Help(topic) = command {
            let topics = self.topics(&claim.game)?;
            let text = self.help_text(topic.as_deref(), &topics, self.has_press(&claim.game)?);
            return self.tell(case, claim, Verdict::Accepted, "help", "help", text);
        }
        if claim.game.status == Status::Open && !matches!(command, Command::Yes) {
            let text = "Your game has not started yet; the first printout will come by mail.";
            let subject = "not started yet";
            return self.tell(case, claim, Verdict::Rejected, "not-started", subject, text.into());
        }
        match command {
            Command::Status => self.status(case, claim),
            Command::Rules(chapter) => self.rules(case, claim, chapter.as_deref()),
            Command::Resend(turn) => self.resend(case, claim, *turn),
            Command::Card => self.blank_card(case, claim),
            Command::Gm(_) => self.refused(case, "not-game-master"),
            _ => self.nothing_found(case, claim),
        }
    }

    /// The newest printout in the forms that its player wants now.
    fn printout_again(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        job: Job,
    ) -> Option<QueuedMail> {
        let row = &claim.seat;
        let mut document = match row.format.words {
            true => job.document,
            false => job.document.without_words(),
        };
        // The deadline may have moved, and is nearer by now.
        if !document.head.over {
            document.head.deadline = claim.game.deadline;
            document.head.due =
                self.mailer().due_line(&claim.game, Some(row.seat), &row.zone, case.now);
        }
        let letter = Letter {
            kind: "echo",
            to: &row.address,
            turn: claim.game.turn,
            subject: subject.to_owned(),
            text: text::document(&document),
            attachments: self
                .mailer()
                .calendar_file(&claim.game, row, case.now)
                .into_iter()
                .collect(),
            answers: case.parsed.message_id.as_deref(),
            cause: format!("{} again", case.stored.id),
            reply: None,
        };
        let draft = self.mailer().draft(row, letter);
        let seat = Some((row.game.clone(), row.seat));
        let queued = self.mailer().queue("echo", seat, Some(claim.game.turn), &draft, case.now)?;
        let mut drawing = Job { draft, document, format: row.format, at: case.now }.drawing();
        let mut kind = "echo";
        if self.store.is_drawing(&row.game, claim.game.turn).unwrap_or(false) {
            // Nobody has a printout before the others by asking for it again.
            (kind, drawing.waits) = ("part", true);
        }
        Some(QueuedMail { kind, drawing, ..queued })
    }

    /// Sends a printout again under a new id, to the registered address: the newest in
    /// all forms that its player wants now, an older one as text.
    pub(super) fn resend(&self, case: &Case, claim: &Claim, turn: Option<Turn>) -> Result<Judged> {
        let (code, seat) = (claim.game.code.clone(), claim.seat.seat);
        let newest = self.store.newest_printout(&code, seat, claim.game.turn)?;
        let turn = turn.or(newest).unwrap_or(claim.game.turn);
        // A turn that was taken back has none, whatever was mailed.
        let sent = self.store.printout(&code, seat, turn)?;
        let Some(bytes) = sent.filter(|_| turn <= claim.game.turn) else {
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
        let subject = format!("your printout of turn {turn}, sent again");
        let job = self.store.drawing(&code, seat, turn)?.and_then(|what| Job::of(&what).ok());
        if let Some(job) = job {
            let mut judged = self.judged(case, Verdict::Accepted, "resent", "printout sent again");
            judged.seat = Some((code, seat));
            let mail = self.printout_again(case, claim, &subject, job);
            self.reply(case, &mut judged, mail.into_iter().collect())?;
            return Ok(judged);
        }
        // Of an older one there is the text.
        let text = mime::parse(&bytes).ok().map(|m| {
            m.lines
                .0
                .into_iter()
                .map(|(d, l)| format!("{}{l}\n", ">".repeat(d)))
                .collect::<String>()
        });
        let mails = self.mails_to_registered(case, claim, &subject, text.unwrap_or_default());
        let mut judged = self.judged(case, Verdict::Accepted, "resent", "printout sent again");
        judged.seat = Some((code, seat));
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// Help on a topic, or on all. Where letters are not allowed, nobody is told of them.
    pub(super) fn help_text(&self, topic: Option<&str>, topics: &[Topic], press: bool) -> String {
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
        out += &command_list(COMMANDS.iter().copied().filter(|c| press || c.0 != "PRESS"));
        if !topics.is_empty() {
            out += "\nOrders of this game:\n";
            topics.iter().for_each(|t| out += &format!("{SAFE}{}\n", t.title));
        }
        out
    }
}

/// A table of commands, their forms and what they do; none can be read as a command itself.
pub fn command_list<'a>(rows: impl IntoIterator<Item = (&'a str, &'a str, &'a str)>) -> String {
    let line = |(_, form, what): (&str, &str, &str)| match form.len() {
        0..=16 => fill(what, &format!("{SAFE}{form:<16} "), &format!("{SAFE}{:16} ", "")),
        _ => format!(
            "{SAFE}{form}\n{}",
            fill(what, &format!("{SAFE}{:16} ", ""), &format!("{SAFE}{:16} ", ""))
        ),
    };
    rows.into_iter().map(line).collect()
}
