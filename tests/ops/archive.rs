//! A game moves from host to host as one file.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use base::clock::Clock;
use base::terms::Contact;
use engine::Seat;
use fieldpost::ops::archive::{export, import};
use robot::gm::setup::NewSeat;
use rusqlite::Connection;
use store::{LEFT_BEHIND, SCHEMAS, Status, TAKEN_ALONG};
use tempfile::TempDir;

use crate::place::*;
use support::host::*;

/// A game of two turns with cards on file for the third.
fn half_played() -> Host {
    let mut host = Host::new();
    for _ in 0..2 {
        send_cards(&mut host);
        host.run_turn();
    }
    send_cards(&mut host);
    host
}

/// Exports W7 into a file; returns the output of the command.
fn out(host: &mut Host, file: &Path, hold: bool) -> String {
    let mut said = Vec::new();
    export(&mut host.robot, "w7", file, hold, &mut said).expect("exported");
    String::from_utf8(said).expect("text")
}

/// Imports a file; returns the output of the command, or the reason why it failed.
fn take_in(host: &mut Host, file: &Path, code: Option<&str>) -> Result<String, String> {
    let mut said = Vec::new();
    match import(&mut host.robot, file, code, &mut said) {
        Ok(()) => Ok(String::from_utf8(said).expect("text")),
        Err(e) => Err(e.to_string()),
    }
}

fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("w7.game");
    (folder, file)
}

#[test]
fn at_another_host_the_next_turn_is_the_one_that_would_have_run_here() {
    let (mut old, (_folder, file)) = (half_played(), file());
    let said = out(&mut old, &file, true);
    assert!(said.contains("suspended here") && said.contains("addresses"), "{said}");
    assert_eq!(fs::metadata(&file).expect("a file").permissions().mode() & 0o777, 0o600);
    let told = old.last_mail(3);
    assert!(told.subject.contains("the game moves"), "{}", told.subject);
    assert_eq!(old.pass_deadline(), 0, "it waits here");

    let mut new = another_host(99);
    new.clock.set(old.clock.now() - jiff::SignedDuration::from_hours(48));
    let said = take_in(&mut new, &file, None).expect("imported");
    assert!(said.contains("2 steps recomputed") && said.contains("game release W7"), "{said}");
    let game = new.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.turn), (Status::Suspended, 3));
    assert!(game.suspended_why.contains("imported"), "{}", game.suspended_why);
    assert_eq!(
        new.robot.store.outbox().outbox_counts().expect("a store").waiting,
        0,
        "nothing is sent twice"
    );
    new.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    let deadline = new.robot.game("W7").expect("the game").deadline;
    assert_eq!(deadline, old.robot.game("W7").expect("the game").deadline);
    new.run_turn();

    old.robot.as_game_master(|gm| gm.release("W7")).expect("released, for this story");
    old.robot.run_turn("W7").expect("a turn");
    assert_eq!(outcome(&new, "W7", 3), outcome(&old, "W7", 3));
    assert_eq!(replayed(&mut new, "W7"), 4);
}

