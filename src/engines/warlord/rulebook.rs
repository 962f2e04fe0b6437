//! The rulebook for players, in our own words, with the figures and tables of the
//! game's own data files.

use super::desk::{EVERYBODY, NAME_LEN_MAX};
use super::orders::ROWS;
use super::phrases::ranges;
use super::state::{ARTILLERY, BOMBER, FIGHTER, State};
use super::tables::{Class, LevelRow, Tables};
use super::turn::PHASES;
use super::turn::politics::share;
use crate::view::View;
use crate::{Warlord, primer};
use engine::geometry::Direction;
use engine::report::{Align, Block, Line, Section, Table};
use engine::{Books, Primer, Seat};

impl Books for Warlord {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook_for(state: &State, seat: Seat) -> Vec<Section> {
        rulebook(state, state.known_tech(seat))
    }

    fn rulebook(state: &State) -> Vec<Section> {
        let tech = match state.over {
            Some(_) => state.tables.rules.research.tech_max,
            None => state.tables.world.start.tech,
        };
        rulebook(state, tech)
    }
}

/// All chapters, numbered.
pub fn rulebook(state: &State, tech: u8) -> Vec<Section> {
    let t = &*state.tables;
    let chapters: [(&str, Vec<Block>); 16] = [
        ("The game and its turns", turns(state)),
        ("World, sectors and supply", world(state)),
        ("Production", production(t)),
        ("Units", units(t, tech)),
        ("Movement", movement(t)),
        ("Transports", transports(t)),
        ("Combat", combat(t)),
        ("Cities under attack", sieges(t)),
        ("Generals", generals(t)),
        ("Aircraft and bombardment", aircraft(t)),
        ("Sea war", sea(t)),
        ("Spies", spies(t)),
        ("Research and ruins", science(t)),
        ("Alliances, coalitions and victory", victory(t)),
        ("Orders", orders(t, tech)),
        ("Messages and what you learn", messages(t)),
    ];
    let chapter = |(number, (title, blocks)): (usize, (&str, Vec<Block>))| Section {
        heading: format!("{number}. {title}"),
        blocks,
    };
    let mut book: Vec<Section> = (1..).zip(chapters).map(chapter).collect();
    book.extend(levels(t, tech));
    book
}

/// A chapter for each tech level that is known.
fn levels(t: &Tables, tech: u8) -> Vec<Section> {
    let known = t.tech.level.iter().filter(|level| level.tech <= tech);
    let chapter = |(number, level): (usize, &LevelRow)| Section {
        heading: format!("{number}. Tech level {}", level.tech),
        blocks: vec![list(level.teaches.iter().cloned()), Block::Card(level.orders.clone())],
    };
    (17..).zip(known).map(chapter).collect()
}

fn para(text: impl Into<String>) -> Block {
    Block::Para(Line::from(text.into()))
}

fn list(items: impl IntoIterator<Item = String>) -> Block {
    Block::List(items.into_iter().map(Line::from).collect())
}

fn turns(state: &State) -> Vec<Block> {
    let t = &*state.tables;
    let absent = match t.rules.absence.turns {
        0 => "It may take as long as it likes.".to_owned(),
        n => format!(
            "After {n} turns in a row without a card the empire counts as given up, and when nobody \
             else takes it over, from the next turn without a card on each of its cities rebels with \
             a chance of {} in a hundred a turn, and rebel cities build infantry and tanks and march \
             on the nearest city of a player once {} regiments stand ready.",
            t.rules.absence.rebel_percent, t.rules.absence.strike_regiments
        ),
    };
    vec![
        para(format!(
            "{} empires rise on a ruined world. All cards of a turn are worked at the deadline, in \
             the sequence below; then everybody gets a printout. You win as World Leader or as a \
             member of a coalition (chapter 14).",
            state.seats()
        )),
        para(format!(
            "A turn without a card is no disaster: production, advances, transfers of planes, \
             fighters on watch and counter-spying go on, everything else stands still. {absent}"
        )),
        para("The sequence of a turn; numbers are its twelve steps:"),
        list(PHASES.iter().map(|(name, _)| (*name).to_owned())),
    ]
}

