//! The map: systems, routes, lanes, hexes, connection (§3).

use imperium::board::{Control, Marker};
use imperium::galaxy::{EMBEDDED, Galaxy, System, hexes_touch};
use sha2::{Digest, Sha256};

use super::scene::{Imperial, Terran, game, planet, table};

#[test]
fn routes_are_those_of_the_specification() {
    let galaxy = Galaxy::read(EMBEDDED).expect("the map");
    let mut lines = Vec::new();
    for a in galaxy.all() {
        lines.extend(galaxy.near(a).filter(|b| a < *b).map(|b| format!("{a} {b}\n")));
    }
    lines.sort();
    assert_eq!((galaxy.systems.len(), lines.len()), (45, 57));
    let digest = Sha256::digest(lines.concat().as_bytes());
    let hex: String = digest.iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(hex, "8b3c292419b49f3024bb4fb1e3399e320bebbc9639f9e9ff5d4335efa02210b7");
    let longest = galaxy.all().flat_map(|s| galaxy.jumps([s], |_| true)).flatten().max();
    assert_eq!(longest, Some(9));
    for home in [33, 35, 38] {
        let path = galaxy.path(System(1), System(home)).expect("a way");
        assert_eq!(path.len(), 4, "{home}");
    }
}

#[test]
fn systems_on_the_chart_have_a_place_each() {
    let galaxy = Galaxy::read(EMBEDDED).expect("the map");
    let mut places: Vec<[u16; 2]> = galaxy.systems.iter().map(|r| r.at).collect();
    places.sort_unstable();
    places.dedup();
    assert_eq!(places.len(), 45);
}

#[test]
fn lanes_are_as_long_as_told() {
    let galaxy = Galaxy::read(EMBEDDED).expect("the map");
    let lane = |a, b| galaxy.lane(System(a), System(b));
    assert_eq!((lane(1, 2), lane(1, 4), lane(9, 33)), (Some(3), Some(4), Some(7)));
    assert_eq!(lane(2, 3), Some(1), "one place, and still a hex");
}

#[test]
fn hexes_of_the_spiral_touch_as_told() {
    for ring in 2..=7 {
        assert!(hexes_touch(1, ring));
    }
    assert!(!hexes_touch(1, 8));
    assert!(hexes_touch(8, 9) && hexes_touch(7, 2) && !hexes_touch(8, 14));
    let near = |a: u8| (1..=19).filter(|b| hexes_touch(a, *b)).count();
    assert_eq!((near(1), near(8), near(13)), (6, 3, 4));
}

#[test]
fn control_follows_markers_units_and_disputes() {
    let scene = table().bare();
    let control = |s: &super::scene::Scene| s.state.board.control(planet("19.1"));
    assert_eq!(control(&scene), Control::Nobody);
    let units = scene.clone().on(Terran, "19.1", "RT1");
    assert_eq!(control(&units), Control::Held(Terran));
    let marked = scene.clone().marker("19.1", Some((Imperial, Marker::Outpost)));
    assert_eq!(control(&marked), Control::Held(Imperial));
    let both = marked.hex(Terran, "19.1", 1, "RT1").hex(Imperial, "19.1", 2, "RT1");
    assert_eq!(control(&both), Control::Disputed);
}

#[test]
fn enemy_fleets_cut_connections_and_monitors_do_not() {
    let scene = table();
    let linked = |s: &super::scene::Scene| imperium::supply::connected(&s.state.board, Terran)[9];
    assert!(linked(&scene));
    assert!(linked(&scene.clone().on(Imperial, "10.1", "M1")));
    let cut = scene.fleet(Imperial, 1, 10, "SC1");
    assert!(!linked(&cut), "both ends count");
}

#[test]
fn the_first_war_begins_as_told() {
    let scene = game(&[]);
    let board = &scene.state.board;
    let ships = |side| board.of(side).filter(|(id, _)| board.class(*id).sails()).count();
    assert_eq!((ships(Terran), ships(Imperial)), (22, 19));
    assert_eq!(board.held(Terran, Marker::Outpost).len(), 6);
    assert_eq!(board.held(Imperial, Marker::Outpost).len(), 7);
    assert_eq!(board.purses.each_ref().map(|p| p.stock), [15, 15]);
    assert_eq!((scene.state.glory, scene.state.year), (5, 2113));
}

#[test]
fn the_set_up_places_what_a_seat_has() {
    let scene = game(&[]);
    let done = scene.step("P DD1 04.1 2\nP PD1 02.1\nP DD2 09.1", "", 1);
    assert_eq!(done.state.board.fleet_of(super::scene::unit(Terran, "DD1")), Some(2));
    assert_eq!(done.state.board.on(Terran, planet("02.1")).count(), 2);
    assert!(
        done.localized().contains("09.1 is no World or Outpost of yours"),
        "{}",
        done.localized()
    );
    assert_eq!(done.state.turn, 1);
}

#[test]
fn options_and_files_that_make_no_sense_are_named() {
    use engine::{Dice, Rules, Setup};
    let refused = |k: &str, v: &str| {
        let options = [(k.to_owned(), v.to_owned())].into();
        let setup = Setup { seats: 2, options, ..Setup::default() };
        imperium::Imperium::new_game(&setup, &mut Dice::new(1)).err().unwrap_or_default().concat()
    };
    assert_eq!(refused("tempo", "fast"), "tempo is segment, activation or turn, not \"fast\"");
    assert!(refused("halts_max", "20").contains("a number from 0 to 9"));
    assert!(refused("computers", "best").contains("easy, normal or hard"));
    let data = [("map.toml".to_owned(), EMBEDDED.replacen("routes = [1, 3]", "routes = [1]", 1))];
    let setup = Setup { seats: 2, data: data.into(), ..Setup::default() };
    let faults = imperium::Imperium::new_game(&setup, &mut Dice::new(1)).err().unwrap_or_default();
    assert!(faults.concat().contains("no route leads back"), "{faults:?}");
}
