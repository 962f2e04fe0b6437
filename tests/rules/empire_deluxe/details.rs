//! Details of the rules that are easy to get wrong, each on a small map.

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::event::{Against, What};
use empire_deluxe::field::Field;
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::moves::{May, Step};
use empire_deluxe::picture;
use empire_deluxe::sitting::sitting;
use empire_deluxe::stage::{Stage, State};
use empire_deluxe::stop::Stop;
use engine::{BySeat, Cards, Dice, Input, Printouts, Rules, Seat};

use crate::scene::Scene;
use crate::table::Table;

/// A row of squares with a city of each seat at its ends.
fn row(edition: Edition, squares: &str) -> Scene {
    let last = squares.chars().count() as i32;
    Scene::new(edition, 2, &format!("{squares}\n")).city(1, 1, 1).city(2, last, 1)
}

fn city(table: &Table, seat: u8) -> empire_deluxe::state::City {
    let world = &table.state.world;
    let at = world.cities_of(Seat(seat)).next().expect("a city");
    world.city(at).expect("a city").clone()
}

#[test]
fn aircraft_burn_their_whole_move_whatever_they_wait_for() {
    let mut scene = row(Edition::Standard, &format!("*{}*", "-".repeat(30)));
    let plane = scene.put(1, Kind::Fi, 1, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "D 1 66666 THEN W 9")]);
    let fuel = |table: &Table| table.state.world.unit(plane).map(|u| u.fuel);
    assert_eq!(fuel(&table), Some(15));
    table.play(&[]);
    assert_eq!(fuel(&table), Some(10));
    table.play(&[]).play(&[]);
    assert_eq!(fuel(&table), None, "it has crashed");
}

#[test]
fn an_attack_that_is_no_way_back_needs_its_sign() {
    let mut scene = row(Edition::Standard, &format!("*{}*", "-".repeat(30)));
    let plane = scene.put(1, Kind::Fi, 11, 1);
    scene.put(2, Kind::Ar, 12, 1);
    scene.field.world.unit_mut(plane).expect("it").fuel = 10;
    assert_eq!(scene.attack(plane, "6"), Err(Stop::Unsafe));
    let may = May { attack: true, risk: true, beyond: None };
    assert!(matches!(scene.go(plane, "6", may), Ok(Step::Won(true) | Step::Gone)));
}

#[test]
fn aircraft_turn_back_before_they_are_out_of_range() {
    for order in ["M 1 30,1", "D 1 66666666666666666666"] {
        let mut scene = row(Edition::Standard, &format!("*{}*", "-".repeat(40)));
        let plane = scene.put(1, Kind::Fi, 1, 1);
        let mut table = Table::all(scene);
        table.play(&[(1, order)]).play(&[]);
        assert_eq!(table.at(plane), "11,1", "ten squares out of twenty: {order}");
        table.play(&[]).play(&[]);
        assert_eq!(table.at(plane), "1,1", "it is home again: {order}");
    }
}

#[test]
fn who_is_told_to_fight_does_not_wake_but_attacks() {
    for order in ["T 1 3,1 9,1 *", "E 1 *"] {
        let scene = || {
            let mut scene = row(Edition::Standard, &format!("*{}*", ".".repeat(20)));
            scene.put(1, Kind::De, 2, 1);
            scene.put(2, Kind::Tr, 6, 1);
            scene
        };
        let mut table = Table::all(scene());
        table.play(&[(1, order)]);
        let mut fought = table.what.iter().any(|w| matches!(w, What::Fought { .. }));
        table.play(&[]);
        fought |= table.what.iter().any(|w| matches!(w, What::Fought { .. }));
        assert!(fought, "{order}");
    }
}

#[test]
fn a_patrol_wakes_when_an_enemy_comes_up_to_it() {
    let mut scene = row(Edition::Standard, &format!("*{}*", ".".repeat(20)));
    let patrol = scene.put(1, Kind::De, 4, 1);
    scene.put(2, Kind::De, 9, 1);
    let sitting = Stage::Sitting { seat: Seat(1), part: 1 };
    let mut table = Table::new(scene, sitting, 1);
    table.play(&[(1, "T 1 5,1")]);
    assert!(!table.idle(patrol));
    // The other unit comes next to it in its own turn.
    table.play(&[(2, "M 1 6,1")]);
    let before = table.at(patrol);
    table.play(&[]);
    assert!(table.idle(patrol) && table.at(patrol) == before, "it stops where it is");
}

