//! `fieldpost mail list`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::cli::output::one_line;
use crate::ops::Failure;
use base::schedule;
use store::Verdict;

/// Lists the newest mails.
#[derive(Debug, clap::Args)]
pub struct List {
    /// How many.
    #[arg(long, default_value_t = 30)]
    limit: u32,
}

impl Run for List {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        for row in context.robot()?.store.mails().latest(self.limit)? {
            let verdict = Verdict::word_of(row.verdict);
            let seat = match (&row.game, row.seat) {
                (Some(game), Some(seat)) => format!("{game} seat {seat}"),
                _ => String::new(),
            };
            let at = schedule::local(row.received_at, "UTC");
            let (id, reason, from) = (row.id, &row.reason, one_line(&row.sender));
            writeln!(out, "{id:>6}  {at}  {verdict:<11} {reason:<18} {seat:<14} {from}")?;
        }
        Ok(())
    }
}
