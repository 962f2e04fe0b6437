//! The live view: the screen, the keys, and that no text of others controls the terminal.
//!
//! `UPDATE_EXPECT=1` rewrites the screens in `watch/`; read the difference.

use std::process::Command;
use std::rc::Rc;
use std::time::Duration;

use base::clock::Clock;
use engine::Seat;
use fieldpost::config::Config;
use fieldpost::ops::overview::{GameView, MailSummary, Overview, SeatState, SeatView};
use fieldpost::ops::watch::draw::{draw, without_colours};
use fieldpost::ops::watch::look::{Look, Observer, serves};
use fieldpost::ops::watch::snapshot;
use fieldpost::ops::watch::text::{brief, columns, cut, plain, shown};
use fieldpost::ops::watch::view::{Page, Pane, View};
use jiff::{SignedDuration, Timestamp};
use mail::SendResult;
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::{Color, Modifier};
use registry::ENGINES;
use robot::limits::Limits;
use store::{Reason, SeatChange, Status, Store, Verdict};

use support::host::*;

/// The data of the view of a host.
fn look(host: &Host) -> Look {
    let inboxes = ["main".to_owned(), "junk".to_owned()];
    Look::of(&host.robot, &inboxes, Some(true), host.clock.now()).expect("the store answers")
}

/// The screen as text.
fn screen(view: &mut View, now: Timestamp, (width, height): (u16, u16)) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|f| draw(view, now, f.area(), f.buffer_mut())).expect("drawn");
    plain(terminal.backend().buffer())
}

/// The screen of a usual terminal.
fn usual(view: &mut View, now: Timestamp) -> String {
    screen(view, now, (80, 24))
}

fn press(view: &mut View, keys: &[KeyCode]) -> bool {
    keys.iter().all(|k| view.event(&Event::Key(KeyEvent::new(*k, KeyModifiers::NONE))))
}

fn letter(c: char) -> KeyCode {
    KeyCode::Char(c)
}

/// Changes what a view sees.
fn change(view: &mut View, change: impl FnOnce(&mut Overview)) {
    let mut host = (*view.look.host).clone();
    change(&mut host);
    view.see(Look { host: Rc::new(host), ..view.look.clone() });
}

/// Compares with a file.
fn as_expected(name: &str, text: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ops/watch").join(name);
    if std::env::vars().any(|(k, _)| k == "UPDATE_EXPECT") {
        std::fs::write(&path, text).expect("written");
    }
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(before == text, "{name} is other now; UPDATE_EXPECT=1 rewrites it:\n{text}");
}

/// Game W7 with cards of all kinds, a game that takes seats, one that is suspended.
fn busy_host() -> Host {
    let mut host = Host::new();
    host.robot
        .store
        .write(|tx| tx.set_note("read main", &host.clock.now().to_string()))
        .expect("a note");
    let mut new = a_game("battle-plan", 5);
    new.code = "EUROPE".into();
    host.robot.new_game(new).expect("a game");
    host.robot.add_computer("EUROPE", Seat(2)).expect("a free seat");
    let suspended = store::Game { code: "W8".into(), ..host.robot.game("W7").expect("W7") };
    host.robot.store.write(|tx| tx.add_game(&suspended, host.clock.now())).expect("a game");
    let sql = "UPDATE game SET status = 'running', turn = 14 WHERE code = 'W8';
               INSERT INTO step (game, number, label, awaited, clock, hours, opened_at, due_at)
               VALUES ('W8', 14, 'turn 14', '[]', 'calendar', NULL, 1780000000000,
               1780200000000)";
    host.robot.store.connection().execute_batch(sql).expect("it runs");
    host.robot
        .store
        .write(|tx| tx.suspend("W8", "the engine failed: no city 9 \u{1b}[31m"))
        .expect("suspended");
    host.receive(host.card(1, "C 1 1\n"));
    host.receive(host.card(3, "READY\n"));
    host.receive(mail("stranger@elsewhere.example", ROBOT, "hello\n"));
    host.receive(mail(&player(2), ROBOT, "GAME W7 SEAT 2\nC 2 1\n"));
    let now = host.clock.now();
    let away = SeatChange::Away(Some((now, now + Duration::from_secs(86_400))));
    host.robot.store.write(|tx| tx.change_seat("W7", Seat(4), &away)).expect("a seat");
    let rows = host.robot.store.write(|tx| tx.outbox().lease(now, 3)).expect("claimed");
    let never = "550 5.1.1 <p1@players.example>: no such user here, and it goes on to tell at \
                 length what could be done about it";
    let results = [
        SendResult::Never(never.to_owned()),
        SendResult::Later("451 try again".to_owned()),
        SendResult::Sent,
    ];
    for (row, result) in rows.iter().zip(&results) {
        host.robot.store.write(|tx| tx.outbox().sent([(row, result)], now, 999)).expect("noted");
    }
    host.pass(4);
    host
}

