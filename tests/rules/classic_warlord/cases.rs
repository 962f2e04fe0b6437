//! The acceptance cases (§15) and the arithmetic (§12) of the specification, by their numbers.

use classic_warlord::board::Kind;
use classic_warlord::draft::{Draft, has_room, legal, most};
use classic_warlord::numbers::{Bounds, Draw};
use classic_warlord::state::{Event, Stage, Why};
use classic_warlord::turn::Hit;
use engine::{Dice, Seat};

use crate::scene::Scene;

/// Extra armies of each empire of a seat.
fn extras(scene: &Scene, seat: u8) -> Vec<u32> {
    let board = &scene.state.board;
    board.empires(Seat(seat)).iter().map(|e| board.extra(e)).collect()
}

#[test]
fn case_1_and_5_an_empire_claims_and_spreads_as_it_likes() {
    // One mega city, three key and seven rural regions and others around Madrid; one mountain.
    let empire =
        [501, 507, 508, 511, 546, 547, 548, 549, 550, 553, 555, 516, 517, 537, 521, 514, 538, 515];
    let armies: Vec<(u16, u32)> = empire.iter().map(|n| (*n, 1)).collect();
    let mut scene = Scene::new(2).put(1, &armies).put(1, &[(526, 1)]).turn_of(1);
    assert_eq!(extras(&scene, 1), [5, 1]);
    scene.play(&[(1, "P 501 5\nP 526 1")]);
    assert_eq!((scene.armies(501), scene.armies(526)), (6, 2));
    assert_eq!(scene.not_done(), Vec::<String>::new());
    let mut scene = Scene::new(2).put(1, &armies).turn_of(1);
    scene.play(&[(1, "P 501 2\nP 546 1\nP 549 2")]);
    assert_eq!([501, 546, 549].map(|n| scene.armies(n)), [3, 2, 3]);
}

#[test]
fn case_2_the_number_of_armies_does_not_matter() {
    for armies in [10, 1] {
        let scene = Scene::new(2).put(1, &[(501, armies)]).turn_of(1);
        assert_eq!(extras(&scene, 1), [2]);
    }
}

#[test]
fn case_3_and_4_halves_and_thirds_are_not_added_up_between_empires() {
    // Two empires of one key and two rural regions each.
    let parts: [&[(u16, u32)]; 2] =
        [&[(507, 1), (553, 1), (549, 1)], &[(505, 1), (545, 1), (544, 1)]];
    let scene = Scene::new(2).put(1, parts[0]).put(1, parts[1]).turn_of(1);
    assert_eq!(extras(&scene, 1), [1, 1]);
    let notes = scene.notes(1, "P 553 2");
    assert_eq!(notes, ["ok, but: 1 of 2 placed, no more in this empire"]);
    let notes = scene.notes(1, "P 553 1\nP 549 1");
    assert_eq!(notes[1], "error: 549 is in another of your empires, which has 0 left");
    // Joined they claim three.
    let joined = Scene::new(2).put(1, parts[0]).put(1, parts[1]).put(1, &[(517, 1), (550, 1)]);
    let joined = joined.put(1, &[(518, 1)]).turn_of(1);
    let board = &joined.state.board;
    let all = board.empires(Seat(1));
    assert_eq!(all.len(), 1, "{:?}", joined.numbers(&all[0]));
    // Two key and five rural regions now.
    assert_eq!(board.extra(&all[0]), 3);
}

#[test]
fn case_6_no_mountain_next_to_an_occupied_one() {
    let mut scene = Scene::with(2, &[("boards", "5")]);
    scene.state.stage = Stage::Draft(Draft { left: vec![Seat(1), Seat(2)], round: 1 });
    scene.play(&[(1, "S 514 515"), (2, "S 515 518")]);
    assert_eq!((scene.owner(514), scene.owner(518), scene.owner(515)), (1, 2, 0));
    let touching = |n: u16| {
        let at = scene.at(n);
        scene.state.board.map().near(at).filter(|p| scene.state.board.owner(*p).is_some()).count()
    };
    let mountains = scene.state.board.map().regions.iter().filter(|r| r.category.letter() == 'B');
    for number in mountains.map(|r| r.number).filter(|n| scene.owner(*n) > 0) {
        assert_eq!(touching(number), 0, "{number}");
    }
}

