//! §18: the first sentences of a printout.

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::event::{Against, Event, What};
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::moves::May;
use empire_deluxe::stage::{Stage, State};
use empire_deluxe::view::View;
use engine::report::{Line, Span};
use engine::trial::Trial;
use engine::{BySeat, CardText, Headlines, Input, Printouts, Rules, Seat};

use crate::scene::Scene;
use crate::told::{self, Court, Kind as Sentence, fit, lines};

const MAP: &str = "\
..........
.*--*--*-.
.--------.
..........
";

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(told::flat).collect()
}

/// The game of a scene, with everybody to move.
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

/// Kinds of sentences, and the words of the body for each.
const KINDS: &[Sentence] = &[
    Sentence(
        "Player {seat} ({name}) has won: nobody else is left.",
        &[
            "player {seat} ({name}) has won: nobody else is left.",
            "You have won: nobody else is left.",
        ],
    ),
    Sentence(
        "The game ends, for only computers are left; nobody has won.",
        &["Only computers are left, so the game ends here, and nobody has won."],
    ),
    Sentence("The game ends, for nobody is left.", &["Nobody is left."]),
    Sentence("You have won this game.", &["You have won: nobody else is left."]),
    Sentence(
        "You have not won this game.",
        &["player * has won: *", "Nobody is left.", "Only computers are left, *"],
    ),
    Sentence(
        "You have nothing left and are out of the game.",
        &["*You have nothing left and are out of the game."],
    ),
    Sentence(
        "You have left; your cities are nobody's.",
        &["*You have left; your cities are nobody's."],
    ),
    Sentence(
        "You have left; a computer plays on for you.",
        &["*You have left; a computer plays on for you."],
    ),
    Sentence(
        "Player {seat} has lost everything and is out of the game.",
        &["*Player {seat} has lost everything and is out."],
    ),
    Sentence(
        "Player {seat} has left; the cities are nobody's.",
        &["*Player {seat} has left; the cities are nobody's."],
    ),
    Sentence(
        "Player {seat} has left; a computer plays on.",
        &["*A computer plays on for player {seat}."],
    ),
    Sentence(
        "You lost {lost} against cities that nobody holds.",
        &[
            "*Your * attacked the free * and lost*",
            "*You attack*lost*Nobody's city defends itself*",
        ],
    ),
    Sentence("You lost {lost} for want of room aboard.", &["*had no room any more*"]),
    Sentence("You lost {lost} for want of fuel.", &["* ran out of fuel at *"]),
    Sentence(
        "You lost {kinds} to player {seat} at {places*}.",
        &[
            "*of player {seat} attacked your * {places*} and won*",
            "*of player {seat} attacked your *{places*} and won*",
            "*Your * attacked player {seat}'s *{places*} and lost*",
            "*{places*}:*You attack*Player {seat} defends*",
            "*{places*}:*Player {seat} attacks*You defend*",
            "*Player {seat} took *{places*} from you; lost in it*",
            "*Player {seat} bombed *{places*}: lost in it*",
        ],
    ),
    Sentence("You lost {cities*} to player {seat}.", &["*Player {seat} took {cities*} from you*"]),
    Sentence(
        "You destroyed {kinds} of player {seat} at {places*}.",
        &[
            "*of player {seat} attacked your *{places*} and lost*",
            "*Your * attacked player {seat}'s *{places*} and won*",
            "*{places*}:*You attack*Player {seat} defends*",
            "*{places*}:*Player {seat} attacks*You defend*",
            "*You took *{places*} from player {seat}; lost in it*",
            "*You bombed *{places*}: lost in it*",
        ],
    ),
    Sentence(
        "You took {cities*} from player {seat}.",
        &["*You took {cities*} from player {seat}.*", "*You took {cities*} from player {seat};*"],
    ),
    Sentence("You took {cities*}.", &["*You took {cities*}.*", "*You took {cities*};*"]),
    Sentence(
        "You bombed {city} and what it was building.",
        &["*You bombed {city}: what it was building is lost."],
    ),
    Sentence(
        "Player {seat} bombed {city} and what it was building.",
        &["*Player {seat} bombed {city}: what it was building is lost."],
    ),
    Sentence(
        "Player {by} destroyed {kinds} of player {of} at {places*}.",
        &[
            "*of player {by} attacked player {of}'s *{places*} and won*",
            "*of player {of} attacked player {by}'s *{places*} and lost*",
            "*{places*}:*Player {by} attacks*Player {of} defends*",
            "*{places*}:*Player {of} attacks*Player {by} defends*",
            "*Player {by} took *{places*} from player {of}; lost in it*",
            "*Player {by} bombed *{places*}: lost in it*",
        ],
    ),
    Sentence(
        "Player {by} took {cities*} from player {seat}.",
        &["*Player {by} took {cities*} from player {seat}*"],
    ),
    Sentence("Player {by} took {cities*}.", &["*Player {by} took {cities*}.*"]),
    Sentence(
        "Player {seat} came into sight at {places*}.",
        &["* of player {seat} * in sight at *{places*}*"],
    ),
    Sentence("Somebody without a name wrote to you.", &["From somebody who is not named:"]),
    Sentence("{players} wrote to you.", &["From *"]),
    Sentence("You found {cities*}.", &["*You have found {cities*}."]),
    Sentence("Your cities finished {kinds}.", &["* was finished in *"]),
    Sentence("You hold {cities} and have {units}.", &["Cities *, units *, explored *"]),
    Sentence("You are player {seat} of {all} and begin in {city} at {at}.", &["* | {at} | *"]),
    Sentence(
        "You have explored {percent} % of the world.",
        &["*explored {percent} % of the world."],
    ),
    Sentence("First choose what your city builds, and explore.", &[]),
    Sentence("Players still in the game: {left} of {all}.", &["Players still in: {left}."]),
];

