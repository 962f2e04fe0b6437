//! The file of a game, from its journal.

use super::play::{play, shielded};
use super::{FORMAT, GameFile, StepOf};
use crate::context::{Context, Result};
use crate::games::Games;
use crate::seeds::{all_public, origin, placed};
use base::chain::{hex, values};
use base::secrets::seed_digest;
use engine::{Engine, Saved, Seat};
use store::{Game, Reader, TurnRecord};

/// A game as a file; `newest` is its last step if the store does not have it yet. `None` when no
/// file can be made; the log says why, and the game still ends.
///
/// # Errors
/// [`crate::RobotError`] when the store fails or the engine is not there.
pub fn whole(
    cx: &Context,
    store: &Reader,
    game: &Game,
    newest: Option<&TurnRecord>,
) -> Result<Option<String>> {
    let engine = Games::new(cx, store).engine(&game.engine)?;
    let setup = store.games().setup(&game.code)?.unwrap_or_default();
    let mut records = store.journal().turns(&game.code)?;
    records.extend(newest.cloned());
    let received = store.journal().receipts(&game.code)?;
    let last = records.last().map_or(0, |r| r.turn);
    let values = values(&game.chains, last);
    let code = origin(game).unwrap_or(&game.code).to_owned();
    let letters = match records.first().map(|r| has_letters(engine, &r.saved)) {
        Some(Ok(letters)) => letters,
        _ => return Ok(unmade(game, "its first step can't be opened")),
    };
    let mut steps = Vec::new();
    for record in &records {
        let cards = all_public(&record.cards, letters);
        let blank = |seat: &Seat| cards.get(seat).map(|c| &c.lines);
        let left_out = record.cards.iter().any(|(s, c)| Some(&c.lines) != blank(s));
        let value = values.iter().find(|(step, _)| *step == record.turn);
        let digest = || seed_digest(&code, record.turn, record.seed);
        let came = received.iter().filter(|r| r.0 == record.turn && cards.contains_key(&r.1));
        steps.push(StepOf {
            step: record.turn,
            rules_version: record.rules_version,
            value: value.map(|(_, value)| hex(value)).unwrap_or_default(),
            seed: format!("{:016x}", record.seed),
            seed_digest: if game.chains.is_empty() { digest() } else { String::new() },
            made_from: if record.turn == 0 { Vec::new() } else { placed(&cards, &record.seats) },
            received: came.map(|r| (r.1, r.2)).collect(),
            letters: left_out,
            cards: cards.into_iter().collect(),
            seats: record.seats.iter().map(|(s, sits)| (*s, *sits)).collect(),
            hash: record.hash.clone(),
            told: record.told.clone(),
        });
    }
    if steps.iter().any(|s| s.letters)
        && let Err(why) = without_letters(engine, &setup, &records, &mut steps)
    {
        return Ok(unmade(game, &why));
    }
    let file = GameFile {
        format: FORMAT.to_owned(),
        program: env!("CARGO_PKG_VERSION").to_owned(),
        game: code,
        engine: game.engine.clone(),
        rules_version: game.rules_version,
        setup,
        chains: game.chains.iter().map(|c| c.told.clone()).collect(),
        steps,
    };
    match serde_json::to_string(&file) {
        Ok(text) if text.len() <= super::FILE_MAX => Ok(Some(text)),
        Ok(_) => Ok(unmade(game, "it is too large")),
        Err(e) => Ok(unmade(game, &e.to_string())),
    }
}

fn unmade(game: &Game, why: &str) -> Option<String> {
    tracing::warn!(game = game.code, why, "no file of the game can be made");
    None
}

fn has_letters(engine: &dyn Engine, first: &Saved) -> std::result::Result<bool, String> {
    shielded(|| engine.open(first).map(|open| open.press()).map_err(|e| e.to_string()))?
}

/// Plays the game again without its letters, and puts the digests of that run into `steps`. The
/// game must end as it did.
fn without_letters(
    engine: &dyn Engine,
    setup: &engine::Setup,
    records: &[TurnRecord],
    steps: &mut [StepOf],
) -> std::result::Result<(), String> {
    let mut before: Option<Saved> = None;
    for (record, step) in records.iter().zip(steps) {
        let cards = step.cards.iter().cloned().collect();
        let made = (record.rules_version, record.seed);
        let (saved, hash) = play(engine, setup, before.as_ref(), made, (&cards, &record.seats))?;
        step.hash = hash;
        before = Some(saved);
    }
    let end = |saved: &Saved| {
        shielded(|| engine.open(saved).map(|open| open.result()).map_err(|e| e.to_string()))?
    };
    match (before, records.last()) {
        (Some(saved), Some(last)) if end(&saved)? == end(&last.saved)? => Ok(()),
        _ => Err("without its letters it ends otherwise".to_owned()),
    }
}
