//! Acceptance cases 1 to 12 and 18 to 20 of the specification's §22.

use super::board::*;
use battle_plan::event::Count;
use battle_plan::state::Share;

#[test]
fn case_1_propaganda_at_home_and_abroad() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "P20TU")]);
    // 100 and the root of 20 x 180.
    assert_eq!(board.country("TU").hpi, 160);
    let board = Board::starting("TU SP SW NE").turn(&[(2, "P20TU")]);
    assert_eq!(board.country("TU").hpi, 80);
}

#[test]
fn case_2_a_conquest_with_two_of_twenty_lost_is_worth_16() {
    // Six armies of the minor are left after twelve planes too many.
    let board = Board::starting("TU SP SW NE").set("UK", |c| c.industry = 0).set("UK", |c| {
        (c.army, c.navy, c.air) = (6, 0, 0);
    });
    let board = board.turn(&[(1, "@TU AC20UK BA30")]);
    assert_eq!(board.side("UK", "TU").army, Count { sent: 20, lost: 2 });
    assert_eq!(board.country("TU").hpi, 116);
    assert_eq!(board.country("UK").owner, 1);
}

#[test]
fn case_3_builds_by_multiplier_keep_their_fraction() {
    let built = |multiplier: i64, industry: i64| {
        let board = Board::starting("TU SP SW NE")
            .set_player(1, |p| p.multipliers[1] = multiplier)
            .set("TU", |c| c.industry = industry);
        let board = board.turn(&[(1, &format!("@TU BA{industry}"))]);
        (board.country("TU").army - 50, board.country("TU").fractions[1])
    };
    assert_eq!(built(125, 4), (5, 0));
    assert_eq!(built(100, 4), (4, 0));
    assert_eq!(built(125, 3), (3, 75));
}

/// A country of player 1 with six industry and nothing else.
fn six_industry(code: &str) -> Board {
    Board::starting("SP NE SW DE").occupied(code, 1, 10).set(code, |c| {
        (c.tax, c.industry, c.army) = (0, 6, 10);
    })
}

const THREE_KINDS: &str = "BA50 BN25 BF25";

#[test]
fn case_4_default_builds_in_proportion() {
    let board = six_industry("GR").turn(&[(1, THREE_KINDS)]);
    let c = board.country("GR");
    assert_eq!((c.army, c.navy, c.air), (13, 2, 1));
    let board = six_industry("HU").turn(&[(1, THREE_KINDS)]);
    let c = board.country("HU");
    assert_eq!((c.army, c.navy, c.air), (14, 0, 2));
}

#[test]
fn case_5_what_is_built_explicitly_is_left_out_of_the_defaults() {
    let board = six_industry("GR").turn(&[(1, "@ BA50 BN25 BF25 @GR BA1")]);
    let c = board.country("GR");
    assert_eq!((c.army, c.navy, c.air), (11, 3, 2));
    let board = six_industry("GR").turn(&[(1, "@ BA50 BN25 BF25 @GR BA1 BN1 BF1")]);
    let c = board.country("GR");
    assert_eq!((c.army, c.navy, c.air, c.hpi), (11, 1, 1, 103));
    let minor = Board::starting("SP NE SW DE").controlled("GR", 1);
    let board = minor.turn(&[(1, "@ BA50 BN25 BF25 @GR BA1 BN1 BF1")]);
    // Ten at the start, one ordered, three as a minor's last resort.
    assert_eq!(board.country("GR").army, 14);
}

#[test]
fn case_6_a_default_stays_until_it_is_changed_to_0() {
    let board =
        Board::starting("SP NE SW DE").set_player(1, |p| p.defaults = [0, 0, 0, 100, 0, 0, 0]);
    let after = board.turn(&[(1, "BA100")]);
    let c = after.country("SP");
    assert_eq!((c.army, c.air), (50 + 15, 30 + 15));
    let board =
        Board::starting("SP NE SW DE").set_player(1, |p| p.defaults = [0, 0, 0, 100, 0, 0, 0]);
    let after = board.turn(&[(1, "BA100 BF0")]);
    assert_eq!(after.country("SP").army, 80);
}

#[test]
fn case_7_a_standing_order_takes_what_is_left_or_waits() {
    let board = Board::starting("SP NE SW DE").turn(&[(1, "@SP /1/BA999 BF10")]);
    let c = board.country("SP");
    assert_eq!((c.army, c.air), (70, 40));
    assert!(board.section(1, "Standing orders").contains("/1/BA999"));
    // With an explicit build of the same kind the standing order is skipped and kept.
    let board = board.turn(&[(1, "@SP BA10")]);
    let c = board.country("SP");
    assert_eq!((c.army, c.air), (80, 40));
    assert_eq!(board.country("SP").hpi, 100 + 20, "the rest builds Dollars");
    assert!(board.section(1, "Standing orders").contains("/1/BA999"));
    let board = board.turn(&[(1, "@SP /1/")]);
    assert_eq!(board.section(1, "Standing orders"), "");
}

