//! Printouts in the formats that players chose: drawn after the turn, sent together, and nothing
//! lost or repeated whenever the process dies.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use base::cancel::Cancel;
use base::clock::FixedEntropy;
use base::terms::Format;
use engine::{Seat, Turns};
use mail::marker::MARKER;
use mail::{SendResult, mime};
use mail_parser::{MessageParser, MimeHeaders};
use registry::ENGINES;
use render::data::SCHEMA;
use robot::Robot;
use robot::drawing::{Job, draw};
use robot::gm_commands;
use robot::limits::Limits;
use serde_json::{Value, json};
use store::{Store, Verdict};

use crate::talk::flat;
use support::host::*;

const NEW: &str = "new@elsewhere.example";
const WORDS: &str = "The maps in words";
/// A limit so low that pictures and files follow in separate mails.
const SMALL: usize = 40_000;

/// A mail that left, parsed.
#[derive(Debug, Clone)]
struct Sent {
    kind: String,
    mail: Got,
    /// Media types in order; pictures that follow each other count once.
    shape: Vec<String>,
    html: String,
    /// Content ids of the pictures in the mail.
    carried: Vec<String>,
    /// All files, by name.
    files: BTreeMap<String, Vec<u8>>,
}

impl Sent {
    fn of(kind: &str, bytes: &[u8]) -> Self {
        let parsed = MessageParser::default().parse(bytes).expect("a mail");
        let (mut shape, mut html) = (Vec::new(), String::new());
        let (mut carried, mut files) = (Vec::new(), BTreeMap::new());
        for part in &parsed.parts {
            let media = part.content_type().map_or_else(String::new, |c| {
                format!("{}/{}", c.ctype(), c.subtype().unwrap_or_default())
            });
            if media == "text/html" {
                html = part.text_contents().expect("text").to_owned();
            }
            carried.extend(part.content_id().map(str::to_owned));
            files.extend(part.attachment_name().map(|n| (n.to_owned(), part.contents().to_vec())));
            shape.push(media);
        }
        shape.dedup_by(|a, b| a == b && a == "image/png");
        Self { kind: kind.to_owned(), mail: got(bytes), shape, html, carried, files }
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.files["turn.json"]).expect("JSON")
    }

    /// Content ids that the page refers to.
    fn wanted(&self) -> Vec<&str> {
        let ids = self.html.split("\"cid:").skip(1);
        ids.map(|rest| rest.split('"').next().unwrap_or_default()).collect()
    }
}

fn header(mail: &Got, name: &str) -> Option<String> {
    let parsed = mime::parse(mail.raw.as_bytes()).expect("our mails can be read");
    parsed.header(name).map(str::to_owned)
}

/// Warlord for two players who chose these formats.
fn duel(formats: [&str; 2]) -> Host {
    limited(Limits::default().sent_bytes_max, formats)
}

/// The same game with a limit of the size of a mail.
fn limited(sent_bytes_max: usize, formats: [&str; 2]) -> Host {
    let mut host = Host::empty(&ENGINES, Limits { sent_bytes_max, ..Limits::default() });
    host.robot.new_game(a_game("warlord", 2)).expect("a game");
    start(&mut host, formats);
    host
}

fn start(host: &mut Host, formats: [&str; 2]) {
    host.seat_players(2);
    (1..).zip(formats).for_each(|(seat, words)| choose(host, seat, words));
    host.robot.start("W7", None, false).expect("starts");
}

fn choose(host: &mut Host, seat: u8, words: &str) {
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    let format = Format::default().with(&words).expect("words of FORMAT");
    wants(&mut host.robot.store, "W7", Seat(seat), format);
}

/// Draws what waits for it; returns the number of attempts.
fn draws(host: &mut Host) -> usize {
    host.robot.draw_mails().expect("the store works")
}

/// Sends all that may leave; returns what players get.
fn leave(host: &mut Host) -> Vec<Sent> {
    let (now, mut left) = (host.robot.now(), Vec::new());
    loop {
        let due = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
        if due.is_empty() {
            return left;
        }
        for row in due {
            host.robot
                .store
                .write(|tx| tx.outbox().sent([(&row, &SendResult::Sent)], now, 86_400))
                .expect("noted");
            left.push(Sent::of(row.kind.as_str(), &row.mail.bytes));
        }
    }
}

/// The mails with the printouts of a seat.
fn printouts(left: &[Sent], seat: u8) -> Vec<&Sent> {
    let to = player(seat);
    let printout = |m: &&Sent| {
        ["printout", "part"].contains(&m.kind.as_str()) && !m.mail.subject.contains("sent again")
    };
    left.iter().filter(|m| m.mail.to == to).filter(printout).collect()
}

/// The one mail with the printout of a seat.
fn printout(left: &[Sent], seat: u8) -> &Sent {
    let all = printouts(left, seat);
    assert_eq!(all.len(), 1, "{:?}", all.iter().map(|m| &m.mail.subject).collect::<Vec<_>>());
    all[0]
}

fn drawn_and_sent(host: &mut Host) -> Vec<Sent> {
    draws(host);
    leave(host)
}

fn another(host: &Host) -> Store {
    support::postgres::open(host.dir.path(), &FixedEntropy::new(9)).expect("a store")
}

