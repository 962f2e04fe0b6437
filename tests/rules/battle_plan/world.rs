//! §2, §14, §19, §20: maps, canals, and what each variant does differently.

use super::board::*;
use battle_plan::BattlePlan;
use battle_plan::points::{rated, victory_points};
use battle_plan::state::Stance;
use battle_plan::tables::Tables;
use engine::{CardText, Cards, Mark, Printouts, Rules, Seat, Sits};

/// The air lists as the rulebook prints them, neighbours left out (Appendix A).
const AIR: &[(&str, &str)] = &[
    ("AL", "AU BU IT HU RO TU"),
    ("AU", "AL BE BU DE FR GR LU LY NE PD RO RU EAS NTH WES"),
    ("BA", "CZ GE HU RO SW UK"),
    ("BE", "AU CZ DE GB LY PD SP MID"),
    ("BU", "AL AU HU IT RU UK EAS"),
    ("CY", "GR TU"),
    ("CZ", "BA BE DE FR IT LU NE RO UK YU NTH"),
    ("DE", "AU BE CZ FR LU NE NO PD SW"),
    ("FI", "PD RU"),
    ("FR", "AU CZ DE GB IR IT NE PD PR WES"),
    ("GE", "BA GB HU IT LY NO RU SP SW YU MID"),
    ("GB", "BE FR GE IR NE NO"),
    ("GR", "AU CY HU IT RO UK BLA"),
    ("HU", "AL BA BU GE GR IT PD UK BLA EAS"),
    ("IR", "FR GB"),
    ("IT", "AL BU CZ FR GE GR HU RO SP"),
    ("LU", "AU CZ DE LY NE PD SP MID NTH"),
    ("LY", "AU BE GE LU PR YU EAS MID NTH"),
    ("NE", "AU CZ DE FR GB LU PD"),
    ("NO", "DE GB GE PD RU"),
    ("PD", "AU BE DE FI FR HU LU NE NO RO SW UK"),
    ("PR", "FR LY WES"),
    ("RO", "AL AU BA CZ GR IT PD TU EAS"),
    ("RU", "AU BU FI GE NO TU YU BLA NTH"),
    ("SP", "BE IT GE LU NTH"),
    ("SW", "BA DE GE PD"),
    ("TU", "AL CY RO RU YU"),
    ("UK", "BA BU CZ GR HU PD YU EAS"),
    ("YU", "CZ GE LY RU TU UK BLA WES"),
    // The two seas beside Turkey are printed as neighbours of each other.
    ("BLA", "GR HU RU YU EAS"),
    ("EAS", "AU BU HU LY RO UK BLA"),
    ("MID", "BE GE LU LY"),
    ("NTH", "AU CZ LU LY RU SP"),
    ("WES", "AU FR PR YU"),
];

fn tables(variant: &str, seats: u8) -> Tables {
    Tables::read(&setup(variant, seats, &[])).expect("sound")
}

#[test]
fn europe_has_the_rulebooks_air_ranges() {
    let board = Board::europe();
    let map = &board.state.tables.map;
    assert_eq!(map.len(), 34);
    for (code, list) in AIR {
        let space = board.id(code);
        let far = map.air_range(space).iter().filter(|s| !map.adjacent(space, **s));
        let mut found: Vec<&str> = far.map(|s| map.code(*s)).collect();
        let mut wanted: Vec<&str> = list.split(' ').collect();
        found.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(found, wanted, "{code}");
    }
}

#[test]
fn maps_are_symmetric_and_connected() {
    for (variant, seats, spaces) in
        [("europe", 5, 34), ("equal", 20, 264), ("south-america", 4, 29)]
    {
        let tables = tables(variant, seats);
        let map = &tables.map;
        assert_eq!(map.faults(), Vec::<String>::new());
        assert_eq!(map.len(), spaces, "{variant}");
        let mut reached = vec![false; map.len()];
        let mut todo = vec![map.all().next().expect("a space")];
        while let Some(space) = todo.pop() {
            if !std::mem::replace(&mut reached[usize::from(space.0)], true) {
                todo.extend(map.neighbours(space));
            }
            for other in map.air_range(space) {
                assert!(map.in_air_range(*other, space), "{}", map.code(space));
            }
        }
        // All spaces are connected, even without canals.
        assert!(reached.iter().all(|r| *r), "{variant}");
        let mut places = std::collections::BTreeSet::new();
        for space in map.all() {
            assert!(places.insert(map.row(space).at), "{} shares its square", map.code(space));
        }
    }
}

