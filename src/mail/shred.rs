//! Removes login passwords from a mail, so that the kept copy opens no seat.

use std::collections::BTreeSet;

use base::passwords;

use super::mime::ParsedMail;

/// The replacement for a password.
const SHREDDED: &str = "********";
/// Names of the values in a heading, in capitals.
const NAMES: [&str; 4] = ["GAME", "SEAT", "TURN", "PASSWORD"];

/// The same mail, as far as it was read, without the passwords of its headings. It keeps the fields
/// that do not describe its parts, and its text as plain text. `None`: the mail has no passwords.
///
/// A value that is already crossed out does not count.
pub fn without_passwords(mail: &ParsedMail) -> Option<Vec<u8>> {
    let texts = || std::iter::once(&mail.lines).chain(&mail.attached).map(|text| &text.0);
    let lines = || texts().flatten();
    let mut passwords: BTreeSet<&str> = texts().flat_map(|text| in_headings(text)).collect();
    passwords.extend(lines().filter_map(|(_, line)| in_json(line)));
    passwords.remove(SHREDDED);
    if passwords.is_empty() {
        return None;
    }
    let mut out = String::new();
    for (name, value) in &mail.headers {
        let lower = name.to_ascii_lowercase();
        if !lower.starts_with("content-") && lower != "mime-version" {
            out += &format!("{name}:{}", shredded(value, &passwords));
            if !value.ends_with('\n') {
                out += "\r\n";
            }
        }
    }
    out += "MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\
            Content-Transfer-Encoding: 8bit\r\n\r\n";
    for (depth, line) in lines() {
        out += &">".repeat(*depth);
        out += if *depth > 0 { " " } else { "" };
        out += &shredded(line, &passwords);
        out += "\r\n";
    }
    Some(out.into_bytes())
}

/// The passwords of headings: of a line such as `GAME W7 SEAT 3 PASSWORD word`, of a line below
/// such a one, or of the command `PASSWORD word`. Prose does not count, nor does a form from our
/// help, which a reply may quote with other line breaks.
fn in_headings(lines: &[(usize, String)]) -> Vec<&str> {
    let mut all = Vec::new();
    let mut above = None;
    for (depth, line) in lines.iter().filter(|(_, line)| !line.trim().is_empty()) {
        let headed = above.take() == Some(depth);
        let words: Vec<&str> = line.split_whitespace().collect();
        let name = |word: &str| {
            NAMES.iter().find(|n| word.trim_end_matches(':').eq_ignore_ascii_case(n)).copied()
        };
        let Some(first) = words.first().and_then(|word| name(word)) else { continue };
        let heads = first != "PASSWORD" && words.get(2).is_some_and(|w| name(w).is_some());
        for (at, word) in words.iter().enumerate() {
            if name(word) != Some("PASSWORD") || at > 0 && !heads {
                continue;
            }
            // A password may follow dots that the player did not delete.
            let dots = words.get(at + 1).is_some_and(|w| ["...", "…"].contains(w));
            let next = at + 1 + usize::from(dots);
            let Some(value) = words.get(next).filter(|w| !passwords::is_form(w)) else { continue };
            let is_long = passwords::LENGTH.contains(&value.chars().count());
            if !dots && (headed || heads) || is_long && (!dots || heads) {
                all.push(*value);
            }
        }
        let pairs =
            words.len().is_multiple_of(2) && words.iter().step_by(2).all(|w| name(w).is_some());
        if pairs && !words.iter().any(|w| name(w) == Some("PASSWORD")) {
            above = Some(depth);
        }
    }
    all
}

/// The password of a card as JSON.
fn in_json(line: &str) -> Option<&str> {
    let (_, behind) = line.split_once("\"password\"")?;
    let value = behind.trim_start().strip_prefix(':')?.trim_start().strip_prefix('"')?;
    value.split('"').next().filter(|value| !value.is_empty())
}

