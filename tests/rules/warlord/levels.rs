//! §11: what tech levels bring, gates and sheets; jets, paratroops, guns.

use engine::{Books, Cards, Mark, Rules, Seat, Setup};
use warlord::Warlord;
use warlord::bases::Planes;
use warlord::events::{AirStrike, Event, Fact, Mission};
use warlord::state::{Billet, JET, PARATROOPS};
use warlord::tables::Tables;

use super::board::*;

/// Bases 1 and 2 of seat 1 at A and B, base 3 of seat 2 at T, ten sectors from A.
fn field() -> Board {
    let mut row: Vec<char> = vec!['.'; 60];
    for (col, sign) in [(0, 'A'), (4, 'B'), (10, 'T'), (11, 'U'), (14, 'N')] {
        row[col] = sign;
    }
    let row: String = row.into_iter().collect();
    Board::drawn_at(3, (200, 3), (1, 2), &row).city(1, 1, 'A').city(2, 1, 'B').city(3, 2, 'T')
}

fn strikes(board: &Board, seat: u8) -> Vec<AirStrike> {
    let strike = |e: &Event| match e {
        Event::AirStrike(strike) => Some((**strike).clone()),
        _ => None,
    };
    board.heard(seat).filter_map(strike).collect()
}

fn planes(fighters: u16, jets: u16, bombers: u16) -> Planes {
    Planes { fighters, jets, bombers }
}

#[test]
fn every_unit_above_level_one_is_refused_below_its_level_and_built_at_it() {
    let drawing = "~~~~
                   ~C.~
                   ~~~~";
    let tables = Tables::embedded();
    for row in tables.units.iter().filter(|u| u.tech > 1) {
        let board = Board::new(2, drawing).city(1, 1, 'C').stock(1, 90);
        let early = board.clone().tech(1, row.tech - 1).echo(1, &format!("C 1 {}", row.id));
        assert_eq!(early.mark, Mark::Error, "{}", row.name);
        assert!(early.note.contains(&format!("tech level {}", row.tech)), "{}", early.note);
        let ready = board.tech(1, row.tech).echo(1, &format!("C 1 {}", row.id));
        assert_eq!(ready.mark, Mark::Ok, "{}: {}", row.name, ready.note);
    }
}

#[test]
fn the_figures_of_later_units_are_those_of_the_table() {
    // ID, turns, PP, attack, defence, move, size, tech.
    let expected = "6 1 3 1 2 4 3 2
                    7 2 4 4 4 5 3 4
                    8 3 8 9 7 4 6 5
                    9 2 3 3 3 3 1 6
                    15 4 12 2 6 5 0 3
                    16 4 14 8 6 6 0 7
                    17 5 16 10 6 6 0 8
                    20 2 8 3 4 60 0 5
                    24 2 6 20 0 40 0 7
                    25 4 20 0 0 0 0 9
                    26 3 15 0 0 0 0 10";
    let tables = Tables::embedded();
    let found = tables.units.iter().filter(|u| u.tech > 1).map(|u| {
        format!(
            "{} {} {} {} {} {} {} {}",
            u.id, u.turns, u.pp, u.attack, u.defence, u.points, u.size, u.tech
        )
    });
    assert!(found.eq(expected.lines().map(|l| l.trim().to_owned())));
    let row = |id| tables.row(id);
    assert_eq!((row(6).flak, row(16).guns, row(16).range, row(JET).air), (50, 4, 4, 6));
    assert_eq!((row(15).places, row(17).tubes, row(17).hidden), (20, 4, true));
}

#[test]
fn orders_of_a_level_are_answered_with_it_before() {
    let board = field().unit(1, 1, (2, ENGINEER), 'A').unit(1, 2, (2, PARATROOPS), 'A');
    for (card, level) in [
        ("K 1 2", 2),
        ("K 1 5", 2),
        ("K 1 3", 4),
        ("K 1 4", 6),
        ("F 1 2 001", 5),
        ("V 2 01102", 6),
        ("R 1 01102", 7),
        ("F 1 2 M1", 7),
        ("I 01102 20", 8),
        ("R A1 01102", 9),
        ("F 1 2 A1", 9),
    ] {
        let early = board.clone().tech(1, level - 1).echo(1, card);
        let text = format!("tech level {level}");
        assert!(early.mark == Mark::Error && early.note.contains(&text), "{card}: {}", early.note);
        let note = board.clone().tech(1, level).echo(1, card).note;
        assert!(!note.contains(&text), "{card}: {note}");
    }
}

