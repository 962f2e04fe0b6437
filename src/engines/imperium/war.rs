//! The end of turns, wars and campaigns, and what lies between wars (§10, §11).

use tongue::say;

use super::board::{Control, Marker, Place, Spot};
use super::event::Part;
use super::fire::die;
use super::galaxy::{HOMES, Planet, SOL, System, TERRAN_CORE};
use super::kinds::{Kind, Side, UnitId};
use super::run::Run;
use super::state::{End, Mark, Peace, Stage, State, TURNS, War, Why};

/// Whether Glory decides the war in this turn (§10).
pub fn decided(state: &State) -> Option<Side> {
    let at = usize::try_from(state.turn).unwrap_or(1).clamp(1, 10) - 1;
    let victory = &state.board.tables.victory;
    if victory.terran.get(at).is_some_and(|most| state.glory <= *most) {
        return Some(Side::Terran);
    }
    let least = victory.imperial.get(at);
    least.is_some_and(|least| state.glory >= *least).then_some(Side::Imperial)
}

impl Run<'_> {
    /// The end of a turn, after the Close-Out: does the war end, does the next turn or the next
    /// war begin?
    pub fn end_turn(&mut self) {
        self.part = Part::War;
        let planets = |side: Side| {
            let of = |m: &super::board::Land| m.marker.is_some_and(|m| m.0 == side);
            // There are some dozens.
            self.state.board.planets.values().filter(|l| of(l)).count() as u32
        };
        let worth =
            |side: Side| self.state.board.of(side).map(|(id, _)| self.state.board.worth(id)).sum();
        let mark = Mark {
            glory: self.state.glory,
            planets: Side::BOTH.map(planets),
            worth: Side::BOTH.map(worth),
        };
        self.state.course.push(mark);
        match self.state.peace {
            Some(peace) => self.end_peace_turn(peace),
            None => self.end_war_turn(),
        }
    }

    fn end_peace_turn(&mut self, peace: Peace) {
        self.state.clock += 1;
        if peace.turn < peace.of {
            self.state.peace = Some(Peace { turn: peace.turn + 1, ..peace });
        } else {
            self.state.peace = None;
            self.state.war += 1;
            self.state.turn = 1;
            let text = say!("Peace is over: war {war} begins.", war = self.state.war);
            self.say(text);
        }
        self.open_turn();
    }

    fn end_war_turn(&mut self) {
        self.offensives_end();
        self.part = Part::War;
        let truce = Side::BOTH.iter().all(|s| self.state.filed[s.i()].standing.truce);
        let end = match decided(&self.state) {
            Some(side) => Some(End { winner: Some(side), why: Why::Glory }),
            None if truce => Some(End { winner: None, why: Why::Truce }),
            None if self.state.turn >= TURNS => Some(End { winner: None, why: Why::Turns }),
            None => None,
        };
        match end {
            Some(end) => self.end_war(end),
            None => {
                self.state.turn += 1;
                self.state.clock += 1;
                self.open_turn();
            }
        }
    }

    /// Opens the administration of the turn that has begun.
    fn open_turn(&mut self) {
        self.state.stage = Stage::Administration;
        self.begin_turn();
    }

    /// The end of a war (§11.1).
    pub fn end_war(&mut self, end: End) {
        self.part = Part::War;
        let glory = self.state.glory;
        let war = War { number: self.state.war, turns: self.state.turn, glory, end };
        self.state.wars.push(war);
        self.say(match end.winner {
            Some(side) => {
                let whose = side.whose();
                say!("The war is over: {whose} victory, Glory {glory}.")
            }
            None => say!("The war is over: a truce, Glory {glory}."),
        });
        let taken = self.homes_taken().filter(|_| end.why != Why::Left);
        let over = match (self.state.options.campaign, taken) {
            (true, Some(side)) => {
                let who = side.who();
                self.say(say!("The campaign is over: {who} holds the enemy's homes."));
                Some(End { winner: Some(side), why: Why::Homes })
            }
            (true, None) if end.why != Why::Left => None,
            _ => Some(end),
        };
        match over {
            Some(end) => self.state.stage = Stage::Over(end),
            None => self.peace(end),
        }
    }

    /// Who holds what ends a campaign (§11.1).
    fn homes_taken(&self) -> Option<Side> {
        let holds = |side: Side, planets: &[Planet]| {
            planets.iter().all(|p| self.state.board.control(*p) == Control::Held(side))
        };
        if holds(Side::Terran, &HOMES) {
            return Some(Side::Terran);
        }
        holds(Side::Imperial, &TERRAN_CORE).then_some(Side::Imperial)
    }

    /// What happens between wars, in its order (§11.1).
    fn peace(&mut self, end: End) {
        if end.winner != Some(Side::Imperial) {
            self.loans_return();
        }
        self.dice.at([5]);
        let dice = [0; 3].map(|_| die(self.dice, "peace"));
        let turns = u32::from(dice[0]) + u32::from(dice[1]) + u32::from(dice[2]);
        let [a, b, c] = dice;
        self.say(say!("Turns of peace: {a} + {b} + {c} = {turns}."));
        self.exchange();
        self.go_home();
        if let Some(winner) = end.winner {
            let purse = &mut self.state.board.purses[winner.i()];
            let had = std::mem::take(&mut purse.stock);
            let whose = winner.whose();
            self.say(say!("Peace dividend: the {whose} stockpile of {had} is spent."));
        }
        let court = &mut self.state.board.court;
        court.permitted.clear();
        (court.banned, court.budget, court.depression) = (false, 0, None);
        (court.talks, court.civil_war) = (false, false);
        court.loans.clear();
        for filed in &mut self.state.filed {
            filed.standing.truce = false;
            filed.appeals.clear();
            filed.plans = Default::default();
        }
        self.state.glory = match end.winner {
            Some(Side::Imperial) => 6,
            Some(Side::Terran) => 4,
            None => 5,
        };
        self.state.turn = 0;
        self.state.clock += 1;
        self.state.peace = Some(Peace { turn: 1, of: turns });
        self.open_turn();
    }

    /// Forces on loan are removed; for one that is lost the next larger ship goes (§11.1).
    fn loans_return(&mut self) {
        let side = Side::Imperial;
        self.board().bury_loans();
        let loans = std::mem::take(&mut self.state.board.court.loans);
        let mut names = Vec::new();
        let mut lost: Vec<Kind> = Vec::new();
        for loan in loans {
            lost.extend(loan.lost);
            for id in loan.units {
                names.push(id.name.to_string());
                self.gone(id);
            }
        }
        lost.retain(|kind| self.state.board.tables.class(*kind).sails());
        for kind in lost {
            let board = &self.state.board;
            let cost = |id: UnitId| board.tables.cost(side, id.kind());
            let wanted = board.tables.cost(side, kind);
            let ships: Vec<UnitId> =
                board.of(side).map(|(id, _)| id).filter(|id| board.class(*id).sails()).collect();
            let larger =
                ships.iter().filter(|s| cost(**s) >= wanted).min_by_key(|s| (cost(**s), **s));
            let costliest = ships.iter().max_by_key(|s| (cost(**s), std::cmp::Reverse(**s)));
            if let Some(instead) = larger.or(costliest).copied() {
                names.push(instead.name.to_string());
                self.gone(instead);
            }
        }
        if !names.is_empty() {
            let units = names.join(", ");
            self.say_to(side, say!("Forces on loan return to the Emperor: {units}."));
        }
    }

    /// The territorial exchange: Outposts that are cut off are removed with their PD and
    /// monitors; disputed planets are nobody's (§11.1).
    fn exchange(&mut self) {
        self.settle_all();
        for planet in self.state.board.disputed() {
            if let Some(land) = self.state.board.planets.get_mut(&planet)
                && land.marker.take().is_some()
            {
                (land.upgrade, land.terraform) = (0, 0);
                self.say(say!("{planet} is disputed, and nobody's now."));
            }
        }
        // Both sides' connections are looked at before anything is given up.
        let cut = Side::BOTH.map(|side| self.cut_off(side));
        for (side, cut) in Side::BOTH.into_iter().zip(cut) {
            for planet in cut {
                if let Some(land) = self.state.board.planets.get_mut(&planet) {
                    land.marker = None;
                    (land.upgrade, land.terraform) = (0, 0);
                }
                let stays = |id: &UnitId| matches!(id.kind(), Kind::PD | Kind::M);
                let lost: Vec<UnitId> = self.state.board.on(side, planet).filter(stays).collect();
                for id in lost {
                    self.gone(id);
                }
                let whose = side.whose();
                self.say(say!("The {whose} Outpost on {planet} is cut off and given up."));
            }
        }
    }

    /// Outposts of a side that are not connected; fleets do not cut here, enemy Worlds and
    /// Outposts do.
    fn cut_off(&self, side: Side) -> Vec<Planet> {
        let board = &self.state.board;
        let enemy = |at: System| {
            board.galaxy.planets(at).any(|p| board.marker(p).is_some_and(|m| m.0 == side.other()))
        };
        let linked = board.linked(side, |at| !enemy(at));
        let cut = |(p, land): (&Planet, &super::board::Land)| {
            let own = land.marker == Some((side, Marker::Outpost));
            let joined = linked.get(usize::from(p.system.0) - 1) == Some(&true);
            (own && !joined).then_some(*p)
        };
        board.planets.iter().filter_map(cut).collect()
    }

    /// Troops and ships return to their home worlds; PD and monitors stay (§11.1).
    fn go_home(&mut self) {
        for side in Side::BOTH {
            let home = match side {
                Side::Terran => SOL,
                Side::Imperial => {
                    let all = self.state.filed[side.i()].standing.home_worlds();
                    let worlds = all.into_iter().map(|system| Planet { system, n: 1 });
                    let held = |p: &Planet| self.state.board.holds(side, *p).is_some();
                    worlds.clone().find(held).or_else(|| worlds.clone().next()).unwrap_or(HOMES[0])
                }
            };
            // Without its home a side gathers at its first World.
            let home = match self.state.board.control(home) {
                Control::Held(owner) if owner != side => {
                    self.state.board.held(side, Marker::World).first().copied().unwrap_or(home)
                }
                _ => home,
            };
            let fleets: Vec<(Side, u8)> =
                self.state.board.fleets.keys().filter(|f| f.0 == side).copied().collect();
            for key in fleets {
                self.state.board.fleets.insert(key, Spot::System(home.system));
            }
            let away: Vec<UnitId> = self
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
                self.state.board.put(id, Place::Box(home));
            }
            // PD on a planet that was disputed stays in its box.
            let planets: Vec<Planet> = self.state.board.disputed().into_iter().collect();
            for planet in planets {
                self.state.board.settle(planet);
            }
            let called = self.state.board.galaxy.called(home.system);
            let whose = side.whose();
            self.say(say!("{whose} ships and troops return to {called}."));
        }
        for unit in self.state.board.units.values_mut() {
            unit.moved = false;
        }
        self.forget();
    }
}
