//! Steps, tested with a toy game that needs every feature of them: which seats are awaited, by
//! which clock, who gets a mail, what runs at once, and what does not count as missed.

use base::clock::Clock;
use engine::Seat;
use jiff::{SignedDuration, Timestamp};
use robot::limits::Limits;
use store::{Reason, Status, Verdict};
use support::host::{Got, Host, a_game, got, player};
use support::toy::TOYS;

/// A toy of three seats with these options; the second seat may be a computer's.
fn toy(options: &[(&str, &str)], computer: bool) -> Host {
    let mut host = Host::empty(TOYS, Limits::default());
    let mut game = a_game("toy", 3);
    for (name, value) in options {
        game.options.insert((*name).to_owned(), (*value).to_owned());
    }
    host.robot.new_game(game).expect("a game");
    host.seat_players(if computer { 1 } else { 3 });
    if computer {
        host.robot.add_computer("W7", Seat(2)).expect("a free seat");
        host.robot
            .add_seat(&robot::gm::setup::NewSeat {
                game: "W7".into(),
                seat: Seat(3),
                address: player(3),
                name: "Empire 3".into(),
                zone: None,
                contact: base::terms::Contact::Hide,
                any_address: false,
            })
            .expect("a free seat");
    }
    host.robot.start("W7", None, false).expect("starts");
    host
}

fn label(host: &Host) -> String {
    host.robot.game("W7").expect("the game").step.label
}

fn due(host: &Host) -> Timestamp {
    host.robot.game("W7").expect("the game").deadline.expect("a deadline")
}

/// Runs what is due now, without any time going by.
fn run(host: &mut Host) -> u32 {
    let now = host.clock.now();
    host.robot.run_due(now).expect("the robot goes on")
}

/// Sends a card of a seat; returns the step that is open then.
fn move_(host: &mut Host, seat: u8, card: &str) -> String {
    let row = host.receive(host.card(seat, card));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{card}: {}", row.why);
    run(host);
    label(host)
}

