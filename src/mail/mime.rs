//! Bytes to a parsed mail; the MIME library is used here and nowhere else.

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};

use super::body::{self, Lines};

/// Parts that are looked at; a mail with more is read no further.
const PARTS_MAX: usize = 200;
/// Depth of `multipart` in a mail, counted by boundary parameters before parsing.
const BOUNDARIES_MAX: usize = 100;
/// Octets of text that are looked at.
const TEXT_MAX: usize = 200_000;

/// Who a mail says it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sender {
    /// One From field with one address, lower case in its domain.
    One(String),
    /// No From field, or none with an address.
    Missing,
    /// Several From fields or addresses (RFC 5322 §3.6, RFC 7103 §7.5).
    Several,
}

/// A mail taken apart.
#[derive(Debug, Clone)]
pub struct ParsedMail {
    pub sender: Sender,
    /// Every address that the mail was sent to or delivered to.
    pub recipients: Vec<String>,
    pub subject: String,
    pub message_id: Option<String>,
    /// Ids of In-Reply-To and References.
    pub answers: Vec<String>,
    /// Every header field as name and raw value, in order.
    pub headers: Vec<(String, String)>,
    /// Content type of the whole, such as `multipart/report`.
    pub content_type: String,
    /// The text that may hold orders, in lines.
    pub lines: Lines,
    /// Why there is no text, or what was left out, in words for the sender.
    pub left_out: Vec<String>,
}

impl ParsedMail {
    /// The first header field of a name, trimmed.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.trim())
    }
}

/// A mail that can't be taken apart.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("no header field was found")]
    NoHeaders,
    #[error("{0} multipart boundaries, more than any mail program writes")]
    TooNested(usize),
}

/// Takes a mail apart.
///
/// # Errors
/// [`Unreadable`] for what is no mail, or made to be slow.
pub fn parse(bytes: &[u8]) -> Result<ParsedMail, Unreadable> {
    let boundaries = count_boundaries(bytes);
    if boundaries > BOUNDARIES_MAX {
        return Err(Unreadable::TooNested(boundaries));
    }
    let message = MessageParser::default().parse(bytes).ok_or(Unreadable::NoHeaders)?;
    let headers: Vec<(String, String)> =
        message.headers_raw().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    if headers.is_empty() {
        return Err(Unreadable::NoHeaders);
    }
    let (lines, left_out) = text_of(&message);
    let ids = [message.in_reply_to(), message.references()];
    let ids = ids.into_iter().flat_map(|v| v.clone().into_text_list().unwrap_or_default());
    Ok(ParsedMail {
        sender: sender(&message, &headers),
        recipients: recipients(&message, &headers),
        subject: message.subject().unwrap_or_default().to_owned(),
        message_id: message.message_id().map(str::to_owned),
        answers: ids.map(|id| id.trim_matches(['<', '>', ' ']).to_owned()).collect(),
        content_type: content_type(message.root_part()),
        lines,
        left_out,
        headers,
    })
}

/// Occurrences of what opens a level: a cheap bound on nesting, before any parsing.
fn count_boundaries(bytes: &[u8]) -> usize {
    let count =
        |key: &[u8]| bytes.windows(key.len()).filter(|w| w.eq_ignore_ascii_case(key)).count();
    let keys: [&[u8]; 4] = [b"boundary", b"message/rfc822", b"message/global", b"multipart/digest"];
    keys.into_iter().map(count).max().unwrap_or(0)
}

fn sender(message: &Message, headers: &[(String, String)]) -> Sender {
    let fields = headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case("from")).count();
    let addresses = match message.from() {
        Some(Address::List(list)) => list.iter().filter_map(|a| a.address()).collect::<Vec<_>>(),
        Some(Address::Group(_)) => return Sender::Several,
        None => Vec::new(),
    };
    match (fields, addresses.as_slice()) {
        (0, _) | (_, []) => Sender::Missing,
        (1, [one]) => canonical(one).map_or(Sender::Missing, Sender::One),
        _ => Sender::Several,
    }
}