/// How many units a sentence such as "2 Armies, Battleship" has.
fn units(kinds: &str) -> usize {
    let one = |part: &str| part.split_once(' ').and_then(|(n, _)| n.parse().ok()).unwrap_or(1);
    kinds.split(", ").filter(|p| !p.is_empty()).map(one).sum()
}

/// From the events: the seat's lost units, and units of others that it destroyed.
fn ended(view: &View) -> [usize; 2] {
    let mut all = [0, 0];
    for event in &view.events {
        let (by, of, lost): (Seat, Option<Seat>, Vec<Seat>) = match &event.what {
            What::Fought { by, against, lost, .. } => {
                let of = match against {
                    Against::Unit { owner, .. } => Some(*owner),
                    Against::City(owner) => *owner,
                };
                (by.seat, of, lost.iter().map(|l| l.0).collect())
            }
            What::Captured { by, from, lost, .. } => {
                (*by, *from, lost.iter().map(|l| l.0).collect())
            }
            What::Bombed { by, lost, .. } => {
                (*by, lost.first().map(|l| l.0), lost.iter().map(|l| l.0).collect())
            }
            What::Overboard(_, lost) => (view.seat, None, lost.iter().map(|_| view.seat).collect()),
            What::Crashed(..) => (view.seat, None, vec![view.seat]),
            _ => continue,
        };
        all[0] += lost.iter().filter(|s| **s == view.seat).count();
        let mine = by == view.seat || of == Some(view.seat);
        all[1] += lost.iter().filter(|s| mine && **s != view.seat).count();
    }
    all
}

/// Checks the printouts of all seats, and the counts in their headlines.
fn hold(court: &mut Court, state: &State, events: &[Event], whose: &str) {
    for seat in state.world.seats() {
        let view = EmpireDeluxe::view(state, events, seat);
        let headline = EmpireDeluxe::headline(&view);
        let Some(report) = EmpireDeluxe::report(&view, "") else { continue };
        let whose = format!("{whose}, seat {seat}");
        court.hold(&headline.sentences, &lines(&report), &whose);
        let told: Vec<String> = headline.sentences.iter().map(told::flat).collect();
        let count = |heads: &[&str]| -> usize {
            let kinds = |s: &String| {
                heads.iter().find_map(|head| fit(head, s)).map_or(0, |t| units(&t["lost"]))
            };
            told.iter().map(kinds).sum()
        };
        // After an eventful turn the headline leaves something out.
        if told.len() < engine::headline::MOST {
            let lost = count(&[
                "You lost {lost} against cities that nobody holds.",
                "You lost {lost} for want of room aboard.",
                "You lost {lost} for want of fuel.",
                "You lost {lost} to player {seat} at {places}.",
            ]);
            let destroyed = count(&["You destroyed {lost} of player {seat} at {places}."]);
            assert_eq!([lost, destroyed], ended(&view), "{whose}: {told:?}");
        }
    }
    let all = EmpireDeluxe::chronicle(state, events);
    for line in &all {
        assert!(KINDS.iter().any(|k| fit(k.0, &told::flat(line)).is_some()), "{line:?}");
    }
}

