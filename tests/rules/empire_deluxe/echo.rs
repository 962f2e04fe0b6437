//! The answer of the echo to each wrong order (§19.1).

use empire_deluxe::EmpireDeluxe;
use empire_deluxe::check::Check;
use empire_deluxe::event::What;
use empire_deluxe::field::Field;
use empire_deluxe::forecast::Forecast;
use empire_deluxe::ground::Terrain;
use empire_deluxe::kinds::{Edition, Kind};
use empire_deluxe::orders::{self, Flags, Order, Task};
use empire_deluxe::stage::{Stage, State};
use empire_deluxe::state::World;
use engine::trial::Trial;
use engine::{BySeat, CardText, Cards, Dice, Input, Mark, Rules, Seat};

use crate::campaign;
use crate::scene::Scene;

const MAP: &str = "\
..........
..--^-....
..-*---...
..----*...
..........
";

/// A seat with a city inland and one at the coast, an army, a transport, a fighter.
fn state(edition: Edition) -> State {
    let mut scene = Scene::new(edition, 2, MAP).city(1, 4, 3).city(1, 7, 4);
    let foot = edition.foot();
    scene.put(1, foot, 5, 3);
    scene.put(1, Kind::Tr, 8, 4);
    if edition != Edition::Basic {
        scene.put(1, Kind::Fi, 4, 3);
    }
    let Field { world, .. } = scene.field;
    State::of(world, Stage::Sitting { seat: Seat(1), part: 1 }, 1)
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
        ("Y 3", "error: there is no such order; orders are such as"),
        ("M 99 2,2", "error: you have no unit 99"),
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
        ("THEN S", "error: there is no order above to go on with"),
        ("P 1 AR / THEN S", "error: THEN goes on with orders of units"),
        ("N 1", "error: the form is N unit name"),
    ];
    for (card, told) in cases {
        let is = &notes(&state, card)[0];
        assert!(is.starts_with(told), "{card}: {is}, not {told}");
    }
    let long = format!("M 1 5,3{}", " > W 1".repeat(8));
    assert_eq!(notes(&state, &long)[0], "error: a queue has at most 8 steps");
    let twice = notes(&state, "M 1 5,4\nM 1 6,3");
    assert_eq!(twice[1], "ok, but: replaces the order above; at 6,3");
    // The echo promises nothing about an order that a later one replaces.
    assert_eq!(twice[0], "ok, but: replaced by an order below");
    for card in ["PD AR\nPD FI", "Z ALL S\nZ ALL E *"] {
        let told = notes(&state, card);
        assert_eq!(told[0], "ok, but: replaced by an order below", "{card}");
        assert!(!told[1].contains("replaced"), "{card}: {told:?}");
    }
    assert_eq!(notes(&state, "MORE")[0], "ok, but: this was the last part: your turn ends here");
}

/// A shore with everything that can be ordered wrongly, all seen by its player.
fn shore(edition: Edition) -> State {
    let map = "\
-^-*...----
---*......-
--.........
---........
";
    let mut scene = Scene::new(edition, 2, map).city(1, 4, 1).city(2, 4, 2);
    let foot = edition.foot();
    scene.put(1, foot, 3, 2); // 1
    scene.put(1, Kind::Tr, 5, 2); // 2
    for _ in 0..2 {
        scene.put(1, foot, 5, 2); // 3 and 4 are aboard
    }
    scene.put(1, Kind::De, 4, 3); // 5
    scene.put(1, Kind::Fi, 4, 1); // 6
    scene.put(1, Kind::Su, 6, 2); // 7
    scene.put(2, foot, 3, 4); // seen by the destroyer
    scene.put(2, Kind::Su, 5, 4); // by it too
    if edition == Edition::Advanced {
        scene.put(1, Kind::Am, 4, 1); // 8
        scene.put(1, Kind::Am, 4, 1); // 9
        scene.put(1, Kind::Am, 4, 1); // 10
        scene.put(1, Kind::In, 4, 1); // 11
        scene.put(1, Kind::Ca, 7, 2); // 12
        scene.put(1, Kind::Bo, 4, 1); // 13
        scene.put(1, Kind::Ab, 1, 1); // 14
    }
    let Field { mut world, .. } = scene.field;
    let seen: Vec<_> =
        world.ground.grid.places().filter(|p| world.ground.grid.col(*p) < 10).collect();
    let side = world.side_mut(Seat(1)).expect("a seat");
    for at in seen {
        side.known.see(at);
    }
    State::of(world, Stage::Sitting { seat: Seat(1), part: 1 }, 1)
}

