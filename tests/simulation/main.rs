//! The whole robot in a made-up world with faults; one seed is one run.

mod chance;
mod checks;
mod disk;
mod imap_server;
mod ledger;
mod net;
mod players;
mod smtp_server;
mod world;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use world::{Storm, Told, World};

/// Seeds of a run of the tests.
const SEEDS: u64 = 30;
const STORM: Storm = Storm { steps: 220, faults: true };

/// Plays the world of a seed.
fn play(seed: u64, storm: Storm) -> Told {
    let mut world = World::new(seed);
    world.play(storm);
    checks::check(&mut world)
}

/// Plays many worlds by all cores; what they told, by seed.
fn play_all(seeds: std::ops::Range<u64>) -> BTreeMap<u64, Told> {
    let next = AtomicU64::new(seeds.start);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let work = || {
        let mut told = Vec::new();
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                return told;
            }
            told.push((seed, play(seed, STORM)));
        }
    };
    std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles.into_iter().flat_map(|h| h.join().expect("a world was played")).collect()
    })
}

fn violations(told: &BTreeMap<u64, Told>) -> Vec<String> {
    let of = |(seed, t): (&u64, &Told)| {
        t.violations.iter().map(|v| format!("seed {seed}: {v}")).collect::<Vec<_>>()
    };
    told.iter().flat_map(of).collect()
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

#[test]
fn in_every_storm_nothing_is_lost_and_nothing_is_done_twice() {
    let told = play_all(1..SEEDS + 1);
    let wrong = violations(&told);
    assert!(wrong.is_empty(), "{} violations:\n{}", wrong.len(), wrong.join("\n"));
    let mut faults: BTreeMap<&str, u64> = BTreeMap::new();
    for t in told.values() {
        t.faults.iter().for_each(|(k, n)| *faults.entry(k).or_default() += n);
    }
    println!("{faults:#?}");
}

/// For looking into one seed: `SEED=14 cargo test --test simulation one_seed -- --nocapture`.
#[test]
fn one_seed() {
    let seed = option_env!("SEED").and_then(|s| s.parse().ok()).unwrap_or(1);
    let told = play(seed, STORM);
    assert_eq!(told.violations, Vec::<String>::new(), "seed {seed}: {told:#?}");
}