#[test]
fn a_usual_terminal_shows_games_verdicts_and_the_outbox() {
    let host = busy_host();
    let mut view = View::new(look(&host));
    as_expected("host.txt", &usual(&mut view, host.clock.now()));
    press(&mut view, &[KeyCode::Tab, KeyCode::Tab]);
    as_expected("outbox.txt", &usual(&mut view, host.clock.now()));
    press(&mut view, &[KeyCode::Tab]);
    as_expected("quarantine.txt", &usual(&mut view, host.clock.now()));
    press(&mut view, &[KeyCode::Tab, KeyCode::Down, KeyCode::Enter]);
    as_expected("seats.txt", &usual(&mut view, host.clock.now()));
}

#[test]
fn small_and_large_terminals_show_what_they_have_room_for() {
    let host = busy_host();
    let mut view = View::new(look(&host));
    as_expected("small.txt", &screen(&mut view, host.clock.now(), (60, 16)));
    as_expected("large.txt", &screen(&mut view, host.clock.now(), (160, 40)));
    as_expected("tall.txt", &screen(&mut view, host.clock.now(), (80, 50)));
}

#[test]
fn a_snapshot_is_plain_text_with_all_games_and_no_keys() {
    let host = busy_host();
    let mut view = View::new(look(&host));
    as_expected("once.txt", &snapshot(view.clone(), host.clock.now()));
    change(&mut view, |h| h.games = games_like(&h.games[0], 300));
    let text = snapshot(view, host.clock.now());
    assert!((1..=300).all(|n| text.contains(&format!("G{n:03} "))), "{text}");
    assert!(text.lines().all(|l| columns(l) <= 80) && text.contains("Verdicts"), "{text}");
}

#[test]
fn a_verdict_that_comes_is_marked_for_some_seconds_and_stands_last() {
    let mut host = Host::new();
    host.receive(host.card(1, "C 1 1\n"));
    let mut view = View::new(look(&host));
    assert!(!usual(&mut view, host.clock.now()).contains("new "));
    host.receive(host.card(2, "C 2 1\n"));
    view.see(look(&host));
    let now = host.clock.now();
    let marked = |view: &mut View, now| -> Vec<String> {
        let text = usual(view, now);
        text.lines().filter(|l| l.contains("new ")).map(str::to_owned).collect()
    };
    let lines = marked(&mut view, now);
    assert!(lines.len() == 1 && lines[0].ends_with("accepted    filed              W7 seat 2"));
    let verdicts: Vec<String> =
        usual(&mut view, now).lines().filter(|l| l.contains("filed")).map(str::to_owned).collect();
    assert_eq!(verdicts.last(), lines.first(), "newest last");
    assert_eq!(marked(&mut view, now + SignedDuration::from_secs(7)).len(), 1);
    assert_eq!(marked(&mut view, now + SignedDuration::from_secs(9)).len(), 0);
}

#[test]
fn a_mail_that_waited_is_new_when_its_verdict_comes() {
    let mut host = Host::new();
    host.receive(host.card(1, "C 1 1\n"));
    let now = host.clock.now();
    let mut view = View::new(look(&host));
    change(&mut view, |h| h.mails[0].verdict = None);
    let mut view = View::new(view.look);
    let text = usual(&mut view, now);
    assert!(text.contains("waiting     filed") && !text.contains("new "), "{text}");
    change(&mut view, |h| h.mails[0].verdict = Some(Verdict::Pending));
    assert!(usual(&mut view, now).contains("new "), "a verdict that comes is news");
}

