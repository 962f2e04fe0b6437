//! The text of a mail: which of its parts may hold orders, and which are left out.

use std::collections::BTreeSet;
use std::fmt;

use mail_parser::{Message, MessagePart, MimeHeaders, PartType};
use serde::{Deserialize, Serialize};
use tongue::say;

use super::body::{self, Lines};
use super::charset::{decoder, file_text, recoded};
use super::html::html_lines;

/// The number of parts that are read; further parts of a mail are ignored.
pub(super) const PARTS_MAX: usize = 200;
/// Octets that are read of all texts in a mail's body, and of its file.
pub(super) const TEXT_MAX: usize = 200_000;
/// Lines that are read of them. A card has hundreds, the printout that it answers one or two
/// thousand.
const LINES_MAX: usize = 5_000;
/// Octets of a card in JSON.
const JSON_MAX: usize = 200_000;

/// A part of a mail that is not read. Its text is the object of a sentence, in the player's
/// language.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LeftOut {
    /// HTML that could not be turned into text.
    BadHtml,
    /// A winmail.dat.
    Outlook,
    /// An encrypted part.
    Encrypted,
    /// A part of this type, whose text is elsewhere.
    Elsewhere(String),
    /// A mail within the mail.
    Forwarded,
    /// A text in an unknown transfer encoding.
    Encoding,
    /// A second or later text file.
    SecondText,
    /// A picture.
    Picture,
    /// A part of this type.
    Part(String),
    /// An attached file of this type.
    Attachment(String),
    /// A file in a format older than MIME.
    WithinText,
    /// The rest of the texts, after this many kB.
    Rest(usize),
    /// The rest of them, after this many lines.
    Lines(usize),
    /// The rest of the mail, after this many parts.
    Parts(usize),
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = match self {
            Self::BadHtml => say!("HTML that could not be read; send plain text"),
            Self::Outlook => {
                say!("a winmail.dat of Outlook, which is not read; send plain text")
            }
            Self::Encrypted => {
                say!("an encrypted part, which can't be read; sign if you like, but do not encrypt")
            }
            Self::Elsewhere(media) => {
                say!("a part of type {media}, which is not read; send the text itself")
            }
            Self::Forwarded => say!("a forwarded mail, which is not read"),
            Self::Encoding => {
                say!("a text in an encoding that nobody knows; send it as plain text")
            }
            Self::SecondText => {
                say!("a second text file, of which nothing is read; send all in one")
            }
            Self::Picture => say!("a picture, which is not read"),
            Self::Part(media) => say!("a part of type {media}, which is not read"),
            Self::Attachment(media) => say!("an attachment of type {media}, which is not read"),
            Self::WithinText => say!("a file within its text, which is not read; send plain text"),
            Self::Rest(most) => {
                say!("a text of more than {most} kB, whose rest is not read; send less")
            }
            Self::Lines(most) => {
                say!("a text of more than {most} lines, whose rest is not read; send less")
            }
            Self::Parts(most) => say!("more than {most} parts; the others are not read"),
        };
        f.write_str(&said)
    }
}

/// The text of a mail.
#[derive(Default)]
pub(super) struct Text {
    /// Its lines.
    pub(super) lines: Lines,
    /// The lines of its first attached text file.
    pub(super) attached: Option<Lines>,
    /// The parts that were not read.
    pub(super) left_out: Vec<LeftOut>,
}

