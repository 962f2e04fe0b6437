//! §9: link, split, name, alliances, and the echo's table row by row.

use engine::{CardText, Cards, JudgedLine, Mark, Reader, Reading, Words};
use warlord::Warlord;
use warlord::orders;
use warlord::state::Billet;
use warlord::tables::Terrain;

use super::board::*;

/// A city with a few units; seat 2 has city 2 and unit 40.
fn camp() -> Board {
    let drawing = "~~~~~~~~~~
                   ~.....^..~
                   ~..C.BM..~
                   ~......S~~
                   ~.....~~~~
                   ~F.....T.~
                   ~~~~~~~~~~";
    Board::new(12, drawing)
        .ground('S', warlord::tables::Terrain::Sea)
        .city(1, 1, 'C')
        .city(2, 2, 'F')
        .stock(1, 20)
        .general(1, 0, Billet::City(1))
        .unit(1, 1, (5, INFANTRY), 'C')
        .unit(1, 2, (7, INFANTRY), 'C')
        .unit(1, 3, (2, TANK), 'C')
        .unit(1, 4, (1, ENGINEER), 'C')
        .unit(1, 6, (1, INFANTRY), 'B')
        .unit(1, 7, (1, DESTROYER), 'S')
        .unit(1, 9, (2, TANK), 'B')
        .unit(2, 40, (1, INFANTRY), 'T')
}

fn echo(card: &str) -> JudgedLine {
    camp().echo(1, card)
}

/// Asserts that a line is refused, in the echo and in the turn alike.
fn refused(card: &str) -> String {
    let (echo, mut board) = (echo(card), camp());
    assert_eq!(echo.mark, Mark::Error, "{card}: {}", echo.note);
    board.play(&[(1, card)]);
    assert_eq!(board.result(1, echo.line).0, Mark::Error, "{card}");
    echo.note
}

#[test]
fn case_28_linked_ranks_average_by_regiments() {
    for (ranks, rank) in [([0, 2], 1), ([3, 0], 1), ([1, 1], 1), ([0, 3], 2)] {
        let mut board = camp().rank(1, 1, ranks[0]).rank(1, 2, ranks[1]);
        board.play(&[(1, "L 2 1")]);
        assert_eq!((board.no(1, 1).size, board.no(1, 1).rank), (12, rank), "{ranks:?}");
        assert!(!board.lives(1, 2), "the lowest number stays");
    }
}

#[test]
fn case_28_link_zero_takes_all_of_the_type_in_the_sector() {
    let mut board = camp().unit(1, 12, (20, INFANTRY), 'C');
    board.play(&[(1, "L 2 0")]);
    assert_eq!(board.no(1, 1).size, 32);
    assert!(!board.lives(1, 2) && !board.lives(1, 12));
    assert_eq!((board.no(1, 6).size, board.no(1, 3).size), (1, 2), "others are not meant");
}

#[test]
fn case_28_no_unit_ever_exceeds_forty_five() {
    let mut board = camp().unit(1, 12, (40, INFANTRY), 'C');
    board.play(&[(1, "L 2 0")]);
    assert!(board.power(1).units.values().all(|u| u.size <= 45));
    let total: u16 = board.power(1).units.values().map(|u| u.size).sum();
    assert_eq!(total, 5 + 7 + 2 + 1 + 1 + 1 + 2 + 40, "and nobody is lost");
    let board = camp().unit(1, 12, (40, INFANTRY), 'C');
    assert_eq!(board.echo(1, "L 2 12").mark, Mark::Error);
    assert_eq!(board.echo(1, "L 1 12").mark, Mark::Ok, "exactly 45");
}

#[test]
fn case_28_a_linked_units_general_goes_along() {
    let mut board = camp().general(1, 7, Billet::Unit(2));
    board.play(&[(1, "L 2 1")]);
    assert_eq!(board.power(1).generals[1].billet, Some(Billet::Unit(1)));
}

#[test]
fn case_29_a_split_takes_the_lowest_unused_number() {
    let mut board = camp().rank(1, 2, 2);
    board.play(&[(1, "S 2 3\nS 2 1\nM 5 1")]);
    assert_eq!((board.no(1, 2).size, board.no(1, 5).size, board.no(1, 8).size), (3, 3, 1));
    assert_eq!(board.no(1, 5).rank, 2);
    assert_eq!(board.where_is(1, 5), "00402", "the new unit obeys an order of the same card");
    assert!(board.stands(1, 8, 'C'));
}

