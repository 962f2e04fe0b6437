//! The order desk in a real browser: turns of every game are ordered by clicks on the page that
//! came with a printout, mailed, and echoed without an error.

use base::terms::Format;
use engine::Seat;
use mail_parser::{MessageParser, MimeHeaders};
use registry::ENGINES;
use robot::limits::Limits;
use serde_json::Value;
use store::{Reason, SeatChange};

use crate::browser::assert_good;
use crate::chromium::Browser;
use support::host::*;

/// Bytes that an order desk has at most.
const DESK_BYTES_MAX: usize = 400_000;

/// A host with a game whose first seat wants the order desk, and the files of its first printout.
fn with_desk(engine: &str, seats: u8) -> (Host, Files) {
    let mut host = Host::empty(&ENGINES, Limits::default());
    host.robot.new_game(a_game(engine, seats)).expect("a game");
    host.seat_players(seats);
    let desk = Format { html: false, desk: true, json: true, ..Format::default() };
    wants(&mut host.robot.store, "W7", Seat(1), desk);
    host.robot.start("W7", None, false).expect("starts");
    host.robot.draw_mails().expect("draws");
    let files = Files::of(&mut host);
    (host, files)
}

/// The files of the newest printout of the first seat.
struct Files {
    page: Vec<u8>,
    turn: Value,
    reply_to: String,
    _folder: tempfile::TempDir,
    address: String,
}

impl Files {
    fn of(host: &mut Host) -> Self {
        let now = host.robot.now();
        let rows = host.robot.store.write(|tx| tx.outbox().lease(now, 1000)).expect("a store");
        let mail = rows.iter().rfind(|r| r.mail.to == player(1)).expect("a printout");
        let parsed = MessageParser::default().parse(&mail.mail.bytes[..]).expect("a mail");
        let file = |end: &str| {
            let named = |p: &&mail_parser::MessagePart| {
                p.attachment_name().is_some_and(|name| name.ends_with(end))
            };
            parsed.parts.iter().find(named).map(|p| p.contents().to_vec()).expect("a file")
        };
        let (page, turn) = (file("-desk.html"), file("turn.json"));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("desk.html");
        std::fs::write(&path, &page).expect("written");
        Self {
            page,
            turn: serde_json::from_slice(&turn).expect("JSON"),
            reply_to: got(&mail.mail.bytes).reply_to,
            _folder: folder,
            address: format!("file://{}", path.display()),
        }
    }

    /// The number of the form that writes a line.
    fn form(&self, writes: &str) -> usize {
        let forms = self.turn["orders"]["forms"].as_array().expect("forms");
        forms.iter().position(|f| f["writes"] == writes).unwrap_or_else(|| panic!("{writes}"))
    }

    /// The first choice of a sort that is good.
    fn choice(&self, sort: &str, good: impl Fn(&Value) -> bool) -> &Value {
        let all = self.turn["orders"]["names"][sort].as_array().expect("names");
        all.iter().find(|c| good(c)).expect("such a choice")
    }
}

/// Clicks on what a selector finds; where it is folded away it is unfolded.
fn click(browser: &mut Browser, selector: &str) {
    browser.value(&format!(
        "(function () {{ var it = document.querySelector({selector:?});
           if (!it) {{ throw new Error({selector:?}); }}
           var fold = it.closest('details'); if (fold) {{ fold.open = true; }}
           it.dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true}}));
         }})()"
    ));
}

/// Fills a slot of the open form by typing or choosing.
fn fill(browser: &mut Browser, slot: &str, value: &str) {
    browser.value(&format!(
        "(function () {{ var it = document.querySelector('[data-slot=\"{slot}\"]');
           it.focus(); it.value = {value:?};
           it.dispatchEvent(new Event('input', {{bubbles: true}}));
           it.dispatchEvent(new Event('change', {{bubbles: true}})); }})()"
    ));
}

fn card(browser: &mut Browser) -> String {
    browser.text("document.getElementById('card').value")
}

/// The text beside the card.
fn checked(browser: &mut Browser) -> String {
    browser.text("document.getElementById('check').textContent")
}

/// Mails the card of the page's link, and returns the echo; every line of it is right.
fn mailed(host: &mut Host, files: &Files, browser: &mut Browser) -> String {
    let link = browser.text("document.getElementById('mail').getAttribute('href')");
    let parts = browser.text(
        "(function () { var l = new URL(document.getElementById('mail').href);
           return decodeURIComponent(l.pathname) + '\\n' + l.searchParams.get('body'); })()",
    );
    let (to, body) = parts.split_once('\n').expect("an address and a text");
    assert_eq!(to, files.reply_to, "{link}");
    assert!(body.contains("\r\n"), "lines end as in a mail (RFC 6068 §5)");
    let row = host.receive(mail(&player(1), to, &body.replace("\r\n", "\n")));
    let echo = host.answers(&row).pop().expect("an echo").text;
    assert_eq!(row.reason, Reason::Filed, "{echo}");
    assert!(!echo.contains("error:") && !echo.contains("no order"), "{echo}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    echo
}

