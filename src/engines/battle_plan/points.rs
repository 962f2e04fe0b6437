//! The value of a game at its end: ratings, winners and survivors of Real Forces, the victory
//! points of 1939 (§18, §20.3, §20.4, Appendix E).

use std::collections::BTreeSet;

use super::desk::Holding;
use super::map::SpaceId;
use super::state::{End, NOBODY, Stance, State};
use super::tables::{Class, Tables};
use super::variants::Ending;
use super::verbs::Arm;
use super::view::View;
use super::worth::{Condition, Item, Theirs};

/// The source of victory points: the whole state at the end, and the seat's knowledge before that.
/// `None` means that the seat does not know.
trait Sight {
    fn tables(&self) -> &Tables;
    fn seats(&self) -> u8;
    /// The owner of a country, or the controller of a minor.
    fn holder(&self, space: SpaceId) -> u8;
    fn is_minor(&self, space: SpaceId) -> bool;
    /// Whether one calls the other an ally. One of them is the seat whose points are counted.
    fn calls_ally(&self, who: u8, whom: u8) -> bool;
    fn navy_in(&self, seat: u8, sea: SpaceId) -> Option<i64>;
    fn navy(&self, seat: u8) -> Option<i64>;
    fn industry(&self, seat: u8) -> Option<i64>;
    fn last_land(&self, seat: u8) -> u32;
}

impl Sight for State {
    fn tables(&self) -> &Tables {
        &self.tables
    }
    fn seats(&self) -> u8 {
        // A game has at most 79 seats.
        self.players.len() as u8
    }
    fn holder(&self, space: SpaceId) -> u8 {
        self.country(space).holder()
    }
    fn is_minor(&self, space: SpaceId) -> bool {
        self.country(space).is_minor()
    }
    fn calls_ally(&self, who: u8, whom: u8) -> bool {
        self.player(who).stance(whom) == Stance::Ally
    }
    fn navy_in(&self, seat: u8, sea: SpaceId) -> Option<i64> {
        Some(self.sea(sea).get(&seat).map_or(0, |f| f.navy))
    }
    fn navy(&self, seat: u8) -> Option<i64> {
        let held = self.countries.iter().filter(|c| c.holder() == seat);
        let at_sea = self.seas.iter().filter_map(|s| s.get(&seat)).map(|f| f.navy);
        Some(held.map(|c| c.navy).chain(at_sea).sum())
    }
    fn industry(&self, seat: u8) -> Option<i64> {
        Some(self.industry_of(seat))
    }
    fn last_land(&self, seat: u8) -> u32 {
        self.player(seat).last_land
    }
}

impl Sight for View {
    fn tables(&self) -> &Tables {
        &self.tables
    }
    fn seats(&self) -> u8 {
        // A game has at most 79 seats.
        self.players.len() as u8
    }
    fn holder(&self, space: SpaceId) -> u8 {
        View::holder(self, space)
    }
    fn is_minor(&self, space: SpaceId) -> bool {
        self.owners[usize::from(space.0)] == NOBODY
    }
    fn calls_ally(&self, who: u8, whom: u8) -> bool {
        match who == self.seat {
            true => self.position.player.stance(whom) == Stance::Ally,
            false => self.allied_by.contains(&who),
        }
    }
    fn navy_in(&self, seat: u8, sea: SpaceId) -> Option<i64> {
        match self.seas.get(&sea) {
            Some(forces) => Some(forces.get(&seat).map_or(0, |f| f.navy)),
            // A seat always knows its own ships.
            None if seat == self.seat => Some(match self.position.holdings.get(&sea) {
                Some(Holding::Sea(forces)) => forces.navy,
                _ => 0,
            }),
            None => None,
        }
    }
    fn navy(&self, seat: u8) -> Option<i64> {
        let own = self.position.holdings.values().map(|h| h.stock(Arm::Navy));
        (seat == self.seat).then(|| own.sum())
    }
    fn industry(&self, seat: u8) -> Option<i64> {
        let held = self.position.holdings.values().map(|h| match h {
            Holding::Land(c) => c.counted_industry(),
            Holding::Sea(_) => 0,
        });
        (seat == self.seat).then(|| held.sum())
    }
    fn last_land(&self, seat: u8) -> u32 {
        match seat == self.seat {
            true => self.position.player.last_land,
            false => 0,
        }
    }
}

/// The game from the view of a seat, for counting victory points.
struct Board<'a, S> {
    sight: &'a S,
    seat: u8,
}

