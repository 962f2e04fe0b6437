//! HELP: how to play by mail, the commands, and the topics of a game.

use engine::report::{Block, Section};
use engine::{Seat, Topic};
use render::text::{SAFE, fill, para, sections};
use store::{Game, Judged, Reason, Status, Verdict};
use tongue::{mark, say, word};

use crate::card::command::Read;
use crate::context::Result;
use crate::lookup;
use crate::manual;
use crate::text::printed;
use crate::verdict::answers::Answers;
use crate::verdict::case::{Case, Claim, Command, PlayerCommand, Proof, Query, Row, Tools};
use crate::verdict::plain;

/// The command.
pub(super) const ROW: Row = Row {
    word: "HELP",
    form: mark!("HELP [topic]"),
    help: mark!("how to play by mail; the topics stand in its list"),
    read: |line| match line.rest() {
        [] => Read::Command(Help::on(None)),
        // `Help me please` is a sentence, `HELP first turn` and `help supply` are not.
        words if words.len() == 1 || line.in_capitals() && words.len() <= TOPIC_WORDS => {
            Read::Command(Help::on(Some(words.join(" ").to_uppercase())))
        }
        _ => line.wrong(),
    },
};

/// Words of a topic, at most.
const TOPIC_WORDS: usize = 4;
/// Neighbours of a topic that its answer names.
const NEIGHBOURS: usize = 3;
/// Places of the rulebook that are shown for a word, at most.
const PLACES: usize = 6;

/// Help about one topic, or a short overview.
#[derive(Debug)]
struct Help {
    topic: Option<String>,
    /// Whether it was asked for in a sentence. A sentence of a stranger is not a command.
    in_words: bool,
}

impl Help {
    fn on(topic: Option<String>) -> Command {
        Command::query(Self { topic, in_words: false })
    }
}

/// HELP on a topic that somebody asked for in a sentence.
pub(super) fn about(words: &[&str]) -> Command {
    let articles = ["A", "AN", "THE"];
    let bare = |w: &&str| w.trim_matches(['?', '.', '!', '"']).to_uppercase();
    let words = words.iter().map(bare).filter(|w| !w.is_empty() && !articles.contains(&w.as_str()));
    let topic = Some(words.collect::<Vec<_>>().join(" "));
    Command::query(Help { topic, in_words: true })
}

impl PlayerCommand for Help {
    fn word(&self) -> &'static str {
        ROW.word
    }

    fn for_game_master(&self) -> Option<String> {
        Some(ROW.word.to_owned())
    }

    fn for_stranger(&self, tools: Tools, case: &Case) -> Result<Option<Judged>> {
        if self.in_words {
            return Ok(None);
        }
        let text = text(tools, &[], &[]);
        let mut judged = Answers::new(tools).once_a_day(case, Reason::UnknownSender, &text)?;
        // Over the budget nothing is answered, and the verdict says so.
        if !judged.mails.is_empty() {
            judged.verdict = Verdict::Accepted;
        }
        Ok(Some(judged))
    }
}

impl Query for Help {
    fn needs_start(&self) -> bool {
        false
    }

    fn beside(&self, tools: Tools, claim: &Claim) -> Result<Option<Vec<Section>>> {
        let heading = match &self.topic {
            Some(topic) => format!("{} {}", ROW.word, printed(topic)),
            None => ROW.word.to_owned(),
        };
        let lines = self.answer(tools, claim)?.lines().map(str::to_owned).collect();
        Ok(Some(vec![Section { heading, blocks: vec![Block::Quote(lines)] }]))
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        let text = self.answer(tools, claim)?;
        Answers::new(tools).short_answer(
            case,
            claim,
            Verdict::Accepted,
            Reason::Help,
            &say!("help"),
            text,
        )
    }
}

