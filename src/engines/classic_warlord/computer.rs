//! The computer player (§16): it knows only its view.
//!
//! It tries its turn in several styles on a copy of the board, and takes the one that leaves it the
//! greatest share of everything that counts. The strengths differ in how far they look ahead before
//! they compare: `easy` does not look ahead and plays a plain style, `normal` looks at the turn of
//! the next enemy that it touches, `hard` at two such turns, with a turn of its own where it comes
//! between them. On a single board, where the first player has a large advantage, `hard` is only a
//! little better than `normal`.

use crate::ClassicWarlord;
use engine::{CardText, Computers, Dice, Play, Seat, Strength};

use super::board::{Board, Kind};
use super::map::Category;
use super::plan::{Odds, PLAIN, Prey, Style, Where, meets_enemies, plan, worth};
use super::tables::Draft;
use super::turn::Turn;
use super::view::{Scene, View};

impl Computers for ClassicWarlord {
    fn play(view: &View, _notes: &str, dice: &mut Dice) -> Play {
        play(view, dice)
    }
}

const fn thorough(place: Where, prey: Prey) -> Style {
    Style { place, prey, thorough: true }
}

/// The round after which the computer votes for a draw: few decided games last so long.
const ROUNDS: u32 = 300;

/// The styles that are compared; among equal ones the first is taken.
const STYLES: [Style; 6] = [
    thorough(Where::Facing, Prey::Weak),
    thorough(Where::Facing, Prey::Strong),
    thorough(Where::Strongest, Prey::Weak),
    thorough(Where::Strongest, Prey::Strong),
    thorough(Where::Free, Prey::Weak),
    thorough(Where::Free, Prey::Strong),
];

/// The card of a computer player.
pub fn play(view: &View, dice: &mut Dice) -> Play {
    let lines = match &view.scene {
        Scene::Draft(_) if view.picks() => vec![wishes(view, dice)],
        Scene::Turn(turn) if turn.seat == view.seat => card(view, turn),
        // Guesses are drawn by E, as for a seat without lines on file.
        Scene::Challenge(_, asked) if asked.target.defender == view.seat => {
            let bounds = asked.target.bounds;
            let number = super::numbers::Draw::Even.draw(bounds, view.options.even, dice, "guess");
            vec![format!("Q {number}")]
        }
        _ => Vec::new(),
    };
    CardText::of(&lines).into()
}

/// Mountains in the order of the value of their surroundings; equal ones in random order.
fn wishes(view: &View, dice: &mut Dice) -> String {
    let map = view.board.map();
    let mut all: Vec<(i64, u32, _)> = map
        .places()
        .filter(|p| map.category(*p) == Category::Mountains && view.board.owner(*p).is_none())
        .map(|p| {
            let near: i64 = map.near(p).map(|n| 1 + worth(map.category(n))).sum();
            (-near, dice.below("wish", 1000), p)
        })
        .collect();
    all.sort_unstable();
    let most = match view.options.draft {
        Draft::List => 60,
        Draft::Live => 12,
    };
    let names: Vec<String> =
        all.iter().take(most).map(|(_, _, p)| map.region(*p).number.to_string()).collect();
    format!("S {}", names.join(" "))
}

/// The card of a turn.
fn card(view: &View, turn: &Turn) -> Vec<String> {
    let odds = Odds::of(&view.options.even);
    let rules = (&view.options, &odds);
    let enemies = match view.options.strength(view.seat) {
        Strength::Easy => 0,
        Strength::Normal => 1,
        Strength::Hard => 2,
    };
    let style = match enemies {
        0 => PLAIN,
        _ => {
            let share = |style: &Style| {
                let (_, after) = plan(&view.board, turn.clone(), rules, *style, false);
                share(&look(view, after, rules, enemies), view)
            };
            let shares: Vec<i64> = STYLES.iter().map(share).collect();
            let best = shares.iter().copied().max().unwrap_or(0);
            let first = STYLES.iter().zip(&shares).find(|(_, s)| **s == best);
            first.map_or(STYLES[0], |(style, _)| *style)
        }
    };
    let (mut lines, after) = plan(&view.board, turn.clone(), rules, style, true);
    // A player whom radioactive land cuts off from all others votes for a draw, and after many
    // rounds everybody does.
    let voted = view.side(view.seat).is_some_and(|s| s.draw);
    let cut_off = !meets_enemies(&after, view.seat) && enemies_live(&after, view.seat);
    let draw = cut_off || view.round > ROUNDS;
    if draw != voted {
        lines.push(format!("V {}", if draw { "DRAW" } else { "NODRAW" }));
    }
    lines
}

fn enemies_live(board: &Board, seat: Seat) -> bool {
    board.lands.iter().any(|l| l.owner.is_some_and(|o| o != seat))
}

/// The board after the turns of the next `enemies` enemies that the seat touches, in the order of
/// play, and of its own turns between them.
fn look(
    view: &View,
    mut board: Board,
    rules: (&super::tables::Options, &Odds),
    enemies: u32,
) -> Board {
    let me = view.seat;
    let mut left = enemies;
    let start = view.order.iter().position(|s| *s == me).unwrap_or(0);
    let seats = view.order.iter().cycle().skip(start + 1).take(view.order.len() * 2);
    for seat in seats {
        if left == 0 {
            break;
        }
        let own = *seat == me;
        if !board.lives(*seat) || !own && (!view.plays(*seat) || !touch(&board, *seat, me)) {
            continue;
        }
        // A computer that looks at several enemies expects them to play as it does.
        let style = if own || enemies > 1 { STYLES[0] } else { PLAIN };
        board = plan(&board, Turn::new(*seat, 1), rules, style, false).1;
        left -= u32::from(!own);
    }
    board
}

fn touch(board: &Board, a: Seat, b: Seat) -> bool {
    board.held(a).any(|p| board.map().near(p).any(|n| board.holds(b, n)))
}

/// The share of a seat in everything that counts, in millionths: armies, their growth, bombs.
fn share(board: &Board, view: &View) -> i64 {
    let power = |seat: Seat| -> i64 {
        let armies = i64::from(board.total(seat));
        if armies == 0 {
            return 0;
        }
        let claim: i64 = board.empires(seat).iter().map(|e| i64::from(board.extra(e))).sum();
        let bombs: i64 = board
            .held(seat)
            .filter_map(|p| board.bomb(p))
            .map(|b| if b.kind == Kind::A { 1 } else { 3 })
            .sum();
        2 * armies + 4 * claim + bombs
    };
    let all: i64 = view.seats().map(power).sum();
    1_000_000 * power(view.seat) / all.max(1)
}
