//! What players choose and ask by mail: seats, addresses, votes, vacations, letters,
//! leaving; and what proves that it was they who asked.

use fieldpost::config::Limits;
use fieldpost::engine::Seat;
use fieldpost::mail::auth::Authenticity::{Fail, Pass, Unknown};
use fieldpost::mail::{RawMessage, SendResult};
use fieldpost::registry::ENGINES;
use fieldpost::store::{MailRow, SeatRow, Status, Verdict};
use fieldpost::terms::{Contact, Format};
use jiff::{SignedDuration, Timestamp};

use crate::host::*;

const NEW: &str = "newcomer@elsewhere.example";
const LATER: &str = "later@elsewhere.example";
const THIEF: &str = "thief@elsewhere.example";

/// A running game that takes players, with `taken` of its four seats given.
fn with_free_seats(taken: u8) -> Host {
    let mut host = Host::empty(ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    host.seat_players(taken);
    host.robot.start("W7", None, true).expect("starts");
    set(&mut host, "join", "true");
    host
}

fn set(host: &mut Host, term: &str, value: &str) {
    host.robot.set_term("W7", term, value).expect("a term");
}

fn seat(host: &Host, number: u8) -> SeatRow {
    host.robot.store.seat("W7", Seat(number)).expect("a store").expect("a seat")
}

fn deadline(host: &Host) -> Timestamp {
    host.robot.game("W7").expect("the game").deadline.expect("a deadline")
}

fn turn(host: &Host) -> u32 {
    host.robot.game("W7").expect("the game").turn
}

/// Runs what is due now.
fn run(host: &mut Host) -> u32 {
    let now = host.robot.now();
    host.robot.run_due(now).expect("the robot goes on")
}

/// Text without its line breaks.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The text of the first answer to a mail.
fn answer(host: &Host, row: &MailRow) -> String {
    flat(&host.answers(row).first().expect("an answer").text)
}

/// The question that a mail caused.
fn asked(host: &Host, row: &MailRow) -> Got {
    let question = |m: &Got| m.reply_to.starts_with("robot+yes.");
    host.answers(row).into_iter().find(question).expect("a question")
}

fn yes(host: &mut Host, question: &Got) -> MailRow {
    host.receive(mail(&question.to, &question.reply_to, "YES\n"))
}

/// A mail of a seat with the secret of the open turn.
fn say(host: &mut Host, seat: u8, lines: &str) -> MailRow {
    host.receive(host.card(seat, lines))
}

/// The mails to any address, newest last.
fn mails_at(host: &Host, address: &str) -> Vec<Got> {
    let sql = "SELECT mime_z FROM outbox WHERE recipient = ?1 ORDER BY id";
    let mut query = host.robot.store.connection().prepare(sql).expect("a query");
    let rows = query.query_map([address], |r| r.get::<_, Vec<u8>>(0)).expect("rows");
    let mime = |z: Vec<u8>| zstd::stream::decode_all(&z[..]).expect("mime");
    rows.map(|z| got(&mime(z.expect("bytes")))).collect()
}

fn printouts(mails: &[Got]) -> usize {
    mails.iter().filter(|m| m.subject.contains("printout")).count()
}

fn count(host: &Host, sql: &str, address: &str) -> i64 {
    let found = host.robot.store.connection().query_row(sql, [address], |r| r.get(0));
    found.expect("a count")
}

fn join(host: &mut Host, from: &str) -> MailRow {
    let row = host.receive(mail(from, ROBOT, "JOIN W7 name=Late\n"));
    let question = asked(host, &row);
    yes(host, &question)
}

fn resign(host: &mut Host, number: u8) {
    let row = say(host, number, "RESIGN\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "resign-asked"));
    assert!(seat(host, number).has_player(), "asked once more before anything is done");
    let question = asked(host, &row);
    assert_eq!(yes(host, &question).reason, "resigned");
    assert!(!seat(host, number).has_player());
}

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
    let none = |host: &Host| host.robot.store.seat("W7", Seat(4)).expect("a store").is_none();
    assert!(none(&host));
    // Neither a wrong secret nor another word is a YES.
    let (local, _) = question.reply_to.split_once('@').expect("an address");
    let (head, _) = local.rsplit_once('.').expect("a secret");
    let wrong = format!("{head}.aaaaaaaaaaaaa@fieldpost.example");
    assert_eq!(host.receive(mail(NEW, &wrong, "YES\n")).reason, "wrong-secret");
    assert_eq!(host.receive(mail(NEW, &question.reply_to, "perhaps\n")).reason, "not-yes");
    assert!(none(&host));
    let row = yes(&mut host, &question);
    assert_eq!((row.reason.as_str(), row.seat), ("joined", Some(4)));
    let got = seat(&host, 4);
    assert_eq!((got.address.as_str(), got.name.as_str()), (NEW, "Karelia by the sea"));
    assert_eq!((got.contact, got.zone.as_str()), (Contact::Relay, "Europe/Paris"));
    assert_eq!(printouts(&mails_at(&host, NEW)), 1);
    let told = answer(&host, &row);
    let password = told.split("Its password is ").nth(1).and_then(|t| t.split(';').next());
    let card = format!("GAME W7 SEAT 4 PASSWORD {}\nM 1 3\n", password.expect("a password"));
    assert_eq!(host.receive(mail(NEW, ROBOT, &card)).reason, "filed");
    assert_eq!(host.on_file(4), "M 1 3\n");
    let again = host.receive(mail(NEW, &question.reply_to, "Yes\n"));
    assert_eq!(again.reason, "question-over", "a question is answered once");
}

#[test]
fn a_game_starts_by_itself_when_its_last_seat_is_taken_by_mail() {
    let mut host = Host::empty(ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    host.seat_players(3);
    set(&mut host, "join", "true");
    set(&mut host, "start_full", "true");
    host.robot.tick().expect("ticks");
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Open);
    assert_eq!(join(&mut host, NEW).reason, "joined");
    host.robot.tick().expect("ticks");
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Running);
    assert_eq!(printouts(&mails_at(&host, NEW)), 1);
}

