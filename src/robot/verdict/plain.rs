//! Answers questions in plain sentences: with what is known of the places that they name, with the
//! rulebook, or else with what there is to do now.

use std::collections::BTreeSet;

use engine::report::{Block, Line, Section, capital};
use engine::wording::Tally;
use engine::{Ask, Match, Names, Reader, Seat};
use store::Status;
use tongue::{count, say};

use super::asked::{self, Topic};
use super::case::{Claim, Tools};
use super::facts;
use crate::context::Result;
use crate::text::{is_question, printed};

/// Questions in one mail that are answered, at most.
const QUESTIONS_MAX: usize = 3;
/// Places in one question that are looked up, at most.
const PLACES_MAX: usize = 3;
/// Words of a place's name, at most.
const NAME_WORDS_MAX: usize = 3;
/// Lines of a printout or of the rulebook that answer a question, at most.
const SAID_MAX: usize = 3;
/// Lines of a section that is told as a whole, at most.
const ROWS_MAX: usize = 8;
/// Lines that tell what a word means, at most.
const MEANT_MAX: usize = 2;
/// Places next to those of a seat that are listed, at most.
const NEIGHBOURS_MAX: usize = 24;
/// Lines of the other of the two that are told beside it, at most.
const BESIDE_MAX: usize = 1;
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
    let all: Vec<&String> = lines.iter().filter(short).collect();
    let asked = &all[..all.len().min(QUESTIONS_MAX)];
    let more = all.len() - asked.len();
    if asked.is_empty() || claim.game.status != Status::Running {
        return Ok(None);
    }
    let (game, seat) = (&claim.game, claim.seat.seat);
    let open = tools.games().open(game)?;
    let reader = tools.games().shielded(&game.code, || open.reader(seat))?;
    let book = tools.games().rulebook(game, open.as_ref(), Some(seat))?;
    let language = tools.cx.language_of(&claim.seat.language);
    let report = tools.games().shielded(&game.code, || open.report(seat, language))?;
    let printout = report.map(|r| r.sections).unwrap_or_default();
    let printout = tools.printer().shown(game, &claim.seat, &printout)?;
    let mut sections = Vec::new();
    let mut to_do = false;
    for line in asked {
        let topic = asked::topic(line);
        let mut known = of_the_turn(tools, claim, line, (topic, beside))?;
        let ask = |ask: &Ask| tools.games().shielded(&game.code, || open.answer(seat, ask));
        let spots = spots_of(&reader, line);
        known.extend(
            ways_and_odds(line, &spots).map(|asked| ask(&asked)).transpose()?.into_iter().flatten(),
        );
        known.extend(of_topic(tools, claim, open.as_ref(), topic)?);
        known.extend(printed_of(&printout, reader.names(), (line, &spots, topic)));
        let own = owned(reader.names(), (line, &spots), topic);
        // What is counted needs hardly more.
        let counted = !own.is_empty() && asked::counts(line);
        known.extend(own.into_iter().map(Line::from));
        if topic == Some(Topic::Neighbours) && spots.is_empty() {
            known.extend(around(reader.names()).map(Line::from));
        }
        // A price is none of a place where such units stand.
        let rules = asked::has(line, |w| &w.rules) || topic == Some(Topic::Goal);
        let near = asked::has(line, |w| &w.near);
        if (known.is_empty() || near && topic.is_none()) && !rules {
            for spot in spots.iter().take(PLACES_MAX) {
                known.extend(ask(&Ask::Look(&spot.place))?);
            }
        }
        // `who are my generals` asks for nobody else.
        let who = asked::has(line, |w| &w.who) && topic != Some(Topic::Standing);
        if who && (known.is_empty() || !asked::counts(line) && spots.is_empty()) {
            known.extend(ask(&Ask::Who)?);
        }
        let mut known = tools.printer().filled(game, &claim.seat, known)?;
        // The time of the turn is told in full, and so is what there is to do.
        let what_now = matches!(topic, Some(Topic::Todo | Topic::Idle));
        let of_section = matches!(topic, Some(Topic::Standing | Topic::Income | Topic::Threats));
        let whole = matches!(topic, Some(Topic::Deadline | Topic::Goal | Topic::Ordered))
            || of_section && !known.is_empty();
        if !whole && !what_now {
            let most = if counted { BESIDE_MAX } else { SAID_MAX.saturating_sub(known.len() / 2) };
            let found = told((&printout, &book), reader.names(), line, topic);
            known.extend(found.into_iter().take(most));
        }
        let mut told = BTreeSet::new();
        known.retain(|line| told.insert(crate::lookup::plain(line)));
        to_do |= (known.is_empty() || what_now) && !beside;
        sections.push(answered(line, known, beside));
    }
    sections.extend(unanswered(more));
    if to_do {
        sections.push(what_to_do(tools, claim, seat)?);
    }
    Ok(Some(sections))
}

