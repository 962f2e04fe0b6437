//! Every line of a mail is accounted for: it is an order or a command, or reported as a wrong one,
//! or reported as not read with the reason, or it stands below an original.

use engine::Seat;
use store::{Reason, Verdict};
use support::chance::Chance;
use support::host::Host;

use crate::talk::flat;
use crate::words::host;

/// The games, with orders that their first printouts allow and lines that were meant as orders.
const GAMES: [(&str, u8, &[&str], &[&str]); 5] = [
    (
        "warlord",
        4,
        &["M 1 2", "A 2 2", "C 1 1", "E 5"],
        &["tanks to Fenoham", "advance 3 to Nowhere"],
    ),
    ("battle-plan", 4, &["@BA", "BA5", "AC5PD"], &["armies to Poland", "conquer Atlantis with 4"]),
    ("classic-warlord", 2, &["S 319 318", "S 126"], &["start in the Alps of nowhere"]),
    ("empire-deluxe", 2, &["P 1 AR", "PD AR"], &["army army fighter", "build a castle in 1"]),
    ("imperium", 2, &["B DD 2", "A 4"], &["build 2 castles", "move fleet 2 to Atlantis"]),
];

/// Lines that people write beside orders.
const TALK: [&str; 27] = [
    "Hello robot,",
    "Hi robot",
    "hi all",
    "Hi",
    "Dear all,",
    "I had a long day at work",
    "Here are my orders:",
    "This was hard to decide, I must say.",
    "is that allowed?",
    "what happens to me now?",
    "Thanks,",
    "Anna",
    "Best wishes from rainy London,",
    "; a remark",
    "# another remark",
    "---",
    "* * *",
    "~~A 1 1~~",
    "x\u{336}y\u{336}z\u{336}",
    "| A 1 1 |",
    "Yes.",
    "yes",
    "GAMES",
    "PRACTICE",
    "WHO",
    "Confidentiality: Internal",
    "\u{2705}",
];

/// Lines that end what is read, in a mail without an original.
const ENDS: [&str; 8] = [
    "",
    "____________________",
    "Sent from my tank brigade HQ:",
    "Please consider the environment before printing",
    "This message is intended for my second army",
    "Disclaimer: I know this is risky",
    "Virus-free. second army",
    "-- ",
];

/// Signs before an order, and after it.
const SIGNS: [(&str, &str); 12] = [
    ("", ""),
    ("", ""),
    ("- ", ""),
    ("* ", ""),
    ("\u{2022} ", ""),
    ("\u{f0b7}\t", ""),
    ("1. ", ""),
    ("a) ", ""),
    ("\u{2705} ", ""),
    ("**", "**"),
    ("", " \u{1f680}"),
    ("", " (as we said)"),
];