#[test]
fn case_7_the_draft_ends_when_not_everybody_finds_another() {
    let mut scene = Scene::with(3, &[("boards", "5")]);
    let left = vec![Seat(1), Seat(2), Seat(3)];
    scene.state.stage = Stage::Draft(Draft { left, round: 1 });
    scene.play(&[]);
    let held = |seat| scene.state.board.held(Seat(seat)).count();
    assert_eq!([1, 2, 3].map(held), [held(1); 3]);
    assert!(held(1) >= 3, "ten mountains that do not touch are enough for three rounds");
    let map = scene.state.board.map();
    assert!(most(map, &legal(&scene.state.board)) < 3);
    assert!(matches!(scene.state.stage, Stage::Turn(_)));
    // On a board with just enough room, each pick leaves mountains for the others (§4.3).
    let empty = Scene::with(2, &[("boards", "3")]);
    let all = legal(&empty.state.board);
    assert!(has_room(empty.state.board.map(), &all, 6) && most(empty.state.board.map(), &all) >= 6);
}

#[test]
fn case_8_bombs_are_over_once_armies_move() {
    let mut scene =
        Scene::new(2).put(1, &[(501, 4), (505, 1), (504, 1)]).bomb(505, Kind::A, 1).turn_of(1);
    let card = "M 501 549 1\nA 505 544 504";
    assert_eq!(scene.notes(1, card)[1], "error: bombs are over once armies move");
    scene.play(&[(1, card)]);
    assert_eq!(scene.not_done(), ["bombs are over once armies move"]);
    assert_eq!(scene.bomb_at(505), Some((Kind::A, 1)));
}

#[test]
fn armies_that_are_not_placed_end_no_bombs_and_count_no_empire() {
    // §5.4: the empires are counted as they stand after the bombs, whatever was tried before.
    let mut scene = Scene::new(2)
        .put(1, &[(505, 1), (544, 4), (525, 2)])
        .bomb(505, Kind::H, 1)
        .put(2, &[(553, 1)])
        .turn_of(1);
    let card = "P 553 1\nH 505 544";
    let notes = scene.notes(1, card);
    assert!(notes[0].starts_with("error: you do not hold 553"), "{notes:?}");
    assert!(notes[1].starts_with("ok: "), "{notes:?}");
    scene.play(&[(1, card)]);
    assert_eq!(scene.armies(544), 0, "nothing is placed where the bomb went off");
    let told: Vec<_> = scene.events.iter().filter(|e| !matches!(e, Event::NotDone(..))).collect();
    assert!(
        matches!(told[..], [Event::Shot(..), Event::Claimed(_, claimed), Event::Placed(..), ..] if claimed.len() == 1),
        "{told:?}"
    );
}

#[test]
fn case_9_one_army_stays() {
    let scene = Scene::new(2).put(1, &[(501, 4), (526, 9)]).turn_of(1);
    // Extra armies come first: Madrid has two more.
    let notes = scene.notes(1, "P 501 2\nP 526 1\nM 501 549 6");
    assert_eq!(notes[2], "error: one army must stay; at most 5 can leave 501");
    let mut scene = Scene::new(2).put(1, &[(501, 2)]).turn_of(1);
    scene.play(&[(1, "P 501 2\nM 501 549 3")]);
    assert_eq!((scene.armies(501), scene.armies(549)), (1, 3));
}

#[test]
fn case_10_moves_go_to_empty_neighbours_only() {
    let scene = Scene::new(2).put(1, &[(501, 4), (546, 1)]).put(2, &[(549, 1)]).turn_of(1);
    let notes = scene.notes(1, "P 501 *\nM 501 546 1\nM 501 549 1\nM 501 504 1");
    assert_eq!(notes[1], "error: 546 is yours; armies move only into empty regions");
    assert_eq!(notes[2], "error: 549 is held by seat 2; use K");
    assert_eq!(notes[3], "error: 501 and 504 share no boundary");
}

#[test]
fn case_11_armies_go_on_in_the_same_turn() {
    let mut scene = Scene::new(2).put(1, &[(501, 2)]).turn_of(1);
    scene.play(&[(1, "P 501 2\nM 501 549 3\nM 549 553 2")]);
    assert_eq!([501, 549, 553].map(|n| scene.armies(n)), [1, 1, 2]);
}

