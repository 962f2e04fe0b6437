//! Explanations in a printout: changes by cause, codes and ranges, points so far.

use super::board::*;
use battle_plan::points::{points_so_far, victory_points};
use engine::Cards;

/// The lines of `What changed`, unwrapped.
fn changed(board: &Board, seat: u8) -> String {
    board.section(seat, "What changed").replace("\n  ", " ")
}

fn tells(board: &Board, seat: u8, words: &str) {
    let told = changed(board, seat);
    assert!(told.contains(words), "{words}\n{told}");
}

/// Turkey takes an Ukraine without defenders; Greece is Turkey's too.
fn war() -> Board {
    Board::starting("TU BU SP NE")
        .set("UK", |c| (c.army, c.navy, c.air, c.industry) = (4, 3, 2, 0))
        .set("UK", |c| (c.missiles, c.antimissiles) = (1, 1))
        .set("TU", |c| c.missiles = 2)
        .occupied("GR", 1, 9)
}

#[test]
fn moves_builds_and_losses_are_told_space_by_space() {
    let board = war().turn(&[(1, "@TU BA10 BF20 AC20UK FA10UK NT5BLA AT3GR MI2UK\n@GR AB2AL")]);
    for words in [
        "* TU: 5 navy to BLA, 3 army to GR",
        "built 10 army",
        "built 20 air force",
        "20 army fought at UK (20 stay there)",
        "10 air force fought at UK (none lost)",
        "2 missiles fired at UK (1 stopped)",
        "* BLA: 5 navy from TU",
        "3 army from TU",
        "2 army fought at AL (all lost)",
        "captured 3 navy",
        "captured 1 air force (suppressed), captured 1 missile",
        "20 army from TU",
        "* Lost in all: 2 army\n",
    ] {
        tells(&board, 1, words);
    }
    assert!(!changed(&board, 2).contains("UK"), "{}", changed(&board, 2));
    // A game under older rules reports only its battles.
    let mut old = war();
    old.state.revised = false;
    assert_eq!(changed(&old.turn(&[(1, "@TU AC20UK")]), 1), "");
}

#[test]
fn losses_at_home_at_sea_and_in_flight_are_told() {
    let board = Board::starting("TU BU SP NE")
        .set("TU", |c| (c.army, c.navy, c.air, c.industry, c.antimissiles) = (5, 4, 6, 0, 1))
        .set("BU", |c| (c.air, c.missiles) = (0, 1))
        .fleet("EAS", 1, 3, 2, 4)
        .fleet("EAS", 2, 0, 20, 0);
    let board = board.turn(&[(2, "1E\n@BU AC50TU MA1TU")]);
    for words in ["lost 5 of 5 army here", "1 antimissile used up", "* EAS: lost 3 of 3 army here"]
    {
        tells(&board, 1, words);
    }
    tells(&board, 1, "6 air force fled to");
    tells(&board, 1, "4 navy fled to");
    tells(&board, 2, "50 army fought at TU (4 lost and 46 stay there)");
    // Losses of supporters are explained at their home.
    let helped = Board::starting("TU RO SP NE")
        .set("UK", |c| (c.army, c.navy, c.air, c.industry) = (10, 0, 0, 0))
        .turn(&[(1, "@TU AC40UK"), (2, "@RO AS40UK")]);
    let lost = 50 - helped.country("RO").army + 30;
    tells(&helped, 2, &format!("40 army fought at UK ({lost} lost)"));
}

#[test]
fn counter_attacks_are_told_to_both() {
    let board = Board::starting("TU BU SP NE")
        .set("TU", |c| (c.army, c.navy, c.air, c.industry) = (10, 0, 0, 0))
        .set("BU", |c| (c.army, c.air, c.industry) = (8, 0, 0))
        .occupied("GR", 1, 5)
        .turn(&[(1, "@TU AS50GR"), (2, "@BU AC50TU")]);
    tells(&board, 1, "lost 6 of 10 army here");
    tells(&board, 2, "lost 8 of 8 army here");
}