fn missed(host: &Host, seat: u8) -> u32 {
    host.robot.store.games().seat("W7", Seat(seat)).expect("a store").expect("a seat").missed
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The summary that views of the host show.
fn summary(host: &Host) -> store::HostSummary {
    let span = store::SummaryLimits { mails: 9, unsent: 9, since: host.clock.now() };
    host.robot.store.summary(span).expect("a store")
}

/// The game in the game master's list.
fn status_line(host: &mut Host) -> String {
    use robot::gm::GmQuery;
    let all = robot::gm::status::Status { game: None };
    host.robot.as_game_master(|gm| all.answer(gm)).expect("a status")
}

/// Subjects of the mails to a seat, without the first `since`.
fn subjects(host: &Host, seat: u8, since: usize) -> Vec<String> {
    host.mails_to(seat).into_iter().skip(since).map(|m| m.subject).collect()
}

#[test]
fn the_active_seat_alone_is_awaited_and_its_own_clock_runs() {
    let mut host = toy(&[("turn_hours", "30")], false);
    assert_eq!(label(&host), "step 1, player 1 to move");
    assert_eq!(due(&host), host.clock.now() + SignedDuration::from_hours(30));
    let first = flat(&host.last_mail(1).text);
    assert!(first.contains("Orders for step 1, player 1 to move are due"), "{first}");
    let other = host.last_mail(2);
    assert!(flat(&other.text).contains("you owe no orders"), "{}", other.text);
    assert!(!flat(&other.text).contains("Orders for step 1"), "{}", other.text);
    assert!(host.last_mail(1).raw.contains("deadline.ics"));
    assert!(!other.raw.contains("deadline.ics"), "another's move is in nobody's calendar");
    // Nobody else's card ends the step, and nobody else misses it.
    assert_eq!(move_(&mut host, 3, "LATER patience"), "step 1, player 1 to move");
    host.pass_deadline();
    assert_eq!(label(&host), "step 2, player 2 to move");
    assert_eq!([missed(&host, 1), missed(&host, 2), missed(&host, 3)], [1, 0, 0]);
}

#[test]
fn a_bad_clock_is_refused_when_the_game_is_made() {
    let mut host = Host::empty(TOYS, Limits::default());
    let mut game = a_game("toy", 3);
    game.options.insert("challenge_hours".into(), "soon".into());
    let refused = host.robot.new_game(game).expect_err("refused").to_string();
    assert!(refused.contains("challenge_hours is a number from 1 to 8760"), "{refused}");
}

#[test]
fn a_card_that_says_it_is_done_runs_the_step_without_any_term() {
    let mut host = toy(&[], false);
    assert_eq!(move_(&mut host, 1, "SAY hello"), "step 1, player 1 to move", "it may go on");
    assert_eq!(move_(&mut host, 1, "SAY hello\nEND"), "step 2, player 2 to move");
    let printout = flat(&host.last_mail(2).text);
    assert!(printout.contains("1 says hello"), "{printout}");
    assert!(printout.contains("Answer this mail with your orders at the top"), "{printout}");
    let moved = flat(&host.last_mail(1).text);
    assert!(!moved.contains("with your orders at the top"), "{moved}");
    assert!(moved.contains("No orders of yours are due"), "{moved}");
    // READY without orders has the same effect for a seat that the step waits for; a step with its
    // own clock needs no term for that.
    let row = host.receive(host.card(3, "READY"));
    let answer = flat(&host.answers(&row).remove(0).text);
    assert!(answer.contains("Nothing of yours is awaited in step 2"), "{answer}");
    assert_eq!(move_(&mut host, 2, "READY"), "step 3, player 3 to move");
    assert_eq!(missed(&host, 2), 0, "who is ready was there");
}

#[test]
fn a_computer_to_move_moves_at_once_and_keeps_its_notes() {
    let mut host = toy(&[], true);
    assert_eq!(move_(&mut host, 1, "END"), "step 3, player 3 to move", "seat 2 has moved");
    assert_eq!(move_(&mut host, 3, "END"), "step 4, player 1 to move");
    assert_eq!(move_(&mut host, 1, "END"), "step 6, player 3 to move");
    let text = flat(&host.last_mail(3).text);
    assert!(text.contains("2 says move 1") && text.contains("2 says move 2"), "{text}");
    let replayed = host.robot.replay("W7", |_| {}).expect("replays");
    assert!(replayed.len() == 6 && replayed.iter().all(|t| t.same), "{replayed:?}");
}

#[test]
fn a_challenge_has_its_short_clock_in_which_the_night_does_not_count() {
    let mut host = toy(&[], false);
    host.robot.set_term("W7", "quiet", "22-7").expect("set");
    let refused = host.robot.set_term("W7", "quiet", "always").expect_err("refused").to_string();
    assert!(refused.contains("22-7"), "{refused}");
    // A quarter past nine in the evening in London.
    let evening = base::schedule::date("2026-05-29 21:15", "Europe/London").expect("a date");
    host.clock.set(evening);
    assert_eq!(move_(&mut host, 1, "ATTACK 3\nEND"), "step 2, player 1 challenges player 3");
    let local = base::schedule::local(due(&host), "Europe/London");
    assert_eq!(local, "Sat 30 May 2026, 10:16 BST", "44 minutes today, the rest from seven on");
    let asked = host.last_mail(3);
    assert!(asked.subject.contains("your orders are awaited: step 2"), "{}", asked.subject);
    assert!(flat(&asked.text).contains("Last: "), "the engine's brief words: {}", asked.text);
    assert!(!asked.text.contains("Toy\n"), "no full printout: {}", asked.text);
    let before = host.mails_to(2).len();
    // The answer runs the step, and the dice fall at once.
    assert_eq!(move_(&mut host, 3, "q 4"), "step 4, player 2 to move");
    let told = flat(&host.last_mail(1).text);
    assert!(told.contains("3 guesses 4, the die shows"), "{told}");
    let told = subjects(&host, 2, before);
    assert_eq!(told.len(), 1, "one mail, for two steps: {told:?}");
}

#[test]
fn steps_that_follow_at_once_are_due_at_once_after_a_crash_too() {
    let mut host = toy(&[], false);
    move_(&mut host, 1, "ATTACK 2\nEND");
    let row = host.receive(host.card(2, "Q 1"));
    assert_eq!(row.reason.as_str(), "filed");
    // The robot dies when the challenge has run and the dice have not fallen.
    let game = host.robot.game("W7").expect("the game");
    host.robot.as_game_master(|gm| gm.run_turn("W7", None)).expect("one step alone");
    assert_eq!(label(&host), "step 3, the dice fall");
    assert!(due(&host) <= host.clock.now() && game.turn == 2);
    let next = host.robot.next_event().expect("a store").expect("something is due");
    assert!(next <= host.clock.now());
    assert_eq!(run(&mut host), 1);
    assert_eq!(label(&host), "step 4, player 2 to move");
}

#[test]
fn a_game_may_begin_with_a_step_that_waits_for_nobody() {
    let host = toy(&[("lots", "yes")], false);
    assert_eq!(label(&host), "step 2, player 1 to move");
    assert!(host.last_mail(1).text.contains("the die shows"));
}

#[test]
fn seals_are_shown_to_the_opponent_opened_later_and_all_at_the_end() {
    let mut host = toy(&[("turns", "4")], false);
    let row = host.receive(host.card(1, "GUARD 17\nHIDE treasure\n"));
    let echo = host.answers(&row).remove(0).text;
    let digest = |name: &str| -> String {
        let start = format!("Seal {name}:\n  SHA-256 ");
        let (_, behind) = echo.split_once(&start).expect("a digest");
        behind.lines().next().unwrap_or_default().to_owned()
    };
    let (guard, hide) = (digest("guard-1"), digest("hide-1"));
    // A card that is only checked commits to nothing.
    let row = host.receive(host.card(1, "CHECK\nGUARD 18\n"));
    assert!(!host.answers(&row).remove(0).text.contains("Seal"), "{}", row.why);
    // The same number sent again is the same commitment; another number is another one.
    let row = host.receive(host.card(1, "GUARD 17\nHIDE treasure\nATTACK 2\nEND\n"));
    let again = host.answers(&row).remove(0).text;
    assert!(again.contains(&guard) && again.contains(&hide), "{again}");
    run(&mut host);
    let challenge = flat(&host.last_mail(2).text).replace("| ", "");
    assert!(challenge.contains(&format!("The guard of Empire 1: SHA-256 {guard}")), "{challenge}");
    assert!(!challenge.contains(&hide) && !challenge.contains("17,"), "{challenge}");
    // Opened two steps later, by the step that follows at once.
    move_(&mut host, 2, "Q 1");
    let opened = flat(&host.last_mail(1).text);
    assert!(opened.contains("Seal guard-1 of seat 1: \"17\", nonce "), "{opened}");
    let nonce = opened.split("nonce ").nth(1).and_then(|n| n.split(',').next()).expect("a nonce");
    assert_eq!(nonce.len(), 32, "128 bits");
    assert_eq!(base::secrets::sha256_hex(format!("{nonce} 17").as_bytes()), guard);
    assert!(!opened.contains("treasure"), "{opened}");
    let journal = host.robot.store.journal().turns("W7").expect("the journal");
    let last = journal.last().expect("a step");
    assert_eq!(last.seals.iter().map(|s| s.digest()).collect::<Vec<_>>(), [guard]);
    for seat in [2, 3, 1] {
        move_(&mut host, seat, "END");
    }
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Over);
    let end = flat(&host.last_mail(2).text);
    assert!(end.contains("Seal hide-1 of seat 1: \"treasure\""), "{end}");
    assert!(end.contains(&hide), "{end}");
}