#[test]
fn after_the_release_every_player_has_something_that_can_be_answered() {
    let (mut old, (_folder, file)) = (half_played(), file());
    let old_address = reply_address(&old, "W7", 2);
    out(&mut old, &file, true);
    let mut new = another_host(99);
    take_in(&mut new, &file, None).expect("imported");
    new.clock.set(old.clock.now());
    let before = new.mails_to(2).len();
    new.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    let mails = new.mails_to(2).split_off(before);
    let [told, printout] = mails.as_slice() else { panic!("{} mails", mails.len()) };
    assert!(told.text.contains("run by this robot now") && told.text.contains("PASSWORD"));
    assert!(printout.text.contains("Welcome"), "{}", printout.text);
    // The orders on file are kept; a new card, to the new address, replaces them.
    assert!(new.on_file(2).contains("M 2 3"), "{}", new.on_file(2));
    let row = new.receive(mail(&player(2), &printout.reply_to, "M 2 5\n"));
    assert_eq!(row.reason.as_str(), "filed", "{}", row.why);
    let row = new.receive(mail(&player(1), &new.last_mail(1).reply_to, "M 1 5\n"));
    assert_eq!(row.reason.as_str(), "filed");
    // The address of the old host proves nothing here, nor does the password.
    let row = new.receive(mail(&player(2), &old_address, "M 2 6\n"));
    assert_eq!(row.reason.as_str(), "wrong-secret");
    let password = format!("GAME W7 SEAT 2 PASSWORD {}\nM 2 1\n", old.passwords[1]);
    assert_eq!(new.receive(mail(&player(2), ROBOT, &password)).reason.as_str(), "wrong-password");
    let refused = new.robot.as_game_master(|gm| gm.release("W7")).expect_err("it runs").to_string();
    assert!(refused.contains("not suspended"), "a second release mails nothing: {refused}");
}

#[test]
fn a_game_whose_deadline_passed_on_the_way_gets_the_next_of_its_calendar() {
    let (mut old, (_folder, file)) = (half_played(), file());
    out(&mut old, &file, true);
    let mut new = another_host(99);
    let due = old.robot.game("W7").expect("the game").deadline.expect("a deadline");
    new.clock.set(due + jiff::SignedDuration::from_hours(30));
    take_in(&mut new, &file, None).expect("imported");
    new.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    let now = new.clock.now();
    assert_eq!(new.robot.run_due(now).expect("the robot goes on"), 0, "no turn runs at once");
    let later = new.robot.game("W7").expect("the game").deadline.expect("a deadline");
    assert!(later > now);
}

#[test]
fn a_host_that_was_lost_and_set_up_from_its_key_takes_old_answers_too() {
    let (mut host, (folder, file)) = (Host::new(), file());
    // A host with the same key, like a copy of this one before the game.
    let copy = folder.path().join("copy.sqlite");
    fieldpost::ops::backup::copy(host.dir.path(), &copy, None, host.clock.now()).expect("a copy");
    let address = reply_address(&host, "W7", 1);
    out(&mut host, &file, true);
    let mut same = another_host(7);
    let secret = |host: &Host| host.robot.store.key().question(1);
    assert_eq!(secret(&same), secret(&host));
    let said = take_in(&mut same, &file, None).expect("imported");
    assert!(!said.contains("void"), "{said}");
    same.robot.as_game_master(|gm| gm.release("W7")).expect("released");
    assert_eq!(same.receive(mail(&player(1), &address, "M 1 2\n")).reason.as_str(), "filed");
}

#[test]
fn the_file_has_nothing_of_other_games_nor_of_the_host() {
    let (mut host, (_folder, file)) = (half_played(), file());
    let mut other = a_game("warlord", 2);
    other.code = "X9".into();
    host.robot.new_game(other).expect("another game");
    for (seat, address) in [(1, "secret.agent@elsewhere.example"), (2, "p1@players.example")] {
        let seat = NewSeat {
            game: "X9".into(),
            seat: Seat(seat),
            address: address.into(),
            name: format!("Hidden {seat}"),
            zone: None,
            contact: Contact::Hide,
            any_address: false,
        };
        host.robot.add_seat(&seat).expect("a seat");
    }
    host.robot.start("X9", None, false).expect("it starts");
    host.receive(mail("max@nowhere.example", ROBOT, "hello\n"));
    let said = out(&mut host, &file, false);
    assert!(said.contains("Warning: the game goes on here"), "{said}");

    let bytes = fs::read(&file).expect("a file");
    let holds = |part: &[u8]| bytes.windows(part.len()).any(|w| w == part);
    assert!(holds(b"p3@players.example"), "players go along");
    assert!(!holds(b"secret.agent") && !holds(b"Hidden") && !holds(b"max@nowhere"));
    let key = "SELECT value FROM host WHERE key = 'secret'";
    let key = host.robot.store.connection().query_row(key, [], |r| r.get::<_, Vec<u8>>(0));
    assert!(!holds(&key.expect("a key")), "the key stays");
    let conn = Connection::open(&file).expect("a store");
    for table in ["seat", "turn", "orders", "mail", "outbox", "game"] {
        let column = if table == "game" { "code" } else { "game" };
        let sql = format!("SELECT count(*), count(*) FILTER (WHERE {column} IS 'W7') FROM {table}");
        let row = |r: &rusqlite::Row| Ok((r.get::<_, u32>(0)?, r.get::<_, u32>(1)?));
        let (all, of_it) = conn.query_row(&sql, [], row).expect("a count");
        assert!(all == of_it && all > 0, "{table}: {of_it} of {all}");
    }
    let keys = conn.query_row("SELECT group_concat(key) FROM host", [], |r| r.get::<_, String>(0));
    assert_eq!(keys.as_deref(), Ok("export"));
}