#[test]
fn ships_return_to_a_port_and_not_to_the_nearest_city() {
    // An own city lies beside the destroyer, behind land; a port farther away.
    let map = "*.......\n---.....\n-*-.....\n---.....\n";
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 1, 1).city(1, 2, 3);
    scene.put(2, Kind::De, 8, 4);
    let ship = scene.put(1, Kind::De, 4, 3);
    let mut table = Table::all(scene);
    table.play(&[(1, "R 1")]).play(&[]);
    assert_eq!(table.at(ship), "1,1");
}

#[test]
fn who_waits_for_a_ship_waits_on() {
    let mut scene = row(Edition::Standard, "*--.........*");
    let army = scene.put(1, Kind::Ar, 3, 1);
    let ship = scene.put(1, Kind::Tr, 12, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "L 1 2\nM 2 4,1")]);
    for _ in 0..4 {
        table.play(&[]);
    }
    assert_eq!(table.aboard(ship), 1, "{:?}", table.at(army));
}

#[test]
fn a_mark_stays_three_turns_from_when_it_was_seen_last() {
    let mut scene = row(Edition::Standard, &format!("*{}*", ".".repeat(30)));
    scene.put(1, Kind::De, 10, 1);
    scene.put(2, Kind::Ba, 11, 1);
    let mut table = Table::all(scene);
    for _ in 0..5 {
        table.play(&[]);
    }
    table.play(&[(1, "D 1 444")]);
    let mark = |table: &Table| {
        let side = table.state.world.side(Seat(1)).expect("a seat");
        side.known.marks.values().any(|m| m.kind == Kind::Ba)
    };
    assert!(mark(&table));
    table.play(&[]);
    assert!(mark(&table));
    table.play(&[]).play(&[]);
    assert!(!mark(&table));
}

#[test]
fn cargo_acts_behind_its_carrier_in_an_impulse() {
    let mut scene = row(Edition::Standard, "*...--------*");
    let ship = scene.put(1, Kind::Tr, 2, 1);
    let army = scene.put(1, Kind::Ar, 2, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "D 2 6\nD 1 66")]);
    assert_eq!((table.at(ship), table.at(army)), ("4,1".to_owned(), "5,1".to_owned()));
    // A crippled ship and its cargo act in the same impulse: it has left the shore before.
    let mut scene = row(Edition::Standard, "*...--------*");
    let ship = scene.put(1, Kind::Tr, 4, 1);
    let army = scene.put(1, Kind::Ar, 4, 1);
    scene.field.world.unit_mut(ship).expect("it").damage = 2;
    scene.field.world.unit_mut(ship).expect("it").left = 1;
    let mut table = Table::all(scene);
    table.play(&[(1, "D 2 6\nD 1 4")]);
    assert_eq!((table.at(ship), table.at(army)), ("3,1".to_owned(), "3,1".to_owned()));
}

#[test]
fn who_was_blocked_goes_when_all_have_acted() {
    // In a strait one square wide, one follows the other in every impulse.
    let mut scene = row(Edition::Standard, &format!("*{}*", ".".repeat(20)));
    let behind = scene.put(1, Kind::De, 4, 1);
    scene.put(1, Kind::De, 5, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "M 1 7,1\nM 2 12,1")]);
    assert_eq!(table.at(behind), "7,1");
}

#[test]
fn a_sitting_ends_when_somebody_was_seen_in_passing() {
    let mut scene = row(Edition::Standard, &format!("*{}*", ".".repeat(40)));
    scene.put(1, Kind::Fi, 10, 1);
    scene.put(2, Kind::De, 16, 1);
    let Field { mut world, .. } = scene.field;
    world.turn = 10;
    let state = State::of(world, Stage::All, 4);
    let card = |text: &str| engine::CardText::new(text);
    let cards: BySeat<_> = [(Seat(1), card("M 1 15,1")), (Seat(2), card("D 1 555"))].into();
    let input = Input { cards: &cards, seats: &BySeat::new() };
    let done = EmpireDeluxe::step(state, &input, &mut Dice::new(1));
    assert!(done.events.iter().any(|e| matches!(e.what, What::Sighted { .. })));
    assert_eq!(done.state.world.turn, 11, "one turn of four");
}

