//! §11: carriers, missiles, warheads and the defences against them.

use engine::Mark;
use warlord::bases::{BaseNo, Planes};
use warlord::events::{Event, News, Salvo};
use warlord::state::{Billet, CARRIER, NUCLEAR_SUBMARINE, SUBMARINE};
use warlord::tables::Terrain;

use super::board::*;

/// City 1 of seat 1 at C and city 2 of seat 2 at D, each on a coast, S between them at sea.
fn coasts() -> Board {
    let drawing = "~~~~~~~~~~~~
                   ~.C~S~~~D..~
                   ~..~~~~~E..~
                   ~..~~~~~...~
                   ~~~~~~~~~~~~";
    let board = Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').held(2, "E");
    board.ground('S', Terrain::Sea)
}

fn planes(fighters: u16, jets: u16, bombers: u16) -> Planes {
    Planes { fighters, jets, bombers }
}

fn salvos(board: &Board, seat: u8) -> Vec<Salvo> {
    let salvo = |e: &Event| match e {
        Event::Salvo(salvo) => Some((**salvo).clone()),
        _ => None,
    };
    board.heard(seat).filter_map(salvo).collect()
}

// ---- carriers

#[test]
fn level_3_planes_come_aboard_and_leave_by_f_and_the_deck_has_twenty_places() {
    let mut board = coasts().tech(1, 3).unit(1, 1, (1, CARRIER), 'S').planes(1, 9, 9);
    board.play(&[(1, "F 1 S1 99")]);
    // Nine fighters and five bombers of two places fit into twenty.
    assert_eq!(board.power(1).decks[&1].planes, planes(9, 0, 5));
    assert_eq!(board.town(1, 1).hangar.planes, planes(0, 0, 4), "the rest stays");
    assert!(board.heard(1).any(|e| matches!(e, Event::NoPlace { .. })));
    board.play(&[(1, "F 1 0 0\nF S1 1 40")]);
    assert_eq!(board.power(1).decks[&1].planes, planes(5, 0, 5));
}

#[test]
fn level_3_a_carrier_strikes_from_where_it_lies() {
    let mut board = coasts().tech(1, 3).unit(1, 1, (1, CARRIER), 'S');
    board = board.deck(1, 1, planes(0, 0, 6), 0).unit(2, 1, (9, INFANTRY), 'D');
    assert!(board.echo(1, "B 6 00902").note.contains("6 bombers"));
    board.play(&[(1, "B 6 00902\nM 1 3")]);
    assert!(board.no(2, 1).size < 9);
    assert_eq!(board.power(1).decks[&1].planes.bombers, 6, "they are back aboard");
}

#[test]
fn level_3_observers_of_a_carrier_that_sailed_away_stay_aboard() {
    let mut row: Vec<char> = vec!['~'; 60];
    (row[0], row[30], row[59]) = ('C', 'S', 'D');
    let row: String = row.into_iter().collect();
    let mut board = Board::drawn_at(2, (200, 3), (1, 2), &row).city(1, 1, 'C').city(2, 2, 'D');
    board = board.ground('S', Terrain::Sea);
    board = board.tech(1, 3).unit(1, 1, (1, CARRIER), 'S').deck(1, 1, planes(2, 0, 0), 0);
    // At level 3 fighters come back from 18 sectors.
    assert_eq!(board.echo(1, "O 1 04802").mark, Mark::Ok, "17 sectors off");
    board.play(&[(1, "O 1 04802\nM 1 777")]);
    assert!(board.heard(1).any(|e| matches!(e, Event::OutOfReach { .. })));
    assert!(board.power(1).observed.is_empty());
    assert_eq!(board.power(1).decks[&1].planes.fighters, 2);
}

#[test]
fn level_3_fighters_of_a_carrier_defend_its_sector() {
    let mut board = coasts().tech(1, 3).unit(1, 1, (1, CARRIER), 'S');
    board = board.deck(1, 1, planes(20, 0, 0), 0);
    let at = board.spot('S');
    board = board.unit(2, 1, (3, DESTROYER), 'D');
    board.state.powers[2].units.get_mut(&1).expect("a unit").at =
        board.state.grid().step(at, engine::geometry::Direction::ALL[2]).expect("sea");
    board.play(&[(2, "M 1 7")]);
    let watch = board.heard(2).any(|e| match e {
        Event::AirStrike(s) => s.mission == warlord::events::Mission::Watch && s.by == 1,
        _ => false,
    });
    assert!(watch);
}

