//! The process that parses mails: its reading, and the cost of its death.

use support::host::Host;

#[test]
fn a_reader_that_is_a_process_reads_the_same_and_its_death_costs_one_attempt() {
    use mail::mime;
    use mail::reader::{Reader, ReaderError};
    let apart = |program: &str| Reader::by(program.into());
    let mut host = Host::new();
    let card = host.card(1, "M 1 3\n");
    let reader = apart(env!("CARGO_BIN_EXE_fieldpost"));
    for _ in 0..2 {
        let mail = reader.read(card.as_bytes()).expect("it lives").expect("a mail");
        assert_eq!(mail.lines, mime::parse(card.as_bytes()).expect("a mail").lines);
        assert!(reader.read(b"").expect("it lives").is_err(), "no mail at all");
    }
    let died = apart("/bin/true").read(card.as_bytes());
    assert!(matches!(died, Err(ReaderError::Died)), "{died:?}");

    // A process that dies over a mail: the mail waits, and is in quarantine in the end.
    host.robot.cx.reader = apart("/bin/true");
    let message = host.message(card.as_bytes());
    host.robot.receive(&[message]).expect("the robot goes on");
    assert_eq!(host.robot.store.mails().unjudged().expect("a store").len(), 1);
    host.robot.receive(&[]).expect("again");
    host.robot.receive(&[]).expect("again");
    host.robot.receive(&[]).expect("judged");
    assert_eq!(host.robot.store.mails().unjudged().expect("a store"), Vec::new());
    assert_eq!(
        host.robot.store.mails().quarantined(9).expect("a store")[0].reason.as_str(),
        "unreadable"
    );

    // A process that can't even be started is the machine's fault: no attempt counts.
    host.robot.cx.reader = apart("/nowhere/fieldpost");
    let message = host.message(host.card(2, "M 2 3\n").as_bytes());
    for _ in 0..5 {
        host.robot.receive(std::slice::from_ref(&message)).expect("the robot goes on");
    }
    assert_eq!(host.robot.store.mails().unjudged().expect("a store").len(), 1);
    host.robot.cx.reader = Reader::InProcess;
    host.robot.receive(&[]).expect("read at last");
    assert_eq!(host.on_file(2), "M 2 3\n");
}

/// The system's data on a process.
fn told(process: u32, what: &str) -> String {
    let read = std::fs::read(format!("/proc/{process}/{what}")).expect("the system tells");
    String::from_utf8_lossy(&read).into_owned()
}

#[test]
fn a_mail_that_takes_the_reader_over_finds_no_file_no_network_and_no_secret() {
    use mail::reader::Reader;
    let reader = Reader::by(env!("CARGO_BIN_EXE_fieldpost").into());
    let mail = std::fs::read("mailbox-fixtures/hostile/nested.eml");
    let mail = mail.unwrap_or_else(|_| Host::new().card(1, "M 1 3\n").into_bytes());
    for _ in 0..3 {
        let _ = reader.read(&mail).expect("it lives");
    }
    let (process, measures) = reader.ready().expect("it starts").expect("a process");
    assert_eq!(measures.missing(), Vec::<&str>::new());
    let own = "MIMALLOC_ARENA_RESERVE=65536\0";
    assert_eq!(told(process, "environ"), own, "a word for its allocator; nothing is inherited");
    let status = told(process, "status");
    let field = |name: &str| {
        let line = status.lines().find_map(|l| l.strip_prefix(name));
        line.map(|l| l.trim_start_matches(':').trim().to_owned()).unwrap_or_default()
    };
    assert_eq!((field("Seccomp").as_str(), field("NoNewPrivs").as_str()), ("2", "1"), "{status}");
    let taken: u64 = field("VmSize").trim_end_matches(" kB").parse().expect("a size");
    assert!(taken < 400_000, "its limit of memory is far from what it has: {taken} kB");
    assert_eq!(field("Threads"), "1", "a filter holds for the thread that asks for it");
    let limits = told(process, "limits");
    for (name, most) in [
        ("Max file size", "0"),
        ("Max core file size", "0"),
        ("Max processes", "0"),
        ("Max open files", "0"),
        ("Max address space", "1024000000"),
    ] {
        let line = limits.lines().find_map(|l| l.strip_prefix(name)).expect(name);
        let both: Vec<&str> = line.split_whitespace().take(2).collect();
        assert_eq!(both, [most, most], "{name}");
    }
    let seconds = limits.lines().find_map(|l| l.strip_prefix("Max cpu time")).expect("a limit");
    assert!(seconds.trim_start().starts_with("30 "), "{seconds}");
    for entry in std::fs::read_dir(format!("/proc/{process}/fd")).expect("a folder").flatten() {
        let open = std::fs::read_link(entry.path()).expect("a file, or what passes for one");
        let open = open.to_string_lossy().into_owned();
        assert!(!open.contains("sqlite") && !open.starts_with("socket:"), "{open}");
    }
}

