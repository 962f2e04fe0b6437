//! Amounts that a seat has: money, forces by place, points.

use std::collections::BTreeMap;

/// Sorts of names that are numbers of something, with how much of it a seat has.
#[derive(Debug, Clone, Default)]
pub struct Amounts {
    /// Sorts that are amounts, with how much the seat has.
    pub(super) pools: BTreeMap<&'static str, Option<u32>>,
    /// Sorts of several amounts, each with what its number is written behind.
    mixed: BTreeMap<&'static str, &'static [(&'static str, &'static str)]>,
    /// Per cent of an amount that one of what an order counts yields.
    yields: BTreeMap<&'static str, u32>,
    /// How much of an amount a seat has at a place.
    held: BTreeMap<(&'static str, String), u32>,
    /// What an order writes for all of an amount.
    wholes: BTreeMap<&'static str, &'static str>,
    /// What the parts of mixed sorts are made of.
    made_of: BTreeMap<&'static str, &'static str>,
}

impl Amounts {
    /// A sort of several amounts, such as forces: each amount with what its number is written
    /// behind, as in `AC5`.
    pub fn mixed(&mut self, sort: &'static str, parts: &'static [(&'static str, &'static str)]) {
        self.mixed.insert(sort, parts);
    }

    /// The amounts of a mixed sort.
    pub(super) fn parts(&self, sort: &str) -> Option<&'static [(&'static str, &'static str)]> {
        self.mixed.get(sort).copied()
    }

    /// An order of a mixed sort counts what makes things: how many per cent of a thing one makes.
    pub fn yields(&mut self, amount: &'static str, percent: u32) {
        self.yields.insert(amount, percent);
    }

    /// All or half of the parts of a mixed sort is all or half of what they are made of.
    pub fn made_of(&mut self, sort: &'static str, amount: &'static str) {
        self.made_of.insert(sort, amount);
    }

    /// What the parts of a mixed sort are made of.
    pub(super) fn stuff(&self, sort: &str) -> Option<&'static str> {
        self.made_of.get(sort).copied()
    }

    /// How much of what an order counts makes so many things.
    pub(super) fn needed(&self, amount: &str, things: u32) -> u32 {
        let percent = self.yields.get(amount).copied().unwrap_or(100).max(1);
        (things * 100).div_ceil(percent)
    }

    /// How much of an amount the seat has at a place of its own.
    pub fn held(&mut self, sort: &'static str, place: impl Into<String>, number: u32) {
        self.held.insert((sort, place.into()), number);
    }

    /// How much of an amount the seat has at a place.
    pub(super) fn held_at(&self, sort: &'static str, place: &str) -> Option<u32> {
        self.held.get(&(sort, place.to_owned())).copied()
    }

    /// Whether a thing is of a size: a unit of so many men.
    pub(super) fn is_size(&self, code: &str, size: u32) -> bool {
        self.held.iter().any(|((sort, at), number)| {
            at == code && *number == size && self.pools.contains_key(sort)
        })
    }

    /// The size of a thing.
    pub(super) fn size_of(&self, code: &str) -> Option<u32> {
        self.held.iter().find(|((_, at), _)| at == code).map(|(_, number)| *number)
    }

    /// How much of an amount lies at which place.
    pub(super) fn lies(&self, sort: &str) -> impl Iterator<Item = (&String, u32)> {
        let sort = sort.to_owned();
        let lies = self.held.iter().filter(move |((held, _), _)| *held == sort);
        lies.map(|((_, place), number)| (place, *number))
    }

    /// Whether a seat has an amount at places of its own.
    pub(super) fn is_held(&self, sort: &str) -> bool {
        self.held.keys().any(|(held, _)| *held == sort)
    }

    /// What an order writes for all of an amount, such as `*`.
    pub fn all_is(&mut self, amount: &'static str, code: &'static str) {
        self.wholes.insert(amount, code);
    }

    /// What an order writes for all of an amount.
    pub(super) fn whole(&self, amount: &str) -> Option<&'static str> {
        self.wholes.get(amount).copied()
    }

    /// Whether a sort is an amount, and how much the seat has.
    pub(super) fn pool(&self, sort: &str) -> Option<Option<u32>> {
        self.pools.get(sort).copied()
    }
}
