//! §4: battles, retreats, ranks, cities, generals.

use engine::CardText;
use warlord::bases::Planes;
use warlord::events::{Ending, Event};
use warlord::state::Billet;
use warlord::tables::Terrain;

use super::board::*;

/// `regiments` infantry at A, next to five at D in the open.
fn against_five(regiments: u16) -> Board {
    let drawing = "~~~~~~
                   ~AD..~
                   ~....~
                   ~~~~~~";
    Board::new(2, drawing).unit(1, 1, (regiments, INFANTRY), 'A').unit(2, 1, (5, INFANTRY), 'D')
}

/// The forces of the specification's worked example.
fn ten_against_five() -> Board {
    against_five(10)
}

fn sizes(board: &Board) -> (u16, u16) {
    (board.no(1, 1).size, board.no(2, 1).size)
}

fn ending(board: &Board, seat: u8) -> Option<Ending> {
    board.heard(seat).find_map(|e| match e {
        Event::Battle { ending, .. } => Some(*ending),
        _ => None,
    })
}

#[test]
fn worked_example_ten_infantry_against_five() {
    // One round: 20/3 on defence 3 kills 2.22 regiments, 10/3 kills 1.11. The
    // whole ones die for certain; dice that lie just below and just above the
    // fractions show their size.
    for (per_mille, left) in
        [(500, (9, 3)), (222, (9, 3)), (221, (9, 2)), (111, (9, 2)), (110, (8, 2))]
    {
        let mut board = ten_against_five();
        board.play_with(&[(1, "M 1 3")], per_mille);
        assert_eq!(sizes(&board), left, "chances come true above {per_mille} per mille");
        // 18 or 16 against 6 or 4 is three to one, so one round it was.
        assert_eq!(ending(&board, 1), Some(Ending::DefenderDislodged));
    }
}

#[test]
fn a_battle_report_tells_strength_ground_and_the_own_general() {
    let mut board = ten_against_five().ground('D', Terrain::Hills);
    board = board.general(1, 7, Billet::Unit(1)).general(2, 3, Billet::Unit(1)).rank(1, 1, 1);
    board.play(&[(1, "M 1 3")]);
    // Ten regiments of attack 2, a tenth more for their rank, 7 % for their general.
    let (mine, theirs) = (board.section(1, "Battles"), board.section(2, "Battles"));
    let card = "| Sector 00302, phase 1: hills, the defender stands 20 % firmer\n\
                |   You, attacking       #####################---  9 of 10 left\n\
                |     unit 1, 10 Infantry (1 lost); strength 23.5, your general 1 adds 7 %\n\
                |   Player 2, defending  #######-----              3 of 5 left\n\
                |     5 Infantry (2 lost); strength 10.3\n\
                |   The defender had to give way.\n";
    assert!(mine.contains(card), "{mine}");
    assert!(theirs.contains("|     10 Infantry (1 lost); strength 23.5\n"), "{theirs}");
    assert!(theirs.contains("strength 10.3, your general 1 adds 3 %"), "{theirs}");
    assert!(theirs.contains("|   You had to give way.\n"), "{theirs}");
    assert!(board.section(1, "Summary").contains("You fought 1 battle (in 00302), won 1 and lost"));
}

#[test]
fn the_odds_of_an_echo_are_the_strengths_of_the_battle() {
    let odds = |board: &Board, card: &str| {
        let forecast = board.judge(1, card).forecast;
        let section = forecast.into_iter().find(|s| s.heading.starts_with("Battles ahead"));
        let text = section.map(|s| render::text::sections(&[s])).unwrap_or_default();
        text.replace("\n  ", " ").replace('\u{a0}', " ")
    };
    let board = ten_against_five().ground('D', Terrain::Hills);
    let mut board = board.general(1, 7, Billet::Unit(1)).rank(1, 1, 1);
    for card in ["M 1 3", "A 1 00302"] {
        let told = odds(&board, card);
        assert!(
            told.contains(
                "00302 (hills): your unit 1, strength 23.5, your general 1 adds 7 %, against \
                 strength 10, sheltered to 120 %. You are stronger; it may take rounds"
            ),
            "{told}"
        );
    }
    // Two units that go there together share one line, and are three times as strong.
    board = board.unit(1, 2, (5, INFANTRY), 'A');
    let told = odds(&board, "A 1 00302\nA 2 00302");
    assert!(told.contains("your units 1-2, strength 34.2"), "{told}");
    assert!(told.contains("You are 3 times as strong or more"), "{told}");
    // Nobody to fight, or an ally: no odds.
    assert_eq!(odds(&board, "M 1 5"), "");
    assert_eq!(odds(&board.clone().ally(1, 2), "M 1 3"), "");
    board.play(&[(1, "M 1 3")]);
    let fought = board.section(1, "Battles");
    assert!(fought.contains("strength 23.5, your general 1 adds 7 %"), "{fought}");
    assert!(fought.contains("5 Infantry (2 lost); strength 10\n"), "{fought}");
}