#[test]
fn the_world_reaches_across_star_seas_arrows_and_ice() {
    let board = Board::of("equal", 20, &[]);
    let near = |a: &str, b: &str| board.state.tables.map.in_air_range(board.id(a), board.id(b));
    // Two countries on the Black Sea; the star binds land to land only.
    assert!(near("ERO", "RCA") && near("EBU", "RUK"));
    assert!(!near("WBK", "RLE"));
    assert!(near("PHI", "NCA") && near("EGB", "ENA") && near("SFA", "SSC"));
    assert!(near("NAK", "ENO"), "over the ice");
    let war = Board::of("1939", 13, &[]);
    let map = &war.state.tables.map;
    assert!(!map.in_air_range(war.id("NAK"), war.id("ENO")), "not with bombers");
    // Gibraltar lies only on the Mediterranean.
    assert!(map.adjacent(war.id("EGI"), war.id("WWM")));
    assert!(
        !map.adjacent(war.id("EGI"), war.id("WMA")) && !map.adjacent(war.id("EGI"), war.id("AMO"))
    );
    assert!(
        map.adjacent(war.id("EGI"), war.id("ENA")) && map.adjacent(war.id("EGI"), war.id("EAR"))
    );
    // The Antarctic touches every southern sea.
    for sea in ["WBI", "WIO", "WMG", "WMZ", "WSA", "WSP", "WTS"] {
        assert!(map.adjacent(war.id("WAN"), war.id(sea)), "{sea}");
    }
}

#[test]
fn world_minors_on_an_island_of_their_own_have_more_ships() {
    let board = Board::of("equal", 20, &[]);
    let army_navy = |code: &str| (board.country(code).army, board.country(code).navy);
    assert_eq!(army_navy("AMD"), (4, 10));
    assert_eq!(army_navy("PPG"), (10, 4), "two countries on one island are none");
    assert_eq!(army_navy("ACH"), (10, 0));
}

#[test]
fn start_countries_share_no_border() {
    for (variant, counts) in [("europe", 4..=9), ("equal", 10..=31), ("south-america", 4..=6)] {
        for seats in counts {
            let board = Board::of(variant, seats, &[]);
            let map = &board.state.tables.map;
            let starts: Vec<_> = (1..=seats).flat_map(|s| board.state.occupied(s)).collect();
            assert_eq!(starts.len(), usize::from(seats));
            let near = |a: &_| starts.iter().any(|b| map.adjacent(*a, *b));
            assert!(!starts.iter().any(near), "{variant} {seats}");
        }
    }
}

#[test]
fn wrong_setups_are_refused_with_what_is_wrong() {
    let fault = |variant: &str, seats: u8, options: &[(&str, &str)]| {
        let setup = setup(variant, seats, options);
        let made = BattlePlan::new_game(&setup, &mut engine::Dice::new(1));
        made.map(|_| ()).expect_err("refused").join("; ")
    };
    assert!(fault("europe", 12, &[]).contains("europe has 4 to 9 seats, not 12"));
    assert!(fault("1939", 12, &[]).contains("1939 has 13 seats"));
    assert!(fault("europe", 4, &[("starts", "TU SP SW XX")]).contains("XX"));
    assert!(fault("europe", 4, &[("starts", "TU SP SW TU")]).contains("twice"));
    assert!(fault("real", 10, &[("positions", "USA, Atlantis")]).contains("positions has 2"));
    assert!(fault("europe", 4, &[("ratings", "1,2")]).contains("ratings are 4 numbers"));
}

