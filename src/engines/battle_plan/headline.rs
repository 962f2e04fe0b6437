//! The headline of a printout (§16), and the public report of a turn once the game is over.

use std::collections::{BTreeMap, BTreeSet};

use super::desk::{Holding, hundredths};
use super::diary::Entry;
use super::event::{Event, SeaClash};
use super::map::{Map, SpaceId};
use super::state::{End, NOBODY, State};
use super::tables::Tables;
use super::variants::Ending;
use super::verbs::Arm;
use super::view::{Known, SeenClash, SeenSide, View};
use super::words::counted as units;
use crate::BattlePlan;
use engine::headline::{Draft, Weight, some};
use engine::report::{Gap, Line, Span};
use engine::{Headline, Headlines, Seat};
use tongue::{count, say};

impl Headlines for BattlePlan {
    fn headline(view: &View) -> Headline {
        headline(view)
    }

    fn chronicle(state: &State, events: &[Event]) -> Vec<Line> {
        chronicle(state, events)
    }
}

/// A reader without a seat: all texts are in the third person.
const EVERYBODY: u8 = u8::MAX;

/// The headline of a seat.
pub fn headline(view: &View) -> Headline {
    let names = view.players.iter().map(|p| p.name.as_str()).collect();
    let compact = view.position.player.compact;
    let teller = Teller { tables: &view.tables, names, compact, reader: view.seat };
    let mut draft = Draft::default();
    if let Some(over) = &view.over {
        teller.ending(&mut draft, over);
    }
    let gains = teller.battles(&mut draft, view);
    teller.losses(&mut draft, view, gains);
    for clash in &view.sea_clashes {
        teller.at_sea(&mut draft, clash);
    }
    teller.add_public(&mut draft, &view.events);
    teller.post(&mut draft, &view.events);
    draft.finish(standing(view, &teller), needs(view))
}

/// The public report of a turn.
pub fn chronicle(state: &State, events: &[Event]) -> Vec<Line> {
    let names = state.players.iter().map(|p| p.name.as_str()).collect();
    let teller = Teller { tables: &state.tables, names, compact: false, reader: EVERYBODY };
    let mut draft = Draft::default();
    if let Some(over) = &state.over {
        teller.ending(&mut draft, over);
    }
    let mut taken: BTreeMap<(u8, u8), Vec<String>> = BTreeMap::new();
    let back = |at: SpaceId| {
        let back = |e: &Event| matches!(e, Event::Counter(c) if c.at == at && c.recaptured);
        events.iter().any(back)
    };
    for event in events {
        let Event::Clash(clash) = event else { continue };
        let Some(by) = clash.captured else { continue };
        // The old holder keeps the country if returning armies took it back.
        if !back(clash.at) {
            taken.entry((by, clash.holder)).or_default().push(teller.place(clash.at));
        }
    }
    for ((seat, from), places) in taken {
        let (by, places) = (teller.actor(seat), some(&places, &say!("countries")));
        let text = match from {
            NOBODY => say!("{by} took {places} from nobody."),
            // The holder of a minor may attack it, too.
            from if from == seat => say!("{by} took {places}."),
            from => say!("{by} took {places} from {from}.", from = teller.who(from)),
        };
        draft.add(Weight::OwnGain, text);
    }
    teller.add_public(&mut draft, events);
    draft.sentences()
}

struct Teller<'a> {
    tables: &'a Tables,
    /// The names that players began with, by seat.
    names: Vec<&'a str>,
    /// Whether players are named by number only.
    compact: bool,
    reader: u8,
}

