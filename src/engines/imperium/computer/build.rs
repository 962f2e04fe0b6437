//! What a computer builds, and where Outposts can be placed.

use super::super::admin::{self};
use super::super::board::{Board, Control, Marker};
use super::super::closeout;
use super::super::galaxy::{Planet, System};
use super::super::kinds::{Class, Kind};
use super::Thinker;
use crate::counters;

impl Thinker<'_> {
    pub(super) fn build(&mut self) -> Vec<String> {
        let side = self.side;
        let standing = &self.view.filed.standing;
        let bill = closeout::bill(&self.board, side, standing, self.peace());
        let hurt: i64 = self
            .board
            .of(side)
            .filter(|(_, u)| u.damaged)
            .map(|(id, _)| i64::from(self.board.figures(id).m))
            .sum();
        let stock = i64::from(self.board.purses[side.i()].stock);
        let mut money =
            stock - i64::from(bill.stock) - if self.peace() { 2 * hurt } else { hurt.clamp(5, 12) };
        let mut lines = Vec::new();
        let peace = self.peace();
        let price = |board: &Board, kind: Kind| i64::from(admin::price(board, side, kind, peace));
        let mut order = |this: &mut Self, kind: Kind, n: i64, money: &mut i64| {
            let each = price(&this.board, kind);
            let left = counters::left(&this.board, side, kind).map_or(99, i64::from);
            let n = n.min(*money / each.max(1)).min(left);
            if n > 0 && admin::forbidden(&this.board, side, kind).is_none() {
                *money -= n * each;
                lines.push(format!("B {} {n}", kind.code()));
                let due = super::super::board::Due { turn: this.view.clock + 1, kind };
                this.board.purses[side.i()].track.extend((0..n).map(|_| due));
            }
        };
        let war_left = 10 - i64::from(self.view.turn.min(10));
        let long = peace || war_left >= 5;
        let count = |this: &Self, kind: Kind| i64::from(counters::counted(&this.board, side, kind));
        // Outposts pay for themselves after some turns.
        if long && self.free_planets().len() > 2 {
            let carriers = count(self, Kind::TR);
            let outposts = count(self, Kind::OP);
            order(self, Kind::OP, (2 - outposts).max(0), &mut money);
            order(self, Kind::TR, (4 - carriers).clamp(0, 1), &mut money);
        }
        let troops = count(self, Kind::RT) + count(self, Kind::JT);
        let wanted = if war_left < 2 { 0 } else { 7 };
        order(self, Kind::JT, (5 - count(self, Kind::JT)).clamp(0, 1), &mut money);
        order(self, Kind::RT, (wanted - troops).clamp(0, 2), &mut money);
        order(self, Kind::AT, (2 - count(self, Kind::AT)).clamp(0, 1), &mut money);
        order(self, Kind::SC, (3 - count(self, Kind::SC)).clamp(0, 1), &mut money);
        // The costliest affordable ship that arrives in time. A lost battle without capital ships
        // on both sides rarely costs Glory, so the weaker side builds none.
        let weaker = self.is_weaker();
        let mut kinds: Vec<Kind> = Kind::ALL
            .into_iter()
            .filter(|k| {
                let class = self.board.tables.class(*k);
                let turns = self.board.tables.of(side, *k).map_or(9, |f| i64::from(f.turns));
                matches!(class, Class::Capital | Class::Light)
                    && !matches!(k, Kind::CV | Kind::SC)
                    && (class == Class::Light || !weaker || peace)
                    && (peace || turns <= war_left)
            })
            .collect();
        kinds.sort_by_key(|k| (std::cmp::Reverse(self.cost(side, *k)), *k));
        // Nothing holds a World as cheaply as monitors do.
        let monitors = 3 * i64::try_from(self.board.held(side, Marker::World).len()).unwrap_or(1);
        if weaker || peace {
            order(self, Kind::M, (monitors.min(4) - count(self, Kind::M)).clamp(0, 1), &mut money);
        }
        for kind in kinds {
            let at_once = if self.board.tables.class(kind) == Class::Light { 3 } else { 1 };
            order(self, kind, at_once, &mut money);
        }
        lines
    }

    /// Free planets where an Outpost could be placed, connected to own ones, nearest first.
    pub(super) fn free_planets(&self) -> Vec<Planet> {
        let board = &self.board;
        let own: Vec<System> = board
            .planets
            .iter()
            .filter(|(_, l)| l.marker.is_some_and(|m| m.0 == self.side))
            .map(|(p, _)| p.system)
            .collect();
        let far = board.galaxy.jumps(own, |_| true);
        let near = |p: &Planet| far.get(usize::from(p.system.0) - 1).copied().flatten();
        let mut free: Vec<Planet> = board
            .planets
            .iter()
            .filter(|(p, l)| {
                l.marker.is_none()
                    && !self.taken.contains(p)
                    && near(p).is_some_and(|d| d <= 2)
                    && !board.occupied(self.enemy(), p.system)
                    && board.control(**p) != Control::Disputed
                    && !self.lurks(**p)
            })
            .map(|(p, _)| *p)
            .collect();
        free.sort_by_key(|p| (near(p), *p));
        free
    }
}
