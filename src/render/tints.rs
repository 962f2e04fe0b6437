//! Colours of maps: of places by terrain and side, of seats, of letters on them.

use engine::Seat;
use engine::report::{Cell, MapPicture, Shades, Side, Terrain, Tint};

/// Behind all that is drawn: toned, so that no picture glares by night.
pub(super) const PAPER: &str = "#eed";
/// Letters and lines.
pub(super) const INK: &str = "#222";
/// The border around what is the reader's.
pub(super) const BORDER_OWN: &str = "#036";
/// The outline of what the last move touched, on a white rim: no seat has this colour.
pub(super) const MOVED: &str = "#c0c";
/// Land that was never seen: bare paper.
pub(super) const UNKNOWN: Tint = Tint::new(14, 14, 13);
/// Where nothing is known.
pub(super) const FOG: Tint = Tint::new(12, 12, 12);

/// A colour as an SVG names it.
pub(super) fn hex(tint: Tint) -> String {
    let [r, g, b] = tint.channels();
    format!("#{r:x}{g:x}{b:x}")
}

/// The first colour with `tenths` tenths of the second mixed in.
pub(super) fn mix(a: Tint, b: Tint, tenths: u8) -> Tint {
    let (a, b) = (a.channels(), b.channels());
    let one = |i: usize| (a[i] * (10 - tenths) + b[i] * tenths + 5) / 10;
    Tint::new(one(0), one(1), one(2))
}

/// The colour of letters on a colour: the eye takes green for bright and blue for dark.
pub(super) fn ink_on(tint: Tint) -> &'static str {
    let [r, g, b] = tint.channels().map(u32::from);
    if 3 * r + 6 * g + b < 80 { "#fff" } else { INK }
}

/// The colour of a terrain: usually light where it is own, dark where it is foreign.
pub(super) fn shade(terrain: Option<&Terrain>, side: Side, pale: bool) -> Tint {
    let tint = terrain.map_or(FOG, |t| t.tint);
    let tint = match (terrain.map_or(Shades::Mixed, |t| t.shades), side) {
        (Shades::Given { plain, pale: faint }, side) => {
            let of = if pale { faint } else { plain };
            return match side {
                Side::Nobody => of[0],
                Side::Own => of[1],
                Side::Ally => of[2],
                Side::Foreign => of[3],
            };
        }
        (Shades::Same, _) | (Shades::Mixed, Side::Nobody) => tint,
        (Shades::Mixed, Side::Own) => mix(tint, Tint::new(15, 15, 13), 6),
        (Shades::Mixed, Side::Ally) => mix(tint, Tint::new(10, 14, 13), 5),
        (Shades::Mixed, Side::Foreign) => mix(tint, Tint::new(5, 4, 4), 6),
    };
    if pale { mix(tint, FOG, 6) } else { tint }
}

/// The colour of a place: half its holder's where the game gives seats colours.
pub(super) fn place(map: &MapPicture, cell: &Cell) -> Tint {
    match cell.holder.and_then(|seat| given(map, seat)) {
        Some(colour) => {
            let tint = mix(map.terrain(cell).map_or(FOG, |t| t.tint), colour, 5);
            if cell.pale { mix(tint, FOG, 6) } else { tint }
        }
        None => shade(map.terrain(cell), cell.side, cell.pale),
    }
}

/// The colour that a seat has in the game, if seats have colours there.
pub(super) fn given(map: &MapPicture, seat: Seat) -> Option<Tint> {
    map.colours.iter().find(|c| c.seat == seat).map(|c| c.tint)
}

/// The colour of a seat: the game's, else the one that it has everywhere.
pub(super) fn seat(map: &MapPicture, seat: Seat) -> Tint {
    given(map, seat).unwrap_or_else(|| Tint::of_seat(seat))
}

/// The colour of a seat's land where labels and lines are drawn on it.
pub(super) fn land(map: &MapPicture, of: Seat) -> Tint {
    mix(seat(map, of), Tint::new(15, 15, 13), 3)
}

/// The colour of the pieces of a side.
pub(super) fn side(side: Side) -> Tint {
    match side {
        Side::Own => Tint::new(0, 5, 10),
        Side::Ally => Tint::new(0, 7, 5),
        Side::Foreign => Tint::new(10, 2, 0),
        Side::Nobody => Tint::new(5, 5, 5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_light_on_dark_and_dark_on_light() {
        for dark in [Side::Own, Side::Ally, Side::Foreign, Side::Nobody].map(side) {
            assert_eq!(ink_on(dark), "#fff", "{dark:?}");
        }
        assert_eq!([FOG, Tint::new(15, 14, 0)].map(ink_on), [INK; 2]);
    }

    #[test]
    fn a_side_shades_a_terrain_as_the_terrain_says() {
        let mixed = Terrain::new("a", "a", Tint::new(8, 8, 8));
        let shades = |t: &Terrain, pale| {
            [Side::Nobody, Side::Own, Side::Foreign].map(|side| hex(shade(Some(t), side, pale)))
        };
        assert_eq!(shades(&mixed, false), ["#888", "#ccb", "#666"]);
        let same = Terrain { shades: Shades::Same, ..mixed.clone() };
        assert_eq!(shades(&same, false), ["#888"; 3]);
        let plain = [1, 2, 3, 4].map(|n| Tint::new(n, n, n));
        let given = Shades::Given { plain, pale: [Tint::new(9, 9, 9); 4] };
        let given = Terrain { shades: given, ..mixed };
        assert_eq!(shades(&given, false), ["#111", "#222", "#444"]);
        assert_eq!(shades(&given, true), ["#999"; 3]);
    }
}