/// A process takes `printouts` printouts to draw them, and dies.
fn dies_drawing(host: &mut Host, printouts: u32) {
    let now = host.robot.now();
    let begun = host
        .robot
        .store
        .write(|tx| tx.outbox().to_draw(2, printouts, false, now))
        .expect("a store");
    assert_eq!(begun.len() as u32, printouts);
    host.robot.store = another(host);
}

/// Draws, and something happens before the first printout is noted as drawn.
fn draws_while(host: &mut Host, act: impl FnOnce(&mut Store)) {
    let (other, act) = (RefCell::new(another(host)), RefCell::new(Some(act)));
    let now = host.robot.now();
    let clock = || {
        if let Some(act) = act.borrow_mut().take() {
            act(&mut other.borrow_mut());
        }
        now
    };
    let Robot { store, cx, .. } = &mut host.robot;
    draw(store, cx, &clock, &|| {}, &Cancel::default()).expect("drawn");
    assert!(act.borrow().is_none(), "it happened");
}

/// Everything that is kept for drawing, by recipient.
fn jobs(host: &Host) -> BTreeMap<String, String> {
    let sql = "SELECT recipient, what_z FROM drawing JOIN outbox ON outbox.id = drawing.outbox
               ORDER BY outbox.id";
    let rows =
        host.robot.store.database().all(sql, &[], |r| Ok((r.get(0)?, r.get::<_, Vec<u8>>(1)?)));
    let plain = |z: &[u8]| zstd::stream::decode_all(z).expect("packed");
    let row = |(to, z): (String, Vec<u8>)| (to, String::from_utf8_lossy(&plain(&z)).into_owned());
    let rows: Vec<(String, Vec<u8>)> = rows.expect("rows");
    rows.into_iter().map(row).collect()
}

/// The end of the chain of seeds.
fn end_of_seeds(host: &Host) -> String {
    host.robot.game("W7").expect("the game").chains[0].told.end.clone()
}

// ---- what FORMAT chooses ----

#[test]
fn text_alone_is_one_text_with_the_calendar_file_and_waits_for_nothing() {
    let mut host = duel(["text", "text noics"]);
    let left = leave(&mut host);
    let shape = ["multipart/mixed", "text/plain", "text/calendar"];
    assert_eq!(printout(&left, 1).shape, shape);
    assert_eq!(printout(&left, 2).shape, ["text/plain"]);
    assert_eq!((draws(&mut host), leave(&mut host).len()), (0, 0));
}

#[test]
fn html_comes_beside_the_text_with_every_picture_that_stands_in_it() {
    let mut host = duel(["both", "text"]);
    let left = drawn_and_sent(&mut host);
    let first = printout(&left, 1);
    let shape = ["multipart/mixed", "multipart/alternative", "text/plain", "multipart/related"];
    let shape = shape.into_iter().chain(["text/html", "image/png", "text/calendar"]);
    assert_eq!(first.shape, shape.collect::<Vec<_>>());
    assert!(first.carried.len() > 1);
    assert_eq!(first.wanted(), first.carried);
    let pictures = first.files.values().filter(|f| f.starts_with(b"\x89PNG"));
    assert_eq!(pictures.count(), first.carried.len());
    // The signs of its frame are separate pieces, which screen readers skip.
    let marker = MARKER.trim_matches(['=', ' ']);
    assert!(first.mail.text.starts_with(MARKER) && first.html.contains(&format!(">{marker}<")));
    assert!(first.mail.text.contains(WORDS) && first.html.contains(WORDS));
}

#[test]
fn pdf_and_json_come_as_files_and_maps_in_words_to_those_who_want_them() {
    let mut host = duel(["text pdf json nowords noics", "both letter nowords"]);
    let left = drawn_and_sent(&mut host);
    let (first, second) = (printout(&left, 1), printout(&left, 2));
    let shape = ["multipart/mixed", "text/plain", "application/pdf", "application/json"];
    assert_eq!(first.shape, shape);
    assert!(!first.mail.text.contains(WORDS) && !second.mail.text.contains(WORDS));
    assert!(!second.html.is_empty() && !second.html.contains(WORDS));
    for (mail, name, size) in [
        (first, "w7-turn-1-seat-1.pdf", "/MediaBox[0 0 595 842]"),
        (second, "w7-turn-1-seat-2.pdf", "/MediaBox[0 0 612 792]"),
    ] {
        let pdf = String::from_utf8_lossy(&mail.files[name]);
        assert!(pdf.starts_with("%PDF-") && pdf.contains(size), "{name}");
    }
    let ends = json!([{ "turn": 0, "digest": end_of_seeds(&host) }]);
    let head = json!({ "schema": SCHEMA, "game": "W7", "turn": 1, "seat": 1, "over": false,
                       "seed_chain": ends });
    let said = first.json();
    head.as_object().into_iter().flatten().for_each(|(name, is)| assert_eq!(said[name], *is));
}

