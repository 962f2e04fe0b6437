//! Amounts, ways and places that are told by others: `half of the army`, `two sectors north`,
//! `north of Kiel`.

use super::Parser;
use super::nouns::{EACH_MAX, Many, Noun, Nouns, TIMES_MAX};
use super::said::{BUT, EVERY, LEFT, PART};
use crate::wording::frames::{Role, Takes};
use crate::wording::speech::{ALL, AND, EXCEPT, FROM, IDLE, NEXT, OF, STEP, THEM, THEN, TO};
use crate::wording::tokens::{Kind, Token};

impl Nouns<'_, '_> {
    /// Lists of several amounts: `2 army and 38 air force`.
    pub(super) fn mixed(&self, sort: &'static str, at: usize, role: &Role) -> Vec<Noun> {
        let one = |at: usize| -> Vec<Noun> {
            const ARTICLES: [&str; 7] = ["A", "AN", "ANOTHER", "EIN", "EINE", "EINEN", "EINEM"];
            // `army` alone is no number of armies: it is all that can be made.
            let head = self.idle(at);
            let article = |t: &Token| ARTICLES.contains(&t.key.as_str());
            let bare = role.counted
                && !self.tokens[at..head].iter().any(article)
                && self
                    .tokens
                    .get(head)
                    .is_some_and(|t| t.number.is_none() && t.meaning.classes == 0);
            if bare {
                let parts = self.names.amounts.parts(sort).unwrap_or_default().iter();
                let made = self.names.amounts.stuff(sort).is_some();
                let all = parts.filter(|_| made).filter_map(|(part, prefix)| {
                    let end = head + self.noun_at(part, head)?;
                    let counted = self.tokens.get(end).is_some_and(|t| t.number.is_some());
                    (!counted).then(|| Noun::said(end, vec![format!("{EVERY}:{part}:{prefix}")]))
                });
                return all.collect();
            }
            let parts = self.names.amounts.parts(sort).unwrap_or_default().iter();
            let found = parts.flat_map(|(part, prefix)| {
                let amounts = self.amounts(part, at, role).into_iter().filter(|n| n.said);
                amounts.map(move |n| {
                    let code = match (n.codes[0].strip_prefix('\u{1}'), n.codes[0].parse::<u32>()) {
                        (Some(how), _) => format!("\u{1}{how}:{part}:{prefix}"),
                        (None, Ok(number)) if role.counted => {
                            let needed = self.names.amounts.needed(part, number);
                            self.converts.set(self.converts.get() || needed != number);
                            format!("{prefix}{}", if self.as_said { number } else { needed })
                        }
                        _ => format!("{prefix}{}", n.codes[0]),
                    };
                    Noun { codes: vec![code], ..n }
                })
            });
            found.collect()
        };
        let mut all: Vec<Noun> = Vec::new();
        let mut open = one(at);
        while !open.is_empty() && all.len() < EACH_MAX {
            let mut next = Vec::new();
            for noun in open {
                let more = self.listed_on(noun.end, false).map(one).unwrap_or_default();
                next.extend(
                    more.into_iter().map(|m| Noun {
                        codes: [noun.codes.clone(), m.codes.clone()].concat(),
                        ..m
                    }),
                );
                all.push(noun);
            }
            open = next;
        }
        all.extend(self.everything(sort, at));
        all
    }