#[test]
fn case_30_twelve_characters_name_a_city_and_thirteen_do_not() {
    for (name, fits) in [("ABCDEF HIJKL", true), ("ABCDEF HIJKLM", false)] {
        for kind in 1..=3 {
            let mut board = camp();
            let mark = board.echo(1, &format!("N {kind} 1 {name}")).mark;
            assert_eq!(mark == Mark::Error, !fits, "kind {kind}, {name}");
            board.play(&[(1, &format!("N {kind} 1 {name}"))]);
            let city = board.town(1, 1);
            let names = [&city.name, &city.base_name, &board.power(1).generals[0].name];
            assert_eq!(names[kind - 1] == name, fits, "kind {kind}, {name}");
        }
    }
}

#[test]
fn case_30_a_bracketed_number_is_no_part_of_the_name() {
    let mut board = camp();
    board.play(&[(1, "N (1) (1) GRAAK")]);
    assert_eq!(board.town(1, 1).name, "GRAAK");
    board.play(&[(1, "n, 3, 1, Slaver")]);
    assert_eq!(board.power(1).generals[0].name, "Slaver");
}

#[test]
fn case_33_the_ninth_ally_is_refused_and_a_second_declaration_ends_it() {
    let card: String = (2..=10).map(|p| format!("D {p}\n")).collect();
    let board = camp();
    let marks: Vec<Mark> = board.judge(1, &card).lines.iter().map(|l| l.mark).collect();
    assert_eq!(marks[..8], [Mark::Ok; 8]);
    assert_eq!(marks[8], Mark::Error);
    let mut board = camp();
    board.play(&[(1, &card)]);
    let allies: Vec<u8> = board.power(1).allies.iter().copied().collect();
    assert_eq!(allies, [2, 3, 4, 5, 6, 7, 8, 9]);
    assert!(board.power(2).allies.is_empty(), "a declaration binds its sender alone");
    board.play(&[(1, "D 5\nD 12")]);
    let allies: Vec<u8> = board.power(1).allies.iter().copied().collect();
    assert_eq!(allies, [2, 3, 4, 6, 7, 8, 9, 12]);
}

#[test]
fn case_36_a_unit_with_move_and_engineering_obeys_the_first() {
    let judged = camp().ruins('C').judge(1, "M 4 1\nK 4 1");
    assert_eq!((judged.lines[0].mark, judged.lines[1].mark), (Mark::Ok, Mark::Error));
    assert!(judged.lines[1].note.contains("line 1"), "{}", judged.lines[1].note);
    let mut board = camp().ruins('C');
    board.play(&[(1, "K 4 1\nM 4 1")]);
    assert_eq!(board.result(1, 1).0, Mark::Ok);
    assert_eq!(board.result(1, 2).0, Mark::Error);
    assert!(board.stands(1, 4, 'C'), "engineers who search stay");
}

#[test]
fn case_36_the_first_stands_whatever_its_letter() {
    for (first, second) in [("M 1 1", "V 1 3"), ("V 1 3", "M 1 1"), ("A 1 5", "M 1 1")] {
        let board = camp().city(3, 1, 'B').planes(1, 0, 5);
        let judged = board.judge(1, &format!("{first}\n{second}"));
        assert_ne!(judged.lines[0].mark, Mark::Error, "{first}, {second}");
        assert_eq!(judged.lines[1].mark, Mark::Error, "{first}, {second}");
    }
    // Linking and splitting come before and do not count.
    let judged = camp().judge(1, "L 1 2\nS 1 4\nM 1 1");
    assert_eq!(judged.count(Mark::Ok), 3);
}

// ---- the echo's table

#[test]
fn echo_an_unknown_letter_is_an_error_that_names_the_letters() {
    assert!(refused("X 12 3").contains("A B C"));
    assert!(refused("MOVE 12 3").contains("M unit|sector digits"));
}

