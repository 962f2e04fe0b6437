//! Small rules that the worked examples leave out.

use super::board::*;
use battle_plan::BattlePlan;
use battle_plan::event::{Count, Event};
use battle_plan::points::victory_points;
use battle_plan::state::Stance;
use engine::{Rules, Seat};

/// The neighbours as the rulebook prints them (15B).
const NEXT_TO: &str = "AL GR YU EAS;AU CZ GE HU IT YU;BA FI NO PD RU NTH;BE FR GE LU NE NTH;\
BU GR RO TU YU BLA;CY EAS;CZ AU GE HU PD RU;DE GE NTH;FI BA NO SW NTH;FR BE GE LU LY SP MID NTH;\
GE AU BE CZ DE FR LU NE PD NTH;GB MID NTH;GR AL BU TU YU EAS;HU AU CZ RO RU YU;IR MID NTH;\
IT AU LY YU EAS WES;LU BE FR GE;LY FR IT SP WES;NE BE GE NTH;NO BA FI SW NTH;PD BA CZ GE RU NTH;\
PR SP MID;RO BU HU RU UK YU BLA;RU BA CZ HU PD RO UK;SP FR LY PR MID WES;SW FI NO NTH;\
TU BU GR UK BLA EAS;UK RO RU TU BLA;YU AL AU BU GR HU IT RO EAS;BLA BU RO TU UK;\
EAS AL CY GR IT TU YU WES;MID FR GB IR PR SP NTH WES;\
NTH BA BE DE FI FR GB GE IR NE NO PD SW MID;WES IT LY SP EAS MID";

#[test]
fn europe_has_the_rulebooks_neighbours() {
    let board = Board::europe();
    let map = &board.state.tables.map;
    for row in NEXT_TO.split(';') {
        let mut codes = row.split(' ');
        let code = codes.next().expect("a space");
        let mut wanted: Vec<&str> = codes.collect();
        let mut found: Vec<&str> =
            map.neighbours(board.id(code)).iter().map(|s| map.code(*s)).collect();
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted, "{code}");
    }
    assert_eq!(NEXT_TO.split(';').count(), 34);
}

#[test]
fn start_forces_of_countries_with_and_without_a_coast() {
    let board = Board::starting("TU HU SP NE");
    let forces = |code: &str| {
        let c = board.country(code);
        (c.army, c.navy, c.air, c.industry, c.limit, c.tax)
    };
    assert_eq!(forces("TU"), (50, 20, 30, 30, 50, 100));
    assert_eq!(forces("HU"), (50, 0, 50, 30, 50, 100));
    assert_eq!(forces("GR"), (10, 4, 6, 6, 20, 10));
    assert_eq!(forces("AU"), (10, 0, 10, 6, 20, 10));
    assert_eq!(forces("CY"), (4, 10, 6, 6, 20, 10));
}

#[test]
fn a_player_keeps_their_number_and_name_when_their_country_is_lost() {
    let board = Board::starting("TU BU SP NE").occupied("GR", 1, 9);
    let board = board.set("TU", |c| (c.army, c.air, c.industry) = (0, 0, 0));
    let board = board.turn(&[(2, "@BU AC40TU")]);
    assert_eq!(board.country("TU").owner, 2);
    for seat in 1..=4 {
        let text = board.section(seat, "Players");
        assert!(text.contains("[1] Turkey") && text.contains("[2] Bulgaria"), "{text}");
    }
}

#[test]
fn an_enemy_word_of_one_side_outweighs_an_ally_word_of_the_other() {
    let board = Board::starting("TU AL SP NE").fleet("EAS", 1, 0, 9, 0).fleet("EAS", 2, 0, 9, 0);
    let board = board.turn(&[(1, "2A"), (2, "1E")]);
    assert_eq!(board.sea_clash("EAS").sides.len(), 2);
}

