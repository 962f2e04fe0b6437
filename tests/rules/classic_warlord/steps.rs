//! Steps (§4, §7, §11): the draft, challenges, instalments, plans, votes, garrisons, the end.

use classic_warlord::ClassicWarlord;
use classic_warlord::draft::Draft;
use classic_warlord::map::{Category, Place};
use classic_warlord::state::{End, Event, Stage, Why};
use classic_warlord::turn::Hit;
use engine::{Books, Notice, Printouts, Rules, Seat, Sits, Until};

use crate::scene::Scene;

/// Madrid with six armies against two in La Mancha, and a third seat in Seville.
fn duel() -> Scene {
    let scene = Scene::new(3).put(1, &[(501, 6), (526, 1)]).put(2, &[(549, 2), (553, 4)]);
    scene.put(3, &[(506, 3)]).turn_of(1).moving()
}

fn label(scene: &Scene) -> String {
    ClassicWarlord::wait(&scene.state).label
}

fn awaited(scene: &Scene) -> Vec<u8> {
    ClassicWarlord::wait(&scene.state).seats.iter().map(|s| s.0).collect()
}

fn notices(scene: &Scene) -> [Notice; 3] {
    [1, 2, 3].map(|seat| ClassicWarlord::notice(&scene.view(seat)))
}

#[test]
fn a_challenge_asks_the_defender_and_the_plan_goes_on_behind_it() {
    let mut scene = duel();
    scene.play(&[(1, "K 501 549 3 2\nM 549 507 *\nZ"), (2, "G 549 LIVE 6/2\nG * 6")]);
    assert_eq!((label(&scene).as_str(), awaited(&scene)), ("round 1, Red attacks Blue", vec![2]));
    let live = Until::Clock { name: "live".to_owned(), hours: 24 };
    assert_eq!(ClassicWarlord::wait(&scene.state).until, live);
    assert_eq!(notices(&scene), [Notice::Brief, Notice::Brief, Notice::None]);
    // The answer is wrong; the second attack asks again, and no answer comes: 2 by the line.
    assert!(scene.judged(2, "Q 5").ready && !scene.judged(2, "Q 7").ready);
    assert_eq!(scene.notes(2, "Q 7"), ["error: the number was 1–6"]);
    scene.play(&[(2, "Q 5")]);
    assert_eq!(scene.strikes()[0].guesses, [5]);
    assert_eq!(awaited(&scene), [2]);
    scene.play(&[]);
    assert_eq!(
        (scene.strikes()[0].guesses.clone(), scene.strikes()[0].hit),
        (vec![2], Hit::Failed)
    );
    // The order to move was not possible: the region was not taken.
    assert!(scene.not_done()[0].contains("you do not hold 549"), "{:?}", scene.not_done());
    assert_eq!(
        (label(&scene).as_str(), awaited(&scene)),
        ("round 1, Red to move, part 2", vec![1])
    );
    assert_eq!(notices(&scene), [Notice::Full, Notice::None, Notice::None]);
    // The printout at the end of the turn reports all parts.
    scene.play(&[(1, "M 526 525 0\nM 501 546 1")]);
    assert_eq!(label(&scene), "round 1, Blue to move");
    let told = scene.view(2).events;
    assert_eq!(told.iter().filter(|e| matches!(e, Event::Struck(..))).count(), 2);
    assert_eq!(notices(&scene), [Notice::Brief, Notice::Full, Notice::Brief]);
}

#[test]
fn seals_of_numbers_and_guesses_are_opened_as_they_are_used() {
    let mut scene = duel();
    let keys =
        |j: engine::Judgement| j.seals.into_iter().map(|s| (s.key, s.text)).collect::<Vec<_>>();
    let attacker = keys(scene.judged(1, "K 501 549 3 E"));
    assert_eq!(attacker[0], ("K1.1-1.1".to_owned(), "501 attacks 549: number 3".to_owned()));
    assert_eq!(attacker[1], ("K1.1-1.2".to_owned(), "501 attacks 549: drawn by E".to_owned()));
    let defender = keys(scene.judged(2, "G 549 6/1\nG * 2:1"));
    let names: Vec<&str> = defender.iter().map(|s| s.0.as_str()).collect();
    assert_eq!(names, ["G1-1", "G1-1.1", "G1-1.2", "G1-2"]);
    scene.play(&[(1, "K 501 549 3 E"), (2, "G 549 6/1\nG * 2:1")]);
    let opened: Vec<(u8, &str)> = scene.opened.iter().map(|(s, k)| (s.0, k.as_str())).collect();
    // The second number was drawn: its weights stay closed.
    assert_eq!(opened, [(2, "G1-1.1"), (1, "K1.1-1.1"), (2, "G1-1.2")]);
}

