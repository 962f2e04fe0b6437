//! A due game to one turn: frozen input, one commit, all printouts at once.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::letters::Letter;
use super::{Result, Robot, RobotError, refuse};
use crate::chart;
use crate::engine::report::{Align, Block, Section, Table};
use crate::engine::trial::{Chart, computer_dice};
use crate::engine::{
    BySeat, CardText, Dice, JudgedLine, MAIN_CLOCK, Mark, Match, Score, Seat, Turn,
};
use crate::mail::body::{CARD_BEGIN, CARD_END, MARKER};
use crate::mail::compose::Attachment;
use crate::render::text::{Addresses, SAFE, heading, para, sections};
use crate::secrets::seed_digest;
use crate::store::{Entry, Game, NextTurn, QueuedMail, SeatRow, Status, TurnRecord, turn_hash};
use crate::terms::Contact;

/// Steps that may follow each other at once before a game is held.
const STEPS_AT_ONCE_MAX: u32 = 100;
/// Hours of a clock that is not the game's own rule, when no option names them.
const SHORT_CLOCK_H: i64 = 24;

impl Robot {
    /// Runs every game that is due. `fetched_since` is when the last complete
    /// fetch of all inboxes began: a turn runs only when that was not before its
    /// deadline, so that no card received in time is left out.
    ///
    /// # Errors
    /// [`RobotError::Store`]; a failing game is held and others go on.
    pub fn run_due(&mut self, fetched_since: Timestamp) -> Result<u32> {
        let now = self.clock.now();
        let mut run = 0;
        for game in self.store.games()? {
            if game.status != Status::Running || !self.is_due(&game, now, fetched_since)? {
                continue;
            }
            if self.waits(&game, now)? {
                continue;
            }
            match self.run_turn(&game.code) {
                Ok(()) => run += 1,
                Err(RobotError::Store(e)) => return Err(e.into()),
                Err(RobotError::Engine(_, why)) => {
                    // A panic has held it already; everything else is held here.
                    if self.game(&game.code)?.status == Status::Running {
                        self.hold(&game.code, &why)?;
                    }
                }
                Err(e) => {
                    tracing::error!(game = game.code, turn = game.turn, error = %e, "turn not run")
                }
            }
        }
        Ok(run)
    }

