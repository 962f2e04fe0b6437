//! Replays a game from its journal: every step is run again and compared.

use base::chain::digest_of;
use engine::{Input, Setup, Turn};
use store::{Game, Reader, TurnRecord, turn_hash};

use crate::context::{Context, Result, RobotError, refuse};
use crate::games::Games;
use crate::seeds::{Secret, all_public, placed, setup_digest};

/// The outcome of replaying a game from its journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// The turn that was recomputed; 0 is the making of the game.
    pub turn: Turn,
    /// Whether the recomputed turn has the hash of the journal.
    pub same: bool,
}

/// Recomputes every turn of a game from its journal and compares hashes. Calls `progress` after
/// each turn.
///
/// # Errors
/// [`RobotError`] when the journal can't be read.
pub fn replay(
    cx: &Context,
    store: &Reader,
    code: &str,
    mut progress: impl FnMut(Turn),
) -> Result<Vec<Replayed>> {
    let games = Games::new(cx, store);
    let game = games.game(code)?;
    let engine = games.engine(&game.engine)?;
    let failed = |e: String| RobotError::Engine(game.code.clone(), e);
    let mut saved = None;
    let mut done = Vec::new();
    let setup = store.games().setup(&game.code)?.unwrap_or_default();
    for record in store.journal().turns(&game.code)? {
        if !engine.plays(record.rules_version) {
            let (old, new) = (record.rules_version, engine.rules_version());
            return refuse(format!(
                "step {} was run by rules version {old}, this program has {new}",
                record.turn
            ));
        }
        let mut dice = engine.dice(record.rules_version, record.seed);
        let mut open_letters = false;
        let now = match &saved {
            None => {
                engine.new_game(&setup, &mut dice).map_err(|faults| failed(faults.join("; ")))?
            }
            Some(before) => {
                let open = engine.open(before).map_err(|e| failed(e.to_string()))?;
                open_letters = open.press();
                let input = Input { cards: &record.cards, seats: &record.seats };
                open.step(&input, &mut dice).saved
            }
        };
        done.push(Replayed {
            turn: record.turn,
            same: follows(&game, &record, &setup, open_letters)
                && turn_hash(&now, dice.log()) == record.hash
                && now == record.saved
                && store.journal().is_as_made(&game.code, record.turn)?,
        });
        progress(record.turn);
        // The next turn starts from the journal's own state, so that one bad turn does not make all
        // later ones bad.
        saved = Some(record.saved);
    }
    Ok(done)
}

/// Whether the seed of a step follows from the game's chain and the inputs of the step. It always
/// does in a game that began before there were chains.
fn follows(game: &Game, record: &TurnRecord, setup: &Setup, letters: bool) -> bool {
    let made = match record.turn {
        0 => setup_digest(&game.engine, record.rules_version, setup),
        _ => digest_of(&placed(&all_public(&record.cards, letters), &record.seats)),
    };
    let of_step = Game { turn: record.turn, seed: record.seed, ..game.clone() };
    Secret::of(&of_step).is_ok_and(|secret| secret.dice(&made) == record.seed)
}
