//! `fieldpost replay FILE`: anybody's check of a game, on a machine without config and store.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::publish::three_games;

/// Runs the program in a folder; returns its success, standard output and standard error.
fn replay(dir: &Path, args: &[&str]) -> (bool, String, String) {
    let mut run = Command::new(env!("CARGO_BIN_EXE_fieldpost"));
    let run = run.current_dir(dir).arg("replay").args(args).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.success(), text(&run.stdout), text(&run.stderr))
}

#[test]
fn the_public_file_of_a_game_is_checked_without_config_and_store() {
    let mut host = three_games();
    let dir = tempfile::tempdir().expect("a folder");
    let page = |host: &mut support::host::Host, path: &str| {
        fieldpost::ops::publish::page(&mut host.robot, path).expect("a store")
    };
    let found = page(&mut host, "games/w7.fieldpost.json").expect("a file");
    assert_eq!(found.media, "application/json");
    assert!(page(&mut host, "games/r2.fieldpost.json").is_none(), "it is played");
    let shown = page(&mut host, "games/w7.html").expect("a page");
    let shown = String::from_utf8_lossy(&shown.bytes).into_owned();
    let end = &host.robot.game("W7").expect("the game").chains[0].told.end;
    assert!(shown.contains("w7.fieldpost.json") && shown.contains(end), "{shown}");
    let open = page(&mut host, "games/o3.html").expect("a page of a game that takes players");
    let end = &host.robot.game("O3").expect("the game").chains[0].told.end;
    assert!(String::from_utf8_lossy(&open.bytes).contains(end), "told before anybody joins");

    fs::write(dir.path().join("w7.fieldpost.json"), &found.bytes).expect("written");
    let (ok, out, error) = replay(dir.path(), &["w7.fieldpost.json"]);
    assert!(ok, "{error}");
    assert!(out.contains("2 of 2 steps played again"), "{out}");
    let (ok, out, error) = replay(dir.path(), &["w7.fieldpost.json", "--seat", "1"]);
    assert!(ok && out.contains("| C 1 1") && out.contains("card received 20"), "{out}{error}");
    assert!(out.contains("report sent, SHA-256 "), "{out}");
    let (ok, _, error) = replay(dir.path(), &["w7.fieldpost.json", "--seat", "9"]);
    assert!(!ok && error.contains("the game has seats 1 to 4"), "{error}");
    let (ok, _, error) = replay(dir.path(), &["W7", "--seat", "1"]);
    assert!(!ok && error.contains("name the file"), "{error}");

    let text = String::from_utf8(found.bytes).expect("text");
    let mut all: Value = serde_json::from_str(&text).expect("JSON");
    all["steps"][1]["cards"][0][1]["lines"][0][1] = "C 1 2\u{1b}[31m".into();
    fs::write(dir.path().join("other.json"), all.to_string()).expect("written");
    let (ok, out, error) = replay(dir.path(), &["./other.json", "--seat", "1"]);
    assert!(!ok && error.contains("step 1, seat 1: its card is not the one"), "{error}");
    assert!(!out.contains('\u{1b}') && !error.contains('\u{1b}'), "nothing steers a terminal");
}

#[test]
fn a_file_that_is_none_is_told_so() {
    let dir = tempfile::tempdir().expect("a folder");
    let deep = "[".repeat(200_000);
    for (text, wanted) in [
        ("", "it is no file of a game"),
        ("{}", "it is no file of a game"),
        (deep.as_str(), "it is no file of a game"),
        ("{\"format\": 7}", "it is no file of a game"),
    ] {
        fs::write(dir.path().join("x.json"), text).expect("written");
        let (ok, _, error) = replay(dir.path(), &["x.json"]);
        assert!(!ok && error.contains(wanted) && !error.contains("panicked"), "{error}");
    }
    let (ok, _, error) = replay(dir.path(), &["none.json"]);
    assert!(!ok && error.contains("none.json: No such file"), "{error}");
}
