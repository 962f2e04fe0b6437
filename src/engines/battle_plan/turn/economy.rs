//! Steps 0b, 2, 7a, 8 and 9: spending, builds, suppression, income, research
//! (§8.2, §11).

use super::super::desk::{Where, builds_alone};
use super::super::diary::{Cause, Entry};
use super::super::map::SpaceId;
use super::super::state::{COUNTERSPY, NOBODY, SPY, Stance, State, percent_up};
use super::super::verbs::{Arm, Verb};
use super::{Event, Field, key};

/// Step 0b: spends what the cards order. The desk has limited everything to what was there.
pub fn spend(field: &mut Field) {
    let mut counterspies_used = 0;
    for seat in field.seats() {
        let i = usize::from(seat) - 1;
        field.ledgers[i].spent = field.papers[i].spent * 100;
        for (to, dollars) in field.papers[i].gifts.clone() {
            field.received[usize::from(to) - 1] += dollars * 100;
            field.events.push(Event::GiftOfDollars { from: seat, to, dollars });
        }
        for (place, n) in field.papers[i].propaganda.clone() {
            for (country, part) in spread(field, (seat, 1), place, n) {
                *field.propaganda.entry((country, seat)).or_default() += part;
            }
        }
        for (place, n) in field.papers[i].spies.clone() {
            for (country, part) in spread(field, (seat, 2), place, n) {
                *field.state.country_mut(country).spies.entry(seat).or_default() += part;
            }
        }
        for (place, n) in field.papers[i].counterspies.clone() {
            counterspies_used += n;
            for (country, part) in spread(field, (seat, 3), place, n) {
                *field.counterspies.entry((country, seat)).or_default() += part;
            }
        }
    }
    field.events.push(Event::SpyFlow {
        trained: 0,
        caught: 0,
        counterspies_trained: 0,
        counterspies_used: counterspies_used * 100,
    });
}

/// Divides what a seat spends evenly over the countries of a player; the rest goes to random
/// countries, one each. `kind` is 1 for propaganda, 2 for spies, 3 for counterspies.
fn spread(field: &mut Field, (seat, kind): (u8, u32), place: Where, n: i64) -> Vec<(SpaceId, i64)> {
    let of = match place {
        Where::Country(country) => return vec![(country, n)],
        Where::Spread(of) => of,
    };
    let mut countries: Vec<SpaceId> =
        field.tables.map.countries().filter(|s| field.owners[usize::from(s.0)] == of).collect();
    let many = countries.len().max(1) as i64;
    let (each, rest) = (n / many, usize::try_from(n % many).unwrap_or(0));
    if rest > 0 {
        // Place: the seat that spends, the player whose countries they are, the kind.
        field.dice.at([seat.into(), of.into(), kind]).shuffle("spread", &mut countries);
    }
    let parts = countries.into_iter().enumerate();
    let part = |(i, s): (usize, SpaceId)| (s, each + i64::from(i < rest));
    parts.map(part).filter(|(_, n)| *n > 0).collect()
}

/// Step 2: builds.
pub fn build(field: &mut Field) {
    let countries: Vec<SpaceId> = field.tables.map.countries().collect();
    for space in countries {
        let holder = field.holders[usize::from(space.0)];
        let idle_to = match holder {
            NOBODY => build_alone(field, space),
            seat => build_for(field, seat, space),
        };
        if idle_to > 0 && field.owners[usize::from(space.0)] == holder && holder != NOBODY {
            // Each industry builds a Dollar, and the country likes it.
            field.built[usize::from(holder) - 1] += idle_to * 100;
            field.please(space, Cause::Dollars, idle_to);
        }
    }
}

/// Builds by the jobs of the holder's card; returns the industry that is left.
fn build_for(field: &mut Field, seat: u8, space: SpaceId) -> i64 {
    let paper = &field.papers[usize::from(seat) - 1];
    let multipliers = paper.player.multipliers;
    let jobs = paper.jobs.get(&space).cloned().unwrap_or_default();
    let mut idle = field.state.country(space).industry;
    for job in jobs {
        let Verb::Build(arm) = job.order.verb else { continue };
        idle -= job.order.n;
        make(field, seat, space, (arm, job.order.n, multipliers[arm as usize]));
    }
    idle
}