#[test]
fn level_3_planes_without_a_place_are_lost_with_their_ships() {
    let mut board = coasts().tech(1, 3).unit(1, 1, (2, CARRIER), 'S');
    board = board.deck(1, 1, planes(40, 0, 0), 0).unit(2, 1, (12, SUBMARINE), 'D');
    let at = board.spot('S');
    board.state.powers[2].units.get_mut(&1).expect("a unit").at =
        board.state.grid().step(at, engine::geometry::Direction::ALL[2]).expect("sea");
    board.play_with(&[(2, "M 1 7")], 999);
    let left = board.power(1).units.get(&1).map_or(0, |u| u.size);
    let aboard = board.power(1).decks.get(&1).map_or(0, |d| d.planes.fighters);
    assert!(left < 2 && aboard <= 20 * left, "{left} ships, {aboard} planes");
    assert!(board.heard(1).any(|e| matches!(e, Event::Wrecked { .. })));
}

#[test]
fn level_3_loaded_carriers_are_neither_linked_nor_split() {
    let board = coasts().unit(1, 1, (2, CARRIER), 'S').deck(1, 1, planes(1, 0, 0), 0);
    assert_eq!(board.echo(1, "S 1 1").mark, Mark::Error);
    let empty = board.deck(1, 1, planes(0, 0, 0), 0);
    assert_eq!(empty.echo(1, "S 1 1").mark, Mark::Ok);
}

// ---- missiles

#[test]
fn level_7_missiles_hit_units_with_twenty_points_each() {
    let mut board = coasts().tech(1, 7).arsenal(1, planes(0, 0, 0), 3, 0);
    board = board.unit(2, 1, (20, INFANTRY), 'E');
    assert_eq!(board.echo(1, "R 3 00903").note, "3 from airbase 1");
    board.play(&[(1, "R 3 00903")]);
    // 60 points on defence 3.
    assert!(!board.lives(2, 1));
    assert_eq!(board.town(1, 1).hangar.missiles, 0);
}

#[test]
fn level_7_missiles_take_two_levels_each_and_then_planes() {
    let mut board = coasts().tech(1, 7).arsenal(1, planes(0, 0, 0), 3, 0).level(2, 3);
    board = board.planes(2, 12, 0);
    board.play(&[(1, "R 3 00902")]);
    let city = board.town(2, 2);
    // Two for three levels; the third destroys ten fighters of two points.
    assert_eq!((city.level, city.hangar.planes.fighters), (0, 2));
}

#[test]
fn level_7_the_nearest_bases_fire_first_and_the_goal_must_be_explored() {
    let mut board = coasts().city(3, 1, 'E').tech(1, 7);
    board = board.arsenal(1, planes(0, 0, 0), 5, 0).arsenal(3, planes(0, 0, 0), 1, 0);
    assert_eq!(board.echo(1, "R 2 00902").note, "1 from airbase 3, 1 from airbase 1");
    board.state.powers[1].explored.fill(0);
    assert!(board.echo(1, "R 2 00902").note.contains("explored"));
}

#[test]
fn level_7_missiles_are_carried_once_and_not_to_a_carrier() {
    let mut board = coasts().city(3, 1, 'E').tech(1, 7).unit(1, 1, (1, CARRIER), 'S');
    board = board.arsenal(1, planes(0, 0, 0), 5, 0);
    assert_eq!(board.echo(1, "F 1 S1 M2").mark, Mark::Error);
    board.play(&[(1, "F 1 3 M3")]);
    board.play(&[]);
    assert_eq!((board.town(1, 1).hangar.missiles, board.town(1, 3).hangar.missiles), (2, 3));
}

