//! 1, 10, 100 and 1,000 games of mixed sizes in one process, deadlines spread over a week: a
//! simulated clock, a store on the disk.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use base::clock::{Clock, FakeClock, SystemEntropy};
use engine::{Saved, Seat, Setup};
use jiff::{SignedDuration, Timestamp};
use mail::Inbox;
use mail::maildir::{MaildirInbox, MaildirOutlet, deliver};
use robot::Robot;
use robot::outbox::Outlet;
use store::Game;

use crate::report::{Row, memory, now, share, since, size, taken, time};
use crate::stage::{self, Stage};
use crate::{battle_plan, late, warlord};

/// Games in one process.
const COUNTS: [usize; 4] = [1, 10, 100, 1000];
/// Seats of each game that people have.
const PLAYERS: u8 = 3;
/// Cards that are filed one by one.
const CARDS: usize = 40;
/// Turns between two looks at the outbox.
const SEND_EVERY: usize = 25;
const WEEK_S: i64 = 7 * 86_400;

/// The measurements of a process, by name.
type Figures = BTreeMap<String, f64>;

/// One row for each measurement, with its values for all numbers of games.
pub fn rows() -> Vec<Row> {
    let all: Vec<Figures> = COUNTS.into_iter().map(measure).collect();
    let row = |what: &str, name: &str, show: &dyn Fn(f64) -> String| {
        let values: Vec<String> = all.iter().map(|f| show(f[name])).collect();
        Row::new(format!("1 / 10 / 100 / 1,000 games: {what}"), values.join(" / "))
    };
    vec![
        row("memory when opened", "opened", &size),
        row("memory at rest after a round of turns", "memory", &size).aim("200 MB for 1,000"),
        row("memory at most", "peak", &size),
        row("a look at all with nothing due", "idle", &time),
        row("a card filed and echoed, median", "card", &time),
        row("the same, 95 %", "card95", &time),
        row("a turn that is due, median", "turn", &time),
        row("the same, longest (100 seats where there are some)", "longest", &time),
        row("turns of a whole round", "turns", &|n| format!("{n:.0}")),
        row("a whole round of turns, with printouts as text", "round", &time),
        row("the store", "store", &size),
    ]
}

/// Makes `count` games and plays them in a separate process, so that its memory is that of the
/// games.
fn measure(count: usize) -> Figures {
    let folder = made(count);
    let program = std::env::current_exe().expect("this program is a file");
    let mut command = Command::new(program);
    command.arg("--games").arg(&folder).stderr(Stdio::inherit());
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "games of {}", folder.display());
    let text = String::from_utf8(output.stdout).expect("text");
    let figure = |line: &str| {
        let (name, value) = line.split_once(' ')?;
        Some((name.to_owned(), value.parse().ok()?))
    };
    text.lines().filter_map(figure).collect()
}

/// The games of which all others are copies, in the middle of their course.
fn templates() -> Vec<Stage> {
    let stage = |engine, variant, seats, turn, saved| Stage {
        engine,
        variant,
        players: PLAYERS,
        ordered: false,
        ..Stage::warlord(&format!("T{seats}"), seats, turn, saved)
    };
    let of_warlord = |seats, turn, saved: Saved| stage("warlord", None, seats, turn, saved);
    let mut all: Vec<Stage> = (4..=9)
        .map(|n| {
            let saved = battle_plan::saved(("europe", n, 15));
            stage("battle-plan", Some("europe"), n, 15, saved)
        })
        .collect();
    let saved = battle_plan::saved(("equal", 25, 15));
    all.push(stage("battle-plan", Some("equal"), 25, 15, saved));
    let mut trial = warlord().trial(&Setup { seats: 12, ..Setup::default() }, 1).expect("a world");
    for _ in 0..20 {
        trial.write_cards();
        trial.step();
    }
    all.push(of_warlord(12, 20, trial.saved()));
    all.extend([50, 100].map(|n| of_warlord(n, 60, late::saved(n))));
    all
}

/// The number of seats of the nth game: of ten games four are small, two of the world and four of
/// Warlord; two of a hundred are large.
fn seats(n: usize) -> u8 {
    match (n % 100, n % 10) {
        (57, _) => 50,
        (99, _) => 100,
        (_, d @ 1..=4) => 4 + ((n / 10 + d) % 6) as u8,
        (_, 5 | 6) => 25,
        _ => 12,
    }
}