/// Builds in a minor that nobody controls: army, navy and air force in equal parts.
fn build_alone(field: &mut Field, space: SpaceId) -> i64 {
    let multiplier = field.tables.figures.minor.multiplier;
    let (coast, idle) = (field.tables.map.has_coast(space), field.state.country(space).industry);
    for (item, n) in builds_alone(idle, multiplier, coast) {
        if let Some(arm) = Arm::ALL.get(item) {
            make(field, NOBODY, space, (*arm, n, multiplier));
        }
    }
    0
}

/// Builds with `n` industry; a fraction is kept for the next builds.
fn make(field: &mut Field, seat: u8, at: SpaceId, (arm, n, multiplier): (Arm, i64, i64)) {
    let country = field.state.country_mut(at);
    let fraction = &mut country.fractions[arm as usize];
    *fraction += n * multiplier;
    let made = *fraction / 100;
    *fraction %= 100;
    if arm == Arm::Industry {
        // New industry works from the next turn on. What exceeds the limit is suppressed.
        field.new_industry.push((at, made));
    } else {
        *country.stock_mut(arm) += made;
    }
    field.flows.entry(arm).or_default().built += made;
    if made > 0 {
        field.note(seat, Entry::Built { at, arm, n: made });
    }
}

/// Step 7a: first a quarter of what was suppressed recovers, then this turn's hits take effect,
/// then the blockade.
pub fn suppress(field: &mut Field) {
    for (space, made) in std::mem::take(&mut field.new_industry) {
        let country = field.state.country_mut(space);
        let room = (country.limit - country.industry - country.industry_down).clamp(0, made);
        let conquered = field.captures.contains_key(&space);
        let up = if conquered { 0 } else { room };
        country.industry += up;
        country.industry_down += made - up;
    }
    let figures = field.tables.figures.economy.clone();
    let countries: Vec<SpaceId> = field.tables.map.countries().collect();
    let blocked: Vec<(i64, i64)> = countries.iter().map(|s| blockade(&field.state, *s)).collect();
    for (i, space) in countries.into_iter().enumerate() {
        let ((tax, industry, air), hit) = (field.down[i], field.hit[i]);
        let recovering = |n| percent_up(n, figures.recovery_percent);
        let lost = field.recovering_lost[i];
        // Tax base and industry of a captured country lie idle, even if it was recaptured.
        if field.captures.contains_key(&space) {
            continue;
        }
        let country = field.state.country_mut(space);
        let back = recovering(tax).min(country.tax_down);
        country.tax += back;
        country.tax_down -= back;
        let room = (country.limit - country.industry - hit.0).max(0);
        let back = recovering(industry).min(country.industry_down).min(room);
        country.industry += back;
        country.industry_down += hit.0 - back;
        let back = (recovering(air) - lost).clamp(0, country.air_down);
        country.air += back;
        country.air_down += hit.1 - back;
        let (enemies, around) = blocked[i];
        if enemies > 0 {
            let percent = figures.blockade_percent * enemies;
            let (tax, industry) = (country.tax, country.industry);
            // Place: country; 1 for the tax, 2 for the industry.
            let tax_place = [key(space), 1];
            let lost = field.dice.at(tax_place).round("blockade", tax * percent, 100 * around);
            let tax = lost.min(tax);
            let dice = field.dice.at([key(space), 2]);
            let down = dice.round("blockade", industry * percent, 100 * around);
            let country = field.state.country_mut(space);
            country.tax -= tax;
            country.tax_down += tax;
            let down = down.min(country.industry);
            country.industry -= down;
            country.industry_down += down;
        }
    }
}

/// The spaces around an occupied country that its owner's enemies hold, and all around it (§11.4).
pub fn blockade(state: &State, space: SpaceId) -> (i64, i64) {
    let owner = state.country(space).owner;
    let around = state.tables.map.neighbours(space);
    if owner == NOBODY || around.is_empty() {
        return (0, 1);
    }
    let hostile = |s: &&SpaceId| match state.tables.map.is_sea(**s) {
        false => state.enemies(owner, state.country(**s).holder()),
        true => sea_is_hostile(state, owner, **s),
    };
    (around.iter().filter(hostile).count() as i64, around.len() as i64)
}

