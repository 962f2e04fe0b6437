//! Mails to the robot and its answers, as helpers for tests.

use engine::Seat;
use jiff::Timestamp;
use registry::ENGINES;
use robot::limits::Limits;
use store::{MailRow, SeatRow, Verdict};

use support::host::*;

pub const NEW: &str = "newcomer@elsewhere.example";
pub const LATER: &str = "later@elsewhere.example";
pub const THIEF: &str = "thief@elsewhere.example";

/// A running game that takes players, with `taken` of its four seats given.
pub fn with_free_seats(taken: u8) -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    host.seat_players(taken);
    host.robot.start("W7", None, true).expect("starts");
    set(&mut host, "join", "true");
    host
}

pub fn set(host: &mut Host, term: &str, value: &str) {
    host.robot.set_term("W7", term, value).expect("a term");
}

pub fn seat(host: &Host, number: u8) -> SeatRow {
    host.robot.store.games().seat("W7", Seat(number)).expect("a store").expect("a seat")
}

pub fn deadline(host: &Host) -> Timestamp {
    host.robot.game("W7").expect("the game").deadline.expect("a deadline")
}

pub fn turn(host: &Host) -> u32 {
    host.robot.game("W7").expect("the game").turn
}

/// Runs what is due now.
pub fn run(host: &mut Host) -> u32 {
    let now = host.robot.now();
    host.robot.run_due(now).expect("the robot goes on")
}

/// Text without its line breaks.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of the first answer to a mail.
pub fn answer(host: &Host, row: &MailRow) -> String {
    flat(&host.answers(row).first().expect("an answer").text)
}

/// The question that a mail caused.
pub fn asked(host: &Host, row: &MailRow) -> Got {
    let question = |m: &Got| m.reply_to.starts_with("robot+yes.");
    host.answers(row).into_iter().find(question).expect("a question")
}

pub fn yes(host: &mut Host, question: &Got) -> MailRow {
    host.receive(mail(&question.to, &question.reply_to, "YES\n"))
}

/// A mail of a seat with the secret of the open turn.
pub fn say(host: &mut Host, seat: u8, lines: &str) -> MailRow {
    host.receive(host.card(seat, lines))
}

pub fn printouts(mails: &[Got]) -> usize {
    let of = ["printout", "orders due", " begins: ", " is over: "];
    mails.iter().filter(|m| of.iter().any(|word| m.subject.contains(word))).count()
}

pub fn count(host: &Host, sql: &str, address: &str) -> i64 {
    let found = host.robot.store.database().one(sql, &[&address], |r| r.get(0));
    found.expect("a count")
}

pub fn join(host: &mut Host, from: &str) -> MailRow {
    let row = host.receive(mail(from, ROBOT, "JOIN W7 name=Late\n"));
    let question = asked(host, &row);
    yes(host, &question)
}

pub fn resign(host: &mut Host, number: u8) {
    let row = say(host, number, "RESIGN\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "resign-asked"));
    assert!(seat(host, number).has_player(), "asked once more before anything is done");
    let question = asked(host, &row);
    assert_eq!(yes(host, &question).reason.as_str(), "resigned");
    assert!(!seat(host, number).has_player());
}
