//! The game master by mail: the secret, the commands, mails in quarantine; and how the robot
//! explains a mail without carrying it out.

use engine::Seat;
use mail::auth::Authenticity;
use registry::ENGINES;
use robot::gm_commands::ROWS;
use robot::limits::Limits;
use store::{Game, MailRow, Status, Verdict};

use crate::talk::flat;
use support::host::{Got, Host, ROBOT, a_game, mail, player};

const GM: &str = "gm@fieldpost.example";
const WEEK_MIN: i64 = 7 * 24 * 60;

/// The address with the secret, as the newest mail to the game master has it.
fn secret_address(host: &mut Host) -> String {
    if let Some(newest) = host.mails_to_address(GM).pop() {
        return newest.reply_to;
    }
    let row = host.receive(mail(GM, ROBOT, "GM STATUS\n"));
    host.answers(&row).remove(0).reply_to
}

/// A mail of the game master with the secret: its verdict, and the text of the answer.
fn from_gm(host: &mut Host, text: &str) -> (MailRow, String) {
    let to = secret_address(host);
    let row = host.receive(mail(GM, &to, text));
    let answer = host.answers(&row).remove(0);
    assert_eq!((row.reason.as_str(), answer.to.as_str()), ("game-master", GM), "{text}");
    (row, answer.text)
}

/// The answer to a command that is carried out.
fn done(host: &mut Host, text: &str) -> String {
    let (row, answer) = from_gm(host, text);
    assert_eq!(row.verdict, Some(Verdict::Accepted), "{text}: {answer}");
    answer
}

/// The answer to a command that is refused.
fn refused(host: &mut Host, text: &str) -> String {
    let (row, answer) = from_gm(host, text);
    assert_eq!(row.verdict, Some(Verdict::Rejected), "{text}: {answer}");
    assert!(answer.contains("Nothing was done: "), "{answer}");
    flat(&answer)
}

fn game(host: &Host) -> Game {
    host.robot.game("W7").expect("the game")
}

/// Rows of the tables that a mail changes.
fn rows(host: &Host) -> [i64; 3] {
    ["mail", "outbox", "orders"].map(|table| {
        let sql = format!("SELECT count(*) FROM {table}");
        host.robot.store.database().one(&sql, &[], |r| r.get(0)).expect("a count")
    })
}

