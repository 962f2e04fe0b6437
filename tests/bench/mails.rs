//! Reading mails: how many a second, and the cost of the worst shapes.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use mail::mime::{self, ParsedMail};
use mail::{dsn, hygiene};
use robot::card::Request;
use robot::card::signs::Game;

use support::replies::{Parent, Reply, replies};

/// A printout of usual length, as players quote it.
fn printout() -> String {
    let marker = mail::marker::MARKER;
    let line = |n: u32| format!("| unit {n}: 12 infantry at 051{n:02}, supplied, 3 moves left\n");
    format!("{marker}\n\nGame W7, turn 1, seat 1.\n\n{}", (1..25).map(line).collect::<String>())
}

fn mails() -> Vec<Reply> {
    let text = printout();
    let parent = Parent {
        name: "printout",
        from_name: "Fieldpost",
        from: "robot@fieldpost.example",
        subject: "[W7 T1 S1] your printout",
        message_id: "w7.1.1.p.abc@fieldpost.example",
        text: &text,
    };
    let orders = ["A 12 2", "M 3 122", "C 23 1", "M 4 777"];
    let to = "robot+W7.1.abcdefghijklm@fieldpost.example";
    let all = replies("p1@players.example", to, &orders, &[parent]);
    all.into_iter().filter(|r| (2000..4500).contains(&r.raw.len())).collect()
}

/// The replies as they are, all of them or those in plain text.
pub fn samples(plain: bool) -> Vec<Vec<u8>> {
    let html = |r: &Reply| r.raw.windows(9).any(|w| w.eq_ignore_ascii_case(b"text/html"));
    mails().into_iter().filter(|r| !plain || !html(r)).map(|r| r.raw).collect()
}

/// All decisions about a mail before the game is asked.
pub fn decide(raw: &[u8]) -> usize {
    let Ok(mail) = mime::parse(raw) else { return 0 };
    if dsn::read(&mail).is_some() || hygiene::automatic(&mail, "robot@fieldpost.example").is_some()
    {
        return 0;
    }
    read(&mail)
}

fn read(mail: &ParsedMail) -> usize {
    let text = mail.lines.new_text("W7 T1 S1");
    let lines: Vec<String> = text.above.iter().chain(&text.in_card).cloned().collect();
    Request::read(&lines, 600, robot::commands::ROWS, &Game::of(&starts_order)).card.lines.len()
}

/// Replies of many programs, text and HTML, 2 to 4.5 kB each; the aim is 3,000 a second.
#[divan::bench(sample_count = 10)]
fn parse_and_decide_of_replies(bencher: Bencher) {
    let all = samples(false);
    bencher
        .counter(ItemsCount::new(all.len()))
        .bench(|| all.iter().map(|raw| decide(raw)).sum::<usize>());
}

/// The same for plain text only.
#[divan::bench(sample_count = 10)]
fn parse_and_decide_of_plain_replies(bencher: Bencher) {
    let all = samples(true);
    bencher
        .counter(ItemsCount::new(all.len()))
        .bench(|| all.iter().map(|raw| decide(raw)).sum::<usize>());
}

/// A mail of ten megabytes in a shape that is made to be slow.
fn hostile(shape: &str) -> Vec<u8> {
    const SIZE: usize = 10_000_000;
    let head =
        "From: <p1@players.example>\r\nTo: <robot@fieldpost.example>\r\nMIME-Version: 1.0\r\n";
    let filled = |start: String, part: &str| {
        let mut bytes = format!("{head}{start}").into_bytes();
        bytes.extend(part.as_bytes().iter().cycle().take(SIZE - bytes.len()));
        bytes
    };
    let html = || "Content-Type: text/html\r\n\r\n".to_owned();
    match shape {
        "quotes" => filled("\r\n".into(), ">>>>>>>>>>>>>>>> x\r\n"),
        "short lines" => filled("\r\n".into(), "a\r\n"),
        "one line" => filled("\r\n".into(), "x"),
        "attributions" => filled("\r\n".into(), "On 1 Jan 2026 at 1:11 a@b.example\r\n"),
        "labels" => filled("\r\n".into(), "From: a\r\n"),
        "header" => filled(String::new(), "X: y\r\n"),
        "long header" => filled("X: ".into(), "y"),
        "received" => filled(String::new(), "Received: from a by b; 1 Jan 2026\r\n"),
        "encoded words" => filled("Subject: ".into(), "=?utf-8?q?=41?= "),
        "addresses" => filled("Cc: ".into(), "a@b.example, "),
        "boundaries" => {
            filled("Content-Type: multipart/mixed; boundary=b\r\n\r\n".into(), "--b\r\n")
        }
        "nested" => {
            filled(String::new(), "Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n")
        }
        "messages" => filled(String::new(), "Content-Type: message/rfc822\r\n\r\n"),
        "tags" => filled(html(), "<div>"),
        "flat tags" => filled(html(), "<p>A 1 2<br>"),
        "tables" => filled(html(), "<table><tr><td>"),
        "entities" => filled(html(), "&amp;&#x41;"),
        "attributes" => filled(html(), "<p style='x:y;x:y' class='a b c d'>x</p>"),
        "quoted-printable" => {
            filled("Content-Transfer-Encoding: quoted-printable\r\n\r\n".into(), "=41=\r\n")
        }
        "base64" => filled("Content-Transfer-Encoding: base64\r\n\r\n".into(), "QUFB\r\n"),
        "looks like blanks" => filled("\r\n".into(), "\u{a0}\u{2014}\u{ff21}\r\n"),
        _ => filled("\r\n".into(), "\r"),
    }
}

const SHAPES: &[&str] = &[
    "quotes",
    "short lines",
    "one line",
    "attributions",
    "labels",
    "header",
    "long header",
    "received",
    "encoded words",
    "addresses",
    "boundaries",
    "nested",
    "messages",
    "tags",
    "flat tags",
    "tables",
    "entities",
    "attributes",
    "quoted-printable",
    "base64",
    "looks like blanks",
    "bare CR",
];

/// The aim is a second and 200 MB for each.
#[divan::bench(args = SHAPES, sample_count = 3, sample_size = 1)]
fn hostile_10_mb(bencher: Bencher, shape: &str) {
    let mail = hostile(shape);
    bencher.counter(BytesCount::new(mail.len())).bench(|| decide(&mail));
}

/// Whether a line begins an order of any game.
fn starts_order(line: &str) -> bool {
    registry::ENGINES.iter().any(|e| e.starts_order(line))
}
