//! One story over both backends of the store: the same mails, turns and acts leave the same rows in a
//! file and in a database, and every method of the store answers the same.

use base::clock::FixedEntropy;
use base::terms::Terms;
use engine::{CardText, Seat};
use jiff::{SignedDuration, Timestamp};
use mail::{Folder, RawMessage, SendResult};
use robot::gm::{By, GmAction, Hold, Release, Run, Tell, Undo};
use store::{
    Change, Drawing, Effect, Entry, Export, JoinRequest, Judged, MailKind, Moved, NewAct,
    NewOrders, Question, QuestionKind, QueuedMail, Reason, SeatChange, SeatRow, Standing, Status,
    SummaryLimits, Verdict,
};
use support::host::{Host, ROBOT, mail, player};

/// The record of a story: a line for each question and its answer.
type Told = Vec<String>;

/// Asks a store; each answer is a line.
macro_rules! ask {
    ($told:ident, $store:expr; $($($method:ident($($value:expr),*)).+),+ $(,)?) => {$(
        $told.push(format!("{}: {:?}", stringify!($($method).+), $store$(.$method($($value),*))+));
    )+};
}

/// Does each thing in its own commit; each answer is a line.
macro_rules! commit {
    ($told:ident, $store:expr; $($($method:ident($($value:expr),*)).+),+ $(,)?) => {$(
        let done: Result<_, store::StoreError> = $store.write(|tx| tx$(.$method($($value),*))+);
        $told.push(format!("{}: {:?}", stringify!($($method).+), done));
    )+};
}

/// All rows of all tables.
fn rows(told: &mut Told, chapter: &str, host: &Host) {
    for table in host.robot.store.digests().expect("a store") {
        told.push(format!("{chapter}, {}: {} rows, {}", table.table, table.rows, table.digest));
    }
}

/// A letter, as somebody writes it.
fn says(host: &mut Host, from: &str, text: &str) -> i64 {
    host.receive(mail(from, ROBOT, text)).id
}

fn does(host: &mut Host, act: &dyn GmAction) {
    host.robot.act(By::Shell, act).expect("it is done");
}

/// Cards, letters, questions, forgeries, two turns, a turn taken back, somebody erased.
fn season(host: &mut Host) -> Told {
    let mut told = Vec::new();
    let game = || "W7".to_owned();
    for seat in 1..=3 {
        host.receive(host.card(seat, &format!("M {seat} 3\nC {seat} 1\n")));
    }
    host.receive(host.card(1, "ADD\nM 1 4\n"));
    rows(&mut told, "cards", host);
    says(host, "max@nowhere.example", "hello\n");
    says(host, "Max@Nowhere.Example", "JOIN W7\n");
    says(host, &player(2).to_uppercase(), "STATUS\n");
    says(host, &player(2), "M 2 5\n");
    says(host, &player(3), "VACATION 2026-07-01 to 2026-07-09\n");
    says(host, &player(3), "FORMAT text\n");
    says(host, &player(4), "EXTEND 2 the holidays\n");
    host.receive(format!(
        "From: <{}>\r\nTo: <{ROBOT}>\r\nSubject: x\r\n\r\n\0\0nul\0\r\n",
        player(4)
    ));
    host.receive("no mail at all");
    rows(&mut told, "letters", host);
    host.run_turn();
    host.receive(host.card(2, "M 2 4\n"));
    rows(&mut told, "a turn", host);
    does(host, &Hold { game: game(), why: "a look".into() });
    does(host, &Release { game: game() });
    does(host, &Tell { game: game(), seat: None, text: "All is well".into() });
    does(host, &Run { game: game() });
    let act = host.robot.store.acts(Some("W7"), 1).expect("a store")[0].id;
    does(host, &Undo { act });
    does(host, &Release { game: game() });
    rows(&mut told, "acts", host);
    told
}

#[test]
fn the_same_season_leaves_the_same_rows_whoever_makes_the_store() {
    let (mut file, (mut database, _)) = (Host::in_a_file(), Host::in_a_database());
    let (in_file, in_database) = (season(&mut file), season(&mut database));
    for (a, b) in in_file.iter().zip(&in_database) {
        assert_eq!(a, b);
    }
    assert_eq!(in_file.len(), in_database.len());
    assert!(in_file.len() > 80);
}

