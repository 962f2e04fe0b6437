//! `fieldpost sim`: whole games of computer players, without mail, with the engine's invariants
//! checked every turn, and the values that a designer looks at.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::ProgressBar;

use base::clock::{Clock, SystemClock};
use base::text::count;
use engine::Chart;
use engine::trial::Tally;
use engine::{Engine, Saved, Score, Seat, Setup, Turns};
use render::chart;

/// Steps for each turn that was asked for, at most; a game with more counts as one that does not
/// end.
const STEPS_MAX: usize = 1000;

/// Players who leave send no more cards from this turn on.
pub const LEAVE: u32 = 11;

/// Faults of one game that are shown.
const FAULTS_SHOWN_MAX: usize = 20;

/// What to play.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Seats, data files and options of every game.
    pub setup: Setup,
    /// Turns at most; a game ends earlier when it is won.
    pub turns: u32,
    /// Seed of the first game.
    pub seed: u64,
    /// How many games are played, each with the next seed.
    pub seeds: u64,
    /// How many games are played at a time.
    pub jobs: usize,
    /// How many seats, the last ones, send no more cards from turn [`LEAVE`] on.
    pub absent: u8,
    /// Skips the checks after each turn.
    pub unchecked: bool,
    /// Folder for charts.
    pub report: Option<PathBuf>,
    /// Strengths of computers that take the seats in turn; each seed is then played twice, with
    /// sides exchanged.
    pub between: Option<[String; 2]>,
    /// Names of the figures that the table shows; the first ones if none is named.
    pub columns: Vec<String>,
}

impl Plan {
    /// Games in all.
    fn games(&self) -> u64 {
        self.seeds * if self.between.is_some() { 2 } else { 1 }
    }

    /// Which of the two strengths a seat has in a game.
    fn side(&self, game: u64, seat: u8) -> usize {
        ((u64::from(seat) + game + 1) % 2) as usize
    }

    /// The seed of a game, and who has the first seat where two strengths play.
    fn name(&self, game: u64) -> String {
        let (_, seed) = self.game(game);
        match &self.between {
            Some(strengths) => format!("{seed}, {} first", strengths[self.side(game, 1)]),
            None => seed.to_string(),
        }
    }

    /// Setup and seed of a game, counted from 0.
    fn game(&self, game: u64) -> (Setup, u64) {
        let mut setup = self.setup.clone();
        let Some(strengths) = &self.between else { return (setup, self.seed + game) };
        let of = |seat| strengths[self.side(game, seat)].as_str();
        let words: Vec<&str> = (1..=setup.seats).map(of).collect();
        setup.options.insert("computers".to_owned(), words.join(" "));
        (setup, self.seed + game / 2)
    }
}

/// A figure of a turn: an index into the counts of what happened, or into those of how things
/// stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Figure {
    Event(usize),
    Level(usize),
}

/// One step of a game.
#[derive(Debug, Clone)]
struct Lap {
    /// The turns that it belongs to, as players count them.
    turns: Turns,
    tally: Tally,
    /// How many lines each printout has, sorted.
    lines: Vec<usize>,
    /// Milliseconds for cards, turn, printouts, checks.
    ms: [f64; 4],
}

/// One whole game.
struct Course {
    game: u64,
    name: String,
    laps: Vec<Lap>,
    faults: Vec<String>,
    result: Option<Vec<Score>>,
    charts: Vec<Chart>,
    saved: Saved,
}

type Failure = Box<dyn std::error::Error>;

/// Plays all games of a plan and writes their results; fails when a check failed.
///
/// # Errors
/// A setup that is refused, a chart that can't be written, or broken rules.
pub fn run(engine: &'static dyn Engine, plan: &Plan, out: &mut dyn Write) -> Result<(), Failure> {
    let (setup, seed) = plan.game(0);
    let first = engine.trial(&setup, seed).map_err(|faults| faults.join("\n"))?.tally();
    let figures = figures(&plan.columns, &first)?;
    let bar = ProgressBar::new(plan.games() * u64::from(plan.turns));
    let style =
        indicatif::ProgressStyle::with_template("{bar:30} turn {pos} of {len}, {eta} left")?;
    bar.set_style(style);
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Result<Course, Vec<String>>>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::SeqCst) as u64;
                    if i >= plan.games() {
                        break;
                    }
                    let course = play(engine, plan, i, &bar);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(course);
                }
            });
        }
    });
    bar.finish_and_clear();
    let done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut courses = done.into_iter().collect::<Result<Vec<_>, _>>().map_err(|f| f.join("\n"))?;
    courses.sort_by_key(|c| c.game);
    for course in &courses {
        report(course, &figures, out)?;
        if let Some(folder) = &plan.report {
            draw(course, folder, out)?;
        }
    }
    if courses.len() > 1 {
        summary(&courses, out)?;
    }
    if let Some(strengths) = &plan.between {
        writeln!(out, "{}", compared(plan, strengths, &courses))?;
    }
    let broken: usize = courses.iter().map(|c| c.faults.len()).sum();
    match broken {
        0 if plan.unchecked => Ok(()),
        0 => Ok(writeln!(out, "No rule was broken in {}.", count(courses.len(), "game"))?),
        n => Err(format!("{n} checks failed").into()),
    }
}

