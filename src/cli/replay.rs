//! `fieldpost replay`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use super::command::{Context, Run};
use super::output::step_counter;
use crate::ops::Failure;
use base::text::count;
use engine::Seat;
use engine::press::steers;
use registry::ENGINES;
use robot::game_file::{Checked, FILE_MAX, GameFile, check};

/// How many differences are listed, at most.
const FAULTS_MAX: usize = 50;

/// Plays a game again and compares: one of this host with its journal, or the file of a game that
/// is over, which its last printout and its public page have, on any machine.
#[derive(Debug, clap::Args)]
pub struct Replay {
    /// Code of the game, or its file, such as W7.fieldpost.json; a file needs neither config nor
    /// store.
    game: String,
    /// With a file: lists this seat's cards, when they came, and the digests of its printouts.
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
}

impl Run for Replay {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        // No code of a game has anything but letters and digits.
        if self.game.chars().any(|c| !c.is_ascii_alphanumeric()) {
            return of_file(Path::new(&self.game), self.seat.map(Seat), out);
        }
        if self.seat.is_some() {
            return Err("--seat lists what is in a game's file; name the file, such as \
                        W7.fieldpost.json"
                .into());
        }
        let robot = context.robot()?;
        let bar = step_counter()?;
        let turns = robot.replay(&self.game, |turn| bar.set_position(u64::from(turn)))?;
        bar.finish_and_clear();
        let wrong: Vec<String> =
            turns.iter().filter(|t| !t.same).map(|t| t.turn.to_string()).collect();
        if wrong.is_empty() {
            let told = count(turns.len(), "step");
            writeln!(out, "{told} recomputed; all hashes are those of the journal.")?;
            return Ok(());
        }
        Err(format!("steps {} came out differently from the journal", wrong.join(", ")).into())
    }
}

/// The check of a file.
fn of_file(path: &Path, seat: Option<Seat>, out: &mut dyn Write) -> Result<(), Failure> {
    let shown = path.display();
    let bad = |why: String| Failure::from(format!("{shown}: {why}"));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|e| bad(e.to_string()))?;
    // One byte more than a file may have, so that a larger one is noticed.
    let most = FILE_MAX as u64 + 1;
    file.take(most).read_to_end(&mut bytes).map_err(|e| bad(e.to_string()))?;
    let file = GameFile::read(&bytes).map_err(&bad)?;
    drop(bytes);
    let bar = step_counter()?;
    let done = check(&file, &ENGINES, |step| bar.set_position(u64::from(step)));
    bar.finish_and_clear();
    let done = done.map_err(&bad)?;
    writeln!(out, "Game {} of {}", plain(&file.game), plain(&file.engine))?;
    if let Some(seat) = seat {
        listed(&file, seat, out)?;
    }
    writeln!(out, "{}", summary(&file, &done))?;
    if done.faults.is_empty() {
        return Ok(());
    }
    let mut text = format!("{shown} does not fit:");
    for fault in done.faults.iter().take(FAULTS_MAX) {
        let _ = write!(text, "\n  {}", plain(&fault.to_string()));
    }
    if let Some(more) = done.faults.len().checked_sub(FAULTS_MAX).filter(|n| *n > 0) {
        let _ = write!(text, "\n  and {more} more");
    }
    Err(text.into())
}

/// How many steps, cards and reports of a file are right.
fn summary(file: &GameFile, done: &Checked) -> String {
    let mut text = format!(
        "{} of {} played again; {} and {} fit.",
        done.played,
        count(file.steps.len(), "step"),
        count(done.cards, "card"),
        count(done.reports, "report")
    );
    match file.chains.first() {
        Some(chain) => {
            let _ = write!(
                text,
                "\nThe chain of seeds ends in {}: compare it with your first printout.",
                plain(&chain.end)
            );
        }
        None => text.push_str(
            "\nThe game began before there were chains of seeds: the host drew each seed by itself.",
        ),
    }
    if done.other_program > 0 {
        let _ = write!(
            text,
            "\nNot compared: {} that another version of the program wrote.",
            count(done.other_program, "report")
        );
    }
    if done.with_letters > 0 {
        let _ = write!(
            text,
            "\nNot compared: {} with letters, which the file leaves out.",
            count(done.with_letters, "report")
        );
    }
    if file.steps.iter().all(|s| s.told.reports.is_empty()) {
        text.push_str("\nNo digests of reports were kept in this game.");
    }
    text
}

/// What a seat can compare with its own mails.
fn listed(file: &GameFile, seat: Seat, out: &mut dyn Write) -> Result<(), Failure> {
    if !(1..=file.setup.seats).contains(&seat.0) {
        return Err(format!("the game has seats 1 to {}", file.setup.seats).into());
    }
    for step in &file.steps {
        writeln!(out, "\nStep {}", step.step)?;
        let came = step.received.iter().find(|r| r.0 == seat);
        match (came, step.cards.iter().find(|c| c.0 == seat)) {
            (_, None) => writeln!(out, "  no card")?,
            (came, Some((_, card))) => {
                match came {
                    Some((_, at)) => writeln!(out, "  card received {at}")?,
                    None => writeln!(out, "  card that no mail brought")?,
                }
                for (number, line) in &card.lines {
                    writeln!(out, "  {number:>4} | {}", plain(line))?;
                }
            }
        }
        if let Some((_, digest)) = step.told.reports.iter().find(|r| r.0 == seat) {
            writeln!(out, "  report sent, SHA-256 {}", plain(digest))?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// Text of a file as a terminal may see it.
fn plain(text: &str) -> String {
    text.replace(steers, "?")
}
