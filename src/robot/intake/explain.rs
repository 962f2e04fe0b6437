//! What the robot would do with a mail, step by step, and why; nothing is kept.

use std::fmt::Write;

use mail::mime::Author;
use mail::{dsn, hygiene};

use crate::card::subject_tag;
use crate::verdict::about::About;
use crate::verdict::case::Tools;
use crate::verdict::senders::{self, Senders};

/// Lines of a mail that are shown.
const SHOWN: usize = 120;

/// Writes how a mail is read, step by step.
pub(crate) fn reading(tools: Tools, bytes: &[u8], out: &mut String) -> std::fmt::Result {
    let limit = tools.cx.limits.mail_bytes_max;
    writeln!(out, "1. Size: {} bytes; up to {limit} are read.", bytes.len())?;
    let parsed = match tools.cx.reader.read(bytes) {
        Ok(Ok(parsed)) => parsed,
        Err(e) => return writeln!(out, "2. It can't be taken apart: {e}."),
        Ok(Err(e)) => return writeln!(out, "2. It can't be taken apart: {e}."),
    };
    writeln!(out, "2. It is {}, {} header fields.", parsed.content_type, parsed.headers.len())?;
    for part in &parsed.left_out {
        writeln!(out, "   It has {part}.")?;
    }
    if parsed.attached.is_some() {
        writeln!(out, "   It has an attached text file besides its text.")?;
    }
    match &parsed.author {
        Author::One(address) => writeln!(out, "3. It says it is from {address}.")?,
        Author::Missing => writeln!(out, "3. It has no From with an address.")?,
        Author::Several => writeln!(out, "3. It has several From fields or addresses.")?,
    }
    match dsn::read(&parsed) {
        Some(report) => writeln!(out, "   It is a report: {:?} {}.", report.action, report.status)?,
        None => match hygiene::automatic(&parsed, &tools.cx.identity.address) {
            Some(reason) => writeln!(out, "   It is automatic mail ({reason}), never answered.")?,
            None => writeln!(out, "   Nothing marks it as automatic mail.")?,
        },
    }
    let origin = match senders::trusted(tools.cx, tools.store) {
        Ok(Some(server)) => {
            let found = mail::auth::from_header(&parsed, server);
            format!("{found:?}, by the Authentication-Results of {}", server.authserv_id)
        }
        Err(e) => format!("not known: {e}"),
        Ok(None) => "not looked at here; serve checks it when it fetches a mail".to_owned(),
    };
    writeln!(out, "4. Its domain's word for it: {origin}.")?;
    for detail in Senders::new(tools).details(&parsed.recipients) {
        // The last part is the secret.
        let shown = detail[..detail.len().saturating_sub(1)].join(".");
        writeln!(out, "5. It came to the address of {shown}, with a secret.")?;
    }
    if let Some((game, turn, seat)) = subject_tag(&parsed.subject) {
        writeln!(out, "   Its subject names game {game}, turn {turn}, seat {seat}.")?;
    }
    let from = match &parsed.author {
        Author::One(address) => address.clone(),
        _ => String::new(),
    };
    let about = match About::named(tools, &parsed, &from) {
        Ok(Some((game, seat))) => About::seat(tools, &game, seat),
        _ => About::any(tools),
    };
    writeln!(out, "6. Its lines, and what each of them is:")?;
    let classes = parsed.lines.classify(&about.card);
    for ((depth, line), class) in parsed.lines.0.iter().zip(&classes).take(SHOWN) {
        let quote = ">".repeat(*depth);
        let line: String = line.chars().filter(|c| !c.is_control()).take(100).collect();
        writeln!(out, "   {:<14} {quote}{line}", class.as_str())?;
    }
    if classes.len() > SHOWN {
        writeln!(out, "   and {} more", classes.len() - SHOWN)?;
    }
    let request = about.read(&about.written(&about.new_text(&parsed.lines)));
    let commands: Vec<&str> = request.commands.iter().map(|c| c.word()).collect();
    writeln!(
        out,
        "7. Read as: {} orders or other lines, mode {:?}, commands: {}.",
        request.card.lines.len(),
        request.mode,
        if commands.is_empty() { "none".to_owned() } else { commands.join(", ") }
    )
}