fn play(
    engine: &'static dyn Engine,
    plan: &Plan,
    game: u64,
    bar: &ProgressBar,
) -> Result<Course, Vec<String>> {
    let (setup, seed) = plan.game(game);
    let mut trial = engine.trial(&setup, seed)?;
    let mut laps: Vec<Lap> = Vec::new();
    let mut faults = Vec::new();
    let clock = SystemClock;
    let mut played = 0;
    loop {
        let turns = trial.turns();
        if turns.first > plan.turns || trial.result().is_some() {
            break;
        }
        if laps.len() > STEPS_MAX * plan.turns as usize {
            faults.push(format!("turn {turns} does not end"));
            break;
        }
        bar.inc(u64::from(turns.first.saturating_sub(played)));
        played = played.max(turns.first);
        let mut ms = [0.0; 4];
        let mut at = clock.now();
        let mut lap = |i: usize, ms: &mut [f64; 4]| {
            let now = clock.now();
            ms[i] = now.duration_since(at).as_secs_f64() * 1000.0;
            at = now;
        };
        trial.write_cards();
        let stay = plan.setup.seats.saturating_sub(plan.absent);
        if turns.last >= LEAVE {
            (stay + 1..=plan.setup.seats).for_each(|s| trial.forget_card(Seat(s)));
        }
        lap(0, &mut ms);
        trial.step();
        lap(1, &mut ms);
        let mut lines = trial.printouts();
        lap(2, &mut ms);
        if !plan.unchecked {
            let step = laps.len() + 1;
            let told = |fault| format!("step {step}, of turn {turns}: {fault}");
            faults.extend(trial.audit().into_iter().map(told));
        }
        lap(3, &mut ms);
        lines.sort_unstable();
        laps.push(Lap { turns, tally: trial.tally(), lines, ms });
    }
    bar.inc(u64::from(plan.turns - played));
    let (result, charts, saved) = (trial.result(), trial.charts(), trial.saved());
    Ok(Course { game, name: plan.name(game), laps, faults, result, charts, saved })
}

/// The middle of sorted values.
fn median<T: Copy + Default>(sorted: &[T]) -> T {
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// Figures of a step that the table usually shows; all of them are summed up below it.
const EVENTS_SHOWN: usize = 3;
const LEVELS_SHOWN: usize = 4;

/// The figures of these names, or the usual ones.
fn figures(names: &[String], tally: &Tally) -> Result<Vec<Figure>, Failure> {
    let events = (0..tally.events.len()).map(Figure::Event);
    let levels = (0..tally.levels.len()).map(Figure::Level);
    if names.is_empty() {
        return Ok(events.take(EVENTS_SHOWN).chain(levels.take(LEVELS_SHOWN)).collect());
    }
    let all: Vec<Figure> = events.chain(levels).collect();
    let known: Vec<&str> = all.iter().map(|f| read(tally, *f).0).collect();
    let find = |name: &String| {
        let at = known.iter().position(|k| k == name);
        let unknown = || format!("no column {name:?}; there are: {}", known.join(", "));
        Ok(all[at.ok_or_else(unknown)?])
    };
    names.iter().map(find).collect()
}

/// Name and value of a figure.
fn read(tally: &Tally, figure: Figure) -> (&'static str, i64) {
    match figure {
        Figure::Event(i) => tally.events[i],
        Figure::Level(i) => tally.levels[i],
    }
}

fn sorted<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values
}

/// One row of the table under a heading; every cell as wide as its heading.
struct Columns(Vec<(String, usize)>);

impl Columns {
    fn new(figures: &[Figure], tally: &Tally) -> Self {
        let mut columns: Vec<(String, usize)> = [
            ("turn", 5),
            ("seats", 5),
            ("places: best, median, worst", 27),
            ("points: best, median, worst", 27),
        ]
        .map(|(name, width)| (name.to_owned(), width))
        .to_vec();
        let names = figures.iter().map(|f| read(tally, *f).0);
        columns.extend(names.map(|n| (n.to_owned(), n.len().max(6))));
        columns.push(("lines: median, most".to_owned(), 19));
        columns.push(("ms: cards, turn, printouts, checks".to_owned(), 34));
        Self(columns)
    }