fn world(state: &State) -> Vec<Block> {
    let t = &*state.tables;
    let grid = state.grid();
    let directions: Vec<String> =
        Direction::ALL.iter().map(|d| format!("{} {}", d.code(), d.name())).collect();
    let rows = t.terrain.iter().map(|g| {
        let cost = |c: u32| if c == 0 { "closed".to_owned() } else { c.to_string() };
        let (inf, arm) = match g.name.as_str() {
            "sea" => ("ships 1".to_owned(), "ships 1".to_owned()),
            _ => (cost(g.inf), cost(g.arm)),
        };
        vec![
            g.name.clone(),
            g.sign.clone(),
            g.code.clone(),
            inf,
            arm,
            format!("{}.{:02}", g.income / 100, g.income % 100),
            format!("{} %", g.shelter),
        ]
    });
    let columns = vec![
        ("Ground", Align::Left),
        ("Map", Align::Left),
        ("Tactical", Align::Left),
        ("INF", Align::Right),
        ("ARM", Align::Right),
        ("PP", Align::Right),
        ("Defence", Align::Right),
    ];
    vec![
        para(format!(
            "The world has {} columns and {} rows of sectors. It is round from east to west; ice \
             closes it in the north and south. A sector is written with five digits, three for the \
             column and two for the row: 26149, or 261-49. A leading zero may be left out.",
            grid.cols, grid.rows
        )),
        para(format!("Directions: 0 waits a phase, {}.", directions.join(", "))),
        para(format!(
            "There are {} cities, one of them yours at the start, and ruins from before the war. \
             Each city has an airbase of the same number.",
            state.world.cities.len()
        )),
        Block::Table(Table::new(columns, rows.collect())),
        para(
            "INF and ARM are the movement points that entering costs. PP is what a sector of yours \
             pays each turn. Defence is how hard units are to hit there.",
        ),
        para(format!(
            "Land that one of your divisions enters is yours, unless it is an ally's or an enemy \
             stands there. At the end of a turn free land with at least {} neighbours of one empire \
             joins it, all at once.",
            t.rules.economy.claim_neighbours
        )),
        para(
            "A sector pays only when a chain of your own sectors leads from it to one of your \
             cities. Sectors that hang together so are a region; regions that touch become one.",
        ),
    ]
}

fn production(t: &Tables) -> Vec<Block> {
    let e = &t.rules.economy;
    vec![
        para(format!(
            "Production points (PP) pay for everything. A home city yields {} a turn, other cities \
             1 to {}, and sectors in supply what their ground gives. All go into one stock; the \
             income of a turn can be spent in the next.",
            t.world.start.home_income, t.world.uncontrolled.income_max
        )),
        para(format!(
            "A city has {} production centres. C takes the first idle one; without one, a centre \
             that is just ready to start again; else centre 3, and what it had is lost. A finished \
             unit comes at the end of the turn and joins a unit of its type in the city while that \
             has at most {} regiments; the centre then builds the same again, as long as there are \
             PP. Short of PP it waits.",
            e.centres, e.division_max
        )),
        para(
            "PP are deducted for C, I and E in the order of the card, then for centres that start \
             again, by city and centre. 31 to 37 halt centres 1, 2, 3, 1 and 2, 1 and 3, 2 and 3, \
             all; what was spent there is lost, and a C behind it in the card uses such a centre.",
        ),
        para(format!(
            "Defence levels: 21, 22 and 23 build one to three, up to {}. Each takes a centre of its \
             own for a turn and costs {} PP times the level that is there before it, so the first is \
             free. Levels are built once, not in series. Ships are built on the coast only.",
            e.level_max, e.level_cost
        )),
    ]
}

fn units(t: &Tables, tech: u8) -> Vec<Block> {
    let rows = t.units.iter().filter(|u| u.tech <= tech).map(|u| {
        let class = match u.class {
            Class::Arms => "stays",
            Class::Inf => "INF",
            Class::Arm => "ARM",
            Class::Ship => "ship",
            Class::Plane => "plane",
        };
        let size = match (u.class, u.carries) {
            (Class::Inf | Class::Arm, _) => u.size.to_string(),
            (_, 0) => String::new(),
            (_, n) => format!("({n})"),
        };
        let mut row = vec![u.id.to_string(), u.name.clone()];
        row.extend([i64::from(u.turns), u.pp, u.attack, u.defence].map(|n| n.to_string()));
        row.extend([u.points.to_string(), class.to_owned(), size]);
        row
    });
    let columns = vec![
        ("ID", Align::Right),
        ("Unit", Align::Left),
        ("Turns", Align::Right),
        ("PP", Align::Right),
        ("Attack", Align::Right),
        ("Defence", Align::Right),
        ("Move", Align::Right),
        ("Class", Align::Left),
        ("Size", Align::Right),
    ];
    let most = t.rules.economy.division_max;
    vec![
        Block::Table(Table::new(columns, rows.collect())),
        para(
            "Size is the size points of a regiment aboard a transport or in the air; in brackets \
             what one ship carries. Planes move so many sectors one way.",
        ),
        para(format!(
            "A division has 1 to {most} regiments of one type, a flotilla 1 to {most} ships. Two or \
             more in a sector are a corps or a fleet and fight as one. Your units share one row of \
             numbers; a new one takes the lowest that is free.",
        )),
        para(format!(
            "Ranks are Novice, Seasoned, Veteran, Elite (N S V E); each adds {} % to attack. Who \
             destroys an enemy or drives it off rises by one. Linking and new regiments average \
             ranks by regiments.",
            t.rules.combat.rank_bonus_percent
        )),
    ]
}

