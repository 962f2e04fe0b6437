//! What players choose and ask by mail: seats, addresses, preferences, votes, vacations,
//! leaving.

use base::terms::{Contact, Format};
use engine::Seat;
use jiff::SignedDuration;
use mail::RawMessage;
use mail::auth::Authenticity;
use registry::ENGINES;
use robot::limits::Limits;
use store::{MailRow, Reason, Status, Verdict};

use crate::talk::*;
use support::host::*;

// ---- joining and leaving ----

#[test]
fn a_stranger_gets_a_seat_after_yes_to_the_secret_address_and_not_before() {
    let mut host = with_free_seats(3);
    let wish = "JOIN W7 name=Karelia by the sea address=relay zone=Europe/Paris\n";
    let row = host.receive(mail(NEW, ROBOT, wish));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "join-asked"));
    let question = asked(&host, &row);
    assert_eq!(question.to, NEW);
    assert!(flat(&question.text).contains("forwards to you"), "{}", question.text);
    let none =
        |host: &Host| host.robot.store.games().seat("W7", Seat(4)).expect("a store").is_none();
    assert!(none(&host));
    // Neither a wrong secret nor another word is a YES.
    let (local, _) = question.reply_to.split_once('@').expect("an address");
    let (head, _) = local.rsplit_once('.').expect("a secret");
    let wrong = format!("{head}.aaaaaaaaaaaaa@fieldpost.example");
    assert_eq!(host.receive(mail(NEW, &wrong, "YES\n")).reason.as_str(), "wrong-secret");
    assert_eq!(host.receive(mail(NEW, &question.reply_to, "perhaps\n")).reason.as_str(), "not-yes");
    assert!(none(&host));
    let row = yes(&mut host, &question);
    assert_eq!((row.reason.as_str(), row.seat), ("joined", Some(4)));
    let got = seat(&host, 4);
    assert_eq!((got.address.as_str(), got.name.as_str()), (NEW, "Karelia by the sea"));
    assert_eq!((got.contact, got.zone.as_str()), (Contact::Relay, "Europe/Paris"));
    assert_eq!(printouts(&host.mails_to_address(NEW)), 1);
    let today = "\nDate: Thu, 28 May 2026";
    assert!(host.mails_to_address(NEW).iter().all(|m| m.raw.contains(today)));
    let told = answer(&host, &row);
    let password = told.split("Its password is ").nth(1).and_then(|t| t.split(';').next());
    let card = format!("GAME W7 SEAT 4 PASSWORD {}\nM 1 3\n", password.expect("a password"));
    assert_eq!(host.receive(mail(NEW, ROBOT, &card)).reason.as_str(), "filed");
    assert_eq!(host.on_file(4), "M 1 3\n");
    let again = host.receive(mail(NEW, &question.reply_to, "Yes\n"));
    assert_eq!(again.reason.as_str(), "question-over", "a question is answered once");
}

#[test]
fn a_game_starts_by_itself_when_its_last_seat_is_taken_by_mail() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    host.seat_players(3);
    set(&mut host, "join", "true");
    set(&mut host, "start_full", "true");
    host.robot.tick().expect("ticks");
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Open);
    assert_eq!(join(&mut host, NEW).reason.as_str(), "joined");
    host.robot.tick().expect("ticks");
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Running);
    assert_eq!(printouts(&host.mails_to_address(NEW)), 1);
}

