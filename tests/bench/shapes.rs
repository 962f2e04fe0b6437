//! The cost of a mail by its shape: in every game, from a stranger, in a player's name without a
//! proof, and with one.

use engine::Engine;
use mail::mime;
use registry::ENGINES;
use robot::limits::Limits;
use support::host::{Host, player};
use support::shapes::shapes;

/// Who a mail is from.
const SENDERS: [&str; 3] = ["stranger", "unproven", "proven"];
/// The number of shapes that are listed for each sender and game, the most expensive first.
const TOLD: usize = 5;

/// CPU time of this thread so far, in milliseconds.
fn cpu_ms() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    spent.tv_sec as f64 * 1e3 + spent.tv_nsec as f64 / 1e6
}

/// Prints the most expensive shapes of mails of this size, in the games whose name contains a text.
pub fn print(bytes: &str, game: &str) {
    let bytes: usize = bytes.parse().expect("a number of bytes");
    println!("| game | sender | shape | taken apart, ms | in all, ms | verdict |");
    println!("|---|---|---|---:|---:|---|");
    for engine in ENGINES.iter().filter(|e| e.id().contains(game)) {
        for sender in SENDERS {
            of(*engine, sender, bytes);
        }
    }
}

fn of(engine: &'static dyn Engine, sender: &str, bytes: usize) {
    let most = 1_000_000;
    let limits = Limits {
        cards_per_hour: most,
        mails_per_hour: most,
        unproven_bytes_max: 2_000_000,
        ..Limits::default()
    };
    let seats = (*engine.seats().start()).max(2);
    let mut host = Host::with(&ENGINES, engine.id(), seats, limits);
    let secret = host.robot.store.key().reply("W7", engine::Seat(1), 0, 1);
    let mut all = Vec::new();
    for (n, shape) in shapes(engine, bytes).into_iter().enumerate() {
        let (from, to) = match sender {
            "stranger" => (format!("x{n}@x{n}.example"), "robot@fieldpost.example".to_owned()),
            "unproven" => (player(1), "robot@fieldpost.example".to_owned()),
            _ => (player(1), format!("robot+W7.1.{secret}@fieldpost.example")),
        };
        let mail = shape.mail(&from, &to, "orders");
        let began = cpu_ms();
        let _ = mime::parse(&mail);
        let taken = cpu_ms() - began;
        let row = host.receive(&mail);
        let verdict = row.verdict.map_or("none", |v| v.as_str());
        all.push((cpu_ms() - began - taken, taken, shape.name, verdict, row.reason));
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (whole, taken, name, verdict, reason) in all.into_iter().take(TOLD) {
        let name = name.replace('|', " ");
        println!(
            "| {} | {sender} | {name} | {taken:.0} | {whole:.0} | {verdict} {} |",
            engine.id(),
            reason.as_str()
        );
    }
}
