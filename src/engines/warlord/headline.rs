//! The first sentences of a printout (§10), and those for everybody when the game is over.

mod standing;

use std::collections::{BTreeMap, BTreeSet};

use self::standing::{given_up, needs, standing};
use super::events::{AirStrike, Ending, Event, Find, Happening, Mission, News, Salvo, SideReport};
use super::names::general_name;
use super::orders::sector_no;
use super::phrases::{force, ranges};
use super::standing::Final;
use super::state::{NOBODY, State, Victory};
use super::tables::Tables;
use super::view::View;
use super::words::{coalition_ends, coalition_stands, holding};
use crate::Warlord;
use engine::Seat;
use engine::geometry::{Grid, Place};
use engine::headline::{Draft, Weight, some};
use engine::report::{Gap, Line, Span};
use engine::{Headline, Headlines};
use tongue::{count, say};

impl Headlines for Warlord {
    fn headline(view: &View) -> Headline {
        headline(view)
    }

    fn chronicle(state: &State, events: &[Happening]) -> Vec<Line> {
        chronicle(state, events)
    }
}

/// A reader without a seat: all sentences are in the third person.
const EVERYBODY: u8 = u8::MAX;
/// Battles that get a sentence each.
const BATTLES: usize = 2;
/// The most numbers of units or cities in a line about orders that are needed.
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
    given_up(&mut draft, view);
    teller.met(&mut draft, view);
    draft.finish(standing(view), needs(view))
}

/// The sentences about a turn that everybody may read.
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
    /// Whether the game is over: then the winner is named, and not those who hold enough cities to
    /// win.
    over: bool,
}

/// Events that become sentences only after all events of a turn have been read.
#[derive(Default)]
struct Heard {
    /// Cities that changed hands, by loser, taker and whether rebels took part; each city once.
    taken: BTreeMap<(u8, u8, bool), Cities>,
    risen: Cities,
    razed: Cities,
    /// Empires that have fallen.
    fallen: BTreeSet<u8>,
    /// Players who wrote.
    writers: BTreeSet<u16>,
    fights: Vec<Fight>,
    strikes: BTreeMap<(u8, Option<u8>, Strike), BTreeSet<Place>>,
}

