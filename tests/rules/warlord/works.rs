//! §11: the works of engineers, and their effects.

use engine::Mark;
use warlord::events::Event;
use warlord::state::BOMBER;
use warlord::tables::Terrain;

use super::board::*;

/// Two players on a plain; A and B are open, F can be made any ground.
fn site(level: u8) -> Board {
    let drawing = "~~~~~~~~~
                   ~CABF..D~
                   ~.......~
                   ~~~~~~~~~";
    let board = Board::new(2, drawing).city(1, 1, 'C').city(2, 2, 'D').stock(1, 40);
    board.tech(1, level).held(1, "ABF")
}

#[test]
fn level_2_a_road_takes_two_points_in_the_open_and_whoever_goes_on_with_it() {
    let mut board = site(2).unit(1, 1, (1, ENGINEER), 'A');
    assert!(board.echo(1, "K 1 2").note.contains("1 of 2 points"));
    board.play(&[(1, "K 1 2")]);
    assert!(!board.site('A').works.road && board.stands(1, 1, 'A'));
    assert!(board.section(1, "Works and radiation").contains("road begun, 1 of 2 points"));
    board.play(&[(1, "K 1 2")]);
    assert!(board.site('A').works.road);
    assert_eq!(board.echo(1, "K 1 2").mark, Mark::Error, "there is one");
    assert_eq!(board.chart(1, 'A').text[0], "*", "the engineers stand there");
}

#[test]
fn level_2_a_road_needs_more_points_in_the_hills_and_most_in_mountains() {
    for (ground, needed) in [(Terrain::Hills, 4), (Terrain::Mountains, 6), (Terrain::Woods, 2)] {
        let board = site(2).ground('A', ground).unit(1, 1, (1, ENGINEER), 'A');
        assert!(board.echo(1, "K 1 2").note.contains(&format!("1 of {needed} points")));
    }
}

#[test]
fn level_2_on_a_road_every_class_pays_one_and_armour_enters_forest() {
    let board = site(2).ground('F', Terrain::Forest).unit(1, 1, (3, ENGINEER), 'F');
    let tank = board.unit(1, 2, (2, TANK), 'B');
    let mut closed = tank.clone();
    closed.play(&[(1, "M 2 3")]);
    assert!(closed.stands(1, 2, 'B'), "forest is closed to tanks");
    let mut open = tank;
    open.play(&[(1, "K 1 2")]);
    open.play(&[(1, "K 1 2")]);
    assert!(open.site('F').works.road, "six points");
    open.play(&[(1, "M 2 3")]);
    assert!(open.stands(1, 2, 'F'));
    // A road through mountains costs infantry one point each.
    let mut hills = site(2).ground('A', Terrain::Mountains).ground('B', Terrain::Mountains);
    hills = hills.unit(1, 1, (6, ENGINEER), 'A').unit(1, 2, (6, ENGINEER), 'B');
    hills = hills.unit(1, 3, (1, INFANTRY), 'C');
    hills.play(&[(1, "K 1 2\nK 2 2")]);
    hills.play(&[(1, "M 3 333")]);
    assert!(hills.stands(1, 3, 'F'), "three sectors, one point each");
}

#[test]
fn level_2_works_are_pulled_down_in_a_turn() {
    let mut board = site(2).unit(1, 1, (2, ENGINEER), 'A');
    assert_eq!(board.echo(1, "K 1 5").mark, Mark::Error, "there is nothing yet");
    board.play(&[(1, "K 1 2")]);
    board.play(&[(1, "K 1 5")]);
    assert!(!board.site('A').works.road);
    assert!(board.heard(1).any(|e| matches!(e, Event::Worked { .. })));
}

