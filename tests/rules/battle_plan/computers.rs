//! Computer players of three strengths, and start countries by lot and by wish.

use std::collections::BTreeSet;

use battle_plan::BattlePlan;
use battle_plan::computer::play_as;
use battle_plan::map::SpaceId;
use battle_plan::mind::{Mind, Minds};
use battle_plan::points::outlook;
use battle_plan::state::State;
use battle_plan::tables::usual_minds;
use engine::trial::{Trial, TrialOf};
use engine::{Cards, Computers, Dice, Mark, Rules, Seat};

use super::board::*;

/// The wins of two strengths over some seeds; they take the seats alternately.
fn wins(strengths: [&str; 2], seeds: u64) -> [u32; 2] {
    let mut wins = [0, 0];
    for seed in 0..seeds {
        let first = |seat: u64| usize::from((seat + seed) % 2 == 1);
        let list: Vec<&str> = (1..=5).map(|seat| strengths[first(seat)]).collect();
        let options = [("computers", list.join(" "))];
        let options: Vec<(&str, &str)> = options.iter().map(|(n, t)| (*n, t.as_str())).collect();
        let game = setup("europe", 5, &options);
        let mut trial = TrialOf::<BattlePlan>::new(&game, seed).expect("a game");
        for _ in 0..60 {
            trial.write_cards();
            trial.step();
            if trial.result().is_some() {
                break;
            }
        }
        let tally = trial.tally();
        let best = tally.seats.iter().max_by_key(|s| s.places).expect("a seat");
        wins[first(best.seat.0.into())] += 1;
    }
    wins
}

#[test]
fn normal_computers_beat_easy_ones() {
    let [normal, easy] = wins(["normal", "easy"], 8);
    assert!(normal > easy, "{normal} : {easy}");
}

#[test]
fn hard_computers_beat_normal_ones() {
    let [hard, normal] = wins(["hard", "normal"], 16);
    assert!(hard > normal, "{hard} : {normal}");
}

#[test]
fn no_order_of_any_strength_is_refused() {
    for (variant, seats, strength) in [
        ("europe", 4, "easy"),
        ("europe", 7, "hard"),
        ("1939", 13, "hard"),
        ("south-america", 6, "normal"),
    ] {
        let game = setup(variant, seats, &[("computers", strength)]);
        let mut trial = TrialOf::<BattlePlan>::new(&game, 3).expect("a game");
        for turn in 1..=10 {
            trial.write_cards();
            for (seat, card) in trial.cards() {
                let view = BattlePlan::view(trial.state(), trial.events(), *seat);
                for line in BattlePlan::judge(&view, card, 0).lines {
                    assert_ne!(line.mark, Mark::Error, "{variant} {turn} {seat}: {line:?}");
                }
            }
            trial.step();
        }
    }
}

#[test]
fn what_a_seat_does_not_see_changes_nothing_of_its_card() {
    for (variant, seats) in [("europe", 6), ("1939", 13)] {
        let mut trial = TrialOf::<BattlePlan>::new(&setup(variant, seats, &[]), 5).expect("a game");
        let mut hidden = 0;
        for turn in 1..=12 {
            for seat in (1..=seats).map(Seat) {
                let (state, events) = (trial.state(), trial.events());
                let view = BattlePlan::view(state, events, seat);
                let mut other = state.clone();
                let unseen = |s: &SpaceId| !view.seen.contains_key(s);
                for space in state.tables.map.countries().filter(unseen) {
                    let country = other.country_mut(space);
                    (country.army, country.air) = (country.air + 31, country.army + 17);
                    country.industry += 9;
                    hidden += 1;
                }
                let card = |state| {
                    let view = BattlePlan::view(state, events, seat);
                    BattlePlan::play(&view, "", &mut Dice::new(turn)).card
                };
                assert_eq!(card(state), card(&other), "{variant} {turn} {seat}");
            }
            trial.write_cards();
            trial.step();
        }
        assert!(hidden > 100, "{variant}: {hidden}");
    }
}

