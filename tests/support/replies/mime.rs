//! From a letter to a mail: charsets, encodings, headers.

use super::Placed::{Above, Below, Between};
use super::*;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Raw,
    Printable,
    Base64,
    /// The language's own charset, quoted-printable.
    Classic,
}

pub(super) const ENCODINGS: [Encoding; 4] =
    [Encoding::Raw, Encoding::Printable, Encoding::Base64, Encoding::Classic];

impl Letter<'_> {
    /// The mail, or nothing if its charset lacks a character and it `must` use it.
    pub(super) fn write(
        &self,
        from: &str,
        to: &str,
        with: Encoding,
        bare: bool,
        must: bool,
    ) -> Option<Reply> {
        let mut body = (self.client.body)(self);
        if body.html.is_some() && bare {
            body.text = None;
        }
        if self.client.flowed {
            body.text = body.text.map(|text| stuff(&text));
        }
        let subject = self.subject();
        let parts = [body.text.as_deref(), body.html.as_deref(), Some(&subject)];
        let all = parts.iter().flatten().copied().chain([self.lang.person]);
        let fits = all.into_iter().all(|text| encode(self.lang.charset, text).is_some());
        let (charset, with) = match with {
            Encoding::Classic if fits => (self.lang.charset, with),
            Encoding::Classic if must => return None,
            Encoding::Classic => ("utf-8", Encoding::Printable),
            _ => ("utf-8", with),
        };
        let transfer = match with {
            Encoding::Raw => "8bit",
            Encoding::Printable => "quoted-printable",
            Encoding::Base64 => "base64",
            Encoding::Classic if charset == "iso-2022-jp" => "7bit",
            Encoding::Classic => "quoted-printable",
        };
        let suffix = if body.text.is_none() { "-html" } else { "" };
        let place = match self.placed {
            Above => "",
            Below => "/below",
            Between => "/between",
        };
        let name = format!(
            "{}/{}/{charset}-{transfer}{suffix}/{}{place}",
            self.client.name, self.lang.code, self.parent.name
        );
        let id = format!("{:016x}", fnv(&format!("{name} {from}")));
        let parent = self.parent.message_id.trim_matches(['<', '>']);
        let mut raw = format!(
            "Return-Path: <{from}>\r\nFrom: {} <{from}>\r\nTo: <{to}>\r\nSubject: {}\r\n\
             Date: Sat, 21 Nov 2026 09:12:00 +0000\r\nMessage-ID: <{id}@{}.example>\r\n\
             In-Reply-To: <{parent}>\r\nReferences: <{parent}>\r\n{}\r\nMIME-Version: 1.0\r\n",
            header(charset, self.lang.person, 6),
            header(charset, &subject, 9),
            self.client.name,
            self.client.mailer
        )
        .into_bytes();
        let part = |kind: &str, text: &str| {
            let flowed = if self.client.flowed && kind == "plain" { "; format=flowed" } else { "" };
            let head = format!(
                "Content-Type: text/{kind}; charset=\"{charset}\"{flowed}\r\n\
                 Content-Transfer-Encoding: {transfer}\r\n\r\n"
            );
            let text = text.replace("{charset}", charset).replace('\n', "\r\n");
            let bytes = encode(charset, &text).unwrap_or_default();
            let encoded = match transfer {
                "quoted-printable" => printable(&bytes).into_bytes(),
                "base64" => base64_lines(&bytes).into_bytes(),
                _ => bytes,
            };
            [head.into_bytes(), encoded].concat()
        };
        match (&body.text, &body.html) {
            (Some(text), Some(html)) => {
                let line = self.boundary(&id);
                let head = format!(
                    "Content-Type: multipart/alternative; boundary=\"{line}\"\r\n\r\n--{line}\r\n"
                );
                raw.extend(head.into_bytes());
                raw.extend(part("plain", text));
                raw.extend(format!("\r\n--{line}\r\n").into_bytes());
                raw.extend(part("html", html));
                raw.extend(format!("\r\n--{line}--\r\n").into_bytes());
            }
            (Some(text), None) => raw.extend(part("plain", text)),
            (None, html) => raw.extend(part("html", html.as_deref().unwrap_or_default())),
        }
        Some(Reply { name, raw, placed: self.placed })
    }

    pub(super) fn subject(&self) -> String {
        let subject = self.parent.subject;
        let re = if self.client.local_re { self.lang.re } else { "Re:" };
        let again = subject.get(..re.len()).is_some_and(|start| start.eq_ignore_ascii_case(re));
        if again { subject.to_owned() } else { format!("{re} {subject}") }
    }

    pub(super) fn boundary(&self, id: &str) -> String {
        match self.client.name {
            name if name.starts_with("gmail") => format!("000000000000{id}"),
            name if name.starts_with("apple") => format!("Apple-Mail=_{}", id.to_uppercase()),
            "iphone" => format!("Apple-Mail-{}", id.to_uppercase()),
            name if name.starts_with("outlook") => format!("_000_{}players_", id.to_uppercase()),
            "yahoo" => format!("----=_Part_{id}"),
            "qq" | "foxmail" => format!("----=_NextPart_{}", id.to_uppercase()),
            _ => format!("------------{id}"),
        }
    }
}

