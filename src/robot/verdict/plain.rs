//! Answers questions in plain sentences: with what is known of the places that they name, with the
//! rulebook, or else with what there is to do now.

use engine::report::{Block, Line, Section};
use engine::{Ask, Names, Seat};
use store::Status;
use tongue::say;

use super::case::{Claim, Tools};
use crate::context::Result;
use crate::lookup;
use crate::text::{is_question, printed};

/// Questions in one mail that are answered, at most.
const QUESTIONS_MAX: usize = 3;
/// Places in one question that are looked up, at most.
const PLACES_MAX: usize = 3;
/// Words of a place's name, at most.
const NAME_WORDS_MAX: usize = 3;
/// Words of a question that are looked up in the rulebook, at most.
const WORDS_MAX: usize = 8;
/// Lines of the rulebook that answer a question, at most.
const SAID_MAX: usize = 4;
/// Lines of the rulebook that may have a word: a word in more lines is too common.
const SAID_EVERYWHERE: usize = 30;
/// Sorts of names that games use for kinds of units.
const KINDS: [&str; 2] = ["item", "kind"];
/// Longer words of daily life, which the rulebook has as well.
const COMMON: [&str; 24] = [
    "about", "after", "again", "against", "before", "best", "could", "first", "game", "going",
    "happens", "little", "number", "other", "order", "orders", "please", "should", "start",
    "strong", "their", "there", "these", "would",
];
/// Characters of a question that are repeated, at most.
const SHOWN: usize = 70;

/// A sentence on how to ask questions.
pub(super) fn how_to_ask() -> String {
    say!(
        "Questions are answered at once in these forms: \"LOOK place\", \"DISTANCE place place\", \
         \"ODDS unit place\", \"WHO\", \"WHAT\" (what needs orders), and \"HELP\" with a word, such \
         as the name of a unit."
    )
}

/// The answer to the questions among lines. `None`: there are none, or the game does not run. With
/// `beside`, the mail has orders, which change what there is to do, so the answer does not show
/// that.
///
/// # Errors
/// [`crate::RobotError`] when the store fails, or the engine does.
pub(crate) fn answer(
    tools: Tools,
    claim: &Claim,
    lines: &[String],
    beside: bool,
) -> Result<Option<Vec<Section>>> {
    // Nobody asks a question in a longer line.
    let most = tools.cx.limits.line_chars_max;
    let short = |l: &&String| l.len() <= most && is_question(l);
    let asked: Vec<&String> = lines.iter().filter(short).take(QUESTIONS_MAX).collect();
    if asked.is_empty() || claim.game.status != Status::Running {
        return Ok(None);
    }
    let (game, seat) = (&claim.game, claim.seat.seat);
    let open = tools.games().open(game)?;
    let reader = tools.games().shielded(&game.code, || open.reader(seat))?;
    let book = tools.games().rulebook(game, open.as_ref(), Some(seat))?;
    let mut sections = Vec::new();
    let mut to_do = false;
    for line in asked {
        let mut known = of_the_turn(tools, claim, line, beside)?;
        for place in places(reader.names(), line) {
            let look = || open.answer(seat, &Ask::Look(&place));
            known.extend(tools.games().shielded(&game.code, look)?);
        }
        let mut known = tools.printer().filled(game, &claim.seat, known)?;
        if known.is_empty() {
            known = of_the_rules(&book, reader.names(), line);
        }
        to_do |= known.is_empty() && !beside;
        let blocks = match known.is_empty() {
            false => vec![Block::List(known)],
            true if beside => vec![Block::Para(how_to_ask().into())],
            true => {
                let text = say!(
                    "It names nothing that can be looked up; what you may do now stands below."
                );
                vec![Block::Para(text.into())]
            }
        };
        // In a heading, the line is not read as an order if it comes back without a mark of
        // quoting.
        let asked: String = printed(line).chars().take(SHOWN).collect();
        sections.push(Section { heading: say!("You asked: {asked}"), blocks });
    }
    if to_do {
        sections.push(what_to_do(tools, claim, seat)?);
    }
    Ok(Some(sections))
}