#[test]
fn a_plan_follows_what_comes_of_it() {
    let plan = "K 501 549 1\nIF W\nIF N 549 = 1\nK 501 549 2\nIF C\nM 549 507 1\nELSE\nM 501 546 1\n\
                FI\nFI\nELSE\nM 501 516 1\nFI\nIF O 549 1\nM 501 517 1\nFI";
    let mut scene = duel();
    scene.play(&[(1, plan), (2, "G * 6")]);
    assert_eq!([549, 507, 517, 516, 546].map(|n| scene.owner(n)), [1, 1, 1, 0, 0]);
    let mut scene = duel();
    scene.play(&[(1, plan), (2, "G * 1")]);
    assert_eq!([549, 507, 517, 516, 546].map(|n| scene.owner(n)), [2, 0, 0, 1, 0]);
    let mut scene = duel();
    scene.play(&[(1, plan), (2, "G * 6/2")]);
    assert_eq!([549, 507, 517, 516, 546].map(|n| scene.owner(n)), [2, 0, 0, 0, 1]);
}

#[test]
fn a_turn_has_three_further_parts_at_most() {
    let mut scene = duel();
    for part in 2..=4 {
        scene.play(&[(1, "Z")]);
        assert_eq!(label(&scene), format!("round 1, Red to move, part {part}"));
    }
    assert_eq!(scene.notes(1, "Z"), ["error: a turn has at most 3 instalments"]);
    scene.play(&[(1, "Z")]);
    assert_eq!(label(&scene), "round 1, Blue to move");
    assert_eq!(
        duel().notes(1, "Z\nM 501 546 1")[1],
        "ok, but: not done: send it with the next part"
    );
}

#[test]
fn orders_that_wait_are_played_when_their_turn_comes() {
    let mut scene = duel();
    scene.play(&[(1, "Z"), (2, "G * 3\nP 553 *\nbad line\nK 553 501 2")]);
    assert_eq!(scene.carried[&Seat(2)], ["P 553 *", "bad line", "K 553 501 2"]);
    scene.play(&[(1, "M 501 546 1"), (2, "P 553 *\nK 553 501 2")]);
    assert_eq!((label(&scene).as_str(), scene.carried.len()), ("round 1, Blue to move", 1));
    assert!(!scene.carried.contains_key(&Seat(1)), "the turn's own card is used up");
}

#[test]
fn no_card_places_extra_armies_and_moves_nothing() {
    let mut scene = Scene::new(2).put(1, &[(501, 2), (546, 3)]).put(2, &[(549, 1)]).turn_of(1);
    scene.play(&[]);
    assert!(scene.events.contains(&Event::Missed(Seat(1))));
    assert_eq!((scene.armies(501), scene.armies(546)), (2, 5), "two more where most stand");
    assert_eq!(label(&scene), "round 1, Blue to move");
}

#[test]
fn the_first_line_of_guesses_that_fits_counts_and_new_ones_come_first() {
    let guess = |lines: &[&str]| {
        let mut scene = duel();
        for line in lines {
            scene.play(&[(1, "Z"), (2, line)]);
        }
        scene.play(&[(1, "K 501 549 3")]);
        scene.strikes()[0].guesses.clone()
    };
    assert_eq!(guess(&["G P2 1\nG M5 2\nG D3 3\nG Y 4\nG G M6 5\nG * 6"]), [5]);
    assert_eq!(guess(&["G * 1", "G 549 D2 P1 2"]), [2]);
    assert_eq!(guess(&["G * 1", "G Y 2"]), [1]);
    assert_ne!(guess(&["G * 6", "G 0\nG * 4"]), [6]);
}

#[test]
fn all_who_play_must_vote_for_a_draw() {
    let mut scene = duel();
    scene.play(&[(1, "Z"), (2, "V DRAW"), (3, "V DRAW")]);
    assert!(scene.view(1).side(Seat(2)).is_some_and(|s| s.draw));
    scene.play(&[(1, "Z"), (3, "V NODRAW")]);
    scene.play(&[(1, "Z\nV DRAW")]);
    assert!(!matches!(scene.state.stage, Stage::Over(_)));
    scene.play(&[(3, "V DRAW")]);
    let end = End { why: Why::Votes, winners: vec![Seat(1), Seat(2), Seat(3)] };
    assert_eq!(scene.state.stage, Stage::Over(end));
    let scores = ClassicWarlord::result(&scene.state).expect("a result");
    assert!(scores.iter().all(|s| (s.rank, s.points) == (1, 33)));
}

