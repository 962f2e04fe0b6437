//! §6 and §7: research, ruins, spies.

use engine::Mark;
use warlord::events::{Event, Fact, Find};

use super::board::*;

fn realm() -> Board {
    let drawing = "~~~~~~~~
                   ~C.R...~
                   ~....D.~
                   ~~~~~~~~";
    Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').stock(1, 40).stock(2, 9)
}

fn spied(board: &Board) -> Vec<Fact> {
    let report = board.heard(1).find_map(|e| match e {
        Event::SpyReport { facts, .. } => Some(facts.clone()),
        _ => None,
    });
    report.expect("a spy report")
}

fn found(board: &Board) -> Option<Find> {
    board.heard(1).find_map(|e| match e {
        Event::Dug { find, .. } => Some(*find),
        _ => None,
    })
}

// ---- E

#[test]
fn the_chance_of_a_level_is_that_of_the_rule() {
    let rules = realm().state.tables.rules.research.clone();
    // L = 12 x level; n (1 + p / L) / L.
    for (tech, paid, before, per_mille) in [
        (1, 6, 0, 500),
        (1, 6, 6, 750),
        (1, 6, 12, 950),
        (1, 1, 0, 83),
        (1, 1, 6, 125),
        (2, 6, 0, 250),
        (2, 6, 12, 375),
        (9, 30, 54, 416),
        (1, 300, 0, 950),
        (3, 0, 90, 0),
    ] {
        assert_eq!(
            rules.chance(tech, paid * 100, before * 100),
            per_mille,
            "{tech} {paid} {before}"
        );
    }
}

#[test]
fn research_costs_its_points_and_gathers_them() {
    let mut board = realm();
    board.play_with(&[(1, "E 6")], 500);
    assert_eq!((board.power(1).tech, board.power(1).research), (1, 600));
    let spent = 4000 - 600 + board.power(1).income;
    assert_eq!(board.power(1).stock, spent);
    let told = board.section(1, "Research and ruins");
    assert!(told.contains("6 PP went into research with a chance of 50 %, no success"), "{told}");
    let line = board.echo(1, "E 6");
    assert_eq!(line.note, "6 PP for research: tech level 2 with a chance of 75 %");
    let line = board.echo(1, "E 2\nE 4");
    assert_eq!(line.note, "4 PP for research, 6 in this turn: tech level 2 with a chance of 75 %");
    assert!(board.section(1, "Economy").contains("Spent on level 2 so far: 6 PP"));
    board.play_with(&[(1, "E 6")], 749);
    assert_eq!((board.power(1).tech, board.power(1).research), (2, 0), "they fall to 0");
    assert!(board.section(1, "Tech sheet: level 2").contains("16 sectors"));
    assert!(!board.section(1, "Economy").contains("Tech level 1"));
}

#[test]
fn research_needs_an_order_and_its_chance_has_a_limit() {
    let mut board = realm().stock(1, 400);
    board.play_with(&[(1, "E 300")], 950);
    assert_eq!(board.power(1).tech, 1, "95 in a hundred at best");
    board.play_with(&[], 0);
    assert_eq!(board.power(1).tech, 1, "nobody works unpaid");
    board.play_with(&[(1, "E 1")], 949);
    assert_eq!(board.power(1).tech, 2, "300 PP in vain make one PP as good as any");
}

#[test]
fn the_price_of_a_level_hardly_depends_on_the_pace() {
    // The average price of a level in hundredths of PP, from many draws.
    let price = |pace: i64| {
        let rules = realm().state.tables.rules.research.clone();
        let (mut alive, mut cost, mut before) = (1_000_000_i64, 0, 0);
        while alive > 0 {
            cost += alive * pace;
            alive = alive * (1000 - i64::from(rules.chance(5, pace * 100, before))) / 1000;
            before += pace * 100;
        }
        cost / 10_000
    };
    let prices = [1, 5, 10, 30].map(price);
    let (low, high) = (prices.iter().min(), prices.iter().max());
    assert!(high.zip(low).is_some_and(|(h, l)| h * 100 < l * 125), "{prices:?}");
}

#[test]
fn research_takes_no_more_than_there_is() {
    let line = realm().echo(1, "E 50");
    assert_eq!(line.mark, Mark::Warning);
    assert!(line.note.starts_with("40 PP for research"), "{}", line.note);
    assert_eq!(realm().tech(1, 10).echo(1, "E 5").mark, Mark::Error);
}

#[test]
fn counter_spying_without_stock_tells_what_it_will_be_and_what_ends_it() {
    let poor = realm().stock(1, 0).echo(1, "I 1 3");
    assert_eq!(poor.mark, Mark::Warning);
    assert_eq!(poor.note, "now 0 PP for counter-spying, 3 a turn from when the stock has them");
    let ends = realm().echo(1, "I 1 3\nI 2 4");
    assert!(ends.note.ends_with("your counter-spying ends with it"), "{ends:?}");
    assert!(!realm().echo(1, "I 2 4").note.contains("ends"));
}

// ---- K

