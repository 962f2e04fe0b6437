//! Where names and counters are put so that none covers another: a mask of what is taken, and the
//! cheapest of the places around a point.

/// Units of a cell of the mask.
const CELL: f64 = 2.0;

/// A rectangle of a drawing: left, top, width, height.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rect {
    pub x: f64,
    pub y: f64,
    pub w: f64,
    pub h: f64,
}

impl Rect {
    /// A rectangle of a size around its middle.
    pub(super) fn around((x, y): (f64, f64), (w, h): (f64, f64)) -> Self {
        Self { x: x - w / 2.0, y: y - h / 2.0, w, h }
    }

    /// Its middle.
    pub(super) fn middle(self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// The rectangle with a rim around it.
    pub(super) fn grown(self, by: f64) -> Self {
        Self { x: self.x - by, y: self.y - by, w: self.w + 2.0 * by, h: self.h + 2.0 * by }
    }
}

/// The room of a sheet that is taken.
pub(super) struct Mask {
    wide: usize,
    high: usize,
    cells: Vec<bool>,
}

impl Mask {
    /// A mask for a sheet of a size, with nothing taken.
    pub(super) fn new((w, h): (f64, f64)) -> Self {
        let cells = |n: f64| (n / CELL).ceil().clamp(1.0, 4096.0) as usize;
        let (wide, high) = (cells(w), cells(h));
        Self { wide, high, cells: vec![false; wide * high] }
    }

    /// Columns and rows of a rectangle on the sheet; `None` when a part lies beyond it.
    fn span(&self, r: Rect) -> Option<(std::ops::Range<usize>, std::ops::Range<usize>)> {
        let inside = r.x >= 0.0
            && r.y >= 0.0
            && r.x + r.w <= self.wide as f64 * CELL
            && r.y + r.h <= self.high as f64 * CELL;
        inside.then(|| self.cut(r))
    }

    /// Columns and rows of the part of a rectangle that lies on the sheet.
    fn cut(&self, r: Rect) -> (std::ops::Range<usize>, std::ops::Range<usize>) {
        let from = |n: f64, most: usize| ((n.max(0.0) / CELL).floor() as usize).min(most);
        let to = |n: f64, most: usize| ((n.max(0.0) / CELL).ceil() as usize).min(most);
        (
            from(r.x, self.wide)..to(r.x + r.w, self.wide),
            from(r.y, self.high)..to(r.y + r.h, self.high),
        )
    }

    /// Takes a rectangle.
    pub(super) fn take(&mut self, r: Rect) {
        let (columns, rows) = self.cut(r);
        for row in rows {
            self.cells[row * self.wide + columns.start..row * self.wide + columns.end].fill(true);
        }
    }

    /// Whether a rectangle lies on the sheet and nothing in it is taken.
    pub(super) fn is_free(&self, r: Rect) -> bool {
        let Some((columns, mut rows)) = self.span(r) else { return false };
        rows.all(|row| !self.cells[row * self.wide..][columns.clone()].contains(&true))
    }

    /// The cheapest of these rectangles that is free, and its price. Among equals, the first.
    pub(super) fn best(
        &self,
        places: impl IntoIterator<Item = (Rect, f64)>,
    ) -> Option<(Rect, f64)> {
        let mut best: Option<(Rect, f64)> = None;
        for (rect, extra) in places {
            if best.is_some_and(|(_, price)| extra >= price) {
                continue;
            }
            if self.is_free(rect) {
                best = Some((rect, extra));
            }
        }
        best
    }
}

/// Eight directions, the most usual first: a name is right above its point or beside it.
pub(super) const AROUND: [(f64, f64); 8] = [
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.0, -1.0),
    (0.0, 1.0),
    (0.71, -0.71),
    (0.71, 0.71),
    (-0.71, -0.71),
    (-0.71, 0.71),
];

/// Places for a rectangle of a size around a point: eight directions at some distances from the
/// point's own rim, farther ones at a higher price.
pub(super) fn beside(
    (x, y): (f64, f64),
    rim: f64,
    (w, h): (f64, f64),
    distances: &[f64],
) -> Vec<(Rect, f64)> {
    let mut places = Vec::new();
    for (far, distance) in (0..).zip(distances) {
        for (nth, (dx, dy)) in (0..).zip(AROUND) {
            let gap = rim + distance;
            let middle = (x + dx * (gap + w / 2.0), y + dy * (gap + h / 2.0));
            let extra = f64::from(far) * 8.0 + f64::from(nth) * 0.5;
            places.push((Rect::around(middle, (w, h)), extra));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_goes_where_nothing_stands() {
        let mut mask = Mask::new((100.0, 40.0));
        let places = || beside((50.0, 20.0), 4.0, (20.0, 8.0), &[0.0, 6.0]);
        let (east, _) = mask.best(places()).expect("room");
        assert_eq!(east.middle(), (64.0, 20.0), "east of its point when all is free");
        mask.take(east);
        let (west, _) = mask.best(places()).expect("room");
        assert!(west.middle().0 < 50.0, "then west: {west:?}");
        mask.take(Rect { x: 0.0, y: 0.0, w: 100.0, h: 40.0 });
        assert!(mask.best(places()).is_none(), "nowhere when all is taken");
    }

    #[test]
    fn a_name_does_not_leave_the_sheet() {
        let mask = Mask::new((60.0, 40.0));
        let (place, _) = mask.best(beside((56.0, 20.0), 2.0, (20.0, 8.0), &[0.0])).expect("room");
        assert!(place.x + place.w <= 60.0, "{place:?}");
    }
}
