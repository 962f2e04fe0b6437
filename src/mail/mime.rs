//! Parses the bytes of a mail. Only this file, [`parts`](super::parts) and the tests use the MIME
//! library.

use std::borrow::Cow;

use bcder::decode::{Constructed, DecodeError, Source};
use bcder::{Mode, OctetString, Oid, Tag};
use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use serde::{Deserialize, Serialize};

use super::body::Lines;
use super::parts::{LeftOut, PARTS_MAX, TEXT_MAX, content_type, cut, text_of};

/// Levels of `multipart` in a mail, estimated from its boundary parameters before parsing.
const BOUNDARIES_MAX: usize = 100;
/// Header fields that a mail may have.
const FIELDS_MAX: usize = 1000;
/// Octets that the header of a mail may have.
const HEADER_MAX: usize = 256_000;
/// The number of answered mails that are kept, and how many of these are the first ones.
const ANSWERS_MAX: usize = 120;
const ANSWERS_FIRST: usize = 20;
/// The number of recipients of a mail that are read.
const ADDRESSES_MAX: usize = 50;
/// Fields in which servers note the address that they delivered a mail to, in lower case.
const DELIVERY_FIELDS: [&str; 4] =
    ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];

/// The author of a mail, as in its From field (RFC 5322 §3.6.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Author {
    /// One From field with one address, in the form of [`canonical`].
    One(String),
    /// No From field, or one without a valid address.
    Missing,
    /// Several From fields or addresses (RFC 5322 §3.6, RFC 7103 §7.5).
    Several,
}

/// A parsed mail.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ParsedMail {
    /// The author, as the mail names them.
    pub author: Author,
    /// Every address that the mail was sent to or delivered to, delivery fields first.
    pub recipients: Vec<String>,
    /// The addresses of To and Cc only.
    pub addressees: Vec<String>,
    /// Decoded subject; empty when there is none.
    pub subject: String,
    /// Message-ID without angle brackets.
    pub message_id: Option<String>,
    /// The ids in In-Reply-To and References, without angle brackets; if there are more than 120,
    /// the first and the last of them.
    pub answers: Vec<String>,
    /// Every header field as name and raw value, in their order.
    pub headers: Vec<(String, String)>,
    /// Media type of the whole mail, such as `multipart/report`, in lower case.
    pub content_type: String,
    /// The text that may hold orders.
    pub lines: Lines,
    /// The text of the first attached text file, if the body has text too.
    pub attached: Option<Lines>,
    /// Whether the mail is the answer of a calendar program to an invitation (RFC 5546).
    pub calendar_reply: bool,
    /// The parts of a report (RFC 6522), as media type and text; empty in other mails.
    pub report: Vec<(String, String)>,
    /// The parts that were not read, and why.
    pub left_out: Vec<LeftOut>,
}

impl ParsedMail {
    /// The trimmed value of the first header field with a name; case does not matter.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|(_, v)| v.trim())
    }
}

/// Why a mail can't be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Unreadable {
    /// There is no header field, so this is not a mail.
    #[error("no header field was found")]
    NoHeaders,
    /// So many multipart boundaries that parsing might take very long.
    #[error("{0} multipart boundaries, more than any mail program writes")]
    TooNested(usize),
    /// So many header fields that parsing might take very long.
    #[error("{0} header fields, more than any mail program writes")]
    TooManyFields(usize),
    /// A header of so many octets that parsing might take very long.
    #[error("a header of {0} octets, more than any mail program writes")]
    LongHeader(usize),
}

/// Parses a mail.
///
/// # Errors
/// [`Unreadable`] for bytes that are not a mail, or a mail that is built to be slow.
pub fn parse(bytes: &[u8]) -> Result<ParsedMail, Unreadable> {
    let boundaries = count_boundaries(bytes);
    if boundaries > BOUNDARIES_MAX {
        return Err(Unreadable::TooNested(boundaries));
    }
    let mended = mend(bytes);
    let bytes = mended.as_ref();
    let head = header_len(bytes);
    if head > HEADER_MAX {
        return Err(Unreadable::LongHeader(head));
    }
    let fields = bytes[..head].split(|b| *b == b'\n').filter(|l| begins_field(l)).count();
    if fields > FIELDS_MAX {
        return Err(Unreadable::TooManyFields(fields));
    }
    let message = MessageParser::default().parse(bytes).ok_or(Unreadable::NoHeaders)?;
    let signed = signed_within(&message);
    let headers: Vec<(String, String)> =
        message.headers_raw().map(|(n, v)| (n.to_owned(), v.to_owned())).collect();
    if headers.is_empty() {
        return Err(Unreadable::NoHeaders);
    }
    let text = match signed.as_deref().and_then(|inner| MessageParser::default().parse(inner)) {
        Some(inner) => text_of(&inner),
        None => text_of(&message),
    };
    let ids = [message.in_reply_to(), message.references()];
    let ids = ids.into_iter().flat_map(|v| v.clone().into_text_list().unwrap_or_default());
    let ids = ids.map(|id| id.trim_matches(['<', '>', ' ']).to_owned()).collect();
    Ok(ParsedMail {
        author: author(&message, &headers),
        recipients: recipients(&message, &headers),
        addressees: addressees(&message)
            .filter_map(|a| canonical(&a))
            .take(ADDRESSES_MAX)
            .collect(),
        subject: message.subject().unwrap_or_default().to_owned(),
        message_id: message.message_id().map(str::to_owned),
        answers: nearest(ids),
        content_type: content_type(message.root_part()),
        lines: text.lines,
        attached: text.attached,
        report: report_parts(&message),
        calendar_reply: message.parts.iter().take(PARTS_MAX).any(|p| {
            let method = p.content_type().and_then(|ct| ct.attribute("method"));
            content_type(p) == "text/calendar"
                && method.is_some_and(|m| !m.eq_ignore_ascii_case("publish"))
        }),
        left_out: text.left_out,
        headers,
    })
}

