//! A world of one seed: the robot's machine, its servers, its players and its game master,
//! in simulated time, with faults until the storm is over.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{Clock, FakeClock, FixedEntropy};
use base::schedule::Rule;
use base::terms::{Contact, Format, Terms};
use engine::{Engine, EngineOf, Seat, Until};
use jiff::{SignedDuration, Timestamp};
use mail::Inbox;
use mail::account::{Login, Password, TlsMode};
use mail::compose::Sender;
use mail::imap::{ImapAccount, ImapInbox};
use mail::smtp::{SmtpAccount, SmtpOutlet};
use robot::Robot;
use robot::drawing::draw;
use robot::gm::setup::{NewGame, NewSeat};
use robot::gm::{By, Deadline, GmAction, Hold, Release, Run, Set, Tell, Undo, Withdraw};
use robot::host::{Host, Wakes, round};
use robot::limits::Limits;
use robot::outbox::{Outlet, flush};
use robot::runner::Runner;
use store::{Game, Moment, Status, Store, Trouble, Worker};
use tempfile::TempDir;

use crate::ledger::Ledger;
use crate::net::{self, Faults, Net};
use crate::players::Players;
use crate::seam::{self, Seam};
use crate::{imap_server, smtp_server};
use support::chance::Chance;
use support::host::wants;
use support::postgres::{Cluster, server};
use support::toy::Toy;

/// A broken store loses one in this number of commits.
const ONE_IS_LOST_IN: u32 = 60;
/// When every world begins.
pub const BEGIN: i64 = 1_780_000_000;
pub const ROBOT: &str = "robot@fieldpost.example";
pub const GM: &str = "gm@fieldpost.example";
/// Games with their engines and players.
pub const GAMES: &[(&str, &str, u8)] =
    &[("L1", "ledger", 5), ("B1", "battle-plan", 4), (TOY, "toy", 3)];
/// The game that waits for one seat at a time. A computer has the seat after its players.
pub const TOY: &str = "Y1";

static ENGINES: &[&dyn Engine] =
    &[&EngineOf::<Ledger>::new(), battle_plan::ENGINE, &EngineOf::<Toy>::new()];

/// Troubles of a world, besides those of its servers.
pub const MISHAPS: &[&str] = &[
    "power cuts",
    "writes lost or torn",
    "writes without room",
    "killed between steps",
    "killed between steps that follow at once",
    "killed at an IMAP command",
    "killed at an SMTP command",
    "disk full",
    "UIDVALIDITY changed",
    "removed by another program",
    "delivered twice",
    "clock jumped",
    "server away",
    "IMAP greeting cut",
    "SMTP greets with 554",
    "SMTP greets with 421",
    "recipient refused for good",
    "mail refused for good",
    "time passed within a step",
    "engine panicked",
    "acts of the game master",
    "acts undone",
];

