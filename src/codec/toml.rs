//! Values from TOML, by way of their bytes, so that one reader reads a type from either source. A
//! second, generic reader would double the code in each engine.

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};
use rmp::encode;
use serde::de::DeserializeOwned;

use super::read::Reader;

/// A value from TOML.
///
/// # Errors
/// The fault, with its line.
pub fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let packed = Packed::of(text)?;
    let mut reader = Reader::new(&packed.bytes);
    T::deserialize(&mut reader).map_err(|e| {
        let read = packed.bytes.len() - reader.left();
        format!("line {}: {e}", packed.line(text, read))
    })
}

/// TOML as the bytes of a value.
#[derive(Default)]
struct Packed {
    bytes: Vec<u8>,
    /// The place of each key and each value in the bytes, and in the text.
    places: Vec<(usize, usize)>,
}

impl Packed {
    fn of(text: &str) -> Result<Self, String> {
        let table = DeTable::parse(text).map_err(|e| e.to_string())?;
        let mut packed = Self::default();
        packed.table(table.get_ref()).map_err(|e| e.to_string())?;
        Ok(packed)
    }

    /// The line of the last key or value that begins before byte `read`.
    fn line(&self, text: &str, read: usize) -> usize {
        let behind = self.places.partition_point(|(at, _)| *at < read);
        let at = behind.checked_sub(1).map_or(0, |n| self.places[n].1);
        text[..at].lines().count().max(1) + usize::from(text[..at].ends_with('\n'))
    }

    fn table(&mut self, table: &DeTable) -> Result<(), String> {
        let len = u32::try_from(table.len()).map_err(|e| e.to_string())?;
        encode::write_map_len(&mut self.bytes, len).map_err(|e| e.to_string())?;
        for (key, value) in table {
            self.places.push((self.bytes.len(), key.span().start));
            self.text(key.get_ref())?;
            self.value(value)?;
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), String> {
        encode::write_str(&mut self.bytes, text).map_err(|e| e.to_string())
    }

    fn value(&mut self, value: &Spanned<DeValue>) -> Result<(), String> {
        self.places.push((self.bytes.len(), value.span().start));
        let out = &mut self.bytes;
        match value.get_ref() {
            DeValue::String(text) => self.text(text),
            DeValue::Datetime(date) => self.text(&date.to_string()),
            DeValue::Table(table) => self.table(table),
            DeValue::Boolean(yes) => encode::write_bool(out, *yes).map_err(|e| e.to_string()),
            DeValue::Integer(n) => {
                let number = i64::from_str_radix(n.as_str(), n.radix());
                let number = number.map_err(|e| format!("{n}: {e}"))?;
                encode::write_sint(out, number).map(drop).map_err(|e| e.to_string())
            }
            DeValue::Float(n) => {
                let number: f64 = n.as_str().parse().map_err(|e| format!("{n}: {e}"))?;
                encode::write_f64(out, number).map_err(|e| e.to_string())
            }
            DeValue::Array(items) => {
                let len = u32::try_from(items.len()).map_err(|e| e.to_string())?;
                encode::write_array_len(out, len).map_err(|e| e.to_string())?;
                items.iter().try_for_each(|item| self.value(item))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Unit {
        name: String,
        moves: u8,
        #[serde(default)]
        lifts: Option<Vec<String>>,
        #[serde(default)]
        class: Class,
    }

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Class {
        #[default]
        Land,
        Sea {
            depth: i64,
        },
    }

    #[derive(Debug, PartialEq, Deserialize)]
    struct Units {
        unit: Vec<Unit>,
        #[serde(default)]
        shares: BTreeMap<String, f64>,
    }

    const TEXT: &str = "shares = { a = 0.5, b = 2.0 }\n\n[[unit]]\nname = \"Army\"\nmoves = 1\n\n\
                        [[unit]]\nname = \"Transport\"\nmoves = 0x02\nlifts = [\n  \"Army\",\n]\n\
                        class = { sea = { depth = -3 } }\n";

    #[test]
    fn a_value_is_read_as_the_library_reads_it() {
        let units: Units = from_toml(TEXT).expect("sound");
        assert_eq!(units, ::toml::from_str(TEXT).expect("sound"));
        assert_eq!(units.unit[1].class, Class::Sea { depth: -3 });
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (right, wrong, told) in [
            ("moves = 0x02", "speed = 2", "line 9: unknown field `speed`"),
            ("moves = 0x02", "moves = 256", "line 9: invalid value: integer `256`, expected u8"),
            (
                "moves = 0x02",
                "moves = \"two\"",
                "line 9: invalid type: string \"two\", expected u8",
            ),
            ("  \"Army\",", "  7,", "line 11: invalid type: integer `7`, expected a string"),
            ("name = \"Army\"\n", "", "line 4: missing field `name`"),
            ("sea = {", "air = {", "line 13: unknown variant `air`, expected `land` or `sea`"),
            ("shares = { a = 0.5", "shares = { a = x", "TOML parse error at line 1, column 16"),
        ] {
            assert!(TEXT.contains(right), "{right}");
            let fault = from_toml::<Units>(&TEXT.replacen(right, wrong, 1)).expect_err(wrong);
            assert!(fault.starts_with(told), "{wrong}: {fault}");
        }
    }
}
