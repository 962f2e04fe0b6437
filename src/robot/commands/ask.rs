//! LOOK, DISTANCE, ODDS, WHO, MAP, HISTORY: questions, answered from what a seat knows. Several in
//! one mail get one answer.

use engine::report::{Block, GridStyle, Line as Sentence, MapPicture, Section};
use engine::{Ask, Match, Names};
use render::text::{self, para};
use store::{Game, Judged, Reason, SeatRow, Verdict};
use tongue::{count, mark, say, word};

use crate::card::command::{Line, Read};
use crate::context::Result;
use crate::diary;
use crate::languages::marker;
use crate::printouts::{head, marks};
use crate::text::printed;
use crate::verdict::answers::{Answers, Written};
use crate::verdict::case::{
    Case, Claim, Command, Kind, PlayerCommand, Proof, Query, Question, Row, Tools,
};
use crate::verdict::plain;

/// LOOK.
pub(super) const LOOK: Row = Row {
    word: "LOOK",
    form: mark!("LOOK place"),
    help: mark!("what you know of a place, by its name or number"),
    read: |line| {
        asks(line, Kind::Look, |rest| {
            rest.len() == 1 || has_digits(rest) || rest.len() <= 3 && rest[0] == "at"
        })
    },
};
/// DISTANCE.
pub(super) const DISTANCE: Row = Row {
    word: "DISTANCE",
    form: mark!("DISTANCE place place"),
    help: mark!("how far it is, and how long your units take"),
    read: |line| {
        asks(line, Kind::Distance, |rest| {
            (2..6).contains(&rest.len()) && !rest.iter().any(|w| is_pronoun(w))
        })
    },
};
/// ODDS.
pub(super) const ODDS: Row = Row {
    word: "ODDS",
    form: mark!("ODDS unit place"),
    help: mark!("how a fight would come out, by what you know"),
    read: |line| asks(line, Kind::Odds, has_digits),
};
/// WHO.
pub(super) const WHO: Row = Row {
    word: "WHO",
    form: "WHO",
    help: mark!("the players that you know, and how they stand"),
    read: |line| match line.rest() {
        // "Who is player 2?", but not "Who is that?".
        ["is", name @ .., last] if !is_pronoun(last) && is_noun_of_player(name) => {
            question(Kind::Who, &[])
        }
        _ => alone(line, Kind::Who),
    },
};
/// MAP.
pub(super) const MAP: Row = Row {
    word: "MAP",
    form: mark!("MAP place"),
    help: mark!("a picture of the map round a place"),
    read: |line| asks(line, Kind::Map, |rest| rest.len() == 1),
};
/// HISTORY.
pub(super) const HISTORY: Row = Row {
    word: "HISTORY",
    form: "HISTORY",
    help: mark!("what happened to you in the last turns"),
    read: |line| alone(line, Kind::History),
};

/// Questions of one mail that are answered, at most.
const QUESTIONS_MAX: usize = 10;
/// Words of a question, at most.
const WORDS_MAX: usize = 8;
/// Turns that HISTORY covers, at most: each is read from the store.
const TURNS_MAX: u32 = 10;

/// Whether words stand before a number or a name of a player; there may be none.
fn is_noun_of_player(words: &[&str]) -> bool {
    const NOUNS: [&str; 4] = ["player", "seat", "the", "number"];
    words.len() <= 1 && words.iter().all(|word| NOUNS.contains(&word.to_lowercase().as_str()))
}

/// Whether a word stands for something else: a question with such a word is not a command.
pub(super) fn is_pronoun(word: &str) -> bool {
    const WORDS: [&str; 16] = [
        "it", "that", "this", "there", "they", "she", "he", "you", "i", "me", "those", "these",
        "going", "here", "on", "up",
    ];
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    WORDS.contains(&bare.as_str())
}

fn has_digits(rest: &[&str]) -> bool {
    rest.iter().any(|w| w.contains(|c: char| c.is_ascii_digit()))
}

/// Reads a question that needs more words. If its first word is not in capitals, the rest must pass
/// `looks`: a sentence may begin with the same word.
fn asks(line: &Line, kind: Kind, looks: impl Fn(&[&str]) -> bool) -> Read<Command> {
    let rest = line.rest();
    match rest.len() {
        0 | WORDS_MAX.. => line.wrong(),
        _ if line.in_capitals() || looks(rest) => question(kind, rest),
        _ => Read::No,
    }
}

