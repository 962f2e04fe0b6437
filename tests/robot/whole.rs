//! A game that anybody can check: its seeds are a chain that nobody can choose, and its last
//! printout brings a file from which it can be played again.

use base::chain;
use engine::Seat;
use registry::ENGINES;
use robot::game_file::{Checked, GameFile, check};
use robot::limits::Limits;
use serde_json::Value;
use store::Status;

use support::host::*;

/// A game of two players and two computers that ends after `turns` turns.
fn short(turns: u32) -> Host {
    Host::with_computers(|g| {
        let rules = include_str!("../../config/warlord/rules.toml");
        let words = "turns = 3                # in a row";
        assert!(rules.contains(words));
        let quick = rules.replace(words, &format!("turns = {turns}"));
        g.data.insert("rules.toml".to_owned(), quick);
        g.options.insert("leader_percent".to_owned(), "1".to_owned());
    })
}

fn ended(turns: u32) -> Host {
    let mut host = short(turns);
    host.receive(host.card(1, "C 1 1\n"));
    while host.robot.game("W7").expect("the game").status == Status::Running {
        host.run_turn();
    }
    host
}

fn file(host: &Host) -> String {
    host.robot.reports().game_file("W7").expect("a journal").expect("a file")
}

fn checked(text: &str) -> Checked {
    let file = GameFile::read(text.as_bytes()).expect("a file");
    check(&file, &ENGINES, |_| {}).expect("a game of ours")
}

/// The faults that a check finds in a file after `change`.
fn faults(text: &str, change: impl FnOnce(&mut Value)) -> Vec<String> {
    let mut all: Value = serde_json::from_str(text).expect("JSON");
    change(&mut all);
    let done = checked(&all.to_string());
    done.faults.iter().map(ToString::to_string).collect()
}

#[test]
fn the_last_mail_carries_the_game_and_anybody_can_play_it_again() {
    let host = ended(2);
    let last = host.last_mail(1);
    assert!(last.raw.contains("W7.fieldpost.json"), "{}", last.text);
    assert!(last.text.contains("fieldpost replay W7.fieldpost.json"), "{}", last.text);
    let text = file(&host);
    let done = checked(&text);
    assert_eq!(done.faults, []);
    let turns = host.robot.game("W7").expect("the game").turn as usize;
    assert_eq!(done.played, turns, "the making of the game is step 0");
    assert!(done.over && done.cards > 2, "{done:?}");
    assert_eq!((done.reports, done.with_letters, done.other_program), (2 * turns, 0, 0));
}

#[test]
fn the_file_has_no_address_and_no_secret() {
    let host = ended(2);
    let text = file(&host);
    let row = host.robot.store.games().seat("W7", Seat(1)).expect("a store").expect("a player");
    let secret = host.robot.store.key().reply("W7", Seat(1), row.epoch, 1);
    for private in ["players.example", "fieldpost.example", &secret] {
        assert!(!text.contains(private), "{private}");
    }
    assert!(text.contains("C 1 1"), "orders are in it");
    let step = &GameFile::read(text.as_bytes()).expect("a file").steps[1];
    assert!(!step.letters);
    assert_eq!(step.received.iter().map(|r| r.0).collect::<Vec<_>>(), [Seat(1)]);
}

#[test]
fn letters_are_their_readers_alone_and_the_game_is_the_same_without_them() {
    let letter = "PRESS 2 ANON\nMeet me at the ford by night\nEND\n";
    let mut host = Host::with(&ENGINES, "battle-plan", 4, Limits::default());
    host.run_turn();
    host.receive(host.card(1, &format!("{letter}@ 2A\n")));
    host.run_turn();
    host.run_turn();
    assert!(host.mails_to(2).iter().any(|m| m.text.contains("Meet me at the ford")));
    let game = host.robot.game("W7").expect("the game");
    let whole = robot::game_file::whole(&host.robot.cx, &host.robot.store, &game, None);
    let text = whole.expect("a journal").expect("a file");
    for private in ["Meet me", "PRESS", "ANON"] {
        assert!(!text.contains(private), "{private}");
    }
    let done = checked(&text);
    let said: Vec<String> = done.faults.iter().map(ToString::to_string).collect();
    assert_eq!(said, ["step 3: the file ends before the game does"]);
    assert!((1..=2).contains(&done.with_letters), "its writer's and its reader's: {done:?}");
    assert_eq!(done.reports + done.with_letters, 16);
}

