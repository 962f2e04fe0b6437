//! The course of a game besides its turns: computer players, absent players, credits, languages,
//! the rulebook by mail, the end.

use engine::Seat;
use registry::ENGINES;
use robot::limits::Limits;
use store::{Status, Store, Verdict};

use support::host::*;

fn cards_of_last_turn(host: &Host) -> Vec<(u8, usize)> {
    let turns = host.robot.store.journal().turns("W7").expect("the journal");
    let last = turns.last().expect("a turn");
    last.cards.iter().map(|(seat, card)| (seat.0, card.lines.len())).collect()
}

#[test]
fn computers_play_their_seats_and_get_no_mail() {
    let mut host = Host::with_computers(|_| {});
    host.receive(host.card(1, "C 1 1\n"));
    host.run_turn();
    let cards = cards_of_last_turn(&host);
    assert_eq!(cards.iter().map(|c| c.0).collect::<Vec<_>>(), [1, 3, 4], "seat 2 sent none");
    assert!(cards[1].1 > 5 && cards[2].1 > 5, "{cards:?}");
    let sent = host
        .robot
        .store
        .write(|tx| tx.outbox().lease(base::clock::Clock::now(host.clock.as_ref()), 99));
    let to: Vec<String> = sent.expect("a store").into_iter().map(|r| r.mail.to).collect();
    assert!(to.iter().all(|a| a.contains('@')), "{to:?}");
    let replayed = host.robot.replay("W7", |_| {}).expect("replays");
    assert!(replayed.iter().all(|t| t.same), "the journal has the computers' cards");
    // A person may follow a computer, but not another person.
    let new = |seat| robot::gm::setup::NewSeat {
        game: "W7".into(),
        seat: Seat(seat),
        address: "late@players.example".into(),
        name: String::new(),
        zone: None,
        contact: base::terms::Contact::Hide,
        any_address: false,
    };
    host.robot.add_seat(&new(3)).expect("the computer makes room");
    let refused = host.robot.add_seat(&new(2)).expect_err("a person has it");
    assert!(refused.to_string().contains("seat 2 is taken"), "{refused}");
    host.run_turn();
    assert_eq!(cards_of_last_turn(&host).iter().map(|c| c.0).collect::<Vec<_>>(), [4]);
}

