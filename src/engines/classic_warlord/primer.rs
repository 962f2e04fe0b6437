//! The introduction for newcomers: the aim, how to read a printout, a first card.

use super::computer;
use super::draft::Draft;
use super::map::Place;
use super::tables::Draft as How;
use super::view::{Scene, View};
use engine::{Dice, Primer};
use tongue::{mark, say, word};

/// Mountains in the example of a list.
const LISTED: usize = 6;
/// Wishes in a line of the suggestion: a longer line would wrap in the text of a mail.
const A_LINE: usize = 7;

/// The primer of a seat.
pub fn primer(view: &View) -> Primer {
    let aim = say!(
        "You lead one of {n} empires on a map of regions. Place armies, move them, and attack with \
         a secret number that the defender must guess; take regions, win bombs, and be the last \
         empire on the map.",
        n = view.sides.len()
    );
    let map = view.board.map();
    let mut reading = Vec::new();
    if let Some(place) = map.places().next() {
        let region = map.region(place);
        reading.push(say!(
            "A region has three digits, of which the first is its board: {number} is {name}. In \
             orders its name does as well. Letters behind a number tell the land: Y mega city, R \
             key region, G rural, B mountains, S sea, W lightly populated.",
            number = region.number,
            name = region.name
        ));
    }
    let needs = word(mark!("What needs orders now:"));
    reading.push(say!(
        "Seats move one after the other. What is yours to do stands under \"{heading}\"; you may \
         file your guesses in advance, so that nobody has to wait for you.",
        heading = needs.trim_end_matches(':')
    ));
    let mut orders = Vec::new();
    if let Scene::Draft(draft) = &view.scene {
        orders.extend(wishes(view, draft));
    }
    orders.push((
        "G * E".to_owned(),
        say!(
            "Whenever you are attacked, your guess is an even mix of all numbers. It stays on \
             file until you change it."
        ),
    ));
    Primer { aim, reading, orders }
}

/// Wishes for the draft: one for a draft with single picks, else the whole list of a computer in
/// several lines, because others have wishes too, and each mountain that is taken removes those
/// that touch it.
fn wishes(view: &View, draft: &Draft) -> Vec<(String, String)> {
    let map = view.board.map();
    let card = computer::play(view, &mut Dice::new(0)).card.text();
    let numbers: Vec<&str> = card.split_whitespace().skip(1).collect();
    let places: Vec<Place> = numbers.iter().filter_map(|n| map.find(n.parse().ok()?)).collect();
    let wanted = match view.options.draft {
        How::List => numbers.len(),
        How::Live => LISTED.min(numbers.len()),
    };
    let names: Vec<String> =
        places.iter().take(LISTED).map(|place| map.region(*place).name.clone()).collect();
    let first = match view.options.draft {
        How::Live => say!(
            "Your wishes for the mountain that you take now, the best first: {names}. You get the \
             first one that is still free.",
            names = names.join(", ")
        ),
        How::List => say!(
            "Your wishes for the mountains that you begin on, the best first: {names} and more. \
             You take about {takes}, in turn with the others, each time the first that is still \
             free; behind the end of your lists the lowest numbers are taken. So list \
             many more.",
            takes = draft.foreseen(&view.board, view.seat, &places),
            names = names.join(", ")
        ),
    };
    let line = |(n, numbers): (usize, &[&str])| {
        let says = if n == 0 { first.clone() } else { say!("The list goes on.") };
        (format!("S {}", numbers.join(" ")), says)
    };
    numbers[..wanted].chunks(A_LINE).enumerate().map(line).collect()
}
