//! Acceptance tests of the games, a folder each, and the pages that lay the rules
//! beside their tests.

mod battle_plan;
mod coverage;
mod warlord;
