//! Small worlds drawn as text, so that a test reads like a story.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use engine::geometry::{Grid, Place};
use engine::report::{Block, Cell};
use engine::{
    BySeat, CardText, Cards, Dice, Input, JudgedLine, Judgement, Mark, Printouts, Rules, Seat, Sits,
};
use render::{filled, text};
use warlord::Warlord;
use warlord::bases::Planes;
use warlord::events::{Event, Happening};
use warlord::orders::sector_no;
use warlord::state::{Billet, City, General, Power, State, Unit};
use warlord::tables::{Tables, Terrain};
use warlord::view::View;
use warlord::works::Site;
use warlord::world::World;

pub use warlord::state::{
    ARTILLERY, CRUISER, DESTROYER, ENGINEER, FIGHTER, INFANTRY, TANK, TRANSPORT, TRUCK,
};

/// A step's input in which a person plays every seat.
pub fn input(cards: &BySeat<CardText>) -> Input<'_> {
    static EVERYBODY: BySeat<Sits> = BySeat::new();
    Input { cards, seats: &EVERYBODY }
}

/// A drawn game and what happened in its last turn.
///
/// Signs are those of `terrain.toml`; a capital letter is a named spot on open
/// ground. All ground is explored by everybody unless a test says otherwise.
#[derive(Clone)]
pub struct Board {
    /// The game.
    pub state: State,
    /// The events of the last turn.
    pub events: Vec<Happening>,
    spots: BTreeMap<char, Place>,
}

impl Board {
    /// A world that is as large as its drawing.
    pub fn new(seats: u8, drawing: &str) -> Self {
        let rows: Vec<&str> = lines(drawing);
        let size = (rows[0].chars().count() as u16, rows.len() as u16);
        Self::drawn_at(seats, size, (1, 1), drawing)
    }

    /// A drawing whose north-western sector has the given column and row on a
    /// map of the given size; the rest of the map is sea.
    pub fn drawn_at(
        seats: u8,
        (cols, rows): (u16, u16),
        (left, top): (u16, u16),
        drawing: &str,
    ) -> Self {
        let grid = Grid::globe(cols, rows);
        let tables = Tables::embedded();
        let mut terrain = vec![Terrain::Sea as u8; grid.len()];
        let mut spots = BTreeMap::new();
        for (row, line) in (i32::from(top) - 1..).zip(lines(drawing)) {
            for (col, sign) in (i32::from(left) - 1..).zip(line.chars()) {
                let place = grid.at(col, row).expect("the drawing lies on the map");
                let ground = match sign.is_ascii_uppercase() {
                    true => Terrain::Open,
                    false => ground(&tables, sign),
                };
                terrain[usize::from(place.0)] = ground as u8;
                if sign.is_ascii_uppercase() {
                    let twice = spots.insert(sign, place);
                    assert_eq!(twice, None, "spot {sign} is drawn once");
                }
            }
        }
        let power = |seat| Power {
            seat,
            tech: 1,
            explored: vec![0xff; grid.len().div_ceil(8)],
            ..Power::default()
        };
        let world = World { grid, terrain, cities: Vec::new(), ruins: Vec::new() };
        let state = State {
            tables: Arc::new(tables),
            turn: 1,
            ruin_finds: Vec::new(),
            works: BTreeMap::new(),
            fallout: BTreeMap::new(),
            razed: BTreeSet::new(),
            coalitions: Vec::new(),
            over: None,
            world: Arc::new(world),
            control: vec![0; grid.len()],
            powers: (0..=seats).map(power).collect(),
        };
        Self { state, events: Vec::new(), spots }
    }

    // ---- building

    /// Founds a city with income 3 and no defence levels. Numbers left out below
    /// it become empty uncontrolled cities in the north-western corner.
    pub fn city(mut self, number: u16, seat: u8, spot: char) -> Self {
        while self.state.world.cities.len() + 1 < usize::from(number) {
            let gap = self.state.world.cities.len() as u16 + 1;
            self = self.found(gap, 0, Place(0));
        }
        let at = self.spot(spot);
        self.found(number, seat, at)
    }

    fn found(mut self, number: u16, seat: u8, at: Place) -> Self {
        let world = Arc::make_mut(&mut self.state.world);
        assert_eq!(world.cities.len() + 1, usize::from(number), "cities come by number");
        world.cities.push(at);
        let city = City {
            base_name: format!("BASE {number}"),
            ..City::new(at, format!("CITY {number}"), 3, 0)
        };
        self.power_mut(seat).cities.insert(number, city);
        self.state.control[usize::from(at.0)] = seat;
        self
    }

    /// Places a Novice unit.
    pub fn unit(mut self, seat: u8, no: u16, (size, kind): (u16, u8), spot: char) -> Self {
        let at = self.spot(spot);
        let unit = Unit { kind, at, size, rank: 0, aboard: None, goal: None };
        let tables = Arc::clone(&self.state.tables);
        let power = self.power_mut(seat);
        let twice = power.units.insert(no, unit);
        power.deck(&tables, no);
        assert_eq!(twice, None, "unit {no} is placed once");
        self
    }

