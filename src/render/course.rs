//! The course of a game: each picture is a map with its turn and who leads, and a page shows
//! one picture after the other.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::letters;
use super::picture::{Sheet, frame};
use super::tints::{INK, hex};
use engine::report::{Chart, Tint, Who};
use tongue::{Catalogue, now, say};

/// Who leads in one turn of a course.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leader {
    /// The seat, and its player's name where it has one.
    pub name: String,
    /// Its colour.
    pub tint: Tint,
    /// Its value in that turn.
    pub value: i64,
}

/// Leaders that are shown, at most.
const SHOWN: usize = 6;
/// Heights of the line above the map and of a row below it.
const HEAD: u32 = 34;
const ROW: u32 = 18;
/// The least width: a row has a name, a bar and a number.
const WIDE: u32 = 400;

/// The chart that shows who leads: the first with values of more than one player, because those of
/// a single side do not show it.
pub fn measure(charts: &[Chart]) -> Option<&Chart> {
    let seats = |c: &Chart| c.series.iter().filter(|s| matches!(s.who, Who::Seat(_))).count();
    charts.iter().find(|c| seats(c) > 1)
}

/// The best of a chart by its last values, the best first. Those who have nothing left are left
/// out.
pub fn leaders(chart: &Chart, name: impl Fn(u8) -> String) -> Vec<Leader> {
    let of = |s: &engine::report::Series| match s.who {
        Who::Seat(seat) => Some(Leader {
            name: name(seat.0),
            tint: s.tint.unwrap_or_else(|| Tint::of_seat(seat)),
            value: s.values.last().copied().filter(|v| *v > 0)?,
        }),
        Who::Best | Who::Median => None,
    };
    let mut all: Vec<Leader> = chart.series.iter().filter_map(of).collect();
    // Equal ones stay in the order of their seats.
    all.sort_by_key(|l| std::cmp::Reverse(l.value));
    all.truncate(SHOWN);
    all
}

/// The picture of a turn: its label, the map, and who leads by which measure.
pub fn picture(map: &Sheet, label: &str, measure: &str, leaders: &[Leader]) -> Sheet {
    let wide = map.size.0.max(WIDE);
    // Room for all: their number changes from turn to turn.
    let high = HEAD + map.size.1 + 8 + ROW * (SHOWN as u32 + 1) + 6;
    let below = HEAD + map.size.1 + 8;
    let most = leaders.iter().map(|l| l.value).max().unwrap_or(1).max(1);
    let named = leaders.iter().map(|l| letters::bold(&l.name, 12)).max().unwrap_or(0);
    let bar = 28 + named + 10;
    let room = i64::from(wide.saturating_sub(bar + 70).max(40));
    let row = |n: usize| below + ROW * (n as u32 + 1);
    let body = html! {
        text x="12" y="24" font-size="20" font-weight="bold" fill=(INK) { (label) }
        svg x=((wide - map.size.0) / 2) y=(HEAD) width=(map.size.0) height=(map.size.1)
            viewBox=(format!("0 0 {} {}", map.size.0, map.size.1)) { (PreEscaped(inner(&map.svg))) }
        @if !leaders.is_empty() {
            text x="12" y=(below + 13) font-size="12" font-weight="bold" fill=(INK) { (measure) }
        }
        @for (n, leader) in leaders.iter().enumerate() {
            @let long = (leader.value * room / most).max(1);
            rect x="12" y=(row(n) + 2) width="11" height="11" fill=(hex(leader.tint)) stroke="#666" {}
            text x="28" y=(row(n) + 12) font-size="12" fill=(INK) { (leader.name) }
            rect x=(bar) y=(row(n) + 3) width=(long) height="9" fill=(hex(leader.tint)) stroke="#666"
                stroke-width="0.5" {}
            text x=(i64::from(bar) + long + 6) y=(row(n) + 12) font-size="12" fill=(INK) {
                (leader.value)
            }
        }
    };
    let told: Vec<String> = leaders.iter().map(|l| format!("{} {}", l.name, l.value)).collect();
    let alt = match told.is_empty() {
        true => format!("{label}. {}", map.alt),
        false => format!("{label}. {measure}: {}. {}", told.join(", "), map.alt),
    };
    Sheet { name: map.name.clone(), alt, svg: frame((wide, high), &body), size: (wide, high) }
}

/// The contents of a drawing.
fn inner(svg: &str) -> &str {
    let from = svg.find('>').map_or(0, |n| n + 1);
    let to = svg.rfind("</svg>").unwrap_or(svg.len());
    svg.get(from..to).unwrap_or_default()
}

/// A picture of a course as a page shows it.
pub struct Shown {
    /// Its label, such as `After turn 12`.
    pub label: String,
    /// What it shows, for those who can't see it.
    pub alt: String,
    /// A PNG.
    pub png: Vec<u8>,
}

