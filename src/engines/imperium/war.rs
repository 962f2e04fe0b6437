//! The end of turns, wars and campaigns, and the peace between wars (§10, §11).

use tongue::say;

use super::board::{Control, Marker, Place, Spot};
use super::event::Part;
use super::fire::die;
use super::galaxy::{HOMES, Planet, SOL, System, TERRAN_CORE};
use super::kinds::{Kind, Side, UnitId};
use super::run::Run;
use super::state::{End, Mark, Peace, Stage, State, TURNS, War, Why};
use crate::court;
use crate::supply;

/// The side that wins the war by Glory in this turn (§10).
pub fn decided(state: &State) -> Option<Side> {
    let at = usize::try_from(state.turn).unwrap_or(1).clamp(1, 10) - 1;
    let victory = &state.board.tables.victory;
    if victory.terran.get(at).is_some_and(|most| state.glory <= *most) {
        return Some(Side::Terran);
    }
    let least = victory.imperial.get(at);
    least.is_some_and(|least| state.glory >= *least).then_some(Side::Imperial)
}

/// Ends a turn after the Close-Out: ends the war, or begins the next turn or the next war.
pub fn end_turn(run: &mut Run) {
    run.part = Part::War;
    let planets = |side: Side| {
        let of = |m: &super::board::Land| m.marker.is_some_and(|m| m.0 == side);
        // There are only a few dozen planets.
        run.state.board.planets.values().filter(|l| of(l)).count() as u32
    };
    let worth =
        |side: Side| run.state.board.of(side).map(|(id, _)| run.state.board.worth(id)).sum();
    let mark = Mark {
        glory: run.state.glory,
        planets: Side::BOTH.map(planets),
        worth: Side::BOTH.map(worth),
    };
    run.state.course.push(mark);
    match run.state.peace {
        Some(peace) => end_peace_turn(run, peace),
        None => end_war_turn(run),
    }
}

fn end_peace_turn(run: &mut Run, peace: Peace) {
    run.state.clock += 1;
    if peace.turn < peace.of {
        run.state.peace = Some(Peace { turn: peace.turn + 1, ..peace });
    } else {
        run.state.peace = None;
        run.state.war += 1;
        run.state.turn = 1;
        let text = say!("Peace is over: war {war} begins.", war = run.state.war);
        run.note(text);
    }
    open_turn(run);
}

fn end_war_turn(run: &mut Run) {
    court::offensives_end(run);
    run.part = Part::War;
    let truce = Side::BOTH.iter().all(|s| run.state.filed[s.i()].standing.truce);
    let end = match decided(&run.state) {
        Some(side) => Some(End { winner: Some(side), why: Why::Glory }),
        None if truce => Some(End { winner: None, why: Why::Truce }),
        None if run.state.turn >= TURNS => Some(End { winner: None, why: Why::Turns }),
        None => None,
    };
    match end {
        Some(end) => end_war(run, end),
        None => {
            run.state.turn += 1;
            run.state.clock += 1;
            open_turn(run);
        }
    }
}

/// Opens the administration of the turn that has begun.
fn open_turn(run: &mut Run) {
    run.state.stage = Stage::Administration;
    court::begin_turn(run);
}

/// Ends a war (§11.1).
pub fn end_war(run: &mut Run, end: End) {
    run.part = Part::War;
    let glory = run.state.glory;
    let war = War { number: run.state.war, turns: run.state.turn, glory, end };
    run.state.wars.push(war);
    run.note(match end.winner {
        Some(side) => {
            let whose = side.whose();
            say!("The war is over: {whose} victory, Glory {glory}.")
        }
        None => say!("The war is over: a truce, Glory {glory}."),
    });
    let taken = homes_taken(run).filter(|_| end.why != Why::Left);
    let over = match (run.state.options.campaign, taken) {
        (true, Some(side)) => {
            let who = side.who();
            run.note(say!("The campaign is over: {who} holds the enemy's homes."));
            Some(End { winner: Some(side), why: Why::Homes })
        }
        (true, None) if end.why != Why::Left => None,
        _ => Some(end),
    };
    match over {
        Some(end) => run.state.stage = Stage::Over(end),
        None => peace(run, end),
    }
}

/// The side that wins a campaign by the planets that it holds (§11.1).
fn homes_taken(run: &Run) -> Option<Side> {
    let holds = |side: Side, planets: &[Planet]| {
        planets.iter().all(|p| run.state.board.control(*p) == Control::Held(side))
    };
    if holds(Side::Terran, &HOMES) {
        return Some(Side::Terran);
    }
    holds(Side::Imperial, &TERRAN_CORE).then_some(Side::Imperial)
}

/// The events between wars, in their order (§11.1).
fn peace(run: &mut Run, end: End) {
    if end.winner != Some(Side::Imperial) {
        loans_return(run);
    }
    run.dice.at([5]);
    let dice = [0; 3].map(|_| die(run.dice, "peace"));
    let turns = u32::from(dice[0]) + u32::from(dice[1]) + u32::from(dice[2]);
    let [a, b, c] = dice;
    run.note(say!("Turns of peace: {a} + {b} + {c} = {turns}."));
    exchange(run);
    go_home(run);
    if let Some(winner) = end.winner {
        let purse = &mut run.state.board.purses[winner.i()];
        let had = std::mem::take(&mut purse.stock);
        let whose = winner.whose();
        run.note(say!("Peace dividend: the {whose} stockpile of {had} is spent."));
    }
    let court = &mut run.state.board.court;
    court.permitted.clear();
    (court.banned, court.budget, court.depression) = (false, 0, None);
    (court.talks, court.civil_war) = (false, false);
    court.loans.clear();
    for filed in &mut run.state.filed {
        filed.standing.truce = false;
        filed.appeals.clear();
        filed.plans = Default::default();
    }
    run.state.glory = match end.winner {
        Some(Side::Imperial) => 6,
        Some(Side::Terran) => 4,
        None => 5,
    };
    run.state.turn = 0;
    run.state.clock += 1;
    run.state.peace = Some(Peace { turn: 1, of: turns });
    open_turn(run);
}

