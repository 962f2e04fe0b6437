//! §5: missions of aircraft, ships' guns, fighters on watch.

use engine::Mark;
use warlord::bases::BaseNo;
use warlord::events::{Event, Mission};

use super::board::*;

/// A plain of one row: base 1 of seat 1 at A, T 25 sectors away, U 26, V 50 with
/// base 2, W 51 with base 3; F 15 away and G 16.
fn plain() -> Board {
    let mut row: Vec<char> = vec!['.'; 60];
    for (col, sign) in [(0, 'A'), (15, 'F'), (16, 'G'), (25, 'T'), (26, 'U'), (50, 'V'), (51, 'W')]
    {
        row[col] = sign;
    }
    let row: String = row.into_iter().collect();
    Board::drawn_at(3, (200, 3), (1, 2), &row)
        .city(1, 1, 'A')
        .city(2, 1, 'V')
        .city(3, 1, 'W')
        .planes(1, 6, 6)
}

fn strike(board: &Board, seat: u8) -> Option<warlord::events::AirStrike> {
    board.heard(seat).find_map(|e| match e {
        Event::AirStrike(strike) => Some((**strike).clone()),
        _ => None,
    })
}

#[test]
fn case_24_bombers_come_back_from_25_sectors_and_do_not_fly_26() {
    let board = plain().unit(2, 1, (9, INFANTRY), 'T').unit(2, 2, (9, INFANTRY), 'U');
    let mut near = board.clone();
    near.play(&[(1, "B 6 02602")]);
    // 6 x 4 / 3 = 8 on defence 3: 2.67 regiments, with a fraction above one half.
    assert_eq!(near.no(2, 1).size, 6);
    assert_eq!(near.town(1, 1).hangar.planes.bombers, 6, "they are back for the next turn");
    assert!(board.echo(1, "B 6 02702").note.contains("25 sectors"));
    let mut far = board;
    far.play(&[(1, "B 6 02702")]);
    assert_eq!(far.result(1, 1).0, Mark::Error);
    assert_eq!(far.no(2, 2).size, 9);
}

#[test]
fn case_24_airlift_and_transfer_reach_50_sectors() {
    let mut board = plain().unit(1, 1, (5, INFANTRY), 'A');
    assert_eq!(board.echo(1, "V 1 3").mark, Mark::Error, "51 sectors");
    assert_eq!(board.echo(1, "F 1 3 01").mark, Mark::Error);
    assert!(board.echo(1, "F 1 2 11").note.contains("fighters reach 30"));
    board.play(&[(1, "V 1 2\nF 1 2 01")]);
    assert!(board.stands(1, 1, 'V'));
    assert_eq!(
        (board.town(1, 1).hangar.planes.bombers, board.town(1, 2).hangar.planes.bombers),
        (0, 6),
        "and stay there"
    );
}

#[test]
fn a_tech_level_lengthens_the_reach_by_a_tenth() {
    let board = plain().unit(2, 2, (9, INFANTRY), 'U').tech(1, 2);
    assert_eq!(board.echo(1, "B 6 02702").mark, Mark::Ok, "27 sectors now");
    assert_eq!(board.echo(1, "F 1 3 01").mark, Mark::Ok, "55 sectors now");
}

#[test]
fn an_airlift_needs_a_bomber_for_each_size_point() {
    let mut board = plain().unit(1, 1, (2, TANK), 'A').unit(1, 2, (6, INFANTRY), 'A');
    let note = board.echo(1, "V 1 2").note;
    assert!(note.contains("4 bombers are missing"), "two tanks have ten points: {note}");
    // An order by sector: the tanks do not fit, and the units after them wait.
    assert_eq!(board.echo(1, "V 00102 2").mark, Mark::Error);
    board.play(&[(1, "V 2 2\nM 2 3")]);
    assert!(board.stands(1, 2, 'V'));
    assert_eq!(board.result(1, 2).0, Mark::Error, "one order a unit");
}

