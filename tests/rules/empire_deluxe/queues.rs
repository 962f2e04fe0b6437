//! Orders of units from turn to turn (§16), and the sequence of turns (§4, §17).

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::event::What;
use empire_deluxe::field::Field;
use empire_deluxe::game;
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::sitting::sitting;
use empire_deluxe::stage::{Stage, State};
use empire_deluxe::state::UnitId;
use engine::{BySeat, CardText, Dice, Input, Rules, Seat, Sits};

use crate::scene::Scene;
use crate::table::Table;

const STRAIT: &str = "\
----......----
--*-......-*--
----......----
..............
";

/// Two seats: one at each side of a strait.
fn strait() -> Scene {
    Scene::new(Edition::Standard, 2, STRAIT).city(1, 3, 2).city(2, 12, 2)
}

#[test]
fn a_unit_goes_on_by_itself_and_needs_orders_when_it_has_arrived() {
    let mut scene = strait();
    let army = scene.put(1, Kind::Ar, 1, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "M 1 3,3 THEN S")]);
    assert_eq!(table.at(army), "2,2");
    table.play(&[]);
    assert_eq!(table.at(army), "3,3");
    table.play(&[]);
    assert!(!table.idle(army), "it stands as a sentry");
    table.play(&[(1, "K 1")]);
    assert!(table.idle(army));
}

#[test]
fn a_transport_takes_along_who_waits_and_puts_them_ashore() {
    // A city at the water, and another one beyond.
    let map = "--.....--\n-*.....*-\n--.....--\n";
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 2, 2).city(1, 8, 2);
    scene.put(2, Kind::Ar, 9, 3);
    let ship = scene.put(1, Kind::Tr, 2, 2);
    let armies: Vec<UnitId> = (0..4).map(|_| scene.put(1, Kind::Ar, 2, 2)).collect();
    let mut table = Table::all(scene);
    // One is a garrison, one has its own orders.
    table.play(&[(1, "S 2 !\nM 3 1,1\nM 1 8,2")]);
    assert!(table.at(ship).starts_with("4,") && table.aboard(ship) == 2);
    assert_eq!(table.at(armies[0]), "2,2");
    table.play(&[]).play(&[]);
    assert_eq!((table.at(ship).as_str(), table.aboard(ship)), ("8,2", 0));
    assert_eq!(table.at(armies[3]), "8,2", "they stand in the city");
    // With a quota the rest stays in the city.
    table.play(&[(1, "Q 1 1\nM 1 5,2")]);
    assert_eq!(table.aboard(ship), 1);
}

#[test]
fn a_transport_unloads_towards_a_square() {
    let mut scene = strait();
    let ship = scene.put(1, Kind::Tr, 9, 2);
    let army = scene.put(1, Kind::Ar, 9, 2);
    let mut table = Table::all(scene);
    table.play(&[(1, "M 1 10,2 THEN U 12,3")]);
    assert_eq!((table.at(army).as_str(), table.aboard(ship)), ("11,2", 0));
}

#[test]
fn who_attacks_goes_there_and_takes_the_city() {
    for seed in 1..20 {
        let mut scene = strait();
        scene.put(1, Kind::Ar, 11, 3);
        let mut table = Table::all(scene);
        table.seed = seed * 10;
        table.play(&[(1, "A 1 12,2")]);
        if table.state.world.cities_of(Seat(1)).count() == 2 {
            assert!(table.what.iter().any(|w| matches!(w, What::Captured { by: Seat(1), .. })));
            return;
        }
    }
    panic!("never taken");
}

#[test]
fn a_path_waits_with_five_and_a_blocked_unit_gives_up() {
    let mut scene = strait();
    let army = scene.put(1, Kind::Ar, 1, 1);
    scene.put(1, Kind::Ar, 2, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "D 1 25 6")]);
    assert_eq!(table.at(army), "1,2");
    table.play(&[]);
    assert_eq!(table.at(army), "1,2", "it waits a turn");
    table.play(&[]);
    assert_eq!(table.at(army), "2,2");
    assert!(table.idle(army));
    // It waits while a friendly unit is in the way, and gives up after three turns.
    table.play(&[(1, "D 1 8")]);
    table.play(&[]);
    assert!(!table.idle(army));
    table.play(&[]);
    assert!(table.idle(army));
    assert!(table.what.iter().any(|w| matches!(w, What::Stopped(id) if *id == army)));
}

