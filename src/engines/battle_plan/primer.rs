//! What a newcomer is told before all else: the aim, how to read a printout, a first card.

use super::judge;
use super::map::SpaceId;
use super::state::NOBODY;
use super::tables::Ending;
use super::verbs::Arm;
use super::view::View;
use engine::{CardText, Mark, Primer};
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
    Primer { aim, reading, orders: orders(view) }
}

/// A first card: a neighbour is taken or found out about, industry builds.
fn orders(view: &View) -> Vec<(String, String)> {
    let map = &view.tables.map;
    let own = |s: &SpaceId| view.owners.get(usize::from(s.0)) == Some(&view.seat);
    let lands = view.position.holdings.keys().copied().filter(own);
    let stock = |s: SpaceId| view.position.holdings.get(&s).map_or(0, |h| h.stock(Arm::Army));
    let Some(home) = lands.max_by_key(|s| (stock(*s), std::cmp::Reverse(*s))) else {
        return Vec::new();
    };
    let (code, name) = (map.code(home), map.name(home));
    let mut orders = Vec::new();
    let minor = |s: &SpaceId| !map.is_sea(*s) && view.owners.get(usize::from(s.0)) == Some(&NOBODY);
    let near = map.neighbours(home).iter().copied().filter(minor);
    // By sea where no land leads to one.
    let far = map.all().filter(minor);
    let army = stock(home) * 4 / 5;
    let taken = near.clone().chain(far).find(|to| {
        let line = format!("@{code} AC{army}{}", map.code(*to));
        let judged = judge::judge(view, &CardText::new(&line));
        army > 0 && judged.lines.iter().all(|l| matches!(l.mark, Mark::Ok | Mark::Remark))
    });
    if let Some(to) = taken {
        orders.push((
            format!("@{code} AC{army}{}", map.code(to)),
            say!(
                "{army} army of {name} attack {goal} to take it; the rest stays and defends. On a \
                 line below @{code}, \"conquer {goal} with {army} army\" says the same.",
                goal = map.name(to)
            ),
        ));
    }
    // An island's army goes to sea first, and takes the coast beyond in the next turn.
    let coast = |sea: &SpaceId| map.neighbours(*sea).iter().copied().find(minor);
    let seas = map.neighbours(home).iter().copied().filter(|s| map.is_sea(*s));
    let beyond = seas.filter_map(|sea| Some((sea, coast(&sea)?))).next();
    if let (None, Some((sea, to)), 1..) = (taken, beyond, army) {
        orders.push((
            format!("@{code} AT{army}{}", map.code(sea)),
            say!(
                "{army} army of {name} go to sea, to {sea}; next turn they can take {goal} from \
                 there, with AC{army}{to} below @{at}.",
                sea = map.name(sea),
                goal = map.name(to),
                to = map.code(to),
                at = map.code(sea)
            ),
        ));
    }
    let beyond = beyond.map(|(_, to)| to);
    orders.push((
        format!("@{code} BA20"),
        say!("20 industry of {name} build army, which is there next turn."),
    ));
    let dollars = view.position.player.cents / 100 / 2;
    if dollars > 0 {
        orders.push((
            format!("@ RA{dollars}"),
            say!(
                "{dollars} of your Dollars go into research of army: what your industry builds of \
                 it grows from next turn on."
            ),
        ));
    }
    if let Some(to) =
        near.chain(beyond).chain(map.all().filter(minor)).find(|to| Some(*to) != taken)
    {
        orders.push((
            format!("@ S3{}", map.code(to)),
            say!(
                "3 spies go to {place}, so that its forces stand in your next printout.",
                place = map.name(to)
            ),
        ));
    }
    orders
}