#[test]
fn help_turn_card_and_rulebook_show_what_the_level_knows() {
    let words = |board: &Board| {
        let topics = Warlord::help_for(&board.state, Seat(1));
        topics.iter().map(|t| format!("{} {}\n", t.word, t.title)).collect::<String>()
    };
    let mut first = field();
    first.play(&[]);
    assert!(!words(&first).contains("Rocket") && !words(&first).contains("LEVEL"));
    let card = first.section(1, "Turn card for turn 2");
    assert!(!card.contains("Jets") && !card.contains("Rocket"));
    let mut later = field().tech(1, 7);
    later.play(&[]);
    assert!(words(&later).contains("R missiles sector") && words(&later).contains("LEVEL7"));
    assert!(!words(&later).contains("LEVEL8"));
    let card = later.section(1, "Turn card for turn 2");
    assert!(card.contains("Jets") && card.contains("Rocket") && !card.contains("Warheads"));
    let chapters = |seat: u8| {
        let book = Warlord::rulebook_for(&later.state, Seat(seat));
        book.iter().filter(|s| s.heading.contains("Tech level")).count()
    };
    assert_eq!((chapters(1), chapters(2)), (6, 0));
}

#[test]
fn each_level_has_a_sheet_with_its_orders() {
    for level in 1..10 {
        let mut board = field().tech(1, level).stock(1, 500);
        board.play_with(&[(1, "E 200")], 0);
        let sheet = board.section(1, &format!("Tech sheet: level {}", level + 1));
        let tables = &board.state.tables;
        let row = tables.tech.level.iter().find(|l| l.tech == level + 1).expect("a level");
        for order in &row.orders {
            assert!(sheet.contains(order), "level {}: {order}", level + 1);
        }
    }
}

#[test]
fn levels_3_6_and_8_bring_a_general_each() {
    for (level, generals) in [(1, 0), (2, 1), (5, 1), (7, 1), (4, 0), (8, 0)] {
        let mut board = field().tech(1, level).stock(1, 500);
        board.play_with(&[(1, "E 200")], 0);
        assert_eq!(board.power(1).generals.len(), generals, "level {}", level + 1);
        assert!(board.power(1).generals.iter().all(|g| g.skill == 0));
        assert!(board.power(1).generals.iter().all(|g| g.billet == Some(Billet::City(1))));
    }
}

#[test]
fn a_game_may_begin_at_a_tech_level() {
    let mut setup = Setup { seats: 2, ..Setup::default() };
    setup.options.insert("tech_start".to_owned(), "6".to_owned());
    let state = Warlord::new_game(&setup, &mut engine::Dice::new(1)).expect("a game");
    assert_eq!((state.powers[1].tech, state.powers[1].generals.len()), (6, 4));
    setup.options.insert("tech_start".to_owned(), "11".to_owned());
    let faults = Warlord::new_game(&setup, &mut engine::Dice::new(1)).expect_err("no level");
    assert!(faults[0].contains("from 1 to 10"), "{faults:?}");
}

// ---- aircraft

#[test]
fn watch_meets_observers_whose_area_holds_its_base() {
    // N is four sectors from T: its area of three does not hold T. U is next to T.
    let board = field().planes(1, 1, 0).planes(3, 6, 0);
    let mut awake = board.clone();
    awake.play(&[(2, "W 3 6"), (1, "O 1 01202")]);
    let met = strikes(&awake, 1);
    assert_eq!((met.len(), met[0].mission, met[0].target), (1, Mission::Patrol, 2));
    assert!(awake.power(1).observed.is_empty(), "nobody came back to report");
    let mut asleep = board.clone();
    asleep.play(&[(1, "O 1 01202")]);
    assert!(strikes(&asleep, 1).is_empty(), "no plane is on watch");
    let mut far = board;
    far.play(&[(2, "W 3 6"), (1, "O 1 01502")]);
    assert!(strikes(&far, 1).is_empty());
    assert_eq!(far.power(1).observed.len(), 1);
}

