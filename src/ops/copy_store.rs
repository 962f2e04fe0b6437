//! A whole host from one place to another: between a folder and a database, both ways.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::Failure;
use base::clock::{SystemClock, SystemEntropy};
use base::text::count;
use mail::account::Password;
use mail::compose::Sender;
use registry::ENGINES;
use robot::Robot;
use robot::gm::{By, Sight};
use robot::limits::Limits;
use store::{Place, Server, Status, copy_store};

/// A place as a command line names it: a folder, or the address of a database.
///
/// # Errors
/// A sentence that says what to write instead.
pub fn place(
    at: &str,
    password: Option<PathBuf>,
    ca_file: Option<PathBuf>,
) -> Result<Place, Failure> {
    if !at.contains("://") {
        return match password {
            Some(_) => Err(format!("{at} is a folder, which has no password").into()),
            None => Ok(Place::Folder(at.into())),
        };
    }
    let server = Server::new(at, password.map(Password::File), ca_file);
    // The address is not quoted, because it may contain a password.
    server.map(|s| Place::Server(Box::new(s))).map_err(|e| format!("the address {e}").into())
}

/// Copies a store, compares the result, and plays all journals again there.
///
/// # Errors
/// A sentence that says what to do; the first place is as it was, but for a row in its record.
pub fn run(from: &Place, to: &Place, out: &mut dyn Write) -> Result<(), Failure> {
    if let Place::Folder(folder) = from
        && !folder.join(store::FILE).exists()
    {
        return Err(format!("there is no store in {}", folder.display()).into());
    }
    // What comes in while the store is copied would be lost.
    let _locks = [crate::host::lock_place(from)?, crate::host::lock_place(to)?];
    let open = |place: &Place| -> Result<Robot, Failure> {
        let identity = Sender { name: "Fieldpost".to_owned(), address: String::new(), from: None };
        let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
        let (store, limits) = (place.open(&SystemEntropy)?, Limits::default());
        Ok(Robot::new(store, identity, String::new(), limits, &ENGINES, clock, entropy))
    };
    // Whoever has the copy can see every position, so the record says so. The copy has the row too.
    let what = "the whole store read, to be copied elsewhere";
    open(from)?.looked(By::Shell, None, Sight::Copy, what)?;
    let mut rows = 0;
    let done = copy_store(from, to, &SystemEntropy, |table| {
        rows += table.rows;
        tracing::info!(table = table.table, rows = table.rows, "copied");
    })?;
    writeln!(
        out,
        "{} in {} are the same there.",
        count(rows, "row"),
        count(done.len() as u64, "table")
    )?;
    let robot = open(to)?;
    for game in robot.store.games().all()? {
        if game.status == Status::Open {
            continue;
        }
        let turns = robot.replay(&game.code, |_| {})?;
        match turns.iter().find(|turn| !turn.same) {
            None => writeln!(
                out,
                "Game {}: {}, all the same.",
                game.code,
                count(turns.len() as u64, "step")
            )?,
            Some(turn) => {
                return Err(format!(
                    "step {} of game {} comes out otherwise; \"fieldpost replay {1}\" on the first \
                     store says whether it does so there too. Do not use the copy before you know",
                    turn.turn, game.code
                )
                .into());
            }
        }
    }
    writeln!(out, "The copy is whole. Write its place into robot.data or robot.store, and start.")?;
    Ok(())
}
