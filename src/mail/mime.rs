//! Bytes to a parsed mail; the MIME library is used here and nowhere else.

use std::borrow::Cow;

use mail_parser::{Address, Message, MessageParser, MessagePart, MimeHeaders, PartType};
use serde::{Deserialize, Serialize};

use super::body::{self, Lines};
use super::html::html_lines;

/// Parts that are looked at; a mail with more is read no further.
const PARTS_MAX: usize = 200;
/// Depth of `multipart` in a mail, counted by boundary parameters before parsing.
const BOUNDARIES_MAX: usize = 100;
/// Octets of text that are looked at.
const TEXT_MAX: usize = 200_000;
/// Octets of a card in JSON, at most.
const JSON_MAX: usize = 200_000;
/// Header fields, and octets of the header, that a mail may have.
const FIELDS_MAX: usize = 1000;
const HEADER_MAX: usize = 256_000;

/// Who a mail says it is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Sender {
    /// One From field with one address, lower case in its domain.
    One(String),
    /// No From field, or none with an address.
    Missing,
    /// Several From fields or addresses (RFC 5322 §3.6, RFC 7103 §7.5).
    Several,
}

/// A mail taken apart.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ParsedMail {
    pub sender: Sender,
    /// Every address that the mail was sent to or delivered to.
    pub recipients: Vec<String>,
    /// Those of its To and Cc alone.
    pub addressees: Vec<String>,
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
    /// The text of the first attached text file, where the body has text too.
    pub attached: Option<Lines>,
    /// The answer of a calendar program to an invitation (RFC 5546).
    pub calendar_reply: bool,
    /// Parts of a report (RFC 6522), as media type and text.
    pub report: Vec<(String, String)>,
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
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Unreadable {
    #[error("no header field was found")]
    NoHeaders,
    #[error("{0} multipart boundaries, more than any mail program writes")]
    TooNested(usize),
    #[error("{0} header fields, more than any mail program writes")]
    TooManyFields(usize),
    #[error("a header of {0} octets, more than any mail program writes")]
    LongHeader(usize),
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
    Ok(ParsedMail {
        sender: sender(&message, &headers),
        recipients: recipients(&message, &headers),
        addressees: addressees(&message).filter_map(|a| canonical(&a)).take(50).collect(),
        subject: message.subject().unwrap_or_default().to_owned(),
        message_id: message.message_id().map(str::to_owned),
        answers: ids.map(|id| id.trim_matches(['<', '>', ' ']).to_owned()).collect(),
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

/// Occurrences of what opens a level: a cheap bound on nesting, before any parsing.
fn count_boundaries(bytes: &[u8]) -> usize {
    // The word alone may stand in any text; a parameter has a sign behind it.
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

/// A mail whose header is broken in a way that programs and people bring about, put
/// right (RFC 7103 §7): blank lines or a byte order mark before it, a body without a
/// blank line before it, a content field written twice, bytes of an old charset.
fn mend(bytes: &[u8]) -> Cow<'_, [u8]> {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let blank = start.iter().take_while(|b| **b == b'\r' || **b == b'\n').count();
    let start = &start[blank.min(20)..];
    let head = &start[..header_len(start)];
    if head.len() > HEADER_MAX {
        // Refused in any case.
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
            if !field && !plain.starts_with(b"From ") && !plain.starts_with(b">From ") && at > 0 {
                // The body begins here.
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
    // Bytes that are no UTF-8 are Latin-1 in most programs that write such things.
    let mut mended: Vec<u8> = match text {
        Cow::Borrowed(_) => out,
        Cow::Owned(_) => out.iter().map(|b| char::from(*b)).collect::<String>().into_bytes(),
    };
    mended.extend(rest);
    Cow::Owned(mended)
}

/// Octets before the first blank line.
fn header_len(bytes: &[u8]) -> usize {
    let at = |pattern: &[u8]| bytes.windows(pattern.len()).position(|w| w == pattern);
    at(b"\n\r\n").into_iter().chain(at(b"\n\n")).min().unwrap_or(bytes.len())
}

fn begins_field(line: &[u8]) -> bool {
    line.first().is_some_and(|b| b.is_ascii_graphic() || *b >= 0x80) && line.contains(&b':')
}

/// The parts of a report that programs read.
fn report_parts(message: &Message) -> Vec<(String, String)> {
    if !content_type(message.root_part()).starts_with("multipart/report") {
        return Vec::new();
    }
    let parts = message.parts.iter().skip(1).take(PARTS_MAX);
    let text = |p: &MessagePart| match &p.body {
        PartType::Text(text) | PartType::Html(text) => cut(text).to_owned(),
        PartType::Binary(bytes) | PartType::InlineBinary(bytes) => {
            String::from_utf8_lossy(&bytes[..bytes.len().min(TEXT_MAX)]).into_owned()
        }
        PartType::Message(inner) => cut(&String::from_utf8_lossy(&inner.raw_message)).to_owned(),
        PartType::Multipart(_) => String::new(),
    };
    parts.map(|p| (content_type(p), text(p))).collect()
}

fn sender(message: &Message, headers: &[(String, String)]) -> Sender {
    let fields = headers.iter().filter(|(n, _)| n.eq_ignore_ascii_case("from")).count();
    let addresses = match message.from() {
        Some(Address::List(list)) => list.iter().filter_map(|a| a.address()).collect::<Vec<_>>(),
        Some(Address::Group(_)) => return Sender::Several,
        None => Vec::new(),
    };
    match (fields, addresses.as_slice()) {
        (0, _) => Sender::Missing,
        (1, [one]) if canonical(one).is_some() => {
            canonical(one).map_or(Sender::Missing, Sender::One)
        }
        (1, [] | [_]) => obsolete(headers).map_or(Sender::Missing, Sender::One),
        _ => Sender::Several,
    }
}

/// The address of a From in an obsolete form: comments anywhere, a route before it
/// (RFC 5322 §4.4).
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

/// An address with its domain in lower case and as an A-label (RFC 5890 §2.3.2.1);
/// `None` when it is none.
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

/// A header value without comments in brackets, which may be nested, and with quoted strings that
/// can't pass for something else.
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
            // Within quotes nothing parts.
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
    pub ip: std::net::IpAddr,
    pub helo: String,
    /// The return path.
    pub mail_from: String,
}

/// The topmost Received field that the server `by` wrote (RFC 5321 §4.4).
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

/// Whether two addresses are the same mailbox: domain and local part without
/// regard to case, for no provider in use tells them apart.
pub fn same_address(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

fn addressees(message: &Message) -> impl Iterator<Item = String> {
    let fields = [message.to(), message.cc()];
    let listed = fields.into_iter().flatten().flat_map(|a| a.iter()).filter_map(|a| a.address());
    listed.map(str::to_owned)
}

/// Delivery fields come first: a mail to very many has them too.
fn recipients(message: &Message, headers: &[(String, String)]) -> Vec<String> {
    let trace = ["delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];
    let traced = headers.iter().filter(|(n, _)| trace.iter().any(|t| n.eq_ignore_ascii_case(t)));
    let all = traced.map(|(_, v)| v.trim().to_owned()).chain(addressees(message));
    all.filter_map(|a| canonical(&a)).take(50).collect()
}

fn content_type(part: &MessagePart) -> String {
    let Some(ct) = part.content_type() else { return "text/plain".to_owned() };
    format!("{}/{}", ct.ctype(), ct.subtype().unwrap_or("plain")).to_lowercase()
}

fn is_attached(part: &MessagePart) -> bool {
    part.content_disposition().is_some_and(|d| d.ctype().eq_ignore_ascii_case("attachment"))
}

/// What a mail says.
#[derive(Default)]
struct Text {
    lines: Lines,
    attached: Option<Lines>,
    left_out: Vec<String>,
}

/// The text that may hold orders: the plain part, else the HTML part, else a
/// text attachment (robot.md §1 item 6). Forwarded mails are never looked into.
fn text_of(message: &Message) -> Text {
    let parts = || message.parts.iter().take(PARTS_MAX);
    let is_plain = |p: &&MessagePart| {
        matches!(p.body, PartType::Text(_)) && content_type(p) == "text/plain" && !is_attached(p)
    };
    let is_file = |p: &&MessagePart| {
        matches!(p.body, PartType::Text(_)) && is_attached(p) && content_type(p) == "text/plain"
            || is_json_card(p)
    };
    let written = |p: &&MessagePart| matches!(&p.body, PartType::Text(t) if t.chars().any(|c| !c.is_whitespace()));
    let plain = parts().find(|p| is_plain(p) && written(p));
    let html = parts().find(|p| matches!(p.body, PartType::Html(_)) && !is_attached(p));
    let file = parts().find(is_file).map(part_lines);
    let mut text = Text { left_out: left_out(message), ..Text::default() };
    let body = match (plain, html) {
        (Some(part), html) => {
            let lines = part_lines(part);
            let better = html.filter(|_| lines.glued()).and_then(|p| match &p.body {
                PartType::Html(html) => html_lines(cut(html)).filter(|h| h.splits(&lines)),
                _ => None,
            });
            Some(better.unwrap_or(lines))
        }
        (None, Some(part)) => match &part.body {
            PartType::Html(html) => html_lines(cut(html)).or_else(|| {
                text.left_out.push("HTML that could not be read; send plain text".to_owned());
                None
            }),
            _ => None,
        },
        (None, None) => None,
    };
    let said = |l: &Lines| l.0.iter().any(|(_, l)| !l.trim().is_empty());
    (text.lines, text.attached) = match body.filter(said) {
        Some(body) => (body, file),
        None => (file.unwrap_or_default(), None),
    };
    unwrap(&mut text);
    text
}

/// What the programs that players write send: a card as JSON, told from other JSON, such
/// as a printout of ours that comes back, by the name of its form.
fn is_json_card(part: &MessagePart) -> bool {
    const FORM: &[u8] = b"fieldpost/card/";
    content_type(part) == "application/json"
        && part.contents().len() <= JSON_MAX
        && part.contents().windows(FORM.len()).any(|w| w == FORM)
}

/// The mail within an S/MIME signature that wraps it (RFC 8551 §3.5.2). Whether the
/// signature is good is not asked; it proves nothing here.
fn signed_within(message: &Message) -> Option<Vec<u8>> {
    use cms::content_info::ContentInfo;
    use cms::signed_data::SignedData;
    use der::Decode;
    let root = message.root_part();
    let mime = content_type(root);
    if mime != "application/pkcs7-mime" && mime != "application/x-pkcs7-mime" {
        return None;
    }
    let (PartType::Binary(bytes) | PartType::InlineBinary(bytes)) = &root.body else { return None };
    let info = ContentInfo::from_der(bytes).ok()?;
    let signed: SignedData = info.content.decode_as().ok()?;
    let inner = signed.encap_content_info.econtent?.value().to_vec();
    let boundaries = count_boundaries(&inner);
    // What is wrapped may be no deeper than what comes unwrapped.
    (boundaries <= BOUNDARIES_MAX).then_some(inner)
}

/// What a mail has that is not read, in words for its sender.
fn left_out(message: &Message) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for part in message.parts.iter().take(PARTS_MAX) {
        let name = part.attachment_name().unwrap_or_default();
        let mime = content_type(part);
        let smime = mime == "application/pkcs7-mime" || mime == "application/x-pkcs7-mime";
        let what = match () {
            () if mime == "application/ms-tnef" || name.eq_ignore_ascii_case("winmail.dat") => {
                "a winmail.dat of Outlook, which is not read; send plain text".to_owned()
            }
            () if mime == "multipart/encrypted" || smime => {
                "an encrypted part, which can't be read; sign if you like, but do not encrypt"
                    .to_owned()
            }
            () if mime == "message/partial" || mime == "message/external-body" => {
                format!("a part of type {mime}, which is not read; send the text itself")
            }
            () if matches!(part.body, PartType::Message(_)) => {
                "a forwarded mail, which is not read".to_owned()
            }
            () if matches!(part.body, PartType::Text(_)) && unknown_encoding(part) => {
                "a text in an encoding that nobody knows; send it as plain text".to_owned()
            }
            () if is_json_card(part) => continue,
            () if is_attached(part)
                && !mime.starts_with("text/")
                && !mime.contains("signature") =>
            {
                let mime: String = mime.chars().filter(char::is_ascii_graphic).take(60).collect();
                format!("an attachment of type {mime}, which is not read")
            }
            () => continue,
        };
        if !out.contains(&what) {
            out.push(what);
        }
    }
    out
}

/// Takes off what wraps a text within the text: a clear signature (RFC 9580 §7),
/// and files in the form that was in use before MIME.
fn unwrap(text: &mut Text) {
    let lines = &mut text.lines.0;
    let at = |lines: &[(usize, String)], start: &str| {
        lines.iter().position(|(d, l)| *d == 0 && l.trim_end().starts_with(start))
    };
    if at(lines, "-----BEGIN PGP MESSAGE-----").is_some() {
        let what = "an encrypted part, which can't be read; sign if you like, but do not encrypt";
        text.left_out.push(what.to_owned());
        lines.clear();
    }
    if let Some(begin) = at(lines, "-----BEGIN PGP SIGNED MESSAGE-----") {
        let end = at(lines, "-----BEGIN PGP SIGNATURE-----").unwrap_or(lines.len());
        let blank = lines[begin..].iter().position(|(_, l)| l.trim().is_empty());
        let from = begin + blank.map_or(1, |n| n + 1);
        let signed = lines.get(from..end).unwrap_or_default().to_vec();
        let escaped = |l: String| l.strip_prefix("- ").map(str::to_owned).unwrap_or(l);
        lines.truncate(begin);
        lines.extend(signed.into_iter().map(|(d, l)| (d, escaped(l))));
    }
    let coded = |l: &str| {
        let mut words = l.split(' ');
        let mode = |m: &str| m.len() >= 3 && m.bytes().all(|b| (b'0'..=b'7').contains(&b));
        l.starts_with("=ybegin ")
            || words.next() == Some("begin")
                && words.next().is_some_and(mode)
                && words.next().is_some()
    };
    if let Some(begin) = lines.iter().position(|(d, l)| *d == 0 && coded(l)) {
        lines.truncate(begin);
        text.left_out.push("a file within its text, which is not read; send plain text".to_owned());
    }
}

fn part_lines(part: &MessagePart) -> Lines {
    match &part.body {
        PartType::Text(_) if unknown_encoding(part) => Lines::default(),
        _ if is_json_card(part) => {
            body::plain_lines(cut(&String::from_utf8_lossy(part.contents())))
        }
        PartType::Text(text) => {
            let repaired = repaired(part, text);
            let text = repaired.as_deref().unwrap_or(text);
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

/// Whether a text is encoded in a way that nobody knows (RFC 2045 §6.4).
fn unknown_encoding(part: &MessagePart) -> bool {
    // Programs write "8-bit" and "quoted printable" too.
    const KNOWN: [&str; 5] = ["7bit", "8bit", "binary", "quotedprintable", "base64"];
    let plain = |e: &str| e.to_lowercase().replace([' ', '-'], "");
    let named = part.content_transfer_encoding().map(plain);
    named.is_some_and(|e| !e.is_empty() && !KNOWN.contains(&e.as_str()))
}

/// A text in base64 with foreign characters in it (RFC 2045 §6.8): they are left out,
/// and what a list put behind the end is no part of it.
fn repaired(part: &MessagePart, text: &str) -> Option<String> {
    let named = part.content_transfer_encoding()?.trim().to_lowercase();
    if named != "base64" || !part.is_encoding_problem {
        return None;
    }
    let alphabet = |b: &u8| b.is_ascii_alphanumeric() || *b == b'+' || *b == b'/';
    let raw = text.as_bytes();
    let end = raw.iter().position(|b| *b == b'=').unwrap_or(raw.len());
    let mut letters: Vec<u8> = raw[..end].iter().copied().filter(alphabet).collect();
    if letters.len() % 4 == 1 {
        letters.pop();
    }
    let mut lenient = data_encoding::BASE64_NOPAD.specification();
    lenient.check_trailing_bits = false;
    let bytes = lenient.encoding().ok()?.decode(&letters).ok()?;
    let charset = part.content_type().and_then(|ct| ct.attribute("charset")).unwrap_or("utf-8");
    match mail_parser::decoders::charsets::map::charset_decoder(charset.as_bytes()) {
        Some(decode) => Some(decode(&bytes)),
        None => Some(String::from_utf8_lossy(&bytes).into_owned()),
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
