//! `fieldpost play`: a private game on this machine against computers, without a mail server.
//!
//! It is a practice game on its own host, in a folder. What the player writes goes into its inbox
//! as a mail, and what comes back is read from its outbox: the same intake, echoes and turns as by
//! mail. A deadline that comes near is moved, so that the game waits for its player.

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jiff::SignedDuration;

use crate::demo::{judge, send};
use crate::render_files::{self, Form};
use base::clock::{SystemClock, SystemEntropy};
use engine::Seat;
use engine::report::{Block, Section};
use mail::compose::Sender;
use mail::maildir::{MaildirInbox, deliver};
use mail::marker::MARKER;
use registry::ENGINES;
use render::text::{self, flat};
use robot::Robot;
use robot::commands::ROWS;
use robot::limits::Limits;
use robot::printouts::{FIRST_TURN, lesson};
use store::{Status, Store};

type Failure = Box<dyn std::error::Error>;

/// The player's mail address.
const PLAYER: &str = "you@fieldpost.example";
/// The game, and the player's seat in it.
const CODE: &str = "P1";
const SEAT: Seat = Seat(1);
/// A deadline nearer than `NEAR_DAYS` is moved to `AHEAD_DAYS` from now; the zone of the game is
/// UTC.
const NEAR_DAYS: i64 = 2;
const AHEAD_DAYS: i64 = 14;

/// What the player's machine can do.
pub trait Desk {
    /// Lets the player write in an editor that begins with a text; `None`: nothing was saved.
    ///
    /// # Errors
    /// A sentence when there is no editor.
    fn edit(&mut self, text: &str) -> Result<Option<String>, Failure>;
    /// Shows a page.
    ///
    /// # Errors
    /// A sentence when there is no browser.
    fn show(&mut self, page: &Path) -> Result<(), Failure>;
}

/// A private game.
pub struct Table {
    robot: Robot,
    inbox: MaildirInbox,
    root: PathBuf,
    delivered: u32,
}

/// What a line that the player types is for.
enum Line<'a> {
    Nothing,
    Edit,
    Run,
    Show,
    Leave,
    Mail(&'a str),
}

impl<'a> Line<'a> {
    fn read(text: &'a str) -> Self {
        let text = text.trim();
        match text.to_lowercase().as_str() {
            "" => Self::Nothing,
            "e" | "edit" => Self::Edit,
            "r" | "run" => Self::Run,
            "o" | "open" => Self::Show,
            "q" | "quit" | "exit" => Self::Leave,
            _ => Self::Mail(text),
        }
    }
}

impl Table {
    /// Goes on with the game in a folder, or begins one there.
    ///
    /// # Errors
    /// When there is no such engine, the folder has another engine's game, or can't be written.
    pub fn open(root: &Path, engine: &str) -> Result<Self, Failure> {
        std::fs::create_dir_all(root).map_err(|e| {
            format!(
                "{} can't be written: {e}; name a folder in which this user may write",
                root.display()
            )
        })?;
        let entropy = Arc::new(SystemEntropy);
        let store = Store::open(&root.join("data"), entropy.as_ref())?;
        let identity = Sender {
            name: "Fieldpost".into(),
            address: "robot@fieldpost.example".into(),
            from: None,
        };
        // The player's own mails need no limits.
        let limits = Limits {
            practice_games_max: 1,
            cards_per_hour: u32::MAX,
            replies_per_hour: u32::MAX,
            replies_per_day: u32::MAX,
            replies_per_hour_total: u32::MAX,
            ..Limits::default()
        };
        let poll = std::time::Duration::from_secs(1);
        let inbox = MaildirInbox::open("play", &root.join("inbox"), limits.mail_bytes_max, poll)?;
        let gm = PLAYER.to_owned();
        let robot =
            Robot::new(store, identity, gm, limits, &ENGINES, Arc::new(SystemClock), entropy);
        let mut table = Self { robot, inbox, root: root.to_owned(), delivered: 0 };
        match table.robot.store.games().game(CODE)? {
            Some(game) if game.engine != engine => {
                return Err(format!(
                    "{} has a game of {}; \"fieldpost play {}\" goes on with it, and --dir names \
                     another folder",
                    root.display(),
                    game.engine,
                    game.engine
                )
                .into());
            }
            Some(_) => {}
            None => {
                table.robot.as_game_master(|gm| gm.practice(engine, PLAYER))?;
            }
        }
        // Before anything looks at the deadline, however long the player was away.
        table.keep_waiting()?;
        // A game may begin with steps of other seats.
        table.robot.run_due(table.robot.now())?;
        table.send()?;
        Ok(table)
    }