#[test]
fn the_strait_is_open_to_its_owner_and_whom_they_permit() {
    let board = || Board::starting("TU BU SP NE").fleet("BLA", 2, 4, 6, 0);
    let shut = board().turn(&[(2, "@BLA NT6EAS AT4EAS")]);
    assert_eq!((shut.sea("BLA", 2).navy, shut.sea("EAS", 2).navy), (6, 0));
    let text = shut.section(2, "Straits and canals");
    assert!(text.contains("TU was closed to you: Navy=6 stayed in BLA"), "{text}");
    let open = board().turn(&[(1, "2K"), (2, "@BLA NT6EAS AT4EAS")]);
    assert_eq!((open.sea("EAS", 2).navy, open.sea("EAS", 2).army), (6, 4));
    let text = open.section(1, "Straits and canals");
    assert!(text.contains("[2] Bulgaria went through TU from BLA to EAS: Navy=6"), "{text}");
    assert!(open.section(3, "Straits and canals").is_empty());
    let back = open.turn(&[(1, "2X"), (2, "@EAS NT6BLA")]);
    assert_eq!(back.sea("BLA", 2).navy, 0);
    // Support goes the same way; planes need no permission.
    let board = || board().fleet("EAS", 3, 0, 4, 0);
    let shut = board().turn(&[(2, "3E @BLA NS6EAS")]);
    assert!(shut.events.iter().all(|e| !matches!(e, battle_plan::event::Event::SeaClash(_))));
    let text = shut.section(2, "Straits and canals");
    assert!(text.contains("TU was closed to you: Navy=6 stayed in BLA"), "{text}");
    let open = board().turn(&[(1, "2K"), (2, "3E @BLA NS6EAS")]);
    let (seat, units) = open.sea_clash("EAS").sides[0];
    assert_eq!((seat, units[1].sent), (2, 6));
    let text = open.section(2, "Straits and canals");
    assert!(!text.contains("closed"), "{text}");
    let text = open.section(1, "Straits and canals");
    assert!(text.contains("[2] Bulgaria went through TU from BLA to EAS: Navy=6"), "{text}");
    let planes = board().fleet("BLA", 2, 0, 0, 5).turn(&[(2, "@BLA FT5EAS")]);
    assert_eq!(planes.sea("EAS", 2).air, 5);
}

#[test]
fn the_strait_of_an_uncontrolled_minor_is_shut() {
    let board = Board::starting("BU SP SW NE").fleet("BLA", 1, 0, 6, 0);
    assert_eq!(board.turn(&[(1, "@BLA NT6EAS")]).sea("EAS", 1).navy, 0);
    let own = Board::starting("BU SP SW NE").fleet("BLA", 1, 0, 6, 0).controlled("TU", 1);
    assert_eq!(own.turn(&[(1, "@BLA NT6EAS")]).sea("EAS", 1).navy, 6);
}

#[test]
fn one_permit_covers_all_canals() {
    let board = Board::of(
        "equal",
        20,
        &[(
            "starts",
            "EFR ETU AEG EGB EPD EIT ESW RMO RWS ANI ASA AKE MSA IDE IMD CTH CSZ CMA PNS NNY",
        )],
    );
    let board = board.occupied("NPA", 2, 5).fleet("WBK", 1, 0, 3, 0).fleet("WCB", 1, 0, 3, 0);
    let board = board.turn(&[(2, "1K"), (1, "@WBK NT3WEM @WCB NT3WCP")]);
    assert_eq!((board.sea("WEM", 1).navy, board.sea("WCP", 1).navy), (3, 3));
}

#[test]
fn anonymous_players_have_fixed_texts_only() {
    let board = Board::of("anonymous", 20, &[]).turn(&[(1, "3W11EFR 0W20")]);
    let text = board.section(3, "Messages");
    assert!(text.contains("I intend to take EFR.") && text.contains("Thank you."), "{text}");
    assert!(board.section(4, "Messages").contains("Thank you."));
    assert!(!board.section(4, "Messages").contains("EFR"));
    assert_eq!(Board::of("anonymous", 20, &[]).section(1, "Addresses"), "");
}

