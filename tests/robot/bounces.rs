//! Mails that come back: whose they are, how they count and until when; and the queue of outgoing
//! mails.

use std::collections::BTreeSet;

use engine::Seat;
use mail::SendResult;
use registry::ENGINES;
use robot::limits::Limits;
use store::{Reason, Verdict};

use support::host::*;

/// Seconds for which a mail is tried.
const GIVE_UP: i64 = 5 * 86_400;

/// A mail in the outbox.
#[derive(Debug, Clone)]
struct Row {
    id: i64,
    kind: String,
    state: String,
    message_id: String,
    envelope: String,
    token: String,
    error: String,
}

/// The mails to an address, oldest first.
fn rows(host: &Host, to: &str) -> Vec<Row> {
    let sql = "SELECT id, kind, state, message_id, envelope_from, bounce, last_error FROM outbox
               WHERE recipient = $1 ORDER BY id";
    let rows = host.robot.store.database().all(sql, &[&to], |r| {
        Ok(Row {
            id: r.get(0)?,
            kind: r.get(1)?,
            state: r.get(2)?,
            message_id: r.get(3)?,
            envelope: r.get(4)?,
            token: r.get(5)?,
            error: r.get(6)?,
        })
    });
    rows.expect("rows")
}

fn last(host: &Host, to: &str) -> Row {
    rows(host, to).pop().expect("a mail")
}

fn state(host: &Host, id: i64) -> String {
    let sql = "SELECT state FROM outbox WHERE id = $1";
    host.robot.store.database().one(sql, &[&id], |r| r.get(0)).expect("a mail")
}

/// The score of an address: two points for a failure, one for a temporary one.
fn score(host: &Host, address: &str) -> i64 {
    let sql = "SELECT CAST(coalesce(sum(bounces), 0) AS BIGINT) FROM address WHERE address = $1";
    host.robot.store.database().one(sql, &[&address], |r| r.get(0)).expect("a number")
}

fn told(host: &Host) -> usize {
    rows(host, "gm@fieldpost.example").len()
}

/// A report to an address of the robot (RFC 3464); `n` makes it unique.
fn report(to: &str, n: u32, status: &str, about: &str) -> String {
    format!(
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@mx.players.example\r\nTo: <{to}>\r\n\
         Subject: Undelivered Mail Returned to Sender\r\nMessage-ID: <{n}@mx.players.example>\r\n\
         Auto-Submitted: auto-replied\r\n\
         Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n\r\n\
         --b\r\nContent-Type: text/plain\r\n\r\nSorry.\r\n\r\n--b\r\n\
         Content-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.players.example\r\n\
         \r\nFinal-Recipient: rfc822; p1@players.example\r\n{status}\r\n\r\n--b\r\n\
         Content-Type: text/rfc822-headers\r\n\r\nFrom: {ROBOT}\r\nMessage-ID: <{about}>\r\n\r\n\
         --b--\r\n"
    )
}

const FAILED: &str = "Action: failed\r\nStatus: 5.1.1";

/// Lets the newest mail to an address come back; gives the reason of the verdict.
fn comes_back(host: &mut Host, to: &str, n: u32, status: &str) -> String {
    let row = last(host, to);
    let judged = host.receive(report(&row.envelope, n, status, ""));
    assert_eq!(judged.verdict, Some(Verdict::Ignored), "{}", judged.reason);
    assert!(host.answers(&judged).is_empty(), "a bounce is never answered");
    judged.reason.to_string()
}

/// Three mails to the player of seat 1 come back.
fn suspended() -> Host {
    let mut host = Host::new();
    let to = player(1);
    assert_eq!(comes_back(&mut host, &to, 1, FAILED), "bounce");
    for n in 2..=3 {
        host.robot
            .as_game_master(|gm| gm.tell_players("W7", Some(Seat(1)), "hello", &n.to_string()))
            .expect("told");
        assert!(!host.robot.store.people().is_suppressed(&to).expect("a store"), "{n}");
        assert_eq!(comes_back(&mut host, &to, n, FAILED), "bounce");
    }
    assert!(host.robot.store.people().is_suppressed(&to).expect("a store"));
    host
}

