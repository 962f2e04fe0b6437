//! The contents of a printout (§10).

use classic_warlord::ClassicWarlord;
use classic_warlord::board::Kind;
use classic_warlord::picture;
use engine::report::{Block, MapKind, Region, Regions};
use engine::{Mark, Printouts};

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
    // A few attacks are listed one by one.
    let mut scene = Scene::new(2).put(1, &[(501, 30)]).put(2, &[(549, 20)]).turn_of(1).moving();
    scene.play(&[(1, "K 501 549 1 1"), (2, "G * 6")]);
    let told = format!("{:?}", classic_warlord::report::brief(&scene.view(2)));
    assert_eq!(told.matches("number 1, guess 6").count(), 2, "{told}");
}

/// The orders that the blank card of a seat shows.
fn shown(scene: &Scene, seat: u8) -> Vec<String> {
    let report = ClassicWarlord::report(&scene.view(seat), "").expect("a printout");
    let card = report.sections.iter().flat_map(|s| &s.blocks).find_map(|b| match b {
        Block::Card(hints) => Some(hints),
        _ => None,
    });
    let examples = card.expect("a card").iter().filter_map(|h| h.split_once("such as  "));
    examples.map(|(_, example)| example.to_owned()).collect()
}

#[test]
fn a_blank_card_shows_orders_that_its_seat_could_send() {
    let heads = |shown: &[String]| -> Vec<String> {
        shown.iter().map(|e| e.split(' ').next().unwrap_or("").to_owned()).collect()
    };
    let right = |scene: &Scene, shown: &[String]| {
        for example in
            shown.iter().filter(|e| !["IF C", "PRESS 1", "PRESS 2"].contains(&e.as_str()))
        {
            let judged = scene.judged(1, example);
            assert!(judged.lines.iter().all(|l| l.mark != Mark::Error), "{example}: {judged:?}");
        }
    };
    // Without bombs the card does not show how to fire them.
    let armed = || Scene::new(2).put(1, &[(501, 6), (504, 1)]).put(2, &[(549, 2)]);
    let scene = armed().turn_of(1);
    let plain = shown(&scene, 1);
    assert_eq!(heads(&plain), ["P", "M", "K", "IF", "Z", "G", "V", "PRESS"]);
    assert!(plain[2].starts_with("K 501 549 "), "{plain:?}");
    right(&scene, &plain);
    let scene = armed().bomb(501, Kind::H, 1).bomb(504, Kind::A, 2).turn_of(1);
    let bombs = shown(&scene, 1);
    assert_eq!(heads(&bombs)[..3], ["H", "A", "P"]);
    assert!(bombs[0].starts_with("H 501 ") && bombs[1].starts_with("A 504 "), "{bombs:?}");
    right(&scene, &bombs);
    // Orders of a phase that is over are left out, and impossible ones.
    let scene = armed().bomb(504, Kind::A, 2).turn_of(1).moving();
    assert_eq!(heads(&shown(&scene, 1))[..2], ["M", "K"]);
    let scene = Scene::new(2).put(1, &[(501, 1)]).put(2, &[(549, 2)]).turn_of(1).moving();
    assert_eq!(shown(&scene, 1), ["G * E", "V DRAW", "PRESS 2"]);
    // A seat whose guess is asked for answers and does nothing else.
    let mut scene = armed().turn_of(1).moving();
    scene.play(&[(2, "G * LIVE E"), (1, "K 501 549 1")]);
    assert_eq!(shown(&scene, 2), ["Q 3"]);
    assert_eq!(shown(&scene, 1), ["G * E", "V DRAW", "PRESS 2"]);
}

#[test]
fn each_explosion_has_a_picture_of_what_it_reached() {
    let mut scene = Scene::new(2)
        .put(1, &[(507, 3), (526, 4)])
        .put(2, &[(501, 5), (509, 2), (505, 7)])
        .bomb(507, Kind::H, 2)
        .bomb(526, Kind::A, 1)
        .turn_of(1);
    scene.play(&[(1, "H 507 501\nA 526 526 507")]);
    let maps = picture::maps(&scene.view(2));
    let ids: Vec<&str> = maps.iter().map(|m| m.id.as_str()).collect();
    // The A-bomb would have left its empire no place for the unit.
    assert_eq!(ids, ["board", "part", "explosion-1"]);
    let map = &maps[2];
    assert_eq!(map.title, "The H-bomb on 501 Madrid");
    let MapKind::Regions(Regions { regions, arrows, .. }) = &map.kind else { panic!("{map:?}") };
    let at = |number: &str| regions.iter().position(|r| r.id == number).expect("it is there");
    let ground = |number| {
        let terrain = regions[at(number)].cell.terrain.expect("a terrain");
        map.terrains[usize::from(terrain)].id.as_str()
    };
    assert_eq!(
        (ground("501"), ground("509"), ground("507")),
        ("exploded", "devastated", "devastated")
    );
    assert_eq!(ground("544"), "rural", "it lies beyond");
    assert!(regions[at("516")].hatch && !regions[at("509")].hatch);
    assert_eq!(arrows[..], [(at("507"), at("501"))]);
    // The armies there are as before.
    let stood = |number| -> Vec<(u8, u32)> {
        let here = map.pieces.iter().filter(|p| p.at == at(number));
        here.map(|p| (p.holder.map_or(0, |s| s.0), p.size)).collect()
    };
    assert_eq!((stood("501"), stood("507")), (vec![(2, 5)], vec![(1, 3)]));
}

