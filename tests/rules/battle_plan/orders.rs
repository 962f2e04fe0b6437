//! The card (§4) and the table of bad input (§21).

use super::board::*;
use battle_plan::BattlePlan;
use engine::{Cards, Mark};

/// Player 5 is Turkey, next to the Ukraine, Greece, Bulgaria.
fn turkey() -> Board {
    Board::europe()
}

fn code(card: &str) -> &'static str {
    turkey().codes(5, card).last().copied().expect("an order")
}

#[test]
fn e01_what_can_not_be_read_is_named() {
    assert_eq!(code("QQ5"), "E01");
    assert!(turkey().note(5, "QQ5").contains("unknown order QQ5"));
    assert_eq!(code("@TU AC5"), "E01");
    assert_eq!(code("2A5"), "E01");
    assert_eq!(code("U3"), "E01");
}

#[test]
fn e02_a_letter_o_for_a_digit() {
    assert_eq!(code("@TU BA1O"), "E02");
    assert!(turkey().note(5, "@TU BA1O").contains("\"1O\""));
    assert_eq!(code("@TU ACI0UK"), "E02");
}

#[test]
fn e03_a_number_is_missing_or_zero() {
    assert_eq!(code("@TU AC0UK"), "E03");
    assert_eq!(code("@TU BA"), "E03");
    assert_eq!(code("2D"), "E03");
}

#[test]
fn e04_a_number_is_too_large() {
    assert_eq!(code("BA150"), "E04");
    assert!(turkey().note(5, "BA150").contains("0 to 100"));
    assert_eq!(code("@TU BA100000"), "E04");
    assert_eq!(code("@TU BA99999999999999999999999"), "E04");
}

#[test]
fn e05_an_unknown_space_gets_the_nearest() {
    assert_eq!(code("S1DEN"), "E05");
    assert!(turkey().note(5, "S1DEN").contains("did you mean DE (Denmark)?"));
    assert_eq!(code("@TU AC5UX"), "E05");
}

#[test]
fn e06_a_country_is_needed() {
    assert_eq!(code("P5NTH"), "E06");
    assert_eq!(code("@TU AC5BLA"), "E06");
    assert_eq!(code("@TU MT1BLA"), "E19");
}

#[test]
fn e07_orders_in_the_wrong_section() {
    assert_eq!(code("@TU RF20"), "E07");
    assert_eq!(code("@TU 2A"), "E07");
    assert_eq!(code("@ AC5UK"), "E07");
    assert_eq!(code("AC5UK"), "E07");
}

#[test]
fn e08_a_section_of_a_space_without_own_forces() {
    let board = turkey();
    let told = board.paper(5, "@GE BA5\n@TU BA5").told;
    let marks: Vec<_> = told.iter().map(|t| (t.1.as_str(), t.2.code)).collect();
    assert_eq!(marks, [("@GE", "E08"), ("BA5", "E08"), ("@TU", "remark"), ("BA5", "ok")]);
}

#[test]
fn e09_and_e10_wrong_players() {
    assert_eq!(code("9A"), "E09");
    assert_eq!(code("300A"), "E09");
    for card in ["5A", "5D10", "5S2", "5F"] {
        assert_eq!(code(card), "E10", "{card}");
    }
    // Propaganda and counterspies may go to oneself.
    assert_eq!(turkey().codes(5, "5P10 5C1"), ["ok", "ok"]);
}

#[test]
fn e11_and_e12_out_of_reach() {
    assert_eq!(code("@TU AC5RU"), "E11");
    assert_eq!(code("@TU NT5NTH"), "E11");
    assert_eq!(code("@TU FS5IT"), "E12");
    assert_eq!(code("@TU XT5IT"), "E12");
}

#[test]
fn e13_no_attack_on_an_own_country() {
    let board = turkey().occupied("UK", 5, 10);
    assert_eq!(board.codes(5, "@TU AC5UK"), ["E13"]);
    assert_eq!(board.codes(5, "@TU FI5UK"), ["E13"]);
    // A minor that the player controls may be attacked.
    assert_eq!(turkey().controlled("GR", 5).codes(5, "@TU AC5GR"), ["ok"]);
}

