//! The command line as a game master uses it: its help, and errors that say what to do next.
//!
//! `UPDATE_EXPECT=1` rewrites the help in `cli/help.txt`; read the difference.

use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs the program; returns its success, standard output and standard error.
pub fn fieldpost(dir: &Path, args: &[&str]) -> (bool, String, String) {
    let mut run = Command::new(env!("CARGO_BIN_EXE_fieldpost"));
    // The help is as wide as the terminal, which the tests may run in.
    let run = run.current_dir(dir).env("COLUMNS", "100").args(args).output();
    let run = run.expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.success(), text(&run.stdout), text(&run.stderr))
}

/// Runs the program, which must succeed; returns its standard output.
fn succeeds(dir: &Path, args: &[&str]) -> String {
    let (ok, out, error) = fieldpost(dir, args);
    assert!(ok, "{args:?}: {error}");
    out
}

fn config(dir: &Path) {
    let text = "[robot]\naddress = \"robot@fieldpost.example\"\ngm = \"gm@fieldpost.example\"\n\
                data = \"data\"\n[inbox.main]\nkind = \"maildir\"\npath = \"inbox\"\n\
                [outlet]\nkind = \"maildir\"\npath = \"players\"\n[log]\nlevel = \"error\"\n";
    fs::write(dir.join("robot.toml"), text).expect("written");
}

/// Adds the help of a command and of all commands below it. It finds them in the help itself, so
/// that a new command can't be forgotten.
fn add_help(dir: &Path, command: &[&str], text: &mut String) {
    let help = succeeds(dir, &[&["help"], command].concat());
    *text += &format!("$ {}\n{help}\n", [&["fieldpost", "help"], command].concat().join(" "));
    // The program lists its commands by topics.
    let first = if command.is_empty() { "Usage:" } else { "Commands:" };
    let below = help.lines().skip_while(|l| !l.starts_with(first)).skip(1);
    let names = below.take_while(|l| *l != "Options:").filter_map(|l| {
        // A continued line begins further right.
        let name = l.strip_prefix("  ").filter(|l| !l.starts_with(' '))?;
        name.split(' ').next()
    });
    for name in names.filter(|n| *n != "help") {
        add_help(dir, &[command, &[name]].concat(), text);
    }
}

#[test]
fn the_help_of_every_command_is_as_expected() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut text = String::new();
    add_help(dir.path(), &[], &mut text);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ops/cli/help.txt");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, &text).expect("written");
    }
    let before = fs::read_to_string(&path).unwrap_or_default();
    assert!(before == text, "the help is other now; UPDATE_EXPECT=1 rewrites it:\n{text}");
}

#[test]
fn completions_and_manual_pages_know_every_command() {
    let dir = tempfile::tempdir().expect("a folder");
    for shell in ["bash", "zsh", "fish"] {
        let script = succeeds(dir.path(), &["completions", shell]);
        assert!(script.contains("dashboard") && script.contains("with-free-seats"), "{shell}");
    }
    succeeds(dir.path(), &["manual", "man"]);
    let page = |name: &str| fs::read_to_string(dir.path().join("man").join(name)).expect("a page");
    assert!(page("fieldpost.1").contains("fieldpost\\-serve(1)"), "{}", page("fieldpost.1"));
    assert!(page("fieldpost-game-start.1").contains("free seats to computer players"));
}

