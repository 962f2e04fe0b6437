//! The words of the order desk in the reader's language, as its script takes them.
//!
//! A slot stays in its sentence, for the script to fill: `{line}`. A sentence that depends on a
//! number comes with the forms of [`SAMPLES`]; the script takes the form whose sample has the same
//! plural category as the script's own number.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use tongue::{Count, count, mark, say, word};

/// Numbers that include one of each plural category of every language.
pub(super) const SAMPLES: [i64; 7] = [0, 1, 2, 3, 5, 11, 100];

/// A sentence of the page.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub(super) enum Words {
    /// One form.
    One(String),
    /// A form for each of [`SAMPLES`].
    Counted(Vec<String>),
}

/// A number that chooses the form of a sentence and is written as the slot that the script fills.
struct Number(i64);

impl Count for Number {
    fn count(&self) -> i64 {
        self.0
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{n}")
    }
}

/// The names of orders and of their fields.
const TERMS: &[&str] = &[
    mark!("A-bomb"),
    mark!("Activate"),
    mark!("Advance"),
    mark!("Air force supports"),
    mark!("Airlift"),
    mark!("Ally"),
    mark!("Army supports"),
    mark!("Attack"),
    mark!("Attack from"),
    mark!("Bomb"),
    mark!("Bombard"),
    mark!("Build"),
    mark!("Build air force"),
    mark!("Build antimissiles"),
    mark!("Build armies"),
    mark!("Build industries"),
    mark!("Build missiles"),
    mark!("Build navies"),
    mark!("Captured cities build"),
    mark!("Coalition"),
    mark!("Combine"),
    mark!("Conquer"),
    mark!("Construct"),
    mark!("Counterspy"),
    mark!("Declare"),
    mark!("Declare ally"),
    mark!("Declare enemy"),
    mark!("Declare neutral"),
    mark!("Done"),
    mark!("Enemy"),
    mark!("Engage"),
    mark!("Engineering"),
    mark!("Explore"),
    mark!("Forget"),
    mark!("Give dollars"),
    mark!("Guess"),
    mark!("H-bomb"),
    mark!("Investigate"),
    mark!("Is my ally"),
    mark!("Is my enemy"),
    mark!("Is neutral"),
    mark!("Leave"),
    mark!("Link"),
    mark!("Load"),
    mark!("Move"),
    mark!("Move air force"),
    mark!("Move antimissiles"),
    mark!("Move armies"),
    mark!("Move missiles"),
    mark!("Move navies"),
    mark!("Navy supports"),
    mark!("Neutral"),
    mark!("New units explore"),
    mark!("Observe"),
    mark!("Place"),
    mark!("Plan of segment"),
    mark!("Play stone"),
    mark!("Position"),
    mark!("Produce"),
    mark!("Propaganda dollars"),
    mark!("Raid"),
    mark!("Repair"),
    mark!("Repair all"),
    mark!("Research"),
    mark!("Retreat"),
    mark!("Return"),
    mark!("Rocket"),
    mark!("Scrap"),
    mark!("Search ruins"),
    mark!("Sentry"),
    mark!("Spies"),
    mark!("Split"),
    mark!("Start"),
    mark!("Step"),
    mark!("Stop"),
    mark!("Swap stones"),
    mark!("Terraform"),
    mark!("Train counterspies"),
    mark!("Train spies"),
    mark!("Unload"),
    mark!("Upgrade"),
    mark!("Vote"),
    mark!("Wait turns"),
    // Fields.
    mark!("amount"),
    mark!("base"),
    mark!("carrier"),
    mark!("city"),
    mark!("fleet"),
    mark!("from"),
    mark!("general"),
    mark!("goal"),
    mark!("item"),
    mark!("kind"),
    mark!("number"),
    mark!("other"),
    mark!("pad"),
    mark!("place"),
    mark!("planet"),
    mark!("player"),
    mark!("secret"),
    mark!("site"),
    mark!("spot"),
    mark!("steps"),
    mark!("task"),
    mark!("to"),
    mark!("type"),
    mark!("unit"),
    mark!("units"),
    mark!("vote"),
];

/// The names of orders and of their fields in the reader's language, if that is not English.
pub(super) fn terms() -> BTreeMap<&'static str, String> {
    let said = TERMS.iter().map(|term| (*term, word(term).into_owned()));
    said.filter(|(term, said)| term != said).collect()
}

/// Every sentence of the page by its name there.
pub(super) fn all() -> BTreeMap<&'static str, Words> {
    let one = fixed().into_iter().chain(filled());
    let one = one.map(|(name, text)| (name, Words::One(text)));
    one.chain(counted().map(|(name, forms)| (name, Words::Counted(forms)))).collect()
}