#[test]
fn whether_a_city_is_manned_is_known_while_it_is_in_sight() {
    let mut scene = row(Edition::Standard, "*--*");
    scene.put(2, Kind::Ar, 4, 1);
    let spy = scene.put(1, Kind::Ar, 3, 1);
    let mut table = Table::all(scene);
    let manned = |table: &Table| {
        let known = &table.state.world.side(Seat(1)).expect("a seat").known;
        known.cities.values().find(|c| c.owner == Some(Seat(2))).map(|c| (c.manned, c.turn))
    };
    table.play(&[]);
    assert_eq!(manned(&table), Some((true, 11)));
    table.play(&[(1, "M 1 2,1")]);
    assert_eq!(manned(&table), Some((false, 11)), "out of sight {}", table.at(spy));
}

#[test]
fn a_transport_leaves_whom_the_card_tells_to_stay_and_takes_others_last() {
    let map = "--.....--\n-*.....*-\n--.....--\n";
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 2, 2);
    scene.put(2, Kind::Ar, 9, 3);
    let ship = scene.put(1, Kind::Tr, 2, 2);
    for _ in 0..3 {
        scene.put(1, Kind::Ar, 2, 2);
    }
    // Two have earlier orders: a sentry, and one that waits.
    let mut table = Table::all(scene);
    table.play(&[(1, "S 3\nW 4 9")]);
    table.play(&[(1, "Q 1 2\nM 1 5,2\nS 2")]);
    let aboard = |n: u16| {
        let unit = table.state.world.side(Seat(1)).and_then(|s| s.units.get(&n));
        unit.is_some_and(|u| u.aboard == Some(ship.number))
    };
    assert_eq!([2, 3, 4].map(aboard), [false, true, true]);
}

#[test]
fn a_fighter_lands_on_the_carrier_behind_its_escort() {
    let mut scene = row(Edition::Standard, "*.......*");
    let plane = scene.put(1, Kind::Fi, 4, 1);
    scene.put(1, Kind::De, 5, 1);
    let carrier = scene.put(1, Kind::Ca, 6, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "L 1 3")]);
    assert_eq!(table.state.world.unit(plane).and_then(|u| u.aboard), Some(carrier.number));
}

#[test]
fn what_flew_past_leaves_no_marks_behind() {
    let map = format!("{0}\n{0}\n*{1}*\n", "-".repeat(30), "-".repeat(28));
    let mut scene = Scene::new(Edition::Advanced, 2, &map).city(1, 1, 3).city(2, 30, 3);
    scene.put(1, Kind::In, 15, 3);
    scene.put(2, Kind::Fi, 18, 1);
    let mut table = Table::all(scene);
    table.play(&[(2, "D 1 4444 !")]);
    let marks = &table.state.world.side(Seat(1)).expect("a seat").known.marks;
    assert_eq!(marks.len(), 1, "{marks:?}");
}

#[test]
fn who_left_with_more_stands_higher() {
    let mut scene = Scene::new(Edition::Standard, 3, "*--*--*--*\n").city(1, 1, 1).city(1, 4, 1);
    scene = scene.city(2, 7, 1).city(3, 10, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "X RESIGN YES"), (2, "X RESIGN YES")]);
    let scores = EmpireDeluxe::result(&table.state).expect("it is over");
    let ranks: Vec<(u8, u32)> = scores.iter().map(|s| (s.seat.0, s.rank)).collect();
    assert_eq!(ranks, [(1, 2), (2, 3), (3, 1)]);
}

#[test]
fn airbases_need_no_orders_and_others_see_them() {
    let mut scene = row(Edition::Advanced, "*-----*");
    scene.put(1, Kind::In, 3, 1);
    scene.put(2, Kind::In, 4, 1);
    let mut table = Table::all(scene);
    table.play(&[(1, "U 1")]);
    let known = &table.state.world.side(Seat(2)).expect("a seat").known;
    assert!(known.marks.values().any(|m| m.kind == Kind::Ab), "{:?}", known.marks);
    let view = EmpireDeluxe::view(&table.state, &[], Seat(1));
    let report = format!("{:?}", EmpireDeluxe::report(&view, ""));
    assert!(!report.contains("AB 1\""), "it is not among those that need orders");
    let judged = EmpireDeluxe::judge(&view, &engine::CardText::new("S 1"), 0);
    assert_eq!(judged.lines[0].mark, engine::Mark::Ok);
}