#[test]
fn popularity_is_explained_by_cause() {
    let board = war().set_player(1, |p| p.cents = 100_000);
    let board = board.set("UK", |c| (c.army, c.navy, c.air) = (0, 0, 0));
    let board = board.turn(&[
        (1, "BA0 BD1 P20TU P10CY 0P1\n@TU AC20UK AB9BU\n@GR AT2AL"),
        (2, "P20TU BA1"),
        (3, "@SP BA30"),
    ]);
    let hpi = board.country("TU").hpi;
    for words in [
        &format!("* HPI of TU 100 to {hpi}: "),
        "+60 by your propaganda",
        "-20 by propaganda of others",
        "+30 for Dollars built",
        "+20 for conquerors that live",
        "-9 for units lost abroad",
        "+1 by your propaganda, +4 for gifts: AL",
    ] {
        tells(&board, 1, words);
    }
    assert_eq!(hpi, 100 + 60 - 20 + 30 + 20 - 9);
    tells(&board, 1, "by your propaganda: CY");
    // It fades, and falls by an attack.
    let board = board.turn(&[(1, "@TU FA1AL")]);
    tells(&board, 1, "for your attack: AL");
    let board = Board::starting("TU BU SP NE").controlled("GR", 1);
    let board = board.set("GR", |c| c.popularity = [(1, 40)].into()).turn(&[(1, "@GR AB2BU")]);
    tells(&board, 1, "* Your popularity 40 to 36, -2 as it fades, -2 for units lost abroad: GR");
    // Missiles that hit, and the opinion of the world.
    let hit = Board::starting("TU BU SP NE").set("SP", |c| c.missiles = 2);
    let hit = hit.turn(&[(3, "@SP MI2TU")]);
    tells(&hit, 1, "* HPI of TU 100 to 96: -4 by missiles that hit");
    let world = Board::of("real", 20, &[]).turn(&[(2, "1B3")]);
    tells(&world, 1, "-3 by world opinion");
    // A revolution is explained by home popularity.
    let fallen = Board::starting("TU BU SP NE").set("TU", |c| c.hpi = 5).turn(&[(2, "P20TU")]);
    tells(&fallen, 1, "* HPI of TU 5 to -15: -20 by propaganda of others");
}

#[test]
fn minors_of_which_the_same_is_told_share_a_line() {
    let board = Board::starting("TU BU SP NE").turn(&[(1, "0P25")]).turn(&[]);
    let told = changed(&board, 1);
    assert!(told.lines().filter(|l| l.contains("built 6 army")).count() < 5, "{told}");
    assert!(told.contains("* No more than built 6 army: AL, AU, BA"), "{told}");
}

#[test]
fn each_printout_has_the_codes_with_names_and_the_ranges_of_own_spaces() {
    let board = Board::starting("TU BU SP NE").fleet("BLA", 1, 0, 2, 0);
    for turn in 0..2 {
        let told = board.section(1, "Codes and ranges");
        assert!(told.contains("AL Albania, AU Austria") && told.contains("WES Western Medi"));
        let row = |code: &str| -> String {
            let start = format!("| {code} ");
            let found = told.lines().find(|l| l.starts_with(&start)).unwrap_or_default();
            found.split_whitespace().collect::<Vec<_>>().join(" ")
        };
        assert_eq!(row("TU"), "| TU BU GR UK BLA EAS AL CY RO RU YU", "turn {turn}");
        assert_eq!(row("BLA"), "| BLA BU RO TU UK (EAS by TU) GR HU RU YU EAS");
        assert_eq!(row("SP"), "", "not an own space");
    }
    // On the map of the world only near ranges are listed.
    let world = Board::of("1939", 13, &[]);
    let told = world.section(8, "Codes and ranges");
    assert!(told.contains("EWG West Germany") && told.contains("ELU Luxembourg"), "{told}");
    assert!(!told.contains("CHS Honshu"), "{told}");
}

