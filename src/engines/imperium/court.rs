//! Imperial Intervention, appeals and income (§5.1 to §5.3), and the arrival of units.

use std::collections::BTreeSet;

use tongue::{count, say};

use super::board::{Board, Due, Loan, Marker, Place, RESTRICTED, Spot};
use super::event::Part;
use super::fire::die;
use super::galaxy::{Planet, SOL, System};
use super::kinds::{Class, Kind, Side, UnitId};
use super::orders::{Appeal, Cond, Piece, Test};
use super::run::Run;
use super::state::draw;
use super::tables::Tables;
use crate::counters;
use crate::supply;

/// The income of a turn by source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Income {
    /// The parts of the sum, each with its source.
    pub parts: Vec<(i64, String)>,
    /// The sum that is paid; never below 0.
    pub total: u32,
}

/// The income of a side (§5.3). `boom` is whether there is a boom this turn; `turn` is the turn of
/// the game, for a Depression.
pub fn income(board: &Board, side: Side, boom: bool, turn: u32) -> Income {
    let figures = board.tables.income;
    let linked = supply::connected(board, side);
    let is_linked = |p: &Planet| linked.get(usize::from(p.system.0) - 1) == Some(&true);
    let worlds = board.held(side, Marker::World);
    let outposts = board.held(side, Marker::Outpost).into_iter().filter(is_linked).count();
    let mut parts: Vec<(i64, String)> = Vec::new();
    let mut add = |n: i64, what: String| {
        if n != 0 {
            parts.push((n, what));
        }
    };
    // There are only a few dozen planets.
    let times = |n: usize| i64::try_from(n).unwrap_or(0);
    match side {
        Side::Imperial => {
            add(figures.imperial_budget.into(), say!("the region"));
            add(board.court.budget.into(), say!("increases of the budget"));
            let each = i64::from(figures.world);
            let n = worlds.len();
            add(each * times(n), count!(n, "{n} World", "{n} Worlds"));
        }
        Side::Terran => {
            let sol = worlds.contains(&SOL);
            add(if sol { figures.terran_home.into() } else { 0 }, "Sol".to_owned());
            let others: Vec<&Planet> = worlds.iter().filter(|p| **p != SOL).collect();
            let n = others.iter().filter(|p| is_linked(p)).count();
            let far = others.len() - n;
            let each = i64::from(figures.terran_connected);
            add(each * times(n), count!(n, "{n} connected World", "{n} connected Worlds"));
            let (n, each) = (far, i64::from(figures.terran_unconnected));
            add(each * times(n), count!(n, "{n} unconnected World", "{n} unconnected Worlds"));
        }
    }
    let (n, each) = (outposts, i64::from(figures.outpost));
    add(each * times(n), count!(n, "{n} connected Outpost", "{n} connected Outposts"));
    let depressed = board.court.depression.is_some_and(|(a, b)| (a..=b).contains(&turn));
    if side == Side::Imperial {
        let sum: i64 = parts.iter().map(|p| p.0).sum();
        if boom {
            parts.push((figures.boom.into(), say!("an economic boom")));
        } else if depressed {
            // A depression leaves an income of at least 1.
            let loss = i64::from(figures.depression).min((sum - 1).max(0));
            parts.push((-loss, say!("the depression")));
        }
    }
    let total: i64 = parts.iter().map(|p| p.0).sum();
    Income { parts, total: u32::try_from(total).unwrap_or(0) }
}

/// The types that an Intervention brings with this die.
fn offensive(tables: &Tables, die: u8) -> Vec<Kind> {
    let at = usize::from(die).saturating_sub(1).min(tables.offensive.len().saturating_sub(1));
    tables.offensive.get(at).cloned().unwrap_or_default()
}

