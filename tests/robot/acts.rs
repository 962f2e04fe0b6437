//! What the game master does is recorded, and can be undone.

use base::schedule;
use base::terms::Format;
use engine::Seat;
use jiff::SignedDuration;
use robot::gm::{
    By, Credit, Deadline, GiveSeat, GmAction, Hold, Release, Resend, Run, Set, Tell, Undo, Withdraw,
};
use robot::quarantine::{DiscardMail, ReleaseMail};
use store::{ActRow, Reason, SeatChange, Status};

use crate::talk::*;
use support::host::*;

fn does(host: &mut Host, act: impl GmAction) -> String {
    host.pass(1);
    host.robot.act(By::Shell, &act).expect("it is done")
}

fn refused(host: &mut Host, act: impl GmAction) -> String {
    host.robot.act(By::Shell, &act).expect_err("it is refused").to_string()
}

fn w7() -> String {
    "W7".to_owned()
}

/// The newest act.
fn last(host: &Host) -> ActRow {
    host.robot.store.acts(Some("W7"), 1).expect("a store").remove(0)
}

/// Undoes the newest act of a kind.
fn undo(host: &mut Host, kind: &str) -> String {
    let acts = host.robot.store.acts(None, 100).expect("a store");
    let act = acts.iter().find(|a| a.kind == kind && a.can_be_undone()).expect("such an act").id;
    does(host, Undo { act })
}

fn status(host: &Host) -> Status {
    host.robot.game("W7").expect("the game").status
}

#[test]
fn each_act_is_in_the_record_with_who_did_it_and_no_address() {
    let mut host = Host::new();
    does(&mut host, Hold { game: w7(), why: "the server\nmoves".into() });
    does(&mut host, Release { game: w7() });
    does(&mut host, Deadline { game: w7(), at: "2026-06-20 18:00".into() });
    let address = "new@elsewhere.example".to_owned();
    does(&mut host, GiveSeat { game: w7(), seat: Seat(2), address: address.clone() });
    does(&mut host, Tell { game: w7(), seat: None, text: "Hello all, from gm@x.example".into() });
    does(&mut host, Set { game: w7(), name: "early".into(), value: "true".into() });
    does(&mut host, Credit { game: w7(), seat: Seat(1), amount: 5, why: "paid".into() });
    does(&mut host, Run { game: w7() });
    does(&mut host, Withdraw { game: w7(), to: None });
    let text = host.robot.reports().acts_text(Some("w7")).expect("a list");
    for what in [
        "suspended: the server moves",
        "let go on",
        "deadline of turn 1 moved to Sat 20 Jun 2026, 18:00 BST",
        "seat 2 given to another address",
        "all players told: \"Hello all, from (address)\"",
        "early=true, before false",
        "seat 1: +5 credits",
        "turn 1 run by hand",
        "turn 1 taken back",
    ] {
        assert!(text.contains(what), "{what} is missing:\n{text}");
    }
    assert!(!text.contains('@'), "{text}");
    assert_eq!(text.matches("  shell  ").count(), 9, "{text}");
}

#[test]
fn what_fails_is_not_recorded_and_changes_nothing() {
    let mut host = Host::new();
    assert!(refused(&mut host, Release { game: w7() }).contains("is not suspended"));
    let act = GiveSeat { game: w7(), seat: Seat(9), address: "a@b.example".into() };
    assert!(refused(&mut host, act).contains("seats 1 to 4"));
    let before = host.mails_to(2).len();
    let act = GiveSeat { game: w7(), seat: Seat(2), address: "nonsense".into() };
    assert!(refused(&mut host, act).contains("no mail address"));
    assert_eq!(host.mails_to(2).len(), before, "nobody was told of what was not done");
    assert!(seat(&host, 2).has_player());
    assert!(refused(&mut host, Undo { act: 7 }).contains("there is no such act"));
    assert_eq!(host.robot.store.acts(None, 9).expect("a store"), []);
}

#[test]
fn a_hold_and_a_release_are_undone() {
    let mut host = Host::new();
    let due = deadline(&host);
    does(&mut host, Hold { game: w7(), why: "a fault".into() });
    undo(&mut host, "hold");
    assert_eq!((status(&host), deadline(&host)), (Status::Running, due));
    does(&mut host, Hold { game: w7(), why: "a fault".into() });
    does(&mut host, Release { game: w7() });
    undo(&mut host, "release");
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.suspended_why.as_str()), (Status::Suspended, "a fault"));
    assert!(host.last_mail(3).subject.contains("the game is suspended"), "all are told");
    let again = host.robot.store.acts(None, 9).expect("a store");
    let done = again.iter().find(|a| a.undone_by.is_some()).expect("an undone act").id;
    assert!(refused(&mut host, Undo { act: done }).contains("was undone already, by act"));
}

