//! The rules in words, with the figures of the game.

use crate::view::View;
use crate::{EmpireDeluxe, primer};
use engine::report::{Align, Block, Table};
use engine::{Books, Primer, Section};

use super::combat::{self, Attacker, Target};
use super::forecast::tenths;
use super::ground::Terrain;
use super::kinds::{Class, Edition, Kind};
use super::orders::ROWS;
use super::stage::State;
use super::tables::{Options, Order};

impl Books for EmpireDeluxe {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        rulebook(state)
    }
}

/// The rulebook of a game.
pub fn rulebook(state: &State) -> Vec<Section> {
    let options = &state.world.options;
    let mut book = Vec::new();
    let mut chapter = |heading: &str, texts: Vec<String>, table: Option<Table>| {
        let mut blocks: Vec<Block> = texts.into_iter().map(|t| Block::Para(t.into())).collect();
        blocks.extend(table.map(Block::Table));
        book.push(Section { heading: heading.to_owned(), blocks });
    };
    chapter("1. The game in short", short(state), None);
    chapter("2. The map", map(state), None);
    chapter("3. Units", kinds(options), Some(figures(options)));
    chapter("4. Turns", turns(options), None);
    chapter("5. Movement", movement(options), None);
    chapter("6. Carrying", carrying(options), None);
    chapter("7. Sighting", sighting(options), None);
    chapter("8. Fights", fights(options), Some(odds(options)));
    chapter("9. Cities", cities(options), None);
    chapter("10. Damage and repair", damage(options), None);
    chapter("11. Production", production(options), None);
    if options.advanced() {
        chapter("12. Airbases", airbases(), None);
    }
    chapter("13. Leaving and the end", end(options), None);
    chapter("14. Orders", vec![orders_text()], Some(orders()));
    book
}

fn short(state: &State) -> Vec<String> {
    let options = &state.world.options;
    let edition = options.edition.word();
    let seats = state.world.sides.len();
    let seen = match options.edition {
        Edition::Basic => "Everybody sees everything.",
        _ => "A player sees what units and cities see, and remembers the rest.",
    };
    vec![format!(
        "{seats} players begin with one city each on a world of islands ({edition} edition). Cities \
         build units, units explore and take cities, and whoever is left last has won. {seen} \
         There are no treaties, no draws and no last turn."
    )]
}

fn map(state: &State) -> Vec<String> {
    let options = &state.world.options;
    let (wide, high) = (state.world.ground.grid.cols, state.world.ground.grid.rows);
    let edges = match options.wrap {
        true => "Its left edge joins the right one; nothing goes beyond the top and the bottom.",
        false => "Nothing goes beyond its edges.",
    };
    let mut texts = vec![format!(
        "The map has {wide} columns and {high} rows of squares, each with eight neighbours. A square \
         is written column, row: 23,9. {edges} Distance is the larger of columns and rows."
    )];
    texts.push(match options.advanced() {
        false => {
            "Land carries land units, water carries ships, aircraft go anywhere; a city takes \
                  all kinds of its owner, any number of them."
                .to_owned()
        }
        true => "Land carries land units, water carries ships, aircraft go anywhere; a city takes \
                 all kinds of its owner. Rough land, rivers and forests end the turn of Armor that \
                 enters them; mountains keep it out. Land units in forests and mountains defend at \
                 double strength, in rivers against land units alone."
            .to_owned(),
    });
    texts
}

fn kinds(options: &Options) -> Vec<String> {
    let foot = options.edition.foot().name();
    vec![format!(
        "Units are numbered for each player from 1; a number is never used again. Ships are built \
         only where water is next to the city. A captured city begins with {foot}, or what PD says if \
         it can be built there. \
         Attack and defense are chances of a hit, shot is the damage of one, hits is what a unit \
         stands, turns is what the first one takes."
    )]
}

