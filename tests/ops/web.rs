//! The dashboard: its pages and its acts.

use std::time::Duration;

use base::clock::Clock;
use mail::SendResult;
use store::Status;

use crate::stage::Stage;
use support::host::*;

/// A stage with a card of seat 1 and a pending one in the name of seat 2.
pub fn played() -> Stage {
    let mut host = Host::new();
    host.receive(host.card(1, "C 1 1\n"));
    host.receive(mail(&player(2), ROBOT, "C 2 1\n"));
    host.was_read();
    Stage::of(host)
}

/// Game W7.
pub fn game(stage: &Stage) -> store::Game {
    stage.host.robot.game("W7").expect("the game")
}

#[test]
fn an_act_says_what_will_happen_and_happens_once() {
    let stage = played();
    let (page, filled) = stage.asked("act=run&game=w7");
    assert!(page.body.contains("Game W7 runs turn 1 now, 6 days 23 hours before its deadline"));
    assert!(page.body.contains("Cards are missing of seats 2, 3, 4."), "{}", page.body);
    assert_eq!(game(&stage).turn, 1, "a question runs nothing");
    let done = stage.post("/do", &filled);
    assert!(done.body.contains("; the printouts are on their way"), "{}", done.body);
    assert_eq!(game(&stage).turn, 2);
    let again = stage.post("/do", &filled);
    assert_eq!(again.status, 409, "a second click");
    assert!(again.body.contains("confirm anew"), "{}", again.body);
    assert_eq!(game(&stage).turn, 2);
    let (page, filled) = stage.asked("act=withdraw&game=W7");
    assert!(page.body.contains("Takes back turn 1 of game W7"), "{}", page.body);
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert_eq!((game(&stage).turn, game(&stage).status), (1, Status::Suspended));
    let (_, filled) = stage.asked("act=release&game=W7");
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert_eq!(game(&stage).status, Status::Running);
}

#[test]
fn a_confirmation_that_is_hours_old_is_asked_for_anew() {
    let stage = Stage::new();
    let (_, filled) = stage.asked("act=hold&game=W7&why=x");
    stage.host.pass(150);
    assert_eq!(stage.post("/do", &filled).status, 409);
    let (_, filled) = stage.asked("act=hold&game=W7&why=x");
    stage.host.pass(30);
    assert_eq!(stage.post("/do", &filled).status, 200);
}

#[test]
fn a_deadline_is_moved_in_the_zone_of_its_game() {
    let stage = Stage::new();
    let page = stage.get("/games/W7").body;
    assert!(page.contains("New deadline, in Europe/London"), "{page}");
    let (page, filled) = stage.asked("act=deadline&game=W7&at=2026-07-01T18%3A00");
    assert!(page.body.contains("to Wed 1 Jul 2026, 18:00 BST"), "{}", page.body);
    assert_eq!(stage.post("/do", &filled).status, 200);
    let at = game(&stage).deadline.expect("a deadline");
    assert_eq!(at.to_string(), "2026-07-01T17:00:00Z");
    for bad in ["2020-01-01T18:00", "tomorrow", ""] {
        let (page, _) = stage.asked(&format!("act=deadline&game=W7&at={bad}"));
        assert_eq!(page.status, 422, "{bad}: {}", page.body);
    }
    for form in ["act=release&game=W7", "act=withdraw&game=W7", "act=dance", "", "act=hold&game=X"]
    {
        let (page, filled) = stage.asked(form);
        assert!([404, 422].contains(&page.status), "{form}: {}", page.status);
        assert_eq!(filled, "", "nothing to confirm");
    }
}

#[test]
fn a_mail_in_quarantine_is_explained_and_let_through_or_discarded() {
    let stage = played();
    let list = stage.get("/quarantine").body;
    assert!(list.contains("href=\"/mail/2\"") && !list.contains("href=\"/mail/1\""), "{list}");
    let page = stage.get("/mail/2").body;
    assert!(page.contains("pending") && page.contains("C 2 1"), "{page}");
    assert!(page.contains(&player(2)), "the game master may know who wrote: {page}");
    assert!(page.contains("confirm: waiting"), "what was answered: {page}");
    let (page, filled) = stage.asked("act=release-mail&number=2");
    assert!(page.body.contains("as if the player of seat 2 of game W7 had said YES"));
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert_eq!(stage.host.on_file(2), "C 2 1\n");
    let (page, _) = stage.asked("act=drop-mail&number=2");
    assert_eq!(page.status, 422, "it is not in quarantine any more");
    let (page, _) = stage.asked("act=drop-mail&number=two");
    assert_eq!(page.status, 422);
}