/// Options of a game: the toy does not end, and its clocks are about as long as its days.
fn options(code: &str) -> BTreeMap<String, String> {
    let toy = [("turns", "1000000"), ("turn_hours", "8"), ("challenge_hours", "3")];
    let own = toy.into_iter().filter(|_| code == TOY);
    own.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// How hard a world is.
#[derive(Debug, Clone, Copy)]
pub struct Storm {
    /// The number of events until it ends.
    pub steps: u32,
    pub faults: bool,
    /// Workers that share the store; a single process does not know of others.
    pub workers: usize,
    /// Whether the store is a database.
    pub database: bool,
    /// Whether the store is broken: it confirms some commits and loses them.
    pub loses: bool,
}

/// The result of a run of a world.
#[derive(Debug, Default, Clone)]
pub struct Told {
    /// Violations, in sentences.
    pub violations: Vec<String>,
    pub faults: BTreeMap<String, u64>,
    pub mails_in: u64,
    pub mails_out: u64,
    pub turns: u64,
    /// The fate of each statement between workers and their store.
    pub fates: BTreeMap<String, seam::Fate>,
    /// Digest of everything that happened, by which runs are compared.
    pub trace: String,
}

/// A worker's clock, and how far it is from the world's.
struct Apart(Arc<FakeClock>, SignedDuration);

/// Two clocks of workers differ by no more.
const APART_MOST: SignedDuration = SignedDuration::from_secs(10);

impl Clock for Apart {
    fn now(&self) -> Timestamp {
        self.0.now() + self.1
    }
}

/// A database that follows the world's clock.
struct Database {
    url: String,
    /// The file from which its server reads the time.
    time: PathBuf,
}

impl Database {
    fn new() -> Self {
        let url = Cluster::shared().database();
        let time = Cluster::shared().tell_time(&url);
        Self { url, time }
    }
}

/// What workers have done under leases.
#[derive(Default)]
struct Books {
    /// Who ran each turn of a game, by its revision.
    turns: BTreeMap<(String, u32, u32), String>,
    wrong: Vec<String>,
}

impl Books {
    /// Checks a commit that a worker is about to make.
    fn look(&mut self, store: &store::Reader) {
        let Some(lease) = store.workers().held() else { return };
        let owner = store.workers().owner();
        let has = store.workers().lease_of(&lease.name).expect("a store");
        if has.as_ref() != Some(&(owner.to_owned(), lease.term)) {
            let name = &lease.name;
            self.wrong.push(format!("{owner} acts on the lease {name} that {has:?} has"));
        }
        let Some(code) = lease.name.strip_prefix("step ") else { return };
        let Ok(Some(game)) = store.games().game(code) else { return };
        let step = (code.to_owned(), game.turn, game.revision);
        let before = self.turns.entry(step).or_insert_with(|| owner.to_owned());
        // The turn that opened: its worker has run the one before.
        if before != owner && store.journal().hash_of(code, game.turn).is_ok_and(|h| h.is_some()) {
            self.wrong
                .push(format!("turn {} of {code} was run by {before} and {owner}", game.turn));
        }
    }
}

/// The sending and the drawing side.
type Out = (Store, Outlet, Box<Robot>);

/// The robot as one run of its process.
struct Process {
    /// Its name among workers; empty where it is the only one.
    owner: String,
    host: Mutex<Host>,
    runner: Runner,
    inbox: ImapInbox,
    /// A second process has none.
    out: Option<Out>,
}

pub struct World {
    pub chance: Chance,
    pub net: net::Shared,
    pub clock: Arc<FakeClock>,
    pub players: Players,
    /// Whether the robot's clock jumps in this world.
    pub jumps: bool,
    /// Whether the storm is still on.
    storms: bool,
    entropy: Arc<FixedEntropy>,
    folder: TempDir,
    pub disk: faulty_disk::Shared,
    /// The troubles between workers and their store.
    pub seam: seam::Shared,
    /// Whether the store is broken.
    loses: bool,
    commits: Arc<AtomicU32>,
    /// The store, if it is a database.
    database: Option<Database>,
    /// Processes of the robot: one, or several workers.
    processes: Vec<Option<Process>>,
    /// Dead workers whose work nobody has taken yet.
    dead: Vec<String>,
    books: Arc<Mutex<Books>>,
    /// The deadlines of each turn, with the time at which each was first seen.
    pub deadlines: BTreeMap<(String, u32), Vec<(Timestamp, Timestamp)>>,
    /// Turns that were run by hand or taken back.
    pub by_hand: BTreeSet<(String, u32)>,
    pub withdrawn: BTreeSet<(String, u32)>,
    /// Violations before the end.
    pub wrong: Vec<String>,
    pub crashes: u64,
    /// The times of all crashes of processes, by the robot's clock.
    pub died_at: Vec<Timestamp>,
    pub starts: u64,
    /// The last error in a step of the robot, to help with a violation.
    pub last_trouble: String,
    connections: usize,
    second: bool,
}

fn shm() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() }
}

/// How many acts are on record, and a game's open turn.
fn looked(robot: &Robot, code: &str) -> Option<(i64, u32)> {
    let count = "SELECT count(*) FROM act";
    let acts = robot.store.database().one(count, &[], |r| r.get(0)).ok()?;
    Some((acts, robot.game(code).ok()?.turn))
}

/// The seat whose card makes the ledger fail.
fn burner(robot: &Robot, game: &Game) -> Option<Seat> {
    (1..=game.setup.seats).map(Seat).find(|seat| {
        let orders = robot.store.mails().orders(&game.code, *seat, game.turn);
        orders.is_ok_and(|o| o.is_some_and(|f| f.card.text().contains("M 666")))
    })
}