fn figures(options: &Options) -> Table {
    let rows = options.kinds.iter().map(|(kind, f)| {
        let dash = |n: u32| if n == 0 { "–".to_owned() } else { n.to_string() };
        vec![
            kind.code().to_owned(),
            kind.name().to_owned(),
            dash(f.moves.into()),
            dash(f.range.into()),
            f.damage.to_string(),
            dash(f.attack.into()),
            f.defense.to_string(),
            f.shot.to_string(),
            dash(f.turns),
            f.sight.to_string(),
        ]
    });
    let right = |name: &'static str| (name, Align::Right);
    let columns = [
        ("Code", Align::Left),
        ("Unit", Align::Left),
        right("Move"),
        right("Range"),
        right("Hits"),
        right("Attack"),
        right("Defense"),
        right("Shot"),
        right("Turns"),
        right("Sight"),
    ];
    Table::new(columns, rows.collect())
}

fn turns(options: &Options) -> Vec<String> {
    let parts = match options.parts {
        0 | 1 => String::new(),
        parts => format!(
            " A card that ends with MORE is run at once and answered, and the turn goes on, in up to \
             {parts} parts."
        ),
    };
    let mut texts = vec![match options.order {
        Order::Sequential => format!(
            "One player after the other has a turn. It begins with production; then units carry out \
             their orders: those that the card names first, in its order, then the others by number. \
             Who is blocked tries once more at the end.{parts}"
        ),
        Order::Simultaneous => {
            let most = options.kinds.values().map(|f| f.moves).max().unwrap_or(1);
            format!(
                "All play at once. A turn begins with production for everybody and has {most} \
                 impulses. A unit acts in as many of them as it has steps, evenly spread: the fast \
                 one before the slow one. In each impulse the players act in an order that is drawn \
                 by lot."
            )
        }
    }];
    if options.sitting {
        let most = options.turn.sitting;
        texts.push(format!(
            "As long as no two players can meet, a card is for several turns, {most} at most. Orders \
             begin in the first of them, and queues go on. The number is the same for all. It is the \
             distance between the two nearest players, less what they see, by the steps of their \
             fastest units; so it tells all how near those two are."
        ));
    }
    texts.push(
        "Orders of units are kept until they are done, replaced or ended, also when a card is \
         missed; cities go on building."
            .to_owned(),
    );
    texts
}

fn movement(options: &Options) -> Vec<String> {
    let mut texts = vec![
        "A step goes to one of the eight squares around. No unit enters a square on which a unit of \
         the same player stands, but for its own cities and for carriers that it boards; aircraft \
         fly over their own units and do not stop there. A step into an enemy, or into a city of \
         others, is an attack. Who has won and has steps left goes on."
            .to_owned(),
    ];
    let flies: Vec<String> = options
        .kinds
        .iter()
        .filter(|(k, _)| k.class() == Class::Air)
        .map(|(k, f)| format!("{} {} steps with {}", k.name(), f.moves, f.range))
        .collect();
    if !flies.is_empty() {
        texts.push(format!(
            "Aircraft use up their whole move each turn, ordered or not ({} of fuel). Landing fills \
             the tank and ends the turn. Without fuel away from a base they crash. A step from which \
             no base can be reached any more is taken with ! alone: without it they turn back.",
            flies.join(", ")
        ));
    }
    texts
}

fn carrying(options: &Options) -> Vec<String> {
    let t = options.cargo.transport;
    let mut texts = vec![format!(
        "A Transport has {} places for land units, {} fewer for each point of damage{}. They step \
         onto it and off it; at sea they can do nothing else. A Transport that leaves a city takes \
         along who waits there: units without orders first, then sentries, then others; garrisons (S \
         with !) and those whom the same card tells something else stay; Q limits it. Cargo that is \
         told to go somewhere leaves it where it was sent, not before. In the city that it was sent to it unloads by itself.",
        t.places,
        t.lost,
        if options.advanced() { "; Armor takes two" } else { "" },
    )];
    if options.figure(Kind::Ca).is_some() {
        let c = options.cargo.carrier;
        texts.push(format!(
            "A Carrier takes {} Fighters, {} fewer for each point of damage. They refuel there.",
            c.places, c.lost
        ));
    }
    texts.push(
        "Only the carrier fights. When it is lost, all aboard are; when it has too few places left, \
         those who boarded last are lost."
            .to_owned(),
    );
    texts
}

