//! The cost of a mail is bounded: a card is judged once, limits are checked before any reading, and
//! the cost of a mail of any shape grows only with its bytes. The tests count steps of work, not
//! time.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use base::clock::{Clock, FixedEntropy};
use base::terms::Format;
use engine::{Seat, effort};
use jiff::SignedDuration;
use registry::ENGINES;
use robot::Robot;
use robot::limits::Limits;
use store::{Reason, Store, Verdict};
use support::host::*;
use support::shapes::shapes;
use support::toy::{self, TOYS};

/// Steps that a mail may cost whatever it says, and for each of its bytes.
const STEPS: u64 = 6_000;
const STEPS_A_BYTE: f64 = 24.0;

fn with_toy() -> Host {
    Host::with(TOYS, "toy", 3, Limits::default())
}

/// How often the engine judged a card for a mail, and the reason of the verdict.
fn judged(host: &mut Host, raw: &str) -> (u32, Reason) {
    toy::JUDGED.set(0);
    let reason = host.receive(raw).reason;
    (toy::JUDGED.get(), reason)
}

#[test]
fn a_card_is_judged_once_whatever_becomes_of_it() {
    let mut host = with_toy();
    let many = "SAY it\n".repeat(401);
    for (lines, reason, times) in [
        ("SAY one\nSAY two\n", Reason::Filed, 1),
        ("ADD\nSAY three\n", Reason::Added, 1),
        ("CHECK\nSAY four\nSAY five\n", Reason::Checked, 1),
        ("SAY one\nGUARD it\nSAY two\n", Reason::Filed, 1),
        ("STATUS\nSAY one\n", Reason::Filed, 1),
        // The answer also shows the card on file, which is judged again.
        ("GUARD it\n", Reason::UnreadableCard, 2),
        ("CANCEL\n", Reason::Cancelled, 1),
        ("TURN 90\nSAY one\n", Reason::FutureTurn, 1),
        (&many, Reason::TooManyLines, 0),
    ] {
        let raw = host.card(1, lines);
        assert_eq!(judged(&mut host, &raw), (times, reason), "{lines:.40}");
    }
    // Long lines that a program may have broken in two are no reason to judge it again.
    let long = format!("SAY {}\n", "x".repeat(70)).repeat(30);
    let raw = host.card(1, &long);
    assert_eq!(judged(&mut host, &raw), (1, Reason::Filed));
}

#[test]
fn what_nothing_proves_is_judged_once_and_what_is_too_long_never() {
    let mut host = with_toy();
    let from = |lines: &str| mail(&player(2), ROBOT, lines);
    assert_eq!(judged(&mut host, &from("SAY one\nLATER two\n")), (1, Reason::Unproven));
    let many = "LATER it\n".repeat(401);
    assert_eq!(judged(&mut host, &from(&many)), (0, Reason::TooManyLines));
    let large = format!("LATER it\n{}", "\n".repeat(210_000));
    assert_eq!(judged(&mut host, &from(&large)), (0, Reason::TooLarge));
    let stranger = mail("max@nowhere.example", ROBOT, "SAY one\n");
    assert_eq!(judged(&mut host, &stranger), (0, Reason::UnknownSender));
}

#[test]
fn of_a_stranger_no_more_is_read_than_a_command_needs() {
    let mut host = Host::new();
    let mut cost = |lines: usize| {
        let words = "advence my tnak to the nrothern cty of palamere";
        let raw = mail(&format!("x@h{lines}.example"), ROBOT, &format!("{words}\n").repeat(lines));
        let before = effort::counted();
        assert_eq!(host.receive(raw).reason, Reason::UnknownSender);
        effort::counted() - before
    };
    let (few, many) = (cost(40), cost(4_000));
    // Each line is looked at once, for what is new in the mail.
    assert!(many - few <= 2 * 4_000, "{few} and {many}");
}

#[test]
fn a_command_is_found_above_any_number_of_lines() {
    let mut host = Host::new();
    let row =
        host.receive(mail("x@nowhere.example", ROBOT, &format!("GAMES\n{}", "x\n".repeat(900))));
    assert_eq!(row.reason, Reason::Games);
    // Also of a player, in a mail that is too large for a card without a proof.
    let large = format!("STATUS\n{}", "\n".repeat(210_000));
    let row = host.receive(mail(&player(1), ROBOT, &large));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
}