#[test]
fn the_end_of_the_chain_stands_in_every_printout_and_every_seed_leads_to_it() {
    let host = ended(2);
    let game = host.robot.game("W7").expect("the game");
    let [seeds] = game.chains.as_slice() else { panic!("one chain") };
    let stands = |mail: &Got| mail.text.replace(['\n', ' '], "").contains(&seeds.told.end);
    let printouts: Vec<Got> =
        host.mails_to(1).into_iter().filter(|m| m.subject.contains(" T")).collect();
    assert!(printouts.iter().filter(|m| stands(m)).count() >= 3);
    let file = GameFile::read(file(&host).as_bytes()).expect("a file");
    let mut last = chain::unhex(&seeds.told.end).expect("a digest");
    for step in &file.steps {
        let value = chain::unhex(&step.value).expect("a value");
        assert_eq!(chain::before(&value), last, "step {}", step.step);
        last = value;
    }
    let said = host.last_mail(1).text;
    for step in &file.steps {
        assert!(said.contains(&step.value), "the last printout opens step {}", step.step);
        let before = printouts[..printouts.len() - 1].iter();
        assert!(before.clone().all(|m| !m.text.contains(&step.value)), "not earlier");
    }
}

#[test]
fn a_step_has_the_same_dice_whoever_runs_it_and_other_dice_with_another_card() {
    let seed = |card: &str, words: usize| {
        let mut host = short(5);
        // A host that starts again gets other random words.
        (0..words).for_each(|_| _ = host.robot.cx.word());
        host.receive(host.card(1, card));
        host.run_turn();
        host.robot.store.journal().seed_of("W7", 1).expect("a store").expect("it has run")
    };
    assert_eq!(seed("C 1 1\n", 0), seed("C 1 1\n", 3));
    assert_ne!(seed("C 1 1\n", 0), seed("C 1 2\n", 0));
}

#[test]
fn a_turn_that_is_taken_back_runs_again_with_the_same_dice() {
    let mut host = short(5);
    host.receive(host.card(1, "C 1 1\n"));
    host.run_turn();
    let hash = |host: &Host| host.robot.store.journal().hash_of("W7", 1).expect("a store");
    let first = hash(&host);
    let open = host.robot.store.write(|tx| tx.undo_turn("W7")).expect("a store");
    assert_eq!(open, Some(1));
    host.robot.as_game_master(|gm| gm.release("W7")).expect("it goes on");
    host.run_turn();
    assert!(first.is_some() && hash(&host) == first);
}

#[test]
fn whatever_is_changed_in_a_file_is_named_with_its_step_and_seat() {
    let host = ended(3);
    let text = file(&host);
    assert_eq!(faults(&text, |_| {}), [""; 0]);
    let only = |change: fn(&mut Value), wanted: &str| {
        let found = faults(&text, change);
        assert!(found.iter().any(|f| f.contains(wanted)), "{wanted}: {found:?}");
    };
    let chain = "step 2: its value of the chain of seeds does not lead";
    only(|f| f["steps"][2]["value"] = "ab".repeat(32).into(), chain);
    only(|f| f["chains"][0]["end"] = "ab".repeat(32).into(), "step 0: its value of the chain");
    only(|f| f["steps"][1]["seed"] = "00000000000000ff".into(), "step 1: its seed does not follow");
    only(|f| f["setup"]["seats"] = 3.into(), "step 0: its seed does not follow");
    let card = "step 1, seat 1: its card is not the one";
    only(|f| f["steps"][1]["cards"][0][1]["lines"][0][1] = "C 1 2".into(), card);
    // A changed digest of the card changes the dice, too.
    only(
        |f| {
            let lines = serde_json::json!([[1, "C 1 2"]]);
            f["steps"][1]["made_from"][0][2] = chain::digest_of(&lines).into();
            f["steps"][1]["cards"][0][1]["lines"] = lines;
        },
        "step 1: its seed does not follow",
    );
    only(|f| f["steps"][1]["seats"][1][1] = "Left".into(), "step 1, seat 2: it did not sit");
    only(|f| f["steps"][2]["hash"] = "00".into(), "step 2: what came of it differs");
    let told = "step 2, seat 2: what it was told of the step has another digest";
    only(|f| f["steps"][2]["told"]["reports"][1][1] = "00".into(), told);
    only(
        |f| drop(f["steps"].as_array_mut().expect("steps").pop()),
        "the file ends before the game does",
    );
}

