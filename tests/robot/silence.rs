//! All players are silent: the game keeps its calendar, warns them, waits, and goes on at one word.

use engine::Seat;
use registry::ENGINES;
use robot::gm::{By, Release};
use robot::limits::Limits;
use robot::silence::SILENT;
use store::{Game, Status};

use base::clock::Clock;
use support::host::{Host, a_game, mail, player};

use crate::talk::flat;

/// A game with people on the first seats and computers on the others.
fn mixed(engine: &str, seats: u8, people: u8, terms: &[(&str, &str)]) -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game(engine, seats)).expect("a game");
    host.seat_players(people);
    for seat in people + 1..=seats {
        host.robot.add_computer("W7", Seat(seat)).expect("a free seat");
    }
    for (name, value) in terms {
        host.robot.set_term("W7", name, value).expect("a term");
    }
    host.robot.start("W7", None, false).expect("starts");
    host
}

pub fn game(host: &Host) -> Game {
    host.robot.game("W7").expect("the game")
}

fn missed(host: &Host) -> Vec<u32> {
    host.robot.store.games().seats("W7").expect("a store").iter().map(|s| s.missed).collect()
}

/// Passes the deadline and runs the calendar; returns the number of games whose turn ran.
fn next(host: &mut Host) -> u32 {
    let ran = host.pass_deadline();
    host.robot.tick().expect("the calendar works");
    ran
}

fn subjects(host: &Host, seat: u8, with: &str) -> usize {
    host.mails_to(seat).iter().filter(|m| m.subject.contains(with)).count()
}

fn to_game_master(host: &Host, with: &str) -> usize {
    let mails = host.mails_to_address("gm@fieldpost.example");
    mails.iter().filter(|m| m.subject.contains(with)).count()
}

#[test]
fn a_game_whose_players_are_all_silent_plays_one_turn_a_deadline_and_never_to_its_end() {
    // The game does not wait here, as this tests the calendar.
    for (engine, seats) in [("warlord", 3), ("battle-plan", 5)] {
        let mut host = mixed(engine, seats, 1, &[("silent_turns", "0")]);
        for turn in 1..=7 {
            assert_eq!(game(&host).turn, turn, "{engine}");
            assert_eq!(next(&mut host), 1, "{engine}: one turn a deadline");
            let now = host.clock.now();
            assert_eq!(host.robot.run_due(now).expect("goes on"), 0, "{engine}: and no more");
        }
        assert_eq!((game(&host).turn, game(&host).status), (8, Status::Running), "{engine}");
        assert_eq!(missed(&host)[0], 7, "{engine}: who is silent stays silent");
    }
}

#[test]
fn turns_that_the_game_master_runs_before_their_deadline_are_missed_by_nobody() {
    for (engine, seats) in [("warlord", 3), ("battle-plan", 5)] {
        let mut host = mixed(engine, seats, 1, &[]);
        for turn in 1..=6 {
            assert_eq!(game(&host).turn, turn, "{engine}: one turn by each command");
            host.robot.act(By::Shell, &robot::gm::Run { game: "W7".into() }).expect("runs");
        }
        assert_eq!((game(&host).turn, game(&host).status), (7, Status::Running), "{engine}");
        assert_eq!(missed(&host)[0], 0, "{engine}");
        assert!(game(&host).step.awaits(Seat(1)), "{engine}: the rules know of no missed turn");
        assert!(!host.last_mail(1).text.contains("No card of yours came in"), "{engine}");
        let same = host.robot.replay("W7", |_| {}).expect("replays");
        assert!(same.iter().all(|t| t.same), "{engine}: the journal knows who was absent");
    }
}

#[test]
fn the_rules_of_a_game_count_what_the_host_counts() {
    let mut host = mixed("warlord", 3, 2, &[]);
    let printout = |host: &Host| {
        let mails = host.mails_to(2);
        flat(&mails.iter().rfind(|m| m.text.contains(" ran ")).unwrap_or(&mails[0]).text)
    };
    host.receive(host.card(1, "C 1 1\n"));
    next(&mut host);
    host.receive(host.card(1, "C 1 1\n"));
    next(&mut host);
    assert_eq!(missed(&host)[1], 2);
    let told = host.mails_to(2).iter().any(|m| flat(&m.text).contains("for the last 2 turns"));
    assert!(told, "{}", printout(&host));
    // The game master runs a turn by hand: seat 2 could still have sent a card.
    host.robot.act(By::Shell, &robot::gm::Run { game: "W7".into() }).expect("runs");
    assert_eq!(missed(&host)[1], 2);
    let thrice = host.mails_to(2).iter().any(|m| flat(&m.text).contains("for the last 3 turns"));
    assert!(!thrice, "the printout counts no more than the host does");
    // READY is as good as a card, for both.
    host.receive(host.card(2, "READY\n"));
    host.receive(host.card(1, "C 1 1\n"));
    next(&mut host);
    assert_eq!(missed(&host)[..2], [0, 0]);
    assert!(!flat(&host.last_mail(2).text).contains("Missed cards"));
}