#[test]
fn an_order_in_words_stands_for_one_order_or_none() {
    let mut board = camp();
    board.city_mut(1).name = "PELAMERE".into();
    let there = board.sector('C');
    let read = |board: &Board, line: &str| {
        let reader =
            Reader::new((Warlord::wording(), Warlord::sentences()), Warlord::names(&board.view(1)));
        match reader.read(line) {
            Reading::Orders(orders) => {
                assert!(orders.iter().all(|o| Warlord::starts_order(o)), "{orders:?}");
                // Orders that have been read are not read again.
                assert!(orders.iter().all(|o| reader.read(o) == Reading::No), "{orders:?}");
                orders.join("|")
            }
            Reading::Several(_) => "several".to_owned(),
            Reading::Idle | Reading::No => String::new(),
        }
    };
    for (line, right) in [
        ("A 6 Pelamere", format!("A 6 {there}")),
        ("advance unit 6 to PELAMERE", format!("A 6 {there}")),
        ("Attack 6 Pelamere city", format!("A 6 {there}")),
        ("Unit 6 goes to Pelamer", format!("A 6 {there}")),
        ("move 6 to Pelamere", format!("A 6 {there}")),
        ("go 6, 9 Pelamere", format!("A 6 {there}|A 9 {there}")),
        ("A 2-4 sw", "A 2 6|A 3 6|A 4 6".into()),
        ("M 4 NW", "M 4 8".into()),
        ("move 4 north, north-east and east", "M 4 123".into()),
        ("C 1 Infantry", "C 1 1".into()),
        ("Build 1 tanks", format!("C 1 {TANK}")),
        ("Build tanks in Pelamere!", format!("C 1 {TANK}")),
        ("observe 2 Pelamere", format!("O 2 {there}")),
        ("Split unit 2 into 3", "S 2 3".into()),
        ("engineer 5 road", "K 5 2".into()),
        ("A 6 Nowhere", String::new()),
        ("M 4 upwards", String::new()),
        ("C 1 Zeppelin", String::new()),
        ("A 99 0101", String::new()),
        ("X 6", String::new()),
    ] {
        assert_eq!(read(&board, line), right, "{line}");
    }
    board = board.city(3, 1, 'T');
    board.city_mut(3).name = "PELAMERE".into();
    assert_eq!(read(&board, "A 6 Pelamere"), "several");
}

#[test]
fn echo_too_few_or_too_many_numbers_are_answered_with_the_form() {
    let forms = [
        ("A 1", "A unit|sector sector|direction"),
        ("A 1 2 3", "A unit|sector sector|direction"),
        ("B 1", "B bombers|0 sector"),
        ("C 1", "C city id"),
        ("D", "D player"),
        ("E 1 2", "E pp"),
        ("F 1 2", "F base base fb"),
        ("I 1", "I player amount"),
        ("J", "J player"),
        ("K 4", "K unit task"),
        ("L 1", "L unit unit|0"),
        ("M 1 2 3", "M unit|sector digits"),
        ("N 1 1", "N 1-3 number name"),
        ("O 1", "O fighters sector"),
        ("P 1", "P general unit"),
        ("R 1", "R missiles sector"),
        ("S 1", "S unit number"),
        ("V 1 2 3", "V unit|sector airbase"),
        ("W 1", "W airbase fighters"),
        ("Y 2", "Y player|101 codes"),
    ];
    for (card, form) in forms {
        let note = refused(card);
        assert!(note.contains(form), "{card}: {note}");
    }
}

#[test]
fn echo_a_full_card_of_garbage_answers_every_line() {
    let judged = camp().judge(1, "A 1\nA 2 2\n\nQ\nM 3 19\n# rest\n");
    let marks: Vec<(u32, Mark)> = judged.lines.iter().map(|l| (l.line, l.mark)).collect();
    let (error, ok) = (Mark::Error, Mark::Ok);
    assert_eq!(marks, [(1, error), (2, ok), (4, error), (5, error), (6, Mark::Remark)]);
    assert_eq!(judged.lines[1].text, "A 2 2", "the line comes back as entered");
}

#[test]
fn echo_what_is_not_yours_and_what_is_not_there_sound_alike() {
    // Unit 40 and city 2 are seat 2's, 41 and 9 are nobody's.
    let cards = [
        ("A {} 2", 40, 41),
        ("M {} 2", 40, 41),
        ("S {} 1", 40, 41),
        ("L {} 0", 40, 41),
        ("L 1 {}", 40, 41),
        ("K {} 1", 40, 41),
        ("P 1 {}", 40, 41),
        ("V {} 1", 40, 41),
        ("V 1 {}", 2, 9),
        ("C {} 1", 2, 9),
        ("C {} 37", 2, 9),
        ("W {} 1", 2, 9),
        ("F {} 1 11", 2, 9),
        ("F 1 {} 11", 2, 9),
        ("N 1 {} X", 2, 9),
        ("N 2 {} X", 2, 9),
    ];
    for (card, foreign, missing) in cards {
        let answer = |number: i32| {
            let note = refused(&card.replace("{}", &number.to_string()));
            note.replace(&format!(" {number} "), " ? ")
        };
        assert_eq!(answer(foreign), answer(missing), "{card}");
    }
}