/// The start of a turn: arrivals from the track, Intervention, appeal, income.
pub fn begin_turn(run: &mut Run) {
    run.part = Part::Administration;
    let war = run.state.peace.is_none();
    run.state.glory_before = run.state.glory;
    let court = &mut run.state.board.court;
    (court.civil_war, court.talks) = (false, false);
    arrivals(run);
    let mut boom = false;
    if war {
        boom = intervention(run);
        appeal(run);
    }
    let turn = run.state.clock;
    for side in Side::BOTH {
        let income = income(&run.state.board, side, boom, turn);
        let purse = &mut run.state.board.purses[side.i()];
        purse.stock += income.total;
        let stock = purse.stock;
        let mut parts = String::new();
        for (n, what) in &income.parts {
            let (sign, n) = match (parts.is_empty(), *n < 0) {
                (true, _) => ("", *n),
                (false, true) => (" - ", -n),
                (false, false) => (" + ", *n),
            };
            parts += &format!("{sign}{}", say!("{n} for {note}", note = what));
        }
        let text = say!(
            "{whose} income {total}: {parts}. The stockpile is {stock}.",
            whose = side.whose(),
            total = income.total,
            parts = parts
        );
        match run.state.options.open_tracks {
            true => run.note(text),
            false => run.say_to(side, text),
        }
    }
    run.dice.at([0]);
}

/// Units whose turn has come leave the track.
fn arrivals(run: &mut Run) {
    run.board().bury_loans();
    let turn = run.state.clock;
    for side in Side::BOTH {
        let track = &mut run.state.board.purses[side.i()].track;
        let (due, later): (Vec<Due>, Vec<Due>) = track.drain(..).partition(|d| d.turn <= turn);
        *track = later;
        let mut came = Vec::new();
        for Due { kind, .. } in due {
            if let Some(n) = draw(&run.state.board, side, kind, run.dice) {
                let id = UnitId::new(side, kind, n);
                run.came(id, Place::Arriving);
                came.push(id);
            }
        }
        let back: Vec<UnitId> = run
            .state
            .board
            .of(side)
            .filter(|(_, u)| matches!(u.place, Place::Track(t) if t <= turn))
            .map(|(id, _)| id)
            .collect();
        for id in back {
            run.board().put(id, Place::Arriving);
            came.push(id);
        }
        if !came.is_empty() {
            let names: Vec<String> = came.iter().map(|id| id.name.to_string()).collect();
            let units = names.join(", ");
            run.say_to(side, say!("Due this turn: {units}."));
        }
    }
}

/// Rolls two dice for the Emperor's mood (§5.1). Returns whether there is a boom.
fn intervention(run: &mut Run) -> bool {
    run.dice.at([1]);
    let dice = [die(run.dice, "intervention"), die(run.dice, "intervention")];
    let roll = dice[0] + dice[1];
    run.state.board.court.roll = roll.into();
    let [a, b] = dice;
    let head = say!("Imperial Intervention {a} + {b} = {roll}");
    let turn = run.state.clock;
    match roll {
        2 => succession(run, &head),
        3 => frontier(run, &head),
        4 => {
            let n = die(run.dice, "visit") + 1;
            run.note(say!(
                "{head}: Imperial Visit, die {n} with the 1. While its forces remain, Glory gains \
                 count double and losses triple."
            ));
            let kinds = offensive(&run.state.board.tables, n);
            loan(run, &kinds, true, true);
        }
        5 => {
            let back = recentralize(run);
            run.note(say!(
                "{head}: Recentralization. Permissions to build CR, CA, B1, B2 and BB are revoked; \
                 {back} Resources come back for battleships that are cancelled."
            ));
        }
        6 => {
            let n = run.state.board.tables.income.depression_turns;
            let court = &mut run.state.board.court;
            let from = match court.depression {
                Some((from, to)) if to >= turn => from.min(turn + 1),
                _ => turn + 1,
            };
            court.depression = Some((from, turn + n));
            run.note(say!(
                "{head}: Economic Depression. The Imperial income is lower for {n} turns."
            ));
        }
        8 => {
            run.state.board.court.depression = None;
            run.note(say!("{head}: Economic Boom."));
            return true;
        }
        9 => {
            let n = die(run.dice, "offensive");
            run.note(say!("{head}: Mandated Offensive, die {n}."));
            let kinds = offensive(&run.state.board.tables, n);
            loan(run, &kinds, true, false);
        }
        10 => {
            run.note(say!("{head}: Token Reinforcements."));
            loan(run, &[Kind::DD, Kind::CL], false, false);
        }
        11 => {
            let n = die(run.dice, "reinforcements");
            let kinds = reinforcements(run, n.into());
            run.note(say!("{head}: Imperial Reinforcements, die {n}."));
            loan(run, &kinds, false, false);
        }
        12 => {
            run.state.board.court.talks = true;
            run.note(say!(
                "{head}: Peace Talks. This turn nobody attacks or enters systems with enemy units."
            ));
        }
        _ => run.note(say!("{head}: no event.")),
    }
    false
}

