//! Two small stories that a robot lives through, each with what must be true at its end.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use fieldpost::clock::{Clock, SystemClock, SystemEntropy};
use fieldpost::engine::Seat;
use fieldpost::mail::OutgoingMail;
use fieldpost::store::{Drawing, QueuedMail, Store};
use fieldpost::terms::Format;
use jiff::SignedDuration;
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use crate::host::{GAME, Host, LIMIT, Setup};
use crate::letter::Letter;
use crate::rig::{DOMAIN, Rig, poll};

/// What happens in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Story {
    /// Six mails wait for the robot; it judges them, the deadline passes, the turn runs.
    Turn,
    /// A robot comes back after hours: a deadline moves, a game waits for a quorum, one is held.
    Return,
}

/// The people of a run; their mailboxes are theirs alone.
#[derive(Debug, Clone)]
pub struct People {
    /// What all their names end with, and no other run's.
    pub mark: String,
}

/// What a run left behind.
#[derive(Debug, Default)]
pub struct Seen {
    /// Mails that came again under the same Message-ID.
    pub repeats: usize,
    /// What must not be, in words.
    pub faults: Vec<String>,
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

    fn address(&self, letter: char) -> String {
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
    story: Story,
    _dir: TempDir,
    file: PathBuf,
}

const FILE: &str = "data/fieldpost.sqlite";

/// Verdict, reason and seat of each mail of [`Story::Turn`].
const VERDICTS: &str = "\
accepted added 1
accepted added 1
accepted filed 2
ignored auto-submitted 0
ignored duplicate 0
rejected wrong-secret 0";

/// Kind, state and number of the mails that it causes.
const CAUSED: &str = "\
answer sent 1
echo sent 3
farewell sent 1
gm sent 1
printout failed 1
printout sent 3";

/// The same for [`Story::Return`]: W7 and Q7 tell three players each of another deadline, and
/// remind them of it; the game master hears of the game that is held.
const CAUSED_ON_RETURN: &str = "\
gm sent 1
notice sent 6
reminder sent 6";

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

    /// The first printouts count as sent; two players read text alone, one also has his as JSON,
    /// for which the other printouts wait.
    fn tune(&self) {
        let conn = Connection::open(&self.file).expect("the store opens");
        let text = Format { html: false, ..Format::default() };
        let format = |of| serde_json::to_string(&of).expect("plain data");
        let formats = [format(text), format(Format { json: true, ..text })];
        let act = |sql: &str, values: &[&str]| {
            conn.execute(sql, rusqlite::params_from_iter(values)).expect(sql);
        };
        act("UPDATE outbox SET state = 'sent'", &[]);
        act("DELETE FROM drawing", &[]);
        act(
            "UPDATE seat SET format = CASE seat WHEN 3 THEN ?2 ELSE ?1 END",
            &[&formats[0], &formats[1]],
        );
        if self.story == Story::Turn {
            // Whether there is time for one depends on the kill.
            act("UPDATE seat SET reminders = 0", &[]);
        }
        if self.story == Story::Return {
            act(
                "UPDATE game SET terms = json_set(terms, '$.outage_minutes', 0) \
                 WHERE code <> ?1",
                &[GAME],
            );
            act("UPDATE game SET terms = json_set(terms, '$.quorum', 2) WHERE code = 'Q7'", &[]);
            // As after the update of a program that knows the old rules no more.
            act("UPDATE game SET rules_version = 99 WHERE code = 'H7'", &[]);
        }
    }

    /// Gives a host its copy, and lays down what waits for its robot.
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
                store.post(&[farewell(people)], SystemClock.now()).expect("the mail is queued");
                // Long enough for the echoes to leave before, as a rule.
                let due = SystemClock.now() + SignedDuration::from_millis(500);
                store.set_deadline(GAME, due).expect("the deadline is set");
            }
            Story::Return => {
                let ago = |hours| SystemClock.now() - SignedDuration::from_hours(hours);
                let last = ago(5).to_string();
                store.set_note("read main", &last).expect("the note is kept");
                for game in [GAME, "Q7", "H7"] {
                    store.set_deadline(game, ago(1)).expect("the deadline is set");
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
    let secret = |seat: u8| store.key().reply(GAME, Seat(seat), 1);
    // Mails of one second have no order among them, so none of these depends on another.
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
        kind: "farewell",
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
    }
}

