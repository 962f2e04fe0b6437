//! What a command is, and how lists of commands become the command line of clap.

use std::io::Write;
use std::path::PathBuf;

use clap::{ArgMatches, Args, Command};

use crate::config::Config;
use crate::host;
use crate::observe;
use crate::ops::Failure;
use registry::ENGINES;
use robot::Robot;
use robot::gm::{By, GmAction};

/// A command: its fields are its flags, and its doc comments are its help.
pub trait Run: Args {
    /// Does what the command says and prints to `out`.
    ///
    /// # Errors
    /// One sentence for the user, with what to do next.
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure>;
}

/// What every command may ask for. Nothing is opened before a command asks, because some commands
/// work without a config or with a broken store.
pub struct Context {
    /// The config file, which may not exist.
    pub path: PathBuf,
    /// The whole command line, for commands that write about it, such as `manual`.
    pub line: fn() -> Command,
}

impl Context {
    /// Loads the config and starts the log that it describes.
    ///
    /// # Errors
    /// When the config is missing or wrong, or its log can't be opened.
    pub fn config(&self) -> Result<Config, Failure> {
        let config = Config::load(&self.path)?;
        observe::start(&config.log)?;
        Ok(config)
    }

    /// Opens the robot of the config.
    ///
    /// # Errors
    /// As [`Context::config`], or when the store can't be opened.
    pub fn robot(&self) -> Result<Robot, Failure> {
        Ok(host::robot(&self.config()?, &ENGINES)?)
    }

    /// Does one recorded act of the game master and prints its result.
    ///
    /// # Errors
    /// As [`Context::robot`], or when the act is refused.
    pub fn act(&self, act: &dyn GmAction, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(out, "{}", self.robot()?.act(By::Shell, act)?)?;
        Ok(())
    }
}

/// Describes a command's flags to clap.
type Define = fn(Command) -> Command;
/// Runs a command with the flags that clap found.
type Start = fn(&ArgMatches, &Context, &mut dyn Write) -> Result<(), Failure>;

/// One line in a list of commands.
pub struct Entry {
    /// The word that the user types.
    name: &'static str,
    kind: Kind,
}

/// A command, or a word in front of further commands.
enum Kind {
    One { define: Define, start: Start },
    Group { about: &'static str, entries: &'static [Entry] },
}

impl Entry {
    /// A command.
    pub const fn one<T: Run>(name: &'static str) -> Self {
        Self { name, kind: Kind::One { define: T::augment_args, start: start::<T> } }
    }

    /// A group of commands; `about` is its help.
    pub const fn group(name: &'static str, about: &'static str, entries: &'static [Entry]) -> Self {
        Self { name, kind: Kind::Group { about, entries } }
    }

    /// The word that the user types.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    fn define(&self) -> Command {
        let command = Command::new(self.name);
        match self.kind {
            Kind::One { define, .. } => define(command),
            Kind::Group { about, entries } => add_all(command.about(about), entries),
        }
    }
}

/// Adds a list of commands below a command, which then needs one of them.
pub fn add_all(command: Command, entries: impl IntoIterator<Item = &'static Entry>) -> Command {
    command
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(entries.into_iter().map(Entry::define))
}

/// Runs the command of a list that clap found.
///
/// # Errors
/// What the command fails on.
pub fn run_one(
    entries: impl IntoIterator<Item = &'static Entry>,
    matches: &ArgMatches,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let found = matches
        .subcommand()
        .and_then(|(name, matches)| Some((entries.into_iter().find(|e| e.name == name)?, matches)));
    // clap has refused everything else already.
    let Some((entry, matches)) = found else { return Err("there is no such command".into()) };
    match entry.kind {
        Kind::One { start, .. } => start(matches, context, out),
        Kind::Group { entries, .. } => run_one(entries, matches, context, out),
    }
}

fn start<T: Run>(
    matches: &ArgMatches,
    context: &Context,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    T::from_arg_matches(matches)?.run(context, out)
}
