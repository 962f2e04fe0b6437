//! How a card is read where more than one reading is possible (§4, §8.1).

use super::board::*;
use battle_plan::BattlePlan;
use engine::{Dice, Mark, Rules};

/// Player 5 is Turkey.
fn turkey() -> Board {
    Board::europe()
}

#[test]
fn a_slot_alone_cancels_whatever_follows_behind_a_blank() {
    let board = turkey().turn(&[(5, "@TU /1/BA10")]);
    let slot = |b: &Board| b.country("TU").standing[0].clone();
    assert!(slot(&board).is_some());
    let told = board.paper(5, "@TU /1/ BA15 BF15").told;
    let texts: Vec<(&str, &str)> = told.iter().map(|t| (t.1.as_str(), t.2.code)).collect();
    assert_eq!(texts, [("@TU", "remark"), ("/1/", "ok"), ("BA15", "ok"), ("BF15", "ok")]);
    let board = board.turn(&[(5, "@TU /1/ BA15 BF15")]);
    assert_eq!(slot(&board), None);
    // Fifteen more air force by the standing order before, and by the card now.
    assert_eq!(board.country("TU").air, 30 + 15);
    // Without a blank after the slash, the order goes into the slot.
    let board = board.turn(&[(5, "@TU /1/BA 15")]);
    assert!(slot(&board).is_some_and(|o| o.n == 15));
}

#[test]
fn an_at_sign_alone_begins_the_players_orders_also_before_a_blank() {
    let board = turkey();
    let paper = board.paper(5, "@TU BA5 @ BA 50 BN 25");
    assert_eq!(paper.player.defaults[1..3], [50, 25]);
    let paper = board.paper(5, "@ TS 5 RF 20");
    assert_eq!((paper.training[0], paper.research[3]), (5, 20));
    // A code without a number is a section too.
    assert_eq!(board.codes(5, "@ TU AC20UK"), ["ok"]);
    let baltic = Board::starting("BA SP SW TU");
    assert_eq!(baltic.codes(1, "@ BA BA5"), ["ok"]);
    assert_eq!(baltic.country("BA").owner, 1);
}

#[test]
fn what_stands_behind_a_semicolon_is_told() {
    let board = turkey().fleet("BLA", 5, 0, 5, 0);
    let told = |card: &str| -> Vec<(String, String)> {
        let lines = board.judge(5, card).lines;
        let remarks = lines.into_iter().filter(|l| l.mark == Mark::Remark);
        remarks.filter(|l| !l.text.starts_with('@')).map(|l| (l.text, l.note)).collect()
    };
    for (card, text) in [
        ("@BLA NT3EAS;NT2BLA", "NT2BLA"),
        ("@TU;BA15", "BA15"),
        ("@TU BA5 # then AC20UK", ""),
        ("@TU BA5 # AC20UK", "AC20UK"),
        ("@TU BA5 (AC20UK)", "AC20UK"),
        ("@TU BA5 (all of it AC20UK", ""),
        ("; ac20uk", "ac20uk"),
    ] {
        let told = told(card);
        match text {
            "" => assert!(told.is_empty(), "{card}: {told:?}"),
            text => {
                let [(found, note)] = told.as_slice() else { panic!("{card}: {told:?}") };
                assert_eq!(found, text);
                assert!(note.starts_with("not read:"), "{card}: {note}");
            }
        }
    }
    // Plain words are shown as a comment.
    let [(text, note)] = &told("@TU AC20UK; all out")[..] else { panic!("one remark") };
    assert_eq!((text.as_str(), note.as_str()), ("all out", "a comment, as it stands behind ;"));
    assert!(told("@TU AC20UK (with all)").is_empty());
    // Quoted lines of a printout cause no remark.
    assert!(told("| TU 5; BA15").iter().all(|t| t.0.starts_with('|')));
}

#[test]
fn an_attack_on_the_very_space_is_on_ones_own_country() {
    let board = turkey();
    assert_eq!(board.codes(5, "@TU AC5TU AB5TU FA5TU MA5TU"), ["E13"; 4]);
    assert!(board.note(5, "@TU AC5TU").contains("TU is your own country"));
    assert_eq!(board.codes(5, "@TU AT5TU AS5TU FS5TU"), ["E11"; 3]);
    assert!(board.note(5, "@TU AT5TU").contains("where they are"));
}

#[test]
fn ships_do_not_attack_where_own_planes_help() {
    let board = turkey().fleet("BLA", 5, 0, 5, 9);
    for help in ["FS2RO", "FT2RO"] {
        assert_eq!(board.codes(5, &format!("@BLA NN2RO {help}")), ["ok", "E14"]);
        assert_eq!(board.codes(5, &format!("@BLA {help} NN2RO")), ["ok", "E14"]);
        // Orders to planes elsewhere do not matter.
        assert_eq!(board.codes(5, &format!("@BLA NN2BU {help}")), ["ok", "ok"]);
    }
}

#[test]
fn a_second_order_of_a_kind_names_its_target() {
    assert!(turkey().note(5, "@TU AC5UK AC6UK").contains("second AC order on UK from TU"));
    assert_eq!(turkey().codes(5, "@TU AC5UK AC6BU"), ["ok", "ok"]);
}

#[test]
fn a_game_that_began_before_reads_cards_as_it_did() {
    let setup = setup("europe", 5, &[]);
    let old = |version| {
        let dice = Dice::new(1).of_rules(version);
        BattlePlan::new_game(&setup, &mut { dice }).expect("a game").revised
    };
    assert_eq!([1, 2, 3].map(old), [false, false, true]);
    let mut board = turkey();
    board.state.revised = false;
    assert_eq!(board.codes(5, "@TU /1/ BA15 BF15"), ["ok", "ok"]);
    assert_eq!(board.codes(5, "@ BA 50"), ["E08", "E01"]);
    let board = board.fleet("BLA", 5, 0, 5, 9);
    assert_eq!(board.codes(5, "@BLA NN2RO FS2RO"), ["ok", "ok"]);
    assert_eq!(board.judge(5, "@TU;BA15").lines.len(), 1);
}