#[test]
fn case_8_blockade_by_neighbours() {
    // Denmark's neighbours are Germany and the North Sea, Hungary has five.
    let suppressed = |board: Board, code: &str| {
        let board = board.turn(&[(1, "2E")]);
        let c = board.country(code);
        (c.tax_down, c.tax_down + c.tax)
    };
    let denmark = || Board::starting("DE SP SW NE");
    assert_eq!(suppressed(denmark().occupied("GE", 2, 10), "DE"), (25, 100));
    assert_eq!(suppressed(denmark().fleet("NTH", 2, 0, 5, 0), "DE"), (25, 100));
    let both = denmark().occupied("GE", 2, 10).fleet("NTH", 2, 0, 5, 0);
    assert_eq!(suppressed(both, "DE"), (50, 100));
    let hungary = Board::starting("HU SP SW NE");
    assert_eq!(suppressed(hungary.occupied("RU", 2, 10), "HU"), (10, 100));
    let forecast = denmark().occupied("GE", 2, 10).turn(&[(1, "2E S1GE")]).forecast(1, "");
    let forecast = forecast.replace("\n  ", " ");
    assert!(forecast.contains("Blockade of DE: 1 of 2 spaces"), "{forecast}");
    assert!(forecast.contains("suppresses 25%"), "{forecast}");
}

#[test]
fn case_9_spies_spread_evenly() {
    let board = ["LY", "PR", "FR", "BE"]
        .iter()
        .fold(Board::starting("TU NE SP SW"), |b, code| b.occupied(code, 3, 20));
    let board = board.turn(&[(1, "3S10")]);
    for code in ["SP", "LY", "PR", "FR", "BE"] {
        assert_eq!(board.country(code).spies[&1], 2, "{code}");
    }
    assert_eq!(board.player(1).spies, 2000);
}

#[test]
fn case_10_spies_escape_counterspies_with_one_chance_in_n_plus_1() {
    let survivors = |card: &'static str, by: u8| {
        let mut left = 0;
        for seed in 0..300 {
            let board = Board::starting("TU SP SW NE").with_seed(seed);
            let board = board.turn(&[(1, "S10GR"), (by, card)]);
            left += board.country("GR").spies.get(&1).copied().unwrap_or(0);
        }
        left
    };
    // 3000 spies: 95% survive, with one counterspy half of them, with three a quarter.
    let near = |n: i64, wanted: i64| (n - wanted).abs() < 120;
    let alone = survivors("", 2);
    assert!(near(alone, 2850), "{alone}");
    let one = survivors("C1GR", 2);
    assert!(near(one, 1425), "{one}");
    let three = survivors("C3GR", 2);
    assert!(near(three, 712), "{three}");
    // A player's counterspies do not hunt the player's own spies.
    let board = Board::starting("TU SP SW NE").turn(&[(1, "S10GR C3GR")]);
    assert_eq!(board.country("GR").spies[&1], 10);
}

#[test]
fn case_11_air_ranges_that_the_rulebook_names() {
    let board = Board::europe();
    let near = |a: &str, b: &str| board.state.tables.map.in_air_range(board.id(a), board.id(b));
    for (a, b) in [("EAS", "BLA"), ("IT", "AL"), ("GB", "FR"), ("GB", "BE"), ("GB", "NE")] {
        assert!(near(a, b) && near(b, a), "{a} {b}");
    }
    for (a, b) in [("IT", "TU"), ("GB", "DE")] {
        assert!(!near(a, b) && !near(b, a), "{a} {b}");
    }
}

#[test]
fn case_12_turkeys_navy_may_go_to_either_sea() {
    let board = Board::starting("TU SP SW NE");
    assert_eq!(board.codes(1, "@TU NT5BLA NT6EAS"), ["ok", "ok"]);
}

#[test]
fn case_18_a_minors_army_neither_conquers_nor_moves() {
    let board = Board::starting("TU SP SW NE").controlled("GR", 1);
    let codes = board.codes(1, "@GR AC2AL AT2AL AB2AL AS2YU");
    assert_eq!(codes, ["E16", "E16", "ok", "ok"]);
}

#[test]
fn case_19_losses_are_printed_behind_a_minus_sign() {
    use battle_plan::event::{Clash, Event, Side};
    let mut board = Board::starting("FI SP RU NE");
    let (fi, no) = (board.id("FI"), board.id("NO"));
    let side = |from, owner, army, air, missiles| Side {
        from,
        owner,
        army,
        navy: Count::default(),
        air,
        missiles,
    };
    let count = |sent, lost| Count { sent, lost };
    board.events = vec![Event::Clash(Clash {
        at: no,
        holder: 0,
        home: side(no, 0, count(5, 5), Count::default(), Count::default()),
        attackers: vec![side(fi, 1, count(40, 1), count(20, 3), count(3, 2))],
        captured: Some(1),
        supporters: Default::default(),
    })];
    board.state.turn = 2;
    board.state.player_mut(1).watched.insert(no);
    let text = board.section(1, "Land combat");
    assert!(text.contains("FI(Army=40-1,AirF=20-3,Missiles=3-2)"), "{text}");
}

#[test]
fn case_20_full_partial_and_no_sharing() {
    let board = Board::starting("TU SP SW NE AL PR").turn(&[(1, "S9GR 2F 3H 4Z")]);
    let sees = |seat: u8, code: &str| board.view(seat).seen.contains_key(&board.id(code));
    assert!(sees(2, "TU") && sees(2, "GR"));
    assert!(!sees(3, "TU") && sees(3, "GR"));
    assert!(!sees(4, "TU") && !sees(4, "GR"));
    assert_eq!(board.view(2).shared_by, [(1, Share::Full)]);
    let settings = board.section(1, "Settings");
    assert!(settings.contains("You share with: full [2], partial [3]"), "{settings}");
    assert!(board.section(3, "Settings").contains("Shared with you by: partial [1]"));
}
