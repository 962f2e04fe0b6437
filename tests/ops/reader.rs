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
