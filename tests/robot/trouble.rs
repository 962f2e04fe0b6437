//! Disks, locks and programs that fail: a clear error, and nothing lost.

use robot::RobotError;
use store::{Status, StoreError};

use support::host::Host;

#[test]
fn a_full_disk_loses_nothing_and_the_mail_is_judged_later() {
    let mut host = Host::in_a_file();
    let before = pages(&host);
    let limit = |host: &Host, pages: i64| {
        let conn = host.robot.store.connection();
        conn.pragma_update(None, "max_page_count", pages).expect("a limit");
    };
    limit(&host, before);
    let mut full = false;
    for n in 0..400 {
        let message = host.message(host.card(1, &format!("N 1 1 NAME {n}\n")).as_bytes());
        match host.robot.receive(&[message]) {
            Ok(_) => {}
            Err(RobotError::Store(StoreError::Full)) => {
                full = true;
                break;
            }
            Err(e) => panic!("{e}"),
        }
    }
    assert!(full, "the disk never filled");
    limit(&host, before + 100_000);
    host.robot.receive(&[]).expect("room again");
    assert_eq!(host.robot.store.mails().unjudged().expect("a store"), Vec::new());
}

#[test]
fn what_fails_for_the_stores_sake_costs_no_mail_an_attempt() {
    let mut host = Host::in_a_file();
    let run = |host: &Host, sql: &str| {
        host.robot.store.database().batch(sql).expect("a store");
    };
    let count = |host: &Host, what: &str| {
        let sql = format!("SELECT {what} FROM mail");
        let conn = host.robot.store.database();
        conn.one(&sql, &[], |r| r.get::<_, u32>(0)).expect("a count")
    };
    // More mails than one commit takes, and the commits of their verdicts fail.
    let mails: Vec<_> = (0..40)
        .map(|n| host.message(host.card(1, &format!("N 1 1 NAME {n}\n")).as_bytes()))
        .collect();
    run(
        &host,
        "CREATE TABLE nobody (id INTEGER PRIMARY KEY);
         CREATE TABLE broken (id INTEGER REFERENCES nobody DEFERRABLE INITIALLY DEFERRED);
         CREATE TRIGGER verdicts AFTER UPDATE OF verdict ON mail WHEN NEW.verdict IS NOT NULL
         BEGIN INSERT INTO broken VALUES (1); END;",
    );
    assert!(host.robot.receive(&mails).is_err());
    assert_eq!((count(&host, "count(*)"), count(&host, "sum(attempts)")), (40, 0));
    // So do commits that take attempts back.
    run(
        &host,
        "CREATE TRIGGER attempts AFTER UPDATE OF attempts ON mail
         WHEN NEW.attempts < OLD.attempts BEGIN INSERT INTO broken VALUES (1); END;",
    );
    for _ in 0..5 {
        assert!(host.robot.receive(&[]).is_err());
    }
    run(&host, "DROP TRIGGER verdicts; DROP TRIGGER attempts;");
    assert_eq!(host.robot.receive(&[]).expect("a store").len(), 40);
    assert_eq!(count(&host, "count(nullif(verdict, 'quarantined'))"), 40);
}

fn pages(host: &Host) -> i64 {
    let conn = host.robot.store.database();
    conn.one("PRAGMA page_count", &[], |r| r.get(0)).expect("a count")
}

