//! After a loss, raw mails and the host's key give everything back.

use support::host::*;

/// Every mail that a host has written: id, recipient and bytes.
fn written(host: &Host) -> Vec<(String, String, Vec<u8>)> {
    let sql = "SELECT message_id, recipient, mime_z FROM outbox ORDER BY message_id";

    let row = |r: &store::db::Row| Ok((r.get(0)?, r.get(1)?, r.get(2)?));
    host.robot.store.database().all(sql, &[], row).expect("rows")
}

#[test]
fn g7_the_kept_mails_give_the_same_game_and_the_same_mails_again() {
    let mut first = Host::new();
    for turn in 1..=3 {
        for seat in 1..=4 {
            first.receive(first.card(seat, &format!("M {seat} {turn}\nC {seat} 1\n")));
        }
        first.receive(mail("max@nowhere.example", ROBOT, &format!("hello {turn}\n")));
        first.run_turn();
    }
    // Another host with the same key and the same mails, each at its time.
    let mut second = Host::new();
    let ids: Vec<i64> =
        first.robot.store.mails().latest(1000).expect("a store").iter().map(|m| m.id).collect();
    for (n, id) in ids.iter().enumerate() {
        let stored = first.robot.store.mails().stored(*id).expect("a store");
        second.clock.set(stored.received_at);
        let mut message = second.message(&stored.bytes);
        message.received_at = stored.received_at;
        second.judge(message);
        if (n + 1) % 5 == 0 {
            second.run_turn();
        }
    }
    assert_eq!(written(&first), written(&second));
    let hash = |host: &Host| host.robot.store.journal().hash_of("W7", 3).expect("a store");
    assert_eq!(hash(&first), hash(&second));
    assert!(hash(&first).is_some());
}
