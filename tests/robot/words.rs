//! Orders as people write them: names, verbs, lists and misspelt words become orders of the card,
//! in every game; where words may mean two things the robot asks.

use engine::{Orders, Reading, wording};
use registry::ENGINES;
use robot::limits::Limits;
use store::{Reason, Verdict};
use support::host::{Host, a_game};

use crate::talk::flat;

/// A running game.
pub fn host(engine: &str, seats: u8, options: &[(&str, &str)]) -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut game = a_game(engine, seats);
    if options.iter().any(|(name, _)| *name == "variant") {
        // Not every variant has start countries.
        game.options.remove("starts");
    }
    for (name, value) in options {
        game.options.insert((*name).to_owned(), (*value).to_owned());
    }
    host.robot.new_game(game).expect("a game");
    host.seat_players(seats);
    host.robot.start("W7", None, false).expect("starts");
    host
}

/// Both cards leave the same orders on file, and the turn has the same result.
fn same(engine: &str, seats: u8, options: &[(&str, &str)], words: &str, card: &str) {
    let hash = |lines: &str| {
        let mut host = host(engine, seats, options);
        let row = host.receive(host.card(1, lines));
        assert_eq!((row.verdict, row.reason), (Some(Verdict::Accepted), Reason::Filed), "{lines}");
        let filed = host.on_file(1);
        host.pass_deadline();
        let turn = host.robot.game("W7").expect("the game").turn - 1;
        (filed, host.robot.store.journal().hash_of("W7", turn).expect("the store works"))
    };
    let (words, card) = (hash(words), hash(card));
    assert_eq!(words.0, card.0);
    assert_eq!(words.1, card.1, "{engine}");
}

#[test]
fn in_every_game_a_card_in_words_gives_the_turn_of_its_canonical_form() {
    same(
        "battle-plan",
        4,
        &[],
        "@ Baltic States\nbuild 5 armies\nAC5 Poland\nconquer Finland with 4 armies\n",
        "@BA\nBA5\nAC5PD\nAC4FI\n",
    );
    same("classic-warlord", 2, &[], "start Crimean Mountains, Valdai Hils\n", "S 319 318\n");
    same("imperium", 2, &[], "build 2 destroyers\nactivate 4\n", "B DD 2\nA 4\n");
    same(
        "empire-deluxe",
        2,
        &[("size", "30x24")],
        "Build armies in 1.\nCLOSE\n",
        "P 1 AR\nCLOSE\n",
    );
}

#[test]
fn a_list_is_several_orders_and_the_echo_has_the_lines_as_they_were_numbered() {
    let mut host = host("warlord", 4, &[]);
    let row = host.receive(host.card(1, "A 1-3 NE\nA 4 2\nA 4 3\n"));
    assert_eq!(row.verdict, Some(Verdict::Accepted));
    assert_eq!(host.on_file(1), "A 1 2\nA 2 2\nA 3 2\nA 4 2\nA 4 3\n");
    let echo = host.last_mail(1).text;
    for line in ["|   1  A 1 2", "|   1  A 3 2", "|   2  A 4 2", "|   3  A 4 3"] {
        assert!(echo.contains(line), "{line}\n{echo}");
    }
    assert_eq!(flat(&echo).matches("you wrote: A 1-3 NE").count(), 1, "{echo}");
    assert!(flat(&echo).contains("unit 4 has its order in line 2, which stands"), "{echo}");
    // Added lines continue the numbers, and are shown with their words.
    let row = host.receive(host.card(1, "ADD\nadvance 5,6 north\n"));
    assert_eq!(row.reason, Reason::Added);
    let echo = host.last_mail(1).text;
    assert!(
        echo.contains("|   1  A 3 2") && flat(&echo).contains("you wrote: advance 5,6 north"),
        "{echo}"
    );
}

