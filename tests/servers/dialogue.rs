//! The dialogue with a mail server, and the meaning of its answers: a server of the test notes
//! every command and answers by a script.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};

use mail::account::TlsMode;
use mail::smtp::{SmtpAccount, SmtpOutlet};
use mail::{OutgoingMail, SendResult};

/// The offers of the server, and its answers to commands that begin like this.
type Script = (&'static str, &'static [(&'static str, &'static str)]);

/// Sends mails to a server with a script; returns the result of each, and the dialogue.
fn talk(script: Script, mails: &[(&str, usize, bool)]) -> (Vec<SendResult>, Vec<String>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let said = Arc::new(Mutex::new(Vec::new()));
    let notes = Arc::clone(&said);
    // Ends with the test's process.
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut out = stream.try_clone().expect("shared");
            let mut say = |text: &str| out.write_all(format!("{text}\r\n").as_bytes());
            let _ = say("220 ready");
            let (mut data, mut lines) = (false, BufReader::new(stream).lines());
            while let Some(Ok(line)) = lines.next() {
                if data && line != "." {
                    continue;
                }
                let word = if data { "<dot>".to_owned() } else { line.clone() };
                notes.lock().unwrap_or_else(PoisonError::into_inner).push(word.clone());
                let told = script.1.iter().find(|(start, _)| word.starts_with(start));
                let answer = match told {
                    Some((_, "")) => break,
                    Some((_, answer)) => (*answer).to_owned(),
                    None if word.starts_with("EHLO") => format!("250-me\r\n{}250 OK", script.0),
                    None if word == "DATA" => "354 go on".to_owned(),
                    None => "250 2.0.0 OK".to_owned(),
                };
                data = word == "DATA" && answer.starts_with("354");
                if say(&answer).is_err() {
                    break;
                }
            }
        }
    });
    let account = SmtpAccount {
        host: "127.0.0.1".to_owned(),
        port,
        tls: TlsMode::None,
        ca_file: None,
        login: None,
        connections: 1,
        per_minute: None,
    };
    let outlet = SmtpOutlet::new(account).expect("an outlet");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let mut results = Vec::new();
    for (to, size, quiet) in mails {
        let mail = OutgoingMail {
            to: (*to).to_owned(),
            envelope_from: "robot+b.abc@fieldpost.example".to_owned(),
            message_id: "x@fieldpost.example".to_owned(),
            bytes: format!("Subject: x\r\n\r\n{}\r\n", "x".repeat(*size)).into_bytes(),
            bounce: "abc".to_owned(),
        };
        results.push(runtime.block_on(outlet.send(&mail, *quiet)));
    }
    let said = said.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (results, said)
}

const PLAYER: &str = "p1@players.example";

fn one(script: Script, mail: (&str, usize, bool)) -> (SendResult, Vec<String>) {
    let (mut results, said) = talk(script, &[mail]);
    (results.remove(0), said)
}

#[test]
fn b10_reports_are_declined_for_echoes_where_the_server_can() {
    let has = |said: &[String], text: &str| said.iter().any(|l| l.contains(text));
    let (sent, said) = one(("250-DSN\r\n", &[]), (PLAYER, 10, true));
    assert_eq!(sent, SendResult::Sent);
    assert!(has(&said, "NOTIFY=NEVER"), "{said:?}");
    let (_, said) = one(("250-DSN\r\n", &[]), (PLAYER, 10, false));
    assert!(!has(&said, "NOTIFY"), "a printout's bounce is wanted: {said:?}");
    let (_, said) = one(("", &[]), (PLAYER, 10, true));
    assert!(!has(&said, "NOTIFY"), "{said:?}");
}

#[test]
fn b10_an_address_in_another_alphabet_needs_a_server_that_knows_such() {
    let to = "zoë@players.example";
    let (sent, said) = one(("250-SMTPUTF8\r\n250-8BITMIME\r\n", &[]), (to, 10, false));
    assert_eq!(sent, SendResult::Sent, "{said:?}");
    assert!(said.iter().any(|l| l.starts_with("MAIL") && l.contains("SMTPUTF8")), "{said:?}");
    let (refused, said) = one(("", &[]), (to, 10, false));
    assert!(matches!(&refused, SendResult::Unable(why) if why.contains("SMTPUTF8")), "{refused:?}");
    assert!(!said.iter().any(|l| l.starts_with("RCPT")), "{said:?}");
}

