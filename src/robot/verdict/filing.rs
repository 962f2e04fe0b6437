//! A card on its way to the file: in time, within the limits, judged.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::SignedDuration;

use base::schedule;
use engine::{CardText, JudgedLine, Judgement, Mark, Match, Seal, Turn, Until, effort, press};
use mail::normal;
use render::text::para;
use store::{Effect, Game, Judged, NewOrders, OpenedSeal, Reason, Status, Verdict};
use tongue::{count, mark, say, word};

use super::about::About;
use super::answers::{Answers, Shown, left_out};
use super::budget::{Budget, Vain};
use super::case::{Basis, Case, Claim, Proof, Tools};
use super::filed::{
    doubted, fared, gone, nothing_changed, outcome, replaces, titled, turn_to_come, when_it_counts,
    with_notes,
};
use super::letters::Letters;
use super::pending::Pending;
use super::read::{Read, Worth, error, numbered_on};
use super::worded::{self, Lexicon, Marks, Unclear};
use crate::card::prose::{is_more_than_a_greeting, is_sentence};
use crate::card::{Mode, REMARKS};
use crate::context::{Result, RobotError};
use crate::drawing::OrdersMap;
use crate::languages::marker;
use crate::mailer::step_name;
use crate::steps;
use base::text::capital;

/// Turns ahead for which a card may be sent.
const ADVANCE_MAX: Turn = 3;

/// Files the card of one mail. Whatever is asked of it, its lines are judged once; once more where
/// some of them were words, for they are other lines then.
pub struct Filing<'a> {
    tools: Tools<'a>,
    /// The words of the seat's game.
    pub about: About<'a>,
    game: OnceCell<Arc<dyn Match>>,
    read: OnceCell<Read>,
}

impl<'a> Filing<'a> {
    /// Files a card of a seat over what is on file.
    pub fn new(tools: Tools<'a>, claim: &Claim) -> Self {
        let about = About::seat(tools, &claim.game, claim.seat.seat);
        Self { tools, about, game: OnceCell::new(), read: OnceCell::new() }
    }