#[test]
fn without_the_secret_the_game_master_alone_is_answered_and_nothing_is_done() {
    let mut host = Host::new();
    let row = host.receive(mail(GM, ROBOT, "GM HOLD W7\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "gm-unproven"));
    let answers = host.answers(&row);
    assert_eq!(answers.iter().map(|a| a.to.as_str()).collect::<Vec<_>>(), [GM]);
    assert!(flat(&answers[0].text).contains("send it again as an answer to this mail"));
    assert_eq!(game(&host).status, Status::Running);
    let to = &answers[0].reply_to;
    assert!(to.starts_with("robot+gm."), "{to}");
    let row = host.receive(mail(GM, to, "GM HOLD W7\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "game-master"));
    assert_eq!(game(&host).status, Status::Suspended);
}

#[test]
fn nobody_else_commands_not_even_with_the_secret_or_the_address() {
    let mut host = Host::new();
    let to = secret_address(&mut host);
    for from in [player(1), "thief@elsewhere.example".to_owned()] {
        let row = host.receive(mail(&from, &to, "GM HOLD W7\n"));
        assert_eq!(
            (row.verdict, row.reason.as_str()),
            (Some(Verdict::Rejected), "not-game-master")
        );
    }
    assert_eq!(host.receive(host.card(1, "GM HOLD W7\n")).reason.as_str(), "not-game-master");
    let mut forged = host.message(mail(GM, &to, "GM HOLD W7 forged\n").as_bytes());
    forged.authenticity = Authenticity::Fail;
    assert_eq!(host.judge(forged).reason.as_str(), "not-game-master");
    let guessed = "robot+gm.aaaaaaaaaaaaa@fieldpost.example";
    assert_eq!(host.receive(mail(GM, guessed, "GM HOLD W7\n")).reason.as_str(), "gm-unproven");
    assert_eq!(game(&host).status, Status::Running);
}

#[test]
fn a_secret_is_good_for_five_weeks() {
    let mut host = Host::new();
    let to = secret_address(&mut host);
    host.pass(5 * WEEK_MIN);
    assert_eq!(host.receive(mail(GM, &to, "GM STATUS\n")).reason.as_str(), "game-master");
    host.pass(WEEK_MIN);
    assert_eq!(host.receive(mail(GM, &to, "GM STATUS W7\n")).reason.as_str(), "gm-unproven");
}

#[test]
fn help_lists_every_command_with_its_form() {
    let mut host = Host::new();
    let help = done(&mut host, "GM HELP\n");
    for form in ROWS.iter().map(|r| r.form) {
        assert!(help.contains(&format!("| {form}")), "{form} is missing in {help}");
    }
    let bare = done(&mut host, "GM\n");
    assert_eq!(flat(&bare), flat(&help));
}

#[test]
fn status_tells_of_the_host_and_of_a_game() {
    let mut host = Host::new();
    host.receive(host.card(1, "M 1 3\n"));
    host.receive(host.card(2, "READY\n"));
    let line = "W7: running, turn 1, due Thu 4 Jun 2026, 21:26 BST, 1 of 4 cards in";
    let all = done(&mut host, "GM STATUS\n");
    assert!(all.contains(line) && all.contains("0 failed. In quarantine: 0."), "{all}");
    let one = done(&mut host, "gm status w7\n");
    assert!(one.contains(line) && one.contains("| quorum=0"), "{one}");
    let seat = |n: &str| flat(one.lines().find(|l| l.contains(n)).expect("a line of the seat"));
    assert!(seat("Empire 1").ends_with("has orders on file"), "{one}");
    assert!(seat("Empire 2").ends_with("no orders yet, ready"), "{one}");
    let short = done(&mut host, "STATUS\n");
    assert!(short.contains(line), "in an answer GM may be left out: {short}");
    assert!(refused(&mut host, "GM STATUS X9\n").contains("no game X9; there are: W7"));
}

#[test]
fn deadline_moves_it_and_tells_all() {
    let mut host = Host::new();
    let said = done(&mut host, "GM DEADLINE W7 2026-06-20 18:00\n");
    assert!(said.contains("The deadline is Sat 20 Jun 2026, 18:00 BST; all players"), "{said}");
    for seat in 1..=4 {
        let told = host.last_mail(seat);
        assert!(told.subject.contains("a new deadline"), "{}", told.subject);
        assert!(flat(&told.text).contains("Sat 20 Jun 2026, 18:00 BST"), "{}", told.text);
    }
    let due = game(&host).deadline;
    let past = refused(&mut host, "GM DEADLINE W7 2026-05-01 18:00\n");
    assert!(past.contains("the deadline must lie ahead; GM RUN"), "{past}");
    let bad = refused(&mut host, "GM DEADLINE W7 next monday\n");
    assert!(bad.contains("is no date; write for instance \"2026-12-01 18:00\""), "{bad}");
    assert_eq!(game(&host).deadline, due);
}

#[test]
fn hold_and_release() {
    let mut host = Host::new();
    assert!(done(&mut host, "GM HOLD W7 the server moves\n").contains("no turn runs"));
    let suspended = game(&host);
    assert_eq!(
        (suspended.status, suspended.suspended_why.as_str()),
        (Status::Suspended, "the server moves")
    );
    assert!(done(&mut host, "GM STATUS\n").contains("W7: suspended (the server moves), turn 1"));
    assert!(refused(&mut host, "GM HOLD W7 again\n").contains("does not run"));
    assert_eq!(host.pass_deadline(), 0);
    assert!(done(&mut host, "GM RELEASE W7\n").contains("Game W7 goes on. W7: running"));
    assert!(refused(&mut host, "GM RELEASE w7\n").contains("is not suspended"));
    assert_eq!(host.pass_deadline(), 1);
}

#[test]
fn run_and_undo() {
    let mut host = Host::new();
    assert!(refused(&mut host, "GM UNDO W7\n").contains("none has run"));
    host.receive(host.card(1, "M 1 3\n"));
    let said = done(&mut host, "GM RUN W7\n");
    assert!(said.contains("Game W7 ran turn 1"), "{said}");
    assert_eq!(game(&host).turn, 2);
    (1..=4).for_each(|seat| assert!(host.last_mail(seat).subject.starts_with("[W7 T2 S")));
    let notes = host.mails_to_address(GM);
    assert!(notes.iter().any(|m| m.subject.contains("game W7 ran turn 1")), "the note");
    let said = done(&mut host, "GM UNDO w7\n");
    assert!(said.contains("You took back turn 1 of game W7, and the game is suspended"), "{said}");
    assert_eq!((game(&host).turn, game(&host).status), (1, Status::Suspended));
    assert_eq!(host.on_file(1), "M 1 3\n");
    (1..=4).for_each(|seat| assert!(host.last_mail(seat).subject.contains("taken back")));
    assert!(refused(&mut host, "GM RUN w7\n").contains("only a running game has turns"));
    done(&mut host, "GM RELEASE W7\n");
    done(&mut host, "GM RUN  W7\n");
    host.receive(host.card(2, "M 1 3\n"));
    assert!(refused(&mut host, "GM UNDO  W7\n").contains("a player has sent a card since"));
    assert_eq!(game(&host).turn, 2);
}

#[test]
fn a_card_behind_a_command_is_judged_by_what_the_command_left() {
    let mut host = Host::new();
    let to = secret_address(&mut host);
    host.pass(1);
    let raw = [mail(GM, &to, "GM RUN W7\n"), host.card(1, "M 1 3\n"), host.card(2, "M 2 3\n")];
    let mails = raw.map(|raw| host.message(raw.as_bytes()));
    let judged = host.robot.receive(&mails).expect("the store works");
    let row = |id: &i64| host.robot.store.mails().mail(*id).expect("a store").expect("a mail");
    let reasons: Vec<String> = judged.iter().map(|id| row(id).reason.to_string()).collect();
    assert_eq!(reasons, ["game-master", "passed-turn", "passed-turn"]);
    assert_eq!(game(&host).turn, 2);
}

#[test]
fn seat_gives_it_to_another_address() {
    let mut host = Host::new();
    let new = "new@elsewhere.example";
    let said = done(&mut host, &format!("GM SEAT W7 2 {new}\n"));
    assert!(said.contains(&format!("Seat 2 of game W7 has the address {new}.")), "{said}");
    let password = said.split_whitespace().last().expect("a password").to_owned();
    let old = host.last_mail(2);
    assert!(old.subject.contains("your seat has a new address"), "{}", old.subject);
    let printout = host.mails_to_address(new).pop().expect("a printout");
    assert!(printout.text.contains("Strategic map"), "{}", printout.text);
    assert_eq!(host.receive(mail(new, &printout.reply_to, "M 1 3\n")).reason.as_str(), "filed");
    let mut with = |password: &str| {
        let card = format!("GAME W7 SEAT 2 PASSWORD {password}\nM 2 3\n");
        host.receive(mail(new, ROBOT, &card)).reason.as_str()
    };
    assert_eq!(with(&password), "filed");
    assert_eq!(with("guessed"), "wrong-password");
    let old_password = host.passwords[1].clone();
    let card = format!("GAME W7 SEAT 2 PASSWORD {old_password}\nM 3 3\n");
    assert_eq!(host.receive(mail(&player(2), ROBOT, &card)).reason.as_str(), "wrong-password");
    assert_ne!(
        host.receive(host.card(2, "M 4 3\n")).reason.as_str(),
        "filed",
        "the old address is out"
    );
    assert_eq!(host.on_file(2), "M 2 3\n");
    for (text, why) in [
        ("GM SEAT W7 nine a@b.example\n", "\"nine\" is no seat number"),
        ("GM SEAT W7 9 a@b.example\n", "game W7 has seats 1 to 4"),
        ("GM SEAT W7 2 nonsense\n", "\"nonsense\" is no mail address"),
    ] {
        let said = refused(&mut host, text);
        assert!(said.contains(why), "{why} is missing in {said}");
    }
}

/// The lines of a mail to a player between its first words and the deadline.
fn told_lines(mail: &Got) -> Vec<String> {
    let after = mail.text.lines().skip_while(|l| !l.contains("The game master writes:")).skip(1);
    let lines = after.take_while(|l| !l.starts_with("Orders for turn"));
    lines.filter(|l| !l.is_empty()).map(str::to_owned).collect()
}

#[test]
fn tell_reaches_all_or_one_and_no_line_of_it_is_an_order() {
    let mut host = Host::new();
    let said = done(&mut host, "GM TELL W7 all Dear players,\nM 1 3\nCANCEL\n\nsee you\n");
    assert!(said.contains("4 players of game W7 are told."), "{said}");
    for seat in 1..=4 {
        let told = host.last_mail(seat);
        assert!(told.subject.contains("from the game master"), "{}", told.subject);
        let lines = told_lines(&told);
        assert!(lines.iter().all(|l| l.starts_with('|')), "{lines:?}");
        let said: Vec<&str> =
            lines.iter().map(|l| l[1..].trim()).filter(|l| !l.is_empty()).collect();
        assert_eq!(said, ["Dear players,", "M 1 3", "CANCEL", "see you"]);
    }
    let before = [1, 2, 3, 4].map(|seat| host.mails_to(seat).len());
    assert!(done(&mut host, "GM TELL W7 3 you are late\n").contains("1 player of game W7 is told"));
    let more = [1, 2, 3, 4].map(|seat| host.mails_to(seat).len() - before[usize::from(seat) - 1]);
    assert_eq!(more, [0, 0, 1, 0]);
    assert!(refused(&mut host, "GM TELL W7 all\n").contains("there is no text to tell"));
    assert!(refused(&mut host, "GM TELL W7 nobody hi\n").contains("\"nobody\" is no seat number"));
}

#[test]
fn a_long_line_that_is_told_keeps_its_mark_where_it_is_wrapped() {
    let mut host = Host::new();
    done(&mut host, &format!("GM TELL W7 1 {} M 1 3\n", "words of advice ".repeat(8)));
    let lines = told_lines(&host.last_mail(1));
    assert!(lines.len() > 1 && lines.iter().all(|l| l.starts_with("| ")), "{lines:?}");
}

#[test]
fn what_is_told_ends_where_an_unmarked_original_begins() {
    let mut host = Host::new();
    done(&mut host, "GM STATUS\n");
    let original = host.mails_to_address(GM).pop().expect("the status").text;
    done(&mut host, &format!("GM TELL W7 1 Hello.\n\n{original}"));
    let told = host.last_mail(1).text;
    assert!(told.contains("| Hello.") && !told.contains("Outbox:"), "{told}");
}

#[test]
fn credit_enters_a_payment() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut new = a_game("warlord", 4);
    new.fee = 2;
    host.robot.new_game(new).expect("a game");
    host.seat_players(4);
    host.robot.start("W7", None, false).expect("starts");
    let said = done(&mut host, "GM CREDIT W7 1 20 by cheque\n");
    assert!(said.contains("Seat 1 of game W7 has 20 credits."), "{said}");
    host.run_turn();
    assert!(host.last_mail(1).text.contains("Your credit is 18 after the fee of 2"));
    assert!(host.last_mail(2).subject.contains("no credit"));
    let said = done(&mut host, "GM CREDIT W7 2 5\n");
    assert!(said.contains("Seat 2 of game W7 has 3 credits."), "{said}");
    assert!(host.last_mail(2).text.contains("Strategic map"), "the printout that waited");
    let ledger = host.robot.store.ledger("W7", Seat(1)).expect("the ledger");
    let entries: Vec<(i64, &str)> = ledger.iter().map(|e| (e.amount, e.why.as_str())).collect();
    assert_eq!(entries, [(20, "by cheque"), (-2, "printout of turn 2")]);
}

#[test]
fn set_changes_a_term_of_a_game() {
    let mut host = Host::new();
    let said = done(&mut host, "GM SET W7 early=true\n");
    assert!(said.contains("| early=true") && said.contains("| every=7 days"), "{said}");
    assert!(game(&host).terms.early);
    let shown = done(&mut host, "GM SET W7\n");
    assert!(shown.contains("| early=true") && shown.contains("| holidays="), "{shown}");
    for (wrong, near) in [("erly", "early"), ("holyday", "holidays"), ("evry", "every")] {
        let bad = refused(&mut host, &format!("GM SET W7 {wrong}=true\n"));
        let told = format!("there is no term \"{wrong}\"; did you mean {near}?");
        assert!(bad.contains(&told) && bad.contains("every, at, zone"), "{bad}");
    }
    let bad = refused(&mut host, "GM SET W7 practice=true\n");
    assert!(bad.contains("there is no term \"practice\""), "{bad}");
    let bad = refused(&mut host, "GM SET W7 policy=lax\n");
    assert!(bad.contains("strict") && bad.contains("normal"), "{bad}");
    assert!(refused(&mut host, "GM SET W7 zone=Moon/Base\n").contains("Europe/London"));
}

#[test]
fn set_takes_values_with_blanks() {
    let mut host = Host::new();
    done(&mut host, "GM SET W7 every=36 hours\n");
    assert_eq!(game(&host).rule.every, "36 hours");
    done(&mut host, "GM SET W7 reminders_hours=[24, 2]\n");
    assert_eq!(game(&host).terms.reminders_hours, [24, 2]);
}

#[test]
fn a_wrong_form_shows_the_right_one_and_an_unknown_word_the_nearest() {
    let mut host = Host::new();
    let form = |word: &str| ROWS.iter().find(|r| r.word == word).expect("a command").form;
    let wrong = "GM DEADLINE W7;GM HOLD;GM RELEASE;GM RUN;GM UNDO W7 now;GM SEAT W7 3;GM TELL W7;\
                 GM CREDIT W7 3;GM CREDIT W7 3 lots;GM SET W7 early";
    for text in wrong.split(';') {
        let said = refused(&mut host, text);
        let form = form(text.split_whitespace().nth(1).expect("a word"));
        assert!(said.contains(&format!("the form is {form}")), "{text}: {said}");
    }
    for (text, form) in [("GM DEADLIEN W7\n", form("DEADLINE")), ("GM unod W7\n", form("UNDO"))] {
        let said = refused(&mut host, text);
        assert!(said.contains("there is no command GM ") && said.contains(form), "{text}: {said}");
    }
    assert_eq!((game(&host).status, game(&host).turn), (Status::Running, 1));
}

#[test]
fn a_pending_card_is_listed_and_released() {
    let mut host = Host::new();
    assert!(done(&mut host, "GM QUARANTINE list\n").contains("No mail is in quarantine."));
    let pending = host.receive(mail(&player(1), ROBOT, "M 1 3\n"));
    assert_eq!(pending.verdict, Some(Verdict::Pending));
    let id = pending.id;
    let list = done(&mut host, "GM QUARANTINE\n");
    let line = list.lines().find(|l| l.contains("pending (unproven) W7 seat 1")).expect("a line");
    assert!(flat(line).starts_with(&format!("| {id} ")), "{line}");
    let said = done(&mut host, &format!("GM QUARANTINE release {id}\n"));
    assert!(said.contains(&format!("Mail {id}: accepted (filed).")), "{said}");
    assert_eq!(host.on_file(1), "M 1 3\n");
    let echo = host.last_mail(1);
    assert!(echo.subject.contains(" on file"), "{}", echo.subject);
    assert!(flat(&echo.text).contains("It was pending and is confirmed now."));
    let again = refused(&mut host, &format!("gm quarantine release {id}\n"));
    assert!(again.contains(&format!("no mail {id} is in quarantine")), "{again}");
    assert!(done(&mut host, "gm quarantine list\n").contains("No mail is in quarantine."));
}

#[test]
fn a_pending_card_that_is_discarded_can_not_be_confirmed() {
    let mut host = Host::new();
    let pending = host.receive(mail(&player(1), ROBOT, "M 1 3\n"));
    let ask = host.answers(&pending).remove(0);
    let said = done(&mut host, &format!("GM QUARANTINE drop {}\n", pending.id));
    assert!(said.contains("is discarded"), "{said}");
    let row = host.robot.store.mails().mail(pending.id).expect("a store").expect("the mail");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Ignored), "discarded"));
    let row = host.receive(mail(&player(1), &ask.reply_to, "YES\n"));
    assert_ne!(row.verdict, Some(Verdict::Accepted), "{}", row.reason);
    assert_eq!(host.on_file(1), "");
    assert!(
        refused(&mut host, "GM QUARANTINE drop 999\n").contains("no mail 999 is in quarantine")
    );
}