    /// When the next game is due.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn next_deadline(&self) -> Result<Option<Timestamp>> {
        let games = self.store.games()?;
        let running = games.iter().filter(|g| g.status == Status::Running);
        Ok(running.filter_map(ends).min())
    }

    /// Whether a turn is to run: its deadline and its grace are over, or all awaited
    /// players are ready; everything that was received before has its verdict.
    fn is_due(&mut self, game: &Game, now: Timestamp, fetched_since: Timestamp) -> Result<bool> {
        let over = ends(game).is_some_and(|d| d <= now && d <= fetched_since);
        if !over && !self.all_ready(game, now)? {
            return Ok(false);
        }
        // A mail that could not be judged may be a card for this turn.
        Ok(self.store.unjudged()?.is_empty())
    }

    /// Runs a game's open turn now, and those that follow at once.
    ///
    /// # Errors
    /// [`RobotError`]; a failing engine holds the game.
    pub fn run_turn(&mut self, code: &str) -> Result<()> {
        let mut again = None;
        for _ in 0..STEPS_AT_ONCE_MAX {
            let game = self.game(code)?;
            if again.is_some_and(|turn| turn != game.turn) {
                // Another process has run it meanwhile.
                return Ok(());
            }
            if game.status != Status::Running {
                let why = game.status.word();
                return refuse(format!("game {code} is {why}; only a running game has turns"));
            }
            again = match self.run_step(&game)? {
                Step::Done => return Ok(()),
                Step::AtOnce => None,
                Step::Stale => Some(game.turn),
            };
        }
        self.hold(code, "its steps follow each other without end")
    }

    /// Runs one step; the answer says what comes then.
    fn run_step(&mut self, game: &Game) -> Result<Step> {
        let now = self.clock.now();
        let open = self.open(game)?;
        let on_file = self.store.cards(&game.code, game.turn)?;
        let mut cards = on_file.clone();
        let played = self.play_for(game, open.as_ref(), &mut cards)?;
        let mut dice = Dice::new(game.seed);
        let outcome = self.shielded(&game.code, || open.step(&cards, &mut dice))?;
        let engine = self.engine(&game.engine)?;
        let after = self.shielded(&game.code, || {
            let after = engine.open(&outcome.saved)?;
            let (awaited, result) = (after.awaited(), after.result());
            let charts = if result.is_some() { after.charts() } else { Vec::new() };
            Ok((after, awaited, result, charts))
        })?;
        let failed =
            |e: crate::engine::LoadError| RobotError::Engine(game.code.clone(), e.to_string());
        let (after, awaited, result, charts) = after.map_err(failed)?;
        let over = result.is_some();
        let advance = self.judged_again(game, open.as_ref(), after.as_ref())?;
        let at_once = awaited.seats.is_empty() && !over;
        let deadline = match (over, awaited.clock) {
            (true, _) => None,
            (false, MAIN_CLOCK) => Some(self.following(game, now)?),
            (false, clock) => Some(now + jiff::SignedDuration::from_hours(hours(game, clock))),
        };
        let mut next = NextTurn {
            turn: game.turn + 1,
            seed: self.entropy.word(),
            status: if over { Status::Over } else { Status::Running },
            deadline,
            carried: outcome.carried,
            fees: Vec::new(),
            on_file,
        };
        let record = TurnRecord {
            turn: game.turn,
            rules_version: engine.rules_version(),
            seed: game.seed,
            hash: turn_hash(&outcome.saved, dice.log()),
            cards,
            saved: outcome.saved,
        };
        let opened = Game {
            turn: next.turn,
            seed: next.seed,
            status: next.status,
            deadline,
            ..game.clone()
        };
        let opened_seals = self.opened_seals(game, &outcome.opened)?;
        let post = Post {
            seed_before: Some(game.seed),
            notes: opened_seals,
            played,
            result,
            charts,
            now,
            advance,
        };
        let (mut mails, fees) = self.printouts(&opened, after.as_ref(), &post)?;
        next.fees = fees;
        let sent = mails.iter().filter(|m| m.kind == "printout").count();
        mails.extend(self.turn_note(game, &opened, &record, &post.played, sent, now)?);
        if self.store.run_turn(&game.code, &record, dice.log(), &next, &mails, now)? {
            let (cards, turn) = (record.cards.len(), game.turn);
            tracing::info!(game = game.code, turn, cards, printouts = mails.len(), "turn run");
            return Ok(if at_once { Step::AtOnce } else { Step::Done });
        }
        Ok(Step::Stale)
    }

    fn following(&self, game: &Game, now: Timestamp) -> Result<Timestamp> {
        let last = game.deadline.unwrap_or(now);
        // A turn that the game master ran early does not move the calendar back.
        game.rule.next(last, now.max(last)).or_else(|e| refuse(e.to_string()))
    }

    /// Lines for the printouts of a step that opens seals.
    fn opened_seals(&self, game: &Game, keys: &[(Seat, String)]) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        for (seat, key) in keys {
            if let Some((nonce, text)) = self.store.seal(&game.code, game.turn, *seat, key)? {
                lines.push(format!("Seal {key} of seat {seat}: {text:?}, nonce {nonce}."));
            }
        }
        Ok(lines)
    }

    /// Adds the cards of computer players, and those that a computer writes for
    /// players who are absent for too long; gives the latter.
    fn play_for(
        &mut self,
        game: &Game,
        open: &dyn Match,
        cards: &mut BySeat<CardText>,
    ) -> Result<BTreeSet<Seat>> {
        let mut absent = BTreeSet::new();
        let now = self.clock.now();
        for row in self.store.seats(&game.code)? {
            if cards.contains_key(&row.seat) {
                continue;
            }
            if row.has_player() && row.is_away(now) {
                // Somebody on vacation is not absent; his standing orders go on.
                cards.insert(row.seat, CardText::default());
                continue;
            }
            let away = game.takeover > 0 && (row.missed >= game.takeover || row.resigned);
            if !(row.computer || away) {
                continue;
            }
            let mut dice = computer_dice(game.seed, row.seat);
            let card = self.shielded(&game.code, || open.play(row.seat, &mut dice))?;
            // A fallen empire has nothing to order, and neither has an engine
            // without computer players.
            if card.lines.is_empty() {
                continue;
            }
            cards.insert(row.seat, card);
            if row.has_player() {
                absent.insert(row.seat);
            }
        }
        Ok(absent)
    }

    /// A printout for each seat that has a player and can pay for it, with the
    /// fees that they cost.
    pub fn printouts(&mut self, game: &Game, open: &dyn Match, post: &Post) -> Result<Printouts> {
        let (mut mails, mut fees) = (Vec::new(), Vec::new());
        for row in self.store.seats(&game.code)?.iter().filter(|s| s.has_player()) {
            // The first printout and the last are free.
            let costs = game.fee > 0 && game.turn > 1 && game.status != Status::Over;
            if !costs {
                mails.extend(self.printout(game, open, row, post, None)?);
                continue;
            }
            let credit = self.store.credit(&game.code, row.seat)?;
            if credit < game.fee {
                mails.extend(self.unpaid(game, row, credit, post.now));
                continue;
            }
            let sent = self.printout(game, open, row, post, Some(credit - game.fee))?;
            if !sent.is_empty() {
                fees.push((row.seat, fee_of(game, post.now)));
            }
            mails.extend(sent);
        }
        Ok((mails, fees))
    }

    /// The printout of one seat; none for a seat that is out of the game. `credit`
    /// is what is left after the fee, in a game that has one.
    pub fn printout(
        &mut self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        post: &Post,
        credit: Option<i64>,
    ) -> Result<Vec<QueuedMail>> {
        let report = self.shielded(&game.code, || open.report(row.seat, &row.language))?;
        let Some(report) = report else { return Ok(Vec::new()) };
        let seats = self.store.seats(&game.code)?;
        let address = |of: Seat| self.address_of(&seats, of, row.seat);
        let mut text = self.printout_head(game, row, post, credit);
        if let Some(result) = &post.result {
            text += &sections(&[standing(result, &seats)], &address);
        }
        if let Some(section) = post.advance.get(&row.seat) {
            text += &sections(std::slice::from_ref(section), &address);
        }
        text += &with_framed_card(&report.sections, &address, game, row.seat);
        let subject = match (&post.result, post.seed_before) {
            (Some(_), _) => format!("{} is over: the final printout", title(game)),
            (None, None) => format!("{} begins: your first printout", title(game)),
            (None, Some(_)) => format!("your printout, orders due {}", due_day(game, row)),
        };
        // A turn that was taken back and run again has other mails.
        let cause = match game.revision {
            0 => String::new(),
            n => format!("run {}", n + 1),
        };
        let mut attachments = pictures(&post.charts, row.seat)?;
        attachments.extend(self.calendar_file(game, row, post.now));
        let most = self.limits.sent_bytes_max;
        let parts = in_parts(text, attachments, most);
        let count = parts.len();
        let letters = parts.into_iter().enumerate().map(|(i, (text, attachments))| Letter {
            kind: if i == 0 { "printout" } else { "part" },
            to: &row.address,
            turn: game.turn,
            subject: match count {
                1 => subject.clone(),
                _ => format!("{subject} (part {} of {count})", i + 1),
            },
            text,
            attachments,
            answers: None,
            cause: match i {
                0 => cause.clone(),
                _ => format!("{cause} part {}", i + 1),
            },
            reply: None,
        });
        Ok(letters.filter_map(|letter| self.seat_mail(row, letter, post.now)).collect())
    }

    /// The newest printout for somebody who takes a seat over: the same, under an id
    /// of its own.
    pub fn printout_again(
        &mut self,
        game: &Game,
        open: &dyn Match,
        row: &SeatRow,
        post: &Post,
        cause: &str,
    ) -> Result<Vec<QueuedMail>> {
        let mut mails = self.printout(game, open, row, post, None)?;
        for queued in &mut mails {
            let old = queued.mail.message_id.clone();
            let new = self.message_id(&game.code, row.seat, game.turn, "printout", cause);
            let text = String::from_utf8_lossy(&queued.mail.bytes).replacen(&old, &new, 1);
            queued.mail.bytes = text.into_bytes();
            queued.mail.bounce = self.store.key().bounce(&new);
            queued.mail.envelope_from =
                self.identity.detailed(&format!("b.{}", queued.mail.bounce));
            queued.mail.message_id = new;
        }
        Ok(mails)
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
            Contact::Relay => named(&self.alias(&row.game, of, reader)),
            Contact::Hide => "(does not disclose an address; messages reach the seat)".to_owned(),
        }
    }

    /// Cards that were sent in advance for the turn that opens, judged anew: what
    /// each seat is told of its own.
    fn judged_again(
        &mut self,
        game: &Game,
        before: &dyn Match,
        after: &dyn Match,
    ) -> Result<BTreeMap<Seat, Section>> {
        let mut told = BTreeMap::new();
        for (seat, card) in self.store.cards(&game.code, game.turn + 1)? {
            let (old, new) = self
                .shielded(&game.code, || (before.judge(seat, &card), after.judge(seat, &card)))?;
            let row = |line: &JudgedLine| {
                let was = old.lines.iter().find(|o| o.line == line.line && o.text == line.text);
                let same = was.is_some_and(|o| o.mark == line.mark);
                let changed = if same { "" } else { "changed" };
                let mark = match line.mark {
                    Mark::Ok => "ok",
                    Mark::Warning => "ok, but",
                    Mark::Remark => "remark",
                    Mark::Error => "error",
                };
                vec![
                    format!("| {}", line.text),
                    mark.to_owned(),
                    changed.to_owned(),
                    line.note.clone(),
                ]
            };
            let columns = vec![
                ("Line", Align::Left),
                ("Now", Align::Left),
                ("Since", Align::Left),
                ("Note", Align::Left),
            ];
            let rows: Vec<Vec<String>> = new.lines.iter().map(row).collect();
            let changed = rows.iter().filter(|r| !r[2].is_empty()).count();
            let words = format!(
                "You sent a card for this turn in advance; it is on file. Judged by your position \
                 of now, {changed} of its lines came out otherwise than before the turn."
            );
            let blocks = vec![Block::Para(words.into()), Block::Table(Table::new(columns, rows))];
            told.insert(seat, Section { heading: "Your card on file".to_owned(), blocks });
        }
        Ok(told)
    }

    /// What comes in place of a printout that is not paid for.
    fn unpaid(
        &self,
        game: &Game,
        row: &SeatRow,
        credit: i64,
        now: Timestamp,
    ) -> Option<QueuedMail> {
        let mut text = format!("{MARKER}\n\n");
        text += &para(&format!(
            "Turn {} of game {} has run, but your credit is {credit} and a printout costs {}. \
             Your position plays on: standing orders go on, and cards that you send count. As \
             soon as the game master ({}) enters a payment, the printout comes.",
            game.turn - 1,
            game.code,
            game.fee,
            self.gm
        ));
        text += &para(&self.due_line(game, &row.zone, now));
        let letter = Letter {
            kind: "notice",
            to: &row.address,
            turn: game.turn,
            subject: "no credit for your printout".to_owned(),
            text,
            attachments: Vec::new(),
            answers: None,
            cause: "unpaid".to_owned(),
            reply: None,
        };
        self.seat_mail(row, letter, now)
    }

    fn printout_head(
        &self,
        game: &Game,
        seat: &SeatRow,
        post: &Post,
        credit: Option<i64>,
    ) -> String {
        let name = if seat.name.is_empty() { String::new() } else { format!(" ({})", seat.name) };
        let mut out = format!("{MARKER}\n\n");
        out += &para(&format!("Game {}, turn {}, seat {}{name}.", game.code, game.turn, seat.seat));
        if post.result.is_none() {
            out += &para(&self.due_line(game, &seat.zone, post.now));
            out += &para(
                "Answer this mail with your orders, one a line, at the top. An echo with the \
                 judgement of every line comes back at once; a new card replaces the old one. \
                 HELP as the first word explains everything else, RULES sends the rulebook.",
            );
        }
        if let Some(left) = credit {
            let fee = game.fee;
            out += &para(&format!("Your credit is {left} after the fee of {fee} for this turn."));
        }
        if post.played.contains(&seat.seat) {
            let back = match post.result {
                None => " Your next card takes the seat back.",
                Some(_) => "",
            };
            out += &para(&format!(
                "You sent no card for {} turns, so the computer played turn {} for you.{back}",
                seat.missed + 1,
                game.turn - 1
            ));
        }
        if let Some(seed) = post.seed_before {
            let turn = game.turn - 1;
            out += &para(&format!("The seed of turn {turn} was {seed:016x}."));
        }
        if post.result.is_none() {
            out += &format!(
                "SHA-256 of the seed of turn {}:\n{}\n",
                game.turn,
                seed_digest(&game.code, game.turn, game.seed)
            );
        }
        post.notes.iter().for_each(|n| out += &para(n));
        out + "\n"
    }

    /// What the game master hears of a turn.
    fn turn_note(
        &self,
        game: &Game,
        opened: &Game,
        record: &TurnRecord,
        played: &BTreeSet<Seat>,
        printouts: usize,
        now: Timestamp,
    ) -> Result<Option<QueuedMail>> {
        let seats = self.store.seats(&game.code)?;
        let by_computer = |s: &SeatRow| {
            s.computer && record.cards.contains_key(&s.seat) || played.contains(&s.seat)
        };
        let list = |wanted: &dyn Fn(&SeatRow) -> bool| {
            let list: Vec<String> =
                seats.iter().filter(|s| wanted(s)).map(|s| s.seat.to_string()).collect();
            if list.is_empty() { "none".to_owned() } else { list.join(", ") }
        };
        let sent = |s: &SeatRow| record.cards.contains_key(&s.seat);
        let late = match ends(game) {
            Some(d) if now.as_second() - d.as_second() > 600 => format!(
                "It was due {}; the robot could not run before.\n",
                crate::schedule::local(d, &game.rule.zone)
            ),
            _ => String::new(),
        };
        let text = format!(
            "Turn {} of game {} has run.\n{late}Seats with orders: {}\nSeats without: {}\n\
             Played by the computer: {}\nPrintouts: {printouts}\n{}\nState {}\n",
            game.turn,
            game.code,
            list(&|s| sent(s) && !by_computer(s)),
            list(&|s| !sent(s)),
            list(&by_computer),
            self.due_line(opened, &game.rule.zone, now),
            record.hash
        );
        let turn = game.turn.to_string();
        let subject = format!("game {}, turn {turn} has run", game.code);
        Ok(self.gm_mail(&subject, &text, &[&game.code, &turn, "run"], now))
    }
}