#[test]
fn no_ends_a_list_and_is_a_default() {
    let mut table = Table::all(row(Edition::Standard, "*-----*"));
    table.play(&[(1, "P 1 AR NO\nPD NO")]);
    for _ in 0..6 {
        table.play(&[]);
    }
    assert_eq!(table.state.world.side(Seat(1)).map(|s| s.units.len()), Some(1));
    assert!(city(&table, 1).list.is_empty());
    assert_eq!(table.state.world.side(Seat(1)).and_then(|s| s.default), None);
}

#[test]
fn what_cannot_be_built_in_a_captured_city_gives_way_to_land_units() {
    for seed in 1..20 {
        let mut scene = Scene::new(Edition::Standard, 2, "------\n-*--*-\n------\n");
        scene = scene.city(1, 2, 2).city(2, 5, 2);
        scene.put(1, Kind::Ar, 4, 2);
        let mut table = Table::all(scene);
        table.seed = seed;
        table.play(&[(1, "PD TR\nA 1 5,2")]);
        if table.state.world.cities_of(Seat(1)).count() == 2 {
            let lists: Vec<_> = table.state.world.cities.iter().map(|c| c.list.clone()).collect();
            assert!(lists.contains(&vec![Kind::Ar]), "{lists:?}");
            return;
        }
    }
    panic!("never taken");
}

#[test]
fn all_that_cities_could_finish_counts_for_how_many_turns_a_sitting_has() {
    let mut scene = row(Edition::Standard, &format!("*{}*", "-".repeat(29)));
    assert_eq!(sitting(&scene.field.world), 6, "armies alone: 28 squares by two, six at most");
    // At double speed each could have a fighter of five squares within six turns.
    scene.field.world.options.handicaps = vec![200];
    assert_eq!(sitting(&scene.field.world), 2);
}

#[test]
fn a_bombed_transport_takes_its_cargo_along() {
    let all = (1..60).any(|seed| {
        let mut scene = row(Edition::Advanced, "*--*");
        scene.put(1, Kind::Bo, 3, 1);
        let ship = scene.put(2, Kind::Tr, 4, 1);
        let army = scene.put(2, Kind::In, 4, 1);
        scene.field.board(army, ship);
        scene.dice = Dice::new(seed);
        let bomber = empire_deluxe::state::UnitId { seat: Seat(1), number: 1 };
        let _ = scene.attack(bomber, "6");
        let both = vec![(Seat(2), Kind::Tr), (Seat(2), Kind::In)];
        scene.happened(|w| matches!(w, What::Bombed { lost, .. } if *lost == both))
    });
    assert!(all, "in one of sixty it hits the ship");
}

#[test]
fn cargo_attacks_only_what_it_could_step_onto_and_is_not_repaired() {
    let mut scene = row(Edition::Advanced, "*.^-*");
    scene.put(1, Kind::Tr, 2, 1);
    let armor = scene.put(1, Kind::Am, 2, 1);
    scene.put(2, Kind::In, 3, 1);
    assert_eq!(
        scene.attack(armor, "6"),
        Err(Stop::Ground(empire_deluxe::ground::Terrain::Mountain))
    );
    assert!(!scene.happened(|w| matches!(w, What::Fought { against: Against::Unit { .. }, .. })));
    let mut scene = row(Edition::Advanced, "*...*");
    let ship = scene.put(1, Kind::Tr, 1, 1);
    let armor = scene.put(1, Kind::Am, 1, 1);
    scene.field.board(armor, ship);
    scene.field.world.unit_mut(armor).expect("it").damage = 1;
    let mut table = Table::all(scene);
    table.play(&[]).play(&[]);
    assert_eq!(table.state.world.unit(armor).map(|u| u.damage), Some(1));
}