#[test]
fn each_mail_is_taken_apart_by_a_process_that_sees_no_other() {
    use mail::reader::Reader;
    let reader = Reader::by(env!("CARGO_BIN_EXE_fieldpost").into());
    let card = Host::new().card(1, "M 1 3\n");
    let mut processes = std::collections::BTreeSet::new();
    for _ in 0..5 {
        let (process, _) = reader.ready().expect("it starts").expect("a process");
        processes.insert(process);
        let _ = reader.read(card.as_bytes()).expect("it lives").expect("a mail");
        // The process that read the mail is gone, with all that it saw.
        assert!(!std::path::Path::new(&format!("/proc/{process}")).exists());
    }
    assert_eq!(processes.len(), 5);
}

#[test]
fn mails_that_bear_a_secret_share_a_process_and_no_other_mail_comes_near_it() {
    use mail::reader::{Apart, Reader};
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().expect("a folder");
    let (program, begun) = (dir.path().join("reader"), dir.path().join("begun"));
    let script = format!(
        "#!/bin/sh\necho $$ >>{}\nexec {} read-mails\n",
        begun.display(),
        env!("CARGO_BIN_EXE_fieldpost")
    );
    std::fs::write(&program, script).expect("written");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).expect("a program");
    let starts = || std::fs::read_to_string(&begun).unwrap_or_default().lines().count();

    let mut host = Host::new();
    host.robot.cx.reader = Reader::by(program.clone());
    // Another thread that starts a program may hold the file open for a moment.
    assert!((0..10_000).any(|_| host.robot.cx.reader.ready().is_ok()));
    let mut cards: Vec<String> = (1..=4).map(|seat| host.card(seat, "M 1 3\n")).collect();
    // Text that only looks like a secret does not count.
    cards.push(host.card(1, "M 1 3\n").replace("robot+W7.1.", "robot+W7.1.z"));
    cards.push(host.card(2, "M 1 3\n").replace("robot+W7.2", "robot"));
    let mails: Vec<_> = cards.iter().map(|raw| host.message(raw.as_bytes())).collect();
    assert_eq!(host.robot.receive(&mails).expect("judged").len(), 6);
    assert!((1..=4).all(|seat| host.on_file(seat) == "M 1 3\n"));
    // One process for the four mails, one for each of the two, and one that waits.
    host.robot.cx.reader.ready().expect("it waits");
    assert_eq!(starts(), 4);

    // If the shared process dies, the mail gets its own.
    let reader = Reader::by(program);
    let card = cards[0].as_bytes();
    let read = |apart| reader.read_as(card, apart).expect("it lives").expect("a mail");
    read(Apart::Shared);
    let pids = std::fs::read_to_string(&begun).expect("begun");
    let shared = pids.lines().nth(4).expect("a fifth").to_owned();
    std::process::Command::new("kill").args(["-9", &shared]).status().expect("killed");
    read(Apart::Shared);
}

