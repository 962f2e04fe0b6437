//! A game's file, played again and compared.

use std::collections::BTreeMap;

use super::play::{play, report_digest, shielded};
use super::{GameFile, StepOf};
use crate::seeds::{card_digest, setup_digest};
use base::chain::{self, ChainEnd, LENGTH_MAX, Value};
use base::secrets::seed_digest;
use engine::{BySeat, CardText, Engine, Match, Saved, Seat, Sits, Turn, find};

/// Something in a file that does not fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The step.
    pub step: Turn,
    /// The seat, where it concerns one.
    pub seat: Option<Seat>,
    /// What does not fit, as a sentence without its end.
    pub what: String,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.seat {
            Some(seat) => write!(f, "step {}, seat {seat}: {}", self.step, self.what),
            None => write!(f, "step {}: {}", self.step, self.what),
        }
    }
}

/// The result of a check.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// Everything that does not fit, in the order of steps.
    pub faults: Vec<Fault>,
    /// Steps that were played again.
    pub played: usize,
    /// Cards that fit their digests.
    pub cards: usize,
    /// Reports that fit their digests.
    pub reports: usize,
    /// Reports that another version of the program wrote.
    pub other_program: usize,
    /// Reports with letters, which the file leaves out.
    pub with_letters: usize,
    /// The game came to its end.
    pub over: bool,
}

/// Plays a file again with these engines. Calls `progress` after each step.
///
/// # Errors
/// A sentence when this program does not play the game.
pub fn check(
    file: &GameFile,
    engines: &'static [&'static dyn Engine],
    mut progress: impl FnMut(Turn),
) -> Result<Checked, String> {
    let Some(engine) = find(engines, &file.engine) else {
        return Err(format!("this program has no rules {:?}", file.engine));
    };
    let other = file.steps.iter().find(|s| !engine.plays(s.rules_version));
    if let Some(step) = other {
        return Err(format!(
            "step {} was run by rules version {} of {}, this program has {}: take a program of \
             that time (the file was written by version {:?})",
            step.step,
            step.rules_version,
            engine.title(),
            engine.rules_version(),
            file.program
        ));
    }
    let mut done = Checked::default();
    chains(file, &mut done.faults);
    for step in &file.steps {
        made_from(file, step, &mut done);
    }
    let mut before: Option<Saved> = None;
    for step in &file.steps {
        let fault = |what: String| Fault { step: step.step, seat: None, what };
        let played = u64::from_str_radix(&step.seed, 16)
            .map_err(|_| "its seed is no number".to_owned())
            .and_then(|seed| {
                let made = (step.rules_version, seed);
                let cards = step.cards.iter().cloned().collect();
                let seats = step.seats.iter().copied().collect();
                play(engine, &file.setup, before.as_ref(), made, (&cards, &seats))
            });
        let (saved, hash) = match played {
            Ok(played) => played,
            Err(what) => {
                done.faults.push(fault(what));
                break;
            }
        };
        done.played += 1;
        if hash != step.hash {
            done.faults.push(fault(
                "what came of it differs from the digest in the file; later steps can't be compared"
                    .to_owned(),
            ));
            break;
        }
        let open = shielded(|| engine.open(&saved).map_err(|e| e.to_string())).and_then(|r| r);
        match open {
            Ok(open) => {
                reports(step, open.as_ref(), &mut done);
                done.over = shielded(|| open.result().is_some()).unwrap_or_default();
            }
            Err(what) => done.faults.push(fault(what)),
        }
        before = Some(saved);
        progress(step.step);
    }
    if !done.over && done.faults.is_empty() {
        let step = file.steps.last().map_or(0, |s| s.step);
        let what = "the file ends before the game does".to_owned();
        done.faults.push(Fault { step, seat: None, what });
    }
    done.faults.sort_by_key(|f| (f.step, f.seat));
    Ok(done)
}

