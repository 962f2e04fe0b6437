//! Reads the items of orders.

use engine::Told;
use engine::orders::Bad;
use tongue::say;

use super::{Act, Aims, Appeal, Cond, Fix, Goal, Leg, Order, Piece, Stance, Stand, Term, Test};
use crate::board::Board;
use crate::galaxy::{Planet, System, number};
use crate::kinds::{Group, Kind, Name, Side};

/// The value, or the error.
pub type Read<T> = Result<T, Bad>;

/// The context for reading orders.
pub struct Reader<'a> {
    /// The board as its side knows it.
    pub board: &'a Board,
    /// The side whose card it is.
    pub side: Side,
}

impl Reader<'_> {
    fn system(&self, word: &str) -> Read<System> {
        let all = self.board.galaxy.systems.len();
        let known = number(word).map(System).filter(|s| self.board.galaxy.row(*s).is_some());
        known.ok_or_else(|| Bad::error("no-system", say!("systems are 01 to {all:02}, not {word}")))
    }

    pub(super) fn systems(&self, words: &[&str]) -> Read<Vec<System>> {
        if words.is_empty() {
            return Err(Bad::Form);
        }
        words.iter().map(|w| self.system(w)).collect()
    }

    fn planet(&self, word: &str) -> Read<Planet> {
        let Some(planet) = Planet::read(word) else {
            let note = say!("a planet is a system and a number such as 01.2, not {word}");
            return Err(Bad::error("no-planet", note));
        };
        let system = self.system(&planet.system.to_string())?;
        let count = self.board.galaxy.planets(system).count();
        let has = match count {
            1 => say!("{system} has planet 1 alone"),
            n => say!("{system} has planets 1–{n}"),
        };
        match self.board.galaxy.ground(planet) {
            Some(_) => Ok(planet),
            None => Err(Bad::error("no-planet", has)),
        }
    }

    pub(super) fn one_planet(&self, rest: &[&str]) -> Read<Planet> {
        match rest {
            [planet] => self.planet(planet),
            _ => Err(Bad::Form),
        }
    }

    fn unit(&self, word: &str) -> Read<Name> {
        Name::read(word, self.side).ok_or_else(|| {
            let note = match Kind::read(word) {
                Some(kind) => {
                    say!("which {word}? Write its number, such as {code}1", code = kind.code())
                }
                None => say!("a unit is a type and a number such as DD7, not {word}"),
            };
            Bad::error("no-unit", note)
        })
    }

    fn kind(&self, word: &str) -> Read<Kind> {
        Kind::read(word).ok_or_else(|| {
            let known: Vec<&str> =
                Kind::ALL.iter().filter(|k| k.built_by(self.side)).map(|k| k.code()).collect();
            let types = known.join(" ");
            Bad::error("no-type", say!("there is no type {word}; you have {types}"))
        })
    }

    fn piece(&self, word: &str) -> Read<Piece> {
        // A word that could be either is the type; B-1 is the unit (§2.1).
        match Kind::read(word) {
            Some(kind) => Ok(Piece::Kind(kind)),
            None => self.unit(word).map(Piece::Unit),
        }
    }

    fn group(&self, word: &str) -> Read<Group> {
        Group::read(word).ok_or_else(|| {
            let note = say!("{word} is no group: K, L, X, N, F or a type such as BB");
            Bad::error("no-group", note)
        })
    }

    fn fleet(&self, word: &str) -> Read<u8> {
        let most = self.board.tables.limits.fleets;
        number(word).filter(|n| (1..=most).contains(n)).ok_or_else(|| {
            Bad::error("no-fleet", say!("fleets have numbers from 1 to {most}, not {word}"))
        })
    }

    fn hex(&self, word: &str) -> Read<u8> {
        number(word).filter(|n| (1..=19).contains(n)).ok_or_else(|| {
            Bad::error("no-hex", say!("hexes have numbers from 1 to 19 at most, not {word}"))
        })
    }

    pub(super) fn build(&self, rest: &[&str]) -> Read<Order> {
        let (kind, count) = match rest {
            [kind] => (kind, "1"),
            [kind, count] => (kind, *count),
            _ => return Err(Bad::Form),
        };
        let kind = self.kind(kind)?;
        let count = number(count).filter(|n| *n > 0).ok_or(Bad::Form)?;
        Ok(Order::Build(kind, u32::from(count)))
    }

    pub(super) fn place(&self, rest: &[&str]) -> Read<Order> {
        let (piece, to, fleet) = match rest {
            [piece, to] => (piece, to, None),
            [piece, to, fleet] => (piece, to, Some(self.fleet(fleet)?)),
            _ => return Err(Bad::Form),
        };
        // A Terran B1 means the unit, except in a list of types.
        let piece = match Name::read(piece, self.side) {
            Some(name) => Piece::Unit(name),
            None => self.piece(piece)?,
        };
        if to.contains('.') {
            return Ok(Order::Place(piece, Goal::Planet(self.planet(to)?, fleet)));
        }
        match fleet {
            None => Ok(Order::Place(piece, Goal::Carrier(self.unit(to)?))),
            Some(_) => Err(Bad::Form),
        }
    }

    pub(super) fn appeal(&self, rest: &[&str]) -> Read<Order> {
        let (what, cond) = rest.split_first().ok_or(Bad::Form)?;
        let what = match what.to_uppercase().as_str() {
            "F" | "FORCES" => Appeal::Forces,
            "R" | "FINANCES" => Appeal::Finances,
            "N" | "NONE" => Appeal::None,
            _ => return Err(Bad::Form),
        };
        Ok(Order::Appeal(what, self.cond(cond)?))
    }

    pub(super) fn removal(&self, rest: &[&str]) -> Read<Order> {
        if rest.is_empty() {
            return Err(Bad::Form);
        }
        let pieces: Read<Vec<Piece>> = rest.iter().map(|w| self.piece(w)).collect();
        pieces.map(|p| Order::Stand(Stand::Removal(p)))
    }

    pub(super) fn segment(&self, rest: &[&str]) -> Read<Order> {
        match rest {
            [n] => match number(n).filter(|n| (1..=4).contains(n)) {
                Some(n) => Ok(Order::Segment(n)),
                None => Err(Bad::error("no-segment", say!("segments are 1 to 4"))),
            },
            _ => Err(Bad::Form),
        }
    }

    pub(super) fn activate(&self, rest: &[&str]) -> Read<Order> {
        let (system, cond) = rest.split_first().ok_or(Bad::Form)?;
        Ok(Order::Activate(self.system(system)?, self.cond(cond)?))
    }

    pub(super) fn cond(&self, rest: &[&str]) -> Read<Cond> {
        let Some((first, terms)) = rest.split_first() else { return Ok(Vec::new()) };
        if !first.eq_ignore_ascii_case("IF") || terms.is_empty() {
            return Err(Bad::Form);
        }
        terms.iter().map(|w| self.term(w)).collect()
    }

    fn term(&self, word: &str) -> Read<Term> {
        let unknown = || {
            let note = say!(
                "{word} is no condition; conditions are E09, O04, F2@09, C09.1, D09.1, I2, J1, G7, \
                 T3, V9, and ! in front"
            );
            Bad::error("no-condition", note)
        };
        let (not, rest) = match word.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, word),
        };
        let letter = rest.chars().next().ok_or_else(unknown)?;
        let what = rest.get(letter.len_utf8()..).unwrap_or_default();
        let plain = || number(what).ok_or_else(unknown);
        let test = match letter.to_ascii_uppercase() {
            'E' => Test::Enemy(self.system(what)?),
            'O' => Test::Own(self.system(what)?),
            'F' => {
                let (fleet, at) = what.split_once('@').ok_or_else(unknown)?;
                Test::Fleet(self.fleet(fleet)?, self.system(at)?)
            }
            'C' => Test::Holds(self.planet(what)?),
            'D' => Test::Disputed(self.planet(what)?),
            'I' => Test::Mine(plain()?),
            'J' => Test::Theirs(plain()?),
            'G' => Test::Glory(plain()?),
            'T' => Test::Turn(plain()?),
            'V' => Test::Roll(plain()?),
            _ => return Err(unknown()),
        };
        Ok(Term { test, not })
    }

    pub(super) fn moves(&self, rest: &[&str]) -> Read<Act> {
        let (fleets, path) = rest.split_first().ok_or(Bad::Form)?;
        if path.is_empty() {
            return Err(Bad::Form);
        }
        let fleets: Read<Vec<u8>> = fleets.split('+').map(|w| self.fleet(w)).collect();
        let mut fleets = fleets?;
        fleets.sort_unstable();
        fleets.dedup();
        let leg = |word: &&str| {
            let fight = word.ends_with('!');
            Ok(Leg { to: self.system(word.trim_end_matches('!'))?, fight })
        };
        Ok(Act::Move(fleets, path.iter().map(leg).collect::<Read<_>>()?))
    }

    pub(super) fn divide(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [fleet, new, units @ ..] if !units.is_empty() => {
                let units: Read<Vec<Name>> = units.iter().map(|w| self.unit(w)).collect();
                Ok(Act::Divide(self.fleet(fleet)?, self.fleet(new)?, units?))
            }
            _ => Err(Bad::Form),
        }
    }

    pub(super) fn combine(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [a, b] => Ok(Act::Combine(self.fleet(a)?, self.fleet(b)?)),
            _ => Err(Bad::Form),
        }
    }

    pub(super) fn pair(&self, rest: &[&str]) -> Read<(Name, Name)> {
        match rest {
            [a, b] => Ok((self.unit(a)?, self.unit(b)?)),
            _ => Err(Bad::Form),
        }
    }

    pub(super) fn unload(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [carrier, planet] => Ok(Act::Unload(self.unit(carrier)?, self.planet(planet)?)),
            _ => Err(Bad::Form),
        }
    }

    pub(super) fn attack(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [planet] => Ok(Act::Attack(self.planet(planet)?, None)),
            [planet, b, fleets @ ..] if b.eq_ignore_ascii_case("B") => {
                let fleets: Read<Vec<u8>> = fleets.iter().map(|w| self.fleet(w)).collect();
                let mut fleets = fleets?;
                fleets.sort_unstable();
                fleets.dedup();
                Ok(Act::Attack(self.planet(planet)?, Some(fleets)))
            }
            _ => Err(Bad::Form),
        }
    }

    pub(super) fn land(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [unit, hexes @ ..] if !hexes.is_empty() => {
                let hexes: Read<Vec<u8>> = hexes.iter().map(|w| self.hex(w)).collect();
                Ok(Act::Land(self.unit(unit)?, hexes?))
            }
            _ => Err(Bad::Form),
        }
    }

    pub(super) fn space(&self, rest: &[&str]) -> Read<Act> {
        match rest {
            [fleet, back] if back.eq_ignore_ascii_case("BACK") => {
                Ok(Act::Space(self.fleet(fleet)?, None))
            }
            [fleet, to] => Ok(Act::Space(self.fleet(fleet)?, Some(self.system(to)?))),
            _ => Err(Bad::Form),
        }
    }

    pub(super) fn fix(&self, rest: &[&str]) -> Read<Order> {
        if rest.is_empty() {
            return Err(Bad::Form);
        }
        let fix = |word: &&str| match word.split_once('+') {
            _ if *word == "*" => Ok(Fix::All),
            Some((a, b)) => Ok(Fix::Pair(self.unit(a)?, self.unit(b)?)),
            None => self.unit(word).map(Fix::Unit),
        };
        Ok(Order::Fix(rest.iter().map(fix).collect::<Read<_>>()?))
    }

    pub(super) fn maintain(&self, rest: &[&str]) -> Read<Order> {
        let (word, rest) = rest.split_first().ok_or(Bad::Form)?;
        let stand = match (word.to_uppercase().as_str(), rest) {
            ("STOCK", ["*"]) => Stand::Stock(None),
            ("STOCK", [n]) => {
                let n = n.parse().ok().filter(|n: &u32| *n <= 99_999);
                Stand::Stock(Some(n.ok_or(Bad::Form)?))
            }
            ("PRI", kinds) if !kinds.is_empty() => {
                Stand::Priority(kinds.iter().map(|w| self.kind(w)).collect::<Read<_>>()?)
            }
            ("SKIP", units) => {
                Stand::Skip(units.iter().map(|w| self.unit(w)).collect::<Read<_>>()?)
            }
            _ => return Err(Bad::Form),
        };
        Ok(Order::Stand(stand))
    }

    pub(super) fn stance(&self, rest: &[&str]) -> Read<Order> {
        let [group, stance] = rest else { return Err(Bad::Form) };
        let stance = match stance.to_uppercase().as_str() {
            "E" => Stance::Away,
            "H" => Stance::Stay,
            other => match number(other).filter(|n| *n <= 3) {
                Some(n) => Stance::Range(n),
                None => return Err(Bad::Form),
            },
        };
        Ok(Order::Stand(Stand::Stance(self.group(group)?, stance)))
    }

    pub(super) fn targets(&self, rest: &[&str]) -> Read<Order> {
        let (list, groups) = rest.split_first().ok_or(Bad::Form)?;
        let aims = match list.to_uppercase().as_str() {
            "B" => Aims::Beams,
            "T" => Aims::Torpedoes,
            "D" => Aims::Defence,
            "S" => Aims::Surface,
            _ => return Err(Bad::Form),
        };
        if groups.is_empty() {
            return Err(Bad::Form);
        }
        let groups: Read<Vec<Group>> = groups.iter().map(|w| self.group(w)).collect();
        Ok(Order::Stand(Stand::Targets(aims, groups?)))
    }

    pub(super) fn retreat(&self, rest: &[&str]) -> Read<Order> {
        let (fleet, systems) = rest.split_first().ok_or(Bad::Form)?;
        let fleet = if *fleet == "*" { None } else { Some(self.fleet(fleet)?) };
        Ok(Order::Stand(Stand::Retreat(fleet, self.systems(systems)?)))
    }

    pub(super) fn post(&self, rest: &[&str]) -> Read<Order> {
        let [planet, unit, hex] = rest else { return Err(Bad::Form) };
        let (planet, unit, hex) = (self.planet(planet)?, self.unit(unit)?, self.hex(hex)?);
        if hex > self.board.hexes(planet) {
            return Err(no_hex(self.board, planet).into());
        }
        Ok(Order::Stand(Stand::Post(planet, unit, hex)))
    }

    pub(super) fn choice(&self, rest: &[&str]) -> Read<Order> {
        let upper: Vec<String> = rest.iter().map(|w| w.to_uppercase()).collect();
        let words: Vec<&str> = upper.iter().map(String::as_str).collect();
        let stand = match words.as_slice() {
            ["FIRST"] => Stand::First(true),
            ["LAST"] => Stand::First(false),
            ["FIGHTERS", "JOIN"] => Stand::FightersJoin(true),
            ["FIGHTERS", "STAY"] => Stand::FightersJoin(false),
            ["SCOUTS", n] => Stand::Scouts(number(n).ok_or(Bad::Form)?),
            ["TRUCE"] => Stand::Truce(true),
            ["TRUCE", "NO"] => Stand::Truce(false),
            _ => return Err(Bad::Form),
        };
        Ok(Order::Stand(stand))
    }

    pub(super) fn halt(&self, rest: &[&str]) -> Read<Order> {
        if rest.is_empty() {
            let note = say!("HALT needs a condition: HALT IF E01");
            return Err(Bad::error("no-condition", note));
        }
        self.cond(rest).map(Order::Halt)
    }

    pub(super) fn no_fight(&self, rest: &[&str]) -> Read<Act> {
        let [hex] = rest else { return Err(Bad::Form) };
        number(hex).map(Act::NoFight).ok_or(Bad::Form)
    }

    pub(super) fn scrap(&self, rest: &[&str]) -> Read<Order> {
        if rest.is_empty() {
            return Err(Bad::Form);
        }
        rest.iter().map(|w| self.unit(w)).collect::<Read<_>>().map(Order::Scrap)
    }
}

/// The error for a hex that a planet does not have.
pub fn no_hex(board: &Board, planet: Planet) -> Told {
    Told::error("no-hex", say!("{planet} has hexes 1–{n}", n = board.hexes(planet)))
}
