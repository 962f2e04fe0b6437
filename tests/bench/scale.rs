//! A large host: 1, 2 and 4 workers side by side on a PostgreSQL of this machine, and a week of many
//! games in accelerated time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use base::clock::{Clock, SystemClock, SystemEntropy};
use base::terms::{Choices, Format};
use engine::trial::computer_dice;
use engine::{Mark, Saved, Seat, Setup};
use jiff::{SignedDuration, Timestamp};
use mail::RawMessage;
use mail::maildir::{MaildirOutlet, deliver};
use robot::Robot;
use robot::limits::Limits;
use robot::outbox::Outlet;
use store::Store;
use support::postgres::{Cluster, server};
use support::rig::{DOMAIN, pause};

use crate::report::{memory, now, share, since, size, time};
use crate::stage::{self, Stage};
use crate::{battle_plan, warlord};

/// Workers side by side.
const WORKERS: [usize; 3] = [1, 2, 4];
/// Mailboxes of the host.
const INBOXES: usize = 4;
/// Games of the first table, and seats of each game.
const GAMES: usize = 40;
const SEATS: u8 = 12;
/// Cards of each seat in the first table.
const CARDS: usize = 4;
const WEEK_S: i64 = 7 * 86_400;
/// Days for which raw mails are kept in the week.
const KEPT_DAYS: i64 = 2;
/// Games between two removals of old data.
const TIDY_EVERY: usize = 500;

/// Prints both tables.
pub fn print(games: &str) {
    let games: usize = games.parse().expect("a number of games");
    let cluster = Cluster::start(&["-c", "shared_buffers=512MB"]);
    println!(
        "| workers | cards judged | echoes sent | turns | printouts drawn | sent | CPU of the database |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for count in WORKERS {
        workers(&cluster, count);
    }
    println!();
    week(&cluster, games);
}

/// Milliseconds of CPU that a process, its children and those that it has waited for took.
pub fn cpu_ms(pid: u32) -> f64 {
    let ticks = |pid: u32, reaped: bool| -> f64 {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split(' ').collect();
        // utime, stime, cutime, cstime; the name before may have blanks.
        let last = if reaped { 16 } else { 14 };
        fields.get(12..last).unwrap_or(&[]).iter().filter_map(|f| f.parse::<f64>().ok()).sum()
    };
    let children = format!("/proc/{pid}/task/{pid}/children");
    let children = fs::read_to_string(children).unwrap_or_default();
    let of_children = children.split(' ').filter_map(|p| p.parse().ok());
    let living: f64 = of_children.map(|p| ticks(p, false)).sum();
    // A tick is a hundredth of a second.
    (ticks(pid, true) + living) * 10.0
}

/// The server's first process.
fn postmaster(cluster: &Cluster) -> u32 {
    let file = cluster.socket().join("data/postmaster.pid");
    let text = fs::read_to_string(file).expect("the server runs");
    text.lines().next().and_then(|l| l.parse().ok()).expect("a number")
}

fn open(url: &str) -> Store {
    Store::connect(&server(url), &SystemEntropy).expect("a store")
}

fn number(store: &Store, sql: &str) -> i64 {
    store.database().one(sql, &[], |r| r.get(0)).expect(sql)
}

/// The nth of some workers, which may die with this process.
fn worker(url: &str, folder: &Path, n: usize) -> Child {
    let mut text = format!(
        "[robot]\naddress = \"robot@{DOMAIN}\"\ngm = \"gm@{DOMAIN}\"\ndata = {:?}\n\
         store = {url:?}\nworker = \"w{n}\"\n\n",
        folder.join(format!("data{n}"))
    );
    for inbox in 0..INBOXES {
        let path = folder.join(format!("in{inbox}"));
        text += &format!(
            "[inbox.in{inbox}]\nkind = \"maildir\"\npath = {path:?}\npoll_seconds = 1\n\n"
        );
    }
    text += &format!(
        "[outlet]\nkind = \"maildir\"\npath = {:?}\n\n[limits]\nreplies_per_hour_total = 1000000\n\n\
         [log]\nlevel = \"warn\"\n",
        folder.join("sent")
    );
    let config = folder.join(format!("w{n}.toml"));
    fs::write(&config, text).expect("written");
    let log = fs::File::create(folder.join(format!("w{n}.log"))).expect("a log");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fieldpost"));
    command.env("NO_COLOR", "1").arg("--config").arg(config).arg("serve");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
    command.spawn().expect("the worker starts")
}

