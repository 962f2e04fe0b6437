//! The pages in a real browser: on a desk and on a phone, by day and by night, by keyboard
//! alone and without a script.

use engine::Seat;
use store::{SeatChange, Status};

use crate::chromium::Browser;
use crate::publish::three_games;
use crate::stage::Stage;
use support::host::*;

const DESK: (u32, u32) = (1280, 800);
const TABLET: (u32, u32) = (1030, 700);
const PHONE: (u32, u32) = (360, 740);

/// Pages of the dashboard, and the names of their pictures.
const PAGES: [(&str, &str); 10] = [
    ("/", "games"),
    ("/new/battle-plan", "new game"),
    ("/games/W7", "game"),
    ("/games/W7/seats/1", "seat"),
    ("/games/W7/map?turn=1", "map"),
    ("/mail", "mails"),
    ("/mail/2", "mail"),
    ("/quarantine", "quarantine"),
    ("/outbox", "outbox"),
    ("/acts", "acts"),
];

/// Text whose colour is too similar to its background (WCAG 2 AA), as words.
const FAINT: &str = "(function () {
  function channels(text) { return text.match(/[\\d.]+/g).map(Number); }
  function light(c) {
    var l = c.slice(0, 3).map(function (v) {
      v /= 255; return v <= 0.03928 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
    });
    return 0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2];
  }
  function ground(node) {
    for (; node; node = node.parentElement) {
      var c = channels(getComputedStyle(node).backgroundColor);
      if (c.length < 4 || c[3] > 0) { return c; }
    }
    return [255, 255, 255];
  }
  return Array.from(document.querySelectorAll('body *')).filter(function (node) {
    var own = Array.from(node.childNodes).some(function (n) {
      return n.nodeType === 3 && n.textContent.trim();
    });
    if (!own || node.tagName === 'SCRIPT') { return false; }
    var a = light(channels(getComputedStyle(node).color)), b = light(ground(node));
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
  }).map(function (node) { return node.tagName + ': ' + node.textContent.slice(0, 40); }).join();
})()";

/// Faults for screen readers, as words.
const UNCLEAR: &str = "(function () {
  var bad = [];
  function all(what) { return Array.from(document.querySelectorAll(what)); }
  if (all('h1').length !== 1) { bad.push('h1'); }
  if (all('main').length !== 1) { bad.push('main'); }
  if (!document.documentElement.lang) { bad.push('language'); }
  var last = 1;
  all('h1, h2, h3').forEach(function (h) {
    var level = Number(h.tagName[1]);
    if (level > last + 1) { bad.push('heading ' + h.textContent); }
    last = level;
  });
  all('img').forEach(function (i) { if (!i.alt) { bad.push('picture ' + i.src); } });
  all('input:not([type=hidden])').forEach(function (i) {
    if (!i.labels.length) { bad.push('field ' + i.name); }
  });
  all('button, a').forEach(function (b) { if (!b.textContent.trim() && !b.querySelector('img[alt]')) { bad.push(b.outerHTML); } });
  all('table').forEach(function (t) { if (!t.querySelector('th[scope=col]')) { bad.push('table'); } });
  all('[id]').forEach(function (n) { if (all('#' + n.id).length > 1) { bad.push('id ' + n.id); } });
  return bad.join();
})()";

/// A host with something to see on every page.
fn full() -> Stage {
    let mut host = Host::new();
    let long = "The Most Serene and Utterly Unbreakablelongnamedkingdomofeverything";
    let name = SeatChange::Name(long.to_owned());
    host.robot.store.write(|tx| tx.change_seat("W7", Seat(1), &name)).expect("a seat");
    host.receive(host.card(1, "C 1 1\n"));
    host.receive(mail(
        &player(2),
        ROBOT,
        "C 2 1\nand a long line that goes on and on and on and \
        on until nobodyreadsitanymorebecauseithasnoblanksinitanditneverendsandneverwill\n",
    ));
    host.run_turn();
    host.receive(host.card(1, "C 1 1\n"));
    host.receive(host.card(3, "READY\n"));
    let now = base::clock::Clock::now(host.clock.as_ref());
    for row in host.robot.store.write(|tx| tx.outbox().lease(now, 2)).expect("claimed") {
        let why = "550 5.1.1 <averyveryverylongaddress@someprovider.example> no such user";
        let never = mail::SendResult::Never(why.to_owned());
        host.robot.store.write(|tx| tx.outbox().sent([(&row, &never)], now, 999)).expect("noted");
    }
    host.was_read();
    Stage::of(host)
}

