//! The command line: the list of commands, and what starts one of them.
//!
//! A new command is one file beside this one, whose clap `Args` type is its help, and one line in
//! `TOPICS`.

mod act;
mod atlas;
mod backup;
mod check;
mod check_origins;
mod command;
mod completions;
mod copy_store;
mod credit;
mod dashboard;
mod demo;
mod doctor;
mod export;
mod game;
mod gm;
mod import;
mod init;
mod input;
mod key;
mod mail;
mod manual;
mod options;
mod output;
mod person;
mod play;
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

use clap::{Command, CommandFactory, FromArgMatches, Parser};

use crate::ops::Failure;
use ::robot::RobotError;
use base::text::tame;
use command::{Context, Entry, add_all, run_one};
use output::Tamed;
use store::StoreError;

/// All commands by topic, in the order of the help.
const TOPICS: &[(&str, &[Entry])] = &[
    ("Try it", &[Entry::one::<demo::Demo>("demo"), Entry::one::<play::Play>("play")]),
    (
        "A host",
        &[
            Entry::one::<init::Init>("init"),
            Entry::one::<doctor::Doctor>("doctor"),
            Entry::one::<serve::Serve>("serve"),
            Entry::one::<watch::Watch>("watch"),
            Entry::one::<dashboard::Dashboard>("dashboard"),
            Entry::one::<publish::Publish>("publish"),
            Entry::one::<backup::Backup>("backup"),
            Entry::one::<restore::Restore>("restore"),
            Entry::one::<copy_store::CopyStore>("copy-store"),
            Entry::group("key", key::ABOUT, key::COMMANDS),
        ],
    ),
    (
        "Games and players",
        &[
            Entry::group("game", game::ABOUT, game::COMMANDS),
            Entry::group("seat", seat::ABOUT, seat::COMMANDS),
            Entry::group("turn", turn::ABOUT, turn::COMMANDS),
            Entry::group("mail", mail::ABOUT, mail::COMMANDS),
            Entry::group("act", act::ABOUT, act::COMMANDS),
            Entry::one::<gm::Gm>("gm"),
            Entry::group("credit", credit::ABOUT, credit::COMMANDS),
            Entry::group("person", person::ABOUT, person::COMMANDS),
            Entry::one::<export::Export>("export"),
            Entry::one::<import::Import>("import"),
        ],
    ),
    (
        "What a game looks like",
        &[
            Entry::one::<render::Render>("render"),
            Entry::one::<atlas::Atlas>("atlas"),
            Entry::one::<options::Options>("options"),
            Entry::one::<rules::Rules>("rules"),
            Entry::one::<check::Check>("check"),
            Entry::one::<schema::Schema>("schema"),
        ],
    ),
    (
        "For developers and packages",
        &[
            Entry::one::<sim::Sim>("sim"),
            Entry::one::<replay::Replay>("replay"),
            Entry::one::<completions::Completions>("completions"),
            Entry::one::<manual::Manual>("manual"),
            Entry::one::<read_mails::ReadMails>(::mail::reader::WORD),
            Entry::one::<check_origins::CheckOrigins>(::mail::origin::WORD),
        ],
    ),
];

/// What a new game master types, in order.
const EXAMPLES: &str = "\
Examples:
  fieldpost demo                             a game with all its mails, in a few seconds
  fieldpost play warlord                     a game of your own against computers
  fieldpost init                             asks what a host needs and writes robot.toml
  fieldpost doctor                           tries it out and says what is wrong
  fieldpost game new W7 --seats 12           makes a game
  fieldpost seat add W7 1 anna@example.org   gives its first seat to a player
  fieldpost game start W7 --computers        starts it; computers take the free seats
  fieldpost serve                            runs the robot
";

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
    // Only their owner may read stores, configs, copies and printouts, whatever the shell's umask
    // is; public pages are opened to others where they are written.
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o077));
    // There is one process for each mail, so it does not build the whole command line first.
    if std::env::args_os().skip(1).eq([::mail::reader::WORD]) {
        ::mail::reader::serve();
        return ExitCode::SUCCESS;
    }
    let matches = command_line().get_matches();
    let done = Cli::from_arg_matches(&matches).map_err(Failure::from).and_then(|cli| {
        // Not locked: a command may print from several threads.
        let mut out = Tamed::new(std::io::stdout());
        let context = Context { path: cli.config, line: command_line };
        run_one(entries(), &matches, &context, &mut out)
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

fn entries() -> impl Iterator<Item = &'static Entry> {
    TOPICS.iter().flat_map(|(_, entries)| entries.iter())
}

/// The whole command line; its help names the commands by topic.
fn command_line() -> Command {
    let line = add_all(Cli::command(), entries());
    let topics = TOPICS.iter().map(|(topic, entries)| help_of(&line, topic, entries));
    let topics: String = topics.collect();
    let help = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{topics}Options:\n{{options}}\n\n{EXAMPLES}"
    );
    line.help_template(help)
}

/// Columns of the help, and of the names of commands at its left.
const COLUMNS: usize = 100;
const WORDS: usize = 15;

/// The commands of a topic, a line each.
fn help_of(line: &Command, topic: &str, entries: &[Entry]) -> String {
    let mut text = format!("{topic}:\n");
    for command in entries.iter().filter_map(|e| line.find_subcommand(e.name())) {
        if command.is_hide_set() {
            continue;
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let first = format!("  {:<1$}", command.get_name(), WORDS - 2);
        let rest = " ".repeat(WORDS);
        let wrap = textwrap::Options::new(COLUMNS).initial_indent(&first).subsequent_indent(&rest);
        text += &textwrap::fill(&about, wrap);
        text.push('\n');
    }
    text + "\n"
}

/// Whether the program that reads our output has closed it, as `head` does.
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
        RobotError::Store(StoreError::Open(place, _)) if place.contains("://") => {
            Some("\"fieldpost doctor\" says more; so does psql with the same address.")
        }
        RobotError::Store(StoreError::Open(..)) => {
            Some("Check robot.data in the config: the folder must be writable for this user.")
        }
        _ => None,
    }
}
