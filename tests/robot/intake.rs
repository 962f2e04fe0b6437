//! Cards and commands of players who do things right.

use robot::limits::Limits;
use store::Reason;
use support::host::{Host, mail, player};

#[test]
fn a_card_is_filed_and_its_echo_shows_every_line() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "M 1 3\nC 1 1\nM 99 1\n"));
    assert_eq!((row.verdict.map(|v| v.as_str()), row.reason.as_str()), (Some("accepted"), "filed"));
    let echo = host.answers(&row).remove(0);
    assert_eq!(echo.to, player(1));
    for part in [
        "Your orders are on file.",
        "|   1  M 1 3",
        "error: no unit 99 of yours",
        "Stock after this card:",
        "Orders for turn 1 are due",
    ] {
        assert!(echo.text.contains(part), "{part} is missing in {}", echo.text);
    }
    assert!(echo.subject.starts_with("[W7 T1 S1]"), "{}", echo.subject);
    assert!(echo.raw.contains("Auto-Submitted: auto-replied\r\n"));
    assert!(echo.reply_to.starts_with("robot+W7.1."), "{}", echo.reply_to);
    assert!(echo.message_id.len() <= 60, "{}", echo.message_id);
    assert_eq!(host.on_file(1), "M 1 3\nC 1 1\nM 99 1\n");
}

#[test]
fn a_new_card_replaces_add_appends_cancel_withdraws_check_changes_nothing() {
    let mut host = Host::new();
    // Each card with its outcome, whether the echo says that it replaces a card, and the orders on
    // file.
    for (card, reason, replaces, on_file) in [
        ("M 1 3\n", Reason::Filed, false, "M 1 3\n"),
        ("M 2 3\n", Reason::Filed, true, "M 2 3\n"),
        ("ADD\nM 3 3\n", Reason::Added, false, "M 2 3\nM 3 3\n"),
        ("CHECK\nM 4 3\n", Reason::Checked, false, "M 2 3\nM 3 3\n"),
        ("CANCEL\n", Reason::Cancelled, false, ""),
        ("M 5 3\n", Reason::Filed, false, "M 5 3\n"),
    ] {
        let row = host.receive(host.card(2, card));
        assert_eq!(row.reason, reason, "{card}");
        let says = host.answers(&row)[0].text.contains("It replaces the card that was on file");
        assert_eq!(says, replaces, "{card}");
        assert_eq!(host.on_file(2), on_file, "{card}");
    }
}

#[test]
fn added_lines_count_with_those_on_file_and_the_limit_is_for_all() {
    let limits = Limits { card_lines_max: 3, ..Limits::default() };
    let mut host = Host::with(&registry::ENGINES, "warlord", 4, limits);
    host.receive(host.card(1, "M 1 3\nM 2 3\n"));
    let row = host.receive(host.card(1, "ADD\nM 3 3\nM 4 3\n"));
    assert_eq!(row.reason, Reason::TooManyLines);
    let told = host.answers(&row).remove(0).text;
    assert!(told.contains("would be 4; a card has at most 3"), "{told}");
    assert_eq!(host.on_file(1), "M 1 3\nM 2 3\n");
    assert_eq!(host.receive(host.card(1, "ADD\nM 3 3\n")).reason, Reason::Added);
}

#[test]
fn a_pending_card_was_received_when_it_came_not_when_it_is_confirmed() {
    let mut host = Host::new();
    let row = host.receive(mail(&player(1), "robot@fieldpost.example", "M 1 3\n"));
    let question = host.answers(&row).remove(0);
    // The deadline has passed, and the turn has not run yet.
    let due = host.robot.game("W7").expect("the game").deadline.expect("a deadline");
    host.clock.set(due + jiff::SignedDuration::from_secs(5));
    assert_eq!(host.receive(host.card(2, "M 1 3\n")).reason, Reason::Late);
    let row = host.receive(mail(&player(1), &question.reply_to, "YES\n"));
    assert_eq!(row.reason, Reason::Filed, "{}", row.why);
    assert_eq!(host.on_file(1), "M 1 3\n");
}

#[test]
fn added_lines_are_numbered_behind_those_on_file() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\nM 2 3\n"));
    let row = host.receive(host.card(1, "ADD\nM 1 7\n"));
    let echo = host.answers(&row).remove(0).text;
    assert!(echo.contains("|   3  M 1 7"), "{echo}");
    assert!(echo.contains("unit 1 has its order in line 1"), "{echo}");
}

#[test]
fn a_password_in_the_card_proves_as_much_as_the_reply_address() {
    let mut host = Host::new();
    let card = format!("GAME w7 SEAT 3 PASSWORD {}\nM 1 3\n", host.passwords[2]);
    let row = host.receive(mail(&player(3), "robot@fieldpost.example", &card));
    assert_eq!(row.reason.as_str(), "filed");
    assert_eq!(host.on_file(3), "M 1 3\n");
}