#[test]
fn real_forces_follow_from_industry_and_factors() {
    let board = Board::of("real", 20, &[]);
    let usa = board.player(1);
    assert_eq!(usa.name, "USA");
    assert_eq!((usa.spies, usa.counterspies), (6_000, 1_000));
    let plains = board.country("NPL");
    // 30 industry: 50 army, navy's 20 as planes: (30 + 20) x 1.5.
    assert_eq!((plains.industry, plains.army, plains.navy, plains.air), (30, 50, 0, 75));
    assert_eq!((plains.missiles, plains.tax, plains.limit, plains.hpi), (20, 100, 50, 100));
    let taxes: i64 = board.state.occupied(1).map(|s| board.state.country(s).tax).sum();
    assert_eq!(usa.cents, taxes * 100);
    // A small power: no missiles ever, twice its income.
    let last = Board::of("real", 60, &[]);
    let small = last.player(60);
    assert_eq!((small.multipliers[4], small.bases[4]), (0, 0));
    let taxes: i64 = last.state.occupied(60).map(|s| last.state.country(s).tax).sum();
    assert_eq!(small.cents, taxes * 200);
    // Chosen positions, in their order.
    let chosen = "Japan,Cuba & Zaire,India,USA,Russia,China,France,Israel,Sweden,Italy";
    let board = Board::of("real", 10, &[("positions", chosen)]);
    assert_eq!(board.player(2).name, "Cuba & Zaire");
    assert_eq!(board.state.occupied(2).count(), 2);
}

#[test]
fn world_opinion_moves_every_country_of_a_player_each_turn() {
    let board = Board::of("real", 20, &[]).turn(&[(2, "1B3"), (3, "1B3 1G1")]);
    let hpi = |b: &Board| b.country("NPL").hpi;
    assert_eq!(hpi(&board), 100 - 3 - 3 + 1);
    let seen = board.section(5, "World opinion");
    assert!(seen.contains("[1] USA") && seen.contains("-5"), "{seen}");
    assert!(!seen.contains("[2]") && !seen.contains("[3]"), "who says it is secret: {seen}");
    // The lists last while cards come; three missed turns clear them.
    let mut board = board;
    for _ in 0..3 {
        board = board.turn(&[(1, ""), (2, "")]);
    }
    assert_eq!(board.player(3).bad, [0; 3]);
    assert_eq!(board.player(2).bad, [0, 0, 1]);
    let before = hpi(&board);
    assert_eq!(hpi(&board.turn(&[(1, ""), (2, "")])), before - 3);
}

#[test]
fn real_forces_end_when_all_who_are_left_are_allies() {
    let everybody = |board: &Board, except: u8| -> Vec<(u8, String)> {
        let seats = 1..=board.state.players.len() as u8;
        seats
            .clone()
            .filter(|s| *s != except)
            .map(|s| {
                let orders = seats.clone().filter(|o| *o != s).map(|o| format!("{o}A"));
                (s, orders.collect::<Vec<_>>().join(" "))
            })
            .collect()
    };
    let board = Board::of("real", 10, &[]);
    let cards = everybody(&board, 3);
    let cards: Vec<(u8, &str)> = cards.iter().map(|(s, c)| (*s, c.as_str())).collect();
    let board = board.turn(&cards);
    assert!(board.state.over.is_none(), "one has not agreed");
    let sits = [(Seat(3), Sits::Left)].into();
    let gone = Board { state: board.state.clone(), events: Vec::new(), seed: None, sits };
    assert!(gone.turn(&cards).state.over.is_some(), "who has left need not agree");
    let cards = everybody(&board, 0);
    let cards: Vec<(u8, &str)> = cards.iter().map(|(s, c)| (*s, c.as_str())).collect();
    let board = board.turn(&cards);
    let scores = BattlePlan::result(&board.state).expect("it is over");
    // USA needs 2200 industry and has far less: a survivor like all others.
    assert!(scores.iter().all(|s| s.points == 1), "{scores:?}");
    assert!(board.section(1, "The end").contains("you are a survivor"));
    // With enough industry, a winner.
    let rich = Board::of("real", 10, &[]).set("NPL", |c| (c.industry, c.limit) = (9_000, 9_000));
    let all = everybody(&rich, 0);
    let cards: Vec<(u8, &str)> = all.iter().map(|(s, c)| (*s, c.as_str())).collect();
    let scores = BattlePlan::result(&rich.turn(&cards).state).expect("it is over");
    assert_eq!((scores[0].points, scores[0].rank), (3, 1));
}