#[test]
fn e14_no_attack_and_help_on_one_target() {
    let both = |a: &str, b: &str| turkey().codes(5, &format!("@TU {a} {b}"))[1];
    for (a, b) in [
        ("AC20UK", "AS5UK"),
        ("AC20UK", "AT5UK"),
        ("AB20UK", "FS5UK"),
        ("FA5UK", "FS6UK"),
        ("FF5UK", "FT6UK"),
        ("AS5UK", "FA5UK"),
    ] {
        assert_eq!(both(a, b), "E14", "{a} {b}");
    }
    assert!(turkey().note(5, "@TU AC20UK AS5UK").contains("AC20UK"));
    // Conquest and attack go together, and from two spaces any orders do.
    assert_eq!(both("AC20UK", "AB5UK"), "ok");
    let board = turkey().occupied("BU", 5, 20);
    assert_eq!(board.codes(5, "@TU AC20RO\n@BU AC5RO FS1RO"), ["E11", "ok", "E14"]);
    // Missiles don't hit air force on its way.
    let armed = turkey().set("TU", |c| (c.missiles, c.antimissiles) = (5, 5));
    assert_eq!(armed.codes(5, "@TU MF1UK FT5UK MI1UK"), ["ok", "ok", "ok"]);
    assert_eq!(armed.codes(5, "@TU MA1UK XT1UK"), ["ok", "E14"]);
    assert_eq!(armed.codes(5, "@TU MA1UK AS1UK"), ["ok", "E14"]);
}

#[test]
fn e15_two_orders_that_differ_in_the_number_only() {
    assert_eq!(code("@TU BA5 BA6"), "E15");
    assert_eq!(code("@TU FI5UK FI10UK"), "E15");
    assert_eq!(turkey().codes(5, "@TU FI5UK FI10BU"), ["ok", "ok"]);
}

#[test]
fn e17_to_e20_navies_seas_and_dollars() {
    assert_eq!(code("@TU NN5GR"), "E17");
    assert_eq!(code("@TU NT3GR"), "E17");
    let board = Board::starting("HU SP SW NE").fleet("NTH", 1, 1, 1, 1);
    assert_eq!(board.codes(1, "@HU BN5"), ["E18"]);
    assert_eq!(board.codes(1, "@NTH BA5"), ["E19"]);
    assert_eq!(code("@TU BD5"), "E20");
}

#[test]
fn e21_w22_w23_e24_more_than_there_is() {
    let board = turkey();
    assert_eq!(board.codes(5, "@TU AC60UK AT1EAS"), ["W22", "E21"]);
    assert!(board.note(5, "@TU AC60UK").contains("reduced to 50"));
    assert_eq!(board.codes(5, "RF200 RA1"), ["W23", "E24"]);
    assert!(board.note(5, "RF200").contains("reduced to 100"));
    assert_eq!(board.codes(5, "S40GB S1IT"), ["W22", "E24"]);
    assert_eq!(board.codes(5, "C3GB C1IT"), ["ok", "E24"]);
}

#[test]
fn e25_spies_are_not_for_own_countries_and_seas() {
    assert_eq!(code("S1TU"), "E25");
    assert_eq!(code("S1NTH"), "E25");
    assert_eq!(turkey().controlled("GR", 5).codes(5, "S1GR"), ["ok"]);
}

#[test]
fn e26_e27_w28_standing_orders() {
    assert_eq!(code("@TU /6/BA5"), "E26");
    assert_eq!(code("@TU /100/BA5"), "E26");
    assert_eq!(code("@ /1/BA5"), "E26");
    let board = turkey().fleet("BLA", 5, 5, 5, 0);
    assert_eq!(board.codes(5, "@BLA /1/AC5UK"), ["E26"]);
    assert_eq!(code("@TU /1/AC5RU"), "E27");
    assert!(turkey().note(5, "@TU /1/AC5RU").contains("RU is not next to TU"));
    let own = turkey().occupied("UK", 5, 5);
    assert_eq!(own.codes(5, "@TU /1/AC5UK"), ["W28"]);
    assert_eq!(turkey().codes(5, "@TU /1/BA5 BA6"), ["W28", "ok"]);
}

#[test]
fn e29_features_of_other_variants() {
    assert_eq!(code("4G3"), "E29");
    assert_eq!(code("3W1"), "E29");
    assert_eq!(code("NEWS\nhot\nEND"), "E29");
    let war = Board::of("1939", 13, &[]);
    for card in ["@EWG BX5", "RX5", "BX5", "@EWG XT1EEG"] {
        assert_eq!(war.codes(8, card), ["E29"], "{card}");
    }
    let hidden = Board::of("anonymous", 20, &[]);
    assert_eq!(hidden.codes(1, "PRESS 2\nhello\nEND"), ["E29"]);
}

