//! Arbitrary mails: nothing crashes, nothing grows out of bounds, and each limit holds exactly.
//!
//! `FIELDPOST_FUZZ_SECONDS` says how long each target goes on; without it each has 256 cases. The
//! cases follow from `FIELDPOST_FUZZ_SEED`, so that a change is not blamed for older faults;
//! `tests/fuzz` draws a new seed each time. A case that fails belongs into
//! `mailbox-fixtures/malformed`, made small.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::str::FromStr;
use std::sync::LazyLock;

use base::clock::{Clock, SystemClock};
use engine::{BySeat, CardText, Dice, Engine, Input, Mark, Match, Seat, effort};
use mail::auth::{Authenticity, Trusted, from_header};
use mail::body::{LineClass, Lines, plain_lines};
use mail::html::html_lines;
use mail::marker::{CARD_BEGIN, CARD_END, MARKER, is_marker};
use mail::mime::{self, Unreadable};
use mail::normal::normalise;
use mail::{dsn, hygiene};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestRng, TestRunner};
use registry::ENGINES;
use robot::card::Request;
use robot::card::signs::Game;
use robot::commands::ROWS;
use robot::limits::Limits;
use store::Reason;

use support::host::*;

/// Bytes of text that are read.
const TEXT_MAX: usize = 200_000;

/// The server whose results are believed.
const MX: Trusted = Trusted { authserv_id: "mx.host.example", strips: true };

/// Cases between two looks at the clock.
const CASES: u32 = 256;

/// Runs a target on the values of a strategy.
fn fuzz<S: Strategy>(strategy: S, target: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    fuzz_some(CASES, strategy, target);
}

/// Runs a target that takes longer, with `cases` cases between two looks at the clock.
fn fuzz_some<S: Strategy>(
    cases: u32,
    strategy: S,
    target: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let seconds: f64 = asked("FIELDPOST_FUZZ_SECONDS").unwrap_or(0.0);
    let seed: u128 = asked("FIELDPOST_FUZZ_SEED").unwrap_or(1);
    let began = SystemClock.now();
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    for round in 0u128.. {
        let seed = [seed.to_le_bytes(), round.to_le_bytes()].concat();
        let dice = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let done = TestRunner::new_with_rng(config.clone(), dice).run(&strategy, &target);
        done.unwrap_or_else(|e| panic!("{e}"));
        if SystemClock.now().duration_since(began).as_secs_f64() >= seconds {
            return;
        }
    }
}

/// What a variable of the environment asks for.
fn asked<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::vars().find(|(n, _)| n == name)?.1;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

/// The mails of the fixtures, in the order of their names.
static FIXTURES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let root = support::root().join("mailbox-fixtures");
    let mut paths = Vec::new();
    for folder in ["automatic", "clients", "malformed", "hostile"] {
        let entries = fs::read_dir(root.join(folder)).expect("a folder");
        paths.extend(entries.map(|e| e.expect("an entry").path()));
    }
    paths.retain(|p| p.extension().is_some_and(|e| e == "eml"));
    paths.sort();
    let read = |p| fs::read(p).expect("a mail");
    let mails: Vec<Vec<u8>> = paths.iter().map(read).filter(|m| m.len() < 60_000).collect();
    assert!(mails.len() > 50, "{} fixtures", mails.len());
    mails
});

/// A mail of the fixtures with bytes changed, put in, left out, or taken from another.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edit = (0u8..4, any::<Index>(), any::<u8>(), 1usize..80);
    let edits = prop::collection::vec(edit, 0..24);
    (any::<Index>(), any::<Index>(), edits).prop_map(|(first, second, edits)| {
        let (mut mail, other) = (first.get(&FIXTURES).clone(), second.get(&FIXTURES));
        for (kind, at, byte, length) in edits {
            let at = at.index(mail.len() + 1);
            let end = (at + length).min(mail.len());
            match kind {
                0 if at < mail.len() => mail[at] = byte,
                1 => mail.insert(at, byte),
                2 => drop(mail.drain(at..end)),
                _ => {
                    let from = at.min(other.len());
                    let piece = other[from..(from + length).min(other.len())].to_vec();
                    drop(mail.splice(at..at, piece));
                }
            }
        }
        mail
    })
}