#[test]
fn a_game_that_takes_no_players_sends_a_stranger_to_its_game_master_once_a_day() {
    let mut host = Host::new();
    let row = host.receive(mail(NEW, ROBOT, "JOIN W7\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "not-joined"));
    assert!(answer(&host, &row).contains("gm@fieldpost.example"));
    let row = host.receive(mail(NEW, ROBOT, "JOIN W7 2\n"));
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
    assert_eq!(yes(&mut host, &question).reason, "question-over", "two weeks are over");
    assert_eq!(host.robot.store.seats("W7").expect("a store").len(), 3);
    assert!(host.robot.store.waiting("W7").expect("a store").is_empty());
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
    assert_eq!(row.reason, "join-asked", "a new day");
}

#[test]
fn a_seat_that_is_left_is_offered_to_the_first_who_waits() {
    let mut host = Host::new();
    set(&mut host, "join", "true");
    let row = join(&mut host, NEW);
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "waiting"));
    assert_eq!(join(&mut host, LATER).reason, "waiting");
    host.robot.tick().expect("ticks");
    let before = mails_at(&host, NEW).len();
    resign(&mut host, 3);
    host.robot.tick().expect("ticks");
    host.robot.tick().expect("ticks");
    let offers = mails_at(&host, NEW).split_off(before);
    assert_eq!(offers.len(), 1, "offered once");
    assert!(offers[0].subject.contains("a seat has become free"), "{}", offers[0].subject);
    assert_eq!(mails_at(&host, LATER).len(), 2, "its own question and answer");
    let row = yes(&mut host, &offers[0]);
    assert_eq!((row.reason.as_str(), row.seat), ("joined", Some(3)));
    assert_eq!(seat(&host, 3).address, NEW);
    assert_eq!(printouts(&mails_at(&host, NEW)), 1);
    let waiting = host.robot.store.waiting("W7").expect("a store");
    assert_eq!(waiting.iter().map(|w| w.address.as_str()).collect::<Vec<_>>(), [LATER]);
    host.run_turn();
    assert_eq!(printouts(&host.mails_to(3)), 1, "who has left gets no printout any more");
    assert_eq!(printouts(&mails_at(&host, NEW)), 2);
}

