//! The notes of the echo besides `ok`, and the contents of its forecast.

use std::collections::BTreeMap;

use engine::Mark;

use super::board::*;
use super::chance::Chance;
use super::promise::{self, Played};

/// Player 1 is Turkey, 2 Bulgaria, 3 Spain, 4 the Netherlands.
fn turkey() -> Board {
    Board::starting("TU BU SP NE")
}

/// Mark and note of the last order of a card.
fn said(board: &Board, card: &str) -> (Mark, String) {
    let lines = board.judge(1, card).lines;
    let last = lines.into_iter().rfind(|l| l.mark != Mark::Remark).expect("an order");
    (last.mark, last.note)
}

fn says(board: &Board, card: &str, words: &str) {
    let (mark, note) = said(board, card);
    assert_eq!((mark, note.as_str()), (Mark::Ok, words), "{card}");
}

fn warns(board: &Board, card: &str, words: &str) {
    let (mark, note) = said(board, card);
    assert!(mark == Mark::Warning && note.contains(words), "{card}: {mark:?} {note}");
}

#[test]
fn each_order_comes_back_in_words_with_names() {
    let board = turkey().set("TU", |c| c.missiles = 1).fleet("BLA", 1, 2, 9, 3);
    for (card, words) in [
        ("@TU AC20UK", "20 of 50 army of Turkey attack Ukraine (minor) to take it"),
        ("@TU AB50UK", "50 army of Turkey attack Ukraine (minor) and come back"),
        ("@TU AS5GR", "5 of 50 army of Turkey defend Greece (minor) and come back"),
        ("@TU NT5EAS", "5 of 20 navy of Turkey go to Eastern Mediterranean"),
        ("@TU NS5BLA", "5 of 20 navy of Turkey fight your enemies in Black Sea and come back"),
        ("@BLA NN9UK", "9 navy of Black Sea attack the navy in Ukraine (minor)"),
        ("@TU MI1SP", "1 missile of Turkey is fired at the industry of Spain ([3] Spain)"),
        ("@TU BA15", "15 industry of Turkey builds 15 army"),
        ("@TU BM3", "3 industry of Turkey builds 1.50 missiles"),
        (
            "@TU /2/FS9BU",
            "on file until you change it; 9 of 30 air force of Turkey defend \
         Bulgaria ([2] Bulgaria) and come back",
        ),
        ("S2GB", "2 spies to Great Britain (minor)"),
        ("0S9", "9 spies, spread over the 25 minors: one each to 9 of them by lot"),
        ("0S27", "27 spies, spread over the 25 minors: 1 each, one more to 2 of them by lot"),
        ("2C3", "3 counterspies, spread over the one country of [2] Bulgaria: 3 each"),
        ("P10CY", "your popularity in Cyprus (minor) +10"),
        ("P10TU", "10 Dollars raise the HPI of Turkey (yours)"),
        ("TS7", "1.40 spies for 7 Dollars, available next turn"),
        ("RF20", "20 Dollars into the multiplier of AirForce, from next turn on"),
        ("2A", "[2] Bulgaria is your ally from now on; they are told"),
        ("2D25", "25 Dollars to [2] Bulgaria"),
        ("2F", "[2] Bulgaria is shown everything that you see"),
        ("2K", "[2] Bulgaria may pass your straits and canals"),
        ("C1TU", "1 counterspy hunts others' spies in Turkey (yours) this turn"),
    ] {
        says(&board, card, words);
    }
    // A reduced order is shown with its reduced number.
    warns(&board, "@TU AC60UK", "reduced to 50, all that is left; 50 army of Turkey attack");
    warns(&board, "S40GB", "reduced to 30, all that is left; 30 spies to Great Britain");
    // Visible defenders are shown beside it.
    let seen = board.turn(&[(1, "S9UK")]);
    let (_, note) = said(&seen, "@TU AC20UK");
    assert!(note.contains("; seen there: army 12, navy 6, air force 8"), "{note}");
}

