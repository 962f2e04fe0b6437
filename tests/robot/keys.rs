//! New keys of the host: earlier mails prove nothing, and everybody is notified.

use std::sync::Arc;

use base::clock::{Entropy, FakeClock, FixedEntropy};
use registry::ENGINES;
use robot::Robot;
use store::{NewAct, Reason, Verdict};

use crate::talk::*;
use support::host::*;

/// Opens the store of a host as another process does.
fn reopen(host: &mut Host) {
    let cx = &host.robot.cx;
    let entropy: Arc<dyn Entropy> = Arc::new(FixedEntropy::new(77));
    let store = support::postgres::open(host.dir.path(), entropy.as_ref()).expect("a store");
    let (identity, gm, limits) = (cx.identity.clone(), cx.gm.clone(), cx.limits.clone());
    let clock: Arc<FakeClock> = Arc::clone(&host.clock);
    host.robot = Robot::new(store, identity, gm, limits, &ENGINES, clock, entropy);
}

#[test]
fn with_new_keys_nothing_that_was_written_before_is_a_proof() {
    let mut host = Host::new();
    for n in [1, 2] {
        say(&mut host, n, "CONTACT relay\nY 2 156\n");
    }
    host.run_turn();
    let (one, two) = (engine::Seat(1), engine::Seat(2));
    let alias = host.robot.mailer().alias("W7", one, two);
    let printout = host.last_mail(1);
    let row = say(&mut host, 3, "RESIGN\n");
    let question = asked(&host, &row);
    let row = host.receive(mail(&player(4), ROBOT, "M 4 5\n"));
    let to_confirm = host.answers(&row).remove(0);
    assert_eq!(say(&mut host, 2, "PASSWORD saturn-anvil-river\n").reason, Reason::Password);
    let mark = host.robot.reports().mailbox_mark().expect("a store");

    let refused = host.robot.renew_keys(false).expect_err("mails wait").to_string();
    assert!(refused.contains("wait to be sent") && refused.contains("--now"), "{refused}");
    let secret = |host: &Host| host.robot.store.key().question(1);
    let first = secret(&host);
    assert_eq!(host.robot.renew_keys(true).expect("renewed"), 4);
    assert_ne!(secret(&host), first);
    for n in 1..=4 {
        let told = host.last_mail(n);
        assert!(flat(&told.text).contains("answer this mail, or one that is written after it"));
    }
    let told = host.last_mail(1);
    // The address of a printout, and its Message-ID.
    let by_address = mail(&player(1), &printout.reply_to, "M 1 3\n");
    let id = format!("In-Reply-To: <{}>\r\nSubject:", printout.message_id);
    let by_id = mail(&player(1), ROBOT, "M 1 4\n").replace("Subject:", &id);
    for (raw, verdict) in [(by_address, Verdict::Rejected), (by_id, Verdict::Pending)] {
        let row = host.receive(raw);
        assert_eq!(row.verdict, Some(verdict), "{}", row.why);
    }
    // A relayed address, a question, a card that waits.
    let row = host.receive(mail(&player(2), &alias, "Still friends?\n"));
    assert_ne!(row.reason.as_str(), "relayed");
    host.receive(mail(&player(3), &question.reply_to, "YES\n"));
    assert!(!seat(&host, 3).resigned, "the question is void");
    host.receive(mail(&player(4), &to_confirm.reply_to, "YES\n"));
    assert_eq!(host.on_file(4), "");
    let open = host.robot.store.people().open_questions(&player(3), jiff::Timestamp::UNIX_EPOCH);
    assert_eq!(open.expect("a store"), [], "nobody is told of it either");
    // The new address counts; an earlier password does not, whether drawn or chosen; one that is
    // chosen now does.
    let row = host.receive(mail(&player(1), &told.reply_to, "M 1 3\nPASSWORD river-anvil-pluto\n"));
    assert_eq!(row.reason, Reason::Filed, "{}", row.why);
    let drawn = host.passwords[2].clone();
    for (n, password, reason) in [
        (3, drawn.as_str(), Reason::WrongPassword),
        (2, "saturn-anvil-river", Reason::WrongPassword),
        (1, "river-anvil-pluto", Reason::Filed),
    ] {
        let card = format!("GAME W7 SEAT {n} PASSWORD {password}\nTURN 2\nM {n} 4\n");
        let row = host.receive(mail(&player(n), ROBOT, &card));
        assert_eq!(row.reason, reason, "{n}: {}", row.why);
    }
    assert_eq!(
        host.robot.reports().mailbox_mark().expect("a store"),
        mark,
        "the mailbox is its own"
    );
    let now = secret(&host);
    reopen(&mut host);
    assert_eq!(secret(&host), now, "for good");
}

#[test]
fn who_draws_new_keys_and_dies_has_told_nobody_and_the_next_start_tells_all_once() {
    let mut host = Host::new();
    let before: Vec<usize> = (1..=4).map(|n| host.mails_to(n).len()).collect();
    let act =
        NewAct { at: host.robot.now(), by: "shell", game: None, kind: "key", what: "x", back: "" };
    let entropy = FixedEntropy::new(5);
    host.robot.store.renew_key(&entropy, &act).expect("renewed");
    reopen(&mut host);
    assert_eq!(robot::keys::tell_of_keys(&mut host.robot).expect("told"), 4);
    assert_eq!(robot::keys::tell_of_keys(&mut host.robot).expect("told"), 0);
    let after: Vec<usize> = (1..=4).map(|n| host.mails_to(n).len()).collect();
    assert!(before.iter().zip(&after).all(|(b, a)| b + 1 == *a), "{before:?} {after:?}");
    let told = host.last_mail(2);
    let row = host.receive(mail(&player(2), &told.reply_to, "M 2 3\n"));
    assert_eq!(row.reason, Reason::Filed, "{}", row.why);
}

#[test]
fn the_dashboard_gets_a_new_address_and_players_keep_theirs() {
    let mut host = Host::new();
    let printout = host.last_mail(1);
    let token = |host: &Host| host.robot.store.key().dashboard(&["token"]);
    let before = token(&host);
    robot::keys::renew_dashboard(&mut host.robot).expect("renewed");
    let after = token(&host);
    assert_ne!(before, after);
    reopen(&mut host);
    assert_eq!(token(&host), after, "for good");
    let row = host.receive(mail(&player(1), &printout.reply_to, "M 1 3\n"));
    assert_eq!(row.reason, Reason::Filed, "{}", row.why);
    let acts = host.robot.reports().acts_text(None).expect("a store");
    assert!(acts.contains("the dashboard has a new address"), "{acts}");
}
