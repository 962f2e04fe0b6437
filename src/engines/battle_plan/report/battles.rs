//! The events: battles, spies, passages, gifts.

use super::super::event::{Count, Counter, Event, SeaClash};
use super::super::map::SpaceId;
use super::super::maps::tint;
use super::super::state::NOBODY;
use super::super::verbs::Arm;
use super::super::view::{Known, SeenClash, SeenSide, View, code, player};
use super::super::words::{counted, noun};
use super::left_out;
use engine::Seat;
use engine::report::{Battle, Block, Force, Line, Section};
use tongue::{count, mark, say, word};

/// Army, navy, air force and missiles in the notation of the rules.
const KINDS: [&str; 4] = [mark!("Army"), mark!("Navy"), mark!("AirF"), mark!("Missiles")];

fn count(name: &str, known: Known) -> Option<String> {
    let name = word(name);
    match known {
        Known::Nothing => None,
        Known::There => Some(name.into_owned()),
        Known::Counted(Count { sent, lost: 0 }) => Some(format!("{name}={sent}")),
        Known::Counted(Count { sent, lost }) => Some(format!("{name}={sent}-{lost}")),
    }
}

/// `FI(Army=40-1,AirF=20-3,Missiles=3-2)`.
fn side(view: &View, side: &SeenSide) -> String {
    let parts: Vec<String> =
        KINDS.iter().zip(side.kinds).filter_map(|(n, k)| count(n, k)).collect();
    let from = match view.tables.map.is_sea(side.from) && side.owner != NOBODY {
        true => format!("{}[{}]", code(view, side.from), side.owner),
        false => code(view, side.from).to_owned(),
    };
    format!("{from}({})", parts.join(","))
}

fn clash_line(view: &View, clash: &SeenClash) -> String {
    let mut parts = vec![format!("{}:", code(view, clash.at)), side(view, &clash.home)];
    parts.extend(clash.attackers.iter().map(|s| side(view, s)));
    parts.extend(clash.captured.map(|by| say!("Captured by {who}", who = player(view, by))));
    parts.join(" ")
}

/// A side of a battle with what is known of its army, navy, air force and missiles.
fn force(view: &View, owner: u8, who: String, kinds: &[Known]) -> Force {
    let arms = [Arm::Army, Arm::Navy, Arm::Air, Arm::Missile];
    let units = |n: i64, arm: Arm| match arm {
        Arm::Missile => count!(n, "{n} missile", "{n} missiles"),
        arm => counted(n, arm),
    };
    let told = |(arm, known): (Arm, &Known)| match *known {
        Known::Nothing | Known::Counted(Count { sent: 0, .. }) => None,
        Known::There => Some(say!("{name}, number not known", name = noun(arm))),
        Known::Counted(Count { sent, lost: 0 }) => Some(units(sent, arm)),
        Known::Counted(Count { sent, lost }) => {
            Some(say!("{units} ({lost} lost)", units = units(sent, arm)))
        }
    };
    let words: Vec<String> = arms.into_iter().zip(kinds).filter_map(told).collect();
    let counts = kinds.iter().filter_map(|k| match k {
        Known::Counted(count) => Some(*count),
        _ => None,
    });
    let (sent, lost) = counts.fold((0, 0), |sum, c| (sum.0 + c.sent, sum.1 + c.lost));
    // A bar from only some of the numbers would mislead.
    let whole = !kinds.iter().any(|k| matches!(k, Known::There));
    let number = |n: i64| u32::try_from(n.max(0)).unwrap_or(u32::MAX);
    Force {
        who,
        seat: (owner != NOBODY).then_some(Seat(owner)),
        tint: (owner != NOBODY).then(|| tint(&view.tables, owner)),
        numbers: (whole && sent > 0).then(|| (number(sent), number(sent - lost))),
        forces: words.join(", "),
        odds: String::new(),
    }
}

/// The name of a space with its code.
fn named(view: &View, at: SpaceId) -> String {
    format!("{} ({})", view.tables.map.name(at), code(view, at))
}

/// The card of a battle with known numbers; its last line is in the notation of the rules.
fn card(view: &View, clash: &SeenClash) -> Battle {
    let map = &view.tables.map;
    let side = |side: &SeenSide, attacks: bool| {
        let place = map.name(side.from);
        let own = (side.owner != NOBODY).then(|| player(view, side.owner));
        let who = match (attacks, own) {
            (true, Some(who)) => say!("{who}, attacking from {place}"),
            (true, None) => say!("From {place}, attacking"),
            (false, Some(who)) => say!("{who}, defending"),
            (false, None) => say!("The country's own, defending"),
        };
        force(view, side.owner, who, &side.kinds)
    };
    let attackers = clash.attackers.iter().map(|s| side(s, true));
    let result = match clash.captured {
        Some(by) => say!("Captured by {who}.", who = player(view, by)),
        None => say!("It was held."),
    };
    Battle {
        place: named(view, clash.at),
        sides: attackers.chain([side(&clash.home, false)]).collect(),
        result,
        notation: clash_line(view, clash),
        ..Battle::default()
    }
}