#[test]
fn a_game_lives_twice_on_one_host_under_two_codes() {
    let (mut host, (_folder, file)) = (half_played(), file());
    out(&mut host, &file, false);
    let refused = take_in(&mut host, &file, None).expect_err("it is here already");
    assert!(refused.contains("--as"), "{refused}");
    for code in ["toolongcode", "W-8", "", "w7"] {
        assert!(take_in(&mut host, &file, Some(code)).is_err(), "{code:?}");
    }
    let mails = host.robot.store.mails().latest(1000).expect("a store").len();
    take_in(&mut host, &file, Some("w8")).expect("imported");
    assert_eq!(host.robot.game("W8").expect("the game").code, "W8");
    assert_eq!(host.robot.store.mails().latest(1000).expect("a store").len(), mails + 12);
    host.robot.as_game_master(|gm| gm.release("W8")).expect("released");
    let told = host.mails_to(2);
    assert!(told.iter().any(|m| m.text.contains("called W7 before")), "{}", told.len());
    let conn = host.robot.store.connection();
    let sql = "SELECT o.card = p.card AND o.mail <> p.mail AND m.game = 'W8' AND m.raw_z = n.raw_z
               FROM orders o JOIN orders p ON p.game = 'W7' AND p.seat = o.seat AND p.turn = o.turn
               JOIN mail m ON m.id = o.mail JOIN mail n ON n.id = p.mail WHERE o.game = 'W8'";
    let mut query = conn.prepare(sql).expect("a query");
    let same: Vec<bool> =
        query.query_map([], |r| r.get(0)).expect("rows").map(|r| r.expect("a row")).collect();
    assert_eq!(same, [true; 12], "orders point to their own mails");
    drop(query);
    // The one goes on without the other.
    let answer = mail(&player(2), &reply_address(&host, "W8", 2), "M 2 6\n");
    assert_eq!(host.receive(answer).reason.as_str(), "filed");
    assert!(host.on_file(2).contains("M 2 3"), "W7 is as it was");
    assert_eq!(host.pass_deadline(), 2, "both run at their deadline");
    assert_eq!(replayed(&mut host, "W7"), 4);
    assert_eq!(replayed(&mut host, "W8"), 4);
    assert_eq!(
        host.robot.store.outbox().printout("W8", Seat(2), 2).expect("a store").map(|m| m.len()),
        host.robot.store.outbox().printout("W7", Seat(2), 2).expect("a store").map(|m| m.len()),
        "old printouts can be sent again"
    );
}

