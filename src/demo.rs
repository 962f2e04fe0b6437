//! The demo: a game lives through a few turns on real order mails; there is one for
//! each game that has a folder of mails.
//!
//! Everything but the clock and the random numbers is what a host runs: a store
//! in a folder, a Maildir in, Maildirs out, the same intake, echoes and turns.

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
use store::{Step, Store, Verdict};

static FIXTURES: Dir = include_dir!("$CARGO_MANIFEST_DIR/mailbox-fixtures/demo");

type Failure = Box<dyn std::error::Error>;

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
    /// Seats behind theirs that computers play.
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
        let engine = engine::find(ENGINES, of).ok_or_else(missing)?;
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
        let robot = Robot::new(store, identity, gm, limits, ENGINES, clock.clone(), entropy);
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
        let known = |_: &str| false;
        let messages = self.inbox.fetch(&known)?;
        let judged = self.robot.receive(&messages)?;
        let moves = self.robot.store.to_move("demo")?;
        self.inbox.file(&moves)?;
        self.robot.store.write(|tx| tx.moved("demo", &moves))?;
        Ok(judged)
    }

    /// Runs what is due at an instant.
    ///
    /// # Errors
    /// When the store fails.
    pub fn run_due(&mut self, at: Timestamp) -> Result<u32, Failure> {
        self.clock.set(at);
        Ok(self.robot.run_due(at)?)
    }

    /// Runs the steps whose time is over before an instant, and in a game in which players move
    /// in turn also those whose cards are all there: what they were, and their deadlines where
    /// these ended them.
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
        self.robot.draw_mails()?;
        let outlet = Outlet::Maildir(MaildirOutlet::new(&self.root.join("players")));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        let stop = Cancel::default();
        let sent =
            flush(&mut self.robot.store, &outlet, self.clock.as_ref() as &dyn Clock, 5, &stop);
        Ok(runtime.block_on(sent)?)
    }
}

/// Plays the demo and tells of it on `out`.
///
/// # Errors
/// When a folder can't be written to.
pub fn run(game: &str, dir: Option<&Path>, keep: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let keep = keep || dir.is_some();
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
    let told = play(&root, game, out);
    if keep {
        let code = told?;
        return farewell(&root, &code, out);
    }
    if root.exists() {
        std::fs::remove_dir_all(&root)?;
    }
    told?;
    writeln!(out, "Nothing was left behind. \"fieldpost demo --dir FOLDER\" keeps it all:")?;
    writeln!(out, "the store, the robot's inbox and a Maildir for each player.")?;
    Ok(())
}

/// Gives the code of the game.
fn play(root: &Path, game: &str, out: &mut dyn Write) -> Result<String, Failure> {
    let mut stage = Stage::open(root, game)?;
    let (code, seats) = (stage.script.game.clone(), stage.script.player.len());
    let count = |n: usize, of: &str| format!("{n} {of}{}", if n == 1 { "" } else { "s" });
    let against = match stage.script.computers {
        0 => String::new(),
        n => format!(" against {}", count(n.into(), "computer")),
    };
    let players = count(seats, "player");
    let pace = match stage.robot.game(&code)?.step.until {
        Until::Clock { .. } => "they move in turn".to_owned(),
        _ => format!("a turn every {}", stage.script.every),
    };
    writeln!(out, "Game {code}: {}, {players}{against}, {pace}.", stage.engine.title())?;
    writeln!(out, "{} first printouts were mailed.\n", stage.send()?)?;
    for number in 0..stage.script.mail.len() {
        let mail = &stage.script.mail[number];
        let at = schedule::date(&mail.at, &stage.script.zone)?;
        run_steps(&mut stage, at, out)?;
        let judged = stage.receive(number)?;
        let mail = &stage.script.mail[number];
        writeln!(out, "{}  {}", mail.at, mail.shows)?;
        for id in judged {
            tell_verdict(&stage.robot, id, out)?;
        }
        stage.send()?;
        run_steps(&mut stage, at, out)?;
    }
    let last = stage.robot.game(&code)?.deadline.ok_or("the game has no deadline")?;
    run_steps(&mut stage, last + jiff::SignedDuration::from_secs(1), out)?;
    let replayed = stage.robot.replay(&code, |_| {})?;
    let same = replayed.iter().filter(|t| t.same).count();
    writeln!(
        out,
        "Replay: {same} of {} turns recomputed with the journal's hash.",
        replayed.len()
    )?;
    let counts = stage.robot.store.outbox_counts()?;
    writeln!(out, "Mails sent: {}; failed: {}.\n", counts.sent, counts.failed)?;
    Ok(code)
}

/// Runs what is due at an instant, and tells of it.
fn run_steps(stage: &mut Stage, at: Timestamp, out: &mut dyn Write) -> Result<(), Failure> {
    for (step, due) in stage.advance(at)? {
        let sent = stage.send()?;
        let Step { number, label, .. } = &step;
        match due.map(|due| schedule::local(due, &stage.script.zone)) {
            Some(when) if matches!(step.until, Until::Calendar) => {
                writeln!(out, "\n=== Deadline of turn {number}: {when} ===")?;
                writeln!(out, "Turn {number} ran; {sent} mails left.\n")?;
            }
            Some(when) => writeln!(out, "\n=== Time is over for {label}: {when} ===\n")?,
            None => writeln!(out, "=== Played: {label} ===\n")?,
        }
    }
    Ok(())
}

/// One mail's verdict, and the start of what was answered.
fn tell_verdict(robot: &Robot, id: i64, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(row) = robot.store.mail(id)? else { return Ok(()) };
    let verdict = Verdict::word_of(row.verdict);
    writeln!(out, "    verdict: {verdict} ({})", row.reason)?;
    for caused in robot.store.caused_by(id)? {
        let Ok(mail) = mail::mime::parse(&caused.bytes) else { continue };
        let echoed: Vec<&String> = mail.lines.0.iter().map(|(_, l)| l).collect();
        let body = echoed.iter().skip(2).take_while(|l| !l.starts_with("Forecast"));
        for line in body.filter(|l| !l.is_empty()).take(24) {
            writeln!(out, "    > {line}")?;
        }
    }
    writeln!(out)?;
    Ok(())
}

/// A config of what the demo left behind.
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

fn farewell(root: &Path, game: &str, out: &mut dyn Write) -> Result<(), Failure> {
    std::fs::write(root.join("robot.toml"), config(root)?)?;
    let root = root.display();
    writeln!(out, "Look at:")?;
    writeln!(out, "  {root}/players/*/new   each player's mails; mutt -f reads them")?;
    writeln!(out, "  {root}/inbox           the robot's inbox with its folders of verdicts")?;
    writeln!(out, "  {root}/data            the store")?;
    writeln!(out, "  {root}/robot.toml      a config of it, so that all commands work on it:")?;
    writeln!(out, "fieldpost -c {root}/robot.toml game list")?;
    writeln!(out, "fieldpost -c {root}/robot.toml render {game} 1 --format html,pdf --out {root}")?;
    writeln!(out, "Next: \"fieldpost init\" for a host of your own, and \"fieldpost --help\".")?;
    Ok(())
}
