//! Copies of the whole store, made beside a busy robot, and put back after a loss.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use base::clock::{Clock, FixedEntropy};
use fieldpost::ops::backup::{copy, put_back};

use jiff::Timestamp;
use rusqlite::Connection;
use store::{SCHEMAS, Store};

use crate::place::*;
use support::host::*;

fn at(hour: i64) -> Timestamp {
    Timestamp::from_second(1_795_000_000 + hour * 3600).expect("a time")
}

/// Copies a store while another connection writes without a pause.
fn copy_beside_a_writer(data: &Path, to: &Path) -> fieldpost::ops::backup::Copied {
    let (done, written) = (AtomicBool::new(false), AtomicU32::new(0));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut store = Store::open(data, &FixedEntropy::new(3)).expect("a store");
            while !done.load(Ordering::SeqCst) {
                let n = written.fetch_add(1, Ordering::SeqCst);
                store
                    .write(|tx| tx.set_note("busy", &"x".repeat(n as usize % 5000)))
                    .expect("written");
            }
        });
        while written.load(Ordering::SeqCst) < 5 {
            std::thread::yield_now();
        }
        let copied = copy(data, to, None, at(0));
        done.store(true, Ordering::SeqCst);
        copied.expect("a copy")
    })
}

#[test]
fn a_game_half_played_is_copied_lost_put_back_and_played_on_the_same() {
    let mut host = Host::new();
    for _ in 0..2 {
        send_cards(&mut host);
        host.run_turn();
    }
    let copies = tempfile::tempdir().expect("a folder");
    let made = copy_beside_a_writer(host.dir.path(), &copies.path().join("new/"));
    assert_eq!(names(&copies.path().join("new")), ["fieldpost-20261118T110640Z.sqlite"]);
    assert_eq!((made.contents.games, made.contents.turns), (1, 2));
    assert_eq!(made.size, fs::metadata(&made.path).expect("a file").len());
    let mode = fs::metadata(&made.path).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it has the host's key");

    // A turn that is not in the copy. Then the disk dies.
    send_cards(&mut host);
    host.run_turn();
    let (first, first_mail) = (outcome(&host, "W7", 3), host.last_mail(2));
    let deadline = host.robot.game("W7").expect("the game").deadline.expect("a deadline");
    let _spare = drop_store(&mut host);
    for file in fs::read_dir(host.dir.path()).expect("a folder") {
        fs::remove_file(file.expect("a file").path()).expect("gone");
    }
    let restored = put_back(host.dir.path(), &made.path, at(1)).expect("put back");
    assert_eq!(restored.before, None, "there was nothing left to put aside");
    start_again(&mut host);
    assert_eq!(host.robot.game("W7").expect("the game").turn, 3);

    // The same cards come again, in time.
    let due = host.robot.game("W7").expect("the game").deadline.expect("a deadline");
    host.clock.set(due - jiff::SignedDuration::from_hours(1));
    send_cards(&mut host);
    host.run_turn();
    assert_eq!(outcome(&host, "W7", 3), first, "the same seed and cards give the same bytes");
    assert_eq!(host.robot.game("W7").expect("the game").deadline, Some(deadline));
    let again = host.last_mail(2);
    assert_eq!(again.message_id, first_mail.message_id, "a repeat can be recognised");
    let differ: Vec<(&str, &str)> =
        first_mail.text.lines().zip(again.text.lines()).filter(|(a, b)| a != b).collect();
    assert_eq!(first_mail.text.lines().count(), again.text.lines().count());
    assert_eq!(differ, []);
    assert_eq!(replayed(&mut host, "W7"), 4);
}

#[test]
fn receipts_after_a_restore_are_never_those_of_earlier_mails() {
    let mut host = Host::new();
    send_cards(&mut host);
    let copies = tempfile::tempdir().expect("a folder");
    let made = copy(host.dir.path(), &copies.path().join("c"), None, at(0)).expect("a copy");
    let lost = host.receive(host.card(1, "M 1 2\n"));
    let lost_echo = host.last_mail(1).message_id;
    let _spare = drop_store(&mut host);
    put_back(host.dir.path(), &made.path, at(1)).expect("put back");
    start_again(&mut host);
    let row = host.receive(host.card(1, "M 1 4\n"));
    assert!(row.id > lost.id + 1000, "{} after {}", row.id, lost.id);
    assert_ne!(host.last_mail(1).message_id, lost_echo, "another echo is another mail");
    let told = host.robot.store.mails().latest(10).expect("a store");
    assert!(
        told.iter().any(|m| m.reason.as_str() == "restored"),
        "the game master sees it in the list"
    );
}