#[test]
fn what_was_changed_cut_or_is_of_another_program_is_refused_and_leaves_nothing() {
    let (mut old, (folder, file)) = (half_played(), file());
    out(&mut old, &file, true);
    let changed = |name: &str, sql: &str| {
        let path = folder.path().join(name);
        fs::copy(&file, &path).expect("copied");
        Connection::open(&path).and_then(|c| c.execute_batch(sql)).expect("changed");
        path
    };
    let cut = folder.path().join("cut");
    let bytes = fs::read(&file).expect("a file");
    fs::write(&cut, &bytes[..bytes.len() * 2 / 3]).expect("written");
    let whole = folder.path().join("whole");
    fieldpost::ops::backup::copy(old.dir.path(), &whole, None, old.clock.now()).expect("a copy");
    let newer = format!("PRAGMA user_version = {}", SCHEMAS.len() + 1);
    let mut new = another_host(99);
    let store = fs::read(store_of(&new)).expect("a store");
    let other_card = "UPDATE turn SET cards = replace(cards, 'M 1 1', 'M 1 2') WHERE turn = 1";
    let other_state = "UPDATE turn SET state_z = (SELECT state_z FROM turn WHERE turn = 0)
                       WHERE turn = 2";
    for (path, why) in [
        (changed("card", other_card), "differently in step 1"),
        (changed("seed", "UPDATE turn SET seed = seed + 1 WHERE turn = 2"), "in step 2"),
        (changed("state", other_state), "in step 2"),
        (changed("hash", "UPDATE turn SET hash = 'x' WHERE turn = 0"), "in step 0"),
        (changed("gone", "DELETE FROM turn WHERE turn = 2"), "has not every step"),
        (changed("ahead", "UPDATE game SET turn = 5"), "has not every step"),
        (changed("none", "DELETE FROM turn"), "has not every step"),
        (cut, "damaged"),
        (changed("newer", &newer), "newer program"),
        (changed("engine", "UPDATE game SET engine = 'chess'"), "no engine \"chess\""),
        (changed("rules", "UPDATE game SET rules_version = 77"), "rules version 77"),
        (changed("turns", "UPDATE turn SET rules_version = 77"), "rules version 77"),
        (changed("zone", "UPDATE seat SET zone = 'Moon/Base' WHERE seat = 1"), "Moon/Base"),
        (changed("seat", "UPDATE seat SET seat = 40 WHERE seat = 4"), "no seat 40"),
        (changed("json", "UPDATE game SET rule = 'often'"), "column"),
        (changed("trigger", "CREATE TRIGGER t AFTER INSERT ON mail BEGIN SELECT 1; END"), "more"),
        (changed("unsaid", "DELETE FROM host"), "unreadable"),
        (whole, "fieldpost restore"),
        (folder.path().join("nowhere"), "is not there"),
    ] {
        let told = take_in(&mut new, &path, None).expect_err("refused");
        let name = path.display();
        assert!(told.contains(why), "{name}: {told}");
        assert!(new.robot.store.games().all().expect("a store").is_empty(), "{name}");
        assert!(!names(new.dir.path()).iter().any(|n| n.contains("import")), "{name}");
    }
    assert_eq!(fs::read(store_of(&new)).expect("a store"), store, "nothing was written");
    take_in(&mut new, &file, None).expect("the file as it was");
}

#[test]
fn a_game_that_has_not_started_stays_and_one_that_is_over_comes_as_it_is() {
    let (mut host, (folder, file)) = (half_played(), file());
    let mut open = a_game("warlord", 2);
    open.code = "X9".into();
    host.robot.new_game(open).expect("another game");
    let refused =
        export(&mut host.robot, "X9", &file, false, &mut Vec::new()).expect_err("not started");
    assert!(refused.to_string().contains("has not started"), "{refused}");
    assert_eq!(names(folder.path()), Vec::<String>::new(), "no file is left");
    host.robot
        .store
        .connection()
        .execute_batch(
            "UPDATE game SET status = 'over' WHERE code = 'W7';
             UPDATE step SET due_at = NULL WHERE game = 'W7'",
        )
        .expect("over");
    out(&mut host, &file, true);
    let mut new = another_host(99);
    let said = take_in(&mut new, &file, None).expect("imported");
    assert!(said.contains("It is over."), "{said}");
    assert_eq!(new.robot.game("W7").expect("the game").status, Status::Over);
    assert!(new.robot.as_game_master(|gm| gm.release("W7")).is_err());
}

