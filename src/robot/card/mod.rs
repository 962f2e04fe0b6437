//! Splits the new text of a mail into heading, commands and orders.

pub mod aside;
pub mod command;
pub mod echo;
pub mod json;
pub mod prose;
pub mod signs;
pub(crate) mod spoken;

use std::cell::OnceCell;
use std::collections::BTreeSet;

use engine::{CardText, Origin, Seat, Turn, effort, press};
use mail::{normal, quoting};
use render::html::GUARD;

use crate::text::is_question;
use aside::{Aside, Misplaced, Note, Why};
use command::{Found, Row};
use prose::{
    GREETING_WORDS, ORDERS, greets, hedges, is_bracketed, is_greeting, is_loud, is_sentence,
    is_talk, is_title, is_words, without_farewell,
};
use signs::Game;

pub use command::Mode;

/// `GAME W7 SEAT 34 TURN 12 PASSWORD …`, as far as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heading {
    /// Code of the game, as written.
    pub game: Option<String>,
    /// The seat that the mail speaks for.
    pub seat: Option<Seat>,
    /// The turn that the card is for.
    pub turn: Option<Turn>,
    /// The turn that the title of the card names, as in `My orders for turn 7:`.
    pub title: Option<Turn>,
    /// The password that proves that the mail is from the seat's player.
    pub password: Option<String>,
}

/// What a mail asks for. `C` is the type of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request<C> {
    /// The game and the seat that the mail names.
    pub heading: Heading,
    /// What becomes of its orders.
    pub mode: Mode,
    /// Whether a word of the mail chose the mode.
    pub mode_named: bool,
    /// Commands in order.
    pub commands: Vec<C>,
    /// The lines of the commands, as written.
    pub command_lines: Vec<String>,
    /// The lines that may be orders.
    pub card: CardText,
    /// Number of lines beyond the limit: they are not examined.
    pub over: usize,
    /// Number of sentences among and above the orders: words to a person, not orders.
    pub sentences: usize,
    /// Whether the first line that is not a greeting, heading or command begins as an order does.
    pub leads: bool,
    /// Commands that are not carried out.
    pub misplaced: Vec<Misplaced>,
    /// Lines that are neither orders nor commands, with the reason why they are not read.
    pub asides: Vec<Aside>,
    /// The mode that a word of the mail names, where it is unclear whether it is meant.
    pub unclear: Option<Mode>,
    /// A first word that is nearly a command, or a command in a wrong form: the word as written,
    /// and the right form.
    pub meant: Option<(String, &'static str)>,
    /// The number and the text of the line of `meant`.
    meant_at: (u32, String),
    /// Number of the last line that is a command.
    last_read: u32,
    /// Whether a second card begins within the first.
    pub two_cards: bool,
    /// What is wrong with a card in JSON that can't be read.
    pub wrong: Option<String>,
    /// The lines whose meaning was chosen by a number.
    pub chosen: Vec<String>,
    /// What it changes of the orders on file.
    pub changes: Vec<Change>,
}

/// A line that takes back orders on file, or puts others in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Number of the line.
    pub line: u32,
    /// The line as written.
    pub text: String,
    /// The orders that are no longer on file, as they stood in the card.
    pub orders: Vec<String>,
    /// What stands in their place; empty where nothing does.
    pub by: String,
}

impl<C> Default for Request<C> {
    fn default() -> Self {
        Self {
            heading: Heading::default(),
            mode: Mode::default(),
            mode_named: false,
            commands: Vec::new(),
            command_lines: Vec::new(),
            card: CardText::default(),
            over: 0,
            sentences: 0,
            leads: false,
            misplaced: Vec::new(),
            asides: Vec::new(),
            unclear: None,
            meant: None,
            meant_at: (0, String::new()),
            last_read: 0,
            two_cards: false,
            wrong: None,
            chosen: Vec::new(),
            changes: Vec::new(),
        }
    }
}

impl<C> Request<C> {
    /// Reads the new lines of a mail, at most `most` that are not blank. `rows` are the known
    /// commands; `game` says which lines are orders. Lines keep their numbers in `lines`. Each one
    /// becomes a part of the heading, a command, a line of the card, or an aside.
    pub fn read(lines: &[String], most: usize, rows: &[Row<C>], game: &Game) -> Self {
        let written;
        let lines = match json::is_meant(lines) {
            false => lines,
            true => match json::lines(lines) {
                Ok(lines) => {
                    written = lines;
                    &written
                }
                Err(why) => return Self { wrong: Some(why), ..Self::default() },
            },
        };
        let mut said = lines.iter().enumerate().filter(|(_, l)| !l.trim().is_empty()).skip(most);
        let Some((end, _)) = said.next() else {
            return Self::read_lines(lines, rows, game);
        };
        let over = 1 + said.count();
        Self { over, ..Self::read_lines(&lines[..end], rows, game) }
    }

