//! Orders in words: verbs for heads, names of spaces and players (§4 to §6).

use std::sync::LazyLock;

use super::state::ITEMS;
use super::view::View;
use crate::BattlePlan;
use engine::wording::form;
use engine::{Form, Forms, Names, Words};
use tongue::mark;

impl Words for BattlePlan {
    fn wording() -> &'static Forms {
        &FORMS
    }

    fn names(view: &View) -> Names {
        names(view)
    }
}

/// Every order that can be said in words. Other orders are written as in the order table.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    let mut forms = vec![
        form("@", "place", "@{place}"),
        form(
            "CONQUER INVADE ATTACK TAKE CAPTURE",
            "n ARMY|ARMIES place / place n ARMY|ARMIES / n place / place n",
            "{within} AC{n}{place}",
        )
        .called(mark!("Conquer")),
        form(
            "RAID",
            "n ARMY|ARMIES place / place n ARMY|ARMIES / n place / place n",
            "{within} AB{n}{place}",
        )
        .called(mark!("Raid")),
        form(
            "DEFEND SUPPORT",
            "n ARMY|ARMIES place / place n ARMY|ARMIES",
            "{within} AS{n}{place}",
        )
        .called(mark!("Army supports")),
        form(
            "DEFEND SUPPORT",
            "n NAVY|NAVIES place / place n NAVY|NAVIES",
            "{within} NS{n}{place}",
        )
        .called(mark!("Navy supports")),
        form("DEFEND SUPPORT", "n AIR FORCE place / place n AIR FORCE", "{within} FS{n}{place}")
            .called(mark!("Air force supports")),
        form("MOVE SEND TRANSFER MARCH SAIL FLY", "n ARMY|ARMIES place", "{within} AT{n}{place}")
            .called(mark!("Move armies")),
        form("MOVE SEND TRANSFER SAIL", "n NAVY|NAVIES place", "{within} NT{n}{place}")
            .called(mark!("Move navies")),
        form(
            "MOVE SEND TRANSFER FLY",
            "n AIR FORCE place / n AIRFORCE place",
            "{within} FT{n}{place}",
        )
        .called(mark!("Move air force")),
        form(
            "ATTACK BOMB STRIKE",
            "n AIR FORCE ARMY|ARMIES place / ARMY|ARMIES place n AIR FORCE / \
             n AIR FORCE place / place n AIR FORCE",
            "{within} FA{n}{place}",
        )
        .called(mark!("Air force attacks army")),
        form("MOVE SEND TRANSFER", "n MISSILE|MISSILES place", "{within} MT{n}{place}")
            .called(mark!("Move missiles")),
        form("MOVE SEND TRANSFER", "n ANTIMISSILE|ANTIMISSILES place", "{within} XT{n}{place}")
            .called(mark!("Move antimissiles")),
        form("BUILD MAKE PRODUCE", "n INDUSTRY|INDUSTRIES", "{within} BI{n}")
            .called(mark!("Build industries")),
        form("BUILD MAKE PRODUCE", "n ARMY|ARMIES", "{within} BA{n}").called(mark!("Build armies")),
        form("BUILD MAKE PRODUCE", "n NAVY|NAVIES", "{within} BN{n}").called(mark!("Build navies")),
        form("BUILD MAKE PRODUCE", "n AIR FORCE / n AIRFORCE", "{within} BF{n}")
            .called(mark!("Build air force")),
        form("BUILD MAKE PRODUCE", "n MISSILE|MISSILES", "{within} BM{n}")
            .called(mark!("Build missiles")),
        form("BUILD MAKE PRODUCE", "n ANTIMISSILE|ANTIMISSILES", "{within} BX{n}")
            .called(mark!("Build antimissiles")),
        form("ALLY BEFRIEND", "player", "@ {player}A {above}").called(mark!("Ally")),
        form("NEUTRAL", "player", "@ {player}N {above}").called(mark!("Neutral")),
        form("ENEMY FIGHT", "player", "@ {player}E {above}").called(mark!("Enemy")),
        form("DECLARE", "player ENEMY / ENEMY player / WAR player", "@ {player}E {above}"),
        form("DECLARE", "player NEUTRAL / NEUTRAL player", "@ {player}N {above}"),
        form("DECLARE", "player ALLY / ALLY player", "@ {player}A {above}"),
        form(
            "GIVE PAY SEND",
            "player n DOLLAR|DOLLARS / n DOLLAR|DOLLARS player",
            "@ {player}D{n} {above}",
        )
        .called(mark!("Give dollars")),
        // The number is the cost in Dollars, so "train 2 spies" is not such an order.
        form("TRAIN", "SPY|SPIES n / SPY|SPIES n DOLLAR|DOLLARS", "@ TS{n} {above}")
            .called(mark!("Train spies")),
        form(
            "TRAIN",
            "COUNTERSPY|COUNTERSPIES n / COUNTERSPIES n DOLLAR|DOLLARS",
            "@ TC{n} {above}",
        )
        .called(mark!("Train counterspies")),
        form(
            "RESEARCH SPEND",
            "item n / item n DOLLAR|DOLLARS / n DOLLAR|DOLLARS item / \
             n DOLLAR|DOLLARS item RESEARCH / n item",
            "@ R{item}{n} {above}",
        )
        .called(mark!("Research")),
        // An order that names its own country returns to the section above it.
        form(
            "ATTACK CONQUER INVADE",
            "place FROM from:place n ARMY|ARMIES / place FROM from:place n / \
             n ARMY|ARMIES place FROM from:place / from:place place n ARMY|ARMIES",
            "@{from} AC{n}{place} {above}",
        ),
        form(
            "CONQUER INVADE ATTACK TAKE CAPTURE",
            "place n ARMY|ARMIES FROM from:place",
            "@{from} AC{n}{place} {above}",
        ),
        form(
            "MOVE SEND TRANSFER MARCH SAIL",
            "n ARMY|ARMIES FROM from:place place / n ARMY|ARMIES place FROM from:place / \
             from:place n ARMY|ARMIES place",
            "@{from} AT{n}{place} {above}",
        ),
        form(
            "MOVE SEND TRANSFER SAIL",
            "n NAVY|NAVIES FROM from:place place / n NAVY|NAVIES place FROM from:place / \
             from:place n NAVY|NAVIES place",
            "@{from} NT{n}{place} {above}",
        ),
        form(
            "MOVE SEND TRANSFER FLY",
            "n AIR FORCE FROM from:place place / n AIR FORCE place FROM from:place",
            "@{from} FT{n}{place} {above}",
        ),
        form(
            "ATTACK BOMB STRIKE",
            "ARMY|ARMIES place n AIR FORCE FROM from:place / \
             ARMY|ARMIES place n AIRFORCE FROM from:place / \
             from:place n AIR FORCE ARMY|ARMIES place / n AIR FORCE FROM from:place place / \
             from:place n AIR FORCE place",
            "@{from} FA{n}{place} {above}",
        ),
        form("MAKE", "player MY ALLY / player ALLY", "@ {player}A {above}"),
        form("IS", "player MY ALLY / player NOW MY ALLY / player ALLY", "@ {player}A {above}"),
        form("IS", "player MY ENEMY / player NOW MY ENEMY / player ENEMY", "@ {player}E {above}"),
        form("IS", "player NEUTRAL / player NOW NEUTRAL", "@ {player}N {above}"),
        form("BUILD MAKE PRODUCE", "n ARMY|ARMIES place", "@{place} BA{n} {above}"),
        form("BUILD MAKE PRODUCE", "n NAVY|NAVIES place", "@{place} BN{n} {above}"),
        form("BUILD MAKE PRODUCE", "n AIR FORCE place", "@{place} BF{n} {above}"),
        form("SPY SPIES S SEND", "n SPY|SPIES place / n place / place n", "@ S{n}{place} {above}")
            .called(mark!("Spies")),
        form("PROPAGANDA P", "n DOLLAR|DOLLARS place / n place / place n", "@ P{n}{place} {above}")
            .called(mark!("Propaganda dollars")),
        form("COUNTERSPY C", "n place / place n", "@ C{n}{place} {above}")
            .called(mark!("Counterspy")),
    ];
    // Orders with a head and a name: `AC30 Germany`, `AC 30 Germany`.
    forms.extend(CODED.iter().map(|(head, named, writes)| Form {
        verbs: vec![head],
        takes: vec![vec!["n", "place"], vec!["place", "n"]],
        writes,
        named,
    }));
    Forms::new(forms)
});