#[test]
fn level_8_a_nuclear_submarine_carries_four_missiles_and_fires_them_unseen() {
    let mut board = coasts().tech(1, 8).unit(1, 1, (1, NUCLEAR_SUBMARINE), 'S');
    board = board.arsenal(1, planes(0, 0, 0), 6, 0).unit(2, 1, (9, INFANTRY), 'E');
    board.play(&[(1, "F 1 S1 M6")]);
    assert_eq!(board.power(1).decks[&1].missiles, 4);
    assert_eq!(board.town(1, 1).hangar.missiles, 2);
    assert!(board.echo(1, "R 4 00903").note.contains("4 from airbase S1"));
    let scout = board.clone().unit(2, 2, (1, CRUISER), 'S');
    assert!(!scout.view(2).spotted.iter().any(|s| s.ships), "no destroyer is near");
    assert!(board.echo(1, "F 1 S1 11").note.contains("no planes"));
}

#[test]
fn level_10_a_defence_stops_one_missile_a_turn_and_the_nearest_tries_first() {
    let board = coasts().tech(1, 7).arsenal(1, planes(0, 0, 0), 3, 0).shield(2).level(2, 9);
    let mut lucky = board.clone();
    lucky.play(&[(1, "R 3 00902")]);
    assert_eq!(salvos(&lucky, 2)[0].stopped, [2]);
    assert_eq!(lucky.town(2, 2).level, 5, "two of three came through");
    let mut unlucky = board.clone();
    unlucky.play_with(&[(1, "R 3 00902")], 750);
    assert!(salvos(&unlucky, 2)[0].stopped.is_empty(), "75 in a hundred");
    // Two salvos in a turn: the defence has used its try on the first.
    let mut twice = board.clone();
    twice.play(&[(1, "R 1 00902\nR 1 00902")]);
    let stopped: Vec<usize> = salvos(&twice, 2).iter().map(|s| s.stopped.len()).collect();
    assert_eq!(stopped, [1, 0]);
    let mut near = board.city(3, 2, 'E').shield(3);
    near.play(&[(1, "R 1 00903")]);
    assert_eq!(salvos(&near, 2)[0].stopped, [3]);
}

#[test]
fn level_10_a_city_takes_one_defence_and_loses_it_with_the_walls_to_the_captor() {
    let mut board = coasts().tech(1, 10).stock(1, 90);
    board.play(&[(1, "C 1 26")]);
    assert!(board.echo(1, "C 1 26").note.contains("one is all"));
    board.play(&[]);
    board.play(&[]);
    assert!(board.town(1, 1).shield);
    let mut taken = board.unit(2, 1, (5, INFANTRY), 'S');
    taken.state.powers[2].units.get_mut(&1).expect("a unit").at =
        taken.state.grid().at(1, 1).expect("land");
    taken.play(&[(2, "M 1 3")]);
    assert!(taken.town(2, 1).shield, "captured with the city");
}

// ---- warheads

/// A warhead of seat 1 falls on the home city of seat 2 with a carrier in port.
fn doom() -> Board {
    let mut board =
        coasts().tech(1, 9).arsenal(1, planes(0, 0, 0), 2, 2).planes(2, 3, 3).level(2, 4);
    board = board.unit(2, 1, (9, INFANTRY), 'D').unit(2, 2, (1, CARRIER), 'D');
    board = board.deck(2, 2, planes(7, 0, 0), 0).unit(2, 3, (2, ENGINEER), 'E');
    let far = board.state.grid().at(10, 1).expect("land");
    board = board.unit(2, 4, (3, INFANTRY), 'E').general(2, 50, Billet::City(2));
    board.state.powers[2].units.get_mut(&4).expect("a unit").at = far;
    board.play(&[(1, "R A1 00902")]);
    board
}

