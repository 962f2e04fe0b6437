//! The sentences about a card in its answer: what was done with it, how it fared, what it replaces.

use std::collections::BTreeSet;

use engine::{CardText, JudgedLine, Judgement, Mark, Turn, press};
use mail::normal::Doubt;
use store::{FiledOrders, Game, Reader, Reason};
use tongue::{count, say};

use super::about::About;
use super::case::{Case, Claim, numbered_on};
use super::choices::shown;
use crate::card::aside::Why;
use crate::card::prose::is_sentence;
use crate::card::{Change, Mode, REMARKS};
use crate::context::Result;
use crate::mailer::step_name;
use crate::text::printed;

/// A text followed by notes.
pub(super) fn with_notes(text: String, notes: &[String]) -> String {
    notes.iter().fold(text, |text, note| format!("{text}\n\n{note}"))
}

/// A note on commands in a mail whose orders were refused.
pub fn nothing_changed() -> String {
    say!(
        "Nothing was changed: a mail whose orders are refused changes no setting. Send the other \
         commands alone."
    )
}

/// How a card fared, for the subject of its echo: first the orders that failed, then those on file.
pub(super) fn fared(mode: Mode, judgement: &Judgement) -> String {
    let wrong = judgement.count(Mark::Error);
    let right = judgement.count(Mark::Ok) + judgement.count(Mark::Warning);
    let stands = match mode {
        Mode::Cancel => return say!("orders withdrawn"),
        Mode::Check if right == 0 => say!("nothing was filed"),
        Mode::Check => {
            count!(right, both: "{right} right, nothing was filed")
        }
        Mode::File | Mode::Add if right == 0 => say!("no orders on file"),
        Mode::File | Mode::Add => count!(right, "{right} order on file", "{right} orders on file"),
    };
    if wrong == 0 {
        return stands;
    }
    let failed = count!(
        all = wrong + right,
        "{wrong} of {all} order not carried out",
        "{wrong} of {all} orders not carried out"
    );
    format!("{failed}, {stands}")
}

/// A note on why the characters of a line are in doubt.
pub(super) fn doubted(doubt: Doubt) -> String {
    match doubt {
        Doubt::Lost => say!(
            "a character of this line got lost on its way, so it is not read; write it again, with \
             plain letters and digits"
        ),
        Doubt::Direction => say!(
            "this line holds an invisible sign that turns the direction of writing; type it anew"
        ),
        Doubt::Struck => say!(
            "a part of this line is crossed out, so it is not read; write anew what is left of it"
        ),
        Doubt::LooksLike(letter, plain) => say!(
            "{letter} is the letter U+{code:04X} of another alphabet and only looks like {plain}; \
             type it with a Latin keyboard",
            code = letter as u32
        ),
    }
}

/// What was done with a card.
pub(super) struct Outcome {
    pub reason: Reason,
    pub text: String,
    /// Title of the echo's lines.
    pub title: String,
}

pub(super) fn outcome(mode: Mode, case: &Case) -> Outcome {
    let receipt = case.stored.id;
    match mode {
        Mode::Check => Outcome {
            reason: Reason::Checked,
            text: say!("This card was checked and not filed. Your orders on file are as before."),
            title: say!("The card as it would stand"),
        },
        Mode::Add if !case.request.changes.is_empty() => Outcome {
            reason: Reason::Added,
            text: say!(
                "Your orders on file are changed; those that your mail does not speak of stay. \
                 Receipt {receipt}."
            ),
            title: say!("All orders on file"),
        },
        Mode::Add => Outcome {
            reason: Reason::Added,
            text: say!("Your lines were added to the orders on file. Receipt {receipt}."),
            title: say!("All orders on file"),
        },
        Mode::Cancel => Outcome {
            reason: Reason::Cancelled,
            text: say!("Your orders were withdrawn; none are on file. Receipt {receipt}."),
            title: say!("Orders on file"),
        },
        Mode::File => Outcome {
            reason: Reason::Filed,
            text: say!("Your orders are on file. Receipt {receipt}."),
            title: say!("All orders on file"),
        },
    }
}

