//! The dashboard: who may see it, what it shows, what it does, what it withstands.

use std::time::Duration;

use fieldpost::clock::Clock;
use fieldpost::config::Config;
use fieldpost::engine::Seat;
use fieldpost::mail::SendResult;
use fieldpost::ops::web;
use fieldpost::store::{SeatChange, Status};

use crate::host::*;
use crate::stage::{Answer, Stage, confirmed, exchange, request};

/// Every page of the dashboard, of a host with game W7 and mail 1.
const PAGES: [&str; 12] = [
    "/",
    "/games/W7",
    "/games/W7/map",
    "/games/W7/map/0.svg",
    "/mail",
    "/mail/1",
    "/quarantine",
    "/outbox",
    "/acts",
    "/style.css",
    "/app.js",
    "/icon.svg",
];

/// What no browser needs to be told twice.
fn assert_sealed(answer: &Answer, path: &str) {
    let header = |name: &str| answer.headers.get(name).map_or("", String::as_str);
    let policy = header("content-security-policy");
    assert!(policy.starts_with("default-src 'none';"), "{path}: {policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{path}: {policy}");
    assert_eq!(header("cache-control"), "no-store", "{path}");
    assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
    assert_eq!(header("x-frame-options"), "DENY", "{path}");
}

/// A stage with a card of seat 1 and a held one in the name of seat 2.
fn played() -> Stage {
    let mut host = Host::new();
    host.receive(host.card(1, "C 1 1\n"));
    host.receive(mail(&player(2), ROBOT, "C 2 1\n"));
    host.was_read();
    Stage::of(host)
}

fn game(stage: &Stage) -> fieldpost::store::Game {
    stage.host.robot.game("W7").expect("the game")
}

#[test]
fn nothing_is_shown_without_the_token_and_everything_with_it() {
    let stage = played();
    for path in PAGES.into_iter().chain(["/nothing", "/mail/99", "/games/X"]) {
        for headers in [&[][..], &[("Cookie", "fieldpost=guess; other=1")][..]] {
            let answer = stage.get_as(path, headers);
            assert_eq!(answer.status, 401, "{path}");
            assert!(answer.body.contains("fieldpost dashboard"), "{path}: {}", answer.body);
            assert_sealed(&answer, path);
        }
        let posted = request(stage.at, "POST", path, &[], "act=hold&game=W7");
        assert_eq!(posted.status, 401, "{path}");
    }
    for path in ["/confirm", "/do"] {
        assert_eq!(request(stage.at, "POST", path, &[], "act=hold&game=W7").status, 401);
    }
    let cookie = stage.cookie();
    for path in PAGES {
        let answer = stage.get_as(path, &[("Cookie", &format!("a=b; {cookie}"))]);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        assert_sealed(&answer, path);
    }
    for path in ["/nothing", "/mail/99", "/games/X", "/games/W7/map/7.svg", "/games/W7/map/x"] {
        let answer = stage.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert_sealed(&answer, path);
    }
}

#[test]
fn the_token_is_traded_for_a_cookie_and_does_not_stay_in_the_address() {
    let stage = Stage::new();
    let token = stage.address.split_once("token=").expect("a token").1.to_owned();
    let answer = stage.get_as(&format!("/games/W7?token={token}"), &[]);
    assert_eq!(answer.status, 303);
    assert_eq!(answer.headers["location"], "/games/W7");
    let cookie = &answer.headers["set-cookie"];
    for word in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(word), "{cookie}");
    }
    assert!(!cookie.contains(&token), "the cookie is no token: {cookie}");
    let elsewhere = stage.get_as(&format!("//evil.example/x?token={token}"), &[]);
    assert_eq!(elsewhere.headers["location"], "/evil.example/x");
    let wrong = stage.get_as(&format!("/?token={}", "a".repeat(token.len())), &[]);
    assert_eq!(wrong.status, 401);
    assert!(!wrong.headers.contains_key("set-cookie"));
    assert!(wrong.body.contains("fieldpost dashboard"), "{}", wrong.body);
    let posted = request(stage.at, "POST", &format!("/confirm?token={token}"), &[], "act=hold");
    assert_eq!(posted.status, 401, "a token is for the address bar alone");
}