/// Whether enemies have more navy in a sea than the owner together with all who call the owner an
/// ally and are not enemies.
fn sea_is_hostile(state: &State, owner: u8, sea: SpaceId) -> bool {
    let (mut theirs, mut ours) = (0, 0);
    for (seat, forces) in state.sea(sea) {
        if state.enemies(owner, *seat) {
            theirs += forces.navy;
        } else if *seat == owner || state.player(*seat).stance(owner) == Stance::Ally {
            ours += forces.navy;
        }
    }
    theirs > ours
}

/// What a country earns, in cents (§11.1).
pub fn income_of(state: &State, space: SpaceId) -> i64 {
    let country = state.country(space);
    let owner = country.owner;
    if owner == NOBODY {
        return 0;
    }
    let friendly = |s: &&SpaceId| {
        let holder = state.country(**s).holder();
        !state.tables.map.is_sea(**s) && (holder == owner || state.cross_allies(owner, holder))
    };
    let lands = state.tables.map.neighbours(space).iter();
    let lands = lands.filter(|s| !state.tables.map.is_sea(**s)).filter(friendly);
    let share = state.tables.figures.economy.neighbour_percent;
    country.tax * 100 + lands.map(|s| state.country(*s).tax * share).sum::<i64>()
}

/// Interest in cents, rounded half up (G25).
pub fn interest_on(cents: i64, percent: i64) -> i64 {
    (cents * percent + 50) / 100
}

/// Step 8: income.
pub fn income(field: &mut Field) {
    let percent = field.tables.figures.economy.interest_percent;
    for seat in field.seats() {
        let i = usize::from(seat) - 1;
        let income = field.state.occupied(seat).map(|s| income_of(&field.state, s)).sum::<i64>();
        let player = field.state.player_mut(seat);
        let ledger = &mut field.ledgers[i];
        ledger.interest = interest_on(player.cents, percent);
        ledger.income = income;
        ledger.built = field.built[i];
        ledger.received = field.received[i];
        player.cents += ledger.interest + income + ledger.built + ledger.received;
        ledger.closing = player.cents;
        field.events.push(Event::Ledger { seat, ledger: *ledger });
    }
}

/// The square root, in thousandths.
pub fn root_milli(n: i64) -> i64 {
    (n.max(0) * 1_000_000).isqrt()
}

/// Ease of research of an item for a player (§11.6, §20.4).
fn base(field: &Field, seat: u8, item: usize) -> i64 {
    let own = field.state.player(seat).bases[item];
    if !field.tables.variant.bombers || item != Arm::Missile as usize {
        return own;
    }
    let rule = &field.tables.figures.missile_research;
    match field.state.missile_fired {
        true if rule.early.contains(&seat) => rule.shown_base,
        true if rule.late.contains(&seat) => rule.late_base,
        false if rule.early.contains(&seat) && field.state.turn >= rule.from_turn => {
            rule.early_base
        }
        _ => 0,
    }
}

/// Step 9: research and training take effect.
pub fn learn(field: &mut Field) {
    let scale = field.tables.figures.economy.research_scale;
    let (mut trained, mut counter) = (0, 0);
    for seat in field.seats() {
        let paper = &field.papers[usize::from(seat) - 1];
        let (research, training) = (paper.research, paper.training);
        for (item, dollars) in research.into_iter().enumerate().filter(|(_, d)| *d > 0) {
            let base = base(field, seat, item);
            // The square root of 1.25 times the Dollars, in thousandths.
            let root = root_milli(dollars * scale) / 10;
            // Place: seat, item from 0; there are eight.
            let dice = field.dice.at([seat.into(), item as u32]);
            let gain = dice.round("research", base * root, 100_000);
            field.state.player_mut(seat).multipliers[item] += gain;
        }
        // Training uses the multipliers from before this turn's research.
        let before = field.papers[usize::from(seat) - 1].player.multipliers;
        let player = field.state.player_mut(seat);
        let (spies, counters) = (training[0] * before[SPY], training[1] * before[COUNTERSPY]);
        player.spies += spies;
        player.counterspies += counters;
        trained += spies;
        counter += counters;
    }
    field.events.push(Event::SpyFlow {
        trained,
        caught: 0,
        counterspies_trained: counter,
        counterspies_used: 0,
    });
}
