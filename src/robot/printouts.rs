//! A printout: the engine's report with the robot's words, as a document and as mails.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::context::{Context, Result, RobotError, refuse};
use crate::diary::{self, Diary};
use crate::drawing::Job;
use crate::games::Games;
use crate::mailer::{Mailer, SeatMail};
use base::secrets::seed_digest;
use base::terms::Contact;
use base::text::capital;
use engine::press::steers;
use engine::report::Span;
use engine::report::{Align, Block, Line, Section, Table, Who};
use engine::{Chart, Headline, MapPicture, Match, Notice, Score, Seat, Turn, Until};
use mail::compose::Attachment;
use mail::marker::{CARD_BEGIN, CARD_END, MARKER};
use render::text::{SAFE, para};
use render::{Document, Head, Marks, filled, text};
use store::{
    Drawing, Entry, Game, MailKind, OpenedSeal, QueuedMail, Reader, SeatRow, Status, Step,
};

/// Lines of the final charts that stand in a table too, and the step of its turns.
const COURSE_SEATS: usize = 6;
const COURSE_STEP: usize = 5;

/// Characters of the first sentence in a subject.
const SUBJECT: usize = 70;

/// What leads to what needs orders.
pub(crate) const NEEDS: &str = "What needs orders now:";

/// What the printout of a turn says at its head that was taken back and run again.
const REPLACES: &str = "This printout replaces the one of this turn that you got before: that turn \
                        was taken back by the game master and has run again.";

/// What printouts say besides the engine's report.
#[derive(Debug, Clone)]
pub struct PrintoutExtras {
    /// The seed of the turn that ran, in games that tell it at once.
    pub seed_before: Option<u64>,
    /// The reader is new in the seat: they are welcomed whatever the turn.
    pub newcomer: bool,
    /// Seals that the step opened, and those that it could not.
    pub notes: Vec<String>,
    /// Players for whom the computer wrote the card.
    pub played: BTreeSet<Seat>,
    /// The final standing.
    pub result: Option<Vec<Score>>,
    /// The charts of the final standing; empty while the game goes on.
    pub charts: Vec<Chart>,
    /// The seeds of all turns, once the game is over.
    pub seeds: Vec<(Turn, u64)>,
    /// The war diaries of players, once the game is over.
    pub diaries: Vec<(Seat, Diary)>,
    /// Cards that were sent in advance, judged anew.
    pub advance: BTreeMap<Seat, Section>,
    /// Seals of computers' cards, which are stored with the step.
    pub sealed: Vec<OpenedSeal>,
    /// The current time.
    pub now: Timestamp,
}

impl PrintoutExtras {
    /// Nothing besides, at an instant.
    pub fn at(now: Timestamp) -> Self {
        Self {
            seed_before: None,
            newcomer: false,
            notes: Vec::new(),
            played: BTreeSet::new(),
            result: None,
            charts: Vec::new(),
            seeds: Vec::new(),
            diaries: Vec::new(),
            advance: BTreeMap::new(),
            sealed: Vec::new(),
            now,
        }
    }
}

/// Printouts, and the fees that they cost.
pub type Printouts = (Vec<QueuedMail>, Vec<(Seat, Entry)>);

/// Makes printouts; it queues none.
#[derive(Clone, Copy)]
pub struct Printer<'a> {
    cx: &'a Context,
    store: &'a Reader,
}

impl<'a> Printer<'a> {
    /// A maker of printouts over a store.
    pub fn new(cx: &'a Context, store: &'a Reader) -> Self {
        Self { cx, store }
    }

