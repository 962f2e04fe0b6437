//! The effect of a mail on the orders on file: the card that results, which of its lines are the
//! mail's, and how these are judged.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use engine::{
    CardText, JudgedLine, Judgement, Mark, Match, OnFile, Origin, Replaced, Turn, effort, press,
};
use mail::normal;
use store::{FiledOrders, Status};
use tongue::say;

use super::about::About;
use super::case::{Basis, Case, Claim, Proof, Request, Tools, numbered_on};
use super::choices::{self, Choice, Choices};
use super::filed::doubted;
use super::letter_words;
use super::worded::{self, Doubt, Lexicon, Marks, Unclear};
use crate::card::Mode;
use crate::card::aside::{Aside, Why};
use crate::card::prose::{is_more_than_a_greeting, is_sentence};
use crate::context::{Result, RobotError};

/// The effect of a mail on the orders on file.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// The orders on file.
    pub before: Option<FiledOrders>,
    /// The step that the card is for.
    pub turn: Turn,
    /// The card that would be on file with the mail.
    pub card: CardText,
    /// The number of the mail's first line in that card; lines before it are on file already. 0:
    /// all lines are the mail's.
    pub from: u32,
    /// The number that is added to line numbers of the mail in that card.
    pub moved: i64,
    /// Lines of the mail that can't be read, each with the reason, numbered as in the mail.
    pub unread: Vec<JudgedLine>,
    /// Notes on lines of the card that are not read.
    pub unclear: Unclear,
    /// What its unclear lines may mean.
    pub choices: Choices,
    /// Whether lines of an earlier mail could be chosen for.
    pub asked_before: bool,
    /// The judgement of the card.
    pub judgement: Judgement,
    /// How the mail's own lines are judged.
    pub worth: Worth,
}

impl Read {
    /// The mail's own lines, numbered as in the card.
    pub fn sent(&self) -> CardText {
        let own = self.card.lines.iter().filter(|l| l.0 >= self.from);
        let mut sent: CardText = own.cloned().collect();
        sent.origins = self.card.origins.range(self.from..).map(|(n, o)| (*n, o.clone())).collect();
        sent
    }

    /// The mail's own lines and the unclear ones among them, numbered as in the mail.
    pub fn alone(&self) -> (CardText, Unclear) {
        let back = |n: u32| numbered_on(n, -self.moved);
        let sent = self.sent();
        let mut alone: CardText = sent.lines.into_iter().map(|(n, l)| (back(n), l)).collect();
        let origin = |o: Origin| Origin { line: back(o.line), ..o };
        alone.origins = sent.origins.into_iter().map(|(n, o)| (back(n), origin(o))).collect();
        let unclear = self.unclear.range(self.from..).map(|(n, doubt)| (back(*n), doubt.clone()));
        (alone, unclear.collect())
    }

    /// Takes out orders that a mail program seems to have broken into two lines: the first begins
    /// as an order, the second does not and is wrong by itself. Returns whether there were any.
    pub fn take_torn(&mut self, marks: &Marks, starts_order: &dyn Fn(&str) -> bool) -> bool {
        let torn = broken(&self.card, starts_order).into_iter();
        let torn = torn.filter(|(first, _)| *first >= self.from);
        let torn: Vec<(u32, u32)> = torn.filter(|(_, next)| marks.wrong.contains(next)).collect();
        if torn.is_empty() {
            return false;
        }
        let mut notes: BTreeMap<u32, String> = BTreeMap::new();
        for (first, second) in torn {
            notes.entry(first).or_insert_with(|| {
                say!(
                    "your mail program seems to have broken one line into this one and the next; \
                     write it as two orders, or let the program send format=flowed"
                )
            });
            notes.entry(second).or_insert_with(|| {
                say!("the rest of the line above, as your mail program seems to have broken it")
            });
        }
        let (torn, kept): (Vec<_>, Vec<_>) = std::mem::take(&mut self.card.lines)
            .into_iter()
            .partition(|l| notes.contains_key(&l.0));
        let told =
            |(n, text): (u32, String)| error(numbered_on(n, -self.moved), &text, notes[&n].clone());
        self.unread.extend(torn.into_iter().map(told));
        self.card.lines = kept;
        true
    }
}

