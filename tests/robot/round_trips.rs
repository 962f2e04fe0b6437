//! Orders of computers in words, and those words with slips: they mean the order, are asked about or
//! are not read, and never mean another order.

use std::collections::BTreeSet;

use engine::wording;
use engine::{Dice, Match, Reader, Reading, Seat, Setup};
use registry::ENGINES;

/// Games, and their seats.
const GAMES: [(&str, u8); 5] = [
    ("warlord", 4),
    ("battle-plan", 4),
    ("classic-warlord", 4),
    ("empire-deluxe", 4),
    ("imperium", 2),
];
/// Steps that computers play.
const STEPS: usize = 14;

/// An order as it is compared: its section is written out.
fn plain(order: &str, section: &str) -> String {
    let order = order.replace(wording::ABOVE, "").replace(wording::WITHIN, section);
    order.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase()
}

/// The orders of a card, each with its section.
fn orders(game: &str, lines: impl Iterator<Item = String>) -> Vec<(String, String)> {
    let mut section = "@".to_owned();
    let mut all = Vec::new();
    for line in lines {
        section = wording::section(&line).unwrap_or(section);
        if game == "battle-plan" {
            let words = line.split_whitespace().filter(|w| !w.starts_with('@'));
            all.extend(words.map(|w| (format!("{section} {w}"), section.clone())));
        } else {
            // What stands behind an order of Empire Deluxe has its own words.
            let order = line.split(" THEN ").next().unwrap_or(&line);
            all.push((order.trim_end_matches(['!', '*', ' ']).trim().to_owned(), section.clone()));
        }
    }
    all
}

/// What a sentence means beside what was wanted.
#[derive(PartialEq, Eq, Debug)]
enum Means {
    Same,
    Asked,
    /// Other orders are asked about.
    Misled,
    Nothing,
    Other(Vec<String>),
}

fn means(reader: &Reader, line: &str, want: &str, section: &str) -> Means {
    let same = |orders: &Vec<String>| {
        let orders: Vec<String> = orders.iter().map(|order| plain(order, section)).collect();
        // What opens the block of an order stands before it.
        orders.last().is_some_and(|last| *last == plain(want, section))
            && (orders.len() == 1 || orders.len() < 4 && orders[0] != orders[orders.len() - 1])
    };
    match reader.read(line) {
        Reading::Orders(orders) if same(&orders) => Means::Same,
        Reading::Orders(orders) => Means::Other(orders),
        Reading::Several(all) if all.iter().any(same) => Means::Asked,
        Reading::Several(_) => Means::Misled,
        Reading::Idle | Reading::No => Means::Nothing,
    }
}

/// Looks at a sentence of a seat in a position; the order that it says, and its section.
type Check<'c> = dyn FnMut(&dyn Match, Seat, (&str, &str), &str) + 'c;

/// Calls back with each order of computers in each of its words.
fn each_sentence((game, seats): (&str, u8), check: &mut Check<'_>) {
    let engine = engine::find(&ENGINES, game).expect("an engine");
    let mut seen = BTreeSet::new();
    let setup = Setup { seats, ..Setup::default() };
    let mut trial = engine.trial(&setup, 1).expect("a game");
    for _ in 0..STEPS {
        let position = engine.open(&trial.saved()).expect("a game");
        for seat in position.wait().seats {
            let reader = position.reader(seat);
            let card = position.play(seat, "", &mut Dice::new(1)).card;
            for (order, section) in orders(game, card.lines.into_iter().map(|(_, line)| line)) {
                for sentence in reader.sentences(&order) {
                    if seen.insert((order.clone(), sentence.clone())) {
                        check(&*position, seat, (&order, &section), &sentence);
                    }
                }
            }
        }
        trial.write_cards();
        trial.step();
    }
}

#[test]
fn what_computers_order_means_the_same_when_it_is_said_in_words() {
    let mut all = 0;
    for game in GAMES {
        let (mut same, mut asked, mut said) = (0, 0, 0);
        each_sentence(game, &mut |position, seat, (order, section), sentence| {
            said += 1;
            match means(&position.reader(seat), sentence, order, section) {
                Means::Same => same += 1,
                Means::Asked => asked += 1,
                Means::Nothing => {}
                other => panic!("{}: {order}: {sentence:?}: {other:?}", game.0),
            }
        });
        // What could be two orders is asked.
        let understood = same * 100 >= said * 80 && (same + asked) * 100 >= said * 98;
        assert!(said > 30 && understood, "{}: {same}, {asked} of {said}", game.0);
        all += said;
    }
    assert!(all > 10_000, "{all} sentences");
}

/// What a changed sentence may mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum May {
    /// The same order.
    Same,
    /// An order of the same kind with another number.
    Differ,
    /// Nothing.
    Never,
}

/// A sentence with one thing changed in one word, each with what it may mean.
fn changed(sentence: &str, nth: usize) -> Vec<(String, May)> {
    let words: Vec<&str> = sentence.split(' ').collect();
    let mut all = Vec::new();
    for (n, word) in words.iter().enumerate() {
        let with = |word: String| {
            let words = words.iter().enumerate();
            let words = words.map(|(at, w)| if at == n { word.as_str() } else { w });
            words.collect::<Vec<_>>().join(" ")
        };
        let letters: Vec<char> = word.chars().collect();
        if letters.len() > 4 && letters.iter().all(|c| c.is_alphabetic()) {
            let at = 1 + nth % (letters.len() - 2);
            let slip = |change: &dyn Fn(&mut Vec<char>)| {
                let mut letters = letters.clone();
                change(&mut letters);
                (with(letters.into_iter().collect()), May::Same)
            };
            all.push(slip(&|w| w.swap(at, at + 1)));
            all.push(slip(&|w| {
                w.remove(at);
            }));
            all.push(slip(&|w| w.insert(at, w[at])));
            all.push(slip(&|w| w[at] = if w[at] == 'e' { 'a' } else { 'e' }));
        }
        if n > 0 {
            all.push((with(format!("not {word}")), May::Never));
            all.push((with(format!("if {word}")), May::Never));
            all.push((with(format!("the {word}")), May::Same));
            all.push((with(format!("{word}s")), May::Same));
        }
        if let Some(number) = word.parse::<u32>().ok().filter(|_| !word.starts_with('0')) {
            all.push((with((number + 1).to_string()), May::Differ));
        }
    }
    all
}

#[test]
fn a_slip_an_article_a_plural_or_a_negation_makes_no_other_order() {
    const EACH: usize = 29;
    let mut all = 0;
    for game in GAMES {
        let mut said = 0;
        each_sentence(game, &mut |position, seat, (order, section), sentence| {
            said += 1;
            // There are few of some games.
            if said > 60 && said % EACH != 0 {
                return;
            }
            for (line, what) in changed(sentence, said) {
                all += 1;
                let means = means(&position.reader(seat), &line, order, section);
                let right = match &means {
                    Means::Asked | Means::Misled | Means::Nothing => true,
                    Means::Same => what == May::Same,
                    Means::Other(other) => {
                        let alike = |o: &String| plain(o, section).get(..1) == order.get(..1);
                        // Not to share is an order of its own.
                        let hides = |o: &String| plain(o, section).ends_with('Z');
                        let shares = order.ends_with('F') && line.contains(" not ");
                        what == May::Differ && other.iter().any(alike)
                            || shares && other.iter().all(hides)
                    }
                };
                assert!(right, "{}: {order}: {sentence:?}, {line:?}: {means:?}", game.0);
            }
        });
    }
    assert!(all > 5_000, "{all} sentences");
}
