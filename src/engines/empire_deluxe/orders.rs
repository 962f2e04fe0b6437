//! Orders: one table, from which the reader, the help and the errors are made (§16).

use engine::geometry::{Direction, Place};
use engine::syntax::without_comment;
use engine::{CardText, Told, Topic, press};
use serde::{Deserialize, Serialize};
use tongue::{mark, say};

use super::ground::Ground;
use super::kinds::Kind;
use super::tables::Options;

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

/// Every order.
pub const ROWS: [Row; 22] = [
    Row {
        word: "M",
        form: mark!("M units x,y"),
        text: mark!(
            "Goes there by the shortest way that is known, turn after turn, and attacks nothing. \
             It waits where something stands in its way. With ? it stops as soon as an enemy comes \
             into sight, with ! an aircraft flies on when no base is in reach any more."
        ),
        examples: &["M 17 23,9", "M 13-16 5,8", "M ALL AR AT 3 12,8"],
    },
    Row {
        word: "D",
        form: mark!("D units digits"),
        text: mark!(
            "Takes exactly these steps, by the digits of a number pad: 8 is up, 6 right, 5 waits \
             for a turn. A step into an enemy is an attack."
        ),
        examples: &["D 17 6693", "D 4 8"],
    },
    Row {
        word: "A",
        form: mark!("A units x,y"),
        text: mark!(
            "Goes there and attacks what is on the square, a unit or a city, until it has won, is \
             dead, or nothing is there."
        ),
        examples: &["A 17 24,9"],
    },
    Row {
        word: "S",
        form: mark!("S units"),
        text: mark!(
            "Stands as a sentry; it wakes when it is repaired and when an enemy or a foreign city \
             comes next to it. S 17 ! is a garrison, which never wakes and is never taken aboard; \
             S 17 * attacks what comes next to it with even chances or better."
        ),
        examples: &["S 17", "S 13-16 !", "S 9 *"],
    },
    Row {
        word: "T",
        form: mark!("T units x,y x,y ..."),
        text: mark!(
            "Patrols from where it is to these squares and back to the first, until an enemy is \
             sighted; with ! it goes on, with * it attacks when chances are even or better."
        ),
        examples: &["T 7 10,5 18,5"],
    },
    Row {
        word: "E",
        form: mark!("E units"),
        text: mark!(
            "Explores: to the nearest square from which something new is seen. Aircraft return in \
             time. It stops when nothing is left, and when an enemy is sighted, unless with !; \
             with * it attacks what comes next to it with even chances or better."
        ),
        examples: &["E 21", "E 3-5 !"],
    },
    Row {
        word: "L",
        form: mark!("L units carrier, or L carrier"),
        text: mark!("Goes to a carrier and boards it. A carrier alone waits until it is full."),
        examples: &["L 9 5", "L 5"],
    },
    Row {
        word: "U",
        form: mark!("U units, or U carrier x,y"),
        text: mark!(
            "A carrier: everything aboard steps off, towards the square if there is one; with * it \
             lands there and attacks the square. Infantry of the advanced edition that has not \
             moved: it becomes an airbase."
        ),
        examples: &["U 5", "U 5 23,9", "U 5 24,9 *"],
    },
    Row {
        word: "R",
        form: mark!("R units"),
        text: mark!(
            "Returns to the nearest city, aircraft to a carrier or an airbase too, and stays until \
             it is whole."
        ),
        examples: &["R 17"],
    },
    Row {
        word: "W",
        form: mark!("W units turns"),
        text: mark!("Waits so many turns; of use within a queue."),
        examples: &["W 17 2"],
    },
    Row {
        word: "K",
        form: mark!("K units"),
        text: mark!("Forgets its orders."),
        examples: &["K 17"],
    },
    Row {
        word: "P",
        form: mark!("P city kind ..."),
        text: mark!(
            "A city builds these, one after the other, and the last one again and again, unless NO \
             stands behind it: then nothing more. What it has done for something else is lost."
        ),
        examples: &["P 3 AR AR TR", "P 3 AR NO", "P 3 NO"],
    },
    Row {
        word: "PD",
        form: mark!("PD kind"),
        text: mark!(
            "What cities build that you capture; NO is nothing. Where it can't be built they build \
             land units."
        ),
        examples: &["PD AR"],
    },
    Row {
        word: "Z",
        form: mark!("Z city order THEN order ..."),
        text: mark!(
            "What every unit does that is built there from now on, or in ALL your cities; Z 3 \
             alone ends it."
        ),
        examples: &["Z 3 M 12,8 THEN S", "Z ALL E *", "Z 3"],
    },
    Row {
        word: "ZD",
        form: mark!("ZD order THEN order ..."),
        text: mark!(
            "What every unit does that is built in cities which you take from now on; ZD alone \
             ends it."
        ),
        examples: &["ZD E *", "ZD"],
    },
    Row {
        word: "Q",
        form: mark!("Q transport places"),
        text: mark!("A transport that leaves a city takes no more than so many places."),
        examples: &["Q 5 4"],
    },
    Row {
        word: "N",
        form: mark!("N unit name"),
        text: mark!("Names a unit."),
        examples: &["N 17 Trafalgar Guard"],
    },
    Row {
        word: "NC",
        form: mark!("NC city name"),
        text: mark!("Names a city."),
        examples: &["NC 3 Trafalgar"],
    },
    Row {
        word: "X",
        form: mark!("X RESIGN YES, or X ABDICATE YES"),
        text: mark!(
            "Leaves the game: your units go and your cities are nobody's, or a computer plays on."
        ),
        examples: &["X RESIGN YES", "X ABDICATE YES"],
    },
    Row {
        word: "PRESS",
        form: mark!("PRESS players, text, END"),
        text: mark!(
            "A letter to these players, or to ALL, in games with the option press: the lines \
             between PRESS and END. With ANON behind it your name is not told. It costs nothing \
             and goes out with the next mails."
        ),
        examples: &["PRESS 3", "PRESS ALL ANON"],
    },
    Row {
        word: "MORE",
        form: "MORE",
        text: mark!("Ends a part of your turn: what stands above is done at once, and you go on."),
        examples: &["MORE"],
    },
    Row {
        word: "CLOSE",
        form: "CLOSE",
        text: mark!("Ends the card: your turn is over and nothing more is waited for."),
        examples: &["CLOSE"],
    },
];