/// What a line has taken back, as it is told beside it.
pub(super) fn as_remark(change: &Change) -> JudgedLine {
    let orders = shown(&change.orders);
    JudgedLine {
        line: change.line,
        text: change.text.trim().to_owned(),
        mark: Mark::Remark,
        note: say!("takes back {orders}"),
    }
}

/// The sentence about orders that are no longer on file.
pub(super) fn changed(change: &Change) -> String {
    let orders = shown(&change.orders);
    match change.by.is_empty() {
        true => say!("No longer on file: {orders}."),
        false => say!("No longer on file: {orders}; instead {by}.", by = printed(&change.by)),
    }
}

/// The sentence that a card was pending before, or that it replaces another; empty if neither is
/// so.
pub(super) fn replaces(case: &Case, said: &Outcome, before: Option<&FiledOrders>) -> String {
    match (case.confirms, before) {
        (Some(_), _) => say!("It was pending and is confirmed now."),
        (None, Some(old)) if said.reason == Reason::Filed && !old.card.lines.is_empty() => {
            say!("It replaces the card that was on file.")
        }
        _ => String::new(),
    }
}

/// Lost lines of a card that a sentence names, at most.
const GONE_TOLD: usize = 3;
/// Characters of each of them.
const GONE_SHOWN: usize = 24;

/// The sentence about orders of the old card that are not in the new one; empty if there are none.
pub(super) fn gone(old: &CardText, new: &CardText, starts_order: &dyn Fn(&str) -> bool) -> String {
    // Compares orders as they are read: signs between words and small letters make no difference.
    let plain = |text: &str| -> String {
        let words = text.split(|c: char| c.is_whitespace() || ",;:.!".contains(c));
        words.filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ").to_uppercase()
    };
    let kept: BTreeSet<String> = new.lines.iter().map(|l| plain(&l.1)).collect();
    let orders = old.lines.iter().map(|l| l.1.trim()).filter(|text| starts_order(text));
    let gone: Vec<&str> = orders.filter(|text| !kept.contains(&plain(text))).collect();
    if gone.is_empty() {
        return String::new();
    }
    let lines = gone.iter().take(GONE_TOLD).map(|line| cut(line)).collect::<Vec<_>>().join(", ");
    let lines = match gone.len().saturating_sub(GONE_TOLD) {
        0 => lines,
        n => count!(n, both: "{lines} and {n} more"),
    };
    say!("No longer on file: {lines}; ADD as the first line of a card keeps what was there.")
}

/// The sentence about lines of earlier mails that were never read, and are not kept; empty if there
/// are none.
pub(super) fn left_behind(old: &CardText, new: &CardText, case: &Case) -> String {
    let request = &case.request;
    let kept: BTreeSet<&String> = new.lines.iter().map(|l| &l.1).collect();
    let taken: BTreeSet<&String> =
        request.changes.iter().flat_map(|change| &change.orders).chain(&request.chosen).collect();
    let lines = old.lines.iter().map(|l| &l.1).filter(|l| !l.trim().is_empty());
    let lines: Vec<String> =
        lines.filter(|l| !kept.contains(l) && !taken.contains(l)).map(|l| cut(l)).collect();
    match lines.is_empty() {
        true => String::new(),
        false => say!(
            "Not read in an earlier mail, and no longer on your card: {lines}.",
            lines = lines.iter().take(GONE_TOLD).cloned().collect::<Vec<_>>().join(", ")
        ),
    }
}

/// A line as a sentence repeats it.
fn cut(text: &str) -> String {
    let text = printed(text.trim());
    match text.chars().count() > GONE_SHOWN {
        true => text.chars().take(GONE_SHOWN).chain("...".chars()).collect(),
        false => text,
    }
}

