//! Reads the parts of orders.

use engine::geometry::{Direction, Place};
use engine::orders::Bad;
use tongue::say;

use super::{Among, BEGINS, Cities, Flags, Order, Pick, Task, Where};
use crate::ground::Ground;
use crate::kinds::Kind;
use crate::tables::Options;

/// The result of reading, or the fault.
pub type Read<T> = Result<T, Bad>;

/// The knowledge of a reader of orders.
pub struct Reader<'a> {
    /// The map.
    pub ground: &'a Ground,
    /// The options of the game.
    pub options: &'a Options,
}

fn is_no(word: &str) -> bool {
    word.eq_ignore_ascii_case("no")
}

pub(super) fn number(word: &str) -> Option<u16> {
    word.parse().ok().filter(|n| *n > 0)
}

fn name(words: &[&str]) -> Read<String> {
    let name: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
    if name.is_empty() { Err(Bad::Form) } else { Ok(name) }
}

pub(super) fn name_unit(words: &[&str]) -> Read<Order> {
    let [unit, words @ ..] = words else { return Err(Bad::Form) };
    Ok(Order::NameUnit(number(unit).ok_or(Bad::Form)?, name(words)?))
}

pub(super) fn quota(words: &[&str]) -> Read<Order> {
    let [unit, places] = words else { return Err(Bad::Form) };
    let pair = number(unit).zip(places.parse().ok());
    pair.map(|(unit, places)| Order::Quota(unit, places)).ok_or(Bad::Form)
}

pub(super) fn leave(words: &[&str]) -> Read<Order> {
    let word = words.first().map(|w| w.to_ascii_uppercase()).unwrap_or_default();
    let computer = match word.as_str() {
        "RESIGN" => false,
        "ABDICATE" => true,
        _ => return Err(Bad::Form),
    };
    match words.get(1).is_some_and(|w| w.eq_ignore_ascii_case("yes")) {
        true => Ok(Order::Leave { computer }),
        false => Err(Bad::error("sure", say!("repeat it with YES: X {word} YES"))),
    }
}

