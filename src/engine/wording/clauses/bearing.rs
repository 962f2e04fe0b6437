//! Places that are told by where they lie: `the nearest city`, `the ruins north-west of us`, `the
//! northern ruins`.

use super::Parser;
use super::nouns::{Many, Noun, Nouns};
use super::said::{ITS, NEAR, PLACE};
use crate::wording::frames::{Fill, Frame, Takes};
use crate::wording::speech::{AT, FROM, OF, TO};

/// The directions of the compass, clockwise.
const WAYS: [&str; 8] = ["N", "NE", "E", "SE", "S", "SW", "W", "NW"];

/// The direction of the compass in which something lies, so many columns east and rows south.
fn way_of(east: i32, south: i32) -> Option<&'static str> {
    let (x, y) = (east.abs(), south.abs());
    let way = match () {
        () if x == 0 && y == 0 => return None,
        () if y > 2 * x => [if south < 0 { "N" } else { "S" }, ""],
        () if x > 2 * y => ["", if east > 0 { "E" } else { "W" }],
        () => [if south < 0 { "N" } else { "S" }, if east > 0 { "E" } else { "W" }],
    };
    let way = way.concat();
    WAYS.into_iter().find(|known| *known == way)
}

/// How many eighths of a circle two directions are apart.
fn apart(a: &str, b: &str) -> usize {
    let at = |way: &str| WAYS.iter().position(|known| *known == way).unwrap_or_default();
    let far = at(a).abs_diff(at(b));
    far.min(WAYS.len() - far)
}

impl Nouns<'_, '_> {
    /// A set of places, narrowed to those in a direction from another place, or from the seat's own.
    pub(super) fn towards(&self, noun: &Noun) -> Vec<Noun> {
        if noun.codes.len() < 2 || !self.names.ground.has_sight() {
            return Vec::new();
        }
        let mut at = self.idle(noun.end);
        while self.tokens.get(at).is_some_and(|t| t.is(AT | TO) && t.meaning.way.is_none()) {
            at = self.idle(at + 1);
        }
        let Some(way) = self.tokens.get(at).and_then(|t| t.meaning.way) else { return Vec::new() };
        let behind = self.tokens.get(at + 1).is_some_and(|t| t.is(OF | FROM));
        let mut found = Vec::new();
        if !behind {
            let end = at + 1;
            let codes = self.in_direction(noun, way, &self.own_places());
            found.extend(codes.map(|codes| Noun { how: noun.how, ..Noun::said(end, codes) }));
            return found;
        }
        let place = self.idle(at + 2);
        let own = self.tokens[at + 2..place]
            .iter()
            .rev()
            .any(|t| matches!(t.key.as_str(), "ME" | "US" | "UNS" | "MIR"));
        if own {
            let codes = self.in_direction(noun, way, &self.own_places());
            found.extend(codes.map(|codes| Noun { how: noun.how, ..Noun::said(place, codes) }));
        }
        for from in self.names.place_sorts().iter().flat_map(|sort| {
            let places = self.single(sort, place, false, false);
            places.into_iter().filter(|p| p.codes.len() == 1)
        }) {
            let codes = self.in_direction(noun, way, &from.codes);
            found.extend(codes.map(|codes| Noun { how: noun.how, ..Noun::said(from.end, codes) }));
        }
        found
    }

    /// Those of a set that lie in a direction: exactly so, or nearly so where none does.
    fn in_direction(&self, noun: &Noun, way: &str, from: &[String]) -> Option<Vec<String>> {
        let off = |code: &String| {
            let bearings = from.iter().filter_map(|from| self.names.ground.bearing(from, code));
            let ways = bearings.filter_map(|(_, east, south)| way_of(east, south));
            ways.map(|known| apart(known, way)).min()
        };
        let far = |code: &String| {
            let bearings = from.iter().filter_map(|from| self.names.ground.bearing(from, code));
            bearings.map(|(far, ..)| far).min()
        };
        let mut codes = (0..2).find_map(|most| {
            let codes: Vec<String> =
                noun.codes.iter().filter(|code| off(code) == Some(most)).cloned().collect();
            (!codes.is_empty()).then_some(codes)
        })?;
        // `the city in the south` is the nearest one there.
        if noun.how.is_none_or(|how| how == Many::Open) {
            let nearest = codes.iter().filter_map(far).min();
            codes.retain(|code| far(code) == nearest);
        }
        Some(codes)
    }