impl World {
    pub fn new(seed: u64, storm: Storm) -> Self {
        let folder = tempfile::Builder::new().prefix("world-").tempdir_in(shm());
        let folder = folder.expect("a folder");
        std::fs::write(folder.path().join("password"), "x").expect("a password");
        let disk = faulty_disk::mount(folder.path());
        let start = Timestamp::from_second(BEGIN).expect("a time");
        let clock = Arc::new(FakeClock::at(start));
        let net = Net::new(seed, BEGIN, Arc::clone(&disk), Arc::clone(&clock));
        let net = Arc::new(Mutex::new(net));
        let mut chance = Chance(seed ^ 0x5eed);
        let (connections, second) = (1 + chance.below(3) as usize, chance.one_in(3));
        let jumps = chance.one_in(4);
        let mut world = Self {
            chance,
            net,
            clock,
            players: Players::default(),
            jumps,
            storms: false,
            entropy: Arc::new(FixedEntropy::new(seed)),
            folder,
            disk,
            processes: (0..storm.workers).map(|_| None).collect(),
            seam: Seam::new(seed),
            loses: storm.loses,
            commits: Arc::default(),
            database: storm.database.then(Database::new),
            dead: Vec::new(),
            books: Arc::default(),
            deadlines: BTreeMap::new(),
            by_hand: BTreeSet::new(),
            withdrawn: BTreeSet::new(),
            wrong: Vec::new(),
            crashes: 0,
            died_at: Vec::new(),
            starts: 0,
            last_trouble: String::new(),
            connections,
            second,
        };
        world.set_up();
        world
    }

    /// Another robot over the same store, as a command of the game master is.
    pub fn robot(&self) -> Result<Robot, String> {
        self.robot_of("", self.clock.clone())
    }

    fn store_of(&self, owner: &str) -> Result<Store, String> {
        let entropy = self.entropy.as_ref();
        let store = match &self.database {
            Some(database) => Store::connect(&server(&database.url), entropy),
            None => Store::open(self.folder.path(), entropy),
        };
        let mut store = self.troubled(store.map_err(|e| e.to_string())?);
        store.work_as(owner);
        let (books, seam) = (Arc::clone(&self.books), Arc::clone(&self.seam));
        store.observe(move |store| {
            let at_work = std::mem::take(&mut seam::lock(&seam).at_work);
            books.lock().expect("the books").look(store);
            seam::lock(&seam).at_work = at_work;
        });
        Ok(store)
    }

    /// A store as workers know it: it may fail at any statement.
    fn troubled(&self, store: Store) -> Store {
        if self.loses {
            let commits = Arc::clone(&self.commits);
            return store.with_trouble(move |moment| {
                if moment != Moment::Commit {
                    return None;
                }
                let commit = commits.fetch_add(1, Ordering::Relaxed) + 1;
                commit.is_multiple_of(ONE_IS_LOST_IN).then_some(Trouble::Vanished)
            });
        }
        if !self.is_shared() {
            return store;
        }
        let (seam, disk) = (Arc::clone(&self.seam), Arc::clone(&self.disk));
        let (time, clock) = (self.database.as_ref().map(|d| d.time.clone()), self.clock.clone());
        let told = Cell::new(Timestamp::MIN);
        store.with_trouble(move |moment| {
            // The disk of this world decides who dies when; an action of a database counts as a
            // step of it.
            let dies = |disk: &mut faulty_disk::Disk| match moment {
                Moment::Statement(text) if text.starts_with("SELECT") => disk.is_out(),
                _ => disk.next_step_fails(),
            };
            if let Some(time) = &time {
                let now = clock.now();
                if told.replace(now) != now {
                    std::fs::write(time, now.as_millisecond().to_string()).expect("a time");
                }
                if dies(&mut faulty_disk::lock(&disk)) {
                    return Some(Trouble::Dead);
                }
            }
            seam::lock(&seam).meets(moment)
        })
    }

    /// Whether several workers share the store.
    fn is_shared(&self) -> bool {
        self.processes.len() > 1
    }

    fn robot_of(&self, owner: &str, clock: Arc<dyn Clock>) -> Result<Robot, String> {
        let store = self.store_of(owner)?;
        let identity = Sender { name: "Fieldpost".into(), address: ROBOT.into(), from: None };
        let entropy = self.entropy.clone();
        let limits = Limits { disk_free_mb_min: 0, ..Limits::default() };
        let mut robot = Robot::new(store, identity, GM.into(), limits, ENGINES, clock, entropy);
        robot.shared = !owner.is_empty();
        Ok(robot)
    }

    /// The clock of a worker, some seconds from the others'.
    fn clock_of(&self, who: usize) -> Arc<dyn Clock> {
        match self.is_shared() {
            true => {
                let seconds = [0, 4, -4][who % 3];
                Arc::new(Apart(self.clock.clone(), SignedDuration::from_secs(seconds)))
            }
            false => self.clock.clone(),
        }
    }

