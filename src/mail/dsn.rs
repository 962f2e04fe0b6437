//! Reports about our own mails: what became of them, and of which (RFC 3464).

use super::hygiene;
use super::mime::{ParsedMail, Sender};

/// Bounces after which an address gets no more mail, where the config does not say.
pub const BOUNCES_MAX: u32 = 3;

/// What a report says of one recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// It will never arrive.
    Failed,
    /// It is still tried (RFC 3464 §2.3.3): nothing to do.
    Delayed,
    /// It arrived, or went on to where no reports come from.
    Delivered,
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    pub action: Action,
    /// Enhanced status code such as `5.1.1`; empty when there is none.
    pub status: String,
    /// Message-ID of the mail that it is about.
    pub about: Option<String>,
}

impl Report {
    /// A failure that may pass: a full mailbox, a server that is down (RFC 3463).
    pub fn may_pass(&self) -> bool {
        self.status.starts_with("4.") || self.status == "5.2.2"
    }
}

/// Reads a report; `None` when the mail is none.
pub fn read(mail: &ParsedMail) -> Option<Report> {
    if mail.report.is_empty() {
        return plain(mail);
    }
    let status = mail.report.iter().find(|(t, _)| t.ends_with("/delivery-status"));
    let status =
        status.or_else(|| mail.report.iter().find(|(t, _)| t.ends_with("/global-delivery-status")));
    let (_, fields) = status?;
    let field = |name: &str| {
        let lines = fields.lines().filter_map(|l| l.split_once(':'));
        lines.filter(|(n, _)| n.trim().eq_ignore_ascii_case(name)).map(|(_, v)| v.trim()).collect()
    };
    let actions: Vec<&str> = field("Action");
    let is = |word: &str| actions.iter().any(|a| a.to_lowercase().starts_with(word));
    let action = match () {
        // Our mails have one recipient each; a failure of any copy is one.
        () if is("failed") => Action::Failed,
        () if is("delayed") => Action::Delayed,
        () if is("delivered") || is("relayed") || is("expanded") => Action::Delivered,
        () => return None,
    };
    let codes: Vec<&str> = field("Status");
    let code = |c: &&&str| !c.starts_with("2.") || action == Action::Delivered;
    let status = codes.iter().find(code).map(|c| clean(c)).unwrap_or_default();
    Some(Report { action, status, about: returned_id(mail) })
}

/// What Subjects of bounces say in the programs that write no report.
const WORDS: [&str; 8] = [
    "undeliver",
    "failure",
    "failed",
    "returned mail",
    "delivery",
    "unzustellbar",
    "delay",
    "warning",
];

/// Bounces of programs that write no report: they come to the bounce address from
/// nobody, and say so.
fn plain(mail: &ParsedMail) -> Option<Report> {
    let failed = mail.header("X-Failed-Recipients").is_some();
    let subject = mail.subject.to_lowercase();
    let machine = matches!(&mail.sender, Sender::One(from) if hygiene::is_machine_address(from));
    let says = WORDS.iter().any(|w| subject.contains(w));
    // A vacation reply comes from nobody too, and says nothing of any failure.
    if !failed && !(hygiene::is_from_nobody(mail) && (machine || says)) {
        return None;
    }
    let delayed =
        ["delay", "warning", "still trying", "verzögert"].iter().any(|w| subject.contains(w));
    let action = if delayed { Action::Delayed } else { Action::Failed };
    let text = mail.lines.0.iter().map(|(_, l)| l.as_str()).collect::<Vec<_>>().join("\n");
    Some(Report { action, status: enhanced(&text), about: id_in(&text) })
}

/// The first enhanced status code in a text.
fn enhanced(text: &str) -> String {
    let parts = |w: &str| {
        let numbers: Vec<&str> = w.split('.').collect();
        let digits = |n: &&str| (1..=3).contains(&n.len()) && n.bytes().all(|b| b.is_ascii_digit());
        numbers.len() == 3 && ["4", "5"].contains(&numbers[0]) && numbers.iter().all(digits)
    };
    let words = text.split(|c: char| c.is_whitespace() || "()#,;:<>".contains(c));
    words.into_iter().find(|w| parts(w)).unwrap_or_default().to_owned()
}

/// Message-ID in the returned header or mail.
fn returned_id(mail: &ParsedMail) -> Option<String> {
    let returned = |t: &str| t == "text/rfc822-headers" || t.starts_with("message/rfc822");
    let parts = mail.report.iter().filter(|(t, _)| returned(t) || t.starts_with("message/global"));
    parts.filter_map(|(_, text)| id_in(text)).next()
}

fn id_in(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|l| l.to_lowercase().trim_start().starts_with("message-id:"))?;
    let joined = lines[at..].iter().take(2).copied().collect::<Vec<_>>().join(" ");
    let id = joined.split_once('<')?.1.split_once('>')?.0;
    Some(id.trim().to_owned())
}

fn clean(code: &str) -> String {
    code.chars().take_while(|c| c.is_ascii_digit() || *c == '.').take(12).collect()
}

#[cfg(test)]
mod tests {
    use super::super::mime;
    use super::*;

    fn report(status: &str) -> Option<Report> {
        let mail = format!(
            "Return-Path: <>\nFrom: MAILER-DAEMON@mx.example\nSubject: Undelivered\n\
             Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n\
             --b\nContent-Type: text/plain\n\nSorry.\n\n--b\n\
             Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example\n\n\
             Final-Recipient: rfc822; p@example.org\n{status}\n\n--b\n\
             Content-Type: text/rfc822-headers\n\nFrom: robot@fieldpost.example\n\
             Message-ID: <w7.1.1.p.abc@fieldpost.example>\n\n--b--\n"
        );
        read(&mime::parse(mail.as_bytes()).expect("a mail"))
    }

    #[test]
    fn a3_a_report_is_read_with_its_action_its_code_and_its_mail() {
        let failed = report("Action: failed\nStatus: 5.1.1 (no such user)").expect("a report");
        assert_eq!((failed.action, failed.status.as_str()), (Action::Failed, "5.1.1"));
        assert_eq!(failed.about.as_deref(), Some("w7.1.1.p.abc@fieldpost.example"));
        assert!(report("Action: failed\nStatus: 5.2.2").is_some_and(|r| r.may_pass()));
        assert_eq!(report("Nothing: here"), None);
    }

    #[test]
    fn a4_a_delayed_mail_has_not_failed() {
        let delayed = report("Action: delayed\nStatus: 4.4.1").expect("a report");
        assert_eq!(delayed.action, Action::Delayed);
        assert_eq!(
            report("Action: relayed\nStatus: 2.0.0").map(|r| r.action),
            Some(Action::Delivered)
        );
    }

    #[test]
    fn a3_bounces_without_a_report_are_known_too() {
        let of = |head: &str, text: &str| {
            let mail =
                format!("{head}From: postmaster@mx.example\nSubject: failure notice\n\n{text}\n");
            read(&mime::parse(mail.as_bytes()).expect("a mail"))
        };
        let qmail = of(
            "Return-Path: <>\n",
            "<p@example.org>:\nno such user (#5.1.1)\n\nMessage-ID: <a@b>\n",
        );
        let qmail = qmail.expect("a bounce");
        assert_eq!((qmail.action, qmail.status.as_str()), (Action::Failed, "5.1.1"));
        assert_eq!(qmail.about.as_deref(), Some("a@b"));
        assert_eq!(of("", "hello"), None);
    }
}