#[test]
fn each_row_of_bad_input_has_its_answer() {
    let (standard, advanced) = (shore(Edition::Standard), shore(Edition::Advanced));
    let long = format!("M 1 3,1{}", " > W 1".repeat(8));
    let cases: &[(&str, &State, &str, &str)] = &[
        ("E01", &standard, "Y 3", "error: there is no such order; orders are such as"),
        ("E02", &standard, "M 99 3,1", "error: you have no unit 99"),
        ("E02", &standard, "P 9 AR", "error: you have no such city"),
        ("E03", &standard, "M 1 60,5", "error: 60,5 is outside the 11 × 4 map"),
        ("E04", &standard, "P 1 BO", "error: Bomber is not in the standard edition"),
        ("E06", &standard, "M 1 6,2", "error: Army cannot enter water at 6,2"),
        ("E06", &standard, "M 5 3,1", "error: Destroyer cannot enter clear land at 3,1"),
        ("E06", &advanced, "M 8 2,1", "error: Armor cannot enter mountains at 2,1"),
        ("E07", &standard, "A 7 3,4", "error: submarines and land units may not attack each other"),
        ("E07", &standard, "A 1 5,4", "error: submarines and land units may not attack each other"),
        (
            "E07",
            &standard,
            "A 5 3,4",
            "error: only cruisers and battleships attack what stands on land",
        ),
        ("E08", &standard, "A 5 4,2", "error: only land units take cities"),
        ("E08", &standard, "M 6 4,2", "error: only land units take cities"),
        ("E10", &standard, "M 1 10,1", "ok, but: no way there is known; it tries each turn"),
        ("E11", &standard, "D 1 60", "error: directions are 1 to 9: 8 is up, 5 waits"),
        ("E11", &standard, "D 1 6x", "error: directions are 1 to 9: 8 is up, 5 waits"),
        ("E12", &standard, "L 5 2", "error: Transport 2 takes no Destroyer"),
        ("E12", &advanced, "L 13 12", "error: Carrier 12 takes no Bomber"),
        ("E13", &standard, "U 6", "error: Fighter carries nothing"),
        ("E13", &advanced, "U 12", "error: nothing is aboard Carrier 12"),
        ("E13", &advanced, "U 11", "error: it can't become an airbase here"),
        ("E14", &standard, "E 3", "error: unit 3 is aboard Transport 2: it can only go onto land"),
        ("E15", &standard, &long, "error: a queue has at most 8 steps"),
        (
            "E15",
            &standard,
            "N 1 A name that is longer than twenty letters",
            "ok, but: a name has at most 20 letters: is A name that is longe now",
        ),
        ("E16", &standard, "X RESIGN", "error: repeat it with YES: X RESIGN YES"),
        ("E19", &advanced, "M 14 1,2", "error: airbases stay where they are"),
        ("E19", &advanced, "A 14 1,2", "error: airbases stay where they are"),
        ("E20", &standard, "MORE", "ok, but: this was the last part: your turn ends here"),
    ];
    for (row, state, card, told) in cases {
        let is = &notes(state, card)[0];
        assert!(is.starts_with(told), "{row}: {card}: {is}, not {told}");
    }
    // E18: the later order counts, and its note says so.
    assert_eq!(notes(&standard, "S 1\nM 1 3,1")[1], "ok, but: replaces the order above; at 3,1");
    // E12: a transport with two infantry aboard has room for two armor, not for three.
    let boards = notes(&advanced, "L 8 2\nL 9 2\nL 10 2");
    assert!(boards[2].contains("no room"), "{boards:?}");
    // E02: the note names units that do not exist.
    assert_eq!(notes(&standard, "S 1+77")[0], "ok, but: not unit 77: you have no unit 77");
    // E09: it says why it goes no farther, and what lets it go on.
    let mut low = standard.clone();
    low.world.side_mut(Seat(1)).expect("a seat").units.get_mut(&6).expect("it").fuel = 6;
    let flies = &notes(&low, "M 6 11,4")[0];
    let told = "turns back before it is out of range of its bases; add ! to risk it";
    assert!(flies.starts_with("ok, but: ") && flies.contains(told), "{flies}");
}

