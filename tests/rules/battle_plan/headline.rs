//! §16: the first sentences of a printout.

use super::board::*;
use super::told::{self, Court, Kind, fit, lines};
use battle_plan::BattlePlan;
use battle_plan::points;
use battle_plan::state::Country;
use battle_plan::view::View;
use engine::report::Line;
use engine::trial::{Trial, TrialOf};
use engine::{BySeat, Computers, Headlines, Printouts};
use render::text::flat;

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| flat(l).replace('\u{a0}', " ")).collect()
}

impl Board {
    /// The sentences that a seat reads first.
    fn first(&self, seat: u8) -> Vec<String> {
        texts(&BattlePlan::headline(&self.view(seat)).sentences)
    }

    fn chronicle(&self) -> Vec<String> {
        texts(&BattlePlan::chronicle(&self.state, &self.events))
    }
}

#[test]
fn a_lost_country_comes_first_with_name_code_and_who_took_it() {
    let board = Board::starting("TU SP SW NE")
        .occupied("BU", 3, 1)
        .set("BU", |c| c.industry = 0)
        .turn(&[(1, "3E @TU AC40BU")]);
    let first = board.first(3);
    assert!(first[0].starts_with("You lost Bulgaria (BU) to Turkey [1]"), "{first:?}");
    let first = board.first(1);
    assert!(first[0].starts_with("You took Bulgaria (BU) from Sweden [3]"), "{first:?}");
    let all = board.chronicle();
    assert!(all[0].starts_with("Turkey [1] took Bulgaria (BU) from Sweden [3]."), "{all:?}");
    // Everybody may know who took it, but for player 4 it is not the first news.
    let far = board.first(4);
    assert!(far.iter().any(|s| s.starts_with("Turkey [1] took Bulgaria (BU)")), "{far:?}");
}

#[test]
fn countries_gained_from_nobody_share_a_sentence_and_losses_are_counted() {
    let board = Board::starting("TU SP SW NE")
        .set("TU", |c| c.army = 80)
        .set("BU", |c| (c.army, c.navy, c.air, c.industry) = (1, 0, 0, 0))
        .set("UK", |c| (c.army, c.navy, c.air, c.industry) = (0, 0, 0, 0))
        .turn(&[(1, "@TU AC20BU AC20UK")]);
    let first = board.first(1);
    assert!(
        first.iter().any(|s| s == "You took Bulgaria (BU) and Ukraine (UK)."),
        "one sentence for both: {first:?}"
    );
}

#[test]
fn the_first_turn_says_who_one_is_and_a_quiet_one_how_things_stand() {
    let board = Board::starting("TU SP SW NE");
    let first = board.first(1);
    assert_eq!(first.len(), 3, "{first:?}");
    assert!(
        first[0].starts_with("You are Turkey [1], one of 4 players, and begin in Turkey (TU)."),
        "{first:?}"
    );
    assert!(first[2].starts_with("First spend your Dollars"), "{first:?}");
    let quiet = board.turn(&[]).turn(&[]);
    let first = quiet.first(1);
    assert_eq!(first.len(), 3, "{first:?}");
    assert!(first[0].starts_with("You hold 1 country; "), "{first:?}");
    assert!(quiet.chronicle().is_empty(), "{:?}", quiet.chronicle());
}

#[test]
fn a_wild_turn_has_seven_sentences_at_most() {
    let mut wild = 0;
    let mut board = Board::of("europe", 6, &[]).with_seed(3);
    for _ in 0..12 {
        let cards: Vec<(u8, String)> = (1..=6)
            .map(|seat| {
                let play = BattlePlan::play(&board.view(seat), "", &mut engine::Dice::new(4));
                let lines: Vec<String> = play.card.lines.into_iter().map(|l| l.1).collect();
                (seat, lines.join("\n"))
            })
            .collect();
        let cards: Vec<(u8, &str)> = cards.iter().map(|(s, t)| (*s, t.as_str())).collect();
        board = board.turn(&cards);
        for seat in 1..=6 {
            let first = board.first(seat);
            assert!((3..=7).contains(&first.len()), "{first:?}");
            wild = wild.max(BattlePlan::headline(&board.view(seat)).told);
        }
    }
    assert!(wild >= 5, "{wild}");
}

#[test]
fn who_has_said_numbers_only_reads_numbers_only() {
    let board = Board::starting("TU SP SW NE")
        .set_player(3, |p| p.compact = true)
        .occupied("BU", 3, 1)
        .turn(&[(1, "3E @TU AC40BU")]);
    assert!(board.first(3)[0].ends_with("to player 1."), "{:?}", board.first(3));
}