/// Wars of computers with each printout checked.
fn wars(court: &mut Court) {
    type Case<'a> = (u8, &'a [(&'a str, &'a str)], u32);
    let cases: [Case; 3] = [
        (3, &[("edition", "basic"), ("size", "30x30")], 60),
        (3, &[("edition", "advanced"), ("size", "40x30")], 60),
        (3, &[("order", "simultaneous"), ("size", "40x30")], 40),
    ];
    for (n, (seats, options, steps)) in cases.into_iter().enumerate() {
        let mut trial = crate::campaign::game(seats, options, 1);
        for step in 1..=steps {
            trial.write_cards();
            trial.step();
            hold(court, trial.state(), trial.events(), &format!("war {n}, step {step}"));
            if trial.result().is_some() {
                break;
            }
        }
    }
}

/// Scenes that are rare in wars of computers.
fn scenes(court: &mut Court) {
    let mut show = |scene: &Scene, stage: Stage| {
        let (mut state, events) = game(scene, 7);
        state.stage = stage;
        hold(court, &state, &events, "a scene");
    };
    let sea = "\
..........
.*.-.*..*.
..........
";
    for seed in 0..40 {
        // A ship that is hit has less room.
        let mut scene = Scene::new(Edition::Standard, 3, sea).city(1, 2, 2).city(2, 6, 2);
        scene.dice = engine::Dice::new(seed);
        let ship = scene.put(1, Kind::Tr, 4, 1);
        for _ in 0..6 {
            scene.put(1, Kind::Ar, 4, 1);
        }
        scene.put(2, Kind::Tr, 5, 1);
        scene.field.events.clear();
        let _ = scene.attack(ship, "6");
        show(&scene, Stage::All);
        // A bomber over a city of another, and over one with a unit in it.
        let mut scene = Scene::new(Edition::Advanced, 3, sea).city(1, 2, 2).city(2, 6, 2);
        scene.dice = engine::Dice::new(seed);
        let bomber = scene.put(1, Kind::Bo, 5, 2);
        if seed % 2 == 0 {
            scene.put(2, Kind::In, 6, 2);
        }
        scene.field.events.clear();
        let _ = scene.go(bomber, "6", May { attack: true, risk: true, ..May::default() });
        show(&scene, Stage::All);
        let mut scene = Scene::new(Edition::Standard, 3, sea).city(1, 2, 2).city(2, 6, 2);
        let fighter = scene.put(1, Kind::Fi, 4, 2);
        scene.field.world.unit_mut(fighter).expect("a unit").fuel = 1;
        scene.field.events.clear();
        empire_deluxe::moves::rest(&mut scene.field, Seat(1));
        show(&scene, Stage::All);
    }
    let mut quiet = Scene::new(Edition::Standard, 3, sea).city(1, 2, 2).city(2, 6, 2);
    quiet.field.events.clear();
    show(&quiet, Stage::Over(None));
    show(&quiet, Stage::Over(Some(Seat(1))));
    let (mut state, _) = game(&quiet, 1);
    hold(court, &state, &[], "the first turn");
    state.world.turn = 9;
    for side in &mut state.world.sides {
        side.out = Some(3);
    }
    state.stage = Stage::Over(None);
    hold(court, &state, &[], "nobody is left");
}

/// Players who leave or are beaten, and letters.
fn leavings(court: &mut Court) {
    let table = || {
        let mut scene = Scene::new(Edition::Standard, 3, MAP).city(1, 2, 2).city(2, 5, 2);
        scene = scene.city(3, 8, 2);
        for (seat, x) in [(1, 3), (2, 6), (3, 9)] {
            scene.put(seat, Kind::Ar, x, 3);
        }
        let (mut state, _) = game(&scene, 7);
        state.world.options.press = true;
        state
    };
    let mut bare = table();
    let at = bare.world.ground.cities()[2];
    bare.world.city_mut(at).expect("a city").owner = None;
    bare.world.side_mut(Seat(3)).expect("a seat").units.clear();
    let named = "PRESS 2\nShall we?\nEND";
    let unnamed = "PRESS 2 ANON\nBeware.\nEND";
    for (state, cards) in [
        (table(), vec![(1, "X RESIGN YES")]),
        (table(), vec![(1, "X ABDICATE YES")]),
        (table(), vec![(1, named)]),
        (table(), vec![(1, unnamed)]),
        (table(), vec![(1, named), (3, unnamed)]),
        (bare, vec![]),
    ] {
        let cards = cards.iter().map(|(s, t)| (Seat(*s), CardText::new(t))).collect();
        let seats = BySeat::new();
        let input = Input { cards: &cards, seats: &seats };
        let done = EmpireDeluxe::step(state, &input, &mut engine::Dice::new(3));
        hold(court, &done.state, &done.events, &format!("{cards:?}"));
    }
}

#[test]
fn every_kind_of_sentence_is_told_by_the_body_too() {
    let mut court = Court::new(KINDS);
    wars(&mut court);
    scenes(&mut court);
    leavings(&mut court);
    court.close();
}
