//! What the echo says of each wrong order (§19.1).

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::field::Field;
use empire_deluxe::game::{Stage, State};
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::orders::{self, Order, Task};
use engine::{CardText, Mark, Rules, Seat};

use crate::scene::Scene;

const MAP: &str = "\
..........
..--^-....
..-*---...
..----*...
..........
";

/// A seat with a city inland-wards and one at the coast, an army, a transport, a fighter.
fn state(edition: Edition) -> State {
    let mut scene = Scene::new(edition, 2, MAP).city(1, 4, 3).city(1, 7, 4);
    let foot = edition.foot();
    scene.put(1, foot, 5, 3);
    scene.put(1, Kind::Tr, 8, 4);
    if edition != Edition::Basic {
        scene.put(1, Kind::Fi, 4, 3);
    }
    let Field { world, .. } = scene.field;
    State { world, stage: Stage::Sitting { seat: Seat(1), part: 1 }, first: 1, sitting: 1 }
}

fn notes(state: &State, card: &str) -> Vec<String> {
    let view = EmpireDeluxe::view(state, &[], Seat(1));
    let judged = EmpireDeluxe::judge(&view, &CardText::new(card), 0);
    judged.lines.into_iter().map(|l| format!("{}: {}", l.mark.as_str(), l.note)).collect()
}

#[test]
fn every_wrong_order_is_told_what_is_wrong() {
    let state = state(Edition::Standard);
    let cases = [
        ("Y 3", "error: there is no such order; there are M, D, A"),
        ("M 99 2,2", "error: you have no such unit"),
        ("M 1 60,5", "error: 60,5 is outside the 10 × 5 map"),
        ("M 1 0,5", "error: 0,5 is outside the 10 × 5 map"),
        ("P 1 BO", "error: Bomber is not in the standard edition"),
        ("P 1 XX", "error: \"XX\" is no kind; there are AR, FI, TR"),
        ("P 9 AR", "error: you have no such city"),
        ("M 1 8,4", "error: Army cannot enter water at 8,4"),
        ("M 2 5,3", "error: Transport cannot enter clear land at 5,3"),
        ("D 1 60", "error: directions are 1 to 9: 8 is up, 5 waits"),
        ("L 3 2", "error: Transport 2 takes no Fighter"),
        ("L 1 7", "error: you have no unit 7"),
        ("U 3", "error: Fighter carries nothing"),
        ("Q 1 4", "error: unit 1 is no Transport"),
        ("X RESIGN", "error: repeat it with YES: X RESIGN YES"),
        ("M 1", "error: the form is M units x,y, such as M 17 23,9"),
        ("THEN S", "remark: "),
        ("P 1 AR / THEN S", "error: THEN goes on with orders of units"),
        ("N 1", "error: the form is N unit name"),
    ];
    for (card, told) in cases {
        let is = &notes(&state, card)[0];
        assert!(is.starts_with(told), "{card}: {is}, not {told}");
    }
    let long = format!("M 1 5,3{}", " > W 1".repeat(8));
    assert_eq!(notes(&state, &long)[0], "error: a queue has at most 8 steps");
    assert_eq!(notes(&state, "M 1 5,4\nM 1 6,3")[1], "ok, but: replaces the order above");
    assert_eq!(notes(&state, "MORE")[0], "ok, but: this was the last part: your turn ends here");
}

#[test]
fn ships_are_refused_where_no_water_is_and_cities_to_ships() {
    // The first city lies inland.
    let inland = "------\n-*----\n------\n----*.\n";
    let mut scene = Scene::new(Edition::Standard, 2, inland).city(1, 2, 2).city(2, 5, 4);
    scene.put(1, Kind::De, 6, 4);
    let Field { world, .. } = scene.field;
    let stage = Stage::Sitting { seat: Seat(1), part: 1 };
    let state = State { world, stage, first: 1, sitting: 1 };
    let told = &notes(&state, "P 1 DE")[0];
    assert_eq!(told, "error: the city at 2,2 has no water next to it, so it builds no Destroyer");
    assert_eq!(notes(&state, "A 1 5,4")[0], "error: only land units take cities");
}

