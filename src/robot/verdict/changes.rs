//! A mail that changes orders on file: it takes some back, or puts others in their place. It is
//! added to the card on file.

use std::collections::BTreeSet;

use engine::wording::{ABOVE, WITHIN};
use engine::{OnFile, Origin, press};
use store::FiledOrders;

use super::case::{Claim, Request};
use super::read::Reading as CardReading;
use super::taken_back::{Filed, Taken, is_change, may_change, withdrawn};
use crate::card::aside::Why;
use crate::card::{Change, Mode};
use crate::context::Result;

/// Takes back orders on file, and puts others in their place, as the lines of a mail say. Such a
/// mail is added to the card on file.
///
/// # Errors
/// [`crate::RobotError`] when the store or a judgement fails; the mail is tried again later.
pub(crate) fn take(reading: &CardReading, claim: &Claim, request: &mut Request) -> Result<()> {
    let adds = !request.mode_named || request.mode == Mode::Add;
    let lines = request.card.lines.iter().map(|(_, text)| text);
    let mut lines = lines.chain(request.asides.iter().map(|aside| &aside.text));
    if !adds || !lines.any(|text| may_change(text)) {
        return Ok(());
    }
    let Some(before) = reading.on_file(claim)? else { return Ok(()) };
    let Some(reader) = reading.about.reader() else { return Ok(()) };
    let filed = Filed::of(&before.card);
    let on_file = filed.read_by(reader);
    let (_, outside) = press::split(&request.card);
    let outside: BTreeSet<u32> = outside.lines.iter().map(|l| l.0).collect();
    let changes = Changes { reading, claim, before: &before, filed: &filed, on_file };
    let mut changed = changes.of_asides(request);
    let (mut first, mut next) = (true, 1);
    for (line, text) in std::mem::take(&mut request.card.lines) {
        next = next.max(line);
        let own = outside.contains(&line) && may_change(&text);
        let put = match own {
            true => changes.of_line((line, &text), first, request)?,
            false => Put::Nothing,
        };
        changed |= !matches!(put, Put::Nothing);
        let orders = match put {
            Put::Orders(orders) => orders,
            Put::Nothing | Put::Line => {
                if next != line && !request.card.origins.contains_key(&next) {
                    let origin = request.card.origins.remove(&line);
                    let origin = origin.unwrap_or(Origin { line, words: None });
                    request.card.origins.insert(next, origin);
                }
                request.card.lines.push((next, text));
                next += 1;
                first = false;
                continue;
            }
        };
        for order in orders {
            let origin = Origin { line, words: Some(text.clone()) };
            request.card.origins.insert(next, origin);
            request.card.lines.push((next, order));
            next += 1;
        }
        first = false;
    }
    if changed {
        (request.mode, request.mode_named, request.leads) = (Mode::Add, true, true);
    }
    Ok(())
}

/// What stands in the card for a line of a mail.
enum Put {
    /// The line; it changes nothing that is on file.
    Nothing,
    /// The line.
    Line,
    /// These orders, or none.
    Orders(Vec<String>),
}

/// The orders on file that the lines of a mail may change.
struct Changes<'c> {
    reading: &'c CardReading<'c>,
    claim: &'c Claim,
    before: &'c FiledOrders,
    filed: &'c Filed,
    on_file: OnFile<'c>,
}

impl Changes<'_> {
    /// What is taken back by lines that begin no order, such as `no spies this turn`.
    fn of_asides(&self, request: &mut Request) -> bool {
        let before = request.asides.len();
        let mut found = Vec::new();
        request.asides.retain(|aside| {
            let tried = matches!(aside.why, Why::Tried | Why::Words) && may_change(&aside.text);
            let taken = tried.then(|| withdrawn(&aside.text, &self.on_file, self.filed)).flatten();
            let Some(Taken { taken, .. }) = taken.filter(|taken| taken.rest.is_empty()) else {
                return true;
            };
            found.push(self.change((aside.line, &aside.text), &taken, String::new()));
            false
        });
        request.changes.extend(found);
        request.asides.len() < before
    }

    /// What a line of the card changes.
    fn of_line(
        &self,
        (line, text): (u32, &str),
        first: bool,
        request: &mut Request,
    ) -> Result<Put> {
        if let Some(Taken { taken, rest }) = withdrawn(text, &self.on_file, self.filed) {
            request.changes.push(self.change((line, text), &taken, String::new()));
            return Ok(Put::Orders(rest));
        }
        if is_change(text, &|| self.reading.about.reader()) {
            return Ok(Put::Line);
        }
        if !self.on_file.puts_instead(text, first) {
            return Ok(Put::Nothing);
        }
        let Some((new, words)) = self.on_file.put_instead(text) else { return Ok(Put::Nothing) };
        let plain = self.on_file.is_plain(text, first);
        let on_file = (&self.before.card, &self.on_file);
        let taken = self.reading.replaced(self.claim, on_file, (&new, plain))?;
        if !taken.is_empty() {
            // The place that an order needs is told beside its line.
            let bare = |o: &String| o.replace(WITHIN, "").replace(ABOVE, "").trim().to_owned();
            let by = new.iter().map(bare).collect::<Vec<_>>().join(", ");
            request.changes.push(self.change((line, text), &taken, by));
        }
        let placed = new.iter().all(|order| !order.contains('{'));
        Ok(match (taken.is_empty() && !plain, placed) {
            (true, _) => Put::Nothing,
            (false, true) => Put::Orders(new),
            (false, false) => Put::Orders(vec![words]),
        })
    }

    fn change(&self, (line, text): (u32, &str), taken: &[usize], by: String) -> Change {
        Change { line, text: text.to_owned(), orders: self.filed.named(taken), by }
    }
}