/// A game of Warlord in its middle.
fn of_warlord() -> (Saved, u32) {
    let setup = Setup { seats: SEATS, ..Setup::default() };
    let mut trial = warlord().trial(&setup, 1).expect("a world");
    for _ in 0..20 {
        trial.write_cards();
        trial.step();
    }
    (trial.saved(), 20)
}

/// The cards of a game's computers, as texts of mails, with their seats. Beaten seats have none.
fn cards(robot: &Robot, code: &str) -> Vec<(u8, String)> {
    let game = robot.game(code).expect("a game");
    let open = robot.open(&game).expect("opens");
    let card = |n: u8| {
        let card = open.play(Seat(n), "", &mut computer_dice(7, Seat(n))).card;
        let orders = open.judge(Seat(n), &card, 0).count(Mark::Ok);
        (orders > 0).then(|| (n, card.text().replace('\n', "\r\n")))
    };
    (1..=SEATS).filter_map(card).collect()
}

/// An order mail of a seat.
fn order_mail(robot: &Robot, code: &str, turn: u32, seat: u8, id: usize, card: &str) -> String {
    let secret = robot.store.key().reply(code, Seat(seat), 0, turn);
    format!(
        "From: <p{seat}@{DOMAIN}>\r\nTo: <robot+{code}.{seat}.{secret}@{DOMAIN}>\r\n\
         Subject: orders\r\nMessage-ID: <{id}@players.example>\r\n\r\n{card}"
    )
}

/// Waits until a count is 0; returns the instant.
fn until_none(store: &Store, sql: &str) -> Timestamp {
    while number(store, sql) > 0 {
        pause(Duration::from_millis(25));
    }
    now()
}

/// A row of the first table.
fn workers(cluster: &Cluster, count: usize) {
    let url = cluster.database_anew();
    let folder = stage::folder(&format!("{count}-workers"));
    let mut robot = stage::robot_over(
        open(&url),
        stage::limits(),
        Arc::new(SystemClock),
        Arc::new(SystemEntropy),
    );
    let (saved, turn) = of_warlord();
    for n in 0..GAMES {
        let stage = Stage::warlord(&format!("G{n}"), SEATS, turn, saved.clone());
        Stage { players: SEATS, ordered: false, ..stage }.set(&mut robot);
    }
    let texts = cards(&robot, "G0");
    let mut mails = 0;
    for (n, (seat, text)) in (0..GAMES * CARDS).flat_map(|n| texts.iter().map(move |t| (n, t))) {
        let code = format!("G{}", n % GAMES);
        let mail = order_mail(&robot, &code, turn + 1, *seat, mails, text);
        let root = folder.join(format!("in{}", mails % INBOXES));
        let name = format!("{}.{mails:06}.bench", now().as_second());
        deliver(&root, &name, mail.as_bytes()).expect("delivered");
        mails += 1;
    }
    let server = postmaster(cluster);
    let mut children: Vec<Child> = (0..count).map(|n| worker(&url, &folder, n)).collect();
    let store = &robot.store;
    while number(store, "SELECT count(*) FROM mail WHERE verdict = 'accepted'") < mails as i64 {
        pause(Duration::from_millis(25));
    }
    let began = number(store, "SELECT min(judged_at) FROM mail");
    let judged = number(store, "SELECT max(judged_at) FROM mail") - began;
    let waiting = "SELECT count(*) FROM outbox WHERE state <> 'sent'";
    let echoed = until_none(store, waiting).as_millisecond() - began;
    // All turns are due at one instant, when all workers are at rest; their printouts have pictures.
    let format = Format { html: true, ..Format::default() };
    let chosen = serde_json::to_string(&Choices { format, ..Choices::default() });
    let sql = "UPDATE seat SET choices = $1";
    store.database().exec(sql, &[&chosen.expect("as text")]).expect("pictures");
    let before = (cpu_ms(server), children.iter().map(|c| cpu_ms(c.id())).sum::<f64>());
    let due = now() + SignedDuration::from_secs(3);
    let sql = "UPDATE step SET due_at = $1";
    store.database().exec(sql, &[&due.as_millisecond()]).expect("due");
    let open_turns = format!("SELECT count(*) FROM game WHERE turn = {}", turn + 1);
    until_none(store, &open_turns);
    let ran = number(store, "SELECT max(ran_at) FROM turn") - due.as_millisecond();
    let drawn = until_none(store, "SELECT count(*) FROM outbox WHERE state = 'drawing'");
    let sent = until_none(store, waiting);
    let after = (cpu_ms(server), children.iter().map(|c| cpu_ms(c.id())).sum::<f64>());
    let (database, all) = (after.0 - before.0, after.0 - before.0 + after.1 - before.1);
    let printouts = (GAMES * usize::from(SEATS)) as f64;
    let rate = |what: f64, ms: f64| what / ms * 1000.0;
    let of_due = |at: Timestamp| at.duration_since(due).as_secs_f64() * 1000.0;
    println!(
        "| {count} | {:.0}/s | {:.0}/s | {:.1}/s | {:.1}/s | {:.1}/s | {:.0} % |",
        rate(mails as f64, judged as f64),
        rate(mails as f64, echoed as f64),
        rate(GAMES as f64, ran as f64),
        rate(printouts, of_due(drawn)),
        rate(printouts, of_due(sent)),
        100.0 * database / all
    );
    for child in &mut children {
        // A process that ended by itself can't be killed.
        let _ = child.kill();
        child.wait().expect("it ends");
    }
}

