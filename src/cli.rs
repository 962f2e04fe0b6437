//! The command line; the doc comments are the help.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

use crate::config::Config;
use crate::gallery::{self, Form};
use crate::host::robot;
use crate::ops::{Failure, archive, backup, doctor, init, publish, watch, web};
use crate::serve::serve;
use crate::{demo, observe, sim};
use base::schedule::{self, Rule};
use base::terms::{Contact, Terms};
use engine::{CardText, Seat, Setup};
use registry::ENGINES;
use robot::acts::{Act, By};
use robot::admin::NewSeat;
use robot::card::Request;
use robot::card::echo::Echo;
use robot::{Robot, RobotError};
use store::StoreError;

/// A play-by-email host: players need nothing but a mail program.
#[derive(Debug, Parser)]
#[command(name = "fieldpost", version, arg_required_else_help = true)]
struct Cli {
    /// The config file.
    #[arg(long, short, global = true, default_value = "robot.toml")]
    config: PathBuf,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Plays a few turns of a game from real order mails, without a config.
    Demo(Demo),
    /// Asks a few questions, or takes flags, and writes a commented config.
    Init(init::Args),
    /// Checks config, mail servers, clock, disk, store and domain, and says what to do.
    Doctor(doctor::Args),
    /// Runs the robot: reads mail, answers, runs turns when they are due.
    Serve,
    /// Shows games, verdicts and the outbox as they are, in the terminal.
    Watch(watch::Args),
    /// Prints the address of the dashboard of a robot that serves.
    Dashboard,
    /// Writes public pages as files: games, standings, rulebooks, a feed.
    Publish {
        /// Folder for the files.
        folder: PathBuf,
    },
    /// Copies the whole store while the robot runs.
    Backup(backup::Args),
    /// Puts a copy in the place of the store.
    Restore(backup::RestoreArgs),
    /// Writes one game as one file, for another host.
    Export(archive::ExportArgs),
    /// Takes a game from a file; it is held until it is released.
    Import(archive::ImportArgs),
    /// Makes, lists, shows, starts and stops games.
    #[command(subcommand)]
    Game(GameCommand),
    /// Gives seats to players.
    #[command(subcommand)]
    Seat(SeatCommand),
    /// Enters and lists payments, in games whose printouts cost a fee.
    #[command(subcommand)]
    Credit(CreditCommand),
    /// Prints the rulebook of a game, with the figures of its data files.
    Rules {
        /// Code of the game.
        game: String,
    },
    /// Writes a seat's printout of a turn as files: text, HTML, PDF, JSON, pictures.
    Render(Render),
    /// Writes the whole map of a game, and its course as an animated picture.
    Atlas(Atlas),
    /// Prints the JSON schema of turn.json or of a card as JSON.
    Schema {
        /// turn or card.
        of: Schema,
    },
    /// Judges a card from a file and files nothing.
    Check(Check),
    /// Runs turns by hand.
    #[command(subcommand)]
    Turn(TurnCommand),
    /// Shows what the game master did, and undoes it.
    #[command(subcommand)]
    Act(ActCommand),
    /// Plays whole games of computer players without mail and checks the rules.
    Sim(Sim),
    /// Recomputes every turn of a game and compares hashes with the journal.
    Replay {
        /// Code of the game.
        game: String,
    },
    /// Shows incoming mails with their verdicts, and what was set aside or unsent.
    #[command(subcommand)]
    Mail(MailCommand),
    /// Takes mails apart for a robot that serves.
    #[command(name = mail::reader::WORD, hide = true)]
    ReadMails,
    /// Shows or erases what is stored about somebody.
    #[command(subcommand)]
    Person(PersonCommand),
}

#[derive(Debug, Args)]
struct Demo {
    /// Engine: warlord (12 players, 2 turns) or battle-plan (5 players, 4 turns).
    #[arg(long, default_value = "warlord")]
    game: String,
    /// Where to play; a temporary folder by default.
    #[arg(long)]
    dir: Option<PathBuf>,
    /// Leaves the folder behind.
    #[arg(long)]
    keep: bool,
}

