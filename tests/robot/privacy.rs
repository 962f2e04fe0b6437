//! Letters that show no address, what EXPORT shows about somebody, and how they are erased.

use engine::Seat;
use mail::auth::Authenticity::Fail;
use mail::{Folder, RawMessage, SendResult};
use registry::ENGINES;
use robot::limits::Limits;
use store::Verdict;

use crate::talk::*;
use support::host::*;

/// Seats 1 and 2 take letters, and 2 has got an address for letters to 1.
fn with_letters() -> (Host, String) {
    let mut host = Host::new();
    say(&mut host, 1, "CONTACT relay\nY 2 156\n");
    say(&mut host, 2, "CONTACT relay\n");
    host.run_turn();
    let alias = host.robot.mailer().alias("W7", Seat(1), Seat(2));
    (host, alias)
}

#[test]
fn g3_letters_go_both_ways_and_neither_side_learns_the_others_address() {
    let (mut host, alias) = with_letters();
    let printout = host.last_mail(2);
    assert!(printout.text.contains(&alias), "{}", printout.text);
    assert!(!printout.raw.contains("p1@"), "{}", printout.raw);
    let letter = mail(&player(2), &alias, "Shall we be friends?\n");
    let letter = letter.replace(
        "Subject: orders",
        "Received: from home.example ([192.0.2.7])\r\nSubject: p2@players.example writes",
    );
    let row = host.receive(&letter);
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "relayed"));
    let id = letter.split("Message-ID: <").nth(1).and_then(|t| t.split('@').next());
    let mut mails = host.answers(&row);
    mails.retain(|m| m.to == player(1));
    let there = mails.pop().expect("the letter");
    assert!(there.text.contains("| Shall we be friends?"), "{}", there.text);
    for hidden in ["p2@", "192.0.2.7", "home.example", id.expect("an id")] {
        assert!(!there.raw.contains(hidden), "{hidden} in {}", there.raw);
    }
    let row = host.receive(mail(&player(1), &there.reply_to, "Yes, let us.\n"));
    assert_eq!(row.reason.as_str(), "relayed");
    let mut mails = host.answers(&row);
    mails.retain(|m| m.to == player(2));
    let back = mails.pop().expect("the answer");
    assert!(back.text.contains("| Yes, let us."), "{}", back.text);
    assert!(!back.raw.contains("p1@"), "{}", back.raw);
    assert_eq!(back.reply_to, alias);
}

#[test]
fn g3_the_same_letter_goes_on_once_a_week() {
    let (mut host, alias) = with_letters();
    let mut send = |days: i64| {
        host.pass(days * 24 * 60);
        let raw = mail(&player(2), &alias, "Shall we be friends?\n");
        let row = host.receive(raw.replacen("Message-ID: <", &format!("Message-ID: <{days}."), 1));
        (row.reason.as_str().to_owned(), host.answers(&row).len())
    };
    assert_eq!(send(0), ("relayed".to_owned(), 2));
    assert_eq!(send(6), ("repeated-letter".to_owned(), 0));
    assert_eq!(send(2), ("relayed".to_owned(), 2));
}

#[test]
fn g3_an_address_for_letters_serves_its_seat_alone() {
    let (mut host, alias) = with_letters();
    let before = host.mails_to(1).len();
    for from in [player(3), NEW.to_owned()] {
        let row = host.receive(mail(&from, &alias, "Shall we be friends?\n"));
        assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "wrong-secret"));
        assert!(host.answers(&row).iter().all(|m| m.to == from && !m.raw.contains("p1@")));
    }
    let raw = mail(&player(2), &alias, "Not my mail at all.\n");
    let message = RawMessage { authenticity: Fail, ..host.message(raw.as_bytes()) };
    assert_eq!(host.judge(message).reason.as_str(), "wrong-secret", "a forged sender");
    assert_eq!(host.mails_to(1).len(), before);
}