#[test]
fn what_could_not_be_sent_is_shown_and_sent_again() {
    let mut host = Host::new();
    host.was_read();
    let now = host.clock.now();
    let rows = host.robot.store.write(|tx| tx.outbox().lease(now, 1)).expect("claimed");
    let never = SendResult::Never("550 <b>no</b> \u{1b}[31m such user".to_owned());
    host.robot.store.write(|tx| tx.outbox().sent([(&rows[0], &never)], now, 999)).expect("noted");
    let stage = Stage::of(host);
    let page = stage.get("/outbox").body;
    assert!(page.contains("550 &lt;b&gt;no&lt;/b&gt; \u{fffd}[31m such user"), "{page}");
    assert!(page.contains("On their way: 3") && page.contains("Not delivered: 1"), "{page}");
    let listed = page.matches("due now").count() + page.matches("is being drawn").count();
    assert_eq!(listed, 3, "{page}");
    let (_, filled) = stage.asked(&format!("act=resend&number={}", rows[0].id));
    let done = stage.post("/do", &filled).body;
    assert!(done.contains("One mail is in the outbox again."), "{done}");
    assert_eq!(stage.host.robot.store.outbox().outbox_counts().expect("a tally").waiting, 4);
}

#[test]
fn the_page_of_a_game_tells_what_its_master_needs() {
    let mut stage = played();
    stage.host.run_turn();
    stage.host.receive(stage.host.card(3, "READY\n"));
    let page = stage.get("/games/W7").body;
    let hash = stage.host.robot.store.journal().hash_of("W7", 1).expect("a store").expect("a turn");
    let open = game(&stage);
    let digest = open.chains[0].told.end.clone();
    let seed = base::chain::value_of(&open.chains, 2).map(|v| base::chain::hex(&v));
    let seed = seed.expect("a seed");
    let wanted = ["Empire 3", "ready", "Europe/London", "grace_minutes", &hash[..16], &digest];
    for word in wanted.into_iter().chain(["Suspend the game", "Run the turn now"]) {
        assert!(page.contains(word), "{word}: {page}");
    }
    assert!(!page.contains(&seed));
    for seat in 1..=4 {
        assert!(!page.contains(&player(seat)), "no address on this page");
        assert!(!page.contains(&stage.host.passwords[usize::from(seat) - 1]));
    }
    let map = stage.get("/games/W7/map?turn=1").body;
    assert!(map.contains("type=\"range\"") && map.contains("max=\"1\" value=\"1\""), "{map}");
    assert!(map.contains("/games/W7/map/1.svg"));
    let svg = stage.get("/games/W7/map/1.svg");
    assert_eq!(svg.headers["content-type"], "image/svg+xml");
    assert!(svg.body.starts_with("<svg"), "{}", &svg.body[..60]);
    assert!(stage.get("/games/W7/map?turn=99").body.contains("/map/1.svg"), "the last");
}

