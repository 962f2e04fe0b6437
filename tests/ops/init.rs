//! A config from a few answers: written files and refused answers.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use fieldpost::config::{Config, InboxConfig, OutletConfig, SAMPLE};
use mail::account::{Password, TlsMode};
use tempfile::TempDir;

/// Answers to all questions that need one.
const FLAGS: [&str; 7] = [
    "--address=robot@example.org",
    "--gm=gm@example.org",
    "--data=store",
    "--imap=imap.example.org",
    "--smtp=smtp.example.org",
    "--user=robot@example.org",
    "--password-file=secret",
];

/// The output of `fieldpost init` in a folder, and whether it succeeded.
fn init(folder: &Path, flags: &[&str]) -> (bool, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_fieldpost"))
        .current_dir(folder)
        .arg("init")
        .args(flags)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    let said = [done.stdout, done.stderr].concat();
    (done.status.success(), String::from_utf8(said).expect("text"))
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The usual answers, with one of them replaced or left out.
fn but(flag: &str, instead: &[&str]) -> Vec<String> {
    let kept = FLAGS.iter().filter(|f| !f.starts_with(&format!("{flag}=")));
    kept.chain(instead).map(|f| (*f).to_owned()).collect()
}

/// The error when one answer differs; nothing may be written.
fn refused(flag: &str, instead: &[&str]) -> String {
    let folder = folder();
    let flags = but(flag, instead);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let (ok, said) = init(folder.path(), &flags);
    assert!(!ok, "{flags:?} is refused: {said}");
    let left = fs::read_dir(folder.path()).expect("listed").count();
    assert_eq!(left, 0, "nothing is written: {said}");
    said
}

#[test]
fn flags_alone_give_a_config_that_loads_and_says_what_comes_next() {
    let folder = folder();
    let (ok, said) = init(folder.path(), &FLAGS);
    assert!(ok, "{said}");
    let config = Config::load(&folder.path().join("robot.toml")).expect("it loads");
    assert_eq!(
        (config.address.as_str(), config.gm.as_str()),
        ("robot@example.org", "gm@example.org")
    );
    // The robot may be started from another folder.
    let real = folder.path().canonicalize().expect("it is there");
    assert_eq!(config.data, real.join("store"));
    let [InboxConfig::Imap(inbox)] = config.inboxes.as_slice() else { panic!("{config:?}") };
    assert_eq!((inbox.host.as_str(), inbox.port), ("imap.example.org", 993));
    assert_eq!(inbox.tls, TlsMode::Implicit);
    assert_eq!(inbox.login.secret, Password::File(real.join("secret")));
    let OutletConfig::Smtp(outlet) = config.outlet else { panic!("an SMTP server") };
    assert_eq!((outlet.host.as_str(), outlet.port), ("smtp.example.org", 587));
    assert_eq!(outlet.tls, TlsMode::Starttls);
    assert_eq!(outlet.login.expect("it logs in").user, "robot@example.org");
    for part in [
        "Wrote robot.toml",
        "secret is not there yet",
        "tell of new mail late",
        "fieldpost doctor",
        "game new",
        "serve",
    ] {
        assert!(said.contains(part), "{part} missing in {said}");
    }
}

#[test]
fn every_comment_of_the_sample_stays() {
    let folder = folder();
    assert!(init(folder.path(), &FLAGS).0);
    let text = fs::read_to_string(folder.path().join("robot.toml")).expect("written");
    let comment = |line: &str| line.split_once('#').map(|(_, c)| c.trim().to_owned());
    let comments = |text: &str| -> Vec<String> { text.lines().filter_map(comment).collect() };
    assert_eq!(comments(&text), comments(SAMPLE));
    let keys = |text: &str| text.lines().filter(|l| l.contains(" = ")).count();
    assert_eq!(keys(&text), keys(SAMPLE), "nothing is said twice");
}

#[test]
fn an_answer_takes_the_place_of_its_comment() {
    let folder = folder();
    let refused = but("--imap", &["--imap=mail.example.org:1143", "--imap-tls=none"]);
    let refused: Vec<&str> = refused.iter().map(String::as_str).collect();
    let (ok, said) = init(folder.path(), &refused);
    assert!(!ok && said.contains("in the clear"), "the password would be read by others: {said}");
    assert!(!folder.path().join("robot.toml").exists(), "nothing is written");
    let more = ["--imap=127.0.0.1:1143", "--imap-tls=none", "--dashboard=127.0.0.1:8025"];
    let flags = but("--imap", &more);
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let (ok, said) = init(folder.path(), &flags);
    assert!(ok, "{said}");
    let text = fs::read_to_string(folder.path().join("robot.toml")).expect("written");
    for line in [
        "tls = \"none\"                      # or \"starttls\"; \"none\" on this machine only",
        "port = 1143",
        "dashboard = \"127.0.0.1:8025\"      # the game master's pages",
    ] {
        let starts = |l: &str| l.starts_with(line);
        assert!(text.lines().any(starts), "{line} missing in\n{text}");
    }
    assert_eq!(text.matches("port = 993").count(), 0);
    assert_eq!(text.matches("# port = 587").count(), 1, "the outlet's is as it was");
}

#[test]
fn folders_may_take_the_place_of_both_servers() {
    let folder = folder();
    let flags = [
        "--address=robot@example.org",
        "--gm=gm@example.org",
        "--data=store",
        "--maildir=Maildir",
        "--outbox-dir=out",
        "--yes",
    ];
    let (ok, said) = init(folder.path(), &flags);
    assert!(ok, "{said}");
    let config = Config::load(&folder.path().join("robot.toml")).expect("it loads");
    let real = folder.path().canonicalize().expect("it is there");
    assert!(matches!(&config.inboxes[..],
        [InboxConfig::Maildir { path, .. }] if *path == real.join("Maildir")));
    assert!(matches!(&config.outlet, OutletConfig::Maildir(path) if *path == real.join("out")));
}

#[test]
fn a_server_on_this_machine_that_only_sends_needs_no_password() {
    let folder = folder();
    let flags = [
        "--address=robot@example.org",
        "--gm=gm@example.org",
        "--data=store",
        "--maildir=Maildir",
        "--smtp=localhost:25",
        "--smtp-tls=none",
    ];
    let (ok, said) = init(folder.path(), &flags);
    assert!(ok, "{said}");
    let config = Config::load(&folder.path().join("robot.toml")).expect("it loads");
    let OutletConfig::Smtp(outlet) = config.outlet else { panic!("an SMTP server") };
    assert!(outlet.login.is_none() && outlet.tls == TlsMode::None && outlet.port == 25);
}

#[test]
fn the_port_tells_how_a_server_is_encrypted() {
    for (imap, smtp, expected) in [
        ("[::1]:143", "mail.example.org:465", (TlsMode::Starttls, TlsMode::Implicit)),
        ("192.0.2.1:993", "mail.example.org:587", (TlsMode::Implicit, TlsMode::Starttls)),
    ] {
        let folder = folder();
        let (imap, smtp) = (format!("--imap={imap}"), format!("--smtp={smtp}"));
        let kept =
            FLAGS.into_iter().filter(|f| !f.starts_with("--imap") && !f.starts_with("--smtp"));
        let flags: Vec<&str> = kept.chain([imap.as_str(), smtp.as_str()]).collect();
        let (ok, said) = init(folder.path(), &flags);
        assert!(ok, "{said}");
        let config = Config::load(&folder.path().join("robot.toml")).expect("it loads");
        let ([InboxConfig::Imap(inbox)], OutletConfig::Smtp(outlet)) =
            (config.inboxes.as_slice(), &config.outlet)
        else {
            panic!("two servers: {config:?}")
        };
        assert_eq!((inbox.tls, outlet.tls), expected);
    }
}

#[test]
fn a_missing_answer_names_its_flag() {
    for flag in ["--address", "--gm", "--data", "--imap", "--smtp", "--user", "--password-file"] {
        let said = refused(flag, &["--yes"]);
        assert!(
            said.contains(&format!("{flag} ")) && said.contains("is missing"),
            "{flag}: {said}"
        );
    }
}

#[test]
fn each_bad_answer_is_refused_with_what_to_write_instead() {
    for (flag, answer, hint) in [
        ("--address", "robot at example", "write it like robot@example.org"),
        ("--address", "robot+a@example.org", "robot@example.org"),
        ("--gm", "@example.org", "write it like"),
        ("--gm", "Robot@example.org", "an address of your own"),
        ("--gm", "robot+gm@example.org", "an address of your own"),
        ("--data", "~/store", "the whole path"),
        ("--data", "/etc/hostname", "is a file; name a folder"),
        ("--imap", "imap example", "write HOST or HOST:PORT"),
        ("--imap", "imap.example.org:0", "from 1 to 65535"),
        ("--imap", "imap.example.org:imaps", "from 1 to 65535"),
        ("--imap-tls", "ssl", "implicit, starttls and none"),
        ("--smtp", "https://example.org", "no"),
        ("--smtp-tls", "", "implicit, starttls and none"),
        ("--user", " ", "the whole address"),
        ("--password-file", "/etc", "is a folder"),
        ("--ca-file", "/nowhere/ca.pem", "/nowhere/ca.pem"),
        ("--dashboard", "8025", "write 127.0.0.1:8025"),
        ("--dashboard", "0.0.0.0:8025", "from outside"),
    ] {
        let said = refused(flag, &[&format!("{flag}={answer}")]);
        assert!(said.contains(&format!("{flag}: ")), "it names the flag: {said}");
        assert!(said.contains(hint), "{flag}={answer}: {said}");
    }
}

#[test]
fn a_config_that_is_there_is_overwritten_only_by_force() {
    let folder = folder();
    let path = folder.path().join("robot.toml");
    fs::write(&path, "# mine\n").expect("written");
    let (ok, said) = init(folder.path(), &FLAGS);
    assert!(!ok && said.contains("--force"), "{said}");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "# mine\n");
    let forced: Vec<&str> = FLAGS.into_iter().chain(["--force"]).collect();
    let (ok, said) = init(folder.path(), &forced);
    assert!(ok, "{said}");
    assert!(Config::load(&path).is_ok());
}

#[test]
fn another_path_stands_in_the_next_steps() {
    let folder = folder();
    let flags: Vec<&str> = FLAGS.into_iter().chain(["--config=etc/games.toml"]).collect();
    let (ok, said) = init(folder.path(), &flags);
    assert!(ok, "{said}");
    assert!(said.contains("fieldpost --config etc/games.toml serve"), "{said}");
    let path = folder.path().join("etc/games.toml");
    assert!(Config::load(&path).is_ok());
    let mode = fs::metadata(&path).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "it is its owner's alone");
}

#[test]
fn a_mailbox_is_either_a_server_or_a_folder() {
    let said = refused("--yes", &["--maildir=Maildir"]);
    assert!(said.contains("--imap") && said.contains("--maildir"), "{said}");
}
