//! The acceptance cases of §19.2, on small maps.

use empire_deluxe::combat::Refused;
use empire_deluxe::event::What;
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::moves::{May, Step};
use empire_deluxe::production;
use empire_deluxe::state::UnitId;
use empire_deluxe::stop::Stop;
use engine::{Dice, Seat};

use crate::scene::Scene;

const SEA: &str = "\
..........
..........
..........
..........
..........
";

const COAST: &str = "\
....------
....------
....--*---
....------
....------
";

/// Repeats an attack with other dice until it is won, or lost, as wanted.
fn until(make: impl Fn() -> (Scene, UnitId), pad: &str, won: bool) -> (Scene, UnitId, Step) {
    for seed in 0..200 {
        let (mut scene, id) = make();
        scene.dice = Dice::new(seed);
        let step = scene.attack(id, pad).expect("an attack");
        if matches!(step, Step::Won(_)) == won {
            return (scene, id, step);
        }
    }
    panic!("never {won}");
}

#[test]
fn case_1_a_destroyer_goes_any_way_three_squares_a_turn() {
    let mut scene = Scene::new(Edition::Standard, 2, SEA);
    let ship = scene.put(1, Kind::De, 3, 3);
    assert_eq!(scene.walk(ship, "694"), Ok(Step::Moved));
    assert!(scene.is_at(ship, 4, 2));
    assert_eq!(scene.walk(ship, "4"), Err(Stop::Spent));
}

#[test]
fn case_2_an_army_steps_ashore_when_its_transport_has_moved() {
    let mut scene = Scene::new(Edition::Standard, 2, COAST);
    let ship = scene.put(1, Kind::Tr, 2, 2);
    let army = scene.put(1, Kind::Ar, 2, 2);
    assert_eq!(scene.field.cargo(ship), [army.number]);
    assert_eq!(scene.walk(army, "6"), Err(Stop::Aboard), "water is all around");
    assert_eq!(scene.walk(ship, "66"), Ok(Step::Moved));
    assert!(scene.is_at(army, 4, 2), "it comes along");
    assert_eq!(scene.walk(army, "6"), Ok(Step::Moved));
    assert!(scene.is_at(army, 5, 2) && scene.field.cargo(ship).is_empty());
    assert_eq!(scene.walk(army, "6"), Err(Stop::Spent));
    // It boards again in the same way.
    empire_deluxe::moves::wake(&mut scene.field, Seat(1));
    assert_eq!(scene.walk(army, "4"), Ok(Step::Boarded));
}

#[test]
fn case_3_who_wins_goes_there_if_it_can() {
    let (scene, army, step) = until(
        || {
            let mut scene = Scene::new(Edition::Standard, 2, COAST);
            scene.put(2, Kind::Ar, 6, 4);
            let army = scene.put(1, Kind::Ar, 5, 4);
            (scene, army)
        },
        "6",
        true,
    );
    assert!(step == Step::Won(true) && scene.is_at(army, 6, 4));
    assert_eq!(scene.unit(army).expect("it lives").left, 0);
    let (scene, army, step) = until(
        || {
            let mut scene = Scene::new(Edition::Standard, 2, COAST);
            scene.put(2, Kind::De, 4, 4);
            let army = scene.put(1, Kind::Ar, 5, 4);
            (scene, army)
        },
        "4",
        true,
    );
    assert!(step == Step::Won(false) && scene.is_at(army, 5, 4), "it stays on land");
    assert_eq!(scene.unit(army).expect("it lives").left, 0);
}

#[test]
fn case_4_a_damaged_transport_loses_places_and_cargo() {
    for seed in 0..2000 {
        let mut scene = Scene::new(Edition::Standard, 2, SEA);
        scene.put(2, Kind::De, 5, 3);
        let ship = scene.put(1, Kind::Tr, 4, 3);
        let armies: Vec<UnitId> = (0..5).map(|_| scene.put(1, Kind::Ar, 4, 3)).collect();
        scene.dice = Dice::new(seed);
        let won = scene.attack(ship, "6") == Ok(Step::Won(true));
        if !won || scene.unit(ship).expect("it lives").damage != 2 {
            continue;
        }
        assert_eq!(scene.field.places(ship), Some(2));
        assert_eq!(scene.field.cargo(ship), [armies[0].number, armies[1].number]);
        assert!(scene.happened(|w| matches!(w, What::Overboard(_, lost) if lost.len() == 3)));
        assert_eq!(scene.unit(ship).expect("it lives").left, 0, "its one step is made");
        empire_deluxe::moves::wake(&mut scene.field, Seat(1));
        assert_eq!(scene.unit(ship).expect("it lives").left, 1);
        return;
    }
    panic!("never so much damage");
}

