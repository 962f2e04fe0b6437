//! What each accepted order means, in words with names: the echo says more than `ok`.

use super::super::desk::{Act, Holding, Paper, defaults_line, hundredths, item_name};
use super::super::map::SpaceId;
use super::super::orders::PlayerOrder;
use super::super::state::{COUNTERSPY, Country, NOBODY, SPY, Share, Stance};
use super::super::verbs::{Arm, UnitOrder, Verb};
use super::super::view::{View, player};
use engine::{CardText, Mark, Told};

/// An accepted order with what it means; what its player will hardly want becomes a warning.
pub fn said(view: &View, paper: &Paper, act: &Act, told: Told) -> Told {
    let speaker = Speaker { view, paper };
    let (words, warning) = match act {
        Act::Player(order) => speaker.player(order),
        Act::Unit(from, order) => speaker.unit(*from, order),
        Act::Standing(from, Some(order)) => (speaker.unit(*from, order).0, None),
        Act::Standing(_, None) => (String::new(), None),
    };
    // A plain `ok` has no more to say than the words; what it does say stands before them.
    let before = match act {
        Act::Player(_) | Act::Unit(..) if told.mark == Mark::Ok && !words.is_empty() => "",
        _ => told.note.as_str(),
    };
    let parts = [before, words.as_str(), warning.as_deref().unwrap_or_default()];
    let note = parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join("; ");
    let mark = if warning.is_some() && told.mark == Mark::Ok { Mark::Warning } else { told.mark };
    Told { mark, note, ..told }
}

