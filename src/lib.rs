pub mod engine;
pub mod engines { pub mod warlord; }
