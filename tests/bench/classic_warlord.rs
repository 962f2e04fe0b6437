//! Classic Warlord on all eight boards in the middle of a game.

use ::classic_warlord::ClassicWarlord;
use ::classic_warlord::board::{Bomb, Kind};
use ::classic_warlord::map::Place;
use ::classic_warlord::state::State;
use divan::Bencher;
use engine::trial::TrialOf;
use engine::{BySeat, CardText, Cards, Computers, Dice, Input, Rules, Setup, Trial};

/// Turns that computers have played.
const TURNS: u32 = 200;

/// Seven seats on a board that is mostly held.
fn full() -> State {
    let mut trial =
        TrialOf::<ClassicWarlord>::new(&Setup { seats: 7, ..Setup::default() }, 1).expect("a game");
    for _ in 0..TURNS {
        trial.write_cards();
        trial.step();
    }
    trial.state().clone()
}

/// One step with the card of the computer whose turn it is.
#[divan::bench]
fn classic_warlord_step(bencher: Bencher) {
    let state = full();
    let seat = ClassicWarlord::wait(&state).seats[0];
    let view = ClassicWarlord::view(&state, &[], seat);
    let card = ClassicWarlord::play(&view, "", &mut Dice::new(1)).card;
    let cards: BySeat<CardText> = [(seat, card)].into();
    bencher.with_inputs(|| state.clone()).bench_local_values(|state| {
        let input = Input { cards: &cards, seats: &BySeat::new() };
        ClassicWarlord::step(state, &input, &mut Dice::new(9))
    });
}

/// An explosion that sets off a bomb in every fourth region, over all boards.
#[divan::bench]
fn classic_warlord_chain(bencher: Bencher) {
    let mut board = full().board;
    let places: Vec<Place> = board.map().places().collect();
    places.iter().step_by(4).for_each(|p| board.site(*p, Some(Bomb { kind: Kind::H, units: 1 })));
    let blast = board.blast(places[1], Kind::H, places[1]);
    assert!(blast.chain.len() > 140, "{} bombs went off", blast.chain.len());
    bencher.bench_local(|| board.blast(places[1], Kind::H, places[1]));
}

/// The echo of a plan of 60 lines with twenty blocks.
#[divan::bench]
fn classic_warlord_echo(bencher: Bencher) {
    let state = full();
    let seat = ClassicWarlord::wait(&state).seats[0];
    let view = ClassicWarlord::view(&state, &[], seat);
    let map = view.board.map();
    let number = |p: Place| map.region(p).number;
    let near = |p: &Place| map.near(*p).next().map(|n| (number(*p), number(n)));
    let pairs: Vec<(u16, u16)> = view.board.held(seat).filter_map(|p| near(&p)).collect();
    let block = |(a, b): &(u16, u16)| format!("IF N {a} > 3\nK {a} {b} 3:2:1 E 2\nFI\n");
    let card = CardText::new(&pairs.iter().cycle().take(20).map(block).collect::<String>());
    assert_eq!(card.lines.len(), 60);
    bencher.bench_local(|| ClassicWarlord::judge(&view, &card, 0));
}

/// The card of a computer.
#[divan::bench(args = ["easy", "normal", "hard"], sample_count = 20)]
fn classic_warlord_computer(bencher: Bencher, strength: &str) {
    let options = [("computers".to_owned(), strength.to_owned())].into();
    let setup = Setup { seats: 7, options, ..Setup::default() };
    let mut trial = TrialOf::<ClassicWarlord>::new(&setup, 1).expect("a game");
    for _ in 0..TURNS {
        trial.write_cards();
        trial.step();
    }
    let seat = ClassicWarlord::wait(trial.state()).seats[0];
    let view = ClassicWarlord::view(trial.state(), &[], seat);
    bencher.bench_local(|| ClassicWarlord::play(&view, "", &mut Dice::new(1)));
}
