//! The printout, the map and the short mail.

use crate::Hex;
use engine::report::{
    Align, Block, Cell, Gap, GridMap, GridStyle, HexRows, LastMove, Line, MapKind, MapPicture,
    Piece, SeatColour, Section, Shades, Shape, Side, Span, Symbol, Table, Terrain, Tint, listed,
};
use engine::{Maps, Notice, Printouts, Report, Seat};
use tongue::say;

use super::board::{BLUE, RED, colour, other};
use super::board::{Board, Spot, letter};
use super::headline::why;
use super::orders;
use super::state::{Action, Move, Order, State};
use super::view::View;

impl Printouts for Hex {
    fn notice(view: &View) -> Notice {
        // The player who moves needs the board; the other one only needs to know what was played.
        match view.to_move() == Some(view.seat) || view.state.over.is_some() {
            true => Notice::Full,
            false => Notice::Brief,
        }
    }

    fn brief(view: &View, _: &str) -> Vec<Block> {
        brief(view)
    }

    fn report(view: &View, _: &str) -> Option<Report> {
        Some(report(view))
    }
}

impl Maps for Hex {
    fn atlas(state: &State) -> Option<MapPicture> {
        Some(map(state, None))
    }
}

/// The printout of a seat.
pub fn report(view: &View) -> Report {
    let mut sections = vec![
        section(&position_heading(view), vec![Block::List(position(view))]),
        section(&say!("The board"), vec![map(&view.state, Some(view.seat)).into()]),
    ];
    if !view.state.moves.is_empty() {
        sections.push(section(&say!("Moves so far"), vec![Block::Table(moves(&view.state))]));
    }
    if view.state.over.is_none() {
        sections.push(card(view));
    }
    Report { title: say!("{who} in Hex", who = colour(view.seat)), sections }
}

/// The short mail to the player who waits.
pub fn brief(view: &View) -> Vec<Block> {
    vec![Block::List(position(view))]
}

fn section(heading: &str, blocks: Vec<Block>) -> Section {
    Section { heading: heading.to_owned(), blocks }
}

fn position_heading(view: &View) -> String {
    match view.to_move() {
        None => say!("The end"),
        Some(seat) if seat == view.seat => say!("Your move"),
        Some(_) => say!("The other one's move"),
    }
}

/// The last moves, and who moves next.
fn position(view: &View) -> Vec<Line> {
    let mut lines: Vec<Line> = view.news.iter().map(|m| described(view, m)).collect();
    let (own, rival) = (colour(view.seat), colour(other(view.seat)));
    match (view.state.over, view.to_move()) {
        (Some(end), _) => {
            let why = why(end);
            let text = match end.winner == view.seat {
                true => say!("You have won: {why}."),
                false => say!("You have lost: {why}."),
            };
            lines.push(text.into());
        }
        (None, Some(seat)) if seat == view.seat => {
            let text = match view.state.may_swap() {
                true => say!("You are {own} and to move: PLAY and a place, or SWAP."),
                false => say!("You are {own} and to move: PLAY and a place."),
            };
            lines.push(text.into());
        }
        (None, _) => {
            let text = say!(
                "{rival} is to move: {player}. You are {own}; lines IF prepare answers.",
                player = Gap(0)
            );
            lines.push(Line::filled(&text, [Span::Player(other(view.seat))]));
        }
    }
    lines
}

/// A move in a sentence.
fn described(view: &View, played: &Move) -> Line {
    let own = played.seat == view.seat;
    let who = colour(played.seat);
    let text = match (played.action, played.prepared) {
        (Action::Stone(spot), false) if own => say!("You played {spot}."),
        (Action::Stone(spot), false) => say!("{who} played {spot}."),
        (Action::Stone(spot), true) if own => say!("You played {spot}, a prepared answer."),
        (Action::Stone(spot), true) => say!("{who} played {spot}, a prepared answer."),
        (Action::Swap, _) => {
            let spot = view.state.moves.iter().find_map(|m| match m.action {
                Action::Stone(spot) => Some(spot.mirrored().to_string()),
                _ => None,
            });
            let spot = spot.unwrap_or_default();
            match own {
                true => say!("You swapped: the first stone lies on {spot} now."),
                false => say!("{who} swapped: the first stone lies on {spot} now."),
            }
        }
        (Action::Missed, _) if own => say!("You sent no move in time; the turn went by."),
        (Action::Missed, _) => say!("{who} sent no move in time; the turn went by."),
    };
    text.into()
}

