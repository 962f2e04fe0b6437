//! The rules in words, with the figures of a game.

use crate::view::View;
use crate::{Imperium, primer};
use engine::report::{Align, Block, Section, Table};
use engine::{Books, Primer};

use super::kinds::{Kind, Side};
use super::orders::ROWS;
use super::state::State;
use super::tables::{Figures, Tempo};

impl Books for Imperium {
    fn primer(view: &View) -> Primer {
        primer::primer(view)
    }

    fn rulebook(state: &State) -> Vec<Section> {
        rulebook(state)
    }
}

/// The rulebook of a game.
pub fn rulebook(state: &State) -> Vec<Section> {
    let chapters: [(&str, Vec<String>); 10] = [
        ("1. The game", game(state)),
        ("2. Planets and connection", planets(state)),
        ("3. Administration", administration(state)),
        ("4. Action segments", segments(state)),
        ("5. Moves and scouts", moves()),
        ("6. Space battles", space(state)),
        ("7. Planetary battles", ground()),
        ("8. Close-Out", close_out(state)),
        ("9. Glory and peace", glory(state)),
        ("10. By mail", by_mail(state)),
    ];
    let text = |(heading, paragraphs): (&str, Vec<String>)| Section {
        heading: heading.to_owned(),
        blocks: paragraphs.into_iter().map(|p| Block::Para(p.into())).collect(),
    };
    let mut sections: Vec<Section> = chapters.into_iter().map(text).collect();
    sections.push(units(state));
    sections.push(court());
    sections.push(orders());
    sections.push(systems(state));
    sections
}

fn game(state: &State) -> Vec<String> {
    let wars = match state.options.campaign {
        true => {
            "The game is a campaign: wars with peace between them, until one side holds the other's \
             homes at the end of a war."
        }
        false => "The game is one war of at most ten turns.",
    };
    vec![
        format!(
            "Seat 1 is the Terran side, seat 2 the Imperial one. {wars} Glory begins at 5: low is good \
             for the Terrans, high for the Imperium."
        ),
        "A turn: Imperial Intervention, appeal and income; arrivals and construction; four action \
         segments, in which the sides activate systems in turn; the Close-Out with maintenance and \
         repair. Then Glory is looked at."
            .to_owned(),
    ]
}

fn planets(state: &State) -> Vec<String> {
    let hexes: Vec<String> =
        state.board.tables.hexes.iter().map(|(g, n)| format!("{} {n}", g.code())).collect();
    vec![
        format!(
            "Planet 2 of system 01 is written 01.2. Types have hexes: {}. Regular troops need an A \
             planet, planetary defence any but X1; jump troops and fighters go everywhere. A box holds \
             five units for each hex.",
            hexes.join(", ")
        ),
        "A planet is yours with your World or Outpost on it, or if only your units are there. Units of \
         both sides make it disputed: it gives nobody anything."
            .to_owned(),
        "A system is connected if routes lead from it to Sol, or to an Imperial home world (33.1, 35.1, \
         38.1) that the Imperium holds, over systems without enemy fleets."
            .to_owned(),
    ]
}

fn administration(state: &State) -> Vec<String> {
    let i = &state.board.tables.income;
    let w = &state.board.tables.works;
    vec![
        format!(
            "Income: Terran {} for Sol, {} for each other connected World, {} for an unconnected one, \
             {} for each connected Outpost. Imperial {} and increases, {} for each World, {} for each \
             connected Outpost.",
            i.terran_home,
            i.terran_connected,
            i.terran_unconnected,
            i.outpost,
            i.imperial_budget,
            i.world,
            i.outpost
        ),
        "Units are paid at once and arrive turns later, at your Worlds: no World gets a second unit \
         before all have one. Fighters, troops, planetary defence may arrive aboard an empty TR or AT \
         there; Outposts must. What you do not place the robot places."
            .to_owned(),
        "The Terran side builds no BB before one of its B was destroyed. The Imperial side builds CR, \
         CA, B1, B2 and BB only with the Emperor's permission."
            .to_owned(),
        format!(
            "Terraforming: T on an N1 or N2 planet with a connected Outpost of yours costs {} on each of \
             {} or {} turns; N1 becomes A2, N2 becomes A3. In peace G makes an Outpost on an A planet a \
             World, {} on each of {} turns.",
            w.cost, w.terraform_n1, w.terraform_n2, w.cost, w.upgrade
        ),
    ]
}

fn segments(state: &State) -> Vec<String> {
    vec![
        "Both roll a die. Equal: nobody acts in this segment. Else the higher begins, and each may \
         activate as many systems as its die shows, in turn. Two passes in a row end the segment."
            .to_owned(),
        "In an activated system you may, in the order of your card: divide and combine fleets, load \
         and unload, put down an Outpost, engage enemy ships, attack one planet, move fleets out. No \
         unit moves twice in a segment, and a fleet that came in this segment attacks no planet."
            .to_owned(),
        format!(
            "A plan is a list of blocks, the best first. When you are to act, the block that is played \
             is the first that is unused, whose condition is true, and that has something that can be \
             done. WAIT passes once. \
             HALT stops the segment, at most {} times, and both may plan anew.",
            state.options.halts_max
        ),
    ]
}

