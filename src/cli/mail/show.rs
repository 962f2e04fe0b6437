//! `fieldpost mail show`.

use std::io::Write;

use crate::cli::command::{Context, Run};
use crate::cli::output::one_line;
use crate::ops::Failure;
use base::schedule;
use store::Verdict;

/// Explains one verdict and shows what was answered.
#[derive(Debug, clap::Args)]
pub struct Show {
    /// Number of the mail, as in the list and as the receipt of an echo.
    id: i64,
    /// Prints the raw mail too.
    #[arg(long)]
    raw: bool,
}

impl Run for Show {
    fn run(self, context: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let (robot, id) = (context.robot()?, self.id);
        let row = robot.store.mails().mail(id)?.ok_or_else(|| {
            format!("there is no mail {id}; \"fieldpost mail list\" shows the newest")
        })?;
        let verdict = Verdict::word_of(row.verdict);
        writeln!(out, "Mail {id} from {}, {} bytes", one_line(&row.sender), row.size)?;
        writeln!(out, "Received {}", schedule::local(row.received_at, "UTC"))?;
        writeln!(out, "Verdict: {verdict} ({})\n{}", row.reason, one_line(&row.why))?;
        for caused in robot.store.outbox().caused_by(id)? {
            let (kind, state, error) = (&caused.kind, &caused.state, one_line(&caused.last_error));
            writeln!(out, "\nAnswered by {kind}: {state} {error}")?;
            out.write_all(&caused.bytes)?;
        }
        if self.raw {
            let bytes = robot.store.mails().raw(id)?;
            let bytes = bytes.ok_or("the raw mail is not kept any more")?;
            if (bytes.len() as u64) < row.size {
                writeln!(out, "\nOf its {} bytes the first {} are kept.", row.size, bytes.len())?;
            }
            writeln!(out, "\n---- raw ----\n{}", String::from_utf8_lossy(&bytes))?;
        }
        Ok(())
    }
}