#[test]
fn nothing_in_a_headline_follows_from_what_the_seat_does_not_see() {
    let play = |army: i64| {
        Board::starting("TU SP SW NE")
            .set("UK", |c| (c.army, c.navy, c.air) = (army, 0, 0))
            .turn(&[(1, "@TU AC40UK")])
    };
    // Sweden sees neither place, so how strong the loser was changes nothing.
    let (one, other) = (play(3), play(20));
    let hers = |b: &Board| BattlePlan::headline(&b.view(3));
    assert_eq!(hers(&one), hers(&other));
}

/// Kinds of sentences, and the words of the body for each.
const KINDS: &[Kind] = &[
    Kind(
        "The game is over after {n} turns, and nobody has won.",
        &["The game is over after turn {n}: *"],
    ),
    Kind("{winners} after {n} turns, {how}.", &["The game is over after turn {n}: rank *"]),
    Kind(
        "You are a winner of this game.",
        &["The game is over after *: rank 1, *", "*you are a winner."],
    ),
    Kind(
        "You end on rank {rank} of {of}, with {points} victory points.",
        &["The game is over after *: rank {rank}, you have {points} victory points."],
    ),
    Kind("You end on rank {rank} of {of}.", &["The game is over after *: rank {rank}, *"]),
    Kind("You are a survivor of this game.", &["*you are a survivor."]),
    Kind(
        "You lost {places*} to {who} [{n}].",
        &["*({places*})*Captured by [{n}] {who}.", "{places*}: *Captured by [{n}] {who}"],
    ),
    Kind("You lost {places*} by revolution.", &["Revolution in {places*}: * is driven out"]),
    Kind(
        "{who} [{n}] lost {places*} by revolution.",
        &["Revolution in {places*}: [{n}] {who} is driven out"],
    ),
    Kind(
        "You took {places*} from {who} [{n}].",
        &["*({places*})*[{n}] {who}, defending*Captured by *"],
    ),
    Kind("You took {places*}.", &["*({places*})*Captured by *", "{places*}: *Captured by *"]),
    Kind(
        "{who} [{n}] took {places*}.",
        &["*({places*})*Captured by [{n}] {who}.", "{places*}: *Captured by [{n}] {who}"],
    ),
    Kind(
        "You attacked {places*} in vain.",
        &["*({places*})*It was held.", "*({places*})*It was taken back.", "{places*}: *"],
    ),
    Kind("You attacked {places*} without armies.", &["*({places*})*It was held.", "{places*}: *"]),
    Kind(
        "You held {places*} against an attack.",
        &["*({places*})*It was held.", "*({places*})*It was taken back.", "{places*}: *"],
    ),
    Kind(
        "It cost you {units} to take {places*}.",
        &["*fought at {places*} (*lost*", "*{places*}: *lost * here*"],
    ),
    Kind(
        "You lost {units} in {places*}.",
        &["*fought at {places*} (*lost*", "*{places*}: *lost * here*"],
    ),
    Kind(SEA, &["{place} ({at})*"]),
    Kind("Your spies were caught: {many*}.", &["*: * in {many*}"]),
    Kind(
        "You hold no space any more: the game is over for you.",
        &["You hold no space any more: *"],
    ),
    Kind("{who} holds nothing any more and left the game.", &["* has lost the last space"]),
    Kind("{who} hold nothing any more and left the game.", &["* has lost the last space"]),
    Kind("{who} [{n}] gave you {dollars} Dollar{s}.", &["[{n}] {who} gave you {dollars} Dollars"]),
    Kind("{who} [{n}] gave you {gifts}.", &["[{n}] {who} gave you *"]),
    Kind("Somebody without a name wrote to you.", &["From Anonymous:"]),
    Kind("{who} [{n}] wrote to you.", &["From [{n}] {who}:*"]),
    Kind("You are {who} [{n}], one of {all} players, and begin in {places}.", &[]),
    Kind("Your industry is {industry}, and you have {dollars} Dollars.", &[]),
    Kind("First spend your Dollars; minors beside you are {minors*}.", &[]),
    Kind("First spend your Dollars, and say who is your ally.", &[]),
    Kind("You hold {n} countr{y}; nobody holds more.", &[]),
    Kind("You hold {n} countr{y}; {m} player{s} more.", &[]),
    Kind("Players who are left: {left} of {all}.", &[]),
    Kind("You hold no space and give no orders.", &[]),
];

/// A battle at sea.
const SEA: &str = "You fought {who} at sea, in {place} ({at}): you lost {own} unit{s}, they lost \
                   {theirs} unit{t}.";

