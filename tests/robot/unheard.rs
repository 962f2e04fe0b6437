//! Unread lines delay whatever runs a turn; each command gets its own answer; numbers of things are
//! not numbers of places.

use engine::{Reading, Seat};
use store::{Reason, Verdict};
use support::host::{Host, mail, player};

use crate::talk::{answer, flat, say, seat, set};
use crate::words::host;

/// Whether a seat is done.
fn ready(host: &Host) -> bool {
    seat(host, 1).ready > 0
}

/// A duel that runs as soon as all are done.
fn duel() -> Host {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24"), ("edition", "basic")]);
    set(&mut host, "early", "true");
    host
}

#[test]
fn what_ends_a_turn_waits_while_a_line_above_it_is_not_read() {
    let step = |host: &Host| host.robot.game("W7").expect("the game").turn;
    for words in [
        "Do not close yet, I will write again",
        "I have a question: is it wise to close now?",
        "can you let my new units explore before the others",
        // It is asked about, for one word of it is not understood.
        "new units explore snailishly",
    ] {
        for end in ["CLOSE", "READY"] {
            let mut host = duel();
            let before = step(&host);
            let row = say(&mut host, 1, &format!("Z ALL E *\n{words}\n{end}\n"));
            let told = flat(&answer(&host, &row));
            assert_eq!((row.reason, step(&host)), (Reason::Filed, before), "{words} {end}: {told}");
            let why = [
                "Nothing runs yet, for 1 line",
                "READY was not taken, for 1 line",
                "does not count, for a line is in error",
            ];
            assert!(why.iter().any(|why| told.contains(why)), "{told}");
            assert!(!told.contains("nobody waits for you any longer"), "{told}");
            assert!(!ready(&host));
            // READY in its own mail is taken.
            say(&mut host, 1, "READY\n");
            host.robot.run_due(host.robot.now()).expect("it runs");
            assert!(step(&host) > before);
        }
    }
    // Greetings delay nothing, nor do lines below READY.
    let mut host = duel();
    let before = step(&host);
    say(&mut host, 1, "Hello,\nZ ALL E *\nCLOSE\nThanks,\nAnna\n");
    host.robot.run_due(host.robot.now()).expect("it runs");
    assert!(step(&host) > before);
}

#[test]
fn ready_for_a_turn_to_come_runs_no_turn_that_is_open() {
    let mut host = host("warlord", 2, &[]);
    set(&mut host, "early", "true");
    let row = say(&mut host, 1, "TURN 2\nA 1 2\nREADY\n");
    let told = flat(&answer(&host, &row));
    assert!(told.contains("READY was left out: your card is for a turn to come"), "{told}");
    assert!(!ready(&host));
}

#[test]
fn a_command_in_capitals_alone_on_its_line_counts_in_a_letter() {
    let mut host = host("warlord", 2, &[]);
    let row = say(&mut host, 1, "I would like to see how things stand.\n\nSTATUS\n");
    assert_eq!(row.reason, Reason::Status, "{}", row.why);
    let told = flat(&answer(&host, &row));
    assert!(told.contains("I would like to see how things stand."), "{told}");
    // In small letters it may be just a word of the letter.
    let row = say(&mut host, 1, "I would like to see how things stand:\nwhat is the\nstatus\n");
    assert_ne!(row.reason, Reason::Status);
}

#[test]
fn one_command_that_is_wrong_keeps_no_other_from_its_answer() {
    let mut host = host("warlord", 2, &[]);
    let lines = "STATUS\nMAP\nWHO\nHELP K\n";
    let row = say(&mut host, 1, lines);
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
    let told = flat(&answer(&host, &row));
    assert!(told.contains("MAP not carried out; the form is MAP place"), "{told}");
    assert!(!told.contains("Nothing was done"), "{told}");
    // In its own mail it is answered as before.
    let row = say(&mut host, 1, "MAP\n");
    assert_eq!(row.reason, Reason::UnknownCommand);
}

#[test]
fn questions_beside_commands_are_answered_or_told() {
    let mut host = host("warlord", 2, &[]);
    let lines = "HELP K\nWho is winning this war at all?\nWhere does my empire begin?\n";
    let row = say(&mut host, 1, lines);
    let texts: String = host.answers(&row).iter().map(|mail| flat(&mail.text)).collect();
    for question in ["Who is winning this war at all?", "Where does my empire begin?"] {
        assert!(texts.contains(question), "{question}: {texts}");
    }
}

#[test]
fn a_check_changes_no_setting() {
    let mut host = host("warlord", 2, &[]);
    let row = say(&mut host, 1, "CHECK\nNAME Rommel\nA 1 2\n");
    assert_eq!(row.reason, Reason::Checked, "{}", row.why);
    let told = flat(&answer(&host, &row));
    assert!(told.contains("NAME was left out: CHECK changes nothing."), "{told}");
    assert_ne!(seat(&host, 1).name, "Rommel");
}

#[test]
fn each_line_of_a_letter_that_a_game_does_not_take_is_told() {
    let mut host = duel();
    let row = say(&mut host, 1, "Z ALL E *\nPRESS 2\nHi Bob, peace?\nEND\n");
    let told = flat(&answer(&host, &row));
    assert!(told.contains("this game takes no PRESS"), "{told}");
    assert!(told.contains("Hi Bob, peace? error: a line of a letter"), "{told}");
}

