//! Orders of the player (§5).

use super::super::orders::PlayerOrder;
use super::super::state::{COUNTERSPY, NOBODY, SPY, Share, Stance};
use super::super::verbs::Arm;
use super::{Desk, Verdict, Where, hundredths, refuse};
use crate::desk::post;
use engine::Told;
use tongue::say;

impl Desk<'_> {
    pub(super) fn player(&mut self, order: &PlayerOrder) -> Verdict {
        match *order {
            PlayerOrder::Stance(p, stance) => self.declare(p, stance),
            PlayerOrder::Gift(p, n) => {
                let p = self.other_player(p)?;
                let (n, told) = self.take(0, n)?;
                self.paper.gifts.push((p, n));
                Ok(told)
            }
            PlayerOrder::Permit(p, yes) => self.permit(p, yes),
            PlayerOrder::Share(p, share) => self.share(p, share),
            PlayerOrder::SpreadSpies(p, n) => {
                self.spread_over(if p == NOBODY { p } else { self.other_player(p)? })?;
                self.place_spies(Where::Spread(p), n)
            }
            PlayerOrder::SpreadCounterspies(p, n) => {
                self.spread_over(if p == NOBODY { p } else { self.known_player(p)? })?;
                self.use_counterspies(Where::Spread(p), n)
            }
            PlayerOrder::SpreadPropaganda(p, n) => {
                self.spread_over(if p == NOBODY { p } else { self.known_player(p)? })?;
                self.pay_propaganda(Where::Spread(p), n)
            }
            PlayerOrder::Spies(n, ref code) => {
                let space = self.find(code)?;
                if self.map().is_sea(space) {
                    return refuse("E25", say!("spies can't be sent to a sea such as {code}"));
                }
                if self.owner(space) == self.me() {
                    return refuse("E25", say!("{code} is yours; it needs no spies of yours"));
                }
                self.place_spies(Where::Country(space), n)
            }
            PlayerOrder::Counterspies(n, ref code) => {
                let space = self.find_country(code)?;
                self.use_counterspies(Where::Country(space), n)
            }
            PlayerOrder::Propaganda(n, ref code) => {
                let space = self.find_country(code)?;
                self.pay_propaganda(Where::Country(space), n)
            }
            PlayerOrder::TrainSpies(n) => self.train(0, SPY, n),
            PlayerOrder::TrainCounterspies(n) => self.train(1, COUNTERSPY, n),
            PlayerOrder::Research(item, n) => self.research(item, n),
            PlayerOrder::Option(which) => self.option(which),
            PlayerOrder::Default(item, proportion) => {
                self.is_built_here(item)?;
                self.paper.player.defaults[item] = proportion;
                Ok(Told::ok(""))
            }
            PlayerOrder::Opinion(p, good, place) => self.opinion(p, good, place),
            PlayerOrder::Wire(p, k, ref code) => post::wire(self, p, k, code.as_deref()),
        }
    }

    /// Games with bombers have no antimissiles.
    pub(super) fn is_built_here(&self, item: usize) -> Result<(), Told> {
        let variant = &self.facts.tables.variant;
        match item == Arm::Antimissile as usize && variant.bombers {
            true => {
                let title = &variant.title;
                Err(Told::error("E29", say!("antimissiles are not in this variant ({title})")))
            }
            false => Ok(()),
        }
    }

    pub(super) fn declare(&mut self, p: u8, stance: Stance) -> Verdict {
        let p = self.other_player(p)?;
        match stance {
            Stance::Neutral => self.paper.player.stances.remove(&p),
            _ => self.paper.player.stances.insert(p, stance),
        };
        Ok(Told::ok(match stance {
            Stance::Ally => say!("from now on ally; they are told"),
            Stance::Neutral => say!("from now on neutral"),
            Stance::Enemy => say!("from now on enemy; everybody is told"),
        }))
    }

    pub(super) fn permit(&mut self, p: u8, yes: bool) -> Verdict {
        let p = self.other_player(p)?;
        match yes {
            true => self.paper.player.permits.insert(p),
            false => self.paper.player.permits.remove(&p),
        };
        Ok(Told::ok(""))
    }

    pub(super) fn share(&mut self, p: u8, share: Share) -> Verdict {
        let p = self.other_player(p)?;
        match share {
            Share::Nothing => self.paper.player.shares.remove(&p),
            _ => self.paper.player.shares.insert(p, share),
        };
        Ok(Told::ok(""))
    }

    pub(super) fn place_spies(&mut self, place: Where, n: i64) -> Verdict {
        let (n, told) = self.take(1, n)?;
        self.paper.spies.push((place, n));
        Ok(told)
    }

    pub(super) fn use_counterspies(&mut self, place: Where, n: i64) -> Verdict {
        let (n, told) = self.take(2, n)?;
        self.paper.counterspies.push((place, n));
        Ok(told)
    }

    pub(super) fn pay_propaganda(&mut self, place: Where, n: i64) -> Verdict {
        let (n, told) = self.take(0, n)?;
        self.paper.propaganda.push((place, n));
        Ok(told)
    }

    pub(super) fn research(&mut self, item: usize, n: i64) -> Verdict {
        self.is_built_here(item)?;
        let (n, told) = self.take(0, n)?;
        self.paper.research[item] += n;
        Ok(told)
    }

    pub(super) fn option(&mut self, which: u8) -> Verdict {
        let player = &mut self.paper.player;
        let switch = if which == 1 { &mut player.compact } else { &mut player.single_list };
        *switch = !*switch;
        Ok(Told::ok(match (which, *switch) {
            (1, true) => say!("from the next printout: numbers only"),
            (1, false) => say!("from the next printout: names beside the numbers"),
            (_, true) => say!("from the next printout: one list of spaces"),
            (_, false) => say!("from the next printout: two lists of spaces"),
        }))
    }

    /// Puts a player on a place of the good or the bad list (§20.3).
    pub(super) fn opinion(&mut self, p: u8, good: bool, place: u8) -> Verdict {
        let variant = &self.facts.tables.variant;
        if !variant.opinion {
            let title = &variant.title;
            return refuse("E29", say!("world opinion is not in this variant ({title})"));
        }
        let p = if p == NOBODY { p } else { self.other_player(p)? };
        let player = &mut self.paper.player;
        let list = if good { &mut player.good } else { &mut player.bad };
        // A place from 1 to 3 is also the number of points.
        let at = usize::from(place.clamp(1, 3)) - 1;
        let before = list.iter().position(|q| *q == p && p != NOBODY).filter(|b| *b != at);
        if let Some(before) = before {
            list[before] = NOBODY;
        }
        list[at] = p;
        Ok(match before {
            Some(b) => {
                Told::warning("W32", say!("moved from place {before} to {place}", before = b + 1))
            }
            None => Told::ok(""),
        })
    }

    pub(super) fn spread_over(&self, p: u8) -> Result<(), Told> {
        match self.facts.owners.contains(&p) {
            true => Ok(()),
            false if p == NOBODY => Err(Told::error("E34", say!("there are no minors left"))),
            false => Err(Told::error("E34", say!("player {p} occupies no country"))),
        }
    }

    pub(super) fn train(&mut self, which: usize, item: usize, n: i64) -> Verdict {
        let (n, mut told) = self.take(0, n)?;
        self.paper.training[which] += n;
        if told.note.is_empty() {
            let made = n * self.paper.player.multipliers[item];
            told.note = say!("{made} next turn", made = hundredths(made));
        }
        Ok(told)
    }
}
