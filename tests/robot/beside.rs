//! Lines beside orders and commands: other commands, questions, titles, names, remarks. Each gets
//! its own answer, and the answer to a mail that changed nothing shows what is on file.

use store::{Reason, Verdict};
use support::host::{mail, player};

use crate::talk::{answer, asked, deadline, flat, say, seat, set};
use crate::words::host;

/// The lines of an answer below `Not read as orders`.
fn unread(told: &str) -> &str {
    told.split("Not read as orders").nth(1).unwrap_or_default()
}

#[test]
fn status_beside_a_check_is_answered() {
    let mut host = host("warlord", 2, &[]);
    say(&mut host, 1, "A 3 3\n");
    let row = say(&mut host, 1, "CHECK\nSTATUS\nA 1 2\n");
    let told = answer(&host, &row);
    let status = told.split("STATUS ------").nth(1).expect("a status");
    assert!(status.contains("A 3 3") && status.contains("units without orders: 1-2"), "{told}");
    // The echo of a filed card is its status already.
    let row = say(&mut host, 1, "STATUS\nA 1 2\n");
    assert!(!answer(&host, &row).contains("STATUS ------"));
}

#[test]
fn plans_of_cards_before_stand_in_a_status_beside_other_questions() {
    let mut host = host("imperium", 2, &[("tempo", "turn")]);
    host.pass_deadline();
    say(&mut host, 1, "SEG 3\nA 01\nM 1 02\n");
    host.pass_deadline();
    let row = say(&mut host, 1, "STATUS\nWHO\n");
    let told = answer(&host, &row);
    let turn = host.robot.game("W7").expect("the game").step.label;
    assert!(told.contains("No orders of yours are on file."), "{told}");
    assert!(told.contains("Resources, if the plan is carried out") && !turn.is_empty(), "{told}");
}

#[test]
fn an_answer_that_found_nothing_shows_what_is_on_file() {
    let mut host = host("warlord", 2, &[]);
    let row = say(&mut host, 1, "Hello there, how are you?\n");
    assert!(!answer(&host, &row).contains("On file, unchanged"), "nothing is there yet");
    say(&mut host, 1, "A 1 2\n");
    for (words, reason) in [
        ("I will write to you tomorrow\n", Reason::NoOrders),
        ("What are tanks worth in this game?\n", Reason::Question),
    ] {
        let row = say(&mut host, 1, words);
        assert_eq!(row.reason, reason);
        let told = answer(&host, &row);
        assert!(told.contains("On file, unchanged ------------------ | 1 A 1 2 ok"), "{told}");
    }
    // Somebody who only knows the address learns nothing.
    let row = host.receive(mail(&player(1), "robot@fieldpost.example", "See you all soon\n"));
    assert!(host.answers(&row).iter().all(|m| !m.text.contains("A 1 2")));
}

#[test]
fn below_add_all_lines_of_the_mail_are_numbered_on() {
    let mut host = host("warlord", 2, &[]);
    say(&mut host, 1, "A 1 2\nA 2 2\n");
    let row = say(&mut host, 1, "ADD\nA 3 3\nthis is what I thought of\nA 99 3\nSTATSU now\n");
    let told = answer(&host, &row);
    for line in ["| 3 A 3 3 ok", "| 5 A 99 3 error", "| 6 STATSU now"] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(unread(&told).contains("| 4 this is what I thought of"), "{told}");
    // The printout has the same numbers.
    host.pass_deadline();
    let printout = flat(&host.last_mail(1).text);
    assert!(printout.contains("3 A 3 3"), "{printout}");
    // A greeting above the lines is numbered too.
    say(&mut host, 1, "A 1 2\n");
    let row = say(&mut host, 1, "Hello robot,\nADD\nA 3 3\n");
    let told = answer(&host, &row);
    assert!(told.contains("| 4 A 3 3 ok"), "{told}");
    assert!(unread(&told).contains("| 2 Hello robot, a greeting"), "{told}");
}

#[test]
fn a_question_among_words_and_orders_is_one_whatever_it_begins_with() {
    let mut host = host("warlord", 2, &[]);
    let lines = "I was away for the whole week\nA 1 2\nWho is player 2?\nwhat is a centre?\n";
    let row = say(&mut host, 1, lines);
    let told = answer(&host, &row);
    for question in ["Who is player 2?", "what is a centre?"] {
        assert!(unread(&told).contains(&format!("{question} a question")), "{told}");
        assert!(told.contains(&format!("You asked: {question}")), "{told}");
    }
    assert!(!told.contains("in error"), "{told}");
}