#[test]
fn what_is_given_away_is_named_with_its_receiver() {
    let board = turkey().set("TU", |c| c.missiles = 2);
    let gift = "go to Greece (minor); a gift: they stay there, your popularity +";
    assert!(said(&board, "@TU AT5GR").1.ends_with(&format!("{gift}10")));
    assert!(said(&board, "@TU MT2GR").1.ends_with(&format!("{gift}6")));
    warns(&board, "@TU AT4BU", "a gift to [2] Bulgaria: they become theirs; they are no ally");
    warns(&board, "2E @TU AT4BU", "Bulgaria ([2] Bulgaria, your enemy); a gift to [2] Bulgaria");
    warns(&board, "2E @TU AT4BU", "you give them to an enemy");
    warns(&board, "2E 2D5", "a gift to an enemy");
    assert_eq!(said(&board, "2A @TU AT4BU").0, Mark::Ok);
    let hated = board.turn(&[(2, "1E")]);
    warns(&hated, "2A @TU AT4BU", "you give them to an enemy");
    warns(&hated, "2D5", "who calls you enemy; a gift to an enemy");
    // A move between own spaces is not a gift.
    let own = turkey().occupied("GR", 1, 5);
    says(&own, "@TU AT5GR", "5 of 50 army of Turkey go to Greece (yours)");
}

#[test]
fn attacks_on_friends_are_warned_of() {
    let board = turkey().controlled("GR", 1);
    warns(&board, "@TU AC10GR", "it obeys you now, and your popularity of 10 falls to 0");
    warns(&board, "@TU FI3GR", "falls to 0");
    let armed = turkey().controlled("GR", 1).set("TU", |c| c.missiles = 1);
    warns(&armed, "@TU MI1GR", "you attack a minor that obeys you");
    let liked = turkey().set("GR", |c| {
        c.popularity = [(1, 4), (2, 9)].into();
    });
    let (mark, note) = said(&liked, "@TU AC10GR");
    assert!(mark == Mark::Ok && note.ends_with("your popularity of 4 there falls to 0"), "{note}");
    assert!(!said(&liked, "@TU AC10UK").1.contains("popularity"));
    // Missiles cost nothing there.
    let armed = liked.set("TU", |c| c.missiles = 1);
    assert!(!said(&armed, "@TU MI1GR").1.contains("popularity"));
    warns(&turkey(), "2A @TU AC5BU", "a player whom you call your ally");
    let trusted = turkey().turn(&[(2, "1A")]);
    let (mark, note) = said(&trusted, "@TU AC5BU");
    assert!(mark == Mark::Ok && note.ends_with("each of your armies counts 125 %"), "{note}");
    assert!(!said(&trusted, "@TU FA5BU").1.contains("125"));
}

#[test]
fn declarations_that_change_nothing_are_told() {
    let board = turkey();
    let notes: Vec<(Mark, String)> =
        board.judge(1, "2E 2A 2N").lines.into_iter().map(|l| (l.mark, l.note)).collect();
    assert!(notes.iter().all(|(m, _)| *m == Mark::Warning), "{notes:?}");
    assert!(notes[0].1.contains("a later order of this card says otherwise"));
    assert!(notes[1].1.contains("a later order of this card says otherwise"));
    assert!(notes[2].1.contains("that is so already"));
    for card in ["2N", "2X", "2Z"] {
        warns(&board, card, "that is so already");
    }
    // A default that returns to its first value had another one in between.
    let notes: Vec<String> =
        board.judge(1, "BA10 BN20 BA20 BA10").lines.into_iter().map(|l| l.note).collect();
    let overruled = notes.iter().map(|n| n.contains("a later order of this card says otherwise"));
    assert_eq!(overruled.collect::<Vec<_>>(), [true, false, true, false], "{notes:?}");
    let board = board.turn(&[(1, "2E 2K 2F")]);
    for card in ["2E", "2K", "2F"] {
        warns(&board, card, "that is so already");
    }
    assert_eq!(said(&board, "2A").0, Mark::Ok);
}

#[test]
fn a_default_build_says_that_it_is_one() {
    let (mark, note) = said(&turkey(), "BA15");
    assert_eq!(mark, Mark::Ok);
    assert!(note.starts_with("default build of all your countries and minors"), "{note}");
    assert!(note.contains("defaults by this card: A15"), "{note}");
    assert!(note.contains("put BA15 below @ and its code"), "{note}");
    assert!(said(&turkey(), "BA0 BF25").1.contains("defaults by this card: F25"));
    assert!(said(&turkey(), "BA0").1.ends_with("defaults by this card: none"));
}

