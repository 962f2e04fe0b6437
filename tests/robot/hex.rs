//! A whole game by mail of the example in the chapter "Write an engine": two players who move one
//! after the other, the one who waits, prepared answers, a computer, and the end.

use base::clock::Clock;
use engine::{Engine, Seat};
use registry::ENGINES;
use robot::limits::Limits;
use store::{Status, Verdict};
use support::host::{Got, Host, a_game};

use crate::talk::{flat, resign};

/// Only the example; the usual registry does not list it.
static HEX: &[&dyn Engine] = &[hex::ENGINE];

/// A game on a small board; the second seat may be a computer's.
fn hex(computer: bool) -> Host {
    let mut host = Host::empty(HEX, Limits::default());
    let mut game = a_game("hex", 2);
    for (name, value) in [("size", "5"), ("turn_hours", "48")] {
        game.options.insert(name.to_owned(), value.to_owned());
    }
    host.robot.new_game(game).expect("a game");
    host.seat_players(if computer { 1 } else { 2 });
    if computer {
        host.robot.add_computer("W7", Seat(2)).expect("a free seat");
    }
    host.robot.start("W7", None, false).expect("starts");
    host
}

fn label(host: &Host) -> String {
    host.robot.game("W7").expect("the game").step.label
}

/// Runs what is due now, without any time going by.
fn run(host: &mut Host) -> u32 {
    let now = host.clock.now();
    host.robot.run_due(now).expect("the robot goes on")
}

/// Sends a card of a seat; returns the step that is open then.
fn mails(host: &mut Host, seat: u8, card: &str) -> String {
    let row = host.receive(host.card(seat, card));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{card}: {}", row.why);
    run(host);
    label(host)
}

/// Checks a short mail to the player who waits: nothing is due, and nothing is in the calendar.
fn is_brief(mail: &Got) {
    let text = flat(&mail.text);
    assert!(!text.contains("are due") && !text.contains("The board"), "{text}");
    assert!(!mail.raw.contains(".ics"), "{}", mail.subject);
    assert!(mail.text.lines().count() < 20, "{text}");
}

#[test]
fn two_players_alternate_and_each_hears_what_concerns_them() {
    let mut host = hex(false);
    assert_eq!(label(&host), "turn 1, Red to move");
    let first = host.last_mail(1);
    assert!(flat(&first.text).contains("Orders for turn 1, Red to move are due"), "{}", first.text);
    assert!(first.raw.contains("deadline.ics") && first.text.contains("1 . . . . . 1"));

    let before = host.mails_to(1).len();
    assert_eq!(mails(&mut host, 1, "PLAY C3"), "turn 2, Blue to move");
    let printout = host.last_mail(2);
    let text = flat(&printout.text);
    assert!(text.contains("Red played C3.") && text.contains("or SWAP"), "{text}");
    assert!(printout.text.contains("3 . . R*. . 3"), "{}", printout.text);
    // The echo of the card, and the note that the other player is to move.
    let told = host.mails_to(1).split_off(before);
    assert_eq!(told.len(), 2);
    let echo = flat(&told[0].text);
    assert!(echo.contains("your stone on C3") && echo.contains("you are done"), "{echo}");
    is_brief(&told[1]);
    assert!(flat(&told[1].text).contains("Blue is to move: Empire 2."), "{}", told[1].text);

    assert_eq!(mails(&mut host, 2, "d3"), "turn 3, Red to move");
    is_brief(&host.last_mail(2));
    assert!(host.last_mail(1).text.contains("3 . . R B*. 3"));
}

#[test]
fn a_prepared_answer_is_played_within_the_others_step() {
    let mut host = hex(false);
    mails(&mut host, 1, "A1");
    mails(&mut host, 2, "E5");
    assert_eq!(mails(&mut host, 1, "C3\nIF D3 D2\nIF B4 B5\n"), "turn 4, Blue to move");
    assert_eq!(host.on_file(1), "IF D3 D2\nIF B4 B5\n", "on file again");
    let (red, blue) = (host.mails_to(1).len(), host.mails_to(2).len());
    assert_eq!(mails(&mut host, 2, "D3"), "turn 5, Blue to move", "Red has answered");
    let told: Vec<Got> = host.mails_to(1).split_off(red);
    assert_eq!(told.len(), 1, "one mail for two moves");
    is_brief(&told[0]);
    let text = flat(&told[0].text);
    assert!(text.contains("Blue played D3.") && text.contains("a prepared answer"), "{text}");
    // Blue has an echo and the next printout, which does not show what else Red has prepared.
    let told: Vec<Got> = host.mails_to(2).split_off(blue);
    assert_eq!(told.len(), 2);
    assert!(flat(&told[1].text).contains("Red played D2, a prepared answer."));
    assert!(!told[1].text.contains("B5") && told[1].raw.contains("deadline.ics"));
    assert_eq!(host.on_file(1), "IF B4 B5\n");
    // A player may send answers while the other one thinks; they do not end the step.
    assert_eq!(mails(&mut host, 1, "IF C4 B5"), "turn 5, Blue to move");
    assert_eq!(host.on_file(1), "IF C4 B5\n");
    let replayed = host.robot.replay("W7", |_| {}).expect("replays");
    assert!(replayed.len() == 5 && replayed.iter().all(|t| t.same), "{replayed:?}");
}

#[test]
fn a_move_that_was_sent_in_advance_is_played_when_its_turn_opens() {
    let mut host = hex(false);
    host.receive(host.card(1, "TURN 3\nPLAY C3"));
    mails(&mut host, 1, "PLAY A1");
    assert_eq!(mails(&mut host, 2, "PLAY B2"), "turn 4, Blue to move");
}

