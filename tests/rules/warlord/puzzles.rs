//! Positions in which a computer player has one right order.

use engine::Dice;
use warlord::bases::{BaseNo, Planes, Transfer};
use warlord::computer::play_at;
use warlord::level::{Level, Levels};
use warlord::state::{
    BATTERY, BATTLESHIP, BOMBER, Billet, CARRIER, Centre, JET, MISSILE, MISSILE_CRUISER,
    NUCLEAR_SUBMARINE, PARATROOPS, SHIELD, WARHEAD,
};
use warlord::tables::Terrain;

use super::board::*;

/// City 1 of seat 1 at C, city 2 of seat 2 at D two sectors further, F before it.
fn two_cities() -> Board {
    let drawing = "~~~~~~~~~~~~
                   ~...G......~
                   ~.C.FD.....~
                   ~..........~
                   ~~~~~~~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').turn(30);
    board.state.note_city(1, 2, 2);
    earning(board, 10)
}

/// A world with only city 1 of seat 1.
fn alone() -> Board {
    let drawing = "~~~~~~
                   ~.C..~
                   ~....~
                   ~~~~~~";
    earning(Board::new(2, drawing).city(1, 1, 'C').level(1, 1).turn(30), 10)
}

/// The board with an income of seat 1 in PP.
fn earning(mut board: Board, income: i64) -> Board {
    board.state.powers[1].income = income * 100;
    board
}

fn normal() -> Level {
    Levels::default().normal
}

/// The lines that seat 1 writes.
fn written(board: &Board, notes: &str, level: &Level) -> Vec<String> {
    let play = play_at(&board.view(1), notes, &mut Dice::new(1), level);
    let judged = board.judge(1, &play.card.text());
    assert!(judged.lines.iter().all(|l| l.mark != engine::Mark::Error), "{:?}", judged.lines);
    play.card.text().lines().map(str::to_owned).collect()
}

fn lines(board: &Board) -> Vec<String> {
    written(board, "", &normal())
}

fn builds(board: &Board, item: u8) -> bool {
    let level = Level { landings: 0, ..normal() };
    written(board, "", &level).contains(&format!("C 1 {item}"))
}

fn orders(board: &Board, letter: char) -> Vec<String> {
    lines(board).into_iter().filter(|l| l.starts_with(letter)).collect()
}

// ---- war

#[test]
fn puzzle_a_large_army_storms_a_garrison_that_costs_more_than_one_city_is_worth() {
    let mut board = two_cities().unit(1, 9, (1, INFANTRY), 'F');
    for no in 1..=4 {
        board = board.unit(1, no, (45, INFANTRY), 'C').unit(2, no, (20, INFANTRY), 'D');
    }
    let goal = board.sector('D');
    let storms = |level: &Level| written(&board, "", level).contains(&format!("A 2 {goal}"));
    assert!(storms(&normal()));
    assert!(!storms(&Level { worth: 0, ..normal() }), "the city alone is not worth it");
}

#[test]
fn puzzle_the_longer_the_game_the_smaller_the_odds_that_are_asked_for() {
    let force = |turn| {
        let board = two_cities().turn(turn).unit(1, 1, (26, INFANTRY), 'F');
        let board = board.unit(2, 1, (14, INFANTRY), 'D');
        let goal = board.sector('D');
        lines(&board).iter().any(|l| l.starts_with("A ") && l.ends_with(&goal))
    };
    assert!(!force(20), "a third of the force should be left against half as many again");
    assert!(force(60));
}

// ---- production and research

#[test]
fn puzzle_what_a_centre_does_next_is_chosen_anew() {
    // A truck is ready to be built again, long after the time of trucks.
    let mut board = alone().stock(1, 9);
    board.city_mut(1).centres = [Centre::Ready(INFANTRY), Centre::Ready(TRUCK), Centre::Idle];
    let level = Level { fighters: 0, landings: 0, research_rich: 0, ..normal() };
    let lines = written(&board, "", &level);
    // The idle centre first; the other is halted, as an order would take the first.
    assert_eq!(lines, ["C 1 32", "C 1 1", "C 1 1"]);
}