#[test]
fn e30_no_attacks_on_the_first_turn_of_a_real_war() {
    for (variant, seats) in [("real", 20), ("1939", 13)] {
        let board = Board::of(variant, seats, &[]);
        let (seat, card) =
            if seats == 20 { (4, "@EWG AC5EFR FA5EFR 1E") } else { (8, "@EWG AC5EFR FA5EFR") };
        let codes = board.codes(seat, card);
        assert_eq!(codes[..2], ["E30", "E30"], "{variant}");
        assert_eq!(board.codes(seat, "1E 2E"), ["ok", "ok"]);
        let board = board.turn(&[]);
        assert_eq!(board.codes(seat, "@EWG AC5EFR"), ["ok"], "{variant}");
    }
}

#[test]
fn w31_a_passage_depends_on_the_straits_owner() {
    let board = Board::starting("BU SP SW NE").fleet("BLA", 1, 5, 5, 5);
    assert_eq!(board.codes(1, "@BLA NT5EAS AT5EAS FT5EAS"), ["W31", "W31", "ok"]);
    let holder = Board::starting("TU SP SW NE").fleet("BLA", 1, 5, 5, 5);
    assert_eq!(holder.codes(1, "@BLA NT5EAS"), ["ok"]);
}

#[test]
fn w32_e33_e34_lists_texts_and_empty_players() {
    let real = Board::of("real", 20, &[]);
    assert_eq!(real.codes(1, "4G3 4G2 0G2 5B1 1B2"), ["ok", "W32", "ok", "ok", "E10"]);
    assert_eq!(real.codes(1, "4G4"), ["E01"]);
    let hidden = Board::of("anonymous", 20, &[]);
    assert_eq!(hidden.codes(1, "3W99 3W11 3W11EFR 0W20"), ["E33", "E33", "ok", "ok"]);
    for wrong in ["3W11@EF", "3W11EFRA", "3W11E1"] {
        assert_eq!(hidden.codes(1, wrong), ["E01"], "{wrong}");
        assert!(!BattlePlan::starts_order(wrong), "{wrong}");
    }
    assert_eq!(hidden.codes(1, "2W1 3W1 4W1 5W1 6W1 7W1")[5], "E33");
    let gone = Board::starting("TU SP SW NE").occupied("SP", 1, 5);
    assert_eq!(gone.codes(1, "2S5"), ["E34"]);
}

#[test]
fn e35_a_card_of_another_turn_has_no_effect() {
    // The robot refuses it; see its tests of late cards and passed turns.
    let board = turkey().turn(&[(5, "2A")]);
    let before = board.state.player(5).clone();
    assert_eq!(board.turn(&[]).player(5).stances, before.stances);
}

#[test]
fn w36_long_texts_are_cut_and_second_items_dropped() {
    let long = "line\n".repeat(25);
    assert_eq!(code(&format!("PRESS 2\n{long}END")), "W36");
    let world = Board::of("equal", 20, &[]);
    let codes = world.codes(1, "NEWS\none\nEND\nNEWS ANON\ntwo\nEND");
    assert_eq!(codes, ["ok", "W36"]);
    let board = world.turn(&[(1, "NEWS\none\nEND\nNEWS ANON\ntwo\nEND")]);
    let paper = board.section(7, "World newspaper");
    assert!(paper.contains("| one") && !paper.contains("two"), "{paper}");
}

#[test]
fn blanks_commas_comments_and_case_are_forgiven() {
    let board = turkey();
    for card in [
        "@tu ac 20 uk",
        "@TU, AC20UK",
        "@ TU AC 20UK # to the north",
        "@TU (Turkey) AC20 UK; all out",
        "Hello robot\n@TU\nAC20UK\n",
    ] {
        let paper = board.paper(5, card);
        assert_eq!(paper.count, 1, "{card}: {:?}", paper.told);
        assert_eq!(board.codes(5, card), ["ok"], "{card}");
    }
}

#[test]
fn several_sections_of_a_space_are_one() {
    let board = turkey();
    assert_eq!(board.codes(5, "@TU AC20UK @ 2A @TU AC5UK"), ["ok", "ok", "E15"]);
    // Orders before the first section belong to the player.
    assert_eq!(board.codes(5, "2A P5GR\n@TU BA5"), ["ok", "ok", "ok"]);
}

#[test]
fn a_wrong_order_spoils_none_of_its_neighbours() {
    let board = turkey();
    let judged = board.judge(5, "@TU BA15 AC5RU BF15 nonsense9 AC20UK");
    let marks: Vec<(String, Mark)> =
        judged.lines.iter().skip(1).map(|l| (l.text.clone(), l.mark)).collect();
    let mark = |i: usize| marks[i].1;
    assert_eq!(marks.len(), 5);
    assert_eq!(
        [mark(0), mark(1), mark(2), mark(3), mark(4)],
        [Mark::Ok, Mark::Error, Mark::Ok, Mark::Error, Mark::Ok]
    );
}