fn alone(line: &Line, kind: Kind) -> Read<Command> {
    match line.rest() {
        [] => question(kind, &[]),
        _ => Read::No,
    }
}

fn question(kind: Kind, rest: &[&str]) -> Read<Command> {
    let words = rest.iter().map(|w| (*w).to_owned()).collect();
    Read::Command(Command::query(Asked(Question { kind, words })))
}

#[derive(Debug)]
struct Asked(Question);

impl PlayerCommand for Asked {
    fn word(&self) -> &'static str {
        row(self.0.kind).word
    }
}

fn row(kind: Kind) -> &'static Row {
    match kind {
        Kind::Look => &LOOK,
        Kind::Distance => &DISTANCE,
        Kind::Odds => &ODDS,
        Kind::Who => &WHO,
        Kind::Map => &MAP,
        Kind::History => &HISTORY,
    }
}

impl Query for Asked {
    fn question(&self) -> Option<&Question> {
        Some(&self.0)
    }

    fn beside(&self, tools: Tools, claim: &Claim) -> Result<Option<Vec<Section>>> {
        let asker = Asker::new(tools, &claim.game, &claim.seat)?;
        Ok(Some(vec![asker.answer(&self.0)?]))
    }

    fn act(&self, tools: Tools, case: &Case, claim: &Claim) -> Result<Judged> {
        let answers = Answers::new(tools);
        let (game, seat) = (&claim.game, &claim.seat);
        let asked = case.request.commands.iter().filter_map(Command::as_query);
        let asked: Vec<&Question> = asked.filter_map(|q| q.question()).collect();
        let asker = Asker::new(tools, game, seat)?;
        let mut sections = Vec::new();
        for question in asked.iter().take(QUESTIONS_MAX) {
            sections.push(asker.answer(question)?);
        }
        // Sentences may ask questions too.
        let sentence = |line: &&String| {
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or_default().to_uppercase();
            let known = tools.rows.iter().any(|r| r.word == first);
            // WHAT begins sentences too.
            !known || first == "WHAT" && words.count() > 1
        };
        let sentences: Vec<String> = case.text.above.iter().filter(sentence).cloned().collect();
        if claim.proof == Proof::Proven {
            sections.extend(plain::answer(tools, claim, &sentences, false)?.unwrap_or_default());
        }
        let left = asked.len().saturating_sub(QUESTIONS_MAX);
        let about = text::about(&game.code, &game.step.label, seat.seat, &seat.name);
        let mut body =
            format!("{marker}\n\n{about}\n{}", text::sections(&sections), marker = marker());
        if left > 0 {
            body += &para(&count!(
                left,
                "{left} more question was left out: a mail is answered {most}.",
                "{left} more questions were left out: a mail is answered {most}.",
                most = QUESTIONS_MAX
            ));
        }
        let drawn = sections.iter().flat_map(|s| &s.blocks).any(|b| matches!(b, Block::Map(_)));
        let document =
            (drawn && seat.choices.format.html && claim.proof == Proof::Proven).then(|| {
                let title = tools.games().engine(&game.engine).map_or("", |e| e.title());
                let head = head(game, title, seat, say!("your questions"));
                render::Document::new(head, marks(game, seat.seat), Vec::new(), sections)
            });
        let mut judged = case.judged(Verdict::Accepted, Reason::Status, "questions answered");
        judged.seat = Some((game.code.clone(), seat.seat));
        // The answers show a position, so they go only to the registered address.
        let subject = match asked.first() {
            Some(first) => say!("answers: {question}", question = written(first)),
            None => say!("answers"),
        };
        let body = Written { text: body, document, map: None, book: None };
        let mails = answers.mails_to_registered(case, claim, &subject, body);
        answers.reply(case, &mut judged, mails)?;
        Ok(judged)
    }
}

/// A question as the answer repeats it, without signs that could act on a mail program.
fn written(question: &Question) -> String {
    let words = printed(&question.words.join(" ")).replace(['[', ']', '<', '>', '@'], "");
    let words: String = words.chars().take(40).collect();
    format!("{} {words}", row(question.kind).word).trim().to_owned()
}

