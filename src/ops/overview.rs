//! The state of the host at an instant, for everything that shows it.

use jiff::{SignedDuration, Timestamp};

use crate::config::Role;
use base::schedule::later;
use engine::{Seat, Turn, Turns};
use robot::Robot;
use store::{self, GameSummary, HostSummary, MailState, SeatSummary, Status, Verdict, Worker};

pub use store::{MailSummary, OutboxSummary};

/// Mails that are listed.
const MAILS: u32 = 50;
/// Mails of ours that are listed because they did not arrive.
const UNSENT: u32 = 50;
/// Days back in which outages are listed.
const OUTAGE_DAYS: i64 = 14;

/// The state of the host at an instant. It holds no addresses, except where
/// [`OutboxSummary::last_error`] quotes a server's answer.
#[derive(Debug, Clone)]
pub struct Overview {
    /// The instant.
    pub at: Timestamp,
    /// Version of this program.
    pub version: &'static str,
    /// All games, by code.
    pub games: Vec<GameView>,
    /// The newest mails with their verdicts, newest first.
    pub mails: Vec<MailSummary>,
    /// How many mails have each verdict; mails without one wait for it.
    pub verdicts: Vec<(Option<Verdict>, u64)>,
    /// Mails on their way out.
    pub outbox: Outbox,
    /// The newest mails of ours that did not arrive, newest first.
    pub unsent: Vec<OutboxSummary>,
    /// The newest mails that wait for another attempt to send them, newest first.
    pub retried: Vec<OutboxSummary>,
    /// Mails that wait for the game master.
    pub quarantined: u32,
    /// The inboxes that were ever read.
    pub inboxes: Vec<InboxView>,
    /// Times without mail in the last two weeks, oldest first.
    pub outages: Vec<(Timestamp, Timestamp)>,
    /// Turns that ran, in all games.
    pub turns_run: u64,
    /// Bytes of the store's file, or of the database.
    pub store_bytes: u64,
    /// Workers that share the store, by name; empty where nobody shares it.
    pub workers: Vec<Worker>,
}

/// A game as its master sees it.
#[derive(Debug, Clone)]
pub struct GameView {
    /// Code of the game, such as `W7`.
    pub code: String,
    /// Name of the engine in commands.
    pub engine: String,
    /// Name of the engine for readers.
    pub title: String,
    /// Version of the rules that it was begun with.
    pub rules_version: u32,
    /// Version of the rules that this program has; `None`: it has no such engine.
    pub our_rules: Option<u32>,
    /// Whether it is open, runs, is suspended or is over.
    pub status: Status,
    /// Empty while it is not suspended.
    pub suspended_why: String,
    /// The step whose orders are collected; 0 before the start.
    pub turn: Turn,
    /// The turns that this step is part of or plays, as players count them.
    pub turns: Turns,
    /// The name of the open turn; empty if no turn is open.
    pub label: String,
    /// When the open turn is due.
    pub deadline: Option<Timestamp>,
    /// Minutes after the deadline in which cards still count.
    pub grace_minutes: u32,
    /// Time zone of the game.
    pub zone: String,
    /// Players may take seats by mail.
    pub join: bool,
    /// All seats by number, free ones too.
    pub seats: Vec<SeatView>,
}

/// A seat as the game master sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatView {
    /// Number of the seat.
    pub seat: Seat,
    /// The name that its player chose; it may hold anything.
    pub name: String,
    /// Its state in the open step.
    pub state: SeatState,
    /// A card is on file for the open turn, whoever plays the seat.
    pub card: bool,
    /// The open turn waits for its card, and a person plays it.
    pub awaited: bool,
    /// Its player is ready for the open turn.
    pub ready: bool,
    /// Its player is on vacation now.
    pub away: bool,
    /// Turns in a row without a card.
    pub missed: u32,
    /// Mails to its player come back.
    pub unreachable: bool,
}

/// The state of a seat in the open step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SeatState {
    /// Nobody has it, or its player left.
    Free,
    /// A computer plays it.
    Computer,
    /// A player, while no turn is open.
    Player,
    /// A player who is ready, with or without a card.
    Ready,
    /// A card is in.
    In,
    /// On vacation, without a card.
    Away,
    /// The open turn does not wait for its card, and none is in.
    NotAwaited,
    /// The open turn waits for its card.
    Missing,
}

