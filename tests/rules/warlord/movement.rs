//! §3: phases, points, steering, trucks, transports.

use engine::Mark;
use warlord::events::Event;
use warlord::tables::Terrain;

use super::board::*;

/// An island for the sectors of the rulebook's examples.
fn world_map(left: u16, top: u16, drawing: &str) -> Board {
    Board::drawn_at(1, (320, 99), (left, top), drawing)
}

#[test]
fn case_01_digits_move_a_unit_north_and_twice_north_east() {
    let mut board = Board::new(
        1,
        "~~~~~~~~
         ~..BZ..~
         ~..Y...~
         ~.X....~
         ~.A....~
         ~~~~~~~~",
    );
    board = board.unit(1, 3, (1, INFANTRY), 'A');
    board.play(&[(1, "M 3 122")]);
    assert!(board.stands(1, 3, 'Z'), "unit 3 is at {}", board.where_is(1, 3));
    // Each sector on the way is taken.
    assert_eq!(['X', 'Y', 'Z', 'B'].map(|s| board.holder(s)), [1, 1, 1, 0]);
}

#[test]
fn case_02_zeros_wait_before_the_units_of_a_sector_move() {
    let drawing = "B
                   M
                   A
                   .";
    let mut board = world_map(34, 52, drawing)
        .unit(1, 1, (1, INFANTRY), 'A')
        .unit(1, 2, (1, TANK), 'A')
        .unit(1, 3, (1, INFANTRY), 'M');
    assert_eq!(board.sector('A'), "03454");
    board.play(&[(1, "M 03454 0011")]);
    assert!(board.stands(1, 1, 'B') && board.stands(1, 2, 'B'));
    assert!(board.stands(1, 3, 'M'), "units elsewhere are not meant");
}

#[test]
fn case_02_the_wait_takes_two_phases() {
    // The second unit leaves in phase 1 and meets nobody; had the first not
    // waited, it would be beyond the sector where the third phase puts it.
    let mut board = world_map(34, 50, "B\nM\nA").unit(1, 1, (1, INFANTRY), 'A');
    board.play(&[(1, "M 1 000001")]);
    assert!(board.stands(1, 1, 'M'), "five waits leave one phase");
    board.play(&[(1, "M 1 0000001")]);
    assert!(board.stands(1, 1, 'M'), "a turn has six phases");
}

#[test]
fn case_03_an_advance_under_way_shows_in_the_comment() {
    let mut board = world_map(113, 87, "A..........B").unit(1, 12, (2, INFANTRY), 'A');
    board.play(&[(1, "A 12 12387")]);
    assert_eq!(board.where_is(1, 12), "11687");
    let forces = board.section(1, "Forces and cities");
    let line = forces.lines().find(|l| l.contains("11687")).expect("the division is listed");
    assert!(line.trim_end().ends_with("A 12387"), "{line}");
    assert!(line.contains("Infantry") && line.contains(" N "), "{line}");
    // It goes on by itself, and its comment disappears on arrival.
    board.play(&[]);
    assert_eq!(board.where_is(1, 12), "11987");
    board.play(&[]);
    board.play(&[]);
    assert_eq!(board.where_is(1, 12), "12387", "the fourth turn is the last");
    assert!(!board.section(1, "Forces and cities").contains("A 12387"));
}

#[test]
fn case_04_infantry_with_one_point_left_enters_a_mountain() {
    let drawing = "~~~~~~
                   ~A..^~
                   ~~~~~~";
    let mut board = Board::new(1, drawing).unit(1, 1, (1, INFANTRY), 'A');
    board.play(&[(1, "M 1 333")]);
    assert_eq!(board.where_is(1, 1), "00502", "two points for the plain, the last for the peak");
}

#[test]
fn case_04_a_tank_never_enters_a_mountain() {
    let drawing = "~~~~~~
                   ~AB^.~
                   ~~~~~~";
    let mut board = Board::new(1, drawing).unit(1, 1, (1, TANK), 'A');
    assert_eq!(board.echo(1, "M 1 333").mark, Mark::Warning, "the known map tells");
    board.play(&[(1, "M 1 333")]);
    assert!(board.stands(1, 1, 'B'));
    assert!(board.heard(1).any(|e| matches!(e, Event::Blocked { unit: 1, .. })));
    board.play(&[(1, "A 1 00502")]);
    assert!(board.stands(1, 1, 'B'), "no way leads there");
}