fn letter(id: &str, to: &str) -> QueuedMail {
    QueuedMail {
        kind: MailKind::Echo,
        seat: Some(("W7".into(), Seat(1))),
        turn: Some(1),
        expires_at: None,
        mail: mail::OutgoingMail {
            to: to.into(),
            envelope_from: ROBOT.into(),
            message_id: id.into(),
            bytes: b"Subject: x\r\n\r\nx\r\n".to_vec(),
            bounce: format!("bounce-{id}"),
        },
        drawing: Drawing::default(),
        shows: vec![(Seat(2), "the other".into())],
    }
}

/// Every question that a store answers.
fn answers(told: &mut Told, host: &Host) {
    let store = &host.robot.store;
    let (then, now) = (Timestamp::UNIX_EPOCH, host.robot.now());
    let (one, two) = (Seat(1), Seat(2));
    let (p1, p2, max) = (player(1), player(2).to_uppercase(), "MAX@nowhere.example");
    let span = SummaryLimits { mails: 50, unsent: 50, since: then };
    let newest = store.outbox().caused_by(1).expect("a store");
    told.push(format!("caused_by: {newest:?}"));
    let ids = ["x@y".to_owned(), "b@fieldpost.example".to_owned()];
    ask! { told, store;
        act(1), acts(None, 9), acts(Some("W7"), 1), printed("W7", one, 1), workers().is_requested("wish", now),
        next_look(), is_any_due(now), games_that_are(Status::Running), to_look_at(now), credit("W7", one), is_paid("W7", one, 1),
        ledger("W7", one), games().game("w7"), games().setup("W7"), games().all(), games().seats("W7"), games().shown("W7", one),
        games().seat("W7", one), games().seats_of(&p2), games().language_of(&p1), games().all_seats_of(&p1),
        journal().is_as_made("W7", 1), journal().saved("W7", 1), journal().turns("W7"), journal().seed_of("W7", 1), journal().seeds("W7"),
        journal().cards("W7", 2), journal().notes("W7", 1), journal().seal("W7", 1, one, "x"), journal().filed_seal("W7", 1, one, "x"),
        journal().closed_seals("W7"), journal().ordered("W7", 2), journal().mailed_cards("W7", 2), journal().mailed_from("W7", 1), looks("W7"), mails().signed_for("id", "W7", one, 9), journal().hash_of("W7", 1),
        key_renewed(), journal_summary("W7"), mails_before(9, 5), queue(9), newest_turns(5), made_at(),
        mails().is_kept("main", "1"), mails().unjudged_of(Some("main")), mails().awaits_verdict("W7", now), mails().unjudged(),
        mails().has_vouched("s", 1), mails().with_verdict(&[1, 2, 9]), mails().attempts(1), mails().stored(1), mails().raw(1),
        mails().seen_before(1, "digest", Some("x@y")), mails().repeated(&["digest".to_owned()]), mails().filed("W7", 2), mails().has_seals("W7", 2), mails().to_move("main"), mails().orders("W7", two, 2),
        mails().cards_since("W7", one, then, 9),
        mails().relayed("W7", one, "x", then), mails().said_before((max, Standing::Stranger), "", then), mails().repeats((max, Standing::Stranger), "", 1),
        mails().quick_answers((max, Standing::Stranger), 1, then), mails().mails_with(max, Reason::UnknownSender, then),
        mails().kept_behind(0, 9), mails().letters_of_since("W7", one, then), mails().letters_to_since(&p1, then),
        mails().quarantined(9), mails().pending_since("W7", two, then), mails().pending(1), mails().pending_of("W7", two),
        mails().received_at(1), mails().latest(50), mails().mails_of(max, 5), mails().mails_with_person(max), mails().mail(1), mails().unjudged_sources(),
        moved_game("W7"), outbox().is_drawing("W7", 1), outbox().whose(1), outbox().next_send(), outbox().sent_as(&ids),
        outbox().asked_by("x@y", "W7", two), outbox().is_ours("x@y"), outbox().sent_under("x@y"),
        outbox().answered_since((max, Standing::Stranger), &ids, false, then), outbox().answered_since((max, Standing::Stranger), &ids, true, then),
        outbox().replies_since(max, Standing::Stranger, (now, then), 9), outbox().receipts_since(&p1, (now, then)),
        outbox().domain_replies_since("Nowhere.example", Standing::Stranger, then), outbox().printout("W7", one, 1),
        outbox().newest_printout("W7", one, 9), outbox().drawing("W7", one, 1), outbox().letter("x@y", "W7", one),
        outbox().newest_to_game_master(), outbox().to_game_master(0, now), outbox().unsent(9), outbox().outbox_counts(),
        outbox().waiting_of("W7"), people().question(7), people().questions_about("x"), people().questions_answered(max),
        people().questions_since(QuestionKind::Join, max, then), people().practices_wanted(),
        people().strangers_asked(None, then), people().strangers_asked(Some("nowhere.example"), then),
        people().plays_from("nowhere.example"), people().open_questions(max, then), people().waiting("W7"),
        people().is_offered("W7", one, then), people().votes("W7", 1), people().is_reminded("W7", 1, "x"),
        people().reminded("W7", 1, "x"), people().sent_with("bounce-x@y"), people().is_suppressed(&p2), people().list_told(max),
        people().unreachable(), people().is_waiting(max), people().outages(then), people().mails_to(&p2, 50), people().failures_of(max, then),
        people().wrong_passwords("W7", one, then), people().wrong_passwords_of("W7", one, &p1, then), people().told_since(max, Reason::UnknownSender, then),
        people().told_in_vain(max, Standing::Stranger, Reason::UnknownSender, then),
        people().unproven_since(max, then, 9), people().all_replies_since(Standing::Stranger, then), steps().step("W7", 1), steps().step_in("W7", 1), steps().step_label("W7", 1),
        steps().calendar_due("W7"), steps().mailed_steps("W7", one, 3), note("x"), contents(), is_empty(), journal().receipts("W7"), journal().reported("W7", 1), games().waits_or_missed("W7", "x"), mails().waiting_mails(&[2, 1]), sending_held(), size_taken(), sent_bytes_max(9, now),
        workers().held(), workers().lease_of("inbox main"), workers().owner(), workers().all(), workers().fetched_at("main"), export_note(),
    }
    let mut summary = store.summary(span).expect("a store");
    summary.bytes = 0;
    told.push(format!("summary: {summary:?}"));
}

