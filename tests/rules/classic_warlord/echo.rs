//! The judgement of cards (§9): each kind of wrong line with its answer, and that the echo and
//! the step agree.

use std::collections::BTreeMap;

use classic_warlord::board::Kind;
use classic_warlord::orders;
use classic_warlord::state::Stage;
use engine::{Cards, Mark};

use crate::chance::Chance;
use crate::promise::{self, Played};
use crate::scene::Scene;

/// Madrid and its surroundings: seat 1 to move, seat 2 in La Mancha.
fn madrid() -> Scene {
    Scene::new(3)
        .put(1, &[(501, 5), (517, 1), (507, 1)])
        .put(2, &[(549, 2)])
        .bomb(507, Kind::A, 1)
        .turn_of(1)
}

/// The note of the last line of a card.
fn last(scene: &Scene, card: &str) -> String {
    scene.notes(1, card).pop().expect("a line")
}

#[test]
fn the_sketch_of_a_card_has_an_arrow_for_each_right_march_and_attack() {
    use engine::report::MapKind;
    let scene = madrid();
    let sketch = |card: &str| {
        let card = engine::CardText::new(card);
        let map = classic_warlord::ClassicWarlord::sketch(&scene.view(1), &card)?;
        let MapKind::Regions(regions) = map.kind else { panic!("regions") };
        let name = |n: usize| regions.regions[n].id.clone();
        Some(regions.arrows.iter().map(|(a, b)| (name(*a), name(*b))).collect::<Vec<_>>())
    };
    let both = sketch("K 501 823 3\nK 501 549 3\nM 501 516 1").expect("two are right");
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(both, [pair("501", "516"), pair("501", "549")]);
    assert_eq!(sketch("P 501 1"), None, "nothing moves");
}

#[test]
fn lines_that_are_no_orders_get_the_form_of_theirs() {
    let scene = madrid();
    assert!(last(&scene, "X 501").contains("there is no such order; HELP explains S, H, A, P"));
    for (line, form) in [
        ("K 501 549", "K from to number ... [@ site ...], such as K 501 549 3 2 1 @ 501"),
        ("K 501 549 seven", "K from to number"),
        ("M 501 546", "M from to number, such as M 501 549 2"),
        ("M 501 546 2 3", "M from to number"),
        ("P 501 0", "P region number"),
        ("H 507", "H from target"),
        ("A 507 549", "A from target site"),
        ("Q", "Q number"),
        ("V DARW", "V DRAW or V NODRAW"),
        ("G 501", "G scope ... guess"),
        ("Z now", "the form is Z"),
    ] {
        let note = last(&scene, line);
        assert!(note.starts_with("error: the form is") && note.contains(form), "{line}: {note}");
    }
}

#[test]
fn wrong_regions_are_told_with_what_was_meant() {
    let scene = Scene::with(2, &[("boards", "5")]).put(1, &[(501, 3)]).turn_of(1);
    let at = |line: &str| scene.notes(1, line).pop().expect("a line");
    assert_eq!(at("P 999 1"), "error: \"999\" is no region here; regions are 501–575");
    assert_eq!(at("P Madrid 1"), "error: regions are numbers; Madrid is 501");
    assert_eq!(at("P 102 1"), "error: \"102\" is no region here; regions are 501–575");
    assert_eq!(at("P 546 1"), "error: you do not hold 546 Old Castile");
    assert!(at("K 546 501 1").starts_with("error: you do not hold 546 Old Castile"));
}

#[test]
fn phases_that_are_over_are_named() {
    let scene = madrid();
    for (card, why) in [
        ("P 501 1\nA 507 536 501", "bombs are over once armies are placed"),
        ("M 501 546 1\nA 507 536 501", "bombs are over once armies move"),
        ("M 501 546 1\nP 501 1", "extra armies are placed before armies move"),
    ] {
        assert_eq!(last(&scene, card), format!("error: {why}"), "{card}");
    }
    let scene = madrid().put(1, &[(521, 1)]).bomb(517, Kind::H, 1);
    let scene = scene.put(1, &[(549, 1)]).put(2, &[(550, 2)]).turn_of(1);
    let card = "A 507 536 501\nH 517 550";
    assert_eq!(last(&scene, card), "error: H-bombs are fired before A-bombs");
}