fn moves() -> Vec<String> {
    vec![
        "Light ships make 5 jumps, capital ships 4, others 3, damaged ones one less; a fleet goes as \
         its slowest. Enemy warships other than scouts, and monitors, stop it: battle at once. Where \
         only scouts, fighters or auxiliaries are you pass, unless you end there or write ! behind the \
         system."
            .to_owned(),
        "A fleet of scouts alone that enters a system with enemy fleets, Outposts or Worlds rolls two \
         dice, plus one for each destroyer shown there: with 10 or less it is undetected, sees all, and \
         may go on."
            .to_owned(),
        "S sends a fleet through open space, in segment 1: one hex of 1.63 light years a turn."
            .to_owned(),
    ]
}

fn space(state: &State) -> Vec<String> {
    let ask = match state.options.battle_rounds {
        true => format!(
            " Battles worth {} Resources on a side stop after each round for new Y, Q and Z.",
            state.options.battle_ask
        ),
        false => String::new(),
    };
    vec![
        "The board has 5 × 5 × 3 areas; the moving side begins at x 1, the other at x 5. Three rounds: \
         initiative (the moving side adds 1 in the first round, later who had it), three movement \
         steps, beams, torpedoes. Light ships make 3 areas, capital ships 2, others 1, fighters 6; at \
         most 12 ships of a side stand in an area."
            .to_owned(),
        "Dice are the factor. Beams hit with 4–6 at range 0, 6 at range 1, of capital ships also at 2; \
         torpedoes with 5–6 at range 0 and 1, 6 at 2 and 3. Each 6 of the target's CM dice stops a \
         torpedo hit. Hits of a step below the defence do nothing, from it on they damage, three times \
         as many destroy at once; a damaged unit is destroyed by the next damage. Damage halves dice."
            .to_owned(),
        format!(
            "Your ships follow stances (Y: the range a group seeks) and lists of targets (Q).{ask} After \
             three rounds the side that lost more Resources retreats to where it came from, or to a \
             system nearer to its home; equal, the moving side."
        ),
        "A major battle, with capital ships on both sides or ten ships on each, changes Glory by 1."
            .to_owned(),
    ]
}

fn ground() -> Vec<String> {
    vec![
        "K attacks a planet with ships that were there before the segment, when no enemy ship or \
         monitor is left. K with B bombards: fighters and planetary defence fire first, then a die for \
         each 3 torpedo factors; each 6 hits."
            .to_owned(),
        "Landing: the defenders stand on hexes, five at most in each, planetary defence, troops and \
         fighters one by one from hex 1 unless J says otherwise. Their fighters and planetary defence \
         (4–6 on a World, else 5–6) fire at transports. Then invaders move (troops 1 hex, jump troops \
         3) and fight in shared hexes: each 6 hits, and only troops eliminate troops."
            .to_owned(),
        "With no defender left, troops take the planet and its World or Outpost. Else it is disputed: \
         either may attack it again with K, or evacuate with V."
            .to_owned(),
    ]
}

fn close_out(state: &State) -> Vec<String> {
    let u = &state.board.tables.upkeep;
    vec![
        format!(
            "Each World gives {} and each Outpost {} for maintenance of ships in its system, and the \
             stockpile the rest where routes free of enemy fleets lead to a World of yours. A ship \
             without it rolls a die, plus 1 at a base or with an AR: its maintenance or less damages \
             it. Troops and planetary defence cost {} each from the stockpile.",
            u.world, u.outpost, u.ground
        ),
        "Then X scraps, F repairs for the maintenance figure (troops and planetary defence for half \
         their cost), and F3+F4 makes one of two reduced fighters or monitors."
            .to_owned(),
    ]
}

fn glory(state: &State) -> Vec<String> {
    let v = &state.board.tables.victory;
    let row = |(n, (t, i)): (usize, (&i32, &i32))| format!("{n}: {t} / {i}");
    let rows: Vec<String> = (1..).zip(v.terran.iter().zip(&v.imperial)).map(row).collect();
    vec![
        "Glory: Terran Outpost captured +1, Terran World +3, Imperial Outpost lost -1, Imperial World \
         -3, major battle +1 or -1 for its winner. A terraformed planet bombarded: -2 by the Imperium, \
         +1 by the Terrans. During an Imperial Visit gains double and losses triple."
            .to_owned(),
        format!(
            "The war is won at the end of a turn at or below / at or above: {}. Glory 5 after turn 10 is \
             a truce, and so is Z TRUCE of both.",
            rows.join(", ")
        ),
        "Between wars: forces on loan leave unless the Imperium won, three dice give the turns of peace, \
         Outposts cut off are given up, ships and troops go home, the winner's stockpile is spent. In \
         peace everything costs twice as much and fleets keep out of enemy systems. Glory begins at 4 if \
         the Imperium lost, 6 if it won, 5 after a truce."
            .to_owned(),
    ]
}

