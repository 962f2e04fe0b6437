//! The rules in words, with the figures of the game.

use crate::view::View;
use crate::{ClassicWarlord, primer};
use engine::report::{Align, Block, Table};
use engine::{Books, Primer, Section};

use super::map::Category;
use super::orders::ROWS;
use super::state::State;
use super::tables::{Advance, Draft, Terrain};

impl Books for ClassicWarlord {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        rulebook(state)
    }
}

/// The rulebook of a game.
pub fn rulebook(state: &State) -> Vec<Section> {
    let mut book: Vec<Section> = chapters(state)
        .into_iter()
        .map(|(heading, texts)| Section {
            heading: heading.to_owned(),
            blocks: texts.into_iter().map(|t| Block::Para(t.into())).collect(),
        })
        .collect();
    book.push(orders());
    book.push(regions(state));
    book
}

fn chapters(state: &State) -> Vec<(&'static str, Vec<String>)> {
    vec![
        ("1. The game in short", short(state)),
        ("2. The map", map(state)),
        ("3. The start", start(state)),
        ("4. Bombs", bombs(state)),
        ("5. Extra armies", extra(state)),
        ("6. Moves and attacks", attacks(state)),
        ("7. The number and the guess by mail", by_mail(state)),
        ("8. Leaving and missing", leaving()),
        ("9. The end", end(state)),
    ]
}

fn short(state: &State) -> Vec<String> {
    let seats = state.sides.len();
    vec![
        format!(
            "{seats} players share a map of Europe, North Africa and the Middle East. Seats play one \
             after the other, and nothing is ever thrown: an attack is a number that the attacker \
             chooses in secret and the defender guesses. Whoever destroys everybody else's armies \
             and still lives has won."
        ),
        "A turn has three phases, each complete before the next: bombs are fired, extra armies are \
         placed, armies move and attack. Everything on the map is open. Secret are the numbers, \
         what a seat would guess, and orders that have not run."
            .to_owned(),
    ]
}

fn map(state: &State) -> Vec<String> {
    let map = state.board.map();
    let count = |c: Category| map.regions.iter().filter(|r| r.category == c).count();
    let mix: Vec<String> = Category::ALL
        .iter()
        .map(|c| format!("{} {} ({})", count(*c), c.name(), c.letter()))
        .collect();
    vec![
        format!(
            "{} regions are in play: {}. A region has three digits; the first is its board. Regions \
             are adjacent when they share a boundary.",
            map.len(),
            mix.join(", ")
        ),
        "An empire is a largest set of a seat's regions that are connected. Distance counts the \
         fewest boundaries between two regions, across anything."
            .to_owned(),
    ]
}

fn start(state: &State) -> Vec<String> {
    let how = match state.options.draft {
        Draft::List => {
            "Everybody sends a list, S and regions, the best first; the robot takes the first of it \
             that is possible in each round, and behind its end the lowest."
        }
        Draft::Live => {
            "One pick is asked for at a time: S and regions, of which the first possible one is \
             taken."
        }
    };
    vec![
        "The order of play is drawn by lot. In each round every seat takes one mountain that \
         touches no occupied mountain, with one army on it, as long as there is room for all seats \
         to take another. A pick that would leave too few for those behind it is not possible."
            .to_owned(),
        how.to_owned(),
    ]
}

fn bombs(state: &State) -> Vec<String> {
    if !state.options.bombs {
        return vec!["This game is played without bombs.".to_owned()];
    }
    vec![
        "A region holds one bomb at most. A bomb of so many units crosses up to so many boundaries \
         and may go off on any region that it reaches, or on its own. It belongs to whoever holds \
         its region."
            .to_owned(),
        "An A-bomb makes its target radioactive for ever; the target and all next to it are \
         devastated: armies there are lost, and bombs there go off too, with their own effect. An \
         H-bomb makes its target and all next to it radioactive and devastates one boundary more. \
         A radioactive region can never be entered again; a devastated one can."
            .to_owned(),
        "H-bombs are fired before A-bombs. Who fires an A-bomb wins an H-bomb unit, on a region of \
         the empire that fired which is not devastated and holds no A-bomb; without such a region \
         the shot is not possible. Units that were won in a turn can be fired in the next one, and \
         no A-bomb may set off an H-bomb unit that was placed in the same turn."
            .to_owned(),
    ]
}

fn extra(state: &State) -> Vec<String> {
    let cap = match state.options.army_cap {
        0 => String::new(),
        cap => format!(" A seat has {cap} armies at most; what goes beyond lapses."),
    };
    vec![format!(
        "Each empire claims 1 army, 1 for each mega city, 1 for every 2 key regions and 1 for every \
         3 rural regions; halves and thirds are not added up between empires. They go to that \
         empire's regions, in any split. What a card leaves over goes to the empire's region with \
         most armies before anything moves.{cap}"
    )]
}