/// A text in which each of some words is crossed out, whatever its case.
fn shredded(text: &str, words: &BTreeSet<&str>) -> String {
    let mut text = text.to_owned();
    // A word may be part of another one.
    let mut longest: Vec<&&str> = words.iter().collect();
    longest.sort_by_key(|word| std::cmp::Reverse(word.len()));
    for word in longest {
        let lower = text.to_ascii_lowercase();
        if let Some((first, _)) = lower.match_indices(&word.to_ascii_lowercase()).next() {
            let mut out = text[..first].to_owned();
            let mut done = first;
            for (at, _) in lower.match_indices(&word.to_ascii_lowercase()) {
                out += &text[done..at];
                out += SHREDDED;
                done = at + word.len();
            }
            text = out + &text[done..];
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::mime::parse;
    use super::*;

    fn kept(head: &str, body: &str) -> Option<String> {
        let raw = format!("From: p@example.org\r\nSubject: orders\r\n{head}\r\n{body}");
        let kept = without_passwords(&parse(raw.as_bytes()).expect("a mail"))?;
        Some(String::from_utf8(kept).expect("text"))
    }

    #[test]
    fn no_password_of_a_heading_is_kept_however_it_is_coded() {
        let plain = "GAME W7 SEAT 1 PASSWORD three Words\r\nM 1 3\r\nthree and THREE\r\n";
        let coded = data_encoding::BASE64.encode(plain.as_bytes());
        let alternative = format!(
            "--b\r\nContent-Type: text/plain\r\n\r\n{plain}--b\r\nContent-Type: text/html\r\n\r\n\
             <p>GAME W7 SEAT 1 PASSWORD three</p>\r\n--b--\r\n"
        );
        for (head, body) in [
            ("", plain.to_owned()),
            ("Content-Transfer-Encoding: base64\r\n", coded),
            ("Content-Transfer-Encoding: quoted-printable\r\n", plain.replace("three", "=74hree")),
            ("Content-Type: multipart/alternative; boundary=b\r\n", alternative),
            ("", format!("M 1 3\r\n> {plain}")),
            ("", "game: W7\r\nseat: 1\r\npassword: three\r\nM 1 3\r\n".to_owned()),
            ("", "GAME W7 SEAT 1\r\n\r\nPASSWORD three\r\nM 1 3\r\n".to_owned()),
            ("", "> PASSWORD three-more-words now\r\nM 1 3\r\n".to_owned()),
            ("", "GAME W7 SEAT 1 PASSWORD \"three-more-words\"\r\nM 1 3\r\n".to_owned()),
            ("", "GAME W7 SEAT 1 (Anna S.) PASSWORD three-more-words\r\nM 1 3\r\n".to_owned()),
            ("", "GAME W7 SEAT 1 PASSWORD ... three-more-words\r\nM 1 3\r\n".to_owned()),
            ("", "GAME W7 SEAT 1 PASSWORD ... PASSWORD three-more-words\r\nM 1 3\r\n".to_owned()),
            ("", "GAME W7 SEAT 1 PASSWORD §%&/()=?*+#~\r\nM 1 3\r\n".to_owned()),
            (
                "Content-Type: application/json; name=c.json\r\n",
                "{\"schema\": \"fieldpost/card/1\", \"password\": \"three\",\r\n\"orders\": \
                 [\"M 1 3\"]}"
                    .to_owned(),
            ),
        ] {
            let kept = kept(head, &body).unwrap_or_else(|| panic!("{head}{body}"));
            assert!(!kept.to_lowercase().contains("three"), "{kept}");
            assert!(kept.contains("M 1 3") && kept.contains("Subject: orders"), "{kept}");
            let again = parse(kept.as_bytes()).expect("a mail still");
            assert!(again.lines.0.iter().any(|(_, l)| l.contains("M 1 3")), "{kept}");
        }
        for other in [
            "M 1 3\r\n",
            "my password is three\r\n",
            "PASSWORD\r\n",
            "GAME W7 SEAT 1\r\n",
            "> SEAT 1 PASSWORD ...&quot;.</li><li style=3D\"margin:4px 0\">\r\n",
            "GAME W7 SEAT 34 PASSWORD ...\r\n",
            "> PASSWORD one-word   a new password without blanks\r\n",
            "> GAME W7 SEAT 1 PASSWORD (a secret of yours)\r\n",
            "> password and seat do not fit together\r\n",
            "GAME W7 SEAT 1\r\n> PASSWORD new\r\n",
        ] {
            assert_eq!(kept("", other), None, "{other}");
        }
    }

    #[test]
    fn what_is_shredded_once_is_shredded() {
        let once = kept("", "GAME W7 SEAT 1 PASSWORD three\r\nM 1 3\r\n").expect("a password");
        assert_eq!(without_passwords(&parse(once.as_bytes()).expect("a mail")), None);
    }
}
