//! Two small stories that a robot lives through, each with what must be true at its end.

use std::fs;
use std::path::PathBuf;

use base::clock::{Clock, SystemClock, SystemEntropy};
use base::terms::{Choices, Format};
use engine::Seat;
use jiff::SignedDuration;
use mail::OutgoingMail;
use rusqlite::Connection;
use store::{Drawing, MailKind, QueuedMail, Store};
use tempfile::TempDir;

use support::process::{GAME, Host, LIMIT, Setup};
use support::rig::{DOMAIN, Rig, poll};

/// What happens in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Story {
    /// Six mails wait for the robot; it judges them, the deadline passes, the turn runs.
    Turn,
    /// A robot comes back after hours: a deadline moves, a game waits for a quorum, one is suspended.
    Return,
}

/// The people of a run; no other run uses their mailboxes.
#[derive(Debug, Clone)]
pub struct People {
    /// The end of all their names, which no other run uses.
    pub mark: String,
}

impl People {
    /// The people of a run by its number.
    pub fn of(run: usize) -> Self {
        Self { mark: format!("{run:04}") }
    }

    /// A name: `r` the robot, `g` the game master, `a`, `b` and `c` players, `d` one who has left
    /// and was erased; `x` has no mailbox.
    pub fn user(&self, letter: char) -> String {
        format!("{letter}{}", self.mark)
    }

    /// Users with a mailbox.
    pub fn users(&self) -> [String; 6] {
        ['r', 'g', 'a', 'b', 'c', 'd'].map(|letter| self.user(letter))
    }

    /// The address of one of them.
    pub fn address(&self, letter: char) -> String {
        format!("{}@{DOMAIN}", self.user(letter))
    }

    /// The setup of their host; one connection, so that at most one mail is in doubt.
    pub fn setup(&self, rig: &Rig) -> Setup {
        let (robot, gm) = (self.user('r'), self.user('g'));
        Setup { robot, gm, connections: 1, ..Setup::of(rig) }
    }
}

/// A store in which a story can begin; each run gets a copy.
pub struct Template {
    /// Which one.
    pub story: Story,
    _dir: TempDir,
    file: PathBuf,
}

/// The store of a host.
pub const FILE: &str = "data/fieldpost.sqlite";

impl Template {
    /// Makes the games of a story and starts them; nothing is sent.
    pub fn make(story: Story, rig: &Rig) -> Self {
        let people = People::of(0);
        let host = Host::new(rig, &people.setup(rig));
        let games: &[&str] = match story {
            Story::Turn => &[GAME],
            Story::Return => &[GAME, "Q7", "H7"],
        };
        for game in games {
            host.run(&["game", "new", game, "--engine", "battle-plan", "--seats", "4"]);
            for (seat, letter) in [("1", 'a'), ("2", 'b'), ("3", 'c'), ("4", 'x')] {
                if story == Story::Turn || letter != 'x' {
                    host.run(&["seat", "add", game, seat, &people.address(letter)]);
                }
            }
            let computers = if story == Story::Turn { &[][..] } else { &["--computers"] };
            host.run(&[&["game", "start", game], computers].concat());
        }
        let dir = tempfile::tempdir().expect("a temporary folder");
        let file = dir.path().join("store");
        fs::copy(host.path(FILE), &file).expect("the store can be copied");
        let template = Self { story, _dir: dir, file };
        template.tune();
        template
    }

    /// The first printouts count as sent; two players read only text, one also has printouts as
    /// JSON, for which the other printouts wait.
    fn tune(&self) {
        let conn = Connection::open(&self.file).expect("the store opens");
        let text = Format { html: false, ..Format::default() };
        // In a turn it depends on the kill whether there is time for a reminder.
        let reminders = self.story != Story::Turn;
        let chosen = [text, Format { json: true, ..text }].map(|format| {
            serde_json::to_string(&Choices { format, reminders }).expect("plain data")
        });
        let act = |sql: &str, values: &[&str]| {
            conn.execute(sql, rusqlite::params_from_iter(values)).expect(sql);
        };
        act("UPDATE outbox SET state = 'sent'", &[]);
        act("DELETE FROM drawing", &[]);
        act(
            "UPDATE seat SET choices = CASE seat WHEN 3 THEN ?2 ELSE ?1 END",
            &[&chosen[0], &chosen[1]],
        );
        if self.story == Story::Return {
            act(
                "UPDATE game SET terms = json_set(terms, '$.outage_minutes', 0) \
                 WHERE code <> ?1",
                &[GAME],
            );
            act("UPDATE game SET terms = json_set(terms, '$.quorum', 2) WHERE code = 'Q7'", &[]);
            // As after an update to a program that no longer knows the old rules.
            act("UPDATE game SET rules_version = 99 WHERE code = 'H7'", &[]);
        }
    }