/// Only the letters and digits of a text, because the columns of an echo break it.
fn squeezed(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

/// The lines of a mail that no answer mentions, each with its order; commands have their own
/// answers.
fn untold(host: &mut Host, lines: &[(String, String)]) -> Vec<String> {
    let whole: String = lines.iter().map(|(line, _)| format!("{line}\n")).collect();
    let row = host.receive(host.card(1, &whole));
    let answers: String = host.answers(&row).iter().map(|m| squeezed(&m.text)).collect();
    assert!(!answers.is_empty(), "{}: no answer to {lines:?}", row.why);
    let command = |line: &str| {
        let word = line.trim_end_matches('.').to_uppercase();
        robot::commands::ROWS.iter().any(|r| r.word == word)
    };
    let told = |(line, order): &&(String, String)| {
        let words: String = squeezed(line).chars().take(60).collect();
        command(line)
            || words.is_empty()
            || answers.contains(&words)
            || !order.is_empty() && answers.contains(&squeezed(order))
    };
    lines.iter().filter(|l| !told(l)).map(|(line, _)| line.clone()).collect()
}

#[test]
fn in_every_game_no_line_of_a_mail_vanishes() {
    for (engine, seats, orders, tried) in GAMES {
        let mut host = host(engine, seats, &[]);
        let mut chance = Chance(47);
        for round in 0..60 {
            let mut lines: Vec<(String, String)> = Vec::new();
            let talk = |line: &&str| ((*line).to_owned(), String::new());
            for _ in 0..2 + chance.below(7) {
                match chance.below(8) {
                    0 => lines.push(talk(chance.of(tried))),
                    1 | 2 => lines.push(talk(chance.of(&TALK))),
                    3 => lines.push(talk(chance.of(&ENDS))),
                    _ => {
                        let (before, behind) = chance.of(&SIGNS);
                        let order = *chance.of(orders);
                        lines.push((format!("{before}{order}{behind}"), order.to_owned()));
                    }
                }
            }
            // Words of no other mail, so that the mail is not taken for a machine's.
            lines.push(talk(&format!("and that is all of mail {round}, or so I hope").as_str()));
            let lost = untold(&mut host, &lines);
            assert!(
                lost.is_empty(),
                "{engine}: {lost:?} of {lines:#?}\n{}",
                host.last_mail(1).text
            );
            host.pass(30);
        }
    }
}

#[test]
fn orders_below_a_bar_or_a_footer_are_read_where_nothing_is_quoted() {
    for end in ENDS.iter().filter(|e| **e != "-- ") {
        let mut host = Host::new();
        let row = host.receive(host.card(1, &format!("M 1 3\n\n{end}\n\nM 2 3\nC 1 1\n")));
        assert_eq!(row.reason, Reason::Filed, "{end}");
        assert_eq!(host.on_file(1), "M 1 3\nM 2 3\nC 1 1\n", "{end}");
        assert!(squeezed(&host.last_mail(1).text).contains(&squeezed(end)), "{end}");
    }
    // Lines below a signature are reported, but not read.
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n-- \nAnna\nM 2 3\n"));
    assert_eq!(host.on_file(1), "M 1 3\n");
    let echo = host.last_mail(1).text;
    assert!(echo.contains("M 2 3") && echo.contains("below your signature"), "{echo}");
    // Below an original old and new lines cannot be told apart.
    let mut host = Host::new();
    let quoted =
        "M 1 3\n____________________\nM 2 3\n\nOn 21.11.26 at 1:36 Robot wrote:\n> C 1 1\n";
    host.receive(host.card(1, quoted));
    assert_eq!(host.on_file(1), "M 1 3\n");
    assert!(host.last_mail(1).text.contains("M 2 3"), "{}", host.last_mail(1).text);
}

#[test]
fn a_command_beside_orders_answers_for_itself_and_leaves_the_orders() {
    for command in ["Yes.", "yes", "YES", "GAMES", "PRACTICE", "STATUS", "WHAT", "HELP A", "WHO"] {
        for card in [format!("M 1 3\nC 1 1\n{command}\n"), format!("{command}\nM 1 3\nC 1 1\n")] {
            let mut host = Host::new();
            let row = host.receive(host.card(1, &card));
            assert_eq!(
                (row.verdict, row.reason),
                (Some(Verdict::Accepted), Reason::Filed),
                "{card}"
            );
            assert_eq!(host.on_file(1), "M 1 3\nC 1 1\n", "{card}");
        }
    }
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\nHELP A\nLOOK 1\nis my city safe?\n"));
    let echo = flat(&host.last_mail(1).text);
    assert!(echo.contains("HELP A") && echo.contains("LOOK 1"), "{echo}");
    assert!(echo.contains("a question, no order"), "{echo}");
    // The forecast has the answer, because it changes with the card.
    assert!(echo.contains("You asked: is my city safe?"), "{echo}");
    assert!(!echo.contains("What you may do now"), "{echo}");
}

#[test]
fn a_word_that_greets_nobody_is_called_no_greeting() {
    let mut host = Host::new();
    host.receive(host.card(1, "Hi robot\n\nHurrah\nM 1 3\n"));
    let echo = flat(&host.last_mail(1).text);
    assert!(echo.contains("Hi robot a greeting"), "{echo}");
    assert!(echo.contains("Hurrah words, no order"), "{echo}");
    assert_eq!(host.on_file(1), "M 1 3\n");
    for (engine, seats, orders, _) in GAMES {
        let mut host = self::host(engine, seats, &[]);
        for greeting in ["Hi", "Hi there", "Hey robot"] {
            host.receive(host.card(1, &format!("{greeting}\n\n{}\n", orders[0])));
            let echo = flat(&host.last_mail(1).text);
            assert!(echo.contains(&format!("{greeting} a greeting")), "{engine}: {echo}");
            host.pass(20);
        }
    }
}

#[test]
fn several_questions_of_a_mail_have_one_answer() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "HELP A\nLOOK 1\nHELP C\nRULES 2\nRESEND\n"));
    let answers = host.answers(&row);
    assert_eq!(answers.len(), 1);
    let text = flat(&answers[0].text);
    for part in ["HELP A", "LOOK 1", "HELP C", "RESEND was left out"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_line_that_speaks_of_the_game_is_never_taken_for_a_greeting() {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24")]);
    let row = host.receive(host.card(1, "army army fighter\nCLOSE\n"));
    let echo = host.last_mail(1).text;
    assert!(echo.contains("army army fighter"), "{echo}");
    assert_eq!(host.robot.game("W7").expect("the game").turn, 1, "{}: {echo}", row.why);
    // A greeting, a farewell and a signature do not delay READY.
    let row = host.receive(
        host.card(1, "Hello,\nP 1 AR\nCLOSE\nBest wishes from rainy London,\nAnna Lind\n"),
    );
    assert_eq!(row.reason, Reason::Filed);
    assert!(flat(&host.last_mail(1).text).contains("you are done"), "{}", host.last_mail(1).text);
}

#[test]
fn a_letter_without_an_order_gets_one_short_answer_with_its_own_words() {
    let mut host = host("warlord", 4, &[]);
    host.receive(host.card(1, "M 1 2\n"));
    let letter = "A new week begins, and I have not decided anything about all this yet.\n\
                  I wonder whether we should ask the others first, before anybody moves,\n\
                  because the last time did not end well for either of us, as you know.\n\
                  Anna\n";
    let row = host.receive(host.card(1, letter));
    assert_eq!(row.reason, Reason::NoOrders, "{}", row.why);
    let answer = host.last_mail(1).text;
    assert!(!answer.contains("broken one line"), "{answer}");
    assert!(answer.contains("I wonder whether"), "{answer}");
    assert!(answer.lines().count() < 40, "{answer}");
    assert_eq!(host.on_file(1), "M 1 2\n");
}

#[test]
fn a_letter_that_names_fewer_orders_than_stand_on_file_asks_first() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\nM 2 3\nC 1 1\n"));
    for letter in [
        "This was my order of last turn.\nM 1 2\n",
        "Please do not do this again:\nI said so before\nM 1 2\nM 2 2\n",
    ] {
        let row = host.receive(host.card(1, letter));
        assert_eq!(row.reason, Reason::Doubtful, "{letter}");
        assert_eq!(host.on_file(1), "M 1 3\nM 2 3\nC 1 1\n");
    }
    for card in ["Hello robot,\nM 1 2\n", "tanks to Nowhere\nis that allowed?\nM 1 2\n"] {
        let mut host = Host::new();
        host.receive(host.card(1, "M 1 3\n"));
        let row = host.receive(host.card(1, card));
        assert_eq!(row.reason, Reason::Filed, "a card with a greeting, with a wrong line: {card}");
    }
}

