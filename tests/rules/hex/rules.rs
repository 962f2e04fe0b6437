//! Making a game, moves, swapping, prepared answers, and how a game ends.

use engine::{Audits, Dice, Rules, Score, Seat, Until};
use hex::Hex;
use hex::board::Board;
use hex::board::{BLUE, RED};
use hex::state::{Action, End, Why};

use super::board::{after, at, game, setup, step, step_with};

#[test]
fn a_board_has_eleven_rows_and_the_options_are_checked() {
    let usual = game(&[]);
    assert_eq!((usual.size, usual.swap, usual.turn_hours), (11, true, 72));
    let other = game(&[("size", "19"), ("swap", "false"), ("turn_hours", "24")]);
    assert_eq!((other.size, other.swap, other.turn_hours), (19, false, 24));
    let wrong = [("size", "20"), ("swap", "maybe"), ("turn_hours", "soon")];
    let faults = Hex::new_game(&setup(&wrong), &mut Dice::new(1)).expect_err("all wrong");
    let all = faults.join("\n");
    assert_eq!(faults.len(), 3, "{all}");
    for part in ["size is a number from 5 to 19", "swap is on or off", "turn_hours"] {
        assert!(all.contains(part), "{part}: {all}");
    }
}

#[test]
fn red_begins_and_the_two_take_turns_by_a_clock() {
    let state = game(&[("turn_hours", "30")]);
    let wait = Hex::wait(&state);
    assert_eq!((wait.seats, wait.label.as_str()), (vec![RED], "turn 1, Red to move"));
    assert_eq!(wait.until, Until::Clock { name: "turn".into(), hours: 30 });
    let done = step(state, &[(1, "PLAY C4"), (2, "PLAY D4")]);
    assert_eq!(done.events.len(), 1, "the other one's card is not asked for");
    assert_eq!(done.state.board().at(at("C4")), Some(RED));
    assert_eq!(done.state.board().at(at("D4")), None);
    assert_eq!(Hex::wait(&done.state).seats, [BLUE]);
}

#[test]
fn a_place_borders_on_six_others_and_a_corner_on_two_or_three() {
    let board = Board::new(11);
    let near = |name: &str| board.near(at(name)).map(|s| s.to_string()).collect::<Vec<_>>();
    assert_eq!(near("F6"), ["F5", "G5", "G6", "F7", "E7", "E6"]);
    assert_eq!(near("A1"), ["B1", "A2"]);
    assert_eq!(near("K1"), ["K2", "J2", "J1"]);
    for spot in board.spots() {
        for next in board.near(spot) {
            assert!(board.near(next).any(|s| s == spot), "{spot} and {next}");
        }
    }
}

#[test]
fn red_wins_by_joining_top_and_bottom() {
    let state = after("C1 A1 C2 A2 C3 A3 C4 A4 C5");
    assert_eq!(state.over, Some(End { winner: RED, why: Why::Joined }));
    assert_eq!(Hex::wait(&state).seats, []);
    let score = |seat, rank, points| Score { seat: Seat(seat), rank, points };
    assert_eq!(Hex::result(&state), Some(vec![score(1, 1, 1), score(2, 2, 0)]));
}

#[test]
fn blue_wins_by_joining_left_and_right_round_a_corner() {
    // B2 and C1 touch, because each row is half a hexagon farther east.
    let state = after("A5 A2 B5 B2 C5 C1 D5 D1 A4 E1");
    assert_eq!(state.over, Some(End { winner: BLUE, why: Why::Joined }));
    assert_eq!(after("A5 A2 B5 B2 C5 D1 D5 E1").over, None, "with a gap nobody has won");
    // B2 and C3 do not touch.
    assert_eq!(after("A5 A2 B5 B2 C5 C3 D5 D3 A4 E3").over, None);
}

#[test]
fn the_first_stone_is_swapped_to_where_it_lies_for_blue() {
    let state = after("C4 SWAP");
    let board = state.board();
    assert_eq!((board.at(at("C4")), board.at(at("D3"))), (None, Some(BLUE)));
    assert_eq!((state.to_move(), state.newest()), (Some(RED), Some(at("D3"))));
    // The free place may be played again, and the stone stays where it is.
    let state = step(state, &[(1, "C4")]).state;
    assert_eq!(state.board().at(at("C4")), Some(RED));
}

#[test]
fn nothing_but_the_first_stone_is_swapped() {
    for (moves, why) in [("C4 D4", "Red never swaps"), ("C4 D4 A1", "it is the second move only")] {
        let state = after(moves);
        let seat = state.to_move().expect("goes on");
        let done = step(state, &[(seat.0, "SWAP")]);
        assert_eq!(done.events[0].action, Action::Missed, "{why}");
    }
    let strict = step(game(&[("swap", "false")]), &[(1, "C4")]).state;
    assert_eq!(step(strict, &[(2, "SWAP")]).events[0].action, Action::Missed);
    // When Red missed the first turn, Blue's stone is the first one and nobody may swap it.
    let late = step(step(game(&[]), &[]).state, &[(2, "C4")]).state;
    assert!(!late.may_swap());
}

