//! Details that a rules lawyer asks for, chapter by chapter.

use engine::Mark;
use warlord::events::Event;
use warlord::state::{Billet, SUBMARINE};
use warlord::tables::{Class, Tables, Terrain};

use super::board::*;

#[test]
fn columns_wrap_and_the_ice_stops_everybody() {
    let drawing = "B....A
                   ......";
    let board = Board::drawn_at(2, (6, 2), (1, 1), drawing).unit(1, 1, (1, INFANTRY), 'A');
    let mut east = board.clone();
    east.play(&[(1, "M 1 3")]);
    assert!(east.stands(1, 1, 'B'), "column 006 is next to 001");
    let mut advance = board.clone();
    advance.play(&[(1, "A 1 00101")]);
    assert!(advance.stands(1, 1, 'B'));
    let mut north = board;
    north.play(&[(1, "M 1 1")]);
    assert!(north.stands(1, 1, 'A'));
    assert!(north.heard(1).any(|e| matches!(e, Event::Blocked { toward: None, .. })));
}

#[test]
fn the_figures_of_all_units_are_those_of_the_rulebook() {
    // ID, turns, PP, attack, defence, move, class, size.
    let expected = "1 1 1 2 3 3 Inf 1
                    2 2 3 1 2 4 Inf 3
                    3 2 5 6 4 4 Arm 5
                    4 1 2 0 1 6 Arm 3
                    5 2 4 6 2 4 Arm 4
                    10 2 5 3 2 6 Ship 0
                    11 3 8 5 4 5 Ship 0
                    12 4 10 8 8 5 Ship 0
                    13 2 4 1 4 5 Ship 0
                    14 3 6 6 3 4 Ship 0
                    18 1 4 1 2 30 Plane 0
                    19 2 6 4 2 50 Plane 0";
    let tables = Tables::embedded();
    let first: Vec<_> = tables.units.iter().filter(|u| u.tech == 1).collect();
    for (u, line) in first.iter().zip(expected.lines()) {
        let found = format!(
            "{} {} {} {} {} {} {:?} {}",
            u.id, u.turns, u.pp, u.attack, u.defence, u.points, u.class, u.size
        );
        assert_eq!(found, line.trim());
    }
    assert_eq!(first.len(), expected.lines().count());
    assert_eq!(tables.row(TRANSPORT).carries, 30);
}

#[test]
fn infantry_pays_for_every_ground_what_the_table_says() {
    let costs = [1, 2, 1, 2, 2, 2, 2, 3, 3];
    let tables = Tables::embedded();
    for (terrain, cost) in Terrain::ALL.into_iter().zip(costs) {
        assert_eq!(tables.land_cost(Class::Inf, terrain), Some(cost), "{terrain:?}");
    }
    assert_eq!(tables.land_cost(Class::Inf, Terrain::Sea), None);
}

const PLAIN: &str = "~~~~~~~~~
                     ~A.B.C..~
                     ~.......~
                     ~..S....~
                     ~~~~~~~~~";

#[test]
fn a_corps_of_two_types_fights_one_battle_with_all_its_strength() {
    // Four infantry and two tanks deal (8 + 12) / 3 = 6.67 on defence 3.
    let mut board = Board::new(2, PLAIN)
        .unit(1, 1, (4, INFANTRY), 'A')
        .unit(1, 2, (2, TANK), 'A')
        .unit(2, 1, (9, INFANTRY), 'B');
    board.play_with(&[(1, "M 00202 33")], 999);
    let battles: Vec<_> = board
        .heard(1)
        .filter_map(|e| match e {
            Event::Battle { attacker, defender, .. } => Some((attacker, defender)),
            _ => None,
        })
        .collect();
    assert_eq!(battles.len(), 1);
    assert_eq!(battles[0].0.losses.len(), 2, "both units of the corps");
}

#[test]
fn a_battle_has_three_rounds_and_no_more() {
    // Six each: 12 / 3 = 4 on defence 3 kills one a round for certain, and with
    // chances that never come true exactly one.
    let mut board =
        Board::new(2, PLAIN).unit(1, 1, (6, INFANTRY), 'A').unit(2, 1, (6, INFANTRY), 'B');
    board.play_with(&[(1, "M 1 33")], 999);
    // 4, 10 / 3 and 8 / 3: one, one and none.
    assert_eq!((board.no(1, 1).size, board.no(2, 1).size), (4, 4));
}

#[test]
fn new_ships_join_a_flotilla_in_port() {
    let drawing = "~~~~
                   ~C.~
                   ~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').unit(1, 4, (3, DESTROYER), 'C');
    board = board.stock(1, 30);
    board.play(&[(1, "C 1 10\nC 1 13")]);
    board.play(&[]);
    assert_eq!(board.no(1, 4).size, 4);
    assert_eq!(board.no(1, 1).kind, TRANSPORT, "another type forms its own");
}

