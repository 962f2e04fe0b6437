//! Servers that misbehave. Whatever an IMAP or SMTP server sends, the process that talks to it
//! lives, takes little memory, gives up the connection, says why, and waits before it tries again.
//!
//! Each lie goes to a separate process of this same program, because an overflow of the stack and a
//! lack of memory end a process, and nothing in it can catch them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use base::cancel::Cancel;
use mail::account::{Login, Password, TlsMode};
use mail::imap::{ImapAccount, ImapInbox};
use mail::smtp::{SmtpAccount, SmtpOutlet};
use mail::{Inbox, OutgoingMail};

/// Kilobytes that a lie may cost.
const MEMORY_MAX: u64 = 128 * 1024;
/// How long the processes wait for a server that says nothing.
const PATIENCE: Duration = Duration::from_millis(150);

/// The bytes that a server sends instead of its answer to a command.
#[derive(Clone, Copy)]
enum Lie {
    /// Only this; `<tag>` stands for that of the command. Then it goes on as others do.
    Says(&'static str),
    /// This, then an octet string a number of times.
    Floods(&'static str, &'static [u8], usize),
    /// This, then an octet string for ever.
    Endless(&'static str, &'static [u8]),
    /// An octet, and another after a while, for ever.
    Drips,
    /// Nothing.
    Silent,
    /// It closes the connection.
    Closes,
}

use Lie::*;

/// Tells a lie; `false`: the connection is over.
fn tell(out: &mut TcpStream, lie: Lie, tag: &str, ended: &Receiver<()>) -> bool {
    let mut say = |octets: &[u8]| out.write_all(octets).is_ok();
    match lie {
        Says(text) => say(text.replace("<tag>", tag).as_bytes()),
        Floods(start, octets, times) => {
            say(start.as_bytes()) && say(&octets.repeat(times)) && say(b"\r\n")
        }
        Endless(start, octets) => {
            let much = octets.repeat(100_000 / octets.len());
            let mut sent = say(start.as_bytes());
            // Four gigabytes exceed all limits.
            for _ in 0..40_000 {
                sent = sent && say(&much);
            }
            false
        }
        Drips => {
            while say(b"x") && ended.recv_timeout(PATIENCE / 3).is_err() {}
            false
        }
        Silent => {
            let _ = ended.recv();
            false
        }
        Closes => false,
    }
}

const CARD: &str = "From: p1@players.example\r\nSubject: x\r\n\r\nHELP\r\n";

/// An IMAP server that lies at a command, which "greeting" is too.
fn imap(mut out: TcpStream, (at, lie): (&str, Lie), ended: &Receiver<()>) {
    let ready = match at {
        "greeting" => tell(&mut out, lie, "*", ended),
        _ => out.write_all(b"* OK ready\r\n").is_ok(),
    };
    if !ready {
        return;
    }
    let lines = BufReader::new(out.try_clone().expect("shared")).lines();
    for line in lines.map_while(Result::ok) {
        let Some((tag, command)) = line.split_once(' ') else { continue };
        let is_of = |word: &str| match word {
            "sizes" => command.contains("RFC822.SIZE"),
            "mail" => command.contains("BODY.PEEK"),
            word => command.starts_with(word),
        };
        if is_of(at) {
            if !tell(&mut out, lie, tag, ended) {
                return;
            }
            continue;
        }
        let size = CARD.len();
        let date = "\"21-Nov-2026 04:00:00 +0000\"";
        let told = match () {
            () if is_of("CAPABILITY") => "* CAPABILITY IMAP4rev1 IDLE MOVE\r\n".to_owned(),
            () if is_of("SELECT") => "* 1 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n".to_owned(),
            () if is_of("UID SEARCH") => "* SEARCH 1\r\n".to_owned(),
            () if is_of("sizes") => {
                format!("* 1 FETCH (UID 1 RFC822.SIZE {size} INTERNALDATE {date})\r\n")
            }
            () if is_of("mail") => format!("* 1 FETCH (UID 1 BODY[] {{{size}}}\r\n{CARD})\r\n"),
            () if is_of("IDLE") => {
                let _ = out.write_all(b"+ idling\r\n");
                continue;
            }
            () => String::new(),
        };
        if out.write_all(format!("{told}{tag} OK done\r\n").as_bytes()).is_err() {
            return;
        }
    }
}

/// An SMTP server that lies at a command, which "greeting" and "<dot>" are too.
fn smtp(mut out: TcpStream, (at, lie): (&str, Lie), ended: &Receiver<()>) {
    let ready = match at {
        "greeting" => tell(&mut out, lie, "", ended),
        _ => out.write_all(b"220 ready\r\n").is_ok(),
    };
    if !ready {
        return;
    }
    let (mut data, reader) = (false, BufReader::new(out.try_clone().expect("shared")));
    for line in reader.lines().map_while(Result::ok) {
        if data && line != "." {
            continue;
        }
        let word = if data { "<dot>" } else { line.as_str() };
        data = word == "DATA";
        if word.starts_with(at) {
            if !tell(&mut out, lie, "", ended) {
                return;
            }
            continue;
        }
        let answer = match word {
            "DATA" => "354 go on\r\n",
            "<dot>" => "250 2.0.0 taken\r\n",
            _ if word.starts_with("EHLO") => "250-me\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n",
            _ if word.starts_with("AUTH") => "235 2.7.0 in\r\n",
            _ => "250 OK\r\n",
        };
        if out.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

/// Runs a client in a separate process against a server that lies; returns the client's output.
fn hear(protocol: &str, tls: bool, at: &'static str, lie: Lie) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let (end, ended) = channel();
    let serve = if protocol == "imap" { imap } else { smtp };
    let server = std::thread::spawn(move || {
        let (stream, _) = listener.accept().expect("the client comes");
        let _ = stream.set_nodelay(true);
        serve(stream, (at, lie), &ended);
        // A second connection finds no server.
    });
    let ran = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "liars::in_a_process_of_its_own", "--nocapture"])
        .env("FIELDPOST_LIAR", format!("{protocol} {port} {tls}"))
        .output()
        .expect("it runs");
    drop(end);
    server.join().expect("the server ends");
    let said = String::from_utf8_lossy(&ran.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(ran.status.success(), "{protocol} {at}: {:?}\n{said}\n{errors}", ran.status);
    let grown = said.lines().find_map(|l| l.strip_prefix("grown ")?.parse::<u64>().ok());
    let grown = grown.expect("the client tells its memory");
    assert!(grown < MEMORY_MAX, "{protocol} {at}: {grown} kB\n{said}");
    said
}

/// Kilobytes that this process had at most.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse().ok()).expect("a peak")
}

fn login() -> Login {
    let secret = Password::Command(vec!["echo".to_owned(), "secret".to_owned()]);
    Login { user: "robot".to_owned(), secret, token: false }
}

/// The client, which the tests below start; it is not a real test.
#[test]
fn in_a_process_of_its_own() {
    let Some(told) = std::env::var_os("FIELDPOST_LIAR") else { return };
    let told = told.into_string().expect("words");
    let [protocol, port, tls] = told.split(' ').collect::<Vec<_>>()[..] else { panic!("{told}") };
    let port = port.parse().expect("a port");
    let tls = if tls == "true" { TlsMode::Starttls } else { TlsMode::None };
    let before = peak();
    match protocol {
        "imap" => read(port, tls),
        _ => send(port, tls),
    }
    println!("\ngrown {}", peak() - before);
}

fn read(port: u16, tls: TlsMode) {
    let account = ImapAccount {
        name: "main".to_owned(),
        host: "127.0.0.1".to_owned(),
        port,
        tls,
        ca_file: None,
        login: login(),
        folder: "INBOX".to_owned(),
        bytes_max: 1_000_000,
        poll: Duration::from_secs(60),
    };
    let inbox = ImapInbox::new(account).expect("it needs no authority");
    let mut inbox = inbox.with_patience(PATIENCE);
    let never = Cancel::default();
    for round in 0..3 {
        let done = match round {
            1 => inbox.wait(PATIENCE, &never),
            _ => inbox.fetch(&|_| false).map(|mails| println!("\nmails {}", mails.len())),
        };
        if let Err(e) = done {
            println!("\nended {}", e.cause);
            println!("waits {}", inbox.pause().unwrap_or_default().as_secs());
            return;
        }
    }
    println!("\nlived");
}

fn send(port: u16, tls: TlsMode) {
    let account = SmtpAccount {
        host: "127.0.0.1".to_owned(),
        port,
        tls,
        ca_file: None,
        login: Some(login()),
        connections: 1,
        per_minute: None,
    };
    let outlet = SmtpOutlet::new(account).expect("an outlet").with_patience(PATIENCE * 4);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let mail = OutgoingMail {
        to: "p1@players.example".to_owned(),
        envelope_from: "robot+b.abc@fieldpost.example".to_owned(),
        message_id: "x@fieldpost.example".to_owned(),
        bytes: b"Subject: x\r\n\r\nhello\r\n".to_vec(),
        bounce: "abc".to_owned(),
    };
    println!("\nresult {:?}", runtime.block_on(outlet.send(&mail, false)));
    // An open connection is used again.
    println!("result {:?}", runtime.block_on(outlet.send(&mail, false)));
}

/// Part of a long word of brackets, and other bricks of lies.
const OPEN: &[u8] = b"((((((((((";
const STRUCTURE: &str = "* 1 FETCH (UID 1 BODYSTRUCTURE ";

#[test]
fn an_imap_server_that_lies_ends_its_connection_and_nothing_else() {
    let brackets = "opens more than 100 brackets";
    let lies: &[(&str, Lie, &str)] = &[
        // No end.
        ("greeting", Endless("* OK ", b"x"), "more than 4000000 octets"),
        ("greeting", Endless("", b"\0"), "more than 4000000 octets"),
        ("greeting", Floods("* OK ", OPEN, 40_000), brackets),
        ("CAPABILITY", Endless("* CAPABILITY IMAP4rev1", b" AUTH=X"), "more than 4000000 octets"),
        ("CAPABILITY", Endless("", b"* CAPABILITY IMAP4rev1\r\n"), "more than 20000 lines"),
        ("LOGIN", Endless("", b"* OK come in\r\n"), "more than 20000 lines"),
        ("LOGIN", Endless("", b"+ go on\r\n"), ""),
        ("LIST", Endless("", b"* LIST () \"/\" x\r\n"), "more than 20000 lines"),
        ("UID SEARCH", Endless("* SEARCH", b" 1"), "more than 4000000 octets"),
        ("UID SEARCH", Endless("* SEARCH", b" 1 22 333 4444 55555 666666"), "4000000 octets"),
        ("NOOP", Endless("", b"* 9 EXISTS\r\n* 1 EXPUNGE\r\n"), "more than 20000 lines"),
        ("sizes", Endless("", b"* 1 FETCH (UID 1 RFC822.SIZE 9)\r\n"), "more than 20000 lines"),
        ("IDLE", Endless("+ idling\r\n", b"* OK Still here\r\n"), "more than 20000 lines"),
        ("IDLE", Endless("+ idling\r\n", b"* 5 EXISTS\r\n"), "more than 20000 lines"),
        ("IDLE", Endless("+ idling\r\n", b"x"), "more than 4000000 octets"),
        // Brackets.
        ("SELECT", Floods(STRUCTURE, OPEN, 40_000), brackets),
        ("UID SEARCH", Floods(STRUCTURE, OPEN, 40_000), brackets),
        ("sizes", Floods(STRUCTURE, OPEN, 40_000), brackets),
        ("mail", Floods("* 1 FETCH (BODY[TEXT] {400000}\r\n", OPEN, 40_000), brackets),
        ("mail", Floods("* OK BODY[] {9}\r\n* 1 FETCH (BODY ", OPEN, 40_000), brackets),
        ("mail", Floods("* THREAD ", OPEN, 40_000), brackets),
        ("IDLE", Floods("+ idling\r\n* 1 FETCH (BODYSTRUCTURE ", OPEN, 40_000), brackets),
        // Literals.
        ("mail", Says("* 1 FETCH (UID 1 BODY[] {4294967296}\r\n"), "4294967296 octets"),
        ("mail", Endless("* 1 FETCH (UID 1 BODY[] {900000}\r\n", b"x"), "more than 4000000"),
        ("mail", Endless("", b"* 1 FETCH (BODY[] {10}\r\n0123456789)\r\n"), "100 literals"),
        ("mail", Endless("* 1 FETCH (", b"BODY[] {0}\r\n "), "100 literals"),
        ("LIST", Endless("", b"* LIST () \"/\" {1}\r\nx\r\n"), "100 literals"),
        ("mail", Says("* 1 FETCH (UID 1 BODY[] {500}\r\nbegun"), ""),
        // Numbers.
        ("UID SEARCH", Says("* SEARCH -1 -5\r\n<tag> OK\r\n"), ""),
        ("UID SEARCH", Says("* SEARCH 99999999999999\r\n<tag> OK\r\n"), ""),
        ("UID SEARCH", Says("* SEARCH 0\r\n<tag> OK\r\n"), "lived"),
        ("SELECT", Says("* OK [UIDVALIDITY 0] x\r\n<tag> OK\r\n"), "lived"),
        ("SELECT", Says("* OK [UIDVALIDITY 4294967296] x\r\n<tag> OK\r\n"), ""),
        ("SELECT", Says("<tag> OK\r\n"), "no UIDVALIDITY"),
        ("sizes", Says("* 1 FETCH (UID 1 RFC822.SIZE -1)\r\n<tag> OK\r\n"), ""),
        ("sizes", Says("* 1 FETCH (UID 4294967295)\r\n<tag> OK\r\n"), "lived"),
        // Answers to other questions.
        ("NOOP", Says("\u{1}\u{fffd}\0\u{7f}\r\n<tag> OK\r\n"), ""),
        ("NOOP", Says("a999 OK\r\n"), ""),
        ("LOGIN", Says("<tag> NO \u{1b}[31m(((\r\n"), ""),
        ("SELECT", Says("* BYE gone\r\n<tag> BYE\r\n"), ""),
        ("IDLE", Says("<tag> NO not now\r\n"), ""),
        ("IDLE", Says("* BYE\r\n"), ""),
        ("mail", Says("* 1 FETCH (UID 2 BODY[] {1}\r\nx)\r\n<tag> OK\r\n"), "lived"),
        ("LIST", Says("* LIST (\\x) NIL &garbage\r\n<tag> OK\r\n"), "lived"),
        // Silence, and a single byte now and then.
        ("greeting", Silent, ""),
        ("LOGIN", Silent, ""),
        ("mail", Silent, ""),
        ("greeting", Drips, ""),
        ("UID SEARCH", Drips, ""),
        // The end, at each step.
        ("greeting", Closes, ""),
        ("CAPABILITY", Closes, ""),
        ("LOGIN", Closes, ""),
        ("LIST", Closes, ""),
        ("CREATE", Closes, ""),
        ("SELECT", Closes, ""),
        ("NOOP", Closes, ""),
        ("UID SEARCH", Closes, ""),
        ("sizes", Closes, ""),
        ("mail", Closes, ""),
        ("IDLE", Closes, ""),
    ];
    for (at, lie, expected) in lies {
        let said = hear("imap", false, at, *lie);
        if *expected == "lived" {
            assert!(said.contains("lived"), "{at}, {expected}: {said}");
            continue;
        }
        let ended = said.lines().find_map(|l| l.strip_prefix("ended "));
        let ended = ended.unwrap_or_else(|| panic!("{at}, {expected}: {said}"));
        assert!(!ended.is_empty() && ended.contains(expected), "{at}, {expected}: {said}");
        assert!(ended.len() < 400 && !ended.contains('\u{1b}'), "one short line: {said}");
        assert!(said.contains("\nwaits 1\n"), "{at}: {said}");
    }
}

#[test]
fn before_the_encryption_an_imap_server_can_do_no_more() {
    for (at, lie, expected) in [
        ("greeting", Endless("* OK ", b"x"), "STARTTLS"),
        ("s1 STARTTLS", Endless("", b"x"), ""),
        ("STARTTLS", Endless("", b"* OK wait\r\n"), "STARTTLS"),
        ("STARTTLS", Says("s1 OK go\r\na1 OK I am in\r\n"), ""),
        ("STARTTLS", Says("s1 OK go\r\n\u{16}\u{3}\u{3}garbage that goes on"), ""),
        ("STARTTLS", Closes, ""),
        ("STARTTLS", Drips, ""),
    ] {
        let said = hear("imap", true, at, lie);
        let ended = said.lines().find_map(|l| l.strip_prefix("ended "));
        assert!(ended.is_some_and(|e| e.contains(expected)), "{at}: {said}");
    }
}

#[test]
fn an_smtp_server_that_lies_ends_its_connection_and_nothing_else() {
    let lies: &[(&str, Lie, &str)] = &[
        // No end.
        ("greeting", Endless("220 ", b"x"), "a line of more than 4096 octets"),
        ("greeting", Endless("", b"\0"), "a line of more than 4096 octets"),
        ("greeting", Endless("", b"220-x\r\n"), "lines"),
        ("EHLO", Endless("250-", b"x"), "a line of more than 4096 octets"),
        ("EHLO", Endless("", b"250-SIZE 1\r\n"), "lines"),
        ("EHLO", Endless("", b"250-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n"), "lines"),
        ("AUTH", Endless("", b"334 VXNlcm5hbWU6\r\n"), "two answers"),
        ("AUTH", Endless("334 ", b"VXNl"), "a line of more than 4096 octets"),
        ("MAIL", Endless("250 ", b"x"), "a line of more than 4096 octets"),
        ("RCPT", Endless("", b"550-no\r\n"), "lines"),
        ("DATA", Endless("354 ", b"\xff"), "a line of more than 4096 octets"),
        ("<dot>", Endless("250-", b"x"), "a line of more than 4096 octets"),
        // Answers to nothing, and to something else.
        ("MAIL", Says("250 ok\r\n250 ok\r\n"), "two answers"),
        ("RCPT", Says("250 ok\r\n550 no\r\n"), "two answers"),
        ("MAIL", Says("354 go on\r\n"), "answers MAIL with 354"),
        ("MAIL", Says("221 bye\r\n"), "answers MAIL with 221"),
        ("RCPT", Says("235 in\r\n"), "answers RCPT with 235"),
        ("DATA", Says("250 ok\r\n"), "answers DATA with 250"),
        ("DATA", Says("200 ok\r\n"), "answers DATA with 200"),
        ("DATA", Says("999 what\r\n"), "an answer that is none"),
        ("<dot>", Says("354 go on\r\n"), "answers the mail with 354"),
        ("MAIL", Says("250\u{fffd}\0\u{1b}[31m\r\n"), ""),
        ("MAIL", Says("hello\r\n"), "an answer that is none"),
        ("MAIL", Says("\r\n"), ""),
        ("greeting", Says("554 not you\r\n"), "554"),
        ("greeting", Says("SSH-2.0-x\r\n"), ""),
        ("EHLO", Says("500 what\r\n"), ""),
        ("AUTH", Says("535 no\r\n"), ""),
        // Silence, and a single byte now and then.
        ("greeting", Silent, "does not answer"),
        ("EHLO", Silent, "does not answer"),
        ("DATA", Silent, "does not answer"),
        ("<dot>", Silent, "does not answer"),
        ("greeting", Drips, "does not answer"),
        // The end, at each step.
        ("greeting", Closes, ""),
        ("EHLO", Closes, ""),
        ("AUTH", Closes, ""),
        ("MAIL", Closes, ""),
        ("RCPT", Closes, ""),
        ("DATA", Closes, ""),
        ("<dot>", Closes, ""),
    ];
    for (at, lie, expected) in lies {
        let said = hear("smtp", false, at, *lie);
        let first = said.lines().find_map(|l| l.strip_prefix("result "));
        let first = first.unwrap_or_else(|| panic!("{at}: {said}"));
        assert!(
            first.starts_with("Later(") && first.contains(expected),
            "{at}, {expected}: {said}"
        );
        assert!(first.len() < 400 && !first.contains("u{1b}"), "one short line: {said}");
    }
    // An invalid size counts as no size, and a mail that the server has taken counts as sent.
    for size in ["-1", "0", "99999999999999999999999", "x"] {
        let offers = Box::leak(format!("250-me\r\n250-SIZE {size}\r\n250 AUTH PLAIN\r\n").into());
        let said = hear("smtp", false, "EHLO", Says(offers));
        assert_eq!(said.matches("result Sent").count(), 2, "{size}: {said}");
    }
    // The next mail on the connection meets the lie.
    for lie in [Endless("250 ", b"x"), Closes, Says("250 ok\r\n250 ok\r\n"), Silent] {
        let said = hear("smtp", false, "NOOP", lie);
        assert!(said.contains("result Sent") && said.contains("result Later"), "{said}");
    }
}

#[test]
fn before_the_encryption_an_smtp_server_can_do_no_more() {
    for (at, lie, expected) in [
        ("greeting", Endless("220 ", b"x"), "a line of more than 4096 octets"),
        ("greeting", Endless("", b"220-x\r\n"), "lines"),
        ("greeting", Silent, "does not answer"),
        ("EHLO", Endless("250-", b"x"), "a line of more than 4096 octets"),
        ("EHLO", Says("250 me\r\n"), "offers no STARTTLS"),
        ("EHLO", Says("250-me\r\n250 STARTTLSX\r\n"), "offers no STARTTLS"),
        ("STARTTLS", Endless("220 ", b"x"), "a line of more than 4096 octets"),
        ("STARTTLS", Says("454 later\r\n"), "answers STARTTLS with 454"),
        // Text after the answer does not count as an answer to encrypted commands.
        ("STARTTLS", Says("220 go\r\n250-me\r\n250 AUTH PLAIN\r\n235 in\r\n"), ""),
        ("STARTTLS", Says("220 go\r\n\u{16}\u{3}\u{3}garbage that goes on"), ""),
        ("STARTTLS", Closes, ""),
    ] {
        let said = hear("smtp", true, at, lie);
        let first = said.lines().find_map(|l| l.strip_prefix("result ")).unwrap_or_default();
        assert!(first.starts_with("Later(") && first.contains(expected), "{at}: {said}");
        assert!(!said.contains("Sent"), "{at}: {said}");
    }
}

#[test]
fn a_server_is_asked_more_and_more_seldom() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.write_all(&[b'('; 500]);
            let _ = stream.read(&mut [0; 10]);
        }
    });
    let account = ImapAccount {
        name: "main".to_owned(),
        host: "127.0.0.1".to_owned(),
        port,
        tls: TlsMode::None,
        ca_file: None,
        login: login(),
        folder: "INBOX".to_owned(),
        bytes_max: 1000,
        poll: Duration::from_secs(60),
    };
    let mut inbox = ImapInbox::new(account).expect("it needs no authority");
    assert_eq!(inbox.pause(), None);
    let mut pauses = Vec::new();
    for _ in 0..8 {
        inbox.fetch(&|_| false).expect_err("it lies");
        pauses.push(inbox.pause().unwrap_or_default().as_secs());
    }
    assert_eq!(pauses, [1, 2, 5, 15, 30, 60, 60, 60]);
}