#[test]
fn puzzle_what_lies_idle_in_the_stock_goes_into_research() {
    let paid = |stock| {
        let board = alone().stock(1, stock);
        let paid = orders(&board, 'E');
        paid.first().map_or(0, |l| l[2..].parse::<i64>().expect("a number"))
    };
    assert_eq!(paid(20), 4, "what is due of an income of 10 PP");
    // Two and a half incomes stay.
    assert_eq!(paid(90), 65);
    // A seat without income keeps the price of three centres.
    assert_eq!(orders(&earning(alone().stock(1, 9), 0), 'E'), ["E 6"]);
}

#[test]
fn puzzle_jets_take_the_place_of_fighters_from_level_5_on() {
    assert!(builds(&alone().stock(1, 40), FIGHTER));
    assert!(builds(&alone().stock(1, 40).tech(1, 5), JET));
    assert!(builds(&alone().stock(1, 9).tech(1, 5), FIGHTER), "jets are for who can spare 8 PP");
}

#[test]
fn puzzle_a_city_that_was_bombed_gets_a_battery_and_one_only() {
    let mut board = two_cities().level(1, 1).planes(2, 0, 4).stock(1, 60).tech(1, 2);
    board = board.unit(1, 1, (3, INFANTRY), 'C');
    let bombs = format!("B 4 {}", board.sector('C'));
    assert!(!builds(&board, BATTERY));
    board.play(&[(2, &bombs)]);
    board = board.stock(1, 60);
    board.city_mut(1).centres = [Centre::Idle; 3];
    assert!(builds(&board, BATTERY));
    assert!(!builds(&board.clone().unit(1, 9, (1, BATTERY), 'C'), BATTERY));
    assert!(!builds(&board.tech(1, 1), BATTERY));
}

#[test]
fn puzzle_a_battery_neither_attacks_nor_claims_land() {
    let marches = |board: &Board, no: u16| {
        let orders = [format!("A {no} "), format!("S {no} ")];
        lines(board).iter().any(|l| orders.iter().any(|o| l.starts_with(o)))
    };
    let board = two_cities().unit(1, 1, (20, INFANTRY), 'C').unit(1, 2, (9, BATTERY), 'C');
    assert!(marches(&board, 1));
    assert!(!marches(&board, 2));
    // Before an open city, where tanks go in.
    assert!(marches(&two_cities().unit(1, 2, (45, TANK), 'F'), 2));
    assert!(!marches(&two_cities().unit(1, 2, (45, BATTERY), 'F'), 2));
}

// ---- missiles, warheads, defences

fn armed(missiles: u16, warheads: u16) -> Board {
    let board = two_cities().tech(1, 9).unit(1, 1, (40, INFANTRY), 'F');
    let board = board.unit(2, 1, (12, INFANTRY), 'D');
    board.arsenal(1, Planes::default(), missiles, warheads)
}

#[test]
fn puzzle_missiles_fall_on_the_city_that_is_stormed() {
    let board = armed(3, 0);
    let salvo = format!("R 3 {}", board.sector('D'));
    assert_eq!(orders(&board, 'R'), [salvo]);
    assert!(orders(&board.tech(1, 6), 'R').is_empty());
}

#[test]
fn puzzle_a_missile_stays_for_each_warhead() {
    assert_eq!(orders(&armed(3, 2), 'R').len(), 1);
    assert!(orders(&armed(3, 2), 'R')[0].starts_with("R 1 "));
    assert!(orders(&armed(1, 1), 'R').is_empty());
}

#[test]
fn puzzle_missiles_fall_on_who_stands_before_an_own_city() {
    let board = two_cities().tech(1, 7).unit(2, 1, (10, INFANTRY), 'F');
    let board = board.arsenal(1, Planes::default(), 4, 0).unit(1, 1, (2, INFANTRY), 'C');
    // Ten regiments survive up to 30 points of damage; a missile has 20.
    assert_eq!(orders(&board, 'R'), [format!("R 2 {}", board.sector('F'))]);
}

