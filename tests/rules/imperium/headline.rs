//! §15: the first sentences of a printout.

use engine::report::Line;
use engine::trial::{Trial, TrialOf};
use engine::{Headlines, Printouts, Rules, Seat, Setup};
use imperium::Imperium;
use imperium::board::{Marker, Spot};
use imperium::event::{Event, Part, What};
use imperium::galaxy::System;
use imperium::state::{End, Stage, State, Why};
use render::text::flat;

use crate::scene::{Imperial, Scene, Terran, game, table};
use crate::told::{self, Court, Kind, fit, lines};

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
    // The loser's headline names the defeat before anything else.
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
        what: What::Glory("a planet".into(), -2, 3),
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

/// Kinds of sentences, and the words of the body for each.
const KINDS: &[Kind] = &[
    Kind("The war ends as a truce: nobody has won.", &["The war ends as a truce: nobody has won."]),
    Kind(
        "The {whose} side ({who}) has won, by Glory.",
        &["{whose} victory, by Glory: {who} has won."],
    ),
    Kind(
        "The {whose} side ({who}) has won, for the enemy's homes are taken.",
        &["{whose} victory, the enemy's homes are taken: {who} has won."],
    ),
    Kind(
        "The {whose} side ({who}) has won, for the other has given up.",
        &["{whose} victory, the other has given up: {who} has won."],
    ),
    Kind(
        "The {whose} side ({who}) has won, at the end of the last turn.",
        &["{whose} victory, at the end of the last turn: {who} has won."],
    ),
    Kind("You have won this game.", &["* victory, *: * has won."]),
    Kind("You have lost this game.", &["* victory, *: * has won."]),
    Kind("The battle {at} goes on.", &["Battle *The battle goes on."]),
    Kind(
        "You lost the battle at {name} ({n}): you lost {own} Resource{s}, they lost {other}.",
        &[
            "Battle at {n} {name}*resources lost: {own} *resources lost: {other} *victory.*",
            "Battle at {n} {name}*resources lost: {other} *resources lost: {own} *victory.*",
        ],
    ),
    Kind(
        "You won the battle at {name} ({n}): they lost {other} Resource{t}, you lost {own}.",
        &[
            "Battle at {n} {name}*resources lost: {own} *resources lost: {other} *victory.*",
            "Battle at {n} {name}*resources lost: {other} *resources lost: {own} *victory.*",
        ],
    ),
    Kind("You lost the battle in open space: {how}.", &["Battle in open space*victory.*"]),
    Kind("You won the battle in open space: {how}.", &["Battle in open space*victory.*"]),
    Kind("You left {name} ({planet}).", &["* units leave {planet} (*"]),
    Kind("The {side} side left {name} ({planet}).", &["{side} units leave {planet} (*"]),
    Kind("The fight for {name} ({planet}) goes on.", &["{planet} (*The planet is disputed."]),
    Kind(
        "You attacked {name} ({planet}) in vain.",
        &[
            "{planet} (*Of the attackers nobody is left.",
            "{planet} (*The fight for the planet is over.",
            "{planet} (*Nobody landed.",
        ],
    ),
    Kind(
        "You held {name} ({planet}) against an attack.",
        &[
            "{planet} (*Of the attackers nobody is left.",
            "{planet} (*The fight for the planet is over.",
            "{planet} (*Nobody landed.",
        ],
    ),
    Kind("You won the fight for {name} ({planet}).", &["{planet} (*The attackers alone are left."]),
    Kind(
        "You lost the fight for {name} ({planet}).",
        &["{planet} (*The attackers alone are left."],
    ),
    Kind("You bombarded {name} ({planet}).", &["{planet} (*Nobody landed."]),
    Kind(
        "The {side} side bombarded {name} ({planet}).",
        &["{planet} (*{side}, attacking*Nobody landed."],
    ),
    Kind("You lost {planets*} to the {side} side.", &["{side} captures the * on {planets*}."]),
    Kind("You took {planets*} from the {side} side.", &["* captures the {side} * on {planets*}."]),
    Kind("The enemy wrote to you.", &["From *"]),
    Kind("The enemy moved to {systems*}.", &["* fleet* {systems*} *"]),
    Kind("Glory went from {before} to {after}.", &["Glory *: it is {after} now."]),
    Kind(
        "You are the {side} side and hold {w} World{s} and {o} Outpost{t}, with {n} fleet{u}.",
        &[],
    ),
    Kind("The {side} side holds {w} World{s} and {o} Outpost{t}.", &[]),
    Kind("Glory begins at {n}; first place your forces.", &["*Glory is {n}.*"]),
    Kind(
        "Glory is {n}.",
        &[
            "*Glory is {n}*",
            "*Glory will begin at {n}.*",
            "*it is {n}*",
            "* victory, *",
            "The war ends *",
        ],
    ),
    // Ends of turns and wars are the same sentence in both.
    Kind("{said}", &["{said}"]),
];

/// Checks the printouts of both seats, and the holders of captured planets.
fn hold(court: &mut Court, state: &State, events: &[Event], whose: &str) {
    for seat in [Seat(1), Seat(2)] {
        let view = Imperium::view(state, events, seat);
        let Some(report) = Imperium::report(&view, "") else { continue };
        let headline = Imperium::headline(&view).sentences;
        court.hold(&headline, &lines(&report), &format!("{whose}, seat {seat}"));
    }
    for line in Imperium::chronicle(state, events) {
        let said = told::flat(&line);
        if let Some(texts) = fit("The {by} side took {planets} from the {of} side.", &said) {
            let said = format!("{} captures the {} ", texts["by"], texts["of"]);
            let captured =
                |e: &Event| matches!(&e.what, What::Said(s) if s.localized().starts_with(&said));
            assert!(events.iter().any(captured), "{texts:?}");
        }
    }
}

