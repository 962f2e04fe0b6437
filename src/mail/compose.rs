//! Turns drafts into MIME messages. One encoder writes all headers, line ends are CRLF, and ids
//! come from the draft, so that a draft always gives the same bytes.

use std::borrow::Cow;

use jiff::Timestamp;
use lettre::Message;
use lettre::message::header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue};
use lettre::message::{Body, Mailbox, MessageBuilder, MultiPart, SinglePart};
use serde::{Deserialize, Serialize};

use super::OutgoingMail;
use base::text::steers;

/// The value of a mail's Auto-Submitted field (RFC 3834 §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AutoSubmitted {
    /// `auto-replied`: an answer to a mail.
    Reply,
    /// `auto-generated`: a mail that does not answer another, such as a printout.
    Generated,
}

/// A file that is attached to a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attachment {
    /// File name: plain ASCII that we chose.
    pub name: String,
    /// Media type, such as `image/png`.
    pub media: Cow<'static, str>,
    /// Content of the file.
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// The text of a mail as HTML, with its pictures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Page {
    /// A whole HTML document.
    pub html: String,
    /// Pictures by content id (RFC 2392), which is plain ASCII that we chose, with an `@`.
    pub inline: Vec<(String, Attachment)>,
}

/// A mail before it becomes MIME. The store keeps drafts whose pictures are not rendered
/// yet, so the serialised names of the fields do not change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Address of the one recipient.
    pub to: String,
    /// The code of its language (RFC 3282 Content-Language); empty: the mail names none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub language: String,
    /// Subject in plain Unicode; control characters are dropped.
    pub subject: String,
    /// Plain text with LF line ends.
    pub text: String,
    /// The text as HTML, for players who want it.
    pub page: Option<Page>,
    /// Attached files, in their order.
    pub attachments: Vec<Attachment>,
    /// Detail of the Reply-To address, such as `W7.34.secret`; `None`: the plain address.
    pub reply_detail: Option<String>,
    /// Message-ID without angle brackets.
    pub message_id: String,
    /// Message-ID of the mail that this one answers, without angle brackets. A foreign id
    /// that is not clean ASCII is left out.
    pub in_reply_to: Option<String>,
    /// Message-IDs of the thread, oldest first, for References (RFC 5322 §3.6.4).
    pub references: Vec<String>,
    /// Whether the mail answers another one.
    #[serde(rename = "cause")]
    pub auto_submitted: AutoSubmitted,
    /// Code of the game, for List-Id (RFC 2919): letters and digits.
    pub list: Option<String>,
    /// Detail of the address that ends mails of this kind (RFC 2369 §3.2).
    pub unsubscribe: Option<String>,
}

impl Draft {
    /// The address for answers to it; `None`: the robot's plain one.
    pub fn reply_address(&self, sender: &Sender) -> Option<String> {
        self.reply_detail.as_ref().map(|detail| sender.detailed(detail))
    }

    /// A draft without text; answers to it go to the robot's plain address.
    pub fn new(to: &str, subject: &str, auto_submitted: AutoSubmitted) -> Self {
        Self {
            to: to.to_owned(),
            language: String::new(),
            subject: subject.to_owned(),
            text: String::new(),
            page: None,
            attachments: Vec::new(),
            reply_detail: None,
            message_id: String::new(),
            in_reply_to: None,
            references: Vec::new(),
            auto_submitted,
            list: None,
            unsubscribe: None,
        }
    }
}

/// The names and addresses under which the robot writes.
#[derive(Debug, Clone)]
pub struct Sender {
    /// The display name that players see.
    pub name: String,
    /// Plain address, such as `robot@example.org`.
    pub address: String,
    /// Address of the From field; `None`: the plain address.
    pub from: Option<String>,
}

impl Sender {
    /// The address with a detail (RFC 5233): `robot+detail@example.org`.
    pub fn detailed(&self, detail: &str) -> String {
        match self.address.split_once('@') {
            Some((local, domain)) => format!("{local}+{detail}@{domain}"),
            None => self.address.clone(),
        }
    }

    /// The domain of the address; our Message-IDs end with it.
    pub fn domain(&self) -> &str {
        self.address.split_once('@').map_or("localhost", |(_, domain)| domain)
    }
}

