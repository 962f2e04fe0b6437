//! One game as one file, from host to host.
//!
//! The file is a store with one game in it and no host: the same tables, so that a later version
//! brings it up to date by the same steps as its own store. It holds everything that was played and
//! is on file, with the mails that brought it. It does not hold the host's key, so the proofs that
//! players have are not valid at the other host: each player gets the printout of the open turn
//! again when the game is released there. Mails that have not been sent yet are sent by the host
//! that wrote them, never by the other.

use std::io::Write;
use std::path::Path;

use super::Failure;
use super::part::Part;
use base::text::{count, size};
use robot::Robot;
use store::Status;

/// Writes a game with its seats, journal, orders and mails into a file that must not be there yet.
/// With `hold` it stops the game first and tells its players that it moves.
///
/// # Errors
/// A sentence that says what to do; no file is left then.
pub fn export(
    robot: &mut Robot,
    game: &str,
    file: &Path,
    hold: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let part = Part::of(file)?;
    let done = robot.export_game(game, part.path(), hold)?;
    let bytes = part.put()?;
    let (code, steps) = (&done.game.code, done.game.turn.saturating_sub(1));
    writeln!(
        out,
        "{}: game {code}, {} seats, {}, {}",
        file.display(),
        done.seats,
        count(steps, "step"),
        size(bytes)
    )?;
    writeln!(
        out,
        "The file has the players' addresses and mails, every position, and the number that \
         decides the dice of the open turn: send it encrypted, and delete it when the game goes on."
    )?;
    if done.unsent > 0 {
        let mails = count(done.unsent, "mail");
        writeln!(out, "This host still has {mails} of the game to send; let it send them.")?;
    }
    match (done.game.status, done.suspended) {
        (Status::Over, _) => {}
        (_, true) => writeln!(
            out,
            "The game is suspended here. There: fieldpost import FILE, then game release {code}. Cards \
             that come here from now on do not go along."
        )?,
        (_, false) => writeln!(
            out,
            "Warning: the game goes on here. For a move export it with --hold, or it is played \
             twice."
        )?,
    }
    Ok(())
}

/// Takes a game from a file, under a new code if one is given; it is suspended until the game master
/// lets it go on.
///
/// # Errors
/// A sentence that says what to do; nothing is kept then.
pub fn import(
    robot: &mut Robot,
    file: &Path,
    code: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let done = robot.import_game(file, code)?;
    let code = &done.game.code;
    writeln!(
        out,
        "Game {code}: {} seats, {} recomputed with the journal's hash; exported {}.",
        done.seats,
        count(done.turns as u64, "step"),
        done.export.at
    )?;
    if done.game.status == Status::Over {
        writeln!(out, "It is over.")?;
        return Ok(());
    }
    writeln!(
        out,
        "It is suspended. When the other host has stopped it: fieldpost game release {code}. Each \
         player gets the printout of {} then, with an address to answer to.",
        done.game.step.label
    )?;
    if !done.moved.same {
        writeln!(
            out,
            "Passwords of its seats, and questions that players were asked there, are void here."
        )?;
    }
    Ok(())
}