pub fn assert_good(browser: &mut Browser, what: &str, wide: u32) {
    let width: u32 =
        browser.text("document.documentElement.scrollWidth").parse().expect("a number");
    assert!(width <= wide, "{what} is {width} wide on a screen of {wide}");
    let room = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(browser.text(room), "0", "{what} scrolls sideways");
    assert_eq!(browser.text(FAINT), "", "{what} has text that is hard to read");
    assert_eq!(browser.text(UNCLEAR), "", "{what} is unclear");
    assert_eq!(browser.complaints(), Vec::<String>::new(), "{what}");
}

#[test]
fn every_page_is_good_to_read_on_desk_and_phone_by_day_and_night() {
    let stage = full();
    let mut browser = Browser::start();
    browser.go(&stage.address);
    assert_eq!(browser.text("location.href"), format!("http://{}/", stage.at), "no token");
    for (screen, wide, dark) in [
        ("desk", DESK, false),
        ("tablet", TABLET, false),
        ("phone", PHONE, false),
        ("phone-dark", PHONE, true),
        ("desk-dark", DESK, true),
    ] {
        browser.screen(wide, dark);
        for (path, name) in PAGES {
            browser.go(&format!("http://{}{path}", stage.at));
            browser.until("document.readyState === 'complete'");
            assert_good(&mut browser, &format!("{path} ({screen})"), wide.0);
            browser.picture(&format!("{screen}-{name}"));
        }
    }
    let night = browser.text("getComputedStyle(document.body).backgroundColor");
    browser.screen(DESK, false);
    assert_ne!(night, browser.text("getComputedStyle(document.body).backgroundColor"));
    let own = format!("http://{}/", stage.at);
    // Signs within fields are the browser's own, as data.
    let is_own = |u: &String| u.starts_with(&own) || u.starts_with("data:") || u == "about:blank";
    let elsewhere: Vec<String> = browser.asked_for().into_iter().filter(|u| !is_own(u)).collect();
    assert_eq!(elsewhere, Vec::<String>::new(), "nothing comes from elsewhere");
}

#[test]
fn a_game_is_suspended_by_keyboard_alone() {
    let stage = full();
    let mut browser = Browser::start();
    browser.screen(DESK, false);
    browser.go(&stage.address);
    browser.press("Tab");
    assert_eq!(browser.text("document.activeElement.textContent"), "Skip to the page");
    browser.press("Enter");
    browser.tab_to("it.textContent === 'W7'");
    browser.load_by(|b| b.press("Enter"));
    browser.tab_to("it.textContent === 'Suspend the game'");
    browser.load_by(|b| b.press("Enter"));
    assert_eq!(browser.text("document.querySelector('h1').textContent"), "Suspend game W7?");
    assert_good(&mut browser, "the question", DESK.0);
    browser.picture("desk-question");
    let status = |stage: &Stage| stage.host.robot.game("W7").expect("the game").status;
    assert_eq!(status(&stage), Status::Running, "a question does nothing");
    browser.tab_to("it.textContent.indexOf('Yes') === 0");
    browser.load_by(|b| b.press("Enter"));
    assert_eq!(browser.text("document.querySelector('h1').textContent"), "Done");
    assert_eq!(status(&stage), Status::Suspended);
    assert_good(&mut browser, "the answer", DESK.0);
    // Later, so that the old page can still answer.
    browser.load_by(|b| drop(b.value("setTimeout(function () { history.back(); }, 0)")));
    browser.go(&format!("http://{}/", stage.at));
    assert!(
        browser
            .text("document.querySelector('[role=alert]').textContent")
            .contains("W7 is suspended")
    );
    browser.picture("desk-suspended");
}

