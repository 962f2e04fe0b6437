//! How orders are said in words: verbs for heads, names of spaces and players (§4 to §6).

use std::sync::LazyLock;

use super::verbs::VERBS;
use super::view::View;
use engine::wording::form;
use engine::{Form, Names};

/// Every order that can be said; what is not here is written as its form says.
pub static FORMS: LazyLock<Vec<Form>> = LazyLock::new(|| {
    let mut forms = vec![
        form("@", "space", "@{space}"),
        form(
            "CONQUER INVADE ATTACK TAKE CAPTURE",
            "n ARMY|ARMIES space / space n ARMY|ARMIES / n space / space n",
            "AC{n}{space}",
        ),
        form(
            "RAID",
            "n ARMY|ARMIES space / space n ARMY|ARMIES / n space / space n",
            "AB{n}{space}",
        ),
        form("DEFEND SUPPORT", "n ARMY|ARMIES space / space n ARMY|ARMIES", "AS{n}{space}"),
        form("DEFEND SUPPORT", "n NAVY|NAVIES space / space n NAVY|NAVIES", "NS{n}{space}"),
        form("DEFEND SUPPORT", "n AIR FORCE space / space n AIR FORCE", "FS{n}{space}"),
        form("MOVE SEND TRANSFER MARCH SAIL FLY", "n ARMY|ARMIES space", "AT{n}{space}"),
        form("MOVE SEND TRANSFER SAIL", "n NAVY|NAVIES space", "NT{n}{space}"),
        form("MOVE SEND TRANSFER FLY", "n AIR FORCE space / n AIRFORCE space", "FT{n}{space}"),
        form("MOVE SEND TRANSFER", "n MISSILE|MISSILES space", "MT{n}{space}"),
        form("MOVE SEND TRANSFER", "n ANTIMISSILE|ANTIMISSILES space", "XT{n}{space}"),
        form("BUILD MAKE PRODUCE", "n INDUSTRY|INDUSTRIES", "BI{n}"),
        form("BUILD MAKE PRODUCE", "n ARMY|ARMIES", "BA{n}"),
        form("BUILD MAKE PRODUCE", "n NAVY|NAVIES", "BN{n}"),
        form("BUILD MAKE PRODUCE", "n AIR FORCE / n AIRFORCE", "BF{n}"),
        form("BUILD MAKE PRODUCE", "n MISSILE|MISSILES", "BM{n}"),
        form("BUILD MAKE PRODUCE", "n ANTIMISSILE|ANTIMISSILES", "BX{n}"),
        form("ALLY BEFRIEND", "player", "{player}A"),
        form("NEUTRAL", "player", "{player}N"),
        form("ENEMY FIGHT", "player", "{player}E"),
        form("DECLARE", "player ENEMY / ENEMY player / WAR player", "{player}E"),
        form("DECLARE", "player NEUTRAL / NEUTRAL player", "{player}N"),
        form("DECLARE", "player ALLY / ALLY player", "{player}A"),
        form("GIVE PAY SEND", "player n DOLLAR|DOLLARS / n DOLLAR|DOLLARS player", "{player}D{n}"),
        form("TRAIN", "n SPY|SPIES", "TS{n}"),
        form("TRAIN", "n COUNTERSPY|COUNTERSPIES", "TC{n}"),
        form("SPY SPIES S SEND", "n SPY|SPIES space / n space / space n", "S{n}{space}"),
        form("PROPAGANDA P", "n DOLLAR|DOLLARS space / n space / space n", "P{n}{space}"),
        form("COUNTERSPY C", "n space / space n", "C{n}{space}"),
    ];
    // `AC30 Germany`, `AC 30 Germany`.
    let coded = VERBS.iter().filter(|row| !row.verb.builds());
    forms.extend(coded.map(|row| {
        let writes: &'static str = WRITES.iter().find(|w| w.starts_with(row.head)).unwrap_or(&"");
        Form { verbs: vec![row.head], takes: vec!["n space", "space n"], writes }
    }));
    forms
});

/// How the orders with a head, a number and a space are written.
const WRITES: [&str; 18] = [
    "AT{n}{space}",
    "AC{n}{space}",
    "AB{n}{space}",
    "AS{n}{space}",
    "NT{n}{space}",
    "NS{n}{space}",
    "NN{n}{space}",
    "FT{n}{space}",
    "FS{n}{space}",
    "FA{n}{space}",
    "FN{n}{space}",
    "FF{n}{space}",
    "FI{n}{space}",
    "MT{n}{space}",
    "MA{n}{space}",
    "MF{n}{space}",
    "MI{n}{space}",
    "XT{n}{space}",
];

/// What things are called that orders name.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    let map = &view.tables.map;
    for space in map.all() {
        let code = map.code(space);
        names.add("space", map.name(space), code);
        names.add("space", code, code);
    }
    for player in &view.players {
        let number = player.seat.to_string();
        names.add("player", &player.name, number.clone());
        names.add("player", &number.clone(), number);
    }
    names
}
