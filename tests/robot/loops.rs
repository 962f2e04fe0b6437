//! No mail goes round in a circle; how often each sender is answered; and the form of every mail
//! that leaves.

use std::collections::BTreeSet;

use base::clock::FixedEntropy;
use base::terms::Contact;
use engine::Seat;
use jiff::SignedDuration;
use mail::RawMessage;
use mail::compose::{AutoSubmitted, Draft, Sender, compose};
use registry::ENGINES;
use robot::Robot;
use robot::gm::setup::NewSeat;
use robot::limits::Limits;
use store::{Reason, Verdict};

use support::host::*;

const ROBOT2: &str = "robot2@other.example";
const GUARD: &str = "guard@strangers.example";
const DESK: &str = "support@desk.example";
const GM: &str = "gm@fieldpost.example";
/// Rounds in which programs write to each other.
const ROUNDS: usize = 30;

/// A plain mail with header fields of its own in place of its subject.
fn letter(from: &str, to: &str, fields: &str, body: &str) -> String {
    mail(from, to, body).replacen("Subject: orders\r\n", fields, 1)
}

/// The letter as number `n`, so that none is a copy of another.
fn nth(letter: &str, n: u32) -> String {
    letter.replacen("Message-ID: <", &format!("Message-ID: <{n}."), 1)
}

fn seat(seat: u8, address: &str, name: &str) -> NewSeat {
    NewSeat {
        game: "W7".into(),
        seat: Seat(seat),
        address: address.into(),
        name: name.into(),
        zone: None,
        contact: Contact::Disclose,
        any_address: false,
    }
}

/// Mails in the outbox for which a condition holds.
fn count(host: &Host, which: &str) -> usize {
    let sql = format!("SELECT count(*) FROM outbox WHERE {which}");
    let found: i64 = host.robot.store.database().one(&sql, &[], |r| r.get(0)).expect("a number");
    usize::try_from(found).expect("not negative")
}

/// A mail on its way from a robot.
struct Flying {
    to: String,
    return_path: String,
    /// Whether another mail caused it.
    reply: bool,
    got: Got,
}

/// A robot whose mails are delivered.
struct Site {
    robot: Robot,
    delivered: i64,
    received: u32,
}

impl Site {
    fn new(robot: Robot) -> Self {
        Self { robot, delivered: 0, received: 0 }
    }

    /// The mails that it wrote since the last call.
    fn leaving(&mut self) -> Vec<Flying> {
        let sql = "SELECT id, recipient, envelope_from, cause IS NOT NULL, mime_z FROM outbox
                   WHERE id > $1 ORDER BY id";
        let row = |row: &store::db::Row| {
            let packed: Vec<u8> = row.get(4)?;
            let bytes = zstd::stream::decode_all(&packed[..]).expect("mime");
            let (to, return_path) = (row.get(1)?, row.get(2)?);
            Ok((row.get(0)?, Flying { to, return_path, reply: row.get(3)?, got: got(&bytes) }))
        };
        let found: Vec<(i64, Flying)> =
            self.robot.store.database().all(sql, &[&self.delivered], row).expect("rows");
        self.delivered = found.last().map_or(self.delivered, |(id, _)| *id);
        found.into_iter().map(|(_, flying)| flying).collect()
    }

    fn receive(&mut self, raw: &str) {
        self.received += 1;
        let message = RawMessage {
            source: "net".into(),
            key: format!("1/{}", self.received),
            received_at: self.robot.now(),
            bytes: raw.as_bytes().to_vec(),
            size: raw.len() as u64,
            authenticity: Default::default(),
            checked_from: String::new(),
        };
        self.robot.receive(&[message]).expect("the store works");
    }
}