#[test]
fn bombs_that_cant_be_fired_are_told_why() {
    let scene = madrid();
    assert_eq!(last(&scene, "H 507 501"), "error: no H-bomb on 507 Valencia");
    assert_eq!(last(&scene, "A 501 549 501"), "error: no A-bomb on 501 Madrid");
    assert_eq!(
        last(&scene, "A 507 501 517"),
        "error: 501 is 2 boundaries from 507, the bomb reaches 1"
    );
    let plain = Scene::with(2, &[("bombs", "false")]).put(1, &[(507, 3)]).turn_of(1);
    assert_eq!(last(&plain, "H 507 501"), "error: this game is played without bombs");
}

#[test]
fn a_site_that_does_not_fit_is_replaced_with_a_warning() {
    let scene = Scene::new(2)
        .put(1, &[(505, 1), (520, 1), (517, 1), (501, 1), (526, 1)])
        .bomb(505, Kind::A, 1)
        .turn_of(1);
    let note = last(&scene, "A 505 544 526");
    assert!(note.starts_with("ok, but: site 526 not possible, 501 used"), "{note}");
}

#[test]
fn what_is_left_over_is_placed_and_told() {
    let scene = Scene::new(2).put(1, &[(501, 2), (546, 1)]).put(2, &[(549, 1)]).turn_of(1);
    assert_eq!(
        last(&scene, "M 501 516 1"),
        "ok, but: 2 put on 501 first; 1 to 516 Iberian Range, 3 stay"
    );
    let judged = scene.judged(1, "P 546 1");
    let text = format!("{:?}", judged.forecast);
    assert!(text.contains("Left over and placed by the robot: 1 put on 501."), "{text}");
    let mut scene = scene;
    scene.play(&[(1, "P 546 1")]);
    assert_eq!((scene.armies(501), scene.armies(546)), (3, 2));
}

#[test]
fn attacks_on_what_is_empty_or_ones_own_are_told() {
    let scene = madrid().moving();
    assert_eq!(last(&scene, "K 501 546 2"), "error: 546 is empty; use M");
    assert_eq!(last(&scene, "K 501 517 2"), "error: 517 is yours");
    assert_eq!(last(&scene, "K 501 504 2"), "error: 504 is empty; use M");
    assert!(last(&scene, "K 501 549 0").contains("the number must be 1–6"));
    assert_eq!(
        last(&scene, "K 501 549 0:0"),
        "error: weights look like 2:1:1: at most 6, each from 0 to 999, one above 0"
    );
}

#[test]
fn categories_bound_the_number_where_they_count() {
    let options = [("terrain", "classic")];
    let scene = Scene::with(2, &options)
        .put(1, &[(546, 6), (535, 5), (553, 7)])
        .put(2, &[(501, 2), (517, 1), (534, 2)])
        .turn_of(1)
        .moving();
    assert_eq!(last(&scene, "K 546 501 1"), "error: a mega city needs 2 or more");
    assert_eq!(last(&scene, "K 546 517 4"), "error: mountains take at most 3");
    assert!(last(&scene, "K 546 501 2").contains("number 2–6"));
    assert!(last(&scene, "K 546 517 2").contains("number 1–3"));
    let mut sea = Scene::with(2, &options).put(1, &[(553, 9)]).put(2, &[(535, 3)]).turn_of(1);
    sea = sea.moving();
    assert!(last(&sea, "K 553 535 8").contains("succeeds without a guess"));
    sea.play(&[(1, "K 553 535 8")]);
    assert_eq!((sea.armies(553), sea.armies(535), sea.owner(535)), (1, 8, 1));
    assert_eq!(sea.bomb_at(553), Some((Kind::A, 1)));
    // From the sea the defender has two guesses.
    let mut landing = Scene::with(2, &options).put(1, &[(535, 6)]).put(2, &[(553, 2)]).turn_of(1);
    landing = landing.moving();
    landing.play(&[(1, "K 535 553 3"), (2, "G * 4")]);
    assert_eq!(landing.strikes()[0].guesses, [4, 3]);
    assert_eq!(landing.armies(535), 3);
}

