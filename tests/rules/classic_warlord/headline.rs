//! §10: the first sentences of a printout.

use classic_warlord::ClassicWarlord;
use classic_warlord::board::Kind as BombKind;
use classic_warlord::state::{End, Event, Stage, State, Why};
use classic_warlord::turn::Hit;
use classic_warlord::view::View;
use engine::report::Line;
use engine::trial::{Trial, TrialOf};
use engine::{Headlines, Printouts, Rules, Seat, Sits};
use render::text::flat;

use crate::scene::{Scene, setup};
use crate::told::{self, Court, Kind, fit, lines};

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(|l| flat(l).replace('\u{a0}', " ")).collect()
}

fn first(scene: &Scene, seat: u8) -> Vec<String> {
    texts(&ClassicWarlord::headline(&scene.view(seat)).sentences)
}

fn needs(scene: &Scene, seat: u8) -> Vec<String> {
    texts(&ClassicWarlord::headline(&scene.view(seat)).needs)
}

fn duel() -> Scene {
    let scene = Scene::new(3).put(1, &[(501, 6), (526, 1)]).put(2, &[(549, 1), (553, 4)]);
    scene.put(3, &[(506, 3)]).turn_of(1).moving()
}

/// The duel, attacked until the region is taken.
fn taken() -> Scene {
    for seed in 1..50 {
        let mut scene = duel();
        scene.seed = seed;
        scene.play(&[(1, "K 501 549 E E E E\nM 501 549 1")]);
        if scene.owner(549) == 1 {
            return scene;
        }
    }
    panic!("some number is not guessed");
}

#[test]
fn a_lost_region_comes_first_with_its_name_and_number() {
    let scene = taken();
    let told = first(&scene, 2);
    assert!(told[0].starts_with("You lost ") && told[0].contains("(549) to Red."), "{told:?}");
    let told = first(&scene, 1);
    assert!(told[0].starts_with("You took ") && told[0].contains("(549) from Blue."), "{told:?}");
    let told = first(&scene, 3);
    let news = told.iter().find(|s| s.starts_with("Red took ")).expect("all see it");
    assert!(news.contains("(549) from Blue."), "{told:?}");
    let all = ClassicWarlord::chronicle(&scene.state, &scene.events);
    assert!(texts(&all)[0].starts_with("Red took "), "{all:?}");
}

#[test]
fn attacks_of_one_seat_on_another_share_a_sentence() {
    let mut scene = duel();
    scene.play(&[(1, "K 501 549 1 2 3 1 2"), (2, "G * E")]);
    let told = first(&scene, 1);
    let own: Vec<&String> = told.iter().filter(|s| s.contains("549")).collect();
    assert!((1..=2).contains(&own.len()), "won and lost, or one of them: {told:?}");
    assert!((3..=7).contains(&told.len()), "{told:?}");
}

#[test]
fn a_game_begins_with_who_one_is_and_a_quiet_turn_says_how_things_stand() {
    let scene = Scene::with(4, &[]);
    let told = first(&scene, 2);
    assert_eq!(told.len(), 3, "{told:?}");
    assert_eq!(told[0], "You are Blue, one of 4 players.");
    let quiet = duel();
    let told = first(&quiet, 3);
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].starts_with("You are Green and hold 1 region in 1 empire"), "{told:?}");
    assert_eq!(told[1], "Round 1: it is the turn of Red.");
    assert!(needs(&quiet, 3).is_empty());
    assert!(needs(&quiet, 1)[0].starts_with("Your turn is awaited"), "{:?}", needs(&quiet, 1));
}

#[test]
fn extra_armies_are_asked_for_until_they_are_placed() {
    let mut scene = Scene::new(2).put(1, &[(501, 6), (526, 1)]).put(2, &[(549, 1)]).turn_of(1);
    let asked = needs(&scene, 1);
    assert!(asked[0].contains(" extra arm") && asked[0].contains("to place"), "{asked:?}");
    scene.play(&[(1, "P 501 *\nM 501 516 1\nZ")]);
    assert_eq!(needs(&scene, 1), ["Your turn is awaited: moves and attacks."]);
}