#[test]
fn a_seat_that_is_left_stands_as_a_garrison_and_need_not_fall() {
    let mut scene = duel();
    scene.sits.insert(Seat(2), Sits::Left);
    scene.play(&[(1, "K 501 549 1")]);
    assert!(scene.events.contains(&Event::Garrison(Seat(2))));
    assert_eq!(awaited(&scene), [3], "it takes no turns");
    // Somebody takes the garrison over.
    scene.sits.insert(Seat(2), Sits::Player);
    scene.play(&[]);
    assert!(scene.events.contains(&Event::Back(Seat(2))));
    scene.play(&[]);
    assert_eq!(awaited(&scene), [2]);
    // When all others have left, the last one has won; those who left later rank higher.
    scene.sits.insert(Seat(2), Sits::Left);
    scene.play(&[]);
    scene.sits.insert(Seat(3), Sits::Left);
    scene.play(&[]);
    let ranks: Vec<u32> =
        ClassicWarlord::result(&scene.state).expect("over").iter().map(|s| s.rank).collect();
    assert_eq!(ranks, [1, 3, 2]);
}

#[test]
fn who_wipes_everybody_out_shares_a_draw() {
    use classic_warlord::board::Kind;
    let mut scene = Scene::with(2, &[("boards", "5")]).put(1, &[(501, 2)]).put(2, &[(549, 2)]);
    scene = scene.bomb(501, Kind::H, 1).turn_of(1);
    scene.play(&[(1, "H 501 501")]);
    let end = End { why: Why::Nobody, winners: vec![Seat(1), Seat(2)] };
    assert_eq!(scene.state.stage, Stage::Over(end));
    let scores = ClassicWarlord::result(&scene.state).expect("a result");
    assert!(scores.iter().all(|s| (s.rank, s.points) == (1, 50)));
}

#[test]
fn the_last_round_is_ranked_by_regions_and_armies() {
    let mut scene = Scene::with(3, &[("rounds_max", "1")]);
    scene = scene.put(1, &[(501, 1)]).put(2, &[(601, 1), (603, 1)]).put(3, &[(701, 9)]).turn_of(1);
    for _ in 0..3 {
        scene.play(&[]);
    }
    let ranks: Vec<u32> =
        ClassicWarlord::result(&scene.state).expect("over").iter().map(|s| s.rank).collect();
    assert_eq!(ranks, [3, 1, 2]);
}

#[test]
fn counters_run_out_where_they_are_limited() {
    let scene = Scene::with(2, &[("army_cap", "200")]).put(1, &[(501, 198), (526, 1)]);
    let mut scene = scene.turn_of(1);
    scene.play(&[]);
    assert_eq!(scene.state.board.total(Seat(1)), 200, "one of three is left out");
}

#[test]
fn the_live_draft_awaits_one_pick_at_a_time() {
    let mut scene = Scene::with(2, &[("boards", "5"), ("draft", "live")]);
    scene.state.stage = Stage::Draft(Draft { left: vec![Seat(1), Seat(2)], round: 1 });
    assert_eq!(awaited(&scene), [1]);
    scene.play(&[(1, "S 514"), (2, "S 518")]);
    assert_eq!((scene.owner(514), scene.owner(518), awaited(&scene)), (1, 0, vec![2]));
    scene.play(&[(2, "S 515 518")]);
    assert_eq!((scene.owner(515), scene.owner(518), awaited(&scene)), (0, 2, vec![1]));
    assert_eq!(label(&scene), "the draft, round 2");
}

