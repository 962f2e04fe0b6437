//! The first sentences of a printout, where else they appear, and those of the last printout.

use engine::Seat;
use robot::gm::setup::NewGame;
use store::{Status, Verdict};

use support::host::*;

/// Makes a game end after turn 2: whoever holds one city in a hundred then has won.
fn quick(game: &mut NewGame) {
    let rules = include_str!("../../config/warlord/rules.toml");
    let quick = rules.replace("turns = 3                # in a row", "turns = 2");
    game.data.insert("rules.toml".to_owned(), quick);
    game.options.insert("leader_percent".to_owned(), "1".to_owned());
}

/// Checks that these parts follow each other in a text.
fn in_order(text: &str, parts: &[&str]) {
    let mut from = 0;
    for part in parts {
        let at = text[from..].find(part);
        let at = at.unwrap_or_else(|| panic!("{part:?} is not behind the others in\n{text}"));
        from += at + part.len();
    }
}

fn flat(text: &str) -> String {
    text.replace("\n| ", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_printout_is_headline_deadline_needs_map_then_the_rest_and_dice_last() {
    let mut host = Host::with_computers(|_| {});
    let first = host.last_mail(1).text;
    in_order(
        &first,
        &[
            "Game W7, turn 1, seat 1",
            "* You are player 1 of 4; your empire begins in ",
            "* You have 20 PP to spend",
            "* First put your centres to work",
            "Orders for turn 1 are due",
            "What needs orders now:",
            "* Idle production centres: 3, in city 1.",
            "The world\n---",
            "Welcome\n---",
            "Turn card for turn 1",
            "The dice\n---",
            "SHA-256 of the seed of step 0,",
            "To check the game\n---",
            "SHA-256 of this report in English",
        ],
    );
    host.run_turn();
    let second = host.last_mail(1).text;
    in_order(
        &second,
        &[
            "Game W7, turn 2, seat 1",
            "* You hold ",
            "Orders for turn 2 are due",
            "What needs orders now:",
            "Strategic map\n---",
            "This mail\n---",
            "Answer this mail with your orders at the top.",
            "Summary\n---",
            "The dice\n---",
            "SHA-256 of the seed of step 0,",
            "SHA-256 of this report in English",
        ],
    );
    let end = second.split("for the game's file:").nth(1).expect("the digest");
    assert_eq!(end.split_whitespace().count(), 1, "nothing stands below it: {end}");
}

#[test]
fn the_subject_has_the_first_sentence_and_the_deadline() {
    let mut host = Host::with_computers(|_| {});
    let first = host.last_mail(1).subject;
    let begins = "[W7 T1 S1] game W7 begins: You are player 1 of 4; your empire begins in ";
    assert!(first.starts_with(begins), "{first}");
    host.run_turn();
    let second = host.last_mail(1).subject;
    let printed = host.last_mail(1).text;
    let sentence = printed.lines().find_map(|l| l.strip_prefix("* ")).expect("a headline");
    let said = sentence.trim_end_matches('.').replace('\u{a0}', " ");
    assert!(second.starts_with(&format!("[W7 T2 S1] {said}, orders due ")), "{second} {said}");
    assert!(second.contains(", orders due ") && !second.contains('@'), "{second}");
}

#[test]
fn what_brings_headline_deadline_and_needs_to_the_registered_address_alone() {
    let mut host = Host::with_computers(|_| {});
    host.run_turn();
    let printed = host.last_mail(1).text;
    let row = host.receive(host.card(1, "WHAT\n"));
    assert_eq!(row.verdict, Some(Verdict::Accepted));
    let answers = host.answers(&row);
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].to, player(1));
    let text = &answers[0].text;
    in_order(
        text,
        &[
            "Game W7, turn 2, seat 1",
            "* You hold ",
            "Orders for turn 2 are due",
            "What needs orders now:",
        ],
    );
    for line in text.lines().filter(|l| l.starts_with("* ")) {
        assert!(printed.contains(line), "{line} stands in the printout too");
    }
    assert!(!text.contains("Strategic map") && !text.contains("SHA-256"), "{text}");
    // A letter that begins with the word is not a command.
    let row = host.receive(host.card(1, "What a game!\n"));
    assert!(host.answers(&row).iter().all(|a| !a.text.contains("You hold")));
    // HELP lists it.
    let row = host.receive(host.card(1, "HELP\n"));
    let help = flat(&host.answers(&row)[0].text);
    assert!(
        help.contains("WHAT") && help.contains("what happened, and what needs orders"),
        "{help}"
    );
    // Somebody without the seat gets nothing.
    let row = host.receive(mail("stranger@else.example", ROBOT, "WHAT\n"));
    assert!(host.answers(&row).iter().all(|a| !a.text.contains("You hold")));
}

#[test]
fn the_last_mail_says_who_won_and_how_before_everything_else_and_has_a_war_diary() {
    let mut host = Host::with_computers(quick);
    host.receive(host.card(1, "NAME Karelia\n"));
    host.run_turn();
    host.run_turn();
    let game = host.robot.game("W7").expect("the game");
    assert_eq!(game.status, Status::Over);
    let open = host.robot.open(&game).expect("opens");
    let winner = open.result().expect("over").into_iter().find(|s| s.rank == 1).expect("one").seat;
    for seat in [1, 2] {
        let last = host.last_mail(seat);
        let sentence = last.text.lines().find(|l| l.starts_with("* ")).expect("a headline");
        assert!(sentence.contains("layer") || sentence.contains("coalition"), "{sentence}");
        assert!(flat(&last.text).contains("has won in turn 2"), "{}", last.text);
        in_order(
            &last.text,
            &["Game W7", "has won", "The world\n---", "Final standing\n---", "War diary\n---"],
        );
        in_order(&last.text, &["War diary\n---", "* Turn ", "The seeds\n---"]);
        assert!(!last.text.contains("What needs orders now"), "nothing does");
        assert!(last.subject.contains("W7 is over: "), "{}", last.subject);
    }
    // Players appear by their names.
    if winner == Seat(1) {
        assert!(host.last_mail(2).text.contains("Player 1 (Karelia)"));
    }
    // The journal gives the same document again.
    let again = host.robot.reports().document_of("W7", Seat(1), game.turn).expect("a printout");
    let diary = again.sections.iter().find(|s| s.heading == "War diary").expect("the diary");
    let text = render::text::sections(std::slice::from_ref(diary));
    assert!(flat(&host.last_mail(1).text).contains(&flat(&text)), "{text}");
    // The public diary has the winner too, and addresses nobody.
    let public = host.robot.reports().diary(&game).expect("a diary");
    let last = public.last().expect("the last turn");
    assert_eq!(last.0, "turn 2");
    assert!(render::text::flat(&last.1[0]).contains("has won"), "{last:?}");
    let all: Vec<String> = public.iter().flat_map(|d| &d.1).map(render::text::flat).collect();
    assert!(all.iter().all(|s| !s.contains("You") && !s.contains("your")), "{all:?}");
}

#[test]
fn a_turn_that_was_taken_back_is_in_no_diary() {
    let mut host = Host::with_computers(quick);
    host.run_turn();
    let before = {
        let game = host.robot.game("W7").expect("the game");
        host.robot.reports().diary(&game).expect("a diary").len()
    };
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("nobody has answered");
    let game = host.robot.game("W7").expect("the game");
    let after = host.robot.reports().diary(&game).expect("a diary").len();
    assert!(after < before.max(1), "{after} of {before}");
}
