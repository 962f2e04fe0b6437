//! A turn of twelve players from the first printouts to the next.

use crate::{PLAYERS, addresses, card, servers, user};
use support::process::{GAME, Host, Setup};

#[test]
fn twelve_players_live_through_a_deadline() {
    let rig = servers();
    let mut host = Host::new(&rig, &Setup::of(&rig));
    host.start_game(&addresses(12));
    host.serve();

    let printouts: Vec<_> = PLAYERS.map(|n| host.await_letter(&user(n), "p", 1)).collect();
    for (n, printout) in PLAYERS.zip(&printouts) {
        let (to, subject) = (printout.field("To"), printout.field("Subject"));
        assert_eq!(to, format!("{}@fieldpost.test", user(n)), "it is the player's own");
        assert!(subject.starts_with(&format!("[W7 T1 S{n}] ")), "{subject}");
        assert_eq!(printout.field("Auto-Submitted"), "auto-generated");
        let bounces = printout.field("Return-Path");
        let own = bounces.starts_with("<robot+b.") && bounces.ends_with("@fieldpost.test>");
        assert!(own, "each mail's bounce has a place of its own: {bounces}");
    }

    // The last player writes when the deadline is near: through the mail the robot also notices the
    // deadline.
    let (last, early) = printouts.split_last().expect("there are twelve");
    for (n, printout) in PLAYERS.zip(early) {
        host.answer(&user(n), printout, 1, &card(n));
    }
    for n in 1..12 {
        let echo = host.await_letter(&user(n), "e", 1);
        let answered = format!("<card-1-{}@fieldpost.test>", user(n));
        assert_eq!(echo.field("In-Reply-To"), answered, "the echo answers the card");
        assert_eq!(echo.field("Auto-Submitted"), "auto-replied");
        assert!(echo.body.contains("M 1 3"), "it shows the orders: {}", echo.body);
    }
    host.due_in(4000);
    host.answer(&user(12), last, 1, &card(12));
    host.await_letter(&user(12), "e", 1);
    let shown = host.run(&["game", "show", GAME]);
    assert_eq!(shown.matches("2 orders, ").count(), 12, "all are on file:\n{shown}");

    for n in PLAYERS {
        let printout = host.await_letter(&user(n), "p", 2);
        assert!(printout.field("Subject").starts_with(&format!("[W7 T2 S{n}] ")));
    }
    // Nobody got a mail twice, or a mail of somebody else.
    for n in PLAYERS {
        assert_eq!(host.letters(&user(n)).len(), 3, "two printouts and an echo for player {n}");
    }
    host.await_that("word to the game master", || {
        let word = host.letters("gm").into_iter().find(|l| l.body.contains(" ran "));
        word.is_some_and(|l| l.body.contains("Seats without: none"))
    });
    assert_eq!(rig.mails("robot", "Accepted").len(), 12, "each card lies with its verdict");
    for folder in ["INBOX", "Rejected", "Ignored", "Quarantine"] {
        assert!(rig.mails("robot", folder).is_empty(), "{folder} is empty");
    }
    // A mail is there a moment before its sending is noted.
    host.await_that("empty outbox", || {
        host.run(&["game", "show", GAME]).contains("Outbox: 0 waiting, ")
    });
    assert!(host.run(&["replay", GAME]).contains("2 steps recomputed"));
    host.kill();
}

#[test]
fn a_turn_that_the_game_master_runs_is_mailed_by_the_serving_robot() {
    let rig = servers();
    // The other two ways to encrypt: STARTTLS for the inbox, TLS at once for the outlet.
    let setup = Setup {
        inbox: (rig.imap_port, "starttls"),
        outlet: (rig.smtps_port, "implicit"),
        ..Setup::of(&rig)
    };
    let mut host = Host::new(&rig, &setup);
    host.start_game(&addresses(4));
    host.serve();
    let printout = host.await_letter("p1", "p", 1);
    host.answer("p1", &printout, 1, &card(1));
    host.await_letter("p1", "e", 1);

    host.run(&["turn", "run", GAME]);

    (1..=4).for_each(|n| drop(host.await_letter(&user(n), "p", 2)));
    host.kill();
}