/// The answer of the program behind an address, if there is one.
fn answer_of(address: &str, to: &Got, n: u32) -> Option<String> {
    let (fields, body) = match address {
        "p1@players.example" => (
            format!("Subject: Re: {}\r\n", to.subject),
            format!("I am currently away from my desk.\n\n{}", to.text),
        ),
        "p2@players.example" => (
            format!("Subject: Re: {}\r\nAuto-Submitted: auto-replied (vacation)\r\n", to.subject),
            "I am away until 7 January.\n".to_owned(),
        ),
        "p3@players.example" => (
            format!("Subject: Automatic reply: {}\r\n", to.subject),
            "I am out of the office.\n".to_owned(),
        ),
        GUARD => (
            format!("Subject: Please confirm your message {n}\r\n"),
            "Click on the link to release your mail.\n".to_owned(),
        ),
        DESK => (
            format!("Subject: [Ticket #{n}] received\r\n"),
            format!("Thank you. Your request has the number {n}.\n"),
        ),
        _ => return None,
    };
    Some(nth(&letter(address, &to.reply_to, &fields, &body), n))
}

/// A second robot; the first one has a seat in its game.
fn second(host: &Host, folder: &std::path::Path) -> Robot {
    let entropy = std::sync::Arc::new(FixedEntropy::new(8));
    let store = support::postgres::open(folder, entropy.as_ref()).expect("a store");
    let identity = Sender { name: "Other".into(), address: ROBOT2.into(), from: None };
    let gm = "gm@other.example".to_owned();
    let limits = Limits::default();
    let mut robot = Robot::new(store, identity, gm, limits, &ENGINES, host.clock.clone(), entropy);
    robot.new_game(a_game("warlord", 2)).expect("a game");
    robot.add_seat(&seat(1, ROBOT, "Automat")).expect("a seat");
    robot.add_seat(&seat(2, GUARD, "Guard")).expect("a seat");
    robot.start("W7", None, false).expect("starts");
    robot
}

#[test]
fn a12_two_robots_and_five_autoresponders_fall_silent() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    host.seat_players(3);
    host.robot.add_seat(&seat(4, ROBOT2, "Automat")).expect("a seat");
    host.robot.start("W7", None, false).expect("starts");
    let folder = tempfile::tempdir().expect("a folder");
    let other = second(&host, folder.path());
    let Host { robot, clock, dir, .. } = host;
    let (mut one, mut two) = (Site::new(robot), Site::new(other));
    // Besides the printouts, three strangers' mails begin it.
    one.receive(&mail(GUARD, ROBOT, "Is anybody there?\n"));
    one.receive(&mail(DESK, ROBOT, "Is anybody here?\n"));
    two.receive(&mail(DESK, ROBOT2, "Is anybody here?\n"));
    let (mut mails, mut replies, mut n) = (Vec::new(), 0, 0);
    for _ in 0..ROUNDS {
        clock.set(one.robot.now() + SignedDuration::from_mins(5));
        let mut flying = one.leaving();
        flying.extend(two.leaving());
        mails.push(flying.len());
        for f in flying {
            n += 1;
            replies += usize::from(f.reply);
            let traced = || format!("Return-Path: <{}>\r\n{}", f.return_path, f.got.raw);
            match f.to.as_str() {
                ROBOT => one.receive(&traced()),
                ROBOT2 => two.receive(&traced()),
                address => {
                    let Some(answer) = answer_of(address, &f.got, n) else { continue };
                    let home = f.got.reply_to.ends_with("@other.example");
                    let site = if home { &mut two } else { &mut one };
                    site.receive(&answer);
                }
            }
        }
    }
    println!("mails a round {mails:?}, replies {replies}");
    assert!(mails[5..].iter().all(|m| *m == 0), "{mails:?}");
    // A stranger is answered once a day by each robot, a player without orders once a
    // week: two strangers to two robots, three players and a guard with a seat.
    assert!(replies <= 2 * 2 + 3 + 1, "{replies}");
    assert!(replies >= 3, "{replies}: the strangers were answered");
    drop(dir);
}

