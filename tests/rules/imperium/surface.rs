//! Planetary battles: bombardment, landing, defensive fire, surface combat (§8).

use imperium::board::{Control, Marker, Place};
use imperium::kinds::Kind;

use super::scene::{Imperial, Scene, Terran, planet, table, unit};

const OUTPOST: Marker = Marker::Outpost;

/// A Terran fleet off an Imperial planet.
fn siege(at: &str, marker: Marker, defenders: &str, ships: &str) -> Scene {
    let scene = table().segment(1).bare().marker(at, Some((Imperial, marker)));
    let scene = if defenders.is_empty() { scene } else { scene.on(Imperial, at, defenders) };
    scene.fleet(Terran, 1, planet(at).system.0, ships)
}

fn acted(s: &Scene) -> bool {
    !s.sieges().is_empty()
}

fn card(at: &str, rest: &str) -> String {
    format!("SEG 1\nA {}\nK {at}{rest}", planet(at).system)
}

#[test]
fn an_undefended_outpost_falls_to_troops_without_a_shot() {
    let scene = siege("24.1", OUTPOST, "", "DD1 TR1(RT1)");
    let done = scene.seek([&card("24.1", ""), ""], acted);
    assert_eq!(done.state.board.marker(planet("24.1")), Some((Terran, OUTPOST)));
    assert_eq!(done.state.glory, 4);
    assert!(!done.sieges()[0].is_battle());
    let mut poor = scene.clone();
    poor.state.options.captured_world = false;
    let world = siege("24.1", Marker::World, "", "DD1 TR1(RT1)");
    let kept = world.seek([&card("24.1", ""), ""], acted);
    assert_eq!(
        (kept.state.glory, kept.state.board.marker(planet("24.1"))),
        (2, Some((Terran, Marker::World)))
    );
    let mut lesser = world.clone();
    lesser.state.options.captured_world = false;
    let lesser = lesser.seek([&card("24.1", ""), ""], acted);
    assert_eq!(lesser.state.board.marker(planet("24.1")), Some((Terran, OUTPOST)));
}

#[test]
fn ships_and_monitors_are_engaged_before_planets_are_attacked() {
    let scene = siege("09.1", OUTPOST, "M1", "BB1 TR1(JT1)");
    let done = scene.seek([&card("09.1", ""), ""], |s| s.localized().contains("enemy ships"));
    assert!(done.sieges().is_empty());
}

#[test]
fn bombs_hit_planetary_defence_and_fighters_alone() {
    let scene = siege("33.1", Marker::World, "PD1 F1 F2 RT1", "BB1 BB2 BB3");
    let mut lost = 0;
    for seed in 1..60 {
        let done = scene.step(&card("33.1", " B"), "", seed);
        let Some(story) = done.sieges().first().copied() else { continue };
        let bombs = story.bombardment.as_ref().expect("bombs");
        assert!(bombs.hits.iter().all(|l| matches!(l.id.kind(), Kind::PD | Kind::F)));
        assert!(
            bombs.defence.iter().all(|s| s.need == if s.by.kind() == Kind::PD { 4 } else { 5 })
        );
        assert!(done.has(Imperial, "RT1") && !done.hurt(Imperial, "RT1"));
        lost += bombs.hits.len();
    }
    assert!(lost > 10, "{lost}");
}

#[test]
fn a_bombed_terraformed_planet_is_what_it_was() {
    let mut scene = siege("04.1", Marker::World, "RT1 F1", "BB1");
    scene.state.board.planets.get_mut(&planet("04.1")).expect("it is there").ground =
        imperium::galaxy::Ground::A3;
    let done = scene.seek([&card("04.1", " B"), ""], acted);
    let land = done.state.board.land(planet("04.1")).expect("it is there");
    assert_eq!(land.ground, imperium::galaxy::Ground::N2);
    assert_eq!(land.marker, Some((Imperial, OUTPOST)), "no World stands on N2");
    assert!(!done.has(Imperial, "RT1"), "regular troops have no place there");
    assert_eq!(done.state.glory, 6, "by the Terran +1");
}