/// Every change that a store makes.
fn changes(told: &mut Told, host: &mut Host) {
    let now = host.robot.now();
    let (one, four) = (Seat(1), Seat(4));
    let game = host.robot.game("W7").expect("a game");
    let store = &mut host.robot.store;
    let raw = |key: &str, bytes: &[u8]| RawMessage {
        source: "main".into(),
        key: key.into(),
        received_at: now,
        size: bytes.len() as u64,
        bytes: bytes.to_vec(),
        authenticity: Default::default(),
        checked_from: "Max@Nowhere.example".into(),
    };
    let all_bytes: Vec<u8> = (0..=255).collect();
    let act = NewAct { at: now, by: "shell", game: None, kind: "x", what: "done", back: "{}" };
    let letters = [letter("x@y", &player(2)), letter("z@y", "Somebody@New.example")];
    let entry = |amount| Entry { amount, why: "paid".into(), turn: None, at: now };
    let question = Question {
        id: 7,
        kind: QuestionKind::Join,
        game: Some("W7".into()),
        seat: Some(one),
        address: "Max@Nowhere.example".into(),
        value: "x".into(),
        asked_at: now,
        done: false,
    };
    let effects = vec![
        Effect::Ask(question),
        Effect::Answered(7),
        Effect::Wait("W7".into(), "Max@Nowhere.example".into(), JoinRequest::default()),
        Effect::Offered("W7".into(), "max@nowhere.example".into()),
        Effect::Vote { game: "W7".into(), turn: 1, seat: one, days: 2, reason: "so".into() },
        Effect::Vote { game: "W7".into(), turn: 1, seat: one, days: 3, reason: "so".into() },
        Effect::Due { game: "W7".into(), turn: game.turn, at: now },
        Effect::Seat("W7".into(), one, SeatChange::Address("New@Players.example".into())),
        Effect::Seat("W7".into(), one, SeatChange::Away(Some((now, now)))),
        Effect::Note("word".into(), "nul \0 and all".into()),
        Effect::ListTold("Max@Nowhere.example".into()),
        Effect::Signed(1, vec!["s".into(), "s".into()]),
        Effect::Reachable(player(3)),
    ];
    let once = Some(("W7".to_owned(), 1, "x of once".to_owned()));
    let change = Change { once, effects, mails: vec![letter("c@y", &player(3))] };
    let seat =
        SeatRow { address: "Next@Players.example".into(), ..SeatRow::empty("W7", four, "UTC") };
    let orders = NewOrders {
        game: "W7".into(),
        seat: one,
        turn: game.turn,
        card: CardText::new("M 1 9\n"),
        mail: 1,
        received_at: now,
        done: true,
        seals: Vec::new(),
        had_seals: true,
    };
    let (first, second) = (raw("a", &all_bytes), raw("b", b"From: x\r\n\r\n"));
    commit! { told, store;
        mails().store_raw(&[first.clone(), second.clone()]),
        mails().first_attempts(None), mails().next_attempt(1), mails().take_back_attempt(1), record_act(&act),
        mark_undone(1, 2), outbox().post(&letters, now), apply(&change, now),
        apply(&change, now), pay("W7", one, &[entry(20), entry(-3)], &[], now),
        suspend("W7", "why"), suspended_because("W7", "another"), release("W7"), count_anew("W7", None),
        count_anew("W7", Some(one)), withdraw_orders("W7", 9),
        set_terms("W7", &Terms { join: true, ..Terms::default() }, &game.rule),
        set_deadline("W7", now), set_note("x", "y"), set_note("x", "z"),
        add_outage(now, now + SignedDuration::from_hours(1)), add_seat(&seat),
        change_seat("W7", four, &SeatChange::Resigned), add_seat(&seat),
        change_seat("W7", four, &SeatChange::Ready(2)), restore_seat(&seat),
        forget_orders(("W7", one, 1), Timestamp::UNIX_EPOCH), workers().fetched("main", now),
        workers().fetched("main", now), mails().shred(1, b"kept"), outbox().lease(now, 3), withdraw(&["c@y".to_owned()]), outbox().send_again(None, now),
        outbox().to_draw(2, 3, false, now), outbox().release_leases(now), mails().moved("main", &[("a".into(), Folder::Accepted)]),
        practice_began(7, "W7"), mails().forget_digest("digest"), mails().is_for(1, "W7"), unmake_game("W7"),
        workers().bury("nobody", true, now), tell_of_key(&[], now), undo_turn("W7"),
    }
    let mut game = game;
    game.code = "X9".into();
    commit! { told, store; add_game(&game, now), add_game(&game, now), unmake_game("X9") }
    // A mail judged by hand, with orders, an answer and an alarm.
    let id = store.mails().unjudged().expect("a store").last().expect("a mail").0;
    let mail = store.mails().stored(id).expect("a store");
    let judged = Judged {
        verdict: Verdict::Quarantined,
        reason: Reason::Unreadable,
        why: "by hand".into(),
        seat: Some(("W7".into(), one)),
        turn: Some(1),
        sender: "Max@Nowhere.example".into(),
        digest: "digest".into(),
        words: "words".into(),
        quick: true,
        standing: Standing::Unproven,
        effects: vec![Effect::Orders(orders.clone()), Effect::Orders(orders)],
        mails: vec![letter("j@y", "max@nowhere.example")],
        alarms: vec![letter("k@y", "gm@fieldpost.example")],
    };
    let another =
        Judged { mails: Vec::new(), alarms: vec![letter("l@y", "x@y.example")], ..judged.clone() };
    commit! { told, store;
        mails().judge(&mail, &judged, now), mails().judge(&mail, &judged, now), mails().apply_effects(&mail, &another, now),
        mails().discard(id), quarantine_again(id, Verdict::Quarantined, Reason::Unreadable),
        mails().judge_again(id), mails().give_up(id),
    }
    let rows = store.write(|tx| tx.outbox().lease(now, 2)).expect("a store");
    let later = SendResult::Later("450".into());
    let results: Vec<_> = rows.iter().zip([&SendResult::Sent, &later]).collect();
    commit! { told, store; outbox().sent(results.clone(), now, 999) }
    if let Some(draw) =
        store.write(|tx| tx.outbox().to_draw(9, 1, false, now)).expect("a store").first()
    {
        let id = draw.id;
        commit! { told, store; outbox().drawn(id, b"drawn", &[], now) }
    }
    let bounced = Effect::Bounced {
        mail: 1,
        address: player(2),
        status: "5.1.1".into(),
        hard: true,
        limit: 1,
    };
    let once = Some(("W7".to_owned(), 2, "bounced".to_owned()));
    let change = Change { once, effects: vec![bounced], mails: Vec::new() };
    commit! { told, store; apply(&change, now), erase("MAX@nowhere.example") }
    commit! { told, store; empty_seat("W7", four), end_game("W7"), mails().forget_raw(now, 2), mails().forget_raw(now, 9) }
    commit! { told, store; release_moved("W7", now, &[], now), note_restored("why", now) }
    let act = NewAct { at: now, by: "shell", game: None, kind: "key", what: "new", back: "" };
    told.push(format!("{:?}", store.renew_key(&FixedEntropy::new(3), &act)));
    told.push(format!("{:?}", store.renew_dashboard(&FixedEntropy::new(4), &act)));
    store.set_bounce_limit(2);
    let lease = store.write(|tx| tx.workers().take_lease("inbox main", now)).expect("a store");
    let lease = lease.expect("it is free");
    commit! { told, store; workers().give_back(&lease), workers().end_work(None, now) }
    let looked = vec![("W7".to_owned(), 1, Some(now)), ("W8".to_owned(), 1, None)];
    commit! { told, store; looked(&looked) }
    let undone: Result<(), store::StoreError> = store.rehearse(|tx| tx.set_note("x", "never"));
    told.push(format!("{undone:?} {:?}", store.note("x")));
}

