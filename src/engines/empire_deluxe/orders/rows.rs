//! The table of orders (§16).

use engine::orders::{Bad, OrderRow, among, bare, never, nothing, number as digit};
use tongue::mark;

use super::reader::{Read, Reader, leave, name_unit, number, path, quota};
use super::{Cities, Flags, Order, Task};

/// A row of the table of orders.
pub type Row = OrderRow<Reads>;

/// Cities, and the words after them.
type Rallied<'w> = (Cities, Vec<&'w str>);

/// How the words after the first word are read.
pub enum Reads {
    /// Units, and a step of theirs that the first word names; the function reads the parts of the
    /// step.
    Step(fn(&Reader, &[&str], Flags) -> Read<Task>),
    /// Only units.
    Units,
    /// Cities, and the steps of the units that they build.
    Rally(for<'w> fn(&Reader, &'w [&'w str]) -> Read<Rallied<'w>>),
    /// The whole order by one function.
    Alone(fn(&Reader, &[&str]) -> Read<Order>),
}

/// Every order.
pub const ROWS: &[Row] = &[
    Row {
        word: "M",
        form: mark!("M units x,y"),
        text: mark!(
            "Goes there by the shortest way that is known, turn after turn, and attacks nothing. \
             It waits where something stands in its way. With ? it stops as soon as an enemy comes \
             into sight, with ! an aircraft flies on when no base is in reach any more."
        ),
        examples: &["M 17 23,9", "M 13-16 5,8", "M ALL AR AT 3 12,8"],
        starts: units,
        read: Reads::Step(|r, args, flags| Ok(Task::Go(r.only_square(args)?, flags))),
    },
    Row {
        word: "D",
        form: mark!("D units digits"),
        text: mark!(
            "Takes exactly these steps, by the digits of a number pad: 8 is up, 6 right, 5 waits \
             for a turn. A step into an enemy is an attack."
        ),
        examples: &["D 17 6693", "D 4 8"],
        starts: units,
        read: Reads::Step(|_, args, flags| match args {
            [] => Err(Bad::Form),
            digits => Ok(Task::Path(path(&digits.concat())?, flags)),
        }),
    },
    Row {
        word: "A",
        form: mark!("A units x,y"),
        text: mark!(
            "Goes there and attacks what is on the square, a unit or a city, until it has won, is \
             dead, or nothing is there."
        ),
        examples: &["A 17 24,9"],
        starts: units,
        read: Reads::Step(|r, args, flags| Ok(Task::Attack(r.only_square(args)?, flags))),
    },
    Row {
        word: "S",
        form: mark!("S units"),
        text: mark!(
            "Stands as a sentry; it wakes when it is repaired and when an enemy or a foreign city \
             comes next to it. S 17 ! is a garrison, which never wakes and is never taken aboard; \
             S 17 * attacks what comes next to it with even chances or better."
        ),
        examples: &["S 17", "S 13-16 !", "S 9 *"],
        starts: units,
        read: Reads::Step(|_, args, flags| bare(args, Task::Sentry(flags))),
    },
    Row {
        word: "T",
        form: mark!("T units x,y x,y ..."),
        text: mark!(
            "Patrols from where it is to these squares and back to the first, until an enemy is \
             sighted; with ! it goes on, with * it attacks when chances are even or better."
        ),
        examples: &["T 7 10,5 18,5"],
        starts: units,
        read: Reads::Step(|r, args, flags| r.patrol(args, flags)),
    },
    Row {
        word: "E",
        form: mark!("E units"),
        text: mark!(
            "Explores: to the nearest square from which something new is seen. Aircraft return in \
             time. It stops when nothing is left, and when an enemy is sighted, unless with !; \
             with * it attacks what comes next to it with even chances or better."
        ),
        examples: &["E 21", "E 3-5 !"],
        starts: units,
        read: Reads::Step(|_, args, flags| bare(args, Task::Explore(flags))),
    },
    Row {
        word: "L",
        form: mark!("L units carrier, or L carrier"),
        text: mark!("Goes to a carrier and boards it. A carrier alone waits until it is full."),
        examples: &["L 9 5", "L 5"],
        starts: units,
        read: Reads::Step(|_, args, _| match args {
            [] => Ok(Task::Fill),
            [carrier] => number(carrier).map(Task::Board).ok_or(Bad::Form),
            _ => Err(Bad::Form),
        }),
    },
    Row {
        word: "U",
        form: mark!("U units, or U carrier x,y"),
        text: mark!(
            "A carrier: everything aboard steps off, towards the square if there is one; with * it \
             lands there and attacks the square. Infantry of the advanced edition that has not \
             moved: it becomes an airbase."
        ),
        examples: &["U 5", "U 5 23,9", "U 5 24,9 *"],
        starts: units,
        read: Reads::Step(|r, args, flags| match args {
            [] => Ok(Task::Unload(None, flags)),
            args => Ok(Task::Unload(Some(r.only_square(args)?), flags)),
        }),
    },
    Row {
        word: "R",
        form: mark!("R units"),
        text: mark!(
            "Returns to the nearest city, aircraft to a carrier or an airbase too, and stays until \
             it is whole."
        ),
        examples: &["R 17"],
        starts: units,
        read: Reads::Step(|_, args, _| bare(args, Task::Return)),
    },
    Row {
        word: "W",
        form: mark!("W units turns"),
        text: mark!("Waits that many turns; useful in a queue."),
        examples: &["W 17 2"],
        starts: units,
        read: Reads::Step(|_, args, _| match args {
            [turns] => turns.parse().map(Task::Wait).map_err(|_| Bad::Form),
            _ => Err(Bad::Form),
        }),
    },
    Row {
        word: "K",
        form: mark!("K units"),
        text: mark!("Forgets its orders."),
        examples: &["K 17"],
        starts: units,
        read: Reads::Units,
    },
    Row {
        word: "P",
        form: mark!("P city kind ..."),
        text: mark!(
            "A city builds these, one after the other, and the last one again and again, unless NO \
             stands behind it: then nothing more. What it has done for something else is lost."
        ),
        examples: &["P 3 AR AR TR", "P 3 AR NO", "P 3 NO"],
        starts: digit,
        read: Reads::Alone(|r, w| r.build(w)),
    },
    Row {
        word: "PD",
        form: mark!("PD kind"),
        text: mark!(
            "What cities build that you capture; NO is nothing. Where it can't be built they build \
             land units."
        ),
        examples: &["PD AR"],
        starts: |rest| rest.len() == 1 && rest[0].len() == 2,
        read: Reads::Alone(|r, w| r.default(w)),
    },
    Row {
        word: "Z",
        form: mark!("Z city order THEN order ..."),
        text: mark!(
            "What every unit does that is built there from now on, or in ALL your cities; Z 3 \
             alone ends it."
        ),
        examples: &["Z 3 M 12,8 THEN S", "Z ALL E *", "Z 3"],
        starts: units,
        read: Reads::Rally(|r, w| r.cities(w)),
    },
    Row {
        word: "ZD",
        form: mark!("ZD order THEN order ..."),
        text: mark!(
            "What every unit does that is built in cities which you take from now on; ZD alone \
             ends it."
        ),
        examples: &["ZD E *", "ZD"],
        starts: |rest| rest.first().is_none_or(|w| w.len() <= 1),
        read: Reads::Rally(|_, w| Ok((Cities::Taken, w.to_vec()))),
    },
    Row {
        word: "Q",
        form: mark!("Q transport places"),
        text: mark!("A transport that leaves a city takes no more than so many places."),
        examples: &["Q 5 4"],
        starts: digit,
        read: Reads::Alone(|_, w| quota(w)),
    },
    Row {
        word: "N",
        form: mark!("N unit name"),
        text: mark!("Names a unit."),
        examples: &["N 17 Trafalgar Guard"],
        starts: digit,
        read: Reads::Alone(|_, w| name_unit(w)),
    },
    Row {
        word: "NC",
        form: mark!("NC city name"),
        text: mark!("Names a city."),
        examples: &["NC 3 Trafalgar"],
        starts: digit,
        read: Reads::Alone(|r, w| r.name_city(w)),
    },
    Row {
        word: "X",
        form: mark!("X RESIGN YES, or X ABDICATE YES"),
        text: mark!(
            "Leaves the game: your units go and your cities are nobody's, or a computer plays on."
        ),
        examples: &["X RESIGN YES", "X ABDICATE YES"],
        starts: |rest| among(rest, &["RESIGN", "ABDICATE"]),
        read: Reads::Alone(|_, w| leave(w)),
    },
    Row {
        word: "PRESS",
        form: mark!("PRESS players, text, END"),
        text: mark!(
            "Sends a letter to these players, or to ALL, in games with the option press: the \
             lines between PRESS and END. ANON after the players hides your name. A letter costs \
             nothing and goes out with the next mails."
        ),
        examples: &["PRESS 3", "PRESS ALL ANON"],
        starts: never,
        read: Reads::Alone(|_, _| Err(Bad::Form)),
    },
    Row {
        word: "MORE",
        form: "MORE",
        text: mark!("Ends a part of your turn: what stands above is done at once, and you go on."),
        examples: &["MORE"],
        starts: nothing,
        read: Reads::Alone(|_, w| bare(w, Order::More)),
    },
    Row {
        word: "CLOSE",
        form: "CLOSE",
        text: mark!("Ends the card: your turn is over and nothing more is waited for."),
        examples: &["CLOSE"],
        starts: nothing,
        read: Reads::Alone(|_, w| bare(w, Order::Close)),
    },
];

fn units(rest: &[&str]) -> bool {
    digit(rest) || among(rest, &["ALL"])
}