impl Teller<'_> {
    fn map(&self) -> &Map {
        &self.tables.map
    }

    /// `Norway (NO)`.
    fn place(&self, space: SpaceId) -> String {
        format!("{} ({})", self.map().name(space), self.map().code(space))
    }

    fn named(&self, seat: u8) -> String {
        match self.names.get(usize::from(seat).wrapping_sub(1)) {
            Some(name) if !self.compact => format!("{name} [{seat}]"),
            _ => say!("player {seat}"),
        }
    }

    /// A player's name at the start of a sentence.
    fn named_first(&self, seat: u8) -> String {
        match self.names.get(usize::from(seat).wrapping_sub(1)) {
            Some(_) if !self.compact => self.named(seat),
            _ => say!("Player {seat}"),
        }
    }

    /// The object of a sentence, if it is not the reader: `Sweden [8]`, `a minor`.
    fn who(&self, seat: u8) -> String {
        match seat {
            NOBODY => say!(whom: "a minor"),
            seat => self.named(seat),
        }
    }

    /// The subject of a sentence, if it is not the reader.
    fn actor(&self, seat: u8) -> String {
        match seat {
            NOBODY => say!("A minor"),
            seat => self.named_first(seat),
        }
    }

    /// The winners and how they won, and the reader's own result.
    fn ending(&self, draft: &mut Draft, over: &End) {
        let best = over.scores.iter().map(|(points, _)| *points).max().unwrap_or(0);
        let ending = self.tables.variant.ending;
        let won = |(points, rank): &(i64, u32)| match ending {
            Ending::Allies => *points == self.tables.figures.real.winner_points,
            _ => *rank == 1,
        };
        let seats = (1u8..).zip(&over.scores);
        let winners: Vec<u8> = seats.filter(|(_, s)| won(s)).map(|(seat, _)| seat).collect();
        // If there are many winners, only the first are named.
        let named = |(gap, seat): (u8, &u8)| {
            say!("{name}, {player},", name = self.named_first(*seat), player = Gap(gap))
        };
        let names: Vec<String> = (0..).zip(&winners).map(named).collect();
        let (who, turns) = (some(&names, &say!("players")), over.turn);
        let text = match (winners.len(), ending) {
            (0, _) => say!("The game is over after {turns} turns, and nobody has won."),
            (n, Ending::Last) => count!(
                n,
                "{who} has won after {turns} turns, as who lasted longest.",
                "{who} have won after {turns} turns, as who lasted longest."
            ),
            (n, Ending::Points) => count!(
                n,
                "{who} has won after {turns} turns, with {best} victory points.",
                "{who} have won after {turns} turns, with {best} victory points."
            ),
            (n, Ending::Allies) => count!(
                n,
                "{who} has won after {turns} turns, for all who are left are allies and its \
                 industry is large enough.",
                "{who} have won after {turns} turns, for all who are left are allies and their \
                 industry is large enough."
            ),
        };
        let players = winners.iter().map(|seat| Span::Player(Seat(*seat)));
        draft.add(Weight::End, Line::filled(&text, players));
        if let Some((points, rank)) = over.scores.get(usize::from(self.reader).wrapping_sub(1)) {
            let of = over.scores.len();
            let text = match ending {
                _ if winners.contains(&self.reader) => say!("You are a winner of this game."),
                Ending::Points => {
                    say!("You end on rank {rank} of {of}, with {points} victory points.")
                }
                Ending::Allies if *points > 0 => say!("You are a survivor of this game."),
                _ => say!("You end on rank {rank} of {of}."),
            };
            draft.add(Weight::End, text);
        }
    }

    /// Countries that changed hands and attacks that were beaten off. Returns whether the reader
    /// took any.
    fn battles(&self, draft: &mut Draft, view: &View) -> bool {
        let mut lost: BTreeMap<u8, Vec<String>> = BTreeMap::new();
        let mut gained: BTreeMap<u8, Vec<String>> = BTreeMap::new();
        let mut others: BTreeMap<u8, Vec<String>> = BTreeMap::new();
        let (mut held, mut beaten, mut raided): (Vec<String>, Vec<String>, Vec<String>) =
            Default::default();
        for clash in &view.clashes {
            let mine = clash.home.owner == self.reader;
            let place = self.place(clash.at);
            let own = || clash.attackers.iter().filter(|a| a.owner == self.reader);
            // The old holder keeps the country if returning armies took it back.
            match clash.captured.filter(|_| !taken_back(view, clash.at)) {
                Some(by) if by == self.reader => {
                    // The holder of a minor may attack it, too.
                    let from = if mine { NOBODY } else { clash.home.owner };
                    gained.entry(from).or_default().push(place);
                }
                Some(by) if mine => lost.entry(by).or_default().push(place),
                Some(by) => others.entry(by).or_default().push(place),
                // An attack on a minor that fails may also be the holder's own.
                None if mine
                    && clash.attackers.iter().any(|a| a.owner != self.reader && armies(a)) =>
                {
                    held.push(place);
                }
                None if own().any(armies) => beaten.push(place),
                None if own().next().is_some() => raided.push(place),
                None => {}
            }
        }
        let countries = |places: &[String]| some(places, &say!("countries"));
        for (by, places) in lost {
            let (places, by) = (countries(&places), self.who(by));
            draft.add(Weight::OwnLoss, say!("You lost {places} to {by}."));
        }
        let gains = !gained.is_empty();
        for (from, places) in gained {
            let places = countries(&places);
            let text = match from {
                NOBODY => say!("You took {places}."),
                seat => say!("You took {places} from {from}.", from = self.who(seat)),
            };
            draft.add(Weight::OwnGain, text);
        }
        if !beaten.is_empty() {
            let places = countries(&beaten);
            draft.add(Weight::OwnForces, say!("You attacked {places} in vain."));
        }
        if !raided.is_empty() {
            let places = countries(&raided);
            draft.add(Weight::Won, say!("You attacked {places} without armies."));
        }
        if !held.is_empty() {
            let places = countries(&held);
            draft.add(Weight::Won, say!("You held {places} against an attack."));
        }
        for (by, places) in others {
            let (by, places) = (self.actor(by), countries(&places));
            draft.add(Weight::Others, say!("{by} took {places}."));
        }
        gains
    }

    /// The seat's losses by arm, from its own diary. If the seat took countries, these come first
    /// and their cost after them.
    fn losses(&self, draft: &mut Draft, view: &View, gains: bool) {
        let mut lost: [BTreeMap<Arm, i64>; 2] = Default::default();
        let mut places: [BTreeSet<SpaceId>; 2] = Default::default();
        let captured = |at: SpaceId| {
            let by = |c: &SeenClash| c.at == at && c.captured == Some(self.reader);
            !taken_back(view, at) && view.clashes.iter().any(by)
        };
        for event in &view.events {
            let Event::Diary { entries, .. } = event else { continue };
            for entry in entries {
                let Entry::Fought { at, arm, lost: fallen, .. } = entry else { continue };
                if *fallen > 0 && !matches!(arm, Arm::Missile | Arm::Antimissile) {
                    let which = usize::from(captured(*at));
                    *lost[which].entry(*arm).or_default() += fallen;
                    places[which].insert(*at);
                }
            }
        }
        let elsewhere = if gains { Weight::Won } else { Weight::OwnForces };
        for (which, weight) in [(0, elsewhere), (1, Weight::Won)] {
            let units: Vec<String> = lost[which].iter().map(|(arm, n)| units(*n, *arm)).collect();
            if units.is_empty() {
                continue;
            }
            let places: Vec<String> = places[which].iter().map(|at| self.place(*at)).collect();
            let units = some(&units, &say!("kinds of units"));
            let places = some(&places, &say!("spaces"));
            let text = match which {
                1 => say!("It cost you {units} to take {places}."),
                _ => say!("You lost {units} in {places}."),
            };
            draft.add(weight, text);
        }
    }

    fn at_sea(&self, draft: &mut Draft, clash: &SeaClash) {
        let lost = |own: bool| -> i64 {
            let sides = clash.sides.iter().filter(|(s, _)| (*s == self.reader) == own);
            sides.flat_map(|(_, counts)| counts).map(|c| c.lost).sum()
        };
        if !clash.sides.iter().any(|(s, _)| *s == self.reader) {
            return;
        }
        let others: Vec<String> = clash
            .sides
            .iter()
            .filter(|(s, _)| *s != self.reader)
            .map(|(s, _)| self.who(*s))
            .collect();
        let place = self.place(clash.at);
        let others = match others.len() {
            0..=2 => some(&others, &say!("players")),
            n => count!(n, "{n} player", "{n} players"),
        };
        let weight = if lost(true) > lost(false) { Weight::OwnForces } else { Weight::Won };
        let units = |n: i64| count!(n, "{n} unit", "{n} units");
        let (own, theirs) = (units(lost(true)), units(lost(false)));
        draft.add(
            weight,
            say!("You fought {others} at sea, in {place}: you lost {own}, they lost {theirs}."),
        );
    }

    /// Adds the events that everybody knows.
    fn add_public(&self, draft: &mut Draft, events: &[Event]) {
        let (mut risen, mut out, mut caught): (BTreeMap<u8, Vec<String>>, Vec<u8>, Vec<String>) =
            Default::default();
        for event in events {
            match event {
                Event::Revolution { at, was } => {
                    risen.entry(*was).or_default().push(self.place(*at));
                }
                Event::Out { seat } if *seat == self.reader => {
                    let text = say!("You hold no space any more: the game is over for you.");
                    draft.add(Weight::End, text);
                }
                Event::Out { seat } => out.push(*seat),
                Event::Caught { player, at, spies } if *player == self.reader => {
                    caught.push(say!("{spies} in {place}", place = self.place(*at)));
                }
                _ => {}
            }
        }
        for (was, places) in risen {
            let places = some(&places, &say!("countries"));
            match was == self.reader {
                true => draft.add(Weight::OwnLoss, say!("You lost {places} by revolution.")),
                false => {
                    let who = self.actor(was);
                    draft.add(Weight::Others, say!("{who} lost {places} by revolution."));
                }
            }
        }
        if !caught.is_empty() {
            let caught = some(&caught, &say!("places"));
            // A spy is cheap, so conquests and losses come first.
            draft.add(Weight::Contact, say!("Your spies were caught: {caught}."));
        }
        if !out.is_empty() {
            let names: Vec<String> = out.iter().map(|s| self.actor(*s)).collect();
            let text = count!(
                n = out.len(),
                "{who} holds nothing any more and left the game.",
                "{who} hold nothing any more and left the game.",
                who = some(&names, &say!("players"))
            );
            draft.add(Weight::Others, text);
        }
    }

    /// Messages and gifts.
    fn post(&self, draft: &mut Draft, events: &[Event]) {
        let mut writers: BTreeSet<u8> = BTreeSet::new();
        let mut given: BTreeMap<u8, Vec<String>> = BTreeMap::new();
        for event in events {
            match event {
                Event::Letter { from, .. } => {
                    writers.insert(from.unwrap_or(NOBODY));
                }
                Event::Wire { from, .. } => {
                    writers.insert(*from);
                }
                Event::GiftOfDollars { from, to, dollars } if *to == self.reader => {
                    let gift = count!(n = *dollars, "{n} Dollar", "{n} Dollars");
                    given.entry(*from).or_default().push(gift);
                }
                Event::GiftOfForces { from, to, at, arm, n } if *to == self.reader => {
                    let (units, place) = (units(*n, *arm), self.place(*at));
                    let gift = say!("{units} at {place}");
                    given.entry(*from).or_default().push(gift);
                }
                _ => {}
            }
        }
        for (from, gifts) in given {
            let (from, gifts) = (self.actor(from), some(&gifts, &say!("gifts")));
            draft.add(Weight::OwnGain, say!("{from} gave you {gifts}."));
        }
        let name = |seat: &u8| match *seat {
            NOBODY => say!("Somebody without a name"),
            seat => self.actor(seat),
        };
        let writers: Vec<String> = writers.iter().map(name).collect();
        if !writers.is_empty() {
            let who = some(&writers, &say!("players"));
            draft.add(Weight::Contact, say!("{who} wrote to you."));
        }
    }
}

