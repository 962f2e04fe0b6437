//! Stores of every earlier schema open, keep what they have, and play on. These stories also test a
//! new schema in the list, without more code.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base::clock::FixedEntropy;
use fieldpost::ops::backup::{copy, put_back};
use rusqlite::Connection;
use rusqlite::types::Value;
use store::{FILE, Reason, SCHEMAS, Status, Store, Verdict};

use crate::place::*;
use support::host::*;

/// Rows of a table, as columns and values.
type Rows = Vec<Vec<(String, Value)>>;

/// A store of an earlier schema with all data of a newer one that fits into it.
fn older(version: usize, newest: &Path, to: &Path) {
    let conn = Connection::open(to).expect("a file");
    SCHEMAS[..version].iter().for_each(|sql| conn.execute_batch(sql).expect("a schema"));
    conn.pragma_update(None, "user_version", version as i64).expect("a version");
    conn.pragma_update(None, "foreign_keys", false).expect("any order");
    let newest = newest.to_string_lossy().into_owned();
    conn.execute("ATTACH ?1 AS newest", [newest]).expect("attached");
    // Triggers make the rows of "look".
    for table in tables(&conn).into_iter().filter(|t| t != "look") {
        let table_now = name_now(&table);
        let new = columns(&conn, "newest", table_now);
        let (mut into, mut from) = (Vec::new(), Vec::new());
        for column in columns(&conn, "main", &table) {
            match column.as_str() {
                name if new.iter().any(|n| n == name_now(name)) => {
                    from.push(name_now(name).to_owned());
                }
                // Its successor is `contact`.
                "disclose" => from.push("contact = 'disclose'".to_owned()),
                "format" => from.push("coalesce(choices ->> '$.format', '{}')".to_owned()),
                "reminders" => from.push("coalesce(choices ->> '$.reminders', 1)".to_owned()),
                _ => continue,
            }
            into.push(column);
        }
        let (into, from) = (into.join(", "), from.join(", "));
        let sql =
            format!("INSERT INTO main.{table} ({into}) SELECT {from} FROM newest.{table_now}");
        conn.execute(&sql, []).expect("rows");
    }
    if columns(&conn, "main", "game").contains(&"deadline".to_owned()) {
        // Its successor is the deadline of the open step.
        let sql = "UPDATE main.game SET deadline = (SELECT due_at FROM newest.step s
                   WHERE s.game = code AND s.number = turn)";
        conn.execute(sql, []).expect("deadlines");
    }
}

/// The present name of a table or a column.
fn name_now(name: &str) -> &str {
    match name {
        "held" => "pending",
        "held_why" => "suspended_why",
        "suspended_at" => "suppressed_at",
        name => name,
    }
}

fn tables(conn: &Connection) -> Vec<String> {
    let sql =
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
    let mut query = conn.prepare(sql).expect("a query");
    query.query_map([], |r| r.get(0)).expect("rows").map(|r| r.expect("a name")).collect()
}

fn columns(conn: &Connection, schema: &str, table: &str) -> Vec<String> {
    let mut query =
        conn.prepare("SELECT name FROM pragma_table_info(?1, ?2) ORDER BY cid").expect("a query");
    let rows = query.query_map([table, schema], |r| r.get(0)).expect("rows");
    rows.map(|r| r.expect("a name")).collect()
}

/// Everything in a store, table by table.
fn contents(path: &Path) -> BTreeMap<String, Rows> {
    let conn = Connection::open(path).expect("a store");
    let mut found = BTreeMap::new();
    for table in tables(&conn) {
        let names = columns(&conn, "main", &table);
        let sql = format!("SELECT * FROM {table} ORDER BY {}", names.join(", "));
        let mut query = conn.prepare(&sql).expect("a query");
        let row =
            |r: &rusqlite::Row| names.iter().map(|n| Ok((n.clone(), r.get(n.as_str())?))).collect();
        let rows = query.query_map([], row).expect("rows").map(|r| r.expect("a row")).collect();
        found.insert(table, rows);
    }
    found
}

/// A host with cards on file, a pending card, mails of strangers, and a turn behind it.
fn lived_in() -> Host {
    let mut host = Host::new();
    // A game that began before chains of seeds keeps its own seed.
    let sql = "UPDATE game SET chains = '[]', seed = 7";
    host.robot.store.database().exec(sql, &[]).expect("a store");
    send_cards(&mut host);
    host.run_turn();
    send_cards(&mut host);
    host.receive(mail("max@nowhere.example", ROBOT, "hello\n"));
    let pending = host.receive(mail(&player(3), ROBOT, "GAME W7 SEAT 3\nM 3 1\n"));
    assert_eq!(pending.verdict.map(|v| v.as_str()), Some("pending"));
    host
}