    fn set_up(&mut self) {
        let mut robot = self.robot().expect("a new store opens");
        let html = self.chance.one_in(4);
        for &(code, engine, seats) in GAMES {
            let (at, holidays) = (None, Vec::new());
            let rule = Rule { every: "8 hours".into(), at, zone: "UTC".into(), holidays };
            let new = NewGame {
                code: code.into(),
                engine: engine.into(),
                seats: seats + u8::from(code == TOY),
                rule,
                data: BTreeMap::new(),
                options: options(code),
                fee: 0,
                takeover: 0,
                // The night of UTC does not count for the toy's clocks.
                terms: Terms { quiet: "1-3".into(), ..Terms::default() },
            };
            robot.new_game(new).expect("a game");
            for seat in 1..=seats {
                let player = self.players.add(code, seat);
                let contact = if seat % 2 == 1 { Contact::Disclose } else { Contact::Hide };
                let new = NewSeat {
                    game: code.into(),
                    seat: Seat(seat),
                    address: player.clone(),
                    name: format!("Player {seat}"),
                    zone: None,
                    contact,
                    any_address: false,
                };
                robot.add_seat(&new).expect("a seat");
                let drawn = html && code == "L1" && seat == 1;
                let format = Format { html: drawn, ..Format::default() };
                wants(&mut robot.store, code, Seat(seat), format);
            }
            if code == TOY {
                robot.add_computer(code, Seat(seats + 1)).expect("a computer");
            }
            robot.start(code, None, false).expect("it starts");
        }
        net::lock(&self.net).refused = self.players.address("L1", 5);
    }

    /// Starts a process of the robot, again and again until it runs.
    fn boot(&mut self, who: usize) {
        while self.processes[who].is_none() {
            self.starts += 1;
            match self.started(true, who) {
                Ok(process) => {
                    let toy = process.host.lock().expect("the host").robot.store.games().game(TOY);
                    if toy.is_ok_and(|g| g.is_some_and(|g| g.step.until == Until::Now)) {
                        net::lock(&self.net).count("killed between steps that follow at once");
                    }
                    self.processes[who] = Some(process);
                    self.note_deadlines();
                }
                Err(_) if self.is_dead() => self.recover(),
                Err(_) if self.dies_alone(who) => {}
                // With a full disk nothing starts.
                Err(_) => return,
            }
        }
        if self.second
            && let Ok(mut other) = self.started(false, 1)
        {
            let chance = Mutex::new(Chance(self.chance.word()));
            let disk = Arc::clone(&self.disk);
            net::lock(&self.net).meanwhile = Some(Box::new(move || {
                if chance.lock().expect("a chance").one_in(6) {
                    // The command is another process, which does not die with the first.
                    let actor =
                        std::mem::replace(&mut faulty_disk::lock(&disk).actor, faulty_disk::NOBODY);
                    let _ = round(&other.host, &mut other.inbox, &Cancel::default());
                    let _ = other.runner.round();
                    faulty_disk::lock(&disk).actor = actor;
                }
            }));
        }
    }

    /// Whether a worker has died alone; then it is gone, and the others go on.
    fn dies_alone(&mut self, who: usize) -> bool {
        {
            let mut disk = faulty_disk::lock(&self.disk);
            if disk.gone != Some(who as u32) {
                return false;
            }
            // Its files are closed by the system, not by itself.
            (disk.gone, disk.actor) = (None, faulty_disk::NOBODY);
        }
        net::lock(&self.net).count("worker killed alone");
        self.died_at.push(self.now());
        if let Some(process) = self.processes[who].take() {
            self.dead.push(process.owner.clone());
        }
        true
    }

    fn started(&self, first: bool, who: usize) -> Result<Process, String> {
        let owner = match self.is_shared() {
            true => format!("w{who}.{}.{first}", self.starts),
            false => String::new(),
        };
        let clock = self.clock_of(who);
        let robot = self.robot_of(&owner, clock.clone())?;
        let password = Password::File(self.folder.path().join("password"));
        let login = Login { user: "robot".into(), secret: password, token: false };
        let account = ImapAccount {
            name: "main".into(),
            host: "sim".into(),
            port: 993,
            tls: TlsMode::None,
            ca_file: None,
            login,
            folder: "INBOX".into(),
            bytes_max: 2_000_000,
            poll: Duration::from_secs(1),
        };
        let net = Arc::clone(&self.net);
        let inbox = ImapInbox::with_connector(account, Box::new(move || imap_server::dial(&net)));
        let folder = self.folder.path().to_owned();
        let mut other = self.robot_of(&owner, Arc::clone(&clock))?;
        other.cx.share_games(&robot.cx);
        let out = first.then(|| self.sending(&owner, clock, &robot)).transpose()?;
        let mut runner = Runner::new(other, vec!["main".to_owned()], Wakes::nobody());
        if self.is_shared() {
            runner.apart = SignedDuration::from_secs(8);
        }
        let host = Mutex::new(Host::new(robot, folder, None, Wakes::nobody()));
        Ok(Process { owner, host, runner, inbox, out })
    }