impl<S: Sight> Board<'_, S> {
    fn spaces(&self, list: &str) -> Vec<SpaceId> {
        self.sight.tables().spaces(list)
    }

    fn owns(&self, seat: u8, space: SpaceId) -> bool {
        !self.sight.tables().map.is_sea(space) && self.sight.holder(space) == seat
    }

    fn owned(&self, seat: u8, list: &str) -> usize {
        self.spaces(list).iter().filter(|s| self.owns(seat, **s)).count()
    }

    fn all_owned(&self, seat: u8) -> impl Iterator<Item = SpaceId> + '_ {
        let countries = self.sight.tables().map.countries();
        countries.filter(move |s| self.sight.holder(*s) == seat)
    }

    fn occupies(&self, seat: u8) -> bool {
        self.all_owned(seat).any(|s| !self.sight.is_minor(s))
    }

    fn lists_ally(&self, who: u8, whom: u8) -> bool {
        who != NOBODY && self.sight.calls_ally(who, whom)
    }

    fn seats(&self) -> impl Iterator<Item = u8> + use<S> {
        1..=self.sight.seats()
    }

    fn was_own(&self, seat: u8, space: SpaceId) -> bool {
        self.sight.tables().map.row(space).original == seat
    }

    /// Whether a minor listed the power first at the start.
    fn controlled_first(&self, seat: u8, space: SpaceId) -> bool {
        let power = &self.sight.tables().powers[usize::from(seat) - 1];
        self.spaces(&power.controls).contains(&space)
    }

    /// Whether one of two players owns each of these spaces, at least one of them the first player.
    /// Excused spaces may also belong to an ally.
    fn together(&self, seat: u8, with: u8, theirs: &str, excused: &str) -> bool {
        let excused = self.spaces(excused);
        let spaces = self.spaces(theirs);
        let fits = |s: &SpaceId| {
            let holder = self.sight.holder(*s);
            holder == seat
                || holder == with
                || excused.contains(s) && holder != NOBODY && self.lists_ally(holder, seat)
        };
        spaces.iter().all(fits) && spaces.iter().any(|s| self.owns(seat, *s))
    }

    fn points(&self, item: &Item) -> Option<i64> {
        let (sight, seat, worth) = (self.sight, self.seat, item.worth);
        let when = |yes: bool| if yes { worth } else { 0 };
        let times = |n: usize| worth * n as i64;
        Some(match &item.condition {
            Condition::Turns(_) => worth * i64::from(sight.last_land(seat)),
            Condition::Each(list) => times(self.owned(seat, list)),
            Condition::Others(list) => times(self.others(list)),
            Condition::All(list) => when(self.owned(seat, list) == self.spaces(list).len()),
            Condition::Any(list) => when(self.owned(seat, list) > 0),
            Condition::Number(rising) => match self.owned(seat, &rising.spaces) {
                0 => 0,
                n => rising.worth.get(n - 1).or(rising.worth.last()).copied().unwrap_or(0),
            },
            Condition::More(n) => when(self.all_owned(seat).count() > *n),
            Condition::WithAlly(list) => when(self.seats().any(|other| {
                let allied =
                    other == seat || self.lists_ally(seat, other) && self.lists_ally(other, seat);
                allied && self.together(seat, other, list, "")
            })),
            Condition::With(t) => when(self.together(seat, t.power, &t.spaces, &t.excused)),
            Condition::MostNavy(list) => times(self.most_navy(list)?),
            Condition::NavyOver(powers) => times(self.navy_over(powers)?),
            Condition::Weaker(_) => times(self.weaker()?),
            Condition::Fewer(f) => when(self.all_owned(f.power).count() < f.than),
            Condition::Gone(p) => when(!self.occupies(*p)),
            Condition::NoneOf(t) => when(self.owned(t.power, &t.spaces) == 0),
            Condition::Kept(t) => when(self.owned(t.power, &t.spaces) > 0),
            Condition::Minor(list) => when(self.spaces(list).iter().all(|s| sight.is_minor(*s))),
            Condition::PowersLeft(_) => times(self.seats().filter(|s| self.occupies(*s)).count()),
            Condition::Restored(except) => times(self.restored(except)),
            Condition::Monroe(list) => when(!self.spaces(list).iter().any(|s| self.intruded(*s))),
            Condition::China(t) => self.china(t),
            Condition::FranceOut(t) => when(self.france_out(t)),
        })
    }

    /// Owned spaces that are not in the list; with `original`, those that the seat owned first do
    /// not count.
    fn others(&self, list: &str) -> usize {
        let except: BTreeSet<SpaceId> = self.spaces(list).into_iter().collect();
        let original = list.split_whitespace().any(|c| c == "original");
        let counts =
            |s: &SpaceId| !except.contains(s) && (!original || !self.was_own(self.seat, *s));
        self.all_owned(self.seat).filter(counts).count()
    }

    /// Seas of the list in which the seat has more navy than anybody else.
    fn most_navy(&self, list: &str) -> Option<usize> {
        let mut count = 0;
        for sea in self.spaces(list) {
            let own = self.sight.navy_in(self.seat, sea)?;
            if own <= 0 {
                continue;
            }
            let mut most = true;
            for other in self.seats().filter(|s| *s != self.seat) {
                most &= self.sight.navy_in(other, sea)? < own;
            }
            count += usize::from(most);
        }
        Some(count)
    }

    /// How many of these powers have less navy.
    fn navy_over(&self, powers: &[u8]) -> Option<usize> {
        let own = self.sight.navy(self.seat)?;
        let theirs: Option<Vec<i64>> = powers.iter().map(|p| self.sight.navy(*p)).collect();
        Some(theirs?.into_iter().filter(|n| *n < own).count())
    }

    /// How many players have less industry.
    fn weaker(&self) -> Option<usize> {
        let own = self.sight.industry(self.seat)?;
        let others = self.seats().filter(|s| *s != self.seat);
        let theirs: Option<Vec<i64>> = others.map(|s| self.sight.industry(s)).collect();
        Some(theirs?.into_iter().filter(|n| *n < own).count())
    }

    /// Spaces held by their first owner, except for owners in the list.
    fn restored(&self, except: &[u8]) -> usize {
        let map = &self.sight.tables().map;
        let back = |space: &SpaceId| {
            let first = map.row(*space).original;
            first != NOBODY && !except.contains(&first) && self.sight.holder(*space) == first
        };
        map.countries().filter(back).count()
    }

    /// Whether a major power holds a space that it neither owned nor controlled at the start.
    fn intruded(&self, space: SpaceId) -> bool {
        let holder = self.sight.holder(space);
        let major = holder != NOBODY && !self.sight.tables().powers[usize::from(holder) - 1].minor;
        major && !self.was_own(holder, space) && !self.controlled_first(holder, space)
    }

    fn china(&self, t: &Theirs) -> i64 {
        let tier = |n: usize| t.worth.get(n).copied().unwrap_or(0);
        match () {
            () if self.owned(t.power, &t.spaces) > 0 => tier(1),
            () if self.all_owned(t.power).next().is_some() => tier(0),
            () => 0,
        }
    }

    fn france_out(&self, t: &Theirs) -> bool {
        let left: Vec<SpaceId> =
            self.spaces(&t.spaces).into_iter().filter(|s| self.owns(t.power, *s)).collect();
        let excused = self.spaces(&t.excused);
        let only = !left.is_empty() && left.iter().all(|s| excused.contains(s));
        left.is_empty() || only && self.lists_ally(t.power, self.seat)
    }
}