#[test]
fn an_unreadable_mail_that_is_released_is_judged_anew() {
    let mut host = Host::new();
    let message = host.message(host.card(1, "M 1 3\n").as_bytes());
    host.robot
        .store
        .write(|tx| tx.mails().store_raw(std::slice::from_ref(&message)))
        .expect("kept");
    let (id, _) = host.robot.store.mails().unjudged().expect("a store")[0];
    for _ in 0..3 {
        host.robot.store.write(|tx| tx.mails().next_attempt(id)).expect("an attempt that died");
    }
    host.robot.receive(&[]).expect("judges");
    assert!(done(&mut host, "GM QUARANTINE list\n").contains("quarantined (unreadable)"));
    let said = done(&mut host, &format!("GM QUARANTINE release {id}\n"));
    assert!(said.contains(&format!("Mail {id} is judged anew")), "{said}");
    host.robot.receive(&[]).expect("judges");
    let row = host.robot.store.mails().mail(id).expect("a store").expect("the mail");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "filed"));
    assert_eq!(host.on_file(1), "M 1 3\n");
}

#[test]
fn explain_tells_of_a_card_an_automatic_mail_and_a_stranger_and_changes_nothing() {
    let mut host = Host::new();
    host.receive(host.card(2, "M 1 3\n"));
    let before = rows(&host);
    let card = host.card(1, "M 1 3\n");
    let automatic = card.replace("Subject:", "Auto-Submitted: auto-replied\r\nSubject:");
    let stranger = mail("max@nowhere.example", ROBOT, "hello there\n");
    let secret = host.robot.store.key().reply("W7", Seat(1), 0, 1);
    let mut explained = |raw: &str, parts: &[&str]| {
        let text = host.robot.explain(raw.as_bytes()).expect("explains");
        for part in parts {
            assert!(flat(&text).contains(part), "{part} is missing in {text}");
        }
        assert!(!text.contains(&secret), "no secret is shown: {text}");
        assert_eq!(rows(&host), before);
    };
    let read = "It says it is from p1@players.example. Nothing marks it as automatic mail.";
    let whose = "It came to the address of W7.1, with a secret.";
    let lines = "what each of them is: new M 1 3";
    let verdict = "8. Verdict: accepted (filed): Your orders are on file.";
    let effect = "For game W7, seat 1. Effect: 1 lines go on file for step 1.";
    let mails =
        "9. Mails that it causes: 1. echo to p1@players.example: [W7 T1 S1] 1 order on file";
    explained(&card, &[read, whose, lines, verdict, effect, mails]);
    let never = "It is automatic mail (auto-submitted), never answered.";
    let silent = "8. Verdict: ignored (auto-submitted):";
    explained(&automatic, &[never, silent, "9. Mails that it causes: 0."]);
    let unknown = "8. Verdict: rejected (unknown-sender):";
    explained(&stranger, &[unknown, "9. Mails that it causes: 1. answer to max@nowhere.example:"]);
    assert_eq!(host.on_file(1), "");
    assert_eq!(host.receive(&card).reason.as_str(), "filed", "it is no second copy");
}

