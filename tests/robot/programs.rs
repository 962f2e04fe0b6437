//! Replies of many mail programs, in many languages and encodings, to a printout and
//! to an older card: the new orders go on file, and never an old one.

use std::collections::BTreeMap;

use engine::Seat;
use registry::ENGINES;
use robot::limits::Limits;

use support::host::*;
use support::replies::{Parent, Placed, replies};

/// The new line of the player, and the line of the older card.
const NEW: [&str; 2] = ["M 1 3", "C 1 1"];
const OLD: &str = "M 2 4\nC 2 5\nA 3 7\n";

#[test]
fn e12_no_program_gets_an_old_order_executed_or_a_new_one_lost() {
    let limits = Limits {
        cards_per_hour: u32::MAX,
        replies_per_hour: u32::MAX,
        replies_per_day: u32::MAX,
        replies_per_hour_total: u32::MAX,
        ..Limits::default()
    };
    let mut host = Host::with(&ENGINES, "warlord", 4, limits);
    let printout =
        host.robot.store.outbox().printout("W7", Seat(1), 1).expect("a store").expect("one");
    let printout = got(&printout);
    let parents = [
        Parent {
            name: "printout",
            from_name: "Fieldpost",
            from: ROBOT,
            subject: &printout.subject,
            message_id: &printout.message_id,
            text: &printout.text,
        },
        Parent {
            name: "own-card",
            from_name: "Player One",
            from: "p1@players.example",
            subject: "Re: [W7 T1 S1] your printout",
            message_id: "old@players.example",
            text: OLD,
        },
    ];
    let all = replies(&player(1), &printout.reply_to, &NEW, &parents);
    let (mut wrong, mut told, mut read) = (Vec::new(), 0, BTreeMap::new());
    for reply in &all {
        // Nothing is on file from the mail before.
        host.robot.store.database().exec("DELETE FROM orders", &[]).expect("a store");
        let row = host.receive(&reply.raw);
        let on_file = host.on_file(1);
        let lines: Vec<&str> = on_file.lines().map(str::trim).collect();
        let old = lines.iter().any(|l| OLD.lines().any(|o| o == *l));
        let new = lines.iter().filter(|l| NEW.contains(l)).count() == NEW.len();
        let other: Vec<_> = lines.iter().filter(|l| !NEW.contains(l) && looks(l)).collect();
        // Below an original without marks nothing is read, and the player is told so.
        let said = row.reason.as_str() == "no-orders" && reply.placed != Placed::Above;
        *read.entry(reply.name.split('/').next().unwrap_or_default()).or_insert(0) += 1;
        told += usize::from(said);
        if old || !other.is_empty() || !new && !said {
            wrong.push(format!("{}: {} {lines:?}", reply.name, row.reason));
        }
    }
    println!("{} replies of {} programs; {told} told to write at the top", all.len(), read.len());
    println!("{read:?}");
    let count = wrong.len();
    wrong.truncate(60);
    assert!(wrong.is_empty(), "{}\n{count} of {}", wrong.join("\n"), all.len());
}

/// A short word and a number: an order of the game.
fn looks(line: &str) -> bool {
    mail::quoting::looks_like_order(line)
}
