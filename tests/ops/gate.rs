//! Access to the dashboard, and attacks on it.

use engine::Seat;
use fieldpost::config::Config;
use fieldpost::ops::web;
use store::{SeatChange, Status};

use crate::stage::{Answer, Stage, confirmed, exchange, request};
use crate::web::{game, played};
use support::host::*;

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

/// Checks the headers that protect a page.
fn assert_sealed(answer: &Answer, path: &str) {
    let header = |name: &str| answer.headers.get(name).map_or("", String::as_str);
    let policy = header("content-security-policy");
    assert!(policy.starts_with("default-src 'none';"), "{path}: {policy}");
    assert!(!policy.contains("unsafe") && !policy.contains('*'), "{path}: {policy}");
    assert_eq!(header("cache-control"), "no-store", "{path}");
    assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
    assert_eq!(header("x-frame-options"), "DENY", "{path}");
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
    assert_eq!(game(&stage).status, Status::Suspended);
}

#[test]
fn nothing_that_others_wrote_is_markup() {
    let mut host = Host::new();
    let hostile = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";
    let name = SeatChange::Name(hostile.to_owned());
    host.robot.store.write(|tx| tx.change_seat("W7", Seat(1), &name)).expect("a seat");
    let from = "\"<script>alert(3)</script>\"@players.example";
    host.receive(mail(&player(1), ROBOT, &format!("{hostile}\n\u{1b}[2J\u{202e}turned\n")));
    host.receive(mail(from, ROBOT, hostile));
    host.receive(
        b"From: p1@players.example\r\nSubject: <script>alert(4)</script>\r\n\r\nC 1 1\r\n",
    );
    host.robot.store.write(|tx| tx.suspend("W7", hostile)).expect("suspended");
    host.robot
        .store
        .write(|tx| tx.set_note("read <script>alert(5)</script>", "2026-05-28T00:00:00Z"))
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
    assert_eq!(row.reason.as_str(), "filed", "the robot goes on meanwhile");
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

#[test]
fn who_says_nothing_keeps_nobody_waiting() {
    let stage = Stage::new();
    let silent: Vec<_> = (0..100)
        .map(|n| {
            use std::io::Write;
            let mut stream = std::net::TcpStream::connect(stage.at).expect("it listens");
            let begun = if n % 2 == 0 { "" } else { "GET / HTTP/1.1\r\nHost: 127" };
            stream.write_all(begun.as_bytes()).expect("sent");
            stream
        })
        .collect();
    assert_eq!(stage.get("/").status, 200);
    assert_eq!(stage.get_as("/healthz", &[]).status, 200);
    drop(silent);
}
