//! Several workers on one store: leases, claims, games that two want, answers that are lost. The
//! tests of a database here run on a real server, whichever store the other tests have.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use base::clock::{FixedEntropy, SystemEntropy};
use engine::Seat;
use jiff::{SignedDuration, Timestamp};
use mail::{OutgoingMail, RawMessage, SendResult};
use robot::limits::Limits;
use store::{Drawing, MailKind, QueuedMail, Store, StoreError, Worker};
use support::host::Host;
use support::postgres::{Cluster, server};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_780_000_000 + second).expect("a time")
}

/// A worker's store.
fn worker(url: &str, owner: &str) -> Store {
    let mut store = Store::connect(&server(url), &SystemEntropy).expect("a store");
    store.work_as(owner);
    store
}

fn known(owner: &str, seen_at: Timestamp) -> Worker {
    Worker {
        owner: owner.into(),
        name: owner.into(),
        machine: "here".into(),
        pid: 1,
        roles: "inbox turns".into(),
        version: "0".into(),
        began_at: seen_at,
        seen_at,
    }
}

/// A pulse.
fn both(tx: &store::Tx, worker: &Worker, now: Timestamp) -> Result<(), StoreError> {
    tx.workers().seen(worker, now)?;
    tx.workers().renew(now)
}

fn noted(store: &mut Store) -> Result<(), StoreError> {
    store.write(|tx| tx.set_note("x", "y"))
}

/// Two workers over a file; the tests set the clock of their leases.
fn two(folder: &Path) -> (Store, Store) {
    let open = |owner: &str| {
        let mut store = Store::open(folder, &FixedEntropy::new(1)).expect("a store");
        store.work_as(owner);
        store
    };
    (open("one"), open("two"))
}

#[test]
fn a_lease_is_one_workers_and_whoever_was_overtaken_writes_nothing_more() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut one, mut two) = two(folder.path());
    let take =
        |store: &mut Store, now| store.write(|tx| tx.workers().take_lease("inbox main", now));
    let first = take(&mut one, at(0)).expect("a store").expect("it is free");
    assert_eq!(take(&mut two, at(29)).expect("a store"), None, "it lasts half a minute");
    one.write(|tx| both(tx, &known("one", at(20)), at(20))).expect("it lives");
    assert_eq!(take(&mut two, at(49)).expect("a store"), None, "a pulse renews it");
    one.hold(Some(first.clone()));
    noted(&mut one).expect("it has the lease");
    // The first worker stands still for longer than its lease, and another takes over.
    let second = take(&mut two, at(51)).expect("a store").expect("it ended");
    assert!(second.term > first.term);
    assert!(matches!(noted(&mut one), Err(StoreError::Overtaken(name)) if name == "inbox main"));
    // A pulse does not bring back a lost lease.
    one.hold(None);
    one.write(|tx| both(tx, &known("one", at(52)), at(52))).expect("it lives");
    one.hold(Some(first.clone()));
    assert!(noted(&mut one).is_err());
    two.hold(Some(second.clone()));
    noted(&mut two).expect("it has it");
    // The first worker gives back a lease that it has lost; the second keeps its own.
    one.hold(None);
    one.write(|tx| tx.workers().give_back(&first)).expect("nothing happens");
    assert_eq!(take(&mut one, at(60)).expect("a store"), None);
    two.hold(None);
    two.write(|tx| tx.workers().give_back(&second)).expect("given back");
    assert!(take(&mut one, at(60)).expect("a store").is_some(), "at once");
}

#[test]
fn the_work_of_a_dead_worker_is_free_and_that_of_a_living_one_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut one, mut two) = two(folder.path());
    for store in [&mut one, &mut two] {
        let worker = known(store.workers().owner(), at(0));
        store.write(|tx| both(tx, &worker, at(0))).expect("it lives");
    }
    one.write(|tx| tx.outbox().post(&[queued(1)], at(0))).expect("queued");
    assert_eq!(one.write(|tx| tx.outbox().lease(at(1), 9)).expect("claimed").len(), 1);
    one.write(|tx| tx.workers().take_lease("step W7", at(1))).expect("a store").expect("taken");
    assert!(!two.write(|tx| tx.workers().bury("one", false, at(20))).expect("it lives"));
    assert!(two.write(|tx| tx.outbox().lease(at(20), 9)).expect("a store").is_empty());
    two.write(|tx| both(tx, &known("two", at(35)), at(35))).expect("it lives");
    assert!(
        !two.write(|tx| tx.workers().bury("two", true, at(35))).expect("nobody buries himself")
    );
    assert!(two.write(|tx| tx.workers().bury("one", false, at(35))).expect("one is dead"));
    assert_eq!(two.write(|tx| tx.outbox().lease(at(35), 9)).expect("claimed").len(), 1);
    assert!(two.write(|tx| tx.workers().take_lease("step W7", at(35))).expect("a store").is_some());
    assert_eq!(two.workers().all().expect("a store").len(), 1);
    // The result of an attempt does not count if its worker has lost the mail.
    let row = two.write(|tx| tx.outbox().lease(at(36), 9)).expect("a store");
    assert!(row.is_empty(), "it is the second worker's now");
}

