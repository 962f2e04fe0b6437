//! No word is taken for an order: letters of people, answers of machines, commands among words.

use engine::Seat;
use registry::ENGINES;
use robot::limits::Limits;
use store::{MailKind, MailRow, Reason, Verdict};

use crate::talk::*;
use support::host::*;

/// Sentences of people who write about anything but the game. Wrapped at other columns, other
/// words begin a line, and many of those look like the letter of an order and a number.
const SENTENCES: [&str; 14] = [
    "Thanks for the quick answer, I will be at the station at 5 pm and can stay to 8 or so.",
    "It took me a 12 hour drive to 1 of the places that we had talked about in May.",
    "We need to export the tables once more, or 250 MHz will not be enough for a 3 km line.",
    "Please add a 4 to the second row and check a 7 against the list of last week.",
    "He said yes to all of it, so help is on its way, and the status is the same as before.",
    "In 2019 it was v 2 of the plan that failed, not w 3 as I wrote to 14 people by mistake.",
    "Do you know whether the games of Sunday are still on, or did they cancel all of them?",
    "My train leaves at 7 30 and arrives to 9 45, as a 2 or 3 minute change is in between.",
    "See you\nat 5 pm\nor 6 at the latest.",
    "The part in question is e 4 of the drawing, s 2 in the old one, and p 9 of the book.",
    "I can offer 100 for it, n 3 times what was asked, if that is ready\nby Monday.",
    "There is a 1 in 10 chance that b 1 comes loose, and c 1 1 is no help then.",
    "Turn 5 pages back, then m 1 3 steps to the left; join us there, or forget it.",
    "I had it all in place, but v 1 crashed, l 1 4 was gone, and g 2 3 with it.",
];

/// Letters of `n` sentences, wrapped.
fn letters() -> Vec<String> {
    let mut out = Vec::new();
    for (n, columns) in
        (0..SENTENCES.len()).zip([24, 30, 36, 44, 52, 60, 68, 72, 76].iter().cycle())
    {
        for count in [1, 2, 4] {
            let picked = SENTENCES.iter().cycle().skip(n).take(count);
            let text = picked.copied().collect::<Vec<_>>().join(" ");
            let lines = text.lines().flat_map(|l| textwrap::wrap(l, *columns));
            let text = lines.map(|l| l.into_owned() + "\n").collect::<String>();
            out.push(format!("Hello Max,\n\n{text}\nBest wishes\nAnna\n"));
            out.push(text);
        }
    }
    out
}

/// A host with a good card of seat 1 on file.
fn with_a_card(engine: &str, seats: u8) -> (Host, String) {
    let mut host = Host::with(&ENGINES, engine, seats, Limits::default());
    let card = match engine {
        "warlord" => "M 1 3\nM 2 3\nM 3 3\n",
        _ => "S1GR S1YU\n@AL BA5 BF5\n",
    };
    let row = host.receive(host.card(1, card));
    assert_eq!(row.reason, Reason::Filed, "{}", row.why);
    let filed = host.on_file(1);
    (host, filed)
}

/// Mails of a kind to a seat's player.
fn of_kind(host: &Host, kind: MailKind) -> usize {
    let sql = "SELECT count(*) FROM outbox WHERE recipient = $1 AND kind = $2";
    let found: i64 = host
        .robot
        .store
        .database()
        .one(sql, &[&player(1), &kind.to_string()], |r| r.get(0))
        .expect("a count");
    usize::try_from(found).expect("not negative")
}

#[test]
fn letters_of_people_replace_no_card_and_command_nothing() {
    for (engine, seats) in [("warlord", 4), ("battle-plan", 5)] {
        let (mut host, filed) = with_a_card(engine, seats);
        let mut wrong = Vec::new();
        for letter in letters() {
            let row = host.receive(host.card(1, &letter));
            let harmless = row.verdict != Some(Verdict::Accepted);
            if !harmless || host.on_file(1) != filed {
                wrong.push(format!("{} {letter}", row.reason));
            }
            let row = host.receive(mail(&player(1), ROBOT, &letter));
            if row.verdict == Some(Verdict::Pending) || row.verdict == Some(Verdict::Accepted) {
                wrong.push(format!("unproven {} {letter}", row.reason));
            }
        }
        assert!(wrong.is_empty(), "{engine}: {} letters: {}", wrong.len(), wrong.join("\n---\n"));
    }
}