#[test]
fn in_1939_the_powers_start_with_their_spaces() {
    let board = Board::of("1939", 13, &[]);
    let sizes: Vec<usize> = (1..=13).map(|s| board.state.occupied(s).count()).collect();
    assert_eq!(sizes, [9, 10, 12, 13, 7, 3, 23, 5, 59, 7, 9, 15, 17]);
    let industry: Vec<i64> = (1..=13)
        .map(|s| board.state.occupied(s).map(|c| board.state.country(c).industry).sum())
        .collect();
    assert_eq!(industry, [56, 47, 40, 84, 68, 42, 167, 189, 382, 70, 129, 248, 338]);
    assert_eq!(board.country("ESZ").controller(), 4);
    assert_eq!((board.country("CMO").controller(), board.country("NPA").controller()), (12, 13));
    let west = board.country("EWG");
    // 90 industry: twice the army, two thirds by 0.7 the navy, a quarter the bombers.
    assert_eq!((west.army, west.navy, west.air, west.tax), (180, 42, 23, 300));
    assert_eq!(board.player(8).multipliers[4..6], [0, 0]);
}

#[test]
fn in_1939_bombers_embark_next_door_and_never_fight_at_sea() {
    let board = Board::of("1939", 13, &[]).turn(&[]);
    let codes = board.codes(8, "@EWG FT1WNS FT1WMA FS1WMA FA1EGB");
    assert_eq!(codes, ["ok", "E12", "ok", "ok"], "{codes:?}");
    let at_sea = board.fleet("WNS", 8, 0, 2, 9);
    assert_eq!(at_sea.codes(8, "@WNS FT1EWG FS1WMA FA1EGB FT1EPD"), ["ok", "E29", "E29", "E12"]);
    // Aboard they are hit and do not shoot.
    let board = at_sea.fleet("WNS", 9, 0, 1, 0).turn(&[(8, "9E")]);
    let sides = &board.sea_clash("WNS").sides;
    let british = sides.iter().find(|s| s.0 == 9).expect("they fought");
    assert_eq!(british.1[1].lost, 0, "two ships' shots at one ship, a quarter each");
}

#[test]
fn in_1939_missiles_are_learnt_late_and_fly_two_spaces() {
    let mut board = Board::of("1939", 13, &[]);
    let missiles = |b: &Board, seat: u8| b.player(seat).multipliers[4];
    for _ in 0..5 {
        board = board.turn(&[(8, "RM20"), (5, "RM20")]);
    }
    assert_eq!((missiles(&board, 8), missiles(&board, 5)), (0, 0), "five turns for nothing");
    board = board.turn(&[(8, "RM80"), (5, "RM80")]);
    // A tenth of the root of 100.
    assert_eq!((missiles(&board, 8), missiles(&board, 5)), (1, 0));
    let armed = board.set("EWG", |c| c.missiles = 1);
    assert_eq!(armed.codes(8, "@EWG MA1RMO MA1EFR"), ["E12", "ok"]);
    let fired = armed.turn(&[(8, "@EWG MA1EFR")]);
    assert!(fired.state.missile_fired);
    let after = fired.turn(&[(8, "RM80"), (5, "RM80"), (1, "RM80")]);
    assert_eq!((missiles(&after, 8), missiles(&after, 5), missiles(&after, 1)), (1 + 3, 1, 0));
}

#[test]
fn in_1939_the_end_is_uncertain_from_printout_26_on_or_exact() {
    let length = |seed: u64, option: &str| {
        let mut board = Board::of("1939", 13, &[("length", option)]).with_seed(seed);
        while board.state.over.is_none() {
            board = board.turn(&[]);
        }
        board.state.turn
    };
    let lengths: Vec<u32> = (0..12).map(|seed| length(seed * 1000, "about25")).collect();
    assert!(lengths.iter().all(|l| *l >= 26), "{lengths:?}");
    assert!(lengths.contains(&26) && lengths.iter().any(|l| *l > 26), "{lengths:?}");
    assert_eq!(length(5, "exact25"), 26);
    // One game in three ends at once.
    let mut last = Board::of("1939", 13, &[("length", "about25")]);
    last.state.turn = 25;
    let ends = |seed: &u64| {
        let board = Board { state: last.state.clone(), events: Vec::new(), ..Board::europe() };
        board.with_seed(seed * 1000).turn(&[]).state.over.is_some()
    };
    let many = (0..60).filter(ends).count();
    assert!((12..=28).contains(&many), "{many} of 60");
}

