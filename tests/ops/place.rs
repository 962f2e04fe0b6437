//! Stores that move between folders, under a host of the tests.

use std::fs;
use std::path::{Path, PathBuf};

use base::clock::FixedEntropy;
use engine::{Saved, Seat};
use registry::ENGINES;
use robot::limits::Limits;
use store::{FILE, Store};
use tempfile::TempDir;

use support::host::Host;

/// A host with another key.
pub fn another_host(seed: u64) -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    drop_store(&mut host);
    fs::remove_file(host.dir.path().join(FILE)).expect("a store to remove");
    host.robot.store = Store::open(host.dir.path(), &FixedEntropy::new(seed)).expect("a store");
    host
}

/// The file of a host's store.
pub fn store_of(host: &Host) -> PathBuf {
    host.dir.path().join(FILE)
}

/// Closes the store of a host, as if it were stopped; returns the folder of another that it has
/// meanwhile.
pub fn drop_store(host: &mut Host) -> TempDir {
    let spare = tempfile::tempdir().expect("a folder");
    host.robot.store = Store::open(spare.path(), &FixedEntropy::new(1)).expect("a store");
    spare
}

/// Gives a host the store that is in its folder now.
pub fn start_again(host: &mut Host) {
    host.robot.store = Store::open(host.dir.path(), &FixedEntropy::new(2)).expect("a store");
}

/// The result of a turn: its hash, and its bytes.
pub fn outcome(host: &Host, code: &str, turn: u32) -> (String, Saved) {
    let hash = host.robot.store.journal().hash_of(code, turn).expect("a store").expect("a turn");
    (hash, host.robot.store.journal().saved(code, turn).expect("a store").expect("a turn"))
}

/// The number of turns of a game that replay the same; all must.
pub fn replayed(host: &mut Host, code: &str) -> usize {
    let turns = host.robot.replay(code, |_| {}).expect("a journal");
    assert!(turns.iter().all(|t| t.same), "{turns:?}");
    turns.len()
}

/// Cards of all seats for the open turn.
pub fn send_cards(host: &mut Host) {
    let turn = host.robot.game("W7").expect("the game").turn;
    for seat in 1..=4 {
        let row = host.receive(host.card(seat, &format!("M {seat} {turn}\nC {seat} 1\n")));
        assert_eq!(row.reason.as_str(), "filed");
    }
}

/// The secret reply address of a seat's open turn, as its printout has it.
pub fn reply_address(host: &Host, code: &str, seat: u8) -> String {
    let turn = host.robot.game(code).expect("the game").turn;
    let secret = host.robot.store.key().reply(code, Seat(seat), 0, turn);
    format!("robot+{code}.{seat}.{secret}@fieldpost.example")
}

/// Names of the files of a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> =
        entries.map(|e| e.expect("a file").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