    fn read_lines(written: &[String], rows: &[Row<C>], game: &Game) -> Self {
        let mut request = Self::default();
        effort::count(written.len());
        let page = Page::new(written, rows, game);
        let mut orders: Vec<(u32, String)> = Vec::new();
        // Lines above the first order that may have been meant as orders.
        let mut tried: Vec<(u32, String)> = Vec::new();
        for (number, line) in (1u32..).zip(&page.lines).filter(|(_, l)| !l.trim().is_empty()) {
            if let Some(why) = page.set_aside(number) {
                match why {
                    Why::Struck => {
                        request.aside(number, &normal::unstruck(page.line(number)), why);
                    }
                    _ => request.aside(number, page.written(number), why),
                }
                continue;
            }
            let text = line.trim();
            if orders.is_empty() {
                match request.read_above(&page, number, &mut tried) {
                    Head::Rest => break,
                    Head::Line => continue,
                    Head::Order(order) => {
                        request.leads |= request.sentences == 0;
                        orders.push((number, order));
                        continue;
                    }
                    Head::Ends => {
                        request.leads = request.sentences == 0 && (game.starts_order)(text)
                    }
                }
            }
            let mut second = Heading::default();
            if !orders.is_empty() && second.read(text) && second.game.is_some() {
                request.two_cards |= second.seat.is_some();
            }
            orders.push((number, line.trim_end().to_owned()));
        }
        if orders.is_empty() {
            tried.into_iter().for_each(|(number, line)| request.aside(number, &line, Why::Tried));
            request.answer_apart(rows);
            return request;
        }
        request.read_body(orders.into_iter().collect(), rows, game);
        // The tried lines are judged with the others, above them.
        let below = std::mem::take(&mut request.card.lines);
        request.card.lines = tried.into_iter().chain(below).collect();
        request.answer_apart(rows);
        request.note_origins(written);
        request
    }

    /// Reads a line above the first order: a part of the heading, a command, or words. Words that may
    /// have been meant as an order go into `tried`.
    fn read_above(&mut self, page: &Page<C>, number: u32, tried: &mut Vec<(u32, String)>) -> Head {
        let (line, starts_order) = (page.line(number), page.game.starts_order);
        let text = line.trim();
        match self.read_head(page, (number, text)) {
            Head::Ends if !starts_order(text) && is_words(text) => {}
            head => return head,
        }
        let (asks, knows) = (is_question(text), (page.game.knows)(text));
        // Neither a question nor a failed order in words is talk.
        let talk = !asks && (!knows || is_sentence(text));
        self.sentences += usize::from(talk && !is_greeting(text));
        let why = match () {
            () if asks => Why::Question,
            () if is_title(text, page.game) => Why::Title,
            () if knows => {
                tried.push((number, line.to_owned()));
                return Head::Line;
            }
            () if greets(text) => Why::Greeting,
            () => Why::Words,
        };
        self.aside(number, page.written(number), why);
        Head::Line
    }

    /// Notes the original text of each line of the card that has lost words.
    fn note_origins(&mut self, written: &[String]) {
        let words = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
        for (number, line) in &self.card.lines {
            let whole = written[*number as usize - 1].trim();
            // A number in a list is no loss, and a word before the order was read.
            if words(whole) > words(line) && !whole.ends_with(line.as_str()) {
                let origin = Origin { line: *number, words: Some(whole.to_owned()) };
                self.card.origins.insert(*number, origin);
            }
        }
    }

    fn aside(&mut self, line: u32, text: &str, why: Why) {
        self.asides.push(Aside { line, text: text.trim().to_owned(), why });
    }

