//! TLS that is missing or wrong: the robot waits and never speaks in the clear.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use support::process::{GAME, Host, LIMIT, Setup, foreign_authority};
use support::rig::{self, password, poll};

use crate::{addresses, servers};

/// A wire-tap: a port that leads to another and notes what clients say.
struct Tap {
    port: u16,
    said: Arc<Mutex<Vec<u8>>>,
}

impl Tap {
    fn on(to: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let port = listener.local_addr().expect("it has an address").port();
        let said = Arc::new(Mutex::new(Vec::new()));
        let notes = Arc::clone(&said);
        // The thread ends with the test's process.
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let server = TcpStream::connect((Ipv4Addr::LOCALHOST, to)).expect("it is up");
                relay(&client, &server, None);
                relay(&server, &client, Some(Arc::clone(&notes)));
            }
        });
        Self { port, said }
    }

    fn localized(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&said).into_owned()
    }
}

/// Copies from one side to the other in its own thread.
fn relay(to: &TcpStream, from: &TcpStream, notes: Option<Arc<Mutex<Vec<u8>>>>) {
    let mut to = to.try_clone().expect("a stream can be shared");
    let mut from = from.try_clone().expect("a stream can be shared");
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(length @ 1..) = from.read(&mut buffer) {
            if let Some(notes) = &notes {
                let mut notes = notes.lock().unwrap_or_else(PoisonError::into_inner);
                notes.extend_from_slice(&buffer[..length]);
            }
            if to.write_all(&buffer[..length]).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    });
}

#[test]
fn tls_is_required() {
    let rig = servers();
    // A server that offers no STARTTLS, as if somebody on the way had cut out the offer.
    let tap = Tap::on(rig.mx_port);
    let setup = Setup { outlet: (tap.port, "starttls"), level: "debug", ..Setup::of(&rig) };
    let mut host = Host::new(&rig, &setup);
    host.start_game(&addresses(2));
    host.serve();
    host.await_that("both attempts", || host.log().matches("offers no STARTTLS").count() >= 2);
    host.kill();
    let said = tap.localized();
    assert!(said.contains("EHLO"), "it asked what the server offers: {said}");
    for word in ["AUTH", "MAIL", "RCPT", "DATA", &password("robot"), "@"] {
        assert!(!said.contains(word), "{word} was sent in the clear: {said}");
    }
    let shown = host.run(&["game", "show", GAME]);
    assert!(shown.contains("Outbox: 2 waiting, 0 sent, 0 failed"), "{shown}");

    // Certificates of an authority that the config does not name, on either side.
    let other = host.path("other.pem");
    foreign_authority(&other);
    for (inbox, outlet) in [
        ((rig.imaps_port, "implicit"), (rig.submission_port, "starttls")),
        ((rig.imap_port, "starttls"), (rig.smtps_port, "implicit")),
    ] {
        let ca_file = other.clone();
        let setup = Setup { inbox, outlet, ca_file, level: "debug", ..Setup::of(&rig) };
        let mut host = Host::new(&rig, &setup);
        // Two players and the robot's inbox: three connections that must fail.
        host.start_game(&addresses(2));
        host.serve();
        let refused = |host: &Host| host.log().matches("invalid peer certificate").count();
        host.await_that("refusals", || refused(&host) >= 3);
        host.kill();
        let shown = host.run(&["game", "show", GAME]);
        assert!(shown.contains("Outbox: 2 waiting, 0 sent, 0 failed"), "{shown}");
    }
    assert!(rig.mails("p1", "INBOX").is_empty() && rig.mails("p2", "INBOX").is_empty());
    assert!(!rig.logs().contains("sasl_username"), "nobody logged in");
}

#[test]
fn an_authority_that_cannot_be_read_ends_the_robot_with_a_sentence() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    let text = std::fs::read_to_string(host.path("robot.toml")).expect("the config is there");
    let ca_file = rig.ca_file.display().to_string();
    // Only the outlet fails: the inbox works.
    let (before, outlet) = text.split_once("[outlet]").expect("it has an outlet");
    let text = format!("{before}[outlet]{}", outlet.replace(&ca_file, "/nowhere/ca.pem"));
    std::fs::write(host.path("robot.toml"), text).expect("written");
    host.serve();
    let success = poll(LIMIT, || host.ended()).expect("the robot ends");
    assert!(!success, "it fails");
    assert!(host.log().contains("/nowhere/ca.pem"), "{}", host.log());
}

#[test]
fn a_token_opens_both_servers_where_a_password_does_not() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    let token = host.path("token");
    std::fs::write(&token, rig::token("robot")).expect("written");
    let text = std::fs::read_to_string(host.path("robot.toml")).expect("the config is there");
    let by_file = format!("password_file = {:?}", host.path("password"));
    assert_eq!(text.matches(&by_file).count(), 2, "one for each server");
    let by_token = format!("token_command = [\"cat\", {token:?}]");
    std::fs::write(host.path("robot.toml"), text.replace(&by_file, &by_token)).expect("written");
    host.start_game(&addresses(2));
    host.serve();
    let printout = host.await_letter("p1", "p", 1);
    host.answer("p1", &printout, 1, "M 1 3");
    assert!(host.await_letter("p1", "e", 1).body.contains("M 1 3"));
    assert!(rig.logs().contains("sasl_method=XOAUTH2"), "Postfix saw a token");
    host.kill();
}
