//! Where the orders are: new text above the marker, never the quoted original.

/// The line that opens every mail of ours; reading stops here.
pub const MARKER: &str = "=== Write your orders above this line; nothing below it is read. ===";
/// The part of the marker by which it is found again, however it was quoted.
const MARKER_CORE: &str = "write your orders above this line";
/// How the blank card begins and ends in a printout.
pub const CARD_BEGIN: &str = "turn card";
pub const CARD_END: &str = "end of card";

/// Lines of a text part, each with its depth of `>` quoting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines(pub Vec<(usize, String)>);

/// What a player newly wrote.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewText {
    /// Lines above the marker and every quote.
    pub above: Vec<String>,
    /// Lines typed between the quoted lines of the blank card of the open turn.
    pub in_card: Vec<String>,
    /// Whether something that looks like orders stands where it is not read.
    pub orders_below: bool,
}

/// Lines of plain text.
pub fn plain_lines(text: &str) -> Lines {
    Lines(split(text).map(|l| quote_depth(&l)).collect())
}

/// Lines of `format=flowed` text: soft breaks joined, stuffing undone (RFC 3676
/// §4).
pub fn flowed_lines(text: &str, delete_space: bool) -> Lines {
    let mut out: Vec<(usize, String)> = Vec::new();
    let mut open = false;
    for line in split(text) {
        let depth = line.chars().take_while(|c| *c == '>').count();
        let rest = &line[depth..];
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        let soft = rest.ends_with(' ') && rest != "-- ";
        let kept = if soft && delete_space { &rest[..rest.len() - 1] } else { rest };
        match out.last_mut() {
            Some((last, text)) if open && *last == depth && rest != "-- " => text.push_str(kept),
            _ => out.push((depth, kept.to_owned())),
        }
        open = soft;
    }
    for (depth, line) in &mut out {
        if *depth == 0 {
            (*depth, *line) = quote_depth(line);
        }
    }
    Lines(out)
}

/// Elements of HTML that may be open within each other.
const HTML_DEPTH_MAX: usize = 300;
/// Elements that need no end and hold nothing, or that end by themselves.
const HTML_FLAT: &[&str] = &[
    "br", "img", "hr", "meta", "link", "input", "col", "wbr", "p", "li", "td", "tr", "th", "dd",
    "dt", "option", "o:p",
];

/// How deep elements are nested, in one walk that trusts no end tag.
fn html_depth(html: &str) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    for tag in html.split('<').skip(1) {
        let end = tag.starts_with('/');
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == ':')
            .take(10)
            .collect::<String>()
            .to_ascii_lowercase();
        let closed = tag.split('>').next().is_some_and(|t| t.ends_with('/'));
        if name.is_empty() || closed || HTML_FLAT.contains(&name.as_str()) {
            continue;
        }
        depth = if end { depth.saturating_sub(1) } else { depth + 1 };
        deepest = deepest.max(depth);
    }
    deepest
}

/// Lines of HTML; block quotes come out as `>` quotes.
pub fn html_lines(html: &str) -> Lines {
    if html_depth(html) > HTML_DEPTH_MAX {
        // Reading it would take for ever; nobody's mail program writes such a thing.
        return Lines(Vec::new());
    }
    // Client quote containers that are no block quotes end the new text.
    let html = cut_client_quote(html);
    let text = html2text::config::plain_no_decorate()
        .allow_width_overflow()
        .no_table_borders()
        .string_from_read(html.as_bytes(), 2000);
    let mut lines = plain_lines(&text.unwrap_or_default());
    // Paragraphs come with blank lines between; they are no lines of the card.
    lines.0.retain(|(_, l)| !l.trim().is_empty());
    lines
}

/// Marks where Outlook and others begin the original without a block quote.
fn cut_client_quote(html: &str) -> String {
    const STARTS: [&str; 4] = [
        "id=\"appendonsend\"",
        "id=\"divrplyfwdmsg\"",
        "class=\"gmail_quote",
        "id=\"mail-editor-reference",
    ];
    let lower = html.to_ascii_lowercase();
    let at = STARTS.iter().filter_map(|s| lower.find(s)).min();
    let tag = at.and_then(|at| lower[..at].rfind('<'));
    match tag {
        Some(tag) => format!("{}<p>{MARKER}</p>{}", &html[..tag], &html[tag..]),
        None => html.to_owned(),
    }
}

fn split(text: &str) -> impl Iterator<Item = String> + '_ {
    let ends = ['\n', '\u{85}', '\u{2028}', '\u{2029}'];
    text.split(ends).map(|l| normalise(l.trim_end_matches('\r')))
}

/// Blanks, dashes, quotes and digits as mail programs write them become the plain
/// ones; invisible characters go.
pub fn normalise(line: &str) -> String {
    line.chars()
        .filter_map(|c| match c {
            '\u{200b}'..='\u{200d}' | '\u{feff}' | '\u{ad}' | '\u{2060}' => None,
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' | '\t' => Some(' '),
            '\u{2010}'..='\u{2012}' | '\u{2212}' | '\u{ff0d}' => Some('-'),
            '\u{2018}' | '\u{2019}' => Some('\''),
            '\u{201c}' | '\u{201d}' => Some('"'),
            '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0),
            '\u{660}'..='\u{669}' => char::from_u32(c as u32 - 0x660 + 0x30),
            c => Some(c),
        })
        .collect()
}

