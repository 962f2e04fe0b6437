//! A due game to one turn: frozen input, one commit, all printouts at once.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::printouts::Post;
use super::{Result, Robot, RobotError, refuse};
use engine::report::{Align, Block, Section, Table};
use engine::trial::computer_dice;
use engine::{BySeat, CardText, Dice, JudgedLine, MAIN_CLOCK, Mark, Match, Seat, Turn};
use store::{Game, NextTurn, QueuedMail, SeatRow, Status, TurnRecord, turn_hash};

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
        for game in self.store.all_games()?.iter() {
            if game.status != Status::Running || !self.is_due(game, now, fetched_since)? {
                continue;
            }
            if self.waits(game, now)? {
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
        let games = self.store.all_games()?;
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
        self.run_turn_until(code, None)
    }

    /// Runs a game's open turn now; the next deadline is the one that is wanted, else that of
    /// the calendar.
    pub(super) fn run_turn_until(&mut self, code: &str, wanted: Option<Timestamp>) -> Result<()> {
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
            again = match self.run_step(&game, wanted)? {
                Step::Done => return Ok(()),
                Step::AtOnce => None,
                Step::Stale => Some(game.turn),
            };
        }
        self.hold(code, "its steps follow each other without end")
    }

    /// Runs one step; the answer says what comes then.
    fn run_step(&mut self, game: &Game, wanted: Option<Timestamp>) -> Result<Step> {
        let now = self.clock.now();
        tracing::debug!(game = game.code, turn = game.turn, "turn begins");
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
        let failed = |e: engine::LoadError| RobotError::Engine(game.code.clone(), e.to_string());
        let (after, awaited, result, charts) = after.map_err(failed)?;
        tracing::debug!(game = game.code, turn = game.turn, "turn decided");
        let over = result.is_some();
        let advance = self.judged_again(game, open.as_ref(), after.as_ref())?;
        let at_once = awaited.seats.is_empty() && !over;
        let deadline = match (over, awaited.clock) {
            (true, _) => None,
            (false, MAIN_CLOCK) => Some(wanted.map_or_else(|| self.following(game, now), Ok)?),
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
        let mut seeds = Vec::new();
        if over {
            seeds = self.store.seeds(&game.code)?;
            seeds.push((game.turn, game.seed));
        }
        let opened_seals = self.opened_seals(game, &outcome.opened)?;
        let post = Post {
            seed_before: Some(game.seed),
            newcomer: false,
            notes: opened_seals,
            played,
            result,
            charts,
            seeds,
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
                base::schedule::local(d, &game.rule.zone)
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

/// When cards for the open turn end: the deadline and the time of grace.
pub fn ends(game: &Game) -> Option<Timestamp> {
    let grace = jiff::SignedDuration::from_mins(game.terms.grace_minutes.into());
    game.deadline.map(|d| d + grace)
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
        let setup = self.store.setup(&game.code)?.unwrap_or_default();
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
                    .new_game(&setup, &mut dice)
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
