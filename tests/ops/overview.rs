//! The host at a glance: what its games wait for, and the verdicts of its mails.

use std::time::Duration;

use base::clock::Clock;
use engine::Seat;
use fieldpost::ops::overview::{GameView, Overview, SeatState};
use mail::SendResult;
use registry::ENGINES;
use robot::limits::Limits;
use store::{MailState, SeatChange, Status, Verdict};

use support::host::*;
use support::toy::TOYS;

fn summary(host: &Host) -> Overview {
    Overview::of(&host.robot, host.clock.now()).expect("the store answers")
}

fn w7(host: &Host) -> GameView {
    summary(host).game("w7").expect("the game").clone()
}

fn states(game: &GameView) -> Vec<SeatState> {
    game.seats.iter().map(|s| s.state).collect()
}

#[test]
fn a_game_that_takes_seats_shows_which_are_free() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    host.seat_players(2);
    host.robot.add_computer("W7", Seat(4)).expect("a free seat");
    let game = w7(&host);
    assert_eq!((game.status, game.turn, game.deadline), (Status::Open, 0, None));
    assert_eq!((game.title.as_str(), game.zone.as_str()), ("Warlord", "Europe/London"));
    assert_eq!(game.our_rules, Some(game.rules_version));
    use SeatState::{Computer, Free, Player};
    assert_eq!(states(&game), [Player, Player, Free, Computer]);
    assert_eq!((game.awaited(), game.taken(), game.cards_in()), (0, 3, 0));
    assert!(game.seats.iter().all(|s| !s.ready), "turn 0 is no turn to be ready for");
}

#[test]
fn a_seat_that_the_open_step_does_not_wait_for_is_not_missing() {
    let mut host = Host::empty(TOYS, Limits::default());
    host.robot.new_game(a_game("toy", 3)).expect("a game");
    host.seat_players(3);
    host.robot.start("W7", None, false).expect("starts");
    let game = w7(&host);
    assert_eq!(game.label, "step 1, player 1 to move");
    assert_eq!(states(&game), [SeatState::Missing, SeatState::NotAwaited, SeatState::NotAwaited]);
}

#[test]
fn cards_that_are_in_and_missing_are_those_of_the_open_turn() {
    let mut host = Host::new();
    host.receive(host.card(1, "C 1 1\n"));
    host.receive(host.card(2, "C 2 1\n"));
    host.receive(host.card(2, "CANCEL\n"));
    host.receive(host.card(3, "READY\n"));
    let now = host.clock.now();
    let away = SeatChange::Away(Some((now, now + Duration::from_secs(86_400))));
    host.robot.store.write(|tx| tx.change_seat("W7", Seat(4), &away)).expect("a seat");
    use SeatState::{Away, In, Missing, Ready};
    assert_eq!(states(&w7(&host)), [In, Missing, Ready, Away], "a withdrawn card is none");
    assert_eq!(w7(&host).cards_in(), 1);
    host.run_turn();
    let game = w7(&host);
    assert_eq!(states(&game), [Missing; 4], "the next turn waits for all, who are back");
    assert_eq!(game.turn, 2);
    let missed: Vec<u32> = game.seats.iter().map(|s| s.missed).collect();
    assert_eq!(missed, [0, 0, 0, 1], "who said READY was there");
    assert_eq!(summary(&host).turns_run, 1);
}

#[test]
fn a_deadline_that_passed_is_late_after_its_grace() {
    let mut host = Host::new();
    host.robot.set_term("W7", "grace_minutes", "10").expect("a term");
    let due = w7(&host).deadline.expect("a deadline");
    host.clock.set(due + Duration::from_secs(599));
    assert!(w7(&host).late(host.clock.now()).is_zero());
    host.clock.set(due + Duration::from_secs(660));
    assert_eq!(w7(&host).late(host.clock.now()).as_secs(), 60);
    host.robot.store.write(|tx| tx.suspend("W7", "for a test")).expect("a store");
    assert!(w7(&host).late(host.clock.now()).is_zero(), "a suspended game is not late");
    assert_eq!(w7(&host).suspended_why, "for a test");
}