#[test]
fn a_standby_takes_the_place_of_a_player_who_is_absent() {
    let mut host = Host::new();
    set(&mut host, "join", "true");
    set(&mut host, "standby_after", "1");
    assert_eq!(join(&mut host, NEW).reason, "waiting");
    for number in [1, 2, 4] {
        say(&mut host, number, "C 1 1\n");
    }
    host.robot.tick().expect("ticks");
    let before = mails_at(&host, NEW).len();
    host.run_turn();
    host.robot.tick().expect("ticks");
    let offers = mails_at(&host, NEW).split_off(before);
    assert_eq!(offers.len(), 1);
    assert_eq!(seat(&host, 3).address, player(3), "an offer alone changes nothing");
    assert_eq!(yes(&mut host, &offers[0]).seat, Some(3));
    assert_eq!((seat(&host, 3).address.as_str(), seat(&host, 3).missed), (NEW, 0));
    assert!(host.last_mail(3).subject.contains("your seat has a new player"));
    // What the player before still has proves nothing any more.
    let row = say(&mut host, 3, "M 1 3\n");
    assert_eq!(row.reason, "wrong-secret", "what he knows is of no use any more");
    assert!(host.answers(&row).iter().all(|m| m.to == NEW));
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
        assert_eq!(yes(&mut host, &both[order[0]]).reason, "address-half");
        assert_eq!(seat(&host, 1).address, player(1), "one YES changes nothing");
        let row = yes(&mut host, &both[order[1]]);
        assert_eq!(row.reason, "address-moved");
        assert_eq!(seat(&host, 1).address, NEW);
        let mut told: Vec<String> = host.answers(&row).into_iter().map(|m| m.to).collect();
        told.sort();
        assert_eq!(told, [NEW.to_owned(), player(1)]);
        host.run_turn();
        assert_eq!((printouts(&mails_at(&host, NEW)), printouts(&host.mails_to(1))), (1, 1));
    }
}

#[test]
fn f4_a_mail_from_another_address_never_moves_the_seat() {
    let mut host = Host::new();
    let card = host.card(2, &format!("ADDRESS {THIEF}\n")).replace(&player(2), THIEF);
    let row = host.receive(card);
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Held), "other-address"));
    assert!(host.answers(&row).iter().all(|m| m.to == player(2)));
    assert_eq!(seat(&host, 2).address, player(2));
    for wrong in ["ADDRESS nobody\n".to_owned(), format!("ADDRESS {}\n", player(2))] {
        assert_eq!(say(&mut host, 2, &wrong).reason, "not-changed", "{wrong}");
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
    assert_eq!(host.robot.store.raw(row.id).expect("a store"), None);
    assert!(host.answers(&row).iter().all(|m| !m.raw.contains("correct-horse")));
    let card = |password: &str| format!("GAME W7 SEAT 1 PASSWORD {password}\nM 1 3\n");
    let row = host.receive(mail(&player(1), ROBOT, &card("correct-horse-battery")));
    assert_eq!(row.reason, "filed");
    let old = card(&host.passwords[0]);
    assert_eq!(host.receive(mail(&player(1), ROBOT, &old)).reason, "wrong-password");
}