/// The Emperor dies; `head` begins the sentence.
fn succession(run: &mut Run, head: &str) {
    let n = die(run.dice, "succession");
    let war = n <= 2;
    run.state.board.court.civil_war = war;
    run.note(match war {
        true => say!(
            "{head}: Imperial Succession, die {n}: civil war, all Imperial initiative \
                     dice lose 1 this turn."
        ),
        false => {
            say!("{head}: Imperial Succession, die {n}: it passes without civil war.")
        }
    });
}

/// Ships go to a frontier; `head` begins the sentence.
fn frontier(run: &mut Run, head: &str) {
    let n = die(run.dice, "frontier crisis");
    let gone = crisis(run, n.into());
    let names: Vec<String> = gone.iter().map(|id| id.name.to_string()).collect();
    let types: Vec<&str> = gone.iter().map(|id| id.kind().code()).collect();
    let types = types.join(", ");
    run.note(match types.is_empty() {
        true => say!(
            "{head}: Frontier Crisis, die {n}: the Imperial side sends nothing away for \
                     three turns."
        ),
        false => say!(
            "{head}: Frontier Crisis, die {n}: the Imperial side sends {types} away for \
                     three turns."
        ),
    });
    if !names.is_empty() {
        let text = say!("Sent away: {units}.", units = names.join(", "));
        run.say_to(Side::Imperial, text);
    }
}

/// Sends away ships that count `n` for three turns; capital ships count two (§5.1).
fn crisis(run: &mut Run, n: u32) -> Vec<UnitId> {
    let board = &run.state.board;
    let list = &run.state.filed[Side::Imperial.i()].standing.removal;
    let mut ships: Vec<UnitId> = board
        .of(Side::Imperial)
        .filter(|(id, u)| board.class(*id).sails() && matches!(u.place, Place::Fleet(_)))
        .map(|(id, _)| id)
        .collect();
    let wish = |id: UnitId| {
        let meant = |p: &Piece| match p {
            Piece::Unit(name) => *name == id.name,
            Piece::Kind(kind) => *kind == id.kind(),
        };
        list.iter().position(meant).unwrap_or(list.len())
    };
    ships.sort_by_key(|id| (wish(*id), board.tables.cost(id.side, id.kind()), id.name));
    let mut left = n;
    let mut gone = Vec::new();
    for id in ships {
        let counts = board.tables.counts(id.kind());
        if counts <= left {
            left -= counts;
            gone.push(id);
        }
    }
    let back = run.state.clock + 3;
    for id in &gone {
        run.put_down_cargo(*id);
        run.state.board.put(*id, Place::Track(back));
    }
    run.state.board.sweep();
    run.forget();
    gone
}

/// Ends permissions and cancels battleships under construction; returns the refund.
fn recentralize(run: &mut Run) -> u32 {
    let board = &mut run.state.board;
    board.court.permitted.retain(|k| !RESTRICTED.contains(k));
    let cost = |kind| board.tables.cost(Side::Imperial, kind) / 2;
    let cancelled = |d: &Due| matches!(d.kind, Kind::B1 | Kind::B2 | Kind::BB);
    let purse = &mut board.purses[Side::Imperial.i()];
    let back = purse.track.iter().filter(|d| cancelled(d)).map(|d| cost(d.kind)).sum();
    purse.track.retain(|d| !cancelled(d));
    purse.stock += back;
    back
}

/// The types of Imperial Reinforcements: ships that count `n`, at most one of them a capital ship,
/// which counts two.
fn reinforcements(run: &Run, n: u32) -> Vec<Kind> {
    let board = &run.state.board;
    let list = &run.state.filed[Side::Imperial.i()].standing.removal;
    let mut wished: Vec<Kind> = list
        .iter()
        .map(|p| match p {
            Piece::Unit(name) => name.kind,
            Piece::Kind(kind) => *kind,
        })
        .filter(|k| board.tables.class(*k).sails() && k.built_by(Side::Imperial))
        .collect();
    let usual = [Kind::DD, Kind::CL, Kind::SC];
    if wished.is_empty() {
        wished = usual.to_vec();
    }
    let mut kinds: Vec<Kind> = Vec::new();
    let mut left = n;
    loop {
        let before = left;
        for kind in &wished {
            let capital = board.tables.class(*kind) == Class::Capital;
            let more = kinds.iter().filter(|k| *k == kind).count() as u32;
            let free = counters::left(board, Side::Imperial, *kind).is_none_or(|n| n > more);
            let twice = capital && kinds.iter().any(|k| board.tables.class(*k) == Class::Capital);
            let counts = board.tables.counts(*kind);
            if counts <= left && free && !twice {
                kinds.push(*kind);
                left -= counts;
            }
        }
        if left == 0 || left == before && wished == usual {
            return kinds;
        }
        if left == before {
            wished = usual.to_vec();
        }
    }
}

