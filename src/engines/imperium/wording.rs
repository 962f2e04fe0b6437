//! Orders in words: verbs for letters, names of systems and types of units (§13).

use std::sync::LazyLock;

use super::galaxy::Planet;
use super::kinds::Kind;
use super::view::View;
use crate::Imperium;
use engine::wording::{Blocks, form, frame};
use engine::{Forms, Frames, Names, Words};
use tongue::mark;

impl Words for Imperium {
    fn wording() -> &'static Forms {
        &FORMS
    }

    fn sentences() -> &'static Frames {
        &SENTENCES
    }

    fn names(view: &View) -> Names {
        names(view)
    }
}

/// Verbs of a way.
const GO: &str = "MOVE GO SAIL SEND FLY JUMP TRAVEL HEAD ADVANCE BRING PROCEED RETURN COME TAKE LEAD GEH \
    ZIEH SCHICK FLIEG SPRING BEWEG BRING KEHR+ZURUECK KOMM";

/// How orders are said as sentences.
pub static SENTENCES: LazyLock<Frames> = LazyLock::new(|| {
    Frames::new(vec![
        frame(
            "BUILD MAKE BUY CONSTRUCT PRODUCE PURCHASE COMMISSION RECRUIT BAU KAUF PRODUZIER STELL+HER",
            "type$",
            "B {type} {n}",
        ),
        frame("", "type$", "B {type} {n}").verbless(),
        frame(
            "KEEP SAVE LEAVE BEHALT SPAR",
            "'rest|money|resources|geld|ressourcen' of:'money|resources|stockpile|geld'?",
            "",
        ),
        frame(
            "PLACE PUT JOIN ARRIVE START BEGIN LAND STATION DEPLOY SET LOCATE POSITION STELL SETZ LEG PLATZIER STATIONIER",
            "unit* to|at:planet to|at|with|of:fleet?",
            "P {unit} {planet} {fleet}",
        ),
        frame(GO, "unit* to|at:planet to|at|with|of:fleet?", "P {unit} {planet} {fleet}"),
        frame("", "unit* to|at:planet!", "P {unit} {planet}").verbless(),
        frame("TERRAFORM", "at:planet", "T {planet}"),
        frame("UPGRADE IMPROVE BAU+AUS", "planet to:'world|welt'?", "G {planet}"),
        frame("ACTIVATE AKTIVIER", "'system'? place", "A {place}"),
        frame(GO, "fleet* to|at:place+ 'back|home|zurueck|heim'?", "M {fleet} {place}"),
        frame("ATTACK ASSAULT STRIKE GREIF+AN", "with:fleet* to|at|against:place", "M {fleet} {place}"),
        frame("", "fleet* 'back|home|zurueck|heim'? to:place+!", "M {fleet} {place}").verbless(),
        frame("COMBINE MERGE UNITE VEREIN VEREINIG VERBIND", "fleet to|with:other=fleet", "C {fleet} {other}"),
        frame("JOIN SCHLIESS+AN", "fleet to|with:other=fleet", "C {other} {fleet}"),
        frame(
            "LOAD PUT TAKE EMBARK LAD VERLAD NIMM",
            "cargo* to|at|with:'aboard|board|bord'? to|at|with|of:transport",
            "L {transport} {cargo}",
        ),
        frame("UNLOAD LAND DISEMBARK LAD+AUS ENTLAD LAND+AN", "transport to|at|from:planet", "U {transport} {planet}"),
        frame(
            "ATTACK ASSAULT INVADE CONQUER CAPTURE TAKE STORM GREIF+AN EROBER STUERM",
            "at|against:planet",
            "K {planet}",
        ),
        frame("BOMBARD SHELL BOMBARDIER BESCHIESS", "at:planet", "K {planet} B"),
        frame(
            "LEAVE SET_OUT DEPART VERLASS BRECH+AUF",
            "fleet for|to:place 'through|open|space|deep'?",
            "S {fleet} {place}",
        ),
        frame("REPAIR FIX MEND REPARIER", "unit+", "F {unit}"),
        frame("REPAIR FIX MEND REPARIER", "'everything|all|alles|alle' 'damaged|beschaedigten'? 'ships|units|schiffe|einheiten'?", "F *"),
        frame("SCRAP DISMANTLE JUNK VERSCHROTT", "unit+", "X {unit}"),
        frame("RETREAT WITHDRAW FALL_BACK ZIEH+ZURUECK FLIEH", "fleet to:place+", "R {fleet} {place}"),
        frame("RETREAT WITHDRAW FALL_BACK ZIEH+ZURUECK", "'all|everything|everybody|alle|alles'? 'fleets|flotten|ships'? to:place+", "R * {place}"),
        frame("ENGAGE FIGHT KAEMPF", "'enemy|ships|battle|feind'?", "E"),
        frame("OFFER PROPOSE MAKE BIET+AN", "'truce|peace|armistice|waffenstillstand|frieden'", "Z TRUCE"),
        frame("WAIT PASS PASS_ONCE WART PASS_TURN", "'once|einmal'?", "WAIT"),
        frame(
            "FIGHT KEEP STAY RANGE SEEK HOLD HAVE KAEMPF HALT BLEIB",
            "group* 'distance|abstand'? at|to|with:'range|distance|entfernung|distanz|abstand' range",
            "Y {group} {range}",
        ),
        frame("", "group at|to:'range|distance|entfernung|distanz|abstand' range", "Y {group} {range}").verbless(),
        frame("GO MOVE BE GEH ZIEH", "'last|letzter|zuletzt'", "Z LAST"),
        frame("GO MOVE BE GEH ZIEH", "'first|erster|zuerst'", "Z FIRST"),
        frame("LEAVE VERLASS", "unit+ fleet", ""),
        frame(
            "BECOME FORM WERD BILD",
            "unit+ from|of:fleet? 'new|neue'? to|as:born",
            "D ? {born} {unit}",
        ),
        frame(
            "SPLIT SPLIT_OFF DIVIDE DETACH TRENN",
            "unit+ from|of:fleet? to|as:'new|neue' born",
            "D ? {born} {unit}",
        ),
        frame(
            "SPEND USE",
            "range of|from:'stockpile|stock|vorrat' for|at:'maintenance|unterhalt'",
            "N STOCK {range}",
        ),
        frame("APPEAL ASK BITT", "to|for:'emperor|kaiser'? for|of:'forces|troops|truppen|kraefte'", "I F"),
        frame(
            "FIGHT KEEP STAY RANGE SEEK HOLD HAVE KAEMPF HALT BLEIB",
            "group at|to:'range|distance|entfernung|distanz|abstand' range",
            "Y {group} {range}",
        ),
        frame("", "group at|to:'range|distance|entfernung|distanz|abstand' range", "Y {group} {range}").verbless(),
        frame("GO MOVE BE GEH ZIEH", "'last|letzter|zuletzt'", "Z LAST"),
        frame("GO MOVE BE GEH ZIEH", "'first|erster|zuerst'", "Z FIRST"),
        frame(
            "DETACH LEAVE SPLIT DIVIDE BECOME FORM BECOMES VERLASS TRENN",
            "unit+ from:fleet 'become|becomes|form|werden'? new=number",
            "D {fleet} {new} {unit}",
        ),
        frame("APPEAL ASK BITT", "to|for:'emperor|kaiser'? for|of:'resources|money|ressourcen|geld'", "I R"),
    ])
    .in_blocks(Blocks { opens, within })
});

