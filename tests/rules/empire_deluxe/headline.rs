//! §18: what a printout says first.

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::event::Event;
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::stage::{Stage, State};
use engine::report::{Line, Span};
use engine::{Rules, Seat};

use crate::scene::Scene;

const MAP: &str = "\
..........
.*--*--*-.
.--------.
..........
";

fn flat(line: &Line) -> String {
    let span = |s: &Span| match s {
        Span::Plain(text) | Span::Chosen(text) => text.clone(),
        Span::Player(seat) => format!("seat {seat}"),
        other => format!("{other:?}"),
    };
    line.0.iter().map(span).collect()
}

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| flat(l).replace('\u{a0}', " ")).collect()
}

/// The game as it stands, everybody to move.
fn game(scene: &Scene, turn: u32) -> (State, Vec<Event>) {
    let mut world = scene.field.world.clone();
    world.turn = turn;
    let state = State {
        world,
        stage: Stage::All,
        first: turn,
        sitting: 1,
        peopled: false,
        course: Vec::new(),
        news: Vec::new(),
    };
    (state, scene.field.events.clone())
}

fn first((state, events): &(State, Vec<Event>), seat: u8) -> Vec<String> {
    texts(&EmpireDeluxe::headline(&EmpireDeluxe::view(state, events, Seat(seat))).sentences)
}

/// Player 1 walks into an empty city of player 2, in any of a few games.
fn captured() -> (State, Vec<Event>) {
    for seed in 0..60 {
        let mut scene = Scene::new(Edition::Standard, 2, MAP).city(1, 2, 2).city(2, 5, 2);
        scene = scene.city(2, 8, 2);
        scene.dice = engine::Dice::new(seed);
        let army = scene.put(1, Kind::Ar, 4, 2);
        scene.field.events.clear();
        let _ = scene.attack(army, "6");
        let at = scene.at(5, 2);
        if scene.field.world.city(at).and_then(|c| c.owner) == Some(Seat(1)) {
            return game(&scene, 7);
        }
    }
    panic!("an army takes an empty city now and then");
}

#[test]
fn a_lost_city_comes_first() {
    let game = captured();
    let told = first(&game, 2);
    assert!(told[0].starts_with("You lost city ") && told[0].ends_with("to player 1."), "{told:?}");
    let told = first(&game, 1);
    assert!(
        told[0].starts_with("You took city ") && told[0].ends_with("from player 2."),
        "{told:?}"
    );
    let all = texts(&EmpireDeluxe::chronicle(&game.0, &game.1));
    assert_eq!(all[0], "Player 1 took the city at 5,2 from player 2.");
}

#[test]
fn units_lost_to_one_player_share_a_sentence() {
    for seed in 0..60 {
        let mut scene = Scene::new(Edition::Standard, 2, MAP).city(1, 2, 2).city(2, 8, 2);
        scene.dice = engine::Dice::new(seed);
        let (one, two) = (scene.put(1, Kind::Ar, 3, 3), scene.put(1, Kind::Ar, 6, 3));
        let _ = (scene.put(2, Kind::Ar, 4, 3), scene.put(2, Kind::Ar, 7, 3));
        scene.field.events.clear();
        let _ = (scene.attack(one, "6"), scene.attack(two, "6"));
        let game = game(&scene, 7);
        let told = first(&game, 2);
        assert!((3..=7).contains(&told.len()), "{told:?}");
        if told.iter().any(|s| s == "You lost 2 Armies to player 1 at 4,3 and 7,3.") {
            let other = first(&game, 1);
            let won = "You destroyed 2 Armies of player 2 at 4,3 and 7,3.";
            assert!(other.iter().any(|s| s == won), "{other:?}");
            return;
        }
    }
    panic!("two armies lose now and then");
}

#[test]
fn the_first_turn_says_who_one_is_and_a_quiet_one_how_things_stand() {
    let mut scene = Scene::new(Edition::Standard, 2, MAP).city(1, 2, 2).city(2, 8, 2);
    scene.put(1, Kind::Ar, 2, 2);
    scene.field.events.clear();
    let told = first(&game(&scene, 1), 1);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("You are player 1 of 2 and begin in city "), "{told:?}");
    let quiet = game(&scene, 9);
    let told = first(&quiet, 1);
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(told[0], "You hold 1 city and have 1 unit.");
    let view = EmpireDeluxe::view(&quiet.0, &quiet.1, Seat(1));
    let needs = texts(&EmpireDeluxe::headline(&view).needs);
    assert!(needs[0].starts_with("City ") && needs[0].ends_with("builds nothing."), "{needs:?}");
    assert!(needs[1].starts_with("Orders are missing: 1 unit has none"), "{needs:?}");
}

#[test]
fn the_name_of_a_city_is_its_players_choice_and_the_end_names_the_winner() {
    let (mut state, events) = captured();
    let at = state.world.ground.cities()[1];
    let side = state.world.side_mut(Seat(2)).expect("a seat");
    side.known.names.insert(at, "M 5 7".to_owned());
    let view = EmpireDeluxe::view(&state, &events, Seat(2));
    let headline = EmpireDeluxe::headline(&view);
    let chosen = Span::Chosen("M 5 7".to_owned());
    assert!(headline.sentences[0].0.contains(&chosen), "{:?}", headline.sentences[0]);
    state.stage = Stage::Over(Some(Seat(1)));
    let told = first(&(state, events), 2);
    assert_eq!(told[0], "Player 1 (seat 1) has won: nobody else is left.");
    assert_eq!(told[1], "You have not won this game.");
}