#[test]
fn letters_use_up_no_echo_and_what_became_of_them_is_told_within_a_budget_of_its_own() {
    let limits = Limits { replies_per_hour: 3, ..Limits::default() };
    let mut host = Host::with(&ENGINES, "warlord", 4, limits);
    say(&mut host, 1, "CONTACT relay\nY 2 156\n");
    host.run_turn();
    let alias = host.robot.mailer().alias("W7", Seat(1), Seat(2));
    let mut receipts = 0;
    for n in 0..5 {
        let row = host.receive(mail(&player(2), &alias, &format!("Letter {n} of mine.\n")));
        assert_eq!(row.reason.as_str(), "relayed");
        let caused = host.answers(&row);
        assert!(caused.iter().any(|m| m.to == player(1)), "letter {n} goes on");
        let receipt = caused.iter().find(|m| m.to == player(2));
        assert!(receipt.is_none_or(|m| m.subject.contains("your letter went on")));
        // Like any answer it is useless after two days.
        let ends = "SELECT count(*) FROM outbox WHERE kind = 'receipt' AND recipient = $1
                    AND expires_at - created_at = 2 * 86400000";
        assert_eq!(count(&host, ends, &player(2)), n.min(2) + 1);
        receipts += caused.iter().filter(|m| m.to == player(2)).count();
    }
    assert_eq!(receipts, 3);
    for n in 3..7 {
        let row = host.receive(host.card(2, &format!("M 1 {n}\nM 2 3\n")));
        assert_eq!(host.answers(&row).len(), usize::from(n < 6), "the echo of card {n}");
    }
}