#[test]
fn a_page_elsewhere_whose_name_leads_here_gets_nothing() {
    let stage = Stage::new();
    let cookie = stage.cookie();
    for host in ["evil.example", "evil.example:8025", "127.0.0.1.evil.example", ""] {
        for path in PAGES.into_iter().chain(["/healthz", "/metrics"]) {
            let answer = stage.get_as(path, &[("Host", host), ("Cookie", &cookie)]);
            assert!([400, 403].contains(&answer.status), "{host:?} {path}: {}", answer.status);
            assert!(!answer.body.contains("W7"));
        }
    }
    let by_name = stage.get_as("/", &[("Host", "localhost:8025"), ("Cookie", &cookie)]);
    assert_eq!(by_name.status, 200, "a tunnel has a port of its own");
    let none = exchange(
        stage.at,
        &format!("GET / HTTP/1.1\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n"),
    );
    assert!([400, 403].contains(&none.status), "{}", none.status);
}

#[test]
fn a_form_of_a_page_elsewhere_does_nothing() {
    let stage = Stage::new();
    let (page, filled) = stage.asked("act=hold&game=W7&why=x");
    assert_eq!(page.status, 200, "{}", page.body);
    let cookie = stage.cookie();
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1"] {
        let headers = [("Cookie", cookie.as_str()), ("Origin", origin)];
        assert_eq!(request(stage.at, "POST", "/do", &headers, &filled).status, 403, "{origin}");
    }
    let headers = [("Cookie", cookie.as_str()), ("Sec-Fetch-Site", "same-site")];
    assert_eq!(request(stage.at, "POST", "/do", &headers, &filled).status, 403);
    assert_eq!(stage.post("/do", "act=hold&game=W7&why=x").status, 409, "no token");
    assert_eq!(stage.post("/do", "act=hold&game=W7&why=x&token=aaaaaaaaaaaaa").status, 409);
    let other = filled.replace("why=x", "why=y");
    assert_ne!(other, filled);
    assert_eq!(stage.post("/do", &other).status, 409, "the token is of another act");
    assert_eq!(stage.post("/do", &filled.replace("act=hold", "act=run")).status, 409);
    assert_eq!(game(&stage).status, Status::Running, "nothing was done");
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert_eq!(game(&stage).status, Status::Held);
}