#[test]
fn b3_every_mail_has_a_return_path_of_its_own() {
    let mut host = Host::new();
    host.receive(host.card(1, "C 1 1\n"));
    host.receive(mail(&player(2), ROBOT, "C 1 1\n"));
    host.receive(mail("max@nowhere.example", ROBOT, "hm?\n"));
    let to = ["p1@players.example", "p2@players.example", "max@nowhere.example"];
    let all: Vec<Row> = to.iter().flat_map(|a| rows(&host, a)).collect();
    assert_eq!(all.len(), 5);
    for row in &all {
        assert_eq!(row.envelope, format!("robot+b.{}@fieldpost.example", row.token));
        assert_eq!(row.token.len(), base::secrets::SECRET_LEN);
        assert!(!row.message_id.contains(&row.token), "the token is a secret of its own");
    }
    let tokens: BTreeSet<&str> = all.iter().map(|r| r.token.as_str()).collect();
    assert_eq!(tokens.len(), all.len());
}

#[test]
fn c6_a_failure_counts_once_for_each_mail() {
    let mut host = Host::new();
    let to = player(1);
    let row = last(&host, &to);
    assert_eq!(comes_back(&mut host, &to, 1, FAILED), "bounce");
    let after = last(&host, &to);
    assert_eq!((after.state.as_str(), after.error.as_str()), ("bounced", "5.1.1"));
    assert_eq!(score(&host, &to), 2);
    assert_eq!(comes_back(&mut host, &to, 2, FAILED), "bounce");
    assert_eq!(score(&host, &to), 2, "a second report about the same mail");
    // Capitals do not matter to servers.
    let shouted = row.envelope.replace(&row.token, &row.token.to_uppercase());
    assert_eq!(host.receive(report(&shouted, 3, FAILED, "")).reason.as_str(), "bounce");
    assert_eq!(score(&host, &to), 2);
    assert_eq!(score(&host, &player(2)), 0);
}

#[test]
fn a4_a_delay_and_a_delivery_are_no_failures() {
    let mut host = Host::new();
    let to = player(1);
    let delayed = "Action: delayed\r\nStatus: 4.4.1";
    assert_eq!(comes_back(&mut host, &to, 1, delayed), "delayed");
    assert_eq!((score(&host, &to), last(&host, &to).state.as_str()), (0, "waiting"));
    assert_eq!(comes_back(&mut host, &to, 2, FAILED), "bounce");
    assert_eq!(comes_back(&mut host, &to, 3, "Action: relayed\r\nStatus: 2.0.0"), "delivered");
    assert_eq!(score(&host, &to), 0, "what arrives makes the address well");
}

#[test]
fn c6_a_failure_that_may_pass_counts_half() {
    let mut host = Host::new();
    let to = player(1);
    let soft = ["4.2.2", "5.2.2", "4.4.1", "4.7.1", "5.2.2", "4.2.1"];
    for (n, code) in (1..).zip(soft) {
        assert!(!host.robot.store.people().is_suppressed(&to).expect("a store"), "{n}");
        let status = format!("Action: failed\r\nStatus: {code}");
        assert_eq!(comes_back(&mut host, &to, n, &status), "bounce", "{code}");
        assert_eq!(score(&host, &to), i64::from(n), "{code}");
        host.robot
            .as_game_master(|gm| gm.tell_players("W7", Some(Seat(1)), "hello", &n.to_string()))
            .expect("told");
    }
    assert!(host.robot.store.people().is_suppressed(&to).expect("a store"), "six halves are three");
}