    /// Reads a line above the first order as a part of the heading or a command. Below a sentence
    /// only a word in capitals is a command.
    fn read_head(&mut self, page: &Page<C>, (number, text): (u32, &str)) -> Head {
        let (rows, starts_order) = (page.rows, page.game.starts_order);
        let orders = || page.is_above_order(number);
        if self.heading.read(text) {
            return Head::Line;
        }
        if self.sentences > 0 {
            return match command::find(rows, text, &[]) {
                // A command in capitals, alone on its line, is meant.
                Found::Command(command) if is_loud(text) => {
                    self.command(command, (number, text));
                    Head::Line
                }
                // A question is reported as a question.
                Found::Command(_) | Found::Mode(_) if !is_question(text) => {
                    self.misplace(number, text, Note::AmongWords);
                    Head::Line
                }
                _ => Head::Ends,
            };
        }
        let said = spoken::command(text).filter(|_| !starts_order(text));
        let found = match command::find(rows, text, page.below(number)) {
            // `cancel everything` names no order, `CANCEL 3` does.
            Found::No | Found::ModeAnd(_) if said.is_some() && !is_question(text) => {
                command::find(rows, said.as_deref().unwrap_or_default(), &[])
            }
            found => found,
        };
        match found {
            Found::No => return Head::Ends,
            // `CANCEL 3` takes back one order.
            Found::ModeAnd(Mode::Cancel) if starts_order(text) => return Head::Ends,
            Found::Mode(mode) => self.set_mode(mode, orders()),
            Found::ModeAnd(mode) => {
                // "ADD M 3 12" is an order to be added, "add these, please" says so too if
                // orders follow; without them it is a sentence.
                let more = text.split_once(char::is_whitespace).map_or("", |(_, more)| more.trim());
                // "Add one level of defence to Kiel" is an order as a whole.
                if !(page.game.starts_as_written)(more) && starts_order(text) && !is_loud(text) {
                    self.set_mode(mode, true);
                    return Head::Order(text.to_owned());
                }
                let order = starts_order(more);
                if !order && !orders() {
                    return Head::Ends;
                }
                self.set_mode(mode, true);
                if order {
                    return Head::Order(more.to_owned());
                }
            }
            Found::Command(command) => self.command(command, (number, text)),
            Found::ToEnd(command) => {
                self.command(command, (number, text));
                return Head::Rest;
            }
            // Only a word for the mode changes what becomes of the orders below it.
            Found::Meant(form) if !command::says_mode(rows, form) && orders() => {
                self.misplace(number, text, Note::Form(form));
            }
            Found::Meant(form) => {
                let word = text.split_whitespace().next().unwrap_or_default();
                let word: String = word.chars().take(20).collect();
                match &self.meant {
                    None => {
                        self.meant_at = (number, text.to_owned());
                        self.meant = Some((word, form));
                    }
                    Some(_) => self.misplace(number, text, Note::Form(form)),
                }
            }
        }
        Head::Line
    }

    /// Sets the mode that a word names. CANCEL with orders is unclear.
    fn set_mode(&mut self, mode: Mode, orders: bool) {
        (self.mode, self.mode_named) = (mode, true);
        if mode == Mode::Cancel && orders {
            self.unclear = Some(mode);
        }
    }

    /// Takes the commands out of the lines from the first order on. A command counts if it is alone
    /// on its line, in a mail that has only greetings, orders and commands. In a mail with
    /// sentences, a word that is not in capitals may mean anything.
    fn read_body(&mut self, card: CardText, rows: &[Row<C>], game: &Game) {
        let starts_order = game.starts_order;
        let says = |line: &str| matches!(command::find(rows, line.trim(), &[]), Found::No);
        let (card, farewell) = without_farewell(card, game, &says);
        for (number, line) in farewell {
            let greets = quoting::is_greeting(line.trim());
            self.aside(number, &line, if greets { Why::Greeting } else { Why::Name });
        }
        let (_, outside) = press::split(&card);
        let outside: BTreeSet<u32> = outside.lines.iter().map(|l| l.0).collect();
        let own = |line: &(u32, String)| outside.contains(&line.0) && !starts_order(&line.1);
        let sentences = card.lines.iter().filter(|l| own(l) && is_sentence(&l.1)).count();
        self.sentences += sentences;
        let orders = self.leads || card.lines.iter().any(|l| starts_order(&l.1));
        // The number of the line before, if it is so long that a mail program may have broken it.
        let mut long = None;
        for line in card.lines {
            let found = match own(&line) {
                true => command::find(rows, line.1.trim(), &[]),
                false => Found::No,
            };
            let goes_on = long == Some(line.0 - 1);
            long = (line.1.chars().count() >= BROKEN_FROM).then_some(line.0);
            let aloud = is_loud(&line.1) && matches!(found, Found::Command(_));
            match found {
                // CHECK does no harm: it judges the card and files nothing.
                Found::Mode(Mode::Check) if orders => self.set_mode(Mode::Check, true),
                Found::Mode(mode) if orders => self.unclear = Some(mode),
                // Without orders or among sentences, only a command in capitals is meant.
                Found::Mode(_) | Found::Command(_)
                    if !orders && !aloud || self.sentences > 0 && !is_loud(&line.1) =>
                {
                    match is_question(&line.1) {
                        true => self.aside(line.0, &line.1, Why::Question),
                        false => self.misplace(line.0, &line.1, Note::AmongWords),
                    }
                }
                Found::Command(command) => self.command(command, (line.0, line.1.trim())),
                // A line that is a heading is not a command.
                Found::Meant(form)
                    if is_loud(&line.1) && !Heading::default().read(line.1.trim()) =>
                {
                    self.misplace(line.0, &line.1, Note::Form(form));
                }
                _ if own(&line) && is_question(&line.1) => {
                    self.aside(line.0, &line.1, Why::Question);
                }
                _ if own(&line) && !goes_on && is_talk(&line.1, game) => {
                    self.aside(line.0, &line.1, Why::Words);
                }
                _ if own(&line) && is_title(&line.1, game) => {
                    self.aside(line.0, &line.1, Why::Title);
                }
                _ => self.card.lines.push(line),
            }
        }
    }