    /// Places a unit aboard a flotilla that is there already.
    pub fn cargo(mut self, seat: u8, no: u16, force: (u16, u8), ship: u16) -> Self {
        let at = self.state.powers[usize::from(seat)].units[&ship].at;
        let (size, kind) = force;
        let unit = Unit { kind, at, size, rank: 0, aboard: Some(ship), goal: None };
        self.power_mut(seat).units.insert(no, unit);
        self
    }

    /// Adds a general.
    pub fn general(mut self, seat: u8, skill: u8, billet: Billet) -> Self {
        let general = General { name: String::new(), skill, gained: 0, billet: Some(billet) };
        self.power_mut(seat).generals.push(general);
        self
    }

    /// Gives a stock of whole production points.
    pub fn stock(mut self, seat: u8, pp: i64) -> Self {
        self.power_mut(seat).stock = pp * 100;
        self
    }

    /// Lets a seat regard another as its ally.
    pub fn ally(mut self, seat: u8, other: u8) -> Self {
        self.power_mut(seat).allies.insert(other);
        self
    }

    /// Gives named sectors to a seat.
    pub fn held(mut self, seat: u8, spots: &str) -> Self {
        for spot in spots.chars() {
            let at = self.spot(spot);
            self.state.control[usize::from(at.0)] = seat;
        }
        self
    }

    /// Changes the ground of a named spot.
    pub fn ground(mut self, spot: char, terrain: Terrain) -> Self {
        let at = self.spot(spot);
        Arc::make_mut(&mut self.state.world).terrain[usize::from(at.0)] = terrain as u8;
        self
    }

    /// Gives a unit a rank.
    pub fn rank(mut self, seat: u8, no: u16, rank: u8) -> Self {
        self.power_mut(seat).units.get_mut(&no).expect("the unit is placed").rank = rank;
        self
    }

    /// Gives an airbase planes.
    pub fn planes(mut self, number: u16, fighters: u16, bombers: u16) -> Self {
        self.city_mut(number).hangar.planes = Planes { fighters, bombers, jets: 0 };
        self
    }

    /// Gives an airbase planes of all types, missiles and warheads.
    pub fn arsenal(mut self, number: u16, planes: Planes, missiles: u16, warheads: u16) -> Self {
        let hangar = &mut self.city_mut(number).hangar;
        (hangar.planes, hangar.missiles, hangar.warheads) = (planes, missiles, warheads);
        self
    }

    /// Gives a city a missile defence.
    pub fn shield(mut self, number: u16) -> Self {
        self.city_mut(number).shield = true;
        self
    }

    /// Fills the deck of a carrier or the tubes of a submarine.
    pub fn deck(mut self, seat: u8, no: u16, planes: Planes, missiles: u16) -> Self {
        let deck = self.power_mut(seat).decks.get_mut(&no).expect("the unit has a deck");
        (deck.planes, deck.missiles) = (planes, missiles);
        self
    }

    /// Puts ruins on a named spot.
    pub fn ruins(mut self, spot: char) -> Self {
        let at = self.spot(spot);
        Arc::make_mut(&mut self.state.world).ruins.push(at);
        self.state.ruin_finds.push(0);
        self
    }

    /// Gives a seat a tech level.
    pub fn tech(mut self, seat: u8, level: u8) -> Self {
        self.power_mut(seat).tech = level;
        self
    }

    /// Sets the turn whose orders are collected.
    pub fn turn(mut self, turn: u32) -> Self {
        self.state.turn = turn;
        self
    }

    /// Gives a city defence levels.
    pub fn level(mut self, number: u16, level: u8) -> Self {
        self.city_mut(number).level = level;
        self
    }

    /// A city, whoever holds it.
    pub fn city_mut(&mut self, number: u16) -> &mut City {
        let mut powers = self.state.powers.iter_mut();
        powers.find_map(|p| p.cities.get_mut(&number)).expect("the city is founded")
    }

    fn power_mut(&mut self, seat: u8) -> &mut Power {
        &mut self.state.powers[usize::from(seat)]
    }

    // ---- playing

    /// Plays a turn with middling luck; a fraction of a regiment below one half
    /// survives.
    pub fn play(&mut self, cards: &[(u8, &str)]) {
        self.play_with(cards, 500);
    }

    /// Plays a turn with middling luck; a chance succeeds when it is above the given per-mille.
    pub fn play_with(&mut self, cards: &[(u8, &str)], per_mille: u32) {
        self.roll(cards, &mut Dice::middling(per_mille));
    }

    /// Plays a turn with the given dice.
    pub fn roll(&mut self, cards: &[(u8, &str)], dice: &mut Dice) {
        let cards: BySeat<CardText> =
            cards.iter().map(|(seat, text)| (Seat(*seat), CardText::new(text))).collect();
        let done = Warlord::step(self.state.clone(), &input(&cards), dice);
        (self.state, self.events) = (done.state, done.events);
    }

