//! The echo of a card: the desk's verdicts, and a forecast of the results.

mod forecast;

use std::collections::BTreeMap;

use super::desk::{self, Facts, Job, Origin, Paper, Use, hundredths};
use super::map::SpaceId;
use super::odds::{self, Made};
use super::state::{Country, NOBODY};
use super::verbs::{Arm, UnitOrder, Verb};
use super::view::View;
use crate::state::State;
use crate::variants::Messages;
use crate::{BattlePlan, maps, orders, words};
use engine::press::{Addressee, Letter};
use engine::report::{Align, Block, Line, Section, Table};
use engine::{CardText, Cards, JudgedLine, Judgement, MapPicture, Seat, Told, Topic};
use forecast::{idle, lands};
use tongue::say;

impl Cards for BattlePlan {
    fn starts_order(line: &str) -> bool {
        orders::starts_order(line)
    }

    fn judge(view: &View, card: &CardText, ahead: u32) -> Judgement {
        match ahead {
            0 => judge(view, card),
            // Rules that depend on the turn, such as the peace of turn 1, follow the later turn.
            _ => judge(&View { turn: view.turn + ahead, ..view.clone() }, card),
        }
    }

    fn letters(view: &View, card: &CardText) -> Vec<Letter> {
        letters_at_once(view, card)
    }

    fn press(state: Option<&State>) -> bool {
        state.is_none_or(|s| s.tables.variant.messages == Messages::Free)
    }

    fn help(state: Option<&State>) -> Vec<Topic> {
        let all = orders::help().into_iter();
        let Some(variant) = state.map(|s| &s.tables.variant) else { return all.collect() };
        let there = |t: &Topic| match t.word.as_str() {
            "PRESS" => variant.messages == Messages::Free,
            "WIRE" => variant.messages == Messages::Canned,
            "OPINION" => variant.opinion,
            _ => true,
        };
        all.filter(there).collect()
    }

    fn sketch(view: &View, card: &CardText) -> Option<MapPicture> {
        maps::sketch(view, &work(view, card))
    }
}