#[test]
fn a_player_with_a_minor_or_a_fleet_alone_plays_on() {
    let board = Board::starting("TU SP SW NE").set("TU", |c| c.owner = 2).fleet("EAS", 1, 4, 6, 0);
    let board = board.turn(&[(1, "@EAS AC4CY NT6WES")]);
    assert!(BattlePlan::wait(&board.state).seats.contains(&Seat(1)));
    assert_eq!(board.sea("WES", 1).navy, 6);
    assert!(board.printout(1).contains("Turn card"));
    // For the rating a player is out with the last country.
    assert_eq!(board.player(1).last_land, 0);
    let minor = Board::starting("TU SP SW NE").set("TU", |c| c.owner = 2).controlled("GR", 1);
    let minor = minor.turn(&[(1, "@GR BF6")]);
    assert_eq!(minor.country("GR").air, 12);
}

#[test]
fn an_army_that_has_landed_in_a_country_defends_it_the_same_turn() {
    let board = Board::starting("TU RO SP NE").occupied("UK", 1, 5);
    let board = board.set("UK", |c| c.industry = 0).set("RO", |c| (c.air, c.industry) = (0, 0));
    let board = board.turn(&[(1, "@TU AT30UK"), (2, "@RO AC20UK")]);
    assert_eq!(board.clash("UK").home.army.sent, 35);
    assert_eq!(board.country("UK").owner, 1);
}

#[test]
fn new_units_defend_but_take_no_order() {
    let board = Board::starting("TU RO SP NE").set("RO", |c| (c.air, c.industry) = (0, 0));
    assert_eq!(board.codes(1, "@TU BA30 AC60UK"), ["ok", "W22"]);
    let board = board.occupied("UK", 1, 0).set("UK", |c| (c.industry, c.tax) = (6, 0));
    let board = board.turn(&[(1, "@UK BA6"), (2, "@RO AB4UK")]);
    assert_eq!(board.clash("UK").home.army, Count { sent: 6, lost: 3 });
}

#[test]
fn armies_at_sea_only_take_hits() {
    let board = Board::starting("TU AL SP NE").fleet("EAS", 1, 30, 0, 0).fleet("EAS", 2, 0, 8, 0);
    let board = board.turn(&[(1, "2E")]);
    let sides = &board.sea_clash("EAS").sides;
    assert_eq!(sides[0].1[0], Count { sent: 30, lost: 8 });
    assert_eq!(sides[1].1[1].lost, 0);
}

#[test]
fn idle_air_force_at_sea_shoots_at_enemies() {
    let board = Board::starting("TU AL SP NE").fleet("EAS", 1, 0, 0, 16).fleet("EAS", 2, 0, 20, 0);
    let board = board.turn(&[(1, "2E")]);
    let sides = &board.sea_clash("EAS").sides;
    assert_eq!(sides[1].1[1], Count { sent: 20, lost: 4 }, "sixteen shots, a quarter each");
    assert_eq!(sides[0].1[2], Count { sent: 16, lost: 10 }, "twenty shots, a half each");
}

#[test]
fn gifts_to_another_player_become_their_forces() {
    let board = Board::starting("TU UK SP NE").set("TU", |c| (c.missiles, c.antimissiles) = (2, 2));
    let board = board.fleet("BLA", 1, 0, 5, 0);
    let board = board.turn(&[(1, "@TU AT10UK FT5UK MT2UK XT1UK @BLA NT5UK"), (2, "@UK BD1 BA30")]);
    let c = board.country("UK");
    assert_eq!((c.army, c.navy, c.air), (50 + 30 + 10, 25, 35));
    assert_eq!((c.missiles, c.antimissiles, c.owner), (2, 1, 2));
    assert!(board.section(2, "Gifts").contains("[1] Turkey gave you Army=10 in UK"));
}

#[test]
fn ships_given_to_a_minor_please_it_and_stay() {
    let board = Board::starting("TU SP SW NE").fleet("EAS", 1, 0, 3, 0).controlled("GR", 1);
    assert_eq!(board.codes(1, "@GR NS2EAS NT2EAS"), ["ok", "E16"]);
    let before = board.country("GR").navy;
    let board = board.turn(&[(1, "BA1 @EAS NT3GR")]);
    assert_eq!(board.country("GR").navy, before + 3);
    // Ten less half a point, three ships at two each.
    assert!([15, 16].contains(&board.country("GR").popularity[&1]));
}

