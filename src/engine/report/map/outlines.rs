//! Outlines of a part of the earth: arcs between areas, from which a picture makes areas, coasts
//! and borders. Areas that touch share an arc, so there is no gap between them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc as Shared;

use serde::{Deserialize, Serialize};

use super::Point;

/// A label of land that is not an area of the map.
pub const NO_AREA: &str = "#";
/// A label of water that is not an area of the map.
pub const NO_SEA: &str = "~";
/// The label of what lies beyond the edge of the sheet.
pub const BEYOND: &str = "|";

/// A line between two areas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Border {
    /// Labels on both sides: ids of nodes, [`NO_AREA`], [`NO_SEA`] or [`BEYOND`].
    pub between: [String; 2],
    /// Its points, from one end to the other; these are equal in a closed line.
    pub points: Vec<Point>,
}

/// A point within an area that lies far from all its edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spot {
    /// Where it is.
    pub at: Point,
    /// Drawing units to the nearest edge.
    pub radius: i32,
}

/// A strait or canal through an area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bridge {
    /// Label of the area that it leads through.
    pub by: String,
    /// Labels of the two waters that it links.
    pub links: [String; 2],
    /// Where it is.
    pub at: Point,
}

/// Outlines of all areas of a sheet, read from text with one record in each line.
///
/// ```text
/// size 1600 1517            width and height in units
/// water BLA EAS WES          labels of areas that are water
/// spot FR 620 940 88        a label, a point within it, units to the nearest edge
/// window benelux 480 700 640 860   a part that is worth a larger drawing
/// bridge TU BLA EAS 1190 1180      a strait through an area, and the waters it links
/// closed SPY SRS 900 1200   areas that touch but are no neighbours, and where
/// FR GE 700 850 3 -4 2 7    an arc: two labels, its first point, steps to the next ones
/// // a comment
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Outlines {
    text: Shared<str>,
    size: (i32, i32),
    borders: Vec<Border>,
    waters: BTreeSet<String>,
    spots: BTreeMap<String, Vec<Spot>>,
    windows: Vec<(String, [i32; 4])>,
    bridges: Vec<Bridge>,
    closed: Vec<([String; 2], Point)>,
}

impl TryFrom<String> for Outlines {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

impl From<Outlines> for String {
    fn from(outlines: Outlines) -> Self {
        outlines.text.as_ref().to_owned()
    }
}

impl Outlines {
    /// Reads a file of outlines.
    ///
    /// # Errors
    /// The first line that is not one of the records above, and its fault.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut made = Self {
            text: text.into(),
            size: (1, 1),
            borders: Vec::new(),
            waters: BTreeSet::new(),
            spots: BTreeMap::new(),
            windows: Vec::new(),
            bridges: Vec::new(),
            closed: Vec::new(),
        };
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if !line.is_empty() && !line.starts_with("//") {
                made.record(line).ok_or_else(|| format!("line {number} is no record: {line}"))?;
            }
        }
        Ok(made)
    }

    fn record(&mut self, line: &str) -> Option<()> {
        let mut words = line.split_ascii_whitespace();
        let first = words.next()?;
        let label = |w: Option<&str>| w.map(str::to_owned);
        match first {
            "size" => self.size = point(&mut words)?,
            "water" => self.waters.extend(words.map(str::to_owned)),
            "spot" => {
                let of = label(words.next())?;
                let (at, radius) = (point(&mut words)?, number(&mut words)?);
                self.spots.entry(of).or_default().push(Spot { at, radius });
            }
            "window" => {
                let name = label(words.next())?;
                let (from, to) = (point(&mut words)?, point(&mut words)?);
                self.windows.push((name, [from.0, from.1, to.0, to.1]));
            }
            "bridge" => {
                let by = label(words.next())?;
                let links = [label(words.next())?, label(words.next())?];
                self.bridges.push(Bridge { by, links, at: point(&mut words)? });
            }
            "closed" => {
                let between = [label(words.next())?, label(words.next())?];
                self.closed.push((between, point(&mut words)?));
            }
            _ => {
                let between = [first.to_owned(), label(words.next())?];
                let mut last = point(&mut words)?;
                let mut points = vec![last];
                let mut words = words.peekable();
                while words.peek().is_some() {
                    let step = point(&mut words)?;
                    last = (last.0.checked_add(step.0)?, last.1.checked_add(step.1)?);
                    points.push(last);
                }
                self.borders.push(Border { between, points });
            }
        }
        Some(())
    }

    /// Width and height in drawing units.
    pub fn size(&self) -> (i32, i32) {
        self.size
    }

    /// All lines between two areas.
    pub fn borders(&self) -> &[Border] {
        &self.borders
    }

    /// Whether a label names water, on the map or outside it.
    pub fn is_water(&self, label: &str) -> bool {
        label == NO_SEA || self.waters.contains(label)
    }

    /// Points within an area, the main one first; none for an unknown label.
    pub fn spots(&self, label: &str) -> &[Spot] {
        self.spots.get(label).map_or(&[], Vec::as_slice)
    }

    /// Parts that are worth a larger drawing, each with its name and its west, north, east and
    /// south edges.
    pub fn windows(&self) -> &[(String, [i32; 4])] {
        &self.windows
    }

    /// Straits and canals.
    pub fn bridges(&self) -> &[Bridge] {
        &self.bridges
    }

    /// Pairs of areas that touch although they are not neighbours, and where.
    pub fn closed(&self) -> &[([String; 2], Point)] {
        &self.closed
    }

    /// The closed rings around a label, those around holes included; arcs are joined where their
    /// ends meet.
    pub fn rings(&self, label: &str) -> Vec<Vec<Point>> {
        let has =
            |b: &&Border| b.between.iter().any(|l| l == label) && b.between[0] != b.between[1];
        rings(self.borders.iter().filter(has).map(|b| b.points.as_slice()).collect())
    }

    /// Pairs of labels that have a common line, each once, in their order.
    pub fn pairs(&self) -> BTreeSet<[&str; 2]> {
        let mut pairs = BTreeSet::new();
        for border in &self.borders {
            let [a, b] = border.between.each_ref().map(String::as_str);
            pairs.insert(if a <= b { [a, b] } else { [b, a] });
        }
        pairs
    }
}