/// Space-stuffing of format=flowed; a soft line break keeps its space.
pub(super) fn stuff(text: &str) -> String {
    let stuffed = text.lines().map(|line| match line {
        _ if line.starts_with(' ') || line.starts_with("From ") => format!(" {line}\n"),
        _ => format!("{line}\n"),
    });
    stuffed.collect()
}

/// A header value, in encoded words when it has other letters than ASCII's.
pub(super) fn header(charset: &str, text: &str, used: usize) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    let latin = text.chars().filter(char::is_ascii).count() * 3 > text.chars().count() * 2;
    let word = |chunk: &str| {
        let bytes = encode(charset, chunk).unwrap_or_default();
        if !latin || charset == "iso-2022-jp" {
            return format!("=?{charset}?B?{}?=", base64(&bytes));
        }
        let letter = |b: &u8| match b {
            b' ' => "_".to_owned(),
            b if b.is_ascii_alphanumeric() => char::from(*b).to_string(),
            b => format!("={b:02X}"),
        };
        format!("=?{charset}?Q?{}?=", bytes.iter().map(letter).collect::<String>())
    };
    let mut words = Vec::new();
    let mut chunk = String::new();
    for c in text.chars() {
        let room = if words.is_empty() { 75 - used } else { 75 };
        if word(&format!("{chunk}{c}")).len() > room {
            words.push(word(&chunk));
            chunk.clear();
        }
        chunk.push(c);
    }
    words.push(word(&chunk));
    words.join("\r\n ")
}