    /// Sets a command without its form aside, so that the other commands are answered.
    fn answer_apart(&mut self, rows: &[Row<C>]) {
        let apart = |form| !self.commands.is_empty() && !command::says_mode(rows, form);
        if let Some((_, form)) = self.meant.take_if(|(_, form)| apart(form)) {
            let (line, text) = std::mem::take(&mut self.meant_at);
            self.misplace(line, &text, Note::Form(form));
        }
    }

    /// The number of lines above the last order or command that are unread words or commands not
    /// carried out: they may say that the order or command is not meant.
    pub fn unread_above(&self) -> usize {
        let last = self.card.lines.iter().map(|l| l.0).fold(self.last_read, u32::max);
        let holds = |a: &&Aside| match a.why {
            Why::Tried | Why::Words => true,
            // "Hello, how are you?"
            Why::Question => {
                let short = a.text.split_whitespace().count() <= GREETING_WORDS / 2;
                !(short && quoting::is_greeting(&a.text))
            }
            _ => false,
        };
        let words = self.asides.iter().filter(holds).map(|a| a.line);
        let commands = self.misplaced.iter().map(|m| m.line);
        words.chain(commands).filter(|line| *line < last).count()
    }

    /// Number of the last line that is a command; 0: none is.
    pub fn last_read(&self) -> u32 {
        self.last_read
    }

    fn misplace(&mut self, line: u32, text: &str, note: Note) {
        self.misplaced.push(Misplaced { line, text: text.trim().to_owned(), note });
    }

    fn command(&mut self, command: C, (number, line): (u32, &str)) {
        if self.commands.len() == COMMANDS_MAX {
            self.misplace(number, line, Note::TooMany(COMMANDS_MAX));
            return;
        }
        self.last_read = self.last_read.max(number);
        self.commands.push(command);
        self.command_lines.push(line.to_owned());
    }

    /// The questions of a mail with orders, outside letters to other players. An order that ends
    /// with a question mark is not a question.
    pub fn questions(&self, starts_order: &dyn Fn(&str) -> bool) -> Vec<String> {
        let (_, outside) = press::split(&self.card);
        let lines = outside.lines.into_iter().map(|l| l.1).filter(|l| !starts_order(l));
        let asides = self.asides.iter().filter(|a| a.why == Why::Question).map(|a| a.text.clone());
        lines.filter(|l| is_question(l)).chain(asides).collect()
    }

    /// Whether the mail asks for nothing at all.
    pub fn is_empty(&self) -> bool {
        self.commands.is_empty()
            && !self.mode_named
            && self.over == 0
            && self.meant.is_none()
            && self.unclear.is_none()
            && self.wrong.is_none()
            && self.card.lines.is_empty()
    }
}

/// The lines of a mail while they are read.
struct Page<'p, C: 'static> {
    written: &'p [String],
    /// The same lines without signs and remarks around orders. Lines of letters to players stay as
    /// written.
    lines: Vec<String>,
    /// The numbers of lines that are part of a letter to other players.
    letters: BTreeSet<u32>,
    /// The index of the last line that begins as an order does. It is cached, because the test for
    /// orders below a line is made for many lines.
    last_order: OnceCell<Option<usize>>,
    rows: &'p [Row<C>],
    game: &'p Game<'p>,
}

impl<'p, C> Page<'p, C> {
    fn new(written: &'p [String], rows: &'p [Row<C>], game: &'p Game<'p>) -> Self {
        let order = |line: &String| match line.trim().is_empty() {
            true => line.clone(),
            false => signs::order(line, game).into_owned(),
        };
        let mut lines: Vec<String> = written.iter().map(order).collect();
        // The text of a letter stays as written, whatever signs it has; the lines that open and end
        // it do not.
        let letters = in_letters(&lines);
        for at in letters.iter().map(|number| *number as usize - 1) {
            if press::opens(&lines[at]).is_none() && !press::ends(&lines[at]) {
                lines[at].clone_from(&written[at]);
            }
        }
        Self { written, lines, letters, last_order: OnceCell::new(), rows, game }
    }