#[test]
fn a_letter_with_a_valid_order_in_it_is_no_card_until_its_player_says_so() {
    let (mut host, filed) = with_a_card("warlord", 4);
    let letter = "I hope that you are well, and that the weather holds.\nWe went to the lake, and \
                  it was\nM 4 3\nof a very nice week. More about that when we meet in June.\n";
    let row = host.receive(host.card(1, letter));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Pending), Reason::Doubtful));
    assert_eq!(host.on_file(1), filed);
    let question = host.answers(&row).remove(0);
    assert!(question.text.contains("YES") && question.to == player(1), "{}", question.text);
    assert!(question.subject.contains("is this a card?"), "{}", question.subject);
    let row = yes(&mut host, &question);
    assert_eq!(row.reason, Reason::Filed, "{}", row.why);
    assert!(host.on_file(1).contains("M 4 3"));
}

#[test]
fn a_card_with_more_wrong_than_right_lines_asks_before_it_replaces_a_better_one() {
    let (mut host, filed) = with_a_card("warlord", 4);
    let worse = "M 5 3\nM 99 3\nM 98 3\n";
    let row = host.receive(host.card(1, worse));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Pending), Reason::Doubtful));
    let told = host.answers(&row).remove(0).text;
    assert!(told.contains("no unit 99 of yours"), "each line is judged: {told}");
    assert_eq!(host.on_file(1), filed);
    // As good as the one on file, or with nothing on file, it counts.
    let row = host.receive(host.card(1, "M 5 3\nM 6 3\nM 7 3\nM 96 3\nM 97 3\nM 98 3\nM 99 3\n"));
    assert_eq!(row.reason, Reason::Filed);
    assert_eq!(host.receive(host.card(2, "M 1 3\nM 98 3\nM 99 3\n")).reason, Reason::Filed);
}

#[test]
fn what_counts_for_a_card_and_what_against_it() {
    use Reason::{Doubtful, Filed};
    for (card, reason) in [
        // Wrong lines: those that begin like an order, and those that are not sentences.
        ("M 4 3\nM the army to the north please\nM the fleet to the far south\n", Doubtful),
        ("M 4 3\nQ 12\nQ 13\n", Doubtful),
        ("M 4 3\nQ 12\n", Filed),
        // Neither right nor wrong: a greeting, and lines marked as remarks.
        ("Hello Anna!\nM 4 3\n; well\n; and so on\nBest wishes,\nBen\n", Filed),
    ] {
        let (mut host, _) = with_a_card("warlord", 4);
        let row = say(&mut host, 1, card);
        assert_eq!(row.reason, reason, "{card}: {}", row.why);
    }
    // Lines of a letter count neither for a card nor against it; orders around it do.
    for (card, reason) in [
        ("S1GR S1YU\nPRESS 2\nX 1\nX 2\nX 3\nX 4\nEND\n@AL BA5\n", Filed),
        ("X 1\nX 2\nPRESS 2\nS1GR S1YU\n@AL BA5\nEND\n", Doubtful),
    ] {
        let (mut host, _) = with_a_card("battle-plan", 5);
        let row = say(&mut host, 1, card);
        assert_eq!(row.reason, reason, "{card}: {}", answer(&host, &row));
    }
}

#[test]
fn lines_that_are_carried_out_with_a_warning_are_right_ones() {
    let mut host = Host::new();
    let row = say(&mut host, 1, "M 1 3\nI 2 99\nI 3 99\nI 4 99\n");
    let echo = answer(&host, &row);
    assert!(echo.contains("1 ok, 3 ok with a note"), "{echo}");
    // Three right lines are better than two, but not better than four.
    let row = say(&mut host, 1, "M 3 3\nM 4 3\nM 5 3\nM 96 3\nM 97 3\nM 98 3\nM 99 3\n");
    assert_eq!(row.reason, Reason::Doubtful, "{echo}");
}

