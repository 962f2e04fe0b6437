//! The demos as golden campaigns: a mailbox in, the players' mailboxes out.
//!
//! `UPDATE_EXPECT=1` rewrites the expected files; read the difference.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use engine::CardText;
use fieldpost::demo::Stage;
use jiff::SignedDuration;
use mail::quoting::looks_like_order;

fn expected(game: &str) -> PathBuf {
    let folder = format!("mailbox-fixtures/campaigns/{game}-demo");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)
}

/// Plays the demo of a game; returns each player's mails in order, and the verdicts.
fn play(game: &str) -> (BTreeMap<String, Vec<String>>, String) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut stage = Stage::open(dir.path(), game).expect("a stage");
    stage.send().expect("sends");
    let code = stage.script.game.clone();
    let mut verdicts = String::new();
    for number in 0..stage.script.mail.len() {
        let (at, file) =
            (stage.script.mail[number].at.clone(), stage.script.mail[number].file.clone());
        let at = base::schedule::date(&at, &stage.script.zone).expect("a date");
        stage.advance(at).expect("runs");
        for id in stage.receive(number).expect("received") {
            let row = stage.robot.store.mails().mail(id).expect("a store").expect("a row");
            let verdict = row.verdict.expect("a verdict").as_str();
            verdicts += &format!("{file}: {verdict} ({})\n", row.reason);
        }
        stage.advance(at).expect("runs");
        stage.send().expect("sends");
    }
    let due = stage.robot.game(&code).expect("the game").deadline.expect("a deadline");
    stage.advance(due + SignedDuration::from_secs(1)).expect("runs");
    stage.send().expect("sends");
    let replayed = stage.robot.replay(&code, |_| {}).expect("replays");
    assert!(replayed.len() > 2 && replayed.iter().all(|t| t.same), "{replayed:?}");
    (mailboxes(&dir.path().join("players")), verdicts)
}

fn mailboxes(root: &Path) -> BTreeMap<String, Vec<String>> {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for player in fs::read_dir(root).expect("players") {
        let player = player.expect("a player").path();
        let mut files: Vec<PathBuf> = fs::read_dir(player.join("new"))
            .expect("a Maildir")
            .map(|e| e.expect("a mail").path())
            .collect();
        files.sort();
        let name = player.file_name().expect("a name").to_string_lossy().into_owned();
        let text = |p: &PathBuf| fs::read_to_string(p).expect("ASCII").replace("\r\n", "\n");
        found.insert(name, files.iter().map(text).collect());
    }
    found
}

/// A mail without the pixels of its pictures, which are long and tested elsewhere, and without its
/// HTML if another player's is kept.
fn kept(mail: &str, with_html: bool) -> String {
    let mut out = String::new();
    let mut left_out = false;
    for line in mail.lines() {
        if line.starts_with("--fieldpost-") {
            left_out = false;
        } else if line.starts_with("Content-Type: image/")
            || !with_html && line.starts_with("Content-Type: text/html")
        {
            left_out = true;
            out += &format!("{line}\n(left out)\n");
        }
        if !left_out {
            out += &format!("{line}\n");
        }
    }
    out
}

#[test]
fn the_demo_gives_the_same_mails_on_every_machine() {
    as_expected("warlord");
}

#[test]
fn four_players_of_classic_warlord_get_the_same_mails_on_every_machine() {
    as_expected("classic-warlord");
}

#[test]
fn a_duel_of_empire_deluxe_gives_the_same_mails_on_every_machine() {
    as_expected("empire-deluxe");
}

#[test]
fn three_who_move_at_once_get_the_same_mails_on_every_machine() {
    as_expected("empire-deluxe-together");
}

#[test]
fn two_at_war_in_imperium_get_the_same_mails_on_every_machine() {
    as_expected("imperium");
}

#[test]
fn five_players_of_battle_plan_get_the_same_mails_on_every_machine() {
    as_expected("battle-plan");
}