    /// The part that sends and draws, beside a robot that judges.
    fn sending(&self, owner: &str, clock: Arc<dyn Clock>, robot: &Robot) -> Result<Out, String> {
        let mut outbox = self.store_of(owner)?;
        let now = self.now();
        if owner.is_empty() {
            outbox.write(|tx| tx.outbox().release_leases(now)).map_err(|e| e.to_string())?;
        }
        let account = SmtpAccount {
            host: "sim".into(),
            port: 25,
            tls: TlsMode::None,
            ca_file: None,
            login: None,
            connections: self.connections,
            per_minute: None,
        };
        let net = Arc::clone(&self.net);
        let outlet = SmtpOutlet::with_connector(account, Box::new(move || smtp_server::dial(&net)));
        let mut drawer = Box::new(self.robot_of(owner, clock)?);
        drawer.cx.share_games(&robot.cx);
        Ok((outbox, Outlet::Smtp(Arc::new(outlet)), drawer))
    }

    pub fn now(&self) -> Timestamp {
        net::lock(&self.net).robots_time()
    }

    pub fn is_dead(&self) -> bool {
        faulty_disk::lock(&self.disk).dead
    }

    /// The machine goes down and comes back; unsynced data may be lost.
    fn recover(&mut self) {
        self.crashes += 1;
        faulty_disk::lock(&self.disk).dead = true;
        let meanwhile = net::lock(&self.net).meanwhile.take();
        let processes = self.processes.len() + usize::from(meanwhile.is_some());
        self.died_at.extend(std::iter::repeat_n(self.now(), processes));
        drop(meanwhile);
        for process in self.processes.iter_mut().filter_map(Option::take) {
            self.dead.push(process.owner.clone());
        }
        net::lock(&self.net).epoch += 1;
        faulty_disk::lock(&self.disk).recover(&mut self.chance);
    }

    /// The earliest deadline by which a card may have been judged at a time; the earliest of all if
    /// the time is unknown.
    pub fn deadline_at(
        &self,
        turn: &(String, u32),
        judged: Option<Timestamp>,
    ) -> Option<Timestamp> {
        let seen = self.deadlines.get(turn)?;
        let Some(judged) = judged else { return seen.iter().map(|(_, d)| *d).min() };
        // The clock of the worker that judged it may be ahead: a move of the deadline within these
        // seconds may have come after its verdict.
        let surely = judged - APART_MOST;
        let before = seen.iter().rev().find(|(at, _)| *at < surely);
        let then = seen.iter().filter(|(at, _)| (surely..=judged).contains(at));
        before.into_iter().chain(then).map(|(_, d)| *d).min()
    }

    /// Lets time go by.
    pub fn pass(&mut self, seconds: i64) {
        net::lock(&self.net).pass(seconds);
        self.note_deadlines();
    }

    fn note_deadlines(&mut self) {
        if self.is_dead() {
            // A dead process must not use what it still sees.
            return;
        }
        let Some(process) = self.processes.iter().flatten().next() else { return };
        // The process that looks does not die with the one at work.
        let mut disk = faulty_disk::lock(&self.disk);
        let actor = std::mem::replace(&mut disk.actor, faulty_disk::NOBODY);
        drop(disk);
        let games = process.host.lock().expect("the host").robot.store.games().all();
        faulty_disk::lock(&self.disk).actor = actor;
        self.deadlines_of(games.unwrap_or_default());
    }

    fn deadlines_of(&mut self, games: Vec<Game>) {
        let now = self.now();
        for game in games {
            if let Some(deadline) = game.deadline {
                let seen = self.deadlines.entry((game.code, game.turn)).or_default();
                if seen.last().is_none_or(|(_, last)| *last != deadline) {
                    seen.push((now, deadline));
                }
            }
        }
    }

