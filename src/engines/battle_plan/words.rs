//! The meaning of each accepted order, in words with names, as the echo shows it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::desk::{Act, Holding, Job, Origin, Paper, Use, defaults_line, hundredths, item_name};
use super::map::SpaceId;
use super::orders::PlayerOrder;
use super::state::{COUNTERSPY, Country, NOBODY, SPY, Share, Stance};
use super::verbs::{Arm, UnitOrder, Verb};
use super::view::{View, player};
use engine::{Mark, Told};
use tongue::{count, mark, say, word};

/// The verdict on the order at index `at` of a card, with its meaning if it is accepted. An effect
/// that the player hardly wants becomes a warning, such as a later order that
/// [overrules](overruled) it.
pub fn explained(view: &View, paper: &Paper, at: usize, told: Told, overruled: bool) -> Told {
    let Some(Some(act)) = paper.acts.get(at) else { return told };
    let speaker = Speaker { view, paper };
    let (words, warning) = match act {
        Act::Player(order) => speaker.player(order),
        Act::Unit(from, order) => speaker.unit(*from, order),
        Act::Standing(from, _, Some(order)) => (speaker.unit(*from, order).0, None),
        Act::Standing(_, _, None) => (String::new(), None),
    };
    let overruled = overruled || speaker.is_left_out(act);
    let later = || overruled.then(|| say!("a later order of this card says otherwise"));
    let warning = warning.or_else(later);
    let (told, warning) = match act {
        Act::Standing(from, slot, Some(order)) => {
            let (told, rests) = speaker.rests((*from, *slot), order, told);
            (told, warning.or(rests))
        }
        _ => (told, warning),
    };
    let shut = speaker.conditional(act).filter(|_| told.code != "W31");
    let warning = warning.or(shut);
    // The note of an `ok` is left out if words explain the order; any other note comes before them.
    let before = match act {
        Act::Player(_) | Act::Unit(..) if told.mark == Mark::Ok && !words.is_empty() => "",
        _ => told.note.as_str(),
    };
    let parts = [before, words.as_str(), warning.as_deref().unwrap_or_default()];
    let note = parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join("; ");
    let mark = if warning.is_some() && told.mark == Mark::Ok { Mark::Warning } else { told.mark };
    Told { mark, note, ..told }
}

/// Whether each act of a card is undone by a later one that sets the same thing differently. One
/// pass from the end is enough, as a card may have tens of thousands of acts.
pub fn overruled(acts: &[Option<Act>]) -> Vec<bool> {
    // Keyed by what is set: the last act, and whether the later acts differ from each other.
    let mut later: BTreeMap<(u8, usize, usize), (&Act, bool)> = BTreeMap::new();
    let mut overruled = vec![false; acts.len()];
    for (act, overruled) in acts.iter().zip(&mut overruled).rev() {
        let Some((act, key)) = act.as_ref().and_then(|act| Some((act, set_by(act)?))) else {
            continue;
        };
        match later.entry(key) {
            Entry::Vacant(none) => {
                none.insert((act, false));
            }
            Entry::Occupied(mut there) => {
                let (last, mixed) = there.get_mut();
                *overruled = *mixed || undoes(last, act);
                *mixed = *overruled;
            }
        }
    }
    overruled
}

/// The key of the setting that an act changes, if a later act can change it again.
fn set_by(act: &Act) -> Option<(u8, usize, usize)> {
    Some(match act {
        Act::Player(PlayerOrder::Permit(p, _)) => (0, usize::from(*p), 0),
        Act::Player(PlayerOrder::Share(p, _)) => (1, usize::from(*p), 0),
        Act::Player(PlayerOrder::Default(item, _)) => (2, *item, 0),
        Act::Player(PlayerOrder::Option(which)) => (3, usize::from(*which), 0),
        Act::Standing(space, slot, _) => (4, usize::from(space.0), *slot),
        _ => return None,
    })
}

/// Whether the later of two acts on the same setting sets it differently.
fn undoes(later: &Act, act: &Act) -> bool {
    match later {
        // Each of these orders switches the option.
        Act::Player(PlayerOrder::Option(_)) => true,
        later => later != act,
    }
}