#[test]
fn a_game_that_takes_no_players_sends_a_stranger_to_its_game_master_once_a_day() {
    let mut host = Host::new();
    let row = host.receive(mail(NEW, ROBOT, "JOIN W7\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "not-joined"));
    assert!(answer(&host, &row).contains("its game master gives its seats"));
    let again = mail(NEW, ROBOT, "JOIN W7\n").replacen("Message-ID: <", "Message-ID: <2.", 1);
    let row = host.receive(again);
    assert_eq!(row.verdict, Some(Verdict::Ignored));
    assert!(host.answers(&row).is_empty());
    let row = host.receive(mail(LATER, ROBOT, "JOIN Q9\n"));
    assert!(answer(&host, &row).contains("no such game"));
}

#[test]
fn a_join_in_somebody_elses_name_that_is_not_answered_changes_nothing() {
    let mut host = with_free_seats(3);
    let row = host.receive(mail(NEW, ROBOT, "JOIN W7\n"));
    let question = asked(&host, &row);
    host.pass(15 * 24 * 60);
    assert_eq!(yes(&mut host, &question).reason.as_str(), "question-over", "two weeks are over");
    assert_eq!(host.robot.store.games().seats("W7").expect("a store").len(), 3);
    assert!(host.robot.store.people().waiting("W7").expect("a store").is_empty());
}

#[test]
fn an_address_is_asked_four_times_a_day_and_no_more() {
    let mut host = with_free_seats(3);
    for n in 1..=6 {
        let row = host.receive(mail(NEW, ROBOT, &format!("JOIN W7 name=N{n}\n")));
        let expected = if n <= 4 { "join-asked" } else { "too-many-questions" };
        assert_eq!(
            (row.reason.as_str(), host.answers(&row).len()),
            (expected, usize::from(n <= 4))
        );
    }
    host.pass(24 * 60);
    let row = host.receive(mail(NEW, ROBOT, "JOIN W7 name=N7\n"));
    assert_eq!(row.reason.as_str(), "join-asked", "a new day");
}

#[test]
fn the_subject_of_an_answer_says_what_happened() {
    let mut host = with_free_seats(3);
    let mut said = Vec::new();
    let mut note = |host: &Host, row: &MailRow, to: &str| {
        let mails = host.answers(row).into_iter().filter(|m| m.to == to);
        said.push(mails.map(|m| m.subject).collect::<Vec<_>>().join(", "));
    };
    for from in [NEW, LATER] {
        let row = host.receive(mail(from, ROBOT, "JOIN W7\n"));
        let question = asked(&host, &row);
        let row = yes(&mut host, &question);
        note(&host, &row, from);
    }
    let row = say(&mut host, 1, "RESIGN\n");
    let question = asked(&host, &row);
    let row = yes(&mut host, &question);
    note(&host, &row, &player(1));
    let row = host.receive(mail("max@nowhere.example", ROBOT, "GAMES\n"));
    note(&host, &row, "max@nowhere.example");
    let row = host.receive(mail("max@nowhere.example", ROBOT, "Who is there?\n"));
    note(&host, &row, "max@nowhere.example");
    let subjects = [
        "you have a seat",
        "you are on the waiting list",
        "you have left your seat",
        "the games of this host",
        "about your mail",
    ];
    for (said, subject) in said.iter().zip(subjects) {
        assert!(said.contains(subject), "{said}: {subject}");
    }
}

#[test]
fn what_somebody_asks_in_a_players_name_keeps_the_player_from_nothing_else() {
    let mut host = Host::new();
    let resign = |n: u32| {
        let raw = mail(&player(1), ROBOT, "RESIGN\n");
        raw.replacen("Message-ID: <", &format!("Message-ID: <{n}."), 1)
    };
    for n in 0..4 {
        let row = host.receive(resign(n));
        assert_eq!(row.reason, Reason::ResignAsked, "{n}");
        host.pass(30);
    }
    let row = host.receive(resign(4));
    assert_eq!(row.reason, Reason::NotChanged);
    assert!(answer(&host, &row).contains("answer the newest of these questions"));
    let row = say(&mut host, 1, "ADDRESS elsewhere@players.example\n");
    assert_eq!((row.reason, host.answers(&row).len()), (Reason::AddressAsked, 3), "{}", row.why);
}

#[test]
fn a_question_waits_two_weeks_for_its_answer() {
    for (days, reason) in [(13, "joined"), (15, "question-over")] {
        let mut host = with_free_seats(2);
        let row = host.receive(mail(NEW, ROBOT, "JOIN W7 name=Late\n"));
        let question = asked(&host, &row);
        host.pass(days * 24 * 60);
        assert_eq!(yes(&mut host, &question).reason.as_str(), reason, "after {days} days");
    }
}

#[test]
fn a_yes_that_its_domain_calls_forged_does_nothing() {
    let mut host = Host::new();
    let row = say(&mut host, 1, "RESIGN\n");
    let question =
        host.answers(&row).into_iter().find(|m| m.subject.contains("sure")).expect("one");
    let raw = mail(&player(1), &question.reply_to, "YES\n");
    let message = RawMessage { authenticity: Authenticity::Fail, ..host.message(raw.as_bytes()) };
    let row = host.judge(message);
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Rejected), Reason::NotVouched));
    assert!(!seat(&host, 1).resigned);
    let again = raw.replacen("Message-ID: <", "Message-ID: <again.", 1);
    assert_eq!(host.receive(again).reason, Reason::Resigned);
}

#[test]
fn where_nobody_is_replaced_no_seat_of_a_player_is_offered() {
    let mut host = Host::new();
    set(&mut host, "join", "true");
    set(&mut host, "standby_after", "0");
    set(&mut host, "silent_turns", "0");
    join(&mut host, NEW);
    let before = host.mails_to_address(NEW).len();
    for _ in 0..4 {
        host.run_turn();
        host.robot.tick().expect("ticks");
    }
    assert_eq!(host.mails_to_address(NEW).len(), before);
}

