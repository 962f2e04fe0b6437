//! The refusal of cards that are not for the open step, or came after its deadline.

use base::schedule;
use engine::{Turn, Until};
use store::{Game, Reason, Status};
use tongue::say;

use super::case::{Case, Claim};
use super::filed::turn_to_come;
use crate::mailer::step_name;
use crate::steps;

/// Why a card is not for the open step, or came after its deadline: the reason, and the subject and
/// the text of the answer. `None`: it is in time.
pub(super) fn untimely(
    case: &Case,
    claim: &Claim,
    (turn, label): (Turn, &str),
    ahead_max: Turn,
) -> Option<(Reason, String, String)> {
    let game = &claim.game;
    let step = step_name(&game.step.label);
    let late = steps::ends(game).is_some_and(|end| case.stored.received_at > end);
    let refusal = match () {
        () if game.status == Status::Over => (
            Reason::GameOver,
            say!("the game is over"),
            say!("The game is over; orders have no effect."),
        ),
        () if turn < game.turn => (
            Reason::PassedTurn,
            say!("not applied: the turn has passed"),
            say!(
                "These orders are for {passed}, already run. They were not applied. The game \
                 is at {step}; your orders on file are below. Send a new card in answer to \
                 this mail.",
                passed = match turn {
                    0 => say!("a turn before"),
                    _ => step_name(label),
                }
            ),
        ),
        () if turn > game.turn && ahead_max == 0 && !claim.named => (
            Reason::FutureTurn,
            say!("not applied: the printout was taken back"),
            say!(
                "These orders answer a printout that was taken back, so they were not applied. The \
                 game is at {step} again; your orders on file are below. Send a new card in \
                 answer to this mail."
            ),
        ),
        () if turn > game.turn && ahead_max == 0 => (
            Reason::FutureTurn,
            say!("not applied: the turn is too far ahead"),
            say!(
                "These orders are for turn {turn}; the game is at {step}. In this game a turn to \
                 come takes no cards, for nobody knows yet when it will be yours. Send them when your \
                 orders are awaited.",
                turn = turn_to_come(game, turn)
            ),
        ),
        () if turn > game.turn + ahead_max => (
            Reason::FutureTurn,
            say!("not applied: the turn is too far ahead"),
            say!(
                "These orders are for turn {turn}; the game is at {step}, and cards are taken \
                 up to turn {last}.",
                turn = turn_to_come(game, turn),
                last = turn_to_come(game, game.turn + ahead_max)
            ),
        ),
        () if late && turn == game.turn => (
            Reason::Late,
            say!("not applied: too late"),
            say!(
                "These orders came {came}, after the deadline of {step}. They were not \
                 applied. {next}",
                came = schedule::local(case.stored.received_at, &claim.seat.zone),
                next = match ahead_max {
                    0 => say!("Answer the printout that follows."),
                    _ => say!(
                        "The printout that follows opens turn {turn}; answer it.",
                        turn = turn_to_come(game, game.turn + 1)
                    ),
                }
            ),
        ),
        () => return None,
    };
    Some(refusal)
}

/// Steps in which each seat is awaited once: as many as seats where they move one after another,
/// else 1.
pub(super) fn steps_a_round(game: &Game) -> Turn {
    match (game.step.awaited.len(), &game.step.until) {
        (0 | 1, Until::Clock { .. } | Until::Now) => Turn::from(game.setup.seats),
        _ => 1,
    }
}