/// The system that a line activates.
fn opens(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    match (words.next(), words.next()) {
        (Some("A" | "a"), Some(system)) => Some(system.to_owned()),
        (Some("SEG" | "seg"), _) => Some(String::new()),
        _ => None,
    }
}

/// Orders with the systems activated that they need, and fleets that go the same way together.
fn within(names: &Names, orders: Vec<String>, open: &mut Option<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for mut order in orders {
        // Units leave the fleet that they are in.
        if let ["D", "?", _, unit, ..] = order.split_whitespace().collect::<Vec<_>>()[..]
            && let Some(fleet) = names.place_of("crew", unit)
        {
            order = order.replacen('?', fleet, 1);
        }
        if let Some(system) = opens(&order) {
            *open = Some(system);
            out.push(order);
            continue;
        }
        let words: Vec<&str> = order.split_whitespace().collect();
        let at = match words[..] {
            ["D", _, _, unit, ..] => names.place_of("unit", unit),
            ["M" | "C" | "S", fleet, ..] => names.place_of("fleet", fleet),
            ["L" | "U", unit, ..] => names.place_of("unit", unit),
            ["K", planet, ..] => names.place_of("planet", planet),
            _ => None,
        };
        if let Some(system) = at.filter(|at| open.as_ref() != Some(at)) {
            out.push(format!("A {system}"));
            *open = Some(system.clone());
        }
        match together(out.last(), &words) {
            Some(moves) => {
                out.pop();
                out.push(moves);
            }
            None => out.push(order),
        }
    }
    out
}

