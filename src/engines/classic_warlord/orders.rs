//! Orders: one table, from which the reader, the help and the errors are made (§8).

use engine::press;
use engine::syntax::{fields, without_comment, words};
use engine::{CardText, Told, Topic};
use tongue::{mark, say, word};

use super::map::{Category, Map, Place};
use super::numbers::{Draw, FACES, Guess, Policy, Scope, digits};
use super::tables::{Options, Terrain};

/// A row of the table of orders.
pub struct Row {
    /// The first word.
    pub word: &'static str,
    /// The right form.
    pub form: &'static str,
    /// What it does, in sentences.
    pub text: &'static str,
    /// Lines as a player would write them.
    pub examples: &'static [&'static str],
}

/// Every order, in the order of a turn.
pub const ROWS: [Row; 14] = [
    Row {
        word: "S",
        form: mark!("S region region ..."),
        text: mark!(
            "Mountains that you would like to begin on, the best first. The robot runs the draft \
               and takes the first of your list that is still possible, round by round; behind the \
               end of the list it takes the one with the lowest number. Name many."
        ),
        examples: &["S 518 522 524 528", "S 513"],
    },
    Row {
        word: "H",
        form: mark!("H from target"),
        text: mark!(
            "Fires the whole H-bomb of a region of yours at any region that its units reach, or \
               at its own. The target and all next to it are radioactive for ever; all of these \
               and their neighbours lose every army, and bombs there go off too. H-bombs come \
               before A-bombs, and both before extra armies."
        ),
        examples: &["H 507 501"],
    },
    Row {
        word: "A",
        form: mark!("A from target site ..."),
        text: mark!(
            "Fires the whole A-bomb of a region of yours. The target is radioactive for ever; it \
               and all next to it lose every army, and bombs there go off too. You win an H-bomb \
               unit for it, on the first of your sites that is possible: in the empire that fired, \
               not devastated, without an A-bomb."
        ),
        examples: &["A 505 544 504 562"],
    },
    Row {
        word: "P",
        form: mark!("P region number"),
        text: mark!(
            "Places extra armies. Each empire claims its own, and they go to its own regions; * \
               is all that it has left. What you leave over goes to the empire's region with most \
               armies before anything moves."
        ),
        examples: &["P 501 3", "P 549 *"],
    },
    Row {
        word: "M",
        form: mark!("M from to number"),
        text: mark!(
            "Moves armies to an empty region next to theirs. One army stays behind; * is all but \
               one. They may go on from there in the same turn."
        ),
        examples: &["M 501 549 2", "M 549 553 *"],
    },
    Row {
        word: "K",
        form: mark!("K from to number ... [@ site ...]"),
        text: mark!(
            "Attacks a region of another player next to yours, with 2 armies at least. The number \
               is your secret: 1 to 6, and not above your armies there. If it is guessed you lose \
               so many armies, else the defender loses one, you win an A-bomb unit, and when the \
               region is empty so many of yours advance. More numbers attack again, as long as the \
               region is held and you have 2 armies. A number may be U (any), E (an even mix) or \
               weights for 1, 2 and so on, such as 3:2:1. Sites behind @ are where the unit would \
               go."
        ),
        examples: &["K 501 549 3 2 1 @ 501", "K 501 549 E E", "K 501 549 3:2:1"],
    },
    Row {
        word: "IF",
        form: mark!("IF test ... ELSE ... FI"),
        text: mark!(
            "The lines up to ELSE or FI are done only if the test is true then, those behind ELSE \
               only if it is not. Tests: W the last attack succeeded, C it captured, L it failed, \
               N region > number (or < or =) for the armies there, O region seat for its owner (0: \
               nobody). ! in front turns a test round. Blocks may stand within blocks."
        ),
        examples: &["IF C", "IF !W", "IF N 501 > 4", "IF O 549 2"],
    },
    Row {
        word: "ELSE",
        form: "ELSE",
        text: mark!("Begins the lines that are done when the test of IF is not true."),
        examples: &["ELSE"],
    },
    Row { word: "FI", form: "FI", text: mark!("Ends the lines of IF."), examples: &["FI"] },
    Row {
        word: "Z",
        form: "Z",
        text: mark!(
            "Ends a part of your turn: what stands above is done, you get a printout at once and \
               go on with another card. The last part of a turn has no Z."
        ),
        examples: &["Z"],
    },
    Row {
        word: "G",
        form: mark!("G scope ... guess"),
        text: mark!(
            "What you guess when you are attacked, on file until you change it; the first line \
               that fits counts, and new lines come before old ones. Scopes, which all must fit: * \
               always, a region, a category (Y R G B S W), P2 attacked by seat 2, M4 when the number \
               is 4 at most, D2 with 2 armies there (6: six or more). The guess: a number, 3/1/2 for \
               the first, second, third attack on the region in a turn, U, E, or weights such as \
               2:2:1. LIVE before it asks you by mail first. G 0 takes all lines away."
        ),
        examples: &["G * E", "G 501 M6 2:2:1:1:1:1", "G Y LIVE 3/2", "G 0"],
    },
    Row {
        word: "Q",
        form: mark!("Q number"),
        text: mark!(
            "Your guess when the robot asks for one; two numbers where you have two guesses."
        ),
        examples: &["Q 3"],
    },
    Row {
        word: "V",
        form: mark!("V DRAW or V NODRAW"),
        text: mark!(
            "Votes for a draw, or takes the vote back. When all who play vote for it, the game \
               ends drawn."
        ),
        examples: &["V DRAW", "V NODRAW"],
    },
    Row {
        word: "PRESS",
        form: mark!("PRESS seat ... END"),
        text: mark!(
            "A letter to another player, to several (PRESS 2,3) or to ALL; it comes with their next \
               mails. ANON behind the seats leaves your name out. Its text begins on the next line, \
               and END stands alone below it."
        ),
        examples: &["PRESS 2", mark!("Shall we leave the sea to each other?"), "END"],
    },
];

