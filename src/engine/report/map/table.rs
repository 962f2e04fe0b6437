//! The materials of a map: terrains and symbols with their looks.

use serde::{Deserialize, Serialize};

/// A colour of three channels from 0 to 15. A picture multiplies each by 17: there are so few
/// colours that all fit into the palette of a PNG.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Tint([u8; 3]);

impl Tint {
    /// A colour of red, green and blue, 0 to 15 each; more counts as 15.
    pub const fn new(red: u8, green: u8, blue: u8) -> Self {
        const fn most(channel: u8) -> u8 {
            if channel > 15 { 15 } else { channel }
        }
        Self([most(red), most(green), most(blue)])
    }

    /// Red, green and blue, 0 to 15 each.
    pub fn channels(self) -> [u8; 3] {
        // A stored colour may come from another program.
        self.0.map(|c| c.min(15))
    }
}

/// Colours of players in groups of eight: the colours of a group differ as much as possible, for
/// every kind of eye, and groups are distinguished by [`Weave`]. All differ clearly from paper,
/// grass, sand and sea.
const PLAYERS: [Tint; 24] = [
    Tint::new(4, 0, 14),
    Tint::new(14, 12, 2),
    Tint::new(5, 13, 15),
    Tint::new(10, 4, 0),
    Tint::new(0, 7, 6),
    Tint::new(14, 6, 10),
    Tint::new(9, 10, 8),
    Tint::new(4, 8, 15),
    Tint::new(12, 9, 12),
    Tint::new(7, 6, 4),
    Tint::new(8, 0, 0),
    Tint::new(13, 9, 0),
    Tint::new(5, 5, 14),
    Tint::new(6, 12, 7),
    Tint::new(14, 1, 6),
    Tint::new(4, 1, 7),
    Tint::new(6, 2, 4),
    Tint::new(15, 10, 11),
    Tint::new(5, 9, 8),
    Tint::new(8, 8, 1),
    Tint::new(4, 4, 8),
    Tint::new(2, 5, 3),
    Tint::new(9, 10, 15),
    Tint::new(9, 6, 10),
];

/// The number of colours in a group.
const GROUP: usize = 8;

impl Tint {
    /// The colour of a seat in maps, charts and pages, where the game gives it none.
    pub fn of_seat(seat: crate::Seat) -> Self {
        PLAYERS[usize::from(seat.0).saturating_sub(1) % PLAYERS.len()]
    }
}

/// How the colour of a seat is drawn on its land: seats with similar colours have different weaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weave {
    /// The colour without a pattern.
    Plain,
    /// With light dashes.
    Dashed,
    /// With light dots.
    Dotted,
}

impl Weave {
    /// The weave of a seat.
    pub fn of_seat(seat: crate::Seat) -> Self {
        let group = usize::from(seat.0).saturating_sub(1) / GROUP;
        [Self::Plain, Self::Dashed, Self::Dotted][group % (PLAYERS.len() / GROUP)]
    }
}

/// A small drawing that identifies a kind of terrain without its colour.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relief {
    /// No drawing.
    #[default]
    None,
    /// A high angle.
    Peak,
    /// A low arc.
    Hill,
    /// A tall tree.
    Tree,
    /// A low tree.
    Bush,
    /// Short level strokes under each other.
    Reeds,
    /// Scattered short strokes.
    Dots,
}

/// How the side of a holder changes the colour of a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shades {
    /// Lighter where the reader holds it, darker where another player does; paler where the place
    /// is pale.
    #[default]
    Mixed,
    /// The holder does not show, as on open water.
    Same,
    /// Fixed colours, in the order nobody, own, ally, foreign.
    Given {
        /// The colours of usual places.
        plain: [Tint; 4],
        /// The colours of pale places.
        pale: [Tint; 4],
    },
}

/// A kind of ground.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terrain {
    /// A word for programs, in lower case; the same every turn.
    pub id: String,
    /// The name that readers see.
    pub name: String,
    /// Its colour where nobody holds it.
    pub tint: Tint,
    /// Its small drawing.
    pub relief: Relief,
    /// How the side of a holder changes its colour.
    pub shades: Shades,
    /// Whether the legend of a picture lists it; the usual ground needs no explanation.
    pub in_legend: bool,
    /// Whether it is water: nobody's, with a coast.
    #[serde(default)]
    pub water: bool,
}

impl Terrain {
    /// A terrain that the legend lists, without relief, in mixed shades.
    pub fn new(id: &str, name: &str, tint: Tint) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            tint,
            relief: Relief::None,
            shades: Shades::Mixed,
            in_legend: true,
            water: false,
        }
    }
}