#[test]
fn a_sector_is_airlifted_as_far_as_the_bombers_go() {
    let mut board = plain().unit(1, 1, (4, INFANTRY), 'A').unit(1, 2, (4, INFANTRY), 'A');
    board.play(&[(1, "V 00102 2")]);
    assert!(board.stands(1, 1, 'V') && board.stands(1, 2, 'A'));
    assert_eq!(board.result(1, 1).0, Mark::Warning);
    assert_eq!(
        (board.town(1, 1).hangar.planes.bombers, board.town(1, 2).hangar.planes.bombers),
        (2, 4)
    );
}

#[test]
fn case_25_a_transfer_flies_every_turn_until_it_is_cancelled() {
    let mut board = plain().city(4, 1, 'T').planes(1, 6, 7);
    board.play(&[(1, "F 1 4 23")]);
    let base = |b: &Board, n: u16| {
        (b.town(1, n).hangar.planes.fighters, b.town(1, n).hangar.planes.bombers)
    };
    assert_eq!((base(&board, 1), base(&board, 4)), ((4, 4), (2, 3)));
    board.play(&[]);
    assert_eq!((base(&board, 1), base(&board, 4)), ((2, 1), (4, 6)));
    board.play(&[]);
    assert_eq!((base(&board, 1), base(&board, 4)), ((0, 0), (6, 7)), "as many as there are");
    let mut board = plain().city(4, 1, 'T');
    board.play(&[(1, "F 1 4 11")]);
    board.play(&[(1, "F 1 0 0")]);
    assert_eq!(base(&board, 4), (1, 1));
}

#[test]
fn case_26_planes_on_watch_fly_no_other_mission() {
    let board = plain();
    assert_eq!(board.echo(1, "W 1 5\nO 3 01602").mark, Mark::Warning);
    assert!(board.echo(1, "W 1 5\nO 3 01602").note.contains("2 more are not free"));
    assert_eq!(board.echo(1, "W 1 6\nO 1 01602").mark, Mark::Error);
    // The watch goes on from turn to turn, wherever the order was given.
    let mut board = board;
    board.play(&[(1, "W 1 6")]);
    assert_eq!(board.echo(1, "O 1 01602").mark, Mark::Error);
    assert_eq!(board.echo(1, "W 1 0\nO 1 01602").mark, Mark::Ok);
    assert_eq!(board.echo(1, "W 1 9").mark, Mark::Warning, "more than there are");
}

#[test]
fn case_27_one_observer_never_attacks_two_do() {
    let board = plain().unit(2, 1, (1, TRUCK), 'F').unit(2, 2, (1, TRUCK), 'G');
    let mut one = board.clone();
    one.play(&[(1, "O 1 01602")]);
    assert!(strike(&one, 1).is_none());
    assert!(one.view(1).spotted.iter().any(|s| s.kind == Some(TRUCK)), "types are reported");
    assert!(one.section(1, "Observation around 01602").contains("K1"));
    assert_eq!(one.town(1, 1).hangar.planes.fighters, 6, "and back");
    one.play(&[]);
    assert!(one.view(1).spotted.is_empty(), "without a new order the report fades");
    // 6 x 1 / 3 = 2 on defence 1: the truck of the lowest sector is gone.
    let mut six = board.clone();
    six.play(&[(1, "O 6 01602")]);
    assert!(!six.lives(2, 1) && six.lives(2, 2));
    assert_eq!(strike(&six, 2).map(|s| s.mission), Some(Mission::Strafing));
    assert_eq!(board.echo(1, "O 1 01702").mark, Mark::Error, "16 sectors are too far");
}

#[test]
fn observers_attack_the_lowest_sector_then_owner_then_unit() {
    let board = plain().ally(2, 3).ally(3, 2);
    let board = board.unit(3, 1, (1, TRUCK), 'F').unit(2, 7, (1, TRUCK), 'G');
    let mut lowest = board.unit(2, 9, (1, TRUCK), 'F').unit(2, 8, (1, TRUCK), 'F');
    lowest.play(&[(1, "O 6 01602")]);
    assert!(!lowest.lives(2, 8), "sector 01602, seat 2, unit 8");
    assert!(lowest.lives(2, 9) && lowest.lives(3, 1) && lowest.lives(2, 7));
}

