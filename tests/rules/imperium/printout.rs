//! The printout, its maps, help and rulebook (§15).

use engine::{Block, Books, Cards, Maps, Printouts};
use imperium::Imperium;

use super::scene::{Imperial, Scene, Terran, game, table, written};

fn text(scene: &Scene, side: imperium::kinds::Side) -> String {
    let report = Imperium::report(&scene.view(side), "").expect("a printout");
    let sections =
        report.sections.iter().map(|s| format!("[{}]\n{}\n", s.heading, written(&s.blocks)));
    sections.collect()
}

#[test]
fn a_printout_has_all_its_parts() {
    let scene = game(&[]).step("", "", 1);
    let print = text(&scene, Terran);
    for part in [
        "Administration",
        "Glory",
        "Resources",
        "Your fleets",
        "Your planets",
        "Star chart",
        "The Imperial side, as far as you know",
        "Standing orders",
        "Your card",
    ] {
        assert!(print.contains(&format!("[{part}]")), "{part}");
    }
    assert!(print.contains("an opening that is sound"));
    assert!(print.contains("Imperial Intervention"));
    assert!(print.contains("income 16: 10 for Sol + 6 for 6 connected Outposts"), "{print}");
}

#[test]
fn a_battle_is_a_table_for_each_round_and_an_outcome() {
    let scene =
        table().segment(1).bare().fleet(Terran, 1, 1, "CL1 TB1").fleet(Imperial, 1, 4, "CR1 DD1");
    let done = scene.seek(["SEG 1\nA 01\nM 1 04", ""], |s| {
        s.battles().first().is_some_and(|b| b.rounds.len() > 1)
    });
    let rounds = done.battles()[0].rounds.len();
    let report = Imperium::report(&done.view(Terran), "").expect("a printout");
    let section = report.sections.iter().find(|s| s.heading == "Segment 1").expect("it is told");
    let tables = section.blocks.iter().filter(|b| matches!(b, Block::Table(_))).count();
    assert!(tables > 0 && tables <= rounds, "{tables} {rounds}");
    let words = written(&section.blocks);
    assert!(words.contains("Battle at 04 Barnard's Star"));
    assert!(words.contains("Terran, moving in"), "{words}");
    assert!(words.contains("victory."), "{words}");
    assert_eq!(
        words,
        written(
            &Imperium::report(&done.view(Imperial), "")
                .expect("a printout")
                .sections
                .iter()
                .find(|s| s.heading == "Segment 1")
                .expect("it is told")
                .blocks
        ),
        "both read the same"
    );
}

#[test]
fn the_chart_shows_systems_routes_fleets_and_moves() {
    let scene = game(&[]).step("", "", 1);
    let moved =
        scene.clone().segment(1).seek(["SEG 1\nA 08\nM 4 01", ""], |s| s.at(Terran, 4) == Some(1));
    let map = imperium::picture::map(&moved.view(Terran));
    let engine::report::MapKind::Graph(graph) = &map.kind else { panic!("a graph") };
    assert_eq!((graph.nodes.len(), graph.links.len()), (45, 57));
    assert_eq!(graph.arrows, [(7, 0)]);
    let own = map.pieces.iter().filter(|p| p.holder == Some(Terran.seat()) && p.symbol == 0);
    assert_eq!(own.map(|p| p.size).collect::<Vec<_>>(), [8, 9, 4, 1]);
    let theirs = map.pieces.iter().filter(|p| p.holder == Some(Imperial.seat()) && p.symbol == 0);
    assert!(theirs.clone().count() > 3 && theirs.clone().all(|p| p.size == 0), "unknown");
    assert_eq!(map.words.len(), 45);
    let whole = Imperium::atlas(&moved.state).expect("a map");
    assert!(whole.pieces.iter().filter(|p| p.symbol == 0).all(|p| p.size > 0));
    assert!(Imperium::seen(&moved.state, Imperial.seat()).is_some());
}

#[test]
fn the_rulebook_has_the_figures_of_the_game() {
    let scene = game(&[]);
    let book = Imperium::rulebook(&scene.state);
    let text = format!("{book:?}");
    for words in [
        "B9 T8 D3 CM4 F1 M4 ×5 C24/3",
        "01 Sol".trim_start_matches("01 "),
        "Groombridge 34",
        "7: 1 / 9",
        "Z TRUCE",
    ] {
        assert!(text.contains(words), "{words}");
    }
    assert_eq!(Imperium::help(None).len(), imperium::orders::ROWS.len());
}

#[test]
fn the_opening_of_either_side_is_right_line_by_line() {
    for side in [Terran, Imperial] {
        let scene = game(&[]).step("", "", 2);
        let report = Imperium::report(&scene.view(side), "").expect("a printout");
        let card = report.sections.iter().flat_map(|s| &s.blocks).find_map(|b| match b {
            Block::Card(lines) => Some(lines.clone()),
            _ => None,
        });
        let lines = card.expect("a blank card");
        let from = lines.iter().position(|l| l.starts_with("SEG 1")).expect("a plan");
        let judged = scene.judge(side, &lines[from..].join("\n"));
        let wrong: Vec<_> = judged.lines.iter().filter(|l| l.mark == engine::Mark::Error).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}

#[test]
fn letters_reach_the_other_alone() {
    let scene = game(&[]);
    let done = scene.step("PRESS 2\nTruce?\nA 01 is no order here\nEND", "", 1);
    assert!(text(&done, Imperial).contains("Truce?"));
    assert!(!text(&done, Terran).contains("Truce?"));
    assert!(done.state.filed[0].plans.iter().all(Vec::is_empty));
}