#[test]
fn a_landing_that_fights_takes_what_is_next_to_the_shore() {
    let taken = (1..20).any(|seed| {
        let mut scene = row(Edition::Standard, "*....*");
        scene.put(1, Kind::Tr, 3, 1);
        for _ in 0..4 {
            scene.put(1, Kind::Ar, 3, 1);
        }
        let mut table = Table::all(scene);
        table.seed = seed;
        table.play(&[(1, "M 1 5,1 THEN U 6,1 *")]).play(&[]);
        table.state.world.cities_of(Seat(1)).count() == 2
    });
    assert!(taken, "four armies take it in most of twenty games");
    // Without the sign nobody can step off, and the echo says so.
    let mut scene = row(Edition::Standard, "*....*");
    scene.put(1, Kind::Tr, 5, 1);
    scene.put(1, Kind::Ar, 5, 1);
    let Field { world, .. } = scene.field;
    let state = State::of(world, Stage::All, 1);
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let judged = EmpireDeluxe::judge(&view, &engine::CardText::new("U 1 6,1"), 0);
    assert!(judged.lines[0].note.contains("nobody aboard can step ashore"), "{judged:?}");
}

#[test]
fn cargo_stays_aboard_until_its_ship_is_where_it_was_sent() {
    let mut scene = Scene::new(Edition::Standard, 2, "*........*\n-........-\n----------\n");
    scene = scene.city(1, 1, 1).city(2, 10, 1);
    let ship = scene.put(1, Kind::Tr, 1, 1);
    let army = scene.put(1, Kind::Ar, 1, 1);
    let mut table = Table::all(scene);
    // On its way it passes a shore from which the army could walk.
    table.play(&[(1, "L 2 1 THEN A 10,1\nM 1 9,2")]);
    assert_eq!(table.state.world.unit(army).and_then(|u| u.aboard), Some(ship.number));
    table.play(&[]);
    assert_eq!(table.state.world.unit(army).and_then(|u| u.aboard), Some(ship.number));
    for _ in 0..3 {
        table.play(&[]);
    }
    assert_ne!(table.state.world.unit(army).map(|u| u.aboard), Some(Some(ship.number)));
}

#[test]
fn who_boards_waits_in_the_city_to_which_the_ship_comes() {
    let map = "*-------\n--......\n........\n*.......\n";
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 1, 1);
    scene.put(2, Kind::De, 8, 4);
    scene = scene.city(1, 1, 4);
    let army = scene.put(1, Kind::Ar, 1, 4);
    scene.put(1, Kind::Tr, 7, 3);
    let mut table = Table::all(scene);
    table.play(&[(1, "M 2 1,4\nL 1 2")]);
    assert_eq!(table.at(army), "1,4");
    table.play(&[]).play(&[]).play(&[]);
    assert_eq!(table.state.world.unit(army).and_then(|u| u.aboard), Some(2));
}

#[test]
fn explorers_go_different_ways() {
    let map = format!("{0}\n{0}\n-----*-----\n{0}\n{0}\n", "-".repeat(11));
    let mut scene = Scene::new(Edition::Standard, 2, &map).city(1, 6, 3);
    let two = [scene.put(1, Kind::Ar, 6, 3), scene.put(1, Kind::Ar, 6, 3)];
    // Around the city everything is explored.
    let grid = scene.field.world.ground.grid;
    let city = scene.at(6, 3);
    let known = &mut scene.field.world.side_mut(Seat(1)).expect("a seat").known;
    for at in grid.within(city, 3) {
        known.see(at);
    }
    let mut table = Table::all(scene);
    table.play(&[(1, "E 1-2")]).play(&[]);
    let at = two.map(|u| table.state.world.unit(u).expect("it").at);
    assert!(grid.distance(at[0], at[1]) > 1, "{} {}", table.at(two[0]), table.at(two[1]));
}

#[test]
fn one_order_tells_the_new_units_of_all_cities_and_of_those_to_come() {
    for seed in 1..20 {
        let mut scene = Scene::new(Edition::Standard, 2, "*--*--*\n").city(1, 1, 1);
        scene = scene.city(1, 4, 1).city(2, 7, 1);
        scene.put(1, Kind::Ar, 6, 1);
        let mut table = Table::all(scene);
        table.seed = seed;
        table.play(&[(1, "Z ALL S\nZD E *\nA 1 7,1")]);
        let rallies: Vec<usize> = table.state.world.cities.iter().map(|c| c.rally.len()).collect();
        assert_eq!(rallies[..2], [1, 1]);
        if table.state.world.cities_of(Seat(1)).count() == 3 {
            assert_eq!(rallies[2], 1);
            return;
        }
    }
    panic!("never taken");
}