/// The answered mails that count: each is looked up, and a header may name thousands. Of these ids,
/// the first are what the mail answers, and the last are nearest in its thread.
fn nearest(mut ids: Vec<String>) -> Vec<String> {
    if ids.len() > ANSWERS_MAX {
        ids.drain(ANSWERS_FIRST..ids.len() - (ANSWERS_MAX - ANSWERS_FIRST));
    }
    ids
}

/// Counts the words that open a level of nesting: a cheap upper bound before parsing.
fn count_boundaries(bytes: &[u8]) -> usize {
    // The word may be in any text; in a parameter `=` or `*` follows it.
    let parameter = |after: &[u8]| {
        let next = after.iter().find(|b| !b.is_ascii_whitespace());
        next.is_some_and(|b| *b == b'=' || *b == b'*')
    };
    let count = |key: &[u8], parametric: bool| {
        let found =
            bytes.windows(key.len()).enumerate().filter(|(_, w)| w.eq_ignore_ascii_case(key));
        found.filter(|(i, _)| !parametric || parameter(&bytes[i + key.len()..])).count()
    };
    let media: [&[u8]; 3] = [b"message/rfc822", b"message/global", b"multipart/digest"];
    let wrapped = media.into_iter().map(|m| count(m, false)).max().unwrap_or(0);
    wrapped.max(count(b"boundary", true))
}

/// Repairs common faults of headers (RFC 7103 §7): blank lines or a byte order mark before it, no
/// blank line after it, a content field that is written twice, bytes of an old charset.
fn mend(bytes: &[u8]) -> Cow<'_, [u8]> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let blank = start.iter().take_while(|b| **b == b'\r' || **b == b'\n').count();
    let start = &start[blank.min(20)..];
    let head = &start[..header_len(start)];
    if head.len() > HEADER_MAX {
        // `parse` refuses this.
        return Cow::Borrowed(start);
    }
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let (mut out, mut dropped, mut at) = (Vec::with_capacity(head.len()), false, 0);
    let mut whole = true;
    for line in head.split_inclusive(|b| *b == b'\n') {
        let folded = line.first().is_some_and(|b| *b == b' ' || *b == b'\t');
        let plain = line.strip_suffix(b"\n").unwrap_or(line);
        let plain = plain.strip_suffix(b"\r").unwrap_or(plain);
        if !folded && !plain.is_empty() {
            let name = plain.split(|b| *b == b':').next().unwrap_or_default().to_ascii_lowercase();
            let field = plain.contains(&b':')
                && name
                    .iter()
                    .all(|b| b.is_ascii_graphic() || *b == b' ' || *b == b'\t' || *b >= 0x80);
            let torn = !field && at > 0 && is_header(&head[at + line.len()..]);
            if torn {
                // A foreign line; the header goes on after it (RFC 7103 §7.1).
                at += line.len();
                whole = false;
                dropped = true;
                continue;
            }
            if !field && !plain.starts_with(b"From ") && !plain.starts_with(b">From ") && at > 0 {
                // The body begins here, without a blank line before it.
                out.extend(b"\r\n");
                whole = false;
                break;
            }
            let content = name.starts_with(b"content-") && name.len() < 40;
            dropped = content && seen.contains(&name);
            if content && seen.len() < 50 {
                seen.push(name);
            }
        }
        at += line.len();
        if !dropped {
            out.extend(line);
        }
    }
    let rest = &start[at..];
    let text = String::from_utf8_lossy(&out);
    if out.len() == at && whole && at == head.len() && matches!(text, Cow::Borrowed(_)) {
        return Cow::Borrowed(start);
    }
    // Most programs that write other bytes than UTF-8 write Latin-1.
    let mut mended: Vec<u8> = match text {
        Cow::Borrowed(_) => out,
        Cow::Owned(_) => out.iter().map(|b| char::from(*b)).collect::<String>().into_bytes(),
    };
    mended.extend(rest);
    Cow::Owned(mended)
}

