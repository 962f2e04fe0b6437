//! §10: the worked examples of each step of combat, capture, counter-attack, evacuation. Dice fall
//! in the middle unless a test says otherwise.

use super::board::*;
use battle_plan::event::Count;

fn count(sent: i64, lost: i64) -> Count {
    Count { sent, lost }
}

/// Player 1 in TU attacks the minor UK, which has this army, navy and air force.
fn ukraine(army: i64, navy: i64, air: i64) -> Board {
    Board::starting("TU SP SW NE").set("UK", |c| {
        (c.army, c.navy, c.air, c.industry) = (army, navy, air, 0);
    })
}

#[test]
fn land_20_against_6_lose_1_or_2() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let board = ukraine(6, 0, 0).with_seed(seed).turn(&[(1, "@TU AC20UK")]);
        seen.insert(board.side("UK", "TU").army.lost);
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn land_the_smaller_side_is_destroyed_whoever_attacks() {
    let board = ukraine(30, 0, 0).turn(&[(1, "@TU AC40UK")]);
    // 900/40 = 22.5, half up.
    assert_eq!(board.side("UK", "TU").army, count(40, 23));
    assert_eq!(board.country("UK").army, 17);
    let board = ukraine(40, 0, 0).turn(&[(1, "@TU AC30UK")]);
    assert_eq!(board.side("UK", "TU").army, count(30, 30));
    assert_eq!(board.country("UK").army, 17);
    assert!(board.country("UK").is_minor());
}

