//! The echo's promises come true: cards of all kinds of orders, in right and slightly wrong forms,
//! of a side whose enemy sends nothing.

use std::collections::BTreeMap;

use engine::{JudgedLine, Judgement, Mark};
use imperium::board::{Marker, Place, Spot};
use imperium::event::{Event, Part, What};
use imperium::galaxy::{Planet, System};
use imperium::kinds::{Kind, Side, UnitId};
use imperium::standing;
use imperium::state::{Peace, Stage};
use imperium::tables::Tempo;

use super::chance::Chance;
use super::scene::{Imperial, Scene, Terran, game, written};

/// Writes cards of one side, in right and slightly wrong forms.
struct Writer<'a> {
    scene: &'a Scene,
    side: Side,
    chance: &'a mut Chance,
    lines: Vec<String>,
}

impl Writer<'_> {
    fn units(&self, test: impl Fn(UnitId, Place) -> bool) -> Vec<UnitId> {
        let board = &self.scene.state.board;
        board.of(self.side).filter(|(id, u)| test(*id, u.place)).map(|(id, _)| id).collect()
    }

    /// The name of a unit of the side, rarely of one that does not exist.
    fn unit(&mut self, test: impl Fn(UnitId, Place) -> bool) -> String {
        let all = self.units(test);
        match all.is_empty() || self.chance.one_in(25) {
            true => "DD12".to_owned(),
            false => self.chance.of(&all).name.to_string(),
        }
    }

    fn system(&mut self) -> System {
        let all: Vec<System> = self.scene.state.board.galaxy.all().collect();
        *self.chance.of(&all)
    }

    fn held(&mut self) -> Planet {
        let board = &self.scene.state.board;
        let mut all = board.held(self.side, Marker::World);
        all.extend(board.held(self.side, Marker::Outpost));
        if all.is_empty() || self.chance.one_in(10) {
            let all: Vec<Planet> = board.planets.keys().copied().collect();
            return *self.chance.of(&all);
        }
        *self.chance.of(&all)
    }

    fn administration(&mut self) {
        let worlds = self.scene.state.board.held(self.side, Marker::World);
        for id in self.units(|_, p| p == Place::Arriving) {
            if self.chance.one_in(3) {
                continue;
            }
            let what = match self.chance.one_in(3) {
                true => id.kind().code().to_owned(),
                false => id.name.to_string(),
            };
            let to = match self.chance.below(8) {
                0 => self.held().to_string(),
                1 => self.unit(|id, _| matches!(id.kind(), Kind::TR | Kind::AT)),
                _ if worlds.is_empty() => "01.1".to_owned(),
                _ => self.chance.of(&worlds).to_string(),
            };
            let fleet = match self.chance.below(4) {
                0 if to.contains('.') => format!(" {}", 1 + self.chance.below(12)),
                _ => String::new(),
            };
            self.lines.push(format!("P {what} {to}{fleet}"));
        }
        for _ in 0..self.chance.below(4) {
            let kind = *self.chance.of(&Kind::ALL);
            let n = 1 + self.chance.below(3);
            self.lines.push(format!("B {} {n}", kind.code()));
        }
        for word in ["T", "G"] {
            if self.chance.one_in(3) {
                let at = self.held();
                self.lines.push(format!("{word} {at}"));
            }
        }
    }

    fn standing(&mut self) {
        match self.chance.below(9) {
            0 => {
                let n = self.chance.below(12);
                self.lines.push(format!("N STOCK {n}"));
            }
            1 => self.lines.push("N STOCK *".to_owned()),
            2 => {
                let a = self.unit(|_, p| p != Place::Arriving);
                self.lines.push(format!("N SKIP {a}"));
            }
            3 => {
                let kind = *self.chance.of(&Kind::ALL);
                self.lines.push(format!("N PRI {}", kind.code()));
            }
            _ => {}
        }
        match self.chance.below(6) {
            0 => self.lines.push("F *".to_owned()),
            1 | 2 => {
                let hurt = self.damaged();
                self.lines.push(format!("F {hurt}"));
            }
            3 => {
                let hurt = self.damaged();
                self.lines.push(format!("X {hurt}"));
            }
            4 => {
                let (a, b) = (self.damaged(), self.damaged());
                self.lines.push(format!("F {a}+{b}"));
            }
            _ => {}
        }
    }

    fn damaged(&mut self) -> String {
        let board = &self.scene.state.board;
        let all: Vec<UnitId> =
            board.of(self.side).filter(|(_, u)| u.damaged).map(|(id, _)| id).collect();
        match all.is_empty() || self.chance.one_in(6) {
            true => self.unit(|_, _| true),
            false => self.chance.of(&all).name.to_string(),
        }
    }

    fn block(&mut self) {
        let board = &self.scene.state.board;
        let mut places: Vec<System> =
            board.galaxy.all().filter(|s| board.present(self.side, *s)).collect();
        places.dedup();
        let at = match places.is_empty() || self.chance.one_in(9) {
            true => self.system(),
            false => *self.chance.of(&places),
        };
        let cond = match self.chance.below(14) {
            0 => {
                let s = self.system();
                format!(" IF E{s}")
            }
            1 => {
                let s = self.system();
                format!(" IF !O{s}")
            }
            _ => String::new(),
        };
        match self.chance.below(24) {
            0 => self.lines.push("WAIT".to_owned()),
            1 => {
                let s = self.system();
                self.lines.push(format!("HALT IF O{s}"));
            }
            _ => {}
        }
        self.lines.push(format!("A {at}{cond}"));
        for _ in 0..1 + self.chance.below(4) {
            self.act(at);
        }
    }

    fn fleet(&mut self, at: System) -> u8 {
        let board = &self.scene.state.board;
        let here: Vec<u8> = board.fleets_in(self.side, at).collect();
        let all: Vec<u8> =
            board.fleets.keys().filter(|(s, _)| *s == self.side).map(|(_, n)| *n).collect();
        match self.chance.below(12) {
            0 if !all.is_empty() => *self.chance.of(&all),
            1 => 1 + self.chance.below(30) as u8,
            _ if here.is_empty() => 1,
            _ => *self.chance.of(&here),
        }
    }

    fn act(&mut self, at: System) {
        let planets: Vec<Planet> = self.scene.state.board.galaxy.planets(at).collect();
        let planet = *self.chance.of(&planets);
        let line = match self.chance.below(20) {
            0..=6 => self.moves(at),
            7 | 8 => {
                let fleet = self.fleet(at);
                let new = self.chance.below(20) + 1;
                let a = self.unit(|_, p| p == Place::Fleet(fleet));
                let b = self.unit(|_, p| p == Place::Fleet(fleet));
                format!("D {fleet} {new} {a} {b}")
            }
            9 | 10 => format!("C {} {}", self.fleet(at), self.fleet(at)),
            11 | 12 => {
                let a = self.carrier(at);
                let b = self.unit(|id, p| {
                    id.kind().is_cargo() && matches!(p, Place::Box(p) if p.system == at)
                });
                format!("L {a} {b}")
            }
            13 | 14 => format!("U {} {planet}", self.carrier(at)),
            15 => "E".to_owned(),
            16 => format!("K {planet}{}", if self.chance.one_in(3) { " B" } else { "" }),
            17 => {
                let unit = self.unit(|id, _| id.kind().is_troops());
                match self.chance.one_in(2) {
                    true => format!("H {unit} {}", 1 + self.chance.below(12)),
                    false => format!("V {unit} {}", self.carrier(at)),
                }
            }
            _ => self.space(at),
        };
        self.lines.push(line);
    }

    fn moves(&mut self, at: System) -> String {
        let fleet = self.fleet(at);
        let more = match self.chance.one_in(6) {
            true => format!("+{}", self.fleet(at)),
            false => String::new(),
        };
        let galaxy = &self.scene.state.board.galaxy;
        let near: Vec<System> = galaxy.near(at).collect();
        let first = *self.chance.of(&near);
        match self.chance.below(4) {
            0 => format!("M {fleet}{more} {}", self.system()),
            1 => {
                let next: Vec<System> = galaxy.near(first).collect();
                format!("M {fleet}{more} {first} {}", self.chance.of(&next))
            }
            _ => format!("M {fleet}{more} {first}"),
        }
    }

    /// Out into open space, mostly not far, or back.
    fn space(&mut self, at: System) -> String {
        let board = &self.scene.state.board;
        let out = |((side, n), spot): (&(Side, u8), &Spot)| {
            (*side == self.side && matches!(spot, Spot::Lane { .. })).then_some(*n)
        };
        let out: Vec<u8> = board.fleets.iter().filter_map(out).collect();
        let is_near = |s: &System| board.galaxy.lane(at, *s).is_some_and(|n| n < 6);
        let near: Vec<System> = board.galaxy.all().filter(is_near).collect();
        match self.chance.below(12) {
            0 if !out.is_empty() => format!("S {} BACK", self.chance.of(&out)),
            1 => format!("S {} BACK", self.fleet(at)),
            2 => format!("S {} {}", self.fleet(at), self.system()),
            _ if near.is_empty() => "E".to_owned(),
            _ => format!("S {} {}", self.fleet(at), self.chance.of(&near)),
        }
    }

    fn carrier(&mut self, at: System) -> String {
        let board = self.scene.state.board.clone();
        let side = self.side;
        let here: Vec<u8> = board.fleets_in(side, at).collect();
        self.unit(|id, p| {
            matches!(id.kind(), Kind::TR | Kind::AT | Kind::CV | Kind::BB)
                && matches!(p, Place::Fleet(n) if here.contains(&n))
        })
    }

    fn card(&mut self) {
        if matches!(self.scene.state.stage, Stage::Administration) || self.chance.one_in(12) {
            self.administration();
        }
        self.standing();
        let open = u64::from(self.scene.state.segment());
        let turn =
            self.scene.state.options.tempo == Tempo::Turn || self.scene.state.peace.is_some();
        for segment in 1..=4u64 {
            let wanted = match segment == open {
                true => !self.chance.one_in(8),
                false if turn && segment > open => self.chance.one_in(2),
                false => self.chance.one_in(8),
            };
            if !wanted {
                continue;
            }
            self.lines.push(format!("SEG {segment}"));
            for _ in 0..1 + self.chance.below(2) {
                self.block();
            }
        }
    }
}