/// A toy, and another robot on the same store.
fn with_another() -> (Host, Robot) {
    let host = Host::with_toy_in_a_file();
    let store = Store::open(host.dir.path(), &FixedEntropy::new(8)).expect("a store");
    let (identity, limits) = (host.robot.cx.identity.clone(), Limits::default());
    let (clock, entropy) = (host.clock.clone(), Arc::new(FixedEntropy::new(9)));
    let gm = host.robot.cx.gm.clone();
    let another = Robot::new(store, identity, gm, limits, TOYS, clock, entropy);
    (host, another)
}

/// The result of a card when another robot does something while its lines are judged.
fn meanwhile(host: &mut Host, lines: &str, happens: impl FnOnce() + 'static) -> store::MailRow {
    toy::MEANWHILE.set(Some(Box::new(happens)));
    let raw = host.card(1, lines);
    host.receive(raw)
}

#[test]
fn a_card_is_judged_again_when_what_it_was_judged_by_has_changed() {
    // A newer card of the seat came by another mailbox.
    let (mut host, mut another) = with_another();
    let newer = mail::RawMessage {
        received_at: host.clock.now() + SignedDuration::from_mins(30),
        source: "other".into(),
        ..host.message(host.card(1, "SAY later\n").as_bytes())
    };
    let row = meanwhile(&mut host, "SAY earlier\n", move || {
        another.receive_from(&[newer], Some("other")).expect("a verdict");
    });
    assert_eq!((row.reason, toy::JUDGED.get() > 1), (Reason::OlderCard, true), "{}", row.why);
    assert_eq!(host.on_file(1), "SAY later\n");

    // The game was suspended.
    let (mut host, mut another) = with_another();
    let row = meanwhile(&mut host, "SAY it\n", move || {
        another.suspend("W7", "a test").expect("suspended");
    });
    assert_eq!(row.reason, Reason::Filed, "a suspended game takes cards");
    assert!(host.answers(&row)[0].text.contains("suspended"), "it is told how it is now");

    // Something that does not matter to it.
    let (mut host, mut another) = with_another();
    toy::JUDGED.set(0);
    let row = meanwhile(&mut host, "SAY it\n", move || {
        another.store.write(|tx| tx.set_note("x", "y")).expect("a note");
    });
    assert_eq!((row.reason, toy::JUDGED.get()), (Reason::Filed, 1));
}

#[test]
fn a_copy_that_another_robot_judges_meanwhile_has_no_second_effect() {
    let (mut host, mut another) = with_another();
    let raw = host.card(1, "SAY it\n");
    let copy = mail::RawMessage { source: "other".into(), ..host.message(raw.as_bytes()) };
    toy::MEANWHILE.set(Some(Box::new(move || {
        another.receive_from(&[copy], Some("other")).expect("a verdict");
    })));
    let row = host.receive(&raw);
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Ignored), Reason::Duplicate));
}

#[test]
fn nobody_who_writes_waits_for_a_card_that_is_judged() {
    let (mut host, another) = with_another();
    another.store.only_read(std::time::Duration::ZERO).expect("it waits for nobody");
    let free = Rc::new(Cell::new(false));
    let seen = Rc::clone(&free);
    toy::MEANWHILE.set(Some(Box::new(move || {
        let store = another.store.database();
        store.batch("PRAGMA query_only = 0; BEGIN IMMEDIATE; ROLLBACK").expect("the lock is free");
        seen.set(true);
    })));
    let raw = host.card(1, "SAY it\n");
    assert_eq!(host.receive(raw).reason, Reason::Filed);
    assert!(free.get());
}