/// Words, and a warning.
type Said = (String, Option<String>);

struct Speaker<'a> {
    view: &'a View,
    paper: &'a Paper,
}

impl Speaker<'_> {
    fn name(&self, space: SpaceId) -> &str {
        self.view.tables.map.name(space)
    }

    fn who(&self, seat: u8) -> String {
        player(self.view, seat)
    }

    fn owner(&self, space: SpaceId) -> u8 {
        // Seas come after the countries, so they have no entry.
        self.view.owners.get(usize::from(space.0)).copied().unwrap_or(NOBODY)
    }

    fn is_sea(&self, space: SpaceId) -> bool {
        self.view.tables.map.is_sea(space)
    }

    /// A player as a friend or enemy, by the declarations of this card and those of others:
    /// `[2] Spain, your enemy`.
    fn related(&self, seat: u8) -> String {
        let who = self.who(seat);
        let own = self.paper.player.stance(seat);
        let theirs = self.view.public(seat).enemies.contains(&self.view.seat);
        match (own, theirs) {
            (Stance::Enemy, _) => say!("{who}, your enemy"),
            (_, true) => say!("{who}, who calls you enemy"),
            (Stance::Ally, _) => say!("{who}, your ally"),
            _ => who,
        }
    }

    /// A space with its holder: `Ukraine (minor)`, `Spain ([2] Spain, your enemy)`, `Black Sea`.
    fn place(&self, space: SpaceId) -> String {
        let name = self.name(space);
        if self.is_sea(space) {
            return name.to_owned();
        }
        match self.owner(space) {
            NOBODY if self.controls(space) => say!("{name} (a minor that you control)"),
            NOBODY => say!("{name} (minor)"),
            seat if seat == self.view.seat => say!("{name} (yours)"),
            seat => format!("{name} ({})", self.related(seat)),
        }
    }

    fn controls(&self, space: SpaceId) -> bool {
        self.owner(space) == NOBODY && self.view.holder(space) == self.view.seat
    }

    /// Own popularity in a minor.
    fn favour(&self, space: SpaceId) -> i64 {
        let seen = self.view.seen.get(&space);
        let seen = seen.and_then(|c| c.popularity.get(&self.view.seat).copied());
        seen.or(self.view.favour.get(&space).copied()).unwrap_or(0)
    }

    /// Whether another player has the place on an opinion list in the end.
    fn is_left_out(&self, act: &Act) -> bool {
        let Act::Player(PlayerOrder::Opinion(p, good, place)) = act else { return false };
        let player = &self.paper.player;
        let list = if *good { &player.good } else { &player.bad };
        list.get(usize::from(*place) - 1).is_some_and(|q| q != p)
    }

    /// The verdict on a standing order of this card, and a warning if this turn it is not used in
    /// full.
    fn rests(
        &self,
        place: (SpaceId, usize),
        order: &UnitOrder<SpaceId>,
        told: Told,
    ) -> (Told, Option<String>) {
        let on_file = self.paper.standing.get(&place.0).and_then(|slots| slots[place.1].as_ref());
        if on_file != Some(order) {
            return (told, None);
        }
        // The desk finds such orders by their text, which may be the same in two spaces.
        let skipped = told.code == "W28";
        match self.paper.standing_use.get(&place) {
            Some(Use::Skipped(why)) if !skipped => {
                (told, Some(say!("kept, but not used this turn: {why}")))
            }
            Some(Use::Used(n)) => {
                let told =
                    if skipped { Told::ok(say!("on file until you change it")) } else { told };
                (told, (*n < order.n).then(|| say!("this turn {n}, all that is left")))
            }
            _ => (told, None),
        }
    }

    /// A note on the canal that units of an order may find closed.
    fn conditional(&self, act: &Act) -> Option<String> {
        let (from, wanted, order) = match act {
            Act::Unit(from, order) => (from, Origin::Card, order),
            Act::Standing(from, slot, Some(order)) => (from, Origin::Standing(*slot), order),
            _ => return None,
        };
        let jobs = self.paper.jobs.get(from)?;
        let fits = |j: &&Job| {
            let same = (j.order.verb, j.order.target) == (order.verb, order.target);
            j.origin == wanted && same
        };
        let by = jobs.iter().find(fits)?.shut(&self.view.position)?;
        let name = self.view.tables.map.code(by);
        Some(say!("conditional: it needs the permission of {name}'s owner then"))
    }

    /// The text for something that is spread over a player's countries.
    fn spread_out(&self, order: &PlayerOrder, p: u8, n: i64) -> String {
        let (over, parts) = self.spread(p, n);
        match order {
            PlayerOrder::SpreadSpies(..) => count!(
                n,
                "{n} spy, spread over {over}: {parts}",
                "{n} spies, spread over {over}: {parts}"
            ),
            PlayerOrder::SpreadCounterspies(..) => count!(
                n,
                "{n} counterspy, spread over {over}: {parts}",
                "{n} counterspies, spread over {over}: {parts}"
            ),
            _ => say!("{n} Dollars of propaganda, spread over {over}: {parts}"),
        }
    }

    fn player(&self, order: &PlayerOrder) -> Said {
        let plain = |text: String| (text, None);
        let found = |code: &str| self.view.tables.map.find(code);
        match order {
            PlayerOrder::Stance(p, stance) => self.stance(*p, *stance),
            PlayerOrder::Gift(p, n) => {
                let words = say!("{n} Dollars to {who}", who = self.related(*p));
                let enemy = self.view.public(*p).enemies.contains(&self.view.seat)
                    || self.paper.player.stance(*p) == Stance::Enemy;
                (words, enemy.then(|| say!("a gift to an enemy")))
            }
            PlayerOrder::Permit(p, yes) => self.permit(*p, *yes),
            PlayerOrder::Share(p, share) => self.share(*p, *share),
            PlayerOrder::SpreadSpies(p, n)
            | PlayerOrder::SpreadCounterspies(p, n)
            | PlayerOrder::SpreadPropaganda(p, n) => plain(self.spread_out(order, *p, *n)),
            PlayerOrder::Spies(n, code) => {
                let to = found(code).map_or_else(|| code.clone(), |s| self.place(s));
                plain(count!(n, "{n} spy to {to}", "{n} spies to {to}"))
            }
            PlayerOrder::Counterspies(n, code) => {
                let at = found(code).map_or_else(|| code.clone(), |s| self.place(s));
                plain(count!(
                    n,
                    "{n} counterspy hunts others' spies in {at} this turn",
                    "{n} counterspies hunt others' spies in {at} this turn"
                ))
            }
            PlayerOrder::Propaganda(n, code) => {
                plain(found(code).map_or_else(String::new, |s| self.propaganda(s, *n)))
            }
            PlayerOrder::TrainSpies(n) => plain(match self.trained(SPY, *n) {
                100 => say!("1 spy for {n} Dollars, available next turn"),
                made => {
                    say!(
                        "{made} spies for {n} Dollars, available next turn",
                        made = hundredths(made)
                    )
                }
            }),
            PlayerOrder::TrainCounterspies(n) => plain(match self.trained(COUNTERSPY, *n) {
                100 => say!("1 counterspy for {n} Dollars, available next turn"),
                made => say!(
                    "{made} counterspies for {n} Dollars, available next turn",
                    made = hundredths(made)
                ),
            }),
            PlayerOrder::Research(item, n) => {
                let name = item_name(*item);
                plain(say!("{n} Dollars into the multiplier of {name}, from next turn on"))
            }
            PlayerOrder::Default(item, n) => plain(self.default_build(*item, *n)),
            PlayerOrder::Opinion(p, good, place) => plain(match (*p, good) {
                (NOBODY, true) => say!("nobody stands on place {place} of your good list"),
                (NOBODY, false) => say!("nobody stands on place {place} of your bad list"),
                (p, true) => say!(
                    "{who} on place {place} of your good list: +{place} HPI a turn in each of \
                     their countries",
                    who = self.who(p)
                ),
                (p, false) => say!(
                    "{who} on place {place} of your bad list: -{place} HPI a turn in each of \
                     their countries",
                    who = self.who(p)
                ),
            }),
            // The desk's note already explains them.
            PlayerOrder::Option(_) | PlayerOrder::Wire(..) => plain(String::new()),
        }
    }

    fn permit(&self, p: u8, yes: bool) -> Said {
        let had = self.view.position.player.permits.contains(&p);
        let who = self.who(p);
        let words = match yes {
            true => say!("{who} may pass your straits and canals"),
            false => say!("{who} may not pass your straits and canals"),
        };
        (words, (had == yes).then(|| say!("that is so already")))
    }

    fn share(&self, p: u8, share: Share) -> Said {
        let had = self.view.position.player.share(p);
        let who = self.who(p);
        let words = match share {
            Share::Full => say!("{who} is shown everything that you see"),
            Share::Partial => say!("{who} is shown what you see but for your own countries"),
            Share::Nothing => say!("{who} is shown nothing of what you see"),
        };
        (words, (had == share).then(|| say!("that is so already")))
    }

    fn stance(&self, p: u8, stance: Stance) -> Said {
        let (before, after) = (self.view.position.player.stance(p), self.paper.player.stance(p));
        let who = self.who(p);
        let words = match stance {
            Stance::Ally => say!("{who} is your ally from now on; they are told"),
            Stance::Neutral => say!("{who} is neutral to you from now on"),
            Stance::Enemy => say!("{who} is your enemy from now on; everybody is told"),
        };
        let warning = match () {
            () if after != stance => Some(say!("a later order of this card says otherwise")),
            () if before == stance => Some(say!("that is so already")),
            () => None,
        };
        (words, warning)
    }

    /// The countries over which something is spread, and the share of each.
    fn spread(&self, p: u8, n: i64) -> (String, String) {
        let many = self.view.owners.iter().filter(|o| **o == p).count() as i64;
        let over = match p {
            NOBODY => count!(many, "the {many} minor", "the {many} minors"),
            p => count!(
                many,
                "the one country of {who}",
                "the {many} countries of {who}",
                who = self.who(p)
            ),
        };
        let (each, rest) = (n / many.max(1), n % many.max(1));
        let parts = match (each, rest) {
            (each, 0) => say!("{each} each"),
            (0, rest) => say!("one each to {rest} of them by lot"),
            (each, rest) => say!("{each} each, one more to {rest} of them by lot"),
        };
        (over, parts)
    }

    fn propaganda(&self, space: SpaceId, n: i64) -> String {
        let place = self.place(space);
        match self.owner(space) {
            NOBODY => say!("your popularity in {place} +{n}"),
            seat if seat == self.view.seat => say!("{n} Dollars raise the HPI of {place}"),
            _ => say!("{n} Dollars lower the HPI of {place}"),
        }
    }

    /// Hundredths of spies or counterspies that `n` Dollars train.
    fn trained(&self, item: usize, n: i64) -> i64 {
        n * self.view.position.player.multipliers[item]
    }

    fn default_build(&self, item: usize, n: u8) -> String {
        let what = Arm::ALL.get(item).map_or_else(|| word(mark!("Dollars")), |a| noun(*a));
        let all = match defaults_line(&self.paper.player.defaults) {
            none if none.is_empty() => say!(list: "none"),
            all => all,
        };
        match (Arm::ALL.get(item), n) {
            (Some(arm), 1..) => say!(
                "default build of all your countries and minors, share of {what} {n}; defaults \
                 by this card: {all} (to build in one country, put {order} below @ and its code)",
                order = format!("B{}{n}", arm.letter())
            ),
            _ => say!(
                "default build of all your countries and minors, share of {what} {n}; defaults \
                 by this card: {all}"
            ),
        }
    }

    fn unit(&self, from: SpaceId, order: &UnitOrder<SpaceId>) -> Said {
        let UnitOrder { verb, n, target } = *order;
        let Some(to) = target else { return (self.build(from, verb, n), None) };
        let stock = self.view.position.holdings.get(&from).map_or(0, |h| h.stock(verb.arm()));
        let units = match stock {
            all if all > n => part(n, all, verb.arm()),
            _ => counted(n, verb.arm()),
        };
        let units = say!("{units} of {home}", home = self.name(from));
        let mut words = vec![self.deed(verb, n, &units, to)];
        let (more, warning) = match () {
            () if self.is_sea(to) => (Vec::new(), None),
            () if verb.attacks() => self.attack(to, verb),
            () if verb.moves() => self.gift(to, verb.arm(), n),
            () => (Vec::new(), None),
        };
        words.extend(more);
        (words.join("; "), warning)
    }

    /// The action of units; `n` is their number.
    fn deed(&self, verb: Verb, n: i64, units: &str, to: SpaceId) -> String {
        let place = self.place(to);
        match verb {
            Verb::Conquer => {
                count!(n, "{units} attacks {place} to take it", "{units} attack {place} to take it")
            }
            Verb::Bombard => count!(
                n,
                "{units} attacks {place} and comes back",
                "{units} attack {place} and come back"
            ),
            Verb::NavySupport | Verb::AirSupport if self.is_sea(to) => {
                count!(
                    n,
                    "{units} fights your enemies in {place} and comes back",
                    "{units} fight your enemies in {place} and come back"
                )
            }
            Verb::ArmySupport | Verb::NavySupport | Verb::AirSupport => {
                count!(
                    n,
                    "{units} defends {place} and comes back",
                    "{units} defend {place} and come back"
                )
            }
            Verb::NavyAttack | Verb::AirNavy => count!(
                n,
                "{units} attacks the navy in {place}",
                "{units} attack the navy in {place}"
            ),
            Verb::AirArmy => count!(
                n,
                "{units} attacks the army in {place}",
                "{units} attack the army in {place}"
            ),
            Verb::AirBase => count!(
                n,
                "{units} attacks the air force of {place} at its base",
                "{units} attack the air force of {place} at its base"
            ),
            Verb::AirIndustry => count!(
                n,
                "{units} attacks the industry of {place}",
                "{units} attack the industry of {place}"
            ),
            Verb::MissileArmy => count!(
                n,
                "{units} is fired at the army in {place}",
                "{units} are fired at the army in {place}"
            ),
            Verb::MissileBase => count!(
                n,
                "{units} is fired at the airbase of {place}",
                "{units} are fired at the airbase of {place}"
            ),
            Verb::MissileIndustry => count!(
                n,
                "{units} is fired at the industry of {place}",
                "{units} are fired at the industry of {place}"
            ),
            _ => count!(n, "{units} goes to {place}", "{units} go to {place}"),
        }
    }

    fn build(&self, from: SpaceId, verb: Verb, n: i64) -> String {
        let (Verb::Build(arm), Some(Holding::Land(country))) =
            (verb, self.view.position.holdings.get(&from))
        else {
            return String::new();
        };
        let multiplier = self.paper.player.multipliers[arm as usize];
        let made = country.fractions[arm as usize] + n * multiplier;
        let units = built(made, arm);
        let words = say!("{n} industry of {home} builds {units}", home = self.name(from));
        let room = (country.limit - country.industry - country.industry_down).max(0);
        match made / 100 - room {
            over @ 1.. if arm == Arm::Industry => say!(
                "{words}; {over} of it is above the limit of {limit} and lies idle",
                limit = country.limit
            ),
            _ => words,
        }
    }

    /// Words and a warning for an attack: the defenders seen, effects on popularity and allies.
    fn attack(&self, to: SpaceId, verb: Verb) -> (Vec<String>, Option<String>) {
        let mut words = Vec::new();
        if let Some(c) = self.view.seen.get(&to) {
            words.push(say!("seen there: {forces}", forces = strength(c)));
        }
        let hurts = matches!(verb.arm(), Arm::Army | Arm::Air);
        let favour = self.favour(to);
        let owner = self.owner(to);
        let warning = match owner {
            NOBODY if self.controls(to) && hurts => {
                Some(say!("it obeys you now, and your popularity of {favour} falls to 0"))
            }
            NOBODY if self.controls(to) => Some(say!("you attack a minor that obeys you")),
            NOBODY if favour > 0 && hurts => {
                words.push(say!("your popularity of {favour} there falls to 0"));
                None
            }
            NOBODY => None,
            seat if self.paper.player.stance(seat) == Stance::Ally => {
                Some(say!("you attack a player whom you call your ally"))
            }
            _ => None,
        };
        if owner != NOBODY && verb.arm() == Arm::Army && self.view.allied_by.contains(&owner) {
            let percent = self.view.tables.figures.combat.ally_handicap_percent;
            words.push(say!("they call you an ally, so each of your armies counts {percent} %"));
        }
        (words, warning)
    }

    /// The text for units that move into a space of another player or a minor: they are given away.
    fn gift(&self, to: SpaceId, arm: Arm, n: i64) -> (Vec<String>, Option<String>) {
        let figures = &self.view.tables.figures.popularity;
        match self.owner(to) {
            NOBODY => {
                let worth = match arm {
                    Arm::Missile | Arm::Antimissile => figures.missile_gift,
                    _ => figures.gift,
                };
                let more = worth * n;
                (vec![say!("a gift: they stay there, your popularity +{more}")], None)
            }
            seat if seat == self.view.seat => (Vec::new(), None),
            seat => {
                let words = say!("a gift to {who}: they become theirs", who = self.who(seat));
                let enemy = self.view.public(seat).enemies.contains(&self.view.seat)
                    || self.paper.player.stance(seat) == Stance::Enemy;
                let stranger = self.paper.player.stance(seat) != Stance::Ally;
                let warning = match () {
                    () if enemy => Some(say!("you give them to an enemy")),
                    () if stranger => Some(say!("they are no ally of yours")),
                    () => None,
                };
                (vec![words], warning)
            }
        }
    }
}