#[test]
fn the_list_of_verdicts_follows_the_newest_until_an_older_one_is_chosen() {
    let host = Host::new();
    let mut view = View::new(look(&host));
    let mails = |from: i64, to: i64| (from..=to).rev().map(a_mail).collect::<Vec<_>>();
    change(&mut view, |h| h.mails = mails(1, 50));
    press(&mut view, &[KeyCode::Tab]);
    assert!(usual(&mut view, host.clock.now()).contains(" 50     accepted"));
    press(&mut view, &[KeyCode::Up, KeyCode::Up, KeyCode::Up]);
    change(&mut view, |h| h.mails = mails(11, 60));
    let text = usual(&mut view, host.clock.now());
    assert!(text.contains("13 newer below") && text.contains("fieldpost mail show 47"), "{text}");
    press(&mut view, &[KeyCode::End]);
    change(&mut view, |h| h.mails = mails(12, 61));
    assert!(usual(&mut view, host.clock.now()).contains("fieldpost mail show 61"));
    press(&mut view, &[KeyCode::PageUp, KeyCode::Tab]);
    assert!(!usual(&mut view, host.clock.now()).contains(" 61     accepted"), "the outbox");
    press(&mut view, &[KeyCode::BackTab]);
    assert!(usual(&mut view, host.clock.now()).contains("fieldpost mail show 61"));
}

#[test]
fn a_chosen_game_stays_chosen_when_another_becomes_more_urgent() {
    let host = busy_host();
    let mut view = View::new(look(&host));
    assert_eq!(view.game().expect("a game").code, "W8", "the suspended game comes first");
    press(&mut view, &[letter('j')]);
    assert_eq!(view.game().expect("a game").code, "W7");
    let mut again = host;
    again.robot.store.write(|tx| tx.suspend("W7", "for a test")).expect("a store");
    again.robot.store.write(|tx| tx.release("W8")).expect("a store");
    view.see(look(&again));
    assert_eq!(view.game().expect("a game").code, "W7");
    assert_eq!(view.games.at, 0);
    change(&mut view, |h| h.games.retain(|g| g.code != "W7"));
    assert_eq!(view.game().expect("a game").code, "W8", "it is gone");
}

#[test]
fn keys_lead_everywhere_and_back() {
    let host = busy_host();
    let mut view = View::new(look(&host));
    for pane in [Pane::Verdicts, Pane::Outbox, Pane::Quarantine, Pane::Games] {
        press(&mut view, &[KeyCode::Tab]);
        assert_eq!(view.pane, pane);
    }
    press(&mut view, &[letter('?')]);
    assert_eq!(view.page, Page::Help);
    assert!(usual(&mut view, host.clock.now()).contains("the seats of the chosen game"));
    assert!(press(&mut view, &[KeyCode::Esc]), "Esc leads back");
    press(&mut view, &[KeyCode::Enter]);
    assert_eq!(view.page, Page::Seats);
    press(&mut view, &[KeyCode::Right]);
    assert_eq!(view.game().expect("a game").code, "W7");
    press(&mut view, &[KeyCode::Esc, KeyCode::Tab, KeyCode::Home, KeyCode::Enter]);
    assert_eq!((view.page, view.game().expect("a game").code.as_str()), (Page::Seats, "W7"));
    assert!(!press(&mut view.clone(), &[letter('q')]));
    assert!(!press(&mut view.clone(), &[KeyCode::Esc, KeyCode::Esc]));
    let end = KeyEvent::new(letter('c'), KeyModifiers::CONTROL);
    assert!(!view.event(&Event::Key(end)));
}

#[test]
fn nobodys_text_steers_the_terminal_or_tells_an_address() {
    let mut host = busy_host();
    let hostile = [
        "\u{1b}[2J\u{1b}]0;title\u{7}\u{9b}31mRed",
        "\u{202e}gnorw eb ot\u{2066}\u{200f}",
        "Ma\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}x \u{200b}\u{200d}\u{feff}",
        "火星帝国の艦隊はとても長い名前を持っています、そしてまだ続きます👩\u{200d}🚀👩\u{200d}🚀",
    ];
    for (seat, name) in (1..).zip(hostile) {
        let name = SeatChange::Name(format!("{name} p{seat}@players.example"));
        host.robot.store.write(|tx| tx.change_seat("W7", Seat(seat), &name)).expect("a seat");
    }
    let mut view = View::new(look(&host));
    change(&mut view, |h| {
        h.mails[0].game = Some(hostile[0].to_owned());
        h.unsent[0].last_error = "no\r\nuser\u{85} \"p 1\"@players.example p1＠players".to_owned();
        h.games[0].suspended_why = format!("{} for <p3@players.example>", hostile[1]);
        h.games[1].code = "\u{1b}]52;c;x\u{7}".to_owned();
    });
    let mut seen = String::new();
    for keys in [&[][..], &[KeyCode::Enter], &[KeyCode::Right], &[KeyCode::Tab], &[KeyCode::Tab]] {
        press(&mut view, keys);
        seen += &usual(&mut view, host.clock.now());
    }
    press(&mut view, &[KeyCode::Tab, KeyCode::Tab, KeyCode::Tab]);
    seen += &screen(&mut view, host.clock.now(), (200, 60));
    assert!(seen.contains("(address)") && seen.contains("火星帝国"), "{seen}");
    let bad = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2066}\u{200d}".contains(c));
    assert!(!seen.contains(bad) && !seen.contains(['@', '＠']), "{seen}");
    assert!(seen.lines().all(|l| columns(l) <= 200));
}