    /// Checks that no step is looked at later than it is due.
    fn look_at_looks(&mut self) {
        if self.is_dead() {
            return;
        }
        let Some(process) = self.processes.iter().flatten().next() else { return };
        let sql = "SELECT g.code FROM game g JOIN step s ON s.game = g.code AND s.number = g.turn
                   JOIN look l ON l.game = g.code
                   WHERE g.status = 'running' AND s.due_at IS NOT NULL AND l.at > s.due_at";
        let host = process.host.lock().expect("the host");
        let late: Vec<String> =
            host.robot.store.database().all(sql, &[], |r| r.get(0)).unwrap_or_default();
        drop(host);
        self.wrong
            .extend(late.iter().map(|code| format!("{code} is looked at after its deadline")));
    }

    /// One step of the robot: a round of its inbox, of its outbox, of its drawer.
    fn robot_acts(&mut self) {
        let workers = self.processes.len();
        let who = if workers > 1 { self.chance.below(workers as u64) as usize } else { 0 };
        faulty_disk::lock(&self.disk).actor = who as u32;
        if self.processes[who].is_none() {
            self.boot(who);
        }
        seam::lock(&self.seam).at_work = self.storms;
        self.acts(who);
        seam::lock(&self.seam).at_work = false;
        faulty_disk::lock(&self.disk).actor = faulty_disk::NOBODY;
        self.note_deadlines();
        self.look_at_looks();
        if self.is_dead() {
            self.recover();
        }
        self.dies_alone(who);
    }

    /// One step of one process.
    fn acts(&mut self, who: usize) {
        let calm = self.players.are_at_rest();
        let (round_, send, draw_) = (
            calm || !self.chance.one_in(5),
            calm || !self.chance.one_in(4),
            calm || self.chance.one_in(2),
        );
        let clock = self.clock_of(who);
        let (stop, now) = (Cancel::default(), clock.now());
        let Some(process) = &mut self.processes[who] else { return };
        if !process.owner.is_empty() {
            let owner = &process.owner;
            let worker = Worker {
                owner: owner.clone(),
                name: format!("w{who}"),
                machine: "sim".into(),
                pid: 1,
                roles: "inbox turns drawing outbox".into(),
                version: "0".into(),
                began_at: now,
                seen_at: now,
            };
            let dead = self.dead.clone();
            let done = process.runner.robot.store.write(|tx| {
                tx.workers().seen(&worker, now)?;
                tx.workers().renew(now)?;
                dead.iter().try_for_each(|owner| tx.workers().bury(owner, true, now).map(|_| ()))
            });
            match done {
                Ok(()) => self.dead.clear(),
                Err::<(), store::StoreError>(e) => self.last_trouble = e.to_string(),
            }
        }
        if round_ {
            if let Err(cause) = round(&process.host, &mut process.inbox, &stop) {
                self.last_trouble = cause;
            }
            // A dead process finds its files unusable.
            if let Err(cause) = process.runner.round() {
                self.last_trouble = cause.to_string();
            }
            // A wait that is over at once: IDLE, or the pause after a failure.
            let over = Cancel::default();
            over.cancel();
            let _ = process.inbox.wait(Duration::from_secs(1), &over);
        }
        let Some((outbox, outlet, drawer)) = &mut process.out else { return };
        if draw_ && !faulty_disk::lock(&self.disk).dead {
            let Robot { store, cx, .. } = drawer.as_mut();
            let at = clock.now();
            let _ = draw(store, cx, &|| at, &|| {}, &stop);
        }
        if send && !faulty_disk::lock(&self.disk).dead {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .expect("a runtime");
            let flushed = flush(outbox, outlet, &runtime, clock.as_ref(), 5, &stop);
            let dead = faulty_disk::lock(&self.disk).dead;
            net::lock(&self.net).note_told(flushed.is_ok() && !dead);
            if let Err(e) = flushed {
                self.last_trouble = e.to_string();
            }
        }
    }