#[test]
fn a_game_waits_when_its_last_player_falls_silent_and_tells_before_and_after() {
    for (engine, seats) in [("warlord", 3), ("battle-plan", 5)] {
        let mut host = mixed(engine, seats, 2, &[]);
        assert_eq!(next(&mut host), 1);
        assert_eq!(subjects(&host, 1, "the game will wait"), 0, "{engine}: not yet");
        assert_eq!(next(&mut host), 1);
        for _ in 0..2 {
            host.robot.tick().expect("the calendar works");
        }
        assert_eq!([1, 2].map(|s| subjects(&host, s, "the game will wait")), [1, 1], "{engine}");
        assert_eq!(to_game_master(&host, "will wait"), 1, "{engine}");
        assert_eq!(next(&mut host), 0, "{engine}: the third turn waits");
        let held = game(&host);
        assert_eq!((held.turn, held.status, held.deadline), (3, Status::Suspended, None));
        assert_eq!(held.suspended_why, SILENT);
        assert_eq!([1, 2].map(|s| subjects(&host, s, "the game waits for its players")), [1, 1]);
        assert_eq!(to_game_master(&host, "waits: its players are silent"), 1, "{engine}");
        // A month later nothing has happened.
        host.pass(60 * 24 * 30);
        let now = host.clock.now();
        assert_eq!(host.robot.run_due(now).expect("goes on"), 0);
        host.robot.tick().expect("the calendar works");
        assert_eq!(game(&host).turn, 3);
    }
}

/// A game of two players and a computer that waits for a word.
fn waiting() -> Host {
    let mut host = mixed("warlord", 3, 2, &[]);
    while game(&host).status == Status::Running {
        next(&mut host);
    }
    host.pass(60 * 24 * 20);
    host
}

fn goes_on(host: &mut Host) {
    let open = game(host);
    assert_eq!((open.turn, open.status), (3, Status::Running));
    let due = open.deadline.expect("a deadline");
    let ahead = due.duration_since(host.clock.now()).as_hours();
    assert!((24 * 6..=24 * 8).contains(&ahead), "a fresh deadline by the calendar: {ahead} hours");
}

#[test]
fn any_word_of_a_player_lets_the_game_go_on_with_a_fresh_deadline() {
    for word in ["C 1 1\n", "READY\n", "STATUS\n", "Hello, are you still there?\n"] {
        let mut host = waiting();
        host.receive(host.card(2, word));
        goes_on(&mut host);
        assert_eq!([1, 2].map(|s| subjects(&host, s, "the game goes on")), [1, 1], "{word}");
        assert_eq!(missed(&host)[..2], [2, 0], "{word}");
        // The other player is still silent; the game does not wait for one player.
        host.receive(host.card(2, "C 1 1\n"));
        assert_eq!(next(&mut host), 1, "{word}");
        assert_eq!(game(&host).status, Status::Running, "{word}");
    }
}

#[test]
fn who_writes_together_with_the_first_word_is_told_that_the_game_goes_on() {
    let mut host = waiting();
    let raw = [host.card(1, "C 1 1\n"), host.card(2, "C 2 1\n")];
    let mails = raw.map(|raw| host.message(raw.as_bytes()));
    let judged = host.robot.receive(&mails).expect("the store works");
    let second = host.robot.store.mails().mail(judged[1]).expect("a store").expect("a mail");
    let echo = flat(&host.answers(&second)[0].text);
    assert!(echo.contains("Orders for turn 3 are due") && !echo.contains("suspended"), "{echo}");
}

#[test]
fn a_mail_that_proves_nothing_wakes_no_game() {
    let mut host = waiting();
    let forged =
        mail("somebody@else.example", "robot@fieldpost.example", "GAME W7 SEAT 2\nREADY\n");
    host.receive(forged);
    let from = mail(&player(2), "robot@fieldpost.example", "GAME W7\nC 1 1\n");
    host.receive(from);
    assert_eq!(game(&host).status, Status::Suspended);
}

#[test]
fn the_game_master_lets_a_silent_game_go_on_and_turns_are_counted_anew() {
    let mut host = waiting();
    host.robot.act(By::Shell, &Release { game: "W7".into() }).expect("goes on");
    goes_on(&mut host);
    assert_eq!(missed(&host)[..2], [0, 0]);
    // They have their turns again, and then it waits again.
    assert_eq!([next(&mut host), next(&mut host), next(&mut host)], [1, 1, 0]);
    assert_eq!((game(&host).turn, game(&host).status), (5, Status::Suspended));
}

#[test]
fn a_word_before_the_deadline_keeps_a_silent_game_going() {
    let mut host = mixed("warlord", 3, 2, &[]);
    assert_eq!([next(&mut host), next(&mut host)], [1, 1]);
    host.receive(host.card(1, "STATUS\n"));
    assert_eq!(next(&mut host), 1, "somebody is there");
    assert_eq!(game(&host).status, Status::Running);
}

#[test]
fn a_game_waits_before_its_rules_give_silent_players_up() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut new = a_game("warlord", 3);
    new.options.insert("absent_turns".into(), "2".into());
    host.robot.new_game(new).expect("a game");
    host.seat_players(3);
    host.robot.start("W7", None, false).expect("starts");
    assert_eq!([next(&mut host), next(&mut host)], [1, 0]);
    assert_eq!(game(&host).status, Status::Suspended, "with one more it would have been over");
}

#[test]
fn players_on_vacation_have_said_so_and_their_game_goes_by_its_calendar() {
    let mut host = mixed("warlord", 3, 1, &[]);
    host.receive(host.card(1, "VACATION 2026-05-29 2026-07-20\n"));
    for _ in 0..5 {
        assert_eq!(next(&mut host), 1);
    }
    assert_eq!((missed(&host)[0], game(&host).status), (0, Status::Running));
}

#[test]
fn a_game_of_computers_alone_waits_for_nobody() {
    let mut host = mixed("warlord", 3, 0, &[]);
    for _ in 0..5 {
        assert_eq!(next(&mut host), 1);
    }
    assert_eq!(game(&host).status, Status::Running);
}