fn sighting(options: &Options) -> Vec<String> {
    if options.edition == Edition::Basic {
        return vec!["Everybody sees all squares, cities and units at all times.".to_owned()];
    }
    let city = options.city.sight;
    let mut texts = vec![format!(
        "Units see as far as the table says, cities {city}. Ground that was seen is remembered. An \
         enemy out of sight stays on the map where it was seen last for {} turns, or until the \
         square is seen without it. A city is remembered with the owner that it had.",
        options.turn.marks
    )];
    if options.advanced() {
        texts.push("Aircraft are seen from two squares by all but Submarines.".to_owned());
    }
    texts.push(format!(
        "A Submarine is seen from {} of a city and from next to it by Destroyers, Submarines and \
         Cruisers alone, and leaves no mark. It sees ground, cities and ships, and neither land \
         units nor aircraft. Whoever runs into one that it did not see attacks it.",
        match options.city.sees_submarines {
            1 => "1 square".to_owned(),
            n => format!("{n} squares"),
        }
    ));
    texts
}

fn fights(options: &Options) -> Vec<String> {
    let mut texts = vec![
        "A fight has rounds until one is dead. In each, one of the two hits: the attacker with the \
         chance attack by attack and defense of the other. A hit costs as many points as the shot \
         of who hit. The winner keeps its damage and goes into the square if its kind can; there is \
         no retreat. The table has the attacker's chances in percent, both whole, on clear land."
            .to_owned(),
        "Land units attack land units, aircraft over land, ships from the shore but no Submarine, \
         and take cities. Ships attack ships, and aircraft over water; Cruisers and Battleships \
         also bombard land units next to them, which then defend at half. Aircraft attack all \
         units. Who is in a city or aboard can't be attacked."
            .to_owned(),
    ];
    if options.advanced() {
        texts.push(
            "Crippled units attack at half. Ships but Carriers attack aircraft at half, Bombers \
             Fighters too, and a Bomber defends at half against a Fighter."
                .to_owned(),
        );
    }
    texts
}

/// Chances of each kind against each other, as they are computed in a fight.
fn odds(options: &Options) -> Table {
    let targets: Vec<Kind> = options.kinds.keys().copied().collect();
    let cell = |kind: Kind, target: Target, on: Terrain| -> String {
        let from = if kind.class() == Class::Sea { Terrain::Water } else { Terrain::Clear };
        let attacker = Attacker { kind, damage: 0, on: from };
        match combat::may_attack(options, attacker, target, on) {
            Ok(()) => tenths(combat::fight(options, attacker, target, on).odds().per_mille()),
            Err(_) => "–".to_owned(),
        }
    };
    let row = |kind: &Kind| {
        let ground = |target: &Kind| match (target.class(), kind.class()) {
            (Class::Sea, _) | (Class::Air, Class::Sea) => Terrain::Water,
            _ => Terrain::Clear,
        };
        let against = |t: &Kind| cell(*kind, Target::Unit(*t, 0), ground(t));
        let neutral = kind.class() == Class::Land;
        let city = cell(*kind, Target::City { neutral, held: 0 }, Terrain::City);
        let cells = [kind.code().to_owned()].into_iter().chain(targets.iter().map(against));
        cells.chain([city]).collect::<Vec<_>>()
    };
    let attackers = targets.iter().filter(|k| options.figure(**k).is_some_and(|f| f.attack > 0));
    let columns = [("", Align::Left)]
        .into_iter()
        .chain(targets.iter().map(|k| (k.code(), Align::Right)))
        .chain([("City", Align::Right)]);
    Table::new(columns, attackers.map(row).collect())
}

fn cities(options: &Options) -> Vec<String> {
    let mut texts = vec![
        "Only land units take cities, by moving in. Who loses is dead; who wins is used up as the \
         garrison, the city is the winner's, and every unit inside is destroyed. Units inside do not \
         help it."
            .to_owned(),
    ];
    if options.advanced() {
        texts.push(
            "Armor that takes a city leaves an Infantry there. Each attack of a land unit that a free \
             city has held makes the next one easier."
                .to_owned(),
        );
        texts.push(format!(
            "Fighters and Bombers bomb enemy cities. Who loses is dead. Who wins stays in its square, \
             and either the work of the city on its unit is lost, or one unit inside by lot. A \
             Bomber's hit leaves {} % of the city's efficiency.",
            options.efficiency.bombed
        ));
    }
    texts
}

