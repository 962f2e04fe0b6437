//! Wherever people read "turn" it is the game's turn, and they may write it in the same way: in
//! subjects, titles and file names, in TURN and RESEND. A step appears by its name.

use base::clock::Clock;
use engine::{Seat, Turns};
use store::{Reason, Verdict};
use support::host::{Host, mail, player};

use crate::talk::flat;
use crate::words::host;

/// Ends every wait of a game until a step has this name; all say that they are done, because a game
/// of silent players would wait.
fn until(host: &mut Host, label: &str) {
    let mut seen = Vec::new();
    for _ in 0..60 {
        let step = host.robot.game("W7").expect("the game").step;
        if step.label == label {
            return;
        }
        let game = host.robot.game("W7").expect("the game");
        seen.push(format!("{} {:?} {:?}", step.label, game.status, game.deadline));
        assert!(game.deadline.is_some(), "{seen:#?}");
        for seat in &step.awaited {
            host.receive(host.card(seat.0, "READY\n"));
        }
        host.pass(40);
        let now = host.clock.now();
        host.robot.run_due(now).expect("the robot goes on");
        if host.robot.game("W7").expect("the game").step.number == step.number {
            host.pass_deadline();
        }
    }
    panic!("no step is called {label}: {seen:#?}");
}

fn step(host: &Host) -> (String, Turns) {
    let step = host.robot.game("W7").expect("the game").step;
    (step.label, step.turns)
}

/// The subject of the newest printout of a seat.
fn subject(host: &Host, seat: u8) -> String {
    let mut printouts = host.mails_to(seat).into_iter().filter(|m| m.text.contains("turn card"));
    printouts.next_back().map(|m| m.subject).expect("a printout")
}

#[test]
fn a_subject_names_the_turns_that_a_sitting_plays() {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24"), ("edition", "basic")]);
    until(&mut host, "turns 7 to 12, player 2");
    assert_eq!(step(&host).1, Turns { first: 7, last: 12 });
    assert!(subject(&host, 2).starts_with("[W7 T7-12 S2]"), "{}", subject(&host, 2));
    assert!(subject(&host, 1).starts_with("[W7 T7-12 S1]"), "{}", subject(&host, 1));
    let printout = host.robot.reports().document_of("W7", Seat(2), 4).expect("a printout");
    assert_eq!(printout.head.file_name(), "w7-turns-7-to-12-player-2-seat-2");
}

#[test]
fn resend_takes_a_turn_or_what_a_step_is_called() {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24"), ("edition", "basic")]);
    until(&mut host, "turns 13 to 18, player 1");
    for words in [
        "RESEND 2",
        "RESEND 1-6",
        "RESEND turns 1 to 6, player 1",
        "resend 3",
        "RESEND T1-6",
        "RESEND turn 2",
        "RESEND Turns 1-6",
    ] {
        let row = host.receive(host.card(1, &format!("{words}\n")));
        assert_eq!(row.reason, Reason::Resent, "{words}: {}", row.why);
        let again = host.answers(&row).remove(0);
        assert!(again.subject.contains("your printout of turns 1 to 6, player 1"), "{words}");
        let text = flat(&again.text);
        assert!(text.contains("This is your printout of turns 1 to 6, player 1, as it was sent."));
        // The old orders are no longer asked for.
        assert!(text.contains("Orders for turns 13 to 18, player 1 are due"), "{words}: {text}");
        host.pass(70);
    }
    let row = host.receive(host.card(1, "RESEND 25\n"));
    assert_eq!(row.reason, Reason::NoPrintout);
    let said = flat(&host.last_mail(1).text);
    assert!(said.contains("no printout of \"25\"") && said.contains("RESEND alone"), "{said}");
}

