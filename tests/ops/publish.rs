//! Public pages: their contents, and secrets that must not be in them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use base::terms::Contact;
use engine::Seat;
use fieldpost::ops::publish;
use registry::ENGINES;
use robot::gm::setup::NewSeat;
use robot::limits::Limits;
use store::{SeatChange, Status};

use crate::stage::{Stage, request};
use support::host::*;

const HOSTILE: &str = "<script>alert(1)</script>";

/// Three games: W7 is over, R2 is played by three people, O3 takes players by mail.
pub fn three_games() -> Host {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut ended = a_game("warlord", 4);
    // Whoever holds a fifth of the cities at the end of the first turn has won.
    let rules = include_str!("../../config/warlord/rules.toml");
    let quick = rules.replace("turns = 3                # in a row", "turns = 1");
    ended.data.insert("rules.toml".to_owned(), quick);
    ended.options.insert("leader_percent".to_owned(), "1".to_owned());
    host.robot.new_game(ended).expect("a game");
    host.seat_players(3);
    host.robot.add_computer("W7", Seat(4)).expect("a free seat");
    host.robot.start("W7", None, false).expect("starts");
    host.receive(host.card(1, "C 1 1\n"));
    host.run_turn();
    assert_eq!(host.robot.game("W7").expect("the game").status, Status::Over);
    let named = |name: &str| SeatChange::Name(name.to_owned());
    host.robot.store.write(|tx| tx.change_seat("W7", Seat(2), &named(HOSTILE))).expect("a seat");
    host.robot
        .store
        .write(|tx| tx.change_seat("W7", Seat(3), &named("me@home.example")))
        .expect("a seat");
    let mut played = a_game("battle-plan", 4);
    played.code = "R2".to_owned();
    host.robot.new_game(played).expect("a game");
    for seat in 1..=3 {
        let new = NewSeat {
            game: "R2".into(),
            seat: Seat(seat),
            address: format!("r{seat}@players.example"),
            name: format!("Hidden {seat}"),
            zone: None,
            contact: Contact::Disclose,
            any_address: false,
        };
        host.passwords.push(host.robot.add_seat(&new).expect("a free seat"));
    }
    host.robot.start("R2", None, true).expect("starts");
    host.robot.run_turn("R2").expect("a turn");
    let mut open = a_game("battle-plan", 5);
    open.code = "O3".to_owned();
    open.terms.join = true;
    host.robot.new_game(open).expect("a game");
    host
}

fn published(host: &mut Host, folder: &Path) -> String {
    let mut out = Vec::new();
    publish::run(&mut host.robot, folder, &mut out).expect("published");
    String::from_utf8(out).expect("text")
}

/// All files below a folder by their path in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(dir) = todo.pop() {
        for entry in fs::read_dir(dir).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => todo.push(path),
                false => {
                    let name = path.strip_prefix(folder).expect("below").display().to_string();
                    found.insert(name, fs::read(&path).expect("a file"));
                }
            }
        }
    }
    found
}

fn text(files: &BTreeMap<String, Vec<u8>>, path: &str) -> String {
    let names: Vec<&String> = files.keys().collect();
    let bytes = files.get(path).unwrap_or_else(|| panic!("{path} in {names:?}"));
    String::from_utf8(bytes.clone()).expect("text")
}

#[test]
fn publishing_twice_gives_the_same_bytes_and_writes_nothing() {
    let mut host = three_games();
    let site = tempfile::tempdir().expect("a folder");
    let first = published(&mut host, site.path());
    let before = files(site.path());
    assert!(first.contains(" 0 as they were, 0 taken away"), "{first}");
    host.pass(600);
    let second = published(&mut host, site.path());
    assert!(second.contains(": 0 written"), "{second}");
    assert!(before == files(site.path()), "the same bytes");
    let anew = tempfile::tempdir().expect("a folder");
    published(&mut host, anew.path());
    assert!(before == files(anew.path()), "and elsewhere too");
    assert!(before.keys().all(|name| !name.ends_with(".new")), "nothing is left over");
}

