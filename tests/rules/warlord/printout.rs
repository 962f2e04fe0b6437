//! §1 and §10: how an empire begins, what it sees, and its printout.

use engine::geometry::Place;
use engine::{BySeat, Dice, Printouts, Rules, Seat, Setup};
use warlord::Warlord;
use warlord::state::{Billet, State};
use warlord::turn::PHASES;

use super::board::*;

fn new_game() -> State {
    let setup = Setup { seats: 6, ..Setup::default() };
    Warlord::new_game(&setup, &mut Dice::new(4)).expect("the embedded tables make a world")
}

/// Thirteen open sectors in a row, all unexplored.
fn row() -> Board {
    let drawing = "~~~~~~~~~~~~~~~
                   ~............G~
                   ~A....C.......~
                   ~.............~
                   ~~~~~~~~~~~~~~~";
    let mut board = Board::new(2, drawing);
    board.state.powers[1].explored.fill(0);
    board
}

#[test]
fn an_empire_begins_with_its_city_forces_and_generals() {
    let state = new_game();
    let grid = state.grid();
    for power in &state.powers[1..] {
        assert_eq!((power.stock, power.tech, power.cities.len()), (2000, 1, 1));
        let home = power.cities.values().next().expect("a home");
        assert_eq!(
            (home.income, home.level, home.hangar.planes.fighters, home.hangar.planes.bombers),
            (3, 3, 4, 2)
        );
        assert_eq!(power.generals.len(), 2);
        assert!(power.generals.iter().all(|g| g.skill == 0));
        assert!(power.units.values().all(|u| u.at == home.at && u.rank == 0));
        let of = |kind: u8| power.units.values().filter(|u| u.kind == kind).count();
        assert_eq!(
            (of(INFANTRY), of(ENGINEER), of(TANK), of(TRUCK), of(ARTILLERY)),
            (4, 2, 1, 1, 1)
        );
        let coastal = state.world.is_coastal(home.at);
        assert_eq!((of(DESTROYER), of(TRANSPORT)), if coastal { (1, 1) } else { (0, 0) });
        let reported = power.sightings.keys().map(|n| state.world.cities[usize::from(*n) - 1]);
        let far = reported.map(|at| grid.distance(home.at, at)).max().unwrap_or(0);
        assert!(far <= 15 && power.sightings.len() >= 2, "some cities near home are reported");
    }
}

#[test]
fn uncontrolled_cities_have_small_garrisons_and_build_nothing() {
    let state = new_game();
    let nobody = &state.powers[0];
    for city in nobody.cities.values() {
        assert!((1..=3).contains(&city.income) && city.level <= 3);
        let garrison = nobody.units.values().filter(|u| u.at == city.at);
        let infantry: u16 = garrison.filter(|u| u.kind == INFANTRY).map(|u| u.size).sum();
        assert!((1..=8).contains(&infantry));
    }
    let cards = (1..=6).map(|s| (Seat(s), engine::CardText::default())).collect();
    let after = Warlord::step(state.clone(), &input(&cards), &mut Dice::new(1)).state;
    assert_eq!(after.powers[0].units, nobody.units);
}

#[test]
fn the_first_printout_shows_continents_and_oceans_and_a_later_one_does_not() {
    let state = new_game();
    let report = |state: &State| {
        let view = Warlord::view(state, &[], Seat(1));
        let report = Warlord::report(&view, "en").expect("the seat plays");
        report.sections.into_iter().map(|s| s.heading).collect::<Vec<_>>()
    };
    assert!(report(&state).contains(&"The world".to_owned()));
    let after = Warlord::step(state, &input(&BySeat::new()), &mut Dice::new(1)).state;
    assert!(!report(&after).contains(&"The world".to_owned()));
}

#[test]
fn the_sections_of_a_printout_stand_in_their_order() {
    let mut board = row().city(1, 1, 'A').general(1, 0, Billet::City(1)).stock(1, 9);
    board = board.planes(1, 1, 0).unit(2, 1, (1, INFANTRY), 'G');
    board.play(&[(1, "O 1 00803\nE 1\nI 2 1\nC 1 1")]);
    let report = Warlord::report(&board.view(1), "en").expect("the seat plays");
    let headings: Vec<&str> = report.sections.iter().map(|s| s.heading.as_str()).collect();
    let expected = [
        "Summary",
        "Orders of turn 1",
        "Production",
        "Movement",
        "Battles",
        "Aircraft and bombardment",
        "Research and ruins",
        "World news",
        "Messages",
        "Addresses",
        "Strategic map",
        "Generals",
        "Forces and cities",
        "Spotted forces",
        "Tactical map: general 1 at 00203",
        "Observation around 00803",
        "Economy",
        "Ratings",
        "Alliances",
        "Spy reports",
        "Turn card for turn 2",
    ];
    let found: Vec<&str> = headings.iter().copied().filter(|h| *h != "Politics").collect();
    assert_eq!(found, expected);
}