#[test]
fn units_that_come_in_another_turn_stand_apart_in_the_odds() {
    let drawing = "~~~~~~~~~~~~~~~~~~
                   ~DA.............B~
                   ~~~~~~~~~~~~~~~~~~";
    let board = Board::new(2, drawing).unit(2, 1, (5, INFANTRY), 'D');
    let mut board = board.unit(1, 1, (10, INFANTRY), 'A').unit(1, 2, (10, INFANTRY), 'B');
    board.state.look_around();
    // A place is listed once, whichever unit comes and when.
    let card = CardText::new("A 1 00202\nA 2 00202");
    let dark = warlord::judge::judge(&board.view(1), &card).forecast;
    assert_eq!(render::text::sections(&dark).matches("00202 (open)").count(), 1, "{dark:?}");
    let mut board = board.general(1, 7, Billet::Unit(1));
    board.state.look_around();
    let forecast = board.judge(1, "A 1 00202\nA 2 00202").forecast;
    let told = render::text::sections(&forecast).replace("\n  ", " ").replace('\u{a0}', " ");
    assert!(told.contains("* 00202 (open): your unit 1, strength 21.4,"), "{told}");
    assert!(told.contains("* 00202 (open) in turn 5: your unit 2, strength 21.4,"), "{told}");
    // A unit without a way there fights nobody.
    let island = drawing.replace("DA.....", "DA.~~~.");
    let board = Board::new(2, &island).unit(2, 1, (5, INFANTRY), 'D');
    let mut board = board.unit(1, 2, (10, INFANTRY), 'B').unit(1, 1, (1, INFANTRY), 'A');
    board.state.look_around();
    let forecast = render::text::sections(&board.judge(1, "A 2 00202").forecast);
    assert!(!forecast.contains("Battles ahead"), "{forecast}");
}

#[test]
fn what_is_seen_has_its_owner_in_an_answer() {
    let look = |board: &Board| {
        let view = board.view(1);
        let lines = warlord::questions::answer(&view, &engine::Ask::Look("00302"));
        render::text::items(&lines)
    };
    let mut board = against_five(1);
    board.state.look_around();
    assert!(look(&board).contains("In sight: 5 regiments of player 2"), "{}", look(&board));
    let mut board = board.city(1, 0, 'D').unit(0, 1, (1, INFANTRY), 'D');
    board.state.powers[2].units.clear();
    board.state.look_around();
    assert!(look(&board).contains("In sight: 1 regiment of a garrison"), "{}", look(&board));
    board.city_mut(1).rebel = true;
    board.state.look_around();
    assert!(look(&board).contains("In sight: 1 regiment of rebels"), "{}", look(&board));
}

#[test]
fn cities_known_by_report_alone_stand_in_one_line_of_the_odds() {
    let mut board = siege(10, 1);
    board.state.look_around();
    let mut view = board.view(1);
    view.cities[0].seen.owner = None;
    let forecast = warlord::judge::judge(&view, &CardText::new("A 1 00302")).forecast;
    let told = render::text::sections(&forecast);
    assert!(told.contains("Nothing is known of who holds 00302"), "{told}");
    assert!(!told.contains("your unit 1, strength"), "{told}");
}