/// A card, its echo, and its result.
struct Trial<'a> {
    side: Side,
    card: &'a str,
    before: &'a Scene,
    judged: &'a Judgement,
    after: &'a Scene,
}

/// How often each kind of promise was checked.
#[derive(Debug, Default)]
struct Count {
    cards: u32,
    errors: u32,
    acts: u32,
    orders: u32,
    bills: u32,
    lanes: u32,
}

/// A game for one side, with or without units of the enemy near.
fn begin(side: Side, tempo: &str, enemy: bool, peace: bool) -> Scene {
    let mut scene = game(&[("tempo", tempo), ("wars", "0")]).step("", "", 7);
    let board = &mut scene.state.board;
    if !enemy {
        board.units.retain(|id, _| id.side == side);
        board.fleets.retain(|(s, _), _| *s == side);
        for land in board.planets.values_mut() {
            land.marker = land.marker.filter(|m| m.0 == side);
        }
    }
    scene.state.peace = peace.then_some(Peace { turn: 1, of: 30 });
    scene
}

fn step(scene: &Scene, side: Side, card: &str, seed: u64) -> Scene {
    match side {
        Terran => scene.step(card, "", seed),
        Imperial => scene.step("", card, seed),
    }
}

#[test]
fn what_the_echo_says_of_generated_cards_comes_true() {
    let mut count = Count::default();
    for (side, tempo, enemy, peace) in [
        (Terran, "segment", false, false),
        (Terran, "turn", false, false),
        (Terran, "segment", true, false),
        (Imperial, "segment", false, false),
        (Terran, "turn", false, true),
        (Imperial, "turn", true, false),
    ] {
        for game in 1..=9 {
            play(&mut count, begin(side, tempo, enemy, peace), side, game);
        }
    }
    let enough = count.errors > 300
        && count.acts > 200
        && count.orders > 200
        && count.bills > 20
        && count.lanes > 3;
    assert!(enough, "{count:?}");
}

