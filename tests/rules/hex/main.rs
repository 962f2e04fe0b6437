//! Hex: the rules, how a game ends, swapping, prepared answers, a seat that is left, the
//! printout, whole games of computers, and invariants over generated cards.

mod board;
mod games;
mod headline;
mod orders;
mod printout;
mod rules;