#[test]
fn the_answer_to_format_tells_what_will_come_and_a_wrong_word_what_can() {
    let mut host = duel(["text", "text"]);
    let mut say = |lines: &str| {
        let row = host.receive(host.card(1, lines));
        let answer = flat(&host.answers(&row).first().expect("an answer").text);
        let seat = host.robot.store.games().seat("W7", Seat(1)).expect("a store").expect("a seat");
        (answer, seat.choices.format)
    };
    let (answer, chosen) = say("FORMAT both letter json nowords noics\n");
    let told =
        "text and HTML, PDF (Letter), JSON, no order desk, no calendar file, no maps in words";
    assert!(answer.contains(told), "{answer}");
    let (answer, format) = say("FORMAT braille\n");
    assert!(answer.contains("FORMAT both pdf"), "{answer}");
    assert_eq!(format, chosen);
    let (answer, format) = say("FORMAT text a4\n");
    assert!(
        answer.contains("text alone, PDF (A4), JSON, no order desk, no calendar file"),
        "{answer}"
    );
    assert!(format.pdf && format.json && !format.html && !format.letter, "{format:?}");
}

#[test]
fn the_first_printout_says_how_to_play_and_the_second_does_not() {
    let mut host = duel(["both json", "text"]);
    let first = drawn_and_sent(&mut host);
    host.run_turn();
    let second = drawn_and_sent(&mut host);
    for (left, said) in [(&first, true), (&second, false)] {
        let mail = printout(left, 1);
        let json = mail.json().to_string();
        for heading in ["Welcome", "How to play by mail"] {
            assert_eq!(json.contains(&format!("\"heading\":\"{heading}\"")), said);
            assert_eq!(mail.html.contains(&format!(">{heading}<")), said);
            let underlined = format!("\n{heading}\n---");
            assert_eq!(mail.mail.text.contains(&underlined), said);
            assert_eq!(printout(left, 2).mail.text.contains(&underlined), said);
        }
    }
}

// ---- drawn afterwards, sent together ----

#[test]
fn printouts_wait_for_the_last_that_is_drawn_and_echoes_come_before_them() {
    let mut host = duel(["text", "both"]);
    (1..=2).for_each(|seat| drop(host.receive(host.card(seat, "C 1 1\n"))));
    let early = leave(&mut host);
    assert_eq!(early.iter().map(|m| m.kind.as_str()).collect::<Vec<_>>(), ["echo"]);
    // Nothing to the same player overtakes an echo.
    host.robot
        .as_game_master(|gm| gm.tell_players("W7", Some(Seat(2)), "hello", "1"))
        .expect("told");
    assert!(leave(&mut host).is_empty());
    // An echo with a page comes before the printouts, though it was written after them.
    let now = host.robot.now();
    let store = &mut host.robot.store;
    let mut first = store.write(|tx| tx.outbox().to_draw(2, 9, false, now)).expect("a store");
    assert_eq!(first.len(), 1, "printouts wait for their own batch");
    let first = first.remove(0);
    store.write(|tx| tx.outbox().drawn(first.id, b"drawn", &[], now)).expect("noted");
    let due = store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
    let due: Vec<_> = due.iter().map(|r| (r.kind.as_str(), r.mail.to.clone())).collect();
    assert_eq!(due, [("echo", player(2))]);
    assert_eq!(draws(&mut host), 1, "only one wants more than text");
    let at_once = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
    let at_once: Vec<_> = at_once.iter().map(|r| (r.kind.as_str(), r.mail.to.clone())).collect();
    assert_eq!(at_once, [("printout", player(1)), ("printout", player(2))]);
}

#[test]
fn a_mail_is_the_same_mail_before_and_after_it_is_drawn() {
    let mut host = duel(["both pdf", "text"]);
    let first = printout(&drawn_and_sent(&mut host), 1).mail.message_id.clone();
    host.run_turn();
    let text = host.last_mail(1);
    let left = drawn_and_sent(&mut host);
    let drawn = printout(&left, 1);
    assert!(!drawn.html.is_empty() && !text.raw.contains("text/html"));
    assert_eq!(drawn.mail.message_id, text.message_id);
    assert_eq!((&drawn.mail.reply_to, &drawn.mail.text), (&text.reply_to, &text.text));
    for name in ["References", "In-Reply-To", "Date", "Subject", "List-Id"] {
        assert_eq!(header(&drawn.mail, name), header(&text, name), "{name}");
    }
    let thread = header(&drawn.mail, "References").expect("a thread");
    assert!(thread.contains(&first), "{thread}");
}

#[test]
fn what_is_being_drawn_is_taken_once_and_what_failed_waits_for_the_others() {
    let mut host = duel(["both", "both"]);
    let now = host.robot.now();
    let store = &mut host.robot.store;
    let mut taken = |most, fresh| {
        let rows = store.write(|tx| tx.outbox().to_draw(2, most, fresh, now)).expect("a store");
        rows.into_iter().map(|r| (r.id, r.attempts)).collect::<Vec<_>>()
    };
    let [one] = taken(1, false)[..] else { panic!("one is taken") };
    let [other] = taken(9, true)[..] else { panic!("the other is taken") };
    assert_eq!((one.1, other.1), (0, 0));
    assert_ne!(one.0, other.0);
    assert!(taken(9, true).is_empty(), "both are being drawn");
    // Once nothing is being drawn, each unfinished one is tried again by itself.
    assert_eq!([taken(9, false), taken(9, false)], [[(one.0, 1)], [(other.0, 1)]]);
}

// ---- whenever the process dies ----

