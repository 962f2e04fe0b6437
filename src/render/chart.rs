//! Charts of a game's course as SVG pictures: few lines, each with its name at its end.

use maud::{Markup, html};

use super::letters;
use super::tints::{INK, PAPER, hex, ink_on};
use engine::Seat;
use engine::report::{Chart, Series, Tint, Who};
use tongue::{say, word};

/// Seats whose lines have a colour and a name, at most.
const NAMED_MAX: usize = 8;
/// Sizes of letters, and of those of the title.
const LETTERS: u32 = 11;
const TITLE: u32 = 13;
/// Units from one name to the next.
const LINE: f64 = 13.0;
/// A name that is farther from its line than this is joined to it by a stroke.
const NEAR: f64 = 4.0;
/// Ticks of an axis, at most.
const TICKS: i64 = 4;
/// The colour of lines that have no name, of axes, and of the letters on them.
const QUIET: &str = "#bba";
const AXIS: &str = "#998";
const FAINT: &str = "#554";
/// The colour of the median.
const MIDDLE: &str = "#876";

/// Where the lines are in a chart.
struct Plot {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Steps, two at least.
    steps: usize,
    /// Least and greatest value.
    range: (i64, i64),
}

impl Plot {
    fn x(&self, step: usize) -> f64 {
        // A game has a few hundred steps.
        let part = step as f64 / (self.steps - 1) as f64;
        self.left + (self.right - self.left) * part
    }

    fn y(&self, value: i64) -> f64 {
        let (least, most) = (self.range.0 as f64, self.range.1 as f64);
        self.bottom - (self.bottom - self.top) * (value as f64 - least) / (most - least)
    }

    fn path(&self, series: &Series) -> String {
        let point = |(step, value): (usize, &i64)| {
            let sign = if step == 0 { 'M' } else { 'L' };
            format!("{sign}{:.1} {:.1}", self.x(step), self.y(*value))
        };
        series.values.iter().enumerate().map(point).collect()
    }
}

/// A line that has a name, and the place of its name.
struct Named<'a> {
    series: &'a Series,
    name: String,
    own: bool,
    /// Where the line ends.
    end: (f64, f64),
    /// The height of its name.
    at: f64,
}

/// Draws a chart of a size in units: all seats in grey, the given ones, the best and the
/// median with their names.
pub fn svg<'a>(chart: &'a Chart, marked: &[Who], size: (u32, u32)) -> String {
    let (wide, high) = size;
    let steps = chart.series.iter().map(|s| s.values.len()).max().unwrap_or(0).max(2);
    let values = || chart.series.iter().flat_map(|s| s.values.iter().copied());
    let range = (values().min().unwrap_or(0).min(0), values().max().unwrap_or(0).max(1));
    let ticks = ticks(range.0, range.1);
    let numbers = ticks.iter().map(|t| letters::bold(&number(*t), LETTERS)).max().unwrap_or(0);
    let (top, bottom) = (f64::from(TITLE + 20), f64::from(high) - 24.0);
    // A single line needs no name.
    let alone = chart.series.len() == 1;
    let most = ((bottom - top) / LINE) as usize;
    let named = named(chart, marked, most.min(NAMED_MAX));
    let names = named.iter().map(|s| letters::bold(&name(s, marked, alone), LETTERS)).max();
    let plot = Plot {
        left: f64::from(numbers + 16),
        right: f64::from(wide) - f64::from(names.unwrap_or(0)) - 28.0,
        top,
        bottom,
        steps,
        range,
    };
    let label = |series: &&'a Series| -> Option<Named<'a>> {
        let last = series.values.len().checked_sub(1)?;
        let end = (plot.x(last), plot.y(series.values[last]));
        let own = marked.contains(&series.who);
        Some(Named { series, name: name(series, marked, alone), own, end, at: end.1 })
    };
    let mut labels: Vec<Named> = named.iter().filter_map(label).collect();
    push_apart(&mut labels, (top, bottom));
    let rest = chart.series.iter().filter(|s| !named.iter().any(|n| n.who == s.who));
    // What matters most lies on top.
    labels.sort_by_key(|n| (n.own, n.series.who == Who::Best));
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(wide) height=(high)
            viewBox=(format!("0 0 {wide} {high}")) font-family="DejaVu Sans, sans-serif"
            font-size=(LETTERS) fill=(FAINT) {
            rect width=(wide) height=(high) fill=(PAPER) {}
            text x="10" y=(TITLE + 7) font-size=(TITLE) font-weight="bold" fill=(INK) {
                (word(&chart.title))
            }
            (axes(&plot, &ticks))
            g fill="none" stroke=(QUIET) stroke-linejoin="round" {
                @for series in rest { path d=(plot.path(series)) {} }
            }
            @for named in &labels { (line(&plot, named)) }
            @for named in &labels { (end(&plot, named)) }
        }
    };
    picture.into_string()
}

