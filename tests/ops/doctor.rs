//! Doctor on a host without servers: folders, the store, the config.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use base::clock::SystemEntropy;
use store::Store;
use tempfile::TempDir;

use crate::names::name_server;
use crate::provider::{poor_imap, provider};

/// A host whose mail comes from a Maildir and goes into a folder.
struct Host(TempDir);

impl Host {
    fn new() -> Self {
        let host = Self(tempfile::tempdir().expect("a temporary folder"));
        fs::create_dir_all(host.0.path().join("Maildir/new")).expect("made");
        // These tests send nothing out of the machine.
        let auth = format!("[auth]\ncheck = true\ndns = \"{}\"\n", name_server(&[]));
        host.configure(&format!(
            "[robot]\naddress = \"robot@fieldpost.test\"\ngm = \"gm@fieldpost.test\"\n\
             data = {:?}\n\n[inbox.main]\nkind = \"maildir\"\npath = {:?}\n\n\
             [outlet]\nkind = \"maildir\"\npath = {:?}\n\n{auth}",
            host.path("data"),
            host.path("Maildir"),
            host.path("out")
        ));
        host
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn configure(&self, text: &str) {
        fs::write(self.path("robot.toml"), text).expect("written");
    }

    /// Adds lines to the config.
    fn add(&self, lines: &str) {
        let text = fs::read_to_string(self.path("robot.toml")).expect("it is there");
        self.configure(&format!("{text}\n{lines}\n"));
    }

    fn run(&self, arguments: &[&str]) -> (bool, String) {
        let done = Command::new(env!("CARGO_BIN_EXE_fieldpost"))
            .arg("--config")
            .arg(self.path("robot.toml"))
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .expect("the program runs");
        let said = String::from_utf8([done.stdout, done.stderr].concat()).expect("text");
        (done.status.success(), said)
    }

    fn doctor(&self) -> (bool, String) {
        self.run(&["doctor"])
    }

    fn store(&self) -> Store {
        Store::open(&self.path("data"), &SystemEntropy).expect("the store opens")
    }
}

/// The line of a check with the lines below it.
fn check(said: &str, name: &str) -> String {
    let is_of = |line: &&str| line.get(6..).is_some_and(|l| l.starts_with(&format!("{name}: ")));
    let mut lines = said.lines().skip_while(|l| !is_of(l));
    let first = lines.next().unwrap_or_else(|| panic!("no check {name} in\n{said}"));
    let below = lines.take_while(|l| l.starts_with("      "));
    [first].into_iter().chain(below).map(str::trim_start).collect::<Vec<_>>().join(" ")
}

fn is_empty(folder: &Path) -> bool {
    fs::read_dir(folder).is_ok_and(|mut f| f.next().is_none())
}

#[test]
fn a_host_of_folders_is_well_and_stays_as_it_was() {
    let host = Host::new();
    let (ok, said) = host.doctor();
    assert!(ok, "{said}");
    assert!(check(&said, "store").contains("none yet"), "{said}");
    assert!(check(&said, "inbox main").starts_with("ok"), "{said}");
    assert!(check(&said, "reader").contains("may open nothing"), "{said}");
    assert!(check(&said, "outlet").starts_with("ok"), "{said}");
    assert!(check(&said, "a mail to itself").contains("not tried"), "{said}");
    assert!(check(&said, "SPF").starts_with("warn"), "no record is no failure: {said}");
    assert!(!host.path("data").exists() && !host.path("out").exists(), "nothing is made");
    assert!(is_empty(&host.path("Maildir/new")), "nothing is delivered");
}

#[test]
fn a_config_that_can_not_be_read_is_the_only_line() {
    let host = Host::new();
    host.add("[limits]\nmail_bites_max = 3");
    let (ok, said) = host.doctor();
    assert!(!ok, "{said}");
    assert!(said.starts_with("FAIL  config: "), "{said}");
    assert!(said.contains("mail_bites_max") && said.contains("line"), "{said}");
    assert!(!said.contains("outlet:") && said.contains("1 check failed"), "{said}");
    fs::remove_file(host.path("robot.toml")).expect("removed");
    let (ok, said) = host.doctor();
    assert!(!ok && said.contains("fieldpost init"), "{said}");
}

#[test]
fn a_damaged_store_is_found_and_left_alone() {
    let host = Host::new();
    assert!(host.run(&["game", "new", "W7", "--seats", "2"]).0);
    assert!(check(&host.doctor().1, "store").contains("whole, of this version"));
    let store = host.store();
    store.connection().execute_batch("PRAGMA wal_checkpoint(TRUNCATE)").expect("one file");
    drop(store);
    let path = host.path("data/fieldpost.sqlite");
    let mut bytes = fs::read(&path).expect("the store");
    // Pages but the first, as a failing disk leaves them.
    let page = bytes.len() / 4096;
    assert!(page > 10, "{page} pages");
    bytes[4096 * 3..4096 * 8].fill(0x5a);
    fs::write(&path, &bytes).expect("written");
    let (ok, said) = host.doctor();
    let line = check(&said, "store");
    assert!(!ok && line.starts_with("FAIL") && line.contains("fieldpost restore"), "{said}");
    assert_eq!(fs::read(&path).expect("the store"), bytes, "it was looked at only");
}

#[test]
fn a_store_of_another_version_is_told_and_not_changed() {
    let host = Host::new();
    assert!(host.run(&["game", "new", "W7", "--seats", "2"]).0);
    let newest: i64 = host
        .store()
        .connection()
        .query_row("PRAGMA user_version", [], |r| r.get(0))
        .expect("a version");
    let set = |version: i64| {
        let path = host.path("data/fieldpost.sqlite");
        let store = rusqlite::Connection::open(path).expect("opens");
        store.pragma_update(None, "user_version", version).expect("set");
    };
    set(newest + 1);
    let (ok, said) = host.doctor();
    assert!(!ok && check(&said, "store").contains("newer version"), "{said}");
    set(newest - 1);
    let (ok, said) = host.doctor();
    assert!(ok && check(&said, "store").starts_with("warn"), "{said}");
    let (_, again) = host.doctor();
    assert!(check(&again, "store").contains("earlier version"), "it is still as old: {again}");
}

#[test]
fn a_game_in_a_zone_that_nobody_knows_is_named() {
    let host = Host::new();
    assert!(host.run(&["game", "new", "W7", "--seats", "2", "--zone", "Europe/London"]).0);
    assert!(check(&host.doctor().1, "time zones").contains("1 in use"));
    let sql = "UPDATE game SET rule = replace(rule, 'Europe/London', 'Europe/Atlantis')";
    let changed = host.store().connection().execute(sql, []).expect("changed");
    assert_eq!(changed, 1);
    let (ok, said) = host.doctor();
    let line = check(&said, "time zones");
    assert!(!ok && line.contains("Europe/Atlantis") && line.contains("W7"), "{said}");
    assert!(line.contains("game set W7 zone="), "{line}");
}

#[test]
fn too_little_room_fails() {
    let host = Host::new();
    host.add("[limits]\ndisk_free_mb_min = 4000000000");
    let (ok, said) = host.doctor();
    let line = check(&said, "disk");
    assert!(!ok && line.starts_with("FAIL") && line.contains("disk_free_mb_min"), "{said}");
}

#[test]
fn a_maildir_that_is_not_there_is_a_warning() {
    let host = Host::new();
    fs::remove_dir_all(host.path("Maildir")).expect("removed");
    let (ok, said) = host.doctor();
    assert!(ok, "{said}");
    let line = check(&said, "inbox main");
    assert!(line.starts_with("warn") && line.contains("have your mail delivered"), "{line}");
}

#[test]
fn a_folder_in_whose_place_lies_a_file_fails() {
    let host = Host::new();
    fs::write(host.path("out"), "").expect("written");
    fs::write(host.path("data"), "").expect("written");
    let (ok, said) = host.doctor();
    assert!(!ok && said.contains("2 checks failed"), "{said}");
    assert!(check(&said, "outlet").starts_with("FAIL"), "{said}");
    assert!(check(&said, "store").starts_with("FAIL"), "{said}");
}

#[test]
fn a_maildir_that_another_store_has_marked_fails() {
    let host = Host::new();
    assert!(check(&host.doctor().1, "inbox main, its store").contains("none yet"));
    fs::create_dir(host.path("Maildir/.Fieldpost-another")).expect("made");
    let (ok, said) = host.doctor();
    let line = check(&said, "inbox main, its store");
    assert!(!ok && line.starts_with("FAIL") && line.contains("Fieldpost-another"), "{said}");
    assert!(line.contains("Stop the other one") || line.contains("stop the other one"), "{line}");
}

#[test]
fn a_robot_that_serves_is_seen() {
    let host = Host::new();
    fs::create_dir_all(host.path("data")).expect("made");
    assert!(check(&host.doctor().1, "robot").contains("none serves"));
    let lock = fs::File::create(host.path("data/serve.lock")).expect("made");
    lock.lock().expect("held, as a robot does");
    assert!(check(&host.doctor().1, "robot").contains("one serves"));
}

/// The host with an SMTP server that delivers to its Maildir, and with these records in DNS.
fn with_provider(on_top: &str, records: &[(&str, &str)]) -> Host {
    let host = Host::new();
    let port = provider(&host.path("Maildir"), on_top);
    let text = fs::read_to_string(host.path("robot.toml")).expect("it is there");
    let (start, _) = text.split_once("[outlet]").expect("an outlet");
    host.configure(&format!(
        "{start}[outlet]\nkind = \"smtp\"\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n\n\
         [auth]\ncheck = true\ndns = \"{}\"\n",
        name_server(records)
    ));
    host
}

/// Fields that a provider writes into a mail that it signed and checked.
const SIGNED: &str = "Authentication-Results: mx.fieldpost.test; spf=pass smtp.mailfrom=a@b.test;\r\n \
    dkim=pass header.d=fieldpost.test\r\n\
    DKIM-Signature: v=1; a=rsa-sha256; d=fieldpost.test;\r\n s=mail; h=From; bh=eA==; b=eA==\r\n";

#[test]
fn a_mail_comes_back_into_a_maildir_and_its_signature_has_a_key() {
    let records = [
        ("fieldpost.test", "v=spf1 mx -all"),
        ("_dmarc.fieldpost.test", "v=DMARC1; p=none"),
        ("mail._domainkey.fieldpost.test", "v=DKIM1; k=rsa; p=eA=="),
    ];
    let host = with_provider(SIGNED, &records);
    // A mail of somebody else is left alone.
    fs::write(host.path("Maildir/new/1.a"), "From: a@b.test\r\n\r\nHELP\r\n").expect("laid");
    let (ok, said) = host.doctor();
    assert!(ok, "{said}");
    let came = check(&said, "a mail to itself");
    assert!(came.contains("in INBOX; To names robot+doctor@fieldpost.test"), "{said}");
    let proof = check(&said, "proof of origin");
    assert!(proof.contains("mx.fieldpost.test says spf=pass, dkim=pass"), "{said}");
    assert!(check(&said, "DKIM").starts_with("ok"), "{said}");
    assert!(said.ends_with("All is well.\n"), "{said}");
    let left = fs::read_dir(host.path("Maildir/new")).expect("listed").count();
    assert_eq!(left, 1, "the mail of the visit is removed, and no other");
}

#[test]
fn a_signature_without_a_key_and_a_bad_result_are_warnings() {
    let failed = SIGNED.replace("spf=pass", "spf=softfail");
    let host = with_provider(&failed, &[("fieldpost.test", "v=spf1 mx +all")]);
    let (ok, said) = host.doctor();
    assert!(ok, "{said}");
    assert!(check(&said, "proof of origin").starts_with("warn"), "{said}");
    let dkim = check(&said, "DKIM");
    assert!(dkim.starts_with("warn"), "{dkim}");
    assert!(dkim.contains("TXT record for mail._domainkey.fieldpost.test"), "{dkim}");
    assert!(check(&said, "SPF").contains("everybody"), "{said}");
    // Signed by a domain that is not the robot's.
    let other = SIGNED.replace("d=fieldpost.test;", "d=provider.test;");
    let key = ("mail._domainkey.provider.test", "v=DKIM1; p=eA==");
    let (_, said) = with_provider(&other, &[key]).doctor();
    let dkim = check(&said, "DKIM");
    assert!(dkim.starts_with("warn") && dkim.contains("not by fieldpost.test"), "{said}");
}

#[test]
fn results_that_anybody_could_write_are_a_failure() {
    // A server that adds its own field and does not remove the forger's.
    let host = with_provider(SIGNED, &[]);
    let text = fs::read_to_string(host.path("robot.toml")).expect("it is there");
    let (start, _) = text.split_once("[auth]").expect("a check");
    host.configure(&format!("{start}[auth]\ntrust = \"mx.fieldpost.test\"\n"));
    let (ok, said) = host.doctor();
    assert!(!ok && check(&said, "forged results").starts_with("FAIL"), "{said}");
    // The server's own field is not mistaken for it.
    assert!(check(&said, "proof of origin").contains("spf=pass"), "{said}");
}

#[test]
fn doctor_notes_whether_the_trusted_server_takes_out_results_of_others() {
    let careful = "Authentication-Results: careful.test; spf=pass smtp.mailfrom=a@b.test\r\n";
    for (server, on_top, strips) in
        [("careful.test", careful, true), ("mx.fieldpost.test", SIGNED, false)]
    {
        let host = with_provider(on_top, &[]);
        let text = fs::read_to_string(host.path("robot.toml")).expect("it is there");
        let (start, _) = text.split_once("[auth]").expect("a check");
        host.configure(&format!("{start}[auth]\ntrust = \"{server}\"\n"));
        // There is a store from the first command on.
        assert!(host.run(&["game", "list"]).0);
        // The earlier result no longer counts.
        let mut store = host.store();
        store
            .write(|tx| robot::verdict::senders::note_strips(tx, server, !strips))
            .expect("a note");
        let said = host.doctor().1;
        let found = check(&said, "forged results");
        assert_eq!(found.contains("the server takes them out"), strips, "{said}");
        let robot = fieldpost::host::robot(
            &fieldpost::config::Config::load(&host.path("robot.toml")).expect("a config"),
            &registry::ENGINES,
        );
        let seen = robot.expect("a robot").reports().results_are_stripped().expect("a store");
        assert_eq!(seen, Some(strips), "{server}");
    }
}

#[test]
fn a_game_that_asks_for_what_nothing_proves_is_a_failure() {
    let host = Host::new();
    let text = fs::read_to_string(host.path("robot.toml")).expect("it is there");
    let (start, _) = text.split_once("[auth]").expect("a check");
    host.configure(start);
    let new = ["game", "new", "W7", "--engine", "warlord", "--seats", "4", "--every", "7 days"];
    assert!(host.run(&new).0, "{}", host.run(&new).1);
    assert!(host.run(&["game", "set", "W7", "policy=strict"]).0);
    let (ok, said) = host.doctor();
    let line = check(&said, "policy");
    assert!(!ok && line.starts_with("FAIL") && line.contains("W7"), "{said}");
    assert!(host.run(&["game", "set", "W7", "policy=normal"]).0);
    assert!(!host.doctor().1.contains("policy: "));
}

#[test]
fn what_an_imap_server_lacks_is_told_with_its_consequence() {
    for (abilities, word, told) in [
        (" IDLE MOVE UIDPLUS", "ok", "IDLE, MOVE, UIDPLUS"),
        (" MOVE UIDPLUS", "warn", "noticed up to 60 seconds late"),
        (" IDLE UIDPLUS", "warn", "copied and then deleted"),
        ("", "FAIL", "no mail can be moved"),
    ] {
        let host = Host::new();
        fs::write(host.path("secret"), "x\n").expect("written");
        let text = fs::read_to_string(host.path("robot.toml")).expect("it is there");
        let (start, rest) = text.split_once("[inbox.main]").expect("an inbox");
        let (_, rest) = rest.split_once("[outlet]").expect("an outlet");
        host.configure(&format!(
            "{start}[inbox.main]\nkind = \"imap\"\nhost = \"127.0.0.1\"\nport = {}\n\
             tls = \"none\"\nuser = \"robot\"\npassword_file = {:?}\n\n[outlet]{rest}",
            poor_imap(abilities),
            host.path("secret")
        ));
        let (ok, said) = host.doctor();
        let line = check(&said, "inbox main, abilities");
        assert!(line.starts_with(word) && line.contains(told), "{abilities}: {said}");
        let filing = check(&said, "inbox main, filing");
        assert!(!ok && filing.starts_with("FAIL") && filing.contains("rights"), "{said}");
    }
}

#[test]
fn a_password_that_others_may_read_is_a_warning() {
    let host = Host::new();
    let secret = host.path("secret");
    fs::write(&secret, "x\n").expect("written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    fs::set_permissions(&secret, mode).expect("changed");
    let text = fs::read_to_string(host.path("robot.toml")).expect("it is there");
    let (start, _) = text.split_once("[outlet]").expect("an outlet");
    host.configure(&format!(
        "{start}[outlet]\nkind = \"smtp\"\nhost = \"127.0.0.1\"\nport = 1\ntls = \"none\"\n\
         user = \"robot\"\npassword_file = {secret:?}\n\n[auth]\ncheck = true\ndns = \"{}\"\n",
        name_server(&[])
    ));
    let (_, said) = host.doctor();
    let line = check(&said, "password");
    assert!(line.starts_with("warn") && line.contains("chmod 600"), "{said}");
}

#[test]
fn a_password_that_is_not_there_is_named_with_its_file() {
    let host = Host::new();
    let text = fs::read_to_string(host.path("robot.toml")).expect("it is there");
    let port = poor_imap(" IDLE MOVE UIDPLUS");
    let missing = host.path("nowhere");
    let inbox = format!(
        "[inbox.far]\nkind = \"imap\"\nhost = \"127.0.0.1\"\nport = {port}\ntls = \"none\"\n\
         user = \"robot\"\npassword_file = {missing:?}\n"
    );
    host.configure(&text.replace("[outlet]", &format!("{inbox}\n[outlet]")));
    let (ok, said) = host.doctor();
    let line = check(&said, "inbox far");
    assert!(!ok && line.starts_with("FAIL") && line.contains("nowhere"), "{said}");
    assert!(line.contains("LoadCredential"), "{line}");
    assert!(check(&said, "inbox main").starts_with("ok"), "the other is well: {said}");
}