#[test]
fn a_minor_may_strike_from_the_air_and_with_missiles_but_sends_nothing_away() {
    let board = Board::starting("TU SP SW NE").controlled("GR", 1);
    let board = board.set("GR", |c| (c.missiles, c.antimissiles) = (2, 2));
    let codes = board.codes(1, "@GR FA2AL FS2BU MA1SP FT1TU MT1TU XT1TU NN1AL");
    assert_eq!(codes, ["ok", "ok", "ok", "E16", "E16", "E16", "E17"]);
    let why = board.note(1, "@GR NN1AL");
    assert!(why.contains("NN is for fleets at sea"), "{why}");
}

#[test]
fn air_attacks_and_missiles_need_a_country() {
    let board = Board::europe().set("TU", |c| c.missiles = 1);
    assert_eq!(board.codes(5, "@TU FA5BLA MA1BLA FS5BLA"), ["E06", "E19", "ok"]);
}

#[test]
fn air_support_fights_in_the_country_and_comes_home() {
    let board = Board::starting("TU RO SP NE").set("UK", |c| {
        (c.army, c.navy, c.air, c.industry) = (10, 0, 0, 0);
    });
    let board = board.set("RO", |c| c.industry = 0);
    let board = board.turn(&[(1, "@TU FA10UK"), (2, "@RO FS10UK")]);
    let clash = board.clash("UK");
    assert_eq!(clash.home.air.sent, 10);
    assert_eq!(clash.home.army.lost, 0);
    assert_eq!(board.country("RO").air, 30 - clash.home.air.lost);
}

#[test]
fn missiles_hit_supporters_but_never_attackers() {
    let board = Board::starting("TU RO RU NE").set("TU", |c| c.missiles = 2);
    let board = board.set("UK", |c| (c.army, c.navy, c.air, c.industry) = (5, 0, 0, 0));
    let board = board.turn(&[(1, "@TU MA2UK AC10UK"), (2, "@RO AS15UK")]);
    assert_eq!(board.clash("UK").home.army, Count { sent: 20, lost: 20 });
    assert_eq!(board.side("UK", "TU").army, Count { sent: 10, lost: 0 });
}

#[test]
fn an_antimissile_that_moves_in_defends_at_once() {
    let board = Board::starting("TU UK SP NE").set("SP", |c| c.missiles = 1);
    let board = board.set("TU", |c| c.antimissiles = 1);
    let board = board.turn(&[(1, "@TU XT1UK"), (3, "@SP MI1UK")]);
    assert_eq!(board.side("UK", "SP").missiles, Count { sent: 1, lost: 1 });
    assert_eq!(board.country("UK").antimissiles, 0);
}

#[test]
fn training_keeps_its_fractions() {
    let all = |board: &Board| -> (i64, i64) {
        let players = [1, 2, 3, 4].map(|seat| board.player(seat));
        players.iter().fold((0, 0), |sum, p| (sum.0 + p.spies, sum.1 + p.counterspies))
    };
    let board = Board::starting("TU SP SW NE");
    let before = all(&board);
    let board = board.turn(&[(1, "TS3 TC2"), (2, "TS1 TC1")]);
    assert_eq!((board.player(1).spies, board.player(1).counterspies), (3_060, 340));
    // The audit counts by what all players trained.
    let flows = board.events.iter().filter_map(|e| match e {
        Event::SpyFlow { trained, counterspies_trained: counter, .. } => Some((trained, counter)),
        _ => None,
    });
    let (trained, counter) = flows.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(trained > 0 && counter > 0, "{trained}, {counter}");
    assert_eq!(all(&board), (before.0 + trained, before.1 + counter));
    assert!(board.section(1, "Treasury").contains("Spies=30.60 CounterSpies=3.40"));
}