fn play(count: &mut Count, mut scene: Scene, side: Side, game: u64) {
    let mut chance = Chance(77 * game + u64::from(side.seat().0));
    let mut bound = BTreeMap::new();
    for turn in 0..10 {
        let purse = &mut scene.state.board.purses[side.i()];
        purse.stock = purse.stock.max(chance.below(60) as u32);
        // Some units are damaged.
        for (id, unit) in &mut scene.state.board.units {
            unit.damaged |= id.side == side && chance.one_in(14) && id.kind() != Kind::OP;
        }
        let mut writer = Writer { scene: &scene, side, chance: &mut chance, lines: Vec::new() };
        writer.card();
        let card = writer.lines.join("\n");
        let judged = scene.judge(side, &card);
        let seed = 100 * game + turn;
        let after = step(&scene, side, &card, seed);
        let trial = Trial { side, card: &card, before: &scene, judged: &judged, after: &after };
        count.cards += 1;
        trial.errors_do_nothing(count, seed);
        trial.right_acts_are_done(count);
        trial.administration_is_as_told(count);
        trial.maintenance_is_as_told(count);
        trial.fleets_come_out_of_open_space(count, &mut bound);
        if matches!(after.state.stage, Stage::Over(_)) {
            return;
        }
        scene = after;
    }
}

