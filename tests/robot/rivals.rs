//! What somebody without a secret can do to a player or a host: nothing.

use engine::{BySeat, Input, Seat};
use mail::RawMessage;
use mail::auth::Authenticity;
use store::{Reason, Status, Step, Verdict};

use crate::talk::*;
use registry::ENGINES;
use robot::limits::Limits;
use support::host::*;

/// A mail in the name of a seat's player, without any proof.
fn forged(seat: u8, n: u32, lines: &str) -> String {
    let mail = mail(&player(seat), ROBOT, &format!("{lines}# {n}\n"));
    mail.replace("Subject: orders", &format!("Subject: orders {n}"))
}

#[test]
fn forged_mails_do_not_use_up_a_players_cards() {
    let mut host = Host::new();
    for n in 0..70 {
        host.receive(forged(1, n, "STATUS\n"));
        host.receive(forged(1, n, "C 1 1\n"));
    }
    host.pass(61);
    let row = host.receive(host.card(1, "C 1 3\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "filed"));
    assert_eq!(host.on_file(1), "C 1 3\n");
}

#[test]
fn a_player_is_asked_about_a_few_unproven_cards_an_hour_and_no_more() {
    let mut host = Host::new();
    let rows: Vec<_> =
        (0..9).map(|n| host.receive(forged(1, n, &format!("C 1 1\nM 1 {n}\n")))).collect();
    let pending = rows.iter().filter(|r| r.verdict == Some(Verdict::Pending)).count();
    assert_eq!(pending, 5);
    // One of them may be the player's own, so the player is told once.
    assert_eq!(rows[5].reason, Reason::TooManyQuestions);
    assert!(answer(&host, &rows[5]).contains("answer the newest mail of your game"));
    assert!(rows[6..].iter().all(|r| r.verdict == Some(Verdict::Ignored)));
    assert!(rows[6..].iter().all(|r| host.answers(r).is_empty()));
}

#[test]
fn a_yes_that_names_no_card_confirms_none_of_several() {
    let mut host = Host::new();
    host.receive(forged(1, 1, "C 1 1\n"));
    host.receive(forged(1, 2, "D 2\n"));
    let yes =
        mail(&player(1), ROBOT, "GAME W7 SEAT 1\nYES\n").replace("Subject: orders", "Subject: yes");
    let secret = &host.passwords[0];
    let proven = yes.replace("GAME W7 SEAT 1", &format!("GAME W7 SEAT 1 PASSWORD {secret}"));
    let row = host.receive(proven);
    assert_eq!(row.reason.as_str(), "several-pending");
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_yes_to_another_mail_confirms_no_forged_card() {
    let mut host = Host::new();
    host.run_turn();
    let row = host.receive(forged(1, 1, "CANCEL\n"));
    let question = host.answers(&row).remove(0);
    assert!(question.text.contains("it withdraws all your orders"), "{}", question.text);
    assert!(flat(&question.text).contains(&format!("from {}", player(1))), "{}", question.text);
    // The YES answers something else: a printout, by its address or its Message-ID.
    let yes = host.receive(host.card(1, "YES\n"));
    assert_eq!((yes.verdict, yes.reason), (Some(Verdict::Rejected), Reason::SeveralPending));
    let told = flat(&host.answers(&yes)[0].text);
    assert!(told.contains("does not say what it confirms") && told.contains("came "), "{told}");
    let printout = host.mails_to(1).into_iter().find(|m| m.subject.contains("T2 S1")).expect("one");
    let answers = |id: &str, text: &str| {
        mail(&player(1), ROBOT, text).replace("Subject:", &format!("In-Reply-To: <{id}>\nSubject:"))
    };
    let row = host.receive(answers(&printout.message_id, "YES\n"));
    assert_eq!(row.reason, Reason::SeveralPending);
    // A YES to the question itself counts, also without its address.
    let row = host.receive(answers(&question.message_id, "Yes\n"));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Accepted), Reason::Cancelled));
}

#[test]
fn a_card_pending_in_an_earlier_turn_is_not_filed_for_a_later_one() {
    let mut host = Host::new();
    let row = host.receive(forged(1, 1, "C 1 1\n"));
    assert_eq!(row.verdict, Some(Verdict::Pending));
    let ask = host.answers(&row).remove(0);
    host.run_turn();
    let row = host.receive(mail(&player(1), &ask.reply_to, "YES\n"));
    assert_eq!(row.verdict, Some(Verdict::Rejected), "{}", row.reason);
    assert_eq!(host.on_file(1), "");
}

