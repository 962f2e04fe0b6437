//! A host in a folder: a game, players, and a mailbox that the test fills.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use base::clock::{Clock, Entropy, FakeClock, FixedEntropy};
use base::schedule::Rule;
use base::terms::{Contact, Format};
use engine::{Engine, Seat};
use jiff::{SignedDuration, Timestamp};
use mail::RawMessage;
use mail::compose::Sender;
use registry::ENGINES;
use robot::Robot;
use robot::gm::setup::{NewGame, NewSeat};
use robot::limits::Limits;
use store::{MailKind, MailRow, Moment, SeatChange, Store};
use tempfile::TempDir;

pub const ROBOT: &str = "robot@fieldpost.example";

/// Statements, and how often each was run.
pub type Statements = Arc<Mutex<BTreeMap<String, usize>>>;

/// Sets the format of a player's printouts.
pub fn wants(store: &mut Store, game: &str, seat: Seat, format: Format) {
    let row = store.games().seat(game, seat).expect("a store").expect("a seat");
    let change = SeatChange::choices(&row, |all| all.format = format);
    store.write(|tx| tx.change_seat(game, seat, &change)).expect("a store");
}

/// A host with one game.
pub struct Host {
    pub robot: Robot,
    pub clock: Arc<FakeClock>,
    pub passwords: Vec<String>,
    pub dir: TempDir,
    sent: u32,
}

/// A mail of the robot, as its recipient sees it.
#[derive(Debug, Clone)]
pub struct Got {
    pub to: String,
    pub subject: String,
    pub reply_to: String,
    pub message_id: String,
    pub text: String,
    pub raw: String,
}

impl Default for Host {
    fn default() -> Self {
        Self::new()
    }
}

impl Host {
    /// A Warlord game W7 of four seats, started.
    pub fn new() -> Self {
        Self::with(&ENGINES, "warlord", 4, Limits::default())
    }

