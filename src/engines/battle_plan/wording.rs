//! Orders in words: verbs for heads, names of spaces and players (§4 to §6).

use std::sync::LazyLock;

use super::names::names;
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
const CONQUER: &str = "@attack TAKE NIMM NEHM -RAID";

/// Verbs of a way.
const GO: &str = "@go PUT";

/// Verbs of help.
const HELP: &str = "@help";

/// Verbs of building.
const BUILD: &str = "@build";

/// Verbs of fire.
const FIRE: &str = "FIRE LAUNCH SHOOT ATTACK BOMB STRIKE HIT SEND USE POUND HAMMER BLAST RAID GO_AFTER GO_FOR LET \
    SCHIESS FEUER GREIF+AN BOMBARDIER";

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
        let with = format!("{roles} from|at|of|with:from=home*");
        let from = format!("@{{from}} {order} {{above}}");
        rows.push(frame(verbs, with, from));
        rows.push(frame(verbs, roles.to_owned(), format!("{{within}} {order}")));
    };
    both(CONQUER, "with|of:n=army% to|at|against:place", "AC{n}{place}");
    both(CONQUER, "with|of:strike*% to|at|against:place", "{strike}{place}");
    both("RAID PLUNDER HARASS PLUENDER", "with|of:n=army% to|at|against:place", "AB{n}{place}");
    both(GO, "with|of:strike*%~ to|at|against:place=foreign", "{strike}{place}");
    both(GO, "with|of:go*% to|at:place=passage 'home|back|heim|zurueck'?", "{go}{place}");
    both(HELP, "with|of:help*% to|at:place", "{help}{place}");
    // Who helps an attack attacks.
    for with in
        ["with|at|to|of:'attack|assault|invasion|angriff'", "to|with:'them|it|ihnen|ihr|dabei'"]
    {
        both(
            "@help JOIN JOIN_IN TAKE_PART PARTICIPATE MACH+MIT SCHLIESS+AN BETEILIG",
            &format!("with|of:strike*% {with} to|at|of|against:place=foreign"),
            "{strike}{place}",
        );
    }
    both(
        "GO COME FLY JOIN FLIEG KOMM GEH",
        "with|of:strike*%~ 'along|mit|dabei|alongside' to|at|of|against:place=foreign",
        "{strike}{place}",
    );
    both(
        "GO COME FLY JOIN",
        "with|of:strike*%~ with:'them|it|ihnen'? to|at|of|against:place=foreign",
        "{strike}{place}",
    );
    for (target, letter) in TARGETS {
        let at = format!("to|at|against:{target} of|at|from|to|against:place");
        both(FIRE, &format!("with|of:n=air%~ {at}"), &format!("F{letter}{{n}}{{place}}"));
        if letter != 'N' {
            both(FIRE, &format!("with|of:n=missile%~ {at}"), &format!("M{letter}{{n}}{{place}}"));
            let bare = "with|of:n=missile%~ to|at|against:place";
            both(FIRE, bare, &format!("M{letter}{{n}}{{place}}"));
        }
    }
    // What is bombed matters: it is asked.
    for letter in ['A', 'F', 'I'] {
        let order = format!("F{letter}{{n}}{{place}}");
        both("BOMB STRIKE BOMBARDIER", "with|of:n=air%~ to|at|against:place", &order);
    }
    both(
        "ATTACK STRIKE HIT FIGHT SINK GREIF+AN VERSENK",
        "with|of:n=navy%~ to|at|against:'navy|navies|ships|fleet|marine|schiffe|flotte'? \
         of|at|from|to|against:place",
        "NN{n}{place}",
    );
    both(BUILD, "builds*#", "{builds}");

    both(
        "@build USE PUT GO SPEND WORK POUR ARBEIT STECK",
        "with|of:n=industry%~ to|for|at:product",
        "B{product}{n}",
    );
    for (from, writes) in
        [("", "{within} B{product}{n}"), (" at:from=home*", "@{from} B{product}{n} {above}")]
    {
        let roles = format!("with|of:n=industry%~ to|for:product!{from}");
        rows.push(frame("", roles, writes).verbless());
    }
    for (from, writes) in [
        ("", "{within} {strike}{place}"),
        (" from|of|with:from=home*", "@{from} {strike}{place} {above}"),
    ] {
        let along = "with|of:strike*%~ with:'them|it|him|ihnen|ihm' to|at|of|against:place=foreign";
        rows.push(frame("", format!("{along}{from}"), writes).verbless());
    }
    rows.push(frame("", "at:from=home* builds*#", "@{from} {builds} {above}").verbless());
    for (arms, goal) in [("go", "passage"), ("strike", "foreign")] {
        let order = format!("{{{arms}}}{{place}}");
        let at = format!("of|with:{arms}*% from|at|of|with:from=home* to|against:place={goal}!");
        rows.push(frame("", at, format!("@{{from}} {order} {{above}}")).verbless());
        let roles = format!("of|with:{arms}*% to|against:place={goal}!");
        rows.push(frame("", roles, format!("{{within}} {order}")).verbless());
    }
    // What stays needs no order.
    let rest = "of|with:'rest|others|other|remaining|uebrigen|andere' of:'half|haelfte'? at|to:'home|hause'?";
    rows.push(frame("STAY REMAIN WAIT HOLD KEEP BLEIB HALT", rest, ""));
    let stays = "'army|armies|navy|fleet|ships|planes|troops|everything|everybody|armee|marine|flotte|schiffe|flugzeuge|luftwaffe|truppen|alles' \
        at|to:'home|here|there|put|hause|hier|dort'?";
    rows.push(frame("STAY REMAIN WAIT BLEIB", stays, ""));
    rows.push(frame("DEFEND GUARD PROTECT VERTEIDIG", "'country|home|border|land|grenze'?", ""));
    let mut own = |verbs: &str, roles: &'static str, order: &str, verbless: bool| {
        let row = frame(verbs, roles, format!("@ {order} {{above}}"));
        rows.push(if verbless { row.verbless() } else { row });
    };
    const DECLARE: &str = "DECLARE MAKE BECOME BE CALL SET TREAT BEFRIEND ALLY SEE CONSIDER MACH ERKLAER \
        WERD BETRACHT SCHLIESS VERBUEND";
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
    own(
        "BE",
        "with|to|of:player* 'not|longer|more|nicht|mehr|kein|keine' to|as:'ally|allies|friend|friends|verbuendeter|verbuendeten|freund|freunde'",
        "{player}N",
        true,
    );
    own("", "'no-alliance' with:player*", "{player}N", true);
    own("", "'alliance|friendship|allianz|buendnis|freundschaft' with:player*", "{player}A", true);
    own("ALLY BEFRIEND VERBUEND", "with:player*", "{player}A", false);
    own("FIGHT BEKAEMPF", "against:player*", "{player}E", false);
    own("BREAK BRECH", "with:player*", "{player}N", false);
    own(
        "CHANGE SET MAKE AENDER STELL",
        "to|for:'default|standard|standardbau|normal' 'build|builds|production|bau'? to|at:builds*",
        "{builds}",
        false,
    );
    own(
        "@build",
        "builds* with|as|at:'default|defaults|standard|standardmaessig|normally|usually|normalerweise'",
        "{builds}",
        false,
    );
    own("RESEARCH FORSCHUNG FORSCH", "for|to|at:study*", "{study}", false);
    own(
        "BUY TRAIN HIRE RECRUIT GET ADD KAUF AUSBILD BILD+AUS",
        "hire*# 'more|new|weitere|neue'?",
        "{hire}",
        false,
    );
    own("", "n=counterspy#~ to|at|for:place*!", "C{n}{place}", true);
    own("", "n=dollar~ item", "R{item}{n}", true);
    own("", "n=dollar~ to|for:player*!", "{player}D{n}", true);
    own("@give", "of:n=dollar~ to|for:player*", "{player}D{n}", false);
    own(
        "GET RECEIVE HAVE BEKOMM KRIEG ERHALT ERHAELT",
        "to|for:player* of:n=dollar~ 'more'?",
        "{player}D{n}",
        false,
    );
    own(
        "LET ALLOW PERMIT GRANT GIVE GIB PASS ERLAUB GESTATT LASS PASSIER",
        "to|for:player* to|at:'pass|passage|through|strait|straits|canal|canals|durchfahrt|durch|passieren|meerenge' to|at|of:'through|strait|straits|my'?",
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
        "'my-view|everything|information|intelligence|map|view|vision|sight|alles|karte|sicht|see'? with|to:player*",
        "{player}F",
        false,
    );
    own(
        "SHOW SHARE LET TEIL ZEIG LASS",
        "'dont|not|nicht|no|mehr|longer' with|to:player* 'my-view|map|position|view|karte|stellung|sicht'? 'see|more|longer|mehr|sehen'?",
        "{player}Z",
        false,
    );
    own(
        "STOP_SHARING STOP_SHOWING",
        "'everything|anything|information|map|view|what'? 'see|know'? with|to:player*",
        "{player}Z",
        false,
    );
    own(
        "END CANCEL BREAK DISSOLVE LEAVE DROP QUIT TERMINATE KUENDIG KUENDIG+AUF BEEND LOES",
        "of|to:'alliance|treaty|pact|buendnis|allianz' with|of:player* 'become|becomes|neutral|werden'?",
        "{player}N",
        false,
    );
    own(
        "",
        "of:'alliance|treaty|pact|buendnis|allianz|vertrag' with|of:player* 'over|ended|finished|off|vorbei|aus|beendet|zu' 'ende'?",
        "{player}N",
        true,
    );
    own("", "n=spy#~ to|at:place*!", "S{n}{place}", true);
    own(
        "@go @place SPY SPIES SMUGGLE INFILTRATE SPIONIER SCHLEUS SCHLEUS+EIN STATION",
        "n=spy#~ to|at|for|against|with:place*",
        "S{n}{place}",
        false,
    );
    own("SPY SPIONIER", "with:n=spy#~ to|at|at|against:place", "S{n}{place}", false);
    own(
        "COUNTERSPY @go @place @guard USE KEEP POST",
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
    own(
        "SPEND INVEST PUT PAY USE STECK INVESTIER GIB+AUS",
        "n=dollar~ to|at|for|of:'research|forschung' item",
        "R{item}{n}",
        false,
    );
    own("RESEARCH FORSCH IMPROVE", "at:item with|for|of:n=dollar", "R{item}{n}", false);
    own(
        "SPEND INVEST PUT PAY USE RUN MAKE STECK INVESTIER GIB+AUS MACH",
        "with|for|of:n=dollar~ to|at|for|of:'propaganda|popularity' to|at:place",
        "P{n}{place}",
        false,
    );
    own("PROPAGANDA", "with|for|of:n=dollar to|at:place", "P{n}{place}", false);
    // What is built now is not built from now on.
    let builds = |writes: &str| ["{builds}", "B{product}"].iter().any(|slot| writes.contains(slot));
    let once = |row: Frame| match builds(row.writes()) && !row.writes().starts_with("@ ") {
        true => row.once(),
        false => row,
    };
    Frames::new(rows.into_iter().map(once).collect()).joined(joined)
});