/// Whether a side came with an army, as far as the seat knows.
fn armies(side: &SeenSide) -> bool {
    side.kinds[0] != Known::Nothing
}

/// Whether the conqueror of a country lost it in the counter-attack. A revolution is not counted.
fn taken_back(view: &View, at: SpaceId) -> bool {
    view.counters.iter().any(|(counter, _)| counter.at == at && counter.recaptured)
}

/// The seat's position in numbers.
fn standing(view: &View, teller: &Teller) -> Vec<Line> {
    let own = view.public(view.seat).countries;
    let countries = count!(n = own, "{n} country", "{n} countries");
    let left = view.players.iter().filter(|p| !p.out).count();
    let all = view.players.len();
    if view.is_out() {
        return vec![
            say!("You hold no space and give no orders.").into(),
            say!("Players who are left: {left} of {all}.").into(),
            say!("From here on you get no printouts until the game is over.").into(),
        ];
    }
    let industry: i64 = view.position.holdings.values().map(|h| h.stock(Arm::Industry)).sum();
    let cents = hundredths(view.position.player.cents);
    if view.turn < 2 {
        return beginning(view, teller, industry);
    }
    let more = view.players.iter().filter(|p| p.countries > own).count();
    let held = match more {
        0 => say!("You hold {countries}; nobody holds more."),
        n => count!(
            n,
            "You hold {countries}; {n} player holds more.",
            "You hold {countries}; {n} players hold more."
        ),
    };
    vec![
        held.into(),
        say!("Your industry is {industry}, and you have {cents} Dollars.").into(),
        say!("Players who are left: {left} of {all}.").into(),
    ]
}

