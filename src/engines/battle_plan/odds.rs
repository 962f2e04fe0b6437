//! The outcome of a battle of armies by the public formula (§10.1).

use tongue::say;

/// Army that a country builds before the battle (§9).
pub enum Made {
    /// This number.
    Sure(i64),
    /// At most this number, if all of its industry builds army.
    AtMost(i64),
}

/// The outcome against the armies that are there, and against those with what the country builds.
/// Each attacker counts `percent` per cent.
pub fn against(attackers: i64, there: i64, made: Made, percent: i64) -> String {
    let now = match there {
        0 => say!("no army is there now."),
        _ => duel(attackers, there, percent),
    };
    match made {
        Made::Sure(n @ 1..) => {
            say!("it builds {n} army; {then}", then = duel(attackers, there + n, percent))
        }
        Made::AtMost(n @ 1..) => say!(
            "{now} If it builds army with its {n} industry, {then}",
            then = duel(attackers, there + n, percent)
        ),
        _ => now,
    }
}

/// A sentence on what else decides the battle.
pub fn beside() -> String {
    say!("Supporters, air force, navy and missiles fight before the armies do.")
}

/// The outcome of two armies: the larger one wins. Its losses are the square of the smaller number
/// divided by the larger. Each attacker counts `percent` per cent.
pub fn duel(attackers: i64, defenders: i64, percent: i64) -> String {
    let (a, d) = (attackers.clamp(0, 99_999), defenders.clamp(0, 99_999));
    let (ours, theirs) = (a * percent, d * 100);
    // The winner's losses in tenths; with numbers up to 99,999 nothing overflows.
    let lost = |winner: i64, weak: i64, strong: i64| {
        let (weak, strong) = (i128::from(weak), i128::from(strong).max(1));
        let tenths = i128::from(winner) * 10 * weak * weak / (strong * strong);
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    match ours.cmp(&theirs) {
        std::cmp::Ordering::Greater => say!(
            "{a} attack {d}: the attackers win and lose about {lost}.",
            lost = lost(a, theirs, ours)
        ),
        std::cmp::Ordering::Less => say!(
            "{a} attack {d}: the attackers are wiped out, the defenders lose about {lost}.",
            lost = lost(d, ours, theirs)
        ),
        std::cmp::Ordering::Equal => {
            say!("{a} attack {d}: the attackers are wiped out, and one defender is left or none.")
        }
    }
}