/// The game on its way through a file.
fn moves(told: &mut Told, host: &mut Host) {
    let now = host.robot.now();
    let file = host.dir.path().join("out.game");
    let about = Export { code: "W7".into(), at: now, program: "0".into(), host: "h".into() };
    told.push(format!("{:?}", host.robot.store.export_game(&about, &file)));
    let moved = Moved { was: "W7".into(), same: false };
    told.push(format!("{:?}", host.robot.store.import_game(&file, "W8", &moved)));
    let store = &host.robot.store;
    ask! { told, store; games().game("W8"), games().seats("W8"), moved_game("W8"), journal().turns("W8"), mails().latest(99) }
}

fn story(mut host: Host) -> Told {
    let mut told = season(&mut host);
    // A database gives no number twice, not even one that was not used; from here on both go on
    // with the same.
    let now = host.robot.now();
    commit! { told, host.robot.store; note_restored("why", now) }
    answers(&mut told, &host);
    changes(&mut told, &mut host);
    answers(&mut told, &host);
    rows(&mut told, "changes", &host);
    moves(&mut told, &mut host);
    rows(&mut told, "moves", &host);
    // Rows that exist already are not doubled. The numbers that a database gives afterwards differ.
    let now = host.robot.now();
    let store = &mut host.robot.store;
    let twice = [letter("x@y", &player(2)), letter("new@y", &player(2))];
    let again = RawMessage {
        source: "main".into(),
        key: "a".into(),
        received_at: now,
        size: 1,
        bytes: b"x".to_vec(),
        authenticity: Default::default(),
        checked_from: String::new(),
    };
    commit! { told, store; outbox().post(&twice, now), mails().store_raw(std::slice::from_ref(&again)) }
    told.push(format!("{:?}", store.outbox().sent_under("new@y").map(|found| found.is_some())));
    told.push(format!(
        "{:?} {:?}",
        store.outbox().outbox_counts(),
        store.mails().latest(99).map(|all| all.len())
    ));
    told
}