#[derive(Debug, Args)]
struct Sim {
    /// Engine.
    #[arg(long, default_value = "warlord")]
    game: String,
    /// Number of seats.
    #[arg(long, default_value_t = 100)]
    seats: u8,
    /// Turns at most; a game ends before when it is won.
    #[arg(long, default_value_t = 75)]
    turns: u32,
    /// Seed of the first game.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games, each with the next seed.
    #[arg(long, default_value_t = 1)]
    seeds: u64,
    /// Games that are played at a time.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// So many players leave in turn 11, as if they sent no more cards.
    #[arg(long, default_value_t = 0)]
    absent: u8,
    /// Skips the checks after each turn.
    #[arg(long)]
    unchecked: bool,
    /// Folder for charts of rating, cities and income.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Folder with data files that replace the engine's own, such as rules.toml.
    #[arg(long)]
    data: Option<PathBuf>,
    /// An option of the engine, such as variant=1939.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
}

#[derive(Debug, Subcommand)]
enum GameCommand {
    /// Makes a game that takes seats.
    New(NewGame),
    /// Lists all games.
    List,
    /// Shows a game with its seats and who has orders on file.
    Show {
        /// Code of the game.
        game: String,
    },
    /// Makes the world and mails the first printouts.
    Start {
        /// Code of the game.
        game: String,
        /// First deadline in the game's zone, such as "2026-12-01 18:00".
        #[arg(long)]
        deadline: Option<String>,
        /// Starts although some seats have no player.
        #[arg(long)]
        with_free_seats: bool,
        /// Gives all free seats to computer players.
        #[arg(long)]
        computers: bool,
    },
    /// Moves the open turn's deadline to a date in the game's zone.
    Deadline {
        /// Code of the game.
        game: String,
        /// Such as "2026-12-01 18:00".
        at: String,
    },
    /// Changes terms of a game, such as early=true, policy=strict, every="mon thu".
    Set {
        /// Code of the game.
        game: String,
        /// Terms; none shows all as they are.
        #[arg(value_name = "NAME=VALUE", value_parser = option)]
        terms: Vec<(String, String)>,
    },
    /// Mails a text to all players of a game, or to one.
    Tell {
        /// Code of the game.
        game: String,
        /// Number of a seat, or all.
        whom: String,
        /// The text.
        text: String,
    },
    /// Stops a game: its turns do not run.
    Hold {
        /// Code of the game.
        game: String,
        /// Why, for the game master's listing.
        why: String,
    },
    /// Lets a held game go on.
    Release {
        /// Code of the game.
        game: String,
    },
}

#[derive(Debug, Args)]
struct NewGame {
    /// Code of the game: 1 to 8 letters and digits, such as W7.
    game: String,
    /// Engine.
    #[arg(long, default_value = "warlord")]
    engine: String,
    /// Number of seats.
    #[arg(long)]
    seats: u8,
    /// From one deadline to the next, such as "7 days", "36 hours" or "mon thu".
    #[arg(long, default_value = "7 days")]
    every: String,
    /// Local time of the deadline for intervals of whole days.
    #[arg(long)]
    at: Option<String>,
    /// Time zone of the game.
    #[arg(long, default_value = "UTC")]
    zone: String,
    /// Folder with data files that replace the engine's own, such as units.toml.
    #[arg(long)]
    data: Option<PathBuf>,
    /// An option of the engine, such as variant=1939 or absent_turns=6.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option: Vec<(String, String)>,
    /// Credits that each printout after the first costs; 0: nothing.
    #[arg(long, default_value_t = 0)]
    fee: u32,
    /// Missed turns after which a computer plays on for a player; 0: never.
    #[arg(long, default_value_t = 0)]
    takeover: u32,
    /// A day without deadline: 2026-12-25, 12-25 each year, 2026-12-24..2027-01-02.
    #[arg(long)]
    holiday: Vec<String>,
    /// A term of the game, such as join=true, early=true, policy=strict,
    /// grace_minutes=30, quorum=5; "game set W7" shows all.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    set: Vec<(String, String)>,
}