#[test]
fn puzzle_a_warhead_is_for_who_attacked_and_stands_strong_where_it_was_seen_lately() {
    let drawing = "~~~~~~~~~~~~
                   ~.C....D...~
                   ~~~~~~~~~~~~";
    let board = Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').turn(30).tech(1, 9);
    let mut board = earning(board, 10).arsenal(1, Planes::default(), 1, 1);
    board.state.note_city(1, 2, 2);
    let fires =
        |notes: &str| written(&board, notes, &normal()).iter().any(|l| l.starts_with("R A1"));
    assert!(fires("p 2 28\ng 2 15 28"));
    assert!(!fires("g 2 15 28"), "who did no harm is let be");
    assert!(!fires("p 2 28\ng 2 11 28"), "a small garrison is not worth it");
    assert!(!fires("p 2 28\ng 2 15 20"), "seen ten turns ago it may have gone");
    let goal = board.clone().unit(1, 1, (40, INFANTRY), 'C');
    let card = written(&goal, "p 2 28\ng 2 15 28", &normal());
    assert!(!card.iter().any(|l| l.starts_with("R A1")), "one's own goal is not laid waste");
}

#[test]
fn puzzle_weapons_are_built_from_their_levels_on_and_not_in_the_first_turns() {
    let rich = |tech| alone().tech(1, tech).stock(1, 90);
    assert!(!builds(&rich(6), MISSILE));
    assert!(builds(&rich(7), MISSILE));
    assert!(builds(&rich(9), WARHEAD) && !builds(&rich(8), WARHEAD));
    assert!(builds(&rich(10), SHIELD) && !builds(&rich(9), SHIELD));
    assert!(!builds(&rich(10).shield(1), SHIELD), "a city has one");
    assert!(!builds(&rich(10).turn(10), MISSILE));
}

#[test]
fn puzzle_a_satellite_looks_at_a_goal_that_nobody_has_seen_lately() {
    let board = two_cities().tech(1, 8).stock(1, 90).unit(1, 1, (40, INFANTRY), 'C');
    let looks = |board: &Board, notes: &str| {
        written(board, notes, &normal()).iter().any(|l| l.starts_with("I 0"))
    };
    assert!(looks(&board, "g 2 5 20"));
    assert!(!looks(&board, "g 2 5 29"));
    assert!(!looks(&board.clone().tech(1, 7), "g 2 5 20"));
    let alone = alone().tech(1, 8).stock(1, 90);
    assert!(!looks(&alone, ""), "without a goal there is nothing to look at");
}

#[test]
fn puzzle_bombers_come_when_there_are_pp_to_spare() {
    let level = Level { fighters: 0, landings: 0, bombers: 4, ..normal() };
    let has =
        |stock| written(&alone().stock(1, stock), "", &level).contains(&format!("C 1 {BOMBER}"));
    assert!(has(40));
    assert!(!has(14), "less than one and a half incomes are left");
}

// ---- politics

#[test]
fn puzzle_allies_who_win_together_found_a_coalition_from_the_turn_of_the_file_on() {
    let drawing = "~~~~~~~~
                   ~CDEF..~
                   ~~~~~~~~";
    let founds = |turn, cities: &str| {
        let mut board = Board::new(2, drawing);
        for (number, spot) in (1..).zip(cities.chars()) {
            board = board.city(number, if spot == 'F' { 2 } else { 1 }, spot);
        }
        board.state.note_city(1, cities.len() as u16, 2);
        let board = board.ally(1, 2).ally(2, 1).turn(turn);
        lines(&board).contains(&"J 2".to_owned())
    };
    // Of the cities of the smallest world three win.
    assert!(founds(40, "CDF"));
    assert!(!founds(39, "CDF"));
    assert!(!founds(40, "CF"));
}