#[test]
fn a_turn_that_was_overtaken_by_a_card_or_a_hold_is_not_kept() {
    let mut host = Host::new();
    // While the engine of this robot has the cards, another process files one and holds the game.
    let game = host.robot.game("W7").expect("the game");
    let now = base::clock::Clock::now(host.clock.as_ref());
    let open = host.robot.open(&game).expect("open");
    let cards = host.robot.store.journal().cards("W7", 1).expect("a store");
    let mut dice = engine::Dice::new(game.seed);
    let outcome = open.step(&Input { cards: &cards, seats: &BySeat::new() }, &mut dice);
    let record = store::TurnRecord {
        seats: BySeat::new(),
        notes: BySeat::new(),
        seals: Vec::new(),
        told: Default::default(),
        turn: 1,
        rules_version: game.rules_version,
        seed: game.seed,
        hash: store::turn_hash(&outcome.saved, dice.log()),
        cards: cards.clone(),
        saved: outcome.saved,
    };
    let next = store::NextTurn {
        in_advance: Default::default(),
        sealed: Vec::new(),
        step: Step { number: 2, ..Step::none() },
        seed: 1,
        chains: game.chains.clone(),
        status: Status::Running,
        missed: Vec::new(),
        present: Vec::new(),
        carried: Default::default(),
        fees: Vec::new(),
        on_file: cards,
    };
    host.receive(host.card(1, "C 1 1\n"));
    let keep = |host: &mut Host, next: &store::NextTurn| {
        host.robot
            .store
            .write(|tx| tx.run_turn("W7", &record, dice.log(), next, &[], now))
            .expect("a store")
    };
    assert!(!keep(&mut host, &next), "a card came meanwhile");
    let fresh = host.robot.store.journal().cards("W7", 1).expect("a store");
    let next = store::NextTurn { on_file: fresh, ..next };
    host.receive(host.card(2, "TURN 2\nM 1 1\n"));
    assert!(!keep(&mut host, &next), "a card in advance came meanwhile");
    let in_advance = host.robot.store.journal().cards("W7", 2).expect("a store");
    let in_advance = in_advance.into_iter().map(|(seat, card)| (seat, (card, false))).collect();
    let next = store::NextTurn { in_advance, ..next };
    assert!(host.robot.store.write(|tx| tx.suspend("W7", "a holiday")).expect("a store"));
    assert!(!keep(&mut host, &next), "the game was suspended meanwhile");
    host.robot.store.write(|tx| tx.release("W7")).expect("a store");
    assert!(keep(&mut host, &next));
    assert!(!keep(&mut host, &next), "it has run");
}

#[test]
fn a_changed_seed_or_card_of_a_passed_turn_is_found_by_replay_in_every_game() {
    let games = registry::ENGINES.iter().map(|e| (e.id(), 5.min(*e.seats().end())));
    for (engine, seats) in games {
        for change in ["seed = seed + 1", "cards = '[[1,{\"lines\":[[1,\"# M 1 3\"]]}]]'"] {
            let mut host = Host::with(&ENGINES, engine, seats, Limits::default());
            host.receive(host.card(1, "# a comment\n"));
            host.run_turn();
            let whole = host.robot.replay("W7", |_| {}).expect("replays");
            assert!(whole.iter().all(|t| t.same), "{engine}: {whole:?}");
            let sql = format!("UPDATE turn SET {change} WHERE turn = 1");
            host.robot.store.database().exec(&sql, &[]).expect("changed");
            let turns = host.robot.replay("W7", |_| {}).expect("replays");
            assert_eq!(turns.iter().filter(|t| !t.same).count(), 1, "{engine}: {change}");
        }
    }
}

