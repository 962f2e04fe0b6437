//! Charts of a game's course as SVG pictures.

use plotters::prelude::*;

use super::raster::PictureError;
use engine::report::{Chart, Series, Who};

/// Seats whose lines have a colour and a name.
const NAMED_MAX: usize = 8;
/// Colours that people with colour blindness tell apart (after Okabe and Ito), in
/// steps of 17.
const COLOURS: [RGBColor; NAMED_MAX] = [
    RGBColor(0, 119, 187),
    RGBColor(221, 85, 0),
    RGBColor(0, 153, 119),
    RGBColor(204, 119, 170),
    RGBColor(238, 153, 0),
    RGBColor(85, 187, 238),
    RGBColor(0, 0, 0),
    RGBColor(136, 102, 0),
];

/// Draws a chart of a size in units: all seats in grey, the given ones, the best and the
/// median in colour.
///
/// # Errors
/// [`PictureError`] when the drawing library refuses.
pub fn svg(chart: &Chart, marked: &[Who], size: (u32, u32)) -> Result<String, PictureError> {
    let mut text = String::new();
    draw(chart, marked, size, &mut text)
        .map_err(|e| PictureError(format!("chart {:?}: {e}", chart.title)))?;
    Ok(text)
}

fn draw(
    chart: &Chart,
    marked: &[Who],
    size: (u32, u32),
    text: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let turns = chart.series.iter().map(|s| s.values.len()).max().unwrap_or(0).max(2);
    let values = chart.series.iter().flat_map(|s| s.values.iter().copied());
    let top = values.max().unwrap_or(0).max(1);
    let root = SVGBackend::with_string(text, size).into_drawing_area();
    root.fill(&WHITE)?;
    let mut area = ChartBuilder::on(&root)
        .caption(&chart.title, ("sans-serif", 18))
        .margin(8)
        .margin_right(60)
        .x_label_area_size(34)
        .y_label_area_size(60)
        .build_cartesian_2d(1..turns as i64, 0..top + top / 20 + 1)?;
    area.configure_mesh().x_desc("Turn").light_line_style(TRANSPARENT).draw()?;
    let points = |s: &Series| -> Vec<(i64, i64)> { (1..).zip(s.values.iter().copied()).collect() };
    let named = named(chart, marked);
    for series in chart.series.iter().filter(|s| !named.contains(&s.who)) {
        area.draw_series(LineSeries::new(points(series), RGBColor(204, 204, 204)))?;
    }
    for (who, colour) in named.iter().zip(COLOURS) {
        let Some(series) = chart.series.iter().find(|s| s.who == *who) else { continue };
        // Colour is not the only sign: each line has its name at its end.
        let name = match who {
            Who::Seat(seat) => format!("seat {seat}"),
            Who::Best => "best".to_owned(),
            Who::Median => "median".to_owned(),
        };
        if let (Some(last), turn) = (series.values.last(), series.values.len()) {
            // Turns of a game are some hundred.
            let end = (turn as i64, *last);
            area.draw_series(std::iter::once(
                EmptyElement::at(end) + Text::new(name.clone(), (4, -6), ("sans-serif", 11)),
            ))?;
        }
        let width = if marked.contains(who) { 4 } else { 2 };
        area.draw_series(LineSeries::new(points(series), colour.stroke_width(width)))?
            .label(name)
            .legend(move |(x, y)| {
                PathElement::new(vec![(x, y), (x + 18, y)], colour.stroke_width(width))
            });
    }
    if !named.is_empty() {
        area.configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE)
            .border_style(RGBColor(187, 187, 187))
            .draw()?;
    }
    root.present()?;
    Ok(())
}

/// The marked lines, those that are not a seat's, then the best at the end.
fn named(chart: &Chart, marked: &[Who]) -> Vec<Who> {
    let seat = |who: Who| match who {
        Who::Seat(seat) => Some(seat),
        Who::Best | Who::Median => None,
    };
    let mut best: Vec<&Series> = chart.series.iter().collect();
    best.sort_by_key(|s| {
        (seat(s.who).is_some(), std::cmp::Reverse(s.values.last().copied()), seat(s.who))
    });
    let mut named: Vec<Who> = marked.to_vec();
    named.extend(best.iter().map(|s| s.who).filter(|w| !marked.contains(w)));
    named.truncate(NAMED_MAX);
    named
}
