//! The forecast for the next turn, as far as it is certain: money, research, blockades and
//! popularity.

use std::collections::BTreeMap;

use super::super::desk::{Holding, Job, Paper, Where, hundredths, item_name};
use super::super::map::SpaceId;
use super::super::state::{Country, NOBODY, Stance, percent_up};
use super::super::turn::economy::{interest_on, root_milli};
use super::super::verbs::Arm;
use super::super::view::{View, code};
use engine::report::{Line, listed};
use tongue::say;

/// All lines of the forecast.
pub fn lines(view: &View, paper: &Paper) -> Vec<Line> {
    let mut lines = money(view, paper);
    lines.extend(popularity(view, paper));
    lines
}

/// Money, research, propaganda, blockades.
fn money(view: &View, paper: &Paper) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut tell = |text: String| lines.push(Line::from(text));
    let cents = view.position.player.cents;
    let left = cents - paper.spent * 100;
    let interest = interest_on(left, view.tables.figures.economy.interest_percent);
    let built = built_dollars(view, paper) * 100;
    let blockades = view.blockades(&paper.player);
    let income = income(view, paper, &blockades);
    tell(say!("Order-count: {number}.", number = paper.count));
    let sum = income.plus(Span::of(left + interest + built)).says_hundredths();
    let (had, spent) = (hundredths(cents), paper.spent);
    let (interest, income) = (hundredths(interest), income.says_hundredths());
    tell(match built {
        1.. => say!(
            "Dollars: {had} - {spent} spent + {interest} interest + {income} income + {built} \
             built = {sum} next turn, if blockades and countries stay as they are and nothing is \
             given to you.",
            built = hundredths(built)
        ),
        _ => say!(
            "Dollars: {had} - {spent} spent + {interest} interest + {income} income = {sum} next \
             turn, if blockades and countries stay as they are and nothing is given to you."
        ),
    });
    let hidden = hidden_friends(view, paper);
    if !hidden.is_empty() {
        let percent = view.tables.figures.economy.neighbour_percent;
        tell(say!(
            "More comes from your cross-allies next door: {percent}% of the tax base of {places}, \
             which you do not see, for each country of yours beside it.",
            places = hidden.join(", ")
        ));
    }
    let even = view.position.player.class.is_none() && view.tables.powers.is_empty();
    for (item, dollars) in paper.research.iter().enumerate().filter(|(_, d)| **d > 0) {
        let (now, name) = (paper.player.multipliers[item], item_name(item));
        // In some games the ease of research differs by position and is secret.
        tell(match even {
            true => {
                let scale = view.tables.figures.economy.research_scale;
                let root = root_milli(dollars * scale) / 10;
                let (over, under) = (paper.player.bases[item] * root, 100_000);
                let gain = Span { low: over / under, high: (over + under - 1) / under };
                say!(
                    "Research for {dollars} Dollars raises {name} from {now} to {then}.",
                    then = gain.plus(Span::of(now)).in_words()
                )
            }
            false => say!(
                "Research for {dollars} Dollars goes into {name}, {now} now; how easy that is here is \
                 not told."
            ),
        });
    }
    for (space, (hostile, around)) in blockades.iter().filter(|(_, (h, _))| *h > 0) {
        let percent = view.tables.figures.economy.blockade_percent * *hostile as i64;
        tell(say!(
            "Blockade of {place}: {hostile} of {around} spaces around it are hostile now; that \
             suppresses {part}% of its tax base and industry.",
            place = view.tables.map.code(*space),
            part = percent / (*around as i64).max(1)
        ));
    }
    lines
}

/// The least and the most that a value can be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Span {
    low: i64,
    high: i64,
}

impl Span {
    fn of(n: i64) -> Self {
        Self { low: n, high: n }
    }

    /// A square root in thousandths; the lot decides how it is rounded.
    fn root(dollars: Self, scale: i64) -> Self {
        let (low, high) = (root_milli(dollars.low * scale), root_milli(dollars.high * scale));
        Self { low: low / 1000, high: (high + 999) / 1000 }
    }

    fn times(self, n: i64) -> Self {
        Self { low: self.low * n, high: self.high * n }
    }

    fn plus(self, more: Self) -> Self {
        Self { low: self.low + more.low, high: self.high + more.high }
    }

    fn minus(self, less: Self) -> Self {
        Self { low: self.low - less.high, high: self.high - less.low }
    }

    /// The range of a value in hundredths, as text: `120.50`, `119–121`.
    fn says_hundredths(self) -> String {
        let (low, high) = (hundredths(self.low), hundredths(self.high));
        if low == high { low } else { format!("{low}–{high}") }
    }

    fn in_words(self) -> String {
        match self.high - self.low {
            0 => self.low.to_string(),
            1 => say!("{low} or {high}", low = self.low, high = self.high),
            _ => format!("{}–{}", self.low, self.high),
        }
    }
}