#[test]
fn armour_is_kept_out_of_forest_and_swamp_and_slowed_by_marsh() {
    for (sign, enters) in [('f', false), ('s', false), ('m', true), ('n', true)] {
        let drawing = format!("~~~~~\n~A{sign}.~\n~~~~~");
        let mut board = Board::new(1, &drawing).unit(1, 1, (1, TANK), 'A');
        board.play(&[(1, "M 1 33")]);
        assert_eq!(!board.stands(1, 1, 'A'), enters, "{sign}");
        // Marsh costs all four points, hills leave two.
        let beyond = board.where_is(1, 1) == "00402";
        assert_eq!(beyond, sign == 'n', "{sign}");
    }
}

fn convoy(trucks: u16) -> Board {
    let drawing = "~~~~~~~~~~~
                   ~A..H..B..~
                   ~~~~~~~~~~~";
    let mut board = Board::new(1, drawing).unit(1, 1, (10, INFANTRY), 'A');
    board = board.unit(1, 2, (trucks, TRUCK), 'A');
    let card = format!("A {} {}", board.sector('A'), board.sector('B'));
    board.play(&[(1, &card)]);
    board
}

#[test]
fn case_05_infantry_ride_on_enough_trucks() {
    let board = convoy(10);
    assert!(board.stands(1, 1, 'B') && board.stands(1, 2, 'B'));
}

#[test]
fn case_05_nine_trucks_carry_nobody_of_ten() {
    let board = convoy(9);
    assert!(board.stands(1, 1, 'H'), "infantry walks three sectors");
    assert!(board.stands(1, 2, 'B'), "the trucks drive on alone");
}

#[test]
fn case_05_units_ordered_one_by_one_do_not_ride() {
    let drawing = "~~~~~~~~~~~
                   ~A..H..B..~
                   ~~~~~~~~~~~";
    let mut board =
        Board::new(1, drawing).unit(1, 1, (1, INFANTRY), 'A').unit(1, 2, (9, TRUCK), 'A');
    board.play(&[(1, "M 1 333333\nM 2 333333")]);
    assert!(board.stands(1, 1, 'H') && board.stands(1, 2, 'B'));
}

#[test]
fn case_05_riders_are_bound_to_the_trucks_roads() {
    let drawing = "~~~~~
                   ~Af.~
                   ~~~~~";
    let mut board =
        Board::new(1, drawing).unit(1, 1, (1, INFANTRY), 'A').unit(1, 2, (1, TRUCK), 'A');
    let card = format!("M {} 3", board.sector('A'));
    board.play(&[(1, &card)]);
    assert!(board.stands(1, 1, 'A'), "the ARM column closes forest to the riders");
}

#[test]
fn units_aboard_and_units_with_an_order_stay_out_of_a_sector_order() {
    let drawing = "~~~~~~~
                   ~~A.B~~
                   ~~~~~~~";
    let mut board = Board::new(1, drawing)
        .city(1, 1, 'A')
        .unit(1, 1, (1, INFANTRY), 'A')
        .unit(1, 2, (1, INFANTRY), 'A')
        .unit(1, 3, (1, TRANSPORT), 'A')
        .cargo(1, 4, (1, INFANTRY), 3);
    board.play(&[(1, "M 00302 33\nM 1 0")]);
    assert!(board.stands(1, 1, 'A') && board.stands(1, 2, 'B') && board.stands(1, 4, 'A'));
}

/// Land at A, the transport at S beside it, and a headland H that can be reached
/// by a step north-east from the sector that the ship leaves in phase 4.
const STRAIT: &str = "~~~~~H~~~~
                      ~AS~~~~~~~
                      ~~~~~~~~~~";

#[test]
fn case_06_a_division_numbered_below_its_ship_boards_sails_and_lands_in_one_turn() {
    let mut board =
        Board::new(1, STRAIT).unit(1, 1, (5, INFANTRY), 'A').unit(1, 2, (1, TRANSPORT), 'S');
    board = board.ground('S', Terrain::Sea);
    board.play(&[(1, "M 1 3002\nM 2 0333")]);
    assert!(board.stands(1, 1, 'H'), "the division is at {}", board.where_is(1, 1));
    assert_eq!(board.no(1, 1).aboard, None);
    assert_eq!(board.holder('H'), 1);
    assert_eq!(board.where_is(1, 2), "00602", "the ship sailed its three sectors");
}