#[test]
fn case_5_a_full_turn_in_a_city_repairs_one_point() {
    let port = "....\n..*-\n....\n";
    let mut scene = Scene::new(Edition::Standard, 2, port).city(1, 3, 2);
    let ship = scene.put(1, Kind::Tr, 2, 2);
    scene.field.world.unit_mut(ship).expect("it").damage = 2;
    empire_deluxe::moves::wake(&mut scene.field, Seat(1));
    assert_eq!(scene.walk(ship, "6"), Ok(Step::Moved));
    empire_deluxe::moves::rest(&mut scene.field, Seat(1));
    let damage = |scene: &Scene| scene.unit(ship).expect("it lives").damage;
    assert_eq!(damage(&scene), 2, "it came this turn");
    empire_deluxe::moves::wake(&mut scene.field, Seat(1));
    empire_deluxe::moves::rest(&mut scene.field, Seat(1));
    assert_eq!((damage(&scene), scene.field.places(ship)), (1, Some(4)));
    empire_deluxe::moves::wake(&mut scene.field, Seat(1));
    assert_eq!(scene.unit(ship).expect("it lives").left, 2, "crippled no longer");
    empire_deluxe::moves::rest(&mut scene.field, Seat(1));
    assert_eq!((damage(&scene), scene.field.places(ship)), (0, Some(6)));
    assert!(scene.happened(|w| matches!(w, What::Repaired(id) if *id == ship)));
}

#[test]
fn case_6_and_10_the_clock_of_a_city() {
    let mut scene = Scene::new(Edition::Standard, 2, "....\n..*-\n....\n").city(1, 3, 2);
    let at = scene.at(3, 2);
    let order = |scene: &mut Scene, kind| {
        production::order(scene.field.world.city_mut(at).expect("a city"), vec![kind], false);
    };
    let done = |scene: &mut Scene, turns: u32| -> Vec<u32> {
        let mut built = Vec::new();
        for _ in 0..turns {
            scene.field.world.turn += 1;
            let before = scene.field.events.len();
            empire_deluxe::moves::produce(&mut scene.field, Seat(1));
            if scene.field.events.len() > before {
                built.push(scene.field.world.turn);
            }
        }
        built
    };
    // Case 10: armies in turn 7, 12, 17 and 22, then a transport in 52, another 25 later.
    order(&mut scene, Kind::Ar);
    assert_eq!(done(&mut scene, 21), [7, 12, 17, 22]);
    order(&mut scene, Kind::Tr);
    assert_eq!(done(&mut scene, 55), [52, 77]);
    order(&mut scene, Kind::Ar);
    assert_eq!(done(&mut scene, 6), [83]);
    // Case 6: a destroyer's eight turns are lost, and lost again with the cruiser's one.
    order(&mut scene, Kind::De);
    assert_eq!(done(&mut scene, 8), []);
    order(&mut scene, Kind::Cr);
    assert_eq!(scene.field.world.city(at).expect("a city").done, 0);
    assert_eq!(done(&mut scene, 1), []);
    order(&mut scene, Kind::De);
    assert_eq!(done(&mut scene, 24), [116]);
}

#[test]
fn case_7_ships_are_built_at_the_sea_alone() {
    let scene = Scene::new(Edition::Standard, 2, COAST);
    let ground = &scene.field.world.ground;
    assert!(!empire_deluxe::state::can_build(ground, scene.at(7, 3), Kind::De));
    assert!(empire_deluxe::state::can_build(ground, scene.at(7, 3), Kind::Ar));
    assert!(empire_deluxe::state::can_build(ground, scene.at(5, 3), Kind::De));
}