/// The text that may hold orders: all texts of the mail's body in their order, plain where there is
/// a plain form, otherwise from HTML; without any, an attached text file. Forwarded mails are not
/// read.
pub(super) fn text_of(message: &Message) -> Text {
    let mut text = Text::default();
    let mut read: BTreeSet<usize> = BTreeSet::new();
    let known = |ids: &[u32]| -> Vec<usize> {
        let ids = ids.iter().filter_map(|id| usize::try_from(*id).ok());
        ids.filter(|id| *id < PARTS_MAX && *id < message.parts.len()).collect()
    };
    let (plain, html) = (known(&message.text_body), known(&message.html_body));
    let body = |ids: &[usize], read: &mut BTreeSet<usize>, left_out: &mut Vec<LeftOut>| {
        let mut lines = Lines::default();
        let mut room = TEXT_MAX;
        for id in ids {
            let part = &message.parts[*id];
            let more = match &part.body {
                PartType::Html(html) => {
                    let recoded = recoded(message, part);
                    let html = recoded.as_deref().unwrap_or(html);
                    html_lines(cut(html, room)).unwrap_or_else(|| {
                        left_out.push(LeftOut::BadHtml);
                        Lines::default()
                    })
                }
                PartType::Text(_) if content_type(part) == "text/plain" => {
                    part_lines(message, part, room)
                }
                _ => continue,
            };
            read.insert(*id);
            left_out.extend(rest_of(part, room));
            room = room.saturating_sub(part.len());
            // Something that is not a text was between two texts.
            if !lines.0.is_empty() {
                lines.0.push((0, String::new()));
            }
            lines.0.extend(more.0);
        }
        left_out.extend(shortened(&mut lines));
        lines
    };
    let said = |l: &Lines| l.0.iter().any(|(_, l)| !l.trim().is_empty());
    let mut lines = body(&plain, &mut read, &mut text.left_out);
    let stands_in = lines.stands_in();
    if plain != html && (!said(&lines) || lines.glued() || stands_in) {
        let other = body(&html, &mut BTreeSet::new(), &mut Vec::new());
        if !said(&lines) || other.splits(&lines) || stands_in && other.lacks(&lines) {
            lines = body(&html, &mut read, &mut text.left_out);
        }
    }
    // A text with a name is a file, whether or not its program marks it as one.
    let is_file = |(id, p): &(usize, &MessagePart)| {
        !read.contains(id) && (is_text_file(p) || is_json_card(p))
    };
    let file = message.parts.iter().enumerate().take(PARTS_MAX).find(is_file);
    read.extend(file.map(|(id, _)| id));
    text.left_out.extend(file.and_then(|(_, p)| rest_of(p, TEXT_MAX)));
    let mut file = file.map(|(_, p)| part_lines(message, p, TEXT_MAX));
    text.left_out.extend(file.as_mut().and_then(shortened));
    // The HTML form of a text that was read says the same.
    let is_html = |id: &usize| matches!(message.parts[*id].body, PartType::Html(_));
    read.extend(html.into_iter().filter(is_html));
    text.left_out.extend(left_out(message, &read));
    if message.parts.len() > PARTS_MAX {
        text.left_out.push(LeftOut::Parts(PARTS_MAX));
    }
    let mut told = BTreeSet::new();
    text.left_out.retain(|what| told.insert(what.clone()));
    (text.lines, text.attached) = match said(&lines) {
        true => (lines, file),
        false => (file.unwrap_or_default(), None),
    };
    unwrap(&mut text);
    text
}

/// Whether a part is a text, or a file that is a text by its name and its octets: some programs
/// know no types.
fn is_text_file(part: &MessagePart) -> bool {
    match &part.body {
        PartType::Text(_) => content_type(part) == "text/plain",
        _ => text_of_file(part).is_some(),
    }
}

/// The text of a file without a specific type, if its name is that of a text.
fn text_of_file(part: &MessagePart) -> Option<String> {
    let (PartType::Binary(octets) | PartType::InlineBinary(octets)) = &part.body else {
        return None;
    };
    let name = part.attachment_name()?.to_lowercase();
    let named = [".txt", ".text"].iter().any(|end| name.ends_with(end));
    let of_none = content_type(part) == "application/octet-stream";
    (named && of_none).then(|| file_text(octets)).flatten()
}

/// Whether a part is a card as JSON, as players' programs send it. The name of its format
/// distinguishes it from other JSON, such as one of our printouts that comes back.
fn is_json_card(part: &MessagePart) -> bool {
    const FORM: &[u8] = b"fieldpost/card/";
    content_type(part) == "application/json"
        && part.contents().len() <= JSON_MAX
        && part.contents().windows(FORM.len()).any(|w| w == FORM)
}

/// The media type of a part in lower case.
pub(super) fn content_type(part: &MessagePart) -> String {
    let Some(ct) = part.content_type() else { return "text/plain".to_owned() };
    format!("{}/{}", ct.ctype(), ct.subtype().unwrap_or("plain")).to_lowercase()
}

/// Whether a part is meant as a file, not as text of the mail (RFC 2183 §2.2).
fn is_attached(part: &MessagePart) -> bool {
    part.content_disposition().is_some_and(|d| d.ctype().eq_ignore_ascii_case("attachment"))
}