#[test]
fn airbases_stay_and_are_no_city_s_work() {
    let mut state = state(Edition::Advanced);
    assert_eq!(notes(&state, "U 1")[0], "ok: ");
    assert_eq!(notes(&state, "P 1 AB")[0], "error: no city builds Airbase: order U to Infantry");
    let side = state.world.side_mut(Seat(1)).expect("a seat");
    side.units.get_mut(&1).expect("it").kind = Kind::Ab;
    assert_eq!(notes(&state, "M 1 6,3")[0], "error: airbases stay where they are");
}

#[test]
fn what_a_city_has_done_is_told_before_it_is_lost() {
    let mut state = state(Edition::Standard);
    let at = state.world.ground.cities()[0];
    let city = state.world.city_mut(at).expect("a city");
    (city.list, city.done) = (vec![Kind::Ar], 4);
    assert_eq!(notes(&state, "P 1 FI")[0], "ok, but: 4 turns of work are lost");
    assert_eq!(notes(&state, "P 1 AR FI")[0], "ok: ");
}

#[test]
fn every_form_of_an_order_is_read() {
    let state = state(Edition::Standard);
    let (ground, options) = (&state.world.ground, &state.world.options);
    let read = |card: &str| orders::read(ground, options, &CardText::new(card));
    let card = "P 1 TR / P 2 AR AR AR / PD AR\nM 1 5,4 > A 6,3 # and takes it\nT 2 10,5 8,1\n\
                M 2 9,4\nTHEN U 7,4\nE 3 / S 1-3 / Z 2 M 5,4 > S\nM ALL AR AT 1 5,4\nCLOSE";
    let entries = read(card);
    assert!(entries.iter().all(|e| e.read.is_ok()), "{entries:?}");
    assert_eq!(entries.len(), 11);
    let tasks = |n: usize| match &entries[n].read {
        Ok(Order::Units(_, tasks)) => tasks.len(),
        other => panic!("{other:?}"),
    };
    assert_eq!((tasks(3), tasks(5)), (2, 2), "queues over a line's end and within it");
    let Ok(Order::Units(_, path)) = &read("D 1 69 4")[0].read else { panic!("a path") };
    assert_eq!(path[..], [Task::Path(vec![3, 2, 7])]);
    for topic in orders::help() {
        for example in &topic.examples {
            assert!(orders::starts_order(example), "{example}");
            let told = read(example).remove(0).read;
            let misread = told.is_err_and(|t| ["form", "unknown"].contains(&t.code));
            assert!(!misread, "{example}");
        }
    }
    for prose in ["Hello there", "A nice game", "See you", "Thanks!", "More later", "P.S. bye"] {
        assert!(!orders::starts_order(prose), "{prose}");
    }
}

#[test]
fn a_right_card_is_ready_and_a_wrong_one_waits() {
    let state = state(Edition::Standard);
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let ready = |card: &str| EmpireDeluxe::judge(&view, &CardText::new(card), 0).ready;
    assert!(ready("M 1 5,4") && ready("CLOSE"));
    assert!(!ready("M 99 5,4") && !ready("") && !ready("hello"));
    let judged = EmpireDeluxe::judge(&view, &CardText::new("M 1 5,4 / M 99 1,1"), 0);
    assert_eq!(judged.lines[0].mark, Mark::Error, "the worst of a line is told");
    // In turns of all a card waits for the others, unless it says that it is done.
    let all = State { stage: Stage::All, ..state };
    let view = EmpireDeluxe::view(&all, &[], Seat(1));
    let ready = |card: &str| EmpireDeluxe::judge(&view, &CardText::new(card), 0).ready;
    assert!(!ready("M 1 5,4") && ready("M 1 5,4\nCLOSE"));
}