#[test]
fn victory_points_of_1939_add_up_as_printed() {
    // One power owns the world and everything that others might do for it has been
    // done: its points are the printed maximum, item by item.
    let board = Board::of("1939", 13, &[]);
    let whole = |seat: u8| {
        let mut state = board.state.clone();
        for country in &mut state.countries {
            country.owner = seat;
            country.navy = 5;
        }
        for sea in &mut state.seas {
            sea.insert(seat, battle_plan::state::Forces { army: 0, navy: 9, air: 0 });
        }
        state.player_mut(seat).last_land = 25;
        victory_points(&state, seat)
    };
    let sum = |seat: u8| whole(seat).iter().sum::<i64>();
    // Those whose every item is met by owning all.
    assert_eq!([sum(1), sum(2), sum(3), sum(5)], [4560, 4520, 4535, 4550]);
    assert_eq!(sum(4), 4800);
    // China: Japan is gone; the others' items that need neighbours are left out.
    assert_eq!(sum(6), 4483);
    // 100 of France's, Britain's and America's points need the Low Countries alive.
    assert_eq!(sum(7), 4077 - 100);
    assert_eq!(sum(8), 4940 + 10, "224 spaces, not the printed 223");
    assert_eq!(sum(9), 4150 - 100 - 25);
    assert_eq!(sum(10), 4240);
    assert_eq!(sum(11), 4476 - 2, "177 other spaces are left of the printed 178");
    assert_eq!(sum(12), 4220);
}

#[test]
fn victory_points_depend_on_others_too() {
    let board = Board::of("1939", 13, &[]);
    let points = |b: &Board, seat: u8| {
        let power = &b.state.tables.powers[usize::from(seat) - 1];
        let got = victory_points(&b.state, seat);
        power
            .points
            .iter()
            .map(|i| i.in_words(|p| b.state.tables.power_name(p)))
            .zip(got)
            .collect::<Vec<_>>()
    };
    let item = |b: &Board, seat: u8, part: &str| -> i64 {
        let list = points(b, seat);
        list.iter().find(|(s, _)| s.contains(part)).unwrap_or_else(|| panic!("{part}: {list:?}")).1
    };
    // America's points for first owners: all powers but the four that it leaves out.
    assert_eq!(item(&board, 13, "first owner"), 1510);
    assert_eq!(item(&board, 13, "no major power"), 200);
    assert_eq!(item(&board, 13, "China"), 200);
    assert_eq!(item(&board, 13, "ESZ"), 25);
    assert_eq!(item(&board, 9, "none of ETU MIR IPK"), 200);
    assert_eq!(item(&board, 9, "at least one of EDE"), 100);
    assert_eq!(item(&board, 6, "fewer than 9"), 0);
    let lost = board.occupied("CHD", 6, 5);
    assert_eq!(item(&lost, 6, "fewer than 9"), 150);
    assert_eq!(item(&lost, 6, "each of CCA"), 60 * 4);
    let monroe = lost.occupied("SUR", 8, 5);
    assert_eq!(item(&monroe, 13, "no major power"), 0);
    // Africa shared with a mutual ally.
    let mut africa = monroe;
    let list: Vec<_> = africa.state.tables.map.countries().collect();
    for space in list {
        let code = africa.state.tables.map.code(space).to_owned();
        if code.starts_with('A') && code != "ACI" {
            africa.state.country_mut(space).owner = if *code < *"AKE" { 7 } else { 9 };
        }
    }
    assert_eq!(item(&africa, 7, "each the other's ally"), 0);
    africa.state.player_mut(7).stances.insert(9, Stance::Ally);
    africa.state.player_mut(9).stances.insert(7, Stance::Ally);
    assert_eq!(item(&africa, 7, "each the other's ally"), 200);
    assert_eq!(item(&africa, 9, "each the other's ally"), 100);
    assert_eq!(item(&africa, 10, "each the other's ally"), 0);
}

