//! A private game on one's own machine: typed commands, edited cards, opened pages.

use std::path::{Path, PathBuf};

use base::clock::FixedEntropy;
use fieldpost::ops::Failure;
use fieldpost::play::{Desk, Table, play};
use store::Store;

/// A machine whose editor writes a given text.
#[derive(Default)]
struct Machine {
    /// The text with which the editor began, each time.
    began: Vec<String>,
    /// The text that it saves.
    saves: Option<String>,
    shown: Vec<PathBuf>,
}

impl Desk for Machine {
    fn edit(&mut self, text: &str) -> Result<Option<String>, Failure> {
        self.began.push(text.to_owned());
        Ok(self.saves.clone())
    }

    fn show(&mut self, page: &Path) -> Result<(), Failure> {
        self.shown.push(page.to_owned());
        Ok(())
    }
}

fn typed(root: &Path, machine: &mut Machine, lines: &str) -> String {
    let mut table = Table::open(root, "warlord").expect("a game");
    let mut out = Vec::new();
    play(&mut table, machine, &mut lines.as_bytes(), &mut out).expect("plays");
    String::from_utf8(out).expect("text")
}

#[test]
fn a_private_game_is_played_with_typed_orders_and_goes_on_later() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("game");
    let mut machine = Machine::default();
    let told = typed(&root, &mut machine, "C 1 1\nE 5\nHELP A\nr\nq\n");
    assert!(told.contains("Lesson:") && told.contains("Good first orders:"), "{told}");
    assert!(told.contains("2 orders on file"), "an order adds to those before: {told}");
    assert!(told.contains("Advance: A unit|sector"), "{told}");
    assert!(told.contains("\n> Turn 2."), "the turn runs at once: {told}");
    assert_eq!(machine.shown.len(), 2, "each printout is shown");
    for page in &machine.shown {
        let text = std::fs::read_to_string(page).expect("a page");
        assert!(text.contains("<html"), "{}", page.display());
    }
    let told = typed(&root, &mut machine, "r\n");
    assert!(told.contains("Turn 2.") && told.contains("Turn 3."), "{told}");
    let other = Table::open(&root, "imperium").err().expect("another game is there");
    assert!(other.to_string().contains("\"fieldpost play warlord\" goes on with it"), "{other}");
}

#[test]
fn a_private_game_waits_however_long_its_player_is_away() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut machine = Machine::default();
    typed(dir.path(), &mut machine, "C 1 1\n");
    let store = Store::open(&dir.path().join("data"), &FixedEntropy::new(1)).expect("a store");
    // Moves all times a month back.
    let month_ms = 30 * 24 * 3600 * 1000_i64;
    let sql = "UPDATE step SET due_at = due_at - ?1, whole_at = whole_at - ?1,
               opened_at = opened_at - ?1";
    store.connection().execute(sql, [month_ms]).expect("moved");
    drop(store);
    let told = typed(dir.path(), &mut machine, "E 2\nr\n");
    assert!(told.contains("\nTurn 1.\n"), "no turn ran without its player: {told}");
    assert!(told.contains("2 orders on file") && told.contains("\n> Turn 2."), "{told}");
}

#[test]
fn the_editor_begins_with_the_orders_on_file_and_what_it_saves_replaces_them() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut machine = Machine { saves: Some("E 3\n".to_owned()), ..Machine::default() };
    let told = typed(dir.path(), &mut machine, "C 1 1\ne\n");
    assert!(machine.began[0].starts_with("C 1 1\n"), "{}", machine.began[0]);
    assert!(machine.began[0].contains("Write your orders above this line"));
    assert!(told.contains("1 order on file"), "{told}");
    machine.saves = None;
    let told = typed(dir.path(), &mut machine, "e\n");
    assert!(machine.began[1].starts_with("E 3\n"), "{}", machine.began[1]);
    assert!(told.contains("Nothing was saved"), "{told}");
}

#[test]
fn every_game_is_played_to_its_second_step() {
    for engine in registry::ENGINES.iter() {
        let dir = tempfile::tempdir().expect("a folder");
        let mut table = Table::open(dir.path(), engine.id()).expect("a game");
        let mut out = Vec::new();
        let mut machine = Machine::default();
        play(&mut table, &mut machine, &mut "r\n".as_bytes(), &mut out).expect("plays");
        assert_eq!(machine.shown.len(), 2, "{}", String::from_utf8_lossy(&out));
    }
}