/// Whether the numbers of a battle at sea are those of its card.
fn fought_at_sea(view: &View, said: &str) -> bool {
    let Some(told) = fit(SEA, said) else { return true };
    let map = &view.tables.map;
    let clash = view.sea_clashes.iter().find(|c| map.code(c.at) == told["at"]);
    let sides = &clash.expect("a card of it").sides;
    let sum = |own: bool| -> i64 {
        let of = sides.iter().filter(|(seat, _)| (*seat == view.seat) == own);
        of.flat_map(|(_, counts)| counts).map(|c| c.lost).sum()
    };
    [told["own"].as_str(), told["theirs"].as_str()]
        == [sum(true), sum(false)].map(|n| n.to_string())
}

/// Kinds of sentences that are only in the news for everybody.
const ALL: &[&str] = &["{who} took {places} from nobody.", "{who} took {places} from {whom}."];

/// Units in a sentence such as "3 army and 1 air force".
fn units(text: &str) -> i64 {
    text.split([' ', ',']).filter_map(|word| word.parse::<i64>().ok()).sum()
}

/// The player's lost units of all arms, summed over the body.
fn fallen(body: &[String]) -> i64 {
    let all = body.iter().filter_map(|line| fit("Lost in all: {units}", line));
    all.map(|t| units(t["units"].split(" antimissile").next().unwrap_or(""))).sum()
}

impl Board {
    /// Checks the printouts of all seats, and the numbers of units that they lost.
    fn hold(&self, court: &mut Court, whose: &str) {
        for seat in 1..=self.state.players.len() as u8 {
            let view = self.view(seat);
            let Some(report) = BattlePlan::report(&view, "") else { continue };
            let (headline, body) = (BattlePlan::headline(&view), lines(&report));
            let whose = format!("{whose}, seat {seat}");
            court.hold(&headline.sentences, &body, &whose);
            let told: Vec<String> = headline.sentences.iter().map(told::flat).collect();
            let count = |s: &String| {
                let heads = ["It cost you {n} to take *", "You lost {n} in *"];
                heads.iter().find_map(|head| fit(head, s)).map_or(0, |t| units(&t["n"]))
            };
            assert!(told.iter().all(|s| fought_at_sea(&view, s)), "{whose}: {told:?}");
            if told.len() < engine::headline::MOST {
                let lost: i64 = told.iter().map(count).sum();
                assert_eq!(lost, fallen(&body), "{whose}: {told:?}\n{}", body.join("\n"));
            }
        }
        let took = |s: &String| ALL.iter().any(|all| fit(all, s).is_some());
        for said in self.chronicle().iter().filter(|s| !took(s)) {
            assert!(KINDS.iter().any(|k| fit(k.0, said).is_some()), "{said}");
        }
    }
}

/// Games of computers with each printout checked.
fn games(court: &mut Court) {
    for (variant, seats, seed, turns) in
        [("europe", 5, 1, 25), ("europe", 9, 2, 15), ("real", 12, 3, 5)]
    {
        let made = setup(variant, seats, &[]);
        let mut trial = TrialOf::<BattlePlan>::new(&made, seed).expect("a game");
        for turn in 1..=turns {
            trial.write_cards();
            trial.step();
            let board = Board {
                state: trial.state().clone(),
                events: trial.events().to_vec(),
                seed: None,
                sits: BySeat::new(),
            };
            board.hold(court, &format!("{variant}, turn {turn}"));
            if trial.result().is_some() {
                break;
            }
        }
    }
}