#[test]
fn a_card_with_no_right_line_adds_nothing_and_comes_back_line_by_line() {
    for (engine, seats, wrong, says) in [
        ("warlord", 4, "ADD\nM 99 3\n", "no unit 99"),
        ("battle-plan", 5, "@TU BA1\n", "| "),
        ("battle-plan", 5, "ADD\n@TU BA1\n", "| "),
    ] {
        let (mut host, filed) = with_a_card(engine, seats);
        let row = host.receive(host.card(1, wrong));
        assert_eq!((row.verdict, row.reason), (Some(Verdict::Rejected), Reason::UnreadableCard));
        let told = host.answers(&row).remove(0).text;
        assert!(told.contains(says) && told.contains("error"), "{engine}: {told}");
        assert_eq!(host.on_file(1), filed);
    }
}

#[test]
fn words_that_say_what_becomes_of_orders_do_so_with_more_words_behind_them() {
    for (text, reason, on_file) in [
        ("ADD these orders please\nM 4 3\n", Reason::Added, "M 1 3\nM 2 3\nM 3 3\nM 4 3\n"),
        ("Add: M 4 3\n", Reason::Added, "M 1 3\nM 2 3\nM 3 3\nM 4 3\n"),
        ("ADD M 4 3\nM 5 3\n", Reason::Added, "M 1 3\nM 2 3\nM 3 3\nM 4 3\nM 5 3\n"),
        (
            "ADD M 4 3\nI hope that you are well over there.\nThe weather of May is very fine here.\n",
            Reason::Added,
            "M 1 3\nM 2 3\nM 3 3\nM 4 3\n",
        ),
        ("CHECK this\nM 4 3\n", Reason::Checked, "M 1 3\nM 2 3\nM 3 3\n"),
        ("CHECK M 4 3\n", Reason::Checked, "M 1 3\nM 2 3\nM 3 3\n"),
        ("M 4 3\nCHECK\n", Reason::Checked, "M 1 3\nM 2 3\nM 3 3\n"),
        ("CANCEL these\nM 4 3\n", Reason::UnknownCommand, "M 1 3\nM 2 3\nM 3 3\n"),
        ("CANCEL\nM 4 3\n", Reason::UnknownCommand, "M 1 3\nM 2 3\nM 3 3\n"),
        ("M 4 3\nCANCEL\n", Reason::UnknownCommand, "M 1 3\nM 2 3\nM 3 3\n"),
        ("M 4 3\nADD\nM 5 3\n", Reason::UnknownCommand, "M 1 3\nM 2 3\nM 3 3\n"),
        ("Cancel my other plans, will you?\n", Reason::Question, "M 1 3\nM 2 3\nM 3 3\n"),
    ] {
        let (mut host, _) = with_a_card("warlord", 4);
        let row = host.receive(host.card(1, text));
        assert_eq!(row.reason, reason, "{text}: {}", row.why);
        assert_eq!(host.on_file(1), on_file, "{text}");
        assert_eq!(host.answers(&row).len(), 1, "{text}");
        let told = answer(&host, &row);
        for word in ["CANCEL", "ADD"].iter().filter(|_| reason == Reason::UnknownCommand) {
            assert_eq!(told.contains(word), text.contains(word), "{text}: {told}");
        }
    }
}