#[test]
fn an_edited_state_in_the_journal_is_found_by_replay() {
    let mut host = Host::new();
    host.run_turn();
    let conn = host.robot.store.database();
    conn.exec("UPDATE turn SET state_z = (SELECT state_z FROM turn WHERE turn = 0)", &[])
        .expect("edited");
    let turns = host.robot.replay("W7", |_| {}).expect("replays");
    assert_eq!(turns.iter().map(|t| t.same).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn mails_that_are_nested_without_end_are_refused_unread() {
    let mut host = Host::new();
    let deep = "Content-Type: message/rfc822\r\n\r\n".repeat(30_000);
    let row = host.receive(format!("From: <{}>\r\nMIME-Version: 1.0\r\n{deep}", player(1)));
    assert!(row.verdict.is_some());
    let blocks = "<blockquote>x<p>".repeat(12_000);
    let html = format!(
        "From: <{}>\r\nTo: <{ROBOT}>\r\nSubject: x\r\nMessage-ID: <h@x>\r\n\
         Content-Type: text/html\r\n\r\n{blocks}",
        player(1)
    );
    assert!(host.receive(html).verdict.is_some());
}

#[test]
fn a_game_that_does_not_run_is_neither_suspended_nor_released() {
    let mut host = Host::empty(&registry::ENGINES, Default::default());
    host.robot.new_game(a_game("warlord", 2)).expect("a game");
    assert!(!host.robot.store.write(|tx| tx.suspend("W7", "why")).expect("a store"));
    assert!(!host.robot.store.write(|tx| tx.release("W7")).expect("a store"));
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Open);
    let mut bad = a_game("warlord", 2);
    bad.code = "W8".to_owned();
    (bad.rule.every, bad.rule.at) = ("1 hour".to_owned(), Some("18:00".to_owned()));
    let refused = host.robot.new_game(bad).expect_err("hours and a time of day");
    assert!(refused.to_string().contains("whole days"), "{refused}");
}

#[test]
fn an_odd_file_in_a_maildir_does_not_stop_the_mails_behind_it() {
    use mail::Inbox;
    use mail::maildir::{MaildirInbox, deliver};
    let dir = tempfile::tempdir().expect("a folder");
    let wait = std::time::Duration::from_secs(1);
    let mut inbox = MaildirInbox::open("test", dir.path(), 1000, wait).expect("an inbox");
    std::fs::create_dir(dir.path().join("new/1000.folder")).expect("a folder in it");
    deliver(dir.path(), "1001.mail", b"From: <a@b.example>\r\n\r\nx\r\n").expect("delivered");
    let found = inbox.fetch(&|_| false).expect("it is read");
    assert_eq!(found.iter().map(|m| m.key.as_str()).collect::<Vec<_>>(), ["1001.mail"]);
    assert_eq!(found[0].received_at.as_second(), 1001, "its name says when it came");
    // A mail of the largest size; its file name has no time.
    deliver(dir.path(), "0.mail", &[b'x'; 1000]).expect("delivered");
    let found = inbox.fetch(&|key| key == "1001.mail").expect("it is read");
    assert_eq!((found[0].bytes.len(), found[0].size), (1000, 1000));
    assert!(found[0].received_at.as_second() > 1_700_000_000, "the file says when it came");
}

#[test]
fn a_flood_in_a_players_name_leaves_their_echoes_and_the_host_as_they_were() {
    for mails in [60, 300, 5000] {
        let mut host = Host::new();
        for n in 0..mails {
            // In her name, in the names of addresses that nobody has, of one domain and of many.
            let text = format!("STATUS\n# {n}\n");
            let raw = match n % 3 {
                0 => forged(1, n, &text),
                1 => mail(&format!("x{n}@flood.example"), ROBOT, &text),
                _ => mail(&format!("x@flood{n}.example"), ROBOT, &text),
            };
            let message = host.message(raw.as_bytes());
            host.judge(message);
        }
        let to_her = host.mails_to_address(&player(1)).len();
        assert!(to_her <= 1 + 6, "{mails}: {to_her} mails to the player");
        let domain = "SELECT count(*) FROM outbox WHERE recipient LIKE $1";
        assert!(count(&host, domain, "%@flood.example") <= 60, "{mails}");
        let all = count(&host, "SELECT count(*) FROM outbox WHERE recipient LIKE $1", "%flood%");
        assert!(all <= 200, "{mails}: {all} mails to strangers");
        for seat in 1..=4 {
            let row = host.receive(host.card(seat, "M 1 3\nC 1 1\n"));
            assert_eq!((row.reason, host.answers(&row).len()), (Reason::Filed, 1), "{mails}");
        }
        // The game master gets one notice, when replies to strangers stop.
        let told = count(&host, "SELECT count(*) FROM outbox WHERE recipient = $1", GM);
        assert_eq!(told > 0, mails == 5000, "{mails}");
    }
}

#[test]
fn no_mail_without_proof_causes_more_than_a_short_text() {
    let limits = Limits { unproven_replies_per_hour: 100, ..Limits::default() };
    let mut host = Host::with(&ENGINES, "warlord", 4, limits);
    let card: String = (1..=60).map(|n| format!("M {n} 3\n")).collect();
    host.receive(host.card(1, &card));
    let [few, many] = [(100, "M 1 3\n"), (400, "M 2 3\n")].map(|(n, line)| line.repeat(n));
    let misplaced = format!("It was a great battle that we had.\n{}", "READY\n".repeat(300));
    for (n, words) in [
        few.as_str(),
        many.as_str(),
        misplaced.as_str(),
        "RESEND",
        "RESEND 1",
        "RULES",
        "RULES ALL",
        "RULES 2",
        "EXPORT",
        "FORMAT pdf",
        "CARD",
        "STATUS",
        "HELP",
        "HELP M",
        "GAMES",
        "what?",
        "JOIN W7",
        "RESIGN",
        "FORGET",
        "YES",
        "PRESS",
        "CHECK\nM 1 3",
        "CANCEL",
        "ADD\nM 1 3",
        "M 1 3",
    ]
    .into_iter()
    .enumerate()
    {
        if n % 4 == 0 {
            host.pass(61);
        }
        for from in [player(1), format!("max{n}@nowhere.example")] {
            let raw = mail(&from, ROBOT, &format!("{words}\n"));
            let row = host.receive(&raw);
            let sent = host.answers(&row);
            let bytes: usize = sent.iter().map(|m| m.raw.len()).sum();
            let most = (2 * raw.len()).max(4000);
            assert!(sent.len() <= 2 && bytes <= most, "{words:?} of {from}: {bytes} octets");
            assert!(sent.iter().all(|m| m.to == from), "{words}");
        }
    }
}

#[test]
fn nobody_is_asked_about_a_card_with_more_lines_than_count() {
    for (lines, asked) in [(400, true), (401, false)] {
        let mut host = Host::new();
        let card = format!("M 1 3\n{}", "C 1 1 ; the ship of rivals\n".repeat(lines - 1));
        let row = host.receive(mail(&player(1), ROBOT, &card));
        let told = host.answers(&row).pop().expect("an answer");
        let verdict = if asked { Verdict::Pending } else { Verdict::Rejected };
        assert_eq!(row.verdict, Some(verdict), "{}", row.why);
        let said = format!("Your card has {lines} lines; a card has at most 400");
        assert_eq!(told.text.contains(&said), !asked, "{}", told.text);
    }
}

/// A host whose game takes players, and whose other limits are out of reach.
fn open_to_strangers() -> Host {
    let limits = Limits {
        stranger_replies_per_hour_total: 10_000,
        stranger_replies_per_day: 10,
        ..Limits::default()
    };
    let mut host = Host::empty(&ENGINES, limits);
    host.robot.new_game(a_game("warlord", 4)).expect("a game");
    set(&mut host, "join", "true");
    host
}

/// A JOIN in the name of an address.
fn join(host: &mut Host, from: &str, n: u32) -> store::MailRow {
    host.receive(mail(from, ROBOT, &format!("JOIN W7 name=X{n}\n")))
}

#[test]
fn a_flood_of_joins_is_asked_so_much_an_hour_and_its_newcomers_are_told() {
    let mut host = open_to_strangers();
    let asked = |host: &mut Host, hour: u32| {
        let joins = (0..58).map(|n| join(host, &format!("x@host{hour}x{n}.example"), n).reason);
        joins.filter(|r| *r == Reason::JoinAsked).count()
    };
    assert_eq!((0..5).map(|hour| asked(&mut host, hour)).sum::<usize>(), 200);
    let row = join(&mut host, LATER, 1);
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Rejected), Reason::TooManyQuestions));
    assert!(answer(&host, &row).contains("try again tomorrow"), "{}", answer(&host, &row));
    let alarm = host.told_game_master();
    assert!(flat(&alarm).contains("newcomers whose domain does not vouch"), "{alarm}");
    // A newcomer for whom a domain vouches gets in even during a flood.
    let again = mail(LATER, ROBOT, "JOIN W7 name=Y\n");
    let message = RawMessage {
        authenticity: Authenticity::Pass,
        checked_from: LATER.to_owned(),
        ..host.message(again.as_bytes())
    };
    assert_eq!(host.judge(message).reason, Reason::JoinAsked);
    host.pass(25 * 60);
    assert_eq!(join(&mut host, NEW, 2).reason, Reason::JoinAsked);
}