#[test]
fn a_command_may_be_asked_for_politely() {
    let mut host = host("warlord", 2, &[]);
    for (words, reason) in [
        ("STATUS please\n", Reason::Status),
        ("status, please!\n", Reason::Status),
        ("HELP please\n", Reason::Help),
        ("CANCEL, thanks\n", Reason::Cancelled),
    ] {
        let row = say(&mut host, 1, words);
        assert_eq!((row.verdict, row.reason), (Some(Verdict::Accepted), reason), "{words}");
    }
}

#[test]
fn commands_beyond_the_most_of_a_mail_are_told_one_by_one() {
    let mut host = host("warlord", 2, &[]);
    let row = say(&mut host, 1, &format!("{}WHO\nREMINDERS off\n", "HELP K\n".repeat(8)));
    assert_eq!(row.verdict, Some(Verdict::Accepted));
    let told = answer(&host, &row);
    for line in ["| 9 WHO | not carried out", "| 10 REMINDERS off | not carried out"] {
        assert!(unread(&told).contains(line), "{line}: {told}");
    }
    assert!(seat(&host, 1).choices.reminders);
}

#[test]
fn each_command_that_changes_something_answers_for_itself() {
    let mut host = host("warlord", 2, &[]);
    set(&mut host, "early", "true");
    let row = say(&mut host, 1, "ZONE Nowhere/Here\nREMINDERS off\nFORMAT telex\nREADY\n");
    let told = answer(&host, &row);
    assert_eq!(row.verdict, Some(Verdict::Accepted));
    assert!(told.contains("ZONE was not carried out. \"Nowhere/Here\" is no time zone"), "{told}");
    assert!(told.contains("3 FORMAT telex not carried out; the form is FORMAT"), "{told}");
    assert!(!seat(&host, 1).choices.reminders);
    // The lines above READY may have been its condition.
    assert!(told.contains("READY was not taken, for 2 lines of your mail"), "{told}");
    assert_eq!(seat(&host, 1).ready, 0);
    let row = say(&mut host, 1, "ZONE Nowhere/Here\nCONTACT telex\n");
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Rejected), Reason::NotChanged));
    // Of two commands that ask a question only the first asks.
    let row = say(&mut host, 1, "RESIGN\nFORGET\n");
    let told = answer(&host, &row);
    assert!(told.contains("FORGET was not carried out"), "{told}");
}

#[test]
fn a_command_in_a_wrong_form_above_ready_holds_it() {
    let mut host = host("warlord", 2, &[]);
    set(&mut host, "early", "true");
    let row = say(&mut host, 1, "EXTEND a few days\nREADY\n");
    let told = answer(&host, &row);
    assert!(told.contains("READY was not taken, for 1 line of your mail"), "{told}");
    assert_eq!(seat(&host, 1).ready, 0);
}

#[test]
fn an_answer_has_the_deadline_and_the_zone_that_its_commands_made() {
    let mut host = host("warlord", 2, &[]);
    set(&mut host, "extend_days_max", "3");
    let row = say(&mut host, 1, "ZONE Asia/Tokyo\n");
    assert!(answer(&host, &row).contains("JST (in"), "{}", answer(&host, &row));
    let before = deadline(&host);
    say(&mut host, 1, "EXTEND 2 exams\n");
    let row = say(&mut host, 2, "EXTEND 2 me too\nA 1 2\n");
    assert_eq!(deadline(&host).duration_since(before).as_hours(), 48);
    let told = answer(&host, &row);
    assert!(told.contains("(in 8 days") && !told.contains("(in 6 days"), "{told}");
}

#[test]
fn the_title_of_a_card_names_a_turn_to_come_and_another_is_told() {
    let mut host = host("warlord", 2, &[]);
    let row = say(&mut host, 1, "My orders for turn 3:\nA 1 2\n");
    let echo = host.answers(&row).remove(0);
    assert!(echo.subject.ends_with("1 order on file for turn 3"), "{}", echo.subject);
    assert_eq!(row.turn, Some(3));
    say(&mut host, 1, "A 3 3\n");
    host.pass_deadline();
    // A player who keeps the title of an earlier card means the open turn.
    let row = say(&mut host, 1, "Orders for turn 1\nA 2 2\n");
    assert_eq!((row.reason, row.turn), (Reason::Filed, Some(2)));
    let told = answer(&host, &row);
    assert!(told.contains("Its title names turn 1, and it was taken for turn 2"), "{told}");
    for title in ["Orders for turn 2", "Turn 2 orders:", "For turn 2", "Runde 2:"] {
        let row = say(&mut host, 1, &format!("{title}\nA 2 2\n"));
        let told = answer(&host, &row);
        assert!(!told.contains("Its title") && !told.contains("error"), "{title}: {told}");
    }
    for title in ["Turn 3 orders:", "for turn 3", "Meine Befehle für Runde 3", "ORDERS - turn 3"] {
        let row = say(&mut host, 1, &format!("{title}\nA 2 2\n"));
        assert_eq!(row.turn, Some(3), "{title}");
    }
    // A sentence that names a turn is not a title.
    let row = say(&mut host, 1, "My turn 3 was a mess\nA 2 2\n");
    assert_eq!(row.turn, Some(2), "{}", answer(&host, &row));
}