#[test]
fn a_guess_that_is_asked_for_stands_first_and_needs_orders() {
    let mut scene = duel();
    scene.play(&[(1, "K 501 549 3"), (2, "G 549 LIVE 1")]);
    if scene.view(2).asked().is_some() {
        let told = first(&scene, 2);
        assert!(told[0].starts_with("Red attacks ") && told[0].contains("6 against 1"), "{told:?}");
        assert_eq!(needs(&scene, 2), ["Your guess is asked for."]);
        // Diaries report a turn when it is over.
        assert_eq!(ClassicWarlord::headline(&scene.view(2)).told, 0);
        assert!(ClassicWarlord::chronicle(&scene.state, &scene.events).is_empty());
    } else {
        panic!("the guess is asked for");
    }
}

/// Kinds of sentences, and the words of the body for each.
const KINDS: &[Kind] = &[
    Kind(
        "The game is over without a winner: {why}.",
        &["The game is over without a winner: {why}."],
    ),
    Kind("{who} has won: {why}.", &["{who} has won: {why}."]),
    Kind("{who} and {other} share the draw: {why}.", &["{who}, {other} share the draw: {why}."]),
    Kind("You are among the winners of this game.", &["* has won: *", "* share the draw: *"]),
    Kind(
        "You have not won this game.",
        &["* has won: *", "* share the draw: *", "The game is over without a winner: *"],
    ),
    Kind(
        "{by} attacks {to} ({at}) from {from} ({start}), {here} against {there}: your guess is asked.",
        &["{by} (*) attacks {at} {to} from {start} {from}: {here} against {there}, number *"],
    ),
    Kind(
        "You lost {regions*} to {by}.",
        &[
            "{regions*} *{by}, attacking*, defending*aptured*",
            "{regions*} *{by}, attacking*, defending*Taken after *",
        ],
    ),
    Kind(
        "You took {regions*} from {of}.",
        &[
            "{regions*} *attacking*{of}, defending*aptured*",
            "{regions*} *attacking*{of}, defending*Taken after *",
        ],
    ),
    Kind(
        "{by} took {regions*} from {of}.",
        &[
            "{regions*} *{by}, attacking*{of}, defending*aptured*",
            "{regions*} *{by}, attacking*{of}, defending*Taken after *",
        ],
    ),
    Kind(
        "You lost armies in {n} attack of {by} on {regions*}.",
        &["{regions*} *{by}, attacking*defending*"],
    ),
    Kind(
        "You lost armies in {n} attacks of {by} on {regions*}.",
        &["{regions*} *{by}, attacking*defending*"],
    ),
    Kind("You won {n} attack of yours on {regions*}.", &["{regions*} *attacking*defending*"]),
    Kind("You won {n} attacks of yours on {regions*}.", &["{regions*} *attacking*defending*"]),
    Kind(
        "You beat off {n} attack of {by} on {regions*}.",
        &["{regions*} *{by}, attacking*defending*"],
    ),
    Kind(
        "You beat off {n} attacks of {by} on {regions*}.",
        &["{regions*} *{by}, attacking*defending*"],
    ),
    Kind("You lost {n} attack of yours on {regions*}.", &["{regions*} *attacking*defending*"]),
    Kind("You lost {n} attacks of yours on {regions*}.", &["{regions*} *attacking*defending*"]),
    Kind(
        "You fired the {kind} of {from} ({start}) at {to} ({at}): {all} armies fell, {n} of them yours.",
        &["* fired the {kind} of {start} {from} at {at} {to}.*Armies lost: * {n}*"],
    ),
    Kind(
        "You fired the {kind} of {from} ({start}) at {to} ({at}): {n} arm{y} fell.",
        &["* fired the {kind} of {start} {from} at {at} {to}.*Armies lost: *"],
    ),
    Kind(
        "You fired the {kind} of {from} ({start}) at {to} ({at}): you lost {n} arm{y}.",
        &["* fired the {kind} of {start} {from} at {at} {to}.*Armies lost: * {n}.*"],
    ),
    Kind(
        "{by} fired the {kind} of {from} ({start}) at {to} ({at}): {all} armies fell, {n} of them yours.",
        &["{by} (*) fired the {kind} of {start} {from} at {at} {to}.*Armies lost: * {n}*"],
    ),
    Kind(
        "{by} fired the {kind} of {from} ({start}) at {to} ({at}): {n} arm{y} fell.",
        &["{by} (*) fired the {kind} of {start} {from} at {at} {to}.*Armies lost: *"],
    ),
    Kind(
        "{by} fired the {kind} of {from} ({start}) at {to} ({at}): you lost {n} arm{y}.",
        &["{by} (*) fired the {kind} of {start} {from} at {at} {to}.*Armies lost: * {n}*"],
    ),
    Kind("You have no army left and are out of the game.", &["* has no army left and is out."]),
    Kind(
        "{who} has no army left and is out of the game.",
        &["{who} (*) has no army left and is out."],
    ),
    Kind("{who} is played by nobody any more.", &["{who} (*) is played by nobody; *"]),
    Kind("{who} votes for a draw.", &["{who} (*) votes for a draw."]),
    Kind("Somebody without a name wrote to you.", &["From somebody who is not named:"]),
    Kind("{who} and somebody without a name wrote to you.", &["From {who} (*):"]),
    Kind("{who} wrote to you.", &["From {who} (*):"]),
    Kind("You took {regions*} in the draft.", &["* took *{regions*} *"]),
    Kind("{who} took {regions*} in the draft.", &["{who} (*) took *{regions*} *"]),
    Kind("You are {who}, one of {all} players.", &["* {who} | *"]),
    Kind(
        "You are {who} and hold {regions} region{s} in {empires} empire{es}, with {armies} arm{y}.",
        &["* {who} | {empires} | {regions} | * | {armies} | *"],
    ),
    Kind(
        "Round {n} of the draft: mountains to begin on are taken.",
        &["Round {n} of the draft: *", "Mountains are taken; *"],
    ),
    Kind("Round {n}: it is your turn.", &["You are *; round {n}*", "* attacks *: * against *"]),
    Kind("Round {n}: it is the turn of {who}.", &["{who} (*) is to move.", "{who} (*) attacks *"]),
    Kind("Players still in the game: {left} of {all}.", &[]),
];