#[test]
fn health_says_which_part_fails() {
    let mut stage = Stage::new();
    let health = |stage: &Stage| {
        let answer = stage.get_as("/healthz", &[]);
        assert_eq!(answer.body.matches('\n').count(), 1, "one line");
        (answer.status, answer.body)
    };
    assert_eq!(health(&stage), (200, "{\"ok\":true,\"fails\":[]}\n".to_owned()));
    stage.host.pass(2);
    assert_eq!(health(&stage).0, 200, "two minutes and a look are allowed");
    stage.host.pass(1);
    assert!(health(&stage).1.contains("inbox main was last read 3 minutes ago"));
    stage.host.was_read();
    stage.host.pass(61);
    let (status, line) = health(&stage);
    assert_eq!(status, 503);
    assert!(line.contains("inbox main was last read 1 hour 1 minute ago"), "{line}");
    assert!(line.contains("a mail waits in the outbox for 1 hour 4 minutes"), "{line}");
    stage.host.was_read();
    stage.host.robot.store.write(|tx| tx.suspend("W7", "secret words")).expect("suspended");
    let (_, line) = health(&stage);
    assert!(line.contains("game W7 is suspended") && !line.contains("secret"), "{line}");
    // As the store keeps it: until when, how often, since when.
    let now = stage.host.clock.now().as_millisecond();
    let held = format!("{} 1 {}", now + 600_000, now - 300_000);
    stage.host.robot.store.write(|tx| tx.set_note("sending held", &held)).expect("held");
    let (_, line) = health(&stage);
    let said = "the outgoing server refuses all recipients, for 5 minutes: no mail leaves";
    assert!(line.contains(said), "{line}");
    assert!(!line.contains("inbox"), "{line}");
    stage.host.robot.store.write(|tx| tx.release("W7")).expect("goes on");
    let due = game(&stage).deadline.expect("a deadline");
    stage.host.clock.set(due + Duration::from_secs(3000));
    let (_, line) = health(&stage);
    assert!(line.contains("the turn of game W7 is 50 minutes late"), "{line}");
    assert!(stage.get("/").body.contains("50 minutes late"), "the dashboard says the same");
}

#[test]
fn a_store_that_does_not_answer_is_no_health() {
    let stage = Stage::new();
    stage
        .host
        .robot
        .store
        .connection()
        .execute_batch("ALTER TABLE game RENAME TO g")
        .expect("gone");
    let answer = stage.get_as("/healthz", &[]);
    assert_eq!(answer.status, 503);
    assert!(answer.body.contains("the store does not answer"), "{}", answer.body);
    assert_eq!(stage.get("/").status, 503);
}

/// A metric's line as name, labels and value.
fn metric(line: &str) -> (String, String, f64) {
    let (name, value) = line.rsplit_once(' ').expect("a name and a value");
    let value = value.parse().unwrap_or_else(|_| panic!("{line}"));
    let (name, labels) = name.split_once('{').unwrap_or((name, "}"));
    assert!(labels.ends_with('}'), "{line}");
    assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{line}");
    (name.to_owned(), labels.trim_end_matches('}').to_owned(), value)
}

#[test]
fn metrics_can_be_read_line_by_line_and_have_their_names() {
    let stage = played();
    stage.host.pass(30);
    let answer = stage.get_as("/metrics", &[]);
    assert!(answer.headers["content-type"].starts_with("application/openmetrics-text"));
    assert!(answer.body.ends_with("# EOF\n"), "{}", answer.body);
    let lines = answer.body.lines().filter(|l| !l.starts_with('#'));
    let all: Vec<(String, String, f64)> = lines.map(metric).collect();
    assert!(all.iter().all(|m| m.0.starts_with("fieldpost_")), "{all:?}");
    let value = |name: &str, labels: &str| {
        let found = all.iter().find(|m| m.0 == name && m.1 == labels);
        found.unwrap_or_else(|| panic!("{name}{{{labels}}} in {all:?}")).2
    };
    assert_eq!(value("fieldpost_games", "status=\"running\""), 1.0);
    assert_eq!(value("fieldpost_games", "status=\"suspended\""), 0.0);
    assert_eq!(value("fieldpost_seats", "who=\"player\""), 4.0);
    assert_eq!(value("fieldpost_cards_in", ""), 1.0);
    assert_eq!(value("fieldpost_cards_missing", ""), 3.0);
    assert_eq!(value("fieldpost_mails", "verdict=\"pending\""), 1.0);
    assert_eq!(value("fieldpost_quarantine", ""), 1.0);
    assert_eq!(value("fieldpost_outbox", "state=\"waiting\""), 6.0);
    assert_eq!(value("fieldpost_outbox", "state=\"failed\""), 0.0);
    assert_eq!(value("fieldpost_outbox_oldest_seconds", ""), 32.0 * 60.0);
    assert_eq!(value("fieldpost_inbox_read_age_seconds", "inbox=\"main\""), 1800.0);
    assert_eq!(value("fieldpost_deadline_late_seconds", ""), 0.0);
    assert_eq!(value("fieldpost_turns_run", ""), 0.0);
    assert_eq!(value("fieldpost_up_seconds", ""), 1800.0);
    assert!(value("fieldpost_disk_free_bytes", "") > 0.0);
    assert!(value("fieldpost_store_bytes", "") > 10_000.0);
    let next = value("fieldpost_next_deadline_seconds", "");
    assert!((6.0 * 86_400.0..7.0 * 86_400.0).contains(&next), "{next}");
    for name in ["start_time_seconds", "resident_memory_bytes"] {
        assert!(value(&format!("fieldpost_{name}"), "") > 0.0, "{name}");
    }
}