#[test]
fn an_echo_shows_what_was_written_where_an_order_has_not_all_of_it() {
    let mut host = Host::new();
    host.receive(host.card(1, "- M 1 3 (to the pass)\n- C 1 1\n"));
    assert_eq!(host.on_file(1), "M 1 3\nC 1 1\n");
    let echo = flat(&host.last_mail(1).text);
    assert_eq!(echo.matches("you wrote:").count(), 1, "{echo}");
    assert!(echo.contains("you wrote: - M 1 3 (to"), "{echo}");
}

#[test]
fn an_echo_of_which_nothing_was_filed_shows_what_stands_on_file() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\nC 1 1\n"));
    host.receive(host.card(1, "A 99 12345\n"));
    let echo = host.last_mail(1).text;
    let at = echo.find("On file, unchanged").expect("its own part");
    assert!(echo[at..].contains("M 1 3") && echo[at..].contains("C 1 1"), "{echo}");
}

#[test]
fn the_same_order_twice_is_a_remark() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\nm 1  3\nC 1 1\n"));
    let mail = host.last_mail(1);
    assert!(mail.text.contains("remark: the same as line 1, which stands"), "{}", mail.text);
    assert!(!mail.subject.contains("not carried out"), "{}", mail.subject);
}

#[test]
fn orders_in_a_mail_that_is_marked_as_bulk_are_told_in_the_next_printout() {
    for mark in [
        "Precedence: bulk",
        "List-Unsubscribe: <mailto:x@players.example>",
        "Content-Type: text/calendar; method=REQUEST",
    ] {
        let mut host = Host::new();
        let raw = host.card(1, "M 1 3\nC 1 1\n");
        let raw = match mark.starts_with("Content-Type") {
            false => raw.replacen("Subject:", &format!("{mark}\r\nSubject:"), 1),
            true => {
                let (head, body) = raw.split_once("\r\n\r\n").expect("a mail");
                let head = head.replace(
                    "Content-Type: text/plain; charset=utf-8",
                    "Content-Type: multipart/mixed; boundary=b",
                );
                format!(
                    "{head}\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n{body}\r\n--b\r\n{mark}\r\n\r\n\
                     BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n--b--\r\n"
                )
            }
        };
        let row = host.receive(raw);
        assert_eq!(row.verdict, Some(Verdict::Ignored), "{mark}");
        assert!(row.why.contains("orders that were not read"), "{mark}: {}", row.why);
        assert_eq!((row.game.as_deref(), row.seat), (Some("W7"), Some(1)));
        host.pass_deadline();
        let printout = flat(&host.last_mail(1).text);
        assert!(printout.contains("A mail of yours with orders"), "{mark}: {printout}");
    }
}

