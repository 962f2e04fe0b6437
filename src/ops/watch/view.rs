//! What the game master has chosen to see, and what keys do.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::widgets::TableState;

use super::look::Look;
use crate::ops::overview::{GameView, MailSummary, OutboxSummary};
use store::Verdict;

/// How long a verdict is marked as new.
const NEW: SignedDuration = SignedDuration::from_secs(8);

/// Parts of the screen that keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// All games.
    Games,
    /// The newest mails with their verdicts.
    Verdicts,
    /// Mails of ours that did not leave or arrive.
    Outbox,
    /// Mails that wait for the game master.
    Quarantine,
}

/// What fills the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// Games, verdicts and the outbox.
    Host,
    /// The seats of the game that is chosen.
    Seats,
    /// What keys do.
    Help,
}

/// A list with one line chosen by its key, so that it stays chosen when others come.
#[derive(Debug, Clone)]
pub struct List<K> {
    /// `None`: the line at the list's usual place, whichever it is.
    chosen: Option<K>,
    /// The place of the chosen line.
    pub at: usize,
    /// Lines of the list.
    pub len: usize,
    /// Lines that were shown when it was last drawn.
    pub rows: usize,
    /// The drawing library's state of the list.
    pub table: TableState,
}

impl<K> Default for List<K> {
    fn default() -> Self {
        Self { chosen: None, at: 0, len: 0, rows: 0, table: TableState::new() }
    }
}

impl<K: PartialEq + Clone> List<K> {
    /// Finds the chosen line among the lines that there are now. `rest` is the list's usual place,
    /// for when no line is chosen or the chosen one has gone.
    fn settle(&mut self, keys: &[K], rest: usize) {
        self.len = keys.len();
        let found = self.chosen.as_ref().and_then(|c| keys.iter().position(|k| k == c));
        self.at = found.unwrap_or(rest).min(self.len.saturating_sub(1));
    }

    /// Goes to another line; a line at the list's usual place does not stay chosen.
    fn go(&mut self, keys: &[K], by: isize, rest: usize) {
        let last = keys.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
        self.chosen = keys.get(self.at).filter(|_| self.at != rest).cloned();
    }
}

/// The screen's state.
#[derive(Debug, Clone)]
pub struct View {
    /// What there is to see.
    pub look: Look,
    /// What fills the screen.
    pub page: Page,
    /// The part that has the keys.
    pub pane: Pane,
    /// The list of games, by code.
    pub games: List<String>,
    /// The list of verdicts, by number of the mail.
    pub verdicts: List<i64>,
    /// The list of mails that did not leave or arrive, by number.
    pub outbox: List<i64>,
    /// The list of mails that wait for the game master, by number.
    pub quarantined: List<i64>,
    /// First line of the seats or of the help that is shown.
    pub scroll: usize,
    /// How many lines of the seats or of the help are shown.
    pub scroll_rows: usize,
    /// Why the last look failed.
    pub lost: Option<String>,
    /// Without keys and choice, for a snapshot.
    pub is_still: bool,
    /// Verdicts that were seen, and when they were new.
    seen: BTreeMap<i64, (Option<Verdict>, Option<Timestamp>)>,
}

impl View {
    /// The first view of a host.
    pub fn new(look: Look) -> Self {
        let seen = look.host.mails.iter().map(|m| (m.id, (m.verdict, None))).collect();
        let mut view = Self {
            look,
            page: Page::Host,
            pane: Pane::Games,
            games: List::default(),
            verdicts: List::default(),
            outbox: List::default(),
            quarantined: List::default(),
            scroll: 0,
            scroll_rows: 0,
            lost: None,
            is_still: false,
            seen,
        };
        view.settle();
        view
    }

    /// Leaves out what only serves keys.
    pub fn still(&mut self) {
        self.is_still = true;
    }

    /// Takes a look that succeeded.
    pub fn see(&mut self, look: Look) {
        let mut seen = BTreeMap::new();
        for mail in &look.host.mails {
            let news = match self.seen.get(&mail.id) {
                Some((verdict, news)) if *verdict == mail.verdict => *news,
                _ => Some(look.at),
            };
            seen.insert(mail.id, (mail.verdict, news));
        }
        (self.seen, self.look, self.lost) = (seen, look, None);
        self.settle();
    }

    /// Keeps what was seen last, and says since when.
    pub fn mark_stale(&mut self, why: String) {
        self.lost = Some(why);
    }

    /// Whether a verdict came within the last seconds.
    pub fn is_new(&self, mail: &MailSummary, now: Timestamp) -> bool {
        let news = self.seen.get(&mail.id).and_then(|s| s.1);
        news.is_some_and(|at| now.duration_since(at).abs() < NEW)
    }

    /// The game that is chosen.
    pub fn game(&self) -> Option<&GameView> {
        self.look.host.games.get(self.games.at)
    }

    /// The verdict that is chosen.
    pub fn verdict(&self) -> Option<&MailSummary> {
        self.look.host.mails.iter().rev().nth(self.verdicts.at)
    }

    /// Mails of ours that did not leave or arrive: those that are tried again first.
    pub fn unsent(&self) -> impl Iterator<Item = &OutboxSummary> {
        self.look.host.retried.iter().chain(&self.look.host.unsent)
    }

