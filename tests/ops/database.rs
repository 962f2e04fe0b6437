//! A host whose store is a database: copied, put back, moved to a file and back, a game of it taken
//! to another host.

use std::path::Path;

use base::clock::{FixedEntropy, SystemEntropy};
use engine::Seat;
use fieldpost::ops::dump;
use fieldpost::ops::part::Part;
use fieldpost::ops::{archive, backup, copy_store};
use store::{Place, Store};
use support::host::Host;
use support::postgres::{Cluster, server};

fn place(url: &str) -> Place {
    Place::Server(Box::new(server(url)))
}

/// A host with a turn behind it, a card on file and mails of all kinds.
fn played() -> (Host, String) {
    let (mut host, url) = Host::in_a_database();
    host.receive(host.card(1, "M 1 3\n"));
    host.receive(support::host::mail("max@nowhere.example", support::host::ROBOT, "hello\n"));
    host.run_turn();
    host.receive(host.card(2, "M 2 4\n"));
    (host, url)
}

/// The identity of a host: its key, its games, its orders, its mails.
fn shape(store: &Store) -> (String, Vec<String>, String, String) {
    let games = store.games().all().expect("games");
    let games = games.iter().map(|g| format!("{} {} {:?}", g.code, g.turn, g.deadline)).collect();
    let orders =
        store.mails().orders("W7", Seat(2), 2).expect("a store").expect("orders").card.text();
    let mails = store.mails().latest(100).expect("mails");
    let mails: Vec<String> = mails.iter().map(|m| format!("{} {:?}", m.id, m.reason)).collect();
    (store.key().store_id(), games, orders, mails.join(", "))
}

fn opened(place: &Place) -> Store {
    place.open(&SystemEntropy).expect("a store")
}

#[test]
fn a_database_becomes_a_file_and_a_file_a_database_and_each_is_the_same_host() {
    let (host, url) = played();
    let before = shape(&host.robot.store);
    drop(host);
    let folder = tempfile::tempdir().expect("a folder");
    let file = Place::Folder(folder.path().join("data"));
    let other = place(&Cluster::shared().database());
    for (from, to) in [(place(&url), file.clone()), (file, other.clone())] {
        let mut said = Vec::new();
        copy_store::run(&from, &to, &mut said).expect("copied");
        let said = String::from_utf8(said).expect("text");
        assert!(said.contains("Game W7: 2 steps, all the same."), "{said}");
        assert_eq!(shape(&opened(&to)), before);
        let again = copy_store::run(&from, &to, &mut Vec::new()).expect_err("it is not empty");
        assert!(again.to_string().contains("holds a host already"), "{again}");
    }
    // New numbers follow those that were copied.
    let mut store = opened(&other);
    let looks: Vec<String> =
        store.acts(None, 9).expect("acts").into_iter().map(|a| a.kind).collect();
    assert_eq!(looks, ["look-copy"; 2], "who copies a store may see all of it");
    let newest = store.mails().latest(1).expect("mails")[0].id;
    let act = store::NewAct {
        at: jiff::Timestamp::default(),
        by: "shell",
        game: None,
        kind: "tell",
        what: "x",
        back: "",
    };
    assert_eq!(store.write(|tx| tx.record_act(&act)).expect("recorded"), 3);
    let mail = mail::RawMessage {
        source: "main".into(),
        key: "1".into(),
        received_at: jiff::Timestamp::default(),
        size: 1,
        bytes: b"x".to_vec(),
        authenticity: Default::default(),
        checked_from: String::new(),
    };
    store.write(|tx| tx.mails().store_raw(std::slice::from_ref(&mail))).expect("stored");
    assert!(store.mails().unjudged().expect("a store")[0].0 > newest);
}

#[test]
fn a_copy_of_a_database_is_put_back_into_an_empty_one() {
    let (host, url) = played();
    let before = shape(&host.robot.store);
    let folder = tempfile::tempdir().expect("a folder");
    let now = host.robot.now();
    let dumped = backup::copy_of(&place(&url), folder.path(), Some(2), now).expect("copied");
    assert!(dumped.path.extension().is_some_and(|e| e == "dump"), "{:?}", dumped.path);
    assert_eq!((dumped.contents.games, dumped.contents.turns), (1, 1));
    // Where the program is not there, the copy is a file of a store.
    let filed = folder.path().join("copy.sqlite");
    let part = Part::of(&filed).expect("a file");
    let contents = dump::copy(&server(&url), &part, "no-such-program").expect("copied");
    part.put().expect("put");
    assert_eq!((contents.games, contents.turns), (1, 1));
    let refused = dump::put_back(&server(&url), &filed, now).expect_err("it is not empty");
    assert!(refused.to_string().contains("createdb"), "{refused}");
    for copy in [&dumped.path, &filed] {
        let url = Cluster::shared().database();
        dump::put_back(&server(&url), copy, now).unwrap_or_else(|e| panic!("{copy:?}: {e}"));
        let store = opened(&place(&url));
        let newest = store.mails().latest(1).expect("mails").pop().expect("a note");
        assert_eq!(newest.reason.as_str(), "restored");
        assert!(newest.id > 100_000, "receipts that players read are not given again");
        let after = shape(&store);
        assert_eq!((&after.0, &after.1, &after.2), (&before.0, &before.1, &before.2));
    }
    let nothing = folder.path().join("nothing");
    std::fs::write(&nothing, "no copy").expect("written");
    let url = Cluster::shared().database();
    let refused = dump::put_back(&server(&url), &nothing, now).expect_err("no copy");
    assert!(refused.to_string().contains("pg_restore failed"), "{refused}");
}

#[test]
fn a_game_goes_from_a_database_to_a_file_host_and_back() {
    let (mut host, _) = played();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("W7.fieldpost");
    archive::export(&mut host.robot, "W7", &file, true, &mut Vec::new()).expect("exported");
    let mut other = Host::in_a_file();
    let mut said = Vec::new();
    archive::import(&mut other.robot, &file, Some("W8"), &mut said).expect("imported");
    let back = folder.path().join("W8.fieldpost");
    archive::export(&mut other.robot, "W8", &back, true, &mut said).expect("exported");
    archive::import(&mut host.robot, &back, Some("W9"), &mut said).expect("imported");
    let state =
        |robot: &robot::Robot, code: &str| robot.store.journal().hash_of(code, 1).expect("a store");
    assert_eq!(state(&host.robot, "W7"), state(&host.robot, "W9"));
    assert!(host.robot.replay("W9", |_| {}).expect("replayed").iter().all(|t| t.same));
}

#[test]
fn who_only_looks_at_a_database_changes_nothing() {
    let (host, url) = played();
    let mut other = Store::connect(&server(&url), &FixedEntropy::new(3)).expect("a store");
    other.only_read(std::time::Duration::from_secs(1)).expect("set");
    assert_eq!(shape(&other), shape(&host.robot.store));
    let refused = other.write(|tx| tx.set_note("x", "y"));
    assert!(refused.is_err() && other.note("x").expect("a store").is_none());
    assert_eq!(other.path(), Path::new(""), "it has no file");
}