pub(super) fn fnv(text: &str) -> u64 {
    let step = |hash: u64, b: u8| (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Quoted-printable; CR LF stay.
pub(super) fn printable(bytes: &[u8]) -> String {
    let mut out = String::new();
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        let text = line.strip_suffix(b"\r\n").unwrap_or(line);
        let mut column = 0;
        for (n, b) in text.iter().enumerate() {
            let last = n + 1 == text.len();
            let plain = matches!(b, b'!'..=b'<' | b'>'..=b'~') || (*b == b' ' && !last);
            let token = if plain { char::from(*b).to_string() } else { format!("={b:02X}") };
            if column + token.len() > if last { 76 } else { 75 } {
                out += "=\r\n";
                column = 0;
            }
            column += token.len();
            out += &token;
        }
        if text.len() < line.len() {
            out += "\r\n";
        }
    }
    out
}

pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let value =
            chunk.iter().fold(0u32, |v, b| v << 8 | u32::from(*b)) << (8 * (3 - chunk.len()));
        for n in 0..4 {
            let digit = DIGITS[(value >> (18 - 6 * n)) as usize & 63];
            out.push(if n <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

pub(super) fn base64_lines(bytes: &[u8]) -> String {
    bytes.chunks(57).map(|line| base64(line) + "\r\n").collect()
}

/// The text in a charset, if it has all the characters.
pub(super) fn encode(charset: &str, text: &str) -> Option<Vec<u8>> {
    let single = |from: u32, high: &str| {
        let high: Vec<char> = high.chars().collect();
        let byte = |c: char| match c as u32 {
            low if low < from => u8::try_from(low).ok(),
            _ => high.iter().position(|h| *h == c).map(|i| (from as usize + i) as u8),
        };
        text.chars().map(byte).collect()
    };
    match charset {
        "utf-8" => Some(text.as_bytes().to_vec()),
        "iso-8859-1" => text.chars().map(|c| u8::try_from(c as u32).ok()).collect(),
        "windows-1252" => single(0x80, &format!("{WINDOWS_1252}{LATIN_1}")),
        "iso-8859-9" => single(0xa0, &latin_5()),
        "iso-8859-2" => single(0xa0, LATIN_2),
        "iso-8859-7" => single(0xa0, GREEK),
        "koi8-r" => single(0x80, KOI8_R),
        "iso-2022-jp" => double(text, JAPANESE, true),
        "gb2312" => double(text, CHINESE, false),
        "euc-kr" => double(text, KOREAN, false),
        _ => None,
    }
}

/// Characters that take two bytes, and their codes in 7 bits: escaped by sequences, or
/// with the high bits set.
pub(super) fn double(text: &str, (chars, codes): (&str, &str), escaped: bool) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut wide = false;
    for c in text.chars() {
        if escaped && wide == c.is_ascii() {
            out.extend(if wide { b"\x1b(B" } else { b"\x1b$B" });
            wide = !wide;
        }
        if c.is_ascii() {
            out.push(c as u8);
            continue;
        }
        let at = 4 * chars.chars().position(|known| known == c)?;
        let code = u16::from_str_radix(&codes[at..at + 4], 16).ok()?;
        out.extend((code | if escaped { 0 } else { 0x8080 }).to_be_bytes());
    }
    if wide {
        out.extend(b"\x1b(B");
    }
    Some(out)
}

/// Latin 1 with six Turkish letters.
pub(super) fn latin_5() -> String {
    LATIN_1
        .chars()
        .map(|c| "ĞİŞğış".chars().nth("ÐÝÞðýþ".find(c).unwrap_or(99) / 2).unwrap_or(c))
        .collect()
}

// The upper halves of the 8-bit charsets.
pub(super) const WINDOWS_1252: &str =
    "€\u{fffd}‚ƒ„…†‡ˆ‰Š‹Œ\u{fffd}Ž\u{fffd}\u{fffd}‘’“”•–—˜™š›œ\u{fffd}žŸ";
pub(super) const LATIN_1: &str = "\
    \u{a0}¡¢£¤¥¦§¨©ª«¬\u{ad}®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
    àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ";
pub(super) const LATIN_2: &str = "\
    \u{a0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{ad}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
    ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙";
pub(super) const GREEK: &str = "\
    \u{a0}‘’£€₯¦§¨©ͺ«¬\u{ad}\u{fffd}―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ\u{fffd}ΣΤΥΦΧΨΩΪΫάέήί\
    ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ\u{fffd}";
pub(super) const KOI8_R: &str = "\
    ─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{a0}⌡°²·÷═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©\
    юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ";

// The letters of the strings above: characters, and their codes.
pub(super) const JAPANESE: (&str, &str) = (
    "、かがきさしたにのはまらをんジセッメルー人付件信元先入出名土太宛山差年手日時曜書月田送郎",
    "2122242B242C242D24352437243F244B244E244F245E2469247224732538253B25432561256B213C3F4D4955\
     376F3F2E38354068467E3D504C3E455A424030383B333A39472F3C6A467C3B7E4D4B3D71376E454441774F3A",
);
pub(super) const CHINESE: (&str, &str) = (
    "上主于人从件六写凌午原发取周回在复始小年我收日时明星晨月期王的自获送道邮间题，：",
    "494F5677535A484B34533C7E4179503441684E67542D37224821565C3B58545A38344A3C5021446A4E524A55\
     48554A3143775047333F5442465A4D75354457543B714B4D3540534A3C644C62232C233A",
);
pub(super) const KOREAN: (&str, &str) = (
    "가글김나날낸냄년는님다드람로메목민받보본사서성수시쓴에오요용운원월은의이일작전제지짜토",
    "3021315B3168332A332F333D333F336234423454345935653677374E385E3871394E395E3A383A3B3B673C2D\
     3C3A3C763D433E343F213F403F643F6B3F6E3F783F79403A4047404C404F405B407C4126417642254564",
);
