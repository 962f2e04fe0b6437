//! A player who chose German gets every mail of every game in German; the others do not, and the
//! game itself is the same.

use base::terms::Contact;
use engine::{BySeat, Dice, Input, Seat, Setup};
use registry::ENGINES;
use robot::gm::setup::NewSeat;
use robot::languages::{CODES, catalogue};
use robot::limits::Limits;
use support::host::*;
use tongue::within;

use crate::talk::{LATER, NEW, answer, asked, flat, say, set, yes};

/// The games, each with its seats.
const GAMES: [(&str, u8); 5] = [
    ("warlord", 4),
    ("battle-plan", 4),
    ("classic-warlord", 2),
    ("empire-deluxe", 2),
    ("imperium", 2),
];

/// Words that every English text of some length has, and no German one.
const ENGLISH: [&str; 12] =
    ["the", "and", "with", "your", "are", "not", "you", "of", "for", "from", "this", "which"];

/// A started game whose first player chose German.
fn german(engine: &str, seats: u8) -> Host {
    let mut host = Host::with(&ENGINES, engine, seats, Limits::default());
    let row = say(&mut host, 1, "LANG de\n");
    let told = flat(&answer(&host, &row));
    assert!(told.contains("kommen deine Mails in dieser Sprache: Deutsch"), "{told}");
    let mail = host.last_mail(1);
    assert!(english(&mail).is_empty() && mail.subject.ends_with("Sprachen"), "{told}");
    host
}

/// English words of a mail, except in lines of cards and in addresses.
fn english(mail: &Got) -> Vec<String> {
    let lines = mail.text.lines().filter(|l| !l.contains("----") && !l.contains('@'));
    let words = lines.flat_map(|l| l.split(|c: char| !c.is_alphanumeric() && c != '\''));
    words.filter(|w| ENGLISH.contains(w)).map(str::to_owned).collect()
}

#[test]
fn every_mail_of_every_game_is_german_for_who_chose_it_and_english_for_the_others() {
    for (engine, seats) in GAMES {
        let mut host = german(engine, seats);
        let questions = [
            "HELP",
            "STATUS",
            "WHO",
            "WHAT",
            "CARD",
            "GAMES",
            "RESEND",
            "HISTORY",
            "HELP first turn",
        ];
        for question in questions {
            let row = say(&mut host, 1, &format!("{question}\n"));
            let got = host.answers(&row).remove(0);
            let english = english(&got);
            assert!(english.is_empty(), "{engine}, {question}: {english:?}\n{}", got.text);
        }
        // Nonsense is answered too, and judged.
        let row = say(&mut host, 1, "M 999 999\nXYZ 1\nBA999QQ\n");
        for got in host.answers(&row) {
            assert!(english(&got).is_empty(), "{engine}: {:?}\n{}", english(&got), got.text);
        }
        host.run_turn();
        for got in host.mails_to(1).iter().rev().take(1) {
            assert!(english(got).is_empty(), "{engine}: {:?}\n{}", english(got), got.text);
            assert!(got.raw.contains("Content-Language: de"), "{engine}");
        }
        let other = host.mails_to(2).into_iter().max_by_key(|m| m.text.len()).expect("a mail");
        assert!(english(&other).len() > 5, "{engine}: {}", other.text);
        assert!(host.mails_to(2).iter().all(|m| !m.raw.contains("Content-Language")), "{engine}");
    }
}

#[test]
fn no_line_of_a_german_mail_begins_as_an_order_and_none_is_too_wide() {
    for (engine, seats) in GAMES {
        let mut host = german(engine, seats);
        say(&mut host, 1, "HELP\n");
        say(&mut host, 1, "STATUS\nWHO\nHISTORY\n");
        say(&mut host, 1, "M 999 999\nXYZ 1\n");
        host.run_turn();
        let rules = host.robot.games().engine(engine).expect("an engine");
        for got in host.mails_to(1).iter().skip(1) {
            for line in got.text.lines() {
                assert!(line.chars().count() <= 78, "{engine}: {line}");
                // Lines after a bar are not read.
                let is_read = !line.starts_with('|') && rules.starts_order(line);
                assert!(!is_read, "{engine} reads it: {line}\n{}", got.text);
            }
        }
    }
}

