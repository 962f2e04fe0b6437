//! Orders in words: verbs for heads, names of spaces and players (§4 to §6).

use std::sync::{Arc, LazyLock};

use super::state::ITEMS;
use super::verbs::Arm;
use super::view::View;
use crate::BattlePlan;
use engine::wording::{Frame, form, frame};
use engine::{Form, Forms, Frames, Names, Words};
use tongue::mark;

impl Words for BattlePlan {
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

/// Verbs of conquest.
const CONQUER: &str = "CONQUER INVADE ATTACK TAKE CAPTURE OCCUPY STORM SEIZE OVERRUN ASSAULT GRAB \
    EROBER GREIF+AN BESETZ NIMM+EIN NEHM+EIN STUERM UEBERFALL";

/// Verbs of a way.
const GO: &str = "MOVE SEND TRANSFER MARCH SAIL FLY SHIP SHIFT BRING RELOCATE GO REDEPLOY PUT \
    BEWEG SCHICK VERLEG ZIEH MARSCHIER BRING FLIEG FAHR VERSCHIEB";

/// Verbs of help.
const HELP: &str = "DEFEND SUPPORT HELP PROTECT REINFORCE AID ASSIST COVER VERTEIDIG UNTERSTUETZ HILF \
    HELF SCHUETZ";

/// Verbs of building.
const BUILD: &str = "BUILD MAKE PRODUCE CONSTRUCT RECRUIT RAISE MANUFACTURE BAU PRODUZIER STELL+HER \
    REKRUTIER STELL+AUF ERRICHT";

/// Verbs of fire.
const FIRE: &str =
    "FIRE LAUNCH SHOOT ATTACK BOMB STRIKE HIT SEND USE SCHIESS FEUER GREIF+AN BOMBARDIER";

/// What may be struck, and the letter of it.
const TARGETS: [(&str, char); 4] = [
    ("'army|armies|troops|soldiers|armee|armeen|truppen'", 'A'),
    ("'navy|navies|ships|fleet|marine|schiffe|flotte'", 'N'),
    ("'airbase|airbases|airfield|airfields|flugplatz|flugplaetze'", 'F'),
    ("'industry|industries|factories|factory|industrie|fabriken'", 'I'),
];

/// How orders are said as sentences: with the place of the forces, or below its section.
pub static SENTENCES: LazyLock<Frames> = LazyLock::new(|| {
    let mut rows: Vec<Frame> = Vec::new();
    let mut both = |verbs: &str, roles: &str, order: &str| {
        let with = format!("{roles} from|at|of|with:from=home");
        let from = format!("@{{from}} {order} {{above}}");
        rows.push(frame(verbs, with, from));
        rows.push(frame(verbs, roles.to_owned(), format!("{{within}} {order}")));
    };
    both(CONQUER, "with|of:n=army% to|at|against:place", "AC{n}{place}");
    both(CONQUER, "with|of:strike*% to|at|against:place", "{strike}{place}");
    both("RAID PLUNDER HARASS PLUENDER", "with|of:n=army% to|at|against:place", "AB{n}{place}");
    both(GO, "with|of:n=army%~ to|at:place=foreign", "AC{n}{place}");
    both(GO, "with|of:go*% to|at:place", "{go}{place}");
    both(HELP, "with|of:help*% to|at:place", "{help}{place}");
    for (target, letter) in TARGETS {
        let at = format!("to|at|against:{target} of|at|from|to|against:place");
        both(FIRE, &format!("with|of:n=air%~ {at}"), &format!("F{letter}{{n}}{{place}}"));
        if letter != 'N' {
            both(FIRE, &format!("with|of:n=missile%~ {at}"), &format!("M{letter}{{n}}{{place}}"));
            let bare = "with|of:n=missile%~ to|at|against:place";
            both(FIRE, bare, &format!("M{letter}{{n}}{{place}}"));
        }
    }
    both("BOMB STRIKE BOMBARDIER", "with|of:n=air%~ to|at|against:place", "FA{n}{place}");
    both(
        "ATTACK STRIKE HIT FIGHT SINK GREIF+AN VERSENK",
        "with|of:n=navy%~ to|at|against:'navy|navies|ships|fleet|marine|schiffe|flotte'? \
         of|at|from|to|against:place",
        "NN{n}{place}",
    );
    both(BUILD, "builds*#", "{builds}");
    let order = "@{from} {go}{place} {above}";
    rows.push(frame("", "of|with:go*% from|at|of|with:from=home to:place!", order).verbless());
    rows.push(frame("", "of|with:go*% to:place!", "{within} {go}{place}").verbless());
    // What stays needs no order.
    let rest = "of|with:'rest|others|other|remaining|uebrigen|andere' of:'half|haelfte'? at|to:'home|hause'?";
    rows.push(frame("STAY REMAIN WAIT HOLD KEEP BLEIB HALT", rest, ""));
    rows.push(frame("DEFEND GUARD PROTECT VERTEIDIG", "'country|home|border|land|grenze'?", ""));
    let mut own = |verbs: &str, roles: &'static str, order: &str, verbless: bool| {
        let row = frame(verbs, roles, format!("@ {order} {{above}}"));
        rows.push(if verbless { row.verbless() } else { row });
    };
    const DECLARE: &str = "DECLARE MAKE BECOME BE CALL SET TREAT BEFRIEND ALLY SEE CONSIDER MACH ERKLAER \
        WERD BETRACHT";
    own(
        DECLARE,
        "with|to|of:player* to|as|at|with:'ally|allies|alliance|friend|friends|verbuendeter|verbuendeten|freund|freunde|allianz'",
        "{player}A",
        true,
    );
    own(
        DECLARE,
        "with|to|of|against|at:player* to|as|at:'enemy|enemies|foe|war|feind|feinde|krieg'",
        "{player}E",
        true,
    );
    own(
        DECLARE,
        "with|to|of:player* to|as|at:'neutral|peace|neutrality|frieden'",
        "{player}N",
        true,
    );
    own("ALLY BEFRIEND VERBUEND", "with:player*", "{player}A", false);
    own("FIGHT BEKAEMPF", "against:player*", "{player}E", false);
    own("", "n=dollar~ to|for:player!", "{player}D{n}", true);
    own(
        "GIVE PAY SEND DONATE TRANSFER LEND GIB SCHENK ZAHL SCHICK UEBERWEIS",
        "n=dollar~ to|for:player",
        "{player}D{n}",
        false,
    );
    own(
        "LET ALLOW PERMIT GRANT ERLAUB GESTATT LASS",
        "to|for:player* to|at:'pass|passage|through|straits|canal|canals|durchfahrt|durch|passieren' to|at|of:'through|straits|my'?",
        "{player}K",
        false,
    );
    own(
        "FORBID DENY CLOSE REFUSE BLOCK VERBIET SPERR",
        "to|for:player* to|for:'pass|passage|through|straits|canal|canals|durchfahrt'",
        "{player}X",
        false,
    );
    own(
        "SHARE SHOW TEIL ZEIG",
        "'everything|information|intelligence|map|view|vision|sight|alles|karte|sicht|see'? with|to:player*",
        "{player}F",
        false,
    );
    own("STOP_SHARING", "'everything|information|map|view'? with|to:player*", "{player}Z", false);
    own(
        "END CANCEL BREAK DISSOLVE LEAVE KUENDIG BEEND LOES",
        "of|to:'alliance|treaty|pact|buendnis|allianz' with|of:player*",
        "{player}N",
        false,
    );
    own("", "n=spy#~ to|at:place*!", "S{n}{place}", true);
    own(
        "SPY SPIES SEND PUT PLACE SPIONIER SCHICK STATION",
        "n=spy#~ to|at|for|against|with:place*",
        "S{n}{place}",
        false,
    );
    own("SPY SPIONIER", "with:n=spy#~ to|at|at|against:place", "S{n}{place}", false);
    own(
        "COUNTERSPY PUT USE SEND SET KEEP STATION PLACE PROTECT SCHICK STELL SETZ",
        "with:n=counterspy#~ to|at|for:place*",
        "C{n}{place}",
        false,
    );
    own(
        "TRAIN HIRE RECRUIT BUY SPEND AUSBILD BILD+AUS",
        "to|at|for|with:'spy|spies|spione' for|with|of:n=dollar",
        "TS{n}",
        false,
    );
    own(
        "TRAIN HIRE RECRUIT BUY SPEND AUSBILD BILD+AUS",
        "to|at|for|with:'counterspy|counterspies|counter-spies|counter-espionage|counterespionage|gegenspione|spionageabwehr' for|with|of:n=dollar",
        "TC{n}",
        false,
    );
    own(
        "RESEARCH SPEND INVEST PUT PAY USE GO COME FORSCH STECK INVESTIER GIB+AUS GEH FLIESS",
        "with|for|of:n=dollar~ to|at|for|of:'research|forschung|multiplier'? to|at|for|of:item! to:'research|forschung|multiplier'?",
        "R{item}{n}",
        true,
    );
    own("RESEARCH FORSCH IMPROVE", "at:item with|for|of:n=dollar", "R{item}{n}", false);
    own(
        "SPEND INVEST PUT PAY USE RUN MAKE STECK INVESTIER GIB+AUS MACH",
        "with|for|of:n=dollar~ to|at|for|of:'propaganda|popularity' to|at:place",
        "P{n}{place}",
        false,
    );
    own("PROPAGANDA", "with|for|of:n=dollar to|at:place", "P{n}{place}", false);
    Frames::new(rows)
});

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

