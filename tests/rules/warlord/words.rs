//! §10: events in words: once, with singular and plural right, and where a player looks for them.

use engine::{Cards, Printouts};
use warlord::Warlord;
use warlord::phrases;
use warlord::state::Billet;

use super::board::*;

const FIELD: &str = "~~~~~~~~~~~~~~~
                     ~A....B..C.D..~
                     ~.............~
                     ~.............~
                     ~E...........F~
                     ~~~~~~~~~~~~~~~";

fn field() -> Board {
    Board::new(2, FIELD)
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All of a seat's printout.
fn whole(board: &Board, seat: u8) -> String {
    let report = Warlord::report(&board.view(seat), "").expect("the seat plays");
    let sections = report.sections.iter();
    sections.map(|s| board.section(seat, &s.heading)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_way_and_its_end_share_a_line_and_units_that_went_together_too() {
    let mut board = field().unit(1, 1, (1, INFANTRY), 'A').unit(1, 2, (1, INFANTRY), 'A');
    board = board.unit(1, 3, (1, INFANTRY), 'E').unit(1, 4, (1, INFANTRY), 'F');
    board.play(&[(1, "A 1 00402\nA 2 00402\nM 3 33\nM 4 3")]);
    let told = board.section(1, "Movement");
    assert!(told.contains("* Units 1-2 moved from 00202 to 00402, their goal.\n"), "{told}");
    assert!(told.contains("* Unit 3 moved from 00205 to 00405.\n"), "{told}");
    assert!(told.contains("* Unit 4 stopped at 01405: the way into 01505 is closed.\n"), "{told}");
    assert!(!told.contains("has reached"), "{told}");
    let result = |line| board.result(1, line).1;
    assert_eq!(result(1), "unit 1 is at 00402, its goal");
    assert_eq!(result(3), "unit 3 is at 00405");
    assert_eq!(result(4), "unit 4 is at 01405, its way was barred");
}

#[test]
fn a_unit_that_fell_at_its_goal_came_and_could_not_hold_it() {
    let mut board = field().unit(1, 1, (1, INFANTRY), 'A').unit(2, 1, (20, INFANTRY), 'B');
    board.state.powers[2].units.get_mut(&1).expect("it lives").at.0 -= 4;
    board.play(&[(1, "A 1 00302")]);
    assert!(!board.lives(1, 1));
    let told = board.section(1, "Movement");
    assert!(told.contains("* Unit 1 came to its goal 00302 and could not hold it.\n"), "{told}");
}

#[test]
fn a_landing_and_a_boarding_end_a_way_in_its_line() {
    let drawing = "~~~~~~~
                   ~A.~~.~
                   ~.....~";
    let mut board = Board::new(2, drawing).unit(1, 1, (1, INFANTRY), 'A');
    board = board.unit(1, 2, (1, TRANSPORT), 'A');
    board.state.powers[1].units.get_mut(&2).expect("it lives").at.0 += 2;
    board.play(&[(1, "M 1 33")]);
    let told = board.section(1, "Movement");
    assert!(told.contains("* Unit 1 moved from 00202 to 00402, aboard unit 2.\n"), "{told}");
    board.play(&[(1, "M 1 5")]);
    let told = board.section(1, "Movement");
    assert!(told.contains("* Unit 1 moved from 00402 to 00403 and landed there.\n"), "{told}");
}

#[test]
fn a_city_tells_in_one_line_what_it_delivers() {
    let mut board = field().city(1, 1, 'A').city(2, 1, 'B').stock(1, 9);
    board.play(&[(1, "C 1 1\nC 1 18\nC 1 1\nC 2 3\nC 2 3")]);
    let told = board.section(1, "Production");
    assert!(told.contains("* City 1 delivers 2 Infantry (unit 1) and 1 Fighter.\n"), "{told}");
    assert!(told.contains("* Centres 1-2 of city 2 wait for production points.\n"), "{told}");
}

#[test]
fn one_of_a_kind_stands_in_the_singular() {
    assert_eq!(phrases::force(1, "AA batteries"), "1 AA battery");
    assert_eq!(phrases::force(2, "AA batteries"), "2 AA batteries");
    assert_eq!(phrases::force(1, "Tanks"), "1 Tank");
    assert_eq!(phrases::force(1, "Infantry"), "1 Infantry");
    assert_eq!(phrases::units(&[5]), "unit 5");
    assert_eq!(phrases::units(&[5, 6, 9]), "units 5-6, 9");
    assert_eq!(phrases::defences(2, 2), "defences stay at 2");
    let mut board = field().city(1, 1, 'A').city(2, 1, 'E').planes(1, 0, 1);
    board = board.unit(1, 7, (1, INFANTRY), 'A');
    board.play(&[(1, "V 7 2")]);
    let told = board.section(1, "Aircraft and bombardment");
    assert!(told.contains("1 bomber carried unit 7 to airbase 2."), "{told}");
    let board = board.planes(1, 1, 0).planes(2, 2, 0);
    assert_eq!(board.echo(1, "W 1 1").note, "1 fighter on watch, every turn");
    assert_eq!(board.echo(1, "W 2 1").note, "1 of 2 fighters on watch, every turn");
}

#[test]
fn observations_share_a_line() {
    let mut board = field().city(1, 1, 'A').planes(1, 3, 0);
    board.play(&[(1, "O 1 00402\nO 1 00604\nO 1 00704")]);
    let told = flat(&board.section(1, "Aircraft and bombardment"));
    let said = "* 1 fighter each observed the areas around 00402, 00604 and 00704.";
    assert!(told.ends_with(said), "{told}");
}

#[test]
fn the_sum_of_the_stock_stands_once() {
    let mut board = field().city(1, 1, 'A').stock(1, 9).tech(1, 1);
    assert!(board.section(1, "Economy").contains("Stock: 9 PP.\n"), "nothing went before");
    board.play_with(&[(1, "C 1 1\nE 1\nI 1 1")], 1);
    let told = flat(&board.section(1, "Economy"));
    let said = "* Stock: 9 PP, less 1 for construction, 1 for research and 1 for counter";
    assert!(told.contains(said), "{told}");
    assert!(told.contains("plus an income of 3 (3 from cities, 0 from sectors"), "{told}");
    assert_eq!(told.matches("Stock").count(), 1, "{told}");
}

#[test]
fn an_empire_without_city_sees_no_table_of_cities_and_is_warned() {
    let mut board = field().unit(1, 1, (1, INFANTRY), 'A').unit(2, 1, (1, INFANTRY), 'F');
    board.play(&[]);
    assert!(!board.section(1, "Economy").contains("Centre one"));
    assert!(board.section(1, "Summary").contains("You have no city left"));
}

#[test]
fn forces_of_the_nameless_power_are_of_the_garrison_or_of_rebels() {
    let mut board = field().city(1, 0, 'B').unit(1, 1, (1, INFANTRY), 'B');
    board = board.unit(0, 1, (7, INFANTRY), 'B').unit(0, 2, (2, ARTILLERY), 'B');
    board.state.powers[1].units.get_mut(&1).expect("it lives").at.0 -= 1;
    board = board.general(1, 0, Billet::Unit(1)).unit(0, 3, (3, INFANTRY), 'C');
    board = board.unit(0, 4, (1, INFANTRY), 'C');
    board.state.powers[0].units.get_mut(&3).expect("it lives").at.0 -= 2;
    board.state.powers[0].units.get_mut(&4).expect("it lives").at.0 -= 2;
    board.state.look_around();
    let map = board.section(1, "Tactical map: general 1 at 00602");
    let garrison = "00702: 7 Infantry of the garrison, 2 Artillery of the garrison";
    assert!(map.contains(garrison), "{map}");
    assert!(map.contains("00802: 3 Infantry of rebels, 1 Infantry of rebels"), "{map}");
}

#[test]
fn a_force_whose_type_is_not_seen_is_counted_rightly() {
    let mut board = field().unit(1, 1, (2, INFANTRY), 'A').unit(2, 1, (1, INFANTRY), 'B');
    board = board.unit(2, 2, (1, INFANTRY), 'B');
    let at = board.spot('A').0;
    for (no, at) in [(1, at + 1), (2, at + 15)] {
        board.state.powers[2].units.get_mut(&no).expect("it lives").at.0 = at;
    }
    board.play_with(&[(1, "M 1 3"), (2, "#")], 500);
    let told = flat(&board.section(1, "Battles"));
    assert!(told.contains("1 regiment of 2"), "{told}");
    assert!(!told.contains("1 regiments"), "{told}");
}

#[test]
fn places_of_battles_where_nobody_is_left_share_a_line() {
    let mut board = field().unit(1, 1, (1, INFANTRY), 'A').unit(2, 1, (30, INFANTRY), 'B');
    board = board.unit(1, 2, (1, INFANTRY), 'E').unit(2, 2, (30, INFANTRY), 'F');
    let (north, south) = (board.spot('A').0, board.spot('E').0);
    for (no, at) in [(1, north + 1), (2, south + 1)] {
        board.state.powers[2].units.get_mut(&no).expect("it lives").at.0 = at;
    }
    board.play(&[(1, "M 1 3\nM 2 3")]);
    let told = board.section(1, "Battles");
    let said = "Nobody is to be seen at 00302 and 00305 or beside them.";
    assert!(flat(&told).ends_with(said), "{told}");
}

#[test]
fn a_general_without_skill_adds_nothing_to_the_words_and_own_cities_are_yours() {
    let mut board = field().city(1, 2, 'B').level(1, 2).unit(1, 1, (9, INFANTRY), 'B');
    board.state.powers[1].units.get_mut(&1).expect("it lives").at.0 -= 1;
    board = board.unit(2, 1, (1, INFANTRY), 'B').general(1, 0, Billet::Unit(1));
    board.play(&[(1, "M 1 3")]);
    let told = flat(&board.section(1, "Battles"));
    assert!(!told.contains("adds 0 %"), "{told}");
    assert!(told.contains("You destroyed the defender."), "{told}");
    let theirs = flat(&board.section(2, "Battles"));
    assert!(theirs.contains("You lost all who stood there."), "{theirs}");
    assert!(theirs.contains("City 1 at 00702"), "{theirs}");
    assert!(theirs.contains("Your city 1, its walls | defences 2 to 0; strength 12"), "{theirs}");
}

#[test]
fn signs_of_tactical_maps_stand_once_and_only_those_that_are_there() {
    let mut board = field().unit(1, 1, (1, TANK), 'A').unit(1, 2, (1, INFANTRY), 'D');
    board = board.general(1, 0, Billet::Unit(1)).general(1, 0, Billet::Unit(2));
    board.state.look_around();
    let text = flat(&whole(&board, 1));
    assert_eq!(text.matches("has three lines").count(), 1, "{text}");
    let signs = "Signs: I Infantry; T Tanks; op open; ~~ sea.";
    assert_eq!(text.matches(signs).count(), 1, "{text}");
    let strategic = flat(&board.section(1, "Strategic map"));
    assert!(strategic.contains("Signs: * your division; . open; ~ sea."), "{strategic}");
}

#[test]
fn the_end_is_told_once_with_all_seats_in_order() {
    let drawing = "~~~~~~~~~
                   ~A.B.C.D~
                   ~~~~~~~~~";
    let mut board = Board::new(3, drawing).city(1, 1, 'A').city(2, 1, 'B').city(3, 2, 'C');
    board = board.unit(3, 1, (1, INFANTRY), 'D');
    let cards = [(1, "#"), (2, "#"), (3, "#")];
    for _ in 0..3 {
        board.play(&cards);
    }
    let text = whole(&board, 2);
    assert_eq!(text.matches("The game is over").count(), 1, "{text}");
    let end = board.section(2, "The end");
    let rows: Vec<Vec<&str>> = end
        .lines()
        .filter(|l| l.starts_with("|    "))
        .map(|l| l.split_whitespace().skip(1).take(4).collect())
        .collect();
    assert_eq!(rows.len(), 3, "{end}");
    assert_eq!(rows[0][..3], ["1", "1", "2"], "{end}");
    assert_eq!(rows[1][..3], ["2", "2", "(you)"], "{end}");
    assert_eq!(rows[2][..3], ["3", "3", "0"], "{end}");
    assert!(Warlord::report(&board.view(3), "").is_some());
}

#[test]
fn the_first_printout_says_where_one_begins_and_what_wins() {
    let board = field().city(1, 1, 'A').stock(1, 20);
    let told = flat(&board.section(1, "Summary"));
    let said = "You are player 1 of 2. Your empire begins in city 1 CITY 1 at 00202, which brings 3 \
                PP a turn. You have 20 PP to spend.";
    assert!(told.contains(said), "{told}");
    assert!(told.contains("at the end of 3 turns in a row"), "{told}");
    let text = whole(&board, 1);
    assert!(!text.contains("No message came in") && !text.contains("No forces of another"));
}

#[test]
fn who_fell_before_the_end_reads_how_it_ended_and_no_empty_lists() {
    let drawing = "~~~~~~~~~
                   ~A.B.C.D~
                   ~~~~~~~~~";
    let mut board = Board::new(3, drawing).city(1, 1, 'A').city(2, 1, 'B').city(3, 2, 'C');
    let cards = [(1, "#"), (2, "#"), (3, "#")];
    for _ in 0..3 {
        board.play(&cards);
    }
    assert_eq!(board.power(3).fell, Some(1));
    let text = whole(&board, 3);
    assert!(text.contains("fell in turn 1") && text.contains("World news"), "{text}");
    for empty in ["Nothing moved", "No orders came in", "General", "Stock", "no ally"] {
        assert!(!text.contains(empty), "{empty}: {text}");
    }
}

#[test]
fn centres_that_wait_share_a_line_and_equal_forces_too() {
    let mut board = field().city(1, 1, 'A').city(2, 1, 'B').city(3, 1, 'C');
    board = board.general(1, 0, Billet::City(3)).stock(1, 0);
    for no in 1..=3 {
        board = board.unit(1, no, (5, INFANTRY), 'C');
    }
    board.play(&[(1, "C 1 3\nC 1 3\nC 2 3\nC 2 3\nC 3 3")]);
    let told = board.section(1, "Production");
    let said = "* Centres 1-2 of cities 1-2 and centre 1 of city 3 wait for production points.\n";
    assert!(told.contains(said), "{told}");
    let map = board.section(1, "Tactical map: general 1 at 01002");
    assert!(map.contains("* 01002: 3 times 5 Infantry\n"), "{map}");
    let crowd = board.general(1, 0, Billet::City(3)).general(1, 0, Billet::City(3));
    assert!(crowd.section(1, "Tactical map: generals 1-3 at 01002").contains("city3"));
}

#[test]
fn no_wrapped_line_of_a_printout_can_be_read_as_an_order() {
    let mut board = field().unit(1, 1, (1, INFANTRY), 'A').unit(2, 1, (30, INFANTRY), 'B');
    board = board.unit(1, 2, (1, INFANTRY), 'E').unit(2, 2, (30, INFANTRY), 'F');
    let (north, south) = (board.spot('A').0, board.spot('E').0);
    for (no, at) in [(1, north + 1), (2, south + 1)] {
        board.state.powers[2].units.get_mut(&no).expect("it lives").at.0 = at;
    }
    board.play(&[(1, "M 1 3\nM 2 3")]);
    let report = Warlord::report(&board.view(1), "").expect("the seat plays");
    let section = report.sections.iter().find(|s| s.heading == "Battles");
    let text = format!("{:?}", section.expect("there was a battle"));
    assert!(text.contains("seen\\u{a0}at\\u{a0}00302"), "{text}");
}

#[test]
fn generals_who_learned_alike_share_a_sentence() {
    let mut board = field().unit(1, 1, (20, INFANTRY), 'B').unit(2, 1, (1, INFANTRY), 'C');
    for (no, skill) in [(2, 0), (3, 0), (4, 7)] {
        board = board.unit(1, no, (1, INFANTRY), 'B').general(1, skill, Billet::Unit(no));
    }
    board.play(&[(1, "A 1 01002")]);
    let told = board.section(1, "Battles");
    assert!(told.contains("* Generals 1-2 gained 1 skill each and have 1 now.\n"), "{told}");
    assert!(told.contains("* General 3 gained 1 skill and has 8 now.\n"), "{told}");
}

#[test]
fn the_first_printout_of_a_high_level_says_where_it_is_explained() {
    let first = |tech| whole(&field().city(1, 1, 'A').tech(1, tech).turn(1), 1);
    assert!(flat(&first(8)).contains("You begin at tech level 8. RULES lists"), "{}", first(8));
    assert!(!first(1).contains("You begin at tech level"));
}

#[test]
fn a_goal_with_ruins_is_called_so() {
    let board = field().unit(1, 1, (1, ENGINEER), 'A').ruins('B');
    let note = board.echo(1, "A 1 00702").note;
    assert!(note.contains("00702 (ruins)"), "{note}");
}

#[test]
fn the_strategic_map_in_words_tells_directions_and_the_nearest_of_others() {
    let mut board = field().city(1, 1, 'B').unit(1, 1, (9, INFANTRY), 'A');
    board = board.unit(2, 1, (4, INFANTRY), 'D').city(2, 2, 'E');
    let beside = board.spot('B').0 + 1;
    board.state.powers[2].units.get_mut(&1).expect("it lives").at.0 = beside;
    board.state.look_around();
    let report = Warlord::report(&board.view(1), "").expect("the seat plays");
    let maps = report.sections.iter().filter(|s| s.heading == "Strategic map");
    let words: Vec<String> = maps
        .flat_map(|s| &s.blocks)
        .filter_map(|b| match b {
            engine::report::Block::Map(map) => Some(map),
            _ => None,
        })
        .flat_map(|map| map.words.iter().map(|l| format!("{l:?}")))
        .collect();
    let all = words.join("\n");
    let city = board.sector('B');
    assert!(all.contains(&format!("{city} CITY 1, your city 1: ")), "{all}");
    let all = all.replace("\\u{a0}", " ");
    assert!(all.contains("nearest force: 4 regiments of 2 at "), "{all}");
    assert!(all.contains(", 1 E"), "{all}");
    assert!(all.contains("Straight on, in sectors: N 1 of sea, then ice"), "{all}");
    assert!(!all.contains("Row "), "{all}");
}

#[test]
fn what_is_not_in_sight_lies_under_a_veil() {
    let mut board = field().unit(1, 1, (9, INFANTRY), 'A');
    board.state.look_around();
    assert!(!board.chart(1, 'A').veiled);
    // Its own sector is explored, but out of sight once the unit is gone.
    board.state.powers[1].units.clear();
    board = board.city(1, 1, 'F');
    board.state.look_around();
    assert!(board.chart(1, 'A').veiled);
    assert!(!board.chart(1, 'F').veiled);
}

#[test]
fn the_sketch_of_a_card_shows_where_advances_and_marches_end() {
    let mut board = field().city(1, 1, 'B').unit(1, 1, (9, INFANTRY), 'A');
    board = board.unit(1, 2, (9, INFANTRY), 'C');
    board.state.look_around();
    let card = engine::CardText::new;
    let goal = board.sector('D');
    let sketch = Warlord::sketch(&board.view(1), &card(&format!("A 1 {goal}\nM 2 33")));
    let sketch = sketch.expect("they are under way");
    let routes = &sketch.grid().expect("a grid").routes;
    let ways: Vec<(i32, i32)> =
        routes.iter().map(|r| (r.to.0 - r.from.0, r.to.1 - r.from.1)).collect();
    assert_eq!(routes.len(), 2, "{ways:?}");
    assert!(ways.contains(&(2, 0)), "two steps east: {ways:?}");
    assert!(Warlord::sketch(&board.view(1), &card("")).is_none(), "nobody is under way");
}