#[test]
fn a_process_that_dies_while_it_draws_draws_again_to_the_same_mails_and_once() {
    let formats = ["both pdf json", "both"];
    let (mut host, mut spared) = (duel(formats), duel(formats));
    dies_drawing(&mut host, 2);
    assert_eq!(leave(&mut host).len(), 0, "nothing leaves half done");
    assert_eq!(draws(&mut host), 2);
    let (left, same) = (leave(&mut host), drawn_and_sent(&mut spared));
    for seat in 1..=2 {
        assert_eq!(printout(&left, seat).mail.raw, printout(&same, seat).mail.raw);
    }
    assert_eq!((draws(&mut host), leave(&mut host).len()), (0, 0));
}

#[test]
fn a_printout_over_which_the_process_died_twice_leaves_with_its_text() {
    let mut host = duel(["both", "both"]);
    dies_drawing(&mut host, 2);
    dies_drawing(&mut host, 1);
    assert_eq!(draws(&mut host), 1, "the other");
    left_with_its_text(&mut host);
}

/// The printout of seat 1 leaves as text only, the other one is drawn.
fn left_with_its_text(host: &mut Host) {
    let left = leave(host);
    let first = printout(&left, 1);
    assert!(first.html.is_empty() && first.mail.text.contains("Strategic map"));
    assert!(!printout(&left, 2).html.is_empty());
}

/// Checks what happens when the job of seat 1 has these bytes.
fn spoilt(bytes: &[u8]) {
    let mut host = duel(["both", "both"]);
    let sql = "UPDATE drawing SET what_z = $1 WHERE outbox IN
               (SELECT id FROM outbox WHERE seat = 1)";
    assert_eq!(host.robot.store.database().exec(sql, &[&bytes]).expect("a store"), 1);
    let log = host.dir.path().join("log");
    let file = Mutex::new(std::fs::File::create(&log).expect("a file"));
    let lines = tracing_subscriber::fmt().with_writer(file).finish();
    let done = tracing::subscriber::with_default(lines, || host.robot.draw_mails());
    assert!(done.is_ok(), "{done:?}");
    left_with_its_text(&mut host);
    let log = std::fs::read_to_string(log).expect("the log");
    assert!(log.contains("ERROR"), "{log}");
}

#[test]
fn a_job_of_another_version_costs_its_printout_the_pictures_alone() {
    spoilt(&zstd::bulk::compress(b"another form", 1).expect("packed"));
}

#[test]
fn a_job_that_is_damaged_costs_its_printout_the_pictures_alone() {
    spoilt(b"nothing that is packed");
}

// ---- withdrawn, erased, unreachable ----

#[test]
fn a_turn_taken_back_before_it_is_drawn_never_leaves_and_the_one_that_replaces_it_does() {
    let mut host = duel(["both", "text"]);
    drawn_and_sent(&mut host);
    host.run_turn();
    let void = [1, 2].map(|seat| host.last_mail(seat).message_id);
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    assert_eq!(draws(&mut host), 0);
    let left = leave(&mut host);
    assert!((1..=2).all(|seat| printouts(&left, seat).is_empty()));
    host.robot.as_game_master(|gm| gm.release("W7")).expect("goes on");
    host.run_turn();
    assert_eq!(draws(&mut host), 1);
    let left = leave(&mut host);
    for (seat, void) in (1..=2).zip(&void) {
        let holds = &printout(&left, seat).mail;
        assert!(holds.text.contains(&end_of_seeds(&host)));
        assert_ne!(holds.message_id, *void);
    }
    assert!(!printout(&left, 1).html.is_empty());
}

