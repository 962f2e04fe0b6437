//! The content of a printout, from the first line to the last.

use std::collections::BTreeMap;

use super::ending::{as_word, course, seeds, standing, whole};
use super::lesson::lesson;
use super::{Printer, PrintoutExtras};
use crate::context::Result;
use crate::languages::marker;
use crate::unread;
use base::secrets::seed_digest;
use engine::report::{Block, Section};
use engine::{Headline, Match, Seat, Turns};
use mail::marker::{CARD_BEGIN, CARD_END};
use render::{Document, Head, Marks};
use store::{Game, SeatRow};
use tongue::{count, mark, say, word};

use crate::mailer::step_name;

/// The sentence above the list of what needs orders; [`word`] translates it.
pub(crate) const NEEDS: &str = mark!("What needs orders now:");

/// Whether a section has a map.
fn has_map(section: &Section) -> bool {
    section.blocks.iter().any(|b| matches!(b, Block::Map(_)))
}

impl Printer<'_> {
    /// The content of a seat's printout. `None`: the seat is out of the game.
    pub fn document(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        post: &PrintoutExtras,
        credit: Option<i64>,
    ) -> Result<Option<Document>> {
        self.written(game, open, row, (post, credit), &mut BTreeMap::new())
    }

    /// The same as [`Printer::document`]. It notes in `shown` which addresses the printout shows.
    pub(super) fn written(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        (post, credit): (&PrintoutExtras, Option<i64>),
        shown: &mut BTreeMap<Seat, String>,
    ) -> Result<Option<Document>> {
        let language = self.cx.language_of(&row.language);
        let report = self.games().shielded(&game.code, || open.report(row.seat, language))?;
        let Some(report) = report else { return Ok(None) };
        let engine = self.games().engine(&game.engine)?;
        let filled = self.fill(game, row, (&report.sections, &post.sealed), shown)?;
        let mut sections = self.in_order(game, open, row, post, (&report.title, filled))?;
        sections.extend(self.changed_addresses(game, row.seat, shown)?);
        let over = post.result.is_some();
        let rolls = engine.has_dice() && !over;
        let before = post.seed_before.map(|seed| (game.turn.saturating_sub(1), seed));
        let head = Head {
            deadline: game.deadline.filter(|_| !over),
            due: match over {
                true => String::new(),
                false => {
                    let due = self.mailer().due_line(game, Some(row.seat), &row.zone, post.now);
                    let awaited = game.step.awaits(row.seat) && game.runs_early();
                    match awaited && engine.plays_at_once() {
                        true => format!("{due} {}", at_once()),
                        false => due,
                    }
                }
            },
            seed_before: before.filter(|_| engine.has_dice()),
            seed_digest: (rolls && game.chains.is_empty())
                .then(|| seed_digest(&game.code, game.turn, game.seed)),
            seed_chain: match engine.has_dice() {
                true => game.chains.iter().map(|c| (c.told.first, c.told.end.clone())).collect(),
                false => Vec::new(),
            },
            credit,
            over,
            ..head(game, engine.title(), row, report.title)
        };
        let headline = self.headline(game, open, row)?;
        let remarks = remarks(game, row, post, &head);
        // Remarks on the mail itself come after the map and before the sections of the engine.
        let map = sections.iter().position(has_map);
        let about = map.map_or(0, |map| map + 1);
        sections.splice(about..about, remarks);
        let unread = post.unread.get(&row.seat).map(|at| unread::notice(*at, &row.zone));
        let opening = opening(headline, unread);
        let dice = dice(game, post, &head);
        let mut document = Document::new(head, marks(game, row.seat), opening, sections);
        document.sections.extend(dice);
        if row.choices.format.has_orders() && !over {
            let reader = self.games().shielded(&game.code, || open.reader(row.seat))?;
            document.orders = Some(reader.orders());
        }
        if !row.choices.format.words {
            document = document.without_words();
        }
        Ok(Some(document))
    }

    /// The sections of a report with those of the robot. Lessons come first, then the map, wherever
    /// the engine has put it.
    fn in_order(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        post: &PrintoutExtras,
        (title, mut rest): (&str, Vec<Section>),
    ) -> Result<Vec<Section>> {
        let at = rest.iter().position(has_map);
        let mut sections: Vec<Section> = at.map(|at| rest.remove(at)).into_iter().collect();
        let mut first: Vec<Section> = Vec::new();
        match &post.result {
            Some(result) => {
                let seats = self.store.games().seats(&game.code)?;
                sections.push(standing(result, &seats));
                sections.extend(course(post));
                sections.extend(self.record(game, row, result)?);
                sections.extend(self.war_diary(game, row, post)?);
                sections.push(self.looks(game)?);
            }
            None => {
                if game.turn == 1 || post.newcomer {
                    first.extend(self.first_turn(game, open, row)?);
                    sections.extend(self.welcome(game, open, row, title)?);
                }
                first.extend(lesson(self.games().engine(&game.engine)?, game));
            }
        }
        first.append(&mut sections);
        first.extend(post.advance.get(&row.seat).cloned());
        first.append(&mut rest);
        Ok(first)
    }

    /// The headline of a seat, with names filled in.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the store fails, or the engine does.
    pub fn headline(&self, game: &Game, open: &dyn Match, row: &SeatRow) -> Result<Headline> {
        let headline = self.games().shielded(&game.code, || open.headline(row.seat))?;
        let sentences = self.filled(game, row, headline.sentences)?;
        let needs = self.filled(game, row, headline.needs)?;
        Ok(Headline { sentences, needs, ..headline })
    }
}

