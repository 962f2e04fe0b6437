//! §8: world leader, coalitions, dropped players and rebels, fallen empires.

use engine::{CardText, Cards, Dice, Input, Mark, Printouts, Rules, Seat, Setup, Sits};
use warlord::Warlord;
use warlord::events::Event;
use warlord::state::Centre;

use super::board::*;

/// Ten cities: seat 1 has the first two, seats 2 to 5 have one each, the rest are uncontrolled.
fn ten_cities() -> Board {
    let drawing = "~~~~~~~~~~~~
                   ~A.B.C.D.E~~
                   ~.........K~
                   ~F.G.H.I.J~~
                   ~~~~~~~~~~~~";
    let mut board = Board::new(6, drawing);
    for (number, (seat, spot)) in (1..).zip([
        (1, 'A'),
        (1, 'B'),
        (2, 'C'),
        (3, 'D'),
        (4, 'E'),
        (5, 'F'),
        (0, 'G'),
        (0, 'H'),
        (0, 'I'),
        (0, 'J'),
    ]) {
        board = board.city(number, seat, spot);
    }
    board.unit(6, 1, (1, INFANTRY), 'K')
}

const EVERYBODY: [(u8, &str); 6] = [(1, "#"), (2, "#"), (3, "#"), (4, "#"), (5, "#"), (6, "#")];

fn over(board: &Board) -> Option<Vec<u8>> {
    board.state.over.as_ref().map(|o| o.winners.iter().copied().collect())
}

#[test]
fn case_38_world_leader_after_three_turns_with_a_fifth_not_after_two() {
    let mut board = ten_cities();
    board.play(&EVERYBODY);
    board.play(&EVERYBODY);
    assert_eq!(over(&board), None);
    assert!(board.section(1, "Politics").contains("2 of 10 cities, enough to win: turn 2"));
    board.play(&EVERYBODY);
    assert_eq!(over(&board), Some(vec![1]));
    let scores = Warlord::result(&board.state).expect("the game is over");
    assert_eq!(scores[0].rank, 1);
    assert!(scores[1..].iter().all(|s| s.rank > 1));
    assert!(board.section(3, "The end").contains("player 1 is World Leader"));
    assert!(board.section(1, "The end").contains("you are World Leader"));
    // Everybody sees the whole map now.
    assert_eq!(board.view(6).cities.len(), 10);
}

#[test]
fn the_three_turns_must_be_in_a_row() {
    let mut board = ten_cities().unit(2, 1, (9, INFANTRY), 'C');
    board.play(&EVERYBODY);
    board.play(&[(2, "A 1 00402"), (1, "#"), (3, "#"), (4, "#"), (5, "#"), (6, "#")]);
    assert_eq!(board.power(1).held, 0, "city 2 was lost");
    assert_eq!(board.power(2).held, 1);
}

/// Orders of J for each pair of the given seats.
fn pledges(seats: &[u8]) -> Vec<(u8, String)> {
    let card = |s: &u8| {
        let others = seats.iter().filter(|o| *o != s).map(|o| format!("J {o}\n"));
        (*s, others.collect::<String>())
    };
    seats.iter().map(card).collect()
}

fn play_pledges(board: &mut Board, seats: &[u8]) {
    let cards = pledges(seats);
    let cards: Vec<(u8, &str)> = cards.iter().map(|(s, c)| (*s, c.as_str())).collect();
    board.play(&cards);
}

fn coalitions(board: &Board) -> Vec<Vec<u8>> {
    board.state.coalitions.iter().map(|c| c.members.iter().copied().collect()).collect()
}