#[test]
fn of_older_copies_so_many_stay_and_nothing_else_goes() {
    let host = Host::new();
    let folder = tempfile::tempdir().expect("a folder");
    let strangers =
        ["fieldpost-20200101T000000Z.sqlite.gz", "fieldpost-before-party.sqlite", "notes.txt"];
    strangers.iter().for_each(|n| fs::write(folder.path().join(n), "mine").expect("written"));
    for hour in 0..4 {
        let done = copy(host.dir.path(), folder.path(), Some(2), at(hour)).expect("a copy");
        assert_eq!(done.removed.len(), usize::from(hour > 1), "in hour {hour}");
    }
    let mut left = names(folder.path());
    left.retain(|n| !strangers.contains(&n.as_str()));
    assert_eq!(left, ["fieldpost-20261118T130640Z.sqlite", "fieldpost-20261118T140640Z.sqlite"]);
    assert_eq!(names(folder.path()).len(), 5);
    let file = folder.path().join("one.sqlite");
    let refused = copy(host.dir.path(), &file, Some(2), at(9)).expect_err("no folder");
    assert!(refused.to_string().contains("wants a folder"), "{refused}");
}

#[test]
fn a_clock_that_went_back_never_costs_the_new_copy() {
    let host = Host::new();
    let folder = tempfile::tempdir().expect("a folder");
    copy(host.dir.path(), folder.path(), None, at(5)).expect("a copy");
    let new = copy(host.dir.path(), folder.path(), Some(1), at(1)).expect("a copy");
    assert!(new.path.exists());
}

#[test]
fn a_copy_overwrites_nothing_and_one_that_fails_leaves_nothing() {
    let mut host = Host::new();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("precious");
    fs::write(&file, "precious").expect("written");
    let refused = copy(host.dir.path(), &file, None, at(0)).expect_err("it is there");
    assert!(refused.to_string().contains("nothing is overwritten"), "{refused}");
    assert_eq!(fs::read(&file).expect("a file"), b"precious");

    let _spare = drop_store(&mut host);
    damage(&store_of(&host));
    let failed = copy(host.dir.path(), &folder.path().join("new"), None, at(0));
    let told = failed.expect_err("a damaged store").to_string();
    assert!(told.contains("damaged"), "{told}");
    assert_eq!(names(folder.path()), ["precious"]);
    let missing = copy(folder.path(), &folder.path().join("new"), None, at(0));
    assert!(missing.expect_err("no store").to_string().contains("is not there"));
}

/// Overwrites the second half of a file; its length stays.
fn damage(path: &Path) {
    let mut bytes = fs::read(path).expect("a file");
    let middle = bytes.len() / 2 / 4096 * 4096;
    bytes[middle..].fill(0xA5);
    fs::write(path, bytes).expect("written");
}

#[test]
fn nothing_is_put_back_beside_a_robot_that_serves_or_a_program_that_reads() {
    let mut host = Host::new();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copy.sqlite");
    copy(host.dir.path(), &file, None, at(0)).expect("a copy");
    let serving = fieldpost::host::lock_folder(host.dir.path()).expect("nobody serves yet");
    let config = config(host.dir.path());
    let mut out = Vec::new();
    let refused = fieldpost::ops::backup::restore(&config, &file, false, &mut out);
    let refused = refused.expect_err("a robot serves").to_string();
    assert!(refused.contains("another robot serves"), "{refused}");
    drop(serving);
    // The host of this test still has the store open, with more in it than the copy.
    host.receive(host.card(1, "M 1 2\n"));
    let refused = fieldpost::ops::backup::restore(&config, &file, false, &mut out);
    let refused = refused.expect_err("somebody reads").to_string();
    assert!(refused.contains("another program has the store open"), "{refused}");
    assert!(!host.on_file(1).is_empty(), "the store is as it was");
    assert_eq!(names(host.dir.path()).iter().filter(|n| n.contains("part")).count(), 0);

    let _spare = drop_store(&mut host);
    fieldpost::ops::backup::restore(&config, &file, false, &mut out).expect("put back");
    let text = String::from_utf8(out).expect("text");
    assert!(text.contains("1 game, 0 turns") && text.contains("--refetch"), "{text}");
    start_again(&mut host);
    assert!(host.on_file(1).is_empty(), "the copy knows no card");
    let aside = names(host.dir.path()).into_iter().find(|n| n.contains("before-restore"));
    let aside = host.dir.path().join(aside.expect("the store that was there"));
    let conn = Connection::open(aside).expect("a store");
    let cards = conn.query_row("SELECT count(*) FROM orders", [], |r| r.get::<_, u32>(0));
    assert_eq!(cards, Ok(1), "it is whole, with what had not reached its file");
}