/// What a question asks of two places: the way between them, or the odds of a thing at the other.
fn ways_and_odds<'s>(line: &str, spots: &'s [Spot]) -> Option<Ask<'s>> {
    let [from, to, ..] = spots else { return None };
    match &from.thing {
        Some(thing) if asked::has(line, |w| &w.odds) => Some(Ask::Odds(thing, &to.place)),
        _ if asked::has(line, |w| &w.far) => Some(Ask::Distance(&from.place, &to.place)),
        _ => None,
    }
}

/// A section on the questions that are not answered; `None` where there are none.
fn unanswered(more: usize) -> Option<Section> {
    let most = QUESTIONS_MAX;
    let says = count!(
        more,
        "Only the first {most} questions of a mail are answered; send the other one in another mail.",
        "Only the first {most} questions of a mail are answered; send the other {more} in another mail."
    );
    let section =
        Section { heading: say!("More questions"), blocks: vec![Block::Para(says.into())] };
    (more > 0).then_some(section)
}

/// The section that answers a question.
fn answered(line: &str, known: Vec<Line>, beside: bool) -> Section {
    let blocks = vec![match known.is_empty() {
        false => Block::List(known),
        true if beside => Block::Para(how_to_ask().into()),
        true => Block::Para(
            say!("It names nothing that can be looked up; what you may do now stands below.")
                .into(),
        ),
    }];
    // In a heading, the line is not read as an order if it comes back without a mark of quoting.
    let asked: String = printed(line).chars().take(SHOWN).collect();
    Section { heading: say!("You asked: {asked}"), blocks }
}

/// The places and things that a question names.
fn spots_of(reader: &Reader, line: &str) -> Vec<Spot> {
    let found = spots(reader.names(), line);
    // `from army 6 to city 5`: what is no name may be a place as well.
    let places = reader.places(line);
    if found.len() >= places.len().min(PLACES_MAX) {
        return found;
    }
    places.into_iter().take(PLACES_MAX).map(|place| Spot { place, thing: None }).collect()
}