#[test]
fn ships_are_refused_where_no_water_is_and_cities_to_ships() {
    // The first city lies inland.
    let inland = "------\n-*----\n------\n----*.\n";
    let mut scene = Scene::new(Edition::Standard, 2, inland).city(1, 2, 2).city(2, 5, 4);
    scene.put(1, Kind::De, 6, 4);
    let Field { world, .. } = scene.field;
    let stage = Stage::Sitting { seat: Seat(1), part: 1 };
    let state = State::of(world, stage, 1);
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
    assert_eq!(notes(&state, "P 1 FI")[0], "ok, but: 4 turns of work are lost; Fighter in turn 13");
    assert_eq!(notes(&state, "P 1 AR FI")[0], "ok: Army in turn 3");
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
    assert_eq!(path[..], [Task::Path(vec![3, 2, 7], Flags::default())]);
    for topic in orders::help() {
        for example in &topic.examples {
            assert!(orders::starts_order(example), "{example}");
            let told = read(example).remove(0).read;
            let misread = told.is_err_and(|t| ["form", "unknown"].contains(&t.code));
            assert!(!misread, "{example}");
        }
    }
    assert!(orders::starts_order("press finland:"), "a letter is an order");
    for prose in [
        "Hello there",
        "A nice game",
        "See you",
        "Thanks!",
        "More later",
        "P.S. bye",
        "Press on with the attack",
    ] {
        assert!(!orders::starts_order(prose), "{prose}");
    }
}

#[test]
fn a_right_card_is_ready_and_a_wrong_one_waits() {
    let state = state(Edition::Standard);
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let ready = |card: &str| EmpireDeluxe::judge(&view, &CardText::new(card), 0).ready;
    assert!(ready("M 1 5,4\nCLOSE") && ready("CLOSE"));
    assert!(!ready("M 1 5,4") && !ready("M 99 5,4\nCLOSE") && !ready("") && !ready("hello"));
    let open = EmpireDeluxe::judge(&view, &CardText::new("M 1 5,4"), 0).forecast;
    assert_eq!(open[0].heading, "Your turn is still open");
    // CLOSE below a line in error says that it does not count.
    let wrong = &notes(&state, "M 99 5,4\nCLOSE")[1];
    assert!(wrong.starts_with("ok, but: does not count, for a line is in error"), "{wrong}");
    let judged = EmpireDeluxe::judge(&view, &CardText::new("M 1 5,4 / M 99 1,1"), 0);
    let marks: Vec<Mark> = judged.lines.iter().map(|l| l.mark).collect();
    assert_eq!(marks, [Mark::Ok, Mark::Error], "each order of a line is told by itself");
    // When all play at once a card waits for the others, unless it ends with CLOSE.
    let all = State { stage: Stage::All, ..state };
    let view = EmpireDeluxe::view(&all, &[], Seat(1));
    let ready = |card: &str| EmpireDeluxe::judge(&view, &CardText::new(card), 0).ready;
    assert!(!ready("M 1 5,4") && ready("M 1 5,4\nCLOSE"));
}

/// A strait: a city at each side, a transport with an army next to the first one, all seen.
fn strait(sitting: u32) -> State {
    let map = "--......--\n-*......*-\n--......--\n..........\n";
    let mut scene = Scene::new(Edition::Standard, 2, map).city(1, 2, 2).city(2, 9, 2);
    scene.put(1, Kind::Tr, 3, 2);
    scene.put(1, Kind::Ar, 3, 2);
    scene.put(1, Kind::Ar, 1, 1);
    scene.put(1, Kind::Fi, 2, 2);
    let Field { mut world, .. } = scene.field;
    let grid = world.ground.grid;
    let side = world.side_mut(Seat(1)).expect("a seat");
    grid.places().for_each(|at| {
        side.known.see(at);
    });
    let city = grid.at(8, 1).expect("a square");
    side.known.see_city(city, Some(Seat(2)), false, 1);
    State::of(world, Stage::Sitting { seat: Seat(1), part: 1 }, sitting)
}