fn movement(t: &Tables) -> Vec<Block> {
    let m = &t.rules.movement;
    vec![
        para(format!(
            "A turn has {} movement phases. In each the players move in an order that is drawn for \
             it, and a player's units move by number, one sector each.",
            m.phases
        )),
        para(
            "A unit moves until its orders end, its points are spent, the way is closed, or it must \
             retreat; then it moves no more that turn, except in a second retreat. With one point \
             left it may still enter any ground that is open to it.",
        ),
        para(
            "A leads to a sector or in a direction and goes on over the turns. It takes the cheapest \
             way over what you have explored; other ground counts as open, and the way is sought \
             anew where it turns out closed. Before a goal that is closed the advance ends beside \
             it; from aboard it lands beside a foreign city and ends there.",
        ),
        para(
            "M follows its digits exactly, one a phase; 0 waits. With a sector in place of a \
             unit all units there move that have no order of their own and are not aboard.",
        ),
        para(format!(
            "Infantry and trucks that are ordered together by their sector, with at least a truck \
             regiment for each infantry regiment, move {} points in the ARM column.",
            m.truck_speed
        )),
    ]
}

fn transports(t: &Tables) -> Vec<Block> {
    let carries = t.units.iter().filter(|u| u.carries > 0);
    let carries: Vec<String> =
        carries.map(|u| format!("{} {} size points", u.name, u.carries)).collect();
    vec![para(format!(
        "A division that moves into a sea sector with ships of yours goes aboard when it fits ({} a \
         ship); that costs {} point. It sails with them, also in the same phase, and an order to \
         the division takes it ashore again, but not straight into a city that is not yours. In \
         your own port cargo goes ashore by itself at the end of the turn. Units aboard and ships \
         with cargo are neither linked nor split.",
        carries.join(", "),
        t.rules.movement.boarding_cost
    ))]
}

fn combat(t: &Tables) -> Vec<Block> {
    let c = &t.rules.combat;
    let percent = |n: i64| n / 10;
    vec![
        para(format!(
            "At the end of a phase there is battle where enemies share a sector: whoever entered \
             attacks. A player never attacks another listed as an ally, but may be attacked by \
             them. A battle has up to {} rounds.",
            c.rounds_max
        )),
        list([
            "Strength is regiments times attack, with the bonus of ranks and of the best general \
             in range."
                .to_owned(),
            format!(
                "Damage is strength divided by {}, times luck between {} and {} %. Both sides deal \
                 it at once.",
                c.damage_divisor,
                percent(c.luck_low),
                percent(c.luck_high)
            ),
            "Damage divided by defence kills whole regiments, shared out by regiments, the lowest \
             ranks first; the rest of a fraction is drawn."
                .to_owned(),
            format!(
                "The ground shelters the defender (chapter 2), and {} % more for each level of their \
                 own city.",
                c.city_level_shelter_percent
            ),
        ]),
        para(format!(
            "When the attacker is {} times as strong as the defender after a round, the defender \
             retreats to a free neighbouring sector, the own land first, then the lowest direction; \
             without one it is wiped out. An attacker who has neither destroyed nor dislodged the \
             defender after the last round goes back to where it came from.",
            c.dislodge_ratio
        )),
    ]
}

fn sieges(t: &Tables) -> Vec<Block> {
    let c = &t.rules.combat;
    vec![para(format!(
        "All enemy divisions in the sector must be beaten first. Then the survivors fight the city: \
         each level strikes with {} and absorbs {}. At level 0 it falls; a city that stands after \
         {} rounds has held, and the attacker goes back. Production of the loser is lost, half of \
         the planes are captured, the rest destroyed, and the city has level 0.",
        c.city_level_attack, c.city_level_defence, c.rounds_max
    ))]
}