#[test]
fn strengths_write_different_cards() {
    let card = |strength: &str| {
        let game = setup("europe", 5, &[("starts", "set"), ("computers", strength)]);
        let mut trial = TrialOf::<BattlePlan>::new(&game, 1).expect("a game");
        for _ in 0..6 {
            trial.write_cards();
            trial.step();
        }
        trial.cards()[&Seat(1)].text()
    };
    let cards: BTreeSet<String> = ["easy", "normal", "hard"].map(card).into();
    assert_eq!(cards.len(), 3);
}

#[test]
fn where_points_decide_leagues_are_against_who_will_have_most() {
    let mut trial = TrialOf::<BattlePlan>::new(&setup("1939", 13, &[]), 5).expect("a game");
    let view = BattlePlan::view(trial.state(), trial.events(), Seat(1));
    let most = (1..=13).max_by_key(|seat| outlook(&view, *seat)).expect("a seat");
    // Not Great Britain, though it has the most countries.
    assert_eq!(most, 4);
    trial.write_cards();
    for (seat, card) in trial.cards() {
        let text = card.text();
        assert_eq!(text.split_whitespace().any(|o| o == "4E"), seat.0 != 4, "{seat}: {text}");
    }
}

#[test]
fn who_holds_nothing_has_no_outlook_for_turns() {
    let mut board = Board::of("1939", 13, &[]);
    let before = outlook(&board.view(4), 4);
    for space in board.state.tables.map.clone().countries() {
        let country = board.state.country_mut(space);
        if country.owner == 4 {
            country.owner = 5;
        }
    }
    let after = outlook(&board.view(4), 4);
    // 26 turns of 110 points, and the points of the countries.
    assert!(before - after >= 26 * 110, "{before} {after}");
}

#[test]
fn victory_points_change_what_is_attacked() {
    let mut trial = TrialOf::<BattlePlan>::new(&setup("1939", 13, &[]), 5).expect("a game");
    let mut other = 0;
    for _ in 0..10 {
        for seat in (1..=13).map(Seat) {
            let view = BattlePlan::view(trial.state(), trial.events(), seat);
            let attacks = |points: i64| -> Vec<String> {
                let mind = Mind { points, leader: 0, ..usual_minds().normal };
                let text = play_as(&view, &mind, &mut Dice::new(1)).text();
                let orders = text.split_whitespace();
                orders.filter(|o| o.starts_with("AC")).map(str::to_owned).collect()
            };
            other += usize::from(attacks(20) != attacks(0));
        }
        trial.write_cards();
        trial.step();
    }
    assert!(other > 0);
}

#[test]
fn a_strength_that_is_none_is_refused() {
    let faults = BattlePlan::new_game(&setup("europe", 5, &[("computers", "fierce")]), &mut dice());
    assert!(faults.expect_err("no strength")[0].contains("easy, normal or hard"));
}

// ---- starts

fn dice() -> Dice {
    Dice::new(7).of_rules(BattlePlan::RULES_VERSION)
}

fn homes(options: &[(&str, &str)], seed: u64) -> Vec<String> {
    let mut dice = Dice::new(seed).of_rules(BattlePlan::RULES_VERSION);
    let state: State =
        BattlePlan::new_game(&setup("europe", 5, options), &mut dice).expect("a game");
    let code = |p: u8| {
        let mut spaces = state.tables.map.countries();
        let home = spaces.find(|s| state.country(*s).owner == p).expect("a home");
        state.tables.map.row(home).code.clone()
    };
    (1..=5).map(code).collect()
}

#[test]
fn start_countries_are_drawn_by_lot_from_a_set() {
    let drawn: Vec<Vec<String>> = (0..12).map(|seed| homes(&[], seed)).collect();
    let set: BTreeSet<&String> = drawn[0].iter().collect();
    assert_eq!(set.len(), 5);
    assert!(drawn.iter().all(|d| d.iter().collect::<BTreeSet<_>>() == set), "one set");
    assert!(drawn.iter().any(|d| *d != drawn[0]), "in another order");
}