    /// An amount: a number, with its noun or without, or all of it.
    pub(super) fn amounts(&self, sort: &'static str, at: usize, role: &Role) -> Vec<Noun> {
        let mut found = Vec::new();
        let pool = self.names.amounts.pool(sort).flatten();
        for (head, how) in self.quantities(at) {
            let part = |code: &str, of: u32| match pool {
                Some(pool) => (pool / of).to_string(),
                // What lies at the place that the order names.
                None => code.to_owned(),
            };
            let value = match how {
                Many::Count(n) => Some(n.to_string()),
                // `both planes` are there already.
                Many::Both if !role.counted || is_amount(self, role) => Some("2".to_owned()),
                Many::All => Some(part(EVERY, 1)),
                Many::Part(of) => Some(part(&format!("{PART}{of}"), of)),
                // `one of our planes`.
                Many::Some if role.counted && is_one_of(self, at) => Some("1".to_owned()),
                // `a fighter`, `my counterspies`.
                Many::Open if role.counted => {
                    Some(match pool.filter(|_| is_plural(self, sort, head)) {
                        Some(pool) => pool.to_string(),
                        None => "1".to_owned(),
                    })
                }
                Many::Open if role.whole => Some(part(EVERY, 1)),
                _ => None,
            };
            let noun = self.noun_at(sort, head);
            if how == Many::Open {
                found.extend(self.none_of(sort, head));
                if let Some(behind) = noun.and_then(|n| self.number_behind(head + n)) {
                    found.push(behind);
                    continue;
                }
            }
            if how == Many::Rest && (noun.is_some() || pool.is_some()) {
                let (end, said) = (head + noun.unwrap_or_default(), noun.is_some());
                found.push(Noun { said, ..Noun::said(end, vec![LEFT.to_owned()]) });
            }
            let Some(value) = value else { continue };
            if how == Many::All && (noun.is_some() || pool.is_some()) {
                let end = noun.map_or(head, |n| head + n);
                found.extend(self.all_but(sort, end).into_iter().map(|(end, n)| {
                    let code =
                        pool.map_or(format!("{BUT}{n}"), |p| p.saturating_sub(n).to_string());
                    Noun { said: noun.is_some(), ..Noun::said(end, vec![code]) }
                }));
            }
            found.extend(counted(self, (sort, role), (head, how), (noun, value)));
        }
        found
    }

    /// The count of `0 PP`.
    fn none_of(&self, sort: &str, head: usize) -> Option<Noun> {
        self.tokens.get(head).filter(|t| t.number == Some(0))?;
        let behind = self.idle(head + 1);
        let noun = self.noun_at(sort, behind);
        let (end, said) = (noun.map_or(head + 1, |n| behind + n), noun.is_some());
        Some(Noun { said, ..Noun::said(end, vec!["0".to_owned()]) })
    }

    /// The number of `army 40` or `spies: 2 each`, from the token behind the noun on.
    fn number_behind(&self, end: usize) -> Option<Noun> {
        let comma = self.tokens.get(end).is_some_and(|t| t.kind == Kind::Comma);
        let at = end + usize::from(comma);
        let number = self.tokens.get(at)?.number?;
        let each = self.tokens.get(at + 1).is_some_and(|t| t.is(ALL));
        Some(Noun::said(at + 1 + usize::from(each), vec![number.to_string()]))
    }

    /// What is taken out of all of an amount: `all but five`, `everything except 2 army`. The token
    /// behind it, and the number.
    pub(super) fn all_but(&self, sort: &str, from: usize) -> Option<(usize, u32)> {
        let mut at = self.idle(from);
        while self.tokens.get(at).is_some_and(|t| t.kind == Kind::Comma) {
            at += 1;
        }
        self.tokens.get(at).filter(|t| t.is(EXCEPT))?;
        let first = at + 1;
        let at = self.idle(first);
        let Some(number) = self.tokens.get(at)?.number else {
            // `all but an army`.
            let noun = self.noun_at(sort, at).filter(|_| at > first)?;
            return Some((at + noun, 1));
        };
        let behind = self.idle(at + 1);
        let noun = self.noun_at(sort, behind).map_or(at + 1, |n| behind + n);
        Some((noun, number))
    }

    /// All amounts of a mixed sort: `with everything`, `with everything but one army`.
    fn everything(&self, sort: &'static str, at: usize) -> Vec<Noun> {
        let at = self.idle(at);
        let all = ["EVERYTHING", "ALLES", "ALLEM", "EVERYONE", "EVERYBODY"];
        let whole = |t: &Token| all.contains(&t.key.as_str());
        if !self.tokens.get(at).is_some_and(whole) || !self.is_alone(at + 1) {
            return Vec::new();
        }
        let parts = self.names.amounts.parts(sort).unwrap_or_default();
        let all = |but: Option<(&str, u32)>| -> Vec<String> {
            let code = |(part, prefix): &(&str, &str)| match but {
                Some((less, n)) if less == *part => format!("{BUT}{n}:{part}:{prefix}"),
                _ => format!("{EVERY}:{part}:{prefix}"),
            };
            parts.iter().map(code).collect()
        };
        let mut found = vec![Noun::said(at + 1, all(None))];
        for (part, _) in parts {
            let less = self.all_but(part, at + 1);
            let said = |(end, _): &(usize, u32)| self.noun_at(part, end - 1).is_some();
            if let Some((end, n)) = less.filter(said) {
                found.push(Noun::said(end, all(Some((part, n)))));
            }
        }
        found
    }