#[test]
fn c6_after_three_failures_an_address_gets_no_mail_and_the_game_master_is_told() {
    let mut host = suspended();
    let row = host.robot.store.games().seat("W7", Seat(1)).expect("a store").expect("the seat");
    assert!(row.unreachable);
    let before = told(&host);
    host.robot.tick().expect("the calendar");
    host.robot.tick().expect("the calendar");
    assert_eq!(told(&host), before + 1, "once");
    let text = host.told_game_master();
    assert!(text.contains("seat 1 of game W7"), "{text}");
    host.robot.as_game_master(|gm| gm.tell_players("W7", None, "hello", "all")).expect("told");
    assert_eq!(last(&host, &player(1)).state.as_str(), "suppressed");
    assert_eq!(last(&host, &player(2)).state.as_str(), "waiting");
    let other = host.robot.store.games().seat("W7", Seat(2)).expect("a store").expect("the seat");
    assert!(!other.unreachable);
    host.run_turn();
    assert_eq!(last(&host, &player(1)).state.as_str(), "suppressed");
    assert_eq!(last(&host, &player(1)).kind.as_str(), "printout");
    let now = host.robot.now();
    let leaving = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
    assert!(leaving.iter().all(|r| r.mail.to != player(1)), "nothing leaves for it");
}

#[test]
fn c6_a_proven_card_ends_it_and_what_is_still_of_use_goes_out() {
    let mut host = suspended();
    let to = player(1);
    // Anybody can write such a mail; it proves nothing.
    let status = host.receive(mail(&to, ROBOT, "STATUS\n"));
    assert_eq!(status.reason.as_str(), "status");
    assert!(host.robot.store.people().is_suppressed(&to).expect("a store"));
    let echo = last(&host, &to);
    assert_eq!((echo.kind.as_str(), echo.state.as_str()), ("echo", "suppressed"));
    host.robot
        .as_game_master(|gm| gm.tell_players("W7", Some(Seat(1)), "hello", "later"))
        .expect("told");
    let notice = last(&host, &to);
    assert_eq!((notice.kind.as_str(), notice.state.as_str()), ("notice", "suppressed"));
    host.pass(3 * 24 * 60);
    assert_eq!(host.receive(host.card(1, "C 1 1\n")).reason.as_str(), "filed");
    assert!(!host.robot.store.people().is_suppressed(&to).expect("a store"));
    assert_eq!(score(&host, &to), 0);
    let row = host.robot.store.games().seat("W7", Seat(1)).expect("a store").expect("the seat");
    assert!(!row.unreachable);
    assert_eq!(state(&host, notice.id), "waiting");
    assert_eq!(state(&host, echo.id), "suppressed", "an echo of three days ago is of no use");
    assert_eq!(last(&host, &to).state.as_str(), "waiting", "the new echo");
    assert!(rows(&host, &to).iter().filter(|r| r.state.as_str() == "bounced").count() == 3);
}

#[test]
fn a3_a_made_up_report_blames_nobody() {
    let mut host = Host::new();
    let made_up = [
        "robot+b.aaaaaaaaaaaaa@fieldpost.example",
        "robot+b.@fieldpost.example",
        "robot+b@fieldpost.example",
        "robot+b.x.y@fieldpost.example",
        "robot+b.%@fieldpost.example",
        ROBOT,
    ];
    for (n, to) in (1..).zip(made_up) {
        let row = host.receive(report(to, n, FAILED, "w7.1.1.p.aaaaaaaaaaaaa@fieldpost.example"));
        assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Ignored), "report"), "{to}");
        assert!(host.answers(&row).is_empty(), "{to}");
    }
    let sql = "SELECT count(*) FROM address";
    let blamed: i64 = host.robot.store.database().one(sql, &[], |r| r.get(0)).expect("a number");
    assert_eq!(blamed, 0);
    assert!(rows(&host, &player(1)).iter().all(|r| r.state.as_str() == "waiting"));
}

#[test]
fn a3_a_report_without_the_return_path_is_known_by_the_returned_header() {
    let mut host = Host::new();
    let row = last(&host, &player(1));
    let judged = host.receive(report(ROBOT, 1, FAILED, &row.message_id));
    assert_eq!(judged.reason.as_str(), "bounce");
    assert_eq!(state(&host, row.id), "bounced");
    assert_eq!(score(&host, &player(1)), 2);
    // The token says more than the text, which others may have written.
    let other = last(&host, &player(2));
    host.receive(report(&other.envelope, 2, FAILED, &row.message_id));
    assert_eq!((state(&host, other.id).as_str(), score(&host, &player(1))), ("bounced", 2));
}