#[test]
fn a_seal_that_was_never_filed_is_told_and_not_passed_over() {
    let mut host = toy(&[], false);
    host.receive(host.card(1, "GUARD 17\nEND\n"));
    host.robot.store.database().exec("DELETE FROM seal", &[]).expect("lost");
    run(&mut host);
    move_(&mut host, 2, "END");
    move_(&mut host, 3, "END");
    let told = flat(&host.last_mail(1).text);
    assert!(told.contains("Seal guard-1 of seat 1 can't be opened"), "{told}");
}

#[test]
fn carried_lines_stay_beside_a_card_in_advance_and_are_no_card() {
    let mut host = toy(&[], false);
    host.receive(host.card(3, "LATER one"));
    host.receive(host.card(3, "TURN 3\nSAY two\nEND"));
    move_(&mut host, 1, "END");
    assert_eq!(host.on_file(3), "LATER one\n", "on file again");
    assert!(
        host.robot.store.journal().ordered("W7", 2).expect("a store").is_empty(),
        "but no card"
    );
    assert!(summary(&host).cards.is_empty(), "nor for the game master");
    assert!(status_line(&mut host).contains("step 2, player 2 to move, due"));
    assert!(status_line(&mut host).contains("0 of 1 cards in"), "{}", status_line(&mut host));
    move_(&mut host, 2, "END");
    assert_eq!(label(&host), "step 4, player 1 to move", "seat 3 had said END in advance");
    let told = flat(&host.last_mail(1).text);
    assert!(told.contains("3 says one") && told.contains("3 says two"), "{told}");
    // Orders that are only carried over do not make a player present.
    host.receive(host.card(2, "LATER three"));
    move_(&mut host, 1, "END");
    host.pass_deadline();
    assert_eq!(missed(&host, 2), 1, "the lines were carried, nothing was sent");
}