#[test]
fn level_9_a_warhead_wipes_out_the_sector_and_all_around_it() {
    let board = doom();
    let left: Vec<u16> = board.power(2).units.keys().copied().collect();
    assert_eq!(left, [4], "units, ships in port and engineers beside are gone");
    assert!(board.power(2).cities.is_empty() && board.power(2).decks.is_empty());
    assert_eq!((board.holder('D'), board.holder('E')), (0, 0));
    assert_eq!(board.power(2).generals[0].billet, None, "without a city lost for good");
    let hangar = &board.town(1, 1).hangar;
    assert_eq!((hangar.missiles, hangar.warheads), (1, 1), "a missile with a warhead");
    assert!(board.state.world.ruins.contains(&board.spot('D')));
    assert!(board.heard(1).any(|e| matches!(
        e,
        Event::News(News::Atomic { by: 1, hit }) if *hit == [2]
    )));
    assert!(board.section(1, "World news").contains("Atomic strike"));
    // The result is below the strike, and is not listed as a battle.
    let told = board.section(2, "Aircraft and bombardment");
    let at = |what: &str| told.find(what).unwrap_or_else(|| panic!("{what}: {told}"));
    assert!(at("fired an atomic missile") < at("is no more; ruins are left"), "{told}");
    assert!(at("is no more; ruins are left") < at("was lost at"), "{told}");
    assert!(board.section(2, "Battles").contains("No battle was fought."));
}

#[test]
fn level_9_a_razed_city_counts_no_longer_and_is_known_as_ruins() {
    let board = doom();
    assert_eq!(board.state.razed.iter().copied().collect::<Vec<_>>(), [2]);
    // The only surviving city is the whole world's total.
    let mut won = board.clone();
    for _ in 0..3 {
        won.play(&[]);
    }
    assert_eq!(won.state.over.as_ref().map(|o| o.winners.contains(&1)), Some(true));
    assert!(board.echo(1, "R A1 00902").mark == Mark::Ok);
    assert!(!board.view(2).cities.iter().any(|c| c.number == 2));
}

#[test]
fn level_9_radiation_closes_the_land_for_ten_turns_and_ships_pass() {
    let mut board = doom();
    assert!(board.section(2, "Works and radiation").contains("radiation to turn 11"));
    let beside = board.where_is(2, 4);
    board.play(&[(2, "M 4 7")]);
    assert_eq!(board.where_is(2, 4), beside, "closed to land units");
    for _ in 0..9 {
        board.state.over = None;
        board.play(&[]);
    }
    assert_eq!(board.state.turn, 12);
    board.state.over = None;
    board.play(&[(2, "M 4 7")]);
    assert_ne!(board.where_is(2, 4), beside, "it is over");
}

#[test]
fn level_9_own_ground_may_be_hit_and_the_echo_warns() {
    let board = coasts().tech(1, 9).arsenal(1, planes(0, 0, 0), 1, 1);
    assert_eq!(board.echo(1, "R A1 00302").mark, Mark::Warning);
    let far = coasts().tech(1, 9).arsenal(1, planes(0, 0, 0), 1, 0);
    assert!(far.echo(1, "R A1 00902").note.contains("no missile with a warhead"));
}

#[test]
fn level_9_a_defence_may_stop_a_warhead() {
    let mut board = coasts().tech(1, 9).arsenal(1, planes(0, 0, 0), 1, 1).shield(2);
    board.play(&[(1, "R A1 00902")]);
    assert!(board.power(2).cities.contains_key(&2));
    assert!(board.state.fallout.is_empty());
    assert!(!board.heard(1).any(|e| matches!(e, Event::News(News::Atomic { .. }))));
}

#[test]
fn level_9_planes_and_missiles_of_a_base_that_is_hit_first_do_not_start() {
    // Seat 1 fires before seat 2, whose base is then gone.
    let mut board = coasts().tech(1, 9).tech(2, 9).arsenal(1, planes(0, 0, 0), 1, 1);
    board = board.arsenal(2, planes(0, 0, 4), 3, 0).unit(1, 1, (9, INFANTRY), 'C');
    board.play(&[(1, "R A1 00902"), (2, "R 3 00302\nB 4 00302")]);
    assert_eq!(board.no(1, 1).size, 9);
    assert!(salvos(&board, 1).iter().all(|s| s.by == 1));
    let lost = board.heard(2).any(|e| match e {
        Event::Wrecked { base: BaseNo::Land(2), planes, .. } => planes.bombers == 4,
        _ => false,
    });
    assert!(lost);
}