/// A store with `count` games that are due one after another in the next week.
pub fn made(count: usize) -> PathBuf {
    let folder = stage::folder(&format!("{count}-games"));
    let began = now();
    let clock = Arc::new(FakeClock::at(began));
    let mut robot = stage::robot(&folder.join("data"), clock, Arc::new(SystemEntropy));
    let wanted: Vec<u8> = (0..count).map(seats).collect();
    for stage in templates().into_iter().filter(|s| wanted.contains(&s.seats)) {
        stage.set(&mut robot);
    }
    let conn = robot.store.connection();
    conn.execute_batch("PRAGMA foreign_keys = 0; BEGIN;").expect("a store");
    for (n, seats) in wanted.iter().enumerate() {
        let due = began + SignedDuration::from_secs(600 + WEEK_S * n as i64 / count as i64);
        copy(conn, &format!("T{seats}"), &format!("G{n}"), due);
    }
    conn.execute_batch(
        "DELETE FROM turn WHERE game LIKE 'T%'; DELETE FROM seat WHERE game LIKE 'T%';
         DELETE FROM outbox WHERE game LIKE 'T%';
         DELETE FROM orders WHERE game LIKE 'T%'; DELETE FROM step WHERE game LIKE 'T%';
         DELETE FROM game WHERE code LIKE 'T%'; COMMIT;
         PRAGMA foreign_keys = 1; PRAGMA wal_checkpoint(TRUNCATE);",
    )
    .expect("a store");
    eprintln!("{count} games made in {}", time(since(began)));
    folder
}

/// Copies a game under another name, with its own players.
fn copy(conn: &rusqlite::Connection, from: &str, to: &str, due: Timestamp) {
    let sql = "CREATE TEMP TABLE g AS SELECT * FROM game WHERE code = :from;
               UPDATE g SET code = :to; INSERT INTO game SELECT * FROM g;
               CREATE TEMP TABLE p AS SELECT * FROM step WHERE game = :from;
               UPDATE p SET game = :to, due_at = :due; INSERT INTO step SELECT * FROM p;
               CREATE TEMP TABLE s AS SELECT * FROM seat WHERE game = :from;
               UPDATE s SET game = :to, address = replace(address, '@', '.' || lower(:to) || '@');
               INSERT INTO seat SELECT * FROM s;
               CREATE TEMP TABLE t AS SELECT * FROM turn WHERE game = :from
                 ORDER BY turn DESC LIMIT 1;
               UPDATE t SET game = :to; INSERT INTO turn SELECT * FROM t;
               INSERT INTO outbox (recipient, canon, kind, game, seat, turn, message_id,
                 envelope_from, mime_z, created_at, state, next_at)
               SELECT recipient, canon, kind, :to, seat, turn, :to || '.' || seat || '@bench',
                 envelope_from, mime_z, created_at, state, next_at FROM outbox WHERE game = :from;
               DROP TABLE g; DROP TABLE s; DROP TABLE t; DROP TABLE p;";
    let sql = sql.replace(":from", &format!("'{from}'")).replace(":to", &format!("'{to}'"));
    let sql = sql.replace(":due", &due.as_millisecond().to_string());
    conn.execute_batch(&sql).expect("a game is copied");
}

/// Games in play.
struct Play {
    robot: Robot,
    clock: Arc<FakeClock>,
    inbox: MaildirInbox,
    folder: PathBuf,
    outlet: Outlet,
}