#[test]
fn case_06_a_division_numbered_above_its_ship_boards_only() {
    // The same digits with the numbers exchanged. In phase 1 the ship waits, so
    // that boarding works; in phase 4 the ship, now first, has sailed one sector
    // past the headland when the division is to step ashore to the north-east,
    // where there is nothing but water.
    let mut board =
        Board::new(1, STRAIT).unit(1, 1, (1, TRANSPORT), 'S').unit(1, 2, (5, INFANTRY), 'A');
    board = board.ground('S', Terrain::Sea);
    board.play(&[(1, "M 2 3002\nM 1 0333")]);
    assert_eq!(board.no(1, 2).aboard, Some(1));
    assert_eq!(board.where_is(1, 2), "00602", "the cargo is where its ship is");
    assert_eq!(board.holder('H'), 0);
    let forces = board.section(1, "Forces and cities");
    assert!(forces.contains("In Transit"), "{forces}");
}

fn before_the_city(owner: u8) -> Board {
    let drawing = "~~~~~
                   ~SC.~
                   ~~~~~";
    let board = Board::new(2, drawing).ground('S', Terrain::Sea).city(1, owner, 'C');
    board.unit(1, 1, (1, TRANSPORT), 'S').cargo(1, 2, (9, INFANTRY), 1)
}

#[test]
fn case_07_nobody_lands_directly_in_a_foreign_city() {
    for owner in [0, 2] {
        let mut board = before_the_city(owner);
        board.play(&[(1, "M 2 3")]);
        assert!(board.stands(1, 2, 'S'), "city of {owner}");
        assert_eq!(board.no(1, 2).aboard, Some(1));
        assert!(board.power(owner).cities.contains_key(&1));
    }
    // An ally's city is foreign too.
    let mut board = before_the_city(2).ally(1, 2);
    board.play(&[(1, "M 2 3")]);
    assert!(board.stands(1, 2, 'S'));
}

#[test]
fn an_advance_goes_aboard_a_ship_where_it_lies_and_nowhere_else() {
    let drawing = "~~~~~~~
                   ~ABS~T~
                   ~~~~~~~";
    for (spot, goes) in [('S', true), ('T', false)] {
        let mut board = Board::new(1, drawing).ground('S', Terrain::Sea).ground('T', Terrain::Sea);
        board = board.unit(1, 1, (9, INFANTRY), 'A').unit(1, 2, (9, TRANSPORT), spot);
        board.play(&[(1, "A 1 00402")]);
        assert_eq!(board.no(1, 1).aboard.is_some(), goes, "at {}", board.where_is(1, 1));
        assert_eq!(board.stands(1, 1, 'B'), !goes, "at {}", board.where_is(1, 1));
        let beside = |e: &Event| matches!(e, Event::Beside { unit: 1, city: false, .. });
        assert_eq!(board.heard(1).any(beside), !goes);
        assert_eq!(board.no(1, 1).goal, None, "the order has ended");
    }
}

#[test]
fn an_advance_to_the_quay_waits_within_the_turn_for_its_ship() {
    let drawing = "~~~~~
                   ~AST~
                   ~~~~~";
    let quay = || {
        let board = Board::new(1, drawing).ground('S', Terrain::Sea).ground('T', Terrain::Sea);
        board.unit(1, 1, (9, INFANTRY), 'A').unit(1, 2, (1, TRANSPORT), 'T')
    };
    let line = quay().echo(1, "A 1 00302");
    assert!(line.note.ends_with("00302 (sea) beside it has no ship of yours yet"), "{line:?}");
    for (ship, boards) in [("M 2 007", true), ("M 2 0", false)] {
        let mut board = quay();
        board.play(&[(1, &format!("A 1 00302\n{ship}"))]);
        assert_eq!(board.no(1, 1).aboard.is_some(), boards, "{ship}");
        assert_eq!(board.no(1, 1).goal, None, "the order ends with the turn");
    }
}

