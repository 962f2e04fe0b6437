//! Name servers that are asked for the origin of mails, and some that do not answer.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{Clock, FakeClock, FixedEntropy};
use jiff::SignedDuration;
use mail::auth::Authenticity;
use mail::maildir::{MaildirInbox, deliver};
use mail::origin::CheckOrigin;
use mail::{Folder, Inbox, InboxError, RawMessage};
use robot::Robot;
use robot::host::Wakes;
use store::{Reason, Store};

use registry::ENGINES;
use support::host::*;

/// The domain whose name server does not answer.
const SLOW: &str = "slow.example";

/// Name servers: those of one domain take ten seconds each time, all others vouch at once.
struct Names {
    clock: Arc<FakeClock>,
    /// The mails that were asked about, in their order.
    asked: Mutex<Vec<String>>,
    /// The signal that the slow ones may end; `None`: they end by themselves.
    gate: Option<Mutex<Receiver<()>>>,
}

impl Names {
    fn new(clock: &Arc<FakeClock>, gate: Option<Receiver<()>>) -> Arc<Self> {
        let (clock, asked, gate) = (Arc::clone(clock), Mutex::default(), gate.map(Mutex::new));
        Arc::new(Self { clock, asked, gate })
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("a list").clone()
    }
}

impl CheckOrigin for Names {
    fn check(&self, bytes: &[u8]) -> (Authenticity, String) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        self.asked.lock().expect("a list").push(text.clone());
        let from = text.lines().find_map(|l| l.strip_prefix("From: ")).unwrap_or_default();
        let from = from.trim_matches(['<', '>', ' ', '\r']).to_owned();
        if !from.ends_with(SLOW) {
            return (Authenticity::Pass, from);
        }
        if let Some(gate) = &self.gate {
            let _ = gate.lock().expect("a gate").recv();
        }
        self.clock.set(self.clock.now() + SignedDuration::from_secs(10));
        (Authenticity::Unknown, String::new())
    }
}

/// A mailbox that looks, before each fetch, at what has been judged.
struct Watched {
    inbox: MaildirInbox,
    /// Called with the number of the fetch.
    look: Box<dyn FnMut(usize) + Send>,
    fetches: usize,
}

impl Inbox for Watched {
    fn name(&self) -> &str {
        self.inbox.name()
    }
    fn claim(&mut self, mark: &str) -> Result<(), InboxError> {
        self.inbox.claim(mark)
    }
    fn fetch(&mut self, skip: &dyn Fn(&str) -> bool) -> Result<Vec<RawMessage>, InboxError> {
        self.fetches += 1;
        (self.look)(self.fetches);
        self.inbox.fetch(skip)
    }
    fn file(&mut self, moves: &[(String, Folder)]) -> Result<(), InboxError> {
        self.inbox.file(moves)
    }
    fn wait(&mut self, timeout: Duration, cancel: &Cancel) -> Result<(), InboxError> {
        self.inbox.wait(timeout, cancel)
    }
}

fn inbox(dir: &Path) -> MaildirInbox {
    MaildirInbox::open("main", dir, 1_000_000, Duration::from_secs(1)).expect("a mailbox")
}

/// The threads of a service over a host's store, with these name servers.
fn serving(host: &Host, dir: &Path, names: &Arc<Names>) -> Mutex<robot::host::Host> {
    let entropy = Arc::new(FixedEntropy::new(78));
    let store = support::postgres::open(host.dir.path(), entropy.as_ref()).expect("a store");
    let cx = &host.robot.cx;
    let (identity, gm, limits) = (cx.identity.clone(), cx.gm.clone(), cx.limits.clone());
    let clock: Arc<dyn Clock> = Arc::<FakeClock>::clone(&names.clock);
    let robot = Robot::new(store, identity, gm, limits, &ENGINES, clock, entropy);
    let names: Arc<dyn CheckOrigin> = Arc::<Names>::clone(names);
    Mutex::new(robot::host::Host::new(robot, dir.into(), Some(names), Wakes::nobody()))
}

fn filed(store: &Store, seat: u8) -> bool {
    let mails = store.mails().mails_of(&player(seat), 9).expect("a store");
    mails.iter().any(|m| m.reason == Reason::Filed)
}

/// Lays a mail into the mailbox; `n` is its place in the order of receipt.
fn lay(dir: &Path, n: u32, text: &str) {
    deliver(dir, &format!("{}.mail", 1_780_000_000 + n), text.as_bytes()).expect("delivered");
}

