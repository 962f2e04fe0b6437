//! A game that waits for one seat at a time, between the real servers: a player moves, another
//! is challenged, two steps follow by themselves, a seal is shown and opened, somebody leaves.

use std::sync::Arc;

use base::clock::{SystemClock, SystemEntropy};
use engine::Seat;
use store::SeatChange;
use support::toy::TOYS;

use super::host::{Process, answer, letters, plain};

#[test]
fn steps_wait_for_one_seat_for_a_challenge_and_for_nobody() {
    let rig = super::servers();
    let folder = tempfile::tempdir().expect("a folder");
    let clocks = (Arc::new(SystemClock) as _, Arc::new(SystemEntropy) as _);
    let mut robot = Process::new(&rig, folder.path(), TOYS, clocks, ("toy", 2, &[]));
    let first = robot.await_mail(&rig, 1, "[Y1 T1 S1] ");
    answer(&rig, 1, &first, "SAY hello\nGUARD 17\nATTACK 2\nEND");
    let echo = robot.await_mail(&rig, 1, "on file");
    let echo = plain(&echo.body);
    let digest = echo.split("Seal guard-1: SHA-256 ").nth(1).map(|d| d[..64].to_owned());
    // The challenge comes long before the deadline, to the awaited player.
    let challenge = robot.await_mail(&rig, 2, "[Y1 T2 S2] your orders are awaited: step 2");
    let digest = digest.expect("a digest");
    let shown = plain(&challenge.body);
    assert!(shown.contains(&digest), "{shown}");
    answer(&rig, 2, &challenge, "Q 4");
    // Nobody is awaited while the dice fall, and the next player is to move at once.
    let turn = robot.await_mail(&rig, 2, "[Y1 T4 S2] your printout, orders due");
    assert!(turn.body.contains("2 guesses 4"), "{}", turn.body);
    let told = plain(&turn.body);
    assert!(told.contains("Seal guard-1 of seat 1: \"17\", nonce "), "{told}");
    assert!(told.contains(&format!("SHA-256 {digest}")), "{told}");
    answer(&rig, 2, &turn, "SAY well\nEND");
    // The computer's step needs no deadline either.
    let again = robot.await_mail(&rig, 1, "[Y1 T6 S1] your printout, orders due");
    assert!(again.body.contains("3 says move 1"), "{}", again.body);
    let ran = robot.outbox.journal().turns("Y1").expect("a store");
    assert_eq!(ran.iter().map(|t| t.turn).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    for seat in 1..=2 {
        let row = robot.outbox.games().seat("Y1", Seat(seat)).expect("a store").expect("a seat");
        assert_eq!(row.missed, 0, "seat {seat} is charged with no card");
    }
    // The game no longer waits for a player who has left.
    let left = |tx: &store::Tx| tx.change_seat("Y1", Seat(2), &SeatChange::Resigned);
    robot.outbox.write(left).expect("a store");
    answer(&rig, 1, &again, "END");
    let alone = robot.await_mail(&rig, 1, "[Y1 T9 S1] your printout, orders due");
    assert!(plain(&alone.body).contains("Seats that nobody plays: [2]"), "{}", alone.body);
    // Each player gets every mail that concerns them, once, and no others.
    let subjects: Vec<String> =
        letters(&rig, 1).iter().map(|l| l.field("Subject").to_owned()).collect();
    let of = |tag: &str| subjects.iter().filter(|s| s.contains(tag)).count();
    assert_eq!((of("T2 S1] "), of("T3 S1] "), of("T6 S1] your ")), (0, 0, 1), "{subjects:?}");
}