#[test]
fn cargo_whose_goal_no_step_reaches_waits_for_its_ship() {
    let drawing = "~~~~~~
                   ~S~~A~
                   ~~~~~~";
    let mut board = Board::new(1, drawing).ground('S', Terrain::Sea);
    board = board.unit(1, 1, (1, TRANSPORT), 'S').cargo(1, 2, (9, INFANTRY), 1);
    board.play(&[(1, "A 2 00502")]);
    assert_eq!((board.where_is(1, 2).as_str(), board.no(1, 2).aboard), ("00202", Some(1)));
    assert!(!board.heard(1).any(|e| matches!(e, Event::NoWay { .. })), "it is no fault");
    board.play(&[(1, "M 1 33")]);
    assert!(board.stands(1, 2, 'A'), "at {}", board.where_is(1, 2));
}

#[test]
fn case_07_an_own_city_can_be_landed_in() {
    let mut board = before_the_city(1);
    board.play(&[(1, "M 2 3")]);
    assert!(board.stands(1, 2, 'C'));
    assert_eq!(board.no(1, 2).aboard, None);
}

fn quay(extra: u16) -> Board {
    let drawing = "~~~~~
                   ~AS~~
                   ~~~~~";
    let mut board = Board::new(1, drawing)
        .ground('S', Terrain::Sea)
        .unit(1, 1, (45, INFANTRY), 'A')
        .unit(1, 2, (extra, INFANTRY), 'A')
        .unit(1, 3, (2, TRANSPORT), 'S');
    board.play(&[(1, "M 1 3\nM 2 3")]);
    board
}

#[test]
fn case_08_two_transports_take_sixty_size_points() {
    let board = quay(15);
    assert_eq!([1, 2].map(|no| board.no(1, no).aboard), [Some(3), Some(3)]);
}

#[test]
fn case_08_two_transports_do_not_take_sixty_one() {
    let board = quay(16);
    assert_eq!([1, 2].map(|no| board.no(1, no).aboard), [Some(3), None]);
    assert!(board.stands(1, 2, 'A'));
    assert!(board.heard(1).any(|e| matches!(e, Event::NoRoom { unit: 2, .. })));
}

#[test]
fn case_08_a_ship_that_carries_nothing_is_no_place_to_board() {
    let drawing = "~~~~~
                   ~AS~~
                   ~~~~~";
    let mut board = Board::new(1, drawing)
        .ground('S', Terrain::Sea)
        .unit(1, 1, (5, INFANTRY), 'A')
        .unit(1, 2, (2, DESTROYER), 'S');
    board.play(&[(1, "M 1 3")]);
    assert_eq!(board.no(1, 1).aboard, None);
    assert!(board.heard(1).any(|e| matches!(e, Event::Blocked { unit: 1, .. })));
}

#[test]
fn case_08_size_points_count_by_type() {
    let drawing = "~~~~~
                   ~AS~~
                   ~~~~~";
    for (trucks, fits) in [(20, true), (21, false)] {
        let mut board = Board::new(1, drawing)
            .ground('S', Terrain::Sea)
            .unit(1, 1, (trucks, TRUCK), 'A')
            .unit(1, 3, (2, TRANSPORT), 'S');
        board.play(&[(1, "M 1 3")]);
        assert_eq!(board.no(1, 1).aboard.is_some(), fits, "{trucks} trucks of size 3");
    }
}

#[test]
fn case_16_a_way_through_an_allys_land_claims_nothing_and_fights_nobody() {
    let drawing = "~~~~~~
                   ~ABC.~
                   ~~~~~~";
    let mut board = Board::new(2, drawing).held(2, "BC").ally(1, 2).ally(2, 1);
    board = board.unit(1, 1, (9, INFANTRY), 'A').unit(2, 1, (1, INFANTRY), 'B');
    board.play(&[(1, "M 1 333")]);
    assert_eq!(board.where_is(1, 1), "00502");
    assert_eq!((board.holder('B'), board.holder('C')), (2, 2));
    assert_eq!(board.no(2, 1).size, 1);
    assert!(!board.heard(1).any(|e| matches!(e, Event::Battle { .. })));
}