#[test]
fn spreads_reach_minors_and_leave_the_remainder_to_chance() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "0S27 0P26")]);
    let minors: Vec<_> = board.state.lands().filter(|(_, c)| c.is_minor()).collect();
    assert_eq!(minors.len(), 25);
    let spies: Vec<i64> = minors.iter().map(|(_, c)| c.spies[&1]).collect();
    assert_eq!((spies.iter().sum::<i64>(), spies.iter().max()), (27, Some(&2)));
    let fame: Vec<i64> = minors.iter().map(|(_, c)| c.popularity[&1]).collect();
    assert_eq!((fame.iter().sum::<i64>(), fame.iter().min()), (26, Some(&1)));
    let board = Board::starting("TU SP SW NE").set_player(2, |p| p.counterspies = 2_500);
    let board = board.with_seed(1).turn(&[(1, "0S27"), (2, "0C25")]);
    let left: i64 = board.state.countries.iter().flat_map(|c| c.spies.values()).sum();
    assert!(left < 22, "a counterspy everywhere catches about half: {left}");
}

#[test]
fn a_counterspy_works_on_the_turn_it_is_sent_only() {
    let caught = |early: &str, late: &str| -> usize {
        let one = |seed: u64| {
            let board = Board::starting("TU SP SW NE").with_seed(seed).turn(&[(2, early)]);
            let board = board.turn(&[(1, "S10GR"), (2, late)]);
            10 - board.country("GR").spies.get(&1).copied().unwrap_or(0) as usize
        };
        (0..20).map(one).sum()
    };
    assert!(caught("C3GR", "") < 30);
    assert!(caught("", "C3GR") > 120);
}

#[test]
fn a_permit_is_kept_until_one_holds_the_strait() {
    let board = Board::starting("BU SP SW NE").fleet("BLA", 2, 0, 4, 0).turn(&[(1, "2K")]);
    let board = board.occupied("TU", 1, 9).turn(&[(2, "@BLA NT4EAS")]);
    assert_eq!(board.sea("EAS", 2).navy, 4);
}

#[test]
fn without_a_card_default_builds_go_on() {
    let board = Board::starting("TU SP SW NE").turn(&[(1, "BA0 BF100")]).turn(&[]);
    assert_eq!(board.country("TU").air, 30 + 60);
}

#[test]
fn armies_that_only_attack_capture_nothing() {
    let board = Board::starting("TU SP SW NE").set("UK", |c| {
        (c.army, c.navy, c.air, c.industry) = (4, 0, 0, 0);
    });
    let board = board.turn(&[(1, "@TU AB20UK")]);
    assert!(board.country("UK").is_minor());
    assert_eq!(board.country("UK").army, 0);
    assert_eq!(board.country("TU").army, 80 - 1);
}