/// A plain mail from nobody to the return path of the newest mail to seat 1.
fn from_nobody(host: &Host, fields: &str, text: &str) -> String {
    let to = last(host, &player(1)).envelope;
    mail(&player(1), &to, text)
        .replacen("Return-Path: <p1@players.example>", "Return-Path: <>", 1)
        .replacen("Subject: orders\r\n", fields, 1)
}

#[test]
fn a3_a_bounce_without_a_report_counts_by_its_return_path() {
    let mut host = Host::new();
    let text = "<p1@players.example>:\nSorry, no mailbox here by that name. (#5.1.1)\n";
    let raw = from_nobody(&host, "Subject: failure notice\r\n", text);
    let raw = raw.replacen("From: <p1@players.example>", "From: <MAILER-DAEMON@mx.example>", 1);
    assert_eq!(host.receive(raw).reason.as_str(), "bounce");
    assert_eq!(score(&host, &player(1)), 2);
}

#[test]
fn a7_a_vacation_reply_to_the_return_path_is_no_failure() {
    let mut wrong = Vec::new();
    for fields in [
        "Subject: Auto: [W7 T1 S1]\r\nAuto-Submitted: auto-replied (vacation)\r\n",
        "Subject: Auto: [W7 T1 S1]\r\nAuto-Submitted: Auto-Replied\r\n",
        "Subject: Automatic reply: [W7 T1 S1]\r\nAuto-Submitted: auto-generated\r\n\
         X-Auto-Response-Suppress: All\r\n",
        "Subject: Out of Office: [W7 T1 S1]\r\n",
        "Subject: Re: [W7 T1 S1]\r\nX-Autoreply: yes\r\nPrecedence: bulk\r\n",
    ] {
        let mut host = Host::new();
        let raw = from_nobody(&host, fields, "I am out of the office until 7 January.\n");
        let row = host.receive(raw);
        assert_eq!(row.verdict, Some(Verdict::Ignored), "{fields}");
        assert!(host.answers(&row).is_empty(), "{fields}");
        if score(&host, &player(1)) > 0 || last(&host, &player(1)).state.as_str() != "waiting" {
            wrong.push(format!("{fields:?}: {} ({})", row.reason, row.why));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a2_nobody_is_answered_at_a_return_path() {
    let mut host = Host::new();
    let to = last(&host, &player(1)).envelope;
    // A mail of a person to that address is not a bounce, and has no secret.
    let row = host.receive(mail("max@nowhere.example", &to, "hello?\n"));
    assert_eq!(row.reason.as_str(), "unknown-sender");
    let row = host.receive(mail(&player(1), &to, "C 1 1\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Pending), "unproven"));
    assert_eq!(score(&host, &player(1)), 0);
}

#[test]
fn a3_a_card_that_a_mail_system_gives_back_in_its_players_name_is_asked_about() {
    let robot = "robot@fieldpost.example";
    for text in [
        format!("Your message to {robot} was blocked and has NOT BEEN DELIVERED."),
        format!("Ihre Nachricht an {robot} wurde nicht zugestellt."),
        format!("Votre message à {robot} n'a pas pu être distribué."),
        format!("您发送给 {robot} 的邮件无法送达。"),
        format!("Vaša poruka nije isporučena:\n<{robot}>: 550 5.1.1 User unknown"),
    ] {
        let mut host = Host::new();
        host.receive(host.card(1, "M 1 3\n"));
        let row = host.receive(host.card(1, &format!("{text}\n\nM 2 3\nM 3 3\nC 1 1\n")));
        assert_eq!((row.verdict, row.reason), (Some(Verdict::Pending), Reason::Doubtful), "{text}");
        assert_eq!(host.on_file(1), "M 1 3\n", "{text}");
        let asked = host.answers(&row).remove(0);
        assert!(asked.text.contains("reads like the report of a mail system"), "{}", asked.text);
        // The player decides.
        let row = host.receive(mail(&player(1), &asked.reply_to, "YES\n"));
        assert_eq!(row.reason, Reason::Filed, "{text}: {}", row.why);
        assert!(host.on_file(1).ends_with("M 2 3\nM 3 3\nC 1 1\n"), "{text}");
    }
    // A mail that mentions it below orders is from a person.
    let mut host = Host::new();
    let told = format!("M 4 3\n\nMy mail to {robot} could not be delivered yesterday.\n");
    assert_eq!(host.receive(host.card(1, &told)).reason, Reason::Filed);
}

/// Sends everything that waits.
fn drain(host: &mut Host) {
    let now = host.robot.now();
    loop {
        let due = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
        if due.is_empty() {
            return;
        }
        for row in &due {
            host.robot
                .store
                .write(|tx| tx.outbox().sent([(row, &SendResult::Sent)], now, GIVE_UP))
                .expect("noted");
        }
    }
}

/// Claims the one mail to seat 1 that waits, and notes the result.
fn attempt(host: &mut Host, result: &SendResult) -> i64 {
    let now = host.robot.now();
    let due = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
    let row = due.iter().find(|r| r.mail.to == player(1)).expect("a mail that is due");
    host.robot.store.write(|tx| tx.outbox().sent([(row, result)], now, GIVE_UP)).expect("noted");
    row.id
}

#[test]
fn c3_a_refusal_for_good_is_a_bounce_and_one_for_now_is_none() {
    let mut host = Host::new();
    let later = SendResult::Later("450 4.2.0 greylisted".to_owned());
    let id = attempt(&mut host, &later);
    assert_eq!((state(&host, id).as_str(), score(&host, &player(1))), ("waiting", 0));
    let now = host.robot.now();
    assert!(
        host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store").is_empty(),
        "it waits"
    );
    host.pass(10);
    let never = SendResult::Never("550 5.1.1 no such user".to_owned());
    assert_eq!(attempt(&mut host, &never), id, "the same mail under the same id");
    assert_eq!((state(&host, id).as_str(), score(&host, &player(1))), ("failed", 2));
    for n in 0..2 {
        host.robot
            .as_game_master(|gm| gm.tell_players("W7", Some(Seat(1)), "hello", &n.to_string()))
            .expect("told");
        attempt(&mut host, &never);
    }
    assert!(host.robot.store.people().is_suppressed(&player(1)).expect("a store"));
    let before = told(&host);
    host.robot.tick().expect("the calendar");
    assert_eq!(told(&host), before + 1);
}

#[test]
fn c3_a_refusal_for_the_size_alone_says_nothing_of_the_address() {
    let mut host = Host::new();
    let never = SendResult::Never("552 5.3.4 message too big".to_owned());
    let id = attempt(&mut host, &never);
    assert_eq!((state(&host, id).as_str(), score(&host, &player(1))), ("failed", 0));
}

#[test]
fn c2_however_often_it_failed_a_mail_is_tried_again_within_five_hours() {
    let mut host = Host::new();
    let later = SendResult::Later("450 4.2.0 greylisted".to_owned());
    let first = attempt(&mut host, &later);
    for _ in 0..20 {
        host.pass(5 * 60);
        assert_eq!(attempt(&mut host, &later), first, "it is due");
    }
    assert_eq!(state(&host, first), "waiting");
}

#[test]
fn c2_a_mail_is_given_up_after_its_time() {
    let mut host = Host::new();
    let later = SendResult::Later("451".to_owned());
    let id = attempt(&mut host, &later);
    host.pass(4 * 24 * 60);
    assert_eq!(attempt(&mut host, &later), id);
    assert_eq!(state(&host, id), "waiting");
    host.pass(2 * 24 * 60);
    assert_eq!(attempt(&mut host, &later), id);
    assert_eq!((state(&host, id).as_str(), score(&host, &player(1))), ("failed", 0));
}

#[test]
fn c2_an_echo_is_of_no_use_after_two_days_and_a_printout_is() {
    let mut host = Host::new();
    let printout = last(&host, &player(1));
    host.receive(host.card(1, "C 1 1\n"));
    let echo = last(&host, &player(1));
    host.pass(3 * 24 * 60);
    let now = host.robot.now();
    let due = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
    assert!(due.iter().any(|r| r.id == printout.id) && due.iter().all(|r| r.id != echo.id));
    let echo = last(&host, &player(1));
    assert_eq!((echo.kind.as_str(), echo.state.as_str()), ("echo", "failed"));
    assert!(echo.error.contains("of no use"), "{}", echo.error);
    assert_eq!(state(&host, printout.id), "waiting");
    assert_eq!(score(&host, &player(1)), 0, "nobody is blamed");
}

#[test]
fn c7_printouts_leave_first_and_each_recipients_mails_in_order() {
    let mut host = Host::new();
    drain(&mut host);
    host.receive(host.card(1, "C 1 1\n"));
    host.robot.run_turn("W7").expect("runs");
    let now = host.robot.now();
    let claimed = |host: &mut Host, most: u32| {
        let due = host.robot.store.write(|tx| tx.outbox().lease(now, most)).expect("a store");
        let mut found: Vec<_> =
            due.iter().map(|r| (r.mail.to.clone(), r.kind.to_string())).collect();
        found.retain(|(to, _)| to != "gm@fieldpost.example");
        found.sort();
        found
    };
    let printout = |n: u8| (player(n), "printout".to_owned());
    assert_eq!(claimed(&mut host, 3), [2, 3, 4].map(printout));
    let rest = claimed(&mut host, 3);
    assert_eq!(rest, [(player(1), "echo".to_owned())], "their printout waits for the echo");
    assert!(claimed(&mut host, 3).is_empty(), "one on its way for each recipient");
}

#[test]
fn c2_mails_that_failed_are_sent_again_on_demand() {
    let mut host = Host::new();
    let never = SendResult::Never("554".to_owned());
    let id = attempt(&mut host, &never);
    let unsent = host.robot.store.outbox().unsent(10).expect("a store");
    assert_eq!(unsent.iter().map(|r| r.id).collect::<Vec<_>>(), [id]);
    let now = host.robot.now();
    assert_eq!(
        host.robot.store.write(|tx| tx.outbox().send_again(Some(id + 1000), now)).expect("a store"),
        0
    );
    assert_eq!(
        host.robot.store.write(|tx| tx.outbox().send_again(Some(id), now)).expect("a store"),
        1
    );
    assert_eq!(
        host.robot.store.write(|tx| tx.outbox().send_again(None, now)).expect("a store"),
        0,
        "it waits already"
    );
    assert_eq!(attempt(&mut host, &SendResult::Sent), id);
    assert_eq!(state(&host, id), "sent");
    // What was sent and came back may go again too.
    assert_eq!(comes_back(&mut host, &player(1), 1, FAILED), "bounce");
    assert_eq!(host.robot.store.write(|tx| tx.outbox().send_again(None, now)).expect("a store"), 1);
    assert_eq!(state(&host, id), "waiting");
}

#[test]
fn c2_a_mail_that_is_sent_again_has_its_whole_time() {
    let mut host = Host::new();
    let id = attempt(&mut host, &SendResult::Never("554".to_owned()));
    host.pass(6 * 24 * 60);
    let now = host.robot.now();
    host.robot.store.write(|tx| tx.outbox().send_again(Some(id), now)).expect("a store");
    assert_eq!(attempt(&mut host, &SendResult::Later("450 greylisted".to_owned())), id);
    assert_eq!(state(&host, id), "waiting", "one delay is no failure");
}

/// Claims all mails that are due, and notes the same result for each; returns their addresses.
fn attempt_all(host: &mut Host, result: &SendResult) -> Vec<String> {
    let now = host.robot.now();
    let due = host.robot.store.write(|tx| tx.outbox().lease(now, 16)).expect("a store");
    let all = || due.iter().map(|row| (row, result));
    host.robot.store.write(|tx| tx.outbox().sent(all(), now, GIVE_UP)).expect("noted");
    due.into_iter().map(|row| row.mail.to).collect()
}

/// Twelve players whose first printouts wait, and nothing else.
fn twelve() -> Host {
    Host::with(&ENGINES, "warlord", 12, Limits::default())
}

fn blamed(host: &Host) -> i64 {
    (1..=12).map(|n| score(host, &player(n))).sum()
}

#[test]
fn c3_who_refuses_everybody_blames_nobody_and_is_asked_again_with_one_mail() {
    let mut host = twelve();
    let never = SendResult::Never("550 5.7.1 your host is on a list".to_owned());
    let tried = attempt_all(&mut host, &never);
    assert!(tried.len() >= 12, "all of them at once: {tried:?}");
    assert_eq!(blamed(&host), 0, "nobody is blamed");
    let waits = |host: &Host| (1..=12).all(|n| last(host, &player(n)).state == "waiting");
    assert!(waits(&host), "all mails are kept");

    // The game master gets one notice, even if [notify] sends it in another way than mail.
    host.robot.tick().expect("the calendar");
    host.robot.tick().expect("the calendar");
    let words = host.mails_to_address("gm@fieldpost.example");
    let words: Vec<_> = words.iter().filter(|m| m.subject.contains("no mail leaves")).collect();
    assert_eq!(words.len(), 1);
    assert!(words[0].text.contains("refuses the host, not them"), "{}", words[0].text);

    // Nothing is tried for a while; then one mail is, and the pauses grow.
    for minutes in [15, 30, 60, 120, 240, 240] {
        host.pass(minutes - 1);
        assert_eq!(attempt_all(&mut host, &never), Vec::<String>::new(), "{minutes}");
        host.pass(1);
        let next = host.robot.store.outbox().next_send().expect("read").expect("something waits");
        assert!(next <= host.robot.now(), "the sender wakes for it");
        assert_eq!(attempt_all(&mut host, &never).len(), 1, "{minutes}");
        assert_eq!(blamed(&host), 0);
    }
    // The game master may order a new try, or wait for the next one.
    let mut resumed = twelve();
    attempt_all(&mut resumed, &never);
    let now = resumed.robot.now();
    resumed.robot.store.write(|tx| tx.outbox().send_again(None, now)).expect("a store");
    resumed.pass(1);
    assert!(attempt_all(&mut resumed, &SendResult::Sent).len() >= 12);
    // The server takes one: then all others leave by themselves.
    host.pass(240);
    assert_eq!(attempt_all(&mut host, &SendResult::Sent).len(), 1);
    drain(&mut host);
    assert!((1..=12).all(|n| last(&host, &player(n)).state == "sent"));
    assert_eq!(host.robot.store.sending_held().expect("read"), None);
}

#[test]
fn c3_a_few_wrong_addresses_are_their_own_fault() {
    let mut host = twelve();
    let never = SendResult::Never("550 5.1.1 no such user".to_owned());
    let now = host.robot.now();
    let due = host.robot.store.write(|tx| tx.outbox().lease(now, 16)).expect("a store");
    let players: Vec<_> = due.iter().filter(|r| r.mail.to.starts_with('p')).collect();
    // Four refusals in a row, a mail that is taken, four refusals again: each refusal counts.
    let results = |n: usize| if n == 4 { &SendResult::Sent } else { &never };
    for (n, row) in players.iter().take(9).enumerate() {
        let done = [(*row, results(n))];
        host.robot.store.write(|tx| tx.outbox().sent(done, now, GIVE_UP)).expect("noted");
    }
    assert_eq!(blamed(&host), 8 * 2);
    assert_eq!(host.robot.store.sending_held().expect("read"), None);
    // The ninth is the fifth in a row: the counts of the last four are taken back.
    let done = [(players[9], &never)];
    host.robot.store.write(|tx| tx.outbox().sent(done, now, GIVE_UP)).expect("noted");
    assert_eq!(blamed(&host), 4 * 2);
    assert!(host.robot.store.sending_held().expect("read").is_some());
}

#[test]
fn c3_one_address_that_is_refused_again_and_again_holds_nobody_up() {
    let mut host = Host::new();
    let never = SendResult::Never("550 5.1.1 no such user".to_owned());
    host.robot.store.set_bounce_limit(9);
    attempt(&mut host, &never);
    for n in 0..6 {
        host.robot
            .as_game_master(|gm| gm.tell_players("W7", Some(Seat(1)), "hello", &n.to_string()))
            .expect("told");
        attempt(&mut host, &never);
    }
    assert_eq!(score(&host, &player(1)), 14);
    assert_eq!(host.robot.store.sending_held().expect("read"), None);
}

#[test]
fn c3_an_address_that_was_given_up_for_the_servers_fault_gets_its_mail_again() {
    let mut host = twelve();
    host.robot.store.set_bounce_limit(1);
    let never = SendResult::Never("550 5.7.1 no".to_owned());
    let now = host.robot.now();
    let due = host.robot.store.write(|tx| tx.outbox().lease(now, 16)).expect("a store");
    let players: Vec<_> = due.iter().filter(|r| r.mail.to.starts_with('p')).collect();
    for row in players.iter().take(4) {
        host.robot
            .store
            .write(|tx| tx.outbox().sent([(*row, &never)], now, GIVE_UP))
            .expect("noted");
        assert!(host.robot.store.people().is_suppressed(&row.mail.to).expect("a store"));
    }
    host.robot
        .store
        .write(|tx| tx.outbox().sent([(players[4], &never)], now, GIVE_UP))
        .expect("noted");
    for row in players.iter().take(5) {
        assert!(!host.robot.store.people().is_suppressed(&row.mail.to).expect("a store"));
        assert_eq!(state(&host, row.id), "waiting");
    }
}

#[test]
fn c3_nothing_but_a_refusal_for_good_counts_against_an_address() {
    let mut host = Host::new();
    let later = |code: &str| SendResult::Later(code.to_owned());
    for result in [
        later("421 4.7.0 too many connections"),
        later("450 4.1.1 try again"),
        later("451 4.3.0 later"),
        later("452 4.2.2 full"),
        later("the server does not answer"),
    ] {
        attempt(&mut host, &result);
        host.pass(5 * 60);
        assert_eq!(score(&host, &player(1)), 0, "{result:?}");
    }
    // What the server can't do is not the player's fault either.
    let id = attempt(&mut host, &SendResult::Unable("no SMTPUTF8".to_owned()));
    assert_eq!((state(&host, id).as_str(), score(&host, &player(1))), ("failed", 0));
}

#[test]
fn c5_a_mail_that_is_too_large_is_nobodys_fault_and_the_game_master_hears_of_it_once() {
    let mut host = Host::new();
    let large = SendResult::TooLarge { most: Some(2_000_000), why: "too large".to_owned() };
    let id = attempt(&mut host, &large);
    assert_eq!((state(&host, id).as_str(), score(&host, &player(1))), ("failed", 0));
    for _ in 0..2 {
        host.robot.tick().expect("the calendar");
    }
    let words = host.mails_to_address("gm@fieldpost.example");
    let words: Vec<_> = words.iter().filter(|m| m.subject.contains("too large")).collect();
    assert_eq!(words.len(), 1);
    assert!(words[0].text.contains("2000000 octets"), "{}", words[0].text);
    let now = host.robot.now();
    let most = |config| host.robot.store.sent_bytes_max(config, now).expect("read");
    assert_eq!((most(5_000_000), most(900_000)), (1_800_000, 900_000));
    // A month later the server may have changed its mind.
    host.pass(31 * 24 * 60);
    let now = host.robot.now();
    assert_eq!(host.robot.store.sent_bytes_max(5_000_000, now).expect("read"), 5_000_000);
}