#[test]
fn a_part_of_the_map_is_left_out_where_it_would_be_the_whole() {
    let scene = Scene::with(2, &[("boards", "5")]);
    let scene = scene.put(1, &[(501, 6), (570, 1), (541, 2), (512, 1)]).turn_of(1);
    let ids = |scene: &Scene, seat| -> Vec<String> {
        picture::maps(&scene.view(seat)).into_iter().map(|m| m.id).collect()
    };
    assert_eq!(ids(&scene, 1), ["board"]);
    assert_eq!(ids(&scene, 2), ["board", "part"]);
}

/// Left, top, right and bottom of the room of a label.
fn label_box(region: &Region) -> (i32, i32, i32, i32) {
    let letters = region.label.iter().map(|l| l.chars().count()).max().unwrap_or(0) as i32;
    let ((x, y), lines) = (region.label_at, region.label.len() as i32);
    (x - letters * 5 / 2, y - lines * 5, x + letters * 5 / 2, y + lines * 5)
}

#[test]
fn labels_of_regions_do_not_collide() {
    let boards = ["1", "2", "3", "4", "5", "6", "7", "8", "1 2 3 4 5 6 7 8"];
    for board in boards {
        let scene = Scene::with(2, &[("boards", board)]);
        let map = picture::atlas(&scene.state).expect("a map");
        let MapKind::Regions(Regions { regions, .. }) = &map.kind else { panic!("{map:?}") };
        let names = regions.iter().filter(|r| r.label.len() == 2).count();
        assert!(board.len() > 1 || names * 2 > regions.len(), "board {board}: {names} names");
        for (n, a) in regions.iter().enumerate() {
            for b in &regions[n + 1..] {
                let (a_box, b_box) = (label_box(a), label_box(b));
                let apart = a_box.2 < b_box.0
                    || b_box.2 < a_box.0
                    || a_box.3 < b_box.1
                    || b_box.3 < a_box.1;
                assert!(apart, "board {board}: {:?} and {:?}", a.label, b.label);
            }
        }
    }
}

#[test]
fn one_army_is_told_as_one() {
    let mut scene = Scene::new(2).put(1, &[(528, 1)]).put(2, &[(101, 2)]).turn_of(1);
    scene.play(&[(1, "P 528 1")]);
    let told = format!("{:?}", classic_warlord::report::brief(&scene.view(2)));
    assert!(told.contains(" claimed 1 extra army for 1 empire."), "{told}");
    let scene = Scene::new(2).put(1, &[(528, 1)]).put(2, &[(101, 2)]).turn_of(1);
    let placed = &scene.notes(1, "P 528 1\nP 528 1")[1];
    assert_eq!(placed, "error: its extra armies (1) are all placed already");
}

#[test]
fn attacks_on_a_region_are_a_card_with_armies_numbers_and_guesses() {
    let mut scene = Scene::new(2).put(1, &[(501, 30)]).put(2, &[(549, 20)]).turn_of(1).moving();
    scene.play(&[(1, "K 501 549 1 1 1 1"), (2, "G * 1/6/6/6")]);
    let report = ClassicWarlord::report(&scene.view(2), "").expect("a printout");
    let cards: Vec<_> = report
        .sections
        .iter()
        .flat_map(|s| &s.blocks)
        .filter_map(|b| match b {
            Block::Battles(cards) => Some(cards),
            _ => None,
        })
        .flatten()
        .collect();
    let [card] = cards.as_slice() else { panic!("one card for one region: {cards:?}") };
    let who: Vec<&str> = card.sides.iter().map(|s| s.who.as_str()).collect();
    assert_eq!(who, ["Red, attacking", "Blue, defending"]);
    let lost = |n: usize| card.sides[n].numbers.map(|(before, after)| (before, before - after));
    assert_eq!(card.sides[0].numbers.map(|n| n.0), Some(30));
    // One of four was guessed.
    assert!(lost(0).is_some_and(|l| l.1 > 0) && lost(1).is_some_and(|l| l.1 > 0), "{card:?}");
    assert!(card.sides[0].odds.starts_with("numbers: 1 against guess 1, 1 against guess 6"));
    assert_eq!(card.result, "4 attacks, of which 1 failed; the region is held; A-units won: 3.");
    let list = format!("{:?}", report.sections[1].blocks);
    assert!(!list.contains(" attacked "), "what is on a card is not told again: {list}");
}