#[test]
fn every_method_answers_the_same_whoever_makes_the_store() {
    let in_file = story(Host::in_a_file());
    let in_database = story(Host::in_a_database().0);
    for (a, b) in in_file.iter().zip(&in_database) {
        // Errors are in the words of their backend.
        let same = a == b || a.contains("Err(Data(") && b.contains("Err(Data(");
        assert!(same, "file: {a}\ndatabase: {b}");
    }
    assert_eq!(in_file.len(), in_database.len());
}

#[test]
fn the_story_asks_for_every_method_of_the_store() {
    let own = include_str!("backends.rs");
    // Methods that other tests of both backends cover, or that only a file or a server has.
    let elsewhere = [
        "open",
        "savepoint",
        "connect",
        "connection",
        "database",
        "path",
        "only_read",
        "observe",
        "with_trouble",
        "hold",
        "snapshot",
        "work_as",
        "server_time",
        "version_seen",
        "is_alone",
        "seen",
        "renew",
        "key",
        "run_turn",
        "digests",
    ];
    let folder = support::root().join("src/store");
    let mut missing = Vec::new();
    for file in std::fs::read_dir(folder).expect("the store").flatten() {
        let text = std::fs::read_to_string(file.path()).unwrap_or_default();
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let mut of_store = false;
        for line in code.lines() {
            if let Some(head) = line.strip_prefix("impl") {
                let whole = ["Reader {", "Store {", "<'_> {"];
                of_store = !head.contains(" for ") && whole.iter().any(|w| head.ends_with(w));
            }
            let method = line.strip_prefix("    pub fn ").filter(|_| of_store);
            let Some(name) = method.and_then(|m| m.split(['(', '<']).next()) else { continue };
            if !own.contains(&format!("{name}(")) && !elsewhere.contains(&name) {
                missing.push(name.to_owned());
            }
        }
    }
    assert!(missing.is_empty(), "no word of {missing:?}");
}