#[test]
fn a_card_in_advance_is_asked_when_its_step_opens_and_its_player_is_told() {
    let mut host = toy(&[], false);
    host.receive(host.card(3, "TURN 2\nSAY two\nEND"));
    let at = "step 2, player 1 challenges player 3";
    assert_eq!(move_(&mut host, 1, "ATTACK 3\nEND"), at, "END is no answer to a challenge");
    let challenge = flat(&host.last_mail(3).text).replace("| ", "");
    assert!(challenge.contains("You sent a card for this turn in advance"), "{challenge}");
    assert!(challenge.contains("nothing of yours is awaited now"), "{challenge}");
    assert_eq!(move_(&mut host, 3, "Q 1"), "step 4, player 2 to move");
    // A card for a step that waits for it is played as soon as that opens.
    host.receive(host.card(3, "TURN 5\nSAY five\nEND"));
    assert_eq!(move_(&mut host, 2, "END"), "step 6, player 1 to move");
    // When the step is taken back and runs differently, the same card is judged again.
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    host.robot.as_game_master(|gm| gm.release("W7")).expect("it goes on");
    assert_eq!(move_(&mut host, 2, "ATTACK 3\nEND"), "step 5, player 2 challenges player 3");
}

#[test]
fn a_card_in_advance_is_told_of_where_the_printout_is_not_paid() {
    let mut host = toy(&[], false);
    host.robot.store.database().exec("UPDATE game SET fee = 1", &[]).expect("a fee");
    host.receive(host.card(2, "TURN 2\nSAY two\nQ 3"));
    move_(&mut host, 1, "END");
    let mail = host.last_mail(2);
    assert_eq!(mail.subject, "[W7 T2 S2] no credit for your printout");
    assert!(flat(&mail.text).contains("You sent a card for this turn in advance"), "{}", mail.text);
}

#[test]
fn cards_are_taken_three_rounds_ahead_where_seats_move_in_turn() {
    let mut host = toy(&[], false);
    assert_eq!(host.receive(host.card(3, "TURN 10\nSAY far")).reason, Reason::Filed);
    assert_eq!(host.receive(host.card(3, "TURN 11\nSAY far")).reason, Reason::FutureTurn);
    // When all but one have left a game in which everybody moves together, a round is a turn.
    let mut host = Host::with(&registry::ENGINES, "warlord", 5, Limits::default());
    let one = "UPDATE step SET awaited = '[4]' WHERE number = 1";
    host.robot.store.database().exec(one, &[]).expect("one is awaited");
    assert_eq!(host.receive(host.card(4, "TURN 4\nM 1 3\n")).reason, Reason::Filed);
    assert_eq!(host.receive(host.card(4, "TURN 5\nM 1 3\n")).reason, Reason::FutureTurn);
}

#[test]
fn a_computers_seals_are_shown_and_opened_as_a_persons() {
    let mut host = toy(&[], true);
    move_(&mut host, 1, "END");
    let shown = flat(&host.last_mail(3).text).replace("| ", "");
    let digest = shown.split("SHA-256 ").nth(1).map(|d| d[..64].to_owned()).expect("a digest");
    assert!(!shown.contains("Seal guard-2"), "{shown}");
    // A step that is taken back is played again, with another nonce.
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    assert_eq!(host.robot.store.journal().closed_seals("W7").expect("a store"), []);
    host.robot.as_game_master(|gm| gm.release("W7")).expect("it goes on");
    run(&mut host);
    let shown = flat(&host.last_mail(3).text).replace("| ", "");
    let again = shown.split("SHA-256 ").nth(1).map(|d| d[..64].to_owned()).expect("a digest");
    assert_ne!(digest, again);
    move_(&mut host, 3, "END");
    move_(&mut host, 1, "END");
    let told: String = host.mails_to(3).iter().map(|m| flat(&m.text) + " ").collect();
    assert!(told.contains("Seal guard-2 of seat 2: \"1\", nonce "), "{told}");
    assert!(told.contains(&format!("SHA-256 {again}.")), "{told}");
    assert!(!told.contains("can't be opened") && !told.contains("no seal of that name"), "{told}");
}

