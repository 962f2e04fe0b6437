//! What a printout says first (§10), and the same for everybody when the game is over.

use std::collections::{BTreeMap, BTreeSet};

use super::events::{Ending, Event, Find, Happening, News, SideReport};
use super::names::general_name;
use super::orders::sector_no;
use super::phrases::{force, pp, ranges};
use super::standing::Final;
use super::state::{Centre, NOBODY, State, Victory};
use super::tables::Tables;
use super::view::View;
use engine::Headline;
use engine::Seat;
use engine::geometry::{Grid, Place};
use engine::headline::{Draft, Weight, counted, sentence, some, some_spans, words};
use engine::report::{Line, Span};

/// A reader who is nobody's seat: everything is told in the third person.
const EVERYBODY: u8 = u8::MAX;
/// Battles that are told one by one.
const BATTLES: usize = 2;
/// Numbers of units or cities that a line of what needs orders has.
const LISTED: usize = 8;

/// The headline of a seat.
pub fn headline(view: &View) -> Headline {
    let teller = Teller {
        tables: &view.tables,
        grid: view.grid,
        reader: view.seat,
        over: view.over.is_some(),
    };
    let mut draft = Draft::default();
    if let Some(over) = &view.over {
        teller.ending(&mut draft, over, &view.finals);
    }
    teller.turn(&mut draft, view.events.iter());
    teller.met(&mut draft, view);
    draft.finish(standing(view), needs(view))
}

/// A turn as everybody may read it.
pub fn chronicle(state: &State, happenings: &[Happening]) -> Vec<Line> {
    let teller = Teller {
        tables: &state.tables,
        grid: state.grid(),
        reader: EVERYBODY,
        over: state.over.is_some(),
    };
    let mut draft = Draft::default();
    if let (Some(over), Some(finals)) = (&state.over, super::standing::finals(state)) {
        teller.ending(&mut draft, over, &finals);
    }
    teller.turn(&mut draft, happenings.iter().map(|h| &h.event));
    draft.sentences()
}

struct Teller<'a> {
    tables: &'a Tables,
    grid: Grid,
    reader: u8,
    /// The game is over: who holds enough to win is told by who has won.
    over: bool,
}