#[test]
fn g3_a_seat_that_hides_gets_no_letters() {
    let (mut host, alias) = with_letters();
    let to_four = host.robot.mailer().alias("W7", Seat(4), Seat(1));
    let row = host.receive(mail(&player(1), &to_four, "Hello?\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "no-letters"));
    assert!(host.answers(&row).iter().all(|m| m.to == player(1)));
    say(&mut host, 1, "CONTACT hide\n");
    let row = host.receive(mail(&player(2), &alias, "Hello?\n"));
    assert_eq!(row.reason.as_str(), "no-letters", "an address that was given out ends too");
    // A player who hides may write; the robot says that no answer can come.
    let alias = host.robot.mailer().alias("W7", Seat(2), Seat(1));
    let words = |host: &mut Host, text: &str| {
        let row = host.receive(mail(&player(1), &alias, text));
        assert_eq!(row.reason.as_str(), "relayed", "{row:?}");
        let mut mails = host.answers(&row);
        mails.retain(|m| m.to == player(2));
        flat(&mails.pop().expect("the letter").text)
    };
    assert!(words(&mut host, "Goodbye.\n").contains("They accept no replies by mail."));
    say(&mut host, 1, "CONTACT relay\n");
    let open = words(&mut host, "Hello again.\n");
    assert!(!open.contains("accept no replies") && open.contains("Reply to this mail"), "{open}");
}

#[test]
fn a_change_of_contact_reaches_those_who_have_the_address_and_nobody_else() {
    const HEADING: &str = "Addresses that have changed";
    let (mut host, alias) = with_letters();
    assert!(!host.last_mail(2).text.contains(HEADING), "told for the first time");
    say(&mut host, 1, "CONTACT disclose\n");
    // A printout that is asked for again shows the present state.
    let row = say(&mut host, 2, "RESEND\n");
    let again = host.answers(&row).pop().expect("the printout");
    assert!(again.text.contains(&player(1)) && !again.text.contains(&alias), "{}", again.text);
    host.run_turn();
    for seat in [1, 3, 4] {
        let text = host.last_mail(seat).text;
        assert!(!text.contains(HEADING) && !text.contains("p1@"), "{seat}: {text}");
    }
    say(&mut host, 1, "ADDRESS elsewhere@players.example\n");
    host.run_turn();
    assert!(!host.last_mail(2).text.contains(HEADING), "RESEND has told of it");
    say(&mut host, 1, "CONTACT hide\n");
    host.run_turn();
    let text = host.last_mail(2).text;
    let told = text.split(HEADING).nth(1).unwrap_or_else(|| panic!("{text}"));
    assert!(told.contains("Player 1: (does not disclose an address"), "{told}");
    host.run_turn();
    assert!(!host.last_mail(2).text.contains(HEADING), "once");
}

#[test]
fn a_printout_that_is_sent_again_names_nobody_by_the_address_of_another() {
    let (mut host, _) = with_letters();
    say(&mut host, 1, "CONTACT hide\n");
    host.run_turn();
    // Seat 2 got the same words about the seats 1 and 4; they do not say whose they are.
    let shown = host.robot.store.games().shown("W7", Seat(2)).expect("a store");
    let sql = "INSERT INTO shown VALUES ('W7', 2, 4, $1)";
    host.robot.store.database().exec(sql, &[&shown[0].1]).expect("written");
    say(&mut host, 1, "CONTACT disclose\n");
    let row = say(&mut host, 2, "RESEND\n");
    let again = host.answers(&row).pop().expect("the printout").text;
    assert!(again.contains("does not disclose an address") && !again.contains("p1@"), "{again}");
    // The next printout says so.
    host.run_turn();
    let text = host.last_mail(2).text;
    let told = text.split("Addresses that have changed").nth(1).unwrap_or_else(|| panic!("{text}"));
    assert!(told.contains(&player(1)), "{told}");
}

#[test]
fn who_is_erased_is_named_in_nobodys_list_of_addresses() {
    let (mut host, _) = with_letters();
    let named = |host: &Host| {
        let shown = host.robot.store.games().shown("W7", Seat(2)).expect("a store");
        shown.iter().any(|(_, words)| words.contains("Empire 1"))
    };
    assert!(named(&host));
    // Nor in the record of checks.
    let mut checked = host.message(mail(&player(1), ROBOT, "HELP\n").as_bytes());
    checked.checked_from = player(1);
    host.judge(checked);
    let sql = "SELECT count(*) FROM mail WHERE checked_from = $1";
    assert_eq!(count(&host, sql, &player(1)), 1);
    host.robot.store.write(|tx| tx.erase(&player(1))).expect("erased");
    assert!(!named(&host));
    assert_eq!(count(&host, sql, &player(1)), 0);
}

#[test]
fn g3_what_a_letter_quotes_is_not_forwarded() {
    let (mut host, alias) = with_letters();
    let quote = "On Sat, 30 May 2026 at 10:00, Fieldpost <robot@fieldpost.example> wrote:\n\
                 > secret printout of p2@players.example\n";
    let row = host.receive(mail(&player(2), &alias, &format!("As you wish.\n\n{quote}")));
    assert_eq!(row.reason.as_str(), "relayed");
    let there = host.last_mail(1);
    assert!(there.text.contains("| As you wish."), "{}", there.text);
    assert!(!there.raw.contains("secret printout") && !there.raw.contains("p2@"), "{}", there.raw);
    let row = host.receive(mail(&player(2), &alias, quote));
    assert_eq!(row.reason.as_str(), "empty-letter");
}

#[test]
fn g4_each_printout_goes_to_the_player_whose_position_it_shows() {
    let mut host = Host::new();
    host.run_turn();
    let sql = "SELECT seat, recipient FROM outbox WHERE kind = 'printout' ORDER BY id";
    let rows = host
        .robot
        .store
        .database()
        .all(sql, &[], |r| Ok((r.get::<_, u8>(0)?, r.get::<_, String>(1)?)));
    let rows: Vec<(u8, String)> = rows.expect("rows");
    assert_eq!(rows.len(), 8);
    assert!(rows.iter().all(|(number, to)| *to == player(*number)), "{rows:?}");
    for number in 1..=4 {
        let printout = host.last_mail(number);
        assert_eq!(printout.to, player(number));
        assert!(printout.text.contains(&format!("seat {number} (Empire {number})")));
        assert!(printout.reply_to.starts_with(&format!("robot+W7.{number}.")));
    }
}

#[test]
fn g5_export_sends_what_is_stored_of_the_player_and_of_nobody_else() {
    let mut host = Host::new();
    say(&mut host, 1, "M 1 3\n");
    say(&mut host, 2, "M 2 7\n");
    let row = say(&mut host, 1, "EXPORT\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "exported"));
    let sent = host.answers(&row).remove(0);
    assert_eq!(sent.to, player(1));
    assert!(sent.raw.contains("fieldpost-data.json"));
    let parsed = mail_parser::MessageParser::default().parse(sent.raw.as_bytes()).expect("a mail");
    let file = parsed.attachments().next().expect("a file").contents();
    let data: serde_json::Value = serde_json::from_slice(file).expect("JSON");
    assert_eq!(data["address"], player(1));
    let seat = data["seats"][0].as_object().expect("a seat");
    assert_eq!((&seat["name"], &seat["missed"]), (&"Empire 1".into(), &0.into()));
    // A new column or choice must be listed here, so that its player may read it.
    let told: Vec<&str> = seat.keys().map(String::as_str).collect();
    let all = "address any_address away contact format game language left missed name ready \
               reminders seat unreachable zone";
    assert_eq!(told, all.split_whitespace().collect::<Vec<_>>());
    assert_eq!((&seat["contact"], &seat["left"]), (&"disclose".into(), &false.into()));
    assert_eq!(data["mails_from_you"][0]["reason"], "filed");
    let receipt = data["mails_from_you"][0]["receipt"].as_i64().expect("a receipt");
    assert!(!data.to_string().contains("M 1 3"), "texts are sent when they are asked for");
    assert!(data["mails_to_you"].as_array().is_some_and(|m| m.len() >= 2));
    assert!(!data.to_string().contains("p2@"));
    let row = say(&mut host, 1, "export\n");
    assert_eq!(row.verdict, Some(Verdict::Ignored), "once a day");
    let row = say(&mut host, 1, &format!("EXPORT {receipt}\n"));
    let sent = host.answers(&row).remove(0);
    let parsed = mail_parser::MessageParser::default().parse(sent.raw.as_bytes()).expect("a mail");
    let file = parsed.attachments().next().expect("a file").contents();
    assert!(String::from_utf8_lossy(file).contains("M 1 3"));
    // Somebody else's receipt does not count.
    let row = say(&mut host, 2, &format!("EXPORT {receipt}\n"));
    assert_eq!(row.verdict, Some(Verdict::Rejected));
    assert!(answer(&host, &row).contains("no mail of yours"));
}

#[test]
fn g5_export_stays_within_the_size_of_a_mail_and_says_what_it_left_out() {
    let limits = Limits { sent_bytes_max: 20_000, ..Limits::default() };
    let mut host = Host::with(&ENGINES, "warlord", 4, limits);
    let rows: Vec<_> = (1..=30).map(|n| say(&mut host, 1, &format!("M 1 {n}\n"))).collect();
    let row = say(&mut host, 1, "EXPORT\n");
    let sent = host.answers(&row).remove(0);
    assert!(sent.raw.len() < 20_000, "{}", sent.raw.len());
    let parsed = mail_parser::MessageParser::default().parse(sent.raw.as_bytes()).expect("a mail");
    let file = parsed.attachments().next().expect("a file").contents();
    let data: serde_json::Value = serde_json::from_slice(file).expect("JSON");
    let left_out = data["left_out"].as_u64().expect("a number");
    let listed = |name: &str| data[name].as_array().expect("mails").len() as u64;
    let told = listed("mails_from_you") + listed("mails_to_you") + left_out;
    // The mail that asks and the one that answers come after it.
    let all =
        u64::from(host.robot.store.mails().mails_with_person(&player(1)).expect("a store") - 2);
    assert_eq!((told, left_out > 20), (all, true));
    let newest = data["mails_from_you"].as_array().expect("mails").last().expect("one");
    assert_eq!(newest["receipt"], rows[29].id, "the newest are there, in their order");
}

#[test]
fn g5_nobody_gets_somebodys_data_by_their_address_alone() {
    let mut host = Host::new();
    let row = host.receive(mail(&player(1), ROBOT, "EXPORT\n"));
    assert_eq!(row.verdict, Some(Verdict::Pending));
    let question = host.answers(&row).remove(0);
    assert!(!question.raw.contains("fieldpost-data"));
    assert_eq!(yes(&mut host, &question).reason.as_str(), "exported");
    // A player who has left is asked too; an unknown sender has no data to ask for.
    resign(&mut host, 2);
    let row = host.receive(mail(&player(2), ROBOT, "EXPORT\n"));
    assert_eq!(row.reason.as_str(), "export-asked");
    let question = asked(&host, &row);
    let done = yes(&mut host, &question);
    assert_eq!(done.reason.as_str(), "exported");
    assert!(host.answers(&done)[0].raw.contains("fieldpost-data.json"));
    let row = host.receive(mail(NEW, ROBOT, "EXPORT\n"));
    assert_eq!(row.reason.as_str(), "unknown-sender");
}

/// A host whose player of seat 1 has left and is erased, with the mails of the erasure.
fn forgotten() -> (Host, Vec<i64>) {
    let mut host = Host::new();
    let card = say(&mut host, 1, "M 1 3\n").id;
    let row = say(&mut host, 1, "FORGET\n");
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Rejected), "not-changed"));
    assert!(answer(&host, &row).contains("seat 1 of game W7"));
    resign(&mut host, 1);
    let row = host.receive(mail(&player(1), ROBOT, "FORGET\n"));
    assert_eq!((row.verdict, row.reason.as_str()), (Some(Verdict::Accepted), "forget-asked"));
    assert_eq!(seat(&host, 1).address, player(1), "asked once more");
    let question = asked(&host, &row);
    let done = yes(&mut host, &question);
    assert_eq!((done.verdict, done.reason.as_str()), (Some(Verdict::Accepted), "forgotten"));
    (host, vec![card, row.id, done.id])
}

