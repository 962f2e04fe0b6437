//! Two workers on one database: any of them may die at any time, and so may the database's own
//! processes, and the server that it runs on. Work may be divided by roles.

use std::time::Duration;

use base::clock::{Clock, SystemClock};
use jiff::SignedDuration;

use crate::crashes::{arrived, await_silence, by_id};
use crate::{PLAYERS, addresses, card, servers, user};
use support::postgres::Cluster;
use support::process::{GAME, Host, Setup};
use support::rig::{Rig, pause};

/// Everybody has one echo for each card and one printout of each turn; a repeated mail has the same
/// id, and there are few repeats for each kill.
fn whole(host: &Host, rig: &Rig, kills: usize) {
    await_silence(host, rig);
    let listed = host.run(&["mail", "list", "--limit", "100"]);
    assert_eq!(listed.lines().count(), 24, "{listed}");
    let mut repeats = 0;
    for n in PLAYERS {
        let seat = format!("W7 seat {n} ");
        let filed = |l: &&str| l.contains(&seat) && l.contains("accepted") && l.contains("filed");
        assert_eq!(listed.lines().filter(filed).count(), 2, "cards of seat {n}:\n{listed}");
        for (kind, turn, count) in [("p", 1, 1), ("e", 1, 2), ("p", 2, 1)] {
            let ids = by_id(host, n, kind, turn);
            assert_eq!(ids.len(), count, "mails {kind} of turn {turn} for player {n}: {ids:?}");
            repeats += ids.values().sum::<usize>() - count;
        }
    }
    println!("{kills} kills, {repeats} mails that came again under the same id");
    // One connection: a mail whose result was not committed yet, and the next one.
    assert!(repeats <= 2 * kills, "{repeats} repeats");
    assert!(host.run(&["replay", GAME]).contains("2 steps recomputed"));
}

/// The first turn of twelve players on two workers, each of which dies once; returns just after the
/// deadline.
fn two_workers<'a>(rig: &'a Rig, setup: &Setup) -> Host<'a> {
    let mut host = Host::new(rig, setup);
    host.start_game(&addresses(12));
    host.start_worker("one", setup, "");
    host.start_worker("two", setup, "");
    let printouts: Vec<_> = PLAYERS.map(|n| host.await_letter(&user(n), "p", 1)).collect();
    PLAYERS.zip(&printouts).for_each(|(n, p)| host.answer(&user(n), p, 1, "M 1 3"));
    host.await_that("first echo", || arrived(&host, "e", 1) > 0);
    host.kill_worker("one");
    for n in PLAYERS {
        host.await_that("echo", || by_id(&host, n, "e", 1).len() == 1);
    }
    host.start_worker("one", setup, "");
    for (n, printout) in PLAYERS.zip(&printouts).take(11) {
        host.answer(&user(n), printout, 2, &card(n));
    }
    host.await_that("echoes on their way", || arrived(&host, "e", 1) >= 16);
    host.kill_worker("two");
    host.await_that("all echoes but one", || arrived(&host, "e", 1) >= 23);
    host.start_worker("two", setup, "");
    let due = host.due_in(4000);
    host.answer(&user(12), &printouts[11], 2, &card(12));
    for n in PLAYERS {
        host.await_that("echo", || by_id(&host, n, "e", 1).len() == 2);
    }
    pass(due);
    host
}

/// Waits until a little after a deadline.
fn pass(due: jiff::Timestamp) {
    let left = due.duration_since(SystemClock.now()) + SignedDuration::from_millis(60);
    pause(Duration::try_from(left).unwrap_or_default());
}

#[test]
fn workers_and_backends_are_killed_and_nothing_is_lost_or_doubled() {
    let rig = servers();
    let mut cluster = Cluster::start(&[]);
    let url = cluster.database_anew();
    let setup = Setup { connections: 1, store: Some(url.clone()), ..Setup::of(&rig) };
    let mut host = two_workers(&rig, &setup);
    // The database's own processes end while the turn runs and is sent, then the server itself.
    let ends = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE application_name = 'fieldpost'";
    cluster.run(&url, ends);
    host.await_that("first printout", || arrived(&host, "p", 2) > 0);
    cluster.crash();
    host.kill_worker("one");
    PLAYERS.for_each(|n| drop(host.await_letter(&user(n), "p", 2)));
    whole(&host, &rig, 5);
}

#[test]
fn the_server_fails_at_a_deadline_and_its_standby_takes_over() {
    let rig = servers();
    let settings = ["-c", "wal_level=replica", "-c", "hot_standby=on"];
    let mut primary = Cluster::start(&settings);
    let first = primary.database_anew();
    let standby = primary.standby();
    let name = first.split(['/', '?']).nth(3).expect("a database").to_owned();
    let both = format!(
        "postgres:///{name}?user=fieldpost&host={}&host={}",
        primary.socket().display(),
        standby.socket().display()
    );
    // What was confirmed is on both.
    let waits = "ALTER SYSTEM SET synchronous_standby_names = '*'";
    primary.run(&first, waits);
    primary.run(&first, "SELECT pg_reload_conf()");
    let setup = Setup { connections: 1, store: Some(both), ..Setup::of(&rig) };
    let host = two_workers(&rig, &setup);
    primary.stop("immediate");
    standby.promote();
    PLAYERS.for_each(|n| drop(host.await_letter(&user(n), "p", 2)));
    whole(&host, &rig, 3);
}

/// One worker reads mails and runs turns, another draws and sends; before the second starts,
/// `doctor` names the roles that nobody has.
fn divided(store: Option<String>) {
    let rig = servers();
    let setup = Setup { store, ..Setup::of(&rig) };
    let mut host = Host::new(&rig, &setup);
    host.start_game(&addresses(4));
    host.start_worker("one", &setup, "roles = [\"inbox\", \"turns\"]");
    host.await_that("an alarm", || {
        let said = host.try_run_as("one.toml", &["doctor"]).stdout;
        String::from_utf8_lossy(&said).contains("no worker has the role drawing, outbox, web")
    });
    assert!((1..=4).all(|n| by_id(&host, n, "p", 1).is_empty()), "nobody sends");
    host.start_worker("two", &setup, "roles = [\"drawing\", \"outbox\"]");
    let printouts: Vec<_> = (1..=4).map(|n| host.await_letter(&user(n), "p", 1)).collect();
    (1..=3).zip(&printouts).for_each(|(n, p)| host.answer(&user(n), p, 1, &card(n)));
    (1..=3).for_each(|n| drop(host.await_letter(&user(n), "e", 1)));
    let due = host.due_in(4000);
    host.answer(&user(4), &printouts[3], 1, &card(4));
    drop(host.await_letter(&user(4), "e", 1));
    pass(due);
    (1..=4).for_each(|n| drop(host.await_letter(&user(n), "p", 2)));
    let (one, two) = (host.worker_log("one"), host.worker_log("two"));
    for (has, lacks, word) in
        [(&one, &two, " verdict "), (&one, &two, " turn run "), (&two, &one, " sent ")]
    {
        assert!(has.contains(word) && !lacks.contains(word), "{word}:\n{one}\n\n{two}");
    }
}

#[test]
fn work_is_divided_by_roles_over_a_database() {
    let cluster = Cluster::start(&[]);
    divided(Some(cluster.database_anew()));
}

#[test]
fn work_is_divided_by_roles_over_a_file() {
    divided(None);
}