#[test]
fn defenders_stand_where_they_are_told_and_else_one_by_one() {
    let mut scene = siege("09.1", OUTPOST, "PD1 JT1 JT2 F1", "BB1 AT1(JT1)");
    let name = unit(Imperial, "JT2").name;
    scene.state.filed[1].standing.posts.insert((planet("09.1"), name), 9);
    let done = scene.seek([&card("09.1", "\nH JT1 12"), ""], acted);
    let mut at: Vec<(String, u8)> =
        done.sieges()[0].defenders.iter().map(|(id, h)| (id.name.to_string(), *h)).collect();
    at.sort();
    let told = [("F1", 3), ("JT1", 2), ("JT2", 9), ("PD1", 1)].map(|(n, h)| (n.to_owned(), h));
    assert_eq!(at, told);
}

#[test]
fn cargo_shares_the_fate_of_its_transport() {
    let scene = siege("09.1", OUTPOST, "PD1 PD2 PD3 F1 F2", "BB1 TR1(JT1) TR2(JT2)");
    let (mut sunk, mut hurt) = (0, 0);
    for seed in 1..80 {
        let done = scene.step(&card("09.1", "\nH JT1 9\nH JT2 10"), "", seed);
        if done.sieges().is_empty() {
            continue;
        }
        for (ship, troop) in [("TR1", "JT1"), ("TR2", "JT2")] {
            if !done.has(Terran, ship) {
                assert!(!done.has(Terran, troop));
                sunk += 1;
            } else if done.hurt(Terran, ship) {
                assert!(done.hurt(Terran, troop));
                hurt += 1;
            }
        }
    }
    assert!(sunk > 3 && hurt > 3, "{sunk} {hurt}");
}

#[test]
fn both_left_make_a_dispute_that_either_renews() {
    let scene = siege("24.1", OUTPOST, "RT1 RT2", "BB1 AT1(JT1) TR1(RT1)");
    let landing = card("24.1", "\nH JT1 1\nH RT1 9");
    let disputed = |s: &Scene| s.state.board.control(planet("24.1")) == Control::Disputed;
    let done = scene.seek([&landing, ""], |s| acted(s) && disputed(s));
    assert!(done.sieges()[0].disputed);
    let mut next = done.clone();
    next.events.clear();
    // The other side renews the battle, without any ship there.
    let again = next.segment(2).seek(["", "SEG 2\nA 24\nK 24.1"], acted);
    assert_eq!(again.sieges()[0].invader, Imperial);
    assert!(again.sieges()[0].landed.is_empty());
    // The card of the battle lists the units that fight on, although none landed.
    let blocks = imperium::story::ground(&again.state.board, again.sieges()[0]);
    let card = blocks.iter().find_map(|b| match b {
        engine::report::Block::Battles(cards) => cards.first(),
        _ => None,
    });
    let attackers = &card.expect("a card").sides[0];
    assert_eq!(attackers.who, "Imperial, attacking");
    assert!(attackers.numbers.is_some_and(|(before, _)| before > 0), "{attackers:?}");
}

#[test]
fn surface_moves_are_short_and_end_among_enemies() {
    let scene = table()
        .segment(2)
        .marker("24.1", Some((Imperial, OUTPOST)))
        .hex(Terran, "24.1", 1, "RT1")
        .hex(Terran, "24.1", 5, "JT1")
        .hex(Imperial, "24.1", 2, "RT1")
        .fleet(Terran, 1, 24, "DD1");
    let told = |h: &str| scene.told(Terran, &format!("SEG 2\nA 24\nK 24.1\n{h}")).1;
    assert_eq!(told("H RT1 2 3"), "RT move up to 1 hex");
    assert_eq!(told("H JT1 6 7 2 3"), "JT move up to 3 hexes");
    assert_eq!(told("H RT1 9"), "hexes 1 and 9 don't touch");
    assert_eq!(told("H RT1 17"), "24.1 has hexes 1–16");
    let done = scene.seek(["SEG 2\nA 24\nK 24.1\nH JT1 1 2 3", ""], acted);
    let story = done.sieges()[0];
    assert!(story.moves.contains(&(unit(Terran, "JT1"), 5, 2)), "{:?}", story.moves);
    let calm = scene.seek(["SEG 2\nA 24\nK 24.1\nH JT1 1 2\nNF 2", ""], acted);
    assert!(calm.sieges()[0].fights.is_empty(), "NF leaves the hex out");
}