/// So many armies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// This number.
    Number(u32),
    /// All that there are.
    All,
}

/// What `IF` asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// `W`: the last attack succeeded.
    Won,
    /// `C`: it captured.
    Captured,
    /// `L`: it failed.
    Failed,
    /// `N`: armies on a region are more, fewer or as many.
    Armies(Place, std::cmp::Ordering, u32),
    /// `O`: who holds a region; 0: nobody.
    Owner(Place, u8),
}

/// A test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Test {
    /// What is asked.
    pub asked: Asked,
    /// True if it is not so.
    pub not: bool,
}

/// An order as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// `S`
    Prefer(Vec<Place>),
    /// `H`
    FireH {
        /// The site of the bomb.
        from: Place,
        /// Where it goes off.
        to: Place,
    },
    /// `A`
    FireA {
        /// The site of the bomb.
        from: Place,
        /// Where it goes off.
        to: Place,
        /// Where the H-bomb unit may go.
        sites: Vec<Place>,
    },
    /// `P`
    Put {
        /// Where.
        at: Place,
        /// How many.
        n: Amount,
    },
    /// `M`
    March {
        /// From where.
        from: Place,
        /// To where.
        to: Place,
        /// How many.
        n: Amount,
    },
    /// `K`
    Attack {
        /// From where.
        from: Place,
        /// On what.
        to: Place,
        /// The secret numbers, one an attack.
        numbers: Vec<Draw>,
        /// Where A-bomb units may go.
        sites: Vec<Place>,
    },
    /// `IF`
    If(Test),
    /// `ELSE`
    Else,
    /// `FI`
    Fi,
    /// `Z`
    Pause,
    /// `G`; `None` clears.
    Policy(Option<Policy>),
    /// `Q`
    Answer(Vec<u32>),
    /// `V`: whether for a draw.
    Vote(bool),
    /// `PRESS`
    Press(press::Block),
}

impl Order {
    /// Whether it belongs to the sender's own turn, and waits for it.
    pub fn is_of_turn(&self) -> bool {
        !matches!(
            self,
            Self::Prefer(_) | Self::Policy(_) | Self::Answer(_) | Self::Vote(_) | Self::Press(_)
        )
    }
}

/// A line of a card with an order on it, right or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number in the card.
    pub line: u32,
    /// What it says, or what is wrong with it.
    pub read: Result<Order, Told>,
    /// Of `IF` that is not true, and of `ELSE` that is come to: the entry to go on with.
    pub next: usize,
}

/// The orders of a card, in their order.
pub fn read(map: &Map, options: &Options, card: &CardText) -> Vec<Entry> {
    let limits = &options.limits;
    let (letters, rest) = press::split(card);
    let mut entries = Vec::new();
    for (line, text) in &rest.lines {
        let Some(read) = order(map, options, text) else { continue };
        let read = match entries.len() < limits.orders {
            true => read,
            false => {
                let most = limits.orders;
                let note = say!("a card has at most {most} orders; send the rest later");
                Err(Told::error("too-many", note))
            }
        };
        entries.push(Entry { line: *line, read, next: 0 });
    }
    for (n, block) in letters.into_iter().enumerate() {
        let line = block.line;
        let read = match n < limits.letters {
            true => Ok(Order::Press(block)),
            false => {
                let note = say!("a card has at most {most} letters", most = limits.letters);
                Err(Told::error("too-many", note))
            }
        };
        entries.push(Entry { line, read, next: 0 });
    }
    entries.sort_by_key(|e| e.line);
    blocks(&mut entries, limits.nesting);
    entries
}

