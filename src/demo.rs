//! The demo: a few turns of a game are played from real order mails; there is one for each game
//! that has a folder of mails.
//!
//! Everything but the clock and the random numbers is what a host runs: a store
//! in a folder, a Maildir in, Maildirs out, the same intake, echoes and turns.
//!
//! A terminal shows a page of it (`tale`); the whole is in the folder's `index.html`.

mod colours;
mod tale;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use include_dir::{Dir, include_dir};
use jiff::Timestamp;
use serde::Deserialize;

use base::cancel::Cancel;
use base::clock::{Clock, FakeClock, FixedEntropy};
use base::schedule::{self, Rule};
use base::terms::Contact;
use engine::{Engine, Seat, Until};
use mail::Inbox;
use mail::compose::Sender;
use mail::maildir::{MaildirInbox, MaildirOutlet, deliver};
use registry::{self, ENGINES};
use robot::Robot;
use robot::gm::setup::{NewGame, NewSeat};
use robot::limits::Limits;
use robot::outbox::{Outlet, flush};
use store::{Step, Store};

use self::tale::Tale;

static FIXTURES: Dir = include_dir!("$CARGO_MANIFEST_DIR/mailbox-fixtures/demo");

type Failure = Box<dyn std::error::Error>;

/// Lines of a mail that are shown, at most.
const CARD_MAX: usize = 30;

/// `demo.toml`: the players, and what reaches the mailbox when.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Engine of the game; the name of the folder where it is not given.
    pub engine: Option<String>,
    /// Code of the game.
    pub game: String,
    /// Options of the game.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Seed of all chance, so that each run of the demo is the same.
    pub seed: u64,
    /// Time zone of the game.
    pub zone: String,
    /// When the game starts, in its zone.
    pub start: String,
    /// From one deadline to the next, such as `7 days`.
    pub every: String,
    /// Local time of the deadlines.
    pub at: String,
    /// The players, one for each seat.
    pub player: Vec<Player>,
    /// How many more seats computers play, after those of the players.
    #[serde(default)]
    pub computers: u8,
    /// The mails, in the order in which they come.
    pub mail: Vec<Incoming>,
}

/// A player of the script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// Number of the seat.
    pub seat: u8,
    /// The name that the seat goes by in the game.
    pub name: String,
    /// The player's mail address.
    pub address: String,
    /// The player's time zone.
    pub zone: String,
    /// Whether players who meet this seat learn its player's address.
    #[serde(default)]
    pub disclose: bool,
}

/// A mail of the script.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Incoming {
    /// When the server received it, in the game's zone.
    pub at: String,
    /// File of the mail beside the script.
    pub file: String,
    /// What the mail demonstrates, for the reader.
    pub shows: String,
    /// Whether it is the mail that a terminal shows with its answer.
    #[serde(default)]
    pub told: bool,
}

/// A demo under way.
pub struct Stage {
    /// What happens when.
    pub script: Script,
    /// The robot, with a store in the demo's folder.
    pub robot: Robot,
    /// The robot's clock, which the demo sets.
    pub clock: Arc<FakeClock>,
    /// The robot's inbox in the demo's folder.
    pub inbox: MaildirInbox,
    /// The engine, and the folder of its mails.
    engine: &'static dyn Engine,
    fixtures: &'static Dir<'static>,
    root: PathBuf,
    delivered: u32,
}