/// The answer to a question about the deadline or the orders on file; empty for any other.
fn of_the_turn(
    tools: Tools,
    claim: &Claim,
    line: &str,
    (topic, beside): (Option<Topic>, bool),
) -> Result<Vec<Line>> {
    let (game, row) = (&claim.game, &claim.seat);
    let mut told: Vec<Line> = Vec::new();
    if topic == Some(Topic::Deadline) {
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
    let last = topic == Some(Topic::Ordered);
    if last && let Some(turn) = game.turn.checked_sub(1) {
        let filed = tools.store.mails().orders(&game.code, row.seat, turn)?;
        let lines = filed.map(|f| f.card.lines).unwrap_or_default();
        match lines.is_empty() {
            true => told.push(say!("No orders of yours were on file for the last turn.").into()),
            false => told
                .extend(lines.iter().map(|(_, l)| say!("Last turn: {l}", l = printed(l)).into())),
        }
    }
    if asked::has(line, |w| &w.orders) && asked::has(line, |w| &w.file) && !beside && !last {
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

/// The answer to a question about how the game is won, or about the last turn.
fn of_topic(
    tools: Tools,
    claim: &Claim,
    open: &dyn Match,
    topic: Option<Topic>,
) -> Result<Vec<Line>> {
    const NEWS: usize = 4;
    let game = &claim.game;
    match topic {
        Some(Topic::Goal) => {
            let primer = tools.games().shielded(&game.code, || open.primer(claim.seat.seat))?;
            Ok(if primer.aim.is_empty() { Vec::new() } else { vec![primer.aim.into()] })
        }
        Some(Topic::Happened) => {
            let headline = tools.printer().headline(game, open, &claim.seat)?;
            Ok(headline.news(NEWS).to_vec())
        }
        Some(Topic::Done) if game.runs_early() => Ok(vec![
            say!(
                "READY on a line of its own says that you are done: the turn runs as soon as all \
                 who are awaited are. Computers always are."
            )
            .into(),
        ]),
        _ => Ok(Vec::new()),
    }
}

/// What a question asks to be counted of what the seat has.
fn owned(names: &Names, (line, spots): (&str, &[Spot]), topic: Option<Topic>) -> Vec<String> {
    // What others have, or one thing by its number, is told by the printout.
    let other =
        asked::has(line, |w| &w.others) || !things(line).is_empty() || is_of_player(names, line);
    let places: Vec<&str> = spots.iter().map(|spot| spot.place.as_str()).collect();
    match topic {
        _ if other => Vec::new(),
        Some(Topic::Own) => {
            let found = asked::tally(names, line, &places);
            if found.is_empty() && places.is_empty() { asked::everything(names) } else { found }
        }
        Some(Topic::Idle) => asked::idle(names).into_iter().collect(),
        None | Some(Topic::Meaning) if asked::counts(line) => asked::tally(names, line, &places),
        _ => Vec::new(),
    }
}

/// Whether a line names another player.
fn is_of_player(names: &Names, line: &str) -> bool {
    let words = line.split(|c: char| !c.is_alphanumeric());
    let mut words = words.filter(|w| w.chars().count() > 2 && w.chars().any(char::is_alphabetic));
    words.any(|w| !names.exact("player", w).is_empty())
}

/// What lies next to the places of the seat.
fn around(names: &Names) -> Option<String> {
    let around = Tally(names).around_homes();
    let called = |code: &String| match Tally(names).called(code) {
        Some(name) => format!("{code} {}", capital(&name.to_lowercase())),
        None => code.clone(),
    };
    let places: Vec<String> = around.iter().take(NEIGHBOURS_MAX).map(called).collect();
    (!places.is_empty()).then(|| say!("Next to yours: {places}.", places = places.join(", ")))
}

/// What a printout tells of a topic, what can be built, and what it tells of things by their numbers,
/// which is worth more than what lies around them.
fn printed_of(
    printout: &[Section],
    names: &Names,
    (line, spots, topic): (&str, &[Spot], Option<Topic>),
) -> Vec<Line> {
    let mut told = below_headings(printout, topic, spots);
    if topic == Some(Topic::Kinds) {
        told.extend(buildable(names).map(Line::from));
    }
    told.extend(of_things(printout, names, line));
    told
}

/// What a printout tells of a topic below the headings for it; of places that are named, where it
/// names them.
fn below_headings(printout: &[Section], topic: Option<Topic>, spots: &[Spot]) -> Vec<Line> {
    let Some(topic) = topic else { return Vec::new() };
    let told = printout.iter().filter(|section| asked::is_told_below(topic, &section.heading));
    let mut facts = facts::all(told);
    let named = |text: &str| spots.iter().any(|spot| facts::has_word(text, &spot.place));
    if facts.iter().any(|(_, text)| named(text)) {
        facts.retain(|(_, text)| named(text));
    }
    facts
        .into_iter()
        .take(ROWS_MAX)
        .map(|(head, text)| Line::from(format!("{head}: {text}")))
        .collect()
}

/// What can be built, as a sentence.
fn buildable(names: &Names) -> Option<String> {
    let called = |(code, name): (&String, &String)| format!("{code} {}", name.to_lowercase());
    let kinds: Vec<String> = Tally(names).kinds().into_iter().map(called).collect();
    (!kinds.is_empty()).then(|| say!("Kinds: {kinds}.", kinds = kinds.join(", ")))
}

/// What the printout tells of the things that a question names by their numbers; empty where it asks
/// for rules.
fn of_things(printout: &[Section], names: &Names, line: &str) -> Vec<Line> {
    if asked::has(line, |w| &w.rules) {
        return Vec::new();
    }
    let mut all = things(line);
    // A printout may list army 5 as unit 5.
    let kind = |noun: &str| KINDS.iter().any(|sort| !names.exact(sort, noun).is_empty());
    let units = all.iter().filter_map(|thing| thing.split_once(' ').filter(|(noun, _)| kind(noun)));
    let units: Vec<String> = units.map(|(_, number)| format!("unit {number}")).collect();
    all.extend(units);
    let found = facts::about(printout, &all, SAID_MAX);
    found.into_iter().map(|(head, text)| Line::from(format!("{head}: {text}"))).collect()
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

/// Sorts of names that games use for kinds of units.
const KINDS: [&str; 3] = ["item", "kind", "type"];

/// What the printout and the rulebook tell of a question: first the one that it asks for. What a
/// kind of units does and costs stands in the rulebook.
fn told(
    (printout, book): (&[Section], &[Section]),
    names: &Names,
    line: &str,
    topic: Option<Topic>,
) -> Vec<Line> {
    let said = |(heading, text): (String, String)| Line::from(format!("{heading}: {text}"));
    let things = things(line);
    if topic == Some(Topic::Meaning) && things.is_empty() {
        let term = asked::term(line);
        let code = term.first().map(|word| word.to_uppercase()).unwrap_or_default();
        let stands = Tally(names).stands_for(&code).map(|name| capital(&name.to_lowercase()));
        let mut lines: Vec<Line> =
            stands.iter().map(|name| Line::from(format!("{code}: {name}."))).collect();
        let words = [term.join(" ")];
        let mut found = facts::about(book, &words, MEANT_MAX);
        found.extend(facts::about(printout, &words, MEANT_MAX));
        lines.extend(found.into_iter().take(MEANT_MAX).map(said));
        if !lines.is_empty() {
            return lines;
        }
    }
    let kinds = kinds(names, line);
    let rules =
        asked::has(line, |w| &w.rules) || !kinds.is_empty() && !asked::has(line, |w| &w.own);
    // What a kind of units costs and does stands in its row of a table.
    if rules && !kinds.is_empty() {
        let mut rows = facts::about(book, &kinds, ROWS_MAX);
        if asked::has(line, |w| &w.cost) {
            rows = priced(facts::about(book, &kinds, usize::MAX)).unwrap_or(rows);
        }
        rows.truncate(SAID_MAX);
        if !rows.is_empty() {
            return rows.into_iter().map(said).collect();
        }
    }
    let (first, other) = if rules { (book, printout) } else { (printout, book) };
    let mut found = facts::best(first, line, SAID_MAX);
    found.extend(facts::best(other, line, BESIDE_MAX));
    found.into_iter().map(said).collect()
}

/// Those of some facts that tell a price; `None` where none does.
fn priced(facts: Vec<(String, String)>) -> Option<Vec<(String, String)>> {
    const PRICES: [&str; 6] = ["cost", "costs", "price", "pp", "kosten", "preis"];
    let priced = |text: &str| PRICES.iter().any(|word| facts::has_word(text, word));
    let priced: Vec<_> = facts.into_iter().filter(|(_, text)| priced(text)).collect();
    (!priced.is_empty()).then_some(priced)
}

/// What the kinds of units that a line names are called, and their codes, in small letters.
fn kinds(names: &Names, line: &str) -> Vec<String> {
    const KINDS_MAX: usize = 2;
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '-');
    let words: Vec<&str> = words.filter(|w| !w.is_empty()).collect();
    let pairs = words.windows(2).map(|pair| pair.join(" "));
    let all: Vec<String> = pairs.chain(words.iter().map(|w| (*w).to_owned())).collect();
    let mut found: Vec<String> = Vec::new();
    for word in all.iter().filter(|w| w.chars().count() > 2) {
        let codes = KINDS.iter().find_map(|sort| {
            let codes = names.exact(sort, word);
            (codes.len() == 1).then_some(codes)
        });
        for code in codes.into_iter().flatten().take(KINDS_MAX) {
            let called = Tally(names).stands_for(&code).map(|name| name.to_lowercase());
            // A digit alone stands in every row.
            let telling = code.chars().any(char::is_alphabetic);
            let all = called.into_iter().chain(telling.then(|| code.to_lowercase()));
            found.extend(all.filter(|word| !found.contains(word)).collect::<Vec<_>>());
        }
    }
    found
}

/// The things that a line names by a noun and a number, or by a code such as `RT7`, in small letters.
fn things(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | ','));
    let words: Vec<String> = words
        .map(|w| w.trim_matches(['.', ',']).to_lowercase())
        .filter(|w| !w.is_empty())
        .collect();
    let digit = |w: &str| w.starts_with(|c: char| c.is_ascii_digit());
    let coded = |w: &str| !digit(w) && w.contains(|c: char| c.is_ascii_digit());
    let mut all = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if coded(word) {
            all.push(word.clone());
        } else if digit(word)
            && let Some(noun) = at.checked_sub(1).map(|at| &words[at]).filter(|noun| !digit(noun))
        {
            all.push(format!("{noun} {word}"));
        }
    }
    all
}