/// Whether text begins with two header fields that every mail has.
fn is_header(text: &[u8]) -> bool {
    const COMMON: [&[u8]; 9] = [
        b"date:",
        b"from:",
        b"to:",
        b"subject:",
        b"message-id:",
        b"in-reply-to:",
        b"references:",
        b"mime-version:",
        b"content-type:",
    ];
    let common = |line: &[u8]| {
        COMMON.iter().any(|f| line.len() >= f.len() && line[..f.len()].eq_ignore_ascii_case(f))
    };
    let fields = text.split(|b| *b == b'\n').take(2).filter(|l| common(l));
    fields.count() == 2
}

/// The length of the header: the octets before the first blank line.
pub(super) fn header_len(bytes: &[u8]) -> usize {
    let at = |pattern: &[u8]| bytes.windows(pattern.len()).position(|w| w == pattern);
    at(b"\n\r\n").into_iter().chain(at(b"\n\n")).min().unwrap_or(bytes.len())
}

/// Whether a line begins a header field, not a folded continuation.
fn begins_field(line: &[u8]) -> bool {
    line.first().is_some_and(|b| b.is_ascii_graphic() || *b >= 0x80) && line.contains(&b':')
}

/// Media types of parts that only reports have, whatever type the mail itself claims.
const REPORT_PARTS: [&str; 4] = [
    "message/delivery-status",
    "message/global-delivery-status",
    "message/disposition-notification",
    "message/feedback-report",
];

/// The parts of a report that are for programs; empty: the mail is not a report.
fn report_parts(message: &Message) -> Vec<(String, String)> {
    let names_one =
        |p: &MessagePart| REPORT_PARTS.iter().any(|t| content_type(p).eq_ignore_ascii_case(t));
    let marked = content_type(message.root_part()).starts_with("multipart/report");
    if !marked && !message.parts.iter().take(PARTS_MAX).any(names_one) {
        return Vec::new();
    }
    let parts = message.parts.iter().skip(1).take(PARTS_MAX);
    let text = |p: &MessagePart| match &p.body {
        PartType::Text(text) | PartType::Html(text) => cut(text, TEXT_MAX).to_owned(),
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
            String::from_utf8_lossy(&bytes[..bytes.len().min(TEXT_MAX)]).into_owned()
        }
        PartType::Message(inner) => {
            cut(&String::from_utf8_lossy(&inner.raw_message), TEXT_MAX).to_owned()
        }
        PartType::Multipart(_) => String::new(),
    };
    parts.map(|p| (content_type(p), text(p))).collect()
}

/// The author as in the From field.
fn author(message: &Message, headers: &[(String, String)]) -> Author {
    let fields = headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case("from")).count();
    let addresses = match message.from() {
        Some(Address::List(list)) => list.iter().filter_map(|a| a.address()).collect::<Vec<_>>(),
        Some(Address::Group(_)) => return Author::Several,
        None => Vec::new(),
    };
    match (fields, addresses.as_slice()) {
        (0, _) => Author::Missing,
        (1, [one]) if canonical(one).is_some() => {
            canonical(one).map_or(Author::Missing, Author::One)
        }
        (1, [] | [_]) => obsolete(headers).map_or(Author::Missing, Author::One),
        _ => Author::Several,
    }
}

/// The address of a From field in an obsolete form: with comments anywhere, or with a
/// route before it (RFC 5322 §4.4).
fn obsolete(headers: &[(String, String)]) -> Option<String> {
    let (_, value) = headers.iter().find(|(n, _)| n.eq_ignore_ascii_case("from"))?;
    if value.contains('"') {
        return None;
    }
    let plain = without_comments(value);
    let inside = match plain.rsplit_once('<') {
        Some((_, rest)) => rest.split('>').next().unwrap_or_default(),
        None => plain.as_str(),
    };
    let joined: String = inside.chars().filter(|c| !c.is_whitespace()).collect();
    let address = match joined.strip_prefix('@') {
        Some(route) => route.split_once(':').map_or("", |(_, a)| a),
        None => joined.as_str(),
    };
    canonical(address)
}