    /// The view of a seat.
    pub fn view(&self, seat: u8) -> View {
        Warlord::view(&self.state, &self.events, Seat(seat))
    }

    /// The echo of a card.
    pub fn judge(&self, seat: u8, card: &str) -> Judgement {
        Warlord::judge(&self.view(seat), &CardText::new(card), 0)
    }

    /// The echo of a card's last line.
    pub fn echo(&self, seat: u8, card: &str) -> JudgedLine {
        self.judge(seat, card).lines.pop().expect("the card has a line")
    }

    // ---- looking

    /// A power.
    pub fn power(&self, seat: u8) -> &Power {
        &self.state.powers[usize::from(seat)]
    }

    /// A unit that lives.
    pub fn no(&self, seat: u8, no: u16) -> &Unit {
        self.power(seat).units.get(&no).expect("the unit lives")
    }

    /// Whether a unit lives.
    pub fn lives(&self, seat: u8, no: u16) -> bool {
        self.power(seat).units.contains_key(&no)
    }

    /// A city of a seat.
    pub fn town(&self, seat: u8, number: u16) -> &City {
        self.power(seat).cities.get(&number).expect("the seat holds the city")
    }

    /// The site at a named sector: everything besides ground, units and cities.
    pub fn site(&self, spot: char) -> Site {
        self.state.site(self.spot(spot))
    }

    /// A named sector.
    pub fn spot(&self, spot: char) -> Place {
        *self.spots.get(&spot).expect("the spot is drawn")
    }

    /// The five digits of a named sector.
    pub fn sector(&self, spot: char) -> String {
        sector_no(self.state.grid(), self.spot(spot))
    }

    /// The five digits of a unit's sector.
    pub fn where_is(&self, seat: u8, no: u16) -> String {
        sector_no(self.state.grid(), self.no(seat, no).at)
    }

    /// Whether a unit stands on a named sector.
    pub fn stands(&self, seat: u8, no: u16, spot: char) -> bool {
        self.no(seat, no).at == self.spot(spot)
    }

    /// Who controls a named sector.
    pub fn holder(&self, spot: char) -> u8 {
        self.state.control[usize::from(self.spot(spot).0)]
    }

    /// The events in a seat's printout.
    pub fn heard(&self, seat: u8) -> impl Iterator<Item = &Event> {
        self.events.iter().filter(move |h| h.to.contains(&seat)).map(|h| &h.event)
    }

    /// Mark and note of a card line in the printout.
    pub fn result(&self, seat: u8, wanted: u32) -> (Mark, String) {
        let line = self.heard(seat).find_map(|event| match event {
            Event::Line { line, mark, note, .. } if *line == wanted => {
                Some((Mark::of(*mark), note.to_string()))
            }
            _ => None,
        });
        line.expect("the line is answered")
    }

    /// One section of a seat's printout as text; addresses read `<n>`.
    pub fn section(&self, seat: u8, heading: &str) -> String {
        let report = Warlord::report(&self.view(seat), "").expect("the seat plays");
        let found = report.sections.iter().find(|s| s.heading == heading);
        let section = found.expect("the printout has the section").clone();
        // A no-break space counts as a blank.
        text::sections(&filled(&[section], &|span| address(span))).replace('\u{a0}', " ")
    }

    /// The strategic map's square of a named sector.
    pub fn chart(&self, seat: u8, spot: char) -> Cell {
        let number = self.sector(spot);
        let report = Warlord::report(&self.view(seat), "").expect("the seat plays");
        let sections = report.sections.into_iter().filter(|s| s.heading == "Strategic map");
        let block = sections.flat_map(|s| s.blocks).next().expect("the printout has the map");
        let Block::Map(map) = block else { panic!("the strategic map is a map") };
        let map = map.grid().expect("squares");
        let col = map.columns.iter().position(|c| number.starts_with(c.as_str()));
        let row = map.rows.iter().position(|r| number.ends_with(r.as_str()));
        let (col, row) = (col.expect("the column is known"), row.expect("the row is known"));
        map.cells[row * map.columns.len() + col].clone()
    }
}

fn lines(drawing: &str) -> Vec<&str> {
    drawing.lines().map(str::trim).filter(|l| !l.is_empty()).collect()
}

fn ground(tables: &Tables, sign: char) -> Terrain {
    let index = tables.terrain.iter().position(|t| t.sign == sign.to_string());
    Terrain::ALL[index.expect("the sign is one of terrain.toml")]
}

/// Addresses as the tests show them.
fn address(span: &engine::report::Span) -> Option<engine::report::Span> {
    use engine::report::Span;
    match span {
        Span::Address(seat) => Some(Span::Chosen(format!("<{seat}>"))),
        _ => None,
    }
}
