//! Games whose players are all silent: the players are warned first, then the game waits until one
//! of them, or the game master, lets it go on.

use engine::Seat;
use jiff::Timestamp;
use store::{Change, Effect, Game, Judged, Reader, SeatRow, Standing, Status, Tx, Verdict};
use tongue::{count, say};

use crate::context::{Context, Result};
use crate::games::Games;
use crate::mailer::Mailer;
use crate::steps;
use crate::turns::Turns;

/// Why a game is suspended when all its players are silent, as the store keeps it.
pub const SILENT: &str =
    "all its players are silent; a mail of one of them lets it go on, or the game master";

/// The name of the note that the players were warned in a step.
const TOLD: &str = "the game will wait";

/// Looks after silent players.
#[derive(Clone, Copy)]
pub struct Silence<'a> {
    cx: &'a Context,
    store: &'a Reader,
}

impl<'a> Silence<'a> {
    /// A watch over the players of a store.
    pub fn new(cx: &'a Context, store: &'a Reader) -> Self {
        Self { cx, store }
    }

    /// How many turns in a row all players must miss before a game waits; 0 when it never waits. It
    /// is less than the game's term says if the rules of the game give a player up earlier.
    fn most(&self, game: &Game) -> Result<u32> {
        let agreed = game.terms.silent_turns;
        if agreed == 0 || game.terms.practice {
            return Ok(0);
        }
        let games = Games::new(self.cx, self.store);
        let open = games.open(game)?;
        let given_up = games.shielded(&game.code, || open.given_up_after())?;
        Ok(if given_up == 0 { agreed } else { agreed.min(given_up) })
    }

    /// Whether a due step must not run, because with it every player who is still in the game would
    /// have missed too many turns. A player on vacation has said so, and does not prevent this.
    ///
    /// # Errors
    /// [`crate::context::RobotError`] when the store fails or the game can't be opened.
    pub fn holds(&self, game: &Game, now: Timestamp) -> Result<bool> {
        let missing = Turns::new(self.cx, self.store).missed(game, now)?;
        if missing.is_empty() {
            return Ok(false);
        }
        let most = self.most(game)?;
        Ok(most > 0 && self.is_silent(game, most, &missing, now)?)
    }

    /// Whether every player who is still in the game has missed at least `most` turns, and there is
    /// such a player. For players in `missing`, the open turn counts too.
    fn is_silent(&self, game: &Game, most: u32, missing: &[Seat], now: Timestamp) -> Result<bool> {
        // A player who has sent a card in advance is not silent.
        let sent = self.store.journal().mailed_from(&game.code, game.turn)?;
        let mut silent = false;
        for row in self.store.games().seats(&game.code)?.iter().filter(|r| r.has_player()) {
            let here = sent.contains(&row.seat) || row.ready == game.turn;
            let missed = row.missed + u32::from(missing.contains(&row.seat));
            if !here && missed >= most {
                silent = true;
            } else if here || !row.is_away(now) && !self.is_out(game, row)? {
                return Ok(false);
            }
        }
        Ok(silent)
    }

    /// Whether a seat has nothing more to order in this game.
    fn is_out(&self, game: &Game, row: &SeatRow) -> Result<bool> {
        if game.step.awaits(row.seat) {
            return Ok(false);
        }
        let games = Games::new(self.cx, self.store);
        let open = games.open(game)?;
        games.shielded(&game.code, || open.report(row.seat, &row.language).is_none())
    }

    /// Whether the game will wait if none of its players writes before the open step is due.
    fn is_near(&self, game: &Game, now: Timestamp) -> Result<bool> {
        let seats = self.store.games().seats(&game.code)?;
        if !seats.iter().any(|s| s.has_player() && s.missed > 0) {
            return Ok(false);
        }
        let most = self.most(game)?;
        Ok(most > 1 && self.is_silent(game, most - 1, &[], now)?)
    }

    /// Warns the players and the game master, once per step, that the game will wait.
    ///
    /// # Errors
    /// [`crate::context::RobotError`] when the store fails or the game can't be opened.
    pub fn warning(&self, game: &Game, now: Timestamp) -> Result<Option<Change>> {
        let ahead = game.deadline.is_some_and(|d| d > now);
        if !ahead
            || self.store.people().is_reminded(&game.code, game.turn, TOLD)?
            || !self.is_near(game, now)?
        {
            return Ok(None);
        }
        let turns = self.most(game)? - 1;
        let words = || {
            let why = count!(
                turns,
                "No card of any player came in for the last turn of game {code}. If none comes \
                 before the deadline either, the game waits until one of you writes, and nothing \
                 is lost. A card, READY, or any other mail from your seat keeps it going.",
                "No card of any player came in for the last {turns} turns of game {code}. If none \
                 comes before the deadline either, the game waits until one of you writes, and \
                 nothing is lost. A card, READY, or any other mail from your seat keeps it going.",
                code = game.code
            );
            (say!("the game will wait"), why)
        };
        let mailer = Mailer::new(self.cx, self.store);
        let mut mails = mailer.tell_all(game, None, &words, TOLD, now)?;
        let code = &game.code;
        let text = format!(
            "No card of any player of game {code} came in for the last {turns} turns. If none \
             comes before the deadline either, the game waits; all players are told. A mail of one \
             of them keeps it going. \"fieldpost game set {code} silent_turns=0\" lets it run on \
             without them."
        );
        let subject = format!("game {code} will wait: its players are silent");
        let turn = game.turn.to_string();
        mails.extend(mailer.gm_mail(&subject, &text, &[code, &turn, TOLD], now));
        let once = Some((game.code.clone(), game.turn, TOLD.to_owned()));
        Ok(Some(Change { once, mails, ..Change::default() }))
    }
}

