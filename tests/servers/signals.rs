//! A robot that gets a signal to stop, or to read its config again.

use std::collections::BTreeSet;
use std::fs;
use std::time::Duration;

use crate::{PLAYERS, addresses, card, servers, user};
use support::process::{GAME, Host, Setup};
use support::rig::poll;

/// The longest that a robot may take to stop.
const STOP_MAX: Duration = Duration::from_secs(5);

/// Stops the robot with a signal, and waits until it has ended, in time and without an error.
fn stop(host: &mut Host) {
    host.signal("TERM");
    let ended = poll(STOP_MAX, || host.ended());
    assert_eq!(ended, Some(true), "the robot stops in time: {}", host.log());
    host.forget();
    assert!(host.log().trim_end().ends_with("stopped"), "{}", host.log());
}

#[test]
fn a_robot_that_listens_stops_at_once_and_nothing_is_repeated_after_it() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup { connections: 1, ..Setup::of(&rig) });
    host.start_game(&addresses(12));
    host.serve();
    let printouts: Vec<_> = PLAYERS.map(|n| host.await_letter(&user(n), "p", 1)).collect();
    host.await_moves();
    stop(&mut host);

    host.serve();
    PLAYERS.zip(&printouts).for_each(|(n, p)| host.answer(&user(n), p, 1, &card(n)));
    host.await_that("first echo", || host.log().contains("kind=\"echo\""));
    // In the middle of echoes, then in the middle of printouts.
    stop(&mut host);
    host.serve();
    PLAYERS.for_each(|n| drop(host.await_letter(&user(n), "e", 1)));
    host.run(&["turn", "run", GAME]);
    host.await_that("first printout", || {
        PLAYERS.filter(|n| host.letters(&user(*n)).iter().any(|l| l.is("p", 2))).count() > 0
    });
    stop(&mut host);
    host.serve();
    PLAYERS.for_each(|n| drop(host.await_letter(&user(n), "p", 2)));
    host.await_that("empty outbox", || {
        host.run(&["game", "show", GAME]).contains("Outbox: 0 waiting, ")
    });
    host.await_that("empty queue", || rig.queue_is_empty());
    for n in PLAYERS {
        let letters = host.letters(&user(n));
        let ids: BTreeSet<&str> = letters.iter().map(|l| l.id()).collect();
        assert_eq!((letters.len(), ids.len()), (3, 3), "player {n}: printout, echo, printout");
    }
    assert_eq!(rig.mails("robot", "Accepted").len(), 12);
    stop(&mut host);
}

#[test]
fn the_config_is_read_anew_and_a_bad_one_changes_nothing() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    host.start_game(&addresses(2));
    host.serve();
    let first = host.await_letter("p1", "p", 1);

    let good = fs::read_to_string(host.path("robot.toml")).expect("a config");
    fs::write(host.path("robot.toml"), good.replace("gm = ", "gn = ")).expect("written");
    host.signal("HUP");
    host.await_that("word of the bad config", || {
        let log = host.log();
        log.contains("the config stays as it was") && log.contains("unknown field `gn`")
    });
    host.answer("p1", &first, 1, &card(1));
    host.await_letter("p1", "e", 1);

    // One card an hour, and a log in another file.
    let new = format!("{}\n[limits]\ncards_per_hour = 1\n", good.replace("\"info\"", "\"debug\""));
    fs::write(host.path("robot.toml"), new).expect("written");
    host.signal("HUP");
    host.await_that("word of the new config", || host.log().contains("the config was read anew"));
    host.answer("p1", &first, 2, &card(1));
    host.await_that("the new limit", || {
        host.run(&["mail", "list"]).lines().any(|l| l.contains("rejected"))
    });
    // The log shows a step that begins only at the new level; the robot learns of the step at its
    // next mail.
    host.due_in(0);
    host.answer("p1", &first, 3, &card(1));
    host.await_that("the new level", || host.log().contains("DEBUG"));
    stop(&mut host);
}

#[test]
fn a_config_that_changes_while_mails_are_under_way_sends_none_of_them_twice() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup { connections: 1, ..Setup::of(&rig) });
    host.start_game(&addresses(12));
    let config = fs::read_to_string(host.path("robot.toml")).expect("a config");
    host.serve();
    host.await_that("a service", || host.log().contains("serving"));
    for n in 1..=4 {
        let limits = format!("{config}\n[limits]\ncards_per_hour = {n}\n");
        fs::write(host.path("robot.toml"), limits).expect("written");
        host.signal("HUP");
        host.await_that("a new service", || {
            host.log().matches("the config was read anew").count() == n
        });
    }
    PLAYERS.for_each(|n| drop(host.await_letter(&user(n), "p", 1)));
    host.await_that("empty queue", || rig.queue_is_empty());
    for n in PLAYERS {
        assert_eq!(host.letters(&user(n)).len(), 1, "player {n} has one printout");
    }
    stop(&mut host);
}

#[test]
fn a_log_that_was_moved_away_goes_on_in_a_new_file() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    let config = fs::read_to_string(host.path("robot.toml")).expect("a config");
    let (log, old) = (host.path("fieldpost.log"), host.path("fieldpost.log.1"));
    let config = format!("{config}file = {log:?}\n");
    fs::write(host.path("robot.toml"), config).expect("written");
    host.start_game(&addresses(2));
    host.serve();
    let first = host.await_letter("p1", "p", 1);
    fs::rename(&log, &old).expect("moved");
    host.signal("HUP");
    host.await_that("a new file", || log.exists());
    host.answer("p1", &first, 1, &card(1));
    host.await_letter("p1", "e", 1);
    host.signal("TERM");
    assert_eq!(poll(STOP_MAX, || host.ended()), Some(true));
    host.forget();
    let read = |path| fs::read_to_string(path).expect("a log");
    assert!(read(&old).contains("serving") && read(&log).contains("stopped"));
    assert!(!read(&log).contains('\u{1b}'), "no colours in a file");
}