#[test]
fn a_seat_that_is_left_is_offered_to_the_first_who_waits() {
    let mut host = Host::new();
    set(&mut host, "join", "true");
    let row = join(&mut host, NEW);
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "waiting"));
    assert_eq!(join(&mut host, LATER).reason.as_str(), "waiting");
    host.robot.tick().expect("ticks");
    let before = host.mails_to_address(NEW).len();
    resign(&mut host, 3);
    host.robot.tick().expect("ticks");
    host.robot.tick().expect("ticks");
    let offers = host.mails_to_address(NEW).split_off(before);
    assert_eq!(offers.len(), 1, "offered once");
    assert!(offers[0].subject.contains("a seat has become free"), "{}", offers[0].subject);
    assert_eq!(host.mails_to_address(LATER).len(), 2, "its own question and answer");
    let row = yes(&mut host, &offers[0]);
    assert_eq!((row.reason.as_str(), row.seat), ("joined", Some(3)));
    assert_eq!(seat(&host, 3).address, NEW);
    assert_eq!(printouts(&host.mails_to_address(NEW)), 1);
    let waiting = host.robot.store.people().waiting("W7").expect("a store");
    assert_eq!(waiting.iter().map(|w| w.address.as_str()).collect::<Vec<_>>(), [LATER]);
    host.run_turn();
    assert_eq!(printouts(&host.mails_to(3)), 1, "who has left gets no printout any more");
    assert_eq!(printouts(&host.mails_to_address(NEW)), 2);
}

/// A game that offers a seat after one missed turn. All but seat 3 have sent a card, and somebody
/// waits for a seat.
fn one_absent_and_one_waiting() -> Host {
    let mut host = Host::new();
    set(&mut host, "join", "true");
    set(&mut host, "standby_after", "1");
    assert_eq!(join(&mut host, NEW).reason.as_str(), "waiting");
    for number in [1, 2, 4] {
        say(&mut host, number, &format!("C {number} 1\n"));
    }
    host
}

#[test]
fn a_standby_takes_the_place_of_a_player_who_is_absent() {
    let mut host = one_absent_and_one_waiting();
    host.robot.tick().expect("ticks");
    let before = host.mails_to_address(NEW).len();
    host.run_turn();
    host.robot.tick().expect("ticks");
    let offers = host.mails_to_address(NEW).split_off(before);
    assert_eq!(offers.len(), 1);
    assert_eq!(seat(&host, 3).address, player(3), "an offer alone changes nothing");
    assert_eq!(yes(&mut host, &offers[0]).seat, Some(3));
    assert_eq!((seat(&host, 3).address.as_str(), seat(&host, 3).missed), (NEW, 0));
    assert!(host.last_mail(3).subject.contains("your seat has a new player"));
    // The former player's mails no longer prove anything.
    let row = say(&mut host, 3, "M 1 3\n");
    assert_eq!(row.reason.as_str(), "wrong-secret", "what they know is of no use any more");
    let told = host.answers(&row);
    assert!(told.iter().all(|m| m.text.contains("was not accepted") && !m.text.contains("M 1 3")));
}

#[test]
fn who_was_absent_is_replaced_by_nobody_who_was_not_offered_the_seat_nor_when_they_are_back() {
    let mut host = one_absent_and_one_waiting();
    host.run_turn();
    // A newcomer who joins gets no seat of a player.
    assert_eq!(join(&mut host, LATER).reason.as_str(), "waiting");
    assert_eq!(seat(&host, 3).address, player(3));
    let before = host.mails_to_address(NEW).len();
    host.robot.tick().expect("ticks");
    let offers = host.mails_to_address(NEW).split_off(before);
    // The player comes back, and the turn with their card has run when the offer is answered.
    for number in 1..=4 {
        say(&mut host, number, &format!("C {number} 1\n"));
    }
    host.run_turn();
    assert_eq!(seat(&host, 3).missed, 0);
    assert_eq!(yes(&mut host, &offers[0]).seat, None);
    assert_eq!(seat(&host, 3).address, player(3));
}

// ---- addresses, passwords, preferences ----

