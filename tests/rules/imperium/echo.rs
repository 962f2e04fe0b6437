//! Each row of bad input has its answer (§14), and the echo says what a card will do (§14, §9).

use engine::{CardText, Cards, Mark};
use imperium::Imperium;
use imperium::board::Marker;
use imperium::state::{Peace, Seen, Sighting, Spotted};

use super::scene::{Imperial, Scene, Terran, game, unit, written};

fn opened() -> Scene {
    let mut scene = game(&[]).step("", "", 7);
    scene.state.board.court.talks = false;
    scene.stock(Terran, 31).stock(Imperial, 31)
}

/// The answer to a line under `SEG 1` and `A system`.
fn act(scene: &Scene, system: u8, line: &str) -> String {
    scene.told(Terran, &format!("SEG 1\nA {system:02}\n{line}")).1
}

#[test]
fn each_row_of_bad_input_has_its_answer() {
    let scene = opened();
    let terran = |line: &str| scene.told(Terran, line).1;
    let imperial = |line: &str| scene.told(Imperial, line).1;
    assert!(terran("B").contains("the form is B type number"));
    assert!(terran("FLY 1").contains("there is no such order"));
    assert_eq!(terran("A 46"), "systems are 01 to 45, not 46");
    assert_eq!(terran("A 00"), "systems are 01 to 45, not 00");
    assert_eq!(terran("T 01.3"), "01 has planets 1–2");
    assert_eq!(act(&scene, 1, "D 1 9 DD9"), "you have no DD9");
    assert_eq!(act(&scene, 1, "D 1 9 DD99"), "you have no DD99", "the same text");
    assert_eq!(act(&scene, 1, "M 55 04"), "you have no fleet 55");
    assert_eq!(imperial("B TB 1"), "Imperial shipyards build no TB");
    assert!(
        terran("B B 2").starts_with("2 B cost 40, you have 31: 1 for 20"),
        "{}",
        terran("B B 2")
    );
    let poor = scene.clone().stock(Terran, 1);
    assert_eq!(poor.told(Terran, "B B 2"), (Mark::Error, "2 B cost 40, you have 1".to_owned()));
    assert_eq!(terran("B AR 1\nB AR 1"), "all 1 AR are in being or ordered");
    assert_eq!(terran("B BB 1"), "no Dreadnoughts before a Terran Battleship has been destroyed");
    assert_eq!(imperial("B B1 1"), "B1 needs the Emperor's permission (appeal)");
    assert!(terran("P DD1 01.1").contains("not among this turn's arrivals"));
    let mut arriving = scene.clone();
    for word in ["DD11", "OP9"] {
        let place = imperium::board::Place::Arriving;
        imperium::state::add(&mut arriving.state.board, unit(Terran, word), place);
    }
    assert_eq!(arriving.told(Terran, "P DD11 04.1").1, "arrivals go to your Worlds: 01.1");
    assert_eq!(arriving.told(Terran, "P OP 01.1").1, "an Outpost arrives aboard an empty TR or AT");
    assert!(arriving.told(Terran, "P OP TR2").1.starts_with("TR2 carries OP"));
    assert_eq!(terran("T 02.1"), "only N1 and N2 planets are terraformed");
    assert!(terran("T 15.1").contains("connected Outpost of yours"));
    assert_eq!(terran("G 02.1"), "Outposts become Worlds in peace only");
    assert_eq!(terran("I F"), "only the Imperial seat appeals");
    let mut banned = scene.clone();
    banned.state.board.court.banned = true;
    assert_eq!(banned.told(Imperial, "I F").1, "no further appeals in this war");
    let nobody = scene.judge(Terran, "SEG 1\nA 12\nM 1 08");
    assert_eq!(
        (nobody.lines[1].mark, nobody.lines[1].note.as_str()),
        (Mark::Error, "no units of yours in 12")
    );
    assert!(terran("M 1 04").starts_with("which activation?"));
    let unnamed = scene.judge(Terran, "A 04\nM 2 01");
    assert_eq!(unnamed.lines[0].mark, Mark::Warning);
    assert!(unnamed.lines[0].note.starts_with("taken for segment 1"));
    assert_eq!(act(&scene, 1, "M 1 09 04"), "no route 01–09");
    let far = act(&scene, 1, "M 1 04 09 24 29");
    assert_eq!(far, "fleet 1 makes 3 jumps (AT1), 4 ordered");
    let twice = scene.told(Terran, "SEG 1\nA 04\nM 2 15\nA 15\nM 2 22").1;
    assert_eq!(twice, "fleet 2 moves in your 1st activation");
    assert_eq!(act(&scene, 1, "L TR4 M1"), "monitors stay in their box");
    assert_eq!(
        act(&scene, 1, "L TR1 RT1"),
        format!("TR1 carries {}", {
            let board = &scene.state.board;
            let aboard = board.aboard(unit(Terran, "TR1")).next().expect("cargo");
            aboard.name
        })
    );
    assert_eq!(act(&scene, 1, "K 01.1"), "nothing to attack on 01.1");
    let two = scene
        .clone()
        .marker("09.1", Some((Imperial, Marker::Outpost)))
        .marker("09.2", Some((Imperial, Marker::Outpost)))
        .fleet(Terran, 9, 9, "DD9");
    assert_eq!(act(&two, 9, "K 09.1\nK 09.2"), "one planet an activation");
    assert_eq!(act(&scene, 1, "H RT1 2"), "H goes with K of the same block, below it");
    assert_eq!(act(&two, 9, "K 09.1\nNF 15"), "09.1 has hexes 1–12");
    assert_eq!(scene.told(Imperial, "J 09.1 PD2 13").1, "09.1 has hexes 1–12");
    assert!(act(&scene, 1, "S 1 BACK").contains("not in open space"));
    assert_eq!(terran("F DD1"), "as things stand DD1 is not damaged");
    let hurt = scene.clone().fleet(Terran, 9, 25, "DD9").damaged(Terran, "DD9");
    assert!(hurt.told(Terran, "F DD9").1.contains("at no World or Outpost of yours"));
    assert!(terran("F F1+F2").contains("not both reduced"));
    assert!(terran("X DD1").contains("is not damaged"));
    let mut peace = scene.clone();
    peace.state.peace = Some(Peace { turn: 1, of: 5 });
    assert_eq!(act(&peace, 4, "M 2 09"), "it is peace: 09 holds enemies");
    assert_eq!(act(&peace, 4, "E"), "it is peace");
    let mut talks = scene.clone();
    talks.state.board.court.talks = true;
    assert_eq!(act(&talks, 4, "E"), "Peace Talks this turn: nobody attacks");
    assert!(terran("A 04 IF X9").contains("conditions are E09, O04"));
    assert_eq!(terran("HALT"), "HALT needs a condition: HALT IF E01");
    let halts = scene.judge(Terran, "SEG 1\nHALT IF E01\nHALT IF E04");
    assert_eq!(halts.lines[2].mark, Mark::Remark);
    let late = opened().clone().segment(2).told(Terran, "B DD 1").1;
    assert_eq!(late, "it comes with the first card of a turn");
}

