//! Practice by mail: a private game against computers, from the request to its end.

use engine::Seat;
use jiff::SignedDuration;
use registry::ENGINES;
use robot::limits::Limits;
use store::{Reason, Status, Verdict};

use crate::talk::*;
use support::host::*;

fn host_with(practice_games_max: u32) -> Host {
    Host::empty(&ENGINES, Limits { practice_games_max, ..Limits::default() })
}

/// Somebody asks for a practice game and says yes.
fn practise(host: &mut Host, who: &str, game: &str) {
    let row = host.receive(mail(who, ROBOT, &format!("PRACTICE {game}\n")));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Accepted), Reason::PracticeAsked));
    let question = asked(host, &row);
    assert_eq!(yes(host, &question).reason, Reason::Practice);
    host.robot.tick().expect("ticks");
}

/// An answer to the newest mail of a game.
fn reply(host: &mut Host, who: &str, lines: &str) -> Reason {
    let newest = host.mails_to_address(who).into_iter().rfind(|m| m.reply_to.contains("+P"));
    host.receive(mail(who, &newest.expect("a mail of the game").reply_to, lines)).reason
}

#[test]
fn nobody_practises_where_the_game_master_does_not_want_it() {
    let mut host = host_with(0);
    let row = host.receive(mail(NEW, ROBOT, "PRACTICE warlord\n"));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Rejected), Reason::NoPractice));
    assert!(answer(&host, &row).contains("Nobody practises on this host"));
    let row = host.receive(mail(LATER, ROBOT, "GAMES\n"));
    assert!(!answer(&host, &row).contains("PRACTICE"));
}

#[test]
fn a_practice_game_begins_after_yes_and_teaches_in_its_first_three_printouts() {
    let mut host = host_with(2);
    let row = host.receive(mail(LATER, ROBOT, "GAMES\n"));
    assert!(answer(&host, &row).contains("PRACTICE warlord begins a private game"));
    let row = host.receive(mail(NEW, ROBOT, "PRACTICE warlord\n"));
    let question = asked(&host, &row);
    host.robot.tick().expect("ticks");
    assert!(host.robot.store.games().all().expect("a store").is_empty(), "nothing before YES");
    assert_eq!(yes(&mut host, &question).reason, Reason::Practice);
    for _ in 0..3 {
        host.robot.tick().expect("ticks");
    }
    let games = host.robot.store.games().all().expect("a store");
    assert_eq!(games.len(), 1, "made once");
    assert_eq!((games[0].code.as_str(), games[0].status), ("P1", Status::Running));
    assert!(games[0].terms.practice);
    let seats = host.robot.store.games().seats("P1").expect("seats");
    assert!(seats.iter().all(|s| s.computer != (s.seat == Seat(1))), "computers have the others");
    let first = host.mails_to_address(NEW).pop().expect("a printout");
    assert!(first.text.contains("Lesson 1 of 3") && first.text.contains("Your first turn"));
    assert!(flat(&first.text).contains("This is practice"), "{}", first.text);
    // READY below orders runs the turn at once; it has nobody to wait for.
    assert_eq!(reply(&mut host, NEW, "C 1 1\nREADY\n"), Reason::Filed);
    assert_eq!(run(&mut host), 1);
    let second = host.mails_to_address(NEW).pop().expect("a printout");
    assert!(second.text.contains("Lesson 2 of 3"), "{}", second.text);
    for _ in 0..2 {
        reply(&mut host, NEW, "READY\n");
        run(&mut host);
    }
    assert!(
        host.mails_to_address("gm@fieldpost.example").is_empty(),
        "it is none of their business"
    );
    let fourth = host.mails_to_address(NEW).pop().expect("a printout");
    assert!(fourth.subject.starts_with("[P1 T4 S1]") && !fourth.text.contains("Lesson"));
}

#[test]
fn every_game_can_be_practised_with_three_lessons() {
    let mut host = host_with(20);
    for (n, engine) in ENGINES.iter().enumerate() {
        let who = format!("newcomer{n}@elsewhere.example");
        practise(&mut host, &who, engine.id());
        let first = host.mails_to_address(&who).pop().expect("a printout");
        assert!(first.text.contains("Lesson 1 of 3"), "{}: {}", engine.id(), first.text);
        let practice = engine.practice();
        assert_eq!(practice.lessons.len(), 3);
        assert!(practice.lessons.iter().all(|l| !l.is_empty()));
    }
    let row = host.receive(mail(NEW, ROBOT, "PRACTICE chess\n"));
    assert!(answer(&host, &row).contains("PRACTICE battle-plan"));
}

