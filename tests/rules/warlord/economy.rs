//! §6: centres, prices, income, supply, control by neighbours.

use engine::Mark;
use warlord::events::Event;
use warlord::state::{Centre, LEVEL};
use warlord::tables::Terrain;

use super::board::*;

/// City 23 of seat 1 on a wide plain, with a stock of 100 PP.
fn city_23() -> Board {
    let drawing = "~~~~~~~
                   ~.....~
                   ~..C..~
                   ~.....~
                   ~~~~~~~";
    Board::new(1, drawing).city(23, 1, 'C').stock(1, 100)
}

/// PP that a card took from the stock of seat 1, in hundredths.
fn spent(board: &mut Board, card: &str) -> i64 {
    let before = board.power(1).stock;
    board.play(&[(1, card)]);
    before + board.power(1).income - board.power(1).stock
}

fn working(item: u8, left: u8, spent: i64) -> Centre {
    Centre::Working { item, left, spent }
}

#[test]
fn case_09_a_level_costs_five_times_the_current_level() {
    for (level, cost) in [(2, 10), (1, 5), (8, 40)] {
        let mut board = city_23().level(23, level);
        assert_eq!(spent(&mut board, "C 23 21"), cost * 100, "from level {level}");
        assert_eq!(board.town(1, 23).level, level + 1);
    }
    // Each of several levels has its own price: 2 to 4 costs 10 and 15.
    let mut board = city_23().level(23, 2);
    assert_eq!(spent(&mut board, "C 23 22"), 2500);
    assert_eq!(board.town(1, 23).level, 4);
}

#[test]
fn each_level_takes_a_centre_of_its_own() {
    let mut board = city_23().level(23, 2);
    let line = board.echo(1, "C 23 22\nC 23 1");
    assert!(line.note.starts_with("centre 3: Infantry for 1 PP"), "{}", line.note);
    let line = board.echo(1, "C 23 23");
    assert_eq!(
        line.note,
        "centres 1, 2 and 3: 3 defence levels for 45 PP, ready at the end of turn 1"
    );
    let line = board.echo(1, "C 23 23\nC 23 3");
    assert_eq!(line.mark, Mark::Warning, "no centre is left");
    assert!(line.note.ends_with("this drops a defence level of line 1, 20 PP lost"));
    assert_eq!(spent(&mut board, "C 23 23\nC 23 21"), 6500, "the fourth replaces the third");
    assert_eq!(board.town(1, 23).level, 5);
    // Each by the rule: idle centres first, then one that is ready to restart, then centre 3.
    let mut busy = city_23();
    busy.city_mut(23).centres = [Centre::Ready(1), working(3, 2, 500), Centre::Idle];
    let line = busy.echo(1, "C 23 22");
    assert!(line.note.starts_with("centres 3 and 1: 2 defence levels for 5 PP"), "{}", line.note);
    assert!(line.note.ends_with("this ends Infantry, which was next there"), "{}", line.note);
    let line = busy.echo(1, "C 23 21\nC 23 1");
    assert!(line.note.ends_with("; it was next there without an order"), "{}", line.note);
    let line = busy.echo(1, "C 23 23");
    assert!(line.note.ends_with("this gives up Tanks, 5 PP lost"), "{}", line.note);
    // The first level costs nothing, so nothing is lost with it.
    busy.city_mut(23).centres = [working(3, 2, 500), working(3, 2, 500), working(LEVEL, 1, 0)];
    let line = busy.echo(1, "C 23 1");
    assert!(line.note.ends_with("this gives up a defence level"), "{}", line.note);
    // Fewer levels if PP are short, and none beyond the ninth.
    let poor = city_23().level(23, 1).stock(1, 7);
    let line = poor.echo(1, "C 23 22");
    assert_eq!(line.mark, Mark::Warning);
    assert!(line.note.ends_with("centre 2 waits: it needs 10 PP and you have 2"), "{}", line.note);
    let high = city_23().level(23, 8).echo(1, "C 23 22");
    assert!(high.note.starts_with("centre 1: 1 defence level for 40 PP"), "{}", high.note);
    assert_eq!(high.mark, Mark::Warning);
}

