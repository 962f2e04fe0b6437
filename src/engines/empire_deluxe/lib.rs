//! Empire Deluxe: exploration and conquest for 2 to 6 players, on worlds of islands.
//!
//! The chapters (§) that comments name are those of the rule specification: 1 editions, 2 map,
//! 3 units, 4 turns, 5 movement, 6 carrying, 7 sighting, 8 combat, 9 cities, 10 damage,
//! 11 production, 12 airbases, 13 the end, 14 computers, 15 by mail, 16 orders, 17 turns of all,
//! 18 report, 19 cases.
//!
//! | file | what it holds |
//! |---|---|
//! | [`kinds`] | kinds of units, editions |
//! | [`tables`] | options and figures |
//! | [`ground`] | squares and their terrain |
//! | [`world`] | the making of a world |
//! | [`combat`] | who may attack whom, and the odds |
//! | [`state`] | cities, units, players |
//! | [`sight`] | what a player knows |
//! | [`event`] | what happened |
//! | [`field`] | who stands where, who sees what |
//! | [`moves`] | the referee: single steps of units |
//! | [`production`] | the clock of cities |
//! | [`game`] | a game and its steps |
//! | [`queue`] | what units do by their orders |
//! | [`orders`] | the table of orders and their reader |

pub mod combat;
pub mod event;
pub mod field;
pub mod game;
pub mod ground;
pub mod kinds;
pub mod moves;
pub mod orders;
pub mod production;
pub mod queue;
pub mod sight;
pub mod state;
pub mod tables;
pub mod world;
