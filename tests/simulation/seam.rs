//! What happens between the robot and its store, statement by statement.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use store::{Moment, Trouble};
use support::chance::Chance;

/// The kinds of trouble, with their names in the counts.
pub const TROUBLES: &[(Trouble, &str)] = &[
    (Trouble::Again, "another worker was in the way"),
    (Trouble::Full, "a statement found no room"),
    (Trouble::Lost, "the connection ended"),
    (Trouble::Unanswered, "COMMIT was not answered"),
];

/// One in this number of statements, and of COMMITs, meets with trouble.
const STATEMENTS: u64 = 500;
const COMMITS: u64 = 25;
/// In each world some texts of statements, chosen by its seed, meet with trouble more often.
const CHOSEN: u64 = 8;
const TEXTS: u64 = 16;

/// The fate of a statement.
#[derive(Debug, Clone, Copy)]
pub struct Fate {
    /// Whether the world has chosen it.
    chosen: bool,
    /// How often it was run.
    pub run: u64,
    /// How often it met with trouble.
    pub met: u64,
}

/// The source of chance, and the troubles that it brought.
pub struct Seam {
    seed: u64,
    chance: Chance,
    /// Whether a process of the robot is at work. Code that only looks at the store meets with no
    /// trouble.
    pub at_work: bool,
    /// How often each trouble came.
    pub counts: BTreeMap<&'static str, u64>,
    /// The fate of each statement that is run in a commit or by itself.
    pub fates: BTreeMap<String, Fate>,
}

/// As a world and its stores share it.
pub type Shared = Arc<Mutex<Seam>>;

pub fn lock(seam: &Shared) -> MutexGuard<'_, Seam> {
    seam.lock().expect("no panic while a seam is held")
}

impl Seam {
    pub fn new(seed: u64) -> Shared {
        let (counts, fates) = (BTreeMap::new(), BTreeMap::new());
        let chance = Chance(seed ^ 0x5ea3);
        Arc::new(Mutex::new(Self { seed, chance, at_work: false, counts, fates }))
    }

    /// Decides the trouble of a moment.
    pub fn meets(&mut self, moment: Moment) -> Option<Trouble> {
        if !self.at_work {
            return None;
        }
        let (trouble, name) = *self.chance.of(TROUBLES);
        let comes = match moment {
            Moment::Commit => self.chance.one_in(COMMITS),
            Moment::Statement(text) => {
                if !self.fates.contains_key(text) {
                    let digest = base::secrets::sha256_hex(text.as_bytes());
                    let number = u64::from_str_radix(&digest[..8], 16).unwrap_or_default();
                    let chosen = number % TEXTS == self.seed % TEXTS;
                    self.fates.insert(text.to_owned(), Fate { chosen, run: 0, met: 0 });
                }
                let fate = self.fates.get_mut(text).expect("it is there");
                let comes = self.chance.one_in(if fate.chosen { CHOSEN } else { STATEMENTS });
                fate.run += 1;
                fate.met += u64::from(comes);
                comes
            }
        };
        if !comes {
            return None;
        }
        *self.counts.entry(name).or_default() += 1;
        Some(trouble)
    }
}