/// Judges a card against what its seat knows.
pub fn judge(view: &View, card: &CardText) -> Judgement {
    if view.is_out() || view.over.is_some() {
        let line = |(n, text): &(u32, String)| {
            let told = Told::error("out", say!("you hold nothing that could be ordered"));
            judged(*n, text.clone(), told)
        };
        return Judgement { lines: card.lines.iter().map(line).collect(), ..Judgement::default() };
    }
    let paper = work(view, card);
    let overruled = words::overruled(&paper.acts);
    let lines = paper.told.iter().enumerate().map(|(at, (n, text, told))| {
        let overruled = overruled.get(at).is_some_and(|o| *o);
        judged(*n, text.clone(), words::explained(view, &paper, at, told.clone(), overruled))
    });
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

/// Messages of a card that are sent on at once (§17): those to named players.
pub fn letters_at_once(view: &View, card: &CardText) -> Vec<Letter> {
    if !view.tables.letters_at_once {
        return Vec::new();
    }
    let letters = work(view, card).letters.into_iter();
    letters
        .filter_map(|letter| match letter.to {
            Addressee::Seats(seats) => {
                // The desk has checked that the seats are in the game.
                let to = seats.iter().filter_map(|s| u8::try_from(*s).ok()).map(Seat).collect();
                let from = (!letter.anonymous).then_some(Seat(view.seat));
                Some(Letter { from, to, text: letter.text })
            }
            _ => None,
        })
        .collect()
}

fn judged(line: u32, text: String, told: Told) -> JudgedLine {
    JudgedLine { line, text, mark: told.mark, note: told.note }
}

/// An order with its target's code.
pub fn written(view: &View, order: &UnitOrder<SpaceId>) -> String {
    order.map(order.target.map(|t| view.tables.map.code(t).to_owned())).to_string()
}

fn forecast(view: &View, paper: &Paper) -> Vec<Section> {
    let section = |heading: String, blocks: Vec<Block>| Section { heading, blocks };
    let lines = forecast::lines(view, paper);
    let mut sections = vec![section(say!("Forecast"), vec![Block::List(lines)])];
    let battles = battles(view, paper);
    if !battles.is_empty() {
        sections.push(section(say!("Battles ahead, by what you know"), battles));
    }
    let builds = builds(view, paper);
    if !builds.rows.is_empty() {
        sections.push(section(say!(heading: "Builds"), vec![Block::Table(builds)]));
    }
    let standing = standing(view, paper);
    if !standing.rows.is_empty() {
        sections.push(section(say!("Standing orders"), vec![Block::Table(standing)]));
    }
    let left = left_behind(view, paper);
    if !left.rows.is_empty() {
        let says = say!("What has no order to leave stays and defends; new units come on top.");
        let blocks = vec![Block::Para(says.into()), Block::Table(left)];
        sections.push(section(say!("Left at home"), blocks));
    }
    sections
}

/// Armies against each country that is seen, from all spaces together (§10.1).
fn battles(view: &View, paper: &Paper) -> Vec<Block> {
    let mut sent: BTreeMap<SpaceId, i64> = BTreeMap::new();
    for order in paper.jobs.values().flatten().map(|job| &job.order) {
        if let (Verb::Conquer | Verb::Bombard, Some(to)) = (order.verb, order.target) {
            *sent.entry(to).or_default() += order.n;
        }
    }
    let line = |(to, army): (SpaceId, i64)| {
        let country = view.seen.get(&to)?;
        let odds = odds(view, paper, (army, to), country);
        let place = words::place(view, paper, to);
        Some(format!("{place}: {odds}").into())
    };
    let lines: Vec<Line> = sent.into_iter().filter_map(line).collect();
    match lines.is_empty() {
        true => Vec::new(),
        false => vec![Block::List(lines), Block::Para(odds::beside().into())],
    }
}

/// The outcome of an army attack on a country that is seen, given the other orders of a card.
pub fn odds(view: &View, paper: &Paper, sent: (i64, SpaceId), country: &Country) -> String {
    let (army, to) = sent;
    let percent = match view.allied_by.contains(&view.holder(to)) {
        true => view.tables.figures.combat.ally_handicap_percent,
        false => 100,
    };
    let there = defending(view, paper, to, country);
    odds::against(army, there, will_build(view, paper, to, country), percent)
}

/// Armies that defend a country that is seen, without its new builds. Armies that the card sends
/// away are left out; those that it sends there as help or as a gift are added.
fn defending(view: &View, paper: &Paper, to: SpaceId, country: &Country) -> i64 {
    let away = |job: &Job| {
        let army = job.order.verb.arm() == Arm::Army;
        if army { job.order.n } else { 0 }
    };
    let away: i64 = paper.jobs.get(&to).into_iter().flatten().map(away).sum();
    let comes = |job: &&Job| {
        let helps = matches!(job.order.verb, Verb::ArmySupport | Verb::ArmyMove);
        helps && job.order.target == Some(to) && job.shut(&view.position).is_none()
    };
    let come: i64 = paper.jobs.values().flatten().filter(comes).map(|job| job.order.n).sum();
    country.stock(Arm::Army) - away + come
}

/// Army that a seen country builds before the battle: by the card in a minor that the seat
/// controls, by the rule in one that nobody controls (§8.2), otherwise only its maximum.
fn will_build(view: &View, paper: &Paper, to: SpaceId, country: &Country) -> Made {
    let army = Arm::Army as usize;
    match view.holder(to) {
        seat if seat == view.seat => {
            let jobs = paper.jobs.get(&to).into_iter().flatten();
            let builds = jobs.filter(|j| j.order.verb == Verb::Build(Arm::Army));
            let used: i64 = builds.map(|j| j.order.n).sum();
            Made::Sure((country.fractions[army] + used * paper.player.multipliers[army]) / 100)
        }
        NOBODY => {
            let coast = view.tables.map.has_coast(to);
            let multiplier = view.tables.figures.minor.multiplier;
            let builds = desk::builds_alone(country.industry, multiplier, coast);
            let used = builds.into_iter().find(|(item, _)| *item == army).map_or(0, |(_, n)| n);
            Made::Sure(used * multiplier / 100)
        }
        _ => Made::AtMost(country.industry),
    }
}

/// What each country builds, and why.
fn builds(view: &View, paper: &Paper) -> Table {
    let columns = vec![
        (say!("Space"), Align::Left),
        (say!("Industry"), Align::Right),
        (say!("By the card"), Align::Left),
        (say!(order: "Standing"), Align::Left),
        (say!("By default"), Align::Left),
        (say!("Dollars"), Align::Right),
    ];
    let mut rows = Vec::new();
    for (space, country) in lands(view) {
        let jobs = paper.jobs.get(&space).map_or(&[][..], Vec::as_slice);
        let part = |wanted: &dyn Fn(Origin) -> bool| {
            let builds = jobs.iter().filter(|j| wanted(j.origin) && j.order.verb.builds());
            let parts = builds.map(|j| match j.order.verb {
                Verb::Build(arm) => {
                    // The fraction under construction counts for the first of several builds.
                    let first = jobs.iter().find(|f| f.order.verb == j.order.verb);
                    let begun = first.is_some_and(|f| std::ptr::eq(f, j));
                    let begun = if begun { country.fractions[arm as usize] } else { 0 };
                    let made = begun + j.order.n * paper.player.multipliers[arm as usize];
                    format!("{}{}", arm.letter(), hundredths(made))
                }
                _ => String::new(),
            });
            parts.collect::<Vec<_>>().join(" ")
        };
        let dollars = if country.is_minor() { 0 } else { idle(paper, space, country) };
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
    let columns = vec![
        (say!("Space"), Align::Left),
        (say!("Order"), Align::Left),
        (say!("This turn"), Align::Left),
    ];
    let mut rows = Vec::new();
    for (space, slots) in &paper.standing {
        for (slot, order) in slots.iter().enumerate() {
            let Some(order) = order else { continue };
            let how = match paper.standing_use.get(&(*space, slot)) {
                Some(Use::Used(n)) if *n < order.n => say!("used for {n}"),
                Some(Use::Used(_)) => say!("used"),
                Some(Use::Skipped(why)) => say!("not used: {why}"),
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

/// Units without an order to leave, in spaces that send others away.
fn left_behind(view: &View, paper: &Paper) -> Table {
    let letters = ["A", "N", "F", "M", "X"].map(|l| (l.to_owned(), Align::Right));
    let columns = [(say!("Space"), Align::Left)].into_iter().chain(letters);
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