#[test]
fn a_wish_that_is_free_is_granted_and_a_list_stands_as_written() {
    let wished = homes(&[("starts", "wish"), ("wishes", "-,-,FR,-,-")], 3);
    assert_eq!(wished[2], "FR");
    assert_eq!(wished.iter().collect::<BTreeSet<_>>().len(), 5);
    let listed = homes(&[("starts", "TU,SP,SW,NE,AL")], 3);
    assert_eq!(listed, ["TU", "SP", "SW", "NE", "AL"]);
    let mut dice = dice();
    let wrong = setup("europe", 5, &[("starts", "wish"), ("wishes", "QQ")]);
    assert!(BattlePlan::new_game(&wrong, &mut dice).expect_err("no country")[0].contains("QQ"));
}

#[test]
fn a_game_that_was_saved_with_figures_of_an_earlier_form_goes_on_with_the_usual_ones() {
    let state = BattlePlan::new_game(&setup("europe", 5, &[]), &mut Dice::new(3)).expect("a game");
    let mut saved = serde_json::to_value(&state).expect("a state is saved");
    assert!(saved["tables"].get("minds").is_none(), "usual figures are not saved");
    saved["tables"]["minds"] =
        serde_json::json!({ "easy": { "raids": 3 }, "normal": {}, "hard": {} });
    let back: battle_plan::state::State = serde_json::from_value(saved).expect("it loads");
    assert_eq!(back.tables.minds, None);
    let mut retuned = state.clone();
    let tables = std::sync::Arc::make_mut(&mut retuned.tables);
    let mut minds = usual_minds();
    minds.normal.spies += 1;
    tables.minds = Some(minds);
    let text = serde_json::to_string(&retuned).expect("a state is saved");
    let back: battle_plan::state::State = serde_json::from_str(&text).expect("it loads");
    assert_eq!(back.tables.minds, retuned.tables.minds);
}

/// The values of a strength, each changed by itself: 0 becomes 500, other numbers 0, lists are
/// reversed, and switches that are on go off.
fn altered(mind: &Mind) -> Vec<(String, Mind)> {
    use serde_json::Value;
    let Value::Object(keys) = serde_json::to_value(mind).expect("plain data") else {
        panic!("figures by name")
    };
    let change = |(key, value): (&String, &Value)| {
        let mut other = keys.clone();
        other[key] = match value {
            Value::Bool(on) => Value::Bool(!on),
            Value::Array(list) => list.iter().rev().cloned().collect(),
            zero if *zero == serde_json::json!(0) => serde_json::json!(500),
            _ => serde_json::json!(0),
        };
        (key.clone(), serde_json::from_value(other.into()).expect("figures of the same kind"))
    };
    keys.iter().map(change).collect()
}

#[test]
fn every_figure_of_the_file_changes_a_card() {
    let Minds { easy, normal, .. } = usual_minds();
    let mut idle: BTreeSet<String> = altered(&normal).into_iter().map(|(key, _)| key).collect();
    for (variant, seats, usual) in
        [("europe", 6, &normal), ("1939", 13, &normal), ("europe", 6, &easy)]
    {
        let others = altered(usual);
        let mut trial = TrialOf::<BattlePlan>::new(&setup(variant, seats, &[]), 5).expect("a game");
        for turn in 1..=40 {
            for seat in (1..=seats).map(Seat) {
                let view = BattlePlan::view(trial.state(), trial.events(), seat);
                let card = |mind: &Mind| play_as(&view, mind, &mut Dice::new(turn));
                let open = others.iter().filter(|(key, _)| idle.contains(key));
                let changed = open.filter(|(_, mind)| card(mind) != card(usual));
                let changed: Vec<&String> = changed.map(|(key, _)| key).collect();
                for key in changed {
                    idle.remove(key);
                }
            }
            trial.write_cards();
            trial.step();
            if trial.result().is_some() {
                break;
            }
        }
    }
    assert!(idle.is_empty(), "{idle:?} change nothing");
}
