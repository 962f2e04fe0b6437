//! Sends the outbox: claims the mails that are due, sends them, notes the results.

use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use base::cancel::Cancel;
use base::clock::Clock;
use mail::SendResult;
use mail::maildir::MaildirOutlet;
use mail::smtp::SmtpOutlet;
use store::{OutboxRow, Store, StoreError};

/// Mails that are under way at a time.
const LEASED_MAX: u32 = 16;
/// Mails that are put into folders at a time.
const DELIVERED_MAX: u32 = 128;
/// The longest that sending a mail may take. Even the last of the mails that wait for a connection
/// is done before its claim runs out.
const SEND_MAX: Duration = Duration::from_secs(140);
/// Attempts to note the result of sending a mail.
const NOTE_TRIES: u32 = 5;
/// The longest wait for a finished send before the next look for new mails.
const LOOK: Duration = Duration::from_secs(2);

/// Where mail leaves.
#[derive(Clone)]
pub enum Outlet {
    /// A folder in Maildir format.
    Maildir(MaildirOutlet),
    /// An SMTP server.
    Smtp(Arc<SmtpOutlet>),
}

/// Sends everything that is due now, and returns the number of attempts. Once `stop` is cancelled
/// it begins no other mail; those under way may finish.
///
/// # Errors
/// [`StoreError`] as the store gives it; mails that left and could not be noted are sent
/// again under the same Message-ID.
pub fn flush(
    store: &mut Store,
    outlet: &Outlet,
    runtime: &Runtime,
    clock: &dyn Clock,
    retry_days: i64,
    stop: &Cancel,
) -> Result<usize, StoreError> {
    let outlet = match outlet {
        Outlet::Maildir(folders) => {
            return deliver(store, folders, runtime, clock, retry_days, stop);
        }
        Outlet::Smtp(outlet) => outlet,
    };
    let mut attempts = 0;
    let mut sending = JoinSet::new();
    let mut trouble = None;
    loop {
        let room = (LEASED_MAX as usize).saturating_sub(sending.len()) as u32;
        if room > 0 && !stop.is_cancelled() && trouble.is_none() {
            match store.write(|tx| tx.outbox().lease(clock.now(), room)) {
                Ok(rows) => {
                    attempts += rows.len();
                    rows.into_iter().for_each(|row| begin(&mut sending, runtime, outlet, row));
                }
                // The results of mails under way are still noted, if that is possible.
                Err(e) => trouble = Some(e),
            }
        }
        // The store is used between these waits, never while the runtime waits for something.
        let done = match runtime.block_on(async { timeout(LOOK, sending.join_next()).await }) {
            // Mails that hang keep their places; mails that came meanwhile get others.
            Err(_) => continue,
            Ok(None) => return trouble.map_or(Ok(attempts), Err),
            Ok(Some(done)) => done,
        };
        // What finished meanwhile is noted in the same commit. A task that panicked leaves
        // its claim, which runs out by itself.
        let mut finished: Vec<_> = done.ok().into_iter().collect();
        while let Some(done) = sending.try_join_next() {
            finished.extend(done);
        }
        finished.iter().for_each(|(row, result)| log_attempt(row, result));
        if let Err(e) = note(store, &finished, runtime, clock, retry_days) {
            trouble = Some(e);
        }
    }
}

/// Puts everything that is due into folders, in batches with one wait for the disk each.
fn deliver(
    store: &mut Store,
    folders: &MaildirOutlet,
    runtime: &Runtime,
    clock: &dyn Clock,
    retry_days: i64,
    stop: &Cancel,
) -> Result<usize, StoreError> {
    let mut attempts = 0;
    while !stop.is_cancelled() {
        let rows = store.write(|tx| tx.outbox().lease(clock.now(), DELIVERED_MAX))?;
        if rows.is_empty() {
            break;
        }
        attempts += rows.len();
        let mails: Vec<_> = rows.iter().map(|row| (&row.mail, row.created_at)).collect();
        let results = folders.send(&mails);
        let finished: Vec<_> = rows.into_iter().zip(results).collect();
        finished.iter().for_each(|(row, result)| log_attempt(row, result));
        note(store, &finished, runtime, clock, retry_days)?;
    }
    Ok(attempts)
}

fn begin(
    sending: &mut JoinSet<(OutboxRow, SendResult)>,
    runtime: &Runtime,
    outlet: &Arc<SmtpOutlet>,
    row: OutboxRow,
) {
    let outlet = Arc::clone(outlet);
    let send = async move {
        // Nobody needs a report about an echo (RFC 3834 §3.3).
        let attempt = outlet.send(&row.mail, row.kind.is_answer());
        let result = match timeout(SEND_MAX, attempt).await {
            Ok(result) => result,
            Err(_) => SendResult::Later("the server does not answer".to_owned()),
        };
        (row, result)
    };
    sending.spawn_on(send, runtime.handle());
}

/// Notes the results of attempts. It tries several times, because a mail that left and is not noted
/// would be sent again.
fn note(
    store: &mut Store,
    finished: &[(OutboxRow, SendResult)],
    runtime: &Runtime,
    clock: &dyn Clock,
    retry_days: i64,
) -> Result<(), StoreError> {
    let mut tries = 1;
    loop {
        let (now, give_up_s) = (clock.now(), retry_days * 86_400);
        let done = || finished.iter().map(|(row, result)| (row, result));
        match store.write(|tx| tx.outbox().sent(done(), now, give_up_s)) {
            Err(e) if tries < NOTE_TRIES => {
                tracing::warn!(mails = finished.len(), error = %e, "not noted yet");
            }
            noted => return noted,
        }
        tries += 1;
        // Mails that are under way go on meanwhile.
        runtime.block_on(async { sleep(LOOK).await });
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
        SendResult::TooLarge { most, .. } => {
            let octets = row.mail.bytes.len();
            tracing::warn!(mail, kind, game, seat, octets, ?most, "too large for the server");
        }
        SendResult::Unable(_) => {
            tracing::error!(mail, kind, game, seat, "the server can't send it");
        }
    }
    // Servers quote addresses in their answers, so the text is logged only at debug level.
    if let SendResult::Later(why)
    | SendResult::Never(why)
    | SendResult::Unable(why)
    | SendResult::TooLarge { why, .. } = result
    {
        tracing::debug!(mail, why, "the server's answer");
    }
}