/// A chart in words, for those who can't see it: how each line that has a name begins and ends.
pub fn described(chart: &Chart, own: Who) -> String {
    let steps = chart.series.iter().map(|s| s.values.len()).max().unwrap_or(0);
    let line = |series: &&Series| -> Option<String> {
        let (first, last) = (series.values.first()?, series.values.last()?);
        let name = match series.who {
            who if who == own => say!("yours"),
            _ => name(series, &[own], false),
        };
        let (first, last) = (number(*first), number(*last));
        Some(say!("{name} from {first} to {last}"))
    };
    let lines: Vec<String> = named(chart, &[own], NAMED_MAX).iter().filter_map(line).collect();
    let (title, lines) = (word(&chart.title), lines.join(", "));
    say!("Chart of turns 1 to {steps}, {title}: {lines}.")
}

/// The base line, with the steps below it and the values beside it.
fn axes(plot: &Plot, values: &[i64]) -> Markup {
    let base = plot.y(0);
    let across = |y: f64, from: f64| format!("M{from:.1} {y:.1}H{:.1}", plot.right);
    let last = plot.steps as i64;
    let mut turns = ticks(0, last);
    turns.retain(|t| *t > 0 && *t <= last);
    turns.insert(0, 1);
    turns.dedup();
    let apart = |pair: &[i64]| plot.x(pair[1] as usize) - plot.x(pair[0] as usize);
    // The first step says what is counted, so it needs room.
    if turns.len() > 1 && apart(&turns[..2]) < 50.0 {
        turns.remove(1);
    }
    html! {
        path d=(across(base, plot.left - 4.0)) stroke=(AXIS) fill="none" {}
        @for value in values {
            @let y = plot.y(*value);
            @if *value != 0 {
                path d=(format!("M{:.1} {y:.1}h4", plot.left - 4.0)) stroke=(AXIS) fill="none" {}
            }
            text x=(format!("{:.1}", plot.left - 8.0)) y=(format!("{:.1}", y + 4.0))
                text-anchor="end" { (number(*value)) }
        }
        @for turn in turns {
            // Steps count from one.
            @let x = plot.x(turn.unsigned_abs() as usize - 1);
            path d=(format!("M{x:.1} {:.1}v4", plot.bottom)) stroke=(AXIS) fill="none" {}
            @if turn == 1 {
                text x=(format!("{:.1}", x - 4.0)) y=(format!("{:.1}", plot.bottom + 16.0)) {
                    (say!("turn {}", 1))
                }
            } @else {
                text x=(format!("{x:.1}")) y=(format!("{:.1}", plot.bottom + 16.0))
                    text-anchor="middle" { (turn) }
            }
        }
    }
}

/// A line that has a name. A bright line has a dark rim, because the paper is bright too.
fn line(plot: &Plot, named: &Named) -> Markup {
    let path = plot.path(named.series);
    let width = if named.own { 3.0 } else { 1.75 };
    let stroke = stroke(named.series);
    let bright = tint(named.series).is_some_and(|tint| ink_on(tint) == INK);
    let dashes = (named.series.who == Who::Median).then_some("5 3");
    html! {
        @if bright {
            path d=(path) fill="none" stroke=(FAINT) stroke-linejoin="round"
                stroke-width=(width + 1.25) {}
        }
        path d=(path) fill="none" stroke=(stroke) stroke-linejoin="round" stroke-width=(width)
            stroke-dasharray=[dashes] {}
    }
}