#[test]
fn echo_errors_name_what_there_is() {
    assert!(refused("A 41 2").contains("1-4, 6-7, 9"));
    assert!(refused("C 9 1").contains("yours are 1"));
    assert!(refused("D 13").contains("1-12"));
    assert!(refused("D 1").contains("no other player"), "nobody is their own ally");
    assert!(refused("P 3 1").contains("no general 3"));
    assert!(refused("N 3 0 X").contains("no general 0"));
    assert!(refused("C 1 99").contains("nothing has ID 99"));
}

#[test]
fn echo_a_sector_off_the_map_is_answered_with_the_range() {
    for sector in ["00002", "32100", "01100", "01008", "011-05"] {
        for card in ["A 1 {}", "A {} 2", "M {} 2", "B 0 {}", "O 1 {}", "V {} 1"] {
            let card = card.replace("{}", sector);
            let note = refused(&card);
            assert!(note.contains("001-010") && note.contains("01-07"), "{card}: {note}");
        }
    }
}

#[test]
fn echo_sectors_may_have_a_dash_or_miss_their_leading_zero() {
    for sector in ["00403", "403", "4-03", "004-03", "4-3"] {
        // Three digits without a dash are a unit's number.
        let unit = sector == "403";
        let line = echo(&format!("M {sector} 1"));
        assert_eq!(line.mark == Mark::Error, unit, "{sector}: {}", line.note);
    }
    assert_eq!(echo("A 1 0502").mark, Mark::Ok);
    assert_eq!(echo("A 1 5-2").mark, Mark::Ok);
}

#[test]
fn echo_a_nine_among_the_digits_is_named_by_its_place() {
    let note = refused("M 1 129");
    assert!(note.contains("'9'") && note.contains("place 3"), "{note}");
    assert!(refused("A 1 9").contains("1-8"));
    assert!(refused("A 1 0").contains("1-8"));
}

#[test]
fn echo_ways_that_the_known_map_closes_are_warned_of_and_stop_in_the_turn() {
    // Ship to land, tank to a mountain.
    for (card, no, spot) in [("M 7 7", 7, 'S'), ("M 9 2", 9, 'B'), ("A 9 00702", 9, 'B')] {
        let line = echo(card);
        assert_eq!(line.mark, Mark::Warning, "{card}");
        assert!(!line.note.is_empty());
        let mut board = camp();
        board.play(&[(1, card)]);
        assert!(board.stands(1, no, spot), "{card}");
    }
    assert!(matches!(echo("A 7 00402").mark, Mark::Warning | Mark::Error), "ship over land");
}

#[test]
fn echo_spending_above_limit_or_stock_is_warned_of_and_cut() {
    let line = echo("I 1 9");
    assert_eq!(line.mark, Mark::Warning);
    assert!(line.note.contains('5'), "{}", line.note);
    let mut board = camp();
    board.play(&[(1, "I 1 9")]);
    assert_eq!(board.power(1).stock, 2000 - 500 + board.power(1).income);
    let poor = camp().stock(1, 3);
    assert_eq!(poor.echo(1, "C 1 3").mark, Mark::Warning);
    assert_eq!(poor.echo(1, "I 1 5").mark, Mark::Warning);
}

#[test]
fn echo_codes_that_do_not_fit_are_named_with_what_they_take() {
    assert!(refused("Y 2 999").contains("999"));
    let note = refused("Y 2 107 3 2");
    assert!(note.contains("107") && note.contains("a sector"), "{note}");
    let note = refused("Y 2 117 two");
    assert!(note.contains("117") && note.contains("a number"), "{note}");
    assert!(refused("Y 13 151").contains("1-12"));
    assert!(!refused("-- 151").is_empty());
}

