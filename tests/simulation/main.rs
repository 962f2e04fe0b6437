//! The whole robot in a made-up world with faults; one seed is one run.
//!
//! The code is the real one: rounds of the inbox, intake, turns, drawing, sending, the IMAP and
//! SMTP clients, SQLite. Simulated are the clock, the chance, the disk below SQLite, the servers,
//! the players; and, with several workers, faults between a statement and their store, which is a
//! database in some worlds. The seed is enough to look into a violation: `tests/soak --seed 14`, or
//! `SOAK_SEED=14` and the test's name for a world of workers.

mod checks;
mod imap_server;
mod ledger;
mod net;
mod players;
mod seam;
mod smtp_server;
mod world;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicU64, Ordering};

use world::{Storm, Told, World};

/// The allocator of the program; with it parallel worlds do not wait for each other.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const STORM: Storm = Storm { steps: 220, faults: true, workers: 1, database: false, loses: false };

/// Plays the world of a seed. A panic outside of an engine is a violation.
fn play(seed: u64, storm: Storm) -> Told {
    let played = catch_unwind(|| {
        let mut world = World::new(seed, storm);
        world.play(storm);
        checks::check(&mut world)
    });
    played.unwrap_or_else(|_| Told { violations: vec!["a panic".into()], ..Told::default() })
}

/// Plays worlds on all cores, a number of them on each core at one time, as long as `more` says so;
/// returns their results by seed.
fn play_all(
    first: u64,
    at_once: usize,
    storm: impl Fn(u64) -> Storm + Sync,
    more: impl Fn(u64) -> bool + Sync,
) -> BTreeMap<u64, Told> {
    let next = AtomicU64::new(first);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let work = || {
        let mut told = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if !more(seed) {
                return told;
            }
            let of_seed = play(seed, storm(seed));
            // A soak that is cut short has already printed its findings.
            of_seed.violations.iter().for_each(|v| eprintln!("seed {seed}: {v}"));
            told.push((seed, of_seed));
        }
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..cores * at_once).map(|_| scope.spawn(work)).collect();
        handles.into_iter().flat_map(|h| h.join().expect("a world was played")).collect()
    })
}

fn violations(told: &BTreeMap<u64, Told>) -> Vec<String> {
    let of = |(seed, t): (&u64, &Told)| {
        t.violations.iter().map(|v| format!("seed {seed}: {v}")).collect::<Vec<_>>()
    };
    told.iter().flat_map(of).collect()
}

/// The results of worlds, as a table.
fn table(told: &BTreeMap<u64, Told>, minutes: f64) -> String {
    let sum = |of: fn(&Told) -> u64| told.values().map(of).sum::<u64>();
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    for t in told.values() {
        t.faults.iter().for_each(|(k, n)| *faults.entry(k).or_default() += n);
    }
    let mut out = format!(
        "{} seeds, {:.0} a minute\n{} mails in, {} mails out, {} turns\n",
        told.len(),
        told.len() as f64 / minutes.max(0.01),
        sum(|t| t.mails_in),
        sum(|t| t.mails_out),
        sum(|t| t.turns)
    );
    faults.iter().for_each(|(fault, n)| out += &format!("{n:>8}  {fault}\n"));
    let wrong = violations(told);
    out += &format!("{:>8}  violations\n", wrong.len());
    wrong.iter().for_each(|w| out += &format!("{w}\n"));
    out
}

mod whole {
    use base::clock::{Clock, SystemClock};

    use super::*;

    /// Seeds of the usual tests; `tests/soak` goes on with others.
    const SEEDS: Range<u64> = 1..101;
    /// Seeds of other runs that formerly found a fault.
    const FOUND: [u64; 11] = [
        315754026, 315755127, 315755314, 315755403, 412806140, 412806268, 412806406, 414505076,
        1407845038, 1412806581, 1423488301,
    ];

    /// A number that `tests/soak` gives: which seeds, for how long.
    #[expect(clippy::disallowed_methods, reason = "a script says how long it shall go on")]
    fn told_by_script(name: &str) -> Option<u64> {
        std::env::var(name).ok().and_then(|n| n.parse().ok())
    }

    #[test]
    fn without_faults_all_is_well() {
        let told = play(7, Storm { faults: false, ..STORM });
        assert_eq!(told.violations, Vec::<String>::new());
        assert!(told.turns >= 8 && told.mails_in > 30, "{told:?}");
    }

    #[test]
    fn the_same_seed_is_the_same_run() {
        for seed in [3, 11] {
            assert_eq!(play(seed, STORM).trace, play(seed, STORM).trace, "seed {seed}");
        }
    }