#[test]
fn equal_conquerors_draw_lots() {
    let mut owners = std::collections::BTreeSet::new();
    for seed in 0..30 {
        let board = Board::starting("TU RU SP NE").with_seed(seed).set("UK", |c| {
            (c.army, c.navy, c.air, c.industry) = (0, 0, 0, 0);
        });
        owners.insert(board.turn(&[(1, "@TU AC9UK"), (2, "@RU AC9UK")]).country("UK").owner);
    }
    assert_eq!(owners.into_iter().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn the_sections_of_a_printout_stand_in_their_order() {
    let board = Board::starting("TU SP SW NE").fleet("EAS", 1, 0, 2, 0);
    let board = board.turn(&[(1, "2K 4D1\n@TU /1/BA999"), (2, "PRESS 1\nHello.\nEND")]);
    let text = board.printout(1);
    let order = [
        "Treasury",
        "Settings",
        "Forces under your control",
        "Players",
        "Countries that you see",
        "Countries that you do not see",
        "Seas",
        "Visible forces",
        "Land combat",
        "Spies caught",
        "Sea combat",
        "Counter-attacks",
        "Gifts",
        "Messages",
        "Your orders of turn 1",
        "Standing orders",
        "Map",
        "Turn card for turn 2",
    ];
    let mut from = 0;
    for heading in order {
        let at = text[from..].find(heading).unwrap_or_else(|| panic!("{heading}"));
        from += at;
    }
}

#[test]
fn equal_forces_know_no_world_opinion_and_no_shared_win() {
    let board = Board::of("equal", 10, &[]);
    assert_eq!(board.codes(1, "4G3 4B3"), ["E29", "E29"]);
    let cards: Vec<(u8, String)> = (1..=10)
        .map(|s| (s, (1..=10).filter(|o| *o != s).map(|o| format!("{o}A ")).collect()))
        .collect();
    let cards: Vec<(u8, &str)> = cards.iter().map(|(s, c)| (*s, c.as_str())).collect();
    let mut board = board.turn(&cards);
    assert!(board.state.over.is_none(), "all are allies, and the game goes on");
    for country in &mut board.state.countries {
        if country.owner != 0 {
            country.owner = 3;
        }
    }
    let scores = BattlePlan::result(&board.turn(&[]).state).expect("it is over");
    assert_eq!((scores[2].rank, scores[0].rank), (1, 2));
    // Nobody starts on an island without asking.
    let starts = Board::of("equal", 31, &[]);
    let island = |s: u8| starts.state.occupied(s).any(|c| starts.state.tables.map.row(c).island);
    assert!((1..=31).all(|s| !island(s)));
}

#[test]
fn opinion_lists_hold_one_player_a_place() {
    let board = Board::of("real", 20, &[]).turn(&[(1, "4G3 5G2 6G1")]);
    assert_eq!(board.player(1).good, [6, 5, 4]);
    let board = board.turn(&[(1, "7G3 0G2 6G2 6B1")]);
    assert_eq!((board.player(1).good, board.player(1).bad), ([0, 6, 7], [6, 0, 0]));
    // A player without countries keeps the lists while cards come.
    let mut board = board;
    for country in &mut board.state.countries {
        if country.owner == 1 {
            country.owner = 2;
        }
    }
    let sea = board.id("WNP");
    board.state.sea_mut(sea).insert(1, battle_plan::state::Forces { army: 0, navy: 3, air: 0 });
    let board = board.turn(&[(1, "")]);
    assert_eq!(board.player(1).good, [0, 6, 7]);
}

#[test]
fn winners_of_real_forces_by_class_count_suppressed_industry_within_the_limit() {
    use battle_plan::points::winning_industry;
    use battle_plan::tables::Class;
    let board = Board::of("real", 20, &[]);
    let needed = [Class::Super, Class::Major, Class::Medium, Class::Small]
        .map(|c| winning_industry(&board.state.tables, c));
    assert_eq!(needed, [2200, 1500, 400, 100]);
    let board = Board::of("real", 10, &[]).set("NPL", |c| {
        (c.industry, c.industry_down, c.limit) = (10, 60, 50);
    });
    let others: i64 = 515 - 30;
    assert_eq!(board.state.industry_of(1), others + 50);
    assert!(board.section(1, "Victory").contains("You have 535."));
}

#[test]
fn points_per_turn_end_with_the_last_country_and_most_points_win() {
    let board = Board::of("1939", 13, &[("length", "exact25")]);
    let per_turn = |turns: u32| {
        let mut state = board.state.clone();
        state.player_mut(4).last_land = turns;
        victory_points(&state, 4)[0]
    };
    assert_eq!((per_turn(25), per_turn(10)), (2750, 1100));
    // Controlling Switzerland as a minor does not keep a player in the game.
    let mut lost = Board::of("1939", 13, &[]);
    for country in &mut lost.state.countries {
        if country.owner == 4 {
            country.owner = 9;
        }
    }
    let lost = lost.turn(&[]);
    assert_eq!(lost.player(4).last_land, 0);
    let mut board = board;
    board.state.turn = 25;
    for player in &mut board.state.players {
        player.last_land = 24;
    }
    let board = board.turn(&[]);
    let scores = BattlePlan::result(&board.state).expect("it is over");
    let best = scores.iter().max_by_key(|s| s.points).expect("a winner");
    assert_eq!(best.rank, 1);
    assert!(scores.iter().all(|s| s.rank > 1 || s.points == best.points));
    let text = board.printout(best.seat.0);
    assert!(text.contains("Victory points") && text.contains("rank 1"), "{text}");
}

#[test]
fn america_can_reach_its_printed_maximum() {
    // The USA has all its own spaces, Panama, Midway and the Philippines; all others are as at the
    // start.
    let mut board = Board::of("1939", 13, &[]);
    for code in ["NPA", "PLU", "PMI"] {
        board = board.occupied(code, 13, 5);
    }
    for sea in ["WWA", "WGM", "WNP", "WMP"] {
        board = board.fleet(sea, 13, 0, 9, 0);
    }
    assert_eq!(victory_points(&board.state, 13).iter().sum::<i64>(), 4210);
}

#[test]
fn all_arrows_and_stars_of_the_world_are_air_ranges() {
    let board = Board::of("equal", 20, &[]);
    let map = &board.state.tables.map;
    let arrows = "EIC-NGR AMD-AMZ ACI-AWS ACI-AMO AMO-EAZ AMO-ENA AMO-EPR EAZ-ENA SFA-SSC SSA-SFA \
                  EAZ-EPR EAZ-ACI PIG-PQU PIG-PMI PIG-PNT PIG-PCE PCE-PNT PCE-PWA PJA-PNT PJA-PWA \
                  PPG-PQU PPG-PNT PHI-NCA EGB-ENA";
    for pair in arrows.split_whitespace() {
        let (a, b) = pair.split_once('-').expect("a pair");
        assert!(map.in_air_range(board.id(a), board.id(b)), "{pair}");
    }
    for star in ["WBK", "WBT", "WCB", "WEM", "WGM", "WJA", "WNS", "WPG", "WRS", "WWM", "WYE"] {
        let coast = map.neighbours(board.id(star)).iter().filter(|s| !map.is_sea(**s));
        let coast: Vec<_> = coast.copied().collect();
        for a in &coast {
            assert!(coast.iter().all(|b| a == b || map.in_air_range(*a, *b)), "{star}");
        }
    }
    // Codes that the old map had wrong.
    assert!(map.find("IBE").is_some() && map.find("IRE").is_none() && map.find("ACO").is_some());
    assert_eq!((map.country_count(), map.len() - map.country_count()), (224, 40));
    assert!(map.seas().all(|s| map.code(s).starts_with('W')));
}

#[test]
fn the_canals_of_egypt_and_gibraltar_are_straits_too() {
    let starts = "EFR ETU AEG EGB EPD EIT ESW RMO RWS ANI ASA AKE MSA IDE IMD CTH CSZ CMA PNS NNY";
    let board = Board::of("equal", 20, &[("starts", starts)]).occupied("EGI", 2, 5);
    let board = board.fleet("WEM", 1, 0, 3, 0).fleet("WMA", 1, 0, 3, 0);
    let shut = board.turn(&[(1, "@WEM NT3WRS @WMA NT3WWM")]);
    assert_eq!((shut.sea("WRS", 1).navy, shut.sea("WWM", 1).navy), (0, 0));
    let open = shut.turn(&[(2, "1K"), (3, "1K"), (1, "@WEM NT3WRS @WMA NT3WWM")]);
    assert_eq!((open.sea("WRS", 1).navy, open.sea("WWM", 1).navy), (3, 3));
}

#[test]
fn south_america_has_its_island_and_its_canal() {
    let board = Board::of("south-america", 4, &[]);
    assert_eq!((board.country("SFA").army, board.country("SFA").navy), (4, 10));
    let map = &board.state.tables.map;
    assert_eq!(map.canal(board.id("WCB"), board.id("WCP")), Some(board.id("NPA")));
    assert!(map.in_air_range(board.id("SFA"), board.id("SSC")));
    assert_eq!(board.state.player(1).stance(2), Stance::Neutral);
}