#[test]
fn a_reply_that_lost_its_plus_address_is_known_by_what_it_answers() {
    let mut host = Host::new();
    let first = host.receive(host.card(1, "M 1 3\n"));
    let echo = host.answers(&first).remove(0);
    let card = mail(&player(1), "robot@fieldpost.example", "M 2 3\n")
        .replace("Subject:", &format!("In-Reply-To: <{}>\r\nSubject:", echo.message_id));
    let row = host.receive(card);
    assert_eq!(row.reason.as_str(), "filed");
    assert_eq!(host.on_file(1), "M 2 3\n");
}

#[test]
fn an_unproven_card_is_pending_until_the_registered_address_says_yes() {
    let mut host = Host::new();
    let row = host.receive(mail(&player(1), "robot@fieldpost.example", "M 1 3\n"));
    assert_eq!(
        (row.verdict.map(|v| v.as_str()), row.reason.as_str()),
        (Some("pending"), "unproven")
    );
    assert_eq!(host.on_file(1), "");
    let ask = host.answers(&row).remove(0);
    assert_eq!(ask.to, player(1));
    let row = host.receive(mail(&player(1), &ask.reply_to, "yes\n"));
    assert_eq!(row.reason.as_str(), "filed");
    assert_eq!(host.on_file(1), "M 1 3\n");
    let again = host.receive(mail(&player(1), &ask.reply_to, "yes, please\nYES\n"));
    assert_ne!(again.reason.as_str(), "filed", "a confirmation works once");
}

#[test]
fn the_right_secret_from_another_address_is_pending_and_only_the_registered_one_is_asked() {
    let mut host = Host::new();
    let card = host.card(2, "M 1 3\n").replace(&player(2), "thief@elsewhere.example");
    let row = host.receive(card);
    assert_eq!(
        (row.verdict.map(|v| v.as_str()), row.reason.as_str()),
        (Some("pending"), "other-address")
    );
    let answers = host.answers(&row);
    assert_eq!(answers.iter().map(|a| a.to.as_str()).collect::<Vec<_>>(), [player(2)]);
    // The thief can't confirm the question either.
    let row = host.receive(mail("thief@elsewhere.example", &answers[0].reply_to, "YES\n"));
    assert_ne!(row.verdict.map(|v| v.as_str()), Some("accepted"));
    assert_eq!(host.on_file(2), "");
}

#[test]
fn status_shows_orders_and_resend_sends_the_printout_again() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n"));
    let row = host.receive(host.card(1, "STATUS\n"));
    assert!(host.answers(&row)[0].text.contains("M 1 3"));
    let row = host.receive(host.card(1, "RESEND\n"));
    let again = host.answers(&row).remove(0);
    assert!(again.text.contains("Strategic map"), "{}", again.text);
    let row = host.receive(host.card(1, "RESEND 9\n"));
    assert_eq!(row.reason.as_str(), "no-printout");
}

#[test]
fn help_lists_orders_and_explains_one() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "HELP\n"));
    let help = host.answers(&row).remove(0).text;
    assert!(help.contains("Advance: A unit|sector sector|direction"), "{help}");
    let row = host.receive(host.card(1, "help m\n"));
    assert!(host.answers(&row)[0].text.contains("| M 03454 0011"));
    let row = host.receive(host.card(1, "HELP CODES\n"));
    assert!(host.answers(&row)[0].text.contains("155"));
}

#[test]
fn orders_typed_into_the_quoted_card_of_the_open_turn_are_filed() {
    let mut host = Host::new();
    let printout = host.robot.store.outbox().printout("W7", engine::Seat(1), 1);
    let printout = support::host::got(&printout.expect("a store").expect("a printout"));
    let mut body = String::new();
    for line in printout.text.lines() {
        body += &format!("> {line}\n");
        if line.starts_with("| unit 1:") {
            body += "M 1 35\n";
        }
    }
    let row = host.receive(mail(&player(1), &printout.reply_to, &body));
    assert_eq!(row.reason.as_str(), "filed");
    assert_eq!(host.on_file(1), "M 1 35\n");
}

