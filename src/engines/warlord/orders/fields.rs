//! The fields of a line: numbers, sectors, bases, freight.

use super::{Freight, SectorNo, Who};
use crate::bases::{BaseNo, Planes};
use tongue::{mark, say, word};

/// Why a line could not be read.
pub struct Bad {
    /// A code that programs can compare.
    pub code: &'static str,
    /// What is wrong, in words.
    pub text: String,
}

/// A fault with its code and text.
pub fn bad<T>(code: &'static str, text: impl Into<String>) -> Result<T, Bad> {
    Err(Bad { code, text: text.into() })
}

/// The fields of one line.
pub struct Args<'a> {
    /// The fields after the letter.
    pub words: &'a [&'a str],
    /// All of the line after the letter, as written.
    pub tail: &'a str,
}

impl Args<'_> {
    /// Checks that there are `expected` fields.
    pub fn count(&self, expected: usize) -> Result<(), Bad> {
        let got = self.words.len();
        match got.cmp(&expected) {
            std::cmp::Ordering::Equal => Ok(()),
            std::cmp::Ordering::Less => bad("too-few", say!("{got} of {expected} numbers given")),
            std::cmp::Ordering::Greater => {
                bad("too-many", say!("{got} numbers given where {expected} are expected"))
            }
        }
    }

    /// A field that is a number; `what` names the thing that it counts.
    pub fn number(&self, i: usize, what: &str) -> Result<u16, Bad> {
        let field = self.words.get(i).copied().unwrap_or_default();
        let digits = field.bytes().all(|b| b.is_ascii_digit());
        if let Some(n) = field.parse().ok().filter(|_| digits) {
            return Ok(n);
        }
        let (given, what) = (shown(field), word(what));
        match () {
            () if digits && !field.is_empty() => {
                bad("too-large", say!("{given} is more than any {what} can be"))
            }
            () => bad("not-a-number", say!("{given:?} is no {what}")),
        }
    }

    /// A number up to 255.
    pub fn small(&self, i: usize, what: &str) -> Result<u8, Bad> {
        let n = self.number(i, what)?;
        let wrong =
            |_| bad("too-large", say!("{given} is no {what}", given = n, what = word(what)));
        u8::try_from(n).or_else(wrong)
    }

    /// A field that is a sector.
    pub fn sector(&self, i: usize) -> Result<SectorNo, Bad> {
        let word = self.words.get(i).copied().unwrap_or_default();
        match read_sector(word) {
            Some(sector) => Ok(sector),
            None => {
                let given = shown(word);
                bad("not-a-sector", say!("{given:?} is no sector number like 12387"))
            }
        }
    }

    /// The number after a letter, such as `S15` or `A1`.
    pub fn lettered(&self, i: usize, letter: char) -> Option<u16> {
        let word = self.words.get(i)?;
        let digits = word.strip_prefix([letter, letter.to_ascii_lowercase()])?;
        digits.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
    }

    /// An airbase: a number, or S and the number of a unit.
    pub fn base(&self, i: usize) -> Result<BaseNo, Bad> {
        match self.lettered(i, 'S') {
            Some(unit) => Ok(BaseNo::Ship(unit)),
            None => self.number(i, mark!("airbase number")).map(BaseNo::Land),
        }
    }

    /// Digits for fighters, bombers and jets, or M or A and a number; 0 after base 0.
    pub fn freight(&self, i: usize, to: BaseNo) -> Result<Freight, Bad> {
        if let Some(missiles) = self.lettered(i, 'M') {
            return Ok(Freight::Arms(missiles, 0));
        }
        if let Some(warheads) = self.lettered(i, 'A') {
            return Ok(Freight::Arms(0, warheads));
        }
        let word = self.words.get(i).copied().unwrap_or_default();
        let all = self.number(i, mark!("group of digits fb or fbj"))?;
        match (to, all) {
            (BaseNo::Land(0), 0) => Ok(Freight::Nothing),
            (_, 1..) if word.len() <= 3 => {
                // A single digit counts bombers; a third digit counts jets.
                let (both, jets) = if word.len() == 3 { (all / 10, all % 10) } else { (all, 0) };
                let planes = Planes { fighters: both / 10, bombers: both % 10, jets };
                Ok(Freight::Planes(planes))
            }
            _ => bad(
                "pair",
                say!("fighters, bombers and jets are one digit each, such as 23 or 231"),
            ),
        }
    }

    /// A unit or a sector: 4–5 digits or a dash make a sector, 1–3 digits a unit.
    pub fn who(&self, i: usize) -> Result<Who, Bad> {
        let word = self.words.get(i).copied().unwrap_or_default();
        match word.len() > 3 || word.contains('-') {
            true => self.sector(i).map(Who::Sector),
            false => self.number(i, mark!("unit number")).map(Who::Unit),
        }
    }
}

/// A player's word as an error shows it: short, without control characters.
pub fn shown(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).take(20).collect()
}

/// Reads `26149`, `261-49` and, if a leading zero was lost, `3454`.
pub fn read_sector(word: &str) -> Option<SectorNo> {
    let (col, row) = match word.split_once('-') {
        Some((col, row)) => (col, row),
        None if (4..=5).contains(&word.len()) && word.is_ascii() => word.split_at(word.len() - 2),
        None => return None,
    };
    let digits = |w: &str, most: usize| {
        (1..=most).contains(&w.len()) && w.bytes().all(|b| b.is_ascii_digit())
    };
    if !digits(col, 3) || !digits(row, 2) {
        return None;
    }
    Some(SectorNo { col: col.parse().ok()?, row: row.parse().ok()? })
}

/// The name after `N kind number`, unchanged except for blanks at its ends.
pub fn name_in(tail: &str) -> &str {
    let skip = |text: &str| {
        let text = text.trim_start_matches([' ', '\t', ',', '(', '[']);
        text.trim_start_matches(|c: char| c.is_ascii_digit() || ".)]".contains(c)).len()
    };
    let after_kind = &tail[tail.len() - skip(tail)..];
    let after_number = &after_kind[after_kind.len() - skip(after_kind)..];
    after_number.trim_start_matches(',').trim()
}
