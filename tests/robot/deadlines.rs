//! The calendar of a running game: reminders, grace, early turns, quorums, outages,
//! starts, holidays, summer time, calendar files, and turns that are taken back.

use base::clock::Clock;
use base::schedule;
use engine::Seat;
use jiff::{SignedDuration, Timestamp};
use mail::mime;
use registry::ENGINES;
use robot::gm::{By, Hold};
use robot::gm_commands;
use robot::limits::Limits;
use store::{Game, Reason, SeatChange, Status, Verdict};

use crate::talk::flat;
use support::host::{Got, Host, a_game, mail, player};

fn game(host: &Host) -> Game {
    host.robot.game("W7").expect("the game")
}

fn deadline(host: &Host) -> Timestamp {
    game(host).deadline.expect("a deadline")
}

fn set(host: &mut Host, name: &str, value: &str) {
    host.robot.set_term("W7", name, value).expect("a term");
}

fn hours(n: i64) -> SignedDuration {
    SignedDuration::from_hours(n)
}

fn mins(n: i64) -> SignedDuration {
    SignedDuration::from_mins(n)
}

fn london(text: &str) -> Timestamp {
    schedule::date(text, "Europe/London").expect("a date")
}

/// Does what the calendar has for an instant.
fn tick_at(host: &mut Host, at: Timestamp) {
    host.clock.set(at);
    host.robot.tick().expect("the calendar works");
}

/// Runs what is due after a fetch that began now.
fn run(host: &mut Host) -> u32 {
    let now = host.clock.now();
    host.robot.run_due(now).expect("the robot goes on")
}

/// Mails to each of the four seats with these words in their subject.
fn told(host: &Host, subject: &str) -> [usize; 4] {
    [1, 2, 3, 4].map(|seat| {
        let mails = host.mails_to(seat);
        mails.iter().filter(|m| m.subject.contains(subject)).count()
    })
}

fn reminders(host: &Host) -> [usize; 4] {
    told(host, "your orders are awaited")
}

fn missed(host: &Host) -> Vec<u32> {
    host.robot.store.games().seats("W7").expect("a store").iter().map(|s| s.missed).collect()
}

fn hash(host: &Host, turn: u32) -> String {
    host.robot.store.journal().hash_of("W7", turn).expect("a store").expect("a turn that ran")
}

/// The address that ends a player's reminders.
fn stop_address(reminder: &Got) -> String {
    let parsed = mime::parse(reminder.raw.as_bytes()).expect("our mails can be read");
    let value = parsed.header("List-Unsubscribe").expect("a way to stop").to_owned();
    let (_, rest) = value.split_once("mailto:").expect("an address");
    rest.split(['?', '>']).next().unwrap_or_default().to_owned()
}

/// The calendar file of a mail.
fn calendar(mail: &Got) -> Option<String> {
    let parsed = mail_parser::MessageParser::default().parse(mail.raw.as_bytes()).expect("a mail");
    let mut texts = parsed.parts.iter().map(|p| String::from_utf8_lossy(p.contents()).into_owned());
    texts.find(|t| t.starts_with("BEGIN:VCALENDAR"))
}

fn field<'a>(file: &'a str, name: &str) -> &'a str {
    file.lines().find_map(|l| l.strip_prefix(name)).expect("the field")
}

#[test]
fn seats_without_orders_are_reminded_twice_and_once_each_time() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n"));
    host.receive(host.card(2, "VACATION 2026-05-29 2026-06-20\n"));
    host.receive(host.card(3, "READY\n"));
    let due = deadline(&host);
    tick_at(&mut host, due - hours(48) - mins(1));
    assert_eq!(reminders(&host), [0, 0, 0, 0]);
    for _ in 0..2 {
        tick_at(&mut host, due - hours(48));
        assert_eq!(reminders(&host), [0, 0, 0, 1]);
    }
    for _ in 0..2 {
        tick_at(&mut host, due - hours(6));
        assert_eq!(reminders(&host), [0, 0, 0, 2]);
    }
    let text = flat(&host.last_mail(4).text);
    assert!(text.contains("No orders of yours are on file for turn 1 of game W7."), "{text}");
    assert!(text.contains("21:26 BST (in 6 hours 0 minutes)."), "{text}");
}