/// Whether any number of a battle is known.
fn is_counted(clash: &SeenClash) -> bool {
    let sides = || clash.attackers.iter().chain([&clash.home]);
    sides().any(|s| s.kinds.iter().any(|k| matches!(k, Known::Counted(_))))
}

/// Battles with known numbers as cards, the others in the notation of the rules.
pub fn land_combat(view: &View) -> Section {
    let (known, others): (Vec<&SeenClash>, Vec<&SeenClash>) =
        view.clashes.iter().partition(|c| is_counted(c));
    let lines = others.iter().map(|c| clash_line(view, c).into()).collect();
    let none = match known.is_empty() {
        true => say!("Nowhere."),
        false => say!("No others that you know of."),
    };
    let mut section = Section::list(&say!("Land combat"), lines, &none);
    if !known.is_empty() {
        let cards = known.iter().map(|c| card(view, c)).collect();
        section.blocks.insert(0, Block::Battles(cards));
    }
    if !view.clashes.is_empty() {
        let says =
            say!("Army=20-3 is 20 sent and 3 lost; of kinds without numbers you know no more.");
        section.blocks.push(Block::Para(says.into()));
    }
    section
}

pub fn caught(view: &View) -> Section {
    let line = |e: &Event| match e {
        Event::Caught { player: p, at, spies } => {
            let (who, place) = (player(view, *p), code(view, *at));
            Some(say!("{who}: {spies} in {place}").into())
        }
        _ => None,
    };
    let lines: Vec<Line> = view.events.iter().filter_map(line).collect();
    Section::list(&say!("Spies caught"), lines, &say!("None."))
}

/// Battles at sea as cards; the last line of each is in the notation of the rules.
pub fn sea_combat(view: &View) -> Section {
    if view.sea_clashes.is_empty() {
        return Section::list(&say!("Sea combat"), Vec::new(), &say!("None that you saw."));
    }
    let cards = view.sea_clashes.iter().map(|clash| sea_card(view, clash)).collect();
    Section::new(say!("Sea combat"), vec![Block::Battles(cards)])
}

fn sea_card(view: &View, clash: &SeaClash) -> Battle {
    let known = |counts: &[Count; 3]| {
        counts.map(|c| if c.sent == 0 { Known::Nothing } else { Known::Counted(c) })
    };
    let line = |(seat, counts): &(u8, [Count; 3])| {
        let parts = KINDS.iter().zip(known(counts));
        let parts: Vec<String> = parts.filter_map(|(n, k)| count(n, k)).collect();
        format!("{}({})", player(view, *seat), parts.join(","))
    };
    let lines: Vec<String> = clash.sides.iter().map(line).collect();
    let is_left = |(_, counts): &&(u8, [Count; 3])| counts.iter().any(|c| c.sent > c.lost);
    let (left, gone): (Vec<_>, Vec<_>) = clash.sides.iter().partition(is_left);
    let called = |sides: Vec<&(u8, [Count; 3])>| -> Vec<String> {
        sides.into_iter().map(|(seat, _)| player(view, *seat)).collect()
    };
    let (left, gone) = (called(left), called(gone));
    Battle {
        place: named(view, clash.at),
        sides: clash
            .sides
            .iter()
            .map(|(seat, counts)| force(view, *seat, player(view, *seat), &known(counts)))
            .collect(),
        result: match (left.as_slice(), gone.as_slice()) {
            ([], _) => say!("Nobody is left."),
            ([one], _) => say!("{one} alone is left."),
            (_, []) => say!("Nobody was driven off."),
            (_, gone) => say!("Nothing is left of {gone}.", gone = joined(gone)),
        },
        notation: format!("{}: {}", code(view, clash.at), lines.join(" ")),
        ..Battle::default()
    }
}

/// `A and B and C`.
fn joined(names: &[String]) -> String {
    let all = names.iter().cloned().reduce(|all, one| say!("{all} and {one}"));
    all.unwrap_or_default()
}

