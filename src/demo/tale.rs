//! The account of a demo: a page for a terminal, and `index.html` with all of it.

use std::io::Write;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{Failure, Stage, colours};
use crate::ops::page::{STYLE, tamed};
use crate::render_files::{self, Form};
use base::schedule;
use engine::report::{Block, MapPicture};
use engine::{Seat, Until};
use render::Document;
use render::text::flat;
use store::Verdict;

/// Lines that a terminal shows, at most, including those that name the folder.
const LINES_MAX: usize = 56;

/// Something that happened.
enum Event {
    /// A mail came.
    Mail(Mail),
    /// A turn ran, or another step: a sentence.
    Ran(String),
}

/// A mail and the answers to it.
struct Mail {
    at: String,
    shows: String,
    told: bool,
    /// Its new text.
    card: Vec<String>,
    verdicts: Vec<String>,
    /// Subject and text of each mail that was sent for it.
    answers: Vec<(String, String)>,
}

/// A demo that was played.
pub(super) struct Tale {
    /// The game that is played, and its players.
    about: String,
    code: String,
    events: Vec<Event>,
    /// The last printouts of two seats.
    printouts: Vec<Document>,
    /// How it ended: replayed turns, mails.
    sums: Vec<String>,
}

impl Tale {
    /// Plays a demo.
    pub fn of(stage: &mut Stage) -> Result<Self, Failure> {
        let (code, seats) = (stage.script.game.clone(), stage.script.player.len());
        let count = |n: usize, of: &str| format!("{n} {of}{}", if n == 1 { "" } else { "s" });
        let against = match stage.script.computers {
            0 => String::new(),
            n => format!(" against {}", count(n.into(), "computer")),
        };
        let pace = match stage.robot.game(&code)?.step.until {
            Until::Clock { .. } => "they move in turn".to_owned(),
            _ => format!("a turn every {}", stage.script.every),
        };
        let (title, players) = (stage.engine.title(), count(seats, "player"));
        let about = format!("Game {code}: {title}, {players}{against}, {pace}.");
        stage.send()?;
        let mut events = Vec::new();
        for number in 0..stage.script.mail.len() {
            let at = schedule::date(&stage.script.mail[number].at, &stage.script.zone)?;
            run_steps(stage, at, &mut events)?;
            let judged = stage.receive(number)?;
            events.push(Event::Mail(Mail::of(stage, number, &judged)?));
            stage.send()?;
            run_steps(stage, at, &mut events)?;
        }
        let last = stage.robot.game(&code)?.deadline.ok_or("the game has no deadline")?;
        run_steps(stage, last + SignedDuration::from_secs(1), &mut events)?;
        let replayed = stage.robot.replay(&code, |_| {})?;
        let (same, all) = (replayed.iter().filter(|t| t.same).count(), replayed.len());
        let counts = stage.robot.store.outbox().outbox_counts()?;
        let mails = events.iter().filter(|e| matches!(e, Event::Mail(_))).count();
        let sums = vec![
            format!("{mails} mails came, {} were sent, {} failed.", counts.sent, counts.failed),
            format!("{same} of {all} steps, computed again from the journal, are the same."),
        ];
        let turn = stage.robot.game(&code)?.turn;
        let seats: Vec<Seat> = stage.script.player.iter().take(2).map(|p| Seat(p.seat)).collect();
        let printouts = seats
            .into_iter()
            .map(|seat| stage.robot.reports().document_of(&code, seat, turn))
            .collect::<Result<_, _>>()?;
        Ok(Self { about, code, events, printouts, sums })
    }