    fn line(&self, number: u32) -> &str {
        &self.lines[number as usize - 1]
    }

    fn written(&self, number: u32) -> &'p str {
        &self.written[number as usize - 1]
    }

    /// The lines below this line, as written.
    fn below(&self, number: u32) -> &'p [String] {
        self.written.get(number as usize..).unwrap_or_default()
    }

    /// Whether an order is below a line.
    fn is_above_order(&self, number: u32) -> bool {
        let last = || self.lines.iter().rposition(|l| (self.game.starts_order)(l));
        self.last_order.get_or_init(last).is_some_and(|last| last >= number as usize)
    }

    /// Why a line is an aside whatever is above it: it is a remark, has only signs, is crossed out,
    /// or is a line of the robot that came back with a quoted printout. Such a line begins with the
    /// bar, perhaps after the sign of a list. In a letter to players, a bar after such a sign
    /// belongs to the letter.
    fn set_aside(&self, number: u32) -> Option<Why> {
        let (text, whole) = (self.line(number).trim(), self.written(number).trim());
        let letter = self.letters.contains(&number);
        // Crossed out in Markdown, also with one sign instead of two.
        let markdown = || {
            let inside = text.strip_prefix('~').and_then(|t| t.strip_suffix('~'));
            inside.is_some_and(|inside| inside.contains(char::is_alphanumeric))
        };
        let signs = || !text.contains(|c: char| c.is_alphanumeric() || "@/".contains(c));
        match () {
            () if text.starts_with(GUARD) || !letter && whole.starts_with(GUARD) => Some(Why::Ours),
            () if letter => None,
            () if normal::is_struck(text) || markdown() => Some(Why::Struck),
            () if signs::is_crossed(whole) => Some(Why::Struck),
            () if (self.game.starts_order)(text) => None,
            () if text.starts_with(REMARKS) => Some(Why::Remark),
            () if is_bracketed(text, self.game) => Some(Why::Remark),
            () if signs() => Some(Why::Signs),
            () => None,
        }
    }
}

/// The kind of a line above the first order.
enum Head {
    /// A part of the heading, or a command.
    Line,
    /// A command that takes the rest of the mail.
    Rest,
    /// An order after a word that says what becomes of it.
    Order(String),
    /// None of these.
    Ends,
}

impl Heading {
    /// Takes from another heading what this one does not say.
    pub fn fill(&mut self, more: Self) {
        self.game = self.game.take().or(more.game);
        self.seat = self.seat.or(more.seat);
        self.turn = self.turn.or(more.turn);
        self.title = self.title.or(more.title);
        self.password = self.password.take().or(more.password);
    }

    /// Reads a line. `false` when it is not a heading.
    fn read(&mut self, text: &str) -> bool {
        if let Some(turn) = turn_of_orders(text) {
            self.title = Some(turn);
            return true;
        }
        let words: Vec<&str> = text.split_whitespace().collect();
        let key = |w: &str| w.trim_end_matches(':').to_uppercase();
        let first = words.first().map(|w| key(w)).unwrap_or_default();
        // PASSWORD by itself is the command that sets a new one. After GAME and SEAT it proves the
        // sender.
        let named = self.game.is_some() && self.seat.is_some();
        let proves = first == "PASSWORD" && named && self.password.is_none();
        let known = ["GAME", "SEAT", "TURN"].contains(&first.as_str()) || proves;
        if !known || words.len() < 2 {
            return false;
        }
        let names = ["GAME", "SEAT", "TURN", "PASSWORD"];
        if words.get(2).is_some_and(|second| !names.contains(&key(second).as_str())) {
            // A sentence, such as "Turn 5 was great".
            return false;
        }
        for pair in words.chunks(2) {
            let [name, value] = pair else { continue };
            match key(name).as_str() {
                "GAME" => self.game = Some((*value).to_owned()),
                "SEAT" => self.seat = value.parse().ok().map(Seat),
                // The first of several, as in `T7-9` of a subject.
                "TURN" => self.turn = value.split('-').next().and_then(|n| n.parse().ok()),
                "PASSWORD" => self.password = Some((*value).to_owned()),
                _ => {}
            }
        }
        true
    }
}

/// Words of a title that names the turn of the orders below it, at most.
const TITLE_WORDS: usize = 8;