#[test]
fn no_file_tells_an_address_or_anything_of_a_game_that_is_played() {
    let mut host = three_games();
    host.robot.store.write(|tx| tx.suspend("R2", "Hidden words of an engine")).expect("suspended");
    let site = tempfile::tempdir().expect("a folder");
    published(&mut host, site.path());
    let mut secrets: Vec<String> = host.passwords.clone();
    secrets.extend(["players.example", "home.example", "Hidden", "gm@"].map(str::to_owned));
    for code in ["W7", "R2", "O3"] {
        let game = host.robot.game(code).expect("the game");
        if game.status == Status::Over {
            continue;
        }
        let values = base::chain::values(&game.chains, game.turn + 3);
        assert!(values.len() > 3, "it has a chain of seeds");
        secrets.extend(values.iter().map(|(_, value)| base::chain::hex(value)));
        for (_, seed) in host.robot.store.journal().seeds(code).expect("seeds") {
            secrets.extend([format!("{seed:x}"), seed.to_string()]);
        }
    }
    secrets.push(host.robot.store.journal().hash_of("R2", 1).expect("a store").expect("a turn"));
    let all = files(site.path());
    for (name, bytes) in all.iter().filter(|f| !f.0.starts_with('.')) {
        let text = String::from_utf8_lossy(bytes);
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{name} tells {secret}");
        }
        assert!(!text.contains(HOSTILE), "{name}");
    }
    let played: Vec<&String> = all.keys().filter(|n| n.contains("r2")).collect();
    assert_eq!(played, ["games/r2.html", "rules/game-r2.html"], "no map, no chart");
    let page = text(&all, "games/r2.html");
    assert!(page.contains("3 taken, 1 free") && page.contains("is suspended"));
    for word in ["standing", "cards", "missing", "ready", "points"] {
        assert!(!page.to_lowercase().contains(word), "{word}: {page}");
    }
}

#[test]
fn a_game_that_is_over_shows_its_standing_its_course_and_its_map() {
    let mut host = three_games();
    let site = tempfile::tempdir().expect("a folder");
    published(&mut host, site.path());
    let all = files(site.path());
    let page = text(&all, "games/w7.html");
    assert!(page.contains("Final standing") && page.contains("Empire 1"), "{page}");
    assert!(page.contains("(computer)") && page.contains("&lt;script&gt;alert(1)"), "{page}");
    assert!(page.contains("seat 3"), "a name that is an address is none: {page}");
    for name in ["games/w7-map-0.svg", "games/w7-map-1.svg", "games/w7-chart-0.svg"] {
        assert!(text(&all, name).starts_with("<svg"), "{name}");
    }
    assert!(!all.contains_key("games/w7-map-2.svg"));
    // Its war diary says who has won, with public names.
    assert!(page.contains("href=\"w7-diary.html\""), "{page}");
    let diary = text(&all, "games/w7-diary.html");
    assert!(diary.contains("<h2>Turn 1</h2>") && diary.contains("has won"), "{diary}");
    assert!(!diary.contains("You ") && !diary.contains('@'), "{diary}");
}

#[test]
fn a_game_that_tells_what_each_seat_saw_shows_it_as_animated_pictures() {
    let mut host = Host::empty(&ENGINES, Limits::default());
    let mut war = a_game("empire-deluxe", 2);
    for (name, value) in [("edition", "basic"), ("size", "30x20"), ("order", "simultaneous")] {
        war.options.insert(name.to_owned(), value.to_owned());
    }
    host.robot.new_game(war).expect("a game");
    for seat in [1, 2] {
        host.robot.add_computer("W7", Seat(seat)).expect("a free seat");
    }
    host.robot.start("W7", None, false).expect("starts");
    let is_over = |host: &Host| host.robot.game("W7").expect("the game").status == Status::Over;
    let site = tempfile::tempdir().expect("a folder");
    published(&mut host, site.path());
    assert!(!files(site.path()).keys().any(|name| name.contains("course")), "it is still played");
    let turns = (1..=300).find(|_| {
        host.run_turn();
        is_over(&host)
    });
    assert!(turns.is_some(), "the computers fight it out");
    published(&mut host, site.path());
    let all = files(site.path());
    for name in ["w7-course.png", "w7-course-1.png", "w7-course-2.png"] {
        let film = &all[&format!("games/{name}")];
        assert!(film.starts_with(b"\x89PNG"), "{name}");
        // An animated PNG says how many pictures it has in its chunk acTL.
        let told = film.windows(4).position(|w| w == b"acTL").expect("it is animated") + 4;
        let pictures: [u8; 4] = film[told..told + 4].try_into().expect("four bytes");
        let pictures = u32::from_be_bytes(pictures);
        assert!((2..=80).contains(&pictures), "{name}: {pictures} pictures");
    }
    let page = text(&all, "games/w7.html");
    assert!(page.contains("As seat 2 saw it"), "{page}");
    assert!(!all.contains_key("games/w7-course-3.png"));
}