#[test]
fn a_moved_deadline_is_reminded_of_anew_and_one_click_ends_reminders() {
    let mut host = Host::new();
    let due = deadline(&host);
    tick_at(&mut host, due - hours(48));
    assert_eq!(reminders(&host), [1, 1, 1, 1]);
    let moved =
        host.robot.as_game_master(|gm| gm.set_deadline("W7", "2026-06-20 18:00")).expect("moved");
    tick_at(&mut host, due - hours(6));
    assert_eq!(reminders(&host), [1, 1, 1, 1], "the old deadline is nothing any more");
    tick_at(&mut host, moved - hours(48));
    assert_eq!(reminders(&host), [2, 2, 2, 2]);
    let stop = stop_address(&host.last_mail(4));
    assert!(stop.starts_with("robot+stop.W7.4."), "{stop}");
    let row = host.receive(mail(&player(4), &stop, "stop\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "no-reminders"));
    tick_at(&mut host, moved - hours(6));
    assert_eq!(reminders(&host), [3, 3, 3, 2]);
}

#[test]
fn at_the_deadline_itself_nobody_is_reminded() {
    let mut host = Host::new();
    let due = deadline(&host);
    tick_at(&mut host, due);
    assert_eq!(reminders(&host), [0, 0, 0, 0]);
}

#[test]
fn in_an_early_game_those_with_orders_are_reminded_of_ready() {
    let mut host = Host::new();
    set(&mut host, "early", "true");
    host.receive(host.card(1, "M 1 3\n"));
    host.receive(host.card(2, "READY\nM 1 3\n"));
    let due = deadline(&host);
    tick_at(&mut host, due - hours(48));
    assert_eq!(reminders(&host), [1, 0, 1, 1]);
    assert!(flat(&host.last_mail(1).text).contains("you have not said READY"));
}

#[test]
fn twenty_turns_run_by_hand_leave_the_next_deadline_within_one_interval() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("battle-plan", 4)).expect("a game");
    host.seat_players(4);
    host.robot.start("W7", None, false).expect("starts");
    let first = deadline(&host);
    let now = host.clock.now();
    for _ in 0..20 {
        host.robot.run_turn("W7").expect("it runs");
    }
    let next = deadline(&host);
    assert!(next > now && next <= now + hours(8 * 24), "{next} after {first}, now {now}");
    // At the usual time of day.
    let time = |at: Timestamp| at.to_zoned(jiff::tz::TimeZone::UTC).time();
    assert_eq!(time(next), time(first));
}

#[test]
fn a_withdrawn_card_is_no_card_for_reminders_and_quorum() {
    let mut host = Host::new();
    set(&mut host, "quorum", "1");
    host.receive(host.card(1, "M 1 3\n"));
    host.receive(host.card(1, "CANCEL\n"));
    let due = deadline(&host);
    tick_at(&mut host, due - hours(48));
    assert_eq!(reminders(&host), [1, 1, 1, 1], "nothing of seat 1 is on file");
    assert_eq!(host.pass_deadline(), 0, "no card is in");
}