#[test]
fn case_8_a_captured_city_loses_all_inside_and_who_took_it() {
    let port = "....\n..*-\n..--\n";
    for seed in 0..50 {
        let mut scene = Scene::new(Edition::Standard, 2, port).city(2, 3, 2);
        for kind in [Kind::Ba, Kind::Ar, Kind::Ar] {
            scene.put(2, kind, 3, 2);
        }
        let army = scene.put(1, Kind::Ar, 4, 3);
        scene.dice = Dice::new(seed);
        assert_eq!(scene.walk(army, "7"), Err(Stop::Enemy), "it was not told to attack");
        if scene.attack(army, "7") != Ok(Step::Gone)
            || scene.field.world.cities_of(Seat(1)).count() == 0
        {
            continue;
        }
        assert!(scene.unit(army).is_none());
        assert_eq!(scene.field.world.side(Seat(2)).expect("a seat").units.len(), 0);
        let city = scene.field.world.city(scene.at(3, 2)).expect("a city");
        assert_eq!(
            (city.owner, city.list.as_slice(), city.done),
            (Some(Seat(1)), &[Kind::Ar][..], 0)
        );
        let seen = scene.field.world.side(Seat(2)).expect("a seat").known.cities[&scene.at(3, 2)];
        assert_eq!(seen.owner, Some(Seat(1)), "whoever lost it knows");
        let lost = |w: &What| matches!(w, What::Captured { lost, .. } if lost.len() == 3);
        assert!(scene.happened(lost));
        return;
    }
    panic!("never taken");
}

#[test]
fn case_9_and_14_who_reaches_whom() {
    let mut scene = Scene::new(Edition::Standard, 2, COAST).city(2, 7, 3);
    let refused = |why| Err(Stop::Refused(why));
    scene.put(2, Kind::Ar, 5, 3);
    let cruiser = scene.put(1, Kind::Cr, 4, 3);
    let destroyer = scene.put(1, Kind::De, 4, 2);
    assert_eq!(scene.attack(destroyer, "3"), refused(Refused::Bombardment));
    // The shells of a cruiser find it, and the ship stays.
    assert_eq!(scene.attack(cruiser, "6"), Ok(Step::Won(false)));
    assert!(scene.is_at(cruiser, 4, 3) && scene.field.top(scene.at(5, 3)).is_none());
    let fighter = scene.put(2, Kind::Fi, 5, 3);
    assert_eq!(scene.attack(cruiser, "6"), refused(Refused::OverLand));
    scene.field.destroy(fighter);
    // Ships take no cities, aircraft none in this edition.
    let port = "....\n..*-\n....\n";
    let mut scene = Scene::new(Edition::Standard, 2, port).city(2, 3, 2);
    let ship = scene.put(1, Kind::Cr, 2, 2);
    assert_eq!(scene.attack(ship, "6"), Err(Stop::City));
    let fighter = scene.put(1, Kind::Fi, 4, 2);
    assert_eq!(
        scene.go(fighter, "4", May { attack: true, risk: true, beyond: None }),
        Err(Stop::City)
    );
    // Armies and submarines can't attack each other; aircraft over water are out of an army's
    // reach.
    let mut scene = Scene::new(Edition::Standard, 2, COAST);
    scene.put(2, Kind::Su, 4, 3);
    let army = scene.put(1, Kind::Ar, 5, 3);
    assert_eq!(scene.attack(army, "4"), refused(Refused::Submarine));
    let submarine = UnitId { seat: Seat(2), number: 1 };
    assert_eq!(scene.attack(submarine, "6"), refused(Refused::Submarine));
    scene.put(2, Kind::Fi, 4, 4);
    assert_eq!(scene.attack(army, "1"), refused(Refused::OverWater));
}