/// Forces as orders count them, by what they do.
const STRIKE: [(&str, &str); 2] = [("army", "AC"), ("air", "FA")];
const GOING: [(&str, &str); 5] =
    [("army", "AT"), ("navy", "NT"), ("air", "FT"), ("missile", "MT"), ("antimissile", "XT")];
const HELPING: [(&str, &str); 3] = [("army", "AS"), ("navy", "NS"), ("air", "FS")];
const BUILDING: [(&str, &str); 6] = [
    ("army", "BA"),
    ("navy", "BN"),
    ("air", "BF"),
    ("missile", "BM"),
    ("antimissile", "BX"),
    ("industry", "BI"),
];

/// Places of the map of Europe in German.
const GERMAN: [(&str, &str); 27] = [
    ("AL", "Albanien"),
    ("AU", "Österreich"),
    ("BA", "Baltikum"),
    ("BE", "Belgien"),
    ("BU", "Bulgarien"),
    ("CY", "Zypern"),
    ("CZ", "Tschechoslowakei"),
    ("DE", "Dänemark"),
    ("FI", "Finnland"),
    ("FR", "Frankreich"),
    ("GB", "Großbritannien"),
    ("GE", "Deutschland"),
    ("GR", "Griechenland"),
    ("HU", "Ungarn"),
    ("IR", "Irland"),
    ("IT", "Italien"),
    ("LU", "Luxemburg"),
    ("NE", "Niederlande"),
    ("NO", "Norwegen"),
    ("PD", "Polen"),
    ("RO", "Rumänien"),
    ("RU", "Russland"),
    ("SP", "Spanien"),
    ("SW", "Schweden"),
    ("TU", "Türkei"),
    ("YU", "Jugoslawien"),
    ("BLA", "Schwarzes Meer"),
];

