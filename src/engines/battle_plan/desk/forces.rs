//! Orders to the forces of a space (§6), and what limits them (§7).

use super::super::map::SpaceId;
use super::super::orders::row_of;
use super::super::verbs::{Arm, UnitOrder, Verb};
use super::{Act, Desk, Holding, Job, Origin, Section, Verdict, hundredths};
use engine::Told;
use tongue::{say, word};

impl Desk<'_> {
    /// The space of the section, for orders to forces.
    pub(super) fn here(&self) -> Result<SpaceId, Told> {
        match self.section {
            Section::Space(space) => Ok(space),
            Section::Player => Err(Told::error(
                "E07",
                say!("this is a space order outside a space section; put it below @ and a code"),
            )),
            Section::Lost => Err(Told::error("E08", say!("not used: its section was refused"))),
        }
    }

    pub(super) fn read_target(
        &self,
        order: &UnitOrder<String>,
    ) -> Result<UnitOrder<SpaceId>, Told> {
        let target = order.target.as_deref().map(|code| self.find(code)).transpose()?;
        Ok(order.map(target))
    }

    /// An order to the forces of a space, for this turn.
    pub(super) fn space(&mut self, order: &UnitOrder<String>) -> Verdict {
        let from = self.here()?;
        let order = self.read_target(order)?;
        self.possible(from, &order)?;
        self.allowed_now(from, &order)?;
        let canal = self.canal_for(from, &order);
        let (n, mut told) = self.assign(from, &order)?;
        if told.note.is_empty() {
            if let Some(by) = canal.filter(|by| !self.holdings.contains_key(by)) {
                let name = self.code(by);
                let text = say!("conditional: it needs the permission of {name}'s owner then");
                told = Told::warning("W31", text);
            } else if let Verb::Build(arm) = order.verb {
                told = self.forecast_build(from, arm, n);
            }
        }
        self.act = Some(Act::Unit(from, UnitOrder { n, ..order }));
        let job = Job { order: UnitOrder { n, ..order }, origin: Origin::Card, canal };
        self.paper.jobs.entry(from).or_default().push(job);
        Ok(told)
    }

    /// What `n` industry will build in a space.
    pub(super) fn forecast_build(&self, from: SpaceId, arm: Arm, n: i64) -> Told {
        let Some(Holding::Land(country)) = self.holdings.get(&from) else { return Told::ok("") };
        let multiplier = self.paper.player.multipliers[arm as usize];
        if multiplier == 0 {
            let name = word(arm.name());
            let text = say!("your multiplier for {name} is 0: nothing comes of it");
            return Told::warning("no-multiplier", text);
        }
        let made = country.fractions[arm as usize] + n * multiplier;
        if multiplier == 100 && made % 100 == 0 {
            return Told::ok("");
        }
        Told::ok(say!("builds {made}", made = hundredths(made)))
    }

    /// Takes the units of an order from those that are free in the space.
    pub(super) fn assign(
        &mut self,
        from: SpaceId,
        order: &UnitOrder<SpaceId>,
    ) -> Result<(i64, Told), Told> {
        let arm = order.verb.arm();
        let stock = self.stock(from, arm);
        let free = self.free.entry((from, arm)).or_insert(stock);
        if *free <= 0 {
            let (name, place) = (word(arm.name()), self.facts.tables.map.code(from));
            let text = say!("no {name} left in {place}");
            return Err(Told::error("E21", text));
        }
        let n = order.n.min(*free);
        *free -= n;
        let told = match n < order.n {
            true => Told::warning("W22", say!("reduced to {n}, all that is left")),
            false => Told::ok(""),
        };
        Ok((n, told))
    }

    pub(super) fn stock(&self, space: SpaceId, arm: Arm) -> i64 {
        self.holdings.get(&space).map_or(0, |h| h.stock(arm))
    }

    /// The canal that an order of this kind goes through.
    pub(super) fn canal_for(&self, from: SpaceId, order: &UnitOrder<SpaceId>) -> Option<SpaceId> {
        let by_water = [Verb::ArmyMove, Verb::NavyMove, Verb::NavySupport].contains(&order.verb);
        let to = order.target.filter(|_| by_water)?;
        self.map().canal(from, to).filter(|_| !self.map().adjacent(from, to))
    }

    /// Whether an order can ever be legal for a space: its kind, its range (§6).
    pub(super) fn possible(&self, from: SpaceId, order: &UnitOrder<SpaceId>) -> Result<(), Told> {
        let wrong = |code: &'static str, text: String| Err(Told::error(code, text));
        let (map, variant) = (self.map(), &self.facts.tables.variant);
        let (verb, here) = (order.verb, self.code(from));
        let at_sea = map.is_sea(from);
        let minor = matches!(self.holdings.get(&from), Some(Holding::Land(c)) if c.is_minor());
        let arm = verb.arm();
        if (verb == Verb::Build(Arm::Antimissile) || verb == Verb::AntimissileMove)
            && variant.bombers
        {
            let text = say!("there are no antimissiles in {game}", game = variant.title);
            return wrong("E29", text);
        }
        if at_sea && matches!(arm, Arm::Industry | Arm::Missile | Arm::Antimissile) {
            return wrong("E19", say!("{here} is a sea: nothing is built or fired there"));
        }
        if !at_sea && (arm == Arm::Navy || verb == Verb::Build(Arm::Navy)) && !map.has_coast(from) {
            return wrong("E18", say!("{here} has no coast"));
        }
        let Some(to) = order.target else { return Ok(()) };
        let there = self.code(to);
        let to_sea = map.is_sea(to);
        if self.facts.revised && from == to {
            return match (verb.attacks(), minor) {
                (true, false) => wrong("E13", say!("{there} is your own country")),
                _ => wrong("E11", say!("{there} is where they are")),
            };
        }
        if self.facts.revised && minor && verb == Verb::NavyAttack {
            let text =
                say!("a navy in port can only act on a sea next to it: NN is for fleets at sea");
            return wrong("E17", text);
        }
        if minor && (verb.moves() || [Verb::Conquer, Verb::NavyAttack].contains(&verb)) {
            return wrong("E16", say!("{here} is a minor: its forces can't move or conquer"));
        }
        let wants_country = !matches!(
            verb,
            Verb::ArmyMove | Verb::NavyMove | Verb::NavySupport | Verb::AirMove | Verb::AirSupport
        );
        if to_sea && wants_country {
            let code = if arm == Arm::Missile || arm == Arm::Antimissile { "E19" } else { "E06" };
            return wrong(code, say!("{code} is a sea; a country is needed", code = there));
        }
        self.in_reach(from, to, order)
    }

    /// Whether forces can reach the target of an order (§6).
    fn in_reach(&self, from: SpaceId, to: SpaceId, order: &UnitOrder<SpaceId>) -> Result<(), Told> {
        let wrong = |code: &'static str, text: String| Err(Told::error(code, text));
        let (map, variant) = (self.map(), &self.facts.tables.variant);
        let (verb, here, there) = (order.verb, self.code(from), self.code(to));
        let (at_sea, to_sea) = (map.is_sea(from), map.is_sea(to));
        let arm = verb.arm();
        match arm {
            Arm::Army | Arm::Navy => {
                let through = self.canal_for(from, order).is_some();
                if arm == Arm::Navy && !at_sea && (!to_sea || verb == Verb::NavyAttack) {
                    return wrong("E17", say!("a navy in port can only act on a sea next to it"));
                }
                if !map.adjacent(from, to) && !through {
                    let text = match self.choice(map.neighbours(from)) {
                        Some(near) => {
                            say!("{there} is not next to {here}; next to it are {near}")
                        }
                        None => say!("{there} is not next to {here}"),
                    };
                    return wrong("E11", text);
                }
            }
            Arm::Air => {
                if variant.bombers && at_sea && verb != Verb::AirMove {
                    let text =
                        say!("bombers at sea can only be landed: FT to a country next to it");
                    return wrong("E29", text);
                }
                let close = variant.bombers && verb == Verb::AirMove && (at_sea || to_sea);
                if close && (at_sea && to_sea || !map.adjacent(from, to)) {
                    let text = say!("{there} is not in reach: bombers embark and land next door");
                    return wrong("E12", text);
                }
                if !map.in_air_range(from, to) {
                    return wrong("E12", self.too_far(from, to));
                }
            }
            _ => {
                let far = verb.attacks() && !variant.bombers;
                if from == to {
                    return wrong("E11", say!("{there} is where they are"));
                }
                if !far && !map.in_air_range(from, to) {
                    return wrong("E12", self.too_far(from, to));
                }
            }
        }
        Ok(())
    }

    /// Whether an order is legal now (§7, and the peace of the first turn).
    pub(super) fn allowed_now(
        &self,
        from: SpaceId,
        order: &UnitOrder<SpaceId>,
    ) -> Result<(), Told> {
        let wrong = |code: &'static str, text: String| Err(Told::error(code, text));
        let verb = order.verb;
        if verb.attacks() && self.facts.tables.variant.peaceful_start && self.facts.turn == 1 {
            return wrong("E30", say!("there are no attacks on turn 1"));
        }
        if let Some(to) = order.target.filter(|_| verb.attacks())
            && self.owner(to) == self.me()
        {
            return wrong("E13", say!("{there} is your own country", there = self.code(to)));
        }
        let jobs = self.paper.jobs.get(&from).map_or(&[][..], Vec::as_slice);
        for job in jobs {
            let other = &job.order;
            if other.verb == verb && other.target == order.target {
                let head = row_of(verb).word;
                let text = match order.target.filter(|_| self.facts.revised) {
                    Some(to) => {
                        let (to, from) = (self.code(to), self.code(from));
                        say!("second {head} order on {to} from {from}; combine them")
                    }
                    None => say!("second {head} order of its kind here; combine them"),
                };
                return wrong("E15", text);
            }
            if other.target == order.target && self.clash(verb, other.verb) {
                let before = self.written(other);
                let text = say!("it conflicts with {before}: no attack and help at once");
                return wrong("E14", text);
            }
        }
        Ok(())
    }

    /// The message for a space that is out of air range.
    fn too_far(&self, from: SpaceId, to: SpaceId) -> String {
        let (here, there) = (self.code(from), self.code(to));
        match self.choice(self.map().air_range(from)) {
            Some(near) => say!("{there} is not in air range of {here}; in range are {near}"),
            None => say!("{there} is not in air range of {here}"),
        }
    }

    /// The spaces that could have been meant, to be listed after the error.
    fn choice<'s>(&self, spaces: impl IntoIterator<Item = &'s SpaceId>) -> Option<String> {
        let codes = || spaces.into_iter().map(|s| self.code(*s)).collect::<Vec<_>>();
        self.facts.revised.then(|| codes().join(", "))
    }

    /// Whether two orders on one target exclude each other (12B).
    fn clash(&self, a: Verb, b: Verb) -> bool {
        // In games under the old rules, attacking ships did not conflict with own planes.
        let ships = |v: Verb| v == Verb::NavyAttack;
        let planes = |v: Verb| [Verb::AirSupport, Verb::AirMove].contains(&v);
        let late = ships(a) && planes(b) || planes(a) && ships(b);
        conflict(a, b) && (self.facts.revised || !late)
    }

    pub(super) fn written(&self, order: &UnitOrder<SpaceId>) -> String {
        order.map(order.target.map(|t| self.code(t).to_owned())).to_string()
    }
}

