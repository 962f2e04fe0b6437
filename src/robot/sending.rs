//! Reports to the game master, once, what keeps mails from leaving and is not a player's fault.

use base::schedule;
use jiff::Timestamp;
use store::{Change, Reader};

use crate::context::{Context, Result};
use crate::mailer::Mailer;

/// The reports to the game master about the outgoing server.
///
/// # Errors
/// [`crate::RobotError::Store`] when the store fails.
pub(crate) fn changes(cx: &Context, store: &Reader, now: Timestamp) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let mut tell = |what: String, subject: &str, text: &str| -> Result<()> {
        if store.people().is_reminded("", 0, &what)? {
            return Ok(());
        }
        tracing::error!(what, "the outgoing server keeps mails back");
        let mails = Mailer::new(cx, store).gm_mail(subject, text, &[&what], now);
        let once = Some((String::new(), 0, what));
        changes.push(Change { once, effects: Vec::new(), mails: mails.into_iter().collect() });
        Ok(())
    };
    if let Some(held) = store.sending_held()? {
        let text = format!(
            "The outgoing server has refused mails to five different players in a row, so it refuses \
             the host, not them: see what your provider says (\"fieldpost mail unsent\" shows its \
             words, \"fieldpost doctor\" asks it). All mails are kept, and nobody's address is \
             blamed. A mail tries again at {}, and then at growing intervals; when one is taken, all \
             leave by themselves. \"fieldpost mail resend\" tries at once. This mail waits with them.",
            schedule::local(held.until, "UTC")
        );
        tell(format!("sending held since {}", held.since), "no mail leaves", &text)?;
    }
    if let Some((octets, _)) = store.size_taken()? {
        let taken = match octets < cx.limits.sent_bytes_max {
            true => "Larger ones now leave in parts or without their pictures",
            false => "It was larger than limits.sent_bytes_max says, and left in parts",
        };
        let text = format!(
            "The outgoing server takes mails of {octets} octets at most, and one was larger. {taken}; \
             nobody's address is blamed. Set limits.sent_bytes_max below that size, or ask your \
             provider for more."
        );
        tell(format!("size taken {octets}"), "mails are too large for the server", &text)?;
    }
    Ok(changes)
}
