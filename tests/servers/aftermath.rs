//! The state after a story, compared with the state that must be.

use std::collections::BTreeMap;

use rusqlite::{Connection, OpenFlags};

use crate::story::{FILE, People, Story};
use support::letter::Letter;
use support::process::{GAME, Host};
use support::rig::{DOMAIN, Rig};

/// The result of a run.
#[derive(Debug, Default)]
pub struct Seen {
    /// Mails that came again under the same Message-ID.
    pub repeats: usize,
    /// Faults, in words.
    pub faults: Vec<String>,
}

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

/// The same for [`Story::Return`]: W7 and Q7 each notify three players of a new deadline, and
/// remind them of it; the game master gets a mail about the suspended game.
const CAUSED_ON_RETURN: &str = "\
gm sent 1
notice sent 6
reminder sent 6";

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
    /// Whether the story is over.
    pub fn is_over(self, rig: &Rig, host: &Host, people: &People) -> bool {
        let Some(look) = Look::at(host) else { return false };
        let open = "SELECT count(*) || '' FROM outbox WHERE state IN ('waiting', 'drawing')";
        let moving = "SELECT count(*) || '' FROM mail WHERE verdict IS NULL OR moved = 0";
        let done = match self {
            Self::Turn => look.is("SELECT turn || '' FROM game", "2"),
            Self::Return => {
                let sql = "SELECT status || (s.due_at > 1000 * unixepoch()) FROM game
                     JOIN step s ON s.game = code AND s.number = turn ORDER BY code";
                // They are written last, when all other mails may have left already.
                let reminded =
                    "SELECT count(*) || '' FROM reminded WHERE what LIKE '%hours before%'";
                look.is(sql, "suspended0\nrunning1\nrunning1") && look.is(reminded, "2")
            }
        };
        done && look.is(open, "0")
            && look.is(moving, "0")
            && rig.mails(&people.user('r'), "INBOX").is_empty()
            && !rig.queue_names(&format!("{}@{DOMAIN}", people.mark))
    }

    /// Whether all mails of an undisturbed run came; does not look at the robot's files.
    pub fn has_sent(self, rig: &Rig, people: &People) -> bool {
        let all = people.users().iter().skip(1).map(|u| rig.mails(u, "INBOX").len()).sum::<usize>();
        all >= match self {
            Self::Turn => 9,
            Self::Return => 13,
        }
    }

    /// Compares the result of the run with the state that must be.
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

    /// Kinds of mails that a person must get, as their Message-IDs and subjects show.
    fn due_to(self, letter: char) -> &'static [&'static str] {
        match (self, letter) {
            (Self::Turn, 'a') => &["echo", "echo", "printout"],
            (Self::Turn, 'b') => &["answer", "echo", "printout"],
            (Self::Turn, 'c') => &["printout"],
            (Self::Turn, 'd') => &["farewell"],
            (Self::Turn, _) => &["ran turn 1"],
            (Self::Return, 'g') => &["game H7 is suspended"],
            (Self::Return, 'd') => &[],
            (Self::Return, _) => &["Q7 later", "Q7 reminder", "W7 later", "W7 reminder"],
        }
    }
}

fn kind_of(letter: &Letter) -> String {
    let subject = letter.field("Subject");
    for told in ["ran turn 1", "game H7 is suspended", "farewell"] {
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

    /// W7 moves by the four hours that were lost, Q7 waits once for a day, H7 is suspended.
    fn the_deadlines(&mut self, look: &Look) {
        let hours = "CAST(round((due_at / 1000.0 - unixepoch()) / 3600) AS INTEGER)";
        let sql = format!(
            "SELECT code || ' ' || status || ' ' || {hours} || ' ' ||
             (SELECT count(*) FROM reminded r WHERE r.game = code AND r.what = 'quorum')
             FROM game JOIN step ON game = code AND number = turn ORDER BY code"
        );
        let expected = "H7 suspended -1 0\nQ7 running 24 1\nW7 running 4 0";
        self.must_be("games", look, &sql, expected);
    }

    /// Each mail is in the folder of its verdict, once.
    fn the_folders(&mut self, rig: &Rig, people: &People) {
        let lies = |folder| rig.mails(&people.user('r'), folder).len();
        let found = ["INBOX", "Accepted", "Rejected", "Ignored", "Quarantine"].map(lies);
        if found != [0, 3, 1, 2, 0] {
            self.faults.push(format!("mails in the folders: {found:?}"));
        }
    }

    /// Everybody has each of their mails; a repeated one is the same mail.
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
            Story::Turn => "2 steps recomputed",
            Story::Return => "1 step recomputed",
        };
        let told = host.try_run(&["replay", GAME]);
        let said = String::from_utf8_lossy(&told.stdout);
        if !told.status.success() || !said.contains(turns) {
            self.faults.push(format!("replay: {said}"));
        }
    }
}