    fn games(&self) -> Games<'a> {
        Games::new(self.cx, self.store)
    }

    fn mailer(&self) -> Mailer<'a> {
        Mailer::new(self.cx, self.store)
    }

    /// What each seat that has a player is sent when a step opens: a printout if it can pay
    /// for it, a short mail, or nothing, as the engine says; with the fees of the printouts.
    pub fn printouts(
        &self,
        game: &Game,
        open: &dyn Match,
        post: &PrintoutExtras,
    ) -> Result<Printouts> {
        let (mut mails, mut fees) = (Vec::new(), Vec::new());
        for row in self.store.seats(&game.code)?.iter().filter(|s| s.has_player()) {
            let notice = match game.turn == 1 || game.status == Status::Over {
                true => Notice::Full,
                false => self.games().shielded(&game.code, || open.notice(row.seat))?,
            };
            let awaited = game.step.awaits(row.seat);
            if notice == Notice::Brief || notice == Notice::None && awaited {
                mails.extend(self.brief(game, open, row, post)?);
            }
            if notice != Notice::Full {
                continue;
            }
            // The first printout and the last are free.
            let costs = game.fee > 0 && game.turn > 1 && game.status != Status::Over;
            if !costs {
                mails.extend(self.printout(game, open, row, post, None, "")?);
                continue;
            }
            let credit = self.store.credit(&game.code, row.seat)?;
            if credit < game.fee {
                mails.extend(self.unpaid(game, row, credit, post));
                continue;
            }
            let sent = self.printout(game, open, row, post, Some(credit - game.fee), "")?;
            if !sent.is_empty() {
                fees.push((row.seat, fee_of(game, post.now)));
            }
            mails.extend(sent);
        }
        leave_together(&mut mails);
        Ok((mails, fees))
    }

    /// What the open step's printout says that is made again, for a newcomer or not.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the store fails or the engine is not there.
    pub fn repeated(&self, game: &Game, newcomer: bool, now: Timestamp) -> Result<PrintoutExtras> {
        let engine = self.games().engine(&game.engine)?;
        let tells = game.turn > 1 && engine.tells_seeds(game.rules_version);
        let seed = if tells { self.store.seed_of(&game.code, game.turn - 1)? } else { None };
        Ok(PrintoutExtras { seed_before: seed, newcomer, ..PrintoutExtras::at(now) })
    }

    /// The printout of one seat; none for a seat that is out of the game. `credit`
    /// is what is left after the fee, in a game that has one. `again` makes the mail
    /// another than the one that was sent when the turn opened.
    pub fn printout(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        post: &PrintoutExtras,
        credit: Option<i64>,
        again: &str,
    ) -> Result<Vec<QueuedMail>> {
        let mut shown = BTreeMap::new();
        let document = self.written(game, open, row, (post, credit), &mut shown)?;
        let Some(mut document) = document else { return Ok(Vec::new()) };
        let replaces = game.revision > 0
            && !post.newcomer
            && self.store.printed(&game.code, row.seat, game.turn)?;
        if replaces {
            document.opening.push(Block::Para(REPLACES.to_owned().into()));
        }
        let first = document.headline().first().map(subject_line).unwrap_or_default();
        let subject = subject_of(game, row, (post, &first), replaces);
        // A turn that was taken back and run again has other mails.
        let id_key = match game.revision {
            0 => again.to_owned(),
            n => format!("{again}run {}", n + 1),
        };
        let files: Vec<Attachment> =
            self.mailer().calendar_file(game, row, post.now).into_iter().collect();
        let text = text::document(&document);
        let most = self.cx.limits.sent_bytes_max;
        // Of what is drawn, files find their own mails when they do not fit.
        let parts = match row.format.is_drawn() && text.len() <= most {
            true => vec![(text, files)],
            false => in_parts(text, files, most),
        };
        let count = parts.len();
        let letter = |(i, (text, attachments)): (usize, (String, Vec<Attachment>))| SeatMail {
            kind: if i == 0 { MailKind::Printout } else { MailKind::Part },
            to: &row.address,
            turn: game.turn,
            subject: match count {
                1 => subject.clone(),
                _ => format!("{subject} (part {} of {count})", i + 1),
            },
            text,
            attachments,
            answers: None,
            id_key: match i {
                0 => id_key.clone(),
                _ => format!("{id_key} part {}", i + 1),
            },
            reply: None,
        };
        let letters = parts.into_iter().enumerate().map(letter);
        let mut mails = Vec::new();
        for letter in letters {
            let kind = letter.kind;
            let draft = self.mailer().draft(row, letter);
            let seat = Some((game.code.clone(), row.seat));
            let Some(queued) = self.mailer().queue(kind, seat, Some(game.turn), &draft, post.now)
            else {
                continue;
            };
            // What is drawn goes with the first of several mails.
            let drawing = match kind {
                MailKind::Printout => {
                    let document = document.clone();
                    Job { draft, document, format: row.format, at: post.now }.drawing()
                }
                _ => Drawing::default(),
            };
            let shows = std::mem::take(&mut shown).into_iter().collect();
            mails.push(QueuedMail { drawing, shows, ..queued });
        }
        leave_together(&mut mails);
        Ok(mails)
    }

    /// The short mail of a step that opened.
    fn brief(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        post: &PrintoutExtras,
    ) -> Result<Option<QueuedMail>> {
        let language = &row.language;
        let blocks = self.games().shielded(&game.code, || open.brief(row.seat, language))?;
        let awaited = game.step.awaits(row.seat);
        let name = if row.name.is_empty() { String::new() } else { format!(" ({})", row.name) };
        let about = format!("Game {}, {}, seat {}{name}.", game.code, game.step.label, row.seat);
        let mut text = format!("{MARKER}\n\n{}", text::fill(&about, "", SAFE));
        text += &para(&self.mailer().due_line(game, Some(row.seat), &row.zone, post.now));
        post.notes.iter().for_each(|n| text += &para(n));
        let mut shown = BTreeMap::new();
        let mut sections = Vec::new();
        if !blocks.is_empty() {
            let section = Section { heading: capital(&game.step.label), blocks };
            sections = self.fill(game, row, (&[section], &post.sealed), &mut shown)?;
        }
        sections.extend(post.advance.get(&row.seat).cloned());
        if !sections.is_empty() {
            text += &format!("\n{}", text::sections(&sections));
        }
        text += &para(match awaited {
            true => {
                "Answer this mail with your orders at the top; CARD brings a blank card, RESEND \
                 your last printout."
            }
            false => "RESEND brings your last printout.",
        });
        let subject = match awaited {
            true => format!("your orders are awaited: {}", game.step.label),
            false => game.step.label.clone(),
        };
        let letter = SeatMail {
            kind: MailKind::Brief,
            to: &row.address,
            turn: game.turn,
            subject,
            text,
            attachments: self.mailer().calendar_file(game, row, post.now).into_iter().collect(),
            answers: None,
            id_key: format!("run {}", game.revision),
            reply: None,
        };
        let mail = self.mailer().seat_mail(row, letter, post.now);
        Ok(mail.map(|mail| QueuedMail { shows: shown.into_iter().collect(), ..mail }))
    }

    /// Players whose address this reader was shown before, and who are reached otherwise now.
    fn changed_addresses(
        &self,
        game: &Game,
        reader: Seat,
        shown: &mut BTreeMap<Seat, String>,
    ) -> Result<Option<Section>> {
        let (seats, mut lines) = (self.store.seats(&game.code)?, Vec::new());
        for (of, before) in self.store.shown(&game.code, reader)? {
            let now = self.address_of(&seats, of, reader);
            if shown.contains_key(&of) || now == before {
                continue;
            }
            let start = Span::Plain(format!("Player {of}: "));
            lines.push(Line(vec![start, Span::Chosen(now.clone())]));
            shown.insert(of, now);
        }
        Ok((!lines.is_empty()).then(|| Section::list("Addresses that have changed", lines, "")))
    }

    /// A printout that was sent before, with the addresses that hold now, and those that are in it.
    /// What it can't tell apart stays; the next printout names every change.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn readdressed(
        &self,
        game: &Game,
        reader: Seat,
        document: Document,
    ) -> Result<(Document, Vec<(Seat, String)>)> {
        let seats = self.store.seats(&game.code)?;
        let shown = self.store.shown(&game.code, reader)?;
        // Words that several players share, such as those of who hides, say nothing of one.
        let only = |words: &str| {
            let mut of = shown.iter().filter(|(_, before)| before == words);
            of.next().filter(|_| of.next().is_none()).map(|(seat, _)| *seat)
        };
        let told = RefCell::new(BTreeMap::new());
        let sections = filled(&document.sections, &|span| match span {
            Span::Chosen(words) => {
                let of = only(words)?;
                let now = self.address_of(&seats, of, reader);
                told.borrow_mut().insert(of, now.clone());
                Some(Span::Chosen(now))
            }
            _ => None,
        });
        Ok((Document { sections, ..document }, told.into_inner().into_iter().collect()))
    }

    /// Sections with what only the robot knows filled in, as far as this seat may know it; which
    /// players' addresses are among it is noted in `shown`.
    fn fill(
        &self,
        game: &Game,
        row: &SeatRow,
        (sections, sealed): (&[Section], &[OpenedSeal]),
        shown: &mut BTreeMap<Seat, String>,
    ) -> Result<Vec<Section>> {
        let seats = self.store.seats(&game.code)?;
        let seal = |seat: Seat, key: &str| {
            let new = sealed.iter().find(|s| s.seat == seat && s.key == key).cloned();
            let filed = || self.store.seal(&game.code, game.turn, seat, key).ok().flatten();
            let found = new.or_else(filed);
            found.map_or("(no seal of that name is filed)".to_owned(), |s| {
                format!("SHA-256 {}", s.digest())
            })
        };
        let player = |seat: Seat| {
            let found = seats.iter().find(|s| s.seat == seat && !s.name.is_empty());
            found.map_or_else(|| format!("seat {seat}"), |s| s.name.clone())
        };
        let noted = RefCell::new(shown);
        let address = |of: Seat| {
            let words = self.address_of(&seats, of, row.seat);
            noted.borrow_mut().insert(of, words.clone());
            words
        };
        Ok(filled(sections, &|span| match span {
            Span::Address(of) => Some(Span::Chosen(address(*of))),
            Span::Player(of) => Some(Span::Chosen(player(*of))),
            Span::Seal(of, key) => Some(Span::Plain(seal(*of, key))),
            Span::Plain(_) | Span::Chosen(_) => None,
        }))
    }

    /// What a seat's printout says; `None` for a seat that is out of the game.
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

    /// The same; whose addresses it tells is noted in `shown`.
    fn written(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        (post, credit): (&PrintoutExtras, Option<i64>),
        shown: &mut BTreeMap<Seat, String>,
    ) -> Result<Option<Document>> {
        let report = self.games().shielded(&game.code, || open.report(row.seat, &row.language))?;
        let Some(report) = report else { return Ok(None) };
        let engine = self.games().engine(&game.engine)?;
        let filled = self.fill(game, row, (&report.sections, &post.sealed), shown)?;
        // The map first, wherever the engine has it.
        let is_map = |s: &Section| s.blocks.iter().any(|b| matches!(b, Block::Map(_)));
        let at = filled.iter().position(is_map);
        let mut rest = filled;
        let mut sections: Vec<Section> = at.map(|at| rest.remove(at)).into_iter().collect();
        if let Some(result) = &post.result {
            let seats = self.store.seats(&game.code)?;
            sections.push(standing(result, &seats));
            sections.extend(course(post));
            sections.extend(self.record(game, row, result)?);
            sections.extend(self.war_diary(game, row, post)?);
        }
        if post.result.is_none() && (game.turn == 1 || post.newcomer) {
            sections.extend(self.welcome(game, open, row, &report.title)?);
        }
        sections.extend(post.advance.get(&row.seat).cloned());
        sections.append(&mut rest);
        sections.extend(self.changed_addresses(game, row.seat, shown)?);
        let over = post.result.is_some();
        let rolls = engine.has_dice() && !over;
        let before = post.seed_before.map(|seed| (game.turn.saturating_sub(1), seed));
        let head = Head {
            game: game.code.clone(),
            engine: engine.title().to_owned(),
            turn: game.turn,
            label: game.step.label.clone(),
            seat: row.seat,
            name: row.name.clone(),
            title: report.title,
            deadline: game.deadline.filter(|_| !over),
            due: match over {
                true => String::new(),
                false => self.mailer().due_line(game, Some(row.seat), &row.zone, post.now),
            },
            seed_before: before.filter(|_| engine.has_dice()),
            seed_digest: rolls.then(|| seed_digest(&game.code, game.turn, game.seed)),
            credit,
            over,
        };
        let headline = self.headline(game, open, row)?;
        let remarks = remarks(game, row, post, &head);
        // Of the mail itself is told behind the map, before what the engine tells.
        let about = usize::from(at.is_some()).min(sections.len());
        sections.splice(about..about, remarks);
        let opening = opening(headline);
        let dice = dice(game, post, &head);
        let mut document = Document::new(head, marks(game, row.seat), opening, sections);
        document.sections.extend(dice);
        if !row.format.words {
            document = document.without_words();
        }
        Ok(Some(document))
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

    /// Lines with names filled in.
    fn filled(&self, game: &Game, row: &SeatRow, lines: Vec<Line>) -> Result<Vec<Line>> {
        let section = Section { heading: String::new(), blocks: vec![Block::List(lines)] };
        let filled = self.fill(game, row, (&[section], &[]), &mut BTreeMap::new())?;
        let lines = filled.into_iter().flat_map(|s| s.blocks).flat_map(|b| match b {
            Block::List(lines) => lines,
            _ => Vec::new(),
        });
        Ok(lines.collect())
    }

    /// What a seat was told first in each turn of a game that is over.
    fn war_diary(
        &self,
        game: &Game,
        row: &SeatRow,
        post: &PrintoutExtras,
    ) -> Result<Option<Section>> {
        let own = post.diaries.iter().find(|(seat, _)| *seat == row.seat);
        let Some((_, diary)) = own.filter(|(_, diary)| !diary.is_empty()) else { return Ok(None) };
        let lines = self.filled(game, row, diary::lines(diary))?;
        Ok(Some(Section { heading: "War diary".to_owned(), blocks: vec![Block::List(lines)] }))
    }

    /// What the first printout says before the position.
    fn welcome(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        title: &str,
    ) -> Result<Vec<Section>> {
        let engine = self.games().engine(&game.engine)?;
        let every = match &game.rule.at {
            Some(at) => format!("{} at {at}", game.rule.every),
            None => game.rule.every.to_string(),
        };
        let (code, seat, seats) = (&game.code, row.seat, game.setup.seats);
        let zone = &game.rule.zone;
        let pace = match game.step.until {
            Until::Calendar => format!(
                "A turn runs every {every}, time zone {zone}; after each, a printout like this \
                 one comes by mail."
            ),
            _ => "It goes on as soon as those who are awaited have sent their cards, or their \
                  time is up; each mail says whose turn it is and when orders are due."
                .to_owned(),
        };
        let welcome = format!(
            "Welcome to {} game {code}! You have seat {seat} of {seats}: {title}. {pace} Nothing \
             but mail is needed.",
            engine.title()
        );
        let mut how: Vec<String> = vec![
            "Orders: answer any mail of the game and write them at the top, above everything \
             that your program quotes. Or write them between the lines of the turn card at the \
             end of this printout."
                .into(),
            format!(
                "Without a mail to answer: write to {} and begin with the line \"GAME {code} \
                 SEAT {seat} PASSWORD ...\".",
                self.cx.identity.address
            ),
            "Within seconds your card comes back with a judgement of every line and a forecast. \
             If it does not, it did not arrive."
                .into(),
            "A new card replaces the one before; ADD as its first line adds to it, CHECK only \
             judges, CANCEL empties it. The last card received before the deadline counts."
                .into(),
            "HELP explains all orders, HELP and a word one of them; RULES sends the rulebook, \
             STATUS tells what is on file, RESEND sends a printout again."
                .into(),
            "VACATION with two dates keeps your seat while you are away; EXTEND asks all for \
             more time; READY says that you need no more."
                .into(),
            "FORMAT chooses how printouts come: text alone or with HTML and pictures, also as \
             PDF for paper and JSON for programs; a program may send your card as JSON too."
                .into(),
        ];
        if self.games().shielded(&game.code, || open.press())? {
            how.push(
                "Messages to other players stand in your card, between PRESS with their numbers \
                 and END; they come with the next printouts."
                    .into(),
            );
        }
        if engine.has_dice() {
            how.push(match engine.tells_seeds(game.rules_version) {
                true => "The dice are settled before the orders: each printout has the digest of \
                         a secret number, and the next one the number itself."
                    .into(),
                false => "The dice are settled before the orders: each printout ends with the \
                          digest of a secret number, and when the game is over all the numbers \
                          are opened."
                    .into(),
            });
        }
        let how: Vec<Line> = how.into_iter().map(Line::from).collect();
        Ok(vec![
            Section::list("Welcome", Vec::new(), &welcome),
            Section::list("How to play by mail", how, ""),
        ])
    }

    /// The document of a turn that opened, made anew from the journal. Of turns that are
    /// over it has no deadline; credit, opened seals, the computer's help and cards judged
    /// in advance, which stood in the mail, are left out.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when there is no such turn or seat.
    pub fn document_of(&self, code: &str, seat: Seat, turn: Turn) -> Result<Document> {
        let game = self.games().game(code)?;
        if !(1..=game.turn).contains(&turn) {
            let last = game.turn;
            return refuse(format!("game {} has printouts of turns 1 to {last}", game.code));
        }
        if !(1..=game.setup.seats).contains(&seat.0) {
            let seats = game.setup.seats;
            return refuse(format!("game {} has seats 1 to {seats}", game.code));
        }
        let row = self.store.seat(&game.code, seat)?;
        let row = row.unwrap_or_else(|| SeatRow::empty(&game.code, seat, &game.rule.zone));
        let seeds = self.store.seeds(&game.code)?;
        let seed_of = |turn: Turn| seeds.iter().find(|s| s.0 == turn).map(|s| s.1);
        let last = turn == game.turn;
        let step = match self.store.step(&game.code, turn)? {
            Some(step) => step,
            None => Step { number: turn, label: format!("turn {turn}"), ..game.step.clone() },
        };
        let of_turn = Game {
            turn,
            step,
            deadline: game.deadline.filter(|_| last),
            seed: if last { game.seed } else { seed_of(turn).unwrap_or(game.seed) },
            ..game.clone()
        };
        let saved = self.store.saved(&game.code, turn - 1)?;
        let Some(saved) = saved else {
            return refuse(format!("turn {turn} of game {} is not kept", game.code));
        };
        let engine = self.games().engine(&game.engine)?;
        let open = engine
            .open(&saved)
            .map_err(|e| RobotError::Engine(game.code.clone(), e.to_string()))?;
        let result = open.result();
        let over = result.is_some();
        let diaries = match over {
            true => diary::of_seats(self.cx, self.store, (&of_turn, open.as_ref()), &[seat])?,
            false => Vec::new(),
        };
        let post = PrintoutExtras {
            diaries,
            seed_before: seed_of(turn - 1)
                .filter(|_| turn > 1 && engine.tells_seeds(game.rules_version)),
            charts: if over { open.charts() } else { Vec::new() },
            seeds: if over { seeds } else { Vec::new() },
            result,
            ..PrintoutExtras::at(self.cx.now())
        };
        let Some(mut document) = self.document(&of_turn, open.as_ref(), &row, &post, None)? else {
            return refuse(format!("seat {seat} was out of the game in turn {turn}"));
        };
        if !last {
            document.head.due.clear();
        }
        Ok(document)
    }

    /// What a player has won in games of one kind, with this one that is over; `None` where
    /// nobody is promoted.
    fn record(&self, game: &Game, row: &SeatRow, result: &[Score]) -> Result<Option<Section>> {
        let engine = self.games().engine(&game.engine)?;
        let ranks = engine.ranks();
        if ranks.is_empty() || !row.has_player() {
            return Ok(None);
        }
        let has_won = |scores: &[Score], seat: Seat| {
            let best = scores.iter().filter(|s| s.rank == 1 && s.points > 0);
            best.map(|s| s.seat).collect::<Vec<_>>() == [seat]
        };
        let (mut played, mut won) = (1, u32::from(has_won(result, row.seat)));
        for other in self.store.all_seats_of(&row.address)? {
            let Some(before) = self.store.game(&other.game)? else { continue };
            let same = before.engine == game.engine && before.status == Status::Over;
            if !same || before.code == game.code {
                continue;
            }
            let Some(saved) = self.store.saved(&before.code, before.turn - 1)? else { continue };
            // A game of an older program may not open any more; it does not count then.
            let Ok(open) = engine.open(&saved) else { continue };
            let scores = self.games().shielded(&before.code, || open.result())?;
            played += 1;
            won += u32::from(scores.is_some_and(|s| has_won(&s, other.seat)));
        }
        let rank = ranks.iter().rev().find(|(wins, _)| won >= *wins).map_or("", |r| r.1);
        let next = ranks.iter().find(|(wins, _)| won < *wins);
        let more = next.map(|(wins, name)| match wins - won {
            1 => format!(" One more victory makes you {name}."),
            n => format!(" {n} more victories make you {name}."),
        });
        let title = engine.title();
        let text = format!(
            "Your games of {title} on this host: {played}, of which you have won {won}. Your rank \
             is {rank}.{}",
            more.unwrap_or_default()
        );
        let blocks = vec![Block::Para(text.into())];
        Ok(Some(Section { heading: "Your record".to_owned(), blocks }))
    }

    /// The whole map of a game after a turn ran, for the game master, or as a seat knew it.
    ///
    /// # Errors
    /// [`RobotError`] when the journal can't be read.
    pub fn atlas_after(
        &self,
        game: &Game,
        turn: Turn,
        seat: Option<Seat>,
    ) -> Result<Option<MapPicture>> {
        let Some(saved) = self.store.saved(&game.code, turn)? else { return Ok(None) };
        let engine = self.games().engine(&game.engine)?;
        let open = engine
            .open(&saved)
            .map_err(|e| RobotError::Engine(game.code.clone(), e.to_string()))?;
        self.games().shielded(&game.code, || match seat {
            None => open.atlas(),
            Some(seat) => open.seen(seat),
        })
    }

    /// The blank card of a report, framed as in a printout; empty without one.
    pub(super) fn blank_card_text(&self, game: &Game, seat: Seat, sections: &[Section]) -> String {
        let is_card = |s: &&Section| s.blocks.iter().any(|b| matches!(b, Block::Card(_)));
        let card = |s: &Section| {
            format!("{}{}", text::heading(&s.heading), text::card(s, &marks(game, seat)))
        };
        sections.iter().filter(is_card).map(card).collect()
    }

    /// Name and address of a seat as another may read them: with consent only.
    fn address_of(&self, seats: &[SeatRow], of: Seat, reader: Seat) -> String {
        let Some(row) = seats.iter().find(|s| s.seat == of) else {
            return "(nobody plays this seat)".to_owned();
        };
        let named = |address: &str| match row.name.is_empty() {
            true => address.to_owned(),
            false => format!("{} <{address}>", row.name),
        };
        match row.contact {
            _ if row.computer => "(a computer plays this seat)".to_owned(),
            _ if row.resigned => "(nobody plays this seat)".to_owned(),
            Contact::Disclose => named(&row.address),
            Contact::Relay => named(&self.mailer().alias(&row.game, of, reader)),
            Contact::Hide => "(does not disclose an address; messages reach the seat)".to_owned(),
        }
    }

    /// What comes in place of a printout that is not paid for.
    fn unpaid(
        &self,
        game: &Game,
        row: &SeatRow,
        credit: i64,
        post: &PrintoutExtras,
    ) -> Option<QueuedMail> {
        let now = post.now;
        let mut text = format!("{MARKER}\n\n");
        text += &para(&format!(
            "Turn {} of game {} has run, but your credit is {credit} and a printout costs {}. \
             Your position plays on: standing orders go on, and cards that you send count. As \
             soon as the game master ({}) enters a payment, the printout comes.",
            game.turn - 1,
            game.code,
            game.fee,
            self.cx.gm
        ));
        text += &para(&self.mailer().due_line(game, Some(row.seat), &row.zone, now));
        if let Some(section) = post.advance.get(&row.seat) {
            text += &format!("\n{}", text::sections(std::slice::from_ref(section)));
        }
        let letter = SeatMail {
            kind: MailKind::Notice,
            to: &row.address,
            turn: game.turn,
            subject: "no credit for your printout".to_owned(),
            text,
            attachments: Vec::new(),
            answers: None,
            id_key: "unpaid".to_owned(),
            reply: None,
        };
        self.mailer().seat_mail(row, letter, now)
    }
}