#[test]
fn the_suggested_list_is_long_enough_for_the_whole_draft() {
    for (seats, boards) in [(2, "5"), (3, "1 2 3 4 5 6 7 8"), (7, "1 2 3 4 5 6 7 8")] {
        let mut scene = Scene::with(seats, &[("boards", boards)]);
        let primer = ClassicWarlord::primer(&scene.view(1));
        let lists = primer.orders.iter().map(|(order, _)| order.as_str());
        let lists: Vec<&str> = lists.filter(|order| order.starts_with("S ")).collect();
        assert!(lists.iter().all(|line| line.len() <= 30), "{lists:?}");
        let wishes = |text: &str| text.split_whitespace().filter(|w| *w != "S").count();
        let card = lists.join("\n");
        // Even if everybody has the same list, no pick of this seat goes beyond the end of its
        // list.
        let judged = scene.judged(1, &card);
        assert!(judged.lines.iter().all(|l| l.note.is_empty()), "{:?}", judged.lines);
        let short = scene.notes(1, "S 518 514");
        let cards: Vec<(u8, &str)> = (1..=seats).map(|seat| (seat, card.as_str())).collect();
        scene.play(&cards);
        let picks = scene.events.iter().filter_map(|e| match e {
            Event::Picked(Seat(1), at) => Some(scene.state.board.map().region(*at).number),
            _ => None,
        });
        let picks: Vec<String> = picks.map(|n| n.to_string()).collect();
        let behind = picks.iter().filter(|n| !card.contains(n.as_str())).count();
        let all = scene
            .state
            .board
            .map()
            .places()
            .filter(|p| scene.state.board.map().category(*p) == Category::Mountains);
        let all = all.count();
        assert!(wishes(&card) >= (2 * picks.len()).min(60).min(all), "{picks:?} of {card}");
        assert!(behind == 0 || wishes(&card) == 60, "{picks:?} of {card}");
        // The echo of a short list says how many mountains its seat will take.
        let told = |n: usize| format!("your list has 2, and you will take about {n}:");
        let mut near = picks.len() - 1..=picks.len() + 1;
        assert!(near.any(|n| short[0].contains(&told(n))), "{picks:?}: {}", short[0]);
    }
}

#[test]
fn wrong_options_are_named() {
    let wrong = |options: &[(&str, &str)]| {
        let setup = crate::scene::setup(7, options);
        let made = ClassicWarlord::new_game(&setup, &mut engine::Dice::new(1));
        made.map(|_| ()).expect_err("refused").join("\n")
    };
    assert!(wrong(&[("boards", "9")]).contains("there is no board 9"));
    assert!(
        wrong(&[("boards", "five")]).contains("boards is a list of board numbers, such as 5, 6")
    );
    assert!(wrong(&[("draft", "lots")]).contains("draft is list or live"));
    assert!(wrong(&[("live_hours", "0")]).contains("live_hours is a number from 1 to 8760"));
    assert!(wrong(&[("computers", "smart")]).contains("computers is easy, normal or hard"));
}

#[test]
fn seals_of_orders_that_wait_are_those_that_their_turn_opens() {
    let mut scene = duel();
    let card = "P 549 *\nK 549 501 1";
    let sealed: Vec<String> = scene.judged(2, card).seals.into_iter().map(|s| s.key).collect();
    scene.play(&[(1, "M 501 546 1"), (2, card)]);
    let carried = scene.carried[&Seat(2)].join("\n");
    assert_eq!(carried, card);
    scene.play(&[(2, &carried)]);
    let opened: Vec<&String> =
        scene.opened.iter().filter(|o| o.0 == Seat(2)).map(|o| &o.1).collect();
    assert_eq!(opened, sealed.iter().collect::<Vec<_>>());
}

#[test]
fn a_pick_that_leaves_too_few_for_those_behind_it_is_not_possible() {
    let scene = Scene::new(2);
    let map = scene.state.board.map();
    let mountain = |p: &Place| map.category(*p) == Category::Mountains;
    // Three in a row: the middle one touches both others, which do not touch.
    let row = map.places().filter(mountain).find_map(|middle| {
        let near: Vec<Place> = map.near(middle).filter(mountain).collect();
        let apart = |a: &Place| near.iter().copied().find(|b| b > a && !map.touch(*a, *b));
        near.iter().find_map(|a| Some((*a, middle, apart(a)?)))
    });
    let (west, middle, east) = row.expect("three mountains in a row");
    let legal = [west, middle, east].into();
    let draft = |left: &[u8]| Draft { left: left.iter().map(|n| Seat(*n)).collect(), round: 1 };
    let allows = |left: &[u8], at| draft(left).allows(&scene.state.board, &legal, at);
    assert_eq!([west, middle, east].map(|p| allows(&[1, 2], p)), [true, false, true]);
    assert_eq!([west, middle, east].map(|p| allows(&[2], p)), [true; 3], "nobody is behind");
}
