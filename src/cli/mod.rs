//! The command line: the list of commands, and what starts one of them.
//!
//! A new command is one file beside this one, whose clap `Args` type is its help, and one line in
//! `COMMANDS`.

mod act;
mod atlas;
mod backup;
mod check;
mod command;
mod credit;
mod dashboard;
mod demo;
mod doctor;
mod export;
mod game;
mod import;
mod init;
mod input;
mod key;
mod mail;
mod output;
mod person;
mod publish;
mod read_mails;
mod render;
mod replay;
mod restore;
mod rules;
mod schema;
mod seat;
mod serve;
mod sim;
mod turn;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::ops::Failure;
use ::robot::RobotError;
use base::text::tame;
use command::{Context, Entry, add_all, run_one};
use output::Tamed;
use store::StoreError;

/// All commands, in the order of the help.
const COMMANDS: &[Entry] = &[
    Entry::one::<demo::Demo>("demo"),
    Entry::one::<init::Init>("init"),
    Entry::one::<doctor::Doctor>("doctor"),
    Entry::one::<serve::Serve>("serve"),
    Entry::one::<watch::Watch>("watch"),
    Entry::one::<dashboard::Dashboard>("dashboard"),
    Entry::group("key", key::ABOUT, key::COMMANDS),
    Entry::one::<publish::Publish>("publish"),
    Entry::one::<backup::Backup>("backup"),
    Entry::one::<restore::Restore>("restore"),
    Entry::one::<export::Export>("export"),
    Entry::one::<import::Import>("import"),
    Entry::group("game", game::ABOUT, game::COMMANDS),
    Entry::group("seat", seat::ABOUT, seat::COMMANDS),
    Entry::group("credit", credit::ABOUT, credit::COMMANDS),
    Entry::one::<rules::Rules>("rules"),
    Entry::one::<render::Render>("render"),
    Entry::one::<atlas::Atlas>("atlas"),
    Entry::one::<schema::Schema>("schema"),
    Entry::one::<check::Check>("check"),
    Entry::group("turn", turn::ABOUT, turn::COMMANDS),
    Entry::group("act", act::ABOUT, act::COMMANDS),
    Entry::one::<sim::Sim>("sim"),
    Entry::one::<replay::Replay>("replay"),
    Entry::group("mail", mail::ABOUT, mail::COMMANDS),
    Entry::one::<read_mails::ReadMails>(::mail::reader::WORD),
    Entry::group("person", person::ABOUT, person::COMMANDS),
];

/// A play-by-email host: players need nothing but a mail program.
#[derive(Debug, Parser)]
#[command(name = "fieldpost", version)]
struct Cli {
    /// The config file.
    #[arg(long, short, global = true, default_value = "robot.toml")]
    config: PathBuf,
}

/// Runs the program.
pub fn main() -> ExitCode {
    // Stores, configs, copies and printouts are their owner's alone, whatever the shell says;
    // public pages are opened to others where they are written.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    let matches = add_all(Cli::command(), COMMANDS).get_matches();
    let done = Cli::from_arg_matches(&matches).map_err(Failure::from).and_then(|cli| {
        // Not locked: a command may print from several threads.
        let mut out = Tamed::new(std::io::stdout());
        run_one(COMMANDS, &matches, &Context { path: cli.config }, &mut out)
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) if nobody_reads(e.as_ref()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("fieldpost: {}", tame(&e.to_string()));
            if let Some(hint) = hint(e.as_ref()) {
                eprintln!("{hint}");
            }
            ExitCode::FAILURE
        }
    }
}

/// Whether the reader of our output has seen enough, as `head` does.
fn nobody_reads(error: &(dyn std::error::Error + 'static)) -> bool {
    let error = error.downcast_ref::<std::io::Error>();
    error.is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}

/// What the game master can do about an error whose text does not say it.
fn hint(error: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    match error.downcast_ref::<RobotError>()? {
        RobotError::Store(StoreError::Busy) => {
            Some("Try again; the robot may be busy with a turn.")
        }
        RobotError::Store(StoreError::Open(..)) => {
            Some("Check robot.data in the config: the folder must be writable for this user.")
        }
        _ => None,
    }
}
