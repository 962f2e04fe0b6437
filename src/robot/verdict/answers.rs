//! The answers to seats and to strangers.

use jiff::SignedDuration;

use super::about::About;
use super::budget::{Budget, Vain};
use super::case::{Case, Claim, Command, Proof, Query, Request, Tools, YES, numbered_on};
use super::plain;
use super::untold::{own_words, passed_over, unread};
use crate::book::Book;
use crate::card::Mode;
use crate::card::echo::{self, Echo};
use crate::context::Result;
use crate::drawing::{Job, OrdersMap};
use crate::languages::{self, marker};
use crate::mailer::{SeatMail, step_name};
use crate::personal;
use crate::printouts::{head, marks};
use crate::text::is_question;
use base::schedule;
use base::terms::Format;
use engine::{Judgement, Section};
use mail::compose::Attachment;
use mail::mime::same_address;
use mail::quoting;
use render::Document;
use render::text::{self, para, wrapped};
use store::{Judged, MailKind, QueuedMail, Reason, Standing, Status, Verdict};
use tongue::say;

/// The most wrong secrets from one address that are answered within a day.
const GUESSES_A_DAY: u32 = 10;

/// The command that an echo answers.
const STATUS: &str = "STATUS";

/// A note that a command must be sent in a separate mail.
fn sent_alone(command: &str) -> String {
    say!("{command} was left out: it has an answer of its own; send it alone.")
}

/// A note on each question among the commands of a mail whose orders are not taken.
pub(super) fn left_out(request: &Request) -> Vec<String> {
    let queries = request.commands.iter().filter_map(Command::as_query);
    queries.filter(|_| request.has_orders()).map(|q| sent_alone(q.word())).collect()
}

/// Whether a mail asks something in a sentence.
fn asks(case: &Case) -> bool {
    case.text.above.iter().any(|l| is_question(l))
}

/// Judges the orders on file. `None`: there are none.
pub type OnFile<'f> = &'f dyn Fn() -> Result<Option<Judgement>>;

/// The orders on file as text, for an answer that changed nothing; empty if there are none.
fn unchanged(on_file: OnFile) -> Result<String> {
    Ok(on_file()?.map_or(String::new(), |judgement| echo::on_file(&judgement) + "\n"))
}

/// The parts of a card that an echo shows.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// Its lines as judged.
    pub judgement: Judgement,
    /// The map of its orders, if there is one.
    pub map: Option<OrdersMap>,
    /// The orders on file, if nothing of the mail was filed.
    pub on_file: Option<Judgement>,
    /// Whether the lines are those on file, because the card of the mail is not applied.
    pub refused: bool,
    /// The number that is added to line numbers of the mail, because the lines come after others.
    pub moved: i64,
}

impl From<Judgement> for Shown {
    fn from(judgement: Judgement) -> Self {
        Self { judgement, ..Self::default() }
    }
}

/// The content of an answer: as text, and as a page if the player wants one.
#[derive(Debug, Clone)]
pub struct Written {
    /// The full answer as text.
    pub text: String,
    /// The same as a document, which is drawn later.
    pub document: Option<Document>,
    /// A map that is drawn with it, and the index of the section after it.
    pub map: Option<(usize, OrdersMap)>,
    /// A rulebook that is attached as a file.
    pub book: Option<Book>,
}

impl From<String> for Written {
    fn from(text: String) -> Self {
        Self { text, document: None, map: None, book: None }
    }
}

/// Writes answers. Answers to an address stay within its budget and the host's.
#[derive(Clone, Copy)]
pub struct Answers<'a> {
    tools: Tools<'a>,
}

impl<'a> Answers<'a> {
    /// A writer of answers.
    pub fn new(tools: Tools<'a>) -> Self {
        Self { tools }
    }