#[test]
fn names_are_cut_by_the_columns_that_they_take() {
    assert_eq!(cut("Karelia", 7), "Karelia");
    assert_eq!(cut("Karelia", 6), "Karel…");
    assert_eq!(cut("火星帝国", 6), "火星…");
    assert_eq!(cut("火星帝国", 1), "…");
    assert_eq!(cut("x", 0), "");
    assert_eq!(shown("a\tb\u{1b}c \u{301}\u{301}\u{301}"), "a b?c \u{301}\u{301}");
    assert_eq!(
        shown("at 5 @ home, to <p1@x.example>;p2@y"),
        "at 5 @ home, to <(address)>;(address)"
    );
    let told = [5, 65, 3_700, 90_000 + 7 * 86_400].map(|s| brief(SignedDuration::from_secs(s)));
    assert_eq!(told, ["5s", "1m 5s", "1h 1m", "8d 1h"]);
    assert_eq!(brief(SignedDuration::from_secs(-5)), "0s");
}

#[test]
fn a_thousand_games_are_gone_through_by_keys() {
    let host = busy_host();
    let mut view = View::new(look(&host));
    change(&mut view, |h| h.games = games_like(&h.games[1], 1000));
    assert_eq!(view.games.len, 1000);
    usual(&mut view, host.clock.now());
    press(&mut view, &[KeyCode::End]);
    assert!(usual(&mut view, host.clock.now()).contains("> G1000 "));
    press(&mut view, &[KeyCode::PageUp]);
    let text = usual(&mut view, host.clock.now());
    assert!(text.contains("> G994 ") && text.contains("  G1000 "), "{text}");
    press(&mut view, &[KeyCode::Home, KeyCode::PageDown, letter('j')]);
    assert!(usual(&mut view, host.clock.now()).contains("> G008 "));
    let tall = screen(&mut view, host.clock.now(), (80, 60));
    assert!(tall.contains("> G008 ") && tall.contains("  G032 "), "{tall}");
}

#[test]
fn all_of_a_hundred_seats_are_seen_by_scrolling() {
    let host = busy_host();
    let mut view = View::new(look(&host));
    change(&mut view, |h| h.games[1].seats = (1..=100).map(a_seat).collect());
    press(&mut view, &[KeyCode::Down, KeyCode::Enter]);
    let mut seen = String::new();
    for page in 0..4 {
        let text = usual(&mut view, host.clock.now());
        assert!(text.contains("of 50; PgUp and PgDn"), "page {page}: {text}");
        seen += &text.replace('\n', " \n");
        press(&mut view, &[KeyCode::PageDown]);
    }
    for n in 1..100 {
        assert!(seen.contains(&format!("{n:>3} ! missing  Empire {n} ")), "seat {n}:\n{seen}");
    }
    assert!(seen.contains("missed 100, unreach…"), "{seen}");
    let wide = screen(&mut view, host.clock.now(), (200, 30));
    assert!(wide.contains("  1 ! ") && wide.contains("100 ! "), "five abreast: {wide}");
}

#[test]
fn a_store_that_does_not_answer_leaves_the_last_state_with_its_age() {
    let host = busy_host();
    let mut view = View::new(look(&host));
    let then = host.clock.now();
    view.mark_stale("the store is busy".to_owned());
    let text = usual(&mut view, then + SignedDuration::from_secs(74));
    assert!(text.contains("NOT READ ANEW for 1m 14s: the store is busy"), "{text}");
    assert!(text.contains("> W8") && text.contains("accepted"), "{text}");
    view.see(look(&host));
    assert!(!usual(&mut view, then).contains("NOT READ ANEW"));
}