#[derive(Debug, Args)]
struct Render {
    /// Code of the game.
    game: String,
    /// Number of the seat.
    seat: u8,
    /// The turn that the printout opened; the newest by default.
    turn: Option<u32>,
    /// Forms, one or several; text alone is printed when no folder is named.
    #[arg(long, value_delimiter = ',', default_value = "text")]
    format: Vec<Form>,
    /// Folder for the files.
    #[arg(long)]
    out: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct Atlas {
    /// Code of the game.
    game: String,
    /// Folder for the files.
    #[arg(long, default_value = ".")]
    out: PathBuf,
    /// Milliseconds that a turn is shown.
    #[arg(long, default_value_t = 700)]
    frame_ms: u16,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Schema {
    Turn,
    Card,
}

fn option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
        None => Err("write it as name=value".to_owned()),
    }
}

fn contact(text: &str) -> Result<Contact, String> {
    Contact::of(text).ok_or_else(|| "write disclose, relay or hide".to_owned())
}

#[derive(Debug, Subcommand)]
enum SeatCommand {
    /// Gives a seat to a player and prints its password once.
    Add(AddSeat),
    /// Gives a free seat to a computer player; a player may follow it later.
    Computer {
        /// Code of the game.
        game: String,
        /// Number of the seat.
        seat: u8,
    },
    /// Gives a seat to another address: its player moves, or has left.
    Give {
        /// Code of the game.
        game: String,
        /// Number of the seat.
        seat: u8,
        /// The player's mail address.
        address: String,
    },
    /// Lists the seats of a game.
    List {
        /// Code of the game.
        game: String,
    },
}

#[derive(Debug, Args)]
struct AddSeat {
    /// Code of the game.
    game: String,
    /// Number of the seat.
    seat: u8,
    /// The player's mail address.
    address: String,
    /// The name that the seat goes by in the game.
    #[arg(long, default_value = "")]
    name: String,
    /// The player's time zone; the game's by default.
    #[arg(long)]
    zone: Option<String>,
    /// How players who meet this seat may reach its player: disclose, relay or hide.
    #[arg(long, default_value = "hide", value_parser = contact)]
    contact: Contact,
    /// With the right secret a card may come from any address.
    #[arg(long)]
    any_address: bool,
}

#[derive(Debug, Args)]
struct Check {
    /// Code of the game.
    #[arg(long)]
    game: String,
    /// Number of the seat.
    #[arg(long)]
    seat: u8,
    /// File with the card; - for standard input.
    card: PathBuf,
}

#[derive(Debug, Subcommand)]
enum CreditCommand {
    /// Enters a payment; a printout that waits for it is sent.
    Add {
        /// Code of the game.
        game: String,
        /// Number of the seat.
        seat: u8,
        /// Credits; negative takes some back.
        #[arg(allow_negative_numbers = true)]
        amount: i64,
        /// What for, in the ledger.
        #[arg(long, default_value = "payment")]
        why: String,
    },
    /// Shows the ledger of a seat.
    List {
        /// Code of the game.
        game: String,
        /// Number of the seat.
        seat: u8,
    },
}

#[derive(Debug, Subcommand)]
enum TurnCommand {
    /// Runs the open turn now, whatever the deadline.
    Run {
        /// Code of the game.
        game: String,
    },
    /// Takes the last turn back, as long as nobody has answered it; the game is held.
    Undo {
        /// Code of the game.
        game: String,
    },
}

#[derive(Debug, Subcommand)]
enum ActCommand {
    /// Lists acts, newest first, with the numbers by which they are undone.
    List {
        /// Code of a game; all without it.
        game: Option<String>,
    },
    /// Undoes an act: a hold, a release, a moved deadline, a seat given, a term, a payment,
    /// a turn run or taken back, mails that have not left yet.
    Undo {
        /// Number of the act.
        act: i64,
    },
}