#[test]
fn a_strike_with_nothing_to_hit_meets_the_fighters_of_the_base() {
    let mut board = field().planes(1, 0, 6).planes(3, 6, 0);
    board.play(&[(1, "B 6 01102")]);
    let met = strikes(&board, 2);
    assert!(met[0].lost.bombers > 0 && met[0].walls.is_none(), "{met:?}");
}

#[test]
fn a_second_b_on_a_sector_sends_more_bombers() {
    let mut board = field().planes(1, 0, 3).planes(2, 0, 3).unit(2, 1, (40, INFANTRY), 'T');
    assert_eq!(board.echo(1, "B 3 01102\nB 3 01102").mark, Mark::Ok);
    board.play(&[(1, "B 3 01102\nB 3 01102")]);
    assert_eq!(strikes(&board, 2).len(), 2);
}

#[test]
fn a_general_leads_in_the_air_and_learns_there() {
    let air = |skill: u8| {
        let mut board = field().planes(1, 8, 8).planes(3, 30, 0).unit(2, 1, (9, INFANTRY), 'T');
        board = board.unit(1, 1, (1, INFANTRY), 'N').general(1, skill, Billet::Unit(1));
        board.state.powers[1].units.get_mut(&1).expect("a unit").at = board.spot('U');
        board.play(&[(1, "B 8 01102")]);
        (strikes(&board, 2)[0].downed.total(), board.power(1).generals[0].skill)
    };
    let (plain, taught) = air(0);
    let (led, _) = air(90);
    assert!(led > plain, "{led} and {plain} shot down");
    assert_eq!(taught, 1);
}

#[test]
fn level_5_jets_go_before_fighters_and_further() {
    let board = field().tech(1, 5).arsenal(1, planes(4, 3, 0), 0, 0).planes(2, 0, 5);
    let line = board.echo(1, "O 4 01502");
    assert!(line.note.contains("1 fighter and 3 jets"), "{}", line.note);
    // Jets come back from 42 sectors at level 5, fighters from 21.
    assert!(board.echo(1, "O 3 04202").note.contains("3 jets"));
    assert_eq!(board.echo(1, "F 1 2 003").mark, Mark::Ok);
    let mut moved = board;
    moved.play(&[(1, "F 1 2 203")]);
    assert_eq!(moved.town(1, 2).hangar.planes, planes(2, 3, 5));
}

#[test]
fn level_5_jets_beat_fighters_on_watch_and_are_lost_first() {
    let fight = |attackers: Planes| {
        let mut board = field().tech(1, 5).arsenal(1, attackers, 0, 0).planes(3, 20, 0);
        board = board.unit(2, 1, (9, INFANTRY), 'T');
        board.play(&[(2, "W 3 20"), (1, "B 4 01102")]);
        strikes(&board, 2)[0].clone()
    };
    let (with_jets, without) = (fight(planes(0, 4, 4)), fight(planes(4, 0, 4)));
    assert!(with_jets.downed.fighters > without.downed.fighters);
    assert!(with_jets.lost.jets > 0 && with_jets.lost.bombers <= without.lost.bombers);
}

#[test]
fn level_2_batteries_fire_at_planes_with_five_a_regiment() {
    let lost = |kind: u8| {
        let mut board = field().planes(1, 0, 9).unit(2, 1, (2, kind), 'T');
        board.play(&[(1, "B 9 01102")]);
        strikes(&board, 2)[0].lost.bombers
    };
    // 10 / 3 on defence 2 against 4 / 3.
    assert_eq!((lost(6), lost(ARTILLERY)), (2, 1));
}

#[test]
fn level_4_ships_reach_two_sectors_and_missile_cruisers_four() {
    let drawing = "S~~~K...
                   ........";
    let reach = |kind: u8, level: u8, spot: char| {
        let board = Board::new(2, drawing).tech(1, level).unit(1, 1, (1, kind), 'S');
        board.unit(2, 1, (5, INFANTRY), spot).echo(1, &format!("B 0 {}", "00501")).mark
    };
    assert_eq!(reach(CRUISER, 4, 'K'), Mark::Error, "four sectors off");
    assert_eq!(reach(16, 7, 'K'), Mark::Ok);
    let near = |level: u8| {
        let board = Board::new(2, drawing).tech(1, level).unit(1, 1, (1, DESTROYER), 'S');
        board.echo(1, "B 0 00102").mark
    };
    assert_eq!((near(3), near(4)), (Mark::Ok, Mark::Ok));
    let two = |level: u8| {
        let drawing = "S~~~
                       ~~~~
                       K...";
        let board = Board::new(2, drawing).tech(1, level).unit(1, 1, (1, DESTROYER), 'S');
        board.echo(1, "B 0 00103").mark
    };
    assert_eq!((two(3), two(4)), (Mark::Error, Mark::Ok));
}