    fn row(&self, cells: impl Iterator<Item = String>) -> String {
        let cells = cells.zip(&self.0).map(|(cell, (_, width))| format!("{cell:>width$}"));
        cells.collect::<Vec<_>>().join("  ")
    }
}

/// The steps that end the first turn and every fifth one, and the last step.
fn shown(laps: &[Lap]) -> Vec<usize> {
    let ends = |i: &usize| {
        let next = laps.get(i + 1).map(|next| next.turns.last);
        let turn = laps[*i].turns.last;
        next.is_none_or(|next| turn < next && (turn <= 1 || turn.div_ceil(5) < next.div_ceil(5)))
    };
    (0..laps.len()).filter(ends).collect()
}

/// Every fifth turn of a game, and how it ended.
fn report(course: &Course, figures: &[Figure], out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "\nSeed {}", course.name)?;
    let Some(last) = course.laps.last() else { return Ok(()) };
    let columns = Columns::new(figures, &last.tally);
    writeln!(out, "{}", columns.row(columns.0.iter().map(|c| c.0.clone())))?;
    let mut from = 0;
    for at in shown(&course.laps) {
        writeln!(out, "{}", columns.row(cells(&course.laps[from..=at], figures).into_iter()))?;
        from = at + 1;
    }
    let compressed = zstd::bulk::compress(&course.saved.state, 3)?;
    writeln!(
        out,
        "State: {} kB, compressed {} kB.",
        course.saved.state.len() / 1000,
        compressed.len() / 1000
    )?;
    let sum = |i: usize| course.laps.iter().map(|l| l.tally.events[i].1).sum::<i64>();
    let names = last.tally.events.iter().enumerate();
    let sums: Vec<String> = names.map(|(i, (n, _))| format!("{n} {}", sum(i))).collect();
    writeln!(out, "In all: {}.", sums.join(", "))?;
    let levels: Vec<String> = last.tally.levels.iter().map(|(n, v)| format!("{n} {v}")).collect();
    writeln!(out, "At the end: {}.", levels.join(", "))?;
    writeln!(out, "{}", ending(course))?;
    for fault in course.faults.iter().take(FAULTS_SHOWN_MAX) {
        writeln!(out, "BROKEN {fault}")?;
    }
    let more = course.faults.len().saturating_sub(FAULTS_SHOWN_MAX);
    if more > 0 {
        writeln!(out, "... and {more} more")?;
    }
    Ok(())
}

/// The cells of a row: what happened in some steps, and how things stand after the last of them.
fn cells(since: &[Lap], figures: &[Figure]) -> Vec<String> {
    let Some(lap) = since.last() else { return Vec::new() };
    let tally = &lap.tally;
    let playing: Vec<_> = tally.seats.iter().filter(|s| s.plays).collect();
    let places = sorted(playing.iter().map(|s| i64::from(s.places)));
    let points = sorted(playing.iter().map(|s| s.points));
    let value = |figure: &Figure| match figure {
        Figure::Event(_) => since.iter().map(|l| read(&l.tally, *figure).1).sum::<i64>(),
        Figure::Level(_) => read(tally, *figure).1,
    };
    let three = |v: &[i64]| {
        let of = [v.last().copied(), Some(median(v)), v.first().copied()];
        of.map(|n| n.unwrap_or_default().to_string()).join(" ")
    };
    let mut cells =
        vec![lap.turns.to_string(), playing.len().to_string(), three(&places), three(&points)];
    cells.extend(figures.iter().map(|f| value(f).to_string()));
    let most = lap.lines.last().copied().unwrap_or(0);
    cells.push(format!("{} {most}", median(&lap.lines)));
    cells.push(lap.ms.map(|ms| format!("{ms:.0}")).join(" "));
    cells
}

fn ending(course: &Course) -> String {
    let fallen =
        course.laps.last().map_or(0, |l| l.tally.seats.iter().filter(|s| !s.plays).count());
    let end = match &course.result {
        None => "no winner yet".to_owned(),
        Some(scores) => {
            let first = scores.iter().filter(|s| s.rank == 1);
            let winners: Vec<String> = first.map(|s| s.seat.to_string()).collect();
            let turn = course.laps.last().map_or(0, |l| l.turns.last);
            match winners.as_slice() {
                [winner] => format!("won by {winner} in turn {turn}"),
                several => format!("shared by {} in turn {turn}", several.join(", ")),
            }
        }
    };
    format!("{} fallen; {end}.", count(fallen, "seat"))
}