/// The first headline: who the player is, where the game begins, what to do first.
fn beginning(view: &View, teller: &Teller, industry: i64) -> Vec<Line> {
    let map = &view.tables.map;
    let owner = |s: SpaceId| view.owners.get(usize::from(s.0)).copied().unwrap_or(NOBODY);
    let owned = |s: &SpaceId| owner(*s) == view.seat;
    let own: Vec<SpaceId> = map.countries().filter(owned).collect();
    let names: Vec<String> = own.iter().map(|s| teller.place(*s)).collect();
    let (who, all) = (teller.named(view.seat), view.players.len());
    let near: BTreeSet<SpaceId> = own
        .iter()
        .flat_map(|s| map.neighbours(*s))
        .copied()
        .filter(|s| !map.is_sea(*s) && owner(*s) == NOBODY)
        .collect();
    let near: Vec<String> = near.iter().map(|s| teller.place(*s)).collect();
    let first = match near.is_empty() {
        true => say!("First spend your Dollars, and say who is your ally."),
        false => {
            let near = some(&near, &say!("minors"));
            say!("First spend your Dollars; minors beside you are {near}.")
        }
    };
    let cents = hundredths(view.position.player.cents);
    let places = some(&names, &say!("countries"));
    vec![
        say!("You are {who}, one of {all} players, and begin in {places}.").into(),
        say!("Your industry is {industry}, and you have {cents} Dollars.").into(),
        first.into(),
    ]
}

