//! How many of a set are meant.

use super::nouns::{EACH_MAX, Many, Noun, Nouns, TIMES_MAX};
use super::said::{LEFT, NEAR};
use crate::wording::frames::{Fill, Role};

/// Ways to choose a number of things that are looked at, at most.
const CHOICES_MAX: usize = 4;

impl Nouns<'_, '_> {
    /// The sets of codes that a quantity of a set may mean, each with whether it was not said how
    /// many of it.
    pub(super) fn chosen(
        &self,
        set: &[String],
        how: Many,
        (many, counted): (bool, bool),
    ) -> Vec<(Vec<String>, bool)> {
        let sure = |codes: Vec<String>| (codes, false);
        if counted {
            // The things are kinds: a count repeats one.
            return match (set, how) {
                ([code], Many::Count(n)) if n as usize <= TIMES_MAX => {
                    vec![sure(vec![code.clone(); n as usize])]
                }
                ([code], Many::Open | Many::Some | Many::Nth(_)) => {
                    vec![sure(vec![code.clone()])]
                }
                (set, Many::All) => vec![sure(set.to_vec())],
                (set, Many::Count(n)) if n as usize == set.len() => vec![sure(set.to_vec())],
                // `both Pyrenees`; both of one kind are things that are there.
                (set @ [_, _], Many::Both) => vec![sure(set.to_vec())],
                (set, Many::Open) if !set.is_empty() => vec![(set.to_vec(), true)],
                _ => Vec::new(),
            };
        }
        match how {
            _ if set.is_empty() => Vec::new(),
            // `first West Caucasus, second Central Caucasus`.
            Many::Nth(_) if set.len() == 1 => vec![sure(set.to_vec())],
            // `the sixth fleet` has that number.
            Many::Nth(n) if set.contains(&n.to_string()) => vec![sure(vec![n.to_string()])],
            Many::Nth(n) => {
                let nth = set.get((n as usize).wrapping_sub(1));
                nth.map(|code| sure(vec![code.clone()])).into_iter().collect()
            }
            Many::Open | Many::Some => vec![(set.to_vec(), set.len() > 1)],
            _ if !many => Vec::new(),
            Many::Count(1) => vec![(set.to_vec(), set.len() > 1)],
            Many::All => vec![sure(set.to_vec())],
            Many::Rest => {
                let left = std::iter::once(LEFT.to_owned()).chain(set.iter().cloned());
                vec![sure(left.collect())]
            }
            Many::Count(n) => combinations(set, n as usize).into_iter().map(sure).collect(),
            Many::Both => combinations(set, 2).into_iter().map(sure).collect(),
            Many::Part(part) if set.len() >= part as usize => {
                combinations(set, set.len() / part as usize).into_iter().map(sure).collect()
            }
            Many::Part(_) => Vec::new(),
        }
    }
}

/// The ways to choose some of a set; only the first of very many.
fn combinations(set: &[String], n: usize) -> Vec<Vec<String>> {
    if n == 0 || n > set.len() {
        return Vec::new();
    }
    let mut all: Vec<Vec<usize>> = vec![(0..n).collect()];
    while let Some(last) = all.last().filter(|_| all.len() < CHOICES_MAX + 1) {
        // The next one in the order of a dictionary.
        let mut next = last.clone();
        let Some(at) = (0..n).rev().find(|i| next[*i] < set.len() - n + i) else { break };
        next[at] += 1;
        for i in at + 1..n {
            next[i] = next[i - 1] + 1;
        }
        all.push(next);
    }
    all.into_iter().map(|pick| pick.into_iter().map(|i| set[i].clone()).collect()).collect()
}

impl Noun {
    /// A set of which it was not said how many are meant: each alone, or all.
    pub(super) fn told(self, role: &Role) -> Vec<Self> {
        let noun = self;
        if !noun.open {
            let near = noun.codes.first().is_some_and(|code| code == NEAR);
            let fits = role.fill != Fill::One || noun.codes.len() == 1 || near;
            return if fits { vec![noun] } else { Vec::new() };
        }
        let each = noun.codes.iter().take(EACH_MAX);
        let mut all: Vec<Noun> =
            each.map(|code| Noun { codes: vec![code.clone()], open: false, ..noun }).collect();
        if role.fill != Fill::One && !role.counted {
            all.push(Noun { open: false, ..noun });
        }
        all
    }
}