fn summary(courses: &[Course], out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "\nAll games")?;
    for course in courses {
        let laps = &course.laps;
        let most = |i: usize| laps.iter().map(|l| l.ms[i]).fold(0.0, f64::max);
        writeln!(
            out,
            "seed {:>4}: {} Slowest turn {:.0} ms, printouts {:.0} ms; {} broken.",
            course.name,
            ending(course),
            most(1),
            most(2),
            course.faults.len()
        )?;
    }
    let decided = courses.iter().filter(|c| c.result.is_some());
    let lengths = sorted(decided.filter_map(|c| c.laps.last()).map(|l| l.turns.last));
    if !lengths.is_empty() {
        let (shortest, longest) = (lengths[0], lengths[lengths.len() - 1]);
        writeln!(
            out,
            "{} of {} decided, in {} turns as a rule, {shortest} at least, {longest} at most.",
            lengths.len(),
            courses.len(),
            median(&lengths),
        )?;
    }
    if let Some(order) = by_order(courses) {
        writeln!(out, "{order}")?;
    }
    if courses.iter().all(|c| c.laps.last().is_none_or(|l| l.tally.seats.len() < 3)) {
        return Ok(());
    }
    let [first, middle, last] = thirds(courses);
    writeln!(out, "Mean final points by seat number: {first}, {middle}, {last} (thirds).")
}

/// How two strengths did against each other: wins, and the part of all places that each held
/// in the end.
fn compared(plan: &Plan, strengths: &[String; 2], courses: &[Course]) -> String {
    let (mut wins, mut open, mut places) = ([0usize; 2], 0usize, [0u64; 2]);
    for course in courses {
        let side = |seat: Seat| plan.side(course.game, seat.0);
        for seat in course.laps.last().iter().flat_map(|l| &l.tally.seats) {
            places[side(seat.seat)] += u64::from(seat.places);
        }
        let first = course.result.iter().flatten().filter(|s| s.rank == 1);
        let mut sides: Vec<usize> = first.map(|s| side(s.seat)).collect();
        sides.sort_unstable();
        sides.dedup();
        match sides.as_slice() {
            [one] => wins[*one] += 1,
            _ => open += 1,
        }
    }
    let share = places[0] * 100 / places.iter().sum::<u64>().max(1);
    let ([a, b], [won, lost]) = (strengths, wins);
    format!(
        "{a} against {b}: won {won} : {lost}, open or shared {open}; places {share} : {}.",
        100 - share
    )
}

/// How many games were won by the seats that move first, second and so on; `None` where all move at
/// once.
fn by_order(courses: &[Course]) -> Option<String> {
    let mut won: Vec<u32> = Vec::new();
    let mut shared = 0;
    for course in courses {
        let order = &course.laps.last()?.tally.order;
        if order.is_empty() {
            return None;
        }
        won.resize(order.len(), 0);
        let first = course.result.iter().flatten().filter(|s| s.rank == 1);
        match first.map(|s| s.seat).collect::<Vec<_>>().as_slice() {
            [] => {}
            [winner] => {
                if let Some(at) = order.iter().position(|seat| seat == winner) {
                    won[at] += 1;
                }
            }
            _ => shared += 1,
        }
    }
    let won: Vec<String> = won.iter().map(u32::to_string).collect();
    Some(format!("Won by who moves first, second ...: {}; shared: {shared}.", won.join(", ")))
}

/// Mean final points of the first, middle and last third of the seats over all
/// games: a seat's number should be no advantage.
fn thirds(courses: &[Course]) -> [i64; 3] {
    let mut sums = [(0i64, 0i64); 3];
    for last in courses.iter().filter_map(|c| c.laps.last()) {
        let seats = &last.tally.seats;
        for (i, seat) in seats.iter().enumerate() {
            let third = &mut sums[(i * 3 / seats.len().max(1)).min(2)];
            *third = (third.0 + seat.points, third.1 + 1);
        }
    }
    sums.map(|(sum, n)| sum / n.max(1))
}

/// Writes the charts of a game as pictures.
fn draw(course: &Course, folder: &std::path::Path, out: &mut dyn Write) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)?;
    for chart in &course.charts {
        let name = chart.title.to_lowercase().replace(' ', "-");
        let game = course.name.replace(", ", "-").replace(' ', "-");
        let path = folder.join(format!("seed-{game}-{name}.svg"));
        std::fs::write(&path, chart::svg(chart, &[], (900, 480)))?;
        writeln!(out, "{}", path.display())?;
    }
    Ok(())
}
