//! A robot that is killed at every boundary of a small story, each in a run of its own, and
//! started again.
//!
//! A library that is loaded into the real program (`boundary.c`) finds and counts the boundaries
//! and kills at them; the program does not know of it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use base::clock::{Clock, SystemClock};
use jiff::SignedDuration;
use tempfile::TempDir;

use crate::aftermath::Seen;
use crate::story::{People, Story, Template};
use support::process::Host;
use support::rig::{Rig, pause};

/// Runs side by side; they mostly wait.
const SIDE_BY_SIDE: usize = 8;
/// Runs that have mailboxes, of both stories.
const RUNS_MAX: usize = 900;
/// The usual test takes every send of this number; an odd one, so that the moments before and after
/// a send alternate.
const EACH_OF_SENDS: usize = 9;
/// Time between two checks.
const GLANCE: Duration = Duration::from_millis(30);
/// How long a robot lives on after its last mail, for later boundaries.
const AFTERWARDS: SignedDuration = SignedDuration::from_millis(1500);
/// How long a story may take.
const STORY_MAX: SignedDuration = SignedDuration::from_secs(40);

/// Where a robot dies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    /// Thread and kind of call, such as `outbox smtp`.
    kind: String,
    number: u32,
    moment: &'static str,
}

/// The result of a robot that was to die at a point.
struct Done {
    point: Point,
    /// Whether it reached the point.
    reached: bool,
    seen: Seen,
}

/// What all runs share.
struct Bench {
    rig: Rig,
    library: PathBuf,
    _dir: TempDir,
    /// The number of runs so far; each has its own people.
    runs: AtomicUsize,
}

impl Bench {
    /// Starts the servers and compiles the library.
    fn set_up() -> Self {
        let names: Vec<String> = (0..RUNS_MAX).flat_map(|n| People::of(n).users()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let rig = Rig::start(&names);
        let dir = tempfile::tempdir().expect("a temporary folder");
        let library = dir.path().join("boundary.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/boundary.c");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"]);
        let built = compiler.arg(&library).arg(source).arg("-ldl").status();
        assert!(built.expect("a C compiler is installed").success(), "the library compiles");
        Self { rig, library, _dir: dir, runs: AtomicUsize::new(1) }
    }

    /// Runs a robot that is to die at a point, or at none; then one that lives, up to the end.
    fn live(&self, template: &Template, point: Option<&Point>) -> (Vec<String>, Seen) {
        let run = self.runs.fetch_add(1, Ordering::Relaxed);
        assert!(run < RUNS_MAX, "run {run} has no mailboxes");
        let (people, story) = (People::of(run), template.story);
        let mut host = Host::new(&self.rig, &people.setup(&self.rig));
        template.begin(&self.rig, &host, &people);
        let trace = host.path("trace");
        let target = point.map(Point::target).unwrap_or_default();
        let setup = people.setup(&self.rig);
        host.serve_with(&[
            ("LD_PRELOAD", &self.library.to_string_lossy()),
            ("BOUNDARY_TRACE", &trace.to_string_lossy()),
            ("BOUNDARY_TARGET", &target),
            ("BOUNDARY_IMAP", &setup.inbox.0.to_string()),
            ("BOUNDARY_SMTP", &setup.outlet.0.to_string()),
        ]);
        self.await_death(story, &mut host, &people);
        let trace = fs::read_to_string(trace).unwrap_or_default();
        let trace = trace.lines().map(str::to_owned).collect();
        host.serve();
        let over = within(STORY_MAX, || story.is_over(&self.rig, &host, &people));
        let mut seen = story.verify(&self.rig, &host, &people);
        if !over {
            seen.faults.insert(0, "the story does not end".to_owned());
        }
        if host.ended().is_some() {
            seen.faults.push("the robot ended by itself".to_owned());
        }
        if !seen.faults.is_empty() {
            println!("--- {target}: {:#?}\n{}", seen.faults, host.log());
        }
        (trace, seen)
    }

    /// Waits until the robot is dead, or done with everything and then killed.
    fn await_death(&self, story: Story, host: &mut Host, people: &People) {
        if within(STORY_MAX, || host.ended().is_some() || story.has_sent(&self.rig, people)) {
            let end = SystemClock.now() + AFTERWARDS;
            within(STORY_MAX, || host.ended().is_some() || SystemClock.now() > end);
        }
        if host.ended().is_none() {
            host.kill();
        }
    }

    /// The points of an undisturbed run.
    fn points(&self, template: &Template) -> Vec<Point> {
        let (trace, seen) = self.live(template, None);
        assert!(seen.faults.is_empty(), "without a kill: {:#?}", seen.faults);
        assert_eq!(seen.repeats, 0, "without a kill nothing comes again");
        trace.iter().flat_map(|line| Point::of(line)).collect()
    }

    /// Kills a robot at each of these points.
    fn kill_at(&self, template: &Template, points: &[Point]) -> Vec<Done> {
        let next = AtomicUsize::new(0);
        let all = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..SIDE_BY_SIDE {
                scope.spawn(|| {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(point) = points.get(i) else { return };
                        let (trace, seen) = self.live(template, Some(point));
                        let reached = trace.last().is_some_and(|line| line == "killed");
                        let done = Done { point: point.clone(), reached, seen };
                        all.lock().expect("no run panics here").push(done);
                    }
                });
            }
        });
        all.into_inner().expect("no run panicked")
    }
}