#[test]
fn a_name_server_that_never_answers_delays_the_mails_of_its_own_domain_alone() {
    let host = Host::new();
    let dir = tempfile::tempdir().expect("a folder");
    for n in 0..40 {
        lay(dir.path(), n, &mail(&format!("x{n}@{SLOW}"), ROBOT, "HELP\n"));
    }
    lay(dir.path(), 40, &mail(&player(1), ROBOT, "M 1 3\n"));
    lay(dir.path(), 41, &host.card(2, "M 2 3\n"));
    let clock = Arc::new(FakeClock::at(host.robot.now()));
    let (open, gate): (Sender<()>, _) = channel();
    let names = Names::new(&clock, Some(gate));
    let shared = serving(&host, dir.path(), &names);
    let entropy = FixedEntropy::new(79);
    let store = support::postgres::open(host.dir.path(), &entropy).expect("a store");
    let opened = Arc::new(AtomicBool::new(false));
    let (mut open, is_open) = (Some(open), Arc::clone(&opened));
    let look = move |fetches: usize| {
        if open.is_some() && filed(&store, 1) && filed(&store, 2) {
            // Both were judged while the name server was still silent; now it may give up.
            open = None;
            is_open.store(true, Ordering::SeqCst);
        }
        assert!(fetches < 100 || open.is_none(), "the cards wait for somebody else's name server");
    };
    let (inbox, look) = (inbox(dir.path()), Box::new(look));
    let mut watched = Watched { inbox, look, fetches: 0 };
    robot::host::round(&shared, &mut watched, &Cancel::default()).expect("read");
    assert!(opened.load(Ordering::SeqCst), "they were judged before");
    // The round ends when all mails are judged: steps wait for that.
    assert_eq!(host.robot.store.mails().unjudged().expect("a store"), Vec::new());
    let slow = names.asked().iter().filter(|m| m.contains(SLOW)).count();
    assert_eq!(slow, 3, "ten seconds each, for thirty");
    let helped = "SELECT count(*) FROM mail WHERE sender LIKE 'x%'";
    let helped: i64 = host.robot.store.database().one(helped, &[], |r| r.get(0)).expect("a number");
    assert_eq!(helped, 40, "those that were not asked about are judged too");
}

#[test]
fn a_domain_has_half_a_minute_a_day_and_what_is_not_looked_at_proves_nothing() {
    let host = Host::new();
    let dir = tempfile::tempdir().expect("a folder");
    let clock = Arc::new(FakeClock::at(host.robot.now()));
    let names = Names::new(&clock, None);
    let shared = serving(&host, dir.path(), &names);
    let mut inbox = inbox(dir.path());
    let mut round = |n: u32, from: &str| {
        lay(dir.path(), n, &mail(from, ROBOT, &format!("M 1 {n}\n")));
        robot::host::round(&shared, &mut inbox, &Cancel::default()).expect("read");
        names.asked().len()
    };
    let slow = format!("x@{SLOW}");
    let asked: Vec<usize> = (0..6).map(|n| round(n, &slow)).collect();
    assert_eq!(asked, [1, 2, 3, 3, 3, 3], "over all rounds of a day");
    assert_eq!(round(6, &player(1)), 4, "others are asked about");
    clock.set(clock.now() + SignedDuration::from_hours(24));
    assert_eq!(round(7, &slow), 5, "tomorrow it has its time again");
}

#[test]
fn mails_with_a_secret_are_asked_about_before_those_in_the_same_name_without() {
    let host = Host::new();
    let dir = tempfile::tempdir().expect("a folder");
    for n in 0..8 {
        lay(dir.path(), n, &mail(&player(1), ROBOT, &format!("M 1 {n}\n")));
    }
    let card = host.card(1, "C 1 1\n");
    lay(dir.path(), 8, &card);
    let clock = Arc::new(FakeClock::at(host.robot.now()));
    let names = Names::new(&clock, None);
    let shared = serving(&host, dir.path(), &names);
    robot::host::round(&shared, &mut inbox(dir.path()), &Cancel::default()).expect("read");
    let asked = names.asked();
    assert_eq!(asked.len(), 9);
    assert!(asked[0].contains("C 1 1"), "the secret's comes first: {}", asked[0]);
}