#[test]
fn aircraft_that_nobody_orders_are_told_before_they_are_lost() {
    let mut scene = row(Edition::Standard, &format!("*{}*", "-".repeat(30)));
    let plane = scene.put(1, Kind::Fi, 12, 1);
    scene.field.world.unit_mut(plane).expect("it").fuel = 4;
    let Field { world, .. } = scene.field;
    let state = State::of(world, Stage::All, 1);
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let judged = EmpireDeluxe::judge(&view, &engine::CardText::new("PD AR"), 0);
    let told = format!("{:?}", judged.forecast);
    assert!(told.contains("Will be lost") && told.contains("1: out of fuel"), "{told}");
}

#[test]
fn several_fights_over_a_square_are_one_card_and_a_duel_is_a_line() {
    use empire_deluxe::event::{Event, Told};
    use empire_deluxe::state::UnitId;
    use engine::report::Block;
    let mut scene =
        Scene::new(Edition::Standard, 2, "*----*\n------\n").city(1, 1, 1).city(2, 6, 1);
    // It sees the city.
    scene.put(1, Kind::Ar, 5, 2);
    let (city, field) = (scene.at(6, 1), scene.at(4, 2));
    let fought = |number, at, against, won| What::Fought {
        by: UnitId { seat: Seat(1), number },
        kind: Kind::Ar,
        from: at,
        at,
        against,
        won,
        damage: 1,
        lost: vec![(if won { Seat(2) } else { Seat(1) }, Kind::Ar)],
    };
    let unit = Against::Unit { owner: Seat(2), kind: Kind::Ar };
    let taken =
        What::Captured { by: Seat(1), at: city, from: Some(Seat(2)), lost: vec![], guard: false };
    let all = [
        fought(4, city, unit, false),
        fought(5, city, unit, true),
        fought(6, city, Against::City(Some(Seat(2))), true),
        taken,
        fought(7, field, unit, true),
    ];
    let events: Vec<Event> =
        all.into_iter().map(|what| Event { to: Told(3), turn: 1, what }).collect();
    let state = State::of(scene.field.world, Stage::All, 1);
    let report = |seat: u8| {
        let view = EmpireDeluxe::view(&state, &events, Seat(seat));
        let report = EmpireDeluxe::report(&view, "en").expect("a printout");
        let found = report.sections.into_iter().find(|s| s.heading == "What happened");
        found.expect("it is told").blocks
    };
    let blocks = report(1);
    let [Block::Battles(cards), Block::List(lines)] = blocks.as_slice() else {
        panic!("a card and lines: {blocks:?}")
    };
    let [card] = cards.as_slice() else { panic!("one card: {cards:?}") };
    let [attack, defence] = card.sides.as_slice() else { panic!("two sides") };
    assert_eq!((attack.who.as_str(), attack.numbers), ("You attack", Some((3, 2))));
    assert_eq!(attack.forces, "Army 4 (lost), Army 5 (1 hit), Army 6 (1 hit)");
    assert_eq!((defence.who.as_str(), defence.numbers), ("Player 2 defends", Some((1, 0))));
    assert!(card.result.starts_with("You took "), "{}", card.result);
    assert_eq!((card.ground.as_str(), lines.len()), ("city", 1));
    // The other side's printout has the same fight from its view.
    let [Block::Battles(cards), ..] = &report(2)[..] else { panic!("a card") };
    assert_eq!(cards[0].sides[1].who, "You defend");
}

#[test]
fn what_is_explored_and_out_of_sight_lies_under_a_veil() {
    let mut scene = Scene::new(Edition::Standard, 2, "..........\n..........\n..........\n");
    scene.put(1, Edition::Standard.foot(), 2, 2);
    let there = scene.at(6, 2);
    let mut world = scene.field.world;
    world.side_mut(Seat(1)).expect("a seat").units.get_mut(&1).expect("the army").at = there;
    let mut field = Field::new(world);
    field.look_around();
    let state = State::of(field.world, Stage::All, 1);
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let map = picture::maps(&view, &Field::new(view.world.clone())).remove(0);
    let cells = &map.grid().expect("a grid").cells;
    let row: String = cells[10..20]
        .iter()
        .map(|c| match (c.terrain, c.veiled) {
            (None, _) => ' ',
            (Some(_), true) => '~',
            (Some(_), false) => 's',
        })
        .collect();
    assert_eq!(row, "~~~ sss   ");
}
