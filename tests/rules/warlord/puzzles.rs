//! Positions in which a computer player has one right order.

use engine::Dice;
use warlord::bases::Planes;
use warlord::computer::{Level, Levels, play_at};
use warlord::state::{BATTERY, BOMBER, Centre, JET, MISSILE, SHIELD, WARHEAD};

use super::board::*;

/// City 1 of seat 1 at C, city 2 of seat 2 at D two sectors further, F before it.
fn two_cities() -> Board {
    let drawing = "~~~~~~~~~~~~
                   ~...G......~
                   ~.C.FD.....~
                   ~..........~
                   ~~~~~~~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').turn(30);
    board.state.note_city(1, 2, 2);
    earning(board, 10)
}

/// City 1 of seat 1 alone in the world.
fn alone() -> Board {
    let drawing = "~~~~~~
                   ~.C..~
                   ~....~
                   ~~~~~~";
    earning(Board::new(2, drawing).city(1, 1, 'C').level(1, 1).turn(30), 10)
}

/// With an income of seat 1 in PP.
fn earning(mut board: Board, income: i64) -> Board {
    board.state.powers[1].income = income * 100;
    board
}

fn normal() -> Level {
    Levels::default().normal
}

/// The lines that seat 1 writes.
fn written(board: &Board, notes: &str, level: &Level) -> Vec<String> {
    let play = play_at(&board.view(1), notes, &mut Dice::new(1), level);
    let judged = board.judge(1, &play.card.text());
    assert!(judged.lines.iter().all(|l| l.mark != engine::Mark::Error), "{:?}", judged.lines);
    play.card.text().lines().map(str::to_owned).collect()
}

fn lines(board: &Board) -> Vec<String> {
    written(board, "", &normal())
}

fn builds(board: &Board, item: u8) -> bool {
    let level = Level { landings: 0, ..normal() };
    written(board, "", &level).contains(&format!("C 1 {item}"))
}

fn orders(board: &Board, letter: char) -> Vec<String> {
    lines(board).into_iter().filter(|l| l.starts_with(letter)).collect()
}

// ---- war

#[test]
fn puzzle_a_large_army_storms_a_garrison_that_costs_more_than_one_city_is_worth() {
    let mut board = two_cities().unit(1, 9, (1, INFANTRY), 'F');
    for no in 1..=4 {
        board = board.unit(1, no, (45, INFANTRY), 'C').unit(2, no, (20, INFANTRY), 'D');
    }
    let goal = board.sector('D');
    let storms = |level: &Level| written(&board, "", level).contains(&format!("A 2 {goal}"));
    assert!(storms(&normal()));
    assert!(!storms(&Level { worth: 0, ..normal() }), "the city alone is not worth it");
}

#[test]
fn puzzle_the_longer_the_game_the_smaller_the_odds_that_are_asked_for() {
    let force = |turn| {
        let board = two_cities().turn(turn).unit(1, 1, (26, INFANTRY), 'F');
        let board = board.unit(2, 1, (14, INFANTRY), 'D');
        let goal = board.sector('D');
        lines(&board).iter().any(|l| l.starts_with("A ") && l.ends_with(&goal))
    };
    assert!(!force(20), "a third of the force should be left against half as many again");
    assert!(force(60));
}

// ---- production and research

#[test]
fn puzzle_what_a_centre_does_next_is_chosen_anew() {
    // A truck is ready to be built again, long after the time of trucks.
    let mut board = alone().stock(1, 9);
    board.city_mut(1).centres = [Centre::Ready(INFANTRY), Centre::Ready(TRUCK), Centre::Idle];
    let level = Level { fighters: 0, landings: 0, research_rich: 0, ..normal() };
    let lines = written(&board, "", &level);
    // The idle centre first; the other is halted, as an order would take the first.
    assert_eq!(lines, ["C 1 32", "C 1 1", "C 1 1"]);
}

