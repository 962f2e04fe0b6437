use empire_deluxe::EmpireDeluxe;
use empire_deluxe::kinds::Kind;
use engine::trial::{Trial, TrialOf};
use engine::{Dice, Rules, Seat, Setup};
use std::collections::BTreeMap;
#[test]
fn zz() {
    let mut trial: TrialOf<EmpireDeluxe> = TrialOf::new(
        &Setup {
            seats: 2,
            options: [("edition".to_owned(), "basic".to_owned())].into(),
            ..Setup::default()
        },
        1,
    )
    .expect("g");
    for _ in 1..=200 {
        trial.write_cards();
        trial.step();
        if trial.result().is_some() {
            break;
        }
    }
    let s = trial.state();
    for seat in [1u8, 2] {
        let mut kinds: BTreeMap<Kind, u32> = BTreeMap::new();
        for u in s.world.side(Seat(seat)).unwrap().units.values() {
            *kinds.entry(u.kind).or_default() += 1;
        }
        println!("seat {seat} {kinds:?} turn {}", s.world.turn);
        let field = empire_deluxe::field::Field::new(s.world.clone());
        for (n, u) in &s.world.side(Seat(seat)).unwrap().units {
            if u.kind == Kind::Tr {
                let id = empire_deluxe::state::UnitId { seat: Seat(seat), number: *n };
                println!(
                    "TR {n} at {} {:?} cargo {} orders {:?} blocked {} inside {}",
                    s.world.ground.called(u.at),
                    s.world.ground.at(u.at),
                    field.taken(id),
                    u.orders,
                    u.blocked,
                    field.inside(u.at).len()
                );
            }
        }
        let mut first: BTreeMap<String, u32> = BTreeMap::new();
        for u in s.world.side(Seat(seat)).unwrap().units.values().filter(|u| u.kind == Kind::Ar) {
            let k = format!(
                "{:?} aboard {} city {}",
                u.orders.first().map(|t| format!("{t:?}").chars().take(6).collect::<String>()),
                u.aboard.is_some(),
                s.world.city(u.at).is_some()
            );
            *first.entry(k).or_default() += 1;
        }
        println!("{first:?}");
    }
    let view = EmpireDeluxe::view(
        s,
        &[],
        match &s.stage {
            empire_deluxe::game::Stage::Sitting { seat, .. } => *seat,
            _ => Seat(1),
        },
    );
    let card = empire_deluxe::computer::play(&view, &mut Dice::new(1));
    for (_, l) in card.lines.iter().take(400) {
        print!("{l} | ");
    }
    println!();
    println!("{}", s.world.ground.text());
}