/// Brings forces on loan, as a new fleet at a home world (§5.1).
pub fn loan(run: &mut Run, kinds: &[Kind], leaves: bool, visit: bool) {
    let side = Side::Imperial;
    let homes = run.state.filed[side.i()].standing.home_worlds();
    let home = homes.into_iter().find(|s| {
        let planet = Planet { system: *s, n: 1 };
        run.state.board.holds(side, planet) == Some(Marker::World)
    });
    let Some(home) = home else {
        run.note(say!("No Imperial home world is left to send forces to."));
        return;
    };
    run.board().bury_loans();
    let mut units = Vec::new();
    let mut fleet = None;
    for kind in kinds {
        let board = &run.state.board;
        if counters::left(board, side, *kind) == Some(0) {
            continue;
        }
        let Some(n) = draw(board, side, *kind, run.dice) else { continue };
        let id = UnitId::new(side, *kind, n);
        let place = match board.class(id).sails() {
            true => {
                Place::Fleet(*fleet.get_or_insert_with(|| run.state.board.new_fleet(side, home)))
            }
            false => {
                let carrier = units
                    .iter()
                    .copied()
                    .find(|c: &UnitId| counters::has_berth(&run.state.board, *c, *kind));
                match carrier {
                    Some(carrier) => Place::Aboard(carrier.name),
                    None => Place::Box(Planet { system: home, n: 1 }),
                }
            }
        };
        run.came(id, place);
        units.push(id);
    }
    let names: Vec<String> = units.iter().map(|id| id.name.to_string()).collect();
    let types: Vec<&str> = units.iter().map(|id| id.kind().code()).collect();
    if units.is_empty() {
        run.note(say!("The counters for these forces are all in play; none come."));
        return;
    }
    let called = run.state.board.galaxy.called(home);
    let types = types.join(", ");
    run.note(say!("Forces arrive on loan at {called}: {types}."));
    if let Some(fleet) = fleet {
        let text = say!("They are fleet {fleet}: {units}.", units = names.join(", "));
        run.say_to(side, text);
    }
    let offensive = leaves.then_some(run.state.clock);
    run.state.board.court.loans.push(Loan { units, lost: Vec::new(), offensive, visit });
}

/// Makes the appeal that is on file (§5.2).
fn appeal(run: &mut Run) {
    let side = Side::Imperial;
    let lines = std::mem::take(&mut run.state.filed[side.i()].appeals);
    let meant = lines.into_iter().find(|(_, cond)| holds(run, side, cond));
    let Some((what, _)) = meant.filter(|(what, _)| *what != Appeal::None) else { return };
    if run.state.board.court.banned {
        let text = say!("Your appeal is not heard: no further appeals in this war.");
        run.say_to(side, text);
        return;
    }
    run.dice.at([2]);
    let dice = [die(run.dice, "appeal"), die(run.dice, "appeal")];
    let roll = dice[0] + dice[1];
    let [a, b] = dice;
    let head = match what {
        Appeal::Forces => say!("Imperial appeal for forces, {a} + {b} = {roll}"),
        _ => say!("Imperial appeal for finances, {a} + {b} = {roll}"),
    };
    let cost = i32::try_from(run.state.options.appeal_glory).unwrap_or(0);
    if cost > 0 {
        run.glory(say!("an appeal"), -cost);
    }
    match appealed(what, roll) {
        Answer::Banned => {
            run.state.board.court.banned = true;
            run.note(say!("{head}: further appeals are prohibited."));
        }
        Answer::Nothing => run.note(say!("{head}: no result.")),
        Answer::Forces(kinds) => {
            run.note(say!("{head}: granted."));
            loan(run, kinds, false, false);
        }
        Answer::Permits(kinds) => {
            let types: Vec<&str> = kinds.iter().map(|k| k.code()).collect();
            let types = types.join(", ");
            run.note(say!("{head}: {types} may be built."));
            run.state.board.court.permitted.extend(kinds.iter().copied().collect::<BTreeSet<_>>());
        }
        Answer::Grant(n) => {
            run.state.board.purses[side.i()].stock += n;
            run.note(say!("{head}: {n} Resources."));
        }
        Answer::Budget(n) => {
            run.state.board.court.budget += n;
            run.note(say!("{head}: the budget rises by {n}."));
        }
    }
}

