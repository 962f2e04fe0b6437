//! Faults in mails: each gets a clear answer or a quiet verdict, the game master sees it, and
//! nothing is lost.

use registry::ENGINES;
use robot::limits::Limits;

use crate::talk::flat;
use support::host::{Host, ROBOT, mail, player};

/// The verdict and its reason.
fn verdict(host: &mut Host, raw: impl AsRef<[u8]>) -> (String, String) {
    let row = host.receive(raw);
    (row.verdict.expect("a verdict").to_string(), row.reason.to_string())
}

fn is(verdict: (String, String), expected: (&str, &str)) {
    assert_eq!((verdict.0.as_str(), verdict.1.as_str()), expected);
}

#[test]
fn unknown_game_seat_and_secret_are_refused_in_the_same_words() {
    let mut host = Host::new();
    let mut texts = Vec::new();
    for (n, to) in ["W9.1.abcdefghijklm", "W7.77.abcdefghijklm", "W7.1.abcdefghijklm", "W7.x.y"]
        .into_iter()
        .enumerate()
    {
        let to = format!("robot+{to}@fieldpost.example");
        let row = host.receive(mail(&player(1), &to, &format!("M 1 {n}\n")));
        assert_eq!(row.reason.as_str(), "wrong-secret", "{to}");
        texts.push(host.answers(&row).remove(0).text);
    }
    assert!(texts.windows(2).all(|w| w[0] == w[1]), "{texts:?}");
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_wrong_password_is_refused() {
    let mut host = Host::new();
    let raw = mail(&player(1), "robot@fieldpost.example", "GAME W7 SEAT 1 PASSWORD guess\nM 1 3\n");
    is(verdict(&mut host, raw), ("rejected", "wrong-password"));
}

#[test]
fn a10_a_stranger_is_answered_three_times_a_day_while_asking_different_things() {
    let mut host = Host::new();
    let words = ["what is this?", "who are you?", "What IS this? 2", "is it fun?", "why?"];
    let ask = |n: usize| mail("max@nowhere.example", ROBOT, &format!("{}\n", words[n]));
    let answered = ["rejected", "rejected", "ignored", "rejected", "ignored"];
    for (n, expected) in answered.into_iter().enumerate() {
        is(verdict(&mut host, ask(n)), (expected, "unknown-sender"));
    }
    host.pass(60 * 25);
    is(
        verdict(&mut host, ask(4).replacen("Message-ID: <", "Message-ID: <2.", 1)),
        ("rejected", "unknown-sender"),
    );
}

#[test]
fn a_passed_turn_is_answered_with_the_position_and_a_new_card() {
    let mut host = Host::new();
    let old = host.card(1, "M 1 3\n");
    host.run_turn();
    let row = host.receive(&old);
    assert_eq!(row.reason.as_str(), "passed-turn");
    let answer = host.answers(&row).remove(0);
    let text = answer.text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("not applied") && text.contains("The game is at turn 2;"), "{text}");
    let new = mail(&player(1), &answer.reply_to, "M 2 3\n");
    is(verdict(&mut host, new), ("accepted", "filed"));
    // Naming the open turn makes an old reply address valid again.
    let named = old.replace("M 1 3", "TURN 2\r\nM 3 3");
    is(verdict(&mut host, named), ("accepted", "filed"));
}

#[test]
fn a_card_received_after_the_deadline_is_late_and_one_at_the_deadline_counts() {
    let mut host = Host::new();
    let due = host.robot.game("W7").expect("the game").deadline.expect("a deadline");
    host.clock.set(due);
    let message = host.message(host.card(1, "M 1 3\n").as_bytes());
    assert_eq!(host.judge(message).reason.as_str(), "filed");
    host.clock.set(due + jiff::SignedDuration::from_secs(1));
    let message = host.message(host.card(2, "M 1 3\n").as_bytes());
    assert_eq!(host.judge(message).reason.as_str(), "late");
    assert_eq!(host.on_file(2), "");
}

#[test]
fn a_mail_without_orders_is_told_so() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "Thank you, robot!\n"));
    assert_eq!(row.reason.as_str(), "no-orders");
    assert!(host.answers(&row)[0].text.contains("No orders and no command"));
}

#[test]
fn a_mail_over_the_size_limit_is_answered_and_not_read() {
    let mut host = Host::new();
    let raw = host.card(1, &format!("M 1 3\n{}", "x".repeat(10_000_000)));
    let mut message = host.message(&raw.as_bytes()[..2_000_001]);
    message.size = raw.len() as u64;
    let row = host.judge(message);
    assert_eq!(row.reason.as_str(), "too-large");
    assert!(host.answers(&row)[0].text.contains("limit is 2000 kB"));
    assert_eq!(host.on_file(1), "");
}