/// A block that is open while entries are gone through.
struct Open {
    /// The entry of its IF.
    begin: usize,
    /// The entry of its ELSE.
    middle: Option<usize>,
    /// What is wrong with it.
    fault: Option<Told>,
}

/// Finds where each block ends. The lines of one that is wrong are not done.
fn blocks(entries: &mut [Entry], nesting: usize) {
    let mut open: Vec<Open> = Vec::new();
    for at in 0..entries.len() {
        let line = |open: &Open, entries: &[Entry]| entries[open.begin].line;
        match &entries[at].read {
            Ok(Order::If(_)) => {
                let deep = open.len() >= nesting;
                let note = || say!("blocks stand within each other at most {nesting} deep");
                let fault = deep.then(|| Told::error("too-deep", note()));
                open.push(Open { begin: at, middle: None, fault });
            }
            Err(told) if told.code == UNKNOWN_TEST => {
                open.push(Open { begin: at, middle: None, fault: Some(told.clone()) });
            }
            Ok(Order::Else) => match open.last_mut() {
                None => entries[at].read = Err(alone("ELSE")),
                Some(last) if last.middle.is_some() => {
                    let note = say!(
                        "the block that begins in line {n} has an ELSE already; none of it is done",
                        n = line(last, entries)
                    );
                    last.fault.get_or_insert(Told::error("two-else", note));
                }
                Some(last) => last.middle = Some(at),
            },
            Ok(Order::Fi) => match open.pop() {
                None => entries[at].read = Err(alone("FI")),
                Some(block) => close(entries, &block, at),
            },
            _ => {}
        }
    }
    while let Some(mut block) = open.pop() {
        let note = say!("this block has no FI, so nothing from here on is done");
        block.fault.get_or_insert(Told::error("no-fi", note));
        close(entries, &block, entries.len());
    }
}

fn alone(word: &str) -> Told {
    Told::error("no-if", say!("{word} without an IF above it"))
}

/// The code of an `IF` whose test can't be read: it begins a block all the same.
const UNKNOWN_TEST: &str = "unknown-test";

fn close(entries: &mut [Entry], block: &Open, end: usize) {
    if let Some(fault) = &block.fault {
        let line = entries[block.begin].line;
        entries[block.begin].read = Err(fault.clone());
        for entry in entries.iter_mut().take(end.saturating_add(1)).skip(block.begin + 1) {
            if entry.read.is_ok() {
                let note = say!("not done: the block that begins in line {line} is wrong");
                entry.read = Err(Told::error("in-a-wrong-block", note));
            }
        }
        return;
    }
    entries[block.begin].next = block.middle.map_or(end, |m| m + 1);
    if let Some(middle) = block.middle {
        entries[middle].next = end;
    }
}

/// Reads a line; `None`: there is nothing on it.
fn order(map: &Map, options: &Options, text: &str) -> Option<Result<Order, Told>> {
    let parts = words(text)?;
    let reader = Reader { map, options };
    let rest = parts.rest.as_slice();
    Some(match parts.head.as_str() {
        "S" => reader.prefer(rest),
        "H" => reader.fire_h(rest),
        "A" => reader.fire_a(rest),
        "P" => reader.put(rest),
        "M" => reader.march(rest),
        "K" => reader.attack(rest),
        "IF" => test(map, parts.tail).map(Order::If),
        "ELSE" if rest.is_empty() => Ok(Order::Else),
        "FI" if rest.is_empty() => Ok(Order::Fi),
        "Z" if rest.is_empty() => Ok(Order::Pause),
        "G" => reader.policy(rest),
        "Q" => reader.answer(rest),
        "V" => reader.vote(rest),
        word => Err(match ROWS.iter().find(|row| row.word == word) {
            Some(row) => form(row.word),
            None => {
                let known: Vec<&str> = ROWS.iter().map(|row| row.word).collect();
                let known = known.join(", ");
                Told::error("unknown", say!("there is no such order; HELP explains {known}"))
            }
        }),
    })
}

/// The right form of an order, as an error.
fn form(word: &str) -> Told {
    let row = ROWS.iter().find(|row| row.word == word).unwrap_or(&ROWS[0]);
    let (form, example) = (tongue::word(row.form), row.examples[0]);
    Told::error("form", say!("the form is {form}, such as {example}"))
}

struct Reader<'a> {
    map: &'a Map,
    options: &'a Options,
}

