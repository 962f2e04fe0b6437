//! A clause whose roles are filled, with what it takes over from the ones before, as orders.

use std::collections::BTreeMap;

use super::bearing::find_nearest;
use super::partly::{LEFT_OUT, may_be_guessed};
use super::said::{BUT, EVERY, ITS, LEFT, PART, PLACE, SoFar, holders, origins_first, part_of};
use super::written::written;
use super::{Clause, Parser, TOO};
use crate::wording::frames::{Fill, Frame, Role, Takes, usual};
use crate::wording::names::Names;
use crate::wording::speech::ALL;
use crate::wording::tokens::Kind;

impl Parser<'_> {
    /// What is said with one more clause; `None` where something is missing.
    pub(super) fn taken(&self, n: usize, clause: &Clause, so_far: &SoFar) -> Option<SoFar> {
        let frame = &self.frames.all[n];
        let (same, guessed) = goes_with(self, n, clause, so_far)?;
        if says_nothing_new(clause, so_far) {
            return None;
        }
        let mut odd = oddness(n, clause, so_far, (same, guessed));
        let mut bound: Vec<Option<Vec<String>>> = clause.bound.clone();
        self.refer(frame, &mut bound, so_far)?;
        find_nearest(self, frame, &mut bound)?;
        if so_far.fixed && takes_of_several(frame, &bound, so_far) {
            return None;
        }
        odd += self.inherit(n, clause, (&mut bound, same), so_far)?;
        without_arrived(self, frame, &mut bound);
        if leads_back(frame, &bound) {
            return None;
        }
        let mut next = so_far.clone();
        let mut orders = Vec::new();
        let there = clause.bound.iter().flatten().flatten().any(|code| code == PLACE);
        for mut one in self.by_place(frame, &bound) {
            self.weigh(frame, &mut one, (so_far, there))?;
            if !self.stands_here(frame, &one) {
                return None;
            }
            if !clause.negated {
                orders.extend(self.orders(frame, clause, &one, so_far)?);
            }
            self.remember(frame, (&one, clause.negated), &mut next);
        }
        (next.odd, next.frame, next.last) = (odd, Some(n), orders.len());
        // `no, just the one it gets` does not say again what it takes back.
        if so_far.fixed && !orders.is_empty() && orders == so_far.taken_back {
            return None;
        }
        (next.negated, next.fixed) = (clause.negated, false);
        if clause.negated {
            // Of what is not to be done only what it is about goes on.
            let subject = |name: &str| {
                frame.roles.iter().any(|role| role.name == name && role.fill == Fill::Each)
            };
            next.said.retain(|(name, _), _| subject(name));
        }
        next.verb = clause.verb.or(so_far.verb);
        next.left = so_far.left.and(clause.left);
        next.left.weight += u32::from(guessed);
        if next.left.weight > self.spare {
            return None;
        }
        next.orders.extend(orders);
        // No line goes on with a name that was given.
        let named = frame.roles.iter().any(|role| role.takes == Takes::Text);
        (next.above.frame, next.above.said) = (next.frame.filter(|_| !named), next.said.clone());
        Some(next)
    }

    /// Fills the roles that a clause leaves out with what the one before says of them: how odd that
    /// is. `None`: something is missing.
    fn inherit(
        &self,
        n: usize,
        clause: &Clause,
        (bound, same): (&mut [Option<Vec<String>>], bool),
        so_far: &SoFar,
    ) -> Option<u32> {
        let frame = &self.frames.all[n];
        let mut odd = 0;
        let own = bound.iter().flatten().count();
        // `and DD2 too` goes wherever the one before goes.
        let named = |(role, codes): (&Role, &Option<Vec<String>>)| {
            codes.is_none() || role.fill == Fill::Each
        };
        let verb = clause.verb.is_some();
        // `Greece:` begins what stands behind it, and goes on with nothing.
        let heads = self.tokens.get(clause.end).is_some_and(|t| t.key == ":");
        // `TR4 goes there too`.
        let says_too = |at: usize| {
            let behind = self.tokens[at..].iter().take_while(|t| t.kind == Kind::Word);
            behind.into_iter().any(|t| TOO.contains(&t.key.as_str()))
        };
        let alike = so_far
            .frame
            .is_some_and(|before| before == n || self.frames.all[before].writes == frame.writes);
        let too = match clause.verb {
            Some(at) => alike && says_too(at),
            None => so_far.frame == Some(n),
        };
        let too = too && frame.roles.iter().zip(&*bound).all(named);
        for (role, filled) in frame.roles.iter().zip(bound) {
            if let (true, true, Takes::Things(sort)) = (too, role.optional, &role.takes) {
                *filled = filled.take().or_else(|| so_far.said.get(&(role.name, *sort)).cloned());
            }
            // Of what is not to be done no order is written.
            if filled.is_some() || role.optional || clause.negated {
                continue;
            }
            let inherited = match role.takes {
                _ if heads && !verb => None,
                Takes::Things(sort) => said_before(self.names, role, (sort, so_far)),
                Takes::Literal(_) if so_far.frame == Some(n) => Some(Vec::new()),
                Takes::Literal(_) | Takes::Text => None,
            };
            // `move army 9 to Kiel, then explore`.
            let subject = role.fill == Fill::Each && verb && so_far.frame.is_some();
            let inherited = inherited.filter(|_| (own > 0 || subject) && (!self.loose || same));
            if let Some(codes) =
                inherited.filter(|_| !role.sole || usual(role, self.names).is_none())
            {
                odd += 1;
                *filled = Some(codes);
                continue;
            }
            *filled = Some(vec![usual(role, self.names)?]);
        }
        Some(odd)
    }

    /// Fills in what `them`, `there` and `the rest` stand for.
    fn refer(
        &self,
        frame: &Frame,
        bound: &mut [Option<Vec<String>>],
        so_far: &SoFar,
    ) -> Option<()> {
        for (role, codes) in frame.roles.iter().zip(bound) {
            if let (Takes::Things(sort), Some(codes)) = (&role.takes, codes)
                && self.names.amounts.pool(sort).is_none()
                && self.names.amounts.parts(sort).is_none()
            {
                *codes = so_far.above.meant(self.names, sort, (std::mem::take(codes), role))?;
            }
        }
        Some(())
    }

    /// Notes what a clause has named and used, for those behind it.
    fn remember(
        &self,
        frame: &Frame,
        (bound, negated): (&[Option<Vec<String>>], bool),
        next: &mut SoFar,
    ) {
        for (role, codes) in origins_first(frame, bound) {
            let Takes::Things(sort) = &role.takes else { continue };
            let Some(codes) = codes else {
                next.said.remove(&(role.name, *sort));
                continue;
            };
            next.said.insert((role.name, sort), codes.clone());
            self.spend(sort, codes, (frame, bound), &mut next.spent);
            // Nothing new comes of what is not to be done.
            let role = &Role { parted: role.parted && !negated, ..role.clone() };
            next.above.note(self.names, sort, codes, role);
        }
    }

    /// The roles of a clause once for each place that its forces come from.
    fn by_place(
        &self,
        frame: &Frame,
        bound: &[Option<Vec<String>>],
    ) -> Vec<Vec<Option<Vec<String>>>> {
        let from = frame.roles.iter().position(|r| r.name == "from" && r.fill == Fill::Each);
        let places = from.and_then(|at| Some((at, bound[at].as_ref()?)));
        let Some((at, places)) = places else { return vec![bound.to_vec()] };
        let one = |place: &String| {
            let mut bound = bound.to_vec();
            bound[at] = Some(vec![place.clone()]);
            bound
        };
        places.iter().map(one).collect()
    }

    /// The orders of a clause whose roles are filled; none where it only says again what the one
    /// before has said.
    fn orders(
        &self,
        frame: &Frame,
        clause: &Clause,
        bound: &[Option<Vec<String>>],
        so_far: &SoFar,
    ) -> Option<Vec<String>> {
        let new = frame.roles.iter().find(|r| r.parted).and_then(|role| match role.takes {
            Takes::Things(sort) => {
                let after = so_far.above.new.get(sort).copied().unwrap_or_default();
                self.names.new_one(sort, after)
            }
            _ => None,
        });
        let mut orders = written(frame, bound, new.map(String::as_str))?;
        // `I want to be friends with player 3, make us allies` says one thing twice.
        let named = |(role, codes): (&Role, &Option<Vec<String>>)| {
            codes.is_some() && matches!(role.takes, Takes::Things(_))
        };
        let again = so_far.orders.ends_with(&orders);
        // `send unit 1 to Kiel and take it`.
        let meant = |(role, codes): (&Role, &Option<Vec<String>>)| {
            let stands = |code: &String| code == ITS || code == PLACE;
            !named((role, codes)) || codes.iter().flatten().all(stands)
        };
        if again && frame.roles.iter().zip(&clause.bound).all(meant) {
            orders.clear();
        }
        Some(orders)
    }

    /// Fills in amounts such as `all`: what lies at the place that the order names, or at the only
    /// one of the seat.
    fn weigh(
        &self,
        frame: &Frame,
        bound: &mut [Option<Vec<String>>],
        (so_far, there): (&SoFar, bool),
    ) -> Option<()> {
        let at = holders(frame, bound);
        for (role, codes) in frame.roles.iter().zip(bound) {
            let (Takes::Things(sort), Some(codes)) = (&role.takes, codes) else { continue };
            // Of everything, what there is none of says nothing.
            let mixed = codes.len() > 1;
            for code in codes.iter_mut() {
                let mut parts = code.splitn(3, ':');
                let how = parts.next().unwrap_or_default().to_owned();
                let part = parts.next().map_or(*sort, |part| part_of(self.names, sort, part));
                let part = self.names.amounts.stuff(sort).unwrap_or(part);
                let prefix = parts.next().unwrap_or_default().to_owned();
                let pool = match self.names.amounts.pool(part).flatten() {
                    Some(pool) => Some((pool, String::new())),
                    None => self
                        .holder(part, &at)
                        .and_then(|at| Some((self.names.amounts.held_at(part, &at)?, at))),
                };
                let spent =
                    |at: &String| so_far.spent.get(&(part, at.clone())).copied().unwrap_or(0);
                if let (EVERY, Some(all)) = (how.as_str(), self.names.amounts.whole(part)) {
                    *code = format!("{prefix}{all}");
                    continue;
                }
                let but = how.strip_prefix(BUT).and_then(|n| n.parse::<u32>().ok());
                let part_of_it = how.strip_prefix(PART).and_then(|n| n.parse::<u32>().ok());
                let number = match (how.as_str(), &pool) {
                    (_, Some((all, _))) if but.is_some() => {
                        all.checked_sub(but.unwrap_or_default())?
                    }
                    (EVERY, None) if mixed => 0,
                    (EVERY, Some((all, _))) => *all,
                    (_, Some((all, _))) if part_of_it.is_some() => {
                        all / part_of_it.unwrap_or(1).max(1)
                    }
                    (LEFT, Some((all, at))) if spent(at) > 0 => all.saturating_sub(spent(at)),
                    (EVERY | LEFT, _) => return None,
                    _ if but.is_some() || part_of_it.is_some() => return None,
                    // `the 18 industry there` is where there is so much.
                    (n, Some((all, at))) if there && !at.is_empty() => {
                        let digits = n.trim_start_matches(|c: char| c.is_ascii_alphabetic());
                        if digits.parse::<u32>().is_ok_and(|n| n > *all) {
                            return None;
                        }
                        continue;
                    }
                    _ => continue,
                };
                *code = match number {
                    0 if mixed => String::new(),
                    number => format!("{prefix}{number}"),
                };
            }
            codes.retain(|code| !code.is_empty());
            if codes.is_empty() {
                return None;
            }
        }
        Some(())
    }

    /// Whether what an order is about stands where the role `here` says.
    fn stands_here(&self, frame: &Frame, bound: &[Option<Vec<String>>]) -> bool {
        let mut roles = frame.roles.iter().zip(bound);
        let here =
            roles.find(|(role, _)| role.name == "here").and_then(|(_, codes)| codes.as_ref());
        let Some([here]) = here.map(Vec::as_slice) else { return true };
        frame.roles.iter().zip(bound).all(|(role, codes)| match (&role.takes, codes) {
            (Takes::Things(sort), Some(codes)) if role.fill == Fill::Each => {
                codes.iter().all(|code| self.names.place_of(sort, code) == Some(here))
            }
            _ => true,
        })
    }

    /// Counts what an order uses of an amount, by the place that it names.
    fn spend(
        &self,
        sort: &'static str,
        codes: &[String],
        (frame, bound): (&Frame, &[Option<Vec<String>>]),
        spent: &mut BTreeMap<(&'static str, String), u32>,
    ) {
        let at = holders(frame, bound);
        let parts = self.names.amounts.parts(sort).unwrap_or_default();
        for code in codes {
            let part = parts.iter().find(|(_, prefix)| code.starts_with(prefix));
            let (part, digits) = match part {
                Some((part, prefix)) => (*part, &code[prefix.len()..]),
                None => (sort, code.as_str()),
            };
            let Some(pool) = self.names.amounts.pool(part) else { continue };
            let at = if pool.is_some() { Some(String::new()) } else { self.holder(part, &at) };
            if let (Some(at), Ok(number)) = (at, digits.parse::<u32>()) {
                *spent.entry((part, at)).or_default() += number;
            }
        }
    }

    /// Where an amount lies: at one of the things that an order names, or at the only place of the
    /// seat.
    fn holder(&self, part: &'static str, named: &[String]) -> Option<String> {
        let at =
            named.iter().find(|code| self.names.amounts.held_at(part, code).is_some()).cloned();
        at.or_else(|| self.names.sole("home"))
    }
}