#[test]
fn a_computer_plays_on_for_a_player_who_is_absent_until_the_next_card() {
    let mut host = Host::with_computers(|g| g.takeover = 2);
    host.run_turn();
    host.run_turn();
    assert_eq!(cards_of_last_turn(&host).iter().map(|c| c.0).collect::<Vec<_>>(), [3, 4]);
    host.receive(host.card(2, "C 2 1\n"));
    host.run_turn();
    let cards = cards_of_last_turn(&host);
    assert_eq!(cards.iter().map(|c| c.0).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(cards[1].1, 1, "seat 2 plays itself");
    let printout = host.last_mail(1).text.replace('\n', " ");
    assert!(printout.contains("the computer played the last one for you"), "{printout}");
    assert!(!host.last_mail(2).text.contains("computer played"));
    host.receive(host.card(1, "C 1 1\n"));
    host.run_turn();
    assert_eq!(cards_of_last_turn(&host)[0], (1, 1), "the card takes the seat back");
}

#[test]
fn without_credit_the_position_plays_on_and_no_printout_is_sent() {
    let mut host = Host::with_computers(|g| g.fee = 2);
    assert!(
        host.last_mail(1).subject.contains("begins: You are player 1"),
        "the first one is free"
    );
    assert_eq!(host.robot.add_credit("W7", Seat(1), 5, "cheque").expect("entered"), 5);
    host.receive(host.card(2, "C 2 1\n"));
    host.run_turn();
    assert!(host.last_mail(1).text.contains("Your credit is 3 after the fee of 2"));
    let notice = host.last_mail(2);
    assert!(notice.subject.contains("no credit"), "{}", notice.subject);
    assert!(!notice.text.contains("Strategic map"));
    assert!(cards_of_last_turn(&host).contains(&(2, 1)), "the card counted");
    // A payment that is too small sends nothing; one that suffices sends it once.
    let before = host.mails_to(2).len();
    assert_eq!(host.robot.add_credit("W7", Seat(2), 1, "coins").expect("entered"), 1);
    assert_eq!(host.mails_to(2).len(), before);
    assert_eq!(host.robot.add_credit("W7", Seat(2), 4, "note").expect("entered"), 3);
    let printout = host.last_mail(2);
    assert!(printout.text.contains("Strategic map"), "the printout of the open turn");
    assert!(printout.text.contains("Your credit is 3"));
    assert_eq!(host.robot.add_credit("W7", Seat(2), 9, "more").expect("entered"), 12);
    assert_eq!(host.mails_to(2).len(), before + 1);
    let ledger = host.robot.store.ledger("W7", Seat(2)).expect("the ledger");
    let amounts: Vec<i64> = ledger.iter().map(|e| e.amount).collect();
    assert_eq!(amounts, [1, 4, -2, 9]);
    let refused = host.robot.add_credit("W7", Seat(3), 1, "").expect_err("a computer");
    assert!(refused.to_string().contains("no player"));
}

#[test]
fn lang_chooses_the_language_of_messages() {
    let mut host = Host::new();
    let row = host.receive(host.card(2, "LANG\n"));
    let text = host.answers(&row).remove(0).text.replace('\n', " ");
    assert!(text.contains("come in en. There are: en (English), de (Deutsch)"), "{text}");
    let row = host.receive(host.card(2, "LANG xx\n"));
    assert!(host.answers(&row)[0].text.contains("There are: en (English)"));
    let row = host.receive(host.card(2, "LANG de\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "language"));
    host.receive(host.card(1, "Y 101 151 302 7\n"));
    host.run_turn();
    // Lines wrap anywhere.
    let flat = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let english = flat(host.last_mail(3).text);
    let german = flat(host.last_mail(2).text);
    let tables = warlord::tables::Tables::embedded();
    let sentence = |language: &str| tables.sentence(302, language).replace("{1}", "7");
    assert_ne!(sentence("en"), sentence("de"));
    assert!(english.contains(&sentence("en")), "{english}");
    assert!(german.contains(&sentence("de")), "{german}");
    // Without the secret nothing is changed, and the player is asked.
    let row = host.receive(mail(&player(3), ROBOT, "LANG de\n"));
    assert_eq!(row.verdict, Some(Verdict::Pending));
    assert!(host.answers(&row)[0].text.contains("YES"));
}

#[test]
fn rules_sends_the_contents_a_chapter_or_everything() {
    let mut host = Host::new();
    let mut ask = |what: &str| {
        let row = host.receive(host.card(1, what));
        host.answers(&row).remove(0).text
    };
    let contents = ask("RULES\n");
    assert!(contents.contains("| 7. Combat") && !contents.contains("Strength is"), "{contents}");
    let chapter = ask("RULES 7\n");
    assert!(chapter.contains("Strength is") && !chapter.contains("3. Production"), "{chapter}");
    assert_eq!(ask("RULES combat\n").lines().nth(2), chapter.lines().nth(2));
    assert!(ask("RULES 99\n").contains("no such chapter"));
    let all = ask("RULES ALL\n");
    assert!(all.contains("16. Messages") && all.contains("Battleships"), "{all}");
    assert!(all.lines().all(|l| l.chars().count() <= 78), "{all}");
    // Quoted back, no line of it is an order.
    let lines: Vec<String> = all.lines().map(str::to_owned).collect();
    let starts = |line: &str| ENGINES.iter().any(|e| e.starts_order(line));
    let read = robot::card::signs::Game::of(&starts);
    let request = robot::card::Request::read(&lines[1..], 1_000, robot::commands::ROWS, &read);
    let game = host.robot.game("W7").expect("the game");
    let open = host.robot.open(&game).expect("open");
    let judged = open.judge(Seat(1), &request.card, 0);
    use engine::Mark;
    let obeyed = judged.lines.iter().filter(|l| matches!(l.mark, Mark::Ok | Mark::Warning));
    assert_eq!(obeyed.collect::<Vec<_>>(), Vec::<&_>::new());
}

#[test]
fn the_end_of_a_game_brings_standing_charts_and_the_whole_map() {
    let mut host = Host::with_computers(|g| {
        // Whoever holds a fifth of the cities at the end of the first turn has won.
        let rules = include_str!("../../config/warlord/rules.toml");
        let quick = rules.replace("turns = 3                # in a row", "turns = 1");
        g.data.insert("rules.toml".to_owned(), quick);
        g.options.insert("leader_percent".to_owned(), "1".to_owned());
    });
    host.receive(host.card(1, "C 1 1\n"));
    host.run_turn();
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.deadline), (Status::Over, None));
    let last = host.last_mail(1);
    assert!(last.subject.contains("W7 is over: "), "{}", last.subject);
    assert!(last.text.contains("Final standing") && last.text.contains("is World Leader"));
    assert!(last.text.contains("(computer)"));
    for part in ["The course of the game", "The seeds", "Every seed of the game"] {
        assert!(last.text.contains(part), "{part}");
    }
    assert!(!last.text.contains("Turn card for turn"), "there is no next turn");
    assert_eq!(host.receive(host.card(1, "C 1 1\n")).reason.as_str(), "game-over");
}

#[test]
fn wrong_options_and_data_are_refused_when_a_game_is_made() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut game = a_game("warlord", 4);
    game.options.insert("absent_turns".into(), "many".into());
    let refused = host.robot.new_game(game).expect_err("refused");
    assert!(refused.to_string().contains("absent_turns is a number"), "{refused}");
    assert!(host.robot.store.games().all().expect("a store").is_empty());
}