    pub fn with(
        engines: &'static [&'static dyn Engine],
        engine: &str,
        seats: u8,
        limits: Limits,
    ) -> Self {
        Self::empty(engines, limits).with_game(engine, seats)
    }

    /// The same as [`Host::new`], with a store that is always a file, for faults that only files
    /// have.
    pub fn in_a_file() -> Self {
        let open = |dir: &Path, entropy: &dyn Entropy| Store::open(dir, entropy);
        Self::over(open, &ENGINES, Limits::default()).with_game("warlord", 4)
    }

    /// A toy of three seats, whose store is a file.
    pub fn with_toy_in_a_file() -> Self {
        let open = |dir: &Path, entropy: &dyn Entropy| Store::open(dir, entropy);
        Self::over(open, crate::toy::TOYS, Limits::default()).with_game("toy", 3)
    }

    /// The same as [`Host::in_a_file`], with a store that is a database, and its address.
    pub fn in_a_database() -> (Self, String) {
        let url = crate::postgres::Cluster::shared().database();
        let open = |_: &Path, entropy: &dyn Entropy| {
            Store::connect(&crate::postgres::server(&url), entropy)
        };
        let host = Self::over(open, &ENGINES, Limits::default()).with_game("warlord", 4);
        (host, url)
    }

    fn with_game(mut self, engine: &str, seats: u8) -> Self {
        self.robot.new_game(a_game(engine, seats)).expect("a game");
        self.seat_players(seats);
        self.robot.start("W7", None, false).expect("starts");
        self
    }

    /// A host without a game.
    pub fn empty(engines: &'static [&'static dyn Engine], limits: Limits) -> Self {
        Self::over(crate::postgres::open, engines, limits)
    }

    fn over(
        open: impl Fn(&Path, &dyn Entropy) -> store::Result<Store>,
        engines: &'static [&'static dyn Engine],
        limits: Limits,
    ) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let start = Timestamp::from_second(1_780_000_000).expect("a time");
        let clock = Arc::new(FakeClock::at(start));
        let entropy = Arc::new(FixedEntropy::new(7));
        let store = open(dir.path(), entropy.as_ref()).expect("a store");
        let identity = Sender { name: "Fieldpost".into(), address: ROBOT.into(), from: None };
        let gm = "gm@fieldpost.example".to_owned();
        let robot = Robot::new(store, identity, gm, limits, engines, clock.clone(), entropy);
        Self { robot, clock, passwords: Vec::new(), dir, sent: 0 }
    }

    /// Notes each statement that the store runs from now on.
    pub fn note_statements(&mut self) -> Statements {
        let noted = Statements::default();
        let (spare, list) = (tempfile::tempdir().expect("a folder"), noted.clone());
        let spare = Store::open(spare.path(), &FixedEntropy::new(1)).expect("a store");
        let store = std::mem::replace(&mut self.robot.store, spare);
        self.robot.store = store.with_trouble(move |moment| {
            if let Moment::Statement(text) = moment {
                let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
                *list.lock().expect("a list").entry(words).or_default() += 1;
            }
            None
        });
        noted
    }

    /// A game of Warlord with two players and two computers, which has started.
    pub fn with_computers(change: impl FnOnce(&mut NewGame)) -> Self {
        let mut host = Self::empty(&ENGINES, Limits::default());
        let mut game = a_game("warlord", 4);
        change(&mut game);
        host.robot.new_game(game).expect("a game");
        host.seat_players(2);
        for seat in [3, 4] {
            host.robot.add_computer("W7", Seat(seat)).expect("a free seat");
        }
        host.robot.start("W7", None, false).expect("no seat is free");
        host
    }

    /// Gives the first seats to players, who get their printouts as text: drawing has its own
    /// tests.
    pub fn seat_players(&mut self, players: u8) {
        for seat in 1..=players {
            let password = self.robot.add_seat(&NewSeat {
                game: "W7".into(),
                seat: Seat(seat),
                address: player(seat),
                name: format!("Empire {seat}"),
                zone: None,
                contact: if seat % 2 == 1 { Contact::Disclose } else { Contact::Hide },
                any_address: false,
            });
            self.passwords.push(password.expect("a free seat"));
            let text = Format { html: false, ..Format::default() };
            wants(&mut self.robot.store, "W7", Seat(seat), text);
        }
    }

    /// Notes that the inbox was read just now.
    pub fn was_read(&mut self) {
        let now = self.clock.now().to_string();
        self.robot.store.write(|tx| tx.set_note("read main", &now)).expect("a note");
    }

    /// The mails to a seat's player, newest last.
    pub fn mails_to(&self, seat: u8) -> Vec<Got> {
        self.mails_to_address(&player(seat))
    }

    /// The mails to an address, newest last.
    pub fn mails_to_address(&self, address: &str) -> Vec<Got> {
        let sql = "SELECT mime_z FROM outbox WHERE recipient = $1 ORDER BY id";
        let rows: Vec<Vec<u8>> = self
            .robot
            .store
            .database()
            .all(sql, &[&address], |r| r.get::<_, Vec<u8>>(0))
            .expect("rows");
        let unpacked = rows.iter().map(|z| zstd::stream::decode_all(&z[..]).expect("mime"));
        unpacked.map(|bytes| got(&bytes)).collect()
    }

    /// The newest mail to a seat's player.
    pub fn last_mail(&self, seat: u8) -> Got {
        self.mails_to(seat).pop().expect("a mail")
    }

    /// Lets time go by.
    pub fn pass(&self, minutes: i64) {
        self.clock.set(self.clock.now() + SignedDuration::from_mins(minutes));
    }

    /// Delivers a raw mail and returns its verdict row.
    pub fn receive(&mut self, raw: impl AsRef<[u8]>) -> MailRow {
        self.pass(1);
        let message = self.message(raw.as_ref());
        self.judge(message)
    }

    /// A message as an inbox hands it over.
    pub fn message(&mut self, raw: &[u8]) -> RawMessage {
        self.sent += 1;
        RawMessage {
            source: "test".into(),
            key: format!("1/{}", self.sent),
            received_at: self.clock.now(),
            bytes: raw.to_vec(),
            size: raw.len() as u64,
            authenticity: Default::default(),
            checked_from: String::new(),
        }
    }

    /// Judges one message.
    pub fn judge(&mut self, message: RawMessage) -> MailRow {
        let judged = self.robot.receive(&[message]).expect("the store works");
        let id = *judged.last().expect("one verdict");
        self.robot.store.mails().mail(id).expect("the store works").expect("the mail")
    }

    /// A card of a seat that answers its printout of the open turn.
    pub fn card(&self, seat: u8, lines: &str) -> String {
        self.card_of(seat, self.robot.game("W7").expect("the game").turn, lines)
    }

    /// A card of a seat that answers a mail of another step.
    pub fn card_of(&self, seat: u8, turn: u32, lines: &str) -> String {
        let secret = self.robot.store.key().reply("W7", Seat(seat), 0, turn);
        mail(&player(seat), &format!("robot+W7.{seat}.{secret}@fieldpost.example"), lines)
    }

    /// The mails that an incoming one caused.
    pub fn answers(&self, row: &MailRow) -> Vec<Got> {
        let caused = self.robot.store.outbox().caused_by(row.id).expect("the store works");
        caused.iter().map(|c| got(&c.bytes)).collect()
    }

    /// The orders that a seat has on file, as text.
    pub fn on_file(&self, seat: u8) -> String {
        let turn = self.robot.game("W7").expect("the game").turn;
        let filed =
            self.robot.store.mails().orders("W7", Seat(seat), turn).expect("the store works");
        filed.map_or_else(String::new, |f| f.card.text())
    }

    /// Lets the deadline pass and runs the turn.
    pub fn run_turn(&mut self) {
        assert_eq!(self.pass_deadline(), 1);
    }

    /// Lets the deadline pass; returns the number of games whose turn ran.
    pub fn pass_deadline(&mut self) -> u32 {
        let due = self.robot.game("W7").expect("the game").deadline.expect("a deadline");
        self.clock.set(due);
        let now = self.clock.now();
        self.robot.run_due(now).expect("the robot goes on")
    }

    /// The text of a mail to the game master that waits to be sent.
    pub fn told_game_master(&mut self) -> String {
        let rows = self
            .robot
            .store
            .write(|tx| tx.outbox().lease(self.clock.now(), 1000))
            .expect("a store");
        let told = rows.iter().find(|r| r.kind == MailKind::Gm).expect("a mail to the game master");
        got(&told.mail.bytes).text
    }
}