impl Teller<'_> {
    fn at(&self, place: Place) -> String {
        sector_no(self.grid, place)
    }

    /// `Joroham (05333)`; who holds a city may name it.
    fn city(&self, number: u16, name: &str, at: Place) -> Vec<Span> {
        match name {
            "" => vec![words(format!("city {number} ({})", self.at(at)))],
            _ => vec![Span::Chosen(name.to_owned()), words(format!(" ({})", self.at(at)))],
        }
    }

    /// `you`, `player 5`, `rebels`.
    fn who(&self, seat: u8) -> String {
        match seat {
            NOBODY => "rebels".to_owned(),
            s if s == self.reader => "you".to_owned(),
            s => format!("player {s}"),
        }
    }

    /// The same at the start of a sentence.
    fn actor(&self, seat: u8) -> String {
        match seat {
            NOBODY => "Rebels".to_owned(),
            s if s == self.reader => "You".to_owned(),
            s => format!("Player {s}"),
        }
    }

    /// Who has won and how, and how the reader stands.
    fn ending(&self, draft: &mut Draft, over: &Victory, finals: &[Final]) {
        let cities = |seat: u8| finals.iter().find(|f| f.seat == seat).map_or(0, |f| f.cities);
        let held: usize = over.winners.iter().map(|s| cities(*s)).sum();
        let named =
            |seat: u8| vec![words(format!("{seat} (")), Span::Player(Seat(seat)), words(")")];
        let names: Vec<Vec<Span>> = over.winners.iter().map(|s| named(*s)).collect();
        let how = format!("with {}", counted(held as i64, "city", "cities"));
        let turn = over.turn;
        match names.len() {
            0 => draft.say(Weight::End, format!("The game ended in turn {turn} without a winner.")),
            1 => draft.say(
                Weight::End,
                sentence([
                    vec![words("Player ")],
                    names.concat(),
                    vec![words(format!(" is World Leader and has won in turn {turn}, {how}."))],
                ]),
            ),
            _ => draft.say(
                Weight::End,
                sentence([
                    vec![words("The coalition of players ")],
                    some_spans(names, "players"),
                    vec![words(format!(" has won in turn {turn}, {how}."))],
                ]),
            ),
        }
        if let Some(own) = finals.iter().find(|f| f.seat == self.reader) {
            let cities = counted(own.cities as i64, "city", "cities");
            let of = finals.len();
            draft.say(
                Weight::End,
                match over.winners.contains(&self.reader) {
                    true => format!("You have won, with {cities}."),
                    false => format!("You end on rank {} of {of}, with {cities}.", own.rank),
                },
            );
        }
    }

    /// What happened, in sentences of which equal ones are joined.
    fn turn<'e>(&self, draft: &mut Draft, events: impl Iterator<Item = &'e Event>) {
        // By whom a city was lost and who took it; each city once.
        let mut taken: BTreeMap<(u8, u8, bool), BTreeMap<u16, Vec<Span>>> = BTreeMap::new();
        let mut risen: BTreeMap<u16, Vec<Span>> = BTreeMap::new();
        let mut razed: BTreeMap<u16, Vec<Span>> = BTreeMap::new();
        let (mut fallen, mut writers) = (BTreeSet::new(), BTreeSet::new());
        let mut fights: Vec<Fight> = Vec::new();
        let mut strikes: BTreeMap<(u8, Option<u8>, &str), BTreeSet<Place>> = BTreeMap::new();
        for event in events {
            match event {
                Event::CityTaken { city, name, at, from, by, rebels, .. } => {
                    let name = self.city(*city, name, *at);
                    taken.entry((*from, *by, *rebels)).or_default().insert(*city, name);
                }
                Event::Rebelled { city, name, at } => {
                    risen.insert(*city, self.city(*city, name, *at));
                }
                Event::CityRazed { city, name, at } => {
                    razed.insert(*city, self.city(*city, name, *at));
                }
                Event::BaseTaken { at, from, by, .. } => {
                    let place = self.at(*at);
                    let (actor, from) = (self.actor(*by), self.who(*from));
                    let weight = match () {
                        () if *by == self.reader => Weight::OwnGain,
                        () => Weight::OwnForces,
                    };
                    draft.say(weight, format!("{actor} took the airbase at {place} from {from}."));
                }
                Event::Battle { at, attacker, defender, ending, odds, .. } => {
                    let fight = self.fight(*at, attacker, defender, *ending, odds.rebels);
                    if !fights.contains(&fight) {
                        fights.push(fight);
                    }
                }
                Event::GeneralLost { general, at, lost, .. } if self.reader != EVERYBODY => {
                    let place = at.map_or(String::new(), |at| format!(" at {}", self.at(at)));
                    let name = general_name(lost);
                    let name = if name.is_empty() { format!(" {general}") } else { name };
                    draft.say(
                        Weight::OwnForces,
                        sentence([
                            vec![words("Your general"), Span::Chosen(name)],
                            vec![words(format!(" was lost{place}."))],
                        ]),
                    );
                }
                Event::AirStrike(strike) if hurt(&strike.losses) || strike.walls.is_some() => {
                    strikes
                        .entry((strike.by, Some(strike.target), "bombed"))
                        .or_default()
                        .insert(strike.at);
                }
                Event::Salvo(salvo) => {
                    let what = if salvo.atomic { "wiped out" } else { "fired missiles at" };
                    strikes.entry((salvo.by, salvo.target, what)).or_default().insert(salvo.at);
                }
                Event::News(news) => self.news(draft, news, &mut fallen),
                Event::Fallen { player } if *player == self.reader => {
                    draft.say(Weight::End, "Your empire has fallen: no city and no unit is left.");
                }
                Event::Research { tech: Some(level), .. } if self.reader != EVERYBODY => {
                    draft.say(Weight::Progress, format!("Your empire reached tech level {level}."));
                }
                Event::Dug { at, find, .. } if self.reader != EVERYBODY => {
                    if let Some(found) = found(*find) {
                        let place = self.at(*at);
                        draft.say(
                            Weight::Progress,
                            format!("Your engineers found {found} in the ruins at {place}."),
                        );
                    }
                }
                Event::Message { from, .. } if self.reader != EVERYBODY => {
                    writers.insert(u16::from(*from));
                }
                _ => {}
            }
        }
        self.hands(draft, taken);
        for (cities, verb) in [(risen, "rose against"), (razed, "was razed")] {
            if cities.is_empty() {
                continue;
            }
            let many = cities.len() > 1;
            let names = some_spans(cities.into_values().collect(), "cities");
            let told = match (verb, self.reader) {
                ("rose against", EVERYBODY) => " rose in revolt.".to_owned(),
                ("rose against", _) => " rose against you and is lost."
                    .replace("is lost", if many { "are lost" } else { "is lost" }),
                _ if many => " were razed to the ground.".to_owned(),
                _ => " was razed to the ground.".to_owned(),
            };
            let lead = if many { "The cities " } else { "The city " };
            draft.say(Weight::OwnLoss, sentence([vec![words(lead)], names, vec![words(told)]]));
        }
        self.fights(draft, fights);
        for ((by, target, what), places) in strikes {
            let places: Vec<String> = places.into_iter().map(|p| self.at(p)).collect();
            let whom = match target {
                Some(NOBODY) => "the garrison".to_owned(),
                Some(seat) => self.who(seat),
                None => "nobody".to_owned(),
            };
            let weight = if by == self.reader { Weight::Won } else { Weight::OwnForces };
            let (actor, at) = (self.actor(by), some(&places, "sectors"));
            let what = match what {
                "wiped out" => format!("{actor} struck {whom} with an atomic missile at {at}."),
                what => format!("{actor} {what} {whom} at {at}."),
            };
            draft.say(weight, what);
        }
        if !writers.is_empty() {
            let who = match writers.len() {
                1 => format!("Player {}", ranges(writers)),
                _ => format!("Players {}", ranges(writers)),
            };
            draft.say(Weight::Contact, format!("{who} wrote to you."));
        }
        let fallen: Vec<u16> = fallen.into_iter().map(u16::from).collect();
        match fallen.len() {
            0 => {}
            1 => {
                draft.say(Weight::Others, format!("The empire of player {} fell.", ranges(fallen)))
            }
            _ => draft
                .say(Weight::Others, format!("The empires of players {} fell.", ranges(fallen))),
        }
    }

    /// Cities that changed hands, a sentence for each two powers.
    fn hands(&self, draft: &mut Draft, taken: BTreeMap<(u8, u8, bool), BTreeMap<u16, Vec<Span>>>) {
        for ((from, by, rebels), cities) in taken {
            let many = cities.len() > 1;
            let names = some_spans(cities.into_values().collect(), "cities");
            let told = match () {
                () if from == self.reader => {
                    let by = self.who(by);
                    let parts =
                        [vec![words("You lost ")], names, vec![words(format!(" to {by}."))]];
                    (Weight::OwnLoss, sentence(parts))
                }
                () if from == NOBODY && !rebels => {
                    let what = if many { "the free cities" } else { "the free city" };
                    let lead = format!("{} took {what} ", self.actor(by));
                    (self.gain(by), sentence([vec![words(lead)], names, vec![words(".")]]))
                }
                () => {
                    let lead = format!("{} took ", self.actor(by));
                    let from = format!(" from {}.", self.who(from));
                    (self.gain(by), sentence([vec![words(lead)], names, vec![words(from)]]))
                }
            };
            draft.say(told.0, told.1);
        }
    }

    fn gain(&self, by: u8) -> Weight {
        // For everybody a city that a player lost weighs as much as one that was gained.
        if by == self.reader || self.reader == EVERYBODY { Weight::OwnGain } else { Weight::Others }
    }

    fn news(&self, draft: &mut Draft, news: &News, fallen: &mut BTreeSet<u8>) {
        let all = |seats: &[u8]| ranges(seats.iter().map(|&s| s.into()));
        match news {
            News::Holding { .. } if self.over => {}
            News::Holding { members, turns, of } => {
                let who = match members.as_slice() {
                    [one] if *one == self.reader => "You hold".to_owned(),
                    [one] => format!("Player {one} holds"),
                    several => format!("The coalition of players {} holds", all(several)),
                };
                // Whoever is about to win concerns all.
                draft.say(
                    Weight::OwnForces,
                    format!("{who} enough cities to win: turn {turns} of {of} in a row."),
                );
            }
            News::Fallen { player } if *player != self.reader => {
                fallen.insert(*player);
            }
            News::Coalition { members } => {
                draft.say(Weight::Others, format!("Players {} form a coalition.", all(members)))
            }
            News::CoalitionEnds { members } => draft.say(
                Weight::Others,
                format!("The coalition of players {} is no more.", all(members)),
            ),
            _ => {}
        }
    }

    fn fight(
        &self,
        at: Place,
        attacker: &SideReport,
        defender: &SideReport,
        ending: Ending,
        rebels: bool,
    ) -> Fight {
        let won_by_attacker =
            matches!(ending, Ending::DefenderDestroyed | Ending::DefenderDislodged);
        let both = ending == Ending::BothDestroyed;
        // Of a fight without a winner the reader's own loss is told.
        let attacker_lost = !(won_by_attacker || both && defender.seat == self.reader);
        let (winner, loser) =
            if attacker_lost { (defender, attacker) } else { (attacker, defender) };
        Fight {
            at,
            winner: winner.seat,
            loser: loser.seat,
            rebels,
            both,
            destroyed: both
                || matches!(ending, Ending::DefenderDestroyed | Ending::AttackerDestroyed),
            attacked: attacker_lost,
            units: winner.losses.iter().map(|l| l.unit).filter(|n| *n > 0).collect(),
            forces: self.forces(loser),
            size: loser.losses.iter().map(|l| u32::from(l.before)).sum(),
        }
    }

    /// `12 Infantry and 3 Tanks`.
    fn forces(&self, side: &SideReport) -> String {
        let mut kinds: BTreeMap<u8, u16> = BTreeMap::new();
        for loss in &side.losses {
            let sum = kinds.entry(loss.kind).or_default();
            *sum = sum.saturating_add(loss.before);
        }
        let named: Vec<String> =
            kinds.iter().map(|(kind, n)| force(*n, &self.tables.row(*kind).name)).collect();
        some(&named, "kinds of forces")
    }

    /// The nameless side of a fight, and all others.
    fn side(&self, seat: u8, rebels: bool) -> String {
        match seat {
            NOBODY if !rebels => "the garrison".to_owned(),
            seat => self.who(seat),
        }
    }

    /// The largest fights one by one, own losses and own victories apart; the others counted.
    fn fights(&self, draft: &mut Draft, fights: Vec<Fight>) {
        let (mut lost, mut won, mut seen) = (Vec::new(), Vec::new(), Vec::new());
        for fight in fights {
            match self.reader {
                reader if fight.loser == reader => lost.push(fight),
                reader if fight.winner == reader => won.push(fight),
                _ => seen.push(fight),
            }
        }
        for (mut fights, weight) in
            [(lost, Weight::OwnForces), (won, Weight::Won), (seen, Weight::Others)]
        {
            fights.sort_by_key(|f| (std::cmp::Reverse(f.size), f.at));
            let rest = fights.len().saturating_sub(BATTLES);
            let own_loss = weight == Weight::OwnForces;
            fights.iter().take(BATTLES).for_each(|f| draft.say(weight, self.told(f)));
            if rest > 0 && weight != Weight::Others {
                let what = if own_loss { "lost" } else { "won" };
                let more = counted(rest as i64, "more battle", "more battles");
                draft.say(weight, format!("You {what} {more}."));
            }
        }
    }

    fn told(&self, fight: &Fight) -> String {
        let (at, forces) = (self.at(fight.at), &fight.forces);
        let winner = self.side(fight.winner, fight.rebels);
        let own = fight.loser == self.reader;
        if fight.both && own {
            return format!("You lost {forces} at {at}; of {winner} nothing is left there either.");
        }
        let verb = match (fight.destroyed, fight.attacked) {
            (true, _) => "destroyed",
            (false, true) => "beat off",
            (false, false) => "drove out",
        };
        let whose = match own {
            true => format!("your {forces}"),
            false => format!("{forces} of {}", self.side(fight.loser, fight.rebels)),
        };
        match fight.winner == self.reader && !fight.units.is_empty() {
            true => {
                let what = if fight.units.len() == 1 { "unit" } else { "units" };
                let mut units = fight.units.clone();
                units.sort_unstable();
                format!("Your {what} {} {verb} {whose} at {at}.", ranges(units))
            }
            false => format!("{} {verb} {whose} at {at}.", engine::report::capital(&winner)),
        }
    }

    /// Players who were met for the first time.
    fn met(&self, draft: &mut Draft, view: &View) {
        let new = |m: &super::state::Meeting| m.first > 0 && m.first + 1 == view.turn;
        let met: Vec<u16> = view
            .power
            .met
            .iter()
            .filter(|(_, m)| new(m))
            .map(|(other, _)| u16::from(*other))
            .collect();
        let who = if met.len() == 1 { "player" } else { "players" };
        if !met.is_empty() {
            draft
                .say(Weight::Contact, format!("You met {who} {} for the first time.", ranges(met)));
        }
    }
}