fn quote_depth(line: &str) -> (usize, String) {
    let mut depth = 0;
    let mut rest = line;
    while let Some(inner) = rest.strip_prefix('>') {
        depth += 1;
        rest = inner.strip_prefix(' ').unwrap_or(inner);
    }
    (depth, if depth == 0 { line.to_owned() } else { rest.to_owned() })
}

impl Lines {
    /// Finds what the player newly wrote. `card` is the name of the open turn's
    /// blank card, as its first line gives it.
    pub fn new_text(&self, card: &str) -> NewText {
        let lines = &self.0;
        let end = self.end_of_new(lines);
        let above: Vec<String> =
            lines[..end].iter().filter(|(d, _)| *d == 0).map(|(_, l)| l.clone()).collect();
        let in_card = self.typed_into_card(end, card);
        let below = lines[end..].iter().map(|(_, l)| l);
        let orders_below = below.clone().any(|l| looks_like_order(l));
        NewText { above, in_card, orders_below }
    }

    /// Number of the first line that is not read.
    fn end_of_new(&self, lines: &[(usize, String)]) -> usize {
        for (i, (depth, line)) in lines.iter().enumerate() {
            if is_marker(line) || is_attribution(lines, i) {
                return i;
            }
            if *depth == 0 && (is_signature(line) || is_header_block(lines, i) || is_bar(line)) {
                return i;
            }
        }
        lines.len()
    }

    /// Unquoted lines between the quoted first and last line of the blank card.
    fn typed_into_card(&self, from: usize, card: &str) -> Vec<String> {
        let wanted = format!("{CARD_BEGIN} {card}").to_lowercase();
        let quoted =
            |(d, l): &(usize, String), text: &str| *d > 0 && l.to_lowercase().contains(text);
        let rest = &self.0[from..];
        let Some(begin) = rest.iter().position(|l| quoted(l, &wanted)) else { return Vec::new() };
        let Some(end) = rest[begin..].iter().position(|l| quoted(l, CARD_END)) else {
            return Vec::new();
        };
        let inside = &rest[begin..begin + end];
        inside.iter().filter(|(d, _)| *d == 0).map(|(_, l)| l.clone()).collect()
    }
}

fn is_marker(line: &str) -> bool {
    line.to_lowercase().contains(MARKER_CORE)
}

/// `-- ` alone, and what phones append.
fn is_signature(line: &str) -> bool {
    const PHONES: [&str; 12] = [
        "sent from my ",
        "sent from mail for ",
        "sent from outlook",
        "get outlook for ",
        "sent with proton",
        "von meinem ",
        "gesendet mit der ",
        "envoyé de mon ",
        "enviado desde mi ",
        "inviato da ",
        "verstuurd vanaf mijn ",
        "skickat från min ",
    ];
    let lower = line.trim().to_lowercase();
    lower == "--" || PHONES.iter().any(|p| lower.starts_with(p))
}

fn is_bar(line: &str) -> bool {
    let line = line.trim();
    let lower = line.to_lowercase();
    let dashed = line.starts_with("-----") && line.ends_with("-----");
    let underscores = line.len() >= 20 && line.chars().all(|c| c == '_');
    underscores || (dashed && lower.chars().any(char::is_alphabetic))
}

/// `From:` with `Sent:` or `To:` near below, as Outlook quotes without marks.
fn is_header_block(lines: &[(usize, String)], i: usize) -> bool {
    const FROM: [&str; 8] = ["from:", "von:", "de:", "da:", "van:", "från:", "fra:", "od:"];
    const NEXT: [&str; 14] = [
        "sent:",
        "date:",
        "to:",
        "gesendet:",
        "datum:",
        "an:",
        "envoyé :",
        "à :",
        "enviado:",
        "inviato:",
        "verzonden:",
        "skickat:",
        "subject:",
        "betreff:",
    ];
    let lower = |l: &(usize, String)| l.1.trim().trim_start_matches('*').to_lowercase();
    let starts = |l: &str, words: &[&str]| words.iter().any(|w| l.starts_with(w));
    starts(&lower(&lines[i]), &FROM)
        && lines[i + 1..].iter().take(3).any(|l| starts(&lower(l), &NEXT))
}

/// `On … NAME wrote:` in the usual languages, on one line or wrapped over two.
fn is_attribution(lines: &[(usize, String)], i: usize) -> bool {
    const WROTE: [&str; 14] = [
        "wrote:",
        "writes:",
        "schrieb",
        "a écrit",
        "escribió",
        "ha scritto",
        "schreef",
        "skrev",
        "escreveu",
        "kirjoitti",
        "napisał",
        "пишет",
        "писал",
        "napsal",
    ];
    let one = lines[i].1.trim();
    let two = lines.get(i + 1).map(|l| format!("{one} {}", l.1.trim()));
    let closes = |l: &str| {
        let lower = l.to_lowercase();
        lower.ends_with(':') && l.len() > 12 && WROTE.iter().any(|w| lower.contains(w))
    };
    closes(one) || two.is_some_and(|t| closes(&t) && starts_attribution(one))
}

