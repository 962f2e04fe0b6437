//! `fieldpost serve` over stores of different sizes: the time until it serves, and its memory.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::games;
use crate::report::{Row, memory, now, share, since, size, time};
use support::rig::{DOMAIN, pause};

/// Starts of a host, of which the median counts.
const STARTS: usize = 5;
/// Time after which a host is at rest; it checks a Maildir every second.
const REST: Duration = Duration::from_secs(4);

/// Start and memory with one game and with a thousand.
pub fn rows() -> Vec<Row> {
    let both = [1, 1000].map(|count| {
        let folder = games::made(count);
        let config = configured(&folder);
        let once = |_| {
            let (mut child, taken) = started(&config);
            end(&mut child);
            taken
        };
        let mut starts: Vec<f64> = (0..STARTS).map(once).collect();
        let (mut child, _) = started(&config);
        pause(REST);
        let rest = memory(&child.id().to_string(), "VmRSS");
        end(&mut child);
        (share(&mut starts, 50), rest)
    });
    let of = "\"fieldpost serve\" with 1 / 1,000 games";
    let two = |show: &dyn Fn(usize) -> String| format!("{} / {}", show(0), show(1));
    vec![
        Row::new(format!("{of}: from exec to \"serving\""), two(&|n| time(both[n].0))),
        Row::new(format!("{of}: memory at rest"), two(&|n| size(both[n].1)))
            .aim("200 MB for 1,000"),
    ]
}

fn configured(folder: &Path) -> std::path::PathBuf {
    let path = |name: &str| folder.join(name);
    let text = format!(
        "[robot]\naddress = \"robot@{DOMAIN}\"\ngm = \"gm@{DOMAIN}\"\ndata = {:?}\n\n\
         [inbox.main]\nkind = \"maildir\"\npath = {:?}\npoll_seconds = 1\n\n\
         [outlet]\nkind = \"maildir\"\npath = {:?}\n",
        path("data"),
        path("in"),
        path("sent")
    );
    fs::write(path("robot.toml"), text).expect("written");
    path("robot.toml")
}

/// A host that serves, and the milliseconds until it said so.
fn started(config: &Path) -> (Child, f64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fieldpost"));
    command.env("NO_COLOR", "1").arg("--config").arg(config).arg("serve");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let began = now();
    let mut child = command.spawn().expect("the robot starts");
    let mut log = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut all = String::new();
    while log.read_line(&mut all).is_ok_and(|n| n > 0) {
        if all.contains("serving") {
            let taken = since(began);
            // A log that nobody reads would stop the robot, or end it.
            std::thread::spawn(move || log.lines().for_each(drop));
            return (child, taken);
        }
    }
    end(&mut child);
    panic!("it does not serve: {all}");
}

fn end(child: &mut Child) {
    // A process that ended by itself can't be killed.
    let _ = child.kill();
    child.wait().expect("the robot ends");
}
