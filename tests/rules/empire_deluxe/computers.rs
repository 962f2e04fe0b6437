//! The play of computers (§14).

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::field::Field;
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::stage::{Stage, State};
use empire_deluxe::view::View;
use engine::{Computers, Dice, Seat};

use crate::scene::Scene;

/// The card that a computer in seat 1 writes when it knows the whole map.
fn card(mut scene: Scene, turn: u32) -> String {
    let places: Vec<_> = scene.field.world.ground.grid.places().collect();
    let world = &mut scene.field.world;
    world.turn = turn;
    let cities: Vec<_> = world.ground.cities().to_vec();
    let owners: Vec<_> = cities.iter().map(|at| world.city(*at).and_then(|c| c.owner)).collect();
    let known = &mut world.side_mut(Seat(1)).expect("a seat").known;
    for at in places {
        known.see(at);
    }
    for (at, owner) in cities.iter().zip(owners) {
        known.see_city(*at, owner, false, turn);
    }
    let Field { world, .. } = scene.field;
    let state = State::of(world, Stage::All, 1);
    EmpireDeluxe::play(&View::of(&state, &[], Seat(1)), "", &mut Dice::new(1)).card.text()
}

#[test]
fn an_army_takes_the_free_city_next_to_it() {
    let mut scene =
        Scene::new(Edition::Standard, 2, "*-*--*\n------\n").city(1, 1, 1).city(2, 6, 1);
    let army = scene.put(1, Kind::Ar, 2, 1);
    let card = card(scene, 5);
    assert!(card.contains(&format!("A {} 3,1", army.number)), "{card}");
}

#[test]
fn a_transport_fetches_its_armies_and_lands_as_many_as_a_city_needs() {
    let map = "*.....*\n-.....-\n";
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 1, 1);
    let ship = scene.put(1, Kind::Tr, 1, 1);
    for _ in 0..3 {
        scene.put(1, Kind::Ar, 1, 1);
    }
    // The units that wait in the port are taken along without an order.
    let away = card(scene, 5);
    let shores = ["6,1", "6,2"].map(|at| format!("M {} {at}", ship.number));
    assert!(away.lines().any(|l| shores.iter().any(|s| s == l)), "{away}");
    // Two are enough for a free city; all land for an enemy's city.
    for (owner, lands) in [(None, 2), (Some(2), 3)] {
        let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 1, 1);
        if let Some(owner) = owner {
            scene = scene.city(owner, 7, 1);
        }
        scene.put(1, Kind::Tr, 6, 1);
        for _ in 0..3 {
            scene.put(1, Kind::Ar, 6, 1);
        }
        let card = card(scene, 5);
        let attacks = card.lines().filter(|l| l.starts_with("A ") && l.ends_with(" 7,1")).count();
        assert_eq!(attacks, lands, "{owner:?}: {card}");
    }
}

#[test]
fn a_transport_is_built_on_the_sea_where_it_is_wanted() {
    // A ship in the western sea is of no use for an island in the eastern one.
    let map = "..----....--\n..*--*....*-\n..----....--\n";
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 3, 2).city(1, 6, 2);
    scene.put(1, Kind::Tr, 1, 2);
    scene.put(1, Kind::Fi, 3, 2);
    for _ in 0..3 {
        scene.put(1, Kind::Ar, 6, 2);
    }
    let card = card(scene, 5);
    assert!(card.lines().any(|l| l.starts_with("P 6,2 TR")), "{card}");
    assert!(!card.lines().any(|l| l.starts_with("P 3,2 TR")), "{card}");
}

#[test]
fn a_computer_gives_up_when_it_knows_that_a_war_is_lost() {
    let gives_up = |enemies: i32, turn: u32| {
        let map = "*--*--*--*\n----------\n";
        let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 1, 1);
        for n in 1..=enemies {
            scene = scene.city(2, 1 + 3 * n, 1);
        }
        card(scene, turn).trim() == "X RESIGN YES"
    };
    assert!(gives_up(3, 121), "three for one of its own");
    assert!(!gives_up(2, 121), "two for one may still be turned");
    assert!(!gives_up(3, 119), "a young war may still be turned");
    assert!(!gives_up(3, 122), "this is not its turn to do so");
    assert!(gives_up(2, 201), "the longer a war lasts, the sooner it is lost");
    assert!(!gives_up(1, 283), "equals fight on");
    assert!(gives_up(1, 285), "but not for ever");
    assert!(!gives_up(0, 285), "who is ahead goes on");
}