/// Subject of a printout: the first, the last, one whose reader is awaited, any other; each with
/// the first sentence of the headline, where there is one.
fn subject_of(
    game: &Game,
    row: &SeatRow,
    (post, first): (&PrintoutExtras, &str),
    replaces: bool,
) -> String {
    let said = |else_said: &str| match first {
        "" => else_said.to_owned(),
        first => first.to_owned(),
    };
    let subject = match &post.result {
        Some(_) => format!("{} is over: {}", title(game), said("the final printout")),
        None if game.turn == 1 => {
            format!("{} begins: {}", title(game), said("your first printout"))
        }
        None if game.step.awaits(row.seat) => {
            format!("{}, orders due {}", said("your printout"), due_day(game, row))
        }
        None => format!("{}, {}", said("your printout"), game.step.label),
    };
    match replaces {
        true => format!("{subject} (replaces the one before)"),
        false => subject,
    }
}

/// A sentence as a subject has it: shortened at a word, without its full stop. What players chose
/// is without brackets, by which mails are told apart, and without what ends or turns lines.
pub(crate) fn subject_line(sentence: &Line) -> String {
    let chosen = |text: &str| -> String {
        text.chars()
            .filter(|c| !steers(*c))
            .map(|c| match c {
                '[' | '<' => '(',
                ']' | '>' => ')',
                c => c,
            })
            .filter(|c| *c != '@')
            .collect()
    };
    let span = |s: &Span| match s {
        Span::Plain(text) => text.clone(),
        Span::Chosen(text) => chosen(text),
        Span::Player(seat) => format!("seat {seat}"),
        Span::Address(_) | Span::Seal(..) => String::new(),
    };
    let text: String = sentence.0.iter().map(span).collect();
    let text = text.replace('\u{a0}', " ");
    let text = text.trim().trim_end_matches('.');
    if text.chars().count() <= SUBJECT {
        return text.to_owned();
    }
    let mut short = String::new();
    for word in text.split(' ') {
        if short.chars().count() + word.chars().count() + 4 > SUBJECT {
            break;
        }
        short += if short.is_empty() { "" } else { " " };
        short += word;
    }
    format!("{} ...", short.trim_end_matches([',', ';', ':']))
}

