//! Filing of cards: checks time and limits, judges and files.

use std::collections::BTreeSet;

use jiff::SignedDuration;

use engine::{CardText, JudgedLine, Judgement, Mark, Seal, Turn};
use render::text::para;
use store::{Effect, Judged, NewOrders, OpenedSeal, Reason, Status, Verdict};
use tongue::{count, mark, say, word};

use super::answers::{Answers, Shown, left_out};
use super::budget::{Budget, Vain};
use super::case::{Case, Claim, Proof, Tools};
use super::choices;
use super::filed::{
    as_remark, changed, fared, gone, left_behind, nothing_changed, outcome, replaces,
    tell_of_computers, tell_of_remarks, tell_of_sentences, titled, turn_to_come, when_it_counts,
    with_more_lines, with_notes,
};
use super::letters::Letters;
use super::pending::Pending;
use super::read::{Read, Reading};
use super::untimely::{steps_a_round, untimely};
use super::worded::{self, Unclear};
use crate::card::Mode;
use crate::card::prose::is_sentence;
use crate::context::Result;
use crate::drawing::OrdersMap;
use crate::languages::marker;

/// Turns ahead for which a card may be sent, at most.
const ADVANCE_MAX: Turn = 3;

/// Files the card of one mail.
pub struct Filing<'a> {
    tools: Tools<'a>,
    /// The card as it is read.
    pub reading: Reading<'a>,
}

impl<'a> Filing<'a> {
    /// The filing of a card of a seat.
    pub fn new(tools: Tools<'a>, claim: &Claim) -> Self {
        Self { tools, reading: Reading::new(tools, claim) }
    }

