//! What is said of a card in its answer: what was done with it, how it fared, what it replaces.

use std::collections::BTreeSet;

use engine::{CardText, Judgement, Mark, Turn};
use mail::normal::Doubt;
use store::{FiledOrders, Game, Reason};
use tongue::{count, say};

use super::case::{Case, Claim};
use crate::card::Mode;
use crate::mailer::step_name;
use crate::text::printed;

/// A text with what is to be said besides.
pub(super) fn with_notes(text: String, notes: &[String]) -> String {
    notes.iter().fold(text, |text, note| format!("{text}\n\n{note}"))
}

/// What is said of commands beside orders that were refused.
pub fn nothing_changed() -> String {
    say!(
        "Nothing was changed: a mail whose orders are refused changes no setting. Send the other \
         commands alone."
    )
}

/// How a card fared, for the subject of its echo: what failed before what stands.
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

/// Why the letters of a line are in doubt.
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

pub(super) fn outcome(mode: Mode, receipt: i64) -> Outcome {
    match mode {
        Mode::Check => Outcome {
            reason: Reason::Checked,
            text: say!("This card was checked and not filed. Your orders on file are as before."),
            title: say!("The card as it would stand"),
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

/// The sentence about what a card was before, or what it takes the place of, if there is one.
pub(super) fn replaces(case: &Case, said: &Outcome, before: Option<&FiledOrders>) -> String {
    match (case.confirms, before) {
        (Some(_), _) => say!("It was pending and is confirmed now."),
        (None, Some(old)) if said.reason == Reason::Filed && !old.card.lines.is_empty() => {
            say!("It replaces the card that was on file.")
        }
        _ => String::new(),
    }
}

/// Lines of a card that a sentence names, at most.
const GONE_TOLD: usize = 3;

/// The sentence about what stood in the card before and is in the new one no more, if there is
/// one.
pub(super) fn gone(old: &CardText, new: &CardText, starts_order: &dyn Fn(&str) -> bool) -> String {
    // As they are read: signs between words and small letters make no other order.
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
    let short = |text: &&str| -> String { printed(text).chars().take(24).collect() };
    let lines = gone.iter().take(GONE_TOLD).map(short).collect::<Vec<_>>().join(", ");
    let lines = match gone.len().saturating_sub(GONE_TOLD) {
        0 => lines,
        n => count!(n, both: "{lines} and {n} more"),
    };
    say!("No longer on file: {lines}; ADD as the first line of a card keeps what was there.")
}

/// The number of the turn that a step to come plays, as it was counted from the open one.
pub(super) fn turn_to_come(game: &Game, step: Turn) -> u32 {
    game.step.turns.last + step.saturating_sub(game.turn)
}

/// The sentence about a title of a card that names another turn than the card is for, if it does.
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

/// The sentence about the turn of a card, or about its time, if there is one.
pub(super) fn when_it_counts(
    case: &Case,
    claim: &Claim,
    turn: Turn,
    judgement: &Judgement,
) -> String {
    let game = &claim.game;
    if turn > game.turn {
        return say!(
            "This card is for turn {turn}; {step} is open. It is judged by your position of today, \
             and again when its turn opens.",
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
