//! Notices to the game master by a program of the config, besides mail.

use std::fs;
use std::path::Path;

use base::cancel::Cancel;
use fieldpost::config::Config;
use fieldpost::notify::Notifier;

use support::host::*;

/// A config of a host's store whose command writes its input into a folder.
fn config(host: &Host, folder: &Path, script: &str) -> Config {
    use std::os::unix::fs::PermissionsExt;
    let program = folder.join("tell");
    fs::write(&program, format!("#!/bin/sh\ncd {}\n{script}\n", folder.display()))
        .expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).expect("allowed");
    let text = format!(
        "[robot]\naddress = \"{ROBOT}\"\ngm = \"gm@fieldpost.example\"\ndata = {:?}\n\
         [inbox.main]\nkind = \"maildir\"\npath = \"/nowhere\"\n\
         [outlet]\nkind = \"maildir\"\npath = \"/nowhere\"\n\
         [notify]\ncommand = [{:?}, \"--title\"]\n",
        host.dir.path(),
        program,
    );
    Config::parse(&text).expect("a config")
}

#[test]
fn a_turn_that_has_run_is_told_once_with_its_subject_and_its_text() {
    let mut host = Host::new();
    host.run_turn();
    let folder = tempfile::tempdir().expect("a folder");
    let script = "printf '%s|%s\\n' \"$1\" \"$2\" >>subjects; cat >>texts";
    let config = config(&host, folder.path(), script);
    let never = Cancel::default();
    let mut notifier = Notifier::open(&config, "").expect("a store").expect("a command");
    assert_eq!(notifier.deliver(&never).expect("tells"), 0, "what was before is not told");
    host.run_turn();
    assert_eq!(notifier.deliver(&never).expect("tells"), 1);
    assert_eq!(notifier.deliver(&never).expect("tells"), 0, "told once");
    let subjects = fs::read_to_string(folder.path().join("subjects")).expect("told");
    assert_eq!(subjects, "--title|[Fieldpost] game W7 ran turn 2\n");
    let text = fs::read_to_string(folder.path().join("texts")).expect("told");
    assert!(text.starts_with("Game W7 ran turn 2.") && text.contains("Seats with orders"));
    assert!(!text.contains("Write your orders above"), "{text}");
}

#[test]
fn a_program_that_fails_keeps_nothing_up() {
    let mut host = Host::new();
    let folder = tempfile::tempdir().expect("a folder");
    let config = config(&host, folder.path(), "exit 3");
    let never = Cancel::default();
    let mut notifier = Notifier::open(&config, "").expect("a store").expect("a command");
    host.run_turn();
    let told: Vec<usize> = (0..6).map(|_| notifier.deliver(&never).expect("goes on")).collect();
    assert_eq!(told, [0, 0, 0, 0, 1, 0], "tried five times, then given up");
}

#[test]
fn who_wants_it_again_later_hears_nothing_of_the_time_between() {
    let mut host = Host::new();
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = config(&host, folder.path(), "cat >>texts");
    let never = Cancel::default();
    assert!(Notifier::open(&config, "").expect("a store").is_some());
    let command = std::mem::take(&mut config.notify.command);
    assert!(Notifier::open(&config, "").expect("a store").is_none());
    host.run_turn();
    config.notify.command = command;
    let mut notifier = Notifier::open(&config, "").expect("a store").expect("a command");
    assert_eq!(notifier.deliver(&never).expect("tells"), 0);
}

#[test]
fn of_an_answer_to_the_game_master_the_subject_alone_is_told() {
    let mut host = Host::new();
    let folder = tempfile::tempdir().expect("a folder");
    let config = config(&host, folder.path(), "printf '%s\\n' \"$2\" >>subjects; cat >>texts");
    let never = Cancel::default();
    let mut notifier = Notifier::open(&config, "").expect("a store").expect("a command");
    host.receive(mail("gm@fieldpost.example", ROBOT, "GM STATUS\n"));
    let told = notifier.deliver(&never).expect("tells");
    let text = fs::read_to_string(folder.path().join("texts")).unwrap_or_default();
    assert_eq!((told, text.as_str()), (1, ""));
}

#[test]
fn without_a_command_nothing_is_told() {
    let host = Host::new();
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = config(&host, folder.path(), "");
    config.notify.command.clear();
    assert!(Notifier::open(&config, "").expect("a store").is_none());
}