/// A battle as a headline tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fight {
    at: Place,
    winner: u8,
    loser: u8,
    rebels: bool,
    /// Nothing is left of either side.
    both: bool,
    destroyed: bool,
    /// The loser had attacked.
    attacked: bool,
    /// The winner's units, as far as they are told.
    units: Vec<u16>,
    /// The loser's forces.
    forces: String,
    size: u32,
}

fn hurt(side: &SideReport) -> bool {
    side.losses.iter().any(|l| l.after < l.before)
}

fn found(find: Find) -> Option<String> {
    match find {
        Find::Pp(n) => Some(format!("{n} PP")),
        Find::Points(n) => Some(counted(n, "research point", "research points")),
        Find::Plans(level) => Some(format!("the plans of tech level {level}")),
        Find::Nothing | Find::Empty => None,
    }
}

/// How things stand.
fn standing(view: &View) -> Vec<Line> {
    let power = &view.power;
    if let Some(turn) = power.fell {
        return vec![
            format!("Your empire fell in turn {turn}.").into(),
            "You hold no city and no unit.".into(),
            "You read on without orders of your own.".into(),
        ];
    }
    let (cities, own) = (
        counted(power.cities.len() as i64, "city", "cities"),
        view.control.iter().filter(|h| **h == view.seat).count(),
    );
    let sectors = counted(own as i64, "sector", "sectors");
    if view.turn < 2 {
        return beginning(view);
    }
    let rank = view.standing.rank;
    let mut seen: Vec<Place> = view.spotted.iter().map(|s| s.at).collect();
    seen.sort_unstable();
    seen.dedup();
    let sight = match seen.len() {
        0 => "No foreign force is in sight.".to_owned(),
        1 => "Foreign forces are in sight in 1 sector.".to_owned(),
        n => format!("Foreign forces are in sight in {n} sectors."),
    };
    vec![
        format!("You hold {cities} and {sectors}, rank {rank} of {}.", view.seats).into(),
        format!(
            "Income is {} PP a turn, stock {} PP, tech level {}.",
            pp(power.income),
            pp(power.stock),
            power.tech
        )
        .into(),
        sight.into(),
    ]
}