/// All moves, two to a row.
fn moves(state: &State) -> Table {
    let word = |m: &Move| {
        let played = match m.action {
            Action::Stone(spot) => spot.to_string(),
            Action::Swap => "SWAP".to_owned(),
            Action::Missed => return say!("no move"),
        };
        if m.prepared { say!("{played} (prepared)") } else { played }
    };
    let row = |(number, pair): (usize, &[Move])| {
        vec![number.to_string(), word(&pair[0]), pair.get(1).map(word).unwrap_or_default()]
    };
    let rows = (1..).zip(state.moves.chunks(2)).map(row).collect();
    let columns = [
        (say!("No."), Align::Right),
        (colour(RED).into_owned(), Align::Left),
        (colour(BLUE).into_owned(), Align::Left),
    ];
    Table::new(columns, rows)
}

/// The blank card, with the forms of the orders as hints.
fn card(view: &View) -> Section {
    let mut hints = vec![say!("you are {who}", who = colour(view.seat))];
    let topics = orders::help(Some(&view.state)).into_iter();
    // After the second move a swap is no longer possible.
    let topics = topics.filter(|t| t.word != "SWAP" || view.state.moves.len() < 2);
    hints.extend(topics.map(|topic| {
        let or = say!(examples: "or");
        let (form, examples) = (topic.title, topic.examples.join(&format!("   {or}   ")));
        say!("{form:<16} such as  {examples}")
    }));
    section(&say!("Your card"), vec![Block::Card(hints)])
}

/// The terrains: a place of the board, and the cells around it.
const FIELD: u8 = 0;
const AROUND: u8 = 1;
/// Symbols: stones, and letters and numbers along the edges.
const STONES: [u8; 2] = [0, 1];
const LABEL: u8 = 2;

/// The rhombus within the rows of a grid: a rim of labels around it, and each row half a hexagon to
/// the east of the row above.
struct Frame {
    size: usize,
}

impl Frame {
    fn rows(&self) -> usize {
        self.size + 2
    }

    fn columns(&self) -> usize {
        self.size + 2 + self.rows() / 2
    }

    /// Column of the grid for a column of the rhombus, both including the rim.
    fn column(&self, col: usize, row: usize) -> usize {
        col + row / 2
    }

    /// The column of the rhombus, including the rim, for a column of the grid; `None` outside.
    fn inner(&self, column: usize, row: usize) -> Option<usize> {
        column.checked_sub(row / 2).filter(|col| *col < self.size + 2)
    }

    /// Number of a grid's cell for a place of the board.
    fn cell(&self, spot: Spot) -> usize {
        let (col, row) = (usize::from(spot.col) + 1, usize::from(spot.row) + 1);
        row * self.columns() + self.column(col, row)
    }
}

/// The board for `reader`; `None` for the game master.
pub fn map(state: &State, reader: Option<Seat>) -> MapPicture {
    let board = state.board();
    let frame = Frame { size: usize::from(board.size) };
    let newest = state.newest();
    let mut pieces = Vec::new();
    let mut cells = Vec::new();
    for row in 0..frame.rows() {
        for column in 0..frame.columns() {
            let (cell, piece) = match frame.inner(column, row) {
                Some(col) => place(&board, (col, row), cells.len(), (reader, newest)),
                None => (around(None, ""), None),
            };
            pieces.extend(piece);
            cells.push(cell);
        }
    }
    let grid = GridMap {
        style: GridStyle::Board,
        wrap: false,
        hexes: Some(HexRows::Odd),
        // Columns slant, so their labels are in the rim.
        columns: vec![String::new(); frame.columns()],
        rows: vec![String::new(); frame.rows()],
        cells,
        routes: Vec::new(),
    };
    MapPicture {
        terrains: vec![
            Terrain {
                in_legend: false,
                shades: Shades::Same,
                ..Terrain::new("field", &say!("field"), Tint::new(14, 13, 11))
            },
            Terrain {
                in_legend: false,
                shades: Shades::Same,
                ..Terrain::new("around", &say!("around the board"), Tint::new(15, 15, 15))
            },
        ],
        symbols: vec![
            Symbol::new("red", &say!("Red: joins top and bottom"), Shape::Circle),
            Symbol::new("blue", &say!("Blue: joins left and right"), Shape::Diamond),
            Symbol::new("label", &say!("column or row"), Shape::Ruin),
        ],
        colours: vec![
            SeatColour { seat: RED, name: colour(RED).into_owned(), tint: Tint::new(13, 2, 2) },
            SeatColour { seat: BLUE, name: colour(BLUE).into_owned(), tint: Tint::new(2, 4, 13) },
        ],
        pieces,
        last_move: LastMove {
            places: newest.map(|spot| frame.cell(spot)).into_iter().collect(),
            links: Vec::new(),
        },
        square_width: 2,
        legend: [
            (".", say!("free")),
            ("R", say!("Red, who joins top and bottom")),
            ("B", say!("Blue, who joins left and right")),
            ("*", say!("the newest stone")),
        ]
        .map(|(sign, means)| (sign.to_owned(), means))
        .to_vec(),
        words: words(&board, newest),
        ..MapPicture::new(
            "board",
            &say!("Red joins top and bottom, Blue left and right"),
            MapKind::Grid(grid),
        )
    }
}