/// Victory points of a seat of 1939, item by item.
pub fn victory_points(state: &State, seat: u8) -> Vec<i64> {
    counted(state, seat).into_iter().map(|points| points.unwrap_or(0)).collect()
}

/// Victory points as far as the seat of a view knows; `None` for an item that depends on something
/// it does not know.
pub fn points_so_far(view: &View) -> Vec<Option<i64>> {
    counted(view, view.seat)
}

/// The victory points that a seat will have if nothing changes until a game of 1939 ends, as far as
/// the seat of the view knows.
pub fn outlook(view: &View, seat: u8) -> i64 {
    let Some(power) = view.tables.powers.get(usize::from(seat) - 1) else { return 0 };
    let there = Board { sight: view, seat }.occupies(seat);
    let turns = if there { i64::from(view.tables.figures.length.printout) } else { 0 };
    let items = power.points.iter().zip(counted(view, seat));
    let points = items.map(|(item, points)| match item.condition {
        Condition::Turns(_) => item.worth * turns,
        _ => points.unwrap_or(0),
    });
    points.sum()
}

fn counted<S: Sight>(sight: &S, seat: u8) -> Vec<Option<i64>> {
    let Some(power) = sight.tables().powers.get(usize::from(seat) - 1) else { return Vec::new() };
    let board = Board { sight, seat };
    let mut points: Vec<Option<i64>> = power.points.iter().map(|i| board.points(i)).collect();
    for i in 0..points.len() {
        let group = power.points[i].best;
        let better = (0..points.len()).any(|j| {
            let rival = j != i && power.points[j].best == group;
            rival && (points[j] > points[i] || points[j] == points[i] && j < i)
        });
        if group > 0 && better {
            points[i] = Some(0);
        }
    }
    points
}