/// Pieces of which mails are made, in any order.
fn pieces() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => select(vec![
            "From: p1@players.example\r\n", "To: <robot@fieldpost.example>\r\n", "\r\n", "\n", "\r",
            "Subject: =?utf-8?B?", "?=", "Content-Type: text/plain; charset=utf-7\r\n",
            "Content-Type: multipart/mixed; boundary=b\r\n", "--b\r\n", "--b--\r\n", "\0",
            "Content-Type: multipart/report; report-type=delivery-status; boundary=b\r\n",
            "Content-Type: message/delivery-status\r\n\r\n", "Action: failed\r\n", "Status: 5.",
            "Content-Type: message/rfc822\r\n\r\n", "Content-Transfer-Encoding: base64\r\n\r\n",
            "Content-Type: text/html\r\n\r\n<div>", "Message-ID: <", "=3D=\r\n", ">> ", "-- \r\n",
            "Content-Type: application/pkcs7-mime\r\n", "Content-Disposition: attachment\r\n",
        ]).prop_map(|p| p.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..40),
        1 => "\\PC{0,30}".prop_map(String::into_bytes),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|p| p.concat())
}

fn any_mail() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        4 => mutated(),
        3 => pieces(),
        1 => prop::collection::vec(any::<u8>(), 0..4000),
    ]
}

/// Reads a mail as the robot does; nothing of it may be larger than the text limit.
fn read_through(bytes: &[u8]) {
    let Ok(mail) = mime::parse(bytes) else { return };
    let _ = hygiene::automatic(&mail, ROBOT);
    if let Some(report) = dsn::read(&mail) {
        assert!(report.status.len() <= 12, "{}", report.status);
    }
    assert!(mail.recipients.len() <= 50 && mail.addressees.len() <= 50);
    assert!(mail.left_out.len() <= 200);
    for lines in std::iter::once(&mail.lines).chain(&mail.attached) {
        assert!(lines.0.len() <= TEXT_MAX + 1, "{} lines", lines.0.len());
        check_fates(lines);
        let text = lines.new_text("W7 T2 S1");
        let all: Vec<String> = text.above.into_iter().chain(text.in_card).collect();
        check_request(&all);
    }
}

/// Each line has its class, and none below the marker is new.
fn check_fates(lines: &Lines) {
    let classes = lines.classify("W7 T2 S1");
    assert_eq!(classes.len(), lines.0.len());
    let marker = (0..lines.0.len()).find(|i| is_marker(&lines.0, *i)).unwrap_or(classes.len());
    assert!(classes[marker..].iter().all(|f| *f != LineClass::New), "{lines:?} {classes:?}");
}

/// Lines of a card are lines of the mail, in order, and none is a line of the robot; each line of
/// the mail is one of them, a part of the heading, a command, or an aside.
fn check_request(lines: &[String]) {
    let request = Request::read(lines, usize::MAX, ROWS, &Game::of(&starts_order));
    let numbers: Vec<u32> = request.card.lines.iter().map(|l| l.0).collect();
    assert!(numbers.windows(2).all(|w| w[0] < w[1]), "{numbers:?}");
    for (number, text) in &request.card.lines {
        // The line without the signs around an order and without remarks.
        let mut written = lines[*number as usize - 1].chars();
        let mut letters = text.chars().filter(|c| !c.is_whitespace());
        assert!(letters.all(|c| written.any(|w| w == c)), "{text:?} of {written:?}");
        assert!(!text.trim().is_empty() && !text.trim().starts_with('|'), "{text}");
    }
    assert!(request.commands.len() + request.card.lines.len() <= lines.len());
    if request.wrong.is_some() || request.commands.iter().any(|c| c.word() == "GM") {
        return;
    }
    let mut told: BTreeSet<u32> = numbers.into_iter().collect();
    told.extend(request.asides.iter().map(|a| a.line));
    told.extend(request.misplaced.iter().map(|m| m.line));
    let word = |line: &str| -> String {
        let first = line.split(|c: char| !c.is_alphanumeric()).find(|w| !w.is_empty());
        first.unwrap_or_default().to_uppercase()
    };
    let heading = ["GAME", "SEAT", "TURN", "PASSWORD"];
    for (number, line) in (1u32..).zip(lines).filter(|(_, l)| !l.trim().is_empty()) {
        let first = word(line);
        let command = || ROWS.iter().any(|r| strsim::osa_distance(r.word, &first) <= 2);
        let spoken = || heading.contains(&first.as_str()) || command();
        assert!(told.contains(&number) || spoken(), "line {number}, {line:?}, of {lines:?}");
    }
}