/// Whether a mail makes a seat done in a game that runs early, and the answer.
fn ready_after(lines: &str) -> (bool, String) {
    let mut host = host("warlord", 2, &[]);
    set(&mut host, "early", "true");
    let row = say(&mut host, 1, lines);
    (seat(&host, 1).ready > 0, answer(&host, &row))
}

#[test]
fn titles_names_and_signatures_are_no_orders_and_hold_nothing() {
    for lines in [
        "My moves:\nA 1 2\nREADY\n",
        "A 1 2\nMy second group of orders:\nA 2 2\nREADY\n",
        "A 1 2\nREADY\n\nRegards, Anna\n",
        "A 1 2\nREADY\nAnna\n",
        "A 1 2\nREADY\nRegards,\nAnna Lind\nField Marshal, 2nd Army\n+44 20 7946 0000\n",
        "A 1 2\nREADY\n\nAnna Lind\nanna@home.example\n",
        "A 1 2 please\nA 2 2, thanks!\n(sent from the train)\nREADY\n",
    ] {
        let (ready, told) = ready_after(lines);
        assert!(ready && !told.contains("error"), "{lines}: {told}");
    }
    // READY waits for lines which may say that the orders are not meant.
    for lines in [
        "These are not my orders for turn 1:\nA 1 2\nREADY\n",
        "Not these:\nA 1 2\nREADY\n",
        "A 1 2\nIf he attacks me:\nA 2 2\nREADY\n",
        "A 1 2\n(do not run it yet)\nREADY\n",
        "A 1 2\nplease wait\nREADY\n",
        "A 1 2\nnot yet please\nREADY\n",
    ] {
        let (ready, told) = ready_after(lines);
        assert!(!ready, "{lines}: {told}");
    }
    // Below READY they do not delay it, and a single word is not a misspelt command if its
    // beginning differs.
    let (ready, told) = ready_after("A 1 2\nDONE\nREADY\nplease wait\n");
    assert!(ready && !told.contains("ZONE"), "{told}");
}

#[test]
fn a_name_is_one_where_other_words_are_errors_and_a_sentence_is_none() {
    let mut host = host("classic-warlord", 3, &[]);
    for (lines, unread_as) in [
        ("G 128 1\nAnna\n", "2 Anna a name"),
        ("G 128 1\nThanks,\nanna\n", "3 anna a name"),
        ("G 128 1\n\nAnna Lind\nField Marshal, 2nd Army\n+44 20 7946 0000\n", "Army a name"),
        ("G 128 1\nMy second group:\n", "2 My second group: a title"),
        ("G 128 1\n(see you all soon)\n", "2 (see you all soon) a remark of yours"),
    ] {
        let row = say(&mut host, 1, lines);
        let told = answer(&host, &row);
        assert!(unread(&told).contains(unread_as) && !told.contains("error"), "{lines}: {told}");
    }
    let row = say(&mut host, 1, "G 128 1\nThanks,\nattack!\n");
    assert!(answer(&host, &row).contains("3 attack! | error"), "{}", answer(&host, &row));
}

#[test]
fn yes_without_its_question_is_told_which_questions_wait() {
    let mut host = host("warlord", 2, &[]);
    say(&mut host, 1, "A 1 2\nA 2 2\nA 3 2\nA 4 2\n");
    let row = say(&mut host, 1, "A 1 2\nA 99 3\nA 98 3\nA 97 3\n");
    assert_eq!(row.reason, Reason::Doubtful);
    let row = say(&mut host, 1, "YES\n");
    let told = answer(&host, &row);
    assert!(told.contains("\"is this a card?\"") && !told.contains("is this card yours"), "{told}");
}

