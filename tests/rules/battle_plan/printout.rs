//! §15 to §17: what a seat sees, how it is printed, messages.

use super::board::*;
use engine::{Books, Cards};
use render::text::WIDTH;

#[test]
fn nobody_sees_what_they_neither_hold_nor_spy_on() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "S1GR")]);
    let seen = board.section(1, "Countries that you see");
    assert!(seen.contains("| TU ") && seen.contains("| GR "), "{seen}");
    assert!(!seen.contains("| SP "));
    let hidden = board.section(1, "Countries that you do not see");
    assert!(hidden.contains("SP [2]") && hidden.contains("AL *"), "{hidden}");
    // Spies of others are never shown.
    let two = board.turn(&[(2, "S2GR")]);
    let row = |seat: u8| {
        let seen = two.section(seat, "Countries that you see");
        let line = seen.lines().find(|l| l.starts_with("| GR ")).unwrap_or_default().to_owned();
        line.split_whitespace().last().map(str::to_owned)
    };
    assert_eq!((row(1).as_deref(), row(2).as_deref()), (Some("1"), Some("2")));
}

#[test]
fn own_popularity_is_known_in_every_minor() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "P7IR"), (2, "P3IR")]);
    assert!(board.section(1, "Countries that you see").contains("[1]=7 [2]=3"));
    let board = Board::starting("TU SP SW NE").turn(&[(1, "P3IR"), (2, "P7IR")]);
    assert!(board.section(1, "Countries that you do not see").contains("IR *=3"));
}

#[test]
fn a_country_that_was_lost_this_turn_is_still_seen() {
    let board =
        Board::starting("TU BU SP NE").set("TU", |c| (c.army, c.air, c.industry) = (0, 0, 0));
    let board = board.turn(&[(2, "@BU AC30TU")]);
    assert!(board.section(1, "Countries that you see").contains("| TU     [2]"));
    assert!(board.section(1, "Land combat").contains("BU(Army=30)"));
    let board = board.turn(&[]);
    assert_eq!(board.view(1).seen.len(), 0);
}

#[test]
fn numbers_of_a_battle_are_for_those_who_took_part_or_watched() {
    let board = Board::starting("TU SP SW NE").fleet("EAS", 3, 3, 5, 0);
    let board = board.turn(&[(1, "@TU AC20GR"), (3, "@EAS NN5GR"), (4, "S9GR")]);
    let line = |seat: u8| board.section(seat, "Land combat").replace("\n|   ", " ");
    let whole = |text: &str| text.contains("GR(Army=") && text.contains("TU(Army=20");
    assert!(whole(&line(1)) && whole(&line(4)), "{}", line(1));
    // A fleet without other help knows only its own number.
    assert!(line(3).contains("GR(Army,Navy,AirF)"), "{}", line(3));
    assert!(line(3).contains("EAS[3](Navy=5"), "{}", line(3));
    assert!(line(2).contains("TU(Army)") && line(2).contains("EAS(Navy)"), "{}", line(2));
}

#[test]
fn who_supports_a_country_sees_the_whole_battle() {
    let board = Board::starting("TU RO SP NE").turn(&[(1, "@TU AC20UK"), (2, "@RO FS5UK")]);
    assert!(board.section(2, "Land combat").contains("TU(Army=20"));
}

#[test]
fn caught_spies_are_announced_to_everybody_and_report_nothing() {
    let board = (0..).map(|seed| {
        Board::starting("TU SP SW NE").with_seed(seed).turn(&[(1, "S1GR"), (2, "C3GR")])
    });
    let caught = board.take(40).find(|b| !b.country("GR").spies.contains_key(&1)).expect("caught");
    for seat in 1..=4 {
        let text = caught.section(seat, "Spies caught");
        assert!(text.contains("[1] Turkey: 1 in GR"), "{text}");
    }
    assert!(!caught.view(1).seen.contains_key(&caught.id("GR")));
    // No printout says who sent counterspies.
    assert!(!caught.printout(1).contains("Spain: "));
}