#[test]
fn a_store_of_the_first_schema_is_brought_up_to_date() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("fieldpost.sqlite");
    let old = rusqlite::Connection::open(&path).expect("a file");
    old.execute_batch(include_str!("../../src/store/schema-1.sql")).expect("the first schema");
    old.execute_batch(
        "PRAGMA user_version = 1;
         INSERT INTO game (code, engine, rules_version, setup, status, rule, turn, seed, created_at)
         VALUES ('W1', 'warlord', 1, '{\"seats\":2,\"options\":{},\"data\":{}}', 'open',
                 '{\"every\":\"7 days\",\"at\":null,\"zone\":\"UTC\"}', 0, 5, 0);
         INSERT INTO seat (game, seat, name, address, zone, password_digest, disclose, any_address)
         VALUES ('W1', 1, 'A', 'a@players.example', 'UTC', 'x', 1, 0);",
    )
    .expect("rows of then");
    drop(old);
    let entropy = base::clock::FixedEntropy::new(1);
    let store = Store::open(dir.path(), &entropy).expect("migrates");
    let game = store.games().game("W1").expect("reads").expect("the game");
    assert_eq!((game.fee, game.takeover), (0, 0));
    let seat = store.games().seat("W1", Seat(1)).expect("reads").expect("the seat");
    assert_eq!(
        (seat.computer, seat.language.as_str(), seat.contact),
        (false, "", base::terms::Contact::Disclose)
    );
}

#[test]
fn a_game_of_another_rules_version_is_suspended_and_the_game_master_told() {
    let mut host = Host::new();
    let conn = host.robot.store.database();
    conn.exec("UPDATE game SET rules_version = 1", &[]).expect("a store");
    assert_eq!(host.pass_deadline(), 0);
    let game = host.robot.game("W7").expect("the game");
    assert_eq!((game.status, game.turn), (Status::Suspended, 1));
    assert!(game.suspended_why.contains("rules version 1"), "{}", game.suspended_why);
    assert!(host.told_game_master().contains("rules version 1"));
}