fn first_word(line: &JudgedLine) -> &str {
    line.text.split(' ').next().unwrap_or_default()
}

fn number(text: &str, before: &str) -> Option<u32> {
    let rest = text.split_once(before)?.1;
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

impl Trial<'_> {
    /// The text of a message of failure.
    fn shown(&self) -> String {
        let line = |l: &JudgedLine| format!("  {} {} {:?}: {}\n", l.line, l.text, l.mark, l.note);
        let lines: String = self.judged.lines.iter().map(line).collect();
        let events = self.after.events.iter().map(|e| format!("  > {:?}\n", e.what));
        lines + &events.collect::<String>()
    }

    fn heard(&self) -> impl Iterator<Item = &Event> {
        self.after.events.iter().filter(|e| e.to.is_none_or(|s| s == self.side))
    }

    fn said(&self, with: &str) -> Option<String> {
        self.heard().find_map(|e| match &e.what {
            What::Said(text) if text.localized().contains(with) => {
                Some(text.localized().replace('\u{a0}', " "))
            }
            _ => None,
        })
    }

    /// Without its lines in error a card does the same. Some such lines stay, because they have an
    /// intended effect: an activation without units replaces the plan on file, a refused arrival
    /// may have taken the number of a fleet, a repair replaces an earlier one.
    fn errors_do_nothing(&self, count: &mut Count, seed: u64) {
        let wrong =
            |l: &&JudgedLine| l.mark == Mark::Error && !["A", "P", "F"].contains(&first_word(l));
        let wrong: Vec<u32> = self.judged.lines.iter().filter(wrong).map(|l| l.line).collect();
        if wrong.is_empty() {
            return;
        }
        let lines = (1..).zip(self.card.lines());
        let right = lines.map(|(n, text)| if wrong.contains(&n) { "#" } else { text });
        let card = right.collect::<Vec<_>>().join("\n");
        let other = step(self.before, self.side, &card, seed);
        let standing = |s: &Scene| s.state.filed[self.side.i()].standing.clone();
        assert!(other.state.board == self.after.state.board, "{}", self.shown());
        assert!(standing(&other) == standing(self.after), "{}", self.shown());
        count.errors += 1;
    }

    /// A line of a plan on file may have the number of one of this card.
    fn is_old(&self, line: u32) -> bool {
        let filed = &self.before.state.filed[self.side.i()].plans;
        filed.iter().flatten().any(|b| match &b.what {
            standing::What::Activate(_, acts) => acts.iter().any(|a| a.0 == line),
            _ => false,
        })
    }

    /// No unconditionally right act is refused, and moves reach their goals.
    fn right_acts_are_done(&self, count: &mut Count) {
        let plain = |l: &&JudgedLine| {
            let act = ["M", "D", "C", "L", "U", "E", "K", "H", "V", "S"].contains(&first_word(l));
            act && l.mark == Mark::Ok && !l.note.contains("still applies") && !self.is_old(l.line)
        };
        for told in self.judged.lines.iter().filter(plain) {
            let refused = self.heard().any(|e| {
                matches!(&e.what, What::NotDone(line, why)
                    if *line == told.line && why.localized().starts_with(first_word(told)))
            });
            assert!(!refused, "line {} was not done\n{}", told.line, self.shown());
            count.acts += 1;
            if first_word(told) == "M" && self.did_all() && !told.note.contains("; in ") {
                let to = told.text.rsplit(' ').next().and_then(|w| w.parse().ok()).map(System);
                let jumps = number(&told.note, " in ");
                let came = self.heard().any(|e| {
                    matches!(&e.what, What::Moved { path, .. }
                        if path.last().copied() == to && jumps == Some(path.len() as u32 - 1))
                });
                assert!(came, "line {} did not come\n{}", told.line, self.shown());
            }
        }
    }

    /// Whether the side passed with activations left in each segment for which it had a plan.
    fn did_all(&self) -> bool {
        let lines = &self.judged.lines;
        if lines.iter().any(|l| ["WAIT", "HALT"].contains(&first_word(l))) {
            return false;
        }
        (1..=4u8).all(|n| {
            let of = || self.heard().filter(|e| e.part == Part::Segment(n));
            let dice = of().find_map(|e| match e.what {
                What::Initiative(dice, war) => Some([dice[0], dice[1] - u8::from(war)]),
                _ => None,
            });
            let Some(dice) = dice else { return true };
            let mine = |e: &&Event| matches!(e.what, What::Activated(s, ..) if s == self.side);
            let idle = self.before.state.filed[self.side.i()].plans[usize::from(n) - 1].is_empty()
                && !lines.iter().any(|l| l.text == format!("SEG {n}"));
            let most = usize::from(dice[self.side.i()]);
            idle || dice[0] != dice[1] && of().filter(mine).count() < most
        })
    }

    /// The printout reports what is placed, built and paid in the words of the echo.
    fn administration_is_as_told(&self, count: &mut Count) {
        let orders = self
            .judged
            .lines
            .iter()
            .filter(|l| l.mark != Mark::Error && ["B", "P", "T", "G"].contains(&first_word(l)));
        for told in orders {
            let line = format!("Line {}: ", told.line);
            let done = self.heard().any(|e| {
                matches!(&e.what, What::Said(text)
                    if text.localized().starts_with(&line)
                        && text.localized().replace('\u{a0}', " ").contains(&told.note))
            });
            assert!(done, "line {} came out otherwise\n{}", told.line, self.shown());
            count.orders += 1;
        }
        let left = number(&written(&self.judged.forecast), " spent, ");
        if let (Some(left), None) = (left, self.said("Maintenance: ")) {
            let stock = self.after.state.board.purses[self.side.i()].stock;
            assert_eq!(left, stock, "{}", self.shown());
        }
    }

    /// The cost of maintenance, the units without it and the next income are as in the forecast, if
    /// the whole plan could be done and no enemy was met.
    fn maintenance_is_as_told(&self, count: &mut Count) {
        let Some(bill) = self.said("Maintenance: ship") else { return };
        let open = |l: &JudgedLine| l.text.contains(" IF ") || l.mark == Mark::Warning;
        let fought = |e: &Event| matches!(e.what, What::Battle(_) | What::Ground(_));
        if self.judged.lines.iter().any(open) || self.heard().any(fought) || !self.did_all() {
            return;
        }
        let text = written(&self.judged.forecast);
        let told = ["Ground units ", "Maintenance takes "].map(|w| number(&text, w));
        let is = ["ground units ", "; "].map(|w| number(&bill, w));
        assert_eq!(told, is, "{bill}\n{}", self.shown());
        for event in self.heard() {
            let What::Said(said) = &event.what else { continue };
            let said = said.localized();
            if said.contains(" is not maintained") || said.contains(" is not paid") {
                let unit = said.split(' ').next().unwrap_or_default();
                assert!(text.contains(unit), "{unit}\n{text}\n{}", self.shown());
            }
        }
        // The Emperor's events change the income of the Imperial side.
        if let (Terran, Some(income)) = (self.side, self.said("Terran income ")) {
            let told = number(&text, "brings about ");
            assert_eq!(told, number(&income, "Terran income "), "{}", self.shown());
        }
        count.bills += 1;
    }

    /// Fleets in open space arrive in the turn that the echo named when they left.
    fn fleets_come_out_of_open_space(
        &self,
        count: &mut Count,
        bound: &mut BTreeMap<u8, (System, u32)>,
    ) {
        let clock = self.before.state.clock;
        for told in self.judged.lines.iter().filter(|l| l.mark == Mark::Ok) {
            let words: Vec<&str> = told.text.split(' ').collect();
            let ["S", fleet, to] = words[..] else { continue };
            if to == "BACK" {
                bound.clear();
            }
            let left = self.said(&format!("fleet {fleet} leaves ")).is_some();
            let turns = number(&told.note, &format!("in {to} in "));
            if let (true, Some(turns), Ok(fleet), Ok(to)) = (left, turns, fleet.parse(), to.parse())
            {
                bound.insert(fleet, (System(to), clock + turns));
            }
        }
        for event in self.heard() {
            let What::Moved { side, fleets, path, .. } = &event.what else { continue };
            let (true, [to]) = (*side == self.side, path.as_slice()) else { continue };
            if let Some(told) = bound.remove(&fleets[0]) {
                assert_eq!(told, (*to, clock), "fleet {}\n{}", fleets[0], self.shown());
                count.lanes += 1;
            }
        }
    }
}