#[test]
fn a_turn_of_warlord_is_ordered_by_clicks_on_the_map() {
    let (mut host, files) = with_desk("warlord", 4);
    assert!(files.page.len() < DESK_BYTES_MAX, "{}", files.page.len());
    let mut browser = Browser::start();
    browser.screen((1280, 900), false);
    browser.go(&files.address);
    assert_good(&mut browser, "the desk", 1280);
    let unit = files.choice("units", |c| c["at"].is_string());
    let (number, at) = (unit["code"].as_str().expect("text"), unit["at"].as_str().expect("text"));
    let goal = files.choice("goal", |c| {
        let code = c["code"].as_str().expect("text");
        code.len() == 5 && code != at
    });
    let goal = goal["code"].as_str().expect("text");
    click(&mut browser, &format!("[data-place=\"{at}\"]"));
    click(&mut browser, &format!("[data-thing=\"units:{number}\"]"));
    click(&mut browser, &format!("[data-form=\"{}\"]", files.form("A {units} {goal}")));
    browser.value("document.querySelector('[data-slot=\"goal\"]').focus()");
    click(&mut browser, &format!("[data-place=\"{goal}\"]"));
    click(&mut browser, "#add");
    assert_eq!(card(&mut browser), format!("A {number} {goal}\n"));
    click(&mut browser, &format!("[data-form=\"{}\"]", files.form("C {city} {item}")));
    fill(&mut browser, "city", "1");
    fill(&mut browser, "item", "1");
    click(&mut browser, "#add");
    browser.picture("desk-warlord");
    let echo = mailed(&mut host, &files, &mut browser);
    assert!(echo.contains("2 ok"), "{echo}");
    assert_eq!(host.on_file(1), format!("A {number} {goal}\nC 1 1\n"));
    // A line that is not an order is marked as such, and kept.
    browser.value(
        "(function () { var c = document.getElementById('card'); c.value += 'A 77 07001\\n';
           c.dispatchEvent(new Event('input', {bubbles: true})); })()",
    );
    assert!(checked(&mut browser).contains("no unit 77 that you have"));
    // On a phone at night nothing is lost, and nothing scrolls sideways.
    browser.screen((360, 740), true);
    browser.go(&files.address);
    assert_good(&mut browser, "the desk on a phone", 360);
    assert!(card(&mut browser).contains("C 1 1"), "what was ordered is kept");
    let asked = browser.asked_for();
    assert!(asked.iter().all(|url| url.starts_with("file:")), "{asked:?}");
}

#[test]
fn orders_of_battle_plan_stand_below_the_country_that_gives_them() {
    let (mut host, files) = with_desk("battle-plan", 4);
    let mut browser = Browser::start();
    browser.go(&files.address);
    let own = files.turn["sections"].as_array().expect("sections").iter();
    let forces = own.clone().find(|s| s["id"] == "forces-under-your-control").expect("forces");
    let home = forces["parts"][0]["rows"][0]["space"].as_str().expect("a space").to_owned();
    click(&mut browser, &format!("[data-place=\"{home}\"]"));
    for (form, number) in [("BA{n}", "5"), ("BI{n}", "3")] {
        click(&mut browser, &format!("[data-form=\"{}\"]", files.form(form)));
        fill(&mut browser, "n", number);
        click(&mut browser, "#add");
    }
    click(&mut browser, &format!("[data-form=\"{}\"]", files.form("{player}A")));
    fill(&mut browser, "player", "2");
    click(&mut browser, "#add");
    assert_eq!(card(&mut browser), format!("@{home}\nBA5\nBI3\n@\n2A\n"));
    mailed(&mut host, &files, &mut browser);
}

/// The line of a form, and the values of its slots.
type Filled = (&'static str, &'static [(&'static str, &'static str)]);

#[test]
fn every_game_has_a_desk_that_writes_its_orders() {
    let stories: [(&str, u8, &[Filled]); 3] = [
        (
            "empire-deluxe",
            2,
            &[("P {city} {kind}", &[("city", "1"), ("kind", "AR AR FI")]), ("CLOSE", &[])],
        ),
        ("imperium", 2, &[("R {fleet} {place}", &[("fleet", "1"), ("place", "01")])]),
        ("classic-warlord", 4, &[("S {place}", &[])]),
    ];
    let mut browser = Browser::start();
    for (engine, seats, orders) in stories {
        let (mut host, files) = with_desk(engine, seats);
        assert!(files.page.len() < DESK_BYTES_MAX, "{engine}: {}", files.page.len());
        browser.go(&files.address);
        for (form, slots) in orders {
            click(&mut browser, &format!("[data-form=\"{}\"]", files.form(form)));
            for (slot, value) in *slots {
                fill(&mut browser, slot, value);
            }
            if *form == "S {place}" {
                let game = host.robot.game("W7").expect("the game");
                let primer = host.robot.open(&game).expect("open").primer(Seat(1));
                let wishes = primer.orders[0].0.trim_start_matches("S ").to_owned();
                fill(&mut browser, "place", &wishes);
            }
            click(&mut browser, "#add");
        }
        assert_eq!(card(&mut browser).lines().count(), orders.len(), "{engine}");
        mailed(&mut host, &files, &mut browser);
    }
}

#[test]
fn a_hostile_name_does_nothing_on_a_desk() {
    let (mut host, _) = with_desk("warlord", 4);
    let name = SeatChange::Name("</script><img src=x onerror=alert(1)>{{data}}".to_owned());
    host.robot.store.write(|tx| tx.change_seat("W7", Seat(1), &name)).expect("a seat");
    host.receive(host.card(1, "N 1 1 </SCRIPT><B>\n"));
    host.run_turn();
    host.robot.draw_mails().expect("draws");
    let files = Files::of(&mut host);
    let page = String::from_utf8(files.page.clone()).expect("text");
    assert_eq!(page.matches("</script>").count(), 2, "its own two");
    let mut browser = Browser::start();
    browser.go(&files.address);
    assert_eq!(browser.text("document.images.length"), "0");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
