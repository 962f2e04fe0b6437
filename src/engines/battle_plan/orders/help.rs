//! The table of player orders, and the help made from it and from that of space orders.

use super::super::verbs::VERBS;
use engine::Topic;
use tongue::{mark, say, word};

/// A row of the table of player orders.
pub struct PlayerRow {
    /// The word that asks for help.
    pub word: &'static str,
    /// How it is written.
    pub form: &'static str,
    /// What it does, in English; [`tongue::word`] says it.
    pub means: &'static str,
    /// Orders as a player would write them.
    pub examples: &'static [&'static str],
}

const fn player(
    word: &'static str,
    form: &'static str,
    means: &'static str,
    examples: &'static [&'static str],
) -> PlayerRow {
    PlayerRow { word, form, means, examples }
}

/// All player orders.
pub const PLAYER_ROWS: &[PlayerRow] = &[
    player("STANCE", "pA pN pE", mark!("declare player p ally, neutral or enemy"), &["2A", "3E"]),
    player("GIFT", "pDn", mark!("give n Dollars to player p"), &["4D25"]),
    player("PERMIT", "pK pX", mark!("let player p pass your straits and canals, or not"), &["2K"]),
    player(
        "SHARE",
        "pF pH pZ",
        mark!(
            "show player p everything that you see, everything but your own countries, or \
             nothing"
        ),
        &["2F", "6H", "1Z"],
    ),
    player(
        "SPIES",
        "SnCCC pSn",
        mark!("send n spies to CCC, or spread them over p's countries"),
        &["S1GB", "3S10", "0S8"],
    ),
    player(
        "COUNTERSPIES",
        "CnCCC pCn",
        mark!("use n counterspies in CCC this turn, or spread them over p's countries"),
        &["C1TU", "1C10"],
    ),
    player("TRAIN", "TSn TCn", mark!("train spies or counterspies for n Dollars"), &["TS5"]),
    player(
        "RESEARCH",
        "RIn RAn RNn RFn RMn RXn RSn RCn",
        mark!("spend n Dollars on the multiplier of that item"),
        &["RF20"],
    ),
    player(
        "PROPAGANDA",
        "PnCCC pPn",
        mark!("spend n Dollars on propaganda in CCC, or spread them over p's countries"),
        &["P10CY", "3P30"],
    ),
    player(
        "OPTION",
        "U1 U2",
        mark!("numbers instead of names; one list of spaces (again: back)"),
        &["U2"],
    ),
    player(
        "DEFAULT",
        "BIn BAn BNn BFn BMn BXn BDn",
        mark!("proportion (0 to 100) of what idle industry builds"),
        &["BA50 BN25 BF25"],
    ),
    player(
        "OPINION",
        "pG3 pG2 pG1 pB3 pB2 pB1",
        mark!("put player p on your list of good or bad powers (games with world opinion)"),
        &["4B3", "0G2"],
    ),
    player(
        "WIRE",
        "pWk pWkXXX",
        mark!("send fixed text k to player p (anonymous games)"),
        &["3W11UK"],
    ),
];

/// Help topics: player orders, space orders, sections, standing orders, messages.
pub fn help() -> Vec<Topic> {
    let topic = |name: &str, title: String, text: String, examples: Vec<String>| Topic {
        word: name.to_owned(),
        title: format!("{name}: {title}"),
        text,
        examples,
    };
    let owned = |list: &[&str]| list.iter().map(|e| (*e).to_owned()).collect::<Vec<_>>();
    let of_player = |r: &PlayerRow| {
        let text = say!("Player order, below @: {what}.", what = word(r.means));
        let mut examples = owned(r.examples);
        if r.word == "WIRE" {
            let texts = super::super::variants::canned_texts();
            examples.extend((1..).zip(texts).map(|(k, text)| format!("{k:>2}: {}", word(&text))));
        }
        topic(r.word, r.form.to_owned(), text, examples)
    };
    let mut topics: Vec<Topic> = PLAYER_ROWS.iter().map(of_player).collect();
    topics.extend(VERBS.iter().map(|r| {
        let example = r.form.replace('n', "5").replace("XXX", "UK").replace("CCC", "UK");
        let text =
            say!("Space order, below @ and a code such as @TU: {what}.", what = word(r.means));
        topic(r.head, r.form.to_owned(), text, vec![example])
    }));
    topics.push(topic(
        "CARD",
        say!("How a card is written"),
        say!(
            "Player orders first, below @; then for each space a line with @ and its code, and \
             its orders. Several orders may stand on a line. What stands in brackets or behind # \
             or ; is a comment. A later card replaces an earlier one. Player orders begin with a \
             player's number, or with S C P TS TC R U B; space orders with BI BA BN BF BM BX, AT \
             AC AB AS, NT NS NN, FT FS FA FN FF FI, MT MA MF MI or XT. HELP with one of these \
             explains it."
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