/// What comes after a step.
enum Step {
    Done,
    /// The next step follows at once.
    AtOnce,
    /// The game changed while the step ran; nothing of it was kept.
    Stale,
}

/// What printouts say besides the engine's report.
#[derive(Debug, Clone, Default)]
pub struct Post {
    /// The seed of the turn that ran; `None` at the start of a game.
    pub seed_before: Option<u64>,
    /// Opened seals.
    pub notes: Vec<String>,
    /// Players for whom the computer wrote the card.
    pub played: BTreeSet<Seat>,
    /// The final standing, and the charts that go with it.
    pub result: Option<Vec<Score>>,
    pub charts: Vec<Chart>,
    /// Cards that were sent in advance, judged anew.
    pub advance: BTreeMap<Seat, Section>,
    pub now: Timestamp,
}

/// When cards for the open turn end: the deadline and the time of grace.
pub fn ends(game: &Game) -> Option<Timestamp> {
    let grace = jiff::SignedDuration::from_mins(game.terms.grace_minutes.into());
    game.deadline.map(|d| d + grace)
}

/// Printouts, and the fees that they cost.
pub type Printouts = (Vec<QueuedMail>, Vec<(Seat, Entry)>);

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

/// Charts as files, the reader's own line marked.
fn pictures(charts: &[Chart], seat: Seat) -> Result<Vec<Attachment>> {
    let picture = |chart: &Chart| match chart::svg(chart, &[seat]) {
        Ok(svg) => Ok(Attachment {
            name: format!("{}.svg", chart.title.to_lowercase().replace(' ', "-")),
            media: "image/svg+xml",
            bytes: svg.into_bytes(),
        }),
        Err(e) => refuse(e.to_string()),
    };
    charts.iter().map(picture).collect()
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

/// The sections as text, the blank card between a first and a last line by which
/// typed-in orders are found again.
pub(super) fn with_framed_card(
    all: &[Section],
    addresses: Addresses,
    game: &Game,
    seat: Seat,
) -> String {
    let is_card = |s: &Section| s.blocks.iter().any(|b| matches!(b, Block::Card(_)));
    let mut text = String::new();
    for section in all {
        let body = sections(std::slice::from_ref(section), addresses);
        if !is_card(section) {
            text += &body;
            continue;
        }
        let name = format!("{} T{} S{seat}", game.code, game.turn);
        let head = heading(&section.heading);
        let lines = body.strip_prefix(&head).unwrap_or(&body).trim_end();
        text += &format!(
            "{head}{SAFE}---- {CARD_BEGIN} {name} ----\n{lines}\n{SAFE}---- {CARD_END} ----\n"
        );
    }
    text
}

fn title(game: &Game) -> String {
    format!("game {}", game.code)
}

fn due_day(game: &Game, seat: &SeatRow) -> String {
    game.deadline.map_or_else(String::new, |at| crate::schedule::local(at, &seat.zone))
}

/// Hours of a named clock: a game option `NAME_hours`, or the usual ones.
fn hours(game: &Game, clock: &str) -> i64 {
    let option = game.setup.options.get(&format!("{clock}_hours"));
    option.and_then(|h| h.parse().ok()).unwrap_or(SHORT_CLOCK_H)
}

/// The outcome of replaying a game from its journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    pub turn: Turn,
    /// Whether the recomputed turn has the hash of the journal.
    pub same: bool,
}