/// An address with its domain in lower case and as A-labels (RFC 5890 §2.3.2.1). `None`: the text
/// is not an address.
pub fn canonical(address: &str) -> Option<String> {
    let address = address.trim().trim_matches(['<', '>']);
    let (local, domain) = address.rsplit_once('@')?;
    let bad = |c: char| c.is_whitespace() || c.is_control() || "<>,;:\"()[]\\".contains(c);
    let plain = !local.is_empty() && !domain.is_empty() && address.len() <= 254;
    if !plain || address.contains(bad) || local.contains('@') {
        return None;
    }
    let domain = match domain.is_ascii() {
        true => domain.to_lowercase(),
        false => idna::domain_to_ascii(domain).ok()?,
    };
    Some(format!("{local}@{domain}"))
}

/// A header value without its comments, which may be nested (RFC 5322 §3.2.2). Separators
/// within quoted strings become `_`, so that the value can be split at separators.
pub fn without_comments(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let (mut depth, mut quoted) = (0u32, false);
    let mut chars = value.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted || depth > 0 => {
                chars.next();
            }
            '"' if depth == 0 => quoted = !quoted,
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth = depth.saturating_sub(1),
            // A separator within quotes does not separate.
            ';' | '=' if quoted => out.push('_'),
            c if c.is_whitespace() && quoted => out.push('_'),
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// The hop by which a mail came to our provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// Address of the host that handed over the mail.
    pub ip: std::net::IpAddr,
    /// The name that the host gave in HELO or EHLO.
    pub helo: String,
    /// Envelope sender, from the Return-Path field; empty for a null return path.
    pub mail_from: String,
}

/// The hop in the topmost Received field that the server `by` wrote (RFC 5321 §4.4). `None`: there
/// is no such field, or it has no IP address.
pub fn received(bytes: &[u8], by: &str) -> Option<Hop> {
    let message = MessageParser::default().parse_headers(bytes)?;
    let name = |host: Option<&mail_parser::Host>| host.map(ToString::to_string).unwrap_or_default();
    let fields = message.header_values("Received").filter_map(|v| match v {
        mail_parser::HeaderValue::Received(r) => Some(r),
        _ => None,
    });
    let mut ours = fields.filter(|r| name(r.by()).eq_ignore_ascii_case(by));
    let hop = ours.next()?;
    let path = message.return_address().unwrap_or_default();
    Some(Hop {
        ip: hop.from_ip()?,
        helo: name(hop.helo().or(hop.from())),
        mail_from: canonical(path).unwrap_or_default(),
    })
}