#[test]
fn the_echo_says_where_each_unit_will_be_and_when() {
    let state = strait(1);
    let cases = [
        ("M 1 7,2", "ok: at 5,2, reaches 7,2 in turn 2, 1 aboard"),
        ("M 3 2,3", "ok: in city 1 at 2,2, reaches 2,3 in turn 2"),
        ("M 4 7,4", "ok: at 7,4, fuel 15"),
        ("S 3", "ok: "),
        ("L 3 1", "ok: in city 1 at 2,2, waits for Transport 1 at 3,2"),
        ("W 3 3", "ok: waits 2 more turns"),
        ("M 1 7,2 THEN U 8,1", "ok: at 5,2, reaches 7,2 in turn 2, 1 aboard"),
        ("E 2", "error: unit 2 is aboard Transport 1: it can only go onto land"),
        ("D 2 6", "ok, but: it waits until land is next to its ship"),
        ("D 2 4", "ok: in city 1 at 2,2"),
        ("A 4 9,2", "error: only land units take cities"),
        ("Q 1 2", "ok: takes 2 places at most"),
        ("PD FI", "ok: cities that you take begin with Fighter"),
    ];
    for (card, told) in cases {
        assert_eq!(notes(&state, card)[0], told, "{card}");
    }
    // Cargo acts after its ship, in the order of the card.
    let both = notes(&state, "D 1 66 / D 2 6");
    assert_eq!(both[0], "ok: at 5,2, 1 aboard");
    // Two turns at a sitting.
    let far = strait(2);
    assert_eq!(notes(&far, "M 1 7,2")[0], "ok: at 7,2 after turn 2, 1 aboard");
    assert_eq!(notes(&far, "M 3 1,2")[0], "ok: at 1,2 from turn 1");
}

#[test]
fn who_would_not_come_home_is_warned() {
    let mut state = strait(1);
    let side = state.world.side_mut(Seat(1)).expect("a seat");
    side.units.get_mut(&4).expect("it").fuel = 6;
    let told = &notes(&state, "M 4 9,4")[0];
    let warned = "ok, but: at 3,3, turns back before it is out of range of its bases; add ! to risk \
                  it, fuel 1";
    assert_eq!(told, warned);
    let told = "ok, but: at 7,4, runs out of fuel in turn 2 and is lost, fuel 1, no base in reach \
                any more";
    assert_eq!(notes(&state, "M 4 9,4 !")[0], told);
}

/// The promise of an echo about a flight.
#[derive(Debug, PartialEq, Eq)]
enum Promise {
    There(u32),
    Back(u32),
    Lost(u32),
    Nothing,
}

impl Promise {
    fn of(note: &str) -> Self {
        let turn = |behind: &str| {
            let figure = note.split_once(behind)?.1.split([',', ' ']).next()?;
            figure.parse().ok()
        };
        match () {
            () if note.contains("reaches ") => Self::There(turn(" in turn ").expect("a turn")),
            () if note.contains("turns back in ") => Self::Back(turn("in turn ").expect("a turn")),
            () if note.contains("is lost") => Self::Lost(turn("in turn ").unwrap_or(1)),
            () => Self::Nothing,
        }
    }
}