/// The head of a document of a game that is not over, without seeds and due line.
pub(crate) fn head(game: &Game, engine: &str, row: &SeatRow, title: String) -> Head {
    Head {
        game: game.code.clone(),
        engine: engine.to_owned(),
        turn: game.turn,
        turns: game.step.turns,
        label: step_name(&game.step.label),
        seat: row.seat,
        name: row.name.clone(),
        title,
        deadline: game.deadline,
        due: String::new(),
        seed_before: None,
        seed_digest: None,
        seed_chain: Vec::new(),
        credit: None,
        over: false,
    }
}

/// The lines by which the robot finds the text that a player writes into a printout.
pub(crate) fn marks(game: &Game, seat: Seat) -> Marks {
    let name = card_name(game, seat);
    Marks {
        marker: marker(),
        card_frame: [format!("---- {CARD_BEGIN} {name} ----"), format!("---- {CARD_END} ----")],
    }
}

/// The unique name of a seat's blank card for the open step. Where a step is not a turn, its number
/// follows the turn's.
pub(crate) fn card_name(game: &Game, seat: Seat) -> String {
    let turns = game.step.turns;
    match turns == Turns::one(game.turn) {
        true => format!("{} T{turns} S{seat}", game.code),
        false => format!("{} T{turns} S{seat} #{}", game.code, game.turn),
    }
}

/// A remark on cards that are played as soon as they arrive.
pub(super) fn at_once() -> String {
    say!(
        "A card without errors is played as soon as it is here, and no other can take its place; \
         CHECK as its first line judges it without filing."
    )
}

/// The beginning of a printout: the headline, then what needs orders, then a notice of an unread
/// mail.
fn opening(headline: Headline, unread: Option<String>) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !headline.sentences.is_empty() {
        blocks.push(Block::List(headline.sentences));
    }
    if !headline.needs.is_empty() {
        blocks.push(Block::Para(word(NEEDS).into_owned().into()));
        blocks.push(Block::List(headline.needs));
    }
    blocks.extend(unread.map(|said| Block::Para(said.into())));
    blocks
}

/// Remarks of the robot on the mail itself: how to answer it, what it cost, and whether the
/// computer played.
fn remarks(game: &Game, seat: &SeatRow, post: &PrintoutExtras, head: &Head) -> Option<Section> {
    let mut blocks = Vec::new();
    let mut tell = |text: String| blocks.push(Block::Para(text.into()));
    if post.played.contains(&seat.seat) {
        let mut text = count!(
            n = seat.missed + 1,
            "You sent no card for {n} turn, so the computer played it for you.",
            "You sent no card for {n} turns, so the computer played the last one for you."
        );
        if post.result.is_none() {
            text.push(' ');
            text += &say!("Your next card takes the seat back.");
        }
        tell(text);
    }
    if let Some(left) = head.credit {
        let fee = game.fee;
        tell(say!("Your credit is {left} after the fee of {fee} for this turn."));
    }
    if post.result.is_none() {
        let orders = match game.step.awaits(seat.seat) {
            true => say!("Answer this mail with your orders at the top."),
            false => say!(
                "No orders of yours are due; what you wish to send all the same goes at the top of \
                 an answer to this mail."
            ),
        };
        let more = say!(
            "The address that an answer to this mail goes to is a key to your seat; pass it on to \
             nobody. An echo with the judgement of every line comes back at once. HELP as the \
             first word explains everything else, RULES lists the rulebook's chapters."
        );
        tell(format!("{orders} {more}"));
    }
    (!blocks.is_empty()).then(|| Section { heading: say!("This mail"), blocks })
}

/// The last lines of a printout: the digests that fix the dice of the open turn, the opened seeds
/// of earlier turns, and how to check the game.
fn dice(game: &Game, post: &PrintoutExtras, head: &Head) -> Vec<Section> {
    let mut blocks: Vec<Block> =
        post.notes.iter().map(|n| Block::Para(n.localized().into())).collect();
    if let Some((turn, seed)) = head.seed_before {
        blocks.push(Block::Para(say!("The seed of step {turn} was {seed:016x}.").into()));
    }
    if let Some(digest) = &head.seed_digest {
        let step = step_name(&game.step.label);
        blocks.push(Block::Para(say!("SHA-256 of the seed of {step}: {digest}").into()));
    }
    for (turn, end) in &head.seed_chain {
        let text = say!(
            "SHA-256 of the seed of step {turn}, where the chain of seeds ends: {end}",
            end = as_word(end)
        );
        blocks.push(Block::Para(text.into()));
    }
    if !head.seed_chain.is_empty() && !head.over {
        let text = say!(
            "The seed of each later step has the one before as its SHA-256, and the dice of a step \
             come from its seed and all its cards. When the game is over, all is opened in one \
             file, and \"fieldpost replay\" checks it."
        );
        blocks.push(Block::Para(text.into()));
    }
    let named = |heading: String, blocks| Section { heading, blocks };
    let mut sections = vec![
        named(say!("The dice"), blocks),
        named(say!("The seeds"), seeds(game, post)),
        named(say!("To check the game"), whole(game, head.seat, post)),
    ];
    sections.retain(|s| !s.blocks.is_empty());
    sections
}