fn generals(t: &Tables) -> Vec<Block> {
    let g = &t.rules.generals;
    vec![
        para(format!(
            "You begin with {} generals of skill 0. In a battle within {} sectors the highest skill \
             among your generals adds so many per cent to your strength, and each general in range \
             gains 1, at most {} a turn and {} in all. P sends one to a unit. If that unit is \
             destroyed the general is lost, and a new one of skill 0, with a name of its own, waits \
             in your home city or your lowest-numbered one; without a city it is lost for good.",
            t.world.start.generals, g.range, g.gain_max_a_turn, g.skill_max
        )),
        para(format!(
            "Each general brings a tactical map of {0} by {0} sectors with types of foreign units.",
            2 * t.rules.sight.general + 1
        )),
    ]
}

fn aircraft(t: &Tables) -> Vec<Block> {
    let a = &t.rules.air;
    let (fighter, bomber) = (t.row(FIGHTER), t.row(BOMBER));
    let flak = |n: i64| format!("{}.{}", n / 10, n % 10);
    let guns: Vec<String> = t
        .units
        .iter()
        .filter(|u| u.guns > 0)
        .map(|u| format!("{} as {}", u.name.to_lowercase(), u.guns))
        .collect();
    let heavy: Vec<String> = t
        .units
        .iter()
        .filter(|u| u.flak > 2)
        .map(|u| format!("{} {}", u.name.to_lowercase(), flak(u.flak)))
        .collect();
    vec![
        para(format!(
            "Missions from which planes come back reach {} sectors for fighters and {} for bombers \
             at tech level 1; one way they fly {} and {}. Each level adds {} %. The nearest bases \
             with free planes are used first.",
            t.radius(FIGHTER, 1),
            t.radius(BOMBER, 1),
            fighter.points,
            bomber.points,
            a.range_percent_a_level
        )),
        list([
            format!(
                "B: up to so many bombers strike before movement, with up to as many fighters when \
                 the target is in their reach, and the guns of all ships within {} sector of a \
                 coastal target ({} bombers). One strike a sector and turn. It falls on the holder \
                 of the city, or whoever has most regiments there.",
                a.ship_range,
                guns.join(", ")
            ),
            format!(
                "O: fighters report on {0} by {0} sectors after movement; two or more attack the \
                 first enemy unit there, by sector number, then owner, then unit.",
                2 * t.rules.sight.observation + 1
            ),
            "V: bombers carry land units from one of your airbases to another, one for each size \
             point, and stay there."
                .to_owned(),
            format!(
                "F: fighters and bombers, up to {} of each, change their base every turn as far as \
                 they are free, until it is cancelled.",
                a.transfer_max
            ),
            "W: fighters on watch fly nothing else. They and all other fighters at home defend \
             their base, also against units that enter its sector."
                .to_owned(),
        ]),
        para(format!(
            "In the air a fighter attacks with {}, a bomber with {}; a plane takes {} points. \
             Escorts are hit before bombers; bombers that live go on. Then anti-aircraft fire: {}, \
             a level of a city {}, any other regiment or ship {}. Then bombs of {} a bomber fall on \
             units; where there are none, each {} points of damage raze a defence level. A fighter \
             attacks ground with {}.",
            fighter.air,
            bomber.air,
            bomber.defence,
            heavy.join(", "),
            flak(a.city_level_flak),
            flak(2),
            bomber.attack,
            a.bombs_a_level,
            fighter.attack
        )),
        para(format!(
            "Strikes share the luck of combat, and damage is divided by {} in the same way. Generals \
             take no part. A division of {} is the best cover against planes.",
            t.rules.combat.damage_divisor,
            t.row(ARTILLERY).name.to_lowercase()
        )),
    ]
}

fn sea(t: &Tables) -> Vec<Block> {
    vec![para(format!(
        "Ships fight as divisions do, without ground. Ships enter sea, your own coastal cities and \
         your allies'. Submarines fire a free first round when the enemy has no destroyer in the \
         sector, and are seen only by a side with a destroyer within {} sector, or in battle. Ships \
         in a port fight nobody by themselves.",
        t.rules.sight.submarine
    ))]
}

fn spies(t: &Tables) -> Vec<Block> {
    let s = &t.rules.spying;
    vec![
        para(format!(
            "An order I spends up to {} PP for each tech level on spies. They bring about one fact a PP, \
             half as many to one and a half times as many, in this order: tech level, stock, numbers \
             of cities, divisions, ships, fighters, bombers, allies, rating; then cities with their \
             levels, units by sector, research. Each level that you are ahead adds {} %, each that \
             you are behind takes as much. A higher tech level teaches {} research points for a \
             hundred PP.",
            t.rules.economy.spy_limit, s.tech_percent, s.research_percent
        )),
        para(format!(
            "With your own number it is counter-spying, paid each turn until you order 0 or spy on \
             another; {} PP of it halve what foreign spies learn, twice as many leave a third.",
            s.counter_divisor
        )),
    ]
}