#[derive(Debug, Subcommand)]
enum MailCommand {
    /// Lists the newest mails.
    List {
        /// How many.
        #[arg(long, default_value_t = 30)]
        limit: u32,
    },
    /// Explains one verdict and shows what was answered.
    Show {
        /// Number of the mail, as in the list and as the receipt of an echo.
        id: i64,
        /// Prints the raw mail too.
        #[arg(long)]
        raw: bool,
    },
    /// Tells step by step what the robot would do with a mail, and does nothing.
    Explain {
        /// File with the raw mail; - for standard input.
        file: PathBuf,
    },
    /// Lists the mails that were set aside.
    Quarantine,
    /// Lets a mail count that was set aside, or has it judged anew.
    Release {
        /// Number of the mail.
        id: i64,
    },
    /// Lays a mail to rest that was set aside.
    Drop {
        /// Number of the mail.
        id: i64,
    },
    /// Lists mails that could not be sent.
    Unsent,
    /// Sends mails again that could not be sent: one, or all.
    Resend {
        /// Number of the mail; all of them without it.
        id: Option<i64>,
    },
}

#[derive(Debug, Subcommand)]
enum PersonCommand {
    /// Prints everything that is stored about an address, as JSON.
    Export {
        /// The mail address.
        address: String,
    },
    /// Erases an address from seats, mails and the outbox; its games keep a seat
    /// without a name.
    Erase {
        /// The mail address.
        address: String,
    },
}

/// Runs the program.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("fieldpost: {e}");
            if let Some(hint) = hint(e.as_ref()) {
                eprintln!("{hint}");
            }
            ExitCode::FAILURE
        }
    }
}

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

fn run(cli: &Cli) -> Result<(), Failure> {
    if let Command::Demo(args) = &cli.command {
        return demo::run(&args.game, args.dir.as_deref(), args.keep, &mut std::io::stdout());
    }
    if let Command::Sim(args) = &cli.command {
        return simulate(args);
    }
    if let Command::ReadMails = cli.command {
        mail::reader::serve();
        return Ok(());
    }
    if let Command::Schema { of } = &cli.command {
        print!(
            "{}",
            match of {
                Schema::Turn => render::data::schema(),
                Schema::Card => robot::card::json::schema(),
            }
        );
        return Ok(());
    }
    let mut out = std::io::stdout().lock();
    match &cli.command {
        Command::Init(args) => return init::run(args, &cli.config, &mut out),
        Command::Doctor(args) => return doctor::run(args, &cli.config, &mut out),
        _ => {}
    }
    let config = Config::load(&cli.config)?;
    observe::start(&config.log)?;
    match &cli.command {
        Command::Serve => return Ok(serve(&cli.config, config, ENGINES)?),
        Command::Watch(args) => return watch::run(&config, args, &mut out),
        Command::Dashboard => return web::address(&config, &mut out),
        Command::Backup(args) => return backup::run(&config, args, &mut out),
        Command::Restore(args) => return backup::restore(&config, args, &mut out),
        _ => {}
    }
    let mut robot = robot(&config, ENGINES)?;
    match &cli.command {
        Command::Demo(_)
        | Command::Sim(_)
        | Command::Init(_)
        | Command::Doctor(_)
        | Command::Serve
        | Command::Watch(_)
        | Command::Dashboard
        | Command::Backup(_)
        | Command::Restore(_)
        | Command::ReadMails
        | Command::Schema { .. } => Ok(()),
        Command::Publish { folder } => publish::run(&mut robot, folder, &mut out),
        Command::Export(args) => archive::export(&mut robot, args, &mut out),
        Command::Import(args) => archive::import(&mut robot, args, &mut out),
        Command::Render(args) => render(&mut robot, args, &mut out),
        Command::Atlas(args) => atlas(&mut robot, args, &mut out),
        Command::Game(command) => game(&mut robot, command, &mut out),
        Command::Seat(command) => seat(&mut robot, command, &mut out),
        Command::Credit(command) => credit(&mut robot, command, &mut out),
        Command::Rules { game } => {
            let found = robot.game(game)?;
            let open = robot.open(&found)?;
            let book = robot.shielded(&found.code, || open.rulebook())?;
            write!(out, "{}", render::text::sections(&book))?;
            Ok(())
        }
        Command::Check(check) => check_card(&mut robot, check, &mut out),
        Command::Turn(TurnCommand::Run { game }) => {
            let turn = robot.game(game)?.turn;
            let bar = spinner(format!("turn {turn} of {game}"));
            let said = robot.master(By::Shell, &Act::Run { game: game.clone() });
            bar.finish_and_clear();
            writeln!(out, "{}", said?)?;
            Ok(())
        }
        Command::Turn(TurnCommand::Undo { game }) => {
            let said = robot.master(By::Shell, &Act::Withdraw { game: game.clone() })?;
            writeln!(out, "{said}")?;
            Ok(())
        }
        Command::Act(ActCommand::List { game }) => {
            let text = robot.acts_text(game.as_deref())?;
            text.lines().try_for_each(|l| writeln!(out, "{}", l.trim_start_matches("| ")))?;
            Ok(())
        }
        Command::Act(ActCommand::Undo { act }) => {
            writeln!(out, "{}", robot.master(By::Shell, &Act::Undo { act: *act })?)?;
            Ok(())
        }
        Command::Person(command) => person(&mut robot, command, &mut out),
        Command::Replay { game } => replay(&mut robot, game, &mut out),
        Command::Mail(command) => mail(&mut robot, command, &mut out),
    }
}