impl Reader<'_> {
    pub(super) fn build(&self, words: &[&str]) -> Read<Order> {
        let [city, kinds @ ..] = words else { return Err(Bad::Form) };
        let city = self.place(city).ok_or(Bad::Form)?;
        let (list, ends) = self.list(kinds)?;
        Ok(Order::Build(city, list, ends))
    }

    pub(super) fn default(&self, words: &[&str]) -> Read<Order> {
        match words {
            [no] if is_no(no) => Ok(Order::Default(None)),
            [kind] => Ok(Order::Default(Some(self.built(kind)?))),
            _ => Err(Bad::Form),
        }
    }

    /// Cities that send their new units on, and the words after them.
    pub(super) fn cities<'w>(&self, words: &'w [&'w str]) -> Read<(Cities, Vec<&'w str>)> {
        let [city, rest @ ..] = words else { return Err(Bad::Form) };
        let cities = match city.eq_ignore_ascii_case("all") {
            true => Cities::All,
            false => Cities::One(self.place(city).ok_or(Bad::Form)?),
        };
        Ok((cities, rest.to_vec()))
    }

    pub(super) fn name_city(&self, words: &[&str]) -> Read<Order> {
        let [city, words @ ..] = words else { return Err(Bad::Form) };
        Ok(Order::NameCity(self.place(city).ok_or(Bad::Form)?, name(words)?))
    }

    /// A square and nothing else.
    pub(super) fn only_square(&self, words: &[&str]) -> Read<Place> {
        if let [word] = words { self.square(word) } else { Err(Bad::Form) }
    }

    pub(super) fn patrol(&self, points: &[&str], flags: Flags) -> Read<Task> {
        if points.is_empty() {
            return Err(Bad::Form);
        }
        let points: Read<Vec<Place>> = points.iter().map(|p| self.square(p)).collect();
        Ok(Task::Patrol(points?, BEGINS, flags))
    }

    /// A city by number, or a square.
    fn place(&self, word: &str) -> Option<Where> {
        match word.contains(',') {
            true => self.square(word).ok().map(Where::Square),
            false => number(word).map(Where::City),
        }
    }

    fn square(&self, word: &str) -> Read<Place> {
        let sides = word.split_once(',').and_then(|(x, y)| {
            Some((x.trim().parse::<i32>().ok()?, y.trim().parse::<i32>().ok()?))
        });
        let Some((x, y)) = sides else {
            return Err(Bad::error("square", say!("{word:?} is no square, such as 23,9")));
        };
        let grid = self.ground.grid;
        let inside = (1..=i32::from(grid.cols)).contains(&x);
        grid.at(x - 1, y - 1).filter(|_| inside).ok_or_else(|| {
            let (cols, rows) = (grid.cols, grid.rows);
            Bad::error("off-map", say!("{x},{y} is outside the {cols} × {rows} map"))
        })
    }

    fn kind(&self, word: &str) -> Read<Kind> {
        let there = |k: &Kind| self.options.figure(*k).is_some();
        match Kind::of(word) {
            Some(kind) if there(&kind) => Ok(kind),
            Some(kind) => {
                let (name, edition) = (kind.localized(), self.options.edition.localized());
                Err(Bad::error("edition", say!("{name} is not in the {edition} edition")))
            }
            None => {
                let kinds: Vec<&str> =
                    Kind::ALL.into_iter().filter(there).map(Kind::code).collect();
                let kinds = kinds.join(", ");
                Err(Bad::error("kind", say!("{word:?} is no kind; there are {kinds}")))
            }
        }
    }

    /// A kind that cities build.
    fn built(&self, word: &str) -> Read<Kind> {
        let kind = self.kind(word)?;
        match self.options.builds(kind) {
            true => Ok(kind),
            false => {
                let name = kind.localized();
                Err(Bad::error("not-built", say!("no city builds {name}: order U to Infantry")))
            }
        }
    }

    /// Kinds, and whether NO follows them.
    fn list(&self, words: &[&str]) -> Read<(Vec<Kind>, bool)> {
        let (kinds, ends) = match words {
            [kinds @ .., no] if is_no(no) => (kinds, true),
            kinds => (kinds, false),
        };
        let most = self.options.limits.list;
        match kinds.len() {
            0 if !ends => Err(Bad::Form),
            n if n > most => Err(Bad::error("too-many", say!("a list has at most {most} units"))),
            n => {
                let list: Read<Vec<Kind>> = kinds.iter().map(|w| self.built(w)).collect();
                Ok((list?, ends && n > 0))
            }
        }
    }

    /// The units at the beginning of words, and the words after them.
    pub(super) fn pick<'w>(&self, words: &'w [&'w str]) -> Read<(Pick, &'w [&'w str])> {
        let [first, rest @ ..] = words else { return Err(Bad::Form) };
        if first.eq_ignore_ascii_case("all") {
            let (kind, rest) = match rest {
                [word, rest @ ..] if Kind::of(word).is_some() => (Some(self.kind(word)?), rest),
                rest => (None, rest),
            };
            let behind = rest;
            let [word, of, rest @ ..] = rest else {
                return Ok((Pick::All(kind, Among::Everywhere), rest));
            };
            let among = match word.to_ascii_uppercase().as_str() {
                "AT" => self.place(of).map(Among::At),
                "ABOARD" => number(of).map(Among::Aboard),
                "FRONT" => number(of).map(|n| Among::Front(n.into())),
                _ => return Ok((Pick::All(kind, Among::Everywhere), behind)),
            };
            return Ok((Pick::All(kind, among.ok_or(Bad::Form)?), rest));
        }
        let mut spans = Vec::new();
        for part in first.split('+') {
            let span = match part.split_once('-') {
                Some((from, to)) => number(from).zip(number(to)),
                None => number(part).map(|n| (n, n)),
            };
            spans.push(span.filter(|(from, to)| from <= to).ok_or(Bad::Form)?);
        }
        Ok((Pick::Numbers(spans), rest))
    }
}

/// Reads digits of the number pad as codes of directions; 5 waits.
pub(super) fn path(digits: &str) -> Read<Vec<u8>> {
    let code = |c: char| match pad(c) {
        Some(direction) => Ok(direction.code()),
        None if c == '5' => Ok(0),
        None => Err(Bad::error("digits", say!("directions are 1 to 9: 8 is up, 5 waits"))),
    };
    digits.chars().map(code).collect()
}

/// The direction of a key of the number pad.
pub fn pad(key: char) -> Option<Direction> {
    const KEYS: [char; 8] = ['8', '9', '6', '3', '2', '1', '4', '7'];
    let at = KEYS.iter().position(|k| *k == key)?;
    Direction::ALL.get(at).copied()
}

/// The key of a direction.
pub fn key(direction: Direction) -> char {
    const KEYS: [char; 8] = ['8', '9', '6', '3', '2', '1', '4', '7'];
    KEYS[usize::from(direction.code() - 1) % KEYS.len()]
}