#[test]
fn notes_of_a_computer_that_are_too_long_are_dropped() {
    let mut host = toy(&[("gossip", "on")], true);
    move_(&mut host, 1, "END");
    move_(&mut host, 3, "END");
    move_(&mut host, 1, "END");
    let text = flat(&host.last_mail(3).text);
    assert_eq!(text.matches("2 says move 1").count(), 3, "it begins to count anew: {text}");
    assert!(text.contains("Seats of computers: [2]"), "{text}");
}

#[test]
fn a_game_whose_steps_follow_at_once_for_ever_is_suspended() {
    let mut host = toy(&[("spin", "on")], false);
    host.receive(host.card(1, "ATTACK 2\nEND"));
    run(&mut host);
    host.receive(host.card(2, "Q 1"));
    run(&mut host);
    let game = host.robot.game("W7").expect("the game");
    assert_eq!(game.status, Status::Suspended);
    assert!(game.suspended_why.contains("without end"), "{}", game.suspended_why);
    assert!((100..110).contains(&game.turn), "{}", game.turn);
}

#[test]
fn the_calendar_keeps_its_time_of_day_behind_steps_with_clocks() {
    let mut host = toy(&[], false);
    host.robot.set_term("W7", "every", "7 days").expect("set");
    host.robot.set_term("W7", "at", "").expect("set");
    let time = |host: &Host| {
        let local = base::schedule::local(due(host), "Europe/London");
        local.split(", ").nth(1).expect("a time of day").to_owned()
    };
    assert_eq!(move_(&mut host, 1, "REST"), "step 2, all rest");
    let usual = time(&host);
    assert_eq!(due(&host), host.clock.now() + SignedDuration::from_hours(24 * 7));
    host.pass_deadline();
    host.pass(5 * 60);
    assert_eq!(move_(&mut host, 2, "REST"), "step 4, all rest");
    assert_eq!(time(&host), usual, "not the hour at which the clock was stopped");
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    host.robot.as_game_master(|gm| gm.release("W7")).expect("it goes on");
    assert_eq!(label(&host), "step 3, player 2 to move");
    host.pass(3 * 60);
    run(&mut host);
    assert_eq!((label(&host), time(&host)), ("step 4, all rest".to_owned(), usual));
}

#[test]
fn a_deadline_that_was_moved_ahead_charges_nobody_with_a_missed_card() {
    let mut host = toy(&[("turn_hours", "48")], false);
    let set = |host: &mut Host, at: Timestamp| {
        let zone = jiff::tz::TimeZone::get("Europe/London").expect("a zone");
        let at = at.to_zoned(zone).strftime("%Y-%m-%d %H:%M").to_string();
        host.robot.as_game_master(|gm| gm.set_deadline("W7", &at)).expect("moved");
    };
    let sooner = due(&host) - SignedDuration::from_hours(12);
    set(&mut host, sooner);
    host.pass_deadline();
    assert_eq!((label(&host).as_str(), missed(&host, 1)), ("step 2, player 2 to move", 0));
    let later = due(&host) + SignedDuration::from_hours(12);
    set(&mut host, later);
    host.pass_deadline();
    assert_eq!((label(&host).as_str(), missed(&host, 2)), ("step 3, player 3 to move", 1));
}

#[test]
fn lines_that_were_carried_into_a_step_go_with_it_when_it_is_taken_back() {
    let mut host = toy(&[], false);
    host.receive(host.card(3, "LATER one"));
    host.receive(host.card(3, "TURN 2\nSAY two"));
    move_(&mut host, 1, "END");
    let card = |host: &Host| {
        let orders = host.robot.store.mails().orders("W7", Seat(3), 2).expect("a store");
        orders.map(|o| o.card.text()).unwrap_or_default()
    };
    assert_eq!(card(&host), "LATER one\nSAY two\n");
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    assert_eq!(card(&host), "SAY two\n");
}