/// Reads and judges the card of one mail. Its lines are judged once, and a second time only if some
/// of them were words or broken: then the lines have changed.
pub struct Reading<'a> {
    tools: Tools<'a>,
    /// The words of the seat's game.
    pub about: About<'a>,
    game: OnceCell<Arc<dyn Match>>,
    read: OnceCell<Read>,
}

impl<'a> Reading<'a> {
    /// The reading of a mail of a seat.
    pub(crate) fn new(tools: Tools<'a>, claim: &Claim) -> Self {
        let about = About::seat(tools, &claim.game, claim.seat.seat);
        Self { tools, about, game: OnceCell::new(), read: OnceCell::new() }
    }

    /// The step that a card is for: the one that it names, or the one that it answers, if its seat
    /// was awaited then, or else the open one. So steps of other players do not make a card too
    /// old.
    pub(super) fn step_of(&self, claim: &Claim) -> Result<Turn> {
        let (game, seat) = (&claim.game, claim.seat.seat);
        let Some(turn) = claim.turn else { return Ok(game.turn) };
        if claim.named || turn >= game.turn {
            return Ok(turn);
        }
        let step = self.tools.store.steps().step(&game.code, turn)?;
        Ok(if step.is_none_or(|s| s.awaits(seat)) { turn } else { game.turn })
    }