/// Whether an order leads from a place to the same place.
fn leads_back(frame: &Frame, bound: &[Option<Vec<String>>]) -> bool {
    let place = |name: &str| {
        let at = frame.roles.iter().position(|role| role.name == name)?;
        bound[at].as_ref().filter(|codes| codes.len() == 1)
    };
    let from = place("from");
    from.is_some() && ["goal", "place", "to"].into_iter().any(|to| place(to) == from)
}

/// Whether a clause only says that all that was meant before is there: `ships there` behind `attack
/// the Turkish`.
fn says_nothing_new(clause: &Clause, so_far: &SoFar) -> bool {
    let refers = |code: &String| code == PLACE || code.contains(EVERY);
    let codes = || clause.bound.iter().flatten().flatten();
    let verb = clause.verb.is_some();
    // `3 extra armies to Berlin, all on Berlin`.
    let said = |code: &String| so_far.said.values().any(|codes| codes[..] == [code.clone()]);
    let again = codes().any(|code| code == EVERY) && codes().any(said);
    let again = again && codes().all(|code| code == EVERY || said(code));
    !verb && (so_far.verb.is_some() && codes().next().is_some() && codes().all(refers) || again)
}

/// How odd it is to go on with a clause of a row.
fn oddness(n: usize, clause: &Clause, so_far: &SoFar, (same, guessed): (bool, bool)) -> u32 {
    let verb = match (clause.verb.is_some(), same) {
        (true, _) => 0,
        (false, true) => 2 + u32::from(so_far.frame != Some(n)),
        (false, false) => 4,
    };
    // That the rest stays needs no order as a rule.
    let mut codes = clause.bound.iter().flatten().filter_map(|codes| codes.first());
    let rest = u32::from(codes.any(|code| code == LEFT));
    so_far.odd + 10 + clause.odd + verb + rest + u32::from(guessed) * LEFT_OUT
}

