//! How long standing orders last (§8.1).

use super::board::*;

/// Turkey controls Greece, which has a standing order.
fn greece() -> Board {
    Board::starting("TU SP SW NE").controlled("GR", 1).turn(&[(1, "@GR /2/BN6")])
}

fn stands(board: &Board) -> bool {
    board.country("GR").standing[1].is_some()
}

#[test]
fn a_tie_in_popularity_lets_standing_orders_of_a_minor_rest() {
    let index = |board: &Board| board.country("GR").popularity.get(&1).copied().unwrap_or(0);
    let board = greece();
    let own = index(&board);
    // Nine or ten left; Spain pays for as many.
    let tied = (1..=own).map(|n| greece().turn(&[(2, &format!("P{n}GR"))]));
    let tied = tied.into_iter().find(|b| b.country("GR").controller() == 0).expect("a tie");
    assert!(stands(&tied));
    let listed = tied.section(1, "Standing orders");
    assert!(listed.contains("/2/BN6") && listed.contains("rests"), "{listed}");
    assert!(tied.section(2, "Standing orders").is_empty());
    // The uncontrolled minor builds like every other.
    let navy = tied.country("GR").navy;
    let again = tied.turn(&[(1, "P9GR")]);
    assert_eq!(again.country("GR").navy, navy + 2);
    assert!(stands(&again));
    // From now on it is used again.
    let again = again.turn(&[]);
    assert_eq!(again.country("GR").navy, navy + 2 + 6);
}

#[test]
fn another_player_in_control_ends_them_also_behind_a_tie() {
    let board = greece().turn(&[(2, "P30GR")]);
    assert_eq!(board.country("GR").controller(), 2);
    assert!(!stands(&board));
    let tied = (1..=10).map(|n| greece().turn(&[(2, &format!("P{n}GR"))]));
    let tied = tied.into_iter().find(|b| b.country("GR").controller() == 0).expect("a tie");
    let board = tied.turn(&[(2, "P9GR")]);
    assert_eq!(board.country("GR").controller(), 2);
    assert!(!stands(&board));
    // After a revolution none are left either.
    let board = Board::starting("TU SP SW NE").turn(&[(1, "@TU /1/BA5")]);
    let board = board.set("TU", |c| c.hpi = 1).turn(&[(2, "P40TU")]);
    assert!(board.country("TU").is_minor());
    assert!(board.country("TU").standing.iter().all(Option::is_none));
}

#[test]
fn in_a_game_that_began_before_a_tie_deletes_them() {
    let tie = |n: i64| {
        let mut board = greece();
        board.state.revised = false;
        board.turn(&[(2, &format!("P{n}GR"))])
    };
    let tied = (1..=10).map(tie).find(|b| b.country("GR").controller() == 0).expect("a tie");
    assert!(!stands(&tied));
}
