//! What somebody without a secret can do to a player or a host: nothing.

use engine::{BySeat, Input};
use store::{Reason, Status, Step, Verdict};

use crate::talk::flat;
use support::host::*;

/// A mail in the name of a seat's player, without any proof.
fn forged(seat: u8, n: u32, lines: &str) -> String {
    let mail = mail(&player(seat), ROBOT, &format!("{lines}# {n}\n"));
    mail.replace("Subject: orders", &format!("Subject: orders {n}"))
}

#[test]
fn forged_mails_do_not_use_up_a_players_cards() {
    let mut host = Host::new();
    for n in 0..70 {
        host.receive(forged(1, n, "STATUS\n"));
        host.receive(forged(1, n, "C 1 1\n"));
    }
    host.pass(61);
    let row = host.receive(host.card(1, "C 1 3\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "filed"));
    assert_eq!(host.on_file(1), "C 1 3\n");
}

#[test]
fn a_player_is_asked_about_a_few_unproven_cards_an_hour_and_no_more() {
    let mut host = Host::new();
    let verdicts: Vec<_> = (0..9).map(|n| host.receive(forged(1, n, "C 1 1\n")).verdict).collect();
    let pending = verdicts.iter().filter(|v| **v == Some(Verdict::Pending)).count();
    assert_eq!(pending, 5);
    assert!(verdicts[5..].iter().all(|v| *v == Some(Verdict::Ignored)), "{verdicts:?}");
}

#[test]
fn a_yes_that_names_no_card_confirms_none_of_several() {
    let mut host = Host::new();
    host.receive(forged(1, 1, "C 1 1\n"));
    host.receive(forged(1, 2, "D 2\n"));
    let yes =
        mail(&player(1), ROBOT, "GAME W7 SEAT 1\nYES\n").replace("Subject: orders", "Subject: yes");
    let secret = &host.passwords[0];
    let proven = yes.replace("GAME W7 SEAT 1", &format!("GAME W7 SEAT 1 PASSWORD {secret}"));
    let row = host.receive(proven);
    assert_eq!(row.reason.as_str(), "several-pending");
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_yes_to_another_mail_confirms_no_forged_card() {
    let mut host = Host::new();
    host.run_turn();
    let row = host.receive(forged(1, 1, "CANCEL\n"));
    let question = host.answers(&row).remove(0);
    assert!(question.text.contains("it withdraws all your orders"), "{}", question.text);
    assert!(flat(&question.text).contains(&format!("from {}", player(1))), "{}", question.text);
    // The player agrees with something else: with a printout, by its address or its Message-ID.
    let yes = host.receive(host.card(1, "YES\n"));
    assert_eq!((yes.verdict, yes.reason), (Some(Verdict::Rejected), Reason::SeveralPending));
    let told = flat(&host.answers(&yes)[0].text);
    assert!(told.contains("does not say what it confirms") && told.contains("came "), "{told}");
    let printout = host.mails_to(1).into_iter().find(|m| m.subject.contains("T2 S1")).expect("one");
    let answers = |id: &str, text: &str| {
        mail(&player(1), ROBOT, text).replace("Subject:", &format!("In-Reply-To: <{id}>\nSubject:"))
    };
    let row = host.receive(answers(&printout.message_id, "YES\n"));
    assert_eq!(row.reason, Reason::SeveralPending);
    // An answer to the question itself says it, also without its address.
    let row = host.receive(answers(&question.message_id, "Yes\n"));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Accepted), Reason::Cancelled));
}