    /// Moves a deadline that is near, or has passed while the player was away.
    fn keep_waiting(&mut self) -> Result<(), Failure> {
        let Some(due) = self.robot.game(CODE)?.deadline else { return Ok(()) };
        let now = self.robot.now();
        if due.duration_since(now) < SignedDuration::from_hours(24 * NEAR_DAYS) {
            let to = now + SignedDuration::from_hours(24 * AHEAD_DAYS);
            let to = to.strftime("%Y-%m-%d %H:%M").to_string();
            self.robot.as_game_master(|gm| gm.set_deadline(CODE, &to))?;
        }
        Ok(())
    }

    fn send(&mut self) -> Result<usize, Failure> {
        send(&mut self.robot, &self.root.join("mail"), &SystemClock)
    }

    /// The address to which answers to mails of the open step go.
    fn reply_to(&self) -> Result<String, Failure> {
        let turn = self.robot.game(CODE)?.turn;
        let seat = self.robot.store.games().seat(CODE, SEAT)?.ok_or("the seat is gone")?;
        let secret = self.robot.store.key().reply(CODE, SEAT, seat.epoch, turn);
        Ok(self.robot.cx.identity.detailed(&format!("{CODE}.{SEAT}.{secret}")))
    }

    /// Mails a text to the robot, and gives what it answers: a subject and a text each.
    ///
    /// # Errors
    /// When the store fails.
    pub fn mail(&mut self, text: &str) -> Result<Vec<(String, String)>, Failure> {
        self.keep_waiting()?;
        self.delivered += 1;
        let now = self.robot.now();
        let seconds = now.as_second();
        // A Maildir's names begin with the time at which a mail came.
        let part = now.subsec_millisecond();
        let name = format!("{seconds}.M{part}P{}Q{}.play", std::process::id(), self.delivered);
        let mail = lettre::Message::builder()
            .from(PLAYER.parse()?)
            .to(self.reply_to()?.parse()?)
            .subject("orders")
            .message_id(Some(format!("<{name}@fieldpost.example>")))
            .date(now.into())
            .singlepart(lettre::message::SinglePart::plain(text.to_owned()))?;
        deliver(&self.root.join("inbox"), &name, &mail.formatted())?;
        let judged = judge(&mut self.robot, &mut self.inbox)?;
        let mut answers = Vec::new();
        for id in judged {
            let caused = self.robot.store.outbox().caused_by(id)?;
            if caused.is_empty()
                && let Some(row) = self.robot.store.mails().mail(id)?
            {
                answers.push(("no answer".to_owned(), row.why));
            }
            for caused in caused {
                let Ok(mail) = mail::mime::parse(&caused.bytes) else { continue };
                let lines = mail.lines.0.iter().map(|(_, l)| l.as_str());
                let lines: Vec<&str> = lines.filter(|l| *l != MARKER).collect();
                answers.push((mail.subject.clone(), lines.join("\n").trim().to_owned()));
            }
        }
        self.send()?;
        Ok(answers)
    }

    /// Says that the player is ready, and runs what is due then; gives whether a step ran.
    ///
    /// # Errors
    /// When the store or the engine fails.
    pub fn run(&mut self) -> Result<bool, Failure> {
        let before = self.robot.game(CODE)?.turn;
        self.mail("READY")?;
        self.robot.run_due(self.robot.now())?;
        self.keep_waiting()?;
        self.send()?;
        Ok(self.robot.game(CODE)?.turn != before)
    }

    /// Writes the newest printout as a page with its order desk, and gives its file.
    ///
    /// # Errors
    /// When a file can't be written.
    pub fn page(&mut self) -> Result<PathBuf, Failure> {
        let turn = self.robot.game(CODE)?.turn;
        let document = self.robot.reports().document_of(CODE, SEAT, turn)?;
        let folder = self.root.join("printouts");
        let name = document.head.file_name();
        render_files::files(&document, &name, &[Form::Html, Form::Desk], &folder)?;
        Ok(std::path::absolute(folder.join(format!("{name}.html")))?)
    }