fn simulate(args: &Sim) -> Result<(), Failure> {
    let engine = engine::find(ENGINES, &args.game).ok_or_else(|| {
        let known: Vec<&str> = ENGINES.iter().map(|e| e.id()).collect();
        format!("no engine {:?}; there are: {}", args.game, known.join(", "))
    })?;
    let data = args.data.as_deref().map(data_files).transpose()?.unwrap_or_default();
    let options = args.option.iter().cloned().collect();
    let setup = Setup { seats: args.seats, data, options };
    let plan = sim::Plan {
        setup,
        turns: args.turns,
        seed: args.seed,
        seeds: args.seeds,
        jobs: args.jobs,
        absent: args.absent,
        unchecked: args.unchecked,
        report: args.report.clone(),
    };
    sim::run(engine, &plan, &mut std::io::stdout())
}

/// Progress on a terminal, and only there.
fn spinner(what: String) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(what);
    bar.enable_steady_tick(std::time::Duration::from_millis(120));
    bar
}

fn game(robot: &mut Robot, command: &GameCommand, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        GameCommand::New(new) => {
            let rule = Rule {
                every: new.every.clone(),
                at: new.at.clone(),
                zone: new.zone.clone(),
                holidays: new.holiday.clone(),
            };
            let with = |t: Terms, (k, v): &(String, String)| t.with(k, v);
            let terms = new.set.iter().try_fold(Terms::default(), with)?;
            let data = new.data.as_deref().map(data_files).transpose()?.unwrap_or_default();
            robot.new_game(robot::admin::NewGame {
                code: new.game.clone(),
                engine: new.engine.clone(),
                seats: new.seats,
                rule,
                data,
                options: new.option.iter().cloned().collect(),
                fee: new.fee,
                takeover: new.takeover,
                terms,
            })?;
            writeln!(
                out,
                "Game {} takes seats: fieldpost seat add {} 1 player@example.org",
                new.game, new.game
            )?;
        }
        GameCommand::List => {
            for game in robot.store.games()? {
                let due = game.deadline.map_or("-".into(), |d| schedule::local(d, &game.rule.zone));
                let (code, engine, status) = (&game.code, &game.engine, game.status.word());
                writeln!(out, "{code:<8} {engine:<15} {status:<8} turn {:<4} {due}", game.turn)?;
            }
        }
        GameCommand::Show { game } => show_game(robot, game, out)?,
        GameCommand::Start { game, deadline, with_free_seats, computers } => {
            if *computers {
                let found = robot.game(game)?;
                let taken = robot.store.seats(&found.code)?;
                for seat in (1..=found.setup.seats).map(Seat) {
                    if taken.iter().all(|t| t.seat != seat) {
                        robot.add_computer(game, seat)?;
                    }
                }
            }
            let bar = spinner(format!("making the world of {game}"));
            robot.start(game, deadline.as_deref(), *with_free_seats)?;
            bar.finish_and_clear();
            writeln!(out, "Game {game} runs; its first printouts are in the outbox.")?;
        }
        GameCommand::Deadline { game, at } => {
            let act = Act::Deadline { game: game.clone(), at: at.clone() };
            writeln!(out, "{}", robot.master(By::Shell, &act)?)?;
        }
        GameCommand::Set { game, terms } => {
            for (name, value) in terms {
                let (game, name, value) = (game.clone(), name.clone(), value.clone());
                robot.master(By::Shell, &Act::Set { game, name, value })?;
            }
            let text = robot.terms_text(game)?;
            text.lines().try_for_each(|l| writeln!(out, "{}", l.trim_start_matches("| ")))?;
        }
        GameCommand::Tell { game, whom, text } => {
            let seat = match whom.as_str() {
                "all" => None,
                number => Some(Seat(number.parse().map_err(|_| "write a seat's number, or all")?)),
            };
            let act = Act::Tell { game: game.clone(), seat, text: text.clone() };
            writeln!(out, "{}", robot.master(By::Shell, &act)?)?;
        }
        GameCommand::Hold { game, why } => {
            let act = Act::Hold { game: game.clone(), why: why.clone() };
            writeln!(out, "{}", robot.master(By::Shell, &act)?)?;
        }
        GameCommand::Release { game } => {
            let act = Act::Release { game: game.clone() };
            writeln!(out, "{}", robot.master(By::Shell, &act)?)?;
        }
    }
    Ok(())
}

