//! §8, §11, §12: builds, income, suppression, research, popularity, revolutions.

use super::board::*;

#[test]
fn income_counts_own_land_neighbours_and_cross_allies() {
    let income = |board: Board, cards: &[(u8, &str)]| {
        let board = board.turn(cards);
        let ledger = board.view(1).ledger.expect("a ledger");
        (ledger.income, board.player(1).cents)
    };
    // Turkey alone: 100; its minors next door give a tenth of their ten when controlled.
    let turkey = || Board::starting("TU UK SP NE");
    assert_eq!(income(turkey(), &[]).0, 10_000);
    assert_eq!(income(turkey().controlled("GR", 1), &[]).0, 10_100);
    // A neighbour of an ally counts only when both have said so.
    assert_eq!(income(turkey(), &[(1, "2A")]).0, 10_000);
    assert_eq!(income(turkey(), &[(1, "2A"), (2, "1A")]).0, 11_000);
    // Two own countries side by side help each other.
    let (sum, cents) = income(turkey().occupied("BU", 1, 9), &[]);
    assert_eq!(sum, 10_000 + 100 + 1_000 + 1_000);
    assert_eq!(cents, 10_000 + 100 + sum, "the treasury with one per cent of interest");
}

#[test]
fn gifts_and_gained_money_come_next_turn() {
    let board = Board::starting("TU UK SP NE").turn(&[(1, "2D25"), (2, "RA200")]);
    assert_eq!(board.player(1).cents, 7_500 + 75 + 10_000);
    // Player 2 could not spend the 25 before it had them.
    assert_eq!(board.player(2).cents, 10_000 + 2_500);
    assert!(board.section(2, "Gifts").contains("[1] Turkey gave you 25 Dollars"));
    assert!(board.section(1, "Gifts").contains("You gave 25 Dollars to [2] Ukraine"));
}

#[test]
fn interest_is_rounded_half_up_to_the_cent() {
    let interest = |cents| {
        let board = Board::starting("TU UK SP NE").set_player(1, |p| p.cents = cents).turn(&[]);
        board.view(1).ledger.expect("a ledger").interest
    };
    assert_eq!((interest(5_049), interest(5_050)), (50, 51));
}

#[test]
fn dollars_are_built_one_for_one_and_please_the_people() {
    let board = Board::starting("TU UK SP NE").turn(&[(1, "BA0 @TU BA10")]);
    assert_eq!(board.view(1).ledger.expect("a ledger").built, 2_000);
    assert_eq!(board.country("TU").hpi, 120);
    // The default for Dollars shares with the others.
    let board = Board::starting("TU UK SP NE").turn(&[(1, "BA50 BD50")]);
    assert_eq!(board.country("TU").army, 65);
    assert_eq!(board.country("TU").hpi, 115);
}

#[test]
fn suppressed_tax_recovers_by_a_quarter_rounded_up() {
    let mut board = Board::starting("TU UK SP NE").set("GR", |c| (c.tax, c.tax_down) = (0, 10));
    let mut chain = Vec::new();
    for _ in 0..6 {
        board = board.turn(&[]);
        let c = board.country("GR");
        chain.push((c.tax, c.tax_down));
    }
    assert_eq!(chain, [(3, 7), (5, 5), (7, 3), (8, 2), (9, 1), (10, 0)]);
}

#[test]
fn industry_above_the_limit_is_suppressed_and_speeds_recovery() {
    let board = Board::starting("TU UK SP NE")
        .set("TU", |c| (c.industry, c.limit) = (50, 50))
        .set_player(1, |p| p.multipliers[0] = 100);
    let board = board.turn(&[(1, "@TU BI8")]);
    let c = board.country("TU");
    assert_eq!((c.industry, c.industry_down), (50, 8));
    assert_eq!(c.counted_industry(), 50, "above the limit nothing counts");
    let hurt = board.set("TU", |c| (c.industry, c.industry_down) = (40, 18)).turn(&[]);
    assert_eq!(hurt.country("TU").industry, 45, "a quarter of 18, rounded up");
    let full = hurt.turn(&[]).turn(&[]);
    assert_eq!(full.country("TU").industry, 50, "never above the limit");
}

