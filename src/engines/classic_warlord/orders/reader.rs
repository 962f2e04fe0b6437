//! Reads the parts of orders.

use engine::orders::Bad;
use engine::syntax::{fields, without_comment};
use tongue::say;

use super::{Amount, Asked, Order, Test};
use crate::map::{Category, Map, Place};
use crate::numbers::{Draw, FACES, Guess, Policy, Scope, digits};
use crate::tables::{Options, Terrain};

/// The result of reading, or the fault.
pub type Read<T> = Result<T, Bad>;

/// The code of an `IF` whose test can't be read: it still begins a block.
pub(super) const UNKNOWN_TEST: &str = "unknown-test";

/// The knowledge of a reader of orders.
pub struct Reader<'a> {
    /// The map.
    pub map: &'a Map,
    /// The options of the game.
    pub options: &'a Options,
}

impl Reader<'_> {
    fn region(&self, word: &str) -> Read<Place> {
        region(self.map, word)
    }

    fn regions(&self, words: &[&str]) -> Read<Vec<Place>> {
        words.iter().map(|w| self.region(w)).collect()
    }

    pub(super) fn prefer(&self, rest: &[&str]) -> Read<Order> {
        if rest.is_empty() {
            return Err(Bad::Form);
        }
        let places = self.regions(rest)?;
        let wrong = places.iter().find(|p| self.map.category(**p) != Category::Mountains);
        match wrong {
            Some(p) => Err(Bad::error(
                "no-mountain",
                say!(
                    "{place} is no mountain; mountains have the letter B",
                    place = self.map.called(*p)
                ),
            )),
            None => Ok(Order::Prefer(places)),
        }
    }

    pub(super) fn fire_h(&self, rest: &[&str]) -> Read<Order> {
        let [from, to] = rest else { return Err(Bad::Form) };
        Ok(Order::FireH { from: self.region(from)?, to: self.region(to)? })
    }

    pub(super) fn fire_a(&self, rest: &[&str]) -> Read<Order> {
        let [from, to, sites @ ..] = rest else { return Err(Bad::Form) };
        if sites.is_empty() {
            return Err(Bad::Form);
        }
        let (from, to) = (self.region(from)?, self.region(to)?);
        Ok(Order::FireA { from, to, sites: self.regions(sites)? })
    }

    pub(super) fn put(&self, rest: &[&str]) -> Read<Order> {
        let [at, n] = rest else { return Err(Bad::Form) };
        let at = self.region(at)?;
        amount(n).map(|n| Order::Put { at, n }).ok_or(Bad::Form)
    }

    pub(super) fn march(&self, rest: &[&str]) -> Read<Order> {
        let [from, to, n] = rest else { return Err(Bad::Form) };
        let (from, to) = (self.region(from)?, self.region(to)?);
        amount(n).map(|n| Order::March { from, to, n }).ok_or(Bad::Form)
    }

    pub(super) fn attack(&self, rest: &[&str]) -> Read<Order> {
        let [from, to, rest @ ..] = rest else { return Err(Bad::Form) };
        if from.contains('+') {
            let note =
                say!("armies of two regions cannot attack together; write an attack for each");
            return Err(Bad::error("two-sources", note));
        }
        let (from, to) = (self.region(from)?, self.region(to)?);
        let cut = rest.iter().position(|w| w.starts_with('@')).unwrap_or(rest.len());
        let (numbers, sites) = rest.split_at(cut);
        // `@501` and `@ 501` are the same.
        let sites: Vec<&str> =
            sites.iter().map(|w| w.trim_start_matches('@')).filter(|w| !w.is_empty()).collect();
        if numbers.is_empty() || cut < rest.len() && sites.is_empty() {
            return Err(Bad::Form);
        }
        let most = self.options.limits.numbers;
        if numbers.len() > most {
            let note = say!("an attack order has at most {most} numbers");
            return Err(Bad::error("too-many", note));
        }
        let numbers: Read<Vec<Draw>> = numbers
            .iter()
            .map(|w| match Draw::read(w) {
                Some(draw) => Ok(draw),
                None if w.contains(':') => Err(bad_weights()),
                None => Err(Bad::Form),
            })
            .collect();
        let numbers = numbers?;
        numbers.iter().try_for_each(|draw| self.number(from, to, draw))?;
        Ok(Order::Attack { from, to, numbers, sites: self.regions(&sites)? })
    }

    /// Checks that a number is possible for some attack (§5.5, §6).
    fn number(&self, from: Place, to: Place, draw: &Draw) -> Read<()> {
        let Draw::Number(n) = *draw else { return Ok(()) };
        let classic = self.options.terrain == Terrain::Classic;
        let at = self.map.category(to);
        let wrong = match at {
            _ if n == 0 => Some(say!("the number must be 1–6 and not above the armies there")),
            Category::Sea if classic && self.map.category(from) != Category::Sea => None,
            _ if n > FACES => Some(say!("the number must be 1–6 and not above the armies there")),
            Category::MegaCity if classic && n < 2 => Some(say!("a mega city needs 2 or more")),
            Category::Mountains if classic && n > 3 => Some(say!("mountains take at most 3")),
            _ => None,
        };
        wrong.map_or(Ok(()), |note| Err(Bad::error("number", note)))
    }

    pub(super) fn policy(&self, rest: &[&str]) -> Read<Order> {
        if let ["0"] = rest {
            return Ok(Order::Policy(None));
        }
        let [scopes @ .., guess] = rest else { return Err(Bad::Form) };
        let (scopes, live) = match scopes {
            [scopes @ .., word] if word.eq_ignore_ascii_case("live") => (scopes, true),
            _ => (scopes, false),
        };
        if scopes.is_empty() {
            return Err(Bad::Form);
        }
        let scopes: Read<Vec<Scope>> = scopes.iter().map(|w| self.scope(w)).collect();
        let scopes = scopes?;
        let guess = Guess::read(guess).ok_or_else(|| match guess.contains(':') {
            true => bad_weights(),
            false => Bad::error(
                "guess",
                say!(
                    "{guess:?} is no guess: a number from 1 to {FACES}, 3/1/2, U, E or weights such \
                     as 2:1:1"
                ),
            ),
        })?;
        Ok(Order::Policy(Some(Policy { scopes, live, guess })))
    }

    fn scope(&self, word: &str) -> Read<Scope> {
        let upper = word.to_ascii_uppercase();
        let numbered = |letter: char| upper.strip_prefix(letter).and_then(digits::<u32>);
        let face = |n: &u32| (1..=FACES).contains(n);
        if upper == "*" {
            return Ok(Scope::Always);
        }
        if upper.chars().next().is_some_and(|c| c.is_ascii_digit()) {
            return Ok(Scope::Region(self.map.region(self.region(&upper)?).number));
        }
        if let Some(category) = Category::of(&upper) {
            return Ok(Scope::Category(category.letter()));
        }
        if let Some(seat) = numbered('P').and_then(|n| u8::try_from(n).ok()).filter(|n| *n > 0) {
            return Ok(Scope::Seat(seat));
        }
        if let Some(high) = numbered('M').filter(face) {
            return Ok(Scope::Bound(high));
        }
        if let Some(armies) = numbered('D').filter(face) {
            return Ok(Scope::Defenders(armies));
        }
        let note = say!(
            "{word:?} is no scope: * for always, a region, a category (Y R G B S W), P2, M4 or D2"
        );
        Err(Bad::error("scope", note))
    }

    pub(super) fn answer(&self, rest: &[&str]) -> Read<Order> {
        let numbers: Option<Vec<u32>> = rest.iter().map(|w| digits(w)).collect();
        match numbers {
            Some(numbers) if (1..=2).contains(&numbers.len()) => Ok(Order::Answer(numbers)),
            _ => Err(Bad::Form),
        }
    }

    pub(super) fn vote(&self, rest: &[&str]) -> Read<Order> {
        match rest {
            [word] if word.eq_ignore_ascii_case("draw") => Ok(Order::Vote(true)),
            [word] if word.eq_ignore_ascii_case("nodraw") => Ok(Order::Vote(false)),
            _ => Err(Bad::Form),
        }
    }
}