#[test]
fn commands_count_below_the_orders_and_in_a_letter_they_are_told() {
    let mut host = Host::new();
    set(&mut host, "early", "true");
    let ready = |host: &Host| seat(host, 1).ready == turn(host);
    for (text, not) in
        [("M 1 3\nREADY\n", "NOTREADY\n"), ("M 1 3\n\nThanks!\n\nready\nAnna\n", "NOT READY\n")]
    {
        say(&mut host, 1, not);
        assert!(!ready(&host));
        let row = say(&mut host, 1, text);
        assert_eq!(row.reason, Reason::Filed, "{text}");
        assert!(ready(&host), "{text}: {}", answer(&host, &row));
        assert!(host.on_file(1).starts_with("M 1 3\n") && !host.on_file(1).contains("eady"));
    }
    say(&mut host, 1, "notready\n");
    for (text, told) in [
        ("M 1 3\nREADY now\n", "the form is READY"),
        ("M 1 3\nRAEDY\n", "the form is READY"),
        ("M 1 3\nCONTACT\n", "the form is CONTACT relay"),
        ("M 1 3\nIt was a great battle that we had.\n\nready\n", "or in capitals beside orders"),
    ] {
        let row = say(&mut host, 1, text);
        assert_eq!(row.reason, Reason::Filed, "{text}");
        let echo = answer(&host, &row).replace("| ", "");
        assert!(echo.contains("error: not carried out") && echo.contains(told), "{text}: {echo}");
        assert!(!ready(&host) && host.on_file(1).starts_with("M 1 3\n"), "{text}");
    }
    let row = say(&mut host, 1, "It was a great battle that we had.\n\nREADY\n");
    assert_eq!(row.reason, Reason::Settings);
    let told = answer(&host, &row);
    assert!(told.contains("READY was not taken, for 1 line") && !ready(&host), "{told}");
    for word in ["CANCEL", "CHECK"] {
        say(&mut host, 1, "HELP\n");
        let row = say(&mut host, 1, &format!("It was a {word} battle that we had.\n\n{word}\n"));
        assert_eq!(row.reason, Reason::NoOrders, "{word}");
        assert!(answer(&host, &row).contains(&format!("3 {word}")));
    }
}

#[test]
fn words_above_the_orders_are_no_part_of_the_card() {
    for words in
        ["Anna", "Hello there", "hi Ben,", "these are my orders:", "as we said before", "Anna\nBen"]
    {
        let mut host = Host::new();
        let row = say(&mut host, 1, &format!("{words}\nM 1 3\n"));
        assert_eq!(row.reason, Reason::Filed, "{words}");
        assert_eq!(host.on_file(1), "M 1 3\n", "{words}");
    }
    let mut host = Host::new();
    say(&mut host, 1, "MX north\nM 1 3\n");
    assert_eq!(host.on_file(1), "MX north\nM 1 3\n", "what may have been an order is judged");
}

#[test]
fn a_word_is_taken_for_a_misspelt_command_if_it_is_near_enough() {
    for (text, reason) in [
        ("raedy now\n", Reason::UnknownCommand),
        ("RAEDY to go on\n", Reason::UnknownCommand),
        ("raedy to go on\n", Reason::NoOrders),
        ("vacatoin\n", Reason::UnknownCommand),
        ("vcaatoin\n", Reason::UnknownCommand),
        ("stauts\n", Reason::UnknownCommand),
        ("stetis\n", Reason::NoOrders),
        ("yse\n", Reason::NoOrders),
    ] {
        let mut host = Host::new();
        let row = say(&mut host, 1, text);
        assert_eq!(row.reason, reason, "{text}: {}", row.why);
    }
}

#[test]
fn orders_count_and_not_lines_where_a_poor_card_would_replace_a_better_one() {
    let (mut host, _) = with_a_card("battle-plan", 5);
    // Two orders in one line.
    let row = host.receive(host.card(1, "S1GR S1YU\n"));
    assert_eq!(row.reason, Reason::Filed, "{}", row.why);
    let filed = host.on_file(1);
    let row = host.receive(host.card(1, "S1GR\nXY1 XY2 XY3\n"));
    assert_eq!(
        (row.verdict, row.reason),
        (Some(Verdict::Pending), Reason::Doubtful),
        "{}",
        row.why
    );
    assert_eq!(host.on_file(1), filed);
}