#[test]
fn who_errs_quickly_is_still_asked_about_a_card_with_right_lines() {
    let mut host = host("warlord", 2, &[]);
    let quick = |host: &mut Host, text: &str| {
        host.pass(1);
        let last = host.mails_to_address(&player(1)).pop().expect("a mail");
        let field = format!("In-Reply-To: <{}>\r\nSubject:", last.message_id);
        let row = host.receive(host.card(1, text).replacen("Subject:", &field, 1));
        (row.reason, host.answers(&row).len())
    };
    say(&mut host, 1, "A 1 2\nA 2 2\nA 3 2\nA 4 2\n");
    for n in 1..12 {
        quick(&mut host, &format!("M 77 {n}\n"));
    }
    assert_eq!(quick(&mut host, "M 77 12\n").1, 0, "told so often enough");
    let card = "A 1 2\nA 99 3\nA 98 3\nA 97 3\nA 96 4\n";
    assert_eq!(quick(&mut host, card), (Reason::Doubtful, 1));
}

#[test]
fn what_is_written_otherwise_and_still_on_file_is_not_told_as_gone() {
    let mut host = host("battle-plan", 4, &[]);
    say(&mut host, 1, "@BA BA15, BF5.\nwhat a day it was, my friends\n");
    let row = say(&mut host, 1, "@BA: ba15 BF5\n");
    let told = flat(&answer(&host, &row));
    assert!(!told.contains("No longer on file"), "{told}");
}

#[test]
fn orders_between_lines_of_a_quoted_card_are_for_the_place_above_them() {
    let mut host = host("battle-plan", 4, &[]);
    let printout = host.last_mail(1);
    let at = printout.text.find("---- turn card").expect("a card");
    let (above, card) = printout.text.split_at(printout.text[..at].rfind('\n').expect("a line"));
    let quoted = |text: &str| text.lines().map(|l| format!("> {l}\n")).collect::<String>();
    let section = card.lines().find(|l| l.starts_with("| @") && !l.starts_with("| @ "));
    let section = section.expect("a country");
    let (first, rest) = card.split_once(section).expect("it is there");
    let code = section[2..].split_whitespace().next().expect("a code");
    let body = format!(
        "On Mon, 1 Jun 2026 Fieldpost wrote:\n{}{}> {section}\nBA2\n{}",
        quoted(above),
        quoted(first),
        quoted(rest.trim_start())
    );
    let row = host.receive(mail(&player(1), &printout.reply_to, &body));
    assert_eq!(row.reason, Reason::Filed, "{}", row.why);
    assert_eq!(host.on_file(1), format!("{code}\nBA2\n"));
}

#[test]
fn orders_below_an_attribution_between_quoted_lines_are_told() {
    let mut host = host("warlord", 2, &[]);
    let printout = host.last_mail(1);
    let body = "A 1 2\n\nOn Mon, 1 Jun 2026 Fieldpost wrote:\n> What needs orders now:\n\
                C 1 1\n\n> * Units without orders: 9\nE 1\n";
    let row = host.receive(mail(&player(1), &printout.reply_to, body));
    assert_eq!(host.on_file(1), "A 1 2\n");
    let told = flat(&answer(&host, &row));
    let unread = told.split("Not read as orders").nth(1).expect("lines that are not read");
    for line in ["- C 1 1 ", "- E 1 "] {
        assert!(unread.contains(line), "{line}: {told}");
    }
    assert_eq!(unread.matches("among or below the lines").count(), 2, "{told}");
}

#[test]
fn a_numbered_list_may_say_directions() {
    let mut host = host("warlord", 2, &[]);
    say(&mut host, 1, "1. A 1 NE\n2. A 2 north\n3) A 3 E\n4. A 4 2\n");
    assert_eq!(host.on_file(1), "A 1 2\nA 2 1\nA 3 3\nA 4 2\n");
}

#[test]
fn the_number_of_a_city_or_a_fleet_is_none_of_a_place() {
    let orders = |host: &Host, line: &str| {
        let game = host.robot.game("W7").expect("the game");
        host.robot.games().open(&game).expect("it opens").reader(Seat(1)).read(line)
    };
    let are = |lines: &str| Reading::Orders(vec![lines.to_owned()]);
    let host = duel();
    assert_eq!(orders(&host, "attack 1 north"), are("D 1 8"), "a way is read");
    // A city stands for its place; the number of an unknown city is not a direction either.
    assert_eq!(orders(&host, "attack 1 city 9"), are("A 1 1,9"));
    assert_eq!(orders(&host, "attack 1 city 99"), Reading::No);
    // The meaning of a number after a direction is unclear.
    assert_eq!(orders(&host, "move 1 NW 3"), Reading::No);
    let host = crate::words::host("imperium", 2, &[("tempo", "turn")]);
    // The system that a fleet acts in is activated first.
    let both = |a: &str, b: &str| Reading::Orders(vec![a.to_owned(), b.to_owned()]);
    assert_eq!(orders(&host, "fleet 5 joins fleet 3"), both("A 01", "C 3 5"));
    assert_eq!(orders(&host, "move 2 to Sol"), both("A 04", "M 2 01"), "a place is read");
    assert_ne!(orders(&host, "move 2 to fleet 1"), are("M 2 1"), "fleet 1 is no system");
}