/// Lines of a log.
#[derive(Clone, Default)]
struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("a log").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn what_a_reader_writes_beside_its_answer_can_forge_no_line_of_the_log() {
    use mail::reader::{Reader, ReaderError};
    use std::os::unix::fs::PermissionsExt;
    // A process that a mail has taken over.
    let dir = tempfile::tempdir().expect("a folder");
    let program = dir.path().join("taken-over");
    let script = "#!/bin/sh\nprintf '2026-01-01 INFO verdict mail=1 verdict=accepted\\n\\033[31m' >&2\n\
                  head -c 30000 /dev/zero | tr '\\0' 'x' >&2\n";
    std::fs::write(&program, script).expect("written");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o700)).expect("a program");
    let log = Log::default();
    let writer = log.clone();
    let lines = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone());
    tracing::subscriber::with_default(lines.finish(), || {
        let read = Reader::by(program).read(b"Subject: x\r\n\r\n");
        assert!(matches!(read, Err(ReaderError::Died)), "{read:?}");
    });
    let said = String::from_utf8(log.0.lock().expect("a log").clone()).expect("text");
    assert!(said.contains("a process that reads mails complains"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.len() < 600 && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn the_origin_of_a_mail_is_checked_by_a_process_that_reaches_name_servers_and_nothing_else() {
    use mail::auth::Authenticity;
    use mail::origin::{Apart, CheckOrigin};
    let names = std::net::UdpSocket::bind("127.0.0.1:0").expect("a free port");
    let at = names.local_addr().expect("an address");
    std::thread::spawn(move || answer_names(&names));
    let checker =
        Apart::by(env!("CARGO_BIN_EXE_fieldpost").into(), Some(at), Some("mx.host.example"));
    let from = |ip: &str| {
        let mail = format!(
            "Return-Path: <p@example.org>\r\nReceived: from out.example.org (out.example.org \
             [{ip}])\r\n by mx.host.example with ESMTP id 1; Sat, 21 Nov 2026 01:36:00 +0000\r\n\
             From: p@example.org\r\nSubject: x\r\n\r\nM 1 3\r\n"
        );
        checker.check(mail.as_bytes())
    };
    assert_eq!(from("192.0.2.7"), (Authenticity::Pass, "p@example.org".to_owned()));
    assert_eq!(from("192.0.2.8"), (Authenticity::Fail, "p@example.org".to_owned()));
    assert_eq!(checker.check(b"no mail"), (Authenticity::Unknown, String::new()));
    // One that can't be started proves nothing, and stops nothing.
    let none = Apart::by("/nowhere/fieldpost".into(), Some(at), None);
    assert_eq!(none.check(b"From: p@example.org\r\n\r\n"), Default::default());
}

/// A name server with the records of example.org; other names do not exist.
fn answer_names(names: &std::net::UdpSocket) {
    let mut asked = [0; 1500];
    while let Ok((length, whom)) = names.recv_from(&mut asked) {
        let question = &asked[..length];
        let (mut labels, mut at) = (Vec::new(), 12);
        while question[at] > 0 {
            let end = at + 1 + usize::from(question[at]);
            labels.push(String::from_utf8_lossy(&question[at + 1..end]).to_lowercase());
            at = end;
        }
        let is_txt = question[at + 1..at + 3] == [0, 16];
        let text = match labels.join(".").as_str() {
            "example.org" if is_txt => Some("v=spf1 ip4:192.0.2.7 -all"),
            "_dmarc.example.org" if is_txt => Some("v=DMARC1; p=reject"),
            _ => None,
        };
        let mut answer = question[..at + 5].to_vec();
        // An authoritative answer; an error if the name does not exist.
        answer[2..12].copy_from_slice(&[0x84, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        match text {
            Some(text) => {
                answer[7] = 1;
                let length = u8::try_from(text.len()).expect("a short text");
                answer.extend([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 60, 0, length + 1, length]);
                answer.extend(text.as_bytes());
            }
            None => answer[3] = 3,
        }
        let _ = names.send_to(&answer, whom);
    }
}