#[test]
fn puzzle_what_lies_idle_in_the_stock_goes_into_research() {
    let paid = |stock| {
        let board = alone().stock(1, stock);
        let paid = orders(&board, 'E');
        paid.first().map_or(0, |l| l[2..].parse::<i64>().expect("a number"))
    };
    assert_eq!(paid(20), 4, "what is due of an income of 10 PP");
    // Two and a half incomes stay.
    assert_eq!(paid(90), 65);
    // Who earns nothing keeps what three centres cost.
    assert_eq!(orders(&earning(alone().stock(1, 9), 0), 'E'), ["E 6"]);
}

#[test]
fn puzzle_jets_take_the_place_of_fighters_from_level_5_on() {
    assert!(builds(&alone().stock(1, 40), FIGHTER));
    assert!(builds(&alone().stock(1, 40).tech(1, 5), JET));
    assert!(builds(&alone().stock(1, 9).tech(1, 5), FIGHTER), "jets are for who can spare 8 PP");
}

#[test]
fn puzzle_a_city_that_was_bombed_gets_a_battery_and_one_only() {
    let mut board = two_cities().level(1, 1).planes(2, 0, 4).stock(1, 60).tech(1, 2);
    board = board.unit(1, 1, (3, INFANTRY), 'C');
    let bombs = format!("B 4 {}", board.sector('C'));
    assert!(!builds(&board, BATTERY));
    board.play(&[(2, &bombs)]);
    board = board.stock(1, 60);
    board.city_mut(1).centres = [Centre::Idle; 3];
    assert!(builds(&board, BATTERY));
    assert!(!builds(&board.clone().unit(1, 9, (1, BATTERY), 'C'), BATTERY));
    assert!(!builds(&board.tech(1, 1), BATTERY));
}

#[test]
fn puzzle_a_battery_neither_attacks_nor_claims_land() {
    let marches = |board: &Board, no: u16| {
        let orders = [format!("A {no} "), format!("S {no} ")];
        lines(board).iter().any(|l| orders.iter().any(|o| l.starts_with(o)))
    };
    let board = two_cities().unit(1, 1, (20, INFANTRY), 'C').unit(1, 2, (9, BATTERY), 'C');
    assert!(marches(&board, 1));
    assert!(!marches(&board, 2));
    // Before an open city, where tanks go in.
    assert!(marches(&two_cities().unit(1, 2, (45, TANK), 'F'), 2));
    assert!(!marches(&two_cities().unit(1, 2, (45, BATTERY), 'F'), 2));
}

// ---- missiles, warheads, defences

fn armed(missiles: u16, warheads: u16) -> Board {
    let board = two_cities().tech(1, 9).unit(1, 1, (40, INFANTRY), 'F');
    let board = board.unit(2, 1, (12, INFANTRY), 'D');
    board.arsenal(1, Planes::default(), missiles, warheads)
}

#[test]
fn puzzle_missiles_fall_on_the_city_that_is_stormed() {
    let board = armed(3, 0);
    let salvo = format!("R 3 {}", board.sector('D'));
    assert_eq!(orders(&board, 'R'), [salvo]);
    assert!(orders(&board.tech(1, 6), 'R').is_empty());
}

#[test]
fn puzzle_a_missile_stays_for_each_warhead() {
    assert_eq!(orders(&armed(3, 2), 'R').len(), 1);
    assert!(orders(&armed(3, 2), 'R')[0].starts_with("R 1 "));
    assert!(orders(&armed(1, 1), 'R').is_empty());
}

#[test]
fn puzzle_missiles_fall_on_who_stands_before_an_own_city() {
    let board = two_cities().tech(1, 7).unit(2, 1, (10, INFANTRY), 'F');
    let board = board.arsenal(1, Planes::default(), 4, 0).unit(1, 1, (2, INFANTRY), 'C');
    // Ten regiments stand 30 points of damage; a missile has 20.
    assert_eq!(orders(&board, 'R'), [format!("R 2 {}", board.sector('F'))]);
}

