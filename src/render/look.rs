//! How the squares of a grid are drawn: their size, their letters, small drawings of the ground.

use maud::{Markup, html};

use engine::report::{GridMap, GridStyle, Relief, Weave};

/// How squares are drawn.
#[derive(Clone, Copy)]
pub(super) struct Look {
    /// Width of a square.
    pub tile: u32,
    /// Left and top, for the labels.
    pub margin: (u32, u32),
    /// A column number is written every `step` squares.
    pub step: usize,
    /// Size of letters.
    pub font: u32,
}

impl Look {
    /// The look of a style.
    pub(super) fn of(grid: &GridMap) -> Self {
        match grid.style {
            GridStyle::Strategic => Self { tile: 20, margin: (26, 18), step: 5, font: 10 },
            GridStyle::Tactical => Self { tile: 48, margin: (26, 18), step: 1, font: 12 },
            GridStyle::Board => Self { tile: 32, margin: (26, 18), step: 1, font: 10 },
            // A world fits about 1,300 units, whatever its squares stand for.
            GridStyle::World => {
                let tile = (640 / grid.columns.len().max(1)).clamp(4, 10) as u32;
                Self { tile, margin: (28, 18), step: (60 / tile as usize).max(5), font: 11 }
            }
        }
    }
}

/// The look of the part around the reader, for a phone.
pub(super) const NEAR: Look = Look { tile: 25, margin: (28, 20), step: 5, font: 12 };

/// The path of a relief around a point, of strokes of some units; `None` for none.
pub(super) fn relief_path(relief: Relief, (cx, cy): (i32, i32), u: i32) -> Option<String> {
    Some(match relief {
        Relief::None => return None,
        Relief::Peak => {
            let a = 3 * u;
            format!("M{} {}l{a} -{a}l{a} {a}", cx - a, cy + u)
        }
        Relief::Hill => {
            let r = 2 * u;
            format!("M{} {}a{r} {r} 0 0 1 {} 0", cx - r, cy + u, 2 * r)
        }
        Relief::Tree => {
            let (a, b) = (2 * u, 4 * u);
            format!("M{} {}l{a} -{b}l{a} {b}zm{a} 0v{u}", cx - a, cy + u)
        }
        Relief::Bush => {
            let (a, b) = (u, 3 * u);
            format!("M{} {}l{a} -{b}l{a} {b}z", cx - a, cy + u)
        }
        Relief::Reeds => {
            let a = 2 * u;
            format!("M{} {}h{}m-{} {a}h{}", cx - a, cy - u, 2 * a, 3 * u, a)
        }
        Relief::Dots => {
            format!("M{} {}h{u}m{u} {u}h{u}m-{} {u}h{u}", cx - 2 * u, cy - u, 3 * u)
        }
    })
}

/// A veil over an area.
pub(super) fn veil(path: &str) -> Markup {
    html! { path d=(path) fill="#445" fill-opacity="0.16" {} }
}

/// The dashes of a holder's band.
pub(super) fn weave(weave: Weave) -> Option<&'static str> {
    match weave {
        Weave::Plain => None,
        Weave::Dashed => Some("6 5"),
        Weave::Dotted => Some("0.1 5"),
    }
}