/// A draft that can't become a mail, for example because its recipient is not an address.
#[derive(Debug, thiserror::Error)]
#[error("mail can't be composed: {0}")]
pub struct ComposeError(String);

/// Turns a draft into a mail with the date `at`. The same draft gives the same bytes.
///
/// # Errors
/// [`ComposeError`] when an address of the draft or of the sender can't be parsed, or an
/// attachment has no proper media type.
pub fn compose(
    sender: &Sender,
    draft: &Draft,
    at: Timestamp,
) -> Result<OutgoingMail, ComposeError> {
    let header = header(sender, draft, at)?;
    let message = body(header, draft)?;
    Ok(OutgoingMail {
        to: draft.to.clone(),
        envelope_from: sender.detailed("bounce"),
        message_id: draft.message_id.clone(),
        bytes: message.formatted(),
        bounce: String::new(),
    })
}

/// A message with all header fields of a draft and no body yet.
fn header(sender: &Sender, draft: &Draft, at: Timestamp) -> Result<MessageBuilder, ComposeError> {
    let mailbox = |name: Option<String>, address: &str| {
        let address = address.parse();
        let address = address.map_err(|e: lettre::address::AddressError| failed(&e))?;
        Ok(Mailbox::new(name, address))
    };
    let reply = draft.reply_address(sender);
    let reply = reply.unwrap_or_else(|| sender.address.clone());
    let auto = match draft.auto_submitted {
        AutoSubmitted::Reply => "auto-replied",
        AutoSubmitted::Generated => "auto-generated",
    };
    let seconds = u64::try_from(at.as_second()).unwrap_or(0);
    let date = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    let mut builder = Message::builder()
        .from(mailbox(Some(sender.name.clone()), sender.from.as_ref().unwrap_or(&sender.address))?)
        .to(mailbox(None, &draft.to)?)
        .reply_to(mailbox(Some(sender.name.clone()), &reply)?)
        .subject(draft.subject.replace(steers, ""))
        .date(date)
        .message_id(Some(format!("<{}>", draft.message_id)))
        .raw_header(raw("Auto-Submitted", auto))
        .raw_header(raw("X-Fieldpost", "1"))
        .raw_header(raw("X-Auto-Response-Suppress", "All"));
    if !draft.language.is_empty() {
        builder = builder.raw_header(raw("Content-Language", &draft.language));
    }
    if let Some(id) = draft.in_reply_to.as_deref().and_then(clean_id) {
        builder = builder.in_reply_to(format!("<{id}>"));
    }
    let thread: Vec<String> =
        draft.references.iter().filter_map(|id| clean_id(id)).map(|id| format!("<{id}>")).collect();
    if !thread.is_empty() {
        builder = builder.references(thread.join(" "));
    }
    if let Some(list) = &draft.list {
        let id = format!("Game {list} <{}.{}>", list.to_lowercase(), sender.domain());
        builder = builder.raw_header(raw("List-Id", &id));
    }
    if let Some(detail) = &draft.unsubscribe {
        let to = format!("<mailto:{}?subject=stop>", sender.detailed(detail));
        builder = builder.raw_header(raw("List-Unsubscribe", &to));
    }
    Ok(builder)
}

/// The message with its text, its page and its attachments. A page is an alternative to the text
/// (`multipart/alternative`), attachments go around both (`multipart/mixed`).
fn body(header: MessageBuilder, draft: &Draft) -> Result<Message, ComposeError> {
    // Always quoted-printable, whatever the text holds: no server changes it.
    let part = SinglePart::builder()
        .header(ContentType::TEXT_PLAIN)
        .header(ContentTransferEncoding::QuotedPrintable)
        .body(crlf(&unsteered(&draft.text)));
    // The boundary comes from the mail's id, so that the same draft gives the same bytes.
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
        Part::Single(part) if draft.attachments.is_empty() => header.singlepart(part),
        Part::Multi(parts) if draft.attachments.is_empty() => header.multipart(parts),
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
            header.multipart(parts)
        }
    };
    message.map_err(|e| failed(&e))
}

/// A text of several lines without control characters and direction marks: it may hold words of
/// other players.
fn unsteered(text: &str) -> String {
    let mut text = text.to_owned();
    // Most texts have only ASCII characters.
    if text.bytes().any(|b| !matches!(b, b' '..=b'~' | b'\n' | b'\t')) {
        text.retain(|c| !steers(c) || c == '\n' || c == '\t');
    }
    text
}