/// Wars of computers with each printout checked.
fn wars(court: &mut Court) {
    type Case<'a> = (&'a [(&'a str, &'a str)], u64, u32);
    let cases: [Case; 3] = [
        (&[], 1, 40),
        (&[("tempo", "turn")], 21, 12),
        (&[("battle", "round"), ("battle_ask", "20")], 22, 40),
    ];
    for (options, seed, most) in cases {
        let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let setup = Setup { seats: 2, options, ..Setup::default() };
        let mut trial = TrialOf::<Imperium>::new(&setup, seed).expect("a game");
        for step in 1..=most {
            if trial.result().is_some() {
                break;
            }
            trial.write_cards();
            trial.step();
            hold(court, trial.state(), trial.events(), &format!("war {seed}, step {step}"));
        }
    }
}

/// A Terran fleet off an Imperial outpost, or off a planet of nobody.
fn siege(at: &str, marker: bool, defenders: &str, ships: &str) -> Scene {
    let scene = table().segment(1).bare();
    let scene = if marker { scene.marker(at, Some((Imperial, Marker::Outpost))) } else { scene };
    let scene = if defenders.is_empty() { scene } else { scene.on(Imperial, at, defenders) };
    scene.fleet(Terran, 1, crate::scene::planet(at).system.0, ships)
}

/// Scenes that are rare in wars of computers.
fn scenes(court: &mut Court) {
    let card = |rest: &str| format!("SEG 1\nA 24\nK 24.1{rest}");
    let troops = "BB1 AT1(JT1) TR1(RT1)";
    for (marker, defenders, ships, rest) in [
        (true, "PD1 F1", "BB1 BB2", " B"),
        (true, "RT1 RT2", troops, "\nH JT1 1\nH RT1 9"),
        (true, "", troops, ""),
        (true, "PD1 PD2 PD3 F1 F2", "BB1 TR1(JT1)", "\nH JT1 9"),
    ] {
        let scene = siege("24.1", marker, defenders, ships);
        for seed in 1..40 {
            let done = scene.step(&card(rest), "", seed);
            hold(court, &done.state, &done.events, &format!("{defenders}/{ships}, {seed}"));
        }
    }
    // A free planet, with a few units that are already damaged.
    let many = "AT1(JT1) TR1(RT1) TR2(RT2) TR3(RT3)";
    let weak = siege("24.1", false, "JT1", many).damaged(Imperial, "JT1");
    let won = |s: &Scene| s.sieges().iter().any(|b| b.left().all(|id| id.side == Terran));
    let all = "\nH JT1 1\nH RT1 1\nH RT2 1\nH RT3 1";
    let won = weak.seek([&card(all), ""], |s| !s.sieges().is_empty() && won(s));
    hold(court, &won.state, &won.events, "a planet of nobody");
    let gone = table()
        .segment(2)
        .marker("24.1", Some((Imperial, Marker::Outpost)))
        .hex(Terran, "24.1", 1, "RT1 F1")
        .hex(Imperial, "24.1", 2, "PD1 PD2")
        .fleet(Terran, 1, 24, "TR1 TR2");
    let gone = gone.seek(["SEG 2\nA 24\nV RT1 TR1\nV F1 TR2", ""], |s| !s.sieges().is_empty());
    hold(court, &gone.state, &gone.events, "evacuated");
    let mut fleets = table().segment(1).bare().fleet(Terran, 1, 1, "BB1 BB2");
    fleets = fleets.fleet(Imperial, 1, 4, "BB1");
    fleets.state.options.battle_rounds = true;
    for seed in 1..20 {
        let done = fleets.step("SEG 1\nA 01\nM 1 04", "PRESS 1\nWell met.\nEND", seed);
        hold(court, &done.state, &done.events, &format!("fleets, {seed}"));
        // The same between two systems.
        let mut lane = done.clone();
        for event in &mut lane.events {
            if let What::Battle(story) = &mut event.what {
                let (from, to) = (System(1), System(4));
                story.spot = Spot::Lane { from, to, k: 1, origin: from };
            }
        }
        hold(court, &lane.state, &lane.events, &format!("a lane, {seed}"));
    }
    let ends = [
        (None, Why::Truce),
        (Some(Terran), Why::Glory),
        (Some(Imperial), Why::Homes),
        (Some(Terran), Why::Left),
        (Some(Imperial), Why::Turns),
    ];
    for (winner, why) in ends {
        let mut over = table();
        over.state.stage = Stage::Over(End { winner, why });
        hold(court, &over.state, &[], "the end");
    }
    let begun = game(&[]);
    hold(court, &begun.state, &begun.events, "the set-up");
    hold(court, &table().state, &[], "a quiet step");
}

#[test]
fn every_kind_of_sentence_is_told_by_the_body_too() {
    let mut court = Court::new(KINDS);
    wars(&mut court);
    scenes(&mut court);
    court.close();
}

#[test]
fn who_lands_again_on_its_own_planet_and_is_beaten_has_lost_it() {
    use imperium::ground::Story;
    let mut scene = table();
    let story = Story {
        // The Imperial side renewed the fight for its outpost, and is gone.
        captured: Some((Imperial, Marker::Outpost)),
        ..Story::new(crate::scene::planet("24.1"), Imperial)
    };
    let what = What::Ground(Box::new(story));
    scene.events.push(Event { part: Part::Segment(1), to: None, what });
    assert!(first(&scene, 1)[0].starts_with("You took "), "{:?}", first(&scene, 1));
    assert!(first(&scene, 2)[0].starts_with("You lost "), "{:?}", first(&scene, 2));
}