/// Who one is, where one begins, what comes first.
fn beginning(view: &View) -> Vec<Line> {
    let teller = Teller {
        tables: &view.tables,
        grid: view.grid,
        reader: view.seat,
        over: view.over.is_some(),
    };
    let (power, seats) = (&view.power, view.seats);
    let home = power.cities.iter().next();
    let where_from = home.map(|(number, city)| {
        let name = teller.city(*number, &city.name, city.at);
        sentence([
            vec![words(format!("You are player {} of {seats}; your empire begins in ", view.seat))],
            name,
            vec![words(".")],
        ])
    });
    let who =
        where_from.unwrap_or_else(|| format!("You are player {} of {seats}.", view.seat).into());
    let near = home.and_then(|(_, home)| {
        let free = view.cities.iter().filter(|c| matches!(c.seen.owner, None | Some(NOBODY)));
        free.min_by_key(|c| (view.grid.distance(home.at, c.at), c.number))
    });
    let first = match near {
        Some(city) => sentence([
            vec![words("First put your centres to work and send troops to ")],
            teller.city(city.number, &city.seen.name, city.at),
            vec![words(".")],
        ]),
        None => "First put your centres to work and look around.".into(),
    };
    vec![
        who,
        format!(
            "You have {} PP to spend and {} to lead.",
            pp(power.stock),
            counted(power.units.len() as i64, "unit", "units")
        )
        .into(),
        first,
    ]
}