fn failed(error: &dyn std::fmt::Display) -> ComposeError {
    ComposeError(error.to_string())
}

/// The text of a mail: plain only, or with its HTML form.
enum Part {
    Single(SinglePart),
    Multi(MultiPart),
}

/// A file in base64, whatever it holds: an encoding chosen by content might leave line ends in it,
/// which servers change.
fn base64(file: &Attachment) -> Body {
    let encoding = ContentTransferEncoding::Base64;
    Body::new_with_encoding(file.bytes.clone(), encoding).unwrap_or_else(Body::new)
}

fn media(file: &Attachment) -> Result<ContentType, ComposeError> {
    ContentType::parse(&file.media).map_err(|e| failed(&e))
}

/// HTML and its pictures as `multipart/related` (RFC 2387).
fn related(page: &Page, boundary: String) -> Result<MultiPart, ComposeError> {
    let html = SinglePart::builder()
        .header(ContentType::TEXT_HTML)
        .header(ContentTransferEncoding::QuotedPrintable)
        .body(crlf(&unsteered(&page.html)));
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

/// A foreign id, if it is safe to quote in a header: plain ASCII of sane length.
fn clean_id(id: &str) -> Option<&str> {
    let plain = |b: u8| b.is_ascii_graphic() && b != b'<' && b != b'>';
    (!id.is_empty() && id.len() <= 200 && id.bytes().all(plain)).then_some(id)
}

/// The text with CRLF line ends. The MIME library would convert them in quadratic time.
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
        let sender = Sender {
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
            ..Draft::new("p@example.org", subject, AutoSubmitted::Reply)
        };
        let mail = compose(&sender, &draft, Timestamp::UNIX_EPOCH).expect("composes");
        String::from_utf8(mail.bytes).expect("ASCII")
    }

    #[test]
    fn a_subject_has_nothing_that_turns_or_ends_it() {
        let text = mail("s \u{1b}[2J\u{9b}\u{202e}\u{2028}\r\nBcc: x@example.org end", "");
        assert!(text.contains("\r\nSubject: s [2JBcc: x@example.org end\r\n"), "{text}");
    }

    #[test]
    fn headers_name_the_robot_the_thread_and_the_cause() {
        let text = mail("[W7 T12 S34] orders", "abc@example.org");
        assert!(!text.contains("multipart/mixed"), "nothing is attached: {text}");
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
        let sender = Sender {
            name: "Fieldpost".into(),
            address: "robot@fieldpost.example".into(),
            from: Some("host@fieldpost.example".into()),
        };
        let draft = Draft {
            message_id: "w7.1@fieldpost.example".into(),
            ..Draft::new("p@example.org", "x", AutoSubmitted::Generated)
        };
        let mail = compose(&sender, &draft, Timestamp::UNIX_EPOCH).expect("composes");
        let text = String::from_utf8(mail.bytes).expect("ASCII");
        assert!(text.contains("From: Fieldpost <host@fieldpost.example>\r\n"), "{text}");
        assert!(text.contains("Reply-To: Fieldpost <robot@fieldpost.example>\r\n"), "{text}");
    }

    #[test]
    fn stored_drafts_keep_their_field_names() {
        let draft = Draft::new("p@example.org", "x", AutoSubmitted::Reply);
        let stored = codec::to_bytes(&draft).expect("plain data encodes");
        let holds = |word: &[u8]| stored.windows(word.len()).any(|w| w == word);
        assert!(holds(b"\xa5cause\xa5Reply"), "older hosts stored these words");
        assert!(holds(b"\xabunsubscribe") && holds(b"\xacreply_detail"));
        assert_eq!(codec::from_bytes::<Draft>(&stored).expect("reads back"), draft);
    }

    #[test]
    fn nothing_from_outside_makes_a_header_of_its_own() {
        let text = mail("x\r\nBcc: all@example.org", "id\r\nBcc: all@example.org");
        let head = text.split("\r\n\r\n").next().unwrap_or_default();
        assert!(head.lines().all(|l| !l.starts_with("Bcc")), "{head}");
        assert!(!head.contains("In-Reply-To"), "{head}");
    }
}
