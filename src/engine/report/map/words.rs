//! A map in words, for those who can't see it: rows, places, pieces, links.

use tongue::say;

use super::{Cell, MapKind, MapPicture, Piece};
use crate::report::{Line, listed};

impl MapPicture {
    /// A line for each word, with the places that it describes; words are in the order in which
    /// they first occur. Places without a word are left out.
    pub fn places_in_words(&self, word: impl Fn(&Cell) -> String) -> Vec<Line> {
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for (place, cell) in self.cells().enumerate() {
            let (word, name) = (word(cell), self.place_name(place));
            match groups.iter_mut().find(|g| g.0 == word) {
                _ if word.is_empty() => {}
                Some(group) => group.1.push(name),
                None => groups.push((word, vec![name])),
            }
        }
        groups.iter().flat_map(|(word, names)| listed(word, names)).collect()
    }

    /// A line for each place with pieces, which lists them. Pieces without a word are left out.
    pub fn pieces_in_words(&self, word: impl Fn(&Piece) -> String) -> Vec<Line> {
        let mut order: Vec<&Piece> = self.pieces.iter().collect();
        order.sort_by_key(|p| p.at);
        let places = order.chunk_by(|a, b| a.at == b.at);
        let told = |pieces: &[&Piece]| {
            let words = pieces.iter().map(|p| word(p)).filter(|w| !w.is_empty());
            listed(&self.place_name(pieces[0].at), &words.collect::<Vec<_>>())
        };
        places.flat_map(told).collect()
    }

    /// For a graph, a line for each node that has links to later nodes, with those nodes.
    pub fn links_in_words(&self) -> Vec<Line> {
        let MapKind::Graph(graph) = &self.kind else { return Vec::new() };
        let of = |node: usize| {
            let ends = graph.links.iter().filter_map(move |l| match (l.from, l.to) {
                (a, b) if a.min(b) == node => Some(a.max(b)),
                _ => None,
            });
            let names: Vec<String> = ends.map(|end| self.place_name(end)).collect();
            listed(&say!("{place} borders on", place = self.place_name(node)), &names)
        };
        (0..graph.nodes.len()).flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Graph, Link, Node, NodeForm, Shape, Symbol, Terrain, Tint};

    fn cell(terrain: u8) -> Cell {
        Cell { terrain: Some(terrain), ..Cell::default() }
    }

    fn node(name: &str, terrain: u8) -> Node {
        let (id, name) = (name.to_lowercase(), name.to_owned());
        Node { id, name, at: (0, 0), form: NodeForm::Box, cell: cell(terrain) }
    }

    fn plain(lines: &[Line]) -> Vec<String> {
        let text = |l: &Line| l.0.iter().map(|s| format!("{s:?}")).collect::<String>();
        lines.iter().map(|l| text(l).replace("Plain(", "").replace(['"', ')'], "")).collect()
    }

    #[test]
    fn a_graph_is_told_by_places_pieces_and_links() {
        let nodes = vec![node("Ada", 0), node("Bex", 1), node("Cyr", 0)];
        let links = vec![Link { from: 0, to: 1 }, Link { from: 2, to: 0 }];
        let graph = Graph {
            size: (1, 1),
            nodes,
            links,
            reach: None,
            arrows: Vec::new(),
            arrow: String::new(),
            earth: None,
        };
        let mut map = MapPicture::new("map", "", MapKind::Graph(graph));
        map.terrains = ["plain", "void"].map(|t| Terrain::new(t, t, Tint::new(9, 9, 20))).to_vec();
        map.symbols = vec![Symbol::new("fleet", "fleet", Shape::Ship)];
        map.pieces = vec![Piece { size: 3, ..Piece::new(2, 0) }];
        let terrain = |c: &Cell| map.terrain(c).map_or(String::new(), |t| t.name.clone());
        assert_eq!(plain(&map.places_in_words(terrain)), ["plain: Ada, Cyr", "void: Bex"]);
        let word = |p: &Piece| format!("{} of {}", map.symbol(p).expect("given").name, p.size);
        assert_eq!(plain(&map.pieces_in_words(word)), ["Cyr: fleet of 3"]);
        assert_eq!(plain(&map.links_in_words()), ["Ada borders on: Bex, Cyr"]);
        assert_eq!(map.terrains[0].tint.channels(), [9, 9, 15], "no channel is beyond 15");
    }
}