/// Answers questions from a seat's view.
struct Asker<'a> {
    tools: Tools<'a>,
    game: &'a Game,
    seat: &'a SeatRow,
    open: std::sync::Arc<dyn Match>,
    names: Names,
}

impl<'a> Asker<'a> {
    fn new(tools: Tools<'a>, game: &'a Game, seat: &'a SeatRow) -> Result<Self> {
        let open = tools.games().open(game)?;
        let reader = tools.games().shielded(&game.code, || open.reader(seat.seat))?;
        let names = reader.names().clone();
        Ok(Self { tools, game, seat, open, names })
    }

    fn answer(&self, question: &Question) -> Result<Section> {
        let blocks = match question.kind {
            Kind::Map => self.map(&question.words.join(" "))?,
            Kind::History => self.history()?,
            _ => self.engine_answer(question)?,
        };
        Ok(Section { heading: written(question), blocks })
    }

    /// The engine's answer, or a sentence on why there is none.
    fn engine_answer(&self, question: &Question) -> Result<Vec<Block>> {
        let ask = |ask: &Ask| {
            let seat = self.seat.seat;
            self.tools.games().shielded(&self.game.code, || self.open.answer(seat, ask))
        };
        let words = question.words.join(" ");
        let lines = match question.kind {
            Kind::Look => match self.place(&words) {
                Ok(at) => ask(&Ask::Look(&at))?,
                Err(why) => vec![why.into()],
            },
            Kind::Distance => match self.pair(&question.words) {
                Ok((from, to)) => ask(&Ask::Distance(&from, &to))?,
                Err(why) => vec![why.into()],
            },
            Kind::Odds => match self.against(&question.words) {
                Ok((who, at)) => ask(&Ask::Odds(&who, &at))?,
                Err(why) => vec![
                    why.into(),
                    say!(
                        "The form is {form}: what fights, by its number or by the name of the \
                         place where it is, and then where.",
                        form = word(ODDS.form)
                    )
                    .into(),
                ],
            },
            _ => ask(&Ask::Who)?,
        };
        let lines = self.tools.printer().filled(self.game, self.seat, lines)?;
        Ok(match lines.is_empty() {
            true => {
                let form = word(row(question.kind).form);
                let why = say!("There is no answer to that in this game; the form is {form}.");
                vec![Block::Para(why.into())]
            }
            false => vec![Block::List(lines)],
        })
    }

    /// The code of the one place that words name.
    fn place(&self, words: &str) -> std::result::Result<String, String> {
        let shown = printed(words);
        let said = |noun: &str| words.split_whitespace().any(|w| w.eq_ignore_ascii_case(noun));
        // The number of a unit or a fleet is not the number of a place: its place is looked up.
        let moves = said("fleet") || said("unit");
        let mut found = match moves {
            true => self.names.standing(words),
            false => self.names.find("place", words),
        };
        // A city by its number, where places have other codes, or a planet of a system.
        for kind in ["numbered", "planet"] {
            if found.is_empty() && !moves {
                found = self.names.find(kind, words);
            }
        }
        if found.is_empty() && !moves {
            found = self.names.standing(words);
        }
        match &found[..] {
            [one] => Ok(one.clone()),
            [] => {
                let near = self.names.near(Some("place"), words);
                let near: Vec<String> =
                    near.iter().map(|(name, code)| format!("{name} ({code})")).collect();
                Err(match near.is_empty() {
                    true => say!("Nothing that you know is called {shown}."),
                    false => say!(
                        "Nothing that you know is called {shown}; near it are {names}.",
                        names = near.join(", ")
                    ),
                })
            }
            several => Err(say!(
                "Several places are called {shown}: {codes}. Ask by number.",
                codes = several.join(", ")
            )),
        }
    }

    /// Two places, one after the other in `words`.
    fn pair(&self, words: &[String]) -> std::result::Result<(String, String), String> {
        let cuts = (1..words.len()).map(|cut| words.split_at(cut));
        let found: Vec<(String, String)> = cuts
            .filter_map(|(a, b)| {
                Some((self.place(&a.join(" ")).ok()?, self.place(&b.join(" ")).ok()?))
            })
            .collect();
        match found.first() {
            Some(pair) => Ok(pair.clone()),
            // The error of the first half, or else of the second.
            None => {
                let (a, b) = words.split_at(words.len() / 2);
                self.place(&a.join(" "))?;
                self.place(&b.join(" "))?;
                Err(say!("Two places are needed: {form}.", form = word(DISTANCE.form)))
            }
        }
    }