/// A clock that follows the machine's while there is work, and leaps when there is none.
#[derive(Debug)]
struct LeapClock(AtomicI64);

impl LeapClock {
    /// Leaps to a later instant.
    fn leap(&self, to: Timestamp) {
        let left = to.duration_since(self.now()).as_millis() as i64;
        self.0.fetch_add(left.max(0), Ordering::Relaxed);
    }
}

impl Clock for LeapClock {
    fn now(&self) -> Timestamp {
        now() + SignedDuration::from_millis(self.0.load(Ordering::Relaxed))
    }
}

/// Copies of two games, half of each, under different names with deadlines over a week.
fn copies(store: &Store, games: usize, first: Timestamp) {
    let apart = WEEK_S * 1000 / games as i64;
    let of = |n: &str| format!("(CASE {n} % 2 WHEN 0 THEN 'TW' ELSE 'TB' END)");
    let with = |table: &str, key: &str, values: &str, when: &str| {
        format!(
            "INSERT INTO {table} SELECT (jsonb_populate_record(x, jsonb_build_object({values}))).*
             FROM {table} x JOIN generate_series(0, {}) n ON x.{key} = {} {when};",
            games - 1,
            of("n")
        )
    };
    let first = first.as_millisecond();
    let due = format!("'game', 'G' || n, 'due_at', {first} + n * {apart}");
    let seat = "'game', 'G' || n, 'address', replace(x.address, '@', '.g' || n || '@'),
                'canon', replace(x.canon, '@', '.g' || n || '@')";
    let newest = "AND x.turn = (SELECT max(turn) FROM turn y WHERE y.game = x.game)";
    let open = "AND x.number = (SELECT turn FROM game y WHERE y.code = x.game)";
    let printout = "'id', nextval(pg_get_serial_sequence('outbox', 'id')), 'game', 'G' || n,
                    'message_id', 'G' || n || '.' || x.seat || '@bench'";
    let all = [
        with("outbox", "game", printout, ""),
        with("game", "code", "'code', 'G' || n", ""),
        with("step", "game", &due, open),
        with("seat", "game", seat, ""),
        with("turn", "game", "'game', 'G' || n", newest),
        "UPDATE game SET status = 'over' WHERE code LIKE 'T%'; ANALYZE;".to_owned(),
    ];
    all.iter().for_each(|sql| store.database().batch(sql).expect(sql));
}

