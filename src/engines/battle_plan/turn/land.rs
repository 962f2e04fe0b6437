//! Step 3: battles on land (§10.1 to §10.7).

use super::super::map::SpaceId;
use super::super::state::{Country, Forces, NOBODY, Stance, percent_up};
use super::super::verbs::Arm;
use engine::Dice;

use super::super::diary::{Cause, Entry};
use super::{Capture, Clash, Count, Event, Field, Group, Side, Support, key, put_to_sea};

/// Step 3a: armies of two countries that attack each other meet at the border.
pub fn borders(field: &mut Field) {
    let mut pairs = Vec::new();
    for (at, groups) in &field.groups {
        for group in groups.iter().filter(|g| g.army() > 0) {
            let back = field.groups.get(&group.from);
            let meets = back.is_some_and(|b| b.iter().any(|g| g.from == *at && g.army() > 0));
            // Take each pair once, and only pairs of countries.
            if meets && group.from < *at && !field.tables.map.is_sea(*at) {
                pairs.push((group.from, *at));
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    for (a, b) in pairs {
        let armies = |from: SpaceId, at: SpaceId| -> i64 {
            field.groups[&at].iter().filter(|g| g.from == from).map(Group::army).sum()
        };
        let (from_a, from_b) = (armies(a, b), armies(b, a));
        // Place: the two countries, the lower number first.
        let dice = field.dice.at([key(a), key(b)]);
        let (lost_a, lost_b) = match from_a.cmp(&from_b) {
            std::cmp::Ordering::Equal => (from_a, from_b),
            std::cmp::Ordering::Greater => {
                (dice.round("border", from_b * from_b, from_a).min(from_a), from_b)
            }
            std::cmp::Ordering::Less => {
                (from_a, dice.round("border", from_a * from_a, from_b).min(from_b))
            }
        };
        for (from, at, lost) in [(a, b, lost_a), (b, a, lost_b)] {
            let groups = field.groups.get_mut(&at).into_iter().flatten();
            for group in groups.filter(|g| g.from == from) {
                // Place: from where, to where, whose.
                let dice = field.dice.at([key(from), key(at), group.owner.into()]);
                let parts = dice.pick("border", lost, &[group.conquer, group.bombard]);
                group.conquer -= parts[0];
                group.bombard -= parts[1];
            }
        }
    }
}

/// Steps 3b to 3k, for each country.
pub fn battles(field: &mut Field) {
    let targets: Vec<SpaceId> = field.groups.keys().copied().collect();
    for at in targets {
        let groups = field.groups.remove(&at).unwrap_or_default();
        let supports = field.supports.remove(&at).unwrap_or_default();
        Battle::new(field, at, groups, supports).fight();
    }
    // Support for countries that nobody attacked goes home without losses.
    let idle: Vec<SpaceId> =
        field.supports.keys().copied().filter(|s| !field.tables.map.is_sea(*s)).collect();
    for at in idle {
        let supports = field.supports.remove(&at).unwrap_or_default();
        supports.into_iter().for_each(|s| go_home(field, s));
    }
}

/// Sends survivors home: to a sea at once, for the battles there; to a country in step 5.
pub fn go_home(field: &mut Field, support: Support) {
    if field.tables.map.is_sea(support.from) {
        put_to_sea(&mut field.state, support.owner, support.from, support.forces);
    } else {
        field.homeward.push(support);
    }
}

/// One battle.
struct Battle<'f, 'a> {
    field: &'f mut Field<'a>,
    at: SpaceId,
    i: usize,
    groups: Vec<Group>,
    supports: Vec<Support>,
    /// The holder of the country, whose stances count.
    holder: u8,
    /// The home forces when the battle began: army, navy, and air force with its recovering part.
    began: Forces,
    recovering: i64,
    /// Losses of the defending side.
    lost: Forces,
    saved_hits: i64,
    spare_air: i64,
}

impl<'f, 'a> Battle<'f, 'a> {
    fn new(
        field: &'f mut Field<'a>,
        at: SpaceId,
        groups: Vec<Group>,
        supports: Vec<Support>,
    ) -> Self {
        let i = usize::from(at.0);
        let recovering = percent_up(field.down[i].2, field.tables.figures.economy.recovery_percent);
        let home = field.state.country(at);
        let began = Forces { army: home.army, navy: home.navy, air: home.air + recovering };
        let holder = field.holders[i];
        Self {
            field,
            at,
            i,
            groups,
            supports,
            holder,
            began,
            recovering,
            lost: Forces::default(),
            saved_hits: 0,
            spare_air: 0,
        }
    }

    /// The dice of this battle. Place: the country, then `part`, which separates rolls of the same
    /// purpose, such as the kinds of a strike, from 1.
    fn dice(&mut self, part: u32) -> &mut Dice {
        self.field.dice.at([key(self.at), part])
    }

    fn home(&mut self) -> &mut Country {
        self.field.state.country_mut(self.at)
    }

    fn fight(mut self) {
        self.missiles();
        self.air();
        self.navies();
        self.armies();
        if self.defending_army() == 0 {
            self.hostile_attackers();
        }
        let captured = self.capture();
        self.close(captured);
    }

    fn defending_army(&self) -> i64 {
        let home = self.field.state.country(self.at).army;
        home + self.supports.iter().map(|s| s.forces.army).sum::<i64>()
    }

    /// Takes losses of army or navy from the country and its supporters, at random.
    fn hit_defenders(&mut self, arm: Arm, lost: i64) -> i64 {
        let mut pools = vec![self.home().stock(arm)];
        pools.extend(self.supports.iter_mut().map(|s| *s.forces.of(arm)));
        let parts = self.dice(0).pick("defenders", lost, &pools);
        *self.home().stock_mut(arm) -= parts[0];
        for (support, part) in self.supports.iter_mut().zip(&parts[1..]) {
            *support.forces.of(arm) -= part;
        }
        let lost = parts.iter().sum();
        *self.lost.of(arm) += lost;
        lost
    }

    /// Takes losses from the armies of the attackers that `counts` selects, at random.
    fn hit_armies(&mut self, lost: i64, counts: impl Fn(&Group) -> bool) -> i64 {
        let pools: Vec<i64> = self
            .groups
            .iter()
            .flat_map(|g| if counts(g) { [g.conquer, g.bombard] } else { [0, 0] })
            .collect();
        let parts = self.dice(0).pick("attackers", lost, &pools);
        for (group, part) in self.groups.iter_mut().zip(parts.chunks(2)) {
            group.conquer -= part[0];
            group.bombard -= part[1];
        }
        parts.iter().sum()
    }

    fn hit_planes(&mut self, lost: i64) {
        let pools: Vec<i64> = self.groups.iter().flat_map(|g| g.air).collect();
        let parts = self.dice(0).pick("planes", lost, &pools);
        for (group, part) in self.groups.iter_mut().zip(parts.chunks(4)) {
            group.air.iter_mut().zip(part).for_each(|(a, p)| *a -= p);
        }
    }

    fn hit_ships(&mut self, lost: i64) -> i64 {
        let pools: Vec<i64> = self.groups.iter().map(|g| g.navy).collect();
        let parts = self.dice(0).pick("ships", lost, &pools);
        for (group, part) in self.groups.iter_mut().zip(&parts) {
            group.navy -= part;
        }
        parts.iter().sum()
    }

    /// Steps 3c and 3d: missiles.
    fn missiles(&mut self) {
        let fired: Vec<i64> = self.groups.iter().flat_map(|g| g.missiles).collect();
        let total: i64 = fired.iter().sum();
        if total == 0 {
            return;
        }
        let stopped = self.home().antimissiles.min(total);
        self.home().antimissiles -= stopped;
        let spent = Count { sent: stopped, lost: stopped };
        self.field.note_fight(self.holder, (self.at, self.at), &[(Arm::Antimissile, spent)]);
        self.field.lose(Arm::Antimissile, stopped);
        let parts = self.dice(0).pick("antimissiles", stopped, &fired);
        let mut hits = [0; 3];
        for (group, part) in self.groups.iter_mut().zip(parts.chunks(3)) {
            for kind in 0..3 {
                hits[kind] += group.missiles[kind] - part[kind];
            }
            group.stopped = part.iter().sum();
        }
        let figures = self.field.tables.figures.combat.clone();
        if self.field.owners[self.i] != NOBODY {
            let landed: i64 = hits.iter().sum();
            let cost = landed * figures.missile_popularity;
            self.field.please(self.at, Cause::Missiles, -cost);
        }
        let army = hits[0] * figures.missile_hits;
        self.saved_hits = army - self.hit_defenders(Arm::Army, army);
        // Air force that has just flown in is not at the base yet.
        let flown_in = self.field.flown_in.get(&self.at).copied().unwrap_or(0);
        let based = (self.home().air - flown_in).max(0);
        self.suppress_air((hits[1] * figures.missile_hits).min(based));
        self.suppress_industry(hits[2] * figures.missile_hits);
    }

    fn suppress_air(&mut self, n: i64) {
        let n = n.min(self.home().air);
        self.home().air -= n;
        self.field.hit[self.i].1 += n;
    }

    fn suppress_industry(&mut self, n: i64) {
        let n = n.min(self.home().industry);
        self.home().industry -= n;
        self.field.hit[self.i].0 += n;
    }

    /// Steps 3e and 3f: air force.
    fn air(&mut self) {
        let attacking: i64 = self.groups.iter().map(Group::planes).sum();
        let supporting: i64 = self.supports.iter().map(|s| s.forces.air).sum();
        let defending = self.home().air + self.recovering + supporting;
        let kinds: [i64; 4] = std::array::from_fn(|k| self.groups.iter().map(|g| g.air[k]).sum());
        let total = self.dice(0).heads("air combat", attacking.min(defending));
        let ours = self.dice(0).heads("air losses", total).min(attacking);
        self.hit_planes(ours);
        self.lose_defending_planes((total - ours).min(defending));
        if attacking > defending {
            self.strike(attacking - defending, kinds);
        } else {
            let mut hits = self.dice(0).heads("flak", defending - attacking);
            hits -= self.hit_armies(hits, |_| true);
            hits -= self.hit_ships(hits);
            self.hit_planes(hits);
        }
    }

    fn lose_defending_planes(&mut self, lost: i64) {
        let mut pools = vec![self.home().air, self.recovering];
        pools.extend(self.supports.iter().map(|s| s.forces.air));
        let parts = self.dice(0).pick("defending planes", lost, &pools);
        self.home().air -= parts[0];
        self.home().air_down -= parts[1];
        self.field.recovering_lost[self.i] += parts[1];
        for (support, part) in self.supports.iter_mut().zip(&parts[2..]) {
            support.forces.air -= part;
        }
        self.lost.air += parts.iter().sum::<i64>();
    }

    /// Directs the excess air force at its targets, by kind of attack.
    fn strike(&mut self, excess: i64, kinds: [i64; 4]) {
        let (mut rest, mut of) = (excess, kinds.iter().sum::<i64>());
        let mut parts = [0; 4];
        for kind in 0..4 {
            if kinds[kind] > 0 {
                // There are four kinds.
                let dice = self.dice(kind as u32 + 1);
                parts[kind] = dice.round("excess", rest * kinds[kind], of).min(rest);
                rest -= parts[kind];
                of -= kinds[kind];
            }
        }
        let hits: [i64; 4] =
            std::array::from_fn(|kind| self.dice(kind as u32 + 1).heads("strike", parts[kind]));
        let killed = self.hit_defenders(Arm::Army, hits[0]);
        if self.defending_army() == 0 {
            self.spare_air = (parts[0] - 2 * killed).max(0);
        }
        self.hit_defenders(Arm::Navy, hits[1]);
        self.suppress_air(hits[2]);
        self.suppress_industry(hits[3]);
    }

    /// Steps 3g and 3h: navies.
    fn navies(&mut self) {
        let attacking: i64 = self.groups.iter().map(|g| g.navy).sum();
        let navy = |b: &mut Self| -> i64 {
            b.home().navy + b.supports.iter().map(|s| s.forces.navy).sum::<i64>()
        };
        let defending = navy(self);
        if attacking > 0 && defending > 0 {
            let theirs = self.dice(0).heads("ships at port", attacking);
            let ours = self.dice(0).heads("ships at sea", defending);
            self.hit_defenders(Arm::Navy, theirs);
            self.hit_ships(ours);
        }
        let left = navy(self);
        let seas: Vec<bool> =
            self.groups.iter().map(|g| self.field.tables.map.is_sea(g.from)).collect();
        let landing: i64 =
            self.groups.iter().zip(&seas).filter(|(_, s)| **s).map(|(g, _)| g.army()).sum();
        if left > 0 && landing > 0 {
            let hits = self.dice(0).heads("landing", left);
            let countries = self.field.tables.map.country_count();
            self.hit_armies(hits, |g| usize::from(g.from.0) >= countries);
        }
    }

    /// Step 3i: the larger side wins. Its losses are the square of the smaller number divided by
    /// the larger.
    fn armies(&mut self) {
        let attackers: i64 = self.groups.iter().map(Group::army).sum();
        let defenders = self.defending_army();
        if attackers == 0 || defenders == 0 {
            return;
        }
        let handicap = self.field.tables.figures.combat.ally_handicap_percent;
        let weight = |g: &Group| match self.trusts(g.owner) {
            true => g.army() * handicap,
            false => g.army() * 100,
        };
        let (a, d) = (self.groups.iter().map(weight).sum::<i64>(), defenders * 100);
        match a.cmp(&d) {
            std::cmp::Ordering::Greater => {
                let lost = loss(self.dice(0), attackers, d, a);
                self.hit_armies(lost, |_| true);
                self.hit_defenders(Arm::Army, defenders);
            }
            std::cmp::Ordering::Less => {
                let lost = loss(self.dice(0), defenders, a, d);
                self.hit_defenders(Arm::Army, lost);
                self.hit_armies(attackers, |_| true);
            }
            std::cmp::Ordering::Equal => {
                let kept = self.dice(0).heads("one left", 1);
                self.hit_defenders(Arm::Army, defenders - kept);
                self.hit_armies(attackers, |_| true);
            }
        }
    }

    /// Whether the defending side calls an attacker its ally.
    fn trusts(&self, attacker: u8) -> bool {
        self.holder != NOBODY
            && self.holder != attacker
            && self.field.state.player(self.holder).stance(attacker) == Stance::Ally
    }

    /// Step 3j: attackers who are enemies of each other fight.
    fn hostile_attackers(&mut self) {
        let mut spare: Vec<i64> = {
            let pools: Vec<i64> = self.groups.iter().map(|g| g.air[0]).collect();
            let all: i64 = pools.iter().sum();
            pools.iter().map(|p| if all > 0 { self.spare_air * p / all } else { 0 }).collect()
        };
        for _ in 0..self.field.tables.figures.combat.rounds_max {
            let armed: Vec<u8> =
                self.groups.iter().filter(|g| g.army() > 0).map(|g| g.owner).collect();
            let state = &self.field.state;
            let hostile = armed.iter().any(|a| armed.iter().any(|b| state.enemies(*a, *b)));
            if !hostile {
                break;
            }
            let mut owners: Vec<u8> = self.groups.iter().map(|g| g.owner).collect();
            owners.sort_unstable();
            owners.dedup();
            let mut losses = vec![[0i64; 6]; self.groups.len()];
            for owner in owners {
                let own = self.groups.iter().zip(&spare).filter(|(g, _)| g.owner == owner);
                let strength: i64 = own.map(|(g, s)| g.army() + s).sum();
                let hits = self.dice(owner.into()).heads("attackers' quarrel", strength);
                let pools: Vec<i64> = self
                    .groups
                    .iter()
                    .flat_map(|g| {
                        let hit = self.field.state.enemies(owner, g.owner);
                        let all = [g.conquer, g.bombard, g.air[0], g.air[1], g.air[2], g.air[3]];
                        if hit { all } else { [0; 6] }
                    })
                    .collect();
                let parts = self.dice(owner.into()).pick("attackers' quarrel", hits, &pools);
                for (loss, part) in losses.iter_mut().zip(parts.chunks(6)) {
                    loss.iter_mut().zip(part).for_each(|(l, p)| *l += p);
                }
            }
            for (group, loss) in self.groups.iter_mut().zip(losses) {
                group.conquer -= loss[0].min(group.conquer);
                group.bombard -= loss[1].min(group.bombard);
                for kind in 0..4 {
                    group.air[kind] -= loss[2 + kind].min(group.air[kind]);
                }
            }
            spare.iter_mut().for_each(|s| *s = 0);
        }
    }

    /// Step 3k: the capture of the country. Returns its new owner.
    fn capture(&mut self) -> Option<u8> {
        if self.defending_army() > 0 {
            return None;
        }
        let mut by_player: Vec<(u8, i64)> = Vec::new();
        for group in self.groups.iter().filter(|g| g.conquer > 0) {
            match by_player.iter_mut().find(|(p, _)| *p == group.owner) {
                Some((_, n)) => *n += group.conquer,
                None => by_player.push((group.owner, group.conquer)),
            }
        }
        by_player.sort_unstable();
        let most = by_player.iter().map(|(_, n)| *n).max()?;
        let best: Vec<u8> = by_player.iter().filter(|(_, n)| *n == most).map(|(p, _)| *p).collect();
        let winner = match best.as_slice() {
            [one] => *one,
            several => {
                let sides = several.len() as u32;
                several[self.dice(0).below("captor", sides) as usize]
            }
        };
        let staying: i64 =
            self.groups.iter().filter(|g| g.owner == winner).map(|g| g.conquer).sum();
        self.take_over(winner, staying);
        Some(winner)
    }

    fn take_over(&mut self, winner: u8, army: i64) {
        let hpi = self.field.tables.figures.player.popularity;
        let (industry_hit, air_hit) = self.field.hit[self.i];
        let (saved_hits, spare_air) = (self.saved_hits, self.spare_air);
        let country = self.home();
        let old = country.clone();
        let fleeing = if old.owner == NOBODY { (0, 0) } else { (old.navy, old.air) };
        country.owner = winner;
        country.army = army;
        country.tax_down += std::mem::take(&mut country.tax);
        country.industry_down += std::mem::take(&mut country.industry) + industry_hit;
        country.air_down += air_hit;
        let air = std::mem::take(&mut country.air);
        if old.owner == NOBODY {
            country.air_down += air;
        } else {
            country.navy = 0;
        }
        country.fractions = [0; 6];
        country.hpi = hpi;
        country.popularity.clear();
        self.field.hit[self.i] = (0, 0);
        let stay = self.groups.iter().filter(|g| g.owner == winner && g.conquer > 0);
        let conquerors = stay.map(|g| (g.from, g.conquer)).collect();
        let capture = Capture {
            old,
            by: winner,
            conquerors,
            saved_hits,
            spare_air,
            returning: 0,
            fleeing,
            recaptured: false,
        };
        let minor = capture.old.owner == NOBODY;
        let taken = [
            (Arm::Navy, if minor { capture.old.navy } else { 0 }),
            (Arm::Air, capture.old.air_down + if minor { air } else { 0 }),
            (Arm::Missile, capture.old.missiles),
            (Arm::Antimissile, capture.old.antimissiles),
        ];
        for (arm, n) in taken.into_iter().filter(|(_, n)| *n > 0) {
            self.field.note(winner, Entry::Captured { at: self.at, arm, n });
        }
        self.field.captures.insert(self.at, capture);
    }

    /// Ends the battle: losses, survivors, the report.
    fn close(self, captured: Option<u8>) {
        let Self { field, at, groups, supports, holder, began, lost, .. } = self;
        let count = |sent, lost| Count { sent, lost };
        let (mut sent, mut own) = (began, lost);
        for support in &supports {
            let (went, left) = (support.sent, support.forces);
            sent.army += went.army;
            sent.navy += went.navy;
            sent.air += went.air;
            field.mourn(support.from, support.owner, went.total() - left.total());
            let fought = |went, left| count(went, went - left);
            let arms = [
                (Arm::Army, fought(went.army, left.army)),
                (Arm::Navy, fought(went.navy, left.navy)),
                (Arm::Air, fought(went.air, left.air)),
            ];
            field.note_fight(support.owner, (support.from, at), &arms);
            own.army -= went.army - left.army;
            own.navy -= went.navy - left.navy;
            own.air -= went.air - left.air;
        }
        let arms = [
            (Arm::Army, count(began.army, own.army)),
            (Arm::Navy, count(began.navy, own.navy)),
            (Arm::Air, count(began.air, own.air)),
        ];
        field.note_fight(holder, (at, at), &arms);
        let home = Side {
            from: at,
            owner: holder,
            army: count(sent.army, lost.army),
            navy: count(sent.navy, lost.navy),
            air: count(sent.air, lost.air),
            missiles: Count::default(),
        };
        let mut destroyed = [lost.army, lost.navy, lost.air];
        let mut attackers = Vec::new();
        for group in &groups {
            let own = [
                group.sent[0] - group.army(),
                group.sent[1] - group.navy,
                group.sent[2] - group.planes(),
            ];
            destroyed.iter_mut().zip(own).for_each(|(d, o)| *d += o);
            field.mourn(group.from, group.owner, own.iter().sum());
            let at_sea = field.tables.map.is_sea(group.from);
            if !at_sea && field.owners[usize::from(group.from.0)] != NOBODY {
                field.please(group.from, Cause::Conquerors, group.conquer);
            }
            attackers.push(Side {
                from: group.from,
                owner: group.owner,
                army: count(group.sent[0], own[0]),
                navy: count(group.sent[1], own[1]),
                air: count(group.sent[2], own[2]),
                missiles: count(group.sent[3], group.stopped),
            });
            depart(field, at, group, own, captured == Some(group.owner));
        }
        for (arm, n) in [Arm::Army, Arm::Navy, Arm::Air].into_iter().zip(destroyed) {
            field.lose(arm, n);
        }
        let supporters = supports.iter().map(|s| s.owner).collect();
        supports.into_iter().for_each(|s| go_home(field, s));
        let clash = Clash { at, holder, home, attackers, captured, supporters };
        field.events.push(Event::Clash(clash));
    }
}

/// Records what a group of attackers did and lost at a place, and sends home its units that do not
/// stay.
fn depart(field: &mut Field, at: SpaceId, group: &Group, own: [i64; 3], stays: bool) {
    let count = |sent, lost| Count { sent, lost };
    let route = (group.from, at);
    let arms = [
        (Arm::Navy, count(group.sent[1], own[1])),
        (Arm::Air, count(group.sent[2], own[2])),
        (Arm::Missile, count(group.sent[3], group.stopped)),
    ];
    if group.sent[0] > 0 {
        let stay = if stays { group.conquer } else { 0 };
        let (arm, sent, lost) = (Arm::Army, group.sent[0], own[0]);
        let entry = Entry::Fought { from: group.from, at, arm, sent, lost, stay };
        field.note(group.owner, entry);
    }
    field.note_fight(group.owner, route, &arms);
    let army = group.bombard + if stays { 0 } else { group.conquer };
    let forces = Forces { army, navy: group.navy, air: group.planes() };
    go_home(field, Support { from: group.from, owner: group.owner, forces, sent: forces });
}

/// The losses of the winner of an army battle: R(W (L'/W')^2).
pub fn loss(dice: &mut Dice, winner: i64, weak: i64, strong: i64) -> i64 {
    // In late games the cubes of armies need more than 64 bits.
    let (winner, weak, strong) = (i128::from(winner), i128::from(weak), i128::from(strong));
    let (mut over, mut under) = (winner * weak * weak, strong * strong);
    while over > i128::from(i64::MAX) || under > i128::from(i64::MAX) {
        over >>= 1;
        under >>= 1;
    }
    let small = |n: i128| i64::try_from(n).unwrap_or(i64::MAX);
    dice.round("army battle", small(over), small(under)).min(small(winner))
}