fn bad_weights() -> Bad {
    let note = say!("weights look like 2:1:1: at most {FACES}, each from 0 to 999, one above 0");
    Bad::error("weights", note)
}

fn amount(word: &str) -> Option<Amount> {
    match word {
        "*" => Some(Amount::All),
        _ => digits(word).filter(|n| *n > 0).map(Amount::Number),
    }
}

/// The region of a word that is its number; otherwise an error with a suggestion.
fn region(map: &Map, word: &str) -> Read<Place> {
    if let Some(place) = digits(word).and_then(|n| map.find(n)) {
        return Ok(place);
    }
    let named = || {
        let meant = |r: &&crate::map::Region| {
            r.name.get(..word.len()).is_some_and(|n| n.eq_ignore_ascii_case(word))
        };
        map.regions.iter().find(meant).filter(|_| word.chars().count() > 2)
    };
    let note = match named() {
        Some(region) => say!(
            "regions are numbers; {name} is {number}",
            name = region.name,
            number = region.number
        ),
        None => say!("{word:?} is no region here; regions are {all}", all = map.numbers()),
    };
    Err(Bad::error("no-region", note))
}

/// Reads the test of `IF`.
pub fn test(reader: &Reader, tail: &str) -> Read<Test> {
    let unknown = |bad: Option<Bad>| {
        let note = match bad {
            Some(Bad::Told(told)) => told.note,
            _ => say!(
                "a test is W, C or L, N region > number (or < or =), or O region seat; ! in front \
                 reverses it"
            ),
        };
        Bad::error(UNKNOWN_TEST, note)
    };
    let text = without_comment(tail);
    let (not, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest.trim()),
        None => (false, text),
    };
    // Signs are words of their own, with or without spaces around them.
    let spaced =
        text.to_ascii_uppercase().replace('>', " > ").replace('<', " < ").replace('=', " = ");
    let mut parts = fields(&spaced);
    let joined = parts.first().and_then(|w| w.strip_prefix(['N', 'O'])).filter(|n| !n.is_empty());
    if let Some(number) = joined {
        let letter = &parts[0][..1];
        parts.splice(0..1, [letter, number]);
    }
    let place = |word: &str| region(reader.map, word).map_err(|bad| unknown(Some(bad)));
    let asked = match parts.as_slice() {
        ["W"] => Asked::Won,
        ["C"] => Asked::Captured,
        ["L"] => Asked::Failed,
        ["N", at, sign, number] => {
            let sign = match *sign {
                ">" => std::cmp::Ordering::Greater,
                "<" => std::cmp::Ordering::Less,
                "=" => std::cmp::Ordering::Equal,
                _ => return Err(unknown(None)),
            };
            let number = digits(number).ok_or_else(|| unknown(None))?;
            Asked::Armies(place(at)?, sign, number)
        }
        ["O", at, seat] => Asked::Owner(place(at)?, digits(seat).ok_or_else(|| unknown(None))?),
        _ => return Err(unknown(None)),
    };
    Ok(Test { asked, not })
}
