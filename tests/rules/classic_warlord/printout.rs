//! What a printout says (§10).

use classic_warlord::ClassicWarlord;
use engine::report::Block;
use engine::{CardText, Mark, Rules};

use crate::scene::Scene;

#[test]
fn many_attacks_on_a_region_are_told_in_one_line() {
    let mut scene = Scene::new(2).put(1, &[(501, 30)]).put(2, &[(549, 20)]).turn_of(1).moving();
    scene.play(&[(1, "K 501 549 1 1 1 1 1 1 1 6"), (2, "G * 1/6/6/6/6/6/6/2")]);
    let told = format!("{:?}", classic_warlord::report::brief(&scene.view(2)));
    assert!(
        told.contains("8 times (30 against 20 at first), number/guess 1/1, 1/6, 1/6"),
        "{told}"
    );
    assert!(told.contains("6/2: 7 won, 1 guessed; A-units 7."), "{told}");
    // A few are told one by one.
    let mut scene = Scene::new(2).put(1, &[(501, 30)]).put(2, &[(549, 20)]).turn_of(1).moving();
    scene.play(&[(1, "K 501 549 1 1"), (2, "G * 6")]);
    let told = format!("{:?}", classic_warlord::report::brief(&scene.view(2)));
    assert_eq!(told.matches("number 1, guess 6").count(), 2, "{told}");
}

#[test]
fn a_blank_card_shows_orders_that_its_seat_could_send() {
    let scene = Scene::new(2).put(1, &[(501, 6), (504, 1)]).put(2, &[(549, 2)]).turn_of(1);
    let report = ClassicWarlord::report(&scene.view(1), "").expect("a printout");
    let card = report.sections.iter().flat_map(|s| &s.blocks).find_map(|b| match b {
        Block::Card(hints) => Some(hints),
        _ => None,
    });
    let shown: Vec<&str> = card
        .expect("a card")
        .iter()
        .filter_map(|h| h.split_once("such as  "))
        .map(|(_, example)| example)
        .collect();
    let own = |word: char| shown.iter().find(|e| e.starts_with(word)).expect("an example");
    for word in ['P', 'K'] {
        let judged = scene.judged(1, own(word));
        assert!(judged.lines.iter().all(|l| l.mark != Mark::Error), "{judged:?}");
    }
    assert!(own('K').starts_with("K 501 549 "), "{shown:?}");
    // Without bombs nothing is said of how to fire them.
    assert!(!shown.iter().any(|e| e.starts_with("A ") || e.starts_with("H ")), "{shown:?}");
    assert_eq!(CardText::new(own('P')).lines.len(), 1);
}
