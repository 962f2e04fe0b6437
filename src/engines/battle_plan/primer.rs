//! The introduction for a newcomer: the aim, how to read a printout, a first card.

use std::collections::BTreeMap;

use super::computer;
use super::map::{Map, SpaceId};
use super::orders::{self, Order, PlayerOrder};
use super::state::NOBODY;
use super::variants::Ending;
use super::verbs::{Arm, UnitOrder, Verb};
use super::view::View;
use engine::{Dice, Primer};
use tongue::say;

/// The primer of a seat.
pub fn primer(view: &View) -> Primer {
    let won = match view.tables.variant.ending {
        Ending::Last => {
            say!("The last player who holds a country has won; nobody shares that.")
        }
        Ending::Allies => say!(
            "The game is over when all who are left are allies; who of them has most industry wins."
        ),
        Ending::Points => say!("After some 25 turns the most victory points win."),
    };
    let aim = say!(
        "You lead one of {powers} powers. Take the countries of others with army, navy and air \
         force, build more with your industry, and find friends by letters. {won}",
        powers = view.players.len()
    );
    let mut reading = vec![
        say!(
            "Each country and sea has a code of two or three letters, such as those on the map; \
             in orders its name does as well."
        ),
        say!(
            "Under \"Forces under your control\", A is army, N navy, F air force, M missiles, X \
             antimissiles, I industry, and HPI says how content people are."
        ),
        say!(
            "Orders to a country's forces stand below a line with @ and its code; orders to \
             yourself, such as spies and treaties, below a line with @ alone."
        ),
    ];
    if view.players.len() > 2 {
        reading.push(say!(
            "Players have numbers: 3A makes player 3 your ally, 3E your enemy, and the lines \
             between PRESS 3 and END go to them as a letter."
        ));
    }
    Primer { aim, reading, orders: good_orders(view) }
}

/// A first card: what a computer would order in this position, one line for each kind of order.
fn good_orders(view: &View) -> Vec<(String, String)> {
    let map = &view.tables.map;
    let (entries, _) = orders::read(&computer::play(view, &mut Dice::new(1)));
    let mut section = None;
    // The forces of a space that attack a place, with their orders.
    let mut attacks: BTreeMap<(SpaceId, SpaceId), Vec<UnitOrder<String>>> = BTreeMap::new();
    let (mut builds, mut research) = (Vec::new(), Vec::new());
    for entry in entries {
        match entry.order {
            Ok(Order::Section(code)) => section = code.and_then(|code| map.find(&code)),
            Ok(Order::Space(order)) if order.verb.attacks() => {
                let goal = order.target.as_deref().and_then(|code| map.find(code));
                if let (Some(from), Some(goal)) = (section, goal) {
                    attacks.entry((from, goal)).or_default().push(order);
                }
            }
            Ok(Order::Player(PlayerOrder::Default(item, n))) => builds.push((entry.text, item, n)),
            Ok(Order::Player(PlayerOrder::Research(_, n))) => research.push((entry.text, n)),
            _ => {}
        }
    }
    let army = |orders: &[UnitOrder<String>]| -> i64 {
        orders.iter().filter(|o| o.verb == Verb::Conquer).map(|o| o.n).sum()
    };
    let greatest = attacks.into_iter().max_by_key(|(_, orders)| army(orders));
    let mut good = match greatest.filter(|(_, orders)| army(orders) > 0) {
        Some(((from, goal), orders)) => vec![attack(map, (from, goal), &orders)],
        None => Vec::from_iter(to_sea(view)),
    };
    let line = |texts: &mut dyn Iterator<Item = &String>| {
        texts.fold("@".to_owned(), |line, text| format!("{line} {text}"))
    };
    if !builds.is_empty() {
        // The line has the changes; the text has the builds that result.
        let mut then = view.position.player.defaults;
        builds.iter().for_each(|(_, item, n)| then[*item] = *n);
        let name = |item: usize| Arm::ALL.get(item).map_or("Dollars", |arm| arm.name());
        let built = then.iter().enumerate().filter(|(_, n)| **n > 0);
        let built = built.map(|(item, n)| format!("{} {n}", tongue::word(name(item))));
        good.push((
            line(&mut builds.iter().map(|(text, ..)| text)),
            say!(
                "Industry that you give no order builds these in proportion from now on, until you \
                 change it: {built}.",
                built = built.collect::<Vec<_>>().join(", ")
            ),
        ));
    }
    if !research.is_empty() {
        good.push((
            line(&mut research.iter().map(|(text, _)| text)),
            say!(
                "{dollars} of your Dollars go into research: what your industry builds of it grows \
                 from next turn on.",
                dollars = research.iter().map(|(_, n)| n).sum::<i64>()
            ),
        ));
    }
    good
}

/// The order by which one space attacks another.
fn attack(
    map: &Map,
    (from, goal): (SpaceId, SpaceId),
    orders: &[UnitOrder<String>],
) -> (String, String) {
    let (code, name, goal) = (map.code(from), map.name(from), map.name(goal));
    let written = orders.iter().map(|o| format!(" {o}")).collect::<String>();
    let forces = orders.iter().map(|o| format!("{} {}", o.n, tongue::word(o.verb.arm().name())));
    let army: i64 = orders.iter().filter(|o| o.verb == Verb::Conquer).map(|o| o.n).sum();
    let says = say!(
        "{forces} of {name} attack {goal} to take it; the rest stays and defends. On a line below \
         @{code}, \"conquer {goal} with {army} army\" is the order for the army.",
        forces = forces.collect::<Vec<_>>().join(", ")
    );
    (format!("@{code}{written}"), says)
}

/// The order that sends an island's army to sea, to land on a coast in the next turn.
fn to_sea(view: &View) -> Option<(String, String)> {
    let map = &view.tables.map;
    let of = |s: &SpaceId| view.owners.get(usize::from(s.0)).copied();
    let stock = |s: &SpaceId| view.position.holdings.get(s).map_or(0, |h| h.stock(Arm::Army));
    let lands = view.position.holdings.keys().copied().filter(|s| of(s) == Some(view.seat));
    let home = lands.max_by_key(|s| (stock(s), std::cmp::Reverse(*s)))?;
    let army = stock(&home) * 4 / 5;
    let minor = |s: &SpaceId| !map.is_sea(*s) && of(s) == Some(NOBODY);
    let coast = |sea: &SpaceId| map.neighbours(*sea).iter().copied().find(minor);
    let seas = map.neighbours(home).iter().copied().filter(|s| map.is_sea(*s));
    let (sea, to) = seas.filter_map(|sea| Some((sea, coast(&sea)?))).next()?;
    let says = say!(
        "{army} army of {name} go to sea, to {sea}; next turn they can take {goal} from there, with \
         AC{army}{to} below @{at}.",
        name = map.name(home),
        sea = map.name(sea),
        goal = map.name(to),
        to = map.code(to),
        at = map.code(sea)
    );
    (army > 0).then(|| (format!("@{} AT{army}{}", map.code(home), map.code(sea)), says))
}