/// The turn that a title names, as in `My orders for turn 7:`, `Turn 7 orders`, `Runde 7:`.
fn turn_of_orders(text: &str) -> Option<Turn> {
    const TURN: [&str; 3] = ["turn", "runde", "zug"];
    const BESIDE: [&str; 12] =
        ["my", "our", "the", "for", "here", "are", "is", "meine", "die", "für", "hier", "sind"];
    let bare = |w: &str| w.trim_matches([':', '.', ',', '-']).to_lowercase();
    let words: Vec<String> = text.split_whitespace().map(bare).filter(|w| !w.is_empty()).collect();
    let at = words.iter().position(|w| w.bytes().all(|b| b.is_ascii_digit()))?;
    let is = |of: &[&str], w: &String| of.contains(&w.as_str());
    if at == 0 || !is(&TURN, &words[at - 1]) || words.len() > TITLE_WORDS || hedges(text) {
        return None;
    }
    let beside = || words[..at - 1].iter().chain(&words[at + 1..]);
    // TURN 7 and Turn 7 are a heading, not a title.
    let own = words.len() == 2 && words[0] == TURN[0];
    let titled = beside().any(|w| is(&ORDERS, w)) && words.len() == at + 1;
    let plain = |w: &String| w.chars().all(|c| c.is_alphabetic() || c == '\'');
    let named = titled && beside().all(plain) || beside().all(|w| is(&ORDERS, w) || is(&BESIDE, w));
    if named && !own { words[at].parse().ok() } else { None }
}

/// Commands that one mail may have.
const COMMANDS_MAX: usize = 8;

/// Signs before a remark, which no game reads.
pub const REMARKS: [char; 2] = ['#', ';'];

/// Characters of a line that mail programs may have broken, at least.
const BROKEN_FROM: usize = 66;

/// The numbers of lines that are part of a letter to other players.
fn in_letters(lines: &[String]) -> BTreeSet<u32> {
    if lines.iter().all(|l| press::opens(l).is_none()) {
        return BTreeSet::new();
    }
    let all: CardText = (1..).zip(lines.iter().cloned()).collect();
    let (_, outside) = press::split(&all);
    let outside: BTreeSet<u32> = outside.lines.iter().map(|l| l.0).collect();
    all.lines.iter().map(|l| l.0).filter(|n| !outside.contains(n)).collect()
}

/// Game, turn and seat of a subject such as `Re: [W7 T12 S34] orders`; if there are several turns,
/// as in `[E1 T7-9 S2]`, the first.
pub fn subject_tag(subject: &str) -> Option<(String, u32, Seat)> {
    let inside = subject.split('[').skip(1).filter_map(|part| part.split(']').next());
    inside
        .filter_map(|tag| {
            let mut words = tag.split_whitespace();
            let game = words.next()?.to_owned();
            let turns = words.next()?.strip_prefix(['T', 't'])?;
            let turn = turns.split('-').next()?.parse().ok()?;
            let seat = words.next()?.strip_prefix(['S', 's'])?.parse().ok()?;
            Some((game, turn, Seat(seat)))
        })
        .next()
}

#[cfg(test)]
mod tests {
    use super::command::Read;
    use super::*;

    const ROWS: &[Row<String>] = &[
        Row { word: "ADD", form: "ADD", help: "adds", read: |line| line.mode(Mode::Add) },
        Row {
            word: "TELL",
            form: "TELL text",
            help: "tells",
            read: |line| Read::ToEnd(format!("{}\n{}", line.tail(), line.below().join("\n"))),
        },
        Row {
            word: "STATUS",
            form: "STATUS",
            help: "where you stand",
            read: |line| line.alone(|| "STATUS".to_owned()),
        },
    ];

    /// Reads lines of a game in which `orders` says what an order is, and any line about tanks was
    /// meant as one.
    fn by(lines: &[String], most: usize, orders: &dyn Fn(&str) -> bool) -> Request<String> {
        let game = Game {
            starts_as_written: orders,
            starts_order: orders,
            takes_text: &|_| false,
            knows: &|line| line.contains("tanks"),
        };
        Request::read(lines, most, ROWS, &game)
    }

    fn read(text: &str) -> Request<String> {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let orders = ["A 12 2", "BA 5", "END", "V DARW"];
        let begins =
            |line: &str, order: &str| line == order || line.starts_with(&format!("{order} ("));
        by(&lines, 100, &|line| orders.iter().any(|order| begins(line, order)))
    }

    /// The numbers of the lines that are asides, each with why.
    fn asides(got: &Request<String>) -> Vec<(u32, Why)> {
        let mut all: Vec<(u32, Why)> = got.asides.iter().map(|a| (a.line, a.why)).collect();
        all.sort_by_key(|a| a.0);
        all
    }

