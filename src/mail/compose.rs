//! Outgoing mail to MIME: one encoder for every header, CRLF, fixed ids.

use std::borrow::Cow;

use jiff::Timestamp;
use lettre::Message;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox, MultiPart, SinglePart};
use serde::{Deserialize, Serialize};

use super::OutgoingMail;

/// What a mail is, towards automatic programs (RFC 3834 §3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// An answer to a mail.
    Reply,
    /// Sent at the robot's own time.
    Generated,
}

/// A file that goes with a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// File name: plain ASCII of ours.
    pub name: String,
    /// Media type, such as `image/png`.
    pub media: Cow<'static, str>,
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// The same as the text of a mail as HTML, with the pictures that stand in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    pub html: String,
    /// Pictures by content id (RFC 2392): plain ASCII of ours with an `@`.
    pub inline: Vec<(String, Attachment)>,
}

/// A mail before it is MIME.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub to: String,
    pub subject: String,
    pub text: String,
    /// The same as HTML, for who wants it.
    pub page: Option<Page>,
    pub attachments: Vec<Attachment>,
    /// Detail of the reply address, such as `W7.34.secret`; `None`: the plain
    /// address.
    pub reply_detail: Option<String>,
    pub message_id: String,
    /// Id of the mail that is answered.
    pub in_reply_to: Option<String>,
    /// Ids of the thread, oldest first.
    pub references: Vec<String>,
    pub cause: Cause,
    /// Name of the game, for List-Id (RFC 2919); letters and digits of ours.
    pub list: Option<String>,
    /// Detail of the address that ends mails of this kind (RFC 2369 §3.2).
    pub unsubscribe: Option<String>,
}

impl Draft {
    /// A mail without text yet, answered at the robot's plain address.
    pub fn new(to: &str, subject: &str, cause: Cause) -> Self {
        Self {
            to: to.to_owned(),
            subject: subject.to_owned(),
            text: String::new(),
            page: None,
            attachments: Vec::new(),
            reply_detail: None,
            message_id: String::new(),
            in_reply_to: None,
            references: Vec::new(),
            cause,
            list: None,
            unsubscribe: None,
        }
    }
}

/// The robot as a correspondent.
#[derive(Debug, Clone)]
pub struct Robot {
    /// Name that players see.
    pub name: String,
    /// Plain address, such as `robot@example.org`.
    pub address: String,
    /// Address of the From field; `None`: the same.
    pub from: Option<String>,
}

impl Robot {
    /// The address with a detail: `robot+detail@example.org`.
    pub fn detailed(&self, detail: &str) -> String {
        match self.address.split_once('@') {
            Some((local, domain)) => format!("{local}+{detail}@{domain}"),
            None => self.address.clone(),
        }
    }

    /// The domain of our Message-IDs.
    pub fn domain(&self) -> &str {
        self.address.split_once('@').map_or("localhost", |(_, domain)| domain)
    }
}

/// A mail that can't be written, for instance to an address that is none.
#[derive(Debug, thiserror::Error)]
#[error("mail can't be composed: {0}")]
pub struct ComposeError(String);