#[test]
fn f6_a_card_in_the_grace_counts_and_says_so() {
    let mut host = Host::new();
    set(&mut host, "grace_minutes", "30");
    let due = deadline(&host);
    host.clock.set(due + mins(28));
    let row = host.receive(host.card(1, "M 1 3\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "filed"));
    let echo = flat(&host.answers(&row)[0].text);
    assert!(echo.contains("came after the deadline, in the time of grace, and counts"), "{echo}");
    host.clock.set(due + mins(29));
    assert_eq!(
        host.receive(host.card(2, "M 1 3\n")).reason.as_str(),
        "filed",
        "the last instant counts"
    );
    assert_eq!(host.receive(host.card(3, "M 1 3\n")).reason.as_str(), "late");
    assert_eq!(run(&mut host), 1);
    assert_eq!(missed(&host), [0, 0, 1, 1]);
}

#[test]
fn f6_the_time_of_receipt_counts_and_never_the_date_of_the_sender() {
    let mut host = Host::new();
    let due = deadline(&host);
    host.clock.set(due + hours(2));
    let mut dated = |seat: u8, date: &str, received_at: Timestamp| {
        let card = host.card(seat, "M 1 3\n");
        let raw = card.replace("Subject:", &format!("Date: {date} 10:00:00 +0000\r\nSubject:"));
        let mut message = host.message(raw.as_bytes());
        message.received_at = received_at;
        host.judge(message).reason.as_str()
    };
    assert_eq!(dated(1, "Thu, 25 Jun 2037", due), "filed", "fetched later, received in time");
    assert_eq!(dated(2, "Mon, 25 May 2026", due + SignedDuration::from_secs(1)), "late");
}

#[test]
fn f5_an_older_card_that_is_fetched_later_does_not_replace_a_newer() {
    let mut host = Host::new();
    let first = host.message(host.card(1, "M 1 3\n").as_bytes());
    host.pass(5);
    let second = host.message(host.card(1, "M 2 3\n").as_bytes());
    host.judge(second);
    host.judge(first);
    assert_eq!(host.on_file(1), "M 2 3\n");
}

#[test]
fn f7_a_turn_runs_after_a_fetch_that_began_after_deadline_and_grace() {
    let mut host = Host::new();
    set(&mut host, "grace_minutes", "30");
    let due = deadline(&host);
    host.clock.set(due + mins(29));
    assert_eq!(run(&mut host), 0);
    host.clock.set(due + mins(40));
    let before = due + mins(30) - SignedDuration::from_secs(1);
    assert_eq!(host.robot.run_due(before).expect("runs"), 0, "a card may still lie there");
    assert_eq!(host.robot.run_due(due + mins(30)).expect("runs"), 1);
    assert_eq!(run(&mut host), 0, "once");
    assert_eq!(game(&host).turn, 2);
}

#[test]
fn f7_a_turn_waits_for_the_verdict_of_every_mail() {
    let mut host = Host::new();
    let message = host.message(host.card(1, "M 1 3\n").as_bytes());
    host.robot
        .store
        .write(|tx| tx.mails().store_raw(std::slice::from_ref(&message)))
        .expect("kept");
    assert_eq!(host.pass_deadline(), 0);
    host.robot.receive(&[]).expect("judges");
    assert_eq!(run(&mut host), 1);
    assert_eq!(missed(&host), [0, 1, 1, 1], "it came in time");
}

#[test]
fn f8_a_late_card_is_told_so_and_for_which_turn_it_would_count() {
    let mut host = Host::new();
    let due = deadline(&host);
    host.clock.set(due + mins(10));
    let row = host.receive(host.card(1, "M 1 3\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "late"));
    let echo = host.answers(&row).remove(0);
    assert!(echo.subject.contains("not applied: too late"), "{}", echo.subject);
    let text = flat(&echo.text);
    for part in ["Thu 4 Jun 2026, 21:37 BST, after the deadline of turn 1", "opens turn 2"] {
        assert!(text.contains(part), "{part} is missing in {text}");
    }
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_turn_runs_early_when_all_who_are_awaited_are_ready() {
    let mut host = Host::new();
    let due = deadline(&host);
    for seat in [1, 2] {
        assert_eq!(host.receive(host.card(seat, "READY\n")).reason.as_str(), "ready");
    }
    host.receive(host.card(4, "VACATION 2026-05-28 2026-06-20\n"));
    host.receive(host.card(3, "READY\n"));
    assert_eq!(run(&mut host), 0, "the game does not allow it");
    set(&mut host, "early", "true");
    assert_eq!(host.receive(host.card(3, "NOTREADY\n")).reason.as_str(), "not-ready");
    assert_eq!(run(&mut host), 0);
    host.pass(60 * 50);
    host.receive(host.card(3, "READY\nM 1 3\n"));
    assert_eq!(run(&mut host), 1);
    assert_eq!(run(&mut host), 0, "nobody is ready for the next turn");
    assert_eq!(deadline(&host), due + hours(2 * 24), "a week from now, at the usual time");
}

#[test]
fn the_game_master_hears_who_sent_orders() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n"));
    host.receive(host.card(3, "M 1 3\n"));
    host.run_turn();
    let told = flat(&host.told_game_master());
    let seats = "Seats with orders: 1, 3 Seats without: 2, 4 Played by the computer: none";
    assert!(told.contains(seats), "{told}");
}

#[test]
fn a_turn_waits_once_for_a_quorum_and_tells_all() {
    let mut host = Host::new();
    set(&mut host, "quorum", "2");
    host.receive(host.card(1, "M 1 3\n"));
    assert_eq!(host.pass_deadline(), 0);
    assert_eq!(deadline(&host), host.clock.now() + hours(24));
    assert_eq!(told(&host, "the turn waits"), [1, 1, 1, 1]);
    let text = flat(&host.last_mail(2).text);
    assert!(text.contains("Only 1 card is in and the game asks for 2"), "{text}");
    assert!(text.contains("in 1 day 0 hours"), "{text}");
    assert_eq!(run(&mut host), 0);
    assert_eq!(host.pass_deadline(), 1, "it waits once");
    assert_eq!(told(&host, "the turn waits"), [1, 1, 1, 1]);
}

#[test]
fn a_quorum_is_no_more_than_those_who_play() {
    let mut host = Host::new();
    set(&mut host, "quorum", "3");
    for seat in [2, 3, 4] {
        let leaves = |tx: &store::Tx| tx.change_seat("W7", Seat(seat), &SeatChange::Resigned);
        host.robot.store.write(leaves).expect("left");
    }
    host.receive(host.card(1, "M 1 3\n"));
    assert_eq!(host.pass_deadline(), 1, "one player, one card");
}

#[test]
fn a_quorum_that_is_missed_early_does_not_shorten_the_turn() {
    let mut host = Host::new();
    set(&mut host, "quorum", "2");
    set(&mut host, "early", "true");
    for seat in 1..=4 {
        host.receive(host.card(seat, "READY\n"));
    }
    let due = deadline(&host);
    run(&mut host);
    assert!(deadline(&host) >= due, "{}", deadline(&host));
    host.robot.tick().expect("ticks");
    let next = host.robot.next_event().expect("a store").expect("due");
    assert!(next > host.clock.now(), "nothing is due before more cards or the deadline come");
    host.pass(1);
    assert_eq!(run(&mut host), 0, "what was told to wait for a day waits");
}

#[test]
fn f7_a_long_outage_moves_the_deadline_once_and_all_are_told() {
    let mut host = Host::new();
    let due = deadline(&host);
    host.clock.set(due - hours(4));
    host.robot.note_outage(due - hours(10), due - hours(4)).expect("noted");
    assert_eq!(deadline(&host), due + hours(6));
    assert_eq!(told(&host, "a later deadline"), [1, 1, 1, 1]);
    let text = flat(&host.last_mail(3).text);
    assert!(text.contains("could not read mail for 6 hours 0 minutes"), "{text}");
    assert!(text.contains("Fri 5 Jun 2026, 03:26 BST"), "{text}");
    host.robot.note_outage(due - hours(10), due - hours(4)).expect("another inbox");
    assert_eq!(deadline(&host), due + hours(6));
    assert_eq!(told(&host, "a later deadline"), [1, 1, 1, 1]);
}

#[test]
fn f7_a_second_outage_moves_the_deadline_again_and_the_first_does_not() {
    let mut host = Host::new();
    let due = deadline(&host);
    host.clock.set(due - hours(15));
    host.robot.note_outage(due - hours(20), due - hours(15)).expect("noted");
    assert_eq!(deadline(&host), due + hours(5));
    host.clock.set(due);
    host.robot.note_outage(due - hours(12), due).expect("noted");
    assert_eq!(deadline(&host), due + hours(17), "five hours, and then twelve");
    host.robot.note_outage(due - hours(12), due).expect("another inbox");
    assert_eq!(deadline(&host), due + hours(17));
    assert_eq!(told(&host, "a later deadline"), [2, 2, 2, 2]);
    // Each is kept for two months.
    assert_eq!(host.robot.store.people().outages(due - hours(99)).expect("a store").len(), 3);
    let later = due + hours(24 * 60);
    host.robot.note_outage(later - hours(12), later).expect("noted");
    assert_eq!(host.robot.store.people().outages(due - hours(99)).expect("a store").len(), 3);
    assert_eq!(
        host.robot.store.people().outages(due - hours(1)).expect("a store").len(),
        3,
        "not the first"
    );
}

#[test]
fn f7_an_outage_that_was_noted_by_a_robot_that_then_died_counts_once() {
    let mut host = Host::new();
    let due = deadline(&host);
    host.clock.set(due - hours(4));
    host.robot
        .store
        .write(|tx| tx.add_outage(due - hours(10), due - hours(5)))
        .expect("noted, and no more");
    host.robot.note_outage(due - hours(10), due - hours(4)).expect("noted again");
    assert_eq!(deadline(&host), due + hours(6), "six hours were lost, not eleven");
    assert_eq!(told(&host, "a later deadline"), [1, 1, 1, 1]);
}

#[test]
fn f7_an_outage_that_is_short_or_long_ago_moves_nothing() {
    let mut host = Host::new();
    let due = deadline(&host);
    host.clock.set(due - hours(1));
    host.robot.note_outage(due - hours(60), due - hours(30)).expect("noted");
    host.robot.note_outage(due - hours(5), due - hours(2)).expect("noted");
    assert_eq!(deadline(&host), due);
    set(&mut host, "outage_minutes", "0");
    host.robot.note_outage(due - hours(20), due - hours(1)).expect("noted");
    assert_eq!((deadline(&host), told(&host, "a later deadline")), (due, [0, 0, 0, 0]));
}

#[test]
fn f7_after_an_outage_over_the_deadline_cards_still_count() {
    let mut host = Host::new();
    let due = deadline(&host);
    host.clock.set(due + hours(8));
    host.robot.note_outage(due - hours(4), due + hours(8)).expect("noted");
    assert_eq!(deadline(&host), due + hours(12), "the four hours that were lost, from now");
    assert_eq!(run(&mut host), 0);
    let mut message = host.message(host.card(1, "M 1 3\n").as_bytes());
    message.received_at = due + hours(1);
    assert_eq!(host.judge(message).reason.as_str(), "filed");
    assert_eq!(host.pass_deadline(), 1);
    assert_eq!(missed(&host), [0, 1, 1, 1]);
}

#[test]
fn f7_downtime_over_several_deadlines_runs_one_turn_and_says_so() {
    let mut host = Host::new();
    host.pass(60 * 24 * 24);
    assert_eq!((run(&mut host), run(&mut host)), (1, 0));
    assert_eq!((game(&host).turn, missed(&host)), (2, vec![1, 1, 1, 1]));
    // The deadlines of the 11th and the 18th have passed, that of the 25th has not.
    assert_eq!(deadline(&host), host.clock.now() + hours(4 * 24));
    let note = host.told_game_master();
    assert!(note.contains("It was due Thu 4 Jun 2026, 21:26 BST; the robot could not"), "{note}");
}

#[test]
fn a_suspended_game_does_not_run_and_its_echo_says_so() {
    let mut host = Host::new();
    host.robot.suspend("W7", "a power cut").expect("suspended");
    let row = host.receive(host.card(1, "M 1 3\n"));
    assert_eq!(row.reason.as_str(), "filed");
    let echo = flat(&host.answers(&row)[0].text);
    assert!(echo.contains("The game is suspended; its turn does not run now"), "{echo}");
    assert_eq!(host.pass_deadline(), 0);
    host.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    assert_eq!(run(&mut host), 1);
}

#[test]
fn players_of_a_suspended_game_hear_its_new_deadline_and_that_it_goes_on() {
    let mut host = Host::new();
    host.run_turn();
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    assert!(flat(&host.last_mail(1).text).contains("you will hear when it goes on"));
    host.robot.as_game_master(|gm| gm.set_deadline("W7", "2026-06-20 18:00")).expect("moved");
    let text = flat(&host.last_mail(1).text);
    assert!(text.contains("20 Jun 2026, 18:00 BST"), "{text}");
    let before = host.mails_to(1).len();
    host.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    assert_eq!(host.mails_to(1).len(), before + 1, "it goes on");
}

#[test]
fn a_game_starts_when_it_is_full() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut new = a_game("warlord", 4);
    new.terms.start_full = true;
    host.robot.new_game(new).expect("a game");
    host.seat_players(3);
    let now = host.clock.now();
    tick_at(&mut host, now);
    assert_eq!(game(&host).status, Status::Open);
    host.robot.as_game_master(|gm| gm.give_seat("W7", Seat(4), &player(4))).expect("a free seat");
    tick_at(&mut host, now + mins(1));
    assert_eq!((game(&host).status, game(&host).turn), (Status::Running, 1));
    assert_eq!(told(&host, "W7 begins: "), [1, 1, 1, 1]);
}

#[test]
fn a_game_starts_on_its_day_with_computers_on_free_seats() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    let refused = host.robot.set_term("W7", "start_on", "tomorrow").expect_err("no date");
    assert!(refused.to_string().contains("2026-12-01 18:00"), "{refused}");
    set(&mut host, "start_on", "2026-05-30 12:00");
    host.seat_players(2);
    let day = london("2026-05-30 12:00");
    host.robot.tick().expect("ticks");
    assert_eq!(host.robot.next_event().expect("a store"), Some(day));
    tick_at(&mut host, day - SignedDuration::from_secs(1));
    assert_eq!(game(&host).status, Status::Open);
    tick_at(&mut host, day);
    assert_eq!(game(&host).status, Status::Running);
    let seats = host.robot.store.games().seats("W7").expect("a store");
    let computers: Vec<bool> = seats.iter().map(|s| s.computer).collect();
    assert_eq!(computers, [false, false, true, true]);
    assert_eq!(told(&host, "W7 begins: "), [1, 1, 0, 0]);
    assert_eq!(deadline(&host), london("2026-06-06 12:00"));
}

#[test]
fn turns_on_weekdays_leave_holidays_out() {
    let mut host = Host::new();
    let refused = host.robot.set_term("W7", "every", "mon thu").expect_err("no time of day");
    assert!(refused.to_string().contains("18:00"), "{refused}");
    assert!(host.robot.set_term("W7", "holidays", "soon").is_err());
    set(&mut host, "at", "18:00");
    set(&mut host, "silent_turns", "0");
    set(&mut host, "every", "mon thu");
    set(&mut host, "holidays", "2026-06-15,06-18");
    assert_eq!(deadline(&host), london("2026-06-04 21:26") + SignedDuration::from_secs(40));
    for due in ["2026-06-08 18:00", "2026-06-11 18:00", "2026-06-22 18:00"] {
        host.run_turn();
        assert_eq!(deadline(&host), london(due), "{due}");
    }
}

#[test]
fn f7_a_deadline_keeps_its_local_hour_over_both_ends_of_summer_time() {
    let mut host = Host::new();
    set(&mut host, "at", "18:00");
    for (last, next, length) in [
        ("2026-10-21 18:00", "Wed 28 Oct 2026, 18:00 GMT", 7 * 24 + 1),
        ("2027-03-24 18:00", "Wed 31 Mar 2027, 18:00 BST", 7 * 24 - 1),
    ] {
        let due = host.robot.as_game_master(|gm| gm.set_deadline("W7", last)).expect("moved");
        host.run_turn();
        assert_eq!(deadline(&host), due + hours(length), "{next}");
        let subject = host.last_mail(1).subject;
        assert!(subject.ends_with(&format!("orders due {next}")), "{subject}");
    }
}

#[test]
fn the_calendar_file_is_one_event_that_each_turn_updates() {
    let mut host = Host::new();
    let mut seen = Vec::new();
    for turn in 1..=3 {
        if turn > 1 {
            host.run_turn();
        }
        let file = calendar(&host.last_mail(1)).expect("a calendar file");
        // An instant in UTC; each calendar program shows it in its user's zone.
        let due = deadline(&host).strftime("%Y%m%dT%H%M%SZ").to_string();
        assert_eq!(field(&file, "DTSTART:"), due);
        assert!(field(&file, "ORGANIZER;CN=").contains("mailto:robot@"), "{file}");
        let sequence: u32 = field(&file, "SEQUENCE:").parse().expect("a number");
        seen.push((field(&file, "UID:").to_owned(), sequence));
    }
    assert!(seen.windows(2).all(|w| w[0].0 == w[1].0 && w[0].1 < w[1].1), "{seen:?}");
    let other = calendar(&host.last_mail(2)).expect("a calendar file");
    assert_ne!(field(&other, "UID:"), seen[0].0, "each seat has its own");
    host.receive(host.card(1, "FORMAT noics\n"));
    host.run_turn();
    assert_eq!(calendar(&host.last_mail(1)), None);
    assert!(calendar(&host.last_mail(2)).is_some());
}

#[test]
fn a_card_is_taken_three_turns_ahead_and_no_more() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "TURN 4\nM 1 3\n"));
    assert_eq!((row.reason.as_str(), row.turn), ("filed", Some(4)));
    let echo = flat(&host.answers(&row)[0].text);
    assert!(echo.contains("This card is for turn 4; the game is at turn 1."), "{echo}");
    let row = host.receive(host.card(1, "TURN 5\nM 2 3\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "future-turn"));
    assert!(flat(&host.answers(&row)[0].text).contains("cards are taken up to turn 4"));
    assert_eq!(host.on_file(1), "", "nothing for the open turn");
    (1..=3).for_each(|_| host.run_turn());
    assert_eq!(host.on_file(1), "M 1 3\n");
    assert!(host.last_mail(1).text.contains("Your card on file"), "it is judged again");
}

/// A printout without its head, which depends on times.
fn position(printout: &Got) -> String {
    let (_, rest) = printout.text.split_once("Summary\n---").expect("a summary");
    assert!(rest.contains("SHA-256 of this report"));
    rest.to_owned()
}

#[test]
fn a_turn_is_taken_back_and_runs_again_to_the_same_state() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n"));
    host.receive(host.card(3, "TURN 2\nM 1 3\n"));
    host.run_turn();
    let (void, old) = ([1, 2, 3, 4].map(|seat| host.last_mail(seat)), hash(&host, 1));
    assert_eq!(host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back"), 1);
    let suspended = game(&host);
    assert_eq!(
        (suspended.status, suspended.turn, suspended.deadline),
        (Status::Suspended, 1, None)
    );
    assert_eq!((host.on_file(1).as_str(), missed(&host)), ("M 1 3\n", vec![0, 0, 0, 0]));
    assert_eq!(told(&host, "a turn was taken back"), [1, 1, 1, 1]);
    host.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    host.run_turn();
    assert_eq!(hash(&host, 1), old);
    for (seat, void) in (1..=4).zip(&void) {
        let again = host.last_mail(seat);
        assert_ne!(again.message_id, void.message_id);
        assert_eq!(position(&again), position(void));
    }
    let replayed = host.robot.replay("W7", |_| {}).expect("replays");
    assert!(replayed.len() == 2 && replayed.iter().all(|t| t.same), "{replayed:?}");
}

#[test]
fn a_turn_is_not_taken_back_once_somebody_has_answered_it() {
    let mut host = Host::new();
    assert!(host.robot.as_game_master(|gm| gm.undo("W7")).is_err(), "none has run");
    host.run_turn();
    host.receive(host.card(2, "M 1 3\n"));
    let refused = host.robot.as_game_master(|gm| gm.undo("W7")).expect_err("answered");
    assert!(refused.to_string().contains("a player has sent a card since"), "{refused}");
    assert_eq!((game(&host).status, game(&host).turn), (Status::Running, 2));
    assert_eq!(told(&host, "a turn was taken back"), [0, 0, 0, 0]);
}

#[test]
fn several_turns_are_taken_back_with_one_mail_to_each_player() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n"));
    host.run_turn();
    let second = (hash(&host, 1), game(&host).seed);
    host.receive(host.card(2, "M 1 3\n"));
    host.run_turn();
    host.receive(host.card(1, "M 1 3\n"));
    host.receive(host.card(3, "TURN 5\nM 1 3\n"));
    host.run_turn();
    assert_eq!((game(&host).turn, missed(&host)), (4, vec![0, 1, 3, 3]));
    let before = [1, 2, 3, 4].map(|seat| host.mails_to(seat).len());
    let refused = host.robot.as_game_master(|gm| gm.undo_to("W7", Some(4))).expect_err("open");
    assert!(refused.to_string().contains("the last that has is turn 3"), "{refused}");
    let did = host.robot.as_game_master(|gm| gm_commands::carry_out(gm, "UNDO W7 TO 2"));
    assert!(
        did.expect("taken back").contains("All from turn 2 to turn 3 of game W7 is taken back")
    );
    let open = game(&host);
    assert_eq!((open.turn, open.seed, open.status), (2, second.1, Status::Suspended));
    assert_eq!((hash(&host, 1), missed(&host)), (second.0, vec![0, 1, 1, 1]));
    assert_eq!(host.on_file(2), "M 1 3\n", "orders for the turn that is open again");
    assert_eq!([1, 2, 3, 4].map(|seat| host.mails_to(seat).len()), before.map(|n| n + 1));
    let text = flat(&host.last_mail(3).text);
    assert!(text.contains("took game W7 back to turn 2, open again now"), "{text}");
    // Cards for positions that no longer exist are gone, also those sent ahead.
    host.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    host.run_turn();
    assert_eq!(host.on_file(1), "");
    let later = host.robot.store.mails().orders("W7", Seat(3), 5).expect("a store");
    assert!(later.is_none());
    let replayed = host.robot.replay("W7", |_| {}).expect("replays");
    assert!(replayed.len() == 3 && replayed.iter().all(|t| t.same), "{replayed:?}");
}