#[test]
fn case_35_the_escort_is_at_most_as_many_fighters_as_bombers_named() {
    let board = plain().planes(1, 9, 6).unit(2, 1, (5, INFANTRY), 'F');
    assert!(board.echo(1, "B 4 01602").note.starts_with("4 bombers with 4 fighters"));
    let near = board.echo(1, "B 4 01602\nO 9 01602");
    assert!(near.note.starts_with("5 fighters"), "the rest is free: {}", near.note);
    // Out of the fighters' range the bombers fly alone.
    let board = board.unit(2, 2, (5, INFANTRY), 'T');
    assert!(board.echo(1, "B 4 02602").note.starts_with("4 bombers, no escort"));
}

#[test]
fn more_bombers_than_there_are_fly_as_far_as_they_go() {
    let board = plain().unit(2, 1, (9, INFANTRY), 'T');
    let line = board.echo(1, "B 9 02602");
    assert_eq!(line.mark, Mark::Warning);
    assert!(line.note.contains("3 more are not free"), "{}", line.note);
}

#[test]
fn the_nearest_base_with_planes_free_is_used_first() {
    let mut board = plain().planes(2, 0, 4).unit(2, 1, (9, INFANTRY), 'U');
    board.play(&[(1, "V 1 1\nB 5 02702")]);
    // 26 sectors from base 1, 24 from base 2: four bombers fly, those of base 2.
    let strike = strike(&board, 1).expect("a strike");
    assert_eq!(strike.sent.bombers, 4);
}

#[test]
fn fighters_at_the_target_and_guns_on_the_ground_take_their_toll() {
    // Escort 4 x 3 and bombers 4 x 1 against 6 x 3: 5.33 and 6 damage on
    // defence 2 down 2.67 and 3 planes in the first round.
    let board = plain().city(4, 2, 'F').planes(4, 6, 0).unit(2, 1, (9, INFANTRY), 'F');
    let mut fight = board.clone();
    fight.play(&[(1, "B 4 01602")]);
    let told = strike(&fight, 1).expect("a strike");
    assert!(told.downed.fighters >= 3 && told.lost.fighters >= 3, "{told:?}");
    assert_eq!(fight.town(2, 4).hangar.planes.fighters, 6 - told.downed.fighters);
    let home = fight.town(1, 1);
    assert_eq!(
        (home.hangar.planes.fighters, home.hangar.planes.bombers),
        (6 - told.lost.fighters, 6 - told.lost.bombers)
    );
    // Artillery fires 2 a regiment: 9 x 2 / 3 = 6 on defence 2 downs three.
    let mut flak = plain().unit(2, 1, (9, ARTILLERY), 'T');
    flak.play(&[(1, "B 6 02602")]);
    let lost = strike(&flak, 1).expect("a strike").lost;
    assert_eq!((lost.fighters, lost.bombers), (0, 3));
    // Three bombers are left: 4 damage on defence 2.
    assert_eq!(flak.no(2, 1).size, 7);
}

#[test]
fn bombs_fall_on_the_holder_of_the_city_first_and_on_the_larger_army_elsewhere() {
    let target = |board: &Board| {
        let mut board = board.clone();
        board.play(&[(1, "B 6 02602")]);
        strike(&board, 1).expect("a strike").target
    };
    let armies = plain().ally(2, 3).ally(3, 2);
    let armies = armies.unit(2, 1, (3, INFANTRY), 'T').unit(3, 1, (9, INFANTRY), 'T');
    assert_eq!(target(&armies), 3);
    assert_eq!(target(&armies.city(4, 2, 'T')), 2);
}

#[test]
fn fighters_of_a_friend_at_whose_base_an_enemy_stands_do_not_rise() {
    let friends = plain().ally(1, 3).ally(3, 1).ally(2, 3).ally(3, 2);
    let mut board = friends.city(4, 3, 'T').planes(4, 9, 0).unit(2, 1, (9, INFANTRY), 'T');
    board.play(&[(1, "B 6 02602")]);
    assert_eq!(strike(&board, 1).expect("a strike").target, 2);
    assert_eq!(
        (board.town(3, 4).hangar.planes.fighters, board.town(1, 1).hangar.planes.bombers),
        (9, 6)
    );
}