/// Where a line ends: a dot, its name, and what leads from one to the other where they are
/// apart.
fn end(plot: &Plot, named: &Named) -> Markup {
    let (x, y) = named.end;
    let at = plot.right + 12.0;
    let led = (named.at - y).abs() > NEAR || x < plot.right;
    let stroke = stroke(named.series);
    html! {
        @if led {
            path d=(format!("M{:.1} {y:.1}L{:.1} {:.1}", x + 3.0, at - 2.0, named.at))
                stroke=(AXIS) stroke-width="0.75" fill="none" {}
        }
        circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="3" fill=(stroke) stroke=(FAINT)
            stroke-width="0.5" {}
        text x=(format!("{at:.1}")) y=(format!("{:.1}", named.at + 4.0)) fill=(INK)
            font-weight=[named.own.then_some("bold")] { (named.name) }
    }
}

/// The colour of a line that has a name.
fn stroke(series: &Series) -> String {
    match (tint(series), series.who) {
        (Some(tint), _) => hex(tint),
        (None, Who::Median) => MIDDLE.to_owned(),
        (None, _) => INK.to_owned(),
    }
}

/// The colour of a seat's line: the game's, else the one that the seat has everywhere.
fn tint(series: &Series) -> Option<Tint> {
    match series.who {
        Who::Seat(seat) => Some(series.tint.unwrap_or_else(|| Tint::of_seat(seat))),
        Who::Best | Who::Median => None,
    }
}

/// The name of a line, with the number of its seat, so that its colour is not the only sign. The
/// name of a single line is its last value.
fn name(series: &Series, marked: &[Who], alone: bool) -> String {
    if alone {
        return series.values.last().map_or_else(String::new, |v| number(*v));
    }
    match series.who {
        Who::Seat(Seat(seat)) if marked.contains(&series.who) => say!("you ({seat})"),
        Who::Seat(Seat(seat)) => say!("seat {seat}"),
        Who::Best => say!(chart: "best"),
        Who::Median => say!(chart: "median"),
    }
}

/// The marked lines, those that are not a seat's, then the best at the end.
fn named<'a>(chart: &'a Chart, marked: &[Who], most: usize) -> Vec<&'a Series> {
    let seat = |who: Who| match who {
        Who::Seat(seat) => Some(seat),
        Who::Best | Who::Median => None,
    };
    let mut all: Vec<&Series> = chart.series.iter().collect();
    all.sort_by_key(|s| {
        let last = std::cmp::Reverse(s.values.last().copied());
        (!marked.contains(&s.who), seat(s.who).is_some(), last, seat(s.who))
    });
    all.truncate(most);
    all
}

/// Moves names up and down until none is nearer to another than a line's height. It keeps their
/// order and stays within the room that there is.
fn push_apart(labels: &mut [Named], (top, bottom): (f64, f64)) {
    labels.sort_by(|a, b| a.end.1.total_cmp(&b.end.1));
    let mut least = top;
    for label in labels.iter_mut() {
        label.at = label.at.max(least);
        least = label.at + LINE;
    }
    let mut most = bottom;
    for label in labels.iter_mut().rev() {
        label.at = label.at.min(most);
        most = label.at - LINE;
    }
}

/// A few round values from the least to the greatest.
fn ticks(least: i64, most: i64) -> Vec<i64> {
    let room = most.saturating_sub(least).max(1);
    let steps =
        (0..19u32).flat_map(|n| [1, 2, 5].map(|f: i64| f.saturating_mul(10i64.pow(n.min(18)))));
    let step = steps.filter(|s| *s > 0).find(|s| room / s <= TICKS).unwrap_or(i64::MAX);
    let first = least.div_euclid(step) + i64::from(least.rem_euclid(step) != 0);
    (first..=most.div_euclid(step)).filter_map(|n| n.checked_mul(step)).collect()
}