#[test]
fn brief_notices_stay_brief_and_cost_nothing() {
    let mut host = toy(&[], false);
    host.robot.store.database().exec("UPDATE game SET fee = 1", &[]).expect("a fee");
    for seat in 1..=3 {
        host.robot.add_credit("W7", Seat(seat), 10, "paid").expect("paid");
    }
    move_(&mut host, 1, "SAY hello\nEND");
    let credit = |host: &Host, seat| host.robot.store.credit("W7", Seat(seat)).expect("a store");
    assert_eq!([credit(&host, 1), credit(&host, 2), credit(&host, 3)], [9, 9, 10]);
    let brief = host.last_mail(3);
    assert!(brief.subject.ends_with("step 2, player 2 to move"), "{}", brief.subject);
    assert!(brief.text.lines().count() < 20, "{}", brief.text);
    assert!(flat(&brief.text).contains("Last: 1 says hello"), "{}", brief.text);
    // A payment brings the printout that waited for it, and no other.
    host.robot.add_credit("W7", Seat(3), 1, "paid").expect("paid");
    assert_eq!((credit(&host, 3), host.last_mail(3).subject), (11, brief.subject));
    host.robot.add_credit("W7", Seat(2), -9, "a slip").expect("taken");
    move_(&mut host, 2, "END");
    move_(&mut host, 3, "END");
    move_(&mut host, 1, "END");
    assert!(host.last_mail(2).subject.contains("no credit"), "{}", host.last_mail(2).subject);
    host.robot.add_credit("W7", Seat(2), 1, "paid").expect("paid");
    assert_eq!(credit(&host, 2), 0);
    assert!(host.last_mail(2).text.contains("Words"), "{}", host.last_mail(2).text);
}

#[test]
fn a_reply_proves_by_the_seats_own_mails_however_many_steps_others_made() {
    let mut host = toy(&[("turns", "40")], false);
    move_(&mut host, 1, "END");
    // Seats 2 and 3 are attacked again and again; seat 1 gets a short mail each turn.
    for _ in 0..3 {
        move_(&mut host, 2, "ATTACK 3\nEND");
        move_(&mut host, 3, "Q 1");
        let active = host.robot.game("W7").expect("the game").step.awaited[0].0;
        assert_eq!(active, 3);
        move_(&mut host, 3, "END");
        move_(&mut host, 1, "END");
    }
    assert!(host.robot.game("W7").expect("the game").turn > 12);
    // Seat 1 had mail about three of the last five steps; one more is its fourth.
    let turn = host.robot.game("W7").expect("the game").turn;
    assert_eq!(label(&host), format!("step {turn}, player 2 to move"));
    let mut answer = |step: u32, text: &str| {
        let row = host.receive(host.card_of(1, step, text));
        (row.verdict, row.reason)
    };
    // An answer to a step in which the seat was not awaited is for the open one, though five
    // steps have gone by.
    assert_eq!(answer(turn - 5, "LATER peace\n"), (Some(Verdict::Accepted), Reason::Filed));
    // An answer to a step in which it was awaited is for that step.
    let passed = (Some(Verdict::Rejected), Reason::PassedTurn);
    assert_eq!(answer(turn - 1, "SAY a slow mail\n"), passed);
    // A mail older than the last four proves nothing: a card that would count needs a YES, and one
    // that is too late is reported as late.
    assert_eq!(answer(turn - 6, "LATER war\n"), passed);
    let unproven = (Some(Verdict::Pending), Reason::Unproven);
    assert_eq!(answer(turn - 6, &format!("TURN {turn}\nLATER war\n")), unproven);
    assert_eq!(host.on_file(1), "LATER peace\n");
}

#[test]
fn whoever_leaves_is_told_to_the_engine_and_holds_nobody_up() {
    let mut host = toy(&[], false);
    host.robot
        .store
        .write(|tx| tx.change_seat("W7", Seat(2), &store::SeatChange::Resigned))
        .expect("left");
    assert_eq!(move_(&mut host, 1, "END"), "step 3, player 3 to move", "nobody waits for seat 2");
    let told = flat(&host.last_mail(3).text);
    assert!(told.contains("Seats that nobody plays: [2]"), "{told}");
}