#[test]
fn a_flood_in_made_up_names_shuts_out_nobody_of_a_domain_that_plays() {
    let mut host = open_to_strangers();
    let row = join(&mut host, "anna@mail.example", 0);
    let question = asked(&host, &row);
    assert_eq!(
        host.receive(mail("anna@mail.example", &question.reply_to, "YES\n")).reason,
        Reason::Joined
    );
    (0..230).for_each(|n| drop(join(&mut host, &format!("x@host{n}.example"), n)));
    assert_eq!(join(&mut host, NEW, 1).reason, Reason::TooManyQuestions);
    assert_eq!(join(&mut host, "ben@mail.example", 2).reason, Reason::JoinAsked);
    // A domain has its own share of unanswered questions.
    let asked = (0..20).map(|n| join(&mut host, &format!("x{n}@mail.example"), n).reason);
    assert_eq!(asked.filter(|r| *r == Reason::JoinAsked).count(), 9);
    host.pass(61);
    assert_eq!(join(&mut host, "cara@mail.example", 3).reason, Reason::JoinAsked);
}

#[test]
fn nothing_that_is_forged_silences_what_a_player_proves() {
    for (words, more) in [
        ("READY", ""),
        ("STATUS", ""),
        ("CHECK", "M 1 3\n"),
        ("CANCEL", ""),
        ("NAME Anna", ""),
        ("HELP", ""),
        ("WHO", ""),
        ("EXPORT", ""),
        ("RESIGN", ""),
        ("NOTREADY", ""),
    ] {
        let mut host = Host::new();
        let text = format!("{words}\n{more}");
        for n in 0..3 {
            let raw = mail(&player(1), ROBOT, &text)
                .replace("orders\r\n", &format!("Re: [W7 T1 S1] {n}\r\n"));
            host.receive(raw.replacen("Message-ID: <", &format!("Message-ID: <{n}."), 1));
        }
        let raw = host.card(1, &text).replace("orders\r\n", "Re: [W7 T1 S1] orders\r\n");
        let row = host.receive(raw);
        assert_eq!(row.verdict, Some(Verdict::Accepted), "{words}: {}", row.why);
        let answers = host.answers(&row);
        assert!(answers.iter().any(|m| m.to == player(1)), "{words}: {}", row.why);
    }
}