#[test]
fn a_letter_to_another_player_within_a_card_holds_no_command() {
    let mut host = Host::with(&ENGINES, "battle-plan", 5, Limits::default());
    let row = host.receive(host.card(1, "@AL BA5\nPRESS 2\nStand by and be\nREADY\nCHECK\nEND\n"));
    assert_eq!(row.reason, Reason::Filed, "{}", row.why);
    assert_eq!(seat(&host, 1).ready, 0);
    assert!(host.on_file(1).contains("READY"));
}

/// What an answering machine writes back to a mail.
type Machine = fn(&Got, u32) -> String;

#[test]
fn an_unmarked_machine_that_answers_every_mail_hears_at_most_four_times() {
    let machines: [(&str, Machine); 9] = [
        ("plain", |_, _| "I am away and will answer when I am back.\n".to_owned()),
        ("dated", |_, _| "I am out of the office\nto 3 December 2026\nor 4.\n".to_owned()),
        ("counting", |_, n| format!("Thank you. Your request has the number {n}.\n")),
        ("clock", |_, n| format!("Your mail came at {}:{:02} and waits.\n", n / 60, n % 60)),
        ("quoting", |got, _| format!("Away.\n\n> at 5 pm\n{}", quoted(&got.text))),
        ("bare quoting", |got, _| format!("Away.\n\n{}", got.text)),
        ("orders", |_, _| "M 1 3\n".to_owned()),
        ("words of a card", |_, _| {
            "My desk is in\nM 1 3\nof the tower, ask for Anna.\n".to_owned()
        }),
        ("random", |got, n| {
            let key = base::secrets::sha256_hex(format!("{n}{}", got.message_id).as_bytes());
            let letters = key.bytes().map(|b| char::from(b'a' + b % 26)).collect::<String>();
            format!("Your ticket is {} for {}.\n", &letters[..9], &letters[9..16])
        }),
    ];
    let mut wrong = Vec::new();
    for (name, machine) in machines {
        // Some answer at once, some by the hour.
        for (answers, proven, pause) in
            (0..8).map(|n| (n & 1 == 0, n & 2 == 0, if n & 4 == 0 { 0 } else { 100 }))
        {
            let (mut host, filed) = with_a_card("warlord", 4);
            let before = host.mails_to_address(&player(1)).len();
            let mut last = host.mails_to_address(&player(1)).pop().expect("an echo");
            let mut rounds = 0;
            for n in 0..30 {
                host.pass(pause);
                let to = if proven { last.reply_to.clone() } else { ROBOT.to_owned() };
                let mut raw = mail(&player(1), &to, &machine(&last, n));
                raw = raw.replacen("Message-ID: <", &format!("Message-ID: <{n}."), 1);
                if answers {
                    let field = format!("In-Reply-To: <{}>\r\nSubject:", last.message_id);
                    raw = raw.replacen("Subject:", &field, 1);
                }
                raw = raw.replacen("Subject: orders", &format!("Subject: Re: {}", last.subject), 1);
                let row = host.receive(raw);
                let Some(next) = host.answers(&row).pop() else { break };
                last = next;
                rounds += 1;
            }
            let case = format!("{name}, answers {answers}, proven {proven}, after {pause} minutes");
            let heard = host.mails_to_address(&player(1)).len() - before;
            // A sender of the same card now and then, not in answer to a mail, is a person.
            let person = name == "orders" && !answers && pause > 0;
            // Words that are new each time may be a person's.
            let most = if name == "random" { 4 } else { 2 };
            if !person && (rounds == 30 || heard > most) {
                wrong.push(format!("{case}: {heard} mails"));
            }
            if name != "orders" && host.on_file(1) != filed {
                wrong.push(format!("{case}: {}", host.on_file(1)));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

fn quoted(text: &str) -> String {
    text.lines().map(|l| format!("> {l}\n")).collect()
}

#[test]
fn who_writes_without_an_order_hears_of_it_four_times_a_day_until_a_mail_is_right() {
    let mut host = Host::new();
    let asked = |host: &mut Host, text: &str| {
        let row = say(host, 1, &format!("{text}\n"));
        assert_eq!(row.reason, Reason::NoOrders, "{text}");
        host.answers(&row).pop().map(|answer| flat(&answer.text))
    };
    let last = "This is the last answer of this kind for a day, unless";
    assert!(asked(&mut host, "so that is how it works").is_some_and(|told| !told.contains(last)));
    for text in ["there are cities too", "and roads"] {
        assert!(asked(&mut host, text).is_some_and(|told| !told.contains(last)), "{text}");
    }
    assert!(asked(&mut host, "there are units too").is_some_and(|told| told.contains(last)));
    assert_eq!(asked(&mut host, "and here we are"), None);
    // The next day the count starts again.
    for place in ["there", "at home", "at sea", "below ground"] {
        host.pass(25 * 60);
        assert!(asked(&mut host, &format!("now I am {place}")).is_some(), "{place}");
    }
    for text in ["now I am behind", "now I am before"] {
        assert!(asked(&mut host, text).is_some_and(|told| !told.contains(last)), "{text}");
    }
    assert!(asked(&mut host, "now I am above").is_some_and(|told| told.contains(last)));
    assert_eq!(asked(&mut host, "now I am below"), None);
    // Unproven mails do not use up the player's answers.
    for text in ["who are you?\n", "what are you?\n", "and why?\n"] {
        host.receive(mail(&player(2), ROBOT, text));
    }
    host.pass(25 * 60);
    for text in ["how does that work?\n", "what are cities for at all?\n"] {
        let row = say(&mut host, 2, text);
        assert_eq!(host.answers(&row).len(), 1, "{text}");
    }
    // Nor do they give any back.
    for text in ["M 1 3\n", "who is it?\n", "who was it?\n", "who may it be?\n"] {
        host.receive(mail(&player(1), ROBOT, text));
    }
    for who in ["somebody", "anybody", "everybody", "one of many"] {
        assert!(asked(&mut host, &format!("now I am {who}")).is_some(), "{who}");
    }
    assert_eq!(asked(&mut host, "now I am nobody"), None);
    assert_eq!(say(&mut host, 1, "HELP\n").verdict, Some(Verdict::Accepted));
    for text in
        ["and you are the robot", "and that is a game", "and so it is", "nothing more than that"]
    {
        assert!(asked(&mut host, text).is_some(), "{text}");
    }
    assert_eq!(asked(&mut host, "and they are players"), None);
    // A card that came too late is a right one, too.
    let late = host.card(1, "M 1 3\n");
    host.run_turn();
    assert_eq!(host.receive(late).reason, Reason::PassedTurn);
    assert!(asked(&mut host, "and now what comes").is_some());
    assert_eq!(asked(&mut host, "and you are the robot\n"), None, "said before");
}

#[test]
fn who_sends_cards_without_a_right_line_hears_of_it_ten_times_until_one_is_right() {
    let mut host = Host::new();
    let wrong = |host: &mut Host, n: u32| {
        host.pass(60);
        let row = say(host, 1, &format!("M 77 {n}\n"));
        assert_eq!(row.reason, Reason::UnreadableCard);
        host.answers(&row).pop().map(|answer| flat(&answer.text))
    };
    for n in 1..=9 {
        assert!(wrong(&mut host, n).is_some_and(|told| !told.contains("the last answer")));
    }
    assert!(wrong(&mut host, 10).is_some_and(|told| told.contains("the last answer")));
    assert_eq!(wrong(&mut host, 11), None);
    let row = say(&mut host, 1, "M 77 12\nZONE Europe/Rome\n");
    assert_eq!(host.answers(&row).len(), 1, "what became of a command is told");
    assert_eq!(say(&mut host, 1, "M 1 3\n").reason, Reason::Filed);
    assert!(wrong(&mut host, 13).is_some());
}

#[test]
fn the_same_card_with_a_command_beside_it_is_answered_each_time() {
    for (text, answered) in [("M 1 3\n", [1, 1, 0]), ("M 1 3\nZONE Europe/Rome\n", [1, 1, 1])] {
        let mut host = Host::new();
        let heard = [0, 1, 2].map(|n| {
            host.pass(100);
            let last = host.mails_to_address(&player(1)).pop().expect("a mail");
            let field = format!("In-Reply-To: <{}>\r\nSubject:", last.message_id);
            let raw = host.card(1, text).replacen("Subject:", &field, 1);
            let row = host.receive(raw.replacen("Message-ID: <", &format!("Message-ID: <{n}."), 1));
            assert_eq!(row.reason, Reason::Filed);
            host.answers(&row).len()
        });
        assert_eq!(heard, answered, "{text}");
    }
}

#[test]
fn who_errs_within_minutes_of_our_answer_is_told_before_the_silence() {
    let mut host = Host::new();
    let at_once = "The next such one gets no answer today";
    let mut errs = |text: &str, minutes: i64| {
        host.pass(minutes);
        let last = host.mails_to_address(&player(1)).pop().expect("a mail");
        let field = format!("In-Reply-To: <{}>\r\nSubject:", last.message_id);
        let row = host.receive(host.card(1, text).replacen("Subject:", &field, 1));
        host.answers(&row).pop().map(|answer| flat(&answer.text))
    };
    assert!(errs("M 77 1\n", 60).is_some_and(|told| !told.contains(at_once)));
    // A person on a phone is quick too, and makes more than one mistake.
    for n in 2..9 {
        let told = errs(&format!("M 77 {n}\n"), 2);
        assert!(told.is_some_and(|told| !told.contains(at_once)), "{n}");
    }
    assert!(errs("M 77 9\n", 2).is_some_and(|told| told.contains(at_once)));
    assert_eq!(errs("M 77 10\n", 2), None);
    assert!(errs("M 1 3\n", 2).is_some_and(|told| told.contains("on file")), "a right one");
    // A sender of a right card is not a program: the count starts again.
    for n in 11..18 {
        assert!(errs(&format!("M 77 {n}\n"), 2).is_some_and(|told| !told.contains(at_once)), "{n}");
    }
    assert!(errs("M 77 18\n", 2).is_some_and(|told| told.contains(at_once)));
    assert_eq!(errs("M 77 19\n", 2), None);
}

#[test]
fn the_same_card_sent_again_in_a_new_turn_is_asked_about_again() {
    let mut host = Host::new();
    let unproven = |host: &mut Host, n: u32| -> MailRow {
        let raw = mail(&player(1), ROBOT, "M 1 3\n");
        host.receive(raw.replacen("Message-ID: <", &format!("Message-ID: <{n}."), 1))
    };
    let row = unproven(&mut host, 1);
    assert_eq!((row.verdict, host.answers(&row).len()), (Some(Verdict::Pending), 1));
    let row = unproven(&mut host, 2);
    assert_eq!((row.verdict, host.answers(&row).len()), (Some(Verdict::Ignored), 0));
    host.run_turn();
    let row = unproven(&mut host, 3);
    assert_eq!((row.verdict, host.answers(&row).len()), (Some(Verdict::Pending), 1));
    assert_eq!(host.robot.store.mails().pending_of("W7", Seat(1)).expect("a store").len(), 2);
    assert_eq!(of_kind(&host, MailKind::Confirm), 2);
}

#[test]
fn words_of_others_below_the_marker_make_no_report_of_a_card() {
    let mut host = Host::new();
    let others = ["Mail Delivery Failed", "was undeliverable", "Action: failed\nStatus: 5.1.1"];
    for (n, words) in (3..).zip(others) {
        // A mail program that puts no sign before what it quotes.
        let lines = format!("M 1 {n}\n\n{}\n\nThe Gazette\n{words}\n", mail::marker::MARKER);
        let row = host.receive(host.card(1, &lines));
        assert_eq!(row.reason.as_str(), "filed", "{words}: {}", row.why);
    }
}
