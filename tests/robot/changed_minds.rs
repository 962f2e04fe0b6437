//! A player thinks again after a card is on file: mails that take orders back, or put others in
//! their place.

use crate::talk::*;
use crate::understood::at;

/// Changes in words of one card: the game and its position, the mail before, then each change with
/// what is on file after it, one order behind the other.
type Changes = (&'static str, &'static str, &'static str, &'static [(&'static str, &'static str)]);

const CHANGES: [Changes; 5] = [
    (
        "warlord",
        "first",
        W,
        &[
            ("forget the tank, cancel unit 1's order and unit 2 no longer goes to Elkirk", ""),
            ("I changed my mind, unit 2 stays where it is.", "A 1 04826 C 1 3 M 2 0"),
            ("unit 1 goes to Elkirk instead of Isdilund", "A 2 04126 C 1 3 A 1 04126"),
            ("instead of Isdilund, unit 1 goes to Elkirk", "A 2 04126 C 1 3 A 1 04126"),
            ("unit 1 should stay home instead of attacking", "A 2 04126 C 1 3 M 1 0"),
            ("build infantry rather than a tank", "A 1 04826 A 2 04126 C 1 1"),
            ("unit 1 doesn't go to Elkirk", "A 1 04826 A 2 04126 C 1 3"),
            ("cancel unit 1 and Elkirk", "A 1 04826 A 2 04126 C 1 3"),
            ("units 1 and 2 stay at home after all", "C 1 3 M 1 0 M 2 0"),
            ("Kein Angriff auf Isdilund", "A 2 04126 C 1 3"),
            ("drop unit 1's order", "A 2 04126 C 1 3"),
            ("remove line 2", "A 1 04826 C 1 3"),
            ("Vergiss den Panzer, und Einheit 1 geht doch nicht nach Isdilund.", "A 2 04126"),
            ("unit 2 should not go anywhere, it stays", "A 1 04826 C 1 3 M 2 0"),
            ("unit 2 no longer goes to Elkirk, it stays", "A 1 04826 C 1 3 M 2 0"),
            ("unit 2 does not go to Elkirk any more, but to Isdilund", "A 1 04826 C 1 3 A 2 04826"),
            ("Forget the attack on Isdilund.", "A 2 04126 C 1 3"),
            ("cancel unit 2's order please", "A 1 04826 C 1 3"),
            ("Unit 2 no longer goes to Elkirk", "A 1 04826 C 1 3"),
            ("Please don't send unit 1 to Isdilund after all.", "A 2 04126 C 1 3"),
            ("call the attack on Isdilund off", "A 2 04126 C 1 3"),
            ("Cancel the orders of units 1 and 2", "C 1 3"),
            ("no tank in city 1 after all", "A 1 04826 A 2 04126"),
            ("CANCEL 2", "A 1 04826 C 1 3"),
            ("CANCEL A 2 04126", "A 1 04826 C 1 3"),
            ("please forget lines 1 and 3", "A 2 04126"),
            ("Vergiss den Angriff auf Isdilund", "A 2 04126 C 1 3"),
            ("Einheit 2 geht doch nicht nach Elkirk", "A 1 04826 C 1 3"),
            ("Nimm den Befehl für Einheit 1 zurück", "A 2 04126 C 1 3"),
            ("unit 1 goes to Elkirk instead", "A 2 04126 C 1 3 A 1 04126"),
            ("No wait, unit 1 goes to Elkirk", "A 2 04126 C 1 3 A 1 04126"),
            ("Einheit 1 geht stattdessen nach Elkirk", "A 2 04126 C 1 3 A 1 04126"),
            ("city 1 builds infantry instead", "A 1 04826 A 2 04126 C 1 1"),
            ("unit 1 stays where it is instead", "A 2 04126 C 1 3 M 1 0"),
            ("Forget the attack on Isdilund, unit 1 goes to Elkirk.", "A 2 04126 C 1 3 A 1 04126"),
            (
                "I changed my mind: unit 1 goes to Elkirk. Unit 3 goes there too.",
                "A 2 04126 C 1 3 A 1 04126 A 3 04126",
            ),
        ],
    ),
    (
        "battle-plan",
        "first",
        B,
        &[
            (
                "forget the spies, 20 air force attack Hungary",
                "@RO AC40HU @ @RO BA20 @ @RO FA20HU @",
            ),
            ("forget the spies in Bulgaria", "@RO AC40HU @ @RO BA20 @"),
            ("cancel the attack on Hungary", "@RO BA20 @ @ S3BU @"),
            ("attack Hungary with only 30 army", "@RO BA20 @ @ S3BU @ @RO AC30HU @"),
            ("don't attack Hungary", "@RO BA20 @ @ S3BU @"),
            ("no spies this turn", "@RO AC40HU @ @RO BA20 @"),
            ("build 25 army instead of 20", "@RO AC40HU @ @ S3BU @ @RO BA25 @"),
        ],
    ),
    ("classic-warlord", "first", K, &[("forget the Rif", "")]),
    (
        "empire-deluxe",
        "later",
        E,
        &[
            ("army 9 shall not explore", "M 8 77,8 P 3 FI"),
            ("army 8 stays where it is instead", "E 9 P 3 FI S 8"),
            ("city 3 builds armies instead", "E 9 M 8 77,8 P 3 AR"),
            ("forget the fighter in city 3", "E 9 M 8 77,8"),
        ],
    ),
    (
        "imperium",
        "first",
        I,
        &[("forget the fighters", "A 04 M 2 01"), ("fleet 2 stays after all", "B F 2")],
    ),
];

