//! Orders in words: verbs for letters, names of cities, generals and types, compass words, lists of
//! units (§9).

use std::sync::LazyLock;

use super::orders::{self, sector_no};
use super::view::View;
use crate::Warlord;
use crate::bases::Hangar;
use crate::tables::UnitRow;
use engine::geometry::Direction;
use engine::wording::{form, frame};
use engine::{Forms, Frames, Names, Words};

impl Words for Warlord {
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

/// Verbs of a march.
const GO: &str = "@go @attack -MOVE -BEWEG ATTACK TAKE REINFORCE GET KEEP_COMING NIMM NEHM";

/// Verbs of building.
const BUILD: &str = "@build START";

/// Verbs of paying.
const PAY: &str = "@pay";

/// Verbs of messages.
const TELL: &str = "TELL ASK SAY OFFER PROPOSE SUGGEST INFORM LET_KNOW SAG FRAG BITT BIET+AN \
    SCHLAG+VOR";

/// Verbs of naming.
const NAME: &str = "@name";

/// How orders are said as sentences.
pub static SENTENCES: LazyLock<Frames> = LazyLock::new(|| {
    Frames::new(vec![
        frame(GO, "units* to|at|against:goal 'home|back|heim|zurueck|along|forward|away|vor'? 'home|heim'?", "A {units} {goal}"),
        frame(GO, "with:units*! to|at|against:goal", "A {units} {goal}"),
        frame(
            "",
            "units* 'back|zurueck'? 'home|heim'? to|against:goal!",
            "A {units} {goal}",
        )
        .verbless(),
        frame(
            GO,
            "units* to|at|against:'rebel|rebels|enemy|enemies|foe|rebellen|feind|feinde' to|at|against:goal",
            "A {units} {goal}",
        ),
        frame(
            GO,
            "men~ of|from:unit=units^ to|at|against:goal",
            "S {unit} {men};A {new} {goal}",
        ),
        frame(GO, "men~ of|from:unit=units^ to:steps&~", "S {unit} {men};M {new} {steps}"),
        frame("", "men~ of|from:unit=units^ to:goal!", "S {unit} {men};A {new} {goal}").verbless(),
        frame(
            GO,
            "men=squad~ of|from:unit=units^! to|at|against:goal",
            "S {unit} {men};A {new} {goal}",
        ),
        frame("", "men=squad~ of|from:unit=units^! to:goal!", "S {unit} {men};A {new} {goal}")
            .verbless(),
        frame(GO, "units* with:'them|it|him|ihm|ihnen|ihr' to|at|against:goal", "A {units} {goal}"),
        frame(
            "",
            "units* to|at|against:'rebel|rebels|enemy|enemies|rebellen|feind|feinde' to|at|against:goal!",
            "A {units} {goal}",
        )
        .verbless(),
        frame("", "units* to:'ruin|ruins|ruine|ruinen'! at|of:place", "A {units} {place}").verbless(),
        // Who goes along goes to the same place.
        frame(
            "GEH+MIT KOMM+MIT ZIEH+MIT GO_ALONG COME_ALONG TAG_ALONG FOLLOW FOLG",
            "units* with|of:'them|him|it|ihnen|ihr|ihm'? to|at:goal",
            "A {units} {goal}",
        ),
        frame(
            "ACCOMPANY FOLLOW JOIN ESCORT BEGLEIT FOLG",
            "units* with|to:other=units to|at:goal!",
            "A {units} {goal}",
        ),
        frame("MOVE BEWEG", "units* to|at|against:place", "A {units} {place}"),
        frame("MOVE STEP WALK BEWEG GET GET_AWAY", "units* to:steps&", "M {units} {steps}"),
        frame(GO, "units* to:steps&~", "M {units} {steps}"),
        frame(GO, "with:units*! to:steps&~", "M {units} {steps}"),
        frame("TAKE MAKE DO MACH", "units* to:steps&~", "M {units} {steps}"),
        frame("", "units* to:steps&~", "M {units} {steps}").verbless(),
        frame(
            "@stay",
            "units* at:'home|here|there|position|zuhause|hause|hier|dort|stehen|put|still'? at:here=place?",
            "M {units} 0",
        ),
        // What needs no order.
        frame(
            "STAY REMAIN HOLD WAIT BLEIB HALT",
            "of:'rest|others|other|andere|anderen|rest' of:'half|haelfte'? at|to:'home|put|here|there|zuhause|hause'?",
            "",
        ),
        frame(
            "@guard HOLD HALT",
            "units*? 'city|town|line|place|home|position|stadt|stellung'",
            "",
        ),
        frame("TURN_AROUND TURN_ROUND KEHR+UM", "units", ""),
        frame("STOP_BUILDING STOP_MAKING STOP_PRODUCING", "item# at|of:city", ""),
        frame(
            "STOP_BUILDING STOP_MAKING STOP_PRODUCING",
            "old=item at|of:city. 'and' 'make|build|produce|start' item 'there'? 'instead'?",
            "C {city} {item};C {city} {item};C {city} {item}",
        ),
        frame(
            "STOP HALT CEASE STELL+EIN",
            "of:'production|producing|building|work|produktion|bau' at|of:city*.",
            "C {city} 37",
        ),
        // What goes on as before needs no order.
        frame("CARRY_ON MACH+WEITER GO_ON KEEP_GOING", "city 'as|wie'? 'before|bisher|is|usual|immer'?", ""),
        frame(
            BUILD,
            "of:'production|produktion'? item*# at|for|to|of:times=centre? at|for|with|to|of:city*.",
            "C {city} {item}",
        ),
        frame("START BEGIN COMMENCE BEGINN", "with|to|at:'production|building|produktion|bau' of|with:item*# at|for:city*.", "C {city} {item}"),
        frame("PUT SET", "times=centre~ to|at:item of|at:city*.", "C {city} {item}"),
        frame("", "times=centre~ to|at:item of|at:city*.", "C {city} {item}").verbless(),
        frame("", "at|for:city*~ item*#", "C {city} {item}").verbless(),
        frame(
            "SWITCH CHANGE TURN_OVER STELL+UM",
            "of|at:'all|whole|ganz' of|at|for:city. 'over'? to|at|with:item#",
            "C {city} {item};C {city} {item};C {city} {item}",
        ),
        frame("SWITCH CHANGE TURN_OVER STELL+UM", "of|at|for:city. 'over'? to|at|with:item*# at|for:times=centre?", "C {city} {item}"),
        frame("", "item*# at|for:times=centre? at|for:city*!", "C {city} {item}").verbless(),
        frame(BUILD, "item# from:times=centre! at|of|for:city*.", "C {city} {item}"),
        frame("", "item# from:times=centre! at|of|for:city*.", "C {city} {item}").verbless(),
        frame(
            "PUT SET LEAVE STELL LEG",
            "'all|its|their|the|alle'? 'centres|centers|centre|production|zentren|produktion' of|at|from:city*. at:'hold|ice|eis'!",
            "C {city} 37",
        ),
        frame("ADD FORTIFY BAU+AUS BEFESTIG", "for|of:level*# at|to|for:city*.", "C {city} {level}"),
        frame(
            "STRENGTHEN RAISE IMPROVE REINFORCE FORTIFY VERSTAERK BEFESTIG BAU+AUS",
            "'walls|wall|defences|defenses|fortifications|mauern|mauer|verteidigung|befestigung' at|of|for:city*. with|for:level*#",
            "C {city} {level}",
        ),
        frame(
            "@build ERECT",
            "'walls|defences|defenses|fortifications|mauern|befestigungen' at|of|for:city*",
            "C {city} 21",
        ),
        frame(
            "STRENGTHEN RAISE IMPROVE FORTIFY VERSTAERK BEFESTIG",
            "'walls|wall|defences|defenses|fortifications|mauern|mauer|verteidigung|befestigung'? at|of|for:city*",
            "C {city} 21",
        ),
        frame(
            PAY,
            "of:pp% to|at|for|with:'research|tech|technology|science|forschung|technik|wissenschaft'",
            "E {pp}",
        ),
        frame(
            "GO COME FLOW BELONG GEH FLIESS KOMM WANDER",
            "of:pp%~ to|at|for:'research|tech|technology|science|forschung|technik|wissenschaft'",
            "E {pp}",
        ),
        frame("", "of:pp~ to|at|for|with:'research|tech|technology|science|forschung|technik'", "E {pp}")
            .verbless(),
        frame("RESEARCH SPEND INVEST FORSCH", "with|for:pp", "E {pp}"),
        frame(
            "@look SCOUT FLY FLIEG ERKUND",
            "with|of:fighters# 'over|and|blick|eye|glance|peek'? 'look|recon|reconnaissance|patrol|aufklaerung'? to|at|against|of:place",
            "O {fighters} {place}",
        ),
        frame("SEND SCHICK", "fighters#~ to|at:place", "O {fighters} {place}"),
        frame("", "fighters#~ to|at:place!", "O {fighters} {place}").verbless(),
        frame(
            "WATCH PUT SET KEEP STAND PLACE STELL HALT",
            "fighters#~ to|at:'watch|guard|patrol|wache|standby' to|at|for:base=nest.",
            "W {base} {fighters}",
        ),
        frame(
            "",
            "fighters#~ to|at:'watch|guard|patrol|wache|standby' to|at|for:base=nest.",
            "W {base} {fighters}",
        )
        .verbless(),
        frame("WATCH GUARD PROTECT PATROL BEWACH SCHUETZ", "fighters#~ at:base=nest.", "W {base} {fighters}"),
        frame("BOMB BOMBARD STRIKE BOMBARDIER", "with:bombers# to|at|against:place", "B {bombers} {place}"),
        frame("ATTACK SEND GREIF+AN SCHICK", "with:bombers#~ to|at|against:place", "B {bombers} {place}"),
        frame("BOMBARD SHELL", "with:'ship|ships|fleet'? to|at|against:place", "B 0 {place}"),
        frame(
            "POSITION PUT GENERAL PLACE ATTACH ASSIGN ACCOMPANY JOIN GO RIDE MARCH TRAVEL LEAD COMMAND FOLLOW TRANSFER \
             SEND TAKE GIVE GIB FAHR+MIT FAEHR+MIT REIT+MIT ZIEH+MIT MARSCHIER+MIT KOMM+MIT GEH+MIT RIDE_ALONG GO_ALONG \
             GO_OVER BEGLEIT FUEHR KOMMANDIER UEBERNIMM UEBERNEHM SCHLIESS+AN STELL SETZ \
             TEIL+ZU",
            "general~ at|as:'command|charge|commander|kommando|leader'? with|to|at|of:unit=units",
            "P {general} {unit}",
        ),
        frame("", "general~ to|with|at:unit=units!", "P {general} {unit}").verbless(),
        frame("STAY REMAIN BLEIB", "general~ with|at:unit=units!", "P {general} {unit}"),
        // A general who stays needs no order.
        frame("STAY REMAIN WAIT BLEIB WART", "general~ at:'put|here|there|home|hause|hier|dort'?", ""),
        frame(
            "@merge HAENG",
            "unit=units* with:other=units!",
            "L {unit} {other}",
        ),
        // What is joined to another becomes part of it.
        frame("@merge HAENG", "unit=units* to:other=units!", "L {other} {unit}"),
        frame(
            "JOIN LINK MERGE COMBINE UNITE VEREIN VEREINIG VERBIND LEG+ZUSAMMEN FASS+ZUSAMMEN",
            "pair=units+ to:'one|together|eine|einer'? 'unit|einheit'?",
            "L {pair}",
        ),
        frame(
            "@split TAKE REMOVE LOESE NIMM",
            "men of|from:unit=units^",
            "S {unit} {men}",
        ),
        frame("@split", "unit=units^ to|at:men", "S {unit} {men}"),
        frame("@split", "men~ of|from:unit=units^ to|with:'unit|own|force|group|einheit|eigene'?", "S {unit} {men}"),
        frame(
            "MAKE FORM CREATE MACH BILD",
            "'new|neue'? 'unit|einheit' of|from:'them|daraus|it'",
            "",
        ),
        frame(
            "SEARCH EXPLORE DIG INVESTIGATE DURCHSUCH ERKUND SUCH",
            "with:units* to|at|for:'ruin|ruins|ruine|ruinen'",
            "K {units} 1",
        ),
        frame(
            "SEARCH EXPLORE DIG INVESTIGATE DURCHSUCH ERKUND SUCH",
            "units* to|at|for:'ruin|ruins|ruine|ruinen' at:place",
            "A {units} {place}",
        ),
        frame(
            GO,
            "units* to|at|for:'ruin|ruins|ruine|ruinen' at:place",
            "A {units} {place}",
        ),
        frame("BUILD CONSTRUCT MAKE START ENGINEER BAU", "with:units* at:work", "K {units} {work}"),
        frame(
            "SPEND PAY USE INVEST GIB+AUS ZAHL",
            "of:pp for|to|at:'find|finding|learn|learning|spy|spying|intelligence|investigate|investigating|erfahren|auskundschaften|herauszufinden' \
             'out'? 'more|mehr'? for|of|at|against:'about|ueber'? for|of|at|against:player",
            "I {player} {pp}",
        ),
        frame(
            "SPY INVESTIGATE SPIONIER",
            "at|against|to|of:player 'pay|paying|zahl|zahle'? for|with:pp for:'it|this|dafuer'?",
            "I {player} {pp}",
        ),
        frame(
            "DECLARE MAKE BECOME ALLY BEFRIEND MACH ERKLAER WERD VERBUEND",
            "with|to:player to|as:'ally|allies|alliance|friend|friends|allied|verbuendet|verbuendeter|verbuendeten|freund|freunde|allianz'",
            "D {player}",
        ),
        frame("DECLARE ALLY BEFRIEND", "with:player", "D {player}"),
        frame(
            "",
            "with:player to|as|with:'ally|allies|alliance|friend|friends|allied|verbuendet|verbuendeter|verbuendeten|freund|freunde|befreundet'",
            "D {player}",
        )
        .verbless(),
        frame("FORM JOIN ENTER MAKE BILD TRET+BEI", "to:'coalition|koalition' with|of:player*", "J {player}"),
        frame("", "'coalition|koalition' with|of:player*", "J {player}").verbless(),
        frame("", "'alliance|pact|allianz|buendnis' with|of:player*", "D {player}").verbless(),
        frame(
            "SHAKE_HAND SHAKE_HANDS MAKE_FRIENDS SCHLAG+EIN FREUND+AN",
            "with|to:player*",
            "D {player}",
        ),
        frame("LEAVE QUIT VERLASS", "'coalition|koalition'", "J 0"),
        frame(
            TELL,
            "to:player* of|for|at|to:'peace|frieden|nonaggression|nichtangriff' 'pact|treaty|pakt'?",
            "Y {player} 211",
        ),
        frame(
            TELL,
            "to:player* 'if|whether|ob'? 'they|he|she|sie|er'? 'want|wants|fancy|likes|mag|will|wollen|moechte|moegen'? to|of|for|at:'alliance|allies|ally|friends|buendnis|verbuendete|allianz' 'with|mit'?",
            "Y {player} 401",
        ),
        frame(
            TELL,
            "to:player* of|for|at|to:'coalition|koalition' against|with:foe=player?",
            "Y {player} 411",
        ),
        frame(NAME, "city to|at|as:text", "N 1 {city} {text}"),
        frame(NAME, "general to|at|as:text", "N 3 {general} {text}"),
        frame("FIRE LAUNCH ROCKET SHOOT FEUER SCHIESS", "rockets# to|at|against:place", "R {rockets} {place}"),
        frame("AIRLIFT LIFT DROP", "units* to|at:place", "V {units} {place}"),
        frame("FLY TRANSFER MOVE", "fighters#~ from:base to:to=base", "F {base} {to} {fighters}0"),
    ])
});

/// The words of every order that has some; other orders are written as their form says.
pub static FORMS: LazyLock<Forms> = LazyLock::new(|| {
    Forms::new(vec![
        form(
            "A ADVANCE GO MARCH ATTACK SEND TAKE CAPTURE CONQUER",
            "units* goal / goal units* / units* RUINS goal",
            "A {units} {goal}",
        ),
        form("MOVE", "units* place / place units*", "A {units} {place}"),
        form("M MOVE WALK STEP", "units* steps&", "M {units} {steps}"),
        form(
            "B BOMB BOMBARD",
            "n place / place n / n BOMBER|BOMBERS place / place n BOMBER|BOMBERS",
            "B {n} {place}",
        ),
        form("C CONSTRUCT BUILD MAKE PRODUCE TRAIN", "city item / item city", "C {city} {item}"),
        form("CONSTRUCT BUILD MAKE PRODUCE TRAIN", "made", "C {made}"),
        form("D DECLARE ALLY", "n / ALLY|ALLIANCE n", "D {n}"),
        form(
            "E RESEARCH SPEND PUT INVEST",
            "n / n PP|POINT|POINTS / n PP|POINT|POINTS RESEARCH / n RESEARCH",
            "E {n}",
        ),
        form("STOP HALT HOLD STAY WAIT", "units* / units* HOME|HERE|THERE", "M {units} 0"),
        form("I INVESTIGATE SPY", "place n", "I {place} {n}"),
        form("J COALITION", "n", "J {n}"),
        form("K ENGINEERING ENGINEER", "units* task / task units*", "K {units} {task}"),
        form("BUILD", "units* work / work units*", "K {units} {work}"),
        form("SEARCH", "RUINS units* / units* RUINS / units*", "K {units} 1"),
        form("L LINK MERGE ADD", "units other:units", "L {units} {other}"),
        form(
            "O OBSERVE SCOUT WATCH",
            "n place / place n / n FIGHTER|FIGHTERS place / place n FIGHTER|FIGHTERS",
            "O {n} {place}",
        ),
        form(
            "P POSITION PUT GENERAL",
            "general units / units general / general GO|GOES units",
            "P {general} {units}",
        ),
        form("R ROCKET FIRE", "n place / place n", "R {n} {place}"),
        form("S SPLIT PART DIVIDE", "units n", "S {units} {n}"),
        form("V AIRLIFT LIFT", "units* base:n", "V {units} {base}"),
        form("V AIRLIFT DROP", "units* place / place units*", "V {units} {place}"),
    ])
});

fn digits(word: &str) -> bool {
    !word.is_empty() && word.len() < 4 && word.bytes().all(|b| b.is_ascii_digit())
}

fn is_sector(word: &str) -> bool {
    word.len() > 3 && orders::read_sector(word).is_some()
}

/// What lies beside a sector, how far it is, and the cities that are not the seat's own.
fn ground(names: &mut Names, view: &View) {
    let grid = view.grid;
    names.ground.beside(move |place, way| {
        let sector = orders::read_sector(place)?;
        let at = grid.at(i32::from(sector.col) - 1, i32::from(sector.row) - 1)?;
        let way = Direction::ALL.into_iter().find(|d| d.name() == way)?;
        grid.step(at, way).map(|at| sector_no(grid, at))
    });
    names.ground.sight(move |from, to| {
        let at = |code: &str| {
            let sector = orders::read_sector(code)?;
            grid.at(i32::from(sector.col) - 1, i32::from(sector.row) - 1)
        };
        let (from, to) = (at(from)?, at(to)?);
        let far = u32::try_from(grid.distance(from, to)).ok()?;
        Some((far, grid.eastward(from, to), grid.row(to) - grid.row(from)))
    });
    for city in &view.cities {
        for sort in ["place", "goal"] {
            for name in [
                "city",
                "cities",
                "town",
                "foreign city",
                "enemy city",
                "Stadt",
                "Städte",
                "feindliche Stadt",
                "fremde Stadt",
            ] {
                names.also(sort, name, sector_no(view.grid, city.at));
            }
        }
    }
}

/// Names of the things in orders, as far as a seat knows them.
pub fn names(view: &View) -> Names {
    let mut names = Names::default();
    names.codes("units", digits);
    names.codes("city", digits);
    names.codes("item", digits);
    names.codes("general", digits);
    names.codes("place", is_sector);
    names.codes("goal", |w| is_sector(w) || matches!(w.as_bytes(), [b'1'..=b'8']));
    names.codes("steps", |w| !w.is_empty() && w.bytes().all(|b| (b'0'..=b'8').contains(&b)));
    names.codes("task", |w| matches!(w.as_bytes(), [b'1'..=b'5']));
    names.codes("base", digits);
    names.codes("nest", digits);
    names.squares("{column}{row}", &["place", "goal"]);
    names.places(&["place", "goal"]);
    nouns(&mut names, view);
    let own = view.power.cities.values().map(|c| (c.name.as_str(), c.at));
    let seen = view.cities.iter().map(|c| (c.seen.name.as_str(), c.at));
    for (name, at) in own.chain(seen) {
        names.add("place", name, sector_no(view.grid, at));
        names.add("goal", name, sector_no(view.grid, at));
    }
    for at in &view.ruins {
        for sort in ["goal", "place"] {
            names.add(sort, "ruins", sector_no(view.grid, *at));
            names.also(sort, "Ruinen", sector_no(view.grid, *at));
        }
    }
    for city in &view.cities {
        names.add("numbered", &city.number.to_string(), sector_no(view.grid, city.at));
    }
    let next = (1..).filter(|n| !view.power.units.contains_key(n));
    names.fresh("units", next.take(20).map(|n: u16| n.to_string()).collect());
    ground(&mut names, view);
    if let Some(city) = view.power.cities.values().next() {
        for sort in ["place", "goal"] {
            for name in ["capital", "home city", "home", "Hauptstadt", "Heimatstadt", "Hause"] {
                names.also(sort, name, sector_no(view.grid, city.at));
            }
        }
    }
    for (number, city) in &view.power.cities {
        names.add("base", &city.name, number.to_string());
        if city.hangar.planes.fighters > 0 {
            names.add("nest", &city.name, number.to_string());
        }
        names.add("city", &city.name, number.to_string());
        names.stands("city", number.to_string(), sector_no(view.grid, city.at));
        names.add("numbered", &number.to_string(), sector_no(view.grid, city.at));
    }
    forces(&mut names, view);
    for direction in (1..=8).filter_map(Direction::from_code) {
        for name in compass(direction.name()) {
            names.add("goal", &name, direction.code().to_string());
            names.add("steps", &name, direction.code().to_string());
        }
    }
    for (task, name) in [("1", "ruins"), ("2", "road"), ("3", "fort"), ("4", "airbase")] {
        names.add("task", name, task);
        names.add("work", name, task);
    }
    names
}

/// What things are called as such, and what the seat has of what is counted.
fn nouns(names: &mut Names, view: &View) {
    names.nouns("units", "unit units division divisions troop troops army armies regiment regiments \
                 force forces stack detachment Einheit Einheiten Truppe Truppen Armee Armeen Division Divisionen u");
    names.nouns("city", "city cities town towns capital Stadt Städte Hauptstadt");
    names.nouns("numbered", "city town Stadt");
    names.nouns("place", "sector square field at Sektor Feld");
    names.nouns("goal", "sector square field city town Sektor Feld Stadt");
    names.nouns("general", "general generals General Generäle");
    names.nouns("player", "player players empire empires Spieler Reich");
    names.nouns("base", "base airbase bases airbases Flugplatz Luftwaffenbasis Basis city");
    let hangars = || {
        view.power
            .cities
            .values()
            .map(|c| &c.hangar)
            .chain(view.power.airbases.values().map(|b| &b.hangar))
    };
    let planes = |of: fn(&Hangar) -> u16| u32::from(hangars().map(of).sum::<u16>());
    names.amount(
        "fighters",
        "fighter fighters plane planes aircraft Jäger Flugzeug Flugzeuge",
        Some(planes(|h| h.planes.fighters)),
    );
    names.amount("bombers", "bomber bombers Bomber", Some(planes(|h| h.planes.bombers)));
    names.amount(
        "rockets",
        "rocket rockets missile missiles Rakete Raketen",
        Some(planes(|h| h.missiles)),
    );
    names.amount(
        "pp",
        "PP cash funds point points money gold dollars production_points Punkt Punkte Geld Produktionspunkte",
        u32::try_from(view.power.stock / 100).ok(),
    );
    names.amount(
        "men",
        "man men soldier soldiers regiment regiments troops Mann Soldaten Regimenter Leute",
        None,
    );
    names.amount(
        "squad",
        "infantry infantrymen tank tanks engineers artillery trucks guns Infanterie Panzer Pioniere Artillerie",
        None,
    );
    names.amount(
        "centre",
        "workshop workshops centre centres center centers factory factories Zentrum Zentren Fabrik Fabriken",
        Some(3),
    );
    for seat in (1..=view.seats).filter(|seat| *seat != view.seat) {
        names.add("player", &seat.to_string(), seat.to_string());
    }
    names.add("level", "defence level", "21");
    for word in [
        "level of defence",
        "levels of defence",
        "level of defense",
        "wall",
        "walls",
        "defence",
        "defense level",
        "defence levels",
        "level",
        "levels",
        "Verteidigungsstufe",
        "Verteidigungsstufen",
    ] {
        names.add("level", word, "21");
    }
}

/// What types of units, units and generals are called.
fn forces(names: &mut Names, view: &View) {
    for row in &view.tables.units {
        names.add("item", &row.name, row.id.to_string());
        for name in called(row) {
            names.also("item", &name, row.id.to_string());
        }
        // A player with one city need not name it.
        if let (1, Some(city)) = (view.power.cities.len(), view.power.cities.keys().next()) {
            names.add("made", &row.name, format!("{city} {}", row.id));
        }
    }
    for (number, unit) in &view.power.units {
        let row = view.tables.row(unit.kind);
        names.add("units", &row.name, number.to_string());
        names.add("units", &format!("{} {number}", row.name), number.to_string());
        for kind in called(row) {
            names.also("units", &kind, number.to_string());
            names.also("units", &format!("{kind} {number}"), number.to_string());
        }
        if unit.goal.is_some() {
            for name in
                ["marching", "moving", "on the march", "on the move", "on the way", "unterwegs"]
            {
                names.also("units", name, number.to_string());
            }
        } else {
            for name in [
                "idle",
                "waiting",
                "without orders",
                "that have nothing to do",
                "that has nothing to do",
                "with nothing to do",
                "that are idle",
                "that stand idle",
                "that have no orders",
                "die nichts zu tun haben",
                "die nichts tun",
                "ohne Befehle",
                "die untätig sind",
                "untätig",
            ] {
                names.also("units", name, number.to_string());
            }
        }
        names.amounts.held("men", number.to_string(), unit.size.into());
        names.amounts.held("squad", number.to_string(), unit.size.into());
        names.stands("units", number.to_string(), sector_no(view.grid, unit.at));
    }
    for (number, general) in (1..).zip(&view.power.generals) {
        names.add("general", &general.name, i32::to_string(&number));
    }
}

/// Other words for the types of units, by ID.
const KINDS: [(u8, &str); 15] = [
    (1, "infantry inf foot infantrymen Infanterie Fußvolk"),
    (2, "engineer engineers Pionier Pioniere Pionieren Ingenieur"),
    (3, "tank tanks armour Panzer Panzern"),
    (4, "truck trucks lorry lorries Laster Lastern Lastwagen LKW"),
    (5, "artillery arty guns Artillerie Geschütze"),
    (6, "AA flak anti-aircraft Flak"),
    (10, "destroyer destroyers Zerstörer"),
    (11, "cruiser cruisers Kreuzer"),
    (12, "battleship battleships Schlachtschiff Schlachtschiffe"),
    (13, "transport transports Transporter"),
    (14, "submarine submarines sub subs U-Boot U-Boote"),
    (15, "carrier carriers Flugzeugträger Träger"),
    (18, "fighter fighters Jäger"),
    (19, "bomber bombers Bomber"),
    (20, "jet jets"),
];

/// What units of a type are called as well.
fn called(row: &UnitRow) -> Vec<String> {
    let others =
        KINDS.iter().filter(|(id, _)| *id == row.id).flat_map(|(_, words)| words.split(' '));
    // `Panzereinheit`.
    let of = |word: &str| [word.to_owned(), format!("{word}einheit"), format!("{word}einheiten")];
    others.flat_map(of).collect()
}

/// A direction as people write it: `NW`, `NORTHWEST`, `NORTH-WEST`.
fn compass(short: &str) -> Vec<String> {
    let long = |c: char| match c {
        'N' => "NORTH",
        'S' => "SOUTH",
        'E' => "EAST",
        _ => "WEST",
    };
    let parts: Vec<&str> = short.chars().map(long).collect();
    vec![short.to_owned(), parts.concat(), parts.join("-"), parts.join(" ")]
}
