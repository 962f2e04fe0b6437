//! The process that takes mails apart: what it reads, and what its death costs.

use support::host::Host;

#[test]
fn a_reader_that_is_a_process_reads_the_same_and_its_death_costs_one_attempt() {
    use mail::mime;
    use mail::reader::{Reader, ReaderError};
    let apart = |program: &str| Reader::Subprocess { program: program.into(), child: None };
    let mut host = Host::new();
    let card = host.card(1, "M 1 3\n");
    let mut reader = apart(env!("CARGO_BIN_EXE_fieldpost"));
    for _ in 0..2 {
        let mail = reader.read(card.as_bytes()).expect("it lives").expect("a mail");
        assert_eq!(mail.lines, mime::parse(card.as_bytes()).expect("a mail").lines);
        assert!(reader.read(b"").expect("it lives").is_err(), "no mail at all");
    }
    let died = apart("/bin/true").read(card.as_bytes());
    assert!(matches!(died, Err(ReaderError::Died)), "{died:?}");

    // A process that dies over a mail: the mail waits, and is in quarantine in the end.
    host.robot.reader = apart("/bin/true");
    let message = host.message(card.as_bytes());
    host.robot.receive(&[message]).expect("the robot goes on");
    assert_eq!(host.robot.store.unjudged().expect("a store").len(), 1);
    host.robot.receive(&[]).expect("again");
    host.robot.receive(&[]).expect("again");
    host.robot.receive(&[]).expect("judged");
    assert_eq!(host.robot.store.unjudged().expect("a store"), Vec::new());
    assert_eq!(host.robot.store.quarantined(9).expect("a store")[0].reason.as_str(), "unreadable");

    // A process that can't even be started is the machine's fault: no attempt counts.
    host.robot.reader = apart("/nowhere/fieldpost");
    let message = host.message(host.card(2, "M 2 3\n").as_bytes());
    for _ in 0..5 {
        host.robot.receive(std::slice::from_ref(&message)).expect("the robot goes on");
    }
    assert_eq!(host.robot.store.unjudged().expect("a store").len(), 1);
    host.robot.reader = Reader::InProcess;
    host.robot.receive(&[]).expect("read at last");
    assert_eq!(host.on_file(2), "M 2 3\n");
}

/// What the system tells of a process.
fn told(process: u32, what: &str) -> String {
    let read = std::fs::read(format!("/proc/{process}/{what}")).expect("the system tells");
    String::from_utf8_lossy(&read).into_owned()
}

#[test]
fn a_mail_that_takes_the_reader_over_finds_no_file_no_network_and_no_secret() {
    use mail::reader::Reader;
    let program = env!("CARGO_BIN_EXE_fieldpost").into();
    let mut reader = Reader::Subprocess { program, child: None };
    let mail = std::fs::read("mailbox-fixtures/hostile/nested.eml");
    let mail = mail.unwrap_or_else(|_| Host::new().card(1, "M 1 3\n").into_bytes());
    for _ in 0..3 {
        let _ = reader.read(&mail).expect("it lives");
    }
    let process = reader.process().expect("it runs");
    assert_eq!(told(process, "environ"), "", "nothing is inherited");
    let status = told(process, "status");
    let field = |name: &str| {
        let line = status.lines().find_map(|l| l.strip_prefix(name));
        line.map(|l| l.trim_start_matches(':').trim().to_owned()).unwrap_or_default()
    };
    assert_eq!((field("Seccomp").as_str(), field("NoNewPrivs").as_str()), ("2", "1"), "{status}");
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