impl Reader<'_> {
    fn region(&self, word: &str) -> Result<Place, Told> {
        region(self.map, word)
    }

    fn regions(&self, words: &[&str]) -> Result<Vec<Place>, Told> {
        words.iter().map(|w| self.region(w)).collect()
    }

    fn prefer(&self, rest: &[&str]) -> Result<Order, Told> {
        if rest.is_empty() {
            return Err(form("S"));
        }
        let places = self.regions(rest)?;
        let wrong = places.iter().find(|p| self.map.category(**p) != Category::Mountains);
        match wrong {
            Some(p) => Err(Told::error(
                "no-mountain",
                say!(
                    "{place} is no mountain; mountains have the letter B",
                    place = self.map.called(*p)
                ),
            )),
            None => Ok(Order::Prefer(places)),
        }
    }

    fn fire_h(&self, rest: &[&str]) -> Result<Order, Told> {
        let [from, to] = rest else { return Err(form("H")) };
        Ok(Order::FireH { from: self.region(from)?, to: self.region(to)? })
    }

    fn fire_a(&self, rest: &[&str]) -> Result<Order, Told> {
        let [from, to, sites @ ..] = rest else { return Err(form("A")) };
        if sites.is_empty() {
            return Err(form("A"));
        }
        let (from, to) = (self.region(from)?, self.region(to)?);
        Ok(Order::FireA { from, to, sites: self.regions(sites)? })
    }

    fn put(&self, rest: &[&str]) -> Result<Order, Told> {
        let [at, n] = rest else { return Err(form("P")) };
        let at = self.region(at)?;
        amount(n).map(|n| Order::Put { at, n }).ok_or_else(|| form("P"))
    }

    fn march(&self, rest: &[&str]) -> Result<Order, Told> {
        let [from, to, n] = rest else { return Err(form("M")) };
        let (from, to) = (self.region(from)?, self.region(to)?);
        amount(n).map(|n| Order::March { from, to, n }).ok_or_else(|| form("M"))
    }

    fn attack(&self, rest: &[&str]) -> Result<Order, Told> {
        let [from, to, rest @ ..] = rest else { return Err(form("K")) };
        if from.contains('+') {
            let note =
                say!("armies of two regions cannot attack together; write an attack for each");
            return Err(Told::error("two-sources", note));
        }
        let (from, to) = (self.region(from)?, self.region(to)?);
        let cut = rest.iter().position(|w| w.starts_with('@')).unwrap_or(rest.len());
        let (numbers, sites) = rest.split_at(cut);
        // `@501` and `@ 501` are the same.
        let sites: Vec<&str> =
            sites.iter().map(|w| w.trim_start_matches('@')).filter(|w| !w.is_empty()).collect();
        if numbers.is_empty() || cut < rest.len() && sites.is_empty() {
            return Err(form("K"));
        }
        let most = self.options.limits.numbers;
        if numbers.len() > most {
            let note = say!("an attack order has at most {most} numbers");
            return Err(Told::error("too-many", note));
        }
        let numbers: Result<Vec<Draw>, Told> = numbers
            .iter()
            .map(|w| match Draw::read(w) {
                Some(draw) => Ok(draw),
                None if w.contains(':') => Err(bad_weights()),
                None => Err(form("K")),
            })
            .collect();
        let numbers = numbers?;
        numbers.iter().try_for_each(|draw| self.number(from, to, draw))?;
        Ok(Order::Attack { from, to, numbers, sites: self.regions(&sites)? })
    }

    /// That a number can be one at all (§5.5, §6).
    fn number(&self, from: Place, to: Place, draw: &Draw) -> Result<(), Told> {
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
        wrong.map_or(Ok(()), |note| Err(Told::error("number", note)))
    }

    fn policy(&self, rest: &[&str]) -> Result<Order, Told> {
        if let ["0"] = rest {
            return Ok(Order::Policy(None));
        }
        let [scopes @ .., guess] = rest else { return Err(form("G")) };
        let (scopes, live) = match scopes {
            [scopes @ .., word] if word.eq_ignore_ascii_case("live") => (scopes, true),
            _ => (scopes, false),
        };
        if scopes.is_empty() {
            return Err(form("G"));
        }
        let scopes: Result<Vec<Scope>, Told> = scopes.iter().map(|w| self.scope(w)).collect();
        let scopes = scopes?;
        let guess = Guess::read(guess).ok_or_else(|| match guess.contains(':') {
            true => bad_weights(),
            false => Told::error(
                "guess",
                say!(
                    "{guess:?} is no guess: a number from 1 to {FACES}, 3/1/2, U, E or weights such \
                     as 2:1:1"
                ),
            ),
        })?;
        Ok(Order::Policy(Some(Policy { scopes, live, guess })))
    }

    fn scope(&self, word: &str) -> Result<Scope, Told> {
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
        Err(Told::error("scope", note))
    }

    fn answer(&self, rest: &[&str]) -> Result<Order, Told> {
        let numbers: Option<Vec<u32>> = rest.iter().map(|w| digits(w)).collect();
        match numbers {
            Some(numbers) if (1..=2).contains(&numbers.len()) => Ok(Order::Answer(numbers)),
            _ => Err(form("Q")),
        }
    }

    fn vote(&self, rest: &[&str]) -> Result<Order, Told> {
        match rest {
            [word] if word.eq_ignore_ascii_case("draw") => Ok(Order::Vote(true)),
            [word] if word.eq_ignore_ascii_case("nodraw") => Ok(Order::Vote(false)),
            _ => Err(form("V")),
        }
    }
}