#[test]
fn a_coalition_stands_when_each_member_has_ordered_it_for_all() {
    let mut board = ten_cities().turn(14);
    assert_eq!(board.echo(2, "J 3").mark, Mark::Error, "not before turn 15");
    let early = |ahead| Warlord::judge(&board.view(2), &CardText::new("J 3"), ahead);
    let sheet = 15 - board.state.turn;
    assert_eq!(early(sheet).count(Mark::Error), 0, "a card for turn 15");
    assert_eq!(early(sheet - 1).count(Mark::Error), 1);
    board = board.turn(15);
    let sheet = board.section(2, "Coalitions").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(sheet.contains("2 members 28 %, 3 members 36 %"), "{sheet}");
    assert!(sheet.ends_with("6 or more members 60 %."), "{sheet}");
    board.play(&[(2, "J 3")]);
    assert_eq!(coalitions(&board), Vec::<Vec<u8>>::new(), "3 has not ordered it");
    board.play(&[(2, "J 4"), (3, "J 2"), (4, "J 2")]);
    // 3 and 4 have not ordered J for each other: 2 is with 3 only.
    assert_eq!(coalitions(&board), [[2, 3]]);
    assert!(board.power(2).allies.contains(&3) && board.power(3).allies.contains(&2));
    assert!(board.section(4, "Alliances").contains("You offer a coalition to: 2"));
    board.play(&[(3, "J 4"), (4, "J 3")]);
    assert_eq!(coalitions(&board), [[2, 3, 4]]);
    assert!(board.section(3, "Alliances").contains("Your coalition: players 2-4"));
    assert_eq!(board.echo(2, "D 3").mark, Mark::Error, "members are allies");
}

#[test]
fn members_leave_or_are_voted_out_by_a_majority_of_the_others() {
    let mut board = ten_cities().turn(15);
    play_pledges(&mut board, &[2, 3, 4]);
    assert_eq!(coalitions(&board), [[2, 3, 4]]);
    board.play(&[(2, "J -4")]);
    assert_eq!(coalitions(&board), [[2, 3, 4]], "one of two is no majority");
    board.play(&[(3, "J -4")]);
    assert_eq!(coalitions(&board), [[2, 3]], "a vote stands until it is withdrawn");
    assert!(board.section(4, "Politics").contains("You were voted out"));
    let mut two = board.clone();
    two.play(&[(2, "J -3")]);
    assert_eq!(coalitions(&two), Vec::<Vec<u8>>::new(), "the one other is all of them");
    board.play(&[(2, "J 0")]);
    assert_eq!(coalitions(&board), Vec::<Vec<u8>>::new(), "one member is no coalition");
    assert_eq!(board.echo(2, "J -3").mark, Mark::Error);
}

#[test]
fn a_coalition_needs_eight_per_cent_more_for_each_member() {
    // 2, 3 and 4 hold three of ten cities: enough for two members (28 %), not for
    // three (36 %).
    let mut board = ten_cities().turn(15);
    board.city_mut(3).level = 0;
    let mut three = board.clone();
    for _ in 0..4 {
        play_pledges(&mut three, &[2, 3, 4]);
    }
    assert_ne!(over(&three), Some(vec![2, 3, 4]));
    // Seat 2 takes a fourth city: 2 and 3 hold three.
    let mut two = board.unit(2, 1, (9, INFANTRY), 'C');
    play_pledges(&mut two, &[2, 3]);
    two.play(&[(2, "A 1 00404")]);
    assert_eq!(two.power(2).cities.len(), 2, "city 7 is taken");
    let held = two.state.coalitions[0].held;
    assert_eq!(held, 1, "3 of 10 cities");
}