fn queued(n: u32) -> QueuedMail {
    let mail = OutgoingMail {
        to: format!("p{n}@players.example"),
        envelope_from: "robot@fieldpost.example".into(),
        message_id: format!("{n}@fieldpost.example"),
        bytes: b"Subject: x\r\n\r\nx\r\n".to_vec(),
        bounce: String::new(),
    };
    QueuedMail {
        kind: MailKind::Echo,
        seat: None,
        turn: None,
        expires_at: None,
        mail,
        drawing: Drawing::default(),
        shows: Vec::new(),
    }
}

#[test]
fn each_mail_is_claimed_once_however_many_workers_send() {
    let url = Cluster::shared().database();
    let mails: Vec<QueuedMail> = (0..300).map(queued).collect();
    worker(&url, "first").write(|tx| tx.outbox().post(&mails, at(0))).expect("queued");
    let claims = |owner: String| {
        let mut store = worker(&url, &owner);
        let mut claimed = Vec::new();
        // Another may hold the rest for a moment.
        let mut idle = 0;
        while idle < 20 {
            let rows = store.write(|tx| tx.outbox().lease(at(1), 7)).expect("claimed");
            idle = if rows.is_empty() { idle + 1 } else { 0 };
            let done = || rows.iter().map(|row| (row, &SendResult::Sent));
            store.write(|tx| tx.outbox().sent(done(), at(1), 999)).expect("noted");
            claimed.extend(rows.iter().map(|r| r.id));
        }
        claimed
    };
    let all: Vec<i64> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..4).map(|n| scope.spawn(move || claims(format!("w{n}")))).collect();
        workers.into_iter().flat_map(|w| w.join().expect("it ends")).collect()
    });
    let mut once = all.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!((all.len(), once.len()), (300, 300));
}

#[test]
fn workers_that_want_the_same_games_in_other_orders_wait_and_lose_nothing() {
    let (host, url) = Host::in_a_database();
    let mut robot = host.robot;
    robot.new_game(support::host::a_game("warlord", 4)).expect_err("there is one already");
    let second =
        robot::gm::setup::NewGame { code: "X9".into(), ..support::host::a_game("warlord", 4) };
    robot.new_game(second).expect("a game");
    let counts = |owner: &str, games: [&str; 2]| {
        let mut store = worker(&url, owner);
        for _ in 0..60 {
            let done = store.write(|tx| {
                for code in games {
                    // A decision about a game rests on a state that stays until the commit.
                    let game = tx.games().game(code)?.expect("a game");
                    let word = tx.note(&game.code)?.unwrap_or_default();
                    let next = word.parse::<u32>().unwrap_or(0) + 1;
                    tx.set_note(&game.code, &next.to_string())?;
                }
                Ok::<_, StoreError>(())
            });
            done.unwrap_or_else(|e| panic!("{owner}: {e}"));
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| counts("one", ["W7", "X9"]));
        scope.spawn(|| counts("two", ["X9", "W7"]));
        scope.spawn(|| counts("three", ["W7", "X9"]));
    });
    for code in ["W7", "X9"] {
        assert_eq!(robot.store.note(code).expect("a store").as_deref(), Some("180"), "{code}");
    }
}