    /// Steps on the map: `two sectors north-east, then one south`.
    pub(super) fn ways(&self, sort: &'static str, at: usize) -> Vec<Noun> {
        let mut codes: Vec<String> = Vec::new();
        let mut found = Vec::new();
        let mut at = self.idle(at);
        // `north` alone may be a heading; `one sector north` is a step.
        let mut counted = false;
        loop {
            let mut times = 1;
            while let Some(token) = self.tokens.get(at) {
                match token.number {
                    Some(_) if counted && times > 1 => return found,
                    Some(n) if (1..=TIMES_MAX as u32).contains(&n) => {
                        (times, counted) = (n as usize, true);
                    }
                    _ if token.is(STEP | IDLE | TO) && token.meaning.way.is_none() => {
                        counted |= token.is(STEP);
                    }
                    _ => break,
                }
                at += 1;
            }
            let word = self.tokens.get(at).filter(|t| t.kind == Kind::Word);
            let Some(way) = word.and_then(|t| self.way(sort, &t.text, t.meaning.way)) else {
                return found;
            };
            at += 1;
            // `north one sector`, `north by one sector`.
            let by = |t: &Token| matches!(t.key.as_str(), "BY" | "UM" | "FOR");
            let behind = at + usize::from(self.tokens.get(at).is_some_and(by));
            if times == 1
                && let Some(n) = self.tokens.get(behind).and_then(|t| t.number)
                && self.tokens.get(behind + 1).is_some_and(|t| t.is(STEP))
            {
                (times, counted) = ((n as usize).clamp(1, TIMES_MAX), true);
                at = behind + 2;
            }
            codes.extend(vec![way; times]);
            let said = counted || codes.len() > 1;
            found.push(Noun { said, ..Noun::said(at, codes.clone()) });
            let mut next = at;
            while self.tokens.get(next).is_some_and(|t| t.kind == Kind::Comma || t.is(AND | THEN)) {
                next += 1;
            }
            at = next;
        }
    }

    /// The code of a direction.
    pub(super) fn way(&self, sort: &str, text: &str, way: Option<&'static str>) -> Option<String> {
        let name = way.unwrap_or(text);
        self.names.named_so(sort, &[name], false).into_iter().next()
    }

    /// A square whose column and row are two numbers.
    pub(super) fn square(&self, sort: &str, at: usize) -> Option<Noun> {
        let number = |at: usize| self.tokens.get(at)?.number;
        let comma = self.tokens.get(at + 1).is_some_and(|t| t.kind == Kind::Comma);
        let next = at + 1 + usize::from(comma);
        let code = self.names.square_of(number(at)?, number(next)?);
        let noun =
            || Noun { said: false, crowded: true, ..Noun::said(next + 1, vec![code.clone()]) };
        self.names.is_code(sort, &code).then(noun)
    }

    /// A place that lies beside another: `two sectors north of Kiel`.
    pub(super) fn beside(&self, sort: &'static str, at: usize) -> Vec<Noun> {
        let mut at = self.idle(at);
        let mut times = 1;
        while let Some(token) = self.tokens.get(at).filter(|t| t.meaning.way.is_none()) {
            match token.number {
                Some(n) if (1..=TIMES_MAX as u32).contains(&n) => times = n,
                _ if token.is(STEP | IDLE) => {}
                _ => return Vec::new(),
            }
            at += 1;
        }
        let Some(way) = self.tokens.get(at).and_then(|t| t.meaning.way) else { return Vec::new() };
        if !self.tokens.get(at + 1).is_some_and(|t| t.is(OF | FROM)) {
            return Vec::new();
        }
        let from = self.single(sort, self.idle(at + 2), false, false);
        let beside = from.into_iter().filter(|f| f.codes.len() == 1).filter_map(|from| {
            let mut place = from.codes[0].clone();
            for _ in 0..times {
                place = self.names.ground.next_to(&place, way)?;
            }
            Some(Noun::said(from.end, vec![place]))
        });
        beside.collect()
    }