impl SeatState {
    /// Its word in every view.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Computer => "computer",
            Self::Player => "player",
            Self::Ready => "ready",
            Self::In => "in",
            Self::Away => "away",
            Self::NotAwaited => "not due",
            Self::Missing => "missing",
        }
    }
}

/// Mails on their way out.
#[derive(Debug, Clone)]
pub struct Outbox {
    /// Numbers by state: `waiting`, `drawing`, `sent`, `failed`, `bounced`, `suppressed`.
    pub states: Vec<(MailState, u64)>,
    /// When the oldest mail was written that has not left.
    pub oldest: Option<Timestamp>,
    /// When the next one is due.
    pub next_send: Option<Timestamp>,
    /// Since when nothing is sent, because the server refuses all recipients.
    pub held: Option<Timestamp>,
}

/// An inbox and when it last answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InboxView {
    /// The name in `[inbox.NAME]`.
    pub name: String,
    /// When it was last read, to the minute.
    pub last_read: Timestamp,
}

impl Overview {
    /// The host as its store has it at `now`: one consistent read, which loads no game.
    ///
    /// # Errors
    /// [`store::StoreError`] as the store gives it.
    pub fn of(robot: &Robot, now: Timestamp) -> store::Result<Self> {
        let since = now - SignedDuration::from_hours(24 * OUTAGE_DAYS);
        let span = store::SummaryLimits { mails: MAILS, unsent: UNSENT, since };
        let summary = robot.store.summary(span)?;
        let games = games(robot, &summary, now);
        let inbox = |(name, last_read)| InboxView { name, last_read };
        Ok(Self {
            at: now,
            version: env!("CARGO_PKG_VERSION"),
            games,
            mails: summary.mails,
            verdicts: summary.verdicts,
            outbox: Outbox {
                states: summary.outbox,
                oldest: summary.oldest_waiting,
                next_send: summary.next_send,
                held: robot.store.sending_held()?.map(|held| held.since),
            },
            unsent: summary.unsent,
            retried: summary.retried,
            quarantined: summary.quarantined,
            inboxes: summary.reads.into_iter().map(inbox).collect(),
            outages: summary.outages,
            turns_run: summary.turns_run,
            store_bytes: summary.bytes,
            workers: summary.workers,
        })
    }

    /// Roles that no living worker has, where workers share the store: that work is not done.
    pub fn roles_missing(&self) -> Vec<&'static str> {
        match self.workers.is_empty() {
            true => Vec::new(),
            false => Role::missing(&self.workers, self.at),
        }
    }

    /// A game by its code.
    pub fn game(&self, code: &str) -> Option<&GameView> {
        self.games.iter().find(|g| g.code.eq_ignore_ascii_case(code))
    }

    /// How many games have a status.
    pub fn with_status(&self, status: Status) -> usize {
        self.games.iter().filter(|g| g.status == status).count()
    }
}

/// States of mails of ours that did not arrive.
pub const LOST: [MailState; 3] = [MailState::Failed, MailState::Bounced, MailState::Suppressed];

impl Outbox {
    /// How many mails are in a state.
    pub fn count(&self, state: MailState) -> u64 {
        self.states.iter().filter(|s| s.0 == state).map(|s| s.1).sum()
    }

    /// How many mails have not left yet.
    pub fn waiting(&self) -> u64 {
        self.count(MailState::Waiting) + self.count(MailState::Drawing)
    }

    /// How many mails did not arrive.
    pub fn unsent(&self) -> u64 {
        LOST.iter().map(|s| self.count(*s)).sum()
    }

    /// How long the oldest mail waits at `now`.
    pub fn oldest_age(&self, now: Timestamp) -> SignedDuration {
        self.oldest.map_or(SignedDuration::ZERO, |at| since(at, now))
    }
}

impl InboxView {
    /// How long ago it was last read.
    pub fn age(&self, now: Timestamp) -> SignedDuration {
        since(self.last_read, now)
    }
}

impl GameView {
    /// Whether it takes cards.
    pub fn is_open_turn(&self) -> bool {
        self.turn > 0 && matches!(self.status, Status::Running | Status::Suspended)
    }

    /// Seats in a state, by number.
    pub fn seats_that(&self, state: SeatState) -> impl Iterator<Item = &SeatView> {
        self.seats.iter().filter(move |s| s.state == state)
    }