#[test]
fn out_of_reach_tells_what_is_in_reach() {
    let note = said(&turkey(), "@TU AC5RU").1;
    assert_eq!(note, "RU is not next to TU; next to it are BU, GR, UK, BLA, EAS");
    let note = said(&turkey(), "@TU FS5IT").1;
    assert!(note.contains("in range are") && note.contains("CY"), "{note}");
}

#[test]
fn forecast_of_propaganda_is_summed_with_spreads() {
    // 20 Dollars by two orders and a spread: the root of 180 times 30, once.
    let board = turkey().set_player(1, |p| p.defaults = [0, 1, 0, 0, 0, 0, 0]);
    let told = board.forecast(1, "P10TU 1P10 P10TU");
    assert!(told.contains("HPI of TU: 100 + 73 or 74 by propaganda = 173 or 174."), "{told}");
    let told = board.forecast(1, "P7SP 3P13");
    assert!(told.contains("Your propaganda lowers the HPI of: SP by 20"), "{told}");
    let told = board.forecast(1, "P5GR 0P25");
    assert!(told.contains("Your popularity 0 + 6 by propaganda = 6 in: GR"), "{told}");
    let told = board.forecast(1, "P5GR 0P26");
    assert!(told.contains("Your popularity 0 + 6 or 7 by propaganda = 6 or 7 in: GR"), "{told}");
    // The turn does what the forecast says.
    let done = board.turn(&[(1, "P10TU 1P10 P10TU")]);
    assert!([173, 174].contains(&done.country("TU").hpi));
}

#[test]
fn forecast_of_popularity_knows_dollars_built_gifts_and_attacks() {
    let told = turkey().forecast(1, "BA0 BD1 @TU BF10");
    assert!(told.contains("HPI of TU: 100 + 20 by Dollars built = 120."), "{told}");
    let liked = turkey().controlled("GR", 1);
    let told = liked.forecast(1, "P3GR @TU AT2GR");
    let line = "Your popularity 10 - 0 or 1 as it fades + 3 by propaganda + 4 by gifts = 16 or 17 \
                in: GR";
    let one_line = |told: &str| told.replace("\n  ", " ").replace('\u{a0}', " ");
    assert!(one_line(&told).contains(line), "{told}");
    let told = liked.forecast(1, "@TU AC9GR");
    assert!(one_line(&told).contains("but you attack it = 0 in: GR"), "{told}");
    assert!(!turkey().forecast(1, "@TU AC9GR").contains("popularity"));
}

#[test]
fn who_begins_on_an_island_is_shown_the_way_over_the_sea() {
    let board = Board::starting("GB BU SP NE");
    let orders = battle_plan::primer::primer(&board.view(1)).orders;
    let (order, says) = &orders[0];
    let sea =
        order.strip_prefix("@GB AT").expect("over the sea").trim_start_matches(char::is_numeric);
    assert!(says.contains("next turn they can take"), "{says}");
    // The advice works: the army lands from there in the next turn.
    let lands = says.split("with ").nth(1).expect("an order").split(' ').next().expect("a word");
    let next = board.turn(&[(1, order)]);
    let judged = next.judge(1, &format!("@{sea} {lands}"));
    assert!(judged.lines.iter().all(|l| l.mark != Mark::Error), "{judged:?}");
    // A player with a land border sees an order over that border.
    let orders = battle_plan::primer::primer(&turkey().view(1)).orders;
    assert!(orders[0].0.starts_with("@TU AC"), "{orders:?}");
}

#[test]
fn the_odds_of_an_echo_are_those_of_the_battle() {
    let one_line = |told: String| told.replace("\n  ", " ").replace('\u{a0}', " ");
    let board = turkey().set("TU", |c| c.army = 20).set("GR", |c| (c.army, c.air) = (10, 0));
    // Two spaces send army: together they are 20 against what was seen there.
    let board = board.occupied("BU", 1, 9).controlled("GR", 1);
    let told = one_line(board.forecast(1, "@TU AC15GR @BU AC5GR"));
    let built = ": it builds 6 army; 20 attack 16: the attackers win and lose about 12.8.";
    assert!(told.contains(built), "{told}");
    // There are no odds for unseen defenders, nor for forces that stay.
    assert!(!board.forecast(1, "@TU AT5BU").contains("Battles ahead"));
    assert!(!turkey().forecast(1, "@TU AC5GR").contains("Battles ahead"));
    // The battle ends as the echo says.
    let done = board.turn(&[(1, "@TU AC15GR @BU AC5GR")]);
    let clash = done.clash("GR");
    let lost: i64 = clash.attackers.iter().map(|side| side.army.lost).sum();
    assert_eq!((clash.home.army.sent, lost), (16, 13), "{clash:?}");
}