#[test]
fn units_see_one_sector_cities_two_generals_and_observers_three() {
    let sees = |board: &Board| {
        let seen = board.state.sight_of(board.power(1));
        seen.iter().filter(|s| **s).count()
    };
    // Four sectors of water frame the drawing, so squares are whole but at edges.
    let unit = row().unit(1, 1, (1, INFANTRY), 'C');
    assert_eq!(sees(&unit), 9);
    let city = row().city(1, 1, 'C');
    assert_eq!(sees(&city), 25);
    let general = row().unit(1, 1, (1, INFANTRY), 'C').general(1, 0, Billet::Unit(1));
    assert_eq!(sees(&general), 35, "seven columns by five rows that the map has");
    let mut observer = row().city(1, 1, 'A').planes(1, 1, 0);
    let before = sees(&observer);
    observer.play(&[(1, "O 1 00903")]);
    assert_eq!(sees(&observer), before + 35);
    let place = Place(observer.spot('G').0);
    assert!(!observer.power(1).has_explored(place), "what lies beyond stays unknown");
}

#[test]
fn types_of_foreign_units_are_told_by_generals_and_observers_alone() {
    let near = row().unit(1, 1, (1, INFANTRY), 'C').unit(2, 1, (3, TANK), 'G');
    let mut board = near.clone();
    board.state.powers[2].units.get_mut(&1).expect("it lives").at = Place(board.spot('C').0 + 1);
    let spotted = board.view(1).spotted;
    assert_eq!((spotted[0].size, spotted[0].kind), (3, None));
    assert!(board.section(1, "Spotted forces").contains("3 regiments"));
    let led = board.general(1, 0, Billet::Unit(1));
    assert_eq!(led.view(1).spotted[0].kind, Some(TANK));
}

#[test]
fn a_general_goes_to_any_of_ones_units() {
    let mut board = row().city(1, 1, 'A').general(1, 7, Billet::City(1)).unit(1, 4, (2, TANK), 'C');
    board.play(&[(1, "P 1 4")]);
    assert_eq!(board.power(1).generals[0].billet, Some(Billet::Unit(4)));
    assert!(board.section(1, "Generals").contains("1) 00703 (7)"));
    assert!(board.section(1, "Forces and cities").contains("* 00703"));
    assert!(board.echo(1, "P 2 4").note.contains("you have 1-1"));
}

#[test]
fn the_rating_is_made_of_tech_forces_cities_levels_and_income() {
    let mut board = row().city(1, 1, 'A').level(1, 2).unit(1, 1, (4, INFANTRY), 'C').tech(1, 2);
    board = board.planes(1, 2, 1);
    board.play(&[]);
    let rating = board.power(1).rating;
    // Infantry 4 x 5, fighters 2 x 3, a bomber 6, halved.
    assert_eq!((rating.tech, rating.forces, rating.cities, rating.levels), (200, 16, 40, 20));
    assert_eq!(rating.income, 5 * board.power(1).income / 100);
    assert!(board.section(1, "Ratings").contains("rank 1 of 2"));
}

#[test]
fn the_phases_of_a_turn_follow_the_rulebooks_sequence() {
    let steps: Vec<u32> = PHASES
        .iter()
        .filter_map(|(name, _)| name.split(':').next().and_then(|n| n.parse().ok()))
        .collect();
    assert_eq!(steps, [1, 1, 2, 3, 4, 5, 5, 6, 7, 7, 8, 9, 10, 11, 12]);
}

#[test]
fn the_order_of_players_is_drawn_for_each_phase() {
    // Both step on the free city of level 0 between them; the first to come holds it and is
    // attacked by the other.
    let drawing = "~~~~~
                   ~ACB~
                   ~~~~~";
    let mut first = [0; 3];
    for seed in 0..40 {
        let mut board = Board::new(2, drawing).city(1, 0, 'C').unit(1, 1, (1, INFANTRY), 'A').unit(
            2,
            1,
            (1, INFANTRY),
            'B',
        );
        board.roll(&[(1, "M 1 3"), (2, "M 1 7")], &mut Dice::new(seed));
        first[usize::from(board.state.city_owners()[0])] += 1;
    }
    assert!(first[1] > 5 && first[2] > 5, "{first:?}");
}

#[test]
fn a_captured_city_builds_nothing_more_for_its_old_holder() {
    let drawing = "~~~~~
                   ~AC.~
                   ~~~~~";
    let board = Board::new(2, drawing).city(1, 2, 'C').stock(2, 9);
    let mut board = board.unit(1, 1, (1, INFANTRY), 'A');
    board.play(&[(2, "C 1 3\nC 1 3")]);
    board.play(&[(1, "M 1 3")]);
    let city = board.town(1, 1);
    assert_eq!(city.centres, [warlord::state::Centre::Idle; 3]);
    assert_eq!(board.power(2).units.len(), 0, "and the PP spent are lost");
    assert!(board.section(1, "Summary").contains("You won city 1 CITY 1."));
}

#[test]
fn regions_that_meet_become_one() {
    let mut board = row().city(1, 1, 'A').city(2, 1, 'C');
    assert_eq!(board.view(1).regions, 2);
    board = board.unit(1, 1, (1, TRUCK), 'A');
    board.play(&[(1, "M 1 33333")]);
    assert_eq!(board.view(1).regions, 1);
    assert!(board.section(1, "Economy").contains("in 1 region."));
}