fn by_mail(state: &State) -> Vec<String> {
    let (turn, live) = (state.options.turn_hours, state.options.live_hours);
    let tempo = match state.options.tempo {
        Tempo::Segment => {
            "A step is a segment, the first with arrivals and construction, the last \
                           with the Close-Out"
        }
        Tempo::Activation => "A step is one activation of the seat that is to act",
        Tempo::Turn => "A step is a whole turn",
    };
    vec![
        format!(
            "{tempo}. Cards are due after {turn} hours, after a HALT {live}. Both plan in secret, and \
             dice fall as at the table. When both say READY, the step runs at once."
        ),
        "Without a card your plans on file and your standing orders count. Plans for later segments \
         stay on file to the end of the turn."
            .to_owned(),
        "Who resigns and has no successor has lost war and campaign.".to_owned(),
    ]
}

fn figures(f: Option<&Figures>) -> String {
    let Some(f) = f else { return "–".to_owned() };
    let fighters = if f.f > 0 { format!(" F{}", f.f) } else { String::new() };
    format!(
        "B{} T{} D{} CM{}{fighters} M{} ×{} C{}/{}",
        f.b, f.t, f.d, f.cm, f.m, f.count, f.cost, f.turns
    )
}

fn units(state: &State) -> Section {
    let tables = &state.board.tables;
    let rows = Kind::ALL.into_iter().map(|kind| {
        let unit = tables.unit(kind);
        let text = |side: Side| match tables.of(side, kind) {
            Some(f) if kind.is_troops() => {
                let dice: Vec<String> = f.dice.iter().map(u32::to_string).collect();
                format!("dice {} D{} ×{} C{}/{}", dice.join(" "), f.d, f.count, f.cost, f.turns)
            }
            f => figures(f),
        };
        vec![kind.code().to_owned(), unit.name.clone(), text(Side::Terran), text(Side::Imperial)]
    });
    let columns = [
        ("", Align::Left),
        ("Unit", Align::Left),
        ("Terran", Align::Left),
        ("Imperial", Align::Left),
    ];
    Section {
        heading: "11. Units".to_owned(),
        blocks: vec![
            Block::Para(
                "B beam dice, T torpedo dice, D defence, CM counter-measure dice, F fighters carried, M \
                 maintenance, × counters, C cost / turns to build."
                    .into(),
            ),
            Block::Table(Table::new(columns, rows.collect())),
        ],
    }
}

/// Intervention and appeal by the roll.
fn court() -> Section {
    let events = [
        ("2", "Succession: die 1–2 civil war, Imperial initiative -1", "prohibited", "prohibited"),
        ("3", "Frontier Crisis: ships worth a die leave for 3 turns", "prohibited", "prohibited"),
        ("4", "Visit: as 9, die + 1; gains ×2, losses ×3", "CL, DD", "prohibited"),
        ("5", "Recentralization: permissions revoked", "CR", "–"),
        ("6", "Depression: income -10 for 3 turns", "CA", "–"),
        ("7", "–", "–", "10 Resources"),
        ("8", "Boom: income +10", "CR, CA may be built", "budget +1"),
        ("9", "Mandated Offensive, while Glory rises", "B1", "budget +2"),
        ("10", "DD and CL", "B2", "budget +3"),
        ("11", "ships worth a die", "BB", "budget +4"),
        ("12", "Peace Talks: no attacks this turn", "all", "budget +5"),
    ];
    let rows = events.map(|(n, a, b, c)| [n, a, b, c].map(str::to_owned).to_vec());
    let columns = [
        ("2 dice", Align::Right),
        ("Intervention", Align::Left),
        ("Appeal: forces", Align::Left),
        ("Appeal: finances", Align::Left),
    ];
    Section {
        heading: "12. The Emperor".to_owned(),
        blocks: vec![Block::Table(Table::new(columns, rows.to_vec()))],
    }
}

fn orders() -> Section {
    let rows = ROWS.iter().map(|r| {
        let example = r.examples.first().copied().unwrap_or_default();
        vec![r.form.to_owned(), example.to_owned()]
    });
    let columns = [("Order", Align::Left), ("Such as", Align::Left)];
    Section {
        heading: "13. Orders".to_owned(),
        blocks: vec![Block::Table(Table::new(columns, rows.collect()))],
    }
}

fn systems(state: &State) -> Section {
    let galaxy = &state.board.galaxy;
    let rows = galaxy.all().zip(&galaxy.systems).map(|(system, row)| {
        let near: Vec<String> = galaxy.near(system).map(|s| s.to_string()).collect();
        let planets: Vec<&str> = row.planets.iter().map(|g| g.code()).collect();
        let star = if row.star == row.name { String::new() } else { row.star.clone() };
        vec![system.to_string(), row.name.clone(), star, planets.join(" "), near.join(" ")]
    });
    let columns = [
        ("", Align::Left),
        ("System", Align::Left),
        ("Star", Align::Left),
        ("Planets", Align::Left),
        ("Routes", Align::Left),
    ];
    Section {
        heading: "14. Systems".to_owned(),
        blocks: vec![Block::Table(Table::new(columns, rows.collect()))],
    }
}
