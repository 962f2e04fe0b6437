//! The echo of a card: the desk's verdicts, and what will come of them.

use super::desk::{self, Facts, Holding, Origin, Paper, Use, hundredths, item_name};
use super::map::SpaceId;
use super::state::{Country, NOBODY, Stance, percent_up};
use super::turn::economy::{interest_on, root_milli};
use super::verbs::{Arm, UnitOrder, Verb};
use super::view::View;
use engine::report::{Align, Block, Line, Section, Table};
use engine::{CardText, JudgedLine, Judgement, Told};

/// Judges a card against what its seat knows.
pub fn judge(view: &View, card: &CardText) -> Judgement {
    if view.is_out() || view.over.is_some() {
        let line = |(n, text): &(u32, String)| {
            judged(*n, text.clone(), Told::error("out", "you hold nothing that could be ordered"))
        };
        return Judgement { lines: card.lines.iter().map(line).collect(), ..Judgement::default() };
    }
    let paper = work(view, card);
    let lines = paper.told.iter().map(|(n, text, told)| judged(*n, text.clone(), told.clone()));
    Judgement { lines: lines.collect(), forecast: forecast(view, &paper), ..Judgement::default() }
}

/// The desk's work on a card, from the view.
pub fn work(view: &View, card: &CardText) -> Paper {
    let facts = Facts {
        tables: &view.tables,
        turn: view.turn,
        // A game has at most 79 seats.
        players: view.players.len() as u8,
        owners: &view.owners,
        revised: view.revised,
    };
    desk::work(facts, &view.position, card)
}

fn judged(line: u32, text: String, told: Told) -> JudgedLine {
    JudgedLine { line, text, mark: told.mark, note: told.note }
}

/// An order with its target's code.
pub fn written(view: &View, order: &UnitOrder<SpaceId>) -> String {
    order.map(order.target.map(|t| view.tables.map.code(t).to_owned())).to_string()
}

fn forecast(view: &View, paper: &Paper) -> Vec<Section> {
    let section =
        |heading: &str, blocks: Vec<Block>| Section { heading: heading.to_owned(), blocks };
    let mut sections = vec![section("Forecast", vec![Block::List(money(view, paper))])];
    let builds = builds(view, paper);
    if !builds.rows.is_empty() {
        sections.push(section("Builds", vec![Block::Table(builds)]));
    }
    let standing = standing(view, paper);
    if !standing.rows.is_empty() {
        sections.push(section("Standing orders", vec![Block::Table(standing)]));
    }
    let left = left_behind(view, paper);
    if !left.rows.is_empty() {
        let says = "What has no order to leave stays and defends; new units come on top.";
        let blocks = vec![Block::Para(says.into()), Block::Table(left)];
        sections.push(section("Left at home", blocks));
    }
    sections
}

/// Money, research, propaganda, blockades.
fn money(view: &View, paper: &Paper) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut say = |text: String| lines.push(text.into());
    let cents = view.position.player.cents;
    let left = cents - paper.spent * 100;
    let interest = interest_on(left, view.tables.figures.economy.interest_percent);
    let built = built_dollars(view, paper) * 100;
    let income = income(view, paper);
    say(format!("Order-count: {}.", paper.count));
    say(format!(
        "Dollars: {} - {} spent + {} interest + {} income{} = {} next turn, if nothing is taken, \
         blockaded or given to you.",
        hundredths(cents),
        paper.spent,
        hundredths(interest),
        hundredths(income),
        if built > 0 { format!(" + {} built", hundredths(built)) } else { String::new() },
        hundredths(left + interest + income + built)
    ));
    let even = view.position.player.class.is_none() && view.tables.powers.is_empty();
    for (item, dollars) in paper.research.iter().enumerate().filter(|(_, d)| **d > 0) {
        let now = paper.player.multipliers[item];
        // How easy research is differs by position in some games, and is secret there.
        let gain = match even {
            true => {
                let scale = view.tables.figures.economy.research_scale;
                let milli = paper.player.bases[item] * root_milli(dollars * scale) / 1_000_000;
                format!("from {now} to about {}", now + milli)
            }
            false => format!("from {now}"),
        };
        say(format!("Research for {dollars} Dollars raises {} {gain}.", item_name(item)));
    }
    for (space, (hostile, around)) in view.blockade.iter().filter(|(_, (h, _))| *h > 0) {
        let percent = view.tables.figures.economy.blockade_percent * *hostile as i64;
        say(format!(
            "Blockade of {}: {hostile} of {around} spaces around it are hostile now; that \
             suppresses {}% of its tax base and industry.",
            view.tables.map.code(*space),
            percent / (*around as i64).max(1)
        ));
    }
    let figures = &view.tables.figures.popularity;
    for (place, dollars) in &paper.propaganda {
        let desk::Where::Country(space) = place else { continue };
        let (code, owner) = (view.tables.map.code(*space), view.owners[usize::from(space.0)]);
        say(match owner {
            NOBODY => format!("Propaganda in {code}: your popularity +{dollars}."),
            own if own == view.seat => {
                let up = root_milli(dollars * figures.own_propaganda) / 1000;
                format!("Propaganda in {code}: home popularity +{up}.")
            }
            _ => {
                let down = root_milli(dollars * figures.foreign_propaganda) / 1000;
                format!("Propaganda in {code}: its home popularity -{down}.")
            }
        });
    }
    lines
}

