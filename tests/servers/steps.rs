//! A game that waits for one seat at a time, between the real servers: a player moves, another
//! is challenged, two steps follow by themselves, a seal is shown and opened, somebody leaves.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base::cancel::Cancel;
use base::clock::{SystemClock, SystemEntropy};
use base::schedule::Rule;
use base::terms::{Contact, Format};
use engine::Seat;
use mail::account::{Login, Password, TlsMode};
use mail::compose::Sender;
use mail::imap::{ImapAccount, ImapInbox};
use mail::smtp::{SmtpAccount, SmtpOutlet};
use robot::Robot;
use robot::gm::setup::{NewGame, NewSeat};
use robot::host::{Host, round};
use robot::limits::Limits;
use robot::outbox::{Outlet, flush};
use store::{SeatChange, Store};
use support::letter::Letter;
use support::rig::{DOMAIN, Rig, password, poll};
use support::toy::TOYS;

const LIMIT: Duration = Duration::from_secs(30);

/// A robot with the toy game, its way in and its way out.
struct Process {
    host: Mutex<Host>,
    inbox: ImapInbox,
    outbox: Store,
    outlet: Outlet,
}

impl Process {
    /// One look at the mailbox, and all that it caused on its way.
    fn act(&mut self) {
        let stop = Cancel::default();
        round(&self.host, 0, &mut self.inbox, &stop).expect("a round");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let sent = flush(&mut self.outbox, &self.outlet, &SystemClock, 5, &stop);
        runtime.expect("a runtime").block_on(sent).expect("the outbox is sent");
    }

    /// Acts until a player has a mail with these words in its subject.
    fn await_mail(&mut self, rig: &Rig, player: u32, words: &str) -> Letter {
        let found = poll(LIMIT, || {
            self.act();
            letters(rig, player).into_iter().find(|l| l.field("Subject").contains(words))
        });
        found.unwrap_or_else(|| panic!("no {words} for player {player}\n{}", rig.logs()))
    }
}

fn letters(rig: &Rig, player: u32) -> Vec<Letter> {
    rig.mails(&super::user(player), "INBOX").iter().map(|m| Letter::read(m)).collect()
}

/// A text on one line, without what quoted-printable adds (RFC 2045 §6.7).
fn plain(body: &str) -> String {
    let whole = body.replace("=\r\n", "").replace("=\n", "").replace("=3D", "=");
    whole.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn answer(rig: &Rig, player: u32, letter: &Letter, card: &str) {
    let from = format!("{}@{DOMAIN}", super::user(player));
    let id = format!("move-{player}-{}", letter.id());
    let raw = letter.answer(&from, &id, card);
    rig.submit(&from, &letter.reply_to(), raw.as_bytes());
}

/// A robot with the game Y1: two players, and a computer behind them.
fn process(rig: &Rig, folder: &std::path::Path) -> Process {
    let open = || Store::open(folder, &SystemEntropy).expect("a store");
    let sender =
        Sender { name: "Fieldpost".into(), address: format!("robot@{DOMAIN}"), from: None };
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    let gm = format!("gm@{DOMAIN}");
    let mut robot = Robot::new(open(), sender, gm, Limits::default(), TOYS, clock, entropy);
    let every = Rule { every: "7 days".into(), at: None, zone: "UTC".into(), holidays: Vec::new() };
    let game = NewGame {
        code: "Y1".into(),
        engine: "toy".into(),
        seats: 3,
        rule: every,
        data: Default::default(),
        options: Default::default(),
        fee: 0,
        takeover: 0,
        terms: Default::default(),
    };
    robot.new_game(game).expect("a game");
    for (seat, address) in (1..).zip(super::addresses(2)) {
        let seat = Seat(seat);
        let name = format!("Player {seat}");
        let game = "Y1".to_owned();
        let contact = Contact::Hide;
        let new = NewSeat { game, seat, address, name, zone: None, contact, any_address: false };
        robot.add_seat(&new).expect("a seat");
        // Nobody draws here.
        let text = SeatChange::Format(Format { html: false, ..Format::default() });
        robot.store.write(|tx| tx.change_seat("Y1", seat, &text)).expect("a format");
    }
    robot.add_computer("Y1", Seat(3)).expect("a computer");
    robot.start("Y1", None, false).expect("it starts");
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
    let (wake, to_draw) = (channel().0, channel().0);
    Process {
        host: Mutex::new(Host::new(robot, folder.to_owned(), 1, None, (wake, to_draw))),
        inbox: ImapInbox::new(inbox).expect("an inbox"),
        outbox: open(),
        outlet: Outlet::Smtp(Arc::new(SmtpOutlet::new(outlet).expect("an outlet"))),
    }
}

#[test]
fn steps_wait_for_one_seat_for_a_challenge_and_for_nobody() {
    let rig = super::servers();
    let folder = tempfile::tempdir().expect("a folder");
    let mut robot = process(&rig, folder.path());
    let first = robot.await_mail(&rig, 1, "[Y1 T1 S1] ");
    answer(&rig, 1, &first, "SAY hello\nGUARD 17\nATTACK 2\nEND");
    let echo = robot.await_mail(&rig, 1, "orders on file");
    let echo = plain(&echo.body);
    let digest = echo.split("Seal guard-1: SHA-256 ").nth(1).map(|d| d[..64].to_owned());
    // The challenge comes long before the deadline, to the one who is awaited.
    let challenge = robot.await_mail(&rig, 2, "[Y1 T2 S2] your orders are awaited: step 2");
    let digest = digest.expect("a digest");
    let shown = plain(&challenge.body);
    assert!(shown.contains(&digest), "{shown}");
    answer(&rig, 2, &challenge, "Q 4");
    // Nobody is awaited while the dice fall, and the next is at once to move.
    let turn = robot.await_mail(&rig, 2, "[Y1 T4 S2] your printout, orders due");
    assert!(turn.body.contains("2 guesses 4"), "{}", turn.body);
    let told = plain(&turn.body);
    assert!(told.contains("Seal guard-1 of seat 1: \"17\", nonce "), "{told}");
    assert!(told.contains(&format!("SHA-256 {digest}")), "{told}");
    answer(&rig, 2, &turn, "SAY well\nEND");
    // The computer's step needs no deadline either.
    let again = robot.await_mail(&rig, 1, "[Y1 T6 S1] your printout, orders due");
    assert!(again.body.contains("3 says move 1"), "{}", again.body);
    let ran = robot.outbox.turns("Y1").expect("a store");
    assert_eq!(ran.iter().map(|t| t.turn).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    for seat in 1..=2 {
        let row = robot.outbox.seat("Y1", Seat(seat)).expect("a store").expect("a seat");
        assert_eq!(row.missed, 0, "seat {seat} is charged with no card");
    }
    // Whoever leaves is waited for no longer.
    let left = |tx: &store::Tx| tx.change_seat("Y1", Seat(2), &SeatChange::Resigned);
    robot.outbox.write(left).expect("a store");
    answer(&rig, 1, &again, "END");
    let alone = robot.await_mail(&rig, 1, "[Y1 T9 S1] your printout, orders due");
    assert!(plain(&alone.body).contains("Seats that nobody plays: [2]"), "{}", alone.body);
    // What is no business of theirs is not mailed; what is, once.
    let subjects: Vec<String> =
        letters(&rig, 1).iter().map(|l| l.field("Subject").to_owned()).collect();
    let of = |tag: &str| subjects.iter().filter(|s| s.contains(tag)).count();
    assert_eq!((of("T2 S1] "), of("T3 S1] "), of("T6 S1] your ")), (0, 0, 1), "{subjects:?}");
}