#[test]
fn cities_of_a_dropped_player_rebel_and_send_out_forces() {
    let mut board = ten_cities().unit(2, 1, (7, INFANTRY), 'C');
    for turn in 1..=4 {
        board.play_with(&[(1, "#"), (3, "#")], 249);
        assert!(board.power(2).cities.contains_key(&3), "turn {turn} without a card");
        board.state.over = None;
        let warned = board.section(2, "Missed cards");
        let left = match turn {
            1 => "If 3 more turns pass without a card",
            3 => "If 1 more turn passes without a card",
            4 => "Your empire counts as given up",
            _ => "chance of 25 in a hundred",
        };
        assert!(warned.contains(left), "turn {turn}: {warned}");
    }
    board.state.over = None;
    board.play_with(&[(1, "#"), (3, "#")], 249);
    assert!(board.heard(2).any(|e| matches!(e, Event::Rebelled { city: 3, .. })));
    let city = &board.power(0).cities[&3];
    assert!(city.rebel && matches!(city.centres[2], Centre::Ready(TANK)));
    assert!(board.power(2).cities.is_empty(), "the only one");
    assert_eq!(board.power(2).fell, Some(5), "and so it fell");
    let news = board.section(5, "World news");
    assert!(news.contains("City 3 of player 2 is in the hands of rebels."), "{news}");
    assert!(news.contains("The empire of player 2 has fallen."), "{news}");
    let troops = board.power(0).units.values().find(|u| u.at == city.at).expect("they joined");
    assert!(troops.goal.is_some(), "seven regiments march on the nearest city");
    board.play_with(&[(1, "#"), (3, "#")], 999);
    assert!(board.power(0).units.values().any(|u| u.kind == INFANTRY));
}

#[test]
fn troops_in_a_city_that_rises_follow_it_and_no_others() {
    let drawing = "~~~~~~~~~
                   ~A.B.C.D~
                   ~.......~
                   ~~~~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'A').city(2, 2, 'B').city(3, 2, 'C');
    board = board.unit(2, 1, (7, INFANTRY), 'B').unit(2, 2, (3, INFANTRY), 'D');
    for _ in 1..=4 {
        board.play_with(&[(1, "#")], 999);
        board.state.over = None;
    }
    // One of the two cities rebels, with a seed by which the other does not.
    let risen = (0..100).find_map(|seed| {
        let mut after = board.clone();
        after.roll(&[(1, "#")], &mut engine::Dice::new(seed));
        let left = after.power(2).cities.keys().copied().collect::<Vec<_>>();
        (left == [3]).then_some(after)
    });
    let mut after = risen.expect("one city rises alone");
    let size = |seat: u8| after.power(seat).units.values().map(|u| u.size).collect::<Vec<_>>();
    assert_eq!((size(0), size(2)), (vec![7], vec![3]), "those elsewhere stay loyal");
    // When the last city of a dropped player rebels, the remaining units disband.
    after.state.over = None;
    after.play_with(&[(1, "#")], 249);
    assert!(after.power(2).cities.is_empty() && after.power(2).units.is_empty());
    assert!(after.heard(2).any(|e| matches!(e, Event::Lost { kind: INFANTRY, size: 3, .. })));
}

#[test]
fn who_has_resigned_is_dropped_at_once_and_a_computer_never() {
    let seats = [(Seat(2), Sits::Left), (Seat(3), Sits::Computer)].into();
    let cards = [(Seat(1), CardText::new("#"))].into();
    let mut state = ten_cities().state;
    for turn in 1..=6 {
        let input = Input { cards: &cards, seats: &seats };
        state = Warlord::step(state, &input, &mut Dice::middling(249)).state;
        state.over = None;
        assert!(state.powers[2].cities.is_empty(), "turn {turn}: they rose in the first");
        assert!(state.powers[3].missed == 0 && !state.powers[3].cities.is_empty());
    }
}

#[test]
fn a_card_within_the_time_keeps_the_cities_loyal() {
    let mut board = ten_cities();
    for turn in 1..=9 {
        board.state.over = None;
        let mut cards = EVERYBODY.to_vec();
        cards.retain(|(seat, _)| *seat != 2 || turn % 5 == 0);
        board.play_with(&cards, 249);
        assert!(board.power(2).cities.contains_key(&3));
    }
}

#[test]
fn the_turns_of_absence_are_an_option_of_the_game() {
    let mut setup = Setup { seats: 2, ..Setup::default() };
    setup.options.insert("absent_turns".to_owned(), "7".to_owned());
    let mut dice = engine::Dice::new(1);
    let state = Warlord::new_game(&setup, &mut dice).expect("a game");
    assert_eq!(state.tables.rules.absence.turns, 7);
    assert_eq!(state.tables.rules.victory.leader_percent, 60, "of two seats");
    setup.options.insert("leader_percent".to_owned(), "45".to_owned());
    let state = Warlord::new_game(&setup, &mut dice).expect("a game");
    assert_eq!(state.tables.rules.victory.leader_percent, 45);
    setup.options.insert("leader_percent".to_owned(), "101".to_owned());
    setup.options.insert("absent_turns".to_owned(), "some".to_owned());
    let faults = Warlord::new_game(&setup, &mut dice).expect_err("two faults");
    assert_eq!(faults.len(), 2, "{faults:?}");
}