#[test]
fn reminders_go_to_who_is_awaited_and_not_in_the_first_third() {
    let mut host = toy(&[("turn_hours", "30")], false);
    let reminded = |host: &Host| -> [usize; 3] {
        let is =
            |m: &Got| m.subject.contains("your orders are awaited") && m.text.contains("No orders");
        [1, 2, 3].map(|s| host.mails_to(s).iter().filter(|m| is(m)).count())
    };
    host.robot.tick().expect("ticks");
    assert_eq!(reminded(&host), [0, 0, 0], "48 hours before is before it opened");
    host.clock.set(due(&host) - SignedDuration::from_hours(6));
    host.robot.tick().expect("ticks");
    assert_eq!(reminded(&host), [1, 0, 0]);
    let next = host.robot.next_event().expect("a store").expect("due");
    assert_eq!(next, due(&host));
}

#[test]
fn the_game_master_hears_of_what_went_wrong_and_not_of_each_move() {
    let mut host = toy(&[], false);
    let told = |host: &Host| {
        let sql = "SELECT count(*) FROM outbox WHERE kind = 'gm'";
        let conn = host.robot.store.database();
        conn.one(sql, &[], |r| r.get::<_, u32>(0)).expect("a count")
    };
    move_(&mut host, 1, "END");
    move_(&mut host, 2, "END");
    assert_eq!(told(&host), 0);
    host.pass_deadline();
    assert_eq!(told(&host), 1, "a missed card");
    let note = host.mails_to_address(&host.robot.cx.gm).pop().expect("a note");
    assert!(note.subject.contains("ran step 3, player 3 to move"), "{}", note.subject);
    assert!(note.text.contains("Seats without: 3\n"), "nobody else was awaited: {}", note.text);
    let status = host.robot.as_game_master(|gm| {
        use robot::gm::GmQuery;
        robot::gm::status::Status { game: Some("W7".into()) }.answer(gm)
    });
    assert!(status.expect("a status").contains("not awaited"));
}

#[test]
fn an_order_of_the_game_is_no_greeting_and_a_slip_is_answered_line_by_line() {
    let mut host = toy(&[], false);
    let row = host.receive(host.card(1, "SAY hello\nSAYY hello\nEND\n"));
    assert_eq!(row.reason.as_str(), "filed");
    let echo = flat(&host.answers(&row).remove(0).text).replace("| ", "");
    assert!(echo.contains("no order of the toy; SAY hello is one"), "{echo}");
    run(&mut host);
    assert_eq!(label(&host), "step 2, player 2 to move", "END alone was read");
    // Only mistakes: the orders on file stay, and the lines come back with the reasons.
    host.receive(host.card(2, "SAY word\n"));
    for n in 1..=2 {
        let row = host.receive(host.card(2, &format!("GUARD DARW{n}\n")));
        assert_ne!(row.verdict, Some(Verdict::Accepted));
        assert_eq!(host.answers(&row).len(), 1, "never silence");
    }
    assert_eq!(host.on_file(2), "SAY word\n");
}

#[test]
fn an_early_run_counts_the_next_deadline_from_now() {
    let mut host = Host::with(&registry::ENGINES, "battle-plan", 5, Limits::default());
    host.robot.set_term("W7", "every", "7 days").expect("set");
    host.robot.set_term("W7", "at", "18:00").expect("set");
    let began = host.clock.now();
    for _ in 0..5 {
        host.pass(5);
        host.robot.run_turn("W7").expect("run by hand");
    }
    let ahead = due(&host).duration_since(began);
    assert!(ahead < SignedDuration::from_hours(24 * 8 + 4), "five turns are not five weeks");
    let local = base::schedule::local(due(&host), "Europe/London");
    assert!(local.contains("18:00"), "{local}");
    assert_eq!([1, 2, 3, 4].map(|s| missed(&host, s)), [0; 4], "nobody had the whole time");
    // Without a time of day in the rule it is that of the previous deadline.
    host.robot.set_term("W7", "at", "").expect("set");
    host.pass(200);
    host.robot.run_turn("W7").expect("run by hand");
    let local = base::schedule::local(due(&host), "Europe/London");
    assert!(local.contains("18:00"), "{local}");
}

