//! Classic Warlord by mail: a list, two turns, an attack whose guess is asked for, and seals.

use base::clock::Clock;
use engine::Seat;
use registry::ENGINES;
use robot::limits::Limits;
use store::Verdict;
use support::host::{Host, a_game};

use crate::talk::flat;

fn classic() -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut game = a_game("classic-warlord", 2);
    for (name, value) in [("boards", "5"), ("turn_hours", "48"), ("live_hours", "12")] {
        game.options.insert(name.to_owned(), value.to_owned());
    }
    host.robot.new_game(game).expect("a game");
    host.seat_players(2);
    host.robot.start("W7", None, false).expect("starts");
    host
}

fn label(host: &Host) -> String {
    host.robot.game("W7").expect("the game").step.label
}

/// Who is awaited.
fn mover(host: &Host) -> u8 {
    let step = host.robot.game("W7").expect("the game").step;
    assert_eq!(step.awaited.len(), 1, "{}", step.label);
    step.awaited[0].0
}

/// Sends a card of a seat; returns the step that is open then.
fn mails(host: &mut Host, seat: u8, card: &str) -> String {
    let row = host.receive(host.card(seat, card));
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{card}: {}", row.why);
    let now = host.clock.now();
    host.robot.run_due(now).expect("the robot goes on");
    label(host)
}

/// The first move of a seat: from its mountain towards the other one.
fn opening(seat: u8) -> &'static str {
    if seat == 1 { "P 517 *\nM 517 501 *" } else { "P 518 *\nM 518 549 *" }
}

#[test]
fn an_attack_by_mail_is_asked_about_sealed_and_opened() {
    let mut host = classic();
    assert_eq!(label(&host), "the draft, round 1");
    let first = flat(&host.last_mail(1).text);
    assert!(first.contains("Mountains that are free") && first.contains("517 Sistema Central"));
    mails(&mut host, 1, "S 517 516\nG * LIVE 6");
    mails(&mut host, 2, "S 518 519\nG * LIVE 6");
    // Both open, one after the other; the one who waits gets a few lines about it.
    let one = mover(&host);
    let other = 3 - one;
    mails(&mut host, one, opening(one));
    assert_eq!(mover(&host), other);
    let waits = host.last_mail(one);
    assert!(waits.text.lines().count() < 40, "{}", waits.text);
    assert!(!flat(&waits.text).contains("with your orders at the top"), "{}", waits.text);
    mails(&mut host, other, opening(other));
    // The first attacks: its number is sealed in its echo and in the challenge.
    let (from, to) = if one == 1 { (501, 549) } else { (549, 501) };
    let card = format!("P {from} *\nK {from} {to} 1\n");
    let row = host.receive(host.card(one, &card));
    let echo = flat(&host.answers(&row).remove(0).text).replace("| ", "");
    let digest = echo.split("Seal K2.1-1.1: SHA-256 ").nth(1).expect("a seal")[..64].to_owned();
    let now = host.clock.now();
    host.robot.run_due(now).expect("the robot goes on");
    assert!(label(&host).contains(" attacks "), "{}", label(&host));
    assert_eq!(mover(&host), other);
    let challenge = host.last_mail(other);
    assert!(challenge.subject.contains("your orders are awaited"), "{}", challenge.subject);
    let text = flat(&challenge.text).replace("| ", "");
    assert!(text.contains(&digest), "{text}");
    assert!(text.contains("Answer with Q and a number"), "{text}");
    assert!(text.contains("If no answer comes, 6 is guessed for you."), "{text}");
    assert!(challenge.text.lines().count() < 40, "{}", challenge.text);
    // A guess beyond the bounds is reported; a good one decides at once.
    let row = host.receive(host.card(other, "Q 9"));
    let wrong = flat(&host.answers(&row).remove(0).text).replace("| ", "");
    assert!(wrong.contains("the number was 1-2"), "{wrong}");
    mails(&mut host, other, "Q 2");
    assert_eq!(mover(&host), other, "the attack won, the turn is over");
    let told = flat(&host.last_mail(other).text);
    assert!(told.contains("numbers: 1 against guess 2"), "{told}");
    let opened = format!("Seal K2.1-1.1 of seat {one}: \"{from} attacks {to}: number 1\", nonce ");
    assert!(told.contains(&opened) && told.contains(&digest), "{told}");
    let missed = |seat| {
        host.robot.store.games().seat("W7", Seat(seat)).expect("a store").expect("a seat").missed
    };
    assert_eq!((missed(1), missed(2)), (0, 0));
}