/// Sentences without slots, by their names in the page.
const FIXED: &[(&str, &str)] = &[
    ("skip", mark!("Skip the map")),
    ("noscript", mark!("This page needs JavaScript. Answer the printout by mail instead.")),
    ("news", mark!("News")),
    ("map", mark!("Map")),
    ("places", mark!("Places")),
    ("search", mark!("Name or code")),
    ("go", mark!("Go")),
    ("map-size", mark!("Size of the map")),
    ("smaller", mark!("Smaller map")),
    ("larger", mark!("Larger map")),
    ("maps", mark!("Maps")),
    ("pick-end", mark!("Done")),
    ("signs", mark!("Signs of this map")),
    ("here", mark!("Here")),
    ("orders", mark!("Orders")),
    ("the-line", mark!("The line")),
    ("add", mark!("Add to card")),
    ("cancel", mark!("Cancel")),
    ("card", mark!("Your card")),
    ("card-lines", mark!("Your card, one order a line")),
    ("last", mark!("Remove last line")),
    ("undo", mark!("Undo")),
    ("clear", mark!("Clear")),
    ("copy", mark!("Copy")),
    ("mail", mark!("Write the mail")),
    (
        "card-note",
        mark!(
            "You may also write orders in words. The robot reads them and answers with its \
                 judgement of every line."
        ),
    ),
    ("check", mark!("Check of form")),
    (
        "key-note",
        mark!("This page holds the address that is the key to your seat. Pass it on to nobody."),
    ),
    ("card-forms", mark!("Forms of orders, from the printout")),
    ("printout", mark!("The printout")),
    ("no-map", mark!("This printout has no map.")),
    ("looking", mark!("This map is for looking only.")),
    ("yours", mark!("yours")),
    ("ally", mark!("ally")),
    ("figures-level", mark!("level")),
    ("not-in-sight", mark!("not in sight")),
    ("out-of-sight", mark!("not in sight now")),
    ("unknown", mark!("unknown")),
    ("anothers", mark!("another's, with the seat")),
    ("an-allys", mark!("an ally's")),
    ("pale", mark!("pale")),
    ("hatched", mark!("hatched")),
    ("dim", mark!("dim")),
    (
        "choose-place",
        mark!(
            "Choose a place: click it on the map, type its name, or move on the map with the \
                 arrow keys and press Enter."
        ),
    ),
    ("ground", mark!("Ground")),
    ("held-by", mark!("Held by")),
    ("you", mark!("you")),
    ("known", mark!("Known")),
    ("on-the-map", mark!("On the map")),
    ("next-to", mark!("Next to")),
    ("stands-here", mark!("What stands here")),
    ("by-hand", mark!("Write the orders on the card by hand.")),
    ("number", mark!("number")),
    ("add-one", mark!("Add…")),
    ("several", mark!("takes several")),
    ("choose", mark!("Choose…")),
    ("other", mark!("Something else…")),
    ("pick", mark!("Pick on map")),
    ("group-yours", mark!("Yours")),
    ("group-others", mark!("Others")),
    ("giver", mark!("Who gives the order")),
    ("click-another", mark!("Click another place.")),
    ("fill-giver", mark!("Fill in who gives the order first.")),
    ("undone", mark!("Undone.")),
    ("copy-note", mark!("Copy the card into an answer to the printout.")),
    (
        "long",
        mark!(
            "The card is long, and some mail programs cut such links. Use Copy, and paste it \
                 into an answer to the printout."
        ),
    ),
    ("copied", mark!("Copied. Paste it at the top of an answer to the printout.")),
    ("refused", mark!("The browser refused. The card is selected: press Ctrl+C or use the menu.")),
    ("remark", mark!("a remark")),
    ("too-long", mark!("too long for an order; the robot will say")),
    ("in-words", mark!("in words; the robot will read it")),
    ("strange", mark!("not recognised here; the robot will say")),
    ("of-letter", mark!("of the letter")),
    ("letter", mark!("a letter, up to a line END")),
    ("of-player", mark!("player orders follow")),
    ("empty", mark!("The card is empty.")),
    ("empty-undo", mark!("The card is empty. Undo brings it back.")),
    ("judges", mark!("The robot judges when the mail comes in.")),
    ("over", mark!("The game is over.")),
    ("glance", mark!("At a glance")),
    ("needs", mark!("What needs orders")),
];

/// Sentences without slots.
fn fixed() -> Vec<(&'static str, String)> {
    let said = FIXED.iter().map(|(name, text)| (*name, word(text).into_owned()));
    said.chain([("fit", say!(map: "Fit"))]).collect()
}