#[test]
fn a_mail_of_nothing_but_words_is_a_card() {
    let mut host = host("warlord", 4, &[]);
    let row =
        host.receive(host.card(
            1,
            "Dear robot,\n\nplease advance unit 1 to the NE\nadvance 2 north\n\nThanks!\n",
        ));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Accepted), Reason::Filed), "{}", row.why);
    assert_eq!(host.on_file(1), "A 1 2\nA 2 1\n");
    // A letter is not a card, whatever verbs it has.
    for letter in [
        "Attack is the best defence, they say.\n",
        "We should attack Germany together next spring, if you like.\nBuild what you want.\n",
        "March 12 2026\n",
    ] {
        let row = host.receive(host.card(1, letter));
        assert_eq!(row.verdict, Some(Verdict::Rejected), "{letter}");
    }
    assert_eq!(host.on_file(1), "A 1 2\nA 2 1\n");
}

#[test]
fn what_newcomers_wrote_is_read() {
    for (engine, seats, options, written, filed) in [
        (
            "warlord",
            4,
            &[][..],
            "Send the tanks to the NE\nUnit 9 go north\ngeneral 1 to unit 7\nResearch 3\n\
             Construct infantry\nDeclare ally 2\nSend infantry 1 and 2 and engineer 5 north\n\
             Infantry 3 stays at home\nThanks,\nAnna\n",
            "A 7 2\nA 9 1\nP 1 7\nE 3\nC 1 1\nD 2\nA 1 1\nA 2 1\nA 5 1\nM 3 0\n",
        ),
        (
            "battle-plan",
            4,
            &[],
            "Build 20 army in Baltic States\nResearch army with 40 dollars\nTrain spies for 5 dollars\n\
             @ Baltic States\nBuild 5 navies\nSend 3 spies to Finland\nconquer Finland with 5 army\n",
            "@BA BA20 @\n@ RA40 @\n@ TS5 @\n@BA\nBN5\n@ S3FI @BA\nAC5FI\n",
        ),
        (
            "empire-deluxe",
            2,
            &[("size", "30x24")],
            "Build 2 armies, a fighter and a transport in city 1\nNew units explore\n\
             Cities that I take build Army\nI'm done\n",
            "P 1 AR AR FI TR\nZ 1 E\nPD AR\nCLOSE\n",
        ),
    ] {
        let mut host = host(engine, seats, options);
        host.receive(host.card(1, written));
        assert_eq!(host.on_file(1), filed, "{engine}\n{}", host.last_mail(1).text);
    }
}

#[test]
fn a_line_that_was_tried_as_an_order_is_never_lost() {
    // After a line that is not understood, the line below it does not end the turn.
    let mut host = host("empire-deluxe", 2, &[("size", "30x24")]);
    for line in [
        "send my army to the west and explore",
        "Army one, explore to the west.",
        "please let my city build two of them before the transport.",
    ] {
        let row = host.receive(host.card(1, &format!("{line}\nclose\n")));
        let echo = flat(&host.last_mail(1).text);
        assert!(echo.contains(line), "{}: {echo}", row.why);
        assert_eq!(host.robot.game("W7").expect("the game").step.label, "turns 1 to 6, player 1");
    }
}

#[test]
fn who_replaces_a_card_hears_what_is_no_longer_on_file() {
    let mut host = host("warlord", 4, &[]);
    host.receive(host.card(1, "A 1 2\nD 2\n"));
    host.receive(host.card(1, "A 1 2\nE 3\n"));
    let echo = flat(&host.last_mail(1).text);
    assert!(echo.contains("No longer on file: D 2; ADD as the first line"), "{echo}");
}

#[test]
fn what_is_said_of_a_line_that_is_added_stands_beside_that_line() {
    let mut host = host("warlord", 4, &[]);
    host.receive(host.card(1, "A 1 2\nA 2 2\nA 3 2\nA 4 2\n"));
    host.receive(host.card(1, "ADD\nA 5 1\nadvance 7 to Zzyzx\n"));
    let echo = flat(&host.last_mail(1).text);
    let said = echo.split("advance 7 to Zzyzx").nth(1).unwrap_or_default();
    let said = said.split("All orders on file").next().unwrap_or_default();
    assert!(said.contains("nothing that you know is called ZZYZX"), "{echo}");
}