#[test]
fn name_zone_and_contact_are_the_players_own_choice() {
    let mut host = Host::new();
    assert_eq!(say(&mut host, 2, "NAME Karelia <b>by the sea</b>\n").reason, "settings");
    assert_eq!(seat(&host, 2).name, "Karelia bby the sea/b", "no sign that a program could read");
    let row = say(&mut host, 2, "ZONE Moon/Base\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "not-changed"));
    assert!(answer(&host, &row).contains("Europe/London"), "the right form is told");
    assert_eq!(say(&mut host, 2, "ZONE America/New_York\n").reason, "settings");
    let row = say(&mut host, 2, "STATUS\n");
    assert!(answer(&host, &row).contains("EDT"), "dates come in the player's zone");
    assert_eq!(say(&mut host, 2, "CONTACT relay\n").reason, "settings");
    assert_eq!(seat(&host, 2).contact, Contact::Relay);
    let row = say(&mut host, 2, "CONTACT somebody\n");
    assert!(answer(&host, &row).contains("disclose, relay and hide"));
    assert_eq!(seat(&host, 2).contact, Contact::Relay);
}

#[test]
fn format_chooses_the_parts_of_a_printout() {
    let mut host = Host::new();
    assert!(host.last_mail(1).raw.contains("deadline.ics"));
    assert_eq!(say(&mut host, 1, "FORMAT text pdf json noics\n").reason, "settings");
    let wanted = Format { html: false, pdf: true, json: true, ics: false, ..Format::default() };
    assert_eq!(seat(&host, 1).format, wanted);
    host.run_turn();
    assert!(!host.last_mail(1).raw.contains("deadline.ics"));
    assert!(host.last_mail(2).raw.contains("deadline.ics"));
    let row = say(&mut host, 1, "FORMAT sideways\n");
    assert_eq!(row.reason, "unknown-command");
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
    assert_eq!(host.receive(mail(THIEF, &wrong, "stop\n")).reason, "wrong-secret");
    assert_eq!(host.receive(mail(&player(4), &stop, "")).reason, "no-reminders");
    let wants: Vec<bool> = (1..=4).map(|n| seat(&host, n).reminders).collect();
    assert_eq!(wants, [true, true, false, false]);
}

// ---- the calendar ----

#[test]
fn a_turn_runs_early_when_the_game_allows_it_and_everybody_is_ready() {
    let mut host = Host::new();
    for number in 1..=4 {
        assert_eq!(say(&mut host, number, "READY\n").reason, "ready");
    }
    assert_eq!(run(&mut host), 0, "this game waits for its deadline");
    set(&mut host, "early", "true");
    assert_eq!(say(&mut host, 2, "NOTREADY\n").reason, "not-ready");
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
}

#[test]
fn a_majority_moves_the_deadline_by_the_fewest_days_and_all_are_told() {
    let mut host = Host::new();
    let due = deadline(&host);
    assert_eq!(say(&mut host, 1, "EXTEND 3 exams\n").reason, "vote");
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
    assert_eq!(say(&mut host, 1, "VACATION 2026-05-28 2026-06-20\n").reason, "vacation");
    host.run_turn();
    assert_eq!(missed(&host), [0, 1]);
    assert_eq!(say(&mut host, 1, "VACATION OFF\n").reason, "vacation");
    host.run_turn();
    assert_eq!(missed(&host), [1, 2]);
    for (lines, told) in [
        ("VACATION 2026-07-01 2026-12-01\n", "60 days at most"),
        ("VACATION 2026-06-20 2026-06-19\n", "over before it begins"),
        ("VACATION 2026-06-32 2026-07-19\n", "Dates are written so"),
    ] {
        let row = say(&mut host, 1, lines);
        assert_eq!(row.reason, "not-changed", "{lines}");
        assert!(answer(&host, &row).contains(told), "{lines}");
    }
    assert_eq!(seat(&host, 1).away, None);
}

#[test]
fn a_card_in_advance_is_filed_for_its_turn_and_judged_again_when_that_opens() {
    let mut host = Host::new();
    let row = say(&mut host, 1, "TURN 2\nM 1 3\nM 99 1\n");
    assert_eq!((row.reason.as_str(), row.turn), ("filed", Some(2)));
    assert!(answer(&host, &row).contains("This card is for turn 2; turn 1 is open."));
    assert_eq!(host.on_file(1), "", "nothing for the open turn");
    assert_eq!(say(&mut host, 1, "TURN 5\nM 1 3\n").reason, "future-turn");
    host.run_turn();
    assert_eq!(host.on_file(1), "M 1 3\nM 99 1\n");
    let printout = host.last_mail(1).text;
    assert!(printout.contains("Your card on file"), "{printout}");
    assert!(printout.contains("| | M 99 1"), "{printout}");
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
    for from in [NEW.to_owned(), player(1)] {
        let row = host.receive(mail(&from, ROBOT, "GAMES\n"));
        assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "games"));
        let text = answer(&host, &row);
        assert!(text.contains("W7") && text.contains("turn 1, 0 seats free"), "{text}");
        assert!(!text.contains(&player(1)), "{text}");
    }
}