#[test]
fn c5_the_size_is_told_and_a_mail_over_the_servers_limit_is_not_tried() {
    let (sent, said) = one(("250-SIZE 1000\r\n", &[]), (PLAYER, 100, false));
    assert_eq!(sent, SendResult::Sent);
    assert!(said.iter().any(|l| l.starts_with("MAIL") && l.contains("SIZE=")), "{said:?}");
    let (refused, said) = one(("250-SIZE 1000\r\n", &[]), (PLAYER, 2000, false));
    assert!(matches!(&refused, SendResult::TooLarge { most: Some(1000), .. }), "{refused:?}");
    assert!(!said.iter().any(|l| l.starts_with("MAIL")), "{said:?}");
}

#[test]
fn c5_a_refusal_for_the_size_is_told_apart() {
    for (at, answer) in [
        ("<dot>", "552 5.3.4 too large"),
        ("MAIL", "552 5.3.4 too large"),
        ("RCPT", "550 5.2.3 too large for this mailbox"),
    ] {
        let script: &'static [(&str, &str)] = Box::leak(Box::new([(at, answer)]));
        let (got, _) = one(("", script), (PLAYER, 10, false));
        assert!(matches!(got, SendResult::TooLarge { most: None, .. }), "{at} {answer}: {got:?}");
    }
}

#[test]
fn c3_only_the_recipients_own_refusal_is_final() {
    for (at, answer, is_final) in [
        ("RCPT", "550 5.1.1 nobody here", true),
        ("RCPT", "450 4.2.0 greylisted", false),
        ("RCPT", "552 5.2.2 mailbox full", false),
        ("RCPT", "550 5.2.2 over quota", false),
        ("<dot>", "554 5.7.1 not wanted", true),
        ("<dot>", "451 later", false),
        ("<dot>", "452 4.3.1 no room", false),
    ] {
        let script: &'static [(&str, &str)] = Box::leak(Box::new([(at, answer)]));
        let (got, _) = one(("", script), (PLAYER, 10, false));
        assert_eq!(matches!(got, SendResult::Never(_)), is_final, "{at} {answer}: {got:?}");
        assert_ne!(got, SendResult::Sent);
    }
}

#[test]
fn c8_what_is_wrong_with_the_session_is_no_failure_of_the_mail() {
    for (at, answer) in [
        ("MAIL", "530 5.7.0 log in first"),
        ("MAIL", "550 5.7.1 you may not send so"),
        ("MAIL", "421 4.3.2 going down"),
        ("DATA", "554 no"),
        ("EHLO", "554 not you"),
    ] {
        let script: &'static [(&str, &str)] = Box::leak(Box::new([(at, answer)]));
        let (got, _) = one(("", script), (PLAYER, 10, false));
        assert!(matches!(got, SendResult::Later(_)), "{at} {answer}: {got:?}");
    }
}

#[test]
fn c4_a_connection_lost_after_the_final_dot_is_tried_again() {
    let (got, said) = one(("", &[("<dot>", "")]), (PLAYER, 10, false));
    assert!(matches!(got, SendResult::Later(_)), "{got:?}");
    assert_eq!(said.last().map(String::as_str), Some("<dot>"));
}

#[test]
fn c7_a_refused_recipient_does_not_cost_the_connection() {
    let mails = [("gone@players.example", 10, false), (PLAYER, 10, false)];
    let script: Script = ("", &[("RCPT TO:<gone@", "550 5.1.1 nobody")]);
    let (results, said) = talk(script, &mails);
    assert!(matches!(results[0], SendResult::Never(_)), "{results:?}");
    assert_eq!(results[1], SendResult::Sent);
    let hellos = said.iter().filter(|l| l.starts_with("EHLO")).count();
    assert_eq!(hellos, 2, "one connection, which asks twice what is offered: {said:?}");
    assert!(said.iter().any(|l| l == "RSET"), "{said:?}");
}