/// A look at the store of a robot that may be running.
struct Look(Connection);

impl Look {
    fn at(host: &Host) -> Option<Self> {
        let conn = Connection::open_with_flags(host.path(FILE), OpenFlags::SQLITE_OPEN_READ_ONLY);
        conn.ok().map(Self)
    }

    /// The first column of all rows as lines; nothing while the store can't be read.
    fn lines(&self, sql: &str) -> Option<String> {
        let mut query = self.0.prepare(sql).ok()?;
        let rows = query.query_map([], |row| row.get::<_, String>(0)).ok()?;
        let rows: Vec<String> = rows.collect::<rusqlite::Result<_>>().ok()?;
        Some(rows.join("\n"))
    }

    fn is(&self, sql: &str, expected: &str) -> bool {
        self.lines(sql).is_some_and(|lines| lines == expected)
    }
}

impl Story {
    /// Whether everything has happened that will.
    pub fn is_over(self, rig: &Rig, host: &Host, people: &People) -> bool {
        let Some(look) = Look::at(host) else { return false };
        let open = "SELECT count(*) || '' FROM outbox WHERE state IN ('waiting', 'drawing')";
        let moving = "SELECT count(*) || '' FROM mail WHERE verdict IS NULL OR moved = 0";
        let done = match self {
            Self::Turn => look.is("SELECT turn || '' FROM game", "2"),
            Self::Return => {
                let sql =
                    "SELECT status || (deadline > 1000 * unixepoch()) FROM game ORDER BY code";
                look.is(sql, "held0\nrunning1\nrunning1")
            }
        };
        done && look.is(open, "0")
            && look.is(moving, "0")
            && rig.mails(&people.user('r'), "INBOX").is_empty()
            && !rig.queue_names(&format!("{}@{DOMAIN}", people.mark))
    }

    /// Whether all mails came that an undisturbed run sends; looks at nothing of the robot's.
    pub fn has_sent(self, rig: &Rig, people: &People) -> bool {
        let all = people.users().iter().skip(1).map(|u| rig.mails(u, "INBOX").len()).sum::<usize>();
        all >= match self {
            Self::Turn => 9,
            Self::Return => 13,
        }
    }

    /// What the run left behind, compared with what must be.
    pub fn verify(self, rig: &Rig, host: &Host, people: &People) -> Seen {
        let mut seen = Seen::default();
        let Some(look) = Look::at(host) else {
            seen.faults.push("the store does not open".to_owned());
            return seen;
        };
        let caused = "SELECT kind || ' ' || state || ' ' || count(*) FROM outbox
                      WHERE turn > 1 OR turn IS NULL OR kind <> 'printout'
                      GROUP BY kind, state ORDER BY 1";
        match self {
            Self::Turn => {
                seen.must_be("mails of ours", &look, caused, CAUSED);
                seen.the_turn(&look);
                seen.the_folders(rig, people);
            }
            Self::Return => {
                seen.must_be("mails of ours", &look, caused, CAUSED_ON_RETURN);
                seen.the_deadlines(&look);
            }
        }
        seen.the_mailboxes(self, rig, people);
        seen.the_journal(self, host);
        seen
    }

    /// Kinds of mails for a person, as the Message-IDs and subjects tell.
    fn due_to(self, letter: char) -> &'static [&'static str] {
        match (self, letter) {
            (Self::Turn, 'a') => &["echo", "echo", "printout"],
            (Self::Turn, 'b') => &["answer", "echo", "printout"],
            (Self::Turn, 'c') => &["printout"],
            (Self::Turn, 'd') => &["farewell"],
            (Self::Turn, _) => &["turn 1 has run"],
            (Self::Return, 'g') => &["game H7 is held"],
            (Self::Return, 'd') => &[],
            (Self::Return, _) => &["Q7 later", "Q7 reminder", "W7 later", "W7 reminder"],
        }
    }
}

fn kind_of(letter: &Letter) -> String {
    let subject = letter.field("Subject");
    for told in ["turn 1 has run", "game H7 is held", "farewell"] {
        if subject.contains(told) {
            return told.to_owned();
        }
    }
    let game = subject.split([' ', '[']).nth(1).unwrap_or_default();
    match () {
        () if letter.is("e", 1) => "echo".to_owned(),
        () if letter.is("p", 2) => "printout".to_owned(),
        () if letter.id().starts_with("answer.") => "answer".to_owned(),
        () if letter.is("n", 1) => format!("{game} later"),
        () if letter.is("r", 1) => format!("{game} reminder"),
        () => format!("unknown: {subject}"),
    }
}

