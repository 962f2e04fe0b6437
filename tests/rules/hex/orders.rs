//! The answers to a line, and which lines of a mail are orders.

use engine::{CardText, Cards, Mark};
use hex::Hex;

use super::board::{after, game, judge, view};

/// Mark and note of the only line.
fn told(moves: &str, seat: u8, line: &str) -> (Mark, String) {
    let judgement = judge(&after(moves), seat, line);
    assert_eq!(judgement.lines.len(), 1, "{line}");
    (judgement.lines[0].mark, judgement.lines[0].note.clone())
}

#[test]
fn every_fault_is_told_with_the_right_form() {
    for (moves, seat, line, part) in [
        ("", 1, "PLAY", "the form is PLAY place, such as PLAY C4"),
        ("", 1, "PLAY C4 D5", "the form is PLAY place, such as PLAY C4"),
        ("", 1, "IF C4", "the form is IF place place, such as IF C4 D5"),
        ("", 1, "SWAP C4", "the form is SWAP"),
        ("", 1, "MOVE C4", "there are PLAY place, SWAP, IF place place"),
        ("", 1, "PLAY F2", "F2 is not on the board: columns are A to E, rows 1 to 5"),
        ("", 1, "C6", "columns are A to E, rows 1 to 5"),
        ("", 1, "IF C4 C9", "columns are A to E, rows 1 to 5"),
        ("C3", 2, "C3", "a stone of Red lies on C3 already"),
        ("C3", 2, "IF C3 C4", "C3 is played already: write PLAY C4"),
        ("C3", 2, "IF C3 SWAP", "C3 is played already: write SWAP"),
        ("C3", 1, "IF C3 C4", "a stone of Red lies on C3 already"),
        ("C3", 2, "IF C4 C4", "the second place is your answer"),
        ("C3", 1, "PLAY D4", "it is Blue's turn; a line such as IF A1 D4 prepares"),
        ("", 2, "SWAP", "it is Red's turn; a line such as IF A1 SWAP prepares"),
        ("", 1, "SWAP", "only Blue may swap, and only in answer to the first stone"),
        ("C3 D3 A1", 2, "SWAP", "only Blue may swap"),
        ("", 1, "IF C3 SWAP", "only Blue may swap"),
    ] {
        let (mark, note) = told(moves, seat, line);
        assert_eq!(mark, Mark::Error, "{line}: {note}");
        assert!(note.contains(part), "{line}: {note}");
    }
    let over = judge(&after("C1 A1 C2 A2 C3 A3 C4 A4 C5"), 2, "D4");
    assert_eq!(over.lines[0].note, "the game is over");
    let strict = game(&[("swap", "false")]);
    let without = judge(&strict, 2, "IF C3 SWAP");
    assert!(without.lines[0].note.contains("without SWAP"), "{}", without.lines[0].note);
    assert!(Hex::help(Some(&strict)).iter().all(|t| t.word != "SWAP"));
}

#[test]
fn a_line_is_forgiven_its_form() {
    for line in ["PLAY C4", "play c4", "C4", "c4", "(1) PLAY C4", "Play: C4.", "C4 # the middle"] {
        assert_eq!(told("", 1, line), (Mark::Ok, "your stone on C4".to_owned()), "{line}");
    }
    let (mark, note) = told("", 1, "if c4, d5");
    assert_eq!((mark, note.as_str()), (Mark::Ok, "if Blue plays C4, you answer D5 at once"));
    assert_eq!(told("", 1, "# thinking").0, Mark::Remark);
}

#[test]
fn a_card_that_moves_says_that_it_is_done() {
    let state = after("C3");
    assert!(judge(&state, 2, "C4").ready && judge(&state, 2, "SWAP").ready);
    assert!(!judge(&state, 2, "IF C4 C5").ready, "an answer is no move");
    assert!(!judge(&state, 2, "C3").ready, "nor is what can't be played");
    assert!(!judge(&state, 1, "IF C4 C5\nPLAY D4").ready, "nor is the other one's");
    let ahead = Hex::judge(&view(&state, 1), &CardText::new("PLAY D4"), 1);
    assert!(!ahead.ready && ahead.lines[0].mark == Mark::Ok);
    let ready = judge(&state, 2, "C4\nIF D4 D5\nIF C4 B2");
    let marks: Vec<Mark> = ready.lines.iter().map(|l| l.mark).collect();
    assert_eq!(marks, [Mark::Ok, Mark::Ok, Mark::Warning], "your own move takes C4");
    let twice = judge(&state, 2, "C4\nD4");
    assert_eq!(twice.lines[0].mark, Mark::Warning);
}

#[test]
fn the_forecast_says_what_comes_of_a_card() {
    let text =
        |moves: &str, seat, card: &str| format!("{:?}", judge(&after(moves), seat, card).forecast);
    assert!(text("C3", 2, "C4").contains("Red is to move then"));
    assert!(text("C4", 2, "SWAP").contains("The stone lies on D3 then and is yours"));
    assert!(text("C1 A1 C2 A2 C3 A3 C4 A4", 1, "C5").contains("you win"));
    assert!(text("C3", 2, "IF D4 D5").contains("no move yet"));
    assert_eq!(text("C3", 1, "IF D4 D5"), "[]");
}

#[test]
fn lines_of_a_letter_are_no_orders() {
    for order in ["PLAY C4", "play z99", "C4", "SWAP", "IF C4 D5", "PLAY", "k11", "IF C4"] {
        assert!(Hex::starts_order(order), "{order}");
    }
    for prose in [
        "If you like, we could play again.",
        "Play well!",
        "Swap shops are nice",
        "Hello Anna,",
        "C4 was a good move, wasn't it?",
        "Best wishes",
        "I",
        "",
    ] {
        assert!(!Hex::starts_order(prose), "{prose}");
    }
}

#[test]
fn every_example_of_the_help_is_an_order() {
    let topics = Hex::help(None);
    assert_eq!(topics.iter().map(|t| t.word.as_str()).collect::<Vec<_>>(), ["PLAY", "SWAP", "IF"]);
    for example in topics.iter().flat_map(|t| &t.examples) {
        assert!(Hex::starts_order(example), "{example}");
        let (seat, moves) = if example == "SWAP" { (2, "A1") } else { (1, "") };
        assert_eq!(told(moves, seat, example).0, Mark::Ok, "{example}");
    }
}
