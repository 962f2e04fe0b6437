//! War diaries: the first sentences of each turn, made from the journal.
//!
//! The journal keeps the state and events of every step, so nothing more is stored: the functions
//! that write headlines make a diary from the journal when it is needed. So a game that began
//! before there were headlines has a diary too, a turn that was taken back is in none, and a diary
//! is signed with the name that its player has now.

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

/// The steps that have something to report, each with its name from the store.
pub type Diary = Vec<(String, Vec<Line>)>;

/// The diaries of some seats of a game whose last step has just run, each in the language of its
/// player; `last` is the game after that step, which may not be in the store yet.
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

/// The diary of a seat over the last steps, at most `most`, the oldest first; `now` is the game in
/// its present state.
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
        // A turn without news gets a sentence on how things stood.
        let mut told = match headline.news(OWN) {
            [] => headline.sentences.iter().take(1).cloned().collect(),
            news => news.to_vec(),
        };
        // News of a turn appears only once, although others move after it in the same turn.
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

/// The turn in a label, without the player who moves: `turns 1 to 6` of `turns 1 to 6, player 2`.
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

/// Calls `look` with the game after each of its steps. Leaves out steps that an older program saved
/// in another format.
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

/// A diary as lines, one for each step.
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
