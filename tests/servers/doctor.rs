//! `fieldpost doctor` on a good host, and on hosts where one thing is wrong.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::fs::PermissionsExt;

use crate::names::name_server;
use crate::{addresses, servers};
use support::process::{GAME, Host, Setup, foreign_authority};
use support::rig::{DOMAIN, Rig, password};

/// A host with this name server, and with its own password.
fn host<'a>(rig: &'a Rig, setup: &Setup, dns: SocketAddr) -> Host<'a> {
    let host = Host::new(rig, setup);
    let path = host.path("robot.toml");
    let text = fs::read_to_string(&path).expect("the config is there");
    let text = format!("{text}\n[auth]\ncheck = true\ndns = \"{dns}\"\n");
    fs::write(path, text).expect("written");
    let mode = fs::Permissions::from_mode(0o600);
    fs::set_permissions(host.path("password"), mode).expect("changed");
    host
}

/// The records of a domain that is set up well.
fn good_names() -> SocketAddr {
    let dmarc = format!("_dmarc.{DOMAIN}");
    name_server(&[
        (DOMAIN, "v=spf1 ip4:127.0.0.1 -all"),
        (dmarc.as_str(), "v=DMARC1; p=quarantine"),
    ])
}

/// The output of doctor, and whether the host is able to serve. Checks that it shows no secret.
fn doctor(host: &Host, flags: &[&str]) -> (bool, String) {
    let arguments: Vec<&str> = ["doctor"].iter().chain(flags).copied().collect();
    let done = host.try_run(&arguments);
    let said = String::from_utf8([done.stdout, done.stderr].concat()).expect("text");
    assert!(!said.contains(&password("robot")), "a password is told: {said}");
    (done.status.success(), said)
}

/// The line of a check, and the lines below it.
fn check(said: &str, name: &str) -> String {
    let is_of = |line: &&str| line.get(6..).is_some_and(|l| l.starts_with(&format!("{name}: ")));
    let mut lines = said.lines().skip_while(|l| !is_of(l));
    let first = lines.next().unwrap_or_else(|| panic!("no check {name} in\n{said}"));
    let below = lines.take_while(|l| l.starts_with("      "));
    [first].into_iter().chain(below).map(str::trim_start).collect::<Vec<_>>().join(" ")
}

fn lines_of(said: &str, word: &str) -> Vec<String> {
    said.lines().filter(|l| l.starts_with(word)).map(str::to_owned).collect()
}

/// The number of mails in the robot's mailbox.
fn mails(rig: &Rig) -> usize {
    let folders = ["INBOX", "Accepted", "Rejected", "Ignored", "Quarantine"];
    folders.iter().map(|folder| rig.mails("robot", folder).len()).sum()
}

#[test]
fn a_good_host_is_well_and_nothing_of_the_visit_is_left() {
    let rig = servers();
    let host = host(&rig, &Setup::of(&rig), good_names());
    host.start_game(&addresses(2));
    let (ok, said) = doctor(&host, &[]);
    assert!(ok, "{said}\n{}", rig.logs());
    // The rig signs no mail, and Dovecot announces mails slowly; everything else is as it should
    // be.
    let mut warnings = lines_of(&said, "warn");
    warnings.retain(|w| !w.contains("inbox main, news: a new mail is told "));
    assert!(warnings.len() == 1 && warnings[0].contains("DKIM"), "{said}");
    for (name, seen) in [
        ("config", "robot@fieldpost.test"),
        ("password", "its owner's alone"),
        ("store", "whole, of this version"),
        ("disk", "MB are free"),
        ("robot", "none serves"),
        ("time zones", "1 in use, all known"),
        ("inbox main", "logged in as robot@"),
        ("inbox main, abilities", "IDLE, MOVE, UIDPLUS"),
        ("inbox main, folders", "(made: Accepted, Rejected, Ignored, Quarantine)"),
        ("inbox main, its store", "none yet"),
        ("inbox main, filing", "found and removed"),
        ("inbox main, news", "a new mail is told "),
        ("clock of localhost", "as this machine's"),
        ("outlet", "STARTTLS, logged in as robot@"),
        ("outlet, addresses", "robot+doctor@fieldpost.test are taken"),
        ("a mail to itself", "in INBOX; Delivered-To names robot+doctor@fieldpost.test"),
        ("moving", "from INBOX to Ignored"),
        ("SPF", "v=spf1 ip4:127.0.0.1 -all"),
        ("DMARC", "p=quarantine"),
    ] {
        assert!(check(&said, name).contains(seen), "{name}: {seen} missing in\n{said}");
    }
    assert_eq!(mails(&rig), 0, "the mails of the visit are removed");
    let told = lines_of(&said, "warn").len();
    let end = format!("It can serve; {told} warning");
    assert!(said.contains(&end), "{said}");
}

#[test]
fn a_robot_that_serves_goes_on_beside() {
    let rig = servers();
    let mut host = host(&rig, &Setup::of(&rig), good_names());
    host.start_game(&addresses(2));
    host.serve();
    let printout = host.await_letter("p1", "p", 1);
    let (ok, said) = doctor(&host, &[]);
    assert!(ok, "{said}\n{}", host.log());
    assert!(check(&said, "robot").contains("one serves"), "{said}");
    assert!(check(&said, "inbox main, its store").contains("marked by this store"), "{said}");
    assert!(check(&said, "a mail to itself").contains("back after"), "{said}");
    host.answer("p1", &printout, 1, "M 1 3");
    assert!(host.await_letter("p1", "e", 1).body.contains("M 1 3"));
    host.await_that("the card alone", || mails(&rig) == 1);
    // The mail of doctor has no verdict.
    let shown = host.run(&["game", "show", GAME]);
    assert!(shown.contains("Outbox: 0 waiting, 3 sent, 0 failed"), "{shown}");
    host.kill();
}