impl Robot {
    /// Recomputes every turn of a game from its journal and compares hashes.
    /// `progress` hears of each turn that is done.
    ///
    /// # Errors
    /// [`RobotError`] when the journal can't be read.
    pub fn replay(&mut self, code: &str, mut progress: impl FnMut(Turn)) -> Result<Vec<Replayed>> {
        let game = self.game(code)?;
        let engine = self.engine(&game.engine)?;
        let failed = |e: String| RobotError::Engine(game.code.clone(), e);
        let mut saved = None;
        let mut done = Vec::new();
        for record in self.store.turns(&game.code)? {
            if record.rules_version != engine.rules_version() {
                let (old, new) = (record.rules_version, engine.rules_version());
                return refuse(format!(
                    "turn {} was run by rules version {old}, this program has {new}",
                    record.turn
                ));
            }
            let mut dice = Dice::new(record.seed);
            let now = match &saved {
                None => engine
                    .new_game(&game.setup, &mut dice)
                    .map_err(|faults| failed(faults.join("; ")))?,
                Some(before) => {
                    let open = engine.open(before).map_err(|e| failed(e.to_string()))?;
                    open.step(&record.cards, &mut dice).saved
                }
            };
            done.push(Replayed {
                turn: record.turn,
                same: turn_hash(&now, dice.log()) == record.hash && now == record.saved,
            });
            progress(record.turn);
            // From here on with the journal's own state, so that one bad turn is
            // told from all that follow it.
            saved = Some(record.saved);
        }
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c5_a_printout_over_the_limit_goes_in_parts_and_loses_nothing() {
        let text: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let file = |n: usize| Attachment {
            name: "x.svg".into(),
            media: "image/svg+xml",
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