#[test]
fn an_order_in_words_that_does_not_say_where_is_asked_about() {
    // Above all sections "BA5" is a default build of all countries, which a player who writes in
    // words does not mean.
    let mut host = self::host("battle-plan", 13, &[("variant", "1939")]);
    host.receive(host.card(1, "build 5 armies\n@ 2A\n"));
    assert!(host.on_file(1).starts_with("build 5 armies\n"), "{}", host.on_file(1));
    let echo = flat(&host.last_mail(1).text);
    assert!(echo.contains("does not say where: name the place"), "{echo}");
    // A player with forces in only one place need not name it.
    let mut host = self::host("battle-plan", 4, &[]);
    host.receive(host.card(1, "build 5 armies\nAC5 Poland\n@ Baltic States\nbuild 6 armies\n"));
    assert_eq!(host.on_file(1), "@BA BA5 @\n@BA AC5PD @\n@BA\nBA6\n");
}

#[test]
fn no_line_in_the_form_of_a_card_is_read_as_another() {
    for engine in ENGINES.iter() {
        let seats = *engine.seats().start();
        let mut host = host(engine.id(), seats, &[]);
        for _ in 0..3 {
            let game = host.robot.game("W7").expect("the game");
            let open = host.robot.games().open(&game).expect("opens");
            for seat in (1..=seats).map(engine::Seat) {
                let reader = open.reader(seat);
                let card = open.play(seat, "", &mut engine.dice(game.rules_version, 1)).card;
                let examples = open.help(seat).into_iter().flat_map(|t| t.examples);
                for line in card.lines.into_iter().map(|l| l.1).chain(examples) {
                    assert_eq!(reader.read(&line), Reading::No, "{}: {line}", engine.id());
                }
            }
            host.pass_deadline();
        }
    }
}

#[test]
fn orders_that_name_where_they_come_from_are_read_whatever_comes_first() {
    let mut host = host("battle-plan", 4, &[]);
    let report = host.robot.game("W7").expect("the game");
    let open = host.robot.open(&report).expect("open");
    let first = open.primer(engine::Seat(1)).orders[0].0.clone();
    let home = first.trim_start_matches('@').split(' ').next().expect("a code").to_owned();
    for (words, order) in [
        (format!("move 5 army from {home} to FR"), format!("@{home} AC5FR")),
        (format!("move 5 army to FR from {home}"), format!("@{home} AC5FR")),
        (format!("conquer FR with 5 army from {home}"), format!("@{home} AC5FR")),
        ("Player 3 is now my ally".to_owned(), "3A".to_owned()),
        ("3 is my enemy".to_owned(), "3E".to_owned()),
    ] {
        let row = crate::talk::say(&mut host, 1, &format!("CHECK\n{words}\n"));
        let told = flat(&host.answers(&row).pop().expect("an echo").text);
        // A section and its order are on separate lines.
        assert!(order.split(' ').all(|part| told.contains(part)), "{words}: {told}");
    }
}

/// A line with a value in each of its slots: as a card has it, and with names.
fn filled(form: &wording::OrderForm, orders: &Orders, nth: usize) -> Option<[String; 2]> {
    let mut lines = [form.writes.clone(), form.name.clone()];
    for (at, slot) in form.slots.iter().enumerate() {
        let (code, name) = match orders.names.get(&slot.sort) {
            Some(choices) => {
                let choice = choices.get((nth * 7 + at * 3) % choices.len().max(1))?;
                (choice.code.clone(), choice.name.clone())
            }
            None => ((nth % 5 + 1).to_string(), (nth % 5 + 1).to_string()),
        };
        lines[0] = lines[0].replace(&format!("{{{}}}", slot.name), &code);
        lines[1] += &format!(" {name}");
    }
    Some(lines.map(|l| l.trim().to_owned()))
}