/// A counter-attack in the notation of the rules; `whole` is whether its numbers are known.
fn counter_line(view: &View, counter: &Counter, whole: bool) -> String {
    let shown = |c: Count| match whole {
        true => count(KINDS[0], Known::Counted(c)).unwrap_or_default(),
        false => say!("Army"),
    };
    let owner = if counter.owner == NOBODY { String::new() } else { player(view, counter.owner) };
    let end = match counter.recaptured {
        true => format!(" {}", say!("Recaptured")),
        false => String::new(),
    };
    format!(
        "{}: {}({}) {owner}({}){end}",
        code(view, counter.at),
        player(view, counter.conqueror),
        shown(counter.defending),
        shown(counter.returning)
    )
}

fn counter_card(view: &View, counter: &Counter) -> Battle {
    let army = |owner, who: String, count| force(view, owner, who, &[Known::Counted(count)]);
    let home = match counter.owner {
        NOBODY => say!("The country's own, coming home"),
        owner => say!("{who}, coming home", who = player(view, owner)),
    };
    let holder = player(view, counter.conqueror);
    Battle {
        place: named(view, counter.at),
        sides: vec![
            army(counter.owner, home, counter.returning),
            army(counter.conqueror, say!("{who}, defending", who = holder), counter.defending),
        ],
        result: match counter.recaptured {
            true => say!("It was taken back."),
            false => say!("{holder} held it."),
        },
        notation: counter_line(view, counter, true),
        ..Battle::default()
    }
}

/// Counter-attacks and revolutions; those with known numbers as cards.
pub fn aftermath(view: &View) -> Section {
    let (known, others): (Vec<_>, Vec<_>) = view.counters.iter().partition(|(_, whole)| *whole);
    let line = |(counter, _): &(Counter, bool)| counter_line(view, counter, false).into();
    let mut lines: Vec<Line> = others.into_iter().map(line).collect();
    for event in &view.events {
        match event {
            Event::Revolution { at, was } => {
                let (place, who) = (code(view, *at), player(view, *was));
                lines.push(say!("Revolution in {place}: {who} is driven out").into());
            }
            Event::Out { seat } => {
                let who = player(view, *seat);
                lines.push(say!("{who} has lost the last space").into());
            }
            _ => {}
        }
    }
    let heading = say!("Counter-attacks and revolutions");
    if known.is_empty() {
        return Section::list(&heading, lines, &say!("None."));
    }
    let cards = known.into_iter().map(|(counter, _)| counter_card(view, counter)).collect();
    let lines = (!lines.is_empty()).then_some(Block::List(lines));
    let blocks = [Block::Battles(cards)].into_iter().chain(lines).collect();
    Section::new(heading, blocks)
}

pub fn passages(view: &View) -> Section {
    let line = |e: &Event| match e {
        Event::Passage { player: p, by, from, to, arm, n, .. } => Some(say!(
            "{who} went through {by} from {from} to {to}: {arm}={n}",
            who = player(view, *p),
            by = code(view, *by),
            from = code(view, *from),
            to = code(view, *to),
            arm = word(arm.name())
        )),
        Event::Closed { by, from, to, arm, n, .. } => Some(say!(
            "{by} was closed to you: {arm}={n} stayed in {from} and did not go to {to}",
            by = code(view, *by),
            arm = word(arm.name()),
            from = code(view, *from),
            to = code(view, *to)
        )),
        _ => None,
    };
    let lines: Vec<Line> = view.events.iter().filter_map(line).map(Line::from).collect();
    if lines.is_empty() {
        return left_out();
    }
    Section::new(say!("Straits and canals"), vec![Block::List(lines)])
}

pub fn gifts(view: &View) -> Section {
    let line = |e: &Event| match e {
        Event::GiftOfDollars { from, to, dollars } if *to == view.seat => {
            Some(say!("{who} gave you {dollars} Dollars", who = player(view, *from)))
        }
        Event::GiftOfDollars { to, dollars, .. } => {
            Some(say!("You gave {dollars} Dollars to {who}", who = player(view, *to)))
        }
        Event::GiftOfForces { from, to, at, arm, n } => {
            let (name, place) = (word(arm.name()), code(view, *at));
            Some(match *to == view.seat {
                true => {
                    say!("{who} gave you {name}={n} in {place}", who = player(view, *from))
                }
                false => say!("You gave {name}={n} in {place} to {who}", who = player(view, *to)),
            })
        }
        _ => None,
    };
    let lines: Vec<Line> = view.events.iter().filter_map(line).map(Line::from).collect();
    if lines.is_empty() {
        return left_out();
    }
    Section::new(say!("Gifts"), vec![Block::List(lines)])
}