#[test]
fn sentries_and_patrols_wake_when_an_enemy_comes_and_movers_do_not() {
    let mut scene = Scene::new(Edition::Standard, 2, &".".repeat(20)).city(1, 1, 1);
    let guard = scene.put(1, Kind::De, 4, 1);
    let mover = scene.put(1, Kind::De, 8, 1);
    let enemy = scene.put(2, Kind::Ba, 16, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "S 1\nM 2 9,1"), (2, "M 1 12,1")]);
    assert!(!table.idle(guard), "nobody is near");
    table.play(&[(1, "M 2 11,1"), (2, "S 1")]);
    assert!(table.at(mover) == "11,1" && table.at(enemy).starts_with('1'));
    // A patrol stops at the first sight.
    let mut scene = Scene::new(Edition::Standard, 2, &".".repeat(20)).city(1, 1, 1);
    let patrol = scene.put(1, Kind::De, 4, 1);
    scene.put(2, Kind::Ba, 9, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "T 1 7,1 4,1")]);
    assert!(!table.idle(patrol) && table.at(patrol) == "7,1");
    table.play(&[(1, "T 1 12,1 4,1")]);
    assert!(table.idle(patrol) && table.at(patrol) == "8,1", "{}", table.at(patrol));
    assert!(table.what.iter().any(|w| matches!(w, What::Woken(id) if *id == patrol)));
}

#[test]
fn a_sentry_sleeps_before_what_it_knows_and_wakes_when_something_new_comes() {
    let map = "*------*--\n----------\n";
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 1, 1).city(2, 8, 1);
    let before_city = scene.put(1, Kind::Ar, 7, 2);
    let alone = scene.put(1, Kind::Ar, 3, 1);
    let garrison = scene.put(1, Kind::Ar, 3, 2);
    let enemy = scene.put(2, Kind::Ar, 6, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "S 1\nS 2\nS 3 !"), (2, "S 1")]).play(&[]);
    assert!(!table.idle(before_city), "the city was there when it was told to sleep");
    // The enemy moves away from it, next to the two others.
    table.play(&[(2, "M 1 4,1")]).play(&[]).play(&[]);
    assert_eq!(table.at(enemy), "4,1");
    assert!(!table.idle(before_city) && table.idle(alone), "{:?}", table.what);
    assert!(!table.idle(garrison), "a garrison never wakes");
}

#[test]
fn a_sentry_wakes_when_it_is_whole_and_a_garrison_does_not() {
    let mut scene = strait();
    let ships = [scene.put(1, Kind::De, 3, 2), scene.put(1, Kind::De, 3, 2)];
    for ship in ships {
        scene.field.world.unit_mut(ship).expect("it").damage = 1;
    }
    let mut table = Table::all(scene);
    table.play(&[(1, "S 1\nS 2 !")]);
    // They did not begin the first turn in the city.
    table.play(&[]);
    assert!(ships.iter().all(|s| table.state.world.unit(*s).is_some_and(|u| u.damage == 0)));
    assert_eq!(ships.map(|s| table.idle(s)), [true, false]);
}

#[test]
fn new_units_do_what_their_city_tells_them_and_lists_go_on() {
    let mut table = Table::all(strait());
    table.play(&[(1, "P 1 AR FI\nZ 1 M 1,1 THEN S")]);
    for _ in 0..5 {
        table.play(&[]);
    }
    let first = UnitId { seat: Seat(1), number: 1 };
    assert_eq!(table.at(first), "3,2", "six turns after the order it is there");
    table.play(&[]).play(&[]);
    assert_eq!(table.at(first), "1,1");
    let city =
        table.state.world.cities_of(Seat(1)).next().and_then(|at| table.state.world.city(at));
    assert_eq!(city.map(|c| c.list.clone()), Some(vec![Kind::Fi]), "the last one goes on");
    table.play(&[(1, "Z 1")]);
    assert!(!table.idle(first), "who is there keeps its orders");
}

