//! `fieldpost game set`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::cli::input::name_and_value;
use crate::cli::output::without_bars;
use crate::ops::Failure;
use robot::gm::{self, By};

/// Changes terms of a game, such as early=true, policy=strict, every="mon thu".
#[derive(Debug, clap::Args)]
pub struct Set {
    /// Code of the game.
    game: String,
    /// Terms; none shows all as they are.
    #[arg(value_name = "NAME=VALUE", value_parser = name_and_value)]
    terms: Vec<(String, String)>,
}

impl Run for Set {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let mut robot = context.robot()?;
        for (name, value) in self.terms {
            let game = self.game.clone();
            robot.act(By::Shell, &gm::Set { game, name, value })?;
        }
        Ok(without_bars(&robot.reports().terms_text(&self.game)?, out)?)
    }
}