fn science(t: &Tables) -> Vec<Block> {
    let (r, k) = (&t.rules.research, &t.rules.ruins);
    vec![
        para(format!(
            "E puts PP into research. The chance of a tech level is the PP of the turn divided by L, \
             which is {} times your level, and more by what was spent on this level before: as much \
             again when that is L, half as much when it is half. It is at most {} %. After a success \
             the PP spent count from 0 again. Ruins and spies can add to them. There are {} levels; \
             each brings a sheet.",
            r.level_cost, r.chance_max_percent, r.tech_max
        )),
        para(format!(
            "K unit 1 lets engineers search ruins in their sector; they do not move. The chance of a \
             find is {} % and {} % for each regiment, at most {} %: {} to {} PP, {} to {} research \
             points, or, {} times in a hundred, plans that bring a level at once. After {} finds the \
             ruins are empty, for everybody.",
            k.chance_percent,
            k.regiment_percent,
            k.chance_max_percent,
            k.pp_low,
            k.pp_high,
            k.points_low,
            k.points_high,
            k.plans_percent,
            k.finds_max
        )),
    ]
}

fn victory(t: &Tables) -> Vec<Block> {
    let v = &t.rules.victory;
    let shares: Vec<String> = (2..=6).map(|n| format!("{n}: {} %", share(v, n))).collect();
    vec![
        para(format!(
            "D makes another player your ally, or an ally an enemy again; at most {}. Your units do \
             not attack an ally or take their land, but they may attack you unless they list you too.",
            t.rules.alliance.allies_max
        )),
        para(format!(
            "World Leader is who holds at least {} % of all surviving cities at the end of {} turns \
             in a row. If several do, most cities count, then the best rating, then the lowest seat.",
            v.leader_percent, v.turns
        )),
        para(format!(
            "From turn {} on players may form coalitions: one stands when each member has ordered J \
             for each other. Members are allies. J 0 leaves, J with a minus votes to expel, and a \
             majority of the other members decides. A coalition wins with this share by number of \
             members, held as long: {}.",
            v.coalition_turn,
            shares.join(", ")
        )),
        para(
            "World news tell everybody who holds enough cities to win and since when, which cities \
             changed hands or rose, which empires fell, and which coalitions came and went.",
        ),
        para(
            "An empire without city and unit has fallen; its player gets a last printout of what it \
             knew, and the whole map with everybody else when the game is over.",
        ),
    ]
}

fn orders(t: &Tables, tech: u8) -> Vec<Block> {
    let mut blocks = vec![para(format!(
        "One order a line: a letter, then numbers with blanks between them. Case does not matter; \
         # begins a comment. A unit has one order a turn besides S and L; of two the first stands. \
         A unit that S makes can be ordered in the same card. Names have at most {NAME_LEN_MAX} \
         characters."
    ))];
    for row in ROWS.iter().filter(|row| row.is_known(t, tech)) {
        let help = row.explained(t, tech);
        blocks.push(para(format!("{} ({}). {help}", row.name, row.letter)));
        // Forms and examples stand where no reader takes them for orders.
        let forms = row.forms(t, tech).into_iter().map(str::to_owned);
        blocks.push(Block::Card(forms.chain(row.shown(t, tech)).collect()));
    }
    blocks
}

fn messages(t: &Tables) -> Vec<Block> {
    let r = &t.rules.rating;
    let s = &t.rules.sight;
    vec![
        para(format!(
            "Y sends coded sentences ({}) to a player, or to all with {EVERYBODY} (0 in games of \
             more than 100 seats); HELP CODES lists them. Numbers behind a code fill it in. The game \
             itself fills in counts, and the sign @ your name and address as far as you agreed to \
             disclose them. LANG chooses the language in which messages come to you.",
            ranges(t.messages.iter().map(|m| m.code))
        )),
        para(
            "When forces of another player come into sight of your units, cities or generals, you \
             have met: the printout shows that player's address, if the player discloses it. Who is \
             only looked at from the air is not met.",
        ),
        para(format!(
            "Sight: units {} sector, cities {}, generals {}, observation {}. Ground stays known; \
             forces that nobody sees this turn are not shown. Types of foreign units are seen by \
             generals and observers.",
            s.unit, s.city, s.general, s.observation
        )),
        para(format!(
            "Rating: {} for each tech level, attack and defence of all forces divided by {}, {} for \
             each city, {} for each defence level, {} for each PP of income.",
            r.tech, r.forces_divisor, r.city, r.level, r.income
        )),
    ]
}