#[test]
fn mails_with_no_from_or_two_are_quarantined() {
    let mut host = Host::new();
    let good = host.card(1, "M 1 3\n");
    let from = format!("From: <{}>\r\n", player(1));
    is(verdict(&mut host, good.replace(&from, "")), ("quarantined", "no-from"));
    let two = good.replace(&from, &format!("{from}From: <other@players.example>\r\n"));
    is(verdict(&mut host, two), ("quarantined", "several-from"));
    let list = good.replace(&from, "From: <a@players.example>, <b@players.example>\r\n");
    is(verdict(&mut host, list), ("quarantined", "several-from"));
    assert_eq!(host.on_file(1), "");
}

#[test]
fn broken_mime_and_nul_bytes_never_stop_the_robot() {
    let mut host = Host::new();
    for junk in [&b""[..], &[0u8; 200], b"\r\n\r\n", b"no colon here\n", &[0xff; 5000]] {
        assert_eq!(verdict(&mut host, junk).0, "quarantined");
    }
    let nul = host.card(1, "M 1 3\u{0}\nC 1 1\n");
    let row = host.receive(nul);
    assert_eq!(row.reason.as_str(), "filed");
    assert!(!host.answers(&row)[0].raw.contains('\u{0}'));
    let multipart = host
        .card(1, "--b\nContent-Type: text/plain\n\nM 1 3\n")
        .replace("text/plain; charset=utf-8", "multipart/mixed; boundary=b");
    is(verdict(&mut host, multipart), ("accepted", "filed"));
    let nested =
        (0..500).map(|i| format!("Content-Type: multipart/mixed; boundary=b{i}\r\n\r\n--b{i}\r\n"));
    let nested = format!("From: <{}>\r\n{}", player(1), nested.collect::<String>());
    is(verdict(&mut host, nested), ("quarantined", "no-mail"));
}

#[test]
fn a_thousand_lines_are_refused_with_a_way_out() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, &"M 1 3\n".repeat(1000)));
    assert_eq!(row.reason.as_str(), "too-many-lines");
    assert!(host.answers(&row)[0].text.contains("leave out what matters least"));
    let row = host.receive(host.card(1, &format!("N 1 1 {}\n", "x".repeat(600))));
    assert_eq!(row.reason.as_str(), "unreadable-card");
    assert_eq!(host.on_file(1), "");
}

#[test]
fn automatic_mail_is_never_answered() {
    let mut host = Host::new();
    for header in
        ["Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <x.y>", "X-Autoreply: yes"]
    {
        let raw = host.card(1, "M 1 3\n").replace("Subject:", &format!("{header}\r\nSubject:"));
        let row = host.receive(raw.replace("M 1 3", &format!("M 1 3 # {header}")));
        assert_eq!(row.verdict.map(|v| v.as_str()), Some("ignored"), "{header}");
        assert!(host.answers(&row).is_empty(), "{header}");
    }
    let null = host
        .card(1, "M 2 3\n")
        .replace(&format!("Return-Path: <{}>", player(1)), "Return-Path: <>");
    is(verdict(&mut host, null), ("ignored", "null-return-path"));
}

#[test]
fn a_second_delivery_has_no_second_effect_and_no_second_reply() {
    let mut host = Host::new();
    let raw = host.card(1, "M 1 3\n");
    host.receive(&raw);
    host.receive(host.card(1, "M 2 3\n"));
    let row = host.receive(format!("Received: from somewhere\r\n{raw}"));
    assert_eq!(
        (row.verdict.map(|v| v.as_str()), row.reason.as_str()),
        (Some("ignored"), "duplicate")
    );
    assert!(host.answers(&row).is_empty());
    assert_eq!(host.on_file(1), "M 2 3\n");
}

#[test]
fn a_nearly_right_command_is_answered_with_the_right_one() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "STATSU\n"));
    assert_eq!(row.reason.as_str(), "unknown-command");
    assert!(host.answers(&row)[0].text.contains("did you mean STATUS"));
}

#[test]
fn replies_stop_at_the_hourly_budget_but_cards_still_count() {
    let limits = Limits { replies_per_hour: 3, cards_per_hour: 5, ..Limits::default() };
    let mut host = Host::with(&ENGINES, "warlord", 2, limits);
    for n in 1..=5 {
        let row = host.receive(host.card(1, &format!("M 1 {n}\n")));
        assert_eq!(row.reason.as_str(), "filed", "card {n}");
        assert_eq!(host.answers(&row).len(), usize::from(n <= 3), "card {n}");
    }
    let row = host.receive(host.card(1, "M 1 6\n"));
    assert_eq!(row.reason.as_str(), "too-many-cards");
    assert_eq!(host.on_file(1), "M 1 5\n");
}