#[test]
fn who_answers_each_echo_with_the_same_orders_and_new_talk_is_a_program() {
    let mut host = Host::new();
    let mut answered = 0;
    for word in ["ash", "elm", "fir", "oak", "yew", "bay", "box", "fig"] {
        let talk = format!("Confirmed, with regards to the {word} and whoever looks after it\n");
        let echo = host.last_mail(1).raw;
        let id = echo.lines().find_map(|l| l.strip_prefix("Message-ID: ")).unwrap_or_default();
        let raw = host.card(1, &format!("M 1 3\n{talk}"));
        let raw = raw.replacen("Subject:", &format!("In-Reply-To: {id}\r\nSubject:"), 1);
        let row = host.receive(raw);
        assert_eq!(row.reason, Reason::Filed);
        answered += host.answers(&row).len();
        host.pass(1);
    }
    assert!((1..=3).contains(&answered), "{answered} of 8 had an echo");
}

#[test]
fn a_question_above_the_orders_holds_nothing() {
    let mut host = host("empire-deluxe", 2, &[("size", "30x24")]);
    let row = host.receive(host.card(1, "Hello, how are you?\nP 1 AR\nCLOSE\n"));
    assert_eq!(row.reason, Reason::Filed);
    let echo = flat(&host.last_mail(1).text);
    assert!(echo.contains("you are done") && echo.contains("a question, no order"), "{echo}");
    assert_eq!(host.on_file(1), "P 1 AR\nCLOSE\n");
}