#[test]
fn puzzle_a_warhead_is_for_who_attacked_and_stands_strong_where_it_was_seen_lately() {
    let drawing = "~~~~~~~~~~~~
                   ~.C....D...~
                   ~~~~~~~~~~~~";
    let board = Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').turn(30).tech(1, 9);
    let mut board = earning(board, 10).arsenal(1, Planes::default(), 1, 1);
    board.state.note_city(1, 2, 2);
    let fires =
        |notes: &str| written(&board, notes, &normal()).iter().any(|l| l.starts_with("R A1"));
    assert!(fires("p 2 28\ng 2 15 28"));
    assert!(!fires("g 2 15 28"), "who did no harm is let be");
    assert!(!fires("p 2 28\ng 2 11 28"), "a small garrison is not worth it");
    assert!(!fires("p 2 28\ng 2 15 20"), "seen ten turns ago it may have gone");
    let goal = board.clone().unit(1, 1, (40, INFANTRY), 'C');
    let card = written(&goal, "p 2 28\ng 2 15 28", &normal());
    assert!(!card.iter().any(|l| l.starts_with("R A1")), "one's own goal is not laid waste");
}

#[test]
fn puzzle_weapons_are_built_from_their_levels_on_and_not_in_the_first_turns() {
    let rich = |tech| alone().tech(1, tech).stock(1, 90);
    assert!(!builds(&rich(6), MISSILE));
    assert!(builds(&rich(7), MISSILE));
    assert!(builds(&rich(9), WARHEAD) && !builds(&rich(8), WARHEAD));
    assert!(builds(&rich(10), SHIELD) && !builds(&rich(9), SHIELD));
    assert!(!builds(&rich(10).shield(1), SHIELD), "a city has one");
    assert!(!builds(&rich(10).turn(10), MISSILE));
}

#[test]
fn puzzle_a_satellite_looks_at_a_goal_that_nobody_has_seen_lately() {
    let board = two_cities().tech(1, 8).stock(1, 90).unit(1, 1, (40, INFANTRY), 'C');
    let looks = |board: &Board, notes: &str| {
        written(board, notes, &normal()).iter().any(|l| l.starts_with("I 0"))
    };
    assert!(looks(&board, "g 2 5 20"));
    assert!(!looks(&board, "g 2 5 29"));
    assert!(!looks(&board.clone().tech(1, 7), "g 2 5 20"));
    let alone = alone().tech(1, 8).stock(1, 90);
    assert!(!looks(&alone, ""), "without a goal there is nothing to look at");
}

#[test]
fn puzzle_bombers_come_when_there_are_pp_to_spare() {
    let level = Level { fighters: 0, landings: 0, bombers: 4, ..normal() };
    let has =
        |stock| written(&alone().stock(1, stock), "", &level).contains(&format!("C 1 {BOMBER}"));
    assert!(has(40));
    assert!(!has(14), "less than one and a half incomes are left");
}

// ---- politics

#[test]
fn puzzle_allies_who_win_together_found_a_coalition_from_the_turn_of_the_file_on() {
    let drawing = "~~~~~~~~
                   ~CDEF..~
                   ~~~~~~~~";
    let founds = |turn, cities: &str| {
        let mut board = Board::new(2, drawing);
        for (number, spot) in (1..).zip(cities.chars()) {
            board = board.city(number, if spot == 'F' { 2 } else { 1 }, spot);
        }
        board.state.note_city(1, cities.len() as u16, 2);
        let board = board.ally(1, 2).ally(2, 1).turn(turn);
        lines(&board).contains(&"J 2".to_owned())
    };
    // Of the cities of the smallest world three win.
    assert!(founds(40, "CDF"));
    assert!(!founds(39, "CDF"));
    assert!(!founds(40, "CF"));
}