/// How a shape is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// A plate that fills its square.
    City,
    /// The code of the piece as text.
    Ruin,
    /// A counter of land units.
    Land,
    /// A counter of ships.
    Sea,
    /// A counter of aircraft.
    Air,
    /// A disc or another simple shape with a code in it.
    Stone,
    /// A star.
    Star,
    /// A burst.
    Bomb,
    /// Crossed blades.
    Battle,
    /// A flag.
    Flag,
}

/// Each shape is one row: its word for programs, how it is drawn, and its sign in a text, or an
/// empty one. A counter's symbol is a row of `render::units`.
macro_rules! shapes {
    ($(#[$about:meta])* enum $type:ident {
        $($(#[$doc:meta])* $name:ident = $word:literal, $drawn:ident, $glyph:literal;)+
    }) => {
        $(#[$about])*
        pub enum $type {
            $($(#[$doc])* $name,)+
        }

        impl $type {
            /// All shapes.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// Its word for programs.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// How it is drawn.
            pub fn drawn(self) -> Drawn {
                match self { $(Self::$name => Drawn::$drawn,)+ }
            }

            /// Its sign in a text; empty where letters are used instead.
            pub fn glyph(self) -> &'static str {
                match self { $(Self::$name => $glyph,)+ }
            }
        }
    };
}

shapes! {
    /// How something on a map is drawn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    enum Shape {
        /// Crossed blades: something was fought over here.
        Battle = "battle", Battle, "✕";
        /// A plate with the piece's size in it and its name beside it.
        City = "city", City, "";
        /// The piece's code, and where there is room its name, or the symbol's name if it has none.
        Ruin = "ruin", Ruin, "∴";
        /// A counter with code and size: a box with both diagonals where it has no code.
        Army = "army", Land, "";
        /// A counter with code and size: a hull.
        Ship = "ship", Sea, "";
        /// A counter with code and size: a box with a point on each side.
        Plane = "plane", Air, "";
        /// A star.
        Star = "star", Star, "★";
        /// A burst.
        Bomb = "bomb", Bomb, "✹";
        /// A disc with the code in it.
        Circle = "circle", Stone, "●";
        /// A square with the code in it.
        Square = "square", Stone, "■";
        /// A triangle with the code in it.
        Triangle = "triangle", Stone, "▲";
        /// A diamond with the code in it.
        Diamond = "diamond", Stone, "◆";
        /// A flag: something changed hands here.
        Flag = "flag", Flag, "⚑";
        /// A counter of infantry: both diagonals.
        Infantry = "infantry", Land, "";
        /// A counter of tanks: a track.
        Armour = "armour", Land, "";
        /// A counter of infantry in vehicles: both diagonals and a track.
        Mechanised = "mechanised", Land, "";
        /// A counter of guns: a disc.
        Artillery = "artillery", Land, "";
        /// A counter of guns against aircraft: a dome.
        Flak = "flak", Land, "";
        /// A counter of engineers: a bridge.
        Engineers = "engineers", Land, "";
        /// A counter of trucks: wheels below a bar.
        Trucks = "trucks", Land, "";
        /// A counter of paratroops: both diagonals, and a gull below.
        Paratroops = "paratroops", Land, "";
        /// A counter of missiles: a missile that stands upright.
        Missile = "missile", Air, "";
        /// A counter of submarines: a low hull.
        Submarine = "submarine", Sea, "";
        /// A counter of transport ships: a high flat hull.
        Transport = "transport", Sea, "";
    }
}

impl Shape {
    /// Whether it is a counter; several counters may be in one place.
    pub fn is_counter(self) -> bool {
        match self.drawn() {
            Drawn::Land | Drawn::Sea | Drawn::Air => true,
            Drawn::City | Drawn::Ruin | Drawn::Stone | Drawn::Star | Drawn::Bomb => false,
            Drawn::Battle | Drawn::Flag => false,
        }
    }
}

/// A kind of thing on a map.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Symbol {
    /// A word for programs, in lower case; the same every turn.
    pub id: String,
    /// The name that readers see.
    pub name: String,
    /// The meaning of its letters and numbers, such as `type, size`; empty when it has none or they
    /// need no explanation.
    pub figures: String,
    /// How it is drawn.
    pub shape: Shape,
}

impl Symbol {
    /// A symbol whose letters and numbers need no explanation.
    pub fn new(id: &str, name: &str, shape: Shape) -> Self {
        Self { id: id.to_owned(), name: name.to_owned(), figures: String::new(), shape }
    }

    /// The same symbol with the meaning of its letters and numbers.
    pub fn with_figures(self, figures: &str) -> Self {
        Self { figures: figures.to_owned(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Seat;

    /// A colour with linear channels from 0 to 1.
    fn linear(tint: Tint) -> [f64; 3] {
        tint.channels().map(|c| {
            let c = f64::from(c) / 15.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn times(m: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
    }

    /// How eyes without red, green or blue see it, after Machado and others (2009).
    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ],
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ],
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ],
    ];

    /// CIE L*a*b* under daylight.
    fn lab(rgb: [f64; 3]) -> [f64; 3] {
        let m = [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.0721750],
            [0.0193339, 0.1191920, 0.9503041],
        ];
        let white = times(m, [1.0; 3]);
        let xyz = times(m, rgb.map(|c| c.clamp(0.0, 1.0)));
        let f = |i: usize| {
            let t = xyz[i] / white[i];
            if t > 216.0 / 24389.0 { t.cbrt() } else { (24389.0 / 27.0 * t + 16.0) / 116.0 }
        };
        [116.0 * f(1) - 16.0, 500.0 * (f(0) - f(1)), 200.0 * (f(1) - f(2))]
    }

    /// CIEDE2000, after Sharma, Wu and Dalal (2005).
    fn distance(one: [f64; 3], other: [f64; 3]) -> f64 {
        let chroma = |c: [f64; 3]| c[1].hypot(c[2]);
        let mean = (chroma(one) + chroma(other)) / 2.0;
        let seven = mean.powi(7);
        let g = 0.5 * (1.0 - (seven / (seven + 25f64.powi(7))).sqrt());
        let [a, b] = [one, other].map(|c| [c[0], c[1] * (1.0 + g), c[2]]);
        let (c1, c2) = (chroma(a), chroma(b));
        let hue = |c: [f64; 3]| c[2].atan2(c[1]).to_degrees().rem_euclid(360.0);
        let (h1, h2) = (hue(a), hue(b));
        let turn = match h2 - h1 {
            d if d > 180.0 => d - 360.0,
            d if d < -180.0 => d + 360.0,
            d => d,
        };
        let wide = 2.0 * (c1 * c2).sqrt() * (turn / 2.0).to_radians().sin();
        let (light, full) = ((a[0] + b[0]) / 2.0, (c1 + c2) / 2.0);
        let middle = h1 + turn / 2.0;
        let cos = |d: f64| d.to_radians().cos();
        let t = 1.0 - 0.17 * cos(middle - 30.0)
            + 0.24 * cos(2.0 * middle)
            + 0.32 * cos(3.0 * middle + 6.0)
            - 0.20 * cos(4.0 * middle - 63.0);
        let near = (light - 50.0).powi(2);
        let (sl, sc, sh) =
            (1.0 + 0.015 * near / (20.0 + near).sqrt(), 1.0 + 0.045 * full, 1.0 + 0.015 * full * t);
        let full7 = full.powi(7);
        let blue = 30.0 * (-((middle.rem_euclid(360.0) - 275.0) / 25.0).powi(2)).exp();
        let rt = -(2.0 * blue).to_radians().sin() * 2.0 * (full7 / (full7 + 25f64.powi(7))).sqrt();
        let (dl, dc, dh) = ((b[0] - a[0]) / sl, (c2 - c1) / sc, wide / sh);
        (dl * dl + dc * dc + dh * dh + rt * dc * dh).sqrt()
    }

    /// The least distance between colours, for each kind of vision.
    fn least(tints: &[Tint]) -> [f64; 4] {
        EYES.map(|eye| {
            let seen: Vec<[f64; 3]> = tints.iter().map(|t| lab(times(eye, linear(*t)))).collect();
            let pairs = (1..seen.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            pairs.map(|(i, j)| distance(seen[i], seen[j])).fold(f64::MAX, f64::min)
        })
    }

    #[test]
    fn seats_that_are_drawn_alike_are_told_apart_by_every_eye() {
        // A pair of colours that the authors of the formula give.
        let known = distance([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485]);
        assert!((known - 2.0425).abs() < 1e-3, "{known}");
        for weave in [Weave::Plain, Weave::Dashed, Weave::Dotted] {
            let seats = (1..=24).map(Seat).filter(|s| Weave::of_seat(*s) == weave);
            let tints: Vec<Tint> = seats.map(Tint::of_seat).collect();
            assert_eq!(tints.len(), 8);
            let [normal, others @ ..] = least(&tints);
            assert!(normal >= 20.0, "{weave:?} {normal}");
            assert!(others.iter().all(|d| *d >= 12.0), "{weave:?} {others:?}");
        }
        assert_eq!(Weave::of_seat(Seat(100)), Weave::Plain, "seats begin anew after 24");
    }

    #[test]
    fn no_two_of_24_players_have_one_colour() {
        let tints: Vec<Tint> = (1..=24).map(|n| Tint::of_seat(Seat(n))).collect();
        let [normal, others @ ..] = least(&tints);
        assert!(normal >= 13.0 && others.iter().all(|d| *d >= 8.0), "{normal} {others:?}");
    }

    #[test]
    fn a_channel_has_sixteen_levels_at_most() {
        assert_eq!(Tint::new(9, 9, 20).channels(), [9, 9, 15]);
    }
}
