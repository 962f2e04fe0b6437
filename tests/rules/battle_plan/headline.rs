//! §16: what a printout says first.

use super::board::*;
use battle_plan::BattlePlan;
use engine::Rules;
use engine::report::Line;
use render::text::flat;

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| flat(l).replace('\u{a0}', " ")).collect()
}

impl Board {
    /// The sentences that a seat reads first.
    fn first(&self, seat: u8) -> Vec<String> {
        texts(&BattlePlan::headline(&self.view(seat)).sentences)
    }

    fn chronicle(&self) -> Vec<String> {
        texts(&BattlePlan::chronicle(&self.state, &self.events))
    }
}

#[test]
fn a_lost_country_comes_first_with_name_code_and_who_took_it() {
    let board = Board::starting("TU SP SW NE")
        .occupied("BU", 3, 1)
        .set("BU", |c| c.industry = 0)
        .turn(&[(1, "3E @TU AC40BU")]);
    let first = board.first(3);
    assert!(first[0].starts_with("You lost Bulgaria (BU) to Turkey [1]"), "{first:?}");
    let first = board.first(1);
    assert!(first[0].starts_with("You took Bulgaria (BU) from Sweden [3]"), "{first:?}");
    let all = board.chronicle();
    assert!(all[0].starts_with("Turkey [1] took Bulgaria (BU) from Sweden [3]."), "{all:?}");
    // Who took it is no secret, and for player 4 it is no first news.
    let far = board.first(4);
    assert!(far.iter().any(|s| s.starts_with("Turkey [1] took Bulgaria (BU)")), "{far:?}");
}

#[test]
fn countries_gained_from_nobody_share_a_sentence_and_losses_are_counted() {
    let board = Board::starting("TU SP SW NE")
        .set("TU", |c| c.army = 80)
        .set("BU", |c| (c.army, c.navy, c.air, c.industry) = (1, 0, 0, 0))
        .set("UK", |c| (c.army, c.navy, c.air, c.industry) = (0, 0, 0, 0))
        .turn(&[(1, "@TU AC20BU AC20UK")]);
    let first = board.first(1);
    assert!(
        first.iter().any(|s| s == "You took Bulgaria (BU) and Ukraine (UK)."),
        "one sentence for both: {first:?}"
    );
}

#[test]
fn the_first_turn_says_who_one_is_and_a_quiet_one_how_things_stand() {
    let board = Board::starting("TU SP SW NE");
    let first = board.first(1);
    assert_eq!(first.len(), 3, "{first:?}");
    assert!(
        first[0].starts_with("You are Turkey [1], one of 4 players, and begin in Turkey (TU)."),
        "{first:?}"
    );
    assert!(first[2].starts_with("First spend your Dollars"), "{first:?}");
    let quiet = board.turn(&[]).turn(&[]);
    let first = quiet.first(1);
    assert_eq!(first.len(), 3, "{first:?}");
    assert!(first[0].starts_with("You hold 1 country; "), "{first:?}");
    assert!(quiet.chronicle().is_empty(), "{:?}", quiet.chronicle());
}

#[test]
fn a_wild_turn_has_seven_sentences_at_most() {
    let mut wild = 0;
    let mut board = Board::of("europe", 6, &[]).with_seed(3);
    for _ in 0..12 {
        let cards: Vec<(u8, String)> = (1..=6)
            .map(|seat| {
                let play = BattlePlan::play(&board.view(seat), "", &mut engine::Dice::new(4));
                let lines: Vec<String> = play.card.lines.into_iter().map(|l| l.1).collect();
                (seat, lines.join("\n"))
            })
            .collect();
        let cards: Vec<(u8, &str)> = cards.iter().map(|(s, t)| (*s, t.as_str())).collect();
        board = board.turn(&cards);
        for seat in 1..=6 {
            let first = board.first(seat);
            assert!((3..=7).contains(&first.len()), "{first:?}");
            wild = wild.max(BattlePlan::headline(&board.view(seat)).told);
        }
    }
    assert!(wild >= 5, "{wild}");
}

#[test]
fn who_has_said_numbers_only_reads_numbers_only() {
    let board = Board::starting("TU SP SW NE")
        .set_player(3, |p| p.compact = true)
        .occupied("BU", 3, 1)
        .turn(&[(1, "3E @TU AC40BU")]);
    assert!(board.first(3)[0].ends_with("to player 1."), "{:?}", board.first(3));
}

#[test]
fn nothing_in_a_headline_follows_from_what_the_seat_does_not_see() {
    let play = |army: i64| {
        Board::starting("TU SP SW NE")
            .set("UK", |c| (c.army, c.navy, c.air) = (army, 0, 0))
            .turn(&[(1, "@TU AC40UK")])
    };
    // Sweden sees neither place, so how strong the loser was changes nothing.
    let (one, other) = (play(3), play(20));
    let hers = |b: &Board| BattlePlan::headline(&b.view(3));
    assert_eq!(hers(&one), hers(&other));
}
