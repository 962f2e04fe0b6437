//! What a printout says first (§10), and the same for everybody when the game is over.

use std::collections::{BTreeMap, BTreeSet};

use engine::headline::{Draft, Weight, counted, sentence, some, some_spans, words};
use engine::report::{Line, Span};
use engine::{Headline, Seat};

use super::map::Place;
use super::picture::colour;
use super::state::{End, Event, State, Why};
use super::turn::{Hit, Shot};
use super::view::{Scene, View};

/// A reader who is nobody's seat: everything is told in the third person.
const EVERYBODY: Seat = Seat(u8::MAX);

/// The headline of a seat.
pub fn headline(view: &View) -> Headline {
    let mut headline = draft(view).finish(standing(view), needs(view));
    if !view.whole {
        // A turn is told in diaries when it is over.
        headline.told = 0;
    }
    headline
}

/// A turn as everybody may read it, once it is over.
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
        let by = view.to_move().map_or("Somebody", colour);
        let (from, to) = (place(view, target.from), place(view, target.to));
        let (here, there) = target.armies;
        draft.say(
            Weight::OwnLoss,
            format!("{by} attacks {to} from {from}, {here} against {there}: your guess is asked."),
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
    fn actor(&self, seat: Seat) -> &'static str {
        if seat == self.reader { "You" } else { colour(seat) }
    }

    fn who(&self, seat: Seat) -> &'static str {
        if seat == self.reader { "you" } else { colour(seat) }
    }

    /// Who has won and how.
    fn ending(&self, draft: &mut Draft, end: &End) {
        let named = |seat: &Seat| {
            vec![words(format!("{} (", colour(*seat))), Span::Player(*seat), words(")")]
        };
        let names: Vec<Vec<Span>> = end.winners.iter().map(named).collect();
        let won = if end.winners.len() == 1 { " has won" } else { " share the draw" };
        let why = match end.why {
            Why::Last => "nobody else is left",
            Why::Nobody => "nobody is left",
            Why::Votes => "all voted for it",
            Why::Rounds => "the last round was played",
        };
        match names.is_empty() {
            true => draft.say(Weight::End, format!("The game is over without a winner: {why}.")),
            false => {
                let how = vec![words(format!("{won}: {why}."))];
                draft.say(Weight::End, sentence([some_spans(names, "players"), how]));
            }
        }
        if self.reader != EVERYBODY {
            let how = match end.winners.contains(&self.reader) {
                true => "You are among the winners of this game.",
                false => "You have not won this game.",
            };
            draft.say(Weight::End, how);
        }
    }

    /// Attacks, joined by attacker and defender.
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
                let taken = some(&all.taken, "regions");
                match mine {
                    true => {
                        draft.say(Weight::OwnLoss, format!("You lost {taken} to {}.", colour(by)))
                    }
                    false => {
                        let weight = match own || self.reader == EVERYBODY {
                            true => Weight::OwnGain,
                            false => Weight::Others,
                        };
                        let (by, of) = (self.actor(by), self.who(of));
                        draft.say(weight, format!("{by} took {taken} from {of}."));
                    }
                }
            }
            let held = |map: BTreeMap<String, u32>| {
                let kept = map.into_iter().filter(|(at, _)| !all.taken.contains(at));
                let (places, counts): (Vec<String>, Vec<u32>) = kept.unzip();
                let count: u32 = counts.iter().sum();
                (some(&places, "regions"), count)
            };
            let (places, won) = held(all.won.clone());
            if won > 0 && (own || mine) {
                let times = counted(won, "attack", "attacks");
                let (weight, text) = match mine {
                    true => {
                        let by = colour(by);
                        (
                            Weight::OwnForces,
                            format!("You lost armies in {times} of {by} on {places}."),
                        )
                    }
                    false => (Weight::Won, format!("You won {times} of yours on {places}.")),
                };
                draft.say(weight, text);
            }
            let (places, failed) = held(all.failed.clone());
            if failed > 0 && (own || mine) {
                let times = counted(failed, "attack", "attacks");
                let (weight, text) = match mine {
                    true => {
                        let by = colour(by);
                        (Weight::Won, format!("You beat off {times} of {by} on {places}."))
                    }
                    false => (Weight::OwnForces, format!("You lost {times} of yours on {places}.")),
                };
                draft.say(weight, text);
            }
        }
    }

    fn shot(&self, draft: &mut Draft, by: Seat, shot: &Shot) {
        let (from, to) = (place(self.view, shot.from), place(self.view, shot.to));
        let (kind, lost) = (shot.kind.name(), shot.lost());
        let all: u32 = lost.values().sum();
        let own = lost.get(&self.reader).copied().unwrap_or(0);
        let what = format!("{} fired the {kind} of {from} at {to}", self.actor(by));
        let (weight, text) = match own {
            0 if by == self.reader => (Weight::Won, format!("{what}: {} fell.", armies(all))),
            0 => (Weight::Others, format!("{what}: {} fell.", armies(all))),
            own => (Weight::OwnLoss, format!("{what}: you lost {}.", armies(own))),
        };
        draft.say(weight, text);
    }

    fn others(&self, draft: &mut Draft) {
        let mut writers: BTreeSet<Seat> = BTreeSet::new();
        let mut unnamed = false;
        let mut picked: BTreeMap<Seat, Vec<String>> = BTreeMap::new();
        for event in &self.view.events {
            match event {
                Event::Picked(seat, at) => {
                    picked.entry(*seat).or_default().push(place(self.view, *at));
                }
                Event::Shot(seat, shot) => self.shot(draft, *seat, shot),
                Event::Out(seat) if *seat == self.reader => {
                    draft.say(Weight::End, "You have no army left and are out of the game.");
                }
                Event::Out(seat) => draft.say(
                    Weight::Others,
                    format!("{} has no army left and is out of the game.", colour(*seat)),
                ),
                Event::Garrison(seat) if *seat != self.reader => draft.say(
                    Weight::Others,
                    format!("{} is played by nobody any more.", colour(*seat)),
                ),
                Event::Voted(seat, true) if *seat != self.reader => {
                    draft.say(Weight::Contact, format!("{} votes for a draw.", colour(*seat)))
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
        for (seat, places) in picked {
            let own = seat == self.reader || self.reader == EVERYBODY;
            let weight = if own { Weight::OwnGain } else { Weight::Others };
            let places = some(&places, "mountains");
            draft.say(weight, format!("{} took {places} in the draft.", self.actor(seat)));
        }
        let mut writers: Vec<String> = writers.iter().map(|s| colour(*s).to_owned()).collect();
        if unnamed {
            writers.push("somebody without a name".to_owned());
        }
        if !writers.is_empty() {
            let text = format!("{} wrote to you.", some(&writers, "players"));
            draft.say(
                Weight::Contact,
                text.replacen("somebody", "Somebody", usize::from(writers.len() == 1)),
            );
        }
    }
}

fn armies(n: u32) -> String {
    counted(n, "army", "armies")
}

/// How things stand.
fn standing(view: &View) -> Vec<Line> {
    let (seat, board) = (view.seat, &view.board);
    let (regions, empires) = (board.held(seat).count(), board.empires(seat).len());
    let left = view.seats().filter(|s| view.plays(*s)).count();
    let all = view.seats().count();
    let first = match &view.scene {
        Scene::Draft(_) => format!("You are {}, one of {all} players.", colour(seat)),
        _ => format!(
            "You are {} and hold {} in {}, with {}.",
            colour(seat),
            counted(regions as i64, "region", "regions"),
            counted(empires as i64, "empire", "empires"),
            armies(board.total(seat))
        ),
    };
    let second = match (&view.scene, view.to_move()) {
        (Scene::Draft(draft), _) => {
            format!("Round {} of the draft: mountains to begin on are taken.", draft.round)
        }
        (Scene::Over(_), _) | (_, None) => "Nobody moves any more.".to_owned(),
        (_, Some(mover)) if mover == seat => format!("Round {}: it is your turn.", view.round),
        (_, Some(mover)) => format!("Round {}: it is the turn of {}.", view.round, colour(mover)),
    };
    vec![first.into(), second.into(), format!("Players still in the game: {left} of {all}.").into()]
}

/// What needs orders: a guess, a pick, a turn.
fn needs(view: &View) -> Vec<Line> {
    let mut needs: Vec<Line> = Vec::new();
    if view.asked().is_some() {
        needs.push("Your guess is asked for.".into());
    }
    if view.picks() {
        needs.push("Your wishes for mountains are awaited.".into());
    }
    if view.own_turn().is_some() {
        let claim: u32 = view.board.empires(view.seat).iter().map(|e| view.board.extra(e)).sum();
        let extra = match claim {
            0 => "moves and attacks".to_owned(),
            n => {
                format!("{} to place, moves and attacks", counted(n, "extra army", "extra armies"))
            }
        };
        needs.push(format!("Your turn is awaited: {extra}.").into());
    }
    needs
}
