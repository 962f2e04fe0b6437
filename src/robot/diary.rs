//! War diaries: the first sentences of each turn, made from the journal.
//!
//! The journal keeps state and events of every step, so nothing more is stored: a diary is made
//! when a game is over, by the same functions that made the headlines then. So games that began
//! before there were headlines have one too, a turn that was taken back is in none, and what a
//! player goes by now is what it is signed with.

use engine::report::{Line, Span};
use engine::{Match, Seat, Turn};
use store::{Game, Reader, SeatRow};

use crate::context::{Context, Result};
use crate::games::Games;
use crate::mailer::step_name;

/// Sentences of a seat's diary for each step.
const OWN: usize = 2;
/// Sentences of the public diary for each step.
const PUBLIC: usize = 3;

/// Steps that had something to tell, each with its name as the store has it.
pub type Diary = Vec<(String, Vec<Line>)>;

/// The diaries of some seats of a game whose last step has just run, each in the language of its
/// player; `last` is the game after it, which may not be in the store yet.
///
/// # Errors
/// [`crate::RobotError`] when the store fails, or an engine does.
pub fn of_seats(
    cx: &Context,
    store: &Reader,
    (game, last): (&Game, &dyn Match),
    rows: &[&SeatRow],
) -> Result<Vec<(Seat, Diary)>> {
    let mut diaries: Vec<(Seat, Diary)> = rows.iter().map(|r| (r.seat, Diary::new())).collect();
    each_step(cx, store, (game, Some(last)), 1, |label, open| {
        for (row, (_, diary)) in rows.iter().zip(&mut diaries) {
            let news = || open.headline(row.seat).news(OWN).to_vec();
            let news = cx.in_language(&row.language, news);
            if !news.is_empty() {
                diary.push((label.to_owned(), news));
            }
        }
    })?;
    Ok(diaries)
}

/// The diary of a seat over the last steps, at most so many, the oldest first; `now` is the game
/// as it is.
///
/// # Errors
/// [`crate::RobotError`] when the store fails, or an engine does.
pub fn lately(
    cx: &Context,
    store: &Reader,
    (game, now): (&Game, &dyn Match),
    seat: Seat,
    most: u32,
) -> Result<Diary> {
    let mut diary = Diary::new();
    let first = game.turn.saturating_sub(most).max(1);
    each_step(cx, store, (game, Some(now)), first, |label, open| {
        let headline = open.headline(seat);
        // A quiet turn is told by how things stood.
        let mut told = match headline.news(OWN) {
            [] => headline.sentences.iter().take(1).cloned().collect(),
            news => news.to_vec(),
        };
        // What happened in a turn is told once, although others move after it.
        if let Some((_, before)) = diary.last().filter(|(last, _)| turn_of(last) == turn_of(label))
        {
            told.retain(|line| !before.contains(line));
        }
        if !told.is_empty() {
            diary.push((label.to_owned(), told));
        }
    })?;
    Ok(diary)
}

/// What a label says of the turn, without who moves: `turns 1 to 6` of `turns 1 to 6, player 2`.
fn turn_of(label: &str) -> &str {
    label.rsplit_once(", ").map_or(label, |(turn, _)| turn)
}

/// The diary of a game that is over, as everybody may read it.
///
/// # Errors
/// [`crate::RobotError`] when the store fails, or an engine does.
pub fn public(cx: &Context, store: &Reader, game: &Game) -> Result<Diary> {
    let mut diary = Diary::new();
    each_step(cx, store, (game, None), 1, |label, open| {
        let mut told = open.chronicle();
        told.truncate(PUBLIC);
        if !told.is_empty() {
            diary.push((label.to_owned(), told));
        }
    })?;
    Ok(diary)
}

/// Looks at a game after each of its steps. A step that an older program saved in another form is
/// left out.
fn each_step(
    cx: &Context,
    store: &Reader,
    (game, last): (&Game, Option<&dyn Match>),
    first: Turn,
    mut look: impl FnMut(&str, &dyn Match),
) -> Result<()> {
    let games = Games::new(cx, store);
    let engine = games.engine(&game.engine)?;
    for turn in first..game.turn {
        let label = store.steps().step_label(&game.code, turn)?;
        if let Some(last) = last.filter(|_| turn + 1 == game.turn) {
            games.shielded(&game.code, || look(&label, last))?;
            continue;
        }
        let Some(saved) = store.journal().saved(&game.code, turn)? else { continue };
        let Ok(open) = engine.open(&saved) else { continue };
        games.shielded(&game.code, || look(&label, open.as_ref()))?;
    }
    Ok(())
}

/// A diary as lines, one a step.
pub fn lines(diary: &Diary) -> Vec<Line> {
    let line = |(label, sentences): &(String, Vec<Line>)| {
        let mut spans = vec![Span::Plain(format!("{}:", base::text::capital(&step_name(label))))];
        for sentence in sentences {
            spans.push(Span::Plain(" ".to_owned()));
            spans.extend(sentence.0.iter().cloned());
        }
        Line(spans)
    };
    diary.iter().map(line).collect()
}
