//! The lines of a mail that are not read, as an answer lists them.

use super::about::About;
use super::case::{Case, Claim, Proof, Tools};
use super::letter_words;
use super::worded;
use crate::card::aside::{Aside, Misplaced, Why};
use crate::card::echo::{Unread, not_read, shown_unread, unread_line};
use mail::body::LineClass;
use render::html::GUARD;
use render::text::{SAFE, heading};
use tongue::{count, say};

/// Lines outside the text that is read that are tested for orders, at most.
const LEFT_LOOKED_AT: usize = 100;
/// Lines of a mail without an order that its answer shows, at most.
const WORDS_TOLD: usize = 12;
/// Lines among them that get a hint on how to make an order of them, at most: hints take time.
const HINTS_TOLD: usize = 4;

/// An aside as a line that is not read.
fn aside(aside: &Aside) -> Unread {
    (Some(aside.line), aside.text.clone(), aside.why.to_string())
}

/// A command that is not carried out as a line that is not read.
fn misplaced(misplaced: &Misplaced) -> Unread {
    (Some(misplaced.line), misplaced.text.clone(), misplaced.note.to_string())
}

/// Why a line outside the text that is read is not read.
fn why_left(class: LineClass) -> String {
    match class {
        LineClass::Signature | LineClass::AfterSignature => say!("below your signature"),
        LineClass::Banner => say!("a warning or a label above your text"),
        LineClass::Bar => say!("a line of signs, which ends your text"),
        _ => say!("a footer, or below one: it ends your text"),
    }
}

/// The list of unread lines that may have been meant as orders, for an answer without an echo;
/// empty if there are none. With `questions`, the answer covers questions, so they are left out.
pub fn passed_over(tools: Tools, case: &Case, claim: &Claim, questions: bool) -> String {
    let request = &case.request;
    // Greetings alone are not worth a list.
    let idle = |a: &Aside| {
        matches!(a.why, Why::Greeting | Why::Name | Why::Title | Why::Remark | Why::Signs)
    };
    let shown = |a: &&Aside| !questions || a.why != Why::Question;
    let told = request.asides.iter().filter(shown).any(|a| !idle(a));
    let asides = request.asides.iter().filter(|_| told).filter(shown).map(aside);
    let mut lines: Vec<Unread> = asides.chain(request.misplaced.iter().map(misplaced)).collect();
    lines.sort_by_key(|(line, ..)| *line);
    let about = About::seat(tools, &claim.game, claim.seat.seat);
    let left = about.left_over(&case.text);
    // Also an order after the sign that begins lines of the robot's mails.
    let order = |text: &str| {
        let bare = text.strip_prefix(GUARD).unwrap_or(text).trim_start();
        let read = about.read_some(&[bare.to_owned()], 1);
        read.card.lines.iter().any(|(_, line)| about.starts_as_written(line))
    };
    // A label or a footer of one line comes from a program; more lines may be the player's.
    let is_signature = |class| matches!(class, LineClass::Signature | LineClass::AfterSignature);
    let more = left.iter().filter(|(class, _)| !is_signature(*class)).count() > 1;
    let mut first = left.iter().take(LEFT_LOOKED_AT);
    if !lines.is_empty() || more || first.any(|(_, text)| order(text)) {
        lines.extend(left.iter().map(|(class, text)| (None, text.clone(), why_left(*class))));
    }
    if lines.is_empty() {
        return String::new();
    }
    let rows = shown_unread(&lines);
    format!("{}{}\n", heading(&not_read()), rows.iter().map(unread_line).collect::<String>())
}

/// The lines of a mail that are neither orders nor commands, sorted by number. Lines without a
/// number are outside the text that is read.
pub(super) fn unread(case: &Case, about: &About) -> Vec<Unread> {
    let mut unread: Vec<Unread> = case.request.asides.iter().map(aside).collect();
    unread.sort_by_key(|(line, ..)| *line);
    let left = about.left_over(&case.text).iter();
    unread.extend(left.map(|(class, text)| (None, text.clone(), why_left(*class))));
    let between = case.text.between_quotes().filter(|line| about.starts_order(line));
    unread.extend(between.take(LEFT_LOOKED_AT).map(|line| {
        let why =
            say!("stands among or below the lines that your program quotes: write it above them");
        (None, line.to_owned(), why)
    }));
    unread
}

/// The lines of a mail without an order, each with the reason or a hint on how to make an order of
/// it.
pub(super) fn own_words(case: &Case, claim: &Claim, about: &About) -> String {
    let mut lines = unread(case, about);
    let card = case.request.card.lines.iter();
    lines.extend(card.map(|(n, line)| (Some(*n), line.clone(), Why::Tried.to_string())));
    lines.extend(case.request.misplaced.iter().map(misplaced));
    lines.sort_by_key(|(n, ..)| n.unwrap_or(u32::MAX));
    // The first lines identify the mail.
    let more = lines.len().saturating_sub(WORDS_TOLD);
    lines.truncate(WORDS_TOLD);
    let tried = Why::Tried.to_string();
    let reader = about.reader().filter(|_| claim.proof == Proof::Proven);
    let meant = lines
        .iter_mut()
        .filter(|(_, text, why)| *why == tried || letter_words::writes_a_letter(text));
    let takes_letters = about.starts_as_written("PRESS 1");
    for (_, text, why) in meant.take(HINTS_TOLD) {
        if let Some(hint) = reader.and_then(|reader| worded::hint(reader, text, takes_letters)) {
            *why = hint;
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let rows = shown_unread(&lines);
    let mut out = heading(&not_read());
    rows.iter().for_each(|row| out += &unread_line(row));
    if more > 0 {
        out += &format!("{SAFE}{}\n", count!(n = more, "and {n} line more", "and {n} lines more"));
    }
    out + "\n"
}