#[test]
fn a_right_password_counts_whatever_others_guess() {
    for chosen in [false, true] {
        let mut host = Host::new();
        let mut password = host.passwords[0].clone();
        if chosen {
            password = "seven violet anchors under ice".replace(' ', "-");
            let row = host.receive(host.card(1, &format!("PASSWORD {password}\n")));
            assert_eq!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
        }
        let card = |from: &str, password: &str, n: u32| {
            mail(from, ROBOT, &format!("GAME W7 SEAT 1 PASSWORD {password}\nM 1 {n}\n"))
        };
        (0..14).for_each(|n| drop(host.receive(card(THIEF, &format!("guess-{n}"), n))));
        (0..14).for_each(|n| drop(host.receive(card(&player(1), &format!("wrong-{n}"), n))));
        (0..7).for_each(|n| drop(host.receive(forged(1, n, "M 1 3\n"))));
        let row = host.receive(card(&player(1), &password, 3));
        assert_eq!((row.verdict, row.reason), (Some(Verdict::Accepted), Reason::Filed), "{chosen}");
        assert!(!host.answers(&row).is_empty());
    }
}

#[test]
fn a_chosen_password_is_guessed_in_vain() {
    let mut host = Host::new();
    let password = "seven-violet-anchors-under-ice";
    host.receive(host.card(1, &format!("PASSWORD {password}\n")));
    let card = |from: &str, password: &str, n: u32| {
        mail(from, ROBOT, &format!("GAME W7 SEAT 1 PASSWORD {password}\nM 1 {n}\n"))
    };
    (0..10).for_each(|n| drop(host.receive(card(THIEF, &format!("guess-{n}"), n))));
    let row = host.receive(card(THIEF, password, 3));
    assert_ne!(row.verdict, Some(Verdict::Accepted), "{}", row.why);
    // Sixty mails an hour from the registered address are looked at.
    (0..60).for_each(|n| {
        let raw = host.message(card(&player(1), &format!("wrong-{n}"), n).as_bytes());
        host.judge(raw);
    });
    assert_eq!(host.receive(card(&player(1), password, 4)).verdict, Some(Verdict::Pending));
    host.pass(61);
    assert_eq!(host.receive(card(&player(1), password, 5)).reason, Reason::Filed);
}