#[test]
fn mails_that_are_judged_side_by_side_come_out_as_one_after_the_other() {
    let cards = |host: &mut Host| -> Vec<mail::RawMessage> {
        let mut all = Vec::new();
        for n in 0..30u8 {
            let seat = n % 4 + 1;
            let text = match n % 5 {
                0 => "READY\n".to_owned(),
                1 => format!("ADD\nM {} 3\n", n + 1),
                2 => "STATUS\n".to_owned(),
                3 => format!("M 1 {n}\nC 1 1\n"),
                _ => "CHECK\nM 1 1\n".to_owned(),
            };
            all.push(host.message(host.card(seat, &text).as_bytes()));
            let stranger = mail(&format!("x{n}@nowhere.example"), ROBOT, "HELP\n");
            all.push(host.message(stranger.as_bytes()));
        }
        all
    };
    let told = |judges: usize| {
        let mut host = Host::in_a_file();
        for _ in 0..judges {
            let store = Store::open(host.dir.path(), &FixedEntropy::new(8)).expect("a store");
            host.robot.judges.push(store);
        }
        let all = cards(&mut host);
        host.robot.receive(&all).expect("verdicts");
        let rows = host.robot.store.mails().latest(100).expect("a store");
        let verdicts: Vec<_> = rows.iter().map(|r| (r.id, r.verdict, r.reason)).collect();
        (verdicts, (1..=4).map(|seat| host.on_file(seat)).collect::<Vec<_>>())
    };
    let alone = told(0);
    assert_eq!(alone.0.len(), 60);
    assert_eq!(told(3), alone);
}

#[test]
fn what_proves_nothing_shares_a_budget_of_cpu_time_and_waits_behind_what_does() {
    let mut host = Host::new();
    // Each mail takes half a second.
    host.clock.set_cost(500);
    let stranger = |n: u32| mail(&format!("x@h{n}.example"), ROBOT, "hello\n");
    let mut all: Vec<_> = (0..100).map(|n| host.message(stranger(n).as_bytes())).collect();
    all.push(host.message(host.card(1, "M 1 3\n").as_bytes()));
    let judged = host.robot.receive(&all).expect("verdicts");
    // The last of a hundred mails is judged first, then the rest of the batch that was begun.
    let rows: Vec<_> = judged
        .iter()
        .map(|id| host.robot.store.mails().mail(*id).expect("a store").expect("one"))
        .collect();
    let reasons: Vec<Reason> = rows.iter().map(|r| r.reason).collect();
    assert_eq!(reasons[0], Reason::Filed, "{reasons:?}");
    assert!((12..=32).contains(&rows.len()), "{}", rows.len());
    assert!(host.robot.is_behind());
    // No turn waits for them.
    assert!(!host.robot.store.mails().awaits_verdict("W7", host.clock.now()).expect("a store"));
    // A proven mail is judged at once.
    let card = host.message(host.card(2, "M 2 3\n").as_bytes());
    let judged = host.robot.receive(&[card]).expect("verdicts");
    assert_eq!(judged.len(), 1);
    assert_eq!(host.on_file(2), "M 2 3\n");
    for _ in 0..10 {
        host.pass(2);
        host.robot.receive(&[]).expect("verdicts");
    }
    assert!(host.robot.store.mails().unjudged().expect("a store").is_empty());
    assert!(!host.robot.is_behind());
    let quarantined = host.robot.store.mails().quarantined(9).expect("a store");
    assert!(quarantined.is_empty(), "waiting is no failed attempt: {quarantined:?}");
}

#[test]
fn a_mail_that_takes_too_long_is_set_aside_and_the_game_master_hears_of_it() {
    let mut host = Host::new();
    host.clock.set_cost(1_500);
    let row = host.receive(host.card(1, "M 1 3\n"));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Quarantined), Reason::Unreadable));
    assert!(row.why.contains("1500 ms of CPU time"), "{}", row.why);
    assert!(host.told_game_master().contains("was set aside"));
    host.receive(host.card(2, "M 1 3\n"));
    let to_gm = host.mails_to_address("gm@fieldpost.example");
    assert_eq!(to_gm.iter().filter(|m| m.subject.contains("set aside")).count(), 1, "once an hour");
    host.clock.set_cost(10);
    assert_eq!(host.receive(host.card(3, "M 1 3\n")).reason, Reason::Filed);
}