/// All printouts of a turn wait for those that are still to be drawn, so that nobody
/// reads of a turn before the others do.
fn leave_together(mails: &mut [QueuedMail]) {
    let printout = |m: &QueuedMail| [MailKind::Printout, MailKind::Part].contains(&m.kind);
    if mails.iter().any(|m| m.drawing.to_do) {
        mails.iter_mut().filter(|m| printout(m)).for_each(|m| m.drawing.waits = true);
    }
}

/// The lines by which the robot finds what is written on a printout.
fn marks(game: &Game, seat: Seat) -> Marks {
    let name = format!("{} T{} S{seat}", game.code, game.turn);
    Marks {
        marker: MARKER.to_owned(),
        card_frame: [format!("---- {CARD_BEGIN} {name} ----"), format!("---- {CARD_END} ----")],
    }
}

/// What a printout begins with: the headline, then what needs orders.
fn opening(headline: Headline) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !headline.sentences.is_empty() {
        blocks.push(Block::List(headline.sentences));
    }
    if !headline.needs.is_empty() {
        blocks.push(Block::Para(NEEDS.into()));
        blocks.push(Block::List(headline.needs));
    }
    blocks
}

/// What the robot says of the mail itself: how to answer it, what it cost, who played.
fn remarks(game: &Game, seat: &SeatRow, post: &PrintoutExtras, head: &Head) -> Option<Section> {
    let mut blocks = Vec::new();
    let mut say = |text: String| blocks.push(Block::Para(text.into()));
    if post.played.contains(&seat.seat) {
        let back = match post.result {
            None => " Your next card takes the seat back.",
            Some(_) => "",
        };
        say(format!(
            "You sent no card for {} turns, so the computer played turn {} for you.{back}",
            seat.missed + 1,
            game.turn - 1
        ));
    }
    if let Some(left) = head.credit {
        let fee = game.fee;
        say(format!("Your credit is {left} after the fee of {fee} for this turn."));
    }
    if post.result.is_none() {
        let orders = match game.step.awaits(seat.seat) {
            true => "Answer this mail with your orders at the top.",
            false => {
                "No orders of yours are due; what you wish to send all the same goes at the top of \
                 an answer to this mail."
            }
        };
        say(format!(
            "{orders} The address that an answer to this mail goes to is a key to your seat; pass \
             it on to nobody. An echo with the judgement of every line comes back at once; a new \
             card replaces the old one. HELP as the first word explains everything else, RULES \
             sends the rulebook."
        ));
    }
    (!blocks.is_empty()).then(|| Section { heading: "This mail".to_owned(), blocks })
}

