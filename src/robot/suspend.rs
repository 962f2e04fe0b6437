//! Suspending a game whose engine failed.

use store::Tx;

use crate::context::{Context, Result};
use crate::mailer::Mailer;

/// Stops a running game and notifies the game master, once, within the caller's unit of work.
///
/// # Errors
/// [`crate::context::RobotError::Store`] when the store fails.
pub fn suspend(cx: &Context, tx: &Tx, game: &str, why: &str) -> Result<()> {
    let now = cx.now();
    let text = format!(
        "Game {game} is suspended: {why}\n\nOther games go on. Its journal is whole; look at it with\n\
         \"fieldpost replay {game}\" and let it go on with \"fieldpost game release {game}\"."
    );
    let subject = format!("game {game} is suspended");
    let mail = Mailer::new(cx, tx).gm_mail(&subject, &text, &[game, "suspended", why], now);
    if tx.suspend(game, why)? {
        tx.outbox().post(mail.as_slice(), now)?;
        // An engine's panic may quote a card, so the log does not say why.
        tracing::error!(game, "game suspended");
    }
    Ok(())
}