#[test]
fn case_09_the_first_level_is_free_but_takes_a_centre() {
    let mut board = city_23().stock(1, 0);
    board.city_mut(23).centres = [working(3, 2, 500), Centre::Idle, working(3, 2, 500)];
    assert_eq!(board.echo(1, "C 23 21").mark, Mark::Ok);
    let echo = board.echo(1, "C 23 21\nC 23 3");
    assert_eq!(echo.mark, Mark::Warning, "no centre is left: {}", echo.note);
    assert_eq!(spent(&mut board, "C 23 21"), 0);
    assert_eq!(board.town(1, 23).level, 1);
}

#[test]
fn case_09_the_tenth_level_is_refused() {
    assert_eq!(city_23().level(23, 9).echo(1, "C 23 21").mark, Mark::Error);
}

#[test]
fn case_10_a_halt_stops_its_centres_and_loses_the_pp_spent() {
    let mut board = city_23();
    board.city_mut(23).centres = [working(3, 2, 500), working(2, 2, 300), working(5, 2, 400)];
    assert_eq!(spent(&mut board, "C 23 36"), 0, "nothing comes back");
    assert_eq!(board.town(1, 23).centres, [working(3, 1, 500), Centre::Idle, Centre::Idle]);
    board.play(&[]);
    let built = board.heard(1).filter(|e| matches!(e, Event::Built { .. })).count();
    assert_eq!(built, 1, "only the tank is delivered");
}

#[test]
fn case_10_each_halt_code_names_its_centres() {
    let centres = [(31, "0__"), (32, "_0_"), (33, "__0"), (34, "00_"), (35, "0_0"), (36, "_00")];
    for (code, idle) in centres.into_iter().chain([(37, "000")]) {
        let mut board = city_23();
        board.city_mut(23).centres = [working(12, 4, 1000); 3];
        board.play(&[(1, &format!("C 23 {code}"))]);
        let now = board.town(1, 23).centres;
        let drawn: String =
            now.iter().map(|c| if *c == Centre::Idle { '0' } else { '_' }).collect();
        assert_eq!(drawn, idle, "code {code}");
    }
}

#[test]
fn a_construct_after_a_halt_uses_the_halted_centre() {
    let mut board = city_23();
    board.city_mut(23).centres = [Centre::Idle, working(3, 2, 500), working(3, 2, 500)];
    board.play(&[(1, "C 23 33\nC 23 5")]);
    let centres = board.town(1, 23).centres;
    assert_eq!(centres, [Centre::Idle, working(3, 1, 500), working(5, 1, 400)]);
}

#[test]
fn case_11_a_third_construct_uses_the_third_centre() {
    let mut board = city_23();
    board.play(&[(1, "C 23 3\nC 23 2\nC 23 5")]);
    let centres = board.town(1, 23).centres;
    assert_eq!(centres, [working(3, 1, 500), working(2, 1, 300), working(5, 1, 400)]);
}

#[test]
fn case_11_a_fourth_construct_replaces_the_one_that_is_ready_to_restart() {
    let mut board = city_23();
    board.city_mut(23).centres = [working(3, 2, 500), Centre::Ready(1), working(3, 2, 500)];
    board.play(&[(1, "C 23 5")]);
    let centres = board.town(1, 23).centres;
    assert_eq!(centres, [working(3, 1, 500), working(5, 1, 400), working(3, 1, 500)]);
}

#[test]
fn case_11_a_fourth_construct_replaces_centre_three_when_all_are_busy() {
    let mut board = city_23();
    let card = "C 23 3\nC 23 3\nC 23 3\nC 23 5";
    assert_eq!(board.echo(1, card).mark, Mark::Warning);
    assert_eq!(spent(&mut board, card), 1900, "the third tank's five PP are lost");
    let centres = board.town(1, 23).centres;
    assert_eq!(centres, [working(3, 1, 500), working(3, 1, 500), working(5, 1, 400)]);
}

