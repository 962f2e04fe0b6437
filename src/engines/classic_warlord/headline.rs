//! The first sentences of a printout (§10), and those for everybody when the game is over.

use std::collections::{BTreeMap, BTreeSet};

use engine::headline::{Draft, Weight, some, some_spans};
use engine::report::{Gap, Line, Span};
use engine::{Headline, Headlines, Seat};
use tongue::{count, mark, say, word};

use super::map::Place;
use super::picture::colour;
use super::report::{who, why};
use super::state::{End, Event, State};
use super::turn::{Hit, Phase, Referee, Shot};
use super::view::{Scene, View};
use crate::ClassicWarlord;

impl Headlines for ClassicWarlord {
    fn headline(view: &View) -> Headline {
        headline(view)
    }

    fn chronicle(state: &State, events: &[Event]) -> Vec<Line> {
        chronicle(state, events)
    }
}

/// A reader without a seat, who gets everything in the third person.
const EVERYBODY: Seat = Seat(u8::MAX);

/// The headline of a seat.
pub fn headline(view: &View) -> Headline {
    let mut headline = draft(view).finish(standing(view), needs(view));
    if !view.whole {
        // A diary reports a turn only when it is over.
        headline.told = 0;
    }
    headline
}

/// The sentences about a turn for everybody, once it is over.
pub fn chronicle(state: &State, events: &[Event]) -> Vec<Line> {
    let view = View::of(state, events, EVERYBODY);
    if view.whole { draft(&view).sentences() } else { Vec::new() }
}

fn place(view: &View, at: Place) -> String {
    let region = view.board.map().region(at);
    format!("{} ({})", region.name, region.number)
}

fn draft(view: &View) -> Draft {
    let teller = Teller { view, reader: view.seat };
    let mut draft = Draft::default();
    if let Scene::Over(end) = &view.scene {
        teller.ending(&mut draft, end);
    }
    if let Some(asked) = view.asked() {
        let target = &asked.target;
        let by = view.to_move().map_or_else(|| say!("Somebody").into(), colour);
        let (from, to) = (place(view, target.from), place(view, target.to));
        let (here, there) = target.armies;
        draft.add(
            Weight::OwnLoss,
            say!("{by} attacks {to} from {from}, {here} against {there}: your guess is asked."),
        );
    }
    teller.fights(&mut draft);
    teller.others(&mut draft);
    draft
}

/// Attacks of one seat on another, by region.
#[derive(Default)]
struct Attacks {
    taken: Vec<String>,
    won: BTreeMap<String, u32>,
    failed: BTreeMap<String, u32>,
}

struct Teller<'a> {
    view: &'a View,
    reader: Seat,
}

