//! The map of the game (§3): rows, links, and the generator of the links.

use std::collections::BTreeMap;
use std::fmt::Write;

use classic_warlord::map::{Category, EMBEDDED, Ground, Map};
use sha2::{Digest, Sha256};

pub fn whole() -> Map {
    Map::read(EMBEDDED).expect("the embedded map can be read")
}

fn digest(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut out, b| {
        let _ = write!(out, "{b:02x}");
        out
    })
}

/// Cells of the generator's grid, west to east and south to north, in tenths of a degree.
pub const COLUMNS: i32 = 360;
pub const ROWS: i32 = 210;

/// The region of each cell: the nearest one, by squares of its distance (§3.1).
pub fn cells(map: &Map) -> Vec<usize> {
    let mut cells = Vec::new();
    for j in 0..ROWS {
        for i in 0..COLUMNS {
            let (x, y) = (-119 + 2 * i, 241 + 2 * j);
            let far = |at: (i32, i32)| (7 * (x - at.0)).pow(2) + (10 * (y - at.1)).pow(2);
            let nearest = map.regions.iter().enumerate().min_by_key(|(n, r)| (far(r.at), *n));
            cells.push(nearest.expect("regions").0);
        }
    }
    cells
}

/// How many pairs of neighbouring cells two regions share.
fn contacts(cells: &[usize]) -> BTreeMap<(usize, usize), u32> {
    let wide = COLUMNS as usize;
    let mut found = BTreeMap::new();
    for at in 0..cells.len() {
        let east = (at % wide + 1 < wide).then_some(at + 1);
        let north = (at + wide < cells.len()).then_some(at + wide);
        for other in east.into_iter().chain(north) {
            let (a, b) = (cells[at].min(cells[other]), cells[at].max(cells[other]));
            if a != b {
                *found.entry((a, b)).or_insert(0) += 1;
            }
        }
    }
    found
}

#[test]
fn rows_and_links_are_those_of_the_specification() {
    let map = whole();
    let mut regions = String::new();
    let mut links = String::new();
    for region in &map.regions {
        let (number, letter, at) = (region.number, region.category.letter(), region.at);
        let _ = writeln!(regions, "{number} {letter} {} {} {}", at.0, at.1, region.name);
        for other in region.near.iter().map(|p| map.region(*p).number).filter(|n| *n > number) {
            let _ = writeln!(links, "{number} {other}");
        }
    }
    let rows = "a250cc3ba0b87b8f5b8b71a06d160e59bfe775640a01d8a3dcdfbe96a062086f";
    assert_eq!(digest(&regions), rows);
    let rows = "4ce9efd4f56dd51115d8db5f962b4f66f886faced814a76b3129ec4788c13618";
    assert_eq!(digest(&links), rows);
    assert_eq!(links.lines().count(), 1619);
}

#[test]
fn links_follow_from_the_rows_by_the_generator() {
    let map = whole();
    let cells = cells(&map);
    let linked: Vec<(usize, usize)> =
        contacts(&cells).into_iter().filter(|(_, n)| *n >= 2).map(|(pair, _)| pair).collect();
    let mut listed = Vec::new();
    for (a, region) in map.regions.iter().enumerate() {
        listed.extend(
            region.near.iter().map(|p| usize::from(p.0)).filter(|b| *b > a).map(|b| (a, b)),
        );
    }
    assert_eq!(listed, linked);
    let mut sizes = vec![0; map.len()];
    cells.iter().for_each(|c| sizes[*c] += 1);
    assert_eq!(sizes.iter().min(), Some(&37));
}

#[test]
fn regions_are_mixed_and_linked_as_told() {
    let map = whole();
    let count = |c: Category| map.regions.iter().filter(|r| r.category == c).count();
    assert_eq!(Category::ALL.map(count), [20, 80, 150, 105, 100, 145]);
    let degree = |n: usize| map.regions.iter().filter(|r| r.near.len() == n).count();
    assert_eq!([2, 3, 4, 5, 6, 7, 8, 9].map(degree), [4, 17, 86, 216, 196, 70, 10, 1]);
    let names: std::collections::BTreeSet<&str> =
        map.regions.iter().map(|r| r.name.as_str()).collect();
    assert_eq!((map.len(), names.len()), (600, 600));
    assert!(map.is_connected());
    for board in 1..=8 {
        let part = map.part(&[board]);
        assert_eq!(part.len(), 75);
        assert!(part.is_connected(), "board {board}");
        for region in &part.regions {
            let (west, south) = ((i32::from(board) - 1) % 4 * 180 - 120, 240);
            let south = if board <= 4 { south + 200 } else { south };
            assert!((west..=west + 180).contains(&region.at.0), "{}", region.name);
            assert!((south..=south + 220).contains(&region.at.1), "{}", region.name);
        }
    }
}

#[test]
fn boards_in_play_are_all_that_there_is() {
    let map = whole();
    let part = map.part(&[5, 6]);
    assert_eq!(part.numbers(), "501–575, 601–675");
    assert!(part.find(102).is_none());
    let part_of = |n: u16| part.region(part.find(n).expect("in play")).near.len();
    let whole_of = |n: u16| map.region(map.find(n).expect("a region")).near.len();
    // Bilbao lies at the northern edge: what is beyond does not exist.
    assert!(part_of(514) <= whole_of(514) && part_of(501) == whole_of(501));
    assert!(map.part(&[1, 8]).len() == 150 && !map.part(&[1, 8]).is_connected());
}

#[test]
fn a_map_of_ones_own_is_read_and_its_faults_are_told() {
    let text = "name = \"x\"\nversion = 1\n[[board]]\nid = 1\nname = \"One\"\n\
                regions = \"\"\"\n101 B 0 0 A\n102 X 0 0 B\n203 B 1 1 C\n\"\"\"\n\
                [links]\nrows = \"\"\"\n101 102\n\"\"\"\n";
    let faults = Map::read(text).expect_err("faults").join("\n");
    assert!(faults.contains("102 X 0 0 B\" is no region"), "{faults}");
    assert!(faults.contains("203 is not of board 1"), "{faults}");
    assert!(faults.contains("101 102\" is no link"), "{faults}");
    assert!(Ground::new(&[9], None).expect_err("no such board")[0].contains("no board 9"));
}