/// The last lines of a printout: what the dice of the open turn are settled by, and what was
/// opened of earlier ones.
fn dice(game: &Game, post: &PrintoutExtras, head: &Head) -> Vec<Section> {
    let mut blocks: Vec<Block> = post.notes.iter().map(|n| Block::Para(n.clone().into())).collect();
    if let Some((turn, seed)) = head.seed_before {
        blocks.push(Block::Para(format!("The seed of turn {turn} was {seed:016x}.").into()));
    }
    if let Some(digest) = &head.seed_digest {
        let label = &game.step.label;
        blocks.push(Block::Para(format!("SHA-256 of the seed of {label}: {digest}").into()));
    }
    let named = |heading: &str, blocks| Section { heading: heading.to_owned(), blocks };
    let mut sections = vec![named("The dice", blocks), named("The seeds", seeds(game, post))];
    sections.retain(|s| !s.blocks.is_empty());
    sections
}

/// The course of a game that is over.
fn course(post: &PrintoutExtras) -> Option<Section> {
    let first = post.charts.first()?;
    let mut best = first.series.clone();
    best.sort_by_key(|s| std::cmp::Reverse(s.values.last().copied()));
    best.truncate(COURSE_SEATS);
    let turns = best.iter().map(|s| s.values.len()).max().unwrap_or(0);
    let heading = |who: Who| match who {
        Who::Seat(seat) => format!("Seat {seat}"),
        Who::Best => "Best".to_owned(),
        Who::Median => "Median".to_owned(),
    };
    let columns = best.iter().map(|s| (heading(s.who), Align::Right));
    let columns = std::iter::once(("Turn".to_owned(), Align::Right)).chain(columns);
    let told = |turn: &usize| turn.is_multiple_of(COURSE_STEP) || *turn == turns;
    let row = |turn: usize| {
        let value = |s: &engine::Series| s.values.get(turn - 1).map(i64::to_string);
        let cells = best.iter().map(|s| value(s).unwrap_or_default());
        std::iter::once(turn.to_string()).chain(cells).collect()
    };
    let rows = (1..=turns).filter(told).map(row).collect();
    let says = format!("{} of the best seats:", first.title);
    Some(Section {
        heading: "The course of the game".to_owned(),
        blocks: vec![
            Block::Para(says.into()),
            Block::Table(Table::new(columns, rows)),
            Block::Charts(post.charts.clone()),
        ],
    })
}