/// Boards for situations that are rare in games of computers.
fn boards() -> Vec<Board> {
    let four = || Board::starting("TU SP SW NE");
    let away = || {
        Board::starting("TU BU SP NE")
            .set("TU", |c| (c.army, c.navy, c.air, c.industry) = (10, 0, 0, 0))
            .set("BU", |c| (c.army, c.air, c.industry) = (8, 0, 0))
            .occupied("GR", 1, 5)
    };
    let minor = || {
        Board::starting("BU SP SW NE")
            .controlled("GR", 2)
            .set("GR", |c| (c.army, c.navy, c.air, c.industry) = (10, 0, 0, 0))
            .set("AL", |c| (c.army, c.air, c.industry) = (0, 0, 0))
            .set("BU", |c| (c.army, c.air, c.industry) = (6, 0, 0))
    };
    let fleets =
        || Board::starting("TU AL SP NE").fleet("EAS", 2, 0, 20, 0).fleet("EAS", 1, 5, 6, 0);
    let press = |text: &str| four().turn(&[(2, text)]);
    let mut all = vec![
        four(),
        four().turn(&[]).turn(&[]),
        four().occupied("BU", 3, 1).set("BU", |c| c.industry = 0).turn(&[(1, "3E @TU AC40BU")]),
        four().set("UK", |c| c.army = 90).turn(&[(1, "@TU AC10UK")]),
        four().turn(&[(1, "@TU FB10BU")]),
        four().occupied("BU", 3, 30).turn(&[(1, "3E @TU AC20BU")]),
        away().turn(&[(1, "@TU AS50GR"), (2, "@BU AC50TU")]),
        minor().turn(&[(2, "@GR AB10AL"), (1, "@BU AC6GR")]),
        fleets().turn(&[(1, "2E")]),
        four()
            .set("TU", |c| c.hpi = 10)
            .occupied("BU", 1, 9)
            .turn(&[(1, "@TU /1/BA5 BA30"), (2, "P80TU")]),
        Board::starting("TU UK SP NE").turn(&[(1, "2D25")]),
        Board::starting("TU UK SP NE").turn(&[(1, "@TU AT10UK")]),
        press("PRESS 1\nHello.\nEND"),
        press("PRESS 1 ANON\nBeware.\nEND"),
        // A minor that the player controls may be occupied, too.
        four()
            .controlled("BU", 1)
            .set("BU", |c| (c.army, c.navy, c.air) = (0, 0, 0))
            .turn(&[(1, "@TU AC40BU")]),
    ];
    let two = || {
        let bare = |c: &mut Country| (c.army, c.navy, c.air, c.industry) = (0, 0, 0, 0);
        Board::starting("TU BU GR NE").set("BU", bare).set("GR", bare)
    };
    all.push(four().set("UK", |c| c.army = 9).turn(&[(1, "@TU FA20UK")]));
    all.push(Board::starting("GB SP SW NE"));
    all.push(two().turn(&[(1, "2E\n@TU AC80BU")]));
    all.push(two().turn(&[(1, "2E 3E\n@TU AC40BU AC40GR")]));
    let seeds =
        (0..40).map(|seed| four().with_seed(seed).turn(&[(1, "S1GR S1BU"), (2, "C9GR C9BU")]));
    all.extend(seeds);
    all
}

/// Games that are over: won by the last one left, by points, and by allies with or without a
/// winner.
fn ends() -> Vec<Board> {
    let over = |mut board: Board, scores: &[(i64, u32)]| {
        let mut end = points::end(&board.state);
        for (known, score) in end.scores.iter_mut().zip(scores) {
            *known = *score;
        }
        board.state.over = Some(end);
        board
    };
    let real = || Board::of("real", 12, &[]).turn(&[]);
    let most = real().state.tables.figures.real.winner_points;
    let real = |first: i64| over(real(), &[(first, 1), (1, 2), (0, 3)]);
    let last = over(Board::starting("TU SP SW NE").turn(&[]), &[(30, 1), (20, 2)]);
    let points = over(Board::of("1939", 13, &[]).turn(&[]), &[(99, 1), (12, 2)]);
    vec![last, points, real(most), real(1)]
}

#[test]
fn every_kind_of_sentence_is_told_by_the_body_too() {
    let mut court = Court::new(KINDS);
    games(&mut court);
    for (n, board) in boards().iter().chain(&ends()).enumerate() {
        board.hold(&mut court, &format!("board {n}"));
    }
    court.close();
}

#[test]
fn a_conquest_outranks_units_lost_elsewhere_and_a_caught_spy() {
    let board = (0..200)
        .map(|seed| {
            Board::starting("TU SP SW NE")
                .with_seed(seed)
                .set("BU", |c| (c.army, c.navy, c.air, c.industry) = (1, 0, 0, 0))
                .set("UK", |c| (c.army, c.air) = (40, 9))
                .turn(&[(1, "S1GR\n@TU AC30BU AC5UK"), (2, "C9GR")])
        })
        .find(|b| b.first(1).iter().any(|s| s.starts_with("Your spies were caught")))
        .expect("a spy is caught now and then");
    let first = board.first(1);
    let at = |begins: &str| first.iter().position(|s| s.starts_with(begins));
    let took = at("You took Bulgaria (BU)");
    assert!(took.is_some(), "{first:?}");
    assert!(at("You lost ").is_none_or(|lost| Some(lost) > took), "{first:?}");
    assert!(at("Your spies were caught") > took, "{first:?}");
}

#[test]
fn an_attack_on_a_minor_that_obeys_its_attacker_is_no_defence_of_it() {
    let board = Board::starting("TU SP SW NE").controlled("GR", 1);
    let board = board.set("GR", |c| c.army = 90).turn(&[(1, "@TU AC10GR")]);
    let first = board.first(1);
    assert!(first.iter().any(|s| s == "You attacked Greece (GR) in vain."), "{first:?}");
    assert!(!first.iter().any(|s| s.starts_with("You held ")), "{first:?}");
}
