//! Other events in a mailbox: people who move mails, restored backups, bounces, and mails that come
//! at the worst moment.

use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::sync::mpsc::channel;
use std::time::Duration;

use mail::Inbox;
use mail::account::{Login, Password, TlsMode};
use mail::imap::{ImapAccount, ImapInbox, Probe};

use crate::{addresses, card, servers};
use support::process::{GAME, Host, Setup};
use support::rig::VANISHED;

#[test]
fn a_card_that_comes_back_to_the_inbox_has_no_second_effect() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    host.start_game(&addresses(2));
    host.serve();
    let printout = host.await_letter("p1", "p", 1);
    host.answer("p1", &printout, 1, &card(1));
    host.await_letter("p1", "e", 1);
    host.await_that("filed card", || rig.mails("robot", "Accepted").len() == 1);

    rig.move_back("robot", "Accepted");
    host.await_that("filed repeat", || rig.mails("robot", "Ignored").len() == 1);

    host.await_moves();
    // Another UIDVALIDITY: all that the robot knew of the mailbox is void.
    rig.stop_imap();
    rig.restore("robot", "Ignored");
    rig.start_imap();
    let list = || host.run(&["mail", "list"]);
    host.await_that("second repeat", || list().matches("duplicate").count() == 2);
    host.await_that("filed repeat", || rig.mails("robot", "Ignored").len() == 1);
    assert_eq!(list().matches("accepted").count(), 1, "{}", list());
    assert_eq!(host.letters("p1").len(), 2, "one printout, one echo");
    // Orders that came meanwhile are read as usual.
    host.answer("p1", &printout, 2, &card(1));
    host.await_that("second echo", || host.letters("p1").len() == 3);
    host.kill();
}

#[test]
fn a_mail_with_a_password_is_removed_from_the_mailbox() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    host.start_game(&addresses(2));
    host.serve();
    let printout = host.await_letter("p1", "p", 1);
    host.answer("p1", &printout, 1, &format!("PASSWORD river-anvil-pluto\n{}", card(1)));
    let other = host.await_letter("p2", "p", 1);
    host.answer("p2", &other, 1, &card(2));
    assert!(host.await_letter("p1", "e", 1).body.contains("password was changed"));
    host.await_that("filed card", || rig.mails("robot", "Accepted").len() == 1);
    host.await_moves();
    for folder in ["INBOX", "Accepted", "Rejected", "Ignored", "Quarantine", "Trash"] {
        for raw in rig.mails("robot", folder) {
            assert!(!String::from_utf8_lossy(&raw).contains("river-anvil"), "in {folder}");
        }
    }
    host.kill();
}

#[test]
fn two_stores_on_one_mailbox_are_noticed_and_the_second_takes_nothing() {
    let rig = servers();
    let mut first = Host::new(&rig, &Setup::of(&rig));
    first.start_game(&addresses(2));
    first.serve();
    let printout = first.await_letter("p1", "p", 1);
    let mut second = Host::new(&rig, &Setup::of(&rig));
    second.serve();
    second.await_that("word of it", || second.log().contains("another store reads this mailbox"));
    // The first goes on, and the second sees none of its mail.
    first.answer("p1", &printout, 1, &card(1));
    first.await_letter("p1", "e", 1);
    assert!(!second.run(&["mail", "list"]).contains("accepted"));
    let said = second.try_run(&["doctor", "--no-mail"]);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains("marked by another store: Fieldpost-"), "{said}");
    second.kill();
    // The first still has the mailbox with a new connection.
    first.kill();
    first.serve();
    first.answer("p1", &printout, 2, &card(1));
    first.await_that("second echo", || first.letters("p1").len() == 3);
    first.kill();
}

#[test]
fn after_a_loss_a_card_is_judged_again_from_the_folder_of_its_verdict() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    host.start_game(&addresses(2));
    host.serve();
    let printouts = [host.await_letter("p1", "p", 1), host.await_letter("p2", "p", 1)];
    host.answer("p1", &printouts[0], 1, &card(1));
    host.await_letter("p1", "e", 1);
    host.await_moves();
    // A copy while it serves; then come mails that are not in the copy.
    let copy = host.path("copy.sqlite").display().to_string();
    host.run(&["backup", &copy]);
    host.answer("p2", &printouts[1], 1, &card(2));
    host.await_letter("p2", "e", 1);
    host.await_moves();
    let refused = host.try_run(&["restore", &copy, "--refetch"]);
    assert!(!refused.status.success(), "not beside a robot that serves");
    host.kill();
    let told = host.run(&["restore", &copy, "--refetch"]);
    assert!(told.contains("Judged again: 1 mail that"), "{told}");
    assert!(told.contains("Known already: 1."), "{told}");
    assert_eq!(rig.mails("robot", "Accepted").len(), 2, "nothing was moved");
    let shown = host.run(&["game", "show", GAME]);
    assert_eq!(shown.matches("orders, ").count(), 2, "both cards are on file:\n{shown}");
    // A robot that serves then finds nothing to do, and answers as usual.
    host.serve();
    host.answer("p1", &printouts[0], 2, &card(1));
    host.await_that("echo", || host.letters("p1").len() == 3);
    host.kill();
}