impl Help {
    /// The answer to a seat.
    fn answer(&self, tools: Tools, claim: &Claim) -> Result<String> {
        let hidden: &[&str] =
            if has_press(tools, &claim.game)? { &[] } else { &[super::press::ROW.word] };
        let topics = topics(tools, &claim.game, claim.seat.seat)?;
        let found = match self.topic.as_deref() {
            None => None,
            Some(MANUAL | "ALL") => Some(sections(&manual::chapters())),
            Some(FIRST_TURN | "START" | "BEGIN" | "BEGINNING") => first_turn(tools, claim)?,
            Some(topic) => {
                let book = book(tools, claim)?;
                let known = on(tools, topic, &topics, &book);
                // Of what has no topic, the printout may tell.
                let said = || plain::answer(tools, claim, &[format!("what is {topic}?")], false);
                match known {
                    Some(text) => Some(text),
                    None if self.in_words && claim.proof == Proof::Proven => {
                        said()?.map(|told| sections(&told))
                    }
                    None => None,
                }
                .or_else(|| Some(unknown(tools, topic, &topics)))
            }
        };
        Ok(found.unwrap_or_else(|| text(tools, &topics, hidden)))
    }
}

/// The topic that sends the whole manual.
const MANUAL: &str = "MANUAL";
/// The topic for those who have never played.
const FIRST_TURN: &str = "FIRST TURN";

/// The text of a first printout about the first turn. `None`: the game does not run.
fn first_turn(tools: Tools, claim: &Claim) -> Result<Option<String>> {
    if claim.game.status != Status::Running {
        return Ok(None);
    }
    let open = tools.games().open(&claim.game)?;
    let section = tools.printer().first_turn(&claim.game, open.as_ref(), &claim.seat)?;
    Ok(section.map(|s| sections(&[s])))
}

/// The rulebook of a game; empty before the game runs.
fn book(tools: Tools, claim: &Claim) -> Result<Vec<Section>> {
    if claim.game.status == Status::Open {
        return Ok(Vec::new());
    }
    let open = tools.games().open(&claim.game)?;
    tools.games().rulebook(&claim.game, open.as_ref(), Some(claim.seat.seat))
}

/// The help on a topic: an order, a command, or else the places of the rulebook that have the word.
/// It ends with neighbouring topics to read next.
fn on(tools: Tools, topic: &str, topics: &[Topic], book: &[Section]) -> Option<String> {
    let has = |text: &str| lookup::has(text, topic);
    let order = topics
        .iter()
        .position(|t| t.word == topic)
        .or_else(|| topics.iter().position(|t| has(t.title.split(':').next().unwrap_or_default())));
    if let Some(at) = order {
        let found = &topics[at];
        let mut out = format!("{}\n\n{}\n", found.title, para(&found.text));
        found.examples.iter().for_each(|e| out += &format!("{SAFE}{e}\n"));
        // A topic that is not the order's own word may mean a thing of that name, such as a kind of
        // unit.
        if found.word != topic {
            let (told, _) = lookup::found(book, topic);
            told.iter().take(NEIGHBOURS).for_each(|(_, line)| out += &fill(line, "* ", SAFE));
        }
        let next = topics.iter().cycle().skip(at + 1).take(NEIGHBOURS.min(topics.len() - 1));
        return Some(out + &neighbours(&next.map(|t| t.word.clone()).collect::<Vec<_>>()));
    }
    if let Some(at) = tools.rows.iter().position(|r| r.is_listed() && r.word == topic) {
        let row = &tools.rows[at];
        let out = para(&format!("{}: {}.", word(row.form), word(row.help)));
        let next = tools.rows.iter().cycle().skip(at + 1).filter(|r| r.is_listed());
        let next: Vec<String> = next.take(NEIGHBOURS).map(|r| r.word.to_owned()).collect();
        return Some(out + &neighbours(&next));
    }
    let (found, chapters) = lookup::found(book, topic);
    let mut out = String::new();
    let mut last = String::new();
    for (chapter, line) in found.iter().take(PLACES) {
        if *chapter != last {
            out += &format!("\n{}", para(&say!("Chapter {chapter}:")));
            last.clone_from(chapter);
        }
        out += &fill(line, "* ", SAFE);
    }
    if out.is_empty() {
        return None;
    }
    let next: Vec<String> = chapters.iter().take(NEIGHBOURS).map(|c| rules_word(c)).collect();
    let more = para(&say!("More of it: {chapters}.", chapters = next.join(", ")));
    let more = format!("\n{more}") + &neighbours(&[FIRST_TURN.to_owned()]);
    Some(out.trim_start().to_owned() + &more)
}