fn number<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<i32> {
    words.next()?.parse().ok()
}

fn point<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Point> {
    Some((number(words)?, number(words)?))
}

/// Joins lines into rings by their ends. An open line stays open.
fn rings(lines: Vec<&[Point]>) -> Vec<Vec<Point>> {
    let mut by_end: BTreeMap<Point, Vec<usize>> = BTreeMap::new();
    for (n, line) in lines.iter().enumerate() {
        for end in [line.first(), line.last()].into_iter().flatten() {
            by_end.entry(*end).or_default().push(n);
        }
    }
    let mut used = vec![false; lines.len()];
    let mut made = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        if std::mem::replace(&mut used[n], true) || line.is_empty() {
            continue;
        }
        let mut ring = line.to_vec();
        while let (Some(first), Some(last)) = (ring.first(), ring.last())
            && first != last
        {
            let next = by_end.get(last).and_then(|ends| ends.iter().find(|m| !used[**m]));
            let Some(next) = next.copied() else { break };
            used[next] = true;
            let more = lines[next];
            match more.first() == Some(last) {
                true => ring.extend(&more[1..]),
                false => ring.extend(more.iter().rev().skip(1)),
            }
        }
        made.push(ring);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two countries beside each other on a sheet.
    const TWO: &str = "// two halves\nsize 20 10\nspot A 5 5 5\nspot B 15 5 5\n\
                       A B 10 0 0 10\nA | 10 0 -10 0 0 10 10 0\nB | 10 10 10 0 0 -10 -10 0\n";

    #[test]
    fn areas_that_share_a_border_have_closed_rings() {
        let two = Outlines::parse(TWO).expect("read");
        assert_eq!(two.size(), (20, 10));
        assert_eq!(two.rings("A"), [vec![(10, 0), (10, 10), (0, 10), (0, 0), (10, 0)]]);
        assert_eq!(two.rings("B").len(), 1);
        assert_eq!(two.pairs().into_iter().collect::<Vec<_>>()[0], ["A", "B"]);
        assert!(two.rings("C").is_empty() && two.spots("C").is_empty());
    }

    #[test]
    fn what_is_no_record_is_told_by_its_line() {
        for bad in ["size 3", "spot A 1 2", "A B 1 2 3", "A", "A B 1 x", "A B 2147483647 0 1 0"] {
            let told = Outlines::parse(&format!("size 1 1\n{bad}\n")).expect_err(bad);
            assert!(told.starts_with("line 2 is no record"), "{told}");
        }
    }

    #[test]
    fn outlines_are_kept_as_their_text() {
        let two = Outlines::parse(TWO).expect("read");
        let bytes = codec::to_bytes(&two).expect("written");
        assert!(bytes.len() < TWO.len() + 5);
        assert_eq!(codec::from_bytes::<Outlines>(&bytes).expect("read"), two);
    }
}
