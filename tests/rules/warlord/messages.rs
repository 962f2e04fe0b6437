//! §12: messages, broadcasts, addresses disclosed.

use engine::Mark;
use warlord::desk::Param;
use warlord::events::Event;
use warlord::tables::Terrain;

use super::board::*;

fn letters(board: &Board, seat: u8) -> Vec<(u8, bool, Vec<u16>)> {
    let of = |e: &Event| match e {
        Event::Message { from, broadcast, sentences } => {
            let codes = sentences.iter().map(|s| s.sentence.code).collect();
            Some((*from, *broadcast, codes))
        }
        _ => None,
    };
    board.heard(seat).filter_map(of).collect()
}

/// Twenty seats; seat 5 has three cities.
fn twenty() -> Board {
    let drawing = "~~~~~~~~
                   ~A.B.C.~
                   ~~~~~~~~";
    Board::new(20, drawing).city(1, 5, 'A').city(2, 5, 'B').city(3, 5, 'C')
}

#[test]
fn the_rulebooks_message_gives_five_sentences_and_a_remark() {
    let mut board = twenty();
    let card = "Y 10 151 155 117\n-- 20 123 310 3";
    let marks: Vec<Mark> = board.judge(5, card).lines.iter().map(|l| l.mark).collect();
    assert_eq!(marks[0], Mark::Ok);
    assert!(matches!(marks[1], Mark::Warning | Mark::Remark), "the 3 is ignored, not an error");
    board.play(&[(5, card)]);
    assert_eq!(letters(&board, 10), [(5, false, vec![151, 155, 117, 123, 310])]);
    for other in (1..=20).filter(|s| *s != 10) {
        assert_eq!(letters(&board, other), [], "seat {other} hears nothing");
    }
    let event = board.heard(10).find(|e| matches!(e, Event::Message { .. }));
    let Some(Event::Message { sentences, .. }) = event else { panic!("a message arrived") };
    assert_eq!(sentences[2].sentence.params, [Param::Number(20)]);
    assert_eq!(sentences[4].values, ["3"], "the number of cities is the game's to fill in");
    let text = board.section(10, "Messages");
    let flat: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("Message from player 5 follows...."), "{text}");
    // The message asks for the address and gives the sender's; it names player 20.
    assert!(flat.contains("<5>") && flat.contains("layer 20"), "{text}");
    assert!(flat.contains("3 cities") || flat.contains("3 Cities"), "{text}");
}

#[test]
fn values_are_those_of_the_sender_when_messages_are_carried() {
    let mut board = twenty().stock(5, 9).unit(5, 1, (7, INFANTRY), 'A');
    board = board.unit(5, 2, (2, DESTROYER), 'A').ally(5, 3);
    let planes = &mut board.city_mut(2).hangar.planes;
    (planes.fighters, planes.bombers) = (4, 6);
    // Units built this turn exist before the message is delivered.
    board.play(&[(5, "Y 10 311 312 313 314 316 318 409\nC 1 3")]);
    let event = board.heard(10).find(|e| matches!(e, Event::Message { .. }));
    let Some(Event::Message { sentences, .. }) = event else { panic!("a message arrived") };
    let values: Vec<&str> = sentences.iter().flat_map(|s| &s.values).map(String::as_str).collect();
    // One division, two ships, four fighters, six bombers, level 1, 9 - 5 PP, an ally.
    assert_eq!(values, ["1", "2", "4", "6", "1", "4", "3"]);
}

#[test]
fn sectors_in_messages_are_written_with_a_dash() {
    let mut board = twenty();
    board.play(&[(5, "Y 10 103 00402")]);
    assert!(board.section(10, "Messages").contains("004-02"));
}

#[test]
fn case_39_a_broadcast_reaches_all_players_once_each() {
    let mut board = twenty();
    board.play(&[(5, "Y 101 151")]);
    for other in (1..=20).filter(|s| *s != 5) {
        assert_eq!(letters(&board, other), [(5, true, vec![151])], "seat {other}");
    }
    let text = board.section(7, "Messages");
    assert!(text.contains("Broadcast sent from player 5 follows...."), "{text}");
}

