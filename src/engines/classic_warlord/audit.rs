//! The invariants after every step (§5.7), and numbers for statistics.
//!
//! The audit applies the events of a step to the board as it was before, by counting and without
//! the referee. The result must equal the board after the step.

use crate::ClassicWarlord;
use engine::report::{Chart, Series, Who};
use engine::{Audits, Input, Seat, Standing, Tally};
use tongue::mark;

use super::board::{Board, Kind, Land};
use super::map::Place;
use super::state::{Event, Stage, State};
use super::tables::Advance;
use super::turn::{Hit, Shot, Strike};

impl Audits for ClassicWarlord {
    fn audit(before: (&State, &[Event]), input: &Input, after: (&State, &[Event])) -> Vec<String> {
        audit(before.0, input, after)
    }

    fn tally(state: &State, events: &[Event]) -> Tally {
        tally(state, events)
    }

    fn charts(state: &State) -> Vec<Chart> {
        charts(state)
    }
}

/// Every invariant that a step broke.
pub fn audit(before: &State, _: &Input, (after, events): (&State, &[Event])) -> Vec<String> {
    let mut check = Check { board: before.board.clone(), mover: None, wrong: Vec::new() };
    check.mover = before.to_move();
    for event in events {
        check.event(before, event);
    }
    for place in after.board.map().places() {
        let (is, told) = (after.board.land(place), check.board.land(place));
        if is != told {
            let at = after.board.map().called(place);
            check.wrong.push(format!("{at} is {is:?}, and the events make it {told:?}"));
        }
    }
    let mut wrong = check.wrong;
    let mut must = |holds: bool, what: &str| {
        if !holds {
            wrong.push(what.to_owned());
        }
    };
    must(after.step == before.step + 1, "the step was not counted");
    must(after.options == before.options && after.order == before.order, "the rules have changed");
    for land in &after.board.lands {
        must(
            land.owner.is_some() == (land.armies > 0),
            "armies without an owner, or none with one",
        );
        must(!land.splat || *land == Land { splat: true, ..Land::default() }, "life on a splat");
        must(land.bomb.is_none_or(|b| b.units > 0), "a bomb without units");
    }
    let drafting = matches!(after.stage, Stage::Draft(_));
    for seat in after.seats() {
        let out = after.side(seat).is_some_and(|s| s.out.is_some());
        must(drafting || out != after.board.lives(seat), "who has no army is out, and nobody else");
        let lines = after.side(seat).map_or(0, |s| s.policies.len());
        must(lines <= after.options.limits.policies, "too many lines of guesses");
        let cap = after.options.army_cap;
        let (was, is) = (before.board.total(seat), after.board.total(seat));
        must(cap == 0 || is <= cap.max(was), "more armies than counters");
    }
    match &after.stage {
        Stage::Over(_) => must(after.awaited().is_empty(), "somebody is awaited after the end"),
        Stage::Turn(turn) => must(after.plays(turn.seat), "the turn of one who does not play"),
        Stage::Challenge(turn, challenge) => {
            must(after.plays(turn.seat), "an attack of one who does not play");
            must(challenge.target.bounds.numbers().contains(&challenge.number), "a number beyond");
            must(challenge.target.defender != turn.seat, "an attack on oneself");
        }
        Stage::Draft(draft) => must(!draft.left.is_empty(), "a draft that nobody picks in"),
    }
    let playing = after.playing().len();
    let over = matches!(after.stage, Stage::Over(_));
    must(drafting || over || playing > 1, "one alone plays on");
    must(
        !matches!(before.stage, Stage::Over(_)) || before.board == after.board && events.is_empty(),
        "something happened after the end",
    );
    wrong
}

struct Check {
    board: Board,
    mover: Option<Seat>,
    wrong: Vec<String>,
}

impl Check {
    fn must(&mut self, holds: bool, what: &str) {
        if !holds {
            self.wrong.push(what.to_owned());
        }
    }

    fn change(&mut self, at: Place, change: impl FnOnce(&mut Land)) {
        change(&mut self.board.lands[usize::from(at.0)]);
    }

