//! Letters between players: at once where a game says so, in threads, with the letter that they
//! answer.

use registry::ENGINES;
use robot::limits::Limits;
use support::host::*;

use crate::talk::{answer, flat, say};
use crate::words::host;

/// A game of Battle Plan, whose option says when letters go.
fn battle_plan(letters: &str) -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut game = a_game("battle-plan", 4);
    game.options.insert("letters".to_owned(), letters.to_owned());
    host.robot.new_game(game).expect("a game");
    host.seat_players(4);
    host.robot.start("W7", None, false).expect("starts");
    // Nobody can write by mail to players who hide.
    (1..=4).for_each(|seat| drop(say(&mut host, seat, "CONTACT relay\n")));
    host
}

/// Letters that a seat got.
fn letters(host: &Host, seat: u8) -> Vec<Got> {
    host.mails_to(seat).into_iter().filter(|m| m.subject.contains("a letter")).collect()
}

const CARD: &str = "PRESS 2,3\nShall we share Austria?\n\nYours, one\nEND\n@ 2A\n";

#[test]
fn a_letter_of_a_card_goes_at_once_and_once_and_its_echo_says_so() {
    let mut host = battle_plan("at-once");
    let row = say(&mut host, 1, CARD);
    let echo = flat(&answer(&host, &row));
    assert!(echo.contains("goes at once"), "{echo}");
    for seat in [2, 3] {
        let got = letters(&host, seat);
        assert_eq!(got.len(), 1, "seat {seat}");
        let text = flat(&got[0].text);
        assert!(text.contains("A letter from seat 1"), "{text}");
        assert!(text.contains("Shall we share Austria?"), "{text}");
        assert!(!text.contains(&player(1)), "no address: {text}");
    }
    assert!(letters(&host, 4).is_empty() && letters(&host, 1).is_empty());
    // Players often send the card again, with one more letter.
    say(&mut host, 1, CARD);
    say(&mut host, 1, &CARD.replace("@ 2A", "PRESS 4\nAnd you?\nEND\n@ 2A"));
    assert_eq!([2, 3, 4].map(|seat| letters(&host, seat).len()), [1, 1, 1]);
    host.run_turn();
    let printout = host.last_mail(2).text;
    assert!(printout.contains("turn 2") && !printout.contains("Shall we share"), "{printout}");
}

#[test]
fn a_letter_in_a_sentence_goes_as_it_is_beside_orders_and_over_several_lines() {
    for (text, said, to) in [
        ("Tell player 2: shall we share Austria?\n", "shall we share Austria?", [1, 0, 0]),
        ("@ 2A\nPlease write to player 3: hello neighbour.\n@ 3A\n", "hello neighbour.", [0, 1, 0]),
        ("Message to everybody: peace until turn 5!\n", "peace until turn 5!", [1, 1, 1]),
        ("Tell player 2 and player 4: stand by me.\n", "stand by me.", [1, 0, 1]),
        ("Sag Spieler 4: ich greife Ungarn an.\n", "ich greife Ungarn an.", [0, 0, 1]),
        (
            "Tell player 2: shall we share Austria? I take the west. Ungarn is yours.\n",
            "share Austria? I take the west. Ungarn is yours.",
            [1, 0, 0],
        ),
    ] {
        let mut host = battle_plan("at-once");
        let row = say(&mut host, 1, text);
        let echo = flat(&answer(&host, &row));
        if to == [1, 1, 1] {
            // A letter to all comes with the printouts.
            assert!(host.on_file(1).contains(&format!("PRESS ALL\n{said}\nEND")), "{echo}");
            continue;
        }
        assert!(echo.contains("goes at once"), "{text}: {echo}");
        assert_eq!([2, 3, 4].map(|seat| letters(&host, seat).len()), to, "{text}: {echo}");
        for seat in [2, 3, 4] {
            let body = |l: &Got| flat(&l.text).replace("| ", "");
            let read = letters(&host, seat).iter().all(|l| body(l).contains(said));
            assert!(read, "{text}: {:?}", letters(&host, seat)[0].text);
        }
        assert!(!host.on_file(1).contains("HU"), "no line of it is an order: {}", host.on_file(1));
    }
}