#[test]
fn what_is_read_from_names_is_the_order_of_those_names_or_is_asked_about() {
    // Each form of each game, filled with things of the seat's own view. The robot files the order
    // that it reads, so the turn carries out that order.
    for engine in ENGINES.iter() {
        let seats = *engine.seats().start();
        let mut host = host(engine.id(), seats, &[]);
        let (mut read, mut asked) = (0, 0);
        for _ in 0..2 {
            let game = host.robot.game("W7").expect("the game");
            let reader = host.robot.games().open(&game).expect("opens").reader(engine::Seat(1));
            let orders = reader.orders();
            // `from` before the first of two places reverses them.
            let forms = orders.forms.iter().filter(|f| !f.name.ends_with(" from"));
            for (form, nth) in forms.flat_map(|f| (0..12).map(move |n| (f, n))) {
                let Some([order, words]) = filled(form, &orders, nth) else { continue };
                // Without sections: this test does not check which one is open.
                let plain = |line: &str| {
                    let line = line.replace(wording::WITHIN, "").replace(wording::ABOVE, "");
                    line.split_whitespace().filter(|w| *w != "@").collect::<Vec<_>>().join(" ")
                };
                let same = |found: &String| plain(found) == plain(&order);
                match reader.read(&words) {
                    Reading::Idle | Reading::No => {}
                    Reading::Orders(found) => {
                        let section =
                            found.iter().all(|f| engine::wording::below(f, "@").is_none());
                        // What an order needs above it stands before it.
                        let right = found.last().is_some_and(same) || section;
                        assert!(right, "{}: {words} is {order}, not {found:?}", engine.id());
                        read += 1;
                    }
                    Reading::Several(found) => {
                        let right = found.iter().any(|f| matches!(&f[..], [one] if same(one)));
                        assert!(right, "{}: {words} is {order}, no {found:?}", engine.id());
                        asked += 1;
                    }
                }
            }
            host.pass_deadline();
        }
        assert!(read > 0 && asked <= read, "{}: {read} read, {asked} asked", engine.id());
    }
}

#[test]
fn what_may_mean_several_things_is_chosen_by_its_number() {
    let mut host = host("warlord", 4, &[]);
    host.receive(host.card(1, "A 9 1\nsend two infantry units to the north\n"));
    let echo = flat(&host.last_mail(1).text).replace("| ", "");
    assert!(echo.contains("this may mean 1: A 1 1, A 2 1; 2: A 1 1, A 3 1;"), "{echo}");
    let row = host.receive(host.card(1, "2\n"));
    assert_eq!(row.reason, Reason::Added, "{}", row.why);
    assert_eq!(host.on_file(1), "A 9 1\nA 1 1\nA 3 1\n");
    // A number that was not asked for is no order.
    let row = host.receive(host.card(1, "9\n"));
    assert_eq!(row.verdict, Some(Verdict::Rejected));
    assert_eq!(host.on_file(1), "A 9 1\nA 1 1\nA 3 1\n");
}

#[test]
fn the_part_that_is_understood_takes_the_place_of_its_line_when_it_is_chosen() {
    for (engine, card, left, chosen) in [
        ("warlord", "A 9 1\nsend unit 1 snailishly north\n", "\"snailishly\"", "A 9 1\nA 1 1\n"),
        (
            "battle-plan",
            "@ 2A\nconquer Finland with 5 army if it rains\n",
            "no conditions such as \"if\": without \"if it rains\"",
            "@ 2A\n@BA AC5FI @\n",
        ),
    ] {
        let mut host = host(engine, 4, &[]);
        host.receive(host.card(1, card));
        let echo = flat(&host.last_mail(1).text).replace("| ", "");
        assert!(echo.contains(left) && echo.contains("this means 1: "), "{echo}");
        let row = host.receive(host.card(1, "1\n"));
        assert_eq!(row.reason, Reason::Added, "{}", row.why);
        assert_eq!(host.on_file(1), chosen);
    }
}

#[test]
fn a_line_of_several_sentences_is_all_of_their_orders_or_none() {
    let mut host = host("warlord", 4, &[]);
    host.receive(host.card(
        1,
        "Could you please send all infantry except unit 2 north, put 5 PP into research and then \
         build two tanks?\nUnit 9 goes to the east. It stops.\n",
    ));
    let filed = host.on_file(1);
    assert!(filed.starts_with("A 1 1\nA 3 1\nA 4 1\nE 5\nC 1 3\nC 1 3\n"), "{filed}");
    // With one part that is not read nothing of a line is filed; nor with a condition.
    for line in [
        "send unit 1 north and dance",
        "send unit 1 north if nobody is there",
        "do not send unit 1 north",
        "send unit 1 to city 99",
    ] {
        host.receive(host.card(1, "CANCEL\n"));
        host.receive(host.card(1, &format!("A 9 1\n{line}\n")));
        assert!(!host.on_file(1).contains("A 1 "), "{}", host.on_file(1));
        let echo = flat(&host.last_mail(1).text);
        assert!(echo.contains(&line[..14]), "{line}");
        assert_eq!(echo.contains("no conditions such as"), line.contains(" if "), "{echo}");
    }
}

