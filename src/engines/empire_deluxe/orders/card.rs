//! Reads a card: its orders in their order, and the steps of their queues.

use engine::orders::Bad;
use engine::syntax::without_comment;
use engine::{CardText, Told, Topic, press};
use tongue::say;

use super::reader::Reader;
use super::rows::{ROWS, Reads, Row};
use super::{Entry, Flags, Order, Task};
use crate::ground::Ground;
use crate::tables::Options;

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
                // This line continues the order above.
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

impl Reader<'_> {
    fn order(&self, words: &[&str]) -> Result<Order, Told> {
        let [head, rest @ ..] = words else { return Err(unknown()) };
        let Some(row) = Row::find(ROWS, head) else { return Err(unknown()) };
        let told = |bad| row.verdict(bad);
        match row.read {
            Reads::Alone(read) => read(self, rest).map_err(told),
            Reads::Units => match self.pick(rest).map_err(told)? {
                (pick, []) => Ok(Order::Units(pick, Vec::new())),
                _ => Err(row.verdict(Bad::Form)),
            },
            // The first step has its word before the numbers of the units.
            Reads::Step(_) => {
                let (pick, rest) = self.pick(rest).map_err(told)?;
                let words: Vec<&str> = [row.word].into_iter().chain(rest.iter().copied()).collect();
                Ok(Order::Units(pick, self.tasks(&words)?))
            }
            Reads::Rally(read) => {
                let (cities, rest) = read(self, rest).map_err(told)?;
                Ok(Order::Rally(cities, self.tasks(&rest)?))
            }
        }
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

    /// Continues the order above with words that begin with THEN.
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
        let (word, args) = plain.split_first().map_or(("M", &[][..]), |(head, args)| (*head, args));
        let row = Row::find(ROWS, word);
        let read = match row.map(|row| &row.read) {
            Some(Reads::Step(step)) => step(self, args, flags),
            _ => Err(Bad::Form),
        };
        read.map_err(|bad| match (bad, args, row) {
            // A player who repeats the units in a queue learns how to continue it.
            (Bad::Form, [number, rest @ ..], _)
                if number.parse::<u16>().is_ok() && !rest.is_empty() =>
            {
                let (word, rest) = (word.to_ascii_uppercase(), rest.join(" "));
                Told::error(
                    "form",
                    say!("the same units go on, so write it without them: THEN {word} {rest}"),
                )
            }
            (bad, _, Some(row)) => row.verdict(bad),
            (_, _, None) => {
                let word = word.to_ascii_uppercase();
                Told::error("unknown", say!("{word:?} is no step of a unit's orders"))
            }
        })
    }
}

fn unknown() -> Told {
    let text = say!(
        "there is no such order; orders are such as M 17 23,9 (go there), A 17 24,9 (attack), E 21 \
         (explore), P 3 AR AR (a city builds); HELP lists all"
    );
    Told::error("unknown", text)
}

/// Whether a line of a mail begins like an order, right or wrong.
pub fn starts_order(line: &str) -> bool {
    let line = without_comment(line);
    let words: Vec<&str> = line.split_whitespace().collect();
    let [head, rest @ ..] = words.as_slice() else { return false };
    match head.eq_ignore_ascii_case("then") {
        true => rest.first().is_some_and(|w| w.len() == 1),
        false => press::opens(line).is_some() || Row::starts_order(ROWS, head, rest),
    }
}

/// Help from the table.
pub fn help() -> Vec<Topic> {
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
    Row::topics(ROWS).into_iter().chain([units, then]).collect()
}
