//! The robot's HTML as it comes back: mail programs turn quotes into plain text, each in its own
//! way, some without a mark on any line.

use engine::Seat;
use engine::report::{Align, Battle, Block, Force, Line, Section, Table};
use render::html::{self, GUARD};
use render::{Document, pictures};

use super::golden::{GAMES, is_order};
use super::hostile::{is_left, mail};
use super::stage::played;

/// How a program writes an item of a list, and what it puts between the cells of a row.
const WAYS: [(&str, &str); 8] = [
    ("* ", "\t"),
    ("- ", " "),
    ("\u{2022} ", "  "),
    ("\u{2022}\t", " | "),
    ("o   ", "\n"),
    ("\u{2013} ", "\t"),
    ("", " "),
    ("", "\n"),
];

/// The visible text of a page in lines.
fn converted(page: &str, (sign, between): (&str, &str)) -> String {
    let body = page.split("<body").nth(1).expect("a body");
    let (mut out, mut pre, mut cell) = (String::new(), false, 0);
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag");
        let name = tag.split(' ').next().expect("a name");
        match name {
            "span" | "/span" | "a" | "/a" => {}
            "td" | "th" => {
                out += if cell > 0 { between } else { "" };
                cell += 1;
            }
            "/td" | "/th" => {}
            "li" => out += &format!("\n{sign}"),
            _ => out.push('\n'),
        }
        match name {
            "tr" => cell = 0,
            "pre" | "/pre" => pre = name == "pre",
            _ => {}
        }
        let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")];
        let text = plain.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
        match pre {
            true => out += &text,
            false => out += &text.replace('\n', " "),
        }
    }
    out
}

/// Lines of a page, converted in all these ways, that the game reads as orders.
fn orders(game: &str, page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for way in WAYS {
        let lines = mail("text/plain", &converted(page, way)).lines.0;
        assert!(lines.len() > 20, "only {} lines", lines.len());
        let lines = lines.iter().map(|(_, line)| line.trim());
        let lines = lines.filter(|l| is_left(l) && is_order(game, l));
        found.extend(lines.map(|l| format!("{way:?}: {l}")));
    }
    found
}

/// The page of the last printout of the first seat of a demo.
fn last(game: &str) -> (Document, String) {
    let (_dir, stage) = played(game);
    let code = stage.script.game.clone();
    let turn = stage.robot.game(&code).expect("the game").turn;
    let document = stage.robot.reports().document_of(&code, Seat(1), turn).expect("a printout");
    let page = html::document(&document, &pictures(&document), &|p| Some(p.name.clone()));
    (document, page)
}

#[test]
fn no_line_of_a_page_that_comes_back_as_text_is_an_order() {
    let mut wrong = Vec::new();
    for game in GAMES {
        let (document, page) = last(game);
        wrong.extend(orders(game, &page).into_iter().map(|o| format!("{game}: {o}")));
        // Only the player's text above the quote is read.
        for way in WAYS {
            let answer = format!("A 12 2\n\n{}", converted(&page, way));
            let card = format!("{} T{} S1", document.head.game, document.head.turn);
            let new = mail("text/plain", &answer).lines.new_text(&card);
            let read = [new.above, new.in_card, new.below].concat();
            let read: Vec<&String> = read.iter().filter(|l| !l.trim().is_empty()).collect();
            assert_eq!(read, ["A 12 2"], "{game}, {way:?}");
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn orders_in_lists_tables_letters_and_cards_are_none_when_they_come_back() {
    let (document, _) = last("warlord");
    for (game, order) in [
        ("warlord", "M 3 122"),
        ("warlord", "A 12 12387"),
        ("battle-plan", "@FR BA5"),
        ("battle-plan", "2A RF20"),
        ("classic-warlord", "G * E"),
        ("classic-warlord", "V DRAW"),
        ("empire-deluxe", "CLOSE"),
        ("imperium", "HALT"),
        ("imperium", "F *"),
    ] {
        assert!(is_order(game, order), "{order}");
        let many: Vec<String> = vec![order.to_owned(), format!("x  {order}"), order.to_owned()];
        let cells: Vec<&str> = order.splitn(2, ' ').chain([""]).take(2).collect();
        let rows = |row: &[&str]| vec![row.iter().map(|c| (*c).to_owned()).collect(); 2];
        let column = |name| (name, Align::Left);
        let blocks = vec![
            Block::List(vec![Line::from(order); 3]),
            Block::Table(Table::new(["A", "B"].map(column), rows(&cells))),
            Block::Table(Table::new(["Line", "Order"].map(column), rows(&["1", order]))),
            Block::Quote(many[..1].to_vec()),
            Block::Quote(many.clone()),
            Block::Battles(vec![battle(order)]),
        ];
        let card = vec![Block::Card(many)];
        let section = |heading: &str, blocks| Section { heading: heading.into(), blocks };
        let sections = vec![section("Words", blocks), section("Card", card)];
        let (head, marks) = (document.head.clone(), document.marks.clone());
        let made = Document::new(head, marks, Vec::new(), sections);
        let page = html::document(&made, &[], &|_| None);
        assert_eq!(orders(game, &page), [""; 0], "{order}");
    }
}

/// A card of a fight with an order in each place.
fn battle(order: &str) -> Battle {
    let side = Force {
        who: order.to_owned(),
        numbers: Some((9, 4)),
        forces: order.to_owned(),
        odds: order.to_owned(),
        ..Force::default()
    };
    Battle {
        place: order.to_owned(),
        sides: vec![side.clone(), side],
        result: order.to_owned(),
        notation: order.to_owned(),
        ..Battle::default()
    }
}

#[test]
fn what_our_own_lines_open_with_is_left_to_no_game() {
    for order in ["A 12 2", "M 3 122", "BA5", "@FR BA5", "CLOSE", "HALT", "V DRAW", "TS1"] {
        assert!(is_left(order) && is_left(&format!("\u{2022} {order}")), "{order}");
        for sign in ["|", GUARD] {
            assert!(!is_left(&format!("{sign} {order}")), "{sign} {order}");
        }
    }
}
