//! The net between the robot and its players: a mailbox, mails under way, and mails accepted for
//! delivery; with the faults of servers.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard};

use base::clock::FakeClock;
use jiff::Timestamp;

use support::chance::Chance;

/// A message in the robot's mailbox.
#[derive(Debug, Clone)]
pub struct Message {
    /// The number of its delivery; its copies in other folders have the same.
    pub serial: u32,
    pub uid: u32,
    /// Seconds since 1970, by the server's clock.
    pub received: i64,
    pub bytes: Vec<u8>,
    pub folder: String,
    pub deleted: bool,
}

/// A mail that the robot handed to its server.
#[derive(Debug, Clone)]
pub struct Taken {
    pub to: String,
    pub bytes: Vec<u8>,
    pub message_id: String,
}

/// How often faults come: one in this number of a server's answers; 0: never.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    pub imap: u64,
    pub smtp: u64,
}

/// What another process does while the robot waits for an answer.
pub type Meanwhile = Box<dyn FnMut() + Send>;

pub struct Net {
    pub chance: Chance,
    /// Seconds since 1970, as the servers have them.
    pub now: i64,
    /// The robot's clock, and the seconds by which it is wrong.
    pub clock: Arc<FakeClock>,
    pub skew: i64,
    pub faults: Faults,
    /// How often each fault came.
    pub counts: BTreeMap<&'static str, u64>,
    pub disk: faulty_disk::Shared,
    /// The run of the robot: lines of an earlier one are dead.
    pub epoch: u64,
    pub validity: u32,
    pub next_uid: u32,
    pub messages: Vec<Message>,
    pub folders: BTreeSet<String>,
    /// Message-IDs of all that was ever delivered, by serial.
    pub delivered: Vec<String>,
    /// Serials of messages that another program removed.
    pub removed: BTreeSet<u32>,
    /// Mails to the robot with the second at which they arrive.
    pub coming: Vec<(i64, Vec<u8>)>,
    /// Message-IDs of mails that the robot fetched, by its key: it forgets the text of unproven
    /// ones.
    pub fetched: BTreeMap<String, String>,
    pub taken: Vec<Taken>,
    /// Message-ID and recipient of mails that the robot knows to be accepted: in this run of its
    /// outbox, and in its store.
    pub told: BTreeSet<(String, String)>,
    pub noted: BTreeSet<(String, String)>,
    /// Mails that it sent again although it knew.
    pub repeats: Vec<String>,
    /// An address that the server refuses.
    pub refused: String,
    /// Addresses to which the server refused one mail for good. A second refusal might suspend
    /// them.
    pub refused_once: BTreeSet<String>,
    /// All events, to compare runs.
    pub trace: Vec<String>,
    /// Sometimes runs between two lines of the dialogue.
    pub meanwhile: Option<Meanwhile>,
}

/// The net as servers, players and the robot's lines share it.
pub type Shared = Arc<Mutex<Net>>;

pub fn lock(net: &Shared) -> MutexGuard<'_, Net> {
    net.lock().unwrap_or_else(|e| e.into_inner())
}

impl Net {
    pub fn new(seed: u64, now: i64, disk: faulty_disk::Shared, clock: Arc<FakeClock>) -> Self {
        Self {
            chance: Chance(seed),
            now,
            clock,
            skew: 0,
            faults: Faults::default(),
            counts: BTreeMap::new(),
            disk,
            fetched: BTreeMap::new(),
            epoch: 0,
            validity: 1,
            next_uid: 1,
            messages: Vec::new(),
            folders: BTreeSet::from(["INBOX".to_owned()]),
            delivered: Vec::new(),
            removed: BTreeSet::new(),
            coming: Vec::new(),
            taken: Vec::new(),
            told: BTreeSet::new(),
            noted: BTreeSet::new(),
            repeats: Vec::new(),
            refused: String::new(),
            refused_once: BTreeSet::new(),
            trace: Vec::new(),
            meanwhile: None,
        }
    }

    /// Whether the robot's process is gone, and its connections with it.
    pub fn is_dead(&self) -> bool {
        faulty_disk::lock(&self.disk).dead
    }

