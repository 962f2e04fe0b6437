//! The outbox on its way out: claims what is due, sends, notes what became of it.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::clock::Clock;
use crate::config::OutletConfig;
use crate::mail::SendResult;
use crate::mail::maildir::MaildirOutlet;
use crate::mail::smtp::SmtpOutlet;
use crate::store::{OutboxRow, Store, StoreError};

/// Mails that are under way at a time.
const CLAIM: u32 = 64;

/// Where mail leaves.
#[derive(Clone)]
pub enum Outlet {
    Maildir(MaildirOutlet),
    Smtp(Arc<SmtpOutlet>),
}

impl Outlet {
    /// The outlet of a config.
    ///
    /// # Errors
    /// A sentence when it can't be set up.
    pub fn of(config: &OutletConfig) -> Result<Self, String> {
        match config {
            OutletConfig::Maildir(path) => Ok(Self::Maildir(MaildirOutlet::new(path))),
            OutletConfig::Smtp(account) => {
                Ok(Self::Smtp(Arc::new(SmtpOutlet::new(account.clone())?)))
            }
        }
    }

    async fn send(&self, row: &OutboxRow) -> SendResult {
        match self {
            Self::Maildir(outlet) => outlet.send(&row.mail, row.created_at),
            Self::Smtp(outlet) => outlet.send(&row.mail).await,
        }
    }
}

/// Sends everything that is due now; the answer is the number of attempts.
///
/// # Errors
/// [`StoreError`] as the store gives it; mails that left meanwhile are sent
/// again under the same Message-ID.
pub async fn flush(
    store: &mut Store,
    outlet: &Outlet,
    clock: &dyn Clock,
    retry_days: i64,
) -> Result<usize, StoreError> {
    let mut attempts = 0;
    let mut sending = JoinSet::new();
    loop {
        // A few that hang must not hold up the rest, so more are claimed before
        // all have come back; not for each single one, as a claim is a commit.
        if sending.len() <= CLAIM as usize / 2 {
            let rows = store.claim(clock.now(), CLAIM - sending.len() as u32)?;
            attempts += rows.len();
            for row in rows {
                let outlet = outlet.clone();
                sending.spawn(async move {
                    let result = outlet.send(&row).await;
                    (row, result)
                });
            }
        }
        let Some(done) = sending.join_next().await else { return Ok(attempts) };
        // A task that panicked leaves its claim, which runs out by itself.
        let Ok((row, result)) = done else { continue };
        log_attempt(&row, &result);
        store.sent(&row, &result, clock.now(), retry_days * 86_400)?;
    }
}

fn log_attempt(row: &OutboxRow, result: &SendResult) {
    let game = row.game.as_deref().unwrap_or("");
    let (seat, mail, kind) = (row.seat.unwrap_or(0), row.id, row.kind.as_str());
    match result {
        SendResult::Sent => tracing::info!(mail, kind, game, seat, "sent"),
        SendResult::Later(_) => {
            tracing::warn!(mail, kind, game, seat, attempts = row.attempts, "not sent yet");
        }
        SendResult::Never(_) => tracing::error!(mail, kind, game, seat, "refused for good"),
    }
    // Servers quote addresses in their answers, so the text is no info.
    if let SendResult::Later(why) | SendResult::Never(why) = result {
        tracing::debug!(mail, why, "the server's answer");
    }
}