    /// Whether a mail without proof has orders that its seat's player should be asked about: lines
    /// that can be carried out, and at least as many as sentences.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn is_worth_asking(&self, case: &Case, claim: &Claim) -> Result<bool> {
        if case.request.mode == Mode::Cancel || !case.request.changes.is_empty() {
            return Ok(true);
        }
        if claim.game.status != Status::Running {
            return Ok(false);
        }
        let worth = self.read(case, claim)?.worth;
        Ok(worth.right > 0 && worth.right >= worth.sentences)
    }

    /// The number of lines of a mail that were meant as orders and can't be carried out, and of
    /// idle lines above them.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn wrong_lines(&self, case: &Case, claim: &Claim) -> Result<usize> {
        let read = self.read(case, claim)?;
        Ok(read.worth.wrong + self.idle_above(case, read) + self.sentences_left(read))
    }

    /// The number of sentences of a mail that speak of the game and are not read: each may say that
    /// the orders are not meant.
    pub(super) fn sentences_left(&self, read: &Read) -> usize {
        let left = |n: u32| matches!(read.unclear.get(&n), Some(Doubt::Words(_)));
        let own = read.card.lines.iter().filter(|(n, _)| *n >= read.from && left(*n));
        own.filter(|(_, text)| is_sentence(text) && !self.about.starts_order(text)).count()
    }

    /// The number of lines of words that the game took as remarks, above the last order or command.
    /// Nobody has read these either.
    pub(super) fn idle_above(&self, case: &Case, read: &Read) -> usize {
        let sent = read.sent();
        let (_, outside) = press::split(&sent);
        let outside: BTreeSet<u32> = outside.lines.iter().map(|l| l.0).collect();
        let own = || read.judgement.lines.iter().filter(|l| outside.contains(&l.line));
        let last = own().filter(|l| l.mark != Mark::Remark).map(|l| l.line).max();
        let last = last.unwrap_or(0).max(numbered_on(case.request.last_read(), read.moved));
        let idle = |l: &&JudgedLine| {
            l.mark == Mark::Remark
                && l.line < last
                && read.unclear.get(&l.line) != Some(&Doubt::Idle)
                && !self.about.starts_as_written(&l.text)
                && is_more_than_a_greeting(&l.text)
        };
        own().filter(idle).count()
    }

    /// Whether so little of a card is right that its player is asked first.
    pub(super) fn is_doubtful(&self, case: &Case, claim: &Claim, read: &Read) -> Result<bool> {
        let Worth { right, wrong, sentences } = read.worth;
        if case.gives_back() || !case.request.leads && sentences > right + wrong {
            return Ok(true);
        }
        // A letter that mentions an order is not a card, even with one sentence only.
        let old = match (case.request.mode, &read.before) {
            (Mode::File, Some(old))
                if right < wrong + sentences || !case.request.leads && sentences > 0 =>
            {
                &old.card
            }
            _ => return Ok(false),
        };
        // The same card is not worse than the one on file.
        if old.lines == read.card.lines {
            return Ok(false);
        }
        Ok(right < self.right_lines(claim, old, read.turn - claim.game.turn)?)
    }

    /// Whether a mail without any order that can be carried out is a letter, not a card: none of
    /// its lines begins as an order does, or it begins with a sentence and has more sentences than
    /// lines that begin as orders do.
    pub(super) fn is_letter(&self, case: &Case, worth: Worth) -> bool {
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

    /// The orders on file for the step that a mail is for.
    pub(super) fn on_file(&self, claim: &Claim) -> Result<Option<FiledOrders>> {
        let turn = self.step_of(claim)?.max(claim.game.turn);
        Ok(self.tools.store.mails().orders(&claim.game.code, claim.seat.seat, turn)?)
    }

    /// The orders on file, each by its place among them, whose place new ones take: those of the same
    /// kind about the same thing, or others of it without which more of the new ones can be carried
    /// out. Where it is said in `plain` words, the only other one of it too.
    pub(super) fn replaced(
        &self,
        claim: &Claim,
        (card, on_file): (&CardText, &OnFile),
        (new, plain): (&[String], bool),
    ) -> Result<Vec<usize>> {
        let Replaced { alike, others } = on_file.replaced(new);
        if !alike.is_empty() || others.is_empty() {
            return Ok(alike);
        }
        let (_, outside) = press::split(card);
        let ahead = self.step_of(claim)?.max(claim.game.turn) - claim.game.turn;
        let errors = |left: Option<usize>| -> Result<usize> {
            let kept = outside.lines.iter().enumerate().filter(|(n, _)| Some(*n) != left);
            let kept = kept.map(|(_, (_, line))| line.clone());
            let all: CardText = (1..).zip(kept.chain(new.iter().cloned())).collect();
            Ok(self.judge(claim, &all, ahead)?.count(Mark::Error))
        };
        let with_all = errors(None)?;
        let mut taken = Vec::new();
        for at in others.iter().copied().take(OTHERS_MAX) {
            if errors(Some(at))? < with_all {
                taken.push(at);
            }
        }
        Ok(if taken.is_empty() && plain && others.len() == 1 { others } else { taken })
    }

    /// The effect of a mail on the orders on file: its card, read and judged once.
    pub(super) fn read(&self, case: &Case, claim: &Claim) -> Result<&Read> {
        if let Some(read) = self.read.get() {
            return Ok(read);
        }
        let read = self.read_anew(case, claim)?;
        Ok(self.read.get_or_init(|| read))
    }

    fn read_anew(&self, case: &Case, claim: &Claim) -> Result<Read> {
        let game = &claim.game;
        let turn = self.step_of(claim)?.max(game.turn);
        let before = self.on_file(claim)?;
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
            // A mail without proof is judged by itself.
            Mode::Add if claim.proof != Proof::Proven => readable,
            Mode::Add => {
                let mut old = read.before.as_ref().map(|b| b.card.clone()).unwrap_or_default();
                // The orders take the place of the line that they were chosen for.
                old.lines.retain(|(_, line)| !case.request.chosen.contains(line));
                // One of several orders that are written alike.
                for order in case.request.changes.iter().flat_map(|change| &change.orders) {
                    let at = old.lines.iter().position(|(_, line)| line == order);
                    drop(at.map(|at| old.lines.remove(at)));
                }
                // Unread lines of the mail are numbered with the others.
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
            // It is refused because it is too long.
            return Ok(read);
        }
        let ahead = turn - game.turn;
        let judged = self.judge(claim, &read.card, ahead)?;
        let marks = Marks::of(&judged);
        let torn = read.take_torn(&marks, &|line| self.about.starts_order(line));
        let makes = || self.about.reader();
        let request = &case.request;
        let goes_on = |text: &str| goes_on(request, text);
        let words = Lexicon {
            goes_on: &goes_on,
            may_be_words: &|line| self.about.may_be_words(line),
            starts_order: &|line| self.about.starts_as_written(line),
            knows: &|line| self.about.knows(line),
            reader: &makes,
            fits: &|orders| self.fits(claim, orders, ahead),
        };
        let mut open = match read.from {
            0 => Choices::new(),
            _ => choices::open(self.tools.store, (&game.code, claim.seat.seat), game.turn)?,
        };
        read.asked_before = !open.is_empty();
        let taken: BTreeSet<&String> = request
            .changes
            .iter()
            .flat_map(|change| &change.orders)
            .chain(&request.chosen)
            .collect();
        open.iter_mut().filter(|choice| taken.contains(&choice.line)).for_each(Choice::settle);
        let (card, unclear, choices) =
            worded::read(read.card.clone(), &marks.right, (read.from, open), &words);
        let changed = torn || card.lines != read.card.lines;
        (read.card, read.unclear, read.choices) = (card, unclear, choices);
        if read.card.lines.len() > self.tools.cx.limits.card_lines_max {
            return Ok(read);
        }
        read.judgement = if changed { self.judge(claim, &read.card, ahead)? } else { judged };
        read.worth = self.worth(&read.judgement, &read.sent(), read.from, sentences);
        read.worth.wrong += read.unread.len();
        Ok(read)
    }

    /// The lines of a card that can be read. Those that can't go into `unread`, each with the
    /// reason: characters that got lost or look like others, long lines, messages in a game that
    /// has none.
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
                    unread.push(error(*line, "PRESS", letter_words::no_press()));
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

    /// The judgement of a mail's own lines, numbered as in the mail, if none of them is right
    /// together with the orders on file. Also returns whether some of them are right by themselves.
    pub(super) fn of_mail_alone(&self, claim: &Claim, read: &Read) -> Result<(Judgement, bool)> {
        if read.from == 0 {
            let judged = read.judgement.clone();
            return Ok((worded::as_written(judged, &read.card, &read.unclear), false));
        }
        let (sent, unclear) = read.alone();
        let judged = self.judge(claim, &sent, read.turn - claim.game.turn)?;
        let right = self.worth(&judged, &sent, 0, 0).right > 0;
        Ok((worded::as_written(judged, &sent, &unclear), right))
    }

    /// How the lines of a judgement from number `from` on are judged, without those in letters.
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
                // A remark meant as an order in words that is not one as written; `@TU` is a
                // section.
                Mark::Remark if begins() && !self.about.starts_as_written(&line.text) => {
                    worth.wrong += 1;
                }
                _ => {}
            }
        }
        worth
    }

    /// Whether orders can be carried out if they are all that is sent.
    fn fits(&self, claim: &Claim, orders: &[String], ahead: Turn) -> bool {
        let card: CardText = (1..).zip(orders.iter().cloned()).collect();
        let judged = self.judge(claim, &card, ahead);
        judged.is_ok_and(|j| {
            j.count(Mark::Error) == 0 && j.count(Mark::Ok) + j.count(Mark::Warning) > 0
        })
    }

    /// The number of lines of a card that can be carried out.
    fn right_lines(&self, claim: &Claim, card: &CardText, ahead: Turn) -> Result<usize> {
        let judged = self.judge(claim, card, ahead)?;
        Ok(judged.count(Mark::Ok) + judged.count(Mark::Warning))
    }

    /// The engine's judgement of a card.
    pub(super) fn judge(&self, claim: &Claim, card: &CardText, ahead: Turn) -> Result<Judgement> {
        effort::count(card.lines.len());
        let open = self.game(claim)?;
        let judge = || open.judge(claim.seat.seat, card, ahead);
        self.tools.games().shielded(&claim.game.code, judge)
    }

    /// The game of the seat, loaded once.
    fn game(&self, claim: &Claim) -> Result<&Arc<dyn Match>> {
        if let Some(game) = self.game.get() {
            return Ok(game);
        }
        let game = self.tools.games().open(&claim.game)?;
        Ok(self.game.get_or_init(|| game))
    }
}