#[test]
fn a_game_that_goes_on_waits_by_its_own_clock() {
    let mut host = toy(&[("turn_hours", "30")], false);
    move_(&mut host, 1, "END");
    host.pass(60);
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    host.pass(60);
    host.robot.as_game_master(|gm| gm.release("W7")).expect("it goes on");
    assert_eq!(due(&host), host.clock.now() + SignedDuration::from_hours(30));
    // So does a step from another host whose time ran out on the way.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("file");
    host.robot.export_game("W7", &file, true).expect("exported");
    let mut new = Host::empty(TOYS, Limits::default());
    new.robot.import_game(&file, None).expect("imported");
    new.clock.set(due(&host) + SignedDuration::from_hours(1));
    new.robot.as_game_master(|gm| gm.release("W7")).expect("it goes on");
    assert_eq!(due(&new), new.clock.now() + SignedDuration::from_hours(30));
}

#[test]
fn a_step_that_ran_stays_when_the_one_behind_it_fails() {
    let mut host = toy(&[], false);
    host.receive(host.card(2, "TURN 2\nSAY boom\nEND\n"));
    let run = robot::gm::run::Run { game: "W7".into() };
    let said = host.robot.act(robot::gm::By::Shell, &run).expect("it has run");
    assert!(said.contains(" ran "), "{said}");
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.turn), (Status::Suspended, 2));
    assert!(game.suspended_why.contains("the toy broke"), "{}", game.suspended_why);
}

#[test]
fn whoever_comes_while_the_first_step_is_open_has_not_missed_it() {
    let mut host = toy(&[], false);
    host.clock.set(due(&host) - SignedDuration::from_hours(1));
    host.robot
        .as_game_master(|gm| gm.give_seat("W7", Seat(1), "new@players.example"))
        .expect("another player");
    host.pass_deadline();
    assert_eq!((label(&host).as_str(), missed(&host, 1)), ("step 2, player 2 to move", 0));
}

#[test]
fn a_game_whose_rows_are_broken_is_suspended_and_others_go_on() {
    let mut host = toy(&[], false);
    let mut game = a_game("toy", 2);
    game.code = "W8".into();
    host.robot.new_game(game).expect("a game");
    for seat in [1, 2] {
        host.robot.add_computer("W8", Seat(seat)).expect("a seat");
    }
    host.robot.start("W8", None, false).expect("starts");
    let breaks = "UPDATE seat SET choices = '{' WHERE game = 'W7'";
    host.robot.store.database().exec(breaks, &[]).expect("broken");
    assert_eq!(host.pass_deadline(), 1);
    let status = |code: &str| host.robot.game(code).expect("a game").status;
    assert_eq!((status("W7"), status("W8")), (Status::Suspended, Status::Running));
}

#[test]
fn the_end_of_a_game_stops_its_steps() {
    let mut host = toy(&[("turns", "1")], false);
    move_(&mut host, 1, "END");
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.deadline), (Status::Over, None));
    let row = host.receive(host.card(1, "SAY more\n"));
    assert_eq!(row.reason.as_str(), "game-over");
}

#[test]
fn a_panic_in_an_engine_suspends_that_game_and_tells_the_game_master() {
    let mut host = toy(&[], false);
    host.receive(host.card(1, "SAY boom\n"));
    assert_eq!(host.pass_deadline(), 0);
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.turn), (Status::Suspended, 1));
    assert!(game.suspended_why.contains("the toy broke"), "{}", game.suspended_why);
    assert!(host.told_game_master().contains("fieldpost replay W7"));
    // Mails still get verdicts.
    let row = host.receive(host.card(2, "STATUS\n"));
    assert_eq!(row.reason.as_str(), "status");
}

#[test]
fn resend_brings_the_seats_own_newest_printout() {
    let mut host = toy(&[], false);
    move_(&mut host, 1, "END");
    move_(&mut host, 2, "END");
    let row = host.receive(host.card(1, "RESEND\n"));
    assert_eq!(row.reason.as_str(), "resent");
    let again = host.answers(&row).remove(0);
    assert!(
        again.subject.contains("printout of step 2, player 2 to move, sent again"),
        "{}",
        again.subject
    );
    let sent = host.robot.store.outbox().printout("W7", Seat(1), 2).expect("a store").expect("one");
    assert!(got(&sent).text.contains("Words"));
}