impl Point {
    /// The points of a boundary as the library names it, such as `outbox smtp 3`.
    fn of(line: &str) -> Vec<Self> {
        let Some((kind, number)) = line.rsplit_once(' ') else { return Vec::new() };
        let Ok(number) = number.parse() else { return Vec::new() };
        let moments: &[&'static str] = match kind.rsplit(' ').next() {
            Some("frame") => &["before", "torn", "after"],
            Some("sync") => &["lost", "after"],
            _ => &["before", "after"],
        };
        moments.iter().map(|moment| Self { kind: kind.to_owned(), number, moment }).collect()
    }

    fn target(&self) -> String {
        format!("{} {} {}", self.kind, self.number, self.moment)
    }

    fn is_send(&self) -> bool {
        self.kind.ends_with("smtp") || self.kind.ends_with("imap")
    }
}

/// Checks every few milliseconds until `holds` is true or the time is over.
fn within(limit: SignedDuration, mut holds: impl FnMut() -> bool) -> bool {
    let end = SystemClock.now() + limit;
    loop {
        if holds() {
            return true;
        }
        if SystemClock.now() > end {
            return false;
        }
        pause(GLANCE);
    }
}

/// A line for each kind of boundary.
fn table(done: &[Done]) -> String {
    let mut rows: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    for one in done {
        let row = rows.entry(format!("{} {}", one.point.kind, one.point.moment)).or_default();
        row[0] += 1;
        row[1] += usize::from(one.reached);
        row[2] += one.seen.repeats;
        row[3] += usize::from(!one.seen.faults.is_empty());
    }
    let mut text = format!(
        "{:<24}{:>6}{:>9}{:>9}{:>12}\n",
        "killed at", "runs", "reached", "repeats", "violations"
    );
    for (kind, [runs, reached, repeats, faults]) in rows {
        text += &format!("{kind:<24}{runs:>6}{reached:>9}{repeats:>9}{faults:>12}\n");
    }
    text
}

/// Runs both stories with a kill at each wanted point, and checks the results.
fn survey(mut wanted: impl FnMut(&Point) -> bool) {
    let bench = Bench::set_up();
    let mut all = Vec::new();
    for story in [Story::Turn, Story::Return] {
        let template = Template::make(story, &bench.rig);
        let mut points = bench.points(&template);
        let found = points.len();
        points.retain(&mut wanted);
        println!("{story:?}: {} of {found} points", points.len());
        let done = bench.kill_at(&template, &points);
        println!("{}", table(&done));
        all.extend(done);
    }
    // The last rounds differ a little from run to run.
    let reached = all.iter().filter(|d| d.reached).count();
    assert!(10 * reached > 9 * all.len(), "{reached} of {} died where they were to", all.len());
    let bad: Vec<String> =
        all.iter().filter(|d| !d.seen.faults.is_empty()).map(|d| d.point.target()).collect();
    assert!(bad.is_empty(), "after a kill at these points something is wrong: {bad:#?}");
    // One connection: one mail at most is accepted there and not noted here.
    let most = all.iter().map(|d| d.seen.repeats).max().unwrap_or_default();
    assert!(most <= 1, "{most} mails came again after one kill");
}

/// Each commit and every ninth send; all points with a text in their name, where
/// `tests/crash-points` names one.
#[test]
fn killed_at_each_commit_and_every_ninth_send_nothing_is_lost_or_doubled() {
    let asked = std::env::vars().find(|(name, _)| name == "FIELDPOST_CRASH_POINTS");
    let mut sends = 0;
    survey(|point| match &asked {
        Some((_, wanted)) => point.target().contains(wanted),
        None if point.is_send() => {
            sends += 1;
            sends % EACH_OF_SENDS == 0
        }
        // Lost with the power, or committed without a note here.
        None => point.kind.ends_with("sync"),
    });
}