#[test]
fn older_mails_are_a_page_away() {
    let host = Host::new();
    let insert = "INSERT INTO mail (source, key, received_at, size, verdict, reason)
                  VALUES ('test', ?1, 0, 1, 'ignored', 'made-up')";
    for n in 0..150 {
        host.robot.store.connection().execute(insert, [n.to_string()]).expect("a mail");
    }
    let stage = Stage::of(host);
    let first = stage.get("/mail").body;
    assert!(first.contains("/mail/150\"") && first.contains("/mail/51\""));
    assert!(!first.contains("/mail/50\"") && first.contains("/mail?before=51"), "{first}");
    let rest = stage.get("/mail?before=51").body;
    assert!(rest.contains("/mail/50\"") && rest.contains("/mail/1\"") && !rest.contains("before="));
    assert_eq!(stage.get("/mail?before=x").status, 400);
}

#[test]
fn what_is_done_on_a_page_is_in_the_record_and_undone_there() {
    let stage = Stage::new();
    let (_, filled) = stage.asked("act=hold&game=W7&why=a+look");
    let done = stage.post("/do", &filled);
    assert!(done.body.contains("Game W7 is suspended: no turn runs."), "{}", done.body);
    let acts = stage.get("/acts").body;
    assert!(acts.contains("suspended: a look") && acts.contains("dashboard"), "{acts}");
    let (page, filled) = stage.asked("act=undo&number=1");
    assert!(page.body.contains("suspended: a look"), "what is undone is said: {}", page.body);
    let undone = stage.post("/do", &filled);
    assert!(undone.body.contains("goes on as if it had not been suspended"), "{}", undone.body);
    assert!(stage.get("/acts").body.contains("undone by act 2"));
    assert_eq!(game(&stage).status, Status::Running);
}

#[test]
fn every_command_of_the_game_master_can_be_given_on_the_dashboard() {
    let stage = Stage::new();
    let acts = stage.get("/acts").body;
    for row in robot::gm_commands::ROWS {
        assert!(acts.contains(&row.form.replace('&', "&amp;")), "{}", row.form);
    }
    let asked = stage.post("/confirm", "act=command&line=gm+status+W7");
    assert!(
        asked.body.contains("W7: running") && asked.body.contains("every=7 days"),
        "{}",
        asked.body
    );
    let (page, filled) = stage.asked("act=command&line=GM+SET+W7+quorum%3D3");
    assert!(page.body.contains("GM SET W7 quorum=3?"), "{}", page.body);
    assert_eq!(game(&stage).terms.quorum, 0, "a question sets nothing");
    let done = stage.post("/do", &filled);
    assert!(done.body.contains("quorum=3"), "{}", done.body);
    assert_eq!(game(&stage).terms.quorum, 3);
    assert_eq!(stage.post("/do", &filled).status, 409, "a second click");
    let letter = "act=command&line=TELL+W7+2+Good+evening%0D%0Aand+good+night";
    let (page, filled) = stage.asked(letter);
    assert!(page.body.contains("and good night"), "{}", page.body);
    assert_eq!(stage.post("/do", &filled).status, 200);
    let told = stage.host.last_mail(2).text;
    assert!(told.contains("| Good evening\n| and good night"), "{told}");
    for (line, why) in
        [("HOLDD+W7", "did you mean GM HOLD"), ("HOLD", "the form is GM HOLD W7 reason")]
    {
        let wrong = stage.post("/confirm", &format!("act=command&line={line}"));
        assert!(wrong.body.contains(why), "{line}: {}", wrong.body);
    }
    let (_, filled) = stage.asked("act=command&line=HOLD+W9+x");
    let refused = stage.post("/do", &filled);
    assert!(refused.body.contains("W9") && refused.status != 200, "{}", refused.body);
}