#[test]
fn a_late_answer_to_an_old_printout_is_told_that_its_turn_has_run() {
    let mut host = Host::new();
    let late = host.card(1, "M 1 3\n");
    for _ in 0..6 {
        for seat in 1..=4 {
            host.receive(host.card(seat, "M 1 3\n"));
        }
        host.run_turn();
    }
    let row = host.receive(late.replace("M 1 3", "M 1 4"));
    assert_eq!((row.verdict, row.reason), (Some(Verdict::Rejected), Reason::PassedTurn));
    let told = answer(&host, &row);
    assert!(told.contains("for turn 1, already run") && !told.contains("secret"), "{told}");
    // The mail is unproven, so the answer does not show the long card on file.
    host.receive(host.card(1, &"M 1 3\n".repeat(300)));
    let row = host.receive(late.replace("M 1 3", "M 1 5"));
    let sent = host.answers(&row);
    assert!(sent.len() == 1 && sent[0].raw.len() <= 4000, "{}: {:?}", row.reason, sent.len());
}

#[test]
fn resign_and_forget_ask_one_question_each_with_a_proof_and_without() {
    let mut host = Host::new();
    for (number, raw) in [(1, host.card(1, "RESIGN\n")), (2, mail(&player(2), ROBOT, "RESIGN\n"))] {
        let row = host.receive(raw);
        assert_eq!(row.reason, Reason::ResignAsked);
        let question = asked(&host, &row);
        let questions = host.answers(&row).iter().filter(|m| m.text.contains("word YES")).count();
        assert_eq!((questions, question.to.as_str()), (1, player(number).as_str()));
        assert_eq!(yes(&mut host, &question).reason, Reason::Resigned);
    }
}

#[test]
fn a_yes_that_confirms_nothing_says_which_question_is_open() {
    let mut host = Host::new();
    say(&mut host, 1, "RESIGN\n");
    let row = say(&mut host, 1, "YES\n");
    assert_eq!(row.reason, Reason::NothingPending);
    let told = answer(&host, &row);
    assert!(
        told.contains("these are open") && told.contains("whether you leave your seat"),
        "{told}"
    );
    let row = say(&mut host, 2, "YES\n");
    assert!(!answer(&host, &row).contains("these are open"));
}

#[test]
fn letters_use_up_no_echo_of_the_one_who_gets_them() {
    let limits = Limits { replies_per_hour: 10, ..Limits::default() };
    let mut host = Host::with(&ENGINES, "warlord", 4, limits);
    for seat in 1..=2 {
        say(&mut host, seat, "CONTACT relay\n");
    }
    let alias = host.robot.mailer().alias("W7", Seat(1), Seat(2));
    for n in 0..12 {
        host.receive(mail(&player(2), &alias, &format!("letter {n}\n")));
    }
    let row = say(&mut host, 1, "M 1 3\n");
    assert_eq!(host.answers(&row).len(), 1, "{}", row.why);
}

#[test]
fn a_seat_sends_thirty_letters_an_hour_and_no_more() {
    let mut host = Host::new();
    for seat in 1..=3 {
        say(&mut host, seat, "CONTACT relay\n");
    }
    let mut went = 0;
    for n in 0..32 {
        let alias = host.robot.mailer().alias("W7", Seat(1 + 2 * (n % 2)), Seat(2));
        let raw = mail(&player(2), &alias, &format!("letter {n}\n"));
        let message = host.message(raw.as_bytes());
        let row = host.judge(message);
        went += usize::from(row.reason == Reason::Relayed);
        assert_eq!(row.reason == Reason::TooManyLetters, n >= 30, "letter {n}");
    }
    assert_eq!(went, 30);
    host.pass(61);
    let alias = host.robot.mailer().alias("W7", Seat(1), Seat(2));
    assert_eq!(host.receive(mail(&player(2), &alias, "again\n")).reason, Reason::Relayed);
}

const GM: &str = "gm@fieldpost.example";
