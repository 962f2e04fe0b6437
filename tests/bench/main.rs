//! Benchmarks: worlds, turns, cards, intake, each against a baseline of the same run.
//!
//! `cargo bench` prints medians; compare ratios, not absolute times. `tests/bench/report` measures
//! a whole host and prints one table.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::clock::{Clock, FakeClock, FixedEntropy};
use base::schedule::Rule;
use divan::Bencher;
use engine::{CardText, Dice, Engine, Seat, Setup};
use jiff::{SignedDuration, Timestamp};
use mail::Inbox;
use mail::compose::Sender;
use mail::maildir::{MaildirInbox, deliver};
use registry::ENGINES;
use robot::Robot;
use robot::gm::setup::{NewGame, NewSeat};
use robot::limits::Limits;
use store::Store;

mod battle_plan;
mod classic_warlord;
mod due;
mod echo;
mod empire_deluxe;
mod games;
mod imperium;
mod intake;
mod late;
mod mails;
mod printouts;
mod quick;
mod report;
mod scale;
mod serving;
mod shapes;
mod stage;

/// Counts the memory of each benchmark; the allocator is that of the program.
#[global_allocator]
static ALLOC: divan::AllocProfiler<mimalloc::MiMalloc> =
    divan::AllocProfiler::new(mimalloc::MiMalloc);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["--report", ..] => report::print(&arguments),
        ["--intake"] => intake::print(),
        ["--scale", games] => scale::print(games),
        ["--shapes", bytes] => shapes::print(bytes, ""),
        ["--shapes", bytes, game] => shapes::print(bytes, game),
        // Parts of the report that run in separate processes.
        ["--games", folder] => games::play(folder.as_ref()),
        _ => divan::main(),
    }
}

fn warlord() -> &'static dyn Engine {
    engine::find(&ENGINES, "warlord").expect("it is registered")
}

/// The yardstick of a run: hashing 4 MB.
#[divan::bench]
fn baseline_sha256_of_4_mb(bencher: Bencher) {
    let bytes = vec![7u8; 4_000_000];
    bencher.bench(|| base::secrets::sha256_hex(&bytes));
}

#[divan::bench(args = [12, 100], sample_count = 10)]
fn world_generation(bencher: Bencher, seats: u8) {
    let mut seed = 0;
    bencher
        .with_inputs(|| {
            seed += 1;
            Dice::new(seed)
        })
        .bench_local_values(|mut dice| {
            let setup = Setup { seats, ..Setup::default() };
            warlord().new_game(&setup, &mut dice).expect("a world")
        });
}

fn forty_lines() -> CardText {
    let unit = |n: u32| format!("A {n} {}\nM {} 123\n", n % 8 + 1, n + 20);
    CardText::new(&(1..=20).map(unit).collect::<String>())
}

#[divan::bench]
fn parse_and_judge_of_40_lines(bencher: Bencher) {
    let open = late::open(100);
    let card = forty_lines();
    bencher.bench(|| open.judge(Seat(1), &card, 0));
}

/// A host of 100 seats in a folder, with a Maildir of order mails.
struct Desk {
    robot: Robot,
    inbox: MaildirInbox,
    dir: tempfile::TempDir,
}

fn desk(mails: u32, durable: bool) -> Desk {
    let dir = tempfile::tempdir().expect("a folder");
    let clock = Arc::new(FakeClock::at(Timestamp::from_second(1_780_000_000).expect("a time")));
    let entropy = Arc::new(FixedEntropy::new(7));
    let store = Store::open(dir.path(), entropy.as_ref()).expect("a store");
    let synchronous = if durable { "FULL" } else { "OFF" };
    store.connection().pragma_update(None, "synchronous", synchronous).expect("set");
    let identity =
        Sender { name: "Fieldpost".into(), address: "robot@fieldpost.example".into(), from: None };
    let gm = "gm@fieldpost.example".to_owned();
    let limits = Limits { cards_per_hour: 10_000, replies_per_hour: 10_000, ..Limits::default() };
    let mut robot = Robot::new(store, identity, gm, limits, &ENGINES, clock.clone(), entropy);
    let rule = Rule { every: "7 days".into(), at: None, zone: "UTC".into(), holidays: Vec::new() };
    robot
        .new_game(NewGame {
            code: "W7".to_owned(),
            engine: "warlord".to_owned(),
            seats: 100,
            rule,
            data: BTreeMap::new(),
            options: BTreeMap::new(),
            fee: 0,
            takeover: 0,
            terms: Default::default(),
        })
        .expect("a game");
    for seat in 1..=100 {
        let address = format!("p{seat}@players.example");
        let (game, name) = ("W7".to_owned(), String::new());
        let new = NewSeat {
            game,
            seat: Seat(seat),
            address,
            name,
            zone: None,
            contact: base::terms::Contact::Disclose,
            any_address: false,
        };
        robot.add_seat(&new).expect("a seat");
    }
    robot.start("W7", None, false).expect("starts");
    let root = dir.path().join("inbox");
    let wait = std::time::Duration::from_secs(1);
    let inbox = MaildirInbox::open("bench", &root, 2_000_000, wait).expect("an inbox");
    clock.set(clock.now() + SignedDuration::from_mins(10));
    let mut desk = Desk { robot, inbox, dir };
    desk.more(0..mails);
    desk
}

impl Desk {
    /// Delivers mails of these numbers.
    fn more(&mut self, numbers: impl IntoIterator<Item = u32>) {
        let root = self.dir.path().join("inbox");
        for n in numbers {
            // Seats follow each other, as players do.
            let seat = (n % 100 + 1) as u8;
            let secret = self.robot.store.key().reply("W7", Seat(seat), 0, 1);
            let mail = format!(
                "From: <p{seat}@players.example>\r\nTo: <robot+W7.{seat}.{secret}@fieldpost.example>\r\n\
             Subject: Re: [W7 T1 S{seat}] orders\r\nMessage-ID: <{n}@players.example>\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\r\n{}",
                forty_lines().text().replace('\n', "\r\n")
            );
            deliver(&root, &format!("1780000100.{n:06}.bench"), mail.as_bytes())
                .expect("delivered");
        }
    }
}

/// Asserts that the measured mails were really filed.
fn all_accepted(store: &store::Reader) {
    let sql = "SELECT count(*) FROM mail WHERE verdict IS NULL OR verdict <> 'accepted'";
    let others: i64 = store.database().one(sql, &[], |r| r.get(0)).expect("a store");
    assert_eq!(others, 0, "mails that are no cards on file");
}

fn drain(desk: &mut Desk) -> usize {
    let mut count = 0;
    loop {
        let store = &desk.robot.store;
        let known = |key: &str| store.mails().is_kept("bench", key).unwrap_or(false);
        let batch = desk.inbox.fetch(&known).expect("a Maildir");
        if batch.is_empty() {
            return count;
        }
        count += desk.robot.receive(&batch).expect("a store").len();
        let moves = desk.robot.store.mails().to_move("bench").expect("a store");
        desk.inbox.file(&moves).expect("moved");
        desk.robot.store.write(|tx| tx.mails().moved("bench", &moves)).expect("a store");
    }
}

/// 1,000 order mails of 40 lines from Maildir to committed verdicts and echoes,
/// with and without waiting for the disk.
#[divan::bench(args = [true, false], sample_count = 3, sample_size = 1)]
fn intake_of_1000_mails_durable(bencher: Bencher, durable: bool) {
    bencher
        .with_inputs(|| desk(1000, durable))
        .bench_local_refs(|desk| assert_eq!(drain(desk), 1000));
}