#[test]
fn a_turn_taken_back_before_it_left_is_not_sent_on_request_either() {
    let mut host = duel(["text", "text"]);
    host.run_turn();
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    let row = host.receive(host.card(1, "RESEND 2\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "no-printout"));
}

#[test]
fn a_turn_taken_back_while_it_is_drawn_sends_no_files_either() {
    let mut host = limited(SMALL, ["both pdf", "text"]);
    assert!(printouts(&drawn_and_sent(&mut host), 1).len() > 1, "files go apart");
    host.run_turn();
    draws_while(&mut host, |other| {
        assert!(other.write(|tx| tx.undo_turn("W7")).expect("a store").is_some())
    });
    assert_eq!(printouts(&leave(&mut host), 1).len(), 0);
}

#[test]
fn who_is_erased_before_the_drawing_leaves_nothing_that_is_drawn_or_sent() {
    let mut host = duel(["both", "both"]);
    host.robot.store.write(|tx| tx.erase(&player(1))).expect("erased");
    assert_eq!(jobs(&host).into_keys().collect::<Vec<_>>(), [player(2)]);
    assert!(jobs(&host).values().all(|job| !job.contains(&player(1))));
    assert_eq!(draws(&mut host), 1);
    let left = leave(&mut host);
    assert!(left.iter().all(|m| m.mail.to != player(1)));
    assert!(!printout(&left, 2).html.is_empty());
}

#[test]
fn who_is_erased_while_their_printout_is_drawn_does_not_come_back_with_its_files() {
    let mut host = limited(SMALL, ["both pdf", "text"]);
    draws_while(&mut host, |other| other.write(|tx| tx.erase(&player(1))).expect("erased"));
    assert!(leave(&mut host).iter().all(|m| m.mail.to != player(1)));
    assert!(host.mails_to(1).is_empty() && !jobs(&host).contains_key(&player(1)));
}

/// Sends all that may leave through a server that takes mails of at most `most` octets.
fn leave_through(host: &mut Host, most: usize) -> Vec<Sent> {
    let (now, mut left) = (host.robot.now(), Vec::new());
    // Drawing and sending go on side by side.
    for _ in 0..8 {
        draws(host);
        let due = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
        for row in due {
            let large = row.mail.bytes.len() > most;
            let why = "too large".to_owned();
            let result = match large {
                true => SendResult::TooLarge { most: Some(most), why },
                false => SendResult::Sent,
            };
            host.robot
                .store
                .write(|tx| tx.outbox().sent([(&row, &result)], now, 86_400))
                .expect("noted");
            if !large {
                left.push(Sent::of(row.kind.as_str(), &row.mail.bytes));
            }
        }
    }
    left
}

#[test]
fn a_printout_that_is_too_large_for_the_server_goes_in_parts_and_loses_nothing() {
    let mut whole = duel(["both pdf", "text"]);
    draws(&mut whole);
    let one = leave(&mut whole);
    let whole = printout(&one, 1);
    let largest = one.iter().map(|m| m.mail.raw.len()).max().unwrap_or_default();

    // The same printouts meet a server that takes mails of two thirds of that size.
    let mut host = duel(["both pdf", "text"]);
    let most = largest * 2 / 3;
    let left = leave_through(&mut host, most);
    let parts = printouts(&left, 1);
    assert!(parts.len() > 1, "{} mails", parts.len());
    assert!(parts.iter().all(|p| p.mail.raw.len() <= most));
    let files = |sent: &Sent| sent.files.keys().cloned().collect::<Vec<_>>();
    let all: Vec<String> = parts.iter().flat_map(|p| files(p)).collect();
    for file in files(whole) {
        assert!(all.contains(&file), "{file} of {all:?}");
    }
    assert_eq!(parts[0].mail.text, whole.mail.text);
    let blamed = "SELECT count(*) FROM address WHERE bounces > 0";
    let blamed: i64 = host.robot.store.database().one(blamed, &[], |r| r.get(0)).expect("a number");
    assert_eq!(blamed, 0);
    // The next one is made so from the start.
    host.robot.run_turn("W7").expect("runs");
    draws(&mut host);
    let now = host.robot.now();
    let due = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
    assert!(due.iter().any(|r| r.kind.as_str() == "printout"));
    assert!(due.iter().all(|r| r.mail.bytes.len() <= most));
}

/// A letter of the game master to seat 1 comes back, and nothing more is sent there.
fn bounces(host: &mut Host) {
    host.robot.store.set_bounce_limit(1);
    host.robot
        .as_game_master(|gm| gm.tell_players("W7", Some(Seat(1)), "hello", "1"))
        .expect("told");
    let (now, to) = (host.robot.now(), player(1));
    let due = host.robot.store.write(|tx| tx.outbox().lease(now, 9)).expect("a store");
    let row = due.iter().find(|r| r.mail.to == to).expect("the letter");
    let never = SendResult::Never("550 5.1.1 no such user".to_owned());
    host.robot.store.write(|tx| tx.outbox().sent([(row, &never)], now, 86_400)).expect("noted");
    assert!(host.robot.store.people().is_suppressed(&to).expect("a store"));
}

#[test]
fn for_an_address_that_bounces_nothing_is_drawn_and_a_card_brings_its_printout() {
    let mut host = duel(["both", "text"]);
    bounces(&mut host);
    assert_eq!(draws(&mut host), 0);
    let left = leave(&mut host);
    assert!(printouts(&left, 1).is_empty());
    printout(&left, 2);
    assert_eq!(host.receive(host.card(1, "C 1 1\n")).reason.as_str(), "filed");
    let left = drawn_and_sent(&mut host);
    assert!(printout(&left, 1).mail.text.contains("Strategic map"));
    assert!(printouts(&left, 2).is_empty(), "they have theirs already");
}

#[test]
fn an_address_that_is_well_before_the_drawing_gets_its_printout_with_the_others() {
    let mut host = duel(["both", "both"]);
    bounces(&mut host);
    host.receive(host.card(1, "C 1 1\n"));
    assert!(leave(&mut host).is_empty(), "its echo has a page, too");
    let left = drawn_and_sent(&mut host);
    assert!((1..=2).all(|seat| printout(&left, seat).mail.text.contains("Strategic map")));
}

#[test]
fn a_turn_taken_back_while_an_address_bounced_does_not_come_when_it_is_well() {
    let mut host = duel(["both", "text"]);
    drawn_and_sent(&mut host);
    host.run_turn();
    bounces(&mut host);
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    assert_eq!(host.receive(host.card(1, "C 1 1\n")).reason.as_str(), "filed");
    let left = drawn_and_sent(&mut host);
    assert_eq!(printouts(&left, 1).len(), 0);
}

// ---- more than fits into a mail ----

/// A printout whose files all go in separate mails: each mail is within the limit.
fn in_parts(most: usize, formats: [&str; 2]) -> (Host, Vec<Sent>) {
    let mut host = limited(most, formats);
    assert_eq!(leave(&mut host).len(), 0);
    let left = drawn_and_sent(&mut host);
    let mails: Vec<Sent> = printouts(&left, 1).into_iter().cloned().collect();
    assert!(mails.len() > 1);
    for mail in &mails {
        let size = mail.mail.raw.len();
        assert!(size <= most || mail.files.len() == 1, "{}: {size}", mail.mail.subject);
    }
    assert_eq!(printouts(&left, 2).len(), 1, "all leave together");
    (host, mails)
}

#[test]
fn what_does_not_fit_follows_in_further_mails_and_nothing_is_left_out() {
    let formats = ["both pdf json", "text"];
    let left = drawn_and_sent(&mut duel(formats));
    let whole = printout(&left, 1);
    let (mut host, mails) = in_parts(60_000, formats);
    let all: BTreeMap<_, _> = mails.iter().flat_map(|m| m.files.clone()).collect();
    assert_eq!(all, whole.files);
    let (main, parts) = mails.split_first().expect("mails");
    assert_eq!(main.mail.text.trim_end(), whole.mail.text.trim_end());
    assert_eq!(main.mail.message_id, whole.mail.message_id);
    assert_eq!(main.wanted(), main.carried);
    let mut ids = BTreeSet::from([main.mail.message_id.clone()]);
    for (n, part) in (2..).zip(parts) {
        let subject = &part.mail.subject;
        assert!(subject.ends_with(&format!("(files, part {n})")), "{subject}");
        assert!(part.mail.text.starts_with(MARKER));
        assert!(ids.insert(part.mail.message_id.clone()), "an id of its own");
        let thread = format!("<{}>", main.mail.message_id);
        assert_eq!(header(&part.mail, "References"), Some(thread));
        assert_eq!(part.mail.reply_to, main.mail.reply_to);
    }
    let orders = mail(&player(1), &parts[0].mail.reply_to, "C 1 1\n");
    assert_eq!(host.receive(orders).reason.as_str(), "filed");
    assert_eq!(host.on_file(1), "C 1 1\n");
}

#[test]
fn pictures_that_would_just_fit_without_the_ends_of_their_lines_go_in_two_mails() {
    let formats = ["both noics", "text"];
    let left = drawn_and_sent(&mut duel(formats));
    let pictures = &printout(&left, 1).files;
    let most = pictures.values().map(|f| f.len() * 4 / 3 + 500).sum();
    in_parts(most, formats);
}

// ---- asked for again, given to another ----

/// A printout without the line that says how much time is left.
fn undated(text: &str) -> String {
    let lines = text.lines().filter(|l| !l.starts_with("Orders for turn"));
    lines.map(|l| format!("{l}\n")).collect()
}

#[test]
fn resend_gives_all_forms_before_and_after_the_drawing_and_no_second_printout() {
    let mut host = duel(["both", "text"]);
    let resend = |host: &mut Host, words: &str| {
        let row = host.receive(host.card(1, words));
        assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "resent"));
    };
    resend(&mut host, "RESEND\n");
    let mut left = drawn_and_sent(&mut host);
    let text = printout(&left, 1).mail.text.clone();
    resend(&mut host, "RESEND 1\n");
    left.extend(drawn_and_sent(&mut host));
    printout(&left, 1);
    let again: Vec<&Sent> = left.iter().filter(|m| m.mail.subject.contains("sent again")).collect();
    assert_eq!(again.len(), 2);
    let ids: BTreeSet<&str> = left.iter().map(|m| m.mail.message_id.as_str()).collect();
    assert_eq!(ids.len(), left.len(), "each is a mail of its own");
    for mail in again {
        assert_eq!(undated(&mail.mail.text), undated(&text));
        assert!(!mail.html.is_empty(), "the newest comes in all its forms");
    }
}