#[test]
fn whoever_types_something_wrong_is_told_what_to_type() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    fs::write(dir.path().join("empty.toml"), "# later\n").expect("written");
    fs::write(dir.path().join("file"), "").expect("written");
    let refused = |line: &str, told: &str| {
        let (ok, out, error) = fieldpost(dir.path(), &line.split(' ').collect::<Vec<_>>());
        assert!(!ok && error.contains(told), "{line}: {out}{error}");
    };
    refused("game new W7 --seats 500", "Warlord takes 2 to 200 seats");
    let new = "game new W7 --seats 2 --set";
    refused(&format!("{new} join=maybe"), "join=maybe: write true or false; it is false now");
    refused(&format!("{new} policy=foo"), "policy=foo: write strict, normal or open;");
    refused(&format!("{new} quorum=many"), "quorum=many: write a whole number, 0 or more;");
    refused(&format!("{new} reminders_hours=x"), "write whole numbers in brackets, such as [48,6]");
    refused("-c empty.toml game list", "it says nothing; write one with \"fieldpost init\"");
    let said = succeeds(dir.path(), &["game", "new", "W7", "--seats", "2"]);
    assert!(said.contains("seat add W7 1"), "{said}");
    let said = succeeds(dir.path(), &["seat", "add", "W7", "1", "anna@players.example"]);
    assert!(said.contains("nothing until \"fieldpost game start W7\""), "{said}");
    refused("game start W7", "--computers");
    succeeds(dir.path(), &["game", "start", "W7", "--with-free-seats"]);
    refused("game start W7", "\"fieldpost game show W7\" says where it stands");
    let said = succeeds(dir.path(), &["seat", "add", "W7", "2", "ben@players.example"]);
    assert!(said.contains("on its way to the player"), "{said}");
    let shown = succeeds(dir.path(), &["game", "show", "W7"]);
    assert!(shown.contains("Outbox: 2 waiting"), "a printout for each: {shown}");
    for line in ["backup file/x", "export W7 file/x", "demo --dir file/x"] {
        refused(line, "file/x can't be written");
    }
    refused("render W7 1 --format html --out file/x", "name a folder in which this user may write");
    refused("mail release 99", "there is no mail 99; \"fieldpost mail quarantine\"");
    let said = succeeds(dir.path(), &["credit", "add", "W7", "1", "5"]);
    assert!(said.contains("\"fieldpost game new --fee\""), "{said}");
    succeeds(dir.path(), &["turn", "run", "W7"]);
    let said = succeeds(dir.path(), &["turn", "undo", "W7"]);
    assert!(said.contains("\"fieldpost game release W7\""), "{said}");
    refused("turn undo W7", "\"fieldpost game release W7\"");
    let text = fs::read_to_string(dir.path().join("robot.toml")).expect("the config");
    let web = format!("{text}[web]\ndashboard = \"127.0.0.1:9\"\n");
    fs::write(dir.path().join("robot.toml"), web).expect("written");
    let (ok, address, hint) = fieldpost(dir.path(), &["dashboard"]);
    assert!(ok && address.lines().count() == 1 && hint.contains("fieldpost serve"), "{hint}");
}

#[test]
fn what_a_game_master_mails_can_be_typed_as_well() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    succeeds(dir.path(), &["game", "new", "W7", "--seats", "2"]);
    assert!(succeeds(dir.path(), &["gm"]).contains("GM SET W7 early=true"));
    let said = succeeds(dir.path(), &["gm", "set", "w7", "every=36", "hours"]);
    assert!(said.contains("\nevery=36 hours") && !said.contains("| "), "{said}");
    // The config may be named after it, as after every command; a word may begin with a dash.
    let status = ["gm", "status", "W7", "-c", "robot.toml"];
    assert!(succeeds(dir.path(), &status).contains("every=36 hours"));
    // No word of a command is ignored.
    for (words, form) in [
        ("status W7 now", "GM STATUS [game]"),
        ("undo act seven", "GM UNDO"),
        ("quarantine releas 3", "GM QUARANTINE"),
        ("quarantine drop all", "GM QUARANTINE"),
        ("credit W7 1 much", "GM CREDIT"),
    ] {
        let words: Vec<&str> = ["gm"].into_iter().chain(words.split(' ')).collect();
        let (ok, _, error) = fieldpost(dir.path(), &words);
        assert!(!ok && error.contains(&format!("the form is {form}")), "{words:?}: {error}");
    }
    for words in ["tell W7 1 - later", "tell W7 1 -- --later", "tell W7 1 at -5"] {
        let words: Vec<&str> = ["gm"].into_iter().chain(words.split(' ')).collect();
        let (ok, _, error) = fieldpost(dir.path(), &words);
        assert!(!ok && error.contains("game W7 has no such player"), "{words:?}: {error}");
    }
    assert!(succeeds(dir.path(), &["act", "list"]).contains("shell"), "it is in the record");
    let (ok, _, error) = fieldpost(dir.path(), &["gm", "HOLD"]);
    assert!(!ok && error.contains("the form is GM HOLD W7 reason"), "{error}");
}