#[test]
fn a_card_below_an_unmarked_original_is_not_executed_and_the_echo_says_so() {
    let mut host = Host::new();
    let marker = mail::marker::MARKER;
    let row = host.receive(host.card(1, &format!("{marker}\nold\nM 1 3\n")));
    assert_eq!(row.reason.as_str(), "no-orders");
    assert!(host.answers(&row)[0].text.contains("looks like orders"));
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_card_below_an_original_whose_every_line_is_marked_is_new() {
    let mut host = Host::new();
    let marker = mail::marker::MARKER;
    let quoted = format!("Fieldpost <r@x> wrote:\n> {marker}\n> old\n> M 9 9\n\nM 1 3\n-- \nme\n");
    let row = host.receive(host.card(1, &quoted));
    assert_eq!(row.reason.as_str(), "filed");
    assert_eq!(host.on_file(1), "M 1 3\n");
}

#[test]
fn the_deadline_runs_the_turn_once_and_mails_every_seat() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n"));
    let due = host.robot.game("W7").expect("the game").deadline.expect("a deadline");
    host.clock.set(due + jiff::SignedDuration::from_secs(5));
    // No complete fetch has begun since the deadline: a card may still be in the mailbox.
    assert_eq!(host.robot.run_due(due - jiff::SignedDuration::from_secs(1)).expect("runs"), 0);
    assert_eq!(host.robot.run_due(due).expect("runs"), 1);
    assert_eq!(host.robot.run_due(due).expect("runs"), 0);
    let game = host.robot.game("W7").expect("the game");
    assert_eq!(game.turn, 2);
    for seat in 1..=4 {
        let printout = host.robot.store.outbox().printout("W7", engine::Seat(seat), 2);
        let text = support::host::got(&printout.expect("a store").expect("a printout")).text;
        let seed = host.robot.store.journal().seed_of("W7", 1).expect("a store").expect("a seed");
        assert!(!text.contains(&format!("{seed:016x}")), "seeds are opened at the end");
        let digest = &game.chains[0].told.end;
        let last: Vec<&str> = text.lines().rev().take(16).collect();
        assert!(last.iter().any(|l| l.contains(digest.as_str())), "the next seed is committed to");
    }
    let missed: Vec<u32> =
        host.robot.store.games().seats("W7").expect("a store").iter().map(|s| s.missed).collect();
    assert_eq!(missed, [0, 1, 1, 1]);
}

#[test]
fn addresses_are_told_with_consent_only() {
    let mut host = Host::new();
    host.receive(host.card(1, "Y 2 156\n"));
    host.receive(host.card(2, "Y 1 156\n"));
    host.run_turn();
    let printout = |seat| {
        let found = host.robot.store.outbox().printout("W7", engine::Seat(seat), 2);
        support::host::got(&found.expect("a store").expect("a printout")).text
    };
    assert!(printout(2).contains(&player(1)), "seat 1 discloses");
    assert!(!printout(1).contains(&player(2)), "seat 2 does not");
}

/// A mail with a file beside its text.
fn with_file(card: &str, media: &str, file: &str) -> String {
    let (head, text) = card.split_once("\r\n\r\n").expect("a mail");
    let head: String = head
        .split("\r\n")
        .filter(|l| !l.starts_with("Content-"))
        .map(|l| format!("{l}\r\n"))
        .collect();
    format!(
        "{head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{text}\r\n\
         --b\r\nContent-Type: {media}; name=x.json\r\n\
         Content-Disposition: attachment; filename=x.json\r\n\r\n{file}\r\n--b--\r\n"
    )
}

const JSON_CARD: &str = "{\"schema\": \"fieldpost/card/1\", \"orders\": [\"M 1 3\", \"C 1 1\"]}";

#[test]
fn a_card_as_json_is_read_like_its_lines_in_the_text_and_as_a_file() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, JSON_CARD));
    assert_eq!((row.reason.as_str(), host.on_file(1).as_str()), ("filed", "M 1 3\nC 1 1\n"));
    let spread = JSON_CARD.replace(", ", ",\r\n  ");
    let row = host.receive(host.card(2, &spread));
    assert_eq!((row.reason.as_str(), host.on_file(2).as_str()), ("filed", "M 1 3\nC 1 1\n"));
    let mail = with_file(&host.card(3, ""), "application/json", JSON_CARD);
    let row = host.receive(mail);
    assert_eq!((row.reason.as_str(), host.on_file(3).as_str()), ("filed", "M 1 3\nC 1 1\n"));
    let checked = JSON_CARD.replace("\"orders\"", "\"mode\": \"check\", \"orders\"");
    let row = host.receive(with_file(&host.card(4, ""), "application/json", &checked));
    assert_eq!((row.reason.as_str(), host.on_file(4).as_str()), ("checked", ""));
}

#[test]
fn a_card_as_json_that_can_not_be_read_is_answered_with_the_right_form() {
    let mut host = Host::new();
    for wrong in [JSON_CARD.replace("orders", "order"), JSON_CARD.replace("card/1", "card/9")] {
        let row = host.receive(host.card(1, &wrong));
        assert_eq!(row.reason.as_str(), "bad-json", "{wrong}");
        let answer = host.answers(&row)[0].text.replace('\n', " ");
        assert!(answer.contains("Its form is: {\"schema\""), "{answer}");
        assert_eq!(host.on_file(1), "");
    }
}

#[test]
fn a_turn_json_that_comes_back_with_a_card_is_not_taken_for_one() {
    let mut host = Host::new();
    let turn = "{\"schema\": \"fieldpost/turn/2\", \"game\": \"W7\"}";
    let row = host.receive(with_file(&host.card(1, "M 1 3\r\n"), "application/json", turn));
    assert_eq!((row.reason.as_str(), host.on_file(1).as_str()), ("filed", "M 1 3\n"));
}
