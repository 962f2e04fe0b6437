//! The blank card, and a short list of the orders.

use super::super::desk::{Holding, hundredths};
use super::super::variants::{Messages, Start};
use super::super::view::{View, code};
use engine::report::{Block, Section};
use tongue::say;

/// The blank card.
pub fn card(view: &View) -> Section {
    let mut lines = vec![
        say!("Type your orders below these lines; HELP CARD explains how."),
        say!("@       you: Dollars {dollars}", dollars = hundredths(view.position.player.cents)),
    ];
    for (space, holding) in &view.position.holdings {
        let hint = match holding {
            Holding::Land(c) => {
                // Suppressed planes take no orders.
                let down = if c.air_down > 0 { format!("<{}>", c.air_down) } else { String::new() };
                let star = match c.is_minor() {
                    true => format!(" * {}", say!("minor")),
                    false => String::new(),
                };
                format!(
                    "@{:<6} I{} A{} N{} F{}{down} M{} X{}{star}",
                    code(view, *space),
                    c.industry,
                    c.army,
                    c.navy,
                    c.air,
                    c.missiles,
                    c.antimissiles
                )
            }
            Holding::Sea(f) => {
                format!("@{:<6} A{} N{} F{}", code(view, *space), f.army, f.navy, f.air)
            }
        };
        lines.push(hint);
    }
    lines.extend(quick_reference(view));
    Section {
        heading: say!("Turn card for turn {turn}", turn = view.turn),
        blocks: vec![Block::Card(lines)],
    }
}

/// A short list of the orders.
fn quick_reference(view: &View) -> Vec<String> {
    let variant = &view.tables.variant;
    let mut lines = vec![
        say!("Player: pA pN pE ally, neutral, enemy; pDn give; pK pX strait;"),
        say!("  pF pH pZ share; SnCCC spies; CnCCC counterspies; TSn TCn train;"),
        say!("  RIn..RCn research; PnCCC propaganda; pSn pCn pPn spread;"),
        say!("  BAn.. default builds; U1 U2 options"),
        say!("Space: BIn..BXn build; ATn NTn FTn MTn XTn move; ACn conquer;"),
        say!("  ABn attack; ASn NSn FSn support; NNn at navy; FAn FNn FFn FIn by air;"),
        say!("  MAn MFn MIn missiles; /1/ORDER standing"),
    ];
    if variant.opinion {
        lines.push(say!("World opinion: pG3 pG2 pG1 good list, pB3 pB2 pB1 bad list"));
    }
    lines.push(match (variant.messages, variant.news) {
        (Messages::Canned, _) => say!("Messages: pWk, pWkXXX (HELP WIRE)"),
        (_, true) => say!("PRESS p ... END message; NEWS ... END newspaper"),
        (_, false) => say!("PRESS p ... END message"),
    });
    if variant.start != Start::Even && view.turn == 1 && variant.peaceful_start {
        lines.push(say!("No attacks on turn 1."));
    }
    lines
}