#[test]
fn g5_who_has_left_is_erased_on_request() {
    let (host, mails) = forgotten();
    let gone = seat(&host, 1);
    assert_eq!((gone.address.as_str(), gone.name.as_str()), ("", ""));
    for sql in [
        "SELECT count(*) FROM mail WHERE sender = $1",
        "SELECT count(*) FROM seat WHERE canon = $1",
        "SELECT count(*) FROM question WHERE canon = $1",
        "SELECT count(*) FROM outbox WHERE recipient = $1 AND kind <> 'farewell'",
    ] {
        assert_eq!(count(&host, sql, &player(1)), 0, "{sql}");
    }
    for id in mails {
        assert_eq!(host.robot.store.mails().raw(id).expect("a store"), None);
    }
    // An empty text, packed, is a frame of about ten bytes.
    let sql = "SELECT max(length(mime_z)) FROM outbox WHERE recipient = $1";
    assert!(count(&host, sql, "erased") < 20, "the mails to the player are empty");
    let farewell = host.last_mail(1);
    assert!(flat(&farewell.text).contains("This mail is the last"), "{}", farewell.text);
    // The others keep everything.
    assert_eq!(seat(&host, 2).address, player(2));
    assert_eq!(printouts(&host.mails_to(2)), 1);
}

#[test]
fn g5_the_farewell_is_erased_as_soon_as_it_has_left() {
    let (mut host, _) = forgotten();
    let now = host.robot.now();
    let rows = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
    let farewell = rows.iter().find(|r| r.kind.as_str() == "farewell").expect("the last mail");
    assert_eq!(farewell.mail.to, player(1));
    host.robot
        .store
        .write(|tx| tx.outbox().sent([(farewell, &SendResult::Sent)], now, 86_400))
        .expect("noted");
    assert_eq!(count(&host, "SELECT count(*) FROM outbox WHERE recipient = $1", &player(1)), 0);
}