/// A way to a server on which the answers to some commits get lost: the server has made them, and
/// the connection ends.
fn lossy(cluster: &Cluster, folder: &Path, every: u32) -> (String, Arc<AtomicU32>) {
    let listener = UnixListener::bind(folder.join(".s.PGSQL.5432")).expect("a socket");
    let (to, lost) = (cluster.socket().join(".s.PGSQL.5432"), Arc::new(AtomicU32::new(0)));
    let (seen, counted) = (Arc::new(AtomicU32::new(0)), Arc::clone(&lost));
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let Ok(client) = client else { return };
            let server = UnixStream::connect(&to).expect("the server");
            let (seen, lost) = (Arc::clone(&seen), Arc::clone(&counted));
            let cut = Arc::new(AtomicU32::new(0));
            let (mut from, mut there) =
                (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
            let cuts = Arc::clone(&cut);
            std::thread::spawn(move || {
                let mut buffer = [0; 65_536];
                while let Ok(n @ 1..) = from.read(&mut buffer) {
                    let commits = buffer[..n].windows(6).any(|w| w == b"COMMIT");
                    if commits && (seen.fetch_add(1, Ordering::SeqCst) + 1).is_multiple_of(every) {
                        lost.fetch_add(1, Ordering::SeqCst);
                        cuts.store(1, Ordering::SeqCst);
                    }
                    if there.write_all(&buffer[..n]).is_err() {
                        return;
                    }
                }
                let _ = there.shutdown(std::net::Shutdown::Both);
            });
            let (mut back, mut answers) = (client, server);
            std::thread::spawn(move || {
                let mut buffer = [0; 65_536];
                while let Ok(n @ 1..) = answers.read(&mut buffer) {
                    // The commit is made, but its answer is lost.
                    if cut.load(Ordering::SeqCst) == 1 || back.write_all(&buffer[..n]).is_err() {
                        break;
                    }
                }
                let _ = back.shutdown(std::net::Shutdown::Both);
            });
        }
    });
    let url = cluster.database();
    let (address, _) = url.split_once("&host=").expect("a socket");
    (format!("{address}&host={}", folder.display()), lost)
}

#[test]
fn a_commit_whose_answer_is_lost_is_found_and_not_done_twice() {
    let folder = tempfile::Builder::new().prefix("lossy").tempdir_in("/tmp").expect("a folder");
    let (url, lost) = lossy(Cluster::shared(), folder.path(), 5);
    let mut store = worker(&url, "one");
    let mut tries = 0;
    for n in 1..=40_u32 {
        let counted = store.write(|tx| {
            tries += 1;
            let before = tx.note("count")?.and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
            tx.set_note("count", &(before + 1).to_string())?;
            Ok::<_, StoreError>(before + 1)
        });
        assert_eq!(counted.expect("it is done"), n);
    }
    assert_eq!(store.note("count").expect("a store").as_deref(), Some("40"));
    assert!(lost.load(Ordering::SeqCst) >= 7, "{lost:?} answers were lost");
    assert_eq!(tries, 40, "what stands is not done again");
}

#[test]
fn a_server_that_ends_connections_in_the_middle_of_commits_loses_and_doubles_nothing() {
    let cluster = Cluster::start(&[]);
    let url = cluster.database_anew();
    let mut store = worker(&url, "one");
    let ends = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                WHERE application_name = 'fieldpost'";
    for n in 1..=12_u32 {
        let mut tries = 0;
        store
            .write(|tx| {
                tries += 1;
                let before = tx.note("count")?.and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
                if n.is_multiple_of(3) && tries == 1 {
                    cluster.run(&url, ends);
                }
                tx.set_note("count", &(before + 1).to_string())
            })
            .expect("it is done");
        assert_eq!(tries, if n.is_multiple_of(3) { 2 } else { 1 });
    }
    assert_eq!(store.note("count").expect("a store").as_deref(), Some("12"));
}

#[test]
fn a_part_that_failed_is_taken_back_and_the_rest_of_the_commit_stands() {
    let url = Cluster::shared().database();
    let mut store = worker(&url, "one");
    let done = store.write(|tx| {
        tx.set_note("before", "1")?;
        // The database refuses it, and all further statements until it is taken back.
        let refused = tx.savepoint(|tx| {
            tx.set_note("within", "1")?;
            tx.change_seat("no such game", Seat(1), &store::SeatChange::Ready(1))?;
            tx.database().batch("SELECT 1 / 0")
        });
        assert!(matches!(&refused, Err(StoreError::Data(_))), "{refused:?}");
        tx.set_note("after", "1")
    });
    done.expect("it is done");
    let there = |key: &str| store.note(key).expect("a store").is_some();
    assert_eq!(["before", "within", "after"].map(there), [true, false, true]);
    // Without taking it back there is no commit.
    let failed: Result<(), StoreError> = store.write(|tx| {
        tx.set_note("never", "1")?;
        let _ = tx.database().batch("SELECT 1 / 0");
        Ok(())
    });
    assert!(failed.is_err());
    assert!(store.note("never").expect("a store").is_none());
    noted(&mut store).expect("it goes on");
}