#[test]
fn a_seat_moves_when_both_addresses_say_yes_in_whichever_order() {
    for order in [[0, 1], [1, 0]] {
        let mut host = Host::new();
        let row = say(&mut host, 1, &format!("ADDRESS {NEW}\n"));
        assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "address-asked"));
        let mut both = host.answers(&row);
        both.retain(|m| m.reply_to.starts_with("robot+yes."));
        assert_eq!(both.iter().map(|m| m.to.clone()).collect::<Vec<_>>(), [player(1), NEW.into()]);
        assert_eq!(yes(&mut host, &both[order[0]]).reason.as_str(), "address-half");
        assert_eq!(seat(&host, 1).address, player(1), "one YES changes nothing");
        let row = yes(&mut host, &both[order[1]]);
        assert_eq!(row.reason.as_str(), "address-moved");
        assert_eq!(seat(&host, 1).address, NEW);
        let mut told: Vec<String> = host.answers(&row).into_iter().map(|m| m.to).collect();
        told.sort();
        assert_eq!(told, [NEW.to_owned(), player(1)]);
        host.run_turn();
        assert_eq!((printouts(&host.mails_to_address(NEW)), printouts(&host.mails_to(1))), (1, 1));
    }
}

#[test]
fn f4_a_mail_from_another_address_never_moves_the_seat() {
    let mut host = Host::new();
    let card = host.card(2, &format!("ADDRESS {THIEF}\n")).replace(&player(2), THIEF);
    let row = host.receive(card);
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Pending), "other-address"));
    assert!(host.answers(&row).iter().all(|m| m.to == player(2)));
    assert_eq!(seat(&host, 2).address, player(2));
    for wrong in ["ADDRESS nobody\n".to_owned(), format!("ADDRESS {}\n", player(2))] {
        assert_eq!(say(&mut host, 2, &wrong).reason.as_str(), "not-changed", "{wrong}");
    }
}