/// The parts of a mail that are not read. `read` are those that are; pictures of an HTML text
/// belong to it.
fn left_out(message: &Message, read: &BTreeSet<usize>) -> Vec<LeftOut> {
    let mut out: Vec<LeftOut> = Vec::new();
    let of_html: BTreeSet<u32> = message
        .parts
        .iter()
        .take(PARTS_MAX)
        .filter(|p| content_type(p) == "multipart/related")
        .flat_map(|p| match &p.body {
            PartType::Multipart(children) => children.clone(),
            _ => Vec::new(),
        })
        .collect();
    for (id, part) in message.parts.iter().enumerate().take(PARTS_MAX) {
        let name = part.attachment_name().unwrap_or_default();
        let mime = content_type(part);
        let smime = mime == "application/pkcs7-mime" || mime == "application/x-pkcs7-mime";
        let shown: String = mime.chars().filter(char::is_ascii_graphic).take(60).collect();
        let within = u32::try_from(id).is_ok_and(|id| of_html.contains(&id));
        let text = matches!(&part.body, PartType::Text(_) | PartType::Html(_));
        let blank = match &part.body {
            PartType::Text(t) | PartType::Html(t) => t.chars().all(char::is_whitespace),
            _ => false,
        };
        let what = match () {
            () if mime == "application/ms-tnef" || name.eq_ignore_ascii_case("winmail.dat") => {
                LeftOut::Outlook
            }
            () if mime == "multipart/encrypted" || smime => LeftOut::Encrypted,
            () if mime == "message/partial" || mime == "message/external-body" => {
                LeftOut::Elsewhere(mime)
            }
            () if matches!(part.body, PartType::Message(_)) => LeftOut::Forwarded,
            () if matches!(part.body, PartType::Text(_)) && unknown_encoding(part) => {
                LeftOut::Encoding
            }
            () if read.contains(&id) || matches!(part.body, PartType::Multipart(_)) => continue,
            () if within && !is_attached(part) || mime.contains("signature") || blank => continue,
            () if is_json_card(part) || is_text_file(part) => LeftOut::SecondText,
            () if mime.starts_with("image/") => LeftOut::Picture,
            () if text && !is_attached(part) => LeftOut::Part(shown),
            () => LeftOut::Attachment(shown),
        };
        if !out.contains(&what) {
            out.push(what);
        }
    }
    out
}

/// Removes wrappers around a text that are in the text itself: a clear signature (RFC 9580 §7), and
/// files in formats older than MIME (uuencode, yEnc).
fn unwrap(text: &mut Text) {
    let lines = &mut text.lines.0;
    let at = |lines: &[(usize, String)], start: &str| {
        lines.iter().position(|(d, l)| *d == 0 && l.trim_end().starts_with(start))
    };
    if at(lines, "-----BEGIN PGP MESSAGE-----").is_some() {
        text.left_out.push(LeftOut::Encrypted);
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
        text.left_out.push(LeftOut::WithinText);
    }
}

/// The lines of a text part, up to `room` octets; none when its encoding is unknown.
fn part_lines(message: &Message, part: &MessagePart, room: usize) -> Lines {
    match &part.body {
        PartType::Text(_) if unknown_encoding(part) => Lines::default(),
        _ if is_json_card(part) => {
            body::plain_lines(cut(&String::from_utf8_lossy(part.contents()), room))
        }
        PartType::Text(text) => {
            let repaired = repaired(part, text).or_else(|| recoded(message, part));
            let text = repaired.as_deref().unwrap_or(text);
            let parameter = |name| part.content_type().and_then(|ct| ct.attribute(name));
            let is = |name, value: &str| {
                parameter(name).is_some_and(|v: &str| v.eq_ignore_ascii_case(value))
            };
            match is("format", "flowed") {
                true => body::flowed_lines(cut(text, room), is("delsp", "yes")),
                false => body::plain_lines(cut(text, room)),
            }
        }
        _ => text_of_file(part).map_or_else(Lines::default, |t| body::plain_lines(cut(&t, room))),
    }
}

/// Whether the transfer encoding of a text is unknown (RFC 2045 §6.4).
fn unknown_encoding(part: &MessagePart) -> bool {
    // Programs also write "8-bit" and "quoted printable".
    const KNOWN: [&str; 5] = ["7bit", "8bit", "binary", "quotedprintable", "base64"];
    let plain = |e: &str| e.to_lowercase().replace([' ', '-'], "");
    let named = part.content_transfer_encoding().map(plain);
    named.is_some_and(|e| !e.is_empty() && !KNOWN.contains(&e.as_str()))
}

/// The text of a base64 part that has characters outside the alphabet: they are ignored (RFC 2045
/// §6.8), and so is anything that a list appended after the end. `None`: the part needs no such
/// repair.
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
    match decoder(charset.as_bytes()) {
        Some(decode) => Some(decode(&bytes)),
        None => Some(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// The entry for a text that exceeds the room; `None`: all of it is read.
fn rest_of(part: &MessagePart, room: usize) -> Option<LeftOut> {
    (part.len() > room).then_some(LeftOut::Rest(TEXT_MAX / 1000))
}

/// Drops lines beyond the limit, and reports them.
fn shortened(lines: &mut Lines) -> Option<LeftOut> {
    let too_many = lines.0.len() > LINES_MAX;
    lines.0.truncate(LINES_MAX);
    too_many.then_some(LeftOut::Lines(LINES_MAX))
}

/// The start of a text, up to `room` octets.
pub(super) fn cut(text: &str, room: usize) -> &str {
    &text[..text.floor_char_boundary(room)]
}