#[test]
fn research_pays_better_in_small_parts() {
    let forty = Board::starting("TU UK SP NE").turn(&[(1, "RF40")]);
    // 7.07, half up.
    assert_eq!(forty.player(1).multipliers[3], 107);
    let twice = Board::starting("TU UK SP NE").turn(&[(1, "RF20")]).turn(&[(1, "RF20")]);
    assert_eq!(twice.player(1).multipliers[3], 110);
    // Orders for one item are added first.
    let parts = Board::starting("TU UK SP NE").turn(&[(1, "RF20 RF20")]);
    assert_eq!(parts.player(1).multipliers[3], 107);
    // Missiles begin at 50: half as easy.
    assert_eq!(Board::starting("TU UK SP NE").turn(&[(1, "RM80")]).player(1).multipliers[4], 55);
    let forecast = Board::starting("TU UK SP NE").forecast(1, "RF20");
    assert!(forecast.contains("raises AirForce from 100 to 105."), "{forecast}");
}

#[test]
fn research_and_training_work_from_the_next_turn_on() {
    let board = Board::starting("TU UK SP NE").turn(&[(1, "TS50 RS20 S30GR @TU BF30 RF20")]);
    // 50 x 20 hundredths by the old multiplier.
    assert_eq!(board.player(1).spies, 1_000);
    assert_eq!(board.player(1).multipliers[6], 21);
    assert_eq!(board.country("TU").air, 60);
}

#[test]
fn uncontrolled_minors_build_all_three_and_controlled_ones_by_their_masters_defaults() {
    let board = Board::starting("TU SP SW NE").turn(&[]);
    let c = board.country("HU");
    assert_eq!((c.army, c.navy, c.air), (13, 0, 13), "no coast, no navy");
    let board = Board::starting("TU SP SW NE").controlled("GR", 1);
    let board = board.set_player(1, |p| (p.defaults[3], p.multipliers[3]) = (1, 150));
    let board = board.turn(&[(1, "BA0")]);
    // Six industry at the controlling player's multiplier of 150.
    assert_eq!(board.country("GR").air, 6 + 9);
    // Minors make no Dollars.
    let board = Board::starting("TU SP SW NE").controlled("GR", 1).turn(&[(1, "BA0 BD100")]);
    assert_eq!(board.country("GR").army, 16);
}

#[test]
fn a_default_with_multiplier_0_is_skipped() {
    let board = Board::starting("TU SP SW NE").set_player(1, |p| p.multipliers[4] = 0);
    let board = board.turn(&[(1, "BA0 BM100")]);
    assert_eq!(board.country("TU").missiles, 0);
    assert_eq!(board.view(1).ledger.expect("a ledger").built, 3_000);
}

#[test]
fn popularity_in_a_minor_decays_then_grows() {
    let board = Board::starting("TU SP SW NE").set("GR", |c| {
        c.popularity.insert(1, 40);
        c.popularity.insert(2, -20);
    });
    let board = board.turn(&[(1, "P10GR @TU AT5GR FT2GR")]);
    let c = board.country("GR");
    // 40 less 2, ten Dollars, seven units at two each.
    assert_eq!(c.popularity[&1], 38 + 10 + 14);
    assert_eq!(c.popularity[&2], -20, "a bad name does not fade");
    assert_eq!((c.army, c.air), (10 + 6 + 5, 6 + 2));
}

#[test]
fn popularity_for_missiles_counts_three() {
    let board = Board::starting("TU SP SW NE").set("TU", |c| (c.missiles, c.antimissiles) = (2, 2));
    let board = board.turn(&[(1, "@TU MT2GR XT1GR")]);
    assert_eq!(board.country("GR").popularity[&1], 9);
    assert_eq!((board.country("GR").missiles, board.country("GR").antimissiles), (2, 1));
}

#[test]
fn popularity_falls_to_0_with_an_attack_and_below_only_by_losses() {
    let with = |index: i64, card: &str| {
        let board = Board::starting("TU SP SW NE").set("GR", |c| {
            c.popularity.insert(1, index);
        });
        let board = board.turn(&[(1, card)]);
        board.country("GR").popularity.get(&1).copied().unwrap_or(0)
    };
    assert_eq!(with(50, "P20GR @TU FA1GR"), 0);
    assert_eq!(with(-5, "@TU AB1GR"), -5);
    // Ships and missiles by themselves do not lower popularity.
    let board = Board::starting("TU SP SW NE").fleet("EAS", 1, 0, 3, 0).set("GR", |c| {
        c.popularity.insert(1, 20);
    });
    let board = board.turn(&[(1, "@EAS NN3GR")]);
    assert_eq!(board.country("GR").popularity[&1], 19);
}

#[test]
fn popularity_of_a_controller_suffers_for_the_minors_losses() {
    let board = Board::starting("TU SP SW NE").set("GR", |c| {
        c.popularity.insert(1, 40);
    });
    let board = board.set("AL", |c| (c.army, c.air, c.industry) = (50, 0, 0));
    let board = board.turn(&[(1, "@GR AB10AL")]);
    assert_eq!(board.country("GR").popularity[&1], 38 - 10);
    assert_eq!(board.country("TU").hpi, 100, "nobody at home minds");
}