/// Words of a question about the time of the next turn, in the robot's languages.
const WHEN: [&str; 2] = ["when", "wann"];
const TURN: [&str; 8] = ["turn", "deadline", "due", "run", "runs", "runde", "zug", "frist"];
/// Words of a question about the player's own orders.
const ORDERS: [&str; 2] = ["orders", "befehle"];
const FILE: [&str; 6] = ["file", "filed", "have", "got", "habe", "gespeichert"];

/// The answer to a question about the deadline or the orders on file; empty for any other.
fn of_the_turn(tools: Tools, claim: &Claim, line: &str, beside: bool) -> Result<Vec<Line>> {
    let words: Vec<String> =
        line.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    let any = |of: &[&str]| words.iter().any(|w| of.contains(&w.as_str()));
    let (game, row) = (&claim.game, &claim.seat);
    let mut told: Vec<Line> = Vec::new();
    if any(&WHEN) && any(&TURN) {
        told.push(tools.mailer().due_line(game, Some(row.seat), &row.zone, tools.cx.now()).into());
        if game.runs_early() {
            let says = say!(
                "READY on a line of its own says that you are done: the turn runs as soon as all \
                 who are awaited are. Computers always are."
            );
            told.push(says.into());
        }
    }
    // With `beside`, the echo shows the orders on file.
    if any(&ORDERS) && any(&FILE) && !beside {
        let filed = tools.store.mails().orders(&game.code, row.seat, game.turn)?;
        let lines = filed.map(|f| f.card.lines).unwrap_or_default();
        match lines.is_empty() {
            true => told.push(say!("No orders of yours are on file.").into()),
            false => {
                told.extend(lines.iter().map(|(_, l)| say!("On file: {l}", l = printed(l)).into()))
            }
        }
    }
    Ok(told)
}

/// What needs orders, and orders to copy.
fn what_to_do(tools: Tools, claim: &Claim, seat: Seat) -> Result<Section> {
    let game = &claim.game;
    let open = tools.games().open(game)?;
    let headline = tools.printer().headline(game, open.as_ref(), &claim.seat)?;
    let mut blocks = Vec::new();
    if !headline.needs.is_empty() {
        blocks.push(Block::List(headline.needs));
    }
    let good = tools.printer().good_orders(game, open.as_ref(), seat)?;
    if let Some(table) = good {
        blocks.push(Block::Para(say!("Orders that you may copy:").into()));
        blocks.push(Block::Table(table));
    }
    if blocks.is_empty() {
        blocks.push(Block::Para(say!("Nothing needs orders of yours now.").into()));
    }
    Ok(Section { heading: say!("What you may do now"), blocks })
}

/// Lines of the rulebook on the first word of a question that it knows.
fn of_the_rules(book: &[Section], names: &Names, line: &str) -> Vec<Line> {
    let words = || line.split(|c: char| !c.is_alphanumeric());
    let telling = |w: &&str| w.chars().count() > 4 && !COMMON.contains(&w.to_lowercase().as_str());
    // Kinds of units come first: most questions are about them.
    let kind = |w: &&str| {
        w.chars().count() > 2 && KINDS.iter().any(|sort| !names.exact(sort, w).is_empty())
    };
    for word in words().filter(kind).chain(words().filter(telling)).take(WORDS_MAX) {
        let (found, _) = lookup::found(book, word);
        // A word that is nearly everywhere says nothing.
        if (1..=SAID_EVERYWHERE).contains(&found.len()) {
            let told = found.into_iter().take(SAID_MAX);
            return told.map(|(chapter, said)| format!("{chapter}: {said}").into()).collect();
        }
    }
    Vec::new()
}

/// The codes of the places that a line names, the longest names first.
fn places(names: &Names, line: &str) -> Vec<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while at < words.len() && found.len() < PLACES_MAX {
        let longest = (1..=NAME_WORDS_MAX.min(words.len() - at)).rev();
        let named = longest.filter_map(|n| {
            let name = words[at..at + n].join(" ");
            // A short word of a sentence may be a code by chance.
            let telling = name.chars().filter(|c| c.is_alphabetic()).count() > 3
                || name.chars().any(|c| c.is_ascii_digit());
            match names.exact("place", &name).as_slice() {
                [one] if telling => Some((n, one.clone())),
                _ => None,
            }
        });
        match named.into_iter().next() {
            Some((n, code)) => {
                if !found.contains(&code) {
                    found.push(code);
                }
                at += n;
            }
            None => at += 1,
        }
    }
    found
}