#[test]
fn a_new_password_works_at_once_and_its_mail_is_not_kept() {
    let mut host = Host::new();
    let row = say(&mut host, 1, "PASSWORD short\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "not-changed"));
    assert!(answer(&host, &row).contains("10 to 100 characters"));
    let row = say(&mut host, 1, "PASSWORD correct-horse-battery\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "password"));
    assert_eq!(host.robot.store.mails().raw(row.id).expect("a store"), None);
    assert!(host.answers(&row).iter().all(|m| !m.raw.contains("correct-horse")));
    let card = |password: &str| format!("GAME W7 SEAT 1 PASSWORD {password}\nM 1 3\n");
    let row = host.receive(mail(&player(1), ROBOT, &card("correct-horse-battery")));
    assert_eq!(row.reason.as_str(), "filed");
    let old = card(&host.passwords[0]);
    assert_eq!(host.receive(mail(&player(1), ROBOT, &old)).reason.as_str(), "wrong-password");
}

#[test]
fn name_zone_and_contact_are_the_players_own_choice() {
    let mut host = Host::new();
    assert_eq!(say(&mut host, 2, "NAME Karelia <b>by the sea</b>\n").reason.as_str(), "settings");
    assert_eq!(seat(&host, 2).name, "Karelia bby the sea/b", "no sign that a program could read");
    let row = say(&mut host, 2, "ZONE Moon/Base\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "not-changed"));
    assert!(answer(&host, &row).contains("Europe/London"), "the right form is told");
    assert_eq!(say(&mut host, 2, "ZONE America/New_York\n").reason.as_str(), "settings");
    let row = say(&mut host, 2, "STATUS\n");
    assert!(answer(&host, &row).contains("EDT"), "dates come in the player's zone");
    assert_eq!(say(&mut host, 2, "CONTACT relay\n").reason.as_str(), "settings");
    assert_eq!(seat(&host, 2).contact, Contact::Relay);
    let row = say(&mut host, 2, "CONTACT somebody\n");
    assert!(answer(&host, &row).contains("disclose, relay and hide"));
    assert_eq!(seat(&host, 2).contact, Contact::Relay);
}

#[test]
fn format_chooses_the_parts_of_a_printout() {
    let mut host = Host::new();
    assert!(host.last_mail(1).raw.contains("deadline.ics"));
    assert_eq!(say(&mut host, 1, "FORMAT text pdf json noics\n").reason.as_str(), "settings");
    let wanted = Format { html: false, pdf: true, json: true, ics: false, ..Format::default() };
    assert_eq!(seat(&host, 1).choices.format, wanted);
    host.run_turn();
    assert!(!host.last_mail(1).raw.contains("deadline.ics"));
    assert!(host.last_mail(2).raw.contains("deadline.ics"));
    let row = say(&mut host, 1, "FORMAT sideways\n");
    assert_eq!(row.reason.as_str(), "unknown-command");
    assert!(answer(&host, &row).contains("FORMAT both"));
}

#[test]
fn reminders_come_to_those_who_want_them_and_one_click_ends_them() {
    let mut host = Host::new();
    say(&mut host, 1, "C 1 1\n");
    say(&mut host, 2, "READY\n");
    say(&mut host, 3, "REMINDERS OFF\n");
    host.clock.set(deadline(&host) - SignedDuration::from_hours(5));
    host.robot.tick().expect("ticks");
    host.robot.tick().expect("ticks");
    let reminders = |host: &Host, number: u8| {
        let mails = host.mails_to(number);
        mails.iter().filter(|m| m.subject.contains("orders are awaited")).count()
    };
    assert_eq!([1, 2, 3, 4].map(|n| reminders(&host, n)), [0, 0, 0, 1]);
    let reminder = host.last_mail(4).raw;
    let stop = reminder.split("<mailto:").nth(1).and_then(|t| t.split('?').next());
    let stop = stop.expect("an address that ends them").to_owned();
    let wrong = stop.replace("W7.4.", "W7.1.");
    assert_eq!(host.receive(mail(THIEF, &wrong, "stop\n")).reason.as_str(), "wrong-secret");
    assert_eq!(host.receive(mail(&player(4), &stop, "")).reason.as_str(), "no-reminders");
    let wants: Vec<bool> = (1..=4).map(|n| seat(&host, n).choices.reminders).collect();
    assert_eq!(wants, [true, true, false, false]);
}

// ---- the calendar ----

#[test]
fn a_turn_runs_early_when_the_game_allows_it_and_everybody_is_ready() {
    let mut host = Host::new();
    for number in 1..=4 {
        assert_eq!(say(&mut host, number, "READY\n").reason.as_str(), "ready");
    }
    assert_eq!(run(&mut host), 0, "this game waits for its deadline");
    set(&mut host, "early", "true");
    assert_eq!(say(&mut host, 2, "NOTREADY\n").reason.as_str(), "not-ready");
    assert_eq!(run(&mut host), 0, "one is not ready any more");
    say(&mut host, 2, "ready\n");
    assert_eq!(run(&mut host), 1);
    assert_eq!(turn(&host), 2);
    assert_eq!(run(&mut host), 0, "nobody has said so of the next turn");
}

#[test]
fn a_player_on_vacation_is_not_waited_for() {
    let mut host = Host::new();
    set(&mut host, "early", "true");
    say(&mut host, 4, "VACATION 2026-05-28 2026-06-20\n");
    for number in 1..=3 {
        assert_eq!(run(&mut host), 0);
        say(&mut host, number, "READY\n");
    }
    assert_eq!(run(&mut host), 1);
    let told = host.told_game_master();
    assert!(told.contains("Seats with orders: none"), "{told}");
}

#[test]
fn a_step_runs_when_the_last_who_is_awaited_goes_on_vacation() {
    let mut host = Host::new();
    set(&mut host, "early", "true");
    say(&mut host, 4, "VACATION 2026-05-30 2026-06-20\n");
    (1..=3).for_each(|number| drop(say(&mut host, number, "READY\n")));
    host.robot.tick().expect("ticks");
    assert_eq!(run(&mut host), 0, "the fourth is here yet");
    let row = host.robot.store.games().seat("W7", Seat(4)).expect("a store").expect("it is taken");
    let leaves = row.away.expect("a vacation").0;
    assert_eq!(host.robot.next_event().expect("a store"), Some(leaves));
    host.clock.set(leaves);
    assert_eq!(run(&mut host), 1);
}

#[test]
fn a_game_in_which_everybody_is_on_vacation_does_not_run_early() {
    let mut host = Host::new();
    set(&mut host, "early", "true");
    for number in 1..=4 {
        say(&mut host, number, "VACATION 2026-05-28 2026-06-20\n");
        assert_eq!(run(&mut host), 0, "{number}");
    }
}

#[test]
fn a_majority_moves_the_deadline_by_the_fewest_days_and_all_are_told() {
    let mut host = Host::new();
    let due = deadline(&host);
    assert_eq!(say(&mut host, 1, "EXTEND 3 exams\n").reason.as_str(), "vote");
    let row = say(&mut host, 2, "EXTEND 2 days\n");
    assert!(answer(&host, &row).contains("2 of 3 votes are in"));
    assert_eq!(deadline(&host), due, "half of the players is no majority");
    say(&mut host, 2, "EXTEND 2 a wedding\n");
    assert_eq!(deadline(&host), due, "nobody votes twice");
    say(&mut host, 3, "EXTEND 5 moving house\n");
    assert_eq!(deadline(&host), due + SignedDuration::from_hours(48));
    for number in 1..=4 {
        let mails = host.mails_to(number);
        let told = mails.iter().find(|m| m.subject.contains("a later deadline")).expect("told");
        assert!(flat(&told.text).contains("a wedding"), "{}", told.text);
    }
}

#[test]
fn a_vote_for_too_many_days_is_refused() {
    let mut host = Host::new();
    let due = deadline(&host);
    for lines in ["EXTEND 8 leave\n", "EXTEND 0 leave\n"] {
        let row = say(&mut host, 1, lines);
        assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "not-changed"));
        assert!(answer(&host, &row).contains("1 to 7 days"));
    }
    set(&mut host, "extend_days_max", "0");
    let row = say(&mut host, 1, "EXTEND 2 leave\n");
    assert!(answer(&host, &row).contains("only the game master moves deadlines"));
    assert_eq!(deadline(&host), due);
}

#[test]
fn turns_that_are_missed_on_vacation_do_not_count() {
    let mut host = Host::new();
    let missed = |host: &Host| [1, 2].map(|n| seat(host, n).missed);
    assert_eq!(say(&mut host, 1, "VACATION 2026-05-28 2026-06-20\n").reason.as_str(), "vacation");
    host.run_turn();
    assert_eq!(missed(&host), [0, 1]);
    assert_eq!(say(&mut host, 1, "VACATION OFF\n").reason.as_str(), "vacation");
    host.run_turn();
    assert_eq!(missed(&host), [1, 2]);
    for (lines, told) in [
        ("VACATION 2026-07-01 2026-12-01\n", "60 days at most"),
        ("VACATION 2026-06-20 2026-06-19\n", "ends before it begins"),
        ("VACATION 2026-06-32 2026-07-19\n", "Write dates like this"),
    ] {
        let row = say(&mut host, 1, lines);
        assert_eq!(row.reason.as_str(), "not-changed", "{lines}");
        assert!(answer(&host, &row).contains(told), "{lines}");
    }
    assert_eq!(seat(&host, 1).away, None);
}

#[test]
fn a_card_in_advance_is_filed_for_its_turn_and_judged_again_when_that_opens() {
    let mut host = Host::new();
    let row = say(&mut host, 1, "TURN 2\nM 1 3\nM 99 1\n");
    assert_eq!((row.reason.as_str(), row.turn), ("filed", Some(2)));
    assert!(answer(&host, &row).contains("This card is for turn 2; the game is at turn 1."));
    assert_eq!(host.on_file(1), "", "nothing for the open turn");
    assert_eq!(say(&mut host, 1, "TURN 5\nM 1 3\n").reason.as_str(), "future-turn");
    host.run_turn();
    assert_eq!(host.on_file(1), "M 1 3\nM 99 1\n");
    let printout = host.last_mail(1).text;
    assert!(printout.contains("Your card on file"), "{printout}");
    assert!(printout.contains("| | M 99 1"), "{printout}");
    let lines: Vec<&str> = printout.lines().filter(|l| l.contains("| | M ")).collect();
    assert_eq!(lines.len(), 2, "{printout}");
    assert!(lines.iter().all(|l| !l.contains("changed")), "both are as they were: {lines:?}");
    assert!(!host.last_mail(2).text.contains("Your card on file"));
}

// ---- questions to the robot ----

#[test]
fn card_sends_a_blank_card_of_the_open_turn_to_the_registered_address() {
    let mut host = Host::new();
    let row = say(&mut host, 1, "CARD\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "card"));
    let card = host.answers(&row).remove(0);
    assert_eq!(card.to, player(1));
    assert!(card.text.contains("turn card W7 T1 S1"), "{}", card.text);
    assert!(card.text.contains("end of card"), "{}", card.text);
}

#[test]
fn games_lists_the_games_to_anybody() {
    let mut host = Host::new();
    let row = host.receive(mail(NEW, ROBOT, "GAMES\n"));
    assert!(answer(&host, &row).contains("No game of this host takes players by mail now."));
    set(&mut host, "join", "true");
    for from in [LATER.to_owned(), player(1)] {
        let row = host.receive(mail(&from, ROBOT, "GAMES\n"));
        assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "games"));
        let text = answer(&host, &row);
        assert!(text.contains("W7") && text.contains("turn 1, 0 seats free"), "{text}");
        assert!(!text.contains(&player(1)), "{text}");
    }
}

