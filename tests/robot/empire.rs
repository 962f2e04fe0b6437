//! Empire Deluxe by mail: hand-over, parts, cards that are sent early, absence, records.

use base::clock::Clock;
use engine::{Seat, Until};
use registry::ENGINES;
use robot::limits::Limits;
use store::Verdict;
use support::host::{Host, a_game};

use crate::talk::flat;

fn empire(seats: u8, options: &[(&str, &str)]) -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut game = a_game("empire-deluxe", seats);
    game.options.insert("size".to_owned(), "30x24".to_owned());
    for (name, value) in options {
        game.options.insert((*name).to_owned(), (*value).to_owned());
    }
    host.robot.new_game(game).expect("a game");
    host.seat_players(seats);
    host.robot.start("W7", None, false).expect("starts");
    host
}

fn label(host: &Host) -> String {
    host.robot.game("W7").expect("the game").step.label
}

fn goes_on(host: &mut Host) {
    let now = host.clock.now();
    host.robot.run_due(now).expect("the robot goes on");
}

/// Sends a card of a seat; returns the step that is open then.
fn mails(host: &mut Host, seat: u8, card: &str) -> String {
    // A card without its own last word says that its player is done.
    let said = ["READY", "MORE", "CLOSE"].iter().any(|word| card.ends_with(word));
    let card = if said { card.to_owned() } else { format!("{card}\nCLOSE") };
    let row = host.receive(host.card(seat, &card));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{card}: {}", row.why);
    goes_on(host);
    label(host)
}

#[test]
fn the_result_of_a_turn_comes_with_the_hand_over() {
    let mut host = empire(2, &[("sitting", "1")]);
    assert_eq!(label(&host), "turn 1, player 1");
    let before = host.last_mail(2).text;
    assert!(flat(&before).contains("player 1 (Empire 1) is to move"), "{before}");
    assert_eq!(mails(&mut host, 1, "P 1 AR"), "turn 1, player 2");
    // Nothing has happened to the player who moved, so the echo was the last mail; the other has a
    // printout.
    assert!(host.last_mail(1).subject.contains(" on file"));
    assert!(flat(&host.last_mail(2).text).contains("with your orders at the top"));
    // A missed deadline passes the turn on as well.
    host.pass(49 * 60);
    host.was_read();
    goes_on(&mut host);
    assert_eq!(label(&host), "turn 2, player 1");
}

#[test]
fn a_turn_in_parts_is_answered_at_once() {
    let mut host = empire(2, &[("sitting", "1"), ("parts", "2")]);
    assert_eq!(mails(&mut host, 1, "P 1 AR\nMORE"), "turn 1, player 1, part 2");
    let again = flat(&host.last_mail(1).text);
    assert!(again.contains("AR 0/6"), "{again}");
    assert_eq!(mails(&mut host, 1, "NC 1 Home\nMORE"), "turn 1, player 2");
}

#[test]
fn a_card_that_comes_early_is_played_when_its_turn_comes() {
    let mut host = empire(2, &[("sitting", "1")]);
    assert_eq!(mails(&mut host, 2, "P 1 FI"), "turn 1, player 1");
    let echo = flat(&host.last_mail(2).text);
    assert!(echo.contains("waits for your turn, and is judged again then"), "{echo}");
    mails(&mut host, 1, "P 1 AR");
    goes_on(&mut host);
    // The player sees the position first; the card is on file, and runs when time is over.
    assert_eq!(label(&host), "turn 1, player 2");
    host.pass(49 * 60);
    host.was_read();
    goes_on(&mut host);
    assert_eq!(label(&host), "turn 2, player 1");
    mails(&mut host, 1, "READY");
    let shown = flat(&host.last_mail(2).text);
    assert!(shown.contains("FI 1/12"), "{shown}");
}

#[test]
fn who_wins_is_promoted_and_reads_of_all_that_others_knew() {
    let mut host = empire(2, &[("sitting", "1")]);
    mails(&mut host, 1, "X RESIGN YES\nCLOSE");
    let last = host.last_mail(2).text;
    let text = flat(&last);
    assert!(text.contains("You have won: nobody else is left."), "{last}");
    assert!(
        text.contains(
            "Your games of Empire Deluxe on this host: 1, of which you have won 1. Your rank is \
             Sergeant. 2 more victories make you Lieutenant."
        ),
        "{last}"
    );
    assert!(text.contains("What player 1 knew"), "{last}");
    let loser = flat(&host.last_mail(1).text);
    assert!(
        loser.contains("Your rank is Recruit. One more victory makes you Sergeant."),
        "{loser}"
    );
}

#[test]
fn who_hands_over_to_a_computer_is_waited_for_no_more() {
    let mut host = empire(3, &[("order", "sequential"), ("sitting", "1")]);
    assert_eq!(mails(&mut host, 1, "X ABDICATE YES\nCLOSE"), "turn 1, player 2");
    mails(&mut host, 2, "P 1 AR");
    mails(&mut host, 3, "P 1 AR");
    goes_on(&mut host);
    let step = host.robot.game("W7").expect("the game").step;
    assert_eq!((step.label.as_str(), step.awaited), ("turn 2, player 2", vec![Seat(2)]));
    assert!(matches!(step.until, Until::Clock { .. }));
}