#[test]
fn a_card_pending_in_an_earlier_turn_is_not_filed_for_a_later_one() {
    let mut host = Host::new();
    let row = host.receive(forged(1, 1, "C 1 1\n"));
    assert_eq!(row.verdict, Some(Verdict::Pending));
    let ask = host.answers(&row).remove(0);
    host.run_turn();
    let row = host.receive(mail(&player(1), &ask.reply_to, "YES\n"));
    assert_eq!(row.verdict, Some(Verdict::Rejected), "{}", row.reason);
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_turn_that_was_overtaken_by_a_card_or_a_hold_is_not_kept() {
    let mut host = Host::new();
    // The engine of this robot has the cards; another process files one and holds.
    let game = host.robot.game("W7").expect("the game");
    let now = base::clock::Clock::now(host.clock.as_ref());
    let open = host.robot.open(&game).expect("open");
    let cards = host.robot.store.cards("W7", 1).expect("a store");
    let mut dice = engine::Dice::new(game.seed);
    let outcome = open.step(&Input { cards: &cards, seats: &BySeat::new() }, &mut dice);
    let record = store::TurnRecord {
        seats: BySeat::new(),
        notes: BySeat::new(),
        seals: Vec::new(),
        turn: 1,
        rules_version: game.rules_version,
        seed: game.seed,
        hash: store::turn_hash(&outcome.saved, dice.log()),
        cards: cards.clone(),
        saved: outcome.saved,
    };
    let next = store::NextTurn {
        step: Step { number: 2, ..Step::none() },
        seed: 1,
        status: Status::Running,
        missed: Vec::new(),
        carried: Default::default(),
        fees: Vec::new(),
        on_file: cards,
    };
    host.receive(host.card(1, "C 1 1\n"));
    let keep = |host: &mut Host, next: &store::NextTurn| {
        host.robot
            .store
            .write(|tx| tx.run_turn("W7", &record, dice.log(), next, &[], now))
            .expect("a store")
    };
    assert!(!keep(&mut host, &next), "a card came meanwhile");
    let fresh = host.robot.store.cards("W7", 1).expect("a store");
    let next = store::NextTurn { on_file: fresh, ..next };
    assert!(host.robot.store.write(|tx| tx.suspend("W7", "a holiday")).expect("a store"));
    assert!(!keep(&mut host, &next), "the game was suspended meanwhile");
    host.robot.store.write(|tx| tx.release("W7")).expect("a store");
    assert!(keep(&mut host, &next));
    assert!(!keep(&mut host, &next), "it has run");
}

#[test]
fn an_edited_state_in_the_journal_is_found_by_replay() {
    let mut host = Host::new();
    host.run_turn();
    let conn = host.robot.store.connection();
    conn.execute("UPDATE turn SET state_z = (SELECT state_z FROM turn WHERE turn = 0)", [])
        .expect("edited");
    let turns = host.robot.replay("W7", |_| {}).expect("replays");
    assert_eq!(turns.iter().map(|t| t.same).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn mails_that_are_nested_without_end_are_refused_unread() {
    let mut host = Host::new();
    let deep = "Content-Type: message/rfc822\r\n\r\n".repeat(30_000);
    let row = host.receive(format!("From: <{}>\r\nMIME-Version: 1.0\r\n{deep}", player(1)));
    assert!(row.verdict.is_some());
    let blocks = "<blockquote>x<p>".repeat(12_000);
    let html = format!(
        "From: <{}>\r\nTo: <{ROBOT}>\r\nSubject: x\r\nMessage-ID: <h@x>\r\n\
         Content-Type: text/html\r\n\r\n{blocks}",
        player(1)
    );
    assert!(host.receive(html).verdict.is_some());
}

#[test]
fn a_game_that_does_not_run_is_neither_suspended_nor_released() {
    let mut host = Host::empty(registry::ENGINES, Default::default());
    host.robot.new_game(a_game("warlord", 2)).expect("a game");
    assert!(!host.robot.store.write(|tx| tx.suspend("W7", "why")).expect("a store"));
    assert!(!host.robot.store.write(|tx| tx.release("W7")).expect("a store"));
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Open);
    let mut bad = a_game("warlord", 2);
    bad.code = "W8".to_owned();
    (bad.rule.every, bad.rule.at) = ("1 hour".to_owned(), Some("18:00".to_owned()));
    let refused = host.robot.new_game(bad).expect_err("hours and a time of day");
    assert!(refused.to_string().contains("whole days"), "{refused}");
}

#[test]
fn an_odd_file_in_a_maildir_does_not_stop_the_mails_behind_it() {
    use mail::Inbox;
    use mail::maildir::{MaildirInbox, deliver};
    let dir = tempfile::tempdir().expect("a folder");
    let wait = std::time::Duration::from_secs(1);
    let mut inbox = MaildirInbox::open("test", dir.path(), 1000, wait).expect("an inbox");
    std::fs::create_dir(dir.path().join("new/1000.folder")).expect("a folder in it");
    deliver(dir.path(), "1001.mail", b"From: <a@b.example>\r\n\r\nx\r\n").expect("delivered");
    let found = inbox.fetch(&|_| false).expect("it is read");
    assert_eq!(found.iter().map(|m| m.key.as_str()).collect::<Vec<_>>(), ["1001.mail"]);
}