#[test]
fn a_letter_alone_and_one_in_a_sentence_go_in_every_game_that_takes_some() {
    for game in ["classic-warlord", "imperium"] {
        for text in ["PRESS 2\nWell met.\nEND\n", "Letter to player 2: Well met.\n"] {
            let mut host = host(game, 2, &[]);
            let row = say(&mut host, 1, text);
            let echo = flat(&answer(&host, &row));
            assert!(host.on_file(1).contains("PRESS 2\nWell met.\nEND"), "{game}, {text}: {echo}");
        }
    }
}

#[test]
fn a_letter_in_a_sentence_that_may_go_on_in_the_next_line_is_not_sent() {
    let mut host = battle_plan("at-once");
    let text = "Tell player 2: shall we share Austria, and go on to the west together,\nwhere";
    for rest in ["nobody expects us before the winter?", "Hungary is weak and we are not."] {
        let row = say(&mut host, 1, &format!("@ 2A\n{text} {rest}\n"));
        let echo = flat(&answer(&host, &row));
        assert!(echo.contains("write these three lines, \"PRESS 2\""), "{echo}");
        assert!(letters(&host, 2).is_empty());
        assert!(host.on_file(1).contains("2A"), "{echo}");
    }
    // The text stands below it.
    say(&mut host, 1, "@ 2A\nLetter to Italy:\n@ 3A\n");
    assert!(letters(&host, 2).is_empty() && !host.on_file(1).contains("PRESS"));
    // Nothing but a name stands below this one.
    say(&mut host, 1, "@ 2A\nTell player 2: shall we share Austria?\nThanks\nAnna\n");
    assert_eq!(letters(&host, 2).len(), 1);
}

#[test]
fn what_a_player_is_to_be_told_in_other_words_is_asked_about() {
    let mut host = battle_plan("at-once");
    let row = say(&mut host, 1, "Tell player 2 I won't attack him this year.\n");
    let echo = flat(&answer(&host, &row));
    assert!(echo.contains("1: PRESS 2, I won't attack him this year., END"), "{echo}");
    assert!(letters(&host, 2).is_empty());
    say(&mut host, 1, "1\n");
    assert!(flat(&letters(&host, 2)[0].text).contains("I won't attack him this year."));
}

#[test]
fn who_hides_gets_no_letter_of_a_card_and_its_writer_hears_it() {
    let mut host = battle_plan("at-once");
    say(&mut host, 2, "CONTACT hide\n");
    let row = say(&mut host, 1, CARD);
    let echo = flat(&answer(&host, &row));
    assert!(echo.contains("Seat 2 takes no letters; yours did not go on."), "{echo}");
    assert_eq!([2, 3].map(|seat| letters(&host, seat).len()), [0, 1]);
}

#[test]
fn letters_of_cards_and_mails_have_one_hourly_limit_for_their_writer_and_one_for_each_reader() {
    let mut host = battle_plan("at-once");
    let card = |seat: u8, to: u8, n: u32| {
        let letters: String =
            (0..10).map(|i| format!("PRESS {to}\nletter {n}.{i} of {seat}\nEND\n")).collect();
        format!("{letters}@ 2A\n")
    };
    let mut last = None;
    for n in 0..5 {
        last = Some(say(&mut host, 1, &card(1, 2, n)));
    }
    assert_eq!(letters(&host, 2).len(), 30);
    let echo = flat(&answer(&host, &last.expect("a card")));
    assert!(echo.contains("yours to seat 2 did not go on; send the card again"), "{echo}");
    // A letter by mail counts with them.
    let alias = host.robot.mailer().alias("W7", engine::Seat(2), engine::Seat(1));
    let row = host.receive(mail(&player(1), &alias, "One more\n"));
    assert_eq!(row.reason, store::Reason::TooManyLetters);
    for seat in [3, 4] {
        (0..4).for_each(|n| drop(say(&mut host, seat, &card(seat, 2, n))));
    }
    assert_eq!(letters(&host, 2).len(), 60);
    assert_eq!(letters(&host, 3).len(), 0, "who has had none may have some");
    host.pass(61);
    say(&mut host, 4, &card(4, 2, 9));
    assert_eq!(letters(&host, 2).len(), 70);
}