/// Whether a correction names fewer things than what it corrects, as in `an army, then a fighter, no
/// wait, a transport`: which of them is meant can't be told.
fn takes_of_several(frame: &Frame, bound: &[Option<Vec<String>>], so_far: &SoFar) -> bool {
    frame.roles.iter().zip(bound).any(|(role, codes)| {
        let (Takes::Things(sort), Some(codes)) = (&role.takes, codes) else { return false };
        let before = so_far.said.get(&(role.name, *sort)).map_or(0, Vec::len);
        (1..before).contains(&codes.len())
    })
}

/// Whether a clause is of the order that the one before says, and whether its order is guessed;
/// `None` where it can't stand behind what was said.
fn goes_with(
    parser: &Parser<'_>,
    n: usize,
    clause: &Clause,
    so_far: &SoFar,
) -> Option<(bool, bool)> {
    let frame = &parser.frames.all[n];
    // The verb of the clause before may be that of several rows.
    let shared = |at: usize| parser.hits[at].iter().any(|hit| hit.frame == n);
    let alike = |before: usize| {
        let writes = parser.frames.all[before].writes;
        before == n || !writes.is_empty() && writes == frame.writes
    };
    let same = so_far.frame.is_some_and(alike) || so_far.verb.is_some_and(shared);
    let verb = clause.verb.is_some();
    let guessed = !verb && !same && !frame.verbless;
    if guessed && !may_be_guessed(parser, frame, clause) {
        return None;
    }
    if frame.once && (clause.lasts || so_far.lasts) {
        return None;
    }
    // `the whole industry of Turkey` alone builds nothing.
    let whole = |(role, codes): (&Role, &Option<Vec<String>>)| match role.takes {
        Takes::Things(sort) if parser.names.amounts.parts(sort).is_some() => {
            let all = codes.iter().flatten().any(|code| code.starts_with(EVERY));
            all && (!same && role.counted || same && !frame.verbless)
        }
        _ => false,
    };
    if !verb && frame.roles.iter().zip(&clause.bound).any(whole) {
        return None;
    }
    // Without its verb a clause goes on with what the one before counts.
    if clause.bare && (verb || !same) {
        return None;
    }
    // What is not to be done is of the same things as what is: `it`, or none that is named.
    let others = |(role, codes): (&Role, &Option<Vec<String>>)| {
        let its = |code: &String| code == ITS;
        let mut codes = codes.iter().flatten();
        match role.fill {
            Fill::Each => !codes.all(its),
            _ => codes.any(its),
        }
    };
    let mut roles = frame.roles.iter().zip(&clause.bound);
    if so_far.negated && (clause.negated || !verb || roles.any(others)) {
        return None;
    }
    Some((same, guessed))
}