const W: &str = "unit 1 attacks Isdilund\nunit 2 goes to Elkirk\ncity 1 builds a tank\n";
const B: &str = "attack Hungary with 40 army\nbuild 20 army\n3 spies to Bulgaria\n";
const K: &str = "I take the Rif\n";
const E: &str = "army 9 explores\narmy 8 goes to 77,8\ncity 3 builds a fighter\n";
const I: &str = "build two fighters\nfleet 2 goes to Sol\n";

#[test]
fn a_later_mail_takes_orders_back_or_puts_others_in_their_place() {
    let mut failed = Vec::new();
    let all = CHANGES.iter().flat_map(|(engine, on, before, changes)| {
        changes.iter().map(move |(text, filed)| (engine, on, before, *text, *filed))
    });
    for (engine, on, before, text, filed) in all {
        let mut host = at(engine, on).host("en");
        host.receive(host.card(1, before));
        let had = host.on_file(1);
        let row = host.receive(host.card(1, &format!("{text}\n")));
        let has = host.on_file(1);
        let orders = has.split_whitespace().collect::<Vec<_>>().join(" ");
        if orders != filed {
            let told = flat(&answer(&host, &row));
            failed.push(format!("{text}\n  had {had:?}\n  has {has:?}\n  {told}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Mails one after the other, and what is on file in the end.
fn on_file_after((engine, on): (&str, &str), mails: &[&str]) -> (String, String) {
    let mut host = at(engine, on).host("en");
    let mut told = String::new();
    for mail in mails {
        let row = host.receive(host.card(1, &format!("{mail}\n")));
        told = flat(&answer(&host, &row)).replace(" | ", " ");
    }
    let orders = host.on_file(1).split_whitespace().collect::<Vec<_>>().join(" ");
    (orders, told)
}

#[test]
fn a_choice_keeps_its_number_while_another_one_is_answered() {
    let both = "unit 4 gallops to Elkirk\nunit 5 gallops to Isdilund\n";
    let (has, told) = on_file_after(("warlord", "first"), &[both]);
    assert!(told.contains("means 1: A 4 04126") && told.contains("means 2: A 5 04826"), "{told}");
    assert!(!has.contains("A 4 04126"), "{has}");
    let (has, told) = on_file_after(("warlord", "first"), &[both, "1"]);
    assert!(
        told.contains("2: A 5 04826 (unit 5 gallops") && has.contains("A 4 04126"),
        "{has} {told}"
    );
    for numbers in [&["1", "2"], &["2", "1"]] {
        let mails = [&[both], &numbers[..]].concat();
        let (has, told) = on_file_after(("warlord", "first"), &mails);
        assert!(!has.contains("gallops") && !told.contains("Answer with the number"), "{told}");
        assert!(has.contains("A 4 04126") && has.contains("A 5 04826"), "{has}");
    }
    // What was answered is answered.
    let (has, _) = on_file_after(("warlord", "first"), &[both, "1", "2", "number 1 please"]);
    assert_eq!(has.matches("A 4 04126").count(), 1, "{has}");
}

#[test]
fn what_was_not_read_leaves_the_card_with_the_next_addition() {
    let before = "unit 1 goes to Elkirk\nthe engineers dance on the ice\nunit 2 goes to Isdilund\n";
    let (has, told) = on_file_after(("warlord", "first"), &[before]);
    assert!(has.contains("dance") && told.contains("dance"), "{has} {told}");
    let (has, told) = on_file_after(("warlord", "first"), &[before, "ADD\nunit 3 goes to Elkirk"]);
    assert_eq!(has, "A 1 04126 A 2 04826 A 3 04126");
    assert!(
        told.contains("Not read in an earlier mail, and no longer on your card: the"),
        "{told}"
    );
    // A wrong order stays until it is taken back.
    let before = "unit 1 goes to Elkirk\nA 99 04126\n";
    let add = "ADD\nunit 3 goes to Elkirk";
    let (has, _) = on_file_after(("warlord", "first"), &[before, add]);
    assert_eq!(has, "A 1 04126 A 99 04126 A 3 04126");
    let (has, _) = on_file_after(("warlord", "first"), &[before, add, "CANCEL 2"]);
    assert_eq!(has, "A 1 04126 A 3 04126");
}

#[test]
fn what_nobody_ordered_is_not_taken_back_and_a_doubt_is_asked() {
    for (text, says) in [
        ("CANCEL 9", "no order on file fits"),
        ("forget unit 7", "no order on file fits"),
        ("forget the attack of unit 1 by moonlight", "means 1: CANCEL A 1 04826"),
        ("cancel the attack on Isdilund if it rains", "means 1: CANCEL A 1 04826"),
    ] {
        let (has, told) = on_file_after(("warlord", "first"), &[W, text]);
        assert!(told.contains(says), "{text}: {told}");
        assert!(has.starts_with("A 1 04826 A 2 04126 C 1 3"), "{text}: {has}");
    }
    let mails = [W, "forget the attack of unit 1 by moonlight", "1"];
    let (has, _) = on_file_after(("warlord", "first"), &mails);
    assert_eq!(has, "A 2 04126 C 1 3");
    // Without a card there is nothing to take back.
    let (_, told) = on_file_after(("warlord", "first"), &["forget the attack on Isdilund"]);
    assert!(told.contains("no orders of yours are on file"), "{told}");
}

#[test]
fn a_mail_corrects_no_line_right_above_in_an_earlier_one() {
    let before = &format!("{W}unit 3 gallops to Elkirk\n");
    let mail = "I changed my mind, unit 2 stays where it is.\nForget the attack on Isdilund.";
    let (has, told) = on_file_after(("warlord", "first"), &[before, mail]);
    assert_eq!(has.replace("unit 3 gallops to Elkirk ", ""), "C 1 3 M 2 0", "{told}");
    // Within a mail it is the line right above.
    let (has, _) =
        on_file_after(("warlord", "first"), &[W, "ADD\nA 7 04826\nno wait, Elkirk instead"]);
    assert_eq!(has, "A 1 04826 A 2 04126 C 1 3 A 7 04126");
}

#[test]
fn a_sentence_on_file_that_is_not_read_is_told_as_a_sentence() {
    let mail = "unit 1 goes to Elkirk\nI want unit 2 to dance around Isdilund";
    // Nothing is filed, so the card is shown as it stands.
    let (_, told) = on_file_after(("warlord", "first"), &[mail, "the weather is fine today"]);
    let says = "2 I want unit 2 to dance around Isdilund error: no order that is understood";
    assert!(told.contains(says), "{told}");
    // An order in the form of a card keeps what the game says of it.
    let (_, told) = on_file_after(("warlord", "first"), &["A 1 04126\nA 99 04126"]);
    assert!(told.contains("A 99 04126 error: ") && !told.contains("understood"), "{told}");
}

#[test]
fn what_is_changed_is_told_as_a_card_writes_it() {
    let (_, told) =
        on_file_after(("battle-plan", "first"), &[B, "attack Hungary with only 30 army"]);
    assert!(told.contains("No longer on file: @RO AC40HU; instead AC30HU."), "{told}");
    assert!(!told.contains('{') && !told.contains(" @."), "{told}");
    let (_, told) = on_file_after(("warlord", "first"), &[W, "Forget the attack on Isdilund"]);
    assert!(
        told.contains("4 Forget the attack on Isdilund remark: takes back A 1 04826"),
        "{told}"
    );
    assert!(told.contains("those that your mail does not speak of stay"), "{told}");
}

#[test]
fn what_needs_no_order_is_told_so_and_does_not_hold_the_turn() {
    let (_, told) = on_file_after(("imperium", "first"), &["fleet 2 goes to Sol\nfleet 3 stays\n"]);
    assert!(told.contains("fleet 3 stays remark: that needs no order"), "{told}");
    assert!(!told.contains("in error"), "{told}");
}

#[test]
fn the_rest_is_without_what_is_asked_about() {
    let mail = "unit 1 goes to Elkirk\nunit 4 gallops to Elkirk\neveryone else stays\n";
    let (has, told) = on_file_after(("warlord", "first"), &[mail, "1"]);
    assert!(has.contains("A 4 04126") && !has.contains("M 4 0") && has.contains("M 5 0"), "{has}");
    assert!(!told.contains("in error"), "{told}");
}