#[test]
fn case_16_an_ally_who_does_not_return_the_favour_may_attack() {
    let drawing = "~~~~~~
                   ~ABC.~
                   ~~~~~~";
    let mut board = Board::new(2, drawing).held(2, "BC").ally(1, 2);
    board = board.unit(1, 1, (1, INFANTRY), 'A').unit(2, 1, (20, INFANTRY), 'B');
    board.play(&[(1, "M 1 3")]);
    let battle = board.heard(1).find_map(|e| match e {
        Event::Battle { attacker, defender, .. } => Some((attacker.seat, defender.seat)),
        _ => None,
    });
    assert_eq!(battle, Some((2, 1)), "the one who lists the other never attacks");
    assert!(!board.lives(1, 1));
}

#[test]
fn case_32_without_a_card_advances_and_production_go_on_and_others_stand() {
    let drawing = "~~~~~~~~~
                   ~C.A..B.~
                   ~.......~
                   ~~~~~~~~~";
    let mut board = Board::new(1, drawing)
        .city(1, 1, 'C')
        .stock(1, 10)
        .unit(1, 1, (1, INFANTRY), 'A')
        .unit(1, 2, (1, INFANTRY), 'A');
    board.play(&[(1, "A 1 5\nC 1 1\nM 2 5")]);
    let stood = board.where_is(1, 2);
    let mut board2 = board.clone();
    board2.play(&[(1, "A 1 00702")]);
    let infantry = |b: &Board| -> u16 { b.power(1).units.values().map(|u| u.size).sum() };
    let before = infantry(&board2);
    board2.play(&[]);
    assert_eq!(infantry(&board2), before + 1, "the centre builds the next regiment");
    assert!(board2.stands(1, 1, 'B'), "the advance arrives");
    assert_eq!(board2.where_is(1, 2), stood, "a unit without orders stands");
}

#[test]
fn an_advance_steers_round_what_is_closed_and_a_march_does_not() {
    let drawing = "~~~~~~~
                   ~A^^.~~
                   ~...B~~
                   ~~~~~~~";
    let mut board = Board::new(1, drawing).unit(1, 1, (1, TANK), 'A').unit(1, 2, (1, TANK), 'A');
    board.play(&[(1, "A 1 00503\nM 2 333")]);
    assert!(board.stands(1, 1, 'B'));
    assert!(board.stands(1, 2, 'A'));
}

/// The echo of an advance, and the place of the unit after `turns` turns.
fn advance(board: &Board, no: u16, to: &str, turns: usize) -> (String, String) {
    let card = format!("A {no} {to}");
    let judged = board.judge(1, &card);
    let mut said = judged.lines[0].note.clone();
    if let Some(engine::report::Block::List(items)) = judged.forecast[0].blocks.first() {
        said += &format!(" {items:?}");
    }
    let mut board = board.clone();
    board.play(&[(1, &card)]);
    (1..turns).for_each(|_| board.play(&[]));
    (said, board.where_is(1, no))
}

/// A plain of which only the surroundings of A and the column to their left are explored.
fn dark(wall: &str) -> Board {
    let drawing = format!("~~~~~~~~~~~\n~A.{wall}....~\n~..{wall}....~\n~.......B.~\n~~~~~~~~~~~");
    let mut board = Board::new(1, &drawing).unit(1, 1, (1, TRUCK), 'A');
    board.state.powers[1].explored.fill(0);
    board.state.look_around();
    board
}

#[test]
fn an_advance_over_unexplored_ground_sets_out_as_if_it_were_open() {
    // Wherever mountains hide, echo and first steps are the same.
    let (said, _) = advance(&dark("."), 1, "00802", 1);
    assert!(said.contains("unit 1, 1 Truck: reaches 00802 in turn 1 at the earliest"), "{said}");
    let mut ends = Vec::new();
    for wall in ["^", "f"] {
        assert_eq!(advance(&dark(wall), 1, "00802", 1).0, said);
        ends.push(advance(&dark(wall), 1, "00802", 2).1);
    }
    assert_eq!(ends, ["00802"; 2], "the way round was found on the way");
}

