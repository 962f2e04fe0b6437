//! What a mail is about, as far as it shows before anything is proven: how its new text is
//! told from the rest, and orders from words.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use engine::{Engine, Reader, Reading, Seat, wording};
use mail::body::{Lines, NewText};
use mail::mime::ParsedMail;
use store::{Game, Status};

use super::case::{Request, Row, Tools};
use super::senders::Senders;
use crate::card::subject_tag;
use crate::context::Result;
use crate::text::is_question;

/// What a mail is about.
pub struct About<'a> {
    tools: Tools<'a>,
    /// Name of the blank card whose typed-in lines are read; empty: none.
    pub card: String,
    /// The engine of its game, or all where no game shows.
    engines: Vec<&'static dyn Engine>,
    rows: &'static [Row],
    /// The running game and the seat whose names its words may have.
    view: Option<(Game, Seat)>,
    /// What reads lines in words; made when one comes.
    reader: OnceCell<Option<Reader>>,
    /// What was found of lines that may be words: each is asked about several times.
    found: RefCell<BTreeMap<String, bool>>,
}

impl<'a> About<'a> {
    /// A mail that shows no game.
    pub fn any(tools: Tools<'a>) -> Self {
        let engines = tools.cx.engines.to_vec();
        Self {
            tools,
            card: String::new(),
            engines,
            rows: tools.rows,
            view: None,
            reader: OnceCell::new(),
            found: RefCell::default(),
        }
    }

    /// A mail of a seat.
    pub fn seat(tools: Tools<'a>, game: &Game, seat: Seat) -> Self {
        let engine = tools.games().engine(&game.engine).ok();
        let engines = engine.map_or_else(|| tools.cx.engines.to_vec(), |e| vec![e]);
        let card = format!("{} T{} S{seat}", game.code, game.turn);
        let view = (game.status == Status::Running).then(|| (game.clone(), seat));
        Self {
            tools,
            card,
            engines,
            rows: tools.rows,
            view,
            reader: OnceCell::new(),
            found: RefCell::default(),
        }
    }

    /// A mail as it came: it is about the seat that its address or its subject names, else about
    /// the first seat of its From address.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn mail(tools: Tools<'a>, parsed: &ParsedMail, from: &str) -> Result<Self> {
        let details = Senders::new(tools).details(parsed);
        let detail = details.into_iter().find_map(|d| match d.as_slice() {
            [game, seat, _] => Some((game.clone(), seat.parse().ok().map(Seat)?)),
            _ => None,
        });
        let named = detail.or_else(|| subject_tag(&parsed.subject).map(|(g, _, s)| (g, s)));
        let named = match named {
            Some(named) => Some(named),
            None => tools.store.seats_of(from)?.first().map(|s| (s.game.clone(), s.seat)),
        };
        let Some((code, seat)) = named else { return Ok(Self::any(tools)) };
        match tools.store.game(&code)? {
            Some(game) => Ok(Self::seat(tools, &game, seat)),
            None => Ok(Self::any(tools)),
        }
    }

    /// Whether a line is an order of the game, or begins as one: in the form of the card, or in
    /// words.
    pub fn starts_order(&self, line: &str) -> bool {
        self.starts_as_written(line) || self.may_be_words(line) && self.is_in_words(line)
    }

    /// Whether a line begins as an order of the game does.
    pub fn starts_as_written(&self, line: &str) -> bool {
        self.engines.iter().any(|e| e.starts_order(line))
    }

    /// Whether it is worth asking the reader about a line.
    pub fn may_be_words(&self, line: &str) -> bool {
        self.engines.iter().any(|e| e.may_be_words(line))
    }

    fn is_in_words(&self, line: &str) -> bool {
        if let Some(found) = self.found.borrow().get(line) {
            return *found;
        }
        let found = self.reads_as_order(line);
        self.found.borrow_mut().insert(line.to_owned(), found);
        found
    }

    fn reads_as_order(&self, line: &str) -> bool {
        let Some(reader) = self.reader() else { return false };
        match reader.read(line) {
            Reading::No => !is_question(line) && reader.is_tried(line),
            Reading::Orders(all) | Reading::Several(all) => {
                // Which section is open matters to no order's beginning.
                let begins = |order: String| self.starts_as_written(&order);
                all.iter().all(|order| wording::below(order, "@X").is_some_and(begins))
            }
        }
    }

    /// What reads lines in words as the seat means them; none of a game that does not run.
    pub fn reader(&self) -> Option<&Reader> {
        let make = || {
            let (game, seat) = self.view.as_ref()?;
            let open = self.tools.games().open(game).ok()?;
            self.tools.games().shielded(&game.code, || open.reader(*seat)).ok()
        };
        self.reader.get_or_init(make).as_ref()
    }

    /// What is new in a mail, without the keys to a seat that a player may have pasted: all of
    /// it may go on to others.
    pub fn new_text(&self, lines: &Lines) -> NewText {
        let mut text = lines.new_text(&self.card, &|line| self.starts_order(line));
        let senders = Senders::new(self.tools);
        let all = text.above.iter_mut().chain(&mut text.in_card).chain(&mut text.below);
        for line in all {
            if let Some(plain) = senders.without_secrets(line) {
                (*line, text.had_secrets) = (plain, true);
            }
        }
        text
    }

    /// What the lines of a mail ask for.
    pub fn read(&self, lines: &[String]) -> Request {
        Request::read(lines, self.rows, &|line| self.starts_order(line))
    }

    /// The lines of a card: what stands above the original, and what was typed into the
    /// quoted card; what stands below only when there is nothing else.
    pub fn written(&self, text: &NewText) -> Vec<String> {
        let says = |lines: &[String]| lines.iter().any(|l| !l.trim().is_empty());
        if !says(&text.above) {
            return match text.in_card.is_empty() {
                true => text.below.clone(),
                false => text.in_card.clone(),
            };
        }
        let all: Vec<String> = text.above.iter().chain(&text.in_card).cloned().collect();
        match says(&text.below) && self.read(&all).is_empty() {
            true => text.above.iter().chain(&text.below).cloned().collect(),
            false => all,
        }
    }
}