#[test]
fn a_block_is_taken_when_something_of_it_can_be_done_though_it_stands_above() {
    let scene = begin(Terran, "segment", false, false);
    // Nobody is in 09 before fleet 2 comes there.
    let judged = scene.judge(Terran, "SEG 1\nA 09\nD 2 7 SC2\nA 04\nM 2 09");
    assert!(judged.lines.iter().all(|l| l.mark == Mark::Ok), "{:?}", judged.lines);
    // After a pass the segment may be over.
    let judged = scene.judge(Terran, "SEG 1\nWAIT\nA 04\nD 2 7 SC2");
    assert_eq!(judged.lines[3].note, "if it still applies");
}

#[test]
fn scouts_are_told_their_chance_in_each_system_on_the_way() {
    let scene = game(&[]).step("", "", 7);
    let card = "SEG 1\nA 04\nD 2 7 SC2\nM 7 09 24 33";
    let note = &scene.judge(Terran, card).lines[3].note;
    for system in ["09", "24", "33"] {
        let chance = format!("undetected in 33 of 36 rolls in {system} at best");
        assert!(note.contains(&chance), "{note}");
    }
    // An enemy that they meet may change the rest.
    let judged = scene.judge(Terran, &format!("{card}\nA 01\nM 1 04"));
    assert!(judged.lines[5].note.starts_with("if it still applies: 04"), "{:?}", judged.lines[5]);
}