#[test]
fn rebels_and_garrisons_are_told_apart() {
    for (rebel, whose, taken) in [
        (false, "The garrison of a free city, defending", ", which was free"),
        (true, "Rebels, defending", "from rebels"),
    ] {
        let mut board = against_five(20).city(1, 0, 'D').unit(0, 1, (1, INFANTRY), 'D');
        board.state.powers[2].units.clear();
        board.city_mut(1).rebel = rebel;
        board.state.look_around();
        let list = board.section(1, "Forces and cities");
        assert!(list.contains(if rebel { "Rebels" } else { "Uncontrolled" }), "{list}");
        let seen = board.section(1, "Spotted forces");
        assert!(seen.contains(if rebel { "rebels" } else { "garrison" }), "{seen}");
        board.play(&[(1, "M 1 3")]);
        let told = board.section(1, "Battles");
        let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains("City 1 at 00302, phase 1:"), "{told}");
        assert!(told.contains(whose), "{told}");
        assert!(told.contains(taken), "{told}");
    }
}

#[test]
fn ground_and_city_levels_shelter_the_defender() {
    // Twelve infantry deal 24/3 = 8, which on defence 3 kills 2.667 regiments in the open; behind
    // cover the fraction is smaller, in thousandths.
    let cover = [
        (Terrain::Open, 0, 666),
        (Terrain::Desert, 0, 666),
        (Terrain::Woods, 0, 424),
        (Terrain::Swamp, 0, 424),
        (Terrain::Hills, 0, 222),
        (Terrain::Forest, 0, 222),
        (Terrain::Mountains, 0, 51),
        (Terrain::Open, 1, 424),
        (Terrain::Open, 3, 51),
    ];
    for (ground, level, fraction) in cover {
        for (per_mille, left) in [(fraction - 1, 2), (fraction, 3)] {
            let mut board = against_five(12).ground('D', ground);
            if level > 0 {
                board = board.city(1, 2, 'D').level(1, level);
            }
            board.play_with(&[(1, "M 1 3")], per_mille);
            let note = format!("{ground:?}, level {level}, {per_mille} per mille");
            assert_eq!(board.no(2, 1).size, left, "{note}");
        }
    }
}

#[test]
fn case_17_three_to_one_after_a_round_makes_the_defender_retreat() {
    let drawing = "~~~~~~
                   ~ADX.~
                   ~..Y.~
                   ~~~~~~";
    let mut board = Board::new(2, drawing).held(2, "DY");
    board = board.unit(1, 1, (10, INFANTRY), 'A').unit(2, 1, (5, INFANTRY), 'D');
    board.play(&[(1, "M 1 3")]);
    assert!(board.stands(1, 1, 'D'));
    assert!(board.stands(2, 1, 'Y'), "own control comes before the lower direction code");
    assert_eq!(board.holder('D'), 1);
}

#[test]
fn case_17_without_own_land_the_lowest_direction_is_taken() {
    let drawing = "~~~~~~
                   ~.X..~
                   ~AD..~
                   ~....~
                   ~~~~~~";
    let mut board = Board::new(2, drawing);
    board = board.unit(1, 1, (10, INFANTRY), 'A').unit(2, 1, (5, INFANTRY), 'D');
    board.play(&[(1, "M 1 3")]);
    assert!(board.stands(2, 1, 'X'));
}

#[test]
fn case_17_without_a_free_sector_the_defender_is_wiped_out() {
    // The only land beside D is A, where the attacker's second unit is.
    let drawing = "~~~~~
                   ~AD~~
                   ~~~~~";
    let mut board = Board::new(2, drawing)
        .unit(1, 1, (10, INFANTRY), 'A')
        .unit(1, 2, (1, INFANTRY), 'A')
        .unit(2, 1, (5, INFANTRY), 'D');
    board.play(&[(1, "M 1 3")]);
    assert!(!board.lives(2, 1));
    assert!(board.heard(2).any(|e| matches!(e, Event::Lost { unit: 1, size: 3, .. })));
}

fn even_fight() -> Board {
    let drawing = "~~~~~~
                   ~AD..~
                   ~....~
                   ~~~~~~";
    Board::new(2, drawing).unit(1, 1, (5, INFANTRY), 'A').unit(2, 1, (5, INFANTRY), 'D')
}

#[test]
fn case_18_a_failed_attack_ends_in_the_former_sector() {
    let mut board = even_fight().held(2, "D");
    board.play(&[(1, "M 1 3")]);
    assert_eq!(ending(&board, 1), Some(Ending::AttackerRepelled));
    assert!(board.stands(1, 1, 'A') && board.stands(2, 1, 'D'));
    assert_eq!(board.holder('D'), 2, "what was not held was not taken");
}