    /// Prints a page of it: one card with its echo in full, the headline of the last turn, a map.
    pub fn print(
        &self,
        out: &mut dyn Write,
        colour: Option<&mut dyn Write>,
    ) -> std::io::Result<()> {
        let mut lines = vec![
            "Players mail their orders to one address. Within seconds each line comes".to_owned(),
            "back with a judgement; after the deadline a printout tells what happened.".to_owned(),
            self.about.clone(),
        ];
        if let Some(mail) = self.shown_mail() {
            lines.push(String::new());
            lines.push(format!("{}  {}:", mail.at, mail.shows));
            lines.extend(mail.card.iter().map(|l| format!("  > {l}")));
            for (subject, text) in &mail.answers {
                lines.push(format!("and gets back: {subject}"));
                let text = text.lines().skip(1).filter(|l| !l.trim().is_empty());
                lines.extend(text.map(|l| format!("  {}", l.strip_prefix("| ").unwrap_or(l))));
            }
        }
        if let Some(printout) = self.printouts.first() {
            let (seat, step) = (printout.head.seat, &printout.head.label);
            lines.push(String::new());
            lines.push(format!("The printout of seat {seat} for {step} begins:"));
            let said = printout.headline().iter().take(3);
            lines.extend(said.map(|l| format!("  * {}", flat(l))));
        }
        lines.push(String::new());
        let sums = self.sums.join(" ");
        let map = colour.and_then(|colour| {
            let picture = self.printouts.first().and_then(first_map)?;
            let painted = colours::painted(picture)?;
            let fits = lines.len() + painted.len() + 3 <= LINES_MAX;
            fits.then_some((colour, painted))
        });
        // An echo is not cut to the height of a terminal.
        lines.iter().try_for_each(|l| writeln!(out, "{l}"))?;
        if let Some((colour, painted)) = map {
            out.flush()?;
            painted.iter().try_for_each(|l| writeln!(colour, "  {l}"))?;
            writeln!(colour, "  {}", colours::KEY)?;
            colour.flush()?;
            writeln!(out)?;
        }
        writeln!(out, "{sums}")
    }

    /// The mail that a terminal shows: the one that the script names, or the first that was
    /// answered.
    fn shown_mail(&self) -> Option<&Mail> {
        let mails = || {
            self.events.iter().filter_map(|e| match e {
                Event::Mail(mail) => Some(mail),
                Event::Ran(_) => None,
            })
        };
        mails().find(|m| m.told).or_else(|| mails().find(|m| !m.answers.is_empty()))
    }

    /// Writes `index.html` and the files that it links to.
    ///
    /// # Errors
    /// When a file can't be written.
    pub fn page(&self, stage: &mut Stage, root: &Path) -> Result<(), Failure> {
        let mut shown = Vec::new();
        for document in &self.printouts {
            let head = &document.head;
            let name = format!("printout-seat-{}", head.seat);
            let files = render_files::files(document, &name, &[Form::Html, Form::Desk], root)?;
            let map = files.iter().find(|f| f.extension().is_some_and(|e| e == "png"));
            let map = map.and_then(|f| f.file_name()).map(|f| f.to_string_lossy().into_owned());
            shown.push((document, name, map));
        }
        // A game without a map has no course.
        let course =
            render_files::atlas(&mut stage.robot, &self.code, render_files::FRAME_MS, root, |_| {});
        let course = course.is_ok().then(|| self.code.to_lowercase());
        let title = format!("A game by mail: {}", stage.engine.title());
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (title) }
                    style { (PreEscaped(STYLE)) (PreEscaped(MORE_STYLE)) }
                }
                body {
                    main {
                        h1 { (title) }
                        p { (self.about) " Everything below was played just now, from real mails: \
                             orders come as a mail, go back with a judgement of each line, and \
                             after the deadline everybody gets a printout." }
                        h2 { "Two printouts" }
                        div .two { @for (document, name, map) in &shown { (card(document, name, map.as_deref())) } }
                        @if let Some(code) = &course {
                            h2 { "The course of the game" }
                            p { a href=(format!("{code}-course.html")) { "Turn by turn, with a slider" } "." }
                            img src=(format!("{code}-course.png")) alt="The map of the whole game, turn after turn";
                        }
                        h2 { "Play yourself" }
                        p { "A private game on this machine against computers; orders are typed \
                             in an editor, printouts open in the browser, and no mail server is \
                             needed:" }
                        pre { "fieldpost play " (stage.engine.id()) }
                        p { "A host for others asks a few questions and tries out its mailbox:" }
                        pre { "fieldpost init\nfieldpost doctor\nfieldpost serve" }
                        h2 { "Every mail" }
                        @for sum in &self.sums { p { (sum) } }
                        @for event in &self.events { (told_event(event)) }
                        h2 { "What lies in this folder" }
                        ul {
                            li { code { "players/" } " a Maildir for each player; mutt -f reads them" }
                            li { code { "inbox/" } " the robot's inbox with its folders of verdicts" }
                            li { code { "data/" } " the store" }
                            li { code { "robot.toml" } " a config of it all, for every command:" }
                        }
                        pre { "fieldpost -c robot.toml game show " (self.code) }
                    }
                }
            }
        };
        let path = root.join("index.html");
        std::fs::write(&path, tamed(page).into_string())
            .map_err(|e| format!("{}: {e}", path.display()).into())
    }
}

