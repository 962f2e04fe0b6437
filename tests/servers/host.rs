//! A robot between the real servers, for tests that set its game and its clock: its inbox over
//! IMAP, its outbox over SMTP, its rounds one by one.

use std::path::Path;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{Clock, Entropy};
use base::schedule::Rule;
use base::terms::{Contact, Format, Terms};
use engine::{Engine, Seat};
use mail::account::{Login, Password, TlsMode};
use mail::compose::Sender;
use mail::imap::{ImapAccount, ImapInbox};
use mail::smtp::{SmtpAccount, SmtpOutlet};
use robot::Robot;
use robot::gm::setup::{NewGame, NewSeat};
use robot::host::{Host, Wakes, round};
use robot::limits::Limits;
use robot::outbox::{Outlet, flush};
use robot::runner::Runner;
use store::Store;
use support::host::wants;
use support::letter::Letter;
use support::rig::{DOMAIN, Rig, password, poll};

const LIMIT: Duration = Duration::from_secs(30);

/// The code of the game.
pub const GAME: &str = "Y1";

/// A robot with a game, its way in and its way out.
pub struct Process {
    host: Mutex<Host>,
    runner: Runner,
    inbox: ImapInbox,
    pub outbox: Store,
    outlet: Outlet,
    clock: Arc<dyn Clock>,
}

impl Process {
    /// A robot with a game of players in the first seats and a computer in the last one.
    pub fn new(
        rig: &Rig,
        folder: &Path,
        engines: &'static [&'static dyn Engine],
        clocks: (Arc<dyn Clock>, Arc<dyn Entropy>),
        (engine, players, options): (&str, u8, &[(&str, &str)]),
    ) -> Self {
        Self::seated(rig, folder, engines, clocks, (engine, players, 1, options))
    }

    /// A robot with a game of players and no computer.
    pub fn of_people(
        rig: &Rig,
        folder: &Path,
        engines: &'static [&'static dyn Engine],
        clocks: (Arc<dyn Clock>, Arc<dyn Entropy>),
        (engine, players, options): (&str, u8, &[(&str, &str)]),
    ) -> Self {
        Self::seated(rig, folder, engines, clocks, (engine, players, 0, options))
    }

    fn seated(
        rig: &Rig,
        folder: &Path,
        engines: &'static [&'static dyn Engine],
        (clock, entropy): (Arc<dyn Clock>, Arc<dyn Entropy>),
        (engine, players, computers, options): (&str, u8, u8, &[(&str, &str)]),
    ) -> Self {
        let open = || Store::open(folder, entropy.as_ref()).expect("a store");
        let sender =
            Sender { name: "Fieldpost".into(), address: format!("robot@{DOMAIN}"), from: None };
        let gm = format!("gm@{DOMAIN}");
        let clocks = (clock.clone(), entropy.clone());
        let mut robot =
            Robot::new(open(), sender, gm, Limits::default(), engines, clocks.0, clocks.1);
        let every =
            Rule { every: "7 days".into(), at: None, zone: "UTC".into(), holidays: Vec::new() };
        let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let game = NewGame {
            code: GAME.into(),
            engine: engine.into(),
            seats: players + computers,
            rule: every,
            data: Default::default(),
            options,
            fee: 0,
            takeover: 0,
            // The clock of a test jumps; that is not an outage.
            terms: Terms { outage_minutes: 0, ..Terms::default() },
        };
        robot.new_game(game).expect("a game");
        for (seat, address) in (1..).zip(super::addresses(players.into())) {
            let seat = Seat(seat);
            let name = format!("Player {seat}");
            let game = GAME.to_owned();
            let contact = Contact::Hide;
            let new =
                NewSeat { game, seat, address, name, zone: None, contact, any_address: false };
            robot.add_seat(&new).expect("a seat");
            // No thread draws pictures here.
            let text = Format { html: false, ..Format::default() };
            wants(&mut robot.store, GAME, seat, text);
        }
        for seat in players + 1..=players + computers {
            robot.add_computer(GAME, Seat(seat)).expect("a computer");
        }
        robot.start(GAME, None, false).expect("it starts");
        let secret = folder.join("password");
        std::fs::write(&secret, password("robot")).expect("written");
        let login = || Login {
            user: format!("robot@{DOMAIN}"),
            secret: Password::File(secret.clone()),
            token: false,
        };
        let inbox = ImapAccount {
            name: "main".into(),
            host: "localhost".into(),
            port: rig.imaps_port,
            tls: TlsMode::Implicit,
            ca_file: Some(rig.ca_file.clone()),
            login: login(),
            folder: "INBOX".into(),
            bytes_max: 5_000_000,
            poll: Duration::from_secs(60),
        };
        let outlet = SmtpAccount {
            host: "localhost".into(),
            port: rig.submission_port,
            tls: TlsMode::Starttls,
            ca_file: Some(rig.ca_file.clone()),
            login: Some(login()),
            connections: 2,
            per_minute: None,
        };
        let other = Robot::new(
            open(),
            robot.cx.identity.clone(),
            robot.cx.gm.clone(),
            Limits::default(),
            engines,
            clock.clone(),
            entropy.clone(),
        );
        Self {
            host: Mutex::new(Host::new(robot, folder.to_owned(), None, Wakes::nobody())),
            runner: Runner::new(other, vec!["main".to_owned()], Wakes::nobody()),
            inbox: ImapInbox::new(inbox).expect("an inbox"),
            outbox: open(),
            outlet: Outlet::Smtp(Arc::new(SmtpOutlet::new(outlet).expect("an outlet"))),
            clock,
        }
    }

    /// Reads the mailbox once, and sends all that results.
    pub fn act(&mut self) {
        let stop = Cancel::default();
        round(&self.host, &mut self.inbox, &stop).expect("a round");
        self.runner.round().expect("steps are run");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("a runtime");
        let sent = flush(&mut self.outbox, &self.outlet, &runtime, self.clock.as_ref(), 5, &stop);
        sent.expect("the outbox is sent");
    }

    /// Acts until something is there.
    pub fn await_that<T>(
        &mut self,
        rig: &Rig,
        what: &str,
        mut there: impl FnMut(&Store) -> Option<T>,
    ) -> T {
        let found = poll(LIMIT, || {
            self.act();
            there(&self.outbox)
        });
        found.unwrap_or_else(|| panic!("no {what}\n{}", rig.logs()))
    }

    /// Acts until a player has a mail with these words in its subject.
    pub fn await_mail(&mut self, rig: &Rig, player: u32, words: &str) -> Letter {
        let what = format!("{words} for player {player}");
        let sought = |l: &Letter| l.field("Subject").contains(words);
        self.await_that(rig, &what, |_| letters(rig, player).into_iter().find(sought))
    }
}

/// All mails that a player has.
pub fn letters(rig: &Rig, player: u32) -> Vec<Letter> {
    rig.mails(&super::user(player), "INBOX").iter().map(|m| Letter::read(m)).collect()
}

/// A text on one line, without the marks of quoted-printable (RFC 2045 §6.7).
pub fn plain(body: &str) -> String {
    let whole = body.replace("=\r\n", "").replace("=\n", "").replace("=3D", "=");
    whole.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A player answers a mail with a card.
pub fn answer(rig: &Rig, player: u32, letter: &Letter, card: &str) {
    let from = format!("{}@{DOMAIN}", super::user(player));
    let id = format!("move-{player}-{}", letter.id());
    let raw = letter.answer(&from, &id, card);
    rig.submit(&from, &letter.reply_to(), raw.as_bytes());
}