/// The nouns of amounts.
const NOUNS: [(&str, &str); 9] = [
    ("army", "army armies troops soldiers land Armee Armeen Heer Truppen Soldaten"),
    ("navy", "navy navies ships fleet fleets Marine Schiffe Flotte Flotten"),
    ("air", "air_force air_forces airforce airforces planes aircraft air Luftwaffe Flugzeuge"),
    ("missile", "missile missiles rockets Rakete Raketen"),
    ("antimissile", "antimissile antimissiles anti-missiles Abwehrraketen"),
    ("industry", "industry industries factory factories Industrie Fabrik Fabriken"),
    ("spy", "spy spies agents Spion Spione Spionen"),
    ("counterspy", "counterspy counterspies counter-spies counter_spies Gegenspion Gegenspione"),
    ("dollar", "dollar dollars money $ bucks Geld"),
];

/// The names of things that orders use.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    let map = &view.tables.map;
    let pools = &view.position.player;
    for (sort, nouns) in NOUNS {
        let pool = match sort {
            "dollar" => u32::try_from(pools.cents / 100).ok(),
            "spy" => u32::try_from(pools.spies / 100).ok(),
            "counterspy" => u32::try_from(pools.counterspies / 100).ok(),
            _ => None,
        };
        names.amount(sort, nouns, pool);
    }
    names.nouns("player", "player players Spieler");
    names.places(&["place", "foreign", "home"]);
    let tables = Arc::clone(&view.tables);
    names.around(move |place| {
        let map = &tables.map;
        let Some(at) = map.all().find(|space| map.code(*space) == place) else { return Vec::new() };
        let near = map.all().filter(|space| map.adjacent(at, *space));
        near.map(|space| map.code(space).to_owned()).collect()
    });
    names.amounts.mixed("strike", &STRIKE);
    names.amounts.mixed("go", &GOING);
    names.amounts.mixed("help", &HELPING);
    names.amounts.mixed("builds", &BUILDING);
    for (sort, item) in
        [("industry", 0), ("army", 1), ("navy", 2), ("air", 3), ("missile", 4), ("antimissile", 5)]
    {
        names.amounts.yields(sort, u32::try_from(pools.multipliers[item]).unwrap_or(100));
    }
    for space in map.all() {
        let code = map.code(space);
        let others = GERMAN.iter().filter(|(known, _)| *known == code).map(|(_, name)| *name);
        let called: Vec<&str> = [map.name(space), code].into_iter().chain(others).collect();
        let own = view.position.holdings.get(&space);
        let kinds: &[&str] = match map.is_sea(space) {
            true => &["sea", "seas", "Meer", "Meere"],
            false => &["country", "countries", "Land", "Länder"],
        };
        for noun in kinds {
            names.also("place", noun, code);
        }
        names.add("place", map.name(space), code);
        names.add("place", code, code);
        for name in &called {
            names.also("place", name, code);
            if own.is_none() && !map.is_sea(space) {
                names.add("foreign", name, code);
            }
            if own.is_some() {
                names.add("home", name, code);
            }
        }
        let Some(holding) = own else { continue };
        let arms = [("army", Arm::Army), ("navy", Arm::Navy), ("air", Arm::Air)];
        for (sort, arm) in arms {
            names.amounts.held(sort, code, u32::try_from(holding.stock(arm)).unwrap_or_default());
        }
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
    for home in view.position.holdings.keys() {
        names.lives_in(format!("@{}", map.code(*home)));
    }
    names
}