#[test]
fn who_joins_a_game_full_of_computers_takes_the_seat_of_one() {
    let mut host = Host::with_computers(|_| {});
    set(&mut host, "join", "true");
    let row = host.receive(mail(NEW, ROBOT, "GAMES\n"));
    let games = answer(&host, &row);
    assert!(games.contains("0 seats free, 2 played by computers that"), "{games}");
    let row = host.receive(mail(NEW, ROBOT, "JOIN W7 name=Karelia\n"));
    let question = asked(&host, &row);
    let row = yes(&mut host, &question);
    assert_eq!(row.reason.as_str(), "joined", "{}", row.why);
    let mails = host.mails_to_address(NEW);
    let first = mails.iter().find(|m| m.text.contains("Your first turn")).expect("a printout");
    assert!(first.text.contains("You have seat 3 of 4: Karelia."), "{}", first.text);
    let taken = seat(&host, 3);
    assert!(!taken.computer && taken.address == NEW, "{taken:?}");
    // The player who was there has kept the first seat.
    assert_eq!(seat(&host, 1).address, player(1));
}

#[test]
fn an_unknown_word_is_answered_with_the_nearest_right_one() {
    let mut host = Host::new();
    for (lines, right) in [
        ("STATSU\n", "did you mean STATUS"),
        ("RESING\n", "did you mean RESIGN"),
        ("resing\n", "did you mean RESIGN"),
        ("EXTEND soon\n", "did you mean EXTEND days reason"),
        ("VACATION soon\n", "did you mean VACATION from to"),
    ] {
        let row = say(&mut host, 1, lines);
        assert_eq!(row.reason.as_str(), "unknown-command", "{lines}");
        assert!(answer(&host, &row).contains(right), "{lines}");
    }
}

