//! A mail that changes orders on file: it takes some back, or puts others in their place. It is
//! added to the card on file.

use std::collections::BTreeSet;

use engine::wording::{ABOVE, WITHIN};
use engine::{Origin, Reading, press, wording};

use super::case::{Claim, Request};
use super::read::Reading as CardReading;
use super::taken_back::{Filed, Taken, cancelled, is_change, withdrawn};
use crate::card::{Change, Mode};
use crate::context::Result;

/// Takes back orders on file, and puts others in their place, as the lines of a mail say. Such a
/// mail is added to the card on file.
///
/// # Errors
/// [`crate::RobotError`] when the store or a judgement fails; the mail is tried again later.
pub(crate) fn take(reading: &CardReading, claim: &Claim, request: &mut Request) -> Result<()> {
    let adds = !request.mode_named || request.mode == Mode::Add;
    let may = |line: &str| cancelled(line).is_some() || wording::may_change(line);
    if !adds || !request.card.lines.iter().any(|(_, text)| may(text)) {
        return Ok(());
    }
    let Some(before) = reading.on_file(claim)? else { return Ok(()) };
    let Some(reader) = reading.about.reader() else { return Ok(()) };
    let filed = Filed::of(&before.card);
    let on_file = filed.read_by(reader);
    let (_, outside) = press::split(&request.card);
    let outside: BTreeSet<u32> = outside.lines.iter().map(|l| l.0).collect();
    let mut first = true;
    let mut changes = false;
    let mut next = 1;
    for (line, text) in std::mem::take(&mut request.card.lines) {
        next = next.max(line);
        let own = outside.contains(&line) && may(&text);
        match own.then(|| withdrawn(&text, &on_file, &filed)).flatten() {
            Some(Taken { taken, rest }) => {
                changes = true;
                let orders = filed.named(&taken);
                let by = String::new();
                request.changes.push(Change { line, text: text.clone(), orders, by });
                for order in rest {
                    let origin = Origin { line, words: Some(text.clone()) };
                    request.card.origins.insert(next, origin);
                    request.card.lines.push((next, order));
                    next += 1;
                }
            }
            None => {
                if own && is_change(&text, &|| Some(reader)) {
                    changes = true;
                } else if own
                    && on_file.puts_instead(&text, first)
                    && let Reading::Orders(new) = reader.read(&text)
                {
                    let taken = reading.replaced(claim, (&before.card, &on_file), &new)?;
                    if !taken.is_empty() {
                        changes = true;
                        let orders = filed.named(&taken);
                        // The place that an order needs is told beside its line.
                        let bare = |o: &String| o.replace(WITHIN, "").replace(ABOVE, "");
                        let by = new.iter().map(bare).map(|o| o.trim().to_owned());
                        let (text, by) = (text.clone(), by.collect::<Vec<_>>().join(", "));
                        request.changes.push(Change { line, text, orders, by });
                    }
                }
                if next != line && !request.card.origins.contains_key(&next) {
                    let origin = request.card.origins.remove(&line);
                    let origin = origin.unwrap_or(Origin { line, words: None });
                    request.card.origins.insert(next, origin);
                }
                request.card.lines.push((next, text));
                next += 1;
            }
        }
        first = false;
    }
    if changes {
        (request.mode, request.mode_named, request.leads) = (Mode::Add, true, true);
    }
    Ok(())
}