#[test]
fn a_destroyer_finds_submarines_in_its_own_and_neighbouring_sectors() {
    let sea = "~~~~~~~
               ~DEFG~~
               ~~~~~~~";
    for (spot, seen) in [('D', true), ('E', true), ('F', false)] {
        let mut board = Board::new(2, sea);
        for s in ['D', 'E', 'F', 'G'] {
            board = board.ground(s, Terrain::Sea);
        }
        // A cruiser is near, so that the sector is in sight in any case.
        board = board.unit(1, 1, (1, DESTROYER), 'D').unit(1, 2, (1, CRUISER), 'G');
        let board = board.ally(1, 2).ally(2, 1).unit(2, 1, (1, SUBMARINE), spot);
        assert_eq!(!board.view(1).spotted.is_empty(), seen, "{spot}");
    }
}

#[test]
fn an_advance_in_a_direction_goes_on_and_turns_aside_by_one_point() {
    let mut board = Board::new(2, PLAIN).unit(1, 1, (1, INFANTRY), 'S');
    board.play(&[(1, "A 1 3")]);
    assert_eq!(board.where_is(1, 1), "00704");
    assert!(board.section(1, "Forces and cities").contains("A 3"));
    board.play(&[]);
    assert_eq!(board.where_is(1, 1), "00804", "on over the turns, until the sea closes the way");
    let hill = "~~~~~~
                ~A^..~
                ~....~
                ~~~~~~";
    let mut board = Board::new(2, hill).unit(1, 1, (1, TANK), 'A');
    board.play(&[(1, "A 1 3")]);
    assert_eq!(board.where_is(1, 1), "00503", "aside to the south-east, then on to the east");
}

#[test]
fn a_new_order_ends_an_advance_that_is_under_way() {
    let board = Board::new(2, PLAIN).ruins('A').unit(1, 1, (1, ENGINEER), 'A');
    for card in ["M 1 0", "K 1 1"] {
        let mut board = board.clone();
        board.state.powers[1].units.get_mut(&1).expect("it lives").goal =
            Some(warlord::state::Goal {
                target: warlord::state::Target::Sector(board.spot('C')),
                convoy: false,
            });
        board.play(&[(1, card)]);
        board.play(&[]);
        assert!(board.stands(1, 1, 'A'), "{card}");
    }
}

#[test]
fn cargo_goes_ashore_by_itself_in_an_own_port_only() {
    let drawing = "~~~~~
                   ~O.~~
                   ~~~~~
                   ~F.~~
                   ~~~~~";
    for (spot, ashore) in [('O', true), ('F', false)] {
        let board = Board::new(2, drawing).city(1, 1, 'O').city(2, 2, 'F').ally(1, 2);
        let mut board = board.unit(1, 1, (1, TRANSPORT), spot).cargo(1, 2, (5, INFANTRY), 1);
        board.play(&[]);
        assert_eq!(board.no(1, 2).aboard.is_none(), ashore, "{spot}");
    }
}

#[test]
fn generals_of_both_sides_learn_and_one_bonus_serves_every_battle_near() {
    let board = Board::new(3, PLAIN)
        .city(1, 1, 'S')
        .unit(1, 1, (9, INFANTRY), 'A')
        .unit(1, 2, (9, INFANTRY), 'C')
        .unit(2, 1, (5, INFANTRY), 'B')
        .general(1, 10, Billet::City(1))
        .general(2, 0, Billet::Unit(1));
    let mut board = board.unit(3, 1, (5, INFANTRY), 'S');
    // Seat 3 is in the city of seat 1 and is attacked from two sides later.
    board.state.powers[3].units.clear();
    board.play(&[(1, "M 1 3\nM 2 7"), (2, "M 1 7")]);
    assert!(board.power(1).generals[0].skill > 10);
    assert!(board.power(2).generals[0].skill > 0, "the losers' generals learn too");
}

#[test]
fn of_two_bases_in_reach_the_nearer_flies_first() {
    let board =
        Board::new(2, PLAIN).city(1, 1, 'A').city(2, 1, 'C').planes(1, 2, 3).planes(2, 2, 3);
    let mut board = board.unit(2, 1, (9, INFANTRY), 'B');
    board.state.powers[2].units.get_mut(&1).expect("it lives").at = board.spot('S');
    board.play(&[(1, "B 4 00404\nF 1 2 03")]);
    // S is two from B's column: base 1 and base 2 are both two away, so by number.
    let note = board.result(1, 1).1;
    assert!(note.starts_with("4 bombers with 4 fighters"), "{note}");
    // Base 1 gave its three bombers, so nothing was left to transfer.
    assert_eq!(board.result(1, 2).0, Mark::Warning);
}