#[test]
fn deadlines_are_moved_back_the_last_one_first() {
    let mut host = Host::new();
    let due = deadline(&host);
    does(&mut host, Deadline { game: w7(), at: "2026-06-20 18:00".into() });
    let first = last(&host).id;
    does(&mut host, Deadline { game: w7(), at: "2026-06-25 18:00".into() });
    assert!(refused(&mut host, Undo { act: first }).contains("came after it; undo that first"));
    undo(&mut host, "deadline");
    does(&mut host, Undo { act: first });
    assert_eq!(deadline(&host), due);
    assert!(flat(&host.last_mail(1).text).contains("moved the deadline back"));
    does(&mut host, Deadline { game: w7(), at: "2026-06-20 18:00".into() });
    host.clock.set(due + SignedDuration::from_hours(1));
    let act = last(&host).id;
    assert!(refused(&mut host, Undo { act }).contains("has passed; set another"));
}

#[test]
fn a_seat_goes_back_to_its_player_who_plays_on() {
    let mut host = Host::new();
    let new = "new@elsewhere.example";
    let zone = SeatChange::Zone("Asia/Tokyo".into());
    host.robot.store.write(|tx| tx.change_seat("W7", Seat(2), &zone)).expect("a seat");
    does(&mut host, GiveSeat { game: w7(), seat: Seat(2), address: new.into() });
    assert_eq!(seat(&host, 2).address, new);
    undo(&mut host, "seat");
    let row = seat(&host, 2);
    assert_eq!((row.address.as_str(), row.zone.as_str()), (player(2).as_str(), "Asia/Tokyo"));
    assert!(
        host.mails_to_address(new).last().expect("a mail").subject.contains("not yours any more")
    );
    let printout = host.last_mail(2);
    assert!(printout.text.contains("Strategic map"), "{}", printout.subject);
    let card = mail(&player(2), &printout.reply_to, "M 1 3\n");
    assert_eq!(host.receive(card).reason.as_str(), "filed");
    let thief = mail(new, &host.mails_to_address(new)[0].reply_to, "M 2 3\n");
    assert_ne!(host.receive(thief).reason.as_str(), "filed", "the other address is out");
    assert_eq!(host.on_file(2), "M 1 3\n");
}

#[test]
fn who_asked_to_be_forgotten_does_not_come_back_by_an_undone_act() {
    let mut host = Host::new();
    let act = GiveSeat { game: w7(), seat: Seat(2), address: "new@elsewhere.example".into() };
    does(&mut host, act);
    host.robot.store.write(|tx| tx.erase(&player(2))).expect("erased");
    let act = last(&host);
    assert_eq!(act.back, "");
    assert!(refused(&mut host, Undo { act: act.id }).contains("can't be undone"));
}

#[test]
fn words_are_withdrawn_as_long_as_they_have_not_left() {
    let mut host = Host::new();
    let tell = Tell { game: w7(), seat: None, text: "The server moves on Monday".into() };
    does(&mut host, tell.clone());
    assert!(undo(&mut host, "tell").contains("they are withdrawn"));
    does(&mut host, tell);
    let now = host.robot.now();
    while !host.robot.store.write(|tx| tx.outbox().lease(now, 99)).expect("a store").is_empty() {
        let sql = "UPDATE outbox SET state = 'sent' WHERE attempts > 0";
        host.robot.store.database().exec(sql, &[]).expect("sent");
    }
    let act = last(&host).id;
    assert!(refused(&mut host, Undo { act }).contains("on their way already"));
}

#[test]
fn a_turn_that_is_taken_back_runs_again_and_its_printouts_say_so() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n"));
    does(&mut host, Run { game: w7() });
    let hash = host.robot.store.journal().hash_of("W7", 1).expect("a store");
    let due = deadline(&host);
    // Three of the printouts have left, the one of seat 4 has not.
    let sql = "UPDATE outbox SET attempts = 1, state = 'sent' WHERE kind = 'printout' AND seat < 4";
    host.robot.store.database().exec(sql, &[]).expect("sent");
    assert!(undo(&mut host, "run").contains("You took back turn 1 of game W7"));
    assert_eq!((status(&host), turn(&host)), (Status::Suspended, 1));
    does(&mut host, Release { game: w7() });
    does(&mut host, Run { game: w7() });
    assert_eq!(host.robot.store.journal().hash_of("W7", 1).expect("a store"), hash);
    for number in 1..=4 {
        let again = host.last_mail(number);
        let replaced = flat(&again.text).contains("This printout replaces the one of this turn");
        assert_eq!(replaced, number < 4, "seat {number}: {}", again.text);
        assert_eq!(again.subject.contains("(replaces the one before)"), number < 4);
    }
    // The second turn opened with its own deadline; when it is run again, it keeps that one.
    let due = deadline(&host).max(due);
    does(&mut host, Withdraw { game: w7(), to: None });
    assert!(undo(&mut host, "withdraw").contains("ran again"));
    assert_eq!((status(&host), turn(&host)), (Status::Running, 2));
    assert_eq!(deadline(&host), due);
    let told = schedule::local(due, "Europe/London");
    assert!(flat(&host.last_mail(1).text).contains(&told), "the printout says so: {told}");
    // And the undoing is undone, as often as somebody likes.
    assert!(undo(&mut host, "undo").contains("You took back turn 1 of game W7"));
    assert!(undo(&mut host, "undo").contains("ran again"));
    let replayed = host.robot.replay("W7", |_| {}).expect("replays");
    assert!(replayed.iter().all(|t| t.same));
}