#[test]
fn orders_are_called_by_name_in_every_language() {
    for code in CODES.iter().filter(|code| catalogue(code).is_some()) {
        for (id, seats) in GAMES {
            let engine = engine::find(&ENGINES, id).expect("an engine");
            let setup = Setup { seats, ..Setup::default() };
            let saved = engine.new_game(&setup, &mut Dice::new(7)).expect("a game");
            let forms = engine.open(&saved).expect("it opens").reader(Seat(1)).orders().forms;
            assert!(!forms.is_empty(), "{id} has no orders in words");
            let said = |name: &str| tongue::template(name).is_some();
            let missing = within(catalogue(code), || {
                forms.iter().map(|f| &*f.name).filter(|name| !said(name)).collect::<Vec<&str>>()
            });
            assert!(missing.is_empty(), "{id}, {code}: {missing:?} are not in TERMS of the desk");
        }
    }
}

#[test]
fn a_step_is_the_same_in_every_language() {
    let german = catalogue("de");
    assert!(german.is_some(), "the file of messages is right");
    for (id, seats) in GAMES {
        let engine = engine::find(&ENGINES, id).expect("an engine");
        let setup = Setup { seats, ..Setup::default() };
        let saved = engine.new_game(&setup, &mut Dice::new(7)).expect("a game");
        let played = |language| {
            within(language, || {
                let mut saved = saved.clone();
                for turn in 0..3 {
                    let game = engine.open(&saved).expect("it opens");
                    let mut cards = BySeat::new();
                    for seat in (1..=seats).map(Seat) {
                        cards.insert(seat, game.play(seat, "", &mut Dice::new(turn)).card);
                    }
                    let sits = BySeat::new();
                    let input = Input { cards: &cards, seats: &sits };
                    saved = game.step(&input, &mut Dice::new(turn)).saved;
                    assert_eq!(game.wait().label, within(None, || game.wait().label));
                }
                (saved.state, saved.events)
            })
        };
        assert_eq!(played(german), played(None), "{id}");
    }
}

#[test]
fn what_a_step_keeps_is_said_to_each_in_their_language() {
    for (engine, seats) in GAMES {
        let mut host = german(engine, seats);
        for turn in 0..5 {
            // Right orders, and one that is wrong in every game.
            let game = host.robot.game("W7").expect("a game");
            let open = host.robot.open(&game).expect("it opens");
            for seat in 1..=seats {
                let card = open.play(Seat(seat), "", &mut Dice::new(turn)).card;
                let lines: String =
                    card.lines.iter().map(|(_, line)| format!("{line}\n")).collect();
                host.receive(host.card(seat, &(lines + "M 999 999\n")));
            }
            host.run_turn();
            let game = host.robot.game("W7").expect("a game");
            let open = host.robot.open(&game).expect("it opens");
            for seat in (1..=seats).map(Seat) {
                for language in [None, catalogue("de")] {
                    let shown = within(language, || {
                        let code = language.map_or("", |_| "de");
                        let texts =
                            (open.report(seat, code), open.headline(seat), open.primer(seat));
                        format!("{texts:?} {:?} {:?}", open.brief(seat, code), open.chronicle())
                    });
                    let marks = ["\\u{1}", "\\u{2}", "\\u{3}"];
                    let left = marks.iter().find_map(|mark| shown.find(mark));
                    let near = left.map(|at| shown[at.saturating_sub(99)..].chars().take(300));
                    assert_eq!(near.map(String::from_iter), None, "{engine}: data is shown");
                }
            }
        }
        let mails = host.mails_to(1);
        for got in mails.iter().rev().take(8) {
            // Names of places may have one of the words.
            let english: Vec<String> = english(got).into_iter().filter(|w| w != "of").collect();
            assert!(english.is_empty(), "{engine}: {english:?}\n{}", got.text);
        }
    }
}