#[test]
fn a_game_ends_with_the_last_owner_and_ratings_follow() {
    let board =
        Board::starting("TU SP SW NE").set("SP", |c| c.owner = 1).set("SW", |c| c.owner = 1);
    let board = board.turn(&[]);
    assert!(board.state.over.is_none(), "two are left");
    // A player without land but with a fleet may play on while two others have land.
    assert!(BattlePlan::report(&board.view(2), "").is_some(), "its last printout");
    let board = board.set("NE", |c| c.owner = 1).turn(&[]);
    let scores = BattlePlan::result(&board.state).expect("it is over");
    let ranks: Vec<u32> = scores.iter().map(|s| s.rank).collect();
    assert_eq!(ranks, [1, 3, 3, 2]);
    // Each of six pairs moves at most 16 points, divided by the number of rivals.
    let points: Vec<i64> = scores.iter().map(|s| s.points).collect();
    assert_eq!(points, [1008, 995, 995, 1003]);
    assert!(board.printout(1).contains("rank 1, your rating is 1008"));
}

#[test]
fn ratings_that_players_bring_along_count() {
    let tables = tables("europe", 4);
    // The strong one wins little, the weak one much.
    assert_eq!(rated(&tables, &[1400, 1000], &[9, 3]), [1401, 999]);
    assert_eq!(rated(&tables, &[1000, 1400], &[9, 3]), [1015, 1385]);
    assert_eq!(rated(&tables, &[], &[9, 9]), [1000, 1000]);
    let board = Board::of("europe", 4, &[("ratings", "1200,1000,1000,1000")]);
    assert_eq!(board.state.ratings[0], 1200);
}

#[test]
fn three_missed_turns_drop_a_player_and_a_card_brings_them_back() {
    let mut board = Board::starting("TU SP SW NE").turn(&[(1, "@TU /1/BF999"), (2, "")]);
    for _ in 0..3 {
        board = board.turn(&[(2, ""), (3, ""), (4, "")]);
    }
    assert!(board.player(1).dropped);
    let awaited = BattlePlan::wait(&board.state).seats;
    assert_eq!(awaited, [Seat(2), Seat(3), Seat(4)]);
    assert!(board.section(2, "Players").contains("sends no orders"));
    // Their standing orders go on.
    assert_eq!(board.country("TU").air, 30 + 4 * 30);
    let back = board.turn(&[(1, "2A")]);
    assert!(!back.player(1).dropped);
}

#[test]
fn who_has_left_is_dropped_at_once_and_a_computer_never() {
    let mut board = Board::of("real", 20, &[]);
    board.sits = (2..=20).map(|seat| (Seat(seat), Sits::Computer)).collect();
    let mut board = board.turn(&[(1, "2B3"), (2, "1B3")]);
    board.sits.insert(Seat(1), Sits::Left);
    for _ in 0..4 {
        board = board.turn(&[]);
        assert!(board.player(1).dropped && board.player(1).bad == [0; 3]);
        assert!(!board.player(2).dropped && board.player(2).bad == [0, 0, 1]);
    }
    assert!(!BattlePlan::wait(&board.state).seats.contains(&Seat(1)));
}

#[test]
fn a_card_for_a_later_turn_goes_by_that_turn() {
    let board = Board::of("real", 20, &[]);
    let card = CardText::new("@EWG AC5EFR");
    let wrong = |ahead| BattlePlan::judge(&board.view(4), &card, ahead).count(Mark::Error);
    assert_eq!((wrong(0), wrong(1)), (1, 0));
}

#[test]
fn a_player_with_nothing_left_gets_one_more_printout() {
    let board = Board::starting("TU SP SW NE").occupied("SP", 1, 5).set("SP", |c| c.owner = 1);
    let board = board.turn(&[]);
    let last = board.printout(2);
    assert!(last.contains("You hold no space any more"), "{last}");
    assert!(!last.contains("Turn card"));
    assert!(BattlePlan::report(&board.turn(&[]).view(2), "").is_none());
}