fn as_expected(game: &str) {
    let (boxes, verdicts) = play(game);
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    files.insert("verdicts.txt".into(), verdicts);
    for (player, mails) in &boxes {
        // The HTML of one player is enough.
        let with_html = ["anna@mail.example", "ada@mutt.example", "ilka@mutt.example"]
            .contains(&player.as_str());
        let mbox = mails.iter().map(|m| format!("From robot\n{}\n", kept(m, with_html))).collect();
        files.insert(format!("{player}.mbox"), mbox);
    }
    let update = std::env::vars().any(|(k, _)| k == "UPDATE_EXPECT");
    let mut wrong = Vec::new();
    for (name, text) in &files {
        let path = expected(game).join(name);
        if update {
            fs::create_dir_all(expected(game)).expect("a folder");
            fs::write(&path, text).expect("written");
        }
        let before = fs::read_to_string(&path).unwrap_or_default();
        if before != *text {
            let at = before.lines().zip(text.lines()).position(|(a, b)| a != b);
            wrong.push(format!("{name}, line {}", at.unwrap_or(0) + 1));
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "UPDATE_EXPECT=1 rewrites them");
}

/// Every demo.
pub const GAMES: [&str; 6] = [
    "warlord",
    "battle-plan",
    "classic-warlord",
    "empire-deluxe",
    "empire-deluxe-together",
    "imperium",
];

/// Whether the game of a demo reads a line as an order, or it looks like one.
pub fn is_order(game: &str, line: &str) -> bool {
    let card = CardText::new(line);
    looks_like_order(line)
        || match game {
            "warlord" => !warlord::orders::parse(&card).0.is_empty(),
            "classic-warlord" => classic_warlord::orders::starts_order(line),
            "empire-deluxe" | "empire-deluxe-together" => empire_deluxe::orders::starts_order(line),
            "imperium" => imperium::orders::starts_order(line),
            _ => battle_plan::orders::read(&card).0.iter().any(|e| e.order.is_ok()),
        }
}

#[test]
fn no_line_that_the_robot_sends_can_be_read_as_an_order() {
    let mut seen = 0;
    for game in GAMES {
        for mail in play(game).0.values().flatten() {
            for line in support::host::got(mail.as_bytes()).text.lines() {
                seen += 1;
                assert!(!is_order(game, line), "{line}");
            }
        }
    }
    assert!(seen > 5000, "only {seen} lines");
}

#[test]
fn printouts_are_at_most_78_columns_wide() {
    for game in GAMES {
        for mail in play(game).0.values().flatten() {
            for line in support::host::got(mail.as_bytes()).text.lines() {
                assert!(line.chars().count() <= 78, "{line}");
            }
        }
    }
}

#[test]
fn the_demo_tells_a_page_in_a_terminal_and_the_rest_in_its_folder() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join("demo");
    let (mut out, mut colours) = (Vec::new(), Vec::new());
    fieldpost::demo::run("warlord", Some(&root), &mut out, Some(&mut colours)).expect("plays");
    let told = String::from_utf8(out).expect("text");
    let painted = String::from_utf8(colours).expect("text");
    assert!(told.lines().count() + painted.lines().count() < 60, "{told}");
    assert!(painted.contains('\u{2580}') && !told.contains('\u{1b}'), "{told}");
    for part in ["orders on file", "Forecast", "3 of 3 steps", "index.html", "fieldpost play"] {
        assert!(told.contains(part), "{part} is missing in {told}");
    }
    let page = std::fs::read_to_string(root.join("index.html")).expect("a page");
    for part in ["Deadline of turn 1", "Deadline of turn 2", "Every mail", "Hugo"] {
        assert!(page.contains(part), "{part} is missing in {page}");
    }
    let leads = page.split("href=\"").skip(1).chain(page.split("src=\"").skip(1));
    for lead in leads.filter_map(|l| l.split('"').next()) {
        assert!(root.join(lead).exists(), "{lead} is not there");
    }
    assert!(root.join("players").exists(), "its mails are kept");
    let again = fieldpost::demo::run("warlord", Some(&root), &mut Vec::new(), None);
    assert!(again.is_err_and(|e| e.to_string().contains("not empty")));
}