/// Plays the games in a folder for a week and prints what it measured.
pub fn play(folder: &Path) {
    let clock = Arc::new(FakeClock::at(now()));
    let robot = stage::robot(&folder.join("data"), clock.clone(), Arc::new(SystemEntropy));
    let (root, wait) = (folder.join("inbox"), Duration::from_secs(1));
    let inbox = MaildirInbox::open("games", &root, 2_000_000, wait).expect("an inbox");
    let outlet = Outlet::Maildir(MaildirOutlet::new(&folder.join("sent")));
    let mut play = Play { robot, clock, inbox, folder: folder.to_owned(), outlet };
    // Reminders whose time has come leave before anything is measured.
    look(&mut play.robot);
    stage::send(&mut play.robot.store, &play.outlet, play.clock.as_ref());
    println!("opened {}", memory("self", "VmRSS"));
    let mut cards = play.cards();
    println!("card {}", share(&mut cards, 50));
    println!("card95 {}", share(&mut cards, 95));
    let began = now();
    let mut turns = play.week();
    println!("round {}", since(began));
    println!("turns {}", turns.len());
    println!("turn {}", share(&mut turns, 50));
    println!("longest {}", share(&mut turns, 100));
    println!("memory {}", memory("self", "VmRSS"));
    println!("peak {}", memory("self", "VmHWM"));
    println!("idle {}", crate::report::median(21, || look(&mut play.robot)));
    println!("store {}", stage::bytes(&play.robot.store));
}

/// A round without new mail.
fn look(robot: &mut Robot) {
    let now = robot.now();
    robot.run_due(now).expect("a store");
    robot.tick().expect("a store");
    std::hint::black_box(robot.next_event().expect("a store"));
    std::hint::black_box(robot.store.outbox().next_send().expect("a store"));
}

impl Play {
    /// Milliseconds of each card from the mailbox to a committed echo; games follow each other.
    fn cards(&mut self) -> Vec<f64> {
        let games = self.robot.store.games().all().expect("a store");
        (0..CARDS).map(|n| self.card(&games[n * 7 % games.len()], n)).collect()
    }

    fn card(&mut self, game: &Game, n: usize) -> f64 {
        let seat = Seat((n % usize::from(PLAYERS)) as u8 + 1);
        let row =
            self.robot.store.games().seat(&game.code, seat).expect("a store").expect("it is taken");
        let secret = self.robot.store.key().reply(&game.code, seat, 0, game.turn);
        let open = self.robot.open(game).expect("opens");
        let mut dice = engine::trial::computer_dice(7, seat);
        let text = open.play(seat, "", &mut dice).card.text().replace('\n', "\r\n");
        let domain = support::rig::DOMAIN;
        let mail = format!(
            "From: <{}>\r\nTo: <robot+{}.{seat}.{secret}@{domain}>\r\nSubject: orders\r\n\
             Message-ID: <{n}@players.example>\r\n\r\n{text}",
            row.address, game.code
        );
        let name = format!("{}.{n:06}.bench", self.clock.now().as_second());
        deliver(&self.folder.join("inbox"), &name, mail.as_bytes()).expect("delivered");
        taken(|| self.receive())
    }

    fn receive(&mut self) {
        let store = &self.robot.store;
        let known = |key: &str| store.mails().is_kept("games", key).unwrap_or(false);
        let batch = self.inbox.fetch(&known).expect("a Maildir");
        let judged = self.robot.receive(&batch).expect("a store");
        assert_eq!(judged.len(), 1, "one card is one verdict");
        let kept = self.robot.store.mails().mail(judged[0]).expect("a store").expect("a verdict");
        assert_eq!(kept.verdict, Some(store::Verdict::Accepted), "{}", kept.why);
        let moves = self.robot.store.mails().to_move("games").expect("a store");
        self.inbox.file(&moves).expect("moved");
        self.robot.store.write(|tx| tx.mails().moved("games", &moves)).expect("a store");
    }

    /// Milliseconds of each turn of a week, one for each game.
    fn week(&mut self) -> Vec<f64> {
        let end = self.clock.now() + SignedDuration::from_secs(WEEK_S);
        let mut turns = Vec::new();
        while let Some(due) =
            self.robot.reports().next_deadline().expect("a store").filter(|d| *d < end)
        {
            self.clock.set(due.max(self.clock.now()) + SignedDuration::from_millis(20));
            let now = self.clock.now();
            let run = &mut 0;
            let taken = taken(|| *run = self.robot.run_due(now).expect("a store"));
            assert!(*run > 0, "a due game runs");
            turns.push(taken / f64::from(*run));
            if turns.len() % SEND_EVERY == 0 {
                self.robot.tick().expect("a store");
                stage::send(&mut self.robot.store, &self.outlet, self.clock.as_ref());
            }
        }
        self.robot.tick().expect("a store");
        stage::send(&mut self.robot.store, &self.outlet, self.clock.as_ref());
        turns
    }
}