#[test]
fn a_printout_from_before_turns_were_kept_has_its_turn_when_it_is_sent_again() {
    let mut host = duel(["both json", "text"]);
    host.run_turn();
    drawn_and_sent(&mut host);
    let database = host.robot.store.database();
    let sql = "SELECT drawing.outbox, what_z FROM drawing JOIN outbox ON outbox.id = outbox
               WHERE seat = 1";
    let rows = database.all(sql, &[], |r| Ok((r.get::<_, i64>(0)?, r.get::<_, Vec<u8>>(1)?)));
    let rows: Vec<(i64, Vec<u8>)> = rows.expect("rows");
    assert!(!rows.is_empty(), "what is drawn stays for RESEND");
    for (mail, packed) in rows {
        let what = zstd::stream::decode_all(&*packed).expect("packed");
        let mut job = Job::of(&what).expect("a job");
        job.document.head.turns = Turns::default();
        let older = job.drawing().what.expect("bytes");
        let older = zstd::bulk::compress(&older, 1).expect("packed");
        let sql = "UPDATE drawing SET what_z = $1 WHERE outbox = $2";
        database.exec(sql, &[&older, &mail]).expect("older");
    }
    host.receive(host.card(1, "RESEND\n"));
    let left = drawn_and_sent(&mut host);
    let again = left.iter().find(|m| m.mail.subject.contains("sent again")).expect("a mail");
    assert_eq!(again.json()["turn"], 2);
}

#[test]
fn who_asks_for_a_printout_again_has_it_no_sooner_than_the_others() {
    let mut host = duel(["text", "both"]);
    host.receive(host.card(1, "RESEND\n"));
    assert_eq!(leave(&mut host).len(), 0, "the other's is still to be drawn");
    let left = drawn_and_sent(&mut host);
    let again = |m: &&Sent| m.mail.to == player(1) && m.mail.subject.contains("sent again");
    assert_eq!(left.iter().filter(again).count(), 1);
}