/// The number of the turn of a future step, counted from the open one.
pub(super) fn turn_to_come(game: &Game, step: Turn) -> u32 {
    game.step.turns.last + step.saturating_sub(game.turn)
}

/// The sentence about a title that names another turn than the card is for; empty if it does not.
pub(super) fn titled(case: &Case, claim: &Claim, step: Turn) -> String {
    let (game, heading) = (&claim.game, &case.request.heading);
    let Some(title) = heading.title else { return String::new() };
    let named = match step > game.turn {
        true => title == turn_to_come(game, step),
        false => game.step.turns.contains(title),
    };
    if named {
        return String::new();
    }
    say!(
        "Its title names turn {title}, and it was taken for {step}; TURN with a number as the \
         first line of a card says for which turn it is.",
        step = match step > game.turn {
            true => say!("turn {turn}", turn = turn_to_come(game, step)),
            false => step_name(&game.step.label),
        }
    )
}

/// The sentence about the turn or the time of a card; empty if there is nothing to say.
pub(super) fn when_it_counts(
    case: &Case,
    claim: &Claim,
    turn: Turn,
    judgement: &Judgement,
) -> String {
    let game = &claim.game;
    if turn > game.turn {
        return say!(
            "This card is for turn {turn}; the game is at {step}. It is judged by your position of \
             today, and again when its turn opens.",
            turn = turn_to_come(game, turn),
            step = step_name(&game.step.label)
        );
    }
    if game.deadline.is_some_and(|d| case.stored.received_at > d) {
        return say!("It came after the deadline, in the time of grace, and counts.");
    }
    if judgement.ready && case.request.mode != Mode::Check {
        return say!("It says that you are done: nobody waits for you any longer.");
    }
    String::new()
}

/// Notes on letters to computer players that nobody will answer.
pub(super) fn tell_of_computers(
    store: &Reader,
    game: &Game,
    judgement: &mut Judgement,
) -> Result<()> {
    let mut seats = None;
    for line in judgement.lines.iter_mut().filter(|l| l.mark != Mark::Error) {
        let Some(press::Addressee::Seats(to)) = press::opens(&line.text).map(|o| o.to) else {
            continue;
        };
        let seats = match &seats {
            Some(seats) => seats,
            None => seats.insert(store.games().seats(&game.code)?),
        };
        let computer =
            |n: &u32| seats.iter().any(|s| u32::from(s.seat.0) == *n && s.computer && !s.resigned);
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

/// Notes on sentences that are not read: a game that judges them by its forms tells nothing of them,
/// such as how many numbers it misses behind the letter `I`.
pub(super) fn tell_of_sentences(about: &About, judgement: &mut Judgement) {
    let sentence = |line: &&mut JudgedLine| {
        let error = line.mark == Mark::Error && is_sentence(&line.text);
        error && !about.starts_as_written(&line.text)
    };
    for line in judgement.lines.iter_mut().filter(sentence) {
        line.note = Why::Tried.to_string();
    }
}

/// Notes on orders after the sign of a remark that they are not read.
pub(super) fn tell_of_remarks(about: &About, judgement: &mut Judgement) {
    for line in judgement.lines.iter_mut().filter(|l| l.mark != Mark::Remark) {
        let Some((order, remark)) = line.text.split_once(REMARKS) else { continue };
        let coded = remark.contains(|c: char| c.is_ascii_digit());
        if order.trim().is_empty() || !coded || !about.starts_as_written(remark.trim()) {
            continue;
        }
        let between = if line.note.is_empty() { "" } else { "; " };
        line.note += &format!(
            "{between}{}",
            say!("everything after ; or # is a comment: write each order on its own line")
        );
    }
}

/// A judgement with the lines that are not part of the card: unreadable lines, and commands that
/// were not carried out. `moved` is added to their numbers in the mail.
pub(super) fn with_more_lines(
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