    fn settle(&mut self) {
        let keys = Keys::of(self);
        self.games.settle(&keys.games, 0);
        // A chosen game stays chosen when another becomes more urgent.
        self.games.chosen = keys.games.get(self.games.at).cloned();
        self.verdicts.settle(&keys.verdicts, usize::MAX);
        self.outbox.settle(&keys.outbox, 0);
        self.quarantined.settle(&keys.quarantined, 0);
    }

    /// Does what a key says; gives whether the view goes on.
    pub fn event(&mut self, event: &Event) -> bool {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            _ => true,
        }
    }

    fn key(&mut self, key: &KeyEvent) -> bool {
        let page = |rows: usize| isize::try_from(rows.saturating_sub(1).max(1)).unwrap_or(1);
        let shown = match self.page {
            Page::Host => self.rows(),
            Page::Seats | Page::Help => self.scroll_rows,
        };
        match key.code {
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return false,
            KeyCode::Char('q') => return false,
            KeyCode::Esc if self.page == Page::Host => return false,
            KeyCode::Esc | KeyCode::Backspace => self.turn_to(Page::Host),
            KeyCode::Char('?') if self.page == Page::Help => self.turn_to(Page::Host),
            KeyCode::Char('?') => self.turn_to(Page::Help),
            KeyCode::Enter => self.enter(),
            KeyCode::Tab => self.tab(1),
            KeyCode::BackTab => self.tab(3),
            KeyCode::Down | KeyCode::Char('j') => self.go(1),
            KeyCode::Up | KeyCode::Char('k') => self.go(-1),
            KeyCode::PageDown | KeyCode::Char(' ') => self.go(page(shown)),
            KeyCode::PageUp => self.go(-page(shown)),
            KeyCode::Home | KeyCode::Char('g') => self.go(-FAR),
            KeyCode::End | KeyCode::Char('G') => self.go(FAR),
            KeyCode::Right | KeyCode::Char('l') => self.next_game(1),
            KeyCode::Left | KeyCode::Char('h') => self.next_game(-1),
            _ => {}
        }
        true
    }

    /// Lines that the pane with the keys showed last.
    fn rows(&self) -> usize {
        match self.pane {
            Pane::Games => self.games.rows,
            Pane::Verdicts => self.verdicts.rows,
            Pane::Outbox => self.outbox.rows,
            Pane::Quarantine => self.quarantined.rows,
        }
    }

    fn turn_to(&mut self, page: Page) {
        (self.page, self.scroll) = (page, 0);
    }

    /// The seats of the chosen game, or of the game that the chosen verdict is about.
    fn enter(&mut self) {
        if self.page != Page::Host {
            return self.turn_to(Page::Host);
        }
        if self.pane == Pane::Verdicts {
            let code = self.verdict().and_then(|m| m.game.clone());
            let at = code.and_then(|c| self.look.host.games.iter().position(|g| g.code == c));
            let Some(at) = at else { return };
            self.games.at = at;
            self.games.chosen = self.game().map(|g| g.code.clone());
        }
        if self.game().is_some() {
            self.turn_to(Page::Seats);
        }
    }

    fn tab(&mut self, by: usize) {
        const PANES: [Pane; 4] = [Pane::Games, Pane::Verdicts, Pane::Outbox, Pane::Quarantine];
        if self.page != Page::Host {
            return self.turn_to(Page::Host);
        }
        let at = PANES.iter().position(|p| *p == self.pane).unwrap_or(0);
        self.pane = PANES[(at + by) % PANES.len()];
        // Whoever looks elsewhere sees the newest verdicts again.
        if self.pane != Pane::Verdicts {
            self.verdicts.chosen = None;
            self.settle();
        }
    }

    fn next_game(&mut self, by: isize) {
        if self.page != Page::Help {
            let keys = Keys::of(self);
            self.games.go(&keys.games, by, usize::MAX);
            self.scroll = 0;
        }
    }

    fn go(&mut self, by: isize) {
        if self.page != Page::Host {
            // Drawing limits it to the lines that there are.
            self.scroll = self.scroll.saturating_add_signed(by);
            return;
        }
        let keys = Keys::of(self);
        match self.pane {
            Pane::Games => self.games.go(&keys.games, by, usize::MAX),
            Pane::Verdicts => {
                let newest = keys.verdicts.len().saturating_sub(1);
                self.verdicts.go(&keys.verdicts, by, newest);
            }
            Pane::Outbox => self.outbox.go(&keys.outbox, by, 0),
            Pane::Quarantine => self.quarantined.go(&keys.quarantined, by, 0),
        }
    }
}

/// Further than any list goes.
const FAR: isize = 1_000_000;

/// The keys of the lines of each list, in the order of the lines.
struct Keys {
    games: Vec<String>,
    verdicts: Vec<i64>,
    outbox: Vec<i64>,
    quarantined: Vec<i64>,
}

impl Keys {
    fn of(view: &View) -> Self {
        Self {
            games: view.look.host.games.iter().map(|g| g.code.clone()).collect(),
            verdicts: view.look.host.mails.iter().rev().map(|m| m.id).collect(),
            outbox: view.unsent().map(|m| m.id).collect(),
            quarantined: view.look.quarantined.iter().map(|m| m.id).collect(),
        }
    }
}