#[test]
fn the_list_says_how_to_join_and_every_link_leads_somewhere() {
    let mut host = three_games();
    let site = tempfile::tempdir().expect("a folder");
    published(&mut host, site.path());
    let all = files(site.path());
    let list = text(&all, "index.html");
    for word in ["W7", "R2", "O3", "0 taken, 5 free", "Games that are over", "Warlord"] {
        assert!(list.contains(word), "{word}: {list}");
    }
    let open = text(&all, "games/o3.html");
    assert!(open.contains("JOIN O3") && open.contains(ROBOT), "{open}");
    assert!(!text(&all, "games/r2.html").contains("JOIN"), "it takes nobody by mail");
    let book = text(&all, "rules/warlord.html");
    assert!(book.contains("Combat") && book.contains("<table"), "{}", book.len());
    assert!(list.contains("rules/how-to-play.html"), "{list}");
    assert!(text(&all, "rules/how-to-play.html").contains("Letters to other players"));
    let mut links = 0;
    for (name, bytes) in all.iter().filter(|f| f.0.ends_with(".html")) {
        let page = String::from_utf8_lossy(bytes);
        let folder = Path::new(name).parent().expect("a folder");
        for part in page.split(['"', ' ']).collect::<Vec<_>>().windows(2) {
            if !["href=", "src="].contains(&part[0]) || part[1].starts_with(['#', 'm']) {
                continue;
            }
            let target = folder.join(part[1]).display().to_string();
            let target = target.replace("games/../", "").replace("rules/../", "");
            assert!(all.contains_key(&target), "{name} leads to {target}");
            links += 1;
        }
    }
    assert!(links > 30, "{links}");
}

#[test]
fn the_feed_tells_what_happened_under_names_that_stay() {
    let mut host = three_games();
    let site = tempfile::tempdir().expect("a folder");
    published(&mut host, site.path());
    let read = |folder: &Path| {
        let feed = text(&files(folder), "feed.xml");
        atom_syndication::Feed::read_from(feed.as_bytes()).expect("a feed")
    };
    let feed = read(site.path());
    let titles: Vec<&str> = feed.entries().iter().map(|e| e.title().as_str()).collect();
    assert!(titles.iter().any(|t| t.starts_with("Game W7 is over: ")), "{titles:?}");
    for title in [
        "Game W7 ran turn 1",
        "Game W7 has started",
        "Game W7 of Warlord takes players",
        "Game R2 ran turn 1",
        "Game O3 of Battle Plan takes players",
    ] {
        assert!(titles.contains(&title), "{title}: {titles:?}");
    }
    assert!(!titles.iter().any(|t| t.starts_with("Game R2 is over")));
    let mut ids: Vec<String> = feed.entries().iter().map(|e| e.id().to_owned()).collect();
    assert!(ids.iter().all(|id| id.starts_with("tag:fieldpost.example,2026-")), "{ids:?}");
    assert!(feed.entries().is_sorted_by_key(|e| std::cmp::Reverse(*e.updated())));
    assert_eq!(feed.updated(), feed.entries()[0].updated());
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "each has its own");
    host.pass(600);
    host.robot.run_turn("R2").expect("a turn");
    published(&mut host, site.path());
    let later = read(site.path());
    assert!(ids.iter().all(|id| later.entries().iter().any(|e| e.id() == id)), "they stay");
    assert_eq!(later.entries()[0].title().as_str(), "Game R2 ran turn 2");
}

#[test]
fn what_is_no_page_any_more_goes_and_nobody_elses_file_does() {
    let mut host = three_games();
    let outside = tempfile::tempdir().expect("a folder");
    let site = outside.path().join("site");
    published(&mut host, &site);
    for (path, text) in [("site/games/own.html", "mine"), ("precious", "mine")] {
        fs::write(outside.path().join(path), text).expect("written");
    }
    // The list is in a folder that others may write to.
    let list = site.join(".fieldpost-pages.json");
    let listed = fs::read_to_string(&list).expect("the list");
    let tampered = listed.replacen('{', "{\"../precious\": \"\", \"/etc/hostname\": \"\", ", 1);
    fs::write(&list, tampered).expect("written");
    host.robot.as_game_master(|gm| gm.undo("W7")).expect("nobody has answered");
    let told = published(&mut host, &site);
    let all = files(&site);
    assert!(!all.keys().any(|n| n.contains("w7-map") || n.contains("w7-chart")), "{told}");
    assert!(!text(&all, "games/w7.html").contains("Final standing"), "it is not over any more");
    assert_eq!(text(&all, "games/own.html"), "mine");
    assert_eq!(fs::read_to_string(outside.path().join("precious")).expect("there"), "mine");
}

#[test]
fn who_asks_for_too_many_pages_is_sent_away_and_others_are_not() {
    let stage = Stage::new();
    let all: Vec<u16> = (0..400).map(|_| stage.public("/none.html").status).collect();
    let answered = all.iter().filter(|s| **s == 404).count();
    // The limit admits a few more while the requests go on.
    assert!((300..350).contains(&answered), "{answered}");
    assert_eq!(all.last(), Some(&429));
    let elsewhere = "127.0.0.2:0".parse().expect("an address");
    assert_eq!(ask_from(elsewhere, stage.public), "HTTP/1.1 200 OK");
    assert_eq!(stage.get("/").status, 200, "the dashboard has no such limit");
}

