//! Who sent a mail, and when: what a seat's secret, an address and a domain prove, and
//! which of several mails counts.

use engine::Seat;
use jiff::SignedDuration;
use mail::RawMessage;
use mail::auth::Authenticity::{Fail, Pass, Unknown};
use store::Verdict;

use crate::talk::*;
use support::host::*;

#[test]
fn e14_what_another_player_forwards_is_not_executed() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "M 1 3\n").replace(&player(1), &player(2)));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Pending), "other-address"));
    assert!(host.answers(&row).iter().all(|m| m.to == player(1)));
    let below = "FYI\n\n---------- Forwarded message ---------\n\
                 From: Empire 1 <p1@players.example>\nDate: Sat, 30 May 2026\n\
                 Subject: orders\nTo: robot@fieldpost.example\n\nM 1 3\n";
    assert_eq!(say(&mut host, 2, below).reason.as_str(), "no-orders");
    assert_eq!((host.on_file(1), host.on_file(2)), (String::new(), String::new()));
}

#[test]
fn f2_policies_weigh_secret_address_and_the_word_of_the_domain() {
    let mut host = Host::new();
    // Policy, whether the secret came along, whether the address is the player's, the domain's
    // verdict, and the result.
    for (n, (policy, secret, own, authenticity, reason)) in [
        ("strict", true, true, Pass, "filed"),
        ("strict", true, true, Unknown, "not-vouched"),
        ("strict", true, true, Fail, "not-vouched"),
        ("strict", true, false, Pass, "other-address"),
        ("strict", false, true, Pass, "unproven"),
        ("strict", false, true, Unknown, "unproven"),
        ("strict", false, true, Fail, "not-vouched"),
        ("normal", true, true, Pass, "filed"),
        ("normal", true, true, Unknown, "filed"),
        ("normal", true, true, Fail, "not-vouched"),
        ("normal", true, false, Pass, "other-address"),
        ("normal", false, true, Pass, "filed"),
        ("normal", false, true, Unknown, "unproven"),
        ("normal", false, true, Fail, "not-vouched"),
        ("open", true, true, Unknown, "filed"),
        ("open", true, false, Unknown, "filed"),
        ("open", true, true, Fail, "not-vouched"),
        ("open", false, true, Pass, "filed"),
        ("open", false, true, Unknown, "filed"),
        ("open", false, true, Fail, "not-vouched"),
        ("open", false, false, Pass, "unknown-sender"),
    ]
    .into_iter()
    .enumerate()
    {
        set(&mut host, "policy", policy);
        host.pass(61);
        let before = host.on_file(1);
        let lines = format!("M 1 3\nM 1 {}\n", n + 1);
        let raw = match secret {
            true => host.card(1, &lines),
            false => mail(&player(1), ROBOT, &lines),
        };
        let raw = if own { raw } else { raw.replace(&player(1), NEW) };
        let message = RawMessage {
            authenticity,
            checked_from: if own { player(1) } else { NEW.to_owned() },
            ..host.message(raw.as_bytes())
        };
        let row = host.judge(message);
        let case = format!("{policy} {secret} {own} {authenticity:?}");
        assert_eq!(row.reason.as_str(), reason, "{case}");
        let expected = if reason == "filed" { lines } else { before };
        assert_eq!(host.on_file(1), expected, "{case}");
    }
}

#[test]
fn f2_a_domain_vouches_for_the_address_that_was_checked_and_for_no_other() {
    let mut host = Host::new();
    for (checked_from, reason) in
        [(player(1), "filed"), (NEW.to_owned(), "unproven"), (String::new(), "unproven")]
    {
        let raw = mail(&player(1), ROBOT, &format!("M 1 3\nM 1 {}\n", checked_from.len()));
        let message =
            RawMessage { authenticity: Pass, checked_from, ..host.message(raw.as_bytes()) };
        assert_eq!(host.judge(message).reason.as_str(), reason);
    }
}

