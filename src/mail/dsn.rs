//! Delivery reports about our own mails: which mail, and its fate (RFC 3464).

use super::hygiene;
use super::mime::{Author, ParsedMail};

/// Bounces after which an address gets no more mail, unless the config says
/// otherwise.
pub const BOUNCES_MAX: u32 = 3;

/// What a report says about the recipient (the Action field, RFC 3464 §2.3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// `failed`: the mail will never arrive.
    Failed,
    /// `delayed`: the server still tries; there is nothing to do.
    Delayed,
    /// `delivered`, or `relayed` or `expanded`: the mail arrived, or went on to a place that sends
    /// no reports.
    Delivered,
}

/// A delivery report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The fate of the mail.
    pub action: Action,
    /// Enhanced status code (RFC 3463) such as `5.1.1`; empty when there is none.
    pub status: String,
    /// Message-ID of the mail that the report is about, without angle brackets; `None`
    /// when the report does not say.
    pub about: Option<String>,
}

impl Report {
    /// Whether the failure may pass, such as a full mailbox or a server that is down
    /// (RFC 3463 §3: class 4, and 5.2.2).
    pub fn may_pass(&self) -> bool {
        self.status.starts_with("4.") || self.status == "5.2.2"
    }
}

/// Whether a server refused a mail for its size (RFC 3463 §3: 5.2.3 and 5.3.4, RFC 1870 §6.1). That
/// says nothing about the address.
pub fn is_about_size(said: &str) -> bool {
    has_size_code(said) || coded(said, "552") && !coded(said, "5.2.2")
}

/// Whether a server's text has an enhanced code about size: a plain 552 may also mean a full
/// mailbox.
pub fn has_size_code(said: &str) -> bool {
    coded(said, "5.2.3") || coded(said, "5.3.4")
}

fn coded(said: &str, code: &str) -> bool {
    let mut words = said.split(|c: char| c.is_whitespace() || "()#,;:<>".contains(c));
    words.any(|w| w == code)
}

/// Reads a delivery report; `None` when the mail is not one.
pub fn read(mail: &ParsedMail) -> Option<Report> {
    if mail.report.is_empty() {
        return plain(mail);
    }
    let part = |end: &&str| mail.report.iter().find(|(t, _)| t.ends_with(end));
    let (_, fields) = STATUS_PARTS.iter().find_map(part)?;
    let field = |name: &str| {
        let lines = fields.lines().filter_map(|l| l.split_once(':'));
        lines.filter(|(n, _)| n.trim().eq_ignore_ascii_case(name)).map(|(_, v)| v.trim()).collect()
    };
    let actions: Vec<&str> = field("Action");
    let is = |word: &str| actions.iter().any(|a| a.to_lowercase().starts_with(word));
    let (_, action) = *ACTIONS.iter().find(|(word, _)| is(word))?;
    let codes: Vec<&str> = field("Status");
    let code = |c: &&&str| !c.starts_with("2.") || action == Action::Delivered;
    let status = codes.iter().find(code).map(|c| clean(c)).unwrap_or_default();
    Some(Report { action, status, about: returned_id(mail) })
}

/// Ends of media types of the report part that programs read (RFC 3464 §2.1, RFC 6533 §3).
const STATUS_PARTS: [&str; 2] = ["/delivery-status", "/global-delivery-status"];

/// Starts of media types of the part that holds the returned mail or its header (RFC 6522 §3, RFC
/// 6533 §3).
const RETURNED_PARTS: [&str; 3] = ["message/rfc822", "text/rfc822-headers", "message/global"];

/// Values of the Action field, the most important first. Each of our mails has one recipient, so a
/// failure anywhere in a report is about that recipient.
const ACTIONS: [(&str, Action); 5] = [
    ("failed", Action::Failed),
    ("delayed", Action::Delayed),
    ("delivered", Action::Delivered),
    ("relayed", Action::Delivered),
    ("expanded", Action::Delivered),
];