#[test]
fn case_12_an_attack_needs_two_armies() {
    let scene = Scene::new(2).put(1, &[(501, 1), (526, 1)]).put(2, &[(549, 1)]).turn_of(1);
    let notes = scene.notes(1, "P 526 1\nP 501 2\nK 501 549 1");
    assert!(notes[2].starts_with("ok: 3 against 1, number 1–3"), "{notes:?}");
    let alone = Scene::new(2).put(1, &[(501, 1)]).put(2, &[(549, 1)]).turn_of(1);
    // Nothing is left to place: this part of the turn has no extra armies.
    let bare = alone.moving();
    assert_eq!(bare.notes(1, "K 501 549 1"), ["error: an attack needs 2 armies on 501"]);
}

#[test]
fn case_13_the_number_is_at_most_six_and_the_armies() {
    let with = |armies: u32| {
        Scene::new(2).put(1, &[(501, armies)]).put(2, &[(549, 1)]).turn_of(1).moving()
    };
    let mut few = with(5);
    let why = "the number must be 1–5 and not above the armies on 501 (5)";
    assert_eq!(few.notes(1, "K 501 549 6"), [format!("error: {why}")]);
    few.play(&[(1, "K 501 549 6")]);
    assert_eq!(few.not_done(), [why]);
    let many = with(9);
    let notes = many.notes(1, "K 501 549 7\nK 501 549 6");
    assert_eq!(notes[0], "error: the number must be 1–6 and not above the armies there");
    assert_eq!(notes[1], "ok: 9 against 1, number 1–6: a guess without a hint finds it once in 6");
}

#[test]
fn case_14_armies_of_two_regions_do_not_attack_together() {
    let scene = Scene::new(2).put(1, &[(501, 2), (546, 2)]).put(2, &[(517, 3)]).turn_of(1).moving();
    let notes = scene.notes(1, "K 501+546 517 3\nK 501 517 3\nK 501 517 1\nK 546 517 1");
    assert!(notes[0].contains("cannot attack together"), "{notes:?}");
    assert!(notes[1].contains("not above the armies on 501 (2)"), "{notes:?}");
    assert!(notes[2].starts_with("ok: 2 against 3"), "{notes:?}");
    assert_eq!(notes[3], "ok: ok if it still applies");
}

#[test]
fn behind_an_attack_what_nothing_makes_possible_is_an_error() {
    let scene = Scene::new(2).put(1, &[(501, 3), (546, 1), (520, 2)]).put(2, &[(517, 3)]);
    let scene = scene.turn_of(1).moving();
    let said = |line: &str| scene.notes(1, &format!("K 501 517 1\n{line}")).swap_remove(1);
    for (line, wrong) in [
        ("M 501 562 1", "share no boundary"),
        ("K 501 562 1", "share no boundary"),
        ("M 501 546 1", "is yours"),
        ("K 501 546 1", "is yours"),
        ("M 501 516 5", "one army must stay"),
    ] {
        assert!(said(line).contains(wrong), "{line}: {}", said(line));
    }
    // Armies may leave a region that they won and enter one that was left, and the holder of a
    // region after an attack is uncertain.
    for line in ["M 517 562 1", "M 501 546 1\nM 546 545 1", "K 546 517 1"] {
        assert_eq!(said(line), "ok: ok if it still applies", "{line}");
    }
}

#[test]
fn case_15_a_bomb_reaches_as_many_boundaries_as_it_has_units() {
    let with = |units| {
        let scene = Scene::new(2).put(1, &[(505, 1), (504, 1), (550, 1)]).put(1, &[(562, 1)]);
        scene.bomb(505, Kind::A, units).turn_of(1)
    };
    let far = |n: u16| {
        let scene = with(1);
        let (from, to) = (scene.at(505), scene.at(n));
        scene.state.board.map().distances(from)[usize::from(to.0)]
    };
    assert_eq!((far(504), far(545)), (Some(1), Some(2)));
    let one = with(1);
    assert!(
        one.notes(1, "A 505 504 550")[0].starts_with("ok"),
        "{:?}",
        one.notes(1, "A 505 504 550")
    );
    assert_eq!(
        one.notes(1, "A 505 545 550"),
        ["error: 545 is 2 boundaries from 505, the bomb reaches 1"]
    );
    assert!(with(2).notes(1, "A 505 545 504")[0].starts_with("ok"));
}