impl Teller<'_> {
    /// Says who has won and how.
    fn ending(&self, draft: &mut Draft, end: &End) {
        let names: Vec<Vec<Span>> = end.winners.iter().map(|seat| who(*seat)).collect();
        let why = why(end);
        match names.is_empty() {
            true => draft.add(Weight::End, say!("The game is over without a winner: {why}.")),
            false => {
                let text = count!(
                    n = names.len(),
                    "{who} has won: {why}.",
                    "{who} share the draw: {why}.",
                    who = Gap(0)
                );
                let names = some_spans(names, mark!("players"));
                draft.add(Weight::End, Line::filled_with(&text, [names]));
            }
        }
        if self.reader != EVERYBODY {
            let how = match end.winners.contains(&self.reader) {
                true => say!("You are among the winners of this game."),
                false => say!("You have not won this game."),
            };
            draft.add(Weight::End, how);
        }
    }

    /// Reports attacks, joined by attacker and defender.
    fn fights(&self, draft: &mut Draft) {
        let mut attacks: BTreeMap<(Seat, Seat), Attacks> = BTreeMap::new();
        for event in &self.view.events {
            let Event::Struck(seat, strike) = event else { continue };
            let of = attacks.entry((*seat, strike.target.defender)).or_default();
            let to = place(self.view, strike.target.to);
            match strike.hit {
                Hit::Captured => of.taken.push(to),
                Hit::Won => *of.won.entry(to).or_default() += 1,
                Hit::Failed => *of.failed.entry(to).or_default() += 1,
            }
        }
        for ((by, of), all) in attacks {
            let (own, mine) = (by == self.reader, of == self.reader);
            if !all.taken.is_empty() {
                let taken = some(&all.taken, mark!("regions"));
                let (by, of) = (colour(by), colour(of));
                let (weight, text) = match (mine, own) {
                    (true, _) => (Weight::OwnLoss, say!("You lost {taken} to {by}.")),
                    (false, true) => (Weight::OwnGain, say!("You took {taken} from {of}.")),
                    (false, false) => {
                        let all = self.reader == EVERYBODY;
                        let weight = if all { Weight::OwnGain } else { Weight::Others };
                        (weight, say!("{by} took {taken} from {of}."))
                    }
                };
                draft.add(weight, text);
            }
            let held = |map: BTreeMap<String, u32>| {
                let kept = map.into_iter().filter(|(at, _)| !all.taken.contains(at));
                let (places, counts): (Vec<String>, Vec<u32>) = kept.unzip();
                let count: u32 = counts.iter().sum();
                (some(&places, mark!("regions")), count)
            };
            if own || mine {
                let (places, won) = held(all.won.clone());
                self.on_held(draft, by, (true, won), &places);
                let (places, failed) = held(all.failed.clone());
                self.on_held(draft, by, (false, failed), &places);
            }
        }
    }

    /// Reports attacks by or on the reader that took no region: their result and number.
    fn on_held(&self, draft: &mut Draft, by: Seat, (won, n): (bool, u32), places: &str) {
        if n == 0 {
            return;
        }
        let own = by == self.reader;
        let by = colour(by);
        let (weight, text) = match (own, won) {
            (false, true) => (
                Weight::OwnForces,
                count!(
                    won = n,
                    "You lost armies in {won} attack of {by} on {places}.",
                    "You lost armies in {won} attacks of {by} on {places}."
                ),
            ),
            (true, true) => (
                Weight::Won,
                count!(
                    won = n,
                    "You won {won} attack of yours on {places}.",
                    "You won {won} attacks of yours on {places}."
                ),
            ),
            (false, false) => (
                Weight::Won,
                count!(
                    failed = n,
                    "You beat off {failed} attack of {by} on {places}.",
                    "You beat off {failed} attacks of {by} on {places}."
                ),
            ),
            (true, false) => (
                Weight::OwnForces,
                count!(
                    failed = n,
                    "You lost {failed} attack of yours on {places}.",
                    "You lost {failed} attacks of yours on {places}."
                ),
            ),
        };
        draft.add(weight, text);
    }

    fn shot(&self, draft: &mut Draft, by: Seat, shot: &Shot) {
        let (from, to) = (place(self.view, shot.from), place(self.view, shot.to));
        let (kind, lost) = (word(shot.kind.name()), shot.lost());
        let all: u32 = lost.values().sum();
        let own = lost.get(&self.reader).copied().unwrap_or(0);
        let what = match by == self.reader {
            true => say!("You fired the {kind} of {from} at {to}"),
            false => say!("{by} fired the {kind} of {from} at {to}", by = colour(by)),
        };
        let weight = match (by == self.reader, own) {
            (true, own) if own < all || own == 0 => Weight::Won,
            (_, 0) => Weight::Others,
            _ => Weight::OwnLoss,
        };
        let text = match own {
            0 => count!(all, "{what}: {all} army fell.", "{what}: {all} armies fell."),
            own if own == all => {
                count!(own, "{what}: you lost {own} army.", "{what}: you lost {own} armies.")
            }
            own => count!(all, both: "{what}: {all} armies fell, {own} of them yours."),
        };
        draft.add(weight, text);
    }

    fn others(&self, draft: &mut Draft) {
        let mut writers: BTreeSet<Seat> = BTreeSet::new();
        let mut unnamed = false;
        let mut picked: BTreeMap<Seat, Vec<String>> = BTreeMap::new();
        // If a player voted several times, the last vote counts.
        let mut voters: BTreeSet<Seat> = BTreeSet::new();
        for event in &self.view.events {
            match event {
                Event::Picked(seat, at) => {
                    picked.entry(*seat).or_default().push(place(self.view, *at));
                }
                Event::Shot(seat, shot) => self.shot(draft, *seat, shot),
                Event::Out(seat) if *seat == self.reader => {
                    draft.add(Weight::End, say!("You have no army left and are out of the game."));
                }
                Event::Out(seat) => draft.add(
                    Weight::Others,
                    say!("{who} has no army left and is out of the game.", who = colour(*seat)),
                ),
                Event::Garrison(seat) if *seat != self.reader => draft.add(
                    Weight::Others,
                    say!("{who} is played by nobody any more.", who = colour(*seat)),
                ),
                Event::Voted(seat, true) if *seat != self.reader => {
                    voters.insert(*seat);
                }
                Event::Voted(seat, false) => {
                    voters.remove(seat);
                }
                Event::Letter(letter) if self.reader != EVERYBODY => match letter.from {
                    Some(seat) => {
                        writers.insert(seat);
                    }
                    None => unnamed = true,
                },
                _ => {}
            }
        }
        for seat in voters {
            let text = say!("{who} votes for a draw.", who = colour(seat));
            draft.add(Weight::Contact, text);
        }
        for (seat, places) in picked {
            let own = seat == self.reader || self.reader == EVERYBODY;
            let weight = if own { Weight::OwnGain } else { Weight::Others };
            let places = some(&places, mark!("mountains"));
            let text = match seat == self.reader {
                true => say!("You took {places} in the draft."),
                false => say!("{who} took {places} in the draft.", who = colour(seat)),
            };
            draft.add(weight, text);
        }
        let mut writers: Vec<String> = writers.iter().map(|s| colour(*s).into_owned()).collect();
        if unnamed && writers.is_empty() {
            draft.add(Weight::Contact, say!("Somebody without a name wrote to you."));
            return;
        }
        if unnamed {
            writers.push(say!("somebody without a name"));
        }
        if !writers.is_empty() {
            let who = some(&writers, mark!("players"));
            draft.add(Weight::Contact, say!("{who} wrote to you."));
        }
    }
}