#[test]
fn wrong_forms_show_the_right_one() {
    let scene = opened();
    for row in imperium::orders::ROWS {
        let word = row.word.split(' ').next().expect("a word");
        if ["E", "WAIT", "IF", "PRESS", "HALT", "Z"].contains(&word) {
            continue;
        }
        let (mark, note) = scene.told(Terran, &format!("{word} ??"));
        assert_eq!(mark, Mark::Error, "{word}: {note}");
        let right = note.contains("the form is")
            || note.contains("such as")
            || note.contains("not ??")
            || note.contains("segments are")
            || note.contains("there is no type");
        assert!(right, "{word}: {note}");
    }
}

#[test]
fn every_example_of_the_help_is_read() {
    let scene = opened();
    for row in imperium::orders::ROWS {
        for example in row.examples.iter().filter(|_| row.word != "PRESS") {
            let side = if ["B", "IF"].contains(&row.word) || !["I", "W", "O"].contains(&row.word) {
                Terran
            } else {
                Imperial
            };
            let read = imperium::orders::read(&scene.state.board, side, &CardText::new(example));
            assert!(read[0].read.is_ok(), "{example}: {:?}", read[0].read);
            assert!(Imperium::starts_order(example), "{example}");
        }
    }
    for prose in [
        "Engage them soon!",
        "All the best",
        "K. Ilka",
        "P.S. see you",
        "A big hello",
        "Move on",
        "Halt them",
        "Wait for me",
        "B well",
        "In peace",
        "Press on with the attack",
        "Z",
    ] {
        assert!(!Imperium::starts_order(prose), "{prose}");
    }
}

#[test]
fn units_and_types_are_told_apart() {
    use imperium::kinds::Name;
    let name = |w: &str, side| Name::read(w, side).map(|n| n.to_string());
    assert_eq!(name("dd7", Terran).as_deref(), Some("DD7"));
    assert_eq!(name("LC2", Terran).as_deref(), Some("CL2"));
    assert_eq!(name("B1", Terran).as_deref(), Some("B1"), "the first Battleship");
    assert_eq!(name("B-1", Terran).as_deref(), Some("B1"));
    assert_eq!(name("B1", Imperial), None);
    assert_eq!(name("B1-3", Imperial).as_deref(), Some("B1-3"));
    assert_eq!(name("B23", Imperial).as_deref(), Some("B2-3"));
}