#[test]
fn echo_a_number_behind_a_computed_value_is_ignored_with_a_remark() {
    let line = echo("Y 2 310 3");
    assert!(matches!(line.mark, Mark::Warning | Mark::Remark), "{:?}", line.mark);
    assert!(line.note.contains('3') && line.note.contains("ignored"), "{}", line.note);
}

#[test]
fn echo_second_orders_and_impossible_links_and_splits_are_errors() {
    assert!(refused("M 1 1\nA 1 5").contains("line 1"));
    let same = echo("M 1 1\nm 1 1");
    assert_eq!((same.mark, same.note.as_str()), (Mark::Remark, "the same as line 1, which stands"));
    refused("L 1 3");
    refused("L 1 6");
    refused("L 1 1");
    refused("L 4 0");
    refused("S 1 5");
    refused("S 1 0");
    refused("S 4 1");
}

#[test]
fn echo_loaded_units_are_neither_linked_nor_split() {
    let board = camp().unit(1, 20, (2, TRANSPORT), 'S').cargo(1, 21, (5, INFANTRY), 20);
    let board = board.cargo(1, 22, (5, INFANTRY), 20);
    for card in ["L 21 22", "L 21 0", "S 21 2", "S 20 1"] {
        assert_eq!(board.echo(1, card).mark, Mark::Error, "{card}");
    }
}

#[test]
fn echo_names_with_control_characters_are_refused() {
    assert!(refused("N 1 1 GR\u{7}AAK").contains("control"));
    assert!(refused("N 4 1 GRAAK").contains("kind"));
}

#[test]
fn echo_names_what_a_mission_would_need() {
    for (card, word) in [
        ("B 2 00503", "no bomber at home"),
        ("B 0 00503", "no destroyer, cruiser or battleship"),
        ("F 1 3 22", "no city or airbase 3"),
        ("O 1 00503", "no fighter at home"),
        ("O 0 00503", "at least one fighter"),
        ("V 1 1", "where they stand"),
        ("V 6 1", "from your own airbases"),
        ("K 4 1", "no ruins"),
        ("K 1 1", "no engineer"),
        ("R 1 00503", "tech level 7"),
        ("J 3", "before turn 15"),
    ] {
        let note = refused(card);
        assert!(note.contains(word), "{card}: {note}");
    }
}

#[test]
fn echo_commas_tabs_brackets_and_small_letters_are_forgiven() {
    for line in ["a 1 5", "A 1, 5", "A\t1\t5", "A  (1)  5.", "A 1 5 # west", "(1) A 1 5", "A1 5"] {
        let (orders, faults) = orders::parse(&CardText::new(line));
        assert_eq!(faults, [], "{line}");
        assert_eq!(orders[0].1.to_string(), "A 1 5", "{line}");
    }
}

#[test]
fn echo_forecasts_stock_arrival_and_idle_units() {
    let judged = camp().judge(1, "C 1 3\nA 1 00206");
    let text = render::text::sections(&judged.forecast);
    assert!(text.contains("Stock after this card: 15 PP"), "{text}");
    assert!(judged.lines[1].note.contains("unit 1, 5 Infantry: reaches 00206"), "{judged:?}");
    assert!(text.contains("without orders: 2-4, 6-7, 9"), "{text}");
}

#[test]
fn echo_the_three_reasons_for_no_plane_are_told_apart() {
    let drawing = format!("~{}~\n~A{}B~\n~{}~", "~".repeat(40), ".".repeat(38), "~".repeat(40));
    let board = || Board::new(1, &drawing).city(1, 1, 'A').planes(1, 3, 1);
    let note = |board: &Board, card: &str| {
        let line = board.echo(1, card);
        assert_eq!(line.mark, Mark::Error, "{line:?}");
        line.note
    };
    let far = note(&board(), "O 1 02202");
    assert!(far.starts_with("out of range: fighters fly missions of 15 sectors"), "{far}");
    assert!(far.ends_with("your nearest base with one is 20 away"), "{far}");
    let busy = note(&board(), "O 3 01002\nO 2 01102");
    assert_eq!(busy, "no fighter is free within 15 sectors: named already in line 1");
    let watch = note(&board(), "W 1 3\nO 2 01102");
    assert_eq!(watch, "no fighter is free within 15 sectors: 3 fighters on watch");
    let both = note(&board(), "W 1 2\nO 1 01002\nO 2 01102");
    assert!(both.ends_with("2 fighters on watch, named already in line 2"), "{both}");
    let bombs = note(&board(), "B 1 01002\nB 1 01102");
    assert!(bombs.starts_with("no bomber is free within 25 sectors: named already in line 1"));
}

