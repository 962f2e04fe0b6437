//! The holdings of a power and of the world besides units and cities: bases, works, radiation.

use std::collections::BTreeMap;

use super::{Power, State};
use crate::bases::{BaseNo, Hangar};
use crate::tables::Class;
use crate::works::Site;
use engine::Seat;
use engine::geometry::Place;

impl Power {
    /// Where one of the power's bases is.
    pub fn base_at(&self, base: BaseNo) -> Option<Place> {
        match base {
            BaseNo::Land(no) => (self.cities.get(&no).map(|c| c.at))
                .or_else(|| self.airbases.get(&no).map(|a| a.at)),
            BaseNo::Ship(no) => {
                self.units.get(&no).filter(|_| self.decks.contains_key(&no)).map(|u| u.at)
            }
        }
    }

    /// The contents of one of the power's bases.
    pub fn hangar(&self, base: BaseNo) -> Option<&Hangar> {
        match base {
            BaseNo::Land(no) => (self.cities.get(&no).map(|c| &c.hangar))
                .or_else(|| self.airbases.get(&no).map(|a| &a.hangar)),
            BaseNo::Ship(no) => self.decks.get(&no),
        }
    }

    /// The contents of one of the power's bases, to be changed.
    pub fn hangar_mut(&mut self, base: BaseNo) -> Option<&mut Hangar> {
        match base {
            BaseNo::Land(no) => match self.cities.get_mut(&no) {
                Some(city) => Some(&mut city.hangar),
                None => self.airbases.get_mut(&no).map(|a| &mut a.hangar),
            },
            BaseNo::Ship(no) => self.decks.get_mut(&no),
        }
    }

    /// All bases of the power: cities, airbases, ships, each by number.
    pub fn bases(&self) -> impl Iterator<Item = (BaseNo, Place, &Hangar)> {
        let cities = self.cities.iter().map(|(n, c)| (BaseNo::Land(*n), c.at, &c.hangar));
        let built = self.airbases.iter().map(|(n, a)| (BaseNo::Land(*n), a.at, &a.hangar));
        let ships = self.decks.iter().filter_map(|(no, hangar)| {
            self.units.get(no).map(|u| (BaseNo::Ship(*no), u.at, hangar))
        });
        cities.chain(built).chain(ships)
    }

    /// Fighters and jets at the power's bases in a sector.
    pub fn cover_at(&self, place: Place) -> u16 {
        self.bases().filter(|(_, at, _)| *at == place).map(|(.., h)| h.planes.cover()).sum()
    }
}

impl State {
    /// The tech level whose orders and chapters a seat may read.
    pub fn known_tech(&self, seat: Seat) -> u8 {
        self.powers.get(usize::from(seat.0)).map_or(1, |power| power.tech)
    }

    /// The works, base and radiation in a sector.
    pub fn site(&self, place: Place) -> Site {
        let base = self.powers.iter().find_map(|p| {
            p.airbases.iter().find(|(_, a)| a.at == place).map(|(no, _)| (*no, p.seat))
        });
        Site {
            works: self.works.get(&place).copied().unwrap_or_default(),
            base,
            hot_until: self.fallout.get(&place).copied().unwrap_or(0),
        }
    }

    /// All sectors with works, a base or radiation.
    pub fn sites(&self) -> BTreeMap<Place, Site> {
        let bases = self.powers.iter().flat_map(|p| p.airbases.values().map(|a| a.at));
        let places = self.works.keys().chain(self.fallout.keys()).copied().chain(bases);
        places.map(|place| (place, self.site(place))).collect()
    }

    /// Whether there is radiation in a sector.
    pub fn is_hot(&self, place: Place) -> bool {
        self.fallout.get(&place).is_some_and(|until| *until >= self.turn)
    }

    /// Cost of entering a land sector with its works and radiation; `None` when closed to the
    /// class.
    pub fn land_cost(&self, class: Class, place: Place) -> Option<u32> {
        let works = self.works.get(&place).copied().unwrap_or_default();
        let hot_until = self.fallout.get(&place).copied().unwrap_or(0);
        let site = Site { works, base: None, hot_until };
        site.cost(&self.tables, class, self.world.ground(place), self.turn)
    }
}

impl Power {
    /// Updates the power's knowledge of works, bases and radiation in the sectors that it sees;
    /// `seen` is in order.
    pub fn note_sites(&mut self, seen: &[Place], marks: &BTreeMap<Place, Site>) {
        let gone = |place: &Place| seen.binary_search(place).is_ok();
        self.sites.retain(|place, _| !gone(place));
        let now = marks.iter().filter(|(place, _)| seen.binary_search(place).is_ok());
        self.sites.extend(now.map(|(place, site)| (*place, *site)));
    }

    /// The works, base and radiation in a sector as far as the power knows.
    pub fn known_site(&self, place: Place) -> Site {
        self.sites.get(&place).copied().unwrap_or_default()
    }
}