#[test]
fn a_word_between_workers_is_heard_by_the_others_alone() {
    let url = Cluster::shared().database();
    let (mut one, mut two) = (
        store::Bell::at(&server(&url)).expect("a bell"),
        store::Bell::at(&server(&url)).expect("a bell"),
    );
    one.ring().expect("rung");
    assert!(two.hear(Duration::from_secs(20)).expect("heard"));
    assert!(!one.hear(Duration::from_millis(50)).expect("quiet"));
}

#[test]
fn a_step_waits_for_every_inbox_and_for_mails_that_may_be_its_own() {
    let mut host = Host::new();
    let due = host.robot.game("W7").expect("the game").deadline.expect("a deadline");
    host.clock.set(due + SignedDuration::from_secs(60));
    let message = host.message(host.card(1, "M 1 3\n").as_bytes());
    let late =
        mail::RawMessage { received_at: due + SignedDuration::from_secs(1), ..message.clone() };
    // A mail that came after the deadline can't be a card of the step.
    host.robot.store.write(|tx| tx.mails().store_raw(std::slice::from_ref(&late))).expect("stored");
    let early = mail::RawMessage { key: "early".into(), received_at: due, ..message };
    host.robot
        .store
        .write(|tx| tx.mails().store_raw(std::slice::from_ref(&early)))
        .expect("stored");
    assert_eq!(host.robot.run_due(due).expect("looked"), 0, "a card may be there");
    let id = host.robot.store.mails().unjudged().expect("a store")[0].0;
    host.robot.store.write(|tx| tx.mails().is_for(id, "X9")).expect("it is another game's");
    assert_eq!(host.robot.run_due(due).expect("looked"), 1);
}

/// A worker over a shared file, with two inboxes, and whether it has each of them.
struct Reading {
    host: std::sync::Mutex<robot::host::Host>,
    inboxes: Vec<mail::maildir::MaildirInbox>,
}

impl Reading {
    fn new(folder: &Path, owner: &str) -> Self {
        let mut robot = Host::empty(&registry::ENGINES, Limits::default()).robot;
        robot.shared = true;
        robot.store = Store::open(folder, &FixedEntropy::new(1)).expect("a store");
        robot.store.work_as(owner);
        let now = robot.now();
        robot.store.write(|tx| tx.workers().seen(&known(owner, now), now)).expect("seen");
        let wakes = robot::host::Wakes::nobody();
        let mut host = robot::host::Host::new(robot, folder.into(), None, wakes);
        host.inboxes = 2;
        let open = |name: &str| {
            let root = folder.join(name);
            let wait = Duration::from_secs(1);
            mail::maildir::MaildirInbox::open(name, &root, 1000, wait).expect("an inbox")
        };
        let inboxes = ["left", "right"].map(open).into_iter().collect();
        Self { host: host.into(), inboxes }
    }

    fn has(&mut self) -> Vec<bool> {
        let never = base::cancel::Cancel::default();
        let round = |inbox: &mut mail::maildir::MaildirInbox| {
            robot::host::round(&self.host, inbox, &never).expect("a round")
        };
        self.inboxes.iter_mut().map(round).collect()
    }
}

#[test]
fn workers_share_the_inboxes_and_who_comes_later_gets_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut one = Reading::new(folder.path(), "one");
    assert_eq!(one.has(), [true, true], "nobody else is there");
    let mut two = Reading::new(folder.path(), "two");
    assert_eq!(two.has(), [false, false], "both are read");
    assert_eq!(one.has(), [false, true], "one is left to the other");
    assert_eq!(two.has(), [true, false]);
    let now = one.host.lock().expect("whole").robot.now();
    for request in ["request for inbox left", "request for inbox right"] {
        let host = one.host.lock().expect("whole");
        assert!(
            !host.robot.store.workers().is_requested(request, now).expect("a store"),
            "{request} is fulfilled"
        );
    }
    assert_eq!((one.has(), two.has()), (vec![false, true], vec![true, false]), "and so it stays");
    let now = two.host.lock().expect("whole").robot.now();
    let dead = |tx: &store::Tx| tx.workers().bury("one", true, now);
    assert!(two.host.lock().expect("whole").robot.store.write(dead).expect("buried"));
    assert_eq!(two.has(), [true, true], "nobody else is left");
}