#[test]
fn land_equal_sides_leave_the_defender_one_army_or_none() {
    let mut left = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let board = ukraine(10, 0, 0).with_seed(seed).turn(&[(1, "@TU AC10UK")]);
        assert!(board.country("UK").is_minor(), "nobody is left to occupy it");
        assert_eq!(board.side("UK", "TU").army, count(10, 10));
        left.insert(board.country("UK").army);
    }
    assert_eq!(left.into_iter().collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn land_without_a_defending_army_nothing_is_lost() {
    let board = ukraine(0, 0, 0).turn(&[(1, "@TU AC1UK")]);
    assert_eq!(board.side("UK", "TU").army, count(1, 0));
    assert_eq!(board.country("UK").owner, 1);
}

#[test]
fn land_who_is_called_ally_counts_a_quarter_more() {
    let fight = |card: &str| {
        let board =
            Board::starting("TU UK SP NE").set("UK", |c| (c.army, c.air, c.industry) = (22, 0, 0));
        board.turn(&[(1, "@TU AC20UK"), (2, card)])
    };
    assert_eq!(fight("").country("UK").owner, 2);
    let board = fight("1A");
    assert_eq!(board.country("UK").owner, 1);
    // 20 x (22/25)^2 = 15.49.
    assert_eq!(board.side("UK", "TU").army, count(20, 15));
}

#[test]
fn land_groups_of_several_countries_are_added_up() {
    let board = ukraine(30, 0, 0).occupied("RO", 1, 25).set("RO", |c| c.industry = 0);
    let board = board.turn(&[(1, "@TU AC15UK @RO AB25UK")]);
    assert_eq!(board.country("UK").owner, 1);
    let (tu, ro) = (board.side("UK", "TU").army, board.side("UK", "RO").army);
    assert_eq!(tu.lost + ro.lost, 23, "900 / 40");
    // The conquerors stay, the others go home.
    assert_eq!(board.country("UK").army, 15 - tu.lost);
    assert_eq!(board.country("RO").army, 25 - ro.lost);
}

#[test]
fn border_the_smaller_group_is_destroyed_before_it_arrives() {
    let board = Board::starting("TU BU SP NE");
    let quiet = board.set("BU", |c| (c.industry, c.air) = (0, 0));
    let quiet = quiet.set("TU", |c| c.industry = 0);
    let board = quiet.turn(&[(1, "@TU AC15BU"), (2, "@BU AB10TU")]);
    // Ten fall at the border, 100/15 = 6.67 of the fifteen too; eight go on against 40.
    assert_eq!(board.side("TU", "BU").army, count(10, 10));
    assert_eq!(board.side("BU", "TU").army, count(15, 15));
    assert_eq!(board.country("BU").army, 40 - 2, "64 / 40");
    assert_eq!(board.country("TU").army, 35);
}

#[test]
fn border_equal_groups_destroy_each_other() {
    let board = Board::starting("TU BU SP NE").turn(&[(1, "@TU AB10BU"), (2, "@BU AB10TU")]);
    assert_eq!(board.side("TU", "BU").army, count(10, 10));
    assert_eq!(board.side("BU", "TU").army, count(10, 10));
}

#[test]
fn missiles_are_stopped_one_for_one_and_kill_ten_armies_each() {
    let board = Board::starting("TU UK SP NE")
        .set("TU", |c| c.missiles = 3)
        .set("UK", |c| (c.army, c.antimissiles, c.industry) = (15, 1, 0));
    let board = board.turn(&[(1, "@TU MA3UK")]);
    let side = board.side("UK", "TU");
    assert_eq!(side.missiles, count(3, 1));
    let c = board.country("UK");
    assert_eq!((c.army, c.antimissiles, c.hpi), (0, 0, 96));
    assert_eq!(board.country("TU").missiles, 0);
    assert!(board.section(1, "Land combat").contains("Missiles=3-1"));
}

#[test]
fn missiles_suppress_industry_and_airbases() {
    let board = Board::starting("TU UK SP NE").set("TU", |c| c.missiles = 2);
    let board = board.turn(&[(1, "@TU MI1UK MF1UK"), (2, "@UK BD1 BA30")]);
    let c = board.country("UK");
    assert_eq!((c.industry, c.industry_down), (20, 10));
    assert_eq!((c.air, c.air_down), (20, 10));
    assert_eq!(c.hpi, 96);
    // A quarter, rounded up, recovers each turn.
    let board = board.turn(&[]);
    let c = board.country("UK");
    assert_eq!((c.industry, c.industry_down), (23, 7));
    assert_eq!((c.air, c.air_down), (23, 7));
}

#[test]
fn missiles_do_not_hit_air_force_that_has_just_flown_in() {
    let board = Board::starting("TU UK SP NE")
        .set("TU", |c| c.missiles = 1)
        .set("UK", |c| (c.air, c.industry) = (0, 0))
        .occupied("RO", 2, 5)
        .set("RO", |c| c.air = 10);
    let board = board.turn(&[(1, "@TU MF1UK"), (2, "@RO FT10UK")]);
    assert_eq!((board.country("UK").air, board.country("UK").air_down), (10, 0));
}

#[test]
fn missiles_reach_every_country_and_cost_no_force_at_home() {
    let board = Board::starting("TU UK SP NE").set("SP", |c| c.missiles = 1);
    assert_eq!(board.codes(3, "@SP MA1UK"), ["ok"]);
}

#[test]
fn air_half_of_the_smaller_number_falls_and_the_excess_strikes() {
    let board = ukraine(12, 0, 8).turn(&[(1, "@TU FA20UK")]);
    let clash = board.clash("UK");
    // Four fall, two on each side; of the twelve too many six hit an army.
    assert_eq!(clash.home.air, count(8, 2));
    assert_eq!(board.side("UK", "TU").air, count(20, 2));
    assert_eq!(clash.home.army, count(12, 6));
    assert_eq!(board.country("TU").hpi, 98);
}

#[test]
fn air_attacks_on_navy_industry_and_airbase() {
    let board =
        ukraine(10, 8, 0).set("UK", |c| c.industry = 6).turn(&[(1, "@TU FN10UK FI6UK FF4UK")]);
    let c = board.country("UK");
    // Two of each are built first: A, N, F. One of the two planes falls; of the 18
    // too many nine go for ships, five for industry, four for the base.
    assert_eq!(c.navy, 8 + 2 - 4);
    assert_eq!((c.industry, c.industry_down), (4, 2));
    assert_eq!((c.air, c.air_down), (0, 1));
}

#[test]
fn air_defenders_in_excess_hit_armies_first() {
    let board = ukraine(0, 0, 20).turn(&[(1, "@TU AC15UK FA4UK")]);
    // Sixteen planes too many hit eight of the fifteen.
    assert_eq!(board.side("UK", "TU").army, count(15, 8));
    assert_eq!(board.country("UK").owner, 1);
}

#[test]
fn air_a_quarter_of_the_suppressed_defends() {
    let board = ukraine(5, 0, 0).set("UK", |c| c.air_down = 16);
    let board = board.turn(&[(1, "@TU FA4UK")]);
    assert_eq!(board.clash("UK").home.air, count(4, 1));
    let c = board.country("UK");
    assert_eq!((c.air, c.air_down), (3, 12));
}

#[test]
fn navy_both_sides_shoot_then_the_port_fires_on_the_landing() {
    let board = Board::starting("TU SP SW NE")
        .set("CY", |c| (c.army, c.navy, c.air, c.industry) = (0, 8, 0, 0))
        .fleet("EAS", 1, 10, 12, 0);
    let board = board.turn(&[(1, "@EAS NN12CY AC10CY")]);
    let side = board.side("CY", "EAS");
    assert_eq!(board.clash("CY").home.navy, count(8, 6));
    assert_eq!(side.navy, count(12, 4));
    // The two ships left hit one of the ten.
    assert_eq!(side.army, count(10, 1));
    assert_eq!(board.country("CY").owner, 1);
    assert_eq!((board.country("CY").army, board.country("CY").navy), (9, 2));
    assert_eq!(board.sea("EAS", 1).navy, 8);
}

#[test]
fn navy_never_fires_on_armies_from_land() {
    let board = ukraine(0, 20, 0).turn(&[(1, "@TU AC5UK")]);
    assert_eq!(board.side("UK", "TU").army, count(5, 0));
}

#[test]
fn quarrel_hostile_attackers_fight_until_one_side_is_left() {
    let board = Board::starting("TU RU SP NE").set("UK", |c| {
        (c.army, c.navy, c.air, c.industry) = (0, 0, 0, 0);
    });
    let board = board.turn(&[(1, "2E @TU AC12UK"), (2, "@RU AC8UK")]);
    // Six and four, then four and one.
    assert_eq!(board.side("UK", "TU").army, count(12, 5));
    assert_eq!(board.side("UK", "RU").army, count(8, 8));
    assert_eq!((board.country("UK").owner, board.country("UK").army), (1, 7));
}

#[test]
fn quarrel_attackers_who_are_no_enemies_share_the_field() {
    let board = Board::starting("TU RU SP NE").set("UK", |c| {
        (c.army, c.navy, c.air, c.industry) = (0, 0, 0, 0);
    });
    let board = board.turn(&[(1, "@TU AC12UK"), (2, "@RU AC8UK")]);
    assert_eq!((board.country("UK").owner, board.country("UK").army), (1, 12));
    assert_eq!(board.country("RU").army, 50 + 30, "the others went home");
}

#[test]
fn quarrel_armies_of_one_player_from_several_spaces_count_together() {
    let board = Board::starting("TU RU SP NE").occupied("RO", 1, 9).fleet("BLA", 1, 1, 1, 0);
    let board = board.set("UK", |c| (c.army, c.navy, c.air, c.industry) = (0, 0, 0, 0));
    let three = "@TU AC1UK\n@RO AC1UK\n@BLA AC1UK";
    let board = board.turn(&[(1, three), (2, "@RU AC2UK")]);
    assert_eq!((board.country("UK").owner, board.country("UK").army), (1, 3));
}

#[test]
fn capture_of_a_minor_takes_ships_missiles_and_suppressed_planes() {
    let board = ukraine(5, 4, 6).set("UK", |c| {
        (c.industry, c.missiles, c.antimissiles, c.air_down) = (6, 2, 0, 4);
        c.fractions[1] = 50;
    });
    let board = board.turn(&[(1, "@TU AC40UK")]);
    let c = board.country("UK");
    assert_eq!((c.owner, c.hpi, c.tax, c.tax_down), (1, 100, 0, 10));
    assert_eq!((c.industry, c.industry_down), (0, 6));
    assert_eq!((c.navy, c.missiles), (6, 2));
    assert_eq!(c.air, 0);
    assert!(c.air_down > 4, "its planes are captured on the ground");
    assert_eq!(c.fractions, [0; 6]);
    assert!(c.popularity.is_empty());
}

#[test]
fn capture_of_a_players_country_lets_ships_and_planes_escape() {
    let board = Board::starting("TU BU SP NE")
        .set("TU", |c| (c.army, c.navy, c.air, c.industry) = (10, 9, 8, 0))
        .set("TU", |c| (c.air_down, c.missiles, c.antimissiles) = (8, 3, 2))
        .set("BU", |c| c.air = 0)
        .occupied("GR", 1, 5);
    let board = board.turn(&[(2, "@BU AC50TU BA30")]);
    let c = board.country("TU");
    assert_eq!((c.owner, c.navy, c.air), (2, 0, 0));
    assert_eq!((c.missiles, c.antimissiles), (3, 2));
    // Six of the eight suppressed planes stay; two had flown and fled or fallen.
    assert!(c.air_down >= 6);
    let fled = board.sea("BLA", 1).navy + board.sea("EAS", 1).navy;
    assert_eq!(fled, 9);
    assert!(board.country("GR").air >= 7, "the air force flew to Greece");
}

#[test]
fn evacuation_ships_seek_their_fleet_and_planes_the_sea() {
    let board = Board::starting("TU BU SP NE")
        .set("TU", |c| (c.army, c.navy, c.air, c.industry) = (0, 9, 8, 0))
        .fleet("EAS", 1, 0, 1, 0)
        .set("BU", |c| c.air = 0);
    let board = board.turn(&[(2, "@BU AC50TU")]);
    assert_eq!(board.sea("EAS", 1).navy, 10);
    let planes = board.sea("EAS", 1).air + board.sea("BLA", 1).air;
    assert!(planes > 0, "no country is left to them");
    // A sea that units reach only by evacuation is not seen.
    let board = Board::starting("TU BU SP NE")
        .set("TU", |c| (c.army, c.navy, c.air, c.industry) = (0, 9, 0, 0))
        .turn(&[(2, "@BU AC50TU")]);
    assert_eq!(board.section(1, "Seas"), "");
    assert!(!board.section(1, "Forces under your control").is_empty());
}

#[test]
fn evacuation_without_any_refuge_is_capture() {
    let board = Board::starting("HU CZ SP NE")
        .set("HU", |c| (c.army, c.air, c.industry) = (0, 10, 0))
        .set("CZ", |c| c.air = 0)
        // Nothing in range: Hungary's seas are two countries away for some maps.
        .turn(&[(2, "@CZ AC50HU")]);
    let at_sea = board.sea("BLA", 1).air + board.sea("EAS", 1).air;
    assert_eq!(at_sea + board.country("HU").air_down, 10 - board.clash("HU").home.air.lost);
}

/// Turkey's army is away in Greece's defence while Bulgaria takes Turkey.
fn away(returning: i64, conquerors: i64) -> Board {
    Board::starting("TU BU SP NE")
        .set("TU", |c| {
            (c.army, c.navy, c.air, c.industry, c.antimissiles) = (returning, 0, 0, 0, 3)
        })
        .set("BU", |c| (c.army, c.air, c.industry) = (conquerors, 0, 0))
        .occupied("GR", 1, 5)
}

#[test]
fn counter_attack_armies_that_find_their_home_taken_fight_for_it() {
    let cards: [(u8, &str); 2] = [(1, "@TU AS50GR"), (2, "@BU AC50TU")];
    let board = away(10, 8).turn(&cards);
    // 64/10 = 6.4 of the ten fall, and the country is Turkey's again.
    let counter = board.counter("TU");
    assert!(counter.recaptured);
    assert_eq!((counter.returning, counter.defending), (count(10, 6), count(8, 8)));
    let c = board.country("TU");
    assert_eq!((c.owner, c.army, c.antimissiles), (1, 4, 3));
    // Its popularity is as before, but taxes and industry are suppressed.
    assert_eq!((c.hpi, c.tax, c.tax_down), (100, 0, 100));
    let board = away(5, 8).turn(&cards);
    assert!(!board.counter("TU").recaptured);
    // 25/8 = 3.1 of the conquerors.
    assert_eq!((board.country("TU").owner, board.country("TU").army), (2, 5));
    let told = board.section(2, "Counter-attacks");
    assert!(told.contains("(Army=8-3) [1] Turkey(Army=5-5)"), "{told}");
    assert!(told.contains("coming home") && told.contains("0 of 5 left"), "{told}");
    assert!(told.contains("Bulgaria held it."), "{told}");
}

#[test]
fn counter_attack_conquerors_that_fall_in_it_have_not_survived() {
    let cards: [(u8, &str); 2] = [(1, "@TU AS50GR"), (2, "BA1\n@BU AC50TU")];
    // Eight march in without a battle, and all fall: nothing gained, eight lost.
    let board = away(10, 8).turn(&cards);
    assert_eq!(board.counter("TU").defending, count(8, 8));
    assert_eq!(board.country("BU").hpi, 100 - 8);
    // Three of eight fall, five live.
    let board = away(5, 8).turn(&cards);
    assert_eq!(board.counter("TU").defending, count(8, 3));
    assert_eq!(board.country("BU").hpi, 100 + 5 - 3);
    // Each of two countries bears its own losses in popularity; for forces from a sea nobody does.
    let both = Board::starting("TU BU SP NE")
        .set("TU", |c| (c.army, c.navy, c.air, c.industry) = (50, 0, 0, 0))
        .set("BU", |c| (c.army, c.air, c.industry) = (6, 0, 0))
        .occupied("RO", 2, 0)
        .occupied("UK", 2, 12)
        .occupied("GR", 1, 5)
        .fleet("BLA", 2, 18, 0, 0);
    let both = both.set("UK", |c| c.industry = 0);
    let cards = [(1, "@TU AS50GR"), (2, "BA1\n@BU AC6TU @UK AC12TU @BLA AC18TU")];
    let both = both.turn(&cards);
    assert_eq!(both.counter("TU").defending, count(36, 36));
    assert_eq!((both.country("BU").hpi, both.country("UK").hpi), (94, 88));
    // A game under older rules counts as before.
    let mut old = away(10, 8);
    old.state.revised = false;
    assert_eq!(old.turn(&[(1, "@TU AS50GR"), (2, "BA1\n@BU AC50TU")]).country("BU").hpi, 108);
}

#[test]
fn counter_attack_saved_missile_hits_meet_those_who_come_home() {
    let board = away(10, 8).set("BU", |c| c.missiles = 1).set("TU", |c| {
        (c.army, c.antimissiles) = (15, 0);
    });
    // Ten hits: five on the army at home, five on the ten that come back.
    let board = board.turn(&[(1, "@TU AS10GR"), (2, "@BU AC8TU MA1TU")]);
    assert_eq!(board.clash("TU").home.army, count(5, 5));
    let counter = board.counter("TU");
    assert_eq!(counter.returning, count(10, 10));
    assert_eq!(counter.defending, count(8, 3));
    assert!(!counter.recaptured);
}

#[test]
fn counter_attack_of_a_minors_army_makes_it_a_minor_again() {
    let board = Board::starting("BU SP SW NE")
        .controlled("GR", 2)
        .set("GR", |c| (c.army, c.navy, c.air, c.industry) = (10, 0, 0, 0))
        .set("AL", |c| (c.army, c.air, c.industry) = (0, 0, 0))
        .set("BU", |c| (c.army, c.air, c.industry) = (6, 0, 0));
    let board = board.turn(&[(2, "@GR AB10AL"), (1, "@BU AC6GR")]);
    assert!(board.counter("GR").recaptured);
    let c = board.country("GR");
    assert!(c.is_minor());
    assert_eq!((c.controller(), c.army), (2, 6));
}

#[test]
fn support_fights_as_if_it_were_there_and_goes_home() {
    let board = Board::starting("TU RO SP NE")
        .set("UK", |c| (c.army, c.navy, c.air, c.industry) = (10, 0, 0, 0))
        .set("RO", |c| (c.air, c.industry) = (0, 0));
    let board = board.turn(&[(1, "@TU AC40UK"), (2, "@RO AS40UK")]);
    let clash = board.clash("UK");
    assert_eq!(clash.home.army.sent, 50);
    // 1600/50 = 32 of the fifty.
    assert_eq!(clash.home.army.lost, 32);
    let lost = 32 - (10 - board.country("UK").army);
    assert_eq!(board.country("RO").army, 50 - lost);
    assert_eq!(board.country("RO").hpi, 100 - lost, "losses away from home hurt");
}

#[test]
fn sea_shots_go_double_to_ships_and_kill_by_kind() {
    let board = Board::starting("TU AL SP NE").fleet("EAS", 2, 0, 20, 0).fleet("EAS", 1, 5, 6, 0);
    let board = board.turn(&[(1, "2E")]);
    let sides = board.sea_clash("EAS").sides.clone();
    // Twenty shots: fourteen at six ships, six at five armies; six shots back.
    assert_eq!(sides[0], (1, [count(5, 5), count(6, 3), Count::default()]));
    assert_eq!(sides[1], (2, [Count::default(), count(20, 1), Count::default()]));
    let one = board.section(1, "Sea combat");
    assert!(one.contains("EAS: [1] Turkey(Army=5-5,Navy=6-3) [2] Albania(Navy=20-1)"), "{one}");
    assert!(one.contains("3 of 11 left") && one.contains("Nobody was driven off."), "{one}");
    assert!(board.section(3, "Sea combat").contains("None that you saw."));
}

#[test]
fn sea_forces_that_moved_in_and_were_all_lost_are_told_of() {
    let board = Board::starting("TU AL SP NE").fleet("EAS", 2, 0, 99, 0).fleet("WES", 1, 2, 1, 0);
    let board = board.turn(&[(1, "2E @TU NT1EAS @WES AT2EAS")]);
    assert!(board.sea("EAS", 1).is_empty());
    let told = board.section(1, "Sea combat");
    assert!(told.contains("EAS: [1] Turkey(Army=2-2,Navy=1-1) [2] Albania(Navy=99"), "{told}");
    assert!(told.contains("0 of 3 left") && told.contains("Albania alone is left."), "{told}");
    // That does not show the sea itself.
    assert!(!board.section(1, "Seas").contains("EAS"), "{}", board.section(1, "Seas"));
    assert!(board.section(3, "Sea combat").contains("None that you saw."));
}

#[test]
fn sea_neutral_fleets_lie_in_peace() {
    let board = Board::starting("TU AL SP NE").fleet("EAS", 2, 0, 20, 0).fleet("EAS", 1, 5, 6, 0);
    let board = board.turn(&[]);
    assert_eq!((board.sea("EAS", 1).navy, board.sea("EAS", 2).navy), (6, 20));
    assert!(board.section(1, "Sea combat").contains("None"));
}

#[test]
fn sea_supporters_join_the_battle_and_return() {
    let board = Board::starting("TU AL SP NE").fleet("EAS", 2, 0, 8, 0);
    let board = board.turn(&[(1, "2E @TU NS20EAS FS10EAS")]);
    let (_, mine) = board.sea_clash("EAS").sides[0];
    assert_eq!((mine[1].sent, mine[2].sent), (20, 10));
    let c = board.country("TU");
    assert_eq!((c.navy, c.air), (20 - mine[1].lost, 30 - mine[2].lost));
    assert_eq!(c.hpi, 100 - mine[1].lost - mine[2].lost);
    assert_eq!(board.sea("EAS", 1).navy, 0);
    // It saw the sea by its support.
    assert!(board.section(1, "Seas").contains("EAS [2] Albania"));
}

#[test]
fn sea_navy_that_supports_another_sea_is_missing_at_home_and_land_fighters_are_not() {
    let board = Board::starting("TU AL SP NE")
        .fleet("EAS", 1, 0, 10, 0)
        .fleet("EAS", 2, 0, 4, 0)
        .turn(&[(1, "2E @EAS NS10WES")]);
    assert!(board.events.iter().all(|e| !matches!(e, battle_plan::event::Event::SeaClash(_))));
    let board = Board::starting("TU AL SP NE")
        .fleet("EAS", 1, 0, 10, 0)
        .fleet("EAS", 2, 0, 4, 0)
        .set("CY", |c| (c.navy, c.air, c.industry) = (0, 0, 0))
        .turn(&[(1, "2E @EAS NN10CY")]);
    assert!(board.sea_clash("EAS").sides[0].1[1].sent > 0);
}

#[test]
fn land_armies_of_a_hundred_thousand_fight_like_any_other() {
    let board = ukraine(400_000, 0, 0).set("TU", |c| c.army = 500_000).with_seed(1);
    let board = board.turn(&[(1, "@TU AC99999UK")]);
    assert_eq!(board.side("UK", "TU").army, count(99_999, 99_999));
    let lost = board.clash("UK").home.army.lost;
    assert!((24_999..=25_000).contains(&lost), "the square of 99,999 by 400,000: {lost}");
}