impl Seen {
    fn must_be(&mut self, what: &str, look: &Look, sql: &str, expected: &str) {
        let found = look.lines(sql).unwrap_or_else(|| "unreadable".to_owned());
        if found != expected {
            self.faults.push(format!("{what}: {found:?} and not {expected:?}"));
        }
    }

    /// One verdict for each mail, the right orders in the journal, one turn.
    fn the_turn(&mut self, look: &Look) {
        let sql =
            "SELECT verdict || ' ' || reason || ' ' || coalesce(seat, 0) FROM mail ORDER BY 1";
        self.must_be("verdicts", look, sql, VERDICTS);
        let sql = "SELECT group_concat(turn, ' ') FROM (SELECT turn FROM turn ORDER BY turn)";
        self.must_be("turns in the journal", look, sql, "0 1");
        let sql = "SELECT (seat.value ->> '$[0]') || ' ' || (SELECT group_concat(line.value ->> \
                   '$[1]', '; ' ORDER BY line.value ->> '$[1]') FROM json_each(seat.value, '$[1].lines') AS line) \
                   FROM turn, json_each(turn.cards) AS seat WHERE turn = 1 ORDER BY 1";
        self.must_be("orders that ran", look, sql, "1 @ 2A; @ 3A\n2 @ 1A");
        let sql = "SELECT bounces || '' FROM address WHERE address LIKE 'x%'";
        self.must_be("refusals of the address without a mailbox", look, sql, "2");
        let sql = "SELECT recipient FROM outbox WHERE kind = 'farewell'";
        self.must_be("who was erased", look, sql, "erased");
    }

    /// W7 moves by the four hours that were lost, Q7 waits once for a day, H7 is held.
    fn the_deadlines(&mut self, look: &Look) {
        let hours = "CAST(round((deadline / 1000.0 - unixepoch()) / 3600) AS INTEGER)";
        let sql = format!(
            "SELECT code || ' ' || status || ' ' || {hours} || ' ' || waited
                           FROM game ORDER BY code"
        );
        let expected = "H7 held -1 0\nQ7 running 24 1\nW7 running 4 0";
        self.must_be("games", look, &sql, expected);
    }

    /// Each mail lies in the folder of its verdict, once.
    fn the_folders(&mut self, rig: &Rig, people: &People) {
        let lies = |folder| rig.mails(&people.user('r'), folder).len();
        let found = ["INBOX", "Accepted", "Rejected", "Ignored", "Quarantine"].map(lies);
        if found != [0, 3, 1, 2, 0] {
            self.faults.push(format!("mails in the folders: {found:?}"));
        }
    }

    /// Everybody has what is due to him once; what came again is the same mail.
    fn the_mailboxes(&mut self, story: Story, rig: &Rig, people: &People) {
        for letter in ['a', 'b', 'c', 'd', 'g'] {
            let mut by_id: BTreeMap<String, Letter> = BTreeMap::new();
            for raw in rig.mails(&people.user(letter), "INBOX") {
                let mail = Letter::read(&raw);
                let id = mail.id().to_owned();
                if let Some(first) = by_id.get(&id) {
                    self.repeats += 1;
                    if first.body != mail.body {
                        self.faults.push(format!("{letter}: the repeat of {id} is another mail"));
                    }
                } else {
                    by_id.insert(id, mail);
                }
            }
            let mut kinds: Vec<String> = by_id.values().map(kind_of).collect();
            kinds.sort_unstable();
            if kinds != story.due_to(letter) {
                self.faults.push(format!("mails to {letter}: {kinds:?}"));
            }
        }
    }

    /// The journal gives the same again.
    fn the_journal(&mut self, story: Story, host: &Host) {
        let turns = match story {
            Story::Turn => "2 turns recomputed",
            Story::Return => "1 turns recomputed",
        };
        let told = host.try_run(&["replay", GAME]);
        let said = String::from_utf8_lossy(&told.stdout);
        if !told.status.success() || !said.contains(turns) {
            self.faults.push(format!("replay: {said}"));
        }
    }
}
