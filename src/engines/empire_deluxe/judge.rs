//! The judgement of a card (§19.1).

use engine::{CardText, JudgedLine, Judgement, Mark, Told};

use super::field::Field;
use super::game::Stage;
use super::ground::Terrain;
use super::kinds::{Class, Kind};
use super::orders::{self, Order, Task, Where};
use super::state::{UnitId, can_build};
use super::view::View;

/// Judges a card.
pub fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
    let entries = orders::read(&view.world.ground, &view.world.options, card);
    let mut judge = Judge { view, field: Field::new(view.world.clone()), named: Vec::new() };
    let mut told: Vec<(u32, Told)> = Vec::new();
    let mut closes = false;
    for entry in &entries {
        let said = match &entry.read {
            Err(told) => told.clone(),
            Ok(order) => {
                closes |= matches!(order, Order::Close | Order::More);
                judge.order(order)
            }
        };
        told.push((entry.line, said));
    }
    let line = |(line, text): &(u32, String)| {
        // Several orders of a line are told as one: the worst of them.
        let of = told.iter().filter(|(l, _)| l == line).map(|(_, t)| t);
        let worst = of.max_by_key(|t| match t.mark {
            Mark::Error => 2,
            Mark::Warning => 1,
            _ => 0,
        });
        let said = worst.cloned().unwrap_or_else(|| Told::remark(""));
        JudgedLine { line: *line, text: text.clone(), mark: said.mark, note: said.note }
    };
    let lines: Vec<JudgedLine> = card.lines.iter().map(line).collect();
    let right = lines.iter().all(|l| l.mark != Mark::Error);
    let done = matches!(view.stage, Stage::Sitting { .. }) || closes;
    let ready = ahead == 0 && right && view.moves() && done && !entries.is_empty();
    Judgement { lines, forecast: Vec::new(), seals: Vec::new(), ready }
}

struct Judge<'a> {
    view: &'a View,
    field: Field,
    named: Vec<u16>,
}

impl Judge<'_> {
    fn order(&mut self, order: &Order) -> Told {
        match order {
            Order::Units(pick, tasks) => {
                let numbers = self.field.picked(self.view.seat, pick);
                if numbers.is_empty() {
                    return Told::error("no-unit", "you have no such unit");
                }
                for number in &numbers {
                    let id = UnitId { seat: self.view.seat, number: *number };
                    for task in tasks {
                        if let Err(told) = self.task(id, task) {
                            return told;
                        }
                    }
                }
                let again = numbers.iter().any(|n| self.named.contains(n));
                self.named.extend(&numbers);
                let many = match numbers.len() {
                    1 => String::new(),
                    n => format!("{n} units"),
                };
                match again {
                    true => Told::warning("again", "replaces the order above"),
                    false => Told::ok(many),
                }
            }
            Order::Build(place, list) => self.build(*place, list),
            Order::Rally(place, _) => self.city(*place).map_or_else(|told| told, |_| Told::ok("")),
            Order::NameCity(place, _) => match self.field.square_of(self.view.seat, *place) {
                Some(at) if self.view.world.ground.city(at).is_some() => Told::ok(""),
                _ => Told::error("no-city", "there is no such city"),
            },
            Order::NameUnit(number, _) | Order::Quota(number, _) => {
                let id = UnitId { seat: self.view.seat, number: *number };
                match self.field.unit(id) {
                    None => Told::error("no-unit", format!("you have no unit {number}")),
                    Some(unit) if matches!(order, Order::Quota(..)) && unit.kind != Kind::Tr => {
                        Told::error("no-transport", format!("unit {number} is no Transport"))
                    }
                    Some(_) => Told::ok(""),
                }
            }
            Order::Default(_) => Told::ok(""),
            Order::Leave { computer: true } => Told::ok("a computer plays on for you"),
            Order::Leave { computer: false } => {
                Told::ok("your units go, your cities are nobody's, and the game is over for you")
            }
            Order::More => match &self.view.stage {
                Stage::Sitting { part, .. } if *part < self.view.world.options.parts => {
                    Told::ok("what stands above is done at once, and you go on")
                }
                _ => Told::warning("no-more", "this was the last part: your turn ends here"),
            },
            Order::Close => Told::ok("nothing more is waited for"),
        }
    }

    fn city(&self, place: Where) -> Result<engine::geometry::Place, Told> {
        let at = self.field.square_of(self.view.seat, place);
        let own = at.filter(|at| {
            self.view.world.city(*at).is_some_and(|c| c.owner == Some(self.view.seat))
        });
        own.ok_or_else(|| Told::error("no-city", "you have no such city"))
    }

    fn build(&self, place: Where, list: &[Kind]) -> Told {
        let at = match self.city(place) {
            Ok(at) => at,
            Err(told) => return told,
        };
        let ground = &self.view.world.ground;
        if let Some(kind) = list.iter().find(|k| !can_build(ground, at, **k)) {
            let (kind, at) = (kind.name(), ground.called(at));
            let note = format!("the city at {at} has no water next to it, so it builds no {kind}");
            return Told::error("no-water", note);
        }
        let city = self.view.world.city(at);
        match city.filter(|c| c.done > 0 && c.list.first() != list.first()) {
            Some(city) => {
                Told::warning("scrapped", format!("{} turns of work are lost", city.done))
            }
            None => Told::ok(""),
        }
    }

    /// Whether a unit can ever do that.
    fn task(&self, id: UnitId, task: &Task) -> Result<(), Told> {
        let Some(unit) = self.field.unit(id) else { return Ok(()) };
        let ground = &self.view.world.ground;
        let name = unit.kind.name();
        let known = |at| self.view.known().is_some_and(|k| k.has_seen(at));
        if unit.kind == Kind::Ab {
            return Err(Told::error("airbase", "airbases stay where they are"));
        }
        let (to, attack) = match task {
            Task::Go(to, _) => (*to, false),
            Task::Attack(to) => (*to, true),
            Task::Unload(_) if unit.kind == Kind::In => {
                let in_city = ground.at(unit.at) == Terrain::City;
                return match in_city || unit.aboard.is_some() {
                    true => Err(Told::error("no-base", "it can't become an airbase here")),
                    false => Ok(()),
                };
            }
            Task::Unload(_) if !unit.kind.carries() => {
                return Err(Told::error("no-carrier", format!("{name} carries nothing")));
            }
            Task::Board(number) => {
                let carrier = UnitId { number: *number, ..id };
                let Some(ship) = self.field.unit(carrier) else {
                    return Err(Told::error("no-unit", format!("you have no unit {number}")));
                };
                return match ship.kind.places_of(unit.kind) {
                    None => {
                        let ship = ship.kind.name();
                        Err(Told::error("no-room", format!("{ship} {number} takes no {name}")))
                    }
                    Some(_) => Ok(()),
                };
            }
            _ => return Ok(()),
        };
        if !known(to) {
            return Ok(());
        }
        let terrain = ground.at(to);
        if terrain == Terrain::City {
            let own = self.view.world.city(to).is_some_and(|c| c.owner == Some(id.seat));
            let lands = unit.kind.class() == Class::Land;
            let bombs = unit.kind.class() == Class::Air && self.view.world.options.advanced();
            return match own || lands || attack && bombs {
                true => Ok(()),
                false => Err(Told::error("city", "only land units take cities")),
            };
        }
        if !attack && !terrain.takes(unit.kind) {
            let (at, terrain) = (ground.called(to), terrain.name());
            return Err(Told::error("ground", format!("{name} cannot enter {terrain} at {at}")));
        }
        Ok(())
    }
}