#[test]
fn a_bounce_comes_back_and_is_not_answered() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    let mut seats = addresses(1);
    seats.push(VANISHED.to_owned());
    host.start_game(&seats);
    host.serve();
    host.await_that("bounce", || rig.mails("robot", "Ignored").len() == 1);
    let bounce = String::from_utf8_lossy(&rig.mails("robot", "Ignored")[0]).into_owned();
    assert!(bounce.contains("multipart/report"), "a real one: {bounce}");
    assert!(bounce.contains("robot+b."), "to the place of this very mail: {bounce}");
    let listed = host.run(&["mail", "list"]);
    assert!(listed.contains("ignored") && listed.contains("bounce"), "it is known:\n{listed}");
    let unsent = host.run(&["mail", "unsent"]);
    assert!(unsent.contains("printout") && unsent.contains(VANISHED), "{unsent}");
    let shown = host.run(&["game", "show", GAME]);
    assert!(shown.contains("Outbox: 0 waiting, 1 sent"), "no answer:\n{shown}");
    host.kill();
}

/// Answers an IMAP client like a server to which a mail comes during the first search.
///
/// Dovecot does the same, but only now and then.
fn serve_a_late_mail(listener: &TcpListener) {
    let (stream, _) = listener.accept().expect("the inbox connects");
    let mut out = stream.try_clone().expect("a stream can be shared");
    let mut searches = 0;
    let mail = "From: a@fieldpost.test\r\n\r\nHELP\r\n";
    out.write_all(b"* OK ready\r\n").expect("greeted");
    for line in BufReader::new(stream).lines() {
        let Ok(line) = line else { return };
        let (tag, command) = line.split_once(' ').expect("a tag and a command");
        let word = |word: &str| command.starts_with(word);
        let told = match () {
            () if word("CAPABILITY") => "* CAPABILITY IMAP4rev1 IDLE MOVE\r\n".to_owned(),
            () if word("SELECT") => "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n".to_owned(),
            () if word("UID SEARCH") => {
                searches += 1;
                let first = "* SEARCH\r\n* 1 EXISTS\r\n";
                if searches == 1 { first.to_owned() } else { "* SEARCH 1\r\n".to_owned() }
            }
            () if command.contains("RFC822.SIZE") => {
                let date = "21-Nov-2026 04:00:00 +0000";
                let size = mail.len();
                format!("* 1 FETCH (UID 1 RFC822.SIZE {size} INTERNALDATE \"{date}\")\r\n")
            }
            () if word("UID FETCH") => {
                format!("* 1 FETCH (UID 1 BODY[] {{{}}}\r\n{mail})\r\n", mail.len())
            }
            () => String::new(),
        };
        let answer = format!("{told}{tag} OK done\r\n");
        if out.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// The robot's inbox at a server that `serve` simulates.
fn inbox_at(serve: impl FnOnce(&TcpListener) + Send + 'static) -> ImapInbox {
    ImapInbox::new(account_at(serve)).expect("it needs no authority")
}

fn account_at(serve: impl FnOnce(&TcpListener) + Send + 'static) -> ImapAccount {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("it has an address").port();
    std::thread::spawn(move || serve(&listener));
    ImapAccount {
        name: "main".to_owned(),
        host: "127.0.0.1".to_owned(),
        port,
        tls: TlsMode::None,
        ca_file: None,
        login: Login {
            user: "robot".to_owned(),
            secret: Password::File("/dev/null".into()),
            token: false,
        },
        folder: "INBOX".to_owned(),
        bytes_max: 1000,
        poll: Duration::from_secs(60),
    }
}

#[test]
fn a_mail_that_comes_during_the_search_is_fetched() {
    let mut inbox = inbox_at(serve_a_late_mail);
    let found = inbox.fetch(&|_| false).expect("the server answers");
    // After an empty answer the robot would idle, and the server would not announce the mail again.
    assert_eq!(found.len(), 1, "the mail that came meanwhile");
    assert_eq!(found[0].key, "7/1");
}

/// Answers an IMAP client like a server on which another session makes each folder just before.
fn serve_beside_another(listener: &TcpListener) {
    let (stream, _) = listener.accept().expect("the probe connects");
    let mut out = stream.try_clone().expect("a stream can be shared");
    let mut made = false;
    out.write_all(b"* OK ready\r\n").expect("greeted");
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        let (tag, command) = line.split_once(' ').expect("a tag and a command");
        let answer = match () {
            () if command.starts_with("CREATE") => {
                made = true;
                format!("{tag} NO [ALREADYEXISTS] it is there\r\n")
            }
            () if command.starts_with("LIST") && made => {
                format!("* LIST () \"/\" Accepted\r\n{tag} OK done\r\n")
            }
            () => format!("{tag} OK done\r\n"),
        };
        out.write_all(answer.as_bytes()).expect("answered");
    }
}

#[test]
fn a_folder_that_another_session_makes_at_the_same_moment_is_there() {
    let mut probe = Probe::open(&account_at(serve_beside_another)).expect("logged in");
    assert_eq!(probe.make("Accepted"), Ok(false));
}

/// Answers the login of an IMAP client and then sends endlessly; returns how much it could send.
fn serve_without_an_end(listener: &TcpListener, start: &str) -> u64 {
    let (stream, _) = listener.accept().expect("the inbox connects");
    let mut out = stream.try_clone().expect("a stream can be shared");
    out.write_all(b"* OK ready\r\n").expect("greeted");
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        let (tag, command) = line.split_once(' ').expect("a tag and a command");
        if !command.starts_with("SELECT") {
            out.write_all(format!("{tag} OK done\r\n").as_bytes()).expect("answered");
            continue;
        }
        out.write_all(start.as_bytes()).expect("it reads the start");
        let (mut sent, much) = (0, vec![b'x'; 100_000]);
        while sent < 1_000_000_000 && out.write_all(&much).is_ok() {
            sent += much.len() as u64;
        }
        return sent;
    }
    0
}