    /// The beginning of the newest printout, with what needs orders.
    fn news(&mut self) -> Result<Vec<String>, Failure> {
        let game = self.robot.game(CODE)?;
        let document = self.robot.reports().document_of(CODE, SEAT, game.turn)?;
        let mut lines = vec![match game.status {
            Status::Over => "The game is over.".to_owned(),
            _ => format!("{}.", base::text::capital(&game.step.label)),
        }];
        lines.extend(document.headline().iter().map(|l| format!("* {}", flat(l))));
        let first = document.sections.iter().find(|s| s.heading == FIRST_TURN);
        for block in first.map(|s| s.blocks.as_slice()).unwrap_or_default() {
            if let Block::Table(orders) = block {
                lines.push("Good first orders:".to_owned());
                lines.extend(orders.rows.iter().map(|row| row.join("  ")));
            }
        }
        let engine = self.robot.games().engine(&game.engine)?;
        for block in lesson(engine, &game).into_iter().flat_map(|s| s.blocks) {
            if let Block::List(points) = block {
                lines.push("Lesson:".to_owned());
                lines.extend(points.iter().map(|l| format!("* {}", flat(l))));
            }
        }
        Ok(lines)
    }

    /// The text that an editor begins with: the orders on file, and the blank card below.
    fn card(&mut self) -> Result<String, Failure> {
        let game = self.robot.game(CODE)?;
        let on_file = self.robot.store.journal().cards(CODE, game.turn)?;
        let orders = on_file.get(&SEAT).map(|card| card.text()).unwrap_or_default();
        let document = self.robot.reports().document_of(CODE, SEAT, game.turn)?;
        let is_card = |s: &&Section| s.blocks.iter().any(|b| matches!(b, Block::Card(_)));
        let blank = document.sections.iter().find(is_card);
        let blank = blank.map(|s| text::card(s, &document.marks)).unwrap_or_default();
        Ok(format!("{}\n\n{MARKER}\n\n{blank}", orders.trim_end()))
    }
}

/// Plays, line by line of what the player types, until they leave.
///
/// # Errors
/// When the folder, the store or the engine fails.
pub fn play(
    table: &mut Table,
    desk: &mut dyn Desk,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "Type orders or questions (LOOK, ODDS, HELP …), one to a line, or a letter:")?;
    writeln!(out, "e  all orders in an editor     r  you are ready: the turn runs")?;
    writeln!(out, "o  the printout in a browser   q  leave; the same command goes on\n")?;
    opened(table, desk, out)?;
    loop {
        if table.robot.game(CODE)?.status == Status::Over {
            let root = table.root.display();
            writeln!(
                out,
                "\"fieldpost play\" with another --dir begins a new game; this one is in {root}."
            )?;
            return Ok(());
        }
        write!(out, "> ")?;
        out.flush()?;
        let mut line = String::new();
        if input.read_line(&mut line)? == 0 {
            writeln!(out)?;
            return Ok(());
        }
        match Line::read(&line) {
            Line::Nothing => {}
            Line::Leave => return Ok(()),
            Line::Show => show(table, desk, out)?,
            Line::Run => match table.run()? {
                true => opened(table, desk, out)?,
                false => writeln!(out, "The turn waits: others are to move.")?,
            },
            Line::Edit => {
                let text = table.card()?;
                match desk.edit(&text) {
                    Ok(Some(text)) => answered(&table.mail(&text)?, out)?,
                    Ok(None) => writeln!(out, "Nothing was saved; your orders stay as they were.")?,
                    Err(e) => writeln!(out, "{e}")?,
                }
            }
            Line::Mail(text) => {
                let word = text.split_whitespace().next().unwrap_or_default();
                let command = ROWS.iter().any(|row| row.word.eq_ignore_ascii_case(word));
                // An order adds to the card; it does not replace it.
                let mail = if command { text.to_owned() } else { format!("ADD\n{text}") };
                answered(&table.mail(&mail)?, out)?;
            }
        }
    }
}

/// Reports the step that has opened.
fn opened(table: &mut Table, desk: &mut dyn Desk, out: &mut dyn Write) -> Result<(), Failure> {
    for line in table.news()? {
        for line in textwrap::wrap(&line, textwrap::Options::new(78).subsequent_indent("  ")) {
            writeln!(out, "{line}")?;
        }
    }
    show(table, desk, out)
}

fn show(table: &mut Table, desk: &mut dyn Desk, out: &mut dyn Write) -> Result<(), Failure> {
    let page = table.page()?;
    writeln!(out, "The whole printout: {}", page.display())?;
    if let Err(e) = desk.show(&page) {
        writeln!(out, "{e}")?;
    }
    Ok(())
}

fn answered(answers: &[(String, String)], out: &mut dyn Write) -> Result<(), Failure> {
    for (subject, text) in answers {
        writeln!(out, "{subject}")?;
        for line in text.lines() {
            writeln!(out, "  {}", line.strip_prefix("| ").unwrap_or(line))?;
        }
    }
    Ok(())
}