#[test]
fn an_order_that_others_of_its_block_forbid_is_an_error() {
    let scene = game(&[]).step("", "", 7).fleet(Terran, 9, 9, "DD9 AT2(JT5)");
    let scene = scene.marker("09.2", Some((Imperial, Marker::Outpost)));
    let told = |lines: &str| scene.told(Terran, &format!("SEG 1\nA 09\n{lines}")).1;
    assert_eq!(told("E\nE"), "one engagement an activation");
    assert_eq!(told("K 09.2\nV JT5 AT2"), "evacuation is for a later activation");
    assert_eq!(told("K 09.2\nH JT5 1\nH JT5 2"), "it has its landing above");
    let many = "A 01\nD 1 20 DD1\n".repeat(7);
    let judged = scene.judge(Terran, &format!("SEG 1\n{many}"));
    assert!(judged.lines[13].note.contains("6 activations at most"), "{:?}", judged.lines[13]);
    let posts: String = (1..=31).map(|n| format!("J 01.1 F{n} 1\n")).collect();
    assert_eq!(scene.told(Terran, &posts).1, "a planet has at most 30 J lines");
}

#[test]
fn an_error_that_the_enemy_may_end_is_none_while_he_may_act_before() {
    let told = |tempo: &str, lines: &str| {
        let begun = begin(Terran, tempo, false, false);
        let acts = |s: &Scene| s.state.action().is_some_and(|a| a.to_act == Terran);
        let scene = match tempo {
            "activation" => begun.seek(["", ""], acts),
            _ => begun,
        };
        let judged = scene.judge(Terran, &format!("SEG 1\n{lines}"));
        let last = judged.lines.last().expect("a line");
        (last.mark, last.note.clone())
    };
    let none = "no enemy ships to engage in 04";
    let now = told("activation", "A 04\nE");
    assert_eq!(now, (Mark::Error, none.to_owned()));
    let may = (Mark::Warning, format!("as things stand: {none}"));
    assert_eq!(told("activation", "A 04\nD 2 7 SC2\nA 04\nE"), may);
    assert_eq!(told("segment", "A 04\nE"), may);
}