#[test]
fn orders_that_wait_stay_on_file_until_their_turn() {
    let mut host = classic();
    mails(&mut host, 1, "S 517 516");
    mails(&mut host, 2, "S 518 519");
    let one = mover(&host);
    let other = 3 - one;
    let row = host.receive(host.card(other, opening(other)));
    let echo = flat(&host.answers(&row).remove(0).text);
    assert!(echo.contains("your orders wait for yours"), "{echo}");
    mails(&mut host, one, opening(one));
    assert_eq!(mover(&host), other, "the orders are on file; the player may still change them");
    assert_eq!(host.on_file(other).lines().collect::<Vec<_>>().join("\n"), opening(other));
    host.pass_deadline();
    assert_eq!(mover(&host), one);
    let held = if other == 1 { 501 } else { 549 };
    let saved = host.robot.store.journal().saved("W7", 3).expect("a store").expect("the turn");
    let open = engine::find(&ENGINES, "classic-warlord").expect("it is there").open(&saved);
    let report = open.expect("opens").report(Seat(other), "").expect("a printout");
    assert!(format!("{report:?}").contains(&held.to_string()));
}

/// All mails that the attacker or the defender got in a game of two up to a challenge, with these
/// secrets: subject, words with one word for each digest, and length. Echoes are left out: only
/// their sender gets them.
fn mailed_with(number: u8, guesses: &str, to_defender: bool) -> Vec<(String, String, usize)> {
    let mut host = classic();
    mails(&mut host, 1, "S 517 516");
    mails(&mut host, 2, "S 518 519");
    let one = mover(&host);
    let other = 3 - one;
    mails(&mut host, one, opening(one));
    mails(&mut host, other, &format!("{}\n{guesses}", opening(other)));
    let (from, to) = if one == 1 { (501, 549) } else { (549, 501) };
    mails(&mut host, one, &format!("P {from} *\nK {from} {to} {number}"));
    assert!(label(&host).contains(" attacks "), "{}", label(&host));
    let digest = |w: &&str| w.len() == 64 && w.bytes().all(|b| b.is_ascii_hexdigit());
    let words = |text: &str| -> Vec<String> {
        let word = |w: &str| if digest(&w) { "digest".to_owned() } else { w.to_owned() };
        text.split(' ').flat_map(|w| w.split('\n')).map(word).collect()
    };
    let mails = host.mails_to(if to_defender { other } else { one });
    let news = mails.into_iter().filter(|m| !m.subject.contains(" on file"));
    news.map(|m| (m.subject, words(&m.text).join(" "), m.raw.len())).collect()
}

#[test]
fn mails_to_others_are_the_same_whatever_the_secrets_are() {
    // The defender's mails must not depend on the attacker's number.
    let defender = |number| mailed_with(number, "G * LIVE 1", true);
    assert!(defender(1).len() > 4, "{:?}", defender(1));
    assert_eq!(defender(1), defender(2));
    // The attacker's mails must not depend on the defender's guesses, nor on their length.
    let attacker = |guesses| mailed_with(1, guesses, false);
    assert_eq!(attacker("G * LIVE 1"), attacker("G * LIVE 9:8:7:6:5:4\nG 501 M6 2/1/2"));
}
