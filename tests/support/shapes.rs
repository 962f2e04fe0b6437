//! Mails that are made to be expensive: each shape fills a number of bytes with text that some part
//! of the robot might read too often.

use engine::Engine;

/// A shape of a mail's text.
pub struct Shape {
    /// A name for its content.
    pub name: String,
    /// The header fields of its body, and the body.
    body: String,
}

impl Shape {
    /// The whole mail, from somebody to an address of the robot.
    pub fn mail(&self, from: &str, to: &str, subject: &str) -> Vec<u8> {
        let id = base::secrets::sha256_hex(format!("{from}{to}{}", self.body).as_bytes());
        format!(
            "From: <{from}>\r\nTo: <{to}>\r\nSubject: {subject}\r\nMessage-ID: \
             <{}@players.example>\r\nMIME-Version: 1.0\r\n{}",
            &id[..20],
            self.body
        )
        .into_bytes()
    }
}

/// Pieces repeated up to a number of bytes.
fn filled(pieces: &[String], bytes: usize) -> String {
    let mut out = String::with_capacity(bytes + 100);
    for piece in pieces.iter().cycle().take_while(|_| !pieces.is_empty()) {
        if !out.is_empty() && out.len() + piece.len() > bytes {
            break;
        }
        out += piece;
    }
    out
}

/// Different words that no game knows.
fn words(n: usize) -> String {
    let letters = |n: usize| -> String {
        let letter = |i: u32| char::from(b'a' + (n / 26usize.pow(i) % 26) as u8);
        (0..6).map(letter).collect()
    };
    (0..n).map(|i| letters(i * 7919)).collect::<Vec<_>>().join(" ")
}