#[test]
fn a_practice_game_that_is_left_ends_and_its_player_may_begin_another() {
    let mut host = host_with(1);
    practise(&mut host, NEW, "warlord");
    let row = host.receive(mail(NEW, ROBOT, "PRACTICE imperium\n"));
    assert!(answer(&host, &row).contains("You practise already, in game P1"));
    let row = host.receive(mail(LATER, ROBOT, "PRACTICE warlord\n"));
    assert!(answer(&host, &row).contains("All practice games of this host are taken"));
    reply(&mut host, NEW, "READY\n");
    run(&mut host);
    let before = host.mails_to_address(NEW).len();
    host.clock.set(host.robot.now() + SignedDuration::from_hours(24 * 15));
    assert_eq!(run(&mut host), 0, "no turn runs for nobody");
    let game = host.robot.game("P1").expect("the game");
    assert_eq!((game.status, game.deadline), (Status::Over, None));
    host.robot.tick().expect("ticks");
    run(&mut host);
    let after = host.mails_to_address(NEW).split_off(before);
    let told = after.iter().filter(|m| m.subject.contains("your practice game is over"));
    assert_eq!(told.count(), 1);
    practise(&mut host, NEW, "empire-deluxe");
    assert_eq!(host.robot.game("P2").expect("the game").engine, "empire-deluxe");
    let listed = host.receive(mail(LATER, ROBOT, "GAMES\n"));
    assert!(!answer(&host, &listed).contains("P1"), "what is private is not listed");
}

#[test]
fn who_resigns_from_practice_ends_it() {
    let mut host = host_with(1);
    practise(&mut host, NEW, "battle-plan");
    assert_eq!(reply(&mut host, NEW, "RESIGN\n"), Reason::ResignAsked);
    let question = host.mails_to_address(NEW).pop().expect("a question");
    yes(&mut host, &question);
    run(&mut host);
    assert_eq!(host.robot.game("P1").expect("the game").status, Status::Over);
}

#[test]
fn a_yes_that_comes_when_all_games_are_taken_is_told_so() {
    let mut host = host_with(1);
    let row = host.receive(mail(NEW, ROBOT, "PRACTICE warlord\n"));
    let question = asked(&host, &row);
    practise(&mut host, LATER, "warlord");
    assert_eq!(yes(&mut host, &question).reason, Reason::NoPractice);
    host.robot.tick().expect("ticks");
    assert_eq!(host.robot.store.games().all().expect("a store").len(), 1);
}

#[test]
fn a_player_who_said_yes_twice_has_one_game_and_of_two_who_say_it_at_once_one_is_told_no() {
    let mut host = host_with(1);
    let ask = |host: &mut Host, who: &str, game: &str| {
        let row = host.receive(mail(who, ROBOT, &format!("PRACTICE {game}\n")));
        asked(host, &row)
    };
    let first = ask(&mut host, NEW, "warlord");
    let second = ask(&mut host, NEW, "imperium");
    let other = ask(&mut host, LATER, "warlord");
    assert_eq!(yes(&mut host, &first).reason, Reason::Practice);
    assert_eq!(yes(&mut host, &other).reason, Reason::NoPractice, "before the game is made");
    host.robot.tick().expect("ticks");
    assert_eq!(yes(&mut host, &second).reason, Reason::NoPractice);
    host.robot.tick().expect("ticks");
    assert_eq!(host.robot.store.games().all().expect("a store").len(), 1);
}

#[test]
fn a_practice_game_that_is_suspended_and_left_frees_its_place() {
    let mut host = host_with(1);
    practise(&mut host, NEW, "warlord");
    host.robot.suspend("P1", "a fault").expect("suspended");
    host.robot.tick().expect("ticks");
    assert_eq!(host.robot.game("P1").expect("the game").status, Status::Suspended);
    let resigned = store::SeatChange::Resigned;
    host.robot.store.write(|tx| tx.change_seat("P1", Seat(1), &resigned)).expect("a seat");
    host.robot.tick().expect("ticks");
    assert_eq!(host.robot.game("P1").expect("the game").status, Status::Over);
    practise(&mut host, LATER, "warlord");
}

#[test]
fn who_says_yes_to_two_games_at_once_gets_one_and_is_told_of_the_other() {
    let mut host = host_with(2);
    for game in ["warlord", "imperium"] {
        let row = host.receive(mail(NEW, ROBOT, &format!("PRACTICE {game}\n")));
        let question = asked(&host, &row);
        assert_eq!(yes(&mut host, &question).reason, Reason::Practice);
    }
    for _ in 0..2 {
        host.robot.tick().expect("ticks");
    }
    let games = host.robot.store.games().all().expect("a store");
    assert_eq!(games.iter().map(|g| g.engine.as_str()).collect::<Vec<_>>(), ["warlord"]);
    let told = host.mails_to_address(NEW);
    let told = told.iter().filter(|m| m.text.contains("could not be made")).count();
    assert_eq!(told, 1);
}