    #[test]
    fn lines_behind_the_most_are_counted_and_not_looked_at() {
        let lines: Vec<String> =
            ["STATUS", "", "A 12 2", "BA 5", "", "BA 5"].map(str::to_owned).into();
        let looked = std::cell::Cell::new(0);
        let got = by(&lines, 2, &|_| {
            looked.set(looked.get() + 1);
            false
        });
        assert_eq!((got.commands.len(), got.card.lines.len(), got.over), (1, 1, 2));
        let most = looked.take();
        let many: Vec<String> = (0..900).map(|_| "BA 5".to_owned()).collect();
        by(&many, 2, &|_| {
            looked.set(looked.get() + 1);
            false
        });
        assert!(looked.get() <= 2 * most, "{} and {most}", looked.get());
    }

    #[test]
    fn a_word_for_what_becomes_of_orders_on_every_line_costs_each_line_one_look() {
        let lines: Vec<String> = (0..50).map(|_| "ADD".to_owned()).collect();
        let looked = std::cell::Cell::new(0);
        by(&lines, 100, &|_| {
            looked.set(looked.get() + 1);
            false
        });
        assert!(looked.get() <= 4 * lines.len(), "{}", looked.get());
    }

    #[test]
    fn heading_command_and_orders_are_told_apart() {
        let got = read("Hello robot,\n\nGAME W7 SEAT 34 PASSWORD abc\nadd\nA 12 2\n\nhelp 1\n");
        assert_eq!(got.heading.game.as_deref(), Some("W7"));
        assert_eq!(got.heading.seat, Some(Seat(34)));
        assert_eq!(got.heading.password.as_deref(), Some("abc"));
        assert_eq!(got.mode, Mode::Add);
        assert_eq!(got.card.lines, [(5, "A 12 2".to_owned()), (7, "help 1".to_owned())]);
    }

    #[test]
    fn lines_of_our_own_that_came_back_are_set_aside() {
        let ours = "| A 12 2\n* | A 12 2\n\u{2022}\t| A 12 2\n-| A 12 2\no   | A 12 2\n";
        let got = read(ours);
        assert!(got.is_empty(), "{got:?}");
        assert_eq!(asides(&got), (1..6).map(|n| (n, Why::Ours)).collect::<Vec<_>>());
        assert_eq!(read(&format!("A 12 2\n{ours}BA 5\n")).card.lines.len(), 2);
        // The list of a player is read, and a letter stays whole.
        for sign in ["\u{2022}", "\u{2013}", "\u{b7}", "\u{2713}"] {
            let got = read(&format!("A 12 2\n{sign} BA 5\n"));
            assert_eq!(
                got.card.lines,
                [(1, "A 12 2".to_owned()), (2, "BA 5".to_owned())],
                "{sign}"
            );
        }
        for sign in ["\u{b7}", "-", ";", "---"] {
            let got = read(&format!("PRESS 3\n{sign} we meet\n* * *\nEND\n{sign} A 12 2\n"));
            assert_eq!(got.card.lines[1].1, format!("{sign} we meet"));
            assert_eq!(got.card.lines[2].1, "* * *");
        }
    }

    #[test]
    fn each_line_is_an_order_a_command_or_an_aside() {
        let crossed = read("A 12 2\n\u{274c} BA 5\n- \u{2717} BA 5\n~BA 5~\n");
        assert_eq!(asides(&crossed), [(2, Why::Struck), (3, Why::Struck), (4, Why::Struck)]);
        let got = read(
            "Hello robot,\nI had a long day at work\ntanks to the north\n~~BA 5~~\nA 12 2\n\
             ; west\nnow let us see what comes\ntanks again, as I said\nM\u{336} \u{336}3\u{336}\n\
             STATUS\nBest wishes from rainy London,\nAnna Lind\n",
        );
        let lines: Vec<u32> = got.card.lines.iter().map(|l| l.0).collect();
        // A line that may have been an order is judged, wherever it is.
        assert_eq!(lines, [3, 5, 8]);
        assert_eq!(got.commands, ["STATUS"]);
        use Why::{Greeting, Name, Remark, Struck, Words};
        assert_eq!(
            asides(&got),
            [
                (1, Greeting),
                (2, Words),
                (4, Struck),
                (6, Remark),
                (7, Words),
                (9, Struck),
                (11, Greeting),
                (12, Name)
            ]
        );
        let none = read("tanks to the north\nthat is all for now, I think\n");
        assert_eq!(asides(&none), [(1, Why::Tried), (2, Why::Words)]);
        assert!(none.is_empty());
    }

    #[test]
    fn what_was_written_is_kept_where_an_order_has_not_all_of_it() {
        let got = read("- **A 12 2**\nBA 5 (to the north)\n");
        assert_eq!(got.card.lines, [(1, "A 12 2".to_owned()), (2, "BA 5".to_owned())]);
        let words: Vec<(u32, Option<&str>)> =
            got.card.origins.iter().map(|(n, o)| (*n, o.words.as_deref())).collect();
        assert_eq!(words, [(2, Some("BA 5 (to the north)"))]);
    }