/// The board after a move of the seat.
pub fn sketch(view: &View, order: Order) -> MapPicture {
    let after = map(&view.after(order), Some(view.seat));
    let title = say!("The board after your move");
    MapPicture { id: "orders".to_owned(), title, ..after }
}

/// A cell around the board, in the colour of a seat's edge, or of no edge.
fn around(edge: Option<Seat>, text: &str) -> Cell {
    let terrain = Some(AROUND);
    Cell { text: vec![text.to_owned()], terrain, holder: edge, ..Cell::default() }
}

/// A cell of the rhombus with its rim, and the piece on it.
fn place(
    board: &Board,
    (col, row): (usize, usize),
    number: usize,
    (reader, newest): (Option<Seat>, Option<Spot>),
) -> (Cell, Option<Piece>) {
    let last = usize::from(board.size) + 1;
    let (in_cols, in_rows) = ((1..last).contains(&col), (1..last).contains(&row));
    // Both are at most the size, which is a `u8`.
    let (c, r) = (col.saturating_sub(1) as u8, row.saturating_sub(1) as u8);
    let label = match (in_cols, in_rows) {
        (true, true) => return field(board, Spot { col: c, row: r }, number, (reader, newest)),
        (true, false) => (RED, letter(c).to_string()),
        (false, true) => (BLUE, row.to_string()),
        // The two blunt corners border on two places each; they continue the top and bottom edges.
        (false, false) if col + row == last => return (around(Some(RED), ""), None),
        (false, false) => return (around(None, ""), None),
    };
    let (edge, text) = label;
    let piece = Piece { code: text.clone(), ..Piece::new(number, LABEL) };
    (around(Some(edge), &text), Some(piece))
}

/// A place of the board. The newest stone has a star in the text map.
fn field(
    board: &Board,
    spot: Spot,
    number: usize,
    (reader, newest): (Option<Seat>, Option<Spot>),
) -> (Cell, Option<Piece>) {
    let stone = board.at(spot);
    let mark = if newest == Some(spot) { "*" } else { "" };
    let sign = match stone {
        None => ".".to_owned(),
        Some(seat) if seat == RED => format!("R{mark}"),
        Some(_) => format!("B{mark}"),
    };
    let cell = Cell { text: vec![sign], terrain: Some(FIELD), ..Cell::default() };
    let piece = stone.map(|seat| Piece {
        holder: Some(seat),
        side: match reader {
            Some(reader) if reader == seat => Side::Own,
            Some(_) => Side::Foreign,
            None => Side::Nobody,
        },
        code: if seat == RED { "R" } else { "B" }.to_owned(),
        name: spot.to_string(),
        ..Piece::new(number, STONES[usize::from(seat == BLUE)])
    });
    (cell, piece)
}

/// The board in words, for those who can't see it.
fn words(board: &Board, newest: Option<Spot>) -> Vec<Line> {
    let of = |seat: Seat| -> Vec<String> {
        board.spots().filter(|s| board.at(*s) == Some(seat)).map(|s| s.to_string()).collect()
    };
    let mut lines = listed(&say!("Red stones"), &of(RED));
    lines.extend(listed(&say!("Blue stones"), &of(BLUE)));
    lines.extend(newest.map(|spot| Line::from(say!("Newest stone: {spot}"))));
    if lines.is_empty() {
        lines.push(say!("The board is empty.").into());
    }
    lines
}