    fn event(&mut self, before: &State, event: &Event) {
        match event {
            Event::Picked(seat, at) => {
                self.must(self.board.owner(*at).is_none(), "a mountain was taken twice");
                let near: Vec<Place> = self.board.map().near(*at).collect();
                let mountains = |p: &&Place| {
                    self.board.map().category(**p) == super::map::Category::Mountains
                        && self.board.owner(**p).is_some()
                };
                let free = near.iter().find(mountains).is_none();
                self.must(free, "a mountain next to an occupied one");
                self.change(*at, |l| (l.owner, l.armies) = (Some(*seat), 1));
            }
            Event::Shot(seat, shot) => self.shot(*seat, shot),
            Event::Placed(seat, placed, _) => {
                self.must(self.mover == Some(*seat), "armies of one who is not to move");
                for (at, n) in placed {
                    self.must(self.board.holds(*seat, *at), "armies on a region of another");
                    self.change(*at, |l| l.armies += n);
                }
            }
            Event::Marched(seat, from, to, n) => {
                self.must(self.board.holds(*seat, *from), "a move from a region of another");
                self.must(self.board.armies(*from) > *n && *n > 0, "no army stayed");
                self.must(self.board.map().touch(*from, *to), "a move over more than a boundary");
                self.must(self.board.owner(*to).is_none(), "a move to a region that is held");
                self.must(!self.board.land(*to).splat, "a move to a splat");
                self.change(*from, |l| l.armies -= n);
                self.change(*to, |l| (l.owner, l.armies) = (Some(*seat), *n));
            }
            Event::Struck(seat, strike) => self.strike(before, *seat, strike),
            Event::Claimed(seat, _) => self.must(self.mover == Some(*seat), "a claim of another"),
            _ => {}
        }
    }

    fn shot(&mut self, seat: Seat, shot: &Shot) {
        let bomb = self.board.bomb(shot.from);
        self.must(self.board.holds(seat, shot.from), "a bomb of another was fired");
        self.must(bomb.is_some_and(|b| b.kind == shot.kind), "a bomb that was not there");
        let far = self.board.map().distances(shot.from)[usize::from(shot.to.0)];
        let reach = bomb.map_or(0, |b| b.units);
        self.must(far.is_some_and(|d| d <= reach), "a bomb flew farther than its units");
        self.must((shot.kind == Kind::A) == shot.unit.is_some(), "an A-bomb wins an H-unit");
        self.change(shot.from, |l| l.bomb = None);
        let mut fallen = Vec::new();
        for at in &shot.devastated {
            let land = *self.board.land(*at);
            if let Some(owner) = land.owner {
                fallen.push((*at, owner, land.armies));
            }
            let chained = shot.chain.iter().any(|(p, _)| p == at);
            self.must(land.bomb.is_none() || chained, "a bomb was hit and did not go off");
            self.change(*at, |l| *l = Land { splat: l.splat, ..Land::default() });
        }
        self.must(fallen == shot.fallen, "armies lost are not those that stood there");
        for at in &shot.splats {
            self.must(shot.devastated.contains(at), "a splat beyond the devastation");
            self.change(*at, |l| l.splat = true);
        }
        if let Some(unit) = shot.unit {
            self.must(self.board.holds(seat, unit), "an H-unit on a region of another");
            self.add_unit(unit, Kind::H);
        }
    }

    fn add_unit(&mut self, at: Place, kind: Kind) {
        let bomb = self.board.bomb(at);
        self.must(bomb.is_none_or(|b| b.kind == kind), "both kinds of bombs on a region");
        self.board.add_unit(at, kind);
    }