/// Suspends a game whose players are all silent, and notifies them and the game master; returns
/// whether it did. It checks again within the unit of work, because a card may have come.
///
/// # Errors
/// [`crate::context::RobotError`] when the store fails or the game can't be opened.
pub fn hold(cx: &Context, tx: &Tx, code: &str, turn: engine::Turn) -> Result<bool> {
    let now = cx.now();
    let Some(game) =
        tx.games().game(code)?.filter(|g| g.status == Status::Running && g.turn == turn)
    else {
        return Ok(false);
    };
    if !Silence::new(cx, tx).holds(&game, now)? || !tx.suspend(code, SILENT)? {
        return Ok(false);
    }
    tx.set_deadline(code, None)?;
    let waits = Game { status: Status::Suspended, deadline: None, ..game.clone() };
    let words = || {
        let why = say!(
            "No player of game {code} has sent a card for some turns, so the game waits. It goes \
             on, with a new deadline for all, as soon as one of you sends a card, READY, or any \
             other mail from your seat.",
            code = game.code
        );
        (say!("the game waits for its players"), why)
    };
    let mailer = Mailer::new(cx, tx);
    let id_key = format!("silent {now}");
    let mut mails = mailer.tell_all(&waits, None, &words, &id_key, now)?;
    let text = format!(
        "Game {code} waits in {}: all its players are silent. They are told, and the first mail of \
         one of them lets it go on with a new deadline. \"fieldpost game release {code}\" or GM \
         RELEASE {code} lets it go on now; missed turns are counted anew then.",
        game.step.label
    );
    let subject = format!("game {code} waits: its players are silent");
    mails.extend(mailer.gm_mail(&subject, &text, &[code, &id_key], now));
    tx.outbox().post(&mails, now)?;
    tracing::warn!(game = code, turn, "waits for its players: all are silent");
    Ok(true)
}

/// Notes from a judged mail that the proven player of a seat is there again. A game that waits for
/// this goes on; one that would soon wait no longer will.
///
/// # Errors
/// [`crate::context::RobotError`] when the store fails or the calendar has no day left.
pub fn heard(cx: &Context, tx: &Tx, judged: &Judged) -> Result<()> {
    let Some((code, seat)) = speaker(judged) else { return Ok(()) };
    if !may_hear(tx, judged)? {
        return Ok(());
    }
    let Some(game) = tx.games().game(&code)? else { return Ok(()) };
    let waits = game.status == Status::Suspended && game.suspended_why == SILENT;
    let now = cx.now();
    let near = game.status == Status::Running && Silence::new(cx, tx).is_near(&game, now)?;
    if !waits && !near {
        return Ok(());
    }
    tx.count_anew(&code, Some(seat))?;
    if !waits || !tx.release(&code)? {
        return Ok(());
    }
    go_on(cx, tx, &game, now)
}

/// Whether a game may wait for the writer of a mail, or has counted missed turns.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub fn may_hear(store: &Reader, judged: &Judged) -> Result<bool> {
    let Some((code, _)) = speaker(judged) else { return Ok(false) };
    Ok(store.games().waits_or_missed(&code, SILENT)?)
}

/// The seat whose player wrote a mail, if that is proven.
fn speaker(judged: &Judged) -> Option<(String, Seat)> {
    let taken = [Verdict::Accepted, Verdict::Rejected].contains(&judged.verdict);
    if taken && judged.standing == Standing::Proven && judged.seat.is_some() {
        return judged.seat.clone();
    }
    // A card that another mail has confirmed.
    judged.effects.iter().find_map(|effect| match effect {
        Effect::Orders(new) => Some((new.game.clone(), new.seat)),
        _ => None,
    })
}

/// Lets a released game go on with a new deadline, and notifies the players and the game master.
fn go_on(cx: &Context, tx: &Tx, game: &Game, now: Timestamp) -> Result<()> {
    let code = &game.code;
    let due = steps::due_again(tx, game, now)?;
    tx.set_deadline(code, due)?;
    let game = Game { status: Status::Running, deadline: Some(due), ..game.clone() };
    let words = || {
        let why = say!("A player of game {code} has written again, so the game goes on.");
        (say!("the game goes on"), why)
    };
    let mailer = Mailer::new(cx, tx);
    let id_key = format!("heard {now}");
    let mut mails = mailer.tell_all(&game, None, &words, &id_key, now)?;
    let text = format!(
        "Game {code} goes on: a player has written again. {}",
        mailer.due_line(&game, None, &game.rule.zone, now)
    );
    let subject = format!("game {code} goes on");
    mails.extend(mailer.gm_mail(&subject, &text, &[code, &id_key], now));
    tx.outbox().post(&mails, now)?;
    tracing::info!(game = code, turn = game.turn, "goes on: a player has written");
    Ok(())
}