#[test]
fn case_12_a_centre_short_of_pp_waits_and_starts_when_they_are_there() {
    let mut board = city_23().stock(1, 4);
    board.play(&[(1, "C 23 3")]);
    assert_eq!(board.town(1, 23).centres[0], Centre::Ready(3));
    assert!(board.heard(1).any(|e| matches!(e, Event::Waits { city: 23, centre: 1 })));
    // The income of three PP makes seven.
    board.play(&[]);
    assert_eq!(board.town(1, 23).centres[0], working(3, 1, 500));
    board.play(&[]);
    assert!(board.heard(1).any(|e| matches!(e, Event::Built { city: 23, kind: TANK, .. })));
}

#[test]
fn case_12_orders_come_before_restarts_and_restarts_by_city_and_centre() {
    let mut board = city_23().stock(1, 6);
    board.city_mut(23).centres = [Centre::Ready(3), Centre::Ready(1), Centre::Idle];
    // The new order takes 4 of 6 PP; the tank can't restart, the infantry can.
    board.play(&[(1, "C 23 5")]);
    let centres = board.town(1, 23).centres;
    assert_eq!(centres[0], Centre::Ready(3));
    assert_eq!(centres[2], working(5, 1, 400));
    assert!(board.heard(1).any(|e| matches!(e, Event::Built { kind: INFANTRY, .. })));
}

#[test]
fn case_13_income_is_not_spendable_in_its_own_turn() {
    let mut board = city_23().stock(1, 0);
    board.play(&[(1, "C 23 1")]);
    assert_eq!(board.power(1).stock, 300, "three PP came in and none could be spent");
    assert_eq!(board.power(1).units.len(), 0);
    board.play(&[]);
    assert_eq!(board.power(1).stock, 500, "one of them is spent in the next turn");
    assert_eq!(board.power(1).units.len(), 1);
}

#[test]
fn case_14_a_sector_cut_off_from_every_city_pays_nothing_and_is_shaded_light() {
    let drawing = "~~~~~~~~
                   ~CXY.Z.~
                   ~~~~~~~~";
    let mut board = Board::new(1, drawing).city(1, 1, 'C').held(1, "XYZ");
    board = board.ground('Y', Terrain::Hills);
    board.play(&[]);
    // The city 3.00, open land 0.05, hills 0.03; Z has no chain of own land.
    assert_eq!(board.power(1).income, 308);
    assert_eq!(board.chart(1, 'Z').text, ["-"], "own land without supply");
    assert_eq!(board.chart(1, 'X').text, ["+"]);
    assert!(board.section(1, "Economy").contains("of them 3 in supply"));
}

#[test]
fn case_14_a_lost_link_stops_the_income_beyond() {
    let drawing = "~~~~~~~~
                   ~CXYZ..~
                   ~~~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').held(1, "XYZ");
    board.play(&[]);
    assert_eq!(board.power(1).income, 315);
    let mut board = board.held(2, "X");
    board.play(&[]);
    assert_eq!(board.power(1).income, 300);
}

/// A free sector X with eight neighbours, of which `own` belong to seat 1.
fn ringed(own: usize) -> Board {
    let drawing = "~~~~~~~
                   ~.ABC.~
                   ~.DXE.~
                   ~.FGH.~
                   ~~~~~~~";
    let mut board = Board::new(1, drawing).held(1, &"ABCDEFGH"[..own]);
    board.play(&[]);
    board
}

#[test]
fn case_15_five_own_neighbours_claim_a_sector() {
    assert_eq!(ringed(5).holder('X'), 1);
    assert_eq!(ringed(8).holder('X'), 1);
}

#[test]
fn case_15_four_own_neighbours_do_not() {
    assert_eq!(ringed(4).holder('X'), 0);
}

#[test]
fn case_15_claims_are_made_at_once_on_the_state_before() {
    // Y gets its fifth neighbour by the claim of X, which is too late this turn.
    let drawing = "~~~~~~
                   ~ABC.~
                   ~DXYE~
                   ~FGH.~
                   ~~~~~~";
    let mut board = Board::new(1, drawing).held(1, "ABCDFEH");
    board.play(&[]);
    assert_eq!((board.holder('X'), board.holder('Y')), (1, 0));
    board.play(&[]);
    assert_eq!(board.holder('Y'), 1);
}