#[test]
fn a_flight_comes_where_its_echo_promises_and_when() {
    let (mut there, mut back, mut lost) = (0, 0, 0);
    // A base, another one on the way of some flights, and a friendly unit in the way.
    let mut map = vec![vec!['.'; 50]; 13];
    (map[6][4], map[4][20], map[12][49]) = ('*', '*', '*');
    let map: String =
        map.iter().map(|row| format!("{}\n", row.iter().collect::<String>())).collect();
    for order in ["M", "A"] {
        let mut scene =
            Scene::new(Edition::Standard, 2, &map).city(1, 5, 7).city(1, 21, 5).city(2, 50, 13);
        scene.put(1, Kind::Fi, 5, 7);
        scene.put(1, Kind::De, 9, 7);
        let Field { mut world, .. } = scene.field;
        world.options.sitting = false;
        let grid = world.ground.grid;
        let side = world.side_mut(Seat(1)).expect("a seat");
        grid.places().for_each(|at| {
            side.known.see(at);
        });
        let goals: Vec<_> =
            grid.places().filter(|p| world.ground.at(*p) != Terrain::City).collect();
        let state = State::of(world, Stage::Sitting { seat: Seat(1), part: 1 }, 1);
        for (goal, risk) in goals.iter().flat_map(|g| [(*g, ""), (*g, " !")]) {
            let card = format!("{order} 1 {}{risk}", state.world.ground.called(goal));
            let note = notes(&state, &card).swap_remove(0);
            let promise = Promise::of(&note);
            let mut now = state.clone();
            let mut cards = BySeat::from([(Seat(1), CardText::new(&card))]);
            let mut came = Promise::Nothing;
            // Two seats have a step each in a turn.
            for _ in 0..2 * 12 {
                let turn = now.world.turn;
                let input = Input { cards: &cards, seats: &BySeat::new() };
                now = EmpireDeluxe::step(now, &input, &mut Dice::new(1)).state;
                cards.clear();
                let units = &now.world.side(Seat(1)).expect("a seat").units;
                came = match units.get(&1) {
                    None => Promise::Lost(turn),
                    Some(unit) if unit.at == goal => Promise::There(turn),
                    // A plane that came home in the same turn no longer has orders.
                    Some(unit) if matches!(unit.orders.first(), None | Some(Task::Return)) => {
                        Promise::Back(turn)
                    }
                    Some(_) => continue,
                };
                break;
            }
            match promise {
                Promise::Nothing => {
                    assert!(!matches!(came, Promise::Lost(t) if t > 1), "{card}: {note}")
                }
                _ => assert_eq!(promise, came, "{card}: {note}"),
            }
            match promise {
                Promise::There(_) => there += 1,
                Promise::Back(_) => back += 1,
                Promise::Lost(_) => lost += 1,
                Promise::Nothing => {}
            }
        }
    }
    assert!(there > 100 && back > 100 && lost > 100, "{there} come, {back} turn back, {lost} end");
}

#[test]
fn a_fight_is_told_with_its_chance_and_not_fought() {
    let mut scene = Scene::new(Edition::Standard, 2, "-----\n-*-*-\n-----\n").city(1, 2, 2);
    scene.put(1, Kind::Ar, 3, 2);
    scene.put(1, Kind::Ar, 3, 3);
    scene.put(2, Kind::Ar, 4, 3);
    let Field { world, .. } = scene.field;
    let state = State::of(world, Stage::Sitting { seat: Seat(1), part: 1 }, 1);
    assert_eq!(notes(&state, "A 1 4,2")[0], "ok: attacks city 2 at 4,2 at 50 %");
    assert_eq!(notes(&state, "D 2 6")[0], "ok: attacks Army of player 2 at 4,3 at 50 %");
    assert_eq!(notes(&state, "M 2 4,3")[0], "ok, but: waits: an enemy is in the way");
}

#[test]
fn who_is_to_attack_whatever_it_meets_is_told_what_a_city_costs() {
    let state = state(Edition::Standard);
    let told = "each attacks alone what comes next to it at even chances or better, also free \
                cities: one Army takes a city 50 times of 100";
    for card in ["E 1 *", "S 1 *", "Z ALL E *", "Z 1 M 5,4 > S *", "ZD E *"] {
        let note = &notes(&state, card)[0];
        assert!(note.ends_with(told), "{card}: {note}");
    }
    // There is no such note for units that attack nothing, nor for ships.
    for card in ["E 1", "S 1", "Z ALL E", "S 2 *"] {
        let note = &notes(&state, card)[0];
        assert!(!note.contains("alone"), "{card}: {note}");
    }
}