/// From the events: won and failed attacks by the seat and on it that took no region.
fn attacks(view: &View) -> [u32; 4] {
    let strikes = || {
        view.events.iter().filter_map(|e| match e {
            Event::Struck(by, strike) => Some((*by, strike)),
            _ => None,
        })
    };
    let mut all = [0; 4];
    for (by, strike) in strikes() {
        let way = (by, strike.target.to, strike.target.defender);
        let taken = strikes()
            .any(|(by, s)| s.hit == Hit::Captured && (by, s.target.to, s.target.defender) == way);
        if taken {
            continue;
        }
        let won = usize::from(strike.hit != Hit::Won);
        if by == view.seat {
            all[won] += 1;
        } else if strike.target.defender == view.seat {
            all[2 + won] += 1;
        }
    }
    all
}

/// Checks the printouts of all seats, the numbers of attacks too.
fn hold(court: &mut Court, state: &State, events: &[Event], whose: &str) {
    for seat in state.seats() {
        let view = ClassicWarlord::view(state, events, seat);
        let Some(report) = ClassicWarlord::report(&view, "") else { continue };
        let headline = ClassicWarlord::headline(&view).sentences;
        court.hold(&headline, &lines(&report), &format!("{whose}, seat {seat}"));
        let count = |begins: &str| -> u32 {
            let told = headline.iter().map(told::flat);
            let told = told.filter_map(|s| fit(&format!("{begins} {{n}} attack*"), &s));
            told.filter_map(|t| t["n"].parse::<u32>().ok()).sum()
        };
        if headline.len() < engine::headline::MOST {
            let told = ["You won", "You lost", "You lost armies in", "You beat off"].map(count);
            assert_eq!(told, attacks(&view), "{whose}, seat {seat}: {headline:?}");
        }
    }
    for line in ClassicWarlord::chronicle(state, events) {
        let said = told::flat(&line);
        assert!(KINDS.iter().any(|k| fit(k.0, &said).is_some()), "{said}");
    }
}