/// Text files of a folder by name.
fn data_files(folder: &Path) -> Result<std::collections::BTreeMap<String, String>, Failure> {
    let mut files = std::collections::BTreeMap::new();
    for entry in std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|e| e == "toml") {
            files.insert(name, std::fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}

fn show_game(robot: &Robot, code: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let game = robot.game(code)?;
    let (status, zone) = (game.status.word(), &game.rule.zone);
    writeln!(out, "Game {}: {}, {status}, {} seats", game.code, game.engine, game.setup.seats)?;
    if !game.held_why.is_empty() {
        writeln!(out, "Held: {}", game.held_why)?;
    }
    let at = game.rule.at.as_ref().map_or(String::new(), |at| format!(" at {at}"));
    writeln!(out, "A turn every {}{at} ({zone})", game.rule.every)?;
    writeln!(out, "{}", robot.due_line(&game, zone, robot.now()))?;
    for seat in robot.store.seats(&game.code)? {
        if seat.computer {
            writeln!(out, "seat {:>3}  a computer player", seat.seat)?;
            continue;
        }
        let filed = robot.store.orders(&game.code, seat.seat, game.turn)?;
        let orders = filed.map_or("no orders".to_owned(), |f| {
            let (lines, at) = (f.card.lines.len(), schedule::local(f.received_at, zone));
            format!("{lines} orders, {at}")
        });
        let missed =
            if seat.missed > 0 { format!(", missed {}", seat.missed) } else { String::new() };
        let away = game.takeover > 0 && seat.missed >= game.takeover;
        let away = if away { ", the computer plays on" } else { "" };
        let credit = match game.fee {
            0 => String::new(),
            _ => format!(", credit {}", robot.store.credit(&game.code, seat.seat)?),
        };
        writeln!(out, "seat {:>3}  {:<30} {orders}{missed}{away}{credit}", seat.seat, seat.name)?;
    }
    let tally = robot.store.tally()?;
    writeln!(
        out,
        "Outbox: {} waiting, {} sent, {} failed",
        tally.waiting, tally.sent, tally.failed
    )?;
    Ok(())
}

fn seat(robot: &mut Robot, command: &SeatCommand, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        SeatCommand::Add(add) => {
            let password = robot.add_seat(&NewSeat {
                game: add.game.clone(),
                seat: Seat(add.seat),
                address: add.address.clone(),
                name: add.name.clone(),
                zone: add.zone.clone(),
                contact: add.contact,
                any_address: add.any_address,
            })?;
            writeln!(out, "Seat {} is given. Its password, shown only now: {password}", add.seat)?;
        }
        SeatCommand::Give { game, seat, address } => {
            let (game, address) = (game.clone(), address.clone());
            let act = Act::Seat { game, seat: Seat(*seat), address };
            writeln!(out, "{}", robot.master(By::Shell, &act)?)?;
        }
        SeatCommand::Computer { game, seat } => {
            robot.add_computer(game, Seat(*seat))?;
            writeln!(out, "Seat {seat} is played by a computer.")?;
        }
        SeatCommand::List { game } => {
            let code = robot.game(game)?.code;
            for seat in robot.store.seats(&code)? {
                if seat.computer {
                    writeln!(out, "seat {:>3}  a computer player", seat.seat)?;
                    continue;
                }
                let disclosed = seat.contact.word();
                writeln!(
                    out,
                    "seat {:>3}  {:<30} {} ({disclosed}, {})",
                    seat.seat, seat.name, seat.address, seat.zone
                )?;
            }
        }
    }
    Ok(())
}