#[test]
fn mails_are_counted_by_verdict_and_nobodys_address_is_told() {
    let mut host = Host::new();
    host.receive(host.card(1, "C 1 1\n"));
    host.receive(mail(&player(2), ROBOT, "C 2 1\n"));
    host.receive(mail("stranger@elsewhere.example", ROBOT, "hello\n"));
    let seen = summary(&host);
    let word = |m: &fieldpost::ops::overview::MailSummary| m.verdict.map_or("", |v| v.as_str());
    assert_eq!(
        seen.mails.iter().map(word).collect::<Vec<_>>(),
        ["rejected", "pending", "accepted"]
    );
    let of_seat = (seen.mails[2].game.as_deref(), seen.mails[2].seat);
    assert_eq!(of_seat, (Some("W7"), Some(1)));
    let one = |verdict| (Some(verdict), 1);
    assert_eq!(seen.verdicts, [Verdict::Accepted, Verdict::Pending, Verdict::Rejected].map(one));
    assert_eq!(seen.quarantined, 1, "the pending card");
    let told = format!("{seen:?}");
    assert!(!told.contains('@'), "{told}");
}

#[test]
fn the_outbox_tells_what_waits_for_how_long_and_what_failed() {
    let mut host = Host::new();
    let started = host.clock.now();
    host.pass(90);
    let now = host.clock.now();
    assert_eq!(summary(&host).outbox.waiting(), 4, "four first printouts");
    assert_eq!(summary(&host).outbox.oldest, Some(started));
    assert_eq!(summary(&host).outbox.oldest_age(now).as_mins(), 90);
    assert_eq!(summary(&host).outbox.next_send, Some(started));
    let rows = host.robot.store.write(|tx| tx.outbox().lease(now, 2)).expect("claimed");
    let never = SendResult::Never("550 no such user".to_owned());
    host.robot.store.write(|tx| tx.outbox().sent([(&rows[0], &never)], now, 999)).expect("noted");
    host.robot
        .store
        .write(|tx| tx.outbox().sent([(&rows[1], &SendResult::Sent)], now, 999))
        .expect("noted");
    let seen = summary(&host);
    assert_eq!(
        (seen.outbox.waiting(), seen.outbox.count(MailState::Sent), seen.outbox.unsent()),
        (2, 1, 1)
    );
    assert_eq!(seen.unsent[0].last_error, "550 no such user");
    assert_eq!((seen.unsent[0].kind.as_str(), seen.unsent[0].seat), ("printout", Some(1)));
}

#[test]
fn inboxes_tell_when_they_were_last_read_and_outages_are_listed() {
    let mut host = Host::new();
    let then = host.clock.now();
    host.robot.store.write(|tx| tx.set_note("read main", &then.to_string())).expect("a note");
    host.robot.store.write(|tx| tx.set_note("reader of notes", "no inbox")).expect("a note");
    host.robot
        .store
        .write(|tx| tx.add_outage(then, then + Duration::from_secs(7200)))
        .expect("an outage");
    host.pass(125);
    let seen = summary(&host);
    let inbox = seen.inboxes.iter().map(|i| (i.name.as_str(), i.age(seen.at).as_mins()));
    assert_eq!(inbox.collect::<Vec<_>>(), [("main", 125)]);
    assert_eq!(seen.outages, [(then, then + Duration::from_secs(7200))]);
}

#[test]
fn it_can_be_read_within_the_commit_of_others() {
    let mut host = Host::new();
    let span = store::SummaryLimits { mails: 1, unsent: 1, since: host.clock.now() };
    let seen = host.robot.store.rehearse(|tx| tx.summary(span)).expect("a unit of work");
    assert_eq!(seen.games.len(), 1);
}

#[test]
fn each_of_a_thousand_games_has_its_own_seats_and_cards() {
    let mut host = Host::new();
    host.receive(host.card(1, "C 1 1\n"));
    let game = host.robot.game("W7").expect("the game");
    let now = host.clock.now();
    let made = host.robot.store.write(|tx| {
        (0..1000).try_for_each(|n| {
            let new = store::Game { code: format!("{n}Z"), ..game.clone() };
            tx.add_game(&new, now)?;
            tx.add_seat(&store::SeatRow::empty(&new.code, Seat((n % 4 + 1) as u8), "UTC"))
        })
    });
    made.expect("kept");
    let seen = summary(&host);
    assert_eq!(seen.games.len(), 1001);
    assert_eq!(w7(&host).cards_in(), 1);
    for n in [0, 7, 999] {
        let game = seen.game(&format!("{n}Z")).expect("the game");
        let taken: Vec<u8> =
            game.seats.iter().filter(|s| s.state != SeatState::Free).map(|s| s.seat.0).collect();
        assert_eq!((taken, game.cards_in()), (vec![n as u8 % 4 + 1], 0));
    }
}