#[test]
fn terms_payments_and_discarded_mails_are_as_before() {
    let mut host = Host::new();
    let before = host.robot.reports().terms_text("W7").expect("terms");
    for (name, value) in [
        ("every", "3 days"),
        ("holidays", "12-25"),
        ("policy", "strict"),
        ("early", "true"),
        ("reminders_hours", "[24]"),
        ("quorum", "2"),
        ("quiet", "22-7"),
    ] {
        does(&mut host, Set { game: w7(), name: name.into(), value: value.into() });
        let set = host.robot.reports().terms_text("W7").expect("terms");
        assert!(set.contains(&format!("{name}={value}")), "{set}");
        undo(&mut host, "set");
        assert_eq!(host.robot.reports().terms_text("W7").expect("terms"), before, "{name}");
    }
    does(&mut host, Credit { game: w7(), seat: Seat(3), amount: 12, why: "paid".into() });
    undo(&mut host, "credit");
    assert_eq!(host.robot.store.credit("W7", Seat(3)).expect("a store"), 0);
    let row = host.receive(mail(&player(2), ROBOT, "GAME W7 SEAT 2\nM 1 3\n"));
    assert_eq!(row.verdict.map(|v| v.as_str()), Some("pending"));
    does(&mut host, DiscardMail { mail: row.id });
    assert_eq!(host.robot.store.mails().quarantined(9).expect("a store").len(), 0);
    undo(&mut host, "mail-drop");
    assert_eq!(host.robot.store.mails().quarantined(9).expect("a store").len(), 1);
    let (verdict, reason) = (store::Verdict::Pending, store::Reason::Unproven);
    let again = host.robot.store.write(|tx| tx.quarantine_again(row.id, verdict, reason));
    assert!(!again.expect("a store"), "it is there already");
    does(&mut host, ReleaseMail { mail: row.id });
    assert_eq!(host.on_file(2), "M 1 3\n");
    let act = host.robot.store.acts(None, 1).expect("a store").remove(0);
    assert!(refused(&mut host, Undo { act: act.id }).contains("can't be undone"));
}

#[test]
fn acts_by_mail_are_recorded_and_undone_by_mail() {
    let mut host = Host::new();
    let gm = "gm@fieldpost.example";
    let asked = host.receive(mail(gm, ROBOT, "GM STATUS\n"));
    let secret = host.answers(&asked)[0].reply_to.clone();
    let mut say = |words: &str| {
        let row = host.receive(mail(gm, &secret, words));
        flat(&host.answers(&row)[0].text)
    };
    say("GM HOLD W7 a storm\n");
    let listed = say("GM ACTS\n");
    assert!(listed.contains("mail W7 suspended: a storm"), "{listed}");
    // However long the description of an act is, its lines are not commands.
    say(&format!("GM TELL W7 all {}\n", "status ".repeat(30)));
    let row = host.receive(mail(gm, &secret, "gm acts\n"));
    let text = host.answers(&row)[0].text.clone();
    let told: Vec<&str> = text.lines().filter(|line| line.contains("tatus")).collect();
    assert!(told.iter().all(|line| line.starts_with("| ")), "{text}");
    assert!(!told.is_empty() && text.lines().all(|line| line.len() <= 78), "{text}");
    let mut say = |words: &str| {
        let row = host.receive(mail(gm, &secret, words));
        flat(&host.answers(&row)[0].text)
    };
    let undone = say("GM UNDO ACT 1\n");
    assert!(undone.contains("goes on as if it had not been suspended"), "{undone}");
    let listed = say("GM ACTS W7\n").replace("| ", "");
    assert!(listed.contains("suspended: a storm (undone by act 3)"), "{listed}");
}

