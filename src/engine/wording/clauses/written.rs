//! The orders that a row writes.

use crate::wording::LINE_ORDERS_MAX;
use crate::wording::frames::{Fill, Frame};

/// The orders that a row writes with its roles filled; `None` where there are too many.
pub(super) fn written(
    frame: &Frame,
    bound: &[Option<Vec<String>>],
    new: Option<&str>,
) -> Option<Vec<String>> {
    if frame.writes.is_empty() {
        return Some(Vec::new());
    }
    let mut orders = vec![match new {
        Some(new) => frame.writes.replace("{new}", new),
        None if frame.writes.contains("{new}") => return None,
        None => frame.writes.to_owned(),
    }];
    let mut times = 1;
    for (role, codes) in frame.roles.iter().zip(bound) {
        let Some(codes) = codes else { continue };
        if role.name == "times" {
            times = codes.first()?.parse().ok()?;
            continue;
        }
        let slot = format!("{{{}}}", role.name);
        let fill = |orders: &[String], code: &str| -> Vec<String> {
            orders.iter().map(|order| order.replace(&slot, code)).collect()
        };
        orders = match role.fill {
            Fill::Each => codes.iter().flat_map(|code| fill(&orders, code)).collect(),
            // What a pair is one of takes two.
            Fill::Words if role.name == "pair" && codes.len() != 2 => return None,
            Fill::Words => fill(&orders, &codes.join(" ")),
            Fill::Steps => fill(&orders, &codes.concat()),
            Fill::Tally => {
                let mut kinds: Vec<(&String, usize)> = Vec::new();
                for code in codes {
                    match kinds.iter_mut().find(|(kind, _)| *kind == code) {
                        Some((_, n)) => *n += 1,
                        None => kinds.push((code, 1)),
                    }
                }
                let one = |(code, n): &(&String, usize)| -> Vec<String> {
                    let orders = fill(&orders, code);
                    orders.iter().map(|order| order.replace("{n}", &n.to_string())).collect()
                };
                kinds.iter().flat_map(one).collect()
            }
            Fill::One => match &codes[..] {
                [code] => fill(&orders, code),
                // A word that stands for itself.
                [] => orders,
                _ => return None,
            },
        };
        if orders.len() > LINE_ORDERS_MAX {
            return None;
        }
    }
    // What may be missing leaves nothing behind.
    let orders = orders.iter().flat_map(|order| order.split(';'));
    let orders: Vec<String> = orders.map(without_slots).collect();
    let all: Vec<String> = (0..times).flat_map(|_| orders.clone()).collect();
    (all.len() <= LINE_ORDERS_MAX && !all.is_empty()).then_some(all)
}

/// An order without the slots that nothing fills.
fn without_slots(order: &str) -> String {
    let kept = |word: &&str| {
        !(word.starts_with('{') && word.ends_with('}')) || matches!(*word, "{above}" | "{within}")
    };
    order.split_whitespace().filter(kept).collect::<Vec<_>>().join(" ")
}