#[test]
fn a_wrong_password_fails_at_both_servers() {
    let rig = servers();
    let host = host(&rig, &Setup::of(&rig), good_names());
    fs::write(host.path("password"), "wrong-pw\n").expect("written");
    let (ok, said) = doctor(&host, &[]);
    assert!(!ok && said.contains("2 checks failed"), "{said}");
    for name in ["inbox main", "outlet"] {
        let line = check(&said, name);
        assert!(line.starts_with("FAIL") && line.contains("no login"), "{line}");
        let file = host.path("password").display().to_string();
        assert!(line.contains("Check user in [") && line.contains(&file), "{line}");
    }
    assert!(check(&said, "a mail to itself").contains("not tried"), "{said}");
    assert!(!said.contains("wrong-pw"), "{said}");
}

#[test]
fn a_certificate_of_another_authority_fails_at_both_servers() {
    let rig = servers();
    let other = tempfile::tempdir().expect("a temporary folder");
    let ca_file = other.path().join("other.pem");
    foreign_authority(&ca_file);
    for (inbox, outlet) in [
        ((rig.imaps_port, "implicit"), (rig.submission_port, "starttls")),
        ((rig.imap_port, "starttls"), (rig.smtps_port, "implicit")),
    ] {
        let setup = Setup { inbox, outlet, ca_file: ca_file.clone(), ..Setup::of(&rig) };
        let (ok, said) = doctor(&host(&rig, &setup, good_names()), &[]);
        assert!(!ok && said.contains("2 checks failed"), "{said}");
        for name in ["inbox main", "outlet"] {
            let line = check(&said, name);
            assert!(line.starts_with("FAIL") && line.contains("no encryption"), "{line}");
            assert!(line.contains("does not come from the authority in"), "{line}");
        }
    }
}

#[test]
fn a_port_where_nobody_listens_fails_with_the_usual_ones() {
    let rig = servers();
    let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let port = taken.local_addr().expect("it has an address").port();
    drop(taken);
    let setup = Setup { inbox: (port, "implicit"), outlet: (port, "starttls"), ..Setup::of(&rig) };
    let (ok, said) = doctor(&host(&rig, &setup, good_names()), &[]);
    assert!(!ok, "{said}");
    for (name, usual) in [("inbox main", "993"), ("outlet", "465")] {
        let line = check(&said, name);
        assert!(line.starts_with("FAIL") && line.contains("no connection"), "{line}");
        assert!(line.contains("refused") && line.contains(usual), "{line}");
    }
}

#[test]
fn a_server_without_plus_addresses_fails_with_the_setting_to_change() {
    let rig = Rig::start_with(&["robot", "gm"], "", "");
    let (ok, said) = doctor(&host(&rig, &Setup::of(&rig), good_names()), &[]);
    assert!(!ok && said.contains("1 check failed"), "{said}");
    let line = check(&said, "outlet, addresses");
    assert!(line.starts_with("FAIL") && line.contains("robot+doctor@"), "{line}");
    assert!(line.contains("recipient_delimiter = +"), "{line}");
    assert_eq!(mails(&rig), 0, "{said}");
}

#[test]
fn a_name_server_that_is_silent_is_no_failure_and_no_mail_is_sent_where_none_is_wanted() {
    let rig = servers();
    let silent = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
    let host = host(&rig, &Setup::of(&rig), silent);
    let (ok, said) = doctor(&host, &["--no-mail"]);
    assert!(ok, "{said}");
    assert!(check(&said, "DNS").starts_with("warn"), "{said}");
    assert!(check(&said, "store").contains("none yet"), "{said}");
    assert!(!said.contains("a mail to itself"), "{said}");
    assert!(!host.path("data").exists(), "a look makes no store");
}

#[test]
fn a_domain_without_records_is_told_what_to_publish() {
    let rig = servers();
    let (ok, said) = doctor(&host(&rig, &Setup::of(&rig), name_server(&[])), &["--no-mail"]);
    assert!(ok, "{said}");
    let spf = check(&said, "SPF");
    assert!(spf.starts_with("warn") && spf.contains("\"v=spf1 a:localhost ~all\""), "{spf}");
    let dmarc = check(&said, "DMARC");
    assert!(dmarc.starts_with("warn") && dmarc.contains("_dmarc.fieldpost.test"), "{dmarc}");
}

#[test]
fn a_mail_that_bounces_is_told_with_its_reason() {
    // Postfix takes plus-addresses, and Dovecot then knows no such mailbox.
    let rig = Rig::start_with(&["robot", "gm"], "+", "");
    let (ok, said) = doctor(&host(&rig, &Setup::of(&rig), good_names()), &[]);
    assert!(!ok && said.contains("1 check failed"), "{said}");
    let line = check(&said, "a mail to itself");
    assert!(line.starts_with("FAIL") && line.contains("it bounced"), "{line}");
    assert!(line.contains("User doesn't exist: robot+doctor@"), "{line}");
    assert!(line.contains("recipient_delimiter = +"), "{line}");
    assert_eq!(mails(&rig), 0, "the bounce is removed too");
}
