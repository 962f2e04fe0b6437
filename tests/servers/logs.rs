//! Secrets that a robot's log must not contain.

use std::fs;

use jiff::Timestamp;

use crate::{addresses, card, servers};
use support::process::{GAME, Host, Setup};
use support::rig::{GREYLISTED, Rig, UNKNOWN, password};

/// Provokes everything that a server's answer or a mail could smuggle into the log: players whose
/// addresses are refused, for now and for good, a wrong secret, a stranger with control characters
/// in every field, a password that the server refuses.
fn eventful_log(rig: &Rig, json: bool) -> (String, Vec<String>) {
    let setup = Setup { json, ..Setup::of(rig) };
    let mut host = Host::new(rig, &setup);
    let mut seats = addresses(2);
    seats.extend([UNKNOWN.to_owned(), GREYLISTED.to_owned()]);
    let mut secrets = vec![password("robot")];
    for printed in host.start_game(&seats) {
        secrets.extend(printed.split_whitespace().last().map(str::to_owned));
    }
    host.serve();
    for (n, user) in [(1, "p1"), (2, "p2")] {
        let printout = host.await_letter(user, "p", 1);
        host.answer(user, &printout, 1, &card(n));
        let echo = host.await_letter(user, "e", 1);
        secrets.extend(printout.secrets().into_iter().chain(echo.secrets()));
    }
    let printout = host.await_letter("p1", "p", 1);
    let guess = "aaaaaaaaaaaaa";
    let to = format!("robot+{GAME}.2.{guess}@fieldpost.test");
    let raw = printout.answer("p1@fieldpost.test", "guess@fieldpost.test", "M 1 3");
    rig.submit("p1@fieldpost.test", &to, raw.replace(&printout.reply_to(), &to).as_bytes());
    secrets.push(guess.to_owned());
    let strange = "From: =?utf-8?q?a=0Ab?= <p12@fieldpost.test>\nTo: <robot@fieldpost.test>\n\
                   Subject: =?utf-8?q?x=0A2026-01-01_ERROR_forged=1B[2J?=\n\
                   Message-ID: <forged\u{b}line@fieldpost.test>\n\nHELP me\n";
    rig.submit("p12@fieldpost.test", "robot@fieldpost.test", strange.as_bytes());
    host.await_that("answer to the stranger", || !host.letters("p12").is_empty());
    host.await_that("verdict on the guess", || host.log().contains("wrong-secret"));
    host.await_that("both refusals", || {
        let log = host.log();
        log.contains("refused for good") && log.contains("not sent yet")
    });
    host.run(&["turn", "run", GAME]);
    secrets.extend(host.await_letter("p1", "p", 2).secrets());
    host.kill();

    let wrong = "hunter2-is-wrong";
    fs::write(host.path("password"), wrong).expect("written");
    secrets.push(wrong.to_owned());
    host.serve();
    host.await_that("refused login", || host.log().contains("AUTHENTICATIONFAILED"));
    host.kill();
    (host.log(), secrets)
}

fn assert_discreet(log: &str, secrets: &[String]) {
    assert!(!log.contains('@'), "an address: {log}");
    assert!(secrets.len() >= 12, "passwords, reply secrets and ids of mails");
    for secret in secrets {
        assert!(secret.len() >= 8, "{secret:?} would be found by chance");
        let log = log.to_lowercase();
        assert!(!log.contains(&secret.to_lowercase()), "the secret {secret}: {log}");
    }
    for text in ["M 1 3", "HELP me", "forged"] {
        assert!(!log.contains(text), "from the mail: {text}: {log}");
    }
    let control = |c: char| c.is_control() && c != '\n';
    assert!(!log.contains(control), "a file is no terminal: {log:?}");
}

#[test]
fn no_address_or_secret_reaches_the_log() {
    let rig = servers();
    let (log, secrets) = eventful_log(&rig, false);
    assert_discreet(&log, &secrets);
    for line in log.lines() {
        let time = line.split_whitespace().next().unwrap_or_default();
        assert!(time.parse::<Timestamp>().is_ok(), "one event a line: {line:?}");
    }
}

#[test]
fn no_address_or_secret_reaches_the_json_log() {
    let rig = servers();
    let (log, secrets) = eventful_log(&rig, true);
    assert_discreet(&log, &secrets);
    let mut verdicts = 0;
    for line in log.lines() {
        let event: serde_json::Value = serde_json::from_str(line).expect("one event a line");
        let fields = &event["fields"];
        assert!(fields["message"].is_string(), "{line}");
        if fields["message"] == "verdict" && fields["reason"] == "filed" {
            assert_eq!(fields["game"], GAME);
            assert_eq!(fields["turn"], 1);
            assert!(fields["seat"].is_number() && fields["mail"].is_number(), "{line}");
            verdicts += 1;
        }
    }
    assert_eq!(verdicts, 2, "the verdicts are told: {log}");
}