#[test]
fn an_engine_is_named_the_same_way_everywhere() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    for flag in ["--engine", "--game"] {
        for command in [&["sim"][..], &["demo"], &["game", "new", "W7", "--seats", "2"]] {
            let (ok, _, error) = fieldpost(dir.path(), &[command, &[flag, "chess"]].concat());
            assert!(!ok && error.contains("chess"), "{command:?} {flag}: {error}");
        }
    }
}

#[test]
fn a_missing_or_wrong_config_is_refused_with_the_key_and_what_to_do() {
    let dir = tempfile::tempdir().expect("a folder");
    let (ok, _, error) = fieldpost(dir.path(), &["game", "list"]);
    assert!(!ok && error.contains("copy config/robot.example.toml"), "{error}");
    config(dir.path());
    let text = fs::read_to_string(dir.path().join("robot.toml")).expect("the config");
    fs::write(dir.path().join("bad.toml"), text.replace("gm = ", "gn = ")).expect("written");
    let (ok, _, error) = fieldpost(dir.path(), &["--config", "bad.toml", "game", "list"]);
    assert!(!ok && error.contains("gn") && error.contains("line 3"), "{error}");
}

#[test]
fn a_game_is_made_seated_started_checked_run_and_replayed() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    let run = |args: &[&str]| succeeds(dir.path(), args);
    run(&["game", "new", "W7", "--seats", "2", "--every", "7 days", "--zone", "Europe/London"]);
    let (ok, _, error) = fieldpost(dir.path(), &["game", "start", "W7"]);
    assert!(!ok && error.contains("seats 1, 2") && error.contains("--with-free-seats"), "{error}");
    let out = run(&["seat", "add", "W7", "1", "anna@players.example", "--name", "Karelia"]);
    assert!(out.contains("password"), "{out}");
    let (ok, _, error) = fieldpost(dir.path(), &["seat", "add", "W7", "1", "ben@players.example"]);
    assert!(!ok && error.contains("seat 1 is taken"), "{error}");
    run(&["seat", "add", "W7", "2", "ben@players.example"]);
    run(&["game", "start", "W7"]);
    for command in ["game show", "turn run"] {
        let args: Vec<&str> = command.split(' ').chain(["W9"]).collect();
        let (ok, _, error) = fieldpost(dir.path(), &args);
        assert!(!ok && error.contains("there are: W7"), "{error}");
    }
    fs::write(dir.path().join("card.txt"), "M 1 3\nC 9 1\n").expect("written");
    let out = run(&["check", "--game", "W7", "--seat", "1", "card.txt"]);
    assert!(out.contains("M 1 3") && out.contains("no city or airbase 9 of yours"), "{out}");
    run(&["turn", "run", "W7"]);
    assert!(!run(&["game", "show", "W7"]).contains("missed"), "nobody had the whole time");
    assert!(run(&["replay", "W7"]).contains("2 steps recomputed"));
    run(&["game", "hold", "W7", "a holiday"]);
    let (ok, _, error) = fieldpost(dir.path(), &["turn", "run", "W7"]);
    assert!(!ok && error.contains("suspended"), "{error}");
    assert!(run(&["game", "list"]).contains("suspended"));
    run(&["game", "release", "W7"]);
    run(&["game", "deadline", "W7", "2099-12-01 18:00"]);
    assert!(run(&["game", "show", "W7"]).contains("Tue 1 Dec 2099, 18:00 GMT"));
}

