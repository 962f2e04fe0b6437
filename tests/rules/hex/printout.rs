//! Printouts, maps, short mails, and what they show of the other player's card.

use engine::report::{Block, Report, Section, Span};
use engine::{Books, Cards, Maps, Notice, Printouts, Rules, Seat};
use hex::Hex;
use hex::state::State;
use render::text::sections;

use super::board::{after, game, step, view};

fn report(state: &State, seat: u8) -> Report {
    Hex::report(&view(state, seat), "en").expect("a printout")
}

fn printed(state: &State, seat: u8) -> String {
    sections(&report(state, seat).sections)
}

#[test]
fn the_text_map_is_complete() {
    let text = printed(&after("C4 D2 B3"), 2);
    let board: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("| ")).collect();
    let drawn = [
        "   A B C D E",
        "    1 . . . . . 1",
        "     2 . . . B . 2",
        "      3 . R*. . . 3",
        "       4 . . R . . 4",
        "        5 . . . . . 5",
        "           A B C D E",
    ];
    let found = board.iter().position(|l| l.trim_start() == drawn[0].trim_start());
    let first = found.unwrap_or_else(|| panic!("no letters above: {text}"));
    let rows: Vec<&str> = board[first..first + 7].iter().map(|l| l.trim_end()).collect();
    let indent = |l: &str| l.len() - l.trim_start().len();
    for (row, wanted) in rows.iter().zip(drawn) {
        assert_eq!(row.trim_start(), wanted.trim_start(), "{text}");
    }
    // Each row is one letter farther east.
    for pair in rows[1..6].windows(2) {
        assert_eq!(indent(pair[1]), indent(pair[0]) + 1, "{text}");
    }
    assert!(text.contains("* the newest stone"), "{text}");
}

#[test]
fn the_largest_board_fits_the_line_in_one_piece() {
    let text = printed(&game(&[("size", "19")]), 1);
    assert!(text.lines().all(|l| l.chars().count() <= 78), "{text}");
    assert_eq!(text.matches("19. . . ").count(), 1, "{text}");
}

#[test]
fn the_sketch_of_a_card_has_the_stone_that_would_be_played() {
    let state = after("C3");
    let sketch = |card: &str| Hex::sketch(&view(&state, 2), &engine::CardText::new(card));
    let map = sketch("PLAY A1\nPLAY C3\nPLAY B2\nPLAY C3").expect("a stone");
    let stones = |map: &engine::MapPicture| {
        let named = map.pieces.iter().filter(|p| !p.name.is_empty());
        named.map(|p| p.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(stones(&map), ["B2", "C3"], "the last line that is right counts");
    assert!(sketch("PLAY C3").is_none(), "the place is taken");
}

#[test]
fn the_map_in_words_names_every_stone() {
    let map = Hex::atlas(&after("C4 D2 B3")).expect("a map");
    let words = format!("{:?}", map.words);
    for part in ["Red stones: B3, C4", "Blue stones: D2", "Newest stone: B3"] {
        assert!(words.contains(part), "{part}: {words}");
    }
    assert_eq!(map.pieces.iter().filter(|p| p.holder.is_some()).count(), 3);
    assert_eq!(map.last_move.places.len(), 1);
    let empty = Hex::atlas(&game(&[])).expect("a map");
    assert!(format!("{:?}", empty.words).contains("The board is empty"));
}

#[test]
fn a_printout_has_the_position_the_moves_and_the_blank_card() {
    let state = after("C4 SWAP B3");
    let (blue, red) = (report(&state, 2), report(&state, 1));
    let headings: Vec<&str> = blue.sections.iter().map(|s| s.heading.as_str()).collect();
    assert_eq!(headings, ["Your move", "The board", "Moves so far", "Your card"]);
    assert_eq!(red.sections[0].heading, "The other one's move");
    let text = printed(&state, 2);
    assert!(text.contains("You are Blue and to move: PLAY and a place."), "{text}");
    assert!(text.contains("SWAP") && text.contains("IF place place"), "{text}");
    let is_card = |s: &Section| s.blocks.iter().any(|b| matches!(b, Block::Card(_)));
    assert!(blue.sections.iter().any(is_card));
    let over = report(&after("C1 A1 C2 A2 C3 A3 C4 A4 C5"), 2);
    assert!(!over.sections.iter().any(is_card));
    let text = sections(&over.sections);
    assert!(text.contains("You have lost: red stones join top and bottom."), "{text}");
}

#[test]
fn who_waits_gets_a_short_mail_that_says_what_was_played() {
    let done = step(after("C4"), &[(1, "IF D2 B3"), (2, "D2")]);
    let seen = |seat| Hex::view(&done.state, &done.events, Seat(seat));
    assert_eq!([1, 2].map(|s| Hex::notice(&seen(s))), [Notice::Brief, Notice::Full]);
    let brief = format!("{:?}", Hex::brief(&seen(1), "en"));
    assert!(brief.contains("Blue played D2."), "{brief}");
    assert!(brief.contains("You played B3, a prepared answer."), "{brief}");
    assert!(brief.contains("Blue is to move"), "{brief}");
    let over = after("C1 A1 C2 A2 C3 A3 C4 A4 C5");
    assert_eq!([1, 2].map(|s| Hex::notice(&view(&over, s))), [Notice::Full; 2]);
}

#[test]
fn nothing_of_the_others_card_is_told() {
    let (state, card) = (after("A1 E5"), "C3\nIF D3 D2\nIF B4 B5");
    let with = step(state.clone(), &[(1, card)]);
    let without = step(state, &[(1, "C3")]);
    let told = |done: &engine::Stepped<State, hex::state::Move>| {
        let seen = Hex::view(&done.state, &done.events, Seat(2));
        format!("{:?} {:?}", Hex::report(&seen, "en"), Hex::brief(&seen, "en"))
    };
    assert_eq!(told(&with), told(&without));
}

#[test]
fn an_address_is_never_printed_and_a_name_is_the_robots() {
    let brief = Hex::brief(&view(&after("C3"), 1), "en");
    let Block::List(lines) = &brief[0] else { panic!("a list") };
    let spans: Vec<&Span> = lines.iter().flat_map(|l| &l.0).collect();
    assert!(spans.contains(&&Span::Player(Seat(2))), "{spans:?}");
}

#[test]
fn the_rulebook_has_the_figures_of_the_game() {
    let text = sections(&Hex::rulebook(&game(&[("size", "7"), ("turn_hours", "48")])));
    assert!(text.contains("7 columns, A to G") && text.contains("48 hours"), "{text}");
    let strict = sections(&Hex::rulebook(&game(&[("swap", "false")])));
    assert!(strict.contains("can't be swapped") && !strict.contains("SWAP:"), "{strict}");
}