/// Turns a draft into a mail. The same draft gives the same bytes.
///
/// # Errors
/// [`ComposeError`] when an address of the draft or of the robot is none.
pub fn compose(robot: &Robot, draft: &Draft, at: Timestamp) -> Result<OutgoingMail, ComposeError> {
    let bad = |e: &dyn std::fmt::Display| ComposeError(e.to_string());
    let mailbox = |name: Option<String>, address: &str| {
        Ok(Mailbox::new(name, address.parse().map_err(|e: lettre::address::AddressError| bad(&e))?))
    };
    let reply = draft.reply_detail.as_ref().map(|d| robot.detailed(d));
    let reply = reply.unwrap_or_else(|| robot.address.clone());
    let auto = match draft.cause {
        Cause::Reply => "auto-replied",
        Cause::Generated => "auto-generated",
    };
    let seconds = u64::try_from(at.as_second()).unwrap_or(0);
    let date = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    let mut builder = Message::builder()
        .from(mailbox(Some(robot.name.clone()), robot.from.as_ref().unwrap_or(&robot.address))?)
        .to(mailbox(None, &draft.to)?)
        .reply_to(mailbox(Some(robot.name.clone()), &reply)?)
        .subject(draft.subject.chars().filter(|c| !c.is_control()).collect::<String>())
        .date(date)
        .message_id(Some(format!("<{}>", draft.message_id)))
        .raw_header(raw("Auto-Submitted", auto))
        .raw_header(raw("X-Fieldpost", "1"))
        .raw_header(raw("X-Auto-Response-Suppress", "All"));
    if let Some(id) = draft.in_reply_to.as_deref().and_then(clean_id) {
        builder = builder.in_reply_to(format!("<{id}>"));
    }
    let thread: Vec<String> =
        draft.references.iter().filter_map(|id| clean_id(id)).map(|id| format!("<{id}>")).collect();
    if !thread.is_empty() {
        builder = builder.references(thread.join(" "));
    }
    if let Some(list) = &draft.list {
        let id = format!("Game {list} <{}.{}>", list.to_lowercase(), robot.domain());
        builder = builder.raw_header(raw("List-Id", &id));
    }
    if let Some(detail) = &draft.unsubscribe {
        let to = format!("<mailto:{}?subject=stop>", robot.detailed(detail));
        builder = builder.raw_header(raw("List-Unsubscribe", &to));
    }
    let text = crlf(&draft.text);
    // Fixed, not chosen by content: printouts survive every server so.
    let part = SinglePart::builder()
        .header(ContentType::TEXT_PLAIN)
        .header(ContentTransferEncoding::QuotedPrintable)
        .body(text);
    // From the mail's own id, so that the same draft gives the same bytes.
    let secret = base::secrets::sha256_hex(draft.message_id.as_bytes());
    let boundary = |level: &str| format!("fieldpost-{level}-{}", &secret[..40]);
    let part = match &draft.page {
        None => Part::Single(part),
        Some(page) => {
            let both = MultiPart::alternative().boundary(boundary("a")).singlepart(part);
            Part::Multi(both.multipart(related(page, boundary("r"))?))
        }
    };
    let message = match part {
        Part::Single(part) if draft.attachments.is_empty() => builder.singlepart(part),
        Part::Multi(parts) if draft.attachments.is_empty() => builder.multipart(parts),
        part => {
            let mixed = MultiPart::mixed().boundary(boundary("m"));
            let mut parts = match part {
                Part::Single(part) => mixed.singlepart(part),
                Part::Multi(parts) => mixed.multipart(parts),
            };
            for file in &draft.attachments {
                let attached = lettre::message::Attachment::new(file.name.clone());
                parts = parts.singlepart(attached.body(base64(file), media(file)?));
            }
            builder.multipart(parts)
        }
    };
    let message = message.map_err(|e| bad(&e))?;
    Ok(OutgoingMail {
        to: draft.to.clone(),
        envelope_from: robot.detailed("bounce"),
        message_id: draft.message_id.clone(),
        bytes: message.formatted(),
        bounce: String::new(),
    })
}

/// The text of a mail: alone, or with its HTML form.
enum Part {
    Single(SinglePart),
    Multi(MultiPart),
}

/// The bytes of a file as they are: chosen by content, an encoding might leave line ends
/// that servers change.
fn base64(file: &Attachment) -> Body {
    let encoding = ContentTransferEncoding::Base64;
    Body::new_with_encoding(file.bytes.clone(), encoding).unwrap_or_else(Body::new)
}

fn media(file: &Attachment) -> Result<ContentType, ComposeError> {
    ContentType::parse(&file.media).map_err(|e| ComposeError(e.to_string()))
}