/// Sentences about the current position.
fn standing(view: &View) -> Vec<Line> {
    let (seat, board) = (view.seat, &view.board);
    let (regions, empires) = (board.held(seat).count(), board.empires(seat).len());
    let left = view.seats().filter(|s| view.plays(*s)).count();
    let all = view.seats().count();
    let first = match &view.scene {
        Scene::Draft(_) => say!("You are {who}, one of {all} players.", who = colour(seat)),
        _ => say!(
            "You are {who} and hold {regions} in {empires}, with {armies}.",
            who = colour(seat),
            regions = count!(n = regions, "{n} region", "{n} regions"),
            empires = count!(n = empires, "{n} empire", "{n} empires"),
            armies = count!(all = board.total(seat), "{all} army", "{all} armies")
        ),
    };
    let round = view.round;
    let second = match (&view.scene, view.to_move()) {
        (Scene::Draft(draft), _) => {
            let round = draft.round;
            say!("Round {round} of the draft: mountains to begin on are taken.")
        }
        (Scene::Over(_), _) | (_, None) => say!("Nobody moves any more."),
        (_, Some(mover)) if mover == seat => say!("Round {round}: it is your turn."),
        (_, Some(mover)) => {
            say!("Round {round}: it is the turn of {who}.", who = colour(mover))
        }
    };
    vec![first.into(), second.into(), say!("Players still in the game: {left} of {all}.").into()]
}

/// What needs orders: a guess, a pick, a turn.
fn needs(view: &View) -> Vec<Line> {
    let mut needs: Vec<Line> = Vec::new();
    if view.asked().is_some() {
        needs.push(say!("Your guess is asked for.").into());
    }
    if view.picks() {
        needs.push(say!("Your wishes for mountains are awaited.").into());
    }
    if let Some(turn) = view.own_turn() {
        // In a later part of a turn the extra armies are already placed, so they are not claimed
        // again.
        let claim: u32 = match turn.phase > Phase::Armies {
            true => 0,
            false => {
                let (mut board, mut turn) = (view.board.clone(), turn.clone());
                let options = &view.options;
                let mut referee = Referee { board: &mut board, turn: &mut turn, options };
                referee.claim().iter().map(|pool| pool.left).sum()
            }
        };
        let need = match claim {
            0 => say!("Your turn is awaited: moves and attacks."),
            n => count!(
                n,
                "Your turn is awaited: {n} extra army to place, moves and attacks.",
                "Your turn is awaited: {n} extra armies to place, moves and attacks."
            ),
        };
        needs.push(need.into());
    }
    needs
}