#[test]
fn units_of_a_group_are_told_together() {
    let state = strait(1);
    assert_eq!(notes(&state, "S 1-4")[0], "ok: 1–4: ordered");
    let told = &notes(&state, "M ALL 2,2")[0];
    assert_eq!(told, "ok: 1–3: in city 1 at 2,2; 4: ordered");
    let some = &notes(&state, "M 1-4 1,2")[0];
    let start = "ok, but: not unit 1: Transport cannot enter clear land at 1,2; ";
    assert!(some.starts_with(start), "{some}");
}

#[test]
fn the_echo_lists_who_goes_on_and_who_needs_orders() {
    let mut state = strait(1);
    let to = state.world.ground.grid.at(0, 2).expect("on the map");
    let army = state.world.side_mut(Seat(1)).expect("a seat").units.get_mut(&3).expect("it");
    army.orders = vec![Task::Go(to, Flags::default())];
    let view = EmpireDeluxe::view(&state, &[], Seat(1));
    let judged = EmpireDeluxe::judge(&view, &CardText::new("M 1 7,2"), 0);
    let told = format!("{:?}", judged.forecast);
    assert!(told.contains("3: at 1,2, reaches 1,3 in turn 2."), "{told}");
    assert!(told.contains("city 1 at 2,2: FI 4, builds nothing"), "{told}");
}

#[test]
fn what_the_echo_says_of_known_ground_comes_true() {
    let (mut compared, mut sittings) = (0, 0);
    for (edition, order) in
        [("standard", "sequential"), ("advanced", "sequential"), ("standard", "simultaneous")]
    {
        for seed in 1..12 {
            let options = [("edition", edition), ("order", order), ("size", "60x40")];
            let mut trial = campaign::game(2, &options, seed);
            for _ in 0..60 {
                trial.write_cards();
                trial.step();
                let state = trial.state();
                let seat = EmpireDeluxe::wait(state).seats[0];
                let view = EmpireDeluxe::view(state, &[], seat);
                // Each unit goes to a square that it can enter.
                let known = view.known().expect("a seat");
                let grid = state.world.ground.grid;
                let lines: Vec<String> = (view.world.side(seat).expect("a seat").units.iter())
                    .filter_map(|(number, unit)| {
                        let goals = grid.within(unit.at, 4).filter(|p| {
                            let ground = state.world.ground.at(*p);
                            known.has_seen(*p) && ground != Terrain::City && ground.takes(unit.kind)
                        });
                        let goal = goals.last()?;
                        Some(format!("M {number} {}", state.world.ground.called(goal)))
                    })
                    .collect();
                let card = CardText::of(&lines);
                let mut trial = Forecast::new(&view);
                let entries = orders::read(&view.world.ground, &view.world.options, &card);
                let mut named = Vec::new();
                for entry in entries {
                    let Ok(Order::Units(pick, tasks)) = entry.read else { panic!("{entry:?}") };
                    let check = Check { field: &trial.field, seat };
                    let Ok(meant) = check.units(&pick, &tasks) else { continue };
                    empire_deluxe::commands::assign(&mut trial.field, seat, &meant.able, &tasks);
                    named.extend(meant.able);
                }
                trial.run(&named);
                let cards = [(seat, card)].into();
                let input = Input { cards: &cards, seats: &BySeat::new() };
                let done = EmpireDeluxe::step(state.clone(), &input, &mut Dice::new(9));
                let explored = |world: &World| world.side(seat).expect("a seat").known.explored();
                let met = done.events.iter().any(|e| !matches!(e.what, What::Built(..)));
                if met || explored(&done.state.world) != explored(&view.world) {
                    // Something new was seen, or somebody met.
                    continue;
                }
                sittings += 1;
                let is = |world: &World| {
                    let units = &world.side(seat).expect("a seat").units;
                    units.iter().map(|(n, u)| (*n, u.at, u.fuel, u.aboard)).collect::<Vec<_>>()
                };
                let (told, true_) = (is(&trial.field.world), is(&done.state.world));
                // Units that the next turn finishes came after it.
                let told: Vec<_> = told.into_iter().collect();
                let true_: Vec<_> = true_.into_iter().take(told.len()).collect();
                assert_eq!(told, true_, "{edition} {order} seed {seed}");
                compared += told.len();
            }
        }
    }
    assert!(compared > 400 && sittings > 100, "{compared} units in {sittings} sittings");
}
