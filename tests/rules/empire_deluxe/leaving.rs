//! Leaving to a computer, letters, and cards that are sent before one's turn (§1, §4, §13).

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::event::What;
use empire_deluxe::field::Field;
use empire_deluxe::game;
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::stage::{Stage, State};
use engine::{
    BySeat, CardText, Cards, Dice, Input, Mark, Notice, Printouts, Rules, Seat, Sits, Stepped,
    Until,
};

use crate::scene::Scene;

fn table(seats: u8) -> State {
    let map = "*-----------*----*\n------------------\n";
    let mut scene = Scene::new(Edition::Standard, seats, map).city(1, 1, 1).city(2, 18, 1);
    if seats > 2 {
        scene = scene.city(3, 13, 1);
    }
    for (seat, x) in [(1, 2), (2, 17), (3, 12)].into_iter().take(seats.into()) {
        scene.put(seat, Kind::Ar, x, 2);
    }
    let Field { world, .. } = scene.field;
    State::of(world, Stage::Sitting { seat: Seat(1), part: 1 }, 1)
}

fn step(
    state: &State,
    sits: &[(u8, Sits)],
    cards: &[(u8, &str)],
) -> Stepped<State, empire_deluxe::event::Event> {
    let cards: BySeat<CardText> =
        cards.iter().map(|(s, text)| (Seat(*s), CardText::new(text))).collect();
    let seats: BySeat<Sits> = sits.iter().map(|(s, how)| (Seat(*s), *how)).collect();
    game::step(state.clone(), &Input { cards: &cards, seats: &seats }, &mut Dice::new(3))
}

#[test]
fn who_abdicates_is_played_on_by_a_computer_and_never_awaited_again() {
    let state = table(3);
    let done = step(&state, &[], &[(1, "X ABDICATE YES")]);
    assert!(done.events.iter().any(|e| matches!(e.what, What::Abdicated(Seat(1)))));
    assert!(done.state.plays(Seat(1)), "it is still in the game");
    let mut state = done.state;
    state = step(&state, &[], &[]).state;
    state = step(&state, &[], &[]).state;
    // It is its turn again: the game waits for nobody, and its cities build.
    let wait = EmpireDeluxe::wait(&state);
    assert_eq!((wait.seats.len(), wait.until), (0, Until::Now));
    let after = step(&state, &[], &[]).state;
    let city = after.world.cities_of(Seat(1)).next().and_then(|at| after.world.city(at));
    assert!(city.is_some_and(|c| !c.list.is_empty()), "the computer builds");
    assert_eq!(EmpireDeluxe::wait(&after).seats, [Seat(2)]);
}

#[test]
fn a_game_without_persons_stops_and_one_of_computers_alone_goes_on() {
    let computers = [(1, Sits::Computer), (2, Sits::Computer), (3, Sits::Computer)];
    assert_eq!(
        step(&table(3), &computers, &[]).state.stage,
        Stage::Sitting { seat: Seat(2), part: 1 }
    );
    // A person among computers resigns, or hands over to one.
    let person = [(1, Sits::Player), (2, Sits::Computer), (3, Sits::Computer)];
    for card in ["X RESIGN YES", "X ABDICATE YES"] {
        let over = step(&table(3), &person, &[(1, card)]).state;
        assert_eq!(over.stage, Stage::Over(None), "{card}");
        let scores = EmpireDeluxe::result(&over).expect("it is over");
        assert!(scores.iter().all(|s| s.points == 0), "nobody has won: {scores:?}");
        let told = EmpireDeluxe::report(&EmpireDeluxe::view(&over, &[], Seat(1)), "");
        assert!(format!("{told:?}").contains("Only computers are left"));
    }
    assert!(matches!(step(&table(3), &person, &[]).state.stage, Stage::Sitting { .. }));
}

#[test]
fn a_letter_goes_to_whom_it_names_where_letters_are_allowed() {
    let mut state = table(3);
    let card = "PRESS 3\nShall we take the north?\nEND\nM 1 3,2";
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let judged = EmpireDeluxe::judge(&view, &CardText::new(card), 0);
    assert_eq!(judged.lines[0].note, "this game has no letters");
    assert!(step(&state, &[], &[(1, card)]).events.is_empty(), "and it goes to nobody");
    state.world.options.press = true;
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let judged = EmpireDeluxe::judge(&view, &CardText::new(card), 0);
    assert_eq!(
        (judged.lines[0].mark, judged.lines[0].note.as_str()),
        (Mark::Ok, "1 line, with your name")
    );
    // A seat that waits for its turn may write letters too.
    let done = step(&state, &[], &[(1, card), (2, "PRESS 1 ANON\nBeware.\nEND")]);
    let letters = |seat: u8| {
        let view = EmpireDeluxe::view(&done.state, &done.events, Seat(seat));
        let text = format!("{:?}", view.events);
        (text.contains("take the north"), text.contains("Beware"))
    };
    assert_eq!(
        [letters(1), letters(2), letters(3)],
        [(false, true), (false, false), (true, false)]
    );
    let view = EmpireDeluxe::view(&done.state, &done.events, Seat(3));
    assert_eq!(EmpireDeluxe::notice(&view), Notice::Brief);
    assert!(format!("{:?}", EmpireDeluxe::brief(&view, "")).contains("take the north"));
}

#[test]
fn a_card_that_is_sent_too_early_waits_for_its_turn() {
    let state = table(2);
    let view = EmpireDeluxe::view(&state, &[], Seat(2));
    let judged = EmpireDeluxe::judge(&view, &CardText::new("M 1 16,2"), 0);
    assert_eq!(judged.lines[0].note, "waits for your turn, and is judged again then");
    assert!(!judged.ready);
    let done = step(&state, &[], &[(1, "M 1 3,2"), (2, "M 1 16,2\nS 1")]);
    assert_eq!(
        done.carried.get(&Seat(2)).map(Vec::as_slice),
        Some(&["M 1 16,2".to_owned(), "S 1".to_owned()][..])
    );
    assert!(!done.carried.contains_key(&Seat(1)), "its own is done");
}

#[test]
fn who_is_to_move_reads_all_since_its_last_card() {
    let mut state = table(3);
    // Seat 2 meets seat 3 while seat 1 waits: seat 3 hears of it in its turn.
    let grid = state.world.ground.grid;
    let near = grid.at(12, 1).expect("a square");
    let unit = state.world.side_mut(Seat(2)).expect("a seat").units.get_mut(&1).expect("it");
    unit.at = grid.at(13, 1).expect("a square");
    state = step(&state, &[], &[]).state;
    let fought = step(&state, &[], &[(2, "D 1 4")]);
    assert!(
        fought.events.iter().any(|e| matches!(e.what, What::Fought { .. } | What::Sighted { .. })),
        "{:?}",
        near
    );
    let view = EmpireDeluxe::view(&fought.state, &fought.events, Seat(3));
    assert!(!view.events.is_empty());
    // Its own card ends its turn.
    let after = step(&fought.state, &[], &[]);
    let later = EmpireDeluxe::view(&after.state, &after.events, Seat(3));
    assert_eq!(later.events.len(), after.events.iter().filter(|e| e.to.0 & 4 != 0).count());
}