/// Signs behind an order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    /// `!`: on, whatever comes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on: bool,
    /// `*`: fights.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fight: bool,
    /// `?`: stops when an enemy comes into sight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop: bool,
}

/// See [`Task::Patrol`].
pub const BEGINS: u8 = u8::MAX;

/// A step of a unit's orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Task {
    /// `M`
    Go(Place, Flags),
    /// `D`: directions by code, 0 waits.
    Path(Vec<u8>, Flags),
    /// `A`
    Attack(Place, Flags),
    /// `S`
    Sentry(Flags),
    /// `T`: the squares, and the place in them that it makes for; [`BEGINS`]: it has not begun,
    /// and its own square will be the first.
    Patrol(Vec<Place>, u8, Flags),
    /// `E`
    Explore(Flags),
    /// `L` with the number of a carrier.
    Board(u16),
    /// `L` of a carrier.
    Fill,
    /// `U`
    Unload(Option<Place>, Flags),
    /// `R`
    Return,
    /// `W`
    Wait(u8),
}

/// Which units an order is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pick {
    /// These numbers, each from and to.
    Numbers(Vec<(u16, u16)>),
    /// All of a kind, or of any, of a group.
    All(Option<Kind>, Among),
}

/// The group that an order is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// Everywhere.
    Everywhere,
    /// In a city, or on a square.
    At(Where),
    /// Aboard a carrier.
    Aboard(u16),
    /// At a front, by its number in the printout.
    Front(usize),
}

/// Cities whose new units are told what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cities {
    /// One of them.
    One(Where),
    /// All that the player has now.
    All,
    /// Those that it takes from now on.
    Taken,
}

/// A place by what a player calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// A square.
    Square(Place),
    /// A city by its number.
    City(u16),
}

/// An order as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Units do this, step after step; no steps: they forget what they were told.
    Units(Pick, Vec<Task>),
    /// `P`
    Build(Where, Vec<Kind>, bool),
    /// `PD`
    Default(Option<Kind>),
    /// `Z` and `ZD`
    Rally(Cities, Vec<Task>),
    /// `Q`
    Quota(u16, u8),
    /// `N`
    NameUnit(u16, String),
    /// `NC`
    NameCity(Where, String),
    /// `X`: whether a computer plays on.
    Leave {
        /// ABDICATE.
        computer: bool,
    },
    /// `PRESS`
    Press(press::Block),
    /// `MORE`
    More,
    /// `CLOSE`
    Close,
}