#[test]
fn a_seats_printout_is_shown_as_its_player_has_it_turn_by_turn() {
    let mut host = Host::new();
    host.run_turn();
    host.run_turn();
    host.was_read();
    let stage = Stage::of(host);
    let game = stage.get("/games/W7");
    assert!(game.body.contains("/games/W7/seats/1"), "{}", game.body);
    assert!(game.body.contains("/games/W7/chart/0.svg"), "{}", game.body);
    let page = stage.get("/games/W7/seats/1");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("Game W7, turn 3, seat 1"), "{}", page.body);
    assert!(page.body.contains("/games/W7/seats/1?turn=2"), "the turn before");
    let picture = stage.get("/games/W7/seats/1/3/0.svg");
    assert_eq!((picture.status, picture.body.starts_with("<svg")), (200, true));
    assert_eq!(stage.get("/games/W7/chart/0.svg").status, 200);
    for none in ["/games/W7/seats/9", "/games/W7/seats/1?turn=7", "/games/W7/seats/1/3/99.svg"] {
        assert_eq!(stage.get(none).status, 404, "{none}");
    }
    assert_eq!(stage.get_as("/games/W7/seats/1", &[]).status, 401, "the game master's alone");
}

#[test]
fn a_letter_to_players_is_confirmed_sent_once_and_can_be_undone() {
    let stage = Stage::new();
    let told = |stage: &Stage, seat: u8| {
        let mails = stage.host.mails_to(seat);
        mails.iter().filter(|m| m.text.contains("The dice are cast")).count()
    };
    let (page, filled) = stage.asked("act=tell&game=W7&number=2&text=The+dice+are+cast%0D%0Anow");
    assert!(page.body.contains("The dice are cast"), "{}", page.body);
    assert_eq!(told(&stage, 2), 0, "a question sends nothing");
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert_eq!((told(&stage, 1), told(&stage, 2)), (0, 1));
    assert_eq!(stage.post("/do", &filled).status, 409, "a second click");
    assert_eq!(told(&stage, 2), 1);
    let (_, filled) = stage.asked("act=tell&game=W7&text=The+dice+are+cast");
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert_eq!(told(&stage, 1), 1);
    let empty = stage.post("/confirm", "act=tell&game=W7&text=+");
    assert!(empty.body.contains("The letter is empty"), "{}", empty.body);
}

#[test]
fn a_game_is_made_by_form_given_seats_started_and_unmade() {
    let stage = Stage::new();
    let home = stage.get("/").body;
    assert!(home.contains("<a href=\"/new/warlord\">Warlord</a>, 2 to 200 seats"), "{home}");
    assert!(stage.get("/new/warlord").body.contains("Make a game"));
    assert_eq!(stage.get("/new/chess").status, 404);
    let form = "act=make&game=n1&engine=warlord&number=4&every=7+days&at=18%3A00&zone=UTC&yes=join";
    let (page, filled) = stage.asked(form);
    assert!(page.body.contains("Game N1 of Warlord is made with 4 seats"), "{}", page.body);
    assert!(page.body.contains("every 7 days at 18:00 (UTC)"), "{}", page.body);
    assert!(stage.host.robot.game("N1").is_err(), "a question makes nothing");
    assert_eq!(stage.post("/do", &filled).status, 200);
    let again = stage.post("/do", &filled).body;
    assert!(again.contains("there is a game N1 already"), "a second click: {again}");
    let made = stage.host.robot.game("N1").expect("the game");
    assert!((made.status, made.setup.seats, made.terms.join) == (Status::Open, 4, true));

    let act = stage.host.robot.store.acts(Some("N1"), 1).expect("acts")[0].id;
    let (_, filled) = stage.asked(&format!("act=undo&number={act}"));
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert!(stage.host.robot.game("N1").is_err(), "it is gone");

    let (_, filled) = stage.asked(form);
    assert_eq!(stage.post("/do", &filled).status, 200);
    let act = stage.host.robot.store.acts(Some("N1"), 1).expect("acts")[0].id;
    let (page, filled) = stage.asked("act=seat&game=N1&number=2&address=new%40example.org");
    assert!(page.body.contains("Seat 2 of game N1 goes to new@example.org"), "{}", page.body);
    assert_eq!(stage.post("/do", &filled).status, 200);
    let (_, filled) = stage.asked(&format!("act=undo&number={act}"));
    let kept = stage.post("/do", &filled);
    assert!(kept.status == 422 && kept.body.contains("has seats"), "{}", kept.body);

    let (page, filled) = stage.asked("act=start&game=N1");
    assert!(page.body.contains("Game N1 has 3 free seats"), "{}", page.body);
    assert_eq!(filled, "", "nothing to confirm");
    let (page, filled) = stage.asked("act=start&game=N1&yes=computers");
    assert!(page.body.contains("Computers take the 3 free seats."), "{}", page.body);
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert_eq!(stage.host.robot.game("N1").expect("the game").status, Status::Running);
    let mails = stage.host.mails_to_address("new@example.org");
    assert!(mails.iter().any(|m| m.subject.starts_with("[N1 T1 S2]")), "its printout");
}