impl Teller<'_> {
    fn at(&self, place: Place) -> String {
        sector_no(self.grid, place)
    }

    /// `Joroham (05333)`. The holder of a city may name it, so the name becomes a span.
    fn city(&self, number: u16, name: &str, at: Place, spans: &mut Vec<Span>) -> String {
        let at = self.at(at);
        match name {
            "" => say!("city {number} ({at})"),
            _ => format!("{} ({at})", gap(spans, Span::Chosen(name.to_owned()))),
        }
    }

    /// The first of many cities by name, with the spans of their names.
    fn cities(&self, cities: &Cities) -> (String, Vec<Span>) {
        let mut spans = Vec::new();
        let named = cities.iter().map(|(n, (name, at))| self.city(*n, name, *at, &mut spans));
        let named: Vec<String> = named.collect();
        (some(&named, &say!("cities")), spans)
    }

    /// `you`, `player 5`, `rebels`.
    fn who(&self, seat: u8) -> String {
        match seat {
            NOBODY => say!("rebels"),
            s if s == self.reader => say!("you"),
            seat => say!("player {seat}"),
        }
    }

    /// The name of a seat at the start of a sentence: `You`, `Player 5`, `Rebels`.
    fn actor(&self, seat: u8) -> String {
        match seat {
            NOBODY => say!("Rebels"),
            s if s == self.reader => say!("You"),
            seat => say!("Player {seat}"),
        }
    }

    /// The winners and how they won, and the rank of the reader.
    fn ending(&self, draft: &mut Draft, over: &Victory, finals: &[Final]) {
        let cities = |seat: u8| finals.iter().find(|f| f.seat == seat).map_or(0, |f| f.cities);
        let held: usize = over.winners.iter().map(|s| cities(*s)).sum();
        let mut spans = Vec::new();
        let named = |seat: &u8| format!("{seat} ({})", gap(&mut spans, Span::Player(Seat(*seat))));
        let names: Vec<String> = over.winners.iter().map(named).collect();
        let turn = over.turn;
        let cities = count!(n = held, "{n} city", "{n} cities");
        let won = match names.as_slice() {
            [] => say!("The game ended in turn {turn} without a winner."),
            [player] => {
                say!("Player {player} is World Leader and has won in turn {turn}, with {cities}.")
            }
            several => say!(
                "The coalition of players {players} has won in turn {turn}, with {cities}.",
                players = some(several, &say!("players"))
            ),
        };
        draft.add(Weight::End, Line::filled(&won, spans));
        if let Some(own) = finals.iter().find(|f| f.seat == self.reader) {
            let cities = count!(n = own.cities, "{n} city", "{n} cities");
            let (rank, of) = (own.rank, finals.len());
            draft.add(
                Weight::End,
                match over.winners.contains(&self.reader) {
                    true => say!("You have won, with {cities}."),
                    false => say!("You end on rank {rank} of {of}, with {cities}."),
                },
            );
        }
    }

    /// Writes the sentence of an event that stands alone, and keeps events that are joined with
    /// similar ones.
    fn hear(&self, draft: &mut Draft, event: &Event, heard: &mut Heard) {
        match event {
            Event::CityTaken { city, name, at, from, by, rebels, .. } => {
                let cities = heard.taken.entry((*from, *by, *rebels)).or_default();
                cities.insert(*city, (name.clone(), *at));
            }
            Event::Rebelled { city, name, at } => {
                heard.risen.insert(*city, (name.clone(), *at));
            }
            Event::CityRazed { city, name, at } => {
                heard.razed.insert(*city, (name.clone(), *at));
            }
            Event::BaseTaken { at, from, by, .. } => {
                let (weight, told) = self.base_taken(*at, *from, *by);
                draft.add(weight, told);
            }
            Event::Battle { at, attacker, defender, ending, odds, .. } => {
                heard.fights.push(self.fight(*at, attacker, defender, *ending, odds.rebels));
            }
            Event::CityAssault { at, attacker, after: 1.., .. } if attacker.seat == self.reader => {
                let lost = attacker.losses.iter().map(|l| u32::from(l.before - l.after));
                let told = count!(
                    n = lost.sum::<u32>(),
                    "Your attack on the walls at {at} failed and cost {n} regiment.",
                    "Your attack on the walls at {at} failed and cost {n} regiments.",
                    at = self.at(*at)
                );
                draft.add(Weight::OwnForces, told);
            }
            Event::GeneralLost { general, at, lost, .. } if self.reader != EVERYBODY => {
                let chosen = match general_name(lost) {
                    none if none.is_empty() => format!(" {general}"),
                    name => name,
                };
                let name = Gap(0);
                let told = match at.map(|at| self.at(at)) {
                    Some(at) => say!("Your general{name} was lost at {at}."),
                    None => say!("Your general{name} was lost."),
                };
                draft.add(Weight::OwnForces, Line::filled(&told, [Span::Chosen(chosen)]));
            }
            Event::AirStrike(strike) if hurt(&strike.losses) || strike.walls.is_some() => {
                let what = Strike::from_the_air(strike);
                let key = (strike.by, Some(strike.target), what);
                heard.strikes.entry(key).or_default().insert(strike.at);
            }
            Event::Salvo(salvo) => {
                let key = (salvo.by, salvo.target, Strike::of_missiles(salvo));
                heard.strikes.entry(key).or_default().insert(salvo.at);
            }
            Event::News(news) => self.news(draft, news, &mut heard.fallen),
            Event::Fallen { player } if *player == self.reader => {
                let told = say!("Your empire has fallen: no city and no unit is left.");
                draft.add(Weight::End, told);
            }
            Event::Research { tech: Some(level), .. } if self.reader != EVERYBODY => {
                draft.add(Weight::Progress, say!("Your empire reached tech level {level}."));
            }
            Event::Dug { at, find, .. } if self.reader != EVERYBODY => {
                if let Some(found) = found(*find) {
                    let at = self.at(*at);
                    let told = say!("Your engineers found {found} in the ruins at {at}.");
                    draft.add(Weight::Progress, told);
                }
            }
            Event::Message { from, .. } if self.reader != EVERYBODY => {
                heard.writers.insert(u16::from(*from));
            }
            _ => {}
        }
    }

    /// The events of a turn in sentences, with similar ones joined.
    fn turn<'e>(&self, draft: &mut Draft, events: impl Iterator<Item = &'e Event>) {
        let mut heard = Heard::default();
        events.for_each(|event| self.hear(draft, event, &mut heard));
        let Heard { taken, risen, razed, fallen, writers, fights, strikes } = heard;
        self.hands(draft, taken);
        self.risen(draft, &risen);
        if !razed.is_empty() {
            let (cities, spans) = self.cities(&razed);
            let told = count!(
                n = razed.len(),
                "The city {cities} was razed to the ground.",
                "The cities {cities} were razed to the ground."
            );
            draft.add(Weight::OwnLoss, Line::filled(&told, spans));
        }
        self.fights(draft, fights);
        for ((by, target, what), places) in strikes {
            let places: Vec<String> = places.into_iter().map(|p| self.at(p)).collect();
            let weight = match self.reader {
                reader if by == reader => Weight::Won,
                // A seat that hears of missiles without a target was hit, or stopped them.
                reader if target.is_none_or(|seat| seat == reader) => match what {
                    Strike::Stopped => Weight::Won,
                    _ => Weight::OwnForces,
                },
                _ => Weight::Others,
            };
            draft.add(weight, self.strike(by, target, what, &some(&places, &say!("sectors"))));
        }
        if !writers.is_empty() {
            let told = count!(
                n = writers.len(),
                "Player {players} wrote to you.",
                "Players {players} wrote to you.",
                players = ranges(writers)
            );
            draft.add(Weight::Contact, told);
        }
        let fallen: Vec<u16> = fallen.into_iter().map(u16::from).collect();
        if !fallen.is_empty() {
            let told = count!(
                n = fallen.len(),
                "The empire of player {players} fell.",
                "The empires of players {players} fell.",
                players = ranges(fallen)
            );
            draft.add(Weight::Others, told);
        }
    }

    /// Cities that changed hands, one sentence for each pair of powers.
    fn hands(&self, draft: &mut Draft, taken: BTreeMap<(u8, u8, bool), Cities>) {
        for ((from, by, rebels), all) in taken {
            let (cities, spans) = self.cities(&all);
            let (n, own, free) = (all.len(), by == self.reader, from == NOBODY && !rebels);
            let told = match () {
                () if from == self.reader => {
                    say!("You lost {cities} to {by}.", by = self.who(by))
                }
                () if free && own => {
                    count!(
                        n,
                        "You took the free city {cities}.",
                        "You took the free cities {cities}."
                    )
                }
                () if free => count!(
                    n,
                    "{by} took the free city {cities}.",
                    "{by} took the free cities {cities}.",
                    by = self.actor(by)
                ),
                () if own => say!("You took {cities} from {from}.", from = self.who(from)),
                () => count!(
                    n,
                    both: "{by} took {cities} from {from}.",
                    by = self.actor(by),
                    from = self.who(from)
                ),
            };
            let weight = if from == self.reader { Weight::OwnLoss } else { self.gain(by) };
            draft.add(weight, Line::filled(&told, spans));
        }
    }

    /// Cities that rose against the power that held them.
    fn risen(&self, draft: &mut Draft, risen: &Cities) {
        if risen.is_empty() {
            return;
        }
        let (cities, spans) = self.cities(risen);
        let told = match self.reader {
            EVERYBODY => count!(
                n = risen.len(),
                "The city {cities} rose in revolt.",
                "The cities {cities} rose in revolt."
            ),
            _ => count!(
                n = risen.len(),
                "The city {cities} rose against you and is lost.",
                "The cities {cities} rose against you and are lost."
            ),
        };
        draft.add(Weight::OwnLoss, Line::filled(&told, spans));
    }

    /// An airbase of engineers that changed hands.
    fn base_taken(&self, at: Place, from: u8, by: u8) -> (Weight, String) {
        let at = self.at(at);
        match (by == self.reader, from == self.reader) {
            (true, _) => {
                let from = self.who(from);
                (Weight::OwnGain, say!("You took the airbase at {at} from {from}."))
            }
            (_, true) => {
                let by = self.actor(by);
                (Weight::OwnForces, say!("{by} took the airbase at {at} from you."))
            }
            _ => {
                let (by, from) = (self.actor(by), self.who(from));
                (Weight::OwnGain, say!("{by} took the airbase at {at} from {from}."))
            }
        }
    }

    /// Bombs or missiles that hit some sectors.
    fn strike(&self, by: u8, target: Option<u8>, what: Strike, at: &str) -> String {
        let (own, at_you) = (by == self.reader, target == Some(self.reader));
        let firer = self.who(by);
        let (by, whom) = (
            self.actor(by),
            match target {
                Some(NOBODY) => say!(whom: "the garrison"),
                Some(seat) => self.who(seat),
                None => say!(whom: "nobody"),
            },
        );
        match what {
            Strike::Bombs if own => say!("You bombed {whom} at {at}."),
            Strike::Bombs if at_you => say!("{by} bombed you at {at}."),
            Strike::Bombs => say!("{by} bombed {whom} at {at}."),
            Strike::Guns if own => say!("You shelled {whom} at {at}."),
            Strike::Guns if at_you => say!("{by} shelled you at {at}."),
            Strike::Guns => say!("{by} shelled {whom} at {at}."),
            Strike::Planes if own => say!("You struck {whom} from the air at {at}."),
            Strike::Planes if at_you => say!("{by} struck you from the air at {at}."),
            Strike::Planes => say!("{by} struck {whom} from the air at {at}."),
            Strike::Missiles if own => say!("You fired missiles at {whom} at {at}."),
            Strike::Missiles if at_you => say!("{by} fired missiles at you at {at}."),
            Strike::Missiles => say!("{by} fired missiles at {whom} at {at}."),
            // The world news names all players who were hit.
            Strike::Atomic if own => {
                say!("Atomic missiles of yours wiped out {at} and all around.")
            }
            Strike::Atomic => say!("Atomic missiles of {firer} wiped out {at} and all around."),
            Strike::Stopped if own => say!("The missiles that you fired at {at} were stopped."),
            Strike::Stopped => say!("The missiles that {firer} fired at {at} were stopped."),
        }
    }

    fn gain(&self, by: u8) -> Weight {
        // For everybody, a city that a player lost weighs as much as one that was gained.
        if by == self.reader || self.reader == EVERYBODY { Weight::OwnGain } else { Weight::Others }
    }

    fn news(&self, draft: &mut Draft, news: &News, fallen: &mut BTreeSet<u8>) {
        match news {
            News::Holding { .. } if self.over => {}
            News::Holding { members, turns, of } => {
                // A player about to win concerns everybody.
                draft.add(Weight::OwnForces, holding(self.reader, members, *turns, *of));
            }
            News::Fallen { player } if *player != self.reader => {
                fallen.insert(*player);
            }
            News::Coalition { members } => draft.add(Weight::Others, coalition_stands(members)),
            News::CoalitionEnds { members } => draft.add(Weight::Others, coalition_ends(members)),
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
        // After a fight without a winner, the sentence is about the reader's own loss.
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
        some(&named, &say!("kinds of forces"))
    }

    /// The owner of the forces in a fight.
    fn of(&self, seat: u8, rebels: bool) -> String {
        match seat {
            NOBODY if !rebels => say!(of: "the garrison"),
            seat => self.who(seat),
        }
    }

    /// The winner of a fight, at the start of a sentence.
    fn winner(&self, seat: u8, rebels: bool) -> String {
        match seat {
            NOBODY if !rebels => say!(winner: "The garrison"),
            seat => self.actor(seat),
        }
    }

    /// The largest fights one by one, with own losses and own victories apart; the others are only
    /// counted.
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
            fights.iter().take(BATTLES).for_each(|f| draft.add(weight, self.outcome(f)));
            if rest > 0 && weight != Weight::Others {
                let more = match own_loss {
                    true => {
                        count!(n = rest, "You lost {n} more battle.", "You lost {n} more battles.")
                    }
                    false => {
                        count!(n = rest, "You won {n} more battle.", "You won {n} more battles.")
                    }
                };
                draft.add(weight, more);
            }
        }
    }

    fn outcome(&self, fight: &Fight) -> String {
        let (at, forces) = (self.at(fight.at), &fight.forces);
        if fight.loser == self.reader {
            return self.loss(fight);
        }
        let of = self.of(fight.loser, fight.rebels);
        if fight.winner == self.reader && !fight.units.is_empty() {
            let (n, mut units) = (fight.units.len(), fight.units.clone());
            units.sort_unstable();
            let units = ranges(units);
            return match (fight.destroyed, fight.attacked) {
                (true, _) => count!(
                    n,
                    "Your unit {units} destroyed {forces} of {of} at {at}.",
                    "Your units {units} destroyed {forces} of {of} at {at}."
                ),
                (false, true) => count!(
                    n,
                    "Your unit {units} beat off {forces} of {of} at {at}.",
                    "Your units {units} beat off {forces} of {of} at {at}."
                ),
                (false, false) => count!(
                    n,
                    "Your unit {units} drove out {forces} of {of} at {at}.",
                    "Your units {units} drove out {forces} of {of} at {at}."
                ),
            };
        }
        let winner = self.winner(fight.winner, fight.rebels);
        match (fight.destroyed, fight.attacked) {
            _ if fight.both => say!("{winner} and {of} destroyed each other at {at}."),
            (true, _) => say!("{winner} destroyed {forces} of {of} at {at}."),
            (false, true) => say!("{winner} beat off {forces} of {of} at {at}."),
            (false, false) => say!("{winner} drove out {forces} of {of} at {at}."),
        }
    }

    /// A fight that the reader lost.
    fn loss(&self, fight: &Fight) -> String {
        let (at, forces) = (self.at(fight.at), &fight.forces);
        if fight.both {
            let winner = self.of(fight.winner, fight.rebels);
            return say!("You lost {forces} at {at}; of {winner} nothing is left there either.");
        }
        let winner = self.winner(fight.winner, fight.rebels);
        match (fight.destroyed, fight.attacked) {
            (true, _) => say!("{winner} destroyed your {forces} at {at}."),
            (false, true) => say!("{winner} beat off your {forces} at {at}."),
            (false, false) => say!("{winner} drove out your {forces} at {at}."),
        }
    }

    /// Players whom the seat met for the first time.
    fn met(&self, draft: &mut Draft, view: &View) {
        let new = |m: &super::state::Meeting| m.first > 0 && m.first + 1 == view.turn;
        let met: Vec<u16> = view
            .power
            .met
            .iter()
            .filter(|(_, m)| new(m))
            .map(|(other, _)| u16::from(*other))
            .collect();
        if !met.is_empty() {
            let told = count!(
                n = met.len(),
                "You met player {players} for the first time.",
                "You met players {players} for the first time.",
                players = ranges(met)
            );
            draft.add(Weight::Contact, told);
        }
    }
}

