//! Imperium by mail: segments that are halted, battles that stop after a round, and what the
//! other seat must not learn from its mails.

use base::clock::Clock;
use engine::Until;
use jiff::SignedDuration;
use registry::ENGINES;
use robot::limits::Limits;
use store::Verdict;
use support::host::{Got, Host, a_game};

use crate::talk::flat;

fn imperium(options: &[(&str, &str)]) -> Host {
    imperium_of(false, options)
}

/// A game of Imperium; `scripted` says whether its dice are drawn independently of the cards.
fn imperium_of(scripted: bool, options: &[(&str, &str)]) -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.cx.scripted = scripted;
    let mut game = a_game("imperium", 2);
    for (name, value) in options.iter().chain(&[("turn_hours", "48"), ("live_hours", "12")]) {
        game.options.insert((*name).to_owned(), (*value).to_owned());
    }
    host.robot.new_game(game).expect("a game");
    host.seat_players(2);
    host.robot.start("W7", None, false).expect("starts");
    host
}

fn label(host: &Host) -> String {
    host.robot.game("W7").expect("the game").step.label
}

/// The segment that is open.
fn segment(host: &Host) -> u8 {
    let label = label(host);
    let after = label.split("segment ").nth(1).and_then(|rest| rest.chars().next());
    after.and_then(|c| c.to_digit(10)).map_or(1, |n| u8::try_from(n).expect("a segment"))
}

fn goes_on(host: &mut Host) {
    let now = host.clock.now();
    host.robot.run_due(now).expect("the robot goes on");
}

/// Sends a card of a seat, which is done then.
fn mails(host: &mut Host, seat: u8, card: &str) {
    let card = if card.is_empty() { "READY".to_owned() } else { format!("{card}\nREADY") };
    let row = host.receive(host.card(seat, &card));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{card}: {}", row.why);
    let echo = flat(&host.answers(&row).remove(0).text);
    assert!(!echo.contains("error: "), "{echo}");
}

/// Both send a card; returns the step that is open then.
fn both(host: &mut Host, terran: &str, imperial: &str) -> String {
    let before = label(host);
    mails(host, 1, terran);
    goes_on(host);
    assert_eq!(label(host), before, "the other is awaited");
    mails(host, 2, imperial);
    goes_on(host);
    label(host)
}

/// Plays turn 1 until a step ends like this; the dice of a segment may be equal, and then nobody
/// acts. The cards fit any segment.
fn until(host: &mut Host, end: &str, terran: &str, imperial: &str) {
    both(host, "", "");
    for _ in 0..4 {
        let open = segment(host);
        let plan = |card: &str| format!("SEG {open}\n{card}");
        let imperial = if imperial.is_empty() { String::new() } else { plan(imperial) };
        if both(host, &plan(terran), &imperial).ends_with(end) {
            return;
        }
    }
    panic!("no step ended with {end}: {}", label(host));
}

/// The mail that opened the step for a seat: a brief, with a clock of 12 hours.
fn brief(host: &Host, seat: u8) -> Got {
    let game = host.robot.game("W7").expect("the game");
    let Until::Clock { name, hours } = &game.step.until else { panic!("{:?}", game.step.until) };
    assert_eq!((name.as_str(), *hours), ("live", 12));
    let due = game.deadline.expect("a deadline");
    assert_eq!(due.duration_since(host.clock.now()), SignedDuration::from_hours(12));
    assert_eq!(game.step.awaited.len(), 2, "{}", game.step.label);
    let mail = host.last_mail(seat);
    let wanted = format!("your orders are awaited: {}", game.step.label);
    assert!(mail.subject.ends_with(&wanted), "{}", mail.subject);
    assert!(!mail.text.contains("Star chart") && !mail.text.contains("Your fleets"), "a brief");
    mail
}

#[test]
fn a_halt_leads_to_a_brief_for_both_and_to_a_new_plan_for_the_rest() {
    let mut host = imperium(&[]);
    until(&mut host, ", halted", "HALT IF I1\nA 04\nM 2 15", "");
    let open = segment(&host);
    assert_eq!(label(&host), format!("turn 1, segment {open}, halted"));
    let mine = flat(&brief(&host, 1).text);
    assert!(mine.contains("Your HALT stopped the segment: plan the rest of it."), "{mine}");
    assert!(mine.contains("Initiative dice: Terran "), "{mine}");
    let theirs = flat(&brief(&host, 2).text);
    assert!(theirs.contains("The enemy halted the segment: you may plan the rest"), "{theirs}");
    // The other seat does not learn which line it was.
    assert!(mine.contains("Your line 2 halted it.") && !theirs.contains("halted it."), "{theirs}");
    // The new card replaces the plan for the rest, and may not halt it again.
    let next = both(&mut host, &format!("SEG {open}\nHALT IF I1\nA 01\nM 1 02"), "");
    assert!(!next.contains("halted"), "{next}");
    for seat in [1, 2] {
        let told = flat(&host.last_mail(seat).text);
        let fleet = "Terran fleet 1: 01 Sol - 02 Alpha Centauri A";
        assert!(told.contains(fleet), "{told}");
        assert!(!told.contains("04 Barnard's Star - 15"), "{told}");
    }
}