/// What needs orders: Dollars, forces without a standing order.
fn needs(view: &View) -> Vec<Line> {
    if view.over.is_some() || view.is_out() {
        return Vec::new();
    }
    let mut needs: Vec<Line> = Vec::new();
    let cents = view.position.player.cents;
    if cents >= 100 {
        needs
            .push(say!("You have {dollars} Dollars to spend.", dollars = hundredths(cents)).into());
    }
    let waits = |arm: Arm| -> i64 {
        let idle = |h: &&Holding| match h {
            // A minor can't move.
            Holding::Land(c) => {
                !c.is_minor() && c.standing.iter().flatten().all(|o| o.verb.arm() != arm)
            }
            Holding::Sea(_) => true,
        };
        view.position.holdings.values().filter(idle).map(|h| h.stock(arm)).sum()
    };
    let arms = [Arm::Army, Arm::Navy, Arm::Air, Arm::Missile];
    let waiting: Vec<String> = arms
        .iter()
        .map(|arm| (*arm, waits(*arm)))
        .filter(|(_, n)| *n > 0)
        .map(|(arm, n)| units(n, arm))
        .collect();
    if !waiting.is_empty() {
        let waiting = waiting.join(", ");
        needs.push(say!("Without a standing order: {waiting}.").into());
    }
    needs
}