fn attacks(state: &State) -> Vec<String> {
    let advance = match state.options.advance {
        Advance::Exact => "exactly as many as the number advance, even if that is all",
        Advance::LeaveOne => "as many as the number advance, but one stays",
    };
    let mut texts = vec![
        "Armies move from a region to an adjacent one that is empty and not radioactive; one stays \
         behind. They may go on from there in the same turn. Moves and attacks may be mixed."
            .to_owned(),
        format!(
            "A region with at least 2 armies may attack an adjacent one of another seat. The number \
             is from 1 to 6 and not above the armies there. If the defender guesses it, the \
             attacker loses so many armies. If not, the defender loses one, the attacker wins an \
             A-bomb unit, and when the region is empty {advance}. Any number of attacks may follow."
        ),
        "The unit goes to the first possible region behind @, else to the attacking region, else to \
         the lowest of its empire, else to the region that was taken: held, without an H-bomb, not \
         the one attacked."
            .to_owned(),
    ];
    if state.options.terrain == Terrain::Classic {
        texts.push(
            "Categories count: at mountains the number is 3 at most, at a mega city 2 at least. A sea \
             that is attacked from land falls without a guess, and as many advance as ordered. \
             Against an attack from the sea there are two guesses."
                .to_owned(),
        );
    }
    texts
}

fn by_mail(state: &State) -> Vec<String> {
    let (turn, live) = (state.options.turn_hours, state.options.live_hours);
    let parts = state.options.instalments_max;
    vec![
        format!(
            "A turn is one card, due {turn} hours after it is asked for. A card without errors is \
             played at once; CHECK as its first line lets you look first. Lines IF follow what comes \
             of attacks, as a player at the table would. Z ends a part of the turn, at most {parts} \
             times: you see what came of it and go on."
        ),
        "Guesses are on file before the attack is seen: lines G, of which the first that fits \
         counts. Without any, E is guessed, an even mix in which no number is better for who counts \
         armies."
            .to_owned(),
        format!(
            "A line with LIVE asks you first, by a short mail: answer it with Q and a number within \
             {live} hours. Without an answer the rest of the line counts."
        ),
        "Numbers and guesses are sealed: your echo has a digest of each, a challenge that of the \
         number, and what was used is opened when the attack is decided. Weights stay closed until \
         the game is over."
            .to_owned(),
        "PRESS with the numbers of seats, a text and END is a letter, and comes with their next \
         mails. What is agreed in letters binds nobody."
            .to_owned(),
    ]
}

fn leaving() -> Vec<String> {
    vec![
        "Without a card no bombs are fired and nothing moves; extra armies go where most armies \
         are, and guesses are those on file."
            .to_owned(),
        "The armies of a seat that nobody plays stand as a garrison: it takes no turns, claims \
         nothing, guesses by E, and need not be destroyed."
            .to_owned(),
    ]
}

fn end(state: &State) -> Vec<String> {
    let rounds = match state.options.rounds_max {
        0 => String::new(),
        n => format!(" After round {n} the game ends, and seats rank by regions, then by armies."),
    };
    vec![format!(
        "A seat without armies is out. One seat that is left has won; if an explosion leaves \
         nobody, those who were in before it share a draw. V DRAW votes for a draw, which needs \
         all who play.{rounds}"
    )]
}

fn orders() -> Section {
    let rows = ROWS.iter().map(|r| {
        let example = r.examples.first().copied().unwrap_or_default();
        vec![r.form.to_owned(), example.to_owned()]
    });
    let columns = [("Order", Align::Left), ("Such as", Align::Left)];
    Section {
        heading: "10. Orders".to_owned(),
        blocks: vec![Block::Table(Table::new(columns, rows.collect()))],
    }
}

fn regions(state: &State) -> Section {
    let map = state.board.map();
    let rows = map.regions.iter().map(|r| {
        let near: Vec<String> = r.near.iter().map(|p| map.region(*p).number.to_string()).collect();
        vec![r.number.to_string(), r.category.letter().to_string(), r.name.clone(), near.join(" ")]
    });
    let columns = [
        ("Region", Align::Right),
        ("", Align::Left),
        ("Name", Align::Left),
        ("Adjacent", Align::Left),
    ];
    Section {
        heading: "11. Regions".to_owned(),
        blocks: vec![Block::Table(Table::new(columns, rows.collect()))],
    }
}
