//! Orders in words: verbs for letters, names of systems and types of units (§13).

use std::sync::LazyLock;

use super::admin;
use super::board::Place;
use super::galaxy::Planet;
use super::kinds::Kind;
use super::view::{Scene, View};
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
const GO: &str = "@go JUMP TAKE HOP -RETREAT -WITHDRAW -FALL_BACK -PULL_BACK -ZIEH+ZURUECK";

/// How orders are said as sentences.
pub static SENTENCES: LazyLock<Frames> = LazyLock::new(|| {
    Frames::new(vec![
        frame(
            "@build ORDER",
            "type$ from|at|of:'yard|yards|shipyard|shipyards|werft|werften'?",
            "B {type} {n}",
        ),
        frame("", "type$", "B {type} {n}").verbless(),
        frame(
            "KEEP SAVE LEAVE BEHALT SPAR",
            "'rest|money|resources|geld|ressourcen' of:'money|resources|stockpile|geld'?",
            "",
        ),
        frame(
            "@place @guard JOIN ARRIVE START BEGIN BELONG SIT GEHOER",
            "unit=arrival* to|at:planet to|at|with:fleet? 'back|home|zurueck|heim'?",
            "P {unit} {planet} {fleet}",
        ),
        frame(GO, "unit=arrival* to|at:planet to|at|with:fleet? 'back|home|zurueck|heim'?", "P {unit} {planet} {fleet}"),
        frame("", "unit=arrival* to|at:planet! to|at|with:fleet? 'back|home|zurueck|heim'?", "P {unit} {planet} {fleet}").verbless(),
        frame("", "unit=arrival planet", "P {unit} {planet}").verbless(),
        frame(
            "BUY BUILD MAKE GET KAUF BAU",
            "'as|so'? 'many|viele' afford 'as|wie' 'possible|afford|leisten|moeglich'",
            "B {afford}",
        ),
        frame(
            "SPEND PUT POUR SINK GIB+AUS STECK",
            "'all|everything|stockpile|resources|money|treasury|purse|funds|vorrat|geld|alles|kasse' for|at|to:afford",
            "B {afford}",
        ),
        frame(
            "KEEP STAY SEEK HOLD COME FIGHT BLEIB HALT GEH KOMM",
            "group* 'back|away|off|heran|nah|fern|abstand|dicht|lieber|better'? at|to|with:'range|distance|entfernung|distanz|abstand|reichweite'? at|to:range 'heran'?",
            "Y {group} {range}",
        ),
        frame(
            "SHOOT FIRE AIM TARGET PICK PREFER CHOOSE GO_FOR HIT SCHIESS FEUER ZIEL",
            "weapon at|against|for:target=group+ 'first|zuerst'?",
            "Q {weapon} {target}",
        ),
        // With no weapon named, all shoot so.
        frame(
            "SHOOT FIRE AIM TARGET GO_FOR SCHIESS FEUER ZIEL BESCHIESS",
            "at|against|for:target=group+ 'first|zuerst'?",
            "Q B {target};Q T {target}",
        ),
        frame("", "'first-segment'", "SEG 1").verbless(),
        frame("", "'second-segment'", "SEG 2").verbless(),
        frame("", "'if-we-flee' to:place+!", "R * {place}").verbless(),
        frame("TERRAFORM", "at:planet", "T {planet}"),
        frame("UPGRADE IMPROVE BAU+AUS", "planet to:'world|welt'?", "G {planet}"),
        frame("ACTIVATE AKTIVIER", "'system'? place", "A {place}"),
        frame(
            GO,
            "fleet* with:'them|it|ihr|ihnen'? from:here=place?! to|at:place+ 'back|home|zurueck|heim'? 'and|und'? \
             'fight|attack|battle|engage|kaempfen'?",
            "M {fleet} {place}",
        ),
        frame(
            GO,
            "fleet* to|at:place with|at|from:'way'? with|of:via=place! 'back|home|zurueck|heim'?",
            "M {fleet} {via} {place}",
        ),
        frame(
            "FALL_BACK PULL_BACK WITHDRAW RETREAT ZIEH+ZURUECK",
            "fleet* to|at:place! with|of:via=place! 'back|home|zurueck|heim'?",
            "M {fleet} {via} {place}",
        ),
        frame("STAY REMAIN WAIT HOLD BLEIB WART", "fleet* at:'put|here|there|still|hier|dort|stehen'? at:here=place?", ""),
        frame(
            "STAY REMAIN WAIT BLEIB WART",
            "'rest|others|everything|everybody|else|alles|alle|uebrigen|anderen' at:'put|here|there|hier|dort'?",
            "",
        ),
        frame("@attack", "with:fleet* to|at|against:place", "M {fleet} {place}"),
        frame("", "fleet* 'back|home|zurueck|heim'? to:place+!", "M {fleet} {place}").verbless(),
        frame(
            "COMBINE MERGE UNITE JOIN VEREIN VEREINIG VERBIND SCHLIESS+AN",
            "fleet* to|with:other=fleet!",
            "C {other} {fleet}",
        ),
        frame("MAKE BECOME MACH WERD", "other=fleet to:'part|teil|bestandteil' of|from:fleet at:here=place?", "C {fleet} {other}"),
        frame("COMBINE", "fleet other=fleet", "C {fleet} {other}"),
        frame("JOIN", "fleet other=fleet", "C {other} {fleet}"),
        frame("@merge -JOIN -COMBINE", "pair=fleet+", "C {pair}"),
        frame("GET TAKE_IN BEKOMM KRIEG", "fleet=squadron unit=arrival*", "P {unit} ? {fleet}"),
        frame("PUT LOAD SETZ STELL GO LAD VERLAD", "unit=arrival* 'aboard|board|bord'? to|at|with|of:berth!", "P {unit} {berth}"),
        frame("BOARD EMBARK BESTEIG STEIG+EIN", "unit=arrival* to|at|with:berth", "P {unit} {berth}"),
        frame(
            "PUT LOAD PLACE SETZ STELL GO LAD VERLAD KOMM",
            "unit=arrival* 'aboard|onto|board|bord' to|at|with|of:berth",
            "P {unit} {berth}",
        ),
        frame("", "unit=arrival* 'aboard|board|bord' to|at|with|of:berth!", "P {unit} {berth}").verbless(),
        frame(
            "JOIN FALL_IN FALL_IN_WITH LINK_UP TEAM_UP ATTACH ADD PUT PLACE MOVE GO SETZ STELL SCHLIESS+AN KOMM",
            "unit=arrival* to|with|at:fleet=squadron!",
            "P {unit} ? {fleet}",
        ),
        frame("", "unit=arrival* to|with:fleet=squadron!", "P {unit} ? {fleet}").verbless(),
        frame(
            "LOAD PUT TAKE EMBARK LAD VERLAD NIMM",
            "cargo* to|at|with:'aboard|board|bord'? to|at|with|of:transport",
            "L {transport} {cargo}",
        ),
        frame("UNLOAD LAND DISEMBARK DROP_OFF PUT_ASHORE SET_DOWN LAD+AUS ENTLAD LAND+AN SETZ+AB", "transport to|at|from:planet", "U {transport} {planet}"),
        frame(
            "UNLOAD LAND DISEMBARK DROP_OFF DROP PUT_ASHORE SET_DOWN LAD+AUS ENTLAD LAND+AN SETZ+AB",
            "'troops|cargo|men|load|truppen|ladung|soldaten' of|from:transport to|at|from:planet",
            "U {transport} {planet}",
        ),
        frame(
            "UNLOAD LAND DISEMBARK DROP_OFF DROP PUT_ASHORE SET_DOWN LAD+AUS ENTLAD LAND+AN SETZ+AB",
            "cargo to|at|from:planet",
            "U ? {planet} {cargo}",
        ),
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
        frame("REPAIR FIX MEND PATCH_UP PATCH OVERHAUL REPARIER FLICK INSTAND", "unit+", "F {unit}"),
        // What is paid for, and what is not.
        frame(
            "MAINTAIN KEEP_UP PAY HALT UNTERHALT",
            "'all|everything|alle|alles' 'ships|units|fleets|schiffe|einheiten|flotten'? 'instand'?",
            "N STOCK *",
        ),
        frame("SKIP NEGLECT STOP_MAINTAINING STOP_PAYING", "for:unit+", "N SKIP {unit}"),
        frame(
            "MAINTAIN MAINTAINING PAY UNTERHALT ZAHL BEZAHL",
            "'dont|not|nicht|no|kein|keinen' 'bother|need'? for:'upkeep|maintenance|unterhalt'? for|with:unit+",
            "N SKIP {unit}",
        ),
        frame("REPAIR FIX MEND REPARIER", "'everything|all|alles|alle' 'damaged|beschaedigten'? 'ships|units|schiffe|einheiten'?", "F *"),
        frame("SCRAP DISMANTLE JUNK GET_RID BREAK_UP VERSCHROTT", "unit+", "X {unit}"),
        frame("RETREAT WITHDRAW FALL_BACK PULL_BACK ZIEH+ZURUECK FLIEH", "for|of:fleet to|at:place+", "R {fleet} {place}"),
        frame("RETREAT WITHDRAW FALL_BACK PULL_BACK ZIEH+ZURUECK", "'all|everything|everybody|alle|alles'? 'fleets|flotten|ships'? to:place+", "R * {place}"),
        frame(
            "GO RETREAT WITHDRAW HEAD MOVE FLEE RUN FALL_BACK GEH FLIEH ZIEH+ZURUECK WEICH+AUS",
            "'if|when|wenn|falls' fleet 'sich'? 'has|have|must|needs|muss'? \
             'retreat|retreats|flee|flees|withdraw|withdraws|run|fliehen|flieht|zurueckziehen|zurueckzieht' 'muss'? \
             'it|sie'? to:place+",
            "R {fleet} {place}",
        ),
        frame("ENGAGE FIGHT KAEMPF", "'enemy|ships|battle|feind'?", "E"),
        frame("OFFER PROPOSE MAKE BIET+AN", "'truce|peace|armistice|waffenstillstand|frieden'", "Z TRUCE"),
        // Orders that hang on where the enemy is.
        frame(
            "ACTIVATE AKTIVIER",
            "place 'only|nur'? 'if|when|as|wenn|falls|sobald' 'enemy|empire|feind' to|at:foe=place 'enters|comes|reaches|kommt|erreicht'?",
            "A {place} IF E{foe}",
        ),
        frame(
            "WAIT WART",
            "'if|when|as|wenn|falls|solange' 'enemy|empire|feind' to|at:foe=place 'enters|comes|reaches|kommt|erreicht'?",
            "WAIT IF E{foe}",
        ),
        frame(
            "STOP HALT CANCEL BRECH+AB",
            "'plan|everything|alles'? 'if|when|as|wenn|falls|sobald' 'enemy|empire|feind' to|at:foe=place 'enters|comes|reaches|kommt|erreicht|betritt'?",
            "HALT IF E{foe}",
        ),
        frame("WAIT PASS PASS_ONCE WART PASS_TURN", "'once|einmal'?", "WAIT"),
        frame(
            "CLOSE CLOSE_IN FIGHT GET GO COME MOVE_IN KEEP STAY KAEMPF GEH KOMM",
            "group* to|at:'close-as-possible|point-blank|close|nah|closest|nahe|kuerzeste|kuerzester' 'range|quarters|entfernung|distanz|reichweite|blank'?",
            "Y {group} 0",
        ),
        frame(
            "CLOSE CLOSE_IN HANG HANG_BACK REMAIN FALL_BACK KEEP_OUT GO HALT BLEIB GEH",
            "group* to|at:'range|distance|entfernung|distanz|abstand|reichweite' range",
            "Y {group} {range}",
        ),
        frame(
            "FIGHT KEEP STAY RANGE SEEK HOLD HAVE KAEMPF HALT BLEIB",
            "group* 'distance|abstand'? at|to|with|from:'range|distance|entfernung|distanz|abstand|reichweite' range",
            "Y {group} {range}",
        ),
        frame("", "for:group at|to:'range|distance|entfernung|distanz|abstand|reichweite' range", "Y {group} {range}").verbless(),
        frame("GO MOVE BE GEH ZIEH", "'last|letzter|zuletzt'", "Z LAST"),
        frame("GO MOVE BE GEH ZIEH", "'first|erster|zuerst'", "Z FIRST"),
        frame("LEAVE VERLASS", "unit+ fleet", ""),
        frame(
            "BECOME FORM WERD BILD",
            "unit+ 'new|neue'? to|as:born",
            "D ? {born} {unit}",
        ),
        frame(
            "SPLIT SPLIT_OFF DIVIDE DETACH TRENN",
            "unit+ to|as:'new|neue' born",
            "D ? {born} {unit}",
        ),
        frame(
            "SPLIT SPLIT_OFF DIVIDE DETACH TRENN TRENN+AB SEPARATE SPALT+AB LOES",
            "unit+ from:from=fleet? to:'make|form|mach|daraus|bild'? 'up|daraus'? 'new|neue'? to|as:born",
            "D ? {born} {unit}",
        ),
        frame(
            "SPEND USE TAKE PAY NIMM NEHM GIB+AUS VERWEND",
            "to:range 'resources|ressourcen'? of|from:'stockpile|stock|savings|reserve|reserves|treasury|vorrat|ersparten|ersparnissen|reserve|kasse' for|at:'maintenance|upkeep|unterhalt'",
            "N STOCK {range}",
        ),
        frame(
            "PAY BEZAHL ZAHL",
            "for|at:'upkeep|maintenance|unterhalt' for|of:type+ 'first|zuerst'?",
            "N PRI {type}",
        ),
        frame(
            "SET_ASIDE PUT_ASIDE RESERVE KEEP LEG+ZURUECK RESERVIER",
            "range for:'upkeep|maintenance|unterhalt'",
            "N STOCK {range}",
        ),
        frame(
            "COME PAY PAYING KOMM MAINTAIN KEEP_UP",
            "'when|wenn'? 'paying|bezahlen'? for|at:'upkeep|maintenance|unterhalt' type+",
            "N PRI {type}",
        ),
        frame("APPEAL ASK BITT", "to|for:'emperor|kaiser'? for|of:'forces|troops|truppen|kraefte'", "I F"),
        frame(
            "FIGHT KEEP STAY RANGE SEEK HOLD HAVE KAEMPF HALT BLEIB",
            "group at|to:'range|distance|entfernung|distanz|abstand|reichweite' range",
            "Y {group} {range}",
        ),
        frame("", "group at|to:'range|distance|entfernung|distanz|abstand|reichweite' range", "Y {group} {range}").verbless(),
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
    .joined(joined)
    .overall(&["FIRST-SEGMENT", "SECOND-SEGMENT"])
});

/// Targets of one weapon, one after the other, as one list.
fn joined(_: &[String], orders: Vec<String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for order in orders {
        let words: Vec<&str> = order.split_whitespace().collect();
        // `the light ships close to point-blank, range 0` says it twice.
        if words.first() == Some(&"Y") && out.contains(&order) {
            continue;
        }
        let same = |known: &&mut String| match words[..] {
            ["Q", weapon, ..] => known.starts_with(&format!("Q {weapon} ")),
            _ => false,
        };
        match out.iter_mut().find(same) {
            Some(known) => *known = format!("{known} {}", words[2..].join(" ")),
            None => out.push(order),
        }
    }
    out
}

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
        // What is aboard is landed by its ship.
        if let ["U", "?", planet, cargo] = order.split_whitespace().collect::<Vec<_>>()[..] {
            let ship = names.place_of("hold", cargo).cloned();
            order = format!("U {} {planet}", ship.as_deref().unwrap_or(cargo));
        }
        // A fleet is part of itself.
        if let ["C", fleet, other] = order.split_whitespace().collect::<Vec<_>>()[..]
            && fleet == other
        {
            continue;
        }
        // A unit joins a fleet where that is.
        if let ["P", _, "?", fleet] = order.split_whitespace().collect::<Vec<_>>()[..]
            && let Some(system) = names.place_of("fleet", fleet)
        {
            order = order.replacen('?', &format!("{system}.1"), 1);
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
        // `to Sol, into fleet 3`.
        if let ["P", unit, planet, _] = words[..] {
            out.retain(|known| *known != format!("P {unit} {planet}"));
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
    if view.scene == Scene::Setup {
        names.codes("arrival", is_unit);
    }
    names.codes("place", |w| number(w.trim_end_matches('!')));
    names.codes("planet", |w| Planet::read(w).is_some());
    if view.scene != Scene::Setup {
        names.codes("transport", |w| kind_of(w).is_some_and(is_carrier));
    }
    names.amount("range", "", None);
    for (name, code) in [("beams", "B"), ("Strahlen", "B"), ("torpedoes", "T"), ("Torpedos", "T")] {
        names.add("weapon", name, code);
    }
    names.codes("born", number);
    names.nouns("born", "fleet Flotte");
    names.nouns("berth", "transport transports carrier Transporter Träger");
    for (code, words) in
        [("CV", "carriers;Träger"), ("CS", "strike cruisers"), ("TB", "torpedo boats;Torpedoboote")]
    {
        for word in words.split(';') {
            names.add("group", word, code);
        }
    }
    for (code, words) in [
        (
            "K",
            "capital ships;capitals;big ships;big ones;heavy ships;heavies;large ships;große Schiffe;großen Schiffe;schwere Schiffe;schweren Schiffe;dicken Pötte;Großkampfschiffe;Großkampfschiffen",
        ),
        (
            "L",
            "light ships;lights;light ones;light squadrons;small ships;small ones;little ships;kleine Schiffe;kleinen Schiffe;leichte Schiffe;leichten Schiffe;leichten;leichte",
        ),
        ("X", "auxiliaries;auxiliary ships;Hilfsschiffe"),
        ("N", "monitors;Monitore"),
        ("F", "fighters;Jäger"),
    ] {
        for word in words.split(';') {
            names.add("group", word, code);
        }
    }
    names.places(&["place"]);
    let galaxy = view.board.galaxy.clone();
    names.ground.sight(move |from, to| {
        let at = |code: &str| galaxy.all().find(|system| system.to_string() == code);
        let (from, to) = (at(from)?, at(to)?);
        let way = if from == to { 0 } else { galaxy.path(from, to)?.len() };
        Some((u32::try_from(way).ok()?, 0, 0))
    });
    names.belongs("unit", "crew", "fleet");
    names.belongs("arrival", "crew", "fleet");
    names.nouns(
        "arrival",
        "unit units ship ships arrival arrivals newcomer newcomers new_arrivals troop troops Neuzugang Neuzugänge Neuankömmlinge Einheit Einheiten Schiff Schiffe Ankömmlinge",
    );
    names.nouns("squadron", "fleet fleets Flotte Flotten f");
    names.nouns(
        "fleet",
        "fleet fleets task_force squad squadron Flotte Flotten Verband Geschwader f",
    );
    names.nouns("unit", "unit units ship ships Einheit Einheiten Schiff Schiffe");
    names.nouns("place", "system star Stern System");
    names.nouns("planet", "planet world outpost Planet Welt Außenposten");
    types(&mut names, view);
    systems(&mut names, view);
    units(&mut names, view);
    names
}

/// What may be built, and groups of ships.
fn types(names: &mut Names, view: &View) {
    for kind in Kind::ALL.into_iter().filter(|kind| kind.built_by(view.side)) {
        names.add("type", &view.board.tables.unit(kind).name, kind.code());
        names.add("type", kind.code(), kind.code());
        if let Some(one) = view.board.tables.unit(kind).name.strip_suffix('s') {
            names.also("type", one, kind.code());
        }
        for name in german(kind) {
            names.also("type", name, kind.code());
        }
        for new in ["new", "neue", "neuen", "neuer"] {
            names.also(
                "type",
                &format!("{new} {}", view.board.tables.unit(kind).name),
                kind.code(),
            );
            for name in german(kind) {
                names.also("type", &format!("{new} {name}"), kind.code());
            }
        }
        // As many of a type as the stockpile pays for.
        let stock = view.board.purses[view.side.i()].stock;
        let price = admin::price(&view.board, view.side, kind, view.peace.is_some());
        let called = [view.board.tables.unit(kind).name.as_str(), kind.code()];
        for name in called.iter().chain(german(kind)) {
            names.add("afford", name, format!("{} {}", kind.code(), stock / price.max(1)));
        }
    }
    for kind in Kind::ALL {
        let called = [view.board.tables.unit(kind).name.as_str(), kind.code()];
        for name in called.iter().chain(german(kind)) {
            names.also("group", name, kind.code());
        }
    }
}

/// Systems, their planets, and the fleets there.
fn systems(names: &mut Names, view: &View) {
    let galaxy = &view.board.galaxy;
    for system in galaxy.all() {
        names.add("place", galaxy.name(system), system.to_string());
        if galaxy.name(system) == "Sol" {
            for name in ["Earth", "Erde", "Terra"] {
                names.also("place", name, system.to_string());
                names.also("planet", name, Planet { system, n: 1 }.to_string());
            }
        }
        // `Barnards Stern`.
        if let Some(first) = galaxy.name(system).strip_suffix(" Star") {
            names.also("place", &format!("{first} Stern"), system.to_string());
        }
        // The only planet of a system also has the system's name, and so has the first that somebody
        // holds.
        let planets = galaxy.row(system).map_or(0, |row| row.planets.len() as u8);
        let held = |n: &u8| view.board.marker(Planet { system, n: *n }).is_some();
        let main = (1..=planets).find(held).filter(|_| planets > 1);
        if let Some(n) = main.or((planets == 1).then_some(1)) {
            names.add("planet", galaxy.name(system), Planet { system, n }.to_string());
            if let Some(first) = galaxy.name(system).strip_suffix(" Star") {
                names.also("planet", &format!("{first} Stern"), Planet { system, n }.to_string());
            }
        }
        for n in 1..=galaxy.row(system).map_or(0, |row| row.planets.len() as u8) {
            let name = format!("{} {n}", galaxy.name(system));
            names.add("planet", &name, Planet { system, n }.to_string());
            names.stands("planet", Planet { system, n }.to_string(), system.to_string());
        }
        for fleet in view.board.fleets_in(view.side, system) {
            if view.scene == Scene::Setup {
                names.add("squadron", &format!("fleet {fleet}"), fleet.to_string());
                names.also("squadron", &fleet.to_string(), fleet.to_string());
                names.stands("squadron", fleet.to_string(), system.to_string());
            }
            names.add("fleet", &format!("fleet {fleet}"), fleet.to_string());
            names.stands("fleet", fleet.to_string(), system.to_string());
        }
    }
}

/// What the units of the seat are called, and where they are.
fn units(names: &mut Names, view: &View) {
    for (id, unit) in view.board.of(view.side) {
        let code = id.name.to_string();
        let kind = id.name.kind;
        let number = code.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let called = view.board.tables.unit(kind).name.clone();
        // What may be placed: new units, and in the set-up all.
        let placed = view.scene == Scene::Setup || unit.place == Place::Arriving;
        let one = called.strip_suffix('s').map(str::to_owned);
        // `scout SC2`.
        let coded = one.as_ref().map(|one| format!("{one} {code}"));
        let names_of = german(kind).iter().map(|n| (*n).to_owned());
        for name in names_of.chain([called]).chain(one).chain(coded) {
            names.also("unit", &name, code.clone());
            names.also("unit", &format!("{name} {number}"), code.clone());
            if placed {
                names.also("arrival", &name, code.clone());
                names.also("arrival", &format!("{name} {number}"), code.clone());
            }
            if kind.is_cargo() && !placed {
                names.add("cargo", &code, code.clone());
                names.add("cargo", &name, code.clone());
                names.add("cargo", &format!("{name} {number}"), code.clone());
            }
            if is_carrier(kind) && placed {
                names.add("berth", &name, code.clone());
                names.add("berth", &code, code.clone());
                names.also("berth", &format!("{name} {number}"), code.clone());
            }
            if is_carrier(kind) {
                names.add("transport", &name, code.clone());
                names.add("transport", &format!("{name} {number}"), code.clone());
            }
        }
        names.add("unit", &code, code.clone());
        // `both TBs`, and `F 2` is no fighter.
        if kind.code().len() > 1 {
            names.also("unit", kind.code(), code.clone());
        }
        if placed {
            if kind.code().len() > 1 {
                names.also("arrival", kind.code(), code.clone());
            }
            names.also("arrival", &code, code.clone());
            if let Some(system) = view.board.where_is(id) {
                names.stands("arrival", code.clone(), system.to_string());
            }
        }
        if let Place::Aboard(ship) = unit.place {
            names.stands("hold", code.clone(), ship.to_string());
        }
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
        "RT" => {
            &["Truppe", "Truppen", "Soldaten", "troops", "regulars", "regiment", "reguläre Truppen"]
        }
        "JT" => &["jumpers", "Sprungtruppe", "Sprungtruppen"],
        "PD" => &["planetary defence", "planetary defense", "Planetenverteidigung"],
        "CS" => &["Angriffskreuzer"],
        "F" => &["Jäger"],
        "OP" => &["Außenposten"],
        "CL" => &["leichter Kreuzer", "leichte Kreuzer", "leichten Kreuzer"],
        "CA" => &["schwerer Kreuzer", "schwere Kreuzer", "schweren Kreuzer"],
        "BB" => &["Schlachtschiff"],
        "TB" => &["Torpedoboot", "Torpedoboote"],
        _ => &[],
    }
}