#[test]
fn a_card_whose_end_was_not_read_is_refused() {
    let mut host = Host::new();
    let card = "# so it is said\nM 1 3\n".repeat(230);
    let row = host.receive(host.card(1, &card));
    assert_eq!(row.reason, Reason::TooManyLines, "{}", row.why);
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_command_that_has_a_mail_of_its_own_is_said_to_be_left_out_whatever_becomes_of_the_rest() {
    let mut host = Host::new();
    let row = host.receive(host.card(1, "RESEND 1\nCARD\n"));
    let text = flat(&host.answers(&row)[0].text);
    assert!(text.contains("RESEND was left out") && text.contains("CARD was left out"), "{text}");
    let row = host.receive(host.card(1, "TURN 90\nCARD\nM 1 3\n"));
    let text = flat(&host.answers(&row)[0].text);
    assert!(text.contains("CARD was left out") && text.contains("not applied"), "{text}");
}

#[test]
fn an_answer_without_an_echo_tells_lines_that_may_have_been_orders() {
    let mut host = host("warlord", 4, &[]);
    for (mail, line) in [
        ("LOOK 1\ntanks to Nowhere\n", "tanks to Nowhere"),
        ("WHAT\ntanks to Nowhere\n", "tanks to Nowhere"),
        ("GAMES\ntanks to Nowhere\n", "tanks to Nowhere"),
        ("READY\n-- \nM 3 1\n", "M 3 1"),
        ("How far may a unit go?\ntanks to Nowhere\n", "tanks to Nowhere"),
    ] {
        let row = host.receive(host.card(1, mail));
        let text = flat(&host.answers(&row)[0].text);
        assert!(text.contains(line), "{mail}: {text}");
    }
}

#[test]
fn nothing_below_a_footer_goes_into_an_open_letter() {
    let mut host = host("imperium", 2, &[]);
    let card = "PRESS 2\nwe meet at dawn\nSent from my phone\nY K 1\n";
    host.receive(host.card(1, card));
    assert_eq!(host.on_file(1), "PRESS 2\nwe meet at dawn\n");
}

/// An order in the forms in which people and programs write it.
fn dresses(order: &str) -> Vec<String> {
    let before = [
        "- ",
        "* ",
        "+ ",
        "\u{2022} ",
        "\u{2022}\t",
        "\u{25e6} ",
        "\u{25aa} ",
        "\u{2013} ",
        "\u{2014} ",
        "\u{f0b7}   ",
        "\u{b7} ",
        "\u{b7}   ",
        "o   ",
        "- [ ] ",
        "- [x] ",
        "[x] ",
        "\u{2705} ",
        "\u{2714}\u{fe0f} ",
        "\u{2713} ",
        "\u{1f449} ",
        "1\u{fe0f}\u{20e3} ",
        "\u{2460} ",
        "1. ",
        "12. ",
        "(1) ",
        "1) ",
        "1.) ",
        "1: ",
        "1/ ",
        "a) ",
        "(b) ",
        "ii) ",
        "Order 1: ",
        "Befehl 1: ",
        "Move 2: ",
        "#1 ",
        "#1: ",
        "-> ",
        "=> ",
        "\u{2192} ",
        "- **1.** ",
        "\u{200f}",
        "\u{2068}",
    ];
    let around = ["**", "*", "__", "_", "`", "\"", "'", "=="];
    let behind = [
        " \u{1f680}",
        " \u{2705}\u{fe0f}",
        " (as agreed)",
        " (see the map)",
        " // at last",
        " - well done",
        " ; at last",
        " # at last",
        "\u{2069}",
        "\\",
    ];
    let before = before.iter().map(|sign| format!("{sign}{order}"));
    let around = around.iter().map(|sign| format!("{sign}{order}{sign}"));
    let behind = behind.iter().map(|sign| format!("{order}{sign}"));
    before.chain(around).chain(behind).chain([format!("({order})"), format!("[{order}]")]).collect()
}

#[test]
fn in_every_game_an_order_is_read_in_any_dress() {
    for (engine, seats, order) in [
        ("warlord", 4, "M 1 2"),
        ("battle-plan", 4, "BA5"),
        ("classic-warlord", 2, "S 319 318"),
        ("empire-deluxe", 2, "P 1 AR"),
        ("imperium", 2, "Y K 1"),
    ] {
        let mut host = host(engine, seats, &[]);
        let mut lost = Vec::new();
        for (n, dress) in dresses(order).into_iter().enumerate() {
            // The text differs each time, as the same mail has no second effect.
            host.receive(host.card(1, &format!("CANCEL{}", "\n".repeat(n + 1))));
            assert_eq!(host.on_file(1), "", "{engine} before {dress:?}");
            host.pass(20);
            host.receive(host.card(1, &format!("{dress}\n")));
            let filed = host.on_file(1);
            // Engines read remarks and line numbers themselves, so the filed line keeps them.
            let filed = filed.split([';', '#']).next().unwrap_or_default();
            let filed =
                filed.trim_start_matches(|c: char| c.is_ascii_digit() || ". ".contains(c)).trim();
            if filed != order {
                lost.push(format!("{dress:?} is {filed:?}"));
            }
            host.pass(20);
        }
        assert!(lost.is_empty(), "{engine}: {lost:#?}");
    }
}

#[test]
fn a_card_that_is_played_at_once_is_said_to_be_before_it_is_sent() {
    const SAID: &str = "A card without errors is played as soon as it is here";
    for (engine, at_once) in [("classic-warlord", true), ("empire-deluxe", false)] {
        let host = host(engine, 2, &[]);
        for seat in [1, 2] {
            let game = crate::silence::game(&host);
            let printout = flat(&host.last_mail(seat).text);
            // Beside the deadline for awaited players, and in the welcome.
            let want = usize::from(at_once) + usize::from(at_once && game.step.awaits(Seat(seat)));
            assert_eq!(printout.matches(SAID).count(), want, "{engine} {seat}: {printout}");
            let better = printout.contains("Send a better card as often as you like");
            assert_eq!(better, !at_once, "{engine} {seat}: {printout}");
        }
    }
    let mut host = host("classic-warlord", 2, &[]);
    host.receive(host.card(1, "S 126\nS 999\n"));
    let echo = flat(&host.last_mail(1).text);
    assert!(echo.contains("With an error this card waits until the deadline"), "{echo}");
}