/// Asserts that each old row still exists, in all columns that both schemas have.
fn kept(before: &BTreeMap<String, Rows>, after: &BTreeMap<String, Rows>, version: usize) {
    // A step may cause one more look at a game.
    for (table, rows) in before.iter().filter(|(table, _)| *table != "look") {
        let now = after.get(name_now(table)).unwrap_or_else(|| panic!("{table} is gone"));
        let has = |row: &Vec<(String, Value)>| {
            now.iter().any(|new| {
                row.iter().all(|(name, value)| {
                    let same = new.iter().find(|(n, _)| n == name_now(name));
                    same.is_none_or(|(_, v)| v == value)
                })
            })
        };
        assert_eq!(now.len(), rows.len(), "{table} of schema {version}");
        assert!(rows.iter().all(has), "{table} of schema {version} has other rows");
    }
}

#[test]
fn a_store_of_every_schema_opens_keeps_its_rows_and_plays_on() {
    let mut host = lived_in();
    let folder = tempfile::tempdir().expect("a folder");
    let newest = folder.path().join("newest");
    copy(host.dir.path(), &newest, None, host.robot.now()).expect("a copy");
    host.run_turn();
    let expected = outcome(&host, "W7", 2);
    for version in 1..=SCHEMAS.len() {
        let mut then = another_host(5);
        let _spare = drop_store(&mut then);
        fs::remove_file(store_of(&then)).expect("a store to remove");
        older(version, &newest, &then.dir.path().join(FILE));
        let before = contents(&store_of(&then));
        assert!(before["mail"].len() == 10 && before["turn"].len() == 2, "schema {version}");
        start_again(&mut then);
        kept(&before, &contents(&store_of(&then)), version);
        let game = then.robot.game("W7").expect("the game");
        assert_eq!((game.turn, game.terms.clone()), (2, Default::default()), "schema {version}");
        let contact: Vec<&str> = then
            .robot
            .store
            .games()
            .seats("W7")
            .expect("seats")
            .iter()
            .map(|s| s.contact.as_str())
            .collect();
        assert_eq!(contact, ["disclose", "hide", "disclose", "hide"], "schema {version}");
        // Skips the keys of mails that are in the store already.
        (0..50).for_each(|_| drop(then.message(b"")));
        // An answer to an old printout is still proven, and the turn is the same.
        then.clock.set(game.deadline.expect("a deadline") - jiff::SignedDuration::from_hours(1));
        assert_eq!(then.receive(then.card(1, "CHECK\nM 1 2\n")).reason.as_str(), "checked");
        then.run_turn();
        assert_eq!(outcome(&then, "W7", 2), expected, "schema {version}");
        assert_eq!(replayed(&mut then, "W7"), 3, "schema {version}");
        assert!(then.last_mail(2).subject.contains("T3 S2"), "schema {version}");
    }
}

#[test]
fn a_copy_of_every_schema_is_put_back_and_brought_up_to_date() {
    let mut host = lived_in();
    let folder = tempfile::tempdir().expect("a folder");
    let newest = folder.path().join("newest");
    let now = host.robot.now();
    copy(host.dir.path(), &newest, None, now).expect("a copy");
    for version in 1..=SCHEMAS.len() {
        let old = folder.path().join(format!("schema-{version}"));
        older(version, &newest, &old);
        let bytes = fs::read(&old).expect("a copy");
        let _spare = drop_store(&mut host);
        let later = now + jiff::SignedDuration::from_secs(version as i64);
        let done = put_back(host.dir.path(), &old, later).expect("put back");
        assert_eq!(done.contents.schema, version);
        assert_eq!(fs::read(&old).expect("a copy"), bytes, "the copy is only read");
        let conn = Connection::open(store_of(&host)).expect("a store");
        let found: i64 = conn.query_row("PRAGMA user_version", [], |r| r.get(0)).expect("one");
        assert_eq!(found, SCHEMAS.len() as i64);
        drop(conn);
        start_again(&mut host);
        assert!(!host.on_file(4).is_empty(), "schema {version}");
    }
}