/// `M 1 38` and `M 2 38` as one move.
fn together(last: Option<&String>, words: &[&str]) -> Option<String> {
    let before: Vec<&str> = last?.split_whitespace().collect();
    match (before.as_slice(), words) {
        (["M", fleets, same @ ..], ["M", fleet, way @ ..]) if same == way => {
            Some(format!("M {fleets}+{fleet} {}", way.join(" ")))
        }
        _ => None,
    }
}

/// Every order that can be said in words. Other orders are written as in the order table.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    Forms::new(vec![
        form("B BUILD MAKE", "type n / n type", "B {type} {n}"),
        form("P PLACE", "unit planet / planet unit", "P {unit} {planet}"),
        form("T TERRAFORM", "planet", "T {planet}"),
        form("G UPGRADE", "planet", "G {planet}"),
        form("SEG SEGMENT", "n", "SEG {n}").called(mark!("Plan of segment")),
        form("A ACTIVATE", "place", "A {place}"),
        form("M MOVE GO SAIL SEND FLY", "fleet place+", "M {fleet} {place}"),
        form("C COMBINE", "fleet other:fleet", "C {fleet} {other}"),
        // A fleet that joins another becomes part of it.
        form("JOIN", "fleet other:fleet", "C {other} {fleet}"),
        form("L LOAD", "carrier:unit unit", "L {carrier} {unit}"),
        form("U UNLOAD", "unit planet", "U {unit} {planet}"),
        form("K ATTACK ASSAULT INVADE", "planet", "K {planet}"),
        form("BOMBARD", "planet", "K {planet} B"),
        form("S LEAVE", "fleet place", "S {fleet} {place}"),
        form("F REPAIR", "unit+", "F {unit}"),
        form("F REPAIR", "ALL", "F *"),
        form("X SCRAP", "unit+", "X {unit}"),
        form("R RETREAT", "fleet place+", "R {fleet} {place}"),
        form("E ENGAGE FIGHT", "", "E"),
    ])
});

fn number(word: &str) -> bool {
    (1..=2).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit())
}

fn is_fleet(word: &str) -> bool {
    word == "*" || word.split('+').all(number)
}

/// The type of a unit such as `DD3`: letters and a number.
fn kind_of(word: &str) -> Option<Kind> {
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if letters.len() < word.len() { Kind::read(letters) } else { None }
}

/// Whether a word is a unit.
fn is_unit(word: &str) -> bool {
    kind_of(word).is_some()
}

/// Whether units of a type carry others.
fn is_carrier(kind: Kind) -> bool {
    matches!(kind, Kind::AT | Kind::TR | Kind::CV | Kind::BB)
}