    /// Causes one trouble, or one act of the game master.
    fn mishap(&mut self) {
        match self.chance.below(40) {
            0 => {
                net::lock(&self.net).count("killed between steps");
                self.recover();
            }
            1..=3 => {
                let within = 1 + self.chance.below(120);
                let mut disk = faulty_disk::lock(&self.disk);
                disk.fuse = Some(disk.steps + within);
            }
            4 => {
                net::lock(&self.net).count("disk full");
                let within = self.chance.below(60);
                let mut disk = faulty_disk::lock(&self.disk);
                disk.full_from = Some(disk.steps + within);
            }
            5..=8 => faulty_disk::lock(&self.disk).full_from = None,
            9 => {
                net::lock(&self.net).renumber();
            }
            10 => net::lock(&self.net).remove_one(),
            11 if self.jumps => self.clock_jumps(),
            12..=15 => self.master_acts(),
            16 => {
                net::lock(&self.net).count("server away");
                let faults = Faults { imap: 1, smtp: 1 };
                net::lock(&self.net).faults = faults;
            }
            17..=20 => net::lock(&self.net).faults = Faults { imap: 25, smtp: 25 },
            21..=23 if self.is_shared() => {
                let within = 1 + self.chance.below(60);
                let mut disk = faulty_disk::lock(&self.disk);
                disk.mortal = Some(disk.steps + within);
            }
            _ => {}
        }
    }

    fn clock_jumps(&mut self) {
        net::lock(&self.net).count("clock jumped");
        let skew = match self.chance.below(3) {
            0 => 0,
            1 => self.chance.below(7200) as i64,
            _ => -(self.chance.below(7200) as i64),
        };
        net::lock(&self.net).set_skew(skew);
    }

    /// The game master does something from a shell, beside the robot.
    fn master_acts(&mut self) {
        let Ok(robot) = self.robot() else { return };
        let &(code, ..) = self.chance.of(GAMES);
        let game = code.to_owned();
        let act: Box<dyn GmAction> = match self.chance.below(9) {
            0 => Box::new(Hold { game, why: "a look".into() }),
            1 => Box::new(Release { game }),
            2 => {
                let hours = 1 + self.chance.below(12) as i64;
                let at = self.now() + SignedDuration::from_hours(hours);
                Box::new(Deadline { game, at: at.strftime("%Y-%m-%d %H:%M").to_string() })
            }
            3 => Box::new(Run { game }),
            4 => Box::new(Withdraw { game, to: None }),
            5 => Box::new(Set { game, name: "early".into(), value: "false".into() }),
            6 | 7 => {
                let acts = robot.store.acts(Some(code), 50).unwrap_or_default();
                let Some(last) = acts.iter().find(|a| a.can_be_undone()) else { return };
                Box::new(Undo { act: last.id })
            }
            _ => Box::new(Tell { game, seat: None, text: "All is well".into() }),
        };
        if self.master(robot, code, act.as_ref()) {
            let mut net = net::lock(&self.net);
            net.count("acts of the game master");
            if act.undoes().is_some() {
                net.count("acts undone");
            }
        }
    }

    /// Does one act of the game master and checks the record: an act that is done has one row in
    /// it, a refused one has none.
    fn master(&mut self, mut robot: Robot, code: &str, act: &dyn GmAction) -> bool {
        let Some((acts, turn)) = looked(&robot, code) else { return false };
        seam::lock(&self.seam).at_work = self.storms;
        let done = robot.act(By::Shell, act);
        seam::lock(&self.seam).at_work = false;
        let alive = !self.is_dead();
        drop(robot);
        if !alive {
            self.recover();
        }
        // A disk that is full can be read.
        let robot =
            self.robot().ok().and_then(|r| Some((looked(&r, code)?, r.store.games().all().ok()?)));
        let Some(((now, open), games)) = robot else {
            // Whether it was done can't be seen now: it counts as done.
            self.by_hand.insert((code.to_owned(), turn));
            self.withdrawn.insert((code.to_owned(), turn.saturating_sub(1)));
            return done.is_ok();
        };
        self.deadlines_of(games);
        let right = match (&done, alive) {
            (Ok(_), _) => now == acts + 1,
            (Err(_), true) => now == acts,
            // The power went before the answer, perhaps after the commit.
            (Err(_), false) => now == acts || now == acts + 1,
        };
        if !right {
            let said = done.as_ref().err().map(ToString::to_string);
            self.wrong.push(format!("{act:?} ({said:?}) made {} rows of {acts}", now));
        }
        if open > turn {
            self.by_hand.insert((code.to_owned(), turn));
        } else if open < turn {
            self.withdrawn.insert((code.to_owned(), open));
        }
        done.is_ok()
    }

