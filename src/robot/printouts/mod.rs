//! Printouts as mails: which mail each seat gets when a step opens, and what it costs. The content
//! of a printout is made in `document`; `fill` adds what only the robot knows.

mod document;
mod ending;
mod fill;
mod lesson;
mod parts;
mod subject;
mod welcome;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

pub(crate) use self::document::{card_name, head, marks};
pub use self::ending::file_name;
use self::ending::game_file;
pub use self::lesson::lesson;
use self::parts::{in_parts, leave_together};
use self::subject::{subject_line, subject_of};
pub use self::welcome::FIRST_TURN;
use crate::context::{Context, Result, RobotError, refuse};
use crate::diary::{self, Diary};
use crate::drawing::Job;
use crate::game_file::report_digest;
use crate::games::Games;
use crate::languages::marker;
use crate::mailer::{Mailer, SeatMail, step_name};
use base::chain::{Value, values};
use base::text::capital;
use engine::report::{Block, Section};
use engine::{BySeat, Chart, MapPicture, Match, Notice, Score, Seat, Turn, Turns};
use mail::compose::Attachment;
use render::text::para;
use render::{Document, text};
use store::{
    Drawing, Entry, Game, MailKind, OpenedSeal, QueuedMail, Reader, SeatRow, Status, Step,
};
use tongue::say;

pub(crate) use self::document::NEEDS;

/// A note in printouts on a seal that a step should open.
#[derive(Debug, Clone)]
pub enum SealNote {
    /// The seal is open: anybody can check its digest.
    Opened(OpenedSeal),
    /// This seat has filed no seal under this name.
    Missing(Seat, String),
}

/// A printout before it is made into mails.
struct Written<'a> {
    game: &'a Game,
    row: &'a SeatRow,
    document: Document,
    /// Addresses that it shows, by seat.
    shown: BTreeMap<Seat, String>,
    at: Timestamp,
}

impl SealNote {
    /// The note in the player's language.
    pub fn localized(&self) -> String {
        match self {
            Self::Opened(s) => say!(
                "Seal {key} of seat {seat}: {text:?}, nonce {nonce}, SHA-256 {digest}.",
                key = s.key,
                seat = s.seat,
                text = s.text,
                nonce = s.nonce,
                digest = s.digest()
            ),
            Self::Missing(seat, key) => {
                say!("Seal {key} of seat {seat} can't be opened: none is filed.")
            }
        }
    }
}

/// The content of printouts besides the engine's report.
#[derive(Debug, Clone)]
pub struct PrintoutExtras {
    /// The seed of the turn that ran, in games that publish it at once.
    pub seed_before: Option<u64>,
    /// Whether the player is new in the seat: they are welcomed whatever the turn.
    pub newcomer: bool,
    /// Seals that the step opened, and those that it could not open.
    pub notes: Vec<SealNote>,
    /// Players for whom the computer wrote the card.
    pub played: BTreeSet<Seat>,
    /// By seat, the time of an unread mail that had orders for the turn that ran.
    pub unread: BTreeMap<Seat, Timestamp>,
    /// The final standing.
    pub result: Option<Vec<Score>>,
    /// The charts of the final standing; empty while the game goes on.
    pub charts: Vec<Chart>,
    /// The seeds of all turns, when the game is over.
    pub seeds: Vec<(Turn, u64)>,
    /// The values of the chain of seeds, when the game is over.
    pub values: Vec<(Turn, Value)>,
    /// Digests of the reports of seats.
    pub reports: BySeat<String>,
    /// The whole game as a file, when it is over; else empty.
    pub file: Arc<str>,
    /// The war diaries of players, when the game is over.
    pub diaries: Vec<(Seat, Diary)>,
    /// Cards that were sent in advance, judged again.
    pub advance: BTreeMap<Seat, Section>,
    /// Seals of computers' cards, which are stored with the step.
    pub sealed: Vec<OpenedSeal>,
    /// The current time.
    pub now: Timestamp,
}

impl PrintoutExtras {
    /// No extras, at the given time.
    pub fn at(now: Timestamp) -> Self {
        Self {
            seed_before: None,
            newcomer: false,
            notes: Vec::new(),
            played: BTreeSet::new(),
            unread: BTreeMap::new(),
            result: None,
            charts: Vec::new(),
            seeds: Vec::new(),
            values: Vec::new(),
            reports: BySeat::new(),
            file: Arc::default(),
            diaries: Vec::new(),
            advance: BTreeMap::new(),
            sealed: Vec::new(),
            now,
        }
    }
}

/// Printouts, and the fees that they cost.
pub type Printouts = (Vec<QueuedMail>, Vec<(Seat, Entry)>);