    /// How many cards of persons the open turn waits for, including those that are in.
    pub fn awaited(&self) -> usize {
        self.seats.iter().filter(|s| s.awaited).count()
    }

    /// How many seats a player or a computer has.
    pub fn taken(&self) -> usize {
        self.seats.iter().filter(|s| s.state != SeatState::Free).count()
    }

    /// How many of the awaited cards are in.
    pub fn cards_in(&self) -> usize {
        self.seats.iter().filter(|s| s.card && s.awaited).count()
    }

    /// How long ago at `now` its deadline and grace ended, if its turn has not run yet.
    pub fn late(&self, now: Timestamp) -> SignedDuration {
        match (self.status, self.deadline) {
            (Status::Running, Some(at)) => {
                since(later(at, SignedDuration::from_mins(self.grace_minutes.into())), now)
            }
            _ => SignedDuration::ZERO,
        }
    }
}

/// The time from an instant to a later one.
fn since(at: Timestamp, now: Timestamp) -> SignedDuration {
    now.duration_since(at).max(SignedDuration::ZERO)
}

fn games(robot: &Robot, summary: &HostSummary, now: Timestamp) -> Vec<GameView> {
    // Games, seats and cards are in the same order, so each is gone through once.
    let (mut seats, mut cards) = (summary.seats.as_slice(), summary.cards.as_slice());
    let mut views = Vec::with_capacity(summary.games.len());
    for game in &summary.games {
        let own = take(&mut seats, |s| s.game.as_str().cmp(&game.code));
        let filed = take(&mut cards, |c| c.0.as_str().cmp(&game.code));
        let engine = engine::find(robot.engines(), &game.engine);
        let view = |n: u8| seat(game, Seat(n), own, filed, now);
        views.push(GameView {
            code: game.code.clone(),
            engine: game.engine.clone(),
            title: engine.map_or_else(|| game.engine.clone(), |e| e.title().to_owned()),
            rules_version: game.rules_version,
            our_rules: engine.map(|e| e.rules_version()),
            status: game.status,
            suspended_why: game.suspended_why.clone(),
            turn: game.turn,
            turns: game.step.turns,
            label: game.step.label.clone(),
            deadline: game.step.due_at,
            grace_minutes: game.grace_minutes,
            zone: game.zone.clone(),
            join: game.join,
            seats: (1..=game.seats).map(view).collect(),
        });
    }
    views
}

/// Takes the rows of a game off the front of all rows.
fn take<'a, T>(rows: &mut &'a [T], order: impl Fn(&T) -> std::cmp::Ordering) -> &'a [T] {
    let from = rows.partition_point(|r| order(r).is_lt());
    let to = rows.partition_point(|r| order(r).is_le());
    let own = &rows[from..to];
    *rows = &rows[to..];
    own
}

fn seat(
    game: &GameSummary,
    number: Seat,
    rows: &[SeatSummary],
    cards: &[(String, Seat)],
    now: Timestamp,
) -> SeatView {
    let row = rows.binary_search_by_key(&number, |r| r.seat).ok().map(|i| &rows[i]);
    let card = cards.binary_search_by_key(&number, |c| c.1).is_ok();
    let away = row.and_then(|r| r.away).is_some_and(|(from, until)| from <= now && now < until);
    let ready = game.turn > 0 && row.is_some_and(|r| r.ready == game.turn);
    let open = game.turn > 0 && matches!(game.status, Status::Running | Status::Suspended);
    let state = match row {
        None => SeatState::Free,
        Some(r) if r.resigned => SeatState::Free,
        Some(r) if r.computer => SeatState::Computer,
        Some(_) if !open => SeatState::Player,
        Some(_) if ready => SeatState::Ready,
        Some(_) if card => SeatState::In,
        Some(_) if !game.step.awaits(number) => SeatState::NotAwaited,
        Some(_) if away => SeatState::Away,
        Some(_) => SeatState::Missing,
    };
    SeatView {
        seat: number,
        name: row.map(|r| r.name.clone()).unwrap_or_default(),
        state,
        card,
        awaited: ![SeatState::Free, SeatState::Computer].contains(&state)
            && game.step.awaits(number),
        ready,
        away,
        missed: row.map_or(0, |r| r.missed),
        unreachable: row.is_some_and(|r| r.unreachable),
    }
}