#[test]
fn an_unknown_word_is_answered_with_the_nearest_right_one() {
    let mut host = Host::new();
    for (lines, right) in [
        ("STATSU\n", "is this meant? STATUS"),
        ("RESING\n", "is this meant? RESIGN"),
        ("EXTEND soon\n", "is this meant? EXTEND days reason"),
        ("VACATION soon\n", "is this meant? VACATION from to"),
    ] {
        let row = say(&mut host, 1, lines);
        assert_eq!(row.reason, "unknown-command", "{lines}");
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
fn press_in_a_game_without_it_is_refused_with_a_reason_and_the_orders_count() {
    let mut host = Host::new();
    let row = say(&mut host, 1, "PRESS 2\nShall we meet in sector 3?\nEND\nM 1 3\n");
    assert_eq!(row.reason, "filed");
    let echo = answer(&host, &row);
    assert!(echo.contains("this game has no free messages by the robot"), "{echo}");
    assert_eq!(host.on_file(1), "M 1 3\n");
}

// ---- who sent it, and when ----

#[test]
fn e14_what_another_player_forwards_is_not_executed() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "M 1 3\n").replace(&player(1), &player(2)));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Held), "other-address"));
    assert!(host.answers(&row).iter().all(|m| m.to == player(1)));
    let below = "FYI\n\n---------- Forwarded message ---------\n\
                 From: Empire 1 <p1@players.example>\nDate: Sat, 30 May 2026\n\
                 Subject: orders\nTo: robot@fieldpost.example\n\nM 1 3\n";
    assert_eq!(say(&mut host, 2, below).reason, "no-orders");
    assert_eq!((host.on_file(1), host.on_file(2)), (String::new(), String::new()));
}

#[test]
fn f2_policies_weigh_secret_address_and_the_word_of_the_domain() {
    let mut host = Host::new();
    // Whether the secret came along, whether from the own address, what the domain says.
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
        ("normal", true, true, Fail, "filed"),
        ("normal", true, false, Pass, "other-address"),
        ("normal", false, true, Pass, "filed"),
        ("normal", false, true, Unknown, "unproven"),
        ("normal", false, true, Fail, "not-vouched"),
        ("open", true, true, Unknown, "filed"),
        ("open", true, false, Unknown, "filed"),
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
        let lines = format!("M 1 {}\n", n + 1);
        let raw = match secret {
            true => host.card(1, &lines),
            false => mail(&player(1), ROBOT, &lines),
        };
        let raw = if own { raw } else { raw.replace(&player(1), NEW) };
        let message = RawMessage { authenticity, ..host.message(raw.as_bytes()) };
        let row = host.judge(message);
        let case = format!("{policy} {secret} {own} {authenticity:?}");
        assert_eq!(row.reason, reason, "{case}");
        let expected = if reason == "filed" { lines } else { before };
        assert_eq!(host.on_file(1), expected, "{case}");
    }
}