#[test]
fn small_games_need_a_larger_share_to_win() {
    let share = |seats: u8| {
        let setup = Setup { seats, ..Setup::default() };
        let state = Warlord::new_game(&setup, &mut Dice::new(1)).expect("a game");
        state.tables.rules.victory.leader_percent
    };
    assert_eq!(
        [2, 3, 4, 5, 8, 9, 16, 17, 40, 41].map(share),
        [60, 50, 50, 40, 40, 34, 34, 25, 25, 20]
    );
}

#[test]
fn the_world_hears_who_may_win_and_which_cities_change_hands() {
    let mut board = ten_cities().unit(2, 1, (9, INFANTRY), 'C');
    board.play(&EVERYBODY);
    let news = board.section(5, "World news");
    assert!(news.contains("Player 1 holds enough cities to win: turn 1 of 3 in a row."), "{news}");
    let own = board.section(1, "Politics");
    assert!(own.contains("enough to win: turn 1 of 3 in a row."), "{own}");
    assert!(board.section(1, "World news").contains("Nothing beyond your own affairs."));
    assert!(board.section(1, "Summary").contains("You hold enough cities to win"));
    assert!(board.section(5, "Summary").contains("Player 1 holds enough cities to win"));
    let mut cards = EVERYBODY.to_vec();
    cards[1] = (2, "A 1 00402");
    board.play(&cards);
    let news = board.section(5, "World news");
    assert!(news.contains("Cities that changed hands: 2 from player 1 to player 2."), "{news}");
    let all: String = (1..=6).map(|seat| board.section(seat, "World news")).collect();
    assert!(!all.contains("004") && !all.contains("CITY"), "nothing of places: {all}");
    play_pledges(&mut board, &[]);
    let mut board = board.turn(15);
    play_pledges(&mut board, &[2, 3]);
    assert!(board.section(5, "World news").contains("Players 2-3 form a coalition."));
    board.play(&[(3, "J 0")]);
    assert!(board.section(5, "World news").contains("The coalition of players 2-3 is no more."));
}

#[test]
fn an_empire_without_city_and_unit_has_fallen_and_sees_no_more_than_it_knew() {
    let mut board = ten_cities().unit(1, 1, (9, TANK), 'E');
    board.play(&[(1, "M 1 66655"), (6, "#")]);
    assert!(!board.lives(6, 1) || board.power(6).fell.is_none());
    let mut board = ten_cities();
    board.state.powers[6].units.clear();
    board.play(&EVERYBODY);
    assert_eq!(board.power(6).fell, Some(1));
    assert!(board.section(6, "The end").contains("Your empire has fallen"));
    let view = board.view(6);
    assert!(view.cities.is_empty() && view.control.iter().all(|h| *h == 0), "not the whole map");
    assert!(board.section(6, "The end").contains("The whole map comes when the game is over"));
    assert_eq!(board.echo(6, "Y 1 151").mark, Mark::Error);
    let awaited = Warlord::wait(&board.state).seats;
    assert!(!awaited.contains(&Seat(6)) && awaited.contains(&Seat(5)));
    board.play(&[(6, "Y 1 151")]);
    assert!(board.heard(1).all(|e| !matches!(e, Event::Message { .. })));
    assert!(Warlord::report(&board.view(6), "en").is_none(), "no more printouts");
}

#[test]
fn a_game_that_nobody_plays_any_more_is_over() {
    let mut board = ten_cities();
    for power in &mut board.state.powers[1..] {
        power.missed = 9;
    }
    board.play(&[]);
    assert_eq!(over(&board), Some(Vec::new()));
}