#[test]
fn a_turn_that_is_run_by_hand_has_the_cards_that_lie_in_the_mailbox() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    let run = |args: &[&str]| succeeds(dir.path(), args);
    run(&["game", "new", "W7", "--seats", "2"]);
    let said = run(&["seat", "add", "W7", "1", "anna@players.example"]);
    let password = said.trim().rsplit(' ').next().expect("a password").to_owned();
    run(&["game", "start", "W7", "--with-free-seats"]);
    let lay = |number: u32| {
        let card = format!(
            "From: anna@players.example\r\nTo: robot@fieldpost.example\r\n\
             Message-ID: <{number}@players.example>\r\n\r\n\
             GAME W7 SEAT 1 PASSWORD {password}\r\nM 1 {number}\r\n"
        );
        let name = format!("1780000000.{number}.test");
        mail::maildir::deliver(&dir.path().join("inbox"), &name, card.as_bytes()).expect("laid");
    };
    lay(3);
    run(&["turn", "run", "W7"]);
    let list = run(&["mail", "list"]);
    assert!(list.contains("accepted"), "judged before the turn: {list}");
    assert!(!run(&["game", "show", "W7"]).contains("missed"));
    // A robot that serves reads by itself; the command reports mails that it has not judged or read
    // yet.
    let lock = fs::File::create(dir.path().join("data/serve.lock")).expect("made");
    lock.lock().expect("held, as a robot does");
    let stored = |sql: &str| {
        let entropy = base::clock::FixedEntropy::new(1);
        let store = store::Store::open(&dir.path().join("data"), &entropy).expect("a store");
        assert_eq!(store.connection().execute(sql, []).expect("a change"), 1);
    };
    stored("UPDATE mail SET verdict = NULL");
    let (ok, _, error) = fieldpost(dir.path(), &["turn", "run", "W7"]);
    assert!(!ok && error.contains("1 mail without a verdict may hold cards"), "{error}");
    stored("UPDATE mail SET verdict = 'accepted'");
    lay(4);
    let (ok, _, error) = fieldpost(dir.path(), &["turn", "run", "W7"]);
    assert!(!ok && error.contains("1 unread mail in inbox main may hold cards"), "{error}");
    run(&["turn", "run", "W7", "--unread"]);
    assert_eq!(run(&["mail", "list"]), list, "nothing was read");
    drop(lock);
    // Nor does a mailbox that can't be read go unnoticed.
    fs::create_dir(dir.path().join("inbox/.Fieldpost-another")).expect("made");
    fs::remove_dir_all(
        fs::read_dir(dir.path().join("inbox"))
            .expect("a folder")
            .map(|e| e.expect("an entry").path())
            .find(|p| {
                p.to_string_lossy().contains("Fieldpost-") && !p.ends_with(".Fieldpost-another")
            })
            .expect("the mark of this store"),
    )
    .expect("removed");
    let (ok, _, error) = fieldpost(dir.path(), &["turn", "run", "W7"]);
    assert!(!ok && error.contains("another store reads this mailbox"), "{error}");
}

#[test]
fn keys_are_drawn_anew_while_no_robot_serves() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    let text = fs::read_to_string(dir.path().join("robot.toml")).expect("the config");
    let text = format!("{text}[web]\ndashboard = \"127.0.0.1:8025\"\n");
    fs::write(dir.path().join("robot.toml"), text).expect("written");
    succeeds(dir.path(), &["game", "new", "W7", "--seats", "2"]);
    succeeds(dir.path(), &["seat", "add", "W7", "1", "ben@players.example"]);
    let address = || succeeds(dir.path(), &["dashboard"]);
    let before = address();
    let serving = fieldpost::host::lock_folder(&dir.path().join("data")).expect("nobody serves");
    for args in [&["key", "new"][..], &["key", "new", "--dashboard"]] {
        let (ok, _, error) = fieldpost(dir.path(), args);
        assert!(!ok && error.contains("another robot serves"), "{error}");
        assert!(error.contains("stop it first"), "{error}");
    }
    assert_eq!(address(), before);
    drop(serving);
    succeeds(dir.path(), &["key", "new", "--dashboard"]);
    let second = address();
    assert_ne!(second, before);
    let said = succeeds(dir.path(), &["key", "new"]);
    assert!(said.contains("1 mail and one to you wait to be sent"), "{said}");
    assert_ne!(address(), second);
    let acts = succeeds(dir.path(), &["act", "list"]);
    assert!(acts.contains("the host has new keys") && acts.contains("a new address"), "{acts}");
}

#[test]
fn a_seat_that_does_not_exist_is_refused_by_check() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    fieldpost(dir.path(), &["game", "new", "W7", "--seats", "2"]);
    fieldpost(dir.path(), &["game", "start", "W7", "--with-free-seats"]);
    fs::write(dir.path().join("card.txt"), "M 1 3\n").expect("written");
    let args = ["check", "--game", "W7", "--seat", "9", "card.txt"];
    let (ok, _, error) = fieldpost(dir.path(), &args);
    assert!(!ok && error.contains("seats 1 to 2"), "{error}");
}