/// Removes forces on loan. For each lost ship, another that costs at least as much goes instead, or
/// else the costliest (§11.1).
fn loans_return(run: &mut Run) {
    let side = Side::Imperial;
    run.board().bury_loans();
    let loans = std::mem::take(&mut run.state.board.court.loans);
    let mut names = Vec::new();
    let mut lost: Vec<Kind> = Vec::new();
    for loan in loans {
        lost.extend(loan.lost);
        for id in loan.units {
            names.push(id.name.to_string());
            run.gone(id);
        }
    }
    lost.retain(|kind| run.state.board.tables.class(*kind).sails());
    for kind in lost {
        let board = &run.state.board;
        let cost = |id: UnitId| board.tables.cost(side, id.kind());
        let wanted = board.tables.cost(side, kind);
        let ships: Vec<UnitId> =
            board.of(side).map(|(id, _)| id).filter(|id| board.class(*id).sails()).collect();
        let larger = ships.iter().filter(|s| cost(**s) >= wanted).min_by_key(|s| (cost(**s), **s));
        let costliest = ships.iter().max_by_key(|s| (cost(**s), std::cmp::Reverse(**s)));
        if let Some(instead) = larger.or(costliest).copied() {
            names.push(instead.name.to_string());
            run.gone(instead);
        }
    }
    if !names.is_empty() {
        let units = names.join(", ");
        run.say_to(side, say!("Forces on loan return to the Emperor: {units}."));
    }
}

/// The territorial exchange (§11.1): Outposts that are cut off are removed with their PD and
/// monitors; disputed planets lose their markers.
fn exchange(run: &mut Run) {
    run.settle_all();
    for planet in run.state.board.disputed() {
        if let Some(land) = run.state.board.planets.get_mut(&planet)
            && land.marker.take().is_some()
        {
            (land.upgrade, land.terraform) = (0, 0);
            run.note(say!("{planet} is disputed, and nobody's now."));
        }
    }
    // Find the Outposts of both sides that are cut off before removing any.
    let cut = Side::BOTH.map(|side| cut_off(run, side));
    for (side, cut) in Side::BOTH.into_iter().zip(cut) {
        for planet in cut {
            if let Some(land) = run.state.board.planets.get_mut(&planet) {
                land.marker = None;
                (land.upgrade, land.terraform) = (0, 0);
            }
            let stays = |id: &UnitId| matches!(id.kind(), Kind::PD | Kind::M);
            let lost: Vec<UnitId> = run.state.board.on(side, planet).filter(stays).collect();
            for id in lost {
                run.gone(id);
            }
            let whose = side.whose();
            run.note(say!("The {whose} Outpost on {planet} is cut off and given up."));
        }
    }
}

/// Outposts of a side that are not connected. Here enemy Worlds and Outposts cut connections, but
/// fleets do not.
fn cut_off(run: &Run, side: Side) -> Vec<Planet> {
    let board = &run.state.board;
    let enemy = |at: System| {
        board.galaxy.planets(at).any(|p| board.marker(p).is_some_and(|m| m.0 == side.other()))
    };
    let linked = supply::linked(board, side, |at| !enemy(at));
    let cut = |(p, land): (&Planet, &super::board::Land)| {
        let own = land.marker == Some((side, Marker::Outpost));
        let joined = linked.get(usize::from(p.system.0) - 1) == Some(&true);
        (own && !joined).then_some(*p)
    };
    board.planets.iter().filter_map(cut).collect()
}

/// Returns ships, troops and fighters to a home world; PD and monitors stay (§11.1).
fn go_home(run: &mut Run) {
    for side in Side::BOTH {
        let home = match side {
            Side::Terran => SOL,
            Side::Imperial => {
                let all = run.state.filed[side.i()].standing.home_worlds();
                let worlds = all.into_iter().map(|system| Planet { system, n: 1 });
                let held = |p: &Planet| run.state.board.holds(side, *p).is_some();
                worlds.clone().find(held).or_else(|| worlds.clone().next()).unwrap_or(HOMES[0])
            }
        };
        // A side that has lost its home gathers at its first World.
        let home = match run.state.board.control(home) {
            Control::Held(owner) if owner != side => {
                run.state.board.held(side, Marker::World).first().copied().unwrap_or(home)
            }
            _ => home,
        };
        let fleets: Vec<(Side, u8)> =
            run.state.board.fleets.keys().filter(|f| f.0 == side).copied().collect();
        for key in fleets {
            run.state.board.fleets.insert(key, Spot::System(home.system));
        }
        let away: Vec<UnitId> = run
            .state
            .board
            .of(side)
            .filter(|(id, u)| {
                matches!(u.place, Place::Box(p) | Place::Surface(p, _) if p != home)
                    && matches!(id.kind(), Kind::RT | Kind::JT | Kind::F)
            })
            .map(|(id, _)| id)
            .collect();
        for id in away {
            run.state.board.put(id, Place::Box(home));
        }
        // PD on a planet that was disputed returns to its box.
        let planets: Vec<Planet> = run.state.board.disputed().into_iter().collect();
        for planet in planets {
            run.state.board.settle(planet);
        }
        let called = run.state.board.galaxy.called(home.system);
        let whose = side.whose();
        run.note(say!("{whose} ships and troops return to {called}."));
    }
    for unit in run.state.board.units.values_mut() {
        unit.moved = false;
    }
    run.forget();
}
