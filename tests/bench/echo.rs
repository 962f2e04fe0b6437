//! The time until an echo arrives, between a real Dovecot and a real Postfix.
//!
//! The mail servers must be installed and the user root, as for the tests.

use base::clock::{Clock, SystemClock};
use jiff::Timestamp;

use crate::report::Row;
use support::process::{Host, Setup};
use support::rig::{DOMAIN, Rig};

/// Cards one after the other, and cards at once.
const SINGLE: u32 = 30;
const BURST: u32 = 300;
const SEATS: u32 = 12;

/// Measures echoes one by one and all at once.
pub fn rows() -> Vec<Row> {
    let users: Vec<String> = (1..=SEATS).map(|n| format!("p{n}")).collect();
    let mut all = vec!["robot", "gm"];
    all.extend(users.iter().map(String::as_str));
    let rig = Rig::start(&all);
    let setup = Setup { json: true, level: "debug", connections: 8, ..Setup::of(&rig) };
    let mut host = Host::new(&rig, &setup);
    let addresses: Vec<String> = users.iter().map(|u| format!("{u}@{DOMAIN}")).collect();
    host.start_game(&addresses);
    host.serve();
    let printouts: Vec<_> = users.iter().map(|u| host.await_letter(u, "p", 1)).collect();
    let mut rows = single(&host, &users, &printouts);
    rows.extend(burst(&host, &users, &printouts));
    host.kill();
    rows
}

/// A march of three sectors, each time another one, because repeated mails are no longer answered.
fn march(n: u32) -> String {
    format!("M 1 {}{}{}", n / 36 % 6 + 1, n / 6 % 6 + 1, n % 6 + 1)
}

fn single(host: &Host, users: &[String], printouts: &[support::letter::Letter]) -> Vec<Row> {
    let mut spans = Vec::new();
    for n in 0..SINGLE {
        let before = lines(host, "\"sent\"").len();
        let seat = n as usize % users.len();
        host.answer(&users[seat], &printouts[seat], n, &march(n));
        host.await_that("an echo", || lines(host, "\"sent\"").len() > before);
        let (noticed, sent) = (lines(host, "\"noticed\""), lines(host, "\"sent\""));
        let sent = sent[sent.len() - 1];
        // The notice that led to this echo is the last before it.
        if let Some(noticed) = noticed.iter().rev().find(|t| **t < sent) {
            spans.push(millis(*noticed, sent));
        }
    }
    spans.sort_unstable();
    let at = |share: usize| spans.get(spans.len() * share / 100).copied().unwrap_or_default();
    let most = spans.last().copied().unwrap_or_default();
    vec![Row::new(
        format!("an echo, from Dovecot's notice to its acceptance by Postfix ({SINGLE} cards)"),
        format!("median {} ms, 95 % {} ms, most {most} ms", at(50), at(95)),
    )]
}

fn burst(host: &Host, users: &[String], printouts: &[support::letter::Letter]) -> Vec<Row> {
    let before = (lines(host, "\"sent\"").len(), lines(host, "\"verdict\"").len());
    let began = SystemClock.now();
    for n in 0..BURST {
        let seat = n as usize % users.len();
        host.answer(&users[seat], &printouts[seat], 1000 + n, &format!("{}\nC 1 1", march(n)));
    }
    let submitted = SystemClock.now();
    let wanted = before.0 + BURST as usize;
    host.await_that("all echoes", || lines(host, "\"sent\"").len() >= wanted);
    let (sent, judged) = (lines(host, "\"sent\""), lines(host, "\"verdict\""));
    let (sent, judged) = (&sent[before.0..], &judged[before.1..]);
    let last = sent[sent.len() - 1];
    let of = format!("{BURST} cards at once");
    vec![
        Row::new(
            format!("{of}: the last echo accepted after the last card was submitted"),
            format!("{} ms", millis(submitted, last)),
        ),
        Row::new(
            format!("{of}: submitting; verdicts; echoes"),
            format!(
                "over {} ms; {} ms; {} ms",
                millis(began, submitted),
                millis(judged[0], judged[judged.len() - 1]),
                millis(sent[0], last)
            ),
        ),
    ]
}

/// Times of the log lines that hold a text.
pub fn lines(host: &Host, text: &str) -> Vec<Timestamp> {
    let log = host.log();
    let times = log.lines().filter(|l| l.contains(text)).filter_map(|l| {
        let at = l.split_once("\"timestamp\":\"")?.1.split('"').next()?;
        at.parse().ok()
    });
    times.collect()
}

fn millis(from: Timestamp, to: Timestamp) -> i128 {
    to.duration_since(from).as_millis()
}
