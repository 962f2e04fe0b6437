//! One person with two seats of a game: the game master hears of it, once for each pair, and terms
//! may refuse it.

use engine::Seat;
use mail::auth::Authenticity;
use registry::ENGINES;
use robot::limits::Limits;
use store::Verdict;
use support::host::{Host, a_game, a_seat as seat, mail, player};

use crate::talk::flat;

const ROBOT: &str = "robot@fieldpost.example";

/// A game that takes seats, with this address on the first.
fn with_first(address: &str, one_seat: bool) -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    for (term, value) in [("join", "true"), ("one_seat", if one_seat { "true" } else { "false" })] {
        host.robot.set_term("W7", term, value).expect("a term");
    }
    host.robot.add_seat(&seat(1, address)).expect("a free seat");
    host
}

fn told(host: &Host) -> Vec<String> {
    let mails = host.mails_to_address("gm@fieldpost.example");
    let ours = mails.into_iter().filter(|m| m.subject.contains("seem to be one person"));
    ours.map(|m| m.subject).collect()
}

#[test]
fn the_game_master_hears_once_of_two_seats_with_one_mailbox() {
    for (first, second) in [
        ("anna@players.example", "anna@players.example"),
        ("anna@players.example", "Anna+2@players.example"),
        ("a.nna@gmail.com", "anna+war@googlemail.com"),
    ] {
        let mut host = with_first(first, false);
        host.robot.tick().expect("the calendar works");
        assert_eq!(told(&host).len(), 0);
        host.robot.add_seat(&seat(3, second)).expect("it is allowed");
        for _ in 0..3 {
            host.robot.tick().expect("the calendar works");
        }
        let told = told(&host);
        assert_eq!(told.len(), 1, "{first} and {second}: {told:?}");
        assert!(told[0].contains("game W7: seats 1 and 3 seem to be one person"), "{told:?}");
    }
}

#[test]
fn two_people_of_one_provider_are_two_people() {
    let mut host = with_first("a.nna@players.example", false);
    for (n, address) in [(2, "anna@players.example"), (3, "anna@gmail.com"), (4, "+@gmail.com")] {
        host.robot.add_seat(&seat(n, address)).expect("a free seat");
    }
    host.robot.tick().expect("the calendar works");
    assert_eq!(told(&host), Vec::<String>::new());
}

#[test]
fn where_nobody_may_have_two_seats_the_game_master_gives_none() {
    let mut host = with_first("anna@players.example", true);
    let refused = host.robot.add_seat(&seat(2, "anna+2@players.example")).expect_err("refused");
    assert!(refused.to_string().contains("the mailbox of seat 1"), "{refused}");
    host.robot.add_seat(&seat(2, &player(2))).expect("somebody else");
    let give = |gm: &robot::gm::Gm, n| gm.give_seat("W7", Seat(n), "anna+new@players.example");
    let refused = host.robot.as_game_master(|gm| give(gm, 2)).expect_err("refused");
    assert!(refused.to_string().contains("the mailbox of seat 1"), "{refused}");
    host.robot.as_game_master(|gm| give(gm, 1)).expect("their own seat moves");
}

#[test]
fn where_nobody_may_have_two_seats_nobody_joins_or_moves_to_one() {
    let mut host = with_first("anna@gmail.com", true);
    let row = host.receive(mail("an.na@googlemail.com", ROBOT, "JOIN W7\n"));
    assert_eq!(row.verdict, Some(Verdict::Rejected));
    let text = flat(&host.answers(&row)[0].text);
    assert!(text.contains("Nobody has two seats in game W7"), "{text}");
    // A newcomer who was asked before is refused on the YES.
    host.robot.set_term("W7", "one_seat", "false").expect("a term");
    let row = host.receive(mail("an.na@googlemail.com", ROBOT, "JOIN W7 name=Second\n"));
    assert_eq!(row.verdict, Some(Verdict::Accepted));
    host.robot.set_term("W7", "one_seat", "true").expect("a term");
    let asked = host.mails_to_address("an.na@googlemail.com").pop().expect("a question");
    let row = host.receive(mail("an.na@googlemail.com", &asked.reply_to, "YES\n"));
    assert_eq!(row.verdict, Some(Verdict::Rejected));
    assert_eq!(host.robot.store.games().seats("W7").expect("a store").len(), 1);
    // And nobody moves there.
    for n in 2..=4 {
        host.robot.add_seat(&seat(n, &player(n))).expect("a free seat");
    }
    host.robot.start("W7", None, false).expect("starts");
    let row = host.receive(host.card(2, "ADDRESS anna+2@gmail.com\n"));
    assert_eq!(row.verdict, Some(Verdict::Rejected));
    assert!(flat(&host.answers(&row)[0].text).contains("Nobody has two seats in game W7"));
}

#[test]
fn one_signed_mail_that_speaks_for_two_seats_is_told_of() {
    let mut host = Host::new();
    let signed = |host: &mut Host, seat: u8, signature: &str| {
        let card = host.card(seat, &format!("C {seat} 1\n")).replacen(
            "Subject:",
            &format!(
                "DKIM-Signature: v=1; a=rsa-sha256; d=players.example; s=one; h=from:subject;\r\n \
                 bh=AAAA; b={signature}\r\nSubject:"
            ),
            1,
        );
        host.pass(1);
        let mut message = host.message(card.as_bytes());
        message.authenticity = Authenticity::Pass;
        message.checked_from = player(seat);
        host.judge(message)
    };
    assert_eq!(signed(&mut host, 1, "AAAAAAAA").verdict, Some(Verdict::Accepted));
    assert_eq!(signed(&mut host, 2, "BBBBBBBB").verdict, Some(Verdict::Accepted));
    assert_eq!(told(&host), Vec::<String>::new(), "each has signed their own");
    let row = signed(&mut host, 3, "AAAAAAAA");
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
    let told = told(&host);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("seats 1 and 3 seem to be one person"), "{told:?}");
}