#[test]
fn a_mail_whose_judging_never_ends_is_noticed_after_a_minute_of_looks() {
    let mut host = with_toy();
    let at_work = Arc::clone(&host.robot.cx.at_work);
    let noticed = Rc::new(Cell::new(None));
    let seen = Rc::clone(&noticed);
    toy::MEANWHILE.set(Some(Box::new(move || {
        seen.set((1..=100).find_map(|n| Some((n, *at_work.look().first()?))));
    })));
    let row = host.receive(host.card(1, "SAY it\n"));
    assert_eq!(noticed.get(), Some((60, row.id)));
    assert!((0..100).all(|_| host.robot.cx.at_work.look().is_empty()), "it has ended");
}

#[test]
fn a_mail_that_is_given_up_is_set_aside_by_the_next_start_and_the_game_master_hears_of_it() {
    let mut host = with_toy();
    let (stuck, other) = (host.card(1, "SAY it\n"), host.card(1, "SAY more\n"));
    let stuck = [host.message(stuck.as_bytes())];
    host.robot.store.write(|tx| tx.mails().store_raw(&stuck)).expect("stored");
    host.robot.store.write(|tx| tx.mails().first_attempts(None)).expect("counted");
    let id = host.robot.store.mails().unjudged().expect("a store")[0].0;
    host.robot.store.write(|tx| tx.mails().give_up(id)).expect("given up");
    toy::JUDGED.set(0);
    assert_eq!(host.receive(other).reason, Reason::Filed);
    let row = host.robot.store.mails().mail(id).expect("a store").expect("the mail");
    assert_eq!((row.verdict, toy::JUDGED.get()), (Some(Verdict::Quarantined), 1), "{}", row.why);
    let told = host.told_game_master();
    assert!(told.contains("was set aside unjudged: reading or judging it failed"), "{told}");
}

/// The mails of any shape that cost too much in a game, a line for each.
fn too_dear(game: &str) -> Vec<String> {
    let engine = engine::find(&ENGINES, game).expect("a game");
    let most = 1_000_000;
    let limits = Limits { cards_per_hour: most, mails_per_hour: most, ..Limits::default() };
    let mut host = Host::with(&ENGINES, game, (*engine.seats().start()).max(2), limits);
    let secret = host.robot.store.key().reply("W7", Seat(1), 0, 1);
    let proven = format!("robot+W7.1.{secret}@fieldpost.example");
    let mut found = Vec::new();
    for (n, shape) in shapes(engine, 12_000).iter().enumerate() {
        // Every third of each kind is unproven; the same code reads it.
        let to = if n % 3 == 0 { ROBOT } else { &proven };
        let raw = shape.mail(&player(1), to, "orders");
        // The answer to a card without a right line shows the orders on file, some ten times a day;
        // orders that another shape left there must not count as a cost of this one.
        host.receive(mail(&player(1), &proven, &format!("CANCEL\n\n> {n}\n")));
        let before = effort::counted();
        host.receive(&raw);
        let steps = effort::counted() - before;
        if steps > STEPS + (raw.len() as f64 * STEPS_A_BYTE) as u64 {
            found.push(format!("{steps} steps for {} bytes of {}", raw.len(), shape.name));
        }
    }
    found
}

#[test]
fn no_shape_of_a_mail_costs_more_than_its_bytes_in_warlord() {
    assert_eq!(too_dear("warlord"), [""; 0]);
}

#[test]
fn no_shape_of_a_mail_costs_more_than_its_bytes_in_battle_plan() {
    assert_eq!(too_dear("battle-plan"), [""; 0]);
}

#[test]
fn no_shape_of_a_mail_costs_more_than_its_bytes_in_classic_warlord() {
    assert_eq!(too_dear("classic-warlord"), [""; 0]);
}

#[test]
fn no_shape_of_a_mail_costs_more_than_its_bytes_in_empire_deluxe() {
    assert_eq!(too_dear("empire-deluxe"), [""; 0]);
}

#[test]
fn no_shape_of_a_mail_costs_more_than_its_bytes_in_imperium() {
    assert_eq!(too_dear("imperium"), [""; 0]);
}