#[test]
fn a_move_out_of_turn_is_told_and_changes_nothing() {
    let mut host = hex(false);
    let row = host.receive(host.card(2, "PLAY C3"));
    assert_ne!(row.verdict, Some(Verdict::Accepted));
    let answer = flat(&host.answers(&row).remove(0).text);
    assert!(answer.contains("it is Red's turn; a line such as IF A1 C3"), "{answer}");
    run(&mut host);
    assert_eq!(label(&host), "turn 1, Red to move");
    // A prepared swap is not a move yet, but becomes one as soon as the stone is there.
    assert_eq!(mails(&mut host, 2, "IF C3 SWAP"), "turn 1, Red to move");
    assert_eq!(mails(&mut host, 1, "C3"), "turn 2, Red to move");
    assert!(flat(&host.last_mail(1).text).contains("Blue swapped"), "{}", host.last_mail(1).text);
}

#[test]
fn a_turn_goes_by_at_its_own_clock_and_the_second_in_a_row_loses() {
    let mut host = hex(false);
    mails(&mut host, 1, "C3");
    assert_eq!(host.pass_deadline(), 1);
    assert_eq!(label(&host), "turn 3, Red to move");
    assert!(flat(&host.last_mail(1).text).contains("Blue sent no move in time"));
    mails(&mut host, 1, "C4");
    assert_eq!(host.pass_deadline(), 1);
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Over);
    assert!(flat(&host.last_mail(2).text).contains("You have lost: Blue let two turns"));
}

#[test]
fn a_computer_answers_within_the_same_round() {
    let mut host = hex(true);
    let mut steps = 0;
    while host.robot.game("W7").expect("the game").status == Status::Running {
        let turn = host.robot.game("W7").expect("the game").turn;
        assert_eq!(label(&host), format!("turn {turn}, Red to move"));
        // A player who always takes the first free place.
        let free = ["E1", "A2", "E3", "A4", "B1", "D5", "C1", "E4", "A5", "B2", "D4", "E2", "C5"];
        let played = free.iter().find(|place| {
            let row = host.receive(host.card(1, &format!("PLAY {place}")));
            row.verdict == Some(Verdict::Accepted)
        });
        assert!(played.is_some(), "a free place");
        run(&mut host);
        steps += 1;
        assert!(steps < 13);
    }
    let end = flat(&host.last_mail(1).text);
    assert!(end.contains("You have lost: blue stones join left and right."), "{end}");
    assert!(!end.contains("The seeds"), "a game without dice has none: {end}");
}

#[test]
fn a_game_to_the_end_by_mail_and_every_mail_is_asked_for() {
    let mut host = hex(false);
    let moves = ["C1", "A1", "C2", "A2", "C3", "A3", "C4", "A4"];
    for (n, place) in moves.into_iter().enumerate() {
        mails(&mut host, 1 + (n % 2) as u8, place);
    }
    assert_eq!(mails(&mut host, 1, "C5"), "the end of the game after turn 9");
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.deadline), (Status::Over, None));
    for (seat, words) in [(1, "You have won"), (2, "You have lost")] {
        let end = host.last_mail(seat);
        assert!(flat(&end.text).contains(words), "{}", end.text);
        assert!(!end.text.contains("seed") && !end.text.contains("The dice"), "{}", end.text);
        assert!(!end.raw.contains(".ics"));
        // Mails: the start, nine moves of two seats, and an echo for each of the seat's own moves.
        let own = 5 - usize::from(seat - 1);
        assert_eq!(host.mails_to(seat).len(), 1 + 9 + own, "seat {seat}");
    }
    let row = host.receive(host.card(2, "B5"));
    assert_eq!(row.reason.as_str(), "game-over");
    let text = &host.answers(&row)[0].text;
    assert!(!text.contains("Orders on file"), "there are none any more: {text}");
}

#[test]
fn whoever_resigns_by_mail_has_lost() {
    let mut host = hex(false);
    mails(&mut host, 1, "C3");
    resign(&mut host, 2);
    run(&mut host);
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Over);
    let end = flat(&host.last_mail(1).text);
    assert!(end.contains("You have won: nobody plays Blue any longer."), "{end}");
    // A player who resigns when not to move loses once the other one has moved.
    let mut host = hex(false);
    mails(&mut host, 1, "C3");
    resign(&mut host, 1);
    run(&mut host);
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Running);
    mails(&mut host, 2, "D3");
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Over);
    assert!(flat(&host.last_mail(2).text).contains("You have won: nobody plays Red"));
}

#[test]
fn letters_are_refused_and_help_does_not_tell_of_them() {
    let mut host = hex(false);
    let row = host.receive(host.card(1, "PLAY C3\nPRESS 2\nHello there\nEND\n"));
    assert_eq!(row.reason.as_str(), "filed");
    let echo = flat(&host.answers(&row).remove(0).text);
    assert!(echo.contains("this game takes no PRESS"), "{echo}");
    assert_eq!(host.on_file(1), "PLAY C3\n");
    let row = host.receive(host.card(1, "HELP\n"));
    let help = host.answers(&row).remove(0).text;
    assert!(help.contains("IF place place") && help.contains("RESEND"), "{help}");
    assert!(!help.contains("PRESS"), "{help}");
    // A game that has letters mentions them.
    let mut other = Host::with(&ENGINES, "battle-plan", 4, Limits::default());
    let row = other.receive(other.card(1, "HELP\n"));
    assert!(other.answers(&row).remove(0).text.contains("PRESS 3,4"));
}
