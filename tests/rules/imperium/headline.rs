//! §15: what a printout says first.

use engine::report::Line;
use engine::{Rules, Seat};
use imperium::Imperium;
use imperium::board::Marker;
use render::text::flat;

use crate::scene::{Imperial, Scene, Terran, game, table};

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| flat(l).replace('\u{a0}', " ")).collect()
}

fn first(scene: &Scene, seat: u8) -> Vec<String> {
    let view = Imperium::view(&scene.state, &scene.events, Seat(seat));
    texts(&Imperium::headline(&view).sentences)
}

#[test]
fn the_set_up_says_who_one_is_and_what_is_held() {
    let scene = game(&[]);
    let told = first(&scene, 1);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("You are the Terran side and hold "), "{told:?}");
    assert!(told[2].starts_with("Glory begins at "), "{told:?}");
    let view = Imperium::view(&scene.state, &scene.events, Seat(1));
    assert_eq!(Imperium::headline(&view).needs.len(), 1);
}

#[test]
fn a_lost_battle_is_told_first_and_a_won_one_to_the_other() {
    // Many against one, so that somebody loses in one segment.
    let scene = table().segment(1).fleet(Terran, 1, 9, "BB1 BB2 BB3").fleet(Imperial, 2, 13, "SC1");
    let route =
        scene.state.board.galaxy.joined(imperium::galaxy::System(9), imperium::galaxy::System(13));
    // Whatever was fought, the loser reads of it before the winner's news.
    let played = scene.step("A 9\nM 1 13", "", 3);
    for seat in [1, 2] {
        let told = first(&played, seat);
        assert!((3..=7).contains(&told.len()), "{told:?}");
    }
    let lost = |s: &Scene, seat| first(s, seat)[0].starts_with("You lost the battle at");
    let fought = played
        .events
        .iter()
        .any(|e| matches!(&e.what, imperium::event::What::Battle(b) if b.loser == Some(Imperial)));
    assert!(!fought || lost(&played, 2), "{:?}, joined {route}", first(&played, 2));
}

#[test]
fn planets_that_were_taken_share_a_sentence_and_the_loss_comes_first() {
    use imperium::event::{Event, Part, What};
    use imperium::ground::Story;
    let mut scene = table();
    for word in ["09.1", "13.1"] {
        let planet = crate::scene::planet(word);
        let taken =
            Story { captured: Some((Imperial, Marker::Outpost)), ..Story::new(planet, Terran) };
        let what = What::Ground(Box::new(taken));
        scene.events.push(Event { part: Part::Segment(1), to: None, what });
    }
    scene.events.push(Event {
        part: Part::Segment(1),
        to: None,
        what: What::Glory("a planet".to_owned(), -2, 3),
    });
    let told = first(&scene, 2);
    assert!(
        told[0].starts_with("You lost ") && told[0].ends_with("to the Terran side."),
        "{told:?}"
    );
    assert_eq!(told[1], "Glory went from 5 to 3.");
    let told = first(&scene, 1);
    assert!(told[0].starts_with("You took "), "{told:?}");
    assert!(told[0].ends_with("from the Imperial side."), "{told:?}");
    let all = texts(&Imperium::chronicle(&scene.state, &scene.events));
    assert!(all[0].starts_with("The Terran side took "), "{all:?}");
}

#[test]
fn a_quiet_step_says_how_things_stand() {
    let scene = table().bare();
    let told = first(&scene, 2);
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(
        told[0],
        "You are the Imperial side and hold 0 Worlds and 0 Outposts, with 0 fleets."
    );
}