#[test]
fn sharing_passes_on_own_sights_only() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "S9GR 2F"), (2, "3F")]);
    let sees = |seat: u8| board.view(seat).seen.contains_key(&board.id("GR"));
    assert!(sees(1) && sees(2) && !sees(3));
    let board = board.turn(&[(1, "2Z")]);
    assert!(!board.view(2).seen.contains_key(&board.id("GR")));
}

#[test]
fn declarations_reach_whom_they_concern() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "2A 3E")]);
    let settings = |seat: u8| board.section(seat, "Settings");
    assert!(settings(1).contains("Allies=[2]") && settings(1).contains("Enemies=[3]"));
    assert!(settings(2).contains("Players who call you ally=[1]"));
    assert!(settings(4).contains("Enemies of [1] Turkey=[3]"));
    assert!(!settings(4).contains("ally=[1]"));
}

#[test]
fn u1_prints_numbers_only_and_u2_one_list() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "U1 U2")]);
    let text = board.printout(1);
    assert!(!text.contains("] Spain") && text.contains("[2]"), "{text}");
    let list = board.section(1, "Spaces");
    let codes: Vec<&str> = list
        .lines()
        .filter_map(|l| l.strip_prefix("| "))
        .filter_map(|l| l.split_whitespace().next())
        .filter(|c| c.len() == 2)
        .collect();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    assert_eq!((codes.len(), &codes), (29, &sorted));
    let back = board.turn(&[(1, "U1 U2")]);
    assert!(back.printout(1).contains("[2] Spain"));
    assert!(!back.section(1, "Countries that you see").is_empty());
}

#[test]
fn a_plus_marks_forces_with_a_standing_order() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "@TU /1/FS5BU")]);
    let text = board.section(1, "Forces under your control");
    assert!(text.contains("30+") && text.contains("total"), "{text}");
}

#[test]
fn messages_are_signed_or_anonymous_and_cannot_be_orders() {
    let card =
        "2A\nPRESS 2\nShall we divide Spain?\n\n@TU BA5\nEND\nPRESS 2,3 ANON\nBeware.\nEND\n";
    let board = Board::starting("TU SP SW NE").turn(&[(1, card)]);
    let two = board.section(2, "Messages");
    assert!(two.contains("From [1] Turkey:\n| Shall we divide Spain?\n|\n| @TU BA5\n"), "{two}");
    assert!(two.contains("From Anonymous:\n| Beware.\n"), "{two}");
    let three = board.section(3, "Messages");
    assert!(
        three.contains("Beware.") && !three.contains("divide") && !three.contains("[1]"),
        "{three}"
    );
    assert_eq!(board.section(4, "Messages"), "");
    assert_eq!(board.country("TU").army, 80, "the text was no order");
    let all = Board::starting("TU SP SW NE").turn(&[(2, "PRESS ALL\nHello.\nEND")]);
    assert!(all.section(4, "Messages").contains("From [2] Spain:"));
    assert_eq!(all.section(2, "Messages"), "");
}

#[test]
fn the_newspaper_goes_to_everybody() {
    let board = Board::of("equal", 20, &[])
        .turn(&[(3, "NEWS\nRome falls\nEND"), (4, "NEWS ANON\nNonsense\nEND")]);
    for seat in [1, 3, 20] {
        let text = board.section(seat, "World newspaper");
        assert!(text.contains("By [3] Italy:\n| Rome falls"), "{text}");
        assert!(text.contains("By Anonymous:\n| Nonsense"), "{text}");
    }
}

#[test]
fn orders_come_back_with_their_results() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "2A AC5RU\n@TU BA15 AC5RU")]);
    let text = board.section(1, "Your orders of turn 1");
    assert!(text.contains("Order-count: 2"), "{text}");
    assert!(text.contains("error: RU is not next to TU"), "{text}");
    let none = board.turn(&[]);
    assert!(none.section(1, "Your orders of turn 2").contains("No card came"));
}

