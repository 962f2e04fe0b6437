//! The first sentences of a printout.

use engine::{BySeat, CardText, Dice, Headlines, Input, Rules, Seat, Setup};
use hex::Hex;
use hex::state::State;
use render::text::flat;

fn game() -> State {
    Hex::new_game(&Setup { seats: 2, ..Setup::default() }, &mut Dice::new(1)).expect("a game")
}

fn told(state: &State, events: &[hex::state::Move], seat: u8) -> Vec<String> {
    let headline = Hex::headline(&Hex::view(state, events, Seat(seat)));
    headline.sentences.iter().map(|l| flat(l).replace('\u{a0}', " ")).collect()
}

#[test]
fn a_move_is_told_first_and_no_place_begins_a_line() {
    let start = game();
    assert_eq!(told(&start, &[], 1)[0], "You are Red and join top and bottom.");
    let cards: BySeat<CardText> = [(Seat(1), CardText::new("PLAY C4"))].into();
    let input = Input { cards: &cards, seats: &BySeat::new() };
    let done = Hex::step(start, &input, &mut Dice::new(1));
    let first = told(&done.state, &done.events, 2);
    assert_eq!(first[0], "Red played C4.");
    assert_eq!(first.len(), 3, "{first:?}");
    let headline = Hex::headline(&Hex::view(&done.state, &done.events, Seat(2)));
    assert!(flat(&headline.sentences[0]).contains("played\u{a0}C4"));
    let all = Hex::chronicle(&done.state, &done.events);
    assert_eq!(flat(&all[0]).replace('\u{a0}', " "), "Red played C4.");
}