#[test]
fn case_15_neighbours_of_several_players_and_held_sectors_are_left_alone() {
    let drawing = "~~~~~~~
                   ~.ABC.~
                   ~.DXE.~
                   ~.FGH.~
                   ~~~~~~~";
    let mut mixed = Board::new(2, drawing).held(1, "ABCD").held(2, "EFGH");
    mixed.play(&[]);
    assert_eq!(mixed.holder('X'), 0);
    let mut foreign = Board::new(2, drawing).held(1, "ABCDEFGH").held(2, "X");
    foreign.play(&[]);
    assert_eq!(foreign.holder('X'), 2);
}

#[test]
fn case_31_counter_spying_is_charged_every_turn_until_stopped() {
    let mut board = city_23();
    assert_eq!(spent(&mut board, "I 1 3"), 300);
    assert_eq!(spent(&mut board, ""), 300);
    assert_eq!(spent(&mut board, "D 1"), 300, "other orders do not stop it");
    assert_eq!(spent(&mut board, "I 1 0"), 0);
    assert_eq!(spent(&mut board, ""), 0);
}

#[test]
fn case_31_an_order_in_error_does_not_stop_the_budget() {
    let mut board = city_23();
    board.play(&[(1, "I 1 3")]);
    assert_eq!(spent(&mut board, "I 77 5"), 300, "there is no player 77");
    assert_eq!(spent(&mut board, ""), 300);
}

#[test]
fn case_31_spying_on_another_ends_the_budget() {
    let drawing = "~~~~~
                   ~.C.~
                   ~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').stock(1, 50);
    board.play(&[(1, "I 1 3")]);
    board.play(&[(1, "I 2 3")]);
    assert_eq!(spent(&mut board, ""), 0);
}

#[test]
fn case_31_the_printout_names_what_was_paid() {
    let mut board = city_23().stock(1, 2);
    board.play(&[(1, "I 1 5")]);
    assert_eq!(board.power(1).stock, 300, "two PP were there to be paid");
    let paid = board.heard(1).find_map(|e| match e {
        Event::CounterSpying { paid } => Some(*paid),
        _ => None,
    });
    assert_eq!(paid, Some(200));
}

#[test]
fn case_34_ships_are_not_built_inland() {
    let drawing = "~~~~~~~~~
                   ~.......~
                   ~..I....~
                   ~......P~
                   ~~~~~~~~~";
    let board = Board::new(1, drawing).city(1, 1, 'I').city(2, 1, 'P').stock(1, 100);
    for ship in 10..=14 {
        assert_eq!(board.echo(1, &format!("C 1 {ship}")).mark, Mark::Error, "inland, ID {ship}");
        assert_eq!(board.echo(1, &format!("C 2 {ship}")).mark, Mark::Ok, "on the coast");
    }
    let mut board = board;
    assert_eq!(spent(&mut board, "C 1 10"), 0);
    assert_eq!(board.town(1, 1).centres, [Centre::Idle; 3]);
}

#[test]
fn new_regiments_join_a_division_of_their_type_up_to_forty_five() {
    let mut board = city_23().unit(1, 1, (44, INFANTRY), 'C').unit(1, 2, (9, TANK), 'C');
    board.play(&[(1, "C 23 1\nC 23 1")]);
    let sizes: Vec<(u16, u16)> = board.power(1).units.iter().map(|(n, u)| (*n, u.size)).collect();
    assert_eq!(sizes, [(1, 45), (2, 9), (3, 1)], "the second one forms unit 3");
}

#[test]
fn new_regiments_are_not_ready_before_the_end_of_the_turn() {
    let mut board = city_23();
    board.play(&[(1, "C 23 1\nM 1 1")]);
    assert!(board.stands(1, 1, 'C'));
    assert_eq!(board.result(1, 2).0, Mark::Error);
}

#[test]
fn planes_are_delivered_to_the_airbase() {
    let mut board = city_23();
    board.play(&[(1, "C 23 18\nC 23 18")]);
    assert_eq!(board.town(1, 23).hangar.planes.fighters, 2);
    assert!(board.heard(1).any(|e| matches!(e, Event::PlaneBuilt { kind: FIGHTER, .. })));
}