#[test]
fn the_slider_swaps_the_map_with_a_script_and_asks_for_it_without() {
    let stage = full();
    let mut browser = Browser::start();
    browser.screen(DESK, false);
    browser.go(&stage.address);
    browser.go(&format!("http://{}/games/W7/map", stage.at));
    browser.until("document.getElementById('map').naturalWidth > 0");
    assert!(browser.text("document.getElementById('map').src").ends_with("/map/1.svg"));
    browser.tab_to("it.type === 'range'");
    browser.press("ArrowLeft");
    browser.until("document.getElementById('map').src.endsWith('/map/0.svg')");
    browser.until("document.getElementById('map').complete");
    assert_eq!(browser.text("document.querySelector('output').textContent"), "the start");
    assert!(browser.text("location.search").ends_with("turn=0"), "it can be come back to");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    browser.call("Emulation.setScriptExecutionDisabled", serde_json::json!({"value": true}));
    browser.go(&format!("http://{}/games/W7/map", stage.at));
    browser.tab_to("it.type === 'range'");
    browser.press("ArrowLeft");
    browser.tab_to("it.textContent === 'Show'");
    browser.load_by(|b| b.press("Enter"));
    assert!(browser.text("location.search").ends_with("turn=0"));
    assert!(browser.text("document.getElementById('map').src").ends_with("/map/0.svg"));
}

#[test]
fn deadlines_are_counted_down_by_the_clock_of_the_server() {
    let stage = full();
    let mut browser = Browser::start();
    browser.go(&stage.address);
    let left = browser.text("document.querySelector('time[data-due]').textContent");
    assert!(left.starts_with("in 6 days") || left.starts_with("in 7 days"), "{left}");
    let due = "document.querySelector('time[data-due]')";
    assert_eq!(browser.text(&format!("{due}.dateTime.length")), "20", "an instant");
}

#[test]
fn public_pages_are_good_to_read_too() {
    let mut host = three_games();
    host.was_read();
    let stage = Stage::of(host);
    let mut browser = Browser::start();
    for (screen, wide, dark) in [("desk", DESK, false), ("phone-dark", PHONE, true)] {
        browser.screen(wide, dark);
        for (path, name) in [
            ("/", "index"),
            ("/games/w7.html", "over"),
            ("/games/r2.html", "played"),
            ("/games/o3.html", "open"),
            ("/rules/warlord.html", "rules"),
            ("/rules/battle-plan.html", "rules-2"),
        ] {
            browser.go(&format!("http://{}{path}", stage.public));
            assert_good(&mut browser, &format!("{path} ({screen})"), wide.0);
            browser.picture(&format!("public-{screen}-{name}"));
        }
    }
    browser.go(&format!("http://{}/games/w7.html", stage.public));
    browser.tab_to("it.type === 'range'");
    browser.press("ArrowLeft");
    browser.until("document.getElementById('map').src.endsWith('/w7-map-0.svg')");
    browser.until("document.getElementById('map').naturalWidth > 0");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(browser.text("document.cookie"), "");
}

#[test]
fn the_checks_of_pages_find_what_is_wrong() {
    let stage = full();
    let mut browser = Browser::start();
    browser.screen(PHONE, true);
    browser.go(&stage.address);
    assert_good(&mut browser, "the page as it is", PHONE.0);
    let spoil = "(function () { var p = document.createElement('p'); p.textContent = 'faint'; \
                 p.style.color = '#445'; p.style.width = '900px'; var i = new Image(); \
                 document.body.append(p, i, document.createElement('h3')); \
                 console.error('loud'); })()";
    browser.value(spoil);
    assert!(browser.text(FAINT).contains("faint"));
    assert!(browser.text(UNCLEAR).contains("picture"));
    assert_eq!(browser.complaints().len(), 1);
    let width: u32 =
        browser.text("document.documentElement.scrollWidth").parse().expect("a number");
    assert!(width > PHONE.0);
    browser.value("fetch('/mail').catch(function () {})");
    assert!(browser.complaints().concat().contains("Content Security Policy"));
}