/// How the lines of a mail are judged.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Worth {
    /// Orders that can be carried out.
    pub right: usize,
    /// Lines that were meant as orders and can't be.
    pub wrong: usize,
    /// Sentences, which are not orders at all.
    pub sentences: usize,
}

/// A line that is not read, with the reason.
pub(super) fn error(line: u32, text: &str, note: String) -> JudgedLine {
    JudgedLine { line, text: text.to_owned(), mark: Mark::Error, note }
}

/// Other orders about a thing that are tried, at most.
const OTHERS_MAX: usize = 4;

/// Columns at which mail programs break lines.
const BROKEN_AT: std::ops::RangeInclusive<usize> = 66..=80;

/// Pairs of lines that may have been one: the first is as long as a program allows,
/// and the second's first word would not have fitted.
fn broken(card: &CardText, starts_order: &dyn Fn(&str) -> bool) -> Vec<(u32, u32)> {
    let pairs = card.lines.windows(2).filter_map(|w| {
        let ((first, long), (second, next)) = (&w[0], &w[1]);
        let word = next.split_whitespace().next().map_or(0, |w| w.chars().count());
        let length = long.chars().count();
        let full = BROKEN_AT.contains(&length) && length + 1 + word > *BROKEN_AT.start() + 6;
        // A line that ends as a sentence does is whole.
        let open = !long.trim_end().ends_with(['.', '!', '?', ':']);
        let one = || starts_order(long) && !starts_order(next);
        (full && open && *second == first + 1 && one()).then_some((*first, *second))
    });
    pairs.collect()
}