/// Phrases in the Subject of a bounce from a program that writes no report, in lower case.
const BOUNCE_SUBJECTS: [&str; 8] = [
    "undeliver",
    "failure",
    "failed",
    "returned mail",
    "delivery",
    "unzustellbar",
    "delay",
    "warning",
];

/// Phrases in the Subject of such a bounce that is only about a delay, in lower case.
const DELAY_SUBJECTS: [&str; 4] = ["delay", "warning", "still trying", "verzögert"];

/// Reads a bounce from a program that writes no report: it has an empty return path, and a
/// machine's address or a telling Subject.
fn plain(mail: &ParsedMail) -> Option<Report> {
    let failed = mail.header("X-Failed-Recipients").is_some();
    let subject = mail.subject.to_lowercase();
    let machine = matches!(&mail.author, Author::One(from) if hygiene::is_machine_address(from));
    let says = BOUNCE_SUBJECTS.iter().any(|w| subject.contains(w));
    // A vacation reply has an empty return path too, but does not report a failure.
    if !failed && !(hygiene::has_null_return_path(mail) && (machine || says)) {
        return None;
    }
    let delayed = DELAY_SUBJECTS.iter().any(|w| subject.contains(w));
    let action = if delayed { Action::Delayed } else { Action::Failed };
    let text = mail.lines.0.iter().map(|(_, l)| l.as_str()).collect::<Vec<_>>().join("\n");
    Some(Report { action, status: hygiene::enhanced(&text), about: id_in(&text) })
}

/// The Message-ID in the header or mail that a report returns.
fn returned_id(mail: &ParsedMail) -> Option<String> {
    let returned = |media: &str| RETURNED_PARTS.iter().any(|p| media.starts_with(p));
    let parts = mail.report.iter().filter(|(t, _)| returned(t));
    parts.filter_map(|(_, text)| id_in(text)).next()
}

/// The first Message-ID field in a text; its value may be on the next line.
fn id_in(text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|l| l.to_lowercase().trim_start().starts_with("message-id:"))?;
    let joined = lines[at..].iter().take(2).copied().collect::<Vec<_>>().join(" ");
    let id = joined.split_once('<')?.1.split_once('>')?.0;
    Some(id.trim().to_owned())
}

