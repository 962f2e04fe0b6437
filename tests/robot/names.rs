//! The names that players may have, and whose address strangers learn.

use base::terms::Contact;
use engine::Seat;
use registry::ENGINES;
use robot::gm::setup::NewSeat;
use robot::limits::Limits;
use store::{SeatChange, Verdict};

use crate::talk::*;
use support::host::*;

/// Names that could be mistaken for somebody else's when seat 2 is "Karelia".
const BORROWED: [&str; 18] = [
    "The Game Master",
    "GAME  MASTER",
    "Gаme Mаster",
    "game-master of W7",
    "G\u{200b}M",
    "ｇａｍｅ ｍａｓｔｅｒ",
    "Spielleiter",
    "the robot",
    "Fie1dpost",
    "Postmaster",
    "Player 2",
    "seat 3",
    "seat 03",
    "Player 002",
    "Sеat З",
    "karelia",
    "Karеlia",
    "K\u{ad}arelia\u{202e}",
];

#[test]
fn nobody_goes_by_a_name_that_would_be_taken_for_somebody_elses() {
    let mut host = Host::new();
    say(&mut host, 2, "NAME Karelia\n");
    let before = seat(&host, 1).name;
    for name in BORROWED {
        let row = say(&mut host, 1, &format!("NAME {name}\n"));
        let told = answer(&host, &row);
        assert!(told.contains("Choose another one: NAME text. Yours was not"), "{name}: {told}");
        assert_eq!(seat(&host, 1).name, before, "{name}");
    }
    // A name that is only similar is allowed, and so are one's own number and one's own name again.
    for name in ["Master of games", "Robotnik", "Player 1", "Carelia", "Player of W7", "Ærø 漢字"]
    {
        say(&mut host, 1, &format!("NAME {name}\n"));
        assert_eq!(seat(&host, 1).name, name);
    }
    say(&mut host, 2, "NAME KARELIA\n");
    assert_eq!(seat(&host, 2).name, "KARELIA");
}

#[test]
fn the_subject_of_a_refusal_claims_no_change() {
    let mut host = Host::new();
    for lines in
        ["NAME the robot\n", "PASSWORD 123456\n", "ZONE Moon/Base\n", "CONTACT x\nZONE x\n"]
    {
        let row = say(&mut host, 1, lines);
        assert_eq!(row.verdict, Some(Verdict::Rejected), "{lines}");
        let subject = host.answers(&row).remove(0).subject;
        assert!(subject.ends_with("nothing was changed"), "{lines}: {subject}");
    }
}

#[test]
fn a_seat_is_not_asked_for_under_a_borrowed_name_and_a_name_goes_to_who_comes_first() {
    let mut host = with_free_seats(2);
    say(&mut host, 2, "NAME Karelia\n");
    for (n, name) in BORROWED.iter().enumerate() {
        let from = format!("n{n}@elsewhere.example");
        let row = host.receive(mail(&from, ROBOT, &format!("JOIN W7 name={name}\n")));
        assert_eq!(row.verdict, Some(Verdict::Rejected), "{name}");
        let told = answer(&host, &row);
        assert!(told.contains("JOIN W7 with another one."), "{name}: {told}");
    }
    let asked_by = [NEW, LATER].map(|from| {
        let row = host.receive(mail(from, ROBOT, "JOIN W7 name=Ingria\n"));
        (from, asked(&host, &row))
    });
    let told = asked_by.map(|(from, question)| {
        let row = host.receive(mail(from, &question.reply_to, "YES\n"));
        answer(&host, &row)
    });
    assert_eq!([3, 4].map(|n| seat(&host, n).name), ["Ingria", ""]);
    let late = "The name that you wished for is no longer free";
    assert!(!told[0].contains(late) && told[1].contains(late), "{told:?}");
}

#[test]
fn the_game_master_gives_no_such_name_either() {
    let mut host = with_free_seats(2);
    let refused = host.robot.add_seat(&NewSeat {
        game: "W7".into(),
        seat: Seat(3),
        address: NEW.into(),
        name: "The Gаme Master".into(),
        zone: None,
        contact: Contact::Hide,
        any_address: false,
    });
    let why = refused.expect_err("refused").to_string();
    assert!(why.contains("taken for the game master"), "{why}");
}

#[test]
fn seats_of_an_imported_game_go_by_names_that_they_could_have_got_here() {
    let mut host = Host::new();
    let names = ["The Game Master", "Karelia\u{1b}[2J\u{202e}", "karelia[2J", "Ingria"];
    for (seat, name) in (1..).zip(names) {
        let change = SeatChange::Name(name.to_owned());
        host.robot.store.write(|tx| tx.change_seat("W7", Seat(seat), &change)).expect("written");
    }
    host.run_turn();
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("w7");
    host.robot.export_game("W7", &file, true).expect("exported");
    let mut new = Host::empty(&ENGINES, Limits::default());
    new.robot.import_game(&file, None).expect("imported");
    assert_eq!([1, 2, 3, 4].map(|n| seat(&new, n).name), ["", "Karelia[2J", "", "Ingria"]);
}

#[test]
fn strangers_are_not_told_the_game_masters_address() {
    let mut host = Host::new();
    let gm = host.robot.cx.gm.clone();
    for (n, words) in
        ["JOIN W7", "JOIN X9", "HELP", "GAMES", "RULES warlord", "Who runs this?", "GM STATUS"]
            .iter()
            .enumerate()
    {
        let from = format!("n{n}@elsewhere.example");
        let row = host.receive(mail(&from, ROBOT, &format!("{words}\n")));
        for told in host.answers(&row) {
            assert!(!told.raw.contains(&gm), "{words}: {}", told.raw);
        }
    }
    // Somebody who only writes in a player's name does not learn it either; the player does.
    let row = host.receive(mail(&player(1), ROBOT, "JOIN W7\n"));
    host.answers(&row).iter().for_each(|m| assert!(!m.raw.contains(&gm), "{}", m.raw));
    let row = say(&mut host, 1, "JOIN W7\n");
    assert!(answer(&host, &row).contains(&gm));
}
