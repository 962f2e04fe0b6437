//! What the robot would do with a mail, step by step, and why; nothing is kept.

use std::fmt::Write;

use super::super::{Result, Robot, RobotError};
use crate::card::{Request, subject_tag};
use mail::mime::{self, Sender};
use mail::{RawMessage, dsn, hygiene};
use store::Effect;

/// Lines of a mail that are shown.
const SHOWN: usize = 120;

impl Robot {
    /// The steps as text for the game master.
    ///
    /// # Errors
    /// [`RobotError::Store`] when the store fails.
    pub fn explain(&mut self, bytes: &[u8]) -> Result<String> {
        let mut out = String::new();
        // Text in memory takes every line.
        let _ = self.explain_reading(bytes, &mut out);
        self.store.begin()?;
        let told = self.explain_verdict(bytes, &mut out);
        self.store.abandon();
        told?;
        Ok(out)
    }

    fn explain_reading(&self, bytes: &[u8], out: &mut String) -> std::fmt::Result {
        let limit = self.limits.mail_bytes_max;
        writeln!(out, "1. Size: {} octets; up to {limit} are read.", bytes.len())?;
        let parsed = match mime::parse(bytes) {
            Ok(parsed) => parsed,
            Err(e) => return writeln!(out, "2. It can't be taken apart: {e}."),
        };
        writeln!(out, "2. It is {}, {} header fields.", parsed.content_type, parsed.headers.len())?;
        for part in &parsed.left_out {
            writeln!(out, "   It has {part}.")?;
        }
        if parsed.attached.is_some() {
            writeln!(out, "   It has an attached text file besides its text.")?;
        }
        match &parsed.sender {
            Sender::One(address) => writeln!(out, "3. It says it is from {address}.")?,
            Sender::Missing => writeln!(out, "3. It has no From with an address.")?,
            Sender::Several => writeln!(out, "3. It has several From fields or addresses.")?,
        }
        match dsn::read(&parsed) {
            Some(report) => {
                writeln!(out, "   It is a report: {:?} {}.", report.action, report.status)?
            }
            None => match hygiene::automatic(&parsed, &self.identity.address) {
                Some(reason) => {
                    writeln!(out, "   It is automatic mail ({reason}), never answered.")?
                }
                None => writeln!(out, "   Nothing marks it as automatic mail.")?,
            },
        }
        let origin = match &self.trusted {
            Some(id) => {
                let found = mail::auth::from_header(&parsed, id);
                format!("{found:?}, by the Authentication-Results of {id}")
            }
            None => "not looked at here; serve checks it when it fetches a mail".to_owned(),
        };
        writeln!(out, "4. Its domain's word for it: {origin}.")?;
        for detail in self.details(&parsed) {
            // The last part is the secret.
            let shown = detail[..detail.len().saturating_sub(1)].join(".");
            writeln!(out, "5. It came to the address of {shown}, with a secret.")?;
        }
        if let Some((game, turn, seat)) = subject_tag(&parsed.subject) {
            writeln!(out, "   Its subject names game {game}, turn {turn}, seat {seat}.")?;
        }
        let from = match &parsed.sender {
            Sender::One(address) => address.clone(),
            _ => String::new(),
        };
        let tag = subject_tag(&parsed.subject);
        let card = self.open_card(&parsed, &from, tag.as_ref()).unwrap_or_default();
        writeln!(out, "6. Its lines, and what each of them is:")?;
        let fates = parsed.lines.fates(&card);
        for ((depth, line), fate) in parsed.lines.0.iter().zip(&fates).take(SHOWN) {
            let quote = ">".repeat(*depth);
            let line: String = line.chars().filter(|c| !c.is_control()).take(100).collect();
            writeln!(out, "   {:<14} {quote}{line}", fate.word())?;
        }
        if fates.len() > SHOWN {
            writeln!(out, "   and {} more", fates.len() - SHOWN)?;
        }
        let request = Request::read(&super::written(&parsed.lines.new_text(&card)));
        let commands: Vec<String> = request
            .commands
            .iter()
            .map(|c| format!("{c:?}").split(['(', ' ']).next().unwrap_or_default().to_uppercase())
            .collect();
        writeln!(
            out,
            "7. Read as: {} orders or other lines, mode {:?}, commands: {}.",
            request.card.lines.len(),
            request.mode,
            if commands.is_empty() { "none".to_owned() } else { commands.join(", ") }
        )
    }

    fn explain_verdict(&mut self, bytes: &[u8], out: &mut String) -> Result<()> {
        let now = self.now();
        let limit = usize::try_from(self.limits.mail_bytes_max).unwrap_or(usize::MAX);
        let message = RawMessage {
            source: "explained".to_owned(),
            key: format!("{:016x}", self.entropy.word()),
            received_at: now,
            bytes: bytes[..bytes.len().min(limit)].to_vec(),
            size: bytes.len() as u64,
            authenticity: Default::default(),
        };
        self.store.keep(std::slice::from_ref(&message))?;
        let Some((id, _)) = self.store.unjudged()?.into_iter().max_by_key(|(id, _)| *id) else {
            return Ok(());
        };
        let mail = self.store.stored(id)?;
        if let Ok(parsed) = mime::parse(&mail.bytes)
            && self.store.forget_digest(&super::content_digest(&parsed, &mail.bytes))?
        {
            *out += "   It was judged before; this is what would become of it if it came now.\n";
        }
        let judged = match self.judge_mail(&mail) {
            Ok(judged) => judged,
            Err(RobotError::Store(e)) => return Err(e.into()),
            Err(e) => {
                *out += &format!("8. It could not be judged: {e}.\n");
                return Ok(());
            }
        };
        let (verdict, reason) = (judged.verdict.word(), judged.reason);
        *out += &format!("8. Verdict: {verdict} ({reason}): {}\n", judged.why);
        if let Some((game, seat)) = &judged.seat {
            *out += &format!("   For game {game}, seat {seat}.\n");
        }
        for effect in &judged.effects {
            let what = match effect {
                Effect::Orders { card, turn, .. } => {
                    format!("{} lines go on file for turn {turn}", card.lines.len())
                }
                Effect::Bounced { .. } => "the bounce is counted".to_owned(),
                Effect::Reachable(_) => "the address counts as well".to_owned(),
                Effect::Ask(q) => format!("a question is asked ({})", q.kind),
                other => format!("{other:?}")
                    .split(['(', ' ', '{'])
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            };
            *out += &format!("   Effect: {what}.\n");
        }
        *out += &format!("9. Mails that it causes: {}.\n", judged.mails.len());
        for mail in &judged.mails {
            let Ok(parsed) = mime::parse(&mail.mail.bytes) else { continue };
            *out += &format!("\n   {} to {}: {}\n", mail.kind, mail.mail.to, parsed.subject);
            for (_, line) in parsed.lines.0.iter().take(40) {
                *out += &format!("   : {line}\n");
            }
        }
        Ok(())
    }
}
