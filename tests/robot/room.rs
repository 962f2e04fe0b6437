//! Unsolicited mail takes little room, on the disk and in memory.

use std::sync::Mutex;

use base::cancel::Cancel;
use mail::Folder;
use mail::maildir::{MaildirInbox, deliver};
use robot::limits::Limits;
use store::{Reason, Verdict};

use crate::talk::*;
use registry::ENGINES;
use support::host::*;

/// A mail with a text of `bytes` bytes above its signature.
fn long(from: &str, bytes: usize, n: u32) -> String {
    let line = "What a long mail this is, and nobody asked for it at all, not even once.\n";
    mail(from, ROBOT, &format!("{n}\n{}", line.repeat(bytes / line.len())))
}

fn kept(host: &Host, id: i64) -> Option<usize> {
    host.robot.store.mails().raw(id).expect("a store").map(|raw| raw.len())
}

#[test]
fn of_what_nothing_proves_the_newest_are_kept_and_their_start() {
    let mut host = Host::new();
    let mut ids = Vec::new();
    for n in 0..60 {
        ids.push(host.receive(long("flood@elsewhere.example", 100_000, n)).id);
    }
    let unproven = host.receive(long(&player(1), 100_000, 1));
    let proven = host.receive(
        host.card(1, "M 1 3\n")
            .replace("M 1 3", &format!("M 1 3\n\n-- \n{}", "x\n".repeat(50_000))),
    );
    assert_eq!(proven.reason, Reason::Filed, "{}", proven.why);
    let (gone, there) = ids.split_at(10);
    assert!(gone.iter().all(|id| kept(&host, *id).is_none()), "older ones of this address");
    assert!(there.iter().all(|id| kept(&host, *id) == Some(16_000)), "a stranger's start");
    assert_eq!(kept(&host, unproven.id), Some(64_000), "in the name of a player");
    let gm = host.robot.cx.gm.clone();
    let forged = format!("GM STATUS\n\n-- \n{}", "x\n".repeat(50_000));
    let forged = host.receive(mail(&gm, ROBOT, &forged));
    assert_eq!(forged.reason, Reason::GmUnproven);
    assert_eq!(kept(&host, forged.id), Some(64_000), "in the game master's");
    assert!(kept(&host, proven.id) > Some(100_000), "a player's own is whole");
    // However many addresses there are, the number of kept mails is bounded.
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100)
               INSERT INTO mail (source, key, received_at, size, raw_z, verdict, sender)
               SELECT 'made', CAST(i AS TEXT), i, 1, $1, 'ignored', 'a' || i || '@elsewhere.example' FROM n";
    host.robot.store.database().exec(sql, &[&b"z".to_vec()]).expect("written");
    host.receive(long("one@more.example", 100, 1));
    let ring = "SELECT count(*) FROM mail WHERE standing <> 'proven' AND raw_z IS NOT NULL
                AND verdict IN ('accepted', 'rejected', 'ignored') AND $1 = ''";
    assert_eq!(count(&host, ring, ""), 2_000);
    assert!(kept(&host, proven.id).is_some(), "and no player's own is in it");
}

#[test]
fn what_lies_in_quarantine_is_kept_whole() {
    let mut host = Host::new();
    let two = "From: other@elsewhere.example\r\nFrom:";
    let row = host.receive(long(&player(1), 100_000, 1).replacen("From:", two, 1));
    assert_eq!(row.verdict, Some(Verdict::Quarantined), "{}", row.why);
    assert!(kept(&host, row.id) > Some(99_000));
}

#[test]
fn of_what_waits_for_a_players_word_the_newest_are_kept() {
    let mut host = Host::new();
    let mut ids = Vec::new();
    for n in 0..60 {
        let word = ["ash", "elm", "fir", "oak", "yew", "bay", "box"].map(|w| w.repeat(1 + n / 7))
            [n % 7]
            .clone();
        let card =
            format!("M 1 {}\nPRESS 2\n{word}\nEND\n\n-- \n{}", 3 + n % 5, "x\n".repeat(45_000));
        let row = host.receive(mail(&player(1), ROBOT, &card));
        assert_eq!(row.verdict, Some(Verdict::Pending), "{}", row.why);
        ids.push(row.id);
        host.pass(15);
    }
    let whole = |id: &i64| kept(&host, *id) > Some(80_000);
    assert!(ids[10..].iter().all(whole), "they are whole");
    assert!(ids[..9].iter().all(|id| kept(&host, *id).is_none()), "and older ones are not kept");
}