/// What the page needs besides the style of all pages.
const MORE_STYLE: &str = "
.two{display:flex;flex-wrap:wrap;gap:1rem}
.two section{flex:1 1 20rem;background:var(--page);border:1px solid var(--line);padding:.4rem 1rem 1rem}
img{max-width:100%;height:auto}
pre{background:var(--page);border:1px solid var(--line);padding:.5rem .8rem;overflow-x:auto}
details{margin:.3rem 0;background:var(--page);border:1px solid var(--line);padding:.3rem .8rem}
summary{cursor:pointer;min-height:1.8rem}
";

fn card(document: &Document, name: &str, map: Option<&str>) -> Markup {
    let head = &document.head;
    let whose = if head.name.is_empty() { &head.title } else { &head.name };
    html! {
        section {
            h3 { "Seat " (head.seat) ", " (whose) ", " (head.label) }
            ul { @for line in document.headline().iter().take(4) { li { (flat(line)) } } }
            p {
                a href=(format!("{name}.html")) { "The whole printout" } " · "
                a href=(format!("{name}-desk.html")) { "The order desk" }
            }
            @if let Some(map) = map {
                a href=(format!("{name}.html")) { img src=(map) alt="The map of this printout"; }
            }
        }
    }
}

fn told_event(event: &Event) -> Markup {
    html! {
        @match event {
            Event::Ran(what) => h3 { (what) },
            Event::Mail(mail) => details {
                summary { (mail.at) " · " (mail.shows) " · " (mail.verdicts.join(", ")) }
                pre { @for line in &mail.card { (line) "\n" } }
                @for (subject, text) in &mail.answers {
                    p { "The answer: " strong { (subject) } }
                    pre { (text) }
                }
            }
        }
    }
}

impl Mail {
    fn of(stage: &Stage, number: usize, judged: &[i64]) -> Result<Self, Failure> {
        let mail = &stage.script.mail[number];
        let (at, shows, told) = (mail.at.clone(), mail.shows.clone(), mail.told);
        let mut read = Self {
            at,
            shows,
            told,
            card: stage.card(number)?,
            verdicts: Vec::new(),
            answers: Vec::new(),
        };
        for id in judged {
            let Some(row) = stage.robot.store.mails().mail(*id)? else { continue };
            read.verdicts.push(format!("{} ({})", Verdict::word_of(row.verdict), row.reason));
            for caused in stage.robot.store.outbox().caused_by(*id)? {
                let Ok(mail) = mail::mime::parse(&caused.bytes) else { continue };
                let text: Vec<&str> = mail.lines.0.iter().map(|(_, l)| l.as_str()).collect();
                read.answers.push((mail.subject.clone(), text.join("\n")));
            }
        }
        Ok(read)
    }
}

/// Runs what is due at an instant, and notes it.
fn run_steps(stage: &mut Stage, at: Timestamp, events: &mut Vec<Event>) -> Result<(), Failure> {
    for (step, due) in stage.advance(at)? {
        let sent = stage.send()?;
        let label = &step.label;
        let when = due.map(|due| schedule::local(due, &stage.script.zone));
        events.push(Event::Ran(match when {
            Some(when) if matches!(step.until, Until::Calendar) => {
                format!("Deadline of {label}, {when}: {sent} mails leave")
            }
            Some(when) => format!("Time is over for {label}, {when}"),
            None => format!("Played: {label}"),
        }));
    }
    Ok(())
}

/// The map that a printout shows first.
fn first_map(document: &Document) -> Option<&MapPicture> {
    document.sections.iter().flat_map(|s| &s.blocks).find_map(|block| match block {
        Block::Map(map) => Some(&**map),
        _ => None,
    })
}