/// Words, and what is to be warned of.
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
        // Seas have the last numbers.
        self.view.owners.get(usize::from(space.0)).copied().unwrap_or(NOBODY)
    }

    fn is_sea(&self, space: SpaceId) -> bool {
        self.view.tables.map.is_sea(space)
    }

    /// `, your enemy` behind a player, by the declarations of this card and those of others.
    fn relation(&self, seat: u8) -> &'static str {
        let own = self.paper.player.stance(seat);
        let theirs = self.view.public(seat).enemies.contains(&self.view.seat);
        match (own, theirs) {
            (Stance::Enemy, _) => ", your enemy",
            (_, true) => ", who calls you enemy",
            (Stance::Ally, _) => ", your ally",
            _ => "",
        }
    }

    /// `Ukraine (minor)`, `Spain ([2] Spain, your enemy)`, `Black Sea`.
    fn place(&self, space: SpaceId) -> String {
        let name = self.name(space);
        if self.is_sea(space) {
            return name.to_owned();
        }
        match self.owner(space) {
            NOBODY if self.controls(space) => format!("{name} (a minor that you control)"),
            NOBODY => format!("{name} (minor)"),
            seat if seat == self.view.seat => format!("{name} (yours)"),
            seat => format!("{name} ({}{})", self.who(seat), self.relation(seat)),
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

    fn player(&self, order: &PlayerOrder) -> Said {
        let plain = |text: String| (text, None);
        let found = |code: &str| self.view.tables.map.find(code);
        match order {
            PlayerOrder::Stance(p, stance) => self.stance(*p, *stance),
            PlayerOrder::Gift(p, n) => {
                let words = format!("{} Dollars to {}{}", n, self.who(*p), self.relation(*p));
                let enemy = self.view.public(*p).enemies.contains(&self.view.seat)
                    || self.paper.player.stance(*p) == Stance::Enemy;
                (words, enemy.then(|| "a gift to an enemy".to_owned()))
            }
            PlayerOrder::Permit(p, yes) => {
                let had = self.view.position.player.permits.contains(p);
                let may = if *yes { "may" } else { "may not" };
                let words = format!("{} {may} pass your straits and canals", self.who(*p));
                (words, (had == *yes).then(|| "that is so already".to_owned()))
            }
            PlayerOrder::Share(p, share) => {
                let had = self.view.position.player.share(*p);
                let what = match share {
                    Share::Full => "everything that you see",
                    Share::Partial => "what you see but for your own countries",
                    Share::Nothing => "nothing of what you see",
                };
                let words = format!("{} is shown {what}", self.who(*p));
                (words, (had == *share).then(|| "that is so already".to_owned()))
            }
            PlayerOrder::SpreadSpies(p, n) => plain(self.spread(*p, *n, "spies")),
            PlayerOrder::SpreadCounterspies(p, n) => plain(self.spread(*p, *n, "counterspies")),
            PlayerOrder::SpreadPropaganda(p, n) => {
                plain(self.spread(*p, *n, "Dollars of propaganda"))
            }
            PlayerOrder::Spies(n, code) => {
                let to = found(code).map_or_else(|| code.clone(), |s| self.place(s));
                plain(format!("{} to {to}", many(*n, "spy", "spies")))
            }
            PlayerOrder::Counterspies(n, code) => {
                let at = found(code).map_or_else(|| code.clone(), |s| self.place(s));
                let hunt = if *n == 1 { "hunts" } else { "hunt" };
                let who = many(*n, "counterspy", "counterspies");
                plain(format!("{who} {hunt} others' spies in {at} this turn"))
            }
            PlayerOrder::Propaganda(n, code) => {
                plain(found(code).map_or_else(String::new, |s| self.propaganda(s, *n)))
            }
            PlayerOrder::TrainSpies(n) => plain(self.training(SPY, *n, ["spy", "spies"])),
            PlayerOrder::TrainCounterspies(n) => {
                plain(self.training(COUNTERSPY, *n, ["counterspy", "counterspies"]))
            }
            PlayerOrder::Research(item, n) => {
                let name = item_name(*item);
                plain(format!("{n} Dollars into the multiplier of {name}, from next turn on"))
            }
            PlayerOrder::Default(item, n) => plain(self.default_build(*item, *n)),
            PlayerOrder::Opinion(p, good, place) => {
                let list = if *good { "good" } else { "bad" };
                let sign = if *good { '+' } else { '-' };
                plain(match *p {
                    NOBODY => format!("nobody stands on place {place} of your {list} list"),
                    p => format!(
                        "{} on place {place} of your {list} list: {sign}{place} HPI a turn in \
                         each of their countries",
                        self.who(p)
                    ),
                })
            }
            // What is said of them already stands there.
            PlayerOrder::Option(_) | PlayerOrder::Wire(..) => plain(String::new()),
        }
    }

    fn stance(&self, p: u8, stance: Stance) -> Said {
        let (before, after) = (self.view.position.player.stance(p), self.paper.player.stance(p));
        let words = match stance {
            Stance::Ally => format!("{} is your ally from now on; they are told", self.who(p)),
            Stance::Neutral => format!("{} is neutral to you from now on", self.who(p)),
            Stance::Enemy => {
                format!("{} is your enemy from now on; everybody is told", self.who(p))
            }
        };
        let warning = match () {
            () if after != stance => Some("a later order of this card says otherwise"),
            () if before == stance => Some("that is so already"),
            () => None,
        };
        (words, warning.map(str::to_owned))
    }

    /// What each country of a spread gets.
    fn spread(&self, p: u8, n: i64, what: &str) -> String {
        let many = self.view.owners.iter().filter(|o| **o == p).count() as i64;
        let over = match (p, many) {
            (NOBODY, _) => format!("the {many} minors"),
            (p, 1) => format!("the one country of {}", self.who(p)),
            (p, _) => format!("the {many} countries of {}", self.who(p)),
        };
        let (each, rest) = (n / many.max(1), n % many.max(1));
        let parts = match (each, rest) {
            (each, 0) => format!("{each} each"),
            (0, rest) => format!("one each to {rest} of them by lot"),
            (each, rest) => format!("{each} each, one more to {rest} of them by lot"),
        };
        format!("{n} {what} over {over}: {parts}")
    }

    fn propaganda(&self, space: SpaceId, n: i64) -> String {
        let place = self.place(space);
        match self.owner(space) {
            NOBODY => format!("your popularity in {place} +{n}"),
            seat if seat == self.view.seat => format!("{n} Dollars raise the HPI of {place}"),
            _ => format!("{n} Dollars lower the HPI of {place}"),
        }
    }

    fn training(&self, item: usize, n: i64, [one, more]: [&str; 2]) -> String {
        let made = n * self.view.position.player.multipliers[item];
        let what = if made == 100 { one } else { more };
        format!("{} {what} for {n} Dollars, there next turn", hundredths(made))
    }

    fn default_build(&self, item: usize, n: u8) -> String {
        let what = Arm::ALL.get(item).map_or("Dollars", |a| noun(*a));
        let all = match defaults_line(&self.paper.player.defaults) {
            none if none.is_empty() => "none".to_owned(),
            all => all,
        };
        let hint = match (Arm::ALL.get(item), n) {
            (Some(arm), 1..) => {
                format!(" (to build in one country, put B{}{n} below @ and its code)", arm.letter())
            }
            _ => String::new(),
        };
        format!(
            "default build of all your countries and minors, share of {what} {n}; defaults by \
             this card: {all}{hint}"
        )
    }

    fn unit(&self, from: SpaceId, order: &UnitOrder<SpaceId>) -> Said {
        let UnitOrder { verb, n, target } = *order;
        let Some(to) = target else { return (self.build(from, verb, n), None) };
        let stock = self.view.position.holdings.get(&from).map_or(0, |h| h.stock(verb.arm()));
        let units = match stock {
            all if all > n => format!("{n} of {all} {}", noun(verb.arm())),
            _ => counted(n, verb.arm()),
        };
        let (units, place) = (format!("{units} of {}", self.name(from)), self.place(to));
        let sea = self.is_sea(to);
        let are = if n == 1 { "is" } else { "are" };
        let words = match verb {
            Verb::Conquer => format!("{units} attack {place} to take it"),
            Verb::Bombard => format!("{units} attack {place} and come back"),
            Verb::ArmySupport => format!("{units} defend {place} and come back"),
            Verb::NavySupport | Verb::AirSupport if sea => {
                format!("{units} fight your enemies in {place} and come back")
            }
            Verb::NavySupport | Verb::AirSupport => format!("{units} defend {place} and come back"),
            Verb::NavyAttack => format!("{units} attack the navy in {place}"),
            Verb::AirArmy => format!("{units} attack the army in {place}"),
            Verb::AirNavy => format!("{units} attack the navy in {place}"),
            Verb::AirBase => format!("{units} attack the air force of {place} at its base"),
            Verb::AirIndustry => format!("{units} attack the industry of {place}"),
            Verb::MissileArmy => format!("{units} {are} fired at the army in {place}"),
            Verb::MissileBase => format!("{units} {are} fired at the airbase of {place}"),
            Verb::MissileIndustry => format!("{units} {are} fired at the industry of {place}"),
            _ => format!("{units} go to {place}"),
        };
        let (more, warning) = match () {
            () if sea => (String::new(), None),
            () if verb.attacks() => self.attack(to, verb),
            () if verb.moves() => self.gift(to, verb.arm(), n),
            () => (String::new(), None),
        };
        (words + &more, warning)
    }

    fn build(&self, from: SpaceId, verb: Verb, n: i64) -> String {
        let (Verb::Build(arm), Some(Holding::Land(country))) =
            (verb, self.view.position.holdings.get(&from))
        else {
            return String::new();
        };
        let multiplier = self.paper.player.multipliers[arm as usize];
        let made = country.fractions[arm as usize] + n * multiplier;
        format!("{n} industry of {} builds {} {}", self.name(from), hundredths(made), noun(arm))
    }

    /// What an attack costs beside its losses, and what is seen of the defenders.
    fn attack(&self, to: SpaceId, verb: Verb) -> Said {
        let mut words = String::new();
        if let Some(c) = self.view.seen.get(&to) {
            words += &format!("; seen there: {}", strength(c));
        }
        let hurts = matches!(verb.arm(), Arm::Army | Arm::Air);
        let favour = self.favour(to);
        let owner = self.owner(to);
        let warning = match owner {
            NOBODY if self.controls(to) && hurts => {
                Some(format!("it obeys you now, and your popularity of {favour} falls to 0"))
            }
            NOBODY if self.controls(to) => Some("you attack a minor that obeys you".to_owned()),
            NOBODY if favour > 0 && hurts => {
                words += &format!("; your popularity of {favour} there falls to 0");
                None
            }
            NOBODY => None,
            seat if self.paper.player.stance(seat) == Stance::Ally => {
                Some("you attack a player whom you call your ally".to_owned())
            }
            _ => None,
        };
        if owner != NOBODY && verb.arm() == Arm::Army && self.view.allied_by.contains(&owner) {
            let percent = self.view.tables.figures.combat.ally_handicap_percent;
            words += &format!("; they call you ally, so each of your army counts {percent} %");
        }
        (words, warning)
    }

    /// Units that move into what is not the player's own are given away.
    fn gift(&self, to: SpaceId, arm: Arm, n: i64) -> Said {
        let figures = &self.view.tables.figures.popularity;
        match self.owner(to) {
            NOBODY => {
                let worth = match arm {
                    Arm::Missile | Arm::Antimissile => figures.missile_gift,
                    _ => figures.gift,
                };
                let words = format!("; a gift: they stay there, your popularity +{}", worth * n);
                (words, None)
            }
            seat if seat == self.view.seat => (String::new(), None),
            seat => {
                let words = format!("; a gift to {}: they become theirs", self.who(seat));
                let enemy = self.view.public(seat).enemies.contains(&self.view.seat)
                    || self.paper.player.stance(seat) == Stance::Enemy;
                let stranger = self.paper.player.stance(seat) != Stance::Ally;
                let warning = match () {
                    () if enemy => Some("you give them to an enemy"),
                    () if stranger => Some("they are no ally of yours"),
                    () => None,
                };
                (words, warning.map(str::to_owned))
            }
        }
    }
}

/// `Ukraine (minor)`, `Spain ([2] Spain, your enemy)`, `Black Sea`: as the view has it.
pub fn place_in_words(view: &View, space: SpaceId) -> String {
    let paper = super::work(view, &CardText::default());
    Speaker { view, paper: &paper }.place(space)
}

/// `1 spy`, `2 spies`.
fn many(n: i64, one: &str, more: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { more })
}

/// `5 army`, `1 missile`.
pub fn counted(n: i64, arm: Arm) -> String {
    let name = noun(arm);
    format!("{n} {}", if n == 1 { name.trim_end_matches('s') } else { name })
}

/// An arm within a sentence.
pub fn noun(arm: Arm) -> &'static str {
    ["industry", "army", "navy", "air force", "missiles", "antimissiles"][arm as usize]
}

/// What can defend a country that is seen.
fn strength(c: &Country) -> String {
    let all = [
        ("army", c.army),
        ("navy", c.navy),
        ("air force", c.air),
        ("antimissiles", c.antimissiles),
    ];
    let there: Vec<String> =
        all.iter().filter(|(_, n)| *n > 0).map(|(name, n)| format!("{name} {n}")).collect();
    if there.is_empty() { "nothing".to_owned() } else { there.join(", ") }
}