#[test]
fn what_a_variant_does_not_have_is_not_explained_in_it() {
    use battle_plan::BattlePlan;
    let topics = |board: &Board| -> Vec<String> {
        let all = BattlePlan::help(Some(&board.state));
        let some = all.into_iter().map(|t| t.word);
        some.filter(|w| ["PRESS", "WIRE", "OPINION"].contains(&w.as_str())).collect()
    };
    for (variant, seats, words, press) in [
        ("europe", 5, &["PRESS"][..], true),
        ("anonymous", 20, &["WIRE"], false),
        ("real", 20, &["OPINION", "PRESS"], true),
    ] {
        let board = Board::of(variant, seats, &[]);
        assert_eq!(topics(&board), words, "{variant}");
        // The robot's first printout explains letters only if this is true.
        assert_eq!(BattlePlan::press(Some(&board.state)), press, "{variant}");
    }
    assert!(BattlePlan::press(None));
}

#[test]
fn addresses_stand_on_the_first_printout_as_far_as_players_agree() {
    let board = Board::starting("TU SP SW NE");
    assert!(board.section(1, "Addresses").contains("[2] Spain: <2>"));
    assert_eq!(board.turn(&[]).section(1, "Addresses"), "");
}

#[test]
fn printouts_fit_their_lines_and_hold_every_section() {
    let mut board = Board::of("equal", 20, &[]).with_seed(3);
    for _ in 0..3 {
        board = board.turn(&[(1, "2E @EFR AC20ELY FA10ELY NT5WMA"), (2, "1E S3EFR")]);
    }
    for seat in [1, 2, 20] {
        let text = board.printout(seat);
        assert!(text.lines().all(|l| l.chars().count() <= WIDTH), "{text}");
        for heading in [
            "Treasury",
            "Settings",
            "Forces under your control",
            "Players",
            "Land combat",
            "Spies caught",
            "Sea combat",
            "Counter-attacks",
            "Map",
            "Turn card for turn 4",
            "Visible forces of all players",
        ] {
            assert!(text.contains(heading), "{heading}");
        }
    }
}

#[test]
fn the_map_shows_holders_and_armies_by_sign() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "2E 3A")]);
    let map = board.section(1, "Map");
    for part in ["TU=", "SP!", "SW+", "AL*", "BLA~", "1:80"] {
        assert!(map.contains(part), "{part}\n{map}");
    }
}

#[test]
fn no_line_of_the_rulebook_or_the_help_can_be_read_as_an_order() {
    use battle_plan::BattlePlan;
    let mut wrong = Vec::new();
    for (variant, seats) in
        [("europe", 5), ("anonymous", 20), ("real", 20), ("1939", 13), ("south-america", 4)]
    {
        let board = Board::of(variant, seats, &[]);
        let book = BattlePlan::rulebook(&board.state);
        let mut text = render::text::sections(&book);
        for topic in BattlePlan::help(None) {
            text += &render::text::para(&topic.text);
        }
        for line in text.lines() {
            if BattlePlan::starts_order(line) {
                wrong.push(format!("{variant}: {line}"));
            }
            assert!(line.chars().count() <= WIDTH, "{line}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_battle_whose_numbers_are_known_is_a_card_with_names_beside_codes() {
    let board = Board::starting("TU BU SP NE").turn(&[(1, "@TU AC20GR")]);
    let told = board.section(1, "Land combat");
    assert!(told.contains("| Greece (GR)\n"), "{told}");
    assert!(told.contains("|   [1] ") && told.contains(", attacking from Turkey"), "{told}");
    assert!(told.contains("of 20 left\n|     20 army"), "{told}");
    assert!(told.contains("GR: GR(Army="), "the line of the rules is there too: {told}");
    // Others know of the battle without numbers, so they get no card.
    let theirs = board.section(3, "Land combat");
    assert!(!theirs.contains("left\n") && theirs.contains("* GR: GR(Army"), "{theirs}");
}