    /// Who fights and where: a number and a place, two places, or two numbers.
    fn against(&self, words: &[String]) -> std::result::Result<(String, String), String> {
        let words: Vec<String> =
            words.iter().filter(|w| !w.eq_ignore_ascii_case("against")).cloned().collect();
        let number = |w: &str| w.chars().all(|c| c.is_ascii_digit());
        let nouns = ["unit", "fleet", "army", "armies", "regiments"];
        let noun = |w: &&String| nouns.iter().any(|n| w.eq_ignore_ascii_case(n));
        let words: Vec<String> = words.iter().filter(|w| !noun(w)).cloned().collect();
        match words.as_slice() {
            [a, b] if number(a) && number(b) && self.place(b).is_err() => {
                Ok((a.clone(), b.clone()))
            }
            [who, place @ ..] if number(who) && !place.is_empty() => {
                // The number of a region names a place as well.
                Ok((who.clone(), self.place(&place.join(" "))?))
            }
            // A unit whose name has letters.
            [who, place @ ..] if !place.is_empty() && self.unit(who).is_some() => {
                let unit = self.unit(who).unwrap_or_default();
                Ok((unit, self.place(&place.join(" "))?))
            }
            [_, _, ..] => self.pair(&words),
            _ => Err(say!("That is no unit and no place.")),
        }
    }

    /// The code of a unit that the player knows by exactly this name.
    fn unit(&self, word: &str) -> Option<String> {
        let mut found = self.names.exact("unit", word);
        found.truncate(1);
        found.pop()
    }

    /// The map around a place, cut from the best map that shows it.
    fn map(&self, words: &str) -> Result<Vec<Block>> {
        let said = |text: String| Ok(vec![Block::Para(text.into())]);
        let code = match self.place(words) {
            Ok(code) => code,
            Err(why) => return said(why),
        };
        let seat = self.seat.seat;
        let language = self.tools.cx.language_of(&self.seat.language);
        let report = || self.open.report(seat, language);
        let report = self.tools.games().shielded(&self.game.code, report)?;
        let sections = report.map(|r| r.sections).unwrap_or_default();
        let filled = self.tools.printer().shown(self.game, self.seat, &sections)?;
        let blocks = filled.into_iter().flat_map(|s| s.blocks);
        let maps = blocks.filter_map(|b| if let Block::Map(map) = b { Some(map) } else { None });
        // The finest map that shows the place, and the largest of these: a map of the whole world
        // puts several squares into one sign.
        let coarse = |map: &MapPicture| map.grid().is_some_and(|g| g.style == GridStyle::World);
        let maps = maps.filter_map(|map| Some((map.place(&code)?, map)));
        let found = maps.max_by_key(|(_, map)| (!coarse(map), map.cells().count()));
        match found {
            Some((at, map)) => {
                // Some maps have no text, so a list of what is known of the place follows.
                let look = || self.open.answer(seat, &Ask::Look(&code));
                let look = self.tools.games().shielded(&self.game.code, look)?;
                let look = self.tools.printer().filled(self.game, self.seat, look)?;
                let mut blocks = vec![Block::from(map.around(at)), Block::List(look)];
                if !self.seat.choices.format.html {
                    let hint = say!("FORMAT html brings it as a picture.");
                    blocks.push(Block::Para(hint.into()));
                }
                Ok(blocks)
            }
            None => said(say!("{place} is on no map of yours yet.", place = printed(words))),
        }
    }

    /// Lines about the last turns.
    fn history(&self) -> Result<Vec<Block>> {
        let diary = diary::lately(
            self.tools.cx,
            self.tools.store,
            (self.game, self.open.as_ref()),
            self.seat.seat,
            TURNS_MAX,
        )?;
        let lines: Vec<Sentence> = diary::lines(&diary);
        let lines = self.tools.printer().filled(self.game, self.seat, lines)?;
        Ok(match lines.is_empty() {
            true => vec![Block::Para(say!("Nothing has happened to you so far.").into())],
            false => vec![Block::List(lines)],
        })
    }
}
