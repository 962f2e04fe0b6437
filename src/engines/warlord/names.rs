//! Names of generals, made up for this game.

use engine::Dice;

const GENERALS: [&str; 48] = [
    "ABERN", "ALDIS", "ARVEN", "BASTO", "BERIK", "BRANOK", "CALVO", "CORVIN", "DARROW", "DELMAR",
    "DORNE", "EBERT", "ELDRAN", "ESKIL", "FALK", "FENWICK", "GARRAN", "GRIMM", "HADAR", "HALDEN",
    "HOLM", "INGRAM", "IVARSON", "JARETH", "JORUND", "KASPAR", "KELDON", "KORVEN", "LANNOCK",
    "LORIMER", "MARLO", "MORDEN", "NEVIN", "NORRIK", "OSWIN", "PELLAR", "QUILLON", "RADEK",
    "ROMERO", "SANDOR", "SORREL", "TARKIN", "THORNE", "ULRIK", "VARGA", "WESTEN", "YARROW",
    "ZOLTAN",
];

/// A name that none of the others has; the place of the dice is already set.
pub fn general(taken: &[String], dice: &mut Dice) -> String {
    let free: Vec<&str> =
        GENERALS.iter().copied().filter(|n| taken.iter().all(|t| t != n)).collect();
    // There are far more names than generals.
    let drawn = dice.below("name of a general", free.len() as u32);
    free.get(drawn as usize).map_or_else(String::new, |n| (*n).to_owned())
}

/// The name of a general as it follows their number; empty for a general without a name.
pub fn general_name(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" {name}") }
}
