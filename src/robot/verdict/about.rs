//! What a mail is about, as far as that shows before anything is proven: it separates the new text
//! from the rest, and orders from words.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

use engine::{Above, CardText, Engine, Reader, Reading, Seat, effort, press, wording};
use mail::body::{LineClass, Lines, NewText};
use mail::mime::ParsedMail;
use mail::quoting;
use store::{Game, Status};

use super::case::{Request, Tools};
use super::letter_words;
use super::senders::Senders;
use super::taken_back;
use crate::card::signs;
use crate::card::subject_tag;
use crate::context::Result;
use crate::printouts::card_name;
use crate::text::is_question;

/// Lines at the top of a mail for its heading and commands.
pub const HEAD_LINES: usize = 30;

/// What a mail is about.
pub struct About<'a> {
    tools: Tools<'a>,
    /// Name of the blank card whose typed-in lines are read; empty: none.
    pub card: String,
    /// The engine of its game. `None`: its seat is not known yet.
    engine: Option<&'static dyn Engine>,
    /// The running game and the seat, whose names its words may use.
    view: Option<(Game, Seat)>,
    /// The reader of lines in words, made for the first such line.
    reader: OnceCell<Option<Reader>>,
    letters: OnceCell<bool>,
    /// Cached results for lines that may be words: each is looked up several times.
    found: RefCell<BTreeMap<String, bool>>,
}

impl<'a> About<'a> {
    /// A mail whose seat is not known yet: none of its lines is an order of a game.
    pub fn any(tools: Tools<'a>) -> Self {
        Self {
            tools,
            card: String::new(),
            engine: None,
            view: None,
            reader: OnceCell::new(),
            letters: OnceCell::new(),
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

    /// A mail as it came, before its seat is known. Its blank card is that of the seat that it
    /// seems to come from.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn mail(tools: Tools<'a>, parsed: &ParsedMail, from: &str) -> Result<Self> {
        let named = Self::named(tools, parsed, from)?;
        let card = named.map_or_else(String::new, |(game, seat)| card_name(&game, seat));
        Ok(Self { card, ..Self::any(tools) })
    }

    /// The seat that a mail seems to come from: the one in its recipient address or its subject,
    /// else the first seat of its From address.
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
        let words = || {
            self.may_be_words(line)
                || letter_words::writes_a_letter(line)
                || letter_words::tells(line)
        };
        self.starts_as_written(line)
            || words() && self.is_in_words(line)
            || self.engine.is_some() && taken_back::is_change(line, &|| self.reader())
    }

    /// Whether a line begins as an order of the game does, or a letter.
    pub fn starts_as_written(&self, line: &str) -> bool {
        effort::count(1);
        self.engine.is_some_and(|e| e.starts_order(line))
            || press::opens(line).is_some() && self.takes_letters()
    }

    /// Whether the game takes letters between players.
    fn takes_letters(&self) -> bool {
        let takes = || {
            let (game, _) = self.view.as_ref()?;
            let open = self.tools.games().open(game).ok()?;
            self.tools.games().shielded(&game.code, || open.press()).ok()
        };
        *self.letters.get_or_init(|| takes().unwrap_or_default())
    }

    /// Whether a line may be an order in words: a quick test before the reader's.
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
            // It may ask the player something.
            Reading::No if letter_words::is_told(line, reader) => true,
            Reading::No if is_question(line) => false,
            Reading::No => reader.is_tried(line) || self.is_understood_in_part(reader, line),
            Reading::Idle => true,
            Reading::Orders(orders) => self.all_begin(&orders),
            Reading::Several(all) => all.iter().all(|orders| self.all_begin(orders)),
        }
    }

    /// Whether a part of a line that can't be read means orders, so that it has to be asked about.
    fn is_understood_in_part(&self, reader: &Reader, line: &str) -> bool {
        let worth = reader.may_be_meant(line) && !self.starts_as_written(line);
        let found = worth.then(|| reader.partly(line, &mut Above::default()));
        let found = found.flatten();
        found.is_some_and(|found| found.orders.iter().all(|orders| self.all_begin(orders)))
    }

    /// Whether all of these begin as orders of the game do.
    fn all_begin(&self, orders: &[String]) -> bool {
        // The open section does not change how an order begins.
        let begins = |order: String| self.starts_as_written(&order);
        orders.iter().all(|order| wording::below(order, "@X").is_some_and(begins))
    }

    /// Whether a line that is not an order speaks of the game.
    pub fn knows(&self, line: &str) -> bool {
        self.reader().is_some_and(|reader| reader.speaks(line))
    }

    /// The reader of lines in words, with the names that the seat knows. `None`: the game does not
    /// run.
    pub fn reader(&self) -> Option<&Reader> {
        let make = || {
            let (game, seat) = self.view.as_ref()?;
            let open = self.tools.games().open(game).ok()?;
            self.tools.games().shielded(&game.code, || open.reader(*seat)).ok()
        };
        self.reader.get_or_init(make).as_ref()
    }

    /// The new text of a mail.
    pub fn new_text(&self, lines: &Lines) -> NewText {
        lines.new_text(&self.card)
    }

    /// What the lines of a mail ask for. A seat's mail is read up to the length of a card and its
    /// commands, any other mail only as far as commands need.
    pub fn read(&self, lines: &[String]) -> Request {
        let most = match self.engine {
            Some(_) => self.tools.cx.limits.card_lines_max.saturating_add(HEAD_LINES),
            None => HEAD_LINES,
        };
        self.read_some(lines, most)
    }

    /// The same as [`About::read`], for at most `most` lines that are not blank.
    pub fn read_some(&self, lines: &[String], most: usize) -> Request {
        let game = signs::Game {
            starts_as_written: &|line| self.starts_as_written(line),
            starts_order: &|line| self.starts_order(line),
            takes_text: &|line| self.engine.is_some_and(|e| e.takes_text(line)),
            knows: &|line| self.knows(line),
        };
        Request::read(lines, most, self.tools.rows, &game)
    }

    /// The index of the first line below a footer that counts: the first order, in a mail without
    /// an original, because then nothing in it can be old.
    fn counts_from(&self, text: &NewText) -> usize {
        let below = |(class, line): &(LineClass, String)| {
            *class == LineClass::Unread
                && (self.starts_as_written(line) || press::opens(line).is_some())
        };
        // Text that programs append has addresses and links.
        let made = |(class, line): &(LineClass, String)| {
            *class != LineClass::AfterSignature
                && (quoting::has_address(line) || line.contains("://"))
        };
        // Nothing is added to a letter without an end.
        let open = || {
            let (letters, _) = press::split(&CardText::of(&text.above));
            letters.iter().any(|letter| letter.end.is_none())
        };
        let original = text.has_original || text.left.iter().any(made);
        let first = text.left.iter().position(below).filter(|_| !original && !open());
        first.unwrap_or(text.left.len())
    }

    /// The unread lines outside every original, each with its class.
    pub fn left_over<'t>(&self, text: &'t NewText) -> &'t [(LineClass, String)] {
        &text.left[..self.counts_from(text)]
    }

    /// The lines of a card: those above the original, and those typed into the quoted card. Lines
    /// below the original count only if there are no others. Orders below a footer count in a mail
    /// without an original.
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