// ---- paratroops

/// City 1 with paratroops and bombers, city 2 of seat 2 five sectors away, both seen.
fn airborne(troops: u16, bombers: u16) -> Board {
    before(2, troops, bombers)
}

/// The same before a city of any seat.
fn before(owner: u8, troops: u16, bombers: u16) -> Board {
    let drawing = "~~~~~~~~~~~~
                   ~..........~
                   ~.C..T.D...~
                   ~.E........~
                   ~~~~~~~~~~~~";
    let board = Board::new(2, drawing).city(1, 1, 'C').city(2, owner, 'D').turn(30).tech(1, 6);
    let mut board = earning(board, 10).planes(1, 0, bombers).unit(1, 1, (troops, PARATROOPS), 'C');
    // A truck beside the city looks into it.
    board = board.unit(1, 2, (1, TRUCK), 'T').unit(1, 3, (3, INFANTRY), 'C').level(2, 0);
    board.state.powers[1].observed = vec![board.spot('D')];
    board.state.note_city(1, 2, owner);
    board
}

#[test]
fn puzzle_paratroops_drop_on_a_city_that_is_hardly_held() {
    let board = airborne(8, 6).unit(2, 1, (1, INFANTRY), 'D');
    let goal = board.sector('D');
    assert!(lines(&board).contains(&"S 1 6".to_owned()), "two lack a bomber");
    assert!(orders(&board, 'V')[0].ends_with(&goal));
    let all = airborne(6, 6).unit(2, 1, (1, INFANTRY), 'D');
    assert!(lines(&all).contains(&format!("V 1 {goal}")));
    let drops = |board: &Board| !orders(board, 'V').is_empty();
    assert!(!drops(&airborne(6, 6).unit(2, 1, (9, INFANTRY), 'D')), "nine are too many");
    assert!(!drops(&all.clone().tech(1, 5)));
    let mut unseen = all;
    unseen.state.powers[1].observed.clear();
    assert!(!drops(&unseen), "nobody looked into it");
    // The garrison of a free city stays there, but must still be seen.
    let drops =
        |board: &Board| written(board, "g 2 1 25", &normal()).iter().any(|l| l == "V 1 00803");
    let mut free = before(0, 6, 6).unit(0, 1, (1, INFANTRY), 'D');
    assert!(drops(&free));
    free.state.powers[1].observed.clear();
    assert!(!drops(&free));
}

#[test]
fn puzzle_missiles_clear_the_way_for_paratroops() {
    let board = airborne(6, 6).unit(2, 1, (9, INFANTRY), 'D').tech(1, 7);
    let board = board.arsenal(1, Planes { bombers: 6, ..Planes::default() }, 3, 0);
    let goal = board.sector('D');
    assert_eq!(orders(&board, 'V'), [format!("V 1 {goal}")]);
    assert_eq!(orders(&board, 'R'), [format!("R 2 {goal}")]);
}

#[test]
fn puzzle_paratroops_wait_at_their_base_without_their_generals() {
    let board = airborne(6, 6).unit(2, 1, (1, INFANTRY), 'D').general(1, 9, Billet::City(1));
    let card = lines(&board);
    assert!(!card.iter().any(|l| l == "P 1 1"), "who leads a drop that fails is lost");
    let waits = |board: &Board| !lines(board).iter().any(|l| l.starts_with("A 1 "));
    // The same with a second base that has bombers.
    let board = board.city(3, 1, 'E').planes(3, 0, 2).level(3, 1);
    assert!(!lines(&board).iter().any(|l| l == "P 1 1"), "{:?}", lines(&board));
    assert!(waits(&airborne(20, 0)));
    let board = airborne(20, 0);
    let card = written(&board, "", &Level { drops: 0, ..normal() });
    assert!(card.contains(&"S 1 17".to_owned()), "who drops none marches with them: {card:?}");
    let mut board = airborne(20, 0);
    board.state.powers[1].units.clear();
    let board = board.unit(1, 1, (20, PARATROOPS), 'T');
    assert!(!waits(&board), "away from it they march as infantry does");
}