/// Sentences with slots that the script fills.
fn filled() -> Vec<(&'static str, String)> {
    let (engine, game, step, seat) = ("{engine}", "{game}", "{step}", "{seat}");
    let (title, player, heading) = ("{title}", "{player}", "{heading}");
    let (name, n, holder, place) = ("{name}", "{n}", "{holder}", "{place}");
    let (what, line, words, value) = ("{what}", "{line}", "{words}", "{value}");
    let (ways, one, other) = ("{ways}", "{one}", "{other}");
    vec![
        ("title", say!("{engine} {game}, {step}")),
        ("seat-of", say!("Order desk of seat {seat}, {title}")),
        ("seat-of-player", say!("Order desk of seat {seat}, {title} ({player})")),
        ("map-of", say!("Map: {name}")),
        ("seat", say!("seat {seat}")),
        ("level", say!("level {n}")),
        ("size", say!("size {n}")),
        ("held", say!("held: {holder}")),
        ("chosen", say!("Chosen: {place}.")),
        ("is-chosen", say!("{what} chosen.")),
        ("ground-unseen", say!("{name}, not in sight now")),
        ("everything", say!("Everything you can name ({n})")),
        ("for", say!("For {what}")),
        ("other-orders", say!("Other orders ({n})")),
        ("all-orders", say!("All orders ({n})")),
        ("add-to", say!("Add to {what}")),
        ("something-else", say!("{what}, something else")),
        ("pick-what", say!("Pick {what} on the map")),
        ("picking", say!("Now click the map: it fills “{what}”.")),
        ("no-fit", say!("{place} does not fit “{what}”.")),
        ("fill-first", say!("Fill in “{what}” first.")),
        ("below-country", {
            say!("{words}. It stands below the line of a country, such as {line}")
        }),
        ("below-player", say!("{words}. It stands below a line “@” alone")),
        ("not-yours", say!("no {what} {value} that you have")),
        ("not-known", say!("no {what} {value} known here")),
        ("form", say!("not in the form {ways}; the robot will say")),
        ("or", say!("{one} or {other}")),
        ("of-country", say!("orders of {name} follow")),
        ("no-place", say!("no place {place} on the map")),
        ("line", say!("line {n}: {words}")),
        ("table", say!("{heading}, table {n}")),
        ("not-found", say!("No place {place} on the map.")),
        ("removed", say!("Removed: {line}")),
    ]
}

/// Sentences that depend on a number, with the forms of all samples.
fn counted() -> impl Iterator<Item = (&'static str, Vec<String>)> {
    let of = |form: &dyn Fn(Number) -> String| SAMPLES.map(|n| form(Number(n))).to_vec();
    let (line, lines) = ("{line}", "{lines}");
    [
        ("units", of(&|n| count!(n, "{n} unit", "{n} units"))),
        ("lines", of(&|n| count!(n, "{n} line", "{n} lines"))),
        ("things", of(&|n| count!(n, "{n} thing of yours.", "{n} things of yours."))),
        (
            "added",
            of(&|n| {
                count!(
                    n,
                    "Added: {line}. The card has {n} line.",
                    "Added: {line}. The card has {n} lines."
                )
            }),
        ),
        (
            "all-known",
            of(&|n| {
                count!(
                    n,
                    "{n} line has a form that the page knows.",
                    "{n} lines have a form that the page knows."
                )
            }),
        ),
        (
            "some-known",
            of(&|n| {
                count!(
                    n,
                    "{n} of {lines} has a form that the page knows.",
                    "{n} of {lines} have a form that the page knows."
                )
            }),
        ),
    ]
    .into_iter()
}

#[cfg(test)]
mod tests {
    use super::super::{PAGE, SCRIPT};
    use super::*;

    /// The names between two marks, wherever the first of them is.
    fn between<'a>(text: &'a str, from: &'a str, to: &'a str) -> impl Iterator<Item = &'a str> {
        text.split(from).skip(1).filter_map(move |rest| rest.split_once(to).map(|(name, _)| name))
    }

    #[test]
    fn the_page_and_its_script_have_every_sentence_that_they_name() {
        let all = all();
        let parts = ["policy", "title", "style", "script", "lang", "data"];
        let page = between(PAGE, "{{", "}}").filter(|name| !parts.contains(name));
        for name in page.chain(between(SCRIPT, "told(\"", "\"")) {
            assert!(all.contains_key(name), "{name}");
        }
        for name in not_of_the_page(&all) {
            assert!(SCRIPT.contains(&format!("\"{name}\"")), "nobody says {name}");
        }
    }

    /// Names that the page itself does not have.
    fn not_of_the_page(all: &BTreeMap<&'static str, Words>) -> Vec<&'static str> {
        all.keys().copied().filter(|name| !PAGE.contains(&format!("{{{{{name}}}}}"))).collect()
    }

    #[test]
    fn what_counts_has_the_form_of_each_sample_and_keeps_its_slot() {
        let all = all();
        let Some(Words::Counted(forms)) = all.get("lines") else { panic!("it counts") };
        let many = "{n} lines";
        assert_eq!(forms, &[many, "{n} line", many, many, many, many, many]);
        assert!(terms().is_empty(), "English terms are what they are");
    }
}