/// Lines that stop reading, lines that do not, and orders.
fn any_line() -> impl Strategy<Value = (usize, String)> {
    let known = select(vec![
        MARKER.to_owned(),
        format!("| {MARKER}"),
        format!("| ---- {CARD_BEGIN} W7 T2 S1 ----"),
        format!("| ---- {CARD_END} ----"),
        "On Sat, Nov 21, 2026 at 01:36, Robot <robot@fieldpost.example> wrote:".to_owned(),
        "-----Original Message-----".to_owned(),
        "________________________________".to_owned(),
        "From: Robot".to_owned(),
        "Sent: Saturday".to_owned(),
        "[EXTERNAL] do not click links".to_owned(),
        "Sent from my iPhone".to_owned(),
        "-- ".to_owned(),
        "GAME W7 SEAT 1 TURN 2 PASSWORD x".to_owned(),
        "ADD".to_owned(),
        "PRESS ALL".to_owned(),
        "M 1 3".to_owned(),
        String::new(),
    ]);
    let free = prop_oneof!["\\PC{0,60}", "[A-Z]{1,9}( [0-9a-zA-Z=@.-]{0,9}){0,4}"];
    (0usize..3, prop_oneof![3 => known, 1 => free])
}

/// Letters, controls, blanks and wide signs.
fn any_text() -> impl Strategy<Value = String> {
    let special = "[\\x00-\\x20\u{a0}\u{2000}-\u{2060}\u{ff00}-\u{ff60}]{1,3}";
    prop::collection::vec(prop_oneof!["\\PC{1,3}", special], 0..30).prop_map(|p| p.concat())
}