#[test]
fn a_command_without_proof_waits_for_the_yes_of_the_registered_address() {
    let mut host = Host::new();
    let row = host.receive(mail(&player(1), ROBOT, "NAME Norland\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Pending), "unproven"));
    assert_eq!(seat(&host, 1).name, "Empire 1");
    let question = host.answers(&row).remove(0);
    assert_eq!(question.to, player(1));
    assert_eq!(yes(&mut host, &question).reason.as_str(), "settings");
    assert_eq!(seat(&host, 1).name, "Norland");
}

#[test]
fn a_secret_in_an_address_of_another_host_person_or_purpose_proves_nothing() {
    let mut host = Host::new();
    let own = host.last_mail(1).reply_to;
    for (from, to) in [
        ("@fieldpost.example", "@elsewhere.example"),
        ("robot+", "club+"),
        ("robot+", "robot+later."),
    ] {
        let other = own.replace(from, to);
        assert_ne!(other, own);
        let row = host.receive(mail(&player(1), &other, "M 1 3\n"));
        assert_eq!(row.reason.as_str(), "unproven", "{other}");
    }
    assert_eq!(host.receive(mail(&player(1), &own, "M 1 3\n")).reason.as_str(), "filed");
}

#[test]
fn f3_a_secret_of_four_turns_ago_proves_nothing() {
    let mut host = Host::new();
    let key = host.robot.store.key().clone();
    let to = |turn| format!("robot+W7.1.{}@fieldpost.example", key.reply("W7", Seat(1), 0, turn));
    for _ in 0..4 {
        // A player without orders for four turns is dropped.
        for seat in 1..=4 {
            host.receive(host.card(seat, "M 1 3\n"));
        }
        host.run_turn();
    }
    let row = host.receive(mail(&player(1), &to(1), "TURN 5\nM 1 3\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Pending), "unproven"));
    assert_eq!(
        host.receive(mail(THIEF, &to(1), "TURN 5\nM 1 3\n")).reason.as_str(),
        "wrong-secret"
    );
    assert_eq!(host.receive(mail(&player(1), &to(2), "TURN 5\nM 1 4\n")).reason.as_str(), "filed");
    assert_eq!(host.on_file(1), "M 1 4\n");
}

#[test]
fn f3_who_guesses_is_not_told_what_was_wrong_nor_answered_for_long() {
    let mut host = Host::new();
    let mut texts = std::collections::BTreeSet::new();
    for n in 0..12 {
        let place = ["W7.1", "W7.9", "Q1.1"][n % 3];
        let to = format!("robot+{place}.aaaaaaaaaaaaa@fieldpost.example");
        let row = host.receive(mail(&player(3), &to, &format!("M 1 {n}\n")));
        assert_eq!(row.reason.as_str(), "wrong-secret");
        let answers = host.answers(&row);
        assert_eq!(answers.len(), usize::from(n < 6), "guess {n}");
        texts.extend(answers.into_iter().map(|m| m.text));
    }
    assert_eq!(texts.len(), 1, "{texts:?}");
    // That locks nobody out, neither the rival nor the guesser.
    assert_eq!(say(&mut host, 1, "M 1 3\n").reason.as_str(), "filed");
    let row = say(&mut host, 3, "M 1 3\n");
    assert_eq!((row.reason.as_str(), host.answers(&row).len()), ("filed", 1));
}

#[test]
fn f5_the_card_that_was_received_last_counts_however_they_are_fetched() {
    let mut host = Host::new();
    let (first, second) = (host.card(1, "M 1 3\n"), host.card(1, "M 2 3\n"));
    let earlier = host.message(first.as_bytes());
    host.pass(1);
    let later = host.message(second.as_bytes());
    host.robot.receive(&[later, earlier]).expect("judged");
    assert_eq!(host.on_file(1), "M 2 3\n");
    assert_eq!(host.receive(&first).reason.as_str(), "duplicate");
    assert_eq!(host.on_file(1), "M 2 3\n");
    host.run_turn();
    let row = host.receive(first.replace("M 1 3", "M 3 3"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "passed-turn"));
    assert_eq!(host.on_file(1), "");
}

#[test]
fn f6_at_the_deadline_counts_by_the_servers_clock_alone() {
    let mut host = Host::new();
    let due = deadline(&host);
    host.clock.set(due + SignedDuration::from_secs(5));
    let raw = host.card(1, "M 1 3\n");
    let raw = raw.replace("Subject:", "Date: Tue, 1 Jan 2030 00:00:00 +0000\r\nSubject:");
    let message = RawMessage { received_at: due, ..host.message(raw.as_bytes()) };
    let row = host.judge(message);
    assert_eq!(row.reason.as_str(), "filed");
    assert!(!answer(&host, &row).contains("after the deadline"), "in time is in time");
    assert_eq!(host.on_file(1), "M 1 3\n");
}

#[test]
fn f7_a_mail_without_a_verdict_holds_the_turn_up() {
    let mut host = Host::new();
    let raw = host.card(1, "M 1 3\n");
    let message = host.message(raw.as_bytes());
    host.robot
        .store
        .write(|tx| tx.mails().store_raw(std::slice::from_ref(&message)))
        .expect("kept");
    assert_eq!(host.pass_deadline(), 0);
    host.robot.receive(&[]).expect("judged");
    assert_eq!(run(&mut host), 1);
    let turns = host.robot.store.journal().turns("W7").expect("the journal");
    assert!(turns.last().is_some_and(|t| t.cards.contains_key(&Seat(1))), "it counted");
}

#[test]
fn f8_a_late_card_is_told_so_and_which_turn_to_answer() {
    let mut host = Host::new();
    say(&mut host, 1, "M 1 3\n");
    host.clock.set(deadline(&host) + SignedDuration::from_secs(1));
    let raw = host.card(1, "M 2 3\n");
    let message = host.message(raw.as_bytes());
    let row = host.judge(message);
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "late"));
    let text = answer(&host, &row);
    assert!(text.contains("after the deadline of turn 1"), "{text}");
    assert!(text.contains("opens turn 2"), "{text}");
    assert_eq!(host.on_file(1), "M 1 3\n");
}

/// A mail of a seat's player that answers a mail only by its Message-ID.
fn answering(message_id: &str, address: &str, lines: &str) -> String {
    let field = format!("In-Reply-To: <{message_id}>\r\nSubject:");
    mail(address, ROBOT, lines).replacen("Subject:", &field, 1)
}

#[test]
fn f3_secrets_ends_all_mails_that_a_seat_has_had_and_its_answer_has_a_new_one() {
    let mut host = Host::new();
    let old = host.last_mail(1);
    let row = say(&mut host, 1, "SECRETS\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "settings"));
    let new = host.answers(&row).remove(0);
    assert_ne!(new.reply_to, old.reply_to);
    let row = host.receive(mail(&player(1), &old.reply_to, "M 1 3\n"));
    assert_eq!(row.reason.as_str(), "wrong-secret");
    let row = host.receive(answering(&old.message_id, &player(1), "M 1 4\n"));
    assert_eq!(row.reason.as_str(), "unproven");
    assert_eq!(host.receive(mail(&player(1), &new.reply_to, "M 1 5\n")).reason.as_str(), "filed");
    let row = host.receive(answering(&new.message_id, &player(1), "M 1 6\n"));
    assert_eq!(row.reason.as_str(), "filed");
    // Without a proof it needs a YES, like every command that changes something.
    let row = host.receive(mail(&player(2), ROBOT, "SECRETS\n"));
    assert_eq!(row.verdict, Some(Verdict::Pending));
    // The printout of the next turn is a proof too.
    host.run_turn();
    let printout = host.last_mail(1);
    assert_eq!(
        host.receive(mail(&player(1), &printout.reply_to, "M 1 3\n")).reason.as_str(),
        "filed"
    );
}

#[test]
fn f3_a_seat_whose_secrets_were_ended_often_has_new_ones_for_its_next_player() {
    let mut host = Host::new();
    set(&mut host, "join", "true");
    say(&mut host, 2, "SECRETS\n");
    let before = host.last_mail(2);
    let good = host.receive(mail(&player(2), &before.reply_to, "M 1 3\n"));
    assert_eq!(good.reason.as_str(), "filed", "{}", good.why);
    let row = host.receive(mail(&player(2), &before.reply_to, "RESIGN\n"));
    let question = asked(&host, &row);
    assert_eq!(yes(&mut host, &question).reason.as_str(), "resigned");
    assert_eq!(join(&mut host, LATER).reason.as_str(), "joined");
    for from in [player(2), LATER.to_owned()] {
        let row = host.receive(mail(&from, &before.reply_to, "M 2 3\n"));
        assert_ne!(row.verdict, Some(Verdict::Accepted), "{from}");
    }
    // The first printout of the next player has a valid address.
    let mut mails = host.mails_to_address(LATER).into_iter();
    let first = mails.find(|m| m.subject.contains(" begins: ")).expect("a printout");
    assert_eq!(host.receive(mail(LATER, &first.reply_to, "M 3 3\n")).reason.as_str(), "filed");
}

#[test]
fn a_card_with_the_secret_is_echoed_to_its_sender_and_to_the_registered_address() {
    let mut host = Host::new();
    let to = host.last_mail(1).reply_to;
    // Where a seat may not use another address, a mail from one counts as unproven.
    let row = host.receive(mail(NEW, &to, "M 1 4\n"));
    assert_eq!(row.reason.as_str(), "other-address");
    assert_eq!(count(&host, "SELECT count(*) FROM mail WHERE standing = $1", "unproven"), 1);
    let sql = "UPDATE seat SET any_address = 1 WHERE seat = 1";
    host.robot.store.database().exec(sql, &[]).expect("set");
    for (from, addresses) in
        [(player(1), vec![player(1)]), (NEW.into(), vec![player(1), NEW.into()])]
    {
        let row = host.receive(mail(&from, &to, "M 1 3\n"));
        let echoes: Vec<String> = host.answers(&row).into_iter().map(|m| m.to).collect();
        assert_eq!(echoes, addresses, "{}", row.why);
    }
}

#[test]
fn f3_who_had_the_address_or_the_seat_before_has_no_key_to_it() {
    let mut host = Host::new();
    let old = host.last_mail(1);
    let row = say(&mut host, 1, &format!("ADDRESS {NEW}\n"));
    let questions = host.answers(&row);
    for question in questions.iter().filter(|m| m.reply_to.starts_with("robot+yes.")) {
        yes(&mut host, question);
    }
    assert_eq!(seat(&host, 1).address, NEW);
    for from in [player(1), NEW.to_owned()] {
        let row = host.receive(mail(&from, &old.reply_to, "M 1 3\n"));
        assert_ne!(row.verdict, Some(Verdict::Accepted), "{from}");
    }
    let mut told = host.mails_to_address(NEW).into_iter();
    let told = told.find(|m| m.subject.contains("new address")).expect("a notice");
    assert_eq!(host.receive(mail(NEW, &told.reply_to, "M 1 3\n")).reason.as_str(), "filed");
    // A seat that is given to somebody else.
    let before = host.last_mail(2);
    resign(&mut host, 2);
    let given = robot::gm::setup::NewSeat {
        game: "W7".into(),
        seat: Seat(2),
        address: LATER.into(),
        name: "Later".into(),
        zone: None,
        contact: Default::default(),
        any_address: true,
    };
    host.robot.add_seat(&given).expect("given");
    for from in [player(2), LATER.to_owned(), THIEF.to_owned()] {
        let row = host.receive(mail(&from, &before.reply_to, "M 1 3\n"));
        assert_eq!(row.reason.as_str(), "wrong-secret", "{from}");
    }
}

#[test]
fn f3_no_question_and_no_other_address_of_a_seat_outlives_who_had_it() {
    let mut host = Host::new();
    say(&mut host, 2, "CONTACT relay\nY 1 156\n");
    say(&mut host, 1, "CONTACT relay\n");
    host.run_turn();
    let alias = host.robot.mailer().alias("W7", Seat(2), Seat(1));
    let row = host.receive(mail(&player(1), ROBOT, "M 1 3\n"));
    let to_confirm = host.answers(&row).remove(0).reply_to;
    let row = say(&mut host, 1, "RESIGN\n");
    let question = asked(&host, &row);
    let stop = host.robot.store.key().stop("W7", Seat(1), 0);
    let stop = format!("robot+stop.W7.1.{stop}@fieldpost.example");
    host.robot.as_game_master(|gm| gm.give_seat("W7", Seat(1), NEW)).expect("given");
    // The former player writes in the name of the new one.
    for to in [&to_confirm, &alias] {
        let row = host.receive(mail(NEW, to, "YES\nM 1 4\n"));
        let reason = row.reason.as_str();
        assert!(["wrong-secret", "no-alias", "unproven"].contains(&reason), "{to}: {reason}");
        assert_eq!(host.on_file(1), "", "{to}");
    }
    let row = host.receive(mail(NEW, &stop, "stop\n"));
    assert_eq!(row.reason.as_str(), "wrong-secret");
    for from in [NEW.to_owned(), player(1)] {
        host.receive(mail(&from, &question.reply_to, "YES\n"));
        assert!(!seat(&host, 1).resigned, "{from} leaves nobody's seat");
    }
}

/// A mail of seat 1 that its domain signed: the value of the signature, when it was signed, and
/// what it covers.
fn signed(host: &mut Host, sign: (&str, Option<i64>), fields: &str, lines: &str) -> RawMessage {
    let (value, at) = sign;
    let at = at.map_or_else(String::new, |at| format!(" t={at};"));
    let signature = format!(
        "DKIM-Signature: v=1; a=rsa-sha256; d=players.example; s=s; h=from:date:subject;{at}\r\n \
         bh=eA==; b={value}\r\n{fields}"
    );
    let raw = signature + &mail(&player(1), ROBOT, lines);
    let (authenticity, checked_from) = (Pass, player(1));
    RawMessage { authenticity, checked_from, ..host.message(raw.as_bytes()) }
}

#[test]
fn f5_a_signature_vouches_once_whatever_is_changed_that_it_does_not_cover() {
    let mut host = Host::new();
    let now = host.robot.now().as_second() + 60;
    host.pass(2);
    let first = signed(&mut host, ("AbC1", Some(now)), "", "M 1 3\n");
    assert_eq!(host.judge(first).reason.as_str(), "filed");
    host.receive(host.card(1, "M 2 3\n"));
    for fields in ["X-New: 1\r\n", "Message-ID: <new@players.example>\r\n", "To: x@y.example\r\n"] {
        let again = signed(&mut host, ("Ab\r\n C1", Some(now)), fields, "M 1 3\n\n");
        let row = host.judge(again);
        assert_eq!(row.reason.as_str(), "unproven", "{fields}");
    }
    assert_eq!(host.on_file(1), "M 2 3\n");
    // Padding carries nothing, nor do the last bits before it.
    for (n, value) in ["AbC1=", "AbC1==", "AbC1===="].iter().enumerate() {
        let lines = format!("M 1 3\n{}", "\n".repeat(n + 2));
        let id = format!("Message-ID: <padded.{n}@players.example>\r\n");
        let again = signed(&mut host, (value, Some(now)), &id, &lines);
        assert_eq!(host.judge(again).reason.as_str(), "unproven", "{value}");
    }
    let short = signed(&mut host, ("AbC1Ag==", Some(now)), "", "M 1 6\n");
    assert_eq!(host.judge(short).reason.as_str(), "filed");
    host.receive(host.card(1, "M 2 3\n"));
    let again = signed(&mut host, ("AbC1Ah==", Some(now)), "", "M 1 6\n\n");
    assert_eq!(host.judge(again).reason.as_str(), "unproven");
    // Another signature is another mail.
    let other = signed(&mut host, ("AbC2", Some(now)), "", "M 1 4\n");
    assert_eq!(host.judge(other).reason.as_str(), "filed");
}

#[test]
fn f5_a_signed_card_of_an_earlier_turn_does_not_count_in_this_one() {
    let mut host = Host::new();
    let early = host.robot.now().as_second();
    host.run_turn();
    let date = "Date: Mon, 1 Jun 2026 08:00:00 +0000\r\n";
    for (n, (sign, fields, lines, reason)) in [
        (Some(early), "", "M 1 3\n", "unproven"),
        (None, date, "M 1 4\n", "unproven"),
        (None, "", "M 1 5\n", "unproven"),
        (Some(early), "", "TURN 2\nM 1 6\n", "filed"),
        (Some(host.robot.now().as_second() + 1), "", "M 1 7\n", "filed"),
        (None, "Date: Tue, 1 Jun 2027 08:00:00 +0000\r\n", "M 1 8\n", "filed"),
    ]
    .into_iter()
    .enumerate()
    {
        let message = signed(&mut host, (&format!("AbC{n}"), sign), fields, lines);
        assert_eq!(host.judge(message).reason.as_str(), reason, "{sign:?} {fields} {lines}");
    }
    host.pass(61);
    // Additions of a forger do not make an old mail new: a false signature, a date above the signed
    // one, an invalid date.
    let now = host.robot.now().as_second() + 1;
    let more = format!("DKIM-Signature: v=1; d=players.example; s=s; h=from; t={now}; b=zzz\r\n");
    let late = "Date: Tue, 1 Jun 2027 08:00:00 +0000\r\n";
    for (n, (sign, fields)) in [
        (Some(early), more.clone()),
        (None, more),
        (None, format!("{late}{date}")),
        (None, format!("{late}Date: soon\r\n")),
    ]
    .into_iter()
    .enumerate()
    {
        let lines = format!("M 2 {}\n", n + 1);
        let message = signed(&mut host, (&format!("R{n}"), sign), &fields, &lines);
        assert_eq!(host.judge(message).reason.as_str(), "unproven", "{fields}");
    }
}

#[test]
fn f3_who_guesses_a_password_makes_it_useless_alone_and_locks_nobody_out() {
    let mut host = Host::new();
    // A password that the robot drew can't be guessed, and is always checked.
    let right = "nine-copper-owls-at-noon".to_owned();
    say(&mut host, 1, &format!("PASSWORD {right}\n"));
    let with = |password: &str, from: &str, n: u32| {
        let text = format!("GAME W7 SEAT 1 PASSWORD {password}\nM 1 {n}\n");
        mail(from, ROBOT, &text)
    };
    assert_eq!(host.receive(with(&right, &player(1), 1)).reason.as_str(), "filed");
    for n in 0..10 {
        let row = host.receive(with(&format!("guess{n}"), THIEF, n));
        assert_eq!(row.reason.as_str(), "wrong-password");
    }
    // No password is checked any longer, so the next wrong one is not counted either.
    assert_eq!(host.receive(with("guess99", THIEF, 99)).reason.as_str(), "wrong-secret");
    // A thief who finds it gains nothing; the player's own mails prove as before.
    assert_eq!(host.receive(with(&right, THIEF, 2)).reason.as_str(), "wrong-secret");
    assert_eq!(host.receive(with(&right, &player(1), 3)).reason.as_str(), "filed");
    assert_eq!(say(&mut host, 1, "M 1 4\n").reason.as_str(), "filed");
    host.pass(25 * 60);
    assert_eq!(host.receive(with(&right, &player(1), 5)).reason.as_str(), "filed", "a day later");
}

#[test]
fn f3_a_chosen_password_must_be_hard_to_guess_and_is_kept_dear_to_guess() {
    let mut host = Host::new();
    for weak in ["aaaaaaaaaa", "password12", "1234567890", "short"] {
        let row = say(&mut host, 1, &format!("PASSWORD {weak}\n"));
        assert_eq!(row.reason.as_str(), "not-changed", "{weak}");
        assert!(answer(&host, &row).contains("It was not changed"));
    }
    let row = say(&mut host, 1, "PASSWORD river-anvil-pluto\n");
    assert_eq!(row.reason.as_str(), "password");
    assert!(seat(&host, 1).password_digest.starts_with("$argon2id$"));
    let card = "GAME W7 SEAT 1 PASSWORD River-Anvil-Pluto\nM 1 3\n";
    assert_eq!(host.receive(mail(&player(1), ROBOT, card)).reason.as_str(), "filed");
}