/// Names and places of cities, by their numbers.
type Cities = BTreeMap<u16, (String, Place)>;

/// The weapon of a strike on a sector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strike {
    Bombs,
    /// Only guns of ships.
    Guns,
    /// Planes without bombs.
    Planes,
    Missiles,
    Atomic,
    /// Missiles that were all stopped.
    Stopped,
}

impl Strike {
    fn from_the_air(strike: &AirStrike) -> Self {
        match strike.mission {
            Mission::Bombing if strike.sent.total() > 0 => Self::Bombs,
            Mission::Bombing => Self::Guns,
            _ => Self::Planes,
        }
    }

    fn of_missiles(salvo: &Salvo) -> Self {
        match salvo.atomic {
            _ if usize::from(salvo.fired) == salvo.stopped.len() => Self::Stopped,
            true => Self::Atomic,
            false => Self::Missiles,
        }
    }
}

/// Keeps a span, and returns the gap that takes its place in a sentence.
fn gap(spans: &mut Vec<Span>, span: Span) -> Gap {
    // Only the first of many names are written; gaps beyond those are never seen.
    let gap = Gap(u8::try_from(spans.len()).unwrap_or(u8::MAX));
    spans.push(span);
    gap
}

/// A battle as a headline describes it.
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
    /// The winner's units, as far as the reader may know them.
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
        Find::Points(n) => Some(count!(n, "{n} research point", "{n} research points")),
        Find::Plans(level) => Some(say!("the plans of tech level {level}")),
        Find::Nothing | Find::Empty => None,
    }
}