// ---- paratroops

#[test]
fn level_6_paratroops_take_an_open_city_and_the_bombers_come_back() {
    let mut board = field().tech(1, 6).planes(1, 0, 5).unit(1, 1, (5, PARATROOPS), 'A');
    assert_eq!(board.echo(1, "V 1 01102").mark, Mark::Ok);
    board.play(&[(1, "V 1 01102")]);
    assert!(board.power(1).cities.contains_key(&3) && board.stands(1, 1, 'T'));
    assert_eq!(board.town(1, 1).hangar.planes.bombers, 5);
}

#[test]
fn level_6_only_paratroops_drop_and_only_on_explored_land() {
    let board = field().tech(1, 6).planes(1, 0, 9).unit(1, 1, (5, INFANTRY), 'A');
    assert!(board.echo(1, "V 1 01102").note.contains("paratroops"));
    let mut board = board.unit(1, 2, (3, PARATROOPS), 'A');
    assert!(board.echo(1, "V 2 05002").note.contains("49 sectors"), "beyond the radius");
    board.state.powers[1].explored.fill(0);
    assert!(board.echo(1, "V 2 01102").note.contains("explored"));
}

#[test]
fn level_6_paratroops_that_are_repelled_are_lost() {
    let mut board = field().tech(1, 6).planes(1, 0, 5).unit(1, 1, (5, PARATROOPS), 'A');
    board = board.unit(2, 1, (9, INFANTRY), 'T');
    board.play(&[(1, "V 1 01102")]);
    assert!(!board.lives(1, 1));
}

#[test]
fn level_6_bombers_that_fighters_shoot_down_take_their_regiments_along() {
    let mut board = field().tech(1, 6).planes(1, 0, 9).planes(3, 4, 0);
    board = board.unit(1, 1, (9, PARATROOPS), 'A');
    board.play(&[(2, "W 3 4"), (1, "V 1 01102")]);
    let drop = strikes(&board, 2).into_iter().find(|s| s.mission == Mission::Drop);
    let lost = drop.expect("the drop met them").lost.bombers;
    assert!(lost > 0);
    let gone = board.heard(1).find_map(|e| match e {
        Event::Lost { unit: 1, size, .. } => Some(*size),
        _ => None,
    });
    assert_eq!(gone, Some(lost));
    assert_eq!(board.town(1, 1).hangar.planes.bombers, 9 - lost);
}

// ---- reports of spies and satellites

#[test]
fn level_8_a_satellite_shows_fifteen_by_fifteen_sectors_and_is_no_meeting() {
    let mut board = field().tech(1, 8).stock(1, 30).unit(2, 1, (9, INFANTRY), 'N');
    assert!(board.echo(1, "I 01502 19").note.contains("costs 20 PP"));
    let before = board.power(1).stock;
    board.play(&[(1, "I 01502 20")]);
    assert_eq!(board.power(1).stock, before - 2000 + board.power(1).income);
    assert!(board.view(1).spotted.iter().any(|s| s.at == board.spot('N') && s.kind == Some(1)));
    assert!(board.power(1).met.is_empty());
    assert!(board.section(1, "Satellite picture around 01502").contains("9 Infantry of 2"));
}

#[test]
fn spies_tell_of_jets_and_missiles_of_who_has_their_level() {
    let told = |level: u8| {
        let mut board = field().tech(1, 9).tech(2, level).stock(1, 90);
        board = board.arsenal(3, planes(0, 3, 0), 4, 0);
        board.play(&[(1, "I 2 40")]);
        let report = board.heard(1).find_map(|e| match e {
            Event::SpyReport { facts, .. } => Some(facts.clone()),
            _ => None,
        });
        report.expect("a report")
    };
    assert!(told(7).contains(&Fact::Jets(3)) && told(7).contains(&Fact::Missiles(4)));
    assert!(!told(1).iter().any(|f| matches!(f, Fact::Jets(_) | Fact::Missiles(_))));
}
