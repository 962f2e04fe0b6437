//! The written bytes are those of `rmp_serde`, and they can be read back.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::*;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Alone;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Seat(u8);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Order {
    Wait,
    Build(String),
    Move(i64, u16),
    Land { at: Seat, with: Option<i8> },
}

/// A value of every kind that serde knows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct State {
    turn: u64,
    left: i64,
    small: (i8, u8, i16, u16, i32, u32),
    won: bool,
    sign: char,
    name: String,
    #[serde(with = "serde_bytes")]
    land: Vec<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    owner: Option<Seat>,
    nobody: Option<Seat>,
    nothing: (),
    alone: Alone,
    orders: Vec<Order>,
    by_seat: BTreeMap<u8, Vec<String>>,
    share: f64,
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![
        Just(Order::Wait),
        any::<String>().prop_map(Order::Build),
        any::<(i64, u16)>().prop_map(|(a, b)| Order::Move(a, b)),
        any::<(u8, Option<i8>)>().prop_map(|(at, with)| Order::Land { at: Seat(at), with }),
    ]
}

prop_compose! {
    fn state()(
        (turn, left, small) in any::<(u64, i64, (i8, u8, i16, u16, i32, u32))>(),
        (won, sign, name) in any::<(bool, char, String)>(),
        land in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..300),
            Just(vec![7; 70_000]),
        ],
        (owner, nobody) in any::<(Option<u8>, Option<u8>)>(),
        orders in prop::collection::vec(order(), 0..40),
        by_seat in prop::collection::btree_map(
            any::<u8>(), prop::collection::vec(any::<String>(), 0..20), 0..20,
        ),
        share in -1e9f64..1e9,
    ) -> State {
        let (owner, nobody) = (owner.map(Seat), nobody.map(Seat));
        State {
            turn, left, small, won, sign, name, land, owner, nobody, nothing: (), alone: Alone,
            orders, by_seat, share,
        }
    }
}

/// Serde writes flattened fields as a map of unknown length.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    more: BTreeMap<String, u32>,
}

proptest! {
    #[test]
    fn a_value_is_written_as_rmp_serde_writes_it_and_read_back(state in state()) {
        let bytes = to_bytes(&state).expect("plain data");
        prop_assert_eq!(&bytes, &rmp_serde::to_vec_named(&state).expect("plain data"));
        prop_assert_eq!(from_bytes::<State>(&bytes).expect("its own bytes"), state);
    }

    #[test]
    fn whatever_bytes_are_read_nothing_panics(
        state in state(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut bytes = to_bytes(&state).expect("plain data");
        let at = at.index(bytes.len());
        bytes[at] = byte;
        let _ = from_bytes::<State>(&bytes);
        let _ = from_bytes::<State>(&bytes[..at]);
    }
}

#[test]
fn a_map_of_unknown_length_gets_its_head_at_its_end() {
    let more: BTreeMap<String, u32> = (0..40).map(|n| (format!("field {n}"), n)).collect();
    let flat = Flat { id: 7, more };
    let bytes = to_bytes(&flat).expect("plain data");
    assert_eq!(bytes, rmp_serde::to_vec_named(&flat).expect("plain data"));
    assert_eq!(from_bytes::<Flat>(&bytes).expect("its own bytes"), flat);
}

#[test]
fn a_field_that_a_type_does_not_know_is_passed_over() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Later {
        turn: u64,
        #[serde(default)]
        added: Option<u8>,
    }
    let earlier = BTreeMap::from([("dropped", vec![vec![1u64], vec![]]), ("seats", vec![])]);
    let mut bytes = to_bytes(&earlier).expect("plain data");
    // One pair more.
    bytes[0] += 1;
    bytes.extend(to_bytes("turn").expect("plain data"));
    bytes.push(9);
    let later: Later = from_bytes(&bytes).expect("what is known");
    assert_eq!(later, Later { turn: 9, added: None });
}

#[test]
fn what_is_no_such_value_is_an_error() {
    let refused = |bytes: &[u8]| from_bytes::<Vec<u8>>(bytes).expect_err("refused").to_string();
    assert_eq!(refused(&[0x92, 1]), "it ends too soon");
    assert_eq!(refused(&[0x91, 1, 1]), "1 bytes behind the value");
    assert_eq!(refused(&[0xc1]), "no value begins with 0xc1");
    assert_eq!(refused(&[0xc3]), "invalid type: boolean `true`, expected a sequence");
    assert_eq!(refused(&[0x91, 0xcd, 1, 0]), "invalid value: integer `256`, expected u8");
    // A list that claims to have four billion items takes no room for them.
    assert_eq!(refused(&[0xdd, 0xff, 0xff, 0xff, 0xff]), "it ends too soon");
    let two: String = from_bytes::<(u8, u8)>(&[0x93, 1, 2, 3]).expect_err("refused").to_string();
    assert_eq!(two, "1 items more than there should be");
    let variant = from_bytes::<Order>(&[0xa4, b'M', b'o', b'v', b'e']).expect_err("refused");
    assert_eq!(variant.to_string(), "invalid type: unit variant, expected a variant with a value");
}

#[test]
fn a_value_nested_too_deep_is_an_error() {
    #[derive(Debug, Deserialize)]
    struct Within(#[expect(dead_code, reason = "only read")] Vec<Within>);
    let deep = |levels: u32| {
        let mut bytes = vec![0x91; levels as usize];
        bytes.push(0x90);
        from_bytes::<Within>(&bytes)
    };
    assert!(deep(DEPTH_MAX - 1).is_ok());
    assert_eq!(deep(DEPTH_MAX).expect_err("refused").to_string(), "nested too deep");
    // Skipping takes no room on the stack, however deep the value is.
    let mut bytes = vec![0x91; 1_000_000];
    bytes.push(0x90);
    assert!(from_bytes::<serde::de::IgnoredAny>(&bytes).is_ok());
}