#[test]
fn a_transfer_flies_nine_of_each_type_at_most() {
    let mut board = Board::new(2, PLAIN).city(1, 1, 'A').city(2, 1, 'C').planes(1, 12, 12);
    assert_eq!(board.echo(1, "F 1 2 123").mark, Mark::Error);
    assert_eq!(board.echo(1, "F 1 2 0").mark, Mark::Error);
    board.play(&[(1, "F 1 2 99")]);
    assert_eq!(
        (board.town(1, 2).hangar.planes.fighters, board.town(1, 2).hangar.planes.bombers),
        (9, 9)
    );
}

#[test]
fn bombers_and_ships_guns_strike_together() {
    let drawing = "~~~~~~
                   ~SDA.~
                   ~~~~~~";
    let board = Board::new(2, drawing).ground('S', Terrain::Sea).city(1, 1, 'A').planes(1, 0, 3);
    let mut board = board.unit(1, 1, (3, CRUISER), 'S').unit(2, 1, (20, INFANTRY), 'D');
    board.play(&[(1, "B 3 00302\nB 3 00402")]);
    let strike = board.heard(1).find_map(|e| match e {
        Event::AirStrike(s) => Some((s.sent.bombers, s.guns)),
        _ => None,
    });
    assert_eq!(strike, Some((3, 6)), "three bombers, and cruisers that equal two each");
    assert_eq!(board.result(1, 2).0, Mark::Error, "the planes are used up");
}

#[test]
fn walking_into_an_allys_city_neither_fights_nor_takes_it() {
    let board = Board::new(2, PLAIN).city(1, 2, 'B').ally(1, 2).ally(2, 1);
    let mut board = board.unit(1, 1, (9, INFANTRY), 'A').unit(2, 1, (1, INFANTRY), 'B');
    board.play(&[(1, "M 1 33")]);
    assert!(board.stands(1, 1, 'B') && board.power(2).cities.contains_key(&1));
    assert_eq!(board.no(2, 1).size, 1);
}

#[test]
fn ships_that_are_dislodged_sail_off_with_their_cargo_and_failed_attackers_go_back() {
    let sea = "~~~~~~~
               ~AB~~~~
               ~~~~~~~";
    let fleet = |ships: u16| {
        Board::new(2, sea)
            .ground('A', Terrain::Sea)
            .ground('B', Terrain::Sea)
            .unit(1, 1, (ships, CRUISER), 'A')
            .unit(2, 1, (2, TRANSPORT), 'B')
            .cargo(2, 2, (10, INFANTRY), 1)
    };
    let mut strong = fleet(2);
    strong.play_with(&[(1, "M 1 3")], 999);
    assert!(strong.stands(1, 1, 'B'));
    assert_eq!(strong.no(2, 2).at, strong.no(2, 1).at, "the cargo is still aboard");
    assert!(!strong.stands(2, 1, 'B'));
    let mut weak = Board::new(2, sea).ground('A', Terrain::Sea).ground('B', Terrain::Sea);
    weak = weak.unit(1, 1, (2, TRANSPORT), 'A').unit(2, 1, (2, TRANSPORT), 'B');
    weak.play_with(&[(1, "M 1 3")], 999);
    assert!(weak.stands(1, 1, 'A'), "an attack that dislodges nobody goes back");
}

#[test]
fn a_coalition_wins_after_three_turns_and_not_after_two() {
    let drawing = "~~~~~~~~~~
                   ~A.B.C.DX~
                   ~E.F.G.HY~
                   ~~~~~~~~~~";
    let mut board = Board::new(3, drawing).turn(15);
    for (number, (seat, spot)) in
        (1..).zip([(1, 'A'), (2, 'B'), (3, 'C'), (0, 'D'), (0, 'E'), (0, 'F'), (0, 'G')])
    {
        board = board.city(number, seat, spot);
    }
    // Each holds one of seven cities, 14 %: two together have 28 % and need 28 %.
    let cards = [(1, "J 2"), (2, "J 1"), (3, "#")];
    board.play(&cards);
    board.play(&cards);
    assert_eq!(board.state.over, None);
    board.play(&cards);
    let winners = board.state.over.as_ref().map(|o| o.winners.iter().copied().collect::<Vec<_>>());
    assert_eq!(winners, Some(vec![1, 2]));
    assert!(board.section(3, "The end").contains("coalition of players 1-2"));
}

#[test]
fn every_message_code_takes_its_numbers_and_no_fewer() {
    let board = Board::new(3, PLAIN).city(1, 1, 'A');
    let tables = Tables::embedded();
    assert_eq!(tables.messages.len(), 124);
    for row in &tables.messages {
        let numbers: Vec<&str> =
            row.takes.chars().map(|k| if k == 'S' { "00202" } else { "2" }).collect();
        let line = format!("Y 2 {} {}", row.code, numbers.join(" "));
        assert_eq!(board.echo(1, &line).mark, Mark::Ok, "{line}");
        if let Some((_, fewer)) = numbers.split_last() {
            let line = format!("Y 2 {} {}", row.code, fewer.join(" "));
            assert_eq!(board.echo(1, &line).mark, Mark::Error, "{line}");
        }
    }
    assert_eq!(board.echo(1, "Y 2 125").mark, Mark::Error);
}