#[test]
fn taking_back_orders_of_a_full_card_costs_what_any_mail_of_words_may_cost() {
    let limits = Limits { cards_per_hour: 1_000, mails_per_hour: 1_000, ..Limits::default() };
    for (game, order, line) in [
        (
            "warlord",
            "A 1 04826",
            "forget the attack on Isdilund, unit 3 and unit 4, but not 5 or 6",
        ),
        ("empire-deluxe", "M 1 10,10", "cancel army 1, army 2 and army 3, but not 4, 5 and 6 yet"),
        ("battle-plan", "S1BA", "forget the spies in Finland, Sweden and Denmark, but not 5 or 6"),
    ] {
        let mut host = Host::with(&ENGINES, game, 4, limits.clone());
        let full = format!("{order}\n").repeat(150);
        host.receive(host.card(1, &full));
        let had = host.on_file(1);
        let text = format!("{line}\n").repeat(40);
        let before = effort::counted();
        host.receive(host.card(1, &text));
        let steps = effort::counted() - before;
        let bytes = had.len() + text.len();
        let most = STEPS + (bytes as f64 * STEPS_A_BYTE) as u64;
        assert!(
            steps <= most,
            "{game}: {steps} steps, {most} at most, {} on file",
            had.lines().count()
        );
    }
}

/// How many statements were noted since the last call, and a list of them for a failure.
fn statements(noted: &Statements) -> (usize, String) {
    let all = std::mem::take(&mut *noted.lock().expect("a list"));
    let mut list: Vec<(usize, String)> = all.into_iter().map(|(text, n)| (n, text)).collect();
    list.sort_by(|a, b| b.cmp(a));
    let shown: Vec<String> = list.iter().map(|(n, text)| format!("{n} x {text:.90}")).collect();
    (list.iter().map(|s| s.0).sum(), shown.join("\n"))
}

#[test]
fn each_row_is_read_once_a_card() {
    let mut host = Host::with(&ENGINES, "warlord", 12, Limits::default());
    for seat in (1..=12).map(Seat) {
        wants(&mut host.robot.store, "W7", seat, Format::default());
    }
    let noted = host.note_statements();
    let cards = |host: &mut Host, kind: u8| {
        let orders = |seat: u8| format!("C {seat} {kind}\n");
        let answer = |seat: u8| {
            let tag = format!("Subject: Re: [W7 T1 S{seat}] orders");
            host.card(seat, &orders(seat)).replace("Subject: orders", &tag)
        };
        let mails: Vec<String> = (1..=12).map(answer).collect();
        let mails: Vec<_> = mails.iter().map(|raw| host.message(raw.as_bytes())).collect();
        statements(&noted);
        host.robot.receive(&mails).expect("the store works");
        let told = statements(&noted);
        assert!((1..=12).all(|seat| host.on_file(seat) == orders(seat)));
        told
    };
    // The first cards of a step compute what the later ones reuse.
    cards(&mut host, 1);
    let (count, list) = cards(&mut host, 2);
    assert!(count <= 15 * 12, "{count} statements for 12 cards:\n{list}");
}

#[test]
fn a_mail_that_answers_thousands_of_mails_has_few_of_them_looked_up() {
    let mut host = Host::new();
    let printout = host.last_mail(1).raw;
    let id = printout.lines().find_map(|l| l.strip_prefix("Message-ID: ")).expect("a name");
    let noted = host.note_statements();
    let ids: String = (0..4_000).map(|n| format!(" <{n}.x@nowhere.example>\r\n")).collect();
    for from in [player(1), "x@nowhere.example".to_owned()] {
        statements(&noted);
        host.receive(format!("References:{ids}{}", mail(&from, ROBOT, "SAY it\n")));
        let (count, list) = statements(&noted);
        assert!(count <= 60, "{count} statements of {from}:\n{list}");
    }
    // The last Message-ID, which the mail answers, is still known.
    let card = mail(&player(1), ROBOT, "M 1 3\n");
    let row = host.receive(format!("References:{ids} {id}\r\n{card}"));
    assert_eq!(row.reason, Reason::Filed);
}

#[test]
fn each_row_is_read_once_a_turn() {
    let counted = |seats: u8| {
        let mut host = Host::with(&ENGINES, "warlord", seats, Limits::default());
        let noted = host.note_statements();
        statements(&noted);
        host.run_turn();
        statements(&noted)
    };
    let ((few, _), (many, list)) = (counted(6), counted(16));
    let each = (many - few).div_ceil(10);
    assert!(each <= 4 && many <= 50 + 16 * each, "{few} and {many} statements:\n{list}");
}