/// Makes printouts. It does not queue them.
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

    /// The mails to all seats with a player when a step opens, and the fees of the printouts. The
    /// engine decides whether a seat gets a printout, a short mail or nothing. A seat that can't
    /// pay gets a notice in place of a printout.
    pub fn printouts(
        &self,
        game: &Game,
        open: &dyn Match,
        post: &PrintoutExtras,
    ) -> Result<Printouts> {
        let (mut mails, mut fees) = (Vec::new(), Vec::new());
        for row in self.store.games().seats(&game.code)?.iter().filter(|s| s.has_player()) {
            let notice = match game.turn == 1 || game.status == Status::Over {
                true => Notice::Full,
                false => self.games().shielded(&game.code, || open.notice(row.seat))?,
            };
            let awaited = game.step.awaits(row.seat);
            if notice == Notice::Brief || notice == Notice::None && awaited {
                let brief = || self.brief(game, open, row, post);
                mails.extend(self.cx.in_language(&row.language, brief)?);
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
                let unpaid = || self.unpaid(game, row, credit, post);
                mails.extend(self.cx.in_language(&row.language, unpaid));
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

    /// Digests of the reports of all seats that get a printout of the step that opens.
    ///
    /// # Errors
    /// [`RobotError::Engine`] when the engine fails.
    pub fn reports(&self, game: &Game, open: &dyn Match) -> Result<BySeat<String>> {
        let all = game.turn == 1 || game.status == Status::Over;
        let mut digests = BySeat::new();
        for row in self.store.games().seats(&game.code)?.iter().filter(|s| s.has_player()) {
            let digest = || match all || open.notice(row.seat) == Notice::Full {
                true => report_digest(open, row.seat),
                false => None,
            };
            digests.extend(self.games().shielded(&game.code, digest)?.map(|d| (row.seat, d)));
        }
        Ok(digests)
    }

    /// The extras of the open step's printout when it is made again, for a newcomer or not.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the store fails or the engine is not there.
    pub fn repeated(&self, game: &Game, newcomer: bool, now: Timestamp) -> Result<PrintoutExtras> {
        let engine = self.games().engine(&game.engine)?;
        let tells = game.turn > 1 && engine.tells_seeds(game.rules_version);
        let seed =
            if tells { self.store.journal().seed_of(&game.code, game.turn - 1)? } else { None };
        let told = self.store.journal().reported(&game.code, game.turn.saturating_sub(1))?;
        let reports = told.reports.into_iter().collect();
        Ok(PrintoutExtras { seed_before: seed, newcomer, reports, ..PrintoutExtras::at(now) })
    }

    /// The mails of one seat's printout; none for a seat that is out of the game. `credit` is what
    /// is left after the fee, in a game that has one. A non-empty `again` makes the mail different
    /// from the one that was sent when the turn opened.
    pub fn printout(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        post: &PrintoutExtras,
        credit: Option<i64>,
        again: &str,
    ) -> Result<Vec<QueuedMail>> {
        let print = || self.print(game, open, row, (post, credit), again);
        self.cx.in_language(&row.language, print)
    }

    fn print(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        (post, credit): (&PrintoutExtras, Option<i64>),
        again: &str,
    ) -> Result<Vec<QueuedMail>> {
        let mut shown = BTreeMap::new();
        let document = self.written(game, open, row, (post, credit), &mut shown)?;
        let Some(mut document) = document else { return Ok(Vec::new()) };
        let replaces = game.revision > 0
            && !post.newcomer
            && self.store.printed(&game.code, row.seat, game.turn)?;
        if replaces {
            let text = say!(
                "This printout replaces the one of this turn that you got before: that turn was \
                 taken back by the game master and has run again."
            );
            document.opening.push(Block::Para(text.into()));
        }
        let first = document.headline().first().map(subject_line).unwrap_or_default();
        let subject = subject_of(game, row, (post, &first), replaces);
        // A turn that was taken back and run again gets mails with other ids.
        let id_key = match game.revision {
            0 => again.to_owned(),
            n => format!("{again}run {}", n + 1),
        };
        let mut files: Vec<Attachment> =
            self.mailer().calendar_file(game, row, post.now).into_iter().collect();
        files.extend(game_file(game, post, self.cx.limits.sent_bytes_max));
        let text = text::document(&document);
        let most = self.store.sent_bytes_max(self.cx.limits.sent_bytes_max, post.now)?;
        // A printout that is drawn later is split then, if its files do not fit.
        let parts = match row.choices.format.is_drawn() && text.len() <= most {
            true => vec![(text, files)],
            false => in_parts(text, files, most),
        };
        let count = parts.len();
        let letter = |(i, (text, attachments)): (usize, (String, Vec<Attachment>))| SeatMail {
            kind: if i == 0 { MailKind::Printout } else { MailKind::Part },
            to: &row.address,
            turn: game.turn,
            turns: game.step.turns,
            subject: match count {
                1 => subject.clone(),
                _ => say!("{subject} (part {part} of {count})", part = i + 1),
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
        let written = Written { game, row, document, shown, at: post.now };
        Ok(self.mails(written, letters))
    }

    /// The mails of a printout. Drawings go with the first one.
    fn mails<'m>(
        &self,
        written: Written,
        letters: impl Iterator<Item = SeatMail<'m>>,
    ) -> Vec<QueuedMail> {
        let Written { game, row, document, mut shown, at } = written;
        let mut mails = Vec::new();
        for letter in letters {
            let kind = letter.kind;
            let draft = self.mailer().draft(row, letter);
            let seat = Some((game.code.clone(), row.seat));
            let Some(queued) = self.mailer().queue(kind, seat, Some(game.turn), &draft, at) else {
                continue;
            };
            let drawing = match kind {
                MailKind::Printout => {
                    let document = document.clone();
                    let format = row.choices.format;
                    Job { draft, document, format, at, small: false, map: None, book: None }
                        .drawing()
                }
                _ => Drawing::default(),
            };
            let shows = std::mem::take(&mut shown).into_iter().collect();
            mails.push(QueuedMail { drawing, shows, ..queued });
        }
        leave_together(&mut mails);
        mails
    }

    /// The short mail of a step that opened.
    fn brief(
        &self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        post: &PrintoutExtras,
    ) -> Result<Option<QueuedMail>> {
        let language = self.cx.language_of(&row.language);
        let blocks = self.games().shielded(&game.code, || open.brief(row.seat, language))?;
        let awaited = game.step.awaits(row.seat);
        let step = step_name(&game.step.label);
        let about = text::about(&game.code, &step, row.seat, &row.name);
        let mut text = format!("{marker}\n\n{about}", marker = marker());
        text += &para(&self.mailer().due_line(game, Some(row.seat), &row.zone, post.now));
        post.notes.iter().for_each(|n| text += &para(&n.localized()));
        let mut shown = BTreeMap::new();
        let mut sections = Vec::new();
        if !blocks.is_empty() {
            let section = Section { heading: capital(&step), blocks };
            sections = self.fill(game, row, (&[section], &post.sealed), &mut shown)?;
        }
        sections.extend(post.advance.get(&row.seat).cloned());
        if !sections.is_empty() {
            text += &format!("\n{}", text::sections(&sections));
        }
        text += &para(&match awaited {
            true => say!(
                "Answer this mail with your orders at the top; CARD brings a blank card, RESEND \
                 your last printout."
            ),
            false => say!("RESEND brings your last printout."),
        });
        let subject = match awaited {
            true => say!("your orders are awaited: {step}"),
            false => step,
        };
        let letter = SeatMail {
            kind: MailKind::Brief,
            to: &row.address,
            turn: game.turn,
            turns: game.step.turns,
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

    /// The document of a turn that opened, made again from the journal. For a turn that is over it
    /// has no deadline. It leaves out credit, opened seals, the computer's help and cards judged in
    /// advance, which the mail had.
    ///
    /// # Errors
    /// [`RobotError::Refused`] when there is no such turn or seat.
    pub fn document_of(&self, code: &str, seat: Seat, turn: Turn) -> Result<Document> {
        let game = self.games().game(code)?;
        if !(1..=game.turn).contains(&turn) {
            let last = game.turn;
            return refuse(format!("game {} has printouts of steps 1 to {last}", game.code));
        }
        if !(1..=game.setup.seats).contains(&seat.0) {
            let seats = game.setup.seats;
            return refuse(format!("game {} has seats 1 to {seats}", game.code));
        }
        let row = self.store.games().seat(&game.code, seat)?;
        let mut row = row.unwrap_or_else(|| SeatRow::empty(&game.code, seat, &game.rule.zone));
        // The caller may make files of it in any format.
        row.choices.format.desk = true;
        let seeds = self.store.journal().seeds(&game.code)?;
        let seed_of = |turn: Turn| seeds.iter().find(|s| s.0 == turn).map(|s| s.1);
        let last = turn == game.turn;
        let step = match self.store.steps().step(&game.code, turn)? {
            Some(step) => step,
            None => {
                let label = self.store.steps().step_label(&game.code, turn)?;
                Step { number: turn, turns: Turns::one(turn), label, ..game.step.clone() }
            }
        };
        let of_turn = Game {
            turn,
            step,
            deadline: game.deadline.filter(|_| last),
            seed: if last { game.seed } else { seed_of(turn).unwrap_or(game.seed) },
            ..game.clone()
        };
        let saved = self.store.journal().saved(&game.code, turn - 1)?;
        let Some(saved) = saved else {
            return refuse(format!(
                "no printout of {} of game {} is kept",
                of_turn.step.label, game.code
            ));
        };
        let engine = self.games().engine(&game.engine)?;
        let open = engine
            .open(&saved)
            .map_err(|e| RobotError::Engine(game.code.clone(), e.to_string()))?;
        let (result, charts) = self.games().shielded(&game.code, || {
            let result = open.result();
            let charts = if result.is_some() { open.charts() } else { Vec::new() };
            (result, charts)
        })?;
        let over = result.is_some();
        let diaries = match over {
            true => diary::of_seats(self.cx, self.store, (&of_turn, open.as_ref()), &[&row])?,
            false => Vec::new(),
        };
        let post = PrintoutExtras {
            diaries,
            seed_before: seed_of(turn - 1)
                .filter(|_| turn > 1 && engine.tells_seeds(game.rules_version)),
            charts,
            values: if over { values(&game.chains, turn - 1) } else { Vec::new() },
            seeds: if over { seeds } else { Vec::new() },
            result,
            reports: self
                .store
                .journal()
                .reported(&game.code, turn - 1)?
                .reports
                .into_iter()
                .collect(),
            ..PrintoutExtras::at(self.cx.now())
        };
        let Some(mut document) = self.document(&of_turn, open.as_ref(), &row, &post, None)? else {
            return refuse(format!("seat {seat} was out of the game in {}", of_turn.step.label));
        };
        if !last {
            document.head.due.clear();
        }
        Ok(document)
    }

    /// The map of a game after a turn ran: the whole map for the game master, or as a seat knew it.
    /// With the charts of the game at that time.
    ///
    /// # Errors
    /// [`RobotError`] when the journal can't be read.
    pub fn atlas_after(
        &self,
        game: &Game,
        turn: Turn,
        seat: Option<Seat>,
    ) -> Result<Option<(MapPicture, Vec<Chart>)>> {
        let Some(saved) = self.store.journal().saved(&game.code, turn)? else { return Ok(None) };
        let engine = self.games().engine(&game.engine)?;
        let open = engine
            .open(&saved)
            .map_err(|e| RobotError::Engine(game.code.clone(), e.to_string()))?;
        self.games().shielded(&game.code, || {
            let map = match seat {
                None => open.atlas(),
                Some(seat) => open.seen(seat),
            };
            map.map(|map| (map, open.charts()))
        })
    }

    /// The blank card of a report, framed as in a printout; empty if there is none.
    pub(super) fn blank_card_text(&self, game: &Game, seat: Seat, sections: &[Section]) -> String {
        let is_card = |s: &&Section| s.blocks.iter().any(|b| matches!(b, Block::Card(_)));
        let card = |s: &Section| {
            format!("{}{}", text::heading(&s.heading), text::card(s, &marks(game, seat)))
        };
        sections.iter().filter(is_card).map(card).collect()
    }

    /// The mail in place of a printout that is not paid for.
    fn unpaid(
        &self,
        game: &Game,
        row: &SeatRow,
        credit: i64,
        post: &PrintoutExtras,
    ) -> Option<QueuedMail> {
        let now = post.now;
        let mut text = format!("{marker}\n\n", marker = marker());
        text += &para(&say!(
            "Game {game} has gone on, but your credit is {credit} and a printout costs \
             {fee}. Your position plays on: standing orders go on, and cards that you send count. \
             As soon as the game master ({gm}) enters a payment, the printout comes.",
            game = game.code,
            fee = game.fee,
            gm = self.cx.gm
        ));
        text += &para(&self.mailer().due_line(game, Some(row.seat), &row.zone, now));
        if let Some(section) = post.advance.get(&row.seat) {
            text += &format!("\n{}", text::sections(std::slice::from_ref(section)));
        }
        let letter = SeatMail {
            kind: MailKind::Notice,
            to: &row.address,
            turn: game.turn,
            turns: game.step.turns,
            subject: say!("no credit for your printout"),
            text,
            attachments: Vec::new(),
            answers: None,
            id_key: "unpaid".to_owned(),
            reply: None,
        };
        self.mailer().seat_mail(row, letter, now)
    }
}

/// The ledger's entry for the printout of the open turn.
pub fn fee_of(game: &Game, at: Timestamp) -> Entry {
    let turn = game.turn;
    let why = format!("printout of {}", game.step.label);
    Entry { amount: -game.fee, why, turn: Some(turn), at }
}