#[test]
fn an_act_says_what_will_happen_and_happens_once() {
    let stage = played();
    let (page, filled) = stage.asked("act=run&game=w7");
    assert!(page.body.contains("Turn 1 of game W7 runs now, 6 days 23 hours before its deadline"));
    assert!(page.body.contains("Cards are missing of seats 2, 3, 4."), "{}", page.body);
    assert_eq!(game(&stage).turn, 1, "a question runs nothing");
    let done = stage.post("/do", &filled);
    assert!(done.body.contains("The turn has run."), "{}", done.body);
    assert_eq!(game(&stage).turn, 2);
    let again = stage.post("/do", &filled);
    assert_eq!(again.status, 409, "a second click");
    assert!(again.body.contains("confirm anew"), "{}", again.body);
    assert_eq!(game(&stage).turn, 2);
    let (page, filled) = stage.asked("act=withdraw&game=W7");
    assert!(page.body.contains("Turn 1 of game W7 is taken back"), "{}", page.body);
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert_eq!((game(&stage).turn, game(&stage).status), (1, Status::Held));
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
fn a_mail_that_was_set_aside_is_explained_and_let_through_or_dropped() {
    let stage = played();
    let list = stage.get("/quarantine").body;
    assert!(list.contains("href=\"/mail/2\"") && !list.contains("href=\"/mail/1\""), "{list}");
    let page = stage.get("/mail/2").body;
    assert!(page.contains("held") && page.contains("C 2 1"), "{page}");
    assert!(page.contains(&player(2)), "the game master may know who wrote: {page}");
    assert!(page.contains("confirm: waiting"), "what was answered: {page}");
    let (page, filled) = stage.asked("act=release-mail&number=2");
    assert!(page.body.contains("as if the player of seat 2 of game W7 had said YES"));
    assert_eq!(stage.post("/do", &filled).status, 200);
    assert_eq!(stage.host.on_file(2), "C 2 1\n");
    let (page, _) = stage.asked("act=drop-mail&number=2");
    assert_eq!(page.status, 422, "it is not set aside any more");
    let (page, _) = stage.asked("act=drop-mail&number=two");
    assert_eq!(page.status, 422);
}

#[test]
fn what_could_not_be_sent_is_shown_and_sent_again() {
    let mut host = Host::new();
    host.was_read();
    let now = host.clock.now();
    let rows = host.robot.store.claim(now, 1).expect("claimed");
    let never = SendResult::Never("550 <b>no</b> \u{1b}[31m such user".to_owned());
    host.robot.store.sent(&rows[0], &never, now, 999).expect("noted");
    let stage = Stage::of(host);
    let page = stage.get("/outbox").body;
    assert!(page.contains("550 &lt;b&gt;no&lt;/b&gt; \u{fffd}[31m such user"), "{page}");
    assert!(page.contains("On their way: 3") && page.contains("Not delivered: 1"), "{page}");
    let (_, filled) = stage.asked(&format!("act=resend&number={}", rows[0].id));
    let done = stage.post("/do", &filled).body;
    assert!(done.contains("1 mails wait again."), "{done}");
    assert_eq!(stage.host.robot.store.tally().expect("a tally").waiting, 4);
}

#[test]
fn nothing_that_others_wrote_is_markup() {
    let mut host = Host::new();
    let hostile = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";
    let name = SeatChange::Name(hostile.to_owned());
    host.robot.store.change_seat("W7", Seat(1), &name).expect("a seat");
    let from = "\"<script>alert(3)</script>\"@players.example";
    host.receive(mail(&player(1), ROBOT, &format!("{hostile}\n\u{1b}[2J\u{202e}turned\n")));
    host.receive(mail(from, ROBOT, hostile));
    host.receive(
        b"From: p1@players.example\r\nSubject: <script>alert(4)</script>\r\n\r\nC 1 1\r\n",
    );
    host.robot.store.hold("W7", hostile).expect("held");
    host.robot
        .store
        .set_note("read <script>alert(5)</script>", "2026-05-28T00:00:00Z")
        .expect("ok");
    let stage = Stage::of(host);
    let (asked, _) = stage.asked("act=release&game=W7");
    let pages = ["/", "/games/W7", "/mail", "/mail/1", "/mail/2", "/mail/3", "/quarantine"];
    let mut shown = pages.map(|p| stage.get(p).body).to_vec();
    shown.push(asked.body);
    for page in &shown {
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x"), "{page}");
        assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'), "{page}");
        assert_eq!(page.matches("<script").count(), 1, "our own: {page}");
    }
    assert!(shown[1].contains("&lt;script&gt;alert(1)"), "the name is there as text");
    assert!(shown[5].contains("&lt;script&gt;alert(4)"), "so is the subject: {}", shown[5]);
    let (page, filled) = stage.asked("act=hold&game=%3Cscript%3Ealert(9)%3C%2Fscript%3E");
    assert_eq!((page.status, filled.as_str()), (404, ""));
    assert!(!page.body.contains("alert(9)"), "{}", page.body);
    assert_eq!(confirmed("<p>no form</p>"), "");
}

#[test]
fn the_page_of_a_game_tells_what_its_master_needs() {
    let mut stage = played();
    stage.host.run_turn();
    stage.host.receive(stage.host.card(3, "READY\n"));
    let page = stage.get("/games/W7").body;
    let hash = stage.host.robot.store.hash_of("W7", 1).expect("a store").expect("a turn");
    let open = game(&stage);
    let seed = open.seed;
    let digest = fieldpost::secrets::seed_digest("W7", 2, seed);
    let wanted = ["Empire 3", "ready", "Europe/London", "grace_minutes", &hash[..16], &digest];
    for word in wanted.into_iter().chain(["Hold the game", "Run the turn now"]) {
        assert!(page.contains(word), "{word}: {page}");
    }
    assert!(!page.contains(&format!("{seed:x}")) && !page.contains(&seed.to_string()));
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
    stage.host.pass(61);
    let (status, line) = health(&stage);
    assert_eq!(status, 503);
    assert!(line.contains("inbox main was last read 1 hour 1 minute ago"), "{line}");
    assert!(line.contains("a mail waits in the outbox for 1 hour 1 minute"), "{line}");
    stage.host.was_read();
    stage.host.robot.store.hold("W7", "secret words").expect("held");
    let (_, line) = health(&stage);
    assert!(line.contains("game W7 is held") && !line.contains("secret"), "{line}");
    assert!(!line.contains("inbox"), "{line}");
    stage.host.robot.store.release("W7").expect("goes on");
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
    assert_eq!(value("fieldpost_games", "status=\"held\""), 0.0);
    assert_eq!(value("fieldpost_seats", "who=\"player\""), 4.0);
    assert_eq!(value("fieldpost_cards_in", ""), 1.0);
    assert_eq!(value("fieldpost_cards_missing", ""), 3.0);
    assert_eq!(value("fieldpost_mails", "verdict=\"held\""), 1.0);
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
fn a_storm_of_requests_leaves_the_robot_its_store_and_the_others_an_answer() {
    let mut stage = Stage::new();
    let (at, cookie) = (stage.at, stage.cookie());
    let storm: Vec<_> = (0..300)
        .map(|i| {
            let cookie = cookie.clone();
            std::thread::spawn(move || {
                let path = ["/", "/games/W7", "/games/W7/map/0.svg", "/metrics"][i % 4];
                request(at, "GET", path, &[("Cookie", &cookie)], "").status
            })
        })
        .collect();
    let row = stage.host.receive(stage.host.card(1, "C 1 1\n"));
    assert_eq!(row.reason, "filed", "the robot goes on meanwhile");
    let answers: Vec<u16> = storm.into_iter().map(|t| t.join().expect("an answer")).collect();
    assert!(answers.iter().all(|s| [200, 503].contains(s)), "{answers:?}");
    assert!(answers.contains(&200));
    assert_eq!(stage.get("/").status, 200, "and then all is as before");
}

#[test]
fn a_body_that_is_too_long_and_a_request_that_is_none_are_refused() {
    let stage = Stage::new();
    let long = format!("act=hold&game=W7&why={}", "x".repeat(100_000));
    assert_eq!(stage.post("/confirm", &long).status, 413);
    assert_eq!(exchange(stage.at, "HELO there\r\n\r\n").status, 400);
    assert_eq!(stage.get("/").status, 200);
}

#[test]
fn a_port_that_is_taken_is_told_when_the_server_is_bound() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = taken.local_addr().expect("an address");
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().display();
    let text = format!(
        "[robot]\naddress = \"r@example.org\"\ngm = \"g@example.org\"\ndata = \"{path}\"\n\
         [inbox.main]\nkind = \"maildir\"\npath = \"{path}/in\"\n\
         [outlet]\nkind = \"maildir\"\npath = \"{path}/out\"\n"
    );
    let config = Config::parse(&format!("{text}[web]\ndashboard = \"{at}\"\n")).expect("a config");
    let error = web::Server::bind(&config).err().expect("the port is taken").to_string();
    assert!(error.contains("web.dashboard") && error.contains("another one"), "{error}");
    let mut out = Vec::new();
    web::address(&config, &mut out).expect("an address");
    let line = String::from_utf8(out).expect("text");
    assert!(line.starts_with(&format!("http://{at}/?token=")), "{line}");
    let none = Config::parse(&text).expect("a config");
    let error = web::address(&none, &mut Vec::new()).expect_err("no dashboard").to_string();
    assert!(error.contains("[web]"), "{error}");
    assert!(web::spawn(&none, std::future::pending()).expect("nothing to do").is_none());
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
fn a_config_is_served_on_a_thread_until_it_is_stopped() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let at = free.local_addr().expect("an address");
    drop(free);
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().display();
    let text = format!(
        "[robot]\naddress = \"r@example.org\"\ngm = \"g@example.org\"\ndata = \"{path}\"\n\
         [inbox.main]\nkind = \"maildir\"\npath = \"{path}/in\"\n\
         [outlet]\nkind = \"maildir\"\npath = \"{path}/out\"\n[web]\ndashboard = \"{at}\"\n"
    );
    let config = Config::parse(&text).expect("a config");
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let until = async {
        let _ = stopped.await;
    };
    let thread = web::spawn(&config, until).expect("it starts").expect("a thread");
    let health = request(at, "GET", "/healthz", &[], "");
    assert_eq!(health.status, 503);
    assert!(health.body.contains("inbox main was never read"), "{}", health.body);
    let mut out = Vec::new();
    web::address(&config, &mut out).expect("an address");
    let line = String::from_utf8(out).expect("text");
    let path = line.trim().split_once(&at.to_string()).expect("an address").1.to_owned();
    assert_eq!(request(at, "GET", &path, &[], "").status, 303, "the printed token opens it");
    stop.send(()).expect("it listens");
    thread.join().expect("it ends in peace");
    assert!(std::net::TcpStream::connect(at).is_err(), "the port is free again");
}
