//! The help, made from the table of orders.

use super::super::verbs::Arm;
use super::rows::{Letters, ROWS, Reads, Row};
use engine::Topic;
use tongue::{say, word};

/// The letters that begin the other orders of the player; `R` stands for all orders that begin with
/// it.
fn of_players() -> String {
    let rows = ROWS.iter().filter(|row| !row.read.in_space());
    let letters = rows.flat_map(|row| row.starts).filter(|letters| !letters.to_player);
    let short = |letters: &Letters| match letters.heads {
        [first, _, _, ..] => vec![&first[..1]],
        few => few.to_vec(),
    };
    letters.flat_map(short).collect::<Vec<_>>().join(" ")
}

/// The letters of orders to the forces of a space, arm by arm.
fn of_spaces() -> String {
    let mut arms: Vec<(Arm, Vec<&str>)> = Vec::new();
    for row in ROWS {
        let Reads::Space(verb) = row.read else { continue };
        match arms.last_mut().filter(|(arm, _)| *arm == verb.arm()) {
            Some((_, words)) => words.push(row.word),
            None => arms.push((verb.arm(), vec![row.word])),
        }
    }
    arms.iter().map(|(_, words)| words.join(" ")).collect::<Vec<_>>().join(", ")
}

/// Help topics: player orders, space orders, sections, standing orders, messages.
pub fn help() -> Vec<Topic> {
    let topic = |name: &str, title: String, text: String, examples: Vec<String>| Topic {
        word: name.to_owned(),
        title: format!("{name}: {title}"),
        text,
        examples,
    };
    let owned = |list: &[&str]| list.iter().map(|e| (*e).to_owned()).collect::<Vec<_>>();
    let of_row = |row: &Row| {
        let mut examples = owned(row.examples);
        if row.word == "WIRE" {
            let texts = super::super::variants::canned_texts();
            examples.extend((1..).zip(texts).map(|(k, text)| format!("{k:>2}: {}", word(&text))));
        }
        let what = word(row.text);
        let text = match row.read {
            Reads::Player(_) => say!("Player order, below @: {what}."),
            Reads::Space(_) => say!("Space order, below @ and a code such as @TU: {what}."),
        };
        topic(row.word, row.form.to_owned(), text, examples)
    };
    let mut topics: Vec<Topic> = ROWS.iter().map(of_row).collect();
    topics.push(topic(
        "CARD",
        say!("How a card is written"),
        say!(
            "Player orders first, below @; then for each space a line with @ and its code, and \
             its orders. Several orders may stand on a line. What stands in brackets or behind # \
             or ; is a comment. A later card replaces an earlier one. Player orders begin with a \
             player's number, or with one of {at}; space orders with one of {space}. HELP with one \
             of these explains it.",
            at = of_players(),
            space = of_spaces()
        ),
        owned(&["@ 2A S1GB", "@TU BA15 BF15 AC20UK", "/1/BA999"]),
    ));
    topics.push(topic(
        "STANDING",
        say!("/1/ to /5/ before a space order"),
        say!(
            "A standing order of a country is used each turn behind the orders of the card; its \
             slot without an order cancels it, also when a blank and other orders follow."
        ),
        owned(&["@TU /1/BA999", "@TU /1/"]),
    ));
    topics.push(topic(
        "PRESS",
        "PRESS p [ANON] ... END, NEWS [ANON] ... END".to_owned(),
        say!(
            "A message to player p, to several (PRESS 2,3) or to ALL, with your number or \
             without; the lines up to END are printed in their next printout. NEWS goes into the \
             world newspaper of games that have one."
        ),
        vec!["PRESS 3".to_owned(), say!("Shall we divide Poland?"), "END".to_owned()],
    ));
    topics
}