/// An order of a card, right or wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The line that it begins in.
    pub line: u32,
    /// What stands there.
    pub text: String,
    /// Lines below that go on with it.
    pub goes_on: Vec<(u32, String)>,
    /// What it says, or what is wrong with it.
    pub read: Result<Order, Told>,
}

/// The orders of a card, in their order.
pub fn read(ground: &Ground, options: &Options, card: &CardText) -> Vec<Entry> {
    let reader = Reader { ground, options };
    let mut entries: Vec<Entry> = Vec::new();
    let (letters, card) = press::split(card);
    for (line, text) in &card.lines {
        let text = without_comment(text);
        for part in text.split(" / ") {
            let spaced = part.replace('>', " THEN ");
            let words: Vec<&str> = spaced.split_whitespace().collect();
            let Some(first) = words.first() else { continue };
            if first.eq_ignore_ascii_case("THEN") {
                // It goes on with the order above.
                match entries.last_mut() {
                    Some(entry) => {
                        entry.read = reader.goes_on(&entry.read, &words[1..]);
                        entry.goes_on.push((*line, part.trim().to_owned()));
                    }
                    None => entries.push(Entry {
                        line: *line,
                        text: part.trim().to_owned(),
                        goes_on: Vec::new(),
                        read: Err(Told::error(
                            "then",
                            say!("there is no order above to go on with"),
                        )),
                    }),
                }
                continue;
            }
            let read = match entries.len() < options.limits.orders {
                true => reader.order(&words),
                false => {
                    let most = options.limits.orders;
                    Err(Told::error("too-many", say!("a card has at most {most} orders")))
                }
            };
            let text = part.trim().to_owned();
            entries.push(Entry { line: *line, text, goes_on: Vec::new(), read });
        }
    }
    for (n, block) in letters.into_iter().enumerate() {
        let most = options.limits.letters;
        let (line, text) = (block.line, "PRESS".to_owned());
        let goes_on = block.text.clone();
        let read = match n < most {
            _ if !options.press => Err(Told::error("no-press", say!("this game has no letters"))),
            true => Ok(Order::Press(block)),
            false => Err(Told::error("too-many", say!("a card has at most {most} letters"))),
        };
        entries.push(Entry { line, text, goes_on, read });
    }
    entries.sort_by_key(|e| e.line);
    entries
}

struct Reader<'a> {
    ground: &'a Ground,
    options: &'a Options,
}

/// The right form of an order, as an error.
fn form(word: &str) -> Told {
    let row = ROWS.iter().find(|r| r.word == word).unwrap_or(&ROWS[0]);
    let (form, example) = (tongue::word(row.form), row.examples[0]);
    Told::error("form", say!("the form is {form}, such as {example}"))
}

fn is_no(word: &str) -> bool {
    word.eq_ignore_ascii_case("no")
}

fn number(word: &str) -> Option<u16> {
    word.parse().ok().filter(|n| *n > 0)
}