#[test]
fn what_a_step_keeps_as_data_says_in_english_what_older_versions_kept() {
    // The last version of each that kept sentences in English.
    for (id, seats, before, steps) in [
        ("warlord", 4, 5, 8),
        ("battle-plan", 4, 3, 8),
        ("classic-warlord", 2, 1, 60),
        ("imperium", 2, 1, 60),
    ] {
        let engine = engine::find(&ENGINES, id).expect("an engine");
        let setup = Setup { seats, ..Setup::default() };
        let saved = engine.new_game(&setup, &mut Dice::new(7)).expect("a game");
        let mut game = engine.open(&saved).expect("it opens");
        let mut kept = 0;
        for turn in 0..steps {
            let mut cards = BySeat::new();
            for seat in (1..=seats).map(Seat) {
                let mut card = game.play(seat, "", &mut Dice::new(turn)).card;
                card.lines.push((900, "M 999 999".to_owned()));
                cards.insert(seat, card);
            }
            let sits = BySeat::new();
            let input = Input { cards: &cards, seats: &sits };
            let [old, new] = [before, engine.rules_version()]
                .map(|version| game.step(&input, &mut engine.dice(version, turn)).saved);
            kept += usize::from(old.events != new.events);
            let shown = [&old, &new].map(|saved| {
                let open = engine.open(saved).expect("it opens");
                let of = |seat| (open.report(seat, ""), open.headline(seat), open.brief(seat, ""));
                let all: Vec<_> = (1..=seats).map(Seat).map(of).collect();
                format!("{all:?} {:?}", open.chronicle())
            });
            let first = shown[0].bytes().zip(shown[1].bytes()).position(|(a, b)| a != b);
            let near = |at: usize| {
                shown
                    .each_ref()
                    .map(|s| s[at.saturating_sub(60)..].chars().take(160).collect::<String>())
            };
            assert!(first.is_none(), "{id}, step {turn}: {:?}", first.map(near));
            game = engine.open(&new).expect("it opens");
            if game.result().is_some() {
                break;
            }
        }
        assert!(kept > 2, "{id}: {kept} steps kept a sentence");
    }
}

#[test]
fn a_translated_rulebook_comes_in_the_language_of_its_reader() {
    let mut host = german("classic-warlord", 2);
    let mut ask = |seat, words: &str| {
        let row = say(&mut host, seat, words);
        answer(&host, &row)
    };
    let contents = ask(1, "RULES\n");
    assert!(contents.contains("4. Bomben"), "{contents}");
    let chapter = ask(1, "RULES 3\n");
    assert!(chapter.contains("Die Reihenfolge wird ausgelost."), "{chapter}");
    assert!(ask(1, "HELP Megastadt\n").contains("1 für jede Megastadt"));
    assert!(ask(2, "RULES 3\n").contains("The order of play is drawn by lot."));
}

#[test]
fn a_rulebook_is_of_one_language_with_all_its_figures() {
    for (id, seats, variant) in [
        ("warlord", 4, None),
        ("battle-plan", 13, Some("1939")),
        ("classic-warlord", 2, None),
        ("empire-deluxe", 2, None),
        ("imperium", 2, None),
    ] {
        let engine = engine::find(&ENGINES, id).expect("an engine");
        let options = variant.map(|v| ("variant".to_owned(), v.to_owned())).into_iter().collect();
        let setup = Setup { seats, options, ..Setup::default() };
        let saved = engine.new_game(&setup, &mut Dice::new(7)).expect("a game");
        let game = engine.open(&saved).expect("it opens");
        let [english, german] =
            [None, catalogue("de")].map(|language| within(language, || game.rulebook()));
        if id != "classic-warlord" {
            assert_eq!(german, english, "{id} is not translated");
            continue;
        }
        assert_eq!(german.len(), english.len());
        // The last chapter has the names of regions.
        for (ours, theirs) in german.iter().zip(&english).rev().skip(1) {
            let text = render::text::sections(std::slice::from_ref(ours));
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            assert!(words.all(|w| !ENGLISH.contains(&w)), "{text}");
            assert_eq!(ours.blocks.len(), theirs.blocks.len(), "{}", ours.heading);
        }
    }
}

#[test]
fn a_mail_to_all_is_in_the_language_of_each() {
    let mut host = german("warlord", 4);
    set(&mut host, "reminders_hours", "[24]");
    host.pass(6 * 24 * 60 + 60);
    host.robot.tick().expect("ticks");
    let reminded = |seat: u8| host.last_mail(seat);
    assert!(reminded(1).subject.contains("Befehle fehlen"), "{}", reminded(1).subject);
    assert!(reminded(2).subject.contains("awaited"), "{}", reminded(2).subject);
}

