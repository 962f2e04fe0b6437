pub mod card;
pub mod cli;
pub mod clock;
pub mod config;
pub mod demo;
pub mod engine;
pub mod engines {
    pub mod warlord;
}
pub mod mail;
pub mod observe;
pub mod registry;
pub mod render;
pub mod robot;
pub mod schedule;
pub mod secrets;
pub mod store;
pub mod tls;
