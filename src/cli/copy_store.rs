//! `fieldpost copy-store`.

use std::io::Write;
use std::path::PathBuf;

use super::command::{Context, Run};
use crate::ops::{Failure, copy_store};

/// Moves a whole host between a folder and a database, or between two of a kind.
///
/// The place that it is copied to must hold nothing. Each table is compared with what it was, and
/// the journal of each game is played again there. Nobody may serve meanwhile.
#[derive(Debug, clap::Args)]
pub struct CopyStore {
    /// Folder of the store, or address of the database, such as
    /// postgres://fieldpost@db.example.org/fieldpost.
    from: String,
    /// Folder or address of the place that it is copied to.
    to: String,
    /// File with the password of the database that it is copied from.
    #[arg(long, value_name = "FILE")]
    from_password_file: Option<PathBuf>,
    /// File with the password of the database that it is copied to.
    #[arg(long, value_name = "FILE")]
    to_password_file: Option<PathBuf>,
    /// Certificate authorities of the databases, instead of the system's.
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
}

impl Run for CopyStore {
    fn run(self, _: &Context, out: &mut dyn Write) -> Result<(), Failure> {
        let place = |at: &str, password: Option<PathBuf>| {
            copy_store::place(at, password, self.ca_file.clone())
        };
        let from = place(&self.from, self.from_password_file.clone())?;
        let to = place(&self.to, self.to_password_file.clone())?;
        copy_store::run(&from, &to, out)
    }
}