#[test]
fn hostile_files_are_refused_with_a_sentence() {
    let host = ended(2);
    let text = file(&host);
    let refused = |bytes: &[u8]| GameFile::read(bytes).map(drop).expect_err("refused");
    assert!(refused(b"").contains("no file of a game"));
    assert!(refused("[".repeat(100_000).as_bytes()).contains("no file of a game"));
    assert!(refused(b"{\"format\":\"x\"}").contains("no file of a game"));
    assert!(refused(&vec![b' '; robot::game_file::FILE_MAX + 1]).contains("bytes"));
    let change = |change: fn(&mut Value)| {
        let mut all: Value = serde_json::from_str(&text).expect("JSON");
        change(&mut all);
        GameFile::read(all.to_string().as_bytes())
    };
    let broken = change(|f| f["format"] = "fieldpost game 9".into()).expect_err("another format");
    assert!(broken.contains("fieldpost game 1"), "{broken}");
    let broken = change(|f| f["steps"][1]["step"] = 7.into()).expect_err("a gap");
    assert!(broken.contains("step 1 is missing"), "{broken}");
    assert!(change(|f| f["steps"] = Value::Array(Vec::new())).is_err());
    let other = change(|f| f["engine"] = "chess".into()).expect("a file");
    let said = check(&other, &ENGINES, |_| {}).expect_err("no rules for it");
    assert!(said.contains("chess"), "{said}");
    let other = change(|f| f["steps"][0]["rules_version"] = 99.into()).expect("a file");
    let said = check(&other, &ENGINES, |_| {}).expect_err("no such rules");
    assert!(said.contains("rules version 99"), "{said}");
    let odd = change(|f| f["chains"][0]["length"] = 4_294_967_295u32.into()).expect("a file");
    let said = check(&odd, &ENGINES, |_| {}).expect("it is checked");
    assert!(said.faults[0].to_string().contains("does not belong here"), "{:?}", said.faults);
}

#[test]
fn a_chain_that_runs_out_is_followed_by_another_whose_end_was_told_before() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut game = a_game("warlord", 4);
    let rules = include_str!("../../config/warlord/rules.toml");
    let quick = rules.replace("turns = 3                # in a row", "turns = 4");
    game.data.insert("rules.toml".to_owned(), quick);
    game.options.insert("leader_percent".to_owned(), "1".to_owned());
    game.terms.silent_turns = 0;
    host.robot.new_game(game).expect("a game");
    host.seat_players(4);
    // Three steps instead of a thousand.
    let secret = [7; 32];
    let end = (0..3).fold(secret, |value, _| chain::before(&value));
    let told =
        serde_json::json!({ "game": "W7", "first": 0, "length": 3, "end": chain::hex(&end) });
    let chains = serde_json::json!([{ "told": told, "secret": chain::hex(&secret) }]).to_string();
    let sql = "UPDATE game SET chains = $1";
    host.robot.store.database().exec(sql, &[&chains.as_str()]).expect("a short chain");
    host.robot.start("W7", None, false).expect("starts");
    host.run_turn();
    let next = host.robot.game("W7").expect("the game").chains[1].told.clone();
    assert_eq!(next.first, 3);
    let stands = |mail: &Got| mail.text.contains(&next.end);
    assert!(stands(&host.last_mail(1)), "step 2 is open, and step 3 is of the next chain");
    while host.robot.game("W7").expect("the game").status == Status::Running {
        host.run_turn();
    }
    let done = checked(&file(&host));
    assert_eq!(done.faults, []);
    assert!(done.played > 4, "{done:?}");
    assert_eq!(host.robot.game("W7").expect("the game").chains.len(), 2);
}

#[test]
fn a_game_that_began_before_there_were_chains_keeps_its_seeds() {
    let mut host = short(2);
    let sql = "UPDATE game SET chains = '[]', seed = 77";
    host.robot.store.database().exec(sql, &[]).expect("a game of before");
    while host.robot.game("W7").expect("the game").status == Status::Running {
        let digest = |host: &Host| {
            let game = host.robot.game("W7").expect("the game");
            base::secrets::seed_digest("W7", game.turn, game.seed)
        };
        host.run_turn();
        if host.robot.game("W7").expect("the game").status == Status::Running {
            assert!(host.last_mail(1).text.contains(&digest(&host)), "as it was promised");
        }
    }
    assert_eq!(host.robot.store.journal().seed_of("W7", 1).expect("a store"), Some(77));
    let text = file(&host);
    let done = checked(&text);
    assert_eq!(done.faults, []);
    let found = faults(&text, |f| f["steps"][1]["seed"] = "00000000000000ff".into());
    assert!(found[0].contains("step 1: its seed has another digest"), "{found:?}");
}

#[test]
fn a_file_too_large_for_a_mail_is_said_to_be_elsewhere() {
    let mut host = short(2);
    host.robot.cx.limits.sent_bytes_max = 60_000;
    while host.robot.game("W7").expect("the game").status == Status::Running {
        host.run_turn();
    }
    let mails = host.mails_to(1);
    assert!(mails.iter().all(|m| !m.raw.contains("filename=\"W7.fieldpost.json\"")));
    let said = mails.iter().any(|m| m.text.replace('\n', " ").contains("it is too large for one"));
    assert!(said && file(&host).len() > 30_000);
}