/// A seat of the game W7 for an address, without further choices.
pub fn a_seat(n: u8, address: &str) -> NewSeat {
    NewSeat {
        game: "W7".into(),
        seat: Seat(n),
        address: address.into(),
        name: String::new(),
        zone: None,
        contact: Contact::Hide,
        any_address: false,
    }
}

/// Game W7 as a game master would make it.
pub fn a_game(engine: &str, seats: u8) -> NewGame {
    let rule = Rule {
        every: "7 days".into(),
        at: None,
        zone: "Europe/London".into(),
        holidays: Vec::new(),
    };
    // Tests must know the seats of countries.
    let starts = if seats == 5 { "AL,NE,SP,SW,TU" } else { "set" };
    let starts = (engine == "battle-plan").then(|| ("starts".to_owned(), starts.to_owned()));
    NewGame {
        code: "W7".to_owned(),
        engine: engine.to_owned(),
        seats,
        rule,
        data: BTreeMap::new(),
        options: starts.into_iter().collect(),
        fee: 0,
        takeover: 0,
        terms: Default::default(),
    }
}

/// The registered address of a seat.
pub fn player(seat: u8) -> String {
    format!("p{seat}@players.example")
}

/// A plain mail; its Message-ID follows from its content.
pub fn mail(from: &str, to: &str, body: &str) -> String {
    let id = base::secrets::sha256_hex(format!("{from}{to}{body}").as_bytes());
    format!(
        "Return-Path: <{from}>\r\nFrom: <{from}>\r\nTo: <{to}>\r\nSubject: orders\r\n\
         Message-ID: <{}@players.example>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{}\r\n",
        &id[..20],
        body.replace('\n', "\r\n")
    )
}

/// A mail of the robot read back.
pub fn got(bytes: &[u8]) -> Got {
    let mail = mail::mime::parse(bytes).expect("our mails can be read");
    let lines = mail.lines.0.iter().map(|(d, l)| format!("{}{l}\n", ">".repeat(*d)));
    let header = |name: &str| mail.header(name).unwrap_or_default().to_owned();
    let inside = |text: String| {
        let start = text.rfind('<').map_or(0, |i| i + 1);
        text[start..].trim_end_matches('>').to_owned()
    };
    Got {
        to: header("To"),
        subject: mail.subject.clone(),
        reply_to: inside(header("Reply-To")),
        message_id: mail.message_id.clone().unwrap_or_default(),
        text: lines.collect(),
        raw: String::from_utf8_lossy(bytes).into_owned(),
    }
}