/// Attacks and help that one space may not combine on one target (12B).
pub fn conflict(a: Verb, b: Verb) -> bool {
    let clash = |attack: Verb, help: Verb| match attack {
        Verb::Conquer | Verb::Bombard => {
            matches!(
                help,
                Verb::ArmySupport
                    | Verb::ArmyMove
                    | Verb::AirSupport
                    | Verb::AirMove
                    | Verb::NavySupport
                    | Verb::NavyMove
            )
        }
        Verb::MissileArmy => {
            matches!(help, Verb::AntimissileMove | Verb::ArmySupport | Verb::ArmyMove)
        }
        Verb::MissileBase | Verb::MissileIndustry => help == Verb::AntimissileMove,
        Verb::AirArmy => {
            matches!(help, Verb::ArmySupport | Verb::ArmyMove | Verb::AirSupport | Verb::AirMove)
        }
        Verb::AirNavy => {
            matches!(help, Verb::NavySupport | Verb::NavyMove | Verb::AirSupport | Verb::AirMove)
        }
        Verb::AirBase | Verb::AirIndustry => matches!(help, Verb::AirSupport | Verb::AirMove),
        Verb::NavyAttack => {
            matches!(help, Verb::NavySupport | Verb::NavyMove | Verb::AirSupport | Verb::AirMove)
        }
        _ => false,
    };
    clash(a, b) || clash(b, a)
}