#[test]
fn a_hex_holds_five_units_of_a_side() {
    let mut scene = siege("09.1", OUTPOST, "PD1", "BB1 AT1(JT1)");
    for n in 1..=5 {
        let f = unit(Terran, &format!("F{n}"));
        imperium::state::add(&mut scene.state.board, f, Place::Surface(planet("09.1"), 9));
    }
    imperium::state::add(
        &mut scene.state.board,
        unit(Imperial, "F1"),
        Place::Surface(planet("09.1"), 1),
    );
    let done = scene.seek([&card("09.1", "\nH JT1 9"), ""], acted);
    assert!(done.localized().contains("hex 9 holds five units already"), "{}", done.localized());
}

#[test]
fn evacuation_draws_fire_and_planetary_defence_stays() {
    let scene = table()
        .segment(2)
        .marker("24.1", Some((Imperial, OUTPOST)))
        .hex(Terran, "24.1", 1, "RT1 F1")
        .hex(Imperial, "24.1", 2, "PD1 PD2")
        .fleet(Terran, 1, 24, "TR1 TR2");
    let done = scene.seek(["SEG 2\nA 24\nV RT1 TR1\nV F1 TR2", ""], acted);
    let story = done.sieges()[0];
    assert_eq!(story.evacuated.len(), 2);
    assert!(story.fire.iter().all(|s| s.at == unit(Terran, "TR1")), "fighters leave unharmed");
    assert_eq!(done.state.board.control(planet("24.1")), Control::Held(Imperial));
    let pd = table()
        .segment(2)
        .hex(Terran, "24.1", 1, "PD1")
        .hex(Imperial, "24.1", 2, "RT1")
        .fleet(Terran, 1, 24, "TR1");
    let told = pd.told(Terran, "SEG 2\nA 24\nV PD1 TR1").1;
    assert_eq!(told, "PD stays on a disputed planet");
}

#[test]
fn fire_on_a_planet_ends_its_terraforming() {
    let mut scene = siege("04.1", OUTPOST, "F1 PD1", "BB1 AT1(JT1)");
    let land = |s: &Scene| s.state.board.land(planet("04.1")).map(|l| l.terraform);
    scene.state.board.planets.get_mut(&planet("04.1")).expect("it is there").terraform = 5;
    let done = scene.seek([&card("04.1", "\nH JT1 5"), ""], acted);
    assert_eq!(land(&done), Some(0));
    let mut calm = siege("04.1", OUTPOST, "", "BB1 AT1(JT1)");
    calm.state.board.planets.get_mut(&planet("04.1")).expect("it is there").terraform = 5;
    let done = calm.seek([&card("04.1", ""), ""], acted);
    assert_eq!(land(&done), Some(5), "an unopposed landing goes on from there");
}

#[test]
fn a_fleet_bombs_once_and_a_block_attacks_one_planet() {
    let scene =
        siege("09.1", OUTPOST, "PD1 F1", "CS1 CS2").marker("09.2", Some((Imperial, OUTPOST)));
    let first = |s: &Scene| acted(s) && s.localized().contains("one planet an activation");
    let done = scene.seek([&card("09.1", " B 1 1 1\nK 09.2"), ""], first);
    let bombs = done.sieges()[0].bombardment.as_ref().expect("bombs");
    assert!(bombs.factors <= 12, "{}", bombs.factors);
    assert_eq!(done.sieges().len(), 1);
}

#[test]
fn bombs_alone_end_terraforming() {
    let mut scene = siege("04.1", OUTPOST, "PD1", "CS1");
    scene.state.board.planets.get_mut(&planet("04.1")).expect("it is there").terraform = 5;
    let done = scene.seek([&card("04.1", " B"), ""], acted);
    assert_eq!(done.state.board.land(planet("04.1")).map(|l| l.terraform), Some(0));
}