impl Stage {
    /// Makes a game of an engine and mails the first printouts.
    ///
    /// # Errors
    /// When there is no such demo, or the folder can't be written to.
    pub fn open(root: &Path, game: &str) -> Result<Self, Failure> {
        let known = || FIXTURES.dirs().filter_map(|d| d.path().to_str()).collect::<Vec<_>>();
        let missing = || format!("there is no demo of {game:?}; there are: {}", known().join(", "));
        let fixtures = FIXTURES.get_dir(game).ok_or_else(missing)?;
        let file = fixtures.get_file(format!("{game}/demo.toml"));
        let file = file.and_then(|f| f.contents_utf8());
        let script: Script = toml::from_str(file.ok_or("demo.toml is missing")?)?;
        let of = script.engine.as_deref().unwrap_or(game);
        let engine = engine::find(&ENGINES, of).ok_or_else(missing)?;
        let clock = Arc::new(FakeClock::at(schedule::date(&script.start, &script.zone)?));
        let entropy = Arc::new(FixedEntropy::new(script.seed));
        let store = Store::open(&root.join("data"), entropy.as_ref())?;
        let identity = Sender {
            name: "Fieldpost".into(),
            address: "robot@fieldpost.example".into(),
            from: None,
        };
        let (gm, limits) = ("gm@fieldpost.example".to_owned(), Limits::default());
        let poll = std::time::Duration::from_secs(1);
        let inbox = MaildirInbox::open("demo", &root.join("inbox"), limits.mail_bytes_max, poll)?;
        let mut robot = Robot::new(store, identity, gm, limits, &ENGINES, clock.clone(), entropy);
        robot.cx.scripted = true;
        let (root, delivered) = (root.to_owned(), 0);
        let mut stage = Self { script, robot, clock, inbox, engine, fixtures, root, delivered };
        stage.seat_players()?;
        Ok(stage)
    }

    fn seat_players(&mut self) -> Result<(), Failure> {
        let script = &self.script;
        let rule = Rule {
            every: script.every.clone(),
            at: Some(script.at.clone()),
            zone: script.zone.clone(),
            holidays: Vec::new(),
        };
        // A script has a handful of players.
        let seats = script.player.len() as u8 + script.computers;
        self.robot.new_game(NewGame {
            code: script.game.clone(),
            engine: self.engine.id().to_owned(),
            seats,
            rule,
            data: Default::default(),
            options: script.options.clone(),
            fee: 0,
            takeover: 0,
            terms: Default::default(),
        })?;
        for player in &script.player {
            self.robot.add_seat(&NewSeat {
                game: script.game.clone(),
                seat: Seat(player.seat),
                address: player.address.clone(),
                name: player.name.clone(),
                zone: Some(player.zone.clone()),
                contact: if player.disclose { Contact::Disclose } else { Contact::Hide },
                any_address: false,
            })?;
        }
        let code = script.game.clone();
        for seat in seats - script.computers + 1..=seats {
            self.robot.add_computer(&code, Seat(seat))?;
        }
        Ok(self.robot.start(&code, None, false)?)
    }

    /// Delivers one mail of the script to the inbox and lets the robot read it;
    /// gives the ids of the mails that it judged.
    ///
    /// # Errors
    /// When the mail is missing or the store fails.
    pub fn receive(&mut self, number: usize) -> Result<Vec<i64>, Failure> {
        let mail = &self.script.mail[number];
        let at = schedule::date(&mail.at, &self.script.zone)?;
        let file = self.fixtures.get_file(self.fixtures.path().join(&mail.file));
        let bytes = file.ok_or_else(|| format!("{} is missing", mail.file))?.contents();
        self.delivered += 1;
        let name = format!("{}.{:04}.demo", at.as_second(), self.delivered);
        deliver(&self.root.join("inbox"), &name, bytes)?;
        self.clock.set(at);
        judge(&mut self.robot, &mut self.inbox)
    }

    /// The new text of a mail of the script, without blank lines.
    fn card(&self, number: usize) -> Result<Vec<String>, Failure> {
        let file = &self.script.mail[number].file;
        let bytes = self.fixtures.get_file(self.fixtures.path().join(file));
        let bytes = bytes.ok_or_else(|| format!("{file} is missing"))?.contents();
        let Ok(mail) = mail::mime::parse(bytes) else { return Ok(Vec::new()) };
        let text = mail.lines.new_text("");
        let told = text.above.into_iter().filter(|l| !l.trim().is_empty());
        Ok(told.take(CARD_MAX).collect())
    }

    /// Runs what is due at an instant.
    ///
    /// # Errors
    /// When the store fails.
    pub fn run_due(&mut self, at: Timestamp) -> Result<u32, Failure> {
        self.clock.set(at);
        Ok(self.robot.run_due(at)?)
    }