    /// Refuses a mail in the same words whether the game, the seat or the secret is wrong, so that
    /// a guesser learns nothing. A guesser soon gets no answer at all. The player of the seat does
    /// not notice.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn refused(&self, case: &Case, reason: Reason) -> Result<Judged> {
        let day = case.now - SignedDuration::from_hours(24);
        if self.tools.store.people().failures_of(&case.from, day)? >= GUESSES_A_DAY {
            let why = "too many wrong secrets from this address today";
            return Ok(case.judged(Verdict::Ignored, reason, why));
        }
        let text = say!(
            "This mail was not accepted: the game, seat and secret or password that it came with \
             do not fit together. Answer the newest mail of your game without changing the address \
             that your mail program fills in, or begin with the line \"GAME code SEAT number \
             PASSWORD password\"."
        );
        let known = !self.tools.store.games().seats_of(&case.from)?.is_empty();
        match known {
            true => self.answer(case, Verdict::Rejected, reason, &text),
            false => self.once_a_day(case, reason, &text),
        }
    }

    /// Answers an unknown address, within its daily budget.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn once_a_day(&self, case: &Case, reason: Reason, text: &str) -> Result<Judged> {
        let (day, stranger) = (case.now - SignedDuration::from_hours(24), Standing::Stranger);
        let most = self.tools.cx.limits.stranger_replies_per_day;
        let (_, sent) =
            self.tools.store.outbox().replies_since(&case.from, stranger, (day, day), most)?;
        let known = !self.tools.store.games().seats_of(&case.from)?.is_empty();
        if !known && sent >= most {
            let why = "an unknown address that was answered today already";
            return Ok(case.judged(Verdict::Ignored, reason, why));
        }
        self.answer(case, Verdict::Rejected, reason, text)
    }

    /// A short answer to the sender, who may have no seat.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn answer(
        &self,
        case: &Case,
        verdict: Verdict,
        reason: Reason,
        text: &str,
    ) -> Result<Judged> {
        let id_key = case.stored.id.to_string();
        let id = case.parsed.message_id.as_deref();
        let subject = match reason {
            Reason::Joined => say!("you have a seat"),
            Reason::Waiting => say!("you are on the waiting list"),
            Reason::Games => say!("the games of this host"),
            Reason::Resigned => say!("you have left your seat"),
            Reason::Relayed => say!("your letter went on"),
            _ => say!("about your mail"),
        };
        let kind = match reason {
            Reason::Relayed | Reason::NoLetters | Reason::TooManyLetters | Reason::EmptyLetter => {
                MailKind::Receipt
            }
            _ => MailKind::Answer,
        };
        let mail = self.tools.mailer().answer_mail(
            kind,
            (&case.from, &subject),
            id,
            text,
            &id_key,
            case.now,
        );
        let mut judged = case.judged(verdict, reason, text);
        self.reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    /// Answers a mail that is too large to be read.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn too_large(&self, case: &Case) -> Result<Judged> {
        let text = say!(
            "Your mail of {size} kB was not read; the limit is {most} kB. Send the orders alone, \
             as plain text, without attachments.",
            size = case.stored.size / 1000,
            most = self.tools.cx.limits.mail_bytes_max / 1000
        );
        match self.tools.store.games().seats_of(&case.from)?.is_empty() {
            true => self.once_a_day(case, Reason::TooLarge, &text),
            false => self.answer(case, Verdict::Rejected, Reason::TooLarge, &text),
        }
    }

    /// The echo of a card: what was done with it, its lines as judged, and `more`: digests of
    /// sealed lines, and notes. It also has the answers to other questions of the mail.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn echo(
        &self,
        case: &Case,
        claim: &Claim,
        outcome: &str,
        title: &str,
        shown: &Shown,
        more: (&[String], &[String]),
    ) -> Result<Written> {
        let (seals, notes) = more;
        let judgement = &shown.judgement;
        let (game, seat) = (&claim.game, &claim.seat);
        let about = About::seat(self.tools, game, seat.seat);
        let mut facts = self.facts(case, claim, &about, notes);
        let (answers, left_out) = match case.request.has_orders() && claim.proof == Proof::Proven {
            true => self.beside_orders(case, claim, &about)?,
            false => Default::default(),
        };
        facts.extend(left_out);
        let mut unread = unread(case, &about);
        if shown.refused {
            let card = case.request.card.lines.iter();
            unread.extend(card.map(|(n, line)| (Some(*n), line.clone(), say!("not applied"))));
            unread.sort_by_key(|(line, ..)| line.unwrap_or(u32::MAX));
        }
        let moved = |n: u32| numbered_on(n, shown.moved);
        unread.iter_mut().for_each(|(line, ..)| *line = line.map(moved));
        let files = case.request.mode != Mode::Check && shown.on_file.is_none();
        let done = judgement.ready && files && game.runs_early();
        let waits = files && !judgement.ready && judgement.count(engine::Mark::Error) > 0;
        let engine = self.tools.games().engine(&game.engine)?;
        let at_once = engine.plays_at_once() && game.runs_early() && game.step.awaits(seat.seat);
        let mut hints = vec![match done && game.status == Status::Running {
            true => say!(
                "This card says that you are done: the turn runs as soon as nobody else is awaited, \
                 which may be at once; then no other card can take its place. CHECK as the first \
                 line of a card judges it without filing."
            ),
            false => say!(
                "A new card in answer to this mail replaces all orders on file; ADD as its first \
                 line appends, CANCEL withdraws all, CANCEL 3 line 3, CHECK only judges."
            ),
        }];
        if waits && at_once {
            hints.push(say!(
                "With an error this card waits until the deadline for a better one; one without \
                 errors is played at once."
            ));
        }
        let seals = seals.to_vec();
        let on_file = shown.on_file.as_ref();
        let outcome = outcome.to_owned();
        let echo =
            Echo { outcome, facts, title, judgement, unread, on_file, answers, seals, hints };
        let document = (seat.choices.format.html && claim.proof == Proof::Proven)
            .then(|| self.document(claim, &echo))
            .flatten();
        let (document, map) = match document {
            Some((document, at)) => (Some(document), shown.map.clone().map(|map| (at, map))),
            None => (None, None),
        };
        Ok(Written { text: echo.text(), document, map, book: None })
    }

    /// The facts below the first sentence of an echo.
    fn facts(&self, case: &Case, claim: &Claim, about: &About, notes: &[String]) -> Vec<String> {
        let (game, seat) = (&claim.game, &claim.seat);
        let mut facts = vec![
            say!(
                "Game {game}, {step}, seat {seat}.",
                game = game.code,
                step = step_name(&game.step.label),
                seat = seat.seat
            ),
            say!("Received {at}.", at = schedule::local(case.stored.received_at, &seat.zone)),
            self.tools.mailer().due_line(game, Some(seat.seat), &seat.zone, case.now),
        ];
        if game.status == Status::Suspended {
            facts.push(say!("The game is suspended; its turn does not run now."));
        }
        facts.extend(notes.iter().cloned());
        for part in &case.parsed.left_out {
            facts.push(say!("Your mail had {part}.", part = part));
        }
        if case.text.had_secrets {
            facts.push(say!(
                "A secret address or the number of a mail of yours stood in your text and was \
                 taken out: whoever has one can write in your name."
            ));
        }
        if case.text.has_orders_quoted(&|line| about.starts_order(line)) {
            facts.push(say!(
                "A line right below a quoted one looks like an order and was taken for the rest of \
                 that quote; leave a blank line between, or write above the quote."
            ));
        }
        facts
    }

    /// The answers to the questions of a mail with orders, in commands and in sentences, and a note
    /// on each command that needs a separate mail.
    fn beside_orders(
        &self,
        case: &Case,
        claim: &Claim,
        about: &About,
    ) -> Result<(Vec<Section>, Vec<String>)> {
        let queries = case.request.commands.iter().filter_map(Command::as_query);
        // The echo of filed orders is already a status.
        let files = case.request.mode != Mode::Check;
        let queries: Vec<&dyn Query> = queries.filter(|q| !(files && q.word() == STATUS)).collect();
        let (mut sections, left_out) = self.beside(claim, &queries)?;
        let asked = case.request.questions(&|line| about.starts_order(line));
        sections.extend(plain::answer(self.tools, claim, &asked, true)?.unwrap_or_default());
        Ok((sections, left_out))
    }

    /// The answers to queries for one mail, and a note on each query that needs a separate mail.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn beside(
        &self,
        claim: &Claim,
        queries: &[&dyn Query],
    ) -> Result<(Vec<Section>, Vec<String>)> {
        let (mut sections, mut left_out) = (Vec::new(), Vec::new());
        for query in queries {
            let waits = claim.game.status == Status::Open;
            let answer = match waits {
                true => None,
                false => query.beside(self.tools, claim)?,
            };
            match answer {
                Some(answer) => sections.extend(answer),
                None if query.word() == YES => left_out.push(say!(
                    "YES was left out: it answers a question when it is the only word of a mail."
                )),
                None => left_out.push(sent_alone(query.word())),
            }
        }
        Ok((sections, left_out))
    }

    /// An echo as a document, and the index of the section after its map. `None`: no engine; text
    /// only.
    fn document(&self, claim: &Claim, echo: &Echo) -> Option<(Document, usize)> {
        let (game, seat) = (&claim.game, &claim.seat);
        let engine = self.tools.games().engine(&game.engine).ok()?;
        // The deadline is among the facts.
        let head = head(game, engine.title(), seat, say!("your orders"));
        Some(echo.document(head, marks(game, seat.seat)))
    }

    /// Mails to the registered address, and to the sender of a proven mail if that is another one.
    pub fn mails_to_player(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        body: impl Into<Written>,
    ) -> Vec<QueuedMail> {
        let body = body.into();
        let other = claim.proof == Proof::Proven && !same_address(&case.from, &claim.seat.address);
        let mut mails = self.mails_to_registered(case, claim, subject, body.clone());
        if other {
            mails.extend(self.letter(case, claim, subject, body, (&case.from, "")));
        }
        mails
    }

    /// A mail only to the registered address, for what shows a position or orders.
    pub fn mails_to_registered(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        body: impl Into<Written>,
    ) -> Vec<QueuedMail> {
        let to = (claim.seat.address.as_str(), "");
        self.letter(case, claim, subject, body.into(), to).into_iter().collect()
    }

    /// A mail to an address. `key` separates it from others to the same one about the same mail.
    fn letter(
        &self,
        case: &Case,
        claim: &Claim,
        subject: &str,
        body: Written,
        (to, key): (&str, &str),
    ) -> Option<QueuedMail> {
        let letter = SeatMail {
            kind: MailKind::Echo,
            to,
            turn: claim.game.turn,
            turns: claim.game.step.turns,
            subject: subject.to_owned(),
            text: body.text,
            attachments: Vec::new(),
            answers: case.parsed.message_id.as_deref(),
            id_key: format!("{} {to} {key}", case.stored.id).trim_end().to_owned(),
            reply: None,
        };
        let (mailer, kind, turn) = (self.tools.mailer(), letter.kind, letter.turn);
        let draft = mailer.draft(&claim.seat, letter);
        let seat = Some((claim.game.code.clone(), claim.seat.seat));
        let mail = mailer.queue(kind, seat, Some(turn), &draft, case.now)?;
        let forms = claim.seat.choices.format;
        let job = match (body.document, body.book) {
            (Some(document), _) => {
                let format = Format { pdf: false, json: false, desk: false, ..forms };
                let map = body.map;
                Some(Job { draft, document, format, at: case.now, small: true, map, book: None })
            }
            // A book is a file attached to the text.
            (None, Some(Book { document, terms })) => {
                let format = Format { html: false, pdf: false, json: false, desk: false, ..forms };
                let (at, book) = (case.now, Some(terms));
                Some(Job { draft, document, format, at, small: false, map: None, book })
            }
            (None, None) => None,
        };
        Some(QueuedMail { drawing: job.map(|job| job.drawing()).unwrap_or_default(), ..mail })
    }

    /// A short answer to a seat's player.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn short_answer(
        &self,
        case: &Case,
        claim: &Claim,
        verdict: Verdict,
        reason: Reason,
        subject: &str,
        text: String,
    ) -> Result<Judged> {
        self.short_answer_with(case, claim, (verdict, reason, subject), text, None)
    }

    /// A short answer to a seat's player, and a rulebook as a file.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn short_answer_with(
        &self,
        case: &Case,
        claim: &Claim,
        (verdict, reason, subject): (Verdict, Reason, &str),
        text: String,
        book: Option<Book>,
    ) -> Result<Judged> {
        let mut body = format!("{marker}\n\n{}\n", wrapped(&text), marker = marker());
        if verdict == Verdict::Rejected && reason != Reason::TooManyCommands {
            left_out(&case.request).iter().for_each(|note| body += &para(note));
        }
        body += &passed_over(self.tools, case, claim, false);
        case.told.set(true);
        body += &para(&self.due(case, claim));
        let mut judged = case.judged(verdict, reason, &text);
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        judged.turn = Some(claim.game.turn);
        let body = Written { text: body, document: None, map: None, book };
        let mails = self.mails_to_player(case, claim, subject, body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// Lists the unread lines of a mail whose command has its own answer, in one more mail.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn note_unread_lines(&self, case: &Case, claim: &Claim, judged: &mut Judged) -> Result<()> {
        let lines = passed_over(self.tools, case, claim, false);
        if lines.is_empty() || case.told.get() {
            return Ok(());
        }
        let text = say!(
            "The command of your mail has an answer of its own. What else stands in the mail \
             changed nothing."
        );
        let marker = marker();
        let body =
            format!("{marker}\n\n{}\n{lines}{}", wrapped(&text), para(&self.due(case, claim)));
        let (subject, to) = (say!("lines of your mail"), &claim.seat.address);
        let mail = self.letter(case, claim, &subject, body.into(), (to, "beside"));
        self.reply(case, judged, mail.into_iter().collect())
    }

    /// A sentence on when the orders of a seat are due.
    fn due(&self, case: &Case, claim: &Claim) -> String {
        let (game, seat) = (&claim.game, &claim.seat);
        self.tools.mailer().due_line(game, Some(seat.seat), &seat.zone, case.now)
    }

    /// Mails what is stored about a person to their address.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn personal_data(&self, case: &Case, address: &str) -> Result<Judged> {
        let day = case.now - SignedDuration::from_hours(24);
        if self.tools.store.mails().mails_with(&case.from, Reason::Exported, day)? > 0 {
            let why = "the data of this address was sent today already";
            return Ok(case.judged(Verdict::Ignored, Reason::Exported, why));
        }
        // A file grows by a third when encoded.
        let most = self.tools.cx.limits.sent_bytes_max;
        let most = self.tools.store.sent_bytes_max(most, case.now)? / 2;
        let data = personal::data_of(self.tools.store, address, most)?;
        let text = say!(
            "The attached file holds what is stored about you: your seats, your mails and what \
             became of them, the mails to you. EXPORT with the number of a receipt sends the mail \
             itself, as long as it is kept."
        );
        let file = Attachment {
            name: "fieldpost-data.json".to_owned(),
            media: "application/json".into(),
            bytes: data.into_bytes(),
        };
        let mut judged = case.judged(Verdict::Accepted, Reason::Exported, "data sent");
        let id_key = case.stored.id.to_string();
        let subject = say!("what is stored about you");
        let mail = self.tools.mailer().file_mail(address, &subject, &text, file, &id_key, case.now);
        self.reply(case, &mut judged, mail.into_iter().collect())?;
        Ok(judged)
    }

    /// Adds the replies to a verdict, within the budget of the address and of the host.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn reply(&self, case: &Case, judged: &mut Judged, mails: Vec<QueuedMail>) -> Result<()> {
        Budget::new(self.tools).reply(case, judged, mails)
    }

    /// Answers a request for a game in the language that its sender prefers. If the robot does not
    /// know that language, the answer lists those that it knows.
    ///
    /// # Errors
    /// Those of `answer`, and [`crate::RobotError::Store`] when the store fails.
    pub fn in_preferred(
        &self,
        case: &Case,
        preferred: Option<&str>,
        reason: Reason,
        answer: impl FnOnce() -> Result<Judged>,
    ) -> Result<Judged> {
        match preferred {
            None => answer(),
            Some(code) if languages::is_known(code) => self.tools.cx.in_language(code, answer),
            Some(_) => {
                let text = say!("lang= is one of {codes}.", codes = languages::listed());
                self.once_a_day(case, reason, &text)
            }
        }
    }

    /// Answers a mail without any order or command. `on_file` judges the orders on file, if there
    /// are any.
    ///
    /// # Errors
    /// [`crate::RobotError`] when the judgement fails; the mail is tried again later.
    pub fn nothing_found(&self, case: &Case, claim: &Claim, on_file: OnFile) -> Result<Judged> {
        if quoting::is_away(&case.parsed.subject) {
            let why = "a vacation reply without any sign but its subject";
            return Ok(case.judged(Verdict::Ignored, Reason::Away, why));
        }
        let about = About::seat(self.tools, &claim.game, claim.seat.seat);
        let orders_below = case.text.has_orders_below(&|line| about.starts_order(line));
        let mut text = match orders_below {
            true => say!(
                "No new orders were found above the marker line or the quoted mail. What stands \
                 below looks like orders, but old and new can't be told apart there, so nothing \
                 was filed. Write your orders at the top."
            ),
            false => {
                say!("No orders and no command were found in your mail; nothing was changed.")
            }
        };
        for part in &case.parsed.left_out {
            text += &format!(" {}", say!("It had {part}.", part = part));
        }
        let proven = claim.proof == Proof::Proven && !orders_below;
        if proven
            && asks(case)
            && let Vain::Answered(note) = Budget::new(self.tools).in_vain(case, Reason::Question)?
            && let Some(answer) = plain::answer(self.tools, claim, &case.text.above, false)?
        {
            let answer = text::sections(&answer) + &unchanged(on_file)?;
            return self.answered_plainly(case, claim, &answer, &note);
        }
        // A repeated mail is answered once, new words twice, until a mail is right.
        let note = match Budget::new(self.tools).in_vain(case, Reason::NoOrders)? {
            Vain::Answered(note) => note,
            Vain::Enough => {
                let why = "no orders and no command; told so often enough";
                return Ok(case.judged(Verdict::Ignored, Reason::NoOrders, why));
            }
        };
        if asks(case) {
            text += &format!(" {}", plain::how_to_ask());
        }
        text += &format!(" {}{note}", self.tools.command_words());
        let mut body = format!("{marker}\n\n{}\n", wrapped(&text), marker = marker());
        body += &own_words(case, claim, &about);
        body += &unchanged(on_file)?;
        body += &para(&self.due(case, claim));
        let mut judged = case.judged(Verdict::Rejected, Reason::NoOrders, &text);
        judged.seat = Some((claim.game.code.clone(), claim.seat.seat));
        judged.turn = Some(claim.game.turn);
        let mails = self.mails_to_player(case, claim, &say!("no orders found"), body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// Several answers in one mail. They show a position, so they go only to the registered
    /// address.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn answered(
        &self,
        case: &Case,
        claim: &Claim,
        answers: &[Section],
        left_out: &[String],
    ) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let about = text::about(&game.code, &game.step.label, seat.seat, &seat.name);
        let mut body =
            format!("{marker}\n\n{about}\n{}", text::sections(answers), marker = marker());
        body += &passed_over(self.tools, case, claim, false);
        left_out.iter().for_each(|note| body += &para(note));
        let mut judged = case.judged(Verdict::Accepted, Reason::Status, "questions answered");
        judged.seat = Some((game.code.clone(), seat.seat));
        let mails = self.mails_to_registered(case, claim, &say!("answers"), body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// The answer to questions in sentences. It shows a position, so it goes only to the registered
    /// address. The mail counts as one in which nothing was right, because autoresponders ask
    /// questions too.
    fn answered_plainly(
        &self,
        case: &Case,
        claim: &Claim,
        answer: &str,
        note: &str,
    ) -> Result<Judged> {
        let (game, seat) = (&claim.game, &claim.seat);
        let step = step_name(&game.step.label);
        let about = text::about(&game.code, &step, seat.seat, &seat.name);
        // A letter is not carried out, whatever its lines look like.
        let words = match case.request.card.lines.is_empty() {
            true => passed_over(self.tools, case, claim, true),
            false => own_words(case, claim, &About::seat(self.tools, game, seat.seat)),
        };
        let body = format!(
            "{marker}\n\n{about}\n{answer}\n{words}{}",
            para(&format!("{}{note}", plain::how_to_ask())),
            marker = marker()
        );
        let mut judged = case.judged(Verdict::Rejected, Reason::Question, "questions in sentences");
        judged.seat = Some((game.code.clone(), seat.seat));
        judged.turn = Some(game.turn);
        let mails = self.mails_to_registered(case, claim, &say!("your question"), body);
        self.reply(case, &mut judged, mails)?;
        Ok(judged)
    }

    /// Answers a player that their game has not started.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn not_started(&self, case: &Case, claim: &Claim) -> Result<Judged> {
        let text = say!("Your game has not started yet; the first printout will come by mail.");
        let subject = say!("not started yet");
        self.short_answer(case, claim, Verdict::Rejected, Reason::NotStarted, &subject, text)
    }
}