    #[test]
    fn sections_and_messages_are_no_greetings() {
        for first in ["@TU", "@", "PRESS ALL", "NEWS ANON", "/1/"] {
            assert_eq!(
                read(&format!("Hello there,\n{first}\nBA 5\n")).card.lines.len(),
                2,
                "{first}"
            );
        }
        assert_eq!(read("To whom it may concern\nBA 5\n").card.lines.len(), 1);
    }

    #[test]
    fn a_greeting_is_no_order_whatever_signs_it_has_and_one_with_a_number_may_be() {
        for greeting in ["Hello,", "Hello @robot", "Thanks; good luck"] {
            let got = read(&format!("{greeting}\nBA 5\n"));
            assert_eq!(got.card.lines, [(2, "BA 5".to_owned())], "{greeting}");
        }
        assert_eq!(read("Hello 5\nBA 5\n").card.lines.len(), 2);
    }

    #[test]
    fn words_of_parting_below_the_orders_are_no_lines_of_the_card() {
        for farewell in ["Thanks,\nBen\n", "Thanks!\n", "Cheers\n\nAnna Lind\n"] {
            let got = read(&format!("A 12 2\nBA 5\n{farewell}"));
            assert_eq!(got.card.lines.len(), 2, "{farewell}");
        }
        for farewell in ["\nAnna\n", "\nAnna L.\n"] {
            let got = read(&format!("A 12 2\nBA 5\n{farewell}"));
            assert_eq!(asides(&got), [(4, Why::Name)], "{farewell}");
        }
        for kept in ["Thanks,\nREADYY\n", "Thanks,\nX 5\n", "Bne\n", "\nbne\n", "\nX 5\n"] {
            assert!(read(&format!("A 12 2\n{kept}")).card.lines.len() > 1, "{kept}");
        }
    }

    #[test]
    fn what_the_engine_says_begins_an_order_is_no_greeting() {
        for first in ["END", "V DARW"] {
            assert_eq!(read(first).card.lines, [(1, first.to_owned())]);
        }
        assert_eq!(read("Thanks").card.lines, []);
    }

    #[test]
    fn a_nearly_right_command_names_the_right_one() {
        assert_eq!(read("STATSU").meant, Some(("STATSU".to_owned(), "STATUS")));
        // Only a word for the mode changes what becomes of the orders.
        assert_eq!(read("ADDD\nA 12 2").meant, Some(("ADDD".to_owned(), "ADD")));
        let told = read("STATSU\nA 12 2");
        assert_eq!((told.meant, told.misplaced.len(), told.card.lines.len()), (None, 1, 1));
        assert_eq!(read("A 12 2").meant, None);
    }

    #[test]
    fn commands_stand_above_the_orders_and_one_may_take_the_rest_of_the_mail() {
        let both = read("STATUS\nstatus\nA 12 2\n");
        assert_eq!((both.commands.len(), both.card.lines.len()), (2, 1));
        let told = read("TELL Dear all,\n\nsee you.\nA 12 2\n");
        assert_eq!(told.commands, ["Dear all,\n\nsee you.\nA 12 2"]);
        assert_eq!(told.card, CardText::default());
    }

    #[test]
    fn e13_a_second_card_within_the_first_is_seen() {
        assert!(read("GAME W7 SEAT 1\nA 1 2\nGAME W7 SEAT 2\nA 3 4\n").two_cards);
        assert!(!read("GAME W7 SEAT 1\nA 1 2\n").two_cards);
    }

    #[test]
    fn lines_of_ours_are_never_orders() {
        assert_eq!(read("| A 12 2\n|\n").card, CardText::default());
    }

    #[test]
    fn subjects_carry_game_turn_and_seat() {
        let tag = subject_tag("RE: AW: [W7 T12 S34] your printout");
        assert_eq!(tag, Some(("W7".to_owned(), 12, Seat(34))));
        assert_eq!(subject_tag("[list] hello"), None);
    }

    #[test]
    fn a_sentence_has_four_words_and_two_of_them_long_and_is_no_greeting_sign_or_field() {
        for text in
            ["we should talk about this", "is it of them all enough", "Then the war was over"]
        {
            assert!(is_sentence(text), "{text}");
        }
        for text in [
            "we should talk",
            "a b c defg",
            "; we should talk about this",
            "# we should talk about this",
            "Subject: we should talk about this",
            "Hello my dear old friends,",
            "M 1 3 5",
            "",
        ] {
            assert!(!is_sentence(text), "{text}");
        }
    }
}
