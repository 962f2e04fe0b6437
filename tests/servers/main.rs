//! The robot between real mail servers: Dovecot and Postfix on loopback, `fieldpost serve` as a
//! process, twelve players who have nothing but mailboxes.
//!
//! Needs root and the Debian packages `dovecot-imapd`, `dovecot-lmtpd`, `postfix` and `openssl`;
//! the kills at every boundary also need a C compiler, as building the program does.

mod aftermath;
mod story;

mod boundaries;
mod classic;
mod clients;
mod crashes;
mod dialogue;
mod doctor;
mod empire;
mod host;
mod imperium;
mod logs;
mod mailbox;
mod names;
mod outages;
mod security;
mod signals;
mod steps;
mod turns;
mod workers;

use support::rig::{DOMAIN, Rig};

/// Numbers of the players; player n has seat n.
const PLAYERS: std::ops::RangeInclusive<u32> = 1..=12;

/// The mailbox of a player.
fn user(player: u32) -> String {
    format!("p{player}")
}

/// The addresses of the first players.
fn addresses(players: u32) -> Vec<String> {
    (1..=players).map(|n| format!("{}@{DOMAIN}", user(n))).collect()
}

/// Servers with mailboxes for the robot, the game master and all players.
fn servers() -> Rig {
    let players: Vec<String> = PLAYERS.map(user).collect();
    let mut users = vec!["robot", "gm"];
    users.extend(players.iter().map(String::as_str));
    Rig::start(&users)
}

/// A card with two orders of a seat.
fn card(seat: u32) -> String {
    format!("M 1 3\nC {seat} 1")
}