#[test]
fn an_export_overwrites_nothing_and_a_failed_one_suspends_nothing() {
    let (mut host, (folder, file)) = (half_played(), file());
    fs::write(&file, "precious").expect("written");
    let refused =
        export(&mut host.robot, "W7", &file, true, &mut Vec::new()).expect_err("it is there");
    assert!(refused.to_string().contains("nothing is overwritten"), "{refused}");
    assert_eq!(fs::read(&file).expect("a file"), b"precious");
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Running);
    let nowhere = folder.path().join("no/folder/w7.game");
    export(&mut host.robot, "W7", &nowhere, true, &mut Vec::new()).expect_err("no such folder");
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Running);
}

#[test]
fn of_every_table_it_is_settled_whether_it_goes_along() {
    let conn = Connection::open_in_memory().expect("memory");
    SCHEMAS.iter().for_each(|sql| conn.execute_batch(sql).expect("a schema"));
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    let mut query = conn.prepare(sql).expect("a query");
    let rows = query.query_map([], |r| r.get::<_, String>(0)).expect("rows");
    for table in rows.map(|r| r.expect("a name")) {
        let taken = TAKEN_ALONG.iter().any(|(t, _)| *t == table);
        assert!(
            taken != LEFT_BEHIND.contains(&table.as_str()),
            "{table}: does it go along with its game? Put it into one list of store/moving.rs"
        );
    }
}

#[test]
fn players_of_a_game_that_is_suspended_already_are_told_of_the_move_once() {
    let (mut host, (folder, file)) = (half_played(), file());
    host.robot.suspend("W7", "the game master is ill").expect("suspended");
    let before = host.mails_to(1).len();
    out(&mut host, &file, true);
    assert!(host.last_mail(1).subject.contains("the game moves"));
    let again = folder.path().join("again.game");
    let stopped = host.robot.game("W7").expect("the game").suspended_why;
    assert!(stopped.contains("exported"), "{stopped}");
    host.pass(1);
    out(&mut host, &again, true);
    assert_eq!(host.mails_to(1).len(), before + 1);
}

#[test]
fn an_export_that_was_cut_short_tells_the_players_when_it_is_done_again() {
    let (mut host, (folder, file)) = (half_played(), file());
    let before = host.mails_to(1).len();
    // The process dies when the game is suspended and the file is written.
    let dies = "CREATE TRIGGER dies BEFORE INSERT ON outbox BEGIN SELECT RAISE(ABORT, 'dies'); END";
    host.robot.store.connection().execute(dies, []).expect("a trigger");
    export(&mut host.robot, "W7", &file, true, &mut Vec::new()).expect_err("it dies");
    host.robot.store.connection().execute("DROP TRIGGER dies", []).expect("dropped");
    let game = host.robot.game("W7").expect("the game");
    assert_eq!(game.status, Status::Suspended);
    assert!(game.suspended_why.contains("again with --hold"), "{}", game.suspended_why);
    out(&mut host, &folder.path().join("again.game"), true);
    assert_eq!(host.mails_to(1).len(), before + 1);
    assert!(host.last_mail(1).subject.contains("the game moves"));
}

#[test]
fn what_is_noted_of_imported_games_is_kept_apart() {
    let (mut host, (_folder, file)) = (half_played(), file());
    out(&mut host, &file, true);
    let mut new = another_host(99);
    for code in ["W8", "W9"] {
        take_in(&mut new, &file, Some(code)).expect("imported");
    }
    new.robot.as_game_master(|gm| gm.release("W8")).expect("released");
    let noted = |code: &str| new.robot.store.moved_game(code).expect("a store").is_some();
    assert_eq!(["W8", "W9"].map(noted), [false, true]);
}