#[test]
fn the_card_shows_planes_that_take_no_orders() {
    let board = Board::starting("TU BU SP NE").set("TU", |c| c.air_down = 7);
    assert!(board.section(1, "Turn card").contains("F30<7>"));
    let card = board.section(2, "Turn card");
    assert!(card.contains("F30 ") && !card.contains('<'), "{card}");
}

#[test]
fn points_of_1939_stand_in_every_printout_as_far_as_they_are_known() {
    let board = Board::of("1939", 13, &[]);
    assert!(board.section(1, "Victory points").contains("for each turn in the game"));
    let board = board.turn(&[]).turn(&[]);
    for seat in 1..=13 {
        let known = points_so_far(&board.view(seat));
        let real = victory_points(&board.state, seat);
        for (item, (known, real)) in known.iter().zip(&real).enumerate() {
            // Nobody has won or lost a minor yet, so the known points are right.
            assert!(known.is_none_or(|n| n == *real), "[{seat}] {item}: {known:?} {real}");
        }
        let told = board.section(seat, "Victory points");
        let sum: i64 = known.iter().flatten().sum();
        assert!(told.contains(&format!(" {sum}  ")), "{sum}: {told}");
        assert_eq!(told.contains("  at least\n"), known.contains(&None), "{told}");
    }
    // A seat does not know the totals of others.
    let germany = points_so_far(&board.view(8));
    assert!(germany.contains(&None));
    let two_turns = |seat: u8, points: i64| {
        let told = board.section(seat, "Victory points");
        assert!(told.contains(&format!("{points}  for each turn")), "{told}");
    };
    two_turns(1, 180);
    two_turns(3, 200);
}

#[test]
fn points_so_far_count_own_ships_where_they_are_seen() {
    let board = Board::of("1939", 13, &[]).fleet("WBK", 5, 0, 4, 0);
    let navies = |board: &Board| points_so_far(&board.view(5)).last().copied().flatten();
    assert_eq!(navies(&board.turn(&[])), Some(50));
    let rival = Board::of("1939", 13, &[]).fleet("WBK", 5, 0, 4, 0).fleet("WBK", 12, 0, 4, 0);
    assert_eq!(navies(&rival.turn(&[])), Some(0));
    // Without own ships in a sea a player does not have the most navy there, whether the sea is
    // seen or not.
    assert_eq!(navies(&Board::of("1939", 13, &[]).turn(&[])), Some(0));
}

#[test]
fn no_line_of_a_printout_or_a_forecast_can_be_read_as_an_order() {
    use battle_plan::BattlePlan;
    use engine::trial::{Trial, TrialOf};
    for (variant, seats) in [("europe", 5), ("1939", 13)] {
        let setup = setup(variant, seats, &[]);
        let mut trial = TrialOf::<BattlePlan>::new(&setup, 3).expect("a game");
        for _ in 0..6 {
            trial.write_cards();
            let mut board = Board::of(variant, seats, &[]);
            board.state = trial.state().clone();
            let cards: Vec<(u8, String)> =
                trial.cards().iter().map(|(s, c)| (s.0, c.text())).collect();
            let cards: Vec<(u8, &str)> = cards.iter().map(|(s, c)| (*s, c.as_str())).collect();
            let forecasts: Vec<String> =
                cards.iter().map(|(s, c)| board.forecast(*s, &format!("0P9\n{c}"))).collect();
            let board = board.turn(&cards);
            let prints = (1..=seats).filter(|s| !board.view(*s).is_out());
            let prints: Vec<String> = prints.map(|s| board.printout(s)).collect();
            for line in forecasts.iter().chain(&prints).flat_map(|t| t.lines()) {
                assert!(!BattlePlan::starts_order(line), "{variant}: {line}");
                assert!(line.chars().count() <= render::text::WIDTH, "{line}");
            }
            trial.step();
        }
    }
}