    /// Places of a direction before their noun: `the northern ruins`.
    pub(super) fn on_a_side(&self, sort: &'static str, at: usize) -> Vec<Noun> {
        let at = self.idle(at);
        let Some(way) = self.tokens.get(at).and_then(|t| t.meaning.way) else { return Vec::new() };
        if !self.names.ground.has_sight() {
            return Vec::new();
        }
        let mut places = Vec::new();
        self.heads(sort, self.idle(at + 1), Many::Open, (false, false), &mut places);
        let from = self.own_places();
        let told = places.into_iter().filter(|noun| noun.codes.len() > 1).filter_map(|noun| {
            let codes = self.in_direction(&noun, way, &from)?;
            Some(Noun { how: noun.how, ..Noun::said(noun.end, codes) })
        });
        told.collect()
    }

    /// Where the seat lies.
    fn own_places(&self) -> Vec<String> {
        let homes = self.names.all_of("home");
        let cities = || -> Vec<String> {
            let cities = self.names.all_of("city").into_iter();
            cities.filter_map(|code| self.names.place_of("city", &code).cloned()).collect()
        };
        if homes.is_empty() { cities() } else { homes }
    }

    /// The nearest of a set of places, to be told when it is known who goes there.
    pub(super) fn nearest(&self, sort: &'static str, at: usize) -> Vec<Noun> {
        const NEAREST: [&str; 4] = ["NEAREST", "CLOSEST", "NAECHSTE", "NAECHSTEN"];
        let at = self.idle(at);
        let near = self.tokens.get(at).is_some_and(|t| NEAREST.contains(&t.key.as_str()));
        if !near || !self.names.ground.has_sight() {
            return Vec::new();
        }
        let mut places = Vec::new();
        self.heads(sort, self.idle(at + 1), Many::All, (false, false), &mut places);
        let marked = places.into_iter().map(|noun| {
            let codes = std::iter::once(NEAR.to_owned()).chain(noun.codes).collect();
            Noun::said(noun.end, codes)
        });
        marked.collect()
    }
}

/// Fills in the nearest place of a set, seen from what an order is about, or from the seat's own;
/// `None` where several are as near.
pub(super) fn find_nearest(
    parser: &Parser<'_>,
    frame: &Frame,
    bound: &mut [Option<Vec<String>>],
) -> Option<()> {
    let near = |codes: &Option<Vec<String>>| {
        codes.as_ref().is_some_and(|codes| codes.first().is_some_and(|code| code == NEAR))
    };
    let Some(at) = bound.iter().position(near) else { return Some(()) };
    let from: Vec<String> = (frame.roles.iter().zip(bound.iter()))
        .filter(|(role, codes)| role.fill == Fill::Each && codes.is_some())
        .filter_map(|(role, codes)| match (&role.takes, codes) {
            (Takes::Things(sort), Some(codes)) => Some((*sort, codes)),
            _ => None,
        })
        .flat_map(|(sort, codes)| {
            let place = move |code: &String| match parser.names.is_place(sort) {
                true => Some(code.clone()),
                false => parser.names.place_of(sort, code).cloned(),
            };
            codes.iter().filter_map(place)
        })
        .collect();
    let from = if from.is_empty() { Nouns(parser).own_places() } else { from };
    let places = bound[at].as_ref()?.iter().skip(1);
    let far = |code: &String| {
        let seen = from.iter().filter_map(|from| parser.names.ground.bearing(from, code));
        seen.map(|(far, ..)| far).filter(|far| *far > 0).min()
    };
    let mut places: Vec<(u32, String)> = places
        .filter(|code| *code != ITS && *code != PLACE)
        .filter_map(|code| Some((far(code)?, code.clone())))
        .collect();
    places.sort();
    let alone = places.get(1).is_none_or(|(far, _)| *far > places[0].0);
    let (_, nearest) = places.into_iter().next().filter(|_| alone)?;
    bound[at] = Some(vec![nearest]);
    Some(())
}