#[test]
fn engineers_search_ruins_without_moving_until_they_are_empty() {
    let mut board = realm().ruins('R').unit(1, 1, (2, ENGINEER), 'R');
    // 20 + 2 x 5 per cent.
    board.play_with(&[(1, "K 1 1")], 300);
    assert_eq!(found(&board), Some(Find::Nothing));
    for finds in 1..=3 {
        let before = (board.power(1).stock, board.power(1).research);
        board.play_with(&[(1, "K 1 1")], 299);
        match found(&board) {
            Some(Find::Pp(n)) => {
                assert!((2..=10).contains(&n));
                assert_eq!(board.power(1).stock, before.0 + n * 100 + board.power(1).income);
            }
            Some(Find::Points(n)) => {
                assert!((5..=15).contains(&n));
                assert_eq!(board.power(1).research, before.1 + n * 100);
            }
            other => panic!("find {finds}: {other:?}"),
        }
        assert!(board.stands(1, 1, 'R'));
    }
    board.play_with(&[(1, "K 1 1")], 0);
    assert_eq!(found(&board), Some(Find::Empty), "after three finds");
    assert_eq!(board.chart(1, 'R').text[0], "*", "the engineers stand there");
}

#[test]
fn old_plans_bring_a_level_at_once() {
    // Real dice: of a hundred finds some are plans.
    let mut plans = 0;
    for seed in 0..400 {
        let mut board = realm().ruins('R').unit(1, 1, (9, ENGINEER), 'R');
        board.roll(&[(1, "K 1 1")], &mut engine::Dice::new(seed));
        if let Some(Find::Plans(tech)) = found(&board) {
            plans += 1;
            assert_eq!((tech, board.power(1).tech), (2, 2));
        }
    }
    assert!((4..=25).contains(&plans), "five in a hundred of 240 finds: {plans}");
}

#[test]
fn engineers_who_are_driven_off_find_nothing() {
    let mut board = realm().ruins('R').unit(1, 1, (1, ENGINEER), 'R').unit(2, 1, (5, TANK), 'D');
    board.play_with(&[(1, "K 1 1"), (2, "M 1 78")], 0);
    assert_eq!(found(&board), None);
}

// ---- I

#[test]
fn case_37_spending_on_spies_is_cut_to_five_a_tech_level() {
    let board = realm();
    let line = board.echo(1, "I 2 9");
    assert_eq!(line.mark, Mark::Warning);
    assert!(line.note.contains("5 PP for spying on player 2; the limit of an order is 5 PP"));
    assert_eq!(board.clone().tech(1, 2).echo(1, "I 2 9").mark, Mark::Ok);
    // The limit holds for each order.
    assert_eq!(board.echo(1, "I 2 5\nI 2 4").mark, Mark::Ok);
    let mut board = board;
    board.play(&[(1, "I 2 9")]);
    assert_eq!(board.power(1).stock, 4000 - 500 + board.power(1).income);
}

#[test]
fn spies_learn_things_in_their_order() {
    let mut board = realm().unit(2, 1, (4, TANK), 'D').planes(2, 3, 2).ally(2, 1);
    board.play(&[(1, "I 2 5")]);
    // The stock before the income of the turn.
    let five = [Fact::Tech(1), Fact::Stock(9), Fact::Cities(1), Fact::Divisions(1), Fact::Ships(0)];
    assert_eq!(spied(&board), five, "five units of information at even luck");
    let mut board = board.tech(1, 3).tech(2, 3).stock(1, 40);
    board.state.powers[2].research = 730;
    board.play(&[(1, "I 2 15")]);
    let all = spied(&board);
    assert_eq!(all[5..8], [Fact::Fighters(3), Fact::Bombers(2), Fact::Allies(vec![1])]);
    assert!(matches!(all[8], Fact::Rating(_)));
    let city = board.spot('D');
    assert_eq!(all[9], Fact::City { number: 2, at: city, level: 0 });
    assert_eq!(all[10], Fact::Unit { at: city, kind: TANK, size: 4 });
    assert_eq!(all[11], Fact::Research(7), "hundredths are not told");
    assert!(board.section(1, "Spy reports").contains("00603"));
    assert!(board.power(1).sightings.contains_key(&2), "a city that spies name is known");
    assert!(board.heard(2).all(|e| !matches!(e, Event::SpyReport { .. })));
}

#[test]
fn case_31_counter_spying_is_paid_each_turn_and_hinders_spies() {
    let mut board = realm().stock(2, 40);
    board.play(&[(2, "I 2 5")]);
    let after = board.power(2).stock;
    board.play(&[(1, "I 2 5")]);
    assert_eq!(board.power(2).stock, after - 500 + board.power(2).income, "without an order");
    assert_eq!(spied(&board).len(), 2, "5 / (1 + 5 / 5) is 2.5");
    board.play(&[(2, "I 2 0"), (1, "I 2 5")]);
    assert_eq!(spied(&board).len(), 5);
    // Spying on another ends it too.
    board.play(&[(2, "I 2 5")]);
    board.play(&[(2, "I 1 1")]);
    assert_eq!(board.power(2).counter_spying, 0);
}

#[test]
fn a_higher_tech_level_is_harder_to_spy_on_and_teaches() {
    let mut board = realm().tech(2, 4);
    board.play(&[(1, "I 2 5")]);
    assert_eq!(spied(&board).len(), 3, "5 x (1 - 0.3) is 3.5");
    assert_eq!(board.power(1).research, 25, "five hundredths of a point a PP");
    let mut board = realm().tech(1, 3);
    board.play(&[(1, "I 2 5")]);
    assert_eq!(spied(&board).len(), 6, "5 x 1.2");
    assert_eq!(board.power(1).research, 0);
}
