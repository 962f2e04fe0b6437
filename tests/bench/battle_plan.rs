//! Battle Plan in the middle of a game: Europe and the world.

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::{Dice, Engine, Match, Saved, Setup};
use registry::ENGINES;

use crate::late::{self, cards};

/// Variant, seats, and turns that computer players have played.
const GAMES: [(&str, u8, u32); 5] =
    [("europe", 5, 15), ("europe", 9, 15), ("equal", 25, 30), ("real", 25, 12), ("1939", 13, 15)];

fn battle_plan() -> &'static dyn Engine {
    engine::find(&ENGINES, "battle-plan").expect("it is registered")
}

/// A game of that many turns, open for the next one.
pub fn open(game: (&str, u8, u32)) -> Box<dyn Match> {
    battle_plan().open(&saved(game)).expect("opens")
}

/// A game of that many turns.
pub fn saved((variant, seats, turns): (&str, u8, u32)) -> Saved {
    let options = [("variant".to_owned(), variant.to_owned())].into();
    let setup = Setup { seats, options, ..Setup::default() };
    let mut trial = battle_plan().trial(&setup, 1).expect("a game");
    for _ in 0..turns {
        trial.write_cards();
        trial.step();
    }
    trial.saved()
}

/// One turn with the cards of all computer players.
#[divan::bench(args = GAMES, sample_count = 50)]
fn battle_plan_turn(bencher: Bencher, game: (&str, u8, u32)) {
    let open = open(game);
    let cards = cards(open.as_ref());
    let orders = ItemsCount::new(cards.values().map(|c| c.lines.len()).sum::<usize>());
    bencher.counter(orders).bench_local(|| {
        open.step(
            &engine::Input { cards: &cards, seats: &engine::BySeat::new() },
            &mut Dice::new(9),
        )
    });
}

/// All printouts of a turn as text.
#[divan::bench(args = GAMES, sample_count = 20)]
fn battle_plan_printouts(bencher: Bencher, game: (&str, u8, u32)) {
    late::printouts(bencher, open(game).as_ref());
}

/// The echo of one computer player's card.
#[divan::bench(args = GAMES, sample_count = 50)]
fn battle_plan_judge(bencher: Bencher, game: (&str, u8, u32)) {
    let open = open(game);
    let cards = cards(open.as_ref());
    let (seat, card) = cards.iter().max_by_key(|(_, c)| c.lines.len()).expect("a card");
    bencher.bench_local(|| open.judge(*seat, card, 0));
}

/// Reading a saved game back.
#[divan::bench(args = GAMES, sample_count = 20)]
fn battle_plan_load(bencher: Bencher, game: (&str, u8, u32)) {
    let options = [("variant".to_owned(), game.0.to_owned())].into();
    let setup = Setup { seats: game.1, options, ..Setup::default() };
    let mut trial = battle_plan().trial(&setup, 1).expect("a game");
    for _ in 0..3 {
        trial.write_cards();
        trial.step();
    }
    let saved = trial.saved();
    bencher.bench_local(|| battle_plan().open(&saved).expect("opens"));
}