/// Checks that the digest of each value of the chains is the value before it.
fn chains(file: &GameFile, faults: &mut Vec<Fault>) {
    let mut fault = |step, what: String| faults.push(Fault { step, seat: None, what });
    let mut next: Turn = 0;
    for chain in &file.chains {
        let ChainEnd { game, first, length, end } = chain;
        let told = (*first, *length);
        if *first != next || *length == 0 || *length > LENGTH_MAX || *game != file.game {
            fault(*first, format!("the chain {told:?} of game {game:?} does not belong here"));
            return;
        }
        next = first.saturating_add(*length);
        let Some(mut last) = chain::unhex(end) else {
            fault(*first, "the end of the chain of seeds is no digest".to_owned());
            return;
        };
        for step in file.steps.iter().filter(|s| (*first..next).contains(&s.step)) {
            let Some(value) = chain::unhex(&step.value) else {
                fault(step.step, "its value of the chain of seeds is none".to_owned());
                break;
            };
            if chain::before(&value) != last {
                let what = "its value of the chain of seeds does not lead to the chain's end";
                fault(step.step, what.to_owned());
            }
            last = value;
        }
    }
    let beyond = file.steps.iter().find(|s| s.step >= next);
    if let Some(step) = beyond.filter(|_| !file.chains.is_empty()) {
        fault(step.step, "no chain of seeds has a value for it".to_owned());
    }
}

/// Checks that the seed of a step follows from its value and its cards, and that each card has its
/// digest.
fn made_from(file: &GameFile, step: &StepOf, done: &mut Checked) {
    let mut fault = |seat, what: &str| {
        done.faults.push(Fault { step: step.step, seat, what: what.to_owned() });
    };
    let seed = u64::from_str_radix(&step.seed, 16).unwrap_or_default();
    if file.chains.is_empty() {
        if step.seed_digest != seed_digest(&file.game, step.step, seed) {
            fault(None, "its seed has another digest than the printouts had");
        }
    } else if let Some(value) = chain::unhex(&step.value) {
        let made = match step.step {
            0 => setup_digest(&file.engine, step.rules_version, &file.setup),
            _ => chain::digest_of(&step.made_from),
        };
        let value: Value = value;
        if seed != chain::dice_seed(&file.game, step.step, &value, &made) {
            fault(None, "its seed does not follow from the chain and what the step is made from");
        }
    }
    let cards: BTreeMap<Seat, &CardText> = step.cards.iter().map(|(s, c)| (*s, c)).collect();
    let seats: BySeat<Sits> = step.seats.iter().copied().collect();
    for (seat, sits, digest) in &step.made_from {
        match (cards.get(seat).map(|c| card_digest(c)), digest) {
            (Some(found), Some(digest)) if found == *digest => done.cards += 1,
            (None, None) => {}
            _ => fault(Some(*seat), "its card is not the one that the step was run with"),
        }
        if seats.get(seat).copied() != *sits {
            fault(Some(*seat), "it did not sit as the step was run with");
        }
    }
    let known: Vec<Seat> = step.made_from.iter().map(|p| p.0).collect();
    for seat in cards.keys().chain(seats.keys()).filter(|s| !known.contains(s)) {
        fault(Some(*seat), "the step was not run with anything of this seat");
    }
    let once = cards.len() == step.cards.len() && seats.len() == step.seats.len();
    if !once || known.windows(2).any(|two| two[0] >= two[1]) {
        fault(None, "a seat is in it twice or out of order");
    }
}

/// Compares the reports that were sent to seats.
fn reports(step: &StepOf, open: &dyn Match, done: &mut Checked) {
    let this = step.told.program == env!("CARGO_PKG_VERSION");
    for (seat, digest) in &step.told.reports {
        if !this {
            done.other_program += 1;
            continue;
        }
        match shielded(|| report_digest(open, *seat)) {
            Ok(Some(found)) if found == *digest => done.reports += 1,
            _ if step.letters => done.with_letters += 1,
            _ => {
                let what = "what it was told of the step has another digest".to_owned();
                done.faults.push(Fault { step: step.step, seat: Some(*seat), what });
            }
        }
    }
}