#[test]
fn case_16_an_h_bomb_on_madrid() {
    let mut scene = Scene::new(2)
        .put(1, &[(507, 3), (526, 4)])
        .put(2, &[(501, 5), (509, 2), (505, 7)])
        .bomb(507, Kind::H, 2)
        .turn_of(1);
    scene.play(&[(1, "H 507 501")]);
    let shot = scene.shot();
    assert_eq!(scene.numbers(&shot.splats), [501, 516, 517, 546, 549]);
    let devastated =
        [501, 507, 509, 513, 516, 517, 518, 519, 520, 521, 545, 546, 547, 548, 549, 550, 553, 562];
    assert_eq!(scene.numbers(&shot.devastated), devastated);
    assert_eq!(shot.lost(), [(Seat(1), 3), (Seat(2), 7)].into());
    assert!(scene.splat(501) && !scene.splat(509) && scene.owner(509) == 0);
    assert_eq!(scene.armies(505), 7);
    // §15 19: a splat is closed for ever, a devastated region is not.
    let mut next = Scene { state: scene.state.clone(), ..scene }.put(1, &[(547, 0), (508, 5)]);
    next = next.turn_of(1).moving();
    let next = next.put(1, &[(547, 3)]);
    assert_eq!(next.notes(1, "M 547 546 1"), ["error: 546 is radioactive"]);
    assert!(next.notes(1, "M 547 509 1")[0].starts_with("ok"));
}

#[test]
fn case_17_a_bomb_that_is_hit_goes_off_with_its_own_effect() {
    // Without a chain: the explosion of §12.
    let bare = Scene::new(2);
    let blast = bare.state.board.blast(bare.at(146), Kind::A, bare.at(112));
    assert_eq!(bare.numbers(&blast.splats), [146]);
    assert_eq!(bare.numbers(&blast.devastated), [105, 110, 111, 120, 121, 122, 146]);
    let mut scene = Scene::new(2)
        .put(1, &[(112, 2), (154, 1)])
        .put(2, &[(110, 2)])
        .bomb(112, Kind::A, 2)
        .bomb(110, Kind::H, 3)
        .turn_of(1);
    let within = |scene: &Scene, steps| {
        let map = scene.state.board.map();
        let far = map.distances(scene.at(110));
        let near = map.places().filter(|p| far[usize::from(p.0)].is_some_and(|d| d <= steps));
        scene.numbers(&near.collect::<Vec<_>>())
    };
    scene.play(&[(1, "A 112 146 154")]);
    let shot = scene.shot();
    assert_eq!(scene.numbers(shot.chain.iter().map(|c| &c.0)), [110]);
    assert!(within(&scene, 1).iter().all(|n| scene.splat(*n)), "Dublin and all next to it");
    let devastated = scene.numbers(&shot.devastated);
    assert!(within(&scene, 2).iter().all(|n| devastated.contains(n)));
    assert!(devastated.contains(&112) && scene.owner(112) == 0);
    assert_eq!((scene.bomb_at(110), scene.bomb_at(154)), (None, Some((Kind::H, 1))));
}

#[test]
fn case_18_no_empire_wipes_itself_out_with_an_a_bomb() {
    let scene = Scene::new(2).put(1, &[(505, 1), (526, 1)]).bomb(505, Kind::A, 1).turn_of(1);
    let why = "this explosion leaves your empire no place for the H-bomb unit";
    assert_eq!(scene.notes(1, "A 505 544 526"), [format!("error: {why}")]);
    let mut wide = Scene::new(2)
        .put(1, &[(505, 1), (520, 1), (517, 1), (501, 1)])
        .bomb(505, Kind::A, 1)
        .turn_of(1);
    let card = "A 505 544 501\nH 501 550";
    let notes = wide.notes(1, card);
    assert!(notes[0].starts_with("ok: "), "{notes:?}");
    assert_eq!(notes[1], "error: units won this turn can be fired next turn");
    wide.play(&[(1, card)]);
    assert_eq!(wide.bomb_at(501), Some((Kind::H, 1)));
    assert_eq!(wide.not_done(), ["units won this turn can be fired next turn"]);
}