#[test]
fn level_4_a_fort_makes_its_holder_tougher_and_falls_to_who_takes_the_sector() {
    let fort = site(4).unit(1, 1, (6, ENGINEER), 'B').unit(1, 2, (6, INFANTRY), 'B');
    assert_eq!(fort.echo(1, "K 1 3").mark, Mark::Ok);
    let mut fort = fort;
    fort.play(&[(1, "K 1 3")]);
    assert!(fort.site('B').works.fort);
    let attack = |mut board: Board| {
        board = board.unit(2, 1, (9, INFANTRY), 'F');
        board.play(&[(2, "M 1 7")]);
        board
    };
    let mut bare = fort.clone();
    let at = bare.spot('B');
    bare.state.works.remove(&at);
    let regiments = |b: &Board| b.power(1).units.values().map(|u| u.size).sum::<u16>();
    let (held, open) = (attack(fort.clone()), attack(bare));
    assert!(regiments(&held) > regiments(&open), "30 in a hundred tougher");
    // An enemy who takes the fort destroys it.
    let mut taken = fort.unit(2, 1, (45, TANK), 'F');
    taken.play(&[(2, "M 1 7")]);
    assert_eq!(taken.holder('B'), 2);
    assert!(!taken.site('B').works.fort);
}

#[test]
fn level_4_no_fort_is_built_in_a_city() {
    let board = site(4).unit(1, 1, (2, ENGINEER), 'C');
    assert!(board.echo(1, "K 1 3").note.contains("in a city"));
}

#[test]
fn level_6_an_airbase_is_paid_when_it_begins_and_numbered_above_all_others() {
    let mut board = site(6).unit(1, 1, (4, ENGINEER), 'A').stock(1, 12);
    let before = board.power(1).stock;
    board.play(&[(1, "K 1 4")]);
    assert_eq!(board.power(1).stock, before - 1000 + board.power(1).income);
    board.play(&[(1, "K 1 4")]);
    assert_eq!(board.power(1).stock, before - 1000 + 2 * board.power(1).income, "paid once");
    assert_eq!(board.site('A').base, Some((3, 1)), "above cities 1 and 2");
    assert_eq!(board.echo(1, "K 1 4").mark, Mark::Error, "there is one");
    assert_eq!(board.echo(1, "C 3 1").mark, Mark::Error, "no city to build in");
    assert!(board.section(1, "Economy").contains("at 00302"));
    // Planes can go there, but it does not count as a city for income.
    board = board.planes(1, 2, 1);
    board.play(&[(1, "F 1 3 21")]);
    assert_eq!(board.power(1).airbases[&3].hangar.planes.total(), 3);
    assert_eq!(board.power(1).cities.len(), 1);
}

#[test]
fn level_6_an_airbase_that_can_not_be_paid_is_refused() {
    let board = site(6).unit(1, 1, (4, ENGINEER), 'A').stock(1, 9);
    assert!(board.echo(1, "K 1 4").note.contains("10 PP"));
}

#[test]
fn level_6_an_airbase_is_captured_with_half_of_its_planes() {
    let mut board = site(6).unit(1, 1, (8, ENGINEER), 'A').planes(1, 4, 5);
    board.play(&[(1, "K 1 4")]);
    board.play(&[(1, "F 1 3 05\nM 1 5")]);
    let mut board = board.unit(2, 1, (9, TANK), 'B');
    board.play(&[(2, "M 1 7")]);
    assert_eq!(board.site('A').base, Some((3, 2)));
    assert_eq!(board.power(2).airbases[&3].hangar.planes.count(BOMBER), 2, "half of five");
    assert!(board.power(1).airbases.is_empty());
}

#[test]
fn engineers_who_are_driven_off_do_not_work_and_get_their_points_back() {
    let mut board = site(6).unit(1, 1, (2, ENGINEER), 'B').unit(2, 1, (45, TANK), 'F');
    let before = board.power(1).stock;
    board.play(&[(1, "K 1 4"), (2, "M 1 7")]);
    assert_eq!(board.site('B').works.base_points, 0);
    assert_eq!(board.power(1).stock, before + board.power(1).income);
}