    /// Lets suspended games go on: the player whose card made the ledger fail writes a better one.
    fn mend(&mut self) {
        for code in self.suspended() {
            let Ok(robot) = self.robot() else { return };
            let Ok(game) = robot.game(&code) else { continue };
            if game.status != Status::Suspended {
                continue;
            }
            let code = code.as_str();
            if game.suspended_why.contains("burns") {
                net::lock(&self.net).count("engine panicked");
                if let Some(seat) = burner(&robot, &game) {
                    let to = self.reply_address(&robot, code, seat, game.turn);
                    // A card after the deadline would be late, even in a suspended game.
                    let at = self.now() + SignedDuration::from_hours(6);
                    let at = at.strftime("%Y-%m-%d %H:%M").to_string();
                    let act = Deadline { game: code.to_owned(), at };
                    self.master(robot, code, &act);
                    self.players.better_card(&self.net, code, seat.0, game.turn, &to);
                    return;
                }
            }
            self.master(robot, code, &Release { game: code.to_owned() });
        }
    }

    /// Games that are suspended, as the robot's own process sees them.
    fn suspended(&self) -> Vec<String> {
        let games = match self.processes.iter().flatten().next() {
            Some(process) => process.host.lock().expect("the host").robot.store.games().all(),
            None => return GAMES.iter().map(|g| g.0.to_owned()).collect(),
        };
        let suspended = |g: &Game| g.status == Status::Suspended;
        games.unwrap_or_default().into_iter().filter(suspended).map(|g| g.code).collect()
    }

    fn reply_address(&self, robot: &Robot, code: &str, seat: Seat, turn: u32) -> String {
        let secret = robot.store.key().reply(code, seat, 0, turn);
        format!("robot+{code}.{seat}.{secret}@fieldpost.example")
    }

    /// Plays the storm, then the calm after it.
    pub fn play(&mut self, storm: Storm) {
        self.storms = storm.faults;
        if storm.faults {
            net::lock(&self.net).faults = Faults { imap: 25, smtp: 25 };
        }
        for step in 0..storm.steps {
            let dt = match self.chance.below(12) {
                0 => self.chance.below(4 * 3600) as i64,
                1..6 => self.chance.below(1200) as i64,
                _ => self.chance.below(120) as i64,
            };
            self.pass(dt);
            self.players.act(&self.net, &mut self.chance);
            if storm.faults {
                self.mishap();
            }
            self.robot_acts();
            if step % 16 == 15 {
                self.mend();
            }
        }
        self.calm();
    }

    /// The faults stop: everything that waits must come to rest.
    fn calm(&mut self) {
        net::lock(&self.net).faults = Faults::default();
        self.storms = false;
        {
            let mut disk = faulty_disk::lock(&self.disk);
            (disk.full_from, disk.fuse, disk.mortal) = (None, None, None);
        }
        {
            let mut net = net::lock(&self.net);
            let skew = net.skew.max(0);
            net.set_skew(skew);
        }
        self.players.rest();
        self.second = false;
        let meanwhile = net::lock(&self.net).meanwhile.take();
        drop(meanwhile);
        self.last_trouble.clear();
        for _ in 0..60 {
            // Longer than the longest wait between two attempts to send.
            self.pass(1800);
            self.players.act(&self.net, &mut self.chance);
            self.robot_acts();
            self.mend();
        }
        // Handles the results of the last events. A worker that was overtaken meanwhile gets its
        // work again later.
        for _ in 0..5 + 20 * (self.processes.len() - 1) {
            self.pass(60);
            self.players.act(&self.net, &mut self.chance);
            self.robot_acts();
        }
        // Also what those caused: deadlines, mails, answers.
        for _ in 0..20 * (self.processes.len() - 1) {
            if self.is_at_rest() {
                break;
            }
            self.pass(10);
            self.robot_acts();
        }
    }

    /// Whether nothing waits: no step, no mail.
    fn is_at_rest(&self) -> bool {
        let Ok(robot) = self.robot() else { return false };
        let due =
            robot.reports().next_deadline().is_ok_and(|d| d.is_some_and(|at| at <= self.now()));
        let read = crate::imap_server::in_folder(&net::lock(&self.net), "INBOX").is_empty();
        !due && read && robot.store.outbox().next_send().is_ok_and(|at| at.is_none())
    }

    /// The robot's store when all is over.
    pub fn end(&mut self) -> Robot {
        self.processes.iter_mut().for_each(|p| drop(p.take()));
        self.wrong.append(&mut self.books.lock().expect("the books").wrong);
        self.robot().expect("the store opens")
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let meanwhile = net::lock(&self.net).meanwhile.take();
        drop(meanwhile);
        self.processes.iter_mut().for_each(|p| drop(p.take()));
        faulty_disk::unmount(self.folder.path());
    }
}