#[test]
fn forecast_of_popularity_counts_the_worlds_opinion() {
    let board = Board::of("real", 20, &[]).turn(&[(2, "1B3"), (3, "1B2")]);
    let (space, country) = board.state.lands().find(|(_, c)| c.owner == 1).expect("a country");
    let (code, now) = (board.state.tables.map.code(space), country.hpi);
    let told = board.forecast(1, "BA1").replace("\n  ", " ");
    let line = format!("HPI of {code}: {now} -5 by world opinion = {}.", now - 5);
    assert!(told.contains(&line), "{line}\n{told}");
}

#[test]
fn forecast_of_income_names_what_is_not_seen() {
    let board = turkey().turn(&[(1, "2A"), (2, "1A")]);
    let told = board.forecast(1, "").replace("\n  ", " ");
    assert!(told.contains("10% of the tax base of BU, which you do not see"), "{told}");
    let told = board.forecast(1, "2N");
    assert!(!told.contains("tax base of BU"), "{told}");
    let told = turkey().forecast(1, "2A");
    assert!(!told.contains("tax base of BU"), "{told}");
    // A visible space is counted.
    let seen = board.turn(&[(1, "S9BU")]);
    let told = seen.forecast(1, "");
    assert!(told.contains("–110 income") && !told.contains("tax base of BU"), "{told}");
}

/// Boards of all kinds: at the start, at sea, with a minor that obeys, with missiles.
fn boards(seed: u64) -> Board {
    let at_war = || {
        Board::starting("TU BU SP NE")
            .with_seed(seed)
            .controlled("GR", 1)
            .set("TU", |c| (c.missiles, c.antimissiles) = (5, 3))
            .set("BU", |c| (c.air, c.navy) = (0, 0))
            .fleet("BLA", 1, 5, 9, 4)
            .fleet("EAS", 2, 0, 7, 3)
            .occupied("UK", 1, 12)
            .set("UK", |c| c.industry = 18)
            .set("AL", |c| (c.air, c.navy) = (0, 0))
    };
    match seed % 8 {
        0 => turkey().with_seed(seed),
        1 => at_war().turn(&[(1, "S9GR S3AL S9BU S3RO"), (2, "1E")]),
        2 => Board::of("1939", 13, &[]).with_seed(seed),
        3 => Board::of("real", 20, &[]).with_seed(seed),
        4 => Board::of("anonymous", 20, &[]).with_seed(seed),
        _ => at_war().turn(&[(1, "S9GR S3AL S9BU S3RO S3YU"), (2, "1A 1F")]),
    }
}

#[test]
fn what_the_echo_of_a_card_promises_comes_true() {
    let mut compared: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in 0..100 {
        let mut chance = Chance(seed);
        let mut board = boards(seed);
        for _ in 0..4 {
            if board.state.over.is_some() || board.player(1).out.is_some() {
                break;
            }
            let card = promise::card(&board, &mut chance);
            let after = board.again().turn(&[(promise::ME, &card)]);
            let mut played = Played::of(&board, &after, &card);
            played.compare();
            let faults = played.faults.join("\n");
            assert!(faults.is_empty(), "seed {seed}:\n{card}\n{faults}");
            played.compared.iter().for_each(|(k, n)| *compared.entry(k).or_default() += n);
            board = after;
        }
    }
    // Each kind of promise was really checked.
    for kind in [
        "attack",
        "battle",
        "built",
        "default",
        "dollars",
        "dollars by lot",
        "errors",
        "gift",
        "hpi",
        "limit",
        "lowered",
        "move",
        "no hpi",
        "no popularity",
        "opinion",
        "option",
        "outcome",
        "permit",
        "popularity",
        "research",
        "share",
        "spies",
        "stance",
        "standing",
        "stays",
        "trained",
        "wire",
    ] {
        let n = compared.get(kind).copied().unwrap_or(0);
        assert!(n >= 3, "{kind}: {n} in {compared:?}");
    }
}