    /// Gives a host its copy, and puts the waiting mails into the mailbox.
    pub fn begin(&self, rig: &Rig, host: &Host, people: &People) {
        fs::create_dir_all(host.path("data")).expect("a folder");
        fs::copy(&self.file, host.path(FILE)).expect("the store can be copied");
        let mut store = Store::open(&host.path("data"), &SystemEntropy).expect("the store opens");
        for (seat, letter) in [(1, 'a'), (2, 'b'), (3, 'c'), (4, 'x')] {
            let sql = "UPDATE seat SET address = ?2 WHERE seat = ?1 AND NOT computer";
            let row = rusqlite::params![seat, people.address(letter)];
            store.connection().execute(sql, row).expect("the address is set");
        }
        match self.story {
            Story::Turn => {
                six_mails(rig, &store, people);
                store
                    .write(|tx| tx.outbox().post(&[farewell(people)], SystemClock.now()))
                    .expect("the mail is queued");
                // Usually long enough for the echoes to leave before.
                let due = SystemClock.now() + SignedDuration::from_millis(500);
                store.write(|tx| tx.set_deadline(GAME, due)).expect("the deadline is set");
            }
            Story::Return => {
                let ago = |hours| SystemClock.now() - SignedDuration::from_hours(hours);
                let last = ago(5).to_string();
                store.write(|tx| tx.set_note("read main", &last)).expect("the note is kept");
                // Their turns have been open for long enough to send reminders.
                let sql = "UPDATE step SET opened_at = opened_at - 7 * 86400000";
                store.connection().execute(sql, []).expect("the steps are older");
                for game in [GAME, "Q7", "H7"] {
                    store.write(|tx| tx.set_deadline(game, ago(1))).expect("the deadline is set");
                }
            }
        }
    }
}

/// Additions of one player, the card of another that comes twice, an automatic mail, a guess.
fn six_mails(rig: &Rig, store: &Store, people: &People) {
    let mail = |from: char, id: &str, secret: &str, seat: u8, more: &str, text: &str| {
        let (from, domain) = (people.address(from), DOMAIN);
        let to = format!("{}+{GAME}.{seat}.{secret}@{domain}", people.user('r'));
        let raw = format!(
            "From: <{from}>\nTo: <{to}>\nSubject: Re: [{GAME} T1 S{seat}] printout\n\
             Message-ID: <{id}-{from}>\nDate: Sat, 21 Nov 2026 12:00:00 +0000\n{more}\
             MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"
        );
        rig.submit(&from, &to, raw.as_bytes());
    };
    let secret = |seat: u8| store.key().reply(GAME, Seat(seat), 0, 1);
    // Mails of one second have no order, so none of these depends on another.
    mail('a', "first", &secret(1), 1, "", "ADD\n@ 2A");
    mail('a', "more", &secret(1), 1, "", "ADD\n@ 3A");
    mail('b', "card", &secret(2), 2, "", "@ 1A");
    mail('b', "card", &secret(2), 2, "", "@ 1A");
    mail('c', "away", &secret(3), 3, "Auto-Submitted: auto-replied\n", "@ 1A");
    mail('b', "guess", "aaaaaaaaaaaaa", 2, "", "@ 3E");
    let all = || rig.mails(&people.user('r'), "INBOX").len() == 6;
    let there = poll(LIMIT, || all().then_some(()));
    assert!(there.is_some(), "six mails arrive\n{}", rig.logs());
}

/// The last mail to somebody; once it is sent, nothing of its reader stays in the store.
fn farewell(people: &People) -> QueuedMail {
    let (from, to) = (people.address('r'), people.address('d'));
    let id = format!("farewell.{to}");
    let text = format!(
        "From: <{from}>\r\nTo: <{to}>\r\nSubject: farewell\r\nMessage-ID: <{id}>\r\n\r\nGone.\r\n"
    );
    QueuedMail {
        kind: MailKind::Farewell,
        seat: None,
        turn: None,
        expires_at: None,
        mail: OutgoingMail {
            to,
            envelope_from: from,
            message_id: id,
            bytes: text.into_bytes(),
            bounce: String::new(),
        },
        drawing: Drawing::default(),
        shows: Vec::new(),
    }
}