/// A page that is complete in itself: a slider and a button run through the pictures. Without a
/// script it shows the last one.
pub fn page(title: &str, shown: &[Shown]) -> String {
    let source = |png: &[u8]| format!("data:image/png;base64,{}", STANDARD.encode(png));
    let last = shown.len().saturating_sub(1);
    let (play, stop) = (say!(film: "Play"), say!(film: "Stop"));
    // Words of the script are put in as JSON, in which nothing ends a script.
    let quoted = |word: &str| serde_json::json!(word).to_string().replace('<', "\\u003c");
    let script = SCRIPT.replace("\"Play\"", &quoted(&play)).replace("\"Stop\"", &quoted(&stop));
    let page: Markup = html! {
        (DOCTYPE)
        html lang=(now().map_or("en", Catalogue::code)) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (title) }
                    form hidden {
                        button type="button" id="play" { (play) }
                        label for="turn" { output id="label" {
                            (shown.last().map_or("", |s| s.label.as_str()))
                        } }
                        input id="turn" type="range" min="0" max=(last) value=(last) step="1";
                    }
                    @for (n, one) in shown.iter().enumerate() {
                        img src=(source(&one.png)) alt=(one.alt) data-label=(one.label)
                            hidden[n < last];
                    }
                    @if shown.is_empty() { p { (say!("There is no picture of this game.")) } }
                }
                script { (PreEscaped(script)) }
            }
        }
    };
    page.into_string()
}

const STYLE: &str = "
body{margin:0;background:#eeeae2;color:#222;font:16px/1.5 Helvetica,Arial,sans-serif}
main{max-width:1320px;margin:0 auto;padding:12px}
h1{font:bold 24px/1.2 Georgia,serif;margin:8px 0}
form{display:flex;gap:12px;align-items:center;flex-wrap:wrap;margin:0 0 10px}
form[hidden]{display:none}
output{display:inline-block;min-width:8em;font-weight:bold}
input{flex:1;min-width:200px}
button{font:inherit;min-width:5em;padding:6px 12px}
img{display:block;max-width:100%;height:auto;border:1px solid #d8d2c4;background:#eed}
img[hidden]{display:none}
@media (prefers-color-scheme:dark){body{background:#15171a;color:#ddd}}
";

/// The script of a page. Its button has English words, which [`page`] replaces.
const SCRIPT: &str = include_str!("course.js");

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Seat;
    use engine::report::Series;

    fn chart() -> Chart {
        let series = |seat: u8, values: &[i64]| Series {
            who: Who::Seat(Seat(seat)),
            tint: None,
            values: values.to_vec(),
        };
        Chart {
            title: "Cities".into(),
            series: vec![series(1, &[1, 2, 0]), series(2, &[1, 5, 9]), series(3, &[1, 2, 3])],
        }
    }

    #[test]
    fn the_best_of_a_turn_lead_and_who_has_nothing_does_not() {
        let of = |turns: usize| -> Vec<(String, i64)> {
            let mut chart = chart();
            chart.series.iter_mut().for_each(|s| s.values.truncate(turns));
            let all = leaders(&chart, |seat| format!("seat {seat}"));
            all.into_iter().map(|l| (l.name, l.value)).collect()
        };
        let want = |all: &[(&str, i64)]| -> Vec<(String, i64)> {
            all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
        };
        assert_eq!(of(2), want(&[("seat 2", 5), ("seat 1", 2), ("seat 3", 2)]));
        assert_eq!(of(3), want(&[("seat 2", 9), ("seat 3", 3)]));
        assert_eq!(of(0), [], "before the first turn nobody leads");
    }

    #[test]
    fn what_one_side_alone_has_is_no_measure_of_who_leads() {
        let glory = Chart { title: "Glory".into(), series: chart().series[..1].to_vec() };
        let both = [glory.clone(), chart()];
        assert_eq!(measure(&both).map(|c| &*c.title), Some("Cities"));
        assert!(measure(&[glory]).is_none());
    }

    #[test]
    fn a_picture_has_its_turn_the_map_and_the_leaders_and_always_one_size() {
        let map = Sheet {
            name: String::new(),
            alt: "Map: the world.".to_owned(),
            svg: "<svg width=\"90\" height=\"40\"><rect id=\"land\"/></svg>".to_owned(),
            size: (90, 40),
        };
        let all = leaders(&chart(), |seat| format!("<Ada> {seat}"));
        let drawn = picture(&map, "After turn 2", "Cities", &all);
        assert_eq!(drawn.svg.matches("<rect id=\"land\"/>").count(), 1);
        assert!(drawn.svg.contains(">After turn 2</text>"));
        assert!(drawn.svg.contains("&lt;Ada&gt; 2</text>"), "names are escaped");
        assert!(drawn.alt.starts_with("After turn 2. Cities: <Ada> 2 9, <Ada> 3 3"));
        assert_eq!(drawn.size, picture(&map, "After turn 0", "Cities", &[]).size);
        super::super::raster::png(&drawn.svg).expect("it can be drawn");
    }

    #[test]
    fn a_page_of_a_course_has_every_picture_and_needs_nothing_else() {
        let shown = |label: &str| Shown {
            label: label.to_owned(),
            alt: format!("{label}: \"quoted\""),
            png: vec![1, 2],
        };
        let page = page("Game <W7>", &[shown("The start"), shown("After turn 1")]);
        assert!(page.contains("Game &lt;W7&gt;") && page.contains("max=\"1\""), "{page}");
        assert_eq!(page.matches("src=\"data:image/png;base64,AQI=\"").count(), 2);
        assert_eq!(page.matches("src=").count(), 2, "nothing is loaded");
        assert_eq!(page.matches("hidden>").count(), 2, "the form and all but the last picture");
    }
}
