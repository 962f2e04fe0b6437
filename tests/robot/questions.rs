//! Questions by mail: what a player knows of places, ways, odds, players and the past; help on
//! any word.

use store::{Reason, Verdict};
use support::host::{Host, ROBOT, mail, player};

use crate::talk::{flat, say};
use crate::words::host;

/// The answer to a mail, as one line of text.
fn answer(host: &mut Host, mail: &str) -> String {
    let row = host.receive(host.card(1, mail));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{mail}: {}", row.why);
    flat(&host.last_mail(1).text)
}

#[test]
fn every_game_answers_questions_about_places_and_players() {
    for (engine, seats, options, asked, told) in [
        (
            "battle-plan",
            4,
            &[][..],
            "LOOK Baltic States\nDISTANCE Baltic States Spain\nODDS 20 8\nODDS BA Finland\nWHO",
            &[
                "BA Baltic States (yours).",
                "Seen there: army 50",
                "From Baltic States to Spain:",
                "20 attack 8: the attackers win and lose about 3.2.",
                "WHO",
                "[1]",
            ][..],
        ),
        (
            "classic-warlord",
            2,
            &[],
            "MAP Crimean Mountains\nDISTANCE Crimean Mountains to Valdai Hills\nWHO",
            &[
                "319 Crimean Mountains, mountains: nobody's.",
                "to 318 Valdai Hills:",
                "Seat 1 (you)",
            ],
        ),
        (
            "imperium",
            2,
            &[],
            "Look Sol\ndistance Sol Nusku\nODDS 2 Nusku\nWHO",
            &[
                "01 Sol, routes to",
                "Your fleet 1:",
                "to 09 Nusku: 2 jumps",
                "ODDS 2 Nusku",
                "Terran side",
            ],
        ),
        (
            "empire-deluxe",
            2,
            &[("size", "30x24")],
            "LOOK 1,1\nDISTANCE 1,1 5,5\nWHO",
            &[
                "You have not seen 1,1 yet.",
                "From 1,1 to 5,5: 4 squares.",
                "Player 1 (you): plays.",
            ],
        ),
        (
            "warlord",
            4,
            &[],
            "LOOK 00101\nWHO\nLOOK Zzyzx",
            &["Sector 00101", "You are player 1 of 4", "Nothing that you know is called Zzyzx."],
        ),
    ] {
        let mut host = host(engine, seats, options);
        let text = answer(&mut host, asked);
        for part in told {
            assert!(text.contains(part), "{engine}: {part:?} is not in\n{text}");
        }
    }
}

#[test]
fn a_city_is_asked_about_by_its_name_and_a_unit_by_its_number() {
    let mut host = host("warlord", 4, &[]);
    let first = host.last_mail(1).text;
    let home = first.split("your empire begins in ").nth(1).expect("a home");
    let (name, rest) = home.split_once(" (").expect("a sector");
    let sector = &rest[..5];
    let text =
        answer(&mut host, &format!("look {name}\nODDS unit 1 {name}\nDISTANCE {name} {sector}"));
    assert!(text.contains(&format!("Sector {sector} ({name}).")), "{text}");
    assert!(text.contains("Your unit 1: 5 Infantry."), "{text}");
    assert!(text.contains("Your unit 1, 5 Infantry: strength"), "{text}");
    assert!(text.contains(": 0 sectors."), "{text}");
    let subject = host.last_mail(1).subject;
    assert!(subject.ends_with(&format!("answers: LOOK {name}")), "{subject}");
    // LOOK with a unit shows the place of the unit.
    let text = answer(&mut host, "LOOK infantry 1");
    assert!(text.contains(&format!("Sector {sector} ({name}).")), "{text}");
    // The map around it is a part of the fine map, not of the world map, and shows the units there.
    let map = answer(&mut host, &format!("MAP {name}"));
    assert!(map.contains("@ your city;") && !map.contains("sectors to a sign"), "{map}");
    assert!(map.contains("Your unit 1: 5 Infantry."), "{map}");
    // With orders, it is answered in their echo.
    let echo = answer(&mut host, "LOOK 00101\nA 1 2\n");
    assert!(echo.contains("LOOK 00101 ---") && echo.contains("Sector 00101"), "{echo}");
}

#[test]
fn sentences_are_none_of_these_questions() {
    let mut host = host("warlord", 4, &[]);
    for letter in
        ["Look at this map, it is beautiful!", "Who are you?", "Odds are good today, I think."]
    {
        let row = host.receive(host.card(1, letter));
        let asks = letter.ends_with('?');
        let reason = if asks { Reason::Question } else { Reason::NoOrders };
        assert_eq!(row.reason, reason, "{letter}");
    }
}