#[test]
fn a12_a_naive_autoresponder_of_the_game_master_falls_silent() {
    let mut host = Host::new();
    let now = host.robot.now();
    let first = host.robot.mailer().gm_mail("news", "Something happened.", &["news"], now);
    host.robot.store.write(|tx| tx.outbox().post(first.as_slice(), now)).expect("posted");
    let mut told = Vec::new();
    let Host { robot, clock, dir, .. } = host;
    let mut site = Site::new(robot);
    for n in 0..ROUNDS as u32 {
        clock.set(site.robot.now() + SignedDuration::from_mins(5));
        let to_gm: Vec<Flying> = site.leaving().into_iter().filter(|f| f.to == GM).collect();
        told.push(to_gm.len());
        for f in to_gm {
            let fields = format!("Subject: Re: {}\r\n", f.got.subject);
            let body = format!("The office is closed until Monday.\n\n{}", f.got.text);
            site.receive(&nth(&letter(GM, &f.got.reply_to, &fields, &body), n));
        }
    }
    println!("mails to the game master a round {told:?}");
    assert!(told[ROUNDS - 10..].iter().all(|m| *m == 0), "{told:?}");
    drop(dir);
}

#[test]
fn a7_text_that_is_no_order_replaces_no_card_and_is_told_of_once() {
    let mut wrong = Vec::new();
    for text in ["I am away.", "I am away until 7 January.", "Your request has the number 4711."] {
        let mut host = Host::new();
        host.receive(host.card(1, "C 1 1\n"));
        let mut replies = 0;
        for n in 0..5 {
            let row = host.receive(nth(&host.card(1, &format!("{text}\n")), n));
            replies += host.answers(&row).len();
        }
        if replies > 1 || host.on_file(1) != "C 1 1\n" {
            wrong.push(format!("{text}: {replies} replies, on file {:?}", host.on_file(1)));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a10_no_word_of_a_stranger_is_answered_twice_a_day() {
    let mut wrong = Vec::new();
    for words in ["what is this?", "HELP", "GAMES", "JOIN W9", "JOIN W7", "EXPORT"] {
        let mut host = Host::new();
        let from = "max@nowhere.example";
        for n in 0..4 {
            host.receive(nth(&mail(from, ROBOT, &format!("{words}\n")), n));
        }
        let replies = count(&host, "recipient = 'max@nowhere.example'");
        if replies != 1 {
            wrong.push(format!("{words}: {replies} replies"));
        }
        host.pass(25 * 60);
        host.receive(nth(&mail(from, ROBOT, &format!("{words}\n")), 9));
        if count(&host, "recipient = 'max@nowhere.example'") <= replies {
            wrong.push(format!("{words}: no reply on the next day"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a13_replies_to_an_address_end_within_the_hour_and_within_the_day() {
    let limits = Limits { replies_per_hour: 3, replies_per_day: 5, ..Limits::default() };
    let mut host = Host::with(&ENGINES, "warlord", 2, limits);
    let replied = |host: &mut Host, n: u32| {
        let row = host.receive(host.card(1, &format!("M 1 3\nM 1 {n}\n")));
        assert_eq!(row.reason.as_str(), "filed", "card {n}: cards count all the same");
        let answered = host.answers(&row).len();
        assert_eq!(answered == 0, row.why.contains("over the budget"), "{}", row.why);
        answered
    };
    assert_eq!([1, 2, 3, 4].map(|n| replied(&mut host, n)), [1, 1, 1, 0]);
    host.pass(61);
    assert_eq!([5, 6, 7].map(|n| replied(&mut host, n)), [1, 1, 0], "the day's five are used");
    host.pass(61);
    assert_eq!(replied(&mut host, 8), 0);
    host.pass(25 * 60);
    assert_eq!(replied(&mut host, 9), 1);
    // Another player has a separate budget.
    let row = host.receive(host.card(2, "C 2 1\n"));
    assert_eq!(host.answers(&row).len(), 1);
}

#[test]
fn a13_the_breaker_stops_replies_tells_the_game_master_once_and_recovers() {
    let limits = Limits { replies_per_hour_total: 4, ..Limits::default() };
    let mut host = Host::with(&ENGINES, "warlord", 4, limits);
    let before = count(&host, "kind = 'gm'");
    let card = |host: &mut Host, n: u8| {
        let seat = n % 4 + 1;
        let row = host.receive(host.card(seat, &format!("C {seat} 1\nC 1 {n}\n")));
        assert_eq!(row.reason.as_str(), "filed", "card {n}");
        assert_eq!(host.on_file(seat), format!("C {seat} 1\nC 1 {n}\n"));
        host.answers(&row).len()
    };
    let answered: Vec<usize> = (0..12).map(|n| card(&mut host, n)).collect();
    assert_eq!(answered, [1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    assert_eq!(count(&host, "kind = 'gm'"), before + 1, "told once");
    let told = host.told_game_master();
    assert!(told.replace('\n', " ").contains("More than 4 replies"), "{told}");
    host.pass(61);
    assert_eq!((12..18).map(|n| card(&mut host, n)).collect::<Vec<_>>(), [1, 1, 1, 1, 0, 0]);
    assert_eq!(count(&host, "kind = 'gm'"), before + 2, "told again in another hour");
    // Printouts do not count as replies.
    host.run_turn();
    assert_eq!(count(&host, "kind = 'printout'"), 8);
}

#[test]
fn a13_strangers_unproven_mails_and_proven_ones_have_budgets_of_their_own() {
    let limits = Limits {
        stranger_replies_per_hour_total: 2,
        unproven_replies_per_hour_total: 2,
        stranger_replies_per_day: 100,
        ..Limits::default()
    };
    let stranger = |host: &mut Host, n: u32| {
        let from = format!("x{n}@players.example");
        let secret = if n.is_multiple_of(2) { ROBOT.to_owned() } else { wrong_secret() };
        let row = host.receive(mail(&from, &secret, "What is this?\n"));
        host.answers(&row).len()
    };
    let unproven = |host: &mut Host, n: u32| {
        let seat = u8::try_from(n % 4 + 1).expect("a seat");
        let row = host.receive(mail(&player(seat), ROBOT, &format!("STATUS\n# {n}\n")));
        host.answers(&row).len()
    };
    let proven = |host: &mut Host, n: u32| {
        let row = host.receive(host.card(1, &format!("M 1 {n}\nM 2 3\n")));
        host.answers(&row).len()
    };
    // The first sender does not use up the budget of the others.
    let mut host = Host::with(&ENGINES, "warlord", 4, limits.clone());
    assert_eq!([1, 2, 3, 4].map(|n| stranger(&mut host, n)), [1, 1, 0, 0]);
    let told = host.told_game_master().replace('\n', " ");
    assert!(told.contains("More than 2 replies to strangers"), "{told}");
    assert!(told.contains("limits.stranger_replies_per_hour_total"), "{told}");
    assert_eq!([1, 2, 3, 4].map(|n| unproven(&mut host, n)), [1, 1, 0, 0]);
    assert_eq!([5, 6, 7].map(|n| proven(&mut host, n)), [1, 1, 1]);
    let mut host = Host::with(&ENGINES, "warlord", 4, limits);
    assert_eq!([1, 2, 3].map(|n| unproven(&mut host, n)), [1, 1, 0]);
    assert_eq!([1, 2, 3].map(|n| stranger(&mut host, n)), [1, 1, 0]);
}

#[test]
fn a13_strangers_of_a_domain_take_nothing_from_its_players() {
    let mut host = Host::with(&ENGINES, "warlord", 4, Limits::default());
    for n in 0..70 {
        let raw = mail(&format!("x{n}@players.example"), ROBOT, "Hello?\n");
        let message = host.message(raw.as_bytes());
        let row = host.judge(message);
        assert_eq!(host.answers(&row).len(), usize::from(n < 60), "{n}");
    }
    let row = host.receive(mail(&player(2), ROBOT, "STATUS\n"));
    assert_eq!(host.answers(&row).len(), 1);
}

/// The robot with a detail that no seat has had.
fn wrong_secret() -> String {
    ROBOT.replace('@', "+W7.1.aaaaaaaaaaaaa@")
}

#[test]
fn a12_a_reply_has_one_recipient_who_is_never_a_reply_to() {
    let mut host = Host::new();
    let fields = "Subject: x\r\nReply-To: <victim@elsewhere.example>\r\n\
                  Cc: <more@elsewhere.example>\r\nSender: <boss@elsewhere.example>\r\n";
    let (unproven, proven) = (mail(&player(1), ROBOT, "C 1 1\n"), host.card(2, "C 1 3\n"));
    let (unknown, all) = (mail("max@nowhere.example", ROBOT, "hm?\n"), host.card(3, "HELP\n"));
    let cases = [
        (unproven, player(1)),
        (proven, player(2)),
        (unknown, "max@nowhere.example".to_owned()),
        (all, player(3)),
    ];
    for (raw, to) in cases {
        let row = host.receive(raw.replacen("Subject: orders\r\n", fields, 1));
        let answers = host.answers(&row);
        assert_eq!(answers.iter().map(|a| a.to.clone()).collect::<Vec<_>>(), [to]);
        assert!(!answers[0].raw.contains("elsewhere.example"), "{}", answers[0].raw);
    }
    assert_eq!(count(&host, "recipient LIKE '%elsewhere%'"), 0);
}

#[test]
fn a14_no_receipt_is_ever_sent() {
    let mut host = Host::new();
    let wish = "Subject: x\r\nDisposition-Notification-To: <watch@elsewhere.example>\r\n\
                Return-Receipt-To: <watch@elsewhere.example>\r\n\
                X-Confirm-Reading-To: <watch@elsewhere.example>\r\n";
    let row = host.receive(host.card(1, "C 1 1\n").replacen("Subject: orders\r\n", wish, 1));
    let answers = host.answers(&row);
    assert_eq!(answers.len(), 1, "the echo alone");
    assert!(!answers[0].raw.contains("disposition-notification"), "{}", answers[0].raw);
    assert_eq!(count(&host, "recipient LIKE '%elsewhere%'"), 0);
}

#[test]
fn a10_large_answers_go_to_the_registered_address_alone() {
    let mut host = Host::new();
    let thief = "thief@elsewhere.example";
    let rules = host.receive(host.card(1, "RULES ALL\n"));
    let book = host.answers(&rules).remove(0);
    assert!(book.raw.len() > 10_000 && book.to == player(1));
    for words in ["RULES ALL\n", "STATUS\n", "RESEND\n", "CARD\n"] {
        host.receive(host.card(2, words).replace(&player(2), thief));
        host.receive(mail(thief, ROBOT, words));
    }
    let answers = host.mails_to_address(thief);
    assert!((1..=3).contains(&answers.len()) && answers.iter().all(|m| m.raw.len() < 4000));
}

#[test]
fn a5_a_player_behind_a_list_is_told_once_in_ninety_days() {
    let mut host = Host::new();
    let mut n = 0;
    let mut through = |host: &mut Host, from: &str, subject: &str| {
        n += 1;
        let fields = format!("Subject: {subject}\r\nList-Id: War <war.lists.example>\r\n");
        let row = host.receive(letter(from, ROBOT, &fields, &format!("C 1 1\n# {n}\n")));
        let word = row.verdict.map(|v| v.as_str());
        assert_eq!((word, row.reason.as_str()), (Some("ignored"), "mailing-list"));
        host.answers(&row).into_iter().map(|a| a.to).collect::<Vec<_>>()
    };
    let tag = "Re: [W7 T1 S1] your printout";
    assert!(through(&mut host, "max@nowhere.example", tag).is_empty(), "a stranger");
    assert!(through(&mut host, &player(1), "[war] hello").is_empty(), "anybody's newsletter");
    assert_eq!(through(&mut host, &player(1), tag), [player(1)]);
    assert!(through(&mut host, &player(1), tag).is_empty());
    host.pass(89 * 24 * 60);
    assert!(through(&mut host, &player(1), tag).is_empty(), "within ninety days");
    host.pass(2 * 24 * 60);
    assert_eq!(through(&mut host, &player(1), tag), [player(1)]);
    assert_eq!(host.on_file(1), "");
}

/// A mail that left, with what the store knows of it.
struct Left {
    kind: String,
    to: String,
    message_id: String,
    bytes: Vec<u8>,
}

fn outbox(host: &Host) -> Vec<Left> {
    let sql = "SELECT kind, recipient, message_id, mime_z FROM outbox ORDER BY id";
    let rows = host.robot.store.database().all(sql, &[], |r| {
        let packed: Vec<u8> = r.get(3)?;
        let bytes = zstd::stream::decode_all(&packed[..]).expect("mime");
        Ok(Left { kind: r.get(0)?, to: r.get(1)?, message_id: r.get(2)?, bytes })
    });
    rows.expect("rows")
}

/// Fields of a header, unfolded.
fn fields(head: &str) -> Vec<(String, String)> {
    let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let field = |line: &str| {
        let (name, value) = line.split_once(':').expect("a field");
        (name.to_owned(), value.trim().to_owned())
    };
    head.split("\r\n").map(field).collect()
}

/// Every field that a mail of the robot may have.
const OURS: [&str; 16] = [
    "From",
    "To",
    "Reply-To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "Auto-Submitted",
    "X-Fieldpost",
    "X-Auto-Response-Suppress",
    "List-Id",
    "List-Unsubscribe",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
];

/// Code that names and texts try to bring into a mail.
const EVIL: &str = "<img src=x> {{7*7}} %s $(x)";

#[test]
fn b1_every_mail_has_the_form_of_an_automatic_one_and_no_field_from_outside() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    host.seat_players(3);
    let name = "x\r\nBcc: all@example.org\u{202e}\0";
    host.robot.add_seat(&seat(4, &player(4), name)).expect("a seat");
    host.robot.start("W7", None, false).expect("starts");
    host.receive(host.card(1, &format!("NAME {EVIL}\n")));
    host.receive(host.card(1, "NAME x\r\rBcc: all@example.org\n"));
    host.receive(host.card(1, &format!("NAME {EVIL}\nC 1 1\n")));
    host.receive(host.card(2, "N 1 1 x\rBcc: all@example.org\rFrom here\n.\nC 1 3\n"));
    host.receive(mail(&player(2), ROBOT, "M 2 3\n.\nFrom here 1\n"));
    let word = "Subject: =?utf-8?Q?x=0D=0ABcc:_all@example.org?=\r\n";
    host.receive(letter("max@nowhere.example", ROBOT, word, "hello?\n"));
    host.receive(mail(GM, ROBOT, "GM STATUS\n"));
    let alias = host.robot.mailer().alias("W7", Seat(3), Seat(1));
    let row = host.receive(mail(&player(1), &alias, &format!("Dear all,\n.\nFrom here\n{EVIL}\n")));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "relayed"));
    host.robot
        .as_game_master(|gm| gm.tell_players("W7", None, &format!("{EVIL}\n.\nFrom here\n"), "1"))
        .expect("told");
    let due = host.robot.game("W7").expect("the game").deadline.expect("a deadline");
    host.clock.set(due - SignedDuration::from_hours(5));
    host.robot.tick().expect("the calendar");
    host.run_turn();
    let mails = outbox(&host);
    let kinds: BTreeSet<&str> = mails.iter().map(|m| m.kind.as_str()).collect();
    let all =
        ["answer", "confirm", "echo", "gm", "notice", "printout", "receipt", "relay", "reminder"];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), all);
    let ids: BTreeSet<&str> = mails.iter().map(|m| m.message_id.as_str()).collect();
    assert_eq!(ids.len(), mails.len(), "each Message-ID is unique");
    mails.iter().for_each(well_formed);
    let relayed = mails.iter().find(|m| m.kind.as_str() == "relay").expect("a letter");
    let text = got(&relayed.bytes).text;
    assert!(text.contains("{{7*7}} %s $(x)") && text.contains("From here"), "{text}");
    assert!(text.contains(EVIL), "text stays text: {text}");
}

fn well_formed(mail: &Left) {
    let text = String::from_utf8(mail.bytes.clone()).expect("ASCII");
    let what = format!("{} to {}:\n{text}", mail.kind, mail.to);
    assert!(text.is_ascii() && !text.contains('\0'), "{what}");
    let bare = mail.bytes.windows(2).any(|w| (w[0] == b'\r') != (w[1] == b'\n'));
    assert!(!bare && text.ends_with("\r\n"), "a bare CR or LF in {what}");
    assert!(text.split("\r\n").all(|l| l.len() <= 998), "a long line in {what}");
    let head = text.split("\r\n\r\n").next().unwrap_or_default();
    let fields = fields(head);
    let value = |name: &str| {
        let found: Vec<_> = fields.iter().filter(|(n, _)| n.eq_ignore_ascii_case(name)).collect();
        assert!(found.len() <= 1, "{name} twice in {what}");
        found.first().map_or("", |(_, v)| v.as_str()).to_owned()
    };
    for (name, _) in &fields {
        assert!(OURS.contains(&name.as_str()), "{name} in {what}");
        value(name);
    }
    assert_eq!(value("To"), mail.to, "{what}");
    assert_eq!(value("Message-ID"), format!("<{}>", mail.message_id), "{what}");
    assert!(mail.message_id.len() <= 60, "{}", mail.message_id);
    assert!(mail.message_id.ends_with("@fieldpost.example"), "{}", mail.message_id);
    assert!(!value("Date").is_empty() && !value("Reply-To").is_empty(), "{what}");
    let reply = matches!(mail.kind.as_str(), "echo" | "answer" | "receipt");
    let expected = if reply { "auto-replied" } else { "auto-generated" };
    assert_eq!(value("Auto-Submitted"), expected, "{what}");
    assert_eq!(!value("In-Reply-To").is_empty(), reply, "{what}");
    assert_eq!(!value("List-Unsubscribe").is_empty(), mail.kind.as_str() == "reminder", "{what}");
}

#[test]
fn b1_an_echo_of_a_mail_without_an_id_is_a_reply_too() {
    let mut host = Host::new();
    let card = host.card(1, "C 1 1\n");
    let without: Vec<&str> = card.lines().filter(|l| !l.starts_with("Message-ID:")).collect();
    let row = host.receive(without.join("\r\n"));
    let echo = host.answers(&row).remove(0);
    assert!(echo.raw.contains("Auto-Submitted: auto-replied\r\n"), "{}", echo.raw);
}

#[test]
fn b4_mails_on_the_same_cause_keep_their_ids() {
    let now = |host: &Host| host.robot.now();
    let (one, two) = (Host::new(), Host::new());
    let ids = |host: &Host| outbox(host).into_iter().map(|m| m.message_id).collect::<Vec<_>>();
    assert_eq!(ids(&one), ids(&two));
    let mail = |host: &Host| {
        host.robot.mailer().gm_mail("x", "y", &["z"], now(host)).expect("a mail").mail
    };
    assert_eq!(mail(&one).bytes, mail(&two).bytes);
}

#[test]
fn b6_a_lone_full_stop_and_a_from_at_the_start_of_a_line_survive() {
    let robot = Sender { name: "Fieldpost".into(), address: ROBOT.into(), from: None };
    let long = "x".repeat(5000);
    let text = format!("one\n.\n..\n.x\nFrom here on\n>From there\ncaf\u{e9}\n{long}\n");
    let draft = Draft {
        text: text.clone(),
        message_id: "x.1@fieldpost.example".into(),
        ..Draft::new("p@players.example", EVIL, AutoSubmitted::Generated)
    };
    let at = jiff::Timestamp::UNIX_EPOCH;
    let mail = compose(&robot, &draft, at).expect("composes");
    let read = mail::mime::parse(&mail.bytes).expect("read");
    let back: Vec<String> =
        read.lines.0.iter().map(|(d, l)| format!("{}{l}", ">".repeat(*d))).collect();
    assert_eq!(back.join("\n").trim_end(), text.trim_end());
    assert_eq!(read.subject, EVIL);
    assert!(mail.bytes.split(|b| *b == b'\n').all(|l| l.len() <= 999));
}

#[test]
fn b7_a_name_turns_no_direction_of_writing() {
    let mut host = Host::new();
    host.receive(host.card(1, "NAME \u{202e}lanimirc\n"));
    let alias = host.robot.mailer().alias("W7", Seat(3), Seat(1));
    host.receive(mail(&player(1), &alias, "Dear neighbour, shall we talk?\n"));
    let letter = host.last_mail(3);
    assert!(letter.subject.contains("a letter from seat 1"), "{}", letter.subject);
    assert!(!letter.text.contains('\u{202e}'), "{}", letter.text);
}

#[test]
fn g1_wrong_secrets_are_answered_a_few_times_a_day() {
    let mut host = Host::new();
    for n in 0..45 {
        if n % 5 == 0 {
            host.pass(61);
        }
        let guess = format!("robot+W7.1.{n:a>13}@fieldpost.example");
        assert_eq!(
            host.receive(mail(&player(2), &guess, &format!("C 1 {n}\n"))).reason.as_str(),
            "wrong-secret"
        );
        let row = host.receive(mail("max@nowhere.example", &guess, "C 1 1\n"));
        assert_eq!(host.answers(&row).len(), usize::from(n == 0), "a stranger once a day");
        host.receive(mail("other@nowhere.example", &guess, &format!("C 1 {n}\n")));
    }
    let other = "recipient = 'other@nowhere.example'";
    assert_eq!(count(&host, other), 3, "with ever new words as often as any stranger");
    assert_eq!(count(&host, "recipient = 'p2@players.example' AND kind = 'answer'"), 10);
    assert_eq!(
        host.receive(host.card(1, "C 1 1\n")).reason.as_str(),
        "filed",
        "the owner notices nothing"
    );
}

#[test]
fn g1_a_flood_of_one_address_is_neither_read_nor_kept() {
    let limits = Limits { mails_per_hour: 3, ..Limits::default() };
    let mut host = Host::with(&ENGINES, "warlord", 2, limits);
    // In a player's name, by somebody else.
    let forged = |n: u32| mail(&player(1), ROBOT, &format!("C 1 {n}\n"));
    let seen: Vec<_> = (1..=5).map(|n| host.receive(forged(n))).collect();
    let reasons: Vec<&str> = seen.iter().map(|r| r.reason.as_str()).collect();
    assert_eq!(reasons, ["unproven", "unproven", "unproven", "flood", "flood"]);
    assert!(host.answers(&seen[4]).is_empty());
    assert_eq!(host.robot.store.mails().raw(seen[4].id).expect("a store"), None);
    assert_eq!(host.receive(host.card(2, "C 2 1\n")).reason.as_str(), "filed", "others are read");
    // The player is not shut out.
    assert_eq!(host.receive(host.card(1, "C 1 1\n")).reason.as_str(), "filed");
}

#[test]
fn a7_a_subject_of_absence_alone_silences_prose_and_no_order() {
    let mut host = Host::new();
    let prose = "I am back on 3 December at 9.\nIn haste: write to 0171 234.\n";
    for (text, proven, unproven) in [
        (prose.to_owned(), Reason::Away, Reason::Away),
        (format!("M 1 3\n{prose}"), Reason::Filed, Reason::Away),
        (format!("{prose}M 1 4\n"), Reason::Doubtful, Reason::Away),
        ("CANCEL\n".to_owned(), Reason::Cancelled, Reason::Unproven),
        (format!("REMINDERS OFF\n{prose}"), Reason::Settings, Reason::Unproven),
    ] {
        let mails = [(host.card(1, &text), proven), (mail(&player(1), ROBOT, &text), unproven)];
        for (raw, reason) in mails {
            let row = host.receive(raw.replace("Subject: orders", "Subject: Out of office: W7"));
            assert_eq!(row.reason, reason, "{text}");
            let answers = usize::from(reason != Reason::Away);
            assert_eq!(host.answers(&row).len(), answers, "{text}");
        }
    }
}
