//! Looks at all games share one reading, as long as nobody committed anything.

use std::path::Path;
use std::sync::Arc;

use base::clock::FixedEntropy;
use store::{Status, Store};
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

#[test]
fn a_look_sees_what_this_process_and_others_committed() {
    let folder = tempdir().expect("a folder");
    let (mut ours, mut theirs) = (store(folder.path()), store(folder.path()));
    add(&ours, "A");
    let before = ours.version_seen().expect("read");
    let first = ours.all_games().expect("read");
    assert_eq!(first.len(), 1);
    let again = ours.all_games().expect("read");
    // On a server the neighbours' databases count too.
    let quiet = ours.version_seen().expect("read") == before;
    assert!(quiet || support::postgres::is_tested());
    assert!(Arc::ptr_eq(&first, &again) || !quiet, "nothing happened, so nothing is read");
    add(&theirs, "B");
    assert_eq!(ours.all_games().expect("read").len(), 2, "another process made a game");
    theirs.write(|tx| tx.suspend("A", "why")).expect("suspended");
    assert_eq!(ours.all_games().expect("read")[0].status, Status::Suspended);
    ours.write(|tx| tx.release("A")).expect("released");
    assert_eq!(ours.all_games().expect("read")[0].status, Status::Running);
    assert_eq!(first.len(), 1, "whoever looks on keeps what they saw");
}

#[test]
fn what_is_taken_back_is_not_kept() {
    let folder = tempdir().expect("a folder");
    let store = store(folder.path());
    store.database().batch("BEGIN").expect("begun");
    add(&store, "A");
    assert_eq!(store.all_games().expect("read").len(), 1, "within its commit it is there");
    store.database().batch("ROLLBACK").expect("taken back");
    assert!(store.all_games().expect("read").is_empty());
}