#[test]
fn puzzle_bombers_and_then_as_many_paratroops_gather_at_one_base() {
    let rich = |tech, bombers| {
        let board = two_cities().tech(1, tech).stock(1, 60).planes(1, 0, bombers);
        board.unit(1, 1, (3, INFANTRY), 'C')
    };
    assert!(builds(&rich(6, 0), BOMBER) && !builds(&rich(6, 0), PARATROOPS));
    assert!(builds(&rich(6, 3), PARATROOPS));
    assert!(!builds(&rich(6, 3).unit(1, 5, (3, PARATROOPS), 'C'), PARATROOPS));
    assert!(!builds(&rich(5, 3), PARATROOPS));
    // City 3 is nearer to the enemy, but the bombers are in city 1.
    let two = rich(6, 3).city(3, 1, 'G').level(3, 1);
    let card = lines(&two);
    let trains = |city: u16| card.contains(&format!("C {city} {PARATROOPS}"));
    assert!(trains(1) && !trains(3));
    let card = lines(&two.planes(1, 0, 0));
    assert!(card.contains(&format!("C 3 {BOMBER}")), "without any they come where the front is");
}

// ---- engineers

/// City 1 with a way over hills H to the city of seat 2, and engineers.
fn hills(tech: u8) -> Board {
    let drawing = "~~~~~~~~~~~~~~
                   ~....G.......~
                   ~.C..H....D..~
                   ~....K.......~
                   ~~~~~~~~~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').turn(30).tech(1, tech);
    for spot in ['G', 'H', 'K'] {
        board = board.ground(spot, Terrain::Hills);
    }
    board.state.note_city(1, 2, 2);
    let board = board.unit(1, 1, (40, INFANTRY), 'C').unit(2, 1, (5, INFANTRY), 'D');
    earning(board.held(1, "GHK"), 10)
}

#[test]
fn puzzle_engineers_build_a_road_where_the_way_to_the_goal_is_slow() {
    let card = |board: &Board| written(board, "g 2 5 30", &normal());
    let board = hills(2).unit(1, 9, (2, ENGINEER), 'K');
    assert!(card(&board).contains(&"K 9 2".to_owned()));
    assert!(!card(&board.clone().tech(1, 1)).contains(&"K 9 2".to_owned()));
    let level = board.clone().ground('K', Terrain::Open);
    assert!(!card(&level).contains(&"K 9 2".to_owned()), "nothing is slow there");
    let idle = Level { works: 0, ..normal() };
    assert!(!written(&board, "g 2 5 30", &idle).contains(&"K 9 2".to_owned()));
    // Engineers in the city go there first.
    let board = hills(2).unit(1, 9, (2, ENGINEER), 'C');
    let goes: Vec<String> = card(&board).into_iter().filter(|l| l.starts_with("A 9 ")).collect();
    let rough = ['G', 'H', 'K'].map(|spot| format!("A 9 {}", board.sector(spot)));
    assert!(rough.contains(&goes[0]), "{goes:?}");
}

#[test]
fn puzzle_engineers_search_near_ruins_before_they_build() {
    let board = hills(2).unit(1, 9, (2, ENGINEER), 'K').ruins('H');
    let to = format!("A 9 {}", board.sector('H'));
    assert!(written(&board, "g 2 5 30", &normal()).contains(&to));
}