#[test]
fn history_tells_the_last_turns() {
    let mut host = Host::with_computers(|_| {});
    assert!(answer(&mut host, "HISTORY").contains("Nothing has happened to you so far."));
    for _ in 0..3 {
        host.receive(host.card(1, "READY\n"));
        host.run_turn();
    }
    let text = answer(&mut host, "HISTORY");
    assert!(text.contains("HISTORY ------- * Turn "), "{text}");
}

#[test]
fn help_knows_orders_words_of_the_rulebook_and_the_first_turn_and_names_neighbours() {
    let mut host = host("warlord", 4, &[]);
    for (mail, told) in [
        ("HELP A", &["Advance", "See also: HELP B, HELP C, HELP D."][..]),
        ("help advance", &["A unit|sector sector|direction"]),
        ("HELP Infantry", &["Chapter", "Infantry", "More of it: RULES"]),
        ("HELP supply", &["supply", "See also: HELP"]),
        ("HELP WHAT", &["what happened, and what needs orders", "See also: HELP LOOK"]),
        ("HELP first turn", &["Your first turn", "World Leader"]),
        ("HELP manual", &["Letters to other players", "FORMAT desk adds a page"]),
        ("HELP", &["HELP MANUAL sends all of this"]),
        ("HELP zzyzx", &["There is no help on ZZYZX", "See also: HELP"]),
    ] {
        let text = answer(&mut host, mail);
        for part in told {
            assert!(text.contains(part), "{mail}: {part:?} is not in\n{text}");
        }
    }
}

#[test]
fn a_map_is_the_finest_that_has_the_place() {
    // On a large world many homes are on the map of the whole world too.
    let mut host = host("warlord", 12, &[]);
    for seat in 1..=12 {
        let first = host.last_mail(seat).text;
        let home = first.split("your empire begins in ").nth(1).expect("a home");
        let sector = &home.split_once(" (").expect("a sector").1[..5];
        host.receive(host.card(seat, &format!("MAP {sector}")));
        let map = flat(&host.last_mail(seat).text);
        assert!(map.contains("@ your city;") && !map.contains("sectors to a sign"), "{map}");
    }
}

#[test]
fn a_question_in_a_sentence_is_answered_from_what_its_player_knows() {
    let mut host = host("battle-plan", 4, &[]);
    let row = say(&mut host, 1, "Hi! What should I do first?\n");
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Rejected), Reason::Question));
    let told = crate::talk::answer(&host, &row);
    assert!(told.contains("What you may do now") && told.contains("Orders that you may copy"));
    assert!(!told.contains("SECRETS"), "no list of all commands: {told}");
    let row = say(&mut host, 1, "Who holds Norway, and can I take Ireland?\n");
    let told = crate::talk::answer(&host, &row);
    assert!(told.contains("Norway") && told.contains("Ireland"), "{told}");
    assert!(!told.contains("What you may do now"), "{told}");
    // Twelve mails a day get their own answer, four more the usual one.
    let mut heard = 0;
    for n in 0..16 {
        let row = say(&mut host, 1, &format!("Why is number {} like that?\n", "x".repeat(n + 3)));
        heard += host.answers(&row).len();
    }
    assert_eq!(heard, 14);
    // Without a proof the answer shows nothing of a position.
    let row = host.receive(mail(&player(2), ROBOT, "What should I do first?\n"));
    let all: String = host.answers(&row).iter().map(|m| m.text.clone()).collect();
    assert!(!all.contains("What you may do now"), "{all}");
}

#[test]
fn questions_about_the_deadline_and_the_orders_on_file_are_answered() {
    let mut host = host("warlord", 4, &[]);
    let row = say(&mut host, 1, "When does the turn run?\nWhat orders do I have on file?\n");
    let told = crate::talk::answer(&host, &row);
    assert!(told.contains("Orders for turn 1 are due"), "{told}");
    assert!(told.contains("No orders of yours are on file."), "{told}");
    host.robot.set_term("W7", "early", "true").expect("a term");
    host.receive(host.card(1, "A 1 2\n"));
    let row = say(&mut host, 1, "So when is the deadline, and which orders have you got?\n");
    let told = crate::talk::answer(&host, &row);
    assert!(told.contains("READY on a line of its own"), "{told}");
    assert!(told.contains("On file: A 1 2"), "{told}");
}