#[test]
fn an_answer_to_the_open_turn_proves_who_writes_however_many_turns_were_taken_back() {
    let mut host = Host::new();
    (0..6).for_each(|_| {
        host.receive(host.card(1, "M 1 3\n"));
        host.run_turn();
    });
    host.robot.as_game_master(|gm| gm.undo_to("W7", Some(1))).expect("taken back");
    host.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    let newest = host.last_mail(2).reply_to;
    assert_eq!(host.receive(mail(&player(2), &newest, "M 2 3\n")).reason, Reason::Filed);
}

#[test]
fn a_due_step_says_what_it_waits_for() {
    let mut host = Host::new();
    let waits = |host: &Host| host.robot.reports().waits_for(&game(host)).expect("a store");
    let status = |host: &mut Host| {
        host.robot.as_game_master(|gm| gm_commands::carry_out(gm, "STATUS W7")).expect("a status")
    };
    set(&mut host, "grace_minutes", "30");
    assert_eq!(waits(&host), None, "it is not due");
    assert!(!status(&mut host).contains("it waits for"));
    host.clock.set(deadline(&host) + mins(10));
    let grace = waits(&host).expect("late cards");
    assert!(grace.starts_with("late cards: the time of grace ends"), "{grace}");
    host.clock.set(deadline(&host) + mins(31));
    let last_read = deadline(&host);
    let lines = host.dir.path().join("lines");
    let file = std::sync::Arc::new(std::fs::File::create(&lines).expect("a file"));
    let to_file = tracing_subscriber::fmt().with_writer(file).finish();
    let ran = tracing::subscriber::with_default(to_file, || {
        [(); 3].map(|()| host.robot.run_due(last_read).expect("goes on"))
    });
    assert_eq!(ran, [0, 0, 0]);
    let logged = std::fs::read_to_string(&lines).expect("lines");
    assert_eq!(logged.matches("a due step waits").count(), 1, "once, not each round: {logged}");
    assert!(waits(&host).expect("an inbox").starts_with("an inbox that was not read"));
    assert!(status(&mut host).contains("; it waits for an inbox that was not read completely"));
    host.robot
        .as_game_master(|gm| gm.act(By::Shell, &Hold { game: "W7".into(), why: "holiday".into() }))
        .expect("held");
    assert!(waits(&host).expect("a hold").contains("it is suspended (holiday)"));
}