#[test]
fn an_answer_without_an_end_takes_little_memory() {
    // A line, and a literal that says how long it is (RFC 9051 §4.3).
    let cases = [
        ("* OK ", "4000000 octets beside"),
        ("* 1 FETCH (UID 1 BODY[] {4000000000}\r\n", "a mail"),
    ];
    for (start, why) in cases {
        let (tell, told) = channel();
        let serve = move |listener: &TcpListener| {
            tell.send(serve_without_an_end(listener, start)).expect("somebody waits");
        };
        let mut inbox = inbox_at(serve);
        let failed = inbox.fetch(&|_| false).expect_err("it has no end");
        assert!(failed.cause.contains(why), "{}", failed.cause);
        let sent = told.recv().expect("the server ends");
        assert!(sent < 40_000_000, "{sent} bytes were taken");
    }
}

#[test]
fn d7_a_card_that_a_filter_took_for_junk_is_read_where_the_config_names_the_folder() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    host.start_game(&addresses(2));
    // The folder exists before anybody looks into it.
    rig.lay("robot", "Junk", b"From: nobody@fieldpost.test\r\n\r\nBuy!\r\n");
    let text = std::fs::read_to_string(host.path("robot.toml")).expect("the config is there");
    let (start, rest) = text.split_once("[inbox.main]\n").expect("an inbox");
    let (inbox, rest) = rest.split_once("[outlet]").expect("an outlet");
    let junk = format!("[inbox.junk]\nfolder = \"Junk\"\n{inbox}");
    let text = format!("{start}[inbox.main]\n{inbox}\n{junk}\n[outlet]{rest}");
    std::fs::write(host.path("robot.toml"), text).expect("written");
    host.serve();
    let printout = host.await_letter("p1", "p", 1);
    let raw = printout.answer("p1@fieldpost.test", "junk-1@fieldpost.test", &card(1));
    rig.lay("robot", "Junk", raw.as_bytes());
    assert!(host.await_letter("p1", "e", 1).body.contains("M 1 3"));
    host.kill();
}

#[test]
fn d8_of_a_mail_over_the_limit_only_the_start_is_fetched_and_its_sender_is_told() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    host.start_game(&addresses(2));
    host.serve();
    let printout = host.await_letter("p1", "p", 1);
    let junk = format!("{}\n", "x".repeat(70)).repeat(50_000);
    host.answer("p1", &printout, 1, &format!("{junk}{}", card(1)));
    let told = host.await_some("an answer", || {
        host.letters("p1").into_iter().find(|l| l.body.contains("was not read"))
    });
    assert!(told.body.contains("the limit is 2000 kB"), "{}", told.body);
    let raw = host.run(&["mail", "show", "1", "--raw"]);
    assert!(raw.len() < 100_000, "{} bytes are kept", raw.len());
    host.kill();
}

#[test]
fn d10_a_second_robot_on_the_same_store_ends_with_a_sentence() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    host.start_game(&addresses(2));
    host.serve();
    host.await_letter("p1", "p", 1);
    let second = host.try_run(&["serve"]);
    assert!(!second.status.success());
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(said.contains("another robot serves"), "{said}");
    host.kill();
}