#[test]
fn who_is_given_a_seat_gets_its_printout_drawn_though_the_others_have_theirs() {
    let mut host = duel(["both", "text"]);
    host.run_turn();
    assert_eq!(draws(&mut host), 2, "of both turns");
    leave(&mut host);
    host.robot.as_game_master(|gm| gm.give_seat("W7", Seat(2), NEW)).expect("given");
    assert!(leave(&mut host).iter().all(|m| m.mail.to != NEW), "not before it is drawn");
    assert_eq!(draws(&mut host), 1);
    let left = leave(&mut host);
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].mail.to.as_str(), left[0].kind.as_str()), (NEW, "printout"));
    assert!(left[0].mail.subject.starts_with("[W7 T2 S2]") && !left[0].html.is_empty());
}

// ---- the last printout, and what stays secret ----

/// A game of two turns, and the mails that left after the first; `format` is that of the last
/// printout.
fn ended(format: &str) -> (Host, Vec<Sent>) {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut game = a_game("warlord", 2);
    // Whoever holds a hundredth at the ends of two turns has won.
    let rules = include_str!("../../config/warlord/rules.toml");
    let quick = rules.replace("turns = 3                # in a row", "turns = 2");
    game.data.insert("rules.toml".to_owned(), quick);
    game.options.insert("leader_percent".to_owned(), "1".to_owned());
    host.robot.new_game(game).expect("a game");
    start(&mut host, ["text", "text"]);
    host.run_turn();
    let before = leave(&mut host);
    choose(&mut host, 1, format);
    host.run_turn();
    (host, before)
}

#[test]
fn the_last_printout_has_the_standing_the_charts_and_all_seeds() {
    let (mut host, before) = ended("both json");
    let left = drawn_and_sent(&mut host);
    let last = printout(&left, 1);
    assert!(last.mail.subject.contains("is over: ") && last.json()["over"] == true);
    let said = flat(&last.mail.text);
    for heading in ["Final standing", "The course of the game", "The seeds"] {
        assert!(said.contains(heading) && last.html.contains(heading), "{heading}");
    }
    let chains = host.robot.game("W7").expect("the game").chains;
    for (turn, value) in base::chain::values(&chains, 2) {
        let value = base::chain::hex(&value);
        assert!(said.contains(&format!("{turn} {value}")), "turn {turn}");
    }
    let end = end_of_seeds(&host);
    assert!(printouts(&before, 1).iter().all(|m| m.mail.text.contains(&end)));
    let wanted = last.wanted();
    assert!(wanted.iter().filter(|id| id.starts_with("chart-")).count() >= 3, "{wanted:?}");
    assert_eq!(wanted, last.carried);
    let names: BTreeSet<&str> = wanted.iter().copied().collect();
    assert_eq!(names.len(), wanted.len(), "each picture has a name of its own: {wanted:?}");
}

#[test]
fn what_printouts_of_a_game_that_is_over_were_drawn_from_is_forgotten_in_time() {
    let (mut host, _) = ended("both");
    drawn_and_sent(&mut host);
    host.pass((host.robot.cx.limits.keep_raw_days + 1) * 24 * 60);
    host.robot.forget_old_mails().expect("the store works");
    let left = jobs(&host);
    assert!(left.is_empty(), "{:?}", left.keys().collect::<Vec<_>>());
}

/// The name of a city that a seat holds.
fn city(turn: &Value) -> &str {
    let mut sections = turn["sections"].as_array().expect("sections").iter();
    let economy = sections.find(|s| s["id"] == "economy").expect("the economy");
    economy["parts"][1]["rows"][0]["name"].as_str().expect("a name")
}

#[test]
fn nothing_of_a_seats_printout_is_in_what_is_drawn_for_another() {
    let mut host = duel(["both pdf json", "both json"]);
    host.receive(host.card(2, "TURN 2\nC 2 1\n"));
    host.run_turn();
    let jobs = jobs(&host);
    let left = drawn_and_sent(&mut host);
    let of = |seat: u8| *printouts(&left, seat).last().expect("a printout");
    let theirs = [1, 2].map(|seat| of(seat).json());
    assert!(of(2).html.contains("Your card on file"));
    for (own, other) in [(1, 2), (2, 1)] {
        let [own_turn, their_turn] = [own, other].map(|s| &theirs[usize::from(s) - 1]);
        let key = host.robot.store.key();
        let secrets = [key.reply("W7", Seat(other), 0, 2), key.stop("W7", Seat(other), 0)];
        let hidden = [format!("W7 T2 S{other} "), player(other), city(their_turn).to_owned()];
        let job = &jobs[&player(own)];
        assert!(job.contains(&format!("W7 T2 S{own} ")), "the job of seat {own}");
        for form in [&own_turn.to_string(), &of(own).html, &of(own).mail.text, job] {
            assert!(form.contains(city(own_turn)));
            for hidden in secrets.iter().chain(&hidden) {
                assert!(!form.contains(hidden.as_str()), "seat {own} reads {hidden}");
            }
            assert!(own == 2 || !form.contains("Your card on file"));
        }
    }
}