#[test]
fn a_locked_store_is_said_to_be_busy_and_the_mail_waits() {
    let mut host = Host::in_a_file();
    let other =
        rusqlite::Connection::open(host.dir.path().join("fieldpost.sqlite")).expect("opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("locks");
    host.robot.store.connection().busy_timeout(std::time::Duration::ZERO).expect("set");
    let message = host.message(host.card(1, "M 1 3\n").as_bytes());
    let refused = host.robot.receive(std::slice::from_ref(&message));
    assert!(matches!(refused, Err(RobotError::Store(StoreError::Busy))), "{refused:?}");
    other.execute_batch("ROLLBACK").expect("unlocks");
    assert_eq!(host.judge(message).reason.as_str(), "filed");
}

#[test]
fn a_mail_that_was_stored_before_a_crash_is_judged_after_it() {
    let mut host = Host::new();
    let message = host.message(host.card(1, "M 1 3\n").as_bytes());
    host.robot
        .store
        .write(|tx| tx.mails().store_raw(std::slice::from_ref(&message)))
        .expect("kept");
    // Here the process died; the next one fetches the mail again.
    assert_eq!(host.robot.receive(std::slice::from_ref(&message)).expect("judges").len(), 1);
    assert_eq!(host.robot.receive(&[message]).expect("judges").len(), 0);
    assert_eq!(host.on_file(1), "M 1 3\n");
}

#[test]
fn a_mail_that_fails_three_times_is_quarantined() {
    let mut host = Host::new();
    let message = host.message(host.card(1, "M 1 3\n").as_bytes());
    host.robot
        .store
        .write(|tx| tx.mails().store_raw(std::slice::from_ref(&message)))
        .expect("kept");
    let (id, _) = host.robot.store.mails().unjudged().expect("a store")[0];
    for _ in 0..3 {
        host.robot.store.write(|tx| tx.mails().next_attempt(id)).expect("an attempt that died");
    }
    host.robot.receive(&[]).expect("judges");
    let row = host.robot.store.mails().mail(id).expect("a store").expect("a row");
    assert_eq!(row.reason.as_str(), "unreadable");
    assert!(host.robot.store.mails().raw(id).expect("a store").is_some(), "the bytes are kept");
}

#[test]
fn a_tampered_journal_is_found_by_replay() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n"));
    host.run_turn();
    let same = host.robot.replay("W7", |_| {}).expect("replays");
    assert!(same.len() == 2 && same.iter().all(|t| t.same), "{same:?}");
    let conn = host.robot.store.database();
    conn.exec("UPDATE turn SET seed = seed + 1 WHERE turn = 1", &[]).expect("tampered");
    let after = host.robot.replay("W7", |_| {}).expect("replays");
    assert_eq!(after.iter().map(|t| t.same).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_robot_that_was_down_over_deadlines_runs_one_turn_and_says_so() {
    let mut host = Host::new();
    host.pass(60 * 24 * 24);
    let now = base::clock::Clock::now(host.clock.as_ref());
    assert_eq!(host.robot.run_due(now).expect("runs"), 1);
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.turn, game.status), (2, Status::Running));
    assert!(game.deadline.is_some_and(|d| d > now));
    assert_eq!(host.robot.run_due(now).expect("runs"), 0);
}

#[test]
fn only_the_mail_that_stopped_the_process_is_blamed() {
    let mut host = Host::new();
    let cards = [1, 2, 3].map(|seat| host.card(seat, "M 1 3\n"));
    let messages = cards.map(|card| host.message(card.as_bytes()));
    host.robot.store.write(|tx| tx.mails().store_raw(&messages)).expect("kept");
    // The process died in the middle of these three, twice more over the second.
    host.robot.store.write(|tx| tx.mails().first_attempts(None)).expect("counted");
    let ids: Vec<i64> =
        host.robot.store.mails().unjudged().expect("a store").iter().map(|u| u.0).collect();
    host.robot.store.write(|tx| tx.mails().next_attempt(ids[1])).expect("counted");
    host.robot.store.write(|tx| tx.mails().next_attempt(ids[1])).expect("counted");
    host.robot.receive(&[]).expect("judges");
    let reasons = ids.iter().map(|id| {
        host.robot.store.mails().mail(*id).expect("a store").expect("a row").reason.as_str()
    });
    assert_eq!(reasons.collect::<Vec<_>>(), ["filed", "unreadable", "filed"]);
}

