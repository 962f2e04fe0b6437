//! The places that a line names, whatever else it says: what questions ask about.

use super::Parser;
use super::nouns::Nouns;
use crate::wording::tokens::Kind;

/// The places that a line names, in its order.
pub(in crate::wording) fn places(parser: &Parser<'_>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut at = 0;
    while at < parser.tokens.len() && !parser.is_too_long() && !parser.is_spent() {
        let sorts = parser.names.place_sorts().iter();
        let nouns = sorts.filter_map(|sort| place(parser, sort, at));
        match nouns.max_by_key(|(end, _)| *end).filter(|(end, _)| *end > at) {
            Some((end, code)) => {
                if !found.contains(&code) {
                    found.push(code);
                }
                at = end;
            }
            None => at += 1,
        }
    }
    found
}

/// A place that is named at a token: where that ends, and its code.
fn place(parser: &Parser<'_>, sort: &'static str, at: usize) -> Option<(usize, String)> {
    let first = parser.tokens.get(at).filter(|t| t.kind == Kind::Word)?;
    // A small word begins no name, nor does a short verb.
    if first.meaning.classes != 0 || parser.is_verb(at) && first.text.len() < 4 {
        return None;
    }
    let places = Nouns(parser).single(sort, at, false, false).into_iter();
    let places = places.filter(|noun| noun.said && !noun.open && noun.codes.len() == 1);
    let place = places.filter(|noun| !noun.codes[0].starts_with('\u{1}')).max_by_key(|n| n.end)?;
    Some((place.end, place.codes[0].clone()))
}