#[test]
fn case_11_a_fighter_stops_where_it_could_still_return() {
    let sea = format!("*{}\n", ".".repeat(29));
    let mut scene = Scene::new(Edition::Standard, 2, &sea).city(1, 1, 1);
    let plane = scene.put(1, Kind::Fi, 1, 1);
    assert_eq!(scene.walk(plane, "66666"), Ok(Step::Moved));
    empire_deluxe::moves::rest(&mut scene.field, Seat(1));
    empire_deluxe::moves::wake(&mut scene.field, Seat(1));
    assert_eq!(scene.walk(plane, "66666"), Ok(Step::Moved));
    assert!(scene.is_at(plane, 11, 1));
    empire_deluxe::moves::rest(&mut scene.field, Seat(1));
    empire_deluxe::moves::wake(&mut scene.field, Seat(1));
    assert_eq!(scene.walk(plane, "6"), Err(Stop::Unsafe));
    assert_eq!(scene.go(plane, "666", May { risk: true, ..May::default() }), Ok(Step::Moved));
    assert!(scene.is_at(plane, 14, 1) && scene.unit(plane).expect("it flies").fuel == 7);
    // Away from base each turn costs its whole move.
    empire_deluxe::moves::rest(&mut scene.field, Seat(1));
    assert_eq!(scene.unit(plane).expect("it flies").fuel, 5);
    empire_deluxe::moves::wake(&mut scene.field, Seat(1));
    empire_deluxe::moves::rest(&mut scene.field, Seat(1));
    assert!(scene.unit(plane).is_none());
    assert!(scene.happened(|w| matches!(w, What::Crashed(..))));
}

#[test]
fn case_12_marks_stay_until_the_square_is_seen_empty_or_time_is_over() {
    let mut scene = Scene::new(Edition::Standard, 2, SEA);
    let battleship = scene.put(2, Kind::Ba, 5, 2);
    let ship = scene.put(1, Kind::De, 3, 3);
    scene.walk(ship, "6").expect("a step");
    assert_eq!(scene.mark(1, 5, 2), Some((Kind::Ba, true)));
    scene.walk(ship, "44").expect("two steps");
    assert_eq!(scene.mark(1, 5, 2), Some((Kind::Ba, false)), "last seen there");
    // It leaves unseen: the mark stays three turns.
    scene.walk(battleship, "66").expect("two steps");
    let mut other = Scene {
        field: empire_deluxe::field::Field::new(scene.field.world.clone()),
        dice: Dice::new(1),
    };
    for turn in 2..=4 {
        assert_eq!(other.mark(1, 5, 2), Some((Kind::Ba, false)), "turn {turn}");
        other.field.world.turn = turn;
        empire_deluxe::moves::rest(&mut other.field, Seat(1));
    }
    assert_eq!(other.mark(1, 5, 2), None);
    // A unit sees the empty square.
    empire_deluxe::moves::wake(&mut scene.field, Seat(1));
    scene.walk(ship, "66").expect("two steps");
    assert_eq!(scene.mark(1, 5, 2), None);
}

#[test]
fn case_13_submarines_show_themselves_to_few() {
    let mut scene = Scene::new(Edition::Standard, 2, COAST);
    scene.put(2, Kind::Su, 2, 2);
    scene.put(1, Kind::Ba, 1, 1);
    assert_eq!(scene.mark(1, 2, 2), None, "a battleship does not see it");
    scene.put(1, Kind::De, 3, 3);
    assert_eq!(scene.mark(1, 2, 2), Some((Kind::Su, true)));
    let mut scene = Scene::new(Edition::Standard, 2, COAST);
    scene.put(2, Kind::Su, 3, 3);
    scene.put(2, Kind::Ar, 5, 3);
    let own = scene.put(1, Kind::Su, 4, 3);
    assert_eq!((scene.mark(1, 3, 3), scene.mark(1, 5, 3)), (Some((Kind::Su, true)), None));
    // It leaves no mark.
    scene.walk(own, "9").expect_err("land");
    scene.walk(own, "8").expect("a step");
    scene.walk(own, "8").expect("a step");
    assert_eq!(scene.mark(1, 3, 3), None);
}

#[test]
fn who_runs_into_a_hidden_submarine_attacks_it() {
    let mut scene = Scene::new(Edition::Standard, 2, SEA);
    scene.put(2, Kind::Su, 5, 3);
    let ship = scene.put(1, Kind::Ba, 4, 3);
    assert!(scene.walk(ship, "6").is_ok(), "it was no attack that it was told of");
    assert!(scene.happened(|w| matches!(w, What::Fought { .. })));
    // A unit does not run into a submarine that it sees.
    let mut scene = Scene::new(Edition::Standard, 2, SEA);
    scene.put(2, Kind::Su, 5, 3);
    let ship = scene.put(1, Kind::De, 4, 3);
    assert_eq!(scene.walk(ship, "6"), Err(Stop::Enemy));
}

