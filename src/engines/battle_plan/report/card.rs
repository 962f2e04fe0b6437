//! The blank card, and the orders in a few lines.

use super::super::desk::{Holding, hundredths};
use super::super::tables::{Messages, Start};
use super::super::view::{View, code};
use engine::report::{Block, Section};

/// The blank card.
pub fn card(view: &View) -> Section {
    let mut lines = vec![
        "Type your orders below these lines; HELP CARD explains how.".to_owned(),
        format!("@       you: Dollars {}", hundredths(view.position.player.cents)),
    ];
    for (space, holding) in &view.position.holdings {
        let hint = match holding {
            Holding::Land(c) => {
                // Suppressed planes take no orders.
                let down = if c.air_down > 0 { format!("<{}>", c.air_down) } else { String::new() };
                let star = if c.is_minor() { " * minor" } else { "" };
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
        heading: format!("Turn card for turn {}", view.turn),
        blocks: vec![Block::Card(lines)],
    }
}

/// The orders in a few lines.
fn quick_reference(view: &View) -> Vec<String> {
    let variant = &view.tables.variant;
    let mut lines = vec![
        "Player: pA pN pE ally, neutral, enemy; pDn give; pK pX strait;".to_owned(),
        "  pF pH pZ share; SnCCC spies; CnCCC counterspies; TSn TCn train;".to_owned(),
        "  RIn..RCn research; PnCCC propaganda; pSn pCn pPn spread;".to_owned(),
        "  BAn.. default builds; U1 U2 options".to_owned(),
        "Space: BIn..BXn build; ATn NTn FTn MTn XTn move; ACn conquer;".to_owned(),
        "  ABn attack; ASn NSn FSn support; NNn at navy; FAn FNn FFn FIn by air;".to_owned(),
        "  MAn MFn MIn missiles; /1/ORDER standing".to_owned(),
    ];
    if variant.opinion {
        lines.push("World opinion: pG3 pG2 pG1 good list, pB3 pB2 pB1 bad list".to_owned());
    }
    lines.push(match (variant.messages, variant.news) {
        (Messages::Canned, _) => "Messages: pWk, pWkXXX (HELP WIRE)".to_owned(),
        (_, true) => "PRESS p ... END message; NEWS ... END newspaper".to_owned(),
        (_, false) => "PRESS p ... END message".to_owned(),
    });
    if variant.start != Start::Even && view.turn == 1 && variant.peaceful_start {
        lines.push("No attacks on turn 1.".to_owned());
    }
    lines
}