#[test]
fn without_a_new_card_a_halted_segment_goes_on_by_the_old_one() {
    let mut host = imperium(&[]);
    until(&mut host, ", halted", "HALT IF I1\nA 04\nM 2 15", "");
    // One seat is done at once, the other does not answer.
    mails(&mut host, 2, "");
    goes_on(&mut host);
    assert!(label(&host).ends_with(", halted"), "{}", label(&host));
    host.pass(12 * 60 + 1);
    host.was_read();
    goes_on(&mut host);
    assert!(!label(&host).contains("halted"), "{}", label(&host));
    let told = flat(&host.last_mail(2).text);
    assert!(told.contains("Terran fleet 2: 04 Barnard's Star - 15 61 Cygni"), "{told}");
    let missed = |seat| {
        host.robot.store.games().seat("W7", engine::Seat(seat)).expect("a store").expect("it")
    };
    assert_eq!((missed(1).missed, missed(2).missed), (1, 0));
}

/// A battle at Nusku that stops after its first round: the briefs of both seats, and the attacker's
/// mail after the second round, which is fought with these lines.
fn stopped(orders: &str) -> ([String; 2], String) {
    let mut host = imperium(&[("battle", "round"), ("battle_ask", "1")]);
    until(&mut host, ", a battle", "A 04\nM 2 09", "");
    let briefs = [1, 2].map(|seat| flat(&brief(&host, seat).text));
    both(&mut host, orders, "");
    let told = flat(&host.last_mail(1).text);
    // It ends after three rounds at the latest.
    for _ in 0..2 {
        if label(&host).ends_with(", a battle") {
            both(&mut host, "", "");
        }
    }
    assert!(!label(&host).contains("battle"), "{}", label(&host));
    let end = flat(&host.last_mail(2).text);
    assert!(end.contains("victory.") && end.contains("resources lost: "), "{end}");
    (briefs, told)
}

#[test]
fn a_battle_stops_after_a_round_for_new_stances() {
    let (briefs, as_before) = stopped("");
    for text in &briefs {
        assert!(text.contains("A round of battle is over"), "{text}");
        assert!(text.contains("Battle at 09 Nusku"), "{text}");
        assert!(text.contains("Terran, moving in"), "{text}");
        assert!(text.contains("Round 1.") && !text.contains("Round 2."), "{text}");
        assert!(text.contains("The battle goes on."), "{text}");
    }
    assert!(as_before.contains("Round 2."), "{as_before}");
    let (again, away) = stopped("Y L E\nZ FIRST");
    assert_eq!(briefs, again, "the same dice");
    let second = |text: &str| text.split("Round 2.").nth(1).expect("a second round").to_owned();
    assert_ne!(second(&as_before), second(&away), "stances count from the next round on");
}

/// All mails to seat 2 in a turn in which seat 1 adds these lines to its cards.
fn told_the_other(set_up: &str, plan: &str) -> Vec<String> {
    // With a chain of seeds a card would change the dice of its step, so they are scripted.
    let mut host = imperium_of(true, &[]);
    both(&mut host, set_up, "Y L 1\nI F IF !V9");
    let orders = format!("B TB 1\nSEG 1\nA 01\nM 1 02\n{plan}");
    both(&mut host, orders.trim_end(), "B DD 1\nA 30\nM 3 29");
    for open in 2..=4 {
        assert_eq!(segment(&host), open);
        both(&mut host, "", "");
    }
    assert_eq!(label(&host), "turn 2");
    host.mails_to(2).into_iter().map(|mail| mail.raw).collect()
}

#[test]
fn mails_to_the_other_are_the_same_byte_for_byte_whatever_is_not_seen() {
    let usual = told_the_other("", "");
    assert!(usual.len() > 8, "{} mails", usual.len());
    let cases = [
        // Unused standing orders, and ships in another fleet of the place.
        ("Y L 2\nY K E\nZ FIRST", ""),
        ("Q B CR CL\nQ T CR\nQ D AT\nQ S RT\nR * 04 01\nR 2 01", ""),
        ("J 01.1 PD1 7\nZ SCOUTS 0\nZ FIGHTERS STAY\nN STOCK 99", ""),
        ("P SC1 01.1 3\nP TB1 01.1 3", ""),
        ("Z TRUCE", ""),
        // Conditions that never hold, and plans for later segments that have no effect.
        ("", "A 04 IF E45 O33\nM 2 09\nHALT IF E01\nWAIT IF G9\nA 08 IF T3\nM 4 11"),
        ("", "SEG 2\nHALT IF D01.1\nA 04 IF V2 V12\nM 2 09\nSEG 4\nA 04 IF C33.1\nM 2 15"),
        ("", "N PRI CL DD\nN SKIP DD1\nN STOCK *\nR 1 01\nF *"),
    ];
    for (set_up, plan) in cases {
        let told = told_the_other(set_up, plan);
        for (n, (usual, told)) in usual.iter().zip(&told).enumerate() {
            assert_eq!(usual, told, "mail {n} with {set_up:?} and {plan:?}");
        }
        assert_eq!(usual.len(), told.len());
    }
}