#[test]
fn a_plan_is_told_back_in_words_with_what_holds_now() {
    let scene = opened();
    let card = "SEG 1\nA 04 IF E33\nM 2 01\nA 04\nD 2 7 SC2\nM 7 09\nWAIT\nHALT IF E01";
    let judged = scene.judge(Terran, card);
    let text: String = judged
        .forecast
        .iter()
        .flat_map(|s| {
            let lines = s.blocks.iter().filter_map(|b| match b {
                engine::Block::List(lines) => Some(lines.clone()),
                _ => None,
            });
            lines.flatten().collect::<Vec<_>>()
        })
        .flat_map(|l| l.0)
        .map(|s| written(&s) + "\n")
        .collect();
    for words in [
        "if an enemy fleet is in 33 Dingir (so now): in 04 Barnard's Star: fleet 2 moves to 01 Sol",
        "SC2 leave fleet 2 as fleet 7; fleet 7 moves to 09 Nusku",
        "pass once",
        "halt the segment",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    let scouts = &judged.lines[5].note;
    assert!(
        scouts.contains("1 of 5 jumps") && scouts.contains("undetected in 33 of 36"),
        "{scouts}"
    );
}

#[test]
fn the_sketch_of_a_card_has_an_arrow_for_each_jump_of_a_right_move() {
    let scene = opened();
    let sketch = |card: &str| {
        let map = Imperium::sketch(&scene.view(Terran), &CardText::new(card))?;
        let engine::report::MapKind::Graph(graph) = map.kind else { panic!("a graph") };
        let name = |n: usize| graph.nodes[n].id.clone();
        Some(graph.arrows.iter().map(|(a, b)| (name(*a), name(*b))).collect::<Vec<_>>())
    };
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    let moves = sketch("SEG 1\nA 04\nM 2 09 24\nA 01\nM 1 35").expect("one is right");
    assert_eq!(moves, [pair("04", "09"), pair("09", "24")]);
    assert_eq!(sketch("B DD 1"), None, "nothing moves");
}

#[test]
fn odds_are_told_of_what_is_known_alone() {
    let mut scene = opened();
    let card = "SEG 1\nA 04\nM 2 09";
    let odds = |scene: &Scene| {
        let judged = scene.judge(Terran, card);
        let section = judged.forecast.iter().find(|s| s.heading.starts_with("Battles")).cloned();
        written(&section)
    };
    assert!(odds(&scene).contains("not all that is there is known"), "{}", odds(&scene));
    let seen = |kind, n| Seen { kind, n, damaged: false };
    let units = vec![seen(imperium::kinds::Kind::CR, 1), seen(imperium::kinds::Kind::DD, 1)];
    scene.state.known[0].insert(Spotted::Fleet(1), Sighting { turn: 1, units });
    let told = odds(&scene);
    assert!(told.contains("battles on paper") && told.contains("of 100"), "{told}");
    assert_eq!(odds(&scene), told, "the same each time");
}

#[test]
fn the_echo_tells_what_maintenance_will_cost() {
    let scene = opened();
    let judged = scene.judge(Terran, "B DD 1");
    let text = written(&judged.forecast);
    assert!(text.contains("Stockpile 31, 5 spent, 26 left."), "{text}");
    assert!(text.contains("Maintenance takes") && text.contains("Bases give"), "{text}");
}

#[test]
fn a_hidden_fleet_is_never_told_by_the_echo() {
    let scene = opened();
    let card = "SEG 1\nA 04\nM 2 09 24\nE\nA 01\nM 1 04";
    let before = format!("{:?}", scene.judge(Terran, card));
    let mut other = scene.clone();
    other.state.board.units.retain(|id, u| {
        id.side == Terran || !matches!(u.place, imperium::board::Place::Fleet(1)) || id.name.n != 1
    });
    let ships = other.state.board.ships(Imperial, 1).count();
    assert!(ships < scene.state.board.ships(Imperial, 1).count() && ships > 0);
    assert_eq!(format!("{:?}", other.judge(Terran, card)), before);
}

#[test]
fn limits_have_an_answer() {
    let scene = opened();
    let long = "Y K 1\n".repeat(301);
    assert_eq!(scene.told(Terran, &long), (Mark::Error, "a card has at most 300 lines".to_owned()));
    let blocks = "SEG 1\n".to_owned() + &"WAIT\n".repeat(41);
    assert_eq!(scene.told(Terran, &blocks).1, "a segment has at most 40 blocks");
}

#[test]
fn orders_below_a_wrong_line_are_not_done_elsewhere() {
    let scene = opened();
    let judged = scene.judge(Terran, "SEG 1\nA 04\nM 2 01\nA 99\nM 1 04");
    assert!([3, 4].iter().all(|n| judged.lines[*n].mark == Mark::Error));
    assert!(judged.lines[4].note.contains("the line above"), "{}", judged.lines[4].note);
    let judged = scene.judge(Terran, "SEG 9\nA 01\nM 1 04");
    assert!(judged.lines.iter().all(|l| l.mark == Mark::Error));
    assert!(Imperium::starts_order("PRESS 2"), "a letter is an order");
}