#[test]
fn a_players_own_keys_go_on_to_nobody_and_the_echo_says_so() {
    let mut host = Host::with(&ENGINES, "battle-plan", 5, Limits::default());
    let own = host.last_mail(1);
    assert!(flat(&own.text).contains("is a key to your seat"), "{}", own.text);
    let (key, id) = (own.reply_to.clone(), own.message_id.clone());
    let card = format!(
        "@AL BA5\nPRESS 2\nWrite to {key}, or <{}>\nor answer <{id}>; not to {ROBOT}\nEND\n\n",
        key.to_uppercase()
    );
    let row = say(&mut host, 1, &card);
    assert_eq!(row.reason.as_str(), "filed");
    let filed = host.on_file(1);
    assert!(!filed.to_lowercase().contains(&key.to_lowercase()) && !filed.contains(&id), "{filed}");
    assert!(filed.contains("Write to (a secret of yours), or <(a secret of yours)>"), "{filed}");
    assert!(filed.contains(&format!("not to {ROBOT}")), "{filed}");
    assert!(answer(&host, &row).contains("can write in your name"));
    // In any spelling of the rest of the address.
    let (start, _) = key.split_once('@').expect("an address");
    let (_, detail) = start.split_once('+').expect("a detail");
    let secret = detail.rsplit('.').next().expect("a secret");
    for form in [
        format!("mailto:robot%2B{detail}%40fieldpost.example"),
        start.to_owned(),
        format!("robot (plus) {detail} (at) fieldpost.example"),
        format!("<{}>", detail.to_uppercase()),
    ] {
        say(&mut host, 1, &format!("@AL BA5\nPRESS 2\nWrite to {form} soon\nEND\n"));
        let filed = host.on_file(1);
        assert!(!filed.to_lowercase().contains(secret), "{filed}");
        assert!(filed.contains("(a secret of yours)") && filed.contains(" soon"), "{filed}");
    }
    say(&mut host, 1, "@AL BA5\nPRESS 2\nSee www.example.international or 3.14159 at W7.3\nEND\n");
    assert!(host.on_file(1).contains("See www.example.international or 3.14159 at W7.3"));
    say(&mut host, 1, &format!("NAME {key}\n"));
    assert!(!seat(&host, 1).name.contains("+W7"), "{}", seat(&host, 1).name);
    // A player at the robot's own domain may tell their address.
    let row = say(&mut host, 2, "S1GR\nPRESS 1\nI am anna@fieldpost.example\nEND\n");
    assert!(host.on_file(2).contains("anna@fieldpost.example"), "{}", row.why);
}

