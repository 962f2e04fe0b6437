//! A game master who plays: the first printout says so, and the last one says what the game master
//! looked at.

use engine::Seat;
use registry::ENGINES;
use robot::gm::{By, GiveSeat, Sight};
use robot::limits::Limits;
use store::Status;
use support::host::{Host, a_game, a_seat as seat};

use crate::talk::flat;

const GM: &str = "gm@fieldpost.example";

#[test]
fn the_first_printout_says_that_the_game_master_has_no_seat() {
    let host = Host::new();
    let text = flat(&host.mails_to(1)[0].text);
    assert!(text.contains("The game master, who runs this host, has no seat in this game."));
}

#[test]
fn the_first_printout_says_which_seat_is_the_game_masters_to_later_joiners_too() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    host.seat_players(2);
    host.robot.add_seat(&seat(3, "GM+play@fieldpost.example")).expect("a free seat");
    host.robot.start("W7", None, true).expect("starts");
    let says = "The game master, who runs this host, plays too: seat 3.";
    assert!(flat(&host.mails_to(1)[0].text).contains(says));
    host.run_turn();
    assert!(!flat(&host.last_mail(1).text).contains(says), "it is said once");
    host.robot.add_seat(&seat(4, "late@players.example")).expect("a free seat");
    let first = host.mails_to_address("late@players.example");
    assert!(flat(&first[0].text).contains(says), "{}", first[0].text);
}

/// A game that is over after its first turn; something is done before that.
fn short(before_its_end: impl FnOnce(&mut Host)) -> String {
    let mut host = Host::with_computers(|g| {
        let rules = include_str!("../../config/warlord/rules.toml");
        let quick = rules.replace("turns = 3                # in a row", "turns = 1");
        g.data.insert("rules.toml".to_owned(), quick);
        g.options.insert("leader_percent".to_owned(), "1".to_owned());
    });
    before_its_end(&mut host);
    host.receive(host.card(1, "C 1 1\n"));
    host.run_turn();
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Over);
    // Now everybody may see what the game master looks at.
    host.robot.looked(By::Shell, Some("W7"), Sight::Map, "the whole map shown").expect("a store");
    assert!(
        host.robot
            .store
            .acts(Some("W7"), 1)
            .expect("acts")
            .iter()
            .all(|a| a.kind != "look-map" || a.by == "dashboard")
    );
    flat(&host.last_mail(1).text)
}

#[test]
fn the_last_printout_tells_how_often_positions_were_looked_at() {
    let told = short(|host| {
        let mut look =
            |by, game, sight, what| host.robot.looked(by, game, sight, what).expect("a row");
        look(By::Shell, Some("w7"), Sight::Printout, "printout of seat 2 in turn 1 shown");
        look(By::Shell, Some("W7"), Sight::Printout, "printout of seat 2 in turn 1 shown");
        look(By::Shell, None, Sight::Copy, "the whole store copied");
        for _ in 0..3 {
            look(By::Dashboard, Some("W7"), Sight::Page, "page of seat 1 in turn 1 shown");
            look(By::Dashboard, Some("W7"), Sight::Map, "the whole map after turn 0 shown");
        }
        look(By::Dashboard, Some("W7"), Sight::Page, "page of seat 2 in turn 1 shown");
        let give =
            GiveSeat { game: "W7".into(), seat: Seat(2), address: "p2@other.example".into() };
        host.robot.act(By::Shell, &give).expect("given");
    });
    for line in [
        "What the game master looked at",
        "2 printouts of seats, on the command line",
        "2 pages of seats, on the dashboard",
        "the whole map, 1 time",
        "a copy of all that the host keeps, made 1 time",
        "a seat given to an address by hand, 1 time",
    ] {
        assert!(told.contains(line), "{line}: {told}");
    }
    assert!(!told.contains(GM) && !told.contains("a file with the whole game"), "{told}");
}

#[test]
fn where_nothing_was_looked_at_the_last_printout_says_so() {
    let told = short(|_| {});
    assert!(told.contains("The record has no look at any position while the game went on."));
}