fn bad_weights() -> Told {
    let note = say!("weights look like 2:1:1: at most {FACES}, each from 0 to 999, one above 0");
    Told::error("weights", note)
}

fn amount(word: &str) -> Option<Amount> {
    match word {
        "*" => Some(Amount::All),
        _ => digits(word).filter(|n| *n > 0).map(Amount::Number),
    }
}

/// The region of a word: its number, else the error with what was meant.
fn region(map: &Map, word: &str) -> Result<Place, Told> {
    if let Some(place) = digits(word).and_then(|n| map.find(n)) {
        return Ok(place);
    }
    let named = || {
        let meant = |r: &&super::map::Region| {
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
    Err(Told::error("no-region", note))
}

/// Reads the test of `IF`.
fn test(map: &Map, tail: &str) -> Result<Test, Told> {
    let unknown = |told: Option<Told>| {
        let note = match told {
            Some(told) => told.note,
            None => say!(
                "a test is W, C, L, N region > number (or < or =), O region seat; ! in front turns \
                 it round"
            ),
        };
        Told::error(UNKNOWN_TEST, note)
    };
    let text = without_comment(tail);
    let (not, text) = match text.strip_prefix('!') {
        Some(rest) => (true, rest.trim()),
        None => (false, text),
    };
    // Signs stand for themselves, with blanks or without.
    let spaced =
        text.to_ascii_uppercase().replace('>', " > ").replace('<', " < ").replace('=', " = ");
    let mut parts = fields(&spaced);
    let joined = parts.first().and_then(|w| w.strip_prefix(['N', 'O'])).filter(|n| !n.is_empty());
    if let Some(number) = joined {
        let letter = &parts[0][..1];
        parts.splice(0..1, [letter, number]);
    }
    let place = |word: &str| region(map, word).map_err(|told| unknown(Some(told)));
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

/// Letters of the longest item that is still taken for one of an order.
const ITEM_MAX: usize = 40;

/// Whether a line of a mail begins as an order does, right or wrong.
pub fn starts_order(line: &str) -> bool {
    let Some(parts) = words(line) else { return false };
    // No item is so long; digests are.
    if parts.rest.iter().any(|w| w.len() > ITEM_MAX) {
        return false;
    }
    let first = parts.rest.first().copied().unwrap_or_default();
    let digit = |w: &str| w.starts_with(|c: char| c.is_ascii_digit());
    let wordy = parts.rest.iter().filter(|w| w.chars().filter(|c| c.is_alphabetic()).count() > 2);
    let plain = wordy.clone().count() == 0;
    match parts.head.as_str() {
        "S" | "H" | "A" | "P" | "M" | "K" => digit(first) && wordy.count() <= 1,
        "Q" => digit(first) && parts.rest.len() <= 2,
        "G" => {
            let live = wordy.clone().all(|w| w.eq_ignore_ascii_case("live"));
            !first.is_empty() && (plain || live)
        }
        "IF" => plain && first.starts_with(['!', 'W', 'C', 'L', 'N', 'O', 'w', 'c', 'l', 'n', 'o']),
        "ELSE" | "FI" | "Z" => parts.rest.is_empty(),
        // A vote that is misspelt wants to be told so.
        "V" => parts.rest.len() == 1 && first.len() <= 8,
        _ => false,
    }
}

/// Help from the table.
pub fn help() -> Vec<Topic> {
    let topic = |row: &Row| Topic {
        word: row.word.to_owned(),
        title: word(row.form).into_owned(),
        text: word(row.text).into_owned(),
        examples: row.examples.iter().map(|e| word(e).into_owned()).collect(),
    };
    ROWS.iter().map(topic).collect()
}