#[test]
fn inboxes_that_are_silent_and_turns_that_are_late_are_loud() {
    let host = Host::new();
    host.clock.set(host.clock.now() + SignedDuration::from_hours(24 * 7 + 3));
    let mut view = View::new(Look { serves: Some(false), ..look(&host) });
    let text = usual(&mut view, host.clock.now());
    assert!(text.contains("NO ROBOT SERVES") && text.contains("main NEVER READ"), "{text}");
    assert!(text.contains("! TURN LATE: W7 by 3h 0m") && text.contains("late 3h"), "{text}");
    change(&mut view, |h| {
        let last_read = host.clock.now() - SignedDuration::from_mins(7);
        h.inboxes = vec![fieldpost::ops::overview::InboxView { name: "main".into(), last_read }];
        h.games[0].our_rules = None;
    });
    let text = usual(&mut view, host.clock.now());
    assert!(text.contains("main NOT READ for 7m 0s"), "{text}");
    assert!(text.contains("OTHER RULES than this program's: W7"), "{text}");
}

#[test]
fn without_colours_what_is_loud_is_still_reversed() {
    let host = Host::new();
    let mut view = View::new(Look { serves: Some(false), ..look(&host) });
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).expect("a terminal");
    let drawn = terminal.draw(|f| {
        draw(&mut view, host.clock.now(), f.area(), f.buffer_mut());
        without_colours(f.buffer_mut());
    });
    let cells = drawn.expect("drawn").buffer.content.clone();
    assert!(cells.iter().all(|c| (c.fg, c.bg) == (Color::Reset, Color::Reset)));
    let loud = cells.iter().filter(|c| c.modifier.contains(Modifier::REVERSED));
    let loud: String = loud.map(|c| c.symbol()).collect();
    assert!(loud.starts_with("NO ROBOT SERVES") && loud.contains("NEVER READ"), "{loud}");
}

#[test]
fn a_host_without_games_or_mails_says_so() {
    let host = Host::empty(&ENGINES, Limits::default());
    let mut view = View::new(look(&host));
    let text = usual(&mut view, host.clock.now());
    assert!(text.contains("no game yet") && text.contains("No mail has come yet"), "{text}");
    let everything = [KeyCode::Enter, KeyCode::Down, KeyCode::Tab, KeyCode::Enter, KeyCode::End];
    assert!(press(&mut view, &everything));
    assert_eq!(view.page, Page::Host, "there is no game to enter");
}

/// A config whose store is in a folder.
fn config(data: &std::path::Path) -> Config {
    let text = format!(
        "[robot]\naddress = \"{ROBOT}\"\ngm = \"gm@fieldpost.example\"\ndata = {data:?}\n\
         [inbox.main]\nkind = \"maildir\"\npath = {data:?}\n[outlet]\nkind = \"maildir\"\n\
         path = {data:?}\n"
    );
    Config::parse(&text).expect("a config")
}

#[test]
fn the_observer_reads_and_never_writes_and_finds_a_store_that_was_put_in_place() {
    let mut host = Host::new();
    let (config, now) = (config(host.dir.path()), host.clock.now());
    let mut observer = Observer::open(&config).expect("a store");
    let count = |look: &Look| look.host.mails.len();
    assert_eq!(count(&observer.look(now).expect("seen")), 0);
    host.receive(host.card(1, "C 1 1\n"));
    let seen = observer.look(now).expect("seen");
    assert_eq!((count(&seen), seen.inboxes.as_slice()), (1, &["main".to_owned()][..]));
    let again = observer.look(now).expect("seen");
    assert!(Rc::ptr_eq(&seen.host, &again.host), "nothing was written, nothing is read");
    let copy = tempfile::tempdir().expect("a folder");
    Store::open(copy.path(), &base::clock::SystemEntropy).expect("another store");
    let file = host.dir.path().join("fieldpost.sqlite");
    std::fs::rename(&file, copy.path().join("old")).expect("moved");
    let gone = observer.look(now).expect_err("nothing is there").to_string();
    assert!(gone.contains("there is no store at"), "{gone}");
    assert!(!file.exists(), "none is made");
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(host.dir.path().join(format!("fieldpost.sqlite{end}")));
    }
    std::fs::rename(copy.path().join("fieldpost.sqlite"), &file).expect("moved");
    assert!(observer.look(now).expect("seen").host.games.is_empty(), "the other store");
}

#[test]
fn a_robot_that_serves_is_known_by_its_lock() {
    let dir = tempfile::tempdir().expect("a folder");
    assert_eq!(serves(dir.path()), Some(false));
    let lock = std::fs::File::create(dir.path().join("serve.lock")).expect("a file");
    assert_eq!(serves(dir.path()), Some(false));
    lock.try_lock().expect("nobody has it");
    assert_eq!(serves(dir.path()), Some(true));
    lock.unlock().expect("it was locked");
    assert_eq!(serves(dir.path()), Some(false));
    lock.try_lock().expect("who asks gives it back");
}

