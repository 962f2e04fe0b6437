//! From the deadline of a late game of 100 players to the last of their printouts accepted by
//! Postfix: `fieldpost serve` between a real Dovecot and a real Postfix.

use std::sync::Arc;

use base::clock::{SystemClock, SystemEntropy};
use jiff::{SignedDuration, Timestamp};

use crate::echo::lines;
use crate::late;
use crate::report::{Row, memory, now, size, time};
use crate::stage::{self, Stage};
use support::process::{Host, Setup};
use support::rig::{Rig, pause};

const SEATS: u8 = 100;
const GAME: &str = "W7";

/// The deadline with pictures and with text only, and the memory of the process.
pub fn rows() -> Vec<Row> {
    let users: Vec<String> = (1..=SEATS).map(|n| format!("p{n}")).collect();
    let mut all = vec!["robot", "gm"];
    all.extend(users.iter().map(String::as_str));
    // Each has its own servers, because a mailbox belongs to one store.
    let mut rows = once(&Rig::start(&all), "with pictures", true, "10 s");
    rows.extend(once(&Rig::start(&all), "text alone", false, "3 s"));
    rows
}

/// The cost of a turn of a real host.
struct Taken {
    /// From the deadline until the turn begins, it is decided, committed, and its mails are
    /// drawn, sent first, sent last.
    marks: [f64; 6],
    /// Bytes at rest and at most.
    memory: [f64; 2],
}

fn once(rig: &Rig, what: &str, pictures: bool, aim: &'static str) -> Vec<Row> {
    let Taken { marks: [begun, stepped, run, drawn, first, last], memory: [rest, peak] } =
        measure(rig, pictures);
    let of = format!("deadline of Warlord, 100 players, turn 61, {what}");
    let parts = format!(
        "{} / {} / {} / {} / {}",
        time(begun),
        time(stepped - begun),
        time(run - stepped),
        time((drawn - run).max(0.0)),
        time(last - drawn.max(first))
    );
    vec![
        Row::new(format!("{of}: all printouts accepted by Postfix after"), time(last)).aim(aim),
        Row::new(format!("{of}: noticed / rules / text and commit / drawn / sent"), parts),
        Row::new(
            format!("{of}: memory of the process before / at most"),
            format!("{} / {}", size(rest), size(peak)),
        ),
    ]
}

fn measure(rig: &Rig, pictures: bool) -> Taken {
    let setup = Setup { json: true, level: "debug", ..Setup::of(rig) };
    let mut host = Host::new(rig, &setup);
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    let mut robot = stage::robot(&host.path("data"), clock, entropy);
    let saved = late::saved(SEATS);
    let stage = Stage { players: SEATS, pictures, ..Stage::warlord(GAME, SEATS, 60, saved) };
    stage.set(&mut robot);
    let due = now() + SignedDuration::from_secs(5);
    robot.store.write(|tx| tx.set_deadline(GAME, due)).expect("the deadline is set");
    // Reminders for so near a deadline would be part of the measurement.
    robot.tick().expect("a store");
    let conn = robot.store.connection();
    conn.execute_batch("DELETE FROM outbox").expect("mails are gone");
    drop(robot);
    host.serve();
    let left = |until: Timestamp| until.duration_since(now());
    pause(std::time::Duration::try_from(left(due)).unwrap_or_default() / 2);
    let rest = memory(&host.pid().to_string(), "VmRSS");
    // Printouts of those who still play, and the notice to the game master.
    let mails = host.await_some("turn", || mails_of(&host.log()));
    host.await_that("all printouts", || lines(&host, "\"sent\"").len() >= mails);
    let peak = memory(&host.pid().to_string(), "VmHWM");
    let after = |at: Timestamp| at.duration_since(due).as_secs_f64() * 1000.0;
    let mark = |text: &str| lines(&host, text).first().copied().map_or(0.0, after);
    let sent: Vec<Timestamp> = lines(&host, "\"sent\"").into_iter().filter(|t| *t >= due).collect();
    let printouts = lines(&host, "\"kind\":\"printout\"");
    let (first, last) = (after(printouts[0]), after(sent[sent.len() - 1]));
    let marks = [
        mark("\"turn begins\""),
        mark("\"turn decided\""),
        mark("\"turn run\""),
        mark("\"mails drawn\"").max(mark("\"turn run\"")),
        first,
        last,
    ];
    host.kill();
    Taken { marks, memory: [rest, peak] }
}

/// How many mails the turn caused, once it has run.
fn mails_of(log: &str) -> Option<usize> {
    let line = log.lines().find(|l| l.contains("\"turn run\""))?;
    let number = line.split_once("\"printouts\":")?.1;
    number.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