#[test]
fn in_a_game_of_more_than_a_hundred_seats_101_is_a_seat_and_0_is_everybody() {
    let drawing = "~~~~\n~AB~\n~~~~";
    for (seats, all) in [(100, ["0", "101"].as_slice()), (102, ["0"].as_slice())] {
        let mut board = Board::new(seats, drawing).city(1, 5, 'A').city(2, 7, 'B');
        for player in all {
            board.play(&[(5, &format!("Y {player} 151"))]);
            assert_eq!(letters(&board, 7), [(5, true, vec![151])], "{seats} seats, {player}");
        }
    }
    let mut board = Board::new(102, drawing).city(1, 5, 'A').city(2, 101, 'B');
    board.play(&[(5, "Y 101 151")]);
    assert_eq!(letters(&board, 101), [(5, false, vec![151])]);
    assert_eq!(letters(&board, 7), []);
}

#[test]
fn a_writer_reads_the_message_in_words_in_the_echo_and_in_the_printout() {
    let mut board = twenty();
    let line = &board.judge(5, "Y 10 151 117\n-- 20 310").lines[0];
    assert!(line.note.starts_with("to player 10: \""), "{line:?}");
    assert!(line.note.contains("layer 20") && line.note.contains("3 cities"), "{line:?}");
    assert!(board.echo(5, "Y 101 155").note.contains("as far as you disclose them"));
    board.play(&[(5, "Y 10 151 117\n-- 20 310")]);
    let told = board.section(5, "Messages");
    assert!(told.contains("You wrote to player 10: \"") && told.contains("layer 20"), "{told}");
}

#[test]
fn a_message_to_nobody_refuses_all_its_lines() {
    let judged = twenty().judge(5, "Y 5 151\n-- 123");
    let marks: Vec<Mark> = judged.lines.iter().map(|l| l.mark).collect();
    assert_eq!(marks, [Mark::Error; 2], "{judged:?}");
    assert_eq!(judged.lines[1].note, "not sent because of line 1");
}

#[test]
fn a_message_with_a_fault_is_not_sent_in_part() {
    let mut board = twenty();
    board.play(&[(5, "Y 10 151\n-- 999")]);
    assert_eq!(letters(&board, 10), []);
    assert_eq!([1, 2].map(|line| board.result(5, line).0), [Mark::Error; 2]);
}

/// Seats 1 and 2 two sectors apart, seat 3 far off.
fn strangers() -> Board {
    let drawing = "~~~~~~~~~~~~~
                   ~A.B......C.~
                   ~...........~
                   ~~~~~~~~~~~~~";
    Board::new(3, drawing).unit(1, 1, (1, INFANTRY), 'A').unit(2, 1, (1, INFANTRY), 'B').unit(
        3,
        1,
        (1, INFANTRY),
        'C',
    )
}

#[test]
fn case_40_addresses_are_disclosed_exactly_for_players_met_this_turn() {
    let mut board = strangers();
    board.play(&[]);
    for seat in 1..=3 {
        assert!(!board.section(seat, "Addresses").contains('<'), "nobody has met yet");
    }
    board.play(&[(1, "M 1 3")]);
    let (first, second) = (board.section(1, "Addresses"), board.section(2, "Addresses"));
    assert!(first.contains("<2>") && !first.contains("<3>"), "{first}");
    assert!(second.contains("<1>") && !second.contains("<3>"), "{second}");
    assert!(!board.section(3, "Addresses").contains('<'));
    assert!(first.contains("turn 2"), "with the date of the first meeting: {first}");
    board.play(&[(1, "M 1 7")]);
    assert!(!board.section(1, "Addresses").contains('<'), "they met before, not this turn");
    board.play(&[(1, "M 1 3")]);
    let again = board.section(1, "Addresses");
    assert!(again.contains("<2>") && again.contains("turn 2"), "{again}");
}

#[test]
fn case_40_forces_that_fought_have_met_though_none_is_left() {
    let mut board = strangers().unit(2, 2, (30, INFANTRY), 'B');
    board.play(&[(1, "M 1 33")]);
    assert!(!board.lives(1, 1));
    assert!(board.section(1, "Addresses").contains("<2>"));
    assert!(board.section(2, "Addresses").contains("<1>"));
}

#[test]
fn case_40_a_submarine_meets_nobody_who_can_not_see_it() {
    let drawing = "~~~~~~~
                   ~~A.S~~
                   ~~~~~~~";
    let mut board = Board::new(2, drawing).ground('S', Terrain::Sea);
    board = board.unit(1, 1, (1, INFANTRY), 'A').unit(2, 1, (1, 14), 'S');
    board.play(&[(1, "M 1 3")]);
    assert!(!board.section(1, "Addresses").contains('<'));
    assert!(board.section(2, "Addresses").contains("<1>"), "the submarine sees");
}