/// Whether two addresses are the same mailbox. Case does not matter, not even in the local part:
/// RFC 5321 §2.4 would allow such mailboxes to differ, but at no provider in use they do.
pub fn same_address(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The common form of all addresses of one mailbox: without the part after a plus, in lower case,
/// and at Gmail, which has two domains, without dots. It is for comparing, not for mail.
pub fn one_mailbox(address: &str) -> String {
    let address = address.to_lowercase();
    let Some((local, domain)) = address.rsplit_once('@') else { return address };
    let local = match local.split_once('+') {
        Some((before, _)) if !before.is_empty() => before,
        _ => local,
    };
    match domain {
        "gmail.com" | "googlemail.com" => format!("{}@gmail.com", local.replace('.', "")),
        _ => format!("{local}@{domain}"),
    }
}

/// The addresses of To and Cc.
fn addressees(message: &Message) -> impl Iterator<Item = String> {
    let fields = [message.to(), message.cc()];
    let listed = fields.into_iter().flatten().flat_map(|a| a.iter()).filter_map(|a| a.address());
    listed.map(str::to_owned)
}

/// All addresses that a mail went to. Those of delivery fields come first, so that the limit never
/// cuts them off in a mail with very many recipients.
fn recipients(message: &Message, headers: &[(String, String)]) -> Vec<String> {
    let delivery = |name: &str| DELIVERY_FIELDS.iter().any(|f| name.eq_ignore_ascii_case(f));
    let delivered = headers.iter().filter(|(n, _)| delivery(n));
    let all = delivered.map(|(_, v)| v.trim().to_owned()).chain(addressees(message));
    all.filter_map(|a| canonical(&a)).take(ADDRESSES_MAX).collect()
}

/// The mail inside an S/MIME signature that wraps it (RFC 8551 §3.5.2), in DER, or in BER as
/// written by programs that sign while sending. The signature is not verified, because it proves
/// nothing here.
fn signed_within(message: &Message) -> Option<Vec<u8>> {
    let root = message.root_part();
    let mime = content_type(root);
    if mime != "application/pkcs7-mime" && mime != "application/x-pkcs7-mime" {
        return None;
    }
    let (PartType::Binary(bytes) | PartType::InlineBinary(bytes)) = &root.body else { return None };
    let mut found = None;
    // Reading ends after the text, which the library reports as an error.
    let _ = Mode::Ber.decode(&bytes[..], |info| signed_text(info, &mut found));
    let inner = found?.to_bytes().to_vec();
    let boundaries = count_boundaries(&inner);
    // The limit of nesting holds for the inner mail too.
    (boundaries <= BOUNDARIES_MAX).then_some(inner)
}

/// Finds the content that a ContentInfo of SignedData encapsulates (RFC 5652 §3, §5.1); nothing if
/// the signed text is elsewhere. Reading ends there, with an error.
fn signed_text<S: Source>(
    info: &mut Constructed<S>,
    found: &mut Option<OctetString>,
) -> std::result::Result<(), DecodeError<S::Error>> {
    info.take_sequence(|info| {
        Oid::skip_in(info)?;
        info.take_constructed_if(Tag::CTX_0, |content| {
            content.take_sequence(|signed| {
                // Skips the version and the set of digests.
                signed.skip_one()?;
                signed.skip_one()?;
                signed.take_sequence(|text| {
                    Oid::skip_in(text)?;
                    *found = text.take_opt_constructed_if(Tag::CTX_0, OctetString::take_from)?;
                    Ok(())
                })?;
                Err(signed.content_err("the rest proves nothing"))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_delivery_field_names_a_recipient() {
        let fields = [
            "Delivered-To: robot+a@fieldpost.example",
            "X-Original-To: robot+a@fieldpost.example",
            "Envelope-To: robot+a@fieldpost.example",
            "X-Envelope-To: robot+a@fieldpost.example",
        ];
        assert_eq!(DELIVERY_FIELDS.len(), fields.len(), "every row has one case");
        for field in fields {
            let mail = format!("From: p@example.org\nTo: club@example.org\n{field}\n\nx\n");
            let mail = parse(mail.as_bytes()).expect("a mail");
            assert_eq!(mail.recipients, ["robot+a@fieldpost.example", "club@example.org"]);
            assert_eq!(mail.addressees, ["club@example.org"], "{field}");
        }
    }

    #[test]
    fn a_charset_that_no_field_names_is_found_in_the_html_or_is_that_of_windows() {
        let first = |head: &str, body: &[u8]| {
            let head = format!("From: p@example.org\nMIME-Version: 1.0\nContent-Type: {head}\n\n");
            let mail = parse(&[head.as_bytes(), body].concat()).expect("a mail");
            mail.lines.0.first().map(|l| l.1.clone()).unwrap_or_default()
        };
        let koi = |meta: &str| {
            let text = [0xce, 0xc5, 0xd4];
            [meta.as_bytes(), b"<p>N 1 1 ", &text, b"</p>"].concat()
        };
        for meta in [
            "<meta charset=koi8-r>",
            "<meta charset=\"KOI8-R\">",
            "<meta http-equiv='Content-Type' content='text/html; charset=koi8-r'>",
        ] {
            assert_eq!(first("text/html", &koi(meta)), "N 1 1 \u{43d}\u{435}\u{442}", "{meta}");
        }
        // A page whose octets are ASCII is not UTF-16.
        let utf16 = [&b"<meta charset=utf-16>"[..], "<p>K\u{f6}ln".as_bytes()].concat();
        assert_eq!(first("text/html", &utf16), "K\u{f6}ln");
        // The field comes before the element.
        assert!(
            first("text/html; charset=windows-1251", &koi("<meta charset=koi8-r>"))
                .contains('\u{41e}')
        );
        for head in
            ["text/plain", "text/plain; charset=ansi", "text/html", "text/html; charset=\"\""]
        {
            assert_eq!(first(head, b"N 1 1 K\xf6ln"), "N 1 1 K\u{f6}ln", "{head}");
            assert_eq!(first(head, "N 1 1 K\u{f6}ln".as_bytes()), "N 1 1 K\u{f6}ln", "{head}");
        }
        // If a text claims to be UTF-8 but is not, it has lost letters; a program's own file is not
        // read as windows-1252.
        assert!(first("text/plain; charset=UTF-8", b"N 1 1 K\xf6ln").contains('\u{fffd}'));
        assert!(first("text/plain", b"PK\x03 \x98\xae").contains('\u{fffd}'));
        let coded = "text/plain\nContent-Transfer-Encoding: quoted-printable";
        assert_eq!(first(coded, b"N 1 1 K=F6ln"), "N 1 1 K\u{f6}ln");
        let coded = "text/plain\nContent-Transfer-Encoding: base64";
        assert_eq!(first(coded, b"TiAxIDEgS/Zsbg=="), "N 1 1 K\u{f6}ln");
    }

    #[test]
    fn orders_in_charsets_of_old_programs_are_read_and_other_letters_lost() {
        let lines = |charset: &str, body: &[u8]| {
            let head = format!("From: p@example.org\nContent-Type: text/plain; charset={charset}");
            let mail = parse(&[head.as_bytes(), b"\n\n", body].concat()).expect("a mail");
            mail.lines.0.into_iter().map(|l| l.1).collect::<Vec<_>>().join("/")
        };
        let korean = b"\x1b$)CM 3 13 \x0e@!\x0f 2\n\x0eM4\nC 1 1\n";
        for charset in ["iso-2022-kr", "ISO-2022-CN"] {
            assert_eq!(lines(charset, korean), "M 3 13 \u{fffd} 2/\u{fffd}/C 1 1/");
        }
        let chinese = b"M 3 13 ~{M4~} 2 ~~\n~{M 3\nC 1~\n 1\n";
        for charset in ["hz-gb-2312", "HZ"] {
            assert_eq!(lines(charset, chinese), "M 3 13 \u{fffd} 2 ~/\u{fffd}/C 1 1/");
        }
        let japanese = b"M 3 13 \x1b$BKL\x1b(B\nC 1 1\n";
        for charset in ["iso-2022-jp", "iso-2022-jp-ms", "iso-2022-jp-2004"] {
            assert_eq!(lines(charset, japanese), "M 3 13 \u{5317}/C 1 1/", "{charset}");
        }
        assert_eq!(lines("cp874", b"M 3 13 \xa1"), "M 3 13 \u{e01}");
        // Nobody knows this charset, so its ASCII is read.
        assert!(lines("cp437", b"M 3 13 \x81").starts_with("M 3 13 "));
    }

    #[test]
    fn what_stands_in_place_of_a_page_is_not_its_text() {
        let plain = |text: &str| format!("Content-Type: text/plain\n\n{text}\n");
        let page = "Content-Type: text/html\n\n<p>A 1 2</p><p>M 3 4</p>\n";
        let read = |text: &str| parts("alternative", &[&plain(text), page]).0;
        for text in [
            "Your mail client does not support HTML.",
            "Diese Nachricht ist im HTML-Format.\nBitte \u{f6}ffnen Sie sie im Browser.",
            "View this message in a browser:\nhttps://mail.example/v/1",
        ] {
            assert_eq!(read(text), "A 1 2/M 3 4", "{text}");
        }
        // A page that says the same, a longer text, and a mail without a page.
        assert_eq!(read("A 1 2\nhttps://club.example"), "A 1 2/https://club.example");
        assert_eq!(read("M 5 6\nM 5 7\nM 5 8\nno HTML"), "M 5 6/M 5 7/M 5 8/no HTML");
        assert_eq!(read("M 5 6\nM 5 7"), "M 5 6/M 5 7");
        let alone = parts("alternative", &[&plain("no HTML"), "Content-Type: text/html\n\n<p>"]);
        assert_eq!(alone.0, "no HTML");
    }

    #[test]
    fn a_file_without_a_type_is_a_text_by_its_name_and_octets() {
        let file = |name: &str, body: &str| {
            format!(
                "Content-Type: application/octet-stream; name={name}\nContent-Disposition: \
                 attachment; filename={name}\nContent-Transfer-Encoding: base64\n\n{body}\n"
            )
        };
        let of = |octets: &[u8]| data_encoding::BASE64.encode(octets);
        let text = "Content-Type: text/plain\n\nhere they are\n";
        let utf16: Vec<u8> = "\u{feff}M 3 4".encode_utf16().flat_map(u16::to_le_bytes).collect();
        for octets in [b"M 3 4".as_slice(), b"\xef\xbb\xbfM 3 4", &utf16] {
            let read = parts("mixed", &[text, &file("orders.TXT", &of(octets))]);
            assert_eq!((read.0.as_str(), read.1.as_str()), ("here they are", "M 3 4"));
            assert_eq!(read.2, Vec::<String>::new());
        }
        let latin = parts("mixed", &[text, &file("o.text", &of(b"N 1 1 K\xf6ln"))]);
        assert_eq!(latin.1, "N 1 1 K\u{f6}ln");
        for (name, octets) in [("orders.doc", &b"M 3 4"[..]), ("orders.txt", b"PK\x03\x04 M 3 4")] {
            let read = parts("mixed", &[text, &file(name, &of(octets))]);
            assert_eq!(read.1, "", "{name}");
            assert!(read.2[0].contains("application/octet-stream"), "{:?}", read.2);
        }
        let two = [text, &file("a.txt", &of(b"M 3 4")), &file("b.txt", &of(b"M 5 6"))];
        assert!(parts("mixed", &two).2[0].contains("a second text file"));
    }

    /// The lines of a mail of parts, the lines of its file, and what was left out.
    fn parts(kind: &str, parts: &[&str]) -> (String, String, Vec<String>) {
        let parts: String = parts.iter().map(|p| format!("--b\n{p}\n")).collect();
        let mail = format!(
            "From: p@example.org\nMIME-Version: 1.0\n\
             Content-Type: multipart/{kind}; boundary=b\n\n{parts}--b--\n"
        );
        let mail = parse(mail.as_bytes()).expect("a mail");
        let text = |lines: Lines| {
            let lines = lines.0.into_iter().map(|l| l.1).filter(|l| !l.trim().is_empty());
            lines.collect::<Vec<_>>().join("/")
        };
        let left_out = mail.left_out.iter().map(LeftOut::to_string).collect();
        (text(mail.lines), mail.attached.map(text).unwrap_or_default(), left_out)
    }

    const PICTURE: &str = "Content-Type: image/png; name=map.png\nContent-Disposition: inline\n\
                           Content-Transfer-Encoding: base64\n\niVBORw0KGgo=";

    #[test]
    fn e3_every_text_of_a_mail_is_read_and_what_is_not_is_named() {
        let plain = |text: &str| format!("Content-Type: text/plain\n\n{text}\n");
        let html = |text: &str| format!("Content-Type: text/html\n\n<p>{text}</p>\n");
        let named = |text: &str, how: &str| {
            format!(
                "Content-Type: text/plain; name=o.txt\nContent-Disposition: {how}; \
                 filename=o.txt\n\n{text}\n"
            )
        };
        let (one, two) = (plain("A 1 2"), plain("M 3 4"));
        let is = |found: (String, String, Vec<String>), text: &str, file: &str, left: &[&str]| {
            assert_eq!((found.0.as_str(), found.1.as_str()), (text, file), "{:?}", found.2);
            assert_eq!(found.2.len(), left.len(), "{:?}", found.2);
            assert!(left.iter().all(|l| found.2.iter().any(|f| f.contains(l))), "{:?}", found.2);
        };
        // Apple Mail puts a picture between two texts.
        is(parts("mixed", &[&one, PICTURE, &two]), "A 1 2/M 3 4", "", &["a picture"]);
        let (h1, h2) = (html("A 1 2"), html("M 3 4"));
        is(parts("mixed", &[&h1, PICTURE, &h2]), "A 1 2/M 3 4", "", &["a picture"]);
        is(parts("mixed", &[&one, &two]), "A 1 2/M 3 4", "", &[]);
        is(parts("alternative", &[&one, &h1]), "A 1 2", "", &[]);
        is(parts("alternative", &[&plain(" "), &h1]), "A 1 2", "", &[]);
        is(parts("related", &[&h1, PICTURE]), "A 1 2", "", &[]);
        // A file, named as one or sent inline; a second one is reported.
        for how in ["attachment", "inline"] {
            is(parts("mixed", &[&one, &named("M 3 4", how)]), "A 1 2", "M 3 4", &[]);
            is(parts("mixed", &[&plain(" "), &named("M 3 4", how)]), "M 3 4", "", &[]);
            let files = [one.as_str(), &named("M 3 4", how), &named("M 5 6", how)];
            is(parts("mixed", &files), "A 1 2", "M 3 4", &["a second text file"]);
        }
        is(
            parts("mixed", &[&one, &named("M 3 4", "attachment"), &two]),
            "A 1 2/M 3 4",
            "M 3 4",
            &[],
        );
        let table = "Content-Type: text/csv; name=x.csv\nContent-Disposition: attachment\n\n1,2";
        is(parts("mixed", &[&one, table]), "A 1 2", "", &["text/csv"]);
        let page = "Content-Type: text/html; name=x\nContent-Disposition: attachment\n\n<p>M 3 4";
        is(parts("mixed", &[&one, page]), "A 1 2", "", &["text/html"]);
        // Parts that are read only up to the limit: a text, its HTML form, a file. At the limit
        // exactly, all is read.
        let long = "x ".repeat(TEXT_MAX / 2) + "M 3 4";
        let fits = "x ".repeat(TEXT_MAX / 2 - 1);
        assert_eq!(parts("mixed", &[&plain(&fits)]).2, Vec::<String>::new());
        for part in [plain(&long), html(&long), named(&long, "attachment")] {
            let (text, _, left) = parts("mixed", &[&part]);
            assert_eq!(left.len(), 1, "{left:?}");
            assert!(left[0].contains("more than 200 kB") && !text.contains("M 3 4"), "{left:?}");
        }
    }

    #[test]
    fn base64_with_signs_of_no_alphabet_is_read_as_what_is_left() {
        let text = "A 1 2 ;???>>>~~~";
        let letters = data_encoding::BASE64.encode(text.as_bytes());
        assert!(letters.contains('+') && letters.contains('/'), "{letters}");
        let whole = letters.trim_end_matches('=');
        for coded in [letters.clone(), format!("{}!*{}", &whole[..5], &whole[5..])] {
            // An extra letter at the end is ignored.
            for end in ["", "Q", "\n=\nlist footer"] {
                let body = format!("!{coded}{end}\n");
                let mail =
                    format!("From: p@example.org\nContent-Transfer-Encoding: base64\n\n{body}");
                let mail = parse(mail.as_bytes()).expect("a mail");
                let lines: Vec<String> = mail.lines.0.into_iter().map(|l| l.1).collect();
                assert!(lines.join("").starts_with(text), "{body}: {lines:?}");
            }
        }
    }

    #[test]
    fn a_file_within_the_text_ends_it_and_prose_that_begins_like_one_does_not() {
        let read = |line: &str| {
            let mail = format!("From: p@example.org\n\nA 1 2\n{line}\nM 3 122\n");
            let mail = parse(mail.as_bytes()).expect("a mail");
            let lines: Vec<String> = mail.lines.0.into_iter().map(|l| l.1).collect();
            (lines, mail.left_out.len())
        };
        for line in ["begin 644 plan.zip", "begin 0755 x", "=ybegin line=128 size=9 name=x"] {
            let cut = read(line);
            assert_eq!((cut.0.join(" ").trim(), cut.1), ("A 1 2", 1), "{line}");
        }
        for line in ["begin the attack", "begin 64 plan.zip", "begin 689 x", "begin 644", "begin"] {
            let whole = read(line);
            assert_eq!(whole.0.join(" ").trim(), format!("A 1 2 {line} M 3 122"));
            assert_eq!(whole.1, 0, "{line}");
        }
    }

    #[test]
    fn an_address_has_one_reading_or_none() {
        for (address, read) in [
            (" <Anna@EXAMPLE.org> ", "Anna@example.org"),
            ("anna@m\u{fc}ller.example", "anna@xn--mller-kva.example"),
            ("o'neill+w7.1@x.example", "o'neill+w7.1@x.example"),
        ] {
            assert_eq!(canonical(address).as_deref(), Some(read), "{address}");
        }
        for wrong in [
            "",
            "anna",
            "@x.example",
            "anna@",
            "a b@x.example",
            "a\r\nb@x.example",
            "a@b@x.example",
            "a;b@x.example",
            "a,b@x.example",
            "\"a\"@x.example",
            "a@[192.0.2.7]",
            "a<b@x.example",
            "a(b)@x.example",
            "a\\b@x.example",
            "a:b@x.example",
            "a@x\u{0}.example",
        ] {
            assert_eq!(canonical(wrong), None, "{wrong:?}");
        }
        let long = format!("{}@x.example", "a".repeat(245));
        assert_eq!((canonical(&long[1..]).is_some(), canonical(&long).is_some()), (true, false));
    }

    #[test]
    fn comments_end_where_they_end_and_quoted_separators_separate_nothing() {
        for (value, plain) in [
            ("a (b) c", "a  c"),
            ("a (b (c) d) e", "a  e"),
            ("a (b \\) c) d", "a  d"),
            ("\"a (b\" c", "a_(b c"),
            ("\"a \\\"; b\" c", "a___b c"),
            ("\"a;b=c\" d", "a_b_c d"),
            ("a \\(b) c", "a \\ c"),
            ("a (b", "a "),
            ("a) b", "a b"),
        ] {
            assert_eq!(without_comments(value), plain, "{value}");
        }
    }

    #[test]
    fn a_line_that_is_no_field_ends_the_header_but_not_as_the_first() {
        let text = |mail: &str| {
            let mail = parse(mail.as_bytes()).expect("a mail");
            let lines: Vec<String> = mail.lines.0.into_iter().map(|l| l.1).collect();
            (mail.author, lines.join(" ").trim().to_owned())
        };
        let author = Author::One("p@example.org".to_owned());
        let body = text("From: p@example.org\nA 1 2\nM 3 122\n");
        assert_eq!(body, (author.clone(), "A 1 2 M 3 122".to_owned()));
        // Some hosts write an extra line before the header.
        let first = text("a line of a host\nFrom: p@example.org\n\nA 1 2\n");
        assert_eq!(first, (author.clone(), "A 1 2".to_owned()));
        // A line with a colon but an impossible field name counts as foreign, too.
        let strange = "X-One: 1\nFr\u{1}om: q@example.org\n";
        let mail = format!("{strange}From: p@example.org\nSubject: x\n\nA 1 2\n");
        assert_eq!(text(&mail), (author, "A 1 2".to_owned()));
        assert!(
            !parse(mail.as_bytes()).expect("a mail").headers.iter().any(|h| h.0.contains('\u{1}'))
        );
    }
}