/// HTML and its pictures (RFC 2387).
fn related(page: &Page, boundary: String) -> Result<MultiPart, ComposeError> {
    let html = SinglePart::builder()
        .header(ContentType::TEXT_HTML)
        .header(ContentTransferEncoding::QuotedPrintable)
        .body(crlf(&page.html));
    let mut parts = MultiPart::related().boundary(boundary).singlepart(html);
    for (id, file) in &page.inline {
        let name = (id.clone(), file.name.clone());
        let inline = lettre::message::Attachment::new_inline_with_name(name.0, name.1);
        parts = parts.singlepart(inline.body(base64(file), media(file)?));
    }
    Ok(parts)
}

fn raw(name: &'static str, value: &str) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value.to_owned())
}

/// A foreign id as we may quote it: plain ASCII of sane length, or not at all.
fn clean_id(id: &str) -> Option<&str> {
    let plain = |b: u8| b.is_ascii_graphic() && b != b'<' && b != b'>';
    (!id.is_empty() && id.len() <= 200 && id.bytes().all(plain)).then_some(id)
}

/// CRLF line ends; handing them over ready spares a quadratic conversion.
fn crlf(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 40);
    for line in text.lines() {
        out += line;
        out += "\r\n";
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(subject: &str, reference: &str) -> String {
        let robot = Robot {
            name: "Fieldpost".into(),
            address: "robot@fieldpost.example".into(),
            from: None,
        };
        let draft = Draft {
            text: "Line one\nFrom here\n.\n".into(),
            reply_detail: Some("W7.34.abc".into()),
            message_id: "w7.1@fieldpost.example".into(),
            in_reply_to: Some(reference.into()),
            references: vec![reference.into()],
            list: Some("W7".into()),
            unsubscribe: Some("stop.W7.34.abc".into()),
            ..Draft::new("p@example.org", subject, Cause::Reply)
        };
        let mail = compose(&robot, &draft, Timestamp::UNIX_EPOCH).expect("composes");
        String::from_utf8(mail.bytes).expect("ASCII")
    }

    #[test]
    fn headers_name_the_robot_the_thread_and_the_cause() {
        let text = mail("[W7 T12 S34] orders", "abc@example.org");
        for part in [
            "Reply-To: Fieldpost <robot+W7.34.abc@fieldpost.example>\r\n",
            "Auto-Submitted: auto-replied\r\n",
            "Message-ID: <w7.1@fieldpost.example>\r\n",
            "In-Reply-To: <abc@example.org>\r\n",
            "List-Id: Game W7 <w7.fieldpost.example>\r\n",
            "List-Unsubscribe: <mailto:robot+stop.W7.34.abc@fieldpost.example?subject=stop>\r\n",
        ] {
            assert!(text.contains(part), "{part} missing in {text}");
        }
    }

    #[test]
    fn b2_the_from_field_may_name_a_person() {
        let robot = Robot {
            name: "Fieldpost".into(),
            address: "robot@fieldpost.example".into(),
            from: Some("host@fieldpost.example".into()),
        };
        let draft = Draft {
            message_id: "w7.1@fieldpost.example".into(),
            ..Draft::new("p@example.org", "x", Cause::Generated)
        };
        let mail = compose(&robot, &draft, Timestamp::UNIX_EPOCH).expect("composes");
        let text = String::from_utf8(mail.bytes).expect("ASCII");
        assert!(text.contains("From: Fieldpost <host@fieldpost.example>\r\n"), "{text}");
        assert!(text.contains("Reply-To: Fieldpost <robot@fieldpost.example>\r\n"), "{text}");
    }

    #[test]
    fn nothing_from_outside_makes_a_header_of_its_own() {
        let text = mail("x\r\nBcc: all@example.org", "id\r\nBcc: all@example.org");
        let head = text.split("\r\n\r\n").next().unwrap_or_default();
        assert!(head.lines().all(|l| !l.starts_with("Bcc")), "{head}");
        assert!(!head.contains("In-Reply-To"), "{head}");
    }
}