#[test]
fn comments_tell_whose_a_city_is_as_far_as_it_is_known() {
    let board = Board::new(4, PLAIN)
        .city(1, 1, 'A')
        .city(2, 2, 'C')
        .city(3, 3, 'B')
        .city(4, 0, 'S')
        .level(2, 4)
        .ally(1, 3);
    let mut board = board.unit(1, 1, (1, INFANTRY), 'A').unit(1, 2, (1, INFANTRY), 'A');
    for (no, col) in [(1u16, 'B'), (2, 'C')] {
        // Beside the cities, so that they are seen.
        let at = engine::geometry::Place(board.spot(col).0 + 1);
        board.state.powers[1].units.get_mut(&no).expect("it lives").at = at;
    }
    board.play(&[]);
    let list = board.section(1, "Forces and cities");
    for comment in ["Your city", "Enemy 2", "Ally 3", "Uncontrolled"] {
        assert!(list.contains(comment), "{comment}: {list}");
    }
    // Out of sight the last sighting is kept.
    board.state.powers[1].units.clear();
    board.city_mut(2).level = 9;
    board.play(&[]);
    let line = board.section(1, "Forces and cities");
    let line = line.lines().find(|l| l.contains("Enemy 2")).expect("it is remembered").to_owned();
    assert!(line.contains(" 4 "), "{line}");
}

#[test]
fn cities_are_noted_when_they_are_passed_fought_for_and_lost_with_the_turn_of_the_report() {
    let drawing = "~~~~~~~~~~~~~~
                   ~A..........B~
                   ~...C........~
                   ~~~~~~~~~~~~~~";
    let list = |board: &Board, name: &str| {
        let list = board.section(1, "Forces and cities");
        let row = list.lines().find(|l| l.contains(&format!("CITY {name}")));
        row.map(|l| l.trim_end().to_owned()).unwrap_or(list)
    };
    // Trucks drive past city 1 and end out of its sight.
    let mut board = Board::new(2, drawing).city(1, 2, 'C').unit(1, 1, (1, TRUCK), 'A');
    board.play(&[(1, "M 1 333333")]);
    assert!(list(&board, "1").ends_with("Enemy 2"), "{}", list(&board, "1"));
    board.play(&[]);
    assert!(list(&board, "1").ends_with("Enemy 2, as of turn 1"), "{}", list(&board, "1"));
    // An attacker that is driven off from a city knows what is left of it.
    let mut board = Board::new(2, drawing).city(1, 2, 'C').level(1, 9);
    board = board.unit(1, 1, (8, TANK), 'A');
    board.play(&[(1, "A 1 00503")]);
    let level = board.town(2, 1).level;
    assert!(
        level < 9 && list(&board, "1").contains(&format!(" {level} ")),
        "{board:?}",
        board = list(&board, "1")
    );
    // A lost city stays in the list with its new holder.
    let mut board = Board::new(2, drawing).city(1, 1, 'C').city(2, 1, 'A');
    board = board.unit(2, 1, (9, TANK), 'B');
    board.state.powers[2].units.get_mut(&1).expect("it lives").at.0 -= 6;
    board.play(&[(2, "A 1 00503")]);
    assert!(board.power(2).cities.contains_key(&1));
    assert!(list(&board, "1").ends_with("Enemy 2"), "{}", list(&board, "1"));
}

#[test]
fn the_star_marks_the_generals_own_division_and_the_list_names_it() {
    let mut board = Board::new(2, PLAIN).city(1, 1, 'A').general(1, 6, Billet::City(1));
    board = board.unit(1, 1, (1, INFANTRY), 'A').unit(1, 2, (3, INFANTRY), 'A');
    let stars = |board: &Board| {
        let list = board.section(1, "Forces and cities");
        let starred = list.lines().filter(|l| l.contains("* 0"));
        starred.map(|l| l.trim_end().to_owned()).collect::<Vec<_>>()
    };
    let city = stars(&board);
    assert!(city.len() == 1 && city[0].ends_with("Your city, general 1"), "{city:?}");
    board.play(&[(1, "P 1 2")]);
    let unit = stars(&board);
    assert!(unit.len() == 1 && unit[0].ends_with("general 1"), "{unit:?}");
    assert!(unit[0].contains("Infantry") && unit[0].contains(" 3 "), "{unit:?}");
    let line = format!("1) {} (6), with unit 2", board.sector('A'));
    assert!(board.section(1, "Generals").contains(&line));
}
