//! The late game: turn 60 of a game of computer players, made on demand and kept
//! below `target`, so that a second run has it at once.

use std::fs;
use std::path::PathBuf;

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::trial::computer_dice;
use engine::{BySeat, CardText, Dice, Match, Saved, Seat, Setup};

use crate::warlord;

/// Turns that computer players play before the benchmarks begin.
const TURNS: u32 = 60;

fn path(seats: u8, part: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/late-game");
    fs::create_dir_all(&folder).expect("target can be written");
    folder.join(format!("{seats}-seats-rules-{}.{part}", warlord().rules_version()))
}

fn make(seats: u8) -> Saved {
    eprintln!("making turn {TURNS} of a game of {seats} seats ...");
    let setup = Setup { seats, ..Setup::default() };
    let mut trial = warlord().trial(&setup, 1).expect("a world");
    for _ in 0..TURNS {
        trial.write_cards();
        trial.step();
    }
    trial.saved()
}

/// The saved game, from the file of an earlier run if it still loads.
pub fn saved(seats: u8) -> Saved {
    let read = |part: &str| fs::read(path(seats, part));
    if let (Ok(state), Ok(events)) = (read("state"), read("events")) {
        let saved = Saved { state, events };
        if warlord().open(&saved).is_ok() {
            return saved;
        }
    }
    let saved = make(seats);
    fs::write(path(seats, "state"), &saved.state).expect("target can be written");
    fs::write(path(seats, "events"), &saved.events).expect("target can be written");
    saved
}

/// The game, open for its next turn.
pub fn open(seats: u8) -> Box<dyn Match> {
    warlord().open(&saved(seats)).expect("opens")
}

pub fn cards(open: &dyn Match) -> BySeat<CardText> {
    let seats = open.wait().seats.into_iter();
    seats.map(|s| (s, open.play(s, "", &mut computer_dice(7, s)).card)).collect()
}

fn lines(cards: &BySeat<CardText>) -> usize {
    cards.values().map(|c| c.lines.len()).sum()
}

/// Time an order line shows whether cost grows in proportion.
#[divan::bench(args = [25, 50, 100, 200], sample_count = 10)]
fn late_turn(bencher: Bencher, seats: u8) {
    let open = open(seats);
    let cards = cards(open.as_ref());
    let orders = ItemsCount::new(lines(&cards));
    bencher.counter(orders).bench_local(|| {
        open.step(
            &engine::Input { cards: &cards, seats: &engine::BySeat::new() },
            &mut Dice::new(9),
        )
    });
}

/// Time a printout.
#[divan::bench(args = [25, 50, 100, 200], sample_count = 5)]
fn late_printouts(bencher: Bencher, seats: u8) {
    printouts(bencher, open(seats).as_ref());
}

/// All printouts of a turn as text.
pub fn printouts(bencher: Bencher, open: &dyn Match) {
    let seats = open.wait().seats;
    bencher.counter(ItemsCount::new(seats.len())).bench_local(|| {
        let text = |seat: &Seat| {
            let report = open.report(*seat, "en").expect("the seat plays");
            render::text::sections(&report.sections).len()
        };
        seats.iter().map(text).sum::<usize>()
    });
}

/// Cards of the computer players.
#[divan::bench(args = [100], sample_count = 5)]
fn late_computer_cards(bencher: Bencher, seats: u8) {
    let open = open(seats);
    bencher.bench_local(|| lines(&cards(open.as_ref())));
}

/// The memory of a loaded game: the largest allocation of this benchmark.
#[divan::bench(args = [25, 50, 100, 200], sample_count = 3, sample_size = 1)]
fn late_game_in_memory(bencher: Bencher, seats: u8) {
    let saved = saved(seats);
    bencher.bench_local(|| warlord().open(&saved).expect("opens"));
}

/// Size of the saved game as the store keeps it; the counter shows its bytes.
#[divan::bench(args = [25, 50, 100, 200], sample_count = 3)]
fn late_game_compressed(bencher: Bencher, seats: u8) {
    let saved = saved(seats);
    let pack = || zstd::bulk::compress(&saved.state, 1).expect("memory compresses");
    let (raw, packed) = (saved.state.len(), pack().len());
    eprintln!("state of {seats} seats: {raw} bytes, compressed {packed}");
    bencher.counter(divan::counter::BytesCount::new(raw)).bench_local(pack);
}
