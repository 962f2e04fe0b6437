//! Takes keys to a seat out of the text of its player, because others may get the text. Keys are
//! found whole, wrapped, encoded, or with blanks in them.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use base::passwords;
use base::secrets::SECRET_LEN;
use engine::Seat;
use mail::body::NewText;
use mail::mime::same_address;
use store::{MailKind, SeatRow};
use strum::IntoEnumIterator;

use super::case::Tools;
use super::senders::{OLD_STEPS, PROVES_STEPS, Senders};
use crate::context::Result;

/// The text in place of a key.
const TAKEN: &str = "(a secret of yours)";
/// Addresses of the robot's domain and Message-IDs of its mails that are looked up in one mail, at
/// most. Further addresses are taken for keys.
const LOOKUPS_MAX: usize = 50;

/// Takes the keys of a seat out of the text of its player.
pub struct Scrub<'a> {
    tools: Tools<'a>,
    /// The seats whose keys are taken out.
    rows: Vec<SeatRow>,
    /// Secrets that prove something. They are many, so they are made only when a text looks like
    /// one.
    secrets: OnceCell<BTreeSet<String>>,
    /// Codes of the games of its player, in lower case.
    games: BTreeSet<String>,
    lookups: usize,
}

impl<'a> Scrub<'a> {
    /// The keys of this seat and of all seats with its address.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn new(tools: Tools<'a>, row: &SeatRow) -> Result<Self> {
        let mut rows = tools.store.games().seats_of(&row.address)?;
        if !rows.iter().any(|r| (&r.game, r.seat) == (&row.game, row.seat)) {
            rows.push(row.clone());
        }
        let games = rows.iter().map(|row| row.game.to_lowercase()).collect();
        Ok(Self { tools, rows, secrets: OnceCell::new(), games, lookups: LOOKUPS_MAX })
    }

    fn secrets(&self) -> Result<&BTreeSet<String>> {
        if let Some(secrets) = self.secrets.get() {
            return Ok(secrets);
        }
        let (store, key) = (self.tools.store, self.tools.store.key());
        let mut secrets = BTreeSet::new();
        for row in &self.rows {
            let (code, seat, epoch) = (&row.game, row.seat, row.epoch);
            let mut steps = store.steps().mailed_steps(code, seat, OLD_STEPS)?;
            steps.truncate(PROVES_STEPS);
            secrets.extend(steps.iter().map(|step| key.reply(code, seat, epoch, *step)));
            let seats = store.games().game(code)?.map_or(0, |game| game.setup.seats);
            let others = (1..=seats).map(Seat).filter(|to| *to != seat);
            secrets.extend(others.map(|to| key.alias(code, to, seat, epoch)));
            secrets.insert(key.stop(code, seat, epoch));
            let pending = store.mails().pending_of(code, seat)?;
            secrets.extend(pending.iter().map(|id| key.confirm(code, seat, epoch, *id)));
        }
        Ok(self.secrets.get_or_init(|| secrets))
    }

    /// The places of secrets in a text of letters and digits.
    fn secrets_in(&self, signs: &str) -> Result<Vec<Range<usize>>> {
        let (mut places, mut run) = (Vec::new(), 0);
        for (n, sign) in signs.bytes().enumerate() {
            run = if is_of_secret(sign) { run + 1 } else { 0 };
            let place = (n + 1).saturating_sub(SECRET_LEN)..n + 1;
            if run >= SECRET_LEN && self.secrets()?.contains(&signs[place.clone()]) {
                places.push(place);
            }
        }
        Ok(places)
    }

    /// Takes all keys out of the new text of a mail.
    ///
    /// # Errors
    /// [`crate::RobotError::Store`] when the store fails.
    pub fn take_out(&mut self, text: &mut NewText) -> Result<()> {
        // In the first line a password proves the sender, so no note is needed.
        let heading = text.above.iter_mut().find(|l| !l.trim().is_empty());
        if let Some(line) = heading
            && line.trim_start().to_ascii_uppercase().starts_with("GAME")
            && let Some(plain) = without_password(line)
        {
            *line = plain;
        }
        for lines in [&mut text.above, &mut text.in_card, &mut text.below] {
            text.had_secrets |= self.take_from(lines)?;
        }
        // An answer shows left-over lines too.
        let mut left: Vec<String> =
            text.left.iter_mut().map(|l| std::mem::take(&mut l.1)).collect();
        text.had_secrets |= self.take_from(&mut left)?;
        text.left.iter_mut().zip(left).for_each(|(row, line)| row.1 = line);
        Ok(())
    }

    fn take_from(&mut self, lines: &mut [String]) -> Result<bool> {
        let mut found = false;
        for line in lines.iter_mut() {
            let plain = self.without_addresses(line)?;
            let more = without_details(plain.as_deref().unwrap_or(line));
            let more = more.or(plain);
            let more = without_password(more.as_deref().unwrap_or(line)).or(more);
            if let Some(plain) = more {
                (*line, found) = (plain, true);
            }
        }
        // First with encoded characters decoded, then as written.
        let codes = lines.iter().any(|line| line.contains(['%', '=', '&']));
        for coded in [true, false] {
            if coded && !codes {
                continue;
            }
            let signs = Signs::of(lines, coded);
            let mut places = self.secrets_in(&signs.text)?;
            self.names_of_mails(&signs.text, &mut places)?;
            if !places.is_empty() {
                signs.take(lines, places);
                found = true;
            }
        }
        Ok(found)
    }

    /// A line without secret addresses of the robot and Message-IDs of its mails. `None`: it has
    /// none.
    fn without_addresses(&mut self, line: &str) -> Result<Option<String>> {
        if !line.contains('@') {
            return Ok(None);
        }
        let domain = self.tools.cx.identity.domain().to_ascii_lowercase();
        let lower = line.to_ascii_lowercase();
        let at = format!("@{domain}");
        let sign = |c: char| c.is_ascii_alphanumeric() || "+.-_=".contains(c);
        let (mut out, mut done, mut found) = (String::new(), 0, false);
        for (place, _) in lower.match_indices(&at) {
            let before = &line[done..place];
            let begin = before
                .rfind(|c: char| !sign(c))
                .map_or(done, |i| done + i + before[i..].chars().next().map_or(1, char::len_utf8));
            let end = place + at.len();
            let address = &line[begin..end];
            let detailed = address.contains('+') && Senders::new(self.tools).is_detailed(address);
            let plain = same_address(address, &self.tools.cx.identity.address);
            let secret = !plain && (detailed || self.is_ours(address)?.unwrap_or(true));
            out += &line[done..begin];
            out += if secret { TAKEN } else { address };
            found |= secret;
            done = end;
        }
        out += &line[done..];
        Ok(found.then_some(out))
    }

    /// Whether a Message-ID is of a mail of the robot. `None`: too many were looked up already.
    fn is_ours(&mut self, id: &str) -> Result<Option<bool>> {
        let Some(left) = self.lookups.checked_sub(1) else { return Ok(None) };
        self.lookups = left;
        Ok(Some(self.tools.store.outbox().is_ours(id)?))
    }

    /// The places of secrets in Message-IDs of mails to a seat: the code of a game, digits, a
    /// letter, the secret.
    fn names_of_mails(&mut self, text: &str, places: &mut Vec<Range<usize>>) -> Result<()> {
        let domain = self.tools.cx.identity.domain().to_owned();
        let ours: String =
            domain.to_lowercase().chars().filter(char::is_ascii_alphanumeric).collect();
        let letters: BTreeSet<char> =
            MailKind::iter().filter_map(|kind| kind.as_str().chars().next()).collect();
        for game in self.games.clone() {
            let squeezed: String = game.chars().filter(char::is_ascii_alphanumeric).collect();
            if squeezed.is_empty() {
                continue;
            }
            for (at, _) in text.match_indices(&squeezed) {
                let behind = &text[at + squeezed.len()..];
                let figures = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
                let letter = behind[figures..].chars().next();
                let secret = behind.get(figures + 1..figures + 1 + SECRET_LEN);
                let (Some(letter), Some(secret)) = (letter, secret) else { continue };
                if !(2..=8).contains(&figures) || !letters.contains(&letter) || !is_secret(secret) {
                    continue;
                }
                // The robot's domain after it is a sign too.
                let whole = behind[figures + 1 + SECRET_LEN..].starts_with(&ours);
                for cut in 1..figures {
                    let (turn, seat) = behind[..figures].split_at(cut);
                    let id = format!("{game}.{turn}.{seat}.{letter}.{secret}@{domain}");
                    if self.is_ours(&id)?.unwrap_or(whole) {
                        let begin = at + squeezed.len() + figures + 1;
                        places.push(begin..begin + SECRET_LEN);
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether a word has the characters and the length of a secret.
fn is_secret(word: &str) -> bool {
    word.len() == SECRET_LEN && word.bytes().all(is_of_secret)
}

/// Whether a secret may have this character.
fn is_of_secret(sign: u8) -> bool {
    sign.is_ascii_alphabetic() || (b'2'..=b'7').contains(&sign)
}

/// A line without the secret part of an address, however the rest of it is written: a seat's number
/// and a secret, joined by full stops. `None`: it has none.
fn without_details(line: &str) -> Option<String> {
    if !line.contains('.') {
        return None;
    }
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let (mut out, mut found) = (String::new(), false);
    for word in line.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '.') {
        let parts: Vec<&str> = word.split(|c: char| !c.is_ascii_alphanumeric()).collect();
        let secret = parts.windows(2).any(|two| is_number(two[0]) && is_secret(two[1]));
        let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '.').unwrap_or(word.len());
        out += if secret { TAKEN } else { &word[..end] };
        out += &word[end..];
        found |= secret;
    }
    found.then_some(out)
}

/// A line without the password of a heading, `GAME W7 SEAT 3 PASSWORD word`. `None`: it has none.
fn without_password(line: &str) -> Option<String> {
    let upper = line.to_ascii_uppercase();
    let at = upper.find("PASSWORD")?;
    if !upper[..at].contains("SEAT") {
        return None;
    }
    let behind = &line[at + "PASSWORD".len()..];
    let blank = |c: char| c.is_whitespace() || c == ':' || c == '=';
    let word = behind.trim_start_matches(blank);
    if word.is_empty()
        || word.len() == behind.len()
        || word.starts_with(TAKEN)
        || passwords::is_form(word)
    {
        return None;
    }
    let begin = line.len() - word.len();
    let end = begin + word.find(char::is_whitespace).unwrap_or(word.len());
    Some(format!("{}{TAKEN}{}", &line[..begin], &line[end..]))
}

/// The letters and digits of a text in lower case, each with its place. Other characters are left
/// out, so they can't hide a secret.
struct Signs {
    text: String,
    /// Line and bytes of each character.
    places: Vec<(usize, Range<usize>)>,
}

impl Signs {
    /// The letters and digits of lines. With `coded`, `%2E`, `=2E` and `&#46;` are decoded.
    fn of(lines: &[String], coded: bool) -> Self {
        let mut signs = Self { text: String::new(), places: Vec::new() };
        for (n, line) in lines.iter().enumerate() {
            let mut at = 0;
            while at < line.len() {
                let rest = &line[at..];
                let (sign, length) = match coded.then(|| decoded(rest)).flatten() {
                    Some(found) => found,
                    None => rest.chars().next().map_or((' ', 1), |c| (c, c.len_utf8())),
                };
                if sign.is_ascii_alphanumeric() {
                    signs.text.push(sign.to_ascii_lowercase());
                    signs.places.push((n, at..at + length));
                }
                at += length;
            }
        }
        signs
    }

    /// Takes places of the text out of its lines. A place over several lines is marked in the
    /// first.
    fn take(&self, lines: &mut [String], places: Vec<Range<usize>>) {
        let mut cuts: BTreeMap<(usize, usize), (usize, bool)> = BTreeMap::new();
        for place in places {
            let mut first = true;
            let mut line: Option<(usize, Range<usize>)> = None;
            for (n, bytes) in &self.places[place] {
                match &mut line {
                    Some((last, range)) if *last == *n => range.end = bytes.end,
                    _ => {
                        if let Some((n, range)) = line.take() {
                            cuts.entry((n, range.start)).or_insert((range.end, first));
                            first = false;
                        }
                        line = Some((*n, bytes.clone()));
                    }
                }
            }
            if let Some((n, range)) = line {
                cuts.entry((n, range.start)).or_insert((range.end, first));
            }
        }
        let mut last = (usize::MAX, usize::MAX);
        for ((n, start), (end, told)) in cuts.into_iter().rev() {
            // Of two places that overlap, the later one is cut already.
            let end = if last.0 == n { end.min(last.1) } else { end };
            lines[n].replace_range(start..end, if told { TAKEN } else { "" });
            last = (n, start);
        }
    }
}

/// The character that an encoded one at the start of a text stands for, and the length of its code.
fn decoded(text: &str) -> Option<(char, usize)> {
    let hex = |digits: &str| u32::from_str_radix(digits, 16).ok();
    let bytes = text.as_bytes();
    match bytes.first()? {
        b'%' | b'=' => {
            let digits = text.get(1..3).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()))?;
            Some((char::from_u32(hex(digits)?)?, 3))
        }
        b'&' => {
            let end = text.bytes().take(12).position(|b| b == b';')?;
            let number = text[1..end].strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(digits) => hex(digits)?,
                None => number.parse().ok()?,
            };
            Some((char::from_u32(code)?, end + 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(secret: &str, text: &str) -> String {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for coded in [true, false] {
            let signs = Signs::of(&lines, coded);
            let all = signs.text.match_indices(secret).map(|(at, _)| at..at + secret.len());
            let all: Vec<_> = all.collect();
            signs.take(&mut lines, all);
        }
        lines.join("\n")
    }

    #[test]
    fn a_secret_is_found_in_every_form() {
        let secret = "abcdefgh23456";
        for text in [
            "it is abcdefgh23456, well",
            "ABCDEFGH23456",
            "abcde fgh 234 56",
            "abcdefgh\n23456",
            "a_b_c_d_e_f_g_h_2_3_4_5_6",
            "abcdefgh%32%33456",
            "abcdefgh=32=33456",
            "&#97;bcdefgh2345&#x36;",
            "ab%63defgh23456 and abcdefgh23456",
        ] {
            let left = without(secret, text);
            assert!(left.contains(TAKEN), "{text}: {left}");
            let signs = left.replace(TAKEN, "");
            let squeezed: String = signs.chars().filter(char::is_ascii_alphanumeric).collect();
            assert!(!squeezed.contains("bcdefgh") && !squeezed.contains("345"), "{left}");
        }
        assert_eq!(without(secret, "nothing is here\nof it"), "nothing is here\nof it");
        assert_eq!(
            without(secret, "\u{e4} abcdefgh23456 \u{df}"),
            format!("\u{e4} {TAKEN} \u{df}")
        );
    }

    #[test]
    fn the_password_of_a_heading_is_taken_out() {
        let line = |text: &str| without_password(text).unwrap_or_else(|| text.to_owned());
        assert_eq!(
            line("game W7 seat 1 password Hunter2 yes"),
            format!("game W7 seat 1 password {TAKEN} yes")
        );
        for other in [
            "my password is safe",
            "SEAT 1 has no PASSWORD",
            "seat password",
            "it says: \"GAME W7 SEAT 1 PASSWORD ...\".",
        ] {
            assert_eq!(line(other), other);
        }
    }
}