#[test]
fn commands_may_be_sentences() {
    let mut host = host("warlord", 4, &[]);
    host.receive(host.card(1, "A 9 1\n"));
    let row = host.receive(host.card(1, "No wait, cancel everything that I ordered\n"));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
    assert_eq!(host.on_file(1), "");
    let row = host.receive(host.card(1, "I am on holiday from 10 to 20 June\n"));
    assert_eq!(row.reason, Reason::Vacation, "{}", row.why);
    let row = host.receive(host.card(1, "I want to stop playing, somebody else can have it\n"));
    assert_eq!(row.reason, Reason::ResignAsked, "{}", row.why);
}

#[test]
fn a_letter_to_a_name_goes_to_the_seat_of_that_name() {
    let mut host = host("battle-plan", 4, &[]);
    let game = host.robot.game("W7").expect("the game");
    let reader = host.robot.games().open(&game).expect("opens").reader(engine::Seat(1));
    let named = &reader.orders().names["player"];
    let second = named.iter().find(|c| c.code == "2").expect("a player").name.clone();
    let letter = |to: &str| format!("PRESS {to}\nShall we share Austria?\nEND\n");
    let row = host.receive(host.card(1, &letter(&second)));
    let echo = flat(&host.answers(&row)[0].text);
    assert_eq!(host.on_file(1), letter("2"), "{echo}");
    assert!(echo.contains(&format!("you wrote: PRESS {second}")), "{echo}");
    host.run_turn();
    assert!(host.last_mail(2).text.contains("Shall we share Austria?"));
    assert!(!host.last_mail(3).text.contains("Shall we share Austria?"));
    // Nobody has that name: the letter is refused as a whole, and no line of it is an order.
    let row = host.receive(host.card(1, &letter("Zzyzx")));
    let echo = flat(&host.answers(&row)[0].text);
    assert!(echo.contains("nobody here is called Zzyzx; write PRESS and the number"), "{echo}");
    assert_eq!(echo.matches("error:").count(), 1, "{echo}");
}

#[test]
fn a_line_that_was_meant_as_an_order_counts_as_one_and_shows_its_form() {
    let mut host = host("warlord", 4, &[]);
    let lines = "A 1 2\nSend tanks and two infantry units to the north of 00101\n\
                 Build tanks at all three centres\n; a note\n";
    let row = host.receive(host.card(1, lines));
    let echo = &host.answers(&row)[0];
    assert!(echo.subject.contains("1 of 5 orders not carried out"), "{}", echo.subject);
    let told = flat(&echo.text);
    assert!(told.contains("\"of 00101\" is not understood; without it this means 1: "), "{told}");
    // A mail of a newcomer, with greeting and thanks, is a card although half of it is not read.
    let mixed = "Dear robot,\nThe five units should keep going there.\nadvance 1 to the north\n\
                 Unit 5, go to the tanks and search the ruins\nUnit 6 carries on to the ruins\n\
                 Move the trucks with the new infantry to the east\n\
                 Send a fighter to look around\nresearch 3\nThanks!\n";
    let row = host.receive(host.card(2, mixed));
    assert_eq!(row.reason, Reason::Filed, "{}", host.answers(&row)[0].text);
    assert!(host.on_file(2).contains("A 1 1\n") && host.on_file(2).contains("E 3\n"));
}