/// Whether a condition holds, as far as the side may know (§13).
pub fn holds(run: &Run, side: Side, cond: &Cond) -> bool {
    let left = run.state.action().map_or([0, 0], |a| a.left);
    cond.iter().all(|term| {
        let state = &run.state;
        let now = Known { board: &state.board, side, left, glory: state.glory, turn: state.turn };
        now.is(term.test) != term.not
    })
}

/// The facts that conditions test; the side knows all of them.
pub struct Known<'a> {
    /// The board, true or as the side sees it; tests give the same result on both.
    pub board: &'a Board,
    /// The side whose condition it is.
    pub side: Side,
    /// Activations left by side.
    pub left: [u8; 2],
    /// Glory.
    pub glory: i32,
    /// The turn of the war.
    pub turn: u32,
}

impl Known<'_> {
    /// Whether a test is true.
    pub fn is(&self, test: Test) -> bool {
        let (board, side) = (self.board, self.side);
        let fleet = |side: Side, at: System| board.fleets_in(side, at).next().is_some();
        match test {
            Test::Enemy(at) => fleet(side.other(), at),
            Test::Own(at) => fleet(side, at),
            Test::Fleet(n, at) => board.fleets.get(&(side, n)) == Some(&Spot::System(at)),
            Test::Holds(planet) => board.control(planet) == super::board::Control::Held(side),
            Test::Disputed(planet) => board.control(planet) == super::board::Control::Disputed,
            Test::Mine(n) => self.left[side.i()] >= n,
            Test::Theirs(n) => self.left[side.other().i()] >= n,
            Test::Glory(n) => self.glory >= i32::from(n),
            Test::Turn(n) => self.turn >= u32::from(n),
            Test::Roll(n) => board.court.roll == u32::from(n),
        }
    }
}

/// The result of an appeal (§5.2).
enum Answer {
    Banned,
    Nothing,
    Forces(&'static [Kind]),
    Permits(&'static [Kind]),
    Grant(u32),
    Budget(u32),
}

fn appealed(what: Appeal, roll: u8) -> Answer {
    let forces = what == Appeal::Forces;
    match (forces, roll) {
        (_, 2 | 3) | (false, 4) => Answer::Banned,
        (true, 4) => Answer::Forces(&[Kind::CL, Kind::DD]),
        (true, 5) => Answer::Forces(&[Kind::CR]),
        (true, 6) => Answer::Forces(&[Kind::CA]),
        (true, 8) => Answer::Permits(&[Kind::CR, Kind::CA]),
        (true, 9) => Answer::Permits(&[Kind::B1]),
        (true, 10) => Answer::Permits(&[Kind::B2]),
        (true, 11) => Answer::Permits(&[Kind::BB]),
        (true, 12) => Answer::Permits(&RESTRICTED),
        (false, 7) => Answer::Grant(10),
        (false, 8..=12) => Answer::Budget(u32::from(roll) - 7),
        _ => Answer::Nothing,
    }
}

/// Removes loaned forces because Glory did not rise (§5.1).
pub fn offensives_end(run: &mut Run) {
    let turn = run.state.clock;
    let rising = run.state.glory > run.state.glory_before;
    run.board().bury_loans();
    let loans = std::mem::take(&mut run.state.board.court.loans);
    for loan in loans {
        let ends = loan.offensive.is_some_and(|came| turn > came) && !rising;
        if !ends {
            run.state.board.court.loans.push(loan);
            continue;
        }
        let here = loan.units;
        let types: Vec<&str> = here.iter().map(|id| id.kind().code()).collect();
        if !types.is_empty() {
            let types = types.join(", ");
            let text = say!("Glory did not rise: {types} on loan leave.");
            run.note(text);
        }
        for id in here {
            run.gone(id);
        }
    }
    run.forget();
}