#[test]
fn who_chose_german_once_has_it_in_every_game_that_they_join_and_wait_for() {
    let mut host = german("warlord", 4);
    for code in ["N1", "N2"] {
        let mut game = a_game("warlord", 4);
        game.code = code.to_owned();
        game.terms.join = true;
        host.robot.new_game(game).expect("a game");
    }
    let row = host.receive(mail(&player(1), ROBOT, "JOIN N1 name=Anna\n"));
    let question = asked(&host, &row);
    assert!(english(&question).is_empty(), "{}", question.text);
    yes(&mut host, &question);
    let told = host.mails_to(1).pop().expect("a mail");
    assert!(told.text.contains("Passwort") && english(&told).is_empty(), "{}", told.text);
    let seats = host.robot.store.games().seats("N1").expect("seats");
    assert_eq!(seats[0].language, "de");
    // It is the same for a seat that the game master gives.
    let seat = NewSeat {
        game: "N2".to_owned(),
        seat: Seat(2),
        address: player(1),
        name: "Berta".to_owned(),
        zone: None,
        contact: Contact::Hide,
        any_address: false,
    };
    host.robot.add_seat(&seat).expect("a seat");
    let language =
        |host: &Host| host.robot.store.games().seats("N2").expect("seats")[0].language.clone();
    assert_eq!(language(&host), "de");
    // The next player of the seat has chosen no language.
    let resigned = store::SeatChange::Resigned;
    host.robot.store.write(|tx| tx.change_seat("N2", Seat(2), &resigned)).expect("resigned");
    let next = NewSeat { address: "next@players.example".to_owned(), ..seat };
    host.robot.add_seat(&next).expect("a seat");
    assert_eq!(language(&host), "");
}

#[test]
fn who_wishes_for_german_has_it_from_the_first_question_on() {
    let limits = Limits { practice_games_max: 2, ..Limits::default() };
    let mut host = Host::empty(&ENGINES, limits);
    let mut game = a_game("warlord", 4);
    game.terms.join = true;
    host.robot.new_game(game).expect("a game");
    for (who, wish, code) in
        [(NEW, "JOIN W7 name=Anna lang=de\n", "W7"), (LATER, "PRACTICE warlord lang=DE\n", "P1")]
    {
        let row = host.receive(mail(who, ROBOT, wish));
        let question = asked(&host, &row);
        yes(&mut host, &question);
        host.robot.tick().expect("ticks");
        let mails = host.mails_to_address(who);
        assert!(mails.len() > 1, "{wish}");
        for told in mails {
            assert!(english(&told).is_empty(), "{wish}: {}", told.text);
        }
        let seats = host.robot.store.games().seats(code).expect("seats");
        let seat = seats.iter().find(|s| s.address == who).expect("a seat");
        assert_eq!(seat.language, "de", "{wish}");
    }
    // A question without a YES changes nothing, and an unknown language is reported.
    host.receive(mail("else@players.example", ROBOT, "PRACTICE warlord lang=de\n"));
    let row = host.receive(mail("else@players.example", ROBOT, "JOIN W7 lang=xx\n"));
    let told = answer(&host, &row);
    assert!(told.contains("lang= is one of en, de."), "{told}");
}

#[test]
fn the_host_has_a_language_for_those_who_chose_none() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.cx.language = "de".to_owned();
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    host.seat_players(4);
    host.robot.start("W7", None, false).expect("starts");
    assert!(english(&host.last_mail(2)).is_empty(), "{}", host.last_mail(2).text);
    let stranger = "stranger@else.example";
    host.receive(mail(stranger, ROBOT, "HELP\n"));
    let told = host.mails_to_address(stranger).remove(0);
    assert!(english(&told).is_empty(), "{}", told.text);
    say(&mut host, 2, "LANG en\n");
    host.run_turn();
    assert!(english(&host.last_mail(2)).len() > 5 && english(&host.last_mail(3)).is_empty());
}
