//! Intake from end to end, for different contents of the store: 1,000 mails of 100 seats, from
//! Maildir to committed verdicts and echoes.

use base::clock::{Clock, SystemClock, SystemEntropy};
use store::Store;

use crate::scale::cpu_ms;
use crate::{Desk, desk, drain};

/// Mails that are taken in.
const MAILS: u32 = 1000;
/// Mails, and answers to them, that are in the store before.
const STORED: [u32; 3] = [0, 2_000, 200_000];

/// Mails of one seat, and answers to them, within the day before.
const OF_ONE_SEAT: u32 = 23_000;

/// Fills a store with mails of the past and the answers to them: copies of what is there, each some
/// time older than the one before, in ms.
fn fill(store: &store::Reader, mails: u32, apart: i64) {
    let db = store.database();
    let there: i64 = db.one("SELECT count(*) FROM mail", &[], |r| r.get(0)).expect("a store");
    let copies = i64::from(mails) / there;
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
        INSERT INTO mail (id, source, key, received_at, size, raw_z, digest, attempts, verdict,
          reason, why, game, seat, turn, sender, judged_at, moved, auth, words, quick,
          checked_from, standing)
        SELECT id + i * 1000000, source, key || '-' || i, received_at - i * $2, size, raw_z,
          digest || '-' || i, attempts, verdict, reason, why, game, seat, turn, sender,
          judged_at - i * $2, moved, auth, words || i, quick, checked_from, standing
        FROM mail, n";
    db.exec(sql, &[&copies, &apart]).expect("mails");
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)
        INSERT INTO outbox (id, recipient, kind, game, seat, turn, message_id, envelope_from,
          mime_z, created_at, state, attempts, next_at, last_error, cause, bounce, canon)
        SELECT id + i * 1000000, recipient, kind, game, seat, turn, message_id || i,
          envelope_from, mime_z, created_at - i * $2, 'sent', 1, next_at - i * $2, '',
          cause + i * 1000000, bounce || i, canon
        FROM outbox, n WHERE cause IS NOT NULL";
    db.exec(sql, &[&copies, &apart]).expect("answers");
    // So that the first measured commit does not have to move this data into the file.
    db.batch("ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)").expect("a store");
}

/// Prints a line for each number of mails in the store.
pub fn print() {
    println!(
        "| mails stored before | threads | seconds for {MAILS} | mails a second | CPU a mail, ms |"
    );
    println!("|---:|---:|---:|---:|---:|");
    for (stored, threads) in STORED.iter().flat_map(|stored| [(*stored, 1), (*stored, 2)]) {
        let mut desk = desk(100, true);
        for _ in 1..threads {
            let judge = Store::open(desk.dir.path(), &SystemEntropy).expect("a store");
            desk.robot.judges.push(judge);
        }
        drain(&mut desk);
        if stored > 0 {
            fill(&desk.robot.store, stored, 600_000);
        }
        measure(&mut desk, &stored.to_string(), threads, 100..100 + MAILS);
    }
    let mut desk = desk(0, true);
    let first = |n: u32| n * 100;
    desk.more((0..100).map(first));
    drain(&mut desk);
    fill(&desk.robot.store, OF_ONE_SEAT, 86_400_000 * 100 / i64::from(OF_ONE_SEAT));
    let of_one = format!("{OF_ONE_SEAT} of its one seat within a day");
    measure(&mut desk, &of_one, 1, (100..100 + MAILS).map(first));
}

/// Prints a line about taking in these mails.
fn measure(desk: &mut Desk, stored: &str, threads: u32, numbers: impl Iterator<Item = u32>) {
    desk.more(numbers);
    let own = std::process::id();
    let (began, used) = (SystemClock.now(), cpu_ms(own));
    assert_eq!(drain(desk) as u32, MAILS);
    crate::all_accepted(&desk.robot.store);
    let took = SystemClock.now().duration_since(began).as_secs_f64();
    let (a_second, used) = (f64::from(MAILS) / took, (cpu_ms(own) - used) / f64::from(MAILS));
    println!("| {stored} | {threads} | {took:.2} | {a_second:.0} | {used:.2} |");
}