/// A status code without the comment after it.
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
    fn a3_every_action_and_every_media_type_of_a_report_is_read() {
        let actions = [
            ("Action: failed", Action::Failed),
            ("Action: delayed", Action::Delayed),
            ("Action: delivered", Action::Delivered),
            ("Action: relayed", Action::Delivered),
            ("Action: expanded", Action::Delivered),
        ];
        assert_eq!(ACTIONS.len(), actions.len(), "every row has one case");
        for (text, action) in actions {
            assert_eq!(report(text).map(|r| r.action), Some(action), "{text}");
        }
        let both = report("Action: delivered\n\nAction: Failed (really)").expect("a report");
        assert_eq!(both.action, Action::Failed, "a failure counts more");
        let of = |status: &str, returned: &str| {
            let mail = format!(
                "From: MAILER-DAEMON@mx.example\nSubject: Undelivered\n\
                 Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n\
                 --b\nContent-Type: {status}\n\nReporting-MTA: dns; mx.example\n\n\
                 Action: failed\nStatus: 5.1.1\n\n--b\nContent-Type: {returned}\n\n\
                 From: robot@fieldpost.example\nMessage-ID: <w7.1@fieldpost.example>\n\n--b--\n"
            );
            read(&mime::parse(mail.as_bytes()).expect("a mail"))
        };
        let status = ["message/delivery-status", "message/global-delivery-status"];
        let returned =
            ["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"];
        assert_eq!((STATUS_PARTS.len(), RETURNED_PARTS.len()), (2, 3), "every row has a case");
        for status in status {
            for returned in returned {
                let found = of(status, returned).and_then(|r| r.about);
                assert_eq!(found.as_deref(), Some("w7.1@fieldpost.example"), "{status} {returned}");
            }
        }
    }

    #[test]
    fn a3_every_subject_of_a_bounce_without_a_report_is_known() {
        let of = |from: &str, subject: &str| {
            let mail = format!("Return-Path: <>\nFrom: {from}\nSubject: {subject}\n\nSorry.\n");
            read(&mime::parse(mail.as_bytes()).expect("a mail")).map(|r| r.action)
        };
        let subjects = [
            ("Undeliverable: orders", Action::Failed),
            ("failure notice", Action::Failed),
            ("Message to p@example.org failed", Action::Failed),
            ("Returned mail: see transcript for details", Action::Failed),
            ("Mail delivery: unknown address", Action::Failed),
            ("Unzustellbar: Zug 3", Action::Failed),
            ("Message delayed", Action::Delayed),
            ("Warning: could not send message", Action::Delayed),
        ];
        assert_eq!(BOUNCE_SUBJECTS.len(), subjects.len(), "every row has one case");
        for (subject, action) in subjects {
            assert_eq!(of("mx@example.org", subject), Some(action), "{subject}");
        }
        assert_eq!(of("p@example.org", "I am on vacation"), None);
        let delays =
            ["Message delayed", "Warning: not sent yet", "We are still trying", "Verzögert"];
        assert_eq!(DELAY_SUBJECTS.len(), delays.len(), "every row has one case");
        for subject in delays {
            assert_eq!(of("MAILER-DAEMON@mx.example", subject), Some(Action::Delayed), "{subject}");
        }
    }

    #[test]
    fn a3_a_part_of_a_report_makes_one_of_a_mail_of_any_type() {
        for part in [
            "message/delivery-status",
            "message/global-delivery-status",
            "message/disposition-notification",
            "Message/Feedback-Report",
        ] {
            let mail = format!(
                "From: p@example.org\nSubject: orders\n\
                 Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n\
                 M 1 3\n\n--b\nContent-Type: {part}\n\nReporting-MTA: dns; mx\n\n\
                 Action: failed\nStatus: 5.1.1\n\n--b--\n"
            );
            let parsed = mime::parse(mail.as_bytes()).expect("a mail");
            assert!(!parsed.report.is_empty(), "{part}");
            let automatic = hygiene::automatic(&parsed, "robot@fieldpost.example");
            assert_eq!(automatic, Some(hygiene::Automatic::Report), "{part}");
        }
    }

    #[test]
    fn the_status_of_a_report_is_its_first_code_of_a_failure() {
        for (text, status) in [
            ("It failed: 550 5.1.1 <a@b.example>... no such user (5.7.1)", "5.1.1"),
            ("rev. 6.2.1 of 4.12.2026 says 4.4.7", "4.4.7"),
            ("5.1 and 5.1.1.1, 5.a.1, 5.1.1234, 192.5.1.1", ""),
        ] {
            assert_eq!(hygiene::enhanced(text), status, "{text}");
        }
    }

    #[test]
    fn a_refusal_for_size_is_known_by_its_code() {
        for said in ["552 5.3.4 Message too big", "552 too large", "5.2.3", "smtp; 550 5.3.4 no"] {
            assert!(is_about_size(said), "{said}");
        }
        for said in ["552 5.2.2 mailbox full", "550 5.1.1 no such user", "x5.3.4", "1552"] {
            assert!(!is_about_size(said), "{said}");
        }
    }

    #[test]
    fn a3_the_field_of_exim_alone_makes_a_bounce() {
        let mail = "From: mx@example.org\nX-Failed-Recipients: p@example.org\n\
                    Subject: your mail\n\nno such user: 5.1.1\n";
        let bounce = read(&mime::parse(mail.as_bytes()).expect("a mail")).expect("a bounce");
        assert_eq!((bounce.action, bounce.status.as_str()), (Action::Failed, "5.1.1"));
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