fn starts_attribution(line: &str) -> bool {
    const STARTS: [&str; 9] = ["on ", "am ", "le ", "el ", "il ", "op ", "den ", "em ", "dnia "];
    let lower = line.to_lowercase();
    STARTS.iter().any(|s| lower.starts_with(s))
}

/// A short word and a number: what any game's orders look like.
pub fn looks_like_order(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let (head, next) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let letters = head.len() <= 2 && head.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    letters && !head.is_empty() && next.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_that_is_nested_without_end_is_not_read() {
        for part in ["<blockquote>x<p>", "<p><b a=N>x", "<div><table><tr><td>"] {
            assert_eq!(html_lines(&part.repeat(3000)), Lines(Vec::new()), "{part}");
        }
        let deep = format!("{}A 1 2{}", "<div>".repeat(100), "</div>".repeat(100));
        assert_eq!(html_lines(&deep).0.len(), 1);
        assert_eq!(html_lines(&"<p>A 1 2<br>".repeat(1000)).0.len(), 1000);
    }

    fn above(text: &str) -> Vec<String> {
        let all = plain_lines(text).new_text("W7 T12 S34").above;
        all.into_iter().filter(|l| !l.trim().is_empty()).collect()
    }

    #[test]
    fn reading_stops_at_the_marker_however_it_is_quoted() {
        for quote in ["", "> ", ">> ", "| "] {
            let text = format!("A 12 2\n\n{quote}{MARKER}\n{quote}M 3 122\nM 3 122\n");
            assert_eq!(above(&text), ["A 12 2"], "{quote:?}");
        }
    }

    #[test]
    fn reading_stops_at_quotes_of_many_programs() {
        let quotes = [
            "On Sat, Nov 21, 2026 at 01:36:00AM -0000, Robot wrote:\nM 3 122",
            "On Saturday the 21st of November Fieldpost the robot\n<robot@fieldpost.example> wrote:\nM 3 122",
            "Am 21.11.26 um 01:36 schrieb Robot:\nM 3 122",
            "On 9 Jun 2026, at 3:00, Robot <robot@fieldpost.example> wrote:\nM 3 122",
            "-----Original Message-----\nM 3 122",
            "________________________________\nFrom: Robot\nM 3 122",
            "From: Robot\nSent: Saturday\nTo: me\nM 3 122",
            "-- \nM 3 122",
            "Sent from my iPhone\nM 3 122",
        ];
        for quote in quotes {
            assert_eq!(above(&format!("A 12 2\n\n{quote}\n")), ["A 12 2"], "{quote}");
        }
    }

    #[test]
    fn lines_typed_into_the_quoted_card_of_the_open_turn_are_new() {
        let mail = |turn: u32| {
            format!(
                "> {MARKER}\n> text\n> | ---- turn card W7 T{turn} S34 ----\nA 12 2\n> | unit 12\n\
                 > | ---- end of card ----\nM 3 1\n"
            )
        };
        let typed = |turn| plain_lines(&mail(turn)).new_text("W7 T12 S34").in_card;
        assert_eq!(typed(12), ["A 12 2"]);
        assert_eq!(typed(11), Vec::<String>::new());
    }

    #[test]
    fn flowed_text_is_joined_and_unstuffed() {
        let lines = flowed_lines("A 12 \n12387\n From here\n> quoted \n> more\n-- \nme", false);
        let expected =
            [(0, "A 12 12387"), (0, "From here"), (1, "quoted more"), (0, "-- "), (0, "me")];
        assert_eq!(lines.0, expected.map(|(d, l)| (d, l.to_owned())));
    }

    #[test]
    fn typographic_characters_become_plain_ones() {
        assert_eq!(normalise("A\u{a0}12\u{2009}\u{ff11}\u{ff12}387\u{200b}"), "A 12 12387");
        assert_eq!(normalise("\u{2014} 20 123"), "\u{2014} 20 123");
    }

    #[test]
    fn html_keeps_lines_and_quotes() {
        let html = "<div>A&nbsp;12 2</div><div>M 3 122<br>C 3 1</div>\
                    <blockquote>B 0 10101</blockquote>";
        assert_eq!(above_html(html), ["A 12 2", "M 3 122", "C 3 1"]);
        let gmail = "<div>A 12 2</div><div class=\"gmail_quote\"><div>C 9 1</div></div>";
        assert_eq!(above_html(gmail), ["A 12 2"]);
    }

    fn above_html(html: &str) -> Vec<String> {
        let all = html_lines(html).new_text("W7 T12 S34").above;
        all.into_iter().filter(|l| !l.trim().is_empty()).collect()
    }
}