#[test]
fn case_15_and_16_room_aboard() {
    let mut scene = Scene::new(Edition::Standard, 2, SEA);
    let ship = scene.put(1, Kind::Ca, 4, 3);
    for _ in 0..8 {
        scene.put(1, Kind::Fi, 4, 3);
    }
    assert_eq!((scene.field.cargo(ship).len(), scene.field.has_room(ship, Kind::Fi)), (8, false));
    scene.field.world.unit_mut(ship).expect("it").damage = 3;
    assert_eq!(scene.field.places(ship), Some(5));
    let loads = |infantry: usize, armor: usize| {
        let mut scene = Scene::new(Edition::Advanced, 2, SEA);
        let ship = scene.put(1, Kind::Tr, 4, 3);
        for kind in
            std::iter::repeat_n(Kind::In, infantry).chain(std::iter::repeat_n(Kind::Am, armor))
        {
            if !scene.field.has_room(ship, kind) {
                return false;
            }
            scene.put(1, kind, 4, 3);
        }
        true
    };
    assert!(loads(6, 0) && loads(0, 3) && loads(2, 2) && loads(4, 1));
    assert!(!loads(0, 4) && !loads(5, 1) && !loads(7, 0));
}

#[test]
fn case_17_and_18_times_by_speciality_and_efficiency() {
    let mut scene = Scene::new(Edition::Advanced, 2, "....\n..*-\n....\n").city(1, 3, 2);
    let at = scene.at(3, 2);
    let time = |scene: &Scene, kind, last| {
        let mut city = scene.field.world.city(at).expect("a city").clone();
        city.last = last;
        production::time(&scene.field.world, &city, kind, 100)
    };
    scene.field.world.city_mut(at).expect("a city").speciality = Some(Kind::Fi);
    assert_eq!(time(&scene, Kind::Fi, None), 10);
    assert_eq!(time(&scene, Kind::Fi, Some(Kind::Fi)), 8);
    assert_eq!(time(&scene, Kind::Ba, None), 66);
    assert_eq!(time(&scene, Kind::Ba, Some(Kind::Ba)), 55);
    scene.field.world.city_mut(at).expect("a city").speciality = None;
    for (efficiency, turns) in [(50, 24), (100, 12), (150, 8)] {
        scene.field.world.city_mut(at).expect("a city").efficiency = efficiency;
        assert_eq!(time(&scene, Kind::Fi, None), turns);
    }
    // A bomber leaves nine tenths of the efficiency; a city that builds nothing improves.
    let city = |efficiency| {
        let mut city = scene.field.world.city(at).expect("a city").clone();
        (city.efficiency, city.list) = (efficiency, Vec::new());
        city
    };
    assert_eq!(production::bombed(&scene.field.world, &city(120)), 108);
    assert_eq!(production::bombed(&scene.field.world, &city(115)), 103);
    for (efficiency, turns) in [(104, Some(1)), (110, Some(2)), (195, Some(11)), (200, None)] {
        let mut city = city(efficiency);
        let gained = (1..=50).find(|_| {
            production::advance(&scene.field.world, &mut city, 100);
            city.efficiency > efficiency
        });
        assert_eq!(gained, turns, "{efficiency} %");
    }
}

#[test]
fn unit_support_leaves_less_than_the_handicap() {
    let row = "*".repeat(10) + &"-".repeat(25) + "\n";
    let mut scene = Scene::new(Edition::Advanced, 2, &row);
    for x in 1..=10 {
        scene = scene.city(1, x, 1);
    }
    for x in 11..=35 {
        scene.put(1, Kind::In, x, 1);
    }
    assert_eq!(production::base(&scene.field.world, Seat(1)), 80);
    let city = scene.field.world.cities[0].clone();
    assert_eq!(production::time(&scene.field.world, &city, Kind::In, 80), 8);
    assert_eq!(production::base(&scene.field.world, Seat(2)), 100);
}