/// Every seed of a game that is over.
fn seeds(game: &Game, post: &PrintoutExtras) -> Vec<Block> {
    if post.seeds.is_empty() {
        return Vec::new();
    }
    let columns = [("Turn", Align::Right), ("Seed", Align::Left), ("SHA-256", Align::Left)];
    let row = |(turn, seed): &(Turn, u64)| {
        let digest = seed_digest(&game.code, *turn, *seed);
        vec![turn.to_string(), format!("{seed:016x}"), digest[..16].to_owned() + "..."]
    };
    let rows = post.seeds.iter().map(row).collect();
    let says = "Every seed of the game. That of turn 0 made the world; the digests of the \
                    others stood in the printouts before their turns ran.";
    vec![Block::Para(says.into()), Block::Table(Table::new(columns, rows))]
}

/// The ledger's entry for the printout of the open turn.
pub fn fee_of(game: &Game, at: Timestamp) -> Entry {
    let turn = game.turn;
    Entry { amount: -game.fee, why: format!("printout of turn {turn}"), turn: Some(turn), at }
}

/// The final standing, best first.
fn standing(result: &[Score], seats: &[SeatRow]) -> Section {
    let mut scores: Vec<&Score> = result.iter().collect();
    scores.sort_by_key(|s| (s.rank, s.seat));
    let name = |seat: Seat| match seats.iter().find(|r| r.seat == seat) {
        Some(row) if row.computer => "(computer)".to_owned(),
        Some(row) => row.name.clone(),
        None => "(nobody)".to_owned(),
    };
    let row = |s: &&Score| {
        vec![s.rank.to_string(), s.seat.to_string(), name(s.seat), s.points.to_string()]
    };
    let columns = vec![
        ("Rank", Align::Right),
        ("Seat", Align::Right),
        ("Name", Align::Left),
        ("Points", Align::Right),
    ];
    let table = Table::new(columns, scores.iter().map(row).collect());
    Section { heading: "Final standing".to_owned(), blocks: vec![Block::Table(table)] }
}