#[test]
fn puzzle_engineers_build_a_fort_around_a_large_army_that_waits_in_the_field() {
    // The army at G waits for the one at F: neither takes the city alone.
    let armies = |size, others, tech| {
        let board = two_cities().tech(1, tech).held(1, "G").unit(1, 9, (2, ENGINEER), 'G');
        let board = board.unit(1, 1, (size, INFANTRY), 'G').unit(1, 2, (others, INFANTRY), 'F');
        written(&board.unit(2, 1, (16, INFANTRY), 'D'), "g 2 16 30", &normal())
    };
    let fort = |card: &[String]| card.contains(&"K 9 3".to_owned());
    assert!(fort(&armies(20, 25, 4)), "{:?}", armies(20, 25, 4));
    assert!(!fort(&armies(12, 33, 4)), "a few need none");
    assert!(!fort(&armies(20, 25, 3)));
    // A single army goes home, and an army that leaves needs no fort.
    assert!(!fort(&armies(20, 1, 4)), "{:?}", armies(20, 1, 4));
    assert!(!fort(&armies(45, 1, 4)), "who attacks is gone as well");
}

#[test]
fn puzzle_engineers_build_an_airbase_where_fighters_do_not_reach_the_goal() {
    // Around the world it is farther still.
    let width = 110;
    let row = format!("~{}~", ".".repeat(width - 2));
    let mut far = row.clone().into_bytes();
    (far[3], far[30], far[50], far[60]) = (b'C', b'F', b'D', b'E');
    let far = String::from_utf8(far).expect("a drawing");
    let sea = "~".repeat(width);
    let drawing = [sea.as_str(), &row, &far, &row, &sea].join("\n");
    let board = Board::new(2, &drawing).city(1, 1, 'C').city(2, 2, 'D').turn(30).tech(1, 6);
    let mut board = earning(board, 10).stock(1, 40).unit(1, 9, (2, ENGINEER), 'F');
    board.state.note_city(1, 2, 2);
    // Own land from the city to where the engineers stand.
    let (from, to) = (board.spot('C').0, board.spot('F').0);
    (from..=to).for_each(|p| board.state.control[usize::from(p)] = 1);
    let builds = |board: &Board| {
        let level = Level { explorers: 0, ..normal() };
        let board = board.clone().unit(1, 1, (40, INFANTRY), 'F').unit(2, 1, (5, INFANTRY), 'D');
        written(&board, "g 2 5 30", &level).contains(&"K 9 4".to_owned())
    };
    assert!(builds(&board));
    assert!(!builds(&board.clone().tech(1, 5)));
    assert!(!builds(&board.clone().stock(1, 9)), "it costs 10 PP");
    assert!(!builds(&board.city(3, 1, 'E').level(3, 1)), "they start from city 3");
}

// ---- ships

/// A port of seat 1, and a city of seat 2 on an island.
fn strait() -> Board {
    let drawing = "~~~~~~~~~~~~~~
                   ~.C.~~~~.D.~~~
                   ~...S~~BI..~~~
                   ~~~~~~~~~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').turn(30);
    for spot in ['S', 'B'] {
        board = board.ground(spot, Terrain::Sea);
    }
    board.state.note_city(1, 2, 2);
    earning(board, 10)
}

#[test]
fn puzzle_warships_go_where_troops_are_about_to_land_and_fire_at_the_city() {
    let fleet = |ships: char, escort: char| {
        let board = strait().unit(1, 10, (1, TRANSPORT), ships).unit(2, 1, (2, INFANTRY), 'D');
        let mut board = board.cargo(1, 11, (25, INFANTRY), 10).unit(1, 12, (1, CRUISER), escort);
        board.state.powers[1].observed = vec![board.spot('D')];
        board
    };
    let under_way = fleet('S', 'S');
    let goals = |board: &Board, no: u16| -> Vec<String> {
        let to = lines(board)
            .into_iter()
            .filter_map(|l| l.strip_prefix(&format!("A {no} ")).map(str::to_owned));
        to.collect()
    };
    assert!(!goals(&under_way, 10).is_empty());
    assert_eq!(goals(&under_way, 12), goals(&under_way, 10), "both sail to the same sea");
    let alone = written(&under_way, "", &Level { escorts: 0, ..normal() });
    assert!(!alone.iter().any(|l| l.starts_with("A 12 ")));
    // With the longer guns of level 4 the cruiser fires while the troops go ashore.
    let there = fleet('B', 'B').tech(1, 4);
    assert_eq!(orders(&there, 'B'), [format!("B 0 {}", there.sector('D'))]);
}