/// Games of computers with each printout checked.
fn games(court: &mut Court) {
    for (seats, boards, seed, steps) in [(2, "5", 1, 100), (3, "5", 2, 100)] {
        let made = setup(seats, &[("boards", boards)]);
        let mut trial = TrialOf::<ClassicWarlord>::new(&made, seed).expect("a game");
        for step in 1..=steps {
            trial.write_cards();
            trial.step();
            hold(court, trial.state(), trial.events(), &format!("game {seed}, step {step}"));
            if trial.result().is_some() {
                break;
            }
        }
    }
}

/// Scenes that are rare in games of computers.
fn scenes(court: &mut Court) {
    let mut show = |scene: &Scene| hold(court, &scene.state, &scene.events, "a scene");
    // A guess that is asked for, and attacks with and without luck.
    let mut asked = duel();
    asked.play(&[(1, "K 501 549 3"), (2, "G 549 LIVE 1")]);
    show(&asked);
    for seed in 1..30 {
        for numbers in ["3", "E", "1 2 3 1 2"] {
            let mut scene =
                Scene::new(3).put(1, &[(501, 6)]).put(2, &[(549, 5)]).turn_of(1).moving();
            scene.seed = seed;
            scene.play(&[(1, &format!("K 501 549 {numbers}")), (2, "G * E")]);
            show(&scene);
        }
    }
    show(&taken());
    // Bombs on oneself, on others, on both, on nobody.
    for (own, other) in [(0, 0), (0, 4), (3, 0), (3, 4)] {
        let mut scene = Scene::new(3).put(1, &[(505, 2)]).bomb(505, BombKind::H, 1);
        scene = if own > 0 { scene.put(1, &[(504, own)]) } else { scene };
        scene = if other > 0 { scene.put(2, &[(544, other)]) } else { scene };
        scene = scene.turn_of(1);
        scene.play(&[(1, "H 505 544\nZ")]);
        scene.play(&[]);
        show(&scene);
    }
    let mut own = Scene::new(3).put(1, &[(501, 2), (541, 1)]).bomb(501, BombKind::H, 1).turn_of(1);
    own.play(&[(1, "H 501 501\nZ")]);
    own.play(&[]);
    show(&own);
    // Letters, votes, and seats that nobody plays.
    for card in ["PRESS 2\nShall we?\nEND", "PRESS 2 ANON\nBeware.\nEND"] {
        let mut scene = duel();
        scene.play(&[(1, "Z"), (3, card)]);
        show(&scene);
        scene = duel();
        scene.play(&[(1, &format!("{card}\nZ")), (3, "PRESS 2 ANON\nBeware.\nEND")]);
        show(&scene);
    }
    let mut votes = duel();
    votes.play(&[(1, "Z"), (3, "V DRAW")]);
    show(&votes);
    let mut left = duel();
    left.sits.insert(Seat(2), Sits::Left);
    left.play(&[(1, "Z")]);
    show(&left);
    for (winners, why) in [(vec![], Why::Nobody), (vec![1], Why::Last), (vec![1, 2], Why::Votes)] {
        let mut over = duel();
        let end = End { winners: winners.into_iter().map(Seat).collect(), why };
        over.state.stage = Stage::Over(end.clone());
        over.events = vec![Event::Ended(end)];
        show(&over);
    }
    show(&duel());
    show(&Scene::with(4, &[]));
}

#[test]
fn every_kind_of_sentence_is_told_by_the_body_too() {
    let mut court = Court::new(KINDS);
    games(&mut court);
    scenes(&mut court);
    court.close();
}

#[test]
fn a_vote_that_was_taken_back_is_no_news() {
    let mut scene = duel();
    scene.play(&[(1, "Z"), (3, "V DRAW")]);
    let vote = "Green votes for a draw.".to_owned();
    assert!(first(&scene, 1).contains(&vote), "{:?}", first(&scene, 1));
    scene.play(&[(1, "Z"), (3, "V NODRAW")]);
    assert!(!first(&scene, 1).contains(&vote), "{:?}", first(&scene, 1));
}