#[test]
fn one_order_moves_a_group() {
    let mut scene = strait();
    let inside = [scene.put(1, Kind::Ar, 3, 2), scene.put(1, Kind::Ar, 3, 2)];
    let plane = scene.put(1, Kind::Fi, 3, 2);
    let ship = scene.put(1, Kind::Tr, 9, 2);
    let aboard = scene.put(1, Kind::Ar, 9, 2);
    scene.put(2, Kind::De, 10, 3);
    let watched = scene.put(1, Kind::De, 9, 3);
    let far = scene.put(1, Kind::Ar, 1, 1);
    let sentries = |card: &str| {
        let mut table = Table::new(scene.clone(), Stage::All, 1);
        table.play(&[(1, card)]);
        let all = [inside[0], inside[1], plane, ship, aboard, watched, far];
        all.into_iter().filter(|u| !table.idle(*u)).map(|u| u.number).collect::<Vec<_>>()
    };
    assert_eq!(sentries("S 1-2"), [1, 2]);
    assert_eq!(sentries("S ALL AT 1"), [1, 2, 3]);
    assert_eq!(sentries("S ALL AR AT 1"), [1, 2]);
    assert_eq!(sentries("S ALL AR AT 1,1"), [7]);
    assert_eq!(sentries("S ALL ABOARD 4"), [5]);
    // Units in a city are listed with the city, not with the front.
    assert_eq!(sentries("S ALL FRONT 1"), [4, 5, 6]);
    assert_eq!(sentries("S ALL DE FRONT 1"), [6]);
    assert_eq!(sentries("S ALL FRONT 2"), [0; 0]);
    assert_eq!(sentries("S ALL AR"), [1, 2, 5, 7]);
}

#[test]
fn an_explorer_sees_all_and_an_aircraft_returns() {
    let map = format!("*{}*\n{}\n", "-".repeat(10), "-".repeat(12));
    let mut scene = Scene::new(Edition::Standard, 2, &map).city(1, 1, 1).city(2, 12, 1);
    let army = scene.put(1, Kind::Ar, 2, 1);
    let plane = scene.put(1, Kind::Fi, 1, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "E 1\nE 2")]);
    for _ in 0..14 {
        table.play(&[]);
    }
    let known = &table.state.world.side(Seat(1)).expect("a seat").known;
    assert_eq!(known.explored(), 24);
    assert!(table.idle(army) && table.state.world.unit(plane).is_some());
}

#[test]
fn one_player_after_the_other_and_parts_with_more() {
    let mut scene = strait();
    let first = scene.put(1, Kind::Ar, 1, 1);
    let second = scene.put(2, Kind::Ar, 14, 1);
    let sitting = Stage::Sitting { seat: Seat(1), part: 1 };
    let mut table = Table::new(scene, sitting.clone(), 1);
    table.state.world.options.parts = 2;
    let label = |table: &Table| EmpireDeluxe::wait(&table.state).label;
    assert_eq!(label(&table), "turn 10, player 1");
    table.play(&[(1, "M 1 2,1\nMORE"), (2, "M 1 13,1")]);
    assert_eq!((table.at(first).as_str(), table.at(second).as_str()), ("2,1", "14,1"));
    assert_eq!(label(&table), "turn 10, player 1, part 2");
    // Its step is made; the second part's MORE ends the turn.
    table.play(&[(1, "M 1 3,1\nMORE")]);
    assert_eq!((table.at(first).as_str(), label(&table).as_str()), ("2,1", "turn 10, player 2"));
    table.play(&[(2, "M 1 13,1")]);
    assert_eq!(table.at(second), "13,1");
    assert_eq!(table.state.stage, sitting);
    assert_eq!(table.state.world.turn, 11);
}