#[test]
fn an_atlas_is_a_map_an_animation_and_a_page_that_needs_nothing_else() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    succeeds(dir.path(), &["game", "new", "B7", "--engine", "battle-plan", "--seats", "4"]);
    succeeds(dir.path(), &["game", "start", "B7", "--computers"]);
    for _ in 0..2 {
        succeeds(dir.path(), &["turn", "run", "B7"]);
    }
    let said = succeeds(dir.path(), &["atlas", "B7", "--out", "maps"]);
    assert!(said.contains("b7-course.html"), "{said}");
    let file = |name: &str| fs::read(dir.path().join("maps").join(name)).expect("written");
    assert!(file("b7-atlas.png").starts_with(b"\x89PNG"));
    assert!(file("b7-course.png").windows(4).any(|w| w == b"acTL"), "it is animated");
    let page = String::from_utf8(file("b7-course.html")).expect("text");
    for label in ["The start", "After turn 1", "After turn 2"] {
        assert!(page.contains(&format!("data-label=\"{label}\"")), "{label}");
    }
    // The description of the picture says who leads.
    assert!(page.contains("alt=\"After turn 2. Countries: "), "the leaders");
    assert!(!page.contains("src=\"http") && !page.contains("href="), "nothing is loaded");
}

#[test]
fn a_sim_needs_no_config_and_draws_its_course() {
    let dir = tempfile::tempdir().expect("a folder");
    let args = ["sim", "--seats", "6", "--turns", "6", "--seeds", "2", "--report", "charts"];
    let (ok, out, error) = fieldpost(dir.path(), &args);
    assert!(ok, "{error}");
    assert!(out.contains("No rule was broken in 2 games."), "{out}");
    // The first turn, every fifth one, and the last.
    let rows = out.lines().filter(|l| l.starts_with("    "));
    let turns: Vec<&str> = rows.filter_map(|l| l.split_whitespace().next()).collect();
    assert_eq!(turns, ["1", "5", "6", "1", "5", "6"], "{out}");
    let chart = fs::read_to_string(dir.path().join("charts/seed-2-cities.svg")).expect("a chart");
    assert!(chart.starts_with("<svg") && chart.contains("seat "), "{chart}");
    let (ok, _, error) = fieldpost(dir.path(), &["sim", "--game", "chess"]);
    assert!(!ok && error.contains("there are: warlord"), "{error}");
}

#[test]
fn a_sim_compares_two_strengths_and_shows_the_figures_that_are_asked_for() {
    let dir = tempfile::tempdir().expect("a folder");
    let game = ["sim", "--game", "battle-plan", "--seats", "5", "--turns", "12"];
    let run = |more: &[&str]| fieldpost(dir.path(), &[&game, more].concat());
    let between = ["--between", "normal:easy", "--columns", "dollars,revolutions"];
    let (ok, out, error) = run(&[&between[..], &["--report", "charts"]].concat());
    assert!(ok, "{error}");
    // One seed is two games, so that both strengths have each seat once.
    for first in ["normal", "easy"] {
        assert!(out.contains(&format!("\nSeed 1, {first} first\n")), "{out}");
        let chart = format!("charts/seed-1-{first}-first-countries.svg");
        assert!(dir.path().join(&chart).exists(), "{chart}");
    }
    let head = "points: best, median, worst  dollars  revolutions  lines";
    assert!(out.contains(head), "{out}");
    let verdict = out.lines().find(|l| l.starts_with("normal against easy: won "));
    let share = verdict.and_then(|l| l.split_once("places ")?.1.split_once(' ')?.0.parse().ok());
    assert!(share.is_some_and(|percent: u32| percent > 50), "{verdict:?}");
    let (ok, _, error) = run(&["--columns", "gold"]);
    assert!(!ok && error.contains("no column \"gold\"; there are: battles, "), "{error}");
    let (ok, _, error) = run(&["--between", "hard"]);
    assert!(!ok && error.contains("two different strengths, such as hard:normal"), "{error}");
    let (ok, _, error) = run(&["--between", "hard:easy", "--option", "computers=easy"]);
    assert!(!ok && error.contains("--between sets the option computers"), "{error}");
    let (ok, _, error) = run(&["--between", "hard:mild"]);
    assert!(!ok && error.contains("mild"), "{error}");
}

