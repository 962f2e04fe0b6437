//! From a due step to one run of its engine: frozen input, and one commit with everything that it
//! causes.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base::chain::{Chain, Value, digest_of, extended};
use engine::dice::Roll;
use engine::report::{Align, Block, Section, Table};
use engine::trial::computer_dice;
use engine::{
    BySeat, CardText, Chart, Dice, Engine, Input, JudgedLine, Judgement, LoadError, Match,
    NOTES_MAX, Outcome, Score, Seal, Seat, Sits, Turn, Until, Wait,
};
use jiff::Timestamp;
use store::{
    Game, MailKind, NextTurn, OpenedSeal, QueuedMail, Reader, SeatRow, Status, Step, Told,
    TurnRecord, turn_hash,
};
use tongue::{count, say, word};

use crate::context::{Context, Result, RobotError};
use crate::diary;
use crate::game_file::whole;
use crate::games::Games;
use crate::mailer::Mailer;
use crate::printouts::{Printer, PrintoutExtras, SealNote};
use crate::seeds::{Secret, all_public, placed};
use crate::steps;
use crate::unread;

/// Runs steps, but commits none.
#[derive(Clone, Copy)]
pub struct Turns<'a> {
    cx: &'a Context,
    store: &'a Reader,
}

/// A step that was run in memory: what its commit writes.
#[derive(Debug, Clone)]
pub struct Ran {
    /// For the journal.
    pub record: TurnRecord,
    /// Its rolls.
    pub rolls: Vec<Roll>,
    /// The step that opens.
    pub next: NextTurn,
    /// Printouts, short mails, and the mail to the game master.
    pub mails: Vec<QueuedMail>,
}

/// Cards of a step, with those that computers wrote.
#[derive(Default)]
struct Cards {
    /// All of them.
    all: BySeat<CardText>,
    /// Players for whom the computer wrote the card.
    played: BTreeSet<Seat>,
    /// The notes of the computers.
    notes: BySeat<String>,
    /// The seals of the computers' cards.
    seals: Vec<OpenedSeal>,
}

/// A step that has run, and its inputs.
struct Played {
    /// The game before it.
    open: Arc<dyn Match>,
    on_file: BySeat<CardText>,
    cards: Cards,
    /// Players who had sent nothing by its deadline.
    missed: Vec<Seat>,
    /// Players who sent a card, or said that they are ready.
    present: Vec<Seat>,
    seats: BySeat<Sits>,
    dice_seed: u64,
    dice: Dice,
    outcome: Outcome,
}

/// The sources of a game's dice: the seed of each step, and the values of its chains.
type Drawn = (Vec<(Turn, u64)>, Vec<(Turn, Value)>);

/// A game as a step left it.
struct After {
    open: Box<dyn Match>,
    /// What its next step waits for.
    wait: Wait,
    /// How it ended; `None`: it goes on.
    result: Option<Vec<Score>>,
    /// Its course, once it is over.
    charts: Vec<Chart>,
}

/// Cards that were sent in advance for the step that opens, judged by the position that it
/// opens with.
#[derive(Default)]
struct InAdvance {
    /// Each card, and whether it says that its sender is done.
    cards: BySeat<(CardText, bool)>,
    /// For each seat, the section about its own card.
    told: BTreeMap<Seat, Section>,
}

impl<'a> Turns<'a> {
    /// A runner of steps over a store.
    pub fn new(cx: &'a Context, store: &'a Reader) -> Self {
        Self { cx, store }
    }