#[test]
fn a_large_mail_that_nothing_proves_is_not_held() {
    let mut host = Host::new();
    let card = format!("M 1 3\n\n-- \n{}", "x\n".repeat(150_000));
    let row = host.receive(mail(&player(1), ROBOT, &card));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Rejected), Reason::TooLarge));
    let told = answer(&host, &row);
    assert!(told.contains("200 kB at most") && told.contains("answer the newest mail"), "{told}");
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_mail_with_a_password_stays_neither_in_the_store_nor_in_the_mailbox() {
    let host = Host::new();
    let dir = tempfile::tempdir().expect("a folder");
    let text = host.card(1, "PASSWORD river-anvil-pluto\n");
    // Too weak: it is refused, and kept no more than an accepted one.
    let refused = host.card(1, "PASSWORD aaaaaaaaaa\n");
    let plain = host.card(2, "M 2 3\n");
    let wait = std::time::Duration::from_secs(1);
    let mut inbox = MaildirInbox::open("main", dir.path(), 1_000_000, wait).expect("a mailbox");
    deliver(dir.path(), "1780000000.password", text.as_bytes()).expect("delivered");
    deliver(dir.path(), "1780000000.refused", refused.as_bytes()).expect("delivered");
    deliver(dir.path(), "1780000001.card", plain.as_bytes()).expect("delivered");
    let shared =
        robot::host::Host::new(host.robot, dir.path().into(), None, robot::host::Wakes::nobody());
    let shared = Mutex::new(shared);
    robot::host::round(&shared, &mut inbox, &Cancel::default()).expect("read");
    let since = inbox.received_since(jiff::Timestamp::UNIX_EPOCH).expect("a mailbox");
    let keys: Vec<&str> = since.iter().map(|m| m.key.as_str()).collect();
    assert_eq!(keys, [format!("{}/1780000001.card", Folder::Accepted)], "the others are gone");
    let shared = shared.into_inner().expect("nobody panicked");
    for (id, verdict) in [(1, Verdict::Accepted), (2, Verdict::Rejected)] {
        assert!(shared.robot.store.mails().raw(id).expect("a store").is_none());
        let row = shared.robot.store.mails().mail(id).expect("a store").expect("its verdict stays");
        assert_eq!(row.verdict, Some(verdict));
    }
}

#[test]
fn while_the_disk_is_low_players_are_read_and_nobody_else() {
    // Half of the room that the config asks for is free, then an eighth, then enough.
    for (part, players, strangers) in [(2, true, false), (8, false, false), (0, true, true)] {
        let dir = tempfile::tempdir().expect("a folder");
        let free = robot::host::free_mb(dir.path()).expect("the system tells");
        let limits = Limits { disk_free_mb_min: free * part, ..Limits::default() };
        let host = Host::with(&ENGINES, "warlord", 4, limits);
        let card = host.card(1, "M 1 3\n");
        let wait = std::time::Duration::from_secs(1);
        let mut inbox = MaildirInbox::open("main", dir.path(), 1_000_000, wait).expect("a mailbox");
        for n in 0..250 {
            // More mails than one fetch brings, all before the card.
            let text = mail(&format!("x{n}@elsewhere.example"), ROBOT, "HELP\n");
            deliver(dir.path(), &format!("{}.help", 1_780_000_000 + n), text.as_bytes())
                .expect("delivered");
        }
        deliver(dir.path(), "1780009000.card", card.as_bytes()).expect("delivered");
        // From another address, and large; its secret says whose it is.
        let large = host.card(2, &format!("M 2 3\n\n-- \n{}", "x\n".repeat(150_000)));
        let large = large.replace(&player(2), "p2@work.example");
        deliver(dir.path(), "1780009001.card", large.as_bytes()).expect("delivered");
        // As large, only in a player's name; then small from the game master.
        let most = Limits::default().unproven_bytes_max as usize;
        let padded = |from: &str, size: usize| {
            let text = mail(from, ROBOT, "HELP\n");
            format!("{text}{}", "\n".repeat(size - text.len()))
        };
        for (n, text) in [
            padded(&player(3), most + 1),
            padded(&player(4), most),
            padded("gm@fieldpost.example", most),
        ]
        .iter()
        .enumerate()
        {
            deliver(dir.path(), &format!("178000900{}.mail", n + 2), text.as_bytes())
                .expect("delivered");
        }
        let shared = robot::host::Host::new(
            host.robot,
            dir.path().into(),
            None,
            robot::host::Wakes::nobody(),
        );
        let shared = Mutex::new(shared);
        let done = robot::host::round(&shared, &mut inbox, &Cancel::default());
        assert_eq!(done.is_ok(), players, "{part}: {done:?}");
        let shared = shared.into_inner().expect("nobody panicked");
        let orders = shared.robot.store.mails().orders("W7", engine::Seat(1), 1).expect("a store");
        assert_eq!(orders.is_some(), players, "{part}");
        let is_judged =
            |from: &str| !shared.robot.store.mails().mails_of(from, 9).expect("a store").is_empty();
        assert_eq!(is_judged("p2@work.example"), players, "{part}");
        assert_eq!(is_judged(&player(3)), strangers, "{part}: too large without a secret");
        assert_eq!(is_judged(&player(4)), players, "{part}");
        assert_eq!(is_judged("gm@fieldpost.example"), players, "{part}");
        assert_eq!(is_judged("x0@elsewhere.example"), strangers, "{part}: it waits in the mailbox");
    }
}
