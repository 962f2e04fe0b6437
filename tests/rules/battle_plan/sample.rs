//! The rulebook's sample card and sample printout (§1.4, cases 13 to 17).

use super::board::*;

/// The sample card with its comments, a few words apart.
const CARD: &str = "@ (Start writing player orders)
2A (Make player #2 an ally)
3E
2K
S1GB
S2IT
C1TU
TS5
RF20
P10CY
P10GR
@TU (orders for the space Turkey)
BA15
BF15
AC20UK (try to conquer the Ukraine)
FA20 UK
NT5BLA
NT 6 EAS
AT5EAS
";

/// The sample's turn 1: Turkey's card, and what others did by its report.
fn sample() -> Board {
    Board::europe().turn(&[
        (1, "@AL AC30YU FA20YU NT20EAS"),
        (2, "@NE AC30GE FA20GE"),
        (3, "@SP AC25LY FA15LY AC20PR FA15PR"),
        (4, "@SW AC30NO FA20NO"),
        (5, CARD),
    ])
}

#[test]
fn case_13_the_sample_card_counts_17_orders() {
    let board = Board::europe();
    let paper = board.paper(5, CARD);
    let wrong: Vec<_> =
        paper.told.iter().filter(|t| t.2.code != "ok" && t.2.code != "remark").collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert_eq!(paper.count, 17);
    assert!(board.forecast(5, CARD).contains("Order-count: 17."));
}

#[test]
fn case_14_the_sample_turns_money_spies_and_multipliers() {
    let board = sample();
    let turkey = board.player(5);
    assert_eq!(turkey.cents, 16_655);
    assert_eq!((turkey.spies, turkey.counterspies), (2800, 200));
    assert_eq!(turkey.multipliers, [20, 100, 100, 105, 50, 50, 20, 20]);
    let text = board.section(5, "Treasury");
    assert!(text.contains("Spies=28 CounterSpies=2 Dollars=166.55"), "{text}");
}

#[test]
fn case_15_the_sample_turns_forces_of_turkey() {
    let board = sample();
    assert_eq!((board.sea("BLA", 5).navy, board.sea("EAS", 5).navy), (5, 6));
    assert_eq!(board.sea("EAS", 5).army, 5);
    let side = board.side("UK", "TU");
    let (army_lost, air_lost) = (side.army.lost, side.air.lost);
    let turkey = board.country("TU");
    assert_eq!((turkey.army, turkey.navy), (40, 9));
    assert_eq!(turkey.air, 30 + 15 - air_lost);
    let ukraine = board.country("UK");
    assert_eq!((ukraine.owner, ukraine.navy, ukraine.army), (5, 6, 20 - army_lost));
    assert_eq!((ukraine.tax, ukraine.tax_down), (0, 10));
    assert_eq!((ukraine.industry, ukraine.industry_down, ukraine.hpi), (0, 6, 100));
    // Twenty armies meet the six that twelve planes left over: 1.8 are lost.
    assert_eq!((army_lost, air_lost), (2, 2));
    assert_eq!(turkey.hpi, 100 + 20 - 2 * army_lost - air_lost);
}

#[test]
fn case_15_holds_for_whatever_the_dice_say() {
    for seed in 1..200 {
        let board = Board::europe().with_seed(seed).turn(&[(5, CARD)]);
        let side = board.side("UK", "TU");
        let (army_lost, air_lost) = (side.army.lost, side.air.lost);
        let captured = board.country("UK").owner == 5;
        let survivors = if captured { 20 - army_lost } else { 0 };
        assert_eq!(board.country("TU").hpi, 100 + survivors - army_lost - air_lost, "{seed}");
    }
}

#[test]
fn case_16_the_sample_turns_minors() {
    let board = sample();
    for (code, army, navy, air) in
        [("GR", 12, 6, 8), ("IT", 12, 6, 8), ("CY", 6, 12, 8), ("GB", 6, 12, 8)]
    {
        let c = board.country(code);
        assert_eq!((c.army, c.navy, c.air), (army, navy, air), "{code}");
        assert_eq!((c.industry, c.tax), (6, 10), "{code}");
    }
    for code in ["CY", "GR"] {
        assert_eq!(board.country(code).controller(), 5);
        assert_eq!(board.country(code).popularity[&5], 10);
    }
}

#[test]
fn case_17_what_turkey_reads_of_the_battles() {
    let board = sample();
    let land = board.section(5, "Land combat");
    for line in [
        "UK: UK(Army=12-12,Navy=6,AirF=8-2) TU(Army=20-2,AirF=20-2) Captured by [5] Turkey",
        "GE: GE(Army,Navy,AirF) NE(Army,AirF) Captured by [2] Netherlands",
        "LY: LY(Army,Navy,AirF) SP(Army,AirF) Captured by [3] Spain",
        "NO: NO(Army,Navy,AirF) SW(Army,AirF) Captured by [4] Sweden",
        "PR: PR(Army,Navy,AirF) SP(Army,AirF) Captured by [3] Spain",
        "YU: YU(Army,Navy,AirF) AL(Army,AirF) Captured by [1] Albania",
    ] {
        let one_line = land.replace("\n|   ", " ");
        assert!(one_line.contains(line), "{line}\n{land}");
    }
    let seas = board.section(5, "Seas");
    assert!(seas.contains("EAS [1] Albania (Navy=20) [5] Turkey (Army=5,Navy=6)"), "{seas}");
    assert!(board.section(5, "Countries that you do not see").contains("AL [1]"));
    let seen = board.section(5, "Countries that you see");
    let row = |code: &str| {
        let line = seen.lines().find(|l| l.starts_with(&format!("| {code} "))).unwrap_or_default();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("GB"), "| GB * 10 6 6 12 8 - - 1".split(' ').collect::<Vec<_>>());
    assert_eq!(row("IT"), "| IT * 10 6 12 6 8 - - 2".split(' ').collect::<Vec<_>>());
    assert_eq!(
        row("UK"),
        "| UK [5] 0<10> 0<6> 18 6 0<6> - - HPI 100".split(' ').collect::<Vec<_>>()
    );
    assert_eq!(row("CY"), "| CY * 10 6 6 12 8 - - [5]=10".split(' ').collect::<Vec<_>>());
}