/// A number with its thousands separated.
fn number(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut out = if n < 0 { "\u{2212}".to_owned() } else { String::new() };
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(series: &[(Who, &[i64])]) -> Chart {
        let one = |(who, values): &(Who, &[i64])| Series {
            who: *who,
            tint: None,
            values: values.to_vec(),
        };
        Chart { title: "Cities".into(), series: series.iter().map(one).collect() }
    }

    /// The heights of names, from the top.
    fn heights(svg: &str, names: &[&str]) -> Vec<f64> {
        let height = |name: &&str| -> f64 {
            let (before, _) = svg.split_once(&format!(">{name}</text>")).expect("a name");
            let (_, y) = before.rsplit_once(" y=\"").expect("a height");
            y.split('"').next().expect("a number").parse().expect("a number")
        };
        let mut heights: Vec<f64> = names.iter().map(height).collect();
        heights.sort_by(f64::total_cmp);
        heights
    }

    const SIZE: (u32, u32) = (360, 200);

    #[test]
    fn names_of_lines_that_end_together_are_pushed_apart_and_led_to() {
        let [a, b, c] = [1, 2, 3].map(|n| Who::Seat(Seat(n)));
        let svg = svg(&chart(&[(a, &[1, 9]), (b, &[2, 9]), (c, &[3, 9])]), &[b], SIZE);
        let heights = heights(&svg, &["seat 1", "you (2)", "seat 3"]);
        assert!(heights.windows(2).all(|w| w[1] - w[0] >= LINE), "{heights:?}");
        assert_eq!(svg.matches("stroke-width=\"0.75\"").count(), 2, "two are moved: {svg}");
    }

    #[test]
    fn names_stay_within_the_chart_however_many_there_are() {
        let seats: Vec<(Who, Vec<i64>)> =
            (1..=60).map(|n| (Who::Seat(Seat(n)), vec![1, 0])).collect();
        let seats: Vec<(Who, &[i64])> = seats.iter().map(|(w, v)| (*w, &v[..])).collect();
        let svg = svg(&chart(&seats), &[Who::Seat(Seat(60))], SIZE);
        let names: Vec<String> = (1..NAMED_MAX).map(|n| format!("seat {n}")).collect();
        let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.push("you (60)");
        let heights = heights(&svg, &names);
        assert!(heights.iter().all(|h| (20.0..=182.0).contains(h)), "{heights:?}");
        assert!(heights.windows(2).all(|w| w[1] - w[0] >= LINE), "{heights:?}");
        assert_eq!(svg.matches("<circle").count(), NAMED_MAX, "the others have no name");
    }

    #[test]
    fn a_line_alone_has_no_name_but_says_where_it_ends() {
        let svg = svg(&chart(&[(Who::Seat(Seat(4)), &[1, 12_345])]), &[Who::Seat(Seat(4))], SIZE);
        assert!(svg.contains(">12,345</text>") && !svg.contains("you") && !svg.contains("seat"));
    }

    #[test]
    fn all_letters_are_large_and_every_colour_has_three_digits() {
        let [a, b] = [1, 2].map(|n| Who::Seat(Seat(n)));
        let lines: [(Who, &[i64]); 4] =
            [(a, &[1, 5, -3]), (b, &[2, 9]), (Who::Best, &[5, 5]), (Who::Median, &[1, 1, 1])];
        let svg = svg(&chart(&lines), &[a], SIZE);
        let sizes = svg.split("font-size=\"").skip(1);
        let sizes: Vec<u32> = sizes
            .map(|s| s.split('"').next().expect("a size").parse().expect("a number"))
            .collect();
        assert!(sizes.len() > 1 && sizes.iter().all(|s| *s >= 11), "{sizes:?}");
        for part in svg.split('#').skip(1) {
            assert_eq!(part.find('"'), Some(3), "{}", &part[..8]);
        }
        assert!(svg.contains("stroke=\"#40e\"") && svg.contains("stroke=\"#222\""), "{svg}");
        assert!(super::super::raster::tree(&svg).is_ok());
    }

    #[test]
    fn a_chart_is_told_in_words() {
        let [a, b] = [1, 2].map(|n| Who::Seat(Seat(n)));
        let chart = chart(&[(a, &[1, 5]), (b, &[2, 9]), (Who::Best, &[5, 9])]);
        let words = "Chart of turns 1 to 2, Cities: yours from 1 to 5, best from 5 to 9, seat 2 \
                     from 2 to 9.";
        assert_eq!(described(&chart, a), words);
    }

    #[test]
    fn ticks_are_few_and_round() {
        assert_eq!(ticks(0, 1), [0, 1]);
        assert_eq!(ticks(0, 37), [0, 10, 20, 30]);
        assert_eq!(ticks(0, 12_345), [0, 5_000, 10_000]);
        assert_eq!(ticks(-30, 70), [0, 50]);
        for most in [i64::MAX, 1, 99] {
            assert!((2..=6).contains(&ticks(0, most).len()), "{most}: {:?}", ticks(0, most));
        }
    }

    #[test]
    fn thousands_stand_apart_in_long_numbers() {
        assert_eq!(
            [7, 1234, 12_345, -1_234_567].map(number),
            ["7", "1234", "12,345", "\u{2212}1,234,567"]
        );
    }
}
