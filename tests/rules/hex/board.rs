//! Games in a few words, for the tests.

use engine::{
    Audits, BySeat, CardText, Cards, Dice, Input, Judgement, Rules, Seat, Setup, Sits, Stepped,
};
use hex::Hex;
use hex::board::Spot;
use hex::state::{Move, State};
use hex::view::View;

/// A setup with these options.
pub fn setup(options: &[(&str, &str)]) -> Setup {
    let options = options.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    Setup { seats: 2, options, ..Setup::default() }
}

/// A new game with these options.
pub fn game(options: &[(&str, &str)]) -> State {
    Hex::new_game(&setup(options), &mut Dice::new(1)).expect("the options are right")
}

/// A game on a board of five, after these moves.
pub fn after(moves: &str) -> State {
    moves.split_whitespace().fold(game(&[("size", "5")]), |state, word| {
        let seat = state.to_move().expect("the game goes on");
        step(state, &[(seat.0, word)]).state
    })
}

/// One step with these cards.
pub fn step(state: State, cards: &[(u8, &str)]) -> Stepped<State, Move> {
    step_with(state, cards, &[])
}

/// One step with these cards, and with seats that nobody plays.
pub fn step_with(state: State, cards: &[(u8, &str)], left: &[u8]) -> Stepped<State, Move> {
    let cards: BySeat<CardText> =
        cards.iter().map(|(seat, text)| (Seat(*seat), CardText::new(text))).collect();
    let seats: BySeat<Sits> = left.iter().map(|seat| (Seat(*seat), Sits::Left)).collect();
    let input = Input { cards: &cards, seats: &seats };
    let before = state.clone();
    let done = Hex::step(state, &input, &mut Dice::new(1));
    let wrong = Hex::audit((&before, &[]), &input, (&done.state, &done.events));
    assert_eq!(wrong, Vec::<String>::new());
    done
}

/// What a seat sees.
pub fn view(state: &State, seat: u8) -> View {
    Hex::view(state, &[], Seat(seat))
}

/// The judgement of a card of a seat.
pub fn judge(state: &State, seat: u8, card: &str) -> Judgement {
    Hex::judge(&view(state, seat), &CardText::new(card), 0)
}

/// A place by its name.
pub fn at(name: &str) -> Spot {
    Spot::read(name).expect("a place")
}