/// The orders with a head, a number and a space: the head, its meaning, its written form.
const CODED: [(&str, &str, &str); 18] = [
    ("AT", mark!("Move army"), "{within} AT{n}{place}"),
    ("AC", mark!("Conquer"), "{within} AC{n}{place}"),
    ("AB", mark!("Raid"), "{within} AB{n}{place}"),
    ("AS", mark!("Army supports"), "{within} AS{n}{place}"),
    ("NT", mark!("Move navy"), "{within} NT{n}{place}"),
    ("NS", mark!("Navy supports"), "{within} NS{n}{place}"),
    ("NN", mark!("Navy attacks navy"), "{within} NN{n}{place}"),
    ("FT", mark!("Move air force"), "{within} FT{n}{place}"),
    ("FS", mark!("Air force supports"), "{within} FS{n}{place}"),
    ("FA", mark!("Air force attacks army"), "{within} FA{n}{place}"),
    ("FN", mark!("Air force attacks navy"), "{within} FN{n}{place}"),
    ("FF", mark!("Air force attacks airbase"), "{within} FF{n}{place}"),
    ("FI", mark!("Air force attacks industry"), "{within} FI{n}{place}"),
    ("MT", mark!("Move missiles"), "{within} MT{n}{place}"),
    ("MA", mark!("Missiles at army"), "{within} MA{n}{place}"),
    ("MF", mark!("Missiles at airbase"), "{within} MF{n}{place}"),
    ("MI", mark!("Missiles at industry"), "{within} MI{n}{place}"),
    ("XT", mark!("Move antimissiles"), "{within} XT{n}{place}"),
];

/// The names of things that orders use.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    let map = &view.tables.map;
    for space in map.all() {
        let code = map.code(space);
        names.add("place", map.name(space), code);
        names.add("place", code, code);
    }
    let items = ["industry", "army", "navy", "air force", "missiles", "antimissiles"];
    for (name, code) in items.iter().zip(ITEMS) {
        names.add("item", name, code.to_string());
    }
    for player in &view.players {
        let number = player.seat.to_string();
        names.add("player", &player.name, number.clone());
        names.add("player", &number.clone(), number);
    }
    let mut held = view.position.holdings.keys();
    if let (Some(home), None) = (held.next(), held.next()) {
        names.lives_in(format!("@{}", map.code(*home)));
    }
    names
}
