//! Positions to print: the demos after some turns, and a late game of many players.

use std::sync::OnceLock;

use engine::Seat;
use fieldpost::demo::Stage;
use jiff::SignedDuration;
use render::{Document, Picture, html, pictures};

/// A printout with its name.
pub struct Shown {
    pub name: String,
    pub document: Document,
    pub drawn: Vec<Vec<Picture>>,
}

impl Shown {
    /// As a mail's HTML, with all pictures.
    pub fn html(&self) -> String {
        html::document(&self.document, &self.drawn, &|p| Some(format!("cid:{}@fieldpost", p.name)))
    }
}

/// Plays the demo of a game to its end.
pub fn played(game: &str) -> (tempfile::TempDir, Stage) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut stage = Stage::open(dir.path(), game).expect("a stage");
    let code = stage.script.game.clone();
    for number in 0..stage.script.mail.len() {
        let at = stage.script.mail[number].at.clone();
        let at = base::schedule::date(&at, &stage.script.zone).expect("a date");
        stage.advance(at).expect("runs");
        stage.receive(number).expect("received");
        stage.advance(at).expect("runs");
    }
    let due = stage.robot.game(&code).expect("the game").deadline.expect("a deadline");
    stage.advance(due + SignedDuration::from_secs(1)).expect("runs");
    (dir, stage)
}

/// First and last printouts of two seats of each demo.
pub fn all() -> &'static [Shown] {
    static ALL: OnceLock<Vec<Shown>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut shown = Vec::new();
        for game in ["warlord", "battle-plan"] {
            let (_dir, stage) = played(game);
            let code = stage.script.game.clone();
            let last = stage.robot.game(&code).expect("the game").turn;
            for (seat, turn) in [(1, 1), (1, last), (4, last)] {
                let document =
                    stage.robot.reports().document_of(&code, Seat(seat), turn).expect("a printout");
                let drawn = pictures(&document);
                let name = format!("{game} seat {seat} turn {turn}");
                shown.push(Shown { name, document, drawn });
            }
        }
        shown
    })
}