#[test]
fn the_form_of_a_game_has_all_its_options_and_what_is_chosen_is_what_is_made() {
    let stage = Stage::new();
    for engine in registry::ENGINES.iter() {
        let form = stage.get(&format!("/new/{}", engine.id())).body;
        for row in engine.options() {
            assert!(form.contains(&format!("name=\"option.{}\"", row.name)), "{}", row.name);
        }
    }
    let form = "act=make&game=C1&engine=classic-warlord&number=3&every=7+days&zone=UTC\
                &option.draft=live&option.boards=5,+6&option.bombs=&option.army_cap=200";
    let (page, filled) = stage.asked(form);
    for told in ["draft = live", "boards = 5, 6", "army_cap = 200"] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    assert!(!page.body.contains("bombs"), "what is left as it is is not set: {}", page.body);
    let other = filled.replace("=live", "=list");
    assert_eq!(stage.post("/do", &other).status, 409, "not what was confirmed");
    assert_eq!(stage.post("/do", &filled).status, 200);
    let made = stage.host.robot.game("C1").expect("the game").setup.options;
    let options = [("army_cap", "200"), ("boards", "5, 6"), ("draft", "live")];
    assert_eq!(made, options.map(|(k, v)| (k.to_owned(), v.to_owned())).into());
}

#[test]
fn a_form_of_a_game_that_cant_be_says_what_to_write() {
    let stage = Stage::new();
    let form = |code: &str, number: &str, every: &str, zone: &str| {
        format!("act=make&game={code}&engine=warlord&number={number}&every={every}&zone={zone}")
    };
    for (form, why) in [
        (form("N1", "4", "often", "UTC"), "is no interval"),
        (form("N1", "4", "7+days", "Mars"), "is no time zone"),
        (form("N1", "four", "7+days", "UTC"), "no such number"),
        (form("N1", "4", "7+days", "UTC").replace("warlord", "chess"), "chess"),
        (form("N1", "500", "7+days", "UTC"), "takes 2 to 200 seats"),
        (
            form("N1", "4", "7+days", "UTC") + "&option.tech_start=11",
            "tech_start is a number from 1",
        ),
        (form("N1", "4", "7+days", "UTC") + "&option.map=any", "fieldpost options warlord"),
        (form("W7", "4", "7+days", "UTC"), "there is a game W7 already"),
        (form("N1%2F..", "4", "7+days", "UTC"), "is no game code"),
    ] {
        let (page, filled) = stage.asked(&form);
        assert!(page.status == 422 && page.body.contains(why), "{form}: {}", page.body);
        assert_eq!(filled, "", "nothing to confirm");
    }
    let many = form("N1", "4", "7+days", "UTC") + "&option.tech_start=11&option.map=any";
    let faults = stage.asked(&many).0.body.matches("<p>").count();
    assert_eq!(faults, 4, "each fault, where options are explained, and the way back");
    // The game's own clock ends its turns, so the form does not ask for a calendar.
    let clocked = stage.get("/new/imperium").body;
    assert!(!clocked.contains("A turn every") && clocked.contains("turn_hours"), "{clocked}");
    let form = "act=make&game=n2&engine=imperium&number=2&zone=UTC&option.turn_hours=36";
    let (page, _) = stage.asked(form);
    assert!(page.body.contains("turn_hours=36 (UTC)"), "{}", page.body);
}