/// The names of things that orders use.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    names.codes("fleet", is_fleet);
    names.codes("unit", is_unit);
    names.codes("place", |w| number(w.trim_end_matches('!')));
    names.codes("planet", |w| Planet::read(w).is_some());
    names.codes("transport", |w| kind_of(w).is_some_and(is_carrier));
    names.codes("cargo", |w| kind_of(w).is_some_and(Kind::is_cargo));
    names.amount("range", "", None);
    names.codes("born", number);
    names.nouns("born", "fleet Flotte");
    for (code, words) in
        [("CV", "carriers;Träger"), ("CS", "strike cruisers"), ("TB", "torpedo boats;Torpedoboote")]
    {
        for word in words.split(';') {
            names.add("group", word, code);
        }
    }
    for (code, words) in [
        ("K", "capital ships;capitals;battleships;Großkampfschiffe"),
        ("L", "light ships;lights;leichte Schiffe;leichten Schiffe"),
        ("X", "auxiliaries;auxiliary ships;Hilfsschiffe"),
        ("N", "monitors;Monitore"),
        ("F", "fighters;Jäger"),
    ] {
        for word in words.split(';') {
            names.add("group", word, code);
        }
    }
    names.places(&["place"]);
    names.nouns("fleet", "fleet fleets Flotte Flotten f");
    names.nouns("unit", "unit units ship ships Einheit Einheiten Schiff Schiffe");
    names.nouns("place", "system star Stern System");
    names.nouns("planet", "planet world outpost Planet Welt Außenposten");
    for kind in Kind::ALL.into_iter().filter(|kind| kind.built_by(view.side)) {
        names.add("type", &view.board.tables.unit(kind).name, kind.code());
        names.add("type", kind.code(), kind.code());
        for name in german(kind) {
            names.also("type", name, kind.code());
        }
    }
    let galaxy = &view.board.galaxy;
    for system in galaxy.all() {
        names.add("place", galaxy.name(system), system.to_string());
        // The only planet of a system also has the system's name, and so has the first that somebody
        // holds.
        let planets = galaxy.row(system).map_or(0, |row| row.planets.len() as u8);
        let held = |n: &u8| view.board.marker(Planet { system, n: *n }).is_some();
        let main = (1..=planets).find(held).filter(|_| planets > 1);
        if let Some(n) = main.or((planets == 1).then_some(1)) {
            names.add("planet", galaxy.name(system), Planet { system, n }.to_string());
        }
        for n in 1..=galaxy.row(system).map_or(0, |row| row.planets.len() as u8) {
            let name = format!("{} {n}", galaxy.name(system));
            names.add("planet", &name, Planet { system, n }.to_string());
            names.stands("planet", Planet { system, n }.to_string(), system.to_string());
        }
        for fleet in view.board.fleets_in(view.side, system) {
            names.add("fleet", &format!("fleet {fleet}"), fleet.to_string());
            names.stands("fleet", fleet.to_string(), system.to_string());
        }
    }
    units(&mut names, view);
    names
}

/// What the units of the seat are called, and where they are.
fn units(names: &mut Names, view: &View) {
    for (id, _) in view.board.of(view.side) {
        let code = id.name.to_string();
        let kind = id.name.kind;
        let number = code.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let called = view.board.tables.unit(kind).name.clone();
        for name in german(kind).iter().map(|n| (*n).to_owned()).chain([called]) {
            names.also("unit", &name, code.clone());
            names.also("unit", &format!("{name} {number}"), code.clone());
            if kind.is_cargo() {
                names.add("cargo", &name, code.clone());
                names.add("cargo", &format!("{name} {number}"), code.clone());
            }
            if is_carrier(kind) {
                names.add("transport", &name, code.clone());
                names.add("transport", &format!("{name} {number}"), code.clone());
            }
        }
        names.add("unit", &code, code.clone());
        if let Some(fleet) = view.board.fleet_of(id) {
            names.stands("crew", code.clone(), fleet.to_string());
        }
        if let Some(system) = view.board.where_is(id) {
            names.stands("unit", id.name.to_string(), system.to_string());
        }
    }
}

/// What a type is called in German.
fn german(kind: Kind) -> &'static [&'static str] {
    match kind.code() {
        "DD" => &["Zerstörer"],
        "SC" => &["Kundschafter", "Aufklärer"],
        "TR" | "AT" => &["Transporter", "Truppentransporter"],
        "RT" => &["Truppe", "Truppen", "Soldaten"],
        "F" => &["Jäger"],
        "OP" => &["Außenposten"],
        "CL" => &["leichter Kreuzer", "leichte Kreuzer"],
        "CA" => &["schwerer Kreuzer", "schwere Kreuzer"],
        "BB" => &["Schlachtschiff"],
        "TB" => &["Torpedoboot", "Torpedoboote"],
        _ => &[],
    }
}