#[test]
fn help_and_questions_on_a_kind_of_units_tell_of_the_kind() {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24")]);
    // The word is in the title of an order, but the player means the unit.
    let told = answer(&mut host, "HELP transport\n");
    assert!(told.contains("Code TR"), "{told}");
    let row = say(&mut host, 1, "How long does it take to build an army?\n");
    let told = crate::talk::answer(&host, &row);
    assert!(told.contains("Code AR"), "{told}");
}

#[test]
fn a_row_of_a_table_comes_with_the_words_that_explain_it() {
    for (engine, seats, asked, told) in [
        ("imperium", 2, "HELP DD\n", ["B beam dice, T torpedo dice", "* DD, Unit Destroyer"]),
        ("empire-deluxe", 2, "HELP AR\n", ["turns is what the first one takes", "* Code AR"]),
    ] {
        let mut host = host(engine, seats, &[]);
        let text = answer(&mut host, asked);
        let at = told.map(|part| text.find(part).unwrap_or_else(|| panic!("{part:?}: {text}")));
        assert!(at[0] < at[1], "{text}");
    }
}

#[test]
fn a_question_among_orders_is_none_and_has_an_answer_in_their_echo() {
    let mut host = host("imperium", 2, &[]);
    let row = say(&mut host, 1, "Y K 1\nWhat do A1 and N2 mean?\n");
    let told = crate::talk::answer(&host, &row);
    assert!(
        told.contains("a question, no order") && told.contains("What do A1 and N2 mean?"),
        "{told}"
    );
    assert!(!told.contains("there is no such order"), "{told}");
    // Also where one of its words may begin an order.
    let mut host = self::host("warlord", 4, &[]);
    let row = say(&mut host, 1, "C 1 1\nC 1 1\nWhat do engineers do?\n");
    let told = crate::talk::answer(&host, &row);
    assert!(
        told.contains("a question, no order") && told.contains("What do engineers do?"),
        "{told}"
    );
    assert!(!told.contains("is called WHAT"), "{told}");
    // A wrong order that ends with a question mark is a question.
    let mut host = self::host("imperium", 2, &[]);
    let row = say(&mut host, 1, "Y K 1\nY K 99 ?\n");
    let told = crate::talk::answer(&host, &row);
    assert!(!told.contains("a question, no order") && !told.contains("You asked"), "{told}");
    assert!(told.contains("the form is Y group"), "{told}");
}

#[test]
fn odds_take_a_ship_by_its_name_and_distance_takes_names_in_small_letters() {
    let mut host = host("imperium", 2, &[]);
    host.run_turn();
    let asked = |host: &mut Host, text: &str| {
        let row = say(host, 1, &format!("{text}\n"));
        assert_eq!(row.verdict, Some(Verdict::Accepted), "{text}");
        crate::talk::answer(host, &row)
    };
    let told = asked(&mut host, "distance barnards star nusku");
    assert!(told.contains("Barnard's Star") && told.contains("jump"), "{told}");
    let told = asked(&mut host, "ODDS DD1 Nusku");
    assert!(told.contains("nothing is known of its ships, so no odds"), "{told}");
    let told = asked(&mut host, "ODDS DD1 Sirius");
    assert!(told.contains("Nobody is known to fight your fleet 1 in 07 Sirius"), "{told}");
}

#[test]
fn who_asks_more_than_is_answered_is_told() {
    let mut host = host("warlord", 4, &[]);
    let ask = ["how many tanks do I have?", "who are my generals?", "how do I win?"];
    let row = say(&mut host, 1, &ask.join("\n"));
    assert!(!crate::talk::answer(&host, &row).contains("More questions"));
    let row = say(
        &mut host,
        1,
        &format!("{}\nwhich cities do I have?\nhow many trucks do I have?\n", ask.join("\n")),
    );
    let told = crate::talk::flat(&crate::talk::answer(&host, &row));
    assert!(
        told.contains("Only the first 3 questions of a mail are answered; send the other 2"),
        "{told}"
    );
}