    /// A set of places, narrowed to those next to another one, or to the seat's own.
    pub(super) fn bordering(&self, noun: &Noun) -> Vec<Noun> {
        let at = self.idle(noun.end);
        if !self.tokens.get(at).is_some_and(|t| t.is(NEXT)) {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut narrow = |end: usize, beside: &[String]| {
            let around: Vec<String> =
                beside.iter().flat_map(|place| self.names.ground.places_around(place)).collect();
            let next = |code: &&String| around.contains(code) && !beside.contains(code);
            let codes: Vec<String> = noun.codes.iter().filter(next).cloned().collect();
            if !codes.is_empty() {
                let how = if noun.how == Some(Many::Open) { Some(Many::All) } else { noun.how };
                found.push(Noun { how, ..Noun::said(end, codes) });
            }
        };
        let place = self.whole(at + 1);
        if place > at + 1 && self.tokens[place - 1].key == "ME"
            || self.names.all_of("home").len() == 1
        {
            narrow(place, &self.names.all_of("home"));
        }
        for place_sort in self.names.place_sorts() {
            for place in self.single(place_sort, place, false, false) {
                narrow(place.end, &place.codes);
            }
        }
        found
    }
}

/// An amount of which it is told how much: with its noun, or without, where that can be told.
fn counted(
    nouns: &Nouns<'_, '_>,
    (sort, role): (&'static str, &Role),
    (head, how): (usize, Many),
    (noun, value): (Option<usize>, String),
) -> Vec<Noun> {
    let mut found = Vec::new();
    let pool = nouns.names.amounts.pool(sort).flatten();
    // `2 each`.
    let each = nouns.tokens.get(head).is_some_and(|t| t.is(ALL))
        && matches!(how, Many::Count(_) | Many::Both);
    if each {
        found.push(Noun { said: false, ..Noun::said(head + 1, vec![value.clone()]) });
    }
    if let Some(n) = noun {
        // `one spy each`.
        let each = nouns.tokens.get(head + n).is_some_and(|t| t.is(ALL));
        if each {
            found.push(Noun::said(head + n + 1, vec![value.clone()]));
        }
        found.push(Noun::said(head + n, vec![value.clone()]));
        // `45 Mann Armee`, `30 army troops`.
        let again = nouns.idle(head + n);
        if let Some(more) = nouns.noun_at(sort, again) {
            found.push(Noun::said(again + more, vec![value]));
        }
    } else if matches!(how, Many::Part(_))
        && (!nouns.names_something(nouns.whole(head)) || nouns.names.amounts.is_held(sort))
    {
        // `half of unit 4`, but not `half the army` for another amount.
        let whole = nouns.whole(head);
        let mut pools = nouns.names.amounts.pools.keys();
        let said = !pools.any(|pool| nouns.noun_at(pool, whole).is_some());
        found.push(Noun { said, ..Noun::said(head, vec![value]) });
    } else if how == Many::All
        && (pool.is_some() && !role.counted || nouns.names.amounts.whole(sort).is_some())
        && nouns.is_alone(head)
    {
        // `everything goes into research`.
        found.push(Noun::said(head, vec![value]));
    } else if matches!(how, Many::Count(_) | Many::Both) {
        // `40 of them`.
        let them = |at: usize, class: u32| nouns.tokens.get(at).is_some_and(|t| t.is(class));
        if them(head, OF) && them(head + 1, THEM) {
            found.push(Noun { said: false, ..Noun::said(head + 2, vec![value.clone()]) });
        }
        // `15 of unit 1`.
        let said = role.noun && them(head, OF) && !them(head + 1, THEM);
        found.push(Noun { said, ..Noun::said(head, vec![value]) });
    }
    found
}

/// Whether one of several is spoken of, from a token on.
fn is_one_of(parser: &Parser<'_>, at: usize) -> bool {
    let token = parser.tokens.get(parser.idle(at));
    token.is_some_and(|t| t.key.starts_with("ONE OF") || t.key.starts_with("EIN"))
}

/// Whether the noun of an amount stands in the plural.
fn is_plural(parser: &Parser<'_>, sort: &str, at: usize) -> bool {
    const ENDING_MAX: usize = 2;
    let Some(token) = parser.tokens.get(at) else { return false };
    let nouns = parser.names.nouns.get(sort);
    let longer = |noun: &String| {
        let ending = token.key.strip_prefix(noun.as_str());
        ending.is_some_and(|end| (1..=ENDING_MAX).contains(&end.len()))
            || noun.strip_suffix('Y').is_some_and(|stem| token.key == format!("{stem}IES"))
    };
    nouns.into_iter().flatten().any(longer)
}

/// Whether a role takes an amount of one sort: `both extra armies` are two, `both planes` are there
/// already.
fn is_amount(nouns: &Nouns<'_, '_>, role: &Role) -> bool {
    matches!(role.takes, Takes::Things(sort) if nouns.names.amounts.parts(sort).is_none())
}