#[test]
fn case_18_each_attacker_goes_back_to_where_it_came_from() {
    let drawing = "~~~~~~
                   ~A...~
                   ~.D..~
                   ~..B.~
                   ~~~~~~";
    let mut board = Board::new(2, drawing)
        .unit(1, 1, (5, INFANTRY), 'A')
        .unit(1, 2, (5, INFANTRY), 'B')
        .unit(2, 1, (10, INFANTRY), 'D');
    board.play(&[(1, "M 1 4\nM 2 8")]);
    assert_eq!(ending(&board, 1), Some(Ending::AttackerRepelled));
    assert!(board.stands(1, 1, 'A') && board.stands(1, 2, 'B'));
}

#[test]
fn case_19_a_repelled_unit_moves_no_more_that_turn() {
    let mut board = even_fight();
    // After the battle of phase 1 two points and five phases are left.
    board.play(&[(1, "M 1 3555")]);
    assert!(board.stands(1, 1, 'A'));
}

#[test]
fn case_19_a_dislodged_unit_moves_no_more_that_turn() {
    let mut board = ten_against_five().held(2, "D");
    board.play(&[(1, "M 1 3"), (2, "M 1 03333")]);
    assert_eq!(ending(&board, 2), Some(Ending::DefenderDislodged));
    let grid = board.state.grid();
    let away = grid.distance(board.no(2, 1).at, board.spot('D'));
    assert_eq!(away, 1, "the retreat is all that moved it");
}

#[test]
fn case_19_a_retreated_unit_may_be_forced_to_retreat_again() {
    let drawing = "~~~~~~~~
                   ~ADXB..~
                   ~~~~~~.~
                   ~~~~~~~~";
    // Thrown from D to X by unit 1, the division meets unit 2 there in phase 2.
    let mut board = Board::new(2, drawing)
        .held(2, "DX")
        .unit(1, 1, (30, INFANTRY), 'A')
        .unit(1, 2, (30, INFANTRY), 'B')
        .unit(1, 3, (1, INFANTRY), 'A')
        .unit(2, 1, (15, INFANTRY), 'D');
    board.play(&[(1, "M 1 3\nM 2 07")]);
    // D and A belong to the attacker by now, so that only B is left for the retreat.
    assert!(board.stands(2, 1, 'B'), "it is at {}", board.where_is(2, 1));
    let retreats = board.heard(2).filter(|e| matches!(e, Event::Retreated { .. })).count();
    assert_eq!(retreats, 2);
}

#[test]
fn case_20_a_victory_adds_one_rank() {
    let mut board = ten_against_five();
    board.play(&[(1, "M 1 3")]);
    assert_eq!((board.no(1, 1).rank, board.no(2, 1).rank), (1, 0));
}

#[test]
fn case_20_a_defender_who_throws_the_enemy_back_gains_one_rank() {
    let mut board = even_fight();
    board.play(&[(1, "M 1 3")]);
    assert_eq!((board.no(1, 1).rank, board.no(2, 1).rank), (0, 1));
}

#[test]
fn case_20_elite_stays_elite() {
    let mut board = ten_against_five().rank(1, 1, 3);
    board.play(&[(1, "M 1 3")]);
    assert_eq!(board.no(1, 1).rank, 3);
    assert!(!board.heard(1).any(|e| matches!(e, Event::Promoted { .. })));
}

#[test]
fn a_rank_adds_a_tenth_of_strength() {
    // 2.444 regiments instead of 2.222.
    for (rank, left) in [(0, 3), (1, 2)] {
        let mut board = ten_against_five().rank(1, 1, rank);
        board.play_with(&[(1, "M 1 3")], 300);
        assert_eq!(board.no(2, 1).size, left, "rank {rank}");
    }
}