    fn answers(&self) -> Answers<'a> {
        Answers::new(self.tools)
    }

    /// Takes the card of a mail: in time, within limits, filed.
    ///
    /// # Errors
    /// [`crate::RobotError`]; the mail has its next attempt then.
    pub fn take(&self, case: &Case, claim: &Claim, notes: &[String]) -> Result<Judged> {
        if claim.game.status == Status::Open {
            return self.answers().not_started(case, claim);
        }
        if let Some(refusal) = self.refused_by_time(case, claim, notes)? {
            return Ok(refusal);
        }
        if let Some(refusal) = self.refused_by_number(case, claim, notes)? {
            return Ok(refusal);
        }
        self.file(case, claim, notes)
    }

    /// The step that a card is for: the one that it names; the one that it answers, if its
    /// seat was awaited then; else the open one. What others did meanwhile makes no card old.
    fn step_of(&self, claim: &Claim) -> Result<Turn> {
        let (game, seat) = (&claim.game, claim.seat.seat);
        let Some(turn) = claim.turn else { return Ok(game.turn) };
        if claim.named || turn >= game.turn {
            return Ok(turn);
        }
        let step = self.tools.store.steps().step(&game.code, turn)?;
        Ok(if step.is_none_or(|s| s.awaits(seat)) { turn } else { game.turn })
    }

    /// Whether a card is for a step that has run.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn is_passed(&self, claim: &Claim) -> Result<bool> {
        Ok(claim.game.status == Status::Running && self.step_of(claim)? < claim.game.turn)
    }

    /// Refuses a card for another step than the open one, or after the deadline.
    fn refused_by_time(
        &self,
        case: &Case,
        claim: &Claim,
        notes: &[String],
    ) -> Result<Option<Judged>> {
        let game = &claim.game;
        let turn = self.step_of(claim)?;
        let engine = self.tools.games().engine(&game.engine)?;
        let ahead_max = match engine.step_is_turn() {
            true => ADVANCE_MAX * steps_a_round(game),
            false => 0,
        };
        let label = self.tools.store.steps().step_label(&game.code, turn)?;
        let told = untimely(case, claim, (turn, &label), ahead_max);
        let Some((reason, subject, text)) = told else { return Ok(None) };
        let mut judged = case.judged(Verdict::Rejected, reason, &text);
        (judged.seat, judged.turn) = (Some((game.code.clone(), claim.seat.seat)), Some(turn));
        let mails = match game.status {
            Status::Over => self.answers().mails_to_player(
                case,
                claim,
                &subject,
                format!(
                    "{marker}\n\n{}",
                    para(&with_notes(text, &[notes, &left_out(&case.request)].concat())),
                    marker = marker()
                ),
            ),
            _ => {
                let shown = Shown { refused: true, ..self.on_file(claim)? };
                let body = self.answers().echo(
                    case,
                    claim,
                    &text,
                    &say!("Orders on file"),
                    &shown,
                    (&[], notes),
                )?;
                self.answers().mails_to_player(case, claim, &subject, body)
            }
        };
        self.answers().reply(case, &mut judged, mails)?;
        Ok(Some(judged))
    }

    /// Refuses a card that is too long, before any of its lines is judged.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn refused_by_lines(&self, case: &Case, claim: &Claim) -> Result<Option<Judged>> {
        let request = &case.request;
        let most = self.tools.cx.limits.card_lines_max;
        // Where not all lines were looked at, remarks count as well: nobody knows the others.
        let lines = match request.over {
            0 => request.card.lines.len(),
            over => request.card.lines.len() + request.asides.len() + over,
        };
        if lines <= most && request.over == 0 {
            return Ok(None);
        }
        let mut text = count!(
            lines,
            both: "Your card has {lines} lines; a card has at most {most}, also in several \
             mails. Nothing was filed: leave out what matters least, comments first."
        );
        if !case.request.commands.is_empty() {
            text = with_notes(text, &[nothing_changed()]);
        }
        let (reason, subject) = (Reason::TooManyLines, say!("nothing filed"));
        self.answers().tell(case, claim, Verdict::Rejected, reason, &subject, text).map(Some)
    }

    /// Refuses a card that is one too many within an hour.
    fn refused_by_number(
        &self,
        case: &Case,
        claim: &Claim,
        notes: &[String],
    ) -> Result<Option<Judged>> {
        let most = self.tools.cx.limits.cards_per_hour;
        let hour = case.now - SignedDuration::from_hours(1);
        if self.tools.store.mails().cards_since(&claim.game.code, claim.seat.seat, hour, most)?
            < most
        {
            return Ok(None);
        }
        let text = count!(
            most,
            "This is more than {most} card within an hour. Nothing was filed; wait a while.",
            "This is more than {most} cards within an hour. Nothing was filed; wait a \
             while."
        );
        let (reason, subject) = (Reason::TooManyCards, say!("nothing filed"));
        let text = with_notes(text, notes);
        self.answers().tell(case, claim, Verdict::Rejected, reason, &subject, text).map(Some)
    }

    /// Files, appends, withdraws or only checks a card, and echoes it.
    fn file(&self, case: &Case, claim: &Claim, notes: &[String]) -> Result<Judged> {
        let mode = case.request.mode;
        let read = self.read(case, claim)?;
        let Read { before, worth, card, .. } = read;
        let worth = *worth;
        if let Some(refusal) = self.refused_by_file(case, claim, read, notes)? {
            return Ok(refusal);
        }
        if mode != Mode::Cancel && worth.right == 0 {
            if self.is_letter(case, worth) {
                // A letter to the robot, or to nobody; it replaces no card.
                return self.nothing_found(case, claim);
            }
            // What is right by itself is added, and told how it stands beside what is on file.
            let (judgement, right) = self.of_mail_alone(claim, read)?;
            if !right {
                let judgement = with_more_lines(judgement, read.unread.clone(), case, 0);
                return self.no_order(case, claim, judgement, notes, before.is_some());
            }
        }
        let mut judgement = worded::as_written(read.judgement.clone(), card, &read.unclear);
        self.tell_of_computers(claim, &mut judgement)?;
        self.tell_of_remarks(&mut judgement);
        judgement = with_more_lines(judgement, read.unread.clone(), case, read.moved);
        let held = case.request.unread_above() + self.idle_above(case, read);
        let mut notes = notes.to_vec();
        if judgement.ready && held > 0 {
            judgement.ready = false;
            notes.push(count!(
                held,
                "Nothing runs yet, for {held} line of your mail is not read, and may say that it \
                 shall not: mend it, or answer READY alone.",
                "Nothing runs yet, for {held} lines of your mail are not read, and may say that it \
                 shall not: mend them, or answer READY alone."
            ));
        }
        let notes = notes.as_slice();
        if matches!(mode, Mode::File | Mode::Add)
            && case.confirms.is_none()
            && self.is_doubtful(case, claim, read)?
        {
            return self.doubted(case, claim, (read, judgement), notes);
        }
        self.filed(case, claim, (read, judgement), notes)
    }

    /// The verdict of a card that is filed, appended, withdrawn or only checked, with its echo.
    fn filed(
        &self,
        case: &Case,
        claim: &Claim,
        (read, judgement): (&Read, Judgement),
        notes: &[String],
    ) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let (mode, card, turn) = (case.request.mode, &read.card, read.turn);
        let before = read.before.as_ref();
        let said = outcome(mode, case.stored.id);
        let gone = match (mode, before) {
            (Mode::File, Some(old)) if case.confirms.is_none() => {
                gone(&old.card, card, &|line| self.about.starts_order(line))
            }
            _ => String::new(),
        };
        let mut sentences = vec![said.text.clone(), replaces(case, &said, before)];
        let when = when_it_counts(case, claim, turn, &judgement);
        sentences.extend([gone, when, titled(case, claim, turn)]);
        sentences.retain(|sentence| !sentence.is_empty());
        let text = sentences.join(" ");
        let seals = match mode {
            Mode::Check => Vec::new(),
            _ => self.sealed(claim, turn, &judgement)?,
        };
        let digest = |s: &OpenedSeal| {
            say!("Seal {name}:\n  SHA-256 {digest}", name = s.key, digest = s.digest())
        };
        let digests: Vec<String> = seals.iter().map(digest).collect();
        // Not replies: the budgets of those who get them are not the sender's to use up.
        let (letters, kept) = match mode {
            Mode::File | Mode::Add => {
                Letters::new(self.tools).of_card(game, seat, &read.sent(), case.now)?
            }
            Mode::Check | Mode::Cancel => Default::default(),
        };
        let notes = &[notes, &kept].concat();
        let (fared, ready) = (fared(mode, &judgement), judgement.ready);
        let subject = match turn > game.turn {
            true => say!("{fared} for turn {turn}", turn = turn_to_come(game, turn)),
            false => fared,
        };
        let map = self.map(claim, card, turn - game.turn)?;
        let shown = Shown { judgement, map, moved: read.moved, ..Shown::default() };
        let body =
            self.answers().echo(case, claim, &text, &said.title, &shown, (&digests, notes))?;
        let mails = self.answers().mails_to_player(case, claim, &subject, body);
        let mut judged = case.judged(Verdict::Accepted, said.reason, &text);
        judged.seat = Some((game.code.clone(), seat.seat));
        judged.turn = Some(turn);
        if mode != Mode::Check {
            let seals =
                seals.into_iter().map(|s| (Seal { key: s.key, text: s.text }, s.nonce)).collect();
            judged.effects.push(Effect::Orders(NewOrders {
                game: game.code.clone(),
                seat: seat.seat,
                turn,
                card: card.clone(),
                mail: case.stored.id,
                received_at: case.stored.received_at,
                // A card in advance is asked anew when its step opens.
                done: ready,
                seals,
                had_seals: self.tools.store.mails().has_seals(&game.code, turn)?,
            }));
        }
        self.answers().reply(case, &mut judged, mails)?;
        judged.mails.extend(letters);
        Ok(judged)
    }

    /// Whether a mail that nothing proves has orders at all about which its seat's player
    /// could be asked: lines that can be carried out, and not fewer than sentences.
    ///
    /// # Errors
    /// [`crate::RobotError`]; the mail has its next attempt then.
    pub fn is_worth_asking(&self, case: &Case, claim: &Claim) -> Result<bool> {
        if case.request.mode == Mode::Cancel {
            return Ok(true);
        }
        if claim.game.status != Status::Running {
            return Ok(false);
        }
        let worth = self.read(case, claim)?.worth;
        Ok(worth.right > 0 && worth.right >= worth.sentences)
    }

    /// Tells who writes to computers that nobody will answer.
    fn tell_of_computers(&self, claim: &Claim, judgement: &mut Judgement) -> Result<()> {
        let mut seats = None;
        for line in judgement.lines.iter_mut().filter(|l| l.mark != Mark::Error) {
            let Some(press::Addressee::Seats(to)) = press::opens(&line.text).map(|o| o.to) else {
                continue;
            };
            let seats = match &seats {
                Some(seats) => seats,
                None => seats.insert(self.tools.store.games().seats(&claim.game.code)?),
            };
            let computer = |n: &u32| {
                seats.iter().any(|s| u32::from(s.seat.0) == *n && s.computer && !s.resigned)
            };
            let mut to: Vec<u32> = to.into_iter().filter(computer).collect();
            to.dedup();
            if !to.is_empty() {
                let listed: Vec<String> = to.iter().map(u32::to_string).collect();
                let says = count!(
                    n = to.len(),
                    "a computer plays seat {listed}, and answers no letters",
                    "computers play seats {listed}, and answer no letters",
                    listed = listed.join(", ")
                );
                let between = if line.note.is_empty() { "" } else { "; " };
                line.note += &format!("{between}{says}");
            }
        }
        Ok(())
    }

    /// Tells who hides an order behind the sign of a remark that it is not read.
    fn tell_of_remarks(&self, judgement: &mut Judgement) {
        for line in judgement.lines.iter_mut().filter(|l| l.mark != Mark::Remark) {
            let Some((order, remark)) = line.text.split_once(REMARKS) else { continue };
            let coded = remark.contains(|c: char| c.is_ascii_digit());
            if order.trim().is_empty() || !coded || !self.about.starts_as_written(remark.trim()) {
                continue;
            }
            let between = if line.note.is_empty() { "" } else { "; " };
            line.note += &format!(
                "{between}{}",
                say!("what stands behind ; or # is a remark of yours: write each order on a line")
            );
        }
    }

    /// Lines of a mail that were meant as orders and can't be carried out.
    ///
    /// # Errors
    /// [`crate::RobotError`]; the mail has its next attempt then.
    pub fn wrong_lines(&self, case: &Case, claim: &Claim) -> Result<usize> {
        let read = self.read(case, claim)?;
        Ok(read.worth.wrong + self.idle_above(case, read))
    }

    /// Lines of words that the game has left alone, above the last order or command: nobody has read
    /// them either.
    fn idle_above(&self, case: &Case, read: &Read) -> usize {
        let sent = read.sent();
        let (_, outside) = press::split(&sent);
        let outside: BTreeSet<u32> = outside.lines.iter().map(|l| l.0).collect();
        let own = || read.judgement.lines.iter().filter(|l| outside.contains(&l.line));
        let last = own().filter(|l| l.mark != Mark::Remark).map(|l| l.line).max();
        let last = last.unwrap_or(0).max(numbered_on(case.request.last_read(), read.moved));
        let idle = |l: &&JudgedLine| {
            l.mark == Mark::Remark
                && l.line < last
                && !self.about.starts_as_written(&l.text)
                && is_more_than_a_greeting(&l.text)
        };
        own().filter(idle).count()
    }

    /// How the lines of a mail come out, without what stands in letters: those of a judgement from
    /// a number on.
    fn worth(&self, judged: &Judgement, sent: &CardText, from: u32, sentences: usize) -> Worth {
        let (blocks, _) = press::split(sent);
        let letters: BTreeMap<u32, Option<u32>> = blocks.iter().map(|b| (b.line, b.end)).collect();
        let in_letter = |line: u32| {
            let opened = letters.range(..line).next_back();
            opened.is_some_and(|(_, end)| end.is_none_or(|end| line <= end))
        };
        let mut worth = Worth { wrong: 0, sentences, right: 0 };
        for line in judged.lines.iter().filter(|l| l.line >= from) {
            let begins = || self.about.starts_order(&line.text);
            match line.mark {
                _ if in_letter(line.line) => {}
                Mark::Ok | Mark::Warning if begins() => worth.right += 1,
                Mark::Error if begins() || !is_sentence(&line.text) => worth.wrong += 1,
                // Meant as an order in words, which is none as it stands; `@TU` is a section.
                Mark::Remark if begins() && !self.about.starts_as_written(&line.text) => {
                    worth.wrong += 1;
                }
                _ => {}
            }
        }
        worth
    }

    /// Whether the card of a mail has so little that is right that its player is asked first.
    fn is_doubtful(&self, case: &Case, claim: &Claim, read: &Read) -> Result<bool> {
        let Worth { right, wrong, sentences } = read.worth;
        if case.gives_back() || !case.request.leads && sentences > right + wrong {
            return Ok(true);
        }
        // A letter in which an order is named is no card, even if it has no more than a sentence.
        let old = match (case.request.mode, &read.before) {
            (Mode::File, Some(old))
                if right < wrong + sentences || !case.request.leads && sentences > 0 =>
            {
                &old.card
            }
            _ => return Ok(false),
        };
        // The same card is no worse, and is judged already.
        if old.lines == read.card.lines {
            return Ok(false);
        }
        Ok(right < self.right_lines(claim, old, read.turn - claim.game.turn)?)
    }

    /// Lines of a card that can be carried out.
    fn right_lines(&self, claim: &Claim, card: &CardText, ahead: Turn) -> Result<usize> {
        let judged = self.judge(claim, card, ahead)?;
        Ok(judged.count(Mark::Ok) + judged.count(Mark::Warning))
    }

    /// Asks about a card of which so little is right that it may be none.
    fn doubted(
        &self,
        case: &Case,
        claim: &Claim,
        (read, judgement): (&Read, Judgement),
        notes: &[String],
    ) -> Result<Judged> {
        let on_file = read.before.is_some();
        // A list of orders is one line.
        let lines = |error: bool| -> BTreeSet<u32> {
            let own = judgement.lines.iter().filter(|l| l.line >= read.from);
            let own = own.filter(|l| match l.mark {
                Mark::Remark => false,
                // Sentences are counted by themselves.
                Mark::Error => error && (self.about.starts_order(&l.text) || !is_sentence(&l.text)),
                Mark::Ok | Mark::Warning => !error,
            });
            own.map(|l| l.line).collect()
        };
        let wrong = lines(true);
        let right = lines(false).difference(&wrong).count();
        let wrong = wrong.len() + read.worth.sentences;
        let counted = match on_file {
            _ if case.gives_back() => say!(
                "Your mail reads like the report of a mail system that gives a mail back, so \
                 nothing was filed."
            ),
            true => say!(
                "Of the lines of your mail {right} can be carried out and {wrong} can't, so \
                 nothing was filed: your orders on file stay as they were."
            ),
            false => say!(
                "Of the lines of your mail {right} can be carried out and {wrong} can't, so \
                 nothing was filed."
            ),
        };
        let asked = say!(
            "If all the same this is a card of yours, answer this mail with the one word YES; \
             else send a better one."
        );
        let outcome = format!("{counted} {asked}");
        let title = say!("Your lines");
        let shown = self.beside_file(claim, judgement, on_file)?;
        let shown = Shown { moved: read.moved, ..shown };
        let body = self.answers().echo(case, claim, &outcome, &title, &shown, (&[], notes))?;
        Pending::new(self.tools).doubt(case, claim, &outcome, body.text)
    }

    /// Refuses a card that must not change what is on file: with it the orders would be too
    /// many, nothing of it can be read, or a newer one is there.
    fn refused_by_file(
        &self,
        case: &Case,
        claim: &Claim,
        read: &Read,
        notes: &[String],
    ) -> Result<Option<Judged>> {
        let Read { card, unread, before, .. } = read;
        let mode = case.request.mode;
        let most = self.tools.cx.limits.card_lines_max;
        let unreadable = card.lines.is_empty() && mode != Mode::Cancel && !unread.is_empty();
        let newer = before.as_ref().is_some_and(|b| b.received_at > case.stored.received_at);
        let (reason, subject, text) = match () {
            () if card.lines.len() > most => (
                Reason::TooManyLines,
                say!("nothing added"),
                say!(
                    "With these lines your orders on file would be {lines}; a card has at most \
                     {most}. Nothing was added.",
                    lines = card.lines.len()
                ),
            ),
            () if unreadable => {
                // A card of which nothing can be read replaces none.
                let line =
                    |l: &JudgedLine| say!("line {line}: {note}", line = l.line, note = l.note);
                let lines: Vec<String> = unread.iter().take(10).map(line).collect();
                let text = say!(
                    "None of your lines can be read, so nothing was changed: {lines}.",
                    lines = lines.join("; ")
                );
                (Reason::UnreadableCard, say!("nothing filed"), text)
            }
            // Delivery is not always in order; what was sent last counts.
            () if newer && mode != Mode::Check => (
                Reason::OlderCard,
                say!("not applied: a newer card is on file"),
                say!(
                    "A card of yours that was received later is on file already, so this older one \
                     changes nothing."
                ),
            ),
            () => return Ok(None),
        };
        let text = with_notes(text, notes);
        self.answers().tell(case, claim, Verdict::Rejected, reason, &subject, text).map(Some)
    }

    /// Whether a mail of which nothing can be carried out is a letter, and no card: none of its lines
    /// begins as an order does; or a sentence stands first, and more of its lines are sentences than
    /// begin as orders do.
    fn is_letter(&self, case: &Case, worth: Worth) -> bool {
        let lines = &case.request.card.lines;
        if case.request.mode_named || lines.is_empty() || !case.request.commands.is_empty() {
            return false;
        }
        let begin = lines.iter().filter(|l| self.about.starts_order(&l.1)).count();
        match begin {
            0 => worth.wrong == 0 || worth.sentences > 0,
            _ => !case.request.leads && worth.sentences > begin,
        }
    }

    /// The seals of a card. One that is on file for the step already, with the same text, keeps
    /// its nonce: what was committed to does not change by being sent again.
    fn sealed(&self, claim: &Claim, turn: Turn, judgement: &Judgement) -> Result<Vec<OpenedSeal>> {
        let (code, seat) = (&claim.game.code, claim.seat.seat);
        let seal = |seal: &Seal| {
            let filed = self.tools.store.journal().filed_seal(code, turn, seat, &seal.key)?;
            if let Some(filed) = filed.filter(|f| f.text == seal.text) {
                return Ok(filed);
            }
            let (key, text) = (seal.key.clone(), seal.text.clone());
            Ok(OpenedSeal { seat, key, nonce: self.tools.cx.nonce(), text })
        };
        judgement.seals.iter().map(seal).collect()
    }

    /// Answers a card line by line when no line is an order that can be carried out. What is
    /// on file stays.
    fn no_order(
        &self,
        case: &Case,
        claim: &Claim,
        judgement: Judgement,
        notes: &[String],
        on_file: bool,
    ) -> Result<Judged> {
        let outcome = match on_file {
            true => mark!(
                "None of your lines is an order that can be carried out, so your orders on file \
                 stay as they were."
            ),
            false => mark!(
                "None of your lines is an order that can be carried out, so nothing was filed."
            ),
        };
        let last = match Budget::new(self.tools).in_vain(case, Reason::UnreadableCard)? {
            Vain::Answered(last) => last,
            // What became of the commands beside them is told in any case.
            Vain::Enough if !notes.is_empty() => String::new(),
            Vain::Enough => {
                let why = "no line is an order; told so often enough";
                return Ok(case.judged(Verdict::Ignored, Reason::UnreadableCard, why));
            }
        };
        let (title, text) = (say!("Your lines"), format!("{}{last}", word(outcome)));
        let subject = fared(Mode::Check, &judgement);
        let shown = self.beside_file(claim, judgement, on_file)?;
        let body = self.answers().echo(case, claim, &text, &title, &shown, (&[], notes))?;
        let mails = self.answers().mails_to_player(case, claim, &subject, body);
        let mut judged = case.judged(Verdict::Rejected, Reason::UnreadableCard, outcome);
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        judged.turn = Some(claim.game.turn);
        self.answers().reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// What a mail makes of the orders on file: its card read and judged, once.
    fn read(&self, case: &Case, claim: &Claim) -> Result<&Read> {
        if let Some(read) = self.read.get() {
            return Ok(read);
        }
        let read = self.read_anew(case, claim)?;
        Ok(self.read.get_or_init(|| read))
    }

    fn read_anew(&self, case: &Case, claim: &Claim) -> Result<Read> {
        let game = &claim.game;
        let turn = self.step_of(claim)?.max(game.turn);
        let before = self.tools.store.mails().orders(&game.code, claim.seat.seat, turn)?;
        if let Some(basis) = case.basis.borrow_mut().as_mut() {
            basis.orders = Some((turn, Basis::name(before.as_ref())));
        }
        let mode = case.request.mode;
        let sentences = case.request.sentences;
        let mut read = Read { before, turn, ..Read::default() };
        let readable = self.readable_lines(claim, &case.request.card, &mut read.unread)?;
        read.card = match mode {
            Mode::Cancel => CardText::default(),
            Mode::File | Mode::Check => readable,
            // What nothing proves is looked at by itself.
            Mode::Add if claim.proof != Proof::Proven => readable,
            Mode::Add => {
                let old = read.before.as_ref().map(|b| b.card.clone()).unwrap_or_default();
                // What is not read of the mail has its number among them.
                let request = &case.request;
                let told = request.asides.iter().map(|a| a.line);
                let told = told.chain(request.misplaced.iter().map(|m| m.line));
                let told = told.chain(read.unread.iter().map(|l| l.line));
                let first = told.chain(readable.lines.first().map(|l| l.0)).min().unwrap_or(1);
                read.from = old.lines.last().map_or(0, |l| l.0) + 1;
                read.moved = i64::from(read.from) - i64::from(first);
                old.followed_from(&readable, first)
            }
        };
        if read.card.lines.len() > self.tools.cx.limits.card_lines_max {
            // It is refused for that.
            return Ok(read);
        }
        let ahead = turn - game.turn;
        let judged = self.judge(claim, &read.card, ahead)?;
        let marks = Marks::of(&judged);
        let torn = read.take_torn(&marks, &|line| self.about.starts_order(line));
        let makes = || self.about.reader();
        let words = Lexicon {
            may_be_words: &|line| self.about.may_be_words(line),
            starts_order: &|line| self.about.starts_as_written(line),
            knows: &|line| self.about.knows(line),
            reader: &makes,
        };
        let (card, unclear) = worded::read(read.card.clone(), &marks.right, read.from, &words);
        let changed = torn || card.lines != read.card.lines;
        (read.card, read.unclear) = (card, unclear);
        if read.card.lines.len() > self.tools.cx.limits.card_lines_max {
            return Ok(read);
        }
        read.judgement = if changed { self.judge(claim, &read.card, ahead)? } else { judged };
        read.worth = self.worth(&read.judgement, &read.sent(), read.from, sentences);
        read.worth.wrong += read.unread.len();
        Ok(read)
    }

    /// The lines of a card that can be read, and into `unread` those that can't, each with why:
    /// characters that got lost or look like others, messages in a game that has none.
    fn readable_lines(
        &self,
        claim: &Claim,
        card: &CardText,
        unread: &mut Vec<JudgedLine>,
    ) -> Result<CardText> {
        let (blocks, rest) = press::split(card);
        let outside: BTreeSet<u32> = rest.lines.iter().map(|l| l.0).collect();
        let openings: BTreeSet<u32> = blocks.iter().map(|b| b.line).collect();
        let letter = |line: u32| !outside.contains(&line) && !openings.contains(&line);
        let press = || Ok::<_, RobotError>(self.game(claim)?.press());
        let no_letters = !blocks.is_empty()
            && !self.tools.games().shielded(&claim.game.code, press).flatten()?;
        let most = self.tools.cx.limits.line_chars_max;
        let mut readable = CardText::default();
        for (line, text) in &card.lines {
            if no_letters && !outside.contains(line) {
                if openings.contains(line) {
                    let note = say!(
                        "this game takes no PRESS; send messages with an order of the game, or to \
                         the addresses in your printout"
                    );
                    unread.push(error(*line, "PRESS", note));
                } else if !text.trim().is_empty() {
                    unread.push(error(*line, text, say!("a line of a letter, which is not sent")));
                }
                continue;
            }
            match normal::doubt(text).filter(|_| !letter(*line)) {
                Some(doubt) => unread.push(error(*line, text, doubted(doubt))),
                None if text.chars().count() > most => {
                    let note = say!("this line has more than {most} characters");
                    unread.push(error(*line, text, note));
                }
                None => {
                    readable.lines.push((*line, normal::undirected(text)));
                    let origin = card.origins.get(line).cloned();
                    readable.origins.extend(origin.map(|origin| (*line, origin)));
                }
            }
        }
        Ok(readable)
    }

    /// The judgement of what a mail itself has, with its own numbers, where nothing of it is right
    /// beside what is on file; and whether some of it is right by itself.
    fn of_mail_alone(&self, claim: &Claim, read: &Read) -> Result<(Judgement, bool)> {
        if read.from == 0 {
            let judged = read.judgement.clone();
            return Ok((worded::as_written(judged, &read.card, &read.unclear), false));
        }
        let (sent, unclear) = read.alone();
        let judged = self.judge(claim, &sent, read.turn - claim.game.turn)?;
        let right = self.worth(&judged, &sent, 0, 0).right > 0;
        Ok((worded::as_written(judged, &sent, &unclear), right))
    }

    /// The game of the seat, loaded once.
    fn game(&self, claim: &Claim) -> Result<&Arc<dyn Match>> {
        if let Some(game) = self.game.get() {
            return Ok(game);
        }
        let game = self.tools.games().open(&claim.game)?;
        Ok(self.game.get_or_init(|| game))
    }

    /// What the engine says of the lines of a card.
    fn judge(&self, claim: &Claim, card: &CardText, ahead: Turn) -> Result<Judgement> {
        effort::count(card.lines.len());
        let open = self.game(claim)?;
        let judge = || open.judge(claim.seat.seat, card, ahead);
        self.tools.games().shielded(&claim.game.code, judge)
    }

    /// The small map of an echo that shows one.
    fn map(&self, claim: &Claim, card: &CardText, ahead: Turn) -> Result<Option<OrdersMap>> {
        if !claim.seat.format.html || claim.proof != Proof::Proven || ahead > 0 {
            return Ok(None);
        }
        let (code, turn) = (&claim.game.code, claim.game.turn);
        let hash =
            self.tools.store.journal().hash_of(code, turn.saturating_sub(1))?.unwrap_or_default();
        let (game, seat, card) = (code.clone(), claim.seat.seat, card.clone());
        Ok(Some(OrdersMap { game, turn, hash, seat, card }))
    }

    /// The judgement of what is on file now.
    ///
    /// # Errors
    /// [`crate::RobotError`]; the mail has its next attempt then.
    pub fn on_file(&self, claim: &Claim) -> Result<Shown> {
        let (game, seat) = (&claim.game, &claim.seat);
        let filed = self.tools.store.mails().orders(&game.code, seat.seat, game.turn)?;
        let card = filed.map(|f| f.card).unwrap_or_default();
        let judgement = worded::as_written(self.judge(claim, &card, 0)?, &card, &Unclear::new());
        Ok(Shown { judgement, map: self.map(claim, &card, 0)?, ..Shown::default() })
    }

    /// Answers a mail in which nothing is an order or a command; what is on file stands beside it.
    ///
    /// # Errors
    /// [`crate::RobotError`]; the mail has its next attempt then.
    pub fn nothing_found(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        let on_file = || {
            let runs = claim.game.status == Status::Running;
            if claim.proof != Proof::Proven || !runs {
                return Ok(None);
            }
            let judgement = self.on_file(claim)?.judgement;
            Ok((!judgement.lines.is_empty()).then_some(judgement))
        };
        self.answers().nothing_found(case, claim, &on_file)
    }

    /// What an echo shows of lines of which nothing was filed: beside them what stands on file now,
    /// and what will come of that.
    fn beside_file(&self, claim: &Claim, judgement: Judgement, any: bool) -> Result<Shown> {
        if !any {
            return Ok(judgement.into());
        }
        let Shown { judgement: on_file, map, .. } = self.on_file(claim)?;
        Ok(Shown { judgement, map, on_file: Some(on_file), ..Shown::default() })
    }
}