#[test]
fn echo_a_march_tells_where_it_ends_and_where_its_points_do() {
    let drawing = "~~~~~~~~
                   ~A..^.S~
                   ~~~~~~~~";
    let board = || Board::new(1, drawing).ground('S', Terrain::Sea).unit(1, 1, (1, INFANTRY), 'A');
    let note = |board: &Board, card: &str| board.echo(1, card).note;
    assert_eq!(note(&board(), "M 1 33"), "unit 1, 1 Infantry: ends at 00402 (open)");
    let line = board().echo(1, "M 1 3333");
    assert_eq!(line.mark, Mark::Warning);
    assert!(line.note.contains("no points left for step 4"), "{line:?}");
    assert!(line.note.ends_with("follows, ends at 00502 (mountains)"), "{line:?}");
    // A note on several units appears once.
    let two = board().unit(1, 2, (3, INFANTRY), 'A').unit(1, 3, (1, TRUCK), 'A');
    let all = note(&two, "M 00202 3");
    assert!(all.ends_with("units 1-3: ends at 00302 (open)"), "{all}");
    // Going aboard, landing, and a ship that moves.
    let mut quay = board().unit(1, 2, (1, TRANSPORT), 'S').cargo(1, 3, (1, INFANTRY), 2);
    quay.state.powers[1].units.get_mut(&1).expect("it lives").at.0 += 4;
    assert_eq!(note(&quay, "M 1 3"), "unit 1, 1 Infantry: ends at 00702 (sea) aboard unit 2");
    assert_eq!(note(&quay, "M 3 7"), "unit 3, 1 Infantry: ends at 00602 (open), ashore");
    let sails = note(&quay, "M 2 1\nM 3 7");
    assert!(sails.contains("aboard unit 2, which moves; it lands from there"), "{sails}");
    // The echo promises nothing about unexplored ground.
    let mut dark = board();
    dark.state.powers[1].explored.fill(0);
    assert!(note(&dark, "M 1 33").ends_with("if the unexplored ground is open"));
}

#[test]
fn a_march_that_was_barred_is_marked_alike_in_echo_and_printout() {
    let mut board = Board::new(1, "~~~~~\n~A^.~\n~~~~~").unit(1, 1, (1, TANK), 'A');
    assert_eq!(board.echo(1, "M 1 3").mark, Mark::Warning);
    board.play(&[(1, "M 1 3")]);
    assert_eq!(board.result(1, 1).0, Mark::Warning);
}

#[test]
fn echo_digs_at_empty_ruins_and_alliances_on_the_march_are_doubted() {
    let drawing = "~~~~~~~~
                   ~A.R.C.~
                   ~~~~~~~~";
    let mut board = Board::new(3, drawing).city(1, 2, 'C').ruins('R');
    board = board.unit(1, 1, (1, ENGINEER), 'R').unit(1, 2, (9, INFANTRY), 'A');
    assert_eq!(board.echo(1, "K 1 1").mark, Mark::Ok);
    let ruins = board.spot('R');
    board.state.powers[1].exhausted.insert(ruins);
    let line = board.echo(1, "K 1 1");
    assert!(line.mark == Mark::Warning && line.note.contains("known to be empty"), "{line:?}");
    board.state.note_city(1, 1, 2);
    let line = board.echo(1, "A 2 00602\nD 2");
    assert!(line.mark == Mark::Warning, "{line:?}");
    assert!(
        line.note.ends_with("unit 2 is marching on a place of this ally and will not fight"),
        "{line:?}"
    );
    assert_eq!(board.echo(1, "A 2 00602\nD 3").mark, Mark::Ok);
}

#[test]
fn echo_numbers_that_are_too_large_and_lines_without_a_letter_say_so() {
    assert!(refused("E 70000").starts_with("70000 is more than any number of PP can be"));
    assert!(refused("12 12387").starts_with("the letter of the order is missing"));
}

#[test]
fn echo_of_a_fallen_empire_forecasts_nothing() {
    let mut board = camp();
    board.state.powers[1].fell = Some(1);
    assert_eq!(board.judge(1, "A 1 00206").forecast, []);
}