#[test]
fn blocks_that_are_wrong_are_not_run_and_told_where_they_begin() {
    let scene = madrid().moving();
    let notes = scene.notes(1, "IF W\nM 501 546 1");
    assert!(notes[0].contains("this block has no FI"), "{notes:?}");
    assert!(notes[1].contains("the block that begins in line 1 is wrong"), "{notes:?}");
    let notes = scene.notes(1, "IF W\nELSE\nM 501 546 1\nELSE\nFI\nM 501 546 2");
    assert!(notes[0].contains("has an ELSE already"), "{notes:?}");
    assert_eq!(notes[5], "ok: 2 to 546 Old Castile, 3 stay");
    let notes = scene.notes(1, "IF X 3\nM 501 546 1\nFI\nFI\nELSE");
    assert!(notes[0].contains("a test is W, C or L, N region > number"), "{notes:?}");
    assert!(notes[3].contains("FI without an IF") && notes[4].contains("ELSE without an IF"));
    let deep = "IF W\n".repeat(9) + &"FI\n".repeat(9);
    assert!(scene.notes(1, &deep)[8].contains("at most 8 deep"));
}

#[test]
fn guesses_of_the_wrong_form_are_told() {
    let scene = madrid();
    for (line, why) in [
        ("G nowhere 3", "is no scope"),
        ("G M9 3", "is no scope"),
        ("G * 7", "is no guess"),
        ("G * 1:2:3:4:5:6:7", "weights look like 2:1:1"),
        ("G * 0:0", "weights look like 2:1:1"),
    ] {
        assert!(last(&scene, line).contains(why), "{line}: {}", last(&scene, line));
    }
    for line in ["G * E", "G 549 M6 2:2:1", "G Y LIVE 3/2", "G P2 D6 U", "g 0"] {
        assert!(last(&scene, line).starts_with("ok"), "{line}: {}", last(&scene, line));
    }
}

#[test]
fn orders_of_who_is_not_to_move_wait() {
    let scene = madrid();
    let notes = scene.notes(2, "P 549 1\nG * 3\nQ 3\nS 518");
    assert_eq!(notes[0], "ok, but: held: it is seat 1's turn; your orders wait for yours");
    assert_eq!(notes[1], "ok: ");
    assert_eq!(notes[2], "error: nobody waits for your guess");
    assert_eq!(notes[3], "error: all mountains of the start are taken");
    let draft = Scene::with(2, &[("boards", "5")]);
    let notes = draft.notes(1, "S 501\nS 518 518\nP 518 1");
    assert_eq!(notes[0], "error: 501 Madrid is no mountain; mountains have the letter B");
    assert_eq!(notes[1], "ok, but: 518 Sierra Morena is named twice");
    assert!(notes[2].contains("mountains come first"));
}

#[test]
fn a_card_without_errors_is_played_at_once_and_one_with_errors_waits() {
    let scene = madrid();
    assert!(scene.judged(1, "P 501 1").ready);
    assert!(!scene.judged(1, "P 501 1\nP 999 1").ready, "it may be mended");
    assert!(!scene.judged(1, "G * 3").ready, "guesses are no turn");
    assert!(!scene.judged(2, "P 549 1").ready);
}

#[test]
fn limits_are_told() {
    let scene = madrid();
    let many = "M 501 546 1\n".repeat(401);
    assert!(last(&scene, &many).contains("a card has at most 400 orders"));
    let numbers = format!("K 501 549 {}", "1 ".repeat(61));
    assert!(last(&scene, &numbers).contains("at most 60 numbers"));
}

