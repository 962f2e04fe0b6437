//! What a mail is about, as far as it shows before anything is proven: how its new text is
//! told from the rest, and orders from words.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use engine::{CardText, Engine, Reader, Reading, Seat, effort, press, wording};
use mail::body::{LineClass, Lines, NewText};
use mail::mime::ParsedMail;
use mail::quoting;
use store::{Game, Status};

use super::case::{Request, Tools};
use super::senders::Senders;
use crate::card::signs;
use crate::card::subject_tag;
use crate::context::Result;
use crate::printouts::card_name;
use crate::text::is_question;

/// Lines in which the commands and the heading of a mail stand.
pub const HEAD_LINES: usize = 30;

/// What a mail is about.
pub struct About<'a> {
    tools: Tools<'a>,
    /// Name of the blank card whose typed-in lines are read; empty: none.
    pub card: String,
    /// The engine of its game; `None`: it is nobody's yet.
    engine: Option<&'static dyn Engine>,
    /// The running game and the seat whose names its words may have.
    view: Option<(Game, Seat)>,
    /// What reads lines in words; made when one comes.
    reader: OnceCell<Option<Reader>>,
    /// What was found of lines that may be words: each is asked about several times.
    found: RefCell<BTreeMap<String, bool>>,
}

impl<'a> About<'a> {
    /// A mail of which nobody knows yet whose it is: no line of it is an order of a game.
    pub fn any(tools: Tools<'a>) -> Self {
        Self {
            tools,
            card: String::new(),
            engine: None,
            view: None,
            reader: OnceCell::new(),
            found: RefCell::default(),
        }
    }

    /// A mail of a seat.
    pub fn seat(tools: Tools<'a>, game: &Game, seat: Seat) -> Self {
        Self {
            card: card_name(game, seat),
            engine: tools.games().engine(&game.engine).ok(),
            view: (game.status == Status::Running).then(|| (game.clone(), seat)),
            ..Self::any(tools)
        }
    }

    /// A mail as it came, before it is known whose it is: its blank card is that of the seat that
    /// it seems to be of.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn mail(tools: Tools<'a>, parsed: &ParsedMail, from: &str) -> Result<Self> {
        let named = Self::named(tools, parsed, from)?;
        let card = named.map_or_else(String::new, |(game, seat)| card_name(&game, seat));
        Ok(Self { card, ..Self::any(tools) })
    }

    /// The seat that a mail seems to be of: the one that its address or its subject names, else the
    /// first of its From address.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn named(tools: Tools, parsed: &ParsedMail, from: &str) -> Result<Option<(Game, Seat)>> {
        let details = Senders::new(tools).details(&parsed.recipients);
        let detail = details.into_iter().find_map(|d| match d.as_slice() {
            [game, seat, _] => Some((game.clone(), seat.parse().ok().map(Seat)?)),
            _ => None,
        });
        let named = detail.or_else(|| subject_tag(&parsed.subject).map(|(g, _, s)| (g, s)));
        let named = match named {
            Some(named) => Some(named),
            None => tools.store.games().seats_of(from)?.first().map(|s| (s.game.clone(), s.seat)),
        };
        let Some((code, seat)) = named else { return Ok(None) };
        Ok(tools.store.games().game(&code)?.map(|game| (game, seat)))
    }

    /// Whether a line is an order of the game, or begins as one: in the form of the card, or in
    /// words.
    pub fn starts_order(&self, line: &str) -> bool {
        self.starts_as_written(line) || self.may_be_words(line) && self.is_in_words(line)
    }

    /// Whether a line begins as an order of the game does.
    pub fn starts_as_written(&self, line: &str) -> bool {
        effort::count(1);
        self.engine.is_some_and(|e| e.starts_order(line))
    }

    /// Whether it is worth asking the reader about a line.
    pub fn may_be_words(&self, line: &str) -> bool {
        self.engine.is_some_and(|e| e.may_be_words(line))
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

    /// Whether a line that is no order speaks of the game.
    pub fn knows(&self, line: &str) -> bool {
        self.reader().is_some_and(|reader| reader.speaks(line))
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

    /// What is new in a mail.
    pub fn new_text(&self, lines: &Lines) -> NewText {
        lines.new_text(&self.card)
    }

    /// What the lines of a mail ask for: those of a seat are its commands and its card, as far as
    /// a card may go; of anybody else's no more is read than a command needs.
    pub fn read(&self, lines: &[String]) -> Request {
        let most = match self.engine {
            Some(_) => self.tools.cx.limits.card_lines_max.saturating_add(HEAD_LINES),
            None => HEAD_LINES,
        };
        self.read_some(lines, most)
    }

    /// The same of so many lines that are not blank.
    pub fn read_some(&self, lines: &[String], most: usize) -> Request {
        let game = signs::Game {
            starts_as_written: &|line| self.starts_as_written(line),
            starts_order: &|line| self.starts_order(line),
            takes_text: &|line| self.engine.is_some_and(|e| e.takes_text(line)),
            knows: &|line| self.knows(line),
        };
        Request::read(lines, most, self.tools.rows, &game)
    }

    /// Where the lines that count begin among those that were left below a footer: at the first
    /// order, in a mail without an original, for then nothing of it can be old.
    fn counts_from(&self, text: &NewText) -> usize {
        let below = |(class, line): &(LineClass, String)| {
            *class == LineClass::Unread
                && (self.starts_as_written(line) || press::opens(line).is_some())
        };
        // Programs put addresses and links into what they append.
        let made = |(class, line): &(LineClass, String)| {
            *class != LineClass::AfterSignature
                && (quoting::has_address(line) || line.contains("://"))
        };
        // Nothing goes into a letter that has no end.
        let open = || {
            let (letters, _) = press::split(&CardText::of(&text.above));
            letters.iter().any(|letter| letter.end.is_none())
        };
        let original = text.has_original || text.left.iter().any(made);
        let first = text.left.iter().position(below).filter(|_| !original && !open());
        first.unwrap_or(text.left.len())
    }

    /// The lines outside every original that are not read, each with its class.
    pub fn left_over<'t>(&self, text: &'t NewText) -> &'t [(LineClass, String)] {
        &text.left[..self.counts_from(text)]
    }

    /// The lines of a card: what stands above the original, and what was typed into the
    /// quoted card; what stands below only when there is nothing else; and orders below a footer in
    /// a mail without an original.
    pub fn written(&self, text: &NewText) -> Vec<String> {
        let mut all = self.written_above(text);
        let below = &text.left[self.counts_from(text)..];
        all.extend(below.iter().map(|(_, line)| line.clone()));
        all
    }

    fn written_above(&self, text: &NewText) -> Vec<String> {
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
