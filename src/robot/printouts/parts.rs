//! Splits a printout into as many mails as it needs, which leave together.

use mail::compose::Attachment;
use store::{MailKind, QueuedMail};
use tongue::say;

use crate::languages::marker;

/// Splits a printout that is larger than `most` bytes into several mails: first the text, cut at
/// lines, then the files. Nothing is left out.
pub(super) fn in_parts(
    text: String,
    files: Vec<Attachment>,
    most: usize,
) -> Vec<(String, Vec<Attachment>)> {
    // Files grow by a third when encoded, text by less.
    let size = |files: &[Attachment]| files.iter().map(|f| f.bytes.len() * 4 / 3).sum::<usize>();
    if text.len() + size(&files) <= most {
        return vec![(text, files)];
    }
    let mut parts: Vec<(String, Vec<Attachment>)> = vec![(String::new(), Vec::new())];
    for line in text.lines() {
        let full = parts.last().is_some_and(|(t, _)| !t.is_empty() && t.len() + line.len() > most);
        if full {
            parts.push((format!("{marker}\n\n", marker = marker()), Vec::new()));
        }
        if let Some((text, _)) = parts.last_mut() {
            text.push_str(line);
            text.push('\n');
        }
    }
    for file in files {
        let fits =
            parts.last().is_some_and(|(t, f)| t.len() + size(f) + file.bytes.len() * 4 / 3 <= most);
        if !fits {
            let text =
                format!("{marker}\n\n{}\n", say!("A file of your printout."), marker = marker());
            parts.push((text, Vec::new()));
        }
        if let Some((_, files)) = parts.last_mut() {
            files.push(file);
        }
    }
    parts
}

/// Makes all printouts of a turn wait for those that are still to be drawn, so that nobody reads of
/// a turn before the others do.
pub(super) fn leave_together(mails: &mut [QueuedMail]) {
    let printout = |m: &QueuedMail| [MailKind::Printout, MailKind::Part].contains(&m.kind);
    if mails.iter().any(|m| m.drawing.to_do) {
        mails.iter_mut().filter(|m| printout(m)).for_each(|m| m.drawing.waits = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn c5_a_printout_over_the_limit_goes_in_parts_and_loses_nothing() {
        let text: String = (0..100).map(|n| format!("line {n}\n")).collect();
        let file = |n: usize| Attachment {
            name: "x.svg".into(),
            media: "image/png".into(),
            bytes: vec![7; n],
        };
        assert_eq!(in_parts(text.clone(), vec![file(10)], 10_000).len(), 1);
        let parts = in_parts(text.clone(), vec![file(300), file(300)], 500);
        assert!(parts.len() >= 4, "{}", parts.len());
        let joined: String = parts.iter().map(|p| p.0.as_str()).collect();
        assert!((0..100).all(|n| joined.contains(&format!("line {n}\n"))));
        assert_eq!(parts.iter().map(|p| p.1.len()).sum::<usize>(), 2);
        assert!(
            parts.iter().skip(1).all(|p| p.0.starts_with(mail::marker::MARKER)),
            "each opens with the marker"
        );
    }
}