#[test]
fn a_command_without_proof_waits_for_the_yes_of_the_registered_address() {
    let mut host = Host::new();
    let row = host.receive(mail(&player(1), ROBOT, "NAME Nobody\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Held), "unproven"));
    assert_eq!(seat(&host, 1).name, "Empire 1");
    let question = host.answers(&row).remove(0);
    assert_eq!(question.to, player(1));
    assert_eq!(yes(&mut host, &question).reason, "settings");
    assert_eq!(seat(&host, 1).name, "Nobody");
}

#[test]
fn f3_a_secret_of_four_turns_ago_proves_nothing() {
    let mut host = Host::new();
    let key = host.robot.store.key().clone();
    let to = |turn| format!("robot+W7.1.{}@fieldpost.example", key.reply("W7", Seat(1), turn));
    for _ in 0..4 {
        // Who orders nothing for four turns is dropped.
        for seat in 1..=4 {
            host.receive(host.card(seat, "M 1 3\n"));
        }
        host.run_turn();
    }
    let row = host.receive(mail(&player(1), &to(1), "TURN 5\nM 1 3\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Held), "unproven"));
    assert_eq!(host.receive(mail(THIEF, &to(1), "TURN 5\nM 1 3\n")).reason, "wrong-secret");
    assert_eq!(host.receive(mail(&player(1), &to(2), "TURN 5\nM 1 4\n")).reason, "filed");
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
        assert_eq!(row.reason, "wrong-secret");
        let answers = host.answers(&row);
        assert_eq!(answers.len(), usize::from(n < 10), "guess {n}");
        texts.extend(answers.into_iter().map(|m| m.text));
    }
    assert_eq!(texts.len(), 1, "{texts:?}");
    // Nobody is locked out by it, neither the rival nor who guessed.
    assert_eq!(say(&mut host, 1, "M 1 3\n").reason, "filed");
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
    assert_eq!(host.receive(&first).reason, "duplicate");
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
    assert_eq!(host.judge(message).reason, "filed");
    assert_eq!(host.on_file(1), "M 1 3\n");
}

#[test]
fn f7_a_mail_without_a_verdict_holds_the_turn_up() {
    let mut host = Host::new();
    let raw = host.card(1, "M 1 3\n");
    let message = host.message(raw.as_bytes());
    host.robot.store.keep(&[message]).expect("kept");
    assert_eq!(host.pass_deadline(), 0);
    host.robot.receive(&[]).expect("judged");
    assert_eq!(run(&mut host), 1);
    let turns = host.robot.store.turns("W7").expect("the journal");
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

// ---- letters, privacy, erasure ----

/// Seats 1 and 2 take letters, and 2 has got an address for letters to 1.
fn with_letters() -> (Host, String) {
    let mut host = Host::new();
    say(&mut host, 1, "CONTACT relay\nY 2 156\n");
    say(&mut host, 2, "CONTACT relay\n");
    host.run_turn();
    let alias = host.robot.alias("W7", Seat(1), Seat(2));
    (host, alias)
}

#[test]
fn g3_letters_go_both_ways_and_neither_side_learns_the_others_address() {
    let (mut host, alias) = with_letters();
    let printout = host.last_mail(2);
    assert!(printout.text.contains(&alias), "{}", printout.text);
    assert!(!printout.raw.contains("p1@"), "{}", printout.raw);
    let letter = mail(&player(2), &alias, "Shall we be friends?\n");
    let letter = letter.replace(
        "Subject: orders",
        "Received: from home.example ([192.0.2.7])\r\nSubject: p2@players.example writes",
    );
    let row = host.receive(&letter);
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "relayed"));
    let id = letter.split("Message-ID: <").nth(1).and_then(|t| t.split('@').next());
    let mut mails = host.answers(&row);
    mails.retain(|m| m.to == player(1));
    let there = mails.pop().expect("the letter");
    assert!(there.text.contains("| Shall we be friends?"), "{}", there.text);
    for hidden in ["p2@", "192.0.2.7", "home.example", id.expect("an id")] {
        assert!(!there.raw.contains(hidden), "{hidden} in {}", there.raw);
    }
    let row = host.receive(mail(&player(1), &there.reply_to, "Yes, let us.\n"));
    assert_eq!(row.reason, "relayed");
    let mut mails = host.answers(&row);
    mails.retain(|m| m.to == player(2));
    let back = mails.pop().expect("the answer");
    assert!(back.text.contains("| Yes, let us."), "{}", back.text);
    assert!(!back.raw.contains("p1@"), "{}", back.raw);
    assert_eq!(back.reply_to, alias);
}

#[test]
fn g3_an_address_for_letters_serves_its_seat_alone() {
    let (mut host, alias) = with_letters();
    let before = host.mails_to(1).len();
    for from in [player(3), NEW.to_owned()] {
        let row = host.receive(mail(&from, &alias, "Shall we be friends?\n"));
        assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "wrong-secret"));
        assert!(host.answers(&row).iter().all(|m| m.to == from && !m.raw.contains("p1@")));
    }
    let raw = mail(&player(2), &alias, "Not my mail at all.\n");
    let message = RawMessage { authenticity: Fail, ..host.message(raw.as_bytes()) };
    assert_eq!(host.judge(message).reason, "wrong-secret", "a forged sender");
    assert_eq!(host.mails_to(1).len(), before);
}