    /// Runs the steps whose time is over before an instant, and in a game in which players move in
    /// turn also those whose cards are all there. Gives these steps, each with its deadline if that
    /// ended it.
    ///
    /// # Errors
    /// When the store fails.
    pub fn advance(&mut self, at: Timestamp) -> Result<Vec<(Step, Option<Timestamp>)>, Failure> {
        let mut ran = Vec::new();
        loop {
            let game = self.robot.game(&self.script.game)?;
            let due = game.deadline.filter(|d| *d < at);
            let now = match due {
                Some(due) => due + jiff::SignedDuration::from_secs(1),
                None if matches!(game.step.until, Until::Clock { .. }) => at,
                None => return Ok(ran),
            };
            if self.run_due(now)? == 0 {
                self.clock.set(at);
                return Ok(ran);
            }
            ran.push((game.step, due));
        }
    }

    /// Draws and sends everything in the outbox into the players' Maildirs.
    ///
    /// # Errors
    /// When the store fails.
    pub fn send(&mut self) -> Result<usize, Failure> {
        send(&mut self.robot, &self.root.join("players"), self.clock.as_ref())
    }
}

/// Has a robot judge what lies in its inbox; gives the ids of the mails.
///
/// # Errors
/// When the inbox or the store fails.
pub(crate) fn judge(robot: &mut Robot, inbox: &mut MaildirInbox) -> Result<Vec<i64>, Failure> {
    let name = inbox.name().to_owned();
    let messages = inbox.fetch(&|_| false)?;
    let judged = robot.receive(&messages)?;
    let moves = robot.store.mails().to_move(&name)?;
    inbox.file(&moves)?;
    robot.store.write(|tx| tx.mails().moved(&name, &moves))?;
    Ok(judged)
}

/// Draws and sends everything in a robot's outbox into Maildirs in a folder, one for each player.
///
/// # Errors
/// When the store fails.
pub(crate) fn send(robot: &mut Robot, players: &Path, clock: &dyn Clock) -> Result<usize, Failure> {
    robot.draw_mails()?;
    let outlet = Outlet::Maildir(MaildirOutlet::new(players));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let never = Cancel::default();
    Ok(flush(&mut robot.store, &outlet, &runtime, clock, 5, &never)?)
}

/// Plays the demo, prints an account of it to `out` and leaves a folder with all of it; a map in
/// the colours of a terminal may be printed to `colour`.
///
/// # Errors
/// When a folder can't be written to.
pub fn run(
    game: &str,
    dir: Option<&Path>,
    out: &mut dyn Write,
    colour: Option<&mut dyn Write>,
) -> Result<(), Failure> {
    let root = match dir {
        Some(dir) if dir.exists() && std::fs::read_dir(dir)?.next().is_some() => {
            return Err(format!("{} is not empty; name a new folder", dir.display()).into());
        }
        Some(dir) => dir.to_owned(),
        None => std::env::temp_dir().join(format!("fieldpost-demo-{}", std::process::id())),
    };
    std::fs::create_dir_all(&root).map_err(|e| {
        let why = "name a folder in which this user may write";
        format!("{} can't be written: {e}; {why}", root.display())
    })?;
    let mut stage = Stage::open(&root, game)?;
    let tale = Tale::of(&mut stage)?;
    tale.print(out, colour)?;
    std::fs::write(root.join("robot.toml"), config(&root)?)?;
    tale.page(&mut stage, &root)?;
    let root = root.display();
    writeln!(out, "Open {root}/index.html: both printouts, the maps, the course, every mail.")?;
    writeln!(out, "Play yourself, without a mail server: fieldpost play {}", stage.engine.id())?;
    writeln!(out, "A host of your own: fieldpost init. All commands: fieldpost --help")?;
    Ok(())
}

/// A config for the store that the demo leaves.
fn config(root: &Path) -> std::io::Result<String> {
    let root = std::path::absolute(root)?;
    // Basic strings of TOML and JSON are written alike.
    let path = |name: &str| serde_json::Value::from(root.join(name).to_string_lossy()).to_string();
    Ok(format!(
        "[robot]\nname = \"Fieldpost\"\naddress = \"robot@fieldpost.example\"\n\
         gm = \"gm@fieldpost.example\"\ndata = {}\n\n[inbox.demo]\nkind = \"maildir\"\n\
         path = {}\n\n[outlet]\nkind = \"maildir\"\npath = {}\n",
        path("data"),
        path("inbox"),
        path("players")
    ))
}
