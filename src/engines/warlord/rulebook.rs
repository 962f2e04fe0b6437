//! The rules in words, `config/warlord/rulebook.md`, with the values and tables of the game's own
//! data files.

use super::desk::{EVERYBODY, NAME_LEN_MAX};
use super::orders::ROWS;
use super::phrases::ranges;
use super::state::{ARTILLERY, BOMBER, FIGHTER, State};
use super::tables::{Class, Tables};
use super::turn::PHASES;
use super::turn::politics::share;
use crate::view::View;
use crate::{Warlord, primer};
use engine::book::{Book, Figures};
use engine::geometry::Direction;
use engine::report::Section;
use engine::{Books, Primer, Seat};

const BOOK: Book = Book::new(include_str!("../../../config/warlord/rulebook.md"));

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

/// All chapters, with the parts that a tech level knows.
fn rulebook(state: &State, tech: u8) -> Vec<Section> {
    BOOK.chapters(|| figures(state, tech))
}

/// The values, by their names in the book.
fn figures(state: &State, tech: u8) -> Figures {
    let t = &*state.tables;
    let grid = state.grid();
    let directions: Vec<String> =
        Direction::ALL.iter().map(|d| format!("{} {}", d.code(), d.name())).collect();
    let figures = Figures::default()
        .with("seats", state.seats())
        .with("phases", PHASES.iter().map(|(name, _)| *name).collect::<Vec<_>>())
        .with("columns", grid.cols)
        .with("rows", grid.rows)
        .with("directions", directions.join(", "))
        .with("cities", state.world.cities.len())
        .with("terrain", terrain(t))
        .with("units", units(t, tech))
        .with("carries", carries(t))
        .with("orders", orders(t, tech))
        .with("levels", levels(t, tech))
        .with("name_max", NAME_LEN_MAX)
        .with("codes", ranges(t.messages.iter().map(|m| m.code)))
        .with("everybody", EVERYBODY);
    of_the_end(t, of_spies_and_science(t, of_aircraft(t, of_war(t, of_economy(t, figures)))))
}

fn of_economy(t: &Tables, figures: Figures) -> Figures {
    let (e, absence, movement) = (&t.rules.economy, &t.rules.absence, &t.rules.movement);
    figures
        .with("absent_turns", absence.turns)
        .with("rebel_percent", absence.rebel_percent)
        .with("strike_regiments", absence.strike_regiments)
        .with("claim_neighbours", e.claim_neighbours)
        .with("home_income", t.world.start.home_income)
        .with("city_income", t.world.uncontrolled.income_max)
        .with("centres", e.centres)
        .with("division_max", e.division_max)
        .with("level_max", e.level_max)
        .with("level_cost", e.level_cost)
        .with("phases_of_movement", movement.phases)
        .with("truck_speed", movement.truck_speed)
        .with("boarding_cost", movement.boarding_cost)
}

fn of_war(t: &Tables, figures: Figures) -> Figures {
    let (c, g) = (&t.rules.combat, &t.rules.generals);
    let percent = |n: i64| n / 10;
    figures
        .with("rank_bonus", c.rank_bonus_percent)
        .with("rounds_max", c.rounds_max)
        .with("damage_divisor", c.damage_divisor)
        .with("luck_low", percent(c.luck_low))
        .with("luck_high", percent(c.luck_high))
        .with("level_shelter", c.city_level_shelter_percent)
        .with("dislodge_ratio", c.dislodge_ratio)
        .with("level_attack", c.city_level_attack)
        .with("level_defence", c.city_level_defence)
        .with("generals", t.world.start.generals)
        .with("general_range", g.range)
        .with("gain_max", g.gain_max_a_turn)
        .with("skill_max", g.skill_max)
        .with("general_map", 2 * t.rules.sight.general + 1)
        .with("submarine_sight", t.rules.sight.submarine)
}