#[test]
fn g3_a_seat_that_hides_gets_no_letters() {
    let (mut host, alias) = with_letters();
    let to_four = host.robot.alias("W7", Seat(4), Seat(1));
    let row = host.receive(mail(&player(1), &to_four, "Hello?\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "no-letters"));
    assert!(host.answers(&row).iter().all(|m| m.to == player(1)));
    say(&mut host, 1, "CONTACT hide\n");
    let row = host.receive(mail(&player(2), &alias, "Hello?\n"));
    assert_eq!(row.reason, "no-letters", "an address that was given out ends too");
}

#[test]
fn g3_what_a_letter_quotes_is_not_forwarded() {
    let (mut host, alias) = with_letters();
    let quote = "On Sat, 30 May 2026 at 10:00, Fieldpost <robot@fieldpost.example> wrote:\n\
                 > secret printout of p2@players.example\n";
    let row = host.receive(mail(&player(2), &alias, &format!("As you wish.\n\n{quote}")));
    assert_eq!(row.reason, "relayed");
    let there = host.last_mail(1);
    assert!(there.text.contains("| As you wish."), "{}", there.text);
    assert!(!there.raw.contains("secret printout") && !there.raw.contains("p2@"), "{}", there.raw);
    let row = host.receive(mail(&player(2), &alias, quote));
    assert_eq!(row.reason, "empty-letter");
}

#[test]
fn g4_each_printout_goes_to_the_player_whose_position_it_shows() {
    let mut host = Host::new();
    host.run_turn();
    let sql = "SELECT seat, recipient FROM outbox WHERE kind = 'printout' ORDER BY id";
    let mut query = host.robot.store.connection().prepare(sql).expect("a query");
    let rows = query.query_map([], |r| Ok((r.get::<_, u8>(0)?, r.get::<_, String>(1)?)));
    let rows: Vec<(u8, String)> = rows.expect("rows").map(|r| r.expect("a row")).collect();
    assert_eq!(rows.len(), 8);
    assert!(rows.iter().all(|(number, to)| *to == player(*number)), "{rows:?}");
    for number in 1..=4 {
        let printout = host.last_mail(number);
        assert_eq!(printout.to, player(number));
        assert!(printout.text.contains(&format!("seat {number} (Empire {number})")));
        assert!(printout.reply_to.starts_with(&format!("robot+W7.{number}.")));
    }
}

#[test]
fn g5_export_sends_what_is_stored_of_the_player_and_of_nobody_else() {
    let mut host = Host::new();
    say(&mut host, 1, "M 1 3\n");
    say(&mut host, 2, "M 2 7\n");
    let row = say(&mut host, 1, "EXPORT\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "exported"));
    let sent = host.answers(&row).remove(0);
    assert_eq!(sent.to, player(1));
    assert!(sent.raw.contains("fieldpost-data.json"));
    let parsed = mail_parser::MessageParser::default().parse(sent.raw.as_bytes()).expect("a mail");
    let file = parsed.attachments().next().expect("a file").contents();
    let data: serde_json::Value = serde_json::from_slice(file).expect("JSON");
    assert_eq!(data["address"], player(1));
    assert_eq!(data["seats"][0]["name"], "Empire 1");
    assert_eq!(data["mails_from_you"][0]["reason"], "filed");
    let mine = data["mails_from_you"][0]["mail"].as_str().expect("the mail itself");
    assert!(mine.contains("M 1 3"), "{mine}");
    assert!(data["mails_to_you"].as_array().is_some_and(|m| m.len() >= 2));
    assert!(!data.to_string().contains("p2@"));
    let row = say(&mut host, 1, "export\n");
    assert_eq!(row.verdict, Some(Verdict::Ignored), "once a day");
}

/// A host whose player of seat 1 has left and is erased, with the mails that came of it.
fn forgotten() -> (Host, Vec<i64>) {
    let mut host = Host::new();
    let card = say(&mut host, 1, "M 1 3\n").id;
    let row = say(&mut host, 1, "FORGET\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "not-changed"));
    assert!(answer(&host, &row).contains("seat 1 of game W7"));
    resign(&mut host, 1);
    let row = host.receive(mail(&player(1), ROBOT, "FORGET\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "forget-asked"));
    assert_eq!(seat(&host, 1).address, player(1), "asked once more");
    let question = asked(&host, &row);
    let done = yes(&mut host, &question);
    assert_eq!((done.verdict, done.reason.as_str()), (Some(Verdict::Accepted), "forgotten"));
    (host, vec![card, row.id, done.id])
}

#[test]
fn g5_who_has_left_is_erased_on_request() {
    let (host, mails) = forgotten();
    let gone = seat(&host, 1);
    assert_eq!((gone.address.as_str(), gone.name.as_str()), ("", ""));
    for sql in [
        "SELECT count(*) FROM mail WHERE sender = ?1 COLLATE NOCASE",
        "SELECT count(*) FROM seat WHERE address = ?1 COLLATE NOCASE",
        "SELECT count(*) FROM question WHERE address = ?1 COLLATE NOCASE",
        "SELECT count(*) FROM outbox WHERE recipient = ?1 AND kind <> 'farewell'",
    ] {
        assert_eq!(count(&host, sql, &player(1)), 0, "{sql}");
    }
    for id in mails {
        assert_eq!(host.robot.store.raw(id).expect("a store"), None);
    }
    // Nothing packed is a frame of some ten octets.
    let sql = "SELECT max(length(mime_z)) FROM outbox WHERE recipient = ?1";
    assert!(count(&host, sql, "erased") < 20, "the mails to the player are empty");
    let farewell = host.last_mail(1);
    assert!(flat(&farewell.text).contains("This mail is the last"), "{}", farewell.text);
    // The others keep everything.
    assert_eq!(seat(&host, 2).address, player(2));
    assert_eq!(printouts(&host.mails_to(2)), 1);
}

#[test]
fn g5_the_farewell_is_erased_as_soon_as_it_has_left() {
    let (mut host, _) = forgotten();
    let now = host.robot.now();
    let rows = host.robot.store.claim(now, 1000).expect("a store");
    let farewell = rows.iter().find(|r| r.kind == "farewell").expect("the last mail");
    assert_eq!(farewell.mail.to, player(1));
    host.robot.store.sent(farewell, &SendResult::Sent, now, 86_400).expect("noted");
    assert_eq!(count(&host, "SELECT count(*) FROM outbox WHERE recipient = ?1", &player(1)), 0);
}

// ---- what nobody gets twice, and nobody keeps ----

#[test]
fn two_questions_about_a_game_give_one_seat() {
    let mut host = with_free_seats(2);
    let rows = ["A", "B"].map(|n| host.receive(mail(NEW, ROBOT, &format!("JOIN W7 name={n}\n"))));
    let questions = rows.map(|row| asked(&host, &row));
    questions.iter().for_each(|q| drop(yes(&mut host, q)));
    let sql = "SELECT count(*) FROM seat WHERE address = ?1 AND NOT resigned";
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
        mails_at(host, to).iter().filter(|m| m.subject.contains("become free")).count()
    };
    assert_eq!((offered(&host, NEW), offered(&host, LATER)), (1, 0));
    host.pass(73 * 60);
    host.robot.tick().expect("ticks");
    assert_eq!((offered(&host, NEW), offered(&host, LATER)), (1, 1));
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
        assert_eq!(say(&mut host, number, "EXTEND 1 more exams\n").reason, "not-changed");
    }
    assert_eq!(deadline(&host), due);
}

#[test]
fn a_password_that_waited_for_yes_is_not_kept_either() {
    let mut host = Host::new();
    let held = host.receive(mail(&player(1), ROBOT, "PASSWORD correct-horse-battery\n"));
    assert_eq!(held.verdict, Some(Verdict::Held));
    let question = host.answers(&held).remove(0);
    assert!(!question.raw.contains("correct-horse"));
    assert_eq!(yes(&mut host, &question).reason, "password");
    assert_eq!(host.robot.store.raw(held.id).expect("a store"), None);
}