#[test]
fn puzzle_a_carrier_takes_planes_aboard_and_the_transfer_ends_a_turn_later() {
    let board = strait().tech(1, 3).planes(1, 3, 5).unit(1, 12, (1, CARRIER), 'S');
    let mut board = board.deck(1, 12, Planes::default(), 0);
    assert!(lines(&board).contains(&"F 1 S12 30".to_owned()), "the bombers wait for paratroops");
    let none = Level { drops: 0, ..normal() };
    assert!(written(&board, "", &none).contains(&"F 1 S12 34".to_owned()));
    let to = BaseNo::Ship(12);
    let planes = Planes { fighters: 3, bombers: 4, jets: 0 };
    board.city_mut(1).hangar.transfer = Some(Transfer { to, planes });
    assert!(lines(&board).contains(&"F 1 0 0".to_owned()));
}

#[test]
fn puzzle_a_nuclear_submarine_fills_its_tubes_with_missiles_that_no_warhead_needs() {
    let board = strait().tech(1, 8).unit(1, 12, (1, NUCLEAR_SUBMARINE), 'S');
    let loaded = |missiles, warheads, aboard| {
        let board = board.clone().arsenal(1, Planes::default(), missiles, warheads);
        orders(&board.deck(1, 12, Planes::default(), aboard), 'F')
    };
    assert_eq!(loaded(9, 0, 0), ["F 1 S12 M4"]);
    assert_eq!(loaded(9, 0, 3), ["F 1 S12 M1"]);
    assert_eq!(loaded(3, 2, 0), ["F 1 S12 M1"]);
    assert!(loaded(2, 2, 0).is_empty());
}

#[test]
fn puzzle_landings_get_a_warship_then_a_carrier_then_a_submarine() {
    let afforded = |stock, tech, ships: &[u8]| {
        let mut board = strait().tech(1, tech).stock(1, stock).planes(1, 3, 3);
        board = board.arsenal(1, Planes { fighters: 3, bombers: 3, jets: 0 }, 9, 0);
        for (no, kind) in (20..).zip([TRANSPORT, TRANSPORT].iter().chain(ships)) {
            board = board.unit(1, no, (1, *kind), 'S');
            if [CARRIER, NUCLEAR_SUBMARINE].contains(kind) {
                board = board.deck(1, no, Planes::default(), 0);
            }
        }
        let level = Level { missiles: 0, drops: 0, bombers: 0, fighters: 0, ..normal() };
        let card = written(&board, "", &level);
        // The kind of the first ship; another centre builds on.
        let ship = |line: &String| line.strip_prefix("C 1 ")?.parse::<u8>().ok();
        card.iter().filter_map(ship).find(|kind| (CRUISER..=NUCLEAR_SUBMARINE).contains(kind))
    };
    let next = |tech, ships: &[u8]| afforded(60, tech, ships);
    assert_eq!(next(1, &[]), Some(BATTLESHIP));
    assert_eq!(afforded(14, 1, &[]), None, "less than one and a half incomes are left");
    assert_eq!(next(7, &[]), Some(MISSILE_CRUISER));
    assert_eq!(next(2, &[CRUISER]), Some(BATTLESHIP), "two go along");
    assert_eq!(next(3, &[CRUISER]), Some(CARRIER));
    assert_eq!(next(8, &[CRUISER, CARRIER]), Some(NUCLEAR_SUBMARINE));
    assert_eq!(next(3, &[CRUISER, CRUISER, CARRIER]), None);
    let none = Level { escorts: 0, ..normal() };
    let board = strait().tech(1, 3).stock(1, 60).planes(1, 3, 3).unit(1, 20, (2, TRANSPORT), 'S');
    let board = board.unit(1, 21, (1, TRANSPORT), 'S').unit(1, 22, (1, CRUISER), 'S');
    assert!(!written(&board, "", &none).contains(&format!("C 1 {CARRIER}")));
}
