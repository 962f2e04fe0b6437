//! Subjects of printouts.

use super::PrintoutExtras;
use engine::press::steers;
use engine::report::{Line, Span};
use store::{Game, SeatRow};
use tongue::say;

use crate::mailer::step_name;

/// Characters of the first sentence in a subject, at most.
const SUBJECT: usize = 70;

/// Subject of a printout: the last, the first, one whose player is awaited, or any other. Each has
/// the first sentence of the headline, if there is one.
pub(super) fn subject_of(
    game: &Game,
    row: &SeatRow,
    (post, first): (&PrintoutExtras, &str),
    replaces: bool,
) -> String {
    let said = |otherwise: String| match first {
        "" => otherwise,
        first => first.to_owned(),
    };
    let code = &game.code;
    let subject = match &post.result {
        Some(_) => say!("game {code} is over: {what}", what = said(say!("the final printout"))),
        None if game.turn == 1 => {
            say!("game {code} begins: {what}", what = said(say!("your first printout")))
        }
        None if game.step.awaits(row.seat) => say!(
            "{what}, orders due {due}",
            what = said(say!("your printout")),
            due = due_day(game, row)
        ),
        None => format!("{}, {}", said(say!("your printout")), step_name(&game.step.label)),
    };
    match replaces {
        true => say!("{subject} (replaces the one before)"),
        false => subject,
    }
}

/// A sentence as part of a subject: shortened at a word, without its full stop. Text that players
/// chose has no square or angle brackets, by which the robot recognises its mails, no @, and no
/// signs that end lines or change their direction.
pub(super) fn subject_line(sentence: &Line) -> String {
    let chosen = |text: &str| -> String {
        text.chars()
            .filter(|c| !steers(*c) && *c != '@')
            .map(|c| match c {
                '[' | '<' => '(',
                ']' | '>' => ')',
                c => c,
            })
            .collect()
    };
    let span = |s: &Span| match s {
        Span::Plain(text) => text.clone(),
        Span::Chosen(text) => chosen(text),
        Span::Player(seat) => say!("seat {seat}"),
        Span::Address(_) | Span::Seal(..) => String::new(),
    };
    let text: String = sentence.0.iter().map(span).collect();
    let text = text.replace('\u{a0}', " ");
    let text = text.trim().trim_end_matches('.').trim_end();
    if text.chars().count() <= SUBJECT {
        return text.to_owned();
    }
    let mut short = String::new();
    for word in text.split(' ') {
        if short.chars().count() + word.chars().count() + 4 > SUBJECT {
            break;
        }
        short += if short.is_empty() { "" } else { " " };
        short += word;
    }
    format!("{} ...", short.trim_end_matches([',', ';', ':']))
}

fn due_day(game: &Game, seat: &SeatRow) -> String {
    game.deadline.map_or_else(String::new, |at| base::schedule::local(at, &seat.zone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Seat;

    #[test]
    fn a_subject_has_the_first_sentence_shortened_at_a_word_and_no_bracket_of_a_player() {
        let line = |spans: &[Span]| subject_line(&Line(spans.to_vec()));
        let plain = |text: &str| Span::Plain(text.to_owned());
        assert_eq!(
            line(&[plain("You lost Joroham to player\u{a0}21.")]),
            "You lost Joroham to player 21"
        );
        let long = "You lost Joroham (05333), Pelamere (04411) and 12 more cities to player 21.";
        let short = line(&[plain(long)]);
        assert_eq!(short, "You lost Joroham (05333), Pelamere (04411) and 12 more cities to ...");
        assert!(short.chars().count() <= SUBJECT);
        let chosen = Span::Chosen("[W9 T1 S2]\r\nBcc: <a@b.example>".to_owned());
        let safe = line(&[plain("You lost "), chosen, plain(" to player 2.")]);
        assert_eq!(safe, "You lost (W9 T1 S2)Bcc: (ab.example) to player 2");
        assert_eq!(crate::card::subject_tag(&format!("[W7 T1 S1] {safe}")).expect("a tag").0, "W7");
        let address = Span::Address(Seat(2));
        assert_eq!(line(&[plain("You met "), address, plain(".")]), "You met");
    }
}