#[test]
fn without_the_option_and_to_all_letters_come_with_the_printout() {
    let mut host = battle_plan("printout");
    let row = say(&mut host, 1, CARD);
    assert!(!answer(&host, &row).contains("at once"));
    assert!(letters(&host, 2).is_empty());
    host.run_turn();
    assert!(host.last_mail(2).text.contains("Shall we share Austria?"));

    let mut host = battle_plan("at-once");
    say(&mut host, 1, &CARD.replace("2,3", "ALL"));
    assert!(letters(&host, 2).is_empty());
    host.run_turn();
    assert!(host.last_mail(2).text.contains("Shall we share Austria?"));
}

#[test]
fn what_is_checked_or_proven_by_nothing_sends_no_letter() {
    let mut host = battle_plan("at-once");
    say(&mut host, 1, &format!("CHECK\n{CARD}"));
    assert!(letters(&host, 2).is_empty(), "a check");
    host.receive(mail(&player(1), ROBOT, CARD));
    assert!(letters(&host, 2).is_empty(), "anybody may have written it");
    let question = host.last_mail(1);
    host.receive(mail(&player(1), &question.reply_to, "YES\n"));
    assert_eq!(letters(&host, 2).len(), 1);
}

#[test]
fn a_card_sends_ten_letters_at_once_and_says_which_it_does_not() {
    let mut host = battle_plan("at-once");
    let card: String = (1..=11).map(|n| format!("PRESS 2\nLetter {n} of mine\nEND\n")).collect();
    let row = say(&mut host, 1, &card);
    assert_eq!(letters(&host, 2).len(), 10);
    let echo = flat(&answer(&host, &row));
    assert!(echo.contains("10 letters of a card go at once"), "{echo}");
}

#[test]
fn a_letter_without_a_name_tells_nothing_of_its_writer() {
    let mut host = battle_plan("at-once");
    say(&mut host, 1, &CARD.replace("2,3", "2"));
    say(&mut host, 1, &CARD.replace("2,3", "2 ANON"));
    let got = letters(&host, 2);
    let [named, without] = got.as_slice() else { panic!("{} letters", got.len()) };
    let text = flat(&without.text);
    assert!(text.contains("A letter without a name"), "{text}");
    assert!(!text.contains("seat 1") && !without.subject.contains("seat 1"), "{text}");
    assert!(!without.reply_to.contains("+to."), "{}", without.reply_to);
    assert!(named.reply_to.contains("+to."), "{}", named.reply_to);
    let thread = |m: &Got| m.raw.split("\r\n\r\n").next().unwrap_or_default().to_owned();
    assert!(thread(named).contains("letters.") && !thread(without).contains("letters."));
}

#[test]
fn an_answer_shows_what_it_answers_as_the_robot_knows_it_and_stands_in_its_thread() {
    let mut host = battle_plan("at-once");
    say(&mut host, 1, &CARD.replace("2,3", "2"));
    let first = letters(&host, 2).remove(0);
    host.pass(90);
    let raw = mail(&player(2), &first.reply_to, "No, all of it is mine.\n\n> I said: take it\n");
    let raw =
        raw.replacen("Subject:", &format!("In-Reply-To: <{}>\r\nSubject:", first.message_id), 1);
    host.receive(raw);
    let answer = letters(&host, 1).remove(0);
    let text = answer.text.replace("| ", "");
    assert!(text.contains("No, all of it is mine."), "{text}");
    assert!(text.contains("> You wrote ") && text.contains("> Shall we share Austria?"), "{text}");
    assert!(!text.contains("take it"), "a quote that is not what was written: {text}");
    let thread = |m: &Got| {
        let head = m.raw.split("\r\n\r\n").next().unwrap_or_default();
        head.lines().find(|l| l.starts_with("References:")).unwrap_or_default().to_owned()
    };
    assert!(thread(&first).contains("letters."), "{}", thread(&first));
    assert_eq!(thread(&first), thread(&answer));
}