impl Reader<'_> {
    fn order(&self, words: &[&str]) -> Result<Order, Told> {
        let head = words[0].to_ascii_uppercase();
        let rest = &words[1..];
        match head.as_str() {
            "M" | "D" | "A" | "S" | "T" | "E" | "L" | "U" | "R" | "W" | "K" => {
                self.unit_order(&head, rest)
            }
            "P" => {
                let [city, kinds @ ..] = rest else { return Err(form("P")) };
                let city = self.place(city).ok_or_else(|| form("P"))?;
                let (list, ends) = self.list(kinds)?;
                Ok(Order::Build(city, list, ends))
            }
            "PD" => match rest {
                [no] if is_no(no) => Ok(Order::Default(None)),
                [kind] => Ok(Order::Default(Some(self.built(kind)?))),
                _ => Err(form("PD")),
            },
            "Z" => {
                let [city, rest @ ..] = rest else { return Err(form("Z")) };
                let cities = match city.eq_ignore_ascii_case("all") {
                    true => Cities::All,
                    false => Cities::One(self.place(city).ok_or_else(|| form("Z"))?),
                };
                Ok(Order::Rally(cities, self.tasks(rest)?))
            }
            "ZD" => Ok(Order::Rally(Cities::Taken, self.tasks(rest)?)),
            "Q" => match rest {
                [unit, places] => {
                    let pair = (number(unit), places.parse().ok());
                    let (Some(unit), Some(places)) = pair else { return Err(form("Q")) };
                    Ok(Order::Quota(unit, places))
                }
                _ => Err(form("Q")),
            },
            "N" => {
                let [unit, name @ ..] = rest else { return Err(form("N")) };
                let unit = number(unit).ok_or_else(|| form("N"))?;
                Ok(Order::NameUnit(unit, self.name(name, "N")?))
            }
            "NC" => {
                let [city, name @ ..] = rest else { return Err(form("NC")) };
                let city = self.place(city).ok_or_else(|| form("NC"))?;
                Ok(Order::NameCity(city, self.name(name, "NC")?))
            }
            "X" => {
                let computer = match rest.first().map(|w| w.to_ascii_uppercase()).as_deref() {
                    Some("RESIGN") => false,
                    Some("ABDICATE") => true,
                    _ => return Err(form("X")),
                };
                match rest.get(1).is_some_and(|w| w.eq_ignore_ascii_case("yes")) {
                    true => Ok(Order::Leave { computer }),
                    false => {
                        let word = rest[0].to_ascii_uppercase();
                        Err(Told::error("sure", say!("repeat it with YES: X {word} YES")))
                    }
                }
            }
            "MORE" if rest.is_empty() => Ok(Order::More),
            "CLOSE" if rest.is_empty() => Ok(Order::Close),
            word => Err(match ROWS.iter().find(|r| r.word == word) {
                Some(row) => form(row.word),
                None => {
                    let text = say!(
                        "there is no such order; orders are such as M 17 23,9 (go there), A 17 \
                         24,9 (attack), E 21 (explore), P 3 AR AR (a city builds); HELP lists all"
                    );
                    Told::error("unknown", text)
                }
            }),
        }
    }

    fn name(&self, words: &[&str], of: &str) -> Result<String, Told> {
        let name: String = words.join(" ").chars().filter(|c| !c.is_control()).collect();
        if name.is_empty() { Err(form(of)) } else { Ok(name) }
    }

    /// A city by number, or a square.
    fn place(&self, word: &str) -> Option<Where> {
        match word.contains(',') {
            true => self.square(word).ok().map(Where::Square),
            false => number(word).map(Where::City),
        }
    }

    fn square(&self, word: &str) -> Result<Place, Told> {
        let sides = word.split_once(',').and_then(|(x, y)| {
            Some((x.trim().parse::<i32>().ok()?, y.trim().parse::<i32>().ok()?))
        });
        let Some((x, y)) = sides else {
            return Err(Told::error("square", say!("{word:?} is no square, such as 23,9")));
        };
        let grid = self.ground.grid;
        let inside = (1..=i32::from(grid.cols)).contains(&x);
        grid.at(x - 1, y - 1).filter(|_| inside).ok_or_else(|| {
            let (cols, rows) = (grid.cols, grid.rows);
            Told::error("off-map", say!("{x},{y} is outside the {cols} × {rows} map"))
        })
    }

    fn kind(&self, word: &str) -> Result<Kind, Told> {
        let there = |k: &Kind| self.options.figure(*k).is_some();
        match Kind::of(word) {
            Some(kind) if there(&kind) => Ok(kind),
            Some(kind) => {
                let (name, edition) = (kind.said(), self.options.edition.said());
                Err(Told::error("edition", say!("{name} is not in the {edition} edition")))
            }
            None => {
                let kinds: Vec<&str> =
                    Kind::ALL.into_iter().filter(there).map(Kind::code).collect();
                let kinds = kinds.join(", ");
                Err(Told::error("kind", say!("{word:?} is no kind; there are {kinds}")))
            }
        }
    }

    /// A kind that cities build.
    fn built(&self, word: &str) -> Result<Kind, Told> {
        let kind = self.kind(word)?;
        match self.options.builds(kind) {
            true => Ok(kind),
            false => {
                let name = kind.said();
                Err(Told::error("not-built", say!("no city builds {name}: order U to Infantry")))
            }
        }
    }

    /// Kinds, and whether NO stands behind them.
    fn list(&self, words: &[&str]) -> Result<(Vec<Kind>, bool), Told> {
        let (kinds, ends) = match words {
            [kinds @ .., no] if is_no(no) => (kinds, true),
            kinds => (kinds, false),
        };
        let most = self.options.limits.list;
        match kinds.len() {
            0 if !ends => Err(form("P")),
            n if n > most => Err(Told::error("too-many", say!("a list has at most {most} units"))),
            n => {
                let list: Result<Vec<Kind>, Told> = kinds.iter().map(|w| self.built(w)).collect();
                Ok((list?, ends && n > 0))
            }
        }
    }

    fn unit_order(&self, head: &str, rest: &[&str]) -> Result<Order, Told> {
        let (pick, rest) = self.pick(head, rest)?;
        if head == "K" {
            return match rest.is_empty() {
                true => Ok(Order::Units(pick, Vec::new())),
                false => Err(form("K")),
            };
        }
        // The first step has its letter before the units.
        let words: Vec<&str> = [head].into_iter().chain(rest.iter().copied()).collect();
        Ok(Order::Units(pick, self.tasks(&words)?))
    }

    /// The units at the beginning of words, and what follows them.
    fn pick<'w>(&self, head: &str, words: &'w [&'w str]) -> Result<(Pick, &'w [&'w str]), Told> {
        let [first, rest @ ..] = words else { return Err(form(head)) };
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
            return Ok((Pick::All(kind, among.ok_or_else(|| form(head))?), rest));
        }
        let mut spans = Vec::new();
        for part in first.split('+') {
            let span = match part.split_once('-') {
                Some((from, to)) => number(from).zip(number(to)),
                None => number(part).map(|n| (n, n)),
            };
            spans.push(span.filter(|(from, to)| from <= to).ok_or_else(|| form(head))?);
        }
        Ok((Pick::Numbers(spans), rest))
    }

    /// Steps with THEN between them.
    fn tasks(&self, words: &[&str]) -> Result<Vec<Task>, Told> {
        let parts = words.split(|w| w.eq_ignore_ascii_case("then"));
        let parts = parts.filter(|part| !part.is_empty());
        let tasks: Result<Vec<Task>, Told> = parts.map(|part| self.task(part)).collect();
        let tasks = tasks?;
        let most = self.options.limits.queue;
        match tasks.len() > most {
            true => Err(Told::error("too-long", say!("a queue has at most {most} steps"))),
            false => Ok(tasks),
        }
    }

    /// Words below that begin with THEN.
    fn goes_on(&self, above: &Result<Order, Told>, words: &[&str]) -> Result<Order, Told> {
        let more = self.tasks(words)?;
        let most = self.options.limits.queue;
        let joined = |tasks: &[Task]| {
            let tasks: Vec<Task> = tasks.iter().cloned().chain(more.clone()).collect();
            match tasks.len() > most {
                true => Err(Told::error("too-long", say!("a queue has at most {most} steps"))),
                false => Ok(tasks),
            }
        };
        match above {
            Ok(Order::Units(pick, tasks)) => Ok(Order::Units(pick.clone(), joined(tasks)?)),
            Ok(Order::Rally(city, tasks)) => Ok(Order::Rally(*city, joined(tasks)?)),
            Ok(_) => Err(Told::error("then", say!("THEN goes on with orders of units"))),
            Err(told) => Err(told.clone()),
        }
    }

    fn task(&self, words: &[&str]) -> Result<Task, Told> {
        let mut flags = Flags::default();
        let mut plain: Vec<&str> = Vec::new();
        for word in words {
            let bare = word.trim_end_matches(['!', '*', '?']);
            for sign in word[bare.len()..].chars() {
                match sign {
                    '!' => flags.on = true,
                    '*' => flags.fight = true,
                    _ => flags.stop = true,
                }
            }
            if !bare.is_empty() {
                plain.push(bare);
            }
        }
        let [head, args @ ..] = plain.as_slice() else { return Err(form("M")) };
        let head = head.to_ascii_uppercase();
        match (head.as_str(), args) {
            ("M", [to]) => Ok(Task::Go(self.square(to)?, flags)),
            ("A", [to]) => Ok(Task::Attack(self.square(to)?, flags)),
            ("D", digits) if !digits.is_empty() => {
                path(&digits.concat()).map(|steps| Task::Path(steps, flags))
            }
            ("S", []) => Ok(Task::Sentry(flags)),
            ("T", points) if !points.is_empty() => {
                let points: Result<Vec<Place>, Told> =
                    points.iter().map(|p| self.square(p)).collect();
                Ok(Task::Patrol(points?, BEGINS, flags))
            }
            ("E", []) => Ok(Task::Explore(flags)),
            ("L", [carrier]) => number(carrier).map(Task::Board).ok_or_else(|| form("L")),
            ("L", []) => Ok(Task::Fill),
            ("U", []) => Ok(Task::Unload(None, flags)),
            ("U", [to]) => Ok(Task::Unload(Some(self.square(to)?), flags)),
            ("R", []) => Ok(Task::Return),
            ("W", [turns]) => turns.parse().map(Task::Wait).map_err(|_| form("W")),
            // Who repeats the units in a queue is told how it goes on.
            (word, [number, rest @ ..]) if number.parse::<u16>().is_ok() && !rest.is_empty() => {
                let rest = rest.join(" ");
                Err(Told::error(
                    "form",
                    say!("the same units go on, so write it without them: THEN {word} {rest}"),
                ))
            }
            (word, _) => Err(match ROWS.iter().find(|r| r.word == word) {
                Some(row) => form(row.word),
                None => Told::error("unknown", say!("{word:?} is no step of a unit's orders")),
            }),
        }
    }
}

