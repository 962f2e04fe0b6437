//! `deploy/debian/NOTICE` gives the licence of every crate that the program contains.

use std::collections::BTreeSet;
use std::process::Command;

use super::root;

/// "name version" of each external crate in the program, from cargo.
fn contained() -> BTreeSet<String> {
    let what = ["tree", "--package", "fieldpost", "--edges", "normal", "--prefix", "none"];
    let cargo = Command::new(env!("CARGO"))
        .args(what)
        .args(["--locked", "--offline", "--format", "{p}"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
    let tree = String::from_utf8(cargo.stdout).expect("cargo writes text");
    let others = tree.lines().filter(|line| !line.contains("(/"));
    let mut words = others.filter_map(|line| line.split_once(' '));
    words.by_ref().map(|(name, version)| named(name, version)).collect()
}

fn named(name: &str, version: &str) -> String {
    let version = version.split(' ').next().unwrap_or(version);
    format!("{name} {}", version.trim_start_matches('v'))
}

#[test]
fn the_notice_names_each_crate_that_the_program_contains() {
    let notice = std::fs::read_to_string(root().join("deploy/debian/NOTICE")).expect("it is there");
    let listed: BTreeSet<&str> = notice.lines().filter_map(|l| l.strip_prefix("    ")).collect();
    let contained = contained();
    assert!(contained.len() > 200, "cargo names only {}", contained.len());
    let missing: Vec<&String> =
        contained.iter().filter(|crate_| !listed.contains(crate_.as_str())).collect();
    assert!(
        missing.is_empty(),
        "deploy/package says how NOTICE is made anew; it lacks {missing:?}"
    );
}
