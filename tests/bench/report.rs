//! One table of everything that is measured, each row with the command that measures only it.

use base::clock::{Clock, SystemClock};
use jiff::Timestamp;

use crate::{due, echo, games, quick, serving};

/// One line of the table.
pub struct Row {
    pub what: String,
    pub measured: String,
    /// Empty where there is none.
    pub aim: &'static str,
}

impl Row {
    /// A row without an aim.
    pub fn new(what: impl Into<String>, measured: impl Into<String>) -> Self {
        Self { what: what.into(), measured: measured.into(), aim: "" }
    }

    /// The row with an aim.
    pub fn aim(self, aim: &'static str) -> Self {
        Self { aim, ..self }
    }
}

/// Rows that are measured together, with the name that selects them.
type Group = (&'static str, fn() -> Vec<Row>);

const GROUPS: [Group; 8] = [
    ("turn", quick::turn),
    ("printouts", quick::printouts),
    ("intake", quick::intake),
    ("disk", quick::disk),
    ("games", games::rows),
    ("serve", serving::rows),
    ("echo", echo::rows),
    ("deadline", due::rows),
];

/// Measures the groups of these names, all without names, and prints the table.
pub fn print(arguments: &[String]) {
    let names: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    let unknown = names.iter().find(|n| GROUPS.iter().all(|g| g.0 != n.as_str()));
    if let Some(name) = unknown {
        let known: Vec<&str> = GROUPS.iter().map(|g| g.0).collect();
        eprintln!("there is nothing called {name:?} to measure; there are: {}", known.join(", "));
        std::process::exit(2);
    }
    let mut rows = vec![("baseline", baseline("before all others"))];
    for (name, measure) in GROUPS {
        if names.is_empty() || names.iter().any(|n| n.as_str() == name) {
            eprintln!("measuring: {name} ...");
            rows.extend(measure().into_iter().map(|row| (name, row)));
        }
    }
    rows.push(("baseline", baseline("after all others")));
    let cells: Vec<[String; 4]> = rows.into_iter().map(cells).collect();
    match arguments.iter().any(|a| a == "--markdown") {
        true => markdown(&cells),
        false => plain(&cells),
    }
}

fn cells((name, row): (&str, Row)) -> [String; 4] {
    let command = match name {
        // Every run has it.
        "baseline" => "tests/bench/report turn".to_owned(),
        name => format!("tests/bench/report {name}"),
    };
    [row.what, row.measured, row.aim.to_owned(), command]
}

/// The yardstick of a run: if other programs use the cores too, the mean is above the median.
fn baseline(when: &str) -> Row {
    let bytes = vec![7u8; 4_000_000];
    let hash = || {
        std::hint::black_box(base::secrets::sha256_hex(&bytes));
    };
    let mut all: Vec<f64> = (0..400).map(|_| taken(hash)).collect();
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split(' ').next().unwrap_or_default().to_owned();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let what = format!("SHA-256 of 4 MB, {when}");
    let (middle, mean) = (time(share(&mut all, 50)), time(mean));
    Row::new(what, format!("{middle}, mean {mean} (load {load} on {cores} cores)"))
}

const HEADS: [&str; 4] = ["what", "measured", "aim", "measured alone by"];

fn plain(rows: &[[String; 4]]) {
    let heads = HEADS.map(str::to_owned);
    let all: Vec<&[String; 4]> = std::iter::once(&heads).chain(rows).collect();
    let width = |i: usize| all.iter().map(|r| r[i].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    for [what, measured, aim, command] in all {
        let [a, b, c] = widths;
        println!("{what:a$}  {measured:b$}  {aim:c$}  {command}");
    }
}

fn markdown(rows: &[[String; 4]]) {
    println!("| {} |\n|---|---|---|---|", HEADS.join(" | "));
    for [what, measured, aim, command] in rows {
        println!("| {what} | {measured} | {aim} | `{command}` |");
    }
}

/// This instant.
pub fn now() -> Timestamp {
    SystemClock.now()
}

/// Milliseconds since an instant.
pub fn since(began: Timestamp) -> f64 {
    now().duration_since(began).as_secs_f64() * 1000.0
}

/// Milliseconds that something takes.
pub fn taken(act: impl FnOnce()) -> f64 {
    let began = now();
    act();
    since(began)
}

/// The median of `times` runs in milliseconds, after one that does not count.
pub fn median(times: usize, mut act: impl FnMut()) -> f64 {
    act();
    let mut all: Vec<f64> = (0..times).map(|_| taken(&mut act)).collect();
    share(&mut all, 50)
}

/// The value below which this many hundredths of all lie.
pub fn share(all: &mut [f64], hundredths: usize) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get((all.len() * hundredths / 100).min(all.len().saturating_sub(1))).copied().unwrap_or(0.0)
}

/// Milliseconds in a readable form.
pub fn time(ms: f64) -> String {
    match ms {
        ms if ms < 1.0 => format!("{ms:.2} ms"),
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

/// Bytes in a readable form.
pub fn size(bytes: f64) -> String {
    match bytes {
        n if n < 1e6 => format!("{:.0} kB", n / 1e3),
        n => format!("{:.1} MB", n / 1e6),
    }
}

/// The memory of a process in bytes, such as `VmRSS` (now) or `VmHWM` (the most so far); `self` is
/// this process.
pub fn memory(process: &str, figure: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix(figure)?.strip_prefix(':'));
    let kb = line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kb.unwrap_or(0.0) * 1024.0
}