fn credit(robot: &mut Robot, command: &CreditCommand, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        CreditCommand::Add { game, seat, amount, why } => {
            let (game, why) = (game.clone(), why.clone());
            let act = Act::Credit { game, seat: Seat(*seat), amount: *amount, why };
            writeln!(out, "{}", robot.master(By::Shell, &act)?)?;
        }
        CreditCommand::List { game, seat } => {
            let game = robot.game(game)?;
            for entry in robot.store.ledger(&game.code, Seat(*seat))? {
                let at = schedule::local(entry.at, &game.rule.zone);
                writeln!(out, "{at}  {:>6}  {}", entry.amount, clean(&entry.why))?;
            }
            let left = robot.store.credit(&game.code, Seat(*seat))?;
            writeln!(out, "Seat {seat} has {left} credits; a printout costs {}.", game.fee)?;
        }
    }
    Ok(())
}

fn render(robot: &mut Robot, args: &Render, out: &mut dyn Write) -> Result<(), Failure> {
    let turn = match args.turn {
        Some(turn) => turn,
        None => robot.game(&args.game)?.turn,
    };
    let what = (args.game.as_str(), Seat(args.seat), turn);
    if args.out.is_none() && args.format == [Form::Text] {
        let document = robot.document_of(what.0, what.1, turn)?;
        write!(out, "{}", render::text::document(&document))?;
        return Ok(());
    }
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("."));
    for path in gallery::render(robot, what, &args.format, &folder)? {
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}

fn atlas(robot: &mut Robot, args: &Atlas, out: &mut dyn Write) -> Result<(), Failure> {
    let style = ProgressStyle::with_template("{spinner} turn {pos}")?;
    let bar = spinner(String::new()).with_style(style);
    let progress = |turn: u32| bar.set_position(u64::from(turn));
    let written = gallery::atlas(robot, &args.game, args.frame_ms, &args.out, progress)?;
    bar.finish_and_clear();
    written.iter().try_for_each(|path| writeln!(out, "{}", path.display()))?;
    Ok(())
}

fn check_card(robot: &mut Robot, check: &Check, out: &mut dyn Write) -> Result<(), Failure> {
    let text = match check.card.as_os_str() == "-" {
        true => std::io::read_to_string(std::io::stdin())?,
        false => std::fs::read_to_string(&check.card)
            .map_err(|e| format!("{}: {e}", check.card.display()))?,
    };
    let game = robot.game(&check.game)?;
    if !(1..=game.setup.seats).contains(&check.seat) {
        return Err(format!("game {} has seats 1 to {}", game.code, game.setup.seats).into());
    }
    let lines: Vec<String> = text.lines().map(mail::normal::normalise).collect();
    let card: CardText = Request::read(&lines).card;
    let open = robot.open(&game)?;
    let judgement = robot.shielded(&game.code, || open.judge(Seat(check.seat), &card))?;
    let echo = Echo {
        outcome: "This card was checked and not filed.".to_owned(),
        facts: vec![robot.due_line(&game, &game.rule.zone, robot.now())],
        title: "The card as it would stand",
        judgement: &judgement,
        seals: Vec::new(),
        hints: Vec::new(),
    };
    // The marker line is for mails.
    let text = echo.text();
    writeln!(out, "{}", text.split_once("\n\n").map_or(text.as_str(), |(_, t)| t))?;
    Ok(())
}

