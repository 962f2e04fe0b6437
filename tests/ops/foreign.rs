//! Texts of players and strangers control no terminal, no page and no mail program.

use std::process::Command;

use base::text::steers;
use engine::Seat;
use store::{SeatChange, Verdict};

use crate::stage::Stage;
use support::host::*;

/// An escape sequence, one of C1, a turn of direction, an isolate, a mark, an end of a line.
const STEERING: &str = "\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{200f}\u{2028}\u{7}\u{8}";

fn assert_tame(what: &str, text: &str) {
    let found = text.char_indices().find(|(_, c)| steers(*c) && !"\r\n\t".contains(*c));
    if let Some((at, c)) = found {
        let around: String = text[at..].chars().take(60).collect();
        panic!("{what}: {c:?} before {around:?}");
    }
}

/// A host with such words wherever people may write.
fn host() -> Host {
    let mut host = Host::new();
    for seat in [1, 2] {
        host.receive(host.card(seat, "CONTACT relay\nY 2 156\n"));
    }
    host.run_turn();
    let words = |text: &str| format!("{text} {STEERING} end");
    host.receive(host.card(1, &format!("NAME {}", words("Karelia"))));
    host.receive(host.card(1, &words("EXTEND 24 for")));
    host.receive(host.card(3, &words("M 3 3 then")));
    let subject = |raw: String| raw.replace("Subject: orders", &format!("Subject: {}", words("s")));
    let alias = host.robot.mailer().alias("W7", Seat(1), Seat(2));
    host.receive(subject(mail(&player(2), &alias, &words("Shall we be friends?"))));
    host.receive(subject(mail(&player(4), ROBOT, &words("C 4 1"))));
    let from = format!("\"{}\" <x@elsewhere.example>", words("The GM"));
    host.receive(subject(mail(&from, ROBOT, &words("JOIN W7"))));
    host.receive(subject(mail("y@elsewhere.example", ROBOT, &words("Hello?"))));
    // As in a store from elsewhere, or from a time before names were checked.
    let name = SeatChange::Name(words("Ingria"));
    host.robot.store.write(|tx| tx.change_seat("W7", Seat(2), &name)).expect("written");
    host.run_turn();
    host
}

#[test]
fn no_mail_of_ours_steers_the_program_that_shows_it() {
    let host = host();
    let all = "SELECT mime_z FROM outbox WHERE mime_z IS NOT NULL";
    let mut query = host.robot.store.connection().prepare(all).expect("a store");
    let rows = query.query_map([], |r| r.get::<_, Vec<u8>>(0)).expect("rows");
    let mut seen = 0;
    for packed in rows {
        let bytes = zstd::decode_all(packed.expect("a row").as_slice()).expect("whole");
        let mail = mail_parser::MessageParser::default().parse(&bytes).expect("a mail");
        assert_tame("subject", mail.subject().unwrap_or_default());
        for part in mail.parts.iter().filter(|p| p.is_text()) {
            let text = part.text_contents().expect("a text");
            assert_tame("text", text);
            seen += usize::from(text.contains("friends"));
        }
    }
    assert!(seen > 0, "the letter is among them");
}

#[test]
fn no_command_prints_what_steers_a_terminal() {
    let host = host();
    let dir = tempfile::tempdir().expect("a folder");
    let text = format!(
        "[robot]\naddress = \"robot@fieldpost.example\"\ngm = \"gm@fieldpost.example\"\n\
         data = {:?}\n[inbox.main]\nkind = \"maildir\"\npath = \"inbox\"\n[outlet]\n\
         kind = \"maildir\"\npath = \"players\"\n[log]\nlevel = \"error\"\n",
        host.dir.path()
    );
    std::fs::write(dir.path().join("robot.toml"), text).expect("written");
    let newest =
        host.robot.store.mails().mails_of("y@elsewhere.example", 9).expect("a store")[0].id;
    let mut all: Vec<Vec<String>> = [
        &["game", "list"][..],
        &["game", "show", "W7"],
        &["mail", "list"],
        &["mail", "quarantine"],
        &["mail", "unsent"],
        &["act", "list"],
        &["watch", "--once"],
    ]
    .map(|words| words.iter().map(|w| (*w).to_owned()).collect())
    .into();
    for seat in 1..=4 {
        all.push(vec!["person".into(), "export".into(), player(seat)]);
    }
    for id in 1..=newest {
        for words in [&["show"][..], &["show", "--raw"], &["explain"]] {
            let words = words.iter().map(|w| (*w).to_owned());
            all.push(
                ["mail".to_owned()].into_iter().chain(words).chain([id.to_string()]).collect(),
            );
        }
    }
    let mut printed = String::new();
    for words in &all {
        let run = Command::new(env!("CARGO_BIN_EXE_fieldpost"))
            .current_dir(dir.path())
            .args(words)
            .output()
            .expect("the program runs");
        for (name, bytes) in [("out", &run.stdout), ("err", &run.stderr)] {
            let text = String::from_utf8_lossy(bytes);
            assert_tame(&format!("{words:?}, {name}"), &text);
            assert!(!text.contains("\u{fffd}\n"), "{words:?}: the end of a line is no control");
            printed += &text;
        }
    }
    for word in ["Karelia", "friends", "Hello?", "Ingria"] {
        assert!(printed.contains(word), "{word} is shown somewhere");
    }
}

#[test]
fn no_page_shows_what_steers_a_browser() {
    let mut host = host();
    host.was_read();
    let newest =
        host.robot.store.mails().mails_of("y@elsewhere.example", 9).expect("a store")[0].id;
    let pending = host.robot.store.mails().mail(newest).expect("a store").expect("its row");
    assert_ne!(pending.verdict, Some(Verdict::Accepted));
    let stage = Stage::of(host);
    let mut paths: Vec<String> =
        ["/", "/games/W7", "/games/W7/map", "/mail", "/quarantine", "/outbox", "/acts"]
            .map(str::to_owned)
            .into();
    paths.extend((1..=newest).map(|id| format!("/mail/{id}")));
    let mut shown = String::new();
    for path in paths {
        let answer = stage.get(&path);
        assert_eq!(answer.status, 200, "{path}");
        assert_tame(&path, &answer.body);
        shown += &answer.body;
    }
    for path in ["/", "/games/w7.html", "/feed.xml"] {
        let answer = stage.public(path);
        assert_eq!(answer.status, 200, "{path}");
        assert_tame(path, &answer.body);
    }
    for word in ["Karelia", "Hello?", "Ingria"] {
        assert!(shown.contains(word), "{word} is shown somewhere");
    }
}