/// Steps in which each seat is awaited once: where the seats move in turn, as many as seats.
fn steps_a_round(game: &Game) -> Turn {
    match (game.step.awaited.len(), &game.step.until) {
        (0 | 1, Until::Clock { .. } | Until::Now) => Turn::from(game.setup.seats),
        _ => 1,
    }
}

/// Why a card is not for the open step, or came behind its deadline: the reason, the subject of
/// the answer and what it says; `None`: it is in time.
fn untimely(
    case: &Case,
    claim: &Claim,
    (turn, label): (Turn, &str),
    ahead_max: Turn,
) -> Option<(Reason, String, String)> {
    let game = &claim.game;
    let step = step_name(&game.step.label);
    let late = steps::ends(game).is_some_and(|end| case.stored.received_at > end);
    let refusal = match () {
        () if game.status == Status::Over => (
            Reason::GameOver,
            say!("the game is over"),
            say!("The game is over; orders have no effect."),
        ),
        () if turn < game.turn => (
            Reason::PassedTurn,
            say!("not applied: the turn has passed"),
            say!(
                "These orders are for {passed}, which has run. They were not applied. \
                 {step} is open; your orders on file for it are below. Send a new card in \
                 answer to this mail.",
                passed = match turn {
                    0 => say!("a turn before"),
                    _ => step_name(label),
                },
                step = capital(&step)
            ),
        ),
        () if turn > game.turn && ahead_max == 0 && !claim.named => (
            Reason::FutureTurn,
            say!("not applied: the printout was taken back"),
            say!(
                "These orders answer a printout that was taken back, so they were not applied. \
                 {step} is open again; your orders on file for it are below. Send a new card in \
                 answer to this mail.",
                step = capital(&step)
            ),
        ),
        () if turn > game.turn && ahead_max == 0 => (
            Reason::FutureTurn,
            say!("not applied: the turn is too far ahead"),
            say!(
                "These orders are for turn {turn}; {step} is open. In this game a turn to come \
                 takes no cards, for nobody knows yet when it will be yours. Send them when your \
                 orders are awaited.",
                turn = turn_to_come(game, turn)
            ),
        ),
        () if turn > game.turn + ahead_max => (
            Reason::FutureTurn,
            say!("not applied: the turn is too far ahead"),
            say!(
                "These orders are for turn {turn}; {step} is open, and cards are taken up to \
                 turn {last}.",
                turn = turn_to_come(game, turn),
                last = turn_to_come(game, game.turn + ahead_max)
            ),
        ),
        () if late && turn == game.turn => (
            Reason::Late,
            say!("not applied: too late"),
            say!(
                "These orders came {came}, after the deadline of {step}. They were not \
                 applied. {next}",
                came = schedule::local(case.stored.received_at, &claim.seat.zone),
                next = match ahead_max {
                    0 => say!("Answer the printout that follows."),
                    _ => say!(
                        "The printout that follows opens turn {turn}; answer it.",
                        turn = turn_to_come(game, game.turn + 1)
                    ),
                }
            ),
        ),
        () => return None,
    };
    Some(refusal)
}

/// A judgement with the lines that are no part of a card: what could not be read, and
/// commands where none is carried out. They are numbered so much higher than in their mail.
fn with_more_lines(
    mut judgement: Judgement,
    unread: Vec<JudgedLine>,
    case: &Case,
    moved: i64,
) -> Judgement {
    let misplaced = case.request.misplaced.iter().map(|m| JudgedLine {
        line: m.line,
        text: m.text.clone(),
        mark: Mark::Error,
        note: m.note.to_string(),
    });
    let more = unread.into_iter().chain(misplaced);
    judgement.lines.extend(more.map(|l| JudgedLine { line: numbered_on(l.line, moved), ..l }));
    judgement.lines.sort_by_key(|l| l.line);
    judgement
}
