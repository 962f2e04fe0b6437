//! Plays one step of a game, catches panics, and makes the digests that a check compares.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base::secrets::sha256_hex;
use engine::{BySeat, CardText, Engine, Input, Match, Saved, Seat, Setup, Sits};
use store::turn_hash;

/// Digest of a seat's report of a step: its text in English, without what the robot adds, such as
/// names and addresses. `None` for a seat that is out of the game.
pub fn report_digest(open: &dyn Match, seat: Seat) -> Option<String> {
    let report = tongue::within(None, || open.report(seat, "en"))?;
    let text = tongue::within(None, || render::text::sections(&report.sections));
    Some(sha256_hex(format!("{}\n{text}", report.title).as_bytes()))
}

/// Plays one step and catches panics; returns the state after it, and its hash.
pub(super) fn play(
    engine: &dyn Engine,
    setup: &Setup,
    before: Option<&Saved>,
    (rules_version, seed): (u32, u64),
    (cards, seats): (&BySeat<CardText>, &BySeat<Sits>),
) -> Result<(Saved, String), String> {
    shielded(|| {
        let mut dice = engine.dice(rules_version, seed);
        let saved = match before {
            None => engine.new_game(setup, &mut dice).map_err(|faults| faults.join("; "))?,
            Some(before) => {
                let open = engine.open(before).map_err(|e| e.to_string())?;
                open.step(&Input { cards, seats }, &mut dice).saved
            }
        };
        let hash = turn_hash(&saved, dice.log());
        Ok((saved, hash))
    })
    .and_then(|played| played)
}

/// Runs `act`; a panic of an engine becomes a sentence.
pub(super) fn shielded<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(act)).map_err(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str);
        let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        format!("the rules broke on it: {said:?}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_breaks_is_named_and_stops_nothing() {
        let said = shielded(|| -> u8 { panic!("seat {} of none", 9) }).expect_err("it broke");
        assert_eq!(said, "the rules broke on it: \"seat 9 of none\"");
    }
}
