//! The odds of a battle by the public formula (§4), as far as the seat knows both sides.

use super::phrases::tenths;
use super::state::NOBODY;
use super::view::{Ground, KnownCity, View};
use engine::geometry::Place;
use tongue::say;

/// Both sides of a battle. Strengths are in thousandths.
pub struct Odds {
    /// Strength of the own units.
    own: i64,
    /// The own general who helps: number from 1, and skill in per cent.
    general: Option<(u8, u8)>,
    /// Strength of the other side, as far as it is known.
    theirs: i64,
    /// Whether the strength of a part of the other side is unknown.
    unknown: bool,
    /// Toughness of the defender there, in per cent, where ground or levels raise it.
    shelter: Option<i64>,
    /// The turn of the last report about the city, if the city is there.
    turn: Option<u32>,
    /// The least ratio of strengths that drives a defender out.
    ratio: i64,
}

impl Odds {
    /// The odds of these own units against all known forces in a sector.
    pub fn of(view: &View, own: &[u16], at: Place) -> Self {
        let (tables, power) = (&view.tables, &view.power);
        let rules = &tables.rules.combat;
        let blow = |size: u16, kind: u8, rank: u8| {
            let bonus = 1000 + 10 * rules.rank_bonus_percent * i64::from(rank);
            i64::from(size) * tables.row(kind).attack * bonus
        };
        let general = (1u8..).zip(&power.generals).filter(|(_, g)| {
            let near = |p| view.grid.distance(p, at) <= tables.rules.generals.range;
            power.general_at(g).is_some_and(near)
        });
        // The first among equals.
        let general = general.map(|(n, g)| (n, g.skill)).min_by_key(|(n, skill)| (!*skill, *n));
        let skill = general.map_or(0, |(_, skill)| i64::from(skill));
        let units = own.iter().filter_map(|no| power.units.get(no));
        let own = units.map(|u| blow(u.size, u.kind, u.rank)).sum::<i64>() * (100 + skill) / 100;
        let city = city(view, at);
        let level = city.and_then(|c| c.seen.owner.map(|_| i64::from(c.seen.level)));
        let mut unknown = city.is_some() && level.is_none();
        let mut theirs = level.unwrap_or(0) * rules.city_level_attack * 1000;
        for spotted in view.spotted.iter().filter(|s| s.at == at) {
            match spotted.kind {
                Some(kind) => theirs += blow(spotted.size, kind, 0),
                None => unknown = true,
            }
        }
        let ground = match view.ground[usize::from(at.0)] {
            Ground::Known(terrain) => tables.ground(terrain).shelter,
            Ground::UnknownLand => 100,
        };
        let shelter = ground + level.unwrap_or(0) * rules.city_level_shelter_percent;
        Self {
            own,
            general,
            theirs,
            unknown,
            shelter: (shelter > 100).then_some(shelter),
            turn: city.filter(|_| level.is_some()).map(|c| c.seen.turn),
            ratio: rules.dislodge_ratio,
        }
    }

    /// `strength 12.5, your general 2 adds 7 %`.
    pub fn own_strength(&self) -> String {
        let strength = tenths(self.own);
        match self.general.filter(|(_, skill)| *skill > 0) {
            Some((number, skill)) => {
                say!("strength {strength}, your general {number} adds {skill} %")
            }
            None => say!("strength {strength}"),
        }
    }

    /// Whether no forces are known there.
    pub fn is_quiet(&self) -> bool {
        self.theirs == 0 && !self.unknown
    }

    /// `strength 8 at least, for part of it is not known`.
    pub fn their_strength(&self) -> String {
        let strength = tenths(self.theirs);
        let theirs = match (self.unknown, self.turn) {
            (true, _) => say!("strength {strength} at least, for part of it is not known"),
            (false, Some(turn)) => say!("strength {strength}, as of turn {turn}"),
            (false, None) => say!("strength {strength}"),
        };
        match self.shelter {
            Some(percent) => say!("{theirs}, sheltered to {percent} %"),
            None => theirs,
        }
    }

    /// Whether nothing is known about the other side but that it exists.
    pub fn is_dark(&self) -> bool {
        self.theirs == 0 && self.unknown
    }

    /// The result without luck, in words.
    pub fn verdict(&self) -> String {
        let ratio = self.ratio;
        match () {
            () if self.is_dark() => say!(
                "Who is there can't be told: a city that nobody holds has a garrison of its own, \
                 often of some regiments. Look first, with fighters or a single regiment, or send \
                 several units."
            ),
            () if self.own >= self.theirs * ratio && !self.unknown => say!(
                "You are {ratio} times as strong or more: they are driven out in the first round."
            ),
            () if self.own > self.theirs && self.unknown => {
                say!("You are stronger than what is known; what is not known may turn that.")
            }
            () if self.own > self.theirs => {
                say!("You are stronger; it may take rounds, and cost regiments.")
            }
            () if self.own == self.theirs => say!("You are as strong as they are."),
            () => say!("They are stronger."),
        }
    }
}

/// The city of somebody else in a sector.
fn city(view: &View, at: Place) -> Option<&KnownCity> {
    view.cities.iter().find(|c| c.at == at)
}

/// Whether a force or city that does not belong to an ally is known in a sector.
pub fn fights(view: &View, at: Place) -> bool {
    let ally = |seat: u8| view.power.allies.contains(&seat);
    let force = view.spotted.iter().any(|s| s.at == at && !ally(s.owner));
    force || city(view, at).is_some_and(|c| !ally(c.seen.owner.unwrap_or(NOBODY)))
}