#[test]
fn several_turns_at_a_sitting_while_nobody_can_meet() {
    let mut scene = Scene::new(Edition::Standard, 2, &format!("*{}*\n", "-".repeat(28)))
        .city(1, 1, 1)
        .city(2, 30, 1);
    let army = scene.put(1, Kind::Ar, 2, 1);
    // 28 squares between an army and a city: (28 - 2) / 2 turns, and six at most.
    assert_eq!(sitting(&scene.field.world), 6);
    let stage = Stage::Sitting { seat: Seat(1), part: 1 };
    let Field { world, .. } = scene.field;
    let mut state = State::of(world, stage, 6);
    let cards: BySeat<CardText> = [(Seat(1), CardText::new("M 1 20,1\nP 1 AR"))].into();
    let seats = BySeat::new();
    let input = Input { cards: &cards, seats: &seats };
    state = game::step(state, &input, &mut Dice::new(1)).state;
    assert_eq!(state.world.ground.called(state.world.unit(army).expect("it").at), "8,1");
    assert_eq!(state.stage, Stage::Sitting { seat: Seat(2), part: 1 });
    assert_eq!(state.world.turn, 1, "the other one plays the same turns");
    let none = BySeat::new();
    let input = Input { cards: &none, seats: &seats };
    state = game::step(state, &input, &mut Dice::new(2)).state;
    // Ordered in turn 1, an army stands in the city at the start of turn 7.
    assert_eq!((state.world.turn, state.first), (7, 7));
    assert_eq!(state.world.side(Seat(1)).expect("a seat").units.len(), 2);
    // Once they are near, each turn is its own sitting.
    let near = state.world.ground.grid.at(24, 0).expect("a square");
    state.world.unit_mut(army).expect("it").at = near;
    assert_eq!(sitting(&state.world), 1);
}

#[test]
fn who_resigns_leaves_free_cities_and_who_has_nothing_is_out() {
    let mut scene = strait();
    scene.put(1, Kind::Ar, 1, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "X RESIGN YES")]);
    assert_eq!(table.state.stage, Stage::Over(Some(Seat(2))));
    let scores = EmpireDeluxe::result(&table.state).expect("it is over");
    assert_eq!(scores.iter().map(|s| (s.rank, s.points)).collect::<Vec<_>>(), [(2, 0), (1, 1)]);
    assert_eq!(table.state.world.cities.iter().filter(|c| c.owner.is_none()).count(), 1);
    // Three seats: one without anything is out at the end of its turn, one is left by its player.
    let mut scene = Scene::new(Edition::Standard, 3, STRAIT).city(1, 3, 2).city(2, 12, 2);
    scene.put(1, Kind::Ar, 1, 1);
    let mut table = Table::all(scene);
    table.play(&[]);
    assert!(table.what.iter().any(|w| matches!(w, What::KnockedOut(Seat(3)))));
    assert_eq!(table.state.playing(), [Seat(1), Seat(2)]);
    table.sits.insert(Seat(1), Sits::Left);
    table.play(&[]);
    assert_eq!(table.state.stage, Stage::Over(Some(Seat(2))));
}

#[test]
fn who_is_fast_acts_in_the_impulses_before_who_is_slow() {
    for seed in 1..12 {
        let mut scene = strait();
        scene.put(1, Kind::Fi, 2, 3);
        scene.put(2, Kind::Ar, 3, 3);
        let mut table = Table::all(scene);
        table.seed = seed;
        // The army has its one step in the last impulse, whoever's turn it is to act first.
        table.play(&[(1, "A 1 3,3"), (2, "M 1 4,3")]);
        assert!(
            table.what.iter().any(|w| matches!(w, What::Fought { by, .. } if by.seat == Seat(1)))
        );
    }
}

#[test]
fn aircraft_fly_over_their_own_units_and_do_not_stop_there() {
    // A corridor one square high: nobody can go round.
    let map = "*---------*\n";
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 1, 1).city(1, 11, 1);
    let fighter = scene.put(1, Kind::Fi, 1, 1);
    scene.put(1, Kind::Ar, 3, 1);
    scene.put(1, Kind::Ar, 6, 1);
    scene.put(2, Kind::Ar, 9, 1);
    let mut table = Table::all(scene);
    // Five steps: two squares, over the first army, two more; the second army is where it would end.
    table.play(&[(1, "M 1 8,1")]);
    assert_eq!(table.at(fighter), "5,1");
    let left = |table: &Table| table.state.world.unit(fighter).map(|u| u.fuel);
    assert_eq!(left(&table), Some(15), "what it did not fly is spent too");
    table.play(&[]);
    assert_eq!(table.at(fighter), "8,1");
    // The same by digits; two armies side by side stop it.
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 1, 1).city(1, 11, 1);
    let fighter = scene.put(1, Kind::Fi, 1, 1);
    scene.put(1, Kind::Ar, 3, 1);
    scene.put(1, Kind::Ar, 5, 1);
    scene.put(1, Kind::Ar, 6, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "D 1 666666")]);
    assert_eq!(table.at(fighter), "4,1");
}