/// A space with its holder, with the declarations of a card: `Ukraine (minor)`,
/// `Spain ([2] Spain, your enemy)`, `Black Sea`.
pub fn place(view: &View, paper: &Paper, space: SpaceId) -> String {
    Speaker { view, paper }.place(space)
}

/// `5 army`, `1 missile`.
pub fn counted(n: i64, arm: Arm) -> String {
    match arm {
        Arm::Industry => count!(n, both: "{n} industry"),
        Arm::Army => count!(n, both: "{n} army"),
        Arm::Navy => count!(n, both: "{n} navy"),
        Arm::Air => count!(n, both: "{n} air force"),
        Arm::Missile => count!(n, "{n} missile", "{n} missiles"),
        Arm::Antimissile => count!(n, "{n} antimissile", "{n} antimissiles"),
    }
}

/// `3 of 5 army`, `1 of 2 missiles`.
pub fn part(n: i64, all: i64, arm: Arm) -> String {
    match arm {
        Arm::Industry => say!("{n} of {all} industry"),
        Arm::Army => say!("{n} of {all} army"),
        Arm::Navy => say!("{n} of {all} navy"),
        Arm::Air => say!("{n} of {all} air force"),
        Arm::Missile => say!("{n} of {all} missiles"),
        Arm::Antimissile => say!("{n} of {all} antimissiles"),
    }
}

