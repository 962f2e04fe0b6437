//! What is seen of the host at a look: its overview, the quarantine, whether a robot serves.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::config::{Config, InboxConfig};
use crate::host::robot;
use crate::ops::Failure;
use crate::ops::overview::{GameView, Overview};
use registry::ENGINES;
use robot::Robot;
use store::{self, MailRow, Reason, Status, Verdict};

/// How long a look waits for a store that is busy.
const BUSY: Duration = Duration::from_millis(250);
/// Mails of the quarantine that are listed.
const QUARANTINE_SHOWN: u32 = 50;
/// A store that nobody has written to is read again after this time, because vacations begin and end
/// by themselves.
const ANEW: SignedDuration = SignedDuration::from_secs(15);
/// How many looks go by from one test of the robot's lock to the next.
const LOCK_LOOKS: u32 = 3;

/// The host as it was at a look.
#[derive(Debug, Clone)]
pub struct Look {
    /// When the look was taken.
    pub at: Timestamp,
    /// Name of the robot.
    pub name: String,
    /// Inboxes of the config.
    pub inboxes: Vec<String>,
    /// Whether a robot serves this store; `None`: that can't be found out.
    pub serves: Option<bool>,
    /// Its games, the most urgent first: suspended ones, then by deadline.
    pub host: Rc<Overview>,
    /// The newest mails that wait for the game master, newest first.
    pub quarantined: Rc<[QuarantinedMail]>,
}

/// A mail in quarantine, without its sender.
#[derive(Debug, Clone)]
pub struct QuarantinedMail {
    /// Number of the mail.
    pub id: i64,
    /// When it came.
    pub at: Timestamp,
    /// Its verdict; none before it was judged.
    pub verdict: Option<Verdict>,
    /// Why it has that verdict.
    pub reason: Reason,
    /// Explanation; it may quote anything.
    pub why: String,
    /// Code of the game that it is about, as far as that is known.
    pub game: Option<String>,
    /// Number of the seat that it is about, as far as that is known.
    pub seat: Option<u8>,
}

impl Look {
    /// A look at a host whose robot has this name and reads these inboxes.
    ///
    /// # Errors
    /// [`store::StoreError`] as the store gives it.
    pub fn of(
        robot: &Robot,
        inboxes: &[String],
        serves: Option<bool>,
        now: Timestamp,
    ) -> store::Result<Self> {
        let mut host = Overview::of(robot, now)?;
        host.games.sort_by_key(urgency);
        let quarantined = robot
            .store
            .mails()
            .quarantined(QUARANTINE_SHOWN)?
            .into_iter()
            .map(quarantined)
            .collect();
        let (name, inboxes) = (robot.cx.identity.name.clone(), inboxes.to_vec());
        Ok(Self { at: now, name, inboxes, serves, host: Rc::new(host), quarantined })
    }
}

/// Suspended games come first, then those that run by their deadlines, then the others.
fn urgency(game: &GameView) -> (u8, Timestamp, String) {
    let rank = match game.status {
        Status::Suspended => 0,
        Status::Running => 1,
        Status::Open => 2,
        Status::Over => 3,
    };
    (rank, game.deadline.unwrap_or(Timestamp::MAX), game.code.clone())
}

fn quarantined(row: MailRow) -> QuarantinedMail {
    let MailRow { id, received_at, verdict, reason, why, game, seat, .. } = row;
    QuarantinedMail { id, at: received_at, verdict, reason, why, game, seat }
}

/// Looks at the store of a config.
pub struct Observer<'a> {
    config: &'a Config,
    robot: Robot,
    /// The file of the store, because a copy may take its place.
    file: FileId,
    inboxes: Vec<String>,
    looks: u32,
    /// The last look, when it was read, and the state of the store that it showed.
    last: Option<(Look, Timestamp, String)>,
}

type FileId = (u64, u64);

impl<'a> Observer<'a> {
    /// Opens the store of a config; it does not create one.
    ///
    /// # Errors
    /// A sentence with what to do when there is no store, or when it can't be opened.
    pub fn open(config: &'a Config) -> Result<Self, Failure> {
        let path = path_of(config);
        let is_file = config.store.server().is_none();
        let Some(file) = file_id(&path).or((!is_file).then_some((0, 0))) else {
            return Err(format!(
                "there is no store at {}; check robot.data, or make a game with \"fieldpost game \
                 new\" first",
                path.display()
            )
            .into());
        };
        let robot = robot(config, &ENGINES)?;
        robot.store.only_read(BUSY)?;
        let name = |inbox: &InboxConfig| match inbox {
            InboxConfig::Maildir { name, .. } => name.clone(),
            InboxConfig::Imap(account) => account.name.clone(),
        };
        let inboxes = config.inboxes.iter().map(name).collect();
        Ok(Self { config, robot, file, inboxes, looks: 0, last: None })
    }

    /// Looks at the host.
    ///
    /// # Errors
    /// A sentence when the store is busy, gone or broken; the next look may succeed.
    pub fn look(&mut self, now: Timestamp) -> Result<Look, Failure> {
        let is_file = self.config.store.server().is_none();
        if is_file && file_id(&path_of(self.config)) != Some(self.file) {
            *self = Self::open(self.config)?;
        }
        let serves = match &self.last {
            Some((last, ..)) if !self.looks.is_multiple_of(LOCK_LOOKS) => last.serves,
            _ => self.serves(now),
        };
        self.looks = self.looks.wrapping_add(1);
        let version = self.robot.store.version_seen()?;
        if let Some((last, read, of)) = &mut self.last
            && *of == version
            && now.duration_since(*read).abs() < ANEW
        {
            (last.at, last.serves) = (now, serves);
            return Ok(last.clone());
        }
        let look = Look::of(&self.robot, &self.inboxes, serves, now)?;
        self.last = Some((look.clone(), now, version));
        Ok(look)
    }

    /// Whether a robot, or a worker, serves.
    fn serves(&self, now: Timestamp) -> Option<bool> {
        match self.config.store.server() {
            None => serves(&self.config.data),
            Some(_) => {
                let workers = self.robot.store.workers().all().ok()?;
                Some(workers.iter().any(|w| w.lives(now)))
            }
        }
    }
}

fn path_of(config: &Config) -> PathBuf {
    config.data.join("fieldpost.sqlite")
}

fn file_id(path: &Path) -> Option<FileId> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.dev(), found.ino()))
}

/// Whether a robot holds the lock of a store's folder; `None` where that can't be seen.
/// This gives the lock back at once.
pub fn serves(data: &Path) -> Option<bool> {
    let lock = match File::open(data.join("serve.lock")) {
        Ok(file) => file,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Some(false),
        Err(_) => return None,
    };
    match lock.try_lock() {
        Ok(()) => Some(false),
        Err(std::fs::TryLockError::WouldBlock) => Some(true),
        Err(std::fs::TryLockError::Error(_)) => None,
    }
}