/// Ten against five at D with generals of seat 1 at the given distances from D.
fn with_generals(generals: &[(char, u8)]) -> Board {
    let drawing = "~~~~~~~~~~~~~~
                   ~AD..EF......~
                   ~............~
                   ~~~~~~~~~~~~~~";
    let mut board =
        Board::new(2, drawing).unit(1, 1, (10, INFANTRY), 'A').unit(2, 1, (5, INFANTRY), 'D');
    for (no, (spot, skill)) in (10..).zip(generals) {
        board = board.unit(1, no, (1, TRUCK), *spot).general(1, *skill, Billet::Unit(no));
    }
    board
}

#[test]
fn case_21_a_general_of_skill_ten_adds_a_tenth_within_three_sectors() {
    // 22/3 on defence 3 kills 2.444 regiments instead of 2.222.
    for (spot, per_mille, left) in
        [('E', 443, 2), ('E', 444, 3), ('F', 443, 3), ('F', 222, 3), ('F', 221, 2)]
    {
        let mut board = with_generals(&[(spot, 10)]);
        board.play_with(&[(1, "M 1 3")], per_mille);
        assert_eq!(board.no(2, 1).size, left, "general at {spot}, {per_mille} per mille");
    }
}

#[test]
fn case_21_of_two_generals_only_the_better_counts() {
    for skills in [[10, 5], [5, 10]] {
        for (per_mille, left) in [(443, 2), (444, 3)] {
            let mut board = with_generals(&[('E', skills[0]), ('E', skills[1])]);
            board.play_with(&[(1, "M 1 3")], per_mille);
            assert_eq!(board.no(2, 1).size, left, "{skills:?} at {per_mille}");
        }
    }
}

/// Seven attacks side by side in one phase, a general of seat 1 among them.
fn seven_battles(skill: u8) -> Board {
    let drawing = "~~~~~~~~~~~
                   ~.HIJKLMN.~
                   ~.ABCDEFG.~
                   ~~~~~~~~~~~";
    let mut board = Board::new(2, drawing).general(1, skill, Billet::Unit(4));
    for (no, (from, to)) in (1..).zip("ABCDEFG".chars().zip("HIJKLMN".chars())) {
        board = board.unit(1, no, (9, INFANTRY), from).unit(2, no, (9, INFANTRY), to);
    }
    let card: String = (1..=7).map(|no| format!("M {no} 1\n")).collect();
    board.play(&[(1, &card)]);
    assert!(board.heard(1).filter(|e| matches!(e, Event::Battle { .. })).count() >= 7);
    board
}

#[test]
fn case_22_a_general_gains_at_most_five_a_turn() {
    let mut board = seven_battles(0);
    assert_eq!(board.power(1).generals[0].skill, 5);
    // The next turn counts from the start.
    board.play(&[(1, "M 1 1")]);
    assert_eq!(board.power(1).generals[0].skill, 6);
}

#[test]
fn case_22_skill_never_exceeds_a_hundred() {
    assert_eq!(seven_battles(98).power(1).generals[0].skill, 100);
    assert_eq!(seven_battles(100).power(1).generals[0].skill, 100);
}

/// A lone regiment with a general of skill 40 attacks an army at D; a home city
/// lies far off at H, another near at N.
fn doomed() -> Board {
    let drawing = "~~~~~~~~~~~~~~
                   ~AD.N......H.~
                   ~............~
                   ~~~~~~~~~~~~~~";
    Board::new(2, drawing).unit(1, 1, (1, INFANTRY), 'A').unit(2, 1, (20, INFANTRY), 'D').general(
        1,
        40,
        Billet::Unit(1),
    )
}

#[test]
fn case_23_a_general_lost_with_his_division_returns_unskilled_at_home() {
    let mut board = doomed().city(1, 1, 'H').city(2, 1, 'N');
    board.play(&[(1, "M 1 3")]);
    assert!(!board.lives(1, 1));
    let general = &board.power(1).generals[0];
    assert_eq!((general.skill, general.billet), (0, Some(Billet::City(1))));
    assert!(board.heard(1).any(|e| matches!(e, Event::GeneralLost { .. })));
}

#[test]
fn case_23_the_new_general_has_a_name_of_his_own() {
    let mut board = doomed().city(1, 1, 'H').city(2, 1, 'N');
    board.state.powers[1].generals[0].name = "SLAVER".to_owned();
    board.play(&[(1, "M 1 3")]);
    let name = board.power(1).generals[0].name.clone();
    assert!(!name.is_empty() && name != "SLAVER" && name.len() <= 12, "{name}");
    let told = board.section(1, "Battles");
    let fell = told.find("General 1 SLAVER was lost at").expect("the general is told of");
    assert!(told.find("phase 1").expect("the battle") < fell, "{told}");
    assert!(board.section(1, "Generals").contains(&format!("(0) {name}, in city 1")));
}