/// Something in a question that lies somewhere: its place, and its code if it is a thing.
#[derive(Debug, PartialEq, Eq)]
struct Spot {
    place: String,
    thing: Option<String>,
}

/// The places and the things of the seat that a line names, in order; the longest names first.
fn spots(names: &Names, line: &str) -> Vec<Spot> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let mut found: Vec<Spot> = Vec::new();
    let mut at = 0;
    while at < words.len() && found.len() < PLACES_MAX {
        let longest = (1..=NAME_WORDS_MAX.min(words.len() - at)).rev();
        let named = longest.filter_map(|n| {
            let name = words[at..at + n].join(" ");
            // A short word of a sentence may be a code by chance.
            let telling = name.chars().filter(|c| c.is_alphabetic()).count() > 2
                && !asked::has(&name, |w| &w.stop)
                || name.chars().any(|c| c.is_ascii_digit());
            match names.exact("place", &name).as_slice() {
                [one] if telling => Some((n, Spot { place: one.clone(), thing: None })),
                // A number alone may count anything.
                _ if name.chars().any(|c| c.is_ascii_digit()) || asked::has(line, |w| &w.moves) => {
                    let [one] = &names.standing(&name)[..] else { return None };
                    let number = name.split(|c: char| !c.is_ascii_digit()).find(|d| !d.is_empty());
                    Some((n, Spot { place: one.clone(), thing: number.map(str::to_owned) }))
                }
                _ => None,
            }
        });
        match named.into_iter().next() {
            Some((n, spot)) => {
                if found.iter().all(|f| f.place != spot.place) {
                    found.push(spot);
                }
                at += n;
            }
            None => at += 1,
        }
    }
    found
}