#[test]
fn explain_shows_the_first_lines_and_counts_the_others() {
    let mut host = Host::new();
    for lines in [100, 130] {
        let card = host.card(1, &"M 1 3\n".repeat(lines));
        let text = flat(&host.robot.explain(card.as_bytes()).expect("explains"));
        assert!(text.contains(&format!("7. Read as: {lines} orders")), "{text}");
        assert_eq!(text.contains(" more 7."), lines > 120, "{text}");
    }
}

#[test]
fn explaining_a_command_of_the_game_master_does_not_carry_it_out() {
    let mut host = Host::new();
    let raw = mail(GM, &secret_address(&mut host), "GM RUN W7\n");
    let before = rows(&host);
    let text = host.robot.explain(raw.as_bytes()).expect("explains");
    assert!(text.contains("8. Verdict: accepted (game-master): GM RUN"), "{text}");
    assert_eq!((rows(&host), game(&host).turn), (before, 1));
    host.receive(host.card(1, "M 1 3\n"));
    host.run_turn();
    let replayed = host.robot.replay("W7", |_| {}).expect("replays");
    assert!(replayed.len() == 2 && replayed.iter().all(|t| t.same), "{replayed:?}");
}

#[test]
fn a_mail_that_was_judged_is_explained_as_if_it_came_now() {
    let mut host = Host::new();
    let card = host.card(1, "M 1 3\n");
    let row = host.receive(&card);
    let told = host.robot.explain(card.as_bytes()).expect("a store");
    assert!(told.contains("It was judged before") && told.contains("accepted (filed)"), "{told}");
    assert_eq!(host.receive(&card).reason.as_str(), "duplicate", "nothing of that is kept");
    assert_eq!(host.robot.store.mails().latest(9).expect("a store").len(), 2);
    assert_eq!(row.reason.as_str(), "filed");
}

#[test]
fn a_mail_of_the_game_master_without_a_command_is_answered_once_a_day() {
    let mut host = Host::new();
    let secret = host.robot.store.key().game_master(host.robot.now().as_second() / 604_800);
    let mut say = |words: &str, hours: i64| {
        host.pass(hours * 60);
        let row = host.receive(mail(GM, &format!("robot+gm.{secret}@fieldpost.example"), words));
        (row.reason.as_str().to_owned(), host.answers(&row).len())
    };
    assert_eq!(say("I am away this week.\n", 0), ("no-gm-command".to_owned(), 1));
    assert_eq!(say("I shall be back soon.\n", 2), ("no-gm-command".to_owned(), 0));
    assert_eq!(say("I am back.\n", 25), ("no-gm-command".to_owned(), 1));
}