/// Of two attitudes towards one player in a line, the last counts.
fn joined(before: &[String], orders: Vec<String>) -> Vec<String> {
    let whom = |order: &String| {
        let attitude = order.strip_prefix("@ ")?.strip_suffix(" {above}")?;
        let player = attitude.strip_suffix(['A', 'E', 'N'])?;
        player.bytes().all(|b| b.is_ascii_digit()).then(|| player.to_owned())
    };
    let mut out: Vec<String> = Vec::new();
    for mut order in orders {
        // Air force that supports where its player attacks attacks with the army.
        if let Some((from, force)) = order.split_once(" FS") {
            let at = |text: &str| {
                let order = text.trim_end_matches("{above}").trim().rsplit(' ').next();
                order.map(|o| o.trim_start_matches(|c: char| c.is_ascii_alphabetic()).to_owned())
            };
            let place =
                at(&order).map(|o| o.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned());
            let attacks = |known: &String| {
                known.contains(" AC")
                    && place.as_ref().is_some_and(|place| {
                        known.trim_end_matches("{above}").trim().ends_with(place.as_str())
                    })
            };
            if before.iter().chain(&out).any(attacks) {
                order = format!("{from} FA{force}");
            }
        }
        let same = |known: &String| whom(known).is_some() && whom(known) == whom(&order);
        out.retain(|known| !same(known));
        out.push(order);
    }
    out
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