/// `1.50 army`, from hundredths.
fn built(made: i64, arm: Arm) -> String {
    // Everything but exactly 1 takes the plural.
    let (n, many) = (hundredths(made), if made == 100 { 1 } else { 2 });
    match arm {
        Arm::Industry => count!(many, both: "{n} industry"),
        Arm::Army => count!(many, both: "{n} army"),
        Arm::Navy => count!(many, both: "{n} navy"),
        Arm::Air => count!(many, both: "{n} air force"),
        Arm::Missile => count!(many, "{n} missile", "{n} missiles"),
        Arm::Antimissile => count!(many, "{n} antimissile", "{n} antimissiles"),
    }
}

/// The name of an arm within a sentence.
pub fn noun(arm: Arm) -> Cow<'static, str> {
    word(
        [
            mark!("industry"),
            mark!("army"),
            mark!("navy"),
            mark!("air force"),
            mark!("missiles"),
            mark!("antimissiles"),
        ][arm as usize],
    )
}

/// The forces that can defend a country that is seen.
fn strength(c: &Country) -> String {
    let arms = [Arm::Army, Arm::Navy, Arm::Air, Arm::Antimissile];
    let all = arms.map(|arm| (noun(arm), c.stock(arm)));
    let there: Vec<String> =
        all.iter().filter(|(_, n)| *n > 0).map(|(name, n)| format!("{name} {n}")).collect();
    if there.is_empty() { say!("nothing") } else { there.join(", ") }
}