fn config(data: &Path) -> fieldpost::config::Config {
    let path = data.join("robot.toml");
    let text = format!(
        "[robot]\naddress = \"{ROBOT}\"\ngm = \"gm@fieldpost.example\"\ndata = {data:?}\n\
         [inbox.main]\nkind = \"maildir\"\npath = \"inbox\"\n[outlet]\nkind = \"maildir\"\n\
         path = \"players\"\n"
    );
    fs::write(&path, text).expect("written");
    fieldpost::config::Config::load(&path).expect("a config")
}

#[test]
fn what_is_no_whole_store_of_ours_is_not_put_back() {
    let mut host = Host::new();
    let folder = tempfile::tempdir().expect("a folder");
    let good = folder.path().join("good");
    copy(host.dir.path(), &good, None, at(0)).expect("a copy");
    let _spare = drop_store(&mut host);
    let before = fs::read(store_of(&host)).expect("a store");
    let changed = |name: &str, sql: &str| {
        let path = folder.path().join(name);
        fs::copy(&good, &path).expect("copied");
        Connection::open(&path).and_then(|c| c.execute_batch(sql)).expect("changed");
        path
    };
    let cut = folder.path().join("cut");
    let bytes = fs::read(&good).expect("a copy");
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("written");
    let broken = folder.path().join("broken");
    fs::write(&broken, &bytes).expect("written");
    damage(&broken);
    let text = folder.path().join("text");
    fs::write(&text, "Dear diary").expect("written");
    let newer = format!("PRAGMA user_version = {}", SCHEMAS.len() + 1);
    let orphan = "PRAGMA foreign_keys = OFF; UPDATE seat SET game = 'W9' WHERE seat = 1";
    for (path, why) in [
        (cut, "damaged"),
        (broken, "damaged"),
        (text, "no store of Fieldpost"),
        (changed("newer", &newer), "newer program"),
        (changed("empty", "PRAGMA user_version = 0"), "no store of Fieldpost"),
        (changed("less", "DROP TABLE vote"), "no store of Fieldpost"),
        (changed("orphan", orphan), "damaged"),
        (changed("part", "DELETE FROM host"), "fieldpost import"),
        (store_of(&host), "the store itself"),
        (folder.path().join("nowhere"), "is not there"),
    ] {
        let told = put_back(host.dir.path(), &path, at(1)).expect_err("refused").to_string();
        assert!(told.contains(why), "{}: {told}", path.display());
        assert_eq!(fs::read(store_of(&host)).expect("a store"), before, "{}", path.display());
        assert_eq!(names(host.dir.path()), ["fieldpost.sqlite"]);
    }
    put_back(host.dir.path(), &good, at(1)).expect("the good one");
}

#[test]
fn what_lay_beside_a_lost_store_is_not_taken_for_a_part_of_the_new_one() {
    let mut host = Host::new();
    send_cards(&mut host);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copy.sqlite");
    copy(host.dir.path(), &file, None, at(0)).expect("a copy");
    // A log of another life of the same store, with pages that would be replayed.
    host.run_turn();
    let wal = host.dir.path().join("fieldpost.sqlite-wal");
    let log = fs::read(&wal).expect("a log");
    assert!(!log.is_empty());
    let _spare = drop_store(&mut host);
    fs::remove_file(store_of(&host)).expect("gone");
    fs::write(&wal, &log).expect("written");
    put_back(host.dir.path(), &file, at(1)).expect("put back");
    start_again(&mut host);
    assert_eq!(host.robot.game("W7").expect("the game").turn, 1);
    assert!(!host.on_file(4).is_empty());
    assert!(host.clock.now() > at(-100_000), "the story has a clock");
    host.run_turn();
    assert_eq!(replayed(&mut host, "W7"), 2);
}