/// An address with its domain in lower case; `None` when it is none.
pub fn canonical(address: &str) -> Option<String> {
    let address = address.trim().trim_matches(['<', '>']);
    let (local, domain) = address.rsplit_once('@')?;
    let bad = |c: char| c.is_whitespace() || c.is_control() || "<>,;:\"()[]\\".contains(c);
    let plain = !local.is_empty() && !domain.is_empty() && address.len() <= 254;
    (plain && !address.contains(bad) && !local.contains('@'))
        .then(|| format!("{local}@{}", domain.to_lowercase()))
}

/// Whether two addresses are the same mailbox: domain and local part without
/// regard to case, for no provider in use tells them apart.
pub fn same_address(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

fn recipients(message: &Message, headers: &[(String, String)]) -> Vec<String> {
    let fields = [message.to(), message.cc()];
    let listed = fields.into_iter().flatten().flat_map(|a| a.iter()).filter_map(|a| a.address());
    let trace = ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];
    let traced = headers.iter().filter(|(n, _)| trace.iter().any(|t| n.eq_ignore_ascii_case(t)));
    let all = listed.map(str::to_owned).chain(traced.map(|(_, v)| v.trim().to_owned()));
    all.filter_map(|a| canonical(&a)).take(50).collect()
}

fn content_type(part: &MessagePart) -> String {
    let Some(ct) = part.content_type() else { return "text/plain".to_owned() };
    format!("{}/{}", ct.ctype(), ct.subtype().unwrap_or("plain")).to_lowercase()
}

fn is_attached(part: &MessagePart) -> bool {
    part.content_disposition().is_some_and(|d| d.ctype().eq_ignore_ascii_case("attachment"))
}

/// The text that may hold orders: the plain part, else the HTML part, else a
/// text attachment (robot.md §1 item 6).
fn text_of(message: &Message) -> (Lines, Vec<String>) {
    let mut left_out = Vec::new();
    let parts = || message.parts.iter().take(PARTS_MAX);
    let plain = parts().find(|p| matches!(p.body, PartType::Text(_)) && !is_attached(p));
    let html = parts().find(|p| matches!(p.body, PartType::Html(_)) && !is_attached(p));
    let empty = |p: &&MessagePart| matches!(&p.body, PartType::Text(t) if t.chars().any(|c| !c.is_whitespace()));
    let attached = parts().find(|p| is_attached(p) && matches!(p.body, PartType::Text(_)));
    for part in parts() {
        let name = part.attachment_name().unwrap_or_default();
        let mime = content_type(part);
        if mime == "application/ms-tnef" || name.eq_ignore_ascii_case("winmail.dat") {
            left_out
                .push("a winmail.dat of Outlook, which is not read; send plain text".to_owned());
        } else if is_attached(part) && !mime.starts_with("text/") {
            left_out.push(format!("an attachment of type {mime}, which is not read"));
        }
    }
    let chosen = plain.filter(empty).or(html).or(attached).or(plain);
    let lines = chosen.map_or_else(Lines::default, part_lines);
    (lines, left_out)
}

fn part_lines(part: &MessagePart) -> Lines {
    match &part.body {
        PartType::Html(html) => body::html_lines(cut(html)),
        PartType::Text(text) => {
            let parameter = |name| part.content_type().and_then(|ct| ct.attribute(name));
            let is = |name, value: &str| {
                parameter(name).is_some_and(|v: &str| v.eq_ignore_ascii_case(value))
            };
            match is("format", "flowed") {
                true => body::flowed_lines(cut(text), is("delsp", "yes")),
                false => body::plain_lines(cut(text)),
            }
        }
        _ => Lines::default(),
    }
}

/// The start of a text that is too long to be looked at whole.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(TEXT_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