#[test]
fn case_19_a_bomber_attacks_four_times() {
    let land = "----\n-*--\n----\n";
    let mut seen = (false, false);
    for seed in 0..60 {
        let mut scene = Scene::new(Edition::Advanced, 2, land).city(2, 2, 2);
        let bomber = scene.put(1, Kind::Bo, 3, 2);
        for _ in 0..2 {
            scene.put(2, Kind::In, 2, 2);
        }
        let at = scene.at(2, 2);
        let city = scene.field.world.city_mut(at).expect("a city");
        (city.list, city.done) = (vec![Kind::Fi], 10);
        scene.dice = Dice::new(seed);
        let may = May { attack: true, risk: true, beyond: None };
        let Ok(Step::Won(false)) = scene.go(bomber, "4", may) else {
            assert!(scene.unit(bomber).is_none(), "who does not win is gone");
            assert_eq!(scene.field.world.city(at).expect("a city").done, 10);
            continue;
        };
        let unit = scene.unit(bomber).expect("it flies");
        assert_eq!((unit.left, unit.fuel, scene.is_at(bomber, 3, 2)), (3, 23, true));
        let city = scene.field.world.city(at).expect("a city");
        let units = scene.field.world.side(Seat(2)).expect("a seat").units.len();
        assert_eq!(city.efficiency, 90);
        match units {
            1 => seen.0 = true,
            _ => seen.1 = true,
        }
        assert_eq!((city.done == 0, units == 1), (units == 2, units == 1), "one or the other");
    }
    assert_eq!(seen, (true, true));
}

#[test]
fn case_20_armor_that_takes_a_city_leaves_a_guard() {
    let land = "----\n-*--\n----\n";
    for seed in 0..20 {
        let mut scene = Scene::new(Edition::Advanced, 2, land);
        let armor = scene.put(1, Kind::Am, 3, 2);
        scene.dice = Dice::new(seed);
        if scene.attack(armor, "4") != Ok(Step::Gone)
            || scene.field.world.cities_of(Seat(1)).count() == 0
        {
            assert_eq!(scene.field.world.city(scene.at(2, 2)).expect("a city").held, 1);
            continue;
        }
        let side = scene.field.world.side(Seat(1)).expect("a seat");
        let guards: Vec<(Kind, u8)> = side.units.values().map(|u| (u.kind, u.left)).collect();
        assert_eq!(guards, [(Kind::In, 0)]);
        return;
    }
    panic!("never taken");
}

#[test]
fn infantry_that_has_not_moved_becomes_an_airbase() {
    let mut scene = Scene::new(Edition::Advanced, 2, COAST);
    let walker = scene.put(1, Kind::In, 5, 2);
    scene.walk(walker, "2").expect("a step");
    assert_eq!(empire_deluxe::moves::base(&mut scene.field, walker), Err(Stop::Spent));
    let infantry = scene.put(1, Kind::In, 6, 4);
    assert_eq!(empire_deluxe::moves::base(&mut scene.field, infantry), Ok(()));
    let base = scene.unit(infantry).expect("it stands");
    assert_eq!((base.kind, base.left), (Kind::Ab, 0));
    let plane = scene.put(1, Kind::Fi, 8, 4);
    scene.field.world.unit_mut(plane).expect("it").fuel = 5;
    assert_eq!(scene.walk(plane, "44"), Ok(Step::Boarded));
    assert_eq!((scene.unit(plane).expect("it").fuel, scene.unit(plane).expect("it").left), (18, 0));
}

#[test]
fn what_flies_is_seen_from_two_squares_in_the_advanced_edition_alone() {
    for (edition, seen) in [(Edition::Standard, None), (Edition::Advanced, Some((Kind::Fi, true)))]
    {
        let mut scene = Scene::new(edition, 2, SEA);
        scene.put(2, Kind::Fi, 4, 3);
        scene.put(2, Kind::De, 2, 1);
        scene.put(1, Kind::De, 2, 3);
        assert_eq!(scene.mark(1, 4, 3), seen, "{edition:?}");
        assert_eq!(scene.mark(1, 2, 1), None, "a ship is seen from one");
    }
}