/// Income of own countries in cents if nothing changes hands: with what recovers.
fn income(view: &View, paper: &Paper) -> i64 {
    let map = &view.tables.map;
    let figures = &view.tables.figures.economy;
    let tax = |space: SpaceId| {
        view.seen.get(&space).map_or(0, |c| {
            let up = c.tax + percent_up(c.tax_down, figures.recovery_percent);
            match view.blockade.get(&space) {
                Some((hostile, around)) if *hostile > 0 => {
                    let percent = figures.blockade_percent * *hostile as i64;
                    up - up * percent / (100 * (*around as i64).max(1))
                }
                _ => up,
            }
        })
    };
    let friend = |space: SpaceId| {
        let holder = view.holder(space);
        holder == view.seat
            || holder != NOBODY
                && paper.player.stance(holder) == Stance::Ally
                && view.allied_by.contains(&holder)
    };
    let mut cents = 0;
    for space in map.countries().filter(|s| view.owners[usize::from(s.0)] == view.seat) {
        cents += tax(space) * 100;
        let around = map.neighbours(space).iter().filter(|s| !map.is_sea(**s) && friend(**s));
        cents += around.map(|s| tax(*s) * figures.neighbour_percent).sum::<i64>();
    }
    cents
}

fn lands(view: &View) -> impl Iterator<Item = (SpaceId, &Country)> {
    view.position.holdings.iter().filter_map(|(s, h)| match h {
        Holding::Land(c) => Some((*s, &**c)),
        Holding::Sea(_) => None,
    })
}

/// Industry of occupied countries that builds Dollars.
fn built_dollars(view: &View, paper: &Paper) -> i64 {
    let idle = |(space, country): (SpaceId, &Country)| {
        let busy: i64 = paper
            .jobs
            .get(&space)
            .into_iter()
            .flatten()
            .filter(|j| j.order.verb.builds())
            .map(|j| j.order.n)
            .sum();
        if country.is_minor() { 0 } else { country.industry - busy }
    };
    lands(view).map(idle).sum()
}

/// What each country builds, and why.
fn builds(view: &View, paper: &Paper) -> Table {
    let columns = vec![
        ("Space", Align::Left),
        ("Industry", Align::Right),
        ("By the card", Align::Left),
        ("Standing", Align::Left),
        ("By default", Align::Left),
        ("Dollars", Align::Right),
    ];
    let mut rows = Vec::new();
    for (space, country) in lands(view) {
        let jobs = paper.jobs.get(&space).map_or(&[][..], Vec::as_slice);
        let part = |wanted: &dyn Fn(Origin) -> bool| {
            let builds = jobs.iter().filter(|j| wanted(j.origin) && j.order.verb.builds());
            let parts = builds.map(|j| match j.order.verb {
                Verb::Build(arm) => {
                    let made = country.fractions[arm as usize]
                        + j.order.n * paper.player.multipliers[arm as usize];
                    format!("{}{}", arm.letter(), hundredths(made))
                }
                _ => String::new(),
            });
            parts.collect::<Vec<_>>().join(" ")
        };
        let busy: i64 = jobs.iter().filter(|j| j.order.verb.builds()).map(|j| j.order.n).sum();
        let dollars = if country.is_minor() { 0 } else { country.industry - busy };
        if country.industry == 0 {
            continue;
        }
        rows.push(vec![
            view.tables.map.code(space).to_owned(),
            country.industry.to_string(),
            part(&|o| o == Origin::Card),
            part(&|o| matches!(o, Origin::Standing(_))),
            part(&|o| o == Origin::Default),
            if dollars > 0 { dollars.to_string() } else { String::new() },
        ]);
    }
    Table::new(columns, rows)
}

/// Standing orders on file after the card, and whether they work this turn.
fn standing(view: &View, paper: &Paper) -> Table {
    let columns = vec![("Space", Align::Left), ("Order", Align::Left), ("This turn", Align::Left)];
    let mut rows = Vec::new();
    for (space, slots) in &paper.standing {
        for (slot, order) in slots.iter().enumerate() {
            let Some(order) = order else { continue };
            let how = match paper.standing_use.get(&(*space, slot)) {
                Some(Use::Used(n)) if *n < order.n => format!("used for {n}"),
                Some(Use::Used(_)) => "used".to_owned(),
                Some(Use::Skipped(why)) => format!("not used: {why}"),
                None => String::new(),
            };
            rows.push(vec![
                view.tables.map.code(*space).to_owned(),
                format!("/{}/{}", slot + 1, written(view, order)),
                how,
            ]);
        }
    }
    Table::new(columns, rows)
}

/// Units without an order to leave, in spaces that send some away.
fn left_behind(view: &View, paper: &Paper) -> Table {
    let columns = vec![
        ("Space", Align::Left),
        ("A", Align::Right),
        ("N", Align::Right),
        ("F", Align::Right),
        ("M", Align::Right),
        ("X", Align::Right),
    ];
    let mut rows = Vec::new();
    for (space, holding) in &view.position.holdings {
        let jobs = paper.jobs.get(space).map_or(&[][..], Vec::as_slice);
        let leaves = |arm: Arm| -> i64 {
            let away = jobs.iter().filter(|j| !j.order.verb.builds() && j.order.verb.arm() == arm);
            away.map(|j| j.order.n).sum()
        };
        let arms = [Arm::Army, Arm::Navy, Arm::Air, Arm::Missile, Arm::Antimissile];
        if arms.iter().all(|a| leaves(*a) == 0) {
            continue;
        }
        let mut row = vec![view.tables.map.code(*space).to_owned()];
        row.extend(arms.iter().map(|a| (holding.stock(*a) - leaves(*a)).to_string()));
        rows.push(row);
    }
    Table::new(columns, rows)
}