#[test]
fn what_a_player_has_is_counted_by_what_it_is_and_where() {
    for (engine, seats, question, said, not) in [
        ("warlord", 4, "how many tanks do I have?", "Tanks, 1 in all: 7 (size 2) at", "North"),
        ("warlord", 4, "Wie viele Panzer habe ich?", "Panzer, 1 in all: 7 (size 2) at", "Norden"),
        ("warlord", 4, "who are my generals?", "Generals, 2 in all: 1 ", "Investigate"),
        (
            "battle-plan",
            4,
            "how many planes do I have",
            "Planes, 30 in all: 30 at BA Baltic states.",
            "Balt:",
        ),
        (
            "battle-plan",
            4,
            "which countries do I hold?",
            "Countries, 1 in all: BA Baltic states.",
            "Baltikum",
        ),
        (
            "imperium",
            2,
            "which fleets do I have and where are they?",
            "Fleets, 4 in all: 1 at 01 Sol",
            "North",
        ),
    ] {
        let mut host = host(engine, seats, &[]);
        let row = say(&mut host, 1, &format!("{question}\n"));
        let told =
            crate::talk::answer(&host, &row).split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(said) && !told.contains(not), "{question}: {told}");
    }
}

#[test]
fn what_comes_in_who_is_ahead_what_threatens_and_what_can_be_built_is_told_by_the_printout() {
    for (engine, on, question, says) in [
        ("warlord", "later", "how much comes in every turn?", "income of 9.26"),
        ("warlord", "later", "how am I doing compared with the others?", "rank 3 of 6"),
        ("warlord", "first", "what can my city build?", "Kinds: 1 infantry"),
        ("warlord", "later", "which foreign forces are near me?", "Spotted forces: Sector"),
        ("battle-plan", "later", "How much money came in last turn?", "69.20 income"),
        ("battle-plan", "later", "which player has the most industry?", "[4] Italy, I 49"),
        ("classic-warlord", "later", "Who has the most armies?", "Armies 105"),
        (
            "classic-warlord",
            "later",
            "Which of my regions are threatened?",
            "172 Lorraine, next to",
        ),
        ("classic-warlord", "later", "Wer hat die meisten Armeen?", "Armies 105"),
        ("classic-warlord", "later", "who is threatening Munich?", "221 Tyrol, next to 207"),
        ("empire-deluxe", "first", "What can city 1 build?", "AR army"),
        ("empire-deluxe", "later", "Where is army 10 going?", "Orders A 56,2"),
        ("imperium", "later", "how much can I spend this turn?", "Your stockpile: 22"),
        ("imperium", "later", "what's aboard TR2?", "TR2(JT3:5-2)"),
        ("imperium", "later", "What is in fleet 3?", "Ships TR4(RT1:6-2)"),
        ("imperium", "later", "where was the enemy's fleet 2 last seen?", "Fleet 2: CL, 2 DD"),
        ("warlord", "first", "until when may I send orders", "Orders for turn 1 are due"),
    ] {
        let mut host = crate::understood::at(engine, on).host("en");
        let row = say(&mut host, 1, &format!("{question}\n"));
        let told = crate::talk::answer(&host, &row);
        let told = told.replace("\n|", " ").split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(says), "{question}: {told}");
    }
}

#[test]
fn a_sentence_beside_a_question_is_answered_too_and_one_about_the_rules_by_the_rulebook() {
    let mut host = host("warlord", 4, &[]);
    let row = say(&mut host, 1, "WHO\nWhat do engineers do?\n");
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
    let told = crate::talk::answer(&host, &row);
    assert!(told.contains("What do engineers do?") && told.contains("4. Units:"), "{told}");
    let row = say(&mut host, 1, "What do engineers do with ruins, please?\n");
    let told = crate::talk::answer(&host, &row);
    assert!(told.contains("Engineers search the ruins") && !told.contains("SECRETS"), "{told}");
}

#[test]
fn what_counts_the_orders_that_are_on_file() {
    let mut host = host("warlord", 4, &[]);
    say(&mut host, 1, "C 1 1\nC 1 1\nC 1 1\nThank you!\n");
    let row = say(&mut host, 1, "WHAT\n");
    let told = crate::talk::answer(&host, &row);
    assert!(told.contains("Your card on file has 3 orders; with it:"), "{told}");
    assert!(told.contains("Stock after this card: 17 PP"), "{told}");
    assert!(!told.contains("Idle production centres: 3"), "{told}");
}

#[test]
fn a_question_that_is_longer_than_a_line_of_a_card_may_be_is_not_looked_up() {
    let mut host = host("warlord", 4, &[]);
    let long = format!("What do {} do?\n", "engineers ".repeat(200));
    let row = say(&mut host, 1, &long);
    assert_eq!(row.reason, Reason::NoOrders);
    assert!(!crate::talk::answer(&host, &row).contains("4. Units:"));
}