/// The command that sends a chapter.
fn rules_word(chapter: &str) -> String {
    format!("RULES {}", chapter.split(['.', ' ']).next().unwrap_or_default())
}

/// The topics to read next.
fn neighbours(words: &[String]) -> String {
    let all: Vec<String> = words.iter().map(|w| format!("HELP {w}")).collect();
    format!("\n{}", para(&say!("See also: {words}.", words = all.join(", "))))
}

/// The answer on a topic that nothing tells of, with those that come nearest.
fn unknown(tools: Tools, topic: &str, topics: &[Topic]) -> String {
    let singular = topic.strip_suffix('S').unwrap_or(topic);
    let shown = printed(topic);
    let mut near: Vec<(usize, &str)> = topics
        .iter()
        .map(|t| t.word.as_str())
        .chain(tools.rows.iter().filter(|r| r.is_listed()).map(|r| r.word))
        .map(|word| (strsim::osa_distance(word, singular), word))
        .collect();
    near.sort_unstable();
    let near: Vec<String> =
        near.into_iter().take(NEIGHBOURS).map(|(_, word)| word.to_owned()).collect();
    para(&say!(
        "There is no help on {shown}. HELP as the only word of a mail lists all orders and \
         commands, RULES the chapters of the rulebook."
    )) + &neighbours(&near)
}

/// The help topics of a game: those of the engine before the game runs, else those of the game.
fn topics(tools: Tools, game: &Game, seat: Seat) -> Result<Vec<Topic>> {
    match game.status {
        Status::Open => Ok(tools.games().engine(&game.engine)?.help()),
        _ => {
            let open = tools.games().open(game)?;
            tools.games().shielded(&game.code, || open.help(seat))
        }
    }
}

/// Whether cards of a game may hold messages to other players.
fn has_press(tools: Tools, game: &Game) -> Result<bool> {
    match game.status {
        Status::Open => Ok(tools.games().engine(&game.engine)?.press()),
        _ => {
            let open = tools.games().open(game)?;
            tools.games().shielded(&game.code, || open.press())
        }
    }
}

/// How to play by mail, the commands except `hidden` ones, and the orders.
fn text(tools: Tools, topics: &[Topic], hidden: &[&str]) -> String {
    let mut out = format!("{}\n\n", say!("How to play by mail"));
    out += &para(&say!(
        "Answer a printout or an echo with your orders above the marker line. Within seconds an \
         echo returns every line with its judgement and shows all orders on file. Until the \
         deadline you may send as many cards as you like; the last one counts. After the deadline \
         the printout of the turn comes by mail."
    ));
    // The manual is sent only to players.
    if !topics.is_empty() {
        out += &format!("\n{}", para(&say!("HELP MANUAL sends all of this at length.")));
    }
    out += &format!("\n{}\n", say!("Commands, as the first line of a mail:"));
    out += &tools.command_table(hidden);
    if !topics.is_empty() {
        out += &format!("\n{}\n", say!("Orders of this game:"));
        for topic in topics {
            out += &format!("{SAFE}{}\n", topic.title);
            // The first sentence says what the order does.
            let first = topic.text.split_inclusive(". ").next().unwrap_or_default().trim();
            out += &fill(first, &format!("{SAFE}    "), &format!("{SAFE}    "));
        }
    }
    out
}
