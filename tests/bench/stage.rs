//! Games in a store in the middle of their course, and hosts to play them on.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::cancel::Cancel;
use base::clock::{Clock, Entropy};
use base::schedule::Rule;
use base::terms::{Contact, Format};
use engine::{Saved, Seat, Wait};
use jiff::{SignedDuration, Timestamp};
use mail::compose::Sender;
use registry::ENGINES;
use robot::Robot;
use robot::gm::setup::{NewGame, NewSeat};
use robot::limits::Limits;
use robot::outbox::{Outlet, flush};
use store::{NextTurn, Status, Step, Store, TurnRecord, turn_hash};

use crate::late;
use support::host::wants;
use support::rig::DOMAIN;

/// An empty folder below `target`, on a real disk.
pub fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/bench-stores").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("target can be written");
    folder
}

/// A robot over the store in a folder.
pub fn robot(dir: &Path, clock: Arc<dyn Clock>, entropy: Arc<dyn Entropy>) -> Robot {
    let store = Store::open(dir, entropy.as_ref()).expect("a store");
    robot_over(store, limits(), clock, entropy)
}

/// Limits that no benchmark meets.
pub fn limits() -> Limits {
    let most = 1_000_000;
    Limits {
        cards_per_hour: most,
        replies_per_hour: most,
        replies_per_hour_total: most,
        ..Limits::default()
    }
}

/// A robot over a store.
pub fn robot_over(
    store: Store,
    limits: Limits,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
) -> Robot {
    let identity =
        Sender { name: "Fieldpost".into(), address: format!("robot@{DOMAIN}"), from: None };
    Robot::new(store, identity, format!("gm@{DOMAIN}"), limits, &ENGINES, clock, entropy)
}

/// Bytes of a store on the disk, without free pages of its file.
pub fn bytes(store: &Store) -> f64 {
    let figure = |name: &str| -> f64 {
        let found: i64 =
            store.connection().pragma_query_value(None, name, |r| r.get(0)).expect("a number");
        found as f64
    };
    (figure("page_count") - figure("freelist_count")) * figure("page_size")
}

/// Sends everything that waits.
pub fn send(store: &mut Store, outlet: &Outlet, clock: &dyn Clock) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let stop = Cancel::default();
    flush(store, outlet, &runtime.expect("a runtime"), clock, 5, &stop).expect("sent");
}

/// A game after a turn that computers played.
#[derive(Clone)]
pub struct Stage {
    pub code: String,
    pub engine: &'static str,
    pub variant: Option<&'static str>,
    pub seats: u8,
    /// Seats that people have, the first ones; computers have the others.
    pub players: u8,
    /// Whether printouts come with pictures.
    pub pictures: bool,
    /// Whether the computers' cards are on file for people's seats.
    pub ordered: bool,
    /// The last turn that ran.
    pub turn: u32,
    pub saved: Saved,
    pub deadline: Timestamp,
}

impl Stage {
    /// A game of Warlord.
    pub fn warlord(code: &str, seats: u8, turn: u32, saved: Saved) -> Self {
        Self {
            code: code.to_owned(),
            engine: "warlord",
            variant: None,
            seats,
            players: 0,
            pictures: false,
            ordered: true,
            turn,
            saved,
            deadline: crate::report::now() + SignedDuration::from_hours(24 * 7),
        }
    }

    /// Makes the game in its present state, and removes the mails that this causes.
    pub fn set(&self, robot: &mut Robot) {
        self.make(robot);
        let sql = "UPDATE game SET turn = $2 WHERE code = $1";
        robot.store.database().exec(sql, &[&self.code, &self.turn]).expect("the turn is set");
        let open = engine::find(&ENGINES, self.engine).expect("it is registered").open(&self.saved);
        let cards = late::cards(open.expect("opens").as_ref());
        let of_people = cards.into_iter().filter(|c| self.ordered && c.0.0 <= self.players);
        let lines = |lines: Vec<(u32, String)>| lines.into_iter().map(|l| l.1).collect();
        let next = NextTurn {
            step: {
                let wait = Wait::turn(self.turn + 1, (1..=self.seats).map(Seat).collect());
                Step::open(self.turn + 1, wait, robot.now(), Some(self.deadline))
            },
            seed: 9,
            chains: Vec::new(),
            status: Status::Running,
            carried: of_people.map(|(seat, card)| (seat, lines(card.lines))).collect(),
            fees: Vec::new(),
            in_advance: Default::default(),
            sealed: Vec::new(),
            on_file: robot.store.journal().cards(&self.code, self.turn).expect("a store"),
            missed: Vec::new(),
            present: Vec::new(),
        };
        let game = robot.store.games().game(&self.code).expect("a store").expect("it was made");
        let record = TurnRecord {
            turn: self.turn,
            rules_version: game.rules_version,
            seed: game.seed,
            cards: BTreeMap::new(),
            seats: BTreeMap::new(),
            notes: BTreeMap::new(),
            seals: Vec::new(),
            told: Default::default(),
            hash: turn_hash(&self.saved, &[]),
            saved: self.saved.clone(),
        };
        let now = robot.now();
        let kept = robot.store.write(|tx| tx.run_turn(&self.code, &record, &[], &next, &[], now));
        assert!(kept.expect("a store"), "nobody else plays this game");
        let sql = "DELETE FROM drawing; DELETE FROM outbox;";
        robot.store.database().batch(sql).expect("mails are gone");
        // Except the printouts of the open turn, which the cards answer.
        let printouts = "INSERT INTO outbox (recipient, canon, kind, game, seat, turn, message_id,
                           envelope_from, mime_z, created_at, state, next_at)
                         SELECT address, canon, 'printout', game, seat, $1,
                           game || '.' || seat || '@bench', '', $2, 0, 'sent', 0
                         FROM seat WHERE computer = 0";
        let (open, nothing) = (self.turn + 1, Vec::<u8>::new());
        robot.store.database().exec(printouts, &[&open, &nothing]).expect("printouts");
    }

    fn make(&self, robot: &mut Robot) {
        let rule =
            Rule { every: "7 days".into(), at: None, zone: "UTC".into(), holidays: Vec::new() };
        let variant = self.variant.map(|v| ("variant".to_owned(), v.to_owned()));
        let new = NewGame {
            code: self.code.clone(),
            engine: self.engine.to_owned(),
            seats: self.seats,
            rule,
            data: BTreeMap::new(),
            options: variant.into_iter().collect(),
            fee: 0,
            takeover: 0,
            terms: Default::default(),
        };
        robot.new_game(new).expect("a game");
        for seat in (1..=self.seats).map(Seat) {
            if seat.0 > self.players {
                robot.add_computer(&self.code, seat).expect("a seat");
                continue;
            }
            let new = NewSeat {
                game: self.code.clone(),
                seat,
                address: format!("p{seat}@{DOMAIN}"),
                name: String::new(),
                zone: None,
                contact: Contact::Disclose,
                any_address: false,
            };
            robot.add_seat(&new).expect("a seat");
            let format = Format { html: self.pictures, ..Format::default() };
            wants(&mut robot.store, &self.code, seat, format);
        }
        robot.start(&self.code, None, false).expect("starts");
    }
}