#[test]
fn losses_of_forces_from_a_sea_cost_nothing() {
    let board = Board::starting("TU SP SW NE").fleet("EAS", 1, 10, 0, 0);
    let board = board.set("CY", |c| c.army = 60).turn(&[(1, "@EAS AC10CY")]);
    assert_eq!(board.side("CY", "EAS").army.lost, 10);
    assert_eq!(board.country("TU").hpi, 100);
}

#[test]
fn a_country_without_popularity_revolts_with_all_its_forces() {
    let board = Board::starting("TU SP SW NE").set("TU", |c| c.hpi = 10).occupied("BU", 1, 9);
    let board = board.turn(&[(1, "@TU /1/BA5 BA30"), (2, "P80TU")]);
    let c = board.country("TU");
    assert!(c.is_minor());
    assert_eq!((c.army, c.hpi), (80, 0));
    assert!(c.popularity.is_empty() && c.standing.iter().all(Option::is_none));
    for seat in 1..=4 {
        let text = board.section(seat, "Counter-attacks and revolutions");
        assert!(text.contains("Revolution in TU: [1] Turkey is driven out"), "{text}");
    }
}

#[test]
fn direct_and_spread_money_in_one_country_is_added_first() {
    let board = Board::starting("TU SP SW NE").turn(&[(2, "P10TU 1P10")]);
    assert_eq!(board.country("TU").hpi, 80);
    // Two players' money is not added.
    let board = Board::starting("TU SP SW NE").turn(&[(2, "P20TU"), (3, "P20TU")]);
    assert_eq!(board.country("TU").hpi, 60);
}

#[test]
fn control_goes_to_the_highest_index_and_ties_to_nobody() {
    let holder = |one: i64, two: i64| {
        let board = Board::starting("TU SP SW NE").set("GR", |c| {
            c.popularity.insert(1, one);
            c.popularity.insert(2, two);
        });
        board.country("GR").controller()
    };
    assert_eq!([holder(5, 4), holder(4, 4), holder(-1, -2), holder(0, 0)], [1, 0, 0, 0]);
    let board = Board::starting("TU SP SW NE").controlled("GR", 1).turn(&[(1, "@GR /1/BA5")]);
    assert!(board.section(1, "Standing orders").contains("@GR"));
    let board = board.turn(&[(2, "P50GR")]);
    assert_eq!(board.country("GR").controller(), 2);
    assert!(
        board.country("GR").standing.iter().all(Option::is_none),
        "the orders went with the player"
    );
}

#[test]
fn blockade_by_sea_counts_navies_and_allies_but_no_planes() {
    let down = |board: Board, cards: &[(u8, &str)]| board.turn(cards).country("DE").tax_down;
    let denmark = || Board::starting("DE SP SW NE");
    let enemy = [(1, "2E")];
    assert_eq!(down(denmark().fleet("NTH", 2, 30, 0, 30), &enemy), 0);
    let held = denmark().fleet("NTH", 2, 0, 5, 0).fleet("NTH", 1, 0, 5, 0);
    // Equal navies keep the sea open (some are lost in the battle on both sides alike).
    assert_eq!(down(held, &enemy), 0);
    let helped = denmark().fleet("NTH", 2, 0, 5, 0).fleet("NTH", 3, 0, 9, 0);
    assert_eq!(down(helped, &[(1, "2E"), (3, "1A")]), 0);
    let neutral = denmark().fleet("NTH", 2, 0, 5, 0).fleet("NTH", 3, 0, 9, 0);
    assert_eq!(down(neutral, &enemy), 25);
    // Minors are never blockaded.
    let minor = Board::starting("SP SW NE TU").controlled("DE", 1).fleet("NTH", 2, 0, 5, 0);
    assert_eq!(minor.turn(&[(1, "2E")]).country("DE").tax_down, 0);
}

#[test]
fn the_forecast_tells_of_builds_standing_orders_and_what_stays() {
    let board = Board::starting("TU SP SW NE");
    let text = board.forecast(1, "@TU BF10 AC20UK NT5BLA /1/BA12 /2/AC5RU /3/FS5BU");
    for part in ["Order-count: 5.", "Builds", "A12", "F10", "/1/BA12", "Left at home"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let text = text.replace("\n  ", " ");
    assert!(text.contains("Dollars: 100 - 0 spent + 1 interest + 100 income + 8 built"), "{text}");
}