#[test]
fn no_form_of_a_key_goes_on_in_a_letter() {
    let (mut host, alias) = with_letters();
    let own = host.last_mail(2);
    let (key, id) = (own.reply_to.clone(), own.message_id.clone());
    let detail = key.split(['+', '@']).nth(1).expect("a detail").to_owned();
    let secret = detail.rsplit('.').next().expect("a secret").to_owned();
    let other = id.split('@').next().and_then(|i| i.rsplit('.').next()).expect("one").to_owned();
    let apart = |by: &str| secret.chars().map(String::from).collect::<Vec<_>>().join(by);
    let password = &host.passwords[1].clone();
    for (n, form) in [
        key.clone(),
        key.replace('+', "%2B").replace('.', "%2E"),
        key.replace('.', "=2E"),
        key.replace('.', "&#46;"),
        key.replace('.', "_"),
        key.replace('.', ".\n"),
        format!("{}\n{}", &secret[..6], &secret[6..]),
        apart(" "),
        apart("-"),
        secret.to_uppercase(),
        format!("it is {secret}"),
        alias.clone(),
        id.clone(),
        id.replace('.', "%2e"),
        format!("{}\n{}", &id[..id.len() / 2], &id[id.len() / 2..]),
        format!("GAME W7 SEAT 2 PASSWORD {password}"),
    ]
    .iter()
    .enumerate()
    {
        if n % 25 == 24 {
            host.pass(61);
        }
        let row =
            host.receive(mail(&player(2), &alias, &format!("letter {n}\nuse {form} to write\n")));
        assert_eq!(row.reason.as_str(), "relayed", "{form}");
        let went = host.mails_to(1).pop().expect("a letter").text;
        let letter: String = went.lines().filter(|l| !l.contains("===")).collect();
        let plain: String = letter.chars().filter(char::is_ascii_alphanumeric).collect();
        let plain = plain.to_lowercase();
        assert!(
            went.contains("(a secret of yours)") && went.contains("to write"),
            "{form}: {went}"
        );
        for taken in [&secret, &other, &password.to_lowercase()] {
            assert!(!plain.contains(taken.as_str()), "{form}: {went}");
        }
    }
}

#[test]
fn a_login_password_is_kept_nowhere() {
    let mut host = Host::new();
    let password = host.passwords[0].clone();
    let has = |host: &Host, row: &store::MailRow| {
        let kept = host.robot.store.mails().raw(row.id).expect("a store").unwrap_or_default();
        String::from_utf8_lossy(&kept).to_lowercase().contains(&password.to_lowercase())
    };
    let card = format!("GAME W7 SEAT 1 PASSWORD {password}\nM 1 3\n");
    let wrong = card.replace("SEAT 1", "SEAT 2");
    for (from, text) in
        [(player(1), &card), (player(2), &card), (player(1), &wrong), (player(1), &card)]
    {
        let row = host.receive(mail(&from, ROBOT, text));
        assert!(!has(&host, &row), "{}", row.why);
        let moves = host.robot.store.mails().to_move("test").expect("a store");
        assert!(moves.iter().any(|m| m.1 == Folder::Removed), "{moves:?}");
        host.robot.store.write(|tx| tx.mails().moved("test", &moves)).expect("a store");
    }
    assert_eq!(host.on_file(1), "M 1 3\n");
    // A mail that waits for its player's YES is kept without the password, and counts.
    let unproven = mail(&player(1), ROBOT, "GAME W7 SEAT 1\nPASSWORD wrong-one\nM 1 4\n");
    (0..11).for_each(|n| drop(host.receive(unproven.replacen("wrong-one", &format!("no-{n}"), 1))));
}