/// What needs orders: idle centres, units that stand, PP.
fn needs(view: &View) -> Vec<Line> {
    let power = &view.power;
    if view.over.is_some() || power.fell.is_some() {
        return Vec::new();
    }
    let mut needs: Vec<Line> = Vec::new();
    let idle = |c: &super::state::City| c.centres.iter().filter(|c| **c == Centre::Idle).count();
    let idle: Vec<(u16, usize)> =
        power.cities.iter().map(|(n, c)| (*n, idle(c))).filter(|(_, n)| *n > 0).collect();
    let centres: usize = idle.iter().map(|(_, n)| n).sum();
    if centres > 0 {
        let cities = numbers(idle.iter().map(|(n, _)| *n).collect(), ["city", "cities"]);
        needs.push(format!("Idle production centres: {centres}, in {cities}.").into());
    }
    let waits: Vec<u16> = power
        .units
        .iter()
        .filter(|(_, u)| u.goal.is_none() && u.aboard.is_none())
        .map(|(n, _)| *n)
        .collect();
    if !waits.is_empty() {
        let count = waits.len();
        let which = numbers(waits, ["unit", "units"]);
        needs.push(format!("Units without orders: {count} ({which}).").into());
    }
    if power.stock >= 100 {
        needs.push(format!("You have {} PP to spend.", pp(power.stock)).into());
    }
    needs
}

/// `unit 5`, `units 5-7, 9`, with the first of many.
fn numbers(all: Vec<u16>, [one, many]: [&str; 2]) -> String {
    match all.len() {
        1 => format!("{one} {}", ranges(all)),
        n if n <= LISTED => format!("{many} {}", ranges(all)),
        _ => {
            let shown = all.iter().copied().take(LISTED);
            format!("{many} {} and {} more", ranges(shown), all.len() - LISTED)
        }
    }
}