#[test]
fn an_advance_ends_beside_a_goal_that_turns_out_closed() {
    let hidden = dark(".").ground('B', Terrain::Mountains);
    let (said, end) = advance(&hidden, 1, "00904", 2);
    assert!(said.contains("reaches 00904 in turn 2 at the earliest"), "{said}");
    assert_eq!(end, "00803", "the nearest sector beside it");
    let mut board = hidden;
    board.play(&[(1, "A 1 00904")]);
    board.play(&[]);
    assert_eq!(board.no(1, 1).goal, None);
    let told = board.section(1, "Movement");
    assert!(told.contains("at 00803, beside its goal 00904: it is closed"), "{told}");
    // The echo reports known closed ground at once.
    let mut known = dark(".").ground('B', Terrain::Mountains);
    known.state.powers[1].explored.fill(0xff);
    let line = known.echo(1, "A 1 00904");
    assert_eq!(line.mark, Mark::Warning);
    assert!(line.note.contains("00904 (mountains) is closed to it: goes to 00803"), "{line:?}");
    assert!(line.note.ends_with("there in turn 1"), "{line:?}");
}

#[test]
fn an_advance_from_aboard_lands_beside_a_foreign_city_and_ends() {
    let drawing = "~~~~~~
                   ~SC..~
                   ~~..~~
                   ~~~~~~";
    for owner in [0, 2] {
        let mut board = Board::new(2, drawing).ground('S', Terrain::Sea).city(1, owner, 'C');
        board = board.unit(1, 1, (1, TRANSPORT), 'S').cargo(1, 2, (9, INFANTRY), 1);
        board.state.look_around();
        let line = board.echo(1, "A 2 00302");
        assert_eq!(line.mark, Mark::Warning);
        assert!(
            line.note.contains("from the sea: goes to 00303 beside it, there in turn"),
            "{line:?}"
        );
        board.play(&[(1, "A 2 00302")]);
        assert_eq!(board.where_is(1, 2), "00303");
        assert_eq!((board.no(1, 2).aboard, board.no(1, 2).goal), (None, None));
        assert!(board.heard(1).any(|e| matches!(e, Event::Beside { unit: 2, city: true, .. })));
        board.play(&[(1, "A 2 00302")]);
        assert!(board.stands(1, 2, 'C'), "by land it goes in");
    }
}

#[test]
fn ships_bound_for_a_foreign_port_end_before_it() {
    let drawing = "~~~~~~~
                   ~S~~C.~
                   ~~~~~~~";
    let mut board = Board::new(2, drawing).ground('S', Terrain::Sea).city(1, 2, 'C');
    board = board.unit(1, 1, (1, DESTROYER), 'S');
    board.play(&[(1, "A 1 00502")]);
    assert_eq!(board.where_is(1, 1), "00401", "the nearest, by the lowest direction code");
    assert_eq!(board.no(1, 1).goal, None);
}

#[test]
fn a_result_line_tells_where_the_march_ended_and_not_who_has_the_number_now() {
    let drawing = "~~~~~~~~
                   ~CA.B..~
                   ~......~
                   ~~~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').stock(1, 9);
    board = board.unit(1, 1, (1, INFANTRY), 'A').unit(2, 1, (30, INFANTRY), 'B');
    board.play(&[(1, "A 1 00502\nC 1 1")]);
    assert_eq!(board.where_is(1, 1), "00202", "number 1 is a new regiment at home");
    assert_eq!(board.result(1, 1).1, "unit 1 is no more");
}

#[test]
fn ships_leave_a_port_whose_holder_is_an_ally_no_longer() {
    let drawing = "~~~~~
                   ~~C.~
                   ~~~~~";
    let mut board = Board::new(2, drawing).city(1, 2, 'C').ally(1, 2).ally(2, 1);
    board = board.unit(1, 1, (1, DESTROYER), 'C');
    board.play(&[]);
    assert!(board.stands(1, 1, 'C'));
    board.play(&[(1, "D 2")]);
    assert_eq!(board.where_is(1, 1), "00301");
}

#[test]
fn ships_enter_ports_of_their_own_and_of_allies_only() {
    let drawing = "~~~~~
                   ~SC.~
                   ~~~~~";
    for (owner, allied, enters) in [(1, false, true), (2, true, true), (2, false, false)] {
        let mut board = Board::new(2, drawing).ground('S', Terrain::Sea).city(1, owner, 'C');
        board = board.unit(1, 1, (1, DESTROYER), 'S');
        if allied {
            board = board.ally(1, 2).ally(2, 1);
        }
        board.play(&[(1, "M 1 3")]);
        assert_eq!(board.stands(1, 1, 'C'), enters, "city of {owner}, allied {allied}");
    }
}