#[test]
fn ready_waits_for_a_card_in_which_something_is_wrong() {
    let mut host = host("warlord", 4, &[]);
    host.robot.set_term("W7", "early", "true").expect("a term");
    let ready = |host: &Host| {
        let seats = host.robot.store.games().seats("W7").expect("seats");
        seats.iter().find(|s| s.seat == engine::Seat(1)).expect("the seat").ready
    };
    let row = host.receive(host.card(1, "A 1 2\nA 99 2\nREADY\n"));
    let told = flat(&host.answers(&row)[0].text);
    assert!(
        told.contains(
            "READY was not taken, for 1 line of your mail can't be carried out or is not read"
        ),
        "{told}"
    );
    assert_eq!((ready(&host), row.reason), (0, Reason::Filed), "the card counts");
    // READY counts in its own mail, and with a right card.
    host.receive(host.card(1, "READY\n"));
    assert_eq!(ready(&host), 1);
    host.receive(host.card(1, "NOTREADY\n"));
    host.receive(host.card(1, "A 1 2\nREADY\n"));
    assert_eq!(ready(&host), 1);
    // Added lines count by themselves, whatever is wrong in the earlier card.
    host.receive(host.card(1, "NOT READY\n"));
    host.receive(host.card(1, "A 1 2\nA 99 2\n"));
    host.receive(host.card(1, "ADD\nREADY\nA 98 2\n"));
    assert_eq!(ready(&host), 0);
    host.receive(host.card(1, "ADD\nREADY\nA 2 2\n"));
    assert_eq!(ready(&host), 1);
}

#[test]
fn a_section_keeps_no_ready_back() {
    let mut host = host("battle-plan", 4, &[]);
    host.robot.set_term("W7", "early", "true").expect("a term");
    host.receive(host.card(1, "READY\n@BA BA15\n"));
    let seats = host.robot.store.games().seats("W7").expect("seats");
    assert_eq!((seats[0].ready, host.on_file(1).as_str()), (1, "@BA BA15\n"));
}

#[test]
fn ready_in_capitals_counts_whatever_words_stand_below_it() {
    let mut host = host("warlord", 4, &[]);
    host.robot.set_term("W7", "early", "true").expect("a term");
    let ready = |host: &Host| host.robot.store.games().seats("W7").expect("seats")[0].ready;
    host.receive(
        host.card(1, "ADD\nHello,\nA 1 2\nSo much for now, I think\nready\nCheers, Tom\n"),
    );
    assert_eq!(ready(&host), 0, "small letters among words may be words");
    host.receive(
        host.card(1, "ADD\nHello,\nA 2 2\nREADY\nSo much for now, I think\nCheers, Tom\n"),
    );
    assert_eq!(ready(&host), 1);
}

#[test]
fn what_is_wrong_on_file_stays_wrong_when_lines_are_added() {
    let mut host = host("battle-plan", 4, &[]);
    host.receive(host.card(1, "Build 20 army in Baltic States with my industry\nBA5\n@ 2A\n"));
    let row = host.receive(host.card(1, "ADD\n3A\nLetter to Finland: hello\n"));
    let echo = &host.answers(&row)[0];
    assert!(echo.subject.contains("not carried out"), "{}", echo.subject);
    let told = flat(&echo.text).replace("| ", "");
    assert!(told.contains("without it this means 1: @BA BA20"), "{told}");
    assert!(told.contains("no letter: one begins with a line such as"), "{told}");
}

#[test]
fn air_force_strikes_in_words() {
    let mut host = host("battle-plan", 4, &[]);
    host.receive(host.card(
        1,
        "In Baltic States, 20 air force strike the army in Poland\n\
         10 air force from Baltic States bomb the army in Finland\nMake 2 my ally\n",
    ));
    assert_eq!(host.on_file(1), "@BA FA20PD @\n@BA FA10FI @\n@ 2A @\n");
}

#[test]
fn a_letter_to_a_computer_is_told_to_go_unanswered() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game("battle-plan", 4)).expect("a game");
    host.seat_players(3);
    host.robot.add_computer("W7", engine::Seat(4)).expect("a computer");
    host.robot.start("W7", None, false).expect("starts");
    let row = host.receive(host.card(1, "PRESS 4\nPeace?\nEND\nPRESS 2\nPeace?\nEND\n"));
    let told = flat(&host.answers(&row)[0].text);
    let says = "a computer plays seat 4";
    assert_eq!(told.matches(says).count(), 1, "{told}");
}

#[test]
fn an_arrow_in_a_sentence_leads_to_a_place() {
    let mut host = host("warlord", 4, &[]);
    host.receive(host.card(1, "- unit 9 -> north\n* tanks => NE\n1,2 \u{2192} SE\n"));
    assert_eq!(host.on_file(1), "A 9 1\nA 7 2\nA 1 4\nA 2 4\n");
}