fn damage(options: &Options) -> Vec<String> {
    let half = if options.advanced() { ", and attacks at half" } else { "" };
    vec![
        format!(
            "A unit with damage of half its hits or more is crippled: it has one step a turn{half}. \
             A crippled attacker is done for the turn."
        ),
        "A full turn in a city of yours repairs one point. A unit that is sent back with R stays until \
         it is whole."
            .to_owned(),
    ]
}

fn production(options: &Options) -> Vec<String> {
    let mut texts = vec![
        "A city builds one unit at a time. A list (P 3 AR AR TR) is built in its order, and the last \
         one again and again. Another kind than the one that is being built scraps its work."
            .to_owned(),
    ];
    if options.edition != Edition::Basic {
        texts.push(
            "The same kind again, with nothing else ordered between, takes one sixth less."
                .to_owned(),
        );
    }
    if options.advanced() {
        let e = options.efficiency;
        texts.push(format!(
            "A city has an efficiency, in percent; at half of it everything takes twice as long. One \
             city in {} is specialised: {} % of the time for its kind, {} % for all others. A city \
             that builds nothing gains 1 % in one turn, more slowly above 104 %, up to {} %.",
            e.specialised, e.fast, e.slow, e.improved
        ));
        texts.push(format!(
            "More than {} units a city cost all of a player's cities: production runs at {} × cities \
             by units, not below {} %.",
            e.crowded, e.crowded, e.floor
        ));
    }
    if options.handicaps.iter().any(|h| *h != 100) {
        let all: Vec<String> = options.handicaps.iter().map(|h| format!("{h} %")).collect();
        texts.push(format!("Handicap: production runs at {}.", all.join(", ")));
    }
    texts
}

fn airbases() -> Vec<String> {
    vec![
        "Infantry on land that has not moved becomes an airbase with U: it stays for ever, defends as \
         Infantry, sees two squares, takes any number of aircraft and refuels them. When it is lost, \
         all on it are."
            .to_owned(),
    ]
}

fn end(options: &Options) -> Vec<String> {
    let hours = options.turn_hours;
    let letters = match options.press {
        true => "Players write to each other with PRESS; what is agreed binds nobody.",
        false => "There are no letters in this game.",
    };
    vec![
        "X RESIGN YES gives up: the units are gone, the cities are nobody's. X ABDICATE YES lets a \
         computer play on. Whoever has no city and no unit at the end of a turn is out. Who is left \
         alone has won; the others stand in the order in which they left. When only computers are \
         left, the game ends without a winner. At the end everybody sees everything."
            .to_owned(),
        "A computer gives up when it knows of an enemy with many more cities: in a duel from turn 120 \
         on with more than twice its own, from turn 240 on with half as many again, from turn 285 on \
         with as many. Where more are left it holds out longer at first."
            .to_owned(),
        format!(
            "A card that ends with CLOSE is played as soon as nobody else is awaited, another one when \
             its {hours} hours are over. Without a card units do what they were told before. {letters}"
        ),
    ]
}

fn orders_text() -> String {
    "Units are numbers, 13-16, 3+5+9, ALL, ALL AR, ALL AR AT 3 (a city or a square), ALL ABOARD 5 (a \
     carrier) or ALL FRONT 1 (a group of the list of units). THEN, or > within a line, adds a step that follows; \" / \" begins another order. ! goes on although \
     enemies appear, and accepts a flight without return; ? stops at the first enemy; * attacks at \
     even chances or better."
        .to_owned()
}

fn orders() -> Table {
    let rows = ROWS.iter().map(|r| vec![r.form.to_owned(), r.text.to_owned()]).collect();
    Table::new([("Order", Align::Left), ("What it does", Align::Left)], rows)
}