#[test]
fn a_plan_for_what_is_over_is_told_so_line_by_line() {
    let scene = begin(Terran, "segment", false, false).segment(2);
    let judged = scene.judge(Terran, "SEG 1\nA 04\nM 2 09\nSEG 2\nA 04\nM 2 09");
    let over = judged.lines[..3].iter().all(|l| l.note == "segment 1 is over");
    assert!(over && judged.lines[5].mark == Mark::Ok, "{:?}", judged.lines);
    assert!(judged.lines[..3].iter().all(|l| l.mark == Mark::Error), "it is never done");
}

#[test]
fn an_attack_says_who_lands_where_no_line_below_does() {
    let scene = game(&[]).step("", "", 7).fleet(Terran, 9, 21, "DD9 AT2(JT5)");
    let scene = scene.marker("21.1", Some((Imperial, Marker::Outpost)));
    let told = |scene: &Scene, lines: &str| {
        let judged = scene.judge(Terran, &format!("SEG 1\nA 21\n{lines}"));
        judged.lines[2].note.clone()
    };
    assert!(
        told(&scene, "K 21.1").ends_with("without H all troops land: JT5"),
        "{}",
        told(&scene, "K 21.1")
    );
    assert!(!told(&scene, "K 21.1\nH JT5 1").contains("land"), "H says it");
    assert!(!told(&scene, "K 21.1 B").contains("land"), "it only bombards");
    let empty = game(&[]).step("", "", 7).fleet(Terran, 9, 21, "DD9");
    let empty = empty.marker("21.1", Some((Imperial, Marker::Outpost)));
    assert!(told(&empty, "K 21.1").ends_with("nobody lands, for no troops are aboard"));
}

#[test]
fn a_repair_is_told_where_the_plan_leads_the_ship() {
    let hurt = begin(Terran, "turn", false, false);
    let hurt = hurt.fleet(Terran, 9, 25, "DD9").damaged(Terran, "DD9");
    let away = hurt.told(Terran, "F DD9");
    let why = "as things stand DD9 is at no World or Outpost of yours, and with no AR";
    assert_eq!(away, (Mark::Warning, why.to_owned()));
    // The plan brings the ship home.
    let home = hurt.judge(Terran, "F DD9\nSEG 1\nA 25\nM 9 19 08");
    assert_eq!(home.lines[0].note, "2 Resources at the Close-Out, if they are there then");
}