#[test]
fn a_reader_who_has_seen_enough_is_no_failure() {
    let (read, write) = std::io::pipe().expect("a pipe");
    drop(read);
    let mut run = Command::new(env!("CARGO_BIN_EXE_fieldpost"));
    let run = run.args(["schema", "card"]).stdout(write).output().expect("the program runs");
    assert!(run.status.success(), "{run:?}");
    assert!(run.stderr.is_empty(), "{run:?}");
}

#[test]
fn every_game_has_its_sim_and_its_demo() {
    let dir = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| fieldpost(dir.path(), args);
    let world = ["sim", "--game", "battle-plan", "--seats", "13", "--turns", "2"];
    let (ok, out, error) = run(&[&world[..], &["--option", "variant=1939"]].concat());
    assert!(ok && out.contains("No rule was broken in 1 game."), "{out}{error}");
    // For games with moves in sequence the output says whether the first have an advantage.
    let duel = ["sim", "--game", "classic-warlord", "--seats", "2", "--option", "boards=5"];
    let (ok, out, error) = run(&[&duel[..], &["--turns", "200", "--seeds", "2"]].concat());
    assert!(ok && out.contains("\n2 of 2 decided, in "), "{out}{error}");
    assert!(out.contains("\nWon by who moves first, second ...: "), "{out}");
    let (ok, _, error) = run(&["sim", "--game", "battle-plan", "--seats", "3"]);
    assert!(!ok && error.contains("Battle Plan takes 4 to 79 seats, not 3"), "{error}");
    let (ok, _, error) = run(&["sim", "--seats", "4", "--absent", "4"]);
    assert!(!ok && error.contains("of 4 seats at most 3 can leave"), "{error}");
    for none in ["--turns", "--seeds", "--jobs"] {
        let (ok, out, _) = run(&["sim", "--seats", "4", none, "0"]);
        assert!(!ok && out.is_empty(), "nothing played breaks no rule: {none}");
    }
    let (ok, _, error) = run(&[&world[..], &["--option", "variant=europe"]].concat());
    assert!(!ok && error.contains("europe has 4 to 9 seats, not 13"), "{error}");
    for (game, told, happened) in [
        ("battle-plan", "6 of 6 steps", "Deadline of turn 4"),
        ("classic-warlord", "34 of 34 steps", "Played: round 5, Blue attacks Green"),
        ("empire-deluxe", "13 of 13 steps", "1 player against 1 computer"),
        ("empire-deluxe-together", " steps, computed again", "Played: turns 4 to 6"),
        ("imperium", "7 of 7 steps", "Played: turn 1, segment 1, halted"),
    ] {
        let (ok, out, error) = run(&["demo", "--game", game, "--dir", game]);
        assert!(ok && out.contains(told), "{out}{error}");
        assert!(out.lines().count() < 60, "{game} fits a screen: {out}");
        let page = fs::read_to_string(dir.path().join(game).join("index.html")).expect("a page");
        assert!(page.contains(happened), "{game}: {page}");
    }
    let (ok, _, error) = run(&["demo", "--game", "chess"]);
    assert!(!ok && error.contains("there is no demo of \"chess\""), "{error}");
}

#[test]
fn a_game_of_battle_plan_is_hosted_like_any_other() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    let run = |args: &[&str]| succeeds(dir.path(), args);
    let starts = "starts=AL,NE,SP,SW,TU";
    run(&["game", "new", "B1", "--engine", "battle-plan", "--seats", "5", "--option", starts]);
    run(&["seat", "add", "B1", "5", "anna@players.example"]);
    run(&["game", "start", "B1", "--computers"]);
    fs::write(dir.path().join("card.txt"), "@ 2A\n@TU AC20UK\n").expect("written");
    let echo = run(&["check", "--game", "B1", "--seat", "5", "card.txt"]);
    assert!(echo.contains("Order-count: 2."), "{echo}");
    run(&["turn", "run", "B1"]);
    assert!(run(&["replay", "B1"]).contains("2"));
    let book = run(&["rules", "B1"]);
    assert!(book.contains("16. The Turkish strait") && book.contains("25. Connections"), "{book}");
    let options = ["game", "new", "B2", "--engine", "battle-plan", "--seats", "5"];
    let (ok, _, error) =
        fieldpost(dir.path(), &[&options[..], &["--option", "variant=mars"]].concat());
    assert!(!ok && error.contains("variant is one of europe, equal"), "{error}");
}

