//! The table of orders (§8).

use engine::orders::{Bad, OrderRow, bare, never, nothing, number};
use engine::syntax::Words;
use tongue::mark;

use super::Order;
use super::reader::{Read, Reader, test};

/// A row of the table of orders.
pub type Row = OrderRow<fn(&Reader, &Words) -> Read<Order>>;

/// Every order, in the order of a turn.
pub const ROWS: &[Row] = &[
    Row {
        word: "S",
        form: mark!("S region region ..."),
        text: mark!(
            "Mountains that you would like to begin on, the best first. The robot runs the draft \
               and takes the first of your list that is still possible, round by round; behind the \
               end of the list it takes the one with the lowest number. Name many."
        ),
        examples: &["S 518 522 524 528", "S 513"],
        starts: item,
        read: |r, w| r.prefer(&w.rest),
    },
    Row {
        word: "H",
        form: mark!("H from target"),
        text: mark!(
            "Fires the whole H-bomb of a region of yours at any region that its units reach, or \
               at its own. The target and all next to it are radioactive for ever; all of these \
               and their neighbours lose every army, and bombs there go off too. H-bombs come \
               before A-bombs, and both before extra armies."
        ),
        examples: &["H 507 501"],
        starts: item,
        read: |r, w| r.fire_h(&w.rest),
    },
    Row {
        word: "A",
        form: mark!("A from target site ..."),
        text: mark!(
            "Fires the whole A-bomb of a region of yours. The target is radioactive for ever; it \
               and all next to it lose every army, and bombs there go off too. You win an H-bomb \
               unit for it, on the first of your sites that is possible: in the empire that fired, \
               not devastated, without an A-bomb."
        ),
        examples: &["A 505 544 504 562"],
        starts: item,
        read: |r, w| r.fire_a(&w.rest),
    },
    Row {
        word: "P",
        form: mark!("P region number"),
        text: mark!(
            "Places extra armies. Each empire claims its own, and they go to its own regions; * \
               is all that it has left. What you leave over goes to the empire's region with most \
               armies before anything moves."
        ),
        examples: &["P 501 3", "P 549 *"],
        starts: item,
        read: |r, w| r.put(&w.rest),
    },
    Row {
        word: "M",
        form: mark!("M from to number"),
        text: mark!(
            "Moves armies to an empty region next to theirs. One army stays behind; * is all but \
               one. They may go on from there in the same turn."
        ),
        examples: &["M 501 549 2", "M 549 553 *"],
        starts: item,
        read: |r, w| r.march(&w.rest),
    },
    Row {
        word: "K",
        form: mark!("K from to number ... [@ site ...]"),
        text: mark!(
            "Attacks a region of another player next to yours, with 2 armies at least. The number \
               is your secret: 1 to 6, and not above your armies there. If it is guessed you lose \
               so many armies, else the defender loses one, you win an A-bomb unit, and when the \
               region is empty so many of yours advance. More numbers attack again, as long as the \
               region is held and you have 2 armies. A number may be U (any), E (an even mix) or \
               weights for 1, 2 and so on, such as 3:2:1. Sites behind @ are where the unit would \
               go."
        ),
        examples: &["K 501 549 3 2 1 @ 501", "K 501 549 E E", "K 501 549 3:2:1"],
        starts: item,
        read: |r, w| r.attack(&w.rest),
    },
    Row {
        word: "IF",
        form: mark!("IF test ... ELSE ... FI"),
        text: mark!(
            "The lines up to ELSE or FI are done only if the test is true then, those behind ELSE \
               only if it is not. Tests: W the last attack succeeded, C it captured, L it failed, \
               N region > number (or < or =) for the armies there, O region seat for its owner (0: \
               nobody). ! in front turns a test round. Blocks may stand within blocks."
        ),
        examples: &["IF C", "IF !W", "IF N 501 > 4", "IF O 549 2"],
        starts: test_begins,
        read: |r, w| test(r, w.tail).map(Order::If),
    },
    Row {
        word: "ELSE",
        form: "ELSE",
        text: mark!("Begins the lines that are done when the test of IF is not true."),
        examples: &["ELSE"],
        starts: nothing,
        read: |_, w| bare(&w.rest, Order::Else),
    },
    Row {
        word: "FI",
        form: "FI",
        text: mark!("Ends the lines of IF."),
        examples: &["FI"],
        starts: nothing,
        read: |_, w| bare(&w.rest, Order::Fi),
    },
    Row {
        word: "Z",
        form: "Z",
        text: mark!(
            "Ends a part of your turn: what stands above is done, you get a printout at once and \
               go on with another card. The last part of a turn has no Z."
        ),
        examples: &["Z"],
        starts: nothing,
        read: |_, w| bare(&w.rest, Order::Pause),
    },
    Row {
        word: "G",
        form: mark!("G scope ... guess"),
        text: mark!(
            "What you guess when you are attacked, on file until you change it; the first line \
               that fits counts, and new lines come before old ones. Scopes, which all must fit: * \
               always, a region, a category (Y R G B S W), P2 attacked by seat 2, M4 when the number \
               is 4 at most, D2 with 2 armies there (6: six or more). The guess: a number, 3/1/2 for \
               the first, second, third attack on the region in a turn, U, E, or weights such as \
               2:2:1. LIVE before it asks you by mail first. G 0 takes all lines away."
        ),
        examples: &["G * E", "G 501 M6 2:2:1:1:1:1", "G Y LIVE 3/2", "G 0"],
        starts: guess,
        read: |r, w| r.policy(&w.rest),
    },
    Row {
        word: "Q",
        form: mark!("Q number"),
        text: mark!(
            "Your guess when the robot asks for one; two numbers where you have two guesses."
        ),
        examples: &["Q 3"],
        starts: |rest| number(rest) && rest.len() <= 2,
        read: |r, w| r.answer(&w.rest),
    },
    Row {
        word: "V",
        form: mark!("V DRAW or V NODRAW"),
        text: mark!(
            "Votes for a draw, or takes the vote back. When all who play vote for it, the game \
               ends drawn."
        ),
        examples: &["V DRAW", "V NODRAW"],
        // A misspelt vote must get an error, so a short word counts.
        starts: |rest| rest.len() == 1 && rest[0].len() <= 8,
        read: |r, w| r.vote(&w.rest),
    },
    Row {
        word: "PRESS",
        form: mark!("PRESS seat ... END"),
        text: mark!(
            "A letter to another player, to several (PRESS 2,3) or to ALL; it comes with their next \
               mails. ANON behind the seats leaves your name out. Its text begins on the next line, \
               and END stands alone below it."
        ),
        examples: &["PRESS 2", mark!("Shall we leave the sea to each other?"), "END"],
        // Letters are removed from a card before its orders are read.
        starts: never,
        read: |_, _| Err(Bad::Form),
    },
];

/// Words with more than two letters.
fn wordy<'w>(rest: &'w [&str]) -> impl Iterator<Item = &'w str> {
    let letters = |w: &str| w.chars().filter(|c| c.is_alphabetic()).count();
    rest.iter().copied().filter(move |w| letters(w) > 2)
}

/// A number, followed by at most one word of more than two letters.
fn item(rest: &[&str]) -> bool {
    number(rest) && wordy(rest).count() <= 1
}

fn guess(rest: &[&str]) -> bool {
    !rest.is_empty() && wordy(rest).all(|w| w.eq_ignore_ascii_case("live"))
}

fn test_begins(rest: &[&str]) -> bool {
    let first = rest.first().copied().unwrap_or_default().to_ascii_lowercase();
    wordy(rest).count() == 0 && first.starts_with(['!', 'w', 'c', 'l', 'n', 'o'])
}