    /// The usual seeds; where `tests/soak` names a first one, others from that on, for a time or up
    /// to a count.
    #[test]
    fn in_every_storm_nothing_is_lost_and_nothing_is_done_twice() {
        let began = SystemClock.now();
        let passed = || SystemClock.now().duration_since(began).as_secs_f64();
        let first = told_by_script("SOAK_SEED");
        let told = match (first, told_by_script("SOAK_SECONDS")) {
            (Some(first), Some(seconds)) => {
                play_all(first, 1, |_| STORM, |_| passed() < seconds as f64)
            }
            (Some(first), None) => play_all(first, 1, |_| STORM, |seed| seed == first),
            (None, _) => {
                let mut told = play_all(SEEDS.start, 1, |_| STORM, |seed| SEEDS.contains(&seed));
                told.extend(FOUND.into_iter().map(|seed| (seed, play(seed, STORM))));
                told
            }
        };
        let table = table(&told, passed() / 60.0);
        println!("{table}");
        assert!(violations(&told).is_empty(), "{table}");
        // A storm in which nothing goes wrong would prove nothing.
        for fault in [imap_server::FAULTS, smtp_server::FAULTS, world::MISHAPS].concat() {
            let seen: u64 = told.values().filter_map(|t| t.faults.get(fault)).sum();
            assert!(seen > 5 || told.len() < 100, "{fault} came {seen} times");
        }
    }
}

/// Several workers over one store; their clocks differ by seconds, and each dies alone.
mod workers {
    use super::*;

    /// Worlds whose store is a file, and worlds whose store is a database.
    const FILES: Range<u64> = 1..61;
    const DATABASES: Range<u64> = 1001..1009;
    /// Worlds that each core plays at one time: they wait for other workers, or a server.
    const WAITING: usize = 2;
    const WAITING_FOR_SERVERS: usize = 6;
    /// A statement that ran this often has certainly met with trouble.
    const OFTEN: u64 = 1500;

    #[expect(clippy::disallowed_methods, reason = "one seed that is looked into")]
    fn told_seed() -> Option<u64> {
        std::env::var("SOAK_SEED").ok().and_then(|n| n.parse().ok())
    }

    /// The fates of statements: a line for each that never met with trouble, and how often the most
    /// frequent of them was run.
    fn fates(told: &BTreeMap<u64, Told>) -> (String, u64) {
        let mut all: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
        for (text, fate) in told.values().flat_map(|t| &t.fates) {
            let (run, met) = all.entry(text).or_default();
            (*run, *met) = (*run + fate.run, *met + fate.met);
        }
        let (met, spared): (Vec<_>, Vec<_>) = all.iter().partition(|(_, (_, met))| *met > 0);
        let mut out = format!("{} statements, {} met with trouble\n", all.len(), met.len());
        spared.iter().for_each(|(text, (run, _))| out += &format!("{run} times: {text}\n"));
        (out, spared.iter().map(|(_, (run, _))| *run).max().unwrap_or_default())
    }

    fn play_those(seeds: Range<u64>, database: bool) {
        let storm = |seed: u64| Storm { workers: 2 + (seed % 2) as usize, database, ..STORM };
        let at_once = if database { WAITING_FOR_SERVERS } else { WAITING };
        let seeds = match told_seed() {
            Some(one) if seeds.contains(&one) => one..one + 1,
            Some(_) => return,
            None => seeds,
        };
        let told = play_all(seeds.start, at_once, storm, |seed| seeds.contains(&seed));
        let (fates, spared) = fates(&told);
        let table = table(&told, 1.0) + &fates;
        println!("{table}");
        assert!(violations(&told).is_empty(), "{table}");
        let sum = |name: &str| told.values().filter_map(|t| t.faults.get(name)).sum::<u64>();
        if told.len() < 8 {
            return;
        }
        assert!(spared < OFTEN, "{table}");
        let alone = sum("worker killed alone");
        let each = told.len() as u64;
        assert!(alone > each / 2, "{alone} workers died alone");
        for (_, name) in seam::TROUBLES {
            assert!(sum(name) > each / 2, "{name}: {} times", sum(name));
        }
    }

    #[test]
    fn of_two_and_three_workers_none_does_what_another_has() {
        play_those(FILES, false);
    }

    #[test]
    fn a_database_that_ends_connections_and_answers_late_loses_and_repeats_nothing() {
        play_those(DATABASES, true);
    }
}

/// Tests the checks of this folder with a store that sometimes loses a commit.
mod broken {
    use super::*;

    const SEEDS: Range<u64> = 1..13;

    /// Violations by their first words without names and numbers, the commonest first.
    fn kinds(told: &BTreeMap<u64, Told>) -> String {
        let mut found: BTreeMap<String, u64> = BTreeMap::new();
        for violation in told.values().flat_map(|t| &t.violations) {
            let plain = |w: &&str| !w.contains(|c: char| !c.is_ascii_lowercase() && c != '\'');
            let words: Vec<&str> = violation.split(' ').filter(plain).take(5).collect();
            *found.entry(words.join(" ")).or_default() += 1;
        }
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
        found.iter().map(|(words, n)| format!("{n:>8}  {words}\n")).collect()
    }

    #[test]
    fn a_store_that_loses_a_commit_is_found_out() {
        let told = play_all(
            SEEDS.start,
            1,
            |_| Storm { loses: true, ..STORM },
            |seed| SEEDS.contains(&seed),
        );
        let caught = told.values().filter(|t| !t.violations.is_empty()).count();
        println!("{}", table(&told, 1.0));
        println!("caught by:\n{}", kinds(&told));
        assert!(caught > told.len() / 2, "{caught} of {} seeds", told.len());
    }
}