/// The second table.
fn week(cluster: &Cluster, games: usize) {
    let url = cluster.database_anew();
    let clock = Arc::new(LeapClock(AtomicI64::new(0)));
    let limits = Limits { keep_raw_days: KEPT_DAYS, ..stage::limits() };
    let mut robot = stage::robot_over(open(&url), limits, clock.clone(), Arc::new(SystemEntropy));
    let (of_warlord, turn) = of_warlord();
    let of_battle_plan = battle_plan::saved(("equal", SEATS, turn));
    let plan = Stage {
        engine: "battle-plan",
        variant: Some("equal"),
        ..Stage::warlord("TB", SEATS, turn, of_battle_plan)
    };
    for stage in [Stage::warlord("TW", SEATS, turn, of_warlord), plan] {
        Stage { players: SEATS, ordered: false, ..stage }.set(&mut robot);
    }
    let texts = [cards(&robot, "TW"), cards(&robot, "TB")];
    let first = clock.now() + SignedDuration::from_mins(10);
    copies(&robot.store, games, first);
    let sent = sink();
    let outlet = Outlet::Maildir(MaildirOutlet::new(&sent));
    // Every game is looked at once.
    robot.tick().expect("a store");
    let opened = memory("self", "VmRSS");
    let (server, began) = (postmaster(cluster), now());
    let before = (cpu_ms(server), cpu_ms(std::process::id()));
    let (mut waits, mut sent_in) = (Vec::new(), 0);
    for n in 0..games {
        let (code, texts) = (format!("G{n}"), &texts[n % 2]);
        let mails: Vec<RawMessage> = texts
            .iter()
            .map(|(seat, text)| {
                let id = n * usize::from(SEATS) + usize::from(*seat);
                let bytes = order_mail(&robot, &code, turn + 1, *seat, id, text);
                let bytes = bytes.replace(&format!("<p{seat}@"), &format!("<p{seat}.g{n}@"));
                raw(id, bytes.into_bytes(), clock.now())
            })
            .collect();
        sent_in += mails.len();
        let asked = now();
        let judged = robot.receive(&mails).expect("a store");
        assert_eq!(judged.len(), mails.len(), "each card has its verdict");
        waits.push(since(asked) / mails.len() as f64);
        robot.tick().expect("a store");
        stage::send(&mut robot.store, &outlet, clock.as_ref());
        let next = robot.store.next_look().expect("a store").expect("a game is due");
        clock.leap(next + SignedDuration::from_millis(20));
        let instant = clock.now();
        robot.run_due(instant).expect("a store");
        robot.tick().expect("a store");
        robot.draw_mails().expect("a store");
        stage::send(&mut robot.store, &outlet, clock.as_ref());
        if n % TIDY_EVERY == 0 {
            robot.forget_old_mails().expect("a store");
            let _ = fs::remove_dir_all(&sent);
        }
    }
    robot.forget_old_mails().expect("a store");
    let _ = fs::remove_dir_all(&sent);
    let after = (cpu_ms(server), cpu_ms(std::process::id()));
    crate::all_accepted(&robot.store);
    let store = &robot.store;
    let turns = number(store, "SELECT count(*) FROM turn WHERE ran_at > 0 AND game LIKE 'G%'");
    let late = format!(
        "SELECT max(t.ran_at - s.due_at) FROM turn t
         JOIN step s ON s.game = t.game AND s.number = t.turn WHERE t.turn = {} AND t.game LIKE 'G%'",
        turn + 1
    );
    let late = number(store, &late) as f64;
    let bytes = number(store, "SELECT pg_database_size(current_database())") as f64;
    let cards_a_game = sent_in as f64 / games as f64;
    let per = |ms: f64| time(ms / games as f64);
    println!("| a week of {games} games of {SEATS} seats, one worker on PostgreSQL | |");
    println!("|---|---:|");
    println!("| turns that ran, and the real time for all | {turns}, {} |", time(since(began)));
    println!(
        "| memory with all games open / at most | {} / {} |",
        size(opened),
        size(memory("self", "VmHWM"))
    );
    println!(
        "| CPU a game ({cards_a_game:.1} cards with their echoes, a turn, {SEATS} printouts): worker | {} |",
        per(after.1 - before.1)
    );
    println!("| the same: database | {} |", per(after.0 - before.0));
    println!(
        "| a card from its mail to a committed echo, median / longest | {} / {} |",
        time(share(&mut waits, 50)),
        time(share(&mut waits, 100))
    );
    println!("| longest lateness of a deadline | {} |", time(late));
    println!("| the store, raw mails kept for {KEPT_DAYS} days | {} |", size(bytes));
}

fn raw(id: usize, bytes: Vec<u8>, received_at: Timestamp) -> RawMessage {
    RawMessage {
        source: "main".to_owned(),
        key: id.to_string(),
        received_at,
        size: bytes.len() as u64,
        bytes,
        authenticity: Default::default(),
        checked_from: String::new(),
    }
}

/// Mails are written into memory: one file for each mail on a disk would be measured too.
fn sink() -> PathBuf {
    let folder = Path::new("/dev/shm").join(format!("fieldpost-scale-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("memory has room");
    folder
}