/// What was said before of a role: as things of its sort, or of another one that it knows too.
fn said_before(
    names: &Names,
    role: &Role,
    (sort, so_far): (&'static str, &SoFar),
) -> Option<Vec<String>> {
    let same = so_far.said.get(&(role.name, sort));
    let like = || {
        let known = names.all_of(sort);
        let mut said = so_far.said.iter().filter(|((name, _), _)| *name == role.name);
        said.find(|(_, codes)| codes.iter().all(|code| known.contains(code))).map(|(_, c)| c)
    };
    same.or_else(like).cloned()
}

/// Leaves out of a set what stands already where it shall go: `all units come home`.
fn without_arrived(parser: &Parser<'_>, frame: &Frame, bound: &mut [Option<Vec<String>>]) {
    let role = |name: &str| frame.roles.iter().position(|role| role.name == name);
    let goal = ["goal", "place"].into_iter().find_map(role).and_then(|at| bound[at].clone());
    let Some([goal]) = goal.as_deref() else { return };
    // Who is named one by one is meant.
    if !parser.tokens.iter().any(|t| t.is(ALL)) {
        return;
    }
    for (role, codes) in frame.roles.iter().zip(bound) {
        let (Takes::Things(sort), Fill::Each, Some(codes)) = (&role.takes, role.fill, codes) else {
            continue;
        };
        let there = |code: &String| parser.names.place_of(sort, code) == Some(goal);
        if codes.len() > 1 && !codes.iter().all(there) {
            codes.retain(|code| !there(code));
        }
    }
}
