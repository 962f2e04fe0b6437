//! Secrets (§7.2): nobody but their owner sees them in any way.

use classic_warlord::ClassicWarlord;
use engine::{Cards, Headlines, Printouts, Rules, Seat};

use crate::scene::Scene;

/// All that a seat gets: printout, short mail, notice, the awaited orders.
fn seen(scene: &Scene, seat: u8) -> String {
    let view = scene.view(seat);
    let wait = ClassicWarlord::wait(&scene.state);
    format!(
        "{:?}\n{:?}\n{:?}\n{:?}\n{wait:?}\n{:?}\n{:?}",
        ClassicWarlord::headline(&view),
        ClassicWarlord::report(&view, ""),
        ClassicWarlord::brief(&view, ""),
        ClassicWarlord::notice(&view),
        ClassicWarlord::judge(&view, &engine::CardText::new("P 506 1\nK 506 549 2\nQ 1"), 0),
        view,
    )
}

fn duel() -> Scene {
    let scene = Scene::new(3).put(1, &[(501, 6), (526, 1)]).put(2, &[(549, 2), (553, 4)]);
    scene.put(3, &[(506, 3)]).turn_of(1).moving()
}

#[test]
fn guesses_on_file_and_numbers_under_challenge_look_alike_to_everybody_else() {
    let played = |number: &str, guesses: &str| {
        let mut scene = duel();
        let plan = format!("K 501 549 {number}\nIF W\nM 501 546 {number}\nFI");
        scene.play(&[(1, plan.as_str()), (2, guesses)]);
        scene
    };
    let one = played("3 2", "G 549 LIVE 6/2\nG 553 1:2:3");
    let other = played("1 5", "G 549 LIVE 1\nG 553 E");
    assert_ne!(one.state, other.state);
    assert_eq!(seen(&one, 3), seen(&other, 3));
    // The attacker knows the number but no guess; the defender knows guesses but no number.
    let number = played("3 2", "G 549 LIVE 1\nG 553 E");
    assert_eq!(seen(&one, 1), seen(&number, 1));
    let guesses = played("1 5", "G 549 LIVE 6/2\nG 553 1:2:3");
    assert_eq!(seen(&one, 2), seen(&guesses, 2));
}

#[test]
fn a_number_that_is_drawn_is_told_and_never_its_weights() {
    // The same number and guess, drawn and written.
    let (mut drawn, mut written) = (duel(), duel());
    drawn.play(&[(1, "K 501 549 0:0:1"), (2, "G * 0:1")]);
    written.play(&[(1, "K 501 549 3"), (2, "G * 2")]);
    assert_eq!(seen(&drawn, 3), seen(&written, 3));
    assert_eq!(drawn.strikes()[0].number, 3);
    assert!(drawn.opened.is_empty() && written.opened.len() == 2);
}

#[test]
fn lines_that_were_not_done_are_told_to_their_own_seat_alone() {
    let mut scene = duel();
    scene.play(&[(1, "M 501 549 1")]);
    assert_eq!(scene.not_done().len(), 1);
    let told = |seat| scene.view(seat).events.len();
    assert_eq!((told(1), told(2), told(3)), (told(2) + 1, told(3), told(2)));
    assert_eq!(scene.state.side(Seat(2)).map(|s| s.policies.len()), Some(0));
}