    fn strike(&mut self, before: &State, seat: Seat, strike: &Strike) {
        let target = strike.target;
        let (from, to) = (target.from, target.to);
        self.must(self.mover == Some(seat), "an attack of one who is not to move");
        self.must(self.board.holds(seat, from), "an attack from a region of another");
        self.must(self.board.holds(target.defender, to), "an attack on a region of nobody");
        self.must(target.defender != seat, "an attack on oneself");
        self.must(self.board.map().touch(from, to), "an attack over more than a boundary");
        let stand = (self.board.armies(from), self.board.armies(to));
        self.must(stand == target.armies && stand.0 >= 2, "armies that are not there");
        self.must(target.bounds.numbers().contains(&strike.number), "a number beyond its bounds");
        let guessed = strike.guesses.contains(&strike.number);
        let within = strike.guesses.iter().all(|g| target.bounds.numbers().contains(g));
        self.must(within, "a guess beyond the bounds");
        let count = if target.sure {
            0
        } else if target.two {
            2
        } else {
            1
        };
        self.must(strike.guesses.len() <= count.max(1), "too many guesses");
        self.must(guessed == (strike.hit == Hit::Failed), "the guess did not decide");
        if strike.hit == Hit::Failed {
            self.must(strike.lost == strike.number, "not as many were lost as the number says");
            self.take(from, strike.number);
            return;
        }
        let lost = if target.sure { stand.1 } else { 1 };
        self.must(strike.lost == lost, "not one army was lost");
        self.take(to, lost);
        let taken = self.board.owner(to).is_none();
        self.must(taken == (strike.hit == Hit::Captured), "an empty region was not taken");
        if taken {
            let exact = before.options.advance == Advance::Exact;
            let most = if exact { stand.0 } else { stand.0 - 1 };
            self.must(strike.advanced == strike.number.min(most), "not as many advanced");
            self.take(from, strike.advanced);
            let n = strike.advanced;
            self.change(to, |l| (l.owner, l.armies) = (Some(seat), n));
        }
        if let Some(unit) = strike.unit {
            self.must(self.board.holds(seat, unit), "an A-unit on a region of another");
            self.add_unit(unit, Kind::A);
        }
    }

    fn take(&mut self, at: Place, n: u32) {
        self.must(self.board.armies(at) >= n, "more were lost than stood there");
        self.change(at, |l| {
            l.armies = l.armies.saturating_sub(n);
            l.owner = l.owner.filter(|_| l.armies > 0);
        });
    }
}

/// Numbers after a step.
pub fn tally(state: &State, events: &[Event]) -> Tally {
    let standing = |seat| Standing {
        seat,
        plays: state.plays(seat),
        points: i64::from(state.board.total(seat)),
        // At most 600 regions.
        places: state.board.held(seat).count() as u32,
    };
    let count = |fits: fn(&Event) -> bool| events.iter().filter(|e| fits(e)).count() as i64;
    let won = |e: &Event| matches!(e, Event::Struck(_, s) if s.hit != Hit::Failed);
    Tally {
        seats: state.seats().map(standing).collect(),
        events: vec![
            ("attacks", count(|e| matches!(e, Event::Struck(..)))),
            ("won", events.iter().filter(|e| won(e)).count() as i64),
            ("bombs", count(|e| matches!(e, Event::Shot(..)))),
            ("moves", count(|e| matches!(e, Event::Marched(..)))),
            ("not done", count(|e| matches!(e, Event::NotDone(..)))),
        ],
        levels: vec![
            ("round", i64::from(state.round)),
            ("radioactive", state.board.lands.iter().filter(|l| l.splat).count() as i64),
        ],
        order: state.order.clone(),
    }
}

/// The course of the game: regions and armies after each round.
pub fn charts(state: &State) -> Vec<Chart> {
    let chart = |title: &'static str, of: fn(&(u32, u32)) -> u32| {
        let series = |seat: Seat| Series {
            who: Who::Seat(seat),
            tint: Some(super::picture::tint(seat)),
            values: state
                .side(seat)
                .map(|s| s.course.iter().map(|c| i64::from(of(c))).collect())
                .unwrap_or_default(),
        };
        Chart { title: title.into(), series: state.seats().map(series).collect() }
    };
    vec![chart(mark!("Regions"), |c| c.0), chart(mark!("Armies"), |c| c.1)]
}