#[test]
fn computers_take_the_free_seats_and_the_rulebook_is_printed() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    let run = |args: &[&str]| succeeds(dir.path(), args);
    run(&["game", "new", "W7", "--seats", "3", "--fee", "1", "--option", "absent_turns=6"]);
    run(&["seat", "add", "W7", "1", "anna@players.example"]);
    run(&["seat", "computer", "W7", "2"]);
    run(&["game", "start", "W7", "--computers"]);
    assert_eq!(run(&["seat", "list", "W7"]).matches("a computer player").count(), 2);
    assert!(run(&["rules", "W7"]).contains("After 6 turns in a row without a card"));
    assert!(run(&["credit", "add", "W7", "1", "5"]).contains("has 5 credits"));
    run(&["turn", "run", "W7"]);
    let ledger = run(&["credit", "list", "W7", "1"]);
    assert!(ledger.contains("printout of turn 2") && ledger.contains("has 4 credits"), "{ledger}");
    let args = ["game", "new", "W8", "--seats", "3", "--option", "absent_turns"];
    let (ok, _, error) = fieldpost(dir.path(), &args);
    assert!(!ok && error.contains("name=value"), "{error}");
}

#[test]
fn what_shows_positions_to_the_game_master_stands_in_the_record() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    let does = |args: &[&str]| succeeds(dir.path(), args);
    does(&["game", "new", "W7", "--seats", "3"]);
    let said = does(&["seat", "add", "W7", "1", "anna@players.example"]);
    assert!(said.contains("Seat 1 is given.") && said.contains("Its password, shown only now:"));
    let said = does(&["game", "start", "W7", "--computers"]);
    assert!(said.contains("Game W7 runs; its first printouts are in the outbox."), "{said}");
    does(&["render", "W7", "1"]);
    does(&["atlas", "W7", "--out", "maps"]);
    does(&["export", "W7", "w7.game"]);
    does(&["backup", "copies/"]);
    let acts = does(&["act", "list"]);
    for act in [
        "seat 1 given to a player",
        "the game started",
        "printout of seat 1 in turn 1 shown",
        "the whole map shown",
        "the whole game exported",
        "the whole store copied",
    ] {
        assert_eq!(acts.matches(act).count(), 1, "{act}: {acts}");
    }
    assert!(!acts.contains("anna@"), "{acts}");
    assert!(!acts.contains("shown (for good)"), "a look changes nothing: {acts}");
}

#[test]
fn several_turns_are_run_and_taken_back_on_the_command_line() {
    let dir = tempfile::tempdir().expect("a folder");
    config(dir.path());
    let does = |args: &[&str]| succeeds(dir.path(), args);
    does(&["game", "new", "Y1", "--seats", "3"]);
    does(&["seat", "add", "Y1", "1", "anna@players.example"]);
    does(&["game", "start", "Y1", "--computers"]);
    for turn in 1..=5 {
        let shown = does(&["turn", "run", "Y1", "--unread"]);
        assert!(shown.contains(&format!("Game Y1 ran turn {turn}")), "{shown}");
    }
    let shown = does(&["game", "show", "Y1"]);
    assert!(shown.contains("turn 6") && shown.contains("running"), "one turn each: {shown}");
    let said = does(&["turn", "undo", "Y1", "--to", "3"]);
    assert!(said.contains("All from turn 3 to turn 5 of game Y1 is taken back"), "{said}");
    let (ok, _, error) = fieldpost(dir.path(), &["turn", "undo", "Y1", "--to", "4"]);
    assert!(!ok && error.contains("the last that has is turn 2"), "{error}");
}