#[test]
fn a_prepared_answer_is_played_at_once_and_a_chain_of_them_too() {
    let first = step(after("A1 E5"), &[(1, "PLAY C3\nIF D3 D2\nIF B4 B5\n")]);
    assert_eq!(first.carried[&RED], ["IF D3 D2", "IF B4 B5"]);
    let done = step(first.state, &[(1, "IF D3 D2\nIF B4 B5"), (2, "PLAY D3\nIF D2 B4")]);
    let played: Vec<(u8, Action, bool)> =
        done.events.iter().map(|m| (m.seat.0, m.action, m.prepared)).collect();
    let stone = |name| Action::Stone(at(name));
    assert_eq!(
        played,
        [
            (2, stone("D3"), false),
            (1, stone("D2"), true),
            (2, stone("B4"), true),
            (1, stone("B5"), true)
        ]
    );
    assert_eq!(done.state.to_move(), Some(BLUE), "four moves in one step");
    assert!(done.carried.is_empty(), "all are used up");
}

#[test]
fn an_answer_waits_until_it_fits_and_is_dropped_when_it_can_no_longer() {
    let state = after("A1 E5 C3");
    let done = step(state, &[(1, "IF D3 D2\nIF B4 B5\nIF A5 B5"), (2, "B5")]);
    assert_eq!(done.events.len(), 1);
    assert_eq!(done.carried[&RED], ["IF D3 D2"], "B5 is taken");
    let none = step(done.state, &[(1, "D3\nIF D2 E1")]);
    assert_eq!(none.carried[&RED], ["IF D2 E1"]);
    assert!(!none.carried.contains_key(&BLUE));
}

#[test]
fn of_several_answers_and_moves_the_last_that_can_be_played_counts() {
    let done = step(after("A1 E5"), &[(1, "C3\nC2\nE5"), (2, "IF C2 D1\nIF C2 D2\nIF C2 A1")]);
    let spots: Vec<Action> = done.events.iter().map(|m| m.action).collect();
    assert_eq!(spots, [Action::Stone(at("C2")), Action::Stone(at("D2"))]);
}

#[test]
fn a_swap_may_be_prepared() {
    let done = step(game(&[]), &[(1, "C4"), (2, "IF C4 SWAP")]);
    assert_eq!(done.state.moves.len(), 2);
    assert_eq!(done.state.board().at(at("D3")), Some(BLUE));
    let other = step(game(&[]), &[(1, "B2"), (2, "IF C4 SWAP")]);
    assert_eq!(other.state.moves.len(), 1);
    assert!(other.carried.is_empty(), "the first stone was another");
}

#[test]
fn a_winning_answer_ends_the_game() {
    let state = after("C1 A1 C2 A2 C3 A3 C4");
    let done = step(state, &[(1, "IF A5 C5\nIF A4 D4"), (2, "A5\nIF C5 D5")]);
    assert_eq!(done.state.over, Some(End { winner: RED, why: Why::Joined }));
    assert_eq!(done.events.len(), 2);
    assert!(done.carried.is_empty());
}

#[test]
fn a_turn_goes_by_without_a_stone_and_the_second_in_a_row_loses() {
    let state = step(after("A1 E5"), &[]).state;
    assert_eq!((state.over, state.to_move()), (None, Some(BLUE)));
    let back = step(step(state.clone(), &[(2, "E4")]).state, &[(1, "B2")]).state;
    let again = step(step(back, &[(2, "E3")]).state, &[]).state;
    assert_eq!(again.over, None, "not in a row");
    let done = step(step(state, &[(2, "E4")]).state, &[]);
    assert_eq!(done.state.over, Some(End { winner: BLUE, why: Why::Silent }));
}

#[test]
fn a_seat_that_is_left_has_lost_whoever_is_to_move() {
    for left in [RED, BLUE] {
        let done = step_with(after("C3 D2"), &[(1, "C4")], &[left.0]);
        let winner = hex::board::other(left);
        assert_eq!(done.state.over, Some(End { winner, why: Why::Left }));
        assert!(done.events.is_empty(), "nobody moves any more");
    }
    let both = step_with(after("C3 D2"), &[], &[1, 2]).state;
    assert_eq!(both.over, Some(End { winner: BLUE, why: Why::Left }), "Red was to move");
}

#[test]
fn after_the_end_nothing_changes() {
    let over = after("C1 A1 C2 A2 C3 A3 C4 A4 C5");
    let done = step_with(over.clone(), &[(1, "D4"), (2, "D4")], &[1]);
    assert_eq!((done.state.moves, done.state.over), (over.moves, over.over));
}

#[test]
fn the_audit_finds_what_is_broken() {
    let before = after("C3 D2");
    let good = step(before.clone(), &[(1, "C4")]);
    let wrong = |change: fn(&mut hex::state::State)| {
        let mut state = good.state.clone();
        change(&mut state);
        let (cards, seats) = Default::default();
        let input = engine::Input { cards: &cards, seats: &seats };
        Hex::audit((&before, &[]), &input, (&state, &good.events)).join("; ")
    };
    assert_eq!(wrong(|_| {}), "");
    assert!(wrong(|s| s.step = 9).contains("not counted"));
    assert!(wrong(|s| s.moves[2].seat = BLUE).contains("alternate"));
    assert!(wrong(|s| s.moves[2].action = Action::Stone(at("C3"))).contains("where one lay"));
    assert!(wrong(|s| s.moves[2].action = Action::Swap).contains("swap"));
    let joined = |s: &mut hex::state::State| s.over = Some(End { winner: RED, why: Why::Joined });
    assert!(wrong(joined).contains("not who has joined"));
    let left = |s: &mut hex::state::State| s.over = Some(End { winner: RED, why: Why::Left });
    assert!(wrong(left).contains("lost as left"));
}