#[test]
fn without_units_bombs_take_the_walls_down_to_level_0() {
    let mut board = plain().city(4, 2, 'T').level(4, 2).planes(1, 0, 15);
    board.play(&[(1, "B 15 02602")]);
    // Walls fire 2 / 3 on defence 2: no plane at even luck. 60 / 3 = 20 points.
    assert_eq!(board.town(2, 4).level, 0);
    let walls = strike(&board, 2).expect("told").walls;
    assert_eq!(walls, Some((2, 0)));
    board.play(&[(1, "B 15 02602")]);
    assert!(board.power(2).cities.contains_key(&4), "bombs take no city");
    assert!(board.heard(1).any(|e| matches!(e, Event::NothingToStrike { .. })));
}

#[test]
fn allies_are_never_struck() {
    let mut board = plain().ally(1, 2).unit(2, 1, (9, INFANTRY), 'T');
    board.play(&[(1, "B 6 02602")]);
    assert_eq!(board.no(2, 1).size, 9);
}

#[test]
fn a_unit_that_bombs_destroyed_moves_no_more() {
    let mut board = plain().unit(2, 1, (1, TRUCK), 'T');
    board.play(&[(1, "B 6 02602"), (2, "M 1 3")]);
    let (mark, note) = board.result(2, 1);
    assert_eq!(mark, Mark::Warning);
    assert!(note.contains("destroyed from the air"), "{note}");
}

#[test]
fn guns_of_ships_strike_the_coast_next_to_them_once_a_sector() {
    let coast = "~~~~~~
                 ~SD.G~
                 ~~~~~~";
    let sea = warlord::tables::Terrain::Sea;
    let board = Board::new(2, coast)
        .ground('S', sea)
        .unit(1, 1, (6, CRUISER), 'S')
        .unit(2, 1, (9, INFANTRY), 'D')
        .unit(2, 2, (9, INFANTRY), 'G');
    let mut strike_it = board.clone();
    // Six cruisers equal 12 bombers: 48 / 3 = 16 on defence 3.
    strike_it.play(&[(1, "B 0 00302")]);
    assert_eq!(strike_it.no(2, 1).size, 4);
    assert_eq!(board.echo(1, "B 0 00502").mark, Mark::Error, "two sectors away");
    assert_eq!(board.echo(1, "B 0 00302\nB 0 00302").mark, Mark::Error);
    let mut moved = board;
    moved.play(&[(1, "B 0 00302\nM 1 1")]);
    assert_eq!(moved.no(2, 1).size, 4, "guns do not keep ships from sailing");
}

#[test]
fn fighters_fall_on_units_that_enter_their_base() {
    let drawing = "~~~~~
                   ~AC.~
                   ~~~~~";
    let board = Board::new(2, drawing).city(1, 2, 'C').unit(1, 1, (6, TRUCK), 'A');
    let mut guarded = board.clone().planes(1, 9, 0);
    guarded.play(&[(1, "M 1 3")]);
    let told = strike(&guarded, 2).expect("the watch strikes");
    assert_eq!((told.mission, told.by, told.target), (Mission::Watch, 2, 1));
    // 9 / 3 = 3 on defence 1.
    assert_eq!(told.losses.losses[0].after, 3);
    let mut empty = board;
    empty.play(&[(1, "M 1 3")]);
    assert!(strike(&empty, 2).is_none());
}

#[test]
fn planes_whose_base_fell_land_at_the_next_one() {
    let board = plain().city(4, 1, 'F').planes(1, 0, 0).planes(4, 3, 0);
    let mut board = board.unit(2, 1, (3, TANK), 'G');
    board.play(&[(1, "O 3 01602"), (2, "M 1 7")]);
    assert!(board.power(2).cities.contains_key(&4), "the base fell");
    assert_eq!(board.town(1, 1).hangar.planes.fighters, 3, "fighters reach 30 sectors one way");
    assert!(board.heard(1).any(|e| matches!(e, Event::BaseLost { to: Some(BaseNo::Land(1)), .. })));
}
