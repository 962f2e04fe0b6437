//! The engines of this host: the only file that names one.

use crate::engine::{Engine, EngineOf};
use crate::engines::battle_plan::BattlePlan;
use crate::engines::warlord::Warlord;

/// Every engine that a game can be made with.
pub static ENGINES: &[&dyn Engine] = &[&EngineOf::<Warlord>::new(), &EngineOf::<BattlePlan>::new()];

/// Finds an engine by its name in commands.
pub fn engine(engines: &'static [&'static dyn Engine], id: &str) -> Option<&'static dyn Engine> {
    engines.iter().copied().find(|e| e.id() == id)
}