/// Whether words that are no order stand right below a line of a mail.
fn goes_on(request: &Request, text: &str) -> bool {
    let line = request.card.lines.iter().find(|(_, line)| line == text);
    let words = |a: &Aside| matches!(a.why, Why::Words | Why::Question | Why::Tried);
    line.is_some_and(|(n, _)| request.asides.iter().any(|a| a.line == n + 1 && words(a)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lines_were_one_when_the_second_begins_with_a_word_that_did_not_fit() {
        let card = |first: usize, word: usize, number: u32| -> CardText {
            [(1, "x".repeat(first)), (number, format!("{} y", "z".repeat(word)))]
                .into_iter()
                .collect()
        };
        for (first, word, expected) in [
            (66, 6, true),
            (66, 5, false),
            (65, 20, false),
            (72, 1, true),
            (80, 1, true),
            (81, 1, false),
        ] {
            let found = broken(&card(first, word, 2), &|line| line.starts_with('x'));
            assert_eq!(found.len() == 1, expected, "{first} {word}");
        }
        let orders = |line: &str| line.starts_with('x');
        assert!(broken(&card(66, 6, 3), &orders).is_empty(), "a blank line between");
        assert!(broken(&card(66, 6, 2), &|_| true).is_empty(), "two orders");
        assert!(broken(&card(66, 6, 2), &|_| false).is_empty(), "two lines of prose");
    }
}