    fn answers(&self) -> Answers<'a> {
        Answers::new(self.tools)
    }

    /// Takes the card of a mail: checks its time and the limits, and files it.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
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
        let mut judged = self.file(case, claim, notes)?;
        let read = self.reading.read(case, claim)?;
        let asks = !read.choices.is_empty() || read.asked_before;
        if asks && claim.proof == Proof::Proven && case.request.mode != Mode::Check {
            let (game, seat) = (&claim.game.code, claim.seat.seat);
            judged.effects.push(choices::noted(game, seat, claim.game.turn, &read.choices));
        }
        Ok(judged)
    }

    /// Whether a card is for a step that has run.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn is_passed(&self, claim: &Claim) -> Result<bool> {
        Ok(claim.game.status == Status::Running && self.reading.step_of(claim)? < claim.game.turn)
    }

    /// Refuses a card for another step than the open one, or after the deadline.
    fn refused_by_time(
        &self,
        case: &Case,
        claim: &Claim,
        notes: &[String],
    ) -> Result<Option<Judged>> {
        let game = &claim.game;
        let turn = self.reading.step_of(claim)?;
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
        // If some lines were not read, all lines count, even remarks: the unread ones may be
        // anything.
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
        self.answers()
            .short_answer(case, claim, Verdict::Rejected, reason, &subject, text)
            .map(Some)
    }

    /// Refuses a card over the hourly limit.
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
        self.answers()
            .short_answer(case, claim, Verdict::Rejected, reason, &subject, text)
            .map(Some)
    }

    /// Files, appends, withdraws or only checks a card, and echoes it.
    fn file(&self, case: &Case, claim: &Claim, notes: &[String]) -> Result<Judged> {
        let mode = case.request.mode;
        let read = self.reading.read(case, claim)?;
        let Read { before, worth, card, .. } = read;
        let worth = *worth;
        if let Some(refusal) = self.refused_by_file(case, claim, read, notes)? {
            return Ok(refusal);
        }
        if mode != Mode::Cancel && worth.right == 0 && case.request.changes.is_empty() {
            if self.reading.is_letter(case, worth) {
                // A letter does not replace a card.
                return self.nothing_found(case, claim);
            }
            // Lines that are right by themselves are filed; the echo judges them together with
            // those on file.
            let (judgement, right) = self.reading.of_mail_alone(claim, read)?;
            if !right {
                let judgement = with_more_lines(judgement, read.unread.clone(), case, 0);
                return self.no_order(case, claim, judgement, notes, before.is_some());
            }
        }
        let mut judgement = read.judgement.clone();
        tell_of_sentences(&self.reading.about, &mut judgement);
        let mut judgement = worded::as_written(judgement, card, &read.unclear);
        tell_of_computers(self.tools.store, &claim.game, &mut judgement)?;
        tell_of_remarks(&self.reading.about, &mut judgement);
        let taken_back = case.request.changes.iter().filter(|change| change.by.is_empty());
        let more = read.unread.iter().cloned().chain(taken_back.map(as_remark)).collect();
        judgement = with_more_lines(judgement, more, case, read.moved);
        let held = case.request.unread_above()
            + self.reading.idle_above(case, read)
            + self.reading.sentences_left(read);
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
            && self.reading.is_doubtful(case, claim, read)?
        {
            return self.doubted(case, claim, (read, judgement), notes);
        }
        self.filed(case, claim, (read, judgement), notes)
    }

    /// The verdict on a card that is filed, appended, withdrawn or only checked, with its echo.
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
        let said = outcome(mode, case);
        let gone = match (mode, before) {
            (Mode::File, Some(old)) if case.confirms.is_none() => {
                gone(&old.card, card, &|line| self.reading.about.starts_order(line))
            }
            (Mode::Add, Some(old)) => left_behind(&old.card, card, case),
            _ => String::new(),
        };
        let mut sentences = vec![said.text.clone(), replaces(case, &said, before)];
        let when = when_it_counts(case, claim, turn, &judgement);
        sentences.extend(case.request.changes.iter().map(changed));
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
        // Letters are not replies: the sender must not use up the budgets of those who get them.
        let (letters, kept) = match mode {
            Mode::File | Mode::Add => {
                Letters::new(self.tools).of_card(game, seat, &read.sent(), case.now)?
            }
            Mode::Check | Mode::Cancel => Default::default(),
        };
        let open = match mode {
            Mode::Add => choices::still_open(&read.choices, card),
            _ => String::new(),
        };
        let open: Vec<String> = Some(open).into_iter().filter(|open| !open.is_empty()).collect();
        let notes = &[notes, &kept, &open].concat();
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
                // A card sent in advance is asked again when its step opens.
                done: ready,
                seals,
                had_seals: self.tools.store.mails().has_seals(&game.code, turn)?,
            }));
        }
        self.answers().reply(case, &mut judged, mails)?;
        judged.mails.extend(letters);
        Ok(judged)
    }

    /// Asks about a mail with so few right lines that it may not be a card.
    fn doubted(
        &self,
        case: &Case,
        claim: &Claim,
        (read, judgement): (&Read, Judgement),
        notes: &[String],
    ) -> Result<Judged> {
        let on_file = read.before.is_some();
        // A line with several orders counts once.
        let lines = |error: bool| -> BTreeSet<u32> {
            let own = judgement.lines.iter().filter(|l| l.line >= read.from);
            let own = own.filter(|l| match l.mark {
                Mark::Remark => false,
                // Sentences are counted separately.
                Mark::Error => {
                    error && (self.reading.about.starts_order(&l.text) || !is_sentence(&l.text))
                }
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

    /// Refuses a card that must not change the orders on file: they would be too many, none of its
    /// lines can be read, or a newer card is on file.
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
                // A card without any readable line replaces nothing.
                let line =
                    |l: &JudgedLine| say!("line {line}: {note}", line = l.line, note = l.note);
                let lines: Vec<String> = unread.iter().take(10).map(line).collect();
                let text = say!(
                    "None of your lines can be read, so nothing was changed: {lines}.",
                    lines = lines.join("; ")
                );
                (Reason::UnreadableCard, say!("nothing filed"), text)
            }
            // Mails may be judged out of order; the one received last counts.
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
        self.answers()
            .short_answer(case, claim, Verdict::Rejected, reason, &subject, text)
            .map(Some)
    }

    /// The seals of a card. A seal that is already on file for the step with the same text keeps
    /// its nonce, so sending it again does not change the commitment.
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

    /// Answers a card line by line if no line is an order that can be carried out. Orders on file
    /// stay.
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
            // The result of commands in the mail is reported in any case.
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

    /// The small map of an echo. `None`: it does not show one.
    fn map(&self, claim: &Claim, card: &CardText, ahead: Turn) -> Result<Option<OrdersMap>> {
        if !claim.seat.choices.format.html || claim.proof != Proof::Proven || ahead > 0 {
            return Ok(None);
        }
        let (code, turn) = (&claim.game.code, claim.game.turn);
        let hash =
            self.tools.store.journal().hash_of(code, turn.saturating_sub(1))?.unwrap_or_default();
        let (game, seat, card) = (code.clone(), claim.seat.seat, card.clone());
        Ok(Some(OrdersMap { game, turn, hash, seat, card }))
    }

    /// The judgement of the orders on file now.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn on_file(&self, claim: &Claim) -> Result<Shown> {
        let (game, seat) = (&claim.game, &claim.seat);
        let filed = self.tools.store.mails().orders(&game.code, seat.seat, game.turn)?;
        let card = filed.map(|f| f.card).unwrap_or_default();
        let mut judgement = self.reading.judge(claim, &card, 0)?;
        tell_of_sentences(&self.reading.about, &mut judgement);
        let judgement = worded::as_written(judgement, &card, &Unclear::new());
        Ok(Shown { judgement, map: self.map(claim, &card, 0)?, ..Shown::default() })
    }

    /// Answers a mail without any order or command, and shows the orders on file.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
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

    /// The content of an echo of lines that were not filed, with the orders on file and their
    /// forecast.
    fn beside_file(&self, claim: &Claim, judgement: Judgement, any: bool) -> Result<Shown> {
        if !any {
            return Ok(judgement.into());
        }
        let Shown { judgement: on_file, map, .. } = self.on_file(claim)?;
        Ok(Shown { judgement, map, on_file: Some(on_file), ..Shown::default() })
    }
}
