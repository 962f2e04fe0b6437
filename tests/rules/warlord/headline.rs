//! §10: what a printout says first.

use std::sync::Arc;

use engine::Rules;
use engine::report::Line;
use render::text::flat;
use warlord::Warlord;
use warlord::state::Billet;

use super::board::*;

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| flat(l).replace('\u{a0}', " ")).collect()
}

impl Board {
    /// The sentences that a seat reads first.
    fn first(&self, seat: u8) -> Vec<String> {
        texts(&Warlord::headline(&self.view(seat)).sentences)
    }

    /// Nobody is about to win: that is news of its own.
    fn long(mut self) -> Self {
        Arc::make_mut(&mut self.state.tables).rules.victory.leader_percent = 100;
        self
    }

    fn needs(&self, seat: u8) -> Vec<String> {
        texts(&Warlord::headline(&self.view(seat)).needs)
    }

    fn chronicle(&self) -> Vec<String> {
        texts(&Warlord::chronicle(&self.state, &self.events))
    }
}

/// Two cities of player 2 beside armies of player 1, and a far corner.
fn two_sieges() -> Board {
    let drawing = "~~~~~~~~~~
                   ~AC....DB~
                   ~........~
                   ~F..E....~
                   ~~~~~~~~~~";
    Board::new(3, drawing)
        .city(1, 2, 'C')
        .city(2, 2, 'D')
        .city(3, 2, 'E')
        .city(4, 3, 'F')
        .unit(1, 1, (8, INFANTRY), 'A')
        .unit(1, 2, (8, INFANTRY), 'B')
        .long()
}

#[test]
fn a_lost_city_comes_first_and_cities_lost_to_one_power_share_a_sentence() {
    let mut board = two_sieges();
    board.play(&[(1, "M 1 3\nM 2 7")]);
    let lost = "You lost CITY 1 (00302) and CITY 2 (00802) to player 1.";
    assert_eq!(board.first(2)[0], lost);
    assert_eq!(board.first(1)[0], "You took CITY 1 (00302) and CITY 2 (00802) from player 2.");
    let told = "Player 1 took CITY 1 (00302) and CITY 2 (00802) from player 2.";
    assert_eq!(board.chronicle()[0], told);
    // Player 3 has nothing to do with it.
    assert!(board.first(3).iter().all(|s| !s.contains("CITY")), "{:?}", board.first(3));
}

#[test]
fn destroyed_forces_are_told_to_both_with_place_and_number() {
    let drawing = "~~~~~~
                   ~AD.H~
                   ~...K~
                   ~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 2, 'H').city(2, 1, 'K').long();
    board = board.unit(1, 1, (40, INFANTRY), 'A').unit(2, 1, (3, INFANTRY), 'D');
    board.play(&[(1, "M 1 3")]);
    let (own, other) = (board.first(2), board.first(1));
    assert!(own[0].starts_with("Player 1 destroyed your 3 Infantry at 00302"), "{own:?}");
    assert!(
        other[0].starts_with("Your unit 1 destroyed 3 Infantry of player 2 at 00302"),
        "{other:?}"
    );
    // Unit numbers are their owner's affair.
    assert!(own.iter().all(|s| !s.contains("unit 1")), "{own:?}");
    assert!(board.chronicle().iter().any(|s| s.starts_with("Player 1 destroyed 3 Infantry")));
    // They met for the first time.
    assert!(own.contains(&"You met player 1 for the first time.".to_owned()), "{own:?}");
}