fn of_aircraft(t: &Tables, figures: Figures) -> Figures {
    let a = &t.rules.air;
    let (fighter, bomber) = (t.row(FIGHTER), t.row(BOMBER));
    let flak = |n: i64| format!("{}.{}", n / 10, n % 10);
    let guns = t.units.iter().filter(|u| u.guns > 0);
    let guns: Vec<String> =
        guns.map(|u| format!("{} as {}", u.name.to_lowercase(), u.guns)).collect();
    let heavy = t.units.iter().filter(|u| u.flak > 2);
    let heavy: Vec<String> =
        heavy.map(|u| format!("{} {}", u.name.to_lowercase(), flak(u.flak))).collect();
    figures
        .with("fighter_radius", t.radius(FIGHTER, 1))
        .with("bomber_radius", t.radius(BOMBER, 1))
        .with("fighter_points", fighter.points)
        .with("bomber_points", bomber.points)
        .with("range_percent", a.range_percent_a_level)
        .with("ship_range", a.ship_range)
        .with("guns", guns.join(", "))
        .with("observed", 2 * t.rules.sight.observation + 1)
        .with("transfer_max", a.transfer_max)
        .with("fighter_air", fighter.air)
        .with("bomber_air", bomber.air)
        .with("plane_defence", bomber.defence)
        .with("heavy_flak", heavy.join(", "))
        .with("city_flak", flak(a.city_level_flak))
        .with("other_flak", flak(2))
        .with("bomber_attack", bomber.attack)
        .with("bombs_a_level", a.bombs_a_level)
        .with("fighter_attack", fighter.attack)
        .with("artillery", t.row(ARTILLERY).name.to_lowercase())
}

fn of_spies_and_science(t: &Tables, figures: Figures) -> Figures {
    let (s, r, k) = (&t.rules.spying, &t.rules.research, &t.rules.ruins);
    figures
        .with("spy_limit", t.rules.economy.spy_limit)
        .with("spy_tech_percent", s.tech_percent)
        .with("spy_research", s.research_percent)
        .with("counter_divisor", s.counter_divisor)
        .with("research_cost", r.level_cost)
        .with("research_chance", r.chance_max_percent)
        .with("tech_max", r.tech_max)
        .with("ruin_chance", k.chance_percent)
        .with("ruin_regiment", k.regiment_percent)
        .with("ruin_chance_max", k.chance_max_percent)
        .with("ruin_pp_low", k.pp_low)
        .with("ruin_pp_high", k.pp_high)
        .with("ruin_points_low", k.points_low)
        .with("ruin_points_high", k.points_high)
        .with("ruin_plans", k.plans_percent)
        .with("ruin_finds", k.finds_max)
}

fn of_the_end(t: &Tables, figures: Figures) -> Figures {
    let (v, r, s) = (&t.rules.victory, &t.rules.rating, &t.rules.sight);
    let shares: Vec<String> = (2..=6).map(|n| format!("{n}: {} %", share(v, n))).collect();
    figures
        .with("allies_max", t.rules.alliance.allies_max)
        .with("leader_percent", v.leader_percent)
        .with("victory_turns", v.turns)
        .with("coalition_turn", v.coalition_turn)
        .with("shares", shares.join(", "))
        .with("unit_sight", s.unit)
        .with("city_sight", s.city)
        .with("general_sight", s.general)
        .with("observation_sight", s.observation)
        .with("rating_tech", r.tech)
        .with("rating_forces", r.forces_divisor)
        .with("rating_city", r.city)
        .with("rating_level", r.level)
        .with("rating_income", r.income)
}

/// The row of each ground.
fn terrain(t: &Tables) -> Vec<Vec<String>> {
    let row = |g: &super::tables::TerrainRow| {
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
    };
    t.terrain.iter().map(row).collect()
}

/// The rows of the units that a tech level knows.
fn units(t: &Tables, tech: u8) -> Vec<Vec<String>> {
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
    rows.collect()
}

/// The types of ships that carry units, and the room that each has.
fn carries(t: &Tables) -> String {
    let carries = t.units.iter().filter(|u| u.carries > 0);
    let carries: Vec<String> =
        carries.map(|u| format!("{} {} size points", u.name, u.carries)).collect();
    carries.join(", ")
}

/// The orders that a tech level knows.
fn orders(t: &Tables, tech: u8) -> Vec<Figures> {
    let known = ROWS.iter().filter(|row| row.is_known(t, tech));
    let order = |row: &super::orders::Row| {
        let forms = row.forms(t, tech).into_iter().map(str::to_owned);
        Figures::default()
            .with("name", row.name)
            .with("letter", row.order.word)
            .with("help", row.explained(t, tech))
            .with("forms", forms.chain(row.shown(t, tech)).collect::<Vec<_>>())
    };
    known.map(order).collect()
}

/// What the known tech levels teach, level by level.
fn levels(t: &Tables, tech: u8) -> Vec<Figures> {
    let known = t.tech.level.iter().filter(|level| level.tech <= tech);
    let level = |level: &super::tables::LevelRow| {
        Figures::default()
            .with("tech", level.tech)
            .with("teaches", level.teaches.clone())
            .with("orders", level.orders.clone())
    };
    known.map(level).collect()
}