#[test]
fn a_file_with_one_game_of_an_earlier_schema_is_taken_in() {
    let mut host = lived_in();
    let folder = tempfile::tempdir().expect("a folder");
    let newest = folder.path().join("newest");
    host.robot.export_game("W7", &newest, false).expect("exported");
    // Files with one game are written since the fourth.
    for version in 4..=SCHEMAS.len() {
        let old = folder.path().join(format!("schema-{version}"));
        older(version, &newest, &old);
        let mut new = another_host(99);
        new.robot.import_game(&old, None).expect("imported");
        new.robot.as_game_master(|gm| gm.release("W7")).expect("released");
        assert!(!new.on_file(4).is_empty());
        assert_eq!(replayed(&mut new, "W7"), 2);
    }
}

#[test]
fn two_programs_that_find_no_store_make_one() {
    for seed in 0..8 {
        let folder = tempfile::tempdir().expect("a folder");
        let open =
            || Store::open(folder.path(), &FixedEntropy::new(seed)).map(|s| s.key().question(1));
        let keys: Vec<_> = std::thread::scope(|scope| {
            let both: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
            both.into_iter().map(|t| t.join().expect("no panic").expect("it opens")).collect()
        });
        assert!(keys.iter().all(|k| *k == keys[0]), "one key for all");
    }
}

#[test]
fn a_turn_that_ran_before_steps_were_kept_is_taken_back_and_runs_again() {
    let mut host = lived_in();
    let folder = tempfile::tempdir().expect("a folder");
    let newest = folder.path().join("newest");
    host.run_turn();
    copy(host.dir.path(), &newest, None, host.robot.now()).expect("a copy");
    let expected = outcome(&host, "W7", 2);
    // Version 5 had no steps; version 6 kept those that opened after the upgrade.
    for version in [5, 6] {
        let mut then = another_host(5);
        let _spare = drop_store(&mut then);
        fs::remove_file(store_of(&then)).expect("a store to remove");
        older(version, &newest, &store_of(&then));
        let conn = Connection::open(store_of(&then)).expect("a store");
        if version == 6 {
            conn.execute("DELETE FROM step WHERE number < 3", []).expect("none of before");
        }
        drop(conn);
        start_again(&mut then);
        then.clock.set(host.robot.now());
        (0..50).for_each(|_| drop(then.message(b"")));
        assert_eq!(then.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back"), 2);
        then.robot.as_game_master(|gm| gm.release("W7")).expect("it goes on");
        let game = then.robot.game("W7").expect("the game");
        assert_eq!(game.step.label, "turn 2", "schema {version}");
        assert_eq!(game.step.awaited.len(), 4, "schema {version}");
        then.clock.set(game.deadline.expect("a deadline"));
        then.run_turn();
        assert_eq!(outcome(&then, "W7", 2), expected, "schema {version}");
    }
}

#[test]
fn former_words_of_games_and_mails_are_replaced() {
    let host = lived_in();
    let folder = tempfile::tempdir().expect("a folder");
    let newest = folder.path().join("newest");
    copy(host.dir.path(), &newest, None, host.robot.now()).expect("a copy");
    let mut then = another_host(5);
    let _spare = drop_store(&mut then);
    fs::remove_file(store_of(&then)).expect("a store to remove");
    older(6, &newest, &store_of(&then));
    let conn = Connection::open(store_of(&then)).expect("a store");
    conn.execute_batch(
        "UPDATE game SET status = 'held';
         UPDATE mail SET verdict = 'held' WHERE verdict = 'pending';",
    )
    .expect("the words of schema 6");
    let former = [
        ("dropped", Reason::Discarded),
        ("several-held", Reason::SeveralPending),
        ("nothing-held", Reason::NothingPending),
    ];
    let reason = "UPDATE mail SET reason = ?1 WHERE id = ?2";
    for (id, (word, _)) in (1_i64..).zip(former) {
        conn.execute(reason, (word, id)).expect("a mail");
    }
    drop(conn);
    start_again(&mut then);
    // The stored word itself, because an unknown word would also read as suspended.
    let word = |sql: &str| -> String {
        then.robot.store.connection().query_row(sql, [], |r| r.get(0)).expect("a word")
    };
    assert_eq!(word("SELECT DISTINCT status FROM game"), Status::Suspended.as_str());
    let waits = then.robot.store.mails().quarantined(9).expect("a store");
    assert_eq!(waits.iter().map(|m| m.verdict).collect::<Vec<_>>(), [Some(Verdict::Pending)]);
    for (id, (_, reason)) in (1_i64..).zip(former) {
        assert_eq!(word(&format!("SELECT reason FROM mail WHERE id = {id}")), reason.as_str());
    }
}