#[test]
fn raw_mails_are_forgotten_after_the_days_of_the_config_and_verdicts_are_not() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "C 1 1\n"));
    host.pass(399 * 24 * 60);
    assert_eq!(host.robot.forget_old_mails().expect("a store"), 0);
    host.pass(2 * 24 * 60);
    assert_eq!(host.robot.forget_old_mails().expect("a store"), 1);
    assert_eq!(host.robot.store.mails().raw(row.id).expect("a store"), None);
    let kept = host.robot.store.mails().mail(row.id).expect("a store").expect("the verdict");
    assert_eq!(kept.verdict, row.verdict);
    // The printout of a game that runs can still be sent again.
    assert!(!host.last_mail(2).text.is_empty());
}

#[test]
fn what_is_too_old_is_forgotten_a_few_at_a_time() {
    let mut host = Host::new();
    (1..=4).for_each(|seat| drop(host.receive(host.card(seat, "C 1 1\n"))));
    let late = host.robot.now() + jiff::SignedDuration::from_hours(1);
    let mut forget =
        || host.robot.store.write(|tx| tx.mails().forget_raw(late, 3)).expect("a store");
    assert_eq!(forget(), (3, true), "three of each, and there may be more");
    let mut rest = 0;
    loop {
        let (raw, more) = forget();
        rest += raw;
        if !more {
            break;
        }
    }
    assert_eq!(rest, 1, "the last of four");
    let raw = |id| host.robot.store.mails().raw(id).expect("a store");
    assert!((1..=4).all(|id| raw(id).is_none()));
}

#[test]
fn the_outbox_gives_each_recipient_one_mail_at_a_time_printouts_first() {
    let mut host = Host::new();
    let now = base::clock::Clock::now(host.clock.as_ref());
    let first = host.robot.store.write(|tx| tx.outbox().lease(now, 99)).expect("a store");
    assert_eq!(first.len(), 4, "a first printout for each seat");
    host.receive(host.card(1, "C 1 1\n"));
    let now = base::clock::Clock::now(host.clock.as_ref());
    let early = host.robot.store.write(|tx| tx.outbox().lease(now, 99)).expect("a store");
    assert!(early.is_empty(), "the echo waits behind the printout of the same player");
    for row in &first {
        let sent = mail::SendResult::Sent;
        host.robot.store.write(|tx| tx.outbox().sent([(row, &sent)], now, 99)).expect("a store");
    }
    let next = host.robot.store.write(|tx| tx.outbox().lease(now, 99)).expect("a store");
    assert_eq!(next.iter().map(|r| r.kind.as_str()).collect::<Vec<_>>(), ["echo"]);
}

#[test]
fn g5_who_wrote_without_a_seat_and_what_was_answered_is_forgotten_in_time() {
    let mut host = Host::new();
    let row =
        host.receive(support::host::mail("max@nowhere.example", support::host::ROBOT, "hello\n"));
    let now = host.robot.now();
    for row in host.robot.store.write(|tx| tx.outbox().lease(now, 99)).expect("a store") {
        let sent = mail::SendResult::Sent;
        host.robot.store.write(|tx| tx.outbox().sent([(&row, &sent)], now, 99)).expect("a store");
    }
    let sizes = |host: &Host| -> Vec<(String, usize)> {
        let sql = "SELECT kind, mime_z FROM outbox ORDER BY kind, id";

        let size = |z: Vec<u8>| zstd::stream::decode_all(&z[..]).expect("bytes").len();
        let row = |r: &store::db::Row| Ok((r.get(0)?, size(r.get(1)?)));
        host.robot.store.database().all(sql, &[], row).expect("rows")
    };
    host.pass(401 * 24 * 60);
    host.robot.forget_old_mails().expect("a store");
    let kept = host.robot.store.mails().mail(row.id).expect("a store").expect("the verdict");
    assert_eq!(kept.sender, "");
    let left = sizes(&host);
    assert!(left.iter().all(|(kind, size)| (kind == "answer") == (*size == 0)), "{left:?}");
}