#[test]
fn a_card_answers_the_step_that_its_subject_s_turn_is_of() {
    let mut host = host("imperium", 2, &[("turn_hours", "24"), ("live_hours", "12")]);
    until(&mut host, "turn 1, segment 2");
    assert!(subject(&host, 1).starts_with("[W7 T1 S1]"), "{}", subject(&host, 1));
    // Without the secret of its address only the subject says which turn a mail is for.
    let answers = |host: &mut Host, tag: &str, order: &str| {
        let card = mail(&player(1), "robot@fieldpost.example", &format!("{order}\n"));
        let card = card.replace("Subject: ", &format!("Subject: Re: [W7 {tag} S1] "));
        assert!(card.contains("Re: ["), "{card}");
        host.receive(card)
    };
    let row = answers(&mut host, "T1", "A 4");
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Pending), Reason::Unproven));
    let asked = host.answers(&row).remove(0);
    until(&mut host, "turn 1, segment 3");
    // A YES does not make it a card of another step of the same turn that is open by then.
    let row = host.receive(mail(&player(1), &asked.reply_to, "YES\n"));
    assert_eq!(row.reason, Reason::PassedTurn, "{}", row.why);
    until(&mut host, "turn 2, segment 2");
    // A campaign counts the turns of each war from 1: a past turn may have a higher number.
    let conn = host.robot.store.database();
    conn.exec("UPDATE step SET first_turn = 8, last_turn = 8 WHERE number < 3", &[]).expect("set");
    let row = answers(&mut host, "T8", "A 10");
    assert_eq!(row.reason, Reason::Unproven, "{}", row.why);
    let asked = host.answers(&row).remove(0);
    let row = host.receive(mail(&player(1), &asked.reply_to, "YES\n"));
    assert_eq!(row.reason, Reason::PassedTurn, "{}", row.why);
    let row = host.receive(host.card(1, "TURN 2-3\nA 4\n"));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "the first of several is open: {}", row.why);
}

#[test]
fn an_answer_to_a_printout_that_was_taken_back_is_told_so() {
    let mut host = host("imperium", 2, &[]);
    until(&mut host, "turn 1, segment 2");
    let printout = host.mails_to(1).into_iter().rfind(|m| m.text.contains("turn card"));
    let printout = printout.expect("a printout");
    let withdraw = robot::gm::Withdraw { game: "W7".to_owned(), to: Some(1) };
    host.robot.act(robot::gm::By::Shell, &withdraw).expect("taken back");
    let open = step(&host).0;
    let row = host.receive(mail(&player(1), &printout.reply_to, "A 4\n"));
    assert_eq!(row.reason, Reason::FutureTurn, "{}", row.why);
    let said = flat(&host.last_mail(1).text);
    assert!(said.contains("These orders answer a printout that was taken back"), "{said}");
    assert!(said.to_lowercase().contains(&format!("at {open} again")), "{said}");
}

#[test]
fn a_turn_to_come_takes_cards_where_each_step_is_a_turn() {
    let mut warlord = host("warlord", 4, &[]);
    let row = warlord.receive(warlord.card(1, "TURN 3\nM 1 2\n"));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
    assert!(
        flat(&warlord.last_mail(1).text)
            .contains("This card is for turn 3; the game is at turn 1.")
    );
    let mut imperium = host("imperium", 2, &[]);
    until(&mut imperium, "turn 1, segment 2");
    let row = imperium.receive(imperium.card(1, "TURN 2\nA 4\n"));
    assert_eq!(row.reason, Reason::FutureTurn, "{}", row.why);
    let said = flat(&imperium.last_mail(1).text);
    assert!(
        said.contains("These orders are for turn 2; the game is at turn 1, segment 2."),
        "{said}"
    );
    assert!(said.contains("Send them when your orders are awaited."), "{said}");
    // A card may name the open turn; the answer names a turn that has run.
    let row = imperium.receive(imperium.card(1, "TURN 1\nA 4\n"));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
    until(&mut imperium, "turn 2, segment 2");
    let row = imperium.receive(imperium.card(1, "TURN 1\nA 4\n"));
    assert_eq!(row.reason, Reason::PassedTurn, "{}", row.why);
    let said = flat(&imperium.last_mail(1).text);
    assert!(said.contains("These orders are for turn 1, segment"), "{said}");
}

#[test]
fn the_game_master_takes_a_whole_turn_back_by_its_number() {
    let mut host = host("imperium", 2, &[]);
    until(&mut host, "turn 2, segment 2");
    let refused = host
        .robot
        .act(robot::gm::By::Shell, &robot::gm::Withdraw { game: "W7".to_owned(), to: Some(7) });
    let why = refused.expect_err("it has not run").to_string();
    assert!(why.contains("turn 7 of game W7 has not run; the last that has is turn 2"), "{why}");
    // An earlier war of a campaign had a turn with that number, too: the newest one counts.
    let conn = host.robot.store.database();
    conn.exec("UPDATE step SET first_turn = 2, last_turn = 2 WHERE number < 3", &[]).expect("set");
    let now = host.robot.game("W7").expect("the game").turn;
    let withdraw = robot::gm::Withdraw { game: "W7".to_owned(), to: Some(2) };
    host.robot.act(robot::gm::By::Shell, &withdraw).expect("taken back");
    let game = host.robot.game("W7").expect("the game");
    assert!(game.turn + 2 >= now && game.step.label.starts_with("turn 2"), "{}", game.step.label);
}