#[test]
fn hostile_names_stay_text() {
    let mut host = Host::new();
    for name in ["<img src=x>", "{{7*7}}", "%s%n", "$(id)"] {
        let row = host.receive(host.card(1, &format!("N 1 1 {name}\n")));
        assert!(host.answers(&row)[0].text.contains(name), "{name}");
    }
}

#[test]
fn what_cannot_be_read_is_named_each_by_its_kind() {
    const CARD: &str = "M 1 3\r\n";
    let part = |media: &str, body: &str| {
        let head = format!("{CARD}\r\n--x\r\nContent-Type: {media}\r\n\r\n{body}\r\n--x--\r\n");
        format!("multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\n{head}")
    };
    for (media, named) in [
        (part("application/pkcs7-mime; smime-type=enveloped-data", "MIIB"), "an encrypted part"),
        (part("application/x-pkcs7-mime; name=smime.p7m", "MIIB"), "an encrypted part"),
        (
            part(
                "multipart/encrypted; boundary=y",
                "--y\r\nContent-Type: text/html\r\n\r\n\r\n--y--",
            ),
            "an encrypted part",
        ),
        (part("application/ms-tnef", "x"), "a winmail.dat of Outlook"),
        (part("application/octet-stream; name=Winmail.dat", "x"), "a winmail.dat of Outlook"),
        (part("message/partial; id=1", "x"), "a part of type message/partial"),
        (
            part("message/external-body; access-type=URL", "x"),
            "a part of type message/external-body",
        ),
        (part("message/rfc822", "Subject: x\r\n\r\nM 2 3"), "a forwarded mail"),
        (part("image/png", "x"), "a picture"),
        (part("text/csv", "x"), "a part of type text/csv"),
        (
            part("text/csv\r\nContent-Disposition: attachment", "x"),
            "an attachment of type text/csv",
        ),
        (part("application/json", "{}"), "an attachment of type application/json"),
    ] {
        let mut host = Host::new();
        let raw = host.card(1, "").replace("text/plain; charset=utf-8\r\n\r\n", &media);
        let row = host.receive(raw);
        let told = flat(&host.answers(&row).pop().expect("an answer").text);
        assert!(told.contains(named), "{named}: {told}");
        assert_eq!(host.on_file(1), "M 1 3\n", "{named}: {told}");
    }
}

#[test]
fn of_two_fields_that_say_what_a_mail_is_the_first_counts() {
    let mut host = Host::new();
    let raw = host.card(1, "M 1 3\n");
    let twice = raw.replacen(
        "Content-Type:",
        "Content-Type: text/plain; charset=utf-8\r\ncontent-type:",
        1,
    );
    let twice = twice.replacen("content-type: text/plain", "content-type: image/png", 1);
    assert_eq!(host.receive(twice).reason.as_str(), "filed");
    assert_eq!(host.on_file(1), "M 1 3\n");
}

#[test]
fn an_opaque_signature_is_read_under_both_of_its_names() {
    let path =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../mailbox-fixtures/clients/smime-opaque.eml");
    let text = std::fs::read_to_string(path).expect("the fixture");
    let lines = |text: &str| mail::mime::parse(text.as_bytes()).expect("a mail").lines;
    let other = text.replacen("application/pkcs7-mime", "application/x-pkcs7-mime", 1);
    assert_ne!(text, other);
    assert!(!lines(&text).0.is_empty());
    assert_eq!(lines(&text), lines(&other));
    let streamed = std::fs::read_to_string(path.replace("opaque", "opaque-ber"));
    assert_eq!(lines(&streamed.expect("the fixture")), lines(&text), "signed while it was sent");
}

#[test]
fn an_id_that_no_header_should_hold_is_not_repeated() {
    for id in ["a".repeat(250), "a\u{7f}b".to_owned()] {
        let mut host = Host::new();
        let raw = host.card(1, "M 1 3\n");
        let row = host.receive(raw.replacen("Message-ID: <", &format!("Message-ID: <{id}"), 1));
        let echo = host.answers(&row).pop().expect("an echo");
        assert!(
            !echo.raw.contains(&id[..3.min(id.len())].repeat(2)) && !echo.raw.contains('\u{7f}')
        );
    }
}