#[test]
fn a_game_that_would_run_early_says_that_its_quorum_is_missing() {
    let mut host = Host::new();
    set(&mut host, "early", "true");
    set(&mut host, "quorum", "3");
    for seat in 1..=4 {
        host.receive(host.card(seat, "READY\n"));
    }
    assert_eq!(run(&mut host), 0);
    let waits = host.robot.reports().waits_for(&game(&host)).expect("a store").expect("a quorum");
    assert_eq!(waits, "its deadline: fewer than 3 cards are in (quorum)");
}

#[test]
fn resend_sends_the_printout_that_holds_and_not_the_void_one() {
    let mut host = Host::new();
    host.run_turn();
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    host.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    host.run_turn();
    let row = host.receive(host.card(1, "RESEND\n"));
    let again = host.answers(&row).remove(0).text;
    assert!(again.contains(&game(&host).chains[0].told.end), "{again}");
}

#[test]
fn figures_that_no_calendar_holds_are_refused_and_stop_nobody() {
    let mut host = Host::new();
    for (term, value) in [
        ("grace_minutes", "4294967295"),
        ("outage_minutes", "4294967295"),
        ("reminders_hours", "[6,200000000]"),
    ] {
        let refused = host.robot.set_term("W7", term, value).expect_err("too much").to_string();
        assert!(refused.contains(term) && refused.contains("is the most"), "{refused}");
    }
    let far = host.robot.as_game_master(|gm| gm.set_deadline("W7", "9999-12-30 21:50"));
    assert!(far.expect_err("too far").to_string().contains("is the year right?"));
    let much = host.robot.add_credit("W7", Seat(1), i64::MAX, "a slip");
    assert!(much.expect_err("too much").to_string().contains("are the most"));
    // Huge values that another host allowed only mean a late date.
    let terms = r#"UPDATE game SET terms = replace(replace(terms,
        '"grace_minutes":0', '"grace_minutes":4294967295'),
        '"reminders_hours":[48,6]', '"reminders_hours":[4294967295]')"#;
    host.robot.store.database().exec(terms, &[]).expect("set");
    host.robot.store.database().exec("UPDATE step SET due_at = 253402200000000", &[]).expect("far");
    host.robot.tick().expect("ticks");
    assert_eq!(run(&mut host), 0);
    assert!(host.robot.next_event().expect("a store").is_some());
}