#[test]
fn every_example_is_an_order_and_prose_is_none() {
    let scene = madrid();
    // A letter is not an order; the card reader knows how it begins.
    for topic in orders::help().into_iter().filter(|t| t.word != "PRESS") {
        for example in &topic.examples {
            assert!(orders::starts_order(example), "{example}");
            let judged = scene.judged(1, example);
            assert!(judged.lines[0].mark != Mark::Remark, "{example}");
            assert!(!judged.lines[0].note.starts_with("the form"), "{example}");
        }
    }
    for prose in [
        "Hello there",
        "Please move on",
        "If you like",
        "Good luck to all of you",
        "Kind regards",
        "P.S. see you",
        "A nice move",
        "Mail me soon",
        "Zoe",
        "Victory is mine today",
        "H. Smith",
        "> K 501 549 3",
        "Send 3 mails",
    ] {
        assert!(!orders::starts_order(prose), "{prose}");
    }
    assert!(classic_warlord::ClassicWarlord::starts_order("K 501 Madrid 3"), "a slip is an order");
}

#[test]
fn what_the_echo_of_a_turn_promises_comes_true() {
    let mut compared: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..250 {
        let mut chance = Chance(seed);
        let mut state = promise::crowd(&mut chance);
        for _ in 0..4 {
            while !matches!(state.stage, Stage::Over(_)) && state.to_move() != Some(promise::ME) {
                state = promise::step(&state, None).0;
            }
            if !matches!(state.stage, Stage::Turn(_)) {
                break;
            }
            let card = promise::card(&state, &mut chance);
            let mut played = Played::of(&state, &card);
            played.compare();
            let faults = played.faults.join("\n");
            assert!(faults.is_empty(), "seed {seed}:\n{card}\n{faults}");
            played.compared.iter().for_each(|(k, n)| *compared.entry(k).or_default() += n);
            state = played.after;
        }
    }
    // Each kind of promise was really checked.
    for kind in ["deed", "stay", "has", "armies", "placed", "ordered", "attack", "guess", "vote"] {
        let n = compared.get(kind).copied().unwrap_or(0);
        assert!(n >= 50, "{kind}: {n} in {compared:?}");
    }
}

#[test]
fn of_several_answers_only_the_first_one_counts() {
    let mut scene = madrid().moving();
    scene.play(&[(1, "K 501 549 2"), (2, "G * LIVE 1")]);
    let notes = scene.notes(2, "Q 9\nQ 2");
    let told = ["error: the number was 1–5", "error: only the first Q of a card counts"];
    assert_eq!(notes, told);
    assert!(!scene.judged(2, "Q 9\nQ 2").ready, "the right one may still come");
    assert!(scene.judged(2, "Q 2").ready);
    // The step takes the first one too.
    scene.play(&[(2, "Q 1\nQ 2")]);
    assert_eq!(scene.strikes()[0].guesses, [1]);
}

#[test]
fn what_an_explosion_or_a_pause_ends_is_told() {
    // That kills the last army of the others: nothing moves after it.
    let scene = Scene::with(2, &[("boards", "5")])
        .put(1, &[(501, 5), (575, 3)])
        .put(2, &[(549, 2)])
        .bomb(501, Kind::H, 6)
        .turn_of(1);
    let notes = scene.notes(1, "H 501 549\nM 575 574 1");
    assert_eq!(notes[1], "ok, but: not done: the game is over then");
    // When a part ends, extra armies stay for the next one.
    let madrid = madrid();
    let told = format!("{:?}", madrid.judged(1, "Z").forecast);
    assert!(told.contains("Extra armies for the next part, as things stand: "), "{told}");
    assert!(!told.contains("placed by the robot"), "{told}");
    // After an attack nothing is placed or fired, whatever its result.
    let notes = madrid.notes(1, "K 501 549 2\nP 501 1\nA 507 536 501\nK 501 549 6\nK 507 549 3");
    assert_eq!(notes[1], "error: extra armies are placed before armies move");
    assert_eq!(notes[2], "error: bombs are over once armies move");
    assert!(!madrid.judged(1, "K 501 549 2\nP 501 1").ready);
}