/// The industry that a class needs to win (§20.3).
pub fn winning_industry(tables: &Tables, class: Class) -> i64 {
    let figures = &tables.figures.real;
    match class {
        Class::Super => figures.super_power,
        Class::Major => figures.major,
        Class::Medium => figures.medium,
        Class::Small => figures.small,
    }
}

/// The final standing: points and rank of each seat.
pub fn end(state: &State) -> End {
    let seats: Vec<u8> = state.players.iter().map(|p| p.seat).collect();
    let items: Vec<Vec<i64>> = match state.tables.variant.ending {
        Ending::Points => seats.iter().map(|s| victory_points(state, *s)).collect(),
        _ => Vec::new(),
    };
    let lasted = |seat: u8| -> i64 {
        let player = state.player(seat);
        // A player who still has a country has lasted to the end.
        let owns = state.occupied(seat).next().is_some();
        if owns { i64::from(state.turn) + 1 } else { i64::from(player.last_land) }
    };
    let points: Vec<i64> = match state.tables.variant.ending {
        Ending::Points => items.iter().map(|i| i.iter().sum()).collect(),
        Ending::Allies => seats.iter().map(|s| real_points(state, *s)).collect(),
        Ending::Last => {
            let lasted: Vec<i64> = seats.iter().map(|s| lasted(*s)).collect();
            rated(&state.tables, &state.ratings, &lasted)
        }
    };
    let order: Vec<(i64, i64)> = seats
        .iter()
        .zip(&points)
        .map(|(s, p)| match state.tables.variant.ending {
            Ending::Points => (*p, 0),
            Ending::Allies => (*p, lasted(*s)),
            Ending::Last => (lasted(*s), 0),
        })
        .collect();
    let rank = |own: &(i64, i64)| order.iter().filter(|o| *o > own).count() as u32 + 1;
    let scores = points.iter().zip(&order).map(|(p, o)| (*p, rank(o))).collect();
    End { turn: state.turn, scores, items }
}

/// Winner's or survivor's points of Real Forces; 0 for all others.
fn real_points(state: &State, seat: u8) -> i64 {
    let (player, figures) = (state.player(seat), &state.tables.figures.real);
    if player.dropped || state.occupied(seat).next().is_none() {
        return 0;
    }
    let needed = player.class.map_or(0, |c| winning_industry(&state.tables, c));
    match state.industry_of(seat) >= needed {
        true => figures.winner_points,
        false => figures.survivor_points,
    }
}

/// Ratings after a game (§18): each pair counts 1, ½ or 0, minus the result expected from the old
/// ratings. The sum over the pairs is divided by the number of rivals.
pub fn rated(tables: &Tables, before: &[i64], lasted: &[i64]) -> Vec<i64> {
    let figures = &tables.figures.rating;
    let rating = |i: usize| before.get(i).copied().unwrap_or(figures.start);
    let rivals = (lasted.len() as i64 - 1).max(1);
    let one = |i: usize| {
        let gained = |j: usize| {
            let result = match lasted[i].cmp(&lasted[j]) {
                std::cmp::Ordering::Greater => 1000,
                std::cmp::Ordering::Equal => 500,
                std::cmp::Ordering::Less => 0,
            };
            result - expected(rating(i) - rating(j))
        };
        let sum: i64 = (0..lasted.len()).filter(|j| *j != i).map(gained).sum();
        let change = figures.swing * sum;
        // Round half away from zero. The sum is per mille of the swing, divided by the rivals.
        let half = 500 * rivals * change.signum();
        rating(i) + (change + half) / (1000 * rivals)
    };
    (0..lasted.len()).map(one).collect()
}

/// The expected result per mille for a difference of two ratings: the logistic curve with base 10
/// and scale 400, interpolated between values every 50 points.
fn expected(difference: i64) -> i64 {
    const CURVE: [i64; 17] =
        [500, 571, 640, 703, 760, 808, 849, 882, 909, 930, 947, 960, 969, 977, 983, 987, 990];
    let at = difference.unsigned_abs().min(799);
    // The difference is below 800, so the index is within the table.
    let (step, rest) = ((at / 50) as usize, (at % 50) as i64);
    let value = CURVE[step] + (CURVE[step + 1] - CURVE[step]) * rest / 50;
    if difference < 0 { 1000 - value } else { value }
}