/// A printout that is too large for a mail, in several: text first, cut at lines, then
/// its files. Nothing is left out.
fn in_parts(text: String, files: Vec<Attachment>, most: usize) -> Vec<(String, Vec<Attachment>)> {
    // Files grow by a third on their way, text by less.
    let size = |files: &[Attachment]| files.iter().map(|f| f.bytes.len() * 4 / 3).sum::<usize>();
    if text.len() + size(&files) <= most {
        return vec![(text, files)];
    }
    let mut parts: Vec<(String, Vec<Attachment>)> = vec![(String::new(), Vec::new())];
    for line in text.lines() {
        let full = parts.last().is_some_and(|(t, _)| !t.is_empty() && t.len() + line.len() > most);
        if full {
            parts.push((format!("{MARKER}\n\n"), Vec::new()));
        }
        if let Some((text, _)) = parts.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    for file in files {
        let fits =
            parts.last().is_some_and(|(t, f)| t.len() + size(f) + file.bytes.len() * 4 / 3 <= most);
        if !fits {
            parts.push((format!("{MARKER}\n\nA file of your printout.\n"), Vec::new()));
        }
        if let Some((_, files)) = parts.last_mut() {
            files.push(file);
        }
    }
    parts
}

fn title(game: &Game) -> String {
    format!("game {}", game.code)
}

fn due_day(game: &Game, seat: &SeatRow) -> String {
    game.deadline.map_or_else(String::new, |at| base::schedule::local(at, &seat.zone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_has_the_first_sentence_shortened_at_a_word_and_no_bracket_of_a_player() {
        let line = |spans: &[Span]| subject_line(&Line(spans.to_vec()));
        let plain = |text: &str| Span::Plain(text.to_owned());
        assert_eq!(
            line(&[plain("You lost Joroham to player\u{a0}21.")]),
            "You lost Joroham to player 21"
        );
        let long = "You lost Joroham (05333), Pelamere (04411) and 12 more cities to player 21.";
        let short = line(&[plain(long)]);
        assert_eq!(short, "You lost Joroham (05333), Pelamere (04411) and 12 more cities to ...");
        assert!(short.chars().count() <= SUBJECT);
        let chosen = Span::Chosen("[W9 T1 S2]\r\nBcc: <a@b.example>".to_owned());
        let safe = line(&[plain("You lost "), chosen, plain(" to player 2.")]);
        assert_eq!(safe, "You lost (W9 T1 S2)Bcc: (ab.example) to player 2");
        assert_eq!(crate::card::subject_tag(&format!("[W7 T1 S1] {safe}")).expect("a tag").0, "W7");
        let address = Span::Address(Seat(2));
        assert_eq!(line(&[plain("You met "), address, plain(".")]), "You met");
    }

    #[test]
    fn c5_a_printout_over_the_limit_goes_in_parts_and_loses_nothing() {
        let text: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let file = |n: usize| Attachment {
            name: "x.svg".into(),
            media: "image/png".into(),
            bytes: vec![7; n],
        };
        assert_eq!(in_parts(text.clone(), vec![file(10)], 10_000).len(), 1);
        let parts = in_parts(text.clone(), vec![file(300), file(300)], 500);
        assert!(parts.len() >= 4, "{}", parts.len());
        let joined: String = parts.iter().map(|p| p.0.as_str()).collect();
        assert!((0..100).all(|n| joined.contains(&format!("line {n}\n"))));
        assert_eq!(parts.iter().map(|p| p.1.len()).sum::<usize>(), 2);
        assert!(
            parts.iter().skip(1).all(|p| p.0.starts_with(MARKER)),
            "each opens with the marker"
        );
    }
}
