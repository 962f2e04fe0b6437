//! A round looks at the games that have changed or whose time has come, and at no other.

use std::path::Path;

use base::clock::FixedEntropy;
use jiff::Timestamp;
use store::Store;
use tempfile::tempdir;

fn store(folder: &Path) -> Store {
    support::postgres::open(folder, &FixedEntropy::new(1)).expect("the store opens")
}

fn add(store: &Store, code: &str) {
    let sql = "INSERT INTO game (code, engine, rules_version, setup, status, rule, turn, seed,
               created_at) VALUES ($1, 'toy', 1, '{\"seats\": 2, \"options\": {}, \"data\": {}}',
               'running', '{\"every\": \"7 days\", \"at\": null, \"zone\": \"UTC\"}', 1, 1, 1)";
    store.database().exec(sql, &[&code]).expect("a game");
}

fn at(s: i64) -> Timestamp {
    Timestamp::from_second(s).expect("a time")
}

/// Codes of the games that the round must look at.
fn codes(store: &Store, now: i64) -> Vec<String> {
    let looks = store.to_look_at(at(now)).expect("read");
    looks.into_iter().map(|l| l.game.code).collect()
}

/// Notes of all these games when the next look is due.
fn looked(store: &mut Store, now: i64, next: Option<i64>) {
    let looks = store.to_look_at(at(now)).expect("read");
    let looks: Vec<_> = looks.into_iter().map(|l| (l.game.code, l.stamp, next.map(at))).collect();
    store.write(|tx| tx.looked(&looks)).expect("kept");
}

#[test]
fn a_game_is_looked_at_when_it_has_changed_and_when_its_time_has_come() {
    let folder = tempdir().expect("a folder");
    let (mut ours, mut theirs) = (store(folder.path()), store(folder.path()));
    add(&ours, "A");
    add(&theirs, "B");
    assert_eq!(codes(&ours, 100), ["A", "B"], "new games");
    looked(&mut ours, 100, Some(200));
    assert!(codes(&ours, 199).is_empty(), "nothing happened, so nothing is read");
    assert_eq!(ours.next_look().expect("read"), Some(at(200)));
    assert_eq!(codes(&ours, 200), ["A", "B"], "their time has come");
    looked(&mut ours, 200, Some(300));
    theirs.write(|tx| tx.suspend("A", "why")).expect("suspended");
    assert_eq!(codes(&ours, 201), ["A"], "another process has changed it");
    looked(&mut ours, 201, None);
    assert_eq!(ours.next_look().expect("read"), Some(at(300)), "B alone has a time");
}

#[test]
fn each_part_of_a_game_that_changes_has_it_looked_at() {
    let folder = tempdir().expect("a folder");
    let mut store = store(folder.path());
    add(&store, "A");
    add(&store, "B");
    let changes = [
        "INSERT INTO step (game, number, label, awaited, clock, opened_at)
         VALUES ('A', 1, '', '[]', 'calendar', 1)",
        "UPDATE step SET due_at = 5 WHERE game = 'A'",
        "INSERT INTO seat (game, seat, name, address, zone, password_digest, any_address)
         VALUES ('A', 1, '', '', 'UTC', '', 0)",
        "UPDATE seat SET ready = 1 WHERE game = 'A'",
        "INSERT INTO orders (game, seat, turn, card, received_at) VALUES ('A', 1, 1, '', 1)",
        "UPDATE orders SET done = 1 WHERE game = 'A'",
        "DELETE FROM orders WHERE game = 'A'",
        "INSERT INTO waiting (game, address, wish, since) VALUES ('A', 'a@x.example', '{}', 1)",
        "UPDATE waiting SET offered_at = 5 WHERE game = 'A'",
        "DELETE FROM waiting WHERE game = 'A'",
        "DELETE FROM step WHERE game = 'A'",
        "DELETE FROM seat WHERE game = 'A'",
        "UPDATE game SET terms = '{}' WHERE code = 'A'",
    ];
    for change in changes {
        looked(&mut store, 100, Some(200));
        store.database().exec(change, &[]).expect(change);
        assert_eq!(codes(&store, 100), ["A"], "{change}");
    }
    store.database().exec("DELETE FROM game WHERE code = 'A'", &[]).expect("gone");
    assert_eq!(codes(&store, 300), ["B"], "what is gone is not looked at");
}

#[test]
fn what_changes_while_somebody_looks_is_looked_at_again() {
    let folder = tempdir().expect("a folder");
    let (mut ours, mut theirs) = (store(folder.path()), store(folder.path()));
    add(&ours, "A");
    let looks = ours.to_look_at(at(100)).expect("read");
    theirs.write(|tx| tx.suspend("A", "why")).expect("suspended");
    let next = vec![(looks[0].game.code.clone(), looks[0].stamp, Some(at(200)))];
    ours.write(|tx| tx.looked(&next)).expect("kept");
    assert_eq!(codes(&ours, 101), ["A"]);
}