#[test]
fn who_keeps_too_many_connections_is_hung_up_on_and_others_are_not() {
    let stage = Stage::new();
    let connect = || std::net::TcpStream::connect(stage.public).expect("it listens");
    let mut held: Vec<_> = (0..20).map(|_| connect()).collect();
    let mut more = connect();
    let got = std::io::Read::read(&mut more, &mut [0; 10]);
    assert!(matches!(got, Ok(0) | Err(_)), "{got:?}");
    let elsewhere = "127.0.0.2:0".parse().expect("an address");
    assert_eq!(ask_from(elsewhere, stage.public), "HTTP/1.1 200 OK");
    // All accepted connections get an answer.
    for one in &mut held {
        assert_eq!(ask_on(one), "HTTP/1.1 200 OK");
    }
}

/// Requests the first page from an address of this machine; returns the first line of the answer.
fn ask_from(from: std::net::SocketAddr, at: std::net::SocketAddr) -> String {
    let runtime = fieldpost::ops::web::runtime().expect("a runtime");
    let stream = runtime.block_on(async {
        let socket = tokio::net::TcpSocket::new_v4().expect("a socket");
        socket.bind(from).expect("an address of this machine");
        socket.connect(at).await.expect("it listens").into_std().expect("a stream")
    });
    stream.set_nonblocking(false).expect("a stream");
    ask_on(&mut { stream })
}

fn ask_on(stream: &mut std::net::TcpStream) -> String {
    use std::io::{BufRead, BufReader, Write};
    let request = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).expect("it reads");
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line).expect("an answer");
    line.trim_end().to_owned()
}

#[test]
fn the_public_listener_has_exactly_these_pages_and_no_cookie() {
    let mut host = three_games();
    host.was_read();
    let site = tempfile::tempdir().expect("a folder");
    published(&mut host, site.path());
    let stage = Stage::of(host);
    for (name, bytes) in files(site.path()).iter().filter(|f| !f.0.starts_with('.')) {
        let twice = [stage.public(&format!("/{name}")), stage.public(&format!("/{name}"))];
        for answer in twice {
            assert_eq!(answer.status, 200, "{name}");
            assert!(answer.body.as_bytes() == bytes, "{name} is the same");
            assert!(!answer.headers.contains_key("set-cookie"), "{name}");
            assert!(answer.headers["content-security-policy"].starts_with("default-src 'none'"));
        }
    }
    assert!(stage.public("/").body == stage.public("/index.html").body);
    let token = stage.address.split_once("/?").expect("a query").1;
    for path in [
        "/healthz",
        "/metrics",
        "/mail/1",
        "/games/W7",
        "/games/r2-map-0.svg",
        "/outbox",
        "/acts",
        "/games/r2-chart-0.svg",
        "/../fieldpost.sqlite",
        "/rules/none.html",
        "/games/x.html",
        "/games/w7-map-9.svg",
        "/.fieldpost-pages.json",
        &format!("/confirm?{token}"),
    ] {
        assert_eq!(stage.public(path).status, 404, "{path}");
    }
    for method in ["POST", "PUT", "DELETE"] {
        for path in ["/", "/confirm", "/do", "/index.html"] {
            let answer = request(stage.public, method, path, &[], "");
            assert_eq!(answer.status, 405, "{method} {path}");
        }
    }
}

#[test]
fn one_click_writes_the_mail_that_begins_and_practice_is_private() {
    let mut host = Host::empty(&ENGINES, Limits { practice_games_max: 3, ..Limits::default() });
    let mut open = a_game("battle-plan", 5);
    open.terms.join = true;
    host.robot.new_game(open).expect("a game");
    host.robot.as_game_master(|gm| gm.practice("warlord", "me@home.example")).expect("a game");
    let site = tempfile::tempdir().expect("a folder");
    published(&mut host, site.path());
    let all = files(site.path());
    let index = text(&all, "index.html");
    for link in [
        "mailto:robot@fieldpost.example?subject=JOIN%20W7&amp;body=JOIN%20W7%0D%0A",
        "mailto:robot@fieldpost.example?subject=PRACTICE%20imperium&amp;body=PRACTICE%20imperium%0D%0A",
    ] {
        assert!(index.contains(link), "{link} in {index}");
    }
    assert!(all.keys().all(|name| !name.contains("p1")), "{:?}", all.keys());
    let told = index + &text(&all, "feed.xml");
    assert!(!told.contains("P1"), "{told}");
}

#[test]
fn the_feed_names_who_came_first() {
    let mut host = three_games();
    let site = tempfile::tempdir().expect("a folder");
    published(&mut host, site.path());
    let feed = text(&files(site.path()), "feed.xml");
    assert!(feed.contains("Game W7 is over: "), "{feed}");
    assert!(feed.contains(" comes first"), "{feed}");
}