/// Digits of the number pad as codes of directions; 5 waits.
fn path(digits: &str) -> Result<Vec<u8>, Told> {
    let code = |c: char| match pad(c) {
        Some(direction) => Ok(direction.code()),
        None if c == '5' => Ok(0),
        None => Err(Told::error("digits", say!("directions are 1 to 9: 8 is up, 5 waits"))),
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

/// Whether a line of a mail begins as an order does, right or wrong.
pub fn starts_order(line: &str) -> bool {
    let line = without_comment(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let [head, rest @ ..] = words.as_slice() else { return false };
    let first = rest.first().copied().unwrap_or_default();
    let digit = first.starts_with(|c: char| c.is_ascii_digit());
    let all = first.eq_ignore_ascii_case("all");
    match head.to_ascii_uppercase().as_str() {
        "M" | "D" | "A" | "S" | "T" | "E" | "L" | "U" | "R" | "W" | "K" => digit || all,
        "Z" => digit || all,
        "ZD" => first.len() <= 1,
        "P" | "Q" | "N" | "NC" => digit,
        "PD" => rest.len() == 1 && first.len() == 2,
        "X" => ["resign", "abdicate"].contains(&first.to_ascii_lowercase().as_str()),
        "MORE" | "CLOSE" => rest.is_empty(),
        "THEN" => !rest.is_empty() && first.len() == 1,
        "PRESS" => press::opens(line).is_some(),
        _ => false,
    }
}

/// Units in the order of the card: who is named again is named where it was named last.
pub fn named(all: &[u16]) -> Vec<u16> {
    let mut seen = std::collections::BTreeSet::new();
    let mut order: Vec<u16> = all.iter().rev().copied().filter(|n| seen.insert(*n)).collect();
    order.reverse();
    order
}

/// Help from the table.
pub fn help() -> Vec<Topic> {
    let topic = |row: &Row| Topic {
        word: row.word.to_owned(),
        title: tongue::word(row.form).into_owned(),
        text: tongue::word(row.text).into_owned(),
        examples: row.examples.iter().map(|e| (*e).to_owned()).collect(),
    };
    let units = Topic {
        word: "UNITS".to_owned(),
        title: say!("units: 17, 13-16, 3+5, ALL ..."),
        text: say!(
            "An order may be for many units: numbers, spans and sums of them, or ALL. Behind ALL a \
             kind may stand, then the group as the printout lists it: AT a city or a square, \
             ABOARD a carrier, or FRONT and its number. Those that can't do it are told by number."
        ),
        examples: ["S 13-16", "S ALL AR AT 3", "A ALL ABOARD 5 24,9", "A ALL AR FRONT 1 24,9"]
            .map(str::to_owned)
            .to_vec(),
    };
    let then = Topic {
        word: "THEN".to_owned(),
        title: say!("order THEN order ..."),
        text: say!(
            "Steps that follow each other, for the same units, which are named once. A line that \
             begins with THEN goes on with the order above it. What is stored goes on turn after \
             turn, also when you send no card, until it is done, replaced, or ended by K."
        ),
        examples: ["M 5 30,11 THEN U 31,11", "M 12 14,22 THEN A 15,22 THEN S"]
            .map(str::to_owned)
            .to_vec(),
    };
    ROWS.iter().map(topic).chain([units, then]).collect()
}