/// All Dollars of propaganda by country, direct and spread ones together (G07).
fn propaganda(view: &View, paper: &Paper) -> BTreeMap<SpaceId, Span> {
    let mut sums: BTreeMap<SpaceId, Span> = BTreeMap::new();
    for (place, dollars) in &paper.propaganda {
        match place {
            Where::Country(space) => {
                let sum = sums.entry(*space).or_default();
                *sum = sum.plus(Span::of(*dollars));
            }
            Where::Spread(of) => {
                let owners = view.tables.map.countries().zip(&view.owners);
                let over: Vec<SpaceId> = owners.filter(|(_, o)| *o == of).map(|(s, _)| s).collect();
                let many = (over.len() as i64).max(1);
                let (low, rest) = (dollars / many, i64::from(dollars % many > 0));
                for space in over {
                    let sum = sums.entry(space).or_default();
                    *sum = sum.plus(Span { low, high: low + rest });
                }
            }
        }
    }
    sums
}

/// What the card does to popularity at home, in minors and in others' countries.
fn popularity(view: &View, paper: &Paper) -> Vec<Line> {
    let figures = &view.tables.figures.popularity;
    let propaganda = propaganda(view, paper);
    let spent = |space| propaganda.get(&space).copied().unwrap_or_default();
    let mut lines: Vec<Line> = Vec::new();
    let world = view.public(view.seat).opinion.2;
    let mut more = false;
    for (space, country) in lands(view).filter(|(_, c)| !c.is_minor()) {
        let by_press = Span::root(spent(space), figures.own_propaganda);
        let built = idle(paper, space, country);
        let mut all = Span::of(country.hpi);
        let mut terms = vec![country.hpi.to_string()];
        if by_press.high > 0 {
            all = all.plus(by_press);
            terms.push(say!("+ {n} by propaganda", n = by_press.in_words()));
        }
        if built > 0 {
            all = all.plus(Span::of(built));
            terms.push(say!("+ {n} by Dollars built", n = built));
        }
        if world != 0 {
            all = all.plus(Span::of(world));
            terms.push(say!("{n:+} by world opinion", n = world));
        }
        if all != Span::of(country.hpi) {
            more = true;
            let (place, terms, sum) = (code(view, space), terms.join(" "), all.in_words());
            lines.push(say!("HPI of {place}: {terms} = {sum}.").into());
        }
    }
    if more {
        let says =
            say!("Conquests, losses abroad, missiles and what others spend change HPI further.");
        lines.push(says.into());
    }
    let mut foreign = Vec::new();
    // Minors with the same text share a line.
    let mut minors: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (space, owner) in view.tables.map.countries().zip(&view.owners) {
        let dollars = spent(space);
        match *owner {
            NOBODY => {
                if let Some(words) = minor(view, paper, space, dollars) {
                    minors.entry(words).or_default().push(code(view, space).to_owned());
                }
            }
            seat if seat == view.seat || dollars.high == 0 => {}
            _ => {
                let down = Span::root(dollars, figures.foreign_propaganda);
                foreign.push(say!(
                    "{place} by {n}",
                    place = code(view, space),
                    n = down.in_words()
                ));
            }
        }
    }
    for (words, codes) in minors {
        lines.extend(listed(&words, &codes));
    }
    let leave = |space: SpaceId| paper.jobs.get(&space).is_some_and(|jobs| leaves(jobs));
    let sent: Vec<String> = lands(view)
        .filter(|(space, country)| country.is_minor() && leave(*space))
        .map(|(space, _)| code(view, space).to_owned())
        .collect();
    lines.extend(listed(&say!("Each unit lost abroad costs you 1 popularity in"), &sent));
    lines.extend(listed(&say!("Your propaganda lowers the HPI of"), &foreign));
    lines
}

/// Whether units that can be lost go abroad.
fn leaves(jobs: &[Job]) -> bool {
    jobs.iter().any(|j| !j.order.verb.builds() && j.order.verb.arm() != Arm::Missile)
}