#[test]
fn case_23_the_new_general_learns_nothing_from_the_battle_that_cost_the_old_one() {
    // Home is three sectors from the battle.
    let mut board = doomed().city(1, 1, 'N');
    board.play(&[(1, "M 1 3")]);
    let general = &board.power(1).generals[0];
    assert_eq!((general.skill, general.billet), (0, Some(Billet::City(1))));
}

#[test]
fn case_23_without_home_the_lowest_numbered_city_and_without_any_nobody() {
    let mut board = doomed().city(1, 2, 'N').city(2, 1, 'H');
    board.play(&[(1, "M 1 3")]);
    assert_eq!(board.power(1).generals[0].billet, Some(Billet::City(2)));
    let mut board = doomed();
    board.play(&[(1, "M 1 3")]);
    assert_eq!(board.power(1).generals[0].billet, None);
}

fn siege(attackers: u16, level: u8) -> Board {
    let drawing = "~~~~~~
                   ~AC..~
                   ~....~
                   ~~~~~~";
    let mut board = Board::new(2, drawing).city(1, 2, 'C').level(1, level);
    board = board.unit(1, 1, (attackers, INFANTRY), 'A');
    let city = board.city_mut(1);
    city.hangar.planes = Planes { fighters: 5, bombers: 2, jets: 0 };
    city.hangar.watch = 1;
    board
}

#[test]
fn a_city_of_level_zero_falls_at_once() {
    // Fighters of the base would fall on the regiment first; bombers do not.
    let mut board = siege(1, 0).planes(1, 0, 3);
    board.play(&[(1, "M 1 3")]);
    let city = board.town(1, 1);
    assert_eq!(
        (city.level, city.hangar.planes.fighters, city.hangar.planes.bombers),
        (0, 0, 1),
        "half of the planes"
    );
    assert!(board.stands(1, 1, 'C'));
    assert_eq!(board.holder('C'), 1);
    assert_eq!(board.no(1, 1).size, 1);
}

#[test]
fn a_city_strikes_with_six_and_absorbs_ten_a_level() {
    // 15 infantry deal 30/3 = 10: one level a round; the city's two levels deal
    // 12/3 = 4, which is one regiment, then 6/3 = 2, less than a regiment.
    let mut board = siege(15, 2).planes(1, 0, 0);
    board.play(&[(1, "M 1 3")]);
    // 14 regiments deal 9.3 in round two: 0.93 of a level.
    assert!(board.power(1).cities.contains_key(&1));
    assert_eq!(board.no(1, 1).size, 13, "1.33 and 0.67 regiments at even luck");
}

#[test]
fn an_assault_that_leaves_a_level_standing_goes_back() {
    let mut board = siege(15, 9);
    board.play(&[(1, "M 1 3")]);
    assert!(board.power(2).cities.contains_key(&1));
    assert!(board.town(2, 1).level < 9, "levels that fell stay fallen");
    assert!(!board.lives(1, 1) || board.stands(1, 1, 'A'));
}

#[test]
fn a_garrison_must_be_beaten_before_the_city_is_fought() {
    let mut board = siege(5, 0).unit(2, 1, (5, INFANTRY), 'C');
    board.play(&[(1, "M 1 3")]);
    assert!(board.power(2).cities.contains_key(&1));
    assert!(board.stands(1, 1, 'A'));
}

#[test]
fn submarines_strike_first_where_no_destroyer_watches() {
    const SUBMARINE: u8 = 14;
    let drawing = "~~~~~~
                   ~SD~~~
                   ~~~~~~";
    let sunk = |guards: u16| {
        let mut board = Board::new(2, drawing)
            .ground('S', Terrain::Sea)
            .ground('D', Terrain::Sea)
            .unit(1, 1, (4, SUBMARINE), 'S')
            .unit(2, 1, (9, CRUISER), 'D');
        if guards > 0 {
            board = board.unit(2, 2, (guards, DESTROYER), 'D');
        }
        board.play_with(&[(1, "M 1 3")], 999);
        9 - board.no(2, 1).size
    };
    // Four boats at attack 6 and even luck sink two at once, then two in the rounds.
    assert_eq!((sunk(0), sunk(1)), (4, 1));
}

