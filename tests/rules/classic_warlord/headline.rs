//! §10: what a printout says first.

use classic_warlord::ClassicWarlord;
use engine::Rules;
use engine::report::Line;
use render::text::flat;

use crate::scene::Scene;

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| flat(l).replace('\u{a0}', " ")).collect()
}

fn first(scene: &Scene, seat: u8) -> Vec<String> {
    texts(&ClassicWarlord::headline(&scene.view(seat)).sentences)
}

fn needs(scene: &Scene, seat: u8) -> Vec<String> {
    texts(&ClassicWarlord::headline(&scene.view(seat)).needs)
}

fn duel() -> Scene {
    let scene = Scene::new(3).put(1, &[(501, 6), (526, 1)]).put(2, &[(549, 1), (553, 4)]);
    scene.put(3, &[(506, 3)]).turn_of(1).moving()
}

/// The duel, attacked until the region is taken.
fn taken() -> Scene {
    for seed in 1..50 {
        let mut scene = duel();
        scene.seed = seed;
        scene.play(&[(1, "K 501 549 E E E E\nM 501 549 1")]);
        if scene.owner(549) == 1 {
            return scene;
        }
    }
    panic!("some number is not guessed");
}

#[test]
fn a_lost_region_comes_first_with_its_name_and_number() {
    let scene = taken();
    let told = first(&scene, 2);
    assert!(told[0].starts_with("You lost ") && told[0].contains("(549) to Red."), "{told:?}");
    let told = first(&scene, 1);
    assert!(told[0].starts_with("You took ") && told[0].contains("(549) from Blue."), "{told:?}");
    let told = first(&scene, 3);
    let news = told.iter().find(|s| s.starts_with("Red took ")).expect("all see it");
    assert!(news.contains("(549) from Blue."), "{told:?}");
    let all = ClassicWarlord::chronicle(&scene.state, &scene.events);
    assert!(texts(&all)[0].starts_with("Red took "), "{all:?}");
}

#[test]
fn attacks_of_one_seat_on_another_share_a_sentence() {
    let mut scene = duel();
    scene.play(&[(1, "K 501 549 1 2 3 1 2"), (2, "G * E")]);
    let told = first(&scene, 1);
    let own: Vec<&String> = told.iter().filter(|s| s.contains("549")).collect();
    assert!((1..=2).contains(&own.len()), "won and lost, or one of them: {told:?}");
    assert!((3..=7).contains(&told.len()), "{told:?}");
}

#[test]
fn a_game_begins_with_who_one_is_and_a_quiet_turn_says_how_things_stand() {
    let scene = Scene::with(4, &[]);
    let told = first(&scene, 2);
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(told[0], "You are Blue, one of 4 players.");
    let quiet = duel();
    let told = first(&quiet, 3);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("You are Green and hold 1 region in 1 empire"), "{told:?}");
    assert_eq!(told[1], "Round 1: it is the turn of Red.");
    assert!(needs(&quiet, 3).is_empty());
    assert!(needs(&quiet, 1)[0].starts_with("Your turn is awaited"), "{:?}", needs(&quiet, 1));
}

#[test]
fn extra_armies_are_asked_for_until_they_are_placed() {
    let mut scene = Scene::new(2).put(1, &[(501, 6), (526, 1)]).put(2, &[(549, 1)]).turn_of(1);
    let asked = needs(&scene, 1);
    assert!(asked[0].contains(" extra arm") && asked[0].contains("to place"), "{asked:?}");
    scene.play(&[(1, "P 501 *\nM 501 516 1\nZ")]);
    assert_eq!(needs(&scene, 1), ["Your turn is awaited: moves and attacks."]);
}

#[test]
fn a_guess_that_is_asked_for_stands_first_and_needs_orders() {
    let mut scene = duel();
    scene.play(&[(1, "K 501 549 3"), (2, "G 549 LIVE 1")]);
    if scene.view(2).asked().is_some() {
        let told = first(&scene, 2);
        assert!(told[0].starts_with("Red attacks ") && told[0].contains("6 against 1"), "{told:?}");
        assert_eq!(needs(&scene, 2), ["Your guess is asked for."]);
        // Diaries tell of a turn when it is over.
        assert_eq!(ClassicWarlord::headline(&scene.view(2)).told, 0);
        assert!(ClassicWarlord::chronicle(&scene.state, &scene.events).is_empty());
    } else {
        panic!("the guess is asked for");
    }
}
