//! A robot that is killed at bad moments and started again.

use std::collections::BTreeMap;
use std::time::Duration;

use base::clock::{Clock, SystemClock};
use jiff::SignedDuration;

use crate::{PLAYERS, addresses, card, servers, user};
use support::process::{GAME, Host, Setup};
use support::rig::{Rig, pause};

/// Mails of a kind and turn in all players' mailboxes.
pub fn arrived(host: &Host, kind: &str, turn: u32) -> usize {
    let of = |n| host.letters(&user(n)).iter().filter(|l| l.is(kind, turn)).count();
    PLAYERS.map(of).sum()
}

/// Mails of a kind and turn by player, and how often each came.
pub fn by_id(host: &Host, player: u32, kind: &str, turn: u32) -> BTreeMap<String, usize> {
    let mut ids = BTreeMap::new();
    for letter in host.letters(&user(player)).iter().filter(|l| l.is(kind, turn)) {
        *ids.entry(letter.id().to_owned()).or_insert(0) += 1;
    }
    ids
}

/// Kills the robot, prints what had arrived by then, and starts it again.
fn crash(host: &mut Host, moment: &str) {
    host.kill();
    let (echoes, printouts) = (arrived(host, "e", 1), arrived(host, "p", 2));
    let run = host.log().matches("turn run").count();
    println!("killed {moment}: {echoes} echoes, {run} turns run, {printouts} new printouts");
    host.serve();
}

/// Waits until every player has `each` different echoes.
fn await_echoes(host: &Host, each: usize) {
    for n in PLAYERS {
        host.await_that("echo", || by_id(host, n, "e", 1).len() == each);
    }
}

/// Waits until no mail is on its way, so that a late repeat is seen.
pub fn await_silence(host: &Host, rig: &Rig) {
    host.await_that("empty outbox", || {
        host.run(&["game", "show", GAME]).contains("Outbox: 0 waiting, ")
    });
    host.await_that("empty queue", || rig.queue_is_empty());
}

#[test]
fn killed_five_times_and_nothing_is_lost_or_doubled() {
    let rig = servers();
    // With one connection sending takes long, so that the kills fall into it.
    let mut host = Host::new(&rig, &Setup { connections: 1, ..Setup::of(&rig) });
    host.start_game(&addresses(12));
    host.serve();
    let printouts: Vec<_> = PLAYERS.map(|n| host.await_letter(&user(n), "p", 1)).collect();

    PLAYERS.zip(&printouts).for_each(|(n, p)| host.answer(&user(n), p, 1, "M 1 3"));
    crash(&mut host, "after the cards were sent");
    host.await_that("first echo", || arrived(&host, "e", 1) > 0);
    crash(&mut host, "at the first echo");
    await_echoes(&host, 1);

    // A second card of each player, which replaces the first.
    for (n, printout) in PLAYERS.zip(&printouts).take(11) {
        host.answer(&user(n), printout, 2, &card(n));
    }
    host.await_that("echoes on their way", || arrived(&host, "e", 1) >= 16);
    crash(&mut host, "while echoes go out");
    host.await_that("all echoes but one", || arrived(&host, "e", 1) >= 23);
    let due = host.due_in(4000);
    host.answer(&user(12), &printouts[11], 2, &card(12));
    await_echoes(&host, 2);
    await_silence(&host, &rig);
    let shown = host.run(&["game", "show", GAME]);
    assert_eq!(shown.matches("2 orders, ").count(), 12, "the second cards count:\n{shown}");
    let listed = host.run(&["mail", "list", "--limit", "100"]);

    let left = due.duration_since(SystemClock.now()) + SignedDuration::from_millis(60);
    assert!(left.is_positive(), "the deadline has not passed");
    pause(Duration::try_from(left).expect("it is positive"));
    crash(&mut host, "at the deadline");
    host.await_that("first printout", || arrived(&host, "p", 2) > 0);
    crash(&mut host, "while printouts go out");
    PLAYERS.for_each(|n| drop(host.await_letter(&user(n), "p", 2)));
    await_silence(&host, &rig);

    // One verdict for each card, and no mail is mistaken for another.
    assert_eq!(host.run(&["mail", "list", "--limit", "100"]), listed, "no new verdicts");
    assert_eq!(listed.lines().count(), 24, "{listed}");
    for n in PLAYERS {
        let seat = format!("W7 seat {n} ");
        let accepted =
            |l: &&str| l.contains(&seat) && l.contains("accepted") && l.contains("filed");
        let verdicts = listed.lines().filter(accepted).count();
        assert_eq!(verdicts, 2, "both cards of seat {n} were filed:\n{listed}");
    }
    assert_eq!(rig.mails("robot", "Accepted").len(), 24);
    for folder in ["INBOX", "Rejected", "Ignored", "Quarantine"] {
        assert!(rig.mails("robot", folder).is_empty(), "{folder} is empty");
    }

    // Each player has one echo for each card and one printout of each turn. A mail that the server
    // had taken when the robot died comes again under the same id: it counts once, and is rare.
    let mut repeats = 0;
    for n in PLAYERS {
        for (kind, turn, count) in [("p", 1, 1), ("e", 1, 2), ("p", 2, 1)] {
            let ids = by_id(&host, n, kind, turn);
            assert_eq!(ids.len(), count, "mails {kind} of turn {turn} for player {n}: {ids:?}");
            repeats += ids.values().sum::<usize>() - count;
        }
        let all = host.letters(&user(n));
        let known = all.iter().filter(|l| l.is("p", 1) || l.is("e", 1) || l.is("p", 2)).count();
        assert_eq!(known, all.len(), "player {n} got nothing else");
    }
    println!("mails that came again under the same id: {repeats}");
    // One connection: a mail whose result was not committed yet, and the next one.
    assert!(repeats <= 10, "{repeats} repeats");

    let turns_run = host.letters("gm").iter().filter(|l| l.body.contains(" ran ")).count();
    assert!(turns_run >= 1, "the game master heard of the turn");
    assert!(host.run(&["replay", GAME]).contains("2 steps recomputed"));
    host.kill();
}