#[test]
fn several_commands_and_orders_in_one_mail_are_all_done() {
    let mut host = Host::new();
    let row = say(&mut host, 1, "ZONE Europe/Paris\nNAME Karelia\nREADY\nM 1 3\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "filed"));
    let got = seat(&host, 1);
    assert_eq!((got.zone.as_str(), got.name.as_str(), got.ready), ("Europe/Paris", "Karelia", 1));
    assert_eq!(host.on_file(1), "M 1 3\n");
    let echo = answer(&host, &row);
    for part in ["in Europe/Paris", "Karelia", "You are ready for turn 1", "M 1 3"] {
        assert!(echo.contains(part), "{part} is missing in {echo}");
    }
}

#[test]
fn a_question_beside_orders_or_a_change_is_answered_or_said_to_be_left_out() {
    let mut host = Host::new();
    for (text, told) in [
        ("WHO\nM 1 3\n", "WHO ---"),
        ("HELP A\nZONE Europe/Rome\n", "HELP A ---"),
        ("STATUS\nZONE Europe/Paris\n", "STATUS ------ | M 1 3"),
        ("CARD\nM 2 3\n", "CARD was left out"),
        ("RESEND\nZONE Europe/Rome\n", "RESEND was left out"),
    ] {
        let row = say(&mut host, 1, text);
        assert_eq!(row.verdict, Some(Verdict::Accepted), "{text}: {}", row.why);
        let answer = flat(&answer(&host, &row));
        assert!(answer.contains(told), "{text}: {answer}");
    }
    let row = say(&mut host, 1, "STATUS\n");
    assert!(!answer(&host, &row).contains("left out"));
}

#[test]
fn press_in_a_game_without_it_is_refused_with_a_reason_and_the_orders_count() {
    let mut host = Host::new();
    let row = say(&mut host, 1, "PRESS 2\nShall we meet in sector 3?\nEND\nM 1 3\n");
    assert_eq!(row.reason.as_str(), "filed");
    let echo = answer(&host, &row);
    assert!(echo.contains("this game takes no PRESS"), "{echo}");
    assert_eq!(host.on_file(1), "M 1 3\n");
}

// ---- what nobody gets twice, and nobody keeps ----

#[test]
fn two_questions_about_a_game_give_one_seat() {
    let mut host = with_free_seats(2);
    let rows = ["A", "B"].map(|n| host.receive(mail(NEW, ROBOT, &format!("JOIN W7 name={n}\n"))));
    let questions = rows.map(|row| asked(&host, &row));
    questions.iter().for_each(|q| drop(yes(&mut host, q)));
    let sql = "SELECT count(*) FROM seat WHERE address = $1 AND resigned = 0";
    assert_eq!(count(&host, sql, NEW), 1);
}

#[test]
fn an_offer_that_is_not_answered_goes_to_the_next_who_waits() {
    let mut host = Host::new();
    set(&mut host, "join", "true");
    join(&mut host, NEW);
    join(&mut host, LATER);
    resign(&mut host, 3);
    host.robot.tick().expect("ticks");
    let offered = |host: &Host, to: &str| {
        host.mails_to_address(to).iter().filter(|m| m.subject.contains("become free")).count()
    };
    assert_eq!((offered(&host, NEW), offered(&host, LATER)), (1, 0));
    // The offer stands for three days.
    host.pass(72 * 60);
    host.robot.tick().expect("ticks");
    assert_eq!((offered(&host, NEW), offered(&host, LATER)), (1, 0));
    host.pass(1);
    host.robot.tick().expect("ticks");
    assert_eq!((offered(&host, NEW), offered(&host, LATER)), (1, 1));
    // When all have been asked and nobody has answered, the first is asked again.
    host.pass(72 * 60 + 1);
    host.robot.tick().expect("ticks");
    assert_eq!((offered(&host, NEW), offered(&host, LATER)), (2, 1));
    // People on the waiting list are known, and may ask what is stored.
    let row = host.receive(mail(LATER, ROBOT, "EXPORT\n"));
    assert_ne!(row.reason, Reason::UnknownSender);
}

#[test]
fn who_has_left_sends_no_orders_any_more() {
    let mut host = Host::new();
    resign(&mut host, 1);
    let row = say(&mut host, 1, "M 1 3\n");
    assert_ne!(row.verdict, Some(Verdict::Accepted), "{}", row.reason);
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_vote_moves_the_deadline_of_a_turn_once() {
    let mut host = Host::new();
    for number in 1..=3 {
        say(&mut host, number, "EXTEND 2 exams\n");
    }
    let due = deadline(&host);
    for number in 1..=3 {
        assert_eq!(say(&mut host, number, "EXTEND 1 more exams\n").reason.as_str(), "not-changed");
    }
    assert_eq!(deadline(&host), due);
}

#[test]
fn a_password_without_a_proof_is_refused_and_never_asked_about_nor_kept() {
    let mut host = Host::new();
    let before = seat(&host, 1);
    for text in ["PASSWORD correct-horse-battery\n", "NAME Fool\nPASSWORD attackers-word\nM 1 3\n"]
    {
        let row = host.receive(mail(&player(1), ROBOT, text));
        assert_eq!((row.verdict, row.reason), (Some(Verdict::Rejected), Reason::NotChanged));
        let told = host.answers(&row).remove(0);
        assert!(flat(&told.text).contains("A YES sets no password"), "{}", told.text);
        assert!(!told.raw.contains("correct-horse") && !told.raw.contains("attackers-word"));
        assert!(host.robot.store.mails().raw(row.id).expect("a store").is_none());
        let now = seat(&host, 1);
        assert_eq!(
            (now.password_digest, now.name),
            (before.password_digest.clone(), before.name.clone())
        );
    }
    assert_eq!(host.on_file(1), "");
    assert_eq!(
        host.robot.store.mails().pending_of("W7", Seat(1)).expect("a store"),
        Vec::<i64>::new()
    );
}

#[test]
fn a_refused_mail_changes_nothing_at_all() {
    let mut host = Host::new();
    let name = |host: &Host| seat(host, 1).name;
    for text in
        ["NAME Fool\nM 999 3\nA 998 5\n", "NAME Fool\nTURN 9\nM 1 3\n", "NAME Fool\nNAME Other\n"]
    {
        let row = say(&mut host, 1, text);
        assert_eq!(row.verdict, Some(Verdict::Rejected), "{text}: {}", row.reason);
        assert_eq!(name(&host), "Empire 1", "{text}");
        let answers = host.answers(&row);
        assert_eq!(answers.len(), 1, "{text}: nobody is asked");
        let told = flat(&answers[0].text);
        let says = ["othing was ", "stay as they were"];
        assert!(says.iter().any(|s| told.contains(s)), "{text}: {told}");
        assert!(!told.contains("called Fool"), "{text}: {told}");
    }
    // A command that is refused by itself does not stop the others.
    for (n, refused) in ["PASSWORD short", "ADDRESS nowhere", "ZONE Moon/Base"].iter().enumerate() {
        let row = say(&mut host, 1, &format!("NAME Fool {n}\n{refused}\n"));
        assert_eq!(row.verdict, Some(Verdict::Accepted), "{refused}");
        assert_eq!(name(&host), format!("Fool {n}"));
        let told = flat(&host.answers(&row)[0].text);
        let word = refused.split(' ').next().expect("a word");
        assert!(told.contains(&format!("{word} was not carried out.")), "{told}");
    }
    let row = say(&mut host, 1, "PASSWORD short\n");
    let told = flat(&host.answers(&row)[0].text);
    assert!(!told.contains("was not carried out"), "alone it needs no name: {told}");
    assert_eq!(say(&mut host, 1, "NAME Fool\nREMINDERS OFF\n").reason, Reason::Settings);
    assert_eq!(name(&host), "Fool");
}

#[test]
fn what_one_mail_causes_counts_in_its_own_budget() {
    let limits = Limits { replies_per_hour: 1, ..Limits::default() };
    let mut host = Host::with(&registry::ENGINES, "warlord", 4, limits);
    let row = say(&mut host, 1, "ADDRESS new@players.example\n");
    let to_player = host.answers(&row).iter().filter(|m| m.to == player(1)).count();
    assert_eq!(to_player, 1, "the answer, and no question behind it: {}", row.why);
}
