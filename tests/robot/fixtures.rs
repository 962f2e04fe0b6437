//! Mails as real programs and real troublemakers write them: each with the verdict that its row of
//! the behaviours demands, and with the answer that it gets.
//!
//! `mailbox-fixtures/*/expected.toml` has the result that each mail must have; `echoes.txt` beside
//! it holds the answers (`UPDATE_EXPECT=1` rewrites it).

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use engine::Seat;
use mail::marker::{CARD_BEGIN, CARD_END, MARKER};
use serde::Deserialize;

use support::host::*;

/// The result that a mail must have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// Row of the behaviours.
    row: String,
    verdict: String,
    /// Lines on file after it.
    orders: Vec<String>,
    /// Whether anybody gets a mail because of it.
    answered: bool,
    #[serde(rename = "why")]
    _why: String,
}

fn folder(name: &str) -> PathBuf {
    support::root().join("mailbox-fixtures").join(name)
}

/// A host whose turn 2 is open, and the password of seat 1.
fn second_turn() -> Host {
    let mut host = Host::new();
    host.run_turn();
    host
}

/// A mail with the secrets of this host filled in.
fn filled(host: &Host, name: &str, raw: Vec<u8>) -> Vec<u8> {
    let reply = |turn: u32| {
        let secret = host.robot.store.key().reply("W7", Seat(1), 0, turn);
        format!("robot+W7.1.{secret}@fieldpost.example")
    };
    let printout =
        host.robot.store.outbox().printout("W7", Seat(1), 2).expect("a store").expect("one");
    let pairs = [
        ("@REPLY@", reply(2)),
        ("@OLD@", reply(1)),
        ("@PASSWORD@", host.passwords[0].clone()),
        ("@PID@", got(&printout).message_id),
        ("@MARKER@", MARKER.to_owned()),
        ("@CARD@", format!("| ---- {CARD_BEGIN} W7 T2 S1 ----")),
        ("@ENDCARD@", format!("| ---- {CARD_END} ----")),
    ];
    let mut bytes = raw;
    for (from, to) in pairs {
        let mut out = Vec::with_capacity(bytes.len());
        let mut rest = bytes.as_slice();
        while let Some(at) = rest.windows(from.len()).position(|w| w == from.as_bytes()) {
            out.extend(&rest[..at]);
            out.extend(to.as_bytes());
            rest = &rest[at + from.len()..];
        }
        out.extend(rest);
        bytes = out;
    }
    match name.contains(".raw.") {
        true => bytes,
        false => {
            let mut out = Vec::with_capacity(bytes.len() * 21 / 20);
            bytes.iter().for_each(|b| match b {
                b'\n' => out.extend(b"\r\n"),
                b => out.push(*b),
            });
            out
        }
    }
}

/// Judges every mail of a folder; returns differences from the expectation, and the answers.
fn judge(name: &str) -> (Vec<String>, String, BTreeMap<String, usize>) {
    let text = fs::read_to_string(folder(name).join("expected.toml")).expect("expected.toml");
    let expected: BTreeMap<String, Expected> = toml::from_str(&text).expect("a table");
    let (mut wrong, mut echoes, mut rows) = (Vec::new(), String::new(), BTreeMap::new());
    for (file, want) in &expected {
        let mut host = second_turn();
        let raw = fs::read(folder(name).join(file)).unwrap_or_else(|_| panic!("{file} is missing"));
        let raw = filled(&host, file, raw);
        let row = host.receive(&raw);
        *rows.entry(want.row.clone()).or_insert(0) += 1;
        let verdict = row.verdict.expect("a verdict").as_str();
        let answers = host.answers(&row);
        let orders = host.on_file(1);
        let lines: Vec<&str> = orders.lines().collect();
        // Other lines may be on file beside orders, but not lines of old cards.
        let valid: Vec<String> = lines.iter().filter(|l| is_order(l)).map(|l| plain(l)).collect();
        let same = valid == want.orders.iter().map(|l| plain(l)).collect::<Vec<_>>();
        if verdict != want.verdict || !same || answers.is_empty() == want.answered {
            wrong.push(format!(
                "{name}/{file} ({}): {verdict} ({}), answered {}, on file {lines:?}; expected {} {} {:?}",
                want.row,
                row.reason,
                !answers.is_empty(),
                want.verdict,
                want.answered,
                want.orders
            ));
        }
        echoes += &format!("=== {file} ({}): {verdict} ({})\n", want.row, row.reason);
        for answer in answers {
            echoes += &format!("--- to {}: {}\n{}", answer.to, answer.subject, answer.text);
        }
        echoes.push('\n');
    }
    (wrong, echoes, rows)
}

/// Whether the game may read a line as an order.
fn is_order(line: &str) -> bool {
    let line = plain(line);
    let (head, rest) = line.split_once(' ').unwrap_or((&line, ""));
    let numbers = || rest.split(' ').all(|w| w.parse::<u32>().is_ok());
    ["M", "C", "A"].contains(&head) && numbers() || head == "N"
}

/// A line as the game reads it: capitals, single blanks, no full stop.
fn plain(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ").trim_end_matches('.').to_uppercase()
}

fn as_expected(name: &str) {
    let (wrong, echoes, rows) = judge(name);
    println!("{name}: {rows:?}");
    assert!(wrong.is_empty(), "{}\n{} of {name} differ", wrong.join("\n"), wrong.len());
    let path = folder(name).join("echoes.txt");
    if std::env::vars().any(|(k, _)| k == "UPDATE_EXPECT") {
        fs::write(&path, &echoes).expect("written");
    }
    let before = fs::read_to_string(&path).unwrap_or_default();
    let differs = before.lines().zip(echoes.lines()).position(|(a, b)| a != b);
    assert!(before == echoes, "{name}/echoes.txt differs at line {differs:?}; UPDATE_EXPECT=1");
}

#[test]
fn e_mails_of_many_programs_are_read() {
    as_expected("clients");
}

#[test]
fn a_automatic_mails_get_no_answer() {
    as_expected("automatic");
}

#[test]
fn e_broken_mails_are_read_as_far_as_they_go() {
    as_expected("malformed");
}

#[test]
fn f_hostile_mails_do_nothing() {
    as_expected("hostile");
}