#[test]
fn passwords_that_older_programs_kept_are_shredded() {
    let mut host = Host::new();
    let card = "GAME W7 SEAT 1 PASSWORD old-secret\nM 1 3\n";
    let rows: Vec<_> =
        (0..250).map(|n| host.receive(host.card(1, &format!("M 1 {n}\n")))).collect();
    // As an earlier version kept it.
    let old = rows[120].id;
    let raw = mail(&player(1), ROBOT, card);
    let packed = zstd::stream::encode_all(raw.as_bytes(), 1).expect("packed");
    let sql = "UPDATE mail SET raw_z = $2 WHERE id = $1";
    host.robot.store.database().exec(sql, &[&old, &packed]).expect("a store");
    host.robot.forget_old_mails().expect("a store");
    let kept = host.robot.store.mails().raw(old).expect("a store").expect("kept");
    let kept = String::from_utf8_lossy(&kept);
    assert!(kept.contains("M 1 3") && !kept.contains("old-secret"), "{kept}");
    let other = host.robot.store.mails().raw(rows[249].id).expect("a store").expect("kept");
    assert!(String::from_utf8_lossy(&other).contains("M 1 249"));
}

#[test]
fn nothing_that_the_robot_writes_reads_as_a_password_however_a_reply_quotes_it() {
    let help = "HELP\nHELP PASSWORD\nHELP MANUAL\nPASSWORD a-b\n\
                PASSWORD river anvil pluto\nSTATUS\n";
    let mut forms = 0;
    for engine in ENGINES.iter() {
        let least = *engine.seats().start();
        let mut host = Host::with(&ENGINES, engine.id(), least, Limits::default());
        for language in ["en", "de"] {
            for line in help.lines() {
                say(&mut host, 1, &format!("LANG {language}\n{line}\n"));
            }
            say(&mut host, 1, "FORMAT html\nRESEND\n");
        }
        say(&mut host, 1, "SECRETS\n");
        for sent in host.mails_to(1) {
            // Programs quote the text, some even its source; each breaks lines where it likes, so
            // any word may begin a line.
            for text in [&sent.text, &sent.raw] {
                let words: Vec<&str> = text.split_whitespace().collect();
                for at in 0..words.len() {
                    let line = words[at..words.len().min(at + 12)].join(" ");
                    if !line.to_lowercase().contains("password") {
                        continue;
                    }
                    forms += usize::from(line.contains("PASSWORD ..."));
                    let quote = mail(&player(1), ROBOT, &format!("M 1 3\n> {line}\n"));
                    let parsed = mail::mime::parse(quote.as_bytes()).expect("a mail");
                    assert_eq!(mail::shred::without_passwords(&parsed), None, "{line}");
                }
            }
        }
    }
    assert!(forms > 0, "the mails show how a password is written");
}

#[test]
fn g3_a_letter_takes_no_key_along_and_its_sender_hears_what_stayed_behind() {
    let (mut host, alias) = with_letters();
    let key = host.last_mail(2).reply_to;
    let letter = mail(&player(2), &alias, &format!("Write to {key}\n"));
    let head = letter.split("\r\n\r\n").next().expect("a header");
    let head = head.replace("text/plain; charset=utf-8", "multipart/mixed; boundary=b");
    let raw = format!(
        "{head}\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nWrite to {key}\r\n--b\r\n\
         Content-Type: image/png; name=map.png\r\n\r\nx\r\n--b--\r\n"
    );
    let row = host.receive(raw);
    assert_eq!(row.reason.as_str(), "relayed");
    let went = host.last_mail(1).text;
    assert!(!went.contains(&key) && went.contains("(a secret of yours)"), "{went}");
    let told = host.answers(&row).into_iter().find(|m| m.to == player(2)).expect("a receipt");
    let told = flat(&told.text);
    assert!(told.contains("It had a picture") && told.contains("in your name"), "{told}");
}