#[test]
fn orders_in_answer_to_a_question_are_told() {
    let mut host = host("warlord", 2, &[]);
    let row = say(&mut host, 1, "RESIGN\n");
    let question = asked(&host, &row);
    let row = host.receive(mail(&question.to, &question.reply_to, "A 1 2\nA 2 2\n"));
    assert_eq!(row.reason, Reason::NotYes);
    let told = answer(&host, &row);
    assert!(told.contains("Not read: | A 1 2 | A 2 2"), "{told}");
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_letter_goes_with_the_signature_in_it() {
    let mut host = host("imperium", 2, &[]);
    let row = say(&mut host, 1, "PRESS 2\nPeace?\n-- \nAnna\nEND\nY K 0\n");
    assert_eq!(row.reason, Reason::Filed, "{}", answer(&host, &row));
    assert_eq!(host.on_file(1).lines().last(), Some("Y K 0"));
    host.pass_deadline();
    let letter = flat(&host.last_mail(2).text);
    assert!(letter.contains("Peace?") && letter.contains("-- | Anna"), "{letter}");
}

#[test]
fn a_name_that_is_cut_is_told_and_a_heading_is_no_secret_that_leaks() {
    let mut host = host("warlord", 2, &[]);
    let row = say(&mut host, 1, "NAME The very long name of somebody who has letters\n");
    let told = answer(&host, &row);
    assert!(told.contains("\"The very long name of somebody\" now. A name has 30"), "{told}");
    let row = say(&mut host, 1, "NAME Karelia\n");
    assert!(!answer(&host, &row).contains("A name has"));
    let password = host.passwords[0].clone();
    let card = format!("GAME W7 SEAT 1 PASSWORD {password}\nA 1 2\n");
    let row = host.receive(mail(&player(1), "robot@fieldpost.example", &card));
    assert_eq!(row.reason, Reason::Filed);
    assert!(!answer(&host, &row).contains("secret address"));
    // Below the orders it is a secret that may leak.
    let row = say(&mut host, 1, &format!("A 1 2\nI am SEAT 1 PASSWORD {password}\n"));
    assert!(answer(&host, &row).contains("secret address"), "{}", answer(&host, &row));
}

#[test]
fn an_order_behind_the_sign_of_a_remark_is_told() {
    let mut host = host("warlord", 2, &[]);
    let row = say(&mut host, 1, "A 1 2 ; A 2 3\nA 3 3 ; north, as we said\n");
    let told = answer(&host, &row);
    assert_eq!(told.matches("write each order on its own line").count(), 1, "{told}");
}

#[test]
fn orders_may_end_as_sentences_do() {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24"), ("edition", "basic")]);
    say(&mut host, 1, "Z ALL E *.\nCLOSE!\n");
    assert_eq!(host.on_file(1), "Z ALL E *\nCLOSE\n");
    // After a number it is a part of the order.
    let mut host = crate::words::host("imperium", 2, &[("tempo", "turn")]);
    host.pass_deadline();
    say(&mut host, 1, "SEG 1\nA 01\nM 1 02!\n");
    assert_eq!(host.on_file(1), "SEG 1\nA 01\nM 1 02!\n");
    let mut host = crate::words::host("battle-plan", 4, &[]);
    say(&mut host, 1, "@BA:\nBA5 please\nBN2!\n");
    assert_eq!(host.on_file(1), "@BA\nBA5\nBN2\n");
    let row = say(&mut host, 1, "@BA BA5\nAC40RO and the rest\n");
    assert!(!unread(&answer(&host, &row)).contains("AC40RO"), "it fails as an order");
}

#[test]
fn what_goes_on_with_a_wrong_order_is_not_told_as_right() {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24"), ("edition", "basic")]);
    let row = say(&mut host, 1, "P 14 AR\nZ ALL E *\nTHEN G 9\n");
    let told = answer(&host, &row);
    assert!(told.contains("THEN G 9 error: goes on from above, and is not done"), "{told}");
}

#[test]
fn what_happened_in_a_turn_is_told_once_whoever_moved_after_it() {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24"), ("edition", "basic")]);
    for _ in 0..6 {
        host.pass_deadline();
    }
    let row = say(&mut host, 1, "HISTORY\n");
    let text = host.answers(&row).remove(0).text;
    let history = text.split("\n* ").skip(1).map(flat);
    let told: Vec<(String, String)> = history
        .filter_map(|line| {
            let (label, told) = line.split_once(": ")?;
            let (turn, _) = label.rsplit_once(", ")?;
            Some((turn.to_lowercase(), told.to_owned()))
        })
        .collect();
    let once: std::collections::BTreeSet<&(String, String)> = told.iter().collect();
    assert!(told.len() > 2 && once.len() == told.len(), "{text}");
}

#[test]
fn questions_that_name_no_place_show_their_form() {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24"), ("edition", "basic")]);
    let row = say(&mut host, 1, "ODDS AR FI\n");
    assert!(answer(&host, &row).contains("The form is ODDS unit place"));
    let row = say(&mut host, 1, "RESEND turns 1 to 6\n");
    assert_eq!(row.reason, Reason::Resent, "{}", answer(&host, &row));
    let mut host = crate::words::host("imperium", 2, &[]);
    let row = say(&mut host, 1, "LOOK 01.1\n");
    let told = answer(&host, &row);
    assert!(told.contains("Your units on 01.1: M1 F1 F2 PD1 RT2 RT7."), "{told}");
    let row = say(&mut host, 1, "ODDS 1 33\n");
    assert!(answer(&host, &row).contains("Enemy fleet 4 is in 33 Dingir, and nothing is known"));
}
