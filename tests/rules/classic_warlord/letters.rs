//! Letters between seats (§14.20).

use classic_warlord::ClassicWarlord;
use engine::report::{Block, Line, Span};
use engine::{Notice, Printouts, Seat};

use crate::scene::Scene;

/// Three seats, the first to move; all far from each other.
fn table(options: &[(&str, &str)]) -> Scene {
    Scene::with(3, options).put(1, &[(501, 3)]).turn_of(1)
}

fn words(line: &Line) -> String {
    let word = |span: &Span| match span {
        Span::Plain(text) => text.clone(),
        Span::Player(seat) => format!("player {seat}"),
        other => format!("{other:?}"),
    };
    line.0.iter().map(word).collect()
}

/// The letters of a seat: senders and texts.
fn letters(scene: &Scene, seat: u8) -> Vec<(String, String)> {
    let blocks = classic_warlord::report::brief(&scene.view(seat));
    let pair = |pair: &[Block]| match pair {
        [Block::Para(from), Block::Quote(text)] => Some((words(from), text.join("/"))),
        _ => None,
    };
    blocks.windows(2).filter_map(pair).collect()
}

#[test]
fn a_letter_comes_to_whom_it_names_and_to_nobody_else() {
    let mut scene = table(&[]);
    let card = "M 501 549 1\nPRESS 3\nLeave me the sea,\n\nand I leave you 549.\nEND\n";
    let other = "PRESS 1,3 ANON\nBeware of Blue.\nEND\nG * E";
    assert_eq!(scene.notes(2, other)[0], "ok: 1 line, without your name");
    scene.play(&[(1, card), (2, other)]);
    let red = "From Red (player 1):".to_owned();
    let hidden = "From somebody who is not named:".to_owned();
    let beware = "Beware of Blue.".to_owned();
    let offer = "Leave me the sea,//and I leave you 549.".to_owned();
    assert_eq!(letters(&scene, 1), [(hidden.clone(), beware.clone())]);
    assert_eq!(letters(&scene, 2), []);
    assert_eq!(letters(&scene, 3), [(red, offer), (hidden, beware)]);
    // The receiver's view does not contain the sender.
    assert!(!format!("{:?}", scene.view(1).events).contains("from: Some(Seat(2))"));
    // The orders around the letter were done, and no line of it was taken for an order.
    assert_eq!((scene.armies(501), scene.armies(549)), (4, 1));
    // It is told once.
    scene.play(&[(2, "")]);
    assert_eq!(letters(&scene, 3), []);
}

#[test]
fn a_letter_of_a_turn_in_parts_comes_when_the_turn_is_over() {
    let mut scene = table(&[("digest", "true")]);
    scene.play(&[(1, "P 501 1\nZ"), (3, "PRESS 2\nNow or never.\nEND")]);
    assert_eq!(ClassicWarlord::notice(&scene.view(2)), Notice::None);
    assert_eq!(letters(&scene, 2).len(), 1, "it waits among what happened");
    scene.play(&[(1, "M 501 549 1")]);
    assert_eq!(letters(&scene, 2)[0].1, "Now or never.");
    // Seat 2 is to move; a seat with a letter gets a mail about a turn that does not concern it.
    let mut scene = table(&[("digest", "true")]);
    scene.play(&[(1, "PRESS 3\nHello.\nEND")]);
    assert_eq!(ClassicWarlord::notice(&scene.view(3)), Notice::Brief);
    let mut scene = table(&[("digest", "true")]);
    scene.play(&[(1, "")]);
    assert_eq!(ClassicWarlord::notice(&scene.view(3)), Notice::None);
}

#[test]
fn a_wrong_letter_is_told_and_goes_to_nobody() {
    let mut scene = table(&[]);
    let wrong = [
        ("PRESS 4\nhello\nEND", "error: you can't write to 4; there are 2, 3"),
        ("PRESS 1\nhello\nEND", "error: you can't write to 1; there are 2, 3"),
        ("PRESS 2\nEND", "error: there is no text between this line and END"),
        ("NEWS\nhello\nEND", "error: there is no newspaper; PRESS ALL writes to all"),
    ];
    for (card, note) in wrong {
        assert_eq!(scene.notes(1, card)[0], note, "{card}");
    }
    let half = "PRESS 2\nhello\nM 501 549 1";
    let told = "ok, but: 2 lines, with your name; no END, so all below belongs to it";
    assert_eq!(scene.notes(1, half)[0], told);
    let long = format!("PRESS ALL\n{}END", "word\n".repeat(41));
    assert_eq!(scene.notes(1, &long)[0], "ok, but: 1 line cut off; at most 40 of 70");
    let many = "PRESS 2\nhello\nEND\n".repeat(11);
    let notes = scene.notes(1, &many);
    assert_eq!(notes.iter().filter(|n| n.starts_with("error: a card has at most 10")).count(), 1);
    let block = "IF O 501 2\nPRESS 2\nhello\nEND\nFI";
    assert_eq!(scene.notes(1, block)[1], "ok, but: counts whatever the test of IF says");
    scene.play(&[(1, "PRESS 4,2\nhello\nEND")]);
    assert_eq!(letters(&scene, 2), []);
    // A seat that is out can no longer write, but still gets letters.
    let mut scene = table(&[]);
    scene.state.side_mut(Seat(2)).expect("a seat").out = Some(1);
    scene.play(&[(2, "PRESS 3\nFarewell.\nEND"), (3, "PRESS 2\nA pity.\nEND")]);
    assert_eq!((letters(&scene, 3).len(), letters(&scene, 2).len()), (0, 1));
}