#[test]
fn the_command_needs_a_terminal_or_prints_once_and_makes_no_store() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "[robot]\naddress = \"r@x.example\"\ngm = \"g@x.example\"\ndata = \"data\"\n\
                [inbox.main]\nkind = \"maildir\"\npath = \"inbox\"\n\
                [outlet]\nkind = \"maildir\"\npath = \"players\"\n";
    std::fs::write(dir.path().join("robot.toml"), text).expect("written");
    let run = |args: &[&str]| {
        let program = env!("CARGO_BIN_EXE_fieldpost");
        let stdin = std::process::Stdio::null();
        let done = Command::new(program).current_dir(dir.path()).args(args).stdin(stdin).output();
        let done = done.expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (done.status.success(), text(&done.stdout), text(&done.stderr))
    };
    let (ok, out, error) = run(&["watch"]);
    assert!(!ok && out.is_empty() && error.contains("fieldpost watch --once"), "{out}{error}");
    let (ok, _, error) = run(&["watch", "--once"]);
    assert!(!ok && error.contains("there is no store at data/fieldpost.sqlite"), "{error}");
    assert!(!dir.path().join("data").exists(), "a view makes nothing");
    assert!(run(&["game", "new", "W7", "--seats", "2", "--zone", "Europe/London"]).0);
    let (ok, out, error) = run(&["watch", "--once"]);
    assert!(ok && out.contains("W7") && out.contains("2 free"), "{out}{error}");
    assert!(out.contains("NO ROBOT SERVES") && !out.contains('\u{1b}'), "{out}");
}

fn a_mail(id: i64) -> MailSummary {
    MailSummary {
        id,
        at: Timestamp::from_second(1_780_000_000 + id).expect("a time"),
        verdict: Some(Verdict::Accepted),
        reason: Reason::Filed,
        game: Some("W7".into()),
        seat: Some(1),
    }
}

fn a_seat(number: u8) -> SeatView {
    SeatView {
        seat: Seat(number),
        name: format!("Empire {number}"),
        state: SeatState::Missing,
        card: false,
        awaited: true,
        ready: false,
        away: false,
        missed: if number == 100 { 100 } else { 0 },
        unreachable: number == 100,
    }
}

/// `count` games like this one.
fn games_like(game: &GameView, count: usize) -> Vec<GameView> {
    (1..=count).map(|n| GameView { code: format!("G{n:03}"), ..game.clone() }).collect()
}

/// A host at which everything is too long.
fn crowded() -> Look {
    let host = busy_host();
    let mut look = look(&host);
    let mut seen = (*look.host).clone();
    seen.games.extend(games_like(&seen.games[1], 30));
    seen.games[2].seats = (1..=255).map(a_seat).collect();
    seen.games[1].status = Status::Over;
    seen.games[0].suspended_why = "because it is so, ".repeat(100);
    seen.mails = (1..=50).rev().map(a_mail).collect();
    seen.unsent = (0..20).map(|_| seen.unsent[0].clone()).collect();
    seen.unsent[3].last_error = "x".repeat(10_000);
    look.inboxes = (0..20).map(|n| format!("inbox {n} 火")).collect();
    look.host = Rc::new(seen);
    look
}

fn any_key() -> impl Strategy<Value = KeyCode> {
    use KeyCode::*;
    let keys = [Tab, BackTab, Enter, Up, Down, Left, Right, PageUp, PageDown, Home, End, Backspace];
    let letters = "?jkhlgG ".chars().map(Char);
    prop::sample::select(keys.into_iter().chain(letters).collect::<Vec<_>>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn no_size_and_no_key_makes_it_panic_or_draw_too_much(
        steps in prop::collection::vec((1u16..200, 1u16..60, any_key(), 0..10), 1..20),
    ) {
        thread_local!(static LOOK: Look = crowded());
        let look = LOOK.with(Look::clone);
        let mut view = View::new(look.clone());
        for (width, height, key, other) in steps {
            press(&mut view, &[key]);
            match other {
                0 => change(&mut view, |h| { h.games.clear(); h.mails.clear(); h.unsent.clear(); }),
                1 => view.mark_stale("busy ".repeat(100)),
                2 => view.see(look.clone()),
                _ => {}
            }
            let text = screen(&mut view, look.at, (width, height));
            prop_assert!(text.lines().all(|l| columns(l) <= usize::from(width)), "{}", text);
        }
    }
}