/// The seat's own popularity in a minor that the card affects.
fn minor(view: &View, paper: &Paper, space: SpaceId, dollars: Span) -> Option<String> {
    let figures = &view.tables.figures.popularity;
    let seen = view.seen.get(&space).and_then(|c| c.popularity.get(&view.seat).copied());
    let now = seen.or(view.favour.get(&space).copied()).unwrap_or(0);
    let (mut gifts, mut attacked) = (Span::default(), false);
    for job in paper.jobs.values().flatten().filter(|j| j.order.target == Some(space)) {
        let arm = job.order.verb.arm();
        let worth = match arm {
            Arm::Missile | Arm::Antimissile => figures.missile_gift,
            _ => figures.gift,
        };
        if job.order.verb.moves() {
            let given = worth * job.order.n;
            // Gifts through another's canal may not arrive.
            let low = if job.shut(&view.position).is_some() { 0 } else { given };
            gifts = gifts.plus(Span { low, high: given });
        }
        attacked |= job.order.verb.attacks() && matches!(arm, Arm::Army | Arm::Air);
    }
    if dollars.high == 0 && gifts.high == 0 && (!attacked || now <= 0) {
        return None;
    }
    let fades = now.max(0) * figures.decay_percent;
    let decay = Span { low: fades / 100, high: (fades + 99) / 100 };
    let mut all = Span::of(now).minus(decay).plus(dollars).plus(gifts);
    let mut terms = vec![now.to_string()];
    if decay.high > 0 {
        terms.push(say!("- {n} as it fades", n = decay.in_words()));
    }
    if dollars.high > 0 {
        terms.push(say!("+ {n} by propaganda", n = dollars.in_words()));
    }
    if gifts.high > 0 {
        terms.push(say!("+ {n} by gifts", n = gifts.in_words()));
    }
    let terms = terms.join(" ");
    if attacked && all.high > 0 {
        all = Span { low: all.low.min(0), high: 0 };
        return Some(say!(
            "Your popularity {terms}, but you attack it = {sum} in",
            sum = all.in_words()
        ));
    }
    Some(say!("Your popularity {terms} = {sum} in", sum = all.in_words()))
}

/// Whether a country adds a tenth of its tax base to the income of its neighbours.
fn friend(view: &View, paper: &Paper, space: SpaceId) -> bool {
    let holder = view.holder(space);
    holder == view.seat
        || holder != NOBODY
            && paper.player.stance(holder) == Stance::Ally
            && view.allied_by.contains(&holder)
}

/// Countries of friends next to own ones whose tax base the seat does not see.
fn hidden_friends(view: &View, paper: &Paper) -> Vec<String> {
    let map = &view.tables.map;
    let own = |s: &SpaceId| !map.is_sea(*s) && view.owners[usize::from(s.0)] == view.seat;
    let beside = |s: &SpaceId| map.neighbours(*s).iter().any(own);
    let hidden = map.countries().filter(|s| !view.seen.contains_key(s));
    let friends = hidden.filter(|s| friend(view, paper, *s) && beside(s));
    friends.map(|s| code(view, s).to_owned()).collect()
}

/// Income of own countries in cents if nothing changes hands, recovery included. Rounding under a
/// blockade is by lot, and blockades of others' countries are not known, so it is a range.
fn income(view: &View, paper: &Paper, blockades: &BTreeMap<SpaceId, (usize, usize)>) -> Span {
    let map = &view.tables.map;
    let figures = &view.tables.figures.economy;
    let tax = |space: SpaceId| {
        view.seen.get(&space).map_or(Span::default(), |c| {
            let up = c.tax + percent_up(c.tax_down, figures.recovery_percent);
            match blockades.get(&space) {
                Some((hostile, around)) if *hostile > 0 => {
                    let lost = up * figures.blockade_percent * *hostile as i64;
                    let all = 100 * (*around as i64).max(1);
                    let lost = Span { low: lost / all, high: (lost + all - 1) / all };
                    Span::of(up).minus(lost)
                }
                Some(_) => Span::of(up),
                // Blockades of another player's country are not known.
                None if view.owners[usize::from(space.0)] != NOBODY => {
                    Span { low: up - percent_up(up, figures.blockade_percent), high: up }
                }
                None => Span::of(up),
            }
        })
    };
    let mut cents = Span::default();
    for space in map.countries().filter(|s| view.owners[usize::from(s.0)] == view.seat) {
        cents = cents.plus(tax(space).times(100));
        let around =
            map.neighbours(space).iter().filter(|s| !map.is_sea(**s) && friend(view, paper, **s));
        for space in around {
            cents = cents.plus(tax(*space).times(figures.neighbour_percent));
        }
    }
    cents
}

pub fn lands(view: &View) -> impl Iterator<Item = (SpaceId, &Country)> {
    view.position.holdings.iter().filter_map(|(s, h)| match h {
        Holding::Land(c) => Some((*s, &**c)),
        Holding::Sea(_) => None,
    })
}

/// Industry of a country that no build uses.
pub fn idle(paper: &Paper, space: SpaceId, country: &Country) -> i64 {
    let jobs = paper.jobs.get(&space).into_iter().flatten();
    let busy: i64 = jobs.filter(|j| j.order.verb.builds()).map(|j| j.order.n).sum();
    country.industry - busy
}

/// Industry of occupied countries that builds Dollars.
fn built_dollars(view: &View, paper: &Paper) -> i64 {
    let occupied = lands(view).filter(|(_, c)| !c.is_minor());
    occupied.map(|(space, country)| idle(paper, space, country)).sum()
}
