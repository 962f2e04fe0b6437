//! Texts in charsets that the parser does not find: no field names the charset but a page does, or
//! its name comes from old programs.

use mail_parser::decoders::base64::base64_decode;
use mail_parser::decoders::charsets::DecoderFnc;
use mail_parser::decoders::charsets::map::charset_decoder;
use mail_parser::decoders::quoted_printable::quoted_printable_decode;
use mail_parser::{Encoding, Message, MessagePart, MimeHeaders, PartType};

/// Octets at the start of HTML within which its meta element may name a charset (HTML Standard
/// §4.2.5.4).
const META_WITHIN: usize = 1024;

/// The decoder of a charset, by its name; `None`: nobody knows it.
pub(super) fn decoder(name: &[u8]) -> Option<DecoderFnc> {
    renamed(name).or_else(|| charset_decoder(name))
}

/// The decoder of a charset that the parser does not know, or not by this name.
fn renamed(name: &[u8]) -> Option<DecoderFnc> {
    let name = name.trim_ascii().to_ascii_lowercase();
    match name.as_slice() {
        // Charsets that browsers no longer read, and their other names: Encoding Standard,
        // "replacement".
        b"iso-2022-kr" | b"csiso2022kr" | b"iso-2022-cn" | b"iso-2022-cn-ext" => Some(shifted),
        b"hz-gb-2312" | b"hz" => Some(braced),
        b"cp874" | b"ibm874" => charset_decoder(b"windows-874"),
        _ if name.starts_with(b"iso-2022-jp-") => charset_decoder(b"iso-2022-jp"),
        _ => None,
    }
}

/// ISO-2022-KR and -CN (RFC 1557, RFC 1922): orders are in their ASCII. Text between the signs that
/// leave ASCII and return to it is lost; one U+FFFD takes the place of each run.
fn shifted(octets: &[u8]) -> String {
    let mut out = String::new();
    let mut rest = octets.iter().copied().peekable();
    let mut is_out = false;
    while let Some(octet) = rest.next() {
        match octet {
            // The rest of an escape sequence, up to its last octet.
            0x1b => {
                let is_middle = |b: &u8| (0x20..0x30).contains(b);
                while rest.next_if(is_middle).is_some() {}
                rest.next();
            }
            0x0e => (is_out, out) = (true, out + "\u{fffd}"),
            0x0f => is_out = false,
            // Each line begins in ASCII.
            b'\n' => (is_out, out) = (false, out + "\n"),
            octet if !is_out => out.push(if octet.is_ascii() { octet.into() } else { '\u{fffd}' }),
            _ => {}
        }
    }
    out
}

/// HZ (RFC 1843): text between `~{` and `~}` within a line is lost in the same way. `~~` is a
/// tilde, and `~` at the end of a line joins it to the next.
fn braced(octets: &[u8]) -> String {
    let mut out = String::new();
    let mut rest = octets.iter().copied().filter(|b| *b != b'\r').peekable();
    let mut is_out = false;
    while let Some(octet) = rest.next() {
        let sign = rest.peek().copied().filter(|_| octet == b'~');
        match (octet, sign) {
            (_, Some(b'}')) if is_out => is_out = false,
            (b'\n', _) => (is_out, out) = (false, out + "\n"),
            _ if is_out => continue,
            (_, Some(b'{')) => (is_out, out) = (true, out + "\u{fffd}"),
            (_, Some(b'~')) => out.push('~'),
            (_, Some(b'\n')) => {}
            (octet, _) => {
                out.push(if octet.is_ascii() { octet.into() } else { '\u{fffd}' });
                continue;
            }
        }
        if sign.is_some() {
            rest.next();
        }
    }
    out
}

/// The text of a file without a type: UTF-16 with its mark, UTF-8, or else windows-1252. `None`: it
/// is not a text.
pub(super) fn file_text(octets: &[u8]) -> Option<String> {
    if octets.starts_with(&[0xff, 0xfe]) || octets.starts_with(&[0xfe, 0xff]) {
        return charset_decoder(b"utf-16").map(|decode| decode(octets));
    }
    if !is_text(octets) {
        return None;
    }
    match std::str::from_utf8(octets) {
        Ok(text) => Some(text.to_owned()),
        Err(_) => charset_decoder(b"windows-1252").map(|decode| decode(octets)),
    }
}

/// Whether octets may be a text in any charset: a program's own file is not.
fn is_text(octets: &[u8]) -> bool {
    !octets.iter().any(|b| b.is_ascii_control() && !b.is_ascii_whitespace())
}

/// Decodes a text again if the charset of its part is unknown to the parser or missing: as the
/// charset that is meant or that the HTML names, or else, if it is not UTF-8, as windows-1252,
/// which many programs use without naming it. `None`: the first reading holds.
pub(super) fn recoded(message: &Message, part: &MessagePart) -> Option<String> {
    let named = part.content_type().and_then(|ct| ct.attribute("charset"));
    // If a text claims to be UTF-8 but is not, it has lost letters on its way.
    let utf8 =
        |name: &str| ["utf-8", "utf8"].iter().any(|utf8| name.trim().eq_ignore_ascii_case(utf8));
    let (PartType::Text(text) | PartType::Html(text)) = &part.body else { return None };
    let html = matches!(part.body, PartType::Html(_));
    let other = named.and_then(|name| renamed(name.as_bytes()));
    let known = named.is_some_and(|name| utf8(name) || charset_decoder(name.as_bytes()).is_some());
    if other.is_none() && (known || !html && !text.contains('\u{fffd}')) {
        return None;
    }
    let (from, to) = (part.offset_body as usize, part.offset_end as usize);
    let raw = message.raw_message.get(from..to)?;
    let raw = match part.encoding {
        Encoding::None => raw.to_vec(),
        Encoding::QuotedPrintable => quoted_printable_decode(raw)?,
        Encoding::Base64 => base64_decode(raw)?,
    };
    if let Some(decode) = other {
        return Some(decode(&raw));
    }
    // A text that names UTF-16 in ASCII can't be UTF-16 (HTML Standard §13.2.3.2).
    let meta = || meta_charset(&raw).filter(|name| !name.starts_with(b"utf-16"));
    if html && let Some(decode) = meta().and_then(|name| decoder(&name)) {
        return Some(decode(&raw));
    }
    let windows = is_text(&raw) && std::str::from_utf8(&raw).is_err();
    windows.then(|| charset_decoder(b"windows-1252").map(|decode| decode(&raw))).flatten()
}

/// The charset that the meta element of HTML names.
fn meta_charset(html: &[u8]) -> Option<Vec<u8>> {
    const NAME: &[u8] = b"charset";
    let head = html[..html.len().min(META_WITHIN)].to_ascii_lowercase();
    let at = head.windows(NAME.len()).position(|w| w == NAME)? + NAME.len();
    let sign = |b: &u8| b.is_ascii_whitespace() || b"=\"'".contains(b);
    let name = head[at..].iter().skip_while(|b| sign(b));
    let name: Vec<u8> =
        name.take_while(|b| b.is_ascii_alphanumeric() || b"-_.:".contains(b)).copied().collect();
    (!name.is_empty()).then_some(name)
}