    /// Kills the robot's process here and now.
    pub fn kill(&mut self, where_: &'static str) {
        faulty_disk::lock(&self.disk).dead = true;
        self.count(where_);
    }

    pub fn count(&mut self, fault: &'static str) {
        *self.counts.entry(fault).or_default() += 1;
    }

    /// Sends a mail to the robot; it may come late, twice, or before others.
    pub fn send(&mut self, bytes: Vec<u8>) {
        let delay = match self.chance.below(10) {
            0 => self.chance.below(7200) as i64,
            1..4 => self.chance.below(300) as i64,
            _ => 1,
        };
        if self.chance.one_in(12) {
            self.count("delivered twice");
            let again = self.now + delay + self.chance.below(4000) as i64;
            self.coming.push((again, bytes.clone()));
        }
        self.coming.push((self.now + delay, bytes));
    }

    /// The time by the robot's clock.
    pub fn robots_time(&self) -> Timestamp {
        Timestamp::from_second(self.now + self.skew).expect("a time")
    }

    /// Makes the robot's clock wrong, or right.
    pub fn set_skew(&mut self, skew: i64) {
        self.skew = skew;
        self.clock.set(self.robots_time());
    }

    /// Lets time go by.
    pub fn pass(&mut self, seconds: i64) {
        self.now += seconds;
        self.arrive();
        self.clock.set(self.robots_time());
    }

    /// Lets mails arrive whose time has come.
    pub fn arrive(&mut self) {
        let now = self.now;
        let (mut due, coming): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.coming).into_iter().partition(|(at, _)| *at <= now);
        self.coming = coming;
        // Each keeps its own time, but they arrive in random order.
        for i in (1..due.len()).rev() {
            due.swap(i, self.chance.below(i as u64 + 1) as usize);
        }
        for (received, bytes) in due {
            let uid = self.next_uid;
            self.next_uid += 1;
            let serial = self.delivered.len() as u32;
            self.delivered.push(header(&bytes, "Message-ID"));
            let folder = "INBOX".to_owned();
            self.messages.push(Message { serial, uid, received, bytes, folder, deleted: false });
        }
    }

    /// Notes that a round of the robot's outbox is over, and whether it stored all answers.
    pub fn note_told(&mut self, noted: bool) {
        let told = std::mem::take(&mut self.told);
        if noted {
            self.noted.extend(told);
        }
    }

    /// The server gives its messages new numbers, as after a repair.
    pub fn renumber(&mut self) {
        self.count("UIDVALIDITY changed");
        self.validity += 1;
        // Sessions end with it: within one the numbers hold (RFC 3501 §2.3.1.1).
        self.epoch += 1;
        self.next_uid = 1;
        for message in &mut self.messages {
            message.uid = self.next_uid;
            self.next_uid += 1;
        }
    }

    /// Another program removes a message.
    pub fn remove_one(&mut self) {
        let inbox: Vec<usize> =
            (0..self.messages.len()).filter(|i| self.messages[*i].folder == "INBOX").collect();
        if inbox.is_empty() {
            return;
        }
        self.count("removed by another program");
        let i = *self.chance.of(&inbox);
        let message = self.messages.remove(i);
        self.removed.insert(message.serial);
    }
}

/// A header field of a raw mail, unfolded; empty without one.
pub fn header(bytes: &[u8], name: &str) -> String {
    let mut lines = bytes.split(|b| *b == b'\n').take_while(|line| !line.trim_ascii().is_empty());
    let behind = |line: &[u8]| {
        let (field, rest) = line.split_at_checked(name.len())?;
        let rest = rest.strip_prefix(b":")?;
        field
            .eq_ignore_ascii_case(name.as_bytes())
            .then(|| String::from_utf8_lossy(rest).into_owned())
    };
    let Some(mut value) = lines.find_map(behind) else { return String::new() };
    for more in lines.take_while(|line| line.starts_with(b" ") || line.starts_with(b"\t")) {
        value = format!("{} {}", value.trim_end(), String::from_utf8_lossy(more).trim_ascii());
    }
    value.trim().trim_matches(['<', '>']).to_owned()
}