/// Tags, broken and whole, as no program writes them.
fn tag_soup() -> impl Strategy<Value = String> {
    let tag = prop_oneof![
        5 => select(vec![
            "<div>", "</div>", "<p>", "<br/>", "<blockquote>", "</blockquote>", "<table>", "<tr>",
            "<td colspan=99>", "</table>", "<ul><li>", "<pre>", "</pre>", "<style>", "</style>",
            "<script>", "<!--", "-->", "<![CDATA[", "]]>", "<div class=gmail_quote>", "&nbsp;",
            "&#x202e;", "&#0;", "&amp", "<a href='x", "'>", "<span style=\"display:none\">",
            "<div id=appendonsend>", "<img src=x onerror=y>", "<svg><p>", "<textarea>", "<", ">",
            "C 1 1", "<o:p>", "</p></p>", "<template>", "<plaintext>", "<select><option>", "\0",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,20}",
    ];
    prop::collection::vec(tag, 0..150).prop_map(|tags| tags.concat())
}

/// Results as a forger writes them.
fn any_results() -> impl Strategy<Value = String> {
    let word = select(vec![
        "dmarc=pass",
        "dkim=pass",
        "spf=pass",
        "dmarc=fail",
        "header.d=example.org",
        ";",
        "; ",
        "header.from=example.org",
        "smtp.mailfrom=p@example.org",
        "(",
        ")",
        "\"",
        "\\",
        " ",
        "/1",
        "mx.host.example",
        "mx.host.example;",
        "header.i=@example.org",
        "=",
        "\t",
        "\r\n ",
    ]);
    prop::collection::vec(word, 0..20).prop_map(|words| words.concat())
}

#[test]
fn e2_no_mail_makes_the_reader_stumble() {
    fuzz(any_mail(), |bytes| {
        read_through(&bytes);
        Ok(())
    });
}

#[test]
fn e9_no_html_makes_the_reader_stumble() {
    fuzz(tag_soup(), |html| {
        if let Some(lines) = html_lines(&html) {
            check_fates(&lines);
            prop_assert!(lines.0.len() <= html.len() + 1);
            let hidden = lines.0.iter().any(|(_, l)| l.contains('\0') || l.trim().is_empty());
            prop_assert!(!hidden, "{:?}", lines);
        }
        Ok(())
    });
}

#[test]
fn e12_no_line_below_the_marker_is_new() {
    fuzz(prop::collection::vec(any_line(), 0..30), |lines| {
        let quoted = |(depth, line): &(usize, String)| format!("{}{line}\n", "> ".repeat(*depth));
        let text: String = lines.iter().map(quoted).collect();
        check_fates(&Lines(lines));
        check_fates(&plain_lines(&text));
        Ok(())
    });
}

#[test]
fn e13_a_card_is_made_of_the_lines_of_the_mail() {
    fuzz(prop::collection::vec(any_line().prop_map(|l| l.1), 0..30), |lines| {
        check_request(&lines);
        Ok(())
    });
}

#[test]
fn e8_what_is_plain_stays_so() {
    fuzz(any_text(), |line| {
        let plain = normalise(&line);
        prop_assert_eq!(normalise(&plain), plain.clone());
        prop_assert!(!plain.chars().any(char::is_control), "{:?}", plain);
        prop_assert!(plain.len() <= line.len(), "{:?}", plain);
        Ok(())
    });
}

#[test]
fn f1_nobody_else_s_results_are_believed() {
    let id = select(vec![
        "foreign.example",
        "mx.host.example.evil",
        "evil mx.host.example",
        "(mx.host.example)evil",
        "x@mx.host.example",
        "(a\\)b mx.host.example;) evil",
    ]);
    fuzz((id, any_results(), any_results()), |(id, results, after)| {
        let field = |value: &str| format!("Authentication-Results: {value}\r\n");
        let mail = format!(
            "{}{}From: p@example.org\r\nSubject: x\r\n\r\nC 1 1\r\n",
            field(&format!("{id} {results}")),
            field(&format!("{id}; {after}"))
        );
        if let Ok(mail) = mime::parse(mail.as_bytes()) {
            prop_assert_ne!(from_header(&mail, MX), Authenticity::Pass);
        }
        Ok(())
    });
}

/// Results of a server as an attacker may change them: ends, brackets and quotes that open and do
/// not close, names that only begin like others.
fn any_claim() -> impl Strategy<Value = String> {
    let word = select(vec![
        "dmarc=pass",
        "dmarc=none",
        "dkim=pass",
        "spf=pass",
        "dkim=fail",
        "spf=softfail",
        "; ",
        ";",
        " ",
        "(",
        ")",
        "\"",
        "\\",
        "\r\n ",
        "header.from=evil.example",
        "header.d=evil.example",
        "header.d=example.org.evil.example",
        "header.i=@evil.example",
        "header.d=org",
        "header.from=example.org.",
        "smtp.mailfrom=example.org@evil.example",
        "smtp.mailfrom=x@evil.example",
        "reason=\"header.d=example.org\"",
        "(header.d=example.org)",
        "header.d=\"evil.example\"",
        "policy.x=example.org",
        "x-header.d=example.org",
        "=",
        "/1",
    ]);
    prop::collection::vec(word, 0..16).prop_map(|words| words.concat())
}

#[test]
fn f1_no_results_about_others_vouch_for_a_domain() {
    fuzz(any_claim(), |claim| {
        // Only a result whose own property is a name of the domain speaks for it; the one piece
        // that is such a name, with its last full stop, is left out.
        prop_assume!(!claim.contains("from=example.org."));
        let mail = format!(
            "Authentication-Results: mx.host.example; {claim}\r\nFrom: p@example.org\r\n\r\nC 1 1\r\n"
        );
        if let Ok(mail) = mime::parse(mail.as_bytes()) {
            let plain_pass = claim.contains("dmarc=pass");
            let said = from_header(&mail, MX);
            // A DMARC result without a domain is about the From of the mail.
            prop_assert!(said != Authenticity::Pass || plain_pass, "{claim}");
        }
        Ok(())
    });
}

#[test]
fn f1_a_failure_or_an_open_bracket_anywhere_vouches_for_nothing() {
    let broken = select(vec!["dmarc=fail", "(", "\"", ")", "header.d=a header.d=a", "\u{1}"]);
    // Signs that would close it again are left out.
    let plain = || any_results().prop_map(|r| r.replace([')', '"', '(', '\\'], ""));
    fuzz((plain(), broken, plain()), |(before, broken, after)| {
        let mail = format!(
            "Authentication-Results: mx.host.example; dmarc=pass header.from=example.org; {before} \
             {broken} {after}\r\nFrom: p@example.org\r\n\r\nC 1 1\r\n"
        );
        if let Ok(mail) = mime::parse(mail.as_bytes()) {
            prop_assert_ne!(from_header(&mail, MX), Authenticity::Pass);
        }
        Ok(())
    });
}

#[test]
fn e2_every_mail_gets_a_verdict() {
    let host = RefCell::new(Host::new());
    fuzz(any_mail(), |bytes| {
        let mut host = host.borrow_mut();
        let row = host.receive(&bytes);
        prop_assert!(row.verdict.is_some());
        prop_assert!(row.reason != Reason::Unknown);
        prop_assert!(host.answers(&row).len() <= 2, "{}", row.reason);
        Ok(())
    });
    let host = host.into_inner();
    // Nothing in it had a secret.
    (1..=4).for_each(|seat| assert_eq!(host.on_file(seat), ""));
}

/// A line that is nearly an order, of any game.
fn any_order() -> impl Strategy<Value = String> {
    let word = select(vec![
        "A",
        "M",
        "C",
        "B",
        "F",
        "S",
        "@",
        "@TU",
        "BA15",
        "AC20UK",
        "P10CY",
        "RF20",
        "2A",
        "12",
        "3",
        "122",
        "0",
        "-1",
        "99999999999",
        "12387",
        "*",
        ",",
        "'",
        "\"",
        "PRESS",
        "ALL",
        "END",
        "ANON",
        "1-9",
        "a",
        "é",
        "１２",
    ]);
    prop_oneof![
        4 => prop::collection::vec(word, 0..9).prop_map(|words| words.join(" ")),
        1 => any_text(),
    ]
}

#[test]
fn e14_every_engine_judges_and_plays_whatever_is_ordered() {
    let hosts = [("warlord", 4), ("battle-plan", 4)].map(|(engine, seats)| {
        let host = Host::with(&ENGINES, engine, seats, Limits::default());
        let game = host.robot.game("W7").expect("the game");
        host.robot.open(&game).expect("it opens")
    });
    fuzz(
        (prop::collection::vec(any_order(), 0..12), 1u8..=4, any::<u64>()),
        |(lines, seat, dice)| {
            let card = CardText::numbered(1, lines.iter().map(String::as_str));
            for game in &hosts {
                let judged = game.judge(Seat(seat), &card, 0);
                let line = |n: u32| card.lines.iter().any(|l| l.0 == n);
                prop_assert!(judged.lines.iter().all(|l| line(l.line)), "{:?}", judged.lines);
                let after = {
                    let cards = [(Seat(seat), card.clone())].into();
                    let input = Input { cards: &cards, seats: &BySeat::new() };
                    game.step(&input, &mut Dice::new(dice))
                };
                prop_assert!(!after.saved.state.is_empty());
            }
            Ok(())
        },
    );
}

/// Words of which an order of a game may be made: those of its help, and names that a seat knows.
fn words_of(engine: &'static dyn Engine, game: &dyn Match) -> Vec<String> {
    let orders = game.reader(Seat(1)).orders();
    let help = engine.help();
    let shown = help.iter().flat_map(|t| t.examples.iter().chain([&t.word, &t.title]));
    let names = orders.names.values().flatten().flat_map(|choice| [&choice.name, &choice.code]);
    let words = shown.chain(names).flat_map(|text| text.split_whitespace());
    let small =
        ["and", "1", "2", "1-20", "to", "the", "unit", "from", ",", "please", "wth", "moev"];
    let mut words: Vec<String> = words.chain(small).map(str::to_owned).collect();
    words.sort();
    words.dedup();
    words
}

/// Searches random lines for the most expensive card of a game: its bytes bound its cost.
fn dearest(game: &str) {
    let engine = engine::find(&ENGINES, game).expect("a game");
    let most = 1_000_000;
    let limits = Limits { cards_per_hour: most, mails_per_hour: most, ..Limits::default() };
    let host = Host::with(&ENGINES, game, (*engine.seats().start()).max(2), limits);
    let open = host.robot.open(&host.robot.game("W7").expect("the game")).expect("it opens");
    let words = words_of(engine, open.as_ref());
    let (host, found) = (RefCell::new(host), RefCell::new((0.0, String::new())));
    let line = prop::collection::vec(select(words), 1..14).prop_map(|words| words.join(" "));
    fuzz_some(16, prop::collection::vec(line, 1..40), |lines| {
        let mut host = host.borrow_mut();
        let raw = host.card(1, &(lines.join("\n") + "\n"));
        let before = effort::counted();
        host.receive(&raw);
        let steps = (effort::counted() - before) as f64;
        let cost = steps / raw.len() as f64;
        if cost > found.borrow().0 {
            *found.borrow_mut() = (cost, lines.join(" | "));
        }
        // In up to sixty lines misspelt names are compared with all names.
        let names = 200_000.0 * lines.len().min(60) as f64;
        prop_assert!(steps < 30_000.0 + 60.0 * raw.len() as f64 + names, "{steps} steps");
        Ok(())
    });
    let (cost, card) = found.into_inner();
    println!("{game}: {cost:.1} steps a byte for {card:.300}");
}

#[test]
fn e16_the_dearest_card_is_bounded_by_its_bytes() {
    for game in ["warlord", "battle-plan", "classic-warlord", "empire-deluxe", "imperium"] {
        dearest(game);
    }
}

#[test]
fn e14_what_an_engine_takes_for_an_order_begins_one() {
    let games = ["warlord", "battle-plan"].map(|id| {
        let host = Host::with(&ENGINES, id, 4, Limits::default());
        let game = host.robot.game("W7").expect("the game");
        let engine = ENGINES.iter().find(|e| e.id() == id).expect("an engine");
        (engine, host.robot.open(&game).expect("it opens"))
    });
    let right = std::cell::Cell::new(0);
    fuzz(prop_oneof![any_order(), order_like()], |line| {
        // All engines must answer it.
        ENGINES.iter().for_each(|e| {
            e.starts_order(&line);
        });
        let card = CardText::numbered(1, [line.as_str()]);
        for ((engine, game), seat) in games.iter().flat_map(|g| (1..=4).map(move |s| (g, s))) {
            let judged = game.judge(Seat(seat), &card, 0);
            let all = judged.lines.iter().all(|l| l.mark == Mark::Ok);
            if all && !judged.lines.is_empty() {
                right.set(right.get() + 1);
                prop_assert!(engine.starts_order(&line), "{}: {:?}", engine.id(), line);
            }
        }
        Ok(())
    });
    assert!(right.get() > 10, "{} lines were right", right.get());
}

/// A line of the form that a game's orders have.
fn order_like() -> impl Strategy<Value = String> {
    let orders = select(vec!["C", "M", "R", "Y", "U", "@TU", "@SW", "@SP", "@NE"]);
    let place = select(vec!["BA15", "AC20UK", "P10CY", "3", "5", "1", "2"]);
    (orders, 1u8..5, prop::collection::vec(place, 1..3), any::<bool>()).prop_map(
        |(order, seat, places, own)| match own {
            true => format!("{order} {seat} {}", places.join(" ")),
            false => format!("{order} {}", places.join(" ")),
        },
    )
}

/// An exported game of a turn or two.
static EXPORT: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\nC 1 1\nCONTACT relay\n"));
    host.run_turn();
    host.receive(host.card(2, "M 2 3\n"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("w7");
    host.robot.export_game("W7", &file, true).expect("exported");
    fs::read(file).expect("a file")
});

/// A change of one value in a file: table, column, row, and the new value.
type Edit = (Index, Index, Index, usize);

/// Values that nobody expects.
const VALUES: [&str; 16] = [
    "NULL",
    "''",
    "x''",
    "-1",
    "0",
    "1",
    "255",
    "256",
    "9223372036854775807",
    "'x'",
    "'W7'",
    "x'ffffffff'",
    "'{}'",
    "'[]'",
    "randomblob(3)",
    "zeroblob(100000)",
];

/// Changes values in the file of a game; a change that the tables refuse is left out.
fn edited(path: &Path, edits: &[Edit]) {
    let conn = rusqlite::Connection::open(path).expect("a store");
    let names = |sql: &str| -> Vec<String> {
        let mut query = conn.prepare(sql).expect("a query");
        let rows = query.query_map([], |r| r.get(0)).expect("rows");
        rows.map(|r| r.expect("a name")).collect()
    };
    let tables = names("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
    for (table, column, row, value) in edits {
        let table = table.get(&tables);
        let columns = names(&format!("SELECT name FROM pragma_table_info('{table}')"));
        let (column, value) = (column.get(&columns), VALUES[*value]);
        let count = format!("SELECT count(*) FROM {table}");
        let rows: i64 = conn.query_row(&count, [], |r| r.get(0)).expect("a number");
        let row = row.index(usize::try_from(rows.max(1)).expect("few"));
        let sql = format!(
            "UPDATE {table} SET {column} = {value} WHERE rowid =
             (SELECT rowid FROM {table} ORDER BY rowid LIMIT 1 OFFSET {row})"
        );
        let _ = conn.execute(&sql, []);
    }
}

#[test]
fn no_file_of_a_game_breaks_the_host_that_takes_it_in() {
    let edit = (any::<Index>(), any::<Index>(), any::<Index>(), 0..VALUES.len());
    let bytes = prop::collection::vec((any::<Index>(), any::<u8>()), 0..6);
    let taken = std::cell::Cell::new(0);
    fuzz_some(24, (prop::collection::vec(edit, 0..4), bytes), |(edits, bytes)| {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("w7");
        let mut file = EXPORT.clone();
        for (at, byte) in bytes {
            *at.get_mut(&mut file) = byte;
        }
        fs::write(&path, file).expect("written");
        let opens = rusqlite::Connection::open(&path)
            .and_then(|c| c.query_row("SELECT count(*) FROM sqlite_master", [], |_| Ok(())));
        if opens.is_ok() && !edits.is_empty() {
            edited(&path, &edits);
        }
        let mut host = Host::empty(&ENGINES, Limits::default());
        if host.robot.import_game(&path, None).is_err() {
            prop_assert!(
                host.robot.store.games().all().expect("a store").is_empty(),
                "nothing is kept"
            );
            return Ok(());
        }
        taken.set(taken.get() + 1);
        // Whatever was imported, the robot goes on.
        let _ = host.robot.as_game_master(|gm| gm.release("W7"));
        for seat in 1..=4 {
            let card = mail(&player(seat), ROBOT, &format!("M {seat} 3\n"));
            prop_assert!(host.receive(card).verdict.is_some());
        }
        host.pass(8 * 24 * 60);
        let now = host.robot.now();
        host.robot.run_due(now).expect("the robot goes on");
        prop_assert!(host.robot.store.games().all().is_ok());
        Ok(())
    });
    assert!(taken.get() > 2, "{} files were taken in", taken.get());
}

// ---- each limit where it is, one above, and a hundred times as much

/// The reason of the verdict about a mail, on a new host.
fn reason(make: impl Fn(&Host) -> String) -> String {
    let mut host = Host::with(&ENGINES, "warlord", 2, Limits::default());
    let raw = make(&host);
    host.receive(raw).reason.to_string()
}

#[test]
fn e4_the_size_of_a_mail_is_limited() {
    let mut host = Host::new();
    for (n, (size, expected)) in
        (1..).zip([(2_000_000, "filed"), (2_000_001, "too-large"), (200_000_000, "too-large")])
    {
        let mut message = host.message(host.card(1, &format!("C 1 {n}\n")).as_bytes());
        message.size = size;
        let row = host.judge(message);
        assert_eq!(row.reason.as_str(), expected, "{size}");
        let limit = host.answers(&row)[0].text.contains("limit is 2000 kB");
        assert_eq!(limit, expected == "too-large");
    }
    assert_eq!(host.on_file(1), "C 1 1\n");
}

#[test]
fn e4_the_fields_of_a_header_are_limited() {
    let with =
        |fields: usize| format!("From: a@b.example\r\n{}\r\nx\r\n", "X: y\r\n".repeat(fields));
    let read = |fields: usize| mime::parse(with(fields - 1).as_bytes()).err();
    assert_eq!(read(1000), None);
    assert_eq!(read(1001), Some(Unreadable::TooManyFields(1001)));
    // A hundred times as many exceed the bytes of a header or the count.
    assert!(read(100_000).is_some());
    for (more, expected) in [(0, "filed"), (1001, "no-mail"), (20_000, "no-mail")] {
        let found = reason(|h| format!("{}{}", "X: y\r\n".repeat(more), h.card(1, "C 1 1\n")));
        assert_eq!(found, expected, "{more}");
    }
}

#[test]
fn e4_the_bytes_of_a_header_are_limited() {
    // The line end before the blank line does not count as part of the header.
    let with = |bytes: usize| {
        let from = "From: a@b.example\r\nX: ";
        format!("{from}{}\r\n\r\nx\r\n", "y".repeat(bytes - from.len() - 1))
    };
    let read = |bytes: usize| mime::parse(with(bytes).as_bytes()).err();
    assert_eq!(read(256_000), None);
    assert_eq!(read(256_001), Some(Unreadable::LongHeader(256_001)));
    assert_eq!(read(25_600_000), Some(Unreadable::LongHeader(25_600_000)));
}

#[test]
fn e4_a_header_without_an_end_is_limited_too() {
    let endless = format!("From: a@b.example\r\nX: {}", "y".repeat(1_000_000));
    assert!(matches!(mime::parse(endless.as_bytes()), Err(Unreadable::LongHeader(_))));
}

#[test]
fn e4_the_boundaries_of_a_mail_are_limited() {
    for (levels, refused) in [(100, false), (101, true), (10_000, true)] {
        let level =
            |i: usize| format!("Content-Type: multipart/mixed; boundary=b{i}\r\n\r\n--b{i}\r\n");
        let nested: String = (0..levels).map(level).collect();
        let text = format!("{nested}Content-Type: text/plain\r\n\r\nC 1 1\r\n");
        let found = reason(|h| {
            let head = h.card(1, "C 1 1\n");
            head.replacen("Content-Type: text/plain; charset=utf-8\r\n\r\nC 1 1\r\n", &text, 1)
        });
        assert_eq!(found == "no-mail", refused, "{levels}: {found}");
    }
}

#[test]
fn e4_the_parts_of_a_mail_are_limited() {
    // The whole mail counts as a part too.
    for (parts, expected) in [(199, "filed"), (200, "no-orders"), (20_000, "no-orders")] {
        let other = "--b\r\nContent-Type: application/x-thing\r\n\r\nx\r\n".repeat(parts - 1);
        let text = format!(
            "Content-Type: multipart/mixed; boundary=b\r\n\r\n{other}--b\r\n\
             Content-Type: text/plain\r\n\r\nC 1 1\r\n--b--\r\n"
        );
        let found = reason(|h| {
            let head = h.card(1, "C 1 1\n");
            head.replacen("Content-Type: text/plain; charset=utf-8\r\n\r\nC 1 1\r\n", &text, 1)
        });
        assert_eq!(found, expected, "{parts}");
    }
}

#[test]
fn e4_the_lines_of_a_card_and_their_length_are_limited() {
    for (lines, expected) in [(400, "filed"), (401, "too-many-lines"), (40_000, "too-many-lines")] {
        assert_eq!(reason(|h| h.card(1, &"C 1 1\n".repeat(lines))), expected, "{lines} lines");
    }
    for (length, read) in [(500, true), (501, false), (50_000, false)] {
        let mut host = Host::new();
        let line = format!("C 1 1\nN 1 1 {}\n", "x".repeat(length - 6));
        let row = host.receive(host.card(1, &line));
        assert_eq!(row.reason.as_str(), "filed", "the other line is one");
        let echo = host.answers(&row).remove(0).text;
        assert_eq!(echo.contains("more than 500"), !read, "{length} characters: {echo}");
    }
}

#[test]
fn e4_the_depth_of_html_is_limited() {
    for (depth, read) in [(300, true), (301, false), (30_000, false)] {
        let html = format!("{}C 1 1", "<div>".repeat(depth));
        assert_eq!(html_lines(&html).is_some(), read, "{depth}");
        let found = reason(|h| h.card(1, &html).replacen("text/plain", "text/html", 1));
        assert_eq!(found, if read { "filed" } else { "no-orders" }, "{depth}");
    }
    // Tags that are no elements, and end tags that end nothing, are cheap as well.
    for soup in ["<", "</div>", "<!--", "<div/>", "&", "<p>", "<![CDATA["] {
        let _ = html_lines(&soup.repeat(TEXT_MAX / soup.len()));
    }
}

/// Whether a line begins an order of any game.
fn starts_order(line: &str) -> bool {
    registry::ENGINES.iter().any(|e| e.starts_order(line))
}