/// Worst cases for mails in a game of an engine, each of `bytes` bytes: one for each kind of line,
/// for each example of its help, and for each way to wrap text.
pub fn shapes(engine: &dyn Engine, bytes: usize) -> Vec<Shape> {
    let examples: Vec<String> = engine.help().into_iter().flat_map(|t| t.examples).collect();
    let heads: Vec<String> = engine.help().into_iter().map(|t| t.word).collect();
    let mut lines: Vec<(String, Vec<String>)> = [
        ("letters", "A"),
        ("short orders", "M 1"),
        ("figures", "1"),
        ("signatures", "-- "),
        ("dashes", "-"),
        ("ticks", "\u{2713} A 1 2"),
        ("additions", "ADD"),
        ("commands", "STATUS"),
        ("misspelt commands", "STATSU"),
        ("headings", "GAME W7 SEAT 1 TURN 1"),
        ("letters to a seat", "PRESS 2"),
        ("letters to a name", "PRESS Nobody"),
        ("ends", "END"),
        ("sections", "@TU"),
        ("questions", "where is my army?"),
        ("prose", "we should really talk about all of this when you have the time for it"),
        ("misspelt verbs", "advence nto the cty of nothin"),
        ("words like orders", "send 1 and 2 and 3 to the north and then to the east of it, 4"),
        ("secret addresses", "robot+W7.1.abcdefghijklm@fieldpost.example"),
        ("addresses", "x@fieldpost.example"),
        ("headers", "From: x"),
        ("attributions", "On Sat, Nov 21, 2026 at 01:36, Robot wrote"),
        ("bars", "________________________________"),
        ("quotes", "> A 1 2"),
        ("deep quotes", ">>>>>>>>>>>>>>>>>>>> A 1 2"),
        ("brackets", "[[[[[[[[{{{{{{{{"),
    ]
    .map(|(name, line)| (name.to_owned(), vec![format!("{line}\r\n")]))
    .into();
    lines.push(("blanks".to_owned(), vec!["\r\n".to_owned()]));
    lines.push(("one line".to_owned(), vec!["x".to_owned()]));
    lines.push(("one line of words".to_owned(), vec!["move ".to_owned()]));
    lines.push(("one line of addresses".to_owned(), vec!["x@fieldpost.example ".to_owned()]));
    lines.push(("one line of joined words".to_owned(), vec!["@".to_owned()]));
    lines.push(("new words".to_owned(), vec![words(bytes / 7).replace(' ', "\r\n")]));
    let long = format!("{}\r\n", &words(40)[..76]);
    lines.push(("long lines".to_owned(), vec![long.clone()]));
    let heads = heads.iter().map(|h| format!("{h} {}\r\n", &words(40)[..72]));
    lines.push(("long lines that begin as orders".to_owned(), heads.collect()));
    let full = examples.iter().map(|e| format!("{e} {}\r\n", &words(40)[..70]));
    lines.push(("long lines that are orders".to_owned(), full.collect()));
    let all: Vec<String> = examples.iter().map(|e| format!("{e}\r\n")).collect();
    lines.push(("examples".to_owned(), all));
    // As many lines as a card may have, each as long as one may be.
    let wide = |line: &str| {
        let line = format!("{line} ");
        let line: String = line.repeat(480 / line.len() + 1).chars().take(490).collect();
        format!("{}\r\n", line.trim_end()).repeat(399)
    };
    let fitting = |line: &str| vec![format!("{line}\r\n").repeat(399)];
    for example in &examples {
        lines.push((format!("{example:.20}"), vec![format!("{example}\r\n")]));
        lines.push((format!("399 x {example:.20}"), fitting(example)));
        lines.push((
            format!("399 x please {example:.20}"),
            fitting(&format!("please {example} and {example}, unit 1 and 2")),
        ));
        lines.push((format!("399 wide {example:.20}"), vec![wide(example)]));
        let longer = vec![format!("please {example} and {example}, unit 1 and 2\r\n")];
        lines.push((format!("please {example:.20}"), longer));
    }
    let text = "Content-Type: text/plain; charset=utf-8\r\n\r\n";
    let mut all: Vec<Shape> = lines
        .into_iter()
        .map(|(name, pieces)| Shape { name, body: format!("{text}{}", filled(&pieces, bytes)) })
        .collect();
    let mut other = |name: &str, body: String| all.push(Shape { name: name.to_owned(), body });
    let html = "Content-Type: text/html; charset=utf-8\r\n\r\n";
    for (name, tag) in [
        ("html lines", "<p>A 1 2<br>"),
        ("html cells", "<td>1"),
        ("html rows", "<table><tr><td>A 1 2</td></tr></table>"),
        ("html spans", "<span style='color: red'>A</span> "),
        ("html links", "<a href='https://x.example/'>A 1 2</a>"),
        ("html quotes", "<div class=gmail_quote>A 1 2</div>"),
        ("html characters", "&#65; 1<br>"),
        ("html lists", "<ul><li>A 1 2</ul>"),
        ("html ends", "</div>"),
    ] {
        other(name, format!("{html}{}", filled(&[tag.to_owned()], bytes)));
    }
    let nest = |open: &str, close: &str, deep: usize| {
        format!("{}A 1 2{}", open.repeat(deep), close.repeat(deep))
    };
    for (name, open, close) in [
        ("html nests", "<div>", "</div>"),
        ("html nested quotes", "<blockquote>", "</blockquote>"),
        ("html nested tables", "<table><tr><td>", "</td></tr></table>"),
        ("html nested lists", "<ul><li>", "</li></ul>"),
    ] {
        let deep = if open.len() > 12 { 90 } else { 140 };
        other(name, format!("{html}{}", filled(&[nest(open, close, deep)], bytes)));
    }
    let part = "--b\r\nContent-Type: text/plain\r\n\r\nA 1 2\r\n".to_owned();
    let mixed = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
    other("parts", format!("{mixed}{}--b--\r\n", filled(&[part], bytes)));
    let large = |n: usize| {
        let text = filled(&["A 1 2\r\n".to_owned()], bytes / n);
        format!("--b\r\nContent-Type: text/plain\r\n\r\n{text}")
    };
    other("large parts", format!("{mixed}{}--b--\r\n", large(10).repeat(10)));
    let deep: String = (0..40)
        .map(|n| format!("--c{n}\r\nContent-Type: multipart/mixed; boundary=c{}\r\n\r\n", n + 1))
        .collect();
    let text = filled(&["A 1 2\r\n".to_owned()], bytes);
    let nested = format!(
        "Content-Type: multipart/mixed; boundary=c0\r\n\r\n{deep}--c40\r\nContent-Type: \
         text/plain\r\n\r\n{text}"
    );
    other("nested parts", nested);
    let json = "Content-Type: application/json; name=card.json\r\n\r\n";
    let row = "\"A 1 2\",".to_owned();
    let card = |rows: String| {
        format!(
            "{json}{{\"schema\": \"fieldpost/card/1\", \"game\": \"W7\", \"seat\": 1, \"turn\": 1, \"orders\": [{rows}\"A 1 2\"]}}"
        )
    };
    other("json lines", card(filled(&[row], bytes)));
    other("json brackets", card(filled(&["[".to_owned()], bytes)));
    let coded = filled(&[format!("{}\r\n", "QSAxIDINCg==".repeat(6))], bytes);
    let base64 = "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n";
    other("base64", format!("{base64}{coded}"));
    let printable =
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n";
    other(
        "quoted-printable",
        format!("{printable}{}", filled(&["=41=20=31=0A".to_owned()], bytes)),
    );
    let flowed = "Content-Type: text/plain; format=flowed; delsp=yes\r\n\r\n";
    other("flowed", format!("{flowed}{}", filled(&["A 1 \r\n".to_owned()], bytes)));
    all
}