#[test]
fn case_20_a_unit_is_fired_in_the_next_turn_and_the_last_army_wins() {
    let mut scene = Scene::new(2).put(1, &[(501, 6), (517, 1)]).put(2, &[(549, 2)]).turn_of(1);
    scene.play(&[(1, "K 501 549 1 @ 517\nA 517 562 501"), (2, "G * 6")]);
    assert_eq!(scene.bomb_at(517), Some((Kind::A, 1)));
    assert_eq!(scene.not_done(), ["units won this turn can be fired next turn"]);
    scene.play(&[(2, "Z")]);
    assert_eq!(scene.events.len(), 1, "it waits: {:?}", scene.events);
    let mut scene = scene.turn_of(1);
    scene.play(&[(1, "A 517 562 501\nK 501 549 1")]);
    assert_eq!((scene.bomb_at(517), scene.bomb_at(501).map(|b| b.0)), (None, Some(Kind::H)));
    let Stage::Over(end) = &scene.state.stage else { panic!("no end: {:?}", scene.events) };
    assert_eq!((end.why, end.winners.clone()), (Why::Last, vec![Seat(1)]));
    assert!(scene.events.contains(&Event::Out(Seat(2))));
}

/// The chance of capture over all draws of an attack, with a uniform guess, in parts of `under`.
fn captured(armies: u32, defenders: u32, under: u64) -> u64 {
    if armies < 2 {
        return 0;
    }
    let m = armies.min(6);
    let part = under / u64::from(m);
    // The number is always 1: guessed once in m.
    let lost = captured(armies - 1, defenders, part);
    let hit = match defenders {
        1 => part * u64::from(m - 1),
        n => captured(armies, n - 1, part * u64::from(m - 1)),
    };
    lost + hit
}

#[test]
fn the_arithmetic_of_captures_comes_out() {
    let under = 24 * 288 * 36;
    assert_eq!(captured(4, 1, under) * 24, under * 23);
    assert_eq!(captured(4, 2, under) * 288, under * 253);
    assert_eq!(captured(3, 2, under) * 36, under * 23);
}

#[test]
fn a_uniform_guess_lets_an_attack_succeed_in_all_but_one_of_m() {
    for armies in 2..=6 {
        let tries = 6_000;
        let mut won = 0;
        for seed in 0..tries {
            let bounds = Bounds { low: 1, high: armies };
            let mut dice = Dice::new(seed);
            let number = Draw::Even.draw(bounds, [210, 140, 105, 84, 70, 60], &mut dice, "number");
            let guess = Draw::Uniform.guess(bounds, [1; 6], false, &mut dice);
            won += u64::from(guess != [number]);
        }
        let expected = tries * u64::from(armies - 1) / u64::from(armies);
        assert!(won.abs_diff(expected) < tries / 30, "{armies}: {won} of {tries}");
    }
}

#[test]
fn five_in_madrid_against_two_in_la_mancha() {
    let attack = |guesses: &str| {
        let mut scene = Scene::new(2).put(1, &[(501, 5)]).put(2, &[(549, 2)]);
        scene = scene.turn_of(1).moving();
        scene.play(&[(1, "K 501 549 3 2"), (2, &format!("G 549 {guesses}"))]);
        scene
    };
    let scene = attack("1/2");
    let hits: Vec<Hit> = scene.strikes().iter().map(|s| s.hit).collect();
    assert_eq!(hits, [Hit::Won, Hit::Failed]);
    assert_eq!((scene.armies(501), scene.armies(549)), (3, 1));
    assert_eq!(scene.bomb_at(501), Some((Kind::A, 1)));
    let scene = attack("1/3");
    let hits: Vec<Hit> = scene.strikes().iter().map(|s| s.hit).collect();
    assert_eq!(hits, [Hit::Won, Hit::Captured]);
    assert_eq!((scene.armies(501), scene.armies(549), scene.owner(549)), (3, 2, 1));
    assert_eq!(scene.bomb_at(501), Some((Kind::A, 2)));
}

#[test]
fn all_may_advance_or_be_lost() {
    let attack = |guess: &str, options: &[(&str, &str)]| {
        let mut scene = Scene::with(2, options).put(1, &[(501, 4), (526, 1)]).put(2, &[(549, 1)]);
        scene = scene.turn_of(1).moving();
        scene.play(&[(1, "K 501 549 4"), (2, guess)]);
        scene
    };
    let won = attack("G * 1", &[]);
    assert_eq!((won.owner(501), won.armies(549)), (0, 4));
    // The attacking region is no longer held: the unit goes to the region that was taken.
    assert_eq!((won.bomb_at(501), won.bomb_at(549)), (None, Some((Kind::A, 1))));
    let lost = attack("G * 4", &[]);
    assert_eq!((lost.owner(501), lost.armies(549), lost.owner(549)), (0, 1, 2));
    let careful = attack("G * 1", &[("advance", "leave-one")]);
    assert_eq!((careful.armies(501), careful.armies(549)), (1, 3));
}