    fn games(&self) -> Games<'a> {
        Games::new(self.cx, self.store)
    }

    fn mailer(&self) -> Mailer<'a> {
        Mailer::new(self.cx, self.store)
    }

    /// Runs a game's open step in memory. `wanted` is a next deadline that replaces the calendar's
    /// own.
    ///
    /// # Errors
    /// [`RobotError::Engine`] when the engine fails: the game is to be suspended.
    pub fn decide(&self, game: &Game, wanted: Option<Timestamp>) -> Result<Ran> {
        let now = self.cx.now();
        let engine = self.games().engine(&game.engine)?;
        let Played { open, on_file, cards, missed, present, seats, dice_seed, dice, outcome } =
            self.played(game, engine, now)?;
        let After { open: after, wait, result, charts } = self.after(game, engine, &outcome)?;
        tracing::debug!(game = game.code, turn = game.turn, "step decided");
        let over = result.is_some();
        let (seals, notes) = self.opened_seals(game, &outcome, &cards.seals, over)?;
        let opened = self.opened(game, wait, over, (wanted, now))?;
        let (seeds, values) = match over && engine.has_dice() {
            true => self.all_seeds(game, &opened.chains, dice_seed)?,
            false => Default::default(),
        };
        let advance = self.judged_again(game, (open.as_ref(), after.as_ref()), &outcome)?;
        let diaries = if over { self.diaries(&opened, after.as_ref())? } else { Vec::new() };
        let printer = Printer::new(self.cx, self.store);
        let reports = printer.reports(&opened, after.as_ref())?;
        let record = TurnRecord {
            turn: game.turn,
            rules_version: game.rules_version,
            seed: dice_seed,
            hash: turn_hash(&outcome.saved, dice.log()),
            cards: cards.all,
            seats,
            notes: cards.notes,
            seals,
            saved: outcome.saved,
            told: Told {
                program: env!("CARGO_PKG_VERSION").to_owned(),
                reports: reports.iter().map(|(s, d)| (*s, d.clone())).collect(),
            },
        };
        let file = match over {
            true => whole(self.cx, self.store, &opened, Some(&record))?.unwrap_or_default(),
            false => String::new(),
        };
        let post = PrintoutExtras {
            seed_before: Some(dice_seed).filter(|_| engine.tells_seeds(game.rules_version)),
            newcomer: false,
            notes,
            played: cards.played,
            unread: unread::of_turn(self.store, &game.code, game.turn)?,
            result,
            charts,
            seeds,
            values,
            file: file.into(),
            reports,
            diaries,
            now,
            advance: advance.told,
            sealed: cards.seals.clone(),
        };
        let (mut mails, fees) = printer.printouts(&opened, after.as_ref(), &post)?;
        // The game master gets no mail for each move of a game with alternate moves, and none about
        // practice games.
        let many = game.step.awaited.len() > 1;
        let told = over || many || !missed.is_empty() || !post.played.is_empty();
        if told && !game.terms.practice {
            let sent = mails.iter().filter(|m| m.kind == MailKind::Printout).count();
            mails.extend(self.turn_note(game, &opened, &record, &post.played, sent, now)?);
        }
        let next = NextTurn {
            step: opened.step,
            seed: opened.seed,
            chains: opened.chains,
            status: opened.status,
            carried: outcome.carried,
            in_advance: advance.cards,
            sealed: cards.seals,
            fees,
            on_file,
            missed,
            present,
        };
        Ok(Ran { record, rolls: dice.log().to_vec(), next, mails })
    }

    /// Runs the open step of a game with the cards on file.
    fn played(&self, game: &Game, engine: &dyn Engine, now: Timestamp) -> Result<Played> {
        tracing::debug!(game = game.code, turn = game.turn, "step begins");
        let open = self.games().open(game)?;
        let on_file = self.store.journal().cards(&game.code, game.turn)?;
        let secret = Secret::of(game)?;
        let cards = self.cards(game, (open.as_ref(), &secret), &on_file, now)?;
        let missed = self.missed(game, now)?;
        let present = self.present(game)?;
        let seats = self.seats(game, &cards, &missed, &present)?;
        let letters = self.games().shielded(&game.code, || open.press())?;
        let made = placed(&all_public(&cards.all, letters), &seats);
        let dice_seed = secret.dice(&digest_of(&made));
        let mut dice = engine.dice(game.rules_version, dice_seed);
        let input = Input { cards: &cards.all, seats: &seats };
        let outcome = self.games().shielded(&game.code, || open.step(&input, &mut dice))?;
        Ok(Played { open, on_file, cards, missed, present, seats, dice_seed, dice, outcome })
    }

    /// The game with its next step, or with none when it is over.
    fn opened(
        &self,
        game: &Game,
        wait: Wait,
        over: bool,
        (wanted, now): (Option<Timestamp>, Timestamp),
    ) -> Result<Game> {
        let number = game.turn + 1;
        let step = match over {
            true => {
                let (label, turns) = (wait.label, wait.turns);
                Step { number, turns, label, opened_at: now, ..Step::none() }
            }
            false => steps::opened(self.store, game, number, wait, wanted, now)?,
        };
        let chains = extended(&game.chains, number);
        Ok(Game {
            turn: number,
            // A game with chains draws no seeds while it is played.
            seed: if chains.is_empty() { self.cx.word() } else { 0 },
            chains,
            status: if over { Status::Over } else { Status::Running },
            deadline: step.due_at,
            step,
            ..game.clone()
        })
    }

    /// A game as a step left it.
    fn after(&self, game: &Game, engine: &dyn Engine, outcome: &Outcome) -> Result<After> {
        let after = self.games().shielded(&game.code, || {
            let open = engine.open(&outcome.saved)?;
            let (wait, result) = (open.wait(), open.result());
            let charts = if result.is_some() { open.charts() } else { Vec::new() };
            Ok(After { open, wait, result, charts })
        })?;
        after.map_err(|e: LoadError| RobotError::Engine(game.code.clone(), e.to_string()))
    }

    /// Every seed of a game, with `last` for its last step, and every value of its chains.
    fn all_seeds(&self, game: &Game, chains: &[Chain], last: u64) -> Result<Drawn> {
        let mut seeds = self.store.journal().seeds(&game.code)?;
        seeds.push((game.turn, last));
        Ok((seeds, base::chain::values(chains, game.turn)))
    }

    /// The war diaries of all who get a last printout.
    fn diaries(&self, over: &Game, last: &dyn Match) -> Result<Vec<(Seat, diary::Diary)>> {
        let rows = self.store.games().seats(&over.code)?;
        let players: Vec<&SeatRow> = rows.iter().filter(|r| r.has_player()).collect();
        diary::of_seats(self.cx, self.store, (over, last), &players)
    }

    /// How each seat of the game sits. A player who is absent has missed the turns that the seat's
    /// row counts, and this one if it is in `missed`.
    fn seats(
        &self,
        game: &Game,
        cards: &Cards,
        missed: &[Seat],
        present: &[Seat],
    ) -> Result<BySeat<Sits>> {
        let rows = self.store.games().seats(&game.code)?;
        let person = |row: &SeatRow| match present.contains(&row.seat) {
            true => Sits::Player,
            // With a card that a computer wrote, the seat counts as played by its player.
            false if cards.played.contains(&row.seat) => Sits::Player,
            false => Sits::Absent(row.missed + u32::from(missed.contains(&row.seat))),
        };
        let sits = |n: u8| match rows.iter().find(|r| r.seat.0 == n) {
            Some(row) if row.computer || row.resigned && game.takeover > 0 => Sits::Computer,
            Some(row) if row.has_player() => person(row),
            _ => Sits::Left,
        };
        Ok((1..=game.setup.seats).map(|n| (Seat(n), sits(n))).collect())
    }

    /// Seats whose players sent a card for the open step, or said that they are ready.
    fn present(&self, game: &Game) -> Result<Vec<Seat>> {
        let sent = self.store.journal().mailed_cards(&game.code, game.turn)?;
        let here = |row: &SeatRow| {
            row.has_player() && (sent.contains(&row.seat) || row.ready == game.turn)
        };
        let rows = self.store.games().seats(&game.code)?;
        Ok(rows.iter().filter(|r| here(r)).map(|r| r.seat).collect())
    }

    /// The cards of the step: those on file, those of computer players, and those that a
    /// computer writes for players who are absent for too long.
    fn cards(
        &self,
        game: &Game,
        (open, secret): (&dyn Match, &Secret),
        on_file: &BySeat<CardText>,
        now: Timestamp,
    ) -> Result<Cards> {
        let ordered = self.store.journal().ordered(&game.code, game.turn)?;
        let sent = |seat: Seat| on_file.contains_key(&seat) && ordered.contains_key(&seat);
        let mut cards = Cards {
            all: on_file.clone(),
            notes: self.store.journal().notes(&game.code, game.turn.saturating_sub(1))?,
            ..Cards::default()
        };
        for row in self.store.games().seats(&game.code)? {
            if sent(row.seat) || !game.step.awaits(row.seat) {
                continue;
            }
            if row.has_player() && (row.is_away(now) || row.ready == game.turn) {
                // A player on vacation is not absent, and one who is ready has no orders; the
                // standing orders of both go on.
                cards.all.entry(row.seat).or_default();
                continue;
            }
            let absent = game.takeover > 0 && (row.missed >= game.takeover || row.resigned);
            if !(row.computer || absent) {
                continue;
            }
            let mut dice = computer_dice(secret.computers(), row.seat);
            let notes = cards.notes.remove(&row.seat).unwrap_or_default();
            let play = || open.play(row.seat, &notes, &mut dice);
            let play = self.games().shielded(&game.code, play)?;
            if play.notes.len() > NOTES_MAX {
                tracing::warn!(game = game.code, seat = row.seat.0, "notes too long, dropped");
            } else if !play.notes.is_empty() {
                cards.notes.insert(row.seat, play.notes);
            }
            // A fallen empire has nothing to order, and an engine without computer players writes
            // no cards.
            if play.card.lines.is_empty() {
                continue;
            }
            let carried = cards.all.remove(&row.seat).unwrap_or_default();
            let card = carried.followed_by(&play.card);
            cards.seals.extend(self.seals_of(game, open, row.seat, &card)?);
            cards.all.insert(row.seat, card);
            if row.has_player() {
                cards.played.insert(row.seat);
            }
        }
        Ok(cards)
    }

    /// The seals of a computer's card, with nonces: other players see their digests, as they see
    /// those of a person.
    fn seals_of(
        &self,
        game: &Game,
        open: &dyn Match,
        seat: Seat,
        card: &CardText,
    ) -> Result<Vec<OpenedSeal>> {
        let judged = self.games().shielded(&game.code, || open.judge(seat, card, 0))?;
        let sealed =
            |s: Seal| OpenedSeal { seat, key: s.key, nonce: self.cx.nonce(), text: s.text };
        Ok(judged.seals.into_iter().map(sealed).collect())
    }

    /// Players who were awaited, had the step's whole time, and sent nothing. In a step of the
    /// calendar, a player who was silent before stays so, even if the game no longer awaits that
    /// player.
    pub(crate) fn missed(&self, game: &Game, now: Timestamp) -> Result<Vec<Seat>> {
        let whole = steps::ends(game).is_some_and(|end| end <= now)
            && game.step.whole_at.is_none_or(|at| at <= now);
        if !whole || game.step.until == Until::Now {
            return Ok(Vec::new());
        }
        let sent = self.store.journal().mailed_cards(&game.code, game.turn)?;
        let was_silent = |row: &SeatRow| row.missed > 0 && game.step.until == Until::Calendar;
        let missed = |row: &SeatRow| {
            row.has_player()
                && (game.step.awaits(row.seat) || was_silent(row))
                && !row.is_away(now)
                && row.ready != game.turn
                && !sent.contains(&row.seat)
                // A player who took the seat while the step was open had only a part of its time.
                && row.since < game.turn
        };
        let rows = self.store.games().seats(&game.code)?;
        Ok(rows.iter().filter(|r| missed(r)).map(|r| r.seat).collect())
    }

    /// The seals that a step opens, with lines for its printouts: those that the engine asks
    /// for, and all that are left when the game is over.
    fn opened_seals(
        &self,
        game: &Game,
        outcome: &Outcome,
        of_computers: &[OpenedSeal],
        over: bool,
    ) -> Result<(Vec<OpenedSeal>, Vec<SealNote>)> {
        let (mut opened, mut lines) = (Vec::new(), Vec::new());
        for (seat, key) in &outcome.opened {
            let new = of_computers.iter().find(|s| s.seat == *seat && s.key == *key).cloned();
            let found = match new {
                Some(new) => Some(new),
                None => self.store.journal().seal(&game.code, game.turn, *seat, key)?,
            };
            match found {
                Some(seal) => opened.push(seal),
                None => {
                    tracing::error!(game = game.code, seat = seat.0, "a seal that was not filed");
                    lines.push(SealNote::Missing(*seat, key.clone()));
                }
            }
        }
        if over {
            let mut left = self.store.journal().closed_seals(&game.code)?;
            left.extend(of_computers.iter().cloned());
            opened.extend(left.into_iter().filter(|s| !opened.contains(s)).collect::<Vec<_>>());
        }
        lines.extend(opened.iter().cloned().map(SealNote::Opened));
        Ok((opened, lines))
    }

    /// The section about a card that was sent in advance: its lines as judged before and after the
    /// step.
    fn told_again(old: &Judgement, new: &Judgement) -> Section {
        let row = |line: &JudgedLine| {
            let was = old.lines.iter().find(|o| o.line == line.line && o.text == line.text);
            let same = was.is_some_and(|o| o.mark == line.mark);
            let changed = if same { String::new() } else { say!("changed") };
            vec![
                format!("| {}", line.text),
                word(line.mark.as_str()).into_owned(),
                changed,
                line.note.clone(),
            ]
        };
        let columns = vec![
            (say!("Line"), Align::Left),
            (say!("Now"), Align::Left),
            (say!("Since"), Align::Left),
            (say!("Note"), Align::Left),
        ];
        let rows: Vec<Vec<String>> = new.lines.iter().map(row).collect();
        let changed = rows.iter().filter(|r| !r[2].is_empty()).count();
        let words = count!(
            changed,
            both: "You sent a card for this turn in advance; it is on file. Judged by your position \
             of now, {changed} of its lines came out otherwise than before the turn."
        );
        let blocks = vec![Block::Para(words.into()), Block::Table(Table::new(columns, rows))];
        Section { heading: say!("Your card on file"), blocks }
    }

    /// Cards that were sent in advance for the step that opens, judged again, each with the lines
    /// that are carried to it.
    fn judged_again(
        &self,
        game: &Game,
        (before, after): (&dyn Match, &dyn Match),
        outcome: &Outcome,
    ) -> Result<InAdvance> {
        let mut advance = InAdvance::default();
        let rows = self.store.games().seats(&game.code)?;
        let languages: BTreeMap<Seat, String> =
            rows.into_iter().map(|row| (row.seat, row.language)).collect();
        for (seat, card) in self.store.journal().cards(&game.code, game.turn + 1)? {
            let carried = outcome.carried.get(&seat).map(|lines| CardText::of(lines));
            let whole = carried.unwrap_or_default().followed_by(&card);
            let all = || {
                let done = after.judge(seat, &whole, 0).ready;
                (before.judge(seat, &card, 1), after.judge(seat, &card, 0), done)
            };
            let language = languages.get(&seat).map_or("", String::as_str);
            let said = || {
                let (old, new, done) = all();
                (Self::told_again(&old, &new), done)
            };
            let said = || self.cx.in_language(language, said);
            let (section, done) = self.games().shielded(&game.code, said)?;
            advance.told.insert(seat, section);
            advance.cards.insert(seat, (card, done));
        }
        Ok(advance)
    }

    /// The mail to the game master about a turn.
    fn turn_note(
        &self,
        game: &Game,
        opened: &Game,
        record: &TurnRecord,
        played: &BTreeSet<Seat>,
        printouts: usize,
        now: Timestamp,
    ) -> Result<Option<QueuedMail>> {
        let seats = self.store.games().seats(&game.code)?;
        let by_computer = |s: &SeatRow| {
            s.computer && record.cards.contains_key(&s.seat) || played.contains(&s.seat)
        };
        let list = |wanted: &dyn Fn(&SeatRow) -> bool| {
            let list: Vec<String> =
                seats.iter().filter(|s| wanted(s)).map(|s| s.seat.to_string()).collect();
            if list.is_empty() { "none".to_owned() } else { list.join(", ") }
        };
        // Somebody on vacation has an empty card.
        let sent = |s: &SeatRow| record.cards.get(&s.seat).is_some_and(|c| !c.lines.is_empty());
        let late = match steps::ends(game) {
            Some(d) if now.as_second() - d.as_second() > 600 => format!(
                "It was due {}; the robot could not run before.\n",
                base::schedule::local(d, &game.rule.zone)
            ),
            _ => String::new(),
        };
        let text = format!(
            "Game {} ran {}.\n{late}Seats with orders: {}\nSeats without: {}\n\
             Played by the computer: {}\nPrintouts: {printouts}\n{}\n| State {}\n",
            game.code,
            game.step.label,
            list(&|s| sent(s) && !by_computer(s)),
            list(&|s| !sent(s) && game.step.awaits(s.seat)),
            list(&by_computer),
            self.mailer().due_line(opened, None, &game.rule.zone, now),
            record.hash
        );
        let turn = game.turn.to_string();
        let subject = format!("game {} ran {}", game.code, game.step.label);
        Ok(self.mailer().gm_mail(&subject, &text, &[&game.code, &turn, "run"], now))
    }
}

/// Writes into the log that a step has run.
pub fn log(game: &Game, ran: &Ran) {
    let (cards, printouts) = (ran.record.cards.len(), ran.mails.len());
    tracing::info!(game = game.code, turn = game.turn, cards, printouts, "turn run");
}
