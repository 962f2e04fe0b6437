//! After a loss the mails that came after the copy are judged again, at their time.

use std::path::Path;
use std::time::Duration;

use base::clock::Clock;
use fieldpost::ops::backup::{copy, put_back};
use fieldpost::ops::refetch::{Again, judge_again};
use mail::Inbox;
use mail::maildir::{MaildirInbox, deliver};

use crate::place::*;
use support::host::*;

/// Delivers a mail now and lets the robot read its mailbox.
fn arrives(host: &mut Host, mailbox: &Path, raw: &str) {
    host.pass(7);
    let now = host.clock.now();
    let id = base::secrets::sha256_hex(raw.as_bytes());
    deliver(mailbox, &format!("{}.{}.x", now.as_second(), &id[..12]), raw.as_bytes())
        .expect("delivered");
    let mut inbox = open(mailbox);
    let messages = inbox.fetch(&|_| false).expect("a mailbox");
    host.robot.receive(&messages).expect("a store");
    let moves = host.robot.store.mails().to_move("main").expect("a store");
    inbox.file(&moves).expect("moved");
    host.robot.store.write(|tx| tx.mails().moved("main", &moves)).expect("a store");
}

fn open(mailbox: &Path) -> MaildirInbox {
    MaildirInbox::open("main", mailbox, 2_000_000, Duration::from_secs(1)).expect("a mailbox")
}

#[test]
fn cards_on_both_sides_of_a_turn_come_back_from_the_folders_of_their_verdicts() {
    let mut host = Host::new();
    let mailbox = tempfile::tempdir().expect("a mailbox");
    let mailbox = mailbox.path();
    for seat in 1..=3 {
        let card = host.card(seat, &format!("M {seat} 2\n"));
        arrives(&mut host, mailbox, &card);
    }
    let newest = host.robot.store.mails().latest(1).expect("a store")[0].received_at;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("copy.sqlite");
    copy(host.dir.path(), &file, None, host.clock.now()).expect("a copy");

    // Seat 1 changes its card, seat 4 sends one late in the day, the turn runs, new cards come.
    let card = host.card(1, "M 1 5\n");
    arrives(&mut host, mailbox, &card);
    let card = host.card(4, "M 4 3\nC 4 1\n");
    arrives(&mut host, mailbox, &card);
    arrives(&mut host, mailbox, &mail("max@nowhere.example", ROBOT, "hello\n"));
    host.run_turn();
    for (seat, way) in [(2, 1), (3, 4), (2, 6)] {
        let card = host.card(seat, &format!("M {seat} {way}\n"));
        arrives(&mut host, mailbox, &card);
    }
    let (turn, filed) = (outcome(&host, "W7", 1), host.on_file(2));
    assert!(filed.contains("M 2 6"), "{filed}");
    let deadline = host.robot.game("W7").expect("the game").deadline;

    let _spare = drop_store(&mut host);
    let now = host.clock.now();
    put_back(host.dir.path(), &file, now).expect("put back");
    start_again(&mut host);
    assert_eq!(host.robot.game("W7").expect("the game").turn, 1);
    host.clock.set(newest);
    let clock = host.clock.clone();
    let margin = jiff::SignedDuration::from_hours(1);
    let found = open(mailbox).received_since(newest - margin).expect("a mailbox");
    let done = judge_again(&mut host.robot, &clock, found).expect("a store");
    assert_eq!(done, Again { judged: 6, known: 3, turns: 1 });

    assert_eq!(outcome(&host, "W7", 1), turn, "the turn ran with all cards, at its time");
    assert_eq!(host.robot.game("W7").expect("the game").deadline, deadline);
    assert_eq!(host.on_file(2), filed, "the newest card counts");
    assert!(host.on_file(3).contains("M 3 4"));
    let waiting = host.robot.store.mails().to_move("main").expect("a store");
    assert_eq!(waiting, [], "mails stay in their folders");
    assert_eq!(replayed(&mut host, "W7"), 2);
}

#[test]
fn a_mail_that_still_lies_in_the_inbox_is_judged_and_moved_like_any_other() {
    let mut host = Host::new();
    let mailbox = tempfile::tempdir().expect("a mailbox");
    let card = host.card(2, "M 2 1\n");
    let now = host.clock.now();
    let mut inbox = open(mailbox.path());
    deliver(mailbox.path(), &format!("{}.1.x", now.as_second()), card.as_bytes()).expect("a mail");
    let found = inbox.received_since(now).expect("a mailbox");
    let clock = host.clock.clone();
    judge_again(&mut host.robot, &clock, found).expect("a store");
    assert!(!host.on_file(2).is_empty());
    let moves = host.robot.store.mails().to_move("main").expect("a store");
    assert_eq!(moves.len(), 1, "it waits to be moved");
    inbox.file(&moves).expect("moved");
    assert!(inbox.fetch(&|_| false).expect("a mailbox").is_empty());
    let again = inbox.received_since(now).expect("a mailbox");
    assert!(again[0].key.starts_with("Accepted/"), "{}", again[0].key);
    let later = now + jiff::SignedDuration::from_secs(1);
    assert!(inbox.received_since(later).expect("a mailbox").is_empty(), "older ones stay out");
}
