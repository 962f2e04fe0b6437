//! Charts of a game's course as SVG pictures.

use plotters::prelude::*;

use crate::engine::Seat;
use crate::engine::trial::{Chart, Series};

/// Size of a picture in pixels.
const SIZE: (u32, u32) = (900, 480);
/// Seats whose lines have a colour and a name.
const NAMED_MAX: usize = 8;
/// Colours that people with colour blindness tell apart (Okabe and Ito).
const COLOURS: [RGBColor; NAMED_MAX] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
    RGBColor(128, 96, 0),
];

/// A chart that could not be drawn.
#[derive(Debug, thiserror::Error)]
#[error("the chart {0:?} can't be drawn: {1}")]
pub struct ChartError(&'static str, String);

/// Draws a chart: all seats in grey, the given ones and the best in colour.
///
/// # Errors
/// [`ChartError`] when the drawing library refuses.
pub fn svg(chart: &Chart, marked: &[Seat]) -> Result<String, ChartError> {
    let mut text = String::new();
    draw(chart, marked, &mut text).map_err(|e| ChartError(chart.title, e.to_string()))?;
    Ok(text)
}

fn draw(
    chart: &Chart,
    marked: &[Seat],
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let turns = chart.series.iter().map(|s| s.values.len()).max().unwrap_or(0).max(2);
    let values = chart.series.iter().flat_map(|s| s.values.iter().copied());
    let top = values.max().unwrap_or(0).max(1);
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut area = ChartBuilder::on(&root)
        .caption(chart.title, ("sans-serif", 22))
        .margin(10)
        .x_label_area_size(36)
        .y_label_area_size(60)
        .build_cartesian_2d(1..turns as i64, 0..top + top / 20 + 1)?;
    area.configure_mesh().x_desc("Turn").light_line_style(WHITE).draw()?;
    let points = |s: &Series| -> Vec<(i64, i64)> { (1..).zip(s.values.iter().copied()).collect() };
    let named = named(chart, marked);
    for series in chart.series.iter().filter(|s| !named.contains(&s.seat)) {
        area.draw_series(LineSeries::new(points(series), RGBColor(205, 205, 205)))?;
    }
    for (seat, colour) in named.iter().zip(COLOURS) {
        let Some(series) = chart.series.iter().find(|s| s.seat == *seat) else { continue };
        area.draw_series(LineSeries::new(points(series), colour.stroke_width(2)))?
            .label(format!("seat {seat}"))
            .legend(move |(x, y)| {
                PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(2))
            });
    }
    if !named.is_empty() {
        area.configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE)
            .border_style(RGBColor(180, 180, 180))
            .draw()?;
    }
    root.present()?;
    Ok(())
}

/// The marked seats, then the best at the end.
fn named(chart: &Chart, marked: &[Seat]) -> Vec<Seat> {
    let mut best: Vec<&Series> = chart.series.iter().collect();
    best.sort_by_key(|s| (std::cmp::Reverse(s.values.last().copied()), s.seat));
    let mut named: Vec<Seat> = marked.to_vec();
    named.extend(best.iter().map(|s| s.seat).filter(|s| !marked.contains(s)));
    named.truncate(NAMED_MAX);
    named
}