#[test]
fn cargo_goes_down_with_its_ships() {
    let drawing = "~~~~~~
                   ~ST~~~
                   ~~~~~~";
    let mut board = Board::new(2, drawing)
        .ground('S', Terrain::Sea)
        .ground('T', Terrain::Sea)
        .unit(1, 1, (20, CRUISER), 'S')
        .unit(2, 1, (2, TRANSPORT), 'T')
        .cargo(2, 2, (45, INFANTRY), 1);
    board.play(&[(1, "M 1 3")]);
    assert!(!board.lives(2, 1) && !board.lives(2, 2));
    assert!(board.heard(2).any(|e| matches!(e, Event::Lost { unit: 2, size: 45, .. })));
    let drowned = |e: &Event| matches!(e, Event::Drowned { .. });
    assert!(!board.heard(2).any(drowned), "only ships that are left leave regiments behind");
}

/// `cruisers` cruisers of player 1, and three transports of player 2 beside them.
fn three_transports(cruisers: u16) -> Board {
    let drawing = "~~~~~~
                   ~ST~~~
                   ~~~~~~";
    Board::new(2, drawing)
        .ground('S', Terrain::Sea)
        .ground('T', Terrain::Sea)
        .unit(1, 1, (cruisers, CRUISER), 'S')
        .unit(2, 1, (3, TRANSPORT), 'T')
}

#[test]
fn regiments_without_room_on_the_ships_that_are_left_drown_and_are_told() {
    let mut partly = 0;
    for attackers in 1..=12 {
        let mut board = three_transports(attackers).cargo(2, 2, (85, INFANTRY), 1);
        board.play(&[(1, "M 1 3")]);
        if !board.lives(2, 1) {
            continue;
        }
        let saved = board.no(2, 2).size;
        assert_eq!(saved, (board.no(2, 1).size * 30).min(85));
        let told: Vec<u16> = board
            .heard(2)
            .filter_map(|e| match e {
                Event::Drowned { unit: 2, size, .. } => Some(*size),
                _ => None,
            })
            .collect();
        let drowned = 85 - saved;
        assert_eq!(told.iter().sum::<u16>(), drowned);
        assert!(!told.contains(&0), "nobody is told of nothing");
        partly += u16::from(drowned > 0);
    }
    assert!(partly > 0, "some fight sinks a part of the ships");
}

#[test]
fn those_who_drown_are_counted_by_the_room_that_they_take() {
    let mut partly = 0;
    for attackers in 1..=12 {
        let mut board =
            three_transports(attackers).cargo(2, 2, (8, TANK), 1).cargo(2, 3, (9, TANK), 1);
        board.play(&[(1, "M 1 3")]);
        if !board.lives(2, 1) {
            continue;
        }
        // A ship carries six tanks; the unit with the lowest number is saved first.
        let room = board.no(2, 1).size * 6;
        let size = |no| if board.lives(2, no) { board.no(2, no).size } else { 0 };
        assert_eq!((size(2), size(3)), (room.min(8), room.saturating_sub(8).min(9)));
        partly += u16::from(room < 17);
    }
    assert!(partly > 0, "some fight sinks a part of the ships");
}

#[test]
fn who_is_beaten_at_the_coast_retreats_to_a_ship_that_has_room_for_all() {
    for (trucks, fits) in [(14, true), (15, false)] {
        let mut board = Board::new(2, "~~~~~\n~STX~\n~~~~~")
            .ground('X', Terrain::Sea)
            .unit(1, 1, (6, INFANTRY), 'S')
            .unit(2, 1, (1, TRANSPORT), 'X')
            .unit(2, 2, (trucks, TRUCK), 'T');
        board.play(&[(1, "M 1 3")]);
        // Four are lost; ten take the thirty points that the ship has.
        let left = board.no(2, 2);
        assert_eq!((left.size, left.aboard), (trucks - 4, fits.then_some(1)));
    }
}