#[test]
fn the_first_turn_says_who_one_is_and_what_comes_first() {
    let drawing = "~~~~~~~~
                   ~C...F.~
                   ~......~
                   ~~~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').city(2, 0, 'F').stock(1, 20);
    board = board.unit(1, 1, (5, INFANTRY), 'C').general(1, 0, Billet::City(1));
    let first = board.first(1);
    assert_eq!(first.len(), 3, "{first:?}");
    assert_eq!(first[0], "You are player 1 of 2; your empire begins in CITY 1 (00202).");
    assert_eq!(first[1], "You have 20 PP to spend and 1 unit to lead.");
    assert!(first[2].starts_with("First put your centres to work"), "{first:?}");
    let needs = [
        "Idle production centres: 3, in city 1.",
        "Units without orders: 1 (unit 1).",
        "You have 20 PP to spend.",
    ];
    assert_eq!(board.needs(1), needs);
}

#[test]
fn a_quiet_turn_says_how_things_stand_in_three_sentences() {
    let mut board = two_sieges().turn(5);
    // In the first turn the two meet.
    board.play(&[]);
    board.play(&[]);
    let first = board.first(2);
    assert_eq!(first.len(), 3, "{first:?}");
    assert!(first[0].starts_with("You hold 3 cities and"), "{first:?}");
    assert!(Warlord::headline(&board.view(2)).news(2).is_empty());
    assert!(board.chronicle().is_empty());
}

#[test]
fn many_battles_are_counted_and_never_more_than_seven_sentences() {
    let row = "ABCDEFGH";
    let drawing = "~~~~~~~~~~
                   ~ABCDEFGH~
                   ~IJKLMNOP~
                   ~~~~~~~~~~";
    let mut board = Board::new(2, drawing);
    for (no, spot) in (1..).zip(row.chars()) {
        board = board.unit(1, no, (40, INFANTRY), spot);
    }
    for (no, spot) in (1..).zip("IJKLMNOP".chars()) {
        board = board.unit(2, no, (2 + no, INFANTRY), spot);
    }
    let card: Vec<String> = (1..=8).map(|n| format!("M {n} 5")).collect();
    board.play(&[(1, &card.join("\n"))]);
    for seat in [1, 2] {
        let first = board.first(seat);
        assert!((3..=7).contains(&first.len()), "{first:?}");
        let more = if seat == 1 { "You won " } else { "You lost " };
        let counted = first.iter().any(|s| s.starts_with(more) && s.contains("more battle"));
        assert!(counted, "{first:?}");
    }
}

#[test]
fn the_end_says_who_has_won_before_all_else() {
    let mut board = two_sieges().turn(9);
    board.play(&[(1, "M 1 3\nM 2 7")]);
    let winners = [1].into();
    board.state.over = Some(warlord::state::Victory { winners, turn: 9 });
    for seat in [1, 2, 3] {
        let first = board.first(seat);
        assert!(first[0].starts_with("Player 1 (seat 1) is World Leader and has won"), "{first:?}");
        assert!(board.needs(seat).is_empty());
    }
    assert!(board.first(1)[1].starts_with("You have won"), "{:?}", board.first(1));
    assert!(board.first(2)[1].starts_with("You end on rank"), "{:?}", board.first(2));
    assert!(board.chronicle()[0].starts_with("Player 1 (seat 1) is World Leader"));
}

#[test]
fn a_name_that_a_player_chose_is_marked_as_such() {
    use engine::report::Span;
    let mut board = two_sieges();
    board.city_mut(1).name = "A 12 12387".to_owned();
    board.play(&[(1, "M 1 3")]);
    let headline = Warlord::headline(&board.view(2));
    let spans = &headline.sentences[0].0;
    assert!(spans.contains(&Span::Chosen("A 12 12387".to_owned())), "{spans:?}");
}

#[test]
fn nothing_in_a_headline_follows_from_what_the_seat_does_not_know() {
    let mut board = two_sieges();
    board.play(&[(1, "M 1 3")]);
    let before = Warlord::headline(&board.view(3));
    // What player 1 has besides, and what happened to others, is nothing to player 3.
    let mut other = board.clone();
    other = other.stock(1, 99).tech(1, 7).unit(2, 9, (9, TANK), 'E');
    assert_eq!(Warlord::headline(&other.view(3)), before);
}