fn replay(robot: &mut Robot, game: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let style = ProgressStyle::with_template("{spinner} turn {pos}")?;
    let bar = spinner(String::new()).with_style(style);
    let turns = robot.replay(game, |turn| bar.set_position(u64::from(turn)))?;
    bar.finish_and_clear();
    let wrong: Vec<String> = turns.iter().filter(|t| !t.same).map(|t| t.turn.to_string()).collect();
    if wrong.is_empty() {
        writeln!(out, "{} turns recomputed; all hashes are those of the journal.", turns.len())?;
        return Ok(());
    }
    Err(format!("turns {} came out differently from the journal", wrong.join(", ")).into())
}

fn person(robot: &mut Robot, command: &PersonCommand, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        PersonCommand::Export { address } => writeln!(out, "{}", robot.data_of(address)?)?,
        PersonCommand::Erase { address } => {
            robot.store.erase(address)?;
            writeln!(out, "Erased. Backups made before still hold it.")?;
        }
    }
    Ok(())
}

fn mail(robot: &mut Robot, command: &MailCommand, out: &mut dyn Write) -> Result<(), Failure> {
    match command {
        MailCommand::Explain { file } => {
            let bytes = match file.as_os_str() == "-" {
                true => {
                    let mut bytes = Vec::new();
                    std::io::Read::read_to_end(&mut std::io::stdin(), &mut bytes)?;
                    bytes
                }
                false => std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?,
            };
            write!(out, "{}", robot.explain(&bytes)?)?;
        }
        MailCommand::Quarantine => write!(out, "{}", robot.quarantine_text()?)?,
        MailCommand::Release { id } => {
            writeln!(out, "{}", robot.master(By::Shell, &Act::ReleaseMail { mail: *id })?)?;
        }
        MailCommand::Drop { id } => {
            writeln!(out, "{}", robot.master(By::Shell, &Act::DropMail { mail: *id })?)?;
        }
        MailCommand::Unsent => {
            for row in robot.store.unsent(200)? {
                let at = schedule::local(row.created_at, "UTC");
                let (id, kind, to) = (row.id, &row.kind, clean(&row.mail.to));
                writeln!(out, "{id:>6}  {at}  {kind:<9} {to}")?;
            }
        }
        MailCommand::Resend { id } => {
            writeln!(out, "{}", robot.master(By::Shell, &Act::Resend { mail: *id })?)?;
        }
        MailCommand::List { limit } => {
            for row in robot.store.mails(*limit)? {
                let verdict = row.verdict.map_or("waiting", |v| v.word());
                let seat = match (&row.game, row.seat) {
                    (Some(game), Some(seat)) => format!("{game} seat {seat}"),
                    _ => String::new(),
                };
                let at = schedule::local(row.received_at, "UTC");
                let (id, reason, from) = (row.id, &row.reason, clean(&row.sender));
                writeln!(out, "{id:>6}  {at}  {verdict:<11} {reason:<16} {seat:<14} {from}")?;
            }
        }
        MailCommand::Show { id, raw } => {
            let row = robot.store.mail(*id)?.ok_or_else(|| {
                format!("there is no mail {id}; \"fieldpost mail list\" shows the newest")
            })?;
            let verdict = row.verdict.map_or("waiting", |v| v.word());
            writeln!(out, "Mail {id} from {}, {} octets", clean(&row.sender), row.size)?;
            writeln!(out, "Received {}", schedule::local(row.received_at, "UTC"))?;
            writeln!(out, "Verdict: {verdict} ({})\n{}", row.reason, clean(&row.why))?;
            for caused in robot.store.caused_by(*id)? {
                let (kind, state, error) = (&caused.kind, &caused.state, clean(&caused.last_error));
                writeln!(out, "\nAnswered by {kind}: {state} {error}")?;
                out.write_all(&caused.bytes)?;
            }
            if *raw {
                let bytes = robot.store.raw(*id)?;
                let bytes = bytes.ok_or("the raw mail is not kept any more")?;
                writeln!(out, "\n---- raw ----\n{}", clean(&String::from_utf8_lossy(&bytes)))?;
            }
        }
    }
    Ok(())
}

/// Text of a mail as a terminal may show it.
fn clean(text: &str) -> String {
    let shown = |c: char| !c.is_control() || c == '\n';
    text.chars().map(|c| if shown(c) { c } else { '?' }).collect()
}