/// An inbox in which there is always another mail; at the third another worker comes.
struct Endless<'a>(u32, &'a mut (dyn FnMut() + Send));

impl mail::Inbox for Endless<'_> {
    fn name(&self) -> &str {
        "left"
    }

    fn claim(&mut self, _: &str) -> Result<(), mail::InboxError> {
        Ok(())
    }

    fn fetch(&mut self, _: &dyn Fn(&str) -> bool) -> Result<Vec<RawMessage>, mail::InboxError> {
        self.0 += 1;
        if self.0 == 3 {
            (self.1)();
        }
        let bytes = support::host::mail("max@nowhere.example", support::host::ROBOT, "hello\n");
        let bytes = bytes.into_bytes();
        let mail = RawMessage {
            source: "left".into(),
            key: self.0.to_string(),
            received_at: Timestamp::UNIX_EPOCH,
            size: bytes.len() as u64,
            bytes,
            authenticity: Default::default(),
            checked_from: String::new(),
        };
        let cause = "it never ends".to_owned();
        match self.0 {
            0..20 => Ok(vec![mail]),
            _ => Err(mail::InboxError { inbox: "left".into(), cause }),
        }
    }

    fn file(&mut self, _: &[(String, mail::Folder)]) -> Result<(), mail::InboxError> {
        Ok(())
    }

    fn wait(&mut self, _: Duration, _: &base::cancel::Cancel) -> Result<(), mail::InboxError> {
        Ok(())
    }
}

#[test]
fn an_inbox_that_is_never_empty_is_shared_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut one = Reading::new(folder.path(), "one");
    assert_eq!(one.has(), [true, true]);
    let (never, mut two) = (base::cancel::Cancel::default(), None);
    let mut comes = || {
        let mut later = Reading::new(folder.path(), "two");
        assert_eq!(later.has(), [false, false]);
        two = Some(later);
    };
    let mut endless = Endless(0, &mut comes);
    assert_eq!(robot::host::round(&one.host, &mut endless, &never), Ok(true));
    assert_eq!(endless.0, 3, "it is left after the batch in which it was asked for");
    let noted =
        one.host.lock().expect("whole").robot.store.workers().fetched_at("left").expect("a store");
    let mut two = two.expect("it came");
    assert_eq!((one.has(), two.has()), (vec![false, true], vec![true, false]));
    let waits = one.host.lock().expect("whole").robot.store.mails().unjudged().expect("a store");
    assert!(waits.is_empty() && noted.is_some(), "each mail that was read has its verdict");
}

#[test]
fn who_cannot_read_an_inbox_leaves_it_to_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut one = Reading::new(folder.path(), "one");
    assert_eq!(one.has(), [true, true]);
    let mut two = Reading::new(folder.path(), "two");
    let now = one.host.lock().expect("whole").robot.now();
    let of_one = |one: &Reading, act: &dyn Fn(&store::Tx) -> Result<(), StoreError>| {
        one.host.lock().expect("whole").robot.store.write(|tx| act(tx)).expect("a store");
    };
    of_one(&one, &|tx| tx.workers().bury("two", true, now).map(|_| ()));
    // The worker has lost its connection to the mailbox; the mailbox is still there.
    let (left, gone) = (folder.path().join("left"), folder.path().join("gone"));
    std::fs::rename(&left, &gone).expect("moved");
    let never = base::cancel::Cancel::default();
    let fail = |one: &mut Reading| robot::host::round(&one.host, &mut one.inboxes[0], &never);
    for _ in 0..12 {
        fail(&mut one).expect_err("there is no mailbox");
    }
    of_one(&one, &|tx| tx.workers().seen(&known("two", now), now));
    for _ in 12..20 {
        fail(&mut one).expect_err("nobody else was there to leave it to");
    }
    assert_eq!(fail(&mut one), Ok(false), "it is another's to try");
    std::fs::remove_dir_all(&left).expect("a claim of it stands there");
    std::fs::rename(&gone, &left).expect("moved back");
    assert_eq!(two.has(), [true, false]);
}