#[test]
fn an_echo_that_is_too_large_with_its_page_is_one_mail_of_text() {
    let mut host = limited(SMALL / 4, ["html", "text"]);
    drawn_and_sent(&mut host);
    let card = host.card(1, "A 1 2");
    host.receive(card);
    let left = drawn_and_sent(&mut host);
    assert_eq!(left.iter().map(|m| m.kind.as_str()).collect::<Vec<_>>(), ["echo"]);
    assert!(left[0].html.is_empty() && left[0].mail.text.contains("A 1 2"));
}

#[test]
fn an_echo_has_a_page_with_a_map_where_it_is_proven_and_wanted() {
    let mut host = Host::new();
    for seat in [1, 2] {
        wants(&mut host.robot.store, "W7", Seat(seat), Format::default());
    }
    leave(&mut host);
    let echo = |host: &mut Host, raw: String| {
        host.receive(raw);
        draws(host);
        leave(host).remove(0).mail.raw
    };
    let proven = host.card(1, "A 1 2");
    let page = echo(&mut host, proven);
    for part in ["Content-Type: text/html", "Content-Type: image/png", "orders-"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(page.contains("Content-Type: text/plain"), "the text is whole without it");
    // A card without movements has a page and no map.
    let idle = host.card(1, "P 1 1");
    let page = echo(&mut host, idle);
    assert!(page.contains("text/html") && !page.contains("image/png"));
    // An unproven mail costs no drawing.
    host.receive(mail(&player(2), ROBOT, "A 1 2\n"));
    let question = host.last_mail(2);
    assert!(question.subject.contains("is this card yours?"), "{}", question.subject);
    assert!(!question.raw.contains("text/html"), "{}", question.raw);
    let plain = host.card(1, "FORMAT text");
    host.receive(plain);
    let again = host.card(1, "A 1 3");
    assert!(!echo(&mut host, again).contains("text/html"));
}

#[test]
fn the_map_of_an_echo_shows_the_turn_that_its_card_was_for() {
    let mut host = Host::new();
    wants(&mut host.robot.store, "W7", Seat(1), Format::default());
    leave(&mut host);
    let echo = |host: &mut Host| {
        draws(host);
        let left = leave(host);
        let echo = left.into_iter().find(|m| m.kind == "echo").expect("an echo");
        (echo.html.contains("On the map"), echo.files.into_values().collect::<Vec<_>>())
    };
    let card = host.card(1, "A 1 2");
    host.receive(&card);
    let (shown, at_once) = echo(&mut host);
    assert!(shown && !at_once.is_empty());
    // The turn has run before it is drawn.
    host.receive(host.card(1, "TURN 2\nA 1 2\n"));
    assert!(echo(&mut host) == (false, Vec::new()), "a card for later");
    host.receive(host.card(1, "A 1 2\n"));
    host.robot.as_game_master(|gm| gm_commands::carry_out(gm, "RUN W7")).expect("it runs");
    assert!(echo(&mut host) == (true, at_once), "the same pictures");
    // The turn in which it was judged is over by now: its text says everything.
    host.receive(host.card(1, "STATUS\n"));
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("taken back");
    host.robot.as_game_master(|gm| gm.release("W7")).expect("goes on");
    host.receive(host.card(2, "C 2 3\n"));
    host.robot.as_game_master(|gm| gm_commands::carry_out(gm, "RUN W7")).expect("it runs");
    assert!(echo(&mut host) == (false, Vec::new()), "no map of another turn");
}

#[test]
fn rules_pdf_brings_the_rulebook_as_a_file_to_who_is_proven() {
    for engine in ENGINES.iter() {
        let mut host = Host::empty(&ENGINES, Limits::default());
        let seats = engine.practice().seats;
        host.robot.new_game(a_game(engine.id(), seats)).expect("a game");
        host.seat_players(seats);
        host.robot.start("W7", None, false).expect("starts");
        leave(&mut host);
        host.receive(host.card(1, "RULES PDF\n"));
        let left = drawn_and_sent(&mut host);
        let [mail] = left.as_slice() else { panic!("one mail") };
        assert!(mail.mail.text.contains("The rulebook of your game"), "{}", mail.mail.text);
        let pdf = &mail.files["w7-rules.pdf"];
        assert!(pdf.starts_with(b"%PDF-") && pdf.len() < 1_000_000, "{}", pdf.len());
        assert!(!mail.files.contains_key("turn.json") && mail.html.is_empty());
    }
    let mut host = duel(["text", "text"]);
    leave(&mut host);
    host.receive(mail(&player(1), ROBOT, "RULES PDF\n"));
    assert!(drawn_and_sent(&mut host).iter().all(|m| !m.files.contains_key("w7-rules.pdf")));
}

#[test]
fn what_a_printout_is_drawn_from_is_kept_of_the_newest_of_each_seat() {
    let mut host = Host::new();
    for _ in 0..2 {
        host.pass_deadline();
    }
    let sql =
        "SELECT seat, max(turn), count(*) FROM drawing JOIN outbox ON outbox.id = drawing.outbox
               WHERE kind = 'printout' GROUP BY seat ORDER BY seat";
    let row =
        |r: &store::db::Row| Ok((r.get::<_, i64>(0)?, r.get::<_, i64>(1)?, r.get::<_, i64>(2)?));
    let kept: Vec<_> = host.robot.store.database().all(sql, &[], row).expect("rows");
    assert_eq!(kept, (1..=4).map(|seat| (seat, 3, 1)).collect::<Vec<_>>());
}