#[test]
fn an_undo_looks_at_what_is_there_now() {
    let mut host = Host::new();
    host.run_turn();
    does(&mut host, Hold { game: w7(), why: "a fault".into() });
    let hold = last(&host).id;
    // The game waits for something else by now, and has no deadline.
    does(&mut host, Withdraw { game: w7(), to: None });
    assert!(refused(&mut host, Undo { act: hold }).contains("is not suspended for that"));
    does(&mut host, Release { game: w7() });
    let release = last(&host).id;
    host.run_turn();
    assert!(refused(&mut host, Undo { act: release }).contains("has gone on since"));
    does(&mut host, Deadline { game: w7(), at: "2026-06-20 18:00".into() });
    let moved = last(&host).id;
    let elsewhere = deadline(&host) + SignedDuration::from_hours(5);
    host.robot.store.write(|tx| tx.set_deadline("W7", elsewhere)).expect("moved by a vote");
    assert!(refused(&mut host, Undo { act: moved }).contains("was moved again since"));
}

#[test]
fn orders_of_who_had_a_seat_for_a_while_do_not_stay() {
    let mut host = Host::new();
    host.receive(host.card(2, "M 1 3\n"));
    let new = "new@elsewhere.example";
    does(&mut host, GiveSeat { game: w7(), seat: Seat(2), address: new.into() });
    let printout = host.mails_to_address(new).pop().expect("a printout");
    assert_eq!(host.receive(mail(new, &printout.reply_to, "M 6 6\n")).reason.as_str(), "filed");
    undo(&mut host, "seat");
    assert_eq!(host.on_file(2), "");
    assert!(
        host.mails_to_address(new).last().expect("a mail").subject.contains("not yours any more")
    );
}

#[test]
fn a_seat_that_nobody_had_is_free_again_unless_something_was_paid_for_it() {
    let mut host = with_free_seats(2);
    for (number, paid) in [(3, false), (4, true)] {
        let address = format!("n{number}@elsewhere.example");
        does(&mut host, GiveSeat { game: w7(), seat: Seat(number), address });
        if paid {
            let why = "paid".to_owned();
            does(&mut host, Credit { game: w7(), seat: Seat(number), amount: 5, why });
        }
        undo(&mut host, "seat");
        let row = host.robot.store.games().seat("W7", Seat(number)).expect("a store");
        assert_eq!(row.is_some(), paid);
        assert!(row.is_none_or(|r| !r.has_player()));
    }
}

#[test]
fn mails_that_were_withdrawn_are_not_sent_again_with_the_rest() {
    let mut host = Host::new();
    let tell = Tell { game: w7(), seat: Some(Seat(1)), text: "Wrong".into() };
    assert!(does(&mut host, tell).contains("1 player of game W7 is told"));
    undo(&mut host, "tell");
    assert!(refused(&mut host, Resend { mail: None }).contains("no mail failed"));
    assert!(refused(&mut host, Resend { mail: Some(99) }).contains("no mail failed"));
}

#[test]
fn a_command_that_the_store_refuses_costs_one_mail_an_attempt_and_no_other() {
    let mut host = Host::in_a_file();
    // A store in which this one command fails.
    let sql = "CREATE TRIGGER broken BEFORE INSERT ON act WHEN NEW.kind = 'hold'
               BEGIN SELECT RAISE(ABORT, 'broken'); END";
    host.robot.store.database().batch(sql).expect("a trigger");
    let asked = host.receive(mail("gm@fieldpost.example", ROBOT, "GM STATUS\n"));
    let secret = host.answers(&asked)[0].reply_to.clone();
    let hold = host.message(mail("gm@fieldpost.example", &secret, "GM HOLD W7 x\n").as_bytes());
    let card = host.card(1, "M 1 3\n");
    let card = host.message(card.as_bytes());
    let judged = host.robot.receive(&[hold, card]).expect("the host goes on");
    assert_eq!(judged.len(), 1);
    assert_eq!((host.on_file(1).as_str(), status(&host)), ("M 1 3\n", Status::Running));
    for _ in 0..3 {
        host.robot.receive(&[]).expect("the host goes on");
    }
    let aside = host.robot.store.mails().quarantined(9).expect("a store");
    assert_eq!(aside.iter().map(|m| m.reason.as_str()).collect::<Vec<_>>(), ["unreadable"]);
    assert_eq!(host.pass_deadline(), 1, "no game waits for it");
}

#[test]
fn the_echo_of_a_card_leaves_although_the_turn_is_taken_back() {
    for (format, state) in
        [("text", store::MailState::Waiting), ("html", store::MailState::Drawing)]
    {
        let mut host = Host::new();
        let chosen = Format::default().with(&[format.to_owned()]).expect("a format");
        wants(&mut host.robot.store, "W7", Seat(1), chosen);
        host.receive(host.card(1, "M 1 3\n"));
        host.run_turn();
        let row = host.receive(host.card(1, "TURN 3\nM 1 4\n"));
        assert_eq!(row.reason, Reason::Filed);
        does(&mut host, Withdraw { game: w7(), to: None });
        let caused = host.robot.store.outbox().caused_by(row.id).expect("a store");
        assert_eq!(caused[0].state, state, "{}", caused[0].last_error);
    }
}
